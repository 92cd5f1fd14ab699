// SPDX-License-Identifier: MIT
/// @file
/// Bounds-checked little-endian reading of chunk data, and growing of byte buffers. Private to the room.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace monolith::dxbc {

/// A read past the end gives 0 and clears ok().
class ByteReader {
public:
  explicit ByteReader(std::span<const uint8_t> data) : m_data(data) {}
  bool ok() const { return m_ok; }
  size_t size() const { return m_data.size(); }
  uint32_t u32(size_t at) { return get<uint32_t>(at); }
  uint16_t u16(size_t at) { return get<uint16_t>(at); }
  uint8_t u8(size_t at) { return get<uint8_t>(at); }
  /// True if `count` records of `size` bytes from `at` lie inside; else clears ok().
  bool fits(size_t at, size_t count, size_t size) {
    if (at <= m_data.size() && count <= (m_data.size() - at) / size) return true;
    m_ok = false;
    return false;
  }
  /// Zero-terminated string; the terminator must be inside.
  std::string string(size_t at) {
    if (at < m_data.size()) {
      const void* end = std::memchr(m_data.data() + at, 0, m_data.size() - at);
      if (end)
        return std::string(reinterpret_cast<const char*>(m_data.data() + at),
                           size_t(static_cast<const uint8_t*>(end) - (m_data.data() + at)));
    }
    m_ok = false;
    return {};
  }
  std::vector<uint8_t> bytes(size_t at, size_t count) {
    if (!fits(at, count, 1)) return {};
    return {m_data.begin() + ptrdiff_t(at), m_data.begin() + ptrdiff_t(at + count)};
  }

private:
  template <typename T>
  T get(size_t at) {
    T v{};
    if (at <= m_data.size() && m_data.size() - at >= sizeof(T))
      std::memcpy(&v, m_data.data() + at, sizeof(T));
    else
      m_ok = false;
    return v;
  }
  std::span<const uint8_t> m_data;
  bool m_ok = true;
};

/// Appends and patches little-endian values.
class ByteWriter {
public:
  size_t size() const { return m_data.size(); }
  void u32(uint32_t v) { put(v); }
  void u16(uint16_t v) { put(v); }
  void u8(uint8_t v) { m_data.push_back(v); }
  void patch32(size_t at, uint32_t v) { std::memcpy(m_data.data() + at, &v, 4); }
  void bytes(std::span<const uint8_t> b) { m_data.insert(m_data.end(), b.begin(), b.end()); }
  void string(std::string_view s) {
    m_data.insert(m_data.end(), s.begin(), s.end());
    m_data.push_back(0);
  }
  /// Pads to a multiple of four with 0xab, as Microsoft's compiler does after strings.
  void align(uint8_t fill = 0xab) {
    while (m_data.size() % 4) m_data.push_back(fill);
  }
  std::vector<uint8_t> take() { return std::move(m_data); }

private:
  template <typename T>
  void put(T v) {
    size_t at = m_data.size();
    m_data.resize(at + sizeof(T));
    std::memcpy(m_data.data() + at, &v, sizeof(T));
  }
  std::vector<uint8_t> m_data;
};

} // namespace monolith::dxbc
