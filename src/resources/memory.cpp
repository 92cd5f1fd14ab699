// SPDX-License-Identifier: MIT
#include "resources/resource.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace monolith::resources {
namespace {
constexpr uint64_t kMapThreshold = 128 * 1024;
constexpr uint64_t kHugeThreshold = 4 * 1024 * 1024;
constexpr uint64_t kGuardBytes = 64;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kMaxSize = uint64_t(1) << 40;

uint64_t mappedBytes(uint64_t size) { return (size + kGuardBytes + kPage - 1) & ~(kPage - 1); }
} // namespace

Memory Memory::allocate(uint64_t size) {
  Memory memory;
  if (size > kMaxSize)
    return memory;
  if (size >= kMapThreshold) {
    void* p = mmap(nullptr, mappedBytes(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
      return memory;
    if (size >= kHugeThreshold)
      madvise(p, mappedBytes(size), MADV_HUGEPAGE);
    memory.m_data = static_cast<uint8_t*>(p);
    memory.m_mapped = true;
  } else {
    const uint64_t bytes = (size + kGuardBytes + 63) & ~uint64_t(63);
    memory.m_data = static_cast<uint8_t*>(std::aligned_alloc(64, bytes));
    if (!memory.m_data)
      return memory;
    std::memset(memory.m_data, 0, bytes);
  }
  memory.m_size = size;
  return memory;
}

Memory::Memory(Memory&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)),
      m_mapped(std::exchange(other.m_mapped, false)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  std::swap(m_mapped, other.m_mapped);
  return *this;
}

Memory::~Memory() {
  if (!m_data)
    return;
  if (m_mapped)
    munmap(m_data, mappedBytes(m_size));
  else
    std::free(m_data);
}

} // namespace monolith::resources
