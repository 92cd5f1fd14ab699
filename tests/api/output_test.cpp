// SPDX-License-Identifier: MIT
// The output merger and depth clipping, by the values that draws leave behind.
#include "fixture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

using namespace api;

namespace {

constexpr UINT kRtv = D3D11_BIND_RENDER_TARGET, kDsv = D3D11_BIND_DEPTH_STENCIL, kSrv = D3D11_BIND_SHADER_RESOURCE;
using Color = std::array<float, 4>;

const char kShaders[] = R"(
cbuffer C : register(b0) { float4 c0; float4 c1; float4 place; uint4 bits; };
float4 vs(uint id : SV_VertexID) : SV_Position
{
  return float4((float(id & 2) * 2 - 1) * place.y, (float(id & 1) * 4 - 1) * place.y, place.x, place.z);
}
float4 one() : SV_Target { return c0; }
struct Two { float4 a : SV_Target0; float4 b : SV_Target1; };
Two two() { Two o; o.a = c0; o.b = c1; return o; }
struct Words { uint4 a : SV_Target0; uint4 b : SV_Target1; };
Words words() { Words o; o.a = bits; o.b = bits; return o; }
struct Eight { float4 t[8] : SV_Target; };
Eight eight() { Eight o; for (uint i = 0; i < 8; i++) o.t[i] = (i + 1) * 0.125; return o; }
)";

class Output : public Api {
protected:
  struct Constants {
    Color c0 = {}, c1 = {};
    float z = 0, scale = 1, w = 1, pad = 0;
    UINT bits[4] = {};
  };
  void SetUp() override {
    Api::SetUp();
    target = texture(4, 4, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
    view = rtv(target.Get());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    viewport(4, 4);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    context->VSSetShader(vertexShader(code("vs", "vs_5_0")).Get(), nullptr, 0);
    shader("one");
  }
  static const std::vector<BYTE>& code(const char* entry, const char* profile) {
    static std::vector<std::pair<std::string, std::vector<BYTE>>> all;
    for (const auto& [name, bytes] : all)
      if (name == entry)
        return bytes;
    all.emplace_back(entry, compileShader(kShaders, entry, profile));
    return all.back().second;
  }
  void shader(const char* entry) { context->PSSetShader(pixelShader(code(entry, "ps_5_0")).Get(), nullptr, 0); }
  void draw(const Constants& c) {
    auto cb = buffer(sizeof c, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, &c);
    context->VSSetConstantBuffers(0, 1, cb.GetAddressOf());
    context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
    context->Draw(3, 0);
  }
  void draw(const Color& c0, float z = 0) {
    Constants c;
    c.c0 = c0;
    c.z = z;
    draw(c);
  }
  void clear(const Color& c) { context->ClearRenderTargetView(view.Get(), c.data()); }
  Color result() {
    Color c;
    memcpy(c.data(), read(target.Get(), 0, 64, 4).data(), 16);
    return c;
  }
  void blend(const D3D11_BLEND_DESC& d, const float* factor = nullptr, UINT mask = ~0u) {
    ComPtr<ID3D11BlendState> s;
    ASSERT_EQ(device->CreateBlendState(&d, &s), S_OK);
    context->OMSetBlendState(s.Get(), factor, mask);
  }
  void depthState(const D3D11_DEPTH_STENCIL_DESC& d, UINT reference = 0) {
    ComPtr<ID3D11DepthStencilState> s;
    ASSERT_EQ(device->CreateDepthStencilState(&d, &s), S_OK);
    context->OMSetDepthStencilState(s.Get(), reference);
  }
  static D3D11_DEPTH_STENCIL_DESC depthDesc() { return CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT()); }
  /// A D24S8 buffer bound with the target.
  void bindDepth(UINT flags = 0) {
    if (!depth)
      depth = texture(4, 4, kDsv, DXGI_FORMAT_D24_UNORM_S8_UINT);
    depthView = dsv(depth.Get());
    D3D11_DEPTH_STENCIL_VIEW_DESC d;
    depthView->GetDesc(&d);
    d.Flags = flags;
    auto v = dsv(depth.Get(), &d);
    context->OMSetRenderTargets(1, view.GetAddressOf(), v.Get());
  }
  void clearDepth(float z, UINT8 stencil) {
    context->ClearDepthStencilView(depthView.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, z, stencil);
  }
  UINT depthWord() {
    UINT w;
    memcpy(&w, read(depth.Get(), 0, 16, 4).data(), 4);
    return w;
  }
  UINT stencil() { return depthWord() >> 24; }
  float storedDepth() { return float(depthWord() & 0xffffff) / 16777215.0f; }
  /// True if the draw of white at `z` over black shows.
  bool shows(float z) {
    clear({});
    draw(Color{1, 1, 1, 1}, z);
    return result()[0] == 1;
  }

  ComPtr<ID3D11Texture2D> target, depth;
  ComPtr<ID3D11RenderTargetView> view;
  ComPtr<ID3D11DepthStencilView> depthView;
};

const Color kSource = {0.25f, 0.5f, 0.75f, 0.625f}, kSource1 = {0.125f, 0.875f, 0.375f, 0.3125f}, kDest = {0.5f, 0.0625f, 0.25f, 0.4375f},
            kFactor = {0.75f, 0.25f, 0.5f, 0.125f};

Color factorOf(D3D11_BLEND f) {
  auto all = [](float v) { return Color{v, v, v, v}; };
  auto inverse = [](const Color& c) { return Color{1 - c[0], 1 - c[1], 1 - c[2], 1 - c[3]}; };
  const float saturate = std::min(kSource[3], 1 - kDest[3]);
  switch (f) {
  case D3D11_BLEND_ZERO: return all(0);
  case D3D11_BLEND_ONE: return all(1);
  case D3D11_BLEND_SRC_COLOR: return kSource;
  case D3D11_BLEND_INV_SRC_COLOR: return inverse(kSource);
  case D3D11_BLEND_SRC_ALPHA: return all(kSource[3]);
  case D3D11_BLEND_INV_SRC_ALPHA: return all(1 - kSource[3]);
  case D3D11_BLEND_DEST_ALPHA: return all(kDest[3]);
  case D3D11_BLEND_INV_DEST_ALPHA: return all(1 - kDest[3]);
  case D3D11_BLEND_DEST_COLOR: return kDest;
  case D3D11_BLEND_INV_DEST_COLOR: return inverse(kDest);
  case D3D11_BLEND_SRC_ALPHA_SAT: return {saturate, saturate, saturate, 1};
  case D3D11_BLEND_BLEND_FACTOR: return kFactor;
  case D3D11_BLEND_INV_BLEND_FACTOR: return inverse(kFactor);
  case D3D11_BLEND_SRC1_COLOR: return kSource1;
  case D3D11_BLEND_INV_SRC1_COLOR: return inverse(kSource1);
  case D3D11_BLEND_SRC1_ALPHA: return all(kSource1[3]);
  case D3D11_BLEND_INV_SRC1_ALPHA: return all(1 - kSource1[3]);
  }
  return {};
}
float operate(D3D11_BLEND_OP op, float s, float d, float sf, float df) {
  switch (op) {
  case D3D11_BLEND_OP_ADD: return s * sf + d * df;
  case D3D11_BLEND_OP_SUBTRACT: return s * sf - d * df;
  case D3D11_BLEND_OP_REV_SUBTRACT: return d * df - s * sf;
  case D3D11_BLEND_OP_MIN: return std::min(s, d);
  case D3D11_BLEND_OP_MAX: return std::max(s, d);
  }
  return 0;
}
bool isColor(D3D11_BLEND f) {
  return f == D3D11_BLEND_SRC_COLOR || f == D3D11_BLEND_INV_SRC_COLOR || f == D3D11_BLEND_DEST_COLOR || f == D3D11_BLEND_INV_DEST_COLOR ||
         f == D3D11_BLEND_SRC1_COLOR || f == D3D11_BLEND_INV_SRC1_COLOR;
}

} // namespace

TEST_F(Output, BlendFactorsAndOperations) {
  // REQ: A0092 A0093 A0094 A0095 A0096 A0097 A0673 B0724 D0001
  shader("two");
  struct Row {
    D3D11_BLEND s, d;
    D3D11_BLEND_OP op;
    D3D11_BLEND sa, da;
    D3D11_BLEND_OP opa;
  };
  std::vector<Row> rows;
  UINT factors = 0;
  for (int f = D3D11_BLEND_ZERO; f <= D3D11_BLEND_INV_SRC1_ALPHA; f++) {
    if (f == 12 || f == 13)
      continue;
    factors++;
    const auto b = static_cast<D3D11_BLEND>(f), alpha = isColor(b) ? D3D11_BLEND_ONE : b;
    rows.push_back({b, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD, alpha, D3D11_BLEND_ZERO, D3D11_BLEND_OP_ADD});
    rows.push_back({D3D11_BLEND_SRC_ALPHA, b, D3D11_BLEND_OP_ADD, D3D11_BLEND_ONE, alpha, D3D11_BLEND_OP_ADD});
  }
  EXPECT_EQ(factors, 17u);
  for (int op = D3D11_BLEND_OP_ADD; op <= D3D11_BLEND_OP_MAX; op++) {
    rows.push_back({D3D11_BLEND_SRC_ALPHA, D3D11_BLEND_INV_SRC1_COLOR, static_cast<D3D11_BLEND_OP>(op), D3D11_BLEND_DEST_ALPHA,
                    D3D11_BLEND_ONE, static_cast<D3D11_BLEND_OP>(6 - op)});
  }
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << r.s << " " << r.d << " " << r.op << "; " << r.sa << " " << r.da << " " << r.opa);
    D3D11_BLEND_DESC d = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
    d.RenderTarget[0] = {TRUE, r.s, r.d, r.op, r.sa, r.da, r.opa, 15};
    blend(d, kFactor.data());
    clear(kDest);
    Constants c;
    c.c0 = kSource;
    c.c1 = kSource1;
    draw(c);
    const Color got = result();
    for (int i = 0; i < 4; i++) {
      const float want = i < 3 ? operate(r.op, kSource[i], kDest[i], factorOf(r.s)[i], factorOf(r.d)[i])
                               : operate(r.opa, kSource[i], kDest[i], factorOf(r.sa)[i], factorOf(r.da)[i]);
      EXPECT_NEAR(got[i], want, 1e-6f) << i;
    }
  }
}

/// Half of 0.5 over black in an sRGB target: the target's red code.
UINT blendedSrgb(D3D_FEATURE_LEVEL level, D3D_DRIVER_TYPE type, DXGI_FORMAT format) {
  Created c = createDevice(level, 0, type);
  EXPECT_EQ(c.hr, S_OK);
  D3D11_TEXTURE2D_DESC d = {4, 4, 1, 1, format, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET, 0, 0};
  ComPtr<ID3D11Texture2D> target, staging;
  EXPECT_EQ(c.device->CreateTexture2D(&d, nullptr, &target), S_OK);
  d.Usage = D3D11_USAGE_STAGING;
  d.BindFlags = 0;
  d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  EXPECT_EQ(c.device->CreateTexture2D(&d, nullptr, &staging), S_OK);
  ComPtr<ID3D11RenderTargetView> view;
  EXPECT_EQ(c.device->CreateRenderTargetView(target.Get(), nullptr, &view), S_OK);
  const float black[4] = {}, grey[4] = {0.5f, 0.5f, 0.5f, 0.5f};
  c.context->ClearRenderTargetView(view.Get(), black);
  D3D11_BLEND_DESC b = {};
  b.RenderTarget[0] = {TRUE,
                       D3D11_BLEND_SRC_ALPHA, D3D11_BLEND_INV_SRC_ALPHA, D3D11_BLEND_OP_ADD,
                       D3D11_BLEND_ONE, D3D11_BLEND_ZERO, D3D11_BLEND_OP_ADD, D3D11_COLOR_WRITE_ENABLE_ALL};
  ComPtr<ID3D11BlendState> blend;
  EXPECT_EQ(c.device->CreateBlendState(&b, &blend), S_OK);
  const D3D11_BUFFER_DESC bd = {16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0};
  const D3D11_SUBRESOURCE_DATA init = {grey, 0, 0};
  ComPtr<ID3D11Buffer> constants;
  EXPECT_EQ(c.device->CreateBuffer(&bd, &init, &constants), S_OK);
  // Without SV_VertexID, which level 9 lacks: positions from a buffer.
  const std::vector<BYTE> vs = compileShader("float4 main(float4 p : POSITION) : SV_Position { return p; }", "main", "vs_4_0_level_9_3");
  const std::vector<BYTE> ps = compileShader("float4 c; float4 main() : SV_Target { return c; }", "main", "ps_4_0_level_9_3");
  ComPtr<ID3D11VertexShader> vertexShader;
  ComPtr<ID3D11PixelShader> pixelShader;
  ComPtr<ID3D11InputLayout> layout;
  const D3D11_INPUT_ELEMENT_DESC e = {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
  EXPECT_EQ(c.device->CreateVertexShader(vs.data(), vs.size(), nullptr, &vertexShader), S_OK);
  EXPECT_EQ(c.device->CreatePixelShader(ps.data(), ps.size(), nullptr, &pixelShader), S_OK);
  EXPECT_EQ(c.device->CreateInputLayout(&e, 1, vs.data(), vs.size(), &layout), S_OK);
  const float corners[6] = {-1, 3, 3, -1, -1, -1};
  const D3D11_BUFFER_DESC vd = {sizeof corners, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  const D3D11_SUBRESOURCE_DATA points = {corners, 0, 0};
  ComPtr<ID3D11Buffer> vertices;
  EXPECT_EQ(c.device->CreateBuffer(&vd, &points, &vertices), S_OK);
  const UINT stride = 8, offset = 0;
  c.context->IASetVertexBuffers(0, 1, vertices.GetAddressOf(), &stride, &offset);
  c.context->IASetInputLayout(layout.Get());
  c.context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  c.context->VSSetShader(vertexShader.Get(), nullptr, 0);
  c.context->PSSetShader(pixelShader.Get(), nullptr, 0);
  c.context->PSSetConstantBuffers(0, 1, constants.GetAddressOf());
  c.context->OMSetBlendState(blend.Get(), nullptr, ~0u);
  c.context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  const D3D11_VIEWPORT v = {0, 0, 4, 4, 0, 1};
  c.context->RSSetViewports(1, &v);
  c.context->Draw(3, 0);
  c.context->CopyResource(staging.Get(), target.Get());
  D3D11_MAPPED_SUBRESOURCE m = {};
  EXPECT_EQ(c.context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
  UINT pixel = 0;
  std::memcpy(&pixel, m.pData, 4);
  EXPECT_EQ(pixel >> 24, 128u) << "alpha is not encoded";
  return pixel >> 8 & 255;
}

TEST_F(Output, SrgbTargetsOfLevel9BlendTheirCodes) {
  // REQ: B0387 D0006
  for (const DXGI_FORMAT format : {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, DXGI_FORMAT_B8G8R8A8_UNORM_SRGB}) {
    EXPECT_EQ(blendedSrgb(D3D_FEATURE_LEVEL_9_3, D3D_DRIVER_TYPE_HARDWARE, format), 94u) << "half of 188, the code of 0.5";
    EXPECT_EQ(blendedSrgb(D3D_FEATURE_LEVEL_10_0, D3D_DRIVER_TYPE_HARDWARE, format), 137u) << "the code of 0.25";
    EXPECT_EQ(blendedSrgb(D3D_FEATURE_LEVEL_9_3, D3D_DRIVER_TYPE_WARP, format), 137u);
  }
}

TEST_F(Output, WriteMasksAndDisabledBlending) {
  // REQ: A0098 A0286 A0672
  EXPECT_EQ(D3D11_COLOR_WRITE_ENABLE_ALL, D3D11_COLOR_WRITE_ENABLE_RED | D3D11_COLOR_WRITE_ENABLE_GREEN | D3D11_COLOR_WRITE_ENABLE_BLUE |
                                              D3D11_COLOR_WRITE_ENABLE_ALPHA);
  for (const BOOL on : {FALSE, TRUE})
    for (UINT mask = 0; mask < 16; mask++) {
      D3D11_BLEND_DESC d = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
      d.RenderTarget[0] = {on, D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD, D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD, UINT8(mask)};
      blend(d);
      clear(kDest);
      draw(kSource);
      for (int i = 0; i < 4; i++)
        EXPECT_EQ(result()[i], mask >> i & 1 ? kSource[i] + (on ? kDest[i] : 0) : kDest[i]) << mask << " " << i;
    }
  context->OMSetBlendState(nullptr, nullptr, ~0u);
  clear(kDest);
  draw(kSource);
  EXPECT_EQ(result(), kSource) << "the default state";
}

TEST_F(Output, EightTargets) {
  // REQ: A0282 A0641 A0649 B0385 D0284 D0288
  const DXGI_FORMAT formats[8] = {DXGI_FORMAT_R8_UNORM,    DXGI_FORMAT_R32G32B32A32_FLOAT, DXGI_FORMAT_R16_UNORM, DXGI_FORMAT_R32_FLOAT,
                                  DXGI_FORMAT_R32G32_FLOAT, DXGI_FORMAT_R8G8B8A8_UNORM,     DXGI_FORMAT_R16_UNORM, DXGI_FORMAT_R32_FLOAT};
  const UINT bytes[8] = {1, 16, 2, 4, 8, 4, 2, 4};
  ComPtr<ID3D11Texture2D> t[8];
  ComPtr<ID3D11RenderTargetView> v[8];
  ID3D11RenderTargetView* raw[8];
  for (int i = 0; i < 8; i++) {
    t[i] = texture(4, 4, kRtv, formats[i]);
    raw[i] = (v[i] = rtv(t[i].Get())).Get();
  }
  auto value = [&](int i) {
    BYTE data[4] = {};
    memcpy(data, read(t[i].Get(), 0, bytes[i] * 4, 4).data(), std::min(bytes[i], 4u));
    float f;
    uint16_t h;
    memcpy(&f, data, 4);
    memcpy(&h, data, 2);
    return formats[i] == DXGI_FORMAT_R16_UNORM ? float(h) / 65535 : bytes[i] == 1 || formats[i] == DXGI_FORMAT_R8G8B8A8_UNORM ? float(data[0]) / 255 : f;
  };
  const float quarter[4] = {0.25f, 0.25f, 0.25f, 0.25f};
  context->OMSetRenderTargets(8, raw, nullptr);
  shader("eight");
  for (const bool independent : {false, true}) {
    D3D11_BLEND_DESC d = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
    d.IndependentBlendEnable = independent;
    for (int i = 0; i < 8; i++)
      d.RenderTarget[i] = {i & 1, D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_REV_SUBTRACT, D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD,
                           UINT8(i == 3 ? 0 : 15)};
    blend(d);
    for (auto* target8 : raw)
      context->ClearRenderTargetView(target8, quarter);
    draw(Constants{});
    for (int i = 0; i < 8; i++) {
      const float source = float(i + 1) * 0.125f;
      float want = source;
      if (independent && i == 3)
        want = 0.25f;
      else if (independent && (i & 1))
        want = 0.25f - source;
      if (formats[i] == DXGI_FORMAT_R8G8B8A8_UNORM)
        want = std::max(want, 0.0f);
      EXPECT_NEAR(value(i), want, 0.003f) << i;
    }
  }
}

TEST_F(Output, SampleMasks) {
  // REQ: A0676 A0798
  shader("two");
  auto other = texture(4, 4, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
  ID3D11RenderTargetView* plain[2] = {view.Get(), nullptr};
  auto otherView = rtv(other.Get());
  plain[1] = otherView.Get();
  context->OMSetRenderTargets(2, plain, nullptr);
  Constants c;
  c.c0 = c.c1 = {1, 1, 1, 1};
  for (const UINT mask : {0u, 1u, 2u, 0xfffffffeu, 0xffffffffu}) {
    const float black[4] = {};
    for (auto* v : plain)
      context->ClearRenderTargetView(v, black);
    context->OMSetBlendState(nullptr, nullptr, mask);
    draw(c);
    float second;
    memcpy(&second, read(other.Get(), 0, 64, 4).data(), 4);
    EXPECT_EQ(result()[0], float(mask & 1)) << mask;
    EXPECT_EQ(second, float(mask & 1)) << mask;
  }
  D3D11_TEXTURE2D_DESC d = desc2D(4, 4, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
  d.SampleDesc.Count = 4;
  auto ms = texture(d), ms2 = texture(d);
  auto msView = rtv(ms.Get()), ms2View = rtv(ms2.Get());
  ID3D11RenderTargetView* sampled[2] = {msView.Get(), ms2View.Get()};
  context->OMSetRenderTargets(2, sampled, nullptr);
  for (const BOOL multisample : {FALSE, TRUE})
    for (const UINT mask : {0u, 1u, 5u, 0xeu, 0xfffffff0u, 0xffffffffu}) {
      D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
      rd.MultisampleEnable = multisample;
      ComPtr<ID3D11RasterizerState> raster;
      device->CreateRasterizerState(&rd, &raster);
      context->RSSetState(raster.Get());
      const float black[4] = {};
      for (auto* v : sampled)
        context->ClearRenderTargetView(v, black);
      context->OMSetBlendState(nullptr, nullptr, mask);
      draw(c);
      float n = 0;
      for (UINT i = 0; i < 4; i++)
        n += float(mask >> i & 1);
      for (auto* from : {ms.Get(), ms2.Get()}) {
        context->ResolveSubresource(target.Get(), 0, from, 0, d.Format);
        EXPECT_EQ(result()[0], n / 4) << mask;
      }
    }
}

TEST_F(Output, LogicOperations) {
  // REQ: B0379 B0389 D0009
  auto a = texture(4, 4, kRtv, DXGI_FORMAT_R8G8B8A8_UINT), b = texture(4, 4, kRtv, DXGI_FORMAT_R8G8B8A8_UINT);
  auto av = rtv(a.Get()), bv = rtv(b.Get());
  ID3D11RenderTargetView* both[2] = {av.Get(), bv.Get()};
  context->OMSetRenderTargets(2, both, nullptr);
  shader("words");
  const UINT s = 0xC5, d = 0xA3;
  const UINT want[16] = {0, ~0u, s, ~s, d, ~d, s & d, ~(s & d), s | d, ~(s | d), s ^ d, ~(s ^ d), s & ~d, ~s & d, s | ~d, ~s | d};
  for (int op = D3D11_LOGIC_OP_CLEAR; op <= D3D11_LOGIC_OP_OR_INVERTED; op++) {
    D3D11_BLEND_DESC1 bd = {};
    bd.RenderTarget[0].LogicOpEnable = TRUE;
    bd.RenderTarget[0].LogicOp = static_cast<D3D11_LOGIC_OP>(op);
    bd.RenderTarget[0].RenderTargetWriteMask = 15;
    ComPtr<ID3D11BlendState1> state;
    ASSERT_EQ(device->CreateBlendState1(&bd, &state), S_OK);
    context->OMSetBlendState(state.Get(), nullptr, ~0u);
    const float old[4] = {float(d), float(d), float(d), float(d)};
    context->ClearRenderTargetView(av.Get(), old);
    context->ClearRenderTargetView(bv.Get(), old);
    Constants c;
    std::fill_n(c.bits, 4, s);
    draw(c);
    EXPECT_EQ(pixel(a.Get()), (want[op] & 255) * 0x01010101u) << op;
    EXPECT_EQ(pixel(b.Get()), (want[op] & 255) * 0x01010101u) << op;
  }
}

TEST_F(Output, OneSetOfComparisons) {
  // REQ: A0085 A0086 A0276 A0384 A0679 B0721 D0047
  auto holds = [](int func, float a, float b) {
    const int bits = func - D3D11_COMPARISON_NEVER; // less, equal, greater
    return (a < b && bits & 1) || (a == b && bits & 2) || (a > b && bits & 4);
  };
  bindDepth();
  auto shadow = texture(1, 1, kSrv, DXGI_FORMAT_R32_FLOAT);
  const float half = 0.5f;
  context->UpdateSubresource(shadow.Get(), 0, nullptr, &half, 4, 0);
  auto shadowView = srv(shadow.Get());
  const auto compare = compileShader("Texture2D t : register(t0); SamplerComparisonState s : register(s0); cbuffer C : register(b0) { float4 c0; }"
                                     "float4 main() : SV_Target { return t.SampleCmpLevelZero(s, float2(0.5, 0.5), c0.x); }",
                                     "main", "ps_5_0");
  auto compareShader = pixelShader(compare);
  for (int f = D3D11_COMPARISON_NEVER; f <= D3D11_COMPARISON_ALWAYS; f++)
    for (const float value : {0.25f, 0.5f, 0.75f}) {
      SCOPED_TRACE(testing::Message() << f << " " << value);
      const bool want = holds(f, value, 0.5f);
      D3D11_DEPTH_STENCIL_DESC d = depthDesc();
      d.DepthFunc = static_cast<D3D11_COMPARISON_FUNC>(f);
      depthState(d);
      clearDepth(0.5f, 100);
      // 0.5 is not exact in 24 bits: the stored value itself is the reference
      const float stored = storedDepth();
      EXPECT_EQ(shows(value == 0.5f ? stored : value), want);
      d = depthDesc();
      d.DepthEnable = FALSE;
      d.StencilEnable = TRUE;
      d.FrontFace.StencilFunc = d.BackFace.StencilFunc = static_cast<D3D11_COMPARISON_FUNC>(f);
      depthState(d, UINT(value * 200));
      EXPECT_EQ(shows(0), want);
      D3D11_SAMPLER_DESC sd = CD3D11_SAMPLER_DESC(CD3D11_DEFAULT());
      sd.Filter = D3D11_FILTER_COMPARISON_MIN_MAG_MIP_POINT;
      sd.ComparisonFunc = static_cast<D3D11_COMPARISON_FUNC>(f);
      ComPtr<ID3D11SamplerState> sampler;
      ASSERT_EQ(device->CreateSamplerState(&sd, &sampler), S_OK);
      context->PSSetSamplers(0, 1, sampler.GetAddressOf());
      context->PSSetShaderResources(0, 1, shadowView.GetAddressOf());
      context->OMSetDepthStencilState(nullptr, 0);
      clearDepth(1, 0);
      context->PSSetShader(compareShader.Get(), nullptr, 0);
      clear({});
      draw(Color{value, 0, 0, 0});
      EXPECT_EQ(result()[0], want ? 1 : 0);
      shader("one");
    }
}

TEST_F(Output, DepthWrites) {
  // REQ: A0087 A0678 A0785 B0722
  bindDepth();
  D3D11_DEPTH_STENCIL_DESC d = depthDesc();
  for (const auto func : {D3D11_COMPARISON_LESS, D3D11_COMPARISON_ALWAYS})
    for (const auto mask : {D3D11_DEPTH_WRITE_MASK_ZERO, D3D11_DEPTH_WRITE_MASK_ALL}) {
      d.DepthFunc = func;
      d.DepthWriteMask = mask;
      depthState(d);
      clearDepth(1, 0);
      EXPECT_TRUE(shows(0.25f));
      EXPECT_NEAR(storedDepth(), mask == D3D11_DEPTH_WRITE_MASK_ALL ? 0.25f : 1.0f, 1e-6f);
      EXPECT_EQ(shows(0.75f), func == D3D11_COMPARISON_ALWAYS || mask == D3D11_DEPTH_WRITE_MASK_ZERO);
    }
  // no state: nearer wins and is written, stencil stays
  context->OMSetDepthStencilState(nullptr, 3);
  clearDepth(0.5f, 9);
  EXPECT_FALSE(shows(0.75f));
  EXPECT_TRUE(shows(0.25f));
  EXPECT_NEAR(storedDepth(), 0.25f, 1e-6f);
  EXPECT_FALSE(shows(storedDepth())) << "LESS";
  EXPECT_EQ(stencil(), 9u);
}

TEST_F(Output, StencilOperations) {
  // REQ: A0088 A0089 A0090 A0091 B0723
  bindDepth();
  D3D11_DEPTH_STENCIL_DESC d = depthDesc();
  d.StencilEnable = TRUE;
  for (int op = D3D11_STENCIL_OP_KEEP; op <= D3D11_STENCIL_OP_DECR; op++)
    for (const UINT value : {0u, 1u, 0x7fu, 254u, 255u}) {
      d.FrontFace.StencilPassOp = d.BackFace.StencilPassOp = static_cast<D3D11_STENCIL_OP>(op);
      depthState(d, 0x5A);
      clearDepth(1, UINT8(value));
      EXPECT_TRUE(shows(0.5f));
      const UINT want[9] = {0, value, 0, 0x5A, std::min(value + 1, 255u), value ? value - 1 : 0, ~value & 255, (value + 1) & 255, (value - 1) & 255};
      EXPECT_EQ(stencil(), want[op]) << op << " " << value;
    }
  // REQ: A0275
  d = depthDesc();
  d.StencilEnable = TRUE;
  d.FrontFace = {D3D11_STENCIL_OP_ZERO, D3D11_STENCIL_OP_INVERT, D3D11_STENCIL_OP_INCR, D3D11_COMPARISON_EQUAL};
  d.BackFace = d.FrontFace;
  depthState(d, 5);
  clearDepth(0.5f, 6);
  EXPECT_FALSE(shows(0.25f));
  EXPECT_EQ(stencil(), 0u) << "stencil fails";
  clearDepth(0.5f, 5);
  EXPECT_FALSE(shows(0.75f));
  EXPECT_EQ(stencil(), 0xFAu) << "depth fails";
  clearDepth(0.5f, 5);
  EXPECT_TRUE(shows(0.25f));
  EXPECT_EQ(stencil(), 6u) << "both pass";
  // REQ: A0279
  d = depthDesc();
  d.StencilEnable = TRUE;
  d.FrontFace.StencilFunc = d.BackFace.StencilFunc = D3D11_COMPARISON_EQUAL;
  for (const UINT8 mask : {UINT8(0x0f), UINT8(0xff)}) {
    d.StencilReadMask = mask;
    depthState(d, 0x35);
    clearDepth(1, 0xA5);
    EXPECT_EQ(shows(0.5f), mask == 0x0f);
  }
  // REQ: A0280
  d = depthDesc();
  d.StencilEnable = TRUE;
  d.StencilWriteMask = 0x3c;
  d.FrontFace.StencilPassOp = d.BackFace.StencilPassOp = D3D11_STENCIL_OP_REPLACE;
  depthState(d, 0xff);
  clearDepth(1, 0x81);
  EXPECT_TRUE(shows(0.5f));
  EXPECT_EQ(stencil(), 0xbdu);
  // REQ: A0281
  d = depthDesc();
  d.StencilEnable = TRUE;
  d.FrontFace.StencilPassOp = D3D11_STENCIL_OP_INCR;
  d.BackFace.StencilPassOp = D3D11_STENCIL_OP_DECR;
  depthState(d);
  for (const BOOL counterClockwise : {FALSE, TRUE}) {
    D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
    rd.CullMode = D3D11_CULL_NONE;
    rd.FrontCounterClockwise = counterClockwise;
    ComPtr<ID3D11RasterizerState> raster;
    device->CreateRasterizerState(&rd, &raster);
    context->RSSetState(raster.Get());
    clearDepth(1, 100);
    EXPECT_TRUE(shows(0.5f));
    EXPECT_EQ(stencil(), counterClockwise ? 99u : 101u);
  }
}

TEST_F(Output, FormatsWithStencil) {
  // REQ: A0278 D0049 M0063
  const DXGI_FORMAT d16s8 = static_cast<DXGI_FORMAT>(118);
  D3D11_DEPTH_STENCIL_DESC d = depthDesc();
  d.StencilEnable = TRUE;
  d.FrontFace.StencilFunc = d.BackFace.StencilFunc = D3D11_COMPARISON_EQUAL;
  for (const DXGI_FORMAT f : {DXGI_FORMAT_D16_UNORM, DXGI_FORMAT_D24_UNORM_S8_UINT, DXGI_FORMAT_D32_FLOAT, DXGI_FORMAT_D32_FLOAT_S8X24_UINT, d16s8}) {
    SCOPED_TRACE(f);
    auto v = dsv(texture(4, 4, kDsv, f).Get());
    context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 4);
    context->OMSetRenderTargets(1, view.GetAddressOf(), v.Get());
    const bool has = f != DXGI_FORMAT_D16_UNORM && f != DXGI_FORMAT_D32_FLOAT;
    depthState(d, 5);
    EXPECT_EQ(shows(0.5f), !has) << "without a stencil plane the test passes";
    depthState(d, 4);
    EXPECT_TRUE(shows(0.25f));
    EXPECT_FALSE(shows(0.5f)) << "depth";
  }
  // REQ: M0065 M0066 M0067
  UINT support = 0;
  EXPECT_EQ(device->CheckFormatSupport(d16s8, &support), S_OK);
  EXPECT_TRUE(support & D3D11_FORMAT_SUPPORT_DEPTH_STENCIL);
  for (const UINT f : {119u, 120u}) {
    EXPECT_EQ(device->CheckFormatSupport(static_cast<DXGI_FORMAT>(f), &support), S_OK) << f;
    EXPECT_TRUE(support & D3D11_FORMAT_SUPPORT_SHADER_LOAD) << f;
  }
  auto t = texture(4, 4, kDsv | kSrv, d16s8);
  auto v = dsv(t.Get());
  context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 0.6f, 77);
  D3D11_SHADER_RESOURCE_VIEW_DESC sd = {};
  sd.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  sd.Texture2D.MipLevels = 1;
  sd.Format = static_cast<DXGI_FORMAT>(119);
  auto depthPlane = srv(t.Get(), &sd);
  sd.Format = static_cast<DXGI_FORMAT>(120);
  auto stencilPlane = srv(t.Get(), &sd);
  ID3D11ShaderResourceView* planes[2] = {depthPlane.Get(), stencilPlane.Get()};
  context->OMSetDepthStencilState(nullptr, 0);
  context->PSSetShaderResources(0, 2, planes);
  const auto show = compileShader("Texture2D d : register(t0); Texture2D<uint2> s : register(t1); SamplerComparisonState c : register(s0);"
                                  "float4 main() : SV_Target { return float4(d.Load(int3(1, 1, 0)).x, s.Load(int3(1, 1, 0)).y,"
                                  "d.SampleCmpLevelZero(c, 0.5, 0.5), d.SampleCmpLevelZero(c, 0.5, 0.7)); }",
                                  "main", "ps_5_0");
  D3D11_SAMPLER_DESC cd = CD3D11_SAMPLER_DESC(CD3D11_DEFAULT());
  cd.Filter = D3D11_FILTER_COMPARISON_MIN_MAG_LINEAR_MIP_POINT;
  cd.ComparisonFunc = D3D11_COMPARISON_LESS;
  ComPtr<ID3D11SamplerState> sampler;
  ASSERT_EQ(device->CreateSamplerState(&cd, &sampler), S_OK);
  context->PSSetSamplers(0, 1, sampler.GetAddressOf());
  context->PSSetShader(pixelShader(show).Get(), nullptr, 0);
  draw(Color{});
  EXPECT_NEAR(result()[0], 0.6f, 1.0f / 65535);
  EXPECT_EQ(result()[1], 77);
  EXPECT_EQ(result()[2], 1); // REQ: M0068
  EXPECT_EQ(result()[3], 0);
}

TEST_F(Output, ReadOnlyPlanes) {
  // REQ: A0101 A0371
  D3D11_DEPTH_STENCIL_DESC d = depthDesc();
  d.StencilEnable = TRUE;
  d.FrontFace.StencilPassOp = d.BackFace.StencilPassOp = D3D11_STENCIL_OP_REPLACE;
  for (UINT flags = 0; flags < 4; flags++) {
    bindDepth(flags);
    clearDepth(1, 3);
    depthState(d, 50);
    EXPECT_TRUE(shows(0.25f)) << "the tests are made";
    EXPECT_NEAR(storedDepth(), flags & D3D11_DSV_READ_ONLY_DEPTH ? 1.0f : 0.25f, 1e-6f) << flags;
    EXPECT_EQ(stencil(), flags & D3D11_DSV_READ_ONLY_STENCIL ? 3u : 50u) << flags;
  }
}

TEST_F(Output, AlphaToCoverage) {
  // REQ: M0073
  D3D11_TEXTURE2D_DESC d = desc2D(4, 4, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
  d.SampleDesc.Count = 4;
  auto ms = texture(d);
  auto msView = rtv(ms.Get());
  context->OMSetRenderTargets(1, msView.GetAddressOf(), nullptr);
  for (BOOL v = 0; v < 3; v++) {
    D3D11_BLEND_DESC bd = CD3D11_BLEND_DESC(CD3D11_DEFAULT());
    bd.AlphaToCoverageEnable = v;
    blend(bd);
    const float black[4] = {};
    context->ClearRenderTargetView(msView.Get(), black);
    draw(Color{1, 1, 1, 0.5f});
    context->ResolveSubresource(target.Get(), 0, ms.Get(), 0, d.Format);
    const auto bytes = read(target.Get(), 0, 64, 4);
    float sum = 0;
    for (UINT i = 0; i < 16; i++) {
      float f;
      memcpy(&f, &bytes[i * 16], 4);
      sum += f;
    }
    EXPECT_NEAR(sum / 16, v ? 0.5f : 1.0f, v ? 0.13f : 0.0f) << v;
  }
}

TEST_F(Output, DepthClip) {
  // REQ: A0297 A0298 B0397
  bindDepth();
  D3D11_DEPTH_STENCIL_DESC always = depthDesc();
  always.DepthFunc = D3D11_COMPARISON_ALWAYS;
  depthState(always);
  auto drawn = [&](float z, float scale, float w) {
    clear({});
    clearDepth(0.5f, 0);
    Constants c;
    c.c0 = {1, 1, 1, 1};
    c.z = z;
    c.scale = scale;
    c.w = w;
    draw(c);
    return result()[0] == 1;
  };
  for (const BOOL clip : {TRUE, FALSE}) {
    SCOPED_TRACE(clip);
    D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
    rd.CullMode = D3D11_CULL_NONE;
    rd.DepthClipEnable = clip;
    ComPtr<ID3D11RasterizerState> raster;
    ASSERT_EQ(device->CreateRasterizerState(&rd, &raster), S_OK);
    context->RSSetState(raster.Get());
    EXPECT_TRUE(drawn(0.25f, 1, 1));
    EXPECT_EQ(drawn(1.5f, 1, 1), !clip);
    EXPECT_NEAR(storedDepth(), clip ? 0.5f : 1.0f, 1e-6f) << "clamped to the viewport's range";
    EXPECT_EQ(drawn(-0.5f, 1, 1), !clip);
    EXPECT_FALSE(drawn(0.25f, 1, -1)) << "w below 0 is clipped always";
    EXPECT_FALSE(drawn(0, 1, 0));
    // x and y: a triangle far larger than the guard band covers the viewport and nothing beyond it
    const D3D11_VIEWPORT v = {1, 1, 2, 2, 0, 1};
    context->RSSetViewports(1, &v);
    drawn(0.25f, 100000, 1);
    const auto bytes = read(target.Get(), 0, 64, 4);
    for (UINT i = 0; i < 16; i++) {
      float f;
      memcpy(&f, &bytes[i * 16], 4);
      const UINT x = i % 4, y = i / 4;
      EXPECT_EQ(f, x >= 1 && x < 3 && y >= 1 && y < 3 ? 1.0f : 0.0f) << i;
    }
    viewport(4, 4);
  }
}

TEST_F(Output, ScissorsNeedTheirSwitch) {
  // REQ: A0702
  const D3D11_RECT rect = {2, 0, 4, 4};
  context->RSSetScissorRects(1, &rect);
  for (const BOOL on : {FALSE, TRUE}) {
    D3D11_RASTERIZER_DESC rd = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
    rd.ScissorEnable = on;
    ComPtr<ID3D11RasterizerState> raster;
    device->CreateRasterizerState(&rd, &raster);
    context->RSSetState(raster.Get());
    EXPECT_EQ(shows(0.5f), !on);
  }
}
