// SPDX-License-Identifier: MIT
// Random programs mean the same at every level of optimisation, with branches and loops or without. Exit code 1 if not.
#include "program_generator.h"

#include "compiler/compile.h"
#include "dxbc/validate.h"
#include "ir/verifier.h"
#include "shader/backend.h"
#include "translate/translate.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

using namespace monolith;
using namespace monolith::test;

namespace {

constexpr char kUsage[] = "usage: test_differential [--first N] [--count N] [--print] [file.hlsl]\n";

struct Setting {
  const char* name;
  uint32_t flags;
  const char* branch;
  const char* loop;
};

/// The first is what the others are measured by: the least that a compiler can do.
constexpr Setting kSettings[] = {
    {"/Od [branch] [loop]", compiler::kSkipOptimization, "[branch]", "[loop]"},
    {"/Od [flatten] [unroll]", compiler::kSkipOptimization, "[flatten]", "[unroll]"},
    {"/O1", 0, "", ""},
    {"/O3 [branch] [loop]", compiler::kOptimizationLevel3, "[branch]", "[loop]"},
    {"/O3 [flatten] [unroll]", compiler::kOptimizationLevel3, "[flatten]", "[unroll]"},
    {"/O3", compiler::kOptimizationLevel3, "", ""},
    {"/O0 /Gfp", compiler::kOptimizationLevel0 | compiler::kPreferFlowControl, "", ""},
};

using Results = std::vector<uint32_t>;

uint32_t mixed(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// Any integers, often small; floats from -16 to 16 without fractions.
uint32_t word(char base, uint32_t key) {
  const uint32_t h = mixed(key * 2654435761u + 17);
  if (base == 'f') return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(h % 33) - 16));
  switch (h >> 28) {
  case 0: return 0x80000000u;
  case 1: return 0xffffffffu;
  case 2:
  case 3: return h;
  default: return base == 'u' ? h % 33 : h % 33 - 16;
  }
}

ShaderState stateFor(const dxbc::Shader& shader, uint32_t round) {
  ShaderState state;
  for (const dxbc::SignatureElement& e : shader.inputs.elements)
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t l = 0; l < kLanes; l++) {
        const char base = e.semantic == "A" ? 'f' : e.semantic == "B" ? 'i' : 'u';
        state.inputs[e.reg * 4 + c][l] = word(base, ((round * 8 + l) * 4 + c) * 128 + static_cast<uint8_t>(e.semantic[0]));
      }
  std::vector<Vec4>& constants = state.constants[0];
  constants.resize(12);
  for (uint32_t n = 0; n < 12; n++)
    for (uint32_t c = 0; c < 4; c++) constants[n][c] = word("fiu"[n / 4], (round * 12 + n) * 4 + c + 7777);
  return state;
}

/// Zeros have no sign here: x * 0 may be 0.
uint32_t plainZero(uint32_t w, const std::string& semantic, uint32_t index) {
  return semantic == "SV_Target" && index == 0 && w == 0x80000000u ? 0 : w;
}

std::string results(const dxbc::Shader& shader, const ir::Function& f, Backend& backend, Results& to) {
  for (uint32_t round = 0; round < 3; round++) {
    ShaderState state = stateFor(shader, round);
    ShaderOutputs out;
    if (const std::string error = backend.run(f, state, 0xff, out); !error.empty()) return error;
    for (const dxbc::SignatureElement& e : shader.outputs.elements)
      for (uint32_t c = 0; c < 4; c++)
        for (uint32_t l = 0; l < kLanes; l++) to.push_back(plainZero(out.outputs[e.reg * 4 + c][l], e.semantic, e.semanticIndex));
  }
  return {};
}

/// Empty if all agree.
std::string check(const std::string& source) {
  Results reference;
  for (const Setting& s : kSettings) {
    compiler::CompileRequest request;
    request.source = source;
    request.target = "ps_5_0";
    request.flags = s.flags;
    request.defines = {{"BRANCH", s.branch}, {"LOOP", s.loop}};
    const compiler::CompileResult r = compiler::compile(request);
    const std::string name = std::string(s.name) + ": ";
    if (!r.ok) return name + r.messages;
    const auto shader = dxbc::loadShader(r.container);
    if (!shader) return name + shader.error();
    for (size_t b = 0; b <= backends().size(); b++) { // the interpreter before and behind the passes, then the others
      translate::Result t = translate::translate(*shader, {b != 0});
      if (!t) return name + t.error;
      if (const std::string error = ir::verify(*t.function); !error.empty()) return name + error;
      Backend& backend = *backends()[b ? b - 1 : 0];
      Results now;
      const std::string error = results(*shader, *t.function, backend, now);
      if (error.substr(0, 4) == "skip") continue;
      if (!error.empty()) return name + backend.name() + ": " + error;
      if (reference.empty()) reference = now;
      for (size_t n = 0; n < now.size(); n++)
        if (now[n] != reference[n]) {
          char text[160];
          std::snprintf(text, sizeof text, "word %zu (round %zu, target %zu.%c, lane %zu) is 0x%08x, not 0x%08x", n, n / 96, n / 32 % 3, "xyzw"[n / 8 % 4], n % 8,
                        now[n], reference[n]);
          return name + backend.name() + (b ? "" : " before passes") + ": " + text;
        }
    }
  }
  return {};
}

} // namespace

int main(int argc, char** argv) {
  uint64_t first = 1, count = 83;
  bool print = false;
  for (int i = 1; i < argc; i++) {
    const std::string_view a = argv[i];
    if (a == "--first" && i + 1 < argc) first = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "--count" && i + 1 < argc) count = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "--print") print = true;
    else if (std::ifstream in(argv[i]); in) {
      const std::string fault = check({std::istreambuf_iterator<char>(in), {}});
      std::printf("%s\n", fault.c_str());
      return fault.empty() ? 0 : 1;
    } else {
      std::fputs(kUsage, stderr);
      return 2;
    }
  }
  uint64_t bad = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    const std::string source = generateProgram(seed);
    if (print) std::fputs(source.c_str(), stdout);
    const std::string fault = check(source);
    if (fault.empty()) continue;
    bad++;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), fault.c_str());
  }
  std::printf("%llu programs, %llu differ\n", static_cast<unsigned long long>(count), static_cast<unsigned long long>(bad));
  return bad ? 1 : 0;
}
