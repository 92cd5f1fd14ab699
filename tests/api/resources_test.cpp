// SPDX-License-Identifier: MIT
// Buffers and textures: descriptions, limits, usage rules, initial data.
#include "fixture.h"

#include <functional>
#include <type_traits>

using namespace api;

namespace {

class Resources : public Api {
protected:
  HRESULT tryBuffer(const D3D11_BUFFER_DESC& d, const void* data = nullptr, bool outPointer = true) {
    const D3D11_SUBRESOURCE_DATA init = {data, 0, 0};
    ComPtr<ID3D11Buffer> b;
    return device->CreateBuffer(&d, data ? &init : nullptr, outPointer ? b.GetAddressOf() : nullptr);
  }
  HRESULT try2D(const D3D11_TEXTURE2D_DESC& d, const D3D11_SUBRESOURCE_DATA* data = nullptr, ID3D11Device* on = nullptr) {
    ComPtr<ID3D11Texture2D> t;
    return (on ? on : device.Get())->CreateTexture2D(&d, data, &t);
  }
};

D3D11_BUFFER_DESC bufferDesc(UINT size, UINT bind) { return {size, D3D11_USAGE_DEFAULT, bind, 0, 0, 0}; }
constexpr UINT kSrv = D3D11_BIND_SHADER_RESOURCE, kRtv = D3D11_BIND_RENDER_TARGET;
constexpr UINT kRead = D3D11_CPU_ACCESS_READ, kWrite = D3D11_CPU_ACCESS_WRITE;

} // namespace

TEST_F(Resources, BufferDescriptions) {
  // REQ: A0536 D0017 B0258 D0011
  for (const UINT bind : {D3D11_BIND_VERTEX_BUFFER, D3D11_BIND_INDEX_BUFFER, D3D11_BIND_CONSTANT_BUFFER,
                          D3D11_BIND_SHADER_RESOURCE, D3D11_BIND_STREAM_OUTPUT, D3D11_BIND_RENDER_TARGET,
                          D3D11_BIND_UNORDERED_ACCESS}) {
    const D3D11_BUFFER_DESC d = bufferDesc(64, bind);
    ComPtr<ID3D11Buffer> b;
    ASSERT_EQ(device->CreateBuffer(&d, nullptr, &b), S_OK) << bind;
    D3D11_BUFFER_DESC out;
    b->GetDesc(&out);
    EXPECT_EQ(memcmp(&d, &out, sizeof d), 0);
    // REQ: A0005 A0531
    D3D11_RESOURCE_DIMENSION dimension;
    b->GetType(&dimension);
    EXPECT_EQ(dimension, D3D11_RESOURCE_DIMENSION_BUFFER);
  }
  // REQ: A0017
  EXPECT_EQ(tryBuffer(bufferDesc(64, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_STREAM_OUTPUT | kSrv |
                                         D3D11_BIND_UNORDERED_ACCESS)),
            S_OK);
  // REQ: A0315 D0018
  const CD3D11_BUFFER_DESC helper(64, D3D11_BIND_VERTEX_BUFFER);
  const D3D11_BUFFER_DESC plain = bufferDesc(64, D3D11_BIND_VERTEX_BUFFER);
  EXPECT_EQ(memcmp(&helper, &plain, sizeof plain), 0);
  static_assert(std::is_base_of_v<D3D11_BUFFER_DESC, CD3D11_BUFFER_DESC>);
  // REQ: A0316
  const CD3D11_TEXTURE1D_DESC h1(DXGI_FORMAT_R8_UNORM, 16, 1, 1);
  const CD3D11_TEXTURE2D_DESC h2(DXGI_FORMAT_R8_UNORM, 16, 8, 1, 1);
  const CD3D11_TEXTURE3D_DESC h3(DXGI_FORMAT_R8_UNORM, 16, 8, 4, 1);
  static_assert(std::is_base_of_v<D3D11_TEXTURE1D_DESC, CD3D11_TEXTURE1D_DESC> && std::is_base_of_v<D3D11_TEXTURE2D_DESC, CD3D11_TEXTURE2D_DESC> &&
                std::is_base_of_v<D3D11_TEXTURE3D_DESC, CD3D11_TEXTURE3D_DESC>);
  EXPECT_TRUE(h1.Width == 16 && h1.BindFlags == kSrv && h1.Usage == D3D11_USAGE_DEFAULT);
  EXPECT_TRUE(h2.Height == 8 && h2.SampleDesc.Count == 1 && h2.BindFlags == kSrv);
  EXPECT_TRUE(h3.Depth == 4 && h3.MipLevels == 1 && h3.CPUAccessFlags == 0);
  EXPECT_EQ(device->CreateTexture1D(&h1, nullptr, nullptr), S_FALSE);
  EXPECT_EQ(device->CreateTexture2D(&h2, nullptr, nullptr), S_FALSE);
  EXPECT_EQ(device->CreateTexture3D(&h3, nullptr, nullptr), S_FALSE);
}

TEST_F(Resources, ConstantBuffers) {
  // REQ: A0018
  EXPECT_EQ(tryBuffer(bufferDesc(64, D3D11_BIND_CONSTANT_BUFFER | D3D11_BIND_VERTEX_BUFFER)), E_INVALIDARG);
  EXPECT_EQ(tryBuffer(bufferDesc(64, D3D11_BIND_CONSTANT_BUFFER | kSrv)), E_INVALIDARG);
  // REQ: A0312 D0019 B0259
  EXPECT_EQ(tryBuffer(bufferDesc(20, D3D11_BIND_CONSTANT_BUFFER)), E_INVALIDARG);
  EXPECT_EQ(tryBuffer(bufferDesc(65536, D3D11_BIND_CONSTANT_BUFFER)), S_OK);
  // REQ: B0260 D0021 D0024
  EXPECT_EQ(tryBuffer(bufferDesc(1 << 20, D3D11_BIND_CONSTANT_BUFFER)), S_OK);
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_11_1}) {
    Created c = createDevice(level);
    const D3D11_BUFFER_DESC d = bufferDesc(128 << 10, D3D11_BIND_CONSTANT_BUFFER);
    EXPECT_EQ(c.device->CreateBuffer(&d, nullptr, nullptr), S_FALSE);
  }
  // REQ: B0261 D0023
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_9_2, D3D_FEATURE_LEVEL_9_3}) {
    Created c = createDevice(level);
    const D3D11_BUFFER_DESC d = bufferDesc(128 << 10, D3D11_BIND_CONSTANT_BUFFER);
    ComPtr<ID3D11Buffer> b;
    EXPECT_EQ(c.device->CreateBuffer(&d, nullptr, &b), S_OK);
  }
}

TEST_F(Resources, UsageRules) {
  struct Row {
    D3D11_USAGE usage;
    UINT bind, cpu;
    bool data, valid;
  };
  const Row rows[] = {
      {D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, false, true},
      {D3D11_USAGE_DEFAULT, 0, 0, false, true},
      // REQ: A0028
      {D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, kWrite, false, false},
      {D3D11_USAGE_DEFAULT, kRtv, kWrite, false, false},
      {D3D11_USAGE_DEFAULT, kSrv, kRead | kWrite, false, true},
      // REQ: A0012 B0263
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, 0, true, true},
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, 0, false, false},
      // REQ: A0013
      {D3D11_USAGE_IMMUTABLE, kRtv, 0, true, false},
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_UNORDERED_ACCESS, 0, true, false},
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_STREAM_OUTPUT, 0, true, false},
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, kRead, true, false},
      {D3D11_USAGE_IMMUTABLE, D3D11_BIND_VERTEX_BUFFER, kWrite, true, false},
      // REQ: A0014 A0029 A0030
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, kWrite, false, true},
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, 0, false, false},
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, kRead, false, false},
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, kRead | kWrite, false, false},
      {D3D11_USAGE_DYNAMIC, kRtv, kWrite, false, false},
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_UNORDERED_ACCESS, kWrite, false, false},
      {D3D11_USAGE_DYNAMIC, D3D11_BIND_STREAM_OUTPUT, kWrite, false, false},
      {D3D11_USAGE_DYNAMIC, 0, kWrite, false, false},
      // REQ: A0032
      {D3D11_USAGE_STAGING, 0, kRead, false, true},
      {D3D11_USAGE_STAGING, 0, kWrite, false, true},
      {D3D11_USAGE_STAGING, 0, kRead | kWrite, false, true},
      {D3D11_USAGE_STAGING, 0, 0, false, false},
      // REQ: A0031
      {D3D11_USAGE_STAGING, D3D11_BIND_VERTEX_BUFFER, kRead, false, false},
      {D3D11_USAGE_STAGING, kSrv, kRead, false, false},
      {D3D11_USAGE_STAGING, kRtv, kRead, false, false},
      {D3D11_USAGE_DEFAULT, 0x10000000, 0, false, false},
      {D3D11_USAGE_STAGING, 0, 0x40000, false, false},
  };
  const char bytes[64] = {};
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "usage " << r.usage << " bind " << r.bind << " cpu " << r.cpu << " data " << r.data);
    const D3D11_BUFFER_DESC d = {64, r.usage, r.bind, r.cpu, 0, 0};
    EXPECT_EQ(tryBuffer(d, r.data ? bytes : nullptr), r.valid ? S_OK : E_INVALIDARG);
    // REQ: B0264
    EXPECT_EQ(tryBuffer(d, r.data ? bytes : nullptr, false), r.valid ? S_FALSE : E_INVALIDARG);
  }
  EXPECT_EQ(tryBuffer(bufferDesc(0, D3D11_BIND_VERTEX_BUFFER)), E_INVALIDARG);
  D3D11_BUFFER_DESC wild = bufferDesc(64, kSrv);
  wild.Usage = static_cast<D3D11_USAGE>(4);
  EXPECT_EQ(tryBuffer(wild), E_INVALIDARG);
  // REQ: B0262
  EXPECT_EQ(tryBuffer(bufferDesc(0xFFFFFFF0u, D3D11_BIND_VERTEX_BUFFER)), E_OUTOFMEMORY);
}

TEST_F(Resources, BufferMiscFlags) {
  struct Row {
    UINT size, bind, misc, stride;
    bool valid;
  };
  const Row rows[] = {
      // REQ: A0043 A0314
      {96, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12, true},
      {100, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12, false},
      {96, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 0, false},
      {90, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 10, false},
      {4096, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 2052, false},
      {96, kSrv | D3D11_BIND_VERTEX_BUFFER, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12, false},
      {96, kSrv, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED | D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 12, false},
      // REQ: A0042
      {64, kSrv, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 0, true},
      {62, kSrv, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 0, false},
      {64, D3D11_BIND_VERTEX_BUFFER, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS, 0, false},
      // REQ: A0804
      {64, kSrv, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS | D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS, 0, true},
      {64, D3D11_BIND_VERTEX_BUFFER, D3D11_RESOURCE_MISC_GENERATE_MIPS, 0, false},
      {64, D3D11_BIND_VERTEX_BUFFER, D3D11_RESOURCE_MISC_TEXTURECUBE, 0, false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << r.size << " " << r.bind << " " << r.misc << " " << r.stride);
    const D3D11_BUFFER_DESC d = {r.size, D3D11_USAGE_DEFAULT, r.bind, 0, r.misc, r.stride};
    EXPECT_EQ(tryBuffer(d), r.valid ? S_OK : E_INVALIDARG);
  }
}

TEST_F(Resources, EvictionPriority) {
  // REQ: A0532 A0535
  auto b = buffer(16, D3D11_BIND_VERTEX_BUFFER);
  for (const UINT p : {UINT(DXGI_RESOURCE_PRIORITY_MINIMUM), UINT(DXGI_RESOURCE_PRIORITY_LOW), UINT(DXGI_RESOURCE_PRIORITY_NORMAL),
                       UINT(DXGI_RESOURCE_PRIORITY_HIGH), UINT(DXGI_RESOURCE_PRIORITY_MAXIMUM)}) {
    b->SetEvictionPriority(p);
    EXPECT_EQ(b->GetEvictionPriority(), p);
  }
}

TEST_F(Resources, TextureDescriptions) {
  // REQ: A0537 A0538 A0539 D0064 D0065 D0066 A0319
  const D3D11_TEXTURE1D_DESC d1 = {256, 0, 3, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  ComPtr<ID3D11Texture1D> t1;
  ASSERT_EQ(device->CreateTexture1D(&d1, nullptr, &t1), S_OK);
  D3D11_TEXTURE1D_DESC o1;
  t1->GetDesc(&o1);
  EXPECT_EQ(o1.MipLevels, 9u);
  EXPECT_EQ(o1.Width, 256u);
  EXPECT_EQ(o1.ArraySize, 3u);
  D3D11_RESOURCE_DIMENSION dimension;
  t1->GetType(&dimension);
  EXPECT_EQ(dimension, D3D11_RESOURCE_DIMENSION_TEXTURE1D);

  D3D11_TEXTURE2D_DESC d2 = desc2D(32, 16, kSrv | kRtv), o2;
  d2.MipLevels = 3;
  d2.ArraySize = 5;
  auto t2 = texture(d2);
  t2->GetDesc(&o2);
  EXPECT_EQ(memcmp(&d2, &o2, sizeof d2), 0);
  t2->GetType(&dimension);
  EXPECT_EQ(dimension, D3D11_RESOURCE_DIMENSION_TEXTURE2D);

  const D3D11_TEXTURE3D_DESC d3 = {8, 4, 16, 0, DXGI_FORMAT_R32_FLOAT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  ComPtr<ID3D11Texture3D> t3;
  ASSERT_EQ(device->CreateTexture3D(&d3, nullptr, &t3), S_OK);
  D3D11_TEXTURE3D_DESC o3;
  t3->GetDesc(&o3);
  EXPECT_EQ(o3.MipLevels, 5u);
  t3->GetType(&dimension);
  EXPECT_EQ(dimension, D3D11_RESOURCE_DIMENSION_TEXTURE3D);

  // REQ: B0666 B0668 B0682
  D3D11_TEXTURE2D_DESC1 e2 = {};
  memcpy(&e2, &d2, sizeof d2);
  ComPtr<ID3D11Texture2D1> u2;
  ASSERT_EQ(device->CreateTexture2D1(&e2, nullptr, &u2), S_OK);
  D3D11_TEXTURE2D_DESC1 p2;
  u2->GetDesc1(&p2);
  EXPECT_EQ(memcmp(&e2, &p2, sizeof e2), 0);
  D3D11_TEXTURE3D_DESC1 e3 = {};
  memcpy(&e3, &d3, sizeof d3);
  ComPtr<ID3D11Texture3D1> u3;
  ASSERT_EQ(device->CreateTexture3D1(&e3, nullptr, &u3), S_OK);
  D3D11_TEXTURE3D_DESC1 p3;
  u3->GetDesc1(&p3);
  EXPECT_EQ(p3.MipLevels, 5u);
  EXPECT_EQ(p3.TextureLayout, D3D11_TEXTURE_LAYOUT_UNDEFINED);
}

TEST_F(Resources, TextureLimits) {
  struct Row {
    D3D_FEATURE_LEVEL level;
    UINT size1D, size2D, size3D, layers;
  };
  // REQ: A0317 A0318 A0320 A0322 A0323 A0329 A0806 B0643
  const Row rows[] = {{D3D_FEATURE_LEVEL_9_1, 0, 2048, 256, 1},
                      {D3D_FEATURE_LEVEL_9_3, 0, 4096, 256, 1},
                      {D3D_FEATURE_LEVEL_10_0, 8192, 8192, 2048, 512},
                      {D3D_FEATURE_LEVEL_11_0, 16384, 16384, 2048, 2048}};
  for (const Row& r : rows) {
    SCOPED_TRACE(r.level);
    Created c = createDevice(r.level);
    ASSERT_EQ(c.hr, S_OK);
    auto wide = [&](UINT w, UINT h, UINT layers) {
      D3D11_TEXTURE2D_DESC d = desc2D(w, h, kSrv);
      d.ArraySize = layers;
      const HRESULT hr = try2D(d, nullptr, c.device.Get());
      D3D11_TEXTURE2D_DESC1 newer = {};
      memcpy(&newer, &d, sizeof d);
      EXPECT_EQ(c.device->CreateTexture2D1(&newer, nullptr, nullptr), hr == S_OK ? S_FALSE : hr);
      return hr;
    };
    EXPECT_EQ(wide(r.size2D, 1, 1), S_OK);
    EXPECT_EQ(wide(1, r.size2D, 1), S_OK);
    EXPECT_EQ(wide(r.size2D + 1, 1, 1), E_INVALIDARG);
    EXPECT_EQ(wide(1, r.size2D + 1, 1), E_INVALIDARG);
    EXPECT_EQ(wide(0, 1, 1), E_INVALIDARG);
    EXPECT_EQ(wide(1, 1, r.layers), S_OK);
    EXPECT_EQ(wide(1, 1, r.layers + 1), E_INVALIDARG);
    EXPECT_EQ(wide(1, 1, 0), E_INVALIDARG);
    auto one = [&](UINT w) {
      const D3D11_TEXTURE1D_DESC d = {w, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
      ComPtr<ID3D11Texture1D> t;
      return c.device->CreateTexture1D(&d, nullptr, &t);
    };
    if (r.size1D) {
      EXPECT_EQ(one(r.size1D), S_OK);
    }
    EXPECT_EQ(one(r.size1D + 1), E_INVALIDARG);
    EXPECT_EQ(one(0), E_INVALIDARG);
    auto three = [&](UINT w, UINT h, UINT depth) {
      const D3D11_TEXTURE3D_DESC d = {w, h, depth, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
      ComPtr<ID3D11Texture3D> t;
      return c.device->CreateTexture3D(&d, nullptr, &t);
    };
    EXPECT_EQ(three(r.size3D, 1, 1), S_OK);
    EXPECT_EQ(three(1, 1, r.size3D), S_OK);
    EXPECT_EQ(three(1, r.size3D + 1, 1), E_INVALIDARG);
    EXPECT_EQ(three(1, 1, r.size3D + 1), E_INVALIDARG);
    EXPECT_EQ(three(1, 1, 0), E_INVALIDARG);
  }
}

TEST_F(Resources, Texture2DRules) {
  using Change = std::function<void(D3D11_TEXTURE2D_DESC&)>;
  struct Row {
    const char* what;
    Change change;
    bool valid;
  };
  auto cube = [](D3D11_TEXTURE2D_DESC& d, UINT layers) {
    d.MiscFlags = D3D11_RESOURCE_MISC_TEXTURECUBE;
    d.ArraySize = layers;
  };
  auto gdi = [](D3D11_TEXTURE2D_DESC& d) {
    d.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
    d.BindFlags = kRtv;
    d.MiscFlags = D3D11_RESOURCE_MISC_GDI_COMPATIBLE;
  };
  auto msaa = [](D3D11_TEXTURE2D_DESC& d) {
    d.SampleDesc.Count = 4;
    d.BindFlags = kRtv;
  };
  const Row rows[] = {
      {"plain", [](auto&) {}, true},
      // REQ: A0040 A0325 A0327
      {"cube", [&](auto& d) { cube(d, 6); }, true},
      {"cube array", [&](auto& d) { cube(d, 2046); }, true},
      {"seven faces", [&](auto& d) { cube(d, 7); }, false},
      {"too many faces", [&](auto& d) { cube(d, 2052); }, false},
      {"oblong cube", [&](auto& d) { cube(d, 6); d.Height = 8; }, false},
      // REQ: A0324 B0642
      {"BC1 8x8", [](auto& d) { d.Format = DXGI_FORMAT_BC1_UNORM; d.Width = d.Height = 8; }, true},
      {"BC1 6x6", [](auto& d) { d.Format = DXGI_FORMAT_BC1_UNORM; d.Width = d.Height = 6; }, false},
      {"G8R8_G8B8 3 wide", [](auto& d) { d.Format = DXGI_FORMAT_G8R8_G8B8_UNORM; d.Width = 3; }, false},
      // REQ: A0035 A0805
      {"mips generated", [](auto& d) { d.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS; d.BindFlags = kSrv | kRtv; }, true},
      {"mips generated, cube", [&](auto& d) { cube(d, 6); d.MiscFlags |= D3D11_RESOURCE_MISC_GENERATE_MIPS; d.BindFlags = kSrv | kRtv; }, true},
      {"mips generated, no target", [](auto& d) { d.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS; }, false},
      {"mips generated, no view", [](auto& d) { d.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS; d.BindFlags = kRtv; }, false},
      // REQ: A0051 A0052 A0053 A0054 A0055 A0056 A0057
      {"GDI", gdi, true},
      {"GDI typeless", [&](auto& d) { gdi(d); d.Format = DXGI_FORMAT_B8G8R8A8_TYPELESS; }, true},
      {"GDI sRGB", [&](auto& d) { gdi(d); d.Format = DXGI_FORMAT_B8G8R8A8_UNORM_SRGB; }, true},
      {"GDI and keyed mutex", [&](auto& d) { gdi(d); d.MiscFlags |= D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX; }, false},
      {"GDI and clamp", [&](auto& d) { gdi(d); d.MiscFlags |= D3D11_RESOURCE_MISC_RESOURCE_CLAMP; }, false},
      {"GDI without target", [&](auto& d) { gdi(d); d.BindFlags = kSrv; }, false},
      {"GDI with mips", [&](auto& d) { gdi(d); d.MipLevels = 2; }, false},
      {"GDI staging", [&](auto& d) { gdi(d); d.Usage = D3D11_USAGE_STAGING; d.BindFlags = 0; d.CPUAccessFlags = kRead; }, false},
      {"GDI RGBA", [&](auto& d) { gdi(d); d.Format = DXGI_FORMAT_R8G8B8A8_UNORM; }, false},
      {"GDI multisampled", [&](auto& d) { gdi(d); d.SampleDesc.Count = 4; }, false},
      // REQ: A0328
      {"4x", msaa, true},
      {"4x with mips", [&](auto& d) { msaa(d); d.MipLevels = 2; }, false},
      {"4x staging", [&](auto& d) { msaa(d); d.BindFlags = 0; d.Usage = D3D11_USAGE_STAGING; d.CPUAccessFlags = kRead; }, false},
      {"4x bad quality", [&](auto& d) { msaa(d); d.SampleDesc.Quality = 77; }, false},
      {"3x", [&](auto& d) { msaa(d); d.SampleDesc.Count = 3; }, false},
      {"no samples", [](auto& d) { d.SampleDesc.Count = 0; }, false},
      {"too many mips", [](auto& d) { d.MipLevels = 8; }, false},
      {"all mips", [](auto& d) { d.MipLevels = 5; }, true},
      {"unknown format", [](auto& d) { d.Format = DXGI_FORMAT_UNKNOWN; }, false},
      {"no such format", [](auto& d) { d.Format = static_cast<DXGI_FORMAT>(9999); }, false},
      {"three channels as target", [](auto& d) { d.Format = DXGI_FORMAT_R9G9B9E5_SHAREDEXP; d.BindFlags = kRtv; }, false},
      {"block format as target", [](auto& d) { d.Format = DXGI_FORMAT_BC1_UNORM; d.BindFlags = kRtv; }, false},
      {"colour as depth", [](auto& d) { d.BindFlags = D3D11_BIND_DEPTH_STENCIL; }, false},
      {"depth", [](auto& d) { d.Format = DXGI_FORMAT_D24_UNORM_S8_UINT; d.BindFlags = D3D11_BIND_DEPTH_STENCIL; }, true},
      {"typeless depth with view", [](auto& d) { d.Format = DXGI_FORMAT_R24G8_TYPELESS; d.BindFlags = D3D11_BIND_DEPTH_STENCIL | kSrv; }, true},
      {"depth and target", [](auto& d) { d.Format = DXGI_FORMAT_R32_TYPELESS; d.BindFlags = D3D11_BIND_DEPTH_STENCIL | kRtv; }, false},
      {"vertex texture", [](auto& d) { d.BindFlags = D3D11_BIND_VERTEX_BUFFER; }, false},
      {"structured texture", [](auto& d) { d.MiscFlags = D3D11_RESOURCE_MISC_BUFFER_STRUCTURED; }, false},
      {"dynamic", [](auto& d) { d.Usage = D3D11_USAGE_DYNAMIC; d.CPUAccessFlags = kWrite; }, true},
      {"dynamic with mips", [](auto& d) { d.Usage = D3D11_USAGE_DYNAMIC; d.CPUAccessFlags = kWrite; d.MipLevels = 2; }, false},
      // REQ: B0645
      {"default with CPU access", [](auto& d) { d.CPUAccessFlags = kRead; }, false},
      {"immutable without data", [](auto& d) { d.Usage = D3D11_USAGE_IMMUTABLE; }, false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(r.what);
    D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv);
    r.change(d);
    EXPECT_EQ(try2D(d), r.valid ? S_OK : E_INVALIDARG);
    EXPECT_EQ(device->CreateTexture2D(&d, nullptr, nullptr), r.valid ? S_FALSE : E_INVALIDARG);
    D3D11_TEXTURE2D_DESC1 newer = {};
    memcpy(&newer, &d, sizeof d);
    EXPECT_EQ(device->CreateTexture2D1(&newer, nullptr, nullptr), r.valid ? S_FALSE : E_INVALIDARG);
  }
  // REQ: A0330
  for (const UINT size : {6u, 8u}) {
    const D3D11_TEXTURE3D_DESC blocks = {size, size, 3, 1, DXGI_FORMAT_BC1_UNORM, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
    EXPECT_EQ(device->CreateTexture3D(&blocks, nullptr, nullptr), size == 8 ? S_FALSE : E_INVALIDARG);
  }
  EXPECT_EQ(device->CreateTexture2D(nullptr, nullptr, nullptr), E_INVALIDARG);
  // REQ: A0326
  Created ten = createDevice(D3D_FEATURE_LEVEL_10_0);
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv);
  cube(d, 12);
  EXPECT_EQ(try2D(d, nullptr, ten.device.Get()), E_INVALIDARG);
  EXPECT_EQ(try2D(d, nullptr, createDevice(D3D_FEATURE_LEVEL_10_1).device.Get()), S_OK);
  cube(d, 6);
  EXPECT_EQ(try2D(d, nullptr, ten.device.Get()), S_OK);
}

TEST_F(Resources, TextureLayouts) {
  struct Row {
    D3D11_TEXTURE_LAYOUT layout;
    UINT bind, cpu, mips;
    bool valid;
  };
  const Row rows[] = {
      // REQ: B0644 B0648
      {D3D11_TEXTURE_LAYOUT_ROW_MAJOR, 0, kRead, 1, true},
      {D3D11_TEXTURE_LAYOUT_ROW_MAJOR, 0, 0, 1, false},
      {D3D11_TEXTURE_LAYOUT_ROW_MAJOR, 0, kRead, 2, false},
      {D3D11_TEXTURE_LAYOUT_ROW_MAJOR, kSrv, kRead, 1, false},
      {D3D11_TEXTURE_LAYOUT_UNDEFINED, 0, kRead, 1, false},
  };
  for (const Row& r : rows) {
    D3D11_TEXTURE2D_DESC1 d = {};
    const D3D11_TEXTURE2D_DESC base = desc2D(16, 16, r.bind);
    memcpy(&d, &base, sizeof base);
    d.CPUAccessFlags = r.cpu;
    d.MipLevels = r.mips;
    d.TextureLayout = r.layout;
    ComPtr<ID3D11Texture2D1> t;
    EXPECT_EQ(device->CreateTexture2D1(&d, nullptr, &t), r.valid ? S_OK : E_INVALIDARG);
    if (!r.valid)
      continue;
    // Rows follow one another in the memory that is mapped, and it serves as both ends of copies.
    auto other = texture(16, 16, kSrv);
    std::vector<UINT> texels(256);
    for (UINT i = 0; i < 256; i++)
      texels[i] = i * 0x01010101u;
    context->UpdateSubresource(other.Get(), 0, nullptr, texels.data(), 64, 0);
    context->CopyResource(t.Get(), other.Get());
    D3D11_MAPPED_SUBRESOURCE m = {};
    ASSERT_EQ(context->Map(t.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
    for (UINT y = 0; y < 16; y++)
      EXPECT_EQ(memcmp(static_cast<BYTE*>(m.pData) + y * m.RowPitch, &texels[y * 16], 64), 0);
    context->Unmap(t.Get(), 0);
    auto back = texture(16, 16, kSrv);
    context->CopyResource(back.Get(), t.Get());
    EXPECT_EQ(pixel(back.Get(), 3, 2), texels[35]);
  }
  // REQ: B0650
  D3D11_TEXTURE3D_DESC1 d = {};
  d.Width = d.Height = d.Depth = 4;
  d.MipLevels = 1;
  d.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  d.CPUAccessFlags = kRead;
  d.TextureLayout = D3D11_TEXTURE_LAYOUT_ROW_MAJOR;
  ComPtr<ID3D11Texture3D1> t;
  EXPECT_EQ(device->CreateTexture3D1(&d, nullptr, &t), E_INVALIDARG);
}

TEST_F(Resources, BufferInitialData) {
  // REQ: A0304
  BYTE data[64];
  for (int i = 0; i < 64; i++)
    data[i] = BYTE(i * 3);
  const D3D11_BUFFER_DESC d = bufferDesc(64, D3D11_BIND_VERTEX_BUFFER);
  const D3D11_SUBRESOURCE_DATA init = {data, 12345, 678};
  ComPtr<ID3D11Buffer> b;
  ASSERT_EQ(device->CreateBuffer(&d, &init, &b), S_OK);
  EXPECT_EQ(read(b.Get()), std::vector<BYTE>(data, data + 64));
}

TEST_F(Resources, Texture1DInitialData) {
  // REQ: A0300 A0301 B0265 B0266 D0069
  std::vector<BYTE> levels[6];
  D3D11_SUBRESOURCE_DATA init[12];
  for (UINT i = 0; i < 6; i++) {
    levels[i].assign(32 >> i, BYTE(10 + i));
    init[i] = init[6 + i] = {levels[i].data(), 0, 0};
  }
  const D3D11_TEXTURE1D_DESC d = {32, 0, 2, DXGI_FORMAT_R8_UINT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  ComPtr<ID3D11Texture1D> t, staging;
  ASSERT_EQ(device->CreateTexture1D(&d, init, &t), S_OK);
  D3D11_TEXTURE1D_DESC s = {32, 6, 2, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead, 0};
  ASSERT_EQ(device->CreateTexture1D(&s, nullptr, &staging), S_OK);
  context->CopyResource(staging.Get(), t.Get());
  for (UINT i = 0; i < 12; i++)
    EXPECT_EQ(readStaging(staging.Get(), i, 32 >> (i % 6), 1, 1), levels[i % 6]);
}

TEST_F(Resources, Texture2DInitialData) {
  // REQ: A0302 A0305 B0267 D0070 D0067 D0068 D0072
  std::vector<BYTE> levels[6];
  D3D11_SUBRESOURCE_DATA init[6];
  for (UINT i = 0; i < 6; i++) {
    const UINT size = 32 >> i, pitch = size + 7;
    levels[i].resize(pitch * size);
    for (UINT k = 0; k < levels[i].size(); k++)
      levels[i][k] = BYTE(k * 7 + i);
    init[i] = {levels[i].data(), pitch, 99999};
  }
  D3D11_TEXTURE2D_DESC d = desc2D(32, 32, kSrv, DXGI_FORMAT_R8_UINT);
  d.MipLevels = 0;
  auto t = texture(d, init);
  D3D11_TEXTURE2D_DESC1 d1 = {};
  memcpy(&d1, &d, sizeof d);
  ComPtr<ID3D11Texture2D1> t1;
  ASSERT_EQ(device->CreateTexture2D1(&d1, init, &t1), S_OK);
  for (UINT i = 0; i < 6; i++) {
    const UINT size = 32 >> i;
    std::vector<BYTE> want;
    for (UINT y = 0; y < size; y++)
      want.insert(want.end(), &levels[i][y * (size + 7)], &levels[i][y * (size + 7)] + size);
    EXPECT_EQ(read(t.Get(), i, size, size), want) << i;
    EXPECT_EQ(read(t1.Get(), i, size, size), want) << i;
  }
  init[3].pSysMem = nullptr;
  EXPECT_EQ(try2D(d, init), E_INVALIDARG);
}

TEST_F(Resources, Texture3DInitialData) {
  // REQ: A0303 A0306 B0268 B0683 D0071 D0073
  const UINT slices[6] = {4, 2, 1, 1, 1, 1};
  std::vector<BYTE> levels[6];
  D3D11_SUBRESOURCE_DATA init[6];
  for (UINT i = 0; i < 6; i++) {
    const UINT size = 32 >> i, row = size + 3, slice = row * size + 5;
    levels[i].resize(slice * slices[i]);
    for (UINT k = 0; k < levels[i].size(); k++)
      levels[i][k] = BYTE(k * 5 + i);
    init[i] = {levels[i].data(), row, slice};
  }
  const D3D11_TEXTURE3D_DESC d = {32, 32, 4, 0, DXGI_FORMAT_R8_UINT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  ComPtr<ID3D11Texture3D> t, staging;
  ASSERT_EQ(device->CreateTexture3D(&d, init, &t), S_OK);
  const D3D11_TEXTURE3D_DESC s = {32, 32, 4, 6, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead, 0};
  ASSERT_EQ(device->CreateTexture3D(&s, nullptr, &staging), S_OK);
  context->CopyResource(staging.Get(), t.Get());
  D3D11_TEXTURE3D_DESC1 d1 = {};
  memcpy(&d1, &d, sizeof d);
  ComPtr<ID3D11Texture3D1> t1;
  ComPtr<ID3D11Texture3D> staging1;
  ASSERT_EQ(device->CreateTexture3D1(&d1, init, &t1), S_OK);
  ASSERT_EQ(device->CreateTexture3D(&s, nullptr, &staging1), S_OK);
  context->CopyResource(staging1.Get(), t1.Get());
  for (UINT i = 0; i < 6; i++) {
    const UINT size = 32 >> i;
    std::vector<BYTE> want;
    for (UINT z = 0; z < slices[i]; z++)
      for (UINT y = 0; y < size; y++) {
        const BYTE* row = &levels[i][z * init[i].SysMemSlicePitch + y * init[i].SysMemPitch];
        want.insert(want.end(), row, row + size);
      }
    EXPECT_EQ(readStaging(staging.Get(), i, size, size, slices[i]), want) << i;
    EXPECT_EQ(readStaging(staging1.Get(), i, size, size, slices[i]), want) << i;
  }
  // a depth of 5 has levels of 5, 2 and 1
  const D3D11_TEXTURE3D_DESC five = {4, 4, 5, 0, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead, 0};
  ComPtr<ID3D11Texture3D> odd;
  ASSERT_EQ(device->CreateTexture3D(&five, nullptr, &odd), S_OK);
  D3D11_TEXTURE3D_DESC out;
  odd->GetDesc(&out);
  EXPECT_EQ(out.MipLevels, 3u);
}

TEST_F(Resources, MinLod) {
  // REQ: A0751 A0755 D0250
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv);
  d.MipLevels = 4;
  auto plain = texture(d);
  context->SetResourceMinLOD(plain.Get(), 2);
  EXPECT_EQ(context->GetResourceMinLOD(plain.Get()), 0);
  d.MiscFlags = D3D11_RESOURCE_MISC_RESOURCE_CLAMP;
  auto clamped = texture(d);
  EXPECT_EQ(context->GetResourceMinLOD(clamped.Get()), 0);
  context->SetResourceMinLOD(clamped.Get(), 2.5f);
  EXPECT_EQ(context->GetResourceMinLOD(clamped.Get()), 2.5f);
}
