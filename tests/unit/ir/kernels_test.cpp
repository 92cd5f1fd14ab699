// SPDX-License-Identifier: MIT
// Error bounds of the shared kernels against double precision, over the whole range of floats.
#include "ir/evaluate.h"
#include "ir/float_env.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

using namespace monolith::ir;

namespace {

constexpr double kBound = 1.0 / (1 << 21);
#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kStep = 20011;
#else
constexpr uint32_t kStep = 1013; // every 1013th float of the whole range
#endif

/// Calls check(x, result words) for many floats from `first` to `last` (as words).
template <class Fn> void sweep(Op op, uint32_t first, uint32_t last, uint32_t step, Fn check) {
  constexpr unsigned kBatch = 64;
  uint32_t in[kBatch], out0[kBatch], out1[kBatch];
  const uint32_t* operands[1] = {in};
  uint32_t* results[2] = {out0, out1};
  for (uint64_t w = first; w <= last; w += uint64_t(step) * kBatch) {
    for (unsigned i = 0; i < kBatch; i++) in[i] = static_cast<uint32_t>(std::min<uint64_t>(w + uint64_t(i) * step, last));
    {
      FloatMode mode(FloatMode::Single);
      evaluateLanes(op, operands, results, kBatch);
    }
    for (unsigned i = 0; i < kBatch; i++)
      check(std::bit_cast<float>(in[i]), std::bit_cast<float>(out0[i]), std::bit_cast<float>(out1[i]));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Kernels, Exp2RelativeError) {
  double worst = 0;
  const auto check = [&](float x, float r, float) {
    const double exact = std::exp2(double(x));
    if (exact < 0x1p-126) { // too small: zero; one value may round up to the smallest normal number
      EXPECT_TRUE(r == 0 || (exact > 0x1.fffffp-127 && r == 0x1p-126f)) << x;
    } else if (exact >= 0x1p128) {
      EXPECT_EQ(r, INFINITY) << x;
    } else {
      worst = std::max(worst, std::fabs(r - exact) / exact);
    }
  };
  sweep(Op::FExp2, 0x33000000u, 0x43100000u, kStep, check); // 3e-8 .. 144
  sweep(Op::FExp2, 0xB3000000u, 0xC3180000u, kStep, check); // negative, to -152
  EXPECT_LT(worst, kBound);
  RecordProperty("relative_error_bits", std::to_string(std::log2(worst)));
}

TEST(Kernels, Log2Error) {
  double worstAbsolute = 0, worstRelative = 0;
  sweep(Op::FLog2, 0x00800000u, 0x7F7FFFFFu, kStep, [&](float x, float r, float) {
    const double exact = std::log2(double(x));
    if (x >= 0.5f && x <= 2.0f) worstAbsolute = std::max(worstAbsolute, std::fabs(r - exact));
    else worstRelative = std::max(worstRelative, std::fabs((r - exact) / exact));
  });
  EXPECT_LT(worstAbsolute, kBound);
  EXPECT_LT(worstRelative, kBound);
}

TEST(Kernels, SinCosError) {
  double worst = 0;
  const auto check = [&](float x, float s, float c) {
    worst = std::max(worst, std::max(std::fabs(s - std::sin(double(x))), std::fabs(c - std::cos(double(x)))));
  };
  sweep(Op::FSinCos, 0x30000000u, 0x439D1463u, kStep, check); // to 100 pi
  sweep(Op::FSinCos, 0xB0000000u, 0xC39D1463u, kStep, check);
  EXPECT_LT(worst, 0x1p-22); // the specification asks for 0.0008
}

TEST(Kernels, SinCosStaysInRange) {
  sweep(Op::FSinCos, 0x439D1463u, 0x7F7FFFFFu, kStep * 7, [](float x, float s, float c) {
    EXPECT_TRUE(s >= -1 && s <= 1 && c >= -1 && c <= 1) << x;
  });
}

TEST(Kernels, ExactPowers) {
  for (int e = -126; e <= 127; e++) {
    uint32_t in = std::bit_cast<uint32_t>(float(e)), out = 0;
    evaluate(Op::FExp2, &in, &out);
    EXPECT_EQ(std::bit_cast<float>(out), std::ldexp(1.0f, e));
    in = std::bit_cast<uint32_t>(std::ldexp(1.0f, e));
    evaluate(Op::FLog2, &in, &out);
    EXPECT_EQ(std::bit_cast<float>(out), float(e));
  }
}

TEST(Kernels, HalfRoundTrip) {
  for (uint32_t h = 0; h < 65536; h++) {
    uint32_t f = 0, back = 0;
    evaluate(Op::F16ToF32, &h, &f);
    if ((h & 0x7C00u) == 0x7C00u && (h & 0x3FFu)) {
      EXPECT_TRUE(std::isnan(std::bit_cast<float>(f)));
      continue;
    }
    evaluate(Op::F32ToF16, &f, &back);
    EXPECT_EQ(h, back);
  }
}

TEST(Kernels, ModeIsRestored) {
  const volatile float tiny = 0x1p-140f;
  uint32_t in[2] = {std::bit_cast<uint32_t>(0x1p-100f), std::bit_cast<uint32_t>(0x1p-30f)}, out = 1;
  evaluate(Op::FMul, in, &out);
  EXPECT_EQ(out, 0u);
  EXPECT_NE(tiny * 1.0f, 0.0f); // the caller's arithmetic keeps denormals
}

} // namespace
