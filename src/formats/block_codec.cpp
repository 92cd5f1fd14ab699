// SPDX-License-Identifier: MIT
#include "formats/block_codec.h"

#include "formats/bptc.h"
#include "formats/scalar.h"

#include <cstring>

namespace monolith::formats {

namespace {

uint32_t load32(const uint8_t* p)
{
    uint32_t v;
    std::memcpy(&v, p, 4);
    return v;
}

uint64_t load48(const uint8_t* p)
{
    uint64_t v = 0;
    std::memcpy(&v, p, 6);
    return v;
}

struct Rgb {
    uint32_t c[3];
};

/// 5:6:5 promoted to 8 bits by repeating the top bits (19.5.3).
Rgb promote565(uint32_t v)
{
    const uint32_t r = v >> 11 & 31, g = v >> 5 & 63, b = v & 31;
    return {{r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2}};
}

/// The colour part of BC1 to BC3: 8-bit codes, and alpha 0 for BC1's transparent code.
void colorTexel(const uint8_t* block, bool fourColors, unsigned index, uint8_t out[4])
{
    const uint32_t ends = load32(block);
    const uint32_t v0 = ends & 0xffff, v1 = ends >> 16;
    const unsigned code = load32(block + 4) >> (2 * index) & 3;
    const Rgb a = promote565(v0), b = promote565(v1);
    const bool four = fourColors || v0 > v1;
    out[3] = !four && code == 3 ? 0 : 255;
    for (int k = 0; k < 3; k++) {
        uint32_t c = 0;
        switch (code) {
        case 0: c = a.c[k]; break;
        case 1: c = b.c[k]; break;
        case 2: c = four ? (2 * a.c[k] + b.c[k]) / 3 : (a.c[k] + b.c[k]) / 2; break;
        default: c = four ? (a.c[k] + 2 * b.c[k]) / 3 : 0; break;
        }
        out[k] = uint8_t(c);
    }
}

/// A value of a BC4-style block as a fraction: numerator over denominator * full scale.
struct Fraction {
    int32_t numerator;
    int32_t denominator;
};

Fraction interpolated(int32_t e0, int32_t e1, bool eight, unsigned code, int32_t low, int32_t high)
{
    if (code == 0)
        return {e0, 1};
    if (code == 1)
        return {e1, 1};
    const int32_t w = int32_t(code) - 1;
    if (eight)
        return {(7 - w) * e0 + w * e1, 7};
    if (code == 6)
        return {low, 1};
    if (code == 7)
        return {high, 1};
    return {(5 - w) * e0 + w * e1, 5};
}

Fraction unormFraction(const uint8_t* block, unsigned index)
{
    const unsigned code = unsigned(load48(block + 2) >> (3 * index) & 7);
    return interpolated(block[0], block[1], block[0] > block[1], code, 0, 255);
}

Fraction snormFraction(const uint8_t* block, unsigned index)
{
    const unsigned code = unsigned(load48(block + 2) >> (3 * index) & 7);
    const int32_t raw0 = int8_t(block[0]), raw1 = int8_t(block[1]);
    const int32_t e0 = raw0 < -127 ? -127 : raw0, e1 = raw1 < -127 ? -127 : raw1;
    return interpolated(e0, e1, raw0 > raw1, code, -127, 127);
}

float channelValue(const uint8_t* block, unsigned index, bool isSigned)
{
    const Fraction v = isSigned ? snormFraction(block, index) : unormFraction(block, index);
    return float(v.numerator) / float(v.denominator * (isSigned ? 127 : 255));
}

/// BC2's explicit and BC3's interpolated alpha as 8-bit codes.
uint8_t alphaCode(Layout layout, const uint8_t* block, unsigned index)
{
    if (layout == Layout::BC2)
        return uint8_t((block[index / 2] >> (4 * (index & 1)) & 15) * 17);
    const Fraction v = unormFraction(block, index);
    return uint8_t((2 * v.numerator + v.denominator) / (2 * v.denominator));
}

void rgba8Texel(Layout layout, const uint8_t* block, unsigned index, uint8_t out[4])
{
    if (layout == Layout::BC1) {
        colorTexel(block, false, index, out);
        return;
    }
    colorTexel(block + 8, true, index, out);
    out[3] = alphaCode(layout, block, index);
}

} // namespace

bool canDecode(Format format)
{
    const FormatInfo& f = info(format);
    return f.layout >= Layout::BC1 && f.layout <= Layout::BC7 && !f.isTypeless();
}

void decodeTexel(Format format, const void* source, unsigned x, unsigned y, Texel& out)
{
    const FormatInfo& f = info(format);
    const uint8_t* block = static_cast<const uint8_t*>(source);
    const unsigned index = (y & 3) * 4 + (x & 3);
    out.f[0] = out.f[1] = out.f[2] = 0.0f;
    out.f[3] = 1.0f;
    const bool isSigned = f.channel[0].type == ChannelType::Snorm;
    switch (f.layout) {
    case Layout::BC1:
    case Layout::BC2:
    case Layout::BC3: {
        uint8_t c[4];
        rgba8Texel(f.layout, block, index, c);
        for (unsigned k = 0; k < 3; k++)
            out.f[k] = f.isSrgb() ? srgbToFloat(c[k]) : unormToFloat(c[k], 8);
        out.f[3] = unormToFloat(c[3], 8);
        break;
    }
    case Layout::BC4: out.f[0] = channelValue(block, index, isSigned); break;
    case Layout::BC5:
        out.f[0] = channelValue(block, index, isSigned);
        out.f[1] = channelValue(block + 8, index, isSigned);
        break;
    case Layout::BC6H: {
        const bool hasSign = format == Format::BC6H_SF16;
        const BptcTexels& t = bptcTexels(hasSign ? BptcKind::Bc6hSigned : BptcKind::Bc6hUnsigned, block);
        for (unsigned k = 0; k < 3; k++)
            out.f[k] = halfToFloat(t.rgb[index * 3 + k]);
        break;
    }
    case Layout::BC7: {
        const uint8_t* c = bptcTexels(BptcKind::Bc7, block).rgba + index * 4;
        for (unsigned k = 0; k < 3; k++)
            out.f[k] = f.isSrgb() ? srgbToFloat(c[k]) : unormToFloat(c[k], 8);
        out.f[3] = unormToFloat(c[3], 8);
        break;
    }
    default: break;
    }
}

void decodeBlock(Format format, const void* block, Texel out[16])
{
    for (unsigned k = 0; k < 16; k++)
        decodeTexel(format, block, k & 3, k >> 2, out[k]);
}

void decodeBlockRgba8(Format format, const void* source, uint8_t out[64])
{
    const Layout layout = info(format).layout;
    if (layout < Layout::BC1 || layout > Layout::BC3) {
        std::memset(out, 0, 64);
        return;
    }
    for (unsigned k = 0; k < 16; k++)
        rgba8Texel(layout, static_cast<const uint8_t*>(source), k, out + 4 * k);
}

} // namespace monolith::formats
