// SPDX-License-Identifier: MIT
// Samplers and shader-resource views, by what a pixel shader reads.
#include "fixture.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

using namespace api;

namespace {

constexpr UINT kRtv = D3D11_BIND_RENDER_TARGET, kSrv = D3D11_BIND_SHADER_RESOURCE;
constexpr UINT kSlots = 64;
using Coord = std::array<float, 4>;
using Value = std::array<float, 4>;

class Sampling : public Api {
protected:
  void SetUp() override {
    Api::SetUp();
    target = texture(kSlots, 1, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
    view = rtv(target.Get());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    viewport(float(kSlots), 1);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    context->VSSetShader(vertexShader(fullscreenVertexShader()).Get(), nullptr, 0);
  }
  /// Binds a pixel shader with `declarations` that shows `expression`, where `c` is the float4 that belongs to the pixel.
  void shader(const std::string& declarations, const std::string& expression) {
    const std::string text = declarations + "\ncbuffer C : register(b13) { float4 coords[64]; };\n"
                                            "float4 main(float4 p : SV_Position) : SV_Target { float4 c = coords[uint(p.x)]; return " +
                             expression + "; }\n";
    context->PSSetShader(pixelShader(compileShader(text.c_str(), "main", "ps_5_0")).Get(), nullptr, 0);
  }
  std::vector<Value> values(std::vector<Coord> coords) {
    const size_t n = coords.size();
    EXPECT_LE(n, kSlots);
    coords.resize(kSlots);
    auto cb = buffer(kSlots * 16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, coords.data());
    context->PSSetConstantBuffers(13, 1, cb.GetAddressOf());
    context->Draw(3, 0);
    const auto bytes = read(target.Get(), 0, kSlots * 16, 1);
    std::vector<Value> v(n);
    memcpy(v.data(), bytes.data(), n * 16);
    return v;
  }
  Value value(const Coord& c) { return values({c, c})[0]; }
  void bind(ID3D11ShaderResourceView* v) { context->PSSetShaderResources(0, 1, &v); }
  static D3D11_SAMPLER_DESC desc(UINT filter) {
    D3D11_SAMPLER_DESC d = {};
    d.Filter = static_cast<D3D11_FILTER>(filter);
    d.AddressU = d.AddressV = d.AddressW = D3D11_TEXTURE_ADDRESS_CLAMP;
    d.ComparisonFunc = D3D11_COMPARISON_LESS;
    d.MaxAnisotropy = 4;
    d.MinLOD = -FLT_MAX;
    d.MaxLOD = FLT_MAX;
    return d;
  }
  void sampler(const D3D11_SAMPLER_DESC& d) {
    ComPtr<ID3D11SamplerState> s;
    ASSERT_EQ(device->CreateSamplerState(&d, &s), S_OK);
    context->PSSetSamplers(0, 1, s.GetAddressOf());
  }
  /// A texture of one float a texel; `at(x, y, layer, mip)` is its value.
  template <typename At> ComPtr<ID3D11Texture2D> floats(UINT width, UINT height, UINT mips, UINT layers, At&& at, UINT misc = 0) {
    D3D11_TEXTURE2D_DESC d = desc2D(width, height, kSrv, DXGI_FORMAT_R32_FLOAT);
    d.MipLevels = mips;
    d.ArraySize = layers;
    d.MiscFlags = misc;
    auto t = texture(d);
    for (UINT layer = 0; layer < layers; layer++)
      for (UINT mip = 0; mip < mips; mip++) {
        const UINT w = std::max(width >> mip, 1u), h = std::max(height >> mip, 1u);
        std::vector<float> data(w * h);
        for (UINT i = 0; i < w * h; i++)
          data[i] = at(i % w, i / w, layer, mip);
        context->UpdateSubresource(t.Get(), D3D11CalcSubresource(mip, layer, mips), nullptr, data.data(), w * 4, 0);
      }
    return t;
  }
  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
};

struct Tap {
  UINT mip, x;
  float weight;
};
/// What a filter (basic bits as D3D11_FILTER) takes from the middle row of a texture 8 texels wide with clamped coordinates.
std::vector<Tap> taps(UINT basic, float u, float lod) {
  const bool anisotropic = basic == 0x55, mag = lod <= 0;
  const bool linear = anisotropic || (basic >> (mag ? 2 : 4) & 1), mipLinear = anisotropic || (basic & 1);
  const float l = std::clamp(lod, 0.0f, 3.0f);
  std::vector<std::pair<UINT, float>> mips;
  if (mipLinear)
    mips = {{UINT(l), 1 - (l - std::floor(l))}, {UINT(std::min(std::floor(l) + 1, 3.0f)), l - std::floor(l)}};
  else
    mips = {{UINT(std::floor(l + 0.5f)), 1.0f}};
  std::vector<Tap> all;
  for (const auto& [mip, share] : mips) {
    const float width = float(8 >> mip), at = u * width;
    if (!linear) {
      all.push_back({mip, UINT(std::clamp(std::floor(at), 0.0f, width - 1)), share});
      continue;
    }
    const float left = std::floor(at - 0.5f), f = at - 0.5f - left;
    all.push_back({mip, UINT(std::clamp(left, 0.0f, width - 1)), share * (1 - f)});
    all.push_back({mip, UINT(std::clamp(left + 1, 0.0f, width - 1)), share * f});
  }
  std::erase_if(all, [](const Tap& t) { return t.weight == 0; });
  return all;
}
const UINT kBasics[9] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15, 0x55};
float texelOf(UINT mip, UINT x) { return float(x * 7 % 5) / 8 + float(mip) / 16; }

} // namespace

TEST_F(Sampling, AllFilters) {
  // REQ: A0106 A0107 A0109 A0111 A0112 A0113 A0114 A0118
  auto t = floats(8, 8, 4, 1, [](UINT x, UINT, UINT, UINT mip) { return texelOf(mip, x); });
  bind(srv(t.Get()).Get());
  // Neighbouring pixels are one texel of mip 0 apart, in both directions: the level is 0 and the bias decides.
  std::vector<Coord> coords;
  std::vector<float> us;
  for (const float u : {0.3f, 0.55f, 0.7f, 0.1875f, 0.4375f, 0.0f}) {
    coords.push_back({u, 0.5f, 0, 0});
    coords.push_back({u + 0.125f, 0.5f, 0, 0});
    us.push_back(u);
  }
  const float reference = 0.4f;
  for (const bool level0 : {false, true})
    for (const UINT reduction : {0x000u, 0x080u, 0x100u, 0x180u}) {
      const bool comparing = reduction == 0x080;
      if (level0 && !comparing)
        continue;
      shader(comparing ? "Texture2D t : register(t0); SamplerComparisonState s : register(s0);" : "Texture2D t : register(t0); SamplerState s : register(s0);",
             level0      ? "t.SampleCmpLevelZero(s, c.xy, 0.4)"
             : comparing ? "t.SampleCmp(s, c.xy + float2(0, p.y - 0.5) * 0.125, 0.4)"
                         : "t.Sample(s, c.xy + float2(0, p.y - 0.5) * 0.125)");
      for (const UINT basic : kBasics)
        for (const float bias : {-3.0f, 1.25f}) {
          D3D11_SAMPLER_DESC d = desc(reduction | basic);
          d.MipLODBias = bias;
          sampler(d);
          const auto got = values(coords);
          for (size_t i = 0; i < us.size(); i++) {
            SCOPED_TRACE(testing::Message() << std::hex << (reduction | basic) << " bias " << bias << " u " << us[i]);
            float sum = 0, low = FLT_MAX, high = -FLT_MAX;
            for (const Tap& tap : taps(basic, us[i], level0 ? 0 : bias)) {
              const float v = texelOf(tap.mip, tap.x);
              sum += tap.weight * (comparing ? float(reference < v) : v);
              low = std::min(low, v);
              high = std::max(high, v);
            }
            EXPECT_NEAR(got[i * 2][0], reduction == 0x100 ? low : reduction == 0x180 ? high : sum, 0.01f);
          }
        }
    }
}

TEST_F(Sampling, PointAndLinear) {
  // REQ: A0108
  auto t = floats(4, 4, 1, 1, [](UINT x, UINT y, UINT, UINT) { return float(10 * y + x); });
  bind(srv(t.Get()).Get());
  shader("Texture2D t : register(t0); SamplerState s : register(s0);", "t.SampleLevel(s, c.xy, 0)");
  sampler(desc(D3D11_FILTER_MIN_MAG_MIP_POINT));
  EXPECT_EQ(value({0.30f, 0.70f, 0, 0})[0], 21.0f);
  sampler(desc(D3D11_FILTER_MIN_MAG_MIP_LINEAR));
  EXPECT_NEAR(value({0.50f, 0.50f, 0, 0})[0], 16.5f, 0.05f);
  EXPECT_NEAR(value({0.4375f, 0.625f, 0, 0})[0], 21.25f, 0.05f);
  EXPECT_EQ(value({0.375f, 0.625f, 0, 0})[0], 21.0f) << "on a texel's centre";
}

TEST_F(Sampling, AddressModes) {
  // REQ: A0119 A0120 A0121 A0122 A0123 A0381 A0385
  D3D11_TEXTURE3D_DESC d3 = {4, 4, 4, 1, DXGI_FORMAT_R32_FLOAT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  std::vector<float> data(64);
  for (UINT i = 0; i < 64; i++)
    data[i] = float(i % 4 + i / 4 % 4 * 10 + i / 16 * 100);
  const D3D11_SUBRESOURCE_DATA init = {data.data(), 16, 64};
  ComPtr<ID3D11Texture3D> t;
  ASSERT_EQ(device->CreateTexture3D(&d3, &init, &t), S_OK);
  bind(srv(t.Get()).Get());
  shader("Texture3D t : register(t0); SamplerState s : register(s0);", "t.SampleLevel(s, c.xyz, 0)");
  auto address = [](D3D11_TEXTURE_ADDRESS_MODE mode, float u) { // texel, or -1 for the border
    const int x = int(std::floor(u * 4));
    switch (mode) {
    case D3D11_TEXTURE_ADDRESS_WRAP: return (x % 4 + 4) % 4;
    case D3D11_TEXTURE_ADDRESS_MIRROR: {
      const int m = (x % 8 + 8) % 8;
      return m < 4 ? m : 7 - m;
    }
    case D3D11_TEXTURE_ADDRESS_CLAMP: return std::clamp(x, 0, 3);
    case D3D11_TEXTURE_ADDRESS_BORDER: return x < 0 || x > 3 ? -1 : x;
    case D3D11_TEXTURE_ADDRESS_MIRROR_ONCE: return std::min(x < 0 ? -1 - x : x, 3);
    }
    return 0;
  };
  std::vector<Coord> coords;
  for (int i = 0; i < 48; i++)
    coords.push_back({(float(i) - 20.5f) / 8, (float(i * 7 % 48) - 20.5f) / 8, (float(i * 11 % 48) - 20.5f) / 8, 0});
  for (int u = 1; u <= 5; u++)
    for (int shift = 0; shift < 5; shift++) {
      D3D11_SAMPLER_DESC d = desc(D3D11_FILTER_MIN_MAG_MIP_POINT);
      d.AddressU = static_cast<D3D11_TEXTURE_ADDRESS_MODE>(u);
      d.AddressV = static_cast<D3D11_TEXTURE_ADDRESS_MODE>((u - 1 + shift) % 5 + 1);
      d.AddressW = static_cast<D3D11_TEXTURE_ADDRESS_MODE>((u - 1 + shift * 2) % 5 + 1);
      d.BorderColor[0] = 0.625f;
      sampler(d);
      const auto got = values(coords);
      for (size_t i = 0; i < coords.size(); i++) {
        const int x = address(d.AddressU, coords[i][0]), y = address(d.AddressV, coords[i][1]), z = address(d.AddressW, coords[i][2]);
        EXPECT_EQ(got[i][0], x < 0 || y < 0 || z < 0 ? 0.625f : float(x + y * 10 + z * 100)) << u << shift << " " << i;
      }
    }
}

TEST_F(Sampling, LevelsOfDetail) {
  auto t = floats(64, 64, 7, 1, [](UINT, UINT, UINT, UINT mip) { return float(mip); });
  bind(srv(t.Get()).Get());
  const std::string declarations = "Texture2D t : register(t0); SamplerState s : register(s0);";
  shader(declarations, "t.Sample(s, c.xy)");
  const std::vector<Coord> eightTexels = {{0.25f, 0.5f, 0, 0}, {0.375f, 0.5f, 0, 0}}; // eight texels a pixel: level 3
  D3D11_SAMPLER_DESC d = desc(D3D11_FILTER_MIN_MAG_MIP_LINEAR);
  sampler(d);
  EXPECT_NEAR(values(eightTexels)[0][0], 3, 0.02f);
  // REQ: A0382
  for (const float bias : {2.0f, -1.0f, 0.5f}) {
    d.MipLODBias = bias;
    sampler(d);
    EXPECT_NEAR(values(eightTexels)[0][0], 3 + bias, 0.02f);
  }
  // REQ: A0386 A0387
  shader(declarations, "t.SampleLevel(s, c.xy, c.z)");
  d = desc(D3D11_FILTER_MIN_MAG_MIP_LINEAR);
  d.MinLOD = 1.5f;
  d.MaxLOD = 4;
  sampler(d);
  for (const float level : {0.0f, 1.0f, 2.25f, 4.0f, 6.0f})
    EXPECT_NEAR(value({0.5f, 0.5f, level, 0})[0], std::clamp(level, 1.5f, 4.0f), 0.01f);
}

TEST_F(Sampling, WithoutSampler) {
  // REQ: A0380 A0596 D0165
  const CD3D11_SAMPLER_DESC defaults{CD3D11_DEFAULT()};
  EXPECT_EQ(defaults.Filter, D3D11_FILTER_MIN_MAG_MIP_LINEAR);
  EXPECT_TRUE(defaults.AddressU == D3D11_TEXTURE_ADDRESS_CLAMP && defaults.AddressV == D3D11_TEXTURE_ADDRESS_CLAMP &&
              defaults.AddressW == D3D11_TEXTURE_ADDRESS_CLAMP);
  EXPECT_EQ(defaults.MinLOD, -FLT_MAX);
  EXPECT_EQ(defaults.MaxLOD, FLT_MAX);
  EXPECT_EQ(defaults.MipLODBias, 0);
  EXPECT_EQ(defaults.MaxAnisotropy, 1u);
  EXPECT_EQ(defaults.ComparisonFunc, D3D11_COMPARISON_NEVER);
  for (const float c : defaults.BorderColor)
    EXPECT_EQ(c, 1);
  auto t = floats(4, 4, 3, 1, [](UINT x, UINT, UINT, UINT mip) { return float(x + 10 * mip); });
  auto v = srv(t.Get());
  bind(v.Get());
  context->VSSetShaderResources(0, 1, v.GetAddressOf());
  auto check = [&](auto&& at) {
    EXPECT_NEAR(at(-3.0f, 0.0f), 0, 0.01f) << "clamped";
    EXPECT_NEAR(at(3.0f, 0.0f), 3, 0.01f);
    EXPECT_NEAR(at(0.5f, 0.0f), 1.5f, 0.01f) << "linear";
    EXPECT_NEAR(at(0.375f, 0.5f), 0.5f * 1 + 0.5f * 10.25f, 0.02f) << "between mips";
    EXPECT_NEAR(at(0.375f, 9.0f), 20, 0.01f);
  };
  const std::string declarations = "Texture2D t : register(t0); SamplerState s : register(s0);";
  shader(declarations, "t.SampleLevel(s, c.xy, c.z)");
  check([&](float u, float level) { return value({u, 0.5f, level, 0})[0]; });
  shader("Texture2D t : register(t0); SamplerComparisonState s : register(s0);", "1 + t.SampleCmpLevelZero(s, c.xy, c.z)");
  for (const float reference : {-1.0f, 1.0f, 9.0f})
    EXPECT_EQ(value({0.375f, 0.5f, reference, 0})[0], 1) << "NEVER";
  // The vertex stage: its result becomes the colour.
  const char text[] = "Texture2D t : register(t0); SamplerState s : register(s0); cbuffer C : register(b13) { float4 coords[64]; };"
                      "struct V { float4 p : SV_Position; float4 c : COLOR; };"
                      "V vs(uint id : SV_VertexID) { V v; v.p = float4(float(id & 2) * 2 - 1, float(id & 1) * 4 - 1, 0, 1);"
                      "v.c = t.SampleLevel(s, coords[0].xy, coords[0].z); return v; }"
                      "float4 ps(V v) : SV_Target { return v.c; }";
  context->VSSetShader(vertexShader(compileShader(text, "vs", "vs_5_0")).Get(), nullptr, 0);
  context->PSSetShader(pixelShader(compileShader(text, "ps", "ps_5_0")).Get(), nullptr, 0);
  check([&](float u, float level) {
    const Coord c = {u, 0.5f, level, 0};
    std::vector<Coord> all(kSlots, c);
    auto cb = buffer(kSlots * 16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, all.data());
    context->VSSetConstantBuffers(13, 1, cb.GetAddressOf());
    return value(c)[0];
  });
}

TEST_F(Sampling, BufferViews) {
  std::vector<float> data(32);
  for (UINT i = 0; i < 32; i++)
    data[i] = float(i);
  // REQ: A0331 D0074
  auto typed = buffer(128, kSrv, D3D11_USAGE_DEFAULT, 0, data.data());
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.Format = DXGI_FORMAT_R32_FLOAT;
  d.ViewDimension = D3D11_SRV_DIMENSION_BUFFER;
  d.Buffer.FirstElement = 5;
  d.Buffer.NumElements = 4;
  bind(srv(typed.Get(), &d).Get());
  shader("Buffer<float> t : register(t0);", "t.Load(int(c.x))");
  for (int i = 0; i < 6; i++)
    EXPECT_EQ(value({float(i), 0, 0, 0})[0], i < 4 ? float(5 + i) : 0) << i;
  // REQ: A0019
  d.Format = DXGI_FORMAT_R32G32B32A32_FLOAT;
  d.Buffer.FirstElement = 2;
  d.Buffer.NumElements = 2;
  bind(srv(typed.Get(), &d).Get());
  shader("Buffer<float4> t : register(t0);", "t.Load(int(c.x))");
  EXPECT_EQ(value({1, 0, 0, 0}), (Value{12, 13, 14, 15})) << "the same buffer as other elements";
  // REQ: A0100 A0333
  auto raw = buffer(128, kSrv, D3D11_USAGE_DEFAULT, 0, data.data(), D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS);
  d.Format = DXGI_FORMAT_R32_TYPELESS;
  d.ViewDimension = D3D11_SRV_DIMENSION_BUFFEREX;
  d.BufferEx = {8, 4, D3D11_BUFFEREX_SRV_FLAG_RAW};
  bind(srv(raw.Get(), &d).Get());
  const auto code = makeShader(Stage::Pixel,
                               "dcl_resource raw t0\ndcl_input v0.x linear noperspective position\ndcl_output o0.xyzw\ndcl_temps 1\n"
                               "ftou r0.x, v0.x\nishl r0.x, r0.x, l(2)\nld_raw r0.x, r0.x, t0.xxxx\nmov o0.xyzw, r0.xxxx\nret\n",
                               {{"SV_Position", 0, 0, 15, 1}}, {{"SV_Target", 0, 0, 15, 0}}, 50);
  context->PSSetShader(pixelShader(code).Get(), nullptr, 0); // pixel x shows the word at byte 4 x
  const auto words = values(std::vector<Coord>(6));
  for (UINT i = 0; i < 6; i++)
    EXPECT_EQ(words[i][0], i < 4 ? float(8 + i) : 0) << i;
  d.BufferEx.Flags = 2;
  EXPECT_EQ(device->CreateShaderResourceView(raw.Get(), &d, nullptr), E_INVALIDARG);
}

TEST_F(Sampling, RangesOfTextureViews) {
  auto number = [](UINT, UINT, UINT layer, UINT mip) { return float(layer * 10 + mip + 1); };
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.Format = DXGI_FORMAT_R32_FLOAT;
  sampler(desc(D3D11_FILTER_MIN_MAG_MIP_POINT));
  // REQ: A0336 A0337
  const D3D11_TEXTURE1D_DESC d1 = {256, 9, 5, DXGI_FORMAT_R32_FLOAT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  ComPtr<ID3D11Texture1D> t1;
  ASSERT_EQ(device->CreateTexture1D(&d1, nullptr, &t1), S_OK);
  for (UINT layer = 0; layer < 5; layer++)
    for (UINT mip = 0; mip < 9; mip++)
      context->UpdateSubresource(t1.Get(), D3D11CalcSubresource(mip, layer, 9), nullptr,
                                 std::vector<float>(256 >> mip, number(0, 0, layer, mip)).data(), 0, 0);
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE1D;
  d.Texture1D = {6, 2};
  bind(srv(t1.Get(), &d).Get());
  shader("Texture1D t : register(t0); SamplerState s : register(s0);", "float4(t.SampleLevel(s, 0.5, c.x).x, t.Load(int2(0, c.x)).x, 0, 0)");
  EXPECT_EQ(value({0, 0, 0, 0})[0], 7);
  EXPECT_EQ(value({1, 0, 0, 0}), (Value{8, 8, 0, 0}));
  EXPECT_EQ(value({2, 0, 0, 0}), (Value{8, 0, 0, 0})) << "nothing beyond the second mip";
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE1DARRAY;
  d.Texture1DArray = {3, UINT(-1), 2, 2};
  bind(srv(t1.Get(), &d).Get());
  shader("Texture1DArray t : register(t0);", "t.Load(int3(0, c.y, c.x))");
  for (UINT layer = 0; layer < 3; layer++)
    for (UINT mip = 0; mip < 7; mip++)
      EXPECT_EQ(value({float(mip), float(layer), 0, 0})[0], layer < 2 && mip < 6 ? number(0, 0, layer + 2, mip + 3) : 0) << layer << mip;
  // REQ: A0339 A0542
  auto t2 = floats(16, 16, 5, 5, number);
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DARRAY;
  d.Texture2DArray = {1, 2, 1, 3};
  bind(srv(t2.Get(), &d).Get());
  shader("Texture2DArray t : register(t0);", "t.Load(int4(0, 0, c.y, c.x))");
  for (UINT layer = 0; layer < 4; layer++)
    for (UINT mip = 0; mip < 3; mip++)
      EXPECT_EQ(value({float(mip), float(layer), 0, 0})[0], layer < 3 && mip < 2 ? number(0, 0, layer + 1, mip + 1) : 0) << layer << mip;
  // REQ: A0099
  auto cubes = floats(8, 8, 1, 18, number, D3D11_RESOURCE_MISC_TEXTURECUBE);
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURECUBEARRAY;
  d.TextureCubeArray = {0, 1, 0, 3};
  bind(srv(cubes.Get(), &d).Get());
  shader("TextureCubeArray t : register(t0); SamplerState s : register(s0);", "t.SampleLevel(s, c, 0)");
  const Coord directions[6] = {{1, 0.1f, 0.2f, 0}, {-1, 0.1f, 0.2f, 0}, {0.1f, 1, 0.2f, 0}, {0.1f, -1, 0.2f, 0}, {0.1f, 0.2f, 1, 0}, {0.1f, 0.2f, -1, 0}};
  for (UINT face = 0; face < 6; face++)
    EXPECT_EQ(value(directions[face])[0], number(0, 0, face, 0));
  // REQ: A0342
  d.TextureCubeArray = {0, 1, 3, 2}; // two cubes from slice 3 on
  bind(srv(cubes.Get(), &d).Get());
  for (UINT cube = 0; cube < 2; cube++)
    for (UINT face = 0; face < 6; face++) {
      Coord c = directions[face];
      c[3] = float(cube);
      EXPECT_EQ(value(c)[0], number(0, 0, 3 + cube * 6 + face, 0));
    }
  // REQ: A0344
  D3D11_TEXTURE2D_DESC md = desc2D(4, 4, kSrv | kRtv, DXGI_FORMAT_R32_FLOAT);
  md.ArraySize = 4;
  md.SampleDesc.Count = 4;
  auto ms = texture(md);
  for (UINT layer = 0; layer < 4; layer++) {
    D3D11_RENDER_TARGET_VIEW_DESC rd = {};
    rd.Format = md.Format;
    rd.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY;
    rd.Texture2DMSArray = {layer, 1};
    const float color[4] = {float(layer + 1), 0, 0, 0};
    context->ClearRenderTargetView(rtv(ms.Get(), &rd).Get(), color);
  }
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY;
  d.Texture2DMSArray = {1, 2};
  bind(srv(ms.Get(), &d).Get());
  shader("Texture2DMSArray<float> t : register(t0);", "t.Load(int3(1, 1, c.x), 2)");
  for (UINT layer = 0; layer < 3; layer++)
    EXPECT_EQ(value({float(layer), 0, 0, 0})[0], layer < 2 ? float(layer + 2) : 0) << layer;
}

TEST_F(Sampling, TypelessResources) {
  // REQ: B0270 D0076
  const UINT words[16] = {0x80ff4020};
  const D3D11_SUBRESOURCE_DATA init = {words, 16, 0};
  auto t = texture(desc2D(4, 4, kSrv, DXGI_FORMAT_R8G8B8A8_TYPELESS), &init);
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  d.Texture2D.MipLevels = 1;
  struct Row {
    DXGI_FORMAT format;
    const char* type;
    Value want;
  };
  const Row rows[] = {{DXGI_FORMAT_R8G8B8A8_UNORM, "float4", {32.f / 255, 64.f / 255, 1, 128.f / 255}},
                      {DXGI_FORMAT_R8G8B8A8_UINT, "uint4", {32, 64, 255, 128}},
                      {DXGI_FORMAT_R8G8B8A8_SINT, "int4", {32, 64, -1, -128}},
                      {DXGI_FORMAT_R8G8B8A8_SNORM, "float4", {32.f / 127, 64.f / 127, -1.f / 127, -1}},
                      {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, "float4", {0.014444f, 0.051269f, 1, 128.f / 255}}};
  for (const Row& r : rows) {
    d.Format = r.format;
    bind(srv(t.Get(), &d).Get());
    shader(std::string("Texture2D<") + r.type + "> t : register(t0);", "t.Load(int3(0, 0, 0))");
    const Value got = value({});
    for (int i = 0; i < 4; i++)
      EXPECT_NEAR(got[i], r.want[i], 1e-5f) << r.format << " " << i;
  }
}

TEST_F(Sampling, ResourceMinLod) {
  // REQ: A0044 A0752 D0251
  auto t = floats(16, 16, 5, 1, [](UINT, UINT, UINT, UINT mip) { return float(mip + 1); }, D3D11_RESOURCE_MISC_RESOURCE_CLAMP);
  auto whole = srv(t.Get());
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.Format = DXGI_FORMAT_R32_FLOAT;
  d.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  d.Texture2D = {1, 4};
  auto part = srv(t.Get(), &d);
  sampler(desc(D3D11_FILTER_MIN_MAG_LINEAR_MIP_POINT));
  shader("Texture2D t : register(t0); SamplerState s : register(s0);", "t.SampleLevel(s, 0.5, c.x)");
  for (const float clamp : {0.0f, 2.0f, 3.0f, 0.0f}) {
    context->SetResourceMinLOD(t.Get(), clamp);
    bind(whole.Get());
    for (const float level : {0.0f, 1.0f, 3.0f, 4.0f})
      EXPECT_EQ(value({level, 0, 0, 0})[0], std::max(level, clamp) + 1) << clamp << " " << level;
    bind(part.Get());
    for (const float level : {0.0f, 1.0f, 3.0f})
      EXPECT_EQ(value({level, 0, 0, 0})[0], std::max(level + 1, clamp) + 1) << clamp << " " << level;
  }
}
