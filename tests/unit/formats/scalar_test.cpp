// SPDX-License-Identifier: MIT
#include "formats/reference.h"
#include "formats/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace monolith::formats;

namespace {
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
} // namespace

TEST(Scalar, UnormRoundTripsAllValues)
{
    for (unsigned n : {1u, 2u, 4u, 5u, 6u, 8u, 10u, 16u, 24u}) {
        const uint32_t max = (1u << n) - 1;
        for (uint32_t v = 0; v <= max; v += n == 24 ? 7 : 1)
            ASSERT_EQ(floatToUnorm(unormToFloat(v, n), n), v) << n;
        EXPECT_EQ(unormToFloat(max, n), 1.0f);
        EXPECT_EQ(floatToUnorm(kInf, n), max);
        EXPECT_EQ(floatToUnorm(-kInf, n), 0u);
        EXPECT_EQ(floatToUnorm(kNan, n), 0u);
        EXPECT_EQ(floatToUnorm(1.0f, n), max);
    }
    EXPECT_EQ(floatToUnorm(0.5f, 8), 128u);
    EXPECT_EQ(floatToUnorm(0.5f, 24), 8388608u);
    EXPECT_FLOAT_EQ(unormToFloat(1, 2), 1.0f / 3.0f);
}

TEST(Scalar, SnormRoundTripsAllValues)
{
    for (unsigned n : {8u, 16u}) {
        const int32_t max = (1 << (n - 1)) - 1;
        for (int32_t v = -max; v <= max; v++)
            ASSERT_EQ(floatToSnorm(snormToFloat(v, n), n), v);
        EXPECT_EQ(snormToFloat(-max - 1, n), -1.0f);
        EXPECT_EQ(floatToSnorm(-kInf, n), -max);
        EXPECT_EQ(floatToSnorm(kInf, n), max);
        EXPECT_EQ(floatToSnorm(kNan, n), 0);
    }
}

TEST(Scalar, HalfRoundTripsAllValues)
{
    for (uint32_t h = 0; h < 65536; h++) {
        const float f = halfToFloat(uint16_t(h));
        const bool nan = (h & 0x7fff) > 0x7c00;
        ASSERT_EQ(std::isnan(f), nan);
        ASSERT_EQ(floatToHalf(f), nan ? h | 0x200 : h);
    }
    EXPECT_EQ(halfToFloat(0x3c00), 1.0f);
    EXPECT_EQ(halfToFloat(1), 0x1p-24f);
}

TEST(Scalar, HalfRoundsTowardZero)
{
    EXPECT_EQ(floatToHalf(65535.9f), 0x7bff); // the largest finite value, not infinity (3.2.2)
    EXPECT_EQ(floatToHalf(1e30f), 0x7bff);
    EXPECT_EQ(floatToHalf(-1e30f), 0xfbff);
    EXPECT_EQ(floatToHalf(kInf), 0x7c00);
    EXPECT_EQ(floatToHalf(1.0f + 0x1.ffp-11f), 0x3c00);
    EXPECT_EQ(floatToHalf(0x1.fffp-25f), 0);
    EXPECT_EQ(floatToHalf(-0.0f), 0x8000);
    std::mt19937 random(1);
    for (int k = 0; k < 200000; k++) {
        const float f = std::bit_cast<float>(uint32_t(random()));
        if (std::isnan(f) || std::isinf(f))
            continue;
        const uint16_t h = floatToHalf(f);
        ASSERT_LE(std::fabs(halfToFloat(h)), std::fabs(f));
        if ((h & 0x7fff) < 0x7bff) {
            ASSERT_GT(halfToFloat(uint16_t((h & 0x7fff) + 1)), std::fabs(f));
        }
    }
}

TEST(Scalar, SmallFloats)
{
    for (unsigned m : {5u, 6u})
        for (uint32_t v = 0; v < 1u << (5 + m); v++) {
            const float f = smallFloatToFloat(v, m);
            if (std::isnan(f))
                ASSERT_TRUE(std::isnan(smallFloatToFloat(floatToSmallFloat(f, m), m)));
            else
                ASSERT_EQ(floatToSmallFloat(f, m), v);
        }
    EXPECT_EQ(floatToSmallFloat(-1.0f, 6), 0u);
    EXPECT_EQ(floatToSmallFloat(-kInf, 6), 0u);
    EXPECT_EQ(smallFloatToFloat(floatToSmallFloat(1e9f, 6), 6), 65024.0f);
    EXPECT_EQ(smallFloatToFloat(floatToSmallFloat(kInf, 5), 5), kInf);
    EXPECT_TRUE(std::isnan(smallFloatToFloat(floatToSmallFloat(-kNan, 5), 5)));
}

TEST(Scalar, SrgbRoundTripsAndThresholds)
{
    EXPECT_EQ(srgbToFloat(0), 0.0f);
    EXPECT_EQ(srgbToFloat(255), 1.0f);
    for (int k = 0; k < 256; k++) {
        EXPECT_EQ(floatToSrgb(srgbToFloat(uint8_t(k))), k);
        if (k) {
            const float t = srgbThresholds()[k];
            EXPECT_EQ(floatToSrgb(t), k);
            EXPECT_EQ(floatToSrgb(std::nextafter(t, 0.0f)), k - 1);
            // The ideal curve in binary64 puts the threshold half way between two codes.
            const double ideal = t <= 0.0031308 ? 12.92 * t : 1.055 * std::pow(double(t), 1.0 / 2.4) - 0.055;
            EXPECT_NEAR(ideal * 255, k - 0.5, 1e-4);
        }
    }
    EXPECT_EQ(floatToSrgb(kNan), 0);
    EXPECT_EQ(floatToSrgb(-1.0f), 0);
    EXPECT_EQ(floatToSrgb(kInf), 255);
}

TEST(Scalar, SharedExponent)
{
    float rgb[3];
    sharedExpToFloat(0x999320c8u, rgb); // the specification's example (19.3.2.1)
    EXPECT_EQ(rgb[0], 6.25f);
    EXPECT_EQ(rgb[1], 12.5f);
    EXPECT_EQ(rgb[2], 3.125f);
    EXPECT_EQ(floatToSharedExp(rgb), 0x999320c8u);
    const float big[3] = {1e9f, -3.0f, kNan};
    sharedExpToFloat(floatToSharedExp(big), rgb);
    EXPECT_EQ(rgb[0], 65408.0f);
    EXPECT_EQ(rgb[1], 0.0f);
    EXPECT_EQ(rgb[2], 0.0f);
    sharedExpToFloat(0x000001ffu, rgb);
    EXPECT_EQ(rgb[0], 511.0f / 512.0f * 0x1p-15f);
    const float round[3] = {0.9999f, 0.0f, 0.0f};
    sharedExpToFloat(floatToSharedExp(round), rgb);
    EXPECT_EQ(rgb[0], 1.0f);
}

TEST(Scalar, ExtendedFloats)
{
    for (unsigned e : {3u, 4u})
        for (uint32_t v = 0; v < 1024; v++)
            ASSERT_EQ(floatToExtendedFloat(extendedFloatToFloat(v, e, 10 - e), e, 10 - e), v);
    EXPECT_EQ(extendedFloatToFloat(1023, 3, 7), 31.875f);
    EXPECT_EQ(extendedFloatToFloat(1023, 4, 6), 508.0f);
    EXPECT_EQ(floatToExtendedFloat(1e9f, 3, 7), 1023u);
}
