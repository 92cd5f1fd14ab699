// SPDX-License-Identifier: MIT
/// @file
/// D3D11CreateDevice and D3D11CreateDeviceAndSwapChain: driver type, flags, feature level.
#include "base/log.h"
#include "base/options.h"
#include "base/raw_enum.h"
#include "d3d11/context.h"
#include "d3d11/device.h"
#include "d3d11/guard.h"

namespace monolith::d3d11 {

namespace {

HRESULT invalid(const char* what) {
  base::logLine(base::LogLevel::Error, "D3D11CreateDevice: %s", what);
  return E_INVALIDARG;
}

constexpr D3D_FEATURE_LEVEL kKnownLevels[] = {
    D3D_FEATURE_LEVEL_12_1, D3D_FEATURE_LEVEL_12_0, D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_10_1,
    D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_9_3,  D3D_FEATURE_LEVEL_9_2,  D3D_FEATURE_LEVEL_9_1};

bool knownLevel(uint32_t level) {
  for (const D3D_FEATURE_LEVEL l : kKnownLevels)
    if (base::raw(l) == level)
      return true;
  return false;
}

/// First level of the list that the device can have.
HRESULT chooseLevel(const D3D_FEATURE_LEVEL* levels, UINT count, D3D_FEATURE_LEVEL& out) {
  if (!levels) {
    // The default list starts with 11_0, never 11_1.
    out = D3D_FEATURE_LEVEL_11_0;
    return S_OK;
  }
  if (count == 0)
    return invalid("empty list of feature levels");
  for (UINT i = 0; i < count; i++) {
    if (!knownLevel(base::raw(levels[i])))
      return invalid("unknown feature level");
    if (levels[i] <= kHighestLevel) {
      out = levels[i];
      return S_OK;
    }
  }
  return DXGI_ERROR_UNSUPPORTED;
}

constexpr UINT kKnownFlags =
    D3D11_CREATE_DEVICE_SINGLETHREADED | D3D11_CREATE_DEVICE_DEBUG | D3D11_CREATE_DEVICE_SWITCH_TO_REF |
    D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS | D3D11_CREATE_DEVICE_BGRA_SUPPORT |
    D3D11_CREATE_DEVICE_DEBUGGABLE | D3D11_CREATE_DEVICE_PREVENT_ALTERING_LAYER_SETTINGS_FROM_REGISTRY |
    D3D11_CREATE_DEVICE_DISABLE_GPU_TIMEOUT | D3D11_CREATE_DEVICE_VIDEO_SUPPORT;

/// Adapter, driver type, module and flags against each other; may change the driver type to the one that is meant.
HRESULT checkDriver(IDXGIAdapter* adapter, D3D_DRIVER_TYPE& type, HMODULE software, UINT flags) {
  if (flags & ~kKnownFlags)
    return invalid("unknown flag");
  if (flags & D3D11_CREATE_DEVICE_SWITCH_TO_REF)
    return invalid("switching to the reference device is not part of Direct3D 11");
  if (adapter) {
    if (base::raw(type) != D3D_DRIVER_TYPE_UNKNOWN || software)
      return invalid("an adapter needs driver type UNKNOWN and no software module");
    com::DxgiBridge* bridge = com::dxgiBridge();
    if (bridge && !bridge->ownsAdapter(adapter))
      return invalid("the adapter is not one of this library");
    type = D3D_DRIVER_TYPE_HARDWARE;
    return S_OK;
  }
  if ((base::raw(type) == D3D_DRIVER_TYPE_SOFTWARE) != (software != nullptr))
    return invalid("a software module and driver type SOFTWARE need each other");
  switch (base::raw(type)) {
  case D3D_DRIVER_TYPE_HARDWARE:
    return base::optionNumber(base::Option::NO_HARDWARE) ? DXGI_ERROR_UNSUPPORTED : S_OK;
  case D3D_DRIVER_TYPE_WARP: return S_OK;
  case D3D_DRIVER_TYPE_REFERENCE:
  case D3D_DRIVER_TYPE_NULL:
    return flags & D3D11_CREATE_DEVICE_VIDEO_SUPPORT ? invalid("no video on this driver type") : S_OK;
  case D3D_DRIVER_TYPE_SOFTWARE: return invalid("software rasterizer modules cannot be loaded");
  case D3D_DRIVER_TYPE_UNKNOWN: break;
  }
  return invalid("unknown driver type");
}

HRESULT createDevice(IDXGIAdapter* adapter, D3D_DRIVER_TYPE type, HMODULE software, UINT flags,
                     const D3D_FEATURE_LEVEL* levels, UINT levelCount, UINT sdkVersion, ID3D11Device** device,
                     D3D_FEATURE_LEVEL* level, ID3D11DeviceContext** context) {
  if (device)
    *device = nullptr;
  if (context)
    *context = nullptr;
  if (level)
    *level = static_cast<D3D_FEATURE_LEVEL>(0);
  if (sdkVersion != D3D11_SDK_VERSION)
    return invalid("SDK version");
  DeviceParams params;
  params.driverType = type;
  params.flags = flags;
  HRESULT hr = checkDriver(adapter, params.driverType, software, flags);
  if (FAILED(hr))
    return hr;
  hr = chooseLevel(levels, levelCount, params.level);
  if (FAILED(hr))
    return hr;
  if (level)
    *level = params.level;
  if (!device && !context)
    return S_FALSE;
  IDXGIAdapter* found = nullptr;
  com::DxgiBridge* bridge = com::dxgiBridge();
  if (!adapter && bridge)
    adapter = found = bridge->defaultAdapter();
  params.adapter = adapter;
  Device* made = nullptr;
  hr = guarded([&] {
    HRESULT result = S_OK;
    made = Device::create(params, result);
    return result;
  });
  if (found)
    found->Release();
  if (FAILED(hr)) {
    if (level)
      *level = static_cast<D3D_FEATURE_LEVEL>(0);
    return hr;
  }
  if (context)
    made->GetImmediateContext(context);
  if (device)
    *device = made;
  else
    made->Release(); // the context holds it
  return S_OK;
}

} // namespace

} // namespace monolith::d3d11

extern "C" {

__attribute__((visibility("default"))) HRESULT WINAPI
D3D11CreateDevice(IDXGIAdapter* adapter, D3D_DRIVER_TYPE type, HMODULE software, UINT flags,
                  const D3D_FEATURE_LEVEL* levels, UINT levelCount, UINT sdkVersion, ID3D11Device** device,
                  D3D_FEATURE_LEVEL* level, ID3D11DeviceContext** context) {
  return monolith::d3d11::createDevice(adapter, type, software, flags, levels, levelCount, sdkVersion, device, level,
                                       context);
}

__attribute__((visibility("default"))) HRESULT WINAPI
D3D11CreateDeviceAndSwapChain(IDXGIAdapter* adapter, D3D_DRIVER_TYPE type, HMODULE software, UINT flags,
                              const D3D_FEATURE_LEVEL* levels, UINT levelCount, UINT sdkVersion,
                              const DXGI_SWAP_CHAIN_DESC* chainDesc, IDXGISwapChain** chain, ID3D11Device** device,
                              D3D_FEATURE_LEVEL* level, ID3D11DeviceContext** context) {
  using namespace monolith;
  if (chain)
    *chain = nullptr;
  if (device)
    *device = nullptr;
  if (context)
    *context = nullptr;
  if (!chain && !chainDesc)
    return d3d11::createDevice(adapter, type, software, flags, levels, levelCount, sdkVersion, device, level, context);
  if (chain && !chainDesc)
    return E_INVALIDARG;
  ID3D11Device* made = nullptr;
  HRESULT hr = d3d11::createDevice(adapter, type, software, flags, levels, levelCount, sdkVersion, &made, level, nullptr);
  if (FAILED(hr))
    return hr;
  if (chain) {
    com::DxgiBridge* bridge = com::dxgiBridge();
    hr = bridge ? bridge->createSwapChain(made, *chainDesc, chain) : E_NOTIMPL;
  }
  if (SUCCEEDED(hr)) {
    if (context)
      made->GetImmediateContext(context);
    if (device) {
      *device = made;
      made->AddRef();
    }
    hr = !chain && !device && !context ? S_FALSE : S_OK;
  }
  made->Release();
  return hr;
}

} // extern "C"
