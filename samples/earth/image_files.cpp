// SPDX-License-Identifier: MIT
#include "image_files.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <jpeglib.h>
#include <memory>
#include <png.h>
#include <stdexcept>

namespace {

struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
};

void leave(j_common_ptr info) { std::longjmp(reinterpret_cast<JpegErrors*>(info->err)->back, 1); }

/// No C++ objects are made in here: libjpeg leaves by longjmp.
bool decode(std::FILE* file, jpeg_decompress_struct& info, JpegErrors& errors, Image& image) {
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  if (setjmp(errors.back)) return false;
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&info);
  image.width = info.output_width;
  image.height = info.output_height;
  image.rgba.resize(size_t(image.width) * image.height * 4);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.rgba.data() + size_t(info.output_scanline) * image.width * 4;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

} // namespace

Image readJpeg(const std::string& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw std::runtime_error(path + ": cannot be opened (package xplanet-images)");
  jpeg_decompress_struct info = {};
  JpegErrors errors = {};
  Image image;
  const bool good = decode(file.get(), info, errors, image);
  jpeg_destroy_decompress(&info);
  if (!good) throw std::runtime_error(path + ": is no readable JPEG");
  return image;
}

void writePng(const std::string& path, const uint8_t* rgba, uint32_t width, uint32_t height, uint32_t rowPitch) {
  std::vector<uint8_t> rgb(size_t(width) * height * 3);
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++)
      std::memcpy(&rgb[(size_t(y) * width + x) * 3], rgba + size_t(y) * rowPitch + x * 4, 3);
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;
  if (!png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr))
    throw std::runtime_error(path + ": " + image.message);
}
