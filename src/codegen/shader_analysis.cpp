// SPDX-License-Identifier: MIT
#include "codegen/shader_analysis.h"

#include "codegen/program.h"
#include "ir/function.h"

namespace monolith::codegen {

bool killsPixels(const Program& program)
{
  return program.usesDiscard || (program.function && (program.function->usesDiscard || program.function->writesCoverage));
}

ShaderAnalysis analyseShader(const ir::Function& function)
{
  ShaderAnalysis a;
  a.uniformOutputs = true;
  int depth = 0;
  for (const ir::Instruction& i : function.instructions) {
    const ir::OpInfo& info = ir::opInfo(i.op);
    if (info.flags & ir::kOpQuad)
      a.needsQuads = true;
    switch (i.op) {
    case ir::Op::If:
    case ir::Op::Loop:
    case ir::Op::Block: depth++; break;
    case ir::Op::EndIf:
    case ir::Op::EndLoop:
    case ir::Op::EndBlock: depth--; break;
    case ir::Op::StoreOutput: a.outputsInFlow |= depth > 0; break;
    case ir::Op::LoadInput: {
      const ir::InputDecl* decl = function.findInput(i.attr, i.attr2);
      if (!decl || decl->system != ir::SystemValue::None || decl->interpolation != ir::Interpolation::Constant)
        a.uniformOutputs = false;
      break;
    }
    case ir::Op::LoadSystem:
      a.readsInnerCoverage |= ir::SystemValue(i.attr) == ir::SystemValue::InnerCoverage;
      if (ir::SystemValue(i.attr) != ir::SystemValue::PrimitiveId && ir::SystemValue(i.attr) != ir::SystemValue::IsFrontFace)
        a.uniformOutputs = false;
      break;
    case ir::Op::StoreDepth: a.outputsInFlow |= depth > 0; [[fallthrough]];
    case ir::Op::StoreCoverage:
    case ir::Op::StoreStencilRef:
    case ir::Op::Discard: a.uniformOutputs = false; break;
    default:
      if (info.divergence == ir::Divergence::Varying && i.op != ir::Op::StoreOutput)
        a.uniformOutputs = false;
      break;
    }
  }
  if (a.uniformOutputs)
    a.needsQuads = false;
  return a;
}

} // namespace monolith::codegen
