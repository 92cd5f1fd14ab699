// SPDX-License-Identifier: MIT
#include "d3d11/resource.h"

#include "d3d11/device.h"

#include <mutex>

namespace monolith::d3d11 {

namespace {
template <typename F> auto visit(ID3D11Resource* resource, F&& f) {
  D3D11_RESOURCE_DIMENSION dimension = D3D11_RESOURCE_DIMENSION_UNKNOWN;
  resource->GetType(&dimension);
  switch (dimension) {
  case D3D11_RESOURCE_DIMENSION_BUFFER: return f(static_cast<Buffer*>(resource));
  case D3D11_RESOURCE_DIMENSION_TEXTURE1D: return f(static_cast<Texture1D*>(resource));
  case D3D11_RESOURCE_DIMENSION_TEXTURE3D: return f(static_cast<Texture3D*>(resource));
  case D3D11_RESOURCE_DIMENSION_UNKNOWN:
  case D3D11_RESOURCE_DIMENSION_TEXTURE2D: break;
  }
  return f(static_cast<Texture2D*>(resource));
}
} // namespace

ResourceInfo* infoOf(ID3D11Resource* resource) {
  return resource ? visit(resource, [](auto* r) { return &r->info(); }) : nullptr;
}
ResourceInfo* infoOf(ID3D11Resource* resource, const Device* device) {
  return resource ? visit(resource, [&](auto* r) { return r->device() == device ? &r->info() : nullptr; }) : nullptr;
}
const com::RefCounts* refsOf(ID3D11Resource* resource) {
  return resource ? visit(resource, [](auto* r) -> const com::RefCounts* { return &r->refs(); }) : nullptr;
}
void addPrivateRef(ID3D11Resource* resource) {
  visit(resource, [](auto* r) { r->addPrivate(); });
}
void dropPrivateRef(ID3D11Resource* resource) {
  visit(resource, [](auto* r) { r->releasePrivate(); });
}

IUnknown* queryDxgiFace(Device* device, IUnknown* outer, ID3D11Resource* resource, std::unique_ptr<com::Face>& face,
                        REFIID riid) {
  static std::mutex mutex;
  com::DxgiBridge* bridge = com::dxgiBridge();
  if (!bridge)
    return nullptr;
  const std::lock_guard lock(mutex);
  if (!face)
    face = bridge->resourceFace(outer, resource, *device);
  return face ? face->query(riid) : nullptr;
}

void STDMETHODCALLTYPE Buffer::GetDesc(D3D11_BUFFER_DESC* desc) {
  desc->ByteWidth = m_info.width;
  desc->Usage = m_info.usage;
  desc->BindFlags = m_info.bindFlags;
  desc->CPUAccessFlags = m_info.cpuAccess;
  desc->MiscFlags = m_info.miscFlags;
  desc->StructureByteStride = m_info.stride;
}

void STDMETHODCALLTYPE Texture1D::GetDesc(D3D11_TEXTURE1D_DESC* desc) {
  desc->Width = m_info.width;
  desc->MipLevels = m_info.mips;
  desc->ArraySize = m_info.layers;
  desc->Format = static_cast<DXGI_FORMAT>(m_info.format);
  desc->Usage = m_info.usage;
  desc->BindFlags = m_info.bindFlags;
  desc->CPUAccessFlags = m_info.cpuAccess;
  desc->MiscFlags = m_info.miscFlags;
}

namespace {
/// The members that a description and its newer version share.
template <typename Desc> void describe2D(const ResourceInfo& info, Desc* desc) {
  desc->Width = info.width;
  desc->Height = info.height;
  desc->MipLevels = info.mips;
  desc->ArraySize = info.layers;
  desc->Format = static_cast<DXGI_FORMAT>(info.format);
  desc->SampleDesc = {info.samples, info.quality};
  desc->Usage = info.usage;
  desc->BindFlags = info.bindFlags;
  desc->CPUAccessFlags = info.cpuAccess;
  desc->MiscFlags = info.miscFlags;
}
template <typename Desc> void describe3D(const ResourceInfo& info, Desc* desc) {
  desc->Width = info.width;
  desc->Height = info.height;
  desc->Depth = info.depth;
  desc->MipLevels = info.mips;
  desc->Format = static_cast<DXGI_FORMAT>(info.format);
  desc->Usage = info.usage;
  desc->BindFlags = info.bindFlags;
  desc->CPUAccessFlags = info.cpuAccess;
  desc->MiscFlags = info.miscFlags;
}
} // namespace

void STDMETHODCALLTYPE Texture2D::GetDesc(D3D11_TEXTURE2D_DESC* desc) { describe2D(m_info, desc); }

void STDMETHODCALLTYPE Texture2D::GetDesc1(D3D11_TEXTURE2D_DESC1* desc) {
  describe2D(m_info, desc);
  desc->TextureLayout = m_info.layout;
}

void STDMETHODCALLTYPE Texture3D::GetDesc(D3D11_TEXTURE3D_DESC* desc) { describe3D(m_info, desc); }

void STDMETHODCALLTYPE Texture3D::GetDesc1(D3D11_TEXTURE3D_DESC1* desc) {
  describe3D(m_info, desc);
  desc->TextureLayout = m_info.layout;
}

} // namespace monolith::d3d11
