// SPDX-License-Identifier: MIT
/// @file
/// The floating-point mode in which shader arithmetic runs: nearest even, denormal 32-bit inputs and results flushed.
/// The flush happens in hardware because only there a result that rounds up to the smallest normal number is treated
/// as generated code treats it. Doubles keep their denormals and need the mode switched off again.
#pragma once

#include <cstdint>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace monolith::ir {

/// Sets the mode while it lives. Arithmetic must be in functions that are called, not inlined, inside.
class FloatMode {
public:
  enum Kind { Single, Double };
  explicit FloatMode(Kind kind) {
#if defined(__SSE2__)
    m_saved = _mm_getcsr();
    _mm_setcsr(kind == Single ? 0x9FC0u : 0x1F80u);
    asm volatile("" ::: "memory");
#else
    (void)kind;
#endif
  }
  ~FloatMode() {
#if defined(__SSE2__)
    asm volatile("" ::: "memory");
    _mm_setcsr(m_saved);
#endif
  }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

private:
  uint32_t m_saved = 0;
};

} // namespace monolith::ir
