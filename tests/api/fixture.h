// SPDX-License-Identifier: MIT
/// @file
/// A device with its context, and short ways to make the objects that API tests need.
#pragma once

#include <windows.h>
#include <d3d11_4.h>
#include <dxgi1_6.h>
#include <wrl/client.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;

namespace api {

/// Public reference count of an object.
template <typename T> ULONG refs(T* object) {
  object->AddRef();
  return object->Release();
}
template <typename T> ULONG refs(const ComPtr<T>& object) { return refs(object.Get()); }

/// True if both are faces of one object.
inline bool same(IUnknown* a, IUnknown* b) {
  ComPtr<IUnknown> x, y;
  a->QueryInterface(IID_PPV_ARGS(&x));
  b->QueryInterface(IID_PPV_ARGS(&y));
  return x == y;
}

struct Created {
  ComPtr<ID3D11Device5> device;
  ComPtr<ID3D11DeviceContext4> context;
  HRESULT hr = E_FAIL;
};
inline Created createDevice(D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0, UINT flags = 0,
                            D3D_DRIVER_TYPE type = D3D_DRIVER_TYPE_HARDWARE) {
  Created c;
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  c.hr = D3D11CreateDevice(nullptr, type, nullptr, flags, &level, 1, D3D11_SDK_VERSION, &device, nullptr, &context);
  if (SUCCEEDED(c.hr)) {
    device.As(&c.device);
    context.As(&c.context);
  }
  return c;
}

/// One element of a signature for makeShader.
struct SignatureItem {
  const char* name;
  UINT index;
  UINT reg;
  UINT mask;          ///< bits xyzw
  UINT systemValue;   ///< D3D_NAME
  UINT type = 3;      ///< D3D_REGISTER_COMPONENT_TYPE
};
enum class Stage { Pixel, Vertex, Geometry, Hull, Domain, Compute };
/// Bytecode from assembly text (see tests/shader/assembler.h).
std::vector<BYTE> makeShader(Stage stage, const char* text, const std::vector<SignatureItem>& inputs,
                             const std::vector<SignatureItem>& outputs, UINT model = 40);
/// Bytecode from HLSL text.
std::vector<BYTE> compileShader(const char* source, const char* entry, const char* target);
/// float3 POSITION in v0 and float4 COLOR in v1 to SV_Position and COLOR.
const std::vector<BYTE>& colorVertexShader();
/// COLOR in v1 to SV_Target.
const std::vector<BYTE>& colorPixelShader();
/// A full-screen triangle from SV_VertexID, no inputs else.
const std::vector<BYTE>& fullscreenVertexShader();
/// cb0[0] to SV_Target.
const std::vector<BYTE>& constantPixelShader();
/// One compute, geometry, hull and domain shader that is valid.
const std::vector<BYTE>& computeShader();

class Api : public ::testing::Test {
protected:
  explicit Api(D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0) : m_level(level) {}
  void SetUp() override {
    Created c = createDevice(m_level);
    ASSERT_EQ(c.hr, S_OK);
    device = c.device;
    context = c.context;
  }
  void TearDown() override {
    if (!context)
      return;
    context->ClearState();
    context.Reset();
    EXPECT_EQ(device->GetDeviceRemovedReason(), S_OK);
  }

  ComPtr<ID3D11Buffer> buffer(UINT size, UINT bind, D3D11_USAGE usage = D3D11_USAGE_DEFAULT, UINT cpu = 0,
                              const void* data = nullptr, UINT misc = 0, UINT stride = 0) {
    const D3D11_BUFFER_DESC desc = {size, usage, bind, cpu, misc, stride};
    const D3D11_SUBRESOURCE_DATA init = {data, 0, 0};
    ComPtr<ID3D11Buffer> b;
    EXPECT_EQ(device->CreateBuffer(&desc, data ? &init : nullptr, &b), S_OK);
    return b;
  }
  static D3D11_TEXTURE2D_DESC desc2D(UINT width, UINT height, UINT bind, DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM) {
    D3D11_TEXTURE2D_DESC d = {};
    d.Width = width;
    d.Height = height;
    d.MipLevels = d.ArraySize = 1;
    d.Format = format;
    d.SampleDesc.Count = 1;
    d.BindFlags = bind;
    return d;
  }
  ComPtr<ID3D11Texture2D> texture(const D3D11_TEXTURE2D_DESC& desc, const D3D11_SUBRESOURCE_DATA* data = nullptr) {
    ComPtr<ID3D11Texture2D> t;
    EXPECT_EQ(device->CreateTexture2D(&desc, data, &t), S_OK);
    return t;
  }
  ComPtr<ID3D11Texture2D> texture(UINT width, UINT height, UINT bind, DXGI_FORMAT format = DXGI_FORMAT_R8G8B8A8_UNORM) {
    return texture(desc2D(width, height, bind, format));
  }
  ComPtr<ID3D11ShaderResourceView> srv(ID3D11Resource* r, const D3D11_SHADER_RESOURCE_VIEW_DESC* desc = nullptr) {
    ComPtr<ID3D11ShaderResourceView> v;
    EXPECT_EQ(device->CreateShaderResourceView(r, desc, &v), S_OK);
    return v;
  }
  ComPtr<ID3D11RenderTargetView> rtv(ID3D11Resource* r, const D3D11_RENDER_TARGET_VIEW_DESC* desc = nullptr) {
    ComPtr<ID3D11RenderTargetView> v;
    EXPECT_EQ(device->CreateRenderTargetView(r, desc, &v), S_OK);
    return v;
  }
  ComPtr<ID3D11DepthStencilView> dsv(ID3D11Resource* r, const D3D11_DEPTH_STENCIL_VIEW_DESC* desc = nullptr) {
    ComPtr<ID3D11DepthStencilView> v;
    EXPECT_EQ(device->CreateDepthStencilView(r, desc, &v), S_OK);
    return v;
  }
  ComPtr<ID3D11VertexShader> vertexShader(const std::vector<BYTE>& code) {
    ComPtr<ID3D11VertexShader> s;
    EXPECT_EQ(device->CreateVertexShader(code.data(), code.size(), nullptr, &s), S_OK);
    return s;
  }
  ComPtr<ID3D11PixelShader> pixelShader(const std::vector<BYTE>& code) {
    ComPtr<ID3D11PixelShader> s;
    EXPECT_EQ(device->CreatePixelShader(code.data(), code.size(), nullptr, &s), S_OK);
    return s;
  }

  /// All bytes of a buffer, through a staging copy.
  std::vector<BYTE> read(ID3D11Buffer* b) {
    D3D11_BUFFER_DESC desc;
    b->GetDesc(&desc);
    auto staging = buffer(desc.ByteWidth, 0, D3D11_USAGE_STAGING, D3D11_CPU_ACCESS_READ);
    context->CopyResource(staging.Get(), b);
    D3D11_MAPPED_SUBRESOURCE m = {};
    EXPECT_EQ(context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
    std::vector<BYTE> bytes;
    if (m.pData)
      bytes.assign(static_cast<BYTE*>(m.pData), static_cast<BYTE*>(m.pData) + desc.ByteWidth);
    context->Unmap(staging.Get(), 0);
    return bytes;
  }
  /// Rows of one subresource without padding. `rowBytes` and `rows` describe it (all depth slices follow one another).
  std::vector<BYTE> read(ID3D11Texture2D* t, UINT subresource, UINT rowBytes, UINT rows) {
    D3D11_TEXTURE2D_DESC desc;
    t->GetDesc(&desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    ComPtr<ID3D11Texture2D> staging = texture(desc);
    context->CopyResource(staging.Get(), t);
    return readStaging(staging.Get(), subresource, rowBytes, rows, 1);
  }
  std::vector<BYTE> readStaging(ID3D11Resource* staging, UINT subresource, UINT rowBytes, UINT rows, UINT slices) {
    D3D11_MAPPED_SUBRESOURCE m = {};
    EXPECT_EQ(context->Map(staging, subresource, D3D11_MAP_READ, 0, &m), S_OK);
    std::vector<BYTE> bytes;
    for (UINT z = 0; z < slices && m.pData; z++)
      for (UINT y = 0; y < rows; y++) {
        const BYTE* row = static_cast<BYTE*>(m.pData) + z * size_t(m.DepthPitch) + y * size_t(m.RowPitch);
        bytes.insert(bytes.end(), row, row + rowBytes);
      }
    context->Unmap(staging, subresource);
    return bytes;
  }
  /// Pixel (x, y) of mip 0 of an R8G8B8A8 texture as 0xAABBGGRR.
  UINT pixel(ID3D11Texture2D* t, UINT x = 0, UINT y = 0) {
    D3D11_TEXTURE2D_DESC desc;
    t->GetDesc(&desc);
    const auto bytes = read(t, 0, desc.Width * 4, desc.Height);
    UINT value = 0;
    if (bytes.size() >= (y * desc.Width + x + 1) * 4)
      memcpy(&value, &bytes[(y * desc.Width + x) * 4], 4);
    return value;
  }
  void viewport(float width, float height) {
    const D3D11_VIEWPORT v = {0, 0, width, height, 0, 1};
    context->RSSetViewports(1, &v);
  }

  ComPtr<ID3D11Device5> device;
  ComPtr<ID3D11DeviceContext4> context;

private:
  D3D_FEATURE_LEVEL m_level;
};

} // namespace api
