// SPDX-License-Identifier: MIT
// Setters and getters of every stage, references that bindings hold, ClearState.
#include "bindings.h"

#include <cmath>

using namespace api;

TEST_F(Bindings, ConstantBuffersOfEveryStage) {
  // REQ: A0583 B0012 B0013 B0018 B0025 B0051 B0055 B0060 D0014
  auto a = buffer(64, D3D11_BIND_CONSTANT_BUFFER), b = buffer(64, D3D11_BIND_CONSTANT_BUFFER);
  for (const StageMethods& s : kStages) {
    SCOPED_TRACE(s.name);
    C* c = context.Get();
    ID3D11Buffer* two[2] = {a.Get(), b.Get()};
    (c->*s.setConstants)(12, 2, two);
    ID3D11Buffer* out[3] = {};
    (c->*s.getConstants)(11, 3, out);
    EXPECT_EQ(out[0], nullptr);
    EXPECT_EQ(out[1], a.Get());
    EXPECT_EQ(out[2], b.Get());
    // REQ: D0169
    EXPECT_EQ(refs(a), 2u) << "the getter's reference";
    out[1]->Release();
    out[2]->Release();
    // Beyond the slots: nothing changes.
    (c->*s.setConstants)(13, 2, two);
    (c->*s.setConstants)(14, 1, two);
    (c->*s.getConstants)(13, 1, out);
    EXPECT_EQ(out[0], b.Get());
    out[0]->Release();
    ID3D11Buffer* none[2] = {};
    (c->*s.setConstants)(12, 2, none);
    (c->*s.getConstants)(12, 2, out);
    EXPECT_EQ(out[0], nullptr);
  }
}

TEST_F(Bindings, ConstantBufferWindows) {
  // REQ: B0454 B0451 B0443
  auto big = buffer(1 << 20, D3D11_BIND_CONSTANT_BUFFER);
  struct Row {
    UINT first, count;
    bool valid;
  };
  const Row rows[] = {{0, 16, true},    {16, 4096, true}, {65520, 32, true}, {1 << 20, 16, true}, {32, 0, true},
                      // REQ: B0452
                      {8, 16, false},
                      // REQ: B0453
                      {16, 20, false},
                      // REQ: B0444
                      {0, 4112, false}};
  for (const StageMethods& s : kStages) {
    SCOPED_TRACE(s.name);
    C* c = context.Get();
    for (const Row& r : rows) {
      const UINT f0 = 48, n0 = 64;
      (c->*s.setConstants1)(3, 1, big.GetAddressOf(), &f0, &n0);
      (c->*s.setConstants1)(3, 1, big.GetAddressOf(), &r.first, &r.count);
      ComPtr<ID3D11Buffer> out;
      UINT first = 7, count = 7;
      (c->*s.getConstants1)(3, 1, &out, &first, &count);
      EXPECT_EQ(out.Get(), big.Get());
      EXPECT_EQ(first, r.valid ? r.first : f0);
      EXPECT_EQ(count, r.valid ? r.count : n0);
    }
    // Of several slots none changes when one is wrong.
    {
      ID3D11Buffer* two[2] = {big.Get(), big.Get()};
      const UINT firsts[2] = {16, 32}, counts[2] = {16, 4112};
      (c->*s.setConstants1)(3, 2, two, firsts, counts);
      UINT f2[2] = {7, 7}, n2[2] = {7, 7};
      ID3D11Buffer* none[2] = {};
      (c->*s.getConstants1)(3, 2, none, f2, n2);
      EXPECT_EQ(f2[0], 48u);
      EXPECT_EQ(none[1], nullptr);
      if (none[0])
        none[0]->Release();
      // The last slot, and what lies beyond it.
      (c->*s.setConstants1)(13, 1, two, firsts, firsts);
      (c->*s.setConstants1)(13, 2, two, firsts + 1, firsts);
      (c->*s.setConstants1)(14, 1, two, firsts + 1, firsts);
      (c->*s.setConstants1)(13, 0, two, firsts + 1, firsts);
      (c->*s.getConstants1)(13, 1, nullptr, f2, n2);
      EXPECT_EQ(f2[0], 16u);
      EXPECT_EQ(n2[0], 16u);
    }
    // REQ: B0449
    const UINT f = 16;
    (c->*s.setConstants1)(3, 1, big.GetAddressOf(), &f, nullptr);
    UINT first = 7, count = 7;
    (c->*s.getConstants1)(3, 1, nullptr, &first, &count);
    EXPECT_EQ(first, 48u);
    (c->*s.setConstants1)(3, 1, big.GetAddressOf(), nullptr, nullptr);
    (c->*s.getConstants1)(3, 1, nullptr, &first, &count);
    EXPECT_EQ(first, 0u);
    // REQ: B0455
    ComPtr<ID3D11Buffer> empty;
    first = count = 7;
    (c->*s.getConstants1)(9, 1, &empty, &first, &count);
    EXPECT_FALSE(empty);
    EXPECT_EQ(first, 0u);
    EXPECT_EQ(count, 0u);
  }
}

TEST_F(Bindings, ViewsAndSamplersOfEveryStage) {
  // REQ: A0587 A0595 A0772 A0773 A0776 B0008 B0014 B0016 B0028 B0029 B0032 B0033 B0048 B0050 B0052 B0054 B0056 B0059 D0075
  auto view = srv(texture(8, 8, kSrv).Get());
  auto smp = sampler();
  for (const StageMethods& s : kStages) {
    SCOPED_TRACE(s.name);
    C* c = context.Get();
    (c->*s.setViews)(127, 1, view.GetAddressOf());
    ComPtr<ID3D11ShaderResourceView> v;
    (c->*s.getViews)(127, 1, &v);
    EXPECT_EQ(v.Get(), view.Get());
    EXPECT_EQ(refs(view), 2u) << "the getter's reference"; // REQ: D0169
    ID3D11ShaderResourceView* two[2] = {};
    (c->*s.setViews)(127, 2, two);
    (c->*s.getViews)(127, 1, v.ReleaseAndGetAddressOf());
    EXPECT_EQ(v.Get(), view.Get()) << "beyond the slots: ignored";
    (c->*s.setSamplers)(15, 1, smp.GetAddressOf());
    ComPtr<ID3D11SamplerState> x;
    (c->*s.getSamplers)(15, 1, &x);
    EXPECT_EQ(x.Get(), smp.Get());
    EXPECT_EQ(refs(smp), 2u);
    ID3D11SamplerState* none[2] = {};
    (c->*s.setSamplers)(15, 2, none);
    (c->*s.getSamplers)(15, 1, x.ReleaseAndGetAddressOf());
    EXPECT_EQ(x.Get(), smp.Get());
  }
}

TEST_F(Bindings, ShadersOfStages) {
  // REQ: A0546 A0550 D0097
  auto vs = vertexShader(colorVertexShader());
  auto ps = pixelShader(colorPixelShader());
  context->VSSetShader(vs.Get(), nullptr, 0);
  context->PSSetShader(ps.Get(), nullptr, 0);
  ComPtr<ID3D11VertexShader> v;
  ComPtr<ID3D11PixelShader> p;
  UINT instances = 7;
  context->VSGetShader(&v, nullptr, &instances);
  context->PSGetShader(&p, nullptr, &instances);
  EXPECT_EQ(v.Get(), vs.Get());
  EXPECT_EQ(p.Get(), ps.Get());
  EXPECT_EQ(instances, 0u);
  EXPECT_EQ(refs(vs), 2u);
  // REQ: A0547 A0548 A0551 B0294 B0302 B0303 D0039
  static const char kStagesText[] = R"(
struct P { float4 p : SV_Position; };
struct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };
[maxvertexcount(3)] void gs(triangle P p[3], inout TriangleStream<P> o) { o.Append(p[0]); o.Append(p[1]); o.Append(p[2]); }
C constants(InputPatch<P, 3> p) { C c; c.e[0] = c.e[1] = c.e[2] = c.i = 1; return c; }
[domain("tri")] [partitioning("integer")] [outputtopology("triangle_cw")] [outputcontrolpoints(3)] [patchconstantfunc("constants")]
P hs(InputPatch<P, 3> p, uint i : SV_OutputControlPointID) { return p[i]; }
[domain("tri")] P ds(C c, float3 at : SV_DomainLocation, const OutputPatch<P, 3> p) {
  P o; o.p = p[0].p * at.x + p[1].p * at.y + p[2].p * at.z; return o; }
)";
  const auto gsCode = compileShader(kStagesText, "gs", "gs_5_0"), hsCode = compileShader(kStagesText, "hs", "hs_5_0"),
             dsCode = compileShader(kStagesText, "ds", "ds_5_0");
  ComPtr<ID3D11GeometryShader> gs, gotGs;
  ComPtr<ID3D11HullShader> hs, gotHs;
  ComPtr<ID3D11DomainShader> ds, gotDs;
  ComPtr<ID3D11ComputeShader> cs, gotCs;
  ASSERT_EQ(device->CreateGeometryShader(gsCode.data(), gsCode.size(), nullptr, &gs), S_OK);
  ASSERT_EQ(device->CreateHullShader(hsCode.data(), hsCode.size(), nullptr, &hs), S_OK);
  ASSERT_EQ(device->CreateDomainShader(dsCode.data(), dsCode.size(), nullptr, &ds), S_OK);
  ASSERT_EQ(device->CreateComputeShader(computeShader().data(), computeShader().size(), nullptr, &cs), S_OK);
  context->GSSetShader(gs.Get(), nullptr, 0);
  context->HSSetShader(hs.Get(), nullptr, 0);
  context->DSSetShader(ds.Get(), nullptr, 0);
  context->CSSetShader(cs.Get(), nullptr, 0);
  context->GSGetShader(&gotGs, nullptr, nullptr);
  context->HSGetShader(&gotHs, nullptr, nullptr);
  context->DSGetShader(&gotDs, nullptr, nullptr);
  context->CSGetShader(&gotCs, nullptr, nullptr);
  EXPECT_TRUE(gotGs == gs && gotHs == hs && gotDs == ds && gotCs == cs);
  context->VSSetShader(nullptr, nullptr, 0);
  context->VSGetShader(v.ReleaseAndGetAddressOf(), nullptr, nullptr);
  EXPECT_FALSE(v);
}

TEST_F(Bindings, HoldTheirObjects) {
  // A bound object lives when the application lets go of it: getters find it.
  // REQ: A0584 A0589 A0597 A0610 A0613 A0645 A0677 A0680 A0698 B0007 B0009 D0161 D0162 D0164 D0166 D0277 D0282
  {
    auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER), vb = buffer(16, D3D11_BIND_VERTEX_BUFFER),
         ib = buffer(16, D3D11_BIND_INDEX_BUFFER);
    const UINT stride = 4, offset = 0;
    UINT n = 0;
    for (const StageMethods& s : kStages) {
      auto own = buffer(32 + 16 * n, D3D11_BIND_CONSTANT_BUFFER);
      auto view = srv(texture(8 + n, 8, kSrv).Get());
      auto ownSampler = sampler(float(++n));
      (context.Get()->*s.setConstants)(1, 1, own.GetAddressOf());
      (context.Get()->*s.setViews)(1, 1, view.GetAddressOf());
      (context.Get()->*s.setSamplers)(1, 1, ownSampler.GetAddressOf());
    }
    context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
    context->IASetVertexBuffers(0, 1, vb.GetAddressOf(), &stride, &offset);
    context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 0);
    bindView(srv(texture(8, 8, kSrv).Get()).Get());
    auto smp = sampler();
    context->PSSetSamplers(0, 1, smp.GetAddressOf());
    context->VSSetShader(vertexShader(colorVertexShader()).Get(), nullptr, 0);
    bindTarget(rtv(texture(8, 8, kRtv).Get()).Get(), dsv(texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT).Get()).Get());
    ComPtr<ID3D11UnorderedAccessView> uav;
    ASSERT_EQ(device->CreateUnorderedAccessView(texture(8, 8, kUav).Get(), nullptr, &uav), S_OK);
    context->CSSetUnorderedAccessViews(3, 1, uav.GetAddressOf(), nullptr);
    ComPtr<ID3D11InputLayout> layout;
    ASSERT_EQ(device->CreateInputLayout(nullptr, 0, fullscreenVertexShader().data(), fullscreenVertexShader().size(), &layout), S_OK);
    context->IASetInputLayout(layout.Get());
    D3D11_BLEND_DESC bd = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
    bd.AlphaToCoverageEnable = TRUE;
    D3D11_DEPTH_STENCIL_DESC dd = CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT());
    dd.DepthEnable = FALSE;
    D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
    rd.ScissorEnable = TRUE;
    ComPtr<ID3D11BlendState> b;
    ComPtr<ID3D11DepthStencilState> d;
    ComPtr<ID3D11RasterizerState> r;
    device->CreateBlendState(&bd, &b);
    device->CreateDepthStencilState(&dd, &d);
    device->CreateRasterizerState(&rd, &r);
    context->OMSetBlendState(b.Get(), nullptr, ~0u);
    context->OMSetDepthStencilState(d.Get(), 3);
    context->RSSetState(r.Get());
  }
  ComPtr<ID3D11Buffer> cb, vb, ib;
  context->PSGetConstantBuffers(0, 1, &cb);
  context->IAGetVertexBuffers(0, 1, &vb, nullptr, nullptr);
  context->IAGetIndexBuffer(&ib, nullptr, nullptr);
  ComPtr<ID3D11SamplerState> smp;
  context->PSGetSamplers(0, 1, &smp);
  ComPtr<ID3D11VertexShader> vs;
  context->VSGetShader(&vs, nullptr, nullptr);
  ComPtr<ID3D11InputLayout> layout;
  context->IAGetInputLayout(&layout);
  ComPtr<ID3D11BlendState> b;
  ComPtr<ID3D11DepthStencilState> d;
  ComPtr<ID3D11RasterizerState> r;
  context->OMGetBlendState(&b, nullptr, nullptr);
  context->OMGetDepthStencilState(&d, nullptr);
  context->RSGetState(&r);
  EXPECT_TRUE(cb && vb && ib && smp && vs && layout && b && d && r && boundView() && boundTarget());
  D3D11_BUFFER_DESC bufferDesc;
  cb->GetDesc(&bufferDesc);
  EXPECT_EQ(bufferDesc.ByteWidth, 16u);
  UINT n = 0;
  for (const StageMethods& s : kStages) {
    ComPtr<ID3D11Buffer> own;
    ComPtr<ID3D11ShaderResourceView> view;
    ComPtr<ID3D11SamplerState> ownSampler;
    (context.Get()->*s.getConstants)(1, 1, &own);
    (context.Get()->*s.getViews)(1, 1, &view);
    (context.Get()->*s.getSamplers)(1, 1, &ownSampler);
    ASSERT_TRUE(own && view && ownSampler) << s.name;
    own->GetDesc(&bufferDesc);
    EXPECT_EQ(bufferDesc.ByteWidth, 32 + 16 * n);
    ComPtr<ID3D11Resource> of;
    view->GetResource(&of);
    D3D11_TEXTURE2D_DESC textureDesc;
    static_cast<ID3D11Texture2D*>(of.Get())->GetDesc(&textureDesc);
    EXPECT_EQ(textureDesc.Width, 8 + n);
    D3D11_SAMPLER_DESC samplerDesc;
    ownSampler->GetDesc(&samplerDesc);
    EXPECT_EQ(samplerDesc.MaxLOD, float(++n));
  }
  ComPtr<ID3D11DepthStencilView> depth;
  context->OMGetRenderTargets(0, nullptr, &depth);
  ComPtr<ID3D11UnorderedAccessView> uav;
  context->CSGetUnorderedAccessViews(3, 1, &uav);
  ASSERT_TRUE(depth && uav);
  D3D11_UNORDERED_ACCESS_VIEW_DESC uavDesc;
  uav->GetDesc(&uavDesc);
  EXPECT_EQ(uavDesc.ViewDimension, D3D11_UAV_DIMENSION_TEXTURE2D);
  D3D11_RASTERIZER_DESC rasterDesc;
  r->GetDesc(&rasterDesc);
  EXPECT_TRUE(rasterDesc.ScissorEnable);
  // REQ: D0170
  EXPECT_TRUE(refs(vb) == 1 && refs(ib) == 1 && refs(layout) == 1 && refs(b) == 1 && refs(d) == 1 && refs(depth) == 1);
  EXPECT_EQ(refs(boundTarget()), 1u);
  ComPtr<ID3D11Buffer> again;
  context->IAGetVertexBuffers(0, 1, &again, nullptr, nullptr);
  EXPECT_EQ(refs(vb), 2u);
}

TEST_F(Bindings, InputAssembler) {
  // REQ: B0020 B0021 B0022 D0012
  ComPtr<ID3D11Buffer> b[3];
  ID3D11Buffer* raw[3];
  for (int i = 0; i < 3; i++)
    raw[i] = (b[i] = buffer(64, D3D11_BIND_VERTEX_BUFFER)).Get();
  const UINT strides[3] = {5, 7, 9}, offsets[3] = {1, 2, 3};
  context->IASetVertexBuffers(0, 3, raw, strides, offsets);
  ID3D11Buffer* out[3] = {};
  UINT s[3] = {}, o[3] = {};
  context->IAGetVertexBuffers(1, 3, out, s, o);
  EXPECT_EQ(out[0], raw[1]);
  EXPECT_EQ(out[1], raw[2]);
  EXPECT_EQ(out[2], nullptr);
  EXPECT_EQ(s[1], 9u);
  EXPECT_EQ(o[0], 2u);
  out[0]->Release();
  out[1]->Release();
  context->IASetVertexBuffers(31, 1, raw, strides, offsets);
  ComPtr<ID3D11Buffer> last;
  context->IAGetVertexBuffers(31, 1, &last, nullptr, nullptr);
  EXPECT_EQ(last.Get(), raw[0]);
  context->IASetVertexBuffers(31, 2, raw, strides, offsets);
  context->IASetVertexBuffers(32, 1, raw, strides, offsets);
  ID3D11Buffer* beyond[2] = {nullptr, raw[1]};
  context->IAGetVertexBuffers(31, 2, beyond, nullptr, nullptr);
  EXPECT_EQ(beyond[0], raw[0]);
  EXPECT_EQ(beyond[1], nullptr) << "no 33rd slot";
  beyond[0]->Release();
  {
    Created ten = createDevice(D3D_FEATURE_LEVEL_10_0);
    const D3D11_BUFFER_DESC desc = {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
    ComPtr<ID3D11Buffer> vb, got15, got16;
    ASSERT_EQ(ten.device->CreateBuffer(&desc, nullptr, &vb), S_OK);
    ten.context->IASetVertexBuffers(15, 1, vb.GetAddressOf(), strides, offsets);
    ten.context->IASetVertexBuffers(16, 1, vb.GetAddressOf(), strides, offsets);
    ten.context->IAGetVertexBuffers(15, 1, &got15, nullptr, nullptr);
    ten.context->IAGetVertexBuffers(16, 1, &got16, nullptr, nullptr);
    EXPECT_TRUE(got15);
    EXPECT_FALSE(got16);
  }
  context->IAGetVertexBuffers(30, 1, last.ReleaseAndGetAddressOf(), nullptr, nullptr);
  EXPECT_FALSE(last);
  // REQ: B0023 B0024 A0614 A0615
  auto ib = buffer(64, D3D11_BIND_INDEX_BUFFER);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R32_UINT, 8);
  ComPtr<ID3D11Buffer> index;
  DXGI_FORMAT format;
  UINT offset;
  context->IAGetIndexBuffer(&index, &format, &offset);
  EXPECT_EQ(index.Get(), ib.Get());
  EXPECT_EQ(format, DXGI_FORMAT_R32_UINT);
  EXPECT_EQ(offset, 8u);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R8_UINT, 0);
  context->IAGetIndexBuffer(index.ReleaseAndGetAddressOf(), &format, &offset);
  EXPECT_EQ(format, DXGI_FORMAT_R32_UINT) << "another format is refused";
  context->IASetIndexBuffer(raw[0], DXGI_FORMAT_R16_UINT, 0);
  context->IAGetIndexBuffer(index.ReleaseAndGetAddressOf(), nullptr, nullptr);
  EXPECT_FALSE(index) << "a buffer without the bind flag is not bound";
  // REQ: B0027
  for (const D3D11_PRIMITIVE_TOPOLOGY t :
       {D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP,
        D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, D3D11_PRIMITIVE_TOPOLOGY_LINELIST_ADJ,
        D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ, D3D11_PRIMITIVE_TOPOLOGY_32_CONTROL_POINT_PATCHLIST}) {
    context->IASetPrimitiveTopology(t);
    D3D11_PRIMITIVE_TOPOLOGY got;
    context->IAGetPrimitiveTopology(&got);
    EXPECT_EQ(got, t);
  }
  // REQ: B0019
  ComPtr<ID3D11InputLayout> layout, gotLayout;
  ASSERT_EQ(device->CreateInputLayout(nullptr, 0, fullscreenVertexShader().data(), fullscreenVertexShader().size(), &layout), S_OK);
  context->IASetInputLayout(layout.Get());
  context->IAGetInputLayout(&gotLayout);
  EXPECT_EQ(gotLayout.Get(), layout.Get());
  EXPECT_EQ(refs(layout), 2u);
  context->ClearState();
  context->IAGetInputLayout(gotLayout.ReleaseAndGetAddressOf());
  EXPECT_FALSE(gotLayout);
}

TEST_F(Bindings, OneBufferInSeveralPlaces) {
  // REQ: A0540 D0015
  auto b = buffer(64, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | kSrv);
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.Format = DXGI_FORMAT_R32_FLOAT;
  d.ViewDimension = D3D11_SRV_DIMENSION_BUFFER;
  d.Buffer.NumElements = 16;
  auto v = srv(b.Get(), &d);
  const UINT stride = 4, offset = 0;
  context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  context->IASetIndexBuffer(b.Get(), DXGI_FORMAT_R16_UINT, 0);
  bindView(v.Get());
  context->VSSetShaderResources(2, 1, v.GetAddressOf());
  ComPtr<ID3D11Buffer> vb, ib;
  context->IAGetVertexBuffers(0, 1, &vb, nullptr, nullptr);
  context->IAGetIndexBuffer(&ib, nullptr, nullptr);
  EXPECT_TRUE(vb && ib && boundView());
}

TEST_F(Bindings, Rasterizer) {
  // REQ: B0043 B0044 B0045 A0699
  D3D11_VIEWPORT v[3] = {{0, 0, 1, 2, 0, 1}, {1, 1, 3, 4, 0, 0.5f}, {2, 2, 5, 6, 0.5f, 1}};
  context->RSSetViewports(3, v);
  D3D11_VIEWPORT out[5];
  memset(out, 0xcc, sizeof out);
  UINT n = 5;
  context->RSGetViewports(&n, out);
  EXPECT_EQ(n, 3u);
  EXPECT_EQ(memcmp(out, v, sizeof v), 0);
  EXPECT_EQ(out[3].Width, 0);
  EXPECT_EQ(out[4].MaxDepth, 0);
  n = 0xdead;
  context->RSGetViewports(&n, nullptr);
  EXPECT_EQ(n, 3u);
  n = 2;
  context->RSGetViewports(&n, out);
  EXPECT_EQ(n, 2u);
  context->RSSetViewports(1, v);
  context->RSGetViewports(&n, nullptr);
  EXPECT_EQ(n, 1u);
  // REQ: B0046 B0047 A0701
  const D3D11_RECT r[2] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  context->RSSetScissorRects(2, r);
  n = 0;
  context->RSGetScissorRects(&n, nullptr);
  EXPECT_EQ(n, 2u);
  D3D11_RECT ro[4];
  memset(ro, 0xcc, sizeof ro);
  n = 4;
  context->RSGetScissorRects(&n, ro);
  EXPECT_EQ(n, 2u);
  EXPECT_EQ(memcmp(ro, r, sizeof r), 0);
  EXPECT_EQ(ro[3].right, 0);
  context->RSSetScissorRects(1, r);
  context->RSGetScissorRects(&n, nullptr);
  EXPECT_EQ(n, 1u);
  // REQ: A0266 A0267 A0270 A0802
  struct Row {
    D3D11_VIEWPORT v;
    bool valid;
  };
  const Row rows[] = {{{0, 0, 0, 0, 0, 1}, true},          {{0, 0, -1, 1, 0, 1}, false},
                      {{-32768, -32768, 8, 8, 0, 1}, true}, {{-32769, 0, 8, 8, 0, 1}, false},
                      {{32760, 0, 7, 8, 0, 1}, true},       {{32760, 0, 8, 8, 0, 1}, false},
                      {{0.5f, 0.25f, 8, 8, 0, 1}, true},    {{0, 0, 8, 8, -0.1f, 1}, false},
                      {{0, 0, 8, 8, 0, 1.1f}, false},       {{NAN, 0, 8, 8, 0, 1}, false}};
  for (const Row& row : rows) {
    context->RSSetViewports(1, v);
    context->RSSetViewports(1, &row.v);
    n = 1;
    context->RSGetViewports(&n, out);
    EXPECT_EQ(memcmp(out, row.valid ? &row.v : v, sizeof *v), 0) << "row " << (&row - rows);
  }
  n = 17;
  D3D11_VIEWPORT many[17] = {};
  context->RSSetViewports(17, many);
  context->RSGetViewports(&n, nullptr);
  EXPECT_EQ(n, 1u);
}

TEST_F(Bindings, ViewportBoundsOfLowerLevels) {
  // REQ: A0269
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_9_3}) {
    Created c = createDevice(level);
    const D3D11_VIEWPORT good = {0, 0, 8, 8, 0, 1}, far = {16380, 0, 8, 8, 0, 1}, negative = {-1, 0, 8, 8, 0, 1};
    D3D11_VIEWPORT out;
    UINT n = 1;
    c.context->RSSetViewports(1, &good);
    c.context->RSSetViewports(1, &far);
    c.context->RSGetViewports(&n, &out);
    EXPECT_EQ(out.TopLeftX, 0);
    c.context->RSSetViewports(1, &negative);
    n = 1;
    c.context->RSGetViewports(&n, &out);
    EXPECT_EQ(out.TopLeftX, level == D3D_FEATURE_LEVEL_9_3 ? 0 : -1);
    if (level == D3D_FEATURE_LEVEL_9_3)
      continue;
    for (const float x : {-16384.f, -16385.f}) {
      const D3D11_VIEWPORT low = {x, 0, 8, 8, 0, 1};
      c.context->RSSetViewports(1, &good);
      c.context->RSSetViewports(1, &low);
      n = 1;
      c.context->RSGetViewports(&n, &out);
      EXPECT_EQ(out.TopLeftX, x == -16384 ? x : 0);
    }
  }
}

TEST_F(Bindings, OutputMergerStates) {
  // REQ: A0674 A0675 B0038 B0039 D0003
  FLOAT factor[4];
  UINT mask = 0, reference = 77;
  ComPtr<ID3D11BlendState> b;
  ComPtr<ID3D11DepthStencilState> d;
  context->OMGetBlendState(&b, factor, &mask);
  EXPECT_FALSE(b);
  EXPECT_EQ(mask, 0xffffffffu);
  for (const float f : factor)
    EXPECT_EQ(f, 1);
  context->OMGetDepthStencilState(&d, &reference);
  EXPECT_FALSE(d);
  EXPECT_EQ(reference, 0u);
  const FLOAT set[4] = {0.25f, 2, -1, 4};
  context->OMSetBlendState(nullptr, set, 0x5555);
  context->OMGetBlendState(&b, factor, &mask);
  EXPECT_EQ(memcmp(set, factor, sizeof set), 0);
  EXPECT_EQ(mask, 0x5555u);
  D3D11_BLEND_DESC bd = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
  bd.RenderTarget[0].RenderTargetWriteMask = 3;
  ComPtr<ID3D11BlendState> madeBlend;
  device->CreateBlendState(&bd, &madeBlend);
  context->OMSetBlendState(madeBlend.Get(), set, 1);
  context->OMGetBlendState(&b, nullptr, nullptr);
  EXPECT_EQ(b.Get(), madeBlend.Get());
  context->OMSetBlendState(nullptr, nullptr, ~0u);
  context->OMGetBlendState(nullptr, factor, nullptr);
  EXPECT_EQ(factor[2], 1);
  const D3D11_DEPTH_STENCIL_DESC dd = CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT());
  ComPtr<ID3D11DepthStencilState> made;
  device->CreateDepthStencilState(&dd, &made);
  context->OMSetDepthStencilState(made.Get(), 0x5A);
  context->OMGetDepthStencilState(&d, &reference);
  EXPECT_EQ(d.Get(), made.Get());
  EXPECT_EQ(reference, 0x5Au);
}

TEST_F(Bindings, RenderTargets) {
  // REQ: A0545 A0642 A0650 A0652 B0034 D0280 D0289 D0050 D0051
  ComPtr<ID3D11RenderTargetView> v[8];
  ID3D11RenderTargetView* raw[8];
  for (int i = 0; i < 8; i++)
    raw[i] = (v[i] = rtv(texture(16, 16, kRtv, i & 1 ? DXGI_FORMAT_R32G32B32A32_FLOAT : DXGI_FORMAT_R8_UNORM).Get())).Get();
  auto depth = dsv(texture(16, 16, kDsv, DXGI_FORMAT_D32_FLOAT).Get());
  // REQ: D0278
  EXPECT_EQ(D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT, 8);
  context->OMSetRenderTargets(8, raw, depth.Get());
  ID3D11RenderTargetView* out[8] = {};
  ComPtr<ID3D11DepthStencilView> outDepth;
  context->OMGetRenderTargets(8, out, &outDepth);
  for (int i = 0; i < 8; i++) {
    EXPECT_EQ(out[i], raw[i]);
    out[i]->Release();
  }
  EXPECT_EQ(outDepth.Get(), depth.Get());
  context->OMGetRenderTargets(0, nullptr, outDepth.ReleaseAndGetAddressOf());
  EXPECT_TRUE(outDepth);
  context->OMSetRenderTargets(1, raw, nullptr);
  EXPECT_TRUE(boundTarget(0));
  for (UINT i = 1; i < 8; i++)
    EXPECT_FALSE(boundTarget(i));
  ID3D11RenderTargetView* holes[4] = {raw[0], nullptr, nullptr, raw[3]};
  context->OMSetRenderTargets(4, holes, nullptr);
  EXPECT_TRUE(boundTarget(0) && !boundTarget(1) && !boundTarget(2) && boundTarget(3));
  context->OMSetRenderTargets(9, raw, nullptr);
  EXPECT_TRUE(boundTarget(3)) << "too many: ignored";
}

TEST_F(Bindings, RejectedRenderTargets) {
  auto good = rtv(texture(16, 16, kRtv).Get());
  auto t = texture(16, 16, kRtv);
  auto one = rtv(t.Get()), two = rtv(t.Get());
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kRtv);
  d.ArraySize = 2;
  auto array = rtv(texture(d).Get());
  d = desc2D(16, 16, kRtv);
  d.SampleDesc.Count = 4;
  auto ms = rtv(texture(d).Get());
  const D3D11_TEXTURE3D_DESC vd = {16, 16, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kRtv, 0, 0};
  ComPtr<ID3D11Texture3D> volume;
  ASSERT_EQ(device->CreateTexture3D(&vd, nullptr, &volume), S_OK);
  auto three = rtv(volume.Get());
  auto small = rtv(texture(8, 16, kRtv).Get());
  auto depth = dsv(texture(16, 16, kDsv, DXGI_FORMAT_D32_FLOAT).Get());
  auto smallDepth = dsv(texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT).Get());
  struct Row {
    const char* what;
    ID3D11RenderTargetView *a, *b;
    ID3D11DepthStencilView* depth;
  };
  const Row rows[] = {
      // REQ: A0643 D0279 D0290
      {"one view twice", one.Get(), one.Get(), nullptr},
      {"one subresource through two views", one.Get(), two.Get(), nullptr},
      // REQ: A0646 D0283
      {"array sizes", one.Get(), array.Get(), nullptr},
      {"array against depth", array.Get(), nullptr, depth.Get()},
      // REQ: A0647 D0285 D0286
      {"kinds", one.Get(), three.Get(), nullptr},
      {"sizes", one.Get(), small.Get(), nullptr},
      // REQ: A0648 D0287
      {"samples", one.Get(), ms.Get(), nullptr},
      {"samples against depth", ms.Get(), nullptr, depth.Get()},
      {"size against depth", one.Get(), nullptr, smallDepth.Get()},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(r.what);
    bindTarget(good.Get());
    ID3D11RenderTargetView* v[2] = {r.a, r.b};
    context->OMSetRenderTargets(2, v, r.depth);
    EXPECT_EQ(boundTarget().Get(), good.Get()) << "the call is ignored";
  }
  // REQ: A0651
  d = desc2D(16, 16, kRtv);
  d.ArraySize = 2;
  auto slices = texture(d);
  D3D11_RENDER_TARGET_VIEW_DESC s = {};
  s.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  s.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DARRAY;
  s.Texture2DArray.ArraySize = 1;
  auto s0 = rtv(slices.Get(), &s);
  s.Texture2DArray.FirstArraySlice = 1;
  auto s1 = rtv(slices.Get(), &s);
  ID3D11RenderTargetView* v[2] = {s0.Get(), s1.Get()};
  context->OMSetRenderTargets(2, v, nullptr);
  EXPECT_EQ(boundTarget(1).Get(), s1.Get());
}

TEST_F(Bindings, ClearState) {
  // REQ: B0061 B0062 D0267 D0268 D0292
  auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER), vb = buffer(16, D3D11_BIND_VERTEX_BUFFER), ib = buffer(16, D3D11_BIND_INDEX_BUFFER),
       so = buffer(16, D3D11_BIND_STREAM_OUTPUT);
  auto view = srv(texture(8, 8, kSrv).Get());
  auto smp = sampler();
  const UINT stride = 4, offset = 0;
  for (const StageMethods& s : kStages) {
    (context.Get()->*s.setConstants)(1, 1, cb.GetAddressOf());
    (context.Get()->*s.setViews)(1, 1, view.GetAddressOf());
    (context.Get()->*s.setSamplers)(1, 1, smp.GetAddressOf());
  }
  context->VSSetShader(vertexShader(colorVertexShader()).Get(), nullptr, 0);
  context->PSSetShader(pixelShader(colorPixelShader()).Get(), nullptr, 0);
  ComPtr<ID3D11ComputeShader> compute;
  ASSERT_EQ(device->CreateComputeShader(computeShader().data(), computeShader().size(), nullptr, &compute), S_OK);
  context->CSSetShader(compute.Get(), nullptr, 0);
  ComPtr<ID3D11UnorderedAccessView> uav;
  ASSERT_EQ(device->CreateUnorderedAccessView(texture(8, 8, kUav).Get(), nullptr, &uav), S_OK);
  context->CSSetUnorderedAccessViews(1, 1, uav.GetAddressOf(), nullptr);
  ComPtr<ID3D11InputLayout> layout;
  ASSERT_EQ(device->CreateInputLayout(nullptr, 0, fullscreenVertexShader().data(), fullscreenVertexShader().size(), &layout), S_OK);
  context->IASetInputLayout(layout.Get());
  context->IASetVertexBuffers(0, 1, vb.GetAddressOf(), &stride, &offset);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R32_UINT, 4);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  context->SOSetTargets(1, so.GetAddressOf(), &offset);
  viewport(8, 8);
  const D3D11_RECT rect = {0, 0, 1, 1};
  context->RSSetScissorRects(1, &rect);
  const D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
  ComPtr<ID3D11RasterizerState> raster;
  device->CreateRasterizerState(&rd, &raster);
  context->RSSetState(raster.Get());
  bindTarget(rtv(texture(8, 8, kRtv).Get()).Get(), dsv(texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT).Get()).Get());
  const FLOAT factor[4] = {};
  const D3D11_BLEND_DESC bd = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
  const D3D11_DEPTH_STENCIL_DESC dd = CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT());
  ComPtr<ID3D11BlendState> blend;
  ComPtr<ID3D11DepthStencilState> depthState;
  device->CreateBlendState(&bd, &blend);
  device->CreateDepthStencilState(&dd, &depthState);
  context->OMSetBlendState(blend.Get(), factor, 1);
  context->OMSetDepthStencilState(depthState.Get(), 9);
  const D3D11_QUERY_DESC qd = {D3D11_QUERY_OCCLUSION_PREDICATE, 0};
  ComPtr<ID3D11Predicate> predicate;
  ASSERT_EQ(device->CreatePredicate(&qd, &predicate), S_OK);
  context->SetPredication(predicate.Get(), TRUE);

  context->ClearState();

  for (const StageMethods& s : kStages) {
    ComPtr<ID3D11Buffer> b;
    ComPtr<ID3D11ShaderResourceView> v;
    ComPtr<ID3D11SamplerState> x;
    (context.Get()->*s.getConstants)(1, 1, &b);
    (context.Get()->*s.getViews)(1, 1, &v);
    (context.Get()->*s.getSamplers)(1, 1, &x);
    EXPECT_FALSE(b || v || x) << s.name;
  }
  ComPtr<ID3D11VertexShader> vs;
  ComPtr<ID3D11PixelShader> ps;
  context->VSGetShader(&vs, nullptr, nullptr);
  context->PSGetShader(&ps, nullptr, nullptr);
  ComPtr<ID3D11Buffer> b1, b2, b3;
  DXGI_FORMAT format;
  UINT at = 7, n = 7;
  context->IAGetVertexBuffers(0, 1, &b1, nullptr, nullptr);
  context->IAGetIndexBuffer(&b2, &format, &at);
  context->SOGetTargets(1, &b3);
  EXPECT_FALSE(vs || ps || b1 || b2 || b3);
  EXPECT_EQ(format, DXGI_FORMAT_UNKNOWN);
  EXPECT_EQ(at, 0u);
  D3D11_PRIMITIVE_TOPOLOGY topology;
  context->IAGetPrimitiveTopology(&topology);
  EXPECT_EQ(topology, D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED);
  context->RSGetViewports(&n, nullptr);
  EXPECT_EQ(n, 0u);
  context->RSGetScissorRects(&n, nullptr);
  EXPECT_EQ(n, 0u);
  ComPtr<ID3D11RasterizerState> r;
  context->RSGetState(&r);
  EXPECT_FALSE(r);
  ComPtr<ID3D11DepthStencilView> dv;
  context->OMGetRenderTargets(0, nullptr, &dv);
  EXPECT_FALSE(boundTarget() || dv);
  FLOAT f[4];
  UINT mask, reference;
  ComPtr<ID3D11BlendState> gotBlend;
  ComPtr<ID3D11DepthStencilState> gotDepth;
  ComPtr<ID3D11ComputeShader> gotCompute;
  ComPtr<ID3D11GeometryShader> gotGeometry;
  ComPtr<ID3D11HullShader> gotHull;
  ComPtr<ID3D11DomainShader> gotDomain;
  ComPtr<ID3D11UnorderedAccessView> gotUav;
  ComPtr<ID3D11InputLayout> gotLayout;
  context->OMGetBlendState(&gotBlend, f, &mask);
  context->OMGetDepthStencilState(&gotDepth, &reference);
  context->CSGetShader(&gotCompute, nullptr, nullptr);
  context->GSGetShader(&gotGeometry, nullptr, nullptr);
  context->HSGetShader(&gotHull, nullptr, nullptr);
  context->DSGetShader(&gotDomain, nullptr, nullptr);
  context->CSGetUnorderedAccessViews(1, 1, &gotUav);
  context->IAGetInputLayout(&gotLayout);
  EXPECT_FALSE(gotBlend || gotDepth || gotCompute || gotGeometry || gotHull || gotDomain || gotUav || gotLayout);
  EXPECT_EQ(f[0], 1);
  EXPECT_EQ(mask, ~0u);
  EXPECT_EQ(reference, 0u);
  ComPtr<ID3D11Predicate> p;
  BOOL value = TRUE;
  context->GetPredication(&p, &value);
  EXPECT_FALSE(p);
  EXPECT_FALSE(value);
}

TEST_F(Bindings, ContextStates) {
  // REQ: B0417 B0459 B0467 B0529 B0530 B0532
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0};
  D3D_FEATURE_LEVEL chosen;
  ComPtr<ID3DDeviceContextState> state, previous, bad;
  ASSERT_EQ(device->CreateDeviceContextState(0, levels, 2, D3D11_SDK_VERSION, __uuidof(ID3D11Device1), &chosen, &state), S_OK);
  EXPECT_EQ(chosen, D3D_FEATURE_LEVEL_11_0);
  EXPECT_EQ(device->CreateDeviceContextState(0, nullptr, 2, D3D11_SDK_VERSION, __uuidof(ID3D11Device), &chosen, &bad), E_INVALIDARG);
  EXPECT_EQ(chosen, 0);
  EXPECT_EQ(device->CreateDeviceContextState(0, levels, 0, D3D11_SDK_VERSION, __uuidof(ID3D11Device), &chosen, &bad), E_INVALIDARG);
  EXPECT_EQ(device->CreateDeviceContextState(0, levels, 2, 6, __uuidof(ID3D11Device), &chosen, &bad), E_INVALIDARG);
  EXPECT_EQ(device->CreateDeviceContextState(0, levels, 2, D3D11_SDK_VERSION, __uuidof(IUnknown), &chosen, &bad), E_INVALIDARG);

  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_LINELIST);
  auto constants = buffer(16, D3D11_BIND_CONSTANT_BUFFER);
  auto target = rtv(texture(8, 8, kRtv).Get());
  context->VSSetConstantBuffers(2, 1, constants.GetAddressOf());
  context->PSSetShader(pixelShader(colorPixelShader()).Get(), nullptr, 0);
  bindTarget(target.Get());
  viewport(8, 8);
  auto everything = [&] {
    ComPtr<ID3D11Buffer> b;
    ComPtr<ID3D11PixelShader> p;
    UINT n = 0;
    context->VSGetConstantBuffers(2, 1, &b);
    context->PSGetShader(&p, nullptr, nullptr);
    context->RSGetViewports(&n, nullptr);
    return (b ? 1 : 0) + (p ? 2 : 0) + (boundTarget() ? 4 : 0) + (n ? 8 : 0);
  };
  context->SwapDeviceContextState(state.Get(), &previous);
  ASSERT_TRUE(previous);
  EXPECT_EQ(everything(), 0);
  D3D11_PRIMITIVE_TOPOLOGY topology;
  context->IAGetPrimitiveTopology(&topology);
  EXPECT_EQ(topology, D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
  ComPtr<ID3DDeviceContextState> second;
  context->SwapDeviceContextState(previous.Get(), &second);
  EXPECT_EQ(second.Get(), state.Get());
  EXPECT_EQ(everything(), 15);
  context->IAGetPrimitiveTopology(&topology);
  EXPECT_EQ(topology, D3D11_PRIMITIVE_TOPOLOGY_LINELIST);
  context->SwapDeviceContextState(nullptr, nullptr);
  context->IAGetPrimitiveTopology(&topology);
  EXPECT_EQ(topology, D3D11_PRIMITIVE_TOPOLOGY_LINELIST);
  context->SwapDeviceContextState(state.Get(), nullptr);
  context->IAGetPrimitiveTopology(&topology);
  EXPECT_EQ(topology, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
  // REQ: B0528
  Created single = createDevice(D3D_FEATURE_LEVEL_11_0, D3D11_CREATE_DEVICE_SINGLETHREADED);
  EXPECT_EQ(single.device->CreateDeviceContextState(0, levels, 2, D3D11_SDK_VERSION, __uuidof(ID3D11Device), nullptr, &bad), E_INVALIDARG);
  EXPECT_EQ(single.device->CreateDeviceContextState(D3D11_1_CREATE_DEVICE_CONTEXT_STATE_SINGLETHREADED, levels, 2, D3D11_SDK_VERSION,
                                                    __uuidof(ID3D11Device), nullptr, &bad),
            S_OK);
  EXPECT_EQ(device->CreateDeviceContextState(2, levels, 2, D3D11_SDK_VERSION, __uuidof(ID3D11Device), nullptr, &bad), E_INVALIDARG);
}
