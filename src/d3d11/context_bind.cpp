// SPDX-License-Identifier: MIT
/// @file
/// Setters and the hazard rules: what is bound for writing is unbound for reading. A new output wins over what reads
/// it; a new reader of a bound output becomes NULL instead.
#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/context.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace monolith::d3d11 {

namespace {

/// Dirty bit of a per-stage group; 0 for stages that do not execute.
uint32_t stageBit(uint32_t group, Stage stage) {
  return stage == kPixel ? group : stage == kVertex ? group << 1 : 0;
}
constexpr UINT kWriteBinds = D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_UNORDERED_ACCESS |
                             D3D11_BIND_STREAM_OUTPUT;

bool rangeValid(UINT start, UINT count, UINT slots) { return start < slots && count <= slots - start; }

/// Windows of SetConstantBuffers1: both arrays or none, and every value as the hardware wants it.
bool windowsValid(UINT count, const UINT* first, const UINT* counts) {
  if (!first != !counts)
    return false;
  for (UINT i = 0; i < count && first; i++)
    if (first[i] % 16 != 0 || counts[i] % 16 != 0 || counts[i] > kMaxConstants)
      return false;
  return true;
}

template <typename Array> UINT highest(const Array& array, UINT from) {
  while (from > 0 && !array[from - 1])
    from--;
  return from;
}

} // namespace

void Context::trim(StageBindings& s) {
  s.resourceCount = static_cast<uint8_t>(highest(s.resources, s.resourceCount));
}

void Context::bindConstants(Stage stage, UINT start, UINT count, ID3D11Buffer* const* buffers, const UINT* first,
                            const UINT* counts) {
  const ContextLock lock(m_lock);
  if (!rangeValid(start, count, kConstantSlots))
    return;
  if (!windowsValid(count, first, counts)) {
    base::logOnce("SetConstantBuffers1: windows start and end at multiples of 16 constants and hold at most 4096");
    return;
  }
  StageBindings& s = state().stages[stage];
  const uint32_t bit = stageBit(kGroupConstants, stage);
  for (UINT i = 0; i < count; i++) {
    ConstantBinding& c = s.constants[start + i];
    auto* buffer = buffers ? ours(static_cast<Buffer*>(buffers[i])) : nullptr;
    if (buffer && !(buffer->info().bindFlags & D3D11_BIND_CONSTANT_BUFFER)) {
      base::logOnce("SetConstantBuffers: a buffer without constant-buffer bind flag");
      buffer = nullptr;
    }
    const UINT f = buffer && first ? first[i] : 0;
    const UINT n = buffer && first ? counts[i] : kMaxConstants;
    if (!c.buffer.set(buffer) && c.first == f && c.count == n)
      continue;
    c.first = f;
    c.count = n;
    m_dirty |= bit;
    if (buffer)
      buffer->info().boundGroups |= bit;
  }
  UINT top = std::max<UINT>(s.constantCount, start + count);
  while (top > 0 && !s.constants[top - 1].buffer)
    top--;
  s.constantCount = static_cast<uint8_t>(top);
}

bool Context::readConflict(const ShaderResourceView& view) const {
  const ResourceInfo& r = view.resource();
  if (!(r.bindFlags & kWriteBinds))
    return false;
  const Pipeline& s = *m_state;
  for (UINT i = 0; i < s.targetCount; i++) {
    const RenderTargetView* t = s.targets[i].get();
    if (t && &t->resource() == &r &&
        (r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D ? t->range().firstMip >= view.range().firstMip &&
                                                                 t->range().firstMip < view.range().firstMip + view.range().mips
                                                           : t->range().overlaps(view.range())))
      return true;
  }
  const DepthStencilView* d = s.depthView.get();
  if (d && &d->resource() == &r && d->range().overlaps(view.range()) && d->conflicts(view))
    return true;
  for (UINT i = 0; i < s.outputUavCount; i++)
    if (const auto* u = s.outputUavs[i].get(); u && &u->resource() == &r && (r.isBuffer() || u->range().overlaps(view.range())))
      return true;
  for (UINT i = 0; i < s.computeUavCount; i++)
    if (const auto* u = s.computeUavs[i].get(); u && &u->resource() == &r && (r.isBuffer() || u->range().overlaps(view.range())))
      return true;
  for (const auto& b : s.streamOut)
    if (b && &b->info() == &r)
      return true;
  return false;
}

void Context::bindResources(Stage stage, UINT start, UINT count, ID3D11ShaderResourceView* const* views) {
  const ContextLock lock(m_lock);
  if (!rangeValid(start, count, kResourceSlots))
    return;
  StageBindings& s = state().stages[stage];
  const uint32_t bit = stageBit(kGroupResources, stage);
  for (UINT i = 0; i < count; i++) {
    auto* view = views ? ours(static_cast<ShaderResourceView*>(static_cast<ID3D11ShaderResourceView1*>(views[i]))) : nullptr;
    if (view && readConflict(*view)) {
      base::logOnce("SetShaderResources: the resource is bound as an output; NULL is bound instead");
      view = nullptr;
    }
    if (s.resources[start + i].set(view)) {
      m_dirty |= bit;
      if (view)
        view->resource().boundGroups |= bit;
    }
  }
  s.resourceCount = static_cast<uint8_t>(highest(s.resources, std::max<UINT>(s.resourceCount, start + count)));
}

void Context::bindSamplers(Stage stage, UINT start, UINT count, ID3D11SamplerState* const* samplers) {
  const ContextLock lock(m_lock);
  if (!rangeValid(start, count, kSamplerSlots))
    return;
  StageBindings& s = state().stages[stage];
  for (UINT i = 0; i < count; i++)
    if (s.samplers[start + i].set(samplers ? ours(static_cast<SamplerState*>(samplers[i])) : nullptr))
      m_dirty |= stageBit(kGroupSamplers, stage);
  s.samplerCount = static_cast<uint8_t>(highest(s.samplers, std::max<UINT>(s.samplerCount, start + count)));
}

template <typename Shader, typename Interface>
void Context::bindShader(com::PrivateRef<Shader>& slot, Interface* shader) {
  const ContextLock lock(m_lock);
  if (slot.set(ours(static_cast<Shader*>(shader))))
    m_dirty |= kGroupPipeline;
}

#define MONOLITH_STAGE_SETTERS(prefix, stage, Interface, member)                                                       \
  void STDMETHODCALLTYPE Context::prefix##SetShader(Interface* shader, ID3D11ClassInstance* const*, UINT) {            \
    bindShader(state().member, shader);                                                                                \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##SetConstantBuffers(UINT start, UINT count, ID3D11Buffer* const* buffers) {   \
    bindConstants(stage, start, count, buffers, nullptr, nullptr);                                                     \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##SetConstantBuffers1(UINT start, UINT count, ID3D11Buffer* const* buffers,    \
                                                              const UINT* first, const UINT* counts) {                 \
    bindConstants(stage, start, count, buffers, first, counts);                                                        \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##SetShaderResources(UINT start, UINT count,                                   \
                                                             ID3D11ShaderResourceView* const* views) {                 \
    bindResources(stage, start, count, views);                                                                         \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##SetSamplers(UINT start, UINT count, ID3D11SamplerState* const* samplers) {   \
    bindSamplers(stage, start, count, samplers);                                                                       \
  }
MONOLITH_STAGE_SETTERS(VS, kVertex, ID3D11VertexShader, vertexShader)
MONOLITH_STAGE_SETTERS(PS, kPixel, ID3D11PixelShader, pixelShader)
MONOLITH_STAGE_SETTERS(GS, kGeometry, ID3D11GeometryShader, geometryShader)
MONOLITH_STAGE_SETTERS(HS, kHull, ID3D11HullShader, hullShader)
MONOLITH_STAGE_SETTERS(DS, kDomain, ID3D11DomainShader, domainShader)
MONOLITH_STAGE_SETTERS(CS, kCompute, ID3D11ComputeShader, computeShader)
#undef MONOLITH_STAGE_SETTERS

// ---- input assembler ------------------------------------------------------------------------------------------------

bool Context::streamOutConflict(const Buffer& buffer) const {
  for (const auto& b : m_state->streamOut)
    if (b.get() == &buffer)
      return true;
  return false;
}

bool Context::writtenElsewhere(const ResourceInfo& r) const {
  const Pipeline& s = *m_state;
  const auto holds = [&r](const auto& views) {
    return std::any_of(views.begin(), views.end(), [&r](const auto& v) { return v && &v->resource() == &r; });
  };
  return holds(s.targets) || holds(s.outputUavs) || holds(s.computeUavs);
}

void STDMETHODCALLTYPE Context::IASetInputLayout(ID3D11InputLayout* layout) {
  const ContextLock lock(m_lock);
  if (state().inputLayout.set(ours(static_cast<InputLayout*>(layout))))
    m_dirty |= kGroupPipeline;
}

void STDMETHODCALLTYPE Context::IASetVertexBuffers(UINT start, UINT count, ID3D11Buffer* const* buffers,
                                                   const UINT* strides, const UINT* offsets) {
  const ContextLock lock(m_lock);
  if (!rangeValid(start, count, device()->level() >= D3D_FEATURE_LEVEL_10_1 ? kStreamSlots : kStreamSlots / 2))
    return;
  Pipeline& s = state();
  for (UINT i = 0; i < count; i++) {
    VertexBinding& v = s.streams[start + i];
    auto* buffer = buffers ? ours(static_cast<Buffer*>(buffers[i])) : nullptr;
    if (buffer && !(buffer->info().bindFlags & D3D11_BIND_VERTEX_BUFFER)) {
      base::logOnce("IASetVertexBuffers: a buffer without vertex-buffer bind flag");
      buffer = nullptr;
    }
    if (buffer && streamOutConflict(*buffer)) {
      base::logOnce("IASetVertexBuffers: the buffer is bound for stream output; NULL is bound instead");
      buffer = nullptr;
    }
    const UINT stride = strides ? strides[i] : 0, offset = offsets ? offsets[i] : 0;
    if (!v.buffer.set(buffer) && v.stride == stride && v.offset == offset)
      continue;
    v.stride = stride;
    v.offset = offset;
    m_dirty |= kGroupStreams;
    if (buffer)
      buffer->info().boundGroups |= kGroupStreams;
  }
  UINT top = std::max<UINT>(s.streamCount, start + count);
  while (top > 0 && !s.streams[top - 1].buffer)
    top--;
  s.streamCount = static_cast<uint8_t>(top);
}

void STDMETHODCALLTYPE Context::IASetIndexBuffer(ID3D11Buffer* indexBuffer, DXGI_FORMAT format, UINT offset) {
  const ContextLock lock(m_lock);
  auto* buffer = ours(static_cast<Buffer*>(indexBuffer));
  if (buffer && format != DXGI_FORMAT_R16_UINT && format != DXGI_FORMAT_R32_UINT) {
    base::logOnce("IASetIndexBuffer: the format must be R16_UINT or R32_UINT");
    return;
  }
  if (buffer && !(buffer->info().bindFlags & D3D11_BIND_INDEX_BUFFER)) {
    base::logOnce("IASetIndexBuffer: a buffer without index-buffer bind flag");
    buffer = nullptr;
  }
  if (buffer && streamOutConflict(*buffer)) {
    base::logOnce("IASetIndexBuffer: the buffer is bound for stream output; NULL is bound instead");
    buffer = nullptr;
  }
  Pipeline& s = state();
  if (!s.indexBuffer.set(buffer) && s.indexFormat == format && s.indexOffset == offset)
    return;
  s.indexFormat = format;
  s.indexOffset = offset;
  m_dirty |= kGroupIndex;
  if (buffer)
    buffer->info().boundGroups |= kGroupIndex;
}

void STDMETHODCALLTYPE Context::IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY topology) {
  const ContextLock lock(m_lock);
  if (base::raw(topology) > D3D11_PRIMITIVE_TOPOLOGY_32_CONTROL_POINT_PATCHLIST)
    topology = D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED; // draws nothing
  if (state().topology == topology)
    return;
  state().topology = topology;
  m_dirty |= kGroupPipeline;
}

// ---- rasterizer -----------------------------------------------------------------------------------------------------

void STDMETHODCALLTYPE Context::RSSetState(ID3D11RasterizerState* rasterizer) {
  const ContextLock lock(m_lock);
  if (state().rasterizer.set(ours(static_cast<RasterizerState*>(static_cast<ID3D11RasterizerState2*>(rasterizer)))))
    m_dirty |= kGroupPipeline;
}

namespace {
bool validViewport(const D3D11_VIEWPORT& v, D3D_FEATURE_LEVEL level) {
  const float bound = level >= D3D_FEATURE_LEVEL_11_0 ? 32767.0f : 16383.0f;
  const float low = level <= D3D_FEATURE_LEVEL_9_3 ? 0.0f : -bound - 1.0f;
  // Written so that NaN fails.
  return v.Width >= 0 && v.Height >= 0 && v.TopLeftX >= low && v.TopLeftY >= low && v.TopLeftX + v.Width <= bound &&
         v.TopLeftY + v.Height <= bound && v.MinDepth >= 0 && v.MinDepth <= 1 && v.MaxDepth >= 0 && v.MaxDepth <= 1;
}
} // namespace

void STDMETHODCALLTYPE Context::RSSetViewports(UINT count, const D3D11_VIEWPORT* viewports) {
  const ContextLock lock(m_lock);
  Pipeline& s = state();
  if (count > s.viewports.size() || (count && !viewports))
    return;
  for (UINT i = 0; i < count; i++)
    if (!validViewport(viewports[i], device()->level())) {
      base::logOnce("RSSetViewports: a viewport out of range; the call is ignored");
      return;
    }
  if (s.viewportCount == count && (!count || std::memcmp(s.viewports.data(), viewports, count * sizeof *viewports) == 0))
    return;
  std::copy_n(viewports, count, s.viewports.begin());
  s.viewportCount = count;
  m_dirty |= kGroupViewports;
}

void STDMETHODCALLTYPE Context::RSSetScissorRects(UINT count, const D3D11_RECT* rects) {
  const ContextLock lock(m_lock);
  Pipeline& s = state();
  if (count > s.scissors.size() || (count && !rects))
    return;
  if (s.scissorCount == count && (!count || std::memcmp(s.scissors.data(), rects, count * sizeof *rects) == 0))
    return;
  std::copy_n(rects, count, s.scissors.begin());
  s.scissorCount = count;
  m_dirty |= kGroupScissors;
}

// ---- output merger --------------------------------------------------------------------------------------------------

void STDMETHODCALLTYPE Context::OMSetBlendState(ID3D11BlendState* blend, const FLOAT factor[4], UINT sampleMask) {
  const ContextLock lock(m_lock);
  static constexpr float kOnes[4] = {1, 1, 1, 1};
  Pipeline& s = state();
  const float* f = factor ? factor : kOnes;
  const bool changed = s.blend.set(ours(static_cast<BlendState*>(static_cast<ID3D11BlendState1*>(blend))));
  if (!changed && s.sampleMask == sampleMask && std::memcmp(s.blendFactor, f, sizeof s.blendFactor) == 0)
    return;
  std::memcpy(s.blendFactor, f, sizeof s.blendFactor);
  s.sampleMask = sampleMask;
  m_dirty |= kGroupPipeline;
}

void STDMETHODCALLTYPE Context::OMSetDepthStencilState(ID3D11DepthStencilState* depthStencil, UINT reference) {
  const ContextLock lock(m_lock);
  Pipeline& s = state();
  if (!s.depthStencil.set(ours(static_cast<DepthStencilState*>(depthStencil))) && s.stencilRef == reference)
    return;
  s.stencilRef = reference;
  m_dirty |= kGroupPipeline;
}

namespace {

/// What must agree between all bound targets.
struct Extent {
  D3D11_RESOURCE_DIMENSION dimension;
  uint32_t width, height, layers, samples;
  bool operator==(const Extent&) const = default;
};
template <typename View> Extent extentOf(const View& view) {
  const ResourceInfo& r = view.resource();
  const ViewRange& range = view.range();
  if (r.isBuffer())
    return {r.dimension, range.elements, 1, 1, 1};
  return {r.dimension, r.mipWidth(range.firstMip), r.mipHeight(range.firstMip), range.layers, r.samples};
}

const char* targetProblem(UINT count, RenderTargetView* const* views, const DepthStencilView* depth) {
  const Extent* first = nullptr;
  Extent store{};
  for (UINT i = 0; i < count; i++) {
    if (!views[i])
      continue;
    const Extent e = extentOf(*views[i]);
    if (first && !(e == *first))
      return "OMSetRenderTargets: targets differ in kind, size, slices or samples; the call is ignored";
    store = e;
    first = &store;
    for (UINT k = 0; k < i; k++)
      if (views[k] && &views[k]->resource() == &views[i]->resource() &&
          (views[i]->resource().isBuffer() || views[k]->range().overlaps(views[i]->range())))
        return "OMSetRenderTargets: one subresource in two slots; the call is ignored";
  }
  if (depth && first && !(extentOf(*depth) == *first))
    return "OMSetRenderTargets: the depth-stencil view does not match the targets; the call is ignored";
  return nullptr;
}

} // namespace

void Context::unbindReaders(const ResourceInfo& r, const ViewRange& range, const DepthStencilView* depth) {
  if (!(r.bindFlags & D3D11_BIND_SHADER_RESOURCE))
    return;
  for (int stage = 0; stage < kStageCount; stage++) {
    StageBindings& s = state().stages[stage];
    bool changed = false;
    for (UINT i = 0; i < s.resourceCount; i++) {
      const ShaderResourceView* v = s.resources[i].get();
      if (!v || &v->resource() != &r)
        continue;
      const bool overlap = r.isBuffer() ||
                           (r.dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D
                                ? range.firstMip < v->range().firstMip + v->range().mips &&
                                      v->range().firstMip < range.firstMip + range.mips
                                : range.overlaps(v->range()));
      if (!overlap || (depth && !depth->conflicts(*v)))
        continue;
      s.resources[i].set(nullptr);
      m_dirty |= stageBit(kGroupResources, static_cast<Stage>(stage));
      changed = true;
    }
    if (changed)
      trim(s);
  }
}

void Context::unbindUavs(const ResourceInfo& r, const ViewRange& range) {
  if (!(r.bindFlags & D3D11_BIND_UNORDERED_ACCESS))
    return;
  auto clear = [&](auto& views, UINT& count) {
    for (UINT i = 0; i < count; i++)
      if (const auto* u = views[i].get(); u && &u->resource() == &r && (r.isBuffer() || u->range().overlaps(range)))
        views[i].set(nullptr);
    count = highest(views, count);
  };
  clear(state().outputUavs, state().outputUavCount);
  clear(state().computeUavs, state().computeUavCount);
}

/// A buffer that is written now through a view is no stream-output target.
void Context::unbindStreamOut(const ResourceInfo& r) {
  for (auto& buffer : state().streamOut)
    if (buffer && &buffer->info() == &r)
      buffer.set(nullptr);
}

/// A buffer that is written now leaves the input assembler.
void Context::unbindWrittenBuffer(const ResourceInfo& r) {
  Pipeline& s = state();
  if (!r.isBuffer())
    return;
  for (UINT i = 0; i < s.streamCount; i++)
    if (s.streams[i].buffer && &s.streams[i].buffer->info() == &r) {
      s.streams[i].buffer.set(nullptr);
      m_dirty |= kGroupStreams;
    }
  if (s.indexBuffer && &s.indexBuffer->info() == &r) {
    s.indexBuffer.set(nullptr);
    m_dirty |= kGroupIndex;
  }
}

void Context::trimTargets() { state().targetCount = highest(state().targets, state().targetCount); }

bool Context::setTargets(UINT count, ID3D11RenderTargetView* const* views, ID3D11DepthStencilView* depth) {
  RenderTargetView* mine[kTargetSlots] = {};
  if (count > kTargetSlots)
    return false;
  for (UINT i = 0; i < count && views; i++)
    mine[i] = ours(static_cast<RenderTargetView*>(static_cast<ID3D11RenderTargetView1*>(views[i])));
  auto* d = ours(static_cast<DepthStencilView*>(depth));
  if (const char* problem = targetProblem(count, mine, d)) {
    base::logOnce(problem);
    return false;
  }
  Pipeline& s = state();
  bool changed = s.depthView.set(d);
  for (UINT i = 0; i < kTargetSlots; i++)
    changed |= s.targets[i].set(mine[i]);
  if (!changed)
    return true;
  m_dirty |= kGroupTargets;
  s.targetCount = highest(s.targets, kTargetSlots);
  for (UINT i = 0; i < s.targetCount; i++)
    if (mine[i]) {
      unbindReaders(mine[i]->resource(), mine[i]->range(), nullptr);
      unbindUavs(mine[i]->resource(), mine[i]->range());
      unbindWrittenBuffer(mine[i]->resource());
      unbindStreamOut(mine[i]->resource());
      mine[i]->resource().boundGroups |= kGroupTargets;
    }
  if (d) {
    unbindReaders(d->resource(), d->range(), d);
    d->resource().boundGroups |= kGroupTargets;
  }
  return true;
}

void STDMETHODCALLTYPE Context::OMSetRenderTargets(UINT count, ID3D11RenderTargetView* const* views,
                                                   ID3D11DepthStencilView* depth) {
  const ContextLock lock(m_lock);
  if (!setTargets(count, views, depth))
    return;
  // This call also unbinds all output UAVs.
  for (UINT i = 0; i < state().outputUavCount; i++)
    state().outputUavs[i].set(nullptr);
  state().outputUavCount = 0;
}

void Context::setOutputUavs(UINT start, UINT count, ID3D11UnorderedAccessView* const* views) {
  Pipeline& s = state();
  for (UINT i = 0; i < kUavSlots; i++) {
    UnorderedAccessView* view = nullptr;
    if (i >= start && i - start < count && views)
      view = ours(static_cast<UnorderedAccessView*>(static_cast<ID3D11UnorderedAccessView1*>(views[i - start])));
    if (view) {
      // Not through unbindUavs: that would also take what this call binds.
      for (UINT k = 0; k < s.computeUavCount; k++)
        if (const auto* u = s.computeUavs[k].get(); u && &u->resource() == &view->resource() &&
                                                    (u->resource().isBuffer() || u->range().overlaps(view->range())))
          s.computeUavs[k].set(nullptr);
      unbindReaders(view->resource(), view->range(), nullptr);
      unbindWrittenBuffer(view->resource());
      unbindStreamOut(view->resource());
    }
    s.outputUavs[i].set(view);
  }
  s.outputUavCount = highest(s.outputUavs, kUavSlots);
  s.computeUavCount = highest(s.computeUavs, s.computeUavCount);
}

void STDMETHODCALLTYPE Context::OMSetRenderTargetsAndUnorderedAccessViews(
    UINT targetCount, ID3D11RenderTargetView* const* targets, ID3D11DepthStencilView* depth, UINT uavStart, UINT uavCount,
    ID3D11UnorderedAccessView* const* uavs, const UINT* initialCounts) {
  (void)initialCounts; // counters come with unordered access itself
  const ContextLock lock(m_lock);
  Pipeline& s = state();
  const bool keepTargets = targetCount == D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL;
  const bool keepUavs = uavCount == D3D11_KEEP_UNORDERED_ACCESS_VIEWS;
  const UINT slots = device()->level() >= D3D_FEATURE_LEVEL_11_1 ? D3D11_1_UAV_SLOT_COUNT : D3D11_PS_CS_UAV_REGISTER_COUNT;
  if (!keepTargets && targetCount > kTargetSlots)
    return;
  if (!keepUavs && uavCount != 0) {
    if (uavStart >= slots || uavCount > slots - uavStart || (!keepTargets && uavStart < targetCount)) {
      base::logOnce("OMSetRenderTargetsAndUnorderedAccessViews: slots out of range; the call is ignored");
      return;
    }
    for (UINT i = 0; i < uavCount && uavs; i++)
      for (UINT k = 0; k < i; k++) {
        auto* a = ours(static_cast<UnorderedAccessView*>(static_cast<ID3D11UnorderedAccessView1*>(uavs[i])));
        auto* b = ours(static_cast<UnorderedAccessView*>(static_cast<ID3D11UnorderedAccessView1*>(uavs[k])));
        if (a && b && &a->resource() == &b->resource() && (a->resource().isBuffer() || a->range().overlaps(b->range()))) {
          base::logOnce("OMSetRenderTargetsAndUnorderedAccessViews: conflicting views; the call is ignored");
          return;
        }
      }
  }
  if (!keepTargets) {
    if (!setTargets(targetCount, targets, depth))
      return;
    if (keepUavs) {
      for (UINT i = 0; i < targetCount; i++)
        s.outputUavs[i].set(nullptr);
      s.outputUavCount = highest(s.outputUavs, s.outputUavCount);
    }
  }
  if (keepUavs)
    return;
  if (keepTargets && uavCount != 0) {
    for (UINT i = 0; i < kTargetSlots; i++) {
      const RenderTargetView* t = s.targets[i].get();
      bool conflict = t && i >= uavStart;
      for (UINT k = 0; t && k < uavCount && uavs && !conflict; k++) {
        auto* u = ours(static_cast<UnorderedAccessView*>(static_cast<ID3D11UnorderedAccessView1*>(uavs[k])));
        conflict = u && &u->resource() == &t->resource() && u->range().overlaps(t->range());
      }
      if (conflict) {
        s.targets[i].set(nullptr);
        m_dirty |= kGroupTargets;
      }
    }
    trimTargets();
  }
  setOutputUavs(uavStart, uavCount, uavs);
}

void STDMETHODCALLTYPE Context::CSSetUnorderedAccessViews(UINT start, UINT count, ID3D11UnorderedAccessView* const* views,
                                                          const UINT* initialCounts) {
  (void)initialCounts;
  const ContextLock lock(m_lock);
  const UINT slots = device()->level() >= D3D_FEATURE_LEVEL_11_1 ? D3D11_1_UAV_SLOT_COUNT : D3D11_PS_CS_UAV_REGISTER_COUNT;
  if (!rangeValid(start, count, slots))
    return;
  Pipeline& s = state();
  for (UINT i = 0; i < count; i++) {
    auto* view = views ? ours(static_cast<UnorderedAccessView*>(static_cast<ID3D11UnorderedAccessView1*>(views[i]))) : nullptr;
    if (view) {
      unbindReaders(view->resource(), view->range(), nullptr);
      for (UINT k = 0; k < s.targetCount; k++)
        if (const auto* t = s.targets[k].get(); t && &t->resource() == &view->resource() &&
                                                (t->resource().isBuffer() || t->range().overlaps(view->range()))) {
          s.targets[k].set(nullptr);
          m_dirty |= kGroupTargets;
        }
      unbindUavs(view->resource(), view->range());
      unbindWrittenBuffer(view->resource());
      unbindStreamOut(view->resource());
    }
    s.computeUavs[start + i].set(view);
    s.computeUavCount = std::max(s.computeUavCount, start + i + 1);
  }
  trimTargets();
  s.computeUavCount = highest(s.computeUavs, s.computeUavCount);
}

void STDMETHODCALLTYPE Context::SOSetTargets(UINT count, ID3D11Buffer* const* buffers, const UINT*) {
  const ContextLock lock(m_lock);
  Pipeline& s = state();
  if (count > s.streamOut.size())
    return;
  for (UINT i = 0; i < s.streamOut.size(); i++) {
    auto* buffer = i < count && buffers ? ours(static_cast<Buffer*>(buffers[i])) : nullptr;
    if (buffer && !(buffer->info().bindFlags & D3D11_BIND_STREAM_OUTPUT)) {
      base::logOnce("SOSetTargets: a buffer without stream-output bind flag");
      buffer = nullptr;
    }
    if (buffer && writtenElsewhere(buffer->info())) {
      base::logOnce("SOSetTargets: the buffer is bound for writing elsewhere; NULL is bound instead");
      buffer = nullptr;
    }
    if (buffer) {
      unbindReaders(buffer->info(), ViewRange(), nullptr);
      unbindWrittenBuffer(buffer->info());
    }
    s.streamOut[i].set(buffer);
  }
}

void Context::unbindTargets(const ResourceInfo& r) {
  Pipeline& s = state();
  for (auto& t : s.targets)
    if (t && &t->resource() == &r) {
      t.set(nullptr);
      m_dirty |= kGroupTargets;
    }
  trimTargets();
}

void Context::memoryChanged(const ResourceInfo& r) { m_dirty |= r.boundGroups; }

} // namespace monolith::d3d11
