// SPDX-License-Identifier: MIT
/// Places of interpolation, cube maps, block-compressed textures.
#include "stage.h"

namespace golden {

namespace {

/// The same numbers everywhere.
struct Random {
  uint32_t state = 1;
  uint32_t next()
  {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
};

} // namespace

/// A fan of thin triangles on four samples: by row linear, centroid, sample and evaluated inputs.
GOLDEN_SCENE(interpolation_places, 1)
{
  const ComPtr<ID3D11Texture2D> color = stage.texture(256, 256, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_RENDER_TARGET, 1, 1, 4);
  ComPtr<ID3D11RenderTargetView> target;
  stage.check(stage.device()->CreateRenderTargetView(color.Get(), nullptr, &target), "CreateRenderTargetView");
  const float background[4] = {0, 0, 0, 1};
  stage.context()->ClearRenderTargetView(target.Get(), background);
  stage.context()->OMSetRenderTargets(1, target.GetAddressOf(), nullptr);
  const char* const kInputs[4] = {"linear", "centroid", "sample", "linear"};
  for (int row = 0; row < 4; ++row) {
    const std::string mode = kInputs[row];
    stage.bindShaders("struct V { float4 position : SV_Position; " + mode + R"( float4 color : COLOR; };
V vs(float3 p : POSITION, float4 c : COLOR)
{
  V v;
  v.position = float4(p, 1);
  v.color = c;
  return v;
}
)" + (row == 3 ? "float4 ps(V v, uint mask : SV_Coverage) : SV_Target { return float4(EvaluateAttributeAtSample(v.color, 1).rg, "
                 "EvaluateAttributeSnapped(v.color, int2(7, -8)).b, 1) * (0.25 + 0.75 * countbits(mask) / 4); }"
               : "float4 ps(V v) : SV_Target { return v.color; }"));
    std::vector<Vertex> v;
    const float top = 0.95f - 0.5f * float(row), bottom = top - 0.4f;
    for (int k = 0; k < 12; ++k) {
      // Colours run out of range beyond the edges.
      const float x = -0.9f + 0.15f * float(k), slant = 0.012f * float(k);
      v.push_back({x, top, 0, 0, float(k) / 12, 1, 1, 0, 0});
      v.push_back({x + 0.02f + slant, top - slant, 0, 1, float(k) / 12, 0, 1, 0, 0});
      v.push_back({x + slant * 2, bottom, 0, 0.5f, 1, 0.5f, 1, 0, 0});
    }
    stage.draw(v);
  }
  stage.context()->ResolveSubresource(stage.colorTexture(), 0, color.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
}

/// Small faces, so that most of the picture lies across edges; gathers in the lower half.
GOLDEN_SCENE(cube_map, 1)
{
  stage.clear(0, 0, 0);
  Random random;
  std::vector<uint32_t> faces[6][2];
  D3D11_SUBRESOURCE_DATA data[12];
  for (int f = 0; f < 6; ++f)
    for (int m = 0; m < 2; ++m) {
      for (int k = 0; k < (m ? 4 : 16); ++k)
        faces[f][m].push_back(((random.next() & 0x3f3f3f) + (0x40u << f % 3 * 8) * uint32_t(f / 3 + 1)) | 0xff000000u);
      data[f * 2 + m] = {faces[f][m].data(), m ? 8u : 16u, 0};
    }
  const ComPtr<ID3D11Texture2D> cube = stage.texture(4, 4, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_SHADER_RESOURCE, 2, 6, 1, data,
                                                     D3D11_RESOURCE_MISC_TEXTURECUBE);
  D3D11_SHADER_RESOURCE_VIEW_DESC desc = {};
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.ViewDimension = D3D11_SRV_DIMENSION_TEXTURECUBE;
  desc.TextureCube.MipLevels = 2;
  ComPtr<ID3D11ShaderResourceView> view;
  stage.check(stage.device()->CreateShaderResourceView(cube.Get(), &desc, &view), "CreateShaderResourceView");
  stage.context()->PSSetShaderResources(0, 1, view.GetAddressOf());
  stage.sampler(0, D3D11_FILTER_MIN_MAG_MIP_LINEAR);
  stage.bindShaders(R"(
TextureCube image : register(t0);
SamplerState filter : register(s0);
struct V { float4 position : SV_Position; float2 at : TEXCOORD; };
V vs(uint id : SV_VertexID)
{
  V v;
  v.at = float2(id & 1, id >> 1) * 2;
  v.position = float4(v.at.x * 2 - 1, 1 - v.at.y * 2, 0, 1);
  return v;
}
float4 ps(V v) : SV_Target
{
  float2 angle = (v.at * float2(1, 2) - float2(0.5, 0.5)) * float2(6.28, 3.14);
  float3 d = float3(sin(angle.x) * cos(angle.y), sin(angle.y), cos(angle.x) * cos(angle.y));
  if (v.at.y < 0.5)
    return image.SampleLevel(filter, d, v.at.x);
  return image.Gather(filter, d);
}
)");
  stage.context()->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  stage.context()->Draw(3, 0);
}

/// The least texels on the left, the greatest on the right.
GOLDEN_SCENE(minimum_maximum, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kTextureShaders);
  Random random;
  std::vector<uint32_t> pixels;
  for (int k = 0; k < 16 * 16; ++k)
    pixels.push_back(random.next() | 0xff000000u);
  const ComPtr<ID3D11ShaderResourceView> image = stage.image(16, 16, pixels, true);
  stage.context()->PSSetShaderResources(0, 1, image.GetAddressOf());
  for (int k = 0; k < 4; ++k) {
    stage.sampler(0, k & 1 ? D3D11_FILTER_MAXIMUM_MIN_MAG_MIP_LINEAR : D3D11_FILTER_MINIMUM_MIN_MAG_MIP_LINEAR);
    const float x = -0.98f + float(k & 1), y = -0.98f + float(k >> 1), end = k & 2 ? 0.9f : 11.3f;
    const Vertex a{x, y + 0.96f, 0.5f, 1, 1, 1, 1, -0.2f, -0.1f}, b{x + 0.96f, y + 0.96f, 0.5f, 1, 1, 1, 1, end, -0.1f};
    const Vertex c{x, y, 0.5f, 1, 1, 1, 1, -0.2f, end}, d{x + 0.96f, y, 0.5f, 1, 1, 1, 1, end, end};
    stage.draw({a, b, c, c, b, d});
  }
}

/// Random blocks of six formats, magnified.
GOLDEN_SCENE(block_formats, 1)
{
  stage.clear(0, 0, 0);
  stage.bindShaders(kTextureShaders);
  stage.sampler(0, D3D11_FILTER_MIN_MAG_MIP_LINEAR, D3D11_TEXTURE_ADDRESS_CLAMP);
  const DXGI_FORMAT formats[6] = {DXGI_FORMAT_BC1_UNORM,  DXGI_FORMAT_BC3_UNORM, DXGI_FORMAT_BC5_UNORM,
                                  DXGI_FORMAT_BC6H_UF16, DXGI_FORMAT_BC7_UNORM, DXGI_FORMAT_BC7_UNORM_SRGB};
  Random random;
  for (int k = 0; k < 6; ++k) {
    const bool half = formats[k] == DXGI_FORMAT_BC1_UNORM;
    std::vector<uint8_t> blocks;
    for (int n = 0; n < 4 * 4 * (half ? 8 : 16); ++n)
      blocks.push_back(uint8_t(random.next()));
    for (int n = 0; n < 16; ++n) {
      uint8_t& mode = blocks[size_t(n) * (half ? 8 : 16)];
      if (formats[k] == DXGI_FORMAT_BC6H_UF16) // moderate numbers: mode 00011 with small end points
        mode = uint8_t((mode & 0xe0) | 0x03);
      if (k >= 4)
        mode = uint8_t(1u << n % 8);
    }
    const D3D11_SUBRESOURCE_DATA data = {blocks.data(), half ? 32u : 64u, 0};
    const ComPtr<ID3D11Texture2D> texture = stage.texture(16, 16, formats[k], D3D11_BIND_SHADER_RESOURCE, 1, 1, 1, &data);
    ComPtr<ID3D11ShaderResourceView> view;
    stage.check(stage.device()->CreateShaderResourceView(texture.Get(), nullptr, &view), "CreateShaderResourceView");
    stage.context()->PSSetShaderResources(0, 1, view.GetAddressOf());
    const float x = -0.98f + 0.66f * float(k % 3), y = 0.02f - 0.98f * float(k / 3);
    const Vertex a{x, y + 0.9f, 0.5f, 1, 1, 1, 1, 0, 0}, b{x + 0.6f, y + 0.9f, 0.5f, 1, 1, 1, 1, 1, 0};
    const Vertex c{x, y, 0.5f, 1, 1, 1, 1, 0, 1}, d{x + 0.6f, y, 0.5f, 1, 1, 1, 1, 1, 1};
    stage.draw({a, b, c, c, b, d});
  }
}

} // namespace golden
