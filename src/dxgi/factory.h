// SPDX-License-Identifier: MIT
/// @file
/// IDXGIFactory to IDXGIFactory7.
#pragma once

#include "dxgi/dxgi_object.h"

namespace monolith::dxgi {

using FactoryInterfaces = com::Interfaces<IDXGIFactory7, IDXGIFactory6, IDXGIFactory5, IDXGIFactory4, IDXGIFactory3,
                                          IDXGIFactory2, IDXGIFactory1, IDXGIFactory, IDXGIObject>;

class Factory final : public DxgiObject<FactoryInterfaces> {
public:
  explicit Factory(UINT flags) : DxgiObject(nullptr), m_flags(flags) {}

  HRESULT STDMETHODCALLTYPE EnumAdapters(UINT index, IDXGIAdapter** adapter) override;
  HRESULT STDMETHODCALLTYPE MakeWindowAssociation(HWND window, UINT flags) override;
  HRESULT STDMETHODCALLTYPE GetWindowAssociation(HWND* window) override;
  HRESULT STDMETHODCALLTYPE CreateSwapChain(IUnknown* device, DXGI_SWAP_CHAIN_DESC* desc, IDXGISwapChain** chain) override;
  HRESULT STDMETHODCALLTYPE CreateSoftwareAdapter(HMODULE module, IDXGIAdapter** adapter) override;
  HRESULT STDMETHODCALLTYPE EnumAdapters1(UINT index, IDXGIAdapter1** adapter) override;
  WINBOOL STDMETHODCALLTYPE IsCurrent() override;
  WINBOOL STDMETHODCALLTYPE IsWindowedStereoEnabled() override;
  HRESULT STDMETHODCALLTYPE CreateSwapChainForHwnd(IUnknown* device, HWND window, const DXGI_SWAP_CHAIN_DESC1* desc,
                                                   const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen,
                                                   IDXGIOutput* restrictToOutput, IDXGISwapChain1** chain) override;
  HRESULT STDMETHODCALLTYPE CreateSwapChainForCoreWindow(IUnknown* device, IUnknown* window,
                                                         const DXGI_SWAP_CHAIN_DESC1* desc,
                                                         IDXGIOutput* restrictToOutput, IDXGISwapChain1** chain) override;
  HRESULT STDMETHODCALLTYPE GetSharedResourceAdapterLuid(HANDLE resource, LUID* luid) override;
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusWindow(HWND window, UINT message, DWORD* cookie) override;
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterStereoStatus(DWORD cookie) override;
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusWindow(HWND window, UINT message, DWORD* cookie) override;
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusEvent(HANDLE event, DWORD* cookie) override;
  void STDMETHODCALLTYPE UnregisterOcclusionStatus(DWORD cookie) override;
  HRESULT STDMETHODCALLTYPE CreateSwapChainForComposition(IUnknown* device, const DXGI_SWAP_CHAIN_DESC1* desc,
                                                          IDXGIOutput* restrictToOutput,
                                                          IDXGISwapChain1** chain) override;
  UINT STDMETHODCALLTYPE GetCreationFlags() override;
  HRESULT STDMETHODCALLTYPE EnumAdapterByLuid(LUID luid, REFIID riid, void** adapter) override;
  HRESULT STDMETHODCALLTYPE EnumWarpAdapter(REFIID riid, void** adapter) override;
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT size) override;
  HRESULT STDMETHODCALLTYPE EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference, REFIID riid,
                                                       void** adapter) override;
  HRESULT STDMETHODCALLTYPE RegisterAdaptersChangedEvent(HANDLE event, DWORD* cookie) override;
  HRESULT STDMETHODCALLTYPE UnregisterAdaptersChangedEvent(DWORD cookie) override;

protected:
  const char* className() const override { return "IDXGIFactory"; }

private:
  const UINT m_flags;
  HWND m_associated = nullptr;
};

} // namespace monolith::dxgi
