// SPDX-License-Identifier: MIT
#include "formats/reference.h"

#include "formats/block_codec.h"
#include "formats/scalar.h"

#include <algorithm>
#include <cstring>

namespace monolith::formats {

namespace {

/// Reads `bits` (at most 32) from bit `shift` on, little-endian.
uint32_t readBits(const uint8_t* p, unsigned shift, unsigned bits)
{
    uint64_t v = 0;
    const unsigned first = shift / 8, last = (shift + bits - 1) / 8;
    for (unsigned k = first; k <= last; k++)
        v |= uint64_t(p[k]) << (8 * (k - first));
    return uint32_t(v >> (shift % 8) & (bits == 32 ? 0xffffffffu : (1u << bits) - 1));
}

void orBits(uint8_t* p, unsigned shift, unsigned bits, uint32_t value)
{
    const uint64_t v = uint64_t(value) << (shift % 8);
    const unsigned first = shift / 8, last = (shift + bits - 1) / 8;
    for (unsigned k = first; k <= last; k++)
        p[k] = uint8_t(p[k] | v >> (8 * (k - first)));
}

int32_t signExtend(uint32_t v, unsigned bits) { return int32_t(v << (32 - bits)) >> (32 - bits); }

float floatFromBits(uint32_t v, unsigned bits)
{
    switch (bits) {
    case 16: return halfToFloat(uint16_t(v));
    case 11: return smallFloatToFloat(v, 6);
    case 10: return smallFloatToFloat(v, 5);
    default: return std::bit_cast<float>(v);
    }
}

uint32_t floatToBits(float f, unsigned bits)
{
    switch (bits) {
    case 16: return floatToHalf(f);
    case 11: return floatToSmallFloat(f, 6);
    case 10: return floatToSmallFloat(f, 5);
    default: return std::bit_cast<uint32_t>(f);
    }
}

void unpackChannel(const FormatInfo& f, unsigned k, uint32_t v, Texel& out)
{
    const Channel& c = f.channel[k];
    switch (c.type) {
    case ChannelType::None: break;
    case ChannelType::Typeless:
    case ChannelType::Uint: out.u[k] = v; break;
    case ChannelType::Sint: out.i[k] = signExtend(v, c.bits); break;
    case ChannelType::Snorm: out.f[k] = snormToFloat(signExtend(v, c.bits), c.bits); break;
    case ChannelType::Float: out.f[k] = floatFromBits(v, c.bits); break;
    case ChannelType::Unorm:
        out.f[k] = f.isSrgb() && k < 3 ? srgbToFloat(uint8_t(v)) : unormToFloat(v, c.bits);
        break;
    }
}

uint32_t packChannel(const FormatInfo& f, unsigned k, const Texel& in)
{
    const Channel& c = f.channel[k];
    const uint32_t mask = c.bits == 32 ? 0xffffffffu : (1u << c.bits) - 1;
    switch (c.type) {
    case ChannelType::None: return 0;
    case ChannelType::Typeless: return in.u[k] & mask;
    case ChannelType::Uint: return std::min(in.u[k], mask);
    case ChannelType::Sint: {
        const int32_t max = int32_t(mask >> 1), min = -max - 1;
        return uint32_t(std::clamp(in.i[k], min, max)) & mask;
    }
    case ChannelType::Snorm: return uint32_t(floatToSnorm(in.f[k], c.bits)) & mask;
    case ChannelType::Float: return floatToBits(in.f[k], c.bits);
    case ChannelType::Unorm: return f.isSrgb() && k < 3 ? floatToSrgb(in.f[k]) : floatToUnorm(in.f[k], c.bits);
    }
    return 0;
}

void setMissing(const FormatInfo& f, Texel& out)
{
    out.u[0] = out.u[1] = out.u[2] = 0;
    const ChannelType t = shaderType(f.format);
    if (t == ChannelType::Uint || t == ChannelType::Sint || t == ChannelType::None)
        out.u[3] = 1;
    else
        out.f[3] = 1.0f;
}

} // namespace

void unpack(Format format, const void* src, Texel& out)
{
    const FormatInfo& f = info(format);
    const uint8_t* p = static_cast<const uint8_t*>(src);
    setMissing(f, out);
    if (!f.isPlain()) {
        out.f[3] = 1.0f;
        return;
    }
    uint32_t word = 0;
    switch (f.layout) {
    case Layout::SharedExp:
        std::memcpy(&word, p, 4);
        sharedExpToFloat(word, out.f);
        return;
    case Layout::XrBias:
        for (unsigned k = 0; k < 3; k++)
            out.f[k] = float(int32_t(readBits(p, 10 * k, 10)) - 0x180) / 510.0f;
        out.f[3] = unormToFloat(readBits(p, 30, 2), 2);
        return;
    case Layout::SmallFloat7e3:
    case Layout::SmallFloat6e4:
        for (unsigned k = 0; k < 3; k++) {
            const unsigned e = f.layout == Layout::SmallFloat7e3 ? 3 : 4;
            out.f[k] = extendedFloatToFloat(readBits(p, 10 * k, 10), e, 10 - e);
        }
        out.f[3] = unormToFloat(readBits(p, 30, 2), 2);
        return;
    default: break;
    }
    for (unsigned k = 0; k < 4; k++)
        if (f.channel[k].bits)
            unpackChannel(f, k, readBits(p, f.channel[k].shift, f.channel[k].bits), out);
}

void pack(Format format, const Texel& in, void* dst)
{
    const FormatInfo& f = info(format);
    if (!f.isPlain())
        return;
    uint8_t* p = static_cast<uint8_t*>(dst);
    std::memset(p, 0, f.bytesPerBlock);
    switch (f.layout) {
    case Layout::SharedExp: {
        const uint32_t word = floatToSharedExp(in.f);
        std::memcpy(p, &word, 4);
        return;
    }
    case Layout::XrBias:
        for (unsigned k = 0; k < 3; k++) {
            // 0x180 is 0.0, one unit 1/510; NaN becomes 0.0.
            const float c = in.f[k] == in.f[k] ? in.f[k] : 0.0f;
            const float scaled = std::clamp(c, -1.0f, 2.0f) * 510.0f + 384.0f;
            orBits(p, 10 * k, 10, uint32_t(std::clamp(scaled + 0.5f, 0.0f, 1023.0f)));
        }
        orBits(p, 30, 2, floatToUnorm(in.f[3], 2));
        return;
    case Layout::SmallFloat7e3:
    case Layout::SmallFloat6e4:
        for (unsigned k = 0; k < 3; k++) {
            const unsigned e = f.layout == Layout::SmallFloat7e3 ? 3 : 4;
            orBits(p, 10 * k, 10, floatToExtendedFloat(in.f[k], e, 10 - e));
        }
        orBits(p, 30, 2, floatToUnorm(in.f[3], 2));
        return;
    default: break;
    }
    for (unsigned k = 0; k < 4; k++)
        if (f.channel[k].bits)
            orBits(p, f.channel[k].shift, f.channel[k].bits, packChannel(f, k, in));
}

void unpackPair(Format format, const void* src, unsigned x, Texel& out)
{
    const uint8_t* p = static_cast<const uint8_t*>(src);
    // R8G8_B8G8: R, G0, B, G1. G8R8_G8B8: G0, R, G1, B.
    const bool greenFirst = format == Format::G8R8_G8B8_UNORM;
    const unsigned r = greenFirst ? 1 : 0, g = greenFirst ? 0 : 1;
    out.f[0] = unormToFloat(p[r], 8);
    out.f[1] = unormToFloat(p[g + 2 * (x & 1)], 8);
    out.f[2] = unormToFloat(p[r + 2], 8);
    out.f[3] = 1.0f;
}

void readTexel(Format format, const void* surface, uint64_t rowPitch, uint32_t x, uint32_t y, Texel& out)
{
    const FormatInfo& f = info(format);
    const uint8_t* block = static_cast<const uint8_t*>(surface) + (y / f.blockHeight) * rowPitch +
                           uint64_t(x / f.blockWidth) * f.bytesPerBlock;
    if (f.isCompressed())
        decodeTexel(format, block, x & 3, y & 3, out);
    else if (f.layout == Layout::Subsampled)
        unpackPair(format, block, x & 1, out);
    else
        unpack(format, block, out);
}

} // namespace monolith::formats
