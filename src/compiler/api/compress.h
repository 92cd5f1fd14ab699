// SPDX-License-Identifier: MIT
/// @file
/// Shaders packed into one blob. A container with one chunk: count of shaders, bytes of each, then all of them one behind
/// the other, compressed by referring back to what came before: shaders of one program have much in common.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace monolith::compiler {

/// One blob of all.
std::vector<uint8_t> packShaders(std::span<const std::vector<uint8_t>> shaders);
/// All shaders of a blob; nothing if it is not one.
std::optional<std::vector<std::vector<uint8_t>>> unpackShaders(std::span<const uint8_t> blob);

} // namespace monolith::compiler
