// SPDX-License-Identifier: MIT
#include "dxgi/factory.h"

#include "base/log.h"
#include "base/raw_enum.h"
#include "dxgi/adapter.h"
#include "dxgi/swap_chain.h"

#include <new>

namespace monolith::dxgi {
namespace {

IUnknown* asParent(Factory* factory) { return static_cast<IDXGIFactory7*>(factory); }

HRESULT noEvents(const char* method) {
  base::logOnce(method);
  return E_NOTIMPL;
}

/// IDXGISwapChain::GetDesc's struct as the newer two.
void splitDesc(const DXGI_SWAP_CHAIN_DESC& desc, DXGI_SWAP_CHAIN_DESC1& one, DXGI_SWAP_CHAIN_FULLSCREEN_DESC& full) {
  one = {};
  one.Width = desc.BufferDesc.Width;
  one.Height = desc.BufferDesc.Height;
  one.Format = desc.BufferDesc.Format;
  one.SampleDesc = desc.SampleDesc;
  one.BufferUsage = desc.BufferUsage;
  one.BufferCount = desc.BufferCount;
  one.Scaling = DXGI_SCALING_STRETCH;
  one.SwapEffect = desc.SwapEffect;
  one.AlphaMode = DXGI_ALPHA_MODE_IGNORE;
  one.Flags = desc.Flags;
  full.RefreshRate = desc.BufferDesc.RefreshRate;
  full.ScanlineOrdering = desc.BufferDesc.ScanlineOrdering;
  full.Scaling = desc.BufferDesc.Scaling;
  full.Windowed = desc.Windowed;
}

} // namespace

HRESULT Factory::EnumAdapters1(UINT index, IDXGIAdapter1** adapter) {
  if (!adapter) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  if (index != 0) return DXGI_ERROR_NOT_FOUND;
  return createAs<Adapter>(__uuidof(IDXGIAdapter1), reinterpret_cast<void**>(adapter), asParent(this), false);
}

HRESULT Factory::EnumAdapters(UINT index, IDXGIAdapter** adapter) {
  if (!adapter) return DXGI_ERROR_INVALID_CALL;
  IDXGIAdapter1* newer = nullptr;
  const HRESULT result = EnumAdapters1(index, &newer);
  *adapter = newer;
  return result;
}

HRESULT Factory::EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE, REFIID riid, void** adapter) {
  if (!adapter) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  return index ? DXGI_ERROR_NOT_FOUND : createAs<Adapter>(riid, adapter, asParent(this), false);
}

HRESULT Factory::EnumAdapterByLuid(LUID luid, REFIID riid, void** adapter) {
  if (!adapter) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  if (luid.LowPart != Adapter::kLuid.LowPart || luid.HighPart != Adapter::kLuid.HighPart) return DXGI_ERROR_NOT_FOUND;
  return createAs<Adapter>(riid, adapter, asParent(this), false);
}

HRESULT Factory::EnumWarpAdapter(REFIID riid, void** adapter) {
  if (!adapter) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  return createAs<Adapter>(riid, adapter, asParent(this), true);
}

HRESULT Factory::CreateSoftwareAdapter(HMODULE module, IDXGIAdapter** adapter) {
  // A module would be a third-party rasterizer; there is none for this platform.
  if (!adapter || !module) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  return DXGI_ERROR_UNSUPPORTED;
}

HRESULT Factory::MakeWindowAssociation(HWND window, UINT flags) {
  if (flags & ~UINT(DXGI_MWA_VALID)) return DXGI_ERROR_INVALID_CALL;
  if (!window && flags) return DXGI_ERROR_INVALID_CALL;
  m_associated = window;
  return S_OK;
}

HRESULT Factory::GetWindowAssociation(HWND* window) {
  if (!window) return DXGI_ERROR_INVALID_CALL;
  *window = m_associated;
  return S_OK;
}

HRESULT Factory::CreateSwapChain(IUnknown* device, DXGI_SWAP_CHAIN_DESC* desc, IDXGISwapChain** chain) {
  if (!device || !desc || !chain) return DXGI_ERROR_INVALID_CALL;
  *chain = nullptr;
  if (base::raw(desc->SwapEffect) > DXGI_SWAP_EFFECT_FLIP_DISCARD ||
      base::raw(desc->BufferDesc.ScanlineOrdering) > DXGI_MODE_SCANLINE_ORDER_LOWER_FIELD_FIRST ||
      base::raw(desc->BufferDesc.Scaling) > DXGI_MODE_SCALING_STRETCHED)
    return DXGI_ERROR_INVALID_CALL;
  DXGI_SWAP_CHAIN_DESC1 one;
  DXGI_SWAP_CHAIN_FULLSCREEN_DESC full;
  splitDesc(*desc, one, full);
  IDXGISwapChain1* created = nullptr;
  const HRESULT result = SwapChain::create(asParent(this), device, {SwapChainTarget::Window, desc->OutputWindow}, one,
                                           &full, nullptr, &created);
  *chain = created;
  return result;
}

HRESULT Factory::CreateSwapChainForHwnd(IUnknown* device, HWND window, const DXGI_SWAP_CHAIN_DESC1* desc,
                                        const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen, IDXGIOutput* output,
                                        IDXGISwapChain1** chain) {
  if (!device || !desc || !chain) return DXGI_ERROR_INVALID_CALL;
  *chain = nullptr;
  return SwapChain::create(asParent(this), device, {SwapChainTarget::Window, window}, *desc, fullscreen, output, chain);
}

HRESULT Factory::CreateSwapChainForCoreWindow(IUnknown* device, IUnknown* window, const DXGI_SWAP_CHAIN_DESC1* desc,
                                              IDXGIOutput* output, IDXGISwapChain1** chain) {
  if (!device || !desc || !chain) return DXGI_ERROR_INVALID_CALL;
  *chain = nullptr;
  return SwapChain::create(asParent(this), device, {SwapChainTarget::CoreWindow, window}, *desc, nullptr, output, chain);
}

HRESULT Factory::CreateSwapChainForComposition(IUnknown* device, const DXGI_SWAP_CHAIN_DESC1* desc, IDXGIOutput* output,
                                               IDXGISwapChain1** chain) {
  if (!device || !desc || !chain) return DXGI_ERROR_INVALID_CALL;
  *chain = nullptr;
  return SwapChain::create(asParent(this), device, {SwapChainTarget::Composition, nullptr}, *desc, nullptr, output,
                           chain);
}

WINBOOL Factory::IsCurrent() { return TRUE; }
WINBOOL Factory::IsWindowedStereoEnabled() { return FALSE; }
UINT Factory::GetCreationFlags() { return m_flags; }

HRESULT Factory::GetSharedResourceAdapterLuid(HANDLE, LUID*) { return noEvents("shared handles are not built yet"); }
HRESULT Factory::RegisterStereoStatusWindow(HWND, UINT, DWORD*) { return noEvents("RegisterStereoStatusWindow: no stereo"); }
HRESULT Factory::RegisterStereoStatusEvent(HANDLE, DWORD*) { return noEvents("RegisterStereoStatusEvent: no stereo"); }
void Factory::UnregisterStereoStatus(DWORD) {}
HRESULT Factory::RegisterOcclusionStatusWindow(HWND, UINT, DWORD*) {
  return noEvents("RegisterOcclusionStatusWindow: there are no window messages");
}
HRESULT Factory::RegisterOcclusionStatusEvent(HANDLE, DWORD*) {
  return noEvents("RegisterOcclusionStatusEvent: there are no event handles");
}
void Factory::UnregisterOcclusionStatus(DWORD) {}
HRESULT Factory::RegisterAdaptersChangedEvent(HANDLE, DWORD*) {
  return noEvents("RegisterAdaptersChangedEvent: there are no event handles");
}
HRESULT Factory::UnregisterAdaptersChangedEvent(DWORD) { return E_NOTIMPL; }

HRESULT Factory::CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT size) {
  if (feature != DXGI_FEATURE_PRESENT_ALLOW_TEARING || !data || size != sizeof(WINBOOL)) return DXGI_ERROR_INVALID_CALL;
  *static_cast<WINBOOL*>(data) = TRUE;
  return S_OK;
}

} // namespace monolith::dxgi
