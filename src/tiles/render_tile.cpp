// SPDX-License-Identifier: MIT
#include "abi/vertex_args.h"
#include "tiles/coverage.h"
#include "tiles/pending_clear.h"
#include "tiles/scene.h"

#include <bit>

namespace monolith::tiles {

namespace {

/// One tile being rendered by one thread.
class TileRenderer {
public:
  TileRenderer(const Scene& scene, uint32_t tile, abi::ThreadContext& thread)
      : m_scene(scene), m_thread(thread), m_tile(tile), m_x(tile % scene.tilesX * kTilePixels),
        m_y(tile / scene.tilesX * kTilePixels)
  {
    m_args.thread = &thread;
    m_args.reserved = 0;
    // Rows and columns are padded to whole 8x8 blocks.
    const auto last = [](uint32_t origin, uint32_t size) {
      const uint32_t padded = (size + 7) & ~7u, end = origin + kTilePixels;
      return (end < padded ? end : padded) - 8;
    };
    m_window = {m_x, m_y, last(m_x, scene.targets.width), last(m_y, scene.targets.height), 1};
  }

  void run()
  {
    for (const ChunkBins* chunk : m_scene.chunks)
      if (chunk && !chunk->empty(m_tile) && !runChunk(*chunk))
        return;
  }

private:
  bool runChunk(const ChunkBins& chunk);
  void setState(const DrawSetup& draw);
  uint32_t cover(uint32_t kind, const Primitive& primitive);
  uint32_t coverSampled(uint32_t kind, const Primitive& primitive);
  uint32_t clipSampled(uint32_t count);
  uint32_t coverCentres(const EdgeShape& shape);
  void findInner(const EdgeShape& shape, uint32_t count);
  const abi::Block* wholeTile();
  /// Bounds of a shape within the tile; they lie within the scissor.
  TileRect boundsOf(const EdgeShape& shape) const
  {
    return {int32_t(shape.x0) - int32_t(m_x), int32_t(shape.y0) - int32_t(m_y), int32_t(shape.x1) - int32_t(m_x),
            int32_t(shape.y1) - int32_t(m_y)};
  }

  const Scene& m_scene;
  abi::ThreadContext& m_thread;
  const uint32_t m_tile, m_x, m_y;
  const WalkEdges m_walk = bestWalk();
  abi::PixelArgs m_args{};
  abi::PixelKernel m_kernel = nullptr;
  TileRect m_clip{};
  WindowLimits m_window{};
  bool m_clipped = false;
  bool m_conservative = false;
  bool m_inner = false;
  bool m_wholeReady = false;
  uint64_t m_noCounter = 0;
  uint64_t* m_invocations = nullptr;
  abi::Block m_blocks[kBlocksPerTile];
  abi::Block m_whole[kBlocksPerTile];
  SamplePattern m_pattern{};
  uint64_t m_sampleMasks[kBlocksPerTile * abi::kMaxSamples];
  uint64_t m_innerMasks[kBlocksPerTile];
};

void TileRenderer::setState(const DrawSetup& draw)
{
  m_args.draw = &draw.context;
  m_kernel = draw.routine->entry;
  m_args.routine = draw.routine.get();
  m_window.align = draw.routine->quads ? 2 : 1;
  m_pattern = patternOf(draw.context);
  m_args.sampleMasks = m_pattern.count > 1 ? m_sampleMasks : nullptr;
  const state::Rect& scissor = draw.scissor;
  const int64_t right = scissor.right < int64_t(m_scene.targets.width) ? scissor.right : int64_t(m_scene.targets.width);
  const int64_t bottom =
      scissor.bottom < int64_t(m_scene.targets.height) ? scissor.bottom : int64_t(m_scene.targets.height);
  const auto clamp = [](int64_t v, int64_t low, int64_t high) { return int32_t(v < low ? low : v > high ? high : v); };
  m_clip.x0 = clamp(int64_t(scissor.left) - m_x, 0, 64);
  m_clip.y0 = clamp(int64_t(scissor.top) - m_y, 0, 64);
  m_clip.x1 = clamp(right - m_x - 1, -1, 63);
  m_clip.y1 = clamp(bottom - m_y - 1, -1, 63);
  m_clipped = !m_clip.whole();
  m_conservative = draw.raster.conservative != 0;
  m_inner = draw.routine->readsInnerCoverage;
  if (m_inner) [[unlikely]] { // without conservative rasterization nothing is known to lie inside
    m_args.innerMasks = m_innerMasks;
    for (uint64_t& mask : m_innerMasks)
      mask = 0;
  }
  m_thread.occlusion = &m_noCounter;
  m_invocations = nullptr;
  if (draw.statisticsSlot && m_thread.threadIndex < m_scene.invocations.size()) {
    std::vector<uint64_t>& counters = m_scene.invocations[m_thread.threadIndex];
    if (draw.statisticsSlot < counters.size())
      m_invocations = &counters[draw.statisticsSlot];
  }
  if (draw.countSamples && m_thread.threadIndex < m_scene.occlusion.size()) {
    std::vector<uint64_t>& counters = m_scene.occlusion[m_thread.threadIndex];
    if (draw.occlusionSlot < counters.size())
      m_thread.occlusion = &counters[draw.occlusionSlot];
  }
}

const abi::Block* TileRenderer::wholeTile()
{
  if (!m_wholeReady) {
    coverRect(m_x, m_y, {0, 0, 63, 63}, m_whole);
    m_wholeReady = true;
  }
  return m_whole;
}

uint32_t TileRenderer::cover(uint32_t kind, const Primitive& primitive)
{
  m_args.blocks = m_blocks;
  switch (kind) {
  case kSmall:
    return coverWindow(primitive.shape<SmallShape>(), m_window, m_blocks);
  case kTriangle: {
    const uint32_t count = coverTriangle(primitive.shape<EdgeShape>(), m_x, m_y, m_walk, m_blocks);
    return m_clipped ? clipBlocks(m_blocks, count, m_x, m_y, m_clip) : count;
  }
  case kCentre:
    return coverCentres(primitive.shape<EdgeShape>());
  case kFull:
    if (m_clipped)
      return coverRect(m_x, m_y, m_clip, m_blocks);
    m_args.blocks = wholeTile();
    return kBlocksPerTile;
  case kLine:
    return coverLine(primitive.shape<LineShape>(), m_x, m_y, m_clip, m_blocks);
  }
  return 0;
}

uint32_t TileRenderer::coverSampled(uint32_t kind, const Primitive& primitive)
{
  m_args.blocks = m_blocks;
  const uint32_t samples = m_pattern.count;
  uint32_t count = 0;
  switch (kind) {
  case kSmall:
    return coverSmallSampled(primitive.shape<SampledShape>(), m_x, m_y, samples, m_blocks, m_sampleMasks);
  case kTriangle:
    count = coverTriangleSampled(primitive.shape<EdgeShape>(), m_x, m_y, m_pattern, m_walk, m_blocks, m_sampleMasks);
    return m_clipped ? clipSampled(count) : count;
  case kCentre:
    count = coverCentres(primitive.shape<EdgeShape>());
    break;
  case kFull:
    count = coverRect(m_x, m_y, m_clip, m_blocks);
    break;
  case kLine:
    count = coverLine(primitive.shape<LineShape>(), m_x, m_y, m_clip, m_blocks);
    break;
  }
  // All samples of a pixel alike.
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t s = 0; s < samples; ++s)
      m_sampleMasks[i * samples + s] = m_blocks[i].mask;
  return count;
}

uint32_t TileRenderer::coverCentres(const EdgeShape& shape)
{
  EdgeShape moved = shape;
  for (int64_t& c : moved.c)
    c >>= 8;
  const uint32_t count = coverTriangle(moved, m_x, m_y, m_walk, m_blocks);
  if (!m_conservative)
    return m_clipped ? clipBlocks(m_blocks, count, m_x, m_y, m_clip) : count;
  // Widened edges reach beyond the bounds.
  const uint32_t kept = clipBlocks(m_blocks, count, m_x, m_y, boundsOf(shape));
  if (m_inner) [[unlikely]]
    findInner(shape, kept);
  return kept;
}

/// Pixels whose whole square, widened by 1/256 pixel, lies inside all edges.
void TileRenderer::findInner(const EdgeShape& shape, uint32_t count)
{
  EdgeShape inner = shape;
  for (int k = 0; k < 3; ++k) {
    const int64_t reach = int64_t(shape.a[k] < 0 ? -shape.a[k] : shape.a[k]) + (shape.b[k] < 0 ? -shape.b[k] : shape.b[k]);
    inner.c[k] = (shape.c[k] - 2 * kConservativeReach * reach - (reach == 0)) >> 8;
  }
  abi::Block found[kBlocksPerTile];
  const uint32_t n = coverTriangle(inner, m_x, m_y, m_walk, found);
  uint64_t byPlace[kBlocksPerTile] = {};
  const auto place = [&](const abi::Block& b) { return (b.y - m_y) + (b.x - m_x) / 8; };
  for (uint32_t i = 0; i < n; ++i)
    byPlace[place(found[i])] = found[i].mask;
  for (uint32_t i = 0; i < count; ++i)
    m_innerMasks[i] = byPlace[place(m_blocks[i])];
}

uint32_t TileRenderer::clipSampled(uint32_t count)
{
  const uint32_t samples = m_pattern.count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (!clipBlocks(&m_blocks[i], 1, m_x, m_y, m_clip))
      continue;
    m_blocks[kept] = m_blocks[i];
    for (uint32_t s = 0; s < samples; ++s)
      m_sampleMasks[kept * samples + s] = m_sampleMasks[i * samples + s] & m_blocks[i].mask;
    ++kept;
  }
  return kept;
}

/// Records and vertices are spread over more memory than caches hold, and a kernel starts by reading them: asked for
/// some entries ahead, they come while others run. (Inlined by force: a compiler may take calls of these as without effect.)
[[gnu::always_inline]] inline void fetchRecord(const ChunkBins& chunk, uint32_t entry)
{
  if (entry >> kEntryShift == kState)
    return;
  const auto* record = reinterpret_cast<const char*>(&chunk.primitive(entry & kEntryPayload));
  __builtin_prefetch(record);
  __builtin_prefetch(record + 64);
}

[[gnu::always_inline]] inline void fetchVertices(const ChunkBins& chunk, uint32_t entry)
{
  if (entry >> kEntryShift == kState)
    return;
  const abi::PrimitiveRecord& record = chunk.primitive(entry & kEntryPayload).record;
  for (const float* vertex : record.v) {
    const auto* outputs = reinterpret_cast<const char*>(vertex) + abi::kFirstOutputSlot * 32;
    __builtin_prefetch(outputs);
    __builtin_prefetch(outputs + 64);
  }
}

/// False when a shader ran out of its budget: the rest of the tile is abandoned.
bool TileRenderer::runChunk(const ChunkBins& chunk)
{
  const TileList& list = chunk.list(m_tile);
  bool visible = false;
  for (const ListBlock* block = list.first; block; block = block->next) {
    const uint32_t* entry = block->entries();
    const uint32_t* end = block == list.last ? list.cursor : entry + block->count;
    for (; entry != end; ++entry) {
      if (end - entry > 4) [[likely]] {
        fetchRecord(chunk, entry[4]);
        fetchVertices(chunk, entry[2]);
      }
      const uint32_t kind = *entry >> kEntryShift, payload = *entry & kEntryPayload;
      if (kind == kState) {
        setState(*chunk.draw(payload));
        visible = !m_clip.empty();
        continue;
      }
      if (!visible)
        continue;
      const Primitive& primitive = chunk.primitive(payload);
      m_args.blockCount = m_args.sampleMasks ? coverSampled(kind, primitive) : cover(kind, primitive);
      if (m_args.blockCount == 0)
        continue;
      if (m_invocations) [[unlikely]]
        for (uint32_t b = 0; b < m_args.blockCount; ++b)
          *m_invocations += uint32_t(std::popcount(m_args.blocks[b].mask));
      m_args.primitive = &primitive.record;
      m_kernel(&m_args);
      if (m_thread.hung) [[unlikely]]
        return false;
    }
  }
  return true;
}

} // namespace

void renderTile(const Scene& scene, uint32_t tile, abi::ThreadContext& thread)
{
  if (tile >= uint64_t(scene.tilesX) * scene.tilesY || tileEmpty(scene, tile))
    return;
  fillPendingClears(scene.targets, tile % scene.tilesX, tile / scene.tilesX);
  uint64_t* const occlusion = thread.occlusion;
  TileRenderer(scene, tile, thread).run();
  thread.occlusion = occlusion;
}

bool tileEmpty(const Scene& scene, uint32_t tile)
{
  for (const ChunkBins* chunk : scene.chunks)
    if (chunk && !chunk->empty(tile))
      return false;
  return true;
}

} // namespace monolith::tiles
