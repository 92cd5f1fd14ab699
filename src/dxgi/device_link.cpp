// SPDX-License-Identifier: MIT
#include "dxgi/device_link.h"

#include "commands/recorder.h"
#include "commands/timeline.h"

namespace monolith::dxgi {
namespace {

/// Holds the context lock.
class Entered {
public:
  explicit Entered(com::DeviceServices& services) : m_services(services) { m_services.enter(); }
  ~Entered() { m_services.leave(); }

private:
  com::DeviceServices& m_services;
};

UINT bindFlags(DXGI_USAGE usage) {
  UINT flags = 0;
  if (usage & DXGI_USAGE_RENDER_TARGET_OUTPUT) flags |= D3D11_BIND_RENDER_TARGET;
  if (usage & DXGI_USAGE_SHADER_INPUT) flags |= D3D11_BIND_SHADER_RESOURCE;
  if (usage & DXGI_USAGE_UNORDERED_ACCESS) flags |= D3D11_BIND_UNORDERED_ACCESS;
  return flags;
}

} // namespace

bool DeviceLink::from(IUnknown* device, DeviceLink& link) {
  void* services = nullptr;
  if (!device || FAILED(device->QueryInterface(com::kDeviceServicesId, &services))) return false;
  link.m_services = static_cast<com::DeviceServices*>(services);
  link.m_device.Attach(link.m_services->device()); // the query's reference
  return true;
}

HRESULT DeviceLink::createBackBuffer(const DXGI_SWAP_CHAIN_DESC1& desc, ID3D11Texture2D** texture) const {
  D3D11_TEXTURE2D_DESC one = {};
  one.Width = desc.Width;
  one.Height = desc.Height;
  one.MipLevels = one.ArraySize = 1;
  one.Format = desc.Format;
  one.SampleDesc = desc.SampleDesc;
  one.Usage = D3D11_USAGE_DEFAULT;
  one.BindFlags = bindFlags(desc.BufferUsage);
  return m_services->createBackBuffer(one, texture);
}

std::shared_ptr<resources::Texture> DeviceLink::finish(ID3D11Texture2D* texture) const {
  const Entered entered(*m_services);
  auto memory = m_services->textureOf(texture);
  if (!memory) return nullptr;
  commands::Timeline& timeline = m_services->timeline();
  timeline.recorder().push<commands::Materialize>()->texture = memory.get();
  timeline.wait(timeline.flush());
  return memory;
}

uint64_t DeviceLink::flush() const {
  const Entered entered(*m_services);
  return m_services->timeline().flush();
}

void DeviceLink::waitFor(uint64_t serial) const {
  const Entered entered(*m_services);
  m_services->timeline().wait(serial);
}

bool DeviceLink::isComplete(uint64_t serial) const { return m_services->timeline().completedSerial() >= serial; }

HRESULT DeviceLink::rotate(const BackBuffers& buffers) const {
  const Entered entered(*m_services);
  std::vector<std::shared_ptr<resources::Texture>> memories;
  for (const auto& buffer : buffers) memories.push_back(m_services->textureOf(buffer.Get()));
  m_services->unbindTargets(buffers[0].Get());
  for (size_t i = 0; i < buffers.size(); i++) {
    const HRESULT result = m_services->replaceTexture(buffers[i].Get(), memories[(i + 1) % memories.size()]);
    if (FAILED(result)) return result;
  }
  return S_OK;
}

} // namespace monolith::dxgi
