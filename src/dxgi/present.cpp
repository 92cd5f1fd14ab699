// SPDX-License-Identifier: MIT
/// Presentation: pacing, window, capture.
#include "base/log.h"
#include "dxgi/output.h"
#include "dxgi/swap_chain.h"
#include "wsi/png.h"

#include <algorithm>
#include <cstdio>

namespace monolith::dxgi {
namespace {
constexpr UINT kMaxInterval = 4;
constexpr UINT kKnownFlags = DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART |
                             DXGI_PRESENT_DO_NOT_WAIT | DXGI_PRESENT_STEREO_PREFER_RIGHT |
                             DXGI_PRESENT_STEREO_TEMPORARY_MONO | DXGI_PRESENT_RESTRICT_TO_OUTPUT |
                             DXGI_PRESENT_USE_DURATION | DXGI_PRESENT_ALLOW_TEARING;
} // namespace

HRESULT SwapChain::checkPresent(UINT interval, UINT flags) const {
  if (interval > kMaxInterval || (flags & ~kKnownFlags)) return DXGI_ERROR_INVALID_CALL;
  if (flags & DXGI_PRESENT_ALLOW_TEARING)
    if (interval || !(m_desc.Flags & DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING)) return DXGI_ERROR_INVALID_CALL;
  return m_link.services().removedReason() == S_OK ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}

bool SwapChain::pace(UINT interval, UINT flags) {
  wsi::VblankClock& clock = displayClock();
  const UINT latency = std::max(1u, m_latency ? m_latency : deviceFrameLatency(m_link.device()));
  while (!m_inFlight.empty() && m_link.isComplete(m_inFlight.front())) m_inFlight.pop_front();
  const uint64_t now = clock.count();
  const uint64_t target = interval ? std::max(m_lastVblank + interval, now + 1) : std::max(m_lastVblank, now);
  // At most `latency` pictures are waiting, for execution or for their vblank.
  const uint64_t until = interval && target > now + latency ? target - latency : 0;
  if ((flags & DXGI_PRESENT_DO_NOT_WAIT) && (until || m_inFlight.size() >= latency)) return false;
  while (m_inFlight.size() >= latency) {
    m_link.waitFor(m_inFlight.front());
    m_inFlight.pop_front();
  }
  if (until) clock.waitFor(until);
  m_lastVblank = target;
  return true;
}

HRESULT SwapChain::show() {
  uint32_t width = 0, height = 0;
  const bool window = m_surface->size(width, height);
  if (!window && m_capturePrefix.empty()) {
    m_inFlight.push_back(m_link.flush());
    return S_OK;
  }
  ID3D11Texture2D* shown = m_buffers[0].Get();
  if (m_resolved) {
    Microsoft::WRL::ComPtr<ID3D11DeviceContext> context;
    m_link.device()->GetImmediateContext(context.GetAddressOf());
    context->ResolveSubresource(m_resolved.Get(), 0, shown, 0, m_desc.Format);
    shown = m_resolved.Get();
  }
  const auto memory = m_link.finish(shown);
  if (!memory) return E_OUTOFMEMORY;
  std::vector<uint8_t> pixels;
  toScreenPixels(*memory, m_desc.Format, m_sourceWidth, m_sourceHeight, pixels);
  const wsi::Picture picture = {pixels.data(), m_sourceWidth, m_sourceHeight, m_sourceWidth * 4};
  if (!m_capturePrefix.empty()) {
    char number[16];
    std::snprintf(number, sizeof number, "%06u.png", m_frames++);
    wsi::writePng(m_capturePrefix + number, picture);
  }
  if (window && !m_surface->show(picture)) base::logLine(base::LogLevel::Error, "swap chain: the window is gone");
  return S_OK;
}

HRESULT SwapChain::Present1(UINT interval, UINT flags, const DXGI_PRESENT_PARAMETERS* parameters) {
  if (!parameters) return DXGI_ERROR_INVALID_CALL;
  if (parameters->DirtyRectsCount && !parameters->pDirtyRects) return DXGI_ERROR_INVALID_CALL;
  // The whole buffer is handed over in any case, so that dirty and scroll rectangles save nothing here.
  return Present(interval, flags);
}

HRESULT SwapChain::Present(UINT interval, UINT flags) try {
  const std::lock_guard lock(m_mutex);
  const HRESULT checked = checkPresent(interval, flags);
  if (FAILED(checked)) return checked;
  const bool occluded = m_surface->occluded();
  if (flags & DXGI_PRESENT_TEST) return occluded ? DXGI_STATUS_OCCLUDED : S_OK;
  if (!pace(interval, flags)) return DXGI_ERROR_WAS_STILL_DRAWING;
  if (!(flags & DXGI_PRESENT_RESTART) || !occluded) {
    const HRESULT shown = show();
    if (FAILED(shown)) return shown;
  }
  m_presents++;
  if (flipModel() && !(flags & DXGI_PRESENT_DO_NOT_SEQUENCE)) {
    m_backIndex = (m_backIndex + 1) % m_desc.BufferCount;
    const HRESULT rotated = m_link.rotate(m_buffers);
    if (FAILED(rotated)) return rotated;
  }
  return occluded ? DXGI_STATUS_OCCLUDED : S_OK;
} catch (const std::bad_alloc&) {
  return E_OUTOFMEMORY;
}

HRESULT SwapChain::GetFrameStatistics(DXGI_FRAME_STATISTICS* statistics) {
  if (!statistics) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  // Blt models have statistics in full screen only.
  if (!flipModel() && m_fullscreenDesc.Windowed) return DXGI_ERROR_FRAME_STATISTICS_DISJOINT;
  wsi::VblankClock& clock = displayClock();
  const uint64_t now = clock.count();
  *statistics = {};
  statistics->PresentCount = m_presents;
  statistics->PresentRefreshCount = static_cast<UINT>(std::min(m_lastVblank, now));
  statistics->SyncRefreshCount = static_cast<UINT>(now);
  statistics->SyncQPCTime.QuadPart = static_cast<LONGLONG>(clock.timeOf(now));
  return S_OK;
}

HRESULT SwapChain::GetLastPresentCount(UINT* count) {
  if (!count) return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  *count = m_presents;
  return S_OK;
}

} // namespace monolith::dxgi
