// SPDX-License-Identifier: MIT
/// @file
/// Recording of a vertex kernel (abi/vertex_args.h): fetch, shader, screen position, clip codes, packets.
#pragma once

#include "codegen/vertex_key.h"
#include "simd/function.h"

namespace monolith::codegen {

/// Empty if no code could be made.
simd::Routine recordVertexKernel(const VertexDescription& description);

} // namespace monolith::codegen
