// SPDX-License-Identifier: MIT
/// @file
/// From a checked program to the bytes of a container: lowering, optimisation, packing, registers, instructions. A hull
/// shader goes through it in parts, one a phase; every other shader is one part.
#pragma once

#include "compiler/compile.h"
#include "compiler/lower/module.h"

namespace monolith::compiler {

/// Fills result.container; false after an error.
bool generate(Program& program, FunctionDecl& entry, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, CompileResult& result);

} // namespace monolith::compiler
