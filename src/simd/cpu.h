// SPDX-License-Identifier: MIT
/// @file
/// What generated code needs of the processor, and the floating-point mode that it runs in.
#pragma once

#include <cstdint>

namespace monolith::simd {

/// True if this processor and system run generated code: AVX2, FMA, BMI1, BMI2, F16C, LZCNT. Any thread.
bool cpuSupportsGeneratedCode();
/// Names of missing features, "" if none.
const char* missingCpuFeatures();

/// Sets the mode generated code expects for the lifetime of the object: denormals are flushed to zero in
/// results and operands, round to nearest, no traps. Once per worker thread, or around a call.
class FloatEnvironment {
public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
  uint32_t m_saved;
};

} // namespace monolith::simd
