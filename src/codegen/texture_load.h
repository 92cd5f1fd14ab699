// SPDX-License-Identifier: MIT
/// @file
/// Generated unfiltered reads: ld, ld2dms, typed, raw and structured buffers. Out of range gives 0 (22.4.6).
#pragma once

#include "codegen/resource_op.h"
#include "codegen/resource_ops.h"
#include "codegen/texel.h"

namespace monolith::codegen {

/// True if `emitLoad` knows the operation for this view.
bool knowsLoad(const ResourceOp& op, const ViewKey& view);

/// Ld, LdMs, LdRaw, LdStructured.
Channels emitLoad(const ResourceContext& context, const ResourceOp& op, const ViewKey& view, const simd::Int* operands);

} // namespace monolith::codegen
