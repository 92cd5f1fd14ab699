// SPDX-License-Identifier: MIT
#include "formats/block_codec.h"
#include "formats/reference.h"
#include "formats/support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace monolith::formats;

namespace {

/// True if packing what was unpacked must give the same bits (19.1.2).
bool invertible(const FormatInfo& f, const uint8_t* src, const Texel& t)
{
    if (f.layout == Layout::SharedExp)
        return false; // several encodings of one colour
    for (unsigned k = 0; k < 4; k++) {
        const Channel& c = f.channel[k];
        if (!c.bits)
            continue;
        if (c.type == ChannelType::Float && std::isnan(t.f[k]))
            return false;
        if (c.type == ChannelType::Snorm && t.f[k] == -1.0f)
            return false;
    }
    if (f.layout == Layout::XrBias)
        return false;
    (void)src;
    return true;
}

uint32_t valueMask(const FormatInfo& f, unsigned byte)
{
    uint32_t mask = 0;
    for (const Channel& c : f.channel)
        for (unsigned b = c.shift; b < unsigned(c.shift + c.bits); b++)
            if (b / 8 == byte)
                mask |= 1u << (b % 8);
    return mask;
}

void roundTrip(const FormatInfo& f, const uint8_t* src)
{
    Texel t;
    unpack(f.format, src, t);
    if (!invertible(f, src, t))
        return;
    uint8_t back[16] = {};
    pack(f.format, t, back);
    for (unsigned k = 0; k < f.bytesPerBlock; k++)
        ASSERT_EQ(back[k], src[k] & valueMask(f, k)) << f.name << " byte " << k;
}

} // namespace

TEST(Reference, EveryPlainFormatIsInvertible)
{
    std::mt19937 random(7);
    for (uint32_t v = 1; v < kFormatCount; v++) {
        const FormatInfo& f = info(Format(v));
        if (!f.isPlain())
            continue;
        uint8_t src[16] = {};
        if (f.bytesPerBlock <= 2) {
            for (uint32_t k = 0; k < 1u << (8 * f.bytesPerBlock); k++) {
                std::memcpy(src, &k, 4);
                roundTrip(f, src);
            }
        } else {
            for (int k = 0; k < 20000; k++) {
                for (uint8_t& b : src)
                    b = uint8_t(random());
                roundTrip(f, src);
            }
        }
    }
}

TEST(Reference, MissingComponents)
{
    const uint32_t word = 0xffffffffu;
    Texel t;
    unpack(Format::R24_UNORM_X8_TYPELESS, &word, t);
    EXPECT_EQ(t.f[0], 1.0f);
    EXPECT_EQ(t.u[1], 0u);
    EXPECT_EQ(t.f[3], 1.0f);
    unpack(Format::R16G16_UINT, &word, t);
    EXPECT_EQ(t.u[1], 0xffffu);
    EXPECT_EQ(t.u[2], 0u);
    EXPECT_EQ(t.u[3], 1u);
    unpack(Format::R16_SINT, &word, t);
    EXPECT_EQ(t.i[0], -1);
    EXPECT_EQ(t.u[3], 1u);
    unpack(Format::A8_UNORM, &word, t);
    EXPECT_EQ(t.f[0], 0.0f);
    EXPECT_EQ(t.f[3], 1.0f);
    unpack(Format::B8G8R8X8_UNORM, &word, t);
    EXPECT_EQ(t.f[3], 1.0f);
    const uint32_t red = 0x00ff0000u;
    unpack(Format::B8G8R8A8_UNORM, &red, t);
    EXPECT_EQ(t.f[0], 1.0f);
    EXPECT_EQ(t.f[2], 0.0f);
    EXPECT_EQ(t.f[3], 0.0f);
}

TEST(Reference, SixteenBitDepthWithStencil)
{
    // REQ: M0064 M0065 M0066
    for (uint32_t d = 0; d < 65536; d += 13) {
        Texel t{};
        t.f[0] = float(d) / 65535.0f;
        t.u[1] = d & 255;
        uint32_t word = 0;
        pack(Format::D16_UNORM_S8_UINT, t, &word);
        Texel depth, stencil;
        unpack(Format::R16_UNORM_X8_TYPELESS, &word, depth);
        unpack(Format::X16_TYPELESS_G8_UINT, &word, stencil);
        ASSERT_EQ(depth.f[0], t.f[0]);
        ASSERT_EQ(stencil.u[1], t.u[1]);
        ASSERT_EQ(stencil.u[0], 0u);
    }
}

TEST(Reference, IntegersClamp)
{
    Texel t;
    t.u[0] = 300;
    t.u[1] = 0xffffffffu;
    t.u[2] = 0;
    t.u[3] = 7;
    uint8_t b[4];
    pack(Format::R8G8B8A8_UINT, t, b);
    EXPECT_EQ(b[0], 255);
    EXPECT_EQ(b[1], 255);
    pack(Format::R8G8B8A8_SINT, t, b);
    EXPECT_EQ(b[0], 127);
    EXPECT_EQ(b[1], 0xff);
    t.i[0] = -1000;
    pack(Format::R8G8B8A8_SINT, t, b);
    EXPECT_EQ(b[0], 0x80);
    uint32_t word;
    pack(Format::R10G10B10A2_UINT, t, &word);
    EXPECT_EQ(word >> 30, 3u);
}

TEST(Reference, SubsampledPairs)
{
    const uint8_t rgbg[4] = {255, 0, 51, 102};
    Texel t;
    unpackPair(Format::R8G8_B8G8_UNORM, rgbg, 0, t);
    EXPECT_EQ(t.f[0], 1.0f);
    EXPECT_EQ(t.f[1], 0.0f);
    EXPECT_EQ(t.f[2], 0.2f);
    unpackPair(Format::R8G8_B8G8_UNORM, rgbg, 1, t);
    EXPECT_EQ(t.f[1], 0.4f);
    unpackPair(Format::G8R8_G8B8_UNORM, rgbg, 1, t);
    EXPECT_EQ(t.f[0], 0.0f);
    EXPECT_EQ(t.f[1], 0.2f);
    EXPECT_EQ(t.f[2], 0.4f);
}

TEST(Blocks, Bc1FourAndThreeColours)
{
    // Red 31 and black, indices 0 1 2 3 in the first row.
    const uint8_t four[8] = {0x00, 0xf8, 0x00, 0x00, 0xe4, 0, 0, 0};
    uint8_t out[64];
    decodeBlockRgba8(Format::BC1_UNORM, four, out);
    EXPECT_EQ(out[0], 255);
    EXPECT_EQ(out[4], 0);
    EXPECT_EQ(out[8], 170);
    EXPECT_EQ(out[12], 85);
    EXPECT_EQ(out[15], 255);
    const uint8_t three[8] = {0x00, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
    decodeBlockRgba8(Format::BC1_UNORM, three, out);
    EXPECT_EQ(out[4], 255);
    EXPECT_EQ(out[8], 127);
    EXPECT_EQ(out[12], 0);
    EXPECT_EQ(out[15], 0);
    Texel t;
    decodeTexel(Format::BC1_UNORM_SRGB, four, 2, 0, t);
    EXPECT_NEAR(t.f[0], 0.4020f, 1e-4);
}

TEST(Blocks, Bc4AgainstTheFormulas)
{
    std::mt19937 random(3);
    for (int n = 0; n < 2000; n++) {
        uint8_t b[16];
        for (uint8_t& x : b)
            x = uint8_t(random());
        if (n % 7 == 0)
            b[0] = 0x80;
        uint64_t codes = 0;
        std::memcpy(&codes, b + 2, 6);
        for (unsigned k = 0; k < 16; k++) {
            const unsigned code = unsigned(codes >> (3 * k) & 7);
            for (bool isSigned : {false, true}) {
                const double e0 = isSigned ? std::max(int8_t(b[0]) / 127.0, -1.0) : b[0] / 255.0;
                const double e1 = isSigned ? std::max(int8_t(b[1]) / 127.0, -1.0) : b[1] / 255.0;
                const bool eight = isSigned ? int8_t(b[0]) > int8_t(b[1]) : b[0] > b[1];
                double want;
                if (code < 2)
                    want = code ? e1 : e0;
                else if (eight)
                    want = ((8 - code) * e0 + (code - 1) * e1) / 7;
                else if (code < 6)
                    want = ((6 - code) * e0 + (code - 1) * e1) / 5;
                else
                    want = code == 7 ? 1.0 : isSigned ? -1.0 : 0.0;
                Texel t;
                decodeTexel(isSigned ? Format::BC4_SNORM : Format::BC4_UNORM, b, k & 3, k >> 2, t);
                ASSERT_NEAR(t.f[0], want, 1e-7);
                decodeTexel(isSigned ? Format::BC5_SNORM : Format::BC5_UNORM, b, k & 3, k >> 2, t);
                ASSERT_NEAR(t.f[0], want, 1e-7);
                ASSERT_EQ(t.f[3], 1.0f);
            }
        }
    }
}

TEST(Blocks, Bc2AndBc3Alpha)
{
    uint8_t b[16] = {0x0f, 0x73, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0};
    Texel t;
    decodeTexel(Format::BC2_UNORM, b, 0, 0, t);
    EXPECT_EQ(t.f[3], 1.0f);
    decodeTexel(Format::BC2_UNORM, b, 2, 0, t);
    EXPECT_EQ(t.f[3], 3.0f / 15.0f);
    EXPECT_EQ(t.f[0], 1.0f);
    // alpha_0 > alpha_1 with code 2: (6 a0 + a1) / 7
    uint8_t c[16] = {140, 70, 2, 0, 0, 0, 0, 0};
    decodeTexel(Format::BC3_UNORM, c, 0, 0, t);
    EXPECT_EQ(t.f[3], 130.0f / 255.0f);
}

TEST(Support, Masks)
{
    // REQ: B0338
    for (uint32_t v = 1; v < kFormatCount; v++) {
        const Format f = Format(v);
        if (!supports(f, Level::L11_0, Use::RenderTarget))
            continue;
        EXPECT_EQ(qualityLevels(f, Level::L11_0, 1), 1u);
        EXPECT_GT(qualityLevels(f, Level::L11_0, 4), 0u) << info(f).name;
        if (info(f).bytesPerBlock < 16) {
            EXPECT_GT(qualityLevels(f, Level::L11_0, 8), 0u) << info(f).name;
        }
    }
    EXPECT_EQ(qualityLevels(Format::R8G8B8A8_UNORM, Level::L11_0, 3), 0u);
    EXPECT_EQ(qualityLevels(Format::BC1_UNORM, Level::L11_0, 4), 0u);
    EXPECT_EQ(supportMask(Format::UNKNOWN, Level::L9_1), 0u);
    EXPECT_EQ(supportMask2(Format::R32_UINT, Level::L11_0) & 0x2fu, 0x2fu);
    EXPECT_TRUE(supportMask(Format::D16_UNORM_S8_UINT, Level::L11_0) & 0x10000u);
    EXPECT_TRUE(supportMask(Format::R16_UINT, Level::L11_0) & 0x4u);
    EXPECT_EQ(supportMask(Format::NV12, Level::L11_1), 0u);
}
