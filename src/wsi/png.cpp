// SPDX-License-Identifier: MIT
#include "wsi/png.h"

#include "base/log.h"

#include <cstring>
#include <png.h>

namespace monolith::wsi {

bool writePng(const std::string& path, const Picture& picture, bool withAlpha) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = withAlpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  const uint8_t* pixels = picture.pixels;
  uint32_t pitch = picture.rowPitch;
  std::vector<uint8_t> opaque;
  if (!withAlpha) {
    opaque.resize(size_t(picture.width) * picture.height * 3);
    for (uint32_t y = 0; y < picture.height; y++) {
      const uint8_t* from = picture.pixels + size_t(y) * picture.rowPitch;
      uint8_t* to = opaque.data() + size_t(y) * picture.width * 3;
      for (uint32_t x = 0; x < picture.width; x++, from += 4, to += 3) std::memcpy(to, from, 3);
    }
    pixels = opaque.data();
    pitch = picture.width * 3;
  }
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels, static_cast<png_int_32>(pitch), nullptr)) {
    base::logLine(base::LogLevel::Error, "%s: %s", path.c_str(), image.message);
    return false;
  }
  return true;
}

bool readPng(const std::string& path, std::vector<uint8_t>& rgba, uint32_t& width, uint32_t& height) {
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str())) {
    base::logLine(base::LogLevel::Error, "%s: %s", path.c_str(), image.message);
    return false;
  }
  image.format = PNG_FORMAT_RGBA;
  rgba.resize(PNG_IMAGE_SIZE(image));
  width = image.width;
  height = image.height;
  if (!png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr)) {
    base::logLine(base::LogLevel::Error, "%s: %s", path.c_str(), image.message);
    return false;
  }
  return true;
}

} // namespace monolith::wsi
