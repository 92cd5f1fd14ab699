// SPDX-License-Identifier: MIT
#include "resources/resource.h"

#include <algorithm>

namespace monolith::resources {
namespace {
alignas(64) constexpr uint8_t kZeros[4096 + 64] = {};

abi::TextureView makeNullView() {
  abi::TextureView v;
  v.base = kZeros;
  v.format = uint8_t(formats::Format::R32G32B32A32_FLOAT);
  v.dimension = abi::ViewDimension::None;
  return v;
}
} // namespace

void makeTextureView(const Texture& texture, abi::ViewDimension dimension, formats::Format format, uint32_t firstMip,
                     uint32_t mips, uint32_t firstLayer, uint32_t layers, abi::TextureView& out) {
  const TextureDesc& d = texture.desc();
  const TextureLayout& l = texture.layout();
  const bool volume = d.kind == TextureKind::Texture3D;
  out = {};
  out.base = texture.data() + (volume ? 0 : firstLayer * l.layerPitch);
  out.width = texture.mipWidth(firstMip);
  out.height = texture.mipHeight(firstMip);
  out.depth = volume ? texture.mipDepth(firstMip) : 1;
  out.layers = volume ? 1 : layers;
  out.mips = mips;
  out.layerPitch = uint32_t(l.layerPitch);
  out.elementStride = formats::info(d.format).bytesPerBlock;
  out.format = uint8_t(format);
  out.dimension = dimension;
  out.samples = uint8_t(d.samples);
  out.resourceMips = d.mips;
  for (uint32_t m = 0; m < uint32_t(abi::kMaxMips); ++m) {
    const uint32_t from = firstMip + std::min(m, mips - 1); // entries past the last repeat it
    out.mipOffset[m] = l.mipOffset[from];
    out.rowPitch[m] = l.rowPitch[from];
    out.slicePitch[m] = l.slicePitch[from];
  }
}

void makeBufferView(const uint8_t* data, abi::ViewDimension dimension, formats::Format format, uint64_t firstByte,
                    uint32_t elements, uint32_t elementStride, abi::TextureView& out) {
  out = {};
  out.base = data + firstByte;
  const bool raw = dimension == abi::ViewDimension::RawBuffer; // counted and addressed in bytes
  out.width = raw ? elements * elementStride : elements;
  out.height = out.depth = out.layers = out.mips = out.resourceMips = 1;
  out.elementStride = raw ? 1 : elementStride;
  out.format = uint8_t(format);
  out.dimension = dimension;
  const uint64_t bytes = uint64_t(elements) * elementStride;
  for (int m = 0; m < abi::kMaxMips; ++m)
    out.rowPitch[m] = out.slicePitch[m] = uint32_t(std::min<uint64_t>(bytes, UINT32_MAX));
}

bool makeTargetView(const std::shared_ptr<Texture>& texture, formats::Format format, uint32_t mip, uint32_t firstLayer,
                    uint32_t layers, TargetView& out) {
  if (!texture || mip >= texture->desc().mips)
    return false;
  const bool volume = texture->desc().kind == TextureKind::Texture3D;
  const uint32_t available = volume ? texture->mipDepth(mip) : texture->desc().layers;
  if (firstLayer >= available)
    return false;
  out = {};
  out.texture = texture;
  out.format = format;
  out.mip = mip;
  out.firstLayer = firstLayer;
  out.layers = std::min(layers, available - firstLayer);
  out.width = texture->mipWidth(mip);
  out.height = texture->mipHeight(mip);
  out.base = volume ? texture->address(mip, 0, firstLayer) : texture->address(mip, firstLayer);
  out.rowPitch = texture->layout().rowPitch[mip];
  return true;
}

const abi::TextureView& nullView() {
  static const abi::TextureView view = makeNullView();
  return view;
}

const abi::Sampler& defaultSampler() {
  static const abi::Sampler sampler = {0, 0, 3.402823466e+38f, 1, {0, 0, 0, 0}};
  return sampler;
}

const abi::ConstantBuffer& nullConstantBuffer() {
  static const abi::ConstantBuffer buffer = {kZeros, 0, 0};
  return buffer;
}

const abi::VertexStream& nullVertexStream() {
  static const abi::VertexStream stream = {kZeros, 0, 0};
  return stream;
}

} // namespace monolith::resources
