// SPDX-License-Identifier: MIT
// The input assembler: how elements are found and decoded, topologies, draws without buffers.
#include "fixture.h"

#include <array>

using namespace api;

namespace {

constexpr UINT kRtv = D3D11_BIND_RENDER_TARGET;
using Value = std::array<float, 4>;

class Input : public Api {
protected:
  void SetUp() override {
    Api::SetUp();
    target = texture(8, 8, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
    view = rtv(target.Get());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    viewport(8, 8);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    D3D11_RASTERIZER_DESC raster = CD3D11_RASTERIZER_DESC(CD3D11_DEFAULT());
    raster.CullMode = D3D11_CULL_NONE;
    ComPtr<ID3D11RasterizerState> state;
    device->CreateRasterizerState(&raster, &state);
    context->RSSetState(state.Get());
    clear();
  }
  void clear() {
    const float black[4] = {};
    context->ClearRenderTargetView(view.Get(), black);
  }
  /// A full-screen triangle whose colour is `expression` of the inputs that `parameters` declare; returns the vertex shader's code.
  std::vector<BYTE> shaders(const std::string& parameters, const std::string& expression) {
    const std::string text = "struct V { float4 p : SV_Position; float4 c : COLOR; };\nV vs(" + parameters +
                             ", uint id : SV_VertexID) { V v; v.p = float4(float(id & 2) * 2 - 1, float(id & 1) * 4 - 1, 0, 1); v.c = " + expression +
                             "; return v; }\nfloat4 ps(V v) : SV_Target { return v.c; }";
    const auto vs = compileShader(text.c_str(), "vs", "vs_5_0");
    context->VSSetShader(vertexShader(vs).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(compileShader(text.c_str(), "ps", "ps_5_0")).Get(), nullptr, 0);
    return vs;
  }
  void layout(const std::vector<D3D11_INPUT_ELEMENT_DESC>& e, const std::vector<BYTE>& code) {
    ComPtr<ID3D11InputLayout> l;
    ASSERT_EQ(device->CreateInputLayout(e.data(), UINT(e.size()), code.data(), code.size(), &l), S_OK);
    context->IASetInputLayout(l.Get());
  }
  /// Bytes for every vertex in slot 0.
  void vertices(const void* data, UINT size) {
    std::vector<BYTE> all;
    for (int i = 0; i < 3; i++)
      all.insert(all.end(), static_cast<const BYTE*>(data), static_cast<const BYTE*>(data) + size);
    auto b = buffer(UINT(all.size()), D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, all.data());
    const UINT offset = 0;
    context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &size, &offset);
  }
  Value at(UINT x, UINT y) {
    Value v;
    memcpy(v.data(), &read(target.Get(), 0, 128, 8)[y * 128 + x * 16], 16);
    return v;
  }
  Value drawn() {
    clear();
    context->Draw(3, 0);
    return at(3, 3);
  }
  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
};

} // namespace

TEST_F(Input, SemanticIndices) {
  // REQ: A0254 D0088
  const auto code = shaders("float a : ROW0, float b : ROW1, float c : ROW2, float d : ROW3", "float4(a, b, c, d)");
  const float data[4] = {1, 2, 3, 4};
  vertices(data, 16);
  std::vector<D3D11_INPUT_ELEMENT_DESC> e;
  for (const UINT index : {2u, 0u, 3u, 1u}) // in any order: the index decides
    e.push_back({"ROW", index, DXGI_FORMAT_R32_FLOAT, 0, (3 - index) * 4, D3D11_INPUT_PER_VERTEX_DATA, 0});
  layout(e, code);
  EXPECT_EQ(drawn(), (Value{4, 3, 2, 1}));
}

TEST_F(Input, AppendedElements) {
  // REQ: A0256
  const auto code = shaders("float a : A, float b : B, float c : C, float d : D", "float4(a, b, c, d)");
  BYTE data[16] = {255, 0xEE, 0xEE, 0xEE, 0, 0, 0, 0, 128, 0xEE, 0, 0, 0xEE, 0xEE, 0xEE, 0xEE};
  const float half = 0.5f;
  const uint16_t full = 0xffff;
  memcpy(data + 4, &half, 4);
  memcpy(data + 10, &full, 2);
  vertices(data, 16);
  const UINT next = D3D11_APPEND_ALIGNED_ELEMENT;
  layout({{"A", 0, DXGI_FORMAT_R8_UNORM, 0, next, D3D11_INPUT_PER_VERTEX_DATA, 0},
          {"B", 0, DXGI_FORMAT_R32_FLOAT, 0, next, D3D11_INPUT_PER_VERTEX_DATA, 0},
          {"C", 0, DXGI_FORMAT_R8_UNORM, 0, next, D3D11_INPUT_PER_VERTEX_DATA, 0},
          {"D", 0, DXGI_FORMAT_R16_UNORM, 0, next, D3D11_INPUT_PER_VERTEX_DATA, 0}},
         code);
  EXPECT_EQ(drawn(), (Value{1, 0.5f, 128.f / 255, 1}));
}

TEST_F(Input, FormatsAreDecoded) {
  // REQ: A0800
  const auto floats = shaders("float4 a : A", "a");
  const UINT word = 0x80FF4020;
  struct Row {
    DXGI_FORMAT format;
    Value want;
  };
  const Row rows[] = {{DXGI_FORMAT_R8G8B8A8_UNORM, {32.f / 255, 64.f / 255, 1, 128.f / 255}},
                      {DXGI_FORMAT_B8G8R8A8_UNORM, {1, 64.f / 255, 32.f / 255, 128.f / 255}},
                      {DXGI_FORMAT_R8G8B8A8_SNORM, {32.f / 127, 64.f / 127, -1.f / 127, -1}},
                      {DXGI_FORMAT_R16G16_UNORM, {float(0x4020) / 65535, float(0x80FF) / 65535, 0, 1}},
                      {DXGI_FORMAT_R16G16_FLOAT, {2.0625f, -1.51991844e-05f, 0, 1}},
                      {DXGI_FORMAT_R10G10B10A2_UNORM, {32.f / 1023, float(0x80FF4020 >> 10 & 1023) / 1023, float(0x80FF4020 >> 20 & 1023) / 1023, 2.f / 3}},
                      {DXGI_FORMAT_R8_UNORM, {32.f / 255, 0, 0, 1}}};
  vertices(&word, 4);
  for (const Row& r : rows) {
    layout({{"A", 0, r.format, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0}}, floats);
    const Value got = drawn();
    for (int i = 0; i < 4; i++)
      EXPECT_NEAR(got[i], r.want[i], 1e-6f) << r.format << " " << i;
  }
  const auto unsignedCode = shaders("uint4 a : A", "float4(a)");
  layout({{"A", 0, DXGI_FORMAT_R8G8B8A8_UINT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0}}, unsignedCode);
  EXPECT_EQ(drawn(), (Value{32, 64, 255, 128}));
  const auto signedCode = shaders("int4 a : A", "float4(a)");
  layout({{"A", 0, DXGI_FORMAT_R16G16_SINT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0}}, signedCode);
  EXPECT_EQ(drawn(), (Value{0x4020, -32513, 0, 1}));
}

TEST_F(Input, LayoutsServeEveryShaderWithTheirSignature) {
  // REQ: B0286 D0086
  const auto first = shaders("float4 a : A, float2 b : B", "a + b.xyxy");
  const float data[6] = {1, 2, 3, 4, 10, 20};
  vertices(data, 24);
  layout({{"A", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
          {"B", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 16, D3D11_INPUT_PER_VERTEX_DATA, 0}},
         first);
  EXPECT_EQ(drawn(), (Value{11, 22, 13, 24}));
  shaders("float4 a : A, float2 b : B", "a.wzyx * b.xxyy");
  EXPECT_EQ(drawn(), (Value{40, 30, 40, 20}));
}

TEST_F(Input, InstancesWithoutBuffers) {
  // REQ: A0604 D0180
  const char text[] = "struct V { float4 p : SV_Position; float4 c : COLOR; };"
                      "V vs(uint id : SV_VertexID, uint i : SV_InstanceID) { V v; float x = float(i) * 0.5 - 1;" // a quarter of the width each
                      "v.p = float4(x + float(id & 1) * 0.5, float(id >> 1) * 2 - 1, 0, 1); v.c = float(i + 1); return v; }"
                      "float4 ps(V v) : SV_Target { return v.c; }";
  context->VSSetShader(vertexShader(compileShader(text, "vs", "vs_5_0")).Get(), nullptr, 0);
  context->PSSetShader(pixelShader(compileShader(text, "ps", "ps_5_0")).Get(), nullptr, 0);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
  context->DrawInstanced(4, 3, 0, 0);
  for (UINT x = 0; x < 8; x++)
    EXPECT_EQ(at(x, 4)[0], x < 6 ? float(x / 2 + 1) : 0) << x;
}

TEST_F(Input, Topologies) {
  // REQ: A0617
  shaders("uint i : SV_InstanceID", "1");
  struct Row {
    D3D11_PRIMITIVE_TOPOLOGY topology;
    UINT primitives; ///< of 12 vertices
  };
  const Row rows[] = {{D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, 12},       {D3D11_PRIMITIVE_TOPOLOGY_LINELIST, 6},     {D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP, 11},
                      {D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, 4},     {D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, 10}, {D3D11_PRIMITIVE_TOPOLOGY_LINELIST_ADJ, 3},
                      {D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ, 9},    {D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST_ADJ, 2}, {D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ, 4}};
  const D3D11_QUERY_DESC d = {D3D11_QUERY_PIPELINE_STATISTICS, 0};
  ComPtr<ID3D11Query> query;
  ASSERT_EQ(device->CreateQuery(&d, &query), S_OK);
  for (const Row& r : rows) {
    context->IASetPrimitiveTopology(r.topology);
    context->Begin(query.Get());
    context->Draw(12, 0);
    context->End(query.Get());
    D3D11_QUERY_DATA_PIPELINE_STATISTICS s = {};
    while (context->GetData(query.Get(), &s, sizeof s, 0) == S_FALSE) {
    }
    EXPECT_EQ(s.IAPrimitives, r.primitives) << r.topology;
  }
  // The order of vertices: strips alternate, so that all triangles of this one face the viewer.
  const char text[] = "float4 vs(uint id : SV_VertexID) : SV_Position { return float4(float(id >> 1) - 1, float(id & 1) * 2 - 1, 0, 1); }"
                      "float4 ps() : SV_Target { return 1; }";
  context->VSSetShader(vertexShader(compileShader(text, "vs", "vs_5_0")).Get(), nullptr, 0);
  context->PSSetShader(pixelShader(compileShader(text, "ps", "ps_5_0")).Get(), nullptr, 0);
  context->RSSetState(nullptr); // culls what faces away
  for (const bool strip : {true, false}) {
    clear();
    context->IASetPrimitiveTopology(strip ? D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP : D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    context->Draw(6, 0);
    UINT covered = 0;
    for (UINT i = 0; i < 64; i++)
      covered += at(i % 8, i / 8)[0] == 1;
    if (strip)
      EXPECT_EQ(covered, 64u);
    else
      EXPECT_LT(covered, 40u);
  }
}
