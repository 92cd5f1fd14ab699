// SPDX-License-Identifier: MIT
#include "d3d11/resource_desc.h"

#include "base/log.h"
#include "base/raw_enum.h"
#include "formats/support.h"

#include <algorithm>
#include <bit>

namespace monolith::d3d11 {

namespace {

using formats::Format;
using formats::Use;

HRESULT invalid(const char* what) {
  base::logLine(base::LogLevel::Warn, "resource creation: %s", what);
  return E_INVALIDARG;
}

/// Size limits by feature level.
struct Limits {
  D3D_FEATURE_LEVEL level;
  UINT size1D, size2D, sizeCube, size3D, layers1D, layers2D;
};
constexpr Limits kLimits[] = {
    {D3D_FEATURE_LEVEL_9_1, 2048, 2048, 512, 256, 1, 1},
    {D3D_FEATURE_LEVEL_9_2, 2048, 2048, 512, 256, 1, 1},
    {D3D_FEATURE_LEVEL_9_3, 4096, 4096, 4096, 256, 1, 1},
    {D3D_FEATURE_LEVEL_10_0, 8192, 8192, 8192, 2048, 512, 512},
    {D3D_FEATURE_LEVEL_10_1, 8192, 8192, 8192, 2048, 512, 512},
    {D3D_FEATURE_LEVEL_11_0, 16384, 16384, 16384, 2048, 2048, 2048},
};
const Limits& limitsOf(D3D_FEATURE_LEVEL level) {
  const Limits* found = &kLimits[0];
  for (const Limits& l : kLimits)
    if (l.level <= level)
      found = &l;
  return *found;
}

constexpr UINT kOutputBinds = D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_UNORDERED_ACCESS |
                              D3D11_BIND_STREAM_OUTPUT;
constexpr UINT kKnownBinds = D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER |
                             D3D11_BIND_SHADER_RESOURCE | kOutputBinds | D3D11_BIND_DECODER | D3D11_BIND_VIDEO_ENCODER;
constexpr UINT kBufferBinds = D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER |
                              D3D11_BIND_STREAM_OUTPUT;
constexpr UINT kBufferMisc = D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS | D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS |
                             D3D11_RESOURCE_MISC_BUFFER_STRUCTURED;
constexpr UINT kSharedMisc = D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX |
                             D3D11_RESOURCE_MISC_SHARED_NTHANDLE;
constexpr UINT kTextureMisc = D3D11_RESOURCE_MISC_GENERATE_MIPS | D3D11_RESOURCE_MISC_TEXTURECUBE |
                              D3D11_RESOURCE_MISC_RESOURCE_CLAMP | D3D11_RESOURCE_MISC_GDI_COMPATIBLE | kSharedMisc;

/// Usage, CPU access and bind flags against each other.
HRESULT checkAccess(bool buffer, D3D11_USAGE usage, UINT bind, UINT cpu, UINT layout, bool hasData) {
  if (cpu & ~UINT(D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE))
    return invalid("unknown CPU access flag");
  if (bind & ~kKnownBinds)
    return invalid("unknown bind flag");
  switch (usage) {
  case D3D11_USAGE_DEFAULT:
    if (cpu) {
      // Mappable default resources: buffers that serve as views only, and textures with a defined layout.
      const bool mappable = buffer ? bind != 0 && !(bind & ~UINT(D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_UNORDERED_ACCESS))
                                   : layout != D3D11_TEXTURE_LAYOUT_UNDEFINED;
      if (!mappable)
        return invalid("DEFAULT usage with CPU access");
    }
    return S_OK;
  case D3D11_USAGE_IMMUTABLE:
    if (cpu)
      return invalid("IMMUTABLE usage with CPU access");
    if (bind & (kOutputBinds | D3D11_BIND_DECODER | D3D11_BIND_VIDEO_ENCODER))
      return invalid("IMMUTABLE usage with an output bind flag");
    if (!hasData)
      return invalid("IMMUTABLE usage without initial data");
    return S_OK;
  case D3D11_USAGE_DYNAMIC:
    if (cpu != D3D11_CPU_ACCESS_WRITE)
      return invalid("DYNAMIC usage needs CPU write access and nothing else");
    if (bind == 0)
      return invalid("DYNAMIC usage without bind flags");
    if (bind & kOutputBinds)
      return invalid("DYNAMIC usage with an output bind flag");
    return S_OK;
  case D3D11_USAGE_STAGING:
    if (bind)
      return invalid("STAGING usage with bind flags");
    if (!cpu)
      return invalid("STAGING usage without CPU access");
    return S_OK;
  }
  return invalid("unknown usage");
}

HRESULT checkShared(UINT misc, UINT usage) {
  if ((misc & D3D11_RESOURCE_MISC_SHARED) && (misc & D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX))
    return invalid("SHARED and SHARED_KEYEDMUTEX exclude each other");
  if ((misc & D3D11_RESOURCE_MISC_SHARED_NTHANDLE) &&
      !(misc & (D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX)))
    return invalid("SHARED_NTHANDLE alone");
  if ((misc & kSharedMisc) && usage != D3D11_USAGE_DEFAULT)
    return invalid("shared resources need DEFAULT usage");
  return S_OK;
}

} // namespace

formats::Level formatLevel(D3D_FEATURE_LEVEL level) {
  switch (level) {
  case D3D_FEATURE_LEVEL_9_1: return formats::Level::L9_1;
  case D3D_FEATURE_LEVEL_9_2: return formats::Level::L9_2;
  case D3D_FEATURE_LEVEL_9_3: return formats::Level::L9_3;
  case D3D_FEATURE_LEVEL_10_0: return formats::Level::L10_0;
  case D3D_FEATURE_LEVEL_10_1: return formats::Level::L10_1;
  case D3D_FEATURE_LEVEL_11_0: return formats::Level::L11_0;
  default: return formats::Level::L11_1;
  }
}

bool supportsUse(Format format, D3D_FEATURE_LEVEL level, Use use) {
  if (formats::supports(format, formatLevel(level), use))
    return true;
  if (!formats::info(format).isTypeless())
    return false;
  for (uint32_t i = 1; i < formats::kFormatCount; i++) {
    const auto member = static_cast<Format>(i);
    if (formats::isValid(member) && formats::canView(format, member) &&
        formats::supports(member, formatLevel(level), use))
      return true;
  }
  return false;
}

HRESULT checkBuffer(const D3D11_BUFFER_DESC& desc, D3D_FEATURE_LEVEL level, const D3D11_SUBRESOURCE_DATA* data,
                    ResourceInfo& out) {
  if (desc.ByteWidth == 0)
    return invalid("buffer of no bytes");
  if (base::raw(desc.Usage) > D3D11_USAGE_STAGING)
    return invalid("unknown usage");
  if (HRESULT hr = checkAccess(true, desc.Usage, desc.BindFlags, desc.CPUAccessFlags, D3D11_TEXTURE_LAYOUT_UNDEFINED,
                               data && data->pSysMem);
      FAILED(hr))
    return hr;
  if (data && !data->pSysMem)
    return invalid("initial data without a pointer");
  if (desc.BindFlags & (D3D11_BIND_DEPTH_STENCIL))
    return invalid("buffer as depth-stencil");
  if (desc.BindFlags & D3D11_BIND_CONSTANT_BUFFER) {
    if (desc.BindFlags != D3D11_BIND_CONSTANT_BUFFER)
      return invalid("constant buffers have no other bind flag");
    if (desc.ByteWidth % 16)
      return invalid("constant buffer size is not a multiple of 16");
  }
  if (level < D3D_FEATURE_LEVEL_10_0 && (desc.BindFlags & D3D11_BIND_STREAM_OUTPUT))
    return invalid("stream output at feature level 9");
  if (level < D3D_FEATURE_LEVEL_10_0 && (desc.BindFlags & D3D11_BIND_UNORDERED_ACCESS))
    return invalid("unordered access at feature level 9");
  if (desc.MiscFlags & ~(kBufferMisc | kSharedMisc | D3D11_RESOURCE_MISC_RESOURCE_CLAMP))
    return invalid("misc flag that buffers cannot have");
  if (HRESULT hr = checkShared(desc.MiscFlags, desc.Usage); FAILED(hr))
    return hr;
  if (desc.MiscFlags & D3D11_RESOURCE_MISC_RESOURCE_CLAMP)
    return invalid("resource clamp on a buffer");
  if (desc.MiscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED) {
    if (desc.MiscFlags & D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS)
      return invalid("structured and raw views exclude each other");
    if (desc.StructureByteStride == 0 || desc.StructureByteStride > 2048 || desc.StructureByteStride % 4)
      return invalid("structure stride");
    if (desc.ByteWidth % desc.StructureByteStride)
      return invalid("structured buffer size is not a multiple of the stride");
    if (desc.BindFlags & kBufferBinds)
      return invalid("structured buffer with vertex, index, constant or stream-output bind flag");
  }
  if (desc.MiscFlags & D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS) {
    if (desc.BindFlags != 0 && !(desc.BindFlags & (D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_UNORDERED_ACCESS)))
      return invalid("raw views without shader-resource or unordered-access bind flag");
    if (desc.ByteWidth % 4)
      return invalid("raw buffer size is not a multiple of 4");
  }
  if ((desc.MiscFlags & D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS) && desc.ByteWidth % 4)
    return invalid("indirect argument buffer size is not a multiple of 4");
  out.dimension = D3D11_RESOURCE_DIMENSION_BUFFER;
  out.usage = desc.Usage;
  out.bindFlags = desc.BindFlags;
  out.cpuAccess = desc.CPUAccessFlags;
  out.miscFlags = desc.MiscFlags;
  out.width = desc.ByteWidth;
  out.stride = (desc.MiscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED) ? desc.StructureByteStride : 0;
  return S_OK;
}

namespace {

HRESULT checkSize(const TextureRequest& d, D3D_FEATURE_LEVEL level) {
  const Limits& limits = limitsOf(level);
  const bool cube = (d.miscFlags & D3D11_RESOURCE_MISC_TEXTURECUBE) != 0;
  if (!d.width || !d.height || !d.depth || !d.layers)
    return invalid("texture of no texels");
  switch (d.dimension) {
  case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
    if (d.width > limits.size1D || d.layers > limits.layers1D)
      return invalid("1D texture too large");
    break;
  case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
    if (d.width > limits.size3D || d.height > limits.size3D || d.depth > limits.size3D)
      return invalid("3D texture too large");
    break;
  default: {
    const UINT size = cube ? limits.sizeCube : limits.size2D;
    if (d.width > size || d.height > size)
      return invalid("2D texture too large");
    if (d.layers > limits.layers2D && !(cube && d.layers == 6))
      return invalid("too many array slices");
    if (cube) {
      if (d.width != d.height || d.layers % 6 != 0)
        return invalid("cube textures are square and have six faces each");
      if (level < D3D_FEATURE_LEVEL_10_1 && d.layers != 6)
        return invalid("cube arrays need feature level 10_1");
      if (d.sample.Count != 1)
        return invalid("multisampled cube texture");
    }
    break;
  }
  }
  return S_OK;
}

HRESULT checkMips(const TextureRequest& d, UINT& mips) {
  const UINT largest = std::max({d.width, d.height, d.depth});
  const auto full = static_cast<UINT>(std::bit_width(largest));
  mips = d.mips ? d.mips : full;
  if (d.sample.Count > 1) {
    if (d.mips > 1 || (d.mips == 0 && full > 1))
      return invalid("multisampled textures have one mip level");
    mips = 1;
  }
  if (mips > full)
    return invalid("more mip levels than the size has");
  return S_OK;
}

HRESULT checkGdi(const TextureRequest& d, UINT mips) {
  const auto f = d.format;
  if ((d.miscFlags & (D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX | D3D11_RESOURCE_MISC_RESOURCE_CLAMP)) ||
      !(d.bindFlags & D3D11_BIND_RENDER_TARGET) || mips != 1 || d.usage != D3D11_USAGE_DEFAULT || d.sample.Count != 1 ||
      (f != DXGI_FORMAT_B8G8R8A8_UNORM && f != DXGI_FORMAT_B8G8R8A8_TYPELESS && f != DXGI_FORMAT_B8G8R8A8_UNORM_SRGB))
    return invalid("GDI_COMPATIBLE: needs B8G8R8A8, render target, one mip, one sample, DEFAULT usage, no keyed mutex or clamp");
  return S_OK;
}

HRESULT checkFormat(const TextureRequest& d, D3D_FEATURE_LEVEL level) {
  const auto format = static_cast<Format>(d.format);
  const formats::FormatInfo& f = formats::info(format);
  const bool extended = f.has(formats::Flag::Extended);
  // Of the formats beyond the Windows enumeration, depth of 16 bits with stencil is offered.
  if (!formats::isValid(format) || (extended && !f.has(formats::Flag::Depth)))
    return invalid("unknown format");
  const Use dimensionUse = d.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D   ? Use::Texture1D
                           : d.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D ? Use::Texture3D
                                                                               : Use::Texture2D;
  if (!supportsUse(format, level, dimensionUse))
    return invalid("format cannot make a texture of this dimension");
  if ((d.miscFlags & D3D11_RESOURCE_MISC_TEXTURECUBE) && !supportsUse(format, level, Use::TextureCube))
    return invalid("format cannot make a cube");
  if ((d.bindFlags & D3D11_BIND_RENDER_TARGET) && !supportsUse(format, level, Use::RenderTarget))
    return invalid("format cannot be a render target");
  if ((d.bindFlags & D3D11_BIND_DEPTH_STENCIL) && !supportsUse(format, level, Use::DepthStencil))
    return invalid("format cannot be depth-stencil");
  if ((d.bindFlags & D3D11_BIND_UNORDERED_ACCESS) && !supportsUse(format, level, Use::TypedUav))
    return invalid("format cannot be accessed unordered");
  // It has no typeless format: its views are those of its planes.
  const Format read = extended ? formats::depthViewOf(format) : format;
  if ((d.bindFlags & D3D11_BIND_SHADER_RESOURCE) && !supportsUse(read, level, Use::ShaderSample) &&
      !supportsUse(read, level, Use::ShaderLoad))
    return invalid("format cannot be a shader resource");
  if (d.width % f.blockWidth || d.height % f.blockHeight)
    return invalid("size is not a multiple of the format's block");
  return S_OK;
}

HRESULT checkSamples(const TextureRequest& d, D3D_FEATURE_LEVEL level) {
  if (d.sample.Count == 0)
    return invalid("sample count 0");
  const UINT levels = formats::qualityLevels(static_cast<Format>(d.format), formatLevel(level), d.sample.Count);
  const bool pattern = d.sample.Quality == D3D11_STANDARD_MULTISAMPLE_PATTERN ||
                       d.sample.Quality == D3D11_CENTER_MULTISAMPLE_PATTERN;
  if (d.sample.Count == 1) {
    if (d.sample.Quality != 0)
      return invalid("quality without multisampling");
    return S_OK;
  }
  bool any = levels != 0;
  if (!any && formats::info(static_cast<Format>(d.format)).isTypeless())
    for (uint32_t i = 1; i < formats::kFormatCount && !any; i++)
      any = formats::canView(static_cast<Format>(d.format), static_cast<Format>(i)) &&
            formats::qualityLevels(static_cast<Format>(i), formatLevel(level), d.sample.Count) != 0;
  if (!any || (d.sample.Quality >= std::max(levels, 1u) && !(pattern && level >= D3D_FEATURE_LEVEL_10_1)))
    return invalid("sample count or quality not supported");
  if (d.usage != D3D11_USAGE_DEFAULT)
    return invalid("multisampled textures need DEFAULT usage");
  if (!(d.bindFlags & (D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL)))
    return invalid("multisampled textures need render-target or depth-stencil binding");
  if (d.bindFlags & D3D11_BIND_UNORDERED_ACCESS)
    return invalid("multisampled textures cannot be accessed unordered");
  return S_OK;
}

HRESULT checkMisc(const TextureRequest& d, D3D_FEATURE_LEVEL level, UINT mips) {
  if (d.miscFlags & ~kTextureMisc)
    return invalid("misc flag that textures cannot have");
  if (d.dimension != D3D11_RESOURCE_DIMENSION_TEXTURE2D && (d.miscFlags & D3D11_RESOURCE_MISC_TEXTURECUBE))
    return invalid("only 2D textures make cubes");
  if (HRESULT hr = checkShared(d.miscFlags, d.usage); FAILED(hr))
    return hr;
  if (d.miscFlags & D3D11_RESOURCE_MISC_GENERATE_MIPS) {
    constexpr UINT both = D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE;
    if ((d.bindFlags & both) != both)
      return invalid("GENERATE_MIPS needs render-target and shader-resource binding");
    if (d.usage != D3D11_USAGE_DEFAULT || d.sample.Count != 1)
      return invalid("GENERATE_MIPS needs DEFAULT usage and one sample");
  }
  if ((d.miscFlags & D3D11_RESOURCE_MISC_RESOURCE_CLAMP) && d.usage == D3D11_USAGE_STAGING)
    return invalid("resource clamp on a staging texture");
  if (d.miscFlags & D3D11_RESOURCE_MISC_GDI_COMPATIBLE)
    if (HRESULT hr = checkGdi(d, mips); FAILED(hr))
      return hr;
  if (d.usage == D3D11_USAGE_DYNAMIC && (mips != 1 || d.layers != 1))
    return invalid("DYNAMIC textures have one subresource");
  if (level < D3D_FEATURE_LEVEL_10_0 && d.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D)
    return invalid("1D textures need feature level 10");
  return S_OK;
}

HRESULT checkLayout(const TextureRequest& d, UINT mips) {
  switch (d.layout) {
  case D3D11_TEXTURE_LAYOUT_UNDEFINED: return S_OK;
  case D3D11_TEXTURE_LAYOUT_ROW_MAJOR:
    if (d.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D || mips != 1 || d.layers != 1 || d.sample.Count != 1 ||
        d.bindFlags != 0)
      return invalid("ROW_MAJOR layout: one 2D subresource without bind flags");
    break;
  case D3D11_TEXTURE_LAYOUT_64K_STANDARD_SWIZZLE: return invalid("standard swizzle is not supported");
  default: return invalid("unknown texture layout");
  }
  return d.cpuAccess ? S_OK : invalid("a texture layout needs CPU access");
}

} // namespace

HRESULT checkTexture(const TextureRequest& d, D3D_FEATURE_LEVEL level, const D3D11_SUBRESOURCE_DATA* data,
                     ResourceInfo& out) {
  for (const UINT bad : {UINT(D3D11_BIND_VERTEX_BUFFER), UINT(D3D11_BIND_INDEX_BUFFER), UINT(D3D11_BIND_CONSTANT_BUFFER),
                         UINT(D3D11_BIND_STREAM_OUTPUT)})
    if (d.bindFlags & bad)
      return invalid("texture with a bind flag of buffers");
  if (d.usage > D3D11_USAGE_STAGING)
    return invalid("unknown usage");
  constexpr UINT exclusive = D3D11_BIND_DEPTH_STENCIL;
  if ((d.bindFlags & exclusive) && (d.bindFlags & (D3D11_BIND_RENDER_TARGET | D3D11_BIND_UNORDERED_ACCESS)))
    return invalid("depth-stencil excludes other outputs");
  if (d.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D && (d.bindFlags & D3D11_BIND_DEPTH_STENCIL))
    return invalid("3D depth-stencil");
  UINT mips = 0;
  HRESULT hr = checkSize(d, level);
  if (SUCCEEDED(hr))
    hr = checkFormat(d, level);
  if (SUCCEEDED(hr))
    hr = checkSamples(d, level);
  if (SUCCEEDED(hr))
    hr = checkMips(d, mips);
  if (SUCCEEDED(hr))
    hr = checkMisc(d, level, mips);
  if (SUCCEEDED(hr))
    hr = checkLayout(d, mips);
  if (SUCCEEDED(hr))
    hr = checkAccess(false, static_cast<D3D11_USAGE>(d.usage), d.bindFlags, d.cpuAccess, d.layout, data != nullptr);
  if (FAILED(hr))
    return hr;
  if (data) {
    if (d.sample.Count > 1)
      return invalid("initial data for a multisampled texture");
    for (UINT i = 0; i < mips * d.layers; i++)
      if (!data[i].pSysMem)
        return invalid("initial data without a pointer");
  }
  out.dimension = d.dimension;
  out.usage = static_cast<D3D11_USAGE>(d.usage);
  out.bindFlags = d.bindFlags;
  out.cpuAccess = d.cpuAccess;
  out.miscFlags = d.miscFlags;
  out.layout = static_cast<D3D11_TEXTURE_LAYOUT>(d.layout);
  out.format = static_cast<Format>(d.format);
  out.width = d.width;
  out.height = d.height;
  out.depth = d.depth;
  out.mips = mips;
  out.layers = d.layers;
  out.samples = d.sample.Count;
  out.quality = d.sample.Quality;
  return S_OK;
}

} // namespace monolith::d3d11
