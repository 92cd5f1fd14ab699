// SPDX-License-Identifier: MIT
/// @file
/// The answers of CheckFormatSupport and CheckMultisampleQualityLevels, from the table's support columns.
#pragma once

#include "formats/format.h"

namespace monolith::formats {

/// True if devices of this level offer the use: everything required, and the optional uses that are implemented.
bool supports(Format format, Level level, Use use);

/// D3D11_FORMAT_SUPPORT bits. 0 for formats that the level does not know.
uint32_t supportMask(Format format, Level level);

/// D3D11_FORMAT_SUPPORT2 bits.
uint32_t supportMask2(Format format, Level level);

/// Number of quality levels of a sample count; 0: not supported. Counts 1, 2, 4, 8 and 16 exist.
uint32_t qualityLevels(Format format, Level level, uint32_t sampleCount);

} // namespace monolith::formats
