// SPDX-License-Identifier: MIT
/// @file
/// IDXGISwapChain to IDXGISwapChain4, blt and flip models. Buffer 0 is always the one to draw into. A present schedules
/// the picture to a vblank of the display clock and hands it to the window system and to the capture; without either, no
/// pixel is touched.
#pragma once

#include "dxgi/device_link.h"
#include "dxgi/dxgi_object.h"
#include "wsi/surface.h"

#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace monolith::dxgi {

struct SwapChainTarget {
  enum Kind { Window, CoreWindow, Composition } kind;
  void* window; ///< HWND (SDL_Window*), IUnknown* or null.
};

using SwapChainInterfaces = com::Interfaces<IDXGISwapChain4, IDXGISwapChain3, IDXGISwapChain2, IDXGISwapChain1,
                                            IDXGISwapChain, IDXGIDeviceSubObject, IDXGIObject>;

class SwapChain final : public DxgiObject<SwapChainInterfaces> {
public:
  /// Checks everything (DXGI_ERROR_INVALID_CALL, E_INVALIDARG, DXGI_ERROR_UNSUPPORTED as on Windows).
  static HRESULT create(IUnknown* factory, IUnknown* device, const SwapChainTarget& target,
                        const DXGI_SWAP_CHAIN_DESC1& desc, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen,
                        IDXGIOutput* restrictToOutput, IDXGISwapChain1** chain);
  SwapChain(IUnknown* factory, DeviceLink link, const SwapChainTarget& target, const DXGI_SWAP_CHAIN_DESC1& desc,
            const DXGI_SWAP_CHAIN_FULLSCREEN_DESC& fullscreen, std::unique_ptr<wsi::Surface> surface);
  ~SwapChain() override;

  HRESULT STDMETHODCALLTYPE GetDevice(REFIID riid, void** device) override;
  HRESULT STDMETHODCALLTYPE Present(UINT interval, UINT flags) override;
  HRESULT STDMETHODCALLTYPE GetBuffer(UINT index, REFIID riid, void** surface) override;
  HRESULT STDMETHODCALLTYPE SetFullscreenState(WINBOOL fullscreen, IDXGIOutput* target) override;
  HRESULT STDMETHODCALLTYPE GetFullscreenState(WINBOOL* fullscreen, IDXGIOutput** target) override;
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_SWAP_CHAIN_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE ResizeBuffers(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags) override;
  HRESULT STDMETHODCALLTYPE ResizeTarget(const DXGI_MODE_DESC* mode) override;
  HRESULT STDMETHODCALLTYPE GetContainingOutput(IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) override;
  HRESULT STDMETHODCALLTYPE GetLastPresentCount(UINT* count) override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_SWAP_CHAIN_DESC1* desc) override;
  HRESULT STDMETHODCALLTYPE GetFullscreenDesc(DXGI_SWAP_CHAIN_FULLSCREEN_DESC* desc) override;
  HRESULT STDMETHODCALLTYPE GetHwnd(HWND* window) override;
  HRESULT STDMETHODCALLTYPE GetCoreWindow(REFIID riid, void** window) override;
  HRESULT STDMETHODCALLTYPE Present1(UINT interval, UINT flags, const DXGI_PRESENT_PARAMETERS* parameters) override;
  WINBOOL STDMETHODCALLTYPE IsTemporaryMonoSupported() override;
  HRESULT STDMETHODCALLTYPE GetRestrictToOutput(IDXGIOutput** output) override;
  HRESULT STDMETHODCALLTYPE SetBackgroundColor(const DXGI_RGBA* color) override;
  HRESULT STDMETHODCALLTYPE GetBackgroundColor(DXGI_RGBA* color) override;
  HRESULT STDMETHODCALLTYPE SetRotation(DXGI_MODE_ROTATION rotation) override;
  HRESULT STDMETHODCALLTYPE GetRotation(DXGI_MODE_ROTATION* rotation) override;
  HRESULT STDMETHODCALLTYPE SetSourceSize(UINT width, UINT height) override;
  HRESULT STDMETHODCALLTYPE GetSourceSize(UINT* width, UINT* height) override;
  HRESULT STDMETHODCALLTYPE SetMaximumFrameLatency(UINT latency) override;
  HRESULT STDMETHODCALLTYPE GetMaximumFrameLatency(UINT* latency) override;
  HANDLE STDMETHODCALLTYPE GetFrameLatencyWaitableObject() override;
  HRESULT STDMETHODCALLTYPE SetMatrixTransform(const DXGI_MATRIX_3X2_F* matrix) override;
  HRESULT STDMETHODCALLTYPE GetMatrixTransform(DXGI_MATRIX_3X2_F* matrix) override;
  UINT STDMETHODCALLTYPE GetCurrentBackBufferIndex() override;
  HRESULT STDMETHODCALLTYPE CheckColorSpaceSupport(DXGI_COLOR_SPACE_TYPE space, UINT* support) override;
  HRESULT STDMETHODCALLTYPE SetColorSpace1(DXGI_COLOR_SPACE_TYPE space) override;
  HRESULT STDMETHODCALLTYPE ResizeBuffers1(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags,
                                           const UINT* nodes, IUnknown* const* queues) override;
  HRESULT STDMETHODCALLTYPE SetHDRMetaData(DXGI_HDR_METADATA_TYPE type, UINT size, void* data) override;

protected:
  const char* className() const override { return "IDXGISwapChain"; }

private:
  bool flipModel() const;
  HRESULT createBuffers();
  HRESULT checkPresent(UINT interval, UINT flags) const;
  /// Hands the picture in buffer 0 to window and capture.
  HRESULT show();
  /// Waits as the sync interval and the frame latency want; false: DXGI_PRESENT_DO_NOT_WAIT would have to wait.
  bool pace(UINT interval, UINT flags);

  mutable std::mutex m_mutex;
  DeviceLink m_link;
  SwapChainTarget m_target;
  DXGI_SWAP_CHAIN_DESC1 m_desc;
  DXGI_SWAP_CHAIN_FULLSCREEN_DESC m_fullscreenDesc;
  Microsoft::WRL::ComPtr<IUnknown> m_coreWindow;
  std::unique_ptr<wsi::Surface> m_surface;
  std::vector<Microsoft::WRL::ComPtr<ID3D11Texture2D>> m_buffers;
  Microsoft::WRL::ComPtr<ID3D11Texture2D> m_resolved; ///< What is shown, if buffers have several samples.
  std::string m_capturePrefix; ///< Empty: no capture.
  DXGI_RGBA m_background = {};
  DXGI_MATRIX_3X2_F m_matrix = {1, 0, 0, 1, 0, 0};
  DXGI_MODE_ROTATION m_rotation = DXGI_MODE_ROTATION_IDENTITY;
  UINT m_sourceWidth = 0, m_sourceHeight = 0;
  UINT m_latency = 0;          ///< 0: the device's.
  UINT m_presents = 0;         ///< GetLastPresentCount.
  UINT m_frames = 0;           ///< Names of captured files.
  UINT m_backIndex = 0;
  uint64_t m_lastVblank = 0;   ///< That the newest picture is scheduled to.
  std::deque<uint64_t> m_inFlight; ///< Serials of frames that may still execute.
};

/// Converts a finished back buffer to 8-bit RGBA as a screen shows it. `rgba` is resized.
void toScreenPixels(const resources::Texture& texture, DXGI_FORMAT format, UINT width, UINT height,
                    std::vector<uint8_t>& rgba);
/// IDXGIDevice1::SetMaximumFrameLatency of a device; default 3.
UINT deviceFrameLatency(ID3D11Device* device);

} // namespace monolith::dxgi
