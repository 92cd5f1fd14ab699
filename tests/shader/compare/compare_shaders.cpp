// SPDX-License-Identifier: MIT
// compare_shaders: runs two compiled shaders on the same random inputs and tells where their results differ.
// For looking at what two compilers, or two settings of one, make of a source.
// Exit codes: 0 the same within the tolerance, 1 different, 2 cannot be compared.
#include "../group.h"
#include "dxbc/validate.h"
#include "random_world.h"
#include "translate/translate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace monolith;
using namespace monolith::test;

namespace {

constexpr char kUsage[] = "usage: compare_shaders [--seeds N] [--tolerance X] [--verbose] first.dxbc second.dxbc\n";

struct Options {
  uint32_t seeds = 20;
  double tolerance = 1e-3;
  bool verbose = false;
  std::vector<const char*> files;
};

struct Program {
  dxbc::Shader shader;
  std::unique_ptr<ir::Function> function;
  ConstantTypes types;
};

bool load(const char* path, Program& p) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> raw{std::istreambuf_iterator<char>(in), {}};
  const std::span bytes(reinterpret_cast<const uint8_t*>(raw.data()), raw.size());
  dxbc::Result<dxbc::Shader> shader = dxbc::loadShader(bytes);
  if (!shader) {
    std::fprintf(stderr, "%s: %s\n", path, shader.error().c_str());
    return false;
  }
  p.shader = std::move(*shader);
  translate::Result r = translate::translate(p.shader);
  if (!r) {
    std::fprintf(stderr, "%s: %s\n", path, r.error.c_str());
    return false;
  }
  p.function = std::move(r.function);
  if (const auto container = dxbc::parseContainer(bytes))
    if (const dxbc::Chunk* chunk = container->find(dxbc::kTagRdef))
      if (const auto rdef = dxbc::parseRdef(chunk->data)) p.types = constantTypes(*rdef);
  return true;
}

/// What a run gave, as words with names.
using Words = std::map<std::string, uint32_t>;

std::string label(const dxbc::SignatureElement& e, uint32_t component) {
  std::string s = e.semantic;
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return s + std::to_string(e.semanticIndex) + "." + "xyzw"[component];
}

void addOutputs(const Program& p, const std::string& prefix, unsigned lane, uint32_t stream, const auto& wordAt, Words& to) {
  for (const dxbc::SignatureElement& e : p.shader.outputs.elements)
    for (uint32_t c = 0; c < 4; c++)
      if ((e.mask >> c & 1) && !(e.rwMask >> c & 1) && e.reg != 0xffffffffu && e.stream == stream)
        to[prefix + label(e, c - static_cast<unsigned>(std::countr_zero(e.mask)))] = wordAt(e.reg * 4 + c, lane);
}

std::string run(const Program& p, const RandomWorld& world, Words& to) {
  ShaderState state = world.stateFor(p.shader, *p.function);
  ShaderOutputs out;
  if (p.function->stage == ir::Stage::Compute) {
    const std::string error = runGroups(*p.function, *backends()[0], state, {2, 1, 1});
    if (!error.empty()) return error;
  } else if (const std::string error = backends()[0]->run(*p.function, state, 0xff, out); !error.empty()) {
    return error;
  }
  for (const auto& [slot, uav] : state.uavs) {
    const std::string name = "u" + std::to_string(slot) + "[";
    for (size_t n = 0; n < uav.words.size(); n++) to[name + std::to_string(n) + "]"] = uav.words[n];
    for (size_t n = 0; n < uav.texels.size() * 4; n++) to[name + std::to_string(n / 4) + "]." + "xyzw"[n & 3]] = uav.texels[n / 4][n & 3];
  }
  for (unsigned l = 0; l < kLanes; l++) {
    const std::string lane = "lane " + std::to_string(l) + " ";
    if (out.discarded >> l & 1) {
      to[lane + "discard"] = 1;
      continue;
    }
    if (p.function->depthMode != ir::DepthMode::None) to[lane + "depth"] = out.depth[l];
    if (p.function->writesCoverage) to[lane + "coverage"] = out.coverage[l];
    if (p.function->stage == ir::Stage::Geometry) {
      to[lane + "vertices"] = static_cast<uint32_t>(out.vertices[l].size());
      for (size_t v = 0; v < out.vertices[l].size(); v++)
        addOutputs(p, lane + "vertex " + std::to_string(v) + " ", l, out.vertices[l][v].stream, [&](uint32_t key, unsigned) {
          const auto it = out.vertices[l][v].outputs.find(key);
          return it == out.vertices[l][v].outputs.end() ? 0 : it->second;
        }, to);
      continue;
    }
    addOutputs(p, lane, l, 0, [&](uint32_t key, unsigned n) {
      const auto it = out.outputs.find(key);
      return it == out.outputs.end() ? 0 : it->second[n];
    }, to);
  }
  return {};
}

bool close(uint32_t a, uint32_t b, double tolerance) {
  if (a == b) return true;
  const double x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  // Integers are denormal or huge as floats: a tolerance for those would hide differences.
  if (std::fabs(x) < 1e-30 && std::fabs(y) < 1e-30) return false;
  return std::fabs(x - y) <= tolerance * std::max({1.0, std::fabs(x), std::fabs(y)});
}

int compare(const Options& o, const Program& first, const Program& second) {
  const ConstantTypes& types = first.types.empty() ? second.types : first.types;
  size_t words = 0, different = 0;
  for (uint32_t seed = 1; seed <= o.seeds; seed++) {
    const RandomWorld world(seed, types);
    Words a, b;
    for (const auto& [program, to] : {std::pair{&first, &a}, {&second, &b}})
      if (const std::string error = run(*program, world, *to); !error.empty()) {
        std::fprintf(stderr, "seed %u: %s\n", seed, error.c_str());
        return 2;
      }
    for (const auto& [name, word] : a) {
      const auto it = b.find(name);
      words++;
      if (it != b.end() && close(word, it->second, o.tolerance)) continue;
      different++;
      if (o.verbose || different <= 3)
        std::printf("seed %u %s: %.9g (0x%08x) and %.9g (0x%08x)%s\n", seed, name.c_str(), double(std::bit_cast<float>(word)), word,
                    it == b.end() ? 0.0 : double(std::bit_cast<float>(it->second)), it == b.end() ? 0u : it->second,
                    it == b.end() ? " (missing)" : "");
    }
  }
  std::printf("%zu words compared, %zu differ\n", words, different);
  return words == 0 ? 2 : different ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    const std::string_view a = argv[i];
    if (a == "--seeds" && i + 1 < argc) o.seeds = static_cast<uint32_t>(std::strtoul(argv[++i], nullptr, 10));
    else if (a == "--tolerance" && i + 1 < argc) o.tolerance = std::strtod(argv[++i], nullptr);
    else if (a == "--verbose") o.verbose = true;
    else o.files.push_back(argv[i]);
  }
  if (o.files.size() != 2) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  Program programs[2];
  for (unsigned n = 0; n < 2; n++)
    if (!load(o.files[n], programs[n])) return 2;
  return compare(o, programs[0], programs[1]);
}
