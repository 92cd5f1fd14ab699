// SPDX-License-Identifier: MIT
/// @file
/// Where Direct3D objects and DXGI meet without including each other. d3d11/ asks the bridge for the DXGI faces of its
/// objects (IDXGIDevice, IDXGISurface, IDXGIResource) and for swap chains; dxgi/ installs the bridge when the library is
/// loaded, and reaches the device through DeviceServices. Without a bridge (unit tests) objects have no DXGI faces.
#pragma once

#include <dxgi1_6.h>
#include <d3d11_4.h>

#include <memory>

namespace monolith::commands {
class Timeline;
}
namespace monolith::resources {
class Texture;
}

namespace monolith::com {

/// A further face of an object: owned by the object, forwards IUnknown to it.
class Face {
public:
  virtual ~Face() = default;
  /// The interface pointer for `riid`, or null. Does not count.
  virtual IUnknown* query(REFIID riid) = 0;
};

/// What dxgi/ may ask of a device. Any thread unless stated.
class DeviceServices {
public:
  virtual ID3D11Device* device() = 0;
  virtual commands::Timeline& timeline() = 0;
  /// The context lock: hold it while recording into timeline().recorder() from a method that is not a context method.
  virtual void enter() = 0;
  virtual void leave() = 0;
  /// The memory behind a texture of this device.
  virtual std::shared_ptr<resources::Texture> textureOf(ID3D11Resource* resource) = 0;
  /// Replaces the memory (same description) behind a texture and its views, for flip-model buffer rotation. The
  /// context lock must be held; bindings are recorded anew with the next draw.
  virtual HRESULT replaceTexture(ID3D11Resource* resource, std::shared_ptr<resources::Texture> texture) = 0;
  /// CreateTexture2D for swap chain buffers: views may also take the sRGB or linear twin of the format.
  virtual HRESULT createBackBuffer(const D3D11_TEXTURE2D_DESC& desc, ID3D11Texture2D** texture) = 0;
  /// True if a view, a binding or anything else in the library holds the resource (the application's own references
  /// are its public count). ResizeBuffers refuses then.
  virtual bool referenced(ID3D11Resource* resource) = 0;
  /// Unbinds every view of the resource from the immediate context (flip-model Present unbinds back buffers).
  virtual void unbindTargets(ID3D11Resource* resource) = 0;
  /// The adapter given at creation, or null. No reference is added.
  virtual IDXGIAdapter* adapter() = 0;
  /// S_OK, or why the device was removed.
  virtual HRESULT removedReason() = 0;

protected:
  ~DeviceServices() = default;
};

/// Private interface by which dxgi/ recognises our devices: QueryInterface(kDeviceServicesId) gives DeviceServices* (as
/// void*, with a reference of the device added).
inline constexpr GUID kDeviceServicesId = {0x6c1f0e2b, 0x5a57, 0x4c0e, {0x9b, 0x51, 0x0f, 0x3d, 0x21, 0x8e, 0x77, 0x10}};

class DxgiBridge {
public:
  virtual ~DxgiBridge() = default;
  /// IDXGIDevice..4 of a device. `outer` is the device's own IUnknown. Null when out of memory.
  virtual std::unique_ptr<Face> deviceFace(IUnknown* outer, DeviceServices& device) = 0;
  /// IDXGISurface..2, IDXGIResource..1, IDXGIKeyedMutex of a resource; made when first asked for.
  virtual std::unique_ptr<Face> resourceFace(IUnknown* outer, ID3D11Resource* resource, DeviceServices& device) = 0;
  /// True if the adapter is one of ours.
  virtual bool ownsAdapter(IDXGIAdapter* adapter) = 0;
  /// The first adapter, with a reference (for devices created without one). Null on failure.
  virtual IDXGIAdapter* defaultAdapter() = 0;
  virtual HRESULT createSwapChain(ID3D11Device* device, const DXGI_SWAP_CHAIN_DESC& desc, IDXGISwapChain** chain) = 0;
};

/// Called once, before any device exists.
void installDxgiBridge(DxgiBridge* bridge);
/// Null if none is installed.
DxgiBridge* dxgiBridge();

} // namespace monolith::com
