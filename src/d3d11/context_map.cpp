// SPDX-License-Identifier: MIT
/// @file
/// Map and Unmap. Dynamic buffers are renamed on DISCARD: no wait, no command, earlier draws keep their version. Dynamic
/// textures are written through upload memory that Unmap copies in stream order. Staging resources wait for the commands
/// that use them.
#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/context.h"
#include "d3d11/guard.h"

#include <algorithm>
#include <new>

namespace monolith::d3d11 {

namespace {

bool reads(D3D11_MAP t) { return t == D3D11_MAP_READ || t == D3D11_MAP_READ_WRITE; }
bool writes(D3D11_MAP t) { return t != D3D11_MAP_READ; }

/// Type against usage and CPU access.
bool mapAllowed(const ResourceInfo& r, D3D11_MAP type, UINT flags) {
  if (type < D3D11_MAP_READ || type > D3D11_MAP_WRITE_NO_OVERWRITE || (flags & ~UINT(D3D11_MAP_FLAG_DO_NOT_WAIT)))
    return false;
  if (reads(type) && !(r.cpuAccess & D3D11_CPU_ACCESS_READ))
    return false;
  if (writes(type) && !(r.cpuAccess & D3D11_CPU_ACCESS_WRITE))
    return false;
  if (type == D3D11_MAP_WRITE_DISCARD || type == D3D11_MAP_WRITE_NO_OVERWRITE) {
    if (flags & D3D11_MAP_FLAG_DO_NOT_WAIT)
      return false;
    if (type == D3D11_MAP_WRITE_NO_OVERWRITE && !r.isBuffer())
      return false;
    return r.usage == D3D11_USAGE_DYNAMIC;
  }
  return r.usage != D3D11_USAGE_DYNAMIC;
}

HRESULT refuse(const char* why) {
  base::logOnce(why);
  return E_INVALIDARG;
}

} // namespace

HRESULT Context::waitFor(uint64_t serial, UINT flags) {
  if (m_timeline.completedSerial() >= serial)
    return S_OK;
  if (flags & D3D11_MAP_FLAG_DO_NOT_WAIT) {
    // Whoever polls must get there.
    if (serial >= m_timeline.recordingSerial())
      m_timeline.flush();
    return DXGI_ERROR_WAS_STILL_DRAWING;
  }
  m_timeline.wait(serial);
  return device()->GetDeviceRemovedReason() == S_OK ? S_OK : DXGI_ERROR_DEVICE_REMOVED;
}

HRESULT Context::mapBuffer(ResourceInfo& r, D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE* out) {
  uint8_t* data = r.buffer->current();
  if (type == D3D11_MAP_WRITE_DISCARD) {
    data = r.buffer->rename(m_timeline.completedSerial(), m_timeline.recordingSerial());
    if (!data)
      return E_OUTOFMEMORY;
    m_dirty |= r.boundGroups;
  } else if (type != D3D11_MAP_WRITE_NO_OVERWRITE) {
    // Bindings of mappable default buffers are not stamped one by one: everything recorded may use them.
    const uint64_t serial = r.usage == D3D11_USAGE_DEFAULT ? m_timeline.recordingSerial()
                            : writes(type)                 ? r.lastUse
                                                           : r.lastWrite;
    if (HRESULT hr = waitFor(serial, flags); FAILED(hr))
      return hr;
  }
  out->pData = data;
  out->RowPitch = r.width;
  out->DepthPitch = r.width;
  return S_OK;
}

HRESULT Context::mapDynamicTexture(ResourceInfo& r, UINT subresource, D3D11_MAPPED_SUBRESOURCE* out) {
  const formats::FormatInfo& f = formats::info(r.format);
  const uint32_t mip = subresource % r.mips;
  const uint64_t rowPitch = (formats::rowBytes(f, r.mipWidth(mip)) + 15) & ~uint64_t(15);
  const uint64_t slicePitch = rowPitch * formats::blockRows(f, r.mipHeight(mip));
  const uint64_t size = slicePitch * r.mipDepth(mip);
  auto& blocks = *r.uploads;
  const uint64_t done = m_timeline.completedSerial();
  size_t i = 0;
  while (i < blocks.size() && (blocks[i].busy || blocks[i].serial > done || blocks[i].memory.size() < size))
    i++;
  if (i == blocks.size()) {
    UploadBlock block;
    block.memory = resources::Memory::allocate(size);
    if (!block.memory)
      return E_OUTOFMEMORY;
    blocks.push_back(std::move(block));
  }
  blocks[i].busy = true;
  r.maps[subresource].block = static_cast<int>(i);
  out->pData = blocks[i].memory.data();
  out->RowPitch = static_cast<UINT>(rowPitch);
  out->DepthPitch = static_cast<UINT>(slicePitch);
  return S_OK;
}

HRESULT Context::mapTexture(ResourceInfo& r, UINT subresource, D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE* out) {
  if (type == D3D11_MAP_WRITE_DISCARD)
    return mapDynamicTexture(r, subresource, out);
  if (HRESULT hr = waitFor(writes(type) ? r.lastUse : r.lastWrite, flags); FAILED(hr))
    return hr;
  const uint32_t mip = subresource % r.mips, layer = subresource / r.mips;
  out->pData = r.texture->address(mip, layer);
  out->RowPitch = r.texture->layout().rowPitch[mip];
  out->DepthPitch = r.texture->layout().slicePitch[mip];
  return S_OK;
}

HRESULT STDMETHODCALLTYPE Context::Map(ID3D11Resource* resource, UINT subresource, D3D11_MAP type, UINT flags,
                                       D3D11_MAPPED_SUBRESOURCE* out) {
  const ContextLock lock(m_lock);
  ResourceInfo* r = infoOf(resource, device());
  D3D11_MAPPED_SUBRESOURCE mapped{};
  if (out)
    *out = mapped;
  if (!r || subresource >= r->subresources() || base::raw(type) < D3D11_MAP_READ || base::raw(type) > D3D11_MAP_WRITE_NO_OVERWRITE)
    return E_INVALIDARG;
  if (r->maps.empty() || !mapAllowed(*r, type, flags))
    return refuse("Map: the type is not allowed for the resource's usage and CPU access");
  MapState& m = r->maps[subresource];
  if (m.mapped)
    return refuse("Map: the subresource is mapped already");
  const bool noPointer = !out;
  if (noPointer && (r->isBuffer() || r->usage != D3D11_USAGE_DEFAULT))
    return E_INVALIDARG;
  const HRESULT hr = guarded([&] {
    return r->isBuffer() ? mapBuffer(*r, type, flags, &mapped) : mapTexture(*r, subresource, type, flags, &mapped);
  });
  if (FAILED(hr))
    return hr;
  m.mapped = true;
  m.noPointer = noPointer;
  m.type = type;
  r->mappedCount++;
  if (out)
    *out = mapped;
  return S_OK;
}

void STDMETHODCALLTYPE Context::Unmap(ID3D11Resource* resource, UINT subresource) {
  const ContextLock lock(m_lock);
  ResourceInfo* r = infoOf(resource, device());
  if (!r || subresource >= r->maps.size() || !r->maps[subresource].mapped)
    return;
  MapState& m = r->maps[subresource];
  m.mapped = false;
  r->mappedCount--;
  if (m.block < 0)
    return;
  UploadBlock& block = (*r->uploads)[static_cast<size_t>(m.block)];
  m.block = -1;
  block.busy = false;
  try {
    const uint32_t mip = subresource % r->mips;
    const formats::FormatInfo& f = formats::info(r->format);
    auto* c = m_recorder.push<commands::UpdateTexture>();
    c->dest = r->texture.get();
    c->source = block.memory.data();
    c->rowPitch = (formats::rowBytes(f, r->mipWidth(mip)) + 15) & ~uint64_t(15);
    c->slicePitch = c->rowPitch * formats::blockRows(f, r->mipHeight(mip));
    c->region = {mip, subresource / r->mips, 0, 0, 0, r->mipWidth(mip), r->mipHeight(mip), r->mipDepth(mip)};
    block.serial = m_timeline.recordingSerial();
  } catch (const std::bad_alloc&) {
    device()->remove(DXGI_ERROR_DRIVER_INTERNAL_ERROR);
  }
}

} // namespace monolith::d3d11
