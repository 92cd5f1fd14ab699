// SPDX-License-Identifier: MIT
/// @file
/// Runs one foldable operation on plain words, for any number of lanes.
#pragma once

#include "ir/op.h"

namespace monolith::ir {

/// `operands[n]` and `results[n]` point at `lanes` words each. Only for operations with kOpFold. The caller holds a
/// FloatMode::Single; double operations switch the mode themselves.
void evaluateLanes(Op op, const uint32_t* const* operands, uint32_t* const* results, unsigned lanes);

/// One lane, mode set inside: `operands` and `results` are single words.
void evaluate(Op op, const uint32_t* operands, uint32_t* results);

} // namespace monolith::ir
