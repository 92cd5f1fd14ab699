// SPDX-License-Identifier: MIT
#include "simd/cpu.h"
#include "base/cpu.h"

#include <xmmintrin.h>

namespace monolith::simd {

const char* missingCpuFeatures() { return base::missingCpuFeature(); }

bool cpuSupportsGeneratedCode() { return base::hasAvx2(); }

FloatEnvironment::FloatEnvironment() : m_saved(_mm_getcsr()) {
  // all exceptions masked (0x1f80), flush to zero (0x8000), denormals are zero (0x0040), round to nearest
  _mm_setcsr(0x1f80 | 0x8000 | 0x0040);
}

FloatEnvironment::~FloatEnvironment() { _mm_setcsr(m_saved); }

} // namespace monolith::simd
