// SPDX-License-Identifier: MIT
#include "dxgi/device_face.h"

#include "base/log.h"
#include "dxgi/swap_chain.h"

#include <wrl/client.h>

namespace monolith::dxgi {

UINT deviceFrameLatency(ID3D11Device* device) {
  Microsoft::WRL::ComPtr<IDXGIDevice1> face;
  UINT latency = 3;
  if (SUCCEEDED(device->QueryInterface(IID_PPV_ARGS(face.GetAddressOf())))) face->GetMaximumFrameLatency(&latency);
  return latency;
}

IUnknown* DeviceFace::query(REFIID riid) {
  const bool mine = riid == __uuidof(IDXGIDevice4) || riid == __uuidof(IDXGIDevice3) || riid == __uuidof(IDXGIDevice2) ||
                    riid == __uuidof(IDXGIDevice1) || riid == __uuidof(IDXGIDevice) || riid == __uuidof(IDXGIObject);
  return mine ? static_cast<IDXGIDevice4*>(this) : nullptr;
}

HRESULT DeviceFace::QueryInterface(REFIID riid, void** object) { return m_outer->QueryInterface(riid, object); }
ULONG DeviceFace::AddRef() { return m_outer->AddRef(); }
ULONG DeviceFace::Release() { return m_outer->Release(); }

HRESULT DeviceFace::SetPrivateData(REFGUID guid, UINT size, const void* data) {
  return m_device.device()->SetPrivateData(guid, size, data);
}
HRESULT DeviceFace::SetPrivateDataInterface(REFGUID guid, const IUnknown* object) {
  return m_device.device()->SetPrivateDataInterface(guid, object);
}
HRESULT DeviceFace::GetPrivateData(REFGUID guid, UINT* size, void* data) {
  return m_device.device()->GetPrivateData(guid, size, data);
}

HRESULT DeviceFace::GetParent(REFIID riid, void** parent) {
  if (!parent) return E_POINTER;
  *parent = nullptr;
  Microsoft::WRL::ComPtr<IDXGIAdapter> adapter;
  const HRESULT result = GetAdapter(adapter.GetAddressOf());
  return SUCCEEDED(result) ? adapter->QueryInterface(riid, parent) : result;
}

HRESULT DeviceFace::GetAdapter(IDXGIAdapter** adapter) {
  if (!adapter) return E_INVALIDARG;
  *adapter = m_device.adapter();
  if (!*adapter) return DXGI_ERROR_NOT_FOUND;
  (*adapter)->AddRef();
  return S_OK;
}

HRESULT DeviceFace::CreateSurface(const DXGI_SURFACE_DESC* desc, UINT count, DXGI_USAGE usage,
                                  const DXGI_SHARED_RESOURCE* shared, IDXGISurface** surfaces) {
  if (!desc || !count || !surfaces) return DXGI_ERROR_INVALID_CALL;
  for (UINT i = 0; i < count; i++) surfaces[i] = nullptr;
  if (shared) {
    base::logOnce("IDXGIDevice::CreateSurface: shared surfaces are not built yet");
    return E_NOTIMPL;
  }
  D3D11_TEXTURE2D_DESC texture = {desc->Width,      desc->Height, 1, 1, desc->Format, desc->SampleDesc,
                                  D3D11_USAGE_DEFAULT, 0,            0, 0};
  if (usage & DXGI_USAGE_RENDER_TARGET_OUTPUT) texture.BindFlags |= D3D11_BIND_RENDER_TARGET;
  if (usage & DXGI_USAGE_SHADER_INPUT) texture.BindFlags |= D3D11_BIND_SHADER_RESOURCE;
  for (UINT i = 0; i < count; i++) {
    Microsoft::WRL::ComPtr<ID3D11Texture2D> made;
    HRESULT result = m_device.device()->CreateTexture2D(&texture, nullptr, made.GetAddressOf());
    if (SUCCEEDED(result)) result = made->QueryInterface(IID_PPV_ARGS(&surfaces[i]));
    if (FAILED(result)) {
      for (UINT k = 0; k < i; k++) {
        surfaces[k]->Release();
        surfaces[k] = nullptr;
      }
      return result;
    }
  }
  return S_OK;
}

HRESULT DeviceFace::QueryResourceResidency(IUnknown* const* resources, DXGI_RESIDENCY* residency, UINT count) {
  if (!resources || !residency || !count) return E_INVALIDARG;
  for (UINT i = 0; i < count; i++) residency[i] = DXGI_RESIDENCY_FULLY_RESIDENT;
  return S_OK;
}

HRESULT DeviceFace::SetGPUThreadPriority(INT priority) {
  if (priority < -7 || priority > 7) return E_INVALIDARG;
  m_priority = priority;
  return S_OK;
}

HRESULT DeviceFace::GetGPUThreadPriority(INT* priority) {
  if (!priority) return E_POINTER;
  *priority = m_priority;
  return S_OK;
}

HRESULT DeviceFace::SetMaximumFrameLatency(UINT latency) {
  if (latency > 16) return DXGI_ERROR_INVALID_CALL;
  m_latency = latency ? latency : 3; // 0 restores the default
  return S_OK;
}

HRESULT DeviceFace::GetMaximumFrameLatency(UINT* latency) {
  if (!latency) return DXGI_ERROR_INVALID_CALL;
  *latency = m_latency;
  return S_OK;
}

// Memory of offered resources is kept, so that reclaiming always finds the contents: allowed by the API.
HRESULT DeviceFace::OfferResources(UINT count, IDXGIResource* const* resources, DXGI_OFFER_RESOURCE_PRIORITY priority) {
  if (!count || !resources || priority < DXGI_OFFER_RESOURCE_PRIORITY_LOW || priority > DXGI_OFFER_RESOURCE_PRIORITY_HIGH)
    return E_INVALIDARG;
  return S_OK;
}

HRESULT DeviceFace::OfferResources1(UINT count, IDXGIResource* const* resources, DXGI_OFFER_RESOURCE_PRIORITY priority,
                                    UINT) {
  return OfferResources(count, resources, priority);
}

HRESULT DeviceFace::ReclaimResources(UINT count, IDXGIResource* const* resources, WINBOOL* discarded) {
  if (!count || !resources) return E_INVALIDARG;
  for (UINT i = 0; discarded && i < count; i++) discarded[i] = FALSE;
  return S_OK;
}

HRESULT DeviceFace::ReclaimResources1(UINT count, IDXGIResource* const* resources,
                                      DXGI_RECLAIM_RESOURCE_RESULTS* results) {
  if (!count || !resources) return E_INVALIDARG;
  for (UINT i = 0; results && i < count; i++) results[i] = DXGI_RECLAIM_RESOURCE_RESULT_OK;
  return S_OK;
}

HRESULT DeviceFace::EnqueueSetEvent(HANDLE) {
  base::logOnce("IDXGIDevice2::EnqueueSetEvent: there are no event handles");
  return E_NOTIMPL;
}

void DeviceFace::Trim() {}

} // namespace monolith::dxgi
