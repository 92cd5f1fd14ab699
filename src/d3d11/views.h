// SPDX-License-Identifier: MIT
/// @file
/// The four kinds of views. A view holds a private reference of its resource. The executor's view is immutable while
/// commands use it; when a dynamic buffer is renamed or a minimum LOD changes, the shader view is replaced when next
/// recorded, from a short list of those made before (a renamed buffer cycles through few versions).
#pragma once

#include "d3d11/view_desc.h"
#include "resources/resource.h"

namespace monolith::d3d11 {

template <typename List, typename Desc> class ViewObject : public DeviceChild<List> {
public:
  ViewObject(Device* device, ID3D11Resource* resource, const Desc& desc, const ViewRange& range)
      : DeviceChild<List>(device), m_desc(desc), m_range(range), m_resource(resource), m_info(infoOf(resource)) {
    addPrivateRef(resource);
  }
  ~ViewObject() override { dropPrivateRef(m_resource); }
  void STDMETHODCALLTYPE GetResource(ID3D11Resource** resource) final {
    *resource = m_resource;
    m_resource->AddRef();
  }
  const Desc& desc() const { return m_desc; }
  const ViewRange& range() const { return m_range; }
  ResourceInfo& resource() const { return *m_info; }
  ID3D11Resource* resourceObject() const { return m_resource; }

protected:
  Desc m_desc;
  ViewRange m_range;

private:
  ID3D11Resource* m_resource;
  ResourceInfo* m_info;
};

class ShaderResourceView final
    : public ViewObject<
          com::Interfaces<ID3D11ShaderResourceView1, ID3D11ShaderResourceView, ID3D11View, ID3D11DeviceChild>,
          D3D11_SHADER_RESOURCE_VIEW_DESC1> {
public:
  ShaderResourceView(Device* device, ID3D11Resource* resource, const D3D11_SHADER_RESOURCE_VIEW_DESC1& desc,
                     const ViewRange& range);
  ~ShaderResourceView() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_SHADER_RESOURCE_VIEW_DESC* desc) override {
    *desc = narrowView<D3D11_SHADER_RESOURCE_VIEW_DESC>(m_desc);
  }
  void STDMETHODCALLTYPE GetDesc1(D3D11_SHADER_RESOURCE_VIEW_DESC1* desc) override { *desc = m_desc; }

  /// The executor's view of the memory as it is now. API thread.
  const resources::ShaderView* exec() {
    if (current()) [[likely]]
      return m_exec.get();
    return refresh();
  }
  bool readsStencil() const { return m_stencil; }
  bool readsDepth() const { return m_depth; }

protected:
  const char* className() const override { return "ID3D11ShaderResourceView"; }

private:
  bool current() const {
    const ResourceInfo& r = resource();
    return r.buffer ? m_exec->view.base == r.buffer->current() + m_offset
                    : m_exec->texture == r.texture && m_minLod == r.minLod;
  }
  std::shared_ptr<resources::ShaderView> make() const;
  const resources::ShaderView* refresh();

  std::shared_ptr<resources::ShaderView> m_exec;
  std::vector<std::shared_ptr<resources::ShaderView>> m_versions; ///< Of renamed buffers.
  uint64_t m_offset = 0; ///< Buffers: first byte.
  float m_minLod = 0;
  bool m_depth = false, m_stencil = false;
};

class RenderTargetView final
    : public ViewObject<com::Interfaces<ID3D11RenderTargetView1, ID3D11RenderTargetView, ID3D11View, ID3D11DeviceChild>,
                        D3D11_RENDER_TARGET_VIEW_DESC1> {
public:
  RenderTargetView(Device* device, ID3D11Resource* resource, const D3D11_RENDER_TARGET_VIEW_DESC1& desc,
                   const ViewRange& range);
  ~RenderTargetView() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_RENDER_TARGET_VIEW_DESC* desc) override {
    *desc = narrowView<D3D11_RENDER_TARGET_VIEW_DESC>(m_desc);
  }
  void STDMETHODCALLTYPE GetDesc1(D3D11_RENDER_TARGET_VIEW_DESC1* desc) override { *desc = m_desc; }
  const resources::TargetView* exec() const {
    if (m_exec && m_exec->texture != resource().texture) [[unlikely]]
      const_cast<RenderTargetView*>(this)->refresh();
    return m_exec.get();
  }

protected:
  const char* className() const override { return "ID3D11RenderTargetView"; }

private:
  void refresh();
  std::shared_ptr<resources::TargetView> m_exec;
};

class DepthStencilView final
    : public ViewObject<com::Interfaces<ID3D11DepthStencilView, ID3D11View, ID3D11DeviceChild>,
                        D3D11_DEPTH_STENCIL_VIEW_DESC> {
public:
  DepthStencilView(Device* device, ID3D11Resource* resource, const D3D11_DEPTH_STENCIL_VIEW_DESC& desc,
                   const ViewRange& range);
  ~DepthStencilView() override;
  void STDMETHODCALLTYPE GetDesc(D3D11_DEPTH_STENCIL_VIEW_DESC* desc) override { *desc = m_desc; }
  const resources::TargetView* exec() const { return m_exec.get(); }
  bool writesDepth() const { return !(m_desc.Flags & D3D11_DSV_READ_ONLY_DEPTH); }
  bool writesStencil() const { return !(m_desc.Flags & D3D11_DSV_READ_ONLY_STENCIL); }
  /// True if binding both would read what is written.
  bool conflicts(const ShaderResourceView& view) const {
    return (view.readsDepth() && writesDepth()) || (view.readsStencil() && writesStencil()) ||
           (!view.readsDepth() && !view.readsStencil());
  }

protected:
  const char* className() const override { return "ID3D11DepthStencilView"; }

private:
  std::shared_ptr<resources::TargetView> m_exec;
};

class UnorderedAccessView final
    : public ViewObject<
          com::Interfaces<ID3D11UnorderedAccessView1, ID3D11UnorderedAccessView, ID3D11View, ID3D11DeviceChild>,
          D3D11_UNORDERED_ACCESS_VIEW_DESC1> {
public:
  using ViewObject::ViewObject;
  void STDMETHODCALLTYPE GetDesc(D3D11_UNORDERED_ACCESS_VIEW_DESC* desc) override {
    *desc = narrowView<D3D11_UNORDERED_ACCESS_VIEW_DESC>(m_desc);
  }
  void STDMETHODCALLTYPE GetDesc1(D3D11_UNORDERED_ACCESS_VIEW_DESC1* desc) override { *desc = m_desc; }

protected:
  const char* className() const override { return "ID3D11UnorderedAccessView"; }
};

} // namespace monolith::d3d11
