// SPDX-License-Identifier: MIT
#include "formats/format.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace monolith::formats;

TEST(Format, ChannelsFitTheBlock)
{
    for (uint32_t k = 0; k < kFormatCount; k++) {
        const FormatInfo& f = info(Format(k));
        EXPECT_EQ(uint32_t(f.format), k);
        if (!f.isPlain())
            continue;
        uint64_t used[2] = {};
        for (const Channel& c : f.channel) {
            EXPECT_LE(c.shift + c.bits, f.bytesPerBlock * 8) << f.name;
            for (unsigned b = c.shift; b < unsigned(c.shift + c.bits); b++) {
                EXPECT_FALSE(used[b / 64] >> (b % 64) & 1) << f.name;
                used[b / 64] |= uint64_t(1) << (b % 64);
            }
        }
    }
}

TEST(Format, FamiliesAgreeInSize)
{
    for (uint32_t k = 0; k < kFormatCount; k++) {
        const FormatInfo& f = info(Format(k));
        const FormatInfo& g = info(f.family);
        EXPECT_EQ(f.bytesPerBlock, g.bytesPerBlock) << f.name;
        EXPECT_EQ(f.blockWidth, g.blockWidth) << f.name;
        EXPECT_EQ(g.family, g.format) << f.name;
        EXPECT_EQ(f.isTypeless(), std::strstr(f.name, "TYPELESS") != nullptr && !f.has(Flag::DepthView | Flag::StencilView)) << f.name;
        EXPECT_EQ(f.isSrgb(), std::strstr(f.name, "SRGB") != nullptr) << f.name;
    }
}

TEST(Format, Views)
{
    // REQ: B0656
    EXPECT_TRUE(canView(Format::R32G32B32_TYPELESS, Format::R32G32B32_FLOAT));
    EXPECT_TRUE(canView(Format::R32G32B32_TYPELESS, Format::R32G32B32_UINT));
    EXPECT_TRUE(canView(Format::R32G32B32_TYPELESS, Format::R32G32B32_SINT));
    EXPECT_FALSE(canView(Format::R32G32B32_TYPELESS, Format::R32G32B32_TYPELESS));
    EXPECT_FALSE(canView(Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM_SRGB));
    EXPECT_TRUE(canView(Format::R8G8B8A8_TYPELESS, Format::R8G8B8A8_UNORM_SRGB));
    EXPECT_TRUE(canView(Format::R24G8_TYPELESS, Format::R24_UNORM_X8_TYPELESS));
    EXPECT_TRUE(canView(Format::R24G8_TYPELESS, Format::X24_TYPELESS_G8_UINT));
    EXPECT_TRUE(canView(Format::D16_UNORM_S8_UINT, Format::R16_UNORM_X8_TYPELESS));
    EXPECT_TRUE(canView(Format::D16_UNORM_S8_UINT, Format::X16_TYPELESS_G8_UINT));
    EXPECT_FALSE(canView(Format::R32_TYPELESS, Format::R16G16_UINT));
    EXPECT_FALSE(canView(Format(5000), Format(5000)));
    EXPECT_EQ(depthViewOf(Format::D24_UNORM_S8_UINT), Format::R24_UNORM_X8_TYPELESS);
    EXPECT_EQ(depthFormatOfFamily(Format::R32G8X24_TYPELESS), Format::D32_FLOAT_S8X24_UINT);
}

TEST(Format, SrgbPairs)
{
    EXPECT_EQ(toSrgb(Format::R8G8B8A8_UNORM), Format::R8G8B8A8_UNORM_SRGB);
    EXPECT_EQ(toLinear(Format::BC7_UNORM_SRGB), Format::BC7_UNORM);
    EXPECT_EQ(toLinear(Format::B8G8R8A8_UNORM_SRGB), Format::B8G8R8A8_UNORM);
    EXPECT_EQ(toSrgb(Format::R16_FLOAT), Format::R16_FLOAT);
}
