// SPDX-License-Identifier: MIT
#include "tiles/coverage.h"

#include <immintrin.h>

namespace monolith::tiles {

namespace {

using Int8 = __m256i;

Int8 set(int32_t v) { return _mm256_set1_epi32(v); }
Int8 add(Int8 a, Int8 b) { return _mm256_add_epi32(a, b); }
uint32_t signs(Int8 v) { return uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(v))); }

/// One edge, ready for rows of blocks and for the pixels of a block.
struct Edge {
  Int8 blocks;       ///< Value at the first pixel of each of the 8 blocks of the current row.
  Int8 pixels;       ///< a * (0..7)
  int32_t reject;    ///< Largest value among a block's pixels relative to its first.
  int32_t accept;    ///< Smallest.
  int32_t a, b;
};

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

template <uint32_t Count> uint64_t blockMask(const Edge* const* edges, const int32_t* e)
{
  Int8 row[Count], step[Count];
  for (uint32_t k = 0; k < Count; ++k) {
    row[k] = add(set(e[k]), edges[k]->pixels);
    step[k] = set(edges[k]->b);
  }
  Int8 outside[8];
  for (int y = 0; y < 8; ++y) {
    outside[y] = row[0];
    for (uint32_t k = 1; k < Count; ++k)
      outside[y] = _mm256_or_si256(outside[y], row[k]);
    for (uint32_t k = 0; k < Count; ++k)
      row[k] = add(row[k], step[k]);
  }
  return ~collectSigns(outside);
}

} // namespace

uint32_t walkEdgesAvx2(const TileEdges& in, abi::Block* out)
{
  const Int8 lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  Edge edges[3];
  const uint32_t edgeCount = in.count;
  for (uint32_t k = 0; k < edgeCount; ++k) {
    Edge& edge = edges[k];
    edge.a = in.a[k];
    edge.b = in.b[k];
    edge.pixels = _mm256_mullo_epi32(set(edge.a), lanes);
    edge.blocks = add(set(in.e[k] + edge.b * (in.by0 * 8)), _mm256_slli_epi32(edge.pixels, 3));
    edge.reject = 7 * ((edge.a > 0 ? edge.a : 0) + (edge.b > 0 ? edge.b : 0));
    edge.accept = 7 * ((edge.a < 0 ? edge.a : 0) + (edge.b < 0 ? edge.b : 0));
  }
  const uint32_t columns = (0xffu >> (7 - in.bx1)) & (0xffu << in.bx0);
  uint32_t count = 0;
  for (int32_t by = in.by0; by <= in.by1; ++by) {
    uint32_t rejected = 0, partial[3];
    alignas(32) int32_t value[3][8];
    for (uint32_t k = 0; k < edgeCount; ++k) {
      Edge& edge = edges[k];
      rejected |= signs(add(edge.blocks, set(edge.reject)));
      partial[k] = signs(add(edge.blocks, set(edge.accept)));
      _mm256_store_si256(reinterpret_cast<Int8*>(value[k]), edge.blocks);
      edge.blocks = add(edge.blocks, set(edge.b * 8));
    }
    const uint32_t y = in.tileY + uint32_t(by) * 8;
    for (uint32_t live = columns & ~rejected; live; live &= live - 1) {
      const uint32_t bx = uint32_t(__builtin_ctz(live));
      const Edge* cut[3];
      int32_t e[3];
      uint32_t cuts = 0;
      for (uint32_t k = 0; k < edgeCount; ++k) {
        cut[cuts] = &edges[k];
        e[cuts] = value[k][bx];
        cuts += (partial[k] >> bx) & 1u;
      }
      uint64_t mask = ~uint64_t(0);
      if (cuts == 1)
        mask = blockMask<1>(cut, e);
      else if (cuts == 2)
        mask = blockMask<2>(cut, e);
      else if (cuts == 3)
        mask = blockMask<3>(cut, e);
      out[count] = {mask, uint16_t(in.tileX + bx * 8), uint16_t(y), 0};
      count += mask != 0;
    }
  }
  return count;
}

} // namespace monolith::tiles
