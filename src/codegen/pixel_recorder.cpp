// SPDX-License-Identifier: MIT
#include "codegen/pixel_recorder.h"

#include "abi/pixel_args.h"
#include "base/log.h"
#include "codegen/resource_ops.h"
#include "codegen/shader_analysis.h"
#include "ir/function.h"

#include <cstddef>

namespace monolith::codegen {

using abi::Block;
using abi::DrawContext;
using abi::PixelArgs;
using abi::PrimitiveRecord;
using formats::Format;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::If;
using simd::Int;
using simd::Long;
using simd::Mask;
using simd::Pointer;
using simd::Var;
using simd::Word;

// ---- surfaces

namespace {

Pointer surfaceStart(Pointer surface, Long pitch, Word x, Word y, unsigned bytes)
{
  const Pointer base = simd::loadPointer(surface + int32_t(offsetof(abi::Surface, base)));
  const Long offset = simd::toLongUnsigned(y) * pitch + simd::toLongUnsigned(x) * Long(int64_t(bytes));
  return base + offset;
}

} // namespace

SurfaceCursor::SurfaceCursor(Pointer surface, Word x, Word y, unsigned bytesPerPixel)
    : m_bytes(bytesPerPixel),
      m_pitch(simd::toLongUnsigned(simd::loadWord(surface + int32_t(offsetof(abi::Surface, rowPitch))))),
      m_at(surfaceStart(surface, m_pitch, x, y, bytesPerPixel))
{
}

PixelAddress SurfaceCursor::address(LaneOrder order) const
{
  const Pointer p = m_at.get();
  return pixelAddress(p, order == LaneOrder::Quad ? simd::indexed(p, m_pitch) : p, m_bytes, order);
}

PixelAddress SurfaceCursor::row(unsigned) const { return address(LaneOrder::Row); }

void SurfaceCursor::nextRows(unsigned rows, unsigned pixelsBack)
{
  Pointer p = simd::indexed(m_at.peek(), m_pitch, int(rows));
  if (pixelsBack)
    p = p + -int32_t(pixelsBack * m_bytes);
  m_at = p;
}

void SurfaceCursor::nextPixels(unsigned pixels) { m_at = m_at.peek() + int32_t(pixels * m_bytes); }

// ---- set-up

PixelRecorder::PixelRecorder(const PixelDescription& description, DepthOrder order) : m_d(description), m_order(order)
{
  if (m_d.program) {
    const ShaderAnalysis a = analyseShader(*m_d.program->function);
    m_kills = killsPixels(*m_d.program);
    m_readsInner = a.readsInnerCoverage;
    m_outputsInFlow = a.outputsInFlow;
    m_perSample = multisampled() && !m_d.forcedSamples && m_d.program->function->perSample;
    m_uniform = a.uniformOutputs && !m_perSample && m_order != DepthOrder::Late && !m_kills && !m_d.alphaToCoverage && !m_d.smoothLines;
    m_lanes = a.needsQuads ? LaneOrder::Quad : LaneOrder::Row;
  }
  m_interpolation = std::make_unique<Interpolator>(m_d.program ? m_d.program->function.get() : nullptr, m_d.linkage, m_lanes,
                                                   m_d.smoothLines);
}

unsigned PixelRecorder::bytesOf(unsigned surface) const
{
  return formats::info(surface == kDepthSurface ? m_d.depth : m_d.color[surface]).bytesPerBlock;
}

bool PixelRecorder::isUsed(unsigned surface) const
{
  if (surface == kDepthSurface)
    return m_d.testsDepthStencil();
  return surface < m_d.colorCount && m_d.color[surface] != Format::UNKNOWN;
}

simd::Routine PixelRecorder::record()
{
  simd::Function function("pixel", {simd::ArgumentKind::Pointer});
  m_args = function.pointerArgument(0);
  m_draw = simd::loadPointer(m_args + int32_t(offsetof(PixelArgs, draw)));
  m_primitive = simd::loadPointer(m_args + int32_t(offsetof(PixelArgs, primitive)));
  m_thread = simd::loadPointer(m_args + int32_t(offsetof(PixelArgs, thread)));
  simd::Label done;
  // Single-sampled: sample 0 alone decides (17.17).
  if (!multisampled())
    simd::jumpIf(!simd::test(simd::loadWord(m_draw + int32_t(offsetof(DrawContext, sampleMask))), Word(1)), done);
  m_interpolation->beginPrimitive(m_primitive);
  if (m_d.countSamples)
    m_count.emplace(Word(0));
  if (multisampled() || rasterSampled())
    beginSamples();
  if (m_readsInner)
    m_innerMasks.emplace(simd::loadPointer(m_args + int32_t(offsetof(PixelArgs, innerMasks))));
  if (m_d.program) {
    m_shader = std::make_unique<ShaderEmitter>(*m_d.program->function, *this);
    m_shader->prologue();
  }
  if (m_uniform) {
    runShader(Mask(true));
    // What does not depend on the target is computed once.
    prepareColors();
  }
  recordBlocks();
  if (m_shader)
    m_shader->epilogue();
  if (m_d.countSamples) {
    const Pointer counter = simd::loadPointer(m_thread + int32_t(offsetof(abi::ThreadContext, occlusion)));
    simd::store(counter, simd::loadLong(counter) + simd::toLongUnsigned(m_count->get()));
  }
  simd::bind(done);
  return function.finish();
}

void PixelRecorder::recordBlocks()
{
  m_block.emplace(simd::loadPointer(m_args + int32_t(offsetof(PixelArgs, blocks))));
  Var<Word> left(simd::loadWord(m_args + int32_t(offsetof(PixelArgs, blockCount))));
  simd::DoWhile(
      [&] {
        recordBlock();
        *m_block = m_block->peek() + int32_t(sizeof(Block));
        if (rasterSampled())
          *m_sampleMasks = m_sampleMasks->peek() + int32_t(8 * m_d.rasterSamples);
        if (m_innerMasks)
          *m_innerMasks = m_innerMasks->peek() + 8;
        left = left.peek() - Word(1);
      },
      [&] { return left.peek() > Word(0); });
}

void PixelRecorder::recordBlock()
{
  const Pointer block = m_block->get();
  m_blockMask = simd::loadLong(block + int32_t(offsetof(Block, mask)));
  m_blockX = simd::loadUnsigned16(block + int32_t(offsetof(Block, x)));
  m_blockY = simd::loadUnsigned16(block + int32_t(offsetof(Block, y)));
  m_interpolation->beginBlock(m_blockX, m_blockY);
  for (unsigned k = 0; k <= kDepthSurface; k++)
    if (isUsed(k)) {
      const size_t at = k == kDepthSurface ? offsetof(DrawContext, depth) : offsetof(DrawContext, color) + k * sizeof(abi::Surface);
      m_cursor[k] = std::make_unique<SurfaceCursor>(m_draw + int32_t(at), m_blockX, m_blockY, bytesOf(k));
    }
  const bool cheap = (!m_d.program || m_uniform) && !multisampled() && !rasterSampled();
  if (m_lanes == LaneOrder::Quad) {
    recordQuads();
  } else if (cheap) {
    If(m_blockMask == Long(-1), [&] { recordUnrolledRows(); }, [&] { recordRolledRows(); });
  } else {
    recordRolledRows();
  }
  for (auto& c : m_cursor)
    c.reset();
}

void PixelRecorder::stepAddresses(PixelAddress* out) const
{
  for (unsigned k = 0; k <= kDepthSurface; k++)
    if (isUsed(k))
      out[k] = m_cursor[k]->address(m_lanes);
}

void PixelRecorder::recordUnrolledRows()
{
  PixelAddress at[9];
  for (unsigned row = 0; row < 8; row++) {
    m_interpolation->setRow(row);
    stepAddresses(at);
    recordStep({Mask(true), true}, at);
    if (row < 7)
      for (unsigned k = 0; k <= kDepthSurface; k++)
        if (isUsed(k))
          m_cursor[k]->nextRows(1, 0);
  }
}

void PixelRecorder::recordRolledRows()
{
  Var<Long> mask(m_blockMask);
  m_interpolation->beginSteps();
  if (countsSteps())
    m_stepByte.emplace(Word(0));
  simd::DoWhile(
      [&] {
        const Word bits = simd::toWord(mask.get()) & Word(255);
        If(bits != Word(0), [&] {
          PixelAddress at[9];
          stepAddresses(at);
          recordCovered({simd::maskFromBits(bits), false}, at);
        });
        mask = simd::shr(mask.peek(), 8);
        if (countsSteps())
          *m_stepByte = m_stepByte->peek() + Word(1);
        m_interpolation->nextRows(1);
        for (unsigned k = 0; k <= kDepthSurface; k++)
          if (isUsed(k))
            m_cursor[k]->nextRows(1, 0);
      },
      [&] { return mask.peek() != Long(0); });
}

void PixelRecorder::recordQuads()
{
  Var<Long> mask(m_blockMask);
  m_interpolation->beginSteps();
  if (countsSteps()) {
    m_stepByte.emplace(Word(0));
    m_stepShift.emplace(Word(0));
  }
  simd::DoWhile(
      [&] {
        if (countsSteps())
          *m_stepShift = Word(0);
        Var<Word> rows(simd::toWord(mask.get()) & Word(0xffff));
        Var<Word> side(0);
        simd::DoWhile(
            [&] {
              const Word w = rows.get();
              const Word bits = (w & Word(15)) | (simd::shr(w, 4) & Word(0xf0));
              If(bits != Word(0), [&] {
                PixelAddress at[9];
                stepAddresses(at);
                recordCovered({simd::maskFromBits(bits), false}, at);
              });
              rows = simd::shr(rows.peek(), 4);
              if (countsSteps())
                *m_stepShift = Word(4);
              m_interpolation->nextPixels(4);
              for (unsigned k = 0; k <= kDepthSurface; k++)
                if (isUsed(k))
                  m_cursor[k]->nextPixels(4);
              side = side.peek() + Word(1);
            },
            [&] { return side.peek() < Word(2); });
        mask = simd::shr(mask.peek(), 16);
        if (countsSteps())
          *m_stepByte = m_stepByte->peek() + Word(2);
        m_interpolation->backToLeft();
        m_interpolation->nextRows(2);
        for (unsigned k = 0; k <= kDepthSurface; k++)
          if (isUsed(k))
            m_cursor[k]->nextRows(2, 8);
      },
      [&] { return mask.peek() != Long(0); });
}

// ---- one step

void PixelRecorder::recordCovered(const Cover& cover, const PixelAddress* at)
{
  m_covered = cover.mask;
  if (m_perSample)
    recordSampleFrequency(at);
  else if (multisampled())
    recordSampleStep(cover, at);
  else
    recordStep(cover, at);
}

/// Interpolated depth where the step's sample lies.
Float PixelRecorder::pixelDepth()
{
  const Float z = m_interpolation->depth();
  return m_depthOffset.valid() ? z + m_depthOffset : z;
}

Mask PixelRecorder::alphaCovers(Float threshold) { return asFloat(m_outputs[0].c[3]) >= threshold; }

Float PixelRecorder::clampedDepth(Float z)
{
  const Float low = m_interpolation->primitiveFloat(offsetof(PrimitiveRecord, minDepth));
  const Float high = m_interpolation->primitiveFloat(offsetof(PrimitiveRecord, maxDepth));
  return simd::minSecond(simd::maxSecond(z, low), high);
}

Float PixelRecorder::blendFactor(unsigned channel)
{
  return simd::broadcastFloat(m_draw + int32_t(offsetof(DrawContext, blendFactor) + 4 * channel));
}

DepthTest PixelRecorder::testDepth(Float z, const TexelWords& old)
{
  StencilInputs in;
  if (m_d.depthStencil.stencilEnable)
    in.reference = (m_stencilRef ? m_stencilRef->get() : simd::broadcastInt(m_draw + int32_t(offsetof(DrawContext, stencilRef)))) & Int(255);
  DepthTest front = testDepthStencil(m_d.depthStencil, m_d.depth, in, z, old);
  if (!m_d.depthStencil.stencilEnable || m_d.depthStencil.front == m_d.depthStencil.back)
    return front;
  in.frontFacing = false;
  const DepthTest back = testDepthStencil(m_d.depthStencil, m_d.depth, in, z, old);
  const Mask isFront = simd::asMask(m_interpolation->frontFacing());
  DepthTest out;
  out.allPass = front.allPass && back.allPass;
  out.pass = simd::select(isFront, front.pass, back.pass);
  out.writes = front.writes || back.writes;
  out.writesFailed = front.writesFailed || back.writesFailed;
  for (unsigned n = 0; n < texelWordCount(m_d.depth); n++)
    out.words.w[n] = simd::select(isFront, front.words.w[n], back.words.w[n]);
  return out;
}

void PixelRecorder::storeDepth(const DepthTest& test, const Cover& cover, const Mask& live, bool liveIsFull, const PixelAddress& at)
{
  if (!test.writes)
    return;
  const bool full = test.writesFailed ? cover.full : liveIsFull;
  TexelWords words = test.words;
  if (!full) {
    const TexelWords old = loadPixels(at, bytesOf(kDepthSurface), m_lanes);
    const Mask lanes = test.writesFailed ? cover.mask : live;
    for (unsigned n = 0; n < texelWordCount(m_d.depth); n++)
      words.w[n] = simd::select(lanes, words.w[n], old.w[n]);
  }
  storePixels(at, bytesOf(kDepthSurface), m_lanes, words);
}

void PixelRecorder::runShader(Mask active)
{
  for (Channels& c : m_outputs)
    for (Int& v : c.c)
      v = Int(0);
  m_depthOutput = Float(0.0f);
  if (m_outputsInFlow) {
    for (auto& reg : m_outputVars)
      for (auto& v : reg)
        v.reset();
    for (const ir::OutputDecl& o : m_d.program->function->outputs)
      for (unsigned c = 0; c < 4; c++)
        if (o.reg < 8 && (o.mask >> c & 1))
          m_outputVars[o.reg][c].emplace(Int(0));
    m_depthVar.emplace(Float(0.0f));
  }
  m_stencilRef.reset();
  if (writesStencil(m_d) && m_order == DepthOrder::Late)
    m_stencilRef.emplace(Int(0));
  placeCentroid();
  m_interpolation->beginAttributes();
  m_evaluated = nullptr;
  m_shader->body(active);
  if (m_outputsInFlow) {
    for (unsigned k = 0; k < 8; k++)
      for (unsigned c = 0; c < 4; c++)
        if (m_outputVars[k][c])
          m_outputs[k].c[c] = m_outputVars[k][c]->get();
    m_depthOutput = m_depthVar->get();
  }
  if (m_d.smoothLines)
    m_outputs[0].c[3] = asInt(asFloat(m_outputs[0].c[3]) * m_interpolation->lineCoverage());
}

void PixelRecorder::prepareColors()
{
  for (unsigned k = 0; k < m_d.colorCount; k++) {
    if (!isUsed(k))
      continue;
    Float factor[4];
    if (m_d.blend[k].enable && usesBlendFactor(m_d.blend[k]))
      for (unsigned c = 0; c < 4; c++)
        factor[c] = blendFactor(c);
    m_merger[k].emplace(m_d.blend[k], m_d.color[k]);
    m_merger[k]->prepare(m_outputs[k], m_outputs[1], factor);
  }
}

void PixelRecorder::storeColors(const Mask& live, bool liveIsFull, const PixelAddress* at)
{
  for (unsigned k = 0; k < m_d.colorCount; k++) {
    if (!isUsed(k))
      continue;
    const Format format = m_d.color[k];
    const bool needsOld = readsTarget(m_d.blend[k], format) || hasPartialWriteMask(m_d.blend[k], format);
    TexelWords old;
    if (needsOld || !liveIsFull)
      old = loadPixels(at[k], bytesOf(k), m_lanes);
    TexelWords words = m_merger[k]->merge(old);
    if (!liveIsFull)
      for (unsigned n = 0; n < texelWordCount(format); n++)
        words.w[n] = simd::select(live, words.w[n], old.w[n]);
    storePixels(at[k], bytesOf(k), m_lanes, words);
  }
}

void PixelRecorder::countLive(const Mask& live, bool full)
{
  if (m_d.countSamples && m_d.forcedSamples)
    countCovered(live);
  else if (m_d.countSamples)
    *m_count = m_count->peek() + (full ? Word(simd::kLanes) : simd::popcount(simd::laneBits(live)));
}

void PixelRecorder::recordStep(const Cover& cover, const PixelAddress* at)
{
  const bool early = m_order == DepthOrder::Early || m_order == DepthOrder::EarlyTestLateStore;
  const bool shades = m_d.program && !m_uniform;
  Cover live = cover;
  DepthTest test;
  if (early) {
    test = testDepth(clampedDepth(pixelDepth()), loadPixels(at[kDepthSurface], bytesOf(kDepthSurface), m_lanes));
    if (!test.allPass) {
      live.full = false;
      live.mask = cover.full ? test.pass : cover.mask & test.pass;
    }
    if (m_order == DepthOrder::Early)
      storeDepth(test, cover, live.mask, live.full, at[kDepthSurface]);
  }
  const bool counted = m_d.program && m_d.program->forceEarlyDepth; // what comes later does not matter (16.12.1)
  if (!shades || counted)
    countLive(live.mask, live.full);
  if (!shades) {
    storeColors(live.mask, live.full, at);
    return;
  }
  const auto rest = [&] {
    m_killed.reset();
    if (m_kills)
      m_killed.emplace(Mask(false));
    // Helper lanes run with the others where derivatives are taken.
    runShader(m_lanes == LaneOrder::Quad ? Mask(true) : live.mask);
    Cover kept = live;
    if (m_killed) {
      kept.mask = simd::andNot(kept.mask, m_killed->get());
      kept.full = false;
    }
    if (m_d.alphaToCoverage) {
      kept.mask = kept.mask & alphaCovers(alphaThreshold(m_sampleIndex));
      kept.full = false;
    }
    if (m_order == DepthOrder::EarlyTestLateStore)
      storeDepth(test, kept, kept.mask, kept.full, at[kDepthSurface]);
    if (m_order == DepthOrder::Late) {
      const Float z = m_d.program->writesDepth ? m_depthOutput : pixelDepth();
      const DepthTest late = testDepth(clampedDepth(z), loadPixels(at[kDepthSurface], bytesOf(kDepthSurface), m_lanes));
      Cover passed = kept;
      if (!late.allPass) {
        passed.full = false;
        passed.mask = kept.mask & late.pass;
      }
      storeDepth(late, kept, passed.mask, passed.full, at[kDepthSurface]);
      kept = passed;
    }
    if (!counted)
      countLive(kept.mask, kept.full);
    prepareColors();
    storeColors(kept.mask, kept.full, at);
  };
  if (early && !live.full)
    If(simd::any(live.mask), rest);
  else
    rest();
}

// ---- what the shader asks for

Int PixelRecorder::input(uint32_t reg, uint32_t component) { return m_interpolation->attribute(reg, component); }

Int PixelRecorder::system(uint32_t value, uint32_t component)
{
  switch (ir::SystemValue(value)) {
  case ir::SystemValue::Position: return m_interpolation->position(component);
  case ir::SystemValue::IsFrontFace: return m_interpolation->frontFacing();
  case ir::SystemValue::PrimitiveId: return m_interpolation->primitiveId();
  case ir::SystemValue::Coverage: return inputCoverage();
  case ir::SystemValue::SampleIndex: return simd::broadcast(m_sampleIndex);
  case ir::SystemValue::InnerCoverage: return innerCoverage();
  default: return Int(0);
  }
}

void PixelRecorder::output(uint32_t reg, uint32_t component, Int value)
{
  if (reg >= 8 || component >= 4)
    return;
  if (m_outputVars[reg][component])
    *m_outputVars[reg][component] = value;
  else
    m_outputs[reg].c[component] = value;
}

void PixelRecorder::outputMasked(uint32_t reg, uint32_t component, Int value, Mask exec)
{
  if (reg < 8 && component < 4 && m_outputVars[reg][component])
    *m_outputVars[reg][component] = simd::select(exec, value, m_outputVars[reg][component]->get());
}

void PixelRecorder::outputDepth(Float value)
{
  if (m_depthVar)
    *m_depthVar = value;
  else
    m_depthOutput = value;
}

void PixelRecorder::effect(const ir::Function& function, const ir::Instruction& instruction, const Int* operands, Int* results, Mask exec)
{
  switch (instruction.op) {
  case ir::Op::EvalCentroid:
  case ir::Op::EvalSample:
  case ir::Op::EvalSnapped: evaluate(function, instruction, operands, results); break;
  case ir::Op::StoreCoverage:
    if (m_coverageOutput)
      *m_coverageOutput = simd::select(exec, operands[0], m_coverageOutput->get());
    else // one sample decides
      discard(simd::andNot(exec, simd::nonZero(operands[0] & simd::broadcast(simd::shl(Word(1), m_sampleIndex)))));
    break;
  case ir::Op::StoreStencilRef:
    if (m_stencilRef)
      *m_stencilRef = simd::select(exec, operands[0], m_stencilRef->get());
    break;
  default: base::logOnce("codegen: an operation of pixel shaders is not built yet"); break;
  }
}

void PixelRecorder::discard(Mask lanes)
{
  if (m_killed)
    *m_killed = m_killed->peek() | lanes;
}

Pointer PixelRecorder::bindings() { return m_draw + int32_t(offsetof(DrawContext, pixel)); }

void PixelRecorder::resource(const ir::Function& function, const ir::Instruction& instruction, const Int* operands, Int* results,
                             Mask exec)
{
  ResourceContext context;
  context.bindings = bindings();
  context.views = m_d.views.data();
  context.viewCount = m_d.views.size();
  context.samplers = m_d.samplers.data();
  context.samplerCount = m_d.samplers.size();
  context.lanes = m_lanes;
  context.targetSamples = m_d.sampleCount;
  emitResourceOp(context, function, instruction, operands, results, exec);
}

} // namespace monolith::codegen
