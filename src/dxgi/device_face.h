// SPDX-License-Identifier: MIT
/// @file
/// IDXGIDevice to IDXGIDevice4: another face of the Direct3D 11 device, which owns it. IUnknown and private data are
/// the device's.
#pragma once

#include "com/dxgi_bridge.h"

#include <atomic>

namespace monolith::dxgi {

class DeviceFace final : public com::Face, public IDXGIDevice4 {
public:
  DeviceFace(IUnknown* outer, com::DeviceServices& device) : m_outer(outer), m_device(device) {}

  IUnknown* query(REFIID riid) override;
  UINT frameLatency() const { return m_latency; }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override;
  ULONG STDMETHODCALLTYPE AddRef() override;
  ULONG STDMETHODCALLTYPE Release() override;
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) override;
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) override;
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) override;
  HRESULT STDMETHODCALLTYPE GetParent(REFIID riid, void** parent) override;
  HRESULT STDMETHODCALLTYPE GetAdapter(IDXGIAdapter** adapter) override;
  HRESULT STDMETHODCALLTYPE CreateSurface(const DXGI_SURFACE_DESC* desc, UINT count, DXGI_USAGE usage,
                                          const DXGI_SHARED_RESOURCE* shared, IDXGISurface** surfaces) override;
  HRESULT STDMETHODCALLTYPE QueryResourceResidency(IUnknown* const* resources, DXGI_RESIDENCY* residency,
                                                   UINT count) override;
  HRESULT STDMETHODCALLTYPE SetGPUThreadPriority(INT priority) override;
  HRESULT STDMETHODCALLTYPE GetGPUThreadPriority(INT* priority) override;
  HRESULT STDMETHODCALLTYPE SetMaximumFrameLatency(UINT latency) override;
  HRESULT STDMETHODCALLTYPE GetMaximumFrameLatency(UINT* latency) override;
  HRESULT STDMETHODCALLTYPE OfferResources(UINT count, IDXGIResource* const* resources,
                                           DXGI_OFFER_RESOURCE_PRIORITY priority) override;
  HRESULT STDMETHODCALLTYPE ReclaimResources(UINT count, IDXGIResource* const* resources, WINBOOL* discarded) override;
  HRESULT STDMETHODCALLTYPE EnqueueSetEvent(HANDLE event) override;
  void STDMETHODCALLTYPE Trim() override;
  HRESULT STDMETHODCALLTYPE OfferResources1(UINT count, IDXGIResource* const* resources,
                                            DXGI_OFFER_RESOURCE_PRIORITY priority, UINT flags) override;
  HRESULT STDMETHODCALLTYPE ReclaimResources1(UINT count, IDXGIResource* const* resources,
                                              DXGI_RECLAIM_RESOURCE_RESULTS* results) override;

private:
  IUnknown* const m_outer;
  com::DeviceServices& m_device;
  std::atomic<UINT> m_latency{3};
  std::atomic<INT> m_priority{0};
};

} // namespace monolith::dxgi
