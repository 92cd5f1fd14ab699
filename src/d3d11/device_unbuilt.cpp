// SPDX-License-Identifier: MIT
/// @file
/// Device methods that are not built yet: each says so once (see docs/status.md).
#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/device.h"

namespace monolith::d3d11 {

namespace {
HRESULT notBuilt(const char* what, void** out = nullptr) {
  if (out)
    *out = nullptr;
  base::logOnce(what);
  return E_NOTIMPL;
}
template <typename T> void** asVoid(T** out) { return reinterpret_cast<void**>(out); }
} // namespace

HRESULT STDMETHODCALLTYPE Device::CreateClassLinkage(ID3D11ClassLinkage** out) {
  return notBuilt("CreateClassLinkage is not built", asVoid(out));
}
HRESULT STDMETHODCALLTYPE Device::CreateDeferredContext(UINT, ID3D11DeviceContext** out) {
  return notBuilt("deferred contexts are not built", asVoid(out));
}
HRESULT STDMETHODCALLTYPE Device::CreateDeferredContext1(UINT, ID3D11DeviceContext1** out) {
  return notBuilt("deferred contexts are not built", asVoid(out));
}
HRESULT STDMETHODCALLTYPE Device::CreateDeferredContext2(UINT, ID3D11DeviceContext2** out) {
  return notBuilt("deferred contexts are not built", asVoid(out));
}
HRESULT STDMETHODCALLTYPE Device::CreateDeferredContext3(UINT, ID3D11DeviceContext3** out) {
  return notBuilt("deferred contexts are not built", asVoid(out));
}
HRESULT STDMETHODCALLTYPE Device::OpenSharedResource(HANDLE, REFIID, void** out) {
  return notBuilt("shared resources are not built", out);
}
HRESULT STDMETHODCALLTYPE Device::OpenSharedResource1(HANDLE, REFIID, void** out) {
  return notBuilt("shared resources are not built", out);
}
HRESULT STDMETHODCALLTYPE Device::OpenSharedResourceByName(LPCWSTR, DWORD, REFIID, void** out) {
  return notBuilt("shared resources are not built", out);
}
void STDMETHODCALLTYPE Device::GetResourceTiling(ID3D11Resource*, UINT* tiles, D3D11_PACKED_MIP_DESC* mips,
                                                 D3D11_TILE_SHAPE* shape, UINT* count, UINT, D3D11_SUBRESOURCE_TILING*) {
  base::logOnce("tiled resources are not built");
  if (tiles)
    *tiles = 0;
  if (mips)
    *mips = {};
  if (shape)
    *shape = {};
  if (count)
    *count = 0;
}
HRESULT STDMETHODCALLTYPE Device::RegisterDeviceRemovedEvent(HANDLE, DWORD* cookie) {
  if (cookie)
    *cookie = 0;
  return notBuilt("device-removed events are not built");
}
void STDMETHODCALLTYPE Device::UnregisterDeviceRemoved(DWORD) {}
HRESULT STDMETHODCALLTYPE Device::OpenSharedFence(HANDLE, REFIID, void** out) {
  return notBuilt("fences are not built", out);
}
HRESULT STDMETHODCALLTYPE Device::CreateFence(UINT64, D3D11_FENCE_FLAG, REFIID, void** out) {
  return notBuilt("fences are not built", out);
}
HRESULT STDMETHODCALLTYPE Device::CreateCounter(const D3D11_COUNTER_DESC* desc, ID3D11Counter** out) {
  if (out)
    *out = nullptr;
  if (!desc)
    return E_INVALIDARG;
  // There are no device-dependent counters, and D3D11 has no well-known ones.
  return base::raw(desc->Counter) >= D3D11_COUNTER_DEVICE_DEPENDENT_0 ? E_INVALIDARG : DXGI_ERROR_UNSUPPORTED;
}
void STDMETHODCALLTYPE Device::CheckCounterInfo(D3D11_COUNTER_INFO* info) {
  if (info)
    *info = {static_cast<D3D11_COUNTER>(0), 0, 1};
}
HRESULT STDMETHODCALLTYPE Device::CheckCounter(const D3D11_COUNTER_DESC* desc, D3D11_COUNTER_TYPE*, UINT*, LPSTR, UINT*,
                                               LPSTR, UINT*, LPSTR, UINT*) {
  if (!desc)
    return E_INVALIDARG;
  return desc->Counter >= D3D11_COUNTER_DEVICE_DEPENDENT_0 ? E_INVALIDARG : DXGI_ERROR_UNSUPPORTED;
}

} // namespace monolith::d3d11
