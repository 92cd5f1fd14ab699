// SPDX-License-Identifier: MIT
/// @file
/// Renaming: versions wait in a ring in the order in which they went out of use; the oldest is taken again as soon as
/// its serial is complete, so that a steady frame allocates nothing. New versions come from slabs that double.
#include "resources/resource.h"

#include <algorithm>
#include <new>
#include <vector>

namespace monolith::resources {

struct Buffer::Versions {
  struct Entry {
    uint8_t* data;
    uint64_t serial;
  };
  std::vector<Entry> ring = std::vector<Entry>(4); ///< Size is a power of two.
  uint64_t head = 0, tail = 0;
  uint64_t stride = 0;
  uint8_t* slabAt = nullptr;
  uint8_t* slabEnd = nullptr;
  uint32_t count = 1;
  std::vector<Memory> slabs;

  void push(Entry e) {
    if (tail - head == ring.size()) {
      std::vector<Entry> bigger(ring.size() * 2);
      for (uint64_t i = head; i != tail; ++i)
        bigger[i & (bigger.size() - 1)] = ring[i & (ring.size() - 1)];
      ring.swap(bigger);
    }
    ring[tail++ & (ring.size() - 1)] = e;
  }
  uint8_t* fresh() {
    if (slabAt == slabEnd) {
      const uint64_t wanted = std::clamp<uint64_t>(uint64_t(count) * stride, stride, std::max<uint64_t>(stride, 4u << 20));
      Memory slab = Memory::allocate(wanted / stride * stride);
      if (!slab)
        return nullptr;
      slabAt = slab.data();
      slabEnd = slabAt + slab.size();
      slabs.push_back(std::move(slab));
    }
    uint8_t* p = slabAt;
    slabAt += stride;
    ++count;
    return p;
  }
};

Buffer::Buffer() = default;
Buffer::~Buffer() = default;

std::shared_ptr<Buffer> Buffer::create(uint64_t size, bool renames) {
  if (size == 0 || size > (uint64_t(2) << 30))
    return nullptr;
  auto buffer = std::make_shared<Buffer>();
  buffer->m_first = Memory::allocate(size);
  if (!buffer->m_first)
    return nullptr;
  buffer->m_size = size;
  buffer->m_current = buffer->m_first.data();
  if (renames) {
    buffer->m_versions = std::make_unique<Versions>();
    buffer->m_versions->stride = (size + 64 + 63) & ~uint64_t(63); // readable 64 bytes past the end stay inside the slab
  }
  return buffer;
}

uint8_t* Buffer::rename(uint64_t completed, uint64_t recording) {
  if (!m_versions)
    return nullptr;
  Versions& v = *m_versions;
  uint8_t* next;
  if (v.head != v.tail && v.ring[v.head & (v.ring.size() - 1)].serial <= completed)
    next = v.ring[v.head++ & (v.ring.size() - 1)].data;
  else if (next = v.fresh(); !next)
    return nullptr;
  v.push({m_current, recording});
  return m_current = next;
}

uint32_t Buffer::versionCount() const { return m_versions ? m_versions->count : 1; }

} // namespace monolith::resources
