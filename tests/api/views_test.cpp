// SPDX-License-Identifier: MIT
// Views: defaults, completion of descriptions, ranges, formats, dimensions.
#include "fixture.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>

using namespace api;

namespace {

constexpr UINT kSrv = D3D11_BIND_SHADER_RESOURCE, kRtv = D3D11_BIND_RENDER_TARGET, kDsv = D3D11_BIND_DEPTH_STENCIL,
               kUav = D3D11_BIND_UNORDERED_ACCESS;

class Views : public Api {
protected:
  ComPtr<ID3D11Texture1D> texture1D(UINT width, UINT mips, UINT layers, UINT bind, DXGI_FORMAT f = DXGI_FORMAT_R8G8B8A8_UNORM) {
    const D3D11_TEXTURE1D_DESC d = {width, mips, layers, f, D3D11_USAGE_DEFAULT, bind, 0, 0};
    ComPtr<ID3D11Texture1D> t;
    EXPECT_EQ(device->CreateTexture1D(&d, nullptr, &t), S_OK);
    return t;
  }
  ComPtr<ID3D11Texture2D> texture2D(UINT mips, UINT layers, UINT bind, DXGI_FORMAT f = DXGI_FORMAT_R8G8B8A8_UNORM,
                                    UINT samples = 1, UINT misc = 0) {
    D3D11_TEXTURE2D_DESC d = desc2D(32, 32, bind, f);
    d.MipLevels = mips;
    d.ArraySize = layers;
    d.SampleDesc.Count = samples;
    d.MiscFlags = misc;
    return texture(d);
  }
  ComPtr<ID3D11Texture3D> texture3D(UINT mips, UINT bind, DXGI_FORMAT f = DXGI_FORMAT_R8G8B8A8_UNORM) {
    const D3D11_TEXTURE3D_DESC d = {16, 16, 8, mips, f, D3D11_USAGE_DEFAULT, bind, 0, 0};
    ComPtr<ID3D11Texture3D> t;
    EXPECT_EQ(device->CreateTexture3D(&d, nullptr, &t), S_OK);
    return t;
  }
  HRESULT trySrv(ID3D11Resource* r, const D3D11_SHADER_RESOURCE_VIEW_DESC& d) {
    ComPtr<ID3D11ShaderResourceView> v;
    const HRESULT hr = device->CreateShaderResourceView(r, &d, &v);
    EXPECT_EQ(device->CreateShaderResourceView(r, &d, nullptr), hr == S_OK ? S_FALSE : hr);
    EXPECT_EQ(device->CreateShaderResourceView1(r, as1<D3D11_SHADER_RESOURCE_VIEW_DESC1>(d).get(), nullptr), hr == S_OK ? S_FALSE : hr);
    return hr;
  }
  HRESULT tryRtv(ID3D11Resource* r, const D3D11_RENDER_TARGET_VIEW_DESC& d) {
    ComPtr<ID3D11RenderTargetView> v;
    const HRESULT hr = device->CreateRenderTargetView(r, &d, &v);
    EXPECT_EQ(device->CreateRenderTargetView(r, &d, nullptr), hr == S_OK ? S_FALSE : hr);
    EXPECT_EQ(device->CreateRenderTargetView1(r, as1<D3D11_RENDER_TARGET_VIEW_DESC1>(d).get(), nullptr), hr == S_OK ? S_FALSE : hr);
    return hr;
  }
  HRESULT tryDsv(ID3D11Resource* r, const D3D11_DEPTH_STENCIL_VIEW_DESC& d) {
    ComPtr<ID3D11DepthStencilView> v;
    const HRESULT hr = device->CreateDepthStencilView(r, &d, &v);
    EXPECT_EQ(device->CreateDepthStencilView(r, &d, nullptr), hr == S_OK ? S_FALSE : hr);
    return hr;
  }
  HRESULT tryUav(ID3D11Resource* r, const D3D11_UNORDERED_ACCESS_VIEW_DESC& d) {
    ComPtr<ID3D11UnorderedAccessView> v;
    const HRESULT hr = device->CreateUnorderedAccessView(r, &d, &v);
    EXPECT_EQ(device->CreateUnorderedAccessView1(r, as1<D3D11_UNORDERED_ACCESS_VIEW_DESC1>(d).get(), nullptr), hr == S_OK ? S_FALSE : hr);
    return hr;
  }
  /// The newer description with the same members; planes are 0.
  template <typename New, typename Old> static std::unique_ptr<New> as1(const Old& old) {
    auto d = std::make_unique<New>();
    memset(d.get(), 0, sizeof(New));
    memcpy(d.get(), &old, sizeof old);
    if (d->ViewDimension == decltype(d->ViewDimension)(4)) { // 2D in all three enumerations of views
      d->Texture2D.PlaneSlice = 0;
    }
    return d;
  }
};

D3D11_SHADER_RESOURCE_VIEW_DESC srvDesc(D3D11_SRV_DIMENSION dimension, DXGI_FORMAT f = DXGI_FORMAT_R8G8B8A8_UNORM) {
  D3D11_SHADER_RESOURCE_VIEW_DESC d = {};
  d.Format = f;
  d.ViewDimension = dimension;
  return d;
}
D3D11_SHADER_RESOURCE_VIEW_DESC srvMips(D3D11_SRV_DIMENSION dimension, UINT first, UINT count, UINT layer = 0, UINT layers = 1) {
  D3D11_SHADER_RESOURCE_VIEW_DESC d = srvDesc(dimension);
  d.Texture2DArray = {first, count, layer, layers};
  return d;
}

} // namespace

TEST_F(Views, DefaultShaderViews) {
  // REQ: B0274 B0275 A0349
  struct Row {
    ComPtr<ID3D11Resource> resource;
    D3D11_SRV_DIMENSION dimension;
    UINT mips, layers;
  };
  const Row rows[] = {
      {texture1D(16, 3, 1, kSrv), D3D11_SRV_DIMENSION_TEXTURE1D, 3, 0},
      {texture1D(16, 3, 4, kSrv), D3D11_SRV_DIMENSION_TEXTURE1DARRAY, 3, 4},
      {texture2D(2, 1, kSrv), D3D11_SRV_DIMENSION_TEXTURE2D, 2, 0},
      {texture2D(2, 3, kSrv), D3D11_SRV_DIMENSION_TEXTURE2DARRAY, 2, 3},
      {texture2D(1, 1, kSrv | kRtv, DXGI_FORMAT_R8G8B8A8_UNORM, 4), D3D11_SRV_DIMENSION_TEXTURE2DMS, 0, 0},
      {texture2D(1, 5, kSrv | kRtv, DXGI_FORMAT_R8G8B8A8_UNORM, 4), D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY, 0, 5},
      {texture2D(2, 6, kSrv, DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_RESOURCE_MISC_TEXTURECUBE), D3D11_SRV_DIMENSION_TEXTURECUBE, 2, 0},
      {texture2D(2, 12, kSrv, DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_RESOURCE_MISC_TEXTURECUBE), D3D11_SRV_DIMENSION_TEXTURECUBEARRAY, 2, 2},
      {texture3D(4, kSrv), D3D11_SRV_DIMENSION_TEXTURE3D, 4, 0},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(r.dimension);
    auto v = srv(r.resource.Get());
    D3D11_SHADER_RESOURCE_VIEW_DESC d;
    v->GetDesc(&d);
    EXPECT_EQ(d.ViewDimension, r.dimension);
    EXPECT_EQ(d.Format, DXGI_FORMAT_R8G8B8A8_UNORM);
    switch (r.dimension) {
    case D3D11_SRV_DIMENSION_TEXTURE1DARRAY:
      EXPECT_EQ(d.Texture1DArray.MipLevels, r.mips);
      EXPECT_EQ(d.Texture1DArray.ArraySize, r.layers);
      break;
    case D3D11_SRV_DIMENSION_TEXTURE2DARRAY:
      EXPECT_EQ(d.Texture2DArray.MipLevels, r.mips);
      EXPECT_EQ(d.Texture2DArray.ArraySize, r.layers);
      break;
    case D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY: EXPECT_EQ(d.Texture2DMSArray.ArraySize, r.layers); break;
    case D3D11_SRV_DIMENSION_TEXTURECUBEARRAY:
      EXPECT_EQ(d.TextureCubeArray.MipLevels, r.mips);
      EXPECT_EQ(d.TextureCubeArray.NumCubes, r.layers);
      break;
    case D3D11_SRV_DIMENSION_TEXTURE2DMS: break;
    default: EXPECT_EQ(d.Texture2D.MipLevels, r.mips); break;
    }
    EXPECT_EQ(device->CreateShaderResourceView(r.resource.Get(), nullptr, nullptr), S_FALSE);
    // REQ: A0543 A0544
    static_assert(std::is_base_of_v<ID3D11View, ID3D11DepthStencilView> && std::is_base_of_v<ID3D11View, ID3D11RenderTargetView> &&
                  std::is_base_of_v<ID3D11View, ID3D11ShaderResourceView> && std::is_base_of_v<ID3D11View, ID3D11UnorderedAccessView>);
    ComPtr<ID3D11View> view;
    ASSERT_EQ(v.As(&view), S_OK);
    const ULONG before = refs(r.resource);
    ComPtr<ID3D11Resource> of;
    view->GetResource(&of);
    EXPECT_EQ(of.Get(), r.resource.Get());
    EXPECT_EQ(refs(r.resource), before + 1);
  }
  auto structured = buffer(96, kSrv, D3D11_USAGE_DEFAULT, 0, nullptr, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12);
  D3D11_SHADER_RESOURCE_VIEW_DESC d;
  srv(structured.Get())->GetDesc(&d);
  EXPECT_EQ(d.ViewDimension, D3D11_SRV_DIMENSION_BUFFER);
  EXPECT_EQ(d.Buffer.NumElements, 8u);
}

TEST_F(Views, ShaderViewRanges) {
  auto t1 = texture1D(256, 0, 4, kSrv); // 9 mips
  auto t2 = texture2D(0, 4, kSrv);      // 6 mips
  auto t3 = texture3D(0, kSrv);         // 5 mips
  auto cubes = texture2D(0, 18, kSrv, DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_RESOURCE_MISC_TEXTURECUBE);
  auto ms = texture2D(1, 4, kSrv | kRtv, DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  struct Row {
    ID3D11Resource* resource;
    D3D11_SHADER_RESOURCE_VIEW_DESC desc;
    bool valid;
  };
  const UINT all = UINT(-1);
  const Row rows[] = {
      // REQ: A0334 A0335
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 6, 2), true},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 0, all), true},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 8, 1), true},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 9, 1), false},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 8, 2), false},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 0, 0), false},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1DARRAY, 0, all, 2, 2), true},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1DARRAY, 0, all, 2, 3), false},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1DARRAY, 0, all, 4, 1), false},
      // REQ: A0338
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 5, 1), true},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 6, 1), false},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DARRAY, 1, 2, 1, 3), true},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DARRAY, 1, 2, 0, 5), false},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DARRAY, 1, 2, 0, 0), false},
      // REQ: A0340
      {t3.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE3D, 4, 1), true},
      {t3.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE3D, 5, 1), false},
      // REQ: A0341
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBE, 5, 1), true},
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBE, 6, 1), false},
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBEARRAY, 0, all, 6, 2), true},
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBEARRAY, 0, all, 6, 3), false},
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBEARRAY, 0, all, 0, all), true},
      {cubes.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DARRAY, 0, all, 0, all), true},
      // REQ: A0327
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURECUBE, 0, all), false},
      // REQ: A0343
      {ms.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DMS, 77, 77, 77, 77), true},
      {ms.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY, 1, 2), true},
      {ms.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY, 4, 1), false},
      // REQ: A0347 B0657
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE3D, 0, all), false},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 0, all), false},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2DMS, 0, all), false},
      {ms.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 0, all), false},
      {t3.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 0, all), false},
      {t1.Get(), srvMips(D3D11_SRV_DIMENSION_BUFFER, 0, 1), false},
      {t2.Get(), srvMips(D3D11_SRV_DIMENSION_UNKNOWN, 0, 1), false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows) << " dimension " << r.desc.ViewDimension);
    EXPECT_EQ(trySrv(r.resource, r.desc), r.valid ? S_OK : E_INVALIDARG);
  }
  // -1 is resolved in GetDesc.
  const auto d = srvMips(D3D11_SRV_DIMENSION_TEXTURE1D, 6, all);
  D3D11_SHADER_RESOURCE_VIEW_DESC out;
  srv(t1.Get(), &d)->GetDesc(&out);
  EXPECT_EQ(out.Texture1D.MipLevels, 3u);
}

TEST_F(Views, ShaderViewFormats) {
  struct Row {
    DXGI_FORMAT resource, view;
    bool valid;
  };
  const Row rows[] = {
      // REQ: A0345 A0346
      {DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R8G8B8A8_UNORM, true},
      {DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_UNKNOWN, true},
      {DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R8G8B8A8_UINT, false},
      {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R8G8B8A8_UINT, true},
      {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, true},
      {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R8G8B8A8_TYPELESS, false},
      {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_UNKNOWN, false},
      {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R32_UINT, false},
      {DXGI_FORMAT_R32G32B32_TYPELESS, DXGI_FORMAT_R32G32B32_FLOAT, true},
      {DXGI_FORMAT_R32G32B32_TYPELESS, DXGI_FORMAT_R32G32B32_UINT, true},
      {DXGI_FORMAT_R32G32B32_TYPELESS, DXGI_FORMAT_R32G32B32_SINT, true},
      {DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32_FLOAT, true},
      {DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32_UINT, true},
      {DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_R32_TYPELESS, false},
      {DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_R24_UNORM_X8_TYPELESS, true},
      {DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_X24_TYPELESS_G8_UINT, true},
      {DXGI_FORMAT_BC1_TYPELESS, DXGI_FORMAT_BC1_UNORM_SRGB, true},
      {DXGI_FORMAT_BC1_TYPELESS, DXGI_FORMAT_BC2_UNORM, false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << r.resource << " as " << r.view);
    auto t = texture(32, 32, kSrv, r.resource);
    D3D11_SHADER_RESOURCE_VIEW_DESC d = srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 0, 1);
    d.Format = r.view;
    EXPECT_EQ(trySrv(t.Get(), d), r.valid ? S_OK : E_INVALIDARG);
  }
  // REQ: B0269
  auto target = texture(32, 32, kRtv);
  EXPECT_EQ(trySrv(target.Get(), srvMips(D3D11_SRV_DIMENSION_TEXTURE2D, 0, 1)), E_INVALIDARG);
  EXPECT_EQ(device->CreateShaderResourceView(nullptr, nullptr, nullptr), E_INVALIDARG);
}

TEST_F(Views, BufferViews) {
  auto typed = buffer(64, kSrv | kRtv | kUav);
  auto raw = buffer(64, kSrv | kUav, D3D11_USAGE_DEFAULT, 0, nullptr, D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS);
  auto structured = buffer(96, kSrv | kUav, D3D11_USAGE_DEFAULT, 0, nullptr, D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, 12);
  // With the dimensions of the other tests here, every kind of shader view.
  // REQ: A0348
  auto view = [](DXGI_FORMAT f, UINT first, UINT count, bool ex = false, UINT flags = 0) {
    D3D11_SHADER_RESOURCE_VIEW_DESC d = srvDesc(ex ? D3D11_SRV_DIMENSION_BUFFEREX : D3D11_SRV_DIMENSION_BUFFER, f);
    d.BufferEx = {first, count, flags};
    if (!ex)
      d.BufferEx.Flags = 0;
    return d;
  };
  struct Row {
    ID3D11Resource* resource;
    D3D11_SHADER_RESOURCE_VIEW_DESC desc;
    bool valid;
  };
  const UINT rawFlag = D3D11_BUFFEREX_SRV_FLAG_RAW;
  const Row rows[] = {
      // REQ: A0332
      {typed.Get(), view(DXGI_FORMAT_R32G32_FLOAT, 0, 8), true},
      {typed.Get(), view(DXGI_FORMAT_R32G32_FLOAT, 4, 4), true},
      {typed.Get(), view(DXGI_FORMAT_R32G32_FLOAT, 4, 5), false},
      {typed.Get(), view(DXGI_FORMAT_R32G32_FLOAT, 8, 1), false},
      {typed.Get(), view(DXGI_FORMAT_R32G32_FLOAT, 0, 0), false},
      {typed.Get(), view(DXGI_FORMAT_R8_UINT, 0, 64), true},
      {typed.Get(), view(DXGI_FORMAT_R8_UINT, 0xFFFFFFFF, 2), false},
      {typed.Get(), view(DXGI_FORMAT_BC1_UNORM, 0, 1), false},
      {typed.Get(), view(DXGI_FORMAT_UNKNOWN, 0, 1), false},
      // REQ: B0271
      {raw.Get(), view(DXGI_FORMAT_R32_TYPELESS, 4, 12, true, rawFlag), true},
      {raw.Get(), view(DXGI_FORMAT_R32_TYPELESS, 0, 17, true, rawFlag), false},
      {raw.Get(), view(DXGI_FORMAT_R32_UINT, 0, 16, true, rawFlag), false},
      {typed.Get(), view(DXGI_FORMAT_R32_TYPELESS, 0, 16, true, rawFlag), false},
      {typed.Get(), view(DXGI_FORMAT_R32G32B32A32_TYPELESS, 0, 4), false},
      {raw.Get(), view(DXGI_FORMAT_R32_TYPELESS, 0, 16, true, 2), false},
      {structured.Get(), view(DXGI_FORMAT_UNKNOWN, 2, 6), true},
      {structured.Get(), view(DXGI_FORMAT_UNKNOWN, 2, 7), false},
      {structured.Get(), view(DXGI_FORMAT_R32_FLOAT, 0, 1), false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows));
    EXPECT_EQ(trySrv(r.resource, r.desc), r.valid ? S_OK : E_INVALIDARG);
  }
  EXPECT_EQ(device->CreateShaderResourceView(typed.Get(), nullptr, nullptr), E_INVALIDARG);

  // REQ: A0359 B0660
  D3D11_RENDER_TARGET_VIEW_DESC rt = {};
  rt.ViewDimension = D3D11_RTV_DIMENSION_BUFFER;
  rt.Format = DXGI_FORMAT_R32_FLOAT;
  rt.Buffer.FirstElement = 4;
  rt.Buffer.NumElements = 4;
  EXPECT_EQ(tryRtv(typed.Get(), rt), S_OK);
  rt.Buffer.NumElements = 13;
  EXPECT_EQ(tryRtv(typed.Get(), rt), E_INVALIDARG);
  rt.Buffer.NumElements = 1;
  rt.Format = DXGI_FORMAT_R32G32B32_FLOAT;
  EXPECT_EQ(tryRtv(typed.Get(), rt), E_INVALIDARG);

  // REQ: A0103 A0104
  auto uav = [](DXGI_FORMAT f, UINT first, UINT count, UINT flags) {
    D3D11_UNORDERED_ACCESS_VIEW_DESC d = {};
    d.Format = f;
    d.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
    d.Buffer = {first, count, flags};
    return d;
  };
  EXPECT_EQ(tryUav(raw.Get(), uav(DXGI_FORMAT_R32_TYPELESS, 0, 16, D3D11_BUFFER_UAV_FLAG_RAW)), S_OK);
  EXPECT_EQ(tryUav(raw.Get(), uav(DXGI_FORMAT_R32_UINT, 0, 16, D3D11_BUFFER_UAV_FLAG_RAW)), E_INVALIDARG);
  EXPECT_EQ(tryUav(structured.Get(), uav(DXGI_FORMAT_UNKNOWN, 0, 8, D3D11_BUFFER_UAV_FLAG_APPEND)), S_OK);
  EXPECT_EQ(tryUav(structured.Get(), uav(DXGI_FORMAT_UNKNOWN, 2, 6, D3D11_BUFFER_UAV_FLAG_COUNTER)), S_OK);
  EXPECT_EQ(tryUav(structured.Get(), uav(DXGI_FORMAT_UNKNOWN, 2, 7, 0)), E_INVALIDARG);
  EXPECT_EQ(tryUav(typed.Get(), uav(DXGI_FORMAT_R32_UINT, 0, 16, D3D11_BUFFER_UAV_FLAG_APPEND)), E_INVALIDARG);
  EXPECT_EQ(tryUav(typed.Get(), uav(DXGI_FORMAT_R32_UINT, 0, 16, D3D11_BUFFER_UAV_FLAG_COUNTER)), E_INVALIDARG);
  EXPECT_EQ(tryUav(typed.Get(), uav(DXGI_FORMAT_R32_UINT, 0, 16, 0)), S_OK);
}

TEST_F(Views, RenderTargetViews) {
  auto t1 = texture1D(32, 3, 4, kRtv);
  auto t2 = texture2D(3, 4, kRtv);
  auto t3 = texture3D(3, kRtv); // depths 8, 4, 2
  auto linear = buffer(64, kRtv);
  auto ms = texture2D(1, 4, kRtv, DXGI_FORMAT_R8G8B8A8_UNORM, 4);
  auto typeless = texture2D(1, 1, kRtv, DXGI_FORMAT_R8G8B8A8_TYPELESS);
  auto view = [](D3D11_RTV_DIMENSION dimension, UINT a, UINT b = 0, UINT c = 0, DXGI_FORMAT f = DXGI_FORMAT_R8G8B8A8_UNORM) {
    D3D11_RENDER_TARGET_VIEW_DESC d = {};
    d.Format = f;
    d.ViewDimension = dimension;
    d.Texture2DArray = {a, b, c};
    return d;
  };
  const UINT all = UINT(-1);
  struct Row {
    ID3D11Resource* resource;
    D3D11_RENDER_TARGET_VIEW_DESC desc;
    bool valid;
  };
  const Row rows[] = {
      // REQ: A0008 A0355 B0661
      {linear.Get(), view(D3D11_RTV_DIMENSION_BUFFER, 2, 14), true},
      {linear.Get(), view(D3D11_RTV_DIMENSION_BUFFER, 2, 15), false},
      {t1.Get(), view(D3D11_RTV_DIMENSION_TEXTURE1D, 2), true},
      {t1.Get(), view(D3D11_RTV_DIMENSION_TEXTURE1D, 3), false},
      {t1.Get(), view(D3D11_RTV_DIMENSION_TEXTURE1DARRAY, 1, 2, 2), true},
      {t1.Get(), view(D3D11_RTV_DIMENSION_TEXTURE1DARRAY, 1, 2, 3), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 2), true},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 3), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DARRAY, 0, 1, 3), true},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DARRAY, 0, 1, 4), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DARRAY, 0, 0, all), true},
      {ms.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DMS, 99, 99, 99), true},
      {ms.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY, 2, 2), true},
      {ms.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY, 2, 3), false},
      {t3.Get(), view(D3D11_RTV_DIMENSION_TEXTURE3D, 0, 3, 5), true},
      {t3.Get(), view(D3D11_RTV_DIMENSION_TEXTURE3D, 0, 3, 6), false},
      {t3.Get(), view(D3D11_RTV_DIMENSION_TEXTURE3D, 1, 1, all), true},
      {t3.Get(), view(D3D11_RTV_DIMENSION_TEXTURE3D, 1, 4, 1), false},
      // REQ: A0009 A0361
      {t2.Get(), view(D3D11_RTV_DIMENSION_UNKNOWN, 0), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE3D, 0, 0, 1), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2DMS, 0), false},
      {ms.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0), false},
      {t3.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0), false},
      // REQ: A0358 B0660 A0360
      {typeless.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0), true},
      {typeless.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0, 0, 0, DXGI_FORMAT_R8G8B8A8_TYPELESS), false},
      {typeless.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0, 0, 0, DXGI_FORMAT_UNKNOWN), false},
      {typeless.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0, 0, 0, DXGI_FORMAT_R32_FLOAT), false},
      {t2.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0, 0, 0, DXGI_FORMAT_UNKNOWN), true},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows));
    EXPECT_EQ(tryRtv(r.resource, r.desc), r.valid ? S_OK : E_INVALIDARG);
  }
  // REQ: A0362
  const auto unknown = view(D3D11_RTV_DIMENSION_TEXTURE2DARRAY, 1, 1, all, DXGI_FORMAT_UNKNOWN);
  D3D11_RENDER_TARGET_VIEW_DESC out;
  rtv(t2.Get(), &unknown)->GetDesc(&out);
  EXPECT_EQ(out.Format, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(out.Texture2DArray.MipSlice, 1u);
  EXPECT_EQ(out.Texture2DArray.ArraySize, 3u);
  // REQ: B0280 B0281
  rtv(t2.Get())->GetDesc(&out);
  EXPECT_EQ(out.ViewDimension, D3D11_RTV_DIMENSION_TEXTURE2DARRAY);
  EXPECT_EQ(out.Texture2DArray.MipSlice, 0u);
  EXPECT_EQ(out.Texture2DArray.ArraySize, 4u);
  rtv(t3.Get())->GetDesc(&out);
  EXPECT_EQ(out.ViewDimension, D3D11_RTV_DIMENSION_TEXTURE3D);
  EXPECT_EQ(out.Texture3D.WSize, 8u);
  EXPECT_EQ(device->CreateRenderTargetView(t2.Get(), nullptr, nullptr), S_FALSE);
  // REQ: B0279
  auto plain = texture(8, 8, kSrv);
  EXPECT_EQ(tryRtv(plain.Get(), view(D3D11_RTV_DIMENSION_TEXTURE2D, 0)), E_INVALIDARG);
}

TEST_F(Views, DepthStencilViews) {
  auto t1 = texture1D(32, 3, 4, kDsv, DXGI_FORMAT_D32_FLOAT);
  auto t2 = texture2D(3, 4, kDsv, DXGI_FORMAT_D24_UNORM_S8_UINT);
  auto ms = texture2D(1, 4, kDsv, DXGI_FORMAT_D24_UNORM_S8_UINT, 4);
  auto typeless = texture2D(1, 1, kDsv | kSrv, DXGI_FORMAT_R24G8_TYPELESS);
  auto view = [](D3D11_DSV_DIMENSION dimension, DXGI_FORMAT f, UINT a = 0, UINT b = 0, UINT c = 0, UINT flags = 0) {
    D3D11_DEPTH_STENCIL_VIEW_DESC d = {};
    d.Format = f;
    d.ViewDimension = dimension;
    d.Flags = flags;
    d.Texture2DArray = {a, b, c};
    return d;
  };
  const DXGI_FORMAT d24 = DXGI_FORMAT_D24_UNORM_S8_UINT, d32 = DXGI_FORMAT_D32_FLOAT;
  struct Row {
    ID3D11Resource* resource;
    D3D11_DEPTH_STENCIL_VIEW_DESC desc;
    bool valid;
  };
  const Row rows[] = {
      // REQ: A0006 A0367
      {t1.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1D, d32, 2), true},
      {t1.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1D, d32, 3), false},
      {t1.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1DARRAY, d32, 0, 1, 3), true},
      {t1.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1DARRAY, d32, 0, 1, 4), false},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24, 1), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2DARRAY, d24, 0, 0, 4), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2DARRAY, d24, 0, 4, 1), false},
      {ms.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2DMS, d24, 9, 9, 9), true},
      {ms.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY, d24, 3, 1), true},
      {ms.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY, d24, 3, 2), false},
      // REQ: A0007
      {t2.Get(), view(D3D11_DSV_DIMENSION_UNKNOWN, d24), false},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1D, d24), false},
      // REQ: A0369 A0370
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, DXGI_FORMAT_UNKNOWN), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, DXGI_FORMAT_R32_FLOAT), false},
      {typeless.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24), true},
      {typeless.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, DXGI_FORMAT_R24G8_TYPELESS), false},
      {typeless.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d32), false},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24, 0, 0, 0, D3D11_DSV_READ_ONLY_DEPTH), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24, 0, 0, 0, D3D11_DSV_READ_ONLY_STENCIL), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24, 0, 0, 0, D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL), true},
      {t2.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d24, 0, 0, 0, 4), false},
      {t1.Get(), view(D3D11_DSV_DIMENSION_TEXTURE1D, d32, 0, 0, 0, D3D11_DSV_READ_ONLY_STENCIL), false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows));
    EXPECT_EQ(tryDsv(r.resource, r.desc), r.valid ? S_OK : E_INVALIDARG);
  }
  for (const DXGI_FORMAT f : {DXGI_FORMAT_D16_UNORM, d24, d32, DXGI_FORMAT_D32_FLOAT_S8X24_UINT})
    EXPECT_TRUE(dsv(texture(8, 8, kDsv, f).Get()));
  // REQ: B0283 B0284
  D3D11_DEPTH_STENCIL_VIEW_DESC out;
  dsv(t2.Get())->GetDesc(&out);
  EXPECT_EQ(out.Format, d24);
  EXPECT_EQ(out.ViewDimension, D3D11_DSV_DIMENSION_TEXTURE2DARRAY);
  EXPECT_EQ(out.Texture2DArray.ArraySize, 4u);
  EXPECT_EQ(device->CreateDepthStencilView(t2.Get(), nullptr, nullptr), S_FALSE);
  // REQ: B0282
  auto plain = texture(8, 8, kSrv, DXGI_FORMAT_R32_TYPELESS);
  EXPECT_EQ(tryDsv(plain.Get(), view(D3D11_DSV_DIMENSION_TEXTURE2D, d32)), E_INVALIDARG);
}

TEST_F(Views, UnorderedAccessViews) {
  // REQ: A0010 A0378 A0379 B0664
  auto t1 = texture1D(32, 3, 4, kUav);
  auto linear = buffer(64, kUav);
  auto t2 = texture2D(3, 4, kUav);
  auto t3 = texture3D(3, kUav);
  auto view = [](D3D11_UAV_DIMENSION dimension, UINT a, UINT b = 0, UINT c = 0) {
    D3D11_UNORDERED_ACCESS_VIEW_DESC d = {};
    d.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    d.ViewDimension = dimension;
    d.Texture2DArray = {a, b, c};
    return d;
  };
  struct Row {
    ID3D11Resource* resource;
    D3D11_UNORDERED_ACCESS_VIEW_DESC desc;
    bool valid;
  };
  const Row rows[] = {
      {linear.Get(), view(D3D11_UAV_DIMENSION_BUFFER, 2, 14), true},
      {linear.Get(), view(D3D11_UAV_DIMENSION_BUFFER, 2, 15), false},
      {t1.Get(), view(D3D11_UAV_DIMENSION_TEXTURE1D, 2), true},
      {t1.Get(), view(D3D11_UAV_DIMENSION_TEXTURE1D, 3), false},
      {t1.Get(), view(D3D11_UAV_DIMENSION_TEXTURE1DARRAY, 0, 3, 1), true},
      {t2.Get(), view(D3D11_UAV_DIMENSION_TEXTURE2D, 1), true},
      {t2.Get(), view(D3D11_UAV_DIMENSION_TEXTURE2DARRAY, 1, 1, 3), true},
      {t2.Get(), view(D3D11_UAV_DIMENSION_TEXTURE2DARRAY, 1, 1, 4), false},
      {t3.Get(), view(D3D11_UAV_DIMENSION_TEXTURE3D, 1, 1, 3), true},
      {t3.Get(), view(D3D11_UAV_DIMENSION_TEXTURE3D, 1, 1, 4), false},
      {t2.Get(), view(D3D11_UAV_DIMENSION_TEXTURE3D, 0, 0, 1), false},
      {t2.Get(), view(D3D11_UAV_DIMENSION_UNKNOWN, 0), false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows));
    EXPECT_EQ(tryUav(r.resource, r.desc), r.valid ? S_OK : E_INVALIDARG);
  }
  ComPtr<ID3D11UnorderedAccessView> v;
  ASSERT_EQ(device->CreateUnorderedAccessView(t2.Get(), &rows[6].desc, &v), S_OK);
  D3D11_UNORDERED_ACCESS_VIEW_DESC out;
  v->GetDesc(&out);
  EXPECT_EQ(memcmp(&out, &rows[6].desc, sizeof out), 0);
  auto plain = texture(8, 8, kSrv);
  EXPECT_EQ(tryUav(plain.Get(), view(D3D11_UAV_DIMENSION_TEXTURE2D, 0)), E_INVALIDARG);
}

TEST_F(Views, NewerDescriptions) {
  // REQ: B0670 B0671 B0672 B0685 B0687 B0688 B0689 D0077
  auto t = texture2D(2, 1, kSrv | kRtv | kUav);
  D3D11_SHADER_RESOURCE_VIEW_DESC1 s = {};
  s.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  s.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  s.Texture2D.MipLevels = 2;
  ComPtr<ID3D11ShaderResourceView1> sv;
  ASSERT_EQ(device->CreateShaderResourceView1(t.Get(), &s, &sv), S_OK);
  D3D11_SHADER_RESOURCE_VIEW_DESC1 so;
  sv->GetDesc1(&so);
  EXPECT_EQ(memcmp(&s, &so, sizeof s), 0);
  EXPECT_EQ(device->CreateShaderResourceView1(t.Get(), nullptr, nullptr), S_FALSE);
  s.Texture2D.PlaneSlice = 1;
  EXPECT_EQ(device->CreateShaderResourceView1(t.Get(), &s, &sv), E_INVALIDARG);
  ComPtr<ID3D11RenderTargetView1> rv;
  ASSERT_EQ(device->CreateRenderTargetView1(t.Get(), nullptr, &rv), S_OK);
  D3D11_RENDER_TARGET_VIEW_DESC1 ro;
  rv->GetDesc1(&ro);
  EXPECT_EQ(ro.ViewDimension, D3D11_RTV_DIMENSION_TEXTURE2D);
  EXPECT_EQ(device->CreateRenderTargetView1(t.Get(), nullptr, nullptr), S_FALSE);
  ComPtr<ID3D11UnorderedAccessView1> uv;
  ASSERT_EQ(device->CreateUnorderedAccessView1(t.Get(), nullptr, &uv), S_OK);
  D3D11_UNORDERED_ACCESS_VIEW_DESC1 uo;
  uv->GetDesc1(&uo);
  EXPECT_EQ(uo.ViewDimension, D3D11_UAV_DIMENSION_TEXTURE2D);
  D3D11_UNORDERED_ACCESS_VIEW_DESC1 ud = uo;
  ud.Texture2D.MipSlice = 1;
  ASSERT_EQ(device->CreateUnorderedAccessView1(t.Get(), &ud, uv.ReleaseAndGetAddressOf()), S_OK);
  uv->GetDesc1(&uo);
  EXPECT_EQ(memcmp(&ud, &uo, sizeof ud), 0);
  D3D11_RENDER_TARGET_VIEW_DESC1 rd = ro;
  rd.Texture2D.MipSlice = 1;
  ASSERT_EQ(device->CreateRenderTargetView1(t.Get(), &rd, rv.ReleaseAndGetAddressOf()), S_OK);
  rv->GetDesc1(&ro);
  EXPECT_EQ(memcmp(&rd, &ro, sizeof rd), 0);
  // Bound as their older kinds.
  ID3D11RenderTargetView* target = rv.Get();
  context->OMSetRenderTargets(1, &target, nullptr);
  ComPtr<ID3D11RenderTargetView> gotTarget;
  context->OMGetRenderTargets(1, &gotTarget, nullptr);
  EXPECT_EQ(gotTarget.Get(), target);
  context->OMSetRenderTargets(0, nullptr, nullptr);
  ID3D11UnorderedAccessView* access = uv.Get();
  ComPtr<ID3D11UnorderedAccessView> gotAccess;
  context->CSSetUnorderedAccessViews(0, 1, &access, nullptr);
  context->CSGetUnorderedAccessViews(0, 1, &gotAccess);
  EXPECT_EQ(gotAccess.Get(), access);
  context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 0, 1, &access, nullptr);
  context->OMGetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 0, 1, gotAccess.ReleaseAndGetAddressOf());
  EXPECT_EQ(gotAccess.Get(), access);
}

TEST_F(Views, TargetsSelectTheirSubresource) {
  // Clears through a view change exactly the subresources that it names.
  const float white[4] = {1, 1, 1, 1};
  auto staging = [&](ID3D11Resource* r) {
    D3D11_RESOURCE_DIMENSION dimension;
    r->GetType(&dimension);
    ComPtr<ID3D11Resource> s;
    if (dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D) {
      D3D11_TEXTURE1D_DESC d;
      static_cast<ID3D11Texture1D*>(r)->GetDesc(&d);
      d.Usage = D3D11_USAGE_STAGING;
      d.BindFlags = 0;
      d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
      ComPtr<ID3D11Texture1D> t;
      EXPECT_EQ(device->CreateTexture1D(&d, nullptr, &t), S_OK);
      s = t;
    } else if (dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D) {
      D3D11_TEXTURE2D_DESC d;
      static_cast<ID3D11Texture2D*>(r)->GetDesc(&d);
      d.Usage = D3D11_USAGE_STAGING;
      d.BindFlags = 0;
      d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
      s = texture(d);
    } else {
      D3D11_TEXTURE3D_DESC d;
      static_cast<ID3D11Texture3D*>(r)->GetDesc(&d);
      d.Usage = D3D11_USAGE_STAGING;
      d.BindFlags = 0;
      d.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
      ComPtr<ID3D11Texture3D> t;
      EXPECT_EQ(device->CreateTexture3D(&d, nullptr, &t), S_OK);
      s = t;
    }
    context->CopyResource(s.Get(), r);
    return s;
  };
  /// First byte of each subresource (3D: of each slice of each mip), nonzero as 1.
  auto changed = [&](ID3D11Resource* r, UINT subresources, UINT depth) {
    auto s = staging(r);
    std::string marks;
    for (UINT i = 0; i < subresources; i++) {
      const UINT slices = std::max(depth >> i, 1u);
      const auto bytes = readStaging(s.Get(), i, 1, 1, depth ? slices : 1);
      for (const BYTE b : bytes)
        marks += b ? '1' : '0';
      marks += i + 1 < subresources ? " " : "";
    }
    return marks;
  };
  auto target = [&](ID3D11Resource* r, D3D11_RTV_DIMENSION dimension, UINT a, UINT b, UINT c) {
    D3D11_RENDER_TARGET_VIEW_DESC d = {};
    d.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    d.ViewDimension = dimension;
    d.Texture2DArray = {a, b, c};
    context->ClearRenderTargetView(rtv(r, &d).Get(), white);
  };
  auto depth = [&](ID3D11Resource* r, D3D11_DSV_DIMENSION dimension, UINT a, UINT b, UINT c) {
    D3D11_DEPTH_STENCIL_VIEW_DESC d = {};
    d.Format = DXGI_FORMAT_D16_UNORM;
    d.ViewDimension = dimension;
    d.Texture2DArray = {a, b, c};
    context->ClearDepthStencilView(dsv(r, &d).Get(), D3D11_CLEAR_DEPTH, 1, 0);
  };
  const DXGI_FORMAT d16 = DXGI_FORMAT_D16_UNORM;
  // REQ: A0351
  auto t1 = texture1D(8, 3, 1, kRtv);
  target(t1.Get(), D3D11_RTV_DIMENSION_TEXTURE1D, 1, 0, 0);
  EXPECT_EQ(changed(t1.Get(), 3, 0), "0 1 0");
  // REQ: A0352
  auto a1 = texture1D(8, 2, 3, kRtv);
  target(a1.Get(), D3D11_RTV_DIMENSION_TEXTURE1DARRAY, 1, 1, 2);
  EXPECT_EQ(changed(a1.Get(), 6, 0), "0 0 0 1 0 1");
  // REQ: A0353
  auto t2 = texture2D(3, 1, kRtv);
  target(t2.Get(), D3D11_RTV_DIMENSION_TEXTURE2D, 2, 0, 0);
  EXPECT_EQ(changed(t2.Get(), 3, 0), "0 0 1");
  // REQ: A0354
  auto a2 = texture2D(2, 3, kRtv);
  target(a2.Get(), D3D11_RTV_DIMENSION_TEXTURE2DARRAY, 0, 0, 2);
  EXPECT_EQ(changed(a2.Get(), 6, 0), "1 0 1 0 0 0");
  // REQ: A0357
  auto t3 = texture3D(2, kRtv); // depths 8 and 4
  target(t3.Get(), D3D11_RTV_DIMENSION_TEXTURE3D, 0, 2, 3);
  EXPECT_EQ(changed(t3.Get(), 2, 8), "00111000 0000");
  target(t3.Get(), D3D11_RTV_DIMENSION_TEXTURE3D, 1, 2, UINT(-1));
  EXPECT_EQ(changed(t3.Get(), 2, 8), "00111000 0011");
  // REQ: A0363 A0364 A0365 A0366
  auto d1 = texture1D(8, 3, 1, kDsv, d16);
  depth(d1.Get(), D3D11_DSV_DIMENSION_TEXTURE1D, 1, 0, 0);
  EXPECT_EQ(changed(d1.Get(), 3, 0), "0 1 0");
  auto da1 = texture1D(8, 2, 3, kDsv, d16);
  depth(da1.Get(), D3D11_DSV_DIMENSION_TEXTURE1DARRAY, 1, 1, 2);
  EXPECT_EQ(changed(da1.Get(), 6, 0), "0 0 0 1 0 1");
  auto d2 = texture2D(3, 1, kDsv, d16);
  depth(d2.Get(), D3D11_DSV_DIMENSION_TEXTURE2D, 2, 0, 0);
  EXPECT_EQ(changed(d2.Get(), 3, 0), "0 0 1");
  auto da2 = texture2D(2, 3, kDsv, d16);
  depth(da2.Get(), D3D11_DSV_DIMENSION_TEXTURE2DARRAY, 0, 0, 2);
  EXPECT_EQ(changed(da2.Get(), 6, 0), "1 0 1 0 0 0");
}
