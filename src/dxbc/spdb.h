// SPDX-License-Identifier: MIT
/// @file
/// SPDB: the program database that Microsoft's newer compilers put into a container. Only files and lines are read.
#pragma once

#include "dxbc/debug_info.h"

namespace monolith::dxbc {

/// Files and the line of every instruction of `shader`, which the database belongs to.
Result<DebugInfo> parseSpdb(std::span<const uint8_t> data, const Shader& shader);

} // namespace monolith::dxbc
