// SPDX-License-Identifier: MIT
#include "dxgi/subresource_surface.h"

#include "base/log.h"

#include <algorithm>
#include <wrl/client.h>

namespace monolith::dxgi {

using Microsoft::WRL::ComPtr;

HRESULT mapSubresource(com::DeviceServices& device, ID3D11Resource* resource, UINT subresource, UINT flags,
                       DXGI_MAPPED_RECT* mapped) {
  if (!mapped) return E_INVALIDARG;
  *mapped = {};
  const bool read = flags & DXGI_MAP_READ, write = flags & DXGI_MAP_WRITE, discard = flags & DXGI_MAP_DISCARD;
  if (!flags || (flags & ~UINT(DXGI_MAP_READ | DXGI_MAP_WRITE | DXGI_MAP_DISCARD)) || (discard && (read || !write)))
    return E_INVALIDARG;
  const D3D11_MAP kind = discard ? D3D11_MAP_WRITE_DISCARD
                                 : read && write ? D3D11_MAP_READ_WRITE : read ? D3D11_MAP_READ : D3D11_MAP_WRITE;
  ComPtr<ID3D11DeviceContext> context;
  device.device()->GetImmediateContext(context.GetAddressOf());
  D3D11_MAPPED_SUBRESOURCE where = {};
  const HRESULT result = context->Map(resource, subresource, kind, 0, &where);
  if (SUCCEEDED(result)) *mapped = {static_cast<INT>(where.RowPitch), static_cast<BYTE*>(where.pData)};
  return result;
}

void unmapSubresource(com::DeviceServices& device, ID3D11Resource* resource, UINT subresource) {
  ComPtr<ID3D11DeviceContext> context;
  device.device()->GetImmediateContext(context.GetAddressOf());
  context->Unmap(resource, subresource);
}

HRESULT SubresourceSurface::GetDevice(REFIID riid, void** device) {
  return device ? m_device.device()->QueryInterface(riid, device) : E_POINTER;
}

HRESULT SubresourceSurface::GetDesc(DXGI_SURFACE_DESC* out) {
  if (!out) return E_INVALIDARG;
  D3D11_TEXTURE2D_DESC desc;
  m_texture->GetDesc(&desc);
  const UINT mip = m_subresource % desc.MipLevels;
  *out = {std::max(1u, desc.Width >> mip), std::max(1u, desc.Height >> mip), desc.Format, desc.SampleDesc};
  return S_OK;
}

HRESULT SubresourceSurface::Map(DXGI_MAPPED_RECT* mapped, UINT flags) {
  return mapSubresource(m_device, m_texture, m_subresource, flags, mapped);
}

HRESULT SubresourceSurface::Unmap() {
  unmapSubresource(m_device, m_texture, m_subresource);
  return S_OK;
}

HRESULT SubresourceSurface::GetDC(WINBOOL, HDC* context) {
  if (context) *context = nullptr;
  base::logOnce("IDXGISurface1::GetDC: there is no GDI");
  return E_NOTIMPL;
}

HRESULT SubresourceSurface::ReleaseDC(RECT*) { return E_NOTIMPL; }

HRESULT SubresourceSurface::GetResource(REFIID riid, void** resource, UINT* subresource) {
  if (!resource || !subresource) return E_POINTER;
  *subresource = m_subresource;
  return m_texture->QueryInterface(riid, resource);
}

} // namespace monolith::dxgi
