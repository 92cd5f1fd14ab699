// SPDX-License-Identifier: MIT
#include "dxbc/container.h"

#include "dxbc/bytes.h"

#include <bit>
#include <cmath>

namespace monolith::dxbc {
namespace {

constexpr uint32_t kHeaderSize = 32;
constexpr uint32_t kHashedFrom = 20;

/// The compression function of MD5 (RFC 1321). Only the arrangement of the last block differs, see computeChecksum().
class Md5 {
public:
  void block(const uint8_t* p) {
    uint32_t w[16];
    std::memcpy(w, p, 64);
    uint32_t a = m_state[0], b = m_state[1], c = m_state[2], d = m_state[3];
    for (uint32_t i = 0; i < 64; i++) {
      uint32_t f, g;
      switch (i / 16) {
      case 0: f = (b & c) | (~b & d), g = i; break;
      case 1: f = (d & b) | (~d & c), g = 5 * i + 1; break;
      case 2: f = b ^ c ^ d, g = 3 * i + 5; break;
      default: f = c ^ (b | ~d), g = 7 * i; break;
      }
      uint32_t sum = a + f + kSines[i] + w[g & 15];
      a = d, d = c, c = b;
      b += std::rotl(sum, kRotations[i / 16][i & 3]);
    }
    m_state[0] += a, m_state[1] += b, m_state[2] += c, m_state[3] += d;
  }
  Checksum result() const {
    Checksum r;
    std::memcpy(r.data(), m_state, 16);
    return r;
  }

private:
  static constexpr int kRotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  static const std::array<uint32_t, 64> kSines;
  uint32_t m_state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
};

// Table T of RFC 1321: floor(2^32 * abs(sin(i + 1))), spelled out so that no library's sine matters.
const std::array<uint32_t, 64> Md5::kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

std::string tagText(uint32_t tag) {
  std::string s;
  for (int i = 0; i < 4; i++) {
    char c = char(tag >> (8 * i));
    s += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return s;
}

} // namespace

const Chunk* Container::find(uint32_t tag) const {
  for (const Chunk& c : chunks)
    if (c.tag == tag) return &c;
  return nullptr;
}

Checksum computeChecksum(std::span<const uint8_t> container) {
  Md5 md5;
  if (container.size() < kHashedFrom) return md5.result();
  const uint8_t* p = container.data() + kHashedFrom;
  size_t rest = container.size() - kHashedFrom;
  uint32_t bits = uint32_t(rest * 8), oddBits = (bits >> 2) | 1;
  for (; rest >= 64; p += 64, rest -= 64) md5.block(p);
  // The bit count comes first in the last block and a second number last, where MD5 has a 64-bit count last.
  uint8_t last[64] = {};
  if (rest >= 56) {
    std::memcpy(last, p, rest);
    last[rest] = 0x80;
    md5.block(last);
    std::memset(last, 0, sizeof last);
  } else {
    if (rest) std::memcpy(last + 4, p, rest);
    last[4 + rest] = 0x80;
  }
  std::memcpy(last, &bits, 4);
  std::memcpy(last + 60, &oddBits, 4);
  md5.block(last);
  return md5.result();
}

Result<Container> parseContainer(std::span<const uint8_t> bytes, bool verifyChecksum) {
  using R = Result<Container>;
  ByteReader in(bytes);
  if (bytes.size() < kHeaderSize) return R::failure("error: too short for a DXBC container");
  if (in.u32(0) != kTagDxbc) return R::failure("error: not a DXBC container");
  if (in.u32(20) != 1) return R::failure("error: unknown container version " + std::to_string(in.u32(20)));
  uint32_t size = in.u32(24), count = in.u32(28);
  if (size > bytes.size() || size < kHeaderSize)
    return R::failure("error: container size " + std::to_string(size) + " does not fit the " +
                      std::to_string(bytes.size()) + " bytes given");
  if (count > (size - kHeaderSize) / 4) return R::failure("error: chunk list exceeds the container");
  Container c;
  c.bytes = bytes.first(size);
  std::memcpy(c.checksum.data(), bytes.data() + 4, 16);
  if (verifyChecksum && computeChecksum(c.bytes) != c.checksum) return R::failure("error: checksum does not match");
  c.chunks.reserve(count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = in.u32(kHeaderSize + 4 * i);
    if (at < kHeaderSize || at > size || size - at < 8)
      return R::failure("error: chunk " + std::to_string(i) + " lies outside the container");
    uint32_t tag = in.u32(at), length = in.u32(at + 4);
    if (length > size - at - 8)
      return R::failure("error: chunk " + std::to_string(i) + " (" + tagText(tag) + ") exceeds the container");
    c.chunks.push_back({tag, c.bytes.subspan(at + 8, length)});
  }
  return c;
}

void ContainerBuilder::add(uint32_t tag, std::vector<uint8_t> data) { m_entries.push_back({tag, std::move(data)}); }

void ContainerBuilder::add(uint32_t tag, std::span<const uint32_t> words) {
  std::vector<uint8_t> data(words.size() * 4);
  if (!words.empty()) std::memcpy(data.data(), words.data(), data.size());
  add(tag, std::move(data));
}

std::vector<uint8_t> ContainerBuilder::build() const {
  ByteWriter out;
  out.u32(kTagDxbc);
  for (int i = 0; i < 4; i++) out.u32(0);
  out.u32(1);
  out.u32(0);
  out.u32(uint32_t(m_entries.size()));
  for (size_t i = 0; i < m_entries.size(); i++) out.u32(0);
  for (size_t i = 0; i < m_entries.size(); i++) {
    const Entry& e = m_entries[i];
    out.patch32(kHeaderSize + 4 * i, uint32_t(out.size()));
    out.u32(e.tag);
    out.u32(uint32_t(e.data.size()));
    out.bytes(e.data);
    if (i + 1 < m_entries.size()) out.align(0);
  }
  out.patch32(24, uint32_t(out.size()));
  std::vector<uint8_t> bytes = out.take();
  Checksum sum = computeChecksum(bytes);
  std::memcpy(bytes.data() + 4, sum.data(), 16);
  return bytes;
}

} // namespace monolith::dxbc
