// SPDX-License-Identifier: MIT
// Pictures that presents leave in the folder of MONOLITH_CAPTURE; without it there is nothing to look at.
#include "fixture.h"

#include <cstdlib>
#include <png.h>
#include <string>
#include <vector>

class Capture : public Dxgi {};

TEST_F(Capture, MultisampledBackBuffersAreResolved) {
  const char* folder = std::getenv("MONOLITH_CAPTURE");
  if (!folder || !*folder)
    GTEST_SKIP() << "MONOLITH_CAPTURE is not set";
  auto desc = flipDesc(1);
  desc.SwapEffect = DXGI_SWAP_EFFECT_DISCARD;
  desc.SampleDesc.Count = 4;
  ComPtr<IDXGISwapChain1> chain;
  ASSERT_EQ(create(desc, chain), S_OK);
  ComPtr<ID3D11Texture2D> buffer;
  ASSERT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&buffer)), S_OK);
  ComPtr<ID3D11RenderTargetView> view;
  ASSERT_EQ(device->CreateRenderTargetView(buffer.Get(), nullptr, &view), S_OK);
  const float orange[4] = {1, 0.5f, 0, 1};
  context->ClearRenderTargetView(view.Get(), orange);
  ASSERT_EQ(chain->Present(0, 0), S_OK);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&image, (std::string(folder) + "/frame000000.png").c_str()), 0) << image.message;
  image.format = PNG_FORMAT_RGB;
  EXPECT_EQ(image.width, 64u);
  EXPECT_EQ(image.height, 48u);
  std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  for (size_t i = 0; i < pixels.size(); i += 3) {
    ASSERT_EQ(pixels[i], 255);
    ASSERT_EQ(pixels[i + 1], 128);
    ASSERT_EQ(pixels[i + 2], 0);
  }
}
