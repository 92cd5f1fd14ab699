// SPDX-License-Identifier: MIT
#include "globe.h"

#include "image_files.h"

#include <cmath>
#include <vector>

namespace {

constexpr UINT kColumns = 160, kRows = 80;
constexpr float kPi = 3.14159265f;

struct Vertex {
  float position[3];
  float uv[2];
};
static_assert(sizeof(Vertex) == 20, "matches the input layout");

/// A texture with a full mip chain, made by the device.
ComPtr<ID3D11ShaderResourceView> loadMap(const Device& device, const char* name) {
  const Image image = readJpeg(std::string(EARTH_MAP_DIR) + "/" + name);
  D3D11_TEXTURE2D_DESC desc = {};
  desc.Width = image.width;
  desc.Height = image.height;
  desc.MipLevels = 0;
  desc.ArraySize = 1;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB;
  desc.SampleDesc.Count = 1;
  desc.BindFlags = D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET;
  desc.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS;
  ComPtr<ID3D11Texture2D> texture;
  throwIfFailed(device.device->CreateTexture2D(&desc, nullptr, &texture), "CreateTexture2D");
  device.context->UpdateSubresource(texture.Get(), 0, nullptr, image.rgba.data(), image.width * 4, 0);
  ComPtr<ID3D11ShaderResourceView> view;
  throwIfFailed(device.device->CreateShaderResourceView(texture.Get(), nullptr, &view), "CreateShaderResourceView");
  device.context->GenerateMips(view.Get());
  return view;
}

} // namespace

void Globe::create(const Device& device) {
  createMesh(device.device.Get());
  createShaders(device.device.Get());
  createStates(device.device.Get());
  m_day = loadMap(device, "earth.jpg");
  m_night = loadMap(device, "night.jpg");
}

void Globe::createMesh(ID3D11Device* device) {
  std::vector<Vertex> vertices;
  for (UINT row = 0; row <= kRows; row++)
    for (UINT column = 0; column <= kColumns; column++) {
      const float u = static_cast<float>(column) / kColumns, v = static_cast<float>(row) / kRows;
      const float longitude = (u - 0.5f) * 2 * kPi, latitude = (0.5f - v) * kPi;
      vertices.push_back({{std::cos(latitude) * std::sin(longitude), std::sin(latitude),
                           std::cos(latitude) * std::cos(longitude)},
                          {u, v}});
    }
  std::vector<uint16_t> indices;
  for (UINT row = 0; row < kRows; row++)
    for (UINT column = 0; column < kColumns; column++) {
      const auto a = static_cast<uint16_t>(row * (kColumns + 1) + column), b = static_cast<uint16_t>(a + 1);
      const auto c = static_cast<uint16_t>(a + kColumns + 1), d = static_cast<uint16_t>(c + 1);
      for (uint16_t index : {a, c, b, b, c, d}) indices.push_back(index);
    }
  m_indexCount = static_cast<UINT>(indices.size());
  m_vertices = makeBuffer(device, vertices.data(), vertices.size(), D3D11_BIND_VERTEX_BUFFER);
  m_indices = makeBuffer(device, indices.data(), indices.size(), D3D11_BIND_INDEX_BUFFER);
}

void Globe::createShaders(ID3D11Device* device) {
  const D3D11_INPUT_ELEMENT_DESC elements[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0},
  };
  auto vs = compileShader(L"globe.hlsl", "vsMain", "vs_5_0");
  auto ps = compileShader(L"globe.hlsl", "psMain", "ps_5_0");
  throwIfFailed(device->CreateVertexShader(vs->GetBufferPointer(), vs->GetBufferSize(), nullptr, &m_vertexShader), "vs");
  throwIfFailed(device->CreatePixelShader(ps->GetBufferPointer(), ps->GetBufferSize(), nullptr, &m_pixelShader), "ps");
  throwIfFailed(device->CreateInputLayout(elements, 2, vs->GetBufferPointer(), vs->GetBufferSize(), &m_layout),
                "CreateInputLayout");
  vs = compileShader(L"atmosphere.hlsl", "vsMain", "vs_5_0");
  ps = compileShader(L"atmosphere.hlsl", "psMain", "ps_5_0");
  throwIfFailed(device->CreateVertexShader(vs->GetBufferPointer(), vs->GetBufferSize(), nullptr, &m_shellVertexShader),
                "vs");
  throwIfFailed(device->CreatePixelShader(ps->GetBufferPointer(), ps->GetBufferSize(), nullptr, &m_shellPixelShader),
                "ps");
  throwIfFailed(device->CreateInputLayout(elements, 1, vs->GetBufferPointer(), vs->GetBufferSize(), &m_shellLayout),
                "CreateInputLayout");
}

void Globe::createStates(ID3D11Device* device) {
  D3D11_SAMPLER_DESC sampler = {};
  sampler.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR;
  sampler.AddressU = D3D11_TEXTURE_ADDRESS_WRAP;
  sampler.AddressV = sampler.AddressW = D3D11_TEXTURE_ADDRESS_CLAMP;
  sampler.MaxLOD = D3D11_FLOAT32_MAX;
  sampler.MaxAnisotropy = 1;
  throwIfFailed(device->CreateSamplerState(&sampler, &m_trilinear), "CreateSamplerState");
  sampler.Filter = D3D11_FILTER_ANISOTROPIC;
  sampler.MaxAnisotropy = 16;
  throwIfFailed(device->CreateSamplerState(&sampler, &m_anisotropic), "CreateSamplerState");

  // The mesh winds counter-clockwise seen from outside.
  D3D11_RASTERIZER_DESC raster = {};
  raster.FillMode = D3D11_FILL_SOLID;
  raster.CullMode = D3D11_CULL_BACK;
  raster.FrontCounterClockwise = TRUE;
  raster.DepthClipEnable = TRUE;
  throwIfFailed(device->CreateRasterizerState(&raster, &m_cullBack), "CreateRasterizerState");
  raster.CullMode = D3D11_CULL_FRONT;
  throwIfFailed(device->CreateRasterizerState(&raster, &m_cullFront), "CreateRasterizerState");

  D3D11_DEPTH_STENCIL_DESC depth = {};
  depth.DepthEnable = TRUE;
  depth.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL;
  depth.DepthFunc = D3D11_COMPARISON_LESS;
  throwIfFailed(device->CreateDepthStencilState(&depth, &m_depthWrite), "CreateDepthStencilState");
  depth.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ZERO;
  throwIfFailed(device->CreateDepthStencilState(&depth, &m_depthTest), "CreateDepthStencilState");

  D3D11_BLEND_DESC blend = {};
  auto& target = blend.RenderTarget[0];
  target.BlendEnable = TRUE;
  target.SrcBlend = target.SrcBlendAlpha = D3D11_BLEND_ONE;
  target.DestBlend = target.DestBlendAlpha = D3D11_BLEND_INV_SRC_ALPHA;
  target.BlendOp = target.BlendOpAlpha = D3D11_BLEND_OP_ADD;
  target.RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL;
  throwIfFailed(device->CreateBlendState(&blend, &m_premultiplied), "CreateBlendState");
}

void Globe::bindMesh(ID3D11DeviceContext* context) const {
  const UINT stride = sizeof(Vertex), offset = 0;
  ID3D11Buffer* vertices = m_vertices.Get();
  context->IASetVertexBuffers(0, 1, &vertices, &stride, &offset);
  context->IASetIndexBuffer(m_indices.Get(), DXGI_FORMAT_R16_UINT, 0);
  context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
}

void Globe::drawEarth(ID3D11DeviceContext* context, bool anisotropic) const {
  bindMesh(context);
  context->IASetInputLayout(m_layout.Get());
  context->VSSetShader(m_vertexShader.Get(), nullptr, 0);
  context->PSSetShader(m_pixelShader.Get(), nullptr, 0);
  ID3D11ShaderResourceView* views[] = {m_day.Get(), m_night.Get()};
  context->PSSetShaderResources(0, 2, views);
  ID3D11SamplerState* sampler = anisotropic ? m_anisotropic.Get() : m_trilinear.Get();
  context->PSSetSamplers(0, 1, &sampler);
  context->RSSetState(m_cullBack.Get());
  context->OMSetDepthStencilState(m_depthWrite.Get(), 0);
  context->OMSetBlendState(nullptr, nullptr, 0xffffffff);
  context->DrawIndexed(m_indexCount, 0, 0);
}

void Globe::drawAtmosphere(ID3D11DeviceContext* context) const {
  bindMesh(context);
  context->IASetInputLayout(m_shellLayout.Get());
  context->VSSetShader(m_shellVertexShader.Get(), nullptr, 0);
  context->PSSetShader(m_shellPixelShader.Get(), nullptr, 0);
  context->RSSetState(m_cullFront.Get());
  context->OMSetDepthStencilState(m_depthTest.Get(), 0);
  context->OMSetBlendState(m_premultiplied.Get(), nullptr, 0xffffffff);
  context->DrawIndexed(m_indexCount, 0, 0);
}
