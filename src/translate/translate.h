// SPDX-License-Identifier: MIT
/// @file
/// DXBC to IR: the one entry of this room.
#pragma once

#include "ir/function.h"

#include <memory>
#include <string>

namespace monolith::dxbc {
struct Shader;
}

namespace monolith::translate {

struct Options {
  bool optimize = true; ///< run the passes of ir/passes/pipeline.h
};

/// A linked function, or the reason why there is none.
struct Result {
  std::unique_ptr<ir::Function> function;
  std::string error;
  explicit operator bool() const { return function != nullptr; }
};

/// Translates a shader that passed dxbc::validateShader. Any thread; the shader is only read. Stages and instructions
/// that are not handled give an error text; never crashes on shaders that validation wrongly let through.
Result translate(const dxbc::Shader& shader, const Options& options = {});

} // namespace monolith::translate
