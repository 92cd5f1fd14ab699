// SPDX-License-Identifier: MIT
// Pixel shader inputs and outputs beside colours: places of evaluation, coverage, forced sample counts, stencil reference;
// with generated code and with the REFERENCE driver type.
#include "fixture.h"

using namespace api;

namespace {

constexpr UINT kSize = 8, kRtv = D3D11_BIND_RENDER_TARGET;

class PixelInputs : public Api, public ::testing::WithParamInterface<D3D_DRIVER_TYPE> {
protected:
  void SetUp() override {
    Created c = createDevice(D3D_FEATURE_LEVEL_11_1, 0, GetParam());
    ASSERT_EQ(c.hr, S_OK);
    device = c.device;
    context = c.context;
    static const auto code = makeShader(
        Stage::Vertex,
        "dcl_input v0.xyz\ndcl_input v1.xyzw\ndcl_output o0.xyzw position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\n"
        "mov o0.xyz, v0.xyzx\nmov o0.w, l(1.0)\nmov o1.xyzw, v1.xyzw\nmul o2.xyzw, v1.xyzw, l(10.0, 10.0, 10.0, 10.0)\nret\n",
        {{"POSITION", 0, 0, 7, 0}, {"COLOR", 0, 1, 15, 0}},
        {{"SV_Position", 0, 0, 15, 1}, {"COLOR", 0, 1, 15, 0}, {"COLOR", 1, 2, 15, 0}}, 50);
    context->VSSetShader(vertexShader(code).Get(), nullptr, 0);
    const D3D11_INPUT_ELEMENT_DESC elements[] = {
        {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
        {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0}};
    ComPtr<ID3D11InputLayout> layout;
    ASSERT_EQ(device->CreateInputLayout(elements, 2, code.data(), code.size(), &layout), S_OK);
    context->IASetInputLayout(layout.Get());
    context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    viewport(kSize, kSize);
  }

  /// Covers x < `right` pixels; COLOR is the place in pixels (x, y, 0, 1), COLOR1 ten times that.
  void drawStripe(float right, const std::vector<BYTE>& pixelCode) {
    const float x = right / kSize * 2 - 1;
    const float v[4][7] = {{-1, 1, 0.5f, 0, 0, 0, 1}, {x, 1, 0.5f, right, 0, 0, 1}, {-1, -1, 0.5f, 0, kSize, 0, 1}, {x, -1, 0.5f, right, kSize, 0, 1}};
    auto b = buffer(sizeof v, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, v);
    const UINT stride = 28, offset = 0;
    context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
    context->PSSetShader(pixelShader(pixelCode).Get(), nullptr, 0);
    context->Draw(4, 0);
  }
  void forceSamples(UINT count) {
    D3D11_RASTERIZER_DESC1 d = {};
    d.FillMode = D3D11_FILL_SOLID;
    d.CullMode = D3D11_CULL_NONE;
    d.DepthClipEnable = TRUE;
    d.ForcedSampleCount = count;
    ComPtr<ID3D11RasterizerState1> state;
    ASSERT_EQ(device->CreateRasterizerState1(&d, &state), S_OK);
    context->RSSetState(state.Get());
  }
  ComPtr<ID3D11Texture2D> target(DXGI_FORMAT format, UINT samples = 1, ID3D11DepthStencilView* depth = nullptr) {
    auto d = desc2D(kSize, kSize, kRtv, format);
    d.SampleDesc.Count = samples;
    auto t = texture(d);
    auto view = rtv(t.Get());
    const float zero[4] = {};
    context->ClearRenderTargetView(view.Get(), zero);
    context->OMSetRenderTargets(1, view.GetAddressOf(), depth);
    return t;
  }
  /// Red of pixel x of the first row after a resolve.
  UINT resolvedRed(ID3D11Texture2D* t, UINT x) {
    auto single = texture(kSize, kSize, kRtv);
    context->ResolveSubresource(single.Get(), 0, t, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    return pixel(single.Get(), x, 0) & 255;
  }
  /// Of the last row, which the strip's diagonal leaves at x = 0.
  std::vector<float> floats(ID3D11Texture2D* t, UINT x) {
    const auto bytes = read(t, 0, kSize * 16, kSize);
    std::vector<float> f(4);
    memcpy(f.data(), &bytes[(kSize * (kSize - 1) + x) * 16], 16);
    return f;
  }
};
INSTANTIATE_TEST_SUITE_P(Drivers, PixelInputs, ::testing::Values(D3D_DRIVER_TYPE_HARDWARE, D3D_DRIVER_TYPE_REFERENCE));

std::vector<BYTE> pixelCode(const char* text, const std::vector<SignatureItem>& outputs = {{"SV_Target", 0, 0, 15, 0}}) {
  return makeShader(Stage::Pixel, text, {{"SV_Position", 0, 0, 15, 1}, {"COLOR", 0, 1, 15, 0}, {"COLOR", 1, 2, 15, 0}}, outputs, 50);
}

} // namespace

TEST_P(PixelInputs, ForcedSampleCountShowsItsCoverage) {
  auto t = target(DXGI_FORMAT_R32_UINT);
  forceSamples(8);
  drawStripe(3.4375f, pixelCode("dcl_input vCoverage\ndcl_output o0.xyzw\nmov o0.xyzw, vCoverage\nret\n", {{"SV_Target", 0, 0, 15, 0, 1}}));
  // REQ: A0414
  const auto bytes = read(t.Get(), 0, kSize * 4, kSize);
  const UINT expected[5] = {0xff, 0xff, 0xff, 1u << 3 | 1u << 4 | 1u << 5, 0}; // samples left of 7/16
  for (UINT x = 1; x < 5; x++) {
    UINT word;
    memcpy(&word, &bytes[(kSize * (kSize - 1) + x) * 4], 4); // the strip's diagonal leaves this row at x = 0
    EXPECT_EQ(word, expected[x]) << x;
  }
}

TEST_P(PixelInputs, ForcedCountOneRendersToMultisampledTargets) {
  const auto white = pixelCode("dcl_output o0.xyzw\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n");
  auto t = target(DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  drawStripe(3.5625f, white);
  EXPECT_EQ(resolvedRed(t.Get(), 2), 255u);
  EXPECT_EQ(resolvedRed(t.Get(), 3), 128u); // two of four samples
  t = target(DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  forceSamples(1);
  drawStripe(3.5625f, white);
  // REQ: A0426
  EXPECT_EQ(resolvedRed(t.Get(), 3), 255u); // the centre decides for all samples
  EXPECT_EQ(resolvedRed(t.Get(), 4), 0u);
  t = target(DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  drawStripe(3.4375f, white);
  EXPECT_EQ(resolvedRed(t.Get(), 3), 0u);
}

TEST_P(PixelInputs, CentroidAndEvaluations) {
  auto t = target(DXGI_FORMAT_R32G32B32A32_FLOAT);
  forceSamples(8);
  drawStripe(3.4375f, pixelCode("dcl_input v1.xyzw linear centroid\ndcl_output o0.xyzw\nmov o0.x, v1.x\neval_sample_index o0.y, v1.xxxx, l(5)\n"
                                "eval_snapped o0.z, v1.xxxx, l(-3, 0, 0, 0)\neval_centroid o0.w, v1.xxxx\nret\n"));
  const auto whole = floats(t.Get(), 1), part = floats(t.Get(), 3);
  const float first = 3.5f - 3.0f / 16; // the first covered sample is number 3
  EXPECT_NEAR(whole[0], 1.5f, 1e-5f);   // all are covered: the centre
  EXPECT_NEAR(whole[1], 1.5f - 7.0f / 16, 1e-5f);
  EXPECT_NEAR(whole[2], 1.5f - 3.0f / 16, 1e-5f);
  EXPECT_NEAR(whole[3], 1.5f, 1e-5f);
  EXPECT_NEAR(part[0], first, 1e-5f);
  EXPECT_NEAR(part[1], 3.5f - 7.0f / 16, 1e-5f);
  EXPECT_NEAR(part[2], 3.5f - 3.0f / 16, 1e-5f);
  EXPECT_NEAR(part[3], first, 1e-5f);
}

TEST_P(PixelInputs, EvaluatedRegistersMayBeIndexed) {
  const auto code = pixelCode("dcl_input v1.xyzw linear\ndcl_input v2.xyzw linear\ndcl_indexrange v1.xyzw 2\ndcl_constantbuffer cb0[1]\n"
                              "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, cb0[0].x\n"
                              "eval_snapped o0.x, v[r0.x + 1].xxxx, l(4, 0, 0, 0)\neval_centroid o0.y, v[r0.x + 1].yyyy\nmov o0.zw, l(0, 0, 0, 0)\nret\n");
  for (UINT index = 0; index < 3; index++) {
    auto t = target(DXGI_FORMAT_R32G32B32A32_FLOAT);
    const UINT words[4] = {index, 0, 0, 0};
    auto constants = buffer(16, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DEFAULT, 0, words);
    context->PSSetConstantBuffers(0, 1, constants.GetAddressOf());
    drawStripe(8, code);
    const float scale = index == 0 ? 1.0f : index == 1 ? 10.0f : 0.0f; // outside the range: 0
    EXPECT_NEAR(floats(t.Get(), 2)[0], 2.75f * scale, 1e-4f);
    EXPECT_NEAR(floats(t.Get(), 2)[1], (kSize - 0.5f) * scale, 1e-4f);
  }
}

TEST_P(PixelInputs, ShaderSetsTheStencilReference) {
  D3D11_FEATURE_DATA_D3D11_OPTIONS2 options = {};
  ASSERT_EQ(device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS2, &options, sizeof options), S_OK);
  EXPECT_TRUE(options.PSSpecifiedStencilRefSupported);
  auto depth = texture(kSize, kSize, D3D11_BIND_DEPTH_STENCIL, DXGI_FORMAT_D24_UNORM_S8_UINT);
  auto depthView = dsv(depth.Get());
  context->ClearDepthStencilView(depthView.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 2);
  auto t = target(DXGI_FORMAT_R8G8B8A8_UNORM, 1, depthView.Get());
  D3D11_DEPTH_STENCIL_DESC d = {};
  d.StencilEnable = TRUE;
  d.StencilReadMask = d.StencilWriteMask = 255;
  d.FrontFace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_REPLACE, D3D11_COMPARISON_GREATER};
  d.BackFace = d.FrontFace;
  ComPtr<ID3D11DepthStencilState> state;
  ASSERT_EQ(device->CreateDepthStencilState(&d, &state), S_OK);
  context->OMSetDepthStencilState(state.Get(), 77);
  drawStripe(8, pixelCode("dcl_input v1.xyzw linear\ndcl_output o0.xyzw\ndcl_output oStencilRef\nmov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\n"
                          "ftou oStencilRef, v1.x\nret\n",
                          {{"SV_Target", 0, 0, 15, 0}, {"SV_StencilRef", 0, ~0u, 1, 69, 1}}));
  const auto bytes = read(depth.Get(), 0, kSize * 4, kSize);
  for (UINT x = 0; x < kSize; x++) {
    EXPECT_EQ(bytes[x * 4 + 3], x > 2 ? x : 2u) << x; // greater than what was stored: replaced by the shader's value
    EXPECT_EQ(pixel(t.Get(), x, 0), x > 2 ? 0xffffffffu : 0u) << x;
  }
}

TEST_P(PixelInputs, SampleCountOfTheTargets) {
  auto t = target(DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  drawStripe(8, pixelCode("dcl_output o0.xyzw\ndcl_temps 1\nsampleinfo_uint r0.x, rasterizer.xxxx\nutof r0.x, r0.x\n"
                          "mul o0.x, r0.x, l(0.2)\nsamplepos o0.y, rasterizer.xyxx, l(3)\nmov o0.zw, l(0, 0, 0, 1.0)\nret\n"));
  EXPECT_EQ(resolvedRed(t.Get(), 0), 204u);
  auto single = texture(kSize, kSize, kRtv);
  context->ResolveSubresource(single.Get(), 0, t.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(single.Get()) >> 8 & 255, 96u); // 6/16
}
