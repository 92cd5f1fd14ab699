// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "d3d11/context.h"
#include "d3d11/guard.h"

namespace monolith::d3d11 {

Context::Context(Device* device)
    : DeviceChild(device), m_timeline(device->timeline()), m_recorder(device->timeline().recorder()),
      m_lock(device->lock()), m_state(std::make_unique<Pipeline>()) {}

Context::~Context() = default;

IUnknown* Context::queryFace(REFIID riid) {
  if (riid == __uuidof(ID3D11Multithread))
    return &m_multithread;
  if (riid == __uuidof(ID3DUserDefinedAnnotation))
    return &m_annotation;
  return nullptr;
}

void STDMETHODCALLTYPE Context::ClearState() {
  const ContextLock lock(m_lock);
  guarded([&] {
    // Built aside so that objects die after the new state is in place.
    auto fresh = std::make_unique<Pipeline>();
    m_state.swap(fresh);
    m_dirty = kGroupAll;
    m_predicated = false;
    return S_OK;
  });
}

void STDMETHODCALLTYPE Context::Flush() {
  const ContextLock lock(m_lock);
  guarded([&] {
    m_timeline.flush();
    return S_OK;
  });
}

void STDMETHODCALLTYPE Context::Flush1(D3D11_CONTEXT_TYPE, HANDLE event) {
  if (event)
    base::logOnce("Flush1: events are not built");
  Flush();
}

D3D11_DEVICE_CONTEXT_TYPE STDMETHODCALLTYPE Context::GetType() { return D3D11_DEVICE_CONTEXT_IMMEDIATE; }
UINT STDMETHODCALLTYPE Context::GetContextFlags() { return 0; }

HRESULT STDMETHODCALLTYPE Context::FinishCommandList(WINBOOL, ID3D11CommandList** out) {
  if (out)
    *out = nullptr;
  return DXGI_ERROR_INVALID_CALL; // immediate contexts make no command lists
}
void STDMETHODCALLTYPE Context::ExecuteCommandList(ID3D11CommandList*, WINBOOL) {
  base::logOnce("command lists are not built");
}

void STDMETHODCALLTYPE Context::SwapDeviceContextState(ID3DDeviceContextState* next, ID3DDeviceContextState** previous) {
  const ContextLock lock(m_lock);
  if (previous)
    *previous = nullptr;
  guarded([&] {
    if (!m_contextState)
      m_contextState = com::PrivateRef<ContextState>(new ContextState(device(), nullptr));
    com::handOut(m_contextState.get(), previous);
    auto* state = ours(static_cast<ContextState*>(next));
    if (!state || state == m_contextState.get())
      return S_OK;
    m_contextState->pipeline() = std::move(m_state);
    m_state = std::move(state->pipeline());
    m_contextState.set(state);
    m_dirty = kGroupAll;
    m_predicated = static_cast<bool>(m_state->predicate);
    return S_OK;
  });
}

// ---- not built ------------------------------------------------------------------------------------------------------

HRESULT STDMETHODCALLTYPE Context::UpdateTileMappings(ID3D11Resource*, UINT, const D3D11_TILED_RESOURCE_COORDINATE*,
                                                      const D3D11_TILE_REGION_SIZE*, ID3D11Buffer*, UINT, const UINT*,
                                                      const UINT*, const UINT*, UINT) {
  base::logOnce("tiled resources are not built");
  return E_NOTIMPL;
}
HRESULT STDMETHODCALLTYPE Context::CopyTileMappings(ID3D11Resource*, const D3D11_TILED_RESOURCE_COORDINATE*,
                                                    ID3D11Resource*, const D3D11_TILED_RESOURCE_COORDINATE*,
                                                    const D3D11_TILE_REGION_SIZE*, UINT) {
  base::logOnce("tiled resources are not built");
  return E_NOTIMPL;
}
void STDMETHODCALLTYPE Context::CopyTiles(ID3D11Resource*, const D3D11_TILED_RESOURCE_COORDINATE*,
                                          const D3D11_TILE_REGION_SIZE*, ID3D11Buffer*, UINT64, UINT) {
  base::logOnce("tiled resources are not built");
}
void STDMETHODCALLTYPE Context::UpdateTiles(ID3D11Resource*, const D3D11_TILED_RESOURCE_COORDINATE*,
                                            const D3D11_TILE_REGION_SIZE*, const void*, UINT) {
  base::logOnce("tiled resources are not built");
}
HRESULT STDMETHODCALLTYPE Context::ResizeTilePool(ID3D11Buffer*, UINT64) {
  base::logOnce("tiled resources are not built");
  return E_NOTIMPL;
}
void STDMETHODCALLTYPE Context::TiledResourceBarrier(ID3D11DeviceChild*, ID3D11DeviceChild*) {}

WINBOOL STDMETHODCALLTYPE Context::IsAnnotationEnabled() { return FALSE; }
void STDMETHODCALLTYPE Context::SetMarkerInt(const WCHAR*, int) {}
void STDMETHODCALLTYPE Context::BeginEventInt(const WCHAR*, int) {}
void STDMETHODCALLTYPE Context::EndEvent() {}

void STDMETHODCALLTYPE Context::SetHardwareProtectionState(WINBOOL) {}
void STDMETHODCALLTYPE Context::GetHardwareProtectionState(WINBOOL* enable) {
  if (enable)
    *enable = FALSE;
}
HRESULT STDMETHODCALLTYPE Context::Signal(ID3D11Fence*, UINT64) {
  base::logOnce("fences are not built");
  return E_NOTIMPL;
}
HRESULT STDMETHODCALLTYPE Context::Wait(ID3D11Fence*, UINT64) {
  base::logOnce("fences are not built");
  return E_NOTIMPL;
}

// ---- device methods that belong here --------------------------------------------------------------------------------

HRESULT STDMETHODCALLTYPE Device::CreateDeviceContextState(UINT flags, const D3D_FEATURE_LEVEL* levels, UINT count,
                                                           UINT sdkVersion, REFIID emulated, D3D_FEATURE_LEVEL* chosen,
                                                           ID3DDeviceContextState** out) {
  if (out)
    *out = nullptr;
  if (chosen)
    *chosen = static_cast<D3D_FEATURE_LEVEL>(0);
  if (!levels || !count || sdkVersion != D3D11_SDK_VERSION ||
      (flags & ~UINT(D3D11_1_CREATE_DEVICE_CONTEXT_STATE_SINGLETHREADED)))
    return E_INVALIDARG;
  if (singleThreaded() && !(flags & D3D11_1_CREATE_DEVICE_CONTEXT_STATE_SINGLETHREADED))
    return E_INVALIDARG;
  if (emulated != __uuidof(ID3D11Device) && emulated != __uuidof(ID3D11Device1)) {
    base::logOnce("CreateDeviceContextState: only Direct3D 11 interfaces are built");
    return E_INVALIDARG;
  }
  for (UINT i = 0; i < count; i++) {
    if (levels[i] > level() || levels[i] < D3D_FEATURE_LEVEL_9_1)
      continue;
    if (chosen)
      *chosen = levels[i];
    if (!out)
      return S_FALSE;
    return guarded([&] {
      com::handOut(new ContextState(this, std::make_unique<Pipeline>()), out);
      return S_OK;
    });
  }
  return E_INVALIDARG;
}

namespace {
/// The part of a texture mapped without a pointer that a box names; null when the call is to be ignored.
uint8_t* mappedBox(ResourceInfo* r, UINT subresource, const D3D11_BOX* box, D3D11_BOX& out) {
  if (!r || r->isBuffer() || subresource >= r->maps.size() || !r->maps[subresource].mapped)
    return nullptr;
  const uint32_t mip = subresource % r->mips;
  out = box ? *box : D3D11_BOX{0, 0, 0, r->mipWidth(mip), r->mipHeight(mip), r->mipDepth(mip)};
  const formats::FormatInfo& f = formats::info(r->format);
  if (out.left >= out.right || out.top >= out.bottom || out.front >= out.back || out.right > r->mipWidth(mip) ||
      out.bottom > r->mipHeight(mip) || out.back > r->mipDepth(mip) || out.left % f.blockWidth || out.top % f.blockHeight)
    return nullptr;
  return r->texture->address(mip, subresource / r->mips, out.front) +
         uint64_t(out.top / f.blockHeight) * r->texture->layout().rowPitch[mip] +
         uint64_t(out.left / f.blockWidth) * f.bytesPerBlock;
}
template <typename Copy> void forRows(const ResourceInfo& r, UINT subresource, const D3D11_BOX& box, Copy&& copy) {
  const uint32_t mip = subresource % r.mips;
  const formats::FormatInfo& f = formats::info(r.format);
  const uint64_t bytes = formats::rowBytes(f, box.right - box.left);
  const uint32_t rows = formats::blockRows(f, box.bottom - box.top);
  for (uint32_t z = 0; z < box.back - box.front; z++)
    for (uint32_t y = 0; y < rows; y++)
      copy(z * uint64_t(r.texture->layout().slicePitch[mip]) + y * uint64_t(r.texture->layout().rowPitch[mip]), z, y, bytes);
}
} // namespace

void STDMETHODCALLTYPE Device::WriteToSubresource(ID3D11Resource* dest, UINT subresource, const D3D11_BOX* box,
                                                  const void* source, UINT rowPitch, UINT slicePitch) {
  ResourceInfo* r = infoOf(dest, this);
  D3D11_BOX b;
  uint8_t* memory = mappedBox(r, subresource, box, b);
  if (!memory || !source || r->maps[subresource].type == D3D11_MAP_READ)
    return;
  forRows(*r, subresource, b, [&](uint64_t offset, uint64_t z, uint64_t y, uint64_t bytes) {
    memcpy(memory + offset, static_cast<const uint8_t*>(source) + z * slicePitch + y * rowPitch, bytes);
  });
}
void STDMETHODCALLTYPE Device::ReadFromSubresource(void* dest, UINT rowPitch, UINT slicePitch, ID3D11Resource* source,
                                                   UINT subresource, const D3D11_BOX* box) {
  ResourceInfo* r = infoOf(source, this);
  D3D11_BOX b;
  const uint8_t* memory = mappedBox(r, subresource, box, b);
  if (!memory || !dest)
    return;
  forRows(*r, subresource, b, [&](uint64_t offset, uint64_t z, uint64_t y, uint64_t bytes) {
    memcpy(static_cast<uint8_t*>(dest) + z * slicePitch + y * rowPitch, memory + offset, bytes);
  });
}

} // namespace monolith::d3d11
