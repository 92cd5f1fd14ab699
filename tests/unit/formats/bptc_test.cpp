// SPDX-License-Identifier: MIT
// BC6H and BC7 against the decoder of another graphics library (Mesa 22.3): hashes over 256 random blocks of each mode.
#include "formats/block_codec.h"
#include "formats/bptc.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace monolith::formats;

namespace {

struct Row {
    int kind; // BptcKind
    unsigned mode;
    uint64_t hash;
};
constexpr Row kRows[] = {
    {0, 0, 0x18825ca9b82670f2ull},
    {0, 1, 0x1493001804d6958aull},
    {0, 2, 0xaf5e113c4f227f89ull},
    {0, 3, 0xce4f0d0f7754232bull},
    {0, 4, 0xf436a6f2ab30ae79ull},
    {0, 5, 0x105ce5e375dc2a57ull},
    {0, 6, 0x504db0c7e8853a78ull},
    {0, 7, 0xf16a50a8247d9a92ull},
    {1, 0, 0xe5ec04d547203b4eull},
    {1, 1, 0xbe85fcade6f72bb1ull},
    {1, 2, 0x7551d6b8f9bbe4d9ull},
    {1, 6, 0x64ba0baf2b2483f9ull},
    {1, 10, 0xb9b367b8149b91eaull},
    {1, 14, 0x0c1601ccb035ad32ull},
    {1, 18, 0xc4d2ba47f2c3dc1cull},
    {1, 22, 0xd9573646bcc4048aull},
    {1, 26, 0x23039981ebe7e0edull},
    {1, 30, 0x6d739ad20f506e29ull},
    {1, 3, 0x9557dd0ee56bdd8dull},
    {1, 7, 0x3adf74db41a90a1full},
    {1, 11, 0xb2ee5ec5658ca18bull},
    {1, 15, 0x2e66d93b6cd86d9eull},
    {2, 0, 0xcb1bf043b5817f2full},
    {2, 1, 0xfe95f28f4468e33bull},
    {2, 2, 0x0ad3559839128a3cull},
    {2, 6, 0x7c1015154c09e93full},
    {2, 10, 0xc73e99ef95dac04dull},
    {2, 14, 0x3cd120ebd04bde39ull},
    {2, 18, 0x388bfd5d2a29871full},
    {2, 22, 0xf97835db27501c28ull},
    {2, 26, 0x59378883f6e9700eull},
    {2, 30, 0xaffae3e994b1c912ull},
    {2, 3, 0x7fb5d512ddeda09eull},
    {2, 7, 0x49fcbfe92aaba529ull},
    {2, 11, 0x05087bb8acf0ee49ull},
    {2, 15, 0x1396e9ebfaa7d027ull},
};

class Bytes {
public:
    uint8_t next()
    {
        m_state = m_state * 6364136223846793005ull + 1442695040888963407ull;
        return uint8_t(m_state >> 56);
    }

private:
    uint64_t m_state = 12345;
};

uint64_t hashed(uint64_t h, const void* data, size_t size)
{
    for (size_t k = 0; k < size; k++)
        h = (h ^ static_cast<const uint8_t*>(data)[k]) * 0x100000001b3ull;
    return h;
}

} // namespace

TEST(Bptc, EveryModeIsExact)
{
    Bytes random;
    for (const Row& row : kRows) {
        uint64_t hash = 0xcbf29ce484222325ull;
        for (int n = 0; n < 256; n++) {
            uint8_t block[16];
            for (uint8_t& b : block)
                b = random.next();
            const unsigned modeBits = row.kind == 0 ? row.mode + 1 : row.mode < 2 ? 2 : 5;
            const unsigned code = row.kind == 0 ? 1u << row.mode : row.mode;
            block[0] = uint8_t((block[0] & ~((1u << modeBits) - 1)) | code);
            const Format format = row.kind == 0 ? Format::BC7_UNORM : row.kind == 1 ? Format::BC6H_UF16 : Format::BC6H_SF16;
            if (row.kind == 0) {
                uint8_t texels[64];
                decodeBc7(block, texels);
                hash = hashed(hash, texels, sizeof texels);
            }
            for (unsigned k = 0; k < 16; k++) {
                Texel t;
                decodeTexel(format, block, k & 3, k >> 2, t);
                if (row.kind != 0) {
                    hash = hashed(hash, t.f, 12);
                    ASSERT_EQ(t.f[3], 1.0f);
                }
            }
        }
        EXPECT_EQ(hash, row.hash) << "kind " << row.kind << " mode " << row.mode;
    }
}

TEST(Bptc, ReservedModesAreBlack)
{
    uint8_t block[16];
    std::memset(block, 0xff, sizeof block);
    for (uint8_t mode : {0x13, 0x17, 0x1b, 0x1f}) {
        block[0] = uint8_t(0xe0 | mode);
        for (Format f : {Format::BC6H_UF16, Format::BC6H_SF16}) {
            Texel t;
            decodeTexel(f, block, 1, 2, t);
            EXPECT_EQ(t.f[0], 0.0f);
            EXPECT_EQ(t.f[1], 0.0f);
            EXPECT_EQ(t.f[2], 0.0f);
            EXPECT_EQ(t.f[3], 1.0f);
        }
    }
    block[0] = 0;
    Texel t;
    decodeTexel(Format::BC7_UNORM, block, 3, 3, t);
    for (float c : t.f)
        EXPECT_EQ(c, 0.0f);
}

TEST(Bptc, SrgbDecodesColoursOnly)
{
    // Mode 6, both end points (200, 200, 200, 200) with P bit 0.
    uint8_t block[16] = {};
    uint64_t low = 1u << 6;
    for (int k = 0; k < 8; k++)
        low |= uint64_t(100) << (7 + 7 * k);
    std::memcpy(block, &low, 8);
    Texel linear, srgb;
    decodeTexel(Format::BC7_UNORM, block, 0, 0, linear);
    decodeTexel(Format::BC7_UNORM_SRGB, block, 0, 0, srgb);
    EXPECT_FLOAT_EQ(linear.f[0], 200.0f / 255.0f);
    EXPECT_NEAR(srgb.f[0], 0.57758f, 1e-5f);
    EXPECT_EQ(srgb.f[3], linear.f[3]);
}
