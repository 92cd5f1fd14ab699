// SPDX-License-Identifier: MIT
// Shaders, input layouts, draws, queries, predication.
#include "fixture.h"

#include <chrono>
#include <functional>
#include <thread>
#include <type_traits>

using namespace api;

namespace {

constexpr UINT kRtv = D3D11_BIND_RENDER_TARGET;

class Draws : public Api {
protected:
  explicit Draws(D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0) : Api(level) {}
  struct Vertex {
    float x, y, z, r, g, b, a;
  };
  void SetUp() override {
    Api::SetUp();
    target = texture(32, 32, kRtv);
    view = rtv(target.Get());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    viewport(32, 32);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    clear();
  }
  void clear() {
    const float black[4] = {};
    context->ClearRenderTargetView(view.Get(), black);
  }
  /// Binds shaders that draw cb0[0] everywhere.
  void fullscreen(const float color[4]) {
    context->VSSetShader(vertexShader(fullscreenVertexShader()).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(constantPixelShader()).Get(), nullptr, 0);
    auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, color);
    context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
  }
  static const D3D11_INPUT_ELEMENT_DESC* elements() {
    static const D3D11_INPUT_ELEMENT_DESC e[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, D3D11_APPEND_ALIGNED_ELEMENT, D3D11_INPUT_PER_VERTEX_DATA, 0}};
    return e;
  }
  HRESULT tryLayout(const std::vector<D3D11_INPUT_ELEMENT_DESC>& e, const std::vector<BYTE>& code = colorVertexShader()) {
    ComPtr<ID3D11InputLayout> l;
    const HRESULT hr = device->CreateInputLayout(e.data(), UINT(e.size()), code.data(), code.size(), &l);
    EXPECT_EQ(device->CreateInputLayout(e.data(), UINT(e.size()), code.data(), code.size(), nullptr), hr == S_OK ? S_FALSE : hr);
    return hr;
  }
  void colored() {
    ComPtr<ID3D11InputLayout> l;
    ASSERT_EQ(device->CreateInputLayout(elements(), 2, colorVertexShader().data(), colorVertexShader().size(), &l), S_OK);
    context->IASetInputLayout(l.Get());
    context->VSSetShader(vertexShader(colorVertexShader()).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(colorPixelShader()).Get(), nullptr, 0);
  }
  void vertices(const std::vector<Vertex>& v) {
    auto b = buffer(UINT(v.size() * sizeof(Vertex)), D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, v.data());
    const UINT stride = sizeof(Vertex), offset = 0;
    context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  }
  /// Two triangles covering the left half in `a` and the right half in `b`; 12 vertices.
  static std::vector<Vertex> halves() {
    std::vector<Vertex> v;
    for (int half = 0; half < 2; half++) {
      const float x0 = half ? 0.f : -1.f, x1 = x0 + 1, r = half ? 0.f : 1.f, g = half ? 1.f : 0.f;
      for (const auto& p : {std::pair{x0, 1.f}, {x1, 1.f}, {x0, -1.f}, {x0, -1.f}, {x1, 1.f}, {x1, -1.f}})
        v.push_back({p.first, p.second, 0.5f, r, g, 0, 1});
    }
    return v;
  }
  UINT left() { return pixel(target.Get(), 4, 16); }
  UINT right() { return pixel(target.Get(), 28, 16); }

  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
};
constexpr UINT kRed = 0xff0000ff, kGreen = 0xff00ff00;

} // namespace

TEST_F(Draws, ShaderCreation) {
  // REQ: B0289 B0301
  const auto& vs = colorVertexShader();
  const auto& ps = colorPixelShader();
  const auto& cs = computeShader();
  ComPtr<ID3D11VertexShader> v;
  ComPtr<ID3D11PixelShader> p;
  ComPtr<ID3D11ComputeShader> c;
  EXPECT_EQ(device->CreateVertexShader(vs.data(), vs.size(), nullptr, &v), S_OK);
  EXPECT_EQ(device->CreatePixelShader(ps.data(), ps.size(), nullptr, &p), S_OK);
  EXPECT_EQ(device->CreateComputeShader(cs.data(), cs.size(), nullptr, &c), S_OK);
  EXPECT_EQ(device->CreateVertexShader(vs.data(), vs.size(), nullptr, nullptr), S_FALSE);
  EXPECT_EQ(device->CreatePixelShader(ps.data(), ps.size(), nullptr, nullptr), S_FALSE);
  // another stage's code, damaged code, no code
  EXPECT_EQ(device->CreateVertexShader(ps.data(), ps.size(), nullptr, &v), E_INVALIDARG);
  EXPECT_FALSE(v);
  EXPECT_EQ(device->CreatePixelShader(vs.data(), vs.size(), nullptr, &p), E_INVALIDARG);
  EXPECT_EQ(device->CreatePixelShader(nullptr, 0, nullptr, &p), E_INVALIDARG);
  for (size_t i = 0; i < ps.size(); i += 7) {
    auto damaged = ps;
    damaged[i] ^= 0x55;
    EXPECT_EQ(device->CreatePixelShader(damaged.data(), damaged.size(), nullptr, &p), E_INVALIDARG) << i;
    EXPECT_EQ(device->CreatePixelShader(ps.data(), i, nullptr, &p), E_INVALIDARG) << i;
  }
  // a shader model beyond the feature level
  Created ten = createDevice(D3D_FEATURE_LEVEL_10_0);
  const auto five = makeShader(Stage::Pixel, "dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n", {},
                               {{"SV_Target", 0, 0, 15, 0}}, 50);
  EXPECT_EQ(device->CreatePixelShader(five.data(), five.size(), nullptr, &p), S_OK);
  EXPECT_EQ(ten.device->CreatePixelShader(five.data(), five.size(), nullptr, &p), E_INVALIDARG);
}

TEST_F(Draws, InputLayoutRules) {
  using E = D3D11_INPUT_ELEMENT_DESC;
  const E position = elements()[0], color = elements()[1];
  auto with = [](E e, const std::function<void(E&)>& change) {
    change(e);
    return e;
  };
  // REQ: A0801 B0285 B0288
  EXPECT_EQ(tryLayout({position, color}), S_OK);
  EXPECT_EQ(tryLayout({color, position}), S_OK);
  // REQ: A0253
  EXPECT_EQ(tryLayout({position}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.SemanticName = "COLOUR"; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.SemanticName = "color"; })}), S_OK) << "case does not matter";
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.SemanticIndex = 1; })}), E_INVALIDARG);
  // elements that the shader does not read are fine
  EXPECT_EQ(tryLayout({position, color, {"EXTRA", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 2, 0, D3D11_INPUT_PER_INSTANCE_DATA, 2}}), S_OK);
  // REQ: D0087
  const E reinterpreted[] = {position, with(color, [](E& e) { e.Format = DXGI_FORMAT_R32G32B32A32_UINT; })};
  EXPECT_EQ(tryLayout({reinterpreted[0], reinterpreted[1]}), S_OK);
  ComPtr<ID3D11InputLayout> bits;
  ASSERT_EQ(device->CreateInputLayout(reinterpreted, 2, colorVertexShader().data(), colorVertexShader().size(), &bits), S_OK);
  colored();
  vertices(halves());
  context->IASetInputLayout(bits.Get());
  context->Draw(12, 0);
  EXPECT_EQ(left(), kRed) << "the bits of the floats";
  EXPECT_EQ(right(), kGreen);
  // REQ: A0255
  for (UINT slot = 0; slot < 16; slot++)
    EXPECT_EQ(tryLayout({position, with(color, [&](E& e) { e.InputSlot = slot; })}), S_OK) << slot;
  Created ten = createDevice(D3D_FEATURE_LEVEL_10_0);
  const E sixteenth[] = {position, with(color, [](E& e) { e.InputSlot = 16; })};
  EXPECT_EQ(ten.device->CreateInputLayout(sixteenth, 2, colorVertexShader().data(), colorVertexShader().size(), nullptr), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.InputSlot = 32; })}), E_INVALIDARG);
  // REQ: A0258
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.InstanceDataStepRate = 1; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.InputSlotClass = static_cast<D3D11_INPUT_CLASSIFICATION>(2); })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.InputSlotClass = D3D11_INPUT_PER_INSTANCE_DATA; e.InstanceDataStepRate = 1; })}),
            E_INVALIDARG)
      << "one slot, two classes";
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.Format = DXGI_FORMAT_BC1_UNORM; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.Format = DXGI_FORMAT_UNKNOWN; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.AlignedByteOffset = 13; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({position, color, color}), E_INVALIDARG) << "one semantic twice";
  EXPECT_EQ(tryLayout({position, with(color, [](E& e) { e.SemanticName = nullptr; })}), E_INVALIDARG);
  EXPECT_EQ(tryLayout({}, fullscreenVertexShader()), S_OK) << "system values need no element";
  ComPtr<ID3D11InputLayout> l;
  EXPECT_EQ(device->CreateInputLayout(elements(), 2, nullptr, 0, &l), E_INVALIDARG);
  const char junk[64] = "not a container";
  EXPECT_EQ(device->CreateInputLayout(elements(), 2, junk, sizeof junk, &l), E_INVALIDARG);
}

TEST_F(Draws, WithoutBuffers) {
  // REQ: A0601 D0177
  const float color[4] = {1, 0, 0, 1};
  fullscreen(color);
  context->Draw(3, 0);
  EXPECT_EQ(left(), kRed);
  EXPECT_EQ(pixel(target.Get(), 31, 31), kRed);
}

TEST_F(Draws, Plain) {
  // REQ: A0600 D0176 A0552 D0085 D0012
  colored();
  vertices(halves());
  context->Draw(6, 6);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(right(), kGreen);
  context->Draw(6, 0);
  EXPECT_EQ(left(), kRed);
  clear();
  context->DrawInstanced(6, 1, 0, 0);
  EXPECT_EQ(left(), kRed);
  EXPECT_EQ(right(), 0u);
  clear();
  context->DrawInstanced(6, 0, 0, 0);
  context->Draw(0, 0);
  EXPECT_EQ(left(), 0u);
}

TEST_F(Draws, FractionalViewports) {
  // REQ: A0267
  colored();
  vertices(halves());
  for (const float x : {4.25f, 4.75f}) {
    const D3D11_VIEWPORT v = {x, 0, 8, 32, 0, 1};
    clear();
    context->RSSetViewports(1, &v);
    context->Draw(6, 0); // the left half: 4 pixels from x
    const UINT from = x < 4.5f ? 4 : 5;
    for (UINT i = 0; i < 16; i++)
      EXPECT_EQ(pixel(target.Get(), i, 16), i >= from && i < from + 4 ? kRed : 0u) << i;
  }
}

class DrawsAtLevel10 : public Draws {
protected:
  DrawsAtLevel10() : Draws(D3D_FEATURE_LEVEL_10_1) {}
};

TEST_F(DrawsAtLevel10, ViewportsAreWhole) {
  // REQ: A0268
  colored();
  vertices(halves());
  const D3D11_VIEWPORT v = {4.75f, 0.75f, 8.75f, 31.5f, 0, 1};
  context->RSSetViewports(1, &v);
  context->Draw(12, 0); // two halves of 4 pixels each, from 4
  for (UINT i = 0; i < 16; i++)
    EXPECT_EQ(pixel(target.Get(), i, 0), i >= 4 && i < 8 ? kRed : i >= 8 && i < 12 ? kGreen : 0u) << i;
  EXPECT_EQ(pixel(target.Get(), 4, 30), kRed);
  EXPECT_EQ(pixel(target.Get(), 4, 31), 0u);
  D3D11_VIEWPORT got = {};
  UINT n = 1;
  context->RSGetViewports(&n, &got);
  EXPECT_EQ(got.TopLeftX, 4.75f);
}

TEST_F(Draws, Indexed) {
  // REQ: A0598 A0615
  colored();
  vertices(halves());
  const uint16_t indices[] = {99, 99, 0, 1, 2, 3, 4, 5};
  auto ib = buffer(sizeof indices, D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DEFAULT, 0, indices);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 4);
  context->DrawIndexed(6, 0, 0);
  EXPECT_EQ(left(), kRed);
  EXPECT_EQ(right(), 0u);
  clear();
  context->DrawIndexed(6, 0, 6);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(right(), kGreen);
  clear();
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 0);
  context->DrawIndexedInstanced(6, 1, 2, 0, 0);
  EXPECT_EQ(left(), kRed);
  // REQ: A0599 D0175
  context->DrawIndexed(6, 2, -1000);
  context->DrawIndexed(6, 2, INT_MIN);
  context->DrawIndexed(0xFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF);
  context->Flush();
  const uint32_t wide[] = {6, 7, 8, 9, 10, 11};
  auto ib32 = buffer(sizeof wide, D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DEFAULT, 0, wide);
  clear();
  context->IASetIndexBuffer(ib32.Get(), DXGI_FORMAT_R32_UINT, 0);
  context->DrawIndexed(6, 0, 0);
  EXPECT_EQ(right(), kGreen);
}

TEST_F(Draws, Instanced) {
  // REQ: A0001 B0718 A0257 A0602 A0603 D0178 D0179
  const D3D11_INPUT_ELEMENT_DESC e[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 2}};
  ComPtr<ID3D11InputLayout> l;
  ASSERT_EQ(device->CreateInputLayout(e, 2, colorVertexShader().data(), colorVertexShader().size(), &l), S_OK);
  colored();
  context->IASetInputLayout(l.Get());
  vertices(halves());
  const UINT colors[] = {0xff000001, 0xff000002, 0xff000003, 0xff000004};
  auto b = buffer(sizeof colors, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, colors);
  const UINT stride = 4, offset = 0;
  context->IASetVertexBuffers(1, 1, b.GetAddressOf(), &stride, &offset);
  for (UINT instances = 1; instances <= 6; instances++) {
    context->DrawInstanced(6, instances, 0, 0);
    EXPECT_EQ(left(), 0xff000000u + (instances - 1) / 2 + 1) << "the last instance wins; the rate is 2";
  }
  context->DrawInstanced(6, 1, 0, 3);
  EXPECT_EQ(left(), colors[3]) << "the start instance offsets the fetch";
  clear();
  context->DrawInstanced(6, 1, 6, 1);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(right(), colors[1]) << "the start vertex";
  const uint16_t indices[] = {0, 1, 2, 3, 4, 5};
  auto ib = buffer(sizeof indices, D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DEFAULT, 0, indices);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 0);
  context->DrawIndexedInstanced(6, 2, 0, 0, 1);
  EXPECT_EQ(left(), colors[1]);
  clear();
  context->DrawIndexedInstanced(6, 3, 0, 6, 1);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(right(), colors[2]) << "the base vertex moves, the third instance wins";
}

TEST_F(Draws, Indirect) {
  // REQ: A0271 A0272 A0692 A0693 D0181 D0182
  colored();
  vertices(halves());
  const uint16_t indices[] = {0, 1, 2, 3, 4, 5};
  auto ib = buffer(sizeof indices, D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DEFAULT, 0, indices);
  context->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 0);
  const UINT arguments[] = {7, 6, 1, 6, 0, 6, 1, 0, 0, 0};
  auto args = buffer(sizeof arguments, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, arguments,
                     D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS);
  context->DrawInstancedIndirect(args.Get(), 4);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(right(), kGreen);
  clear();
  context->DrawIndexedInstancedIndirect(args.Get(), 20);
  EXPECT_EQ(left(), kRed);
  EXPECT_EQ(right(), 0u);
  clear();
  auto plain = buffer(sizeof arguments, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, arguments);
  context->DrawInstancedIndirect(plain.Get(), 4);
  context->DrawInstancedIndirect(args.Get(), 28);
  context->DrawInstancedIndirect(args.Get(), 2);
  context->DrawInstancedIndirect(nullptr, 0);
  EXPECT_EQ(right(), 0u);
}

TEST_F(Draws, SeeTheStateOfTheirTime) {
  // REQ: A0730 D0232
  const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
  auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, red);
  context->VSSetShader(vertexShader(fullscreenVertexShader()).Get(), nullptr, 0);
  context->PSSetShader(pixelShader(constantPixelShader()).Get(), nullptr, 0);
  context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
  auto other = texture(32, 32, kRtv);
  auto otherView = rtv(other.Get());
  context->Draw(3, 0);
  context->UpdateSubresource(cb.Get(), 0, nullptr, green, 0, 0);
  context->OMSetRenderTargets(1, otherView.GetAddressOf(), nullptr);
  context->Draw(3, 0);
  EXPECT_EQ(pixel(target.Get()), kRed);
  EXPECT_EQ(pixel(other.Get()), kGreen);
  // dynamic constants, many versions in flight
  auto dynamic = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DYNAMIC, D3D11_CPU_ACCESS_WRITE);
  context->PSSetConstantBuffers(0, 1, dynamic.GetAddressOf());
  for (int i = 0; i < 32; i++) {
    D3D11_MAPPED_SUBRESOURCE m;
    ASSERT_EQ(context->Map(dynamic.Get(), 0, D3D11_MAP_WRITE_DISCARD, 0, &m), S_OK);
    const float c[4] = {float(i) / 255, 0, 0, 1};
    memcpy(m.pData, c, 16);
    context->Unmap(dynamic.Get(), 0);
    const D3D11_VIEWPORT v = {float(i), 0, 1, 32, 0, 1};
    context->RSSetViewports(1, &v);
    context->Draw(3, 0);
  }
  const auto row = read(other.Get(), 0, 128, 32);
  for (int i = 0; i < 32; i++)
    EXPECT_EQ(row[i * 4], i);
}

TEST_F(Draws, ConstantWindows) {
  // REQ: B0443 B0446 B0447 B0445 B0448 A0585 A0586 D0022 D0167 D0168
  std::vector<float> data(4096 * 4 + 64 * 4);
  for (size_t i = 0; i < data.size() / 4; i++)
    data[i * 4] = i == 0 ? 1.f : 0.f, data[i * 4 + 1] = i == 16 ? 1.f : 0.f, data[i * 4 + 2] = i == 4096 ? 1.f : 0.f, data[i * 4 + 3] = 1;
  auto cb = buffer(UINT(data.size() * 4), D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, data.data());
  const float none[4] = {};
  fullscreen(none);
  auto shown = [&](UINT first, UINT count) {
    context->PSSetConstantBuffers1(0, 1, cb.GetAddressOf(), &first, &count);
    clear();
    context->Draw(3, 0);
    return left();
  };
  context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
  context->Draw(3, 0);
  EXPECT_EQ(left(), kRed);
  EXPECT_EQ(shown(0, 16), kRed);
  EXPECT_EQ(shown(16, 16), kGreen);
  EXPECT_EQ(shown(4096, 64), 0xffff0000u);
  EXPECT_EQ(shown(8192, 16), 0u) << "beyond the buffer";
  EXPECT_EQ(shown(16, 0), 0u) << "an empty window";
  // A shader that reads constant cb1[0].x of what is bound to slot 0.
  const auto pick = compileShader("cbuffer A : register(b0) { float4 a[4096]; } cbuffer B : register(b1) { uint at; }"
                                  "float4 main() : SV_Target { return a[at]; }",
                                  "main", "ps_5_0");
  context->PSSetShader(pixelShader(pick).Get(), nullptr, 0);
  auto at = [&](UINT index) {
    const UINT words[4] = {index};
    auto choice = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, words);
    context->PSSetConstantBuffers(1, 1, choice.GetAddressOf());
    clear();
    context->Draw(3, 0);
    return left();
  };
  for (const bool newer : {false, true}) {
    if (newer)
      context->PSSetConstantBuffers1(0, 1, cb.GetAddressOf(), nullptr, nullptr);
    else
      context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
    EXPECT_EQ(at(0), kRed);
    EXPECT_EQ(at(16), kGreen);
    EXPECT_EQ(at(4095), 0xff000000u);
    EXPECT_EQ(at(4096), 0u) << "the buffer is larger, the shader sees the first 4096 constants";
  }
  const UINT first[3] = {0, 16, 4096 + 48}, count[3] = {16, 32, 64};
  context->PSSetConstantBuffers1(0, 1, cb.GetAddressOf(), &first[0], &count[0]);
  EXPECT_EQ(at(15), 0xff000000u);
  EXPECT_EQ(at(16), 0u) << "outside the window, inside the buffer";
  context->PSSetConstantBuffers1(0, 1, cb.GetAddressOf(), &first[1], &count[1]);
  EXPECT_EQ(at(0), kGreen);
  EXPECT_EQ(at(32), 0u);
  context->PSSetConstantBuffers1(0, 1, cb.GetAddressOf(), &first[2], &count[2]);
  EXPECT_EQ(at(15), 0xff000000u) << "the last constant of the buffer";
  EXPECT_EQ(at(16), 0u) << "inside the window, outside the buffer";
}

TEST_F(Draws, NothingWithoutShadersTargetsOrViewports) {
  const float red[4] = {1, 0, 0, 1};
  fullscreen(red);
  context->VSSetShader(nullptr, nullptr, 0);
  context->Draw(3, 0);
  EXPECT_EQ(left(), 0u);
  fullscreen(red);
  context->RSSetViewports(0, nullptr);
  context->Draw(3, 0);
  EXPECT_EQ(left(), 0u);
  viewport(32, 32);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED);
  context->Draw(3, 0);
  EXPECT_EQ(left(), 0u);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  context->OMSetRenderTargets(0, nullptr, nullptr);
  context->Draw(3, 0);
  context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  EXPECT_EQ(left(), 0u);
  context->Draw(3, 0);
  EXPECT_EQ(left(), kRed);
}

TEST_F(Draws, SurviveTheirObjects) {
  // Everything is released, and the memory reused, before the commands have run.
  const float red[4] = {1, 0, 0, 1};
  for (int i = 0; i < 50; i++) {
    auto t = texture(32, 32, kRtv);
    auto v = rtv(t.Get());
    context->OMSetRenderTargets(1, v.GetAddressOf(), nullptr);
    fullscreen(red);
    context->Draw(3, 0);
    context->ClearState();
    viewport(32, 32);
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  }
  context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  fullscreen(red);
  context->Draw(3, 0);
  EXPECT_EQ(left(), kRed);
}

TEST_F(Draws, Queries) {
  struct Row {
    D3D11_QUERY type;
    UINT size;
  };
  // REQ: A0555 A0388 A0558
  const Row rows[] = {{D3D11_QUERY_EVENT, 4},
                      {D3D11_QUERY_OCCLUSION, 8},
                      {D3D11_QUERY_TIMESTAMP, 8},
                      {D3D11_QUERY_TIMESTAMP_DISJOINT, sizeof(D3D11_QUERY_DATA_TIMESTAMP_DISJOINT)},
                      {D3D11_QUERY_PIPELINE_STATISTICS, sizeof(D3D11_QUERY_DATA_PIPELINE_STATISTICS)},
                      {D3D11_QUERY_OCCLUSION_PREDICATE, 4}};
  for (const Row& r : rows) {
    SCOPED_TRACE(r.type);
    const D3D11_QUERY_DESC d = {r.type, 0};
    ComPtr<ID3D11Query> q;
    ASSERT_EQ(device->CreateQuery(&d, &q), S_OK);
    EXPECT_EQ(device->CreateQuery(&d, nullptr), S_FALSE);
    EXPECT_EQ(q->GetDataSize(), r.size);
    D3D11_QUERY_DESC out;
    q->GetDesc(&out);
    EXPECT_EQ(out.Query, r.type);
    // REQ: A0554
    static_assert(std::is_base_of_v<ID3D11Asynchronous, ID3D11Query> && std::is_base_of_v<ID3D11Asynchronous, ID3D11Predicate> &&
                  std::is_base_of_v<ID3D11Asynchronous, ID3D11Counter>);
    ComPtr<ID3D11Asynchronous> async;
    EXPECT_EQ(q.As(&async), S_OK);
    BYTE data[128];
    EXPECT_EQ(context->GetData(q.Get(), data, r.size, 0), DXGI_ERROR_INVALID_CALL) << "never issued";
    // REQ: A0556 A0557 D0186
    if (r.type != D3D11_QUERY_EVENT && r.type != D3D11_QUERY_TIMESTAMP)
      context->Begin(q.Get());
    context->End(q.Get());
    HRESULT hr;
    while ((hr = context->GetData(q.Get(), data, r.size, 0)) == S_FALSE) {
    }
    // REQ: A0621 A0625
    EXPECT_EQ(hr, S_OK);
    // REQ: A0622 D0187
    EXPECT_EQ(context->GetData(q.Get(), nullptr, 0, 0), S_OK);
    const BYTE was = data[0] = 0xA5;
    EXPECT_EQ(context->GetData(q.Get(), data, 0, 0), S_OK);
    EXPECT_EQ(data[0], was) << "nothing is copied";
    EXPECT_EQ(context->GetData(q.Get(), nullptr, r.size, 0), E_INVALIDARG);
    EXPECT_EQ(context->GetData(q.Get(), data, r.size + 1, 0), E_INVALIDARG);
    // REQ: A0624 A0126
    EXPECT_EQ(context->GetData(q.Get(), data, r.size, D3D11_ASYNC_GETDATA_DONOTFLUSH), S_OK);
    EXPECT_EQ(context->GetData(q.Get(), data, r.size, 2), E_INVALIDARG);
  }
  ComPtr<ID3D11Query> q;
  const D3D11_QUERY_DESC bad = {static_cast<D3D11_QUERY>(99), 0}, hint = {D3D11_QUERY_OCCLUSION, D3D11_QUERY_MISC_PREDICATEHINT};
  EXPECT_EQ(device->CreateQuery(&bad, &q), E_INVALIDARG);
  EXPECT_EQ(device->CreateQuery(&hint, &q), E_INVALIDARG);
  EXPECT_EQ(device->CreateQuery(nullptr, &q), E_INVALIDARG);
  // REQ: B0673 B0674 B0665
  const D3D11_QUERY_DESC1 d1 = {D3D11_QUERY_OCCLUSION, 0, D3D11_CONTEXT_TYPE_3D};
  ComPtr<ID3D11Query1> q1;
  ASSERT_EQ(device->CreateQuery1(&d1, &q1), S_OK);
  D3D11_QUERY_DESC1 out1;
  q1->GetDesc1(&out1);
  EXPECT_EQ(out1.ContextType, D3D11_CONTEXT_TYPE_3D);
  EXPECT_EQ(out1.Query, D3D11_QUERY_OCCLUSION);
  EXPECT_EQ(out1.MiscFlags, 0u);
  const float red[4] = {1, 0, 0, 1};
  fullscreen(red);
  UINT64 samples = 0;
  context->Begin(q1.Get());
  context->Draw(3, 0);
  context->End(q1.Get());
  while (context->GetData(q1.Get(), &samples, 8, 0) == S_FALSE) {
  }
  EXPECT_EQ(samples, 1024u);
  const D3D11_QUERY_DESC1 endOnly = {D3D11_QUERY_EVENT, 0, D3D11_CONTEXT_TYPE_ALL};
  ComPtr<ID3D11Query1> event;
  ASSERT_EQ(device->CreateQuery1(&endOnly, &event), S_OK);
  context->End(event.Get());
  BOOL done = FALSE;
  while (context->GetData(event.Get(), &done, 4, 0) == S_FALSE) {
  }
  EXPECT_TRUE(done);
  EXPECT_EQ(device->CreateQuery1(&d1, nullptr), S_FALSE);
}

TEST_F(Draws, QueryResults) {
  const float red[4] = {1, 0, 0, 1};
  fullscreen(red);
  auto make = [&](D3D11_QUERY type) {
    const D3D11_QUERY_DESC d = {type, 0};
    ComPtr<ID3D11Query> q;
    EXPECT_EQ(device->CreateQuery(&d, &q), S_OK);
    return q;
  };
  auto wait = [&](ID3D11Query* q, void* data, UINT size) {
    HRESULT hr;
    while ((hr = context->GetData(q, data, size, 0)) == S_FALSE) {
    }
    EXPECT_EQ(hr, S_OK);
  };
  // REQ: A0129 A0130 A0620 D0183 D0185
  auto occlusion = make(D3D11_QUERY_OCCLUSION);
  UINT64 samples = 0;
  context->Begin(occlusion.Get());
  context->Draw(3, 0);
  context->Draw(3, 0);
  context->End(occlusion.Get());
  context->Draw(3, 0);
  wait(occlusion.Get(), &samples, 8);
  EXPECT_EQ(samples, 2048u);
  context->Begin(occlusion.Get());
  context->End(occlusion.Get());
  wait(occlusion.Get(), &samples, 8);
  EXPECT_EQ(samples, 0u);
  // Only samples that pass the tests count: the left half is nearer than the triangle, the right half has another stencil value.
  D3D11_DEPTH_STENCIL_DESC dd = CD3D11_DEPTH_STENCIL_DESC(CD3D11_DEFAULT());
  ComPtr<ID3D11DepthStencilState> tested;
  device->CreateDepthStencilState(&dd, &tested);
  auto depth = dsv(texture(32, 32, D3D11_BIND_DEPTH_STENCIL, DXGI_FORMAT_D24_UNORM_S8_UINT).Get());
  auto count = [&] {
    context->Begin(occlusion.Get());
    context->Draw(3, 0);
    context->End(occlusion.Get());
    wait(occlusion.Get(), &samples, 8);
    return samples;
  };
  context->OMSetRenderTargets(1, view.GetAddressOf(), depth.Get());
  context->OMSetDepthStencilState(tested.Get(), 7);
  context->ClearDepthStencilView(depth.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 0);
  viewport(16, 32);
  EXPECT_EQ(count(), 512u);
  viewport(32, 32);
  EXPECT_EQ(count(), 512u) << "the left half is LESS no more";
  dd.DepthEnable = FALSE;
  dd.StencilEnable = TRUE;
  dd.FrontFace.StencilFunc = dd.BackFace.StencilFunc = D3D11_COMPARISON_NOT_EQUAL;
  dd.FrontFace.StencilPassOp = dd.BackFace.StencilPassOp = D3D11_STENCIL_OP_REPLACE;
  device->CreateDepthStencilState(&dd, tested.ReleaseAndGetAddressOf());
  context->OMSetDepthStencilState(tested.Get(), 7);
  EXPECT_EQ(count(), 1024u);
  EXPECT_EQ(count(), 0u) << "every stencil value is 7 now";
  context->OMSetDepthStencilState(nullptr, 0);
  context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  EXPECT_EQ(count(), 1024u);
  // REQ: A0127 A0128 B0065 D0270 B0064 D0269
  auto event = make(D3D11_QUERY_EVENT);
  context->Begin(event.Get()); // without effect
  context->Draw(3, 0);
  context->End(event.Get());
  context->Flush();
  BOOL done = FALSE;
  wait(event.Get(), &done, 4);
  EXPECT_TRUE(done);
  // REQ: A0131 A0132 A0133 A0389
  auto disjoint = make(D3D11_QUERY_TIMESTAMP_DISJOINT), before = make(D3D11_QUERY_TIMESTAMP), after = make(D3D11_QUERY_TIMESTAMP);
  D3D11_QUERY_DATA_TIMESTAMP_DISJOINT d = {};
  UINT64 t0 = 0, t1 = 0;
  context->Begin(disjoint.Get());
  context->Begin(before.Get()); // without effect
  context->End(before.Get());
  context->Draw(3, 0);
  wait(before.Get(), &t0, 8);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  context->End(after.Get());
  context->End(disjoint.Get());
  wait(disjoint.Get(), &d, sizeof d);
  wait(after.Get(), &t1, 8);
  EXPECT_EQ(d.Frequency, 1000000000u);
  EXPECT_FALSE(d.Disjoint);
  EXPECT_GE(double(t1 - t0) / double(d.Frequency), 0.029);
  EXPECT_LE(double(t1 - t0) / double(d.Frequency), 60);
  // REQ: A0134 A0391
  auto statistics = make(D3D11_QUERY_PIPELINE_STATISTICS);
  context->Begin(statistics.Get());
  context->Draw(3, 0);
  context->End(statistics.Get());
  D3D11_QUERY_DATA_PIPELINE_STATISTICS s = {};
  wait(statistics.Get(), &s, sizeof s);
  EXPECT_EQ(s.IAVertices, 3u);
  EXPECT_EQ(s.IAPrimitives, 1u);
  EXPECT_GE(s.VSInvocations, 3u);
  EXPECT_GE(s.PSInvocations, 1024u);
  EXPECT_EQ(s.CInvocations, 1u);
  EXPECT_GE(s.CPrimitives, 1u);
  EXPECT_EQ(s.GSInvocations, 0u);
  EXPECT_EQ(s.GSPrimitives, 0u);
  EXPECT_EQ(s.HSInvocations, 0u);
  EXPECT_EQ(s.DSInvocations, 0u);
  EXPECT_EQ(s.CSInvocations, 0u);
}

TEST_F(Draws, Predication) {
  const D3D11_QUERY_DESC d = {D3D11_QUERY_OCCLUSION_PREDICATE, 0}, bad = {D3D11_QUERY_OCCLUSION, 0};
  ComPtr<ID3D11Predicate> p, none;
  ASSERT_EQ(device->CreatePredicate(&d, &p), S_OK);
  EXPECT_EQ(device->CreatePredicate(&bad, &none), E_INVALIDARG);
  EXPECT_EQ(device->CreatePredicate(&d, nullptr), S_FALSE);
  // REQ: B0030
  ComPtr<ID3D11Predicate> got;
  BOOL value = TRUE;
  context->GetPredication(&got, &value);
  EXPECT_FALSE(got);
  EXPECT_FALSE(value);
  const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
  fullscreen(red);
  // REQ: A0135
  context->Begin(p.Get());
  context->Draw(3, 0);
  context->End(p.Get());
  BOOL visible = FALSE;
  while (context->GetData(p.Get(), &visible, 4, 0) == S_FALSE) {
  }
  EXPECT_TRUE(visible);
  ComPtr<ID3D11Predicate> nothing;
  ASSERT_EQ(device->CreatePredicate(&d, &nothing), S_OK);
  context->Begin(nothing.Get());
  context->End(nothing.Get());
  while (context->GetData(nothing.Get(), &visible, 4, 0) == S_FALSE) {
  }
  EXPECT_FALSE(visible);
  // REQ: A0627 D0190 B0031
  auto copy = texture(32, 32, kRtv);
  auto staging = buffer(16, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, red);
  const float black4[4] = {};
  for (const BOOL skipWhen : {TRUE, FALSE}) {
    clear();
    context->SetPredication(p.Get(), skipWhen);
    context->GetPredication(&got, &value);
    EXPECT_EQ(got.Get(), p.Get());
    EXPECT_EQ(value, skipWhen);
    context->Draw(3, 0);
    // REQ: A0636
    context->UpdateSubresource(staging.Get(), 0, nullptr, green, 0, 0);
    const D3D11_BOX last = {12, 0, 0, 16, 1, 1};
    context->UpdateSubresource1(staging.Get(), 0, &last, black4, 0, 0, 0);
    // REQ: A0629 D0189
    context->Begin(p.Get());
    context->End(p.Get());
    context->SetPredication(nullptr, FALSE);
    EXPECT_EQ(left(), skipWhen ? 0u : kRed);
    float now[4];
    memcpy(now, read(staging.Get()).data(), 16);
    EXPECT_EQ(now[0], skipWhen ? 1.f : 0.f);
    EXPECT_EQ(now[3], skipWhen ? 1.f : 0.f);
  }
  // Nothing was seen: FALSE skips, TRUE runs.
  clear();
  context->SetPredication(nothing.Get(), FALSE);
  context->Draw(3, 0);
  context->SetPredication(nullptr, FALSE);
  EXPECT_EQ(left(), 0u);
  context->SetPredication(nothing.Get(), TRUE);
  context->Draw(3, 0);
  context->SetPredication(nullptr, FALSE);
  EXPECT_EQ(left(), kRed);
  // REQ: A0631 D0192
  // Without asking for the result, while its draws are still under way.
  ComPtr<ID3D11Predicate> pending;
  ASSERT_EQ(device->CreatePredicate(&d, &pending), S_OK);
  for (const bool seen : {true, false}) {
    clear();
    for (int i = 0; i < 200; i++)
      context->Draw(3, 0);
    context->Begin(pending.Get());
    for (int i = 0; seen && i < 50; i++)
      context->Draw(3, 0);
    context->End(pending.Get());
    clear();
    context->SetPredication(pending.Get(), FALSE);
    context->Draw(3, 0);
    context->SetPredication(nullptr, FALSE);
    EXPECT_EQ(left(), seen ? kRed : 0u);
  }
  clear();
  context->Draw(3, 0);
  context->SetPredication(p.Get(), TRUE);
  context->ClearRenderTargetView(view.Get(), green);
  context->SetPredication(nullptr, FALSE);
  EXPECT_EQ(left(), kRed);
  const float black[4] = {};
  context->ClearRenderTargetView(rtv(copy.Get()).Get(), black);
  context->SetPredication(p.Get(), TRUE);
  context->CopyResource(copy.Get(), target.Get());
  context->CopySubresourceRegion(copy.Get(), 0, 0, 0, 0, target.Get(), 0, nullptr);
  context->SetPredication(nullptr, FALSE);
  EXPECT_EQ(pixel(copy.Get()), 0u);
  // REQ: A0639 D0198
  D3D11_TEXTURE2D_DESC md = desc2D(32, 32, kRtv | D3D11_BIND_SHADER_RESOURCE);
  md.MipLevels = 2;
  md.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS;
  auto mipped = texture(md);
  auto mipView = srv(mipped.Get());
  D3D11_TEXTURE2D_DESC ms = desc2D(32, 32, kRtv);
  ms.SampleDesc.Count = 4;
  auto samples = texture(ms);
  context->ClearRenderTargetView(rtv(samples.Get()).Get(), red);
  context->ClearRenderTargetView(rtv(mipped.Get()).Get(), red);
  D3D11_RENDER_TARGET_VIEW_DESC second = {};
  second.Format = md.Format;
  second.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D;
  second.Texture2D.MipSlice = 1;
  context->ClearRenderTargetView(rtv(mipped.Get(), &second).Get(), black);
  for (const BOOL skipWhen : {TRUE, FALSE}) {
    context->SetPredication(p.Get(), skipWhen);
    context->GenerateMips(mipView.Get());
    context->ResolveSubresource(copy.Get(), 0, samples.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    context->SetPredication(nullptr, FALSE);
    UINT mip;
    memcpy(&mip, read(mipped.Get(), 1, 64, 16).data(), 4);
    EXPECT_EQ(mip, skipWhen ? 0u : kRed);
    EXPECT_EQ(pixel(copy.Get()), skipWhen ? 0u : kRed);
  }
  // REQ: A0632
  context->SetPredication(nullptr, TRUE);
  context->GetPredication(got.ReleaseAndGetAddressOf(), &value);
  EXPECT_FALSE(got);
  EXPECT_TRUE(value);
  // REQ: A0144
  const D3D11_QUERY_DESC hint = {D3D11_QUERY_OCCLUSION_PREDICATE, D3D11_QUERY_MISC_PREDICATEHINT};
  ComPtr<ID3D11Predicate> h;
  ASSERT_EQ(device->CreatePredicate(&hint, &h), S_OK);
  context->Begin(h.Get());
  context->End(h.Get());
  EXPECT_EQ(context->GetData(h.Get(), &visible, 4, 0), DXGI_ERROR_INVALID_CALL);
}

TEST_F(Draws, MappingSubmits) {
  // REQ: B0067 D0056 D0273
  const float red[4] = {1, 0, 0, 1};
  fullscreen(red);
  context->Draw(3, 0);
  D3D11_TEXTURE2D_DESC d = desc2D(32, 32, 0);
  d.Usage = D3D11_USAGE_STAGING;
  d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  auto staging = texture(d);
  context->CopyResource(staging.Get(), target.Get());
  D3D11_MAPPED_SUBRESOURCE m;
  ASSERT_EQ(context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
  UINT first;
  memcpy(&first, m.pData, 4);
  EXPECT_EQ(first, kRed);
  context->Unmap(staging.Get(), 0);
}
