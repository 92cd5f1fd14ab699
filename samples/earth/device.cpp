// SPDX-License-Identifier: MIT
#include "device.h"

#include <cstdio>
#include <d3dcompiler.h>

void throwIfFailed(HRESULT result, const char* what) {
  if (SUCCEEDED(result)) return;
  char text[256];
  std::snprintf(text, sizeof text, "%s failed with 0x%08X", what, static_cast<unsigned>(result));
  throw std::runtime_error(text);
}

void Device::create(HWND window, UINT w, UINT h) {
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0};
  throwIfFailed(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, levels, 2, D3D11_SDK_VERSION, &device,
                                  nullptr, &context),
                "D3D11CreateDevice");
  ComPtr<IDXGIDevice1> dxgiDevice;
  throwIfFailed(device.As(&dxgiDevice), "IDXGIDevice1");
  ComPtr<IDXGIAdapter> adapter;
  throwIfFailed(dxgiDevice->GetAdapter(&adapter), "GetAdapter");
  ComPtr<IDXGIFactory2> factory;
  throwIfFailed(adapter->GetParent(IID_PPV_ARGS(&factory)), "IDXGIFactory2");

  DXGI_SWAP_CHAIN_DESC1 desc = {};
  desc.Width = w;
  desc.Height = h;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = 2;
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  if (window)
    throwIfFailed(factory->CreateSwapChainForHwnd(device.Get(), window, &desc, nullptr, nullptr, &swapChain),
                  "CreateSwapChainForHwnd");
  else
    throwIfFailed(factory->CreateSwapChainForComposition(device.Get(), &desc, nullptr, &swapChain),
                  "CreateSwapChainForComposition");
  width = w;
  height = h;
  makeTargets();
}

void Device::makeTargets() {
  ComPtr<ID3D11Texture2D> back;
  throwIfFailed(swapChain->GetBuffer(0, IID_PPV_ARGS(&back)), "GetBuffer");
  D3D11_RENDER_TARGET_VIEW_DESC view = {};
  view.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D;
  view.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB;
  throwIfFailed(device->CreateRenderTargetView(back.Get(), &view, &targetSrgb), "CreateRenderTargetView");
  view.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  throwIfFailed(device->CreateRenderTargetView(back.Get(), &view, &target), "CreateRenderTargetView");

  D3D11_TEXTURE2D_DESC desc = {};
  desc.Width = width;
  desc.Height = height;
  desc.MipLevels = 1;
  desc.ArraySize = 1;
  desc.Format = DXGI_FORMAT_D32_FLOAT;
  desc.SampleDesc.Count = 1;
  desc.BindFlags = D3D11_BIND_DEPTH_STENCIL;
  ComPtr<ID3D11Texture2D> texture;
  throwIfFailed(device->CreateTexture2D(&desc, nullptr, &texture), "CreateTexture2D");
  throwIfFailed(device->CreateDepthStencilView(texture.Get(), nullptr, &depth), "CreateDepthStencilView");
}

void Device::resize(UINT w, UINT h) {
  if ((w == width && h == height) || !w || !h) return;
  context->OMSetRenderTargets(0, nullptr, nullptr);
  target.Reset();
  targetSrgb.Reset();
  depth.Reset();
  throwIfFailed(swapChain->ResizeBuffers(0, w, h, DXGI_FORMAT_UNKNOWN, 0), "ResizeBuffers");
  width = w;
  height = h;
  makeTargets();
}

void Device::present(UINT interval) const { throwIfFailed(swapChain->Present(interval, 0), "Present"); }

ComPtr<ID3DBlob> compileShader(const wchar_t* file, const char* entry, const char* target) {
  const std::string folder = EARTH_SHADER_DIR;
  const std::wstring path = std::wstring(folder.begin(), folder.end()) + L"/" + file;
  ComPtr<ID3DBlob> code, messages;
  const HRESULT result = D3DCompileFromFile(path.c_str(), nullptr, D3D_COMPILE_STANDARD_FILE_INCLUDE, entry, target,
                                            D3DCOMPILE_ENABLE_STRICTNESS, 0, &code, &messages);
  if (FAILED(result) && messages) throw std::runtime_error(static_cast<const char*>(messages->GetBufferPointer()));
  throwIfFailed(result, "D3DCompileFromFile");
  return code;
}
