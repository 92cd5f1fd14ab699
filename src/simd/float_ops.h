// SPDX-License-Identifier: MIT
/// @file
/// Operations on Float and Mask. Nothing is fused or reordered unless the name says so.
#pragma once

#include "simd/value.h"

namespace monolith::simd {

Float operator+(Float a, Float b);
Float operator-(Float a, Float b);
Float operator*(Float a, Float b);
Float operator/(Float a, Float b);
/// Flips the sign bit.
Float operator-(Float a);
Float abs(Float a);
Float sqrt(Float a);
/// a * b + c with one rounding.
Float fma(Float a, Float b, Float c);
/// -(a * b) + c with one rounding.
Float fnma(Float a, Float b, Float c);
/// a * b - c with one rounding.
Float fms(Float a, Float b, Float c);

/// The instruction's minimum: b if either is NaN (or both are zero).
Float minSecond(Float a, Float b);
Float maxSecond(Float a, Float b);
/// The other operand if one is NaN (IEEE minNum); two zeros give b.
Float minNumber(Float a, Float b);
Float maxNumber(Float a, Float b);
/// Clamp to [0,1]; NaN gives 0.
Float saturate(Float a);
/// Clamp to [low,high]; NaN gives low.
Float clamp(Float a, Float low, Float high);

Float floor(Float a);
Float ceil(Float a);
Float trunc(Float a);
Float roundEven(Float a);

/// Comparisons: ordered (false with NaN), except notEqual, which is true with NaN.
Mask operator==(Float a, Float b);
Mask operator!=(Float a, Float b);
Mask operator<(Float a, Float b);
Mask operator<=(Float a, Float b);
Mask operator>(Float a, Float b);
Mask operator>=(Float a, Float b);
Mask isNan(Float a);
/// Neither is NaN.
Mask ordered(Float a, Float b);

Mask operator&(Mask a, Mask b);
Mask operator|(Mask a, Mask b);
Mask operator^(Mask a, Mask b);
Mask operator~(Mask a);
/// a & ~b.
Mask andNot(Mask a, Mask b);
Float operator&(Float a, Mask m);
Int operator&(Int a, Mask m);

/// mask ? a : b.
Float select(Mask mask, Float a, Float b);
Int select(Mask mask, Int a, Int b);
Mask select(Mask mask, Mask a, Mask b);
Double select(Mask mask, Double a, Double b);
/// reg = mask ? value : reg, in place (a register of a Var or of newRegisterLike).
void assignMasked(Int reg, Mask mask, Int value);
/// Lanes chosen while recording: bit i of `lanes` takes lane i of a, else of b.
Float blend(uint32_t lanes, Float a, Float b);
Int blend(uint32_t lanes, Int a, Int b);

/// Bit i = lane i.
Word laneBits(Mask mask);
Word signBits(Float a);
/// Mask from the low bits of a word: lane i = bit i.
Mask maskFromBits(Word bits);

Condition any(Mask mask);
Condition none(Mask mask);
Condition all(Mask mask);
Condition notAll(Mask mask);

/// Reinterpretations: no instruction.
inline Int asInt(Float a) { return Int::fromId(a.id); }
inline Int asInt(Mask a) { return Int::fromId(a.id); }
inline Float asFloat(Int a) { return Float::fromId(a.id); }
inline Float asFloat(Mask a) { return Float::fromId(a.id); }
/// The caller knows that each lane is all ones or zero.
inline Mask asMask(Int a) { return Mask::fromId(a.id); }

/// Conversions. toIntTruncate/toIntRound: out of range and NaN give 0x80000000 (the instruction's answer).
Int toIntTruncate(Float a);
Int toIntRound(Float a);
Float toFloat(Int a);
/// Unsigned 32-bit to float, correctly rounded.
Float toFloatUnsigned(Int a);
/// D3D rules: truncation, NaN gives 0, out of range saturates.
Int toIntSaturate(Float a);
Int toUintSaturate(Float a);
/// IEEE half in the low 16 bits of each lane. Values below the halves' range keep halves' denormals.
Float halfToFloat(Int a);
/// Round to nearest even; result in the low 16 bits of each lane.
Int floatToHalf(Float a);
/// The same with packed halves; `rounding` 0 = nearest even, 3 = toward zero.
Float halfToFloat(Int4 a);
Int4 floatToHalfPacked(Float a, int rounding = 0);

} // namespace monolith::simd
