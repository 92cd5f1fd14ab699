// SPDX-License-Identifier: MIT
/// @file
/// Linking as a plain function: libraries with the places of their resources, and an entry (a graph, or a function of a
/// library), to the container of a shader. The libraries' sources are parsed into one program; calls are inlined as
/// ever, so that a linked shader is the same as one written by hand.
#pragma once

#include "compiler/compile.h"
#include "compiler/library/graph.h"

namespace monolith::compiler {

/// Resources of kind `from` (b, t, s, u) in slots [source, source + count) go to slots of kind `to` from `target` on.
struct Rebinding {
  char from = 0, to = 0;
  uint32_t source = 0, count = 1, target = 0;
  uint32_t offset = 0; ///< constant buffers: bytes
};

struct LinkedLibrary {
  const dxbc::Library* library = nullptr;
  std::string space; ///< namespace; may be empty
  std::vector<Rebinding> rebindings; ///< the last that fits holds
};

/// Coefficients of a clip plane: a register of a constant buffer.
struct ClipPlane {
  uint32_t slot = 0, entry = 0;
};

struct LinkRequest {
  std::string target;
  std::vector<LinkedLibrary> libraries;
  const Graph* graph = nullptr; ///< null: `entry` is a function of the first library
  std::string entry;
  std::vector<ClipPlane> clipPlanes;
};

CompileResult link(const LinkRequest& request);

} // namespace monolith::compiler
