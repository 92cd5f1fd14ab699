// SPDX-License-Identifier: MIT
#include "stage.h"

#include <d3dcompiler.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace golden {

const char* const kColorShaders = R"(
struct V { float4 position : SV_Position; float4 color : COLOR; };
V vs(float3 p : POSITION, float4 c : COLOR)
{
  V v;
  v.position = float4(p, 1);
  v.color = c;
  return v;
}
float4 ps(V v) : SV_Target { return v.color; }
)";

const char* const kTextureShaders = R"(
Texture2D image : register(t0);
SamplerState filter : register(s0);
struct V { float4 position : SV_Position; float4 color : COLOR; float2 uv : TEXCOORD; };
V vs(float3 p : POSITION, float4 c : COLOR, float2 uv : TEXCOORD)
{
  V v;
  v.position = float4(p, 1);
  v.color = c;
  v.uv = uv;
  return v;
}
float4 ps(V v) : SV_Target { return image.Sample(filter, v.uv) * v.color; }
)";

std::vector<Scene>& scenes()
{
  static std::vector<Scene> all;
  return all;
}

bool Stage::check(HRESULT hr, const char* what)
{
  EXPECT_GE(hr, 0) << what << " failed: 0x" << std::hex << uint32_t(hr);
  return hr >= 0;
}

Stage::Stage(UINT width, UINT height) : m_width(width), m_height(height)
{
  const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
  const char* driver = std::getenv("MONOLITH_GOLDEN_DRIVER");
  const bool reference = driver && strcmp(driver, "reference") == 0;
  if (!check(D3D11CreateDevice(nullptr, reference ? D3D_DRIVER_TYPE_REFERENCE : D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, &level, 1, D3D11_SDK_VERSION, &m_device,
                               nullptr, &m_context),
             "D3D11CreateDevice"))
    return;
  m_colorTexture = texture(width, height, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_RENDER_TARGET);
  m_depthTexture = texture(width, height, DXGI_FORMAT_D24_UNORM_S8_UINT, D3D11_BIND_DEPTH_STENCIL);
  if (m_colorTexture)
    check(m_device->CreateRenderTargetView(m_colorTexture.Get(), nullptr, &m_color), "CreateRenderTargetView");
  if (m_depthTexture)
    check(m_device->CreateDepthStencilView(m_depthTexture.Get(), nullptr, &m_depth), "CreateDepthStencilView");
  m_context->OMSetRenderTargets(1, m_color.GetAddressOf(), m_depth.Get());
  const D3D11_VIEWPORT viewport = {0, 0, float(width), float(height), 0, 1};
  m_context->RSSetViewports(1, &viewport);
  rasterizer(D3D11_CULL_NONE);
  depthState(false);
}

ComPtr<ID3DBlob> Stage::compile(const std::string& hlsl, const char* entry, const char* target)
{
  ComPtr<ID3DBlob> code, messages;
  const HRESULT hr = D3DCompile(hlsl.data(), hlsl.size(), "scene.hlsl", nullptr, nullptr, entry, target,
                                D3DCOMPILE_ENABLE_STRICTNESS, 0, &code, &messages);
  EXPECT_GE(hr, 0) << entry << ": " << (messages ? static_cast<const char*>(messages->GetBufferPointer()) : "no message");
  return hr >= 0 ? code : nullptr;
}

ComPtr<ID3D11VertexShader> Stage::vertexShader(const std::string& hlsl, ComPtr<ID3D11InputLayout>* layout,
                                               const std::vector<D3D11_INPUT_ELEMENT_DESC>& elements)
{
  static const D3D11_INPUT_ELEMENT_DESC kVertex[] = {
      {"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"TEXCOORD", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 28, D3D11_INPUT_PER_VERTEX_DATA, 0}};
  ComPtr<ID3D11VertexShader> shader;
  const ComPtr<ID3DBlob> code = compile(hlsl, "vs", "vs_5_0");
  if (!code)
    return nullptr;
  check(m_device->CreateVertexShader(code->GetBufferPointer(), code->GetBufferSize(), nullptr, &shader),
        "CreateVertexShader");
  if (layout) {
    const D3D11_INPUT_ELEMENT_DESC* list = elements.empty() ? kVertex : elements.data();
    const UINT count = elements.empty() ? 3 : UINT(elements.size());
    check(m_device->CreateInputLayout(list, count, code->GetBufferPointer(), code->GetBufferSize(),
                                      layout->ReleaseAndGetAddressOf()),
          "CreateInputLayout");
  }
  return shader;
}

ComPtr<ID3D11PixelShader> Stage::pixelShader(const std::string& hlsl)
{
  ComPtr<ID3D11PixelShader> shader;
  if (const ComPtr<ID3DBlob> code = compile(hlsl, "ps", "ps_5_0"))
    check(m_device->CreatePixelShader(code->GetBufferPointer(), code->GetBufferSize(), nullptr, &shader),
          "CreatePixelShader");
  return shader;
}

void Stage::bindShaders(const std::string& hlsl, const std::vector<D3D11_INPUT_ELEMENT_DESC>& elements)
{
  ComPtr<ID3D11InputLayout> layout;
  const bool input = hlsl.find("POSITION") != std::string::npos || !elements.empty();
  const ComPtr<ID3D11VertexShader> vs = vertexShader(hlsl, input ? std::addressof(layout) : nullptr, elements);
  const ComPtr<ID3D11PixelShader> ps = pixelShader(hlsl);
  m_context->IASetInputLayout(layout.Get());
  m_context->VSSetShader(vs.Get(), nullptr, 0);
  m_context->PSSetShader(ps.Get(), nullptr, 0);
}

ComPtr<ID3D11Buffer> Stage::buffer(const void* data, size_t size, UINT bind, D3D11_USAGE usage)
{
  D3D11_BUFFER_DESC desc = {};
  desc.ByteWidth = UINT(size);
  desc.Usage = usage;
  desc.BindFlags = bind;
  desc.CPUAccessFlags = usage == D3D11_USAGE_DYNAMIC ? UINT(D3D11_CPU_ACCESS_WRITE) : 0u;
  const D3D11_SUBRESOURCE_DATA init = {data, 0, 0};
  ComPtr<ID3D11Buffer> result;
  check(m_device->CreateBuffer(&desc, data ? &init : nullptr, &result), "CreateBuffer");
  return result;
}

ComPtr<ID3D11Buffer> Stage::constants(const void* data, size_t size)
{
  std::vector<uint8_t> padded((size + 15) / 16 * 16);
  memcpy(padded.data(), data, size);
  return buffer(padded.data(), padded.size(), D3D11_BIND_CONSTANT_BUFFER);
}

ComPtr<ID3D11Texture2D> Stage::texture(UINT width, UINT height, DXGI_FORMAT format, UINT bind, UINT mips, UINT layers,
                                       UINT samples, const D3D11_SUBRESOURCE_DATA* data, UINT misc)
{
  D3D11_TEXTURE2D_DESC desc = {};
  desc.Width = width;
  desc.Height = height;
  desc.MipLevels = mips;
  desc.ArraySize = layers;
  desc.Format = format;
  desc.SampleDesc.Count = samples;
  desc.BindFlags = bind;
  desc.MiscFlags = misc;
  ComPtr<ID3D11Texture2D> result;
  check(m_device->CreateTexture2D(&desc, data, &result), "CreateTexture2D");
  return result;
}

ComPtr<ID3D11ShaderResourceView> Stage::image(UINT width, UINT height, const std::vector<uint32_t>& pixels, bool mips)
{
  std::vector<std::vector<uint32_t>> levels = {pixels};
  std::vector<D3D11_SUBRESOURCE_DATA> data;
  for (UINT w = width, h = height; mips && (w > 1 || h > 1);) {
    const UINT nw = w > 1 ? w / 2 : 1, nh = h > 1 ? h / 2 : 1;
    const std::vector<uint32_t> above = levels.back();
    std::vector<uint32_t> next(size_t(nw) * nh);
    for (UINT y = 0; y < nh; ++y)
      for (UINT x = 0; x < nw; ++x) {
        uint32_t texel = 0;
        for (int c = 0; c < 32; c += 8) {
          uint32_t sum = 2;
          for (UINT k = 0; k < 4; ++k) {
            const UINT sx = w > 1 ? x * 2 + (k & 1) : 0, sy = h > 1 ? y * 2 + (k >> 1) : 0;
            sum += above[size_t(sy) * w + sx] >> c & 0xff;
          }
          texel |= (sum / 4) << c;
        }
        next[size_t(y) * nw + x] = texel;
      }
    levels.push_back(next);
    w = nw;
    h = nh;
  }
  for (size_t level = 0; level < levels.size(); ++level)
    data.push_back({levels[level].data(), (width >> level > 0 ? width >> level : 1) * 4, 0});
  const ComPtr<ID3D11Texture2D> made = texture(width, height, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_SHADER_RESOURCE,
                                               UINT(levels.size()), 1, 1, data.data());
  ComPtr<ID3D11ShaderResourceView> view;
  if (made)
    check(m_device->CreateShaderResourceView(made.Get(), nullptr, &view), "CreateShaderResourceView");
  return view;
}

void Stage::rasterizer(D3D11_CULL_MODE cull, D3D11_FILL_MODE fill, bool scissor, INT depthBias, float slopeBias,
                       bool multisample)
{
  D3D11_RASTERIZER_DESC desc = {};
  desc.FillMode = fill;
  desc.CullMode = cull;
  desc.DepthBias = depthBias;
  desc.SlopeScaledDepthBias = slopeBias;
  desc.DepthClipEnable = TRUE;
  desc.ScissorEnable = scissor;
  desc.MultisampleEnable = multisample;
  ComPtr<ID3D11RasterizerState> state;
  check(m_device->CreateRasterizerState(&desc, &state), "CreateRasterizerState");
  m_context->RSSetState(state.Get());
}

void Stage::depthState(bool test, bool write, D3D11_COMPARISON_FUNC func)
{
  D3D11_DEPTH_STENCIL_DESC desc = {};
  desc.DepthEnable = test;
  desc.DepthWriteMask = write ? D3D11_DEPTH_WRITE_MASK_ALL : D3D11_DEPTH_WRITE_MASK_ZERO;
  desc.DepthFunc = func;
  desc.FrontFace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_COMPARISON_ALWAYS};
  desc.BackFace = desc.FrontFace;
  ComPtr<ID3D11DepthStencilState> state;
  check(m_device->CreateDepthStencilState(&desc, &state), "CreateDepthStencilState");
  m_context->OMSetDepthStencilState(state.Get(), 0);
}

void Stage::alphaBlend(bool on)
{
  D3D11_BLEND_DESC desc = {};
  D3D11_RENDER_TARGET_BLEND_DESC& target = desc.RenderTarget[0];
  target.BlendEnable = on;
  target.SrcBlend = D3D11_BLEND_SRC_ALPHA;
  target.DestBlend = D3D11_BLEND_INV_SRC_ALPHA;
  target.BlendOp = D3D11_BLEND_OP_ADD;
  target.SrcBlendAlpha = D3D11_BLEND_ONE;
  target.DestBlendAlpha = D3D11_BLEND_INV_SRC_ALPHA;
  target.BlendOpAlpha = D3D11_BLEND_OP_ADD;
  target.RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL;
  ComPtr<ID3D11BlendState> state;
  check(m_device->CreateBlendState(&desc, &state), "CreateBlendState");
  m_context->OMSetBlendState(state.Get(), nullptr, 0xffffffff);
}

void Stage::sampler(UINT slot, D3D11_FILTER filter, D3D11_TEXTURE_ADDRESS_MODE address, UINT anisotropy)
{
  D3D11_SAMPLER_DESC desc = {};
  desc.Filter = filter;
  desc.AddressU = desc.AddressV = desc.AddressW = address;
  desc.MaxAnisotropy = anisotropy;
  desc.ComparisonFunc = D3D11_COMPARISON_LESS_EQUAL;
  desc.BorderColor[0] = 1;
  desc.BorderColor[3] = 1;
  desc.MaxLOD = 1000;
  ComPtr<ID3D11SamplerState> state;
  check(m_device->CreateSamplerState(&desc, &state), "CreateSamplerState");
  m_context->PSSetSamplers(slot, 1, state.GetAddressOf());
}

void Stage::clear(float r, float g, float b, float a)
{
  const float color[4] = {r, g, b, a};
  m_context->ClearRenderTargetView(m_color.Get(), color);
  m_context->ClearDepthStencilView(m_depth.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 0);
}

void Stage::draw(const std::vector<Vertex>& v, D3D11_PRIMITIVE_TOPOLOGY topology)
{
  const ComPtr<ID3D11Buffer> data = vertices(v);
  const UINT stride = sizeof(Vertex), offset = 0;
  m_context->IASetVertexBuffers(0, 1, data.GetAddressOf(), &stride, &offset);
  m_context->IASetPrimitiveTopology(topology);
  m_context->Draw(UINT(v.size()), 0);
}

std::vector<uint8_t> Stage::read()
{
  std::vector<uint8_t> result(size_t(m_width) * m_height * 4);
  D3D11_TEXTURE2D_DESC desc = {};
  m_colorTexture->GetDesc(&desc);
  desc.Usage = D3D11_USAGE_STAGING;
  desc.BindFlags = 0;
  desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  ComPtr<ID3D11Texture2D> staging;
  if (!check(m_device->CreateTexture2D(&desc, nullptr, &staging), "CreateTexture2D of a staging texture"))
    return result;
  m_context->CopyResource(staging.Get(), m_colorTexture.Get());
  D3D11_MAPPED_SUBRESOURCE mapped = {};
  if (!check(m_context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &mapped), "Map"))
    return result;
  for (UINT y = 0; y < m_height; ++y)
    memcpy(result.data() + size_t(y) * m_width * 4, static_cast<const uint8_t*>(mapped.pData) + size_t(y) * mapped.RowPitch,
           size_t(m_width) * 4);
  m_context->Unmap(staging.Get(), 0);
  return result;
}

} // namespace golden
