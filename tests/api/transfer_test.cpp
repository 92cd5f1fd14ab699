// SPDX-License-Identifier: MIT
// Map, Unmap, UpdateSubresource, CopyResource, CopySubresourceRegion, GenerateMips, clears, resolves.
#include "fixture.h"

#include <algorithm>
#include <cmath>

using namespace api;

namespace {

constexpr UINT kSrv = D3D11_BIND_SHADER_RESOURCE, kRtv = D3D11_BIND_RENDER_TARGET, kDsv = D3D11_BIND_DEPTH_STENCIL;
constexpr UINT kRead = D3D11_CPU_ACCESS_READ, kWrite = D3D11_CPU_ACCESS_WRITE;

class Transfer : public Api {
protected:
  HRESULT map(ID3D11Resource* r, D3D11_MAP type, UINT flags = 0, UINT subresource = 0) {
    D3D11_MAPPED_SUBRESOURCE m;
    const HRESULT hr = context->Map(r, subresource, type, flags, &m);
    if (hr == S_OK)
      context->Unmap(r, subresource);
    return hr;
  }
  /// 16 x 16 R8 texture filled with a pattern.
  ComPtr<ID3D11Texture2D> pattern(BYTE seed, UINT bind = kSrv, D3D11_USAGE usage = D3D11_USAGE_DEFAULT, UINT cpu = 0,
                                  DXGI_FORMAT format = DXGI_FORMAT_R8_UINT) {
    D3D11_TEXTURE2D_DESC d = desc2D(16, 16, bind, format);
    d.Usage = usage;
    d.CPUAccessFlags = cpu;
    std::vector<BYTE> data = bytes(seed);
    const D3D11_SUBRESOURCE_DATA init = {data.data(), 16, 0};
    return texture(d, &init);
  }
  static std::vector<BYTE> bytes(BYTE seed, UINT count = 256) {
    std::vector<BYTE> data(count);
    for (UINT i = 0; i < count; i++)
      data[i] = BYTE(seed + i * 3);
    return data;
  }
  std::vector<BYTE> read16(ID3D11Texture2D* t) { return read(t, 0, 16, 16); }
};

} // namespace

TEST_F(Transfer, MapTypes) {
  auto staging = [&](UINT cpu) { return buffer(64, 0, D3D11_USAGE_STAGING, cpu); };
  auto readOnly = staging(kRead), writeOnly = staging(kWrite), both = staging(kRead | kWrite);
  auto dynamic = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DYNAMIC, kWrite);
  auto dynamicIndices = buffer(64, D3D11_BIND_INDEX_BUFFER, D3D11_USAGE_DYNAMIC, kWrite);
  auto dynamicConstants = buffer(64, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DYNAMIC, kWrite);
  auto dynamicView = buffer(64, kSrv, D3D11_USAGE_DYNAMIC, kWrite);
  auto plain = buffer(64, D3D11_BIND_VERTEX_BUFFER);
  const BYTE data[64] = {};
  auto immutable = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_IMMUTABLE, 0, data);
  D3D11_TEXTURE2D_DESC td = desc2D(8, 8, kSrv);
  td.Usage = D3D11_USAGE_DYNAMIC;
  td.CPUAccessFlags = kWrite;
  auto dynamicTexture = texture(td);
  const D3D11_MAP R = D3D11_MAP_READ, W = D3D11_MAP_WRITE, RW = D3D11_MAP_READ_WRITE, D = D3D11_MAP_WRITE_DISCARD,
                  N = D3D11_MAP_WRITE_NO_OVERWRITE;
  struct Row {
    const char* what;
    ID3D11Resource* r;
    D3D11_MAP type;
    bool valid;
  };
  const Row rows[] = {
      // REQ: A0075 A0076 A0077
      {"read staging", readOnly.Get(), R, true},
      {"read staging for write", writeOnly.Get(), R, false},
      {"write staging", writeOnly.Get(), W, true},
      {"write staging for read", readOnly.Get(), W, false},
      {"both", both.Get(), RW, true},
      {"both of read only", readOnly.Get(), RW, false},
      {"both of write only", writeOnly.Get(), RW, false},
      // REQ: A0078
      {"discard staging", both.Get(), D, false},
      {"discard dynamic", dynamic.Get(), D, true},
      {"discard dynamic texture", dynamicTexture.Get(), D, true},
      {"plain write of dynamic", dynamic.Get(), W, false},
      {"read of dynamic", dynamic.Get(), R, false},
      // REQ: A0021 A0022 A0079 D0172
      {"append to vertices", dynamic.Get(), N, true},
      {"append to indices", dynamicIndices.Get(), N, true},
      {"append to constants", dynamicConstants.Get(), N, true},
      {"append to a view's buffer", dynamicView.Get(), N, true},
      {"append to a texture", dynamicTexture.Get(), N, false},
      {"append to staging", both.Get(), N, false},
      // REQ: A0803
      {"default", plain.Get(), R, false},
      {"default for write", plain.Get(), D, false},
      {"immutable", immutable.Get(), R, false},
      {"no such type", both.Get(), static_cast<D3D11_MAP>(0), false},
      {"no such type", both.Get(), static_cast<D3D11_MAP>(6), false},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(r.what);
    EXPECT_EQ(map(r.r, r.type), r.valid ? S_OK : E_INVALIDARG);
  }
  // REQ: A0082
  EXPECT_EQ(map(dynamic.Get(), D, D3D11_MAP_FLAG_DO_NOT_WAIT), E_INVALIDARG);
  EXPECT_EQ(map(dynamic.Get(), N, D3D11_MAP_FLAG_DO_NOT_WAIT), E_INVALIDARG);
  EXPECT_EQ(map(both.Get(), R, 1), E_INVALIDARG) << "unknown flag";
  EXPECT_EQ(map(both.Get(), R, 0, 1), E_INVALIDARG) << "no such subresource";
  EXPECT_EQ(map(nullptr, R), E_INVALIDARG);
  D3D11_MAPPED_SUBRESOURCE m;
  ASSERT_EQ(context->Map(both.Get(), 0, R, 0, &m), S_OK);
  EXPECT_EQ(context->Map(both.Get(), 0, R, 0, &m), E_INVALIDARG) << "mapped already";
  context->Unmap(both.Get(), 0);
  context->Unmap(both.Get(), 0);
  EXPECT_EQ(map(both.Get(), R), S_OK);
}

TEST_F(Transfer, MapPitches) {
  // REQ: A0309 A0311
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_11_0}) {
    Created c = createDevice(level);
    const D3D11_TEXTURE2D_DESC td = {3, 3, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_STAGING, 0, kRead, 0};
    ComPtr<ID3D11Texture2D> small;
    D3D11_MAPPED_SUBRESOURCE at;
    ASSERT_EQ(c.device->CreateTexture2D(&td, nullptr, &small), S_OK);
    ASSERT_EQ(c.context->Map(small.Get(), 0, D3D11_MAP_READ, 0, &at), S_OK);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(at.pData) % (level >= D3D_FEATURE_LEVEL_10_0 ? 16 : 4), 0u);
    c.context->Unmap(small.Get(), 0);
  }
  const D3D11_TEXTURE1D_DESC ld = {9, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_STAGING, 0, kRead, 0};
  ComPtr<ID3D11Texture1D> line;
  D3D11_MAPPED_SUBRESOURCE lm;
  ASSERT_EQ(device->CreateTexture1D(&ld, nullptr, &line), S_OK);
  ASSERT_EQ(context->Map(line.Get(), 0, D3D11_MAP_READ, 0, &lm), S_OK);
  EXPECT_GE(lm.RowPitch, 36u);
  EXPECT_GE(lm.DepthPitch, 36u);
  context->Unmap(line.Get(), 0);
  auto b = buffer(8, 0, D3D11_USAGE_STAGING, kRead);
  D3D11_MAPPED_SUBRESOURCE m;
  ASSERT_EQ(context->Map(b.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
  EXPECT_GE(m.RowPitch, 8u);
  EXPECT_GE(m.DepthPitch, 8u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(m.pData) % 16, 0u);
  context->Unmap(b.Get(), 0);
  // REQ: A0307 A0308 A0310
  D3D11_TEXTURE2D_DESC d = desc2D(5, 3, 0);
  d.Usage = D3D11_USAGE_STAGING;
  d.CPUAccessFlags = kRead | kWrite;
  d.MipLevels = 2;
  d.ArraySize = 2;
  auto t = texture(d);
  for (UINT i = 0; i < 4; i++) {
    ASSERT_EQ(context->Map(t.Get(), i, D3D11_MAP_READ_WRITE, 0, &m), S_OK);
    EXPECT_GE(m.RowPitch, (i % 2 ? 2u : 5u) * 4);
    EXPECT_GT(m.DepthPitch, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(m.pData) % 16, 0u);
    context->Unmap(t.Get(), i);
  }
  const D3D11_TEXTURE3D_DESC vd = {4, 4, 4, 1, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead | kWrite, 0};
  ComPtr<ID3D11Texture3D> v;
  ASSERT_EQ(device->CreateTexture3D(&vd, nullptr, &v), S_OK);
  ASSERT_EQ(context->Map(v.Get(), 0, D3D11_MAP_WRITE, 0, &m), S_OK);
  for (UINT z = 0; z < 4; z++)
    for (UINT y = 0; y < 4; y++)
      memset(static_cast<BYTE*>(m.pData) + z * m.DepthPitch + y * m.RowPitch, int(z * 4 + y), 4);
  context->Unmap(v.Get(), 0);
  const auto back = readStaging(v.Get(), 0, 4, 4, 4);
  for (UINT i = 0; i < 64; i++)
    EXPECT_EQ(back[i], i / 4);
}

TEST_F(Transfer, DynamicBuffers) {
  // REQ: A0014 A0609 D0173 A0081
  auto b = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DYNAMIC, kWrite);
  std::vector<ComPtr<ID3D11Buffer>> copies;
  D3D11_MAPPED_SUBRESOURCE m;
  for (int i = 0; i < 20; i++) {
    ASSERT_EQ(context->Map(b.Get(), 0, D3D11_MAP_WRITE_DISCARD, 0, &m), S_OK);
    memset(m.pData, i, 64);
    context->Unmap(b.Get(), 0);
    copies.push_back(buffer(64, D3D11_BIND_VERTEX_BUFFER));
    context->CopyResource(copies.back().Get(), b.Get());
  }
  for (int i = 0; i < 20; i++)
    EXPECT_EQ(read(copies[i].Get()), std::vector<BYTE>(64, BYTE(i))) << "each copy sees its own version";
  ASSERT_EQ(context->Map(b.Get(), 0, D3D11_MAP_WRITE_NO_OVERWRITE, 0, &m), S_OK);
  memset(static_cast<BYTE*>(m.pData) + 32, 99, 32);
  context->Unmap(b.Get(), 0);
  const auto now = read(b.Get());
  EXPECT_EQ(now[31], 19);
  EXPECT_EQ(now[32], 99);
}

TEST_F(Transfer, DynamicTextures) {
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv, DXGI_FORMAT_R8_UINT);
  d.Usage = D3D11_USAGE_DYNAMIC;
  d.CPUAccessFlags = kWrite;
  auto t = texture(d);
  std::vector<ComPtr<ID3D11Texture2D>> copies;
  for (int i = 0; i < 6; i++) {
    D3D11_MAPPED_SUBRESOURCE m;
    ASSERT_EQ(context->Map(t.Get(), 0, D3D11_MAP_WRITE_DISCARD, 0, &m), S_OK);
    for (UINT y = 0; y < 16; y++)
      memset(static_cast<BYTE*>(m.pData) + y * m.RowPitch, int(i * 16 + y), 16);
    context->Flush();
    context->Unmap(t.Get(), 0);
    copies.push_back(texture(16, 16, kSrv, DXGI_FORMAT_R8_UINT));
    context->CopyResource(copies.back().Get(), t.Get());
  }
  for (int i = 0; i < 6; i++) {
    const auto data = read16(copies[i].Get());
    EXPECT_EQ(data[0], i * 16);
    EXPECT_EQ(data[255], i * 16 + 15);
  }
}

TEST_F(Transfer, DoNotWait) {
  // REQ: A0607
  auto source = texture(2048, 2048, kRtv);
  auto rv = rtv(source.Get());
  D3D11_TEXTURE2D_DESC d = desc2D(2048, 2048, 0);
  d.Usage = D3D11_USAGE_STAGING;
  d.CPUAccessFlags = kRead;
  auto staging = texture(d);
  D3D11_MAPPED_SUBRESOURCE m;
  bool still = false;
  for (int attempt = 0; attempt < 20 && !still; attempt++) {
    const float color[4] = {float(attempt) / 20, 0, 0, 1};
    for (int i = 0; i < 8; i++) {
      context->ClearRenderTargetView(rv.Get(), color);
      context->CopyResource(staging.Get(), source.Get());
    }
    HRESULT hr = context->Map(staging.Get(), 0, D3D11_MAP_READ, D3D11_MAP_FLAG_DO_NOT_WAIT, &m);
    still = hr == DXGI_ERROR_WAS_STILL_DRAWING;
    if (still)
      hr = context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &m);
    ASSERT_EQ(hr, S_OK);
    context->Unmap(staging.Get(), 0);
  }
  EXPECT_TRUE(still);
}

TEST_F(Transfer, UpdateBuffers) {
  // REQ: A0725 D0231 A0729 A0728
  auto b = buffer(64, D3D11_BIND_VERTEX_BUFFER);
  auto data = bytes(5, 64);
  context->UpdateSubresource(b.Get(), 0, nullptr, data.data(), 0, 0);
  const auto want = data;
  std::fill(data.begin(), data.end(), BYTE(0)); // the call has copied
  EXPECT_EQ(read(b.Get()), want);
  const D3D11_BOX box = {10, 0, 0, 20, 1, 1};
  const std::vector<BYTE> patch(10, 200);
  context->UpdateSubresource(b.Get(), 0, &box, patch.data(), 0, 0);
  auto now = read(b.Get());
  EXPECT_EQ(now[9], want[9]);
  EXPECT_EQ(now[10], 200);
  EXPECT_EQ(now[19], 200);
  EXPECT_EQ(now[20], want[20]);
  // REQ: B0435
  for (const D3D11_BOX& empty : {D3D11_BOX{20, 0, 0, 20, 1, 1}, D3D11_BOX{0, 1, 0, 8, 1, 1}, D3D11_BOX{0, 0, 1, 8, 1, 1}}) {
    context->UpdateSubresource(b.Get(), 0, &empty, want.data(), 0, 0);
    context->UpdateSubresource1(b.Get(), 0, &empty, want.data(), 0, 0, 0);
  }
  const D3D11_BOX outside = {60, 0, 0, 70, 1, 1};
  context->UpdateSubresource(b.Get(), 0, &outside, want.data(), 0, 0);
  EXPECT_EQ(read(b.Get()), now);
  // large ones go another way
  auto large = buffer(100000, D3D11_BIND_VERTEX_BUFFER);
  const auto big = bytes(1, 100000);
  context->UpdateSubresource(large.Get(), 0, nullptr, big.data(), 0, 0);
  EXPECT_EQ(read(large.Get()), big);
}

TEST_F(Transfer, UpdateConstantBuffers) {
  // REQ: A0723 D0229 B0430 B0431
  auto b = buffer(64, D3D11_BIND_CONSTANT_BUFFER);
  const auto first = bytes(1, 64), second = bytes(77, 64);
  context->UpdateSubresource(b.Get(), 0, nullptr, first.data(), 0, 0);
  EXPECT_EQ(read(b.Get()), first);
  const D3D11_BOX aligned = {16, 0, 0, 32, 1, 1}, crooked = {4, 0, 0, 20, 1, 1};
  context->UpdateSubresource(b.Get(), 0, &aligned, second.data(), 0, 0);
  EXPECT_EQ(read(b.Get()), first) << "no partial update through the old method";
  context->UpdateSubresource1(b.Get(), 0, &crooked, second.data(), 0, 0, 0);
  EXPECT_EQ(read(b.Get()), first);
  context->UpdateSubresource1(b.Get(), 0, &aligned, second.data(), 0, 0, 0);
  auto now = read(b.Get());
  EXPECT_EQ(now[15], first[15]);
  EXPECT_EQ(now[16], second[0]);
  EXPECT_EQ(now[31], second[15]);
  EXPECT_EQ(now[32], first[32]);
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_9_2, D3D_FEATURE_LEVEL_9_3}) {
    Created c = createDevice(level);
    const D3D11_BUFFER_DESC cd = {64, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0};
    const D3D11_BUFFER_DESC sd = {64, D3D11_USAGE_STAGING, 0, kRead, 0, 0};
    ComPtr<ID3D11Buffer> constants, staging;
    ASSERT_EQ(c.device->CreateBuffer(&cd, nullptr, &constants), S_OK);
    ASSERT_EQ(c.device->CreateBuffer(&sd, nullptr, &staging), S_OK);
    c.context->UpdateSubresource1(constants.Get(), 0, nullptr, first.data(), 0, 0, 0);
    c.context->UpdateSubresource1(constants.Get(), 0, &aligned, second.data(), 0, 0, 0);
    c.context->CopyResource(staging.Get(), constants.Get());
    D3D11_MAPPED_SUBRESOURCE m;
    ASSERT_EQ(c.context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
    EXPECT_EQ(memcmp(m.pData, now.data(), 64), 0) << level;
    c.context->Unmap(staging.Get(), 0);
  }
  // REQ: B0429 B0428 B0378
  for (const UINT flags : {0u, UINT(D3D11_COPY_NO_OVERWRITE), UINT(D3D11_COPY_DISCARD)}) {
    context->UpdateSubresource1(b.Get(), 0, nullptr, second.data(), 0, 0, flags);
    EXPECT_EQ(read(b.Get()), second);
    context->UpdateSubresource(b.Get(), 0, nullptr, first.data(), 0, 0);
  }
}

TEST_F(Transfer, UpdateTextures) {
  // REQ: A0727 D0234
  auto t = texture(512, 512, kSrv, DXGI_FORMAT_R8_UINT);
  const std::vector<BYTE> zero(512 * 512), ones(80 * 120, 1);
  context->UpdateSubresource(t.Get(), 0, nullptr, zero.data(), 512, 0);
  const D3D11_BOX box = {120, 100, 0, 200, 220, 1};
  context->UpdateSubresource(t.Get(), 0, &box, ones.data(), 80, 0);
  const auto now = read(t.Get(), 0, 512, 512);
  UINT inside = 0, outside = 0;
  for (UINT y = 0; y < 512; y++)
    for (UINT x = 0; x < 512; x++)
      (x >= 120 && x < 200 && y >= 100 && y < 220 ? inside : outside) += now[y * 512 + x];
  EXPECT_EQ(inside, 80u * 120);
  EXPECT_EQ(outside, 0u);
  // The newer method: bytes of buffers, texels of textures, everything without a box.
  // REQ: B0434
  const std::vector<BYTE> wide(512 * 512, 7);
  context->UpdateSubresource1(t.Get(), 0, nullptr, wide.data(), 512, 0, 0);
  EXPECT_EQ(read(t.Get(), 0, 512, 512), wide);
  auto texels = texture(16, 16, kSrv, DXGI_FORMAT_R32_UINT);
  const std::vector<UINT> words(16 * 16, 5), patch(4, 9);
  context->UpdateSubresource1(texels.Get(), 0, nullptr, words.data(), 64, 0, 0);
  const D3D11_BOX four = {3, 2, 0, 5, 4, 1};
  context->UpdateSubresource1(texels.Get(), 0, &four, patch.data(), 8, 0, 0);
  const auto texelBytes = read(texels.Get(), 0, 64, 16);
  for (UINT i = 0; i < 256; i++)
    EXPECT_EQ(texelBytes[i * 4], i % 16 >= 3 && i % 16 < 5 && i / 16 >= 2 && i / 16 < 4 ? 9 : 5);
  auto raw = buffer(16, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, zero.data());
  const D3D11_BOX three3 = {3, 0, 0, 6, 1, 1};
  context->UpdateSubresource1(raw.Get(), 0, &three3, ones.data(), 0, 0, 0);
  EXPECT_EQ(read(raw.Get()), (std::vector<BYTE>{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  // REQ: D0235
  const D3D11_TEXTURE1D_DESC d1 = {512, 1, 1, DXGI_FORMAT_R8_UINT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  const D3D11_TEXTURE1D_DESC s1 = {512, 1, 1, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead, 0};
  ComPtr<ID3D11Texture1D> one, staging;
  ASSERT_EQ(device->CreateTexture1D(&d1, nullptr, &one), S_OK);
  ASSERT_EQ(device->CreateTexture1D(&s1, nullptr, &staging), S_OK);
  context->UpdateSubresource(one.Get(), 0, nullptr, zero.data(), 0, 0);
  const D3D11_BOX box1 = {120, 0, 0, 200, 1, 1};
  context->UpdateSubresource(one.Get(), 0, &box1, ones.data(), 0, 0);
  context->CopyResource(staging.Get(), one.Get());
  const auto line = readStaging(staging.Get(), 0, 512, 1, 1);
  for (UINT x = 0; x < 512; x++)
    EXPECT_EQ(line[x], x >= 120 && x < 200);
  // REQ: A0726 D0233 B0437
  const D3D11_TEXTURE3D_DESC d3 = {2, 3, 4, 1, DXGI_FORMAT_R32G32B32A32_FLOAT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  const D3D11_TEXTURE3D_DESC s3 = {2, 3, 4, 1, DXGI_FORMAT_R32G32B32A32_FLOAT, D3D11_USAGE_STAGING, 0, kRead, 0};
  ComPtr<ID3D11Texture3D> three, staging3;
  ASSERT_EQ(device->CreateTexture3D(&d3, nullptr, &three), S_OK);
  ASSERT_EQ(device->CreateTexture3D(&s3, nullptr, &staging3), S_OK);
  const auto volume = bytes(3, 96 * 4);
  context->UpdateSubresource(three.Get(), 0, nullptr, volume.data(), 32, 96);
  context->CopyResource(staging3.Get(), three.Get());
  EXPECT_EQ(readStaging(staging3.Get(), 0, 32, 3, 4), volume);
  std::vector<BYTE> padded(130 * 4, 0xEE), turned(volume.rbegin(), volume.rend());
  for (UINT i = 0; i < 12; i++)
    memcpy(&padded[i / 3 * 130 + i % 3 * 40], &turned[i * 32], 32);
  context->UpdateSubresource1(three.Get(), 0, nullptr, padded.data(), 40, 130, 0);
  context->CopyResource(staging3.Get(), three.Get());
  EXPECT_EQ(readStaging(staging3.Get(), 0, 32, 3, 4), turned);
  // REQ: A0784 B0436 D0216
  EXPECT_EQ(D3D11CalcSubresource(2, 3, 5), 17u);
  D3D11_TEXTURE2D_DESC d = desc2D(4, 4, kSrv, DXGI_FORMAT_R8_UINT);
  d.MipLevels = 3;
  d.ArraySize = 2;
  auto many = texture(d);
  for (UINT mip = 0; mip < 3; mip++)
    for (UINT slice = 0; slice < 2; slice++)
      context->UpdateSubresource(many.Get(), D3D11CalcSubresource(mip, slice, 3), nullptr,
                                 std::vector<BYTE>(16, BYTE(mip * 10 + slice)).data(), 4, 0);
  for (UINT mip = 0; mip < 3; mip++)
    for (UINT slice = 0; slice < 2; slice++)
      EXPECT_EQ(read(many.Get(), D3D11CalcSubresource(mip, slice, 3), 4 >> mip, 4 >> mip)[0], mip * 10 + slice);
}

TEST_F(Transfer, RefusedUpdates) {
  // REQ: A0724 D0230
  const auto data = bytes(200);
  auto immutable = pattern(1, kSrv, D3D11_USAGE_IMMUTABLE);
  context->UpdateSubresource(immutable.Get(), 0, nullptr, data.data(), 16, 0);
  EXPECT_EQ(read16(immutable.Get()), bytes(1));
  auto dynamic = pattern(2, kSrv, D3D11_USAGE_DYNAMIC, kWrite);
  context->UpdateSubresource(dynamic.Get(), 0, nullptr, data.data(), 16, 0);
  EXPECT_EQ(read16(dynamic.Get()), bytes(2));
  auto depth = texture(4, 4, kDsv, DXGI_FORMAT_D32_FLOAT);
  context->ClearDepthStencilView(dsv(depth.Get()).Get(), D3D11_CLEAR_DEPTH, 0.5f, 0);
  context->UpdateSubresource(depth.Get(), 0, nullptr, data.data(), 16, 0);
  float z;
  memcpy(&z, read(depth.Get(), 0, 16, 4).data(), 4);
  EXPECT_EQ(z, 0.5f);
  D3D11_TEXTURE2D_DESC md = desc2D(4, 4, kRtv);
  md.SampleDesc.Count = 4;
  auto samples = texture(md), resolved = texture(4, 4, kSrv);
  const float red[4] = {1, 0, 0, 1};
  context->ClearRenderTargetView(rtv(samples.Get()).Get(), red);
  context->UpdateSubresource(samples.Get(), 0, nullptr, data.data(), 16, 0);
  context->ResolveSubresource(resolved.Get(), 0, samples.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(resolved.Get()), 0xff0000ffu);
  auto plain = pattern(3);
  context->UpdateSubresource(plain.Get(), 0, nullptr, nullptr, 16, 0);
  context->UpdateSubresource(plain.Get(), 1, nullptr, data.data(), 16, 0);
  const D3D11_BOX outside = {8, 8, 0, 17, 16, 1};
  context->UpdateSubresource(plain.Get(), 0, &outside, data.data(), 16, 0);
  EXPECT_EQ(read16(plain.Get()), bytes(3));
}

TEST_F(Transfer, CopyResource) {
  // REQ: D0223 A0717 A0711 D0228
  auto source = pattern(9);
  auto dest = pattern(0);
  context->CopyResource(dest.Get(), source.Get());
  EXPECT_EQ(read16(dest.Get()), bytes(9));
  auto twin = pattern(0, kSrv, D3D11_USAGE_DEFAULT, 0, DXGI_FORMAT_R8_SNORM);
  context->CopyResource(twin.Get(), source.Get());
  EXPECT_EQ(read16(twin.Get()), bytes(9)) << "one family";

  auto keep = [&](ComPtr<ID3D11Texture2D> d, ID3D11Resource* s, const char* what) {
    const auto before = read16(d.Get());
    context->CopyResource(d.Get(), s);
    EXPECT_EQ(read16(d.Get()), before) << what;
  };
  // REQ: A0716 A0718 D0224 A0707 D0218
  keep(pattern(1), texture(16, 8, kSrv, DXGI_FORMAT_R8_UINT).Get(), "sizes differ");
  keep(pattern(1, kSrv, D3D11_USAGE_IMMUTABLE), source.Get(), "immutable");
  keep(pattern(1), buffer(256, D3D11_BIND_VERTEX_BUFFER).Get(), "kinds differ");
  auto bytes256 = buffer(256, D3D11_BIND_VERTEX_BUFFER);
  auto still = pattern(1);
  context->CopySubresourceRegion(still.Get(), 0, 0, 0, 0, bytes256.Get(), 0, nullptr);
  context->CopySubresourceRegion1(still.Get(), 0, 0, 0, 0, bytes256.Get(), 0, nullptr, 0); // REQ: B0602
  context->CopySubresourceRegion(still.Get(), 0, 0, 0, 0, texture(16, 16, kSrv, DXGI_FORMAT_R16_UINT).Get(), 0, nullptr); // REQ: A0708
  EXPECT_EQ(read16(still.Get()), bytes(1));
  auto self = pattern(4);
  keep(self, self.Get(), "itself");
  auto wide = texture(16, 16, kSrv, DXGI_FORMAT_R16_UINT);
  keep(pattern(1), wide.Get(), "formats differ");
  // REQ: A0720 D0227
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kRtv, DXGI_FORMAT_R8_UNORM);
  d.SampleDesc.Count = 4;
  keep(pattern(1, kSrv, D3D11_USAGE_DEFAULT, 0, DXGI_FORMAT_R8_UNORM), texture(d).Get(), "samples differ");
  auto ms1 = texture(d), ms2 = texture(d);
  auto flat = texture(16, 16, kSrv, DXGI_FORMAT_R8_UNORM);
  const float white[4] = {1, 1, 1, 1}, black[4] = {};
  context->ClearRenderTargetView(rtv(ms1.Get()).Get(), white);
  context->ClearRenderTargetView(rtv(ms2.Get()).Get(), black);
  context->CopyResource(ms2.Get(), ms1.Get());
  context->ResolveSubresource(flat.Get(), 0, ms2.Get(), 0, DXGI_FORMAT_R8_UNORM);
  EXPECT_EQ(read16(flat.Get()), std::vector<BYTE>(256, 255)) << "equal sample counts are copied";
  // REQ: A0721 A0710 D0220
  D3D11_TEXTURE2D_DESC sd = desc2D(16, 16, 0, DXGI_FORMAT_R8_UINT);
  sd.Usage = D3D11_USAGE_STAGING;
  sd.CPUAccessFlags = kRead | kWrite;
  auto staging = texture(sd);
  D3D11_MAPPED_SUBRESOURCE m;
  ASSERT_EQ(context->Map(staging.Get(), 0, D3D11_MAP_WRITE, 0, &m), S_OK);
  keep(pattern(1), staging.Get(), "mapped source");
  context->CopySubresourceRegion(dest.Get(), 0, 0, 0, 0, staging.Get(), 0, nullptr);
  EXPECT_EQ(read16(dest.Get()), bytes(9));
  memset(m.pData, 77, 16);
  context->CopyResource(staging.Get(), dest.Get());
  context->CopySubresourceRegion(staging.Get(), 0, 0, 0, 0, dest.Get(), 0, nullptr);
  context->Unmap(staging.Get(), 0);
  EXPECT_EQ(readStaging(staging.Get(), 0, 16, 1, 1), std::vector<BYTE>(16, 77)) << "mapped destination";
  // REQ: A0719 D0225 D0226
  auto depth = texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT), depth2 = texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT);
  context->ClearDepthStencilView(dsv(depth.Get()).Get(), D3D11_CLEAR_DEPTH, 0.25f, 0);
  context->CopyResource(depth2.Get(), depth.Get());
  float z;
  memcpy(&z, read(depth2.Get(), 0, 32, 8).data(), 4);
  EXPECT_EQ(z, 0.25f);
  Created nine = createDevice(D3D_FEATURE_LEVEL_9_3);
  D3D11_TEXTURE2D_DESC nd = desc2D(8, 8, kDsv, DXGI_FORMAT_D16_UNORM), ns = nd;
  ns.BindFlags = 0;
  ns.Usage = D3D11_USAGE_STAGING;
  ns.CPUAccessFlags = kRead;
  ComPtr<ID3D11Texture2D> n1, n2, out;
  ComPtr<ID3D11DepthStencilView> v1, v2;
  ASSERT_EQ(nine.device->CreateTexture2D(&nd, nullptr, &n1), S_OK);
  ASSERT_EQ(nine.device->CreateTexture2D(&nd, nullptr, &n2), S_OK);
  ASSERT_EQ(nine.device->CreateTexture2D(&ns, nullptr, &out), S_OK);
  ASSERT_EQ(nine.device->CreateDepthStencilView(n1.Get(), nullptr, &v1), S_OK);
  ASSERT_EQ(nine.device->CreateDepthStencilView(n2.Get(), nullptr, &v2), S_OK);
  nine.context->ClearDepthStencilView(v1.Get(), D3D11_CLEAR_DEPTH, 1, 0);
  nine.context->ClearDepthStencilView(v2.Get(), D3D11_CLEAR_DEPTH, 0, 0);
  nine.context->CopyResource(n2.Get(), n1.Get());
  for (ID3D11Texture2D* from : {n1.Get(), n2.Get()}) {
    nine.context->CopyResource(out.Get(), from);
    ASSERT_EQ(nine.context->Map(out.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
    EXPECT_EQ(*static_cast<const BYTE*>(m.pData), from == n1.Get() ? 255 : 0) << "only a source";
    nine.context->Unmap(out.Get(), 0);
  }
}

TEST_F(Transfer, CopiesKeepTheirOrder) {
  // REQ: A0722 A0789 D0222
  auto t = texture(4, 4, kRtv);
  auto v = rtv(t.Get());
  auto copy = texture(4, 4, kSrv);
  const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
  context->ClearRenderTargetView(v.Get(), red);
  context->CopyResource(copy.Get(), t.Get());
  context->ClearRenderTargetView(v.Get(), green);
  EXPECT_EQ(pixel(copy.Get()), 0xff0000ffu);
  EXPECT_EQ(pixel(t.Get()), 0xff00ff00u);
}

TEST_F(Transfer, CopyBufferRegions) {
  // REQ: A0274 A0705 D0215 A0273
  auto source = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, bytes(1, 64).data());
  auto dest = buffer(64, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, 0, bytes(100, 64).data());
  const D3D11_BOX box = {5, 0, 0, 12, 1, 1};
  context->CopySubresourceRegion(dest.Get(), 0, 40, 0, 0, source.Get(), 0, &box);
  auto want = bytes(100, 64);
  const auto from = bytes(1, 64);
  std::copy(from.begin() + 5, from.begin() + 12, want.begin() + 40);
  EXPECT_EQ(read(dest.Get()), want);
  // REQ: D0213
  const D3D11_BOX outside = {60, 0, 0, 65, 1, 1}, whole = {0, 0, 0, 64, 1, 1};
  context->CopySubresourceRegion(dest.Get(), 0, 0, 0, 0, source.Get(), 0, &outside);
  context->CopySubresourceRegion(dest.Get(), 0, 1, 0, 0, source.Get(), 0, &whole);
  context->CopySubresourceRegion(dest.Get(), 0, 0xFFFFFFF0u, 0, 0, source.Get(), 0, &box);
  EXPECT_EQ(read(dest.Get()), want);
  // REQ: B0420
  const D3D11_BOX scroll = {0, 0, 0, 60, 1, 1};
  context->CopySubresourceRegion1(source.Get(), 0, 4, 0, 0, source.Get(), 0, &scroll, 0);
  auto moved = from;
  std::copy_backward(from.begin(), from.begin() + 60, moved.end());
  EXPECT_EQ(read(source.Get()), moved);
}

TEST_F(Transfer, CopyTextureRegions) {
  // REQ: D0212 A0712 B0425 B0419 B0427
  const auto from = bytes(7), empty = bytes(50);
  for (const bool newer : {false, true}) {
    auto copy = [&](ID3D11Resource* d, UINT x, UINT y, UINT z, ID3D11Resource* s, const D3D11_BOX* box) {
      if (newer)
        context->CopySubresourceRegion1(d, 0, x, y, z, s, 0, box, 0);
      else
        context->CopySubresourceRegion(d, 0, x, y, z, s, 0, box);
    };
    auto source = pattern(7), dest = pattern(50);
    const D3D11_BOX box = {2, 3, 0, 9, 8, 1};
    copy(dest.Get(), 8, 1, 0, source.Get(), &box);
    auto want = empty;
    for (UINT y = 0; y < 5; y++)
      for (UINT x = 0; x < 7; x++)
        want[(y + 1) * 16 + x + 8] = from[(y + 3) * 16 + x + 2];
    EXPECT_EQ(read16(dest.Get()), want);
    // REQ: B0426
    for (const D3D11_BOX& e : {D3D11_BOX{4, 0, 0, 4, 4, 1}, D3D11_BOX{0, 4, 0, 4, 4, 1}, D3D11_BOX{0, 0, 1, 4, 4, 1}})
      copy(dest.Get(), 0, 0, 0, source.Get(), &e);
    const D3D11_BOX big = {0, 0, 0, 17, 4, 1}, fits = {0, 0, 0, 8, 8, 1};
    copy(dest.Get(), 0, 0, 0, source.Get(), &big);
    copy(dest.Get(), 9, 0, 0, source.Get(), &fits);
    // REQ: A0713 B0424
    copy(dest.Get(), 0, 0, 1, source.Get(), &fits);
    EXPECT_EQ(read16(dest.Get()), want);
    copy(dest.Get(), 0, 0, 0, source.Get(), nullptr);
    EXPECT_EQ(read16(dest.Get()), from);
  }
  const D3D11_TEXTURE1D_DESC d1 = {16, 1, 1, DXGI_FORMAT_R8_UINT, D3D11_USAGE_DEFAULT, kSrv, 0, 0};
  const D3D11_TEXTURE1D_DESC s1 = {16, 1, 1, DXGI_FORMAT_R8_UINT, D3D11_USAGE_STAGING, 0, kRead, 0};
  const D3D11_SUBRESOURCE_DATA i1 = {from.data(), 0, 0}, i2 = {empty.data(), 0, 0};
  ComPtr<ID3D11Texture1D> line1, line2, lineOut;
  ASSERT_EQ(device->CreateTexture1D(&d1, &i1, &line1), S_OK);
  ASSERT_EQ(device->CreateTexture1D(&d1, &i2, &line2), S_OK);
  ASSERT_EQ(device->CreateTexture1D(&s1, nullptr, &lineOut), S_OK);
  for (const UINT axis : {1u, 2u, 0u}) {
    context->CopySubresourceRegion(line2.Get(), 0, 0, axis == 1, axis == 2, line1.Get(), 0, nullptr);
    context->CopySubresourceRegion1(line2.Get(), 0, 0, axis == 1, axis == 2, line1.Get(), 0, nullptr, 0);
    context->CopyResource(lineOut.Get(), line2.Get());
    EXPECT_EQ(readStaging(lineOut.Get(), 0, 16, 1, 1)[3], axis ? empty[3] : from[3]);
  }
  // REQ: A0706 D0217
  D3D11_TEXTURE2D_DESC d = desc2D(8, 8, kSrv, DXGI_FORMAT_R8_UINT);
  d.ArraySize = 2;
  const auto a = bytes(1, 64), b = bytes(99, 64);
  const D3D11_SUBRESOURCE_DATA init[2] = {{a.data(), 8, 0}, {b.data(), 8, 0}};
  auto t = texture(d, init);
  const D3D11_BOX half = {0, 0, 0, 4, 8, 1};
  context->CopySubresourceRegion(t.Get(), 0, 4, 0, 0, t.Get(), 0, &half);
  EXPECT_EQ(read(t.Get(), 0, 8, 8), a) << "one subresource";
  context->CopySubresourceRegion(t.Get(), 1, 0, 0, 0, t.Get(), 0, nullptr);
  EXPECT_EQ(read(t.Get(), 1, 8, 8), a);
}

TEST_F(Transfer, BlockCopies) {
  // REQ: A0709 D0221
  const auto blocks = bytes(3, 4 * 4 * 8);
  const D3D11_SUBRESOURCE_DATA init = {blocks.data(), 32, 0};
  auto words = texture(desc2D(4, 4, kSrv, DXGI_FORMAT_R16G16B16A16_UINT), &init);
  auto bc = texture(16, 16, kSrv, DXGI_FORMAT_BC1_UNORM);
  context->CopyResource(bc.Get(), words.Get());
  EXPECT_EQ(read(bc.Get(), 0, 32, 4), blocks);
  auto back = texture(4, 4, kSrv, DXGI_FORMAT_R16G16B16A16_UINT);
  const D3D11_BOX box = {4, 4, 0, 16, 16, 1};
  context->CopySubresourceRegion(back.Get(), 0, 1, 1, 0, bc.Get(), 0, &box);
  const auto now = read(back.Get(), 0, 32, 4);
  EXPECT_EQ(std::vector<BYTE>(now.begin() + 40, now.begin() + 64), std::vector<BYTE>(blocks.begin() + 40, blocks.begin() + 64));
}

TEST_F(Transfer, WholeCopiesOnly) {
  // REQ: A0714
  auto a = texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT), b = texture(8, 8, kDsv, DXGI_FORMAT_D32_FLOAT);
  context->ClearDepthStencilView(dsv(a.Get()).Get(), D3D11_CLEAR_DEPTH, 0.75f, 0);
  context->ClearDepthStencilView(dsv(b.Get()).Get(), D3D11_CLEAR_DEPTH, 0.25f, 0);
  const D3D11_BOX part = {0, 0, 0, 4, 4, 1};
  context->CopySubresourceRegion(b.Get(), 0, 0, 0, 0, a.Get(), 0, &part);
  float z;
  memcpy(&z, read(b.Get(), 0, 32, 8).data(), 4);
  EXPECT_EQ(z, 0.25f);
  context->CopySubresourceRegion(b.Get(), 0, 0, 0, 0, a.Get(), 0, nullptr);
  memcpy(&z, read(b.Get(), 0, 32, 8).data(), 4);
  EXPECT_EQ(z, 0.75f);
  D3D11_TEXTURE2D_DESC d = desc2D(8, 8, kRtv);
  d.SampleDesc.Count = 4;
  auto red = texture(d), green = texture(d), flat = texture(8, 8, kSrv);
  const float r[4] = {1, 0, 0, 1}, g[4] = {0, 1, 0, 1};
  context->ClearRenderTargetView(rtv(red.Get()).Get(), r);
  context->ClearRenderTargetView(rtv(green.Get()).Get(), g);
  auto shown = [&] {
    context->ResolveSubresource(flat.Get(), 0, green.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
    return pixel(flat.Get(), 1, 1);
  };
  context->CopySubresourceRegion(green.Get(), 0, 0, 0, 0, red.Get(), 0, &part);
  EXPECT_EQ(shown(), 0xff00ff00u);
  context->CopySubresourceRegion(green.Get(), 0, 1, 0, 0, red.Get(), 0, nullptr);
  EXPECT_EQ(shown(), 0xff00ff00u);
  context->CopySubresourceRegion(green.Get(), 0, 0, 0, 0, red.Get(), 0, nullptr);
  EXPECT_EQ(shown(), 0xff0000ffu);
}

TEST_F(Transfer, WriteToAndReadFromSubresource) {
  // REQ: B0695 B0696 B0697 B0698 D0154 D0155 D0156 D0157
  D3D11_TEXTURE2D_DESC1 d = {};
  const D3D11_TEXTURE2D_DESC base = desc2D(16, 16, 0, DXGI_FORMAT_R8_UINT);
  memcpy(&d, &base, sizeof base);
  d.CPUAccessFlags = kRead | kWrite;
  d.TextureLayout = D3D11_TEXTURE_LAYOUT_ROW_MAJOR;
  ComPtr<ID3D11Texture2D1> t;
  ASSERT_EQ(device->CreateTexture2D1(&d, nullptr, &t), S_OK);
  const auto data = bytes(11);
  ASSERT_EQ(context->Map(t.Get(), 0, D3D11_MAP_WRITE, 0, nullptr), S_OK);
  for (UINT y = 0; y < 16; y += 8)
    for (UINT x = 0; x < 16; x += 5) {
      const D3D11_BOX box = {x, y, 0, std::min(x + 5, 16u), y + 8, 1};
      device->WriteToSubresource(t.Get(), 0, &box, &data[y * 16 + x], 16, 0);
    }
  context->Unmap(t.Get(), 0);
  device->WriteToSubresource(t.Get(), 0, nullptr, bytes(99).data(), 16, 0); // not mapped: ignored
  ASSERT_EQ(context->Map(t.Get(), 0, D3D11_MAP_READ, 0, nullptr), S_OK);
  std::vector<BYTE> out(16 * 19 + 1);
  device->ReadFromSubresource(out.data() + 1, 19, 0, t.Get(), 0, nullptr);
  context->Unmap(t.Get(), 0);
  for (UINT y = 0; y < 16; y++)
    EXPECT_EQ(memcmp(&out[1 + y * 19], &data[y * 16], 16), 0);
}

TEST_F(Transfer, ClearColor) {
  // REQ: A0734
  auto t = texture(20, 20, kRtv);
  auto v = rtv(t.Get());
  const D3D11_RECT scissor = {0, 0, 1, 1};
  context->RSSetScissorRects(1, &scissor);
  viewport(2, 2);
  const float color[4] = {1, 0.5f, 0, 1};
  context->ClearRenderTargetView(v.Get(), color);
  const auto data = read(t.Get(), 0, 80, 20);
  for (UINT i = 0; i < 400; i++) {
    EXPECT_EQ(data[i * 4], 255);
    EXPECT_NEAR(data[i * 4 + 1], 128, 1);
    EXPECT_EQ(data[i * 4 + 3], 255);
  }
}

TEST_F(Transfer, ClearDepthStencil) {
  // REQ: A0084 A0740 A0741 A0742
  auto t = texture(8, 8, kDsv, DXGI_FORMAT_D24_UNORM_S8_UINT);
  auto v = dsv(t.Get());
  auto texel = [&] {
    UINT value;
    memcpy(&value, read(t.Get(), 0, 32, 8).data(), 4);
    return value;
  };
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 0x7F);
  EXPECT_EQ(texel(), 0x7FFFFFFFu);
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH, 0, 0x11);
  EXPECT_EQ(texel(), 0x7F000000u);
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_STENCIL, 1, 0x22);
  EXPECT_EQ(texel(), 0x22000000u);
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH, 2, 0);
  EXPECT_EQ(texel(), 0x22FFFFFFu) << "clamped";
  context->ClearDepthStencilView(v.Get(), D3D11_CLEAR_DEPTH, -1, 0);
  EXPECT_EQ(texel(), 0x22000000u);
}

TEST_F(Transfer, ClearView) {
  // REQ: B0470 B0471 B0475
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kRtv);
  d.ArraySize = 2;
  auto t = texture(d);
  auto v = rtv(t.Get());
  const float black[4] = {}, white[4] = {1, 1, 1, 1};
  context->ClearView(v.Get(), black, nullptr, 0);
  const D3D11_RECT rects[4] = {{0, 0, 4, 4}, {8, 8, 12, 16}, {5, 5, 5, 9}, {5, 5, 9, 5}};
  context->ClearView(v.Get(), white, rects, 4);
  for (UINT slice = 0; slice < 2; slice++) {
    const auto data = read(t.Get(), slice, 64, 16);
    UINT set = 0;
    for (UINT i = 0; i < 256; i++)
      set += data[i * 4] == 255;
    EXPECT_EQ(set, 16u + 32u);
  }
  // REQ: B0473
  const float odd[4] = {INFINITY, NAN, 2, -1};
  context->ClearView(v.Get(), odd, nullptr, 0);
  EXPECT_EQ(pixel(t.Get()), 0x00ff00ffu);
  // REQ: B0474
  auto ints = texture(4, 4, kRtv, DXGI_FORMAT_R8G8B8A8_UINT);
  const float values[4] = {235.9f, -5, 1e9f, NAN};
  context->ClearView(rtv(ints.Get()).Get(), values, nullptr, 0);
  EXPECT_EQ(pixel(ints.Get()), 0x00ff00ebu);
  // REQ: A0438 B0583
  D3D11_FEATURE_DATA_D3D11_OPTIONS1 options = {};
  ASSERT_EQ(device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS1, &options, sizeof options), S_OK);
  EXPECT_TRUE(options.ClearViewAlsoSupportsDepthOnlyFormats);
  auto depth = texture(4, 4, kDsv, DXGI_FORMAT_D32_FLOAT);
  const float half[4] = {0.5f, 0, 0, 0};
  context->ClearView(dsv(depth.Get()).Get(), half, nullptr, 0);
  float z;
  memcpy(&z, read(depth.Get(), 0, 16, 4).data(), 4);
  EXPECT_EQ(z, 0.5f);
  // REQ: B0469
  auto both = texture(4, 4, kDsv, DXGI_FORMAT_D24_UNORM_S8_UINT);
  auto bothView = dsv(both.Get());
  context->ClearDepthStencilView(bothView.Get(), D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 3);
  context->ClearView(bothView.Get(), half, nullptr, 0);
  UINT value;
  memcpy(&value, read(both.Get(), 0, 16, 4).data(), 4);
  EXPECT_EQ(value, 0x03ffffffu);
  auto seen = texture(4, 4, kSrv | kRtv);
  context->ClearRenderTargetView(rtv(seen.Get()).Get(), white);
  context->ClearView(srv(seen.Get()).Get(), black, nullptr, 0);
  EXPECT_EQ(pixel(seen.Get()), 0xffffffffu);
  D3D11_TEXTURE3D_DESC vd = {4, 4, 4, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, kRtv, 0, 0};
  ComPtr<ID3D11Texture3D> volume, staging;
  ASSERT_EQ(device->CreateTexture3D(&vd, nullptr, &volume), S_OK);
  vd.Usage = D3D11_USAGE_STAGING;
  vd.BindFlags = 0;
  vd.CPUAccessFlags = kRead;
  ASSERT_EQ(device->CreateTexture3D(&vd, nullptr, &staging), S_OK);
  context->ClearRenderTargetView(rtv(volume.Get()).Get(), white);
  context->ClearView(rtv(volume.Get()).Get(), black, nullptr, 0);
  context->CopyResource(staging.Get(), volume.Get());
  EXPECT_EQ(readStaging(staging.Get(), 0, 16, 4, 4), std::vector<BYTE>(256, 255));
}

TEST_F(Transfer, GenerateMips) {
  // REQ: A0743 D0242
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv | kRtv);
  d.MipLevels = 5;
  d.MiscFlags = D3D11_RESOURCE_MISC_GENERATE_MIPS;
  std::vector<BYTE> levels[5];
  D3D11_SUBRESOURCE_DATA init[5];
  for (UINT i = 0; i < 5; i++) {
    levels[i].assign((16 >> i) * (16 >> i) * 4, BYTE(10 * (i + 1)));
    init[i] = {levels[i].data(), (16u >> i) * 4, 0};
  }
  auto t = texture(d, init);
  D3D11_SHADER_RESOURCE_VIEW_DESC sd = {};
  sd.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  sd.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  sd.Texture2D = {1, 3};
  context->GenerateMips(srv(t.Get(), &sd).Get());
  const BYTE want[5] = {10, 20, 20, 20, 50};
  for (UINT i = 0; i < 5; i++)
    EXPECT_EQ(read(t.Get(), i, (16 >> i) * 4, 16 >> i)[0], want[i]) << "mip " << i;
  // REQ: A0744 D0243
  D3D11_TEXTURE2D_DESC without = d;
  without.MiscFlags = 0;
  auto u = texture(without, init);
  context->GenerateMips(srv(u.Get()).Get());
  EXPECT_EQ(read(u.Get(), 1, 32, 8)[0], 20);
  // REQ: A0745 D0249
  D3D11_TEXTURE2D_DESC integer = d;
  integer.Format = DXGI_FORMAT_R8G8B8A8_UINT;
  ComPtr<ID3D11Texture2D> w;
  ASSERT_EQ(device->CreateTexture2D(&integer, init, &w), S_OK);
  D3D11_SHADER_RESOURCE_VIEW_DESC integers = sd;
  integers.Format = integer.Format;
  integers.Texture2D = {0, 5};
  context->GenerateMips(srv(w.Get(), &integers).Get());
  EXPECT_EQ(read(w.Get(), 1, 32, 8)[0], 20);
}

TEST_F(Transfer, Resolve) {
  // REQ: A0756 D0255
  auto ms = [&](DXGI_FORMAT f) {
    D3D11_TEXTURE2D_DESC d = desc2D(8, 8, kRtv, f);
    d.SampleDesc.Count = 4;
    return texture(d);
  };
  const float color[4] = {0, 1, 0, 1};
  auto source = ms(DXGI_FORMAT_R8G8B8A8_UNORM);
  context->ClearRenderTargetView(rtv(source.Get()).Get(), color);
  auto dest = texture(8, 8, kSrv | kRtv);
  auto reset = [&] {
    const float black[4] = {};
    context->ClearRenderTargetView(rtv(dest.Get()).Get(), black);
  };
  reset();
  context->ResolveSubresource(dest.Get(), 0, source.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(dest.Get(), 7, 7), 0xff00ff00u);
  // REQ: A0757
  reset();
  context->ResolveSubresource(dest.Get(), 0, source.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB);
  EXPECT_EQ(pixel(dest.Get()), 0u);
  // REQ: A0758 D0256
  auto typeless = ms(DXGI_FORMAT_R8G8B8A8_TYPELESS);
  D3D11_RENDER_TARGET_VIEW_DESC rd = {};
  rd.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  rd.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DMS;
  context->ClearRenderTargetView(rtv(typeless.Get(), &rd).Get(), color);
  context->ResolveSubresource(dest.Get(), 0, typeless.Get(), 0, DXGI_FORMAT_R8G8B8A8_TYPELESS);
  EXPECT_EQ(pixel(dest.Get()), 0u);
  context->ResolveSubresource(dest.Get(), 0, typeless.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(dest.Get()), 0xff00ff00u);
  // REQ: A0759 D0257
  auto typelessDest = texture(8, 8, kSrv, DXGI_FORMAT_R8G8B8A8_TYPELESS);
  context->ResolveSubresource(typelessDest.Get(), 0, typeless.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(typelessDest.Get()), 0xff00ff00u);
  // REQ: A0760
  reset();
  auto single = texture(8, 8, kRtv);
  context->ClearRenderTargetView(rtv(single.Get()).Get(), color);
  context->ResolveSubresource(dest.Get(), 0, single.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(dest.Get()), 0u);
  // REQ: D0254
  auto small = texture(4, 4, kRtv);
  context->ResolveSubresource(small.Get(), 0, source.Get(), 0, DXGI_FORMAT_R8G8B8A8_UNORM);
  EXPECT_EQ(pixel(small.Get()), 0u);
}

TEST_F(Transfer, MappedDefaultBuffer) {
  // REQ: A0439
  D3D11_FEATURE_DATA_D3D11_OPTIONS1 options = {};
  ASSERT_EQ(device->CheckFeatureSupport(D3D11_FEATURE_D3D11_OPTIONS1, &options, sizeof options), S_OK);
  EXPECT_TRUE(options.MapOnDefaultBuffers);
  auto b = buffer(64, kSrv, D3D11_USAGE_DEFAULT, kRead | kWrite);
  D3D11_MAPPED_SUBRESOURCE m;
  ASSERT_EQ(context->Map(b.Get(), 0, D3D11_MAP_WRITE, 0, &m), S_OK);
  memset(m.pData, 42, 64);
  context->Unmap(b.Get(), 0);
  ASSERT_EQ(context->Map(b.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
  EXPECT_EQ(static_cast<BYTE*>(m.pData)[63], 42);
  context->Unmap(b.Get(), 0);
  EXPECT_EQ(read(b.Get())[5], 42);
}
