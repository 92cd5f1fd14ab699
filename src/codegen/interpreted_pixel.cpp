// SPDX-License-Identifier: MIT
#include "codegen/interpreted_pixel.h"

#include "abi/sample_positions.h"
#include "codegen/output_reference.h"
#include "codegen/shader_analysis.h"
#include "ir/float_env.h"
#include "ir/function.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::codegen {

namespace {

constexpr unsigned kLanes = ir::kMaxLanes;

/// Pixel of a lane in its 4x2 step: lanes are two quads side by side.
constexpr unsigned laneX(unsigned lane) { return (lane & 1) + (lane >> 2) * 2; }
constexpr unsigned laneY(unsigned lane) { return lane >> 1 & 1; }

struct Offset {
  float x = 0, y = 0;
};

float minSecond(float a, float b) { return a < b ? a : b; }
float maxSecond(float a, float b) { return a > b ? a : b; }

float saturate(float v) { return minSecond(maxSecond(v, 0.0f), 1.0f); }

/// The interpolation formulas of abi/pixel_args.h for one place.
struct Weights {
  float l1, l2, p1, p2, w;
  Weights(const abi::PrimitiveRecord& p, bool smoothLine, float x, float y)
  {
    const float px = x - p.x0, py = y - p.y0;
    l1 = std::fma(p.l1dy, py, p.l1dx * px);
    l2 = std::fma(p.l2dy, py, p.l2dx * px);
    if (smoothLine) {
      l1 = saturate(l1);
      l2 = 0;
    }
    const float rw = std::fma(l2, p.rw2 - p.rw0, std::fma(l1, p.rw1 - p.rw0, p.rw0));
    w = 1.0f / rw;
    p1 = l1 * p.rw1 * w;
    p2 = l2 * p.rw2 * w;
  }
};

float squaredLength(const abi::PrimitiveRecord& p) { return 1.0f / std::fma(p.l1dx, p.l1dx, p.l1dy * p.l1dy); }

/// As Interpolator::lineCoverage() has it.
float lineCoverage(const abi::PrimitiveRecord& p, float x, float y)
{
  const float px = x - p.x0, py = y - p.y0, length = std::sqrt(squaredLength(p));
  const float along = std::fma(p.l1dy, py, p.l1dx * px) * length, across = std::fma(p.l2dy, py, p.l2dx * px);
  return saturate(1.0f - std::fabs(across)) * (saturate(along + 0.5f) - saturate(along - length + 0.5f));
}

} // namespace

/// One call of the kernel. The bits of a mask of lanes stand for the pixels of the present step.
class PixelBlocks final : public BoundEnvironment {
public:
  PixelBlocks(const InterpretedPixel& routine, const abi::PixelArgs& args)
      : BoundEnvironment(args.draw->pixel, routine.m_d.samplers, QuadShape::Squares, routine.m_d.sampleCount), m_r(routine),
        m_d(routine.m_d), m_args(args), m_draw(*args.draw), m_p(*args.primitive)
  {
    m_enabled = m_draw.sampleMask & ((2u << (m_d.sampleCount - 1)) - 1);
    m_positions = abi::samplePositions(m_d.rasterSamples, m_draw.centredSamples != 0);
  }

  void run();

  void loadInput(uint32_t reg, uint32_t component, ir::LaneWords out) override;
  void loadSystem(ir::SystemValue value, uint32_t component, ir::LaneWords out) override;
  void evalInput(ir::Op op, uint32_t reg, uint32_t component, ir::ConstLaneWords a, ir::ConstLaneWords b,
                 ir::LaneWords out) override;
  void storeOutput(ir::Op op, uint32_t reg, uint32_t component, ir::ConstLaneWords value, ir::ConstLaneWords index,
                   uint8_t mask) override;

private:
  bool runStep(uint32_t block, unsigned x, unsigned y);
  bool runSamples(unsigned begin, unsigned end);
  bool shade(uint8_t mask, uint8_t& killed);
  bool testDepth(unsigned lane, unsigned sample, bool store);
  uint8_t testLanes(uint8_t lanes, unsigned sample, bool store);
  bool survives(unsigned lane, unsigned sample) const;
  void storeColors(unsigned lane, unsigned sample);
  void count(uint8_t live);

  float centreX(unsigned lane) const { return float(m_x + laneX(lane)) + 0.5f; }
  float centreY(unsigned lane) const { return float(m_y + laneY(lane)) + 0.5f; }
  float centreDepth(unsigned lane) const;
  float depthAt(unsigned lane, Offset o) const { return centreDepth(lane) + std::fma(m_p.dzdy, o.y, m_p.dzdx * o.x); }
  Offset sampleOffset(unsigned sample) const;
  Offset centroid(unsigned lane) const;
  Offset placeOf(Place place, unsigned lane) const;
  uint32_t evaluate(const AttributeSource& source, unsigned lane, Offset o) const;
  uint8_t* pixel(const abi::Surface& surface, formats::Format format, unsigned lane, unsigned sample) const;

  const InterpretedPixel& m_r;
  const PixelDescription& m_d;
  const abi::PixelArgs& m_args;
  const abi::DrawContext& m_draw;
  const abi::PrimitiveRecord& m_p;
  uint32_t m_enabled; ///< Bits of the samples of the targets that the sample mask lets through.
  const abi::SamplePosition* m_positions;
  std::optional<InterpreterPool::Loan> m_interpreter;
  uint64_t m_counted = 0;

  // The step.
  uint32_t m_block = 0;
  unsigned m_x = 0, m_y = 0;
  uint32_t m_coverage[kLanes]; ///< Bits of the rasterizer's samples (without the sample mask).
  uint8_t m_covered[abi::kMaxSamples]; ///< Lanes by sample of the targets (with the sample mask).
  unsigned m_sample = 0;
  uint32_t m_colors[8][4][kLanes];
  float m_depths[kLanes];
  uint32_t m_coverageOut[kLanes];
  uint32_t m_stencilRefs[kLanes];
};

// ---- places

float PixelBlocks::centreDepth(unsigned lane) const
{
  if (m_d.smoothLines) {
    const float along = std::fma(m_p.l1dy, centreY(lane) - m_p.y0, m_p.l1dx * (centreX(lane) - m_p.x0));
    return std::fma(saturate(along), std::fma(m_p.dzdx, m_p.l1dx, m_p.dzdy * m_p.l1dy) * squaredLength(m_p), m_p.z0);
  }
  return std::fma(m_p.dzdy, centreY(lane) - m_p.y0, std::fma(m_p.dzdx, centreX(lane) - m_p.x0, m_p.z0));
}

Offset PixelBlocks::sampleOffset(unsigned sample) const
{
  if (!m_positions || sample >= m_d.rasterSamples)
    return {};
  return {float(m_positions[sample].x) / 16.0f, float(m_positions[sample].y) / 16.0f};
}

/// 3.5.5.
Offset PixelBlocks::centroid(unsigned lane) const
{
  const uint32_t all = (2u << (m_d.rasterSamples - 1)) - 1;
  const uint32_t mask = m_d.forcedSamples ? all : m_draw.sampleMask & all;
  uint32_t covered = m_coverage[lane] & mask;
  if (covered == 0)
    covered = mask;
  return covered == all || covered == 0 ? Offset() : sampleOffset(unsigned(std::countr_zero(covered)));
}

Offset PixelBlocks::placeOf(Place place, unsigned lane) const
{
  switch (place) {
  case Place::Centre: break;
  case Place::Centroid: return centroid(lane);
  case Place::Sample: return m_r.m_perSample ? sampleOffset(m_sample) : Offset();
  }
  return {};
}

uint32_t PixelBlocks::evaluate(const AttributeSource& s, unsigned lane, Offset o) const
{
  using Kind = AttributeSource::Kind;
  if (s.kind == Kind::Zero || s.kind == Kind::Position)
    return 0;
  const size_t at = size_t(s.slot) * kLanes;
  if (s.kind == Kind::Constant)
    return std::bit_cast<uint32_t>(m_p.flat[at]);
  const Weights w(m_p, m_d.smoothLines, centreX(lane) + o.x, centreY(lane) + o.y);
  const bool linear = s.kind == Kind::Linear;
  const float a0 = m_p.v[0][at], d1 = m_p.v[1][at] - a0, d2 = m_p.v[2][at] - a0;
  return std::bit_cast<uint32_t>(std::fma(linear ? w.l2 : w.p2, d2, std::fma(linear ? w.l1 : w.p1, d1, a0)));
}

// ---- what the shader asks for

void PixelBlocks::loadInput(uint32_t reg, uint32_t component, ir::LaneWords out)
{
  const AttributeSource source = reg < 32 && component < 4 ? m_r.m_sources[reg][component] : AttributeSource();
  if (source.kind == AttributeSource::Kind::Position) {
    loadSystem(ir::SystemValue::Position, component, out);
    return;
  }
  for (unsigned l = 0; l < kLanes; l++)
    out[l] = evaluate(source, l, placeOf(source.place, l));
}

void PixelBlocks::evalInput(ir::Op op, uint32_t reg, uint32_t component, ir::ConstLaneWords a, ir::ConstLaneWords b,
                            ir::LaneWords out)
{
  const AttributeSource source = reg < 32 && component < 4 ? m_r.m_sources[reg][component] : AttributeSource();
  for (unsigned l = 0; l < kLanes; l++) {
    Offset o;
    if (op == ir::Op::EvalCentroid)
      o = centroid(l);
    else if (op == ir::Op::EvalSample)
      o = sampleOffset(a[l]);
    else
      o = {float(snappedOffset(a[l])) / 16.0f, float(snappedOffset(b[l])) / 16.0f};
    out[l] = evaluate(source, l, o);
  }
}

void PixelBlocks::loadSystem(ir::SystemValue value, uint32_t component, ir::LaneWords out)
{
  const uint32_t all = (2u << (m_d.rasterSamples - 1)) - 1;
  for (unsigned l = 0; l < kLanes; l++)
    switch (value) {
    case ir::SystemValue::Position: {
      const Offset o = placeOf(m_r.m_position, l);
      const float x = centreX(l) + o.x, y = centreY(l) + o.y;
      const float v = component == 0   ? x
                      : component == 1 ? y
                      : component == 2 ? (m_r.m_position == Place::Centre ? centreDepth(l) : depthAt(l, o))
                                       : Weights(m_p, m_d.smoothLines, x, y).w;
      out[l] = std::bit_cast<uint32_t>(v);
      break;
    }
    case ir::SystemValue::IsFrontFace: out[l] = m_p.flags & abi::kFrontFacing ? ~0u : 0u; break;
    case ir::SystemValue::PrimitiveId: out[l] = m_p.primitiveId; break;
    case ir::SystemValue::Coverage: out[l] = m_coverage[l] & (m_d.forcedSamples ? all : m_draw.sampleMask); break;
    case ir::SystemValue::SampleIndex: out[l] = m_sample; break;
    case ir::SystemValue::InnerCoverage:
      out[l] = m_args.innerMasks ? uint32_t(m_args.innerMasks[m_block] >> ((m_y + laneY(l)) % 8 * 8 + (m_x + laneX(l)) % 8) & 1) : 0;
      break;
    default: out[l] = 0; break;
    }
}

void PixelBlocks::storeOutput(ir::Op op, uint32_t reg, uint32_t component, ir::ConstLaneWords value, ir::ConstLaneWords,
                              uint8_t mask)
{
  for (unsigned l = 0; l < kLanes; l++) {
    if (!(mask >> l & 1))
      continue;
    switch (op) {
    case ir::Op::StoreOutput:
      if (reg < 8 && component < 4)
        m_colors[reg][component][l] = value[l];
      break;
    case ir::Op::StoreDepth: m_depths[l] = std::bit_cast<float>(value[l]); break;
    case ir::Op::StoreCoverage: m_coverageOut[l] = value[l]; break;
    case ir::Op::StoreStencilRef: m_stencilRefs[l] = value[l]; break;
    default: break;
    }
  }
}

// ---- one step

uint8_t* PixelBlocks::pixel(const abi::Surface& surface, formats::Format format, unsigned lane, unsigned sample) const
{
  return surface.base + size_t(sample) * surface.samplePitch + size_t(m_y + laneY(lane)) * surface.rowPitch +
         size_t(m_x + laneX(lane)) * formats::info(format).bytesPerBlock;
}

bool PixelBlocks::testDepth(unsigned lane, unsigned sample, bool store)
{
  float z;
  if (m_r.m_order == DepthOrder::Late && m_d.program->writesDepth)
    z = m_depths[lane];
  else
    z = m_d.sampleCount > 1 && !m_d.forcedSamples ? depthAt(lane, sampleOffset(sample)) : centreDepth(lane);
  z = minSecond(maxSecond(z, m_p.minDepth), m_p.maxDepth);
  const uint32_t reference = m_r.m_order == DepthOrder::Late && writesStencil(m_d) ? m_stencilRefs[lane] : m_draw.stencilRef;
  uint8_t* at = pixel(m_draw.depth, m_d.depth, lane, sample);
  uint8_t copy[8];
  if (!store) {
    std::memcpy(copy, at, formats::info(m_d.depth).bytesPerBlock);
    at = copy;
  }
  return testPixel(m_d.depthStencil, m_d.depth, m_p.flags & abi::kFrontFacing, uint8_t(reference), z, at);
}

uint8_t PixelBlocks::testLanes(uint8_t lanes, unsigned sample, bool store)
{
  unsigned passed = 0;
  for (unsigned l = 0; l < kLanes; l++)
    if ((lanes >> l & 1) && testDepth(l, sample, store))
      passed |= 1u << l;
  return uint8_t(passed);
}

/// Coverage output and alpha-to-coverage (16.9.4, 17.18).
bool PixelBlocks::survives(unsigned lane, unsigned sample) const
{
  if (!m_d.program)
    return true;
  if (m_d.program->function->writesCoverage)
    return m_coverageOut[lane] >> sample & 1;
  if (!m_d.alphaToCoverage)
    return true;
  const float threshold = (float(sample) + 0.5f) * (1.0f / float(m_d.sampleCount));
  return std::bit_cast<float>(m_colors[0][3][lane]) >= threshold;
}

void PixelBlocks::storeColors(unsigned lane, unsigned sample)
{
  formats::Texel second;
  for (unsigned c = 0; c < 4; c++)
    second.u[c] = m_colors[1][c][lane];
  for (unsigned k = 0; k < m_d.colorCount; k++) {
    if (m_d.color[k] == formats::Format::UNKNOWN)
      continue;
    formats::Texel value;
    for (unsigned c = 0; c < 4; c++)
      value.u[c] = m_colors[k][c][lane];
    writePixel(m_d.blend[k], m_d.color[k], value, second, m_draw.blendFactor, pixel(m_draw.color[k], m_d.color[k], lane, sample));
  }
}

/// With a forced sample count the rasterizer's samples count, whatever the targets have (20.4.6).
void PixelBlocks::count(uint8_t live)
{
  if (!m_d.forcedSamples) {
    m_counted += unsigned(std::popcount(live));
    return;
  }
  for (unsigned l = 0; l < kLanes; l++)
    if (live >> l & 1)
      m_counted += unsigned(std::popcount(m_coverage[l]));
}

bool PixelBlocks::shade(uint8_t mask, uint8_t& killed)
{
  std::memset(m_colors, 0, sizeof m_colors);
  std::memset(m_depths, 0, sizeof m_depths);
  std::memset(m_coverageOut, 0xff, sizeof m_coverageOut);
  std::memset(m_stencilRefs, 0, sizeof m_stencilRefs);
  ir::RunResult result;
  if (!m_interpreter->run(*this, m_r.m_needsQuads ? 0xff : mask, *m_args.thread, result))
    return false;
  killed = result.discarded;
  for (unsigned l = 0; m_d.smoothLines && l < kLanes; l++)
    m_colors[0][3][l] = std::bit_cast<uint32_t>(std::bit_cast<float>(m_colors[0][3][l]) * lineCoverage(m_p, centreX(l), centreY(l)));
  return true;
}

/// Depth, shader, depth, colours of samples `begin` to `end`, which share one run of the shader. False if the shader hung.
bool PixelBlocks::runSamples(unsigned begin, unsigned end)
{
  const DepthOrder order = m_r.m_order;
  const bool early = order == DepthOrder::Early || order == DepthOrder::EarlyTestLateStore;
  uint8_t live[abi::kMaxSamples] = {};
  uint8_t any = 0;
  for (unsigned s = begin; s < end; s++) {
    live[s] = early ? testLanes(m_covered[s], s, order == DepthOrder::Early) : m_covered[s];
    any |= live[s];
  }
  if (!any)
    return true;
  uint8_t killed = 0;
  if (m_interpreter && !shade(any, killed))
    return false;
  uint8_t written = 0; // lanes with any sample left
  for (unsigned s = begin; s < end; s++) {
    uint8_t kept = 0;
    for (unsigned l = 0; l < kLanes; l++)
      if ((live[s] & ~killed) >> l & 1 && survives(l, s))
        kept = uint8_t(kept | 1u << l);
    if (order == DepthOrder::EarlyTestLateStore)
      testLanes(kept, s, true);
    else if (order == DepthOrder::Late)
      kept = testLanes(kept, s, true);
    written |= kept;
    if (m_d.countSamples && !m_d.forcedSamples)
      count(m_d.program && m_d.program->forceEarlyDepth ? live[s] : kept);
    for (unsigned l = 0; l < kLanes; l++)
      if (kept >> l & 1)
        storeColors(l, s);
  }
  if (m_d.countSamples && m_d.forcedSamples)
    count(m_d.program && m_d.program->forceEarlyDepth ? any : written);
  return true;
}

/// The 4x2 pixels at (x, y) of a block.
bool PixelBlocks::runStep(uint32_t block, unsigned x, unsigned y)
{
  const abi::Block& b = m_args.blocks[block];
  m_block = block;
  m_x = b.x + x;
  m_y = b.y + y;
  const bool sampled = m_d.rasterSamples > 1 && m_args.sampleMasks;
  std::memset(m_coverage, 0, sizeof m_coverage);
  uint8_t any = 0;
  for (unsigned l = 0; l < kLanes; l++) {
    const unsigned bit = (y + laneY(l)) * 8 + x + laneX(l);
    if (b.mask >> bit & 1)
      any = uint8_t(any | 1u << l);
    if (!sampled)
      m_coverage[l] = b.mask >> bit & 1;
    for (unsigned s = 0; sampled && s < m_d.rasterSamples; s++)
      m_coverage[l] |= uint32_t(m_args.sampleMasks[block * m_d.rasterSamples + s] >> bit & 1) << s;
  }
  if (!any)
    return true;
  for (unsigned s = 0; s < m_d.sampleCount; s++) {
    unsigned lanes = 0;
    for (unsigned l = 0; l < kLanes; l++)
      lanes |= (m_d.forcedSamples ? any >> l & 1u : m_coverage[l] >> s & 1u) << l;
    m_covered[s] = uint8_t(m_enabled >> s & 1 ? lanes & any : 0);
  }
  if (!m_r.m_perSample)
    return runSamples(0, m_d.sampleCount);
  for (m_sample = 0; m_sample < m_d.sampleCount; m_sample++)
    if (!runSamples(m_sample, m_sample + 1))
      return false;
  m_sample = 0;
  return true;
}

void PixelBlocks::run()
{
  if (!m_enabled)
    return;
  if (m_r.m_pool)
    m_interpreter.emplace(*m_r.m_pool);
  const auto runAll = [&] {
    for (uint32_t block = 0; block < m_args.blockCount; block++)
      for (unsigned y = 0; y < 8; y += 2)
        for (unsigned x = 0; x < 8; x += 4)
          if (!runStep(block, x, y))
            return;
  };
  runAll();
  if (m_d.countSamples)
    *m_args.thread->occlusion += m_counted;
}

InterpretedPixel::InterpretedPixel(const PixelDescription& description) : m_d(description), m_order(depthOrder(description))
{
  const PixelTraits t = traitsOf(m_d);
  earlyDepth = t.earlyDepth;
  writesDepth = t.writesDepth;
  readsColor = t.readsColor;
  opaqueFullCover = t.opaqueFullCover;
  quads = t.quads;
  noEffect = t.noEffect;
  readsInnerCoverage = t.readsInnerCoverage;
  if (!noEffect)
    entry = &enter;
  if (!m_d.program)
    return;
  const ir::Function& f = *m_d.program->function;
  m_pool.emplace(f);
  m_needsQuads = analyseShader(f).needsQuads;
  m_perSample = m_d.sampleCount > 1 && !m_d.forcedSamples && f.perSample;
  m_position = positionPlace(f);
  for (uint32_t reg = 0; reg < 32; reg++)
    for (uint32_t c = 0; c < 4; c++)
      m_sources[reg][c] = attributeSource(f, m_d.linkage, reg, c);
}

size_t InterpretedPixel::codeBytes() const
{
  return sizeof *this + (m_pool ? 64 * size_t(m_d.program->function->valueCount) : 0);
}

void InterpretedPixel::enter(const abi::PixelArgs* args)
{
  const ir::FloatMode mode(ir::FloatMode::Single);
  static_cast<const InterpretedPixel*>(static_cast<const PixelRoutine*>(args->routine))->run(*args);
}

__attribute__((noinline)) void InterpretedPixel::run(const abi::PixelArgs& args) const { PixelBlocks(*this, args).run(); }

} // namespace monolith::codegen
