// SPDX-License-Identifier: MIT
#include "d3d11/view_desc.h"

#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/resource_desc.h"
#include "formats/support.h"

#include <cstring>

namespace monolith::d3d11 {

namespace {

using abi::ViewDimension;
using formats::Format;
using formats::Use;

HRESULT invalid(const char* what) {
  base::logLine(base::LogLevel::Warn, "view creation: %s", what);
  return E_INVALIDARG;
}

/// Mip range of a shader view; -1 means all that remain.
HRESULT mipRange(const ResourceInfo& r, UINT first, UINT& count, ViewRange& out) {
  if (first >= r.mips)
    return invalid("most detailed mip beyond the resource");
  if (count == UINT(-1))
    count = r.mips - first;
  if (count == 0 || count > r.mips - first)
    return invalid("mip count beyond the resource");
  out.firstMip = first;
  out.mips = count;
  return S_OK;
}
HRESULT oneMip(const ResourceInfo& r, UINT mip, ViewRange& out) {
  if (mip >= r.mips)
    return invalid("mip slice beyond the resource");
  out.firstMip = mip;
  out.mips = 1;
  return S_OK;
}
HRESULT layerRange(UINT available, UINT first, UINT& count, ViewRange& out) {
  if (first >= available)
    return invalid("first slice beyond the resource");
  if (count == UINT(-1))
    count = available - first;
  if (count == 0 || count > available - first)
    return invalid("slice count beyond the resource");
  out.firstLayer = first;
  out.layers = count;
  return S_OK;
}

/// Typed format of a texture view. Swap chain buffers may also be seen through the sRGB twin.
HRESULT viewFormat(const ResourceInfo& r, D3D_FEATURE_LEVEL level, DXGI_FORMAT& format, Use use, Use alternative) {
  if (format == DXGI_FORMAT_UNKNOWN)
    format = static_cast<DXGI_FORMAT>(r.format);
  const auto f = static_cast<Format>(format);
  if (!formats::isValid(f) || formats::info(f).isTypeless())
    return invalid("typeless or unknown view format");
  const bool cast = r.viewFormatCast && formats::sameFamily(r.format, f);
  if (!formats::canView(r.format, f) && !cast)
    return invalid("view format does not fit the resource's format");
  const formats::Level l = formatLevel(level);
  if (!formats::supports(f, l, use) && !formats::supports(f, l, alternative))
    return invalid("view format does not support this kind of view");
  return S_OK;
}

/// Typed buffer views.
HRESULT bufferRange(const ResourceInfo& r, UINT first, UINT count, UINT stride, ViewRange& out) {
  if (stride == 0 || count == 0)
    return invalid("empty buffer view");
  const uint64_t available = r.width / stride;
  if (first >= available || count > available - first)
    return invalid("buffer view beyond the buffer");
  out.firstElement = first;
  out.elements = count;
  out.elementStride = stride;
  return S_OK;
}
HRESULT typedBuffer(const ResourceInfo& r, D3D_FEATURE_LEVEL level, DXGI_FORMAT format, Use use, UINT first, UINT count,
                    ViewRange& out) {
  const auto f = static_cast<Format>(format);
  if (!formats::isValid(f) || formats::info(f).isTypeless() || !formats::supports(f, formatLevel(level), use))
    return invalid("format cannot view a buffer");
  if (r.miscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED)
    return invalid("typed view of a structured buffer");
  out.dimension = ViewDimension::Buffer;
  out.format = f;
  return bufferRange(r, first, count, formats::info(f).bytesPerBlock, out);
}
HRESULT rawBuffer(const ResourceInfo& r, DXGI_FORMAT format, UINT first, UINT count, ViewRange& out) {
  if (format != DXGI_FORMAT_R32_TYPELESS)
    return invalid("raw views have format R32_TYPELESS");
  if (!(r.miscFlags & D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS))
    return invalid("buffer does not allow raw views");
  if (first % 4)
    return invalid("raw views start at multiples of 16 bytes");
  out.dimension = ViewDimension::RawBuffer;
  out.format = Format::R32_UINT;
  return bufferRange(r, first, count, 4, out);
}
HRESULT structuredBuffer(const ResourceInfo& r, UINT first, UINT count, ViewRange& out) {
  if (!(r.miscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED))
    return invalid("view of unknown format needs a structured buffer");
  out.dimension = ViewDimension::StructuredBuffer;
  out.format = Format::R32_UINT;
  return bufferRange(r, first, count, r.stride, out);
}

bool is1D(const ResourceInfo& r) { return r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D; }
bool is2D(const ResourceInfo& r) { return r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D; }
bool is3D(const ResourceInfo& r) { return r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D; }
bool multi(const ResourceInfo& r) { return r.samples > 1; }

HRESULT mismatch() { return invalid("view dimension does not fit the resource"); }

void defaultSrv(const ResourceInfo& r, D3D11_SHADER_RESOURCE_VIEW_DESC1& d) {
  std::memset(static_cast<void*>(&d), 0, sizeof d);
  const bool array = r.layers > 1;
  if (r.isBuffer()) {
    d.ViewDimension = D3D11_SRV_DIMENSION_BUFFER;
    d.Buffer.NumElements = r.stride ? r.width / r.stride : 0;
  } else if (is1D(r)) {
    d.ViewDimension = array ? D3D11_SRV_DIMENSION_TEXTURE1DARRAY : D3D11_SRV_DIMENSION_TEXTURE1D;
    d.Texture1DArray.MipLevels = UINT(-1);
    d.Texture1DArray.ArraySize = UINT(-1);
  } else if (is3D(r)) {
    d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE3D;
    d.Texture3D.MipLevels = UINT(-1);
  } else if (multi(r)) {
    d.ViewDimension = array ? D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY : D3D11_SRV_DIMENSION_TEXTURE2DMS;
    d.Texture2DMSArray.ArraySize = UINT(-1);
    if (!array)
      d.Texture2DMSArray.ArraySize = 0;
  } else if (r.miscFlags & D3D11_RESOURCE_MISC_TEXTURECUBE) {
    d.ViewDimension = r.layers > 6 ? D3D11_SRV_DIMENSION_TEXTURECUBEARRAY : D3D11_SRV_DIMENSION_TEXTURECUBE;
    d.TextureCubeArray.MipLevels = UINT(-1);
    if (r.layers > 6)
      d.TextureCubeArray.NumCubes = UINT(-1);
  } else {
    d.ViewDimension = array ? D3D11_SRV_DIMENSION_TEXTURE2DARRAY : D3D11_SRV_DIMENSION_TEXTURE2D;
    d.Texture2D.MipLevels = UINT(-1);
    if (array)
      d.Texture2DArray.ArraySize = UINT(-1);
  }
  if (is1D(r) && !array)
    d.Texture1DArray.ArraySize = 0;
}

HRESULT srvTexture(const ResourceInfo& r, D3D_FEATURE_LEVEL level, D3D11_SHADER_RESOURCE_VIEW_DESC1& d, ViewRange& out) {
  const bool isCube = (r.miscFlags & D3D11_RESOURCE_MISC_TEXTURECUBE) != 0;
  HRESULT hr = S_OK;
  switch (d.ViewDimension) {
  case D3D11_SRV_DIMENSION_TEXTURE1D:
    if (!is1D(r))
      return mismatch();
    out.dimension = ViewDimension::Texture1D;
    return mipRange(r, d.Texture1D.MostDetailedMip, d.Texture1D.MipLevels, out);
  case D3D11_SRV_DIMENSION_TEXTURE1DARRAY:
    if (!is1D(r))
      return mismatch();
    out.dimension = ViewDimension::Texture1DArray;
    hr = mipRange(r, d.Texture1DArray.MostDetailedMip, d.Texture1DArray.MipLevels, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture1DArray.FirstArraySlice, d.Texture1DArray.ArraySize, out);
  case D3D11_SRV_DIMENSION_TEXTURE2D:
    if (!is2D(r) || multi(r) || d.Texture2D.PlaneSlice != 0)
      return mismatch();
    out.dimension = ViewDimension::Texture2D;
    return mipRange(r, d.Texture2D.MostDetailedMip, d.Texture2D.MipLevels, out);
  case D3D11_SRV_DIMENSION_TEXTURE2DARRAY:
    if (!is2D(r) || multi(r) || d.Texture2DArray.PlaneSlice != 0)
      return mismatch();
    out.dimension = ViewDimension::Texture2DArray;
    hr = mipRange(r, d.Texture2DArray.MostDetailedMip, d.Texture2DArray.MipLevels, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture2DArray.FirstArraySlice, d.Texture2DArray.ArraySize, out);
  case D3D11_SRV_DIMENSION_TEXTURE2DMS:
    if (!is2D(r) || !multi(r))
      return mismatch();
    out.dimension = ViewDimension::Texture2DMS;
    return S_OK;
  case D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY:
    if (!is2D(r) || !multi(r))
      return mismatch();
    out.dimension = ViewDimension::Texture2DMSArray;
    return layerRange(r.layers, d.Texture2DMSArray.FirstArraySlice, d.Texture2DMSArray.ArraySize, out);
  case D3D11_SRV_DIMENSION_TEXTURE3D:
    if (!is3D(r))
      return mismatch();
    out.dimension = ViewDimension::Texture3D;
    return mipRange(r, d.Texture3D.MostDetailedMip, d.Texture3D.MipLevels, out);
  case D3D11_SRV_DIMENSION_TEXTURECUBE:
    if (!is2D(r) || !isCube)
      return mismatch();
    out.dimension = ViewDimension::TextureCube;
    out.layers = 6;
    return mipRange(r, d.TextureCube.MostDetailedMip, d.TextureCube.MipLevels, out);
  case D3D11_SRV_DIMENSION_TEXTURECUBEARRAY: {
    if (!is2D(r) || !isCube || level < D3D_FEATURE_LEVEL_10_1)
      return mismatch();
    out.dimension = ViewDimension::TextureCubeArray;
    hr = mipRange(r, d.TextureCubeArray.MostDetailedMip, d.TextureCubeArray.MipLevels, out);
    if (FAILED(hr))
      return hr;
    const UINT first = d.TextureCubeArray.First2DArrayFace;
    if (first >= r.layers)
      return invalid("first face beyond the resource");
    UINT& cubes = d.TextureCubeArray.NumCubes;
    if (cubes == UINT(-1))
      cubes = (r.layers - first) / 6;
    if (cubes == 0 || cubes > (r.layers - first) / 6)
      return invalid("cube count beyond the resource");
    out.firstLayer = first;
    out.layers = cubes * 6;
    return S_OK;
  }
  default: return mismatch();
  }
}

} // namespace

HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_SHADER_RESOURCE_VIEW_DESC1& d,
                    ViewRange& out) {
  if (given && base::raw(d.ViewDimension) > D3D11_SRV_DIMENSION_BUFFEREX)
    return invalid("unknown view dimension");
  if (!(r.bindFlags & D3D11_BIND_SHADER_RESOURCE))
    return invalid("resource has no shader-resource bind flag");
  if (!given)
    defaultSrv(r, d);
  if (r.isBuffer()) {
    if (d.ViewDimension == D3D11_SRV_DIMENSION_BUFFEREX) {
      if (d.BufferEx.Flags & ~UINT(D3D11_BUFFEREX_SRV_FLAG_RAW))
        return invalid("unknown buffer view flag");
      if (d.BufferEx.Flags & D3D11_BUFFEREX_SRV_FLAG_RAW)
        return rawBuffer(r, d.Format, d.BufferEx.FirstElement, d.BufferEx.NumElements, out);
    } else if (d.ViewDimension != D3D11_SRV_DIMENSION_BUFFER) {
      return mismatch();
    }
    if (d.Format == DXGI_FORMAT_UNKNOWN)
      return structuredBuffer(r, d.Buffer.FirstElement, d.Buffer.NumElements, out);
    return typedBuffer(r, level, d.Format, Use::Buffer, d.Buffer.FirstElement, d.Buffer.NumElements, out);
  }
  if (HRESULT hr = viewFormat(r, level, d.Format, Use::ShaderSample, Use::ShaderLoad); FAILED(hr))
    return hr;
  out.format = static_cast<Format>(d.Format);
  return srvTexture(r, level, d, out);
}

HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_RENDER_TARGET_VIEW_DESC1& d,
                    ViewRange& out) {
  if (given && base::raw(d.ViewDimension) > D3D11_RTV_DIMENSION_TEXTURE3D)
    return invalid("unknown view dimension");
  if (!(r.bindFlags & D3D11_BIND_RENDER_TARGET))
    return invalid("resource has no render-target bind flag");
  const bool array = r.layers > 1;
  if (!given) {
    std::memset(static_cast<void*>(&d), 0, sizeof d);
    if (r.isBuffer()) {
      return invalid("buffer render targets need a description");
    } else if (is1D(r)) {
      d.ViewDimension = array ? D3D11_RTV_DIMENSION_TEXTURE1DARRAY : D3D11_RTV_DIMENSION_TEXTURE1D;
      d.Texture1DArray.ArraySize = array ? UINT(-1) : 0;
    } else if (is3D(r)) {
      d.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE3D;
      d.Texture3D.WSize = UINT(-1);
    } else if (multi(r)) {
      d.ViewDimension = array ? D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY : D3D11_RTV_DIMENSION_TEXTURE2DMS;
      d.Texture2DMSArray.ArraySize = array ? UINT(-1) : 0;
    } else {
      d.ViewDimension = array ? D3D11_RTV_DIMENSION_TEXTURE2DARRAY : D3D11_RTV_DIMENSION_TEXTURE2D;
      d.Texture2DArray.ArraySize = array ? UINT(-1) : 0;
    }
  }
  if (d.ViewDimension == D3D11_RTV_DIMENSION_BUFFER) {
    if (!r.isBuffer())
      return mismatch();
    return typedBuffer(r, level, d.Format, Use::RenderTarget, d.Buffer.FirstElement, d.Buffer.NumElements, out);
  }
  if (r.isBuffer())
    return mismatch();
  if (HRESULT hr = viewFormat(r, level, d.Format, Use::RenderTarget, Use::RenderTarget); FAILED(hr))
    return hr;
  out.format = static_cast<Format>(d.Format);
  HRESULT hr = S_OK;
  switch (d.ViewDimension) {
  case D3D11_RTV_DIMENSION_TEXTURE1D: return is1D(r) ? oneMip(r, d.Texture1D.MipSlice, out) : mismatch();
  case D3D11_RTV_DIMENSION_TEXTURE1DARRAY:
    if (!is1D(r))
      return mismatch();
    hr = oneMip(r, d.Texture1DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture1DArray.FirstArraySlice, d.Texture1DArray.ArraySize, out);
  case D3D11_RTV_DIMENSION_TEXTURE2D:
    return is2D(r) && !multi(r) && d.Texture2D.PlaneSlice == 0 ? oneMip(r, d.Texture2D.MipSlice, out) : mismatch();
  case D3D11_RTV_DIMENSION_TEXTURE2DARRAY:
    if (!is2D(r) || multi(r) || d.Texture2DArray.PlaneSlice != 0)
      return mismatch();
    hr = oneMip(r, d.Texture2DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture2DArray.FirstArraySlice, d.Texture2DArray.ArraySize, out);
  case D3D11_RTV_DIMENSION_TEXTURE2DMS: return is2D(r) && multi(r) ? S_OK : mismatch();
  case D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY:
    if (!is2D(r) || !multi(r))
      return mismatch();
    return layerRange(r.layers, d.Texture2DMSArray.FirstArraySlice, d.Texture2DMSArray.ArraySize, out);
  case D3D11_RTV_DIMENSION_TEXTURE3D:
    if (!is3D(r))
      return mismatch();
    hr = oneMip(r, d.Texture3D.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.mipDepth(d.Texture3D.MipSlice), d.Texture3D.FirstWSlice, d.Texture3D.WSize, out);
  default: return mismatch();
  }
}

HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_DEPTH_STENCIL_VIEW_DESC& d,
                    ViewRange& out) {
  if (given && base::raw(d.ViewDimension) > D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY)
    return invalid("unknown view dimension");
  if (!(r.bindFlags & D3D11_BIND_DEPTH_STENCIL))
    return invalid("resource has no depth-stencil bind flag");
  const bool array = r.layers > 1;
  if (!given) {
    std::memset(static_cast<void*>(&d), 0, sizeof d);
    if (is1D(r)) {
      d.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE1DARRAY : D3D11_DSV_DIMENSION_TEXTURE1D;
      d.Texture1DArray.ArraySize = array ? UINT(-1) : 0;
    } else if (multi(r)) {
      d.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY : D3D11_DSV_DIMENSION_TEXTURE2DMS;
      d.Texture2DMSArray.ArraySize = array ? UINT(-1) : 0;
    } else {
      d.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE2DARRAY : D3D11_DSV_DIMENSION_TEXTURE2D;
      d.Texture2DArray.ArraySize = array ? UINT(-1) : 0;
    }
  }
  if (d.Flags & ~UINT(D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL))
    return invalid("unknown depth-stencil view flag");
  if (d.Flags && level < D3D_FEATURE_LEVEL_11_0)
    return invalid("read-only depth-stencil views need feature level 11_0");
  if (HRESULT hr = viewFormat(r, level, d.Format, Use::DepthStencil, Use::DepthStencil); FAILED(hr))
    return hr;
  out.format = static_cast<Format>(d.Format);
  if ((d.Flags & D3D11_DSV_READ_ONLY_STENCIL) && !formats::info(out.format).hasStencil())
    return invalid("read-only stencil of a format without stencil");
  HRESULT hr = S_OK;
  switch (d.ViewDimension) {
  case D3D11_DSV_DIMENSION_TEXTURE1D: return is1D(r) ? oneMip(r, d.Texture1D.MipSlice, out) : mismatch();
  case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
    if (!is1D(r))
      return mismatch();
    hr = oneMip(r, d.Texture1DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture1DArray.FirstArraySlice, d.Texture1DArray.ArraySize, out);
  case D3D11_DSV_DIMENSION_TEXTURE2D: return is2D(r) && !multi(r) ? oneMip(r, d.Texture2D.MipSlice, out) : mismatch();
  case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
    if (!is2D(r) || multi(r))
      return mismatch();
    hr = oneMip(r, d.Texture2DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture2DArray.FirstArraySlice, d.Texture2DArray.ArraySize, out);
  case D3D11_DSV_DIMENSION_TEXTURE2DMS: return is2D(r) && multi(r) ? S_OK : mismatch();
  case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
    if (!is2D(r) || !multi(r))
      return mismatch();
    return layerRange(r.layers, d.Texture2DMSArray.FirstArraySlice, d.Texture2DMSArray.ArraySize, out);
  default: return mismatch();
  }
}

HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_UNORDERED_ACCESS_VIEW_DESC1& d,
                    ViewRange& out) {
  if (given && base::raw(d.ViewDimension) > D3D11_UAV_DIMENSION_TEXTURE3D)
    return invalid("unknown view dimension");
  if (!(r.bindFlags & D3D11_BIND_UNORDERED_ACCESS))
    return invalid("resource has no unordered-access bind flag");
  const bool array = r.layers > 1;
  if (!given) {
    std::memset(static_cast<void*>(&d), 0, sizeof d);
    if (r.isBuffer()) {
      d.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
      d.Buffer.NumElements = r.stride ? r.width / r.stride : 0;
    } else if (is1D(r)) {
      d.ViewDimension = array ? D3D11_UAV_DIMENSION_TEXTURE1DARRAY : D3D11_UAV_DIMENSION_TEXTURE1D;
      d.Texture1DArray.ArraySize = array ? UINT(-1) : 0;
    } else if (is3D(r)) {
      d.ViewDimension = D3D11_UAV_DIMENSION_TEXTURE3D;
      d.Texture3D.WSize = UINT(-1);
    } else {
      d.ViewDimension = array ? D3D11_UAV_DIMENSION_TEXTURE2DARRAY : D3D11_UAV_DIMENSION_TEXTURE2D;
      d.Texture2DArray.ArraySize = array ? UINT(-1) : 0;
    }
  }
  if (r.isBuffer()) {
    if (d.ViewDimension != D3D11_UAV_DIMENSION_BUFFER)
      return mismatch();
    constexpr UINT known = D3D11_BUFFER_UAV_FLAG_RAW | D3D11_BUFFER_UAV_FLAG_APPEND | D3D11_BUFFER_UAV_FLAG_COUNTER;
    constexpr UINT counters = D3D11_BUFFER_UAV_FLAG_APPEND | D3D11_BUFFER_UAV_FLAG_COUNTER;
    const UINT flags = d.Buffer.Flags;
    if (flags & ~known)
      return invalid("unknown buffer view flag");
    if (flags & D3D11_BUFFER_UAV_FLAG_RAW)
      return flags & counters ? invalid("raw view with a counter")
                              : rawBuffer(r, d.Format, d.Buffer.FirstElement, d.Buffer.NumElements, out);
    if (d.Format == DXGI_FORMAT_UNKNOWN)
      return flags == counters ? invalid("append and counter exclude each other")
                               : structuredBuffer(r, d.Buffer.FirstElement, d.Buffer.NumElements, out);
    if (flags & counters)
      return invalid("counters need a structured buffer and unknown format");
    return typedBuffer(r, level, d.Format, Use::TypedUav, d.Buffer.FirstElement, d.Buffer.NumElements, out);
  }
  if (HRESULT hr = viewFormat(r, level, d.Format, Use::TypedUav, Use::TypedUav); FAILED(hr))
    return hr;
  out.format = static_cast<Format>(d.Format);
  HRESULT hr = S_OK;
  switch (d.ViewDimension) {
  case D3D11_UAV_DIMENSION_TEXTURE1D: return is1D(r) ? oneMip(r, d.Texture1D.MipSlice, out) : mismatch();
  case D3D11_UAV_DIMENSION_TEXTURE1DARRAY:
    if (!is1D(r))
      return mismatch();
    hr = oneMip(r, d.Texture1DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture1DArray.FirstArraySlice, d.Texture1DArray.ArraySize, out);
  case D3D11_UAV_DIMENSION_TEXTURE2D:
    return is2D(r) && !multi(r) && d.Texture2D.PlaneSlice == 0 ? oneMip(r, d.Texture2D.MipSlice, out) : mismatch();
  case D3D11_UAV_DIMENSION_TEXTURE2DARRAY:
    if (!is2D(r) || multi(r) || d.Texture2DArray.PlaneSlice != 0)
      return mismatch();
    hr = oneMip(r, d.Texture2DArray.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.layers, d.Texture2DArray.FirstArraySlice, d.Texture2DArray.ArraySize, out);
  case D3D11_UAV_DIMENSION_TEXTURE3D:
    if (!is3D(r))
      return mismatch();
    hr = oneMip(r, d.Texture3D.MipSlice, out);
    return FAILED(hr) ? hr : layerRange(r.mipDepth(d.Texture3D.MipSlice), d.Texture3D.FirstWSlice, d.Texture3D.WSize, out);
  default: return mismatch();
  }
}

} // namespace monolith::d3d11
