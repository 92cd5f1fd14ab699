// SPDX-License-Identifier: MIT
/// @file
/// Records the body of a shader: IR to the SIMD language.
#pragma once

#include "codegen/shader_host.h"

namespace monolith::codegen {

/// Records all of `function` at the current place. `active`: lanes that run.
void emitShader(const ir::Function& function, ShaderHost& host, simd::Mask active);

} // namespace monolith::codegen
