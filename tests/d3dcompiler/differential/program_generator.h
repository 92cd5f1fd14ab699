// SPDX-License-Identifier: MIT
/// @file
/// Random HLSL programs whose meaning is certain: well typed, every variable has a value, no division by zero, indices
/// within bounds, and numbers with fractions nowhere, so that no order of evaluation and no contraction changes a bit.
#pragma once

#include <cstdint>
#include <string>

namespace monolith::test {

/// The same seed gives the same text. The program is a pixel shader with the inputs float4 A, int4 B, uint4 C (from -16 to
/// 16, ints and uints any), a constant buffer of four registers each of such floats, ints and uints, and three outputs.
/// BRANCH and LOOP stand where an attribute of an if or of a loop with a known count may stand.
std::string generateProgram(uint64_t seed);

} // namespace monolith::test
