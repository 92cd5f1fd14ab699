// SPDX-License-Identifier: MIT
#include "compiler/api/compress.h"

#include "dxbc/container.h"

#include <algorithm>
#include <cstring>

namespace monolith::compiler {
namespace {

constexpr uint32_t kTag = dxbc::fourcc('M', 'C', 'S', 'H');
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMinMatch = 4;      ///< shorter repetitions are not worth a reference
constexpr uint32_t kHashBits = 15;
constexpr uint32_t kMaxTries = 32;     ///< earlier places tried for each repetition
constexpr uint32_t kMaxShaders = 65536;
constexpr uint64_t kMaxBytes = 1u << 30; ///< unpacked
constexpr uint32_t kNowhere = 0xffffffff;

// The compressed form: (count of literals, the literals, length of a repetition, distance back) until all bytes are
// there; numbers have seven bits a byte, low bits first.

void putNumber(std::vector<uint8_t>& out, uint32_t v) {
  while (v >= 0x80) {
    out.push_back(uint8_t(v | 0x80));
    v >>= 7;
  }
  out.push_back(uint8_t(v));
}

uint32_t word(const uint8_t* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}

std::vector<uint8_t> deflate(const std::vector<uint8_t>& in) {
  std::vector<uint8_t> out;
  std::vector<uint32_t> newest(1u << kHashBits, kNowhere), before(in.size(), kNowhere);
  auto slot = [&](size_t at) { return (word(&in[at]) * 2654435761u) >> (32 - kHashBits); };
  auto enter = [&](size_t at) {
    if (at + 4 > in.size()) return;
    uint32_t& head = newest[slot(at)];
    before[at] = head;
    head = uint32_t(at);
  };
  size_t literals = 0; // start of those not yet written
  auto flush = [&](size_t end, uint32_t length, uint32_t distance) {
    putNumber(out, uint32_t(end - literals));
    out.insert(out.end(), in.begin() + ptrdiff_t(literals), in.begin() + ptrdiff_t(end));
    putNumber(out, length);
    if (length) putNumber(out, distance);
  };
  for (size_t at = 0; at < in.size();) {
    uint32_t best = 0, from = 0, tries = 0;
    if (at + 4 <= in.size())
      for (uint32_t p = newest[slot(at)]; p != kNowhere && tries < kMaxTries; p = before[p], tries++) {
        uint32_t n = 0;
        while (at + n < in.size() && in[p + n] == in[at + n]) n++;
        if (n > best) {
          best = n;
          from = p;
        }
      }
    if (best < kMinMatch) {
      enter(at++);
      continue;
    }
    flush(at, best, uint32_t(at) - from);
    for (uint32_t k = 0; k < best; k++) enter(at + k);
    at += best;
    literals = at;
  }
  flush(in.size(), 0, 0);
  return out;
}

class Reader {
public:
  explicit Reader(std::span<const uint8_t> data) : m_data(data) {}
  uint32_t number() {
    uint32_t v = 0;
    for (uint32_t shift = 0; shift < 35; shift += 7) {
      if (m_at >= m_data.size()) break;
      const uint8_t b = m_data[m_at++];
      v |= uint32_t(b & 0x7f) << std::min(shift, 28u);
      if (!(b & 0x80)) return v;
    }
    ok = false;
    return 0;
  }
  bool copy(std::vector<uint8_t>& out, uint32_t n, uint64_t limit) {
    if (n > m_data.size() - m_at || out.size() + n > limit) return false;
    out.insert(out.end(), m_data.begin() + ptrdiff_t(m_at), m_data.begin() + ptrdiff_t(m_at + n));
    m_at += n;
    return true;
  }
  bool ok = true;

private:
  std::span<const uint8_t> m_data;
  size_t m_at = 0;
};

/// False if the data is damaged or is not exactly `size` bytes.
bool inflate(std::span<const uint8_t> data, uint64_t size, std::vector<uint8_t>& out) {
  Reader in(data);
  while (in.ok) {
    if (!in.copy(out, in.number(), size) || !in.ok) return false;
    const uint32_t length = in.number();
    if (!length) return in.ok && out.size() == size;
    const uint32_t distance = in.number();
    if (!distance || distance > out.size() || out.size() + length > size) return false;
    for (uint32_t k = 0; k < length; k++) out.push_back(out[out.size() - distance]);
  }
  return false;
}

} // namespace

std::vector<uint8_t> packShaders(std::span<const std::vector<uint8_t>> shaders) {
  std::vector<uint8_t> all, chunk;
  auto put = [&](uint32_t v) {
    for (int i = 0; i < 4; i++) chunk.push_back(uint8_t(v >> (8 * i)));
  };
  put(kVersion);
  put(uint32_t(shaders.size()));
  for (const auto& s : shaders) {
    put(uint32_t(s.size()));
    all.insert(all.end(), s.begin(), s.end());
  }
  const std::vector<uint8_t> packed = deflate(all);
  put(uint32_t(packed.size()));
  chunk.insert(chunk.end(), packed.begin(), packed.end());
  dxbc::ContainerBuilder builder;
  builder.add(kTag, std::move(chunk));
  return builder.build();
}

std::optional<std::vector<std::vector<uint8_t>>> unpackShaders(std::span<const uint8_t> blob) {
  dxbc::Result<dxbc::Container> container = dxbc::parseContainer(blob, true);
  const dxbc::Chunk* chunk = container ? container->find(kTag) : nullptr;
  if (!chunk || chunk->data.size() < 12 || word(chunk->data.data()) != kVersion) return {};
  const uint32_t count = word(chunk->data.data() + 4);
  if (count > kMaxShaders || chunk->data.size() < 12 + size_t(count) * 4) return {};
  uint64_t size = 0;
  for (uint32_t i = 0; i < count; i++) size += word(chunk->data.data() + 8 + 4 * size_t(i));
  const size_t at = 12 + size_t(count) * 4;
  const uint32_t packed = word(chunk->data.data() + at - 4);
  std::vector<uint8_t> all;
  if (size > kMaxBytes || packed > chunk->data.size() - at || !inflate(chunk->data.subspan(at, packed), size, all)) return {};
  std::vector<std::vector<uint8_t>> shaders;
  size_t from = 0;
  for (uint32_t i = 0; i < count; i++) {
    const size_t n = word(chunk->data.data() + 8 + 4 * size_t(i));
    shaders.emplace_back(all.begin() + ptrdiff_t(from), all.begin() + ptrdiff_t(from + n));
    from += n;
  }
  return shaders;
}

} // namespace monolith::compiler
