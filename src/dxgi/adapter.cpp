// SPDX-License-Identifier: MIT
#include "dxgi/adapter.h"

#include "base/log.h"
#include "dxgi/output.h"

#include <cstdio>
#include <cstring>
#include <cwchar>
#include <d3d11.h>
#include <new>
#include <sys/sysinfo.h>
#include <thread>

namespace monolith::dxgi {
namespace {

// No PCI device stands behind this adapter; ids that no vendor has keep driver workarounds away.
constexpr UINT kVendorId = 0x4d4c, kDeviceId = 0x11;

UINT64 physicalMemory() {
  struct sysinfo info = {};
  return sysinfo(&info) == 0 ? UINT64(info.totalram) * info.mem_unit : UINT64(1) << 32;
}

UINT64 processMemory() {
  unsigned long long pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu %llu", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4096;
}

/// The members that all four descriptions share.
template <typename Desc> void fillCommon(Desc& desc, bool software) {
  std::memset(&desc, 0, sizeof desc);
  std::swprintf(desc.Description, sizeof desc.Description / sizeof desc.Description[0], L"Monolith CPU Renderer (%u threads)",
                std::thread::hardware_concurrency());
  desc.VendorId = software ? 0x1414 : kVendorId; // programs look for WARP by Microsoft's ids
  desc.DeviceId = software ? 0x8c : kDeviceId;
  const UINT64 memory = physicalMemory();
  desc.DedicatedVideoMemory = static_cast<SIZE_T>(memory / 4);
  desc.SharedSystemMemory = static_cast<SIZE_T>(memory / 2);
  desc.AdapterLuid = Adapter::kLuid;
}

} // namespace

HRESULT Adapter::EnumOutputs(UINT index, IDXGIOutput** output) {
  if (!output) return E_INVALIDARG;
  *output = nullptr;
  if (index != 0) return DXGI_ERROR_NOT_FOUND;
  return createAs<Output>(__uuidof(IDXGIOutput), reinterpret_cast<void**>(output), static_cast<IDXGIAdapter4*>(this));
}

HRESULT Adapter::GetDesc(DXGI_ADAPTER_DESC* desc) {
  if (!desc) return E_INVALIDARG;
  fillCommon(*desc, m_software);
  return S_OK;
}

HRESULT Adapter::CheckInterfaceSupport(REFGUID guid, LARGE_INTEGER* version) {
  // Only DXGI and the Direct3D 10 interfaces are answered, as on Windows: Direct3D 11 is asked by creating a device.
  if (guid != __uuidof(IDXGIDevice)) return DXGI_ERROR_UNSUPPORTED;
  if (version) version->QuadPart = (11ll << 48) | (4ll << 32);
  return S_OK;
}

HRESULT Adapter::GetDesc1(DXGI_ADAPTER_DESC1* desc) {
  if (!desc) return E_INVALIDARG;
  fillCommon(*desc, m_software);
  desc->Flags = m_software ? DXGI_ADAPTER_FLAG_SOFTWARE : DXGI_ADAPTER_FLAG_NONE;
  return S_OK;
}

HRESULT Adapter::GetDesc2(DXGI_ADAPTER_DESC2* desc) {
  if (!desc) return E_INVALIDARG;
  fillCommon(*desc, m_software);
  desc->Flags = m_software ? DXGI_ADAPTER_FLAG_SOFTWARE : DXGI_ADAPTER_FLAG_NONE;
  desc->GraphicsPreemptionGranularity = DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
  desc->ComputePreemptionGranularity = DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
  return S_OK;
}

HRESULT Adapter::GetDesc3(DXGI_ADAPTER_DESC3* desc) {
  if (!desc) return E_INVALIDARG;
  fillCommon(*desc, m_software);
  desc->Flags = m_software ? DXGI_ADAPTER_FLAG3_SOFTWARE : DXGI_ADAPTER_FLAG3_NONE;
  desc->GraphicsPreemptionGranularity = DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
  desc->ComputePreemptionGranularity = DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
  return S_OK;
}

HRESULT Adapter::RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE, DWORD*) { return DXGI_ERROR_UNSUPPORTED; }

void Adapter::UnregisterHardwareContentProtectionTeardownStatus(DWORD) {}

HRESULT Adapter::QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group, DXGI_QUERY_VIDEO_MEMORY_INFO* info) {
  if (!info || node != 0 || static_cast<UINT>(group) > 1) return DXGI_ERROR_INVALID_CALL;
  *info = {};
  if (group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL) {
    info->Budget = physicalMemory() / 4;
    info->AvailableForReservation = info->Budget / 2;
    info->CurrentUsage = processMemory();
  }
  info->CurrentReservation = m_reservation[group];
  return S_OK;
}

HRESULT Adapter::SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group, UINT64 reservation) {
  if (node != 0 || static_cast<UINT>(group) > 1) return DXGI_ERROR_INVALID_CALL;
  const UINT64 available = group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL ? physicalMemory() / 8 : 0;
  if (reservation > available) return DXGI_ERROR_INVALID_CALL;
  m_reservation[group] = reservation;
  return S_OK;
}

HRESULT Adapter::RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE, DWORD*) {
  base::logOnce("IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent: there are no event handles");
  return E_NOTIMPL;
}

void Adapter::UnregisterVideoMemoryBudgetChangeNotification(DWORD) {}

} // namespace monolith::dxgi
