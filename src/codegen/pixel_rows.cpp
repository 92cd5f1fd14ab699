// SPDX-License-Identifier: MIT
#include "codegen/pixel_rows.h"

#include "simd/int_ops.h"
#include "simd/memory_ops.h"
#include "simd/scalar_ops.h"

namespace monolith::codegen {

using simd::Int;
using simd::Int4;
using simd::Pointer;

PixelAddress pixelAddress(Pointer p, Pointer nextRow, unsigned bytesPerPixel, LaneOrder order)
{
  return {p, order == LaneOrder::Row ? p + int32_t(4 * bytesPerPixel) : nextRow};
}

namespace {

Int both(Pointer a, Pointer b) { return simd::combine128(simd::loadInt4(a), simd::loadInt4(b)); }

/// Transposes four vectors of 4x32 bits within each 128 bits.
void transpose(Int v[4])
{
  const Int a = simd::unpackLow32(v[0], v[1]), b = simd::unpackHigh32(v[0], v[1]);
  const Int c = simd::unpackLow32(v[2], v[3]), d = simd::unpackHigh32(v[2], v[3]);
  v[0] = simd::unpackLow64(a, c);
  v[1] = simd::unpackHigh64(a, c);
  v[2] = simd::unpackLow64(b, d);
  v[3] = simd::unpackHigh64(b, d);
}

void storeHalves(Pointer a, Pointer b, Int v)
{
  simd::store(a, simd::low128(v));
  simd::store(b, simd::high128(v));
}

} // namespace

TexelWords loadPixels(const PixelAddress& at, unsigned bytesPerPixel, LaneOrder order)
{
  TexelWords out;
  const bool row = order == LaneOrder::Row;
  switch (bytesPerPixel) {
  case 1:
    out.w[0] = row ? simd::loadWidenUnsigned8(at.first)
                   : simd::widenUnsigned8(simd::insertWord(simd::loadLow32(at.first), 1, at.second));
    break;
  case 2:
    out.w[0] = row ? simd::loadWidenUnsigned16(at.first)
                   : simd::widenUnsigned16(simd::loadHigh64Into(simd::loadLow64(at.first), at.second));
    break;
  case 4: out.w[0] = row ? simd::loadInt(at.first) : both(at.first, at.second); break;
  case 8: {
    const Int a = both(at.first, at.second), b = both(at.first + 16, at.second + 16);
    out.w[0] = simd::shuffle22(a, b, 0x88);
    out.w[1] = simd::shuffle22(a, b, 0xdd);
    break;
  }
  default:
    for (int k = 0; k < 4; k++)
      out.w[k] = both(at.first + 16 * k, at.second + 16 * k);
    transpose(out.w);
    break;
  }
  return out;
}

void storePixels(const PixelAddress& at, unsigned bytesPerPixel, LaneOrder order, const TexelWords& words)
{
  const bool row = order == LaneOrder::Row;
  switch (bytesPerPixel) {
  case 1: {
    const Int4 v = simd::narrowUnsigned8(words.w[0]);
    if (row) {
      simd::storeLow64(at.first, v);
    } else {
      simd::storeLow32(at.first, v);
      simd::store(at.second, simd::extract4(v, 1));
    }
    break;
  }
  case 2: {
    const Int4 v = simd::narrowUnsigned16(words.w[0]);
    if (row) {
      simd::store(at.first, v);
    } else {
      simd::storeLow64(at.first, v);
      simd::storeHigh64(at.second, v);
    }
    break;
  }
  case 4:
    if (row)
      simd::store(at.first, words.w[0]);
    else
      storeHalves(at.first, at.second, words.w[0]);
    break;
  case 8:
    storeHalves(at.first, at.second, simd::unpackLow32(words.w[0], words.w[1]));
    storeHalves(at.first + 16, at.second + 16, simd::unpackHigh32(words.w[0], words.w[1]));
    break;
  default: {
    Int v[4] = {words.w[0], words.w[1], words.w[2], words.w[3]};
    transpose(v);
    for (int k = 0; k < 4; k++)
      storeHalves(at.first + 16 * k, at.second + 16 * k, v[k]);
    break;
  }
  }
}

} // namespace monolith::codegen
