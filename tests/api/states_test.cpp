// SPDX-License-Identifier: MIT
// State objects: descriptions, defaults, sharing, limits, rejected descriptions.
#include "fixture.h"

#include <cfloat>
#include <functional>

using namespace api;

namespace {

class States : public Api {
protected:
  ComPtr<ID3D11BlendState> blend(const D3D11_BLEND_DESC& d, HRESULT hr = S_OK) {
    ComPtr<ID3D11BlendState> s;
    EXPECT_EQ(device->CreateBlendState(&d, &s), hr);
    return s;
  }
  static D3D11_SAMPLER_DESC samplerDesc() {
    D3D11_SAMPLER_DESC d = {};
    d.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR;
    d.AddressU = d.AddressV = d.AddressW = D3D11_TEXTURE_ADDRESS_WRAP;
    d.ComparisonFunc = D3D11_COMPARISON_NEVER;
    d.MaxLOD = FLT_MAX;
    return d;
  }
  static D3D11_DEPTH_STENCIL_DESC depthDesc() { return CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT()); }
  static D3D11_RASTERIZER_DESC rasterizerDesc() { return CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT()); }
};
D3D11_BLEND_DESC blendDesc() { return CD3D11_BLEND_DESC(CD3D11_DEFAULT()); }

} // namespace

TEST_F(States, Blend) {
  // REQ: D0002 A0528 D0004 A0283
  D3D11_BLEND_DESC d = blendDesc();
  auto s = blend(d);
  D3D11_BLEND_DESC out;
  s->GetDesc(&out);
  EXPECT_FALSE(out.AlphaToCoverageEnable);
  EXPECT_FALSE(out.IndependentBlendEnable);
  for (const auto& t : out.RenderTarget) {
    EXPECT_FALSE(t.BlendEnable);
    EXPECT_EQ(t.SrcBlend, D3D11_BLEND_ONE);
    EXPECT_EQ(t.DestBlend, D3D11_BLEND_ZERO);
    EXPECT_EQ(t.BlendOp, D3D11_BLEND_OP_ADD);
    EXPECT_EQ(t.SrcBlendAlpha, D3D11_BLEND_ONE);
    EXPECT_EQ(t.DestBlendAlpha, D3D11_BLEND_ZERO);
    EXPECT_EQ(t.BlendOpAlpha, D3D11_BLEND_OP_ADD);
    EXPECT_EQ(t.RenderTargetWriteMask, D3D11_COLOR_WRITE_ENABLE_ALL);
  }
  d.IndependentBlendEnable = TRUE;
  for (int i = 0; i < 8; i++)
    d.RenderTarget[i] = {TRUE, D3D11_BLEND_SRC_ALPHA, D3D11_BLEND_INV_SRC_ALPHA, D3D11_BLEND_OP_MAX, D3D11_BLEND_ZERO,
                         D3D11_BLEND_DEST_ALPHA, D3D11_BLEND_OP_MIN, UINT8(i)};
  blend(d)->GetDesc(&out);
  for (int i = 0; i < 8; i++) {
    EXPECT_EQ(memcmp(&out.RenderTarget[i], &d.RenderTarget[i], offsetof(D3D11_RENDER_TARGET_BLEND_DESC, RenderTargetWriteMask)), 0);
    EXPECT_EQ(out.RenderTarget[i].RenderTargetWriteMask, i);
  }
}

TEST_F(States, Blend1) {
  // REQ: B0413 B0414 B0510 B0384 B0386 D0005
  D3D11_BLEND_DESC1 d = {};
  d.RenderTarget[0].RenderTargetWriteMask = 15;
  ComPtr<ID3D11BlendState1> s;
  ASSERT_EQ(device->CreateBlendState1(&d, &s), S_OK);
  D3D11_BLEND_DESC1 out;
  s->GetDesc1(&out);
  // What has no effect comes back with the defaults; so does the default state seen through the newer interface.
  ComPtr<ID3D11BlendState1> plain;
  ASSERT_EQ(blend(blendDesc()).As(&plain), S_OK);
  for (ID3D11BlendState1* of : {s.Get(), plain.Get()}) {
    of->GetDesc1(&out);
    const D3D11_RENDER_TARGET_BLEND_DESC1& t = out.RenderTarget[0];
    EXPECT_FALSE(out.AlphaToCoverageEnable || out.IndependentBlendEnable || t.BlendEnable || t.LogicOpEnable);
    EXPECT_EQ(t.SrcBlend, D3D11_BLEND_ONE);
    EXPECT_EQ(t.DestBlend, D3D11_BLEND_ZERO);
    EXPECT_EQ(t.BlendOp, D3D11_BLEND_OP_ADD);
    EXPECT_EQ(t.SrcBlendAlpha, D3D11_BLEND_ONE);
    EXPECT_EQ(t.DestBlendAlpha, D3D11_BLEND_ZERO);
    EXPECT_EQ(t.BlendOpAlpha, D3D11_BLEND_OP_ADD);
    EXPECT_EQ(t.LogicOp, D3D11_LOGIC_OP_NOOP);
    EXPECT_EQ(t.RenderTargetWriteMask, D3D11_COLOR_WRITE_ENABLE_ALL);
  }
  context->OMSetBlendState(s.Get(), nullptr, ~0u);
  ComPtr<ID3D11BlendState> bound;
  context->OMGetBlendState(&bound, nullptr, nullptr);
  EXPECT_TRUE(same(bound.Get(), s.Get()));
  d.RenderTarget[0].LogicOpEnable = TRUE;
  for (int op = D3D11_LOGIC_OP_CLEAR; op <= D3D11_LOGIC_OP_OR_INVERTED; op++) {
    d.RenderTarget[0].LogicOp = static_cast<D3D11_LOGIC_OP>(op);
    ASSERT_EQ(device->CreateBlendState1(&d, s.ReleaseAndGetAddressOf()), S_OK);
    s->GetDesc1(&out);
    EXPECT_EQ(out.RenderTarget[0].LogicOp, op);
  }
  // REQ: B0388 D0007 D0008
  d.RenderTarget[0].BlendEnable = TRUE;
  d.RenderTarget[0].SrcBlend = d.RenderTarget[0].DestBlend = D3D11_BLEND_ONE;
  d.RenderTarget[0].SrcBlendAlpha = d.RenderTarget[0].DestBlendAlpha = D3D11_BLEND_ONE;
  d.RenderTarget[0].BlendOp = d.RenderTarget[0].BlendOpAlpha = D3D11_BLEND_OP_ADD;
  EXPECT_EQ(device->CreateBlendState1(&d, &s), E_INVALIDARG);
  d.RenderTarget[0].BlendEnable = FALSE;
  d.IndependentBlendEnable = TRUE;
  EXPECT_EQ(device->CreateBlendState1(&d, &s), E_INVALIDARG);
  EXPECT_FALSE(s);
  // REQ: B0511
  ComPtr<ID3D11BlendState1> a, b;
  d.IndependentBlendEnable = FALSE;
  ASSERT_EQ(device->CreateBlendState1(&d, &a), S_OK);
  ASSERT_EQ(device->CreateBlendState1(&d, &b), S_OK);
  EXPECT_EQ(a.Get(), b.Get());
}

TEST_F(States, LogicOpsNeedTheLevel) {
  // REQ: D0010 B0514
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_3, D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_11_0,
                                        D3D_FEATURE_LEVEL_11_1}) {
    Created c = createDevice(level);
    D3D11_FEATURE_DATA_D3D11_OPTIONS o = {};
    c.device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS, &o, sizeof o);
    D3D11_BLEND_DESC1 d = {};
    d.RenderTarget[0].LogicOpEnable = TRUE;
    d.RenderTarget[0].LogicOp = D3D11_LOGIC_OP_XOR;
    d.RenderTarget[0].RenderTargetWriteMask = 15;
    ComPtr<ID3D11BlendState1> s;
    EXPECT_EQ(c.device->CreateBlendState1(&d, &s), o.OutputMergerLogicOp ? S_OK : E_INVALIDARG);
  }
}

TEST_F(States, AlphaToCoverageHasThreeValues) {
  // REQ: M0072 M0076
  std::vector<ComPtr<ID3D11BlendState1>> all;
  for (BOOL v = 0; v < 3; v++) {
    D3D11_BLEND_DESC1 d = {};
    d.AlphaToCoverageEnable = v;
    d.RenderTarget[0].RenderTargetWriteMask = 15;
    ComPtr<ID3D11BlendState1> s;
    ASSERT_EQ(device->CreateBlendState1(&d, &s), S_OK);
    D3D11_BLEND_DESC1 out;
    s->GetDesc1(&out);
    EXPECT_EQ(out.AlphaToCoverageEnable, v);
    for (auto& other : all)
      EXPECT_NE(other.Get(), s.Get());
    all.push_back(s);
  }
}

TEST_F(States, BlendRejections) {
  struct Row {
    std::function<void(D3D11_RENDER_TARGET_BLEND_DESC&)> change;
    const char* what;
  };
  const Row rows[] = {
      // REQ: A0284
      {[](auto& t) { t.SrcBlendAlpha = D3D11_BLEND_SRC_COLOR; }, "colour factor for source alpha"},
      {[](auto& t) { t.SrcBlendAlpha = D3D11_BLEND_INV_DEST_COLOR; }, "colour factor for source alpha"},
      {[](auto& t) { t.SrcBlendAlpha = D3D11_BLEND_SRC1_COLOR; }, "colour factor for source alpha"},
      // REQ: A0285
      {[](auto& t) { t.DestBlendAlpha = D3D11_BLEND_DEST_COLOR; }, "colour factor for destination alpha"},
      {[](auto& t) { t.DestBlendAlpha = D3D11_BLEND_INV_SRC1_COLOR; }, "colour factor for destination alpha"},
      {[](auto& t) { t.SrcBlend = static_cast<D3D11_BLEND>(0); }, "no factor"},
      {[](auto& t) { t.SrcBlend = static_cast<D3D11_BLEND>(12); }, "gap in the factors"},
      {[](auto& t) { t.DestBlend = static_cast<D3D11_BLEND>(20); }, "beyond the factors"},
      {[](auto& t) { t.BlendOp = static_cast<D3D11_BLEND_OP>(6); }, "beyond the operations"},
      {[](auto& t) { t.BlendOpAlpha = static_cast<D3D11_BLEND_OP>(0); }, "no operation"},
  };
  for (const Row& r : rows) {
    D3D11_BLEND_DESC d = blendDesc();
    d.RenderTarget[0].BlendEnable = TRUE;
    blend(d);
    r.change(d.RenderTarget[0]);
    SCOPED_TRACE(r.what);
    EXPECT_FALSE(blend(d, E_INVALIDARG));
  }
  D3D11_BLEND_DESC d = blendDesc();
  d.RenderTarget[0].RenderTargetWriteMask = 16;
  blend(d, E_INVALIDARG);
  EXPECT_EQ(device->CreateBlendState(nullptr, nullptr), E_INVALIDARG);
  d = blendDesc();
  EXPECT_EQ(device->CreateBlendState(&d, nullptr), S_FALSE);
}

TEST_F(States, AllBlendFactorsAndOperations) {
  for (int f = D3D11_BLEND_ZERO; f <= D3D11_BLEND_INV_SRC1_ALPHA; f++) {
    if (f == 12 || f == 13)
      continue;
    for (int op = D3D11_BLEND_OP_ADD; op <= D3D11_BLEND_OP_MAX; op++) {
      D3D11_BLEND_DESC d = blendDesc(), out;
      d.RenderTarget[0] = {TRUE, static_cast<D3D11_BLEND>(f), static_cast<D3D11_BLEND>(f), static_cast<D3D11_BLEND_OP>(op),
                           D3D11_BLEND_ONE, D3D11_BLEND_ONE, static_cast<D3D11_BLEND_OP>(op), 15};
      blend(d)->GetDesc(&out);
      EXPECT_EQ(out.RenderTarget[0].SrcBlend, f);
      EXPECT_EQ(out.RenderTarget[0].BlendOp, op);
    }
  }
}

TEST_F(States, DepthStencil) {
  // REQ: D0046 A0527 A0277 D0048
  D3D11_DEPTH_STENCIL_DESC d = depthDesc(), out;
  EXPECT_TRUE(d.DepthEnable);
  EXPECT_EQ(d.DepthFunc, D3D11_COMPARISON_LESS);
  ComPtr<ID3D11DepthStencilState> s;
  ASSERT_EQ(device->CreateDepthStencilState(&d, &s), S_OK);
  s->GetDesc(&out);
  EXPECT_EQ(out.DepthWriteMask, D3D11_DEPTH_WRITE_MASK_ALL);
  EXPECT_FALSE(out.StencilEnable);
  EXPECT_EQ(out.StencilReadMask, D3D11_DEFAULT_STENCIL_READ_MASK);
  EXPECT_EQ(out.StencilWriteMask, D3D11_DEFAULT_STENCIL_WRITE_MASK);
  for (const auto& face : {out.FrontFace, out.BackFace}) {
    EXPECT_EQ(face.StencilFunc, D3D11_COMPARISON_ALWAYS);
    EXPECT_EQ(face.StencilFailOp, D3D11_STENCIL_OP_KEEP);
    EXPECT_EQ(face.StencilPassOp, D3D11_STENCIL_OP_KEEP);
    EXPECT_EQ(face.StencilDepthFailOp, D3D11_STENCIL_OP_KEEP);
  }
  d.StencilEnable = TRUE;
  d.StencilReadMask = 0x0f;
  d.StencilWriteMask = 0xf0;
  d.FrontFace = {D3D11_STENCIL_OP_ZERO, D3D11_STENCIL_OP_INVERT, D3D11_STENCIL_OP_INCR, D3D11_COMPARISON_NOT_EQUAL};
  d.BackFace = {D3D11_STENCIL_OP_DECR, D3D11_STENCIL_OP_REPLACE, D3D11_STENCIL_OP_INCR_SAT, D3D11_COMPARISON_GREATER};
  ASSERT_EQ(device->CreateDepthStencilState(&d, s.ReleaseAndGetAddressOf()), S_OK);
  s->GetDesc(&out);
  EXPECT_EQ(memcmp(&out.FrontFace, &d.FrontFace, sizeof d.FrontFace), 0);
  EXPECT_EQ(memcmp(&out.BackFace, &d.BackFace, sizeof d.BackFace), 0);
  EXPECT_EQ(out.StencilReadMask, 0x0f);

  const std::function<void(D3D11_DEPTH_STENCIL_DESC&)> bad[] = {
      [](auto& x) { x.DepthFunc = static_cast<D3D11_COMPARISON_FUNC>(0); },
      [](auto& x) { x.DepthFunc = static_cast<D3D11_COMPARISON_FUNC>(9); },
      [](auto& x) { x.DepthWriteMask = static_cast<D3D11_DEPTH_WRITE_MASK>(2); },
      [](auto& x) { x.FrontFace.StencilFunc = static_cast<D3D11_COMPARISON_FUNC>(0); },
      [](auto& x) { x.BackFace.StencilPassOp = static_cast<D3D11_STENCIL_OP>(9); },
      [](auto& x) { x.BackFace.StencilFailOp = static_cast<D3D11_STENCIL_OP>(0); },
  };
  for (const auto& change : bad) {
    D3D11_DEPTH_STENCIL_DESC x = d;
    change(x);
    EXPECT_EQ(device->CreateDepthStencilState(&x, &s), E_INVALIDARG);
  }
}

TEST_F(States, Rasterizer) {
  // REQ: A0529 A0287 B0390
  D3D11_RASTERIZER_DESC d = rasterizerDesc(), out;
  ComPtr<ID3D11RasterizerState> s;
  ASSERT_EQ(device->CreateRasterizerState(&d, &s), S_OK);
  s->GetDesc(&out);
  EXPECT_EQ(memcmp(&d, &out, sizeof d), 0);
  EXPECT_EQ(out.FillMode, D3D11_FILL_SOLID);
  EXPECT_EQ(out.CullMode, D3D11_CULL_BACK);
  EXPECT_TRUE(out.DepthClipEnable);
  EXPECT_FALSE(out.FrontCounterClockwise || out.ScissorEnable || out.MultisampleEnable || out.AntialiasedLineEnable);
  EXPECT_EQ(out.DepthBias, 0);
  EXPECT_EQ(out.DepthBiasClamp, 0);
  EXPECT_EQ(out.SlopeScaledDepthBias, 0);
  ComPtr<ID3D11RasterizerState1> newer;
  ASSERT_EQ(s.As(&newer), S_OK);
  D3D11_RASTERIZER_DESC1 asNewer;
  newer->GetDesc1(&asNewer);
  EXPECT_EQ(memcmp(&asNewer, &d, sizeof d), 0);
  EXPECT_EQ(asNewer.ForcedSampleCount, 0u);
  // REQ: B0415 B0416 B0399
  for (const UINT count : {0u, 1u, 2u, 4u, 8u, 16u}) {
    D3D11_RASTERIZER_DESC1 d1 = {};
    memcpy(&d1, &d, sizeof d);
    d1.ForcedSampleCount = count;
    ComPtr<ID3D11RasterizerState1> s1;
    ASSERT_EQ(device->CreateRasterizerState1(&d1, &s1), S_OK) << count;
    D3D11_RASTERIZER_DESC1 out1;
    s1->GetDesc1(&out1);
    EXPECT_EQ(out1.ForcedSampleCount, count);
    context->RSSetState(s1.Get());
    ComPtr<ID3D11RasterizerState> bound;
    context->RSGetState(&bound);
    EXPECT_TRUE(same(bound.Get(), s1.Get()));
  }
  D3D11_RASTERIZER_DESC1 d1 = {};
  memcpy(&d1, &d, sizeof d);
  for (const UINT count : {3u, 5u, 32u}) {
    d1.ForcedSampleCount = count;
    ComPtr<ID3D11RasterizerState1> s1;
    EXPECT_EQ(device->CreateRasterizerState1(&d1, &s1), E_INVALIDARG) << count;
  }
  // REQ: B0669
  D3D11_RASTERIZER_DESC2 d2 = {}, out2;
  memcpy(&d2, &d, sizeof d);
  d2.ConservativeRaster = D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON;
  ComPtr<ID3D11RasterizerState2> s2;
  ASSERT_EQ(device->CreateRasterizerState2(&d2, &s2), S_OK);
  s2->GetDesc2(&out2);
  EXPECT_EQ(out2.ConservativeRaster, D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON);
  EXPECT_EQ(memcmp(&d2, &out2, sizeof d2), 0);
  context->RSSetState(s2.Get());
  ComPtr<ID3D11RasterizerState> bound;
  context->RSGetState(&bound);
  EXPECT_TRUE(same(bound.Get(), s2.Get()));
  ComPtr<ID3D11RasterizerState2> old;
  ASSERT_EQ(s.As(&old), S_OK);
  old->GetDesc2(&out2);
  EXPECT_EQ(out2.ConservativeRaster, D3D11_CONSERVATIVE_RASTERIZATION_MODE_OFF);

  const std::function<void(D3D11_RASTERIZER_DESC&)> bad[] = {
      [](auto& x) { x.FillMode = static_cast<D3D11_FILL_MODE>(1); },
      [](auto& x) { x.FillMode = static_cast<D3D11_FILL_MODE>(4); },
      [](auto& x) { x.CullMode = static_cast<D3D11_CULL_MODE>(0); },
      [](auto& x) { x.CullMode = static_cast<D3D11_CULL_MODE>(4); },
  };
  for (const auto& change : bad) {
    D3D11_RASTERIZER_DESC x = d;
    change(x);
    EXPECT_EQ(device->CreateRasterizerState(&x, &s), E_INVALIDARG);
  }
}

TEST_F(States, Sampler) {
  // REQ: A0530
  D3D11_SAMPLER_DESC d = samplerDesc(), out;
  d.MipLODBias = 1.5f;
  d.MinLOD = 1;
  d.MaxLOD = 3;
  d.AddressV = D3D11_TEXTURE_ADDRESS_BORDER;
  d.AddressW = D3D11_TEXTURE_ADDRESS_MIRROR_ONCE;
  d.BorderColor[1] = 0.5f;
  ComPtr<ID3D11SamplerState> s;
  ASSERT_EQ(device->CreateSamplerState(&d, &s), S_OK);
  s->GetDesc(&out);
  EXPECT_EQ(memcmp(&d, &out, sizeof d), 0);

  for (const UINT reduction : {0x000u, 0x080u, 0x100u, 0x180u})
    for (const UINT basic : {0x00u, 0x01u, 0x04u, 0x05u, 0x10u, 0x11u, 0x14u, 0x15u, 0x55u}) {
      D3D11_SAMPLER_DESC x = samplerDesc();
      x.Filter = static_cast<D3D11_FILTER>(reduction | basic);
      x.MaxAnisotropy = 4;
      x.ComparisonFunc = D3D11_COMPARISON_LESS_EQUAL;
      ComPtr<ID3D11SamplerState> f;
      ASSERT_EQ(device->CreateSamplerState(&x, &f), S_OK) << std::hex << x.Filter;
      f->GetDesc(&out);
      EXPECT_EQ(out.Filter, x.Filter);
      // REQ: A0117 A0118
      EXPECT_EQ(D3D11_DECODE_MIN_FILTER(out.Filter), basic >> 4 & 1);
      EXPECT_EQ(D3D11_DECODE_MAG_FILTER(out.Filter), basic >> 2 & 1);
      EXPECT_EQ(D3D11_DECODE_MIP_FILTER(out.Filter), basic & 1);
      const D3D11_FILTER linear[4] = {D3D11_FILTER_MIN_MAG_MIP_LINEAR, D3D11_FILTER_COMPARISON_MIN_MAG_MIP_LINEAR,
                                      D3D11_FILTER_MINIMUM_MIN_MAG_MIP_LINEAR, D3D11_FILTER_MAXIMUM_MIN_MAG_MIP_LINEAR};
      EXPECT_TRUE(basic != 0x15 || out.Filter == linear[reduction >> 7]);
      EXPECT_EQ(out.ComparisonFunc, reduction == 0x80 ? D3D11_COMPARISON_LESS_EQUAL : D3D11_COMPARISON_NEVER);
    }
  const std::function<void(D3D11_SAMPLER_DESC&)> bad[] = {
      // REQ: A0383
      [](auto& x) { x.Filter = D3D11_FILTER_ANISOTROPIC; x.MaxAnisotropy = 0; },
      [](auto& x) { x.Filter = D3D11_FILTER_ANISOTROPIC; x.MaxAnisotropy = 17; },
      [](auto& x) { x.Filter = D3D11_FILTER_COMPARISON_ANISOTROPIC; x.MaxAnisotropy = 0; },
      [](auto& x) { x.Filter = D3D11_FILTER_COMPARISON_ANISOTROPIC; x.MaxAnisotropy = 17; },
      // REQ: A0387
      [](auto& x) { x.MinLOD = 3; x.MaxLOD = 2; },
      [](auto& x) { x.AddressU = static_cast<D3D11_TEXTURE_ADDRESS_MODE>(0); },
      [](auto& x) { x.AddressW = static_cast<D3D11_TEXTURE_ADDRESS_MODE>(6); },
      [](auto& x) { x.Filter = static_cast<D3D11_FILTER>(2); },
      [](auto& x) { x.Filter = static_cast<D3D11_FILTER>(0x215); },
      [](auto& x) { x.Filter = D3D11_FILTER_COMPARISON_MIN_MAG_MIP_POINT; x.ComparisonFunc = static_cast<D3D11_COMPARISON_FUNC>(0); },
  };
  for (const auto& change : bad) {
    D3D11_SAMPLER_DESC x = samplerDesc();
    change(x);
    EXPECT_EQ(device->CreateSamplerState(&x, &s), E_INVALIDARG);
  }
  for (const UINT n : {0u, 1u, 16u, 17u})
    for (const D3D11_FILTER f : {D3D11_FILTER_MIN_MAG_MIP_LINEAR, D3D11_FILTER_ANISOTROPIC, D3D11_FILTER_COMPARISON_ANISOTROPIC}) {
      D3D11_SAMPLER_DESC x = samplerDesc();
      x.Filter = f;
      x.MaxAnisotropy = n;
      const bool valid = f == D3D11_FILTER_MIN_MAG_MIP_LINEAR || (n >= 1 && n <= 16);
      EXPECT_EQ(device->CreateSamplerState(&x, s.ReleaseAndGetAddressOf()), valid ? S_OK : E_INVALIDARG) << n << " " << f;
    }
}

TEST_F(States, EqualDescriptionsShareOneObject) {
  // REQ: D0099 B0516
  const D3D11_BLEND_DESC bd = blendDesc();
  auto b1 = blend(bd), b2 = blend(bd);
  EXPECT_EQ(b1.Get(), b2.Get());
  EXPECT_EQ(refs(b1), 2u);
  D3D11_BLEND_DESC noise = bd;
  noise.RenderTarget[0].SrcBlend = D3D11_BLEND_SRC_ALPHA; // without effect: blending is off
  EXPECT_EQ(blend(noise).Get(), b1.Get());

  const D3D11_DEPTH_STENCIL_DESC dd = depthDesc();
  ComPtr<ID3D11DepthStencilState> d1, d2;
  device->CreateDepthStencilState(&dd, &d1);
  device->CreateDepthStencilState(&dd, &d2);
  EXPECT_EQ(d1.Get(), d2.Get());

  const D3D11_RASTERIZER_DESC rd = rasterizerDesc();
  D3D11_RASTERIZER_DESC1 rd1 = {};
  memcpy(&rd1, &rd, sizeof rd);
  ComPtr<ID3D11RasterizerState> r1, r2;
  ComPtr<ID3D11RasterizerState1> r3;
  device->CreateRasterizerState(&rd, &r1);
  device->CreateRasterizerState(&rd, &r2);
  ComPtr<ID3D11RasterizerState1> r4;
  device->CreateRasterizerState1(&rd1, &r3);
  device->CreateRasterizerState1(&rd1, &r4);
  EXPECT_EQ(r1.Get(), r2.Get());
  EXPECT_TRUE(same(r1.Get(), r3.Get()));
  EXPECT_EQ(r3.Get(), r4.Get());

  const D3D11_SAMPLER_DESC sd = samplerDesc();
  ComPtr<ID3D11SamplerState> s1, s2;
  device->CreateSamplerState(&sd, &s1);
  device->CreateSamplerState(&sd, &s2);
  EXPECT_EQ(s1.Get(), s2.Get());
}

TEST_F(States, AtMost4096OfEachKind) {
  // Equal descriptions give the object that exists, also when no further one is to be had.
  // REQ: B0306 B0307 D0098 D0103 B0512
  std::vector<ComPtr<ID3D11BlendState>> blends;
  for (UINT i = 0; i < 4096; i++) {
    D3D11_BLEND_DESC d = blendDesc();
    d.IndependentBlendEnable = TRUE;
    for (int t = 0; t < 8; t++)
      d.RenderTarget[t].RenderTargetWriteMask = UINT8(t < 3 ? i >> (4 * t) & 15 : 0);
    blends.push_back(blend(d));
  }
  D3D11_BLEND_DESC extra = blendDesc();
  extra.AlphaToCoverageEnable = TRUE;
  blend(extra, D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  D3D11_BLEND_DESC1 extra1 = {};
  extra1.AlphaToCoverageEnable = TRUE;
  extra1.RenderTarget[0].RenderTargetWriteMask = 15;
  ComPtr<ID3D11BlendState1> newer, newest;
  EXPECT_EQ(device->CreateBlendState1(&extra1, &newer), D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  D3D11_BLEND_DESC again;
  blends[7]->GetDesc(&again);
  EXPECT_EQ(blend(again).Get(), blends[7].Get());
  ASSERT_EQ(blends[7].As(&newer), S_OK);
  newer->GetDesc1(&extra1);
  ASSERT_EQ(device->CreateBlendState1(&extra1, &newest), S_OK);
  EXPECT_EQ(newest.Get(), newer.Get());
  blends.pop_back();
  blend(extra);

  // REQ: B0309 B0310 D0100
  std::vector<ComPtr<ID3D11DepthStencilState>> depths(4096);
  D3D11_DEPTH_STENCIL_DESC d = depthDesc();
  d.StencilEnable = TRUE;
  for (UINT i = 0; i < 4096; i++) {
    d.StencilReadMask = UINT8(i);
    d.DepthFunc = static_cast<D3D11_COMPARISON_FUNC>(1 + (i >> 8 & 7));
    d.StencilWriteMask = UINT8(i >> 11);
    ASSERT_EQ(device->CreateDepthStencilState(&d, &depths[i]), S_OK);
  }
  d.StencilWriteMask = 99;
  ComPtr<ID3D11DepthStencilState> oneDepth;
  EXPECT_EQ(device->CreateDepthStencilState(&d, &oneDepth), D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  depths[9]->GetDesc(&d);
  EXPECT_EQ(device->CreateDepthStencilState(&d, &oneDepth), S_OK);
  EXPECT_EQ(oneDepth.Get(), depths[9].Get());

  // REQ: B0311 B0312 D0101 D0104 B0517
  std::vector<ComPtr<ID3D11RasterizerState>> rasters(4096);
  D3D11_RASTERIZER_DESC r = rasterizerDesc();
  for (UINT i = 0; i < 4096; i++) {
    r.DepthBias = INT(i);
    ASSERT_EQ(device->CreateRasterizerState(&r, &rasters[i]), S_OK);
  }
  r.DepthBias = -1;
  ComPtr<ID3D11RasterizerState> oneRaster;
  EXPECT_EQ(device->CreateRasterizerState(&r, &oneRaster), D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  D3D11_RASTERIZER_DESC1 r1 = {};
  memcpy(&r1, &r, sizeof r);
  ComPtr<ID3D11RasterizerState1> oneRaster1;
  EXPECT_EQ(device->CreateRasterizerState1(&r1, &oneRaster1), D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  r.DepthBias = r1.DepthBias = 9;
  EXPECT_EQ(device->CreateRasterizerState(&r, &oneRaster), S_OK);
  EXPECT_EQ(oneRaster.Get(), rasters[9].Get());
  EXPECT_EQ(device->CreateRasterizerState1(&r1, &oneRaster1), S_OK);
  EXPECT_TRUE(same(oneRaster1.Get(), rasters[9].Get()));

  // REQ: B0313 B0314 D0102
  std::vector<ComPtr<ID3D11SamplerState>> samplers(4096);
  D3D11_SAMPLER_DESC s = samplerDesc();
  for (UINT i = 0; i < 4096; i++) {
    s.MipLODBias = float(i) / 512;
    ASSERT_EQ(device->CreateSamplerState(&s, &samplers[i]), S_OK);
  }
  s.MipLODBias = -1;
  ComPtr<ID3D11SamplerState> oneSampler;
  EXPECT_EQ(device->CreateSamplerState(&s, &oneSampler), D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS);
  samplers[9]->GetDesc(&s);
  EXPECT_EQ(device->CreateSamplerState(&s, &oneSampler), S_OK);
  EXPECT_EQ(oneSampler.Get(), samplers[9].Get());
}

TEST_F(States, AreDeviceChildren) {
  // REQ: A0517 D0145
  const D3D11_BLEND_DESC bd = blendDesc();
  const D3D11_DEPTH_STENCIL_DESC dd = depthDesc();
  const D3D11_RASTERIZER_DESC rd = rasterizerDesc();
  const D3D11_SAMPLER_DESC sd = samplerDesc();
  ComPtr<ID3D11BlendState> b;
  ComPtr<ID3D11DepthStencilState> d;
  ComPtr<ID3D11RasterizerState> r;
  ComPtr<ID3D11SamplerState> s;
  device->CreateBlendState(&bd, &b);
  device->CreateDepthStencilState(&dd, &d);
  device->CreateRasterizerState(&rd, &r);
  device->CreateSamplerState(&sd, &s);
  auto vs = vertexShader(colorVertexShader());
  auto ps = pixelShader(colorPixelShader());
  ComPtr<ID3D11InputLayout> layout;
  const D3D11_INPUT_ELEMENT_DESC e[] = {{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
                                        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0}};
  device->CreateInputLayout(e, 2, colorVertexShader().data(), colorVertexShader().size(), &layout);
  auto vb = buffer(16, D3D11_BIND_VERTEX_BUFFER);
  auto view = srv(texture(4, 4, D3D11_BIND_SHADER_RESOURCE).Get());
  const D3D11_QUERY_DESC qd = {D3D11_QUERY_EVENT, 0};
  ComPtr<ID3D11Query> query;
  device->CreateQuery(&qd, &query);
  for (IUnknown* object : {static_cast<IUnknown*>(b.Get()), static_cast<IUnknown*>(d.Get()), static_cast<IUnknown*>(r.Get()),
                           static_cast<IUnknown*>(s.Get()), static_cast<IUnknown*>(vs.Get()), static_cast<IUnknown*>(ps.Get()),
                           static_cast<IUnknown*>(layout.Get()), static_cast<IUnknown*>(vb.Get()), static_cast<IUnknown*>(view.Get()),
                           static_cast<IUnknown*>(query.Get())}) {
    ASSERT_TRUE(object);
    ComPtr<ID3D11DeviceChild> child;
    EXPECT_EQ(object->QueryInterface(IID_PPV_ARGS(&child)), S_OK);
    ComPtr<ID3D11Device> of;
    child->GetDevice(&of);
    EXPECT_TRUE(same(of.Get(), device.Get()));
  }
}
