// SPDX-License-Identifier: MIT
// Places at which pixel shader inputs are evaluated (3.5.4, 3.5.5, 16.5), input coverage, forced sample counts, the stencil
// reference output: generated code and interpreter against plain formulas.
#include "codegen/routines.h"

#include "abi/sample_positions.h"
#include "formats/reference.h"
#include "ir/builder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace mabi = monolith::abi;
namespace mir = monolith::ir;
namespace formats = monolith::formats;
using namespace monolith::codegen;
using formats::Format;

namespace {

constexpr int kSize = 16;
constexpr int kPixelBytes = 16, kPlane = kSize * kSize * kPixelBytes;

/// What the shader writes to its four components.
enum class Asks {
  Places,       ///< linear, centroid, sample, no perspective centroid
  Evaluations,  ///< the sample with index v1.w * n, two snapped places, the centroid
  Position,     ///< SV_Position at `mode`
  Coverage,     ///< SV_Coverage, SV_SampleIndex, derivative of the linear input
  Mask,         ///< the linear input; oMask is kMask
};
constexpr uint32_t kMask = 0x2b;

struct Case {
  Asks asks = Asks::Places;
  mir::Interpolation position = mir::Interpolation::LinearNoPerspective;
  unsigned samples = 1, forced = 0;
  bool perSample = false;
  uint32_t sampleMask = ~0u;
  bool centred = false;
};

unsigned rasterSamples(const Case& s) { return s.forced ? s.forced : s.samples; }

std::unique_ptr<Program> makeProgram(const Case& s)
{
  static uint64_t id = 1000000;
  auto p = std::make_unique<Program>();
  p->id = id++;
  p->stage = Stage::Pixel;
  p->function = std::make_unique<mir::Function>();
  mir::Function& f = *p->function;
  f.stage = mir::Stage::Pixel;
  f.perSample = s.perSample;
  const auto input = [&](uint32_t reg, mir::Interpolation mode, mir::SystemValue system = mir::SystemValue::None) {
    mir::InputDecl in;
    in.reg = reg;
    in.mask = 15;
    in.interpolation = mode;
    in.system = system;
    f.inputs.push_back(in);
    SignatureElement e;
    e.semantic = "A";
    e.semanticIndex = reg;
    e.reg = uint8_t(reg);
    e.mask = e.usedMask = 15;
    p->inputs.push_back(e);
  };
  mir::OutputDecl out;
  out.mask = 15;
  f.outputs.push_back(out);
  SignatureElement o;
  o.semantic = "SV_TARGET";
  o.mask = 15;
  o.system = SystemValue::Target;
  p->outputs.push_back(o);
  input(1, mir::Interpolation::Linear);
  input(2, mir::Interpolation::LinearCentroid);
  input(3, s.perSample ? mir::Interpolation::LinearSample : mir::Interpolation::Linear);
  input(4, mir::Interpolation::LinearNoPerspectiveCentroid);
  input(5, s.position, mir::SystemValue::Position);
  mir::Builder b(f);
  mir::Value v[4];
  const auto load = [&](mir::SystemValue value) { return b.emit(mir::Op::LoadSystem, {}, uint32_t(value), 0); };
  switch (s.asks) {
  case Asks::Places:
    for (unsigned k = 0; k < 4; k++)
      v[k] = b.loadInput(k + 1, k);
    break;
  case Asks::Evaluations: {
    const mir::Value index = b.emit(mir::Op::FToU, {b.emit(mir::Op::FMul, {b.loadInput(1, 3), b.constantFloat(float(rasterSamples(s)))})});
    v[0] = b.emit(mir::Op::EvalSample, {index}, 1, 0);
    v[1] = b.emit(mir::Op::EvalSnapped, {b.constant(0x15), b.emit(mir::Op::Not, {index})}, 4, 1);
    v[2] = b.emit(mir::Op::EvalSnapped, {b.constant(0x15), b.emit(mir::Op::Not, {index})}, 3, 2);
    v[3] = b.emit(mir::Op::EvalCentroid, {}, 1, 3);
    break;
  }
  case Asks::Position:
    for (unsigned k = 0; k < 4; k++)
      v[k] = b.loadInput(5, k);
    break;
  case Asks::Mask:
    for (unsigned k = 0; k < 4; k++)
      v[k] = b.loadInput(1, k);
    f.writesCoverage = true;
    b.emit(mir::Op::StoreCoverage, {b.constant(kMask)});
    break;
  case Asks::Coverage:
    v[0] = load(mir::SystemValue::Coverage);
    v[1] = load(mir::SystemValue::SampleIndex);
    v[2] = b.emit(mir::Op::DerivXCoarse, {b.loadInput(1, 2)});
    v[3] = b.loadInput(1, 3);
    break;
  }
  for (unsigned k = 0; k < 4; k++)
    b.storeOutput(0, k, v[k]);
  EXPECT_TRUE(b.finish());
  return p;
}

struct Place {
  float x = 0, y = 0;
};

/// Formulas of the contract (abi/pixel_args.h) and of the specification.
struct Expected {
  const Case& s;
  const mabi::PrimitiveRecord& p;
  const mabi::SamplePosition* positions;
  uint32_t coverage;
  int x, y;

  Place sample(unsigned k) const { return {float(positions[k].x) / 16, float(positions[k].y) / 16}; }
  Place centroid() const
  {
    const uint32_t all = (2u << (rasterSamples(s) - 1)) - 1;
    const uint32_t mask = s.forced ? all : s.sampleMask & all;
    for (uint32_t bits : {coverage & mask, mask}) {
      if (bits == all)
        return {};
      for (unsigned k = 0; k < rasterSamples(s); k++)
        if (bits >> k & 1)
          return sample(k);
    }
    return {};
  }
  float attribute(int reg, int component, Place at, bool perspective = true) const
  {
    const float px = float(x) + 0.5f + at.x - p.x0, py = float(y) + 0.5f + at.y - p.y0;
    const float l1 = std::fma(p.l1dy, py, p.l1dx * px), l2 = std::fma(p.l2dy, py, p.l2dx * px);
    const float rw = std::fma(l2, p.rw2 - p.rw0, std::fma(l1, p.rw1 - p.rw0, p.rw0));
    const float w = 1.0f / rw;
    if (reg == 5)
      return w;
    const float p1 = perspective ? l1 * p.rw1 * w : l1, p2 = perspective ? l2 * p.rw2 * w : l2;
    const int slot = (8 + (reg - 1) * 4 + component) * 8;
    const float a0 = p.v[0][slot];
    return std::fma(p2, p.v[2][slot] - a0, std::fma(p1, p.v[1][slot] - a0, a0));
  }
  void words(unsigned sampleIndex, uint32_t out[4]) const
  {
    float f[4] = {};
    switch (s.asks) {
    case Asks::Places:
      f[0] = attribute(1, 0, {});
      f[1] = attribute(2, 1, centroid());
      f[2] = attribute(3, 2, s.perSample ? sample(sampleIndex) : Place());
      f[3] = attribute(4, 3, centroid(), false);
      break;
    case Asks::Evaluations: {
      const uint32_t index = uint32_t(attribute(1, 3, {}) * float(rasterSamples(s)));
      const Place snapped = {5.0f / 16, float(int32_t(~index << 28) >> 28) / 16};
      f[0] = attribute(1, 0, index < rasterSamples(s) ? sample(index) : Place());
      f[1] = attribute(4, 1, snapped, false);
      f[2] = attribute(3, 2, snapped);
      f[3] = attribute(1, 3, centroid());
      break;
    }
    case Asks::Position: {
      Place at;
      if (s.position == mir::Interpolation::LinearNoPerspectiveCentroid)
        at = centroid();
      if (s.position == mir::Interpolation::LinearNoPerspectiveSample)
        at = sample(sampleIndex);
      f[0] = float(x) + 0.5f + at.x;
      f[1] = float(y) + 0.5f + at.y;
      f[2] = std::fma(p.dzdy, float(y) + 0.5f - p.y0, std::fma(p.dzdx, float(x) + 0.5f - p.x0, p.z0)) +
             std::fma(p.dzdy, at.y, p.dzdx * at.x);
      f[3] = attribute(5, 3, at);
      break;
    }
    case Asks::Mask:
      for (int k = 0; k < 4; k++)
        f[k] = attribute(1, k, {});
      break;
    case Asks::Coverage: break;
    }
    std::memcpy(out, f, sizeof f);
    if (s.asks == Asks::Coverage) {
      Expected left = *this, right = *this;
      left.x = x & ~1;
      left.y = right.y = y & ~1;
      right.x = left.x + 1;
      out[0] = s.forced ? coverage : coverage & s.sampleMask;
      out[1] = sampleIndex;
      out[2] = std::bit_cast<uint32_t>(right.attribute(1, 2, {}) - left.attribute(1, 2, {}));
      out[3] = std::bit_cast<uint32_t>(attribute(1, 3, {}));
    }
  }
};

void check(const Case& s, bool interpret)
{
  alignas(64) static uint8_t memory[16 * kPlane], want[16 * kPlane];
  const auto program = makeProgram(s);
  const auto routines = Routines::create(1 << 20, interpret);
  monolith::state::BlendState blend;
  monolith::state::DepthStencilState ds;
  PixelState state{};
  state.program = program.get();
  std::memset(static_cast<void*>(&state.linkage), 255, sizeof state.linkage);
  for (int reg = 1; reg < 5; reg++)
    for (int k = 0; k < 4; k++)
      state.linkage.slot[reg][k] = uint8_t(8 + (reg - 1) * 4 + k);
  state.blend = &blend;
  state.depthStencil = &ds;
  state.color[0] = Format::R32G32B32A32_UINT;
  state.colorCount = 1;
  state.countSamples = true;
  state.sampleCount = uint8_t(s.samples);
  state.forcedSampleCount = uint8_t(s.forced);
  const auto routine = routines->pixel(state);
  ASSERT_TRUE(routine && routine->entry);
  std::mt19937 random(7);
  std::memset(memory, 0, sizeof memory);
  std::memset(want, 0, sizeof want);
  mabi::DrawContext draw{};
  draw.color[0].base = memory;
  draw.color[0].rowPitch = kSize * kPixelBytes;
  draw.color[0].samplePitch = s.samples > 1 ? kPlane : 0;
  draw.sampleMask = s.sampleMask;
  draw.sampleCount = rasterSamples(s);
  draw.centredSamples = s.centred;
  uint64_t count = 0, expectedCount = 0;
  mabi::ThreadContext thread;
  thread.occlusion = &count;
  thread.loopBudget = 1 << 20;
  alignas(32) float vertices[3][24 * 8] = {};
  const unsigned n = rasterSamples(s);
  for (int pass = 0; pass < 6; pass++) {
    mabi::PrimitiveRecord p{};
    p.x0 = 1.75f, p.y0 = 2.25f;
    p.l1dx = 0.03f, p.l1dy = 0.001f, p.l2dx = -0.002f, p.l2dy = 0.029f;
    p.rw0 = 1.0f, p.rw1 = 0.5f, p.rw2 = 0.7f;
    p.z0 = 0.25f, p.dzdx = 0.013f, p.dzdy = -0.007f;
    p.maxDepth = 1;
    for (int v = 0; v < 3; v++) {
      for (int slot = 8; slot < 24; slot++)
        vertices[v][slot * 8] = float(random() & 1023) / 1023.0f;
      p.v[v] = vertices[v];
    }
    p.flat = vertices[0];
    mabi::Block block{};
    block.x = uint16_t(8 * (random() & 1));
    block.y = uint16_t(8 * (random() & 1));
    uint64_t masks[16] = {};
    for (unsigned k = 0; k < n; k++) {
      masks[k] = uint64_t(random()) << 32 | random();
      masks[k] |= 0xff; // the first row is fully covered
      block.mask |= masks[k];
    }
    mabi::PixelArgs args{};
    args.draw = &draw;
    args.primitive = &p;
    args.blocks = &block;
    args.blockCount = 1;
    args.thread = &thread;
    args.sampleMasks = n > 1 ? masks : nullptr;
    args.routine = routine.get();
    routine->entry(&args);
    const mabi::SamplePosition* positions = mabi::samplePositions(n, s.centred);
    for (int bit = 0; bit < 64; bit++) {
      uint32_t coverage = 0;
      for (unsigned k = 0; k < n; k++)
        coverage |= uint32_t(masks[k] >> bit & 1) << k;
      if (!coverage)
        continue;
      const Expected e{s, p, positions, coverage, block.x + bit % 8, block.y + bit / 8};
      bool any = false;
      for (unsigned k = 0; k < s.samples; k++) {
        if (!(s.sampleMask >> k & 1) || !(s.forced || (coverage >> k & 1)))
          continue;
        if (s.asks == Asks::Mask && !(kMask >> k & 1))
          continue;
        any = true;
        expectedCount += s.forced ? 0 : 1;
        e.words(s.perSample ? k : 0, reinterpret_cast<uint32_t*>(want + k * kPlane + (e.y * kSize + e.x) * kPixelBytes));
      }
      expectedCount += any && s.forced ? unsigned(std::popcount(coverage)) : 0;
    }
    for (size_t at = 0; at < sizeof want; at += 4)
      ASSERT_EQ(std::memcmp(memory + at, want + at, 4), 0)
          << "asks " << int(s.asks) << " samples " << s.samples << " forced " << s.forced << " per sample " << s.perSample << " mask "
          << s.sampleMask << " pass " << pass << " sample " << at / kPlane << " x " << at % kPlane / 16 % kSize << " y "
          << at % kPlane / 16 / kSize << " component " << at / 4 % 4;
    ASSERT_EQ(count, expectedCount);
  }
}

/// Generated code, then the interpreter.
class PixelPlaces : public testing::TestWithParam<bool> {
protected:
  void checkAll(Case s)
  {
    for (unsigned samples : {1u, 2u, 4u, 8u, 16u})
      for (uint32_t mask : {~0u, 0xfffffffdu, 0x15u})
        for (int perSample = 0; perSample < (samples > 1 ? 2 : 1); perSample++) {
          s.samples = samples;
          s.sampleMask = mask;
          s.perSample = perSample;
          check(s, GetParam());
          if (HasFatalFailure())
            return;
        }
  }
  void checkForced(Case s)
  {
    for (unsigned forced : {1u, 4u, 8u, 16u})
      for (uint32_t mask : {~0u, 1u}) {
        s.forced = forced;
        s.sampleMask = mask;
        for (unsigned samples : {1u, 4u}) {
          if (forced > 1 && samples > 1)
            continue;
          s.samples = samples;
          check(s, GetParam());
          if (HasFatalFailure())
            return;
        }
      }
  }
};
INSTANTIATE_TEST_SUITE_P(Executors, PixelPlaces, testing::Bool());

} // namespace

TEST_P(PixelPlaces, InputsAtCentreCentroidAndSample)
{
  checkAll({Asks::Places});
  checkForced({Asks::Places});
  Case centred{Asks::Places};
  centred.samples = 4;
  centred.centred = true;
  check(centred, GetParam());
}

TEST_P(PixelPlaces, EvaluationsAtNamedPlaces)
{
  checkAll({Asks::Evaluations});
  checkForced({Asks::Evaluations});
}

TEST_P(PixelPlaces, PositionFollowsItsInterpolationMode)
{
  checkAll({Asks::Position});
  checkForced({Asks::Position});
  checkAll({Asks::Position, mir::Interpolation::LinearNoPerspectiveCentroid});
  for (unsigned samples : {2u, 4u, 8u, 16u}) {
    Case s{Asks::Position, mir::Interpolation::LinearNoPerspectiveSample};
    s.samples = samples;
    s.perSample = true;
    check(s, GetParam());
  }
}

TEST_P(PixelPlaces, CoverageAndSampleIndex)
{
  checkAll({Asks::Coverage});
  checkForced({Asks::Coverage});
}

/// Sample n is masked by bit n at either frequency (16.9.4).
TEST_P(PixelPlaces, OutputMask)
{
  checkAll({Asks::Mask});
  checkForced({Asks::Mask});
}
