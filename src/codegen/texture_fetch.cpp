// SPDX-License-Identifier: MIT
#include "codegen/texture_fetch.h"

#include "codegen/sampler_reference.h"
#include "formats/block_codec.h"
#include "simd/simd.h"

namespace monolith::codegen {

using formats::ChannelType;
using formats::Format;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Int4;
using simd::Pointer;
using simd::Word;

TexelFetcher::TexelFetcher(Format format, Pointer base)
    : m_format(format), m_base(base), m_bytes(formats::info(format).bytesPerBlock), m_scale(filterScale(format)),
      m_block(formats::info(format).isCompressed())
{
}

bool TexelFetcher::knows(Format format) { return canUnpack(format) || formats::canDecode(format); }

Int TexelFetcher::texelOffset(const TexelPosition& at) const
{
  switch (m_bytes) {
  case 1: return at.row + at.x;
  case 12: return at.row + simd::shl(at.x, 3) + simd::shl(at.x, 2);
  default: return at.row + simd::shl(at.x, m_bytes == 2 ? 1 : m_bytes == 4 ? 2 : m_bytes == 8 ? 3 : 4);
  }
}

TexelWords TexelFetcher::loadWords(Int offset) const
{
  TexelWords w;
  // Reading up to three bytes too many is safe: memory is readable beyond its end.
  for (unsigned k = 0; k < texelWordCount(m_format); k++)
    w.w[k] = simd::gather(m_base + int32_t(4 * k), offset, 1);
  if (m_bytes < 4)
    w.w[0] = w.w[0] & Int(m_bytes == 1 ? 0xff : 0xffff);
  return w;
}

namespace {

/// Eight offsets as scalars.
struct LaneOffsets {
  Pointer memory;
  explicit LaneOffsets(Int offsets) : memory(simd::Function::currentStack(32)) { simd::store(memory, offsets); }
  Pointer at(Pointer base, int lane) const { return simd::indexed(base, simd::toLongUnsigned(simd::loadWord(memory + 4 * lane))); }
};

void transpose(Int v[4])
{
  const Int a = simd::unpackLow32(v[0], v[1]), b = simd::unpackHigh32(v[0], v[1]);
  const Int c = simd::unpackLow32(v[2], v[3]), d = simd::unpackHigh32(v[2], v[3]);
  v[0] = simd::unpackLow64(a, c);
  v[1] = simd::unpackHigh64(a, c);
  v[2] = simd::unpackLow64(b, d);
  v[3] = simd::unpackHigh64(b, d);
}

} // namespace

void TexelFetcher::loadPairWords(Int offset, TexelWords& left, TexelWords& right) const
{
  switch (m_bytes) {
  case 1: {
    const Int v = simd::gather(m_base, offset, 1);
    left.w[0] = v & Int(0xff);
    right.w[0] = simd::shr(v, 8) & Int(0xff);
    return;
  }
  case 2: {
    const Int v = simd::gather(m_base, offset, 1);
    left.w[0] = v & Int(0xffff);
    right.w[0] = simd::shr(v, 16);
    return;
  }
  case 4: {
    const LaneOffsets lanes(offset);
    Int4 pair[4];
    for (int k = 0; k < 4; k++)
      pair[k] = simd::loadHigh64Into(simd::loadLow64(lanes.at(m_base, 2 * k)), lanes.at(m_base, 2 * k + 1));
    const Int a = simd::combine128(pair[0], pair[2]), b = simd::combine128(pair[1], pair[3]);
    left.w[0] = simd::shuffle22(a, b, 0x88);
    right.w[0] = simd::shuffle22(a, b, 0xdd);
    return;
  }
  case 8: {
    const LaneOffsets lanes(offset);
    Int v[4];
    for (int k = 0; k < 4; k++)
      v[k] = simd::combine128(simd::loadInt4(lanes.at(m_base, k)), simd::loadInt4(lanes.at(m_base, k + 4)));
    transpose(v);
    left.w[0] = v[0];
    left.w[1] = v[1];
    right.w[0] = v[2];
    right.w[1] = v[3];
    return;
  }
  case 16: {
    const LaneOffsets lanes(offset);
    for (int side = 0; side < 2; side++) {
      Int v[4];
      for (int k = 0; k < 4; k++)
        v[k] = simd::combine128(simd::loadInt4(lanes.at(m_base, k) + 16 * side), simd::loadInt4(lanes.at(m_base, k + 4) + 16 * side));
      transpose(v);
      for (int k = 0; k < 4; k++)
        (side ? right : left).w[k] = v[k];
    }
    return;
  }
  default:
    left = loadWords(offset);
    right = loadWords(offset + Int(int32_t(m_bytes)));
    return;
  }
}

Channels TexelFetcher::toDomain(const TexelWords& words, uint8_t used) const
{
  const formats::FormatInfo& f = formats::info(m_format);
  Channels out;
  if (m_scale == 0.0f) {
    out = unpackTexel(m_format, words, used);
    return out;
  }
  for (unsigned k = 0; k < 4; k++) {
    const formats::Channel& c = f.channel[k];
    if (!c.bits) {
      out.c[k] = asInt(Float(k == 3 ? 1.0f : 0.0f));
      continue;
    }
    if (!(used >> k & 1))
      continue;
    const Int word = words.w[c.shift / 32];
    const unsigned shift = c.shift % 32;
    Int v = shift ? simd::shr(word, int(shift)) : word;
    if (shift + c.bits < 32 && m_bytes >= 4)
      v = v & Int((1 << c.bits) - 1);
    else if (m_bytes < 4 && unsigned(c.shift + c.bits) < m_bytes * 8)
      v = v & Int((1 << c.bits) - 1);
    out.c[k] = asInt(simd::toFloat(v));
  }
  return out;
}

Channels TexelFetcher::fetchBlock(const TexelPosition& at, uint8_t used) const
{
  const Int block = at.row + simd::shl(simd::shr(at.x, 2), m_bytes == 8 ? 3 : 4);
  const Int index = simd::shl(at.y & Int(3), 2) | (at.x & Int(3));
  Channels c = decodeBlockTexel(m_format, m_base, block, index, used);
  const formats::FormatInfo& f = formats::info(m_format);
  if (f.layout >= formats::Layout::BC4)
    return c;
  for (unsigned k = 0; k < 4; k++)
    if (used >> k & 1) {
      if (m_scale != 0.0f)
        c.c[k] = asInt(simd::toFloat(c.c[k]));
      else
        c.c[k] = asInt(k < 3 ? srgbToFloat(c.c[k]) : unormToFloat(c.c[k], 8));
    }
  return c;
}

Channels TexelFetcher::fetch(const TexelPosition& at, uint8_t used) const
{
  return m_block ? fetchBlock(at, used) : toDomain(loadWords(texelOffset(at)), used);
}

void TexelFetcher::fetchPair(const TexelPosition& at, uint8_t used, Channels& left, Channels& right) const
{
  TexelWords a, b;
  loadPairWords(texelOffset(at), a, b);
  left = toDomain(a, used);
  right = toDomain(b, used);
}

void TexelFetcher::finish(Channels& value, uint8_t used) const
{
  if (m_scale == 0.0f)
    return;
  const formats::FormatInfo& f = formats::info(m_format);
  const Float r(1.0f / m_scale), d(m_scale);
  for (unsigned k = 0; k < 4; k++)
    if (f.channel[k].bits && (used >> k & 1)) {
      const Float x = asFloat(value.c[k]);
      const Float q = x * r;
      value.c[k] = asInt(simd::fma(simd::fnma(q, d, x), r, q));
    }
}

Channels TexelFetcher::load(const TexelPosition& at) const
{
  Channels c;
  if (m_block) {
    c = fetchBlock(at, 15);
    finish(c, 15);
  } else {
    c = unpackTexel(m_format, loadWords(texelOffset(at)));
  }
  return c;
}

} // namespace monolith::codegen
