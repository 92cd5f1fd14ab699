// SPDX-License-Identifier: MIT
/// @file
/// Shows a known picture through a flip-model swap chain: in an SDL window, or headless with the argument --headless.
/// Prints "shown" and stays until its standard input ends.
#include <SDL.h>
#include <cstdio>
#include <cstring>
#include <d3d11.h>
#include <dxgi1_2.h>
#include <vector>
#include <windows.h>
#include <wrl/client.h>

using Microsoft::WRL::ComPtr;

namespace {
constexpr UINT kWidth = 320, kHeight = 240;

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const HRESULT result_ = (call);                                                                                    \
    if (FAILED(result_)) {                                                                                             \
      std::fprintf(stderr, "%s: 0x%08x\n", #call, static_cast<unsigned>(result_));                                     \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

/// A gradient with a different colour in each corner, so that flips, swaps and shifts show.
std::vector<uint8_t> pattern(UINT frame) {
  std::vector<uint8_t> pixels(kWidth * kHeight * 4);
  for (UINT y = 0; y < kHeight; y++)
    for (UINT x = 0; x < kWidth; x++) {
      uint8_t* p = &pixels[(y * kWidth + x) * 4];
      p[0] = static_cast<uint8_t>(x * 255 / (kWidth - 1));
      p[1] = static_cast<uint8_t>(y * 255 / (kHeight - 1));
      p[2] = static_cast<uint8_t>((x ^ y ^ frame) & 255);
      p[3] = 255;
    }
  return pixels;
}

int run(HWND window) {
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  CHECK(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &device, nullptr,
                          &context));
  ComPtr<IDXGIFactory2> factory;
  CHECK(CreateDXGIFactory1(IID_PPV_ARGS(&factory)));
  DXGI_SWAP_CHAIN_DESC1 desc = {};
  desc.Width = kWidth;
  desc.Height = kHeight;
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = 2;
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  ComPtr<IDXGISwapChain1> chain;
  CHECK(factory->CreateSwapChainForHwnd(device.Get(), window, &desc, nullptr, nullptr, &chain));
  for (UINT frame = 0; frame < 3; frame++) {
    ComPtr<ID3D11Texture2D> back;
    CHECK(chain->GetBuffer(0, IID_PPV_ARGS(&back)));
    const auto pixels = pattern(frame);
    context->UpdateSubresource(back.Get(), 0, nullptr, pixels.data(), kWidth * 4, 0);
    CHECK(chain->Present(1, 0));
  }
  return 0;
}
} // namespace

int main(int count, char** arguments) {
  const bool headless = count > 1 && !std::strcmp(arguments[1], "--headless");
  SDL_Window* window = nullptr;
  if (!headless) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
      std::fprintf(stderr, "SDL_Init: %s\n", SDL_GetError());
      return 1;
    }
    window = SDL_CreateWindow("window test", 40, 30, kWidth, kHeight, SDL_WINDOW_BORDERLESS | SDL_WINDOW_SHOWN);
    if (!window) return 1;
    // The window must be on the screen before it is drawn to.
    for (int i = 0; i < 20; i++) {
      SDL_Event event;
      while (SDL_PollEvent(&event)) {
      }
      SDL_Delay(10);
    }
  }
  const int result = run(reinterpret_cast<HWND>(window));
  if (result == 0 && !headless) {
    std::puts("shown");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
  }
  if (window) SDL_DestroyWindow(window);
  SDL_Quit();
  return result;
}
