// SPDX-License-Identifier: MIT
#include "codegen/texel.h"

#include "formats/scalar.h"
#include "simd/float_ops.h"
#include "simd/int_ops.h"
#include "simd/memory_ops.h"
#include "simd/scalar_ops.h"

#include <bit>
#include <cstdlib>

namespace monolith::codegen {

using formats::Channel;
using formats::ChannelType;
using formats::Format;
using formats::FormatInfo;
using formats::Layout;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Int4;
using simd::Mask;

namespace {

/// x / d for whole x below 2^24 and d = 2^n - 1: product with the reciprocal, then one correction step, which makes the
/// result correctly rounded (proven by exhaustive test).
Float divideExact(Float x, float d)
{
  const Float r(1.0f / d);
  const Float q = x * r;
  const Float rest = simd::fnma(q, Float(d), x);
  return simd::fma(rest, r, q);
}

Int extractUnsigned(Int word, unsigned shift, unsigned bits)
{
  if (bits == 32)
    return word;
  if (shift + bits == 32)
    return simd::shr(word, int(shift));
  const Int v = shift ? simd::shr(word, int(shift)) : word;
  return v & Int((1u << bits) - 1);
}

Int extractSigned(Int word, unsigned shift, unsigned bits)
{
  if (bits == 32)
    return word;
  const unsigned left = 32 - shift - bits;
  const Int v = left ? simd::shl(word, int(left)) : word;
  return simd::sar(v, int(32 - bits));
}

Float floatFromBits(Int v, unsigned bits)
{
  switch (bits) {
  case 16: return simd::halfToFloat(v);
  case 11: return simd::halfToFloat(simd::shl(v, 4));
  case 10: return simd::halfToFloat(simd::shl(v, 5));
  default: return asFloat(v);
  }
}

Int floatToBits(Float f, unsigned bits)
{
  if (bits == 32)
    return asInt(f);
  const Int half = simd::widenUnsigned16(simd::floatToHalfPacked(f, 3));
  if (bits == 16)
    return half;
  // No sign bit: negative numbers clamp to 0, NaN stays NaN.
  const Int positive = half & Int(0x7fff);
  const Int kept = simd::andNot(positive, asInt(f < Float(0.0f)));
  return simd::shr(kept, bits == 11 ? 4 : 5);
}

/// Unsigned floats of 10 bits without infinity.
Float extendedFloat(Int v, unsigned exponent)
{
  const unsigned mantissa = 10 - exponent;
  const int bias = (1 << (exponent - 1)) - 1;
  const Int normal = simd::shl(v, int(23 - mantissa)) + Int((127 - bias) << 23);
  const float unit = std::bit_cast<float>(uint32_t(127 + 1 - bias - int(mantissa)) << 23);
  const Float denormal = simd::toFloat(v) * Float(unit);
  return simd::select(v < Int(1 << mantissa), denormal, asFloat(normal));
}

Channels unpackShared(Int word)
{
  const Float scale = asFloat(simd::shl(simd::shr(word, 27) + Int(127 - 15 - 9), 23));
  Channels out;
  for (unsigned k = 0; k < 3; k++)
    out.c[k] = asInt(simd::toFloat(extractUnsigned(word, 9 * k, 9)) * scale);
  out.c[3] = asInt(Float(1.0f));
  return out;
}

/// See floatToSrgb: one entry per value of the upper 16 bits of a float in [2^-13, 1]; the low byte is the code at the
/// entry's start, the upper half the largest low half that still has this code.
constexpr uint32_t kSrgbFirst = 0x3900, kSrgbLast = 0x3f80;
struct SrgbEncodeTable {
  alignas(64) uint32_t entry[kSrgbLast - kSrgbFirst + 1];
  SrgbEncodeTable()
  {
    for (uint32_t k = kSrgbFirst; k <= kSrgbLast; k++) {
      const uint32_t code = formats::floatToSrgb(std::bit_cast<float>(k << 16));
      uint32_t last = 0xffff;
      if (code < 255) {
        const uint32_t next = std::bit_cast<uint32_t>(formats::srgbThresholds()[code + 1]);
        if (next >> 16 == k)
          last = (next & 0xffff) - 1;
      }
      entry[k - kSrgbFirst] = last << 16 | code;
    }
  }
};

const SrgbEncodeTable& srgbEncodeTable()
{
  static const SrgbEncodeTable table;
  return table;
}

Int packSigned(Float c, unsigned n)
{
  const Float number = c & simd::ordered(c, c);
  const Float clamped = simd::clamp(number, Float(-1.0f), Float(1.0f));
  const Float scaled = clamped * Float(float((1 << (n - 1)) - 1));
  const Float half = asFloat((asInt(scaled) & Int(0x80000000u)) | asInt(Float(0.5f)));
  return simd::toIntTruncate(scaled + half) & Int((1u << n) - 1);
}

Int packChannel(const FormatInfo& f, unsigned k, Int in)
{
  const Channel& c = f.channel[k];
  const uint32_t mask = c.bits == 32 ? 0xffffffffu : (1u << c.bits) - 1;
  switch (c.type) {
  case ChannelType::None: return Int(0);
  case ChannelType::Typeless: return in & Int(mask);
  case ChannelType::Uint: return c.bits == 32 ? in : simd::minUnsigned(in, Int(mask));
  case ChannelType::Sint: {
    if (c.bits == 32)
      return in;
    const int32_t max = int32_t(mask >> 1);
    return simd::maxSigned(simd::minSigned(in, Int(max)), Int(-max - 1)) & Int(mask);
  }
  case ChannelType::Snorm: return packSigned(asFloat(in), c.bits);
  case ChannelType::Float: return floatToBits(asFloat(in), c.bits);
  case ChannelType::Unorm: return f.isSrgb() && k < 3 ? floatToSrgb(asFloat(in)) : floatToUnorm(asFloat(in), c.bits);
  }
  return Int(0);
}

/// Four 8-bit UNORM channels by saturating packs: cheaper than clamping each channel. `order[k]` is the channel that
/// byte k of the texel holds.
Int packBytes(const Channels& in, const unsigned order[4])
{
  Int code[4];
  for (unsigned k = 0; k < 4; k++) {
    // min keeps a NaN in its second operand; the conversion makes it (and what is negative) saturate to 0 below.
    const Float scaled = asFloat(in.c[order[k]]) * Float(255.0f) + Float(0.5f);
    code[k] = simd::toIntTruncate(simd::minSecond(Float(255.5f), scaled));
  }
  const Int low = simd::packSigned32To16(code[0], code[1]);
  const Int high = simd::packSigned32To16(code[2], code[3]);
  const Int bytes = simd::packUnsigned16To8(low, high); // per 128 bits: 4 of channel 0, 4 of 1, ...
  return simd::shuffleBytes(bytes, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
}

bool isEightBitUnorm(const FormatInfo& f)
{
  for (const Channel& c : f.channel)
    if (c.bits != 8 || c.type != ChannelType::Unorm)
      return false;
  return !f.isSrgb();
}

} // namespace

unsigned texelWordCount(Format format)
{
  const unsigned bytes = formats::info(format).bytesPerBlock;
  return bytes <= 4 ? 1 : bytes / 4;
}

bool canUnpack(Format format)
{
  return formats::info(format).isPlain() && !formats::info(format).isTypeless();
}

bool canPack(Format format)
{
  const FormatInfo& f = formats::info(format);
  return canUnpack(format) && (f.layout == Layout::Array || f.layout == Layout::Packed) && f.bytesPerBlock != 12;
}

Float unormToFloat(Int code, unsigned n)
{
  const Float x = simd::toFloat(code);
  return n == 1 ? x : divideExact(x, float((1u << n) - 1));
}

Int floatToUnorm(Float c, unsigned n)
{
  const float k = float((1u << n) - 1);
  if (n <= 16) {
    const Float scaled = c * Float(k) + Float(0.5f);
    const Float clamped = simd::maxSecond(simd::minSecond(Float(k + 0.5f), scaled), Float(0.0f));
    return simd::toIntTruncate(clamped);
  }
  // 24 bits, exact. Below 0.5: adding 2^23 in a fused operation rounds to whole numbers; a tie occurs only at 0.5.
  // From 0.5 on, c * 2^24 is whole and the code is the nearest whole number to c * 2^24 - c.
  const Float x = simd::saturate(c);
  const Int small = asInt(simd::fma(x, Float(k), Float(8388608.0f))) & Int(0x7fffff);
  const Int whole = simd::toIntTruncate(x * Float(16777216.0f));
  const Int large = whole + asInt(x > Float(0.5f));
  return simd::select(x < Float(0.5f), small, large);
}

Float srgbToFloat(Int code)
{
  return asFloat(simd::gather(simd::constantPointer(formats::srgbDecodeTable()), code, 4));
}

Int floatToSrgb(Float c)
{
  const Float low(std::bit_cast<float>(kSrgbFirst << 16));
  const Int bits = asInt(simd::minSecond(simd::maxSecond(c, low), Float(1.0f))); // NaN becomes `low`, code 0
  const Int slot = simd::shr(bits, 16) - Int(int32_t(kSrgbFirst));
  const Int entry = simd::gather(simd::constantPointer(srgbEncodeTable().entry), slot, 4);
  const Mask above = (bits & Int(0xffff)) > simd::shr(entry, 16);
  return (entry & Int(0xff)) - asInt(above);
}

Channels unpackTexel(Format format, const TexelWords& words, uint8_t used)
{
  const FormatInfo& f = formats::info(format);
  if (f.layout == Layout::SharedExp)
    return unpackShared(words.w[0]);
  Channels out;
  const bool floatAlpha = formats::missingAlphaIsFloat(format);
  for (unsigned k = 0; k < 4; k++) {
    const Channel& c = f.channel[k];
    if (!c.bits) {
      out.c[k] = k < 3 ? Int(0) : floatAlpha ? asInt(Float(1.0f)) : Int(1);
      continue;
    }
    if (!(used >> k & 1))
      continue;
    const Int word = words.w[c.shift / 32];
    const unsigned shift = c.shift % 32;
    if (c.type == ChannelType::Sint || c.type == ChannelType::Snorm) {
      const Int v = extractSigned(word, shift, c.bits);
      out.c[k] = c.type == ChannelType::Sint
                     ? v
                     : asInt(simd::maxSecond(divideExact(simd::toFloat(v), float((1 << (c.bits - 1)) - 1)), Float(-1.0f)));
      continue;
    }
    const Int v = extractUnsigned(word, shift, c.bits);
    const bool color = k < 3;
    if (color && f.layout == Layout::XrBias)
      out.c[k] = asInt(simd::toFloat(v - Int(0x180)) / Float(510.0f));
    else if (color && (f.layout == Layout::SmallFloat7e3 || f.layout == Layout::SmallFloat6e4))
      out.c[k] = asInt(extendedFloat(v, f.layout == Layout::SmallFloat7e3 ? 3 : 4));
    else if (c.type == ChannelType::Unorm)
      out.c[k] = asInt(color && f.isSrgb() ? srgbToFloat(v) : unormToFloat(v, c.bits));
    else if (c.type == ChannelType::Float)
      out.c[k] = asInt(floatFromBits(v, c.bits));
    else
      out.c[k] = v;
  }
  return out;
}

TexelWords packTexel(Format format, const Channels& in)
{
  const FormatInfo& f = formats::info(format);
  TexelWords out;
  if (isEightBitUnorm(f)) {
    unsigned order[4];
    for (unsigned k = 0; k < 4; k++)
      order[f.channel[k].shift / 8] = k;
    out.w[0] = packBytes(in, order);
    return out;
  }
  bool used[4] = {};
  for (unsigned k = 0; k < 4; k++) {
    const Channel& c = f.channel[k];
    if (!c.bits)
      continue;
    Int v = packChannel(f, k, in.c[k]);
    const unsigned n = c.shift / 32;
    if (c.shift % 32)
      v = simd::shl(v, int(c.shift % 32));
    out.w[n] = used[n] ? out.w[n] | v : v;
    used[n] = true;
  }
  for (unsigned n = 0; n < texelWordCount(format); n++)
    if (!used[n])
      out.w[n] = Int(0);
  return out;
}

uint8_t presentChannels(Format format)
{
  uint8_t mask = 0;
  for (unsigned k = 0; k < 4; k++)
    if (formats::info(format).channel[k].bits)
      mask = uint8_t(mask | 1u << k);
  return mask;
}

uint32_t channelBits(Format format, uint8_t writeMask, unsigned word)
{
  if ((writeMask & presentChannels(format)) == presentChannels(format))
    return 0xffffffffu;
  uint32_t bits = 0;
  for (unsigned k = 0; k < 4; k++) {
    const Channel& c = formats::info(format).channel[k];
    if ((writeMask >> k & 1) && c.bits && c.shift / 32u == word)
      bits |= (c.bits == 32 ? 0xffffffffu : (1u << c.bits) - 1) << (c.shift % 32);
  }
  return bits;
}

} // namespace monolith::codegen
