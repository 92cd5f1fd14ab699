// SPDX-License-Identifier: MIT
/// @file
/// Files that fxc reads and writes.
#pragma once

#include "options.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxc {

/// "-" reads standard input.
bool readFile(const std::string& path, std::vector<uint8_t>& bytes);
bool writeFile(const std::string& path, std::string_view bytes);
/// The whole path of a file, as messages and debug information name it; "-" stays.
std::string wholePath(const std::string& path);
/// What is wrong with the names of the outputs (one of them is an input, or two are the same file). Empty if nothing.
std::string outputProblem(const Options& options);
/// The C header of /Fh: listing in a disabled block, then the bytes.
std::string headerText(const std::string& listing, const std::string& variable, const uint8_t* bytes, size_t size);

/// Bytes in hexadecimal, as comment lines, 16 in each.
std::string hexText(const uint8_t* bytes, size_t size);

} // namespace fxc
