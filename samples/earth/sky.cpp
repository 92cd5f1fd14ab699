// SPDX-License-Identifier: MIT
#include "sky.h"

#include <cmath>
#include <random>
#include <vector>

namespace {
struct Star {
  float direction[3];
  float tint[4]; // colour, size in pixels
};
static_assert(sizeof(Star) == 28, "matches the input layout");

std::vector<Star> makeStars(size_t count) {
  std::mt19937 random(20111111);
  auto unit = [&] { return static_cast<float>(random() >> 8) / 16777216.f; };
  std::vector<Star> stars(count);
  for (Star& star : stars) {
    const float y = unit() * 2 - 1, angle = unit() * 6.2831853f, r = std::sqrt(1 - y * y);
    const float brightness = 0.15f + std::pow(unit(), 6.f) * 1.2f, warmth = unit();
    star = {{r * std::cos(angle), y, r * std::sin(angle)},
            {brightness * (0.8f + 0.2f * warmth), brightness * 0.9f, brightness * (1.05f - 0.25f * warmth),
             1.2f + brightness * 1.6f}};
  }
  return stars;
}
} // namespace

void Sky::create(ID3D11Device* device) {
  const float corners[] = {-1, -1, -1, 1, 1, -1, 1, 1};
  const std::vector<Star> stars = makeStars(2500);
  m_count = static_cast<UINT>(stars.size());
  m_corners = makeBuffer(device, corners, 8, D3D11_BIND_VERTEX_BUFFER);
  m_stars = makeBuffer(device, stars.data(), stars.size(), D3D11_BIND_VERTEX_BUFFER);
  const D3D11_INPUT_ELEMENT_DESC elements[] = {
      {"CORNER", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"DIRECTION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1},
      {"TINT", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, D3D11_APPEND_ALIGNED_ELEMENT, D3D11_INPUT_PER_INSTANCE_DATA, 1},
  };
  auto vs = compileShader(L"stars.hlsl", "vsMain", "vs_4_0");
  auto ps = compileShader(L"stars.hlsl", "psMain", "ps_4_0");
  throwIfFailed(device->CreateVertexShader(vs->GetBufferPointer(), vs->GetBufferSize(), nullptr, &m_vertexShader), "vs");
  throwIfFailed(device->CreatePixelShader(ps->GetBufferPointer(), ps->GetBufferSize(), nullptr, &m_pixelShader), "ps");
  throwIfFailed(device->CreateInputLayout(elements, 3, vs->GetBufferPointer(), vs->GetBufferSize(), &m_layout),
                "CreateInputLayout");

  D3D11_RASTERIZER_DESC raster = {};
  raster.FillMode = D3D11_FILL_SOLID;
  raster.CullMode = D3D11_CULL_NONE;
  raster.DepthClipEnable = TRUE;
  throwIfFailed(device->CreateRasterizerState(&raster, &m_noCull), "CreateRasterizerState");
  D3D11_DEPTH_STENCIL_DESC depth = {};
  depth.DepthEnable = TRUE;
  depth.DepthFunc = D3D11_COMPARISON_LESS_EQUAL;
  throwIfFailed(device->CreateDepthStencilState(&depth, &m_depthTest), "CreateDepthStencilState");
  D3D11_BLEND_DESC blend = {};
  auto& target = blend.RenderTarget[0];
  target.BlendEnable = TRUE;
  target.SrcBlend = target.DestBlend = target.SrcBlendAlpha = target.DestBlendAlpha = D3D11_BLEND_ONE;
  target.BlendOp = target.BlendOpAlpha = D3D11_BLEND_OP_ADD;
  target.RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL;
  throwIfFailed(device->CreateBlendState(&blend, &m_additive), "CreateBlendState");
}

void Sky::draw(ID3D11DeviceContext* context) const {
  ID3D11Buffer* buffers[] = {m_corners.Get(), m_stars.Get()};
  const UINT strides[] = {8, sizeof(Star)}, offsets[] = {0, 0};
  context->IASetVertexBuffers(0, 2, buffers, strides, offsets);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
  context->IASetInputLayout(m_layout.Get());
  context->VSSetShader(m_vertexShader.Get(), nullptr, 0);
  context->PSSetShader(m_pixelShader.Get(), nullptr, 0);
  context->RSSetState(m_noCull.Get());
  context->OMSetDepthStencilState(m_depthTest.Get(), 0);
  context->OMSetBlendState(m_additive.Get(), nullptr, 0xffffffff);
  context->DrawInstanced(4, m_count, 0, 0);
}
