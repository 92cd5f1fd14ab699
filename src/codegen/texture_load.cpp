// SPDX-License-Identifier: MIT
#include "codegen/texture_load.h"

#include "codegen/texture_address.h"
#include "codegen/texture_fetch.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <cstddef>

namespace monolith::codegen {

using abi::TextureView;
using abi::ViewDimension;
using ir::Op;
using ir::ResourceDim;
using simd::asInt;
using simd::Float;
using simd::Int;
using simd::Mask;
using simd::Pointer;

namespace {

bool matches(ResourceDim declared, ViewDimension bound)
{
  switch (bound) {
  case ViewDimension::Buffer: return declared == ResourceDim::Buffer;
  case ViewDimension::RawBuffer: return declared == ResourceDim::RawBuffer;
  case ViewDimension::StructuredBuffer: return declared == ResourceDim::StructuredBuffer;
  case ViewDimension::Texture1D:
  case ViewDimension::Texture1DArray: return declared == ResourceDim::Texture1D || declared == ResourceDim::Texture1DArray;
  case ViewDimension::Texture2D:
  case ViewDimension::Texture2DArray: return declared == ResourceDim::Texture2D || declared == ResourceDim::Texture2DArray;
  case ViewDimension::Texture2DMS:
  case ViewDimension::Texture2DMSArray: return declared == ResourceDim::Texture2DMS || declared == ResourceDim::Texture2DMSArray;
  case ViewDimension::Texture3D: return declared == ResourceDim::Texture3D;
  default: return false;
  }
}

Pointer viewPointer(const ResourceContext& context, const ResourceOp& op)
{
  const Pointer resources = simd::loadPointer(context.bindings + int32_t(offsetof(abi::StageBindings, resources)));
  return simd::loadPointer(resources + int32_t(op.resourceSlot * sizeof(void*)));
}

/// Channels that the format has become 0 outside `inside`; the others keep their defaults.
void maskChannels(Channels& c, formats::Format format, Mask inside)
{
  for (unsigned k = 0; k < 4; k++)
    if (formats::info(format).channel[k].bits)
      c.c[k] = c.c[k] & inside;
}

Channels loadWordsOfBuffer(Pointer base, Int offset, const Mask inside[4])
{
  Channels out;
  for (int k = 0; k < 4; k++) {
    const Int at = (offset + Int(4 * k)) & inside[k];
    out.c[k] = simd::gather(base, at, 1) & inside[k];
  }
  return out;
}

Channels loadTexel(const ResourceOp& op, const ViewKey& key, Pointer view, Pointer base, const Int* operands)
{
  const ResourceDim dim = ResourceDim(op.dim);
  const unsigned spatial = ir::spatialCount(dim), coords = ir::coordinateCount(dim);
  const bool samples = Op(op.op) == Op::LdMs;
  const MipNeeds needs{spatial > 1, spatial > 2, spatial > 2 || samples};
  Mask inside(true);
  MipMemory mip;
  if (samples || coords >= op.operandCount) {
    mip = firstMipMemory(view, needs);
  } else {
    const Int last = simd::maxSigned(viewWord(view, offsetof(TextureView, mips)), Int(1));
    inside = simd::belowUnsigned(operands[coords], last);
    mip = mipMemory(view, operands[coords] & inside, needs);
  }
  Int at[3] = {Int(0), Int(0), Int(0)};
  const Int* size[3] = {&mip.width, &mip.height, &mip.depth};
  for (unsigned k = 0; k < spatial; k++) {
    at[k] = op.offset[k] ? operands[k] + Int(int32_t(op.offset[k])) : operands[k];
    inside = inside & simd::belowUnsigned(at[k], *size[k]);
  }
  Int base0 = mip.offset;
  if (coords > spatial) {
    const Int layers = simd::maxSigned(viewWord(view, offsetof(TextureView, layers)), Int(1));
    inside = inside & simd::belowUnsigned(operands[spatial], layers);
    base0 = base0 + (operands[spatial] & inside) * viewWord(view, offsetof(TextureView, layerPitch));
  }
  if (samples) {
    const Int count = simd::maxSigned(simd::broadcastInt(view + int32_t(offsetof(TextureView, format))) >> 16 & Int(255), Int(1));
    inside = inside & simd::belowUnsigned(operands[coords], count);
    base0 = base0 + (operands[coords] & inside) * mip.slicePitch;
  }
  for (unsigned k = 0; k < spatial; k++)
    at[k] = at[k] & inside;
  if (spatial > 2)
    base0 = base0 + at[2] * mip.slicePitch;
  const TexelFetcher fetch(key.format, base);
  if (spatial > 1) {
    const int shift = fetch.rowShift();
    base0 = base0 + (shift ? simd::shr(at[1], shift) : at[1]) * mip.rowPitch;
  }
  Channels out = fetch.load({base0 & inside, at[0], at[1]});
  maskChannels(out, key.format, inside);
  return out;
}

} // namespace

static_assert(offsetof(TextureView, dimension) == offsetof(TextureView, format) + 1 &&
                  offsetof(TextureView, samples) == offsetof(TextureView, format) + 2,
              "the sample count is read with the word at `format`");

bool knowsLoad(const ResourceOp& op, const ViewKey& view)
{
  if (!matches(ResourceDim(op.dim), view.dimension))
    return false;
  return view.dimension == ViewDimension::RawBuffer || view.dimension == ViewDimension::StructuredBuffer ||
         TexelFetcher::knows(view.format);
}

Channels emitLoad(const ResourceContext& context, const ResourceOp& op, const ViewKey& key, const Int* operands)
{
  const Pointer view = viewPointer(context, op);
  const Pointer base = simd::loadPointer(view + int32_t(offsetof(TextureView, base)));
  const Int width = viewWord(view, offsetof(TextureView, width));
  switch (key.dimension) {
  case ViewDimension::RawBuffer: {
    const Int address = operands[0] & Int(~3);
    Mask inside[4];
    for (int k = 0; k < 4; k++)
      inside[k] = simd::belowUnsigned(address + Int(4 * k + 3), width);
    return loadWordsOfBuffer(base, address, inside);
  }
  case ViewDimension::StructuredBuffer: {
    const Int stride = viewWord(view, offsetof(TextureView, elementStride));
    const Mask element = simd::belowUnsigned(operands[0], width);
    const Int offset = operands[1] & Int(~3);
    Mask inside[4];
    for (int k = 0; k < 4; k++)
      inside[k] = element & simd::belowUnsigned(offset + Int(4 * k + 3), stride);
    return loadWordsOfBuffer(base, operands[0] * stride + offset, inside);
  }
  case ViewDimension::Buffer: {
    const Mask inside = simd::belowUnsigned(operands[0], width);
    Channels out = TexelFetcher(key.format, base).load({Int(0), operands[0] & inside, Int(0)});
    maskChannels(out, key.format, inside);
    return out;
  }
  default: return loadTexel(op, key, view, base, operands);
  }
}

} // namespace monolith::codegen
