// SPDX-License-Identifier: MIT
#include "binning/triangle_setup.h"

#include "binning/binner.h"

#include <immintrin.h>

namespace monolith::binning {

namespace {

using Int8 = __m256i;
using Float8 = __m256;

Int8 set(int32_t v) { return _mm256_set1_epi32(v); }
Int8 add(Int8 a, Int8 b) { return _mm256_add_epi32(a, b); }
Int8 sub(Int8 a, Int8 b) { return _mm256_sub_epi32(a, b); }
Int8 mul(Int8 a, Int8 b) { return _mm256_mullo_epi32(a, b); }
Int8 orBits(Int8 a, Int8 b) { return _mm256_or_si256(a, b); }
Int8 greater(Int8 a, Int8 b) { return _mm256_cmpgt_epi32(a, b); }
uint32_t signs(Int8 v) { return uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(v))); }
void store(int32_t* to, Int8 v) { _mm256_store_si256(reinterpret_cast<Int8*>(to), v); }
Float8 absolute(Float8 v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v); }

/// Eight doubles.
struct Double8 {
  __m256d low, high;
};
Double8 fromInt(Int8 v)
{
  return {_mm256_cvtepi32_pd(_mm256_castsi256_si128(v)), _mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1))};
}
Double8 fromFloat(Float8 v)
{
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))};
}
Float8 toFloat(Double8 v)
{
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(v.low)), _mm256_cvtpd_ps(v.high), 1);
}
Double8 operator*(Double8 a, Double8 b) { return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)}; }
Double8 operator-(Double8 a, Double8 b) { return {_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)}; }
Double8 operator-(Double8 a)
{
  const __m256d sign = _mm256_set1_pd(-0.0);
  return {_mm256_xor_pd(a.low, sign), _mm256_xor_pd(a.high, sign)};
}

struct Vertices8 {
  Int8 x, y;
  Float8 z, rw;
};

/// Signs of v[0] (lowest byte) to v[7] as 64 bits; saturating packs keep signs, the permutation undoes their order.
uint64_t collectSigns(const Int8* v)
{
  const Int8 order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const Int8 upper = _mm256_packs_epi16(_mm256_packs_epi32(v[0], v[1]), _mm256_packs_epi32(v[2], v[3]));
  const Int8 lower = _mm256_packs_epi16(_mm256_packs_epi32(v[4], v[5]), _mm256_packs_epi32(v[6], v[7]));
  const uint32_t low = uint32_t(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(upper, order)));
  const uint32_t high = uint32_t(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(lower, order)));
  return uint64_t(high) << 32 | low;
}

/// Entries 0,3,6.. / 1,4,7.. / 2,5,8.. of 24 numbers.
void deinterleave(const uint32_t* from, Int8 out[3])
{
  const auto* p = reinterpret_cast<const Int8*>(from);
  const Int8 a = _mm256_loadu_si256(p), b = _mm256_loadu_si256(p + 1), c = _mm256_loadu_si256(p + 2);
  // Position p of each blend holds a number whose index is 0 (1, 2) modulo 3; the permutation sorts them.
  const Int8 first = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x92), c, 0x24);
  const Int8 second = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x24), c, 0x49);
  const Int8 third = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x49), c, 0x92);
  out[0] = _mm256_permutevar8x32_epi32(first, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
  out[1] = _mm256_permutevar8x32_epi32(second, _mm256_setr_epi32(1, 4, 7, 2, 5, 0, 3, 6));
  out[2] = _mm256_permutevar8x32_epi32(third, _mm256_setr_epi32(2, 5, 0, 3, 6, 1, 4, 7));
}

Int8 vertexOffset(const VertexBatch& batch, Int8 index)
{
  return add(mul(_mm256_srli_epi32(index, 3), set(int32_t(batch.packetStride))),
             _mm256_slli_epi32(_mm256_and_si256(index, set(7)), 2));
}

Vertices8 gather(const VertexBatch& batch, Int8 offset)
{
  const float* p = batch.packets;
  return {_mm256_castps_si256(_mm256_i32gather_ps(p + 4 * 8, offset, 1)),
          _mm256_castps_si256(_mm256_i32gather_ps(p + 5 * 8, offset, 1)), _mm256_i32gather_ps(p + 6 * 8, offset, 1),
          _mm256_i32gather_ps(p + 7 * 8, offset, 1)};
}

/// Edge functions at the first pixel of a window, and their steps between pixels.
struct WindowEdges {
  Int8 e[3], stepX[3], stepY[3];
};

WindowEdges windowEdges(const Vertices8* v, Int8 counterClockwise, Int8 x0, Int8 y0)
{
  const Int8 zero = _mm256_setzero_si256(), ones = set(-1);
  const Int8 sampleX = add(_mm256_slli_epi32(x0, 8), set(128)), sampleY = add(_mm256_slli_epi32(y0, 8), set(128));
  WindowEdges edges;
  for (int k = 0; k < 3; ++k) {
    const Vertices8& from = v[k];
    const Vertices8& to = v[k == 2 ? 0 : k + 1];
    // Negated where the winding is counter-clockwise.
    const Int8 a = sub(_mm256_xor_si256(sub(from.y, to.y), counterClockwise), counterClockwise);
    const Int8 b = sub(_mm256_xor_si256(sub(to.x, from.x), counterClockwise), counterClockwise);
    const Int8 topLeft = orBits(greater(a, zero), _mm256_and_si256(_mm256_cmpeq_epi32(a, zero), greater(b, zero)));
    const Int8 e = add(mul(a, sub(sampleX, from.x)), mul(b, sub(sampleY, from.y)));
    edges.e[k] = add(e, _mm256_andnot_si256(topLeft, ones));
    edges.stepX[k] = _mm256_slli_epi32(a, 8);
    edges.stepY[k] = _mm256_slli_epi32(b, 8);
  }
  return edges;
}

/// Bits where the 4x4 pixels of eight windows are inside all three edges; bit j*8+i.
Int8 tinyCoverage(WindowEdges edges)
{
  const Int8 sign = set(INT32_MIN);
  Int8 outside = _mm256_setzero_si256();
  for (int j = 0; j < 4; ++j) {
    Int8 e0 = edges.e[0], e1 = edges.e[1], e2 = edges.e[2];
    for (int i = 0; i < 4; ++i) {
      const Int8 any = _mm256_and_si256(orBits(orBits(e0, e1), e2), sign);
      outside = orBits(_mm256_srli_epi32(outside, 1), any);
      e0 = add(e0, edges.stepX[0]);
      e1 = add(e1, edges.stepX[1]);
      e2 = add(e2, edges.stepX[2]);
    }
    outside = _mm256_srli_epi32(outside, 4);
    for (int k = 0; k < 3; ++k)
      edges.e[k] = add(edges.e[k], edges.stepY[k]);
  }
  return _mm256_andnot_si256(outside, set(0x0f0f0f0f));
}

/// Coverage of an 8x8 window: edge values at its first sample, and steps.
uint64_t windowCoverage(const Int8* first, const Int8* stepY)
{
  Int8 row[3] = {first[0], first[1], first[2]}, outside[8];
  for (int j = 0; j < 8; ++j) {
    outside[j] = orBits(orBits(row[0], row[1]), row[2]);
    for (int k = 0; k < 3; ++k)
      row[k] = add(row[k], stepY[k]);
  }
  return ~collectSigns(outside);
}

/// Coverage of the lanes in `window`, whose triangles fit into 8x8 pixels. Returns those that cover nothing.
uint32_t coverWindows(const SetupState& state, const WindowEdges& edges, uint32_t window, SetupResult& out)
{
  alignas(32) int32_t values[9][8];
  for (int k = 0; k < 3; ++k) {
    store(values[k], edges.e[k]);
    store(values[3 + k], edges.stepX[k]);
    store(values[6 + k], edges.stepY[k]);
  }
  const Int8 lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  uint32_t empty = 0;
  for (; window; window &= window - 1) {
    const uint32_t lane = uint32_t(__builtin_ctz(window));
    const uint64_t columns = 0x0101010101010101u * ((2u << (out.maxX[lane] - out.minX[lane])) - 1);
    const uint64_t rows = ~uint64_t(0) >> (8 * (7 - (out.maxY[lane] - out.minY[lane])));
    Int8 first[3], stepX[3], stepY[3];
    for (int k = 0; k < 3; ++k) {
      stepX[k] = set(values[3 + k][lane]);
      stepY[k] = set(values[6 + k][lane]);
      first[k] = add(set(values[k][lane]), mul(stepX[k], lanes));
    }
    uint64_t mask = 0;
    if (state.samples == 1) {
      mask = windowCoverage(first, stepY) & columns & rows;
    } else {
      for (uint32_t s = 0; s < state.samples; ++s) {
        // Steps are multiples of 256 for one pixel; positions count 1/16 pixel.
        const Int8 x = set(state.positions[s].x), y = set(state.positions[s].y);
        Int8 at[3];
        for (int k = 0; k < 3; ++k)
          at[k] = add(first[k], _mm256_srai_epi32(add(mul(stepX[k], x), mul(stepY[k], y)), 4));
        out.sampleMask[lane][s] = windowCoverage(at, stepY) & columns & rows;
        mask |= out.sampleMask[lane][s];
      }
    }
    out.mask[lane] = mask;
    empty |= uint32_t(mask == 0) << lane;
  }
  return empty;
}

/// Rows of v become columns: out[i] gets element i of each of the eight vectors.
void storeTransposed(const Float8* v, float* out, size_t stride)
{
  const Float8 a0 = _mm256_unpacklo_ps(v[0], v[1]), a1 = _mm256_unpackhi_ps(v[0], v[1]);
  const Float8 a2 = _mm256_unpacklo_ps(v[2], v[3]), a3 = _mm256_unpackhi_ps(v[2], v[3]);
  const Float8 a4 = _mm256_unpacklo_ps(v[4], v[5]), a5 = _mm256_unpackhi_ps(v[4], v[5]);
  const Float8 a6 = _mm256_unpacklo_ps(v[6], v[7]), a7 = _mm256_unpackhi_ps(v[6], v[7]);
  const Float8 b0 = _mm256_shuffle_ps(a0, a2, 0x44), b1 = _mm256_shuffle_ps(a0, a2, 0xee);
  const Float8 b2 = _mm256_shuffle_ps(a1, a3, 0x44), b3 = _mm256_shuffle_ps(a1, a3, 0xee);
  const Float8 b4 = _mm256_shuffle_ps(a4, a6, 0x44), b5 = _mm256_shuffle_ps(a4, a6, 0xee);
  const Float8 b6 = _mm256_shuffle_ps(a5, a7, 0x44), b7 = _mm256_shuffle_ps(a5, a7, 0xee);
  _mm256_store_ps(out, _mm256_permute2f128_ps(b0, b4, 0x20));
  _mm256_store_ps(out + stride, _mm256_permute2f128_ps(b1, b5, 0x20));
  _mm256_store_ps(out + stride * 2, _mm256_permute2f128_ps(b2, b6, 0x20));
  _mm256_store_ps(out + stride * 3, _mm256_permute2f128_ps(b3, b7, 0x20));
  _mm256_store_ps(out + stride * 4, _mm256_permute2f128_ps(b0, b4, 0x31));
  _mm256_store_ps(out + stride * 5, _mm256_permute2f128_ps(b1, b5, 0x31));
  _mm256_store_ps(out + stride * 6, _mm256_permute2f128_ps(b2, b6, 0x31));
  _mm256_store_ps(out + stride * 7, _mm256_permute2f128_ps(b3, b7, 0x31));
}

/// The same for four vectors.
void storeTransposed4(const Float8* v, float* out, size_t stride)
{
  const Float8 a0 = _mm256_unpacklo_ps(v[0], v[1]), a1 = _mm256_unpackhi_ps(v[0], v[1]);
  const Float8 a2 = _mm256_unpacklo_ps(v[2], v[3]), a3 = _mm256_unpackhi_ps(v[2], v[3]);
  const Float8 b[4] = {_mm256_shuffle_ps(a0, a2, 0x44), _mm256_shuffle_ps(a0, a2, 0xee),
                       _mm256_shuffle_ps(a1, a3, 0x44), _mm256_shuffle_ps(a1, a3, 0xee)};
  for (size_t i = 0; i < 4; ++i) {
    _mm_store_ps(out + stride * i, _mm256_castps256_ps128(b[i]));
    _mm_store_ps(out + stride * (i + 4), _mm256_extractf128_ps(b[i], 1));
  }
}

Float8 depthBias8(const SetupState& state, Float8 maxAbsZ, Float8 dzdx, Float8 dzdy)
{
  Float8 bias = _mm256_set1_ps(state.biasConstant);
  if (state.biasFloat) {
    const Int8 exponent = _mm256_and_si256(_mm256_castps_si256(maxAbsZ), set(0x7f800000));
    const Int8 limit = set(int32_t(state.biasExponent));
    bias = _mm256_mul_ps(
        bias, _mm256_castsi256_ps(_mm256_and_si256(sub(exponent, limit), greater(exponent, limit))));
  }
  if (state.biasSlope != 0)
    bias = _mm256_add_ps(
        bias, _mm256_mul_ps(_mm256_set1_ps(state.biasSlope), _mm256_max_ps(absolute(dzdx), absolute(dzdy))));
  const Float8 clamp = _mm256_set1_ps(state.biasClamp);
  if (state.biasClamp > 0)
    bias = _mm256_min_ps(clamp, bias);
  else if (state.biasClamp < 0)
    bias = _mm256_max_ps(clamp, bias);
  return bias;
}

void planes(const SetupState& state, const Vertices8* v, const Double8& e1x, const Double8& e1y, const Double8& e2x,
            const Double8& e2y, const Double8& area, SetupResult& out)
{
  const __m256d unit = _mm256_set1_pd(256.0);
  const Double8 scale{_mm256_div_pd(unit, area.low), _mm256_div_pd(unit, area.high)};
  const Double8 z0 = fromFloat(v[0].z), dz1 = fromFloat(v[1].z) - z0, dz2 = fromFloat(v[2].z) - z0;
  const Float8 dzdx = toFloat((e2y * dz1 - e1y * dz2) * scale), dzdy = toFloat((e1x * dz2 - e2x * dz1) * scale);
  Float8 z = v[0].z;
  if (state.biasEnabled) {
    const Float8 maxAbsZ =
        _mm256_max_ps(absolute(v[0].z), _mm256_max_ps(absolute(v[1].z), absolute(v[2].z)));
    z = _mm256_add_ps(z, depthBias8(state, maxAbsZ, dzdx, dzdy));
  }
  const Float8 pixel = _mm256_set1_ps(1.0f / 256);
  const Float8 first[8] = {_mm256_mul_ps(_mm256_cvtepi32_ps(v[0].x), pixel),
                           _mm256_mul_ps(_mm256_cvtepi32_ps(v[0].y), pixel),
                           toFloat(e2y * scale),
                           toFloat(-e2x * scale),
                           toFloat(-e1y * scale),
                           toFloat(e1x * scale),
                           z,
                           dzdx};
  storeTransposed(first, out.plane[0], 16);
  const Float8 second[4] = {dzdy, v[0].rw, v[1].rw, v[2].rw};
  storeTransposed4(second, out.plane[0] + 8, 16);
}

} // namespace

void setupAvx2(const SetupState& state, const VertexBatch& batch, const uint32_t* indices, uint32_t count,
               SetupResult& out)
{
  out.live = out.small = out.clockwise = 0;
  alignas(32) uint32_t padded[24];
  if (count < 8) {
    for (uint32_t i = 0; i < 24; ++i)
      padded[i] = indices[i < count * 3 ? i : i % 3];
    indices = padded;
  }
  Int8 index[3];
  deinterleave(indices, index);
  Vertices8 v[3];
  for (int k = 0; k < 3; ++k) {
    const Int8 offset = vertexOffset(batch, index[k]);
    store(reinterpret_cast<int32_t*>(out.offset[k]), offset);
    v[k] = gather(batch, offset);
  }

  const Int8 lowX = _mm256_min_epi32(v[0].x, _mm256_min_epi32(v[1].x, v[2].x));
  const Int8 lowY = _mm256_min_epi32(v[0].y, _mm256_min_epi32(v[1].y, v[2].y));
  const Int8 highX = _mm256_max_epi32(v[0].x, _mm256_max_epi32(v[1].x, v[2].x));
  const Int8 highY = _mm256_max_epi32(v[0].y, _mm256_max_epi32(v[1].y, v[2].y));
  const Int8 outOfRange = orBits(greater(set(-kMaxPosition), _mm256_min_epi32(lowX, lowY)),
                                 greater(_mm256_max_epi32(highX, highY), set(kMaxPosition)));
  const Int8 lowRound = set(255 - state.lowRound), highRound = set(1 + state.highRound);
  const Int8 boxX0 = _mm256_srai_epi32(add(lowX, lowRound), 8), boxY0 = _mm256_srai_epi32(add(lowY, lowRound), 8);
  const Int8 boxX1 = _mm256_srai_epi32(sub(highX, highRound), 8), boxY1 = _mm256_srai_epi32(sub(highY, highRound), 8);
  const Int8 x0 = _mm256_max_epi32(boxX0, set(state.clipX0)), y0 = _mm256_max_epi32(boxY0, set(state.clipY0));
  const Int8 x1 = _mm256_min_epi32(boxX1, set(state.clipX1)), y1 = _mm256_min_epi32(boxY1, set(state.clipY1));
  uint32_t live = ((1u << count) - 1) & ~signs(orBits(outOfRange, orBits(greater(x0, x1), greater(y0, y1))));
  if (live == 0)
    return;

  const Double8 e1x = fromInt(sub(v[1].x, v[0].x)), e1y = fromInt(sub(v[1].y, v[0].y));
  const Double8 e2x = fromInt(sub(v[2].x, v[0].x)), e2y = fromInt(sub(v[2].y, v[0].y));
  const Double8 area = e1x * e2y - e2x * e1y;
  const __m256d zero = _mm256_setzero_pd();
  const __m256d cwLow = _mm256_cmp_pd(area.low, zero, _CMP_GT_OQ), cwHigh = _mm256_cmp_pd(area.high, zero, _CMP_GT_OQ);
  const uint32_t clockwise = uint32_t(_mm256_movemask_pd(cwLow)) | uint32_t(_mm256_movemask_pd(cwHigh)) << 4;
  const uint32_t empty = uint32_t(_mm256_movemask_pd(_mm256_cmp_pd(area.low, zero, _CMP_EQ_OQ))) |
                         uint32_t(_mm256_movemask_pd(_mm256_cmp_pd(area.high, zero, _CMP_EQ_OQ))) << 4;
  live &= ~(empty | (state.cullClockwise ? clockwise : 0u) | (state.cullCounterClockwise ? ~clockwise : 0u));
  if (live == 0)
    return;

  store(out.minX, x0);
  store(out.minY, y0);
  store(out.maxX, x1);
  store(out.maxY, y1);
  const Int8 larger = _mm256_max_epi32(sub(boxX1, boxX0), sub(boxY1, boxY0));
  const uint32_t small = live & signs(greater(set(8), larger));
  const uint32_t tiny = state.samples == 1 ? small & signs(greater(set(4), larger)) : 0;
  if (small) {
    const Int8 cw = _mm256_permute4x64_epi64(
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(cwLow), _mm256_castpd_ps(cwHigh), 0x88)), 0xd8);
    const WindowEdges edges = windowEdges(v, _mm256_xor_si256(cw, set(-1)), x0, y0);
    if (tiny) {
      // Columns up to x1 and rows up to y1, of four each.
      const Int8 columns = mul(sub(_mm256_sllv_epi32(set(2), sub(x1, x0)), set(1)), set(0x01010101));
      const Int8 rows = _mm256_srlv_epi32(set(-1), _mm256_slli_epi32(sub(set(3), sub(y1, y0)), 3));
      const Int8 mask = _mm256_and_si256(tinyCoverage(edges), _mm256_and_si256(columns, rows));
      auto* masks = reinterpret_cast<Int8*>(out.mask);
      _mm256_store_si256(masks, _mm256_cvtepu32_epi64(_mm256_castsi256_si128(mask)));
      _mm256_store_si256(masks + 1, _mm256_cvtepu32_epi64(_mm256_extracti128_si256(mask, 1)));
      live &= ~(tiny & signs(_mm256_cmpeq_epi32(mask, _mm256_setzero_si256())));
    }
    if (small != tiny)
      live &= ~coverWindows(state, edges, small & ~tiny, out);
    if (live == 0)
      return;
  }
  out.live = live;
  out.small = small & live;
  out.clockwise = clockwise & live;
  planes(state, v, e1x, e1y, e2x, e2y, area, out);
  if (live & ~small)
    for (int k = 0; k < 3; ++k) {
      store(out.x[k], v[k].x);
      store(out.y[k], v[k].y);
    }
}

} // namespace monolith::binning
