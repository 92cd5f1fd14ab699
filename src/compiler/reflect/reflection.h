// SPDX-License-Identifier: MIT
/// @file
/// ID3D11ShaderReflection over a container. Types, variables and buffers are owned by the reflection; asking for one
/// that does not exist gives an object whose GetDesc fails, never null.
#pragma once

#include <cstddef>
#include <span>

#include <d3d11shader.h>

namespace monolith::compiler {

/// Makes a reflection with one reference. D3DERR_INVALIDCALL if the bytes are no container, E_FAIL if it holds no shader.
/// With `spaces` bindings are described as Direct3D 12 does.
HRESULT makeReflection(std::span<const std::byte> bytes, ID3D11ShaderReflection** reflection, bool spaces = false);

} // namespace monolith::compiler
