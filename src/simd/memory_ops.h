// SPDX-License-Identifier: MIT
/// @file
/// Loads, stores, gathers. Nothing is bounds-checked here: the caller clamps or masks.
#pragma once

#include "simd/value.h"
#include <cstddef>

namespace monolith::simd {

/// Unaligned loads (as fast as aligned ones where the address is aligned).
Float loadFloat(Pointer p);
Int loadInt(Pointer p);
Mask loadMask(Pointer p);
Int4 loadInt4(Pointer p);
/// 64 or 32 bits into the low part, zero above.
Int4 loadLow64(Pointer p);
Int4 loadLow32(Pointer p);
Word loadWord(Pointer p);
Word loadUnsigned16(Pointer p);
Word loadUnsigned8(Pointer p);
Word loadSigned16(Pointer p);
Word loadSigned8(Pointer p);
Long loadLong(Pointer p);
/// 32 bits, zero-extended.
Long loadLongUnsigned32(Pointer p);
Pointer loadPointer(Pointer p);
/// One value into all lanes.
Float broadcastFloat(Pointer p);
Int broadcastInt(Pointer p);
/// 128 bits into both halves.
Int broadcast128(Pointer p);
/// Loads with widening to 32 bits: 16, 16, 8, 8 bytes of memory.
Int loadWidenUnsigned16(Pointer p);
Int loadWidenSigned16(Pointer p);
Int loadWidenUnsigned8(Pointer p);
Int loadWidenSigned8(Pointer p);
Float loadHalves(Pointer p);
/// 64 bits into the low or high half of the low 128 bits, keeping the rest.
Int4 loadLow64Into(Int4 a, Pointer p);
Int4 loadHigh64Into(Int4 a, Pointer p);
Int4 insertWord(Int4 a, int lane, Pointer p);
/// `low` with 128 bits from memory above.
Int combine128(Int4 low, Pointer high);

void store(Pointer p, Float value);
void store(Pointer p, Int value);
void store(Pointer p, Mask value);
void store(Pointer p, Int4 value);
void storeLow64(Pointer p, Int4 value);
void storeHigh64(Pointer p, Int4 value);
void storeLow32(Pointer p, Int4 value);
void store(Pointer p, Word value);
void store16(Pointer p, Word value);
void store8(Pointer p, Word value);
void store(Pointer p, Long value);
void store(Pointer p, Pointer value);
/// Past the caches; p is 32-byte aligned.
void storeStream(Pointer p, Int value);
void fence();
/// Lanes whose mask is set; others are untouched. Slow (12 cycles on Zen): prefer load, select, store.
void storeMasked(Pointer p, Mask mask, Int value);
Int loadMasked(Pointer p, Mask mask);

/// lane i = mask ? load(base + index[i] * scale) : fallback. Indices are signed 32-bit.
Int gather(Pointer base, Int index, int scale, Mask mask, Int fallback);
Int gather(Pointer base, Int index, int scale);
Float gatherFloat(Pointer base, Int index, int scale, Mask mask, Float fallback);

/// A table of constants next to the code (deduplicated, 32-byte aligned).
Pointer constantTable(const void* data, size_t bytes);

} // namespace monolith::simd
