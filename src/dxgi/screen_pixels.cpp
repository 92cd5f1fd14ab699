// SPDX-License-Identifier: MIT
/// From a back buffer's format to what a screen shows.
#include "dxgi/swap_chain.h"
#include "formats/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace monolith::dxgi {
namespace {

uint8_t toByte(float value) {
  return static_cast<uint8_t>(value > 0 ? std::min(value, 1.f) * 255 + 0.5f : 0); // NaN becomes 0
}

/// scRGB is linear; the screen wants the sRGB curve.
float encodeSrgb(float value) {
  if (!(value > 0)) return 0;
  value = std::min(value, 1.f);
  return value <= 0.0031308f ? value * 12.92f : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
}

void swapRow(const uint8_t* from, uint8_t* to, UINT width) {
  for (UINT x = 0; x < width; x++, from += 4, to += 4) {
    to[0] = from[2];
    to[1] = from[1];
    to[2] = from[0];
    to[3] = from[3];
  }
}

void anyRow(formats::Format format, const uint8_t* from, uint8_t* to, UINT width) {
  const bool linear = format == static_cast<formats::Format>(DXGI_FORMAT_R16G16B16A16_FLOAT);
  const uint32_t bytes = formats::info(format).bytesPerBlock;
  for (UINT x = 0; x < width; x++, from += bytes, to += 4) {
    formats::Texel texel;
    formats::unpack(format, from, texel);
    for (int c = 0; c < 4; c++) to[c] = toByte(linear && c < 3 ? encodeSrgb(texel.f[c]) : texel.f[c]);
  }
}

} // namespace

void toScreenPixels(const resources::Texture& texture, DXGI_FORMAT format, UINT width, UINT height,
                    std::vector<uint8_t>& rgba) {
  rgba.resize(size_t(width) * height * 4);
  const uint8_t* from = texture.address(0, 0);
  for (UINT y = 0; y < height; y++, from += texture.layout().rowPitch[0]) {
    uint8_t* to = rgba.data() + size_t(y) * width * 4;
    switch (static_cast<int>(format)) {
    case DXGI_FORMAT_R8G8B8A8_UNORM:
    case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB: // stored encoded, as the screen wants it
      std::memcpy(to, from, size_t(width) * 4);
      break;
    case DXGI_FORMAT_B8G8R8A8_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
      swapRow(from, to, width);
      break;
    default:
      anyRow(static_cast<formats::Format>(format), from, to, width);
    }
  }
}

} // namespace monolith::dxgi
