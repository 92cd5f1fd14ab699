// SPDX-License-Identifier: MIT
#include "formats/bptc.h"

#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace monolith::formats {

namespace {

/// The block as a stream of bits, lowest first.
class Bits {
public:
    explicit Bits(const uint8_t block[16])
    {
        std::memcpy(&m_low, block, 8);
        std::memcpy(&m_high, block + 8, 8);
    }
    uint32_t take(unsigned count)
    {
        const uint32_t v = uint32_t(m_low) & ((1u << count) - 1);
        if (count) {
            m_low = m_low >> count | m_high << (64 - count);
            m_high >>= count;
        }
        return v;
    }

private:
    uint64_t m_low, m_high;
};

constexpr uint8_t kWeights2[4] = {0, 21, 43, 64};
constexpr uint8_t kWeights3[8] = {0, 9, 18, 27, 37, 46, 55, 64};
constexpr uint8_t kWeights4[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};

const uint8_t* weights(unsigned indexBits) { return indexBits == 2 ? kWeights2 : indexBits == 3 ? kWeights3 : kWeights4; }

// ---- partitions

/// Two subsets: bit k tells the subset of texel k (19.5.14.5).
constexpr uint16_t kTwoSubsets[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80, 0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce, 0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a, 0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c, 0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22};

/// The texel of subset 1 whose index lacks its highest bit.
constexpr uint8_t kTwoAnchors[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8,  8,  15, 2, 8, 2, 2, 8,  8,  2,  2,
    15, 15, 6,  8,  2,  8,  15, 15, 2,  8,  2,  2,  2,  15, 15, 6,  6,  2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15};

/// Three subsets, row by row (19.5.14.6).
constexpr const char* kThreeSubsets[64] = {
    "0011001102212222", "0001001122112221", "0000200122112211", "0222002200110111", "0000000011221122", "0011001100220022",
    "0022002211111111", "0011001122112211", "0000000011112222", "0000111111112222", "0000111122222222", "0012001200120012",
    "0112011201120112", "0122012201220122", "0011011211221222", "0011200122002220", "0001001101121122", "0111001120012200",
    "0000112211221122", "0022002200221111", "0111011102220222", "0001000122212221", "0000001101220122", "0000110022102210",
    "0122012200110000", "0012001211222222", "0110122112210110", "0000011012211221", "0022110211020022", "0110011020022222",
    "0011012201220011", "0000200022112221", "0000000211221222", "0222002200120011", "0011001200220222", "0120012001200120",
    "0000111122220000", "0120120120120120", "0120201212010120", "0011220011220011", "0011112222000011", "0101010122222222",
    "0000000021212121", "0022112200221122", "0022001100220011", "0220122102201221", "0101222222220101", "0000212121212121",
    "0101010101012222", "0222011102220111", "0002111200021112", "0000211221122112", "0222011101110222", "0002111211120002",
    "0110011001102222", "0000000021122112", "0110011022222222", "0022001100110022", "0022112211220022", "0000000000002112",
    "0002000100020001", "0222122202221222", "0101222222222222", "0111201122012220"};

constexpr uint8_t kThreeAnchors1[64] = {
    3,  3, 15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3,  3, 8,  15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3};
constexpr uint8_t kThreeAnchors2[64] = {
    15, 8,  8, 3,  15, 15, 3, 8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8, 15, 3,  15, 8,  15, 8,  3,  15, 6,  10, 15, 15, 10, 8,
    15, 3, 15, 10, 10, 8,  9, 10, 6,  15, 8,  15, 3,  6,  6,  8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8};

unsigned subsetOf(unsigned subsets, unsigned partition, unsigned texel)
{
    switch (subsets) {
    case 2: return kTwoSubsets[partition] >> texel & 1;
    case 3: return unsigned(kThreeSubsets[partition][texel] - '0');
    default: return 0;
    }
}

bool isAnchor(unsigned subsets, unsigned partition, unsigned texel)
{
    if (texel == 0)
        return true;
    if (subsets == 2)
        return texel == kTwoAnchors[partition];
    return subsets == 3 && (texel == kThreeAnchors1[partition] || texel == kThreeAnchors2[partition]);
}

// ---- BC7

struct Bc7Mode {
    uint8_t subsets, partitionBits, rotationBits, selectorBits, colorBits, alphaBits;
    uint8_t uniqueParity, sharedParity; ///< P bits: one for each end point, one for each subset
    uint8_t indexBits, secondBits;
};

constexpr Bc7Mode kBc7Modes[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2}, {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

/// `bits` wide to 8 bits by repeating the top bits.
uint8_t widened(uint32_t v, unsigned bits)
{
    v <<= 8 - bits;
    return uint8_t(v | v >> bits);
}

/// End points of all subsets, widened to 8 bits.
void readEnds(Bits& bits, const Bc7Mode& m, uint8_t ends[6][4])
{
    const unsigned count = m.subsets * 2u;
    uint32_t raw[6][4];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < count; e++)
            raw[e][c] = bits.take(c < 3 ? m.colorBits : m.alphaBits);
    const unsigned parity = m.uniqueParity | m.sharedParity;
    uint32_t p = 0;
    for (unsigned e = 0; parity && e < count; e++) {
        if (m.uniqueParity || !(e & 1))
            p = bits.take(1);
        for (uint32_t& v : raw[e])
            v = v << 1 | p;
    }
    for (unsigned e = 0; e < count; e++)
        for (unsigned c = 0; c < 4; c++)
            ends[e][c] = c == 3 && !m.alphaBits ? 255 : widened(raw[e][c], (c < 3 ? m.colorBits : m.alphaBits) + parity);
}

uint8_t mix(uint8_t a, uint8_t b, uint8_t weight) { return uint8_t(((64u - weight) * a + weight * b + 32u) >> 6); }

// ---- BC6H

enum Field : uint8_t { rw, gw, bw, rx, gx, bx, ry, gy, by, rz, gz, bz, shape, kFieldCount };

/// A header bit's place.
struct HeaderBit {
    uint8_t field, bit;
};

struct Bc6hMode {
    bool two, transformed;
    uint8_t precision, delta[3];
    unsigned headerBits; ///< behind the mode bits
    std::array<HeaderBit, 80> header;
};

/// `text`: words like "rw9:0" (bits 9 to 0, the lowest first), "gy4", "rw10:11" (bit 11 first), "d4:0" (partition).
constexpr Bc6hMode makeMode(bool two, bool transformed, unsigned precision, unsigned r, unsigned g, unsigned b, const char* text)
{
    Bc6hMode m{two, transformed, uint8_t(precision), {uint8_t(r), uint8_t(g), uint8_t(b)}, 0, {}};
    const auto number = [&] {
        unsigned v = 0;
        while (*text >= '0' && *text <= '9')
            v = v * 10 + unsigned(*text++ - '0');
        return v;
    };
    while (*text) {
        unsigned field = shape;
        if (*text++ != 'd') {
            const char channel = text[-1], which = *text++;
            field = unsigned(which - 'w') * 3u + (channel == 'r' ? 0u : channel == 'g' ? 1u : 2u);
        }
        const unsigned last = number();
        unsigned first = last;
        if (*text == ':') {
            text++;
            first = number();
        }
        for (unsigned bit = first;; bit += last > first ? 1u : ~0u) {
            m.header[m.headerBits++] = {uint8_t(field), uint8_t(bit)};
            if (bit == last)
                break;
        }
        while (*text == ' ')
            text++;
    }
    return m;
}

/// By the five mode bits; the two-bit modes are 0 and 1 (19.5.13.5, table 2).
constexpr Bc6hMode kTen = makeMode(true, true, 10, 5, 5, 5,
    "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0");
constexpr Bc6hMode kSeven = makeMode(true, true, 7, 6, 6, 6,
    "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0 d4:0");
constexpr Bc6hMode kElevenRed = makeMode(true, true, 11, 5, 4, 4,
    "rw9:0 gw9:0 bw9:0 rx4:0 rw10 gy3:0 gx3:0 gw10 bz0 gz3:0 bx3:0 bw10 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0");
constexpr Bc6hMode kElevenGreen = makeMode(true, true, 11, 4, 5, 4,
    "rw9:0 gw9:0 bw9:0 rx3:0 rw10 gz4 gy3:0 gx4:0 gw10 gz3:0 bx3:0 bw10 bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3 d4:0");
constexpr Bc6hMode kElevenBlue = makeMode(true, true, 11, 4, 4, 5,
    "rw9:0 gw9:0 bw9:0 rx3:0 rw10 by4 gy3:0 gx3:0 gw10 bz0 gz3:0 bx4:0 bw10 by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3 d4:0");
constexpr Bc6hMode kNine = makeMode(true, true, 9, 5, 5, 5,
    "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0");
constexpr Bc6hMode kEightRed = makeMode(true, true, 8, 6, 5, 5,
    "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0 d4:0");
constexpr Bc6hMode kEightGreen = makeMode(true, true, 8, 5, 6, 5,
    "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0");
constexpr Bc6hMode kEightBlue = makeMode(true, true, 8, 5, 5, 6,
    "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 bz3 d4:0");
constexpr Bc6hMode kSix = makeMode(true, false, 6, 6, 6, 6,
    "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 ry5:0 rz5:0 d4:0");
constexpr Bc6hMode kOneTen = makeMode(false, false, 10, 10, 10, 10, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0");
constexpr Bc6hMode kOneEleven = makeMode(false, true, 11, 9, 9, 9, "rw9:0 gw9:0 bw9:0 rx8:0 rw10 gx8:0 gw10 bx8:0 bw10");
constexpr Bc6hMode kOneTwelve = makeMode(false, true, 12, 8, 8, 8, "rw9:0 gw9:0 bw9:0 rx7:0 rw10:11 gx7:0 gw10:11 bx7:0 bw10:11");
constexpr Bc6hMode kOneSixteen = makeMode(false, true, 16, 4, 4, 4, "rw9:0 gw9:0 bw9:0 rx3:0 rw10:15 gx3:0 gw10:15 bx3:0 bw10:15");
static_assert(kTen.headerBits == 80 && kSeven.headerBits == 80 && kElevenRed.headerBits == 77 && kElevenGreen.headerBits == 77 &&
              kElevenBlue.headerBits == 77 && kNine.headerBits == 77 && kEightRed.headerBits == 77 && kEightGreen.headerBits == 77 &&
              kEightBlue.headerBits == 77 && kSix.headerBits == 77 && kOneTen.headerBits == 60 && kOneEleven.headerBits == 60 &&
              kOneTwelve.headerBits == 60 && kOneSixteen.headerBits == 60);

/// Null for the reserved modes. Takes the mode bits.
const Bc6hMode* takeMode(Bits& bits)
{
    const uint32_t two = bits.take(2);
    if (two < 2)
        return two ? &kSeven : &kTen;
    switch (bits.take(3) << 2 | two) {
    case 0x02: return &kElevenRed;
    case 0x06: return &kElevenGreen;
    case 0x0a: return &kElevenBlue;
    case 0x0e: return &kNine;
    case 0x12: return &kEightRed;
    case 0x16: return &kEightGreen;
    case 0x1a: return &kEightBlue;
    case 0x1e: return &kSix;
    case 0x03: return &kOneTen;
    case 0x07: return &kOneEleven;
    case 0x0b: return &kOneTwelve;
    case 0x0f: return &kOneSixteen;
    default: return nullptr;
    }
}

int32_t signExtended(int32_t v, unsigned bits) { return int32_t(uint32_t(v) << (32 - bits)) >> (32 - bits); }

/// End points from fields: sign extension and inverse transform (19.5.13.6, 19.5.13.7). ends: w, x, y, z by channel.
void finishEnds(const Bc6hMode& m, bool isSigned, int32_t ends[4][3])
{
    const unsigned count = m.two ? 4 : 2;
    for (unsigned c = 0; c < 3; c++) {
        if (isSigned)
            ends[0][c] = signExtended(ends[0][c], m.precision);
        for (unsigned e = 1; e < count; e++) {
            if (m.transformed || isSigned)
                ends[e][c] = signExtended(ends[e][c], m.delta[c]);
            if (!m.transformed)
                continue;
            ends[e][c] = (ends[e][c] + ends[0][c]) & ((1 << m.precision) - 1);
            if (isSigned)
                ends[e][c] = signExtended(ends[e][c], m.precision);
        }
    }
}

/// 19.5.13.9.
int32_t unquantized(int32_t v, unsigned bits, bool isSigned)
{
    if (!isSigned) {
        if (bits >= 15 || v == 0)
            return v;
        return v == (1 << bits) - 1 ? 0xffff : ((v << 16) + 0x8000) >> bits;
    }
    if (bits >= 16 || v == 0)
        return v;
    const int32_t magnitude = v < 0 ? -v : v;
    const int32_t u = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return v < 0 ? -u : u;
}

/// 19.5.13.10.
uint16_t finished(int32_t v, bool isSigned)
{
    if (!isSigned)
        return uint16_t((v * 31) >> 6);
    return v < 0 ? uint16_t(0x8000 | ((-v * 31) >> 5)) : uint16_t((v * 31) >> 5);
}

} // namespace

void decodeBc7(const uint8_t block[16], uint8_t out[64])
{
    Bits bits(block);
    unsigned mode = 0;
    while (mode < 8 && !bits.take(1))
        mode++;
    if (mode == 8) { // reserved
        std::memset(out, 0, 64);
        return;
    }
    const Bc7Mode& m = kBc7Modes[mode];
    const unsigned partition = bits.take(m.partitionBits), rotation = bits.take(m.rotationBits), selector = bits.take(m.selectorBits);
    uint8_t ends[6][4];
    readEnds(bits, m, ends);
    uint8_t first[16], second[16] = {};
    for (unsigned k = 0; k < 16; k++)
        first[k] = uint8_t(bits.take(m.indexBits - (isAnchor(m.subsets, partition, k) ? 1u : 0u)));
    for (unsigned k = 0; m.secondBits && k < 16; k++)
        second[k] = uint8_t(bits.take(m.secondBits - (k ? 0u : 1u)));
    const uint8_t* firstWeights = weights(m.indexBits);
    const uint8_t* secondWeights = weights(m.secondBits);
    for (unsigned k = 0; k < 16; k++) {
        const uint8_t* e0 = ends[2 * subsetOf(m.subsets, partition, k)];
        const uint8_t* e1 = e0 + 4;
        uint8_t color = firstWeights[first[k]], alpha = color;
        if (m.secondBits) {
            alpha = secondWeights[second[k]];
            if (selector)
                std::swap(color, alpha);
        }
        uint8_t* texel = out + 4 * k;
        for (unsigned c = 0; c < 4; c++)
            texel[c] = mix(e0[c], e1[c], c < 3 ? color : alpha);
        if (rotation)
            std::swap(texel[3], texel[rotation - 1]);
    }
}

void decodeBc6h(const uint8_t block[16], bool isSigned, uint16_t out[48])
{
    Bits bits(block);
    const Bc6hMode* m = takeMode(bits);
    if (!m) {
        std::memset(out, 0, 48 * sizeof out[0]);
        return;
    }
    uint32_t fields[kFieldCount] = {};
    for (unsigned k = 0; k < m->headerBits; k++)
        fields[m->header[k].field] |= bits.take(1) << m->header[k].bit;
    int32_t ends[4][3];
    for (unsigned e = 0; e < 4; e++)
        for (unsigned c = 0; c < 3; c++)
            ends[e][c] = int32_t(fields[e * 3 + c]);
    finishEnds(*m, isSigned, ends);
    const unsigned subsets = m->two ? 2 : 1, indexBits = m->two ? 3 : 4;
    for (unsigned e = 0; e < subsets * 2; e++)
        for (int32_t& v : ends[e])
            v = unquantized(v, m->precision, isSigned);
    for (unsigned k = 0; k < 16; k++) {
        const unsigned index = bits.take(indexBits - (isAnchor(subsets, fields[shape], k) ? 1u : 0u));
        const int32_t weight = weights(indexBits)[index];
        const unsigned e = 2 * subsetOf(subsets, fields[shape], k);
        for (unsigned c = 0; c < 3; c++)
            out[k * 3 + c] = finished((ends[e][c] * (64 - weight) + ends[e + 1][c] * weight + 32) >> 6, isSigned);
    }
}

const BptcTexels& bptcTexels(BptcKind kind, const uint8_t block[16])
{
    struct Entry {
        uint64_t words[2];
        uint8_t kind; ///< 0: empty, else BptcKind + 1
        BptcTexels texels;
    };
    constexpr unsigned kEntries = 512;
    thread_local std::unique_ptr<Entry[]> cache(new (std::nothrow) Entry[kEntries]{});
    thread_local Entry single{};
    uint64_t words[2];
    std::memcpy(words, block, sizeof words);
    const uint64_t hash = (words[0] ^ words[1] * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
    Entry& e = cache ? cache[hash >> 55] : single;
    static_assert(kEntries == 1u << (64 - 55));
    if (e.kind == uint8_t(kind) + 1 && e.words[0] == words[0] && e.words[1] == words[1])
        return e.texels;
    e.words[0] = words[0];
    e.words[1] = words[1];
    e.kind = uint8_t(kind) + 1;
    if (kind == BptcKind::Bc7)
        decodeBc7(block, e.texels.rgba);
    else
        decodeBc6h(block, kind == BptcKind::Bc6hSigned, e.texels.rgb);
    return e.texels;
}

} // namespace monolith::formats
