// SPDX-License-Identifier: MIT
// Steps of multisampled targets: the shader runs once per pixel (or once per sample, if it asks for that), depth, stencil
// and colours are handled sample by sample in a recorded loop.
#include "codegen/pixel_recorder.h"

#include "abi/pixel_args.h"
#include "abi/sample_positions.h"
#include "codegen/shader_analysis.h"
#include "ir/function.h"

#include <cstddef>

namespace monolith::codegen {

using abi::DrawContext;
using abi::PrimitiveRecord;
using simd::Float;
using simd::If;
using simd::Int;
using simd::Long;
using simd::Mask;
using simd::Pointer;
using simd::Var;
using simd::Word;

namespace {

/// Offsets of a sample from the pixel's centre; zero in the centre pattern.
struct SampleOffset {
  Float x, y;
};

SampleOffset fixedOffset(unsigned count, unsigned sample)
{
  const abi::SamplePosition* p = abi::samplePositions(count);
  if (!p)
    return {Float(0.0f), Float(0.0f)};
  return {Float(float(p[sample].x) / 16.0f), Float(float(p[sample].y) / 16.0f)};
}

} // namespace

void PixelRecorder::beginSamples()
{
  if (rasterSampled())
    m_sampleMasks.emplace(simd::loadPointer(m_args + int32_t(offsetof(abi::PixelArgs, sampleMasks))));
  if (multisampled())
    m_liveMasks = simd::Function::currentStack(32u * m_d.sampleCount);
  if (!rasterSampled())
    return;
  // Per sample: depth relative to the centre, then x and y offsets.
  const unsigned n = m_d.rasterSamples;
  m_depthDeltas = simd::Function::currentStack(96 * n);
  const Float dzdx = m_interpolation->primitiveFloat(offsetof(PrimitiveRecord, dzdx));
  const Float dzdy = m_interpolation->primitiveFloat(offsetof(PrimitiveRecord, dzdy));
  const Mask spread = simd::broadcastInt(m_draw + int32_t(offsetof(DrawContext, centredSamples))) == Int(0);
  for (unsigned s = 0; s < n; s++) {
    const SampleOffset o = fixedOffset(n, s);
    simd::store(m_depthDeltas + int32_t(32 * s), simd::fma(dzdy, o.y, dzdx * o.x) & spread);
    simd::store(m_depthDeltas + int32_t(32 * (n + s)), o.x & spread);
    simd::store(m_depthDeltas + int32_t(32 * (2 * n + s)), o.y & spread);
  }
  storeHelperCentroid();
}

/// The step's part of a block mask.
Word PixelRecorder::stepBits(Pointer mask) const
{
  const Pointer p = simd::indexed(mask, m_stepByte->get());
  if (m_lanes == LaneOrder::Row)
    return simd::loadUnsigned8(p);
  const Word w = simd::shr(simd::loadUnsigned16(p), m_stepShift->get());
  return (w & Word(15)) | (simd::shr(w, 4) & Word(0xf0));
}

/// 1 in the lanes whose pixels lie wholly inside the primitive.
Int PixelRecorder::innerCoverage()
{
  return simd::asInt(simd::maskFromBits(stepBits(m_innerMasks->get()))) & Int(1);
}

/// Lanes of this step whose sample of the rasterizer is covered.
Mask PixelRecorder::rasterLanes(Word sample)
{
  return simd::maskFromBits(stepBits(simd::indexed(m_sampleMasks->get(), sample, 8)));
}

/// 1 if the sample mask lets a sample of the targets through, else 0.
Word PixelRecorder::sampleEnabled(Word sample)
{
  return simd::shr(simd::loadWord(m_draw + int32_t(offsetof(DrawContext, sampleMask))), sample) & Word(1);
}

/// Lanes of this step in which a sample of the targets is covered and enabled by the sample mask.
Mask PixelRecorder::sampleLanes(Word sample)
{
  const Mask enabled = simd::asMask(simd::broadcast(Word(0) - sampleEnabled(sample)));
  return (m_d.forcedSamples ? m_covered : rasterLanes(sample)) & enabled;
}

Int PixelRecorder::inputCoverage()
{
  const Int enabled = m_d.forcedSamples ? Int(-1) : simd::broadcastInt(m_draw + int32_t(offsetof(DrawContext, sampleMask)));
  Int coverage(0);
  if (!rasterSampled())
    coverage = Int(1) & m_covered;
  for (unsigned s = 0; rasterSampled() && s < m_d.rasterSamples; s++)
    coverage = coverage | (Int(1 << s) & rasterLanes(Word(int32_t(s))));
  return coverage & enabled;
}

/// The threshold of alpha-to-coverage (17.18).
Float PixelRecorder::alphaThreshold(Word sample)
{
  if (!multisampled())
    return Float(0.5f);
  return (simd::toFloat(simd::broadcast(sample)) + Float(0.5f)) * Float(1.0f / float(m_d.sampleCount));
}

/// Adds the covered samples of the rasterizer in some lanes (20.4.6).
void PixelRecorder::countCovered(const Mask& lanes)
{
  if (!rasterSampled()) {
    *m_count = m_count->peek() + simd::popcount(simd::laneBits(lanes & m_covered));
    return;
  }
  for (unsigned s = 0; s < m_d.rasterSamples; s++)
    *m_count = m_count->peek() + simd::popcount(simd::laneBits(lanes & rasterLanes(Word(int32_t(s)))));
}

// ---- centroid and evaluation at places that the shader names

/// Where lanes without a covered sample are evaluated: the first sample of the sample mask, unless that has all (3.5.5).
void PixelRecorder::storeHelperCentroid()
{
  if (!m_interpolation->asksFor(Place::Centroid) || m_d.forcedSamples)
    return;
  const unsigned n = m_d.rasterSamples;
  m_helperCentroid = simd::Function::currentStack(64);
  const Int all((2 << (n - 1)) - 1);
  const Int mask = simd::broadcastInt(m_draw + int32_t(offsetof(DrawContext, sampleMask))) & all;
  Float x(0.0f), y(0.0f);
  for (unsigned s = n; s-- > 0;) {
    const Mask enabled = simd::nonZero(mask & Int(1 << s));
    x = simd::select(enabled, simd::loadFloat(m_depthDeltas + int32_t(32 * (n + s))), x);
    y = simd::select(enabled, simd::loadFloat(m_depthDeltas + int32_t(32 * (2 * n + s))), y);
  }
  const Mask whole = mask == all;
  simd::store(m_helperCentroid, simd::select(whole, Float(0.0f), x));
  simd::store(m_helperCentroid + 32, simd::select(whole, Float(0.0f), y));
}

/// The first covered sample, or the centre if all are covered (3.5.5). With a forced count the sample mask does not matter.
void PixelRecorder::placeCentroid()
{
  m_interpolation->setOffset(Place::Centroid, Float(), Float());
  if (!m_interpolation->asksFor(Place::Centroid) || !rasterSampled())
    return;
  const unsigned n = m_d.rasterSamples;
  Float x(0.0f), y(0.0f);
  if (!m_d.forcedSamples) {
    x = simd::loadFloat(m_helperCentroid);
    y = simd::loadFloat(m_helperCentroid + 32);
  }
  Mask all(true);
  for (unsigned s = n; s-- > 0;) {
    const Word sample = Word(int32_t(s));
    const Mask covered = m_d.forcedSamples ? rasterLanes(sample) : sampleLanes(sample);
    x = simd::select(covered, simd::loadFloat(m_depthDeltas + int32_t(32 * (n + s))), x);
    y = simd::select(covered, simd::loadFloat(m_depthDeltas + int32_t(32 * (2 * n + s))), y);
    all = all & covered;
  }
  m_interpolation->setOffset(Place::Centroid, simd::select(all, Float(0.0f), x), simd::select(all, Float(0.0f), y));
}

Interpolator::Weights PixelRecorder::evaluationPlace(const ir::Function& function, const ir::Instruction& i, const Int* operands)
{
  if (i.op == ir::Op::EvalSnapped) {
    const auto offset = [](Int v) { return simd::toFloat(simd::sar(simd::shl(v, 28), 28)) * Float(1.0f / 16.0f); };
    return m_interpolation->weightsAt(offset(operands[0]), offset(operands[1]));
  }
  if (!rasterSampled())
    return m_interpolation->weightsAt(Float(0.0f), Float(0.0f));
  const int32_t n = m_d.rasterSamples;
  const ir::Value index = function.operand(i, 0);
  if (index.isConstant()) {
    const uint32_t s = function.constant(index);
    if (s >= uint32_t(n))
      return m_interpolation->weightsAt(Float(0.0f), Float(0.0f));
    return m_interpolation->weightsAt(simd::loadFloat(m_depthDeltas + 32 * (n + int32_t(s))),
                                      simd::loadFloat(m_depthDeltas + 32 * (2 * n + int32_t(s))));
  }
  const Mask valid = simd::belowUnsigned(operands[0], Int(n));
  const Int at = simd::shl(operands[0], 5);
  return m_interpolation->weightsAt(simd::asFloat(simd::gather(m_depthDeltas + 32 * n, at, 1, valid, Int(0))),
                                    simd::asFloat(simd::gather(m_depthDeltas + 64 * n, at, 1, valid, Int(0))));
}

void PixelRecorder::evaluate(const ir::Function& function, const ir::Instruction& i, const Int* operands, Int* results)
{
  if (i.op == ir::Op::EvalCentroid) {
    results[0] = m_interpolation->evaluateAt(Place::Centroid, i.attr, i.attr2);
    return;
  }
  bool same = m_evaluated && m_evaluated->op == i.op && m_evaluated < &i;
  for (unsigned k = 0; same && k < i.operandCount; k++)
    same = function.operand(*m_evaluated, k) == function.operand(i, k);
  for (const ir::Instruction* at = m_evaluated; same && at != &i; ++at)
    same = !(ir::opInfo(at->op).flags & ir::kOpFlow);
  if (!same)
    m_evaluatedAt = evaluationPlace(function, i, operands);
  m_evaluated = &i;
  results[0] = m_interpolation->evaluate(i.attr, i.attr2, m_evaluatedAt);
}

// ---- steps

void PixelRecorder::sampleAddresses(Word sample, const PixelAddress* at, PixelAddress* out)
{
  for (unsigned k = 0; k <= kDepthSurface; k++) {
    if (!isUsed(k))
      continue;
    const size_t surface = k == kDepthSurface ? offsetof(DrawContext, depth) : offsetof(DrawContext, color) + k * sizeof(abi::Surface);
    const Word pitch = simd::loadWord(m_draw + int32_t(surface + offsetof(abi::Surface, samplePitch)));
    const Long offset = simd::toLongUnsigned(sample) * simd::toLongUnsigned(pitch);
    out[k] = {at[k].first + offset, at[k].second + offset};
  }
}

Float PixelRecorder::sampleDepth(Float centre, Word sample)
{
  if (m_d.forcedSamples) // no depth target may be bound (3.5.6.2)
    return centre;
  return centre + simd::loadFloat(simd::indexed(m_depthDeltas, simd::shl(sample, 5)));
}

void PixelRecorder::recordSampleStep(const Cover& cover, const PixelAddress* at)
{
  const Word count(int32_t(m_d.sampleCount));
  const bool early = m_order == DepthOrder::Early || m_order == DepthOrder::EarlyTestLateStore;
  const bool testsLate = m_order == DepthOrder::Late || m_order == DepthOrder::EarlyTestLateStore;
  const bool shades = m_d.program && !m_uniform;
  const bool stores = m_d.writesColor() || m_d.countSamples || testsLate;
  const bool counted = m_d.program && m_d.program->forceEarlyDepth; // what comes later does not matter (16.12.1)
  Var<Mask> any(Mask(false)), written(Mask(false));
  Float z;
  if (early)
    z = m_interpolation->depth();
  const Mask covered = cover.mask;
  simd::For(Word(0), count, 1, [&](Word s) {
    const Mask lanes = sampleLanes(s) & covered;
    Mask live = lanes;
    if (early) {
      PixelAddress here[9];
      sampleAddresses(s, at, here);
      const DepthTest test = testDepth(clampedDepth(sampleDepth(z, s)),
                                       loadPixels(here[kDepthSurface], bytesOf(kDepthSurface), m_lanes));
      if (!test.allPass)
        live = lanes & test.pass;
      if (m_order == DepthOrder::Early)
        storeDepth(test, {lanes, false}, live, false, here[kDepthSurface]);
    }
    simd::store(simd::indexed(m_liveMasks, simd::shl(s, 5)), live);
    any = any.peek() | live;
    if (counted && !m_d.forcedSamples)
      countLive(live, false);
  });
  if (!shades && !stores)
    return;
  If(simd::any(any.get()), [&] {
    m_killed.reset();
    m_coverageOutput.reset();
    if (shades) {
      if (m_kills)
        m_killed.emplace(Mask(false));
      if (m_d.program->function->writesCoverage)
        m_coverageOutput.emplace(Int(-1));
      runShader(m_lanes == LaneOrder::Quad ? Mask(true) : any.get());
      prepareColors();
    }
    Float depth;
    if (testsLate)
      depth = m_d.program->writesDepth ? m_depthOutput : m_interpolation->depth();
    simd::For(Word(0), count, 1, [&](Word s) {
      PixelAddress here[9];
      sampleAddresses(s, at, here);
      Mask live = simd::loadMask(simd::indexed(m_liveMasks, simd::shl(s, 5)));
      if (m_killed)
        live = simd::andNot(live, m_killed->get());
      if (m_coverageOutput)
        live = live & simd::nonZero(m_coverageOutput->get() & simd::broadcast(simd::shl(Word(1), s)));
      else if (m_d.alphaToCoverage)
        live = live & alphaCovers(alphaThreshold(s));
      if (testsLate) {
        const Float own = m_d.program->writesDepth ? depth : sampleDepth(depth, s);
        const DepthTest test = testDepth(clampedDepth(own), loadPixels(here[kDepthSurface], bytesOf(kDepthSurface), m_lanes));
        const Mask lanes = live;
        if (!test.allPass)
          live = lanes & test.pass;
        storeDepth(test, {lanes, false}, live, false, here[kDepthSurface]);
      }
      if (m_d.forcedSamples && m_d.countSamples)
        written = written.peek() | live;
      else if (!counted)
        countLive(live, false);
      storeColors(live, false, here);
    });
  });
  m_coverageOutput.reset();
  if (m_d.forcedSamples && m_d.countSamples)
    countCovered(counted ? any.get() : written.get());
}

/// The shader runs for each sample at the sample's place.
void PixelRecorder::recordSampleFrequency(const PixelAddress* at)
{
  const unsigned n = m_d.sampleCount;
  simd::For(Word(0), Word(int32_t(n)), 1, [&](Word s) {
    m_sampleIndex = s;
    const Mask lanes = sampleLanes(s);
    If(simd::any(lanes), [&] {
      PixelAddress here[9];
      sampleAddresses(s, at, here);
      const Pointer own = simd::indexed(m_depthDeltas, simd::shl(s, 5));
      m_depthOffset = simd::loadFloat(own);
      m_interpolation->setOffset(Place::Sample, simd::loadFloat(own + int32_t(32 * n)), simd::loadFloat(own + int32_t(64 * n)));
      recordStep({lanes, false}, here);
      m_interpolation->setOffset(Place::Sample, Float(), Float());
      m_depthOffset = Float();
    });
    m_sampleIndex = Word(0);
  });
}

} // namespace monolith::codegen
