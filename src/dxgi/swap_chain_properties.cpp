// SPDX-License-Identifier: MIT
/// Everything of a swap chain that is set and asked for without presenting.
#include "base/log.h"
#include "dxgi/output.h"
#include "dxgi/swap_chain.h"

#include <cmath>
#include <cstring>

namespace monolith::dxgi {

HRESULT SwapChain::GetDesc1(DXGI_SWAP_CHAIN_DESC1* desc) {
  if (!desc) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  *desc = m_desc;
  return S_OK;
}

HRESULT SwapChain::GetDesc(DXGI_SWAP_CHAIN_DESC* desc) {
  if (!desc) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  std::memset(desc, 0, sizeof *desc);
  desc->BufferDesc.Width = m_desc.Width;
  desc->BufferDesc.Height = m_desc.Height;
  desc->BufferDesc.RefreshRate = m_fullscreenDesc.RefreshRate;
  desc->BufferDesc.Format = m_desc.Format;
  desc->BufferDesc.ScanlineOrdering = m_fullscreenDesc.ScanlineOrdering;
  desc->BufferDesc.Scaling = m_fullscreenDesc.Scaling;
  desc->SampleDesc = m_desc.SampleDesc;
  desc->BufferUsage = m_desc.BufferUsage;
  desc->BufferCount = m_desc.BufferCount;
  desc->OutputWindow = m_target.kind == SwapChainTarget::Window ? static_cast<HWND>(m_target.window) : nullptr;
  desc->Windowed = m_fullscreenDesc.Windowed;
  desc->SwapEffect = m_desc.SwapEffect;
  desc->Flags = m_desc.Flags;
  return S_OK;
}

HRESULT SwapChain::GetFullscreenDesc(DXGI_SWAP_CHAIN_FULLSCREEN_DESC* desc) {
  if (!desc) return E_INVALIDARG;
  if (m_target.kind != SwapChainTarget::Window) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  *desc = m_fullscreenDesc;
  return S_OK;
}

HRESULT SwapChain::GetHwnd(HWND* window) {
  if (!window) return E_INVALIDARG;
  *window = nullptr;
  if (m_target.kind != SwapChainTarget::Window) return DXGI_ERROR_INVALID_CALL;
  *window = static_cast<HWND>(m_target.window);
  return S_OK;
}

HRESULT SwapChain::GetCoreWindow(REFIID riid, void** window) {
  if (!window) return E_INVALIDARG;
  *window = nullptr;
  return m_coreWindow ? m_coreWindow.CopyTo(riid, window) : DXGI_ERROR_INVALID_CALL;
}

HRESULT SwapChain::SetFullscreenState(WINBOOL fullscreen, IDXGIOutput* target) {
  if (m_target.kind != SwapChainTarget::Window) return fullscreen ? DXGI_ERROR_NOT_CURRENTLY_AVAILABLE : S_OK;
  if (!fullscreen && target) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  if (!m_fullscreenDesc.Windowed == !!fullscreen) return S_OK;
  m_fullscreenDesc.Windowed = !fullscreen;
  m_surface->setFullscreen(fullscreen);
  return S_OK;
}

HRESULT SwapChain::GetFullscreenState(WINBOOL* fullscreen, IDXGIOutput** target) {
  const std::lock_guard lock(m_mutex);
  if (fullscreen) *fullscreen = !m_fullscreenDesc.Windowed;
  if (target) {
    *target = nullptr;
    if (!m_fullscreenDesc.Windowed) return GetContainingOutput(target);
  }
  return S_OK;
}

HRESULT SwapChain::ResizeTarget(const DXGI_MODE_DESC* mode) {
  if (!mode) return DXGI_ERROR_INVALID_CALL;
  // The window belongs to the program and its toolkit; resizing it from here would go behind their back.
  base::logOnce("IDXGISwapChain::ResizeTarget leaves the window's size to the program");
  return S_OK;
}

HRESULT SwapChain::GetContainingOutput(IDXGIOutput** output) {
  if (!output) return E_INVALIDARG;
  *output = nullptr;
  if (m_target.kind == SwapChainTarget::Composition) return DXGI_ERROR_UNSUPPORTED;
  Microsoft::WRL::ComPtr<IDXGIFactory1> factory;
  Microsoft::WRL::ComPtr<IDXGIAdapter1> adapter;
  HRESULT result = parentObject()->QueryInterface(IID_PPV_ARGS(factory.GetAddressOf()));
  if (SUCCEEDED(result)) result = factory->EnumAdapters1(0, adapter.GetAddressOf());
  return SUCCEEDED(result) ? adapter->EnumOutputs(0, output) : result;
}

WINBOOL SwapChain::IsTemporaryMonoSupported() { return FALSE; }

HRESULT SwapChain::GetRestrictToOutput(IDXGIOutput** output) {
  if (!output) return E_INVALIDARG;
  *output = nullptr;
  return S_OK;
}

HRESULT SwapChain::SetBackgroundColor(const DXGI_RGBA* color) {
  if (!color) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  m_background = *color;
  return S_OK;
}

HRESULT SwapChain::GetBackgroundColor(DXGI_RGBA* color) {
  if (!color) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  *color = m_background;
  return S_OK;
}

HRESULT SwapChain::SetRotation(DXGI_MODE_ROTATION rotation) {
  if (!flipModel() || rotation < DXGI_MODE_ROTATION_IDENTITY || rotation > DXGI_MODE_ROTATION_ROTATE270)
    return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  m_rotation = rotation;
  return S_OK;
}

HRESULT SwapChain::GetRotation(DXGI_MODE_ROTATION* rotation) {
  if (!rotation) return E_INVALIDARG;
  if (!flipModel()) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  *rotation = m_rotation;
  return S_OK;
}

HRESULT SwapChain::SetSourceSize(UINT width, UINT height) {
  const std::lock_guard lock(m_mutex);
  if (!flipModel() || !width || !height || width > m_desc.Width || height > m_desc.Height) return DXGI_ERROR_INVALID_CALL;
  m_sourceWidth = width;
  m_sourceHeight = height;
  return S_OK;
}

HRESULT SwapChain::GetSourceSize(UINT* width, UINT* height) {
  if (!width || !height) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  *width = m_sourceWidth;
  *height = m_sourceHeight;
  return S_OK;
}

HRESULT SwapChain::SetMaximumFrameLatency(UINT latency) {
  if (!(m_desc.Flags & DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT) || latency < 1 || latency > 16)
    return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  m_latency = latency;
  return S_OK;
}

HRESULT SwapChain::GetMaximumFrameLatency(UINT* latency) {
  if (!latency) return E_INVALIDARG;
  if (!(m_desc.Flags & DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT)) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  *latency = m_latency ? m_latency : 1;
  return S_OK;
}

HANDLE SwapChain::GetFrameLatencyWaitableObject() {
  base::logOnce("GetFrameLatencyWaitableObject: there are no event handles; Present itself waits");
  return nullptr;
}

HRESULT SwapChain::SetMatrixTransform(const DXGI_MATRIX_3X2_F* matrix) {
  if (!matrix || m_target.kind != SwapChainTarget::Composition) return DXGI_ERROR_INVALID_CALL;
  for (const float value : {matrix->_11, matrix->_12, matrix->_21, matrix->_22, matrix->_31, matrix->_32})
    if (!std::isfinite(value)) return E_INVALIDARG;
  if (matrix->_12 != 0 || matrix->_21 != 0) return E_INVALIDARG; // only scale and translation
  const std::lock_guard lock(m_mutex);
  m_matrix = *matrix;
  return S_OK;
}

HRESULT SwapChain::GetMatrixTransform(DXGI_MATRIX_3X2_F* matrix) {
  if (!matrix) return E_INVALIDARG;
  if (m_target.kind != SwapChainTarget::Composition) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(m_mutex);
  *matrix = m_matrix;
  return S_OK;
}

UINT SwapChain::GetCurrentBackBufferIndex() {
  const std::lock_guard lock(m_mutex);
  return m_backIndex;
}

HRESULT SwapChain::CheckColorSpaceSupport(DXGI_COLOR_SPACE_TYPE space, UINT* support) {
  if (!support) return E_INVALIDARG;
  const bool linear = m_desc.Format == DXGI_FORMAT_R16G16B16A16_FLOAT;
  const bool good = space == (linear ? DXGI_COLOR_SPACE_RGB_FULL_G10_NONE_P709 : DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709);
  *support = good ? DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT : 0;
  return S_OK;
}

HRESULT SwapChain::SetColorSpace1(DXGI_COLOR_SPACE_TYPE space) {
  UINT support = 0;
  CheckColorSpaceSupport(space, &support);
  return support ? S_OK : E_INVALIDARG;
}

HRESULT SwapChain::SetHDRMetaData(DXGI_HDR_METADATA_TYPE type, UINT size, void* data) {
  if (type == DXGI_HDR_METADATA_TYPE_NONE) return S_OK;
  if (type != DXGI_HDR_METADATA_TYPE_HDR10 || !data || size != sizeof(DXGI_HDR_METADATA_HDR10)) return E_INVALIDARG;
  base::logOnce("IDXGISwapChain4::SetHDRMetaData: the display is not HDR, the metadata has no effect");
  return S_OK;
}

} // namespace monolith::dxgi
