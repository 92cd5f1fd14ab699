// SPDX-License-Identifier: MIT
// Pixel kernels alone: a 64x64 tile, full blocks. Figures are cycles per pixel of one core (time stamp counter).
#include "codegen/pixel_routines.h"
#include "formats/reference.h"
#include "ir/builder.h"

#include <benchmark/benchmark.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace mabi = monolith::abi;
namespace mir = monolith::ir;
namespace mstate = monolith::state;
namespace formats = monolith::formats;
using namespace monolith::codegen;
using formats::Format;

namespace {

constexpr int kTile = 64;

enum class Shader { None, Flat, Interpolated, Textured };

std::unique_ptr<Program> program(Shader kind)
{
  static uint64_t id = 1000;
  auto p = std::make_unique<Program>();
  p->id = id++;
  p->stage = Stage::Pixel;
  p->function = std::make_unique<mir::Function>();
  mir::Function& f = *p->function;
  mir::InputDecl in;
  in.reg = 1;
  in.mask = 15;
  in.interpolation = kind == Shader::Flat ? mir::Interpolation::Constant : mir::Interpolation::Linear;
  f.inputs.push_back(in);
  f.outputs.push_back({});
  f.outputs[0].mask = 15;
  mir::Builder b(f);
  mir::Value v[4];
  if (kind == Shader::Textured) {
    f.resources.push_back({});
    f.resources[0].dim = mir::ResourceDim::Texture2D;
    f.samplers.push_back({});
    const mir::Value uv[2] = {b.loadInput(1, 0), b.loadInput(1, 1)};
    const mir::Values r = b.emitResource(mir::Op::Sample, uv, 2, {});
    for (unsigned k = 0; k < 4; k++)
      v[k] = r[k];
    p->resourceCount = p->samplerCount = 1;
  } else {
    for (unsigned k = 0; k < 4; k++)
      v[k] = b.loadInput(1, k);
  }
  for (unsigned k = 0; k < 4; k++)
    b.storeOutput(0, k, v[k]);
  b.finish();
  SignatureElement e;
  e.reg = 1;
  e.mask = e.usedMask = 15;
  p->inputs.push_back(e);
  SignatureElement o;
  o.mask = 15;
  o.system = SystemValue::Target;
  p->outputs.push_back(o);
  return p;
}

struct Setup {
  Shader shader = Shader::None;
  Format color = Format::UNKNOWN, depth = Format::UNKNOWN;
  bool blend = false;
  Format texture = Format::R8G8B8A8_UNORM;
  mstate::SamplerState sampler;
  float texelsPerPixel = 1.0f;
  bool mips = true;
  bool small = false; ///< A call for each block, with few pixels of it covered, as tiny triangles have them.
};

/// Calls the kernel for all of args' blocks, or once for each of `single`.
void measure(benchmark::State& bench, const PixelRoutine& routine, mabi::PixelArgs args, const std::vector<mabi::Block>& single)
{
  // The fastest call counts: the machine may have other work.
  uint64_t best = ~uint64_t(0);
  for (auto _ : bench) {
    const uint64_t start = __rdtsc();
    if (!single.empty()) {
      args.blockCount = 1;
      for (const mabi::Block& b : single) {
        args.blocks = &b;
        routine.entry(&args);
      }
    } else {
      routine.entry(&args);
    }
    best = std::min<uint64_t>(best, __rdtsc() - start);
  }
  if (!single.empty())
    bench.counters["cycles/triangle"] = double(best) / double(single.size());
  else
    bench.counters["cycles/px"] = double(best) / double(kTile * kTile);
}

void run(benchmark::State& bench, const Setup& s)
{
  const auto p = s.shader == Shader::None ? nullptr : program(s.shader);
  PixelRoutines routines(8 << 20);
  mstate::BlendState blend;
  if (s.blend) {
    blend.targets[0].enable = 1;
    blend.targets[0].src = mstate::Blend::SrcAlpha;
    blend.targets[0].dest = mstate::Blend::InvSrcAlpha;
    blend.targets[0].srcAlpha = mstate::Blend::One;
    blend.targets[0].destAlpha = mstate::Blend::InvSrcAlpha;
  }
  mstate::DepthStencilState ds;
  ds.depthFunc = mstate::Comparison::LessEqual;
  PixelState state{};
  state.program = p.get();
  std::memset(static_cast<void*>(&state.linkage), 255, sizeof state.linkage);
  for (int k = 0; k < 4; k++)
    state.linkage.slot[1][k] = uint8_t(8 + k);
  state.blend = &blend;
  state.depthStencil = &ds;
  state.color[0] = s.color;
  state.colorCount = 1;
  state.depth = s.depth;

  constexpr int kSize = 256;
  mabi::TextureView view;
  view.width = view.height = kSize;
  view.depth = view.layers = 1;
  view.mips = s.mips ? 9 : 1;
  view.format = uint8_t(s.texture);
  view.dimension = mabi::ViewDimension::Texture2D;
  uint32_t at = 0;
  const formats::FormatInfo& tf = formats::info(s.texture);
  for (uint32_t m = 0; m < 9; m++) {
    view.mipOffset[m] = at;
    view.rowPitch[m] = uint32_t(formats::rowBytes(tf, kSize >> m) + 63) & ~63u;
    at += view.rowPitch[m] * ((kSize >> m) + 7);
  }
  std::vector<uint8_t> texels(at + 256);
  for (size_t k = 0; k < texels.size(); k++)
    texels[k] = uint8_t(k * 131 >> 3 & 0x3f);
  view.base = texels.data();
  const mabi::TextureView* views[1] = {&view};
  mabi::Sampler dynamic;
  dynamic.maxLod = 1000;
  const mabi::Sampler* samplers[1] = {&dynamic};
  const mstate::SamplerState* fixed[1] = {&s.sampler};
  state.resources = views;
  state.samplers = fixed;
  const auto routine = routines.get(state);
  if (!routine || !routine->entry) {
    bench.SkipWithError("no code");
    return;
  }
  const auto pitch = [](Format f) { return uint32_t(kTile * formats::info(f).bytesPerBlock); };
  std::vector<uint8_t> color(kTile * kTile * 16 + 64), depth(kTile * kTile * 8 + 64);
  mabi::DrawContext draw{};
  draw.color[0].base = color.data();
  draw.color[0].rowPitch = pitch(s.color);
  draw.depth.base = depth.data();
  draw.depth.rowPitch = pitch(s.depth);
  draw.pixel.resources = views;
  draw.pixel.samplers = samplers;
  draw.sampleMask = ~0u;
  for (int k = 0; k < kTile * kTile; k++) {
    formats::Texel one{};
    one.f[0] = 1.0f;
    formats::pack(s.depth, one, depth.data() + k * formats::info(s.depth).bytesPerBlock);
  }
  alignas(32) static float vertices[3][16 * 8];
  for (int v = 0; v < 3; v++)
    for (int c = 0; c < 4; c++)
      vertices[v][(8 + c) * 8] = s.shader == Shader::Textured ? 0.0f : 0.3f + 0.1f * float(v) + 0.05f * float(c);
  if (s.shader == Shader::Textured) {
    vertices[1][8 * 8] = vertices[2][9 * 8] = s.texelsPerPixel * 64 / kSize;
    vertices[0][8 * 8] = 0.001f;
  }
  mabi::PrimitiveRecord prim{};
  prim.l1dx = 1.0f / 64;
  prim.l2dy = 1.0f / 64;
  prim.rw0 = prim.rw1 = prim.rw2 = 1;
  for (int v = 0; v < 3; v++)
    prim.v[v] = vertices[v];
  prim.flat = vertices[0];
  prim.z0 = 0.5f;
  prim.maxDepth = 1;
  std::vector<mabi::Block> blocks;
  for (int y = 0; y < kTile; y += 8)
    for (int x = 0; x < kTile; x += 8) {
      mabi::Block b{};
      b.mask = s.small ? 0x0000000307070602u : ~uint64_t(0);
      b.x = uint16_t(s.small && x < kTile - 8 ? x + 3 : x);
      b.y = uint16_t(s.small && y < kTile - 8 ? y + 5 : y);
      blocks.push_back(b);
    }
  mabi::ThreadContext thread;
  thread.loopBudget = int64_t(1) << 60;
  mabi::PixelArgs args{};
  args.draw = &draw;
  args.primitive = &prim;
  args.blocks = blocks.data();
  args.blockCount = uint32_t(blocks.size());
  args.thread = &thread;
  measure(bench, *routine, args, s.small ? blocks : std::vector<mabi::Block>());
}

mstate::SamplerState sampler(mstate::FilterMode texel, mstate::FilterMode mip)
{
  mstate::SamplerState s;
  s.min = s.mag = texel;
  s.mip = mip;
  s.u = s.v = mstate::AddressMode::Wrap;
  return s;
}

void add(const char* name, const Setup& s)
{
  benchmark::RegisterBenchmark(name, [s](benchmark::State& b) { run(b, s); });
}

const bool g_registered = [] {
  using mstate::FilterMode;
  Setup s;
  s.depth = Format::D32_FLOAT;
  add("pixel/depth_only_d32", s);
  s.depth = Format::D24_UNORM_S8_UINT;
  add("pixel/depth_only_d24s8", s);
  s.depth = Format::D16_UNORM;
  add("pixel/depth_only_d16", s);
  s = Setup();
  s.shader = Shader::Flat;
  s.color = Format::R8G8B8A8_UNORM;
  add("pixel/flat", s);
  s.depth = Format::D32_FLOAT;
  add("pixel/flat_depth", s);
  s = Setup();
  s.shader = Shader::Flat;
  s.color = Format::R8G8B8A8_UNORM;
  s.blend = true;
  add("pixel/alpha_blend_flat", s);
  s.color = Format::R16G16B16A16_FLOAT;
  add("pixel/alpha_blend_flat_rgba16f", s);
  s = Setup();
  s.shader = Shader::Interpolated;
  s.color = Format::R8G8B8A8_UNORM;
  add("pixel/gouraud", s);
  s.small = true;
  s.depth = Format::D32_FLOAT;
  add("pixel/gouraud_depth_small", s);
  s.depth = Format::UNKNOWN;
  s.small = false;
  s.blend = true;
  add("pixel/gouraud_blend", s);
  for (Format f : {Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT, Format::R11G11B10_FLOAT, Format::R10G10B10A2_UNORM,
                   Format::R8G8B8A8_UNORM_SRGB}) {
    s.blend = false;
    s.color = f;
    add((std::string("pixel/gouraud_") + formats::info(f).name).c_str(), s);
  }
  s = Setup();
  s.shader = Shader::Textured;
  s.color = Format::R8G8B8A8_UNORM;
  s.sampler = sampler(FilterMode::Point, FilterMode::Point);
  s.mips = false;
  add("pixel/point_rgba8", s);
  s.sampler = sampler(FilterMode::Linear, FilterMode::Point);
  add("pixel/bilinear_rgba8_one_mip", s);
  s.mips = true;
  add("pixel/bilinear_rgba8", s);
  s.texelsPerPixel = 2.8f;
  s.sampler = sampler(FilterMode::Linear, FilterMode::Linear);
  add("pixel/trilinear_rgba8", s);
  s.sampler.anisotropic = 1;
  s.sampler.maxAnisotropy = 16;
  add("pixel/aniso_rgba8_isotropic", s);
  s.texelsPerPixel = 1.0f;
  s.sampler = sampler(FilterMode::Linear, FilterMode::Point);
  for (Format f : {Format::R8G8B8A8_UNORM_SRGB, Format::R16G16B16A16_FLOAT, Format::BC1_UNORM, Format::BC3_UNORM}) {
    s.texture = f;
    add((std::string("pixel/bilinear_") + formats::info(f).name).c_str(), s);
  }
  return true;
}();

} // namespace

BENCHMARK_MAIN();
