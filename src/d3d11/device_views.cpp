// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/device.h"
#include "d3d11/guard.h"
#include "d3d11/views.h"

namespace monolith::d3d11 {

namespace {

/// The one shape of all view creations.
template <typename View, typename Desc, typename Interface>
HRESULT createView(Device* device, ID3D11Resource* resource, const Desc* desc, Interface** out) {
  if (out)
    *out = nullptr;
  if (!resource)
    return E_INVALIDARG;
  Desc resolved;
  if (desc)
    memcpy(static_cast<void*>(&resolved), desc, sizeof resolved);
  ViewRange range;
  const ResourceInfo* info = infoOf(resource, device);
  if (!info) {
    base::logOnce("Create*View: the resource belongs to another device");
    return E_INVALIDARG;
  }
  if (HRESULT hr = resolveView(*info, device->level(), desc != nullptr, resolved, range); FAILED(hr))
    return hr;
  if (!out)
    return S_FALSE;
  return guarded([&] {
    com::handOut(new View(device, resource, resolved, range), out);
    return S_OK;
  });
}

/// An older description as the newer one. Its plane slice lies where the older one may hold anything.
template <typename New, typename Old> New widenWithoutPlane(const Old& in, uint32_t texture2D) {
  New wide = widenView<New>(in);
  if (base::raw(wide.ViewDimension) == texture2D)
    wide.Texture2D.PlaneSlice = 0;
  return wide;
}

} // namespace

template <typename Interface>
HRESULT Device::createSrv(ID3D11Resource* resource, const D3D11_SHADER_RESOURCE_VIEW_DESC1* desc, Interface** out) {
  return createView<ShaderResourceView>(this, resource, desc, out);
}
template <typename Interface>
HRESULT Device::createRtv(ID3D11Resource* resource, const D3D11_RENDER_TARGET_VIEW_DESC1* desc, Interface** out) {
  return createView<RenderTargetView>(this, resource, desc, out);
}
template <typename Interface>
HRESULT Device::createUav(ID3D11Resource* resource, const D3D11_UNORDERED_ACCESS_VIEW_DESC1* desc, Interface** out) {
  return createView<UnorderedAccessView>(this, resource, desc, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateShaderResourceView(ID3D11Resource* resource,
                                                           const D3D11_SHADER_RESOURCE_VIEW_DESC* desc,
                                                           ID3D11ShaderResourceView** out) {
  if (!desc)
    return createSrv(resource, nullptr, out);
  const auto wide = widenWithoutPlane<D3D11_SHADER_RESOURCE_VIEW_DESC1>(*desc, D3D11_SRV_DIMENSION_TEXTURE2D);
  return createSrv(resource, &wide, out);
}
HRESULT STDMETHODCALLTYPE Device::CreateShaderResourceView1(ID3D11Resource* resource,
                                                            const D3D11_SHADER_RESOURCE_VIEW_DESC1* desc,
                                                            ID3D11ShaderResourceView1** out) {
  return createSrv(resource, desc, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateRenderTargetView(ID3D11Resource* resource,
                                                         const D3D11_RENDER_TARGET_VIEW_DESC* desc,
                                                         ID3D11RenderTargetView** out) {
  if (!desc)
    return createRtv(resource, nullptr, out);
  const auto wide = widenWithoutPlane<D3D11_RENDER_TARGET_VIEW_DESC1>(*desc, D3D11_RTV_DIMENSION_TEXTURE2D);
  return createRtv(resource, &wide, out);
}
HRESULT STDMETHODCALLTYPE Device::CreateRenderTargetView1(ID3D11Resource* resource,
                                                          const D3D11_RENDER_TARGET_VIEW_DESC1* desc,
                                                          ID3D11RenderTargetView1** out) {
  return createRtv(resource, desc, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateUnorderedAccessView(ID3D11Resource* resource,
                                                            const D3D11_UNORDERED_ACCESS_VIEW_DESC* desc,
                                                            ID3D11UnorderedAccessView** out) {
  if (!desc)
    return createUav(resource, nullptr, out);
  const auto wide = widenWithoutPlane<D3D11_UNORDERED_ACCESS_VIEW_DESC1>(*desc, D3D11_UAV_DIMENSION_TEXTURE2D);
  return createUav(resource, &wide, out);
}
HRESULT STDMETHODCALLTYPE Device::CreateUnorderedAccessView1(ID3D11Resource* resource,
                                                             const D3D11_UNORDERED_ACCESS_VIEW_DESC1* desc,
                                                             ID3D11UnorderedAccessView1** out) {
  return createUav(resource, desc, out);
}

HRESULT STDMETHODCALLTYPE Device::CreateDepthStencilView(ID3D11Resource* resource,
                                                         const D3D11_DEPTH_STENCIL_VIEW_DESC* desc,
                                                         ID3D11DepthStencilView** out) {
  return createView<DepthStencilView>(this, resource, desc, out);
}

} // namespace monolith::d3d11
