// SPDX-License-Identifier: MIT
#include "codegen/output_reference.h"

#include "codegen/logic_op.h"
#include "formats/scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace monolith::codegen {

using formats::ChannelType;
using formats::Format;
using formats::Texel;
using state::Blend;
using state::BlendOp;
using state::Comparison;
using state::StencilOp;

bool blendsWith(const state::TargetBlend& blend, Format format)
{
  return blend.enable && formats::shaderType(format) == ChannelType::Float;
}

bool logicWith(const state::TargetBlend& blend, Format format)
{
  return blend.logicEnable && formats::shaderType(format) == ChannelType::Uint;
}

namespace {

/// The range to which values entering the blender are clamped (17.5).
ChannelType rangeOf(Format format)
{
  for (const formats::Channel& c : formats::info(format).channel)
    if (c.bits)
      return c.type;
  return ChannelType::Float;
}

float clampTo(ChannelType range, float v)
{
  if (range == ChannelType::Unorm)
    return v > 0.0f ? std::min(v, 1.0f) : 0.0f;
  if (range == ChannelType::Snorm)
    return v >= -1.0f ? std::min(v, 1.0f) : -1.0f;
  return v;
}

struct Inputs {
  float src[4], src1[4], dest[4], factor[4];
};

float factorOf(Blend b, const Inputs& in, unsigned k)
{
  const bool alpha = k == 3;
  switch (b) {
  case Blend::Zero: return 0.0f;
  case Blend::One: return 1.0f;
  case Blend::SrcColor: return in.src[k];
  case Blend::InvSrcColor: return 1.0f - in.src[k];
  case Blend::SrcAlpha: return in.src[3];
  case Blend::InvSrcAlpha: return 1.0f - in.src[3];
  case Blend::DestAlpha: return in.dest[3];
  case Blend::InvDestAlpha: return 1.0f - in.dest[3];
  case Blend::DestColor: return in.dest[k];
  case Blend::InvDestColor: return 1.0f - in.dest[k];
  case Blend::SrcAlphaSat: {
    const float rest = 1.0f - in.dest[3];
    return alpha ? 1.0f : rest < in.src[3] ? rest : in.src[3];
  }
  case Blend::BlendFactor: return in.factor[k];
  case Blend::InvBlendFactor: return 1.0f - in.factor[k];
  case Blend::Src1Color: return in.src1[k];
  case Blend::InvSrc1Color: return 1.0f - in.src1[k];
  case Blend::Src1Alpha: return in.src1[3];
  case Blend::InvSrc1Alpha: return 1.0f - in.src1[3];
  }
  return 0.0f;
}

/// Product with a factor; a literal ZERO or ONE costs nothing, except that ZERO keeps NaN for float targets.
float weighted(Blend b, float value, float factor, bool isFloat)
{
  if (b == Blend::One)
    return value;
  if (b == Blend::Zero && !isFloat)
    return 0.0f;
  return value * factor;
}

float combine(BlendOp op, Blend sf, Blend df, const Inputs& in, unsigned k, bool isFloat)
{
  const float s = in.src[k], d = in.dest[k];
  if (op == BlendOp::Min)
    return std::isnan(s) ? d : std::isnan(d) ? s : s < d ? s : d;
  if (op == BlendOp::Max)
    return std::isnan(s) ? d : std::isnan(d) ? s : s > d ? s : d;
  const float fs = factorOf(sf, in, k), fd = factorOf(df, in, k);
  // One product is rounded, the other enters the sum unrounded (a fused operation, allowed by 17.5).
  const bool sPlain = sf == Blend::One || (sf == Blend::Zero && !isFloat);
  const float dw = weighted(df, d, fd, isFloat);
  if (sPlain) {
    const float sw = sf == Blend::One ? s : 0.0f;
    return op == BlendOp::Add ? sw + dw : op == BlendOp::Subtract ? sw - dw : dw - sw;
  }
  if (op == BlendOp::Add)
    return std::fma(s, fs, dw);
  if (op == BlendOp::Subtract)
    return std::fma(s, fs, -dw);
  return std::fma(-s, fs, dw);
}

uint32_t stencilResult(StencilOp op, uint32_t old, uint32_t ref)
{
  switch (op) {
  case StencilOp::Keep: return old;
  case StencilOp::Zero: return 0;
  case StencilOp::Replace: return ref;
  case StencilOp::IncrSat: return std::min(old + 1, 255u);
  case StencilOp::DecrSat: return old ? old - 1 : 0;
  case StencilOp::Invert: return ~old & 255;
  case StencilOp::Incr: return (old + 1) & 255;
  case StencilOp::Decr: return (old - 1) & 255;
  }
  return old;
}

template <class T> bool compare(Comparison func, T a, T b)
{
  switch (func) {
  case Comparison::None:
  case Comparison::Never: return false;
  case Comparison::Less: return a < b;
  case Comparison::Equal: return a == b;
  case Comparison::LessEqual: return a <= b;
  case Comparison::Greater: return a > b;
  case Comparison::NotEqual: return a != b;
  case Comparison::GreaterEqual: return a >= b;
  case Comparison::Always: return true;
  }
  return false;
}

} // namespace

void blendPixel(const state::TargetBlend& blend, Format format, const float src[4], const float src1[4],
                const float dest[4], const float factor[4], float out[4])
{
  const ChannelType range = rangeOf(format);
  Inputs in;
  for (unsigned k = 0; k < 4; k++) {
    in.src[k] = clampTo(range, src[k]);
    in.src1[k] = clampTo(range, src1[k]);
    in.factor[k] = clampTo(range, factor[k]);
    in.dest[k] = dest[k];
  }
  const bool isFloat = range == ChannelType::Float;
  for (unsigned k = 0; k < 3; k++)
    out[k] = combine(blend.op, blend.src, blend.dest, in, k, isFloat);
  out[3] = combine(blend.opAlpha, blend.srcAlpha, blend.destAlpha, in, 3, isFloat);
}

bool blendsInCodes(Format format)
{
  const formats::FormatInfo& f = formats::info(format);
  if (f.layout != formats::Layout::Array || f.isSrgb() || f.bytesPerBlock > 4)
    return false;
  for (const formats::Channel& c : f.channel)
    if (c.bits && (c.bits != 8 || c.type != ChannelType::Unorm))
      return false;
  return true;
}

uint32_t blendCode(BlendOp op, Blend sf, Blend df, float src, float fs, float code, float fd)
{
  float r;
  if (op == BlendOp::Min || op == BlendOp::Max) {
    const float s = src * 255.0f;
    r = (op == BlendOp::Min ? std::min(s, code) : std::max(s, code)) + 0.5f;
  } else {
    float s = 0.0f;
    if (sf != Blend::Zero) {
      s = src * 255.0f;
      if (sf != Blend::One)
        s *= fs;
    }
    const float base = op == BlendOp::RevSubtract ? 0.5f - s : s + 0.5f;
    const float weight = df == Blend::Zero ? 0.0f : df == Blend::One ? 1.0f : fd;
    r = std::fma(code, op == BlendOp::Subtract ? -weight : weight, base);
  }
  return r > 0.0f ? uint32_t(std::min(r, 255.5f)) : 0;
}

namespace {

void blendCodes(const state::TargetBlend& blend, Format format, const Texel& src, const Texel& src1, const float factor[4], uint8_t* pixel)
{
  const formats::FormatInfo& f = formats::info(format);
  Inputs in;
  float code[4] = {0.0f, 0.0f, 0.0f, 255.0f};
  for (unsigned k = 0; k < 4; k++) {
    in.src[k] = clampTo(ChannelType::Unorm, src.f[k]);
    in.src1[k] = clampTo(ChannelType::Unorm, src1.f[k]);
    in.factor[k] = clampTo(ChannelType::Unorm, factor[k]);
    if (f.channel[k].bits)
      code[k] = float(pixel[f.channel[k].shift / 8]);
    in.dest[k] = f.channel[k].bits ? code[k] * (1.0f / 255.0f) : k == 3 ? 1.0f : 0.0f;
  }
  if (f.bytesPerBlock == 4 && !f.channel[3].bits)
    pixel[3] = 0;
  for (unsigned k = 0; k < 4; k++) {
    if (!f.channel[k].bits)
      continue;
    const BlendOp op = k < 3 ? blend.op : blend.opAlpha;
    const Blend sf = k < 3 ? blend.src : blend.srcAlpha, df = k < 3 ? blend.dest : blend.destAlpha;
    pixel[f.channel[k].shift / 8] =
        uint8_t(blendCode(op, sf, df, in.src[k], factorOf(sf, in, k), code[k], factorOf(df, in, k)));
  }
}

} // namespace

void writePixel(const state::TargetBlend& blend, Format format, const Texel& source, const Texel& src1, const float factor[4],
                void* pixel)
{
  Texel src = source;
  for (unsigned k = 0; k < 3 && blend.encoded; k++)
    src.f[k] = float(formats::floatToSrgb(src.f[k])) * (1.0f / 255.0f);
  const formats::FormatInfo& f = formats::info(format);
  uint8_t old[16] = {}, fresh[16] = {};
  std::memcpy(old, pixel, f.bytesPerBlock);
  Texel result = src;
  const bool inCodes = blendsWith(blend, format) && blendsInCodes(format);
  if (blendsWith(blend, format) && !inCodes) {
    Texel dest;
    formats::unpack(format, old, dest);
    blendPixel(blend, format, src.f, src1.f, dest.f, factor, result.f);
  }
  if (inCodes) {
    std::memcpy(fresh, old, f.bytesPerBlock);
    blendCodes(blend, format, src, src1, factor, fresh);
  } else {
    formats::pack(format, result, fresh);
  }
  if (logicWith(blend, format))
    for (unsigned k = 0; k < f.bytesPerBlock; k++)
      fresh[k] = uint8_t(logicBits(blend.logicOp, uint32_t(fresh[k]), uint32_t(old[k])));
  uint8_t* p = static_cast<uint8_t*>(pixel);
  for (unsigned byte = 0; byte < f.bytesPerBlock; byte++) {
    uint32_t keep = 0, known = 0;
    for (unsigned k = 0; k < 4; k++)
      for (unsigned b = f.channel[k].shift; b < unsigned(f.channel[k].shift + f.channel[k].bits); b++)
        if (b / 8 == byte) {
          known |= 1u << (b % 8);
          if (!(blend.writeMask >> k & 1))
            keep |= 1u << (b % 8);
        }
    // Unused bits are written with the rest of a full write.
    bool full = true;
    for (unsigned k = 0; k < 4; k++)
      full &= !f.channel[k].bits || (blend.writeMask >> k & 1);
    if (!full)
      keep |= ~known;
    p[byte] = uint8_t((old[byte] & keep) | (fresh[byte] & ~keep));
  }
}

uint32_t depthCode(Format format, float z)
{
  const unsigned bits = formats::info(format).channel[0].bits;
  return bits == 32 ? std::bit_cast<uint32_t>(z) : formats::floatToUnorm(z, bits);
}

bool testPixel(const state::DepthStencilState& s, Format format, bool frontFacing, uint8_t stencilRef, float z, void* pixel)
{
  const formats::FormatInfo& f = formats::info(format);
  if (!f.isDepthStencil())
    return true;
  uint64_t word = 0;
  std::memcpy(&word, pixel, f.bytesPerBlock);
  const formats::Channel& d = f.channel[0];
  const uint64_t depthMask = (uint64_t(1) << d.bits) - 1;
  const uint32_t oldCode = uint32_t(word & depthMask);
  const uint32_t code = depthCode(format, z);
  bool depthPass = true;
  if (s.depthEnable)
    depthPass = d.bits == 32 ? compare(s.depthFunc, std::bit_cast<float>(code), std::bit_cast<float>(oldCode))
                             : compare(s.depthFunc, code, oldCode);
  bool stencilPass = true;
  if (s.stencilEnable && f.hasStencil()) {
    const unsigned shift = f.channel[1].shift;
    const uint32_t old = uint32_t(word >> shift & 255);
    const state::StencilFace& face = frontFacing ? s.front : s.back;
    stencilPass = compare(face.func, uint32_t(stencilRef & s.stencilReadMask), old & s.stencilReadMask);
    const StencilOp op = !stencilPass ? face.fail : !depthPass ? face.depthFail : face.pass;
    const uint32_t fresh = stencilResult(op, old, stencilRef);
    const uint32_t stored = (old & ~uint32_t(s.stencilWriteMask)) | (fresh & s.stencilWriteMask);
    word = (word & ~(uint64_t(255) << shift)) | uint64_t(stored & 255) << shift;
  }
  const bool pass = depthPass && stencilPass;
  if (pass && s.depthEnable && s.depthWrite)
    word = (word & ~depthMask) | code;
  std::memcpy(pixel, &word, f.bytesPerBlock);
  return pass;
}

} // namespace monolith::codegen
