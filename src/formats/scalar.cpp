// SPDX-License-Identifier: MIT
#include "formats/scalar.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace monolith::formats {

namespace {

#include "formats/srgb_table.inc"

struct Tables {
    float decode[256];
    float threshold[256];
};

constexpr Tables makeTables()
{
    Tables t{};
    for (int k = 0; k < 256; k++) {
        t.decode[k] = std::bit_cast<float>(kSrgbDecodeBits[k]);
        t.threshold[k] = std::bit_cast<float>(kSrgbThresholdBits[k]);
    }
    return t;
}

alignas(64) constexpr Tables kTables = makeTables();

} // namespace

float srgbToFloat(uint8_t code) { return kTables.decode[code]; }
const float* srgbDecodeTable() { return kTables.decode; }
const float* srgbThresholds() { return kTables.threshold; }

uint8_t floatToSrgb(float c)
{
    if (!(c > 0.0f))
        return 0;
    return uint8_t(std::upper_bound(kTables.threshold, kTables.threshold + 256, c) - kTables.threshold - 1);
}

float extendedFloatToFloat(uint32_t v, unsigned exponent, unsigned mantissa)
{
    const int bias = (1 << (exponent - 1)) - 1;
    const int e = int(v >> mantissa & ((1u << exponent) - 1));
    const uint32_t m = v & ((1u << mantissa) - 1);
    const uint32_t significand = e ? m | 1u << mantissa : m;
    return std::ldexp(float(significand), (e ? e : 1) - bias - int(mantissa));
}

uint32_t floatToExtendedFloat(float f, unsigned exponent, unsigned mantissa)
{
    if (!(f > 0.0f))
        return 0;
    const int bias = (1 << (exponent - 1)) - 1;
    const int maxE = (1 << exponent) - 1;
    if (f >= std::ldexp(1.0f, maxE - bias + 1))
        return (1u << (exponent + mantissa)) - 1;
    const int e = std::max(std::ilogb(f), 1 - bias);
    // Below 2^(mantissa+1), and truncated: round toward zero.
    const uint32_t significand = uint32_t(std::ldexp(f, int(mantissa) - e));
    if (significand < 1u << mantissa)
        return significand;
    return uint32_t(e + bias) << mantissa | (significand & ((1u << mantissa) - 1));
}

void sharedExpToFloat(uint32_t v, float rgb[3])
{
    // scale = 2^(E - 15), fraction = mantissa / 512
    const float scale = std::bit_cast<float>(((v >> 27) - 15 - 9 + 127) << 23);
    rgb[0] = float(v & 511) * scale;
    rgb[1] = float(v >> 9 & 511) * scale;
    rgb[2] = float(v >> 18 & 511) * scale;
}

uint32_t floatToSharedExp(const float rgb[3])
{
    constexpr float kMax = 65408.0f;
    float c[3];
    float top = 0.0f;
    for (int k = 0; k < 3; k++) {
        c[k] = rgb[k] > 0.0f ? std::min(rgb[k], kMax) : 0.0f;
        top = std::max(top, c[k]);
    }
    // The exponent for which the largest component's fraction is in [0.5, 1).
    int e = top > 0.0f ? std::max(std::ilogb(top) + 1, -15) : -15;
    if (std::nearbyint(std::ldexp(top, 9 - e)) >= 512.0f)
        e++;
    uint32_t out = uint32_t(e + 15) << 27;
    for (int k = 0; k < 3; k++)
        out |= uint32_t(std::nearbyint(std::ldexp(c[k], 9 - e))) << (9 * k);
    return out;
}

} // namespace monolith::formats
