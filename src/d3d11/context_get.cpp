// SPDX-License-Identifier: MIT
/// @file
/// Getters: each interface returned carries a reference.
#include "d3d11/context.h"

#include <algorithm>
#include <cstring>

namespace monolith::d3d11 {

void Context::getConstants(Stage stage, UINT start, UINT count, ID3D11Buffer** buffers, UINT* first, UINT* counts) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count; i++) {
    const bool valid = start < kConstantSlots && i < kConstantSlots - start;
    const ConstantBinding* c = valid ? &state().stages[stage].constants[start + i] : nullptr;
    if (buffers)
      com::handOut(c ? c->buffer.get() : nullptr, &buffers[i]);
    if (first)
      first[i] = c && c->buffer ? c->first : 0;
    if (counts)
      counts[i] = c && c->buffer ? c->count : 0;
  }
}

void Context::getResources(Stage stage, UINT start, UINT count, ID3D11ShaderResourceView** views) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count && views; i++) {
    const bool valid = start < kResourceSlots && i < kResourceSlots - start;
    com::handOut(valid ? state().stages[stage].resources[start + i].get() : nullptr, &views[i]);
  }
}

void Context::getSamplers(Stage stage, UINT start, UINT count, ID3D11SamplerState** samplers) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count && samplers; i++) {
    const bool valid = start < kSamplerSlots && i < kSamplerSlots - start;
    com::handOut(valid ? state().stages[stage].samplers[start + i].get() : nullptr, &samplers[i]);
  }
}

template <typename Shader, typename Interface>
void Context::getShader(const com::PrivateRef<Shader>& slot, Interface** shader, UINT* instances) {
  const ContextLock lock(m_lock);
  com::handOut(slot.get(), shader);
  if (instances)
    *instances = 0;
}

#define MONOLITH_STAGE_GETTERS(prefix, stage, Interface, member)                                                       \
  void STDMETHODCALLTYPE Context::prefix##GetShader(Interface** shader, ID3D11ClassInstance**, UINT* instances) {      \
    getShader(state().member, shader, instances);                                                                      \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##GetConstantBuffers(UINT start, UINT count, ID3D11Buffer** buffers) {         \
    getConstants(stage, start, count, buffers, nullptr, nullptr);                                                      \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##GetConstantBuffers1(UINT start, UINT count, ID3D11Buffer** buffers,          \
                                                              UINT* first, UINT* counts) {                             \
    getConstants(stage, start, count, buffers, first, counts);                                                         \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##GetShaderResources(UINT start, UINT count, ID3D11ShaderResourceView** views) { \
    getResources(stage, start, count, views);                                                                          \
  }                                                                                                                    \
  void STDMETHODCALLTYPE Context::prefix##GetSamplers(UINT start, UINT count, ID3D11SamplerState** samplers) {         \
    getSamplers(stage, start, count, samplers);                                                                        \
  }
MONOLITH_STAGE_GETTERS(VS, kVertex, ID3D11VertexShader, vertexShader)
MONOLITH_STAGE_GETTERS(PS, kPixel, ID3D11PixelShader, pixelShader)
MONOLITH_STAGE_GETTERS(GS, kGeometry, ID3D11GeometryShader, geometryShader)
MONOLITH_STAGE_GETTERS(HS, kHull, ID3D11HullShader, hullShader)
MONOLITH_STAGE_GETTERS(DS, kDomain, ID3D11DomainShader, domainShader)
MONOLITH_STAGE_GETTERS(CS, kCompute, ID3D11ComputeShader, computeShader)
#undef MONOLITH_STAGE_GETTERS

void STDMETHODCALLTYPE Context::CSGetUnorderedAccessViews(UINT start, UINT count, ID3D11UnorderedAccessView** views) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count && views; i++)
    com::handOut(start < kUavSlots && i < kUavSlots - start ? state().computeUavs[start + i].get() : nullptr, &views[i]);
}

void STDMETHODCALLTYPE Context::IAGetInputLayout(ID3D11InputLayout** layout) {
  const ContextLock lock(m_lock);
  com::handOut(state().inputLayout.get(), layout);
}

void STDMETHODCALLTYPE Context::IAGetVertexBuffers(UINT start, UINT count, ID3D11Buffer** buffers, UINT* strides,
                                                   UINT* offsets) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count; i++) {
    const bool valid = start < kStreamSlots && i < kStreamSlots - start;
    const VertexBinding* v = valid ? &state().streams[start + i] : nullptr;
    if (buffers)
      com::handOut(v ? v->buffer.get() : nullptr, &buffers[i]);
    if (strides)
      strides[i] = v ? v->stride : 0;
    if (offsets)
      offsets[i] = v ? v->offset : 0;
  }
}

void STDMETHODCALLTYPE Context::IAGetIndexBuffer(ID3D11Buffer** buffer, DXGI_FORMAT* format, UINT* offset) {
  const ContextLock lock(m_lock);
  com::handOut(state().indexBuffer.get(), buffer);
  if (format)
    *format = state().indexFormat;
  if (offset)
    *offset = state().indexOffset;
}

void STDMETHODCALLTYPE Context::IAGetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY* topology) {
  const ContextLock lock(m_lock);
  if (topology)
    *topology = state().topology;
}

void STDMETHODCALLTYPE Context::RSGetState(ID3D11RasterizerState** rasterizer) {
  const ContextLock lock(m_lock);
  com::handOut(state().rasterizer.get(), rasterizer);
}

void STDMETHODCALLTYPE Context::RSGetViewports(UINT* count, D3D11_VIEWPORT* viewports) {
  const ContextLock lock(m_lock);
  if (!count)
    return;
  const UINT bound = state().viewportCount;
  if (viewports)
    for (UINT i = 0; i < *count; i++)
      viewports[i] = i < bound ? state().viewports[i] : D3D11_VIEWPORT{};
  *count = viewports ? std::min(*count, bound) : bound;
}

void STDMETHODCALLTYPE Context::RSGetScissorRects(UINT* count, D3D11_RECT* rects) {
  const ContextLock lock(m_lock);
  if (!count)
    return;
  const UINT bound = state().scissorCount;
  if (rects)
    for (UINT i = 0; i < *count; i++)
      rects[i] = i < bound ? state().scissors[i] : D3D11_RECT{};
  *count = rects ? std::min(*count, bound) : bound;
}

void STDMETHODCALLTYPE Context::OMGetBlendState(ID3D11BlendState** blend, FLOAT factor[4], UINT* sampleMask) {
  const ContextLock lock(m_lock);
  com::handOut(state().blend.get(), blend);
  if (factor)
    std::memcpy(factor, state().blendFactor, sizeof state().blendFactor);
  if (sampleMask)
    *sampleMask = state().sampleMask;
}

void STDMETHODCALLTYPE Context::OMGetDepthStencilState(ID3D11DepthStencilState** depthStencil, UINT* reference) {
  const ContextLock lock(m_lock);
  com::handOut(state().depthStencil.get(), depthStencil);
  if (reference)
    *reference = state().stencilRef;
}

void STDMETHODCALLTYPE Context::OMGetRenderTargets(UINT count, ID3D11RenderTargetView** views,
                                                   ID3D11DepthStencilView** depth) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count && views; i++)
    com::handOut(i < kTargetSlots ? state().targets[i].get() : nullptr, &views[i]);
  com::handOut(state().depthView.get(), depth);
}

void STDMETHODCALLTYPE Context::OMGetRenderTargetsAndUnorderedAccessViews(UINT targetCount,
                                                                          ID3D11RenderTargetView** targets,
                                                                          ID3D11DepthStencilView** depth, UINT uavStart,
                                                                          UINT uavCount,
                                                                          ID3D11UnorderedAccessView** uavs) {
  const ContextLock lock(m_lock);
  OMGetRenderTargets(targetCount, targets, depth);
  for (UINT i = 0; i < uavCount && uavs; i++)
    com::handOut(uavStart < kUavSlots && i < kUavSlots - uavStart ? state().outputUavs[uavStart + i].get() : nullptr,
                 &uavs[i]);
}

void STDMETHODCALLTYPE Context::SOGetTargets(UINT count, ID3D11Buffer** buffers) {
  const ContextLock lock(m_lock);
  for (UINT i = 0; i < count && buffers; i++)
    com::handOut(i < state().streamOut.size() ? state().streamOut[i].get() : nullptr, &buffers[i]);
}

void STDMETHODCALLTYPE Context::GetPredication(ID3D11Predicate** predicate, WINBOOL* value) {
  const ContextLock lock(m_lock);
  com::handOut(state().predicate.get(), predicate);
  if (value)
    *value = state().predicateValue;
}

} // namespace monolith::d3d11
