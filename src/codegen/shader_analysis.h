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
  bool outputsInFlow = false;   ///< outputs are stored inside control flow
  bool readsInnerCoverage = false;
  bool uniformOutputs = false;  ///< all outputs are the same for every pixel of a primitive
};

class Program;
/// True if the shader may drop pixels (discard, coverage output).
bool killsPixels(const Program& program);

ShaderAnalysis analyseShader(const ir::Function& function);

} // namespace monolith::codegen
