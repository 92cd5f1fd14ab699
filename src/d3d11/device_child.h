// SPDX-License-Identifier: MIT
/// @file
/// The layer between com::Object and concrete objects of a device: GetDevice, private data, and the rule that an object
/// which the application holds keeps its device alive.
#pragma once

#include "com/object.h"
#include "com/private_data.h"

#include <d3d11_4.h>

#include <memory>

namespace monolith::commands {
class Timeline;
}

namespace monolith::d3d11 {

class Device;

// The few things that children need of a device, so that they need not include device.h.
ID3D11Device* deviceInterface(Device* device);
commands::Timeline& deviceTimeline(Device* device);
/// Delays the destruction of `object` until everything recorded so far has run. Any thread.
void retire(Device* device, std::shared_ptr<void> object);
/// A number that is unique in the process, never 0.
uint64_t nextObjectId();

template <typename List> class DeviceChild : public com::Object<List> {
public:
  explicit DeviceChild(Device* device) : m_device(device) {}

  void STDMETHODCALLTYPE GetDevice(ID3D11Device** device) final {
    if (!device)
      return;
    *device = deviceInterface(m_device);
    (*device)->AddRef();
  }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* size, void* data) final {
    return m_privateData.get(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT size, const void* data) final {
    if (!data && size != 0)
      return E_INVALIDARG;
    return m_privateData.set(guid, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) final {
    return m_privateData.setInterface(guid, object);
  }

  Device* device() const { return m_device; }
  const com::PrivateData& privateData() const { return m_privateData; }

protected:
  void holdOwner() final { deviceInterface(m_device)->AddRef(); }
  IUnknown* heldOwner() final { return deviceInterface(m_device); }

private:
  Device* m_device;
  com::PrivateData m_privateData;
};

} // namespace monolith::d3d11
