// SPDX-License-Identifier: MIT
/// Line algorithms, conservative rasterization, slices and viewports chosen by the vertex shader.
#include "stage.h"

#include <cmath>
#include <d3d11_3.h>

namespace golden {

namespace {

constexpr float kPi = 3.14159265f;

void rasterizerState(Stage& stage, bool multisample, bool smooth, bool conservative, D3D11_FILL_MODE fill)
{
  ComPtr<ID3D11Device3> device;
  stage.device()->QueryInterface(IID_PPV_ARGS(&device));
  D3D11_RASTERIZER_DESC2 desc = {};
  desc.FillMode = fill;
  desc.CullMode = D3D11_CULL_NONE;
  desc.DepthClipEnable = TRUE;
  desc.MultisampleEnable = multisample;
  desc.AntialiasedLineEnable = smooth;
  desc.ConservativeRaster = conservative ? D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON : D3D11_CONSERVATIVE_RASTERIZATION_MODE_OFF;
  ComPtr<ID3D11RasterizerState2> state;
  if (device && stage.check(device->CreateRasterizerState2(&desc, &state), "CreateRasterizerState2"))
    stage.context()->RSSetState(state.Get());
}

} // namespace

/// Rays in the three algorithms, and a wireframe triangle in each.
GOLDEN_SCENE(line_algorithms, 1)
{
  stage.clear(0, 0, 0.05f);
  stage.bindShaders(kColorShaders);
  stage.alphaBlend(true);
  for (int mode = 0; mode < 3; ++mode) {
    const float cx = -0.62f + 0.62f * float(mode);
    std::vector<Vertex> rays;
    for (int i = 0; i < 18; ++i) {
      const float angle = float(i) * kPi / 9 + 0.03f, x = std::cos(angle), y = std::sin(angle);
      rays.push_back({cx + x * 0.05f, 0.5f + y * 0.05f, 0, 1, 1, 0.3f, 1, 0, 0});
      rays.push_back({cx + x * 0.29f, 0.5f + y * 0.29f, 0, 0.2f, 0.6f, 1, 1, 0, 0});
    }
    rasterizerState(stage, mode == 2, mode == 1, false, D3D11_FILL_SOLID);
    stage.draw(rays, D3D11_PRIMITIVE_TOPOLOGY_LINELIST);
    rasterizerState(stage, mode == 2, mode == 1, false, D3D11_FILL_WIREFRAME);
    stage.draw({{cx - 0.28f, -0.7f, 0, 1, 0, 0, 1, 0, 0}, {cx + 0.05f, 0.1f, 0, 0, 1, 0, 1, 0, 0}, {cx + 0.27f, -0.55f, 0, 0, 0.4f, 1, 1, 0, 0}});
    stage.draw({{cx - 0.2f, -0.93f, 0, 1, 1, 1, 1, 0, 0}, {cx + 0.25f, -0.8f, 0, 1, 1, 1, 1, 0, 0}, {cx + 0.2f, -0.95f, 0, 1, 1, 1, 0.5f, 0, 0}});
  }
}

/// Slivers that miss pixel centres, and what lies wholly inside.
GOLDEN_SCENE(conservative_triangles, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; float4 color : COLOR; };
V vs(float3 p : POSITION, float4 c : COLOR) { V v; v.position = float4(p, 1); v.color = c; return v; }
float4 ps(V v, uint inner : SV_InnerCoverage) : SV_Target { return (inner & 1) ? v.color : v.color * 0.4; }
)");
  rasterizerState(stage, false, false, true, D3D11_FILL_SOLID);
  const float pixel = 2.0f / 256;
  for (int i = 0; i < 20; ++i) {
    const float a = float(i) * kPi / 10, b = a + 0.004f + 0.01f * float(i);
    stage.draw({{0, 0, 0, 1, 1, 1, 1, 0, 0}, {0.95f * std::cos(a), 0.95f * std::sin(a), 0, 1, 0.8f, 0, 1, 0, 0}, {0.95f * std::cos(b), 0.95f * std::sin(b), 0, 0, 0.8f, 1, 1, 0, 0}});
  }
  for (int i = 0; i < 40; ++i) { // tiny ones and ones without area
    const float x = -0.98f + float(i) * 6.3f * pixel, y = 0.97f - float(i % 5) * 0.3f * pixel;
    stage.draw({{x, y, 0, 1, 0, 1, 1, 0, 0}, {x + 0.3f * pixel, y, 0, 1, 0, 1, 1, 0, 0}, {x, i % 2 ? y : y - 0.3f * pixel, 0, 1, 0, 1, 1, 0, 0}});
  }
}

/// Instances choose a slice and a viewport; four slices are then shown as quarters.
GOLDEN_SCENE(slices_and_viewports, 1)
{
  const ComPtr<ID3D11Texture2D> layers =
      stage.texture(128, 128, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE, 1, 4);
  const ComPtr<ID3D11Texture2D> depths = stage.texture(128, 128, DXGI_FORMAT_D32_FLOAT, D3D11_BIND_DEPTH_STENCIL, 1, 4);
  ComPtr<ID3D11RenderTargetView> view;
  ComPtr<ID3D11DepthStencilView> depth;
  if (!layers || !depths || !stage.check(stage.device()->CreateRenderTargetView(layers.Get(), nullptr, &view), "CreateRenderTargetView") ||
      !stage.check(stage.device()->CreateDepthStencilView(depths.Get(), nullptr, &depth), "CreateDepthStencilView"))
    return;
  const float dark[4] = {0.1f, 0.1f, 0.1f, 1};
  stage.context()->ClearRenderTargetView(view.Get(), dark);
  stage.context()->ClearDepthStencilView(depth.Get(), D3D11_CLEAR_DEPTH, 1, 0);
  stage.context()->OMSetRenderTargets(1, view.GetAddressOf(), depth.Get());
  stage.depthState(true);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; float4 color : COLOR; uint slice : SV_RenderTargetArrayIndex; uint window : SV_ViewportArrayIndex; };
V vs(float3 p : POSITION, float4 c : COLOR, uint i : SV_InstanceID)
{
  V v;
  float angle = i * 0.4;
  v.position = float4(p.x * cos(angle) - p.y * sin(angle), p.x * sin(angle) + p.y * cos(angle), 0.2 + 0.04 * i, 1);
  v.color = c;
  v.slice = i % 5;  // the fifth falls back to slice 0
  v.window = i / 3; // up to 5
  return v;
}
float4 ps(V v) : SV_Target { return float4(v.color.rg, v.window / 5.0, 1) * (v.slice < 4 ? 1 : 0.5); }
)");
  D3D11_VIEWPORT windows[6];
  for (int i = 0; i < 6; ++i)
    windows[i] = {float(i % 3) * 40, float(i / 3) * 60, 48, 64, float(i) / 12, 1};
  stage.context()->RSSetViewports(6, windows);
  const std::vector<Vertex> triangle = {{-0.8f, -0.7f, 0, 1, 0.2f, 0, 1, 0, 0}, {0, 0.9f, 0, 0.2f, 1, 0, 1, 0, 0}, {0.8f, -0.7f, 0, 1, 1, 0, 1, 0, 0}};
  const ComPtr<ID3D11Buffer> vertices = stage.vertices(triangle);
  const UINT stride = sizeof(Vertex), offset = 0;
  stage.context()->IASetVertexBuffers(0, 1, vertices.GetAddressOf(), &stride, &offset);
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->DrawInstanced(3, 18, 0, 0);
  stage.context()->OMSetRenderTargets(0, nullptr, nullptr);
  for (UINT i = 0; i < 4; ++i)
    stage.context()->CopySubresourceRegion(stage.colorTexture(), 0, i % 2 * 128, i / 2 * 128, 0, layers.Get(), i, nullptr);
}

} // namespace golden
