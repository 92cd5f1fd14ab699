// SPDX-License-Identifier: MIT
#include "codegen/output_merger.h"

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
using simd::Mask;
using state::Blend;
using state::BlendOp;
using state::Comparison;
using state::StencilOp;

namespace {

template <class T> Mask compare(Comparison func, T a, T b)
{
  switch (func) {
  case Comparison::None:
  case Comparison::Never: return Mask(false);
  case Comparison::Less: return a < b;
  case Comparison::Equal: return a == b;
  case Comparison::LessEqual: return a <= b;
  case Comparison::Greater: return a > b;
  case Comparison::NotEqual: return a != b;
  case Comparison::GreaterEqual: return a >= b;
  case Comparison::Always: return Mask(true);
  }
  return Mask(false);
}

Int stencilResult(StencilOp op, Int old, Int reference)
{
  switch (op) {
  case StencilOp::Keep: return old;
  case StencilOp::Zero: return Int(0);
  case StencilOp::Replace: return reference;
  case StencilOp::IncrSat: return simd::minSigned(old + Int(1), Int(255));
  case StencilOp::DecrSat: return simd::maxSigned(old - Int(1), Int(0));
  case StencilOp::Invert: return old ^ Int(255);
  case StencilOp::Incr: return (old + Int(1)) & Int(255);
  case StencilOp::Decr: return (old - Int(1)) & Int(255);
  }
  return old;
}

bool always(Comparison func) { return func == Comparison::Always; }

ChannelType rangeOf(Format format)
{
  for (const formats::Channel& c : formats::info(format).channel)
    if (c.bits)
      return c.type;
  return ChannelType::Float;
}

struct Blender {
  ChannelType range;
  Float src[4], src1[4], dest[4], factor[4];

  Float clampIn(Float v) const
  {
    if (range == ChannelType::Unorm)
      return simd::saturate(v);
    if (range == ChannelType::Snorm)
      return simd::clamp(v, Float(-1.0f), Float(1.0f));
    return v;
  }

  Float factorOf(Blend b, unsigned k) const
  {
    const Float one(1.0f);
    switch (b) {
    case Blend::Zero: return Float(0.0f);
    case Blend::One: return one;
    case Blend::SrcColor: return src[k];
    case Blend::InvSrcColor: return one - src[k];
    case Blend::SrcAlpha: return src[3];
    case Blend::InvSrcAlpha: return one - src[3];
    case Blend::DestAlpha: return dest[3];
    case Blend::InvDestAlpha: return one - dest[3];
    case Blend::DestColor: return dest[k];
    case Blend::InvDestColor: return one - dest[k];
    case Blend::SrcAlphaSat: return k == 3 ? one : simd::minSecond(one - dest[3], src[3]);
    case Blend::BlendFactor: return factor[k];
    case Blend::InvBlendFactor: return one - factor[k];
    case Blend::Src1Color: return src1[k];
    case Blend::InvSrc1Color: return one - src1[k];
    case Blend::Src1Alpha: return src1[3];
    case Blend::InvSrc1Alpha: return one - src1[3];
    }
    return Float(0.0f);
  }

  Float combine(BlendOp op, Blend sf, Blend df, unsigned k) const
  {
    const Float s = src[k], d = dest[k];
    if (op == BlendOp::Min)
      return simd::minNumber(s, d);
    if (op == BlendOp::Max)
      return simd::maxNumber(s, d);
    const bool isFloat = range == ChannelType::Float;
    // Literal factors cost nothing, but 0 * NaN must stay NaN in float targets.
    Float dw = d;
    const bool dZero = df == Blend::Zero && !isFloat;
    if (dZero)
      dw = Float(0.0f);
    else if (df != Blend::One)
      dw = d * factorOf(df, k);
    if (sf == Blend::One || (sf == Blend::Zero && !isFloat)) {
      const Float sw = sf == Blend::One ? s : Float(0.0f);
      return op == BlendOp::Add ? sw + dw : op == BlendOp::Subtract ? sw - dw : dw - sw;
    }
    const Float fs = factorOf(sf, k);
    if (op == BlendOp::Add)
      return simd::fma(s, fs, dw);
    return op == BlendOp::Subtract ? simd::fms(s, fs, dw) : simd::fnma(s, fs, dw);
  }
};

} // namespace

bool testsDepthStencil(const state::DepthStencilState& s, Format format)
{
  const formats::FormatInfo& f = formats::info(format);
  const bool depth = s.depthEnable && f.hasDepth() && !(always(s.depthFunc) && !s.depthWrite);
  return depth || (s.stencilEnable && f.hasStencil());
}

Int depthToCode(Format format, Float z)
{
  const unsigned bits = formats::info(format).channel[0].bits;
  return bits == 32 ? asInt(z) : floatToUnorm(z, bits);
}

DepthTest testDepthStencil(const state::DepthStencilState& s, Format format, const StencilInputs& in, Float z,
                           const TexelWords& old)
{
  const formats::FormatInfo& f = formats::info(format);
  const formats::Channel& d = f.channel[0];
  const bool testsStencil = s.stencilEnable && f.hasStencil();
  const uint32_t depthMask = d.bits == 32 ? 0xffffffffu : (1u << d.bits) - 1;
  DepthTest out;
  out.words = old;
  const Int code = depthToCode(format, z);
  Mask depthPass(true);
  const bool testsDepth = s.depthEnable && !always(s.depthFunc);
  if (testsDepth) {
    const Int oldCode = d.bits == 32 || f.bytesPerBlock * 8 == d.bits ? old.w[0] : old.w[0] & Int(depthMask);
    depthPass = d.bits == 32 ? compare(s.depthFunc, asFloat(code), asFloat(oldCode)) : compare(s.depthFunc, code, oldCode);
  }
  out.pass = depthPass;
  out.allPass = !testsDepth;
  Int stencilBits;
  if (testsStencil) {
    const unsigned word = f.channel[1].shift / 32, shift = f.channel[1].shift % 32;
    Int oldStencil = shift ? simd::shr(old.w[word], int(shift)) : old.w[word];
    if (shift + 8 < 32)
      oldStencil = oldStencil & Int(255);
    const state::StencilFace& face = in.frontFacing ? s.front : s.back;
    Mask stencilPass(true);
    if (!always(face.func)) {
      const Int m(int32_t(s.stencilReadMask));
      stencilPass = compare(face.func, in.reference & m, oldStencil & m);
    }
    out.pass = testsDepth ? stencilPass & depthPass : stencilPass;
    out.allPass = out.allPass && always(face.func);
    const Int passed = stencilResult(face.pass, oldStencil, in.reference);
    const Int failed = stencilResult(face.fail, oldStencil, in.reference);
    const Int depthFailed = stencilResult(face.depthFail, oldStencil, in.reference);
    Int fresh = testsDepth ? simd::select(depthPass, passed, depthFailed) : passed;
    if (!always(face.func))
      fresh = simd::select(stencilPass, fresh, failed);
    const bool keeps = face.pass == StencilOp::Keep && (always(face.func) || face.fail == StencilOp::Keep) &&
                       (!testsDepth || face.depthFail == StencilOp::Keep);
    if (!keeps && s.stencilWriteMask) {
      const Int w(int32_t(s.stencilWriteMask));
      const Int stored = s.stencilWriteMask == 255 ? fresh : simd::andNot(oldStencil, w) | (fresh & w);
      const Int others = old.w[word] & Int(~(255u << shift));
      out.words.w[word] = others | (shift ? simd::shl(stored, int(shift)) : stored);
      out.writes = out.writesFailed = true;
    }
  }
  if (s.depthEnable && s.depthWrite) {
    out.writes = true;
    // Where a stencil operation may also change failed pixels, depth must be kept there.
    const bool wholeWord = d.bits == 32 || f.bytesPerBlock * 8 == d.bits;
    Int fresh = wholeWord ? code : (out.words.w[0] & Int(~depthMask)) | code;
    if (out.writesFailed)
      fresh = simd::select(out.pass, fresh, out.words.w[0]);
    out.words.w[0] = fresh;
  }
  return out;
}

bool readsTarget(const state::TargetBlend& blend, Format format)
{
  if (logicWith(blend, format))
    return true;
  if (!blendsWith(blend, format))
    return false;
  const bool isFloat = rangeOf(format) == ChannelType::Float;
  const auto trivial = [&](BlendOp op, Blend s, Blend d) {
    const auto uses = [](Blend b) {
      return b == Blend::DestAlpha || b == Blend::InvDestAlpha || b == Blend::DestColor || b == Blend::InvDestColor ||
             b == Blend::SrcAlphaSat;
    };
    return (op == BlendOp::Add || op == BlendOp::Subtract) && d == Blend::Zero && !isFloat && !uses(s);
  };
  return !(trivial(blend.op, blend.src, blend.dest) && trivial(blend.opAlpha, blend.srcAlpha, blend.destAlpha));
}

bool hasPartialWriteMask(const state::TargetBlend& blend, Format format)
{
  const uint8_t present = presentChannels(format);
  return (blend.writeMask & present) != present;
}

TexelWords mergeColor(const state::TargetBlend& blend, Format format, const Channels& src, const Channels& src1,
                      const TexelWords& old, const Float factor[4])
{
  Channels result = src;
  if (blendsWith(blend, format)) {
    Blender b;
    b.range = rangeOf(format);
    const bool reads = readsTarget(blend, format);
    Channels dest;
    if (reads)
      dest = unpackTexel(format, old);
    for (unsigned k = 0; k < 4; k++) {
      b.src[k] = b.clampIn(asFloat(src.c[k]));
      b.src1[k] = src1.c[k].valid() ? b.clampIn(asFloat(src1.c[k])) : Float(0.0f);
      b.dest[k] = reads ? asFloat(dest.c[k]) : Float(0.0f);
      b.factor[k] = factor[k].valid() ? b.clampIn(factor[k]) : Float(0.0f);
    }
    for (unsigned k = 0; k < 3; k++)
      result.c[k] = asInt(b.combine(blend.op, blend.src, blend.dest, k));
    result.c[3] = asInt(b.combine(blend.opAlpha, blend.srcAlpha, blend.destAlpha, 3));
  }
  TexelWords words = packTexel(format, result);
  const bool logic = logicWith(blend, format), partial = hasPartialWriteMask(blend, format);
  for (unsigned n = 0; n < texelWordCount(format); n++) {
    if (logic)
      words.w[n] = logicBits(blend.logicOp, words.w[n], old.w[n]);
    if (partial) {
      const uint32_t bits = channelBits(format, blend.writeMask, n);
      words.w[n] = bits == 0xffffffffu ? words.w[n] : bits == 0 ? old.w[n]
                                                               : (words.w[n] & Int(bits)) | (old.w[n] & Int(~bits));
    }
  }
  return words;
}

} // namespace monolith::codegen
