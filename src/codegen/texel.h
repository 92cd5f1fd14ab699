// SPDX-License-Identifier: MIT
/// @file
/// Texels in generated code: packed words of eight texels to four channels and back.
///
/// The results equal formats/reference.h bit for bit. What depends on the format is decided while recording, so each
/// conversion is straight-line code.
#pragma once

#include "formats/format.h"
#include "simd/value.h"

namespace monolith::codegen {

/// The memory words of eight texels: w[k] holds word k of each lane's texel. Texels below 32 bits lie in the low bits of
/// w[0], with zeros above.
struct TexelWords {
  simd::Int w[4];
};

/// Four channels as the shader sees them: bits of floats or integers.
struct Channels {
  simd::Int c[4];
};

/// Number of words of a texel (1 to 4).
unsigned texelWordCount(formats::Format format);

/// True if unpackTexel knows the format (all plain formats).
bool canUnpack(formats::Format format);
/// True if packTexel knows the format (plain formats that can be render targets or typed UAVs).
bool canPack(formats::Format format);

/// All four channels; missing ones are 0, missing alpha is 1.
/// Channels that are not in `used` may stay unset.
Channels unpackTexel(formats::Format format, const TexelWords& words, uint8_t used = 15);

/// Only channels that the format has are used; unused bits become 0.
TexelWords packTexel(formats::Format format, const Channels& in);

/// n-bit UNORM codes to float, correctly rounded (n <= 24).
simd::Float unormToFloat(simd::Int code, unsigned n);
/// Float to n-bit UNORM codes (n <= 16, or 24).
simd::Int floatToUnorm(simd::Float c, unsigned n);
/// 8-bit sRGB codes to linear float and back, exact.
simd::Float srgbToFloat(simd::Int code);
simd::Int floatToSrgb(simd::Float c);

/// Which bits of word k of a texel belong to the channels of `writeMask` (and to unused bits, if all channels that the
/// format has are in it).
uint32_t channelBits(formats::Format format, uint8_t writeMask, unsigned word);

/// Channels that exist in the format, as a write mask.
uint8_t presentChannels(formats::Format format);

} // namespace monolith::codegen
