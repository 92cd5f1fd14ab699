// SPDX-License-Identifier: MIT
#include "codegen/output_merger.h"

#include "codegen/output_reference.h"
#include "simd/float_ops.h"
#include "simd/int_ops.h"

namespace monolith::codegen {

using formats::Format;
using simd::asFloat;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Mask;
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

} // namespace monolith::codegen
