// SPDX-License-Identifier: MIT
#include "base/cpu.h"

#include "base/options.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace monolith::base {
namespace {

#if defined(__x86_64__)
struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers query(unsigned leaf) {
  Registers r;
  if (!__get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d))
    r = {};
  return r;
}

/// True if the system keeps the upper halves of the vector registers.
bool systemKeepsYmm(const Registers& features) {
  if (!(features.c & bit_OSXSAVE))
    return false;
  unsigned low, high;
  asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
}

const char* findMissing() {
  if (optionNumber(Option::BASELINE))
    return "MONOLITH_BASELINE";
  const Registers one = query(1), seven = query(7), extended = query(0x80000001u);
  if (!(one.c & bit_AVX) || !(seven.b & bit_AVX2))
    return "AVX2";
  if (!systemKeepsYmm(one))
    return "AVX (system)";
  if (!(one.c & bit_FMA))
    return "FMA";
  if (!(one.c & bit_F16C))
    return "F16C";
  if (!(one.c & bit_MOVBE))
    return "MOVBE";
  if (!(one.c & bit_POPCNT))
    return "POPCNT";
  if (!(seven.b & bit_BMI) || !(seven.b & bit_BMI2))
    return "BMI";
  if (!(extended.c & bit_ABM))
    return "LZCNT";
  return "";
}
#else
const char* findMissing() { return "x86-64"; }
#endif

} // namespace

const char* missingCpuFeature() {
  static const char* const missing = findMissing();
  return missing;
}

bool hasAvx2() { return *missingCpuFeature() == 0; }

} // namespace monolith::base
