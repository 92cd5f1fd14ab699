// SPDX-License-Identifier: MIT
/// @file
/// What a golden scene draws on: a device, a colour and a depth target, and short forms for making things. Every failed
/// call is recorded as a test failure; helpers then return null, which the API accepts in most places.
#pragma once

#include <d3d11.h>
#include <wrl/client.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace golden {

using Microsoft::WRL::ComPtr;

struct Vertex {
  float x, y, z;
  float r, g, b, a;
  float u, v;
};

class Stage {
public:
  explicit Stage(UINT width = 256, UINT height = 256);

  ID3D11Device* device() const { return m_device.Get(); }
  ID3D11DeviceContext* context() const { return m_context.Get(); }
  ID3D11RenderTargetView* color() const { return m_color.Get(); }
  ID3D11DepthStencilView* depth() const { return m_depth.Get(); }
  ID3D11Texture2D* colorTexture() const { return m_colorTexture.Get(); }
  UINT width() const { return m_width; }
  UINT height() const { return m_height; }

  /// Vertex shader from HLSL (entry `vs`), with the input layout of Vertex or the one given.
  ComPtr<ID3D11VertexShader> vertexShader(const std::string& hlsl, ComPtr<ID3D11InputLayout>* layout = nullptr,
                                          const std::vector<D3D11_INPUT_ELEMENT_DESC>& elements = {});
  /// Pixel shader (entry `ps`).
  ComPtr<ID3D11PixelShader> pixelShader(const std::string& hlsl);
  /// Both of one source, bound together with the layout.
  void bindShaders(const std::string& hlsl, const std::vector<D3D11_INPUT_ELEMENT_DESC>& elements = {});

  ComPtr<ID3D11Buffer> buffer(const void* data, size_t size, UINT bind, D3D11_USAGE usage = D3D11_USAGE_DEFAULT);
  template <class T> ComPtr<ID3D11Buffer> vertices(const std::vector<T>& v)
  {
    return buffer(v.data(), v.size() * sizeof(T), D3D11_BIND_VERTEX_BUFFER);
  }
  ComPtr<ID3D11Buffer> constants(const void* data, size_t size);
  ComPtr<ID3D11Texture2D> texture(UINT width, UINT height, DXGI_FORMAT format, UINT bind, UINT mips = 1, UINT layers = 1,
                                  UINT samples = 1, const D3D11_SUBRESOURCE_DATA* data = nullptr, UINT misc = 0);
  /// RGBA8 with data of level 0 and, if `mips`, averaged further levels.
  ComPtr<ID3D11ShaderResourceView> image(UINT width, UINT height, const std::vector<uint32_t>& pixels, bool mips = false);

  void rasterizer(D3D11_CULL_MODE cull, D3D11_FILL_MODE fill = D3D11_FILL_SOLID, bool scissor = false, INT depthBias = 0,
                  float slopeBias = 0, bool multisample = false);
  void depthState(bool test, bool write = true, D3D11_COMPARISON_FUNC func = D3D11_COMPARISON_LESS);
  /// Source alpha over destination, or off.
  void alphaBlend(bool on);
  void sampler(UINT slot, D3D11_FILTER filter, D3D11_TEXTURE_ADDRESS_MODE address = D3D11_TEXTURE_ADDRESS_WRAP,
               UINT anisotropy = 1);

  void clear(float r, float g, float b, float a = 1);
  void draw(const std::vector<Vertex>& v, D3D11_PRIMITIVE_TOPOLOGY topology = D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  /// Result of the colour target as RGBA.
  std::vector<uint8_t> read();

  bool check(HRESULT hr, const char* what);

private:
  ComPtr<ID3DBlob> compile(const std::string& hlsl, const char* entry, const char* target);

  UINT m_width, m_height;
  ComPtr<ID3D11Device> m_device;
  ComPtr<ID3D11DeviceContext> m_context;
  ComPtr<ID3D11Texture2D> m_colorTexture, m_depthTexture;
  ComPtr<ID3D11RenderTargetView> m_color;
  ComPtr<ID3D11DepthStencilView> m_depth;
};

struct Scene {
  const char* name;
  unsigned tolerance;
  void (*draw)(Stage&);
};
std::vector<Scene>& scenes();
struct Registration {
  Registration(const char* name, unsigned tolerance, void (*draw)(Stage&)) { scenes().push_back({name, tolerance, draw}); }
};
#define GOLDEN_SCENE(name, tolerance)                                                                                  \
  static void name(Stage& stage);                                                                                      \
  static const Registration name##Registration(#name, tolerance, name);                                                \
  static void name([[maybe_unused]] Stage& stage)

/// Position, colour and texture coordinates passed through; the pixel shader shows the colour.
extern const char* const kColorShaders;
/// The same with `t0` and `s0`: texture times colour.
extern const char* const kTextureShaders;

} // namespace golden
