// SPDX-License-Identifier: MIT
/// @file
/// IDXGIResource1 and, for 2D textures of one subresource, IDXGISurface2: further faces of a Direct3D 11 resource,
/// which owns them. IUnknown and private data are the resource's.
#pragma once

#include "com/dxgi_bridge.h"

namespace monolith::dxgi {

class ResourceFace;

/// IUnknown, IDXGIObject and IDXGIDeviceSubObject of a face, forwarded to the resource.
template <typename Interface> class ForwardingFace : public Interface {
public:
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override;
  ULONG STDMETHODCALLTYPE AddRef() override;
  ULONG STDMETHODCALLTYPE Release() override;
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) override;
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) override;
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) override;
  HRESULT STDMETHODCALLTYPE GetParent(REFIID riid, void** parent) override;
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) override;

protected:
  explicit ForwardingFace(ResourceFace& owner) : m_owner(owner) {}
  ~ForwardingFace() = default;
  ResourceFace& m_owner;
};

class DxgiResource final : public ForwardingFace<IDXGIResource1> {
public:
  explicit DxgiResource(ResourceFace& owner) : ForwardingFace(owner) {}
  HRESULT STDMETHODCALLTYPE GetSharedHandle(HANDLE* handle) override;
  HRESULT STDMETHODCALLTYPE GetUsage(DXGI_USAGE* usage) override;
  HRESULT STDMETHODCALLTYPE SetEvictionPriority(UINT priority) override;
  HRESULT STDMETHODCALLTYPE GetEvictionPriority(UINT* priority) override;
  HRESULT STDMETHODCALLTYPE CreateSubresourceSurface(UINT index, IDXGISurface2** surface) override;
  HRESULT STDMETHODCALLTYPE CreateSharedHandle(const SECURITY_ATTRIBUTES* attributes, DWORD access, const WCHAR* name,
                                               HANDLE* handle) override;
};

class DxgiSurface final : public ForwardingFace<IDXGISurface2> {
public:
  explicit DxgiSurface(ResourceFace& owner) : ForwardingFace(owner) {}
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_SURFACE_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE Map(DXGI_MAPPED_RECT* mapped, UINT flags) override;
  HRESULT STDMETHODCALLTYPE Unmap() override;
  HRESULT STDMETHODCALLTYPE GetDC(WINBOOL discard, HDC* context) override;
  HRESULT STDMETHODCALLTYPE ReleaseDC(RECT* dirty) override;
  HRESULT STDMETHODCALLTYPE GetResource(REFIID riid, void** resource, UINT* subresource) override;
};

class ResourceFace final : public com::Face {
public:
  ResourceFace(IUnknown* outer, ID3D11Resource* resource, com::DeviceServices& device);
  IUnknown* query(REFIID riid) override;

  IUnknown* const outer;
  ID3D11Resource* const resource;
  com::DeviceServices& device;
  ID3D11Texture2D* texture2D = nullptr; ///< No reference: the resource itself. Null for other dimensions.

private:
  DxgiResource m_resource{*this};
  DxgiSurface m_surface{*this};
};

} // namespace monolith::dxgi
