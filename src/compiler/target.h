// SPDX-License-Identifier: MIT
/// @file
/// Names of targets.
#pragma once

#include "compiler/lower/module.h"

namespace monolith::compiler {

/// Reads "ps_5_0", "vs_4_0_level_9_1", "lib_4_0_level_9_3_ps_only"; false if there is no such target.
bool parseTarget(const std::string& name, Target& target);
/// True for names of library targets, known or not.
bool isLibraryTarget(std::string_view name);

} // namespace monolith::compiler
