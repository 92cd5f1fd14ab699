// SPDX-License-Identifier: MIT
/// @file
/// Draws, clears, and the recording of dirty state groups.
#include "base/log.h"
#include "d3d11/context.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace monolith::d3d11 {

using commands::Recorder;

namespace {
/// Direct3D 10 has whole viewports only.
void dropFractions(state::Viewport& v) {
  for (float* edge : {&v.x, &v.y, &v.width, &v.height})
    *edge = std::trunc(*edge);
}
} // namespace

void Context::recordPipeline() {
  const Pipeline& s = *m_state;
  m_blocked = false;
  if (s.geometryShader || s.hullShader || s.domainShader) {
    base::logOnce("draws with geometry, hull or domain shaders are not built");
    m_blocked = true;
  }
  if (!s.vertexShader || s.topology == D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED)
    m_blocked = true;
  if (s.topology >= D3D11_PRIMITIVE_TOPOLOGY_1_CONTROL_POINT_PATCHLIST)
    m_blocked = true;
  if (m_blocked)
    return;
  const DefaultStates& d = device()->defaults();
  auto* c = m_recorder.push<commands::SetPipeline>();
  c->vertex = s.vertexShader->program();
  c->pixel = s.pixelShader ? s.pixelShader->program() : nullptr;
  c->layout = s.inputLayout ? s.inputLayout->exec() : nullptr;
  c->blend = s.blend ? s.blend->exec() : d.blend.get();
  c->depthStencil = s.depthStencil ? s.depthStencil->exec() : d.depthStencil.get();
  c->rasterizer = s.rasterizer ? s.rasterizer->exec() : d.rasterizer.get();
  c->topology = static_cast<state::Topology>(s.topology);
  std::memset(c->reserved, 0, sizeof c->reserved);
  c->stencilRef = s.stencilRef & 255;
  c->sampleMask = s.sampleMask;
  std::memcpy(c->blendFactor, s.blendFactor, sizeof c->blendFactor);
}

void Context::recordTargets() {
  const Pipeline& s = *m_state;
  auto* c = m_recorder.push<commands::SetTargets>();
  c->colorCount = s.targetCount;
  c->reserved = 0;
  for (UINT i = 0; i < kTargetSlots; i++)
    c->color[i] = i < s.targetCount && s.targets[i] ? s.targets[i]->exec() : nullptr;
  c->depth = s.depthView ? s.depthView->exec() : nullptr;
}

void Context::recordStreams() {
  const Pipeline& s = *m_state;
  const uint32_t count = s.streamCount;
  auto* c = m_recorder.push<commands::SetVertexStreams>(count * sizeof(abi::VertexStream));
  c->count = count;
  c->reserved = 0;
  auto* out = Recorder::tail<commands::SetVertexStreams, abi::VertexStream>(c);
  for (uint32_t i = 0; i < count; i++) {
    const VertexBinding& v = s.streams[i];
    const Buffer* b = v.buffer.get();
    const uint64_t size = b ? b->memory().size() : 0;
    if (!b || v.offset >= size) {
      out[i] = resources::nullVertexStream();
      continue;
    }
    out[i].base = b->memory().current() + v.offset;
    out[i].size = static_cast<uint32_t>(size - v.offset);
    out[i].stride = v.stride;
  }
}

void Context::recordIndex() {
  const Pipeline& s = *m_state;
  auto* c = m_recorder.push<commands::SetIndexStream>();
  const Buffer* b = s.indexBuffer.get();
  const uint64_t size = b ? b->memory().size() : 0;
  const bool usable = b && s.indexOffset < size;
  c->base = usable ? b->memory().current() + s.indexOffset : nullptr;
  c->size = usable ? size - s.indexOffset : 0;
  c->indexBytes = s.indexFormat == DXGI_FORMAT_R16_UINT ? 2 : 4;
  c->reserved = 0;
}

void Context::recordConstants(Stage stage) {
  const StageBindings& s = m_state->stages[stage];
  const uint32_t count = s.constantCount;
  auto* c = m_recorder.push<commands::SetConstantBuffers>(count * sizeof(abi::ConstantBuffer));
  c->stage = static_cast<uint8_t>(stage);
  std::memset(c->reserved, 0, sizeof c->reserved);
  c->count = count;
  auto* out = Recorder::tail<commands::SetConstantBuffers, abi::ConstantBuffer>(c);
  for (uint32_t i = 0; i < count; i++) {
    const ConstantBinding& b = s.constants[i];
    const uint64_t available = b.buffer ? b.buffer->memory().size() / 16 : 0;
    if (b.first >= available) {
      out[i] = resources::nullConstantBuffer();
      continue;
    }
    out[i].data = b.buffer->memory().current() + uint64_t(b.first) * 16;
    out[i].size = static_cast<uint32_t>(std::min<uint64_t>(b.count, available - b.first));
    out[i].reserved = 0;
  }
}

void Context::recordResources(Stage stage) {
  const StageBindings& s = m_state->stages[stage];
  const uint32_t count = s.resourceCount;
  auto* c = m_recorder.push<commands::SetResources>(count * sizeof(void*));
  c->stage = static_cast<uint8_t>(stage);
  std::memset(c->reserved, 0, sizeof c->reserved);
  c->count = count;
  auto* out = Recorder::tail<commands::SetResources, const resources::ShaderView*>(c);
  for (uint32_t i = 0; i < count; i++)
    out[i] = s.resources[i] ? s.resources[i]->exec() : nullptr;
}

void Context::recordSamplers(Stage stage) {
  const StageBindings& s = m_state->stages[stage];
  const uint32_t count = s.samplerCount;
  auto* c = m_recorder.push<commands::SetSamplers>(count * sizeof(void*));
  c->stage = static_cast<uint8_t>(stage);
  std::memset(c->reserved, 0, sizeof c->reserved);
  c->count = count;
  auto* out = Recorder::tail<commands::SetSamplers, const commands::SamplerObject*>(c);
  for (uint32_t i = 0; i < count; i++)
    out[i] = s.samplers[i] ? s.samplers[i]->exec() : nullptr;
}

void Context::recordState() {
  const uint32_t dirty = m_dirty;
  if (dirty & kGroupPipeline) {
    recordPipeline();
    if (m_blocked) {
      // Nothing is drawn; the pipeline stays dirty so that the next draw asks again.
      return;
    }
  }
  if (dirty & kGroupTargets)
    recordTargets();
  if (dirty & kGroupStreams)
    recordStreams();
  if (dirty & kGroupIndex)
    recordIndex();
  for (int stage = 0; stage < 2; stage++) {
    if (dirty & (kGroupConstants << stage))
      recordConstants(static_cast<Stage>(stage));
    if (dirty & (kGroupResources << stage))
      recordResources(static_cast<Stage>(stage));
    if (dirty & (kGroupSamplers << stage))
      recordSamplers(static_cast<Stage>(stage));
  }
  static_assert(sizeof(D3D11_VIEWPORT) == sizeof(state::Viewport) && sizeof(D3D11_RECT) == sizeof(state::Rect));
  if (dirty & kGroupViewports) {
    const UINT count = state().viewportCount;
    auto* c = m_recorder.push<commands::SetViewports>(count * sizeof(state::Viewport));
    c->count = count;
    c->reserved = 0;
    auto* viewports = reinterpret_cast<state::Viewport*>(c + 1);
    std::memcpy(static_cast<void*>(viewports), state().viewports.data(), count * sizeof(state::Viewport));
    if (device()->level() < D3D_FEATURE_LEVEL_11_0)
      std::for_each(viewports, viewports + count, dropFractions);
  }
  if (dirty & kGroupScissors) {
    const UINT count = state().scissorCount;
    auto* c = m_recorder.push<commands::SetScissors>(count * sizeof(state::Rect));
    c->count = count;
    c->reserved = 0;
    std::memcpy(static_cast<void*>(c + 1), state().scissors.data(), count * sizeof(state::Rect));
  }
  m_dirty = 0;
}

bool Context::suppressed() {
  if (!m_predicated) [[likely]]
    return false;
  QueryState& q = state().predicate->state();
  // A hint need not be honoured while undecided; a predicate that was never issued does not suppress.
  if (q.phase != QueryState::Phase::Ended)
    return false;
  m_timeline.wait(q.exec->endSerial);
  return (q.exec->result != 0) == (state().predicateValue != FALSE);
}

inline bool Context::prepareDraw() {
  if (m_dirty) [[unlikely]] {
    recordState();
    if (m_blocked)
      return false;
  }
  return !suppressed();
}

namespace {
/// A draw that could not be recorded for lack of memory is lost; the device says so when asked.
template <typename F> void recording(Device* device, F&& f) noexcept {
  try {
    f();
  } catch (const std::bad_alloc&) {
    base::logOnce("out of memory while recording: the device is removed");
    device->remove(DXGI_ERROR_DRIVER_INTERNAL_ERROR);
  }
}
} // namespace

void STDMETHODCALLTYPE Context::Draw(UINT vertexCount, UINT startVertex) { DrawInstanced(vertexCount, 1, startVertex, 0); }

void STDMETHODCALLTYPE Context::DrawInstanced(UINT vertexCount, UINT instanceCount, UINT startVertex, UINT startInstance) {
  const ContextLock lock(m_lock);
  recording(device(), [&] {
    if (!prepareDraw())
      return;
    auto* c = m_recorder.push<commands::Draw>();
    c->vertexCount = vertexCount;
    c->startVertex = startVertex;
    c->instanceCount = instanceCount;
    c->startInstance = startInstance;
  });
}

void STDMETHODCALLTYPE Context::DrawIndexed(UINT indexCount, UINT startIndex, INT baseVertex) {
  DrawIndexedInstanced(indexCount, 1, startIndex, baseVertex, 0);
}

void STDMETHODCALLTYPE Context::DrawIndexedInstanced(UINT indexCount, UINT instanceCount, UINT startIndex, INT baseVertex,
                                                     UINT startInstance) {
  const ContextLock lock(m_lock);
  recording(device(), [&] {
    if (!prepareDraw())
      return;
    auto* c = m_recorder.push<commands::DrawIndexed>();
    c->indexCount = indexCount;
    c->startIndex = startIndex;
    c->baseVertex = baseVertex;
    c->instanceCount = instanceCount;
    c->startInstance = startInstance;
    c->reserved = 0;
  });
}

void Context::drawIndirect(ID3D11Buffer* buffer, UINT offset, bool indexed) {
  const ContextLock lock(m_lock);
  if (!ours(static_cast<Buffer*>(buffer)))
    return;
  ResourceInfo& r = static_cast<Buffer*>(buffer)->info();
  const UINT size = indexed ? 20 : 16;
  if (!(r.miscFlags & D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS) || offset % 4 != 0 || offset > r.width ||
      size > r.width - offset) {
    base::logOnce("indirect draw: needs a buffer with DRAWINDIRECT_ARGS and an aligned offset within it");
    return;
  }
  recording(device(), [&] {
    if (!prepareDraw())
      return;
    touch(r, false);
    auto* c = m_recorder.push<commands::DrawIndirect>();
    c->arguments = r.buffer->current() + offset;
    c->indexed = indexed;
    c->reserved = 0;
  });
}
void STDMETHODCALLTYPE Context::DrawIndexedInstancedIndirect(ID3D11Buffer* buffer, UINT offset) {
  drawIndirect(buffer, offset, true);
}
void STDMETHODCALLTYPE Context::DrawInstancedIndirect(ID3D11Buffer* buffer, UINT offset) {
  drawIndirect(buffer, offset, false);
}

// ---- clears ---------------------------------------------------------------------------------------------------------

namespace {
/// Rectangles that fit into one command.
constexpr UINT kRectsPerCommand = 512;

/// Calls f(rects, count) for pieces; once with count 0 for a whole view.
template <typename F> void inPieces(const D3D11_RECT* rects, UINT count, F&& f) {
  if (!rects) {
    f(nullptr, 0u);
    return;
  }
  for (UINT done = 0; done < count; done += kRectsPerCommand)
    f(rects + done, std::min(kRectsPerCommand, count - done));
}
} // namespace

void Context::clearColor(const RenderTargetView& view, const float color[4], const D3D11_RECT* rects, UINT count) {
  const resources::TargetView* target = view.exec();
  touch(view.resource(), true);
  inPieces(rects, count, [&](const D3D11_RECT* r, UINT n) {
    auto* c = m_recorder.push<commands::ClearColor>(n * sizeof(state::Rect));
    c->view = target;
    c->rectCount = n;
    c->reserved = 0;
    std::memcpy(c->color, color, sizeof c->color);
    if (n)
      std::memcpy(static_cast<void*>(c + 1), r, n * sizeof(state::Rect));
  });
}

void Context::clearDepth(const DepthStencilView& view, UINT flags, float depth, uint8_t stencil, const D3D11_RECT* rects,
                         UINT count) {
  const formats::FormatInfo& f = formats::info(view.range().format);
  UINT parts = 0;
  if ((flags & D3D11_CLEAR_DEPTH) && f.hasDepth())
    parts |= D3D11_CLEAR_DEPTH;
  if ((flags & D3D11_CLEAR_STENCIL) && f.hasStencil())
    parts |= D3D11_CLEAR_STENCIL;
  if (!parts)
    return;
  touch(view.resource(), true);
  inPieces(rects, count, [&](const D3D11_RECT* r, UINT n) {
    auto* c = m_recorder.push<commands::ClearDepthStencil>(n * sizeof(state::Rect));
    c->view = view.exec();
    c->flags = parts;
    c->depth = std::isnan(depth) ? 0.0f : std::clamp(depth, 0.0f, 1.0f);
    c->stencil = stencil;
    std::memset(c->reserved, 0, sizeof c->reserved);
    c->rectCount = n;
    if (n)
      std::memcpy(static_cast<void*>(c + 1), r, n * sizeof(state::Rect));
  });
}

void STDMETHODCALLTYPE Context::ClearRenderTargetView(ID3D11RenderTargetView* view, const FLOAT color[4]) {
  const ContextLock lock(m_lock);
  const auto* target = ours(static_cast<RenderTargetView*>(static_cast<ID3D11RenderTargetView1*>(view)));
  if (!target || !color)
    return;
  recording(device(), [&] {
    if (!suppressed())
      clearColor(*target, color, nullptr, 0);
  });
}

void STDMETHODCALLTYPE Context::ClearDepthStencilView(ID3D11DepthStencilView* view, UINT flags, FLOAT depth, UINT8 stencil) {
  const ContextLock lock(m_lock);
  const auto* target = ours(static_cast<DepthStencilView*>(view));
  if (!target)
    return;
  recording(device(), [&] {
    if (!suppressed())
      clearDepth(*target, flags, depth, stencil, nullptr, 0);
  });
}

void STDMETHODCALLTYPE Context::ClearView(ID3D11View* view, const FLOAT color[4], const D3D11_RECT* rects, UINT count) {
  const ContextLock lock(m_lock);
  if (!view || !color || (!rects && count))
    return;
  recording(device(), [&] {
    if (suppressed())
      return;
    void* found = nullptr;
    if (SUCCEEDED(view->QueryInterface(__uuidof(ID3D11RenderTargetView1), &found))) {
      auto* target = static_cast<RenderTargetView*>(static_cast<ID3D11RenderTargetView1*>(found));
      if (ours(target) && target->resource().dimension != D3D11_RESOURCE_DIMENSION_TEXTURE3D)
        clearColor(*target, color, rects, count);
      target->Release();
    } else if (SUCCEEDED(view->QueryInterface(__uuidof(ID3D11DepthStencilView), &found))) {
      auto* depth = static_cast<DepthStencilView*>(static_cast<ID3D11DepthStencilView*>(found));
      if (ours(depth) && !formats::info(depth->range().format).hasStencil())
        clearDepth(*depth, D3D11_CLEAR_DEPTH, color[0], 0, rects, count);
      depth->Release();
    } else {
      base::logOnce("ClearView: only render-target and depth-only views");
    }
  });
}

// ---- not built ------------------------------------------------------------------------------------------------------

void STDMETHODCALLTYPE Context::ClearUnorderedAccessViewUint(ID3D11UnorderedAccessView*, const UINT[4]) {
  base::logOnce("unordered access is not built");
}
void STDMETHODCALLTYPE Context::ClearUnorderedAccessViewFloat(ID3D11UnorderedAccessView*, const FLOAT[4]) {
  base::logOnce("unordered access is not built");
}
void STDMETHODCALLTYPE Context::DrawAuto() { base::logOnce("DrawAuto is not built"); }
void STDMETHODCALLTYPE Context::Dispatch(UINT, UINT, UINT) { base::logOnce("compute shaders are not built"); }
void STDMETHODCALLTYPE Context::DispatchIndirect(ID3D11Buffer*, UINT) { base::logOnce("compute shaders are not built"); }

} // namespace monolith::d3d11
