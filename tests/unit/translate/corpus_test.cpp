// SPDX-License-Identifier: MIT
// Every shader of the container collection goes through translation, every pass and the interpreter.
#include "dxbc/validate.h"
#include "ir/passes/pipeline.h"
#include "ir/passes/uniformity.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "random_environment.h"
#include "translate/translate.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace monolith;

namespace {

struct Container {
  std::string name;
  std::vector<uint8_t> bytes;
};

const std::vector<Container>& corpus() {
  static const std::vector<Container> all = [] {
    std::vector<Container> list;
    const std::string shared = MONOLITH_SHARED_DIR;
    if (shared.empty() || !std::filesystem::exists(shared + "/data/dxbc")) return list;
    for (const auto& e : std::filesystem::directory_iterator(shared + "/data/dxbc")) {
      if (e.path().extension() != ".dxbc") continue;
      std::ifstream f(e.path(), std::ios::binary);
      list.push_back({e.path().filename().string(), {std::istreambuf_iterator<char>(f), {}}});
    }
    std::sort(list.begin(), list.end(), [](const Container& a, const Container& b) { return a.name < b.name; });
    return list;
  }();
  return all;
}

bool isLater(const dxbc::Shader& s) { return s.stage == dxbc::ShaderStage::Hull; }

/// Outputs with NaN made equal.
auto outputsOf(const ir::Function& f, uint32_t seed, ir::RunResult& result, uint64_t& effects) {
  ir::Interpreter interpreter(f);
  interpreter.setBudget(200000);
  test::RandomEnvironment env(seed);
  result = interpreter.run(env, 8, 0xFF);
  for (auto& o : env.outputs) o.second = env.canonical(o.second);
  effects = env.effects;
  return env.outputs;
}

TEST(Corpus, EveryShaderTranslatesAndVerifies) {
  if (corpus().empty()) GTEST_SKIP();
  unsigned count = 0;
  for (const Container& c : corpus()) {
    auto shader = dxbc::loadShader(c.bytes, false);
    ASSERT_TRUE(shader.ok()) << c.name << ": " << shader.error();
    if (isLater(*shader)) continue;
    auto r = translate::translate(*shader, {false});
    ASSERT_TRUE(r) << c.name << ": " << r.error;
    ASSERT_EQ(ir::verify(*r.function), "") << c.name;
    for (unsigned p = 0; p < ir::kPassCount; p++) {
      ir::kPasses[p].run(*r.function);
      ASSERT_EQ(ir::verify(*r.function), "") << c.name << " after " << ir::kPasses[p].name << "\n" << ir::print(*r.function);
    }
    ir::analyzeUniformity(*r.function);
    count++;
  }
  EXPECT_GT(count, 600u);
}

TEST(Corpus, PassesKeepTheMeaning) {
  if (corpus().empty()) GTEST_SKIP();
  unsigned compared = 0, stopped = 0;
  for (const Container& c : corpus()) {
    auto shader = dxbc::loadShader(c.bytes, false);
    if (!shader.ok() || isLater(*shader)) continue;
    auto plain = translate::translate(*shader, {false});
    auto optimized = translate::translate(*shader, {true});
    ASSERT_TRUE(plain && optimized) << c.name;
    for (uint32_t seed = 1; seed <= 2; seed++) {
      ir::RunResult a, b;
      uint64_t ea, eb;
      const auto x = outputsOf(*plain.function, seed, a, ea);
      const auto y = outputsOf(*optimized.function, seed, b, eb);
      if (a.status != ir::RunStatus::Done || b.status != ir::RunStatus::Done) {
        stopped++; // a loop whose count came from random words
        continue;
      }
      compared++;
      EXPECT_EQ(x, y) << c.name;
      EXPECT_EQ(a.discarded, b.discarded) << c.name;
      EXPECT_EQ(ea, eb) << c.name;
    }
  }
  EXPECT_GT(compared, 20 * stopped);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("stopped", static_cast<int>(stopped));
}

TEST(Corpus, TextRoundTrip) {
  for (const Container& c : corpus()) {
    auto shader = dxbc::loadShader(c.bytes, false);
    if (!shader.ok() || isLater(*shader)) continue;
    auto r = translate::translate(*shader);
    ASSERT_TRUE(r) << c.name;
    const std::string text = ir::print(*r.function);
    auto back = ir::read(text);
    ASSERT_TRUE(back) << c.name << ": " << back.error;
    EXPECT_EQ(ir::verify(*back.function), "") << c.name;
    EXPECT_EQ(ir::print(*back.function), text) << c.name;
  }
}

TEST(Corpus, TranslationIsFast) {
  if (corpus().empty()) GTEST_SKIP();
  size_t tokens = 0, before = 0, after = 0;
  double seconds = 0;
  for (const Container& c : corpus()) {
    auto shader = dxbc::loadShader(c.bytes, false);
    if (!shader.ok() || isLater(*shader)) continue;
    auto plain = translate::translate(*shader, {false});
    const auto start = std::chrono::steady_clock::now();
    auto r = translate::translate(*shader);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const auto& i : shader->instructions) tokens += i.isDeclaration() ? 0 : 1;
    before += plain.function->instructions.size();
    after += r.function->instructions.size();
  }
  RecordProperty("usPer200", std::to_string(seconds / double(tokens) * 200e6));
  printf("bytecode %zu, ir %zu, after passes %zu instructions; %.1f us per 200 bytecode instructions\n", tokens, before,
         after, seconds / double(tokens) * 200e6);
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(seconds / double(tokens) * 200, 0.005); // the target is 0.2 ms; loaded machines are slower
#endif
}

} // namespace
