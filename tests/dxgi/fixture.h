// SPDX-License-Identifier: MIT
/// @file
/// A device and the usual swap-chain description.
#pragma once

#include <d3d11.h>
#include <dxgi1_6.h>
#include <gtest/gtest.h>
#include <windows.h>
#include <wrl/client.h>

using Microsoft::WRL::ComPtr;

class Dxgi : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)), S_OK);
    ASSERT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &device,
                                nullptr, &context),
              S_OK);
  }
  static DXGI_SWAP_CHAIN_DESC1 flipDesc(UINT buffers = 2) {
    DXGI_SWAP_CHAIN_DESC1 desc = {};
    desc.Width = 64;
    desc.Height = 48;
    desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    desc.SampleDesc.Count = 1;
    desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT | DXGI_USAGE_SHADER_INPUT;
    desc.BufferCount = buffers;
    desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL;
    return desc;
  }
  HRESULT create(const DXGI_SWAP_CHAIN_DESC1& desc, ComPtr<IDXGISwapChain1>& chain) {
    return factory->CreateSwapChainForHwnd(device.Get(), nullptr, &desc, nullptr, nullptr, &chain);
  }
  void clear(ID3D11Texture2D* texture, float red, DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN) {
    D3D11_RENDER_TARGET_VIEW_DESC view = {};
    view.Format = format;
    view.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D;
    ComPtr<ID3D11RenderTargetView> target;
    ASSERT_EQ(device->CreateRenderTargetView(texture, format == DXGI_FORMAT_UNKNOWN ? nullptr : &view, &target), S_OK);
    const float color[4] = {red, 0, 0, 1};
    context->ClearRenderTargetView(target.Get(), color);
  }
  /// First pixel, as R8G8B8A8.
  UINT pixel(ID3D11Texture2D* texture) {
    D3D11_TEXTURE2D_DESC desc;
    texture->GetDesc(&desc);
    desc.Usage = D3D11_USAGE_STAGING;
    desc.BindFlags = desc.MiscFlags = 0;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    ComPtr<ID3D11Texture2D> staging;
    EXPECT_EQ(device->CreateTexture2D(&desc, nullptr, &staging), S_OK);
    context->CopyResource(staging.Get(), texture);
    D3D11_MAPPED_SUBRESOURCE mapped = {};
    EXPECT_EQ(context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &mapped), S_OK);
    const UINT value = mapped.pData ? *static_cast<const UINT*>(mapped.pData) : 0;
    context->Unmap(staging.Get(), 0);
    return value;
  }
  ComPtr<IDXGIFactory7> factory;
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
};
