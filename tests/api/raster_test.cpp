// SPDX-License-Identifier: MIT
// What the rasterizer selects: viewports, scissors and slices by number.
#include "fixture.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace api;

namespace {

constexpr UINT kRtv = D3D11_BIND_RENDER_TARGET, kDsv = D3D11_BIND_DEPTH_STENCIL;

/// Full-screen triangle; constant cb0[0].x is the slice, cb0[0].y the viewport, cb0[0].z the depth.
const std::vector<BYTE>& choosingVertexShader() {
  static const auto code = makeShader(
      Stage::Vertex,
      "dcl_constantbuffer cb0[1]\ndcl_input v0.x vertex_id\ndcl_output o0.xyzw position\n"
      "dcl_output o1.x rendertarget_array_index\ndcl_output o1.y viewport_array_index\ndcl_temps 1\n"
      "and r0.xy, v0.xxxx, l(2, 1, 0, 0)\nutof r0.xy, r0.xyxx\nmad o0.xy, r0.xyxx, l(2.0, 4.0, 0, 0), l(-1.0, -1.0, 0, 0)\n"
      "mov o0.z, cb0[0].z\nmov o0.w, l(1.0)\nmov o1.xy, cb0[0].xyxx\nret\n",
      {{"SV_VertexID", 0, 0, 1, 6, 1}},
      {{"SV_Position", 0, 0, 15, 1}, {"SV_RenderTargetArrayIndex", 0, 1, 1, 4, 1}, {"SV_ViewportArrayIndex", 0, 1, 2, 5, 1}}, 50);
  return code;
}

/// Slice and viewport number as the red and green bytes.
const std::vector<BYTE>& choicePixelShader() {
  static const auto code = makeShader(
      Stage::Pixel,
      "dcl_input v1.x constant rendertarget_array_index\ndcl_input v1.y constant viewport_array_index\n"
      "dcl_output o0.xyzw\ndcl_temps 1\nutof r0.xy, v1.xyxx\nmul o0.xy, r0.xyxx, l(0.00392156886, 0.00392156886, 0, 0)\n"
      "mov o0.zw, l(0, 0, 1.0, 1.0)\nret\n",
      {{"SV_Position", 0, 0, 15, 1}, {"SV_RenderTargetArrayIndex", 0, 1, 1, 4, 1}, {"SV_ViewportArrayIndex", 0, 1, 2, 5, 1}},
      {{"SV_Target", 0, 0, 15, 0}}, 50);
  return code;
}

class Selection : public Api {
protected:
  struct Choice {
    UINT slice, viewport;
    float z, pad;
  };
  void SetUp() override {
    Api::SetUp();
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    context->VSSetShader(vertexShader(choosingVertexShader()).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(choicePixelShader()).Get(), nullptr, 0);
    viewport(kSize, kSize);
  }
  void draw(UINT slice, UINT viewportIndex = 0, float z = 0.5f) {
    const Choice c = {slice, viewportIndex, z, 0};
    auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, &c);
    context->VSSetConstantBuffers(0, 1, cb.GetAddressOf());
    context->Draw(3, 0);
  }
  void target(ID3D11RenderTargetView* view, ID3D11DepthStencilView* depth = nullptr) {
    const float black[4] = {};
    if (view)
      context->ClearRenderTargetView(view, black);
    if (depth)
      context->ClearDepthStencilView(depth, D3D11_CLEAR_DEPTH, 1, 0);
    context->OMSetRenderTargets(view ? 1 : 0, &view, depth);
  }
  UINT at(ID3D11Texture2D* t, UINT slice, UINT x = 4, UINT y = 4) {
    const auto bytes = read(t, slice, kSize * 4, kSize);
    UINT v = 0;
    if (bytes.size() == kSize * kSize * 4)
      memcpy(&v, &bytes[(y * kSize + x) * 4], 4);
    return v;
  }
  static UINT color(UINT slice, UINT viewportIndex = 0) { return 0xffff0000u | viewportIndex << 8 | slice; }
  static constexpr UINT kSize = 32;
};

} // namespace

TEST_F(Selection, FeatureIsReported) {
  D3D11_FEATURE_DATA_D3D11_OPTIONS3 o = {};
  ASSERT_EQ(device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS3, &o, sizeof o), S_OK);
  EXPECT_TRUE(o.VPAndRTArrayIndexFromAnyShaderFeedingRasterizer); // REQ: A0445
}

TEST_F(Selection, SlicesOfArrays) {
  auto desc = desc2D(kSize, kSize, kRtv);
  desc.ArraySize = 6;
  auto t = texture(desc);
  auto whole = rtv(t.Get());
  target(whole.Get());
  for (UINT slice : {0u, 2u, 5u})
    draw(slice);
  // REQ: A0354 A0445
  for (UINT slice = 0; slice < 6; slice++)
    EXPECT_EQ(at(t.Get(), slice), slice == 0 || slice == 2 || slice == 5 ? color(slice) : 0u) << slice;
  // Beyond the view: slice 0, and the pixel shader sees the number as it was written.
  target(whole.Get());
  draw(200);
  EXPECT_EQ(at(t.Get(), 0), color(200));
  for (UINT slice = 1; slice < 6; slice++)
    EXPECT_EQ(at(t.Get(), slice), 0u);
  // A view of some slices counts from its first.
  D3D11_RENDER_TARGET_VIEW_DESC part = {};
  part.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  part.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DARRAY;
  part.Texture2DArray.FirstArraySlice = 2;
  part.Texture2DArray.ArraySize = 3;
  target(whole.Get());
  auto some = rtv(t.Get(), &part);
  target(some.Get());
  draw(1);
  draw(3);
  EXPECT_EQ(at(t.Get(), 3), color(1));
  EXPECT_EQ(at(t.Get(), 2), color(3)); // out of the view's range
  EXPECT_EQ(at(t.Get(), 5), 0u);
}

TEST_F(Selection, CubeFacesAndTheirDepth) {
  auto desc = desc2D(kSize, kSize, kRtv);
  desc.ArraySize = 6;
  desc.MiscFlags = D3D11_RESOURCE_MISC_TEXTURECUBE;
  auto cube = texture(desc);
  desc.BindFlags = kDsv;
  desc.Format = DXGI_FORMAT_D32_FLOAT;
  auto depth = texture(desc);
  auto view = rtv(cube.Get());
  auto depthView = dsv(depth.Get());
  target(view.Get(), depthView.Get());
  draw(4, 0, 0.25f);
  draw(4, 1, 0.5f); // behind, were viewport 1 set
  draw(1, 0, 0.75f);
  draw(1, 0, 0.5f);
  // REQ: A0366
  const float expected[6] = {1, 0.5f, 1, 1, 0.25f, 1};
  for (UINT face = 0; face < 6; face++) {
    const auto bytes = read(depth.Get(), face, kSize * 4, kSize);
    float z;
    memcpy(&z, &bytes[0], 4);
    EXPECT_EQ(z, expected[face]) << face;
    EXPECT_EQ(at(cube.Get(), face), face == 4 || face == 1 ? color(face) : 0u);
  }
  // Depth alone.
  target(nullptr, depthView.Get());
  draw(3, 0, 0.125f);
  const auto bytes = read(depth.Get(), 3, kSize * 4, kSize);
  float z;
  memcpy(&z, &bytes[kSize * 4 + 8], 4);
  EXPECT_EQ(z, 0.125f);
}

TEST_F(Selection, SlicesOfVolumesAndOneDimensionalArrays) {
  D3D11_TEXTURE3D_DESC d3 = {kSize, kSize, 8, 2, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kRtv, 0, 0};
  ComPtr<ID3D11Texture3D> volume;
  ASSERT_EQ(device->CreateTexture3D(&d3, nullptr, &volume), S_OK);
  D3D11_RENDER_TARGET_VIEW_DESC v = {};
  v.Format = d3.Format;
  v.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE3D;
  v.Texture3D.MipSlice = 1;
  v.Texture3D.FirstWSlice = 1;
  v.Texture3D.WSize = 3;
  auto view = rtv(volume.Get(), &v);
  viewport(kSize / 2, kSize / 2);
  target(view.Get());
  draw(2);
  draw(0);
  d3.Usage = D3D11_USAGE_STAGING;
  d3.BindFlags = 0;
  d3.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  ComPtr<ID3D11Texture3D> staging;
  ASSERT_EQ(device->CreateTexture3D(&d3, nullptr, &staging), S_OK);
  context->CopyResource(staging.Get(), volume.Get());
  const auto bytes = readStaging(staging.Get(), 1, kSize / 2 * 4, kSize / 2, 4);
  for (UINT z = 0; z < 4; z++) {
    UINT c;
    memcpy(&c, &bytes[z * (kSize / 2) * (kSize / 2) * 4], 4);
    EXPECT_EQ(c, z == 1 ? color(0) : z == 3 ? color(2) : 0u) << z;
  }

  D3D11_TEXTURE1D_DESC d1 = {kSize, 1, 3, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kRtv, 0, 0};
  ComPtr<ID3D11Texture1D> line;
  ASSERT_EQ(device->CreateTexture1D(&d1, nullptr, &line), S_OK);
  auto lineView = rtv(line.Get());
  target(lineView.Get());
  draw(2);
  d1.Usage = D3D11_USAGE_STAGING;
  d1.BindFlags = 0;
  d1.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  ComPtr<ID3D11Texture1D> lineStaging;
  ASSERT_EQ(device->CreateTexture1D(&d1, nullptr, &lineStaging), S_OK);
  context->CopyResource(lineStaging.Get(), line.Get());
  for (UINT slice = 0; slice < 3; slice++) { // REQ: A0352
    const auto row = readStaging(lineStaging.Get(), slice, 4, 1, 1);
    UINT c;
    memcpy(&c, row.data(), 4);
    EXPECT_EQ(c, slice == 2 ? color(2) : 0u);
  }
}

TEST_F(Selection, MultisampledArrays) {
  auto desc = desc2D(kSize, kSize, kRtv);
  desc.ArraySize = 3;
  desc.SampleDesc.Count = 4;
  auto t = texture(desc);
  auto view = rtv(t.Get());
  target(view.Get());
  draw(1);
  auto plain = texture(kSize, kSize, kRtv);
  for (UINT slice = 0; slice < 3; slice++) { // REQ: A0356
    context->ResolveSubresource(plain.Get(), 0, t.Get(), slice, DXGI_FORMAT_R8G8B8A8_UNORM);
    EXPECT_EQ(pixel(plain.Get(), 7, 7), slice == 1 ? color(1) : 0u);
  }
}

TEST_F(Selection, ViewportsWithTheirScissors) {
  auto t = texture(kSize, kSize, kRtv);
  auto view = rtv(t.Get());
  D3D11_VIEWPORT viewports[16] = {};
  D3D11_RECT rects[16] = {};
  for (int i = 0; i < 16; i++) {
    viewports[i] = {float(i % 4) * 8, float(i / 4) * 8, 8, 8, 0, float(i) / 16};
    rects[i] = {i % 4 * 8, i / 4 * 8, i % 4 * 8 + 1 + i % 8, i / 4 * 8 + 8};
  }
  const auto covered = [&](int i) {
    const auto bytes = read(t.Get(), 0, kSize * 4, kSize);
    UINT n = 0;
    for (UINT k = 0; k < kSize * kSize; k++) {
      UINT v;
      memcpy(&v, &bytes[k * 4], 4);
      n += v == color(0, UINT(i));
    }
    return n;
  };
  // REQ: A0700
  context->RSSetViewports(16, viewports);
  target(view.Get());
  for (int i = 15; i >= 0; i--)
    draw(0, UINT(i));
  for (int i = 0; i < 16; i++) {
    EXPECT_EQ(covered(i), 64u);
    EXPECT_EQ(at(t.Get(), 0, UINT(i % 4 * 8 + 3), UINT(i / 4 * 8 + 3)), color(0, UINT(i)));
  }
  // REQ: A0703
  D3D11_RASTERIZER_DESC raster = {};
  raster.FillMode = D3D11_FILL_SOLID;
  raster.CullMode = D3D11_CULL_NONE;
  raster.ScissorEnable = TRUE;
  ComPtr<ID3D11RasterizerState> state;
  ASSERT_EQ(device->CreateRasterizerState(&raster, &state), S_OK);
  context->RSSetState(state.Get());
  context->RSSetScissorRects(12, rects);
  target(view.Get());
  for (int i = 0; i < 16; i++)
    draw(0, UINT(i));
  for (int i = 0; i < 16; i++)
    EXPECT_EQ(covered(i), i < 12 ? UINT(1 + i % 8) * 8 : 0u) << i; // rectangles that are not set are empty
  context->RSSetState(nullptr);
  // Numbers beyond the sixteenth count as 0; viewports that are not set draw nothing.
  target(view.Get());
  draw(0, 16);
  EXPECT_EQ(covered(16), 64u);
  EXPECT_EQ(at(t.Get(), 0, 1, 1), color(0, 16));
  context->RSSetViewports(2, viewports);
  target(view.Get());
  draw(0, 2);
  EXPECT_EQ(covered(2), 0u);
  draw(0, 1);
  EXPECT_EQ(covered(1), 64u);
}

TEST_F(Selection, DepthRangesFollow) {
  auto depth = texture(kSize, kSize, kDsv, DXGI_FORMAT_D32_FLOAT);
  auto view = dsv(depth.Get());
  const D3D11_VIEWPORT viewports[2] = {{0, 0, 16, 32, 0, 0.5f}, {16, 0, 16, 32, 0.25f, 0.75f}};
  context->RSSetViewports(2, viewports);
  target(nullptr, view.Get());
  draw(0, 0, 0.5f);
  draw(0, 1, 0.5f);
  const auto bytes = read(depth.Get(), 0, kSize * 4, kSize);
  float left, right;
  memcpy(&left, &bytes[0], 4);
  memcpy(&right, &bytes[16 * 4], 4);
  EXPECT_EQ(left, 0.25f); // REQ: A0270
  EXPECT_EQ(right, 0.5f);
}

// ---- strip cuts

namespace {

/// Points, lines and triangles from indices; the pixel shader shows SV_PrimitiveID.
class Cuts : public Api {
protected:
  void SetUp() override {
    Api::SetUp();
    target = texture(32, 32, kRtv);
    view = rtv(target.Get());
    viewport(32, 32);
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    static const auto vs = makeShader(Stage::Vertex,
                                      "dcl_input v0.xy\ndcl_output o0.xyzw position\nmov o0.xy, v0.xyxx\nmov o0.zw, l(0, 0, 0.5, 1.0)\nret\n",
                                      {{"POSITION", 0, 0, 3, 0}}, {{"SV_Position", 0, 0, 15, 1}});
    static const auto ps = makeShader(Stage::Pixel,
                                      "dcl_input v1.x constant primitive_id\ndcl_output o0.xyzw\ndcl_temps 1\n"
                                      "iadd r0.x, v1.x, l(1)\nutof r0.x, r0.x\nmul o0.xyzw, r0.xxxx, l(0.00392156886, 0, 0, 0.00392156886)\nret\n",
                                      {{"SV_Position", 0, 0, 15, 1}, {"SV_PrimitiveID", 0, 1, 1, 7, 1}}, {{"SV_Target", 0, 0, 15, 0}});
    const D3D11_INPUT_ELEMENT_DESC element = {"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
    ComPtr<ID3D11InputLayout> layout;
    ASSERT_EQ(device->CreateInputLayout(&element, 1, vs.data(), vs.size(), &layout), S_OK);
    context->IASetInputLayout(layout.Get());
    context->VSSetShader(vertexShader(vs).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(ps).Get(), nullptr, 0);
    D3D11_RASTERIZER_DESC raster = {};
    raster.FillMode = D3D11_FILL_SOLID;
    raster.CullMode = D3D11_CULL_NONE;
    ComPtr<ID3D11RasterizerState> state;
    ASSERT_EQ(device->CreateRasterizerState(&raster, &state), S_OK);
    context->RSSetState(state.Get());
    // Vertex i at pixel column 2i + 1: even ones in row 4, odd ones in row 20.
    std::vector<float> v;
    for (int i = 0; i < 15; i++) {
      v.push_back((2 * float(i) + 1.5f) / 16 - 1);
      v.push_back(1 - (i % 2 ? 20.5f : 4.5f) / 16);
    }
    auto b = buffer(UINT(v.size() * 4), D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, v.data());
    const UINT stride = 8, offset = 0;
    context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  }
  /// The picture of a draw with indices (0xffff cuts), in either format.
  std::vector<BYTE> picture(D3D11_PRIMITIVE_TOPOLOGY topology, const std::vector<UINT>& indices, bool wide) {
    std::vector<BYTE> bytes;
    for (UINT i : indices) {
      const UINT value = i == 0xffff && wide ? 0xffffffffu : i;
      bytes.insert(bytes.end(), reinterpret_cast<const BYTE*>(&value), reinterpret_cast<const BYTE*>(&value) + (wide ? 4 : 2));
    }
    auto b = buffer(UINT(bytes.size()), D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DEFAULT, 0, bytes.data());
    context->IASetIndexBuffer(b.Get(), wide ? DXGI_FORMAT_R32_UINT : DXGI_FORMAT_R16_UINT, 0);
    context->IASetPrimitiveTopology(topology);
    const float black[4] = {};
    context->ClearRenderTargetView(view.Get(), black);
    context->DrawIndexed(UINT(indices.size()), 0, 0);
    return read(target.Get(), 0, 128, 32);
  }
  /// Draws whose cuts must leave what the other list draws.
  void same(D3D11_PRIMITIVE_TOPOLOGY topology, const std::vector<UINT>& cut, D3D11_PRIMITIVE_TOPOLOGY list,
            const std::vector<UINT>& plain) {
    const auto expected = picture(list, plain, false);
    EXPECT_NE(expected, std::vector<BYTE>(expected.size()));
    EXPECT_EQ(picture(topology, cut, false), expected) << topology;
    EXPECT_EQ(picture(topology, cut, true), expected) << topology;
  }
  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
};
constexpr UINT kCut = 0xffff;

} // namespace

TEST_F(Cuts, RestartStripsAndLists) {
  same(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, {0, 1, 2, 3, kCut, 5, 6, kCut, kCut, 8, 9, 10}, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST,
       {0, 1, 2, 1, 3, 2, 8, 9, 10});
  same(D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP, {0, 3, kCut, 5, kCut, 6, 9, 10}, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {0, 3, 6, 9, 9, 10});
  same(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ, {0, 7, 1, 7, 2, 7, 4, 7, kCut, 5, 7, 6, 7, 7, 7, 8}, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST,
       {0, 1, 2, 1, 4, 2, 5, 6, 7});
  same(D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ, {7, 0, 3, 4, 7, kCut, 1, 2, 3, kCut, 7, 8, 11, 7}, D3D11_PRIMITIVE_TOPOLOGY_LINELIST,
       {0, 3, 3, 4, 8, 11});
  // Lists drop what is incomplete at a cut.
  same(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, {0, 1, 2, 3, 4, kCut, 6, 7, 8, kCut, 9, 10, 11}, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST,
       {0, 1, 2, 6, 7, 8, 9, 10, 11});
  same(D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {kCut, 0, kCut, 2, 5, kCut, 7, 8}, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {2, 5, 7, 8});
  same(D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, {3, kCut, 4, kCut, 9}, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, {3, 4, 9});
  same(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST_ADJ, {0, 9, 1, 9, kCut, 2, 9, 3, 9, 4, 9}, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, {2, 3, 4});
  same(D3D11_PRIMITIVE_TOPOLOGY_LINELIST_ADJ, {9, 0, kCut, 9, 1, 4, 9}, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {1, 4});
}

// ---- lines and conservative rasterization

namespace {

class Lines : public Api {
protected:
  void SetUp() override {
    Api::SetUp();
    static const auto vs = makeShader(Stage::Vertex,
                                      "dcl_input v0.xyz\ndcl_output o0.xyzw position\nmov o0.xyz, v0.xyzx\nmov o0.w, l(1.0)\nret\n",
                                      {{"POSITION", 0, 0, 7, 0}}, {{"SV_Position", 0, 0, 15, 1}});
    static const auto ps = makeShader(Stage::Pixel, "dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n",
                                      {{"SV_Position", 0, 0, 15, 1}}, {{"SV_Target", 0, 0, 15, 0}});
    const D3D11_INPUT_ELEMENT_DESC element = {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
    ComPtr<ID3D11InputLayout> layout;
    ASSERT_EQ(device->CreateInputLayout(&element, 1, vs.data(), vs.size(), &layout), S_OK);
    context->IASetInputLayout(layout.Get());
    context->VSSetShader(vertexShader(vs).Get(), nullptr, 0);
    context->PSSetShader(pixelShader(ps).Get(), nullptr, 0);
    viewport(kSize, kSize);
  }
  HRESULT raster(bool multisample, bool smooth, bool conservative = false, D3D11_FILL_MODE fill = D3D11_FILL_SOLID,
                 D3D11_CULL_MODE cull = D3D11_CULL_NONE) {
    D3D11_RASTERIZER_DESC2 desc = {};
    desc.FillMode = fill;
    desc.CullMode = cull;
    desc.DepthClipEnable = TRUE;
    desc.MultisampleEnable = multisample;
    desc.AntialiasedLineEnable = smooth;
    desc.ConservativeRaster = conservative ? D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON : D3D11_CONSERVATIVE_RASTERIZATION_MODE_OFF;
    ComPtr<ID3D11RasterizerState2> state;
    const HRESULT hr = device->CreateRasterizerState2(&desc, &state);
    if (state)
      context->RSSetState(state.Get());
    return hr;
  }
  struct Point {
    float x, y; ///< pixels
  };
  void draw(D3D11_PRIMITIVE_TOPOLOGY topology, const std::vector<Point>& points) {
    std::vector<float> v;
    for (const Point& p : points)
      v.insert(v.end(), {p.x / (kSize / 2) - 1, 1 - p.y / (kSize / 2), 0.5f});
    auto b = buffer(UINT(v.size() * 4), D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, v.data());
    const UINT stride = 12, offset = 0;
    context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
    context->IASetPrimitiveTopology(topology);
    context->Draw(UINT(points.size()), 0);
  }
  /// Alpha of every pixel of a picture of floats; several samples are resolved.
  std::vector<float> alpha(UINT samples, D3D11_PRIMITIVE_TOPOLOGY topology, const std::vector<Point>& points) {
    auto desc = desc2D(kSize, kSize, kRtv, DXGI_FORMAT_R32G32B32A32_FLOAT);
    auto plain = texture(desc);
    desc.SampleDesc.Count = samples;
    auto target = texture(desc);
    auto view = rtv(target.Get());
    const float clear[4] = {};
    context->ClearRenderTargetView(view.Get(), clear);
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    draw(topology, points);
    if (samples > 1)
      context->ResolveSubresource(plain.Get(), 0, target.Get(), 0, desc.Format);
    const auto bytes = read(samples > 1 ? plain.Get() : target.Get(), 0, kSize * 16, kSize);
    std::vector<float> result(kSize * kSize);
    for (UINT i = 0; i < kSize * kSize; i++)
      memcpy(&result[i], &bytes[i * 16 + 12], 4);
    return result;
  }
  static UINT covered(const std::vector<float>& a) {
    UINT n = 0;
    for (float v : a)
      n += v > 0;
    return n;
  }
  static constexpr UINT kSize = 64;
};

float limited(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

} // namespace

TEST_F(Lines, SmoothLinesContributeTheirLength) {
  ASSERT_EQ(raster(false, true), S_OK); // REQ: A0291 B0393
  for (UINT samples : {1u, 4u})
    for (int i = 0; i < 24; i++) {
      const float angle = 0.2618f * float(i) + 0.05f, length = i % 3 == 0 ? 2.5f : 20;
      const Point a = {31.3f, 32.6f}, b = {a.x + length * std::cos(angle), a.y + length * std::sin(angle)};
      const auto got = alpha(samples, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {a, b});
      float sum = 0;
      for (UINT y = 0; y < kSize; y++)
        for (UINT x = 0; x < kSize; x++) {
          const float px = float(x) + 0.5f - a.x, py = float(y) + 0.5f - a.y;
          const float along = px * std::cos(angle) + py * std::sin(angle), across = std::abs(px * std::sin(angle) - py * std::cos(angle));
          const float expected = limited(1 - across) * (limited(along + 0.5f) - limited(along - length + 0.5f));
          ASSERT_NEAR(got[y * kSize + x], expected, 0.02f) << i << ": " << x << "," << y;
          sum += got[y * kSize + x];
        }
      EXPECT_NEAR(sum, length, std::max(length * 0.06f, 0.3f)) << i;
    }
}

TEST_F(Lines, JoinedSegmentsAddUp) {
  ASSERT_EQ(raster(false, true), S_OK);
  const Point a = {10.2f, 11.1f}, b = {30.2f, 23.1f}, c = {50.2f, 35.1f};
  const auto first = alpha(1, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {a, b}), second = alpha(1, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {b, c});
  const auto whole = alpha(1, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, {a, c});
  for (size_t i = 0; i < whole.size(); i++)
    ASSERT_NEAR(first[i] + second[i], whole[i], 0.02f);
}

TEST_F(Lines, StatesChooseTheAlgorithm) {
  const std::vector<Point> line = {{5.3f, 7.1f}, {55.3f, 31.1f}};
  // REQ: A0291 B0393
  ASSERT_EQ(raster(false, false), S_OK);
  EXPECT_EQ(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, line)), 50u);
  const auto aliased = alpha(4, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, line);
  EXPECT_EQ(covered(aliased), 50u);
  for (float v : aliased)
    EXPECT_TRUE(v == 0 || v == 1); // all samples or none
  for (bool smooth : {false, true}) {
    ASSERT_EQ(raster(true, smooth), S_OK);
    float sum = 0;
    for (float v : alpha(8, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, line))
      sum += v;
    EXPECT_NEAR(sum, 55.46f * 1.4f, 2.5f); // a rectangle
    EXPECT_NEAR(float(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_LINELIST, line))), 55.46f * 1.4f, 4.0f);
  }
  // Wireframe triangles are lines, solid ones and points are not. REQ: A0292
  const std::vector<Point> triangle = {{5.3f, 7.1f}, {55.3f, 11.1f}, {20.3f, 50.1f}};
  ASSERT_EQ(raster(false, false), S_OK);
  const auto solid = alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, triangle), points = alpha(1, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, triangle);
  ASSERT_EQ(raster(false, true), S_OK);
  EXPECT_EQ(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, triangle), solid);
  EXPECT_EQ(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST, triangle), points);
  ASSERT_EQ(raster(false, true, false, D3D11_FILL_WIREFRAME), S_OK);
  UINT partial = 0;
  for (float v : alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, triangle))
    partial += v > 0 && v < 1;
  EXPECT_GT(partial, 200u);
}

TEST_F(Lines, ConservativeTriangles) {
  D3D11_FEATURE_DATA_D3D11_OPTIONS2 o = {};
  ASSERT_EQ(device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS2, &o, sizeof o), S_OK);
  EXPECT_EQ(o.ConservativeRasterizationTier, D3D11_CONSERVATIVE_RASTERIZATION_TIER_3); // REQ: A0160
  EXPECT_EQ(raster(false, false, true, D3D11_FILL_WIREFRAME), E_INVALIDARG);
  const std::vector<Point> thin = {{5.3f, 7.3f}, {55.4f, 7.4f}, {5.3f, 7.35f}};
  ASSERT_EQ(raster(false, false), S_OK);
  EXPECT_EQ(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, thin)), 0u);
  // REQ: B0639 B0684
  ASSERT_EQ(raster(false, false, true), S_OK);
  EXPECT_EQ(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, thin)), 51u);
  const auto sampled = alpha(4, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, thin);
  EXPECT_EQ(covered(sampled), 51u);
  for (float v : sampled)
    EXPECT_TRUE(v == 0 || v == 1);
  // Without area: a line of pixels, facing back.
  const std::vector<Point> none = {{5.5f, 7.5f}, {25.5f, 7.5f}, {15.5f, 7.5f}};
  EXPECT_EQ(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, none)), 21u);
  ASSERT_EQ(raster(false, false, true, D3D11_FILL_SOLID, D3D11_CULL_BACK), S_OK);
  EXPECT_EQ(covered(alpha(1, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST, none)), 0u);
}

TEST_F(Lines, InnerCoverage) {
  static const auto ps = makeShader(Stage::Pixel,
                                    "dcl_input vInnerCoverage\ndcl_output o0.xyzw\ndcl_temps 1\nutof r0.x, vInnerCoverage.x\n"
                                    "add o0.xyzw, r0.xxxx, l(1.0, 1.0, 1.0, 1.0)\nret\n",
                                    {{"SV_Position", 0, 0, 15, 1}}, {{"SV_Target", 0, 0, 15, 0}}, 50);
  context->PSSetShader(pixelShader(ps).Get(), nullptr, 0);
  for (UINT samples : {1u, 4u}) {
    ASSERT_EQ(raster(false, false, true), S_OK);
    const auto a = alpha(samples, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, {{4.5f, 4.5f}, {44.5f, 4.5f}, {4.5f, 44.5f}});
    for (UINT y = 0; y < kSize; y++)
      for (UINT x = 0; x < kSize; x++) {
        // The long side runs through pixels with x + y = 48 and touches corners of those beyond.
        const bool touched = x >= 4 && y >= 4 && x + y <= 49 && x <= 44 && y <= 44;
        const bool inside = x >= 5 && y >= 5 && x + y <= 46;
        ASSERT_EQ(a[y * kSize + x], touched ? inside ? 2 : 1 : 0) << x << "," << y;
      }
  }
}

// ---- buffers as targets

TEST_F(Lines, BufferTargets) {
  constexpr UINT kElements = 100;
  struct Row {
    DXGI_FORMAT format;
    UINT bytes;
  };
  for (const Row& row : {Row{DXGI_FORMAT_R32_FLOAT, 4}, Row{DXGI_FORMAT_R8G8B8A8_UNORM, 4}, Row{DXGI_FORMAT_R32G32B32A32_FLOAT, 16}, Row{DXGI_FORMAT_R8_UNORM, 1}}) {
    std::vector<BYTE> data(kElements * row.bytes);
    for (size_t i = 0; i < data.size(); i++)
      data[i] = BYTE(i % 120);
    auto b = buffer(UINT(data.size()), kRtv | D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, data.data());
    D3D11_RENDER_TARGET_VIEW_DESC desc = {};
    desc.Format = row.format;
    desc.ViewDimension = D3D11_RTV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = 10;
    desc.Buffer.NumElements = 70;
    auto view = rtv(b.Get(), &desc);
    EXPECT_EQ(read(b.Get()), data);
    // A clear of the view, then a draw of elements 5 to 50 of it.
    const float zero[4] = {};
    context->ClearRenderTargetView(view.Get(), zero);
    memset(&data[10 * row.bytes], 0, 70 * row.bytes);
    EXPECT_EQ(read(b.Get()), data);
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    const D3D11_VIEWPORT wide = {0, 0, 64, 64, 0, 1};
    context->RSSetViewports(1, &wide);
    ASSERT_EQ(raster(false, false), S_OK);
    draw(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, {{5, -10}, {51, -10}, {5, 20}, {51, 20}});
    for (UINT i = 15; i < 61; i++) {
      const float one = 1;
      for (UINT k = 0; k < row.bytes; k++)
        data[i * row.bytes + k] = row.format == DXGI_FORMAT_R32_FLOAT || row.bytes == 16 ? reinterpret_cast<const BYTE*>(&one)[k % 4] : 255;
    }
    EXPECT_EQ(read(b.Get()), data);
    draw(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, {{60, -10}, {61, -10}, {60, 20}, {61, 20}});
    memcpy(&data[70 * row.bytes], &data[20 * row.bytes], row.bytes);
    EXPECT_EQ(read(b.Get()), data);
    context->OMSetRenderTargets(0, nullptr, nullptr);
  }
}

// ---- resolves

TEST_F(Api, EveryFormatThatResolves) {
  const auto vs = vertexShader(fullscreenVertexShader());
  const auto ps = pixelShader(constantPixelShader());
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  context->VSSetShader(vs.Get(), nullptr, 0);
  context->PSSetShader(ps.Get(), nullptr, 0);
  viewport(8, 8);
  const auto fill = [&](ID3D11Texture2D* t, DXGI_FORMAT format, UINT samples, float value, UINT mask) {
    D3D11_RENDER_TARGET_VIEW_DESC desc = {};
    desc.Format = format;
    desc.ViewDimension = samples > 1 ? D3D11_RTV_DIMENSION_TEXTURE2DMS : D3D11_RTV_DIMENSION_TEXTURE2D;
    auto view = rtv(t, &desc);
    const float color[4] = {value, value, value, value};
    auto cb = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, color);
    context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
    context->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
    context->OMSetBlendState(nullptr, nullptr, mask);
    context->Draw(3, 0);
    context->OMSetBlendState(nullptr, nullptr, 0xffffffffu);
    context->OMSetRenderTargets(0, nullptr, nullptr);
  };
  UINT tested = 0;
  for (UINT f = 1; f < 120; f++) {
    const auto format = static_cast<DXGI_FORMAT>(f);
    UINT support = 0;
    device->CheckFormatSupport(format, &support);
    constexpr UINT kNeeded = D3D11_FORMAT_SUPPORT_MULTISAMPLE_RESOLVE | D3D11_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET | D3D11_FORMAT_SUPPORT_RENDER_TARGET;
    if ((support & kNeeded) != kNeeded)
      continue;
    for (UINT samples : {2u, 4u, 8u}) {
      auto desc = desc2D(8, 8, kRtv, format);
      auto expected = texture(desc), resolved = texture(desc);
      desc.SampleDesc.Count = samples;
      auto source = texture(desc);
      fill(source.Get(), format, samples, 1, 0x55555555u); // every second sample
      fill(source.Get(), format, samples, 0, 0xaaaaaaaau);
      fill(expected.Get(), format, 1, 0.5f, ~0u);
      context->ResolveSubresource(resolved.Get(), 0, source.Get(), 0, format);
      const auto a = read(resolved.Get(), 0, 8, 8), b = read(expected.Get(), 0, 8, 8);
      EXPECT_EQ(a, b) << "format " << f << " samples " << samples;
      tested++;
    }
  }
  EXPECT_GE(tested, 45u);
  // Typeless resources take the format of the call.
  auto desc = desc2D(8, 8, kRtv, DXGI_FORMAT_R8G8B8A8_TYPELESS);
  auto resolved = texture(desc), expected = texture(desc);
  desc.SampleDesc.Count = 4;
  auto source = texture(desc);
  fill(source.Get(), DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 4, 1, 5);
  fill(source.Get(), DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 4, 0, 10);
  fill(expected.Get(), DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 1, 0.5f, ~0u);
  context->ResolveSubresource(resolved.Get(), 0, source.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB);
  EXPECT_EQ(pixel(resolved.Get()) & 0xffffffu, pixel(expected.Get()) & 0xffffffu);
  context->ResolveSubresource(resolved.Get(), 0, source.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(resolved.Get()), 0x80808080u);
}
