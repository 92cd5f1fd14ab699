// SPDX-License-Identifier: MIT
/// @file
/// What a swap chain needs of a Direct3D 11 device, through com::DeviceServices.
#pragma once

#include "com/dxgi_bridge.h"
#include "resources/resource.h"

#include <d3d11.h>
#include <memory>
#include <vector>
#include <wrl/client.h>

namespace monolith::dxgi {

using BackBuffers = std::vector<Microsoft::WRL::ComPtr<ID3D11Texture2D>>;

class DeviceLink {
public:
  /// False when `device` is no Direct3D 11 device of ours. Holds a reference of the device.
  static bool from(IUnknown* device, DeviceLink& link);

  ID3D11Device* device() const { return m_device.Get(); }
  com::DeviceServices& services() const { return *m_services; }
  HRESULT createBackBuffer(const DXGI_SWAP_CHAIN_DESC1& desc, ID3D11Texture2D** texture) const;
  /// Executes everything recorded, pending clears of the texture included, and returns its memory.
  std::shared_ptr<resources::Texture> finish(ID3D11Texture2D* texture) const;
  /// Publishes everything recorded; returns its serial.
  uint64_t flush() const;
  void waitFor(uint64_t serial) const;
  bool isComplete(uint64_t serial) const;
  /// Flip models: each buffer gets the memory of the next one, the last that of the first; buffer 0 is unbound.
  HRESULT rotate(const BackBuffers& buffers) const;

private:
  Microsoft::WRL::ComPtr<ID3D11Device> m_device;
  com::DeviceServices* m_services = nullptr;
};

} // namespace monolith::dxgi
