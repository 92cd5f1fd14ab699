// SPDX-License-Identifier: MIT
/// The faces of Direct3D 11 objects that DXGI owns, and the exported functions of dxgi.dll.
#include "base/log.h"
#include "com/dxgi_bridge.h"
#include "dxgi/adapter.h"
#include "dxgi/device_face.h"
#include "dxgi/factory.h"
#include "dxgi/resource_face.h"

#include <new>
#include <wrl/client.h>

namespace monolith::dxgi {
namespace {

class Bridge final : public com::DxgiBridge {
public:
  std::unique_ptr<com::Face> deviceFace(IUnknown* outer, com::DeviceServices& device) override {
    return std::unique_ptr<com::Face>(new (std::nothrow) DeviceFace(outer, device));
  }
  std::unique_ptr<com::Face> resourceFace(IUnknown* outer, ID3D11Resource* resource,
                                          com::DeviceServices& device) override {
    return std::unique_ptr<com::Face>(new (std::nothrow) ResourceFace(outer, resource, device));
  }
  bool ownsAdapter(IDXGIAdapter* adapter) override {
    DXGI_ADAPTER_DESC desc;
    return adapter && SUCCEEDED(adapter->GetDesc(&desc)) && desc.AdapterLuid.LowPart == Adapter::kLuid.LowPart &&
           desc.AdapterLuid.HighPart == Adapter::kLuid.HighPart;
  }
  IDXGIAdapter* defaultAdapter() override {
    Microsoft::WRL::ComPtr<IDXGIFactory1> factory;
    IDXGIAdapter* adapter = nullptr;
    if (SUCCEEDED(createAs<Factory>(IID_PPV_ARGS(factory.GetAddressOf()), 0u))) factory->EnumAdapters(0, &adapter);
    return adapter;
  }
  HRESULT createSwapChain(ID3D11Device* device, const DXGI_SWAP_CHAIN_DESC& desc, IDXGISwapChain** chain) override {
    // The factory must be the one that GetParent leads to from the device.
    Microsoft::WRL::ComPtr<IDXGIDevice> dxgiDevice;
    Microsoft::WRL::ComPtr<IDXGIAdapter> adapter;
    Microsoft::WRL::ComPtr<IDXGIFactory> factory;
    HRESULT result = device->QueryInterface(IID_PPV_ARGS(dxgiDevice.GetAddressOf()));
    if (SUCCEEDED(result)) result = dxgiDevice->GetAdapter(adapter.GetAddressOf());
    if (SUCCEEDED(result)) result = adapter->GetParent(IID_PPV_ARGS(factory.GetAddressOf()));
    DXGI_SWAP_CHAIN_DESC copy = desc;
    return SUCCEEDED(result) ? factory->CreateSwapChain(device, &copy, chain) : result;
  }
};

/// Installed when the library is loaded, before any device can exist.
const bool installed = [] {
  static Bridge bridge;
  com::installDxgiBridge(&bridge);
  return true;
}();

HRESULT createFactory(UINT flags, REFIID riid, void** factory) {
  if (!factory) return DXGI_ERROR_INVALID_CALL;
  *factory = nullptr;
  return installed ? createAs<Factory>(riid, factory, flags) : E_FAIL;
}

} // namespace
} // namespace monolith::dxgi

extern "C" {

__attribute__((visibility("default"))) HRESULT WINAPI CreateDXGIFactory(REFIID riid, void** factory) {
  return monolith::dxgi::createFactory(0, riid, factory);
}

__attribute__((visibility("default"))) HRESULT WINAPI CreateDXGIFactory1(REFIID riid, void** factory) {
  return monolith::dxgi::createFactory(0, riid, factory);
}

__attribute__((visibility("default"))) HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID riid, void** factory) {
  if (flags & ~UINT(DXGI_CREATE_FACTORY_DEBUG)) return DXGI_ERROR_INVALID_CALL;
  return monolith::dxgi::createFactory(flags, riid, factory);
}

__attribute__((visibility("default"))) HRESULT WINAPI DXGIGetDebugInterface1(UINT, REFIID, void** debug) {
  if (debug) *debug = nullptr;
  monolith::base::logOnce("DXGIGetDebugInterface1: the DXGI debug interface is not built yet");
  return E_NOINTERFACE;
}

__attribute__((visibility("default"))) HRESULT WINAPI DXGIDeclareAdapterRemovalSupport(void) { return S_OK; }

} // extern "C"
