// SPDX-License-Identifier: MIT
/// @file
/// Bins primitives and renders all tiles with kernels written in C++ that record what they are given.
#pragma once

#include "binning/binner.h"
#include "tiles/chunk_bins.h"
#include "tiles/scene.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <vector>

namespace monolith::test {

struct Fixed {
  int32_t x, y;
  bool operator==(const Fixed&) const = default;
};

/// What the recording kernel has seen.
struct Canvas {
  int width = 0, height = 0;
  std::vector<uint32_t> count;          ///< Per pixel, how often it was covered.
  std::vector<uint32_t> order;          ///< Sequence number of the last call that covered it.
  std::vector<uint32_t> primitive;      ///< primitiveId of that call.
  std::vector<float> z, l1, l2;
  std::vector<uint32_t> flags;
  uint64_t calls = 0, outside = 0, emptyBlocks = 0, misplaced = 0;

  Canvas(int w, int h)
      : width(w), height(h), count(size_t(w) * size_t(h)), order(count.size()), primitive(count.size()),
        z(count.size()), l1(count.size()), l2(count.size()), flags(count.size())
  {
  }
  uint32_t at(int x, int y) const { return count[size_t(y) * size_t(width) + size_t(x)]; }
  size_t index(int x, int y) const { return size_t(y) * size_t(width) + size_t(x); }
  uint64_t total() const
  {
    uint64_t sum = 0;
    for (uint32_t c : count)
      sum += c;
    return sum;
  }
};

inline void recordingKernel(const abi::PixelArgs* args)
{
  Canvas& canvas = *reinterpret_cast<Canvas*>(args->draw->color[0].base);
  ++canvas.calls;
  const abi::PrimitiveRecord& r = *args->primitive;
  for (uint32_t i = 0; i < args->blockCount; ++i) {
    const abi::Block& block = args->blocks[i];
    canvas.emptyBlocks += block.mask == 0;
    canvas.misplaced += (block.x & 63) > 56 || (block.y & 63) > 56 || block.x + 8 > ((canvas.width + 7) & ~7) || block.y + 8 > ((canvas.height + 7) & ~7);
    for (uint64_t mask = block.mask; mask; mask &= mask - 1) {
      const int bit = std::countr_zero(mask);
      const int x = block.x + (bit & 7), y = block.y + (bit >> 3);
      if (x >= canvas.width || y >= canvas.height) {
        ++canvas.outside;
        continue;
      }
      const size_t p = canvas.index(x, y);
      const float px = float(x) + 0.5f - r.x0, py = float(y) + 0.5f - r.y0;
      ++canvas.count[p];
      canvas.order[p] = uint32_t(canvas.calls);
      canvas.primitive[p] = r.primitiveId;
      canvas.flags[p] = r.flags;
      canvas.z[p] = r.z0 + r.dzdx * px + r.dzdy * py;
      canvas.l1[p] = r.l1dx * px + r.l1dy * py;
      canvas.l2[p] = r.l2dx * px + r.l2dy * py;
    }
    if (args->thread->occlusion)
      *args->thread->occlusion += uint64_t(std::popcount(block.mask));
  }
}

/// Vertices in packets of `slots` slots.
class Vertices {
public:
  explicit Vertices(uint32_t slots = 8) : m_slots(slots) {}
  uint32_t add(int32_t x, int32_t y, float z = 0.5f, float rw = 1.0f)
  {
    const uint32_t index = m_count++;
    if ((index & 7) == 0)
      m_data.resize(m_data.size() + size_t(m_slots) * 8);
    float* p = m_data.data() + size_t(index >> 3) * m_slots * 8 + (index & 7);
    p[4 * 8] = std::bit_cast<float>(x);
    p[5 * 8] = std::bit_cast<float>(y);
    p[6 * 8] = z;
    p[7 * 8] = rw;
    return index;
  }
  uint32_t add(Fixed v) { return add(v.x, v.y); }
  binning::VertexBatch batch() const { return {m_data.data(), m_slots * 32}; }

private:
  uint32_t m_slots, m_count = 0;
  std::vector<float> m_data;
};

/// A scene of one target size. Draws are added chunk by chunk; render() runs every tile once.
class Raster {
public:
  Raster(int width, int height) : m_canvas(width, height)
  {
    m_scene.targets.width = uint32_t(width);
    m_scene.targets.height = uint32_t(height);
    m_scene.tilesX = uint32_t(width + 63) / 64;
    m_scene.tilesY = uint32_t(height + 63) / 64;
    m_scene.occlusion.assign(1, std::vector<uint64_t>(8));
    auto routine = std::make_shared<codegen::PixelRoutine>();
    routine->entry = recordingKernel;
    m_routine = routine;
    nextChunk();
  }

  tiles::DrawSetup& newDraw()
  {
    tiles::DrawSetup& draw = m_draws.emplace_back();
    draw.context = abi::DrawContext{};
    draw.context.color[0].base = reinterpret_cast<uint8_t*>(&m_canvas);
    draw.routine = m_routine;
    draw.raster.cull = state::CullMode::None;
    draw.scissor = {0, 0, m_canvas.width, m_canvas.height};
    return draw;
  }
  binning::Binner& nextChunk()
  {
    m_binners.push_back(binning::Binner::create());
    m_binners.back()->begin(m_scene);
    return *m_binners.back();
  }
  binning::Binner& binner() { return *m_binners.back(); }
  tiles::Scene& scene() { return m_scene; }

  Canvas& render(bool backwards = false)
  {
    m_scene.chunks.clear();
    for (auto& binner : m_binners)
      m_scene.chunks.push_back(binner->bins());
    abi::ThreadContext thread;
    const uint32_t tiles = m_scene.tilesX * m_scene.tilesY;
    for (uint32_t i = 0; i < tiles; ++i)
      tiles::renderTile(m_scene, backwards ? tiles - 1 - i : i, thread);
    EXPECT_EQ(m_canvas.outside, 0u);
    EXPECT_EQ(m_canvas.emptyBlocks, 0u);
    EXPECT_EQ(m_canvas.misplaced, 0u);
    return m_canvas;
  }

private:
  Canvas m_canvas;
  tiles::Scene m_scene;
  std::shared_ptr<const codegen::PixelRoutine> m_routine;
  std::deque<tiles::DrawSetup> m_draws;
  std::vector<std::unique_ptr<binning::Binner>> m_binners;
};

} // namespace monolith::test
