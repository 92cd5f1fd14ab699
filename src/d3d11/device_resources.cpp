// SPDX-License-Identifier: MIT
#include "base/raw_enum.h"
#include "d3d11/device.h"
#include "d3d11/guard.h"

#include <cstring>

namespace monolith::d3d11 {

namespace {

/// Writes initial data into fresh memory that nothing else uses yet.
void fillTexture(const resources::Texture& t, const D3D11_SUBRESOURCE_DATA* data) {
  const resources::TextureDesc& d = t.desc();
  const formats::FormatInfo& f = formats::info(d.format);
  for (uint32_t layer = 0; layer < d.layers; layer++)
    for (uint32_t mip = 0; mip < d.mips; mip++) {
      const D3D11_SUBRESOURCE_DATA& s = data[layer * d.mips + mip];
      const auto* source = static_cast<const uint8_t*>(s.pSysMem);
      const uint64_t bytes = formats::rowBytes(f, t.mipWidth(mip));
      const uint32_t rows = formats::blockRows(f, t.mipHeight(mip));
      for (uint32_t z = 0; z < t.mipDepth(mip); z++)
        for (uint32_t y = 0; y < rows; y++)
          std::memcpy(t.address(mip, layer, z) + uint64_t(y) * t.layout().rowPitch[mip],
                      source + uint64_t(z) * s.SysMemSlicePitch + uint64_t(y) * s.SysMemPitch, bytes);
    }
}

bool mappable(const ResourceInfo& info) { return info.cpuAccess != 0; }

} // namespace

HRESULT STDMETHODCALLTYPE Device::CreateBuffer(const D3D11_BUFFER_DESC* desc, const D3D11_SUBRESOURCE_DATA* data,
                                               ID3D11Buffer** out) {
  if (out)
    *out = nullptr;
  if (!desc)
    return E_INVALIDARG;
  ResourceInfo info;
  if (HRESULT hr = checkBuffer(*desc, level(), data, info); FAILED(hr))
    return hr;
  if (!out)
    return S_FALSE;
  return guarded([&]() -> HRESULT {
    const bool renames = info.usage == D3D11_USAGE_DYNAMIC ||
                         (info.usage == D3D11_USAGE_DEFAULT && info.bindFlags == D3D11_BIND_CONSTANT_BUFFER);
    info.buffer = resources::Buffer::create(info.width, renames);
    if (!info.buffer)
      return E_OUTOFMEMORY;
    if (data)
      std::memcpy(info.buffer->current(), data->pSysMem, info.width);
    if (mappable(info))
      info.maps.resize(1);
    com::handOut(new Buffer(this, std::move(info)), out);
    return S_OK;
  });
}

HRESULT Device::createTexture(const TextureRequest& request, const D3D11_SUBRESOURCE_DATA* data, bool wanted,
                              bool viewCast, ResourceInfo& info) {
  if (HRESULT hr = checkTexture(request, level(), data, info); FAILED(hr))
    return hr;
  if (!wanted)
    return S_FALSE;
  resources::TextureDesc d;
  d.kind = request.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D   ? resources::TextureKind::Texture1D
           : request.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D ? resources::TextureKind::Texture3D
                                                                     : resources::TextureKind::Texture2D;
  d.format = info.format;
  d.width = info.width;
  d.height = info.height;
  d.depth = info.depth;
  d.mips = info.mips;
  d.layers = info.layers;
  d.samples = info.samples;
  info.texture = resources::Texture::create(d);
  if (!info.texture)
    return E_OUTOFMEMORY;
  info.viewFormatCast = viewCast;
  if (data)
    fillTexture(*info.texture, data);
  if (mappable(info))
    info.maps.resize(info.subresources());
  if (info.usage == D3D11_USAGE_DYNAMIC)
    info.uploads = std::make_shared<std::vector<UploadBlock>>();
  return S_OK;
}

template <typename Object, typename Interface>
HRESULT Device::createTextureAs(const TextureRequest& request, const D3D11_SUBRESOURCE_DATA* data, bool viewCast,
                                Interface** out) {
  return guarded([&] {
    ResourceInfo info;
    const HRESULT hr = createTexture(request, data, out != nullptr, viewCast, info);
    if (hr == S_OK)
      com::handOut(new Object(this, std::move(info)), out);
    return hr;
  });
}

namespace {
/// What every creation does first: false if there is no description.
template <typename Desc, typename Interface> bool begun(const Desc* desc, Interface** out) {
  if (out)
    *out = nullptr;
  return desc != nullptr;
}

TextureRequest request1D(const D3D11_TEXTURE1D_DESC& d) {
  return {D3D11_RESOURCE_DIMENSION_TEXTURE1D, d.Width, 1, 1, d.MipLevels, d.ArraySize, d.Format, {1, 0}, base::raw(d.Usage),
          d.BindFlags, d.CPUAccessFlags, d.MiscFlags, D3D11_TEXTURE_LAYOUT_UNDEFINED};
}
template <typename Desc> TextureRequest request2D(const Desc& d, UINT layout) {
  return {D3D11_RESOURCE_DIMENSION_TEXTURE2D, d.Width, d.Height, 1, d.MipLevels, d.ArraySize, d.Format, d.SampleDesc,
          base::raw(d.Usage), d.BindFlags, d.CPUAccessFlags, d.MiscFlags, layout};
}
template <typename Desc> TextureRequest request3D(const Desc& d, UINT layout) {
  return {D3D11_RESOURCE_DIMENSION_TEXTURE3D, d.Width, d.Height, d.Depth, d.MipLevels, 1, d.Format, {1, 0}, base::raw(d.Usage),
          d.BindFlags, d.CPUAccessFlags, d.MiscFlags, layout};
}
} // namespace

HRESULT STDMETHODCALLTYPE Device::CreateTexture1D(const D3D11_TEXTURE1D_DESC* desc, const D3D11_SUBRESOURCE_DATA* data,
                                                  ID3D11Texture1D** out) {
  return begun(desc, out) ? createTextureAs<Texture1D>(request1D(*desc), data, false, out) : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE Device::CreateTexture2D(const D3D11_TEXTURE2D_DESC* desc, const D3D11_SUBRESOURCE_DATA* data,
                                                  ID3D11Texture2D** out) {
  if (!begun(desc, out))
    return E_INVALIDARG;
  return createTextureAs<Texture2D>(request2D(*desc, D3D11_TEXTURE_LAYOUT_UNDEFINED), data, false, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateTexture2D1(const D3D11_TEXTURE2D_DESC1* desc, const D3D11_SUBRESOURCE_DATA* data,
                                                   ID3D11Texture2D1** out) {
  if (!begun(desc, out))
    return E_INVALIDARG;
  return createTextureAs<Texture2D>(request2D(*desc, base::raw(desc->TextureLayout)), data, false, out);
}

HRESULT Device::createBackBuffer(const D3D11_TEXTURE2D_DESC& desc, ID3D11Texture2D** out) {
  *out = nullptr;
  return createTextureAs<Texture2D>(request2D(desc, D3D11_TEXTURE_LAYOUT_UNDEFINED), nullptr, true, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateTexture3D(const D3D11_TEXTURE3D_DESC* desc, const D3D11_SUBRESOURCE_DATA* data,
                                                  ID3D11Texture3D** out) {
  if (!begun(desc, out))
    return E_INVALIDARG;
  return createTextureAs<Texture3D>(request3D(*desc, D3D11_TEXTURE_LAYOUT_UNDEFINED), data, false, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateTexture3D1(const D3D11_TEXTURE3D_DESC1* desc, const D3D11_SUBRESOURCE_DATA* data,
                                                   ID3D11Texture3D1** out) {
  if (!begun(desc, out))
    return E_INVALIDARG;
  return createTextureAs<Texture3D>(request3D(*desc, base::raw(desc->TextureLayout)), data, false, out);
}

} // namespace monolith::d3d11
