// SPDX-License-Identifier: MIT
#include "codegen/color_merger.h"

#include "codegen/logic_op.h"
#include "codegen/output_reference.h"
#include "simd/float_ops.h"
#include "simd/int_ops.h"

namespace monolith::codegen {

using formats::ChannelType;
using formats::Format;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::Int;
using state::Blend;
using state::BlendOp;

namespace {

ChannelType rangeOf(Format format)
{
  for (const formats::Channel& c : formats::info(format).channel)
    if (c.bits)
      return c.type;
  return ChannelType::Float;
}

bool usesDest(Blend b)
{
  return b == Blend::DestAlpha || b == Blend::InvDestAlpha || b == Blend::DestColor || b == Blend::InvDestColor ||
         b == Blend::SrcAlphaSat;
}

bool isFactor(Blend b) { return b == Blend::BlendFactor || b == Blend::InvBlendFactor; }

bool isSource1(Blend b)
{
  return b == Blend::Src1Color || b == Blend::InvSrc1Color || b == Blend::Src1Alpha || b == Blend::InvSrc1Alpha;
}

template <class Test> bool anyFactor(const state::TargetBlend& b, Test test)
{
  return test(b.src) || test(b.dest) || test(b.srcAlpha) || test(b.destAlpha);
}

bool isMinMax(BlendOp op) { return op == BlendOp::Min || op == BlendOp::Max; }

} // namespace

bool readsTarget(const state::TargetBlend& blend, Format format)
{
  if (logicWith(blend, format))
    return true;
  if (!blendsWith(blend, format))
    return false;
  const bool isFloat = rangeOf(format) == ChannelType::Float;
  const auto trivial = [&](BlendOp op, Blend s, Blend d) {
    return (op == BlendOp::Add || op == BlendOp::Subtract) && d == Blend::Zero && !isFloat && !usesDest(s);
  };
  return !(trivial(blend.op, blend.src, blend.dest) && trivial(blend.opAlpha, blend.srcAlpha, blend.destAlpha));
}

bool usesBlendFactor(const state::TargetBlend& blend) { return anyFactor(blend, isFactor); }

bool hasPartialWriteMask(const state::TargetBlend& blend, Format format)
{
  const uint8_t present = presentChannels(format);
  return (blend.writeMask & present) != present;
}

ColorMerger::ColorMerger(const state::TargetBlend& blend, Format format)
    : m_blend(blend), m_format(format), m_range(rangeOf(format)), m_blends(blendsWith(blend, format)),
      m_codes(m_blends && blendsInCodes(format)), m_reads(readsTarget(blend, format))
{
}

Float ColorMerger::clampIn(Float v) const
{
  if (m_range == ChannelType::Unorm)
    return simd::saturate(v);
  if (m_range == ChannelType::Snorm)
    return simd::clamp(v, Float(-1.0f), Float(1.0f));
  return v;
}

Float ColorMerger::factorOf(Blend b, unsigned k, const Float dest[4]) const
{
  const Float one(1.0f);
  switch (b) {
  case Blend::Zero: return Float(0.0f);
  case Blend::One: return one;
  case Blend::SrcColor: return m_src[k];
  case Blend::InvSrcColor: return one - m_src[k];
  case Blend::SrcAlpha: return m_src[3];
  case Blend::InvSrcAlpha: return one - m_src[3];
  case Blend::DestAlpha: return dest[3];
  case Blend::InvDestAlpha: return one - dest[3];
  case Blend::DestColor: return dest[k];
  case Blend::InvDestColor: return one - dest[k];
  case Blend::SrcAlphaSat: return k == 3 ? one : simd::minSecond(one - dest[3], m_src[3]);
  case Blend::BlendFactor: return m_factor[k];
  case Blend::InvBlendFactor: return one - m_factor[k];
  case Blend::Src1Color: return m_src1[k];
  case Blend::InvSrc1Color: return one - m_src1[k];
  case Blend::Src1Alpha: return m_src1[3];
  case Blend::InvSrc1Alpha: return one - m_src1[3];
  }
  return Float(0.0f);
}

/// 0.5 + source * 255 * factor; the source term is subtracted for RevSubtract.
Float ColorMerger::codeBase(unsigned k, const Float unit[4]) const
{
  const Blend sf = sourceFactor(k);
  if (sf == Blend::Zero)
    return Float(0.5f);
  Float s = m_src[k] * Float(255.0f);
  if (sf != Blend::One)
    s = s * factorOf(sf, k, unit);
  return op(k) == BlendOp::RevSubtract ? Float(0.5f) - s : s + Float(0.5f);
}

void ColorMerger::prepare(const Channels& src, const Channels& src1, const Float factor[4])
{
  m_plain = src;
  if (m_blends) {
    const bool source1 = anyFactor(m_blend, isSource1), constant = usesBlendFactor(m_blend);
    for (unsigned k = 0; k < 4; k++) {
      m_src[k] = clampIn(asFloat(src.c[k]));
      if (m_blend.encoded && k < 3)
        m_src[k] = simd::toFloat(floatToSrgb(m_src[k])) * Float(1.0f / 255.0f);
      m_src1[k] = source1 && src1.c[k].valid() ? clampIn(asFloat(src1.c[k])) : Float(0.0f);
      m_factor[k] = constant && factor[k].valid() ? clampIn(factor[k]) : Float(0.0f);
    }
    const Float none[4];
    for (unsigned k = 0; k < 4; k++) {
      if (!formats::info(m_format).channel[k].bits || isMinMax(op(k)))
        continue;
      if (m_codes && !usesDest(sourceFactor(k)))
        m_base[k] = codeBase(k, none);
      const Blend df = destFactor(k);
      if (df != Blend::One && df != Blend::Zero && !usesDest(df)) {
        // Colour channels often share one factor.
        const bool shared = k > 0 && k < 3 && m_destWeight[0].valid() && df != Blend::SrcColor && df != Blend::InvSrcColor &&
                            df != Blend::BlendFactor && df != Blend::InvBlendFactor && df != Blend::Src1Color && df != Blend::InvSrc1Color;
        m_destWeight[k] = shared ? m_destWeight[0] : factorOf(df, k, none);
      }
    }
  }
  if (!m_reads) {
    Channels result = m_plain;
    if (m_blends && !m_codes) {
      const Float zero[4] = {Float(0.0f), Float(0.0f), Float(0.0f), Float(0.0f)};
      for (unsigned k = 0; k < 4; k++)
        result.c[k] = asInt(combine(k, zero));
    }
    m_words = m_codes ? mergeCodes(TexelWords()) : packTexel(m_format, result);
  }
}

Float ColorMerger::combine(unsigned k, const Float dest[4]) const
{
  const BlendOp o = op(k);
  const Blend sf = sourceFactor(k), df = destFactor(k);
  const Float s = m_src[k], d = dest[k];
  if (o == BlendOp::Min)
    return simd::minNumber(s, d);
  if (o == BlendOp::Max)
    return simd::maxNumber(s, d);
  const bool isFloat = m_range == ChannelType::Float;
  // Literal factors cost nothing, but 0 * NaN must stay NaN in float targets.
  Float dw = d;
  if (df == Blend::Zero && !isFloat)
    dw = Float(0.0f);
  else if (df != Blend::One)
    dw = d * (m_destWeight[k].valid() ? m_destWeight[k] : factorOf(df, k, dest));
  if (sf == Blend::One || (sf == Blend::Zero && !isFloat)) {
    const Float sw = sf == Blend::One ? s : Float(0.0f);
    return o == BlendOp::Add ? sw + dw : o == BlendOp::Subtract ? sw - dw : dw - sw;
  }
  const Float fs = factorOf(sf, k, dest);
  if (o == BlendOp::Add)
    return simd::fma(s, fs, dw);
  return o == BlendOp::Subtract ? simd::fms(s, fs, dw) : simd::fnma(s, fs, dw);
}

/// A channel's code, not yet limited below.
Int ColorMerger::combineCode(unsigned k, const Float codes[4], const Float unit[4]) const
{
  const BlendOp o = op(k);
  Float r;
  if (isMinMax(o)) {
    const Float s = m_src[k] * Float(255.0f);
    r = (o == BlendOp::Min ? simd::minNumber(s, codes[k]) : simd::maxNumber(s, codes[k])) + Float(0.5f);
  } else {
    const Float base = m_base[k].valid() ? m_base[k] : codeBase(k, unit);
    const Blend df = destFactor(k);
    if (df == Blend::Zero)
      r = base;
    else if (df == Blend::One)
      r = o == BlendOp::Subtract ? base - codes[k] : base + codes[k];
    else {
      const Float w = m_destWeight[k].valid() ? m_destWeight[k] : factorOf(df, k, unit);
      r = o == BlendOp::Subtract ? simd::fnma(codes[k], w, base) : simd::fma(codes[k], w, base);
    }
  }
  return simd::toIntTruncate(simd::minSecond(Float(255.5f), r));
}

TexelWords ColorMerger::mergeCodes(const TexelWords& old) const
{
  const formats::FormatInfo& f = formats::info(m_format);
  Float codes[4], unit[4];
  bool needsUnit = false;
  for (unsigned k = 0; k < 4; k++)
    needsUnit |= usesDest(sourceFactor(k)) || usesDest(destFactor(k));
  for (unsigned k = 0; k < 4; k++) {
    if (!f.channel[k].bits) {
      codes[k] = Float(k == 3 ? 255.0f : 0.0f);
      unit[k] = Float(k == 3 ? 1.0f : 0.0f);
      continue;
    }
    if (!m_reads)
      continue;
    const unsigned shift = f.channel[k].shift;
    Int v = shift ? simd::shr(old.w[0], int(shift)) : old.w[0];
    if (shift != 24)
      v = v & Int(255);
    codes[k] = simd::toFloat(v);
    if (needsUnit)
      unit[k] = codes[k] * Float(1.0f / 255.0f);
  }
  Int result[4];
  for (unsigned k = 0; k < 4; k++)
    if (f.channel[k].bits)
      result[k] = combineCode(k, codes, unit);
  TexelWords out;
  if (f.bytesPerBlock == 4) {
    // Saturating packs limit the codes; unused bytes become 0.
    Int byte[4] = {Int(0), Int(0), Int(0), Int(0)};
    for (unsigned k = 0; k < 4; k++)
      if (f.channel[k].bits)
        byte[f.channel[k].shift / 8] = result[k];
    const Int packed = simd::packUnsigned16To8(simd::packSigned32To16(byte[0], byte[1]), simd::packSigned32To16(byte[2], byte[3]));
    out.w[0] = simd::shuffleBytes(packed, {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
    return out;
  }
  bool first = true;
  for (unsigned k = 0; k < 4; k++)
    if (f.channel[k].bits) {
      const Int v = simd::shl(simd::maxSigned(result[k], Int(0)), f.channel[k].shift);
      out.w[0] = first ? v : out.w[0] | v;
      first = false;
    }
  return out;
}

TexelWords ColorMerger::merge(const TexelWords& old) const
{
  TexelWords words;
  if (!m_reads) {
    words = m_words;
  } else if (m_codes) {
    words = mergeCodes(old);
  } else {
    Channels result = m_plain;
    if (m_blends) {
      const Channels dest = unpackTexel(m_format, old);
      Float d[4];
      for (unsigned k = 0; k < 4; k++)
        d[k] = asFloat(dest.c[k]);
      for (unsigned k = 0; k < 4; k++)
        result.c[k] = asInt(combine(k, d));
    }
    words = packTexel(m_format, result);
  }
  const bool logic = logicWith(m_blend, m_format), partial = hasPartialWriteMask(m_blend, m_format);
  for (unsigned n = 0; n < texelWordCount(m_format); n++) {
    if (logic)
      words.w[n] = logicBits(m_blend.logicOp, words.w[n], old.w[n]);
    if (partial) {
      const uint32_t bits = channelBits(m_format, m_blend.writeMask, n);
      if (bits == 0)
        words.w[n] = old.w[n];
      else if (bits != 0xffffffffu)
        words.w[n] = (words.w[n] & Int(bits)) | (old.w[n] & Int(~bits));
    }
  }
  return words;
}

} // namespace monolith::codegen
