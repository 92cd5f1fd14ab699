// SPDX-License-Identifier: MIT
/// @file
/// Checks everything that translation and execution rely on. A shader that passes is safe to translate.
#pragma once

#include "dxbc/shader.h"

#include <string>

namespace monolith::dxbc {

/// Empty if the shader is valid, else "error: instruction N: ..." or "error: ...".
std::string validateShader(const Shader& shader);
/// parseShader and validateShader in one.
Result<Shader> loadShader(std::span<const uint8_t> bytes, bool verifyChecksum = true);

} // namespace monolith::dxbc
