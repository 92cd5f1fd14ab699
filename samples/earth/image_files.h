// SPDX-License-Identifier: MIT
/// @file
/// JPEG in, PNG out. 8-bit RGBA, tightly packed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Image {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

/// Throws with the file's name when it cannot be read.
Image readJpeg(const std::string& path);
void writePng(const std::string& path, const uint8_t* rgba, uint32_t width, uint32_t height, uint32_t rowPitch);
