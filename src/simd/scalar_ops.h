// SPDX-License-Identifier: MIT
/// @file
/// Scalar work in general registers: addresses, counters, conditions.
#pragma once

#include "simd/value.h"

namespace monolith::simd {

Word operator+(Word a, Word b);
Word operator-(Word a, Word b);
Word operator*(Word a, Word b);
Word operator&(Word a, Word b);
Word operator|(Word a, Word b);
Word operator^(Word a, Word b);
Word operator~(Word a);
Word shl(Word a, int count);
Word shr(Word a, int count);
Word sar(Word a, int count);
/// Variable counts (low 5 bits count).
Word shl(Word a, Word count);
Word shr(Word a, Word count);
Word sar(Word a, Word count);
/// Quotient; the divisor must not be 0.
Word divUnsigned(Word a, Word b);
Word minUnsigned(Word a, Word b);
Word maxUnsigned(Word a, Word b);
Word minSigned(Word a, Word b);
Word maxSigned(Word a, Word b);
Word popcount(Word a);
/// Trailing zeros; 32 for 0.
Word countTrailingZeros(Word a);
/// Leading zeros; 32 for 0.
Word countLeadingZeros(Word a);
/// Clears the lowest one bit.
Word clearLowestBit(Word a);

Long operator+(Long a, Long b);
Long operator-(Long a, Long b);
Long operator*(Long a, Long b);
Long operator&(Long a, Long b);
Long operator|(Long a, Long b);
Long shl(Long a, int count);
Long shr(Long a, int count);
Long toLongSigned(Word a);
Long toLongUnsigned(Word a);
/// Low 32 bits.
Word toWord(Long a);

/// Signed comparisons.
Condition operator==(Word a, Word b);
Condition operator!=(Word a, Word b);
Condition operator<(Word a, Word b);
Condition operator<=(Word a, Word b);
Condition operator>(Word a, Word b);
Condition operator>=(Word a, Word b);
Condition belowUnsigned(Word a, Word b);
Condition belowEqualUnsigned(Word a, Word b);
/// (a & b) != 0.
Condition test(Word a, Word b);
Condition operator==(Long a, Long b);
Condition operator!=(Long a, Long b);
Condition operator<(Long a, Long b);
Condition belowUnsigned(Long a, Long b);
Condition belowEqualUnsigned(Long a, Long b);
Condition isNull(Pointer p);
Condition operator!(Condition c);
Word select(Condition c, Word a, Word b);
Long select(Condition c, Long a, Long b);
Pointer select(Condition c, Pointer a, Pointer b);
/// Subtracts and tells whether the result is negative. Use the condition at once.
Condition subtractIsNegative(Var<Long>& counter, int32_t amount);

/// Address arithmetic.
Pointer operator+(Pointer p, int32_t bytes);
Pointer operator+(Pointer p, Long bytes);
/// Signed 32-bit index, scaled by 1, 2, 4 or 8.
Pointer indexed(Pointer p, Word index, int scale = 1);
Pointer indexed(Pointer p, Long index, int scale = 1);
/// The address as a number, and back.
Long toLong(Pointer p);
inline Pointer toPointer(Long a) { return Pointer::fromId(a.id); }
/// A known address of this process.
Pointer constantPointer(const void* address);

} // namespace monolith::simd
