// SPDX-License-Identifier: MIT
/// @file
/// A small mipmapped texture in memory with its view, for sampler tests.
#pragma once

#include "abi/texture_view.h"
#include "formats/format.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace testing_texture {

namespace mabi = monolith::abi;
namespace formats = monolith::formats;

struct TestTexture {
  std::vector<uint8_t> memory;
  mabi::TextureView view;

  TestTexture(formats::Format format, mabi::ViewDimension dimension, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
              uint32_t mips)
  {
    const formats::FormatInfo& f = formats::info(format);
    view.width = width;
    view.height = height;
    view.depth = depth;
    view.layers = layers;
    view.mips = view.resourceMips = mips;
    view.format = uint8_t(format);
    view.dimension = dimension;
    uint32_t at = 0;
    for (uint32_t m = 0; m < mips; m++) {
      const auto size = [m](uint32_t v) { return v >> m ? v >> m : 1; };
      view.mipOffset[m] = at;
      view.rowPitch[m] = uint32_t(formats::rowBytes(f, (size(width) + 7) & ~7u) + 63) & ~63u;
      view.slicePitch[m] = view.rowPitch[m] * formats::blockRows(f, (size(height) + 7) & ~7u);
      at += view.slicePitch[m] * size(depth);
    }
    view.layerPitch = at;
    memory.resize(size_t(at) * layers + 128);
    view.base = memory.data();
  }

  uint8_t* texel(uint32_t x, uint32_t y, uint32_t z = 0, uint32_t layer = 0, uint32_t mip = 0)
  {
    const formats::FormatInfo& f = formats::info(formats::Format(view.format));
    return memory.data() + layer * view.layerPitch + view.mipOffset[mip] + z * view.slicePitch[mip] +
           y / f.blockHeight * view.rowPitch[mip] + x / f.blockWidth * f.bytesPerBlock;
  }

  /// Random bytes; floats become finite numbers of moderate size.
  void randomise(uint32_t seed)
  {
    std::mt19937 random(seed);
    for (size_t k = 0; k + 64 < memory.size(); k++)
      memory[k] = uint8_t(random());
    const formats::FormatInfo& f = formats::info(formats::Format(view.format));
    if (f.channel[0].type != formats::ChannelType::Float || !f.isPlain())
      return;
    for (size_t k = 0; k + 64 < memory.size(); k += 4) {
      if (f.channel[0].bits == 32) {
        const float v = float(int(random() % 20001) - 10000) / 1000.0f;
        std::memcpy(memory.data() + k, &v, 4);
      } else {
        // Keep exponents of half, 11- and 10-bit floats below their largest.
        uint32_t v = uint32_t(random());
        v &= f.channel[0].bits == 16 ? 0xbbffbbffu : 0xefbffdffu & 0xf7dffbffu & 0xdfffbfffu;
        std::memcpy(memory.data() + k, &v, 4);
      }
    }
  }
};

} // namespace testing_texture
