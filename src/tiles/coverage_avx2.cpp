// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"

#include <immintrin.h>

namespace monolith::tiles {

namespace {

using Int8 = __m256i;

Int8 set(int32_t v) { return _mm256_set1_epi32(v); }
Int8 add(Int8 a, Int8 b) { return _mm256_add_epi32(a, b); }
uint32_t signs(Int8 v) { return uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(v))); }

/// Signs of v[0] (lowest byte) to v[7] as 64 bits: narrow to bytes keeping signs, then collect.
uint64_t collectSigns(const Int8* v)
{
  // Saturation keeps the sign. The packs work within 128-bit halves: bytes of the low half hold columns 0-3 of rows
  // 0-3 (then 4-7), those of the high half columns 4-7, in groups of four that the permutation interleaves.
  const Int8 order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const Int8 upper = _mm256_packs_epi16(_mm256_packs_epi32(v[0], v[1]), _mm256_packs_epi32(v[2], v[3]));
  const Int8 lower = _mm256_packs_epi16(_mm256_packs_epi32(v[4], v[5]), _mm256_packs_epi32(v[6], v[7]));
  const uint32_t low = uint32_t(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(upper, order)));
  const uint32_t high = uint32_t(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(lower, order)));
  return uint64_t(high) << 32 | low;
}

/// Walks rows of eight blocks. Every edge that cuts the tile is tested for every partly covered block: choosing among
/// them costs a mispredicted branch, more than the additions saved.
template <uint32_t Count> uint32_t walk(const TileEdges& in, abi::Block* out)
{
  const Int8 lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  // Value at the first pixel of each block of the current row; a * (0..7); steps; extremes within a block.
  Int8 blocks[Count], pixels[Count], stepY[Count], reject[Count], accept[Count];
  for (uint32_t k = 0; k < Count; ++k) {
    const Int8 zero = _mm256_setzero_si256(), a = set(in.a[k]), b = set(in.b[k]);
    pixels[k] = _mm256_mullo_epi32(a, lanes);
    blocks[k] = add(set(in.e[k] + in.b[k] * (in.by0 * 8)), _mm256_slli_epi32(pixels[k], 3));
    const Int8 high = add(_mm256_max_epi32(a, zero), _mm256_max_epi32(b, zero));
    const Int8 low = add(_mm256_min_epi32(a, zero), _mm256_min_epi32(b, zero));
    reject[k] = _mm256_sub_epi32(_mm256_slli_epi32(high, 3), high);
    accept[k] = _mm256_sub_epi32(_mm256_slli_epi32(low, 3), low);
    stepY[k] = b;
  }
  const uint32_t columns = (0xffu >> (7 - in.bx1)) & (0xffu << in.bx0);
  abi::Block* next = out;
  for (int32_t by = in.by0; by <= in.by1; ++by) {
    alignas(32) int32_t value[Count][8];
    Int8 none = add(blocks[0], reject[0]), some = add(blocks[0], accept[0]);
    for (uint32_t k = 1; k < Count; ++k) {
      none = _mm256_or_si256(none, add(blocks[k], reject[k]));
      some = _mm256_or_si256(some, add(blocks[k], accept[k]));
    }
    for (uint32_t k = 0; k < Count; ++k) {
      _mm256_store_si256(reinterpret_cast<Int8*>(value[k]), blocks[k]);
      blocks[k] = add(blocks[k], _mm256_slli_epi32(stepY[k], 3));
    }
    const uint32_t partial = signs(some), y = in.tileY + uint32_t(by) * 8;
    for (uint32_t live = columns & ~signs(none); live; live &= live - 1) {
      const uint32_t bx = uint32_t(__builtin_ctz(live));
      uint64_t mask = ~uint64_t(0);
      if ((partial >> bx) & 1u) {
        Int8 row[Count], outside[8];
        for (uint32_t k = 0; k < Count; ++k)
          row[k] = add(set(value[k][bx]), pixels[k]);
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) {
          outside[r] = row[0];
          for (uint32_t k = 1; k < Count; ++k)
            outside[r] = _mm256_or_si256(outside[r], row[k]);
          for (uint32_t k = 0; k < Count; ++k)
            row[k] = add(row[k], stepY[k]);
        }
        mask = ~collectSigns(outside);
      }
      *next = {mask, uint16_t(in.tileX + bx * 8), uint16_t(y), 0};
      next += mask != 0;
    }
  }
  return uint32_t(next - out);
}

uint32_t wholeBlocks(const TileEdges& in, abi::Block* out)
{
  abi::Block* next = out;
  for (int32_t by = in.by0; by <= in.by1; ++by)
    for (int32_t bx = in.bx0; bx <= in.bx1; ++bx)
      *next++ = {~uint64_t(0), uint16_t(in.tileX + uint32_t(bx) * 8), uint16_t(in.tileY + uint32_t(by) * 8), 0};
  return uint32_t(next - out);
}

} // namespace

uint32_t walkEdgesAvx2(const TileEdges& in, abi::Block* out)
{
  switch (in.count) {
  case 0:
    return wholeBlocks(in, out);
  case 1:
    return walk<1>(in, out);
  case 2:
    return walk<2>(in, out);
  default:
    return walk<3>(in, out);
  }
}

} // namespace monolith::tiles
