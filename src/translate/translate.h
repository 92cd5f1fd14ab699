// SPDX-License-Identifier: MIT
/// @file
/// DXBC to IR: the one entry of this room.
#pragma once

#include "ir/function.h"

#include <memory>
#include <string>
#include <vector>

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

/// One fork or join phase of a hull shader.
struct HullPhase {
  bool join = false;
  uint32_t instances = 1;
  std::unique_ptr<ir::Function> function;
};

/// A hull shader as one function a phase, or the reason why there is none. A lane of the control point function is one
/// output control point; a lane of a fork or join function is one (patch, instance). Fork and join phases run in order.
struct HullResult {
  std::unique_ptr<ir::Function> controlPoint; ///< null: each output control point is the input point of its number
  std::vector<HullPhase> phases;
  std::string error;
  explicit operator bool() const { return error.empty(); }
};

/// Translates a hull shader that passed dxbc::validateShader. The control point function stores outputs (StoreOutput);
/// fork and join functions store patch constants (StorePatchConstant: register + index beyond 31 is dropped by the
/// executor) and may load input points (LoadVertexInput), output points (LoadOutputPoint) and, in join phases, patch
/// constants. OutputDecl::system of patch constants tells tessellation factors.
HullResult translateHull(const dxbc::Shader& shader, const Options& options = {});

/// Translates a shader of another stage that passed dxbc::validateShader. Any thread; the shader is only read. Stages and instructions
/// that are not handled give an error text; never crashes on shaders that validation wrongly let through.
Result translate(const dxbc::Shader& shader, const Options& options = {});

} // namespace monolith::translate
