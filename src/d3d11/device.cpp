// SPDX-License-Identifier: MIT
#include "d3d11/device.h"

#include "base/log.h"
#include "base/options.h"
#include "d3d11/context.h"

#include <atomic>

namespace monolith::d3d11 {

ID3D11Device* deviceInterface(Device* device) { return device; }
commands::Timeline& deviceTimeline(Device* device) { return device->timeline(); }
void retire(Device* device, std::shared_ptr<void> object) { device->timeline().retire(std::move(object)); }
uint64_t nextObjectId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

Device::Device(const DeviceParams& params) : m_params(params) {
  if (m_params.adapter)
    m_params.adapter->AddRef();
}

Device* Device::create(const DeviceParams& params, HRESULT& hr) {
  hr = E_OUTOFMEMORY;
  commands::TimelineOptions options;
  options.executeNothing = params.driverType == D3D_DRIVER_TYPE_NULL;
  options.interpretShaders = params.driverType == D3D_DRIVER_TYPE_REFERENCE;
  if (params.flags & D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS)
    options.threads = 1;
  if ((params.flags & D3D11_CREATE_DEVICE_DISABLE_GPU_TIMEOUT) ||
      base::optionNumber(base::Option::NO_HANG_DETECTION) != 0)
    options.hangSeconds = 0;
  auto timeline = commands::Timeline::create(options);
  if (!timeline)
    return nullptr;
  auto* device = new Device(params);
  device->m_timeline = std::move(timeline);
  try {
    device->m_context = new Context(device);
    device->m_context->addPrivate();
  } catch (...) {
    delete device;
    throw;
  }
  device->AddRef();
  hr = S_OK;
  return device;
}

Device::~Device() {
  // The context's bindings are the last private references of many objects, whose destructors need the timeline.
  if (m_context)
    m_context->releasePrivate();
  m_context = nullptr;
  m_dxgiFace.reset();
  m_timeline.reset();
  if (m_params.adapter)
    m_params.adapter->Release();
}

IUnknown* Device::queryFace(REFIID riid) {
  if (riid == __uuidof(ID3D11Multithread))
    return &m_multithread;
  if (riid == com::kDeviceServicesId)
    // Documented in dxgi_bridge.h: the pointer is DeviceServices*, which is no IUnknown.
    return reinterpret_cast<IUnknown*>(static_cast<com::DeviceServices*>(this));
  com::DxgiBridge* bridge = com::dxgiBridge();
  if (!bridge)
    return nullptr;
  const std::lock_guard lock(m_faceMutex);
  if (!m_dxgiFace)
    m_dxgiFace = bridge->deviceFace(static_cast<ID3D11Device5*>(this), *this);
  return m_dxgiFace ? m_dxgiFace->query(riid) : nullptr;
}

void Device::remove(HRESULT reason) {
  HRESULT expected = S_OK;
  m_removed.compare_exchange_strong(expected, reason);
}

HRESULT STDMETHODCALLTYPE Device::GetDeviceRemovedReason() {
  if (m_timeline->hung())
    remove(DXGI_ERROR_DEVICE_HUNG);
  return m_removed.load();
}

HRESULT STDMETHODCALLTYPE Device::GetPrivateData(REFGUID guid, UINT* size, void* data) {
  return m_privateData.get(guid, size, data);
}
HRESULT STDMETHODCALLTYPE Device::SetPrivateData(REFGUID guid, UINT size, const void* data) {
  return !data && size != 0 ? E_INVALIDARG : m_privateData.set(guid, size, data);
}
HRESULT STDMETHODCALLTYPE Device::SetPrivateDataInterface(REFGUID guid, const IUnknown* object) {
  return m_privateData.setInterface(guid, object);
}

D3D_FEATURE_LEVEL STDMETHODCALLTYPE Device::GetFeatureLevel() { return m_params.level; }
UINT STDMETHODCALLTYPE Device::GetCreationFlags() { return m_params.flags; }
HRESULT STDMETHODCALLTYPE Device::SetExceptionMode(UINT flags) {
  if (flags & ~UINT(D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR))
    return E_INVALIDARG;
  m_exceptionMode = flags;
  return S_OK;
}
UINT STDMETHODCALLTYPE Device::GetExceptionMode() { return m_exceptionMode; }

void STDMETHODCALLTYPE Device::GetImmediateContext(ID3D11DeviceContext** out) { com::handOut(m_context, out); }
void STDMETHODCALLTYPE Device::GetImmediateContext1(ID3D11DeviceContext1** out) { com::handOut(m_context, out); }
void STDMETHODCALLTYPE Device::GetImmediateContext2(ID3D11DeviceContext2** out) { com::handOut(m_context, out); }
void STDMETHODCALLTYPE Device::GetImmediateContext3(ID3D11DeviceContext3** out) { com::handOut(m_context, out); }

std::shared_ptr<resources::Texture> Device::textureOf(ID3D11Resource* resource) {
  const ResourceInfo* info = infoOf(resource);
  return info ? info->texture : nullptr;
}

HRESULT Device::replaceTexture(ID3D11Resource* resource, std::shared_ptr<resources::Texture> texture) {
  ResourceInfo* info = infoOf(resource);
  if (!info || !info->texture || !texture)
    return E_INVALIDARG;
  retire(this, std::move(info->texture));
  info->texture = std::move(texture);
  m_context->memoryChanged(*info);
  return S_OK;
}

bool Device::referenced(ID3D11Resource* resource) {
  const com::RefCounts* refs = refsOf(resource);
  // The public references together hold one private reference.
  return refs && refs->privateCount() > (refs->publicCount() ? 1u : 0u);
}

void Device::unbindTargets(ID3D11Resource* resource) {
  if (const ResourceInfo* info = infoOf(resource))
    m_context->unbindTargets(*info);
}

} // namespace monolith::d3d11
