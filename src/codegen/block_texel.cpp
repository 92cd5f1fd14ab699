// SPDX-License-Identifier: MIT
#include "codegen/texture_fetch.h"

#include "formats/block_codec.h"
#include "simd/simd.h"

#include <cstring>

namespace monolith::codegen {

using formats::Layout;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Mask;
using simd::Pointer;

namespace {

/// Whole numbers up to 765, divided by 3, rounded down.
Int divideBy3(Int v) { return simd::shr(v * Int(0xaaab), 17); }

/// One colour channel of both end points: `bits` wide from `shift` on, promoted to 8 bits.
Int promoted(Int ends, int shift, int bits)
{
  const Int v = simd::shr(ends, shift) & Int((1 << bits) - 1);
  return simd::shl(v, 8 - bits) | simd::shr(v, 2 * bits - 8);
}

void colorChannels(Pointer base, Int offset, Int index, bool alwaysFour, bool transparency, uint8_t used, Channels& out)
{
  const Int ends = simd::gather(base, offset, 1);
  const Int codes = simd::gather(base + 4, offset, 1);
  const Int code = simd::shr(codes, simd::shl(index, 1)) & Int(3);
  Mask four(true);
  if (!alwaysFour)
    four = (ends & Int(0xffff)) > simd::shr(ends, 16);
  const Mask is0 = code == Int(0), is1 = code == Int(1), is2 = code == Int(2);
  static constexpr int kShift[3] = {11, 5, 0}, kBits[3] = {5, 6, 5};
  for (int k = 0; k < 3; k++) {
    if (!(used >> k & 1))
      continue;
    const Int a = promoted(ends, kShift[k], kBits[k]), b = promoted(ends, 16 + kShift[k], kBits[k]);
    const Int sum = a + b;
    // Code 2 weighs the first end point twice, code 3 the second.
    Int mixed = divideBy3(sum + simd::select(is2, a, b));
    if (!alwaysFour)
      mixed = simd::select(four, mixed, simd::shr(sum, 1) & asInt(is2));
    out.c[k] = simd::select(is0, a, simd::select(is1, b, mixed));
  }
  if (transparency && (used & 8)) {
    const Mask clear = simd::andNot(code == Int(3), four);
    out.c[3] = simd::andNot(Int(255), asInt(clear));
  }
}

struct Ramp {
  Int numerator, divisor; ///< value = numerator / divisor, in codes
};

/// The interpolated channel of BC3 (alpha), BC4 and BC5.
Ramp ramp(Pointer base, Int offset, Int index, bool isSigned)
{
  const Int low = simd::gather(base, offset, 1), high = simd::gather(base + 4, offset, 1);
  // 48 bits of codes: bits 16-31 of the first word, then the second word.
  const Int bit = index * Int(3);
  const Int fromLow = simd::shr(low, bit + Int(16)) | simd::shl(high, Int(16) - bit);
  const Int fromHigh = simd::shr(high, bit - Int(16));
  const Int code = simd::select(bit < Int(16), fromLow, fromHigh) & Int(7);
  Int e0, e1;
  Mask eight;
  if (isSigned) {
    const Int r0 = simd::sar(simd::shl(low, 24), 24), r1 = simd::sar(simd::shl(low, 16), 24);
    eight = r0 > r1;
    e0 = simd::maxSigned(r0, Int(-127));
    e1 = simd::maxSigned(r1, Int(-127));
  } else {
    e0 = low & Int(0xff);
    e1 = simd::shr(low, 8) & Int(0xff);
    eight = e0 > e1;
  }
  const Int steps = simd::select(eight, Int(7), Int(5));
  const Int w = code - Int(1);
  Ramp r;
  r.numerator = (steps - w) * e0 + w * e1;
  r.divisor = steps;
  const Mask end = code < Int(2);
  const Mask extreme = simd::andNot(code > Int(5), eight);
  const Mask whole = end | extreme;
  const Int high1 = simd::select(code == Int(7), Int(isSigned ? 127 : 255), Int(isSigned ? -127 : 0));
  const Int plain = simd::select(end, simd::select(code == Int(0), e0, e1), high1);
  r.numerator = simd::select(whole, plain, r.numerator);
  r.divisor = simd::select(whole, Int(1), r.divisor);
  return r;
}

Int rampFloat(Pointer base, Int offset, Int index, bool isSigned)
{
  const Ramp r = ramp(base, offset, index, isSigned);
  return asInt(simd::toFloat(r.numerator) / simd::toFloat(r.divisor * Int(isSigned ? 127 : 255)));
}

/// Nearest 8-bit code: (2 n + d) / (2 d), exact for d of 1, 5 and 7.
Int rampCode(Pointer base, Int offset, Int index)
{
  const Ramp r = ramp(base, offset, index, false);
  const Float n = simd::toFloat(simd::shl(r.numerator, 1) + r.divisor);
  // A quarter of the smallest step keeps whole quotients whole.
  return simd::toIntTruncate((n + Float(0.25f)) / simd::toFloat(simd::shl(r.divisor, 1)));
}

/// Offsets and indices of eight texels become their four channels: BC6H and BC7 are not worth vector code.
void decodeEight(uint32_t format, const uint8_t* base, uint32_t* words)
{
  for (unsigned lane = 0; lane < 8; lane++) {
    formats::Texel t;
    const uint32_t index = words[8 + lane];
    formats::decodeTexel(formats::Format(format), base + words[lane], index & 3, index >> 2, t);
    for (unsigned k = 0; k < 4; k++)
      words[16 + 8 * k + lane] = t.u[k];
  }
}

Channels calledTexel(formats::Format format, Pointer base, Int offset, Int index)
{
  const Pointer words = simd::Function::currentStack(32 * 6);
  simd::store(words, offset);
  simd::store(words + 32, index);
  simd::call(simd::addressOf(&decodeEight), {simd::Word(int32_t(format)), base, words});
  Channels out;
  for (int k = 0; k < 4; k++)
    out.c[k] = simd::loadInt(words + (64 + 32 * k));
  return out;
}

} // namespace

Channels decodeBlockTexel(formats::Format format, Pointer base, Int offset, Int index, uint8_t used)
{
  const formats::FormatInfo& f = formats::info(format);
  const bool isSigned = f.channel[0].type == formats::ChannelType::Snorm;
  if (f.layout == Layout::BC6H || f.layout == Layout::BC7)
    return calledTexel(format, base, offset, index);
  Channels out;
  switch (f.layout) {
  case Layout::BC1: colorChannels(base, offset, index, false, true, used, out); break;
  case Layout::BC2:
    colorChannels(base + 8, offset, index, true, false, used, out);
    if (used & 8) {
      // 4 bits a texel: row y in 16 bits, so texels 0-7 in the first word.
      const Int word = simd::select(index < Int(8), simd::gather(base, offset, 1), simd::gather(base + 4, offset, 1));
      out.c[3] = (simd::shr(word, simd::shl(index & Int(7), 2)) & Int(15)) * Int(17);
    }
    break;
  case Layout::BC3:
    colorChannels(base + 8, offset, index, true, false, used, out);
    if (used & 8)
      out.c[3] = rampCode(base, offset, index);
    break;
  default:
    out.c[0] = rampFloat(base, offset, index, isSigned);
    out.c[1] = f.layout == Layout::BC5 && (used & 2) ? rampFloat(base + 8, offset, index, isSigned) : asInt(Float(0.0f));
    out.c[2] = asInt(Float(0.0f));
    out.c[3] = asInt(Float(1.0f));
    break;
  }
  return out;
}

} // namespace monolith::codegen
