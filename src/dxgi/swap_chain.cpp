// SPDX-License-Identifier: MIT
#include "dxgi/swap_chain.h"

#include "base/log.h"
#include "base/options.h"
#include "base/raw_enum.h"
#include "dxgi/output.h"

#include <atomic>
#include <cstdio>
#include <new>
#include <sys/stat.h>

namespace monolith::dxgi {
namespace {

constexpr UINT kMaxSize = D3D11_REQ_TEXTURE2D_U_OR_V_DIMENSION;

bool isFlip(const DXGI_SWAP_EFFECT& given) {
  const uint32_t effect = base::raw(given);
  return effect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL || effect == DXGI_SWAP_EFFECT_FLIP_DISCARD;
}

/// Formats that a screen can take; flip models lack the sRGB ones (their views are cast instead).
bool formatAllowed(const DXGI_FORMAT& format, bool flip) {
  switch (base::raw(format)) {
  case DXGI_FORMAT_R8G8B8A8_UNORM:
  case DXGI_FORMAT_B8G8R8A8_UNORM:
  case DXGI_FORMAT_R10G10B10A2_UNORM:
  case DXGI_FORMAT_R16G16B16A16_FLOAT:
    return true;
  case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB:
  case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
    return !flip;
  }
  return false;
}

HRESULT reject(const char* why) {
  base::logLine(base::LogLevel::Error, "swap chain: %s", why);
  return DXGI_ERROR_INVALID_CALL;
}

HRESULT checkDesc(ID3D11Device* device, const SwapChainTarget& target, const DXGI_SWAP_CHAIN_DESC1& desc) {
  const bool flip = isFlip(desc.SwapEffect);
  if (base::raw(desc.SwapEffect) > DXGI_SWAP_EFFECT_FLIP_DISCARD || base::raw(desc.SwapEffect) == 2)
    return reject("SwapEffect is no DXGI_SWAP_EFFECT");
  if (desc.BufferCount > DXGI_MAX_SWAP_CHAIN_BUFFERS || desc.BufferCount < (flip ? 2u : 1u))
    return reject(flip ? "BufferCount must be 2 to 16 for flip models" : "BufferCount must be 1 to 16");
  if (!formatAllowed(desc.Format, flip)) return reject("Format cannot be presented with this SwapEffect");
  if (desc.SampleDesc.Count == 0) return reject("SampleDesc.Count is 0");
  if (flip && (desc.SampleDesc.Count != 1 || desc.SampleDesc.Quality != 0))
    return reject("flip models need SampleDesc.Count 1 and Quality 0");
  UINT levels = desc.SampleDesc.Count == 1 ? 1 : 0;
  if (!levels) device->CheckMultisampleQualityLevels(desc.Format, desc.SampleDesc.Count, &levels);
  if (desc.SampleDesc.Quality >= levels) return reject("SampleDesc is not supported with this Format");
  if (desc.Stereo) return reject("Stereo is not available");
  if (desc.Width > kMaxSize || desc.Height > kMaxSize) return reject("Width or Height is over 16384");
  if (base::raw(desc.Scaling) > DXGI_SCALING_ASPECT_RATIO_STRETCH) return reject("Scaling is no DXGI_SCALING");
  if (base::raw(desc.AlphaMode) > DXGI_ALPHA_MODE_IGNORE) return reject("AlphaMode is no DXGI_ALPHA_MODE");
  if (target.kind == SwapChainTarget::Composition) {
    if (!flip) return reject("CreateSwapChainForComposition needs a flip model");
    if (!desc.Width || !desc.Height) return reject("CreateSwapChainForComposition needs a Width and a Height");
    if (desc.Scaling != DXGI_SCALING_STRETCH) return reject("CreateSwapChainForComposition needs DXGI_SCALING_STRETCH");
  }
  if (target.kind == SwapChainTarget::Window && !wsi::windowIsValid(target.window))
    return reject("the window handle is no SDL_Window*");
  return S_OK;
}

std::string capturePrefix() {
  const char* folder = base::optionText(base::Option::CAPTURE);
  if (!*folder) return {};
  static std::atomic<unsigned> chains = 0;
  const unsigned chain = chains++;
  ::mkdir(folder, 0777); // may be there already
  const std::string base = std::string(folder) + "/";
  return chain ? base + "chain" + std::to_string(chain) + "_frame" : base + "frame";
}

} // namespace

HRESULT SwapChain::create(IUnknown* factory, IUnknown* device, const SwapChainTarget& target,
                          const DXGI_SWAP_CHAIN_DESC1& given, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen,
                          IDXGIOutput* restrictToOutput, IDXGISwapChain1** chain) {
  *chain = nullptr;
  DeviceLink link;
  if (!DeviceLink::from(device, link)) return reject("pDevice is no Direct3D 11 device");
  if (restrictToOutput) base::logOnce("swap chain: pRestrictToOutput has no effect with a single output");
  HRESULT result = checkDesc(link.device(), target, given);
  if (FAILED(result)) return result;
  DXGI_SWAP_CHAIN_DESC1 desc = given;
  auto surface = wsi::createSurface(target.kind == SwapChainTarget::Window ? target.window : nullptr);
  uint32_t width = 0, height = 0;
  if (!surface->size(width, height)) {
    const wsi::DisplayMode display = wsi::primaryDisplay();
    width = display.width;
    height = display.height;
  }
  if (!desc.Width) desc.Width = width ? width : 8;
  if (!desc.Height) desc.Height = height ? height : 8;
  DXGI_SWAP_CHAIN_FULLSCREEN_DESC full = {};
  full.Windowed = TRUE;
  if (fullscreen) full = *fullscreen;
  auto* created = new (std::nothrow) SwapChain(factory, std::move(link), target, desc, full, std::move(surface));
  if (!created) return E_OUTOFMEMORY;
  created->AddRef();
  result = created->createBuffers();
  if (FAILED(result)) {
    created->Release();
    return result;
  }
  *chain = created;
  return S_OK;
}

SwapChain::SwapChain(IUnknown* factory, DeviceLink link, const SwapChainTarget& target,
                     const DXGI_SWAP_CHAIN_DESC1& desc, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC& fullscreen,
                     std::unique_ptr<wsi::Surface> surface)
    : DxgiObject(factory), m_link(std::move(link)), m_target(target), m_desc(desc), m_fullscreenDesc(fullscreen),
      m_surface(std::move(surface)), m_capturePrefix(capturePrefix()), m_sourceWidth(desc.Width),
      m_sourceHeight(desc.Height) {
  if (target.kind == SwapChainTarget::CoreWindow) m_coreWindow = static_cast<IUnknown*>(target.window);
  if (!m_fullscreenDesc.Windowed) m_surface->setFullscreen(true);
}

SwapChain::~SwapChain() = default;

bool SwapChain::flipModel() const { return isFlip(m_desc.SwapEffect); }

HRESULT SwapChain::createBuffers() {
  BackBuffers buffers;
  for (UINT i = 0; i < m_desc.BufferCount; i++) {
    Microsoft::WRL::ComPtr<ID3D11Texture2D> texture;
    const HRESULT result = m_link.createBackBuffer(m_desc, texture.GetAddressOf());
    if (FAILED(result)) return result;
    buffers.push_back(std::move(texture));
  }
  Microsoft::WRL::ComPtr<ID3D11Texture2D> resolved;
  if (m_desc.SampleDesc.Count > 1) {
    DXGI_SWAP_CHAIN_DESC1 plain = m_desc;
    plain.SampleDesc = {1, 0};
    const HRESULT result = m_link.createBackBuffer(plain, resolved.GetAddressOf());
    if (FAILED(result)) return result;
  }
  m_buffers = std::move(buffers);
  m_resolved = std::move(resolved);
  m_backIndex = 0;
  return S_OK;
}

HRESULT SwapChain::GetDevice(REFIID riid, void** device) {
  if (!device) return DXGI_ERROR_INVALID_CALL;
  return m_link.device()->QueryInterface(riid, device);
}

HRESULT SwapChain::GetBuffer(UINT index, REFIID riid, void** surface) {
  if (!surface) return DXGI_ERROR_INVALID_CALL;
  *surface = nullptr;
  const std::lock_guard lock(m_mutex);
  // With DISCARD only buffer 0 means anything.
  if (index >= m_buffers.size() || (index && m_desc.SwapEffect == DXGI_SWAP_EFFECT_DISCARD))
    return DXGI_ERROR_INVALID_CALL;
  return m_buffers[index]->QueryInterface(riid, surface);
}

HRESULT SwapChain::ResizeBuffers(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags) {
  const std::lock_guard lock(m_mutex);
  DXGI_SWAP_CHAIN_DESC1 desc = m_desc;
  if (count) desc.BufferCount = count;
  if (format != DXGI_FORMAT_UNKNOWN) desc.Format = format;
  uint32_t windowWidth = desc.Width, windowHeight = desc.Height;
  m_surface->size(windowWidth, windowHeight);
  desc.Width = width ? width : windowWidth;
  desc.Height = height ? height : windowHeight;
  desc.Flags = flags;
  const HRESULT checked = checkDesc(m_link.device(), m_target, desc);
  if (FAILED(checked)) return checked;
  for (auto& buffer : m_buffers) {
    // The array holds one reference; views and bindings hold private ones.
    buffer->AddRef();
    if (buffer->Release() != 1 || m_link.services().referenced(buffer.Get()))
      return reject("ResizeBuffers: a back buffer is still referenced; release its views and unbind them first");
  }
  const DXGI_SWAP_CHAIN_DESC1 old = m_desc;
  BackBuffers before;
  before.swap(m_buffers);
  m_desc = desc;
  const HRESULT result = createBuffers();
  if (FAILED(result)) {
    m_desc = old;
    m_buffers.swap(before);
    return result;
  }
  m_sourceWidth = desc.Width;
  m_sourceHeight = desc.Height;
  return S_OK;
}

HRESULT SwapChain::ResizeBuffers1(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags, const UINT*,
                                  IUnknown* const*) {
  return ResizeBuffers(count, width, height, format, flags);
}

} // namespace monolith::dxgi
