// SPDX-License-Identifier: MIT
/// @file
/// What a swap chain needs of a Direct3D 11 device, in one place: the only file pair of this room that looks into d3d11/.
#pragma once

#include "commands/timeline.h"
#include "resources/resource.h"

#include <d3d11.h>
#include <memory>
#include <wrl/client.h>

namespace monolith::dxgi {

class DeviceLink {
public:
  /// False when `device` is no Direct3D 11 device of ours.
  static bool from(IUnknown* device, DeviceLink& link);

  ID3D11Device* device() const { return m_device.Get(); }
  HRESULT createBackBuffer(UINT width, UINT height, DXGI_FORMAT format, DXGI_USAGE usage, ID3D11Texture2D** texture) const;
  /// Makes everything recorded visible in the texture's memory and returns it. Waits. API thread.
  std::shared_ptr<resources::Texture> finish(ID3D11Texture2D* texture) const;
  /// Publishes everything recorded; returns the serial.
  uint64_t flush() const;
  void waitFor(uint64_t serial) const;
  bool isComplete(uint64_t serial) const;
  /// Gives each texture the contents of the next one, the last those of the first, in stream order.
  void rotate(const Microsoft::WRL::ComPtr<ID3D11Texture2D>* textures, size_t count) const;
  HRESULT removedReason() const { return m_device->GetDeviceRemovedReason(); }
  /// True if somebody besides the swap chain refers to the texture: views, bindings, the application.
  static bool referenced(ID3D11Texture2D* texture);

private:
  Microsoft::WRL::ComPtr<ID3D11Device> m_device;
};

} // namespace monolith::dxgi
