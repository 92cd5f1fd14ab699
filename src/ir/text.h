// SPDX-License-Identifier: MIT
/// @file
/// The text form of a function, and the way back. print and read are inverse: read(print(f)) prints the same.
///
///   shader pixel
///   input 0 xy linear
///   output 0 xyzw
///   cbuffer 0 4
///   resource 0 2d float float float float
///   sampler 0 default
///   variables 1
///
///   %0 = LoadInput #0.x
///   %1 %2 = UMul %0, 0x3
///   If %0
///     StoreVar $0, 1.5
///   EndIf
///   %3 %4 %5 %6 = Sample t0, s0, offset(1 0 0), %0, %1
///
/// Operands are values (%name) or constants: hexadecimal or decimal words, or floats (with a point). t, s, u and g
/// numbers are positions in the tables above, in order of their lines. A semicolon starts a comment.
#pragma once

#include "ir/function.h"

#include <memory>
#include <string>
#include <string_view>

namespace monolith::ir {

std::string print(const Function& f);

struct ReadResult {
  std::unique_ptr<Function> function; ///< linked; null on error
  std::string error;                  ///< "line N: ..."
  explicit operator bool() const { return function != nullptr; }
};

/// Reads a function. Any input is safe; call verify() before running what came from outside.
ReadResult read(std::string_view text);

} // namespace monolith::ir
