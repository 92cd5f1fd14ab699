// SPDX-License-Identifier: MIT
#include "codegen/routines.h"

#include "abi/sample_positions.h"
#include "codegen/output_reference.h"
#include "formats/reference.h"
#include "ir/builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace mabi = monolith::abi;
namespace formats = monolith::formats;
using namespace monolith::codegen;
using formats::Format;

namespace {

constexpr int kSize = 32;

struct Target {
  Format format;
  alignas(64) uint8_t memory[kSize * kSize * 16];
  mabi::Surface surface()
  {
    mabi::Surface s;
    s.base = memory;
    s.rowPitch = kSize * formats::info(format).bytesPerBlock;
    return s;
  }
  uint8_t* pixel(int x, int y) { return memory + (y * kSize + x) * formats::info(format).bytesPerBlock; }
};

mabi::PixelArgs makeArgs(const mabi::DrawContext& draw, const mabi::PrimitiveRecord& primitive, const mabi::Block* blocks, uint32_t count,
                         mabi::ThreadContext& thread)
{
  mabi::PixelArgs args{};
  args.draw = &draw;
  args.primitive = &primitive;
  args.blocks = blocks;
  args.blockCount = count;
  args.thread = &thread;
  return args;
}

mabi::PrimitiveRecord plane(float z0, float dzdx, float dzdy)
{
  static const float vertex[8 * 64] = {};
  mabi::PrimitiveRecord p{};
  p.z0 = z0;
  p.dzdx = dzdx;
  p.dzdy = dzdy;
  p.rw0 = p.rw1 = p.rw2 = 1;
  for (const float*& v : p.v)
    v = vertex;
  p.flat = vertex;
  p.maxDepth = 1;
  p.flags = mabi::kFrontFacing;
  return p;
}

} // namespace

/// Generated code, then the interpreter.
class PixelKernel : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Executors, PixelKernel, testing::Bool());

TEST_P(PixelKernel, DepthOnlyEqualsReference)
{
  const bool interpret = GetParam();
  std::mt19937 random(3);
  const auto routines = Routines::create(1 << 20, interpret);
  for (Format format : {Format::D32_FLOAT, Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::D32_FLOAT_S8X24_UINT, Format::D16_UNORM_S8_UINT})
    for (int stencil = 0; stencil < 2; stencil++) {
      monolith::state::DepthStencilState ds;
      ds.stencilEnable = uint8_t(stencil);
      ds.front.pass = monolith::state::StencilOp::Incr;
      ds.front.depthFail = monolith::state::StencilOp::Replace;
      ds.back.pass = monolith::state::StencilOp::Decr;
      PixelState state{};
      state.depthStencil = &ds;
      state.depth = format;
      state.countSamples = true;
      const auto routine = routines->pixel(state);
      ASSERT_TRUE(routine && routine->entry);
      EXPECT_TRUE(routine->earlyDepth && routine->writesDepth && !routine->noEffect);
      EXPECT_EQ(routines->pixel(state), routine);
      Target t{format, {}}, want{format, {}};
      for (int y = 0; y < kSize; y++)
        for (int x = 0; x < kSize; x++) {
          formats::Texel texel{};
          texel.f[0] = float(random() & 255) / 255.0f;
          texel.u[1] = random() & 255;
          formats::pack(format, texel, t.pixel(x, y));
        }
      std::memcpy(want.memory, t.memory, sizeof want.memory);
      uint64_t count = 0, expected = 0;
      mabi::ThreadContext thread;
      thread.occlusion = &count;
      mabi::DrawContext draw{};
      draw.depth = t.surface();
      draw.sampleMask = ~0u;
      draw.stencilRef = 77;
      for (int pass = 0; pass < 40; pass++) {
        mabi::PrimitiveRecord p = plane(float(random() & 1023) / 1024, 0.013f, -0.007f);
        p.x0 = 3.25f;
        p.y0 = 9.5f;
        p.minDepth = 0.1f;
        p.maxDepth = 0.9f;
        p.flags = pass & 1;
        mabi::Block blocks[3];
        for (int k = 0; k < 3; k++) {
          blocks[k].x = uint16_t(8 * (random() % 4));
          blocks[k].y = uint16_t(8 * k);
          blocks[k].mask = k == 0 ? ~uint64_t(0) : (uint64_t(random()) << 32 | random()) & (k == 1 ? ~uint64_t(0) : 0xff00ff0000ull);
        }
        mabi::PixelArgs args = makeArgs(draw, p, blocks, 3, thread);
        args.routine = routine.get();
        routine->entry(&args);
        for (const mabi::Block& b : blocks)
          for (int bit = 0; bit < 64; bit++) {
            if (!(b.mask >> bit & 1))
              continue;
            const int x = b.x + bit % 8, y = b.y + bit / 8;
            const float px = float(x) + 0.5f - p.x0, py = float(y) + 0.5f - p.y0;
            const float z = std::fma(p.dzdy, py, std::fma(p.dzdx, px, p.z0));
            expected += testPixel(ds, format, pass & 1, 77, std::min(std::max(z, p.minDepth), p.maxDepth), want.pixel(x, y));
          }
        ASSERT_EQ(std::memcmp(t.memory, want.memory, sizeof t.memory), 0) << formats::info(format).name << " pass " << pass;
        ASSERT_EQ(count, expected);
      }
    }
}

TEST_P(PixelKernel, SampleMaskAndNothingToDo)
{
  const bool interpret = GetParam();
  const auto routines = Routines::create(1 << 20, interpret);
  PixelState state{};
  EXPECT_TRUE(routines->pixel(state)->noEffect);
  state.depth = Format::D32_FLOAT;
  const auto routine = routines->pixel(state);
  Target t{Format::D32_FLOAT, {}};
  for (int k = 0; k < kSize * kSize; k++)
    reinterpret_cast<float*>(t.memory)[k] = 1.0f;
  mabi::ThreadContext thread;
  mabi::DrawContext draw{};
  draw.depth = t.surface();
  draw.sampleMask = 2; // the only sample is off
  mabi::PrimitiveRecord p = plane(0.5f, 0, 0);
  mabi::Block block{};
  block.mask = ~uint64_t(0);
  block.x = block.y = 8;
  mabi::PixelArgs args = makeArgs(draw, p, &block, 1, thread);
  args.routine = routine.get();
  routine->entry(&args);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(8, 8))[0], 1.0f);
  draw.sampleMask = 1;
  args.routine = routine.get();
  routine->entry(&args);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(8, 8))[0], 0.5f);
  EXPECT_EQ(reinterpret_cast<float*>(t.pixel(7, 8))[0], 1.0f);
}

// ---- shaders

namespace {

namespace mir = monolith::ir;

/// v1: four components, output to o0. `kind` selects what else the shader does.
enum class Kind { Interpolated, Flat, Discards, WritesDepth, Derivative };

std::unique_ptr<Program> makeProgram(Kind kind)
{
  static uint64_t id = 1;
  auto p = std::make_unique<Program>();
  p->id = id++;
  p->stage = Stage::Pixel;
  p->function = std::make_unique<mir::Function>();
  mir::Function& f = *p->function;
  f.stage = mir::Stage::Pixel;
  mir::InputDecl in;
  in.reg = 1;
  in.mask = 15;
  in.interpolation = kind == Kind::Flat ? mir::Interpolation::Constant : mir::Interpolation::Linear;
  f.inputs.push_back(in);
  mir::OutputDecl out;
  out.mask = 15;
  f.outputs.push_back(out);
  mir::Builder b(f);
  mir::Value v[4];
  for (unsigned k = 0; k < 4; k++)
    v[k] = b.loadInput(1, k);
  if (kind == Kind::Discards) {
    b.discardIf(b.emit(mir::Op::FLt, {v[0], b.constantFloat(0.5f)}));
    p->usesDiscard = f.usesDiscard = true;
  }
  if (kind == Kind::WritesDepth) {
    b.emit(mir::Op::StoreDepth, {v[1]});
    p->writesDepth = true;
    f.depthMode = mir::DepthMode::Any;
  }
  if (kind == Kind::Derivative)
    for (unsigned k = 0; k < 2; k++)
      v[k] = b.emit(k ? mir::Op::DerivYCoarse : mir::Op::DerivXCoarse, {v[k]});
  for (unsigned k = 0; k < 4; k++)
    b.storeOutput(0, k, v[k]);
  EXPECT_TRUE(b.finish());
  SignatureElement i;
  i.semantic = "COLOR";
  i.reg = 1;
  i.mask = i.usedMask = 15;
  p->inputs.push_back(i);
  SignatureElement o;
  o.semantic = "SV_TARGET";
  o.mask = 15;
  o.system = SystemValue::Target;
  p->outputs.push_back(o);
  return p;
}

/// The interpolation of abi/pixel_args.h in scalar form.
float attributeAt(const mabi::PrimitiveRecord& p, int slot, float px, float py)
{
  const float l1 = std::fma(p.l1dy, py, p.l1dx * px), l2 = std::fma(p.l2dy, py, p.l2dx * px);
  const float rw = std::fma(l2, p.rw2 - p.rw0, std::fma(l1, p.rw1 - p.rw0, p.rw0));
  const float w = 1.0f / rw;
  const float p1 = l1 * p.rw1 * w, p2 = l2 * p.rw2 * w;
  const float a0 = p.v[0][slot * 8], d1 = p.v[1][slot * 8] - a0, d2 = p.v[2][slot * 8] - a0;
  return std::fma(p2, d2, std::fma(p1, d1, a0));
}

void checkShader(bool interpret, Kind kind, Format color, Format depth, const monolith::state::BlendState& blend)
{
  std::mt19937 random(17);
  const auto program = makeProgram(kind);
  const auto routines = Routines::create(1 << 20, interpret);
  monolith::state::DepthStencilState ds;
  PixelState state{};
  state.program = program.get();
  std::memset(static_cast<void*>(&state.linkage), 255, sizeof state.linkage);
  for (int k = 0; k < 4; k++)
    state.linkage.slot[1][k] = uint8_t(8 + k);
  state.blend = &blend;
  state.depthStencil = &ds;
  state.color[0] = color;
  state.colorCount = 1;
  state.depth = depth;
  state.countSamples = true;
  const auto routine = routines->pixel(state);
  ASSERT_TRUE(routine && routine->entry);
  EXPECT_EQ(routine->earlyDepth, kind != Kind::WritesDepth);
  Target c{color, {}}, wantC{color, {}}, d{depth, {}}, wantD{depth, {}};
  for (int y = 0; y < kSize; y++)
    for (int x = 0; x < kSize; x++) {
      formats::Texel t;
      for (float& f : t.f)
        f = float(random() & 255) / 255.0f;
      formats::pack(color, t, c.pixel(x, y));
      t.f[0] = float(random() & 255) / 255.0f;
      formats::pack(depth, t, d.pixel(x, y));
    }
  std::memcpy(wantC.memory, c.memory, sizeof c.memory);
  std::memcpy(wantD.memory, d.memory, sizeof d.memory);
  uint64_t count = 0, expected = 0;
  mabi::ThreadContext thread;
  thread.occlusion = &count;
  thread.loopBudget = 1 << 20;
  mabi::DrawContext draw{};
  draw.color[0] = c.surface();
  draw.depth = d.surface();
  draw.sampleMask = ~0u;
  for (int k = 0; k < 4; k++)
    draw.blendFactor[k] = 0.2f * float(k);
  alignas(32) float vertices[3][16 * 8] = {};
  for (int pass = 0; pass < 30; pass++) {
    mabi::PrimitiveRecord p = plane(float(random() & 1023) / 1024, 0.013f, -0.007f);
    for (int v = 0; v < 3; v++) {
      for (int s = 8; s < 12; s++)
        vertices[v][s * 8] = float(random() & 1023) / 1023.0f;
      p.v[v] = vertices[v];
    }
    p.flat = vertices[pass % 3];
    p.x0 = 1.75f;
    p.y0 = 2.25f;
    p.l1dx = 0.03f;
    p.l1dy = 0.001f;
    p.l2dx = -0.002f;
    p.l2dy = 0.029f;
    p.rw0 = 1.0f;
    p.rw1 = 0.5f;
    p.rw2 = 0.7f;
    mabi::Block blocks[2] = {};
    blocks[0].x = uint16_t(8 * (random() % 4));
    blocks[0].mask = ~uint64_t(0);
    blocks[1].x = uint16_t(8 * (random() % 4));
    blocks[1].y = 16;
    blocks[1].mask = uint64_t(random()) << 32 | random();
    mabi::PixelArgs args = makeArgs(draw, p, blocks, 2, thread);
    args.routine = routine.get();
    routine->entry(&args);
    for (const mabi::Block& b : blocks)
      for (int bit = 0; bit < 64; bit++) {
        if (!(b.mask >> bit & 1))
          continue;
        const int x = b.x + bit % 8, y = b.y + bit / 8;
        const auto at = [&](int slot, int ax, int ay) {
          return kind == Kind::Flat ? p.flat[slot * 8] : attributeAt(p, slot, float(ax) + 0.5f - p.x0, float(ay) + 0.5f - p.y0);
        };
        formats::Texel src;
        for (int k = 0; k < 4; k++)
          src.f[k] = at(8 + k, x, y);
        if (kind == Kind::Derivative) {
          const int qx = x & ~1, qy = y & ~1;
          src.f[0] = at(8, qx + 1, qy) - at(8, qx, qy);
          src.f[1] = at(9, qx, qy + 1) - at(9, qx, qy);
        }
        if (kind == Kind::Discards && src.f[0] < 0.5f)
          continue;
        float z = std::fma(p.dzdy, float(y) + 0.5f - p.y0, std::fma(p.dzdx, float(x) + 0.5f - p.x0, p.z0));
        if (kind == Kind::WritesDepth)
          z = src.f[1];
        if (!testPixel(ds, depth, true, 0, std::min(std::max(z, p.minDepth), p.maxDepth), wantD.pixel(x, y)))
          continue;
        expected++;
        writePixel(blend.targets[0], color, src, src, draw.blendFactor, wantC.pixel(x, y));
      }
    ASSERT_EQ(std::memcmp(d.memory, wantD.memory, sizeof d.memory), 0) << "depth, kind " << int(kind) << " pass " << pass;
    ASSERT_EQ(std::memcmp(c.memory, wantC.memory, sizeof c.memory), 0) << formats::info(color).name << " kind " << int(kind) << " pass " << pass;
    ASSERT_EQ(count, expected);
  }
}

} // namespace

TEST_P(PixelKernel, ShadersEqualReference)
{
  monolith::state::BlendState opaque, alpha;
  alpha.targets[0].enable = 1;
  alpha.targets[0].src = monolith::state::Blend::SrcAlpha;
  alpha.targets[0].dest = monolith::state::Blend::InvSrcAlpha;
  alpha.targets[0].srcAlpha = monolith::state::Blend::One;
  alpha.targets[0].destAlpha = monolith::state::Blend::InvSrcAlpha;
  for (Kind kind : {Kind::Interpolated, Kind::Flat, Kind::Discards, Kind::WritesDepth, Kind::Derivative})
    for (Format color : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM_SRGB, Format::R16G16B16A16_FLOAT, Format::R32_FLOAT, Format::B5G6R5_UNORM})
      for (Format depth : {Format::D32_FLOAT, Format::D24_UNORM_S8_UINT, Format::D16_UNORM})
        for (const monolith::state::BlendState* blend : {&opaque, &alpha}) {
          checkShader(GetParam(), kind, color, depth, *blend);
          if (HasFatalFailure())
            return;
        }
}

// ---- several samples

namespace {

constexpr int kPlane = kSize * kSize * 8;

struct SampledTarget {
  Format format;
  alignas(64) uint8_t memory[16 * kPlane];
  mabi::Surface surface()
  {
    mabi::Surface s;
    s.base = memory;
    s.rowPitch = kSize * formats::info(format).bytesPerBlock;
    s.samplePitch = kPlane;
    return s;
  }
  uint8_t* pixel(int x, int y, int sample) { return memory + sample * kPlane + (y * kSize + x) * formats::info(format).bytesPerBlock; }
};

void checkSamples(bool interpret, Kind kind, int n, bool alphaToCoverage, bool centred)
{
  static SampledTarget c, d, wantC, wantD;
  std::mt19937 random(23);
  const auto program = makeProgram(kind);
  const auto routines = Routines::create(1 << 20, interpret);
  monolith::state::BlendState blend;
  blend.alphaToCoverage = alphaToCoverage;
  monolith::state::DepthStencilState ds;
  PixelState state{};
  state.program = program.get();
  std::memset(static_cast<void*>(&state.linkage), 255, sizeof state.linkage);
  for (int k = 0; k < 4; k++)
    state.linkage.slot[1][k] = uint8_t(8 + k);
  state.blend = &blend;
  state.depthStencil = &ds;
  c.format = wantC.format = state.color[0] = Format::R8G8B8A8_UNORM;
  d.format = wantD.format = state.depth = Format::D24_UNORM_S8_UINT;
  state.colorCount = 1;
  state.countSamples = true;
  state.sampleCount = uint8_t(n);
  const auto routine = routines->pixel(state);
  ASSERT_TRUE(routine && routine->entry);
  for (int s = 0; s < n; s++)
    for (int y = 0; y < kSize; y++)
      for (int x = 0; x < kSize; x++) {
        formats::Texel t{};
        t.f[0] = float(random() & 255) / 255.0f;
        formats::pack(d.format, t, d.pixel(x, y, s));
        formats::pack(c.format, t, c.pixel(x, y, s));
      }
  std::memcpy(wantC.memory, c.memory, sizeof c.memory);
  std::memcpy(wantD.memory, d.memory, sizeof d.memory);
  uint64_t count = 0, expected = 0;
  mabi::ThreadContext thread;
  thread.occlusion = &count;
  thread.loopBudget = 1 << 20;
  mabi::DrawContext draw{};
  draw.color[0] = c.surface();
  draw.depth = d.surface();
  draw.sampleMask = ~2u;
  draw.sampleCount = uint32_t(n);
  draw.centredSamples = centred;
  const mabi::SamplePosition* positions = mabi::samplePositions(uint32_t(n), centred);
  alignas(32) float vertices[3][16 * 8] = {};
  for (int pass = 0; pass < 10; pass++) {
    mabi::PrimitiveRecord p = plane(float(random() & 1023) / 1024, 0.013f, -0.007f);
    for (int v = 0; v < 3; v++) {
      for (int s = 8; s < 12; s++)
        vertices[v][s * 8] = float(random() & 1023) / 1023.0f;
      p.v[v] = vertices[v];
    }
    p.flat = vertices[0];
    p.l1dx = 0.03f;
    p.l2dy = 0.029f;
    p.rw1 = 0.5f;
    mabi::Block blocks[2] = {};
    uint64_t masks[2 * 16] = {};
    for (int b = 0; b < 2; b++) {
      blocks[b].x = uint16_t(8 * (random() % 4));
      blocks[b].y = uint16_t(16 * b);
      for (int s = 0; s < n; s++) {
        masks[b * n + s] = uint64_t(random()) << 32 | random();
        blocks[b].mask |= masks[b * n + s];
      }
    }
    mabi::PixelArgs args = makeArgs(draw, p, blocks, 2, thread);
    args.sampleMasks = masks;
    args.routine = routine.get();
    routine->entry(&args);
    for (int b = 0; b < 2; b++)
      for (int bit = 0; bit < 64; bit++) {
        const int x = blocks[b].x + bit % 8, y = blocks[b].y + bit / 8;
        const float px = float(x) + 0.5f - p.x0, py = float(y) + 0.5f - p.y0;
        formats::Texel src;
        for (int k = 0; k < 4; k++)
          src.f[k] = attributeAt(p, 8 + k, px, py);
        if (kind == Kind::Derivative)
          for (int k = 0; k < 2; k++) {
            const float ox = float(x & ~1) + 0.5f - p.x0, oy = float(y & ~1) + 0.5f - p.y0;
            src.f[k] = attributeAt(p, 8 + k, ox + (k ? 0.0f : 1.0f), oy + (k ? 1.0f : 0.0f)) - attributeAt(p, 8 + k, ox, oy);
          }
        if (kind == Kind::Discards && src.f[0] < 0.5f)
          continue;
        const float zc = std::fma(p.dzdy, py, std::fma(p.dzdx, px, p.z0));
        for (int s = 0; s < n; s++) {
          if (!(masks[b * n + s] >> bit & 1) || !(draw.sampleMask >> s & 1))
            continue;
          if (alphaToCoverage && !(src.f[3] >= (float(s) + 0.5f) * (1.0f / float(n))))
            continue;
          const float sx = float(positions[s].x) / 16, sy = float(positions[s].y) / 16;
          const float z = kind == Kind::WritesDepth ? src.f[1] : zc + std::fma(p.dzdy, sy, p.dzdx * sx);
          if (!testPixel(ds, d.format, true, 0, std::min(std::max(z, p.minDepth), p.maxDepth), wantD.pixel(x, y, s)))
            continue;
          expected++;
          writePixel(blend.targets[0], c.format, src, src, draw.blendFactor, wantC.pixel(x, y, s));
        }
      }
    ASSERT_EQ(std::memcmp(d.memory, wantD.memory, sizeof d.memory), 0) << "depth, kind " << int(kind) << " samples " << n << " pass " << pass;
    ASSERT_EQ(std::memcmp(c.memory, wantC.memory, sizeof c.memory), 0) << "colour, kind " << int(kind) << " samples " << n << " pass " << pass;
    ASSERT_EQ(count, expected);
  }
}

} // namespace

TEST_P(PixelKernel, SamplesEqualReference)
{
  for (Kind kind : {Kind::Interpolated, Kind::Discards, Kind::WritesDepth, Kind::Derivative})
    for (int n : {2, 4, 8, 16})
      for (bool alphaToCoverage : {false, true}) {
        checkSamples(GetParam(), kind, n, alphaToCoverage, n == 4 && alphaToCoverage);
        if (HasFatalFailure())
          return;
      }
}
