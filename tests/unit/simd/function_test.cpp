// SPDX-License-Identifier: MIT
#include "simd_test_util.h"
#include <numeric>
#include <thread>

namespace monolith::simd::unit {
namespace {

TEST(SimdFunction, CpuIsChecked) {
  EXPECT_EQ(cpuSupportsGeneratedCode(), *missingCpuFeatures() == 0);
  ASSERT_TRUE(cpuSupportsGeneratedCode()) << "this machine cannot run the tests of generated code: " << missingCpuFeatures();
}

TEST(SimdFunction, LoopsAndReturns) {
  Function f("sum", {ArgumentKind::Word}, true);
  Var<Word> sum(Word(0));
  For(Word(0), f.wordArgument(0), 1, [&](Word i) {
    If(test(i, Word(1)), [&] { sum = sum.peek() + i; }, [&] { sum = sum.peek() - Word(1); });
  });
  f.ret(sum.peek());
  Routine r = f.finish();
  ASSERT_TRUE(r) << f.error();
  EXPECT_EQ(r.as<int (*)(int)>()(10), 1 + 3 + 5 + 7 + 9 - 5);
  EXPECT_EQ(r.as<int (*)(int)>()(0), 0);
}

TEST(SimdFunction, ScalarOperations) {
  const auto run = [](auto body, int32_t a, int32_t b) {
    Function f("scalar", {ArgumentKind::Word, ArgumentKind::Word}, true);
    f.ret(body(f.wordArgument(0), f.wordArgument(1)));
    Routine r = f.finish();
    EXPECT_TRUE(r) << f.error();
    return r ? r.as<int32_t (*)(int32_t, int32_t)>()(a, b) : 0;
  };
  EXPECT_EQ(run([](Word a, Word b) { return a + b * Word(12); }, 5, 7), 89);
  EXPECT_EQ(run([](Word a, Word b) { return shl(a, b) | Word(1); }, 3, 4), 49);
  EXPECT_EQ(run([](Word a, Word) { return sar(a, 2); }, -9, 0), -3);
  EXPECT_EQ(run([](Word a, Word b) { return minUnsigned(a, b); }, -1, 5), 5);
  EXPECT_EQ(run([](Word a, Word b) { return minSigned(a, b); }, -1, 5), -1);
  EXPECT_EQ(run([](Word a, Word b) { return maxUnsigned(a, b); }, -1, 5), -1);
  EXPECT_EQ(run([](Word a, Word) { return popcount(a); }, 0xf0f, 0), 8);
  EXPECT_EQ(run([](Word a, Word) { return countTrailingZeros(a); }, 0, 0), 32);
  EXPECT_EQ(run([](Word a, Word) { return countLeadingZeros(a); }, 1, 0), 31);
  EXPECT_EQ(run([](Word a, Word b) { return select(a >= b, Word(1), Word(0)); }, 4, 4), 1);
  EXPECT_EQ(run([](Word a, Word b) { return select(belowUnsigned(a, b), Word(1), Word(0)); }, 4, -4), 1);
  EXPECT_EQ(run([](Word a, Word b) { return toWord(shr(toLongUnsigned(a) * toLongUnsigned(b), 32)); }, -1, -1), -2);
  EXPECT_EQ(run([](Word a, Word) { return toWord(toLongSigned(a) + Long(int64_t(1) << 40)); }, -5, 0), -5);
}

TEST(SimdFunction, LaneConditions) {
  const auto run = [](auto condition, uint32_t bits) {
    Function f("lanes", {ArgumentKind::Word}, true);
    f.ret(select(condition(maskFromBits(f.wordArgument(0))), Word(1), Word(0)));
    Routine r = f.finish();
    EXPECT_TRUE(r) << f.error();
    return r && r.as<int (*)(uint32_t)>()(bits);
  };
  for (uint32_t bits : {0u, 1u, 0x80u, 0x7fu, 0xffu}) {
    EXPECT_EQ(run([](Mask m) { return any(m); }, bits), bits != 0);
    EXPECT_EQ(run([](Mask m) { return none(m); }, bits), bits == 0);
    EXPECT_EQ(run([](Mask m) { return all(m); }, bits), bits == 0xff);
    EXPECT_EQ(run([](Mask m) { return notAll(m); }, bits), bits != 0xff);
    EXPECT_EQ(run([](Mask m) { return laneBits(m) == Word(0x7f); }, bits), bits == 0x7f);
  }
}

TEST(SimdFunction, MemoryAndShuffles) {
  alignas(32) uint8_t in[256];
  std::iota(in, in + 256, uint8_t(0));
  alignas(32) uint32_t out[64] = {};
  Function f("memory", {ArgumentKind::Pointer, ArgumentKind::Pointer, ArgumentKind::Word});
  const Pointer p = f.pointerArgument(0), q = f.pointerArgument(1);
  store(q, loadWidenUnsigned8(p + 3));
  store(q + 32, gather(p, Int(std::array<int32_t, 8>{0, 4, 8, 12, 60, 56, 52, 48}), 1, maskFromBits(Word(0x7f)), Int(-1)));
  store(q + 64, permute(loadInt(p), {7, 6, 5, 4, 3, 2, 1, 0}));
  store(q + 96, combine128(narrowUnsigned8(Int(300)), narrowSigned16(Int(-70000))));
  store(indexed(q, f.wordArgument(2), 4), loadWord(indexed(p + 4, f.wordArgument(2), 2)));
  const int32_t table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  store(q + 128, gather(constantTable(table, sizeof table), laneIndices() ^ Int(7), 4));
  store(q + 160, broadcastInt(indexed(constantTable(table, sizeof table), f.wordArgument(2) & Word(7), 4)));
  store(q + 192, insert(Int(0), 5, extract(loadInt(p), 6)));
  store(q + 224, loadWord(f.stack(64)) & Word(0)); // a stack slot has an address
  Routine r = f.finish();
  ASSERT_TRUE(r) << f.error();
  r.as<void (*)(const void*, void*, int)>()(in, out, 60);
  EXPECT_EQ(out[0], 3u);
  EXPECT_EQ(out[7], 10u);
  EXPECT_EQ(out[8], 0x03020100u);
  EXPECT_EQ(out[12], 0x3f3e3d3cu);
  EXPECT_EQ(out[15], ~0u);
  EXPECT_EQ(out[16], 0x1f1e1d1cu);
  EXPECT_EQ(out[24], 0xffffffffu);
  EXPECT_EQ(out[26], 0xffffffffu);
  EXPECT_EQ(out[28], 0x80008000u);
  EXPECT_EQ(out[60], 0x7f7e7d7cu);
  EXPECT_EQ(out[32], 8u);
  EXPECT_EQ(out[39], 1u);
  EXPECT_EQ(out[40], 5u); // 60 & 7
  EXPECT_EQ(out[48 + 5], 0x1b1a1918u);
  EXPECT_EQ(out[48 + 4], 0u);
}

int s_called;
void slowPath(float* lanes, uint32_t count) {
  ++s_called;
  for (int i = 0; i < kLanes; ++i)
    lanes[i] += float(count);
}

TEST(SimdFunction, CallsKeepLiveValues) {
  Function f("calls", {ArgumentKind::Pointer});
  const Pointer p = f.pointerArgument(0);
  std::vector<Float> live;
  for (int i = 0; i < 24; ++i)
    live.push_back(loadFloat(p) * Float(float(i)));
  const Pointer block = f.stack(kVectorBytes);
  store(block, loadFloat(p));
  call(addressOf(&slowPath), {Argument(block), Argument(Word(100))});
  Float sum = loadFloat(block);
  for (Float v : live)
    sum = sum + v;
  store(p, sum);
  Routine r = f.finish();
  ASSERT_TRUE(r) << f.error();
  alignas(32) float data[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  r.as<void (*)(float*)>()(data);
  EXPECT_EQ(s_called, 1);
  for (int i = 0; i < kLanes; ++i)
    EXPECT_EQ(data[i], float(i) + 100 + float(i) * (23 * 24 / 2));
}

TEST(SimdFunction, VariablesKeepOldCopies) {
  Function f("vars", {ArgumentKind::Pointer});
  Var<Float> v(Float(1.0f));
  const Float before = v.get();
  v = v.peek() + Float(1.0f);
  store(f.pointerArgument(0), before + v.get() * Float(10.0f));
  Routine r = f.finish();
  ASSERT_TRUE(r) << f.error();
  float data[kLanes];
  r.as<void (*)(float*)>()(data);
  EXPECT_EQ(data[3], 21.0f);
}

TEST(SimdFunction, NestedRecordingAndAccounting) {
  CodeMemory memory;
  {
    Function outer("outer", {ArgumentKind::Word}, true);
    const Word twice = outer.wordArgument(0) + outer.wordArgument(0);
    Routine innerRoutine;
    {
      Function inner("inner", {ArgumentKind::Word}, true);
      inner.ret(inner.wordArgument(0) + Word(1));
      innerRoutine = inner.finish(memory);
      ASSERT_TRUE(innerRoutine) << inner.error();
    }
    outer.ret(callWord(innerRoutine.address(), {Argument(twice)}));
    Routine r = outer.finish(memory);
    ASSERT_TRUE(r) << outer.error();
    EXPECT_EQ(r.as<int (*)(int)>()(20), 41);
    EXPECT_EQ(memory.bytesUsed(), r.size() + innerRoutine.size());
  }
  EXPECT_EQ(memory.bytesUsed(), 0u);
  EXPECT_FALSE(Function::recording());
}

TEST(SimdFunction, ThreadsRecordIndependently) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        Function f("thread", {ArgumentKind::Word}, true);
        f.ret(f.wordArgument(0) + Word(t * 1000 + i));
        Routine r = f.finish();
        ASSERT_TRUE(r) << f.error();
        EXPECT_EQ(r.as<int (*)(int)>()(1), t * 1000 + i + 1);
      }
    });
  for (std::thread& t : threads)
    t.join();
}

TEST(SimdFunction, EnvironmentFlushesDenormals) {
  volatile float tiny = 1e-40f, half = 0.5f;
  EXPECT_NE(tiny * half, 0.0f);
  {
    const FloatEnvironment environment;
    EXPECT_EQ(std::bit_cast<uint32_t>(tiny * half), 0u);
  }
  EXPECT_NE(tiny * half, 0.0f);
}

} // namespace
} // namespace monolith::simd::unit
