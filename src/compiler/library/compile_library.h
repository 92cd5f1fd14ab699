// SPDX-License-Identifier: MIT
/// @file
/// Libraries: which functions of a source they have, and their containers.
#pragma once

#include "compiler/generate.h"

namespace monolith::compiler {

/// True if the function may be part of a library; else, if `diagnostics` is not null, says why not.
bool exportable(const Program& program, FunctionDecl& function, Diagnostics* diagnostics);

/// The functions marked `export`; if there is none, all that may be part of a library.
std::vector<FunctionDecl*> exportedFunctions(const Program& program, Diagnostics& diagnostics);

/// Compiles the functions of a parsed source; `text` is the source after preprocessing. False after an error.
bool compileLibrary(Program& program, const Target& target, const CompileRequest& request, std::string text, Diagnostics& diagnostics, CompileResult& result);

} // namespace monolith::compiler
