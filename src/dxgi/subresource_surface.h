// SPDX-License-Identifier: MIT
/// @file
/// IDXGISurface2 of one mip of one array layer of a 2D texture: an object of its own that keeps the texture alive.
#pragma once

#include "dxgi/dxgi_object.h"

#include "com/dxgi_bridge.h"

namespace monolith::dxgi {

/// IDXGISurface::Map of a subresource.
HRESULT mapSubresource(com::DeviceServices& device, ID3D11Resource* resource, UINT subresource, UINT flags,
                       DXGI_MAPPED_RECT* mapped);
void unmapSubresource(com::DeviceServices& device, ID3D11Resource* resource, UINT subresource);

class SubresourceSurface final
    : public DxgiObject<com::Interfaces<IDXGISurface2, IDXGISurface1, IDXGISurface, IDXGIDeviceSubObject, IDXGIObject>> {
public:
  SubresourceSurface(IUnknown* outer, ID3D11Texture2D* texture, com::DeviceServices& device, UINT subresource)
      : DxgiObject(outer), m_texture(texture), m_device(device), m_subresource(subresource) {}
  HRESULT STDMETHODCALLTYPE GetParent(REFIID riid, void** parent) override { return GetDevice(riid, parent); }
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_SURFACE_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE Map(DXGI_MAPPED_RECT* mapped, UINT flags) override;
  HRESULT STDMETHODCALLTYPE Unmap() override;
  HRESULT STDMETHODCALLTYPE GetDC(WINBOOL discard, HDC* context) override;
  HRESULT STDMETHODCALLTYPE ReleaseDC(RECT* dirty) override;
  HRESULT STDMETHODCALLTYPE GetResource(REFIID riid, void** resource, UINT* subresource) override;

protected:
  const char* className() const override { return "IDXGISurface"; }

private:
  ID3D11Texture2D* const m_texture; ///< The parent, which is referenced.
  com::DeviceServices& m_device;
  const UINT m_subresource;
};

} // namespace monolith::dxgi
