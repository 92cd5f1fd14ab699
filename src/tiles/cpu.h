// SPDX-License-Identifier: MIT
/// @file
/// May the *_avx2.cpp twins run here?
#pragma once

namespace monolith::tiles {

inline bool hasAvx2()
{
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

} // namespace monolith::tiles
