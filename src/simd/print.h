// SPDX-License-Identifier: MIT
/// @file
/// Printing from inside generated code, for debugging: all lanes of a value to stderr.
#pragma once

#include "simd/value.h"

namespace monolith::simd {

/// `text` must live as long as the code (a literal).
void print(const char* text, Float value);
void print(const char* text, Int value);
void print(const char* text, Mask value);
void print(const char* text, Word value);

} // namespace monolith::simd
