// SPDX-License-Identifier: MIT
/// @file
/// What binning hands to the tiles: primitives in an arena and, for each tile, a list of 32-bit entries.
///
/// An entry is a kind (top 4 bits) and a payload: the place of a Primitive, or for kState the number of the draw
/// that the following entries of this tile belong to. Every list starts with a kState entry. The arena consists of
/// 64 KiB blocks that circulate between chunks; nothing here throws, a failed allocation makes ok() false and the
/// chunk incomplete.
#pragma once

#include "abi/pixel_args.h"

#include <cstdint>

namespace monolith::tiles {

struct DrawSetup;

enum EntryKind : uint32_t {
  kTriangle = 0, ///< EdgeShape, edges to be tested in this tile.
  kFull = 1,     ///< EdgeShape, every pixel of the tile is inside.
  kSmall = 2,    ///< SmallShape, or SampledShape in draws with several samples.
  kLine = 3,     ///< LineShape.
  kState = 4,    ///< Payload: index of the draw.
  kCentre = 5,   ///< EdgeShape with c not divided, tested at pixel centres; they decide for all samples of a pixel.
};
inline constexpr uint32_t kEntryShift = 28;
inline constexpr uint32_t kEntryPayload = (1u << kEntryShift) - 1;

/// Edge k at the centre of pixel (x, y) is c[k] + a[k]*x + b[k]*y; the pixel is inside when all three are >= 0.
/// These are the exact edge functions in 16.8 coordinates, less one where the top-left rule excludes the edge,
/// divided by 256 and rounded down: steps between pixel centres are multiples of 256, so no sign changes.
/// In draws with several samples c is not divided: sample offsets are 1/16 pixel.
struct EdgeShape {
  int64_t c[3];
  int32_t a[3], b[3];
  uint16_t x0, y0, x1, y1; ///< Pixels that may be covered, inclusive, within the scissor.
};

/// Bit j*8+i of mask is pixel (x+i, y+j). Bits lie within the scissor.
struct SmallShape {
  uint64_t mask;
  uint16_t x, y;
  uint32_t reserved;
};

/// The same for draws with several samples: one mask for each, as many as the draw has.
struct SampledShape {
  uint16_t x, y;
  uint32_t reserved;
  uint64_t mask[1]; ///< The first of them.
};

/// An aliased line: for each major coordinate m in [first, last], the minor coordinate is
/// floor((n0 + m * step) / divisor). Everything outside the scissor is skipped when the tile is rendered.
struct LineShape {
  int64_t n0, step, divisor; ///< divisor > 0
  int32_t first, last;
  uint32_t yMajor;           ///< 0: m is x; 1: m is y.
  uint32_t reserved;
};

/// A primitive is a record followed by the shape that its entries' kind tells.
struct Primitive {
  abi::PrimitiveRecord record;
  template <class Shape> const Shape& shape() const { return *reinterpret_cast<const Shape*>(this + 1); }
  template <class Shape> Shape& shape() { return *reinterpret_cast<Shape*>(this + 1); }
};

struct ListBlock {
  ListBlock* next;
  uint32_t count; ///< Entries; of the last block of a list the list's cursor counts.
  uint32_t capacity;
  uint32_t* entries() { return reinterpret_cast<uint32_t*>(this + 1); }
  const uint32_t* entries() const { return reinterpret_cast<const uint32_t*>(this + 1); }
};

struct TileList {
  uint32_t* cursor; ///< Where the next entry goes.
  uint32_t* end;
  ListBlock* first; ///< Null: the list is empty.
  ListBlock* last;
  uint32_t draw;    ///< Draw of the newest kState entry, plus one.
  uint32_t reserved;
};

/// One chunk. Filled by one thread, then read by many.
class ChunkBins {
public:
  ChunkBins() = default;
  ChunkBins(const ChunkBins&) = delete;
  ChunkBins& operator=(const ChunkBins&) = delete;
  ~ChunkBins();

  /// Empties everything for a grid of tilesX * tilesY tiles.
  void begin(uint32_t tilesX, uint32_t tilesY);
  bool ok() const { return m_ok; }
  uint64_t memoryUsed() const { return m_used; }
  /// Allocations beyond this many bytes fail.
  void setLimit(uint64_t bytes) { m_limit = bytes; }

  /// Appends a draw; following entries belong to it.
  void addDraw(const DrawSetup* draw);
  /// 64-byte aligned memory that lives until the next begin(); null when out of memory.
  void* allocate(uint64_t bytes);
  /// A primitive with room for `shapeBytes` and its entry payload; null when out of memory.
  Primitive* newPrimitive(uint32_t shapeBytes, uint32_t& payload)
  {
    const uint32_t size = (uint32_t(sizeof(Primitive)) + shapeBytes + 15u) & ~15u;
    if (m_primitiveLeft < size && !nextPrimitiveBlock())
      return nullptr;
    const uint32_t offset = kBlockBytes - m_primitiveLeft;
    m_primitiveLeft -= size;
    payload = ((m_primitiveBlockCount - 1) << 12) | (offset >> 4);
    return reinterpret_cast<Primitive*>(m_primitiveBlocks[m_primitiveBlockCount - 1] + offset);
  }
  void append(uint32_t tile, EntryKind kind, uint32_t payload)
  {
    TileList& list = m_lists[tile];
    // A changed draw and a full block are told apart out of line: one branch in the common case would need
    // cursor == end forced at every addDraw for all lists, which costs more than this second compare.
    if (list.draw != m_drawCount || list.cursor == list.end) [[unlikely]] {
      if (!prepare(tile))
        return;
    }
    *list.cursor++ = (uint32_t(kind) << kEntryShift) | payload;
  }

  bool empty(uint32_t tile) const { return tile >= m_tileCount || !(m_occupied[tile >> 6] >> (tile & 63u) & 1u); }
  const TileList& list(uint32_t tile) const { return m_lists[tile]; }
  const DrawSetup* draw(uint32_t index) const { return m_draws[index]; }
  const Primitive& primitive(uint32_t payload) const
  {
    return *reinterpret_cast<const Primitive*>(m_primitiveBlocks[payload >> 12] + ((payload & 0xfffu) << 4));
  }
  uint32_t primitiveBlockCount() const { return m_primitiveBlockCount; }
  uint32_t tilesX() const { return m_tilesX; }
  uint32_t tilesY() const { return m_tilesY; }

  static constexpr uint32_t kBlockBytes = 64 * 1024;

private:
  bool nextPrimitiveBlock();
  bool prepare(uint32_t tile);
  void* allocateSmall(uint32_t bytes);
  uint8_t* takeBlock();
  void releaseMemory();
  bool charge(uint64_t bytes);

  TileList* m_lists = nullptr;
  uint32_t* m_touched = nullptr; ///< Tiles with a list, for begin().
  /// One bit a tile: has a list. Tiles look at every chunk of the scene, so this is kept to a cache line or two.
  uint64_t* m_occupied = nullptr;
  uint32_t m_touchedCount = 0;
  uint32_t m_tileCount = 0, m_tileCapacity = 0, m_tilesX = 0, m_tilesY = 0;
  const DrawSetup** m_draws = nullptr;
  uint32_t m_drawCount = 0, m_drawCapacity = 0;
  uint8_t** m_primitiveBlocks = nullptr;
  uint32_t m_primitiveBlockCount = 0, m_primitiveBlockCapacity = 0, m_primitiveLeft = 0;
  uint8_t* m_arenaBlocks = nullptr; ///< Linked through their first pointer.
  uint8_t* m_large = nullptr;       ///< Likewise: allocations of their own.
  uint8_t* m_arena = nullptr;
  uint32_t m_arenaLeft = 0;
  uint64_t m_used = 0, m_limit = UINT64_MAX;
  bool m_ok = true;
};

} // namespace monolith::tiles
