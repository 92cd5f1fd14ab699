// SPDX-License-Identifier: MIT
/// @file
/// Runs a recorded operation on tables of lanes and compares with a scalar function.
#pragma once

#include "simd/cpu.h"
#include "simd/simd.h"
#include <bit>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace monolith::simd::unit {

using Words = std::vector<uint32_t>;

/// Records void f(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out) over one vector.
inline Words runLanes(const std::function<Int(Int, Int, Int)>& body, const Words& a, const Words& b, const Words& c) {
  Function f("test", {ArgumentKind::Pointer, ArgumentKind::Pointer, ArgumentKind::Pointer, ArgumentKind::Pointer});
  store(f.pointerArgument(3), body(loadInt(f.pointerArgument(0)), loadInt(f.pointerArgument(1)), loadInt(f.pointerArgument(2))));
  Routine r = f.finish();
  EXPECT_EQ(f.error(), "");
  Words out(a.size());
  if (!r)
    return out;
  const FloatEnvironment environment;
  for (size_t i = 0; i + kLanes <= a.size(); i += kLanes)
    r.as<void (*)(const uint32_t*, const uint32_t*, const uint32_t*, uint32_t*)>()(&a[i], &b[i], &c[i], &out[i]);
  return out;
}

inline bool bothNan(uint32_t a, uint32_t b) { return (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000; }

/// Words that are interesting as floats and as integers: every pair of a and b occurs.
inline void operandTable(Words& a, Words& b, Words& c) {
  const uint32_t specials[] = {
      0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0xffc00001, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f7fffff,
      0x4f800000, 0x3f000000, 0x3effffff, 0xbf000000, 0x3fc00000, 0x40200000, 0x4b000001, 0xffffffff, 0x7fffffff,
      2, 3, 31, 32, 33, 255, 256, 0xffff, 0x10000, 0x8000, 0x7fff, 0x12345678, 0xdeadbeef, 0x3a83126f, 0x42c80000,
      0xc2c80000, 0x33800000, 0x387fc000, 0x477fe000, 0x477ff000, 0x33000000};
  uint32_t state = 12345;
  for (uint32_t x : specials)
    for (uint32_t y : specials) {
      a.push_back(x);
      b.push_back(y);
      state = state * 1664525 + 1013904223;
      c.push_back(specials[(state >> 8) % std::size(specials)]);
    }
  while (a.size() < 4096 || a.size() % kLanes) {
    for (Words* w : {&a, &b, &c}) {
      state = state * 1664525 + 1013904223;
      w->push_back(state ^ (state >> 15));
    }
  }
}

} // namespace monolith::simd::unit
