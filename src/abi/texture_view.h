// SPDX-License-Identifier: MIT
/// @file
/// What generated code sees of a shader resource view, a sampler and a constant buffer.
/// Plain structs with fixed offsets; generated code reads members by offsetof, so every member that
/// it may touch is a plain scalar or array. All structs are immutable while a scene uses them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace monolith::abi {

inline constexpr int kMaxMips = 15; ///< 16384 texels.

/// Dimension of a view, numerically equal to the ResourceDim numbers of DXBC (see dxbc/tokens.h).
enum class ViewDimension : uint8_t {
  None = 0, Buffer = 1, Texture1D = 2, Texture2D = 3, Texture2DMS = 4, Texture3D = 5, TextureCube = 6,
  Texture1DArray = 7, Texture2DArray = 8, Texture2DMSArray = 9, TextureCubeArray = 10,
  RawBuffer = 11, StructuredBuffer = 12
};

/// One shader resource view. Linear memory: texel (x,y,z) of mip m in array layer l lies at
///   base + l * layerPitch + mipOffset[m] + z * slicePitch[m] + y * rowPitch[m] + x * bytesPerTexel
/// (for block formats x, y count blocks). Index m is relative to the view's most detailed mip. All offsets
/// of one resource fit in 31 bits (resources are limited to 2 GiB), so gathers use 32-bit indices.
/// A null view has width 0 and `base` pointing at zeroed memory of at least 64 bytes.
struct TextureView {
  const uint8_t* base = nullptr;       ///< First layer of the view. Readable 64 bytes past the resource's end.
  uint32_t width = 0, height = 0, depth = 0; ///< Texels of the view's mip 0; buffers: width = element count.
  uint32_t layers = 0;                 ///< Array layers of the view (cubes: faces); 1 for non-arrays.
  uint32_t mips = 0;                   ///< Mip count of the view.
  uint32_t layerPitch = 0;             ///< Bytes between array layers.
  float minLod = 0;                    ///< SetResourceMinLOD, relative to the view's mip 0.
  uint32_t elementStride = 0;          ///< Bytes of a buffer element (structured: stride).
  uint8_t format = 0;                  ///< formats::Format of the view (never typeless).
  ViewDimension dimension = ViewDimension::None;
  uint8_t samples = 1;
  uint8_t reserved = 0;
  uint32_t resourceMips = 0;           ///< Mips of the whole resource.
  uint32_t mipOffset[kMaxMips] = {};
  uint32_t rowPitch[kMaxMips] = {};
  uint32_t slicePitch[kMaxMips] = {};
};

/// The dynamic part of a sampler; filter, address modes and comparison are constants of the generated code.
struct Sampler {
  float lodBias = 0, minLod = 0, maxLod = 0;
  uint32_t maxAnisotropy = 1;
  float border[4] = {};
};

/// One constant buffer binding. Reads at or beyond `size` vec4s give 0.
/// `data` is 16-byte aligned and never null (an unbound slot points at zeros with size 0).
struct ConstantBuffer {
  const uint8_t* data;
  uint32_t size;     ///< In vec4 (16 bytes); at most 4096.
  uint32_t reserved;
};

/// The bindings of one shader stage. Tables cover at least every slot that the shader declares.
struct StageBindings {
  const ConstantBuffer* constantBuffers;
  const TextureView* const* resources;   ///< Never null entries: unbound slots point at a null view.
  const Sampler* const* samplers;        ///< Never null entries: unbound slots point at the default sampler.
};

} // namespace monolith::abi
