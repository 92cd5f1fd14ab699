// SPDX-License-Identifier: MIT
/// @file
/// Facts about a pixel shader that decide the shape of its kernel.
#pragma once

namespace monolith::ir {
class Function;
}

namespace monolith::codegen {

struct ShaderAnalysis {
  bool needsQuads = false;      ///< takes derivatives (also within sampling)
  bool uniformOutputs = false;  ///< all outputs are the same for every pixel of a primitive
};

ShaderAnalysis analyseShader(const ir::Function& function);

} // namespace monolith::codegen
