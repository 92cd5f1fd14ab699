// SPDX-License-Identifier: MIT
#include "dxgi/resource_face.h"

#include "base/log.h"
#include "dxgi/subresource_surface.h"

namespace monolith::dxgi {

template <typename I> HRESULT ForwardingFace<I>::QueryInterface(REFIID riid, void** object) {
  return m_owner.outer->QueryInterface(riid, object);
}
template <typename I> ULONG ForwardingFace<I>::AddRef() { return m_owner.outer->AddRef(); }
template <typename I> ULONG ForwardingFace<I>::Release() { return m_owner.outer->Release(); }
template <typename I> HRESULT ForwardingFace<I>::SetPrivateData(REFGUID guid, UINT size, const void* data) {
  return m_owner.resource->SetPrivateData(guid, size, data);
}
template <typename I> HRESULT ForwardingFace<I>::SetPrivateDataInterface(REFGUID guid, const IUnknown* object) {
  return m_owner.resource->SetPrivateDataInterface(guid, object);
}
template <typename I> HRESULT ForwardingFace<I>::GetPrivateData(REFGUID guid, UINT* size, void* data) {
  return m_owner.resource->GetPrivateData(guid, size, data);
}
template <typename I> HRESULT ForwardingFace<I>::GetParent(REFIID riid, void** parent) { return GetDevice(riid, parent); }
template <typename I> HRESULT ForwardingFace<I>::GetDevice(REFIID riid, void** device) {
  return device ? m_owner.device.device()->QueryInterface(riid, device) : E_POINTER;
}

template class ForwardingFace<IDXGIResource1>;
template class ForwardingFace<IDXGISurface2>;

ResourceFace::ResourceFace(IUnknown* o, ID3D11Resource* r, com::DeviceServices& d) : outer(o), resource(r), device(d) {
  D3D11_RESOURCE_DIMENSION dimension;
  resource->GetType(&dimension);
  if (dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D) texture2D = static_cast<ID3D11Texture2D*>(resource);
}

IUnknown* ResourceFace::query(REFIID riid) {
  if (riid == __uuidof(IDXGIResource1) || riid == __uuidof(IDXGIResource) || riid == __uuidof(IDXGIObject) ||
      riid == __uuidof(IDXGIDeviceSubObject))
    return static_cast<IDXGIResource1*>(&m_resource);
  if (riid != __uuidof(IDXGISurface2) && riid != __uuidof(IDXGISurface1) && riid != __uuidof(IDXGISurface)) return nullptr;
  // Only a texture of a single subresource is a surface.
  if (!texture2D) return nullptr;
  D3D11_TEXTURE2D_DESC desc;
  texture2D->GetDesc(&desc);
  return desc.MipLevels == 1 && desc.ArraySize == 1 ? static_cast<IDXGISurface2*>(&m_surface) : nullptr;
}

HRESULT DxgiResource::GetSharedHandle(HANDLE* handle) {
  if (!handle) return E_INVALIDARG;
  *handle = nullptr;
  base::logOnce("IDXGIResource::GetSharedHandle: shared resources are not built yet");
  return E_NOTIMPL;
}

HRESULT DxgiResource::CreateSharedHandle(const SECURITY_ATTRIBUTES*, DWORD, const WCHAR*, HANDLE* handle) {
  return GetSharedHandle(handle);
}

HRESULT DxgiResource::GetUsage(DXGI_USAGE* usage) {
  if (!usage) return E_INVALIDARG;
  UINT bind = 0;
  if (m_owner.texture2D) {
    D3D11_TEXTURE2D_DESC desc;
    m_owner.texture2D->GetDesc(&desc);
    bind = desc.BindFlags;
  }
  *usage = 0;
  if (bind & D3D11_BIND_SHADER_RESOURCE) *usage |= DXGI_USAGE_SHADER_INPUT;
  if (bind & D3D11_BIND_RENDER_TARGET) *usage |= DXGI_USAGE_RENDER_TARGET_OUTPUT;
  if (bind & D3D11_BIND_UNORDERED_ACCESS) *usage |= DXGI_USAGE_UNORDERED_ACCESS;
  return S_OK;
}

HRESULT DxgiResource::SetEvictionPriority(UINT priority) {
  m_owner.resource->SetEvictionPriority(priority);
  return S_OK;
}

HRESULT DxgiResource::GetEvictionPriority(UINT* priority) {
  if (!priority) return E_INVALIDARG;
  *priority = m_owner.resource->GetEvictionPriority();
  return S_OK;
}

HRESULT DxgiResource::CreateSubresourceSurface(UINT index, IDXGISurface2** surface) {
  if (!surface) return E_INVALIDARG;
  *surface = nullptr;
  if (!m_owner.texture2D) return E_INVALIDARG;
  D3D11_TEXTURE2D_DESC desc;
  m_owner.texture2D->GetDesc(&desc);
  if (index >= desc.MipLevels * desc.ArraySize) return E_INVALIDARG;
  if (IUnknown* whole = m_owner.query(__uuidof(IDXGISurface2))) { // the only subresource
    *surface = static_cast<IDXGISurface2*>(whole);
    (*surface)->AddRef();
    return S_OK;
  }
  return createAs<SubresourceSurface>(__uuidof(IDXGISurface2), reinterpret_cast<void**>(surface), m_owner.outer, m_owner.texture2D,
                                      m_owner.device, index);
}

HRESULT DxgiSurface::GetDesc(DXGI_SURFACE_DESC* out) {
  if (!out) return E_INVALIDARG;
  D3D11_TEXTURE2D_DESC desc;
  m_owner.texture2D->GetDesc(&desc);
  *out = {desc.Width, desc.Height, desc.Format, desc.SampleDesc};
  return S_OK;
}

HRESULT DxgiSurface::Map(DXGI_MAPPED_RECT* mapped, UINT flags) {
  return mapSubresource(m_owner.device, m_owner.resource, 0, flags, mapped);
}

HRESULT DxgiSurface::Unmap() {
  unmapSubresource(m_owner.device, m_owner.resource, 0);
  return S_OK;
}

HRESULT DxgiSurface::GetDC(WINBOOL, HDC* context) {
  if (context) *context = nullptr;
  base::logOnce("IDXGISurface1::GetDC: there is no GDI");
  return E_NOTIMPL;
}

HRESULT DxgiSurface::ReleaseDC(RECT*) { return E_NOTIMPL; }

HRESULT DxgiSurface::GetResource(REFIID riid, void** resource, UINT* subresource) {
  if (!resource || !subresource) return E_POINTER;
  *subresource = 0;
  return m_owner.outer->QueryInterface(riid, resource);
}

} // namespace monolith::dxgi
