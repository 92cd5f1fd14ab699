// SPDX-License-Identifier: MIT
#include "simd/cpu.h"
#include <asmjit/core.h>
#include <immintrin.h>

namespace monolith::simd {

const char* missingCpuFeatures() {
  using asmjit::CpuFeatures;
  const auto& x86 = asmjit::CpuInfo::host().features().x86();
  if (!x86.hasAVX2())
    return "AVX2";
  if (!x86.hasFMA())
    return "FMA";
  if (!x86.hasBMI() || !x86.hasBMI2())
    return "BMI";
  if (!x86.hasF16C())
    return "F16C";
  if (!x86.hasLZCNT())
    return "LZCNT";
  return "";
}

bool cpuSupportsGeneratedCode() {
  static const bool supported = *missingCpuFeatures() == 0;
  return supported;
}

FloatEnvironment::FloatEnvironment() : m_saved(_mm_getcsr()) {
  // all exceptions masked (0x1f80), flush to zero (0x8000), denormals are zero (0x0040), round to nearest
  _mm_setcsr(0x1f80 | 0x8000 | 0x0040);
}

FloatEnvironment::~FloatEnvironment() { _mm_setcsr(m_saved); }

} // namespace monolith::simd
