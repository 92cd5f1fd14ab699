// SPDX-License-Identifier: MIT
#include "codegen/resource_ops.h"

#include "base/log.h"
#include "ir/function.h"

namespace monolith::codegen {

void emitResourceOp(const ResourceContext&, const ir::Function&, const ir::Instruction& instruction, const simd::Int*,
                    simd::Int* results, simd::Mask)
{
  base::logOnce("codegen: reading shader resources is not built yet");
  for (unsigned k = 0; k < instruction.resultCount; k++)
    results[k] = simd::Int(0);
}

} // namespace monolith::codegen
