// SPDX-License-Identifier: MIT
/// @file
/// The entry function of a graph, as a syntax tree.
#pragma once

#include "compiler/library/graph.h"
#include "compiler/library/link.h"
#include "compiler/syntax/ast.h"

namespace monolith::compiler {

/// `functions` are those that the nodes call, by node. What is made refers to strings of the graph.
FunctionDecl* graphEntry(Program& program, const Graph& graph, const std::vector<FunctionDecl*>& functions);

/// Adds outputs SV_ClipDistance: the distances of the position from planes in constant buffers. The message, if that
/// is not possible.
std::string addClipPlanes(Program& program, FunctionDecl& entry, const std::vector<ClipPlane>& planes);

/// The type of a parameter; error type if it is none.
const Type* typeOf(TypeTable& types, const dxbc::LibraryParameter& parameter);

} // namespace monolith::compiler
