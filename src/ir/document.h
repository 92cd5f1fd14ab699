// SPDX-License-Identifier: MIT
/// @file
/// The reference of the IR as text (docs/ir.md), made from ops.def.
#pragma once

#include <string>

namespace monolith::ir {

/// The whole of docs/ir.md.
std::string documentOperations();

} // namespace monolith::ir
