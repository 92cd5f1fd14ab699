// SPDX-License-Identifier: MIT
/// @file
/// Operations on Int: 32-bit lanes, and the packed 8- and 16-bit work of format conversion.
#pragma once

#include "simd/value.h"

namespace monolith::simd {

Int operator+(Int a, Int b);
Int operator-(Int a, Int b);
Int operator-(Int a);
Int operator*(Int a, Int b);
Int operator&(Int a, Int b);
Int operator|(Int a, Int b);
Int operator^(Int a, Int b);
Int operator~(Int a);
/// a & ~b.
Int andNot(Int a, Int b);
/// Shift by a constant (0..31; 32 or more gives 0, or the sign for sar).
Int shl(Int a, int count);
Int shr(Int a, int count);
Int sar(Int a, int count);
inline Int operator<<(Int a, int count) { return shl(a, count); }
/// Logical shift right.
inline Int operator>>(Int a, int count) { return shr(a, count); }
/// Shift each lane by its own count; counts of 32 or more give 0 (sar: the sign).
Int shl(Int a, Int counts);
Int shr(Int a, Int counts);
Int sar(Int a, Int counts);
Int minSigned(Int a, Int b);
Int maxSigned(Int a, Int b);
Int minUnsigned(Int a, Int b);
Int maxUnsigned(Int a, Int b);
Int abs(Int a);
/// Upper 32 bits of the 64-bit products.
Int mulHighSigned(Int a, Int b);
Int mulHighUnsigned(Int a, Int b);
/// 32-bit division per lane; a zero divisor gives all ones in quotient and remainder.
Int divUnsigned(Int a, Int b);
Int modUnsigned(Int a, Int b);

Mask operator==(Int a, Int b);
Mask operator!=(Int a, Int b);
/// Signed.
Mask operator<(Int a, Int b);
Mask operator>(Int a, Int b);
Mask operator<=(Int a, Int b);
Mask operator>=(Int a, Int b);
Mask belowUnsigned(Int a, Int b);
Mask belowEqualUnsigned(Int a, Int b);
/// Lanes that are not zero.
Mask nonZero(Int a);

/// Per lane: population count; zeros above the highest one bit (32 for 0); index of the lowest one bit (-1 if
/// none); bit reversal.
Int countBits(Int a);
Int leadingZeros(Int a);
Int firstBitLow(Int a);
Int reverseBits(Int a);

/// Lane permutation by constants: result lane i = a[order[i]].
Int permute(Int a, const std::array<int, kLanes>& order);
Float permute(Float a, const std::array<int, kLanes>& order);
/// Within each group of four lanes: result lane i = a[(order >> 2i) & 3].
Int shuffle4(Int a, int order);
Float shuffle4(Float a, int order);
/// Per-lane indices 0..7 (only the low 3 bits count).
Int permute(Int a, Int indices);
Float permute(Float a, Int indices);
/// vshufps: per 128 bits two lanes of a, then two of b.
Int shuffle22(Int a, Int b, int order);
/// Interleave within each 128 bits.
Int unpackLow32(Int a, Int b);
Int unpackHigh32(Int a, Int b);
Int unpackLow64(Int a, Int b);
Int unpackHigh64(Int a, Int b);
Int unpackLow16(Int a, Int b);
Int unpackHigh16(Int a, Int b);
Int unpackLow8(Int a, Int b);
Int unpackHigh8(Int a, Int b);
/// Bytes within each 128 bits: result byte i = bytes[i] & 0x80 ? 0 : a[bytes[i] & 15].
Int shuffleBytes(Int a, const std::array<uint8_t, 16>& bytes);
Int4 shuffleBytes(Int4 a, const std::array<uint8_t, 16>& bytes);
/// vperm2i128 and vpermq.
Int permute128(Int a, Int b, int order);
Int permute64(Int a, int order);

/// Packing with saturation, within each 128 bits.
Int packSigned32To16(Int a, Int b);
Int packUnsigned32To16(Int a, Int b);
Int packSigned16To8(Int a, Int b);
Int packUnsigned16To8(Int a, Int b);

/// 16-bit lanes.
Int add16(Int a, Int b);
Int sub16(Int a, Int b);
Int mulLow16(Int a, Int b);
Int mulHighUnsigned16(Int a, Int b);
Int mulHighSigned16(Int a, Int b);
/// (a * b + 0x4000) >> 15.
Int mulHighRound16(Int a, Int b);
Int shl16(Int a, int count);
Int shr16(Int a, int count);
Int sar16(Int a, int count);
Int minUnsigned16(Int a, Int b);
Int maxUnsigned16(Int a, Int b);
/// Pairs of 16-bit products added to 32 bits.
Int mulAddPairs16(Int a, Int b);
/// 8-bit lanes.
Int add8(Int a, Int b);
/// ~0 in bytes that are equal.
Int equal8(Int a, Int b);
Int addSaturateUnsigned8(Int a, Int b);
Int subSaturateUnsigned8(Int a, Int b);
Int minUnsigned8(Int a, Int b);
Int maxUnsigned8(Int a, Int b);
Int averageUnsigned8(Int a, Int b);
/// Unsigned bytes of a times signed bytes of b, pairs added to 16 bits with saturation.
Int mulAddPairsUnsigned8(Int a, Int b);

/// 128-bit halves.
Int4 low128(Int a);
Int4 high128(Int a);
Int combine128(Int4 low, Int4 high);
/// Widening of packed narrow values to 32 bits.
Int widenUnsigned16(Int4 a);
Int widenSigned16(Int4 a);
Int widenUnsigned8(Int4 a);
Int widenSigned8(Int4 a);
/// 16 bytes to 16 shorts.
Int widenUnsigned8To16(Int4 a);
/// Narrowing 8 x 32 bits to 8 x 16 and 8 x 8 (low 8 bytes) in lane order; signed input, saturating.
Int4 narrowUnsigned16(Int a);
Int4 narrowSigned16(Int a);
Int4 narrowUnsigned8(Int a);
Int4 narrowSigned8(Int a);

/// Lane access (lane known while recording).
Word extract(Int a, int lane);
Int insert(Int a, int lane, Word value);
Int4 insert4(Int4 a, int lane, Word value);
Word extract4(Int4 a, int lane);
Long extractLong(Int4 a, int lane);
Int broadcast(Word a);
Float broadcastFloat(Word bits);
Int broadcastLane(Int a, int lane);

/// {0, 1, 2, ... kLanes-1}.
Int laneIndices();

} // namespace monolith::simd
