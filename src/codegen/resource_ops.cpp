// SPDX-License-Identifier: MIT
#include "codegen/resource_ops.h"

#include "base/log.h"
#include "abi/sample_positions.h"
#include "codegen/resource_op.h"
#include "codegen/texture_address.h"
#include "codegen/texture_load.h"
#include "codegen/texture_sampler.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <array>
#include <cstddef>

namespace monolith::codegen {

using simd::Int;
using simd::Pointer;

namespace {

constexpr unsigned kMaxOperands = 12, kMaxResults = 5;

/// What generated code hands to the twin: operands, then results, eight words each.
void callTwin(const ResourceOp* op, const abi::StageBindings* bindings, uint32_t* words)
{
  const uint32_t* operands[kMaxOperands];
  uint32_t* results[kMaxResults];
  for (unsigned k = 0; k < kMaxOperands; k++)
    operands[k] = words + 8 * k;
  for (unsigned k = 0; k < kMaxResults; k++)
    results[k] = words + 8 * (kMaxOperands + k);
  runResourceOp(*op, *bindings, operands, results);
}

} // namespace

void emitTwinCall(const ResourceContext& context, const ResourceOp& op, const Int* operands, Int* results)
{
  const Pointer words = simd::Function::currentStack(32 * (kMaxOperands + kMaxResults));
  for (unsigned k = 0; k < op.operandCount && k < kMaxOperands; k++)
    simd::store(words + int32_t(32 * k), operands[k]);
  simd::call(simd::addressOf(&callTwin), {simd::constantTable(&op, sizeof op), context.bindings, words});
  for (unsigned k = 0; k < op.resultCount; k++)
    results[k] = k < kMaxResults ? simd::loadInt(words + int32_t(32 * (kMaxOperands + k))) : Int(0);
}

namespace {

/// Results of the instruction that some operation uses, as a mask.
uint8_t usedResults(const ir::Function& function, const ir::Instruction& instruction)
{
  uint8_t used = 0;
  for (const ir::Value& v : function.operands)
    if (!v.isConstant() && v.id >= instruction.firstResult && v.id < instruction.firstResult + instruction.resultCount)
      used = uint8_t(used | 1u << (v.id - instruction.firstResult));
  return used & 15;
}

bool emitGenerated(const ResourceContext& context, const ResourceOp& op, const ViewKey& view, uint8_t used, const Int* operands,
                   Int* results)
{
  Channels c;
  switch (ir::Op(op.op)) {
  case ir::Op::Sample:
  case ir::Op::SampleB:
  case ir::Op::SampleL:
  case ir::Op::SampleD:
  case ir::Op::SampleC:
  case ir::Op::SampleCLz:
    if (!TextureSampler::knowsSample(op, view))
      return false;
    c = TextureSampler(context, op, view, used).sample(operands);
    break;
  case ir::Op::Gather4:
  case ir::Op::Gather4C:
  case ir::Op::Gather4Po:
  case ir::Op::Gather4PoC:
    if (!TextureSampler::knowsGather(op, view))
      return false;
    c = TextureSampler(context, op, view, used).gather(operands);
    break;
  case ir::Op::Lod:
    if (!TextureSampler::knowsSample(op, view))
      return false;
    TextureSampler(context, op, view, used).queryLod(operands, results);
    return true;
  case ir::Op::Ld:
  case ir::Op::LdMs:
  case ir::Op::LdRaw:
  case ir::Op::LdStructured:
    if (!knowsLoad(op, view))
      return false;
    c = emitLoad(context, op, view, operands);
    break;
  default: return false;
  }
  for (unsigned k = 0; k < 4 && k < op.resultCount; k++)
    results[k] = c.c[k];
  return true;
}

/// Numbers about a view or the render targets; twins in resource_op.cpp.
class InfoEmitter {
public:
  InfoEmitter(const ResourceContext& context, const ResourceOp& op) : m_op(op)
  {
    if (op.rasterizer) // there may be no table of resources
      return;
    const Pointer resources = simd::loadPointer(context.bindings + int32_t(offsetof(abi::StageBindings, resources)));
    m_view = simd::loadPointer(resources + int32_t(op.resourceSlot * sizeof(void*)));
  }

  void size(Int mip, Int* results) const
  {
    const ir::ResourceDim dim = ir::ResourceDim(m_op.dim);
    const unsigned spatial = ir::spatialCount(dim);
    const bool cube = dim == ir::ResourceDim::TextureCube || dim == ir::ResourceDim::TextureCubeArray;
    const Int width = viewWord(m_view, offsetof(abi::TextureView, width)), mips = viewWord(m_view, offsetof(abi::TextureView, mips));
    const simd::Mask bound = simd::nonZero(width);
    const simd::Mask inside = bound & simd::belowUnsigned(mip, simd::maxSigned(mips, Int(1)));
    const auto level = [&](Int v) { return simd::maxSigned(simd::shr(v, mip), Int(1)) & inside; };
    for (unsigned k = 0; k < 3; k++)
      results[k] = number(Int(0), false);
    results[0] = number(level(width), true);
    if (spatial > 1)
      results[1] = number(level(viewWord(m_view, offsetof(abi::TextureView, height))), true);
    if (spatial > 2 && !cube)
      results[2] = number(level(viewWord(m_view, offsetof(abi::TextureView, depth))), true);
    if (ir::isArray(dim)) {
      const Int layers = viewWord(m_view, offsetof(abi::TextureView, layers));
      // At most 16384 cubes' faces: exact division by 6.
      const Int count = cube ? simd::shr(layers * Int(0xaaab), 18) : layers;
      results[spatial > 1 ? 2 : 1] = number(count & bound, false);
    }
    results[3] = number(mips & bound, false);
  }
  Int elements() const { return viewWord(m_view, offsetof(abi::TextureView, width)); }
  Int samples() const { return number(count(), false); }
  /// Position of a sample; zero if there is no such sample.
  void position(Int index, Int* results) const
  {
    // Patterns of n samples begin at entry n - 1.
    static const std::array<float, 62> kPositions = [] {
      std::array<float, 62> all = {};
      for (uint32_t n = 1; n <= abi::kMaxSamples; n *= 2)
        for (uint32_t s = 0; s < n; s++) {
          all[2 * (n - 1 + s)] = float(abi::samplePositions(n)[s].x) / 16.0f;
          all[2 * (n - 1 + s) + 1] = float(abi::samplePositions(n)[s].y) / 16.0f;
        }
      return all;
    }();
    const Int n = count();
    const simd::Mask valid = simd::belowUnsigned(index, n);
    const Pointer table = simd::constantTable(kPositions.data(), sizeof kPositions);
    const Int entry = simd::shl(n - Int(1) + index, 3);
    for (int k = 0; k < 2; k++)
      results[k] = simd::gather(table + 4 * k, entry, 1, valid, Int(0));
  }

private:
  Int count() const
  {
    if (m_op.rasterizer)
      return Int(int32_t(m_op.rasterizer));
    const Int n = simd::broadcast(simd::loadUnsigned8(m_view + int32_t(offsetof(abi::TextureView, samples))));
    return n & simd::nonZero(viewWord(m_view, offsetof(abi::TextureView, width)));
  }
  /// As the instruction wants it: 0 float, 1 reciprocal, 2 uint.
  Int number(Int v, bool reciprocal) const
  {
    if (m_op.component == 2)
      return v;
    const simd::Float f = simd::toFloat(v);
    return simd::asInt(reciprocal && m_op.component == 1 ? simd::Float(1.0f) / f : f);
  }

  const ResourceOp& m_op;
  Pointer m_view;
};

bool emitInfo(const ResourceContext& context, const ResourceOp& op, const ViewKey& view, const Int* operands, Int* results)
{
  const ir::Op kind = ir::Op(op.op);
  if (kind != ir::Op::ResInfo && kind != ir::Op::BufInfo && kind != ir::Op::SampleInfo && kind != ir::Op::SamplePos)
    return false;
  if (!op.rasterizer && !sameDimensionClass(ir::ResourceDim(op.dim), view.dimension))
    return false;
  const InfoEmitter info(context, op);
  switch (kind) {
  case ir::Op::ResInfo: info.size(operands[0], results); break;
  case ir::Op::BufInfo: results[0] = info.elements(); break;
  case ir::Op::SamplePos: info.position(operands[0], results); break;
  default: results[0] = info.samples(); break;
  }
  return true;
}

} // namespace

void emitResourceOp(const ResourceContext& context, const ir::Function& function, const ir::Instruction& instruction,
                    const Int* operands, Int* results, simd::Mask)
{
  ResourceOp op = makeResourceOp(function, instruction);
  op.quadShape = uint8_t(context.lanes == LaneOrder::Quad ? QuadShape::Rows : QuadShape::None);
  if (op.hasSampler && op.samplerSlot < context.samplerCount)
    op.sampler = context.samplers[op.samplerSlot];
  if (op.rasterizer)
    op.rasterizer = uint8_t(context.targetSamples);
  if (op.rasterizer && emitInfo(context, op, ViewKey(), operands, results))
    return;
  const bool known = op.resourceSlot < context.viewCount && (!op.hasSampler || op.samplerSlot < context.samplerCount);
  if (known && !op.rasterizer) {
    const bool status = op.flags & ir::kFlagStatus;
    if (emitInfo(context, op, context.views[op.resourceSlot], operands, results))
      return;
    if (emitGenerated(context, op, context.views[op.resourceSlot], usedResults(function, instruction), operands, results)) {
      if (status)
        results[op.resultCount - 1] = Int(-1);
      return;
    }
  }
  if (base::logEnabled(base::LogLevel::Debug)) {
    const ViewKey key = op.resourceSlot < context.viewCount ? context.views[op.resourceSlot] : ViewKey();
    base::logLine(base::LogLevel::Debug, "codegen: %s of t%u calls the scalar twin (format %u, dimension %u)", ir::opInfo(instruction.op).name,
                  op.resourceSlot, unsigned(key.format), unsigned(key.dimension));
  }
  emitTwinCall(context, op, operands, results);
}

} // namespace monolith::codegen
