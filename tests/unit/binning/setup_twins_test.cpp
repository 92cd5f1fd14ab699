// SPDX-License-Identifier: MIT
/// The scalar and the 8-lane setup give equal bits.
#include "raster_fixture.h"

#include "binning/triangle_setup.h"
#include "base/cpu.h"

namespace monolith::test {

namespace {

using binning::SetupResult;
using binning::SetupState;

int32_t between(std::mt19937& random, int32_t low, int32_t high)
{
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

template <class T> bool sameBits(const T& a, const T& b) { return memcmp(&a, &b, sizeof(T)) == 0; }

void compare(const SetupResult& a, const SetupResult& b, uint32_t samples)
{
  ASSERT_EQ(a.live, b.live);
  ASSERT_EQ(a.small, b.small);
  ASSERT_EQ(a.clockwise, b.clockwise);
  for (uint32_t lane = 0; lane < 8; ++lane) {
    if (!(a.live & (1u << lane)))
      continue;
#define SAME(field) ASSERT_TRUE(sameBits(a.field[lane], b.field[lane])) << #field << " lane " << lane << " " << a.field[lane] << " " << b.field[lane]
    ASSERT_EQ(memcmp(a.plane[lane], b.plane[lane], 12 * sizeof(float)), 0) << "lane " << lane;
    SAME(minX); SAME(minY); SAME(maxX); SAME(maxY);
    for (int k = 0; k < 3; ++k)
      SAME(offset[k]);
    if (a.small & (1u << lane)) {
      SAME(mask);
      for (uint32_t s = 0; samples > 1 && s < samples; ++s)
        ASSERT_EQ(a.sampleMask[lane][s], b.sampleMask[lane][s]);
    }
    if (!(a.small & (1u << lane)))
      for (int k = 0; k < 3; ++k) {
        SAME(x[k]);
        SAME(y[k]);
      }
#undef SAME
  }
}

} // namespace

TEST(SetupTwins, EqualBits)
{
  if (!monolith::base::hasAvx2())
    GTEST_SKIP() << "needs AVX2";
  std::mt19937 random(21);
  uint64_t live = 0, small = 0;
  for (int round = 0; round < 20000; ++round) {
    Vertices vertices(uint32_t(8 + round % 5));
    const int32_t extents[] = {256, 700, 1000, 5000, 200000, binning::kMaxPosition, binning::kMaxPosition + 3};
    const int32_t extent = extents[round % 7];
    const Fixed at{extent < 5000 ? between(random, -600, 120000) : 0, extent < 5000 ? between(random, -600, 120000) : 0};
    for (int i = 0; i < 24; ++i) {
      Fixed p{between(random, -extent, extent), between(random, -extent, extent)};
      if (round % 3 == 0 && extent <= 200000)
        p = {p.x & ~127, p.y & ~127};
      if (round % 11 == 0 && i == 5)
        p.x = INT32_MIN + between(random, 0, 9);
      vertices.add(p.x + (round % 11 ? at.x : 0), p.y + (round % 11 ? at.y : 0), float(between(random, -100, 4000)) / 3000,
                   float(between(random, 1, 4000)) / 1000);
    }
    uint32_t indices[24];
    const uint32_t count = uint32_t(between(random, 1, 8));
    for (uint32_t i = 0; i < count * 3; ++i)
      indices[i] = uint32_t(between(random, 0, 23));
    SetupState state;
    state.clipX0 = between(random, 0, 100);
    state.clipY0 = between(random, 0, 100);
    state.clipX1 = between(random, state.clipX0, 500);
    state.clipY1 = between(random, state.clipY0, 500);
    if (round % 4)
      state.clipX0 = state.clipY0 = 0, state.clipX1 = state.clipY1 = 499;
    state.cullClockwise = round % 9 == 1;
    state.cullCounterClockwise = round % 9 == 2;
    state.biasEnabled = round & 1;
    state.biasFloat = (round >> 1) & 1;
    state.biasConstant = state.biasFloat ? float(between(random, -100, 100)) : 1e-6f;
    state.biasExponent = 23u << 23;
    state.biasSlope = round & 4 ? 1.5f : 0;
    state.biasClamp = round % 3 == 0 ? 0 : round % 3 == 1 ? 0.01f : -0.01f;
    if (round % 5 == 0) {
      state.samples = 2u << (round / 5 % 4);
      state.positions = abi::samplePositions(state.samples);
      state.lowRound = 128 + 7 * 16;
      state.highRound = 0;
    }
    SetupResult scalar, simd;
    setupScalar(state, vertices.batch(), indices, count, scalar);
    setupAvx2(state, vertices.batch(), indices, count, simd);
    compare(scalar, simd, state.samples);
    if (HasFatalFailure())
      return;
    live += uint64_t(std::popcount(scalar.live));
    small += uint64_t(std::popcount(scalar.small));
  }
  EXPECT_GT(live, 10000u);
  EXPECT_GT(small, 1000u);
}

} // namespace monolith::test
