// SPDX-License-Identifier: MIT
/// @file
/// ID3DBlob: reference-counted bytes.
#pragma once

#include <d3dcommon.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace monolith::compiler {

/// A blob that owns `bytes`; one reference.
ID3DBlob* makeBlob(std::vector<uint8_t> bytes);
/// A blob of text with its terminating zero, as error messages and assembly are handed out.
ID3DBlob* makeTextBlob(std::string_view text);

} // namespace monolith::compiler
