// SPDX-License-Identifier: MIT
#include "d3d11/views.h"

#include <algorithm>
#include <new>

namespace monolith::d3d11 {

ShaderResourceView::ShaderResourceView(Device* device, ID3D11Resource* resource,
                                       const D3D11_SHADER_RESOURCE_VIEW_DESC1& desc, const ViewRange& range)
    : ViewObject(device, resource, desc, range), m_offset(uint64_t(range.firstElement) * range.elementStride) {
  const formats::FormatInfo& f = formats::info(range.format);
  m_depth = f.has(formats::Flag::DepthView) || f.hasDepth();
  m_stencil = f.has(formats::Flag::StencilView);
  // A depth resource without stencil is viewed by an ordinary format.
  if (!m_depth && !m_stencil && (this->resource().bindFlags & D3D11_BIND_DEPTH_STENCIL))
    m_depth = true;
  m_exec = make();
}

ShaderResourceView::~ShaderResourceView() {
  retire(device(), std::move(m_exec));
  for (auto& v : m_versions)
    retire(device(), std::move(v));
}

std::shared_ptr<resources::ShaderView> ShaderResourceView::make() const {
  const ResourceInfo& r = resource();
  const ViewRange& range = m_range;
  auto view = std::make_shared<resources::ShaderView>();
  view->texture = r.texture;
  view->buffer = r.buffer;
  if (r.buffer) {
    resources::makeBufferView(r.buffer->current(), range.dimension, range.format, m_offset, range.elements,
                              range.elementStride, view->view);
  } else {
    view->firstMip = range.firstMip;
    view->firstLayer = range.firstLayer;
    resources::makeTextureView(*r.texture, range.dimension, range.format, range.firstMip, range.mips, range.firstLayer,
                               range.layers, view->view);
    view->view.minLod = std::max(0.0f, r.minLod - static_cast<float>(range.firstMip));
  }
  return view;
}

const resources::ShaderView* ShaderResourceView::refresh() {
  const ResourceInfo& r = resource();
  if (r.buffer) {
    m_versions.push_back(std::move(m_exec));
    const uint8_t* base = r.buffer->current() + m_offset;
    for (auto& v : m_versions) {
      if (v->view.base == base) {
        m_exec = std::move(v);
        v = std::move(m_versions.back());
        m_versions.pop_back();
        return m_exec.get();
      }
    }
    m_exec = make();
    return m_exec.get();
  }
  auto fresh = make();
  m_minLod = r.minLod;
  retire(device(), std::move(m_exec));
  m_exec = std::move(fresh);
  return m_exec.get();
}

RenderTargetView::RenderTargetView(Device* device, ID3D11Resource* resource, const D3D11_RENDER_TARGET_VIEW_DESC1& desc,
                                   const ViewRange& range)
    : ViewObject(device, resource, desc, range) {
  if (this->resource().texture) {
    m_exec = std::make_shared<resources::TargetView>();
    resources::makeTargetView(this->resource().texture, range.format, range.firstMip, range.firstLayer, range.layers,
                              *m_exec);
  } else if (this->resource().buffer) { // one row; such buffers never rename
    m_exec = std::make_shared<resources::TargetView>();
    m_exec->format = range.format;
    m_exec->width = range.elements;
    m_exec->height = 1;
    m_exec->base = this->resource().buffer->current() + uint64_t(range.firstElement) * range.elementStride;
    m_exec->rowPitch = range.elements * range.elementStride;
  }
}
RenderTargetView::~RenderTargetView() {
  if (m_exec)
    retire(device(), std::move(m_exec));
}
void RenderTargetView::refresh() {
  auto fresh = std::make_shared<resources::TargetView>();
  resources::makeTargetView(resource().texture, m_range.format, m_range.firstMip, m_range.firstLayer, m_range.layers,
                            *fresh);
  retire(device(), std::move(m_exec));
  m_exec = std::move(fresh);
}

DepthStencilView::DepthStencilView(Device* device, ID3D11Resource* resource, const D3D11_DEPTH_STENCIL_VIEW_DESC& desc,
                                   const ViewRange& range)
    : ViewObject(device, resource, desc, range), m_exec(std::make_shared<resources::TargetView>()) {
  resources::makeTargetView(this->resource().texture, range.format, range.firstMip, range.firstLayer, range.layers,
                            *m_exec);
  m_exec->readOnlyDepth = (desc.Flags & D3D11_DSV_READ_ONLY_DEPTH) != 0;
  m_exec->readOnlyStencil = (desc.Flags & D3D11_DSV_READ_ONLY_STENCIL) != 0;
}
DepthStencilView::~DepthStencilView() { retire(device(), std::move(m_exec)); }

} // namespace monolith::d3d11
