// SPDX-License-Identifier: MIT
/// @file
/// Which buffer memory the open scene reads, so that an update elsewhere need not end it. Small ranges set bits of a
/// page filter, big ones go to a list; a false hit only costs an early end.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace monolith::commands {

class ReadRanges {
public:
  void clear() {
    std::memset(m_pages, 0, sizeof m_pages);
    m_big.clear();
  }
  void add(const uint8_t* data, uint64_t size) {
    const auto begin = reinterpret_cast<uintptr_t>(data);
    if (size == 0)
      return;
    if (size <= kSmall) {
      for (uintptr_t page = begin >> kPageShift; page <= (begin + size - 1) >> kPageShift; ++page)
        m_pages[word(page)] |= mask(page);
      return;
    }
    for (size_t i = m_big.size(), n = 0; i-- > 0 && n < 8; ++n)
      if (m_big[i].begin == begin && m_big[i].end == begin + size)
        return;
    m_big.push_back({begin, begin + size});
  }
  bool overlaps(const uint8_t* data, uint64_t size) const {
    const auto begin = reinterpret_cast<uintptr_t>(data), end = begin + size;
    if (size == 0)
      return false;
    for (const Range& r : m_big)
      if (begin < r.end && r.begin < end)
        return true;
    if (size > kPages << kPageShift)
      return true;
    for (uintptr_t page = begin >> kPageShift; page <= (end - 1) >> kPageShift; ++page)
      if (m_pages[word(page)] & mask(page))
        return true;
    return false;
  }

private:
  static constexpr uint64_t kSmall = 64 * 1024;
  static constexpr uint32_t kPageShift = 8; ///< Finer than the system's pages: constant buffers are small.
  static constexpr uint64_t kPages = 1u << 15;
  struct Range {
    uintptr_t begin, end;
  };
  static size_t slot(uintptr_t page) { return (page ^ page >> 15) & (kPages - 1); }
  static size_t word(uintptr_t page) { return slot(page) >> 6; }
  static uint64_t mask(uintptr_t page) { return uint64_t(1) << (slot(page) & 63); }

  uint64_t m_pages[kPages / 64] = {};
  std::vector<Range> m_big;
};

} // namespace monolith::commands
