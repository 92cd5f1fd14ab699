// SPDX-License-Identifier: MIT
// Damaged containers: whatever translation accepts must verify and run within its budget; nothing may crash.
#include "dxbc/validate.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "random_environment.h"
#include "translate/translate.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using namespace monolith;

namespace {

/// Also without validation: the translator must not rely on it for its own safety.
void tryShader(const dxbc::Result<dxbc::Shader>& shader, const std::string& name, unsigned& accepted) {
  if (!shader.ok()) return;
  const auto r = translate::translate(*shader);
  if (!r) {
    EXPECT_EQ(r.error.rfind("error: ", 0), 0u) << name;
    return;
  }
  ASSERT_EQ(ir::verify(*r.function), "") << name << "\n" << ir::print(*r.function);
  accepted++;
  ir::Interpreter interpreter(*r.function);
  interpreter.setBudget(20000);
  test::RandomEnvironment env(accepted);
  interpreter.run(env, 8, 0xFF);
}

TEST(Hostile, DamagedContainers) {
  const std::string folder = std::string(MONOLITH_SHARED_DIR) + "/data/dxbc";
  if (!std::filesystem::exists(folder)) GTEST_SKIP();
  std::vector<std::filesystem::path> files;
  for (const auto& e : std::filesystem::directory_iterator(folder))
    if (e.path().extension() == ".dxbc") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  std::mt19937 random(20);
  unsigned accepted = 0, variants = 0;
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.size() > 20000) continue; // small shaders break in as many ways and are faster
    // Damage where the program is: it is the last large chunk.
    for (unsigned v = 0; v < 12; v++) {
      std::vector<uint8_t> damaged = bytes;
      const unsigned flips = 1 + random() % 4;
      for (unsigned n = 0; n < flips; n++)
        damaged[32 + random() % (damaged.size() - 32)] ^= static_cast<uint8_t>(1u << random() % 8);
      variants++;
      tryShader(dxbc::parseShader(damaged, false), path.filename().string(), accepted);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(accepted, variants / 20);
}

TEST(Hostile, DamagedText) {
  const char* const text = R"(shader pixel
input 0 xyzw linear
output 0 xyzw
resource 0 2d float float float float
uav 1 raw
sampler 0 default
array 4 4
variables 3
%0 = LoadInput #0.x
%1 %2 %3 %4 = Sample t0, s0, offset(1 0 0), %0, %0
Loop
  %5 = LoadVar $0
  If %5
    StoreArray x0.y, %5, %0
    Break
  EndIf
  StoreVar $0, 1
  StoreRaw u0, %5, %0
EndLoop
StoreOutput #0.x, %1
)";
  std::mt19937 random(3);
  unsigned accepted = 0;
  for (unsigned v = 0; v < 20000; v++) {
    std::string damaged = text;
    const unsigned changes = 1 + random() % 3;
    for (unsigned n = 0; n < changes; n++) {
      char& c = damaged[random() % damaged.size()];
      c = random() % 2 ? damaged[random() % damaged.size()] : static_cast<char>(32 + random() % 96);
    }
    const auto r = ir::read(damaged);
    if (!r || !ir::verify(*r.function).empty()) continue;
    accepted++;
    ir::Interpreter interpreter(*r.function);
    interpreter.setBudget(1000);
    test::RandomEnvironment env(v);
    interpreter.run(env, 8, 0xFF);
  }
  EXPECT_GT(accepted, 100u);
}

} // namespace
