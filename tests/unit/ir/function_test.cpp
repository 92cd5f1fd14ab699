// SPDX-License-Identifier: MIT
// Verifier faults, text errors, uniformity, the interpreter's budget and mask, the documented table.
#include "ir/builder.h"
#include "ir/document.h"
#include "ir/interpreter.h"
#include "ir/passes/uniformity.h"
#include "ir/text.h"
#include "ir/verifier.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace monolith::ir;

namespace {

std::unique_ptr<Function> make(const std::string& text) {
  ReadResult r = read(text);
  EXPECT_TRUE(r) << r.error;
  return r ? std::move(r.function) : std::make_unique<Function>();
}

TEST(Ops, NamesAreFoundAgain) {
  for (unsigned i = 0; i < kOpCount; i++) {
    const std::string name = kOpInfo[i].name;
    EXPECT_EQ(opByName(name.data(), unsigned(name.size())), static_cast<Op>(i));
    EXPECT_LE(kOpInfo[i].minOperands, kOpInfo[i].maxOperands) << name;
    const unsigned kinds = (kOpInfo[i].flags & kOpPure ? 1 : 0) + (kOpInfo[i].flags & kOpSide ? 1 : 0) + (kOpInfo[i].flags & kOpReads ? 1 : 0);
    EXPECT_EQ(kinds, 1u) << name << " must be exactly one of pure, reading, with effect";
  }
  EXPECT_EQ(opByName("Nothing", 7), Op::Count);
}

TEST(Ops, DocumentIsCurrent) {
  const std::string path = std::string(MONOLITH_SOURCE_DIR) + "/docs/ir.md";
  if (std::getenv("MONOLITH_UPDATE_DOCS")) std::ofstream(path) << documentOperations();
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), documentOperations())
      << "run this test with MONOLITH_UPDATE_DOCS=1";
}

TEST(Verifier, NamesTheFault) {
  struct Row {
    const char* body;
    const char* fault;
  };
  const Row rows[] = {
      {"%a = LoadInput #0.x\n%b = FAdd %a", "wrong number of operands"},
      {"%a = LoadVar $3", "attribute out of range"},
      {"%a = LoadConstant cb5.x, 0", "attribute out of range"},
      {"%a = LoadArray x2.x, 0", "attribute out of range"},
      {"If 1\n%a = LoadInput #0.x\nEndIf\nStoreOutput #0.x, %a", "operand defined in a region that is closed"},
      {"If 1\n%a = LoadInput #0.x\nElse\nStoreOutput #0.x, %a\nEndIf", "operand defined in a region that is closed"},
      {"%a %b %c %d = Sample t0, s0, 1.0", "wrong number of operands for the resource"},
      {"%a %b %c %d = Sample t0, s3, 1.0, 1.0", "attribute out of range"},
      {"%a %b %c %d = Ld t0, 1, 1", "wrong number of operands for the resource"},
  };
  for (const Row& r : rows) {
    auto f = make(std::string("shader pixel\ninput 0 xy linear\noutput 0 x\nresource 0 2d float\nsampler 0 default\n") + r.body + "\n");
    const std::string fault = verify(*f);
    EXPECT_NE(fault.find(r.fault), std::string::npos) << r.body << ": " << fault;
  }
}

TEST(Verifier, DamagedFunctions) {
  auto f = make("shader vertex\ninput 0 x\noutput 0 x\n%a = LoadInput #0.x\nLoop\nBreak %a\nEndLoop\nStoreOutput #0.x, %a\n");
  ASSERT_EQ(verify(*f), "");
  Function g = *f;
  g.instructions[2].attr = 0; // Break of something else
  EXPECT_NE(verify(g), "");
  g = *f;
  g.instructions.erase(g.instructions.begin() + 3);
  EXPECT_NE(verify(g), "");
  EXPECT_FALSE(g.link());
  g = *f;
  g.operands[0].id = 77;
  EXPECT_NE(verify(g), "");
  g = *f;
  g.instructions[0].firstResult = 9;
  EXPECT_NE(verify(g), "");
  g = *f;
  std::swap(g.instructions[0], g.instructions[4]);
  EXPECT_NE(verify(g), "");
  g = *f;
  g.stage = Stage::Vertex;
  g.instructions[0].op = Op::DerivXFine;
  EXPECT_NE(verify(g), "");
}

TEST(Text, Errors) {
  const std::pair<const char*, const char*> rows[] = {
      {"shader pixel\n%a = Nothing 1\n", "line 2: unknown operation 'Nothing'"},
      {"%a = FAdd %b, 1\n", "line 1: value %b is not defined"},
      {"%a = FAdd 1, 2\n%a = FAdd 1, 2\n", "line 2: value defined twice"},
      {"FAdd 1, 2\n", "line 1: wrong number of results"},
      {"shader toaster\n", "line 1: unknown name 'toaster'"},
      {"%a = LoadInput 3\n", "line 1: component expected"},
      {"If 1\n", "control flow does not nest"},
      {"EndLoop\n", "control flow does not nest"},
      {"Break\n", "control flow does not nest"},
      {"%a = FAdd 1, zz\n", "line 1: bad operand 'zz'"},
      {"array 99999999 4\n", "line 1: array too large"},
      {"%a = FAdd 1, 2, 3\n", "line 1: too many operands"},
  };
  for (const auto& r : rows) {
    const ReadResult x = read(r.first);
    EXPECT_FALSE(x);
    EXPECT_EQ(x.error, r.second);
  }
}

TEST(Text, EveryOperationRoundTrips) {
  Function f;
  f.stage = Stage::Pixel;
  f.variableCount = 4;
  f.arrays = {{4, 4}, {2, 2}};
  f.icb = {1, 2, 3, 4};
  f.constantBuffers = {{1, 4, 4, true}};
  f.resources = {{0, ResourceDim::Texture2D, {}, 0, 0}, {3, ResourceDim::RawBuffer, {}, 0, 0}};
  f.uavs = {{1, ResourceDim::RawBuffer, {}, 0, true, true, true}};
  f.shared = {{0, 64, 0}};
  f.samplers = {{0, SamplerMode::Comparison}};
  Builder b(f);
  for (unsigned i = 0; i < kOpCount; i++) {
    const OpInfo& info = kOpInfo[i];
    if (info.flags & kOpFlow) continue;
    ResourceAttributes a;
    a.resource = info.attr == AttrKind::System ? 3 : info.attr == AttrKind::CBuffer ? 1 : 0;
    a.sampler = info.attr == AttrKind::Sample || info.attr == AttrKind::None || info.attr == AttrKind::Variable || info.attr == AttrKind::Sync || info.attr == AttrKind::Stream || info.attr == AttrKind::Resource ? 0 : 1;
    if (info.attr == AttrKind::Sample || info.attr == AttrKind::Resource) {
      a.offset[0] = -3, a.offset[2] = 7, a.component = 2, a.flags = kFlagStatus | kFlagClamp;
    }
    std::vector<Value> in;
    for (unsigned n = 0; n < info.minOperands; n++) in.push_back(b.constant(n * 0x1234567u));
    b.emitResource(static_cast<Op>(i), in.data(), unsigned(in.size()), a);
  }
  const std::string text = print(f);
  const ReadResult back = read(text);
  ASSERT_TRUE(back) << back.error << "\n" << text;
  EXPECT_EQ(print(*back.function), text);
}

TEST(Uniformity, ValuesAndBranches) {
  auto f = make(R"(shader vertex
input 0 x
output 0 xyzw
cbuffer 0 4
variables 3
%u = LoadConstant cb0.x, 0
%v = LoadInput #0.x
%a = FAdd %u, 1.0
%b = FAdd %u, %v
If %u
  StoreVar $0, %a
EndIf
If %v
  StoreVar $1, %a
EndIf
%c = LoadVar $0
%d = LoadVar $1
Loop
  %e = LoadVar $2
  %g = UGe %e, %u
  Break %g
  %h = IAdd %e, 1
  StoreVar $2, %h
EndLoop
%i = LoadVar $2
)");
  ASSERT_EQ(verify(*f), "");
  const Uniformity u = analyzeUniformity(*f);
  const auto uniform = [&](unsigned n) { return u.isUniform(Value{n}); };
  // u v a b c d e g h i, in order of definition
  const bool expected[] = {true, false, true, false, true, false, true, true, true, true};
  for (unsigned n = 0; n < 10; n++) EXPECT_EQ(uniform(n), expected[n]) << n;
  EXPECT_TRUE(u.instructions[4]);  // If %u
  EXPECT_FALSE(u.instructions[7]); // If %v
  EXPECT_TRUE(u.instructions[14]); // Break
}

TEST(Uniformity, LanesThatLeaveAlone) {
  auto f = make(R"(shader vertex
input 0 x
output 0 x
variables 2
%v = LoadInput #0.x
Block
  Break %v
  StoreVar $0, 1.0
EndBlock
%a = LoadVar $0
Loop
  %b = LoadVar $1
  %c = UGe %b, %v
  Break %c
  %d = IAdd %b, 1
  StoreVar $1, %d
EndLoop
StoreOutput #0.x, 1.0
)");
  const Uniformity u = analyzeUniformity(*f);
  EXPECT_FALSE(u.isUniform(Value{1})); // stored by some lanes only
  EXPECT_FALSE(u.isUniform(Value{2})); // counter of a loop that lanes leave at different times
  EXPECT_TRUE(u.instructions.back()); // all together again
}

TEST(Interpreter, StopsEndlessLoops) {
  auto f = make("shader vertex\nLoop\nEndLoop\n");
  Interpreter interpreter(*f);
  interpreter.setBudget(1000);
  Environment env;
  const RunResult r = interpreter.run(env, 8, 0xFF);
  EXPECT_EQ(r.status, RunStatus::OutOfBudget);
  EXPECT_LE(r.instructions, 1001u);
}

TEST(Interpreter, OnlyMaskedLanesHaveEffects) {
  struct Env : Environment {
    uint8_t mask = 0;
    void storeOutput(Op, uint32_t, uint32_t, const uint32_t*, const uint32_t*, uint8_t m) override { mask |= m; }
  } env;
  auto f = make("shader vertex\noutput 0 x\nStoreOutput #0.x, 1.0\n");
  Interpreter interpreter(*f);
  interpreter.run(env, 8, 0x5A);
  EXPECT_EQ(env.mask, 0x5A);
  env.mask = 0;
  interpreter.run(env, 4, 0xFF);
  EXPECT_EQ(env.mask, 0x0F);
}

} // namespace
