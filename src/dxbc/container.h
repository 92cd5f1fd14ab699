// SPDX-License-Identifier: MIT
/// @file
/// The DXBC container: header, checksum, list of chunks. Layout: "DXBC", 16 bytes checksum, 1, total size, chunk
/// count, chunk offsets; each chunk is a tag, a size and the data. The checksum is MD5 over everything after itself with
/// another arrangement of the last block.
#pragma once

#include "dxbc/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace monolith::dxbc {

constexpr uint32_t fourcc(char a, char b, char c, char d) {
  return uint32_t(uint8_t(a)) | uint32_t(uint8_t(b)) << 8 | uint32_t(uint8_t(c)) << 16 | uint32_t(uint8_t(d)) << 24;
}
inline constexpr uint32_t kTagDxbc = fourcc('D', 'X', 'B', 'C');
inline constexpr uint32_t kTagRdef = fourcc('R', 'D', 'E', 'F');
inline constexpr uint32_t kTagIsgn = fourcc('I', 'S', 'G', 'N');
inline constexpr uint32_t kTagIsg1 = fourcc('I', 'S', 'G', '1');
inline constexpr uint32_t kTagOsgn = fourcc('O', 'S', 'G', 'N');
inline constexpr uint32_t kTagOsg5 = fourcc('O', 'S', 'G', '5');
inline constexpr uint32_t kTagOsg1 = fourcc('O', 'S', 'G', '1');
inline constexpr uint32_t kTagPcsg = fourcc('P', 'C', 'S', 'G');
inline constexpr uint32_t kTagPsg1 = fourcc('P', 'S', 'G', '1');
inline constexpr uint32_t kTagShdr = fourcc('S', 'H', 'D', 'R');
inline constexpr uint32_t kTagShex = fourcc('S', 'H', 'E', 'X');
inline constexpr uint32_t kTagStat = fourcc('S', 'T', 'A', 'T');
inline constexpr uint32_t kTagSfi0 = fourcc('S', 'F', 'I', '0');
inline constexpr uint32_t kTagIfce = fourcc('I', 'F', 'C', 'E');
inline constexpr uint32_t kTagAon9 = fourcc('A', 'o', 'n', '9');
inline constexpr uint32_t kTagSdbg = fourcc('S', 'D', 'B', 'G');
inline constexpr uint32_t kTagIldn = fourcc('I', 'L', 'D', 'N');
inline constexpr uint32_t kTagSpdb = fourcc('S', 'P', 'D', 'B');
inline constexpr uint32_t kTagPriv = fourcc('P', 'R', 'I', 'V');
inline constexpr uint32_t kTagXnap = fourcc('X', 'N', 'A', 'P');
inline constexpr uint32_t kTagXnas = fourcc('X', 'N', 'A', 'S');

using Checksum = std::array<uint8_t, 16>;

/// A chunk inside a container; `data` points into the parsed bytes and excludes tag and size.
struct Chunk {
  uint32_t tag = 0;
  std::span<const uint8_t> data;
};

/// A parsed container. Refers to the caller's bytes.
struct Container {
  Checksum checksum{};
  std::span<const uint8_t> bytes; ///< exactly the container (total size of the header)
  std::vector<Chunk> chunks;
  /// First chunk with the tag, or null.
  const Chunk* find(uint32_t tag) const;
};

/// Checksum of a whole container (bytes from offset 20 on are hashed). Needs at least 20 bytes.
Checksum computeChecksum(std::span<const uint8_t> container);

/// Parses header and chunk list; with `verify` also the checksum.
Result<Container> parseContainer(std::span<const uint8_t> bytes, bool verifyChecksum = true);

/// Puts chunks together; build() writes sizes and checksum, and has each chunk start at a dword.
class ContainerBuilder {
public:
  void add(uint32_t tag, std::vector<uint8_t> data);
  void add(uint32_t tag, std::span<const uint32_t> words);
  std::vector<uint8_t> build() const;

private:
  struct Entry {
    uint32_t tag;
    std::vector<uint8_t> data;
  };
  std::vector<Entry> m_entries;
};

} // namespace monolith::dxbc
