// SPDX-License-Identifier: MIT
#include "codegen/resource_ops.h"

#include "base/log.h"
#include "codegen/resource_op.h"
#include "codegen/texture_load.h"
#include "codegen/texture_sampler.h"
#include "ir/function.h"
#include "simd/simd.h"

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
  const bool known = op.resourceSlot < context.viewCount && (!op.hasSampler || op.samplerSlot < context.samplerCount);
  if (known && !op.rasterizer) {
    const bool status = op.flags & ir::kFlagStatus;
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
