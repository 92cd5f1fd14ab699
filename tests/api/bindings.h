// SPDX-License-Identifier: MIT
/// @file
/// The methods of every stage, and what is bound where.
#pragma once

#include "fixture.h"

namespace api {

inline constexpr UINT kSrv = D3D11_BIND_SHADER_RESOURCE, kRtv = D3D11_BIND_RENDER_TARGET, kDsv = D3D11_BIND_DEPTH_STENCIL,
               kUav = D3D11_BIND_UNORDERED_ACCESS;

using C = ID3D11DeviceContext4;
/// The methods of one stage.
struct StageMethods {
  const char* name;
  void (C::*setConstants)(UINT, UINT, ID3D11Buffer* const*);
  void (C::*getConstants)(UINT, UINT, ID3D11Buffer**);
  void (C::*setConstants1)(UINT, UINT, ID3D11Buffer* const*, const UINT*, const UINT*);
  void (C::*getConstants1)(UINT, UINT, ID3D11Buffer**, UINT*, UINT*);
  void (C::*setViews)(UINT, UINT, ID3D11ShaderResourceView* const*);
  void (C::*getViews)(UINT, UINT, ID3D11ShaderResourceView**);
  void (C::*setSamplers)(UINT, UINT, ID3D11SamplerState* const*);
  void (C::*getSamplers)(UINT, UINT, ID3D11SamplerState**);
};
#define STAGE(p)                                                                                                       \
  {#p, &C::p##SetConstantBuffers, &C::p##GetConstantBuffers, &C::p##SetConstantBuffers1, &C::p##GetConstantBuffers1,     \
   &C::p##SetShaderResources, &C::p##GetShaderResources, &C::p##SetSamplers, &C::p##GetSamplers}
inline const StageMethods kStages[] = {STAGE(VS), STAGE(PS), STAGE(GS), STAGE(HS), STAGE(DS), STAGE(CS)};
#undef STAGE

class Bindings : public Api {
protected:
  ComPtr<ID3D11SamplerState> sampler(float maxLod = 9) {
    D3D11_SAMPLER_DESC d = {};
    d.Filter = D3D11_FILTER_MIN_MAG_MIP_POINT;
    d.AddressU = d.AddressV = d.AddressW = D3D11_TEXTURE_ADDRESS_WRAP;
    d.MaxLOD = maxLod;
    ComPtr<ID3D11SamplerState> s;
    EXPECT_EQ(device->CreateSamplerState(&d, &s), S_OK);
    return s;
  }
  ComPtr<ID3D11ShaderResourceView> boundView(UINT slot = 0) {
    ComPtr<ID3D11ShaderResourceView> v;
    context->PSGetShaderResources(slot, 1, &v);
    return v;
  }
  ComPtr<ID3D11RenderTargetView> boundTarget(UINT slot = 0) {
    ID3D11RenderTargetView* v[8] = {};
    context->OMGetRenderTargets(8, v, nullptr);
    ComPtr<ID3D11RenderTargetView> result = v[slot];
    for (auto* x : v)
      if (x)
        x->Release();
    return result;
  }
  void bindView(ID3D11ShaderResourceView* v, UINT slot = 0) { context->PSSetShaderResources(slot, 1, &v); }
  void bindTarget(ID3D11RenderTargetView* v, ID3D11DepthStencilView* d = nullptr) { context->OMSetRenderTargets(v ? 1 : 0, &v, d); }
};

} // namespace api
