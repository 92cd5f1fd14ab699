// SPDX-License-Identifier: MIT
/// @file
/// The public header with its functions visible: definitions that include this are exported from the library.
#pragma once

#pragma GCC visibility push(default)
#include <d3dcompiler.h>
#pragma GCC visibility pop

#include <new>

namespace monolith::compiler {

inline constexpr HRESULT kInvalidCall = HRESULT(0x8876086c); ///< D3DERR_INVALIDCALL

/// Runs an entry point's body; out of memory becomes a result code.
template <typename Body>
HRESULT guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

} // namespace monolith::compiler
