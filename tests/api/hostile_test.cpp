// SPDX-License-Identifier: MIT
// What no program should do: everything must be answered, nothing may crash.
#include "fixture.h"

#include <cmath>

using namespace api;

namespace {

constexpr UINT kWild[] = {7, 8, 100, 127, 128, 4096, 0x7fffffff, 0x80000000, 0xffffffff};

template <typename E> E wild(UINT bits) {
  E e;
  memcpy(&e, &bits, sizeof e);
  return e;
}

class Hostile : public Api {
protected:
  void SetUp() override {
    Api::SetUp();
    target = texture(16, 16, D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    view = rtv(target.Get());
    vertex = vertexShader(fullscreenVertexShader());
    pixel = pixelShader(constantPixelShader());
    const float white[4] = {1, 1, 1, 1};
    constants = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, white);
    bind();
  }
  void bind() {
    context->VSSetShader(vertex.Get(), nullptr, 0);
    context->PSSetShader(pixel.Get(), nullptr, 0);
    context->PSSetConstantBuffers(0, 1, constants.GetAddressOf());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    viewport(16, 16);
  }
  /// The device still draws.
  void expectAlive() {
    context->ClearState();
    bind();
    const float black[4] = {};
    context->ClearRenderTargetView(view.Get(), black);
    context->Draw(3, 0);
    EXPECT_EQ(pixel00(), 0xffffffffu);
    EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  }
  UINT pixel00() { return Api::pixel(target.Get()); }

  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
  ComPtr<ID3D11VertexShader> vertex;
  ComPtr<ID3D11PixelShader> pixel;
  ComPtr<ID3D11Buffer> constants;
};

} // namespace

TEST_F(Hostile, QueriesGoWhileTheyCount) {
  for (D3D11_QUERY kind : {D3D11_QUERY_OCCLUSION, D3D11_QUERY_PIPELINE_STATISTICS, D3D11_QUERY_OCCLUSION_PREDICATE}) {
    const D3D11_QUERY_DESC desc = {kind, 0};
    for (int drawn = 0; drawn < 4; drawn++) {
      ComPtr<ID3D11Query> query;
      ASSERT_EQ(device->CreateQuery(&desc, &query), S_OK);
      if (drawn & 1)
        context->Draw(3, 0);
      context->Begin(query.Get());
      if (drawn & 2)
        context->Draw(3, 0);
      query.Reset();
      context->Flush();
      pixel00();
      context->Draw(3, 0);
    }
  }
  // One that stays counts right all the same.
  const D3D11_QUERY_DESC desc = {D3D11_QUERY_OCCLUSION, 0};
  ComPtr<ID3D11Query> query;
  ASSERT_EQ(device->CreateQuery(&desc, &query), S_OK);
  context->Begin(query.Get());
  context->Draw(3, 0);
  context->End(query.Get());
  UINT64 samples = 0;
  HRESULT hr = S_FALSE;
  while (hr == S_FALSE)
    hr = context->GetData(query.Get(), &samples, sizeof samples, 0);
  EXPECT_EQ(hr, S_OK);
  EXPECT_EQ(samples, 256u);
  expectAlive();
}

TEST_F(Hostile, EnumerationsOfAnyNumber) {
  auto dynamic = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DYNAMIC, D3D11_CPU_ACCESS_WRITE);
  for (UINT bits : kWild) {
    context->IASetPrimitiveTopology(wild<D3D11_PRIMITIVE_TOPOLOGY>(bits));
    context->Draw(3, 0);
    D3D11_PRIMITIVE_TOPOLOGY got;
    context->IAGetPrimitiveTopology(&got);
    D3D11_MAPPED_SUBRESOURCE mapped;
    EXPECT_EQ(context->Map(dynamic.Get(), 0, wild<D3D11_MAP>(bits), 0, &mapped), E_INVALIDARG);
    D3D11_COUNTER_DESC counter = {};
    memcpy(&counter.Counter, &bits, sizeof bits);
    ComPtr<ID3D11Counter> made;
    EXPECT_TRUE(FAILED(device->CreateCounter(&counter, &made)));
    ComPtr<ID3D11Device> other;
    EXPECT_TRUE(FAILED(D3D11CreateDevice(nullptr, wild<D3D_DRIVER_TYPE>(bits), nullptr, 0, nullptr, 0, D3D11_SDK_VERSION,
                                         &other, nullptr, nullptr)));
    ComPtr<IDXGIFactory> factory;
    ASSERT_EQ(CreateDXGIFactory(IID_PPV_ARGS(&factory)), S_OK);
    for (int field = 0; field < 3; field++) {
      DXGI_SWAP_CHAIN_DESC desc = {};
      desc.BufferDesc.Width = desc.BufferDesc.Height = 8;
      desc.BufferDesc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
      desc.SampleDesc.Count = 1;
      desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
      desc.BufferCount = 1;
      desc.Windowed = TRUE;
      void* at[] = {&desc.SwapEffect, &desc.BufferDesc.ScanlineOrdering, &desc.BufferDesc.Scaling};
      memcpy(at[field], &bits, sizeof bits);
      ComPtr<IDXGISwapChain> chain;
      EXPECT_EQ(factory->CreateSwapChain(device.Get(), &desc, &chain), DXGI_ERROR_INVALID_CALL);
    }
  }
  expectAlive();
}

TEST_F(Hostile, ObjectsOfAnotherDevice) {
  Created other = createDevice();
  ASSERT_EQ(other.hr, S_OK);
  {
    // Made by the other device, dead before this one draws again.
    const D3D11_BUFFER_DESC bufferDesc = {256, D3D11_USAGE_DEFAULT,
                                          D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0};
    const D3D11_BUFFER_DESC streamDesc = {256, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER, 0, 0, 0};
    ComPtr<ID3D11Buffer> foreignConstants, foreignStream;
    ASSERT_EQ(other.device->CreateBuffer(&bufferDesc, nullptr, &foreignConstants), S_OK);
    ASSERT_EQ(other.device->CreateBuffer(&streamDesc, nullptr, &foreignStream), S_OK);
    const auto textureDesc = desc2D(16, 16, D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    ComPtr<ID3D11Texture2D> foreignTexture;
    ASSERT_EQ(other.device->CreateTexture2D(&textureDesc, nullptr, &foreignTexture), S_OK);
    ComPtr<ID3D11RenderTargetView> foreignTarget;
    ASSERT_EQ(other.device->CreateRenderTargetView(foreignTexture.Get(), nullptr, &foreignTarget), S_OK);
    ComPtr<ID3D11ShaderResourceView> foreignView;
    ASSERT_EQ(other.device->CreateShaderResourceView(foreignTexture.Get(), nullptr, &foreignView), S_OK);
    ComPtr<ID3D11PixelShader> foreignPixel;
    ASSERT_EQ(other.device->CreatePixelShader(constantPixelShader().data(), constantPixelShader().size(), nullptr, &foreignPixel), S_OK);
    const D3D11_QUERY_DESC queryDesc = {D3D11_QUERY_OCCLUSION, 0};
    ComPtr<ID3D11Query> foreignQuery;
    ASSERT_EQ(other.device->CreateQuery(&queryDesc, &foreignQuery), S_OK);

    ComPtr<ID3D11ShaderResourceView> none;
    EXPECT_EQ(device->CreateShaderResourceView(foreignTexture.Get(), nullptr, &none), E_INVALIDARG);
    D3D11_MAPPED_SUBRESOURCE mapped;
    EXPECT_EQ(context->Map(foreignTexture.Get(), 0, D3D11_MAP_READ, 0, &mapped), E_INVALIDARG);
    context->CopyResource(target.Get(), foreignTexture.Get());
    context->CopyResource(foreignTexture.Get(), target.Get());
    const float color[4] = {0, 1, 0, 1};
    context->ClearRenderTargetView(foreignTarget.Get(), color);
    context->ClearView(foreignTarget.Get(), color, nullptr, 0);
    context->Begin(foreignQuery.Get());
    context->End(foreignQuery.Get());
    UINT64 data;
    EXPECT_EQ(context->GetData(foreignQuery.Get(), &data, sizeof data, 0), E_INVALIDARG);
    const UINT stride = 16, offset = 0;
    context->IASetVertexBuffers(0, 1, foreignStream.GetAddressOf(), &stride, &offset);
    context->IASetIndexBuffer(foreignStream.Get(), DXGI_FORMAT_R16_UINT, 0);
    context->VSSetConstantBuffers(0, 1, foreignConstants.GetAddressOf());
    context->PSSetShaderResources(0, 1, foreignView.GetAddressOf());
    context->OMSetRenderTargets(1, foreignTarget.GetAddressOf(), nullptr);
    context->PSSetShader(foreignPixel.Get(), nullptr, 0);
    context->Draw(3, 0);
    ComPtr<ID3D11Buffer> bound;
    context->VSGetConstantBuffers(0, 1, &bound);
    EXPECT_EQ(bound, nullptr);
    other.context->ClearState();
  }
  other = {};
  context->Draw(3, 0);
  expectAlive();
}

TEST_F(Hostile, DrawsOfWildNumbers) {
  auto small = buffer(64, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER);
  auto position = vertexShader(colorVertexShader());
  const D3D11_INPUT_ELEMENT_DESC elements[] = {{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
                                               {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0}};
  ComPtr<ID3D11InputLayout> layout;
  ASSERT_EQ(device->CreateInputLayout(elements, 2, colorVertexShader().data(), colorVertexShader().size(), &layout), S_OK);
  context->VSSetShader(position.Get(), nullptr, 0);
  for (ID3D11InputLayout* l : {layout.Get(), static_cast<ID3D11InputLayout*>(nullptr)}) {
    context->IASetInputLayout(l);
    for (UINT stride : {0u, 1u, 3u, 28u, 2048u, 0x7fffffffu, 0xffffffffu})
      for (UINT offset : {0u, 1u, 63u, 64u, 65u, 0xfffffff0u, 0xffffffffu}) {
        context->IASetVertexBuffers(0, 1, small.GetAddressOf(), &stride, &offset);
        context->IASetIndexBuffer(small.Get(), offset & 1 ? DXGI_FORMAT_R16_UINT : DXGI_FORMAT_R32_UINT, offset);
        context->Draw(6, 0);
        context->Draw(6, 0xfffffffe);
        context->DrawIndexed(6, 0xfffffffe, -1);
        context->DrawInstanced(3, 2, 5, 0xffffffff);
        context->DrawIndexedInstanced(6, 2, 9, 0x7fffffff, 0xfffffff0);
      }
  }
  const float values[] = {0, 1, -32768, 32767, 1e30f, -1e30f, NAN, INFINITY, -INFINITY};
  context->VSSetShader(vertex.Get(), nullptr, 0);
  for (float a : values)
    for (float b : values) {
      const D3D11_VIEWPORT v = {a, a, b, b, a, b};
      context->RSSetViewports(1, &v);
      context->Draw(3, 0);
      context->ClearRenderTargetView(view.Get(), &v.TopLeftX);
    }
  expectAlive();
}

TEST_F(Hostile, EndlessShadersRemoveTheDevice) {
  const auto code = makeShader(Stage::Vertex,
                               "dcl_input v0.x vertex_id\ndcl_output o0.xyzw position\ndcl_temps 1\nmov r0.x, v0.x\nloop\n"
                               "iadd r0.x, r0.x, l(1)\nendloop\nmov o0.xyzw, r0.xxxx\nret\n",
                               {{"SV_VertexID", 0, 0, 1, 6, 1}}, {{"SV_Position", 0, 0, 15, 1}});
  if (code.empty())
    GTEST_SKIP();
  context->VSSetShader(vertexShader(code).Get(), nullptr, 0);
  context->Draw(3, 0);
  auto staging = texture([&] {
    auto d = desc2D(16, 16, 0);
    d.Usage = D3D11_USAGE_STAGING;
    d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    return d;
  }());
  context->CopyResource(staging.Get(), target.Get());
  D3D11_MAPPED_SUBRESOURCE mapped;
  context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &mapped);
  EXPECT_TRUE(FAILED(device->GetDeviceRemovedReason()));
  for (int i = 0; i < 100; i++) // a removed device takes calls
    context->Draw(3, 0);
  context->ClearState();
  context.Reset(); // TearDown expects health
}
