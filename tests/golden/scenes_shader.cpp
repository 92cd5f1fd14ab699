// SPDX-License-Identifier: MIT
/// Textures, constants, instances, several targets, control flow.
#include "stage.h"

#include <cmath>

namespace golden {

namespace {

uint32_t rgba(int r, int g, int b, int a = 255) { return uint32_t(r) | uint32_t(g) << 8 | uint32_t(b) << 16 | uint32_t(a) << 24; }

std::vector<uint32_t> checker(int size, int cell)
{
  std::vector<uint32_t> pixels;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      pixels.push_back((x / cell + y / cell) % 2 ? rgba(255, 255 - y * 255 / size, 40) : rgba(20, x * 255 / size, 200));
  return pixels;
}

std::vector<Vertex> quad(float x0, float y0, float x1, float y1, float u0, float v0, float u1, float v1)
{
  const Vertex a{x0, y1, 0.5f, 1, 1, 1, 1, u0, v0}, b{x1, y1, 0.5f, 1, 1, 1, 1, u1, v0};
  const Vertex c{x0, y0, 0.5f, 1, 1, 1, 1, u0, v1}, d{x1, y0, 0.5f, 1, 1, 1, 1, u1, v1};
  return {a, b, c, c, b, d};
}

const char* const kFullScreen = R"(
struct V { float4 position : SV_Position; float2 at : TEXCOORD; };
V vs(uint id : SV_VertexID)
{
  V v;
  v.at = float2(id & 1, id >> 1) * 2;
  v.position = float4(v.at.x * 2 - 1, 1 - v.at.y * 2, 0, 1);
  return v;
}
)";

} // namespace

GOLDEN_SCENE(texture_filters, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kTextureShaders);
  const ComPtr<ID3D11ShaderResourceView> image = stage.image(32, 32, checker(32, 4), true);
  stage.context()->PSSetShaderResources(0, 1, image.GetAddressOf());
  const D3D11_FILTER filters[4] = {D3D11_FILTER_MIN_MAG_MIP_POINT, D3D11_FILTER_MIN_MAG_LINEAR_MIP_POINT,
                                   D3D11_FILTER_MIN_MAG_MIP_LINEAR, D3D11_FILTER_MIN_LINEAR_MAG_MIP_POINT};
  for (int i = 0; i < 4; ++i) {
    stage.sampler(0, filters[i]);
    const float x = -0.98f + float(i & 1), y = -0.98f + float(i >> 1);
    stage.draw(quad(x, y, x + 0.96f, y + 0.96f, -0.2f, -0.1f, i < 2 ? 0.9f : 7.3f, i < 2 ? 0.8f : 5.1f));
  }
}

GOLDEN_SCENE(texture_addressing, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kTextureShaders);
  const ComPtr<ID3D11ShaderResourceView> image = stage.image(16, 16, checker(16, 2));
  stage.context()->PSSetShaderResources(0, 1, image.GetAddressOf());
  const D3D11_TEXTURE_ADDRESS_MODE modes[4] = {D3D11_TEXTURE_ADDRESS_MIRROR, D3D11_TEXTURE_ADDRESS_CLAMP,
                                               D3D11_TEXTURE_ADDRESS_BORDER, D3D11_TEXTURE_ADDRESS_MIRROR_ONCE};
  for (int i = 0; i < 4; ++i) {
    stage.sampler(0, D3D11_FILTER_MIN_MAG_MIP_LINEAR, modes[i]);
    const float x = -0.98f + float(i & 1), y = -0.98f + float(i >> 1);
    stage.draw(quad(x, y, x + 0.96f, y + 0.96f, -1.3f, -1.2f, 2.1f, 2.4f));
  }
}

/// A floor that runs to the horizon: perspective-correct coordinates, mip levels, anisotropy in the right half.
GOLDEN_SCENE(perspective_floor, 1)
{
  stage.clear(0.4f, 0.6f, 0.9f);
  stage.bindShaders(R"(
Texture2D image : register(t0);
SamplerState filter : register(s0);
struct V { float4 position : SV_Position; float2 uv : TEXCOORD; };
V vs(float3 p : POSITION, float2 uv : TEXCOORD)
{
  V v;
  v.position = float4(p.x, -0.5, p.z - 0.1, p.z);
  v.uv = float2(p.x, p.z) * 2;
  return v;
}
float4 ps(V v) : SV_Target { return image.Sample(filter, v.uv); }
)");
  const ComPtr<ID3D11ShaderResourceView> image = stage.image(64, 64, checker(64, 32), true);
  stage.context()->PSSetShaderResources(0, 1, image.GetAddressOf());
  for (int i = 0; i < 2; ++i) {
    stage.rasterizer(D3D11_CULL_NONE, D3D11_FILL_SOLID, true);
    const D3D11_RECT half = {i * 128, 0, i * 128 + 128, 256};
    stage.context()->RSSetScissorRects(1, &half);
    stage.sampler(0, i ? D3D11_FILTER_ANISOTROPIC : D3D11_FILTER_MIN_MAG_MIP_LINEAR, D3D11_TEXTURE_ADDRESS_WRAP, 16);
    std::vector<Vertex> v;
    for (int corner : {0, 1, 2, 2, 1, 3})
      v.push_back({corner & 1 ? 20.0f : -20.0f, 0, corner & 2 ? 20.0f : 0.2f, 1, 1, 1, 1, 0, 0});
    stage.draw(v);
  }
}

GOLDEN_SCENE(cubes, 1)
{
  stage.clear(0.05f, 0.05f, 0.1f);
  stage.depthState(true);
  stage.rasterizer(D3D11_CULL_BACK);
  stage.bindShaders(R"(
cbuffer Object : register(b0) { row_major float4x4 transform; float4 tint; };
struct V { float4 position : SV_Position; float3 color : COLOR; };
V vs(float3 p : POSITION, float3 n : NORMAL)
{
  V v;
  v.position = mul(float4(p, 1), transform);
  v.color = tint.rgb * (0.35 + 0.65 * saturate(dot(mul(float4(n, 0), transform).xyz, normalize(float3(0.3, 0.6, -0.7)))));
  return v;
}
float4 ps(V v) : SV_Target { return float4(v.color, 1); }
)",
                    {{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
                     {"NORMAL", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0}});
  std::vector<float> vertices;
  std::vector<uint16_t> indices;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2;
    const float sign = face % 2 ? 1.0f : -1.0f;
    for (int corner = 0; corner < 4; ++corner) {
      float p[3], n[3] = {0, 0, 0};
      p[axis] = n[axis] = sign;
      p[(axis + 1) % 3] = (corner & 1 ? 1.0f : -1.0f) * sign;
      p[(axis + 2) % 3] = corner & 2 ? 1.0f : -1.0f;
      vertices.insert(vertices.end(), {p[0], p[1], p[2], n[0], n[1], n[2]});
    }
    for (int k : {0, 2, 1, 1, 2, 3})
      indices.push_back(uint16_t(face * 4 + k));
  }
  const ComPtr<ID3D11Buffer> vb = stage.vertices(vertices);
  const ComPtr<ID3D11Buffer> ib = stage.buffer(indices.data(), indices.size() * 2, D3D11_BIND_INDEX_BUFFER);
  const ComPtr<ID3D11Buffer> cb = stage.buffer(nullptr, 80, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DYNAMIC);
  const UINT stride = 24, offset = 0;
  stage.context()->IASetVertexBuffers(0, 1, vb.GetAddressOf(), &stride, &offset);
  stage.context()->IASetIndexBuffer(ib.Get(), DXGI_FORMAT_R16_UINT, 0);
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->VSSetConstantBuffers(0, 1, cb.GetAddressOf());
  for (int i = 0; i < 64; ++i) {
    const float angle = float(i) * 0.37f, c = std::cos(angle), s = std::sin(angle), size = 0.07f;
    const float x = -0.87f + 0.25f * float(i % 8), y = -0.87f + 0.25f * float(i / 8);
    // Rotation about y, then about x by a constant angle.
    const float object[20] = {size * c, size * s * 0.5f, size * s * 0.8f, 0, 0, size * 0.85f, -size * 0.5f, 0,
                              -size * s, size * c * 0.5f, size * c * 0.8f, 0, x, y, 0.5f, 1,
                              0.3f + 0.7f * float(i % 8) / 7, 0.3f + 0.7f * float(i / 8) / 7, 0.8f, 1};
    D3D11_MAPPED_SUBRESOURCE mapped = {};
    if (!stage.check(stage.context()->Map(cb.Get(), 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), "Map"))
      return;
    memcpy(mapped.pData, object, sizeof(object));
    stage.context()->Unmap(cb.Get(), 0);
    stage.context()->DrawIndexed(36, 0, 0);
  }
}

GOLDEN_SCENE(instances, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; nointerpolation uint id : ID; };
V vs(float2 p : POSITION, float2 place : PLACE, uint instance : SV_InstanceID)
{
  V v;
  float a = instance * 0.1;
  v.position = float4(place + float2(p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a)) * 0.06, 0, 1);
  v.id = instance;
  return v;
}
float4 ps(V v) : SV_Target { return float4((v.id & 7) / 7.0, (v.id >> 3 & 7) / 7.0, (v.id & 1) * 0.5 + 0.5, 1); }
)",
                    {{"POSITION", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
                     {"PLACE", 0, DXGI_FORMAT_R32G32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1}});
  const std::vector<float> shape = {0, 1, 1, -0.6f, -1, -0.6f};
  std::vector<float> places;
  for (int i = 0; i < 225; ++i)
    places.insert(places.end(), {-0.9f + 0.128f * float(i % 15), -0.9f + 0.128f * float(i / 15)});
  const ComPtr<ID3D11Buffer> buffers[2] = {stage.vertices(shape), stage.vertices(places)};
  ID3D11Buffer* const list[2] = {buffers[0].Get(), buffers[1].Get()};
  const UINT strides[2] = {8, 8}, offsets[2] = {0, 0};
  stage.context()->IASetVertexBuffers(0, 2, list, strides, offsets);
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->DrawInstanced(3, 225, 0, 0);
}

GOLDEN_SCENE(mandelbrot, 2)
{
  stage.bindShaders(std::string(kFullScreen) + R"(
float4 ps(V v) : SV_Target
{
  float2 c = v.at * float2(3.2, 2.6) - float2(2.3, 1.3), z = 0;
  uint n = 0;
  [loop] while (n < 96 && dot(z, z) < 4)
  {
    z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c;
    n++;
  }
  return n == 96 ? float4(0, 0, 0, 1) : float4(frac(n * 0.06), frac(n * 0.025 + 0.3), sqrt(n / 96.0), 1);
}
)");
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->Draw(3, 0);
}

GOLDEN_SCENE(arithmetic, 2)
{
  stage.bindShaders(std::string(kFullScreen) + R"(
float4 ps(V v) : SV_Target
{
  float2 p = v.at * 4;
  uint cell = uint(p.x) + uint(p.y) * 4;
  float2 f = frac(p);
  float r = 0;
  switch (cell)
  {
  case 0: r = sin(f.x * 6.2831853) * 0.5 + 0.5; break;
  case 1: r = cos(f.x * 6.2831853) * f.y; break;
  case 2: r = exp2(f.x * 4 - 4); break;
  case 3: r = log2(f.x + 1) * f.y; break;
  case 4: r = rsqrt(f.x + 1) - f.y * 0.5; break;
  case 5: r = sqrt(f.x * f.y); break;
  case 6: r = pow(f.x, 2.2); break;
  case 7: r = (uint(f.x * 255) ^ uint(f.y * 255)) / 255.0; break;
  case 8: r = (uint(f.x * 255) & uint(f.y * 255)) / 255.0; break;
  case 9: r = frac(f.x * 7) * round(f.y * 3) / 3; break;
  case 10: r = atan2(f.y - 0.5, f.x - 0.5) / 6.2831853 + 0.5; break;
  case 11: r = length(f - 0.5) * 1.4; break;
  case 12: r = smoothstep(0.2, 0.8, f.x) * f.y; break;
  case 13: r = fmod(f.x * 5, 1 + f.y); break;
  case 14: r = countbits(uint(f.x * 255)) / 8.0; break;
  default: r = saturate(abs(ddx(f.x * f.y)) * 40); break;
  }
  return float4(r, 1 - r, frac(r * 8), 1);
}
)");
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->Draw(3, 0);
}

/// Three targets at once, then shown side by side by point sampling.
GOLDEN_SCENE(several_targets, 1)
{
  ComPtr<ID3D11RenderTargetView> views[3];
  ComPtr<ID3D11ShaderResourceView> results[3];
  const DXGI_FORMAT formats[3] = {DXGI_FORMAT_R16G16B16A16_FLOAT, DXGI_FORMAT_R10G10B10A2_UNORM, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB};
  for (int i = 0; i < 3; ++i) {
    const ComPtr<ID3D11Texture2D> texture = stage.texture(85, 256, formats[i], D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE);
    if (!texture)
      return;
    stage.check(stage.device()->CreateRenderTargetView(texture.Get(), nullptr, &views[i]), "CreateRenderTargetView");
    stage.check(stage.device()->CreateShaderResourceView(texture.Get(), nullptr, &results[i]), "CreateShaderResourceView");
    const float grey[4] = {0.2f, 0.2f, 0.2f, 1};
    stage.context()->ClearRenderTargetView(views[i].Get(), grey);
  }
  ID3D11RenderTargetView* const targets[3] = {views[0].Get(), views[1].Get(), views[2].Get()};
  stage.context()->OMSetRenderTargets(3, targets, nullptr);
  D3D11_VIEWPORT viewport = {0, 0, 85, 256, 0, 1};
  stage.context()->RSSetViewports(1, &viewport);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; float4 color : COLOR; };
struct O { float4 a : SV_Target0; float4 b : SV_Target1; float4 c : SV_Target2; };
V vs(float3 p : POSITION, float4 c : COLOR)
{
  V v;
  v.position = float4(p, 1);
  v.color = c;
  return v;
}
O ps(V v)
{
  O o;
  o.a = v.color;
  o.b = float4(v.color.brg, 1);
  o.c = float4(1 - v.color.rgb, 1);
  return o;
}
)");
  stage.draw({{-0.9f, -0.9f, 0, 1, 0, 0, 1, 0, 0}, {0, 0.9f, 0, 0, 1, 0, 1, 0, 0}, {0.9f, -0.9f, 0, 0, 0, 1, 1, 0, 0}});
  ID3D11RenderTargetView* const color = stage.color();
  stage.context()->OMSetRenderTargets(1, &color, nullptr);
  viewport.Width = 256;
  stage.context()->RSSetViewports(1, &viewport);
  stage.clear(0, 0, 0);
  stage.bindShaders(kTextureShaders);
  stage.sampler(0, D3D11_FILTER_MIN_MAG_MIP_POINT, D3D11_TEXTURE_ADDRESS_CLAMP);
  for (int i = 0; i < 3; ++i) {
    stage.context()->PSSetShaderResources(0, 1, results[i].GetAddressOf());
    stage.draw(quad(-1 + float(i) * 170 / 256, -1, -1 + float(i + 1) * 170 / 256, 1, 0, 0, 1, 1));
  }
}

GOLDEN_SCENE(discard_and_depth_output, 1)
{
  stage.clear(0.3f, 0.3f, 0.3f);
  stage.depthState(true);
  stage.bindShaders(R"(
struct V { float4 position : SV_Position; float4 color : COLOR; float2 uv : TEXCOORD; };
struct O { float4 color : SV_Target; float depth : SV_Depth; };
V vs(float3 p : POSITION, float4 c : COLOR, float2 uv : TEXCOORD)
{
  V v;
  v.position = float4(p, 1);
  v.color = c;
  v.uv = uv;
  return v;
}
O ps(V v)
{
  O o;
  if (frac(v.uv.x * 8) < 0.3 && frac(v.uv.y * 8) < 0.3)
    discard;
  o.color = v.color * (0.5 + 0.5 * frac(v.uv.x * 4));
  o.depth = 0.5 + 0.4 * sin(v.uv.x * 12) * cos(v.uv.y * 9) * v.color.r;
  return o;
}
)");
  std::vector<Vertex> a = quad(-0.9f, -0.9f, 0.7f, 0.7f, 0, 0, 1, 1), b = quad(-0.7f, -0.7f, 0.9f, 0.9f, 0, 0, 1, 1);
  for (Vertex& v : a)
    v.g = 0.3f, v.b = 0.1f;
  for (Vertex& v : b)
    v.r = 0.4f, v.g = 0.8f;
  stage.draw(a);
  stage.draw(b);
}

} // namespace golden
