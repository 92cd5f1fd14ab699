// SPDX-License-Identifier: MIT
/// @file
/// From a checked program to the bytes of a container: lowering, optimisation, packing, registers, instructions. A hull
/// shader goes through it in parts, one a phase; every other shader is one part.
#pragma once

#include "compiler/compile.h"
#include "compiler/lower/module.h"
#include "dxbc/library.h"

namespace monolith::compiler {

/// Fills result.container; false after an error.
bool generate(Program& program, FunctionDecl& entry, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, CompileResult& result);

/// Each function as the container of a LIBF chunk, and the slots of what they use. False after an error.
bool generateLibrary(Program& program, std::span<FunctionDecl* const> functions, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, dxbc::Library& library);

} // namespace monolith::compiler
