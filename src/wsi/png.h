// SPDX-License-Identifier: MIT
/// @file
/// PNG files of pictures, through libpng.
#pragma once

#include "wsi/surface.h"

#include <string>
#include <vector>

namespace monolith::wsi {

/// Writes 8-bit RGB (alpha dropped: what a screen shows) or RGBA. False and a logged reason when it fails.
bool writePng(const std::string& path, const Picture& picture, bool withAlpha = false);
/// Reads any PNG as RGBA, tightly packed.
bool readPng(const std::string& path, std::vector<uint8_t>& rgba, uint32_t& width, uint32_t& height);

} // namespace monolith::wsi
