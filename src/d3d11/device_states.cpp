// SPDX-License-Identifier: MIT
#include "d3d11/device.h"
#include "d3d11/guard.h"

namespace monolith::d3d11 {

template <typename Interface> HRESULT Device::blendState(const D3D11_BLEND_DESC1& desc, Interface** out) {
  D3D11_BLEND_DESC1 canonical;
  if (!normalize(desc, {level()}, canonical))
    return E_INVALIDARG;
  if (!out)
    return S_FALSE;
  return guarded([&] { return m_caches.blend.get(canonical, out, [&] { return new BlendState(this, canonical); }); });
}

HRESULT STDMETHODCALLTYPE Device::CreateBlendState(const D3D11_BLEND_DESC* desc, ID3D11BlendState** out) {
  if (out)
    *out = nullptr;
  return desc ? blendState(widen(*desc), out) : E_INVALIDARG;
}
HRESULT STDMETHODCALLTYPE Device::CreateBlendState1(const D3D11_BLEND_DESC1* desc, ID3D11BlendState1** out) {
  if (out)
    *out = nullptr;
  return desc ? blendState(*desc, out) : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE Device::CreateDepthStencilState(const D3D11_DEPTH_STENCIL_DESC* desc,
                                                          ID3D11DepthStencilState** out) {
  if (out)
    *out = nullptr;
  D3D11_DEPTH_STENCIL_DESC canonical;
  if (!desc || !normalize(*desc, canonical))
    return E_INVALIDARG;
  if (!out)
    return S_FALSE;
  return guarded([&] {
    return m_caches.depthStencil.get(canonical, out, [&] { return new DepthStencilState(this, canonical); });
  });
}

template <typename Interface> HRESULT Device::rasterizerState(const D3D11_RASTERIZER_DESC2& desc, Interface** out) {
  D3D11_RASTERIZER_DESC2 canonical;
  if (!normalize(desc, {level()}, canonical))
    return E_INVALIDARG;
  if (!out)
    return S_FALSE;
  return guarded(
      [&] { return m_caches.rasterizer.get(canonical, out, [&] { return new RasterizerState(this, canonical); }); });
}
HRESULT STDMETHODCALLTYPE Device::CreateRasterizerState(const D3D11_RASTERIZER_DESC* desc, ID3D11RasterizerState** out) {
  if (out)
    *out = nullptr;
  return desc ? rasterizerState(widen(*desc), out) : E_INVALIDARG;
}
HRESULT STDMETHODCALLTYPE Device::CreateRasterizerState1(const D3D11_RASTERIZER_DESC1* desc,
                                                         ID3D11RasterizerState1** out) {
  if (out)
    *out = nullptr;
  return desc ? rasterizerState(widen(*desc), out) : E_INVALIDARG;
}
HRESULT STDMETHODCALLTYPE Device::CreateRasterizerState2(const D3D11_RASTERIZER_DESC2* desc,
                                                         ID3D11RasterizerState2** out) {
  if (out)
    *out = nullptr;
  return desc ? rasterizerState(*desc, out) : E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE Device::CreateSamplerState(const D3D11_SAMPLER_DESC* desc, ID3D11SamplerState** out) {
  if (out)
    *out = nullptr;
  D3D11_SAMPLER_DESC canonical;
  if (!desc || !normalize(*desc, {level()}, canonical))
    return E_INVALIDARG;
  if (!out)
    return S_FALSE;
  return guarded([&] { return m_caches.sampler.get(canonical, out, [&] { return new SamplerState(this, canonical); }); });
}

} // namespace monolith::d3d11
