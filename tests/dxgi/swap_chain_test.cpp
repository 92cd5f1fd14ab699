// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <cmath>

// REQ: O0033
TEST_F(Dxgi, BufferCountIsOneToSixteenAndTwoForFlipModels) {
  ComPtr<IDXGISwapChain1> chain;
  for (const UINT count : {2u, 3u, 16u}) {
    ASSERT_EQ(create(flipDesc(count), chain), S_OK) << count;
    DXGI_SWAP_CHAIN_DESC1 got;
    ASSERT_EQ(chain->GetDesc1(&got), S_OK);
    EXPECT_EQ(got.BufferCount, count);
  }
  for (const UINT count : {0u, 1u, 17u}) EXPECT_EQ(create(flipDesc(count), chain), DXGI_ERROR_INVALID_CALL) << count;
  EXPECT_EQ(chain.Get(), nullptr);
  auto blt = flipDesc(1);
  blt.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
  EXPECT_EQ(create(blt, chain), S_OK);
}

TEST_F(Dxgi, WhatCannotBePresentedIsRefused) {
  ComPtr<IDXGISwapChain1> chain;
  auto bad = flipDesc();
  bad.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB; // flip models cast views instead
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
  EXPECT_EQ(create(bad, chain), S_OK);
  bad = flipDesc();
  bad.Format = DXGI_FORMAT_BC1_UNORM;
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.SampleDesc.Count = 4;
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.SwapEffect = static_cast<DXGI_SWAP_EFFECT>(9);
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.Format = static_cast<DXGI_FORMAT>(99999);
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.Scaling = static_cast<DXGI_SCALING>(77);
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.AlphaMode = static_cast<DXGI_ALPHA_MODE>(8);
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.Width = 20000;
  EXPECT_EQ(create(bad, chain), DXGI_ERROR_INVALID_CALL);
  bad = flipDesc();
  bad.Width = 0;
  EXPECT_EQ(factory->CreateSwapChainForComposition(device.Get(), &bad, nullptr, &chain), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(factory->CreateSwapChainForHwnd(factory.Get(), nullptr, &bad, nullptr, nullptr, &chain),
            DXGI_ERROR_INVALID_CALL)
      << "a factory is no device";
}

// REQ: O0035 O0038 O0039 O0040 O0042
TEST_F(Dxgi, BackgroundPlaneExampleOfTheDocumentIsCreated) {
  DXGI_SWAP_CHAIN_DESC1 desc = {};
  desc.Width = 1280;
  desc.Height = 720;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT | DXGI_USAGE_UNORDERED_ACCESS | DXGI_USAGE_SHADER_INPUT;
  desc.BufferCount = 2;
  desc.Scaling = DXGI_SCALING_STRETCH;
  desc.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(desc, chain), S_OK);
  ComPtr<ID3D11Texture2D> back;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  ComPtr<ID3D11ShaderResourceView> srv;
  ComPtr<ID3D11RenderTargetView> rtv;
  EXPECT_EQ(device->CreateShaderResourceView(back.Get(), nullptr, &srv), S_OK);
  EXPECT_EQ(device->CreateRenderTargetView(back.Get(), nullptr, &rtv), S_OK);
  ComPtr<ID3D11UnorderedAccessView> uav; // REQ: O0037
  EXPECT_EQ(device->CreateUnorderedAccessView(back.Get(), nullptr, &uav), S_OK);
  ComPtr<ID3D11Texture2D> second;
  EXPECT_EQ(chain->GetBuffer(1, IID_PPV_ARGS(&second)), DXGI_ERROR_INVALID_CALL) << "DISCARD has only buffer 0";
}

// REQ: O0043
TEST_F(Dxgi, CoreWindowAndCompositionChains) {
  ComPtr<IDXGISwapChain1> chain;
  const auto desc = flipDesc();
  ASSERT_EQ(factory->CreateSwapChainForCoreWindow(device.Get(), device.Get(), &desc, nullptr, &chain), S_OK);
  ComPtr<IUnknown> window;
  EXPECT_EQ(chain->GetCoreWindow(IID_PPV_ARGS(&window)), S_OK);
  HWND handle;
  EXPECT_EQ(chain->GetHwnd(&handle), DXGI_ERROR_INVALID_CALL);
  ASSERT_EQ(factory->CreateSwapChainForComposition(device.Get(), &desc, nullptr, &chain), S_OK);
  EXPECT_EQ(chain->SetFullscreenState(TRUE, nullptr), DXGI_ERROR_NOT_CURRENTLY_AVAILABLE);
}

TEST_F(Dxgi, BufferZeroKeepsItsIdentityOverPresents) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  ComPtr<ID3D11Texture2D> first, again;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&first)), S_OK);
  ASSERT_EQ(chain->Present(0, 0), S_OK);
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&again)), S_OK);
  EXPECT_EQ(first.Get(), again.Get());
  UINT presents = 0;
  ASSERT_EQ(chain->GetLastPresentCount(&presents), S_OK);
  EXPECT_EQ(presents, 1u);
}

// REQ: O0041
TEST_F(Dxgi, FlipSequentialRotatesContents) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(3), chain), S_OK);
  ComPtr<ID3D11Texture2D> back;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  for (int i = 1; i <= 3; i++) {
    clear(back.Get(), static_cast<float>(i) / 255);
    ASSERT_EQ(chain->Present(0, 0), S_OK);
  }
  // Three buffers: what was presented three frames ago is at hand again.
  EXPECT_EQ(pixel(back.Get()) & 255, 1u);
  ComPtr<ID3D11Texture2D> next;
  ASSERT_EQ(chain->GetBuffer(1, IID_PPV_ARGS(&next)), S_OK);
  EXPECT_EQ(pixel(next.Get()) & 255, 2u);
}

TEST_F(Dxgi, ViewsOfBackBuffersMayBeSrgb) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  ComPtr<ID3D11Texture2D> back;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  clear(back.Get(), 0.5f, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB);
  EXPECT_EQ(pixel(back.Get()) & 255, 188u) << "0.5 encoded by the sRGB curve";
  clear(back.Get(), 0.5f);
  EXPECT_EQ(pixel(back.Get()) & 255, 128u);
}

TEST_F(Dxgi, ResizeNeedsAllReferencesReleased) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  ComPtr<ID3D11Texture2D> back;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  EXPECT_EQ(chain->ResizeBuffers(0, 100, 50, DXGI_FORMAT_UNKNOWN, 0), DXGI_ERROR_INVALID_CALL);
  ComPtr<ID3D11RenderTargetView> view;
  ASSERT_EQ(device->CreateRenderTargetView(back.Get(), nullptr, &view), S_OK);
  back.Reset();
  EXPECT_EQ(chain->ResizeBuffers(0, 100, 50, DXGI_FORMAT_UNKNOWN, 0), DXGI_ERROR_INVALID_CALL) << "the view counts";
  view.Reset();
  ASSERT_EQ(chain->ResizeBuffers(3, 100, 50, DXGI_FORMAT_B8G8R8A8_UNORM, 0), S_OK);
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  D3D11_TEXTURE2D_DESC desc;
  back->GetDesc(&desc);
  EXPECT_EQ(desc.Width, 100u);
  EXPECT_EQ(desc.Height, 50u);
  EXPECT_EQ(desc.Format, DXGI_FORMAT_B8G8R8A8_UNORM);
  DXGI_SWAP_CHAIN_DESC1 got;
  ASSERT_EQ(chain->GetDesc1(&got), S_OK);
  EXPECT_EQ(got.BufferCount, 3u);
}

TEST_F(Dxgi, PresentArgumentsAreChecked) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  EXPECT_EQ(chain->Present(5, 0), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(chain->Present(0, 0x80000000u), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(chain->Present(0, DXGI_PRESENT_ALLOW_TEARING), DXGI_ERROR_INVALID_CALL) << "the chain lacks the flag";
  EXPECT_EQ(chain->Present(0, DXGI_PRESENT_TEST), S_OK);
  UINT presents = 1;
  chain->GetLastPresentCount(&presents);
  EXPECT_EQ(presents, 0u) << "a test presents nothing";
  EXPECT_EQ(chain->Present1(0, 0, nullptr), DXGI_ERROR_INVALID_CALL);
  const DXGI_PRESENT_PARAMETERS none = {};
  EXPECT_EQ(chain->Present1(0, 0, &none), S_OK);
}

TEST_F(Dxgi, SyncIntervalsCountVblanks) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  DXGI_FRAME_STATISTICS before = {}, after = {};
  ASSERT_EQ(chain->Present(1, 0), S_OK);
  ASSERT_EQ(chain->GetFrameStatistics(&before), S_OK);
  for (int i = 0; i < 10; i++) ASSERT_EQ(chain->Present(1, 0), S_OK);
  ASSERT_EQ(chain->GetFrameStatistics(&after), S_OK);
  EXPECT_EQ(after.PresentCount - before.PresentCount, 10u);
  // Ten more pictures need ten more vblanks; up to three may still be queued.
  EXPECT_GE(after.SyncRefreshCount - before.SyncRefreshCount, 7u);
}

TEST_F(Dxgi, PresentWithoutSyncDoesNotWaitForVblanks) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  DXGI_FRAME_STATISTICS before = {}, after = {};
  ASSERT_EQ(chain->GetFrameStatistics(&before), S_OK);
  for (int i = 0; i < 200; i++) ASSERT_EQ(chain->Present(0, 0), S_OK);
  ASSERT_EQ(chain->GetFrameStatistics(&after), S_OK);
  EXPECT_LT(after.SyncRefreshCount - before.SyncRefreshCount, 100u);
}

TEST_F(Dxgi, SwapChainHoldsDeviceAndFactory) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  ComPtr<ID3D11Device> owner;
  ASSERT_EQ(chain->GetDevice(IID_PPV_ARGS(&owner)), S_OK);
  EXPECT_EQ(owner.Get(), device.Get());
  ComPtr<IDXGIFactory> parent;
  ASSERT_EQ(chain->GetParent(IID_PPV_ARGS(&parent)), S_OK);
  owner.Reset();
  parent.Reset();
  factory.Reset();
  context.Reset();
  device.Reset();
  EXPECT_EQ(chain->Present(0, 0), S_OK);
}

TEST_F(Dxgi, BackBufferIsASurface) {
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(flipDesc(), chain), S_OK);
  ComPtr<IDXGISurface> surface;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&surface)), S_OK);
  DXGI_SURFACE_DESC desc;
  ASSERT_EQ(surface->GetDesc(&desc), S_OK);
  EXPECT_EQ(desc.Width, 64u);
  EXPECT_EQ(desc.Height, 48u);
  ComPtr<ID3D11Texture2D> texture;
  EXPECT_EQ(surface.As(&texture), S_OK);
}

TEST_F(Dxgi, BltChainsMayBeMultisampled) {
  auto desc = flipDesc(1);
  desc.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
  desc.SampleDesc.Count = 4;
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(desc, chain), S_OK);
  ComPtr<ID3D11Texture2D> buffer;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&buffer)), S_OK);
  D3D11_TEXTURE2D_DESC texture;
  buffer->GetDesc(&texture);
  EXPECT_EQ(texture.SampleDesc.Count, 4u);
  DXGI_SWAP_CHAIN_DESC old = {};
  ASSERT_EQ(chain->GetDesc(&old), S_OK);
  EXPECT_EQ(old.SampleDesc.Count, 4u);
  ComPtr<ID3D11RenderTargetView> view;
  ASSERT_EQ(device->CreateRenderTargetView(buffer.Get(), nullptr, &view), S_OK);
  const float red[4] = {1, 0, 0, 1};
  context->ClearRenderTargetView(view.Get(), red);
  EXPECT_EQ(chain->Present(0, 0), S_OK);
  view.Reset();
  buffer.Reset();
  EXPECT_EQ(chain->ResizeBuffers(0, 32, 32, DXGI_FORMAT_UNKNOWN, 0), S_OK);
  EXPECT_EQ(chain->Present(0, 0), S_OK);
  desc.SampleDesc.Quality = 7;
  EXPECT_EQ(create(desc, chain), DXGI_ERROR_INVALID_CALL);
  desc.SampleDesc = {3, 0};
  EXPECT_EQ(create(desc, chain), DXGI_ERROR_INVALID_CALL);
  desc.SampleDesc = {4, 0};
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  desc.BufferCount = 2;
  EXPECT_EQ(create(desc, chain), DXGI_ERROR_INVALID_CALL);
}

TEST_F(Dxgi, SurfacesOfSubresources) {
  D3D11_TEXTURE2D_DESC desc = {40, 24, 3, 2, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE, 0};
  ComPtr<ID3D11Texture2D> texture;
  ASSERT_EQ(device->CreateTexture2D(&desc, nullptr, &texture), S_OK);
  ComPtr<IDXGISurface> none;
  EXPECT_EQ(texture.As(&none), E_NOINTERFACE);
  ComPtr<IDXGIResource1> resource;
  ASSERT_EQ(texture.As(&resource), S_OK);
  ComPtr<IDXGISurface2> surface;
  EXPECT_EQ(resource->CreateSubresourceSurface(6, &surface), E_INVALIDARG);
  EXPECT_EQ(resource->CreateSubresourceSurface(0, nullptr), E_INVALIDARG);
  ASSERT_EQ(resource->CreateSubresourceSurface(4, &surface), S_OK); // mip 1 of layer 1
  DXGI_SURFACE_DESC size;
  ASSERT_EQ(surface->GetDesc(&size), S_OK);
  EXPECT_EQ(size.Width, 20u);
  EXPECT_EQ(size.Height, 12u);
  UINT index = 0;
  ComPtr<ID3D11Texture2D> parent;
  ASSERT_EQ(surface->GetResource(IID_PPV_ARGS(&parent), &index), S_OK);
  EXPECT_EQ(parent, texture);
  EXPECT_EQ(index, 4u);
  ComPtr<ID3D11Device> owner;
  EXPECT_EQ(surface->GetDevice(IID_PPV_ARGS(&owner)), S_OK);
  EXPECT_EQ(owner, device);
  ComPtr<IDXGISurface1> older;
  EXPECT_EQ(surface.As(&older), S_OK);
  EXPECT_EQ(surface.As(&parent), E_NOINTERFACE); // an object of its own
  // The surface keeps the texture; its memory is the subresource's.
  resource.Reset();
  DXGI_MAPPED_RECT mapped = {};
  EXPECT_EQ(surface->Map(&mapped, 0), E_INVALIDARG);
  ASSERT_EQ(surface->Map(&mapped, DXGI_MAP_WRITE), S_OK);
  mapped.pBits[0] = 77;
  EXPECT_EQ(surface->Unmap(), S_OK);
  D3D11_MAPPED_SUBRESOURCE direct = {};
  ASSERT_EQ(context->Map(texture.Get(), 4, D3D11_MAP_READ, 0, &direct), S_OK);
  EXPECT_EQ(*static_cast<BYTE*>(direct.pData), 77);
  context->Unmap(texture.Get(), 4);
  // Of a texture with one subresource it is the texture's own face.
  desc.MipLevels = desc.ArraySize = 1;
  ASSERT_EQ(device->CreateTexture2D(&desc, nullptr, &texture), S_OK);
  ASSERT_EQ(texture.As(&resource), S_OK);
  ASSERT_EQ(resource->CreateSubresourceSurface(0, &surface), S_OK);
  EXPECT_EQ(surface.As(&parent), S_OK);
}
