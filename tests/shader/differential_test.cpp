// SPDX-License-Identifier: MIT
// Random programs mean the same whatever the compiler is told: optimised or not, unrolled or looped, branched or flattened.
// MONOLITH_DIFFERENTIAL=FIRST,COUNT runs other seeds than the fixed ones.
#include "backend.h"
#include "compiler/compile.h"
#include "dxbc/validate.h"
#include "random_program.h"
#include "translate/translate.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace monolith::test {

namespace {

struct Setting {
  const char* name;
  uint32_t flags;
  Attributes attributes;
};
const Setting kSettings[] = {
    {"O3", compiler::kOptimizationLevel3, {}},
    {"Od", compiler::kSkipOptimization, {}},
    {"O0", compiler::kOptimizationLevel0, {}},
    {"loops", 0, {"[loop] ", "[loop] ", "", ""}},
    {"unrolled", 0, {"[unroll] ", "", "", ""}},
    {"branches", 0, {"", "", "[branch] ", "[branch] "}},
    {"flat", 0, {"", "", "[flatten] ", "[flatten] "}},
    {"all flow", compiler::kPreferFlowControl, {"[loop] ", "", "[branch] ", ""}},
};

std::unique_ptr<ir::Function> build(const std::string& text, uint32_t flags, std::string& error) {
  compiler::CompileRequest request;
  request.source = text;
  request.target = "ps_5_0";
  request.flags = flags | compiler::kIeeeStrictness; // what may round differently otherwise: products that go into sums
  const compiler::CompileResult compiled = compiler::compile(request);
  if (!compiled.ok) {
    error = compiled.messages;
    return nullptr;
  }
  const auto shader = dxbc::loadShader(compiled.container);
  if (!shader) {
    error = shader.error();
    return nullptr;
  }
  translate::Result r = translate::translate(*shader);
  error = r.error;
  return std::move(r.function);
}

uint32_t mixed(uint32_t n) {
  n = (n ^ 61) ^ (n >> 16);
  n *= 9;
  n ^= n >> 4;
  n *= 0x27d4eb2d;
  return n ^ (n >> 15);
}

ShaderState inputs() {
  ShaderState s;
  for (uint32_t key = 0; key < 12; key++)
    for (unsigned l = 0; l < kLanes; l++) {
      const uint32_t m = mixed(key * 8 + l);
      const float f = float(int(m % 61) - 30) * 0.25f;
      s.inputs[key][l] = key < 4 ? uint32_t(int(m % 15) - 5) : key < 8 ? m % 19 : std::bit_cast<uint32_t>(f);
    }
  auto& rows = s.constants[0];
  for (uint32_t r = 0; r < 16; r++) {
    Vec4 v;
    for (uint32_t c = 0; c < 4; c++) {
      const uint32_t m = mixed(1000 + r * 4 + c);
      v[c] = r < 8 ? uint32_t(int(m % 21) - 10) : std::bit_cast<uint32_t>(float(int(m % 41) - 20) * 0.5f);
    }
    rows.push_back(v);
  }
  return s;
}

bool same(uint32_t a, uint32_t b) {
  const auto isNan = [](uint32_t w) { return (w & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (isNan(a) && isNan(b));
}

/// Empty if all settings agree.
std::string differences(uint64_t seed) {
  const RandomProgram program(seed);
  std::map<uint32_t, LaneArray> reference;
  for (const Setting& s : kSettings) {
    const std::string text = program.text(s.attributes);
    std::string error;
    const auto f = build(text, s.flags, error);
    if (!f) return std::string(s.name) + ": " + error + text;
    ShaderState state = inputs();
    ShaderOutputs out;
    error = backends()[0]->run(*f, state, 0xff, out);
    if (!error.empty()) return std::string(s.name) + ": " + error + text;
    if (&s == kSettings) {
      reference = out.outputs;
      continue;
    }
    for (const auto& [key, lanes] : reference)
      for (unsigned l = 0; l < kLanes; l++)
        if (!same(lanes[l], out.outputs[key][l])) {
          char where[160];
          snprintf(where, sizeof where, "%s and %s differ: target %u.%c lane %u is %08x and %08x\n", kSettings[0].name, s.name, key / 4, "xyzw"[key & 3], l, lanes[l],
                   out.outputs[key][l]);
          return where + text;
        }
  }
  return {};
}

} // namespace

TEST(Differential, SettingsDoNotChangeTheMeaning) {
  uint64_t first = 1, count = 60;
  if (const char* range = std::getenv("MONOLITH_DIFFERENTIAL")) {
    char* end = nullptr;
    first = std::strtoull(range, &end, 10);
    if (*end == ',') count = std::strtoull(end + 1, nullptr, 10);
  }
  unsigned failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < 3; seed++) {
    const std::string d = differences(seed);
    failures += !d.empty();
    EXPECT_EQ(d, "") << "seed " << seed;
  }
}

} // namespace monolith::test
