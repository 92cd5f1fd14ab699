// SPDX-License-Identifier: MIT
/// @file
/// Device, swap chain and the few helpers that every Direct3D 11 program writes.
#pragma once

#include <d3d11_1.h>
#include <dxgi1_2.h>
#include <stdexcept>
#include <string>
#include <windows.h>
#include <wrl/client.h>

using Microsoft::WRL::ComPtr;

/// Throws with the failed call's text.
void throwIfFailed(HRESULT result, const char* what);

struct Device {
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  ComPtr<IDXGISwapChain1> swapChain;
  ComPtr<ID3D11RenderTargetView> targetSrgb; ///< The scene is lit in linear light.
  ComPtr<ID3D11RenderTargetView> target;     ///< Dear ImGui writes sRGB values as they are.
  ComPtr<ID3D11DepthStencilView> depth;
  UINT width = 0, height = 0;

  /// `window` null: no window, pictures only.
  void create(HWND window, UINT width, UINT height);
  void resize(UINT width, UINT height);
  void present(UINT interval) const;

private:
  void makeTargets();
};

/// Compiles one shader of the sample's folder; throws with the compiler's messages.
ComPtr<ID3DBlob> compileShader(const wchar_t* file, const char* entry, const char* target);

template <class T> ComPtr<ID3D11Buffer> makeBuffer(ID3D11Device* device, const T* data, size_t count, UINT bind) {
  D3D11_BUFFER_DESC desc = {};
  desc.ByteWidth = static_cast<UINT>(sizeof(T) * count);
  desc.Usage = D3D11_USAGE_IMMUTABLE;
  desc.BindFlags = bind;
  D3D11_SUBRESOURCE_DATA initial = {};
  initial.pSysMem = data;
  ComPtr<ID3D11Buffer> buffer;
  throwIfFailed(device->CreateBuffer(&desc, &initial, &buffer), "CreateBuffer");
  return buffer;
}
