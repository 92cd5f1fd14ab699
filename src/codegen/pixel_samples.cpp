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
  const unsigned n = m_d.sampleCount;
  m_sampleMasks.emplace(simd::loadPointer(m_args + int32_t(offsetof(abi::PixelArgs, sampleMasks))));
  m_liveMasks = simd::Function::currentStack(32 * n);
  // Per sample: depth relative to the centre, then x and y offsets.
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
}

/// Lanes of this step whose sample is covered and enabled by the sample mask.
Mask PixelRecorder::sampleLanes(Word sample)
{
  const Pointer p = simd::indexed(simd::indexed(m_sampleMasks->get(), sample, 8), m_stepByte->get());
  Word bits;
  if (m_lanes == LaneOrder::Row) {
    bits = simd::loadUnsigned8(p);
  } else {
    const Word w = simd::shr(simd::loadUnsigned16(p), m_stepShift->get());
    bits = (w & Word(15)) | (simd::shr(w, 4) & Word(0xf0));
  }
  const Word enabled = simd::shr(simd::loadWord(m_draw + int32_t(offsetof(DrawContext, sampleMask))), sample) & Word(1);
  return simd::maskFromBits(bits & (Word(0) - enabled));
}

Int PixelRecorder::inputCoverage()
{
  if (m_perSample) // the sample's own bit
    return simd::broadcast(simd::shl(Word(1), m_sampleIndex));
  Int coverage(0);
  for (unsigned s = 0; s < m_d.sampleCount; s++)
    coverage = coverage | (Int(1 << s) & sampleLanes(Word(int32_t(s))));
  return coverage;
}

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
  return centre + simd::loadFloat(simd::indexed(m_depthDeltas, simd::shl(sample, 5)));
}

void PixelRecorder::recordSampleStep(const Cover& cover, const PixelAddress* at)
{
  const Word count(int32_t(m_d.sampleCount));
  const bool early = m_order == DepthOrder::Early || m_order == DepthOrder::EarlyTestLateStore;
  const bool testsLate = m_order == DepthOrder::Late || m_order == DepthOrder::EarlyTestLateStore;
  const bool shades = m_d.program && !m_uniform;
  const bool stores = m_d.writesColor() || m_d.countSamples || testsLate;
  Var<Mask> any(Mask(false));
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
        live = live & alphaCovers((simd::toFloat(simd::broadcast(s)) + Float(0.5f)) * Float(1.0f / float(m_d.sampleCount)));
      if (testsLate) {
        const Float own = m_d.program->writesDepth ? depth : sampleDepth(depth, s);
        const DepthTest test = testDepth(clampedDepth(own), loadPixels(here[kDepthSurface], bytesOf(kDepthSurface), m_lanes));
        const Mask lanes = live;
        if (!test.allPass)
          live = lanes & test.pass;
        storeDepth(test, {lanes, false}, live, false, here[kDepthSurface]);
      }
      countLive(live, false);
      storeColors(live, false, here);
    });
  });
  m_coverageOutput.reset();
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
      m_interpolation->setSampleOffset(simd::loadFloat(own + int32_t(32 * n)), simd::loadFloat(own + int32_t(64 * n)));
      recordStep({lanes, false}, here);
      m_interpolation->setSampleOffset(Float(), Float());
      m_depthOffset = Float();
    });
    m_sampleIndex = Word(0);
  });
}

} // namespace monolith::codegen
