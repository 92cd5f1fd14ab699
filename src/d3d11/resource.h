// SPDX-License-Identifier: MIT
/// @file
/// What all resources share, apart from their interface: description, memory, map state, and the stamps by which the
/// context knows when the CPU may touch the memory.
#pragma once

#include "com/dxgi_bridge.h"
#include "d3d11/device_child.h"
#include "formats/format.h"
#include "resources/resource.h"

#include <vector>

namespace monolith::d3d11 {

/// CPU memory behind one Map(DISCARD) of a dynamic texture; reused when the copy out of it has run.
struct UploadBlock {
  resources::Memory memory;
  uint64_t serial = 0; ///< The copy's serial.
  bool busy = false;   ///< Mapped now.
};

/// Map state of one subresource.
struct MapState {
  bool mapped = false;
  bool noPointer = false; ///< Mapped with a null D3D11_MAPPED_SUBRESOURCE.
  D3D11_MAP type = D3D11_MAP_READ;
  int block = -1; ///< Index of the upload block of a dynamic texture.
};

struct ResourceInfo {
  D3D11_RESOURCE_DIMENSION dimension = D3D11_RESOURCE_DIMENSION_UNKNOWN;
  D3D11_USAGE usage = D3D11_USAGE_DEFAULT;
  UINT bindFlags = 0, cpuAccess = 0, miscFlags = 0;
  D3D11_TEXTURE_LAYOUT layout = D3D11_TEXTURE_LAYOUT_UNDEFINED;
  formats::Format format{};                    ///< Textures.
  uint32_t width = 1, height = 1, depth = 1;   ///< Buffers: bytes in width.
  uint32_t mips = 1, layers = 1, samples = 1, quality = 0;
  uint32_t stride = 0;                         ///< Structured buffers.
  bool viewFormatCast = false;                 ///< Swap chain buffers: sRGB and linear views of a typed format.

  std::shared_ptr<resources::Texture> texture; ///< One of the two is set.
  std::shared_ptr<resources::Buffer> buffer;
  std::shared_ptr<std::vector<UploadBlock>> uploads;

  std::vector<MapState> maps;      ///< One per subresource; only of mappable resources.
  uint32_t mappedCount = 0;
  uint64_t lastWrite = 0;          ///< Serial of the newest recorded command that writes it (mappable resources only).
  uint64_t lastUse = 0;            ///< ... that reads or writes it.
  uint32_t boundGroups = 0;        ///< Dirty-group bits of every binding point it was ever bound to (see context.h).
  float minLod = 0;
  UINT evictionPriority = DXGI_RESOURCE_PRIORITY_NORMAL;

  bool isBuffer() const { return dimension == D3D11_RESOURCE_DIMENSION_BUFFER; }
  uint32_t subresources() const { return mips * layers; }
  uint32_t mipWidth(uint32_t mip) const { return width >> mip ? width >> mip : 1; }
  uint32_t mipHeight(uint32_t mip) const { return height >> mip ? height >> mip : 1; }
  uint32_t mipDepth(uint32_t mip) const { return depth >> mip ? depth >> mip : 1; }
};

/// The shared part of a resource of ours, or of null.
ResourceInfo* infoOf(ID3D11Resource* resource);
/// Null when the resource is one of another device.
ResourceInfo* infoOf(ID3D11Resource* resource, const Device* device);
/// The counters of a resource of ours, or null.
const com::RefCounts* refsOf(ID3D11Resource* resource);
/// The private reference of views.
void addPrivateRef(ID3D11Resource* resource);
void dropPrivateRef(ID3D11Resource* resource);

/// The DXGI side of a resource (IDXGISurface, IDXGIResource), made when first asked for.
IUnknown* queryDxgiFace(Device* device, IUnknown* outer, ID3D11Resource* resource, std::unique_ptr<com::Face>& face,
                        REFIID riid);

/// The layer between DeviceChild and the concrete resources.
template <typename List, D3D11_RESOURCE_DIMENSION kDimension> class ResourceObject : public DeviceChild<List> {
public:
  ResourceObject(Device* device, ResourceInfo&& info) : DeviceChild<List>(device), m_info(std::move(info)) {}
  ~ResourceObject() override {
    if (m_info.texture)
      retire(this->device(), std::move(m_info.texture));
    if (m_info.buffer)
      retire(this->device(), std::move(m_info.buffer));
    if (m_info.uploads)
      retire(this->device(), std::move(m_info.uploads));
  }
  void STDMETHODCALLTYPE GetType(D3D11_RESOURCE_DIMENSION* dimension) final { *dimension = kDimension; }
  void STDMETHODCALLTYPE SetEvictionPriority(UINT priority) final { m_info.evictionPriority = priority; }
  UINT STDMETHODCALLTYPE GetEvictionPriority() final { return m_info.evictionPriority; }

  ResourceInfo& info() { return m_info; }

protected:
  IUnknown* queryFace(REFIID riid) override {
    return queryDxgiFace(this->device(), this, this, m_dxgiFace, riid);
  }
  ResourceInfo m_info;

private:
  std::unique_ptr<com::Face> m_dxgiFace;
};

class Buffer final : public ResourceObject<com::Interfaces<ID3D11Buffer, ID3D11Resource, ID3D11DeviceChild>,
                                           D3D11_RESOURCE_DIMENSION_BUFFER> {
public:
  using ResourceObject::ResourceObject;
  void STDMETHODCALLTYPE GetDesc(D3D11_BUFFER_DESC* desc) override;
  resources::Buffer& memory() const { return *m_info.buffer; }

protected:
  const char* className() const override { return "ID3D11Buffer"; }
};

class Texture1D final : public ResourceObject<com::Interfaces<ID3D11Texture1D, ID3D11Resource, ID3D11DeviceChild>,
                                              D3D11_RESOURCE_DIMENSION_TEXTURE1D> {
public:
  using ResourceObject::ResourceObject;
  void STDMETHODCALLTYPE GetDesc(D3D11_TEXTURE1D_DESC* desc) override;

protected:
  const char* className() const override { return "ID3D11Texture1D"; }
};

class Texture2D final
    : public ResourceObject<com::Interfaces<ID3D11Texture2D1, ID3D11Texture2D, ID3D11Resource, ID3D11DeviceChild>,
                            D3D11_RESOURCE_DIMENSION_TEXTURE2D> {
public:
  using ResourceObject::ResourceObject;
  void STDMETHODCALLTYPE GetDesc(D3D11_TEXTURE2D_DESC* desc) override;
  void STDMETHODCALLTYPE GetDesc1(D3D11_TEXTURE2D_DESC1* desc) override;

protected:
  const char* className() const override { return "ID3D11Texture2D"; }
};

class Texture3D final
    : public ResourceObject<com::Interfaces<ID3D11Texture3D1, ID3D11Texture3D, ID3D11Resource, ID3D11DeviceChild>,
                            D3D11_RESOURCE_DIMENSION_TEXTURE3D> {
public:
  using ResourceObject::ResourceObject;
  void STDMETHODCALLTYPE GetDesc(D3D11_TEXTURE3D_DESC* desc) override;
  void STDMETHODCALLTYPE GetDesc1(D3D11_TEXTURE3D_DESC1* desc) override;

protected:
  const char* className() const override { return "ID3D11Texture3D"; }
};

} // namespace monolith::d3d11
