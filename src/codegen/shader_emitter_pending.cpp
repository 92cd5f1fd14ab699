// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "codegen/shader_emitter.h"

namespace monolith::codegen {

void emitShader(const ir::Function&, ShaderHost&, simd::Mask) { base::logOnce("codegen: the shader emitter is not built yet"); }

} // namespace monolith::codegen
