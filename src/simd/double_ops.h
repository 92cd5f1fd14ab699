// SPDX-License-Identifier: MIT
/// @file
/// Double: kLanes doubles in two registers. Register `low` holds lanes 0,1,4,5 and `high` lanes 2,3,6,7, which is
/// what interleaving two Ints of low and high words gives; masks come back in lane order.
#pragma once

#include "simd/value.h"

namespace monolith::simd {

Double makeDouble(Int lowWords, Int highWords);
Int lowWords(Double a);
Int highWords(Double a);

Double operator+(Double a, Double b);
Double operator-(Double a, Double b);
Double operator*(Double a, Double b);
Double operator/(Double a, Double b);
Double operator-(Double a);
Double abs(Double a);
Double fma(Double a, Double b, Double c);
/// b if either is NaN.
Double minSecond(Double a, Double b);
Double maxSecond(Double a, Double b);
/// The other operand if one is NaN.
Double minNumber(Double a, Double b);
Double maxNumber(Double a, Double b);
Mask operator==(Double a, Double b);
/// True with NaN.
Mask operator!=(Double a, Double b);
Mask operator<(Double a, Double b);
Mask operator<=(Double a, Double b);
Mask operator>(Double a, Double b);
Mask operator>=(Double a, Double b);
Mask isNan(Double a);
Double trunc(Double a);
Double floor(Double a);

Double toDouble(Float a);
/// Signed and unsigned 32-bit integers, exact.
Double toDouble(Int a);
Double toDoubleUnsigned(Int a);
Float toFloat(Double a);
/// Truncation; NaN gives 0; out of range saturates.
Int toIntSaturate(Double a);
Int toUintSaturate(Double a);

/// Doubles keep denormals, floats flush them: recorded switch of the mode around double arithmetic.
void setFlushDenormals(bool flush);

} // namespace monolith::simd
