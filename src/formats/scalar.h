// SPDX-License-Identifier: MIT
/// @file
/// Conversions of one number, bit-exact by chapter 3.2 of the functional specification.
///
/// Two rules surprise: conversion to a smaller *float* rounds toward zero (3.2.2), so nothing finite becomes infinite;
/// conversion to a normalised integer multiplies and adds 0.5 in binary32 and truncates (3.2.3.4, 3.2.3.6).
#pragma once

#include <bit>
#include <cstdint>

namespace monolith::formats {

/// n-bit UNORM to float, correctly rounded; n <= 24.
inline float unormToFloat(uint32_t v, unsigned n) { return float(v) / float((1u << n) - 1); }

/// n-bit SNORM (sign-extended) to float, correctly rounded; the most negative code is -1.
inline float snormToFloat(int32_t v, unsigned n)
{
    const int32_t max = (1 << (n - 1)) - 1;
    return v < -max ? -1.0f : float(v) / float(max);
}

/// Float to n-bit UNORM; NaN gives 0. n <= 16 by the specification's steps in binary32, 24 exactly.
inline uint32_t floatToUnorm(float c, unsigned n)
{
    if (!(c > 0.0f))
        return 0;
    if (c > 1.0f)
        c = 1.0f;
    if (n > 16)
        return uint32_t(double(c) * double((1u << n) - 1) + 0.5);
    const float scaled = c * float((1u << n) - 1);
    return uint32_t(scaled + 0.5f);
}

/// Float to n-bit SNORM, n <= 16; NaN gives 0. The result is sign-extended.
inline int32_t floatToSnorm(float c, unsigned n)
{
    if (!(c == c))
        return 0;
    c = c > 1.0f ? 1.0f : c < -1.0f ? -1.0f : c;
    const float scaled = c * float((1 << (n - 1)) - 1);
    return int32_t(scaled >= 0.0f ? scaled + 0.5f : scaled - 0.5f);
}

/// binary16 to binary32; denormals are kept, NaN becomes quiet (as F16C does).
inline float halfToFloat(uint16_t h)
{
    const uint32_t sign = uint32_t(h & 0x8000u) << 16;
    uint32_t e = (h >> 10) & 31, m = h & 0x3ffu;
    if (e == 31)
        return std::bit_cast<float>(sign | 0x7f800000u | m << 13 | (m ? 0x400000u : 0));
    if (e == 0) {
        const float v = float(m) * 0x1p-24f;
        return std::bit_cast<float>(std::bit_cast<uint32_t>(v) | sign);
    }
    return std::bit_cast<float>(sign | (e + 112) << 23 | m << 13);
}

/// binary32 to binary16, rounding toward zero; NaN becomes quiet, infinity stays.
inline uint16_t floatToHalf(float f)
{
    const uint32_t b = std::bit_cast<uint32_t>(f);
    const uint16_t sign = uint16_t(b >> 16 & 0x8000u);
    const uint32_t a = b & 0x7fffffffu;
    if (a > 0x7f800000u)
        return uint16_t(sign | 0x7e00u | (a >> 13 & 0x3ffu));
    if (a == 0x7f800000u)
        return uint16_t(sign | 0x7c00u);
    if (a >= 0x47800000u) // 65536 and above
        return uint16_t(sign | 0x7bffu);
    if (a >= 0x38800000u) // normal
        return uint16_t(sign | ((a - 0x38000000u) >> 13));
    const uint32_t e = a >> 23;
    if (e < 103) // below 2^-24
        return sign;
    return uint16_t(sign | ((a & 0x7fffffu) | 0x800000u) >> (126 - e));
}

/// 11-bit (mantissa 6) and 10-bit (mantissa 5) unsigned floats (3.1.6).
inline float smallFloatToFloat(uint32_t v, unsigned mantissa) { return halfToFloat(uint16_t(v << (10 - mantissa))); }
inline uint32_t floatToSmallFloat(float f, unsigned mantissa)
{
    const uint16_t h = floatToHalf(f);
    const bool nan = (h & 0x7fffu) > 0x7c00u;
    return (h & 0x8000u) && !nan ? 0 : uint32_t(h & 0x7fffu) >> (10 - mantissa);
}

/// 8-bit sRGB code to linear float, the ideal curve rounded once.
float srgbToFloat(uint8_t code);
/// Linear float to 8-bit sRGB code, exact; NaN gives 0.
uint8_t floatToSrgb(float c);
/// The decode table itself (256 entries), for generated code.
const float* srgbDecodeTable();
/// The smallest float that encodes to code k (entry 0 is 0), for generated code and tests.
const float* srgbThresholds();

/// Unsigned floats without infinity: `exponent` bits of exponent above `mantissa` bits, bias 2^(exponent-1)-1.
float extendedFloatToFloat(uint32_t v, unsigned exponent, unsigned mantissa);
uint32_t floatToExtendedFloat(float f, unsigned exponent, unsigned mantissa);

/// R9G9B9E5: three mantissas and a shared exponent.
void sharedExpToFloat(uint32_t v, float rgb[3]);
uint32_t floatToSharedExp(const float rgb[3]);

} // namespace monolith::formats
