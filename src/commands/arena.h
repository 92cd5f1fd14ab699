// SPDX-License-Identifier: MIT
/// @file
/// Bump allocation of plain structs that live as long as a scene. Blocks are kept for the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace monolith::commands {

class Arena {
public:
  /// Throws std::bad_alloc.
  void* allocate(size_t bytes) {
    bytes = (bytes + 15) & ~size_t(15);
    if (size_t(m_end - m_at) < bytes) [[unlikely]]
      nextBlock(bytes);
    void* p = m_at;
    m_at += bytes;
    m_used += bytes;
    return p;
  }
  /// No destructor will run.
  template <class T, class... Args> T* make(Args&&... args) { return new (allocate(sizeof(T))) T(std::forward<Args>(args)...); }
  template <class T> T* array(size_t count) { return static_cast<T*>(allocate(count * sizeof(T))); }
  void clear() {
    m_block = 0;
    m_at = m_end = nullptr;
    m_used = 0;
  }
  uint64_t used() const { return m_used; }

private:
  static constexpr size_t kBlock = 64 * 1024;
  struct Block {
    std::unique_ptr<uint8_t[]> data;
    size_t size;
  };
  void nextBlock(size_t bytes) {
    while (m_block < m_blocks.size() && m_blocks[m_block].size < bytes)
      ++m_block;
    if (m_block == m_blocks.size()) {
      const size_t size = bytes > kBlock ? bytes : kBlock;
      m_blocks.push_back({std::make_unique_for_overwrite<uint8_t[]>(size), size});
    }
    m_at = m_blocks[m_block].data.get();
    m_end = m_at + m_blocks[m_block].size;
    ++m_block;
  }

  std::vector<Block> m_blocks;
  size_t m_block = 0;
  uint8_t* m_at = nullptr;
  uint8_t* m_end = nullptr;
  uint64_t m_used = 0;
};

} // namespace monolith::commands
