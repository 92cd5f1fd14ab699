// SPDX-License-Identifier: MIT
// What cannot be bound at once: readers and writers of one resource, the slots of unordered access.
#include "bindings.h"

using namespace api;

TEST_F(Bindings, StreamOutputBuffersLeaveTheInputAssembler) {
  // REQ: A0611 D0274 D0275 A0541 D0016
  auto b = buffer(64, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_STREAM_OUTPUT);
  const UINT stride = 4, offset = 0;
  context->SOSetTargets(1, b.GetAddressOf(), &offset);
  context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  context->IASetIndexBuffer(b.Get(), DXGI_FORMAT_R16_UINT, 0);
  ComPtr<ID3D11Buffer> got;
  context->IAGetVertexBuffers(0, 1, &got, nullptr, nullptr);
  EXPECT_FALSE(got);
  context->IAGetIndexBuffer(&got, nullptr, nullptr);
  EXPECT_FALSE(got);
  context->SOSetTargets(0, nullptr, nullptr);
  context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  context->SOSetTargets(1, b.GetAddressOf(), &offset);
  context->IAGetVertexBuffers(0, 1, &got, nullptr, nullptr);
  EXPECT_FALSE(got);
  context->SOGetTargets(1, &got);
  EXPECT_EQ(got.Get(), b.Get());
  // Two writers exclude each other as well.
  auto written = buffer(64, kUav | D3D11_BIND_STREAM_OUTPUT);
  D3D11_UNORDERED_ACCESS_VIEW_DESC d = {};
  d.Format = DXGI_FORMAT_R32_UINT;
  d.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
  d.Buffer.NumElements = 16;
  ComPtr<ID3D11UnorderedAccessView> uav;
  ASSERT_EQ(device->CreateUnorderedAccessView(written.Get(), &d, &uav), S_OK);
  context->SOSetTargets(1, written.GetAddressOf(), &offset);
  context->CSSetUnorderedAccessViews(0, 1, uav.GetAddressOf(), nullptr);
  context->SOGetTargets(1, got.ReleaseAndGetAddressOf());
  EXPECT_FALSE(got);
}

TEST_F(Bindings, BuffersWrittenElsewhereAreNoStreamOutputTargets) {
  // REQ: A0684
  auto b = buffer(64, kUav | kRtv | D3D11_BIND_STREAM_OUTPUT);
  D3D11_UNORDERED_ACCESS_VIEW_DESC u = {};
  u.Format = DXGI_FORMAT_R32_UINT;
  u.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
  u.Buffer.NumElements = 16;
  ComPtr<ID3D11UnorderedAccessView> uav;
  ASSERT_EQ(device->CreateUnorderedAccessView(b.Get(), &u, &uav), S_OK);
  D3D11_RENDER_TARGET_VIEW_DESC r = {};
  r.Format = DXGI_FORMAT_R32_UINT;
  r.ViewDimension = D3D11_RTV_DIMENSION_BUFFER;
  r.Buffer.NumElements = 16;
  ComPtr<ID3D11RenderTargetView> target;
  ASSERT_EQ(device->CreateRenderTargetView(b.Get(), &r, &target), S_OK);
  const UINT offset = 0;
  const auto bound = [&] {
    context->SOSetTargets(0, nullptr, nullptr);
    context->SOSetTargets(1, b.GetAddressOf(), &offset);
    ComPtr<ID3D11Buffer> got;
    context->SOGetTargets(1, &got);
    return got.Get() == b.Get();
  };
  EXPECT_TRUE(bound());
  context->SOSetTargets(0, nullptr, nullptr);
  context->CSSetUnorderedAccessViews(0, 1, uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(bound()) << "compute";
  ID3D11UnorderedAccessView* noUav = nullptr;
  context->CSSetUnorderedAccessViews(0, 1, &noUav, nullptr);
  context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 1, 1, uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(bound()) << "output merger";
  context->OMSetRenderTargets(1, target.GetAddressOf(), nullptr);
  EXPECT_FALSE(bound()) << "render target";
  context->OMSetRenderTargets(0, nullptr, nullptr);
  EXPECT_TRUE(bound());
}

TEST_F(Bindings, ReadWriteHazards) {
  auto t = texture(16, 16, kSrv | kRtv);
  auto sv = srv(t.Get());
  auto rv = rtv(t.Get());
  // REQ: A0644 D0281 A0588 D0160 B0273 D0084
  bindView(sv.Get(), 5);
  for (const StageMethods& s : kStages)
    (context.Get()->*s.setViews)(3, 1, sv.GetAddressOf());
  bindTarget(rv.Get());
  EXPECT_FALSE(boundView(5));
  for (const StageMethods& s : kStages) {
    ComPtr<ID3D11ShaderResourceView> v;
    (context.Get()->*s.getViews)(3, 1, &v);
    EXPECT_FALSE(v) << s.name;
  }
  for (const StageMethods& s : kStages) {
    (context.Get()->*s.setViews)(3, 1, sv.GetAddressOf());
    ComPtr<ID3D11ShaderResourceView> v;
    (context.Get()->*s.getViews)(3, 1, &v);
    EXPECT_FALSE(v) << s.name << ": the output stays, the reader becomes NULL";
  }
  EXPECT_EQ(boundTarget().Get(), rv.Get());
  bindTarget(nullptr);
  bindView(sv.Get());
  EXPECT_TRUE(boundView());
  // Unordered access excludes readers, and targets end it.
  auto all = texture(16, 16, kSrv | kRtv | kUav);
  auto allView = srv(all.Get());
  ComPtr<ID3D11UnorderedAccessView> uav, gotUav;
  ASSERT_EQ(device->CreateUnorderedAccessView(all.Get(), nullptr, &uav), S_OK);
  bindView(allView.Get());
  context->CSSetUnorderedAccessViews(0, 1, uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(boundView());
  bindView(allView.Get());
  EXPECT_FALSE(boundView());
  bindTarget(rtv(all.Get()).Get());
  context->CSGetUnorderedAccessViews(0, 1, &gotUav);
  EXPECT_FALSE(gotUav);
  bindTarget(nullptr);

  // Other subresources do not conflict.
  D3D11_TEXTURE2D_DESC d = desc2D(16, 16, kSrv | kRtv);
  d.MipLevels = 2;
  auto mips = texture(d);
  D3D11_SHADER_RESOURCE_VIEW_DESC sd = {};
  sd.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  sd.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  sd.Texture2D = {0, 1};
  D3D11_RENDER_TARGET_VIEW_DESC rd = {};
  rd.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  rd.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D;
  rd.Texture2D.MipSlice = 1;
  auto mip0 = srv(mips.Get(), &sd);
  auto mip1 = rtv(mips.Get(), &rd);
  bindView(mip0.Get());
  bindTarget(mip1.Get());
  EXPECT_TRUE(boundView());
  auto whole = srv(mips.Get());
  bindView(whole.Get());
  EXPECT_FALSE(boundView());
}

TEST_F(Bindings, DepthHazards) {
  // REQ: A0102
  auto t = texture(16, 16, kSrv | kDsv, DXGI_FORMAT_R24G8_TYPELESS);
  D3D11_DEPTH_STENCIL_VIEW_DESC dd = {};
  dd.Format = DXGI_FORMAT_D24_UNORM_S8_UINT;
  dd.ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2D;
  auto writable = dsv(t.Get(), &dd);
  dd.Flags = D3D11_DSV_READ_ONLY_DEPTH;
  auto readDepth = dsv(t.Get(), &dd);
  dd.Flags = D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL;
  auto readBoth = dsv(t.Get(), &dd);
  D3D11_SHADER_RESOURCE_VIEW_DESC sd = {};
  sd.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D;
  sd.Texture2D.MipLevels = 1;
  sd.Format = DXGI_FORMAT_R24_UNORM_X8_TYPELESS;
  auto depthView = srv(t.Get(), &sd);
  sd.Format = DXGI_FORMAT_X24_TYPELESS_G8_UINT;
  auto stencilView = srv(t.Get(), &sd);
  struct Row {
    ID3D11DepthStencilView* target;
    ID3D11ShaderResourceView* view;
    bool together;
  };
  const Row rows[] = {{writable.Get(), depthView.Get(), false},   {writable.Get(), stencilView.Get(), false},
                      {readDepth.Get(), depthView.Get(), true},   {readDepth.Get(), stencilView.Get(), false},
                      {readBoth.Get(), depthView.Get(), true},    {readBoth.Get(), stencilView.Get(), true}};
  for (const Row& r : rows) {
    SCOPED_TRACE(testing::Message() << "row " << (&r - rows));
    context->ClearState();
    bindView(r.view);
    bindTarget(nullptr, r.target);
    EXPECT_EQ(boundView() != nullptr, r.together);
    context->ClearState();
    bindTarget(nullptr, r.target);
    bindView(r.view);
    EXPECT_EQ(boundView() != nullptr, r.together);
  }
}

TEST_F(Bindings, UnorderedAccessHazards) {
  // REQ: A0653 A0654 A0658 A0659 A0660 A0662 A0663 A0664 A0667 B0035
  auto t = texture(16, 16, kSrv | kUav | kRtv);
  ComPtr<ID3D11UnorderedAccessView> uav, other;
  ASSERT_EQ(device->CreateUnorderedAccessView(t.Get(), nullptr, &uav), S_OK);
  ASSERT_EQ(device->CreateUnorderedAccessView(texture(16, 16, kUav).Get(), nullptr, &other), S_OK);
  auto sv = srv(t.Get());
  auto rv = rtv(texture(16, 16, kRtv).Get());
  auto outputUav = [&](UINT slot) {
    ComPtr<ID3D11UnorderedAccessView> v;
    context->OMGetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slot, 1, &v);
    return v;
  };
  auto computeUav = [&](UINT slot) {
    ComPtr<ID3D11UnorderedAccessView> v;
    context->CSGetUnorderedAccessViews(slot, 1, &v);
    return v;
  };
  bindView(sv.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(1, rv.GetAddressOf(), nullptr, 1, 1, uav.GetAddressOf(), nullptr);
  EXPECT_EQ(outputUav(1).Get(), uav.Get());
  {
    auto held = outputUav(1);
    EXPECT_EQ(refs(uav), 2u); // REQ: D0169
  }
  EXPECT_EQ(boundTarget().Get(), rv.Get());
  EXPECT_FALSE(boundView());
  // a start slot below the number of targets, or beyond the slots, is refused
  context->OMSetRenderTargetsAndUnorderedAccessViews(1, rv.GetAddressOf(), nullptr, 0, 1, other.GetAddressOf(), nullptr);
  EXPECT_EQ(outputUav(1).Get(), uav.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(1, rv.GetAddressOf(), nullptr, 8, 1, other.GetAddressOf(), nullptr);
  EXPECT_EQ(outputUav(1).Get(), uav.Get());
  // REQ: A0656
  ID3D11UnorderedAccessView* twice[2] = {other.Get(), other.Get()};
  context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 2, 2, twice, nullptr);
  EXPECT_EQ(outputUav(1).Get(), uav.Get());
  // compute and pixel stages exclude each other
  context->CSSetUnorderedAccessViews(0, 1, uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(outputUav(1));
  EXPECT_TRUE(computeUav(0));
  context->OMSetRenderTargetsAndUnorderedAccessViews(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL, nullptr, nullptr, 1, 1,
                                                     uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(computeUav(0));
  EXPECT_EQ(boundTarget().Get(), rv.Get()) << "targets are kept";
  // keeping targets, but not those at or above the first UAV slot
  context->OMSetRenderTargetsAndUnorderedAccessViews(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL, nullptr, nullptr, 0, 1,
                                                     uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(boundTarget());
  // keeping UAVs, but not those below the number of targets
  ID3D11UnorderedAccessView* both[2] = {uav.Get(), other.Get()};
  context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 0, 2, both, nullptr);
  context->OMSetRenderTargetsAndUnorderedAccessViews(1, rv.GetAddressOf(), nullptr, 0, D3D11_KEEP_UNORDERED_ACCESS_VIEWS,
                                                     nullptr, nullptr);
  EXPECT_FALSE(outputUav(0));
  EXPECT_EQ(outputUav(1).Get(), other.Get());
  // the depth buffer: ignored while targets are kept, unbound by NULL
  auto depth = dsv(texture(16, 16, kDsv, DXGI_FORMAT_D32_FLOAT).Get());
  auto boundDepth = [&] {
    ComPtr<ID3D11DepthStencilView> d;
    context->OMGetRenderTargetsAndUnorderedAccessViews(0, nullptr, &d, 0, 0, nullptr);
    return d;
  };
  context->OMSetRenderTargetsAndUnorderedAccessViews(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL, nullptr, depth.Get(), 1, 1,
                                                     other.GetAddressOf(), nullptr);
  EXPECT_FALSE(boundDepth());
  bindTarget(rv.Get(), depth.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL, nullptr, nullptr, 1, 1,
                                                     other.GetAddressOf(), nullptr);
  EXPECT_EQ(boundDepth().Get(), depth.Get());
  // a target of the same texture leaves in one direction, the UAV in the other
  auto same0 = rtv(t.Get());
  bindTarget(same0.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL, nullptr, nullptr, 1, 1,
                                                     uav.GetAddressOf(), nullptr);
  EXPECT_FALSE(boundTarget());
  EXPECT_EQ(outputUav(1).Get(), uav.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(1, same0.GetAddressOf(), nullptr, 0, D3D11_KEEP_UNORDERED_ACCESS_VIEWS, nullptr,
                                                     nullptr);
  EXPECT_EQ(boundTarget().Get(), same0.Get());
  EXPECT_FALSE(outputUav(1));
  // nine targets are too many
  ID3D11RenderTargetView* nine[9] = {rv.Get()};
  context->OMSetRenderTargetsAndUnorderedAccessViews(9, nine, nullptr, 9, 0, nullptr, nullptr);
  EXPECT_EQ(boundTarget().Get(), same0.Get());
  // stream output, readers and compute UAVs leave, whether targets are kept or not
  auto b = buffer(64, kSrv | kUav | D3D11_BIND_STREAM_OUTPUT);
  D3D11_UNORDERED_ACCESS_VIEW_DESC ud = {};
  ud.Format = DXGI_FORMAT_R32_UINT;
  ud.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
  ud.Buffer.NumElements = 16;
  D3D11_SHADER_RESOURCE_VIEW_DESC sd = {};
  sd.Format = DXGI_FORMAT_R32_UINT;
  sd.ViewDimension = D3D11_SRV_DIMENSION_BUFFER;
  sd.Buffer.NumElements = 16;
  auto bufferView = srv(b.Get(), &sd);
  ComPtr<ID3D11UnorderedAccessView> bufferUav;
  ASSERT_EQ(device->CreateUnorderedAccessView(b.Get(), &ud, &bufferUav), S_OK);
  for (const UINT targets : {0u, UINT(D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL)})
    for (int bound = 0; bound < 3; bound++) {
      context->ClearState();
      const UINT offset = 0;
      if (bound == 0)
        context->SOSetTargets(1, b.GetAddressOf(), &offset);
      else if (bound == 1)
        context->CSSetUnorderedAccessViews(2, 1, bufferUav.GetAddressOf(), nullptr);
      else
        bindView(bufferView.Get());
      context->OMSetRenderTargetsAndUnorderedAccessViews(targets, nullptr, nullptr, 1, 1, bufferUav.GetAddressOf(), nullptr);
      EXPECT_EQ(outputUav(1).Get(), bufferUav.Get());
      ComPtr<ID3D11Buffer> so;
      context->SOGetTargets(1, &so);
      EXPECT_FALSE(so || computeUav(2) || boundView()) << bound;
    }
  bindTarget(rv.Get(), depth.Get());
  context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, 0, 0, nullptr, nullptr);
  EXPECT_FALSE(outputUav(1));
  EXPECT_FALSE(boundTarget() || boundDepth());
}

TEST_F(Bindings, SlotsOfUnorderedAccess) {
  // REQ: A0668 A0669 A0777 B0057
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_11_1}) {
    Created c = createDevice(level);
    ASSERT_EQ(c.hr, S_OK);
    const UINT slots = level == D3D_FEATURE_LEVEL_11_1 ? D3D11_1_UAV_SLOT_COUNT : D3D11_PS_CS_UAV_REGISTER_COUNT;
    const D3D11_TEXTURE2D_DESC desc = desc2D(8, 8, kUav);
    ComPtr<ID3D11Texture2D> t, u;
    ComPtr<ID3D11UnorderedAccessView> first, second;
    ASSERT_EQ(c.device->CreateTexture2D(&desc, nullptr, &t), S_OK);
    ASSERT_EQ(c.device->CreateTexture2D(&desc, nullptr, &u), S_OK);
    ASSERT_EQ(c.device->CreateUnorderedAccessView(t.Get(), nullptr, &first), S_OK);
    ASSERT_EQ(c.device->CreateUnorderedAccessView(u.Get(), nullptr, &second), S_OK);
    ID3D11UnorderedAccessView* two[2] = {second.Get(), first.Get()};
    ComPtr<ID3D11UnorderedAccessView> got;
    c.context->CSSetUnorderedAccessViews(slots - 1, 1, first.GetAddressOf(), nullptr);
    c.context->CSSetUnorderedAccessViews(slots - 1, 2, two, nullptr);
    c.context->CSSetUnorderedAccessViews(slots, 1, two, nullptr);
    c.context->CSGetUnorderedAccessViews(slots - 1, 1, &got);
    EXPECT_EQ(got.Get(), first.Get());
    EXPECT_EQ(refs(first), 2u);
    c.context->CSSetUnorderedAccessViews(slots - 2, 2, two, nullptr);
    c.context->CSGetUnorderedAccessViews(slots - 2, 1, got.ReleaseAndGetAddressOf());
    EXPECT_EQ(got.Get(), second.Get());
    c.context->ClearState();
    auto output = [&](UINT slot) {
      c.context->OMGetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slot, 1, got.ReleaseAndGetAddressOf());
      return got.Get();
    };
    c.context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slots - 1, 1, first.GetAddressOf(), nullptr);
    EXPECT_EQ(output(slots - 1), first.Get());
    c.context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slots - 1, 2, two, nullptr);
    c.context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slots, 1, two, nullptr);
    EXPECT_EQ(output(slots - 1), first.Get()) << "beyond the slots: refused";
    c.context->OMSetRenderTargetsAndUnorderedAccessViews(0, nullptr, nullptr, slots - 2, 2, two, nullptr);
    EXPECT_EQ(output(slots - 2), second.Get());
    c.context->ClearState();
  }
}
