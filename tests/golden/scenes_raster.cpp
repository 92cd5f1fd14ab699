// SPDX-License-Identifier: MIT
/// Primitives, fill modes, viewports, scissors, depth and stencil.
#include "stage.h"

#include <cmath>

namespace golden {

namespace {

constexpr float kPi = 3.14159265f;

std::vector<Vertex> fan(float cx, float cy, float radius, int sides, float z, float r, float g, float b, float a = 1)
{
  std::vector<Vertex> v;
  for (int i = 0; i < sides; ++i) {
    const float from = float(i) * 2 * kPi / float(sides), to = float(i + 1) * 2 * kPi / float(sides);
    v.push_back({cx, cy, z, r, g, b, a, 0, 0});
    v.push_back({cx + radius * std::cos(to), cy + radius * std::sin(to), z, r * 0.5f, g * 0.5f, b * 0.5f, a, 0, 0});
    v.push_back({cx + radius * std::cos(from), cy + radius * std::sin(from), z, r * 0.5f, g * 0.5f, b * 0.5f, a, 0, 0});
  }
  return v;
}

/// Triangles of a sphere seen from the front; facing outwards clockwise.
std::vector<Vertex> sphere(float cx, float cy, float radius, int rings)
{
  std::vector<Vertex> v;
  const auto at = [&](int ring, int sector) {
    const float theta = kPi * float(ring) / float(rings), phi = kPi * float(sector) / float(rings);
    const float x = std::sin(theta) * std::cos(phi), y = std::cos(theta), z = std::sin(theta) * std::sin(phi);
    return Vertex{cx + radius * x, cy + radius * y, 0.5f + 0.4f * z, 0.5f + 0.5f * x, 0.5f + 0.5f * y, 0.5f - 0.5f * z, 1, 0, 0};
  };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < rings * 2; ++j) {
      v.push_back(at(i, j));
      v.push_back(at(i + 1, j));
      v.push_back(at(i, j + 1));
      v.push_back(at(i, j + 1));
      v.push_back(at(i + 1, j));
      v.push_back(at(i + 1, j + 1));
    }
  return v;
}

} // namespace

GOLDEN_SCENE(clear, 0) { stage.clear(0.25f, 0.5f, 0.75f, 0.5f); }

GOLDEN_SCENE(triangle, 1)
{
  stage.clear(0.1f, 0.1f, 0.15f);
  stage.bindShaders(kColorShaders);
  stage.draw({{-0.8f, -0.8f, 0, 1, 0, 0, 1, 0, 0}, {0, 0.85f, 0, 0, 1, 0, 1, 0, 0}, {0.8f, -0.7f, 0, 0, 0, 1, 1, 0, 0}});
}

GOLDEN_SCENE(fans, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kColorShaders);
  for (int i = 0; i < 9; ++i)
    stage.draw(fan(-0.66f + 0.66f * float(i % 3), -0.66f + 0.66f * float(i / 3), 0.3f, 3 + i * 7, 0.5f, float(i % 3) / 2,
                   float(i / 3) / 2, 1 - float(i) / 8));
}

GOLDEN_SCENE(depth_spheres, 1)
{
  stage.clear(0.2f, 0.2f, 0.2f);
  stage.bindShaders(kColorShaders);
  stage.depthState(true);
  stage.draw(sphere(-0.25f, 0.1f, 0.6f, 24));
  stage.draw(sphere(0.25f, -0.1f, 0.6f, 17));
}

GOLDEN_SCENE(cull_modes, 1)
{
  stage.clear(0.2f, 0.2f, 0.2f);
  stage.bindShaders(kColorShaders);
  const D3D11_CULL_MODE modes[3] = {D3D11_CULL_NONE, D3D11_CULL_FRONT, D3D11_CULL_BACK};
  for (int i = 0; i < 3; ++i) {
    stage.rasterizer(modes[i]);
    const float x = -0.65f + 0.65f * float(i);
    stage.draw({{x - 0.25f, 0.1f, 0, 1, 0.3f, 0, 1, 0, 0}, {x, 0.8f, 0, 1, 0.3f, 0, 1, 0, 0}, {x + 0.25f, 0.1f, 0, 1, 0.3f, 0, 1, 0, 0}});
    stage.draw({{x - 0.25f, -0.8f, 0, 0, 0.6f, 1, 1, 0, 0}, {x + 0.25f, -0.8f, 0, 0, 0.6f, 1, 1, 0, 0}, {x, -0.1f, 0, 0, 0.6f, 1, 1, 0, 0}});
  }
}

GOLDEN_SCENE(wireframe, 1)
{
  stage.clear(0, 0, 0.1f);
  stage.bindShaders(kColorShaders);
  stage.rasterizer(D3D11_CULL_FRONT, D3D11_FILL_WIREFRAME);
  stage.draw(sphere(0, 0, 0.85f, 12));
}

GOLDEN_SCENE(lines, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kColorShaders);
  std::vector<Vertex> v, strip;
  for (int i = 0; i < 48; ++i) {
    const float angle = float(i) * 2 * kPi / 48, x = std::cos(angle), y = std::sin(angle);
    v.push_back({x * 0.1f, y * 0.1f, 0, 1, 1, 0, 1, 0, 0});
    v.push_back({x * 0.9f, y * 0.9f, 0, 0, 0.5f, 1, 1, 0, 0});
  }
  for (int i = 0; i <= 200; ++i) {
    const float angle = float(i) * 2 * kPi / 200;
    strip.push_back({0.95f * std::sin(angle * 3), 0.95f * std::sin(angle * 4), 0, 1, float(i) / 200, 0.3f, 1, 0, 0});
  }
  stage.draw(v, D3D11_PRIMITIVE_TOPOLOGY_LINELIST);
  stage.draw(strip, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP);
}

GOLDEN_SCENE(points, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kColorShaders);
  std::vector<Vertex> v;
  for (int i = 0; i < 2000; ++i) {
    const float angle = float(i) * 2.399963f, radius = std::sqrt(float(i) / 2000) * 0.95f;
    v.push_back({radius * std::cos(angle), radius * std::sin(angle), 0, float(i % 3) / 2, 1 - float(i) / 2000, float(i) / 2000, 1, 0, 0});
  }
  stage.draw(v, D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
}

GOLDEN_SCENE(viewports_and_scissors, 1)
{
  stage.clear(0.1f, 0.1f, 0.1f);
  stage.bindShaders(kColorShaders);
  for (int i = 0; i < 4; ++i) {
    const D3D11_VIEWPORT viewport = {float(i & 1) * 128, float(i >> 1) * 128, 128, 128, 0, 1};
    stage.context()->RSSetViewports(1, &viewport);
    stage.rasterizer(D3D11_CULL_NONE, D3D11_FILL_SOLID, i > 0);
    const D3D11_RECT scissors[4] = {{0, 0, 256, 256}, {140, 10, 230, 100}, {0, 160, 64, 250}, {191, 191, 193, 256}};
    stage.context()->RSSetScissorRects(1, &scissors[i]);
    stage.draw({{-1.5f, -1.2f, 0, 1, 0, 0, 1, 0, 0}, {0, 1.6f, 0, 0, 1, 0, 1, 0, 0}, {1.7f, -1.1f, 0, 0, 0, 1, 1, 0, 0}});
  }
}

/// Triangles through the near and far planes and far outside the sides.
GOLDEN_SCENE(clipping, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; float4 color : COLOR; };
V vs(float3 p : POSITION, float4 c : COLOR)
{
  V v;
  float w = p.z * 4 + 0.5; // perspective without a camera: small z is near
  v.position = float4(p.xy, (p.z - 0.05) * w, w);
  v.color = c;
  return v;
}
float4 ps(V v) : SV_Target { return v.color; }
)");
  stage.draw({{-30, -1, 0.9f, 1, 0, 0, 1, 0, 0}, {0, -0.4f, -0.3f, 1, 1, 0, 1, 0, 0}, {30, -1, 0.9f, 0, 0, 1, 1, 0, 0}});
  stage.draw({{-1000, 400, 0.5f, 0, 1, 0, 1, 0, 0}, {0, 0.3f, 0.1f, 1, 0, 1, 1, 0, 0}, {1000, 400, 0.5f, 0, 1, 1, 1, 0, 0}});
  stage.draw({{-0.3f, 0.2f, 2.0f, 1, 1, 1, 1, 0, 0}, {-0.3f, -0.2f, 0.0f, 1, 1, 1, 1, 0, 0}, {0.2f, 0.1f, 0.3f, 0.2f, 0.2f, 0.2f, 1, 0, 0}});
}

GOLDEN_SCENE(stencil_outline, 1)
{
  stage.clear(0.1f, 0, 0.2f);
  stage.bindShaders(kColorShaders);
  D3D11_DEPTH_STENCIL_DESC desc = {};
  desc.StencilEnable = TRUE;
  desc.StencilReadMask = desc.StencilWriteMask = 0xff;
  desc.FrontFace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_INCR, D3D11_COMPARISON_ALWAYS};
  desc.BackFace = desc.FrontFace;
  desc.DepthFunc = D3D11_COMPARISON_ALWAYS;
  ComPtr<ID3D11DepthStencilState> mark, test;
  stage.check(stage.device()->CreateDepthStencilState(&desc, &mark), "CreateDepthStencilState");
  desc.FrontFace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_COMPARISON_EQUAL};
  desc.BackFace = desc.FrontFace;
  stage.check(stage.device()->CreateDepthStencilState(&desc, &test), "CreateDepthStencilState");
  stage.context()->OMSetDepthStencilState(mark.Get(), 0);
  stage.draw(fan(-0.3f, 0, 0.5f, 40, 0.5f, 0, 0.3f, 0.6f));
  stage.draw(fan(0.3f, 0, 0.5f, 40, 0.5f, 0, 0.3f, 0.6f));
  stage.context()->OMSetDepthStencilState(test.Get(), 2);
  stage.draw(fan(0, 0, 0.9f, 5, 0.5f, 1, 0.8f, 0.2f));
  stage.context()->OMSetDepthStencilState(test.Get(), 0);
  stage.draw(fan(0, 0, 0.95f, 6, 0.5f, 0.5f, 0.1f, 0.1f));
}

GOLDEN_SCENE(depth_bias, 1)
{
  stage.clear(0.1f, 0.1f, 0.1f);
  stage.bindShaders(kColorShaders);
  stage.depthState(true);
  const std::vector<Vertex> slanted = {{-0.9f, -0.9f, 0.1f, 0.3f, 0.3f, 0.3f, 1, 0, 0}, {-0.9f, 0.9f, 0.9f, 0.3f, 0.3f, 0.3f, 1, 0, 0},
                                       {0.9f, 0.0f, 0.5f, 0.6f, 0.6f, 0.6f, 1, 0, 0}};
  stage.draw(slanted);
  // The same plane again: behind it, then before it in the right half.
  std::vector<Vertex> again = slanted;
  for (Vertex& v : again)
    v.r = 1, v.g = 0.2f, v.b = 0;
  stage.rasterizer(D3D11_CULL_NONE, D3D11_FILL_SOLID, false, 100, 1.0f);
  stage.draw(again);
  for (Vertex& v : again)
    v.r = 0, v.g = 0.8f, v.b = 0.2f;
  stage.rasterizer(D3D11_CULL_NONE, D3D11_FILL_SOLID, true, -100, -1.0f);
  const D3D11_RECT right = {128, 0, 256, 256};
  stage.context()->RSSetScissorRects(1, &right);
  stage.draw(again);
}

GOLDEN_SCENE(blend_alpha, 1)
{
  stage.clear(0, 0, 0, 0);
  stage.bindShaders(kColorShaders);
  stage.alphaBlend(true);
  for (int i = 0; i < 12; ++i) {
    const float angle = float(i) * kPi / 6;
    stage.draw(fan(0.45f * std::cos(angle), 0.45f * std::sin(angle), 0.4f, 30, 0.5f, 0.5f + 0.5f * std::cos(angle),
                   0.5f + 0.5f * std::cos(angle + 2), 0.5f + 0.5f * std::cos(angle + 4), 0.4f));
  }
}

GOLDEN_SCENE(multisampled, 1)
{
  const ComPtr<ID3D11Texture2D> color =
      stage.texture(256, 256, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_RENDER_TARGET, 1, 1, 4);
  ComPtr<ID3D11RenderTargetView> view;
  if (!color || !stage.check(stage.device()->CreateRenderTargetView(color.Get(), nullptr, &view), "CreateRenderTargetView"))
    return;
  const float black[4] = {0, 0, 0, 1};
  stage.context()->ClearRenderTargetView(view.Get(), black);
  stage.context()->OMSetRenderTargets(1, view.GetAddressOf(), nullptr);
  stage.bindShaders(kColorShaders);
  for (int i = 0; i < 24; ++i) {
    const float a = float(i) * kPi / 12, b = a + 0.06f;
    stage.draw({{0, 0, 0, 1, 1, 1, 1, 0, 0}, {0.9f * std::cos(a), 0.9f * std::sin(a), 0, 1, 1, 0, 1, 0, 0}, {0.9f * std::cos(b), 0.9f * std::sin(b), 0, 0, 1, 1, 1, 0, 0}});
  }
  stage.rasterizer(D3D11_CULL_NONE, D3D11_FILL_SOLID, false, 0, 0, true);
  std::vector<Vertex> strip;
  for (int i = 0; i <= 60; ++i)
    strip.push_back({0.97f * std::cos(float(i) * kPi / 30), 0.97f * std::sin(float(i) * kPi / 30), 0, 1, 0.2f, 0.2f, 1, 0, 0});
  stage.draw(strip, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP);
  stage.context()->ResolveSubresource(stage.colorTexture(), 0, color.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
}

} // namespace golden
