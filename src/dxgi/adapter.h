// SPDX-License-Identifier: MIT
/// @file
/// The one adapter of a machine: its CPU. Every enumeration gives a new object with the same LUID.
#pragma once

#include "dxgi/dxgi_object.h"

namespace monolith::dxgi {

using AdapterInterfaces =
    com::Interfaces<IDXGIAdapter4, IDXGIAdapter3, IDXGIAdapter2, IDXGIAdapter1, IDXGIAdapter, IDXGIObject>;

class Adapter final : public DxgiObject<AdapterInterfaces> {
public:
  /// `software`: the WARP face of the same CPU, with DXGI_ADAPTER_FLAG_SOFTWARE.
  Adapter(IUnknown* factory, bool software) : DxgiObject(factory), m_software(software) {}

  static constexpr LUID kLuid = {0x4d4f4e4f, 0};

  HRESULT STDMETHODCALLTYPE EnumOutputs(UINT index, IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE CheckInterfaceSupport(REFGUID guid, LARGE_INTEGER* version) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_ADAPTER_DESC1* desc) override;
  HRESULT STDMETHODCALLTYPE GetDesc2(DXGI_ADAPTER_DESC2* desc) override;
  HRESULT STDMETHODCALLTYPE RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterHardwareContentProtectionTeardownStatus(DWORD cookie) override;
  HRESULT STDMETHODCALLTYPE QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                 DXGI_QUERY_VIDEO_MEMORY_INFO* info) override;
  HRESULT STDMETHODCALLTYPE SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                      UINT64 reservation) override;
  HRESULT STDMETHODCALLTYPE RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterVideoMemoryBudgetChangeNotification(DWORD cookie) override;
  HRESULT STDMETHODCALLTYPE GetDesc3(DXGI_ADAPTER_DESC3* desc) override;

protected:
  const char* className() const override { return "IDXGIAdapter"; }

private:
  const bool m_software;
  UINT64 m_reservation[2] = {};
};

} // namespace monolith::dxgi
