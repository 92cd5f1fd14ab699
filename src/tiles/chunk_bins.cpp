// SPDX-License-Identifier: MIT
#include "tiles/chunk_bins.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace monolith::tiles {

namespace {

constexpr uint32_t kArenaHeader = 64;

/// Free 64 KiB blocks of the process. Keeps at most 32 MiB; never destroyed, since worker threads may outlive statics.
class BlockPool {
public:
  uint8_t* take()
  {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (m_free) {
        uint8_t* block = m_free;
        memcpy(&m_free, block, sizeof(m_free));
        --m_count;
        return block;
      }
    }
    return static_cast<uint8_t*>(std::aligned_alloc(64, ChunkBins::kBlockBytes));
  }
  void give(uint8_t* block)
  {
    {
      std::lock_guard<std::mutex> lock(m_mutex);
      if (m_count < kMaxFree) {
        memcpy(block, &m_free, sizeof(m_free));
        m_free = block;
        ++m_count;
        return;
      }
    }
    std::free(block);
  }

private:
  static constexpr uint32_t kMaxFree = 512;
  std::mutex m_mutex;
  uint8_t* m_free = nullptr;
  uint32_t m_count = 0;
};

BlockPool& pool()
{
  static BlockPool* instance = new BlockPool;
  return *instance;
}

uint8_t* nextOf(uint8_t* block)
{
  uint8_t* next;
  memcpy(&next, block, sizeof(next));
  return next;
}

template <class T> bool growArray(T*& array, uint32_t& capacity)
{
  const uint32_t wanted = capacity ? capacity * 2 : 16;
  T* grown = static_cast<T*>(std::realloc(array, size_t(wanted) * sizeof(T)));
  if (!grown)
    return false;
  array = grown;
  capacity = wanted;
  return true;
}

} // namespace

ChunkBins::~ChunkBins()
{
  releaseMemory();
  std::free(m_lists);
  std::free(m_touched);
  std::free(m_occupied);
  std::free(m_draws);
  std::free(m_primitiveBlocks);
}

void ChunkBins::releaseMemory()
{
  for (uint32_t i = 0; i < m_primitiveBlockCount; ++i)
    pool().give(m_primitiveBlocks[i]);
  m_primitiveBlockCount = 0;
  m_primitiveLeft = 0;
  while (m_arenaBlocks) {
    uint8_t* next = nextOf(m_arenaBlocks);
    pool().give(m_arenaBlocks);
    m_arenaBlocks = next;
  }
  while (m_large) {
    uint8_t* next = nextOf(m_large);
    std::free(m_large);
    m_large = next;
  }
  m_arena = nullptr;
  m_arenaLeft = 0;
  m_used = 0;
}

void ChunkBins::begin(uint32_t tilesX, uint32_t tilesY)
{
  releaseMemory();
  for (uint32_t i = 0; i < m_touchedCount; ++i)
    m_lists[m_touched[i]] = TileList{};
  m_touchedCount = 0;
  m_drawCount = 0;
  m_ok = true;
  m_tilesX = tilesX;
  m_tilesY = tilesY;
  m_tileCount = tilesX * tilesY;
  const size_t words = (size_t(m_tileCount) + 63) / 64;
  if (m_tileCount <= m_tileCapacity) {
    if (words)
      memset(m_occupied, 0, words * sizeof(uint64_t));
    return;
  }
  std::free(m_lists);
  std::free(m_touched);
  std::free(m_occupied);
  m_lists = static_cast<TileList*>(std::calloc(m_tileCount, sizeof(TileList)));
  m_touched = static_cast<uint32_t*>(std::malloc(size_t(m_tileCount) * sizeof(uint32_t)));
  m_occupied = static_cast<uint64_t*>(std::calloc(words, sizeof(uint64_t)));
  m_tileCapacity = m_tileCount;
  if (!m_lists || !m_touched || !m_occupied) {
    std::free(m_lists);
    std::free(m_touched);
    std::free(m_occupied);
    m_lists = nullptr;
    m_touched = nullptr;
    m_occupied = nullptr;
    m_tileCount = m_tileCapacity = 0;
    m_ok = false;
  }
}

bool ChunkBins::charge(uint64_t bytes)
{
  if (bytes > m_limit || m_used > m_limit - bytes) {
    m_ok = false;
    return false;
  }
  m_used += bytes;
  return true;
}

uint8_t* ChunkBins::takeBlock()
{
  if (!charge(kBlockBytes))
    return nullptr;
  uint8_t* block = pool().take();
  if (!block) {
    m_used -= kBlockBytes;
    m_ok = false;
  }
  return block;
}

void ChunkBins::addDraw(const DrawSetup* draw)
{
  if (m_drawCount > kEntryPayload || (m_drawCount == m_drawCapacity && !growArray(m_draws, m_drawCapacity))) {
    m_ok = false;
    return;
  }
  m_draws[m_drawCount++] = draw;
}

void* ChunkBins::allocateSmall(uint32_t bytes)
{
  bytes = (bytes + 63u) & ~63u;
  if (m_arenaLeft < bytes) {
    uint8_t* block = takeBlock();
    if (!block)
      return nullptr;
    memcpy(block, &m_arenaBlocks, sizeof(m_arenaBlocks));
    m_arenaBlocks = block;
    m_arena = block + kArenaHeader;
    m_arenaLeft = kBlockBytes - kArenaHeader;
  }
  void* result = m_arena;
  m_arena += bytes;
  m_arenaLeft -= bytes;
  return result;
}

void* ChunkBins::allocate(uint64_t bytes)
{
  if (bytes <= kBlockBytes / 4)
    return allocateSmall(uint32_t(bytes));
  if (bytes > UINT64_MAX / 2)
    return m_ok = false, nullptr;
  const uint64_t total = ((bytes + 63u) & ~uint64_t(63)) + kArenaHeader;
  if (!charge(total))
    return nullptr;
  uint8_t* memory = static_cast<uint8_t*>(std::aligned_alloc(64, total));
  if (!memory) {
    m_used -= total;
    m_ok = false;
    return nullptr;
  }
  memcpy(memory, &m_large, sizeof(m_large));
  m_large = memory;
  return memory + kArenaHeader;
}

bool ChunkBins::nextPrimitiveBlock()
{
  // The block number must fit into the payload above the 12 bits of the offset.
  if (m_primitiveBlockCount >= (1u << (kEntryShift - 12)) ||
      (m_primitiveBlockCount == m_primitiveBlockCapacity && !growArray(m_primitiveBlocks, m_primitiveBlockCapacity))) {
    m_ok = false;
    return false;
  }
  uint8_t* block = takeBlock();
  if (!block)
    return false;
  m_primitiveBlocks[m_primitiveBlockCount++] = block;
  m_primitiveLeft = kBlockBytes;
  return true;
}

bool ChunkBins::prepare(uint32_t tile)
{
  if (!m_ok || m_drawCount == 0)
    return false;
  TileList& list = m_lists[tile];
  const uint32_t need = list.draw != m_drawCount ? 2 : 1;
  if (uint32_t(list.end - list.cursor) < need) {
    const uint32_t capacity = !list.last ? 12 : list.last->capacity >= 252 ? 252 : list.last->capacity * 2 + 4;
    auto* block = static_cast<ListBlock*>(allocateSmall(uint32_t(sizeof(ListBlock)) + capacity * 4));
    if (!block)
      return false;
    block->next = nullptr;
    block->count = 0;
    block->capacity = capacity;
    if (list.last) {
      list.last->count = uint32_t(list.cursor - list.last->entries());
      list.last->next = block;
    } else {
      list.first = block;
      m_touched[m_touchedCount++] = tile;
      m_occupied[tile >> 6] |= uint64_t(1) << (tile & 63u);
    }
    list.last = block;
    list.cursor = block->entries();
    list.end = list.cursor + capacity;
  }
  if (list.draw != m_drawCount) {
    *list.cursor++ = (uint32_t(kState) << kEntryShift) | (m_drawCount - 1);
    list.draw = m_drawCount;
  }
  return true;
}

} // namespace monolith::tiles
