// SPDX-License-Identifier: MIT
#include "codegen/resource_ops.h"

#include "codegen/resource_op.h"
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

void emitTwinCall(const ResourceContext& context, const ResourceOp& op, const Int* operands, Int* results)
{
  const Pointer words = simd::Function::currentStack(32 * (kMaxOperands + kMaxResults));
  for (unsigned k = 0; k < op.operandCount && k < kMaxOperands; k++)
    simd::store(words + int32_t(32 * k), operands[k]);
  simd::call(simd::addressOf(&callTwin), {simd::constantTable(&op, sizeof op), context.bindings, words});
  for (unsigned k = 0; k < op.resultCount; k++)
    results[k] = k < kMaxResults ? simd::loadInt(words + int32_t(32 * (kMaxOperands + k))) : Int(0);
}

} // namespace

void emitResourceOp(const ResourceContext& context, const ir::Function& function, const ir::Instruction& instruction,
                    const Int* operands, Int* results, simd::Mask)
{
  ResourceOp op = makeResourceOp(function, instruction);
  op.quadShape = uint8_t(context.lanes == LaneOrder::Quad ? QuadShape::Rows : QuadShape::None);
  if (op.hasSampler && op.samplerSlot < context.samplerCount)
    op.sampler = context.samplers[op.samplerSlot];
  emitTwinCall(context, op, operands, results);
}

} // namespace monolith::codegen
