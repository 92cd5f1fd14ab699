// SPDX-License-Identifier: MIT
/// @file
/// The boundary: nothing throws out of an API method; lack of memory becomes E_OUTOFMEMORY.
#pragma once

#include <windows.h>

#include <new>

namespace monolith::d3d11 {

template <typename F> HRESULT guarded(F&& f) noexcept {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  } catch (...) {
    return E_FAIL;
  }
}

} // namespace monolith::d3d11
