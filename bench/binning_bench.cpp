// SPDX-License-Identifier: MIT
/// Rates of setup, binning and tile traversal, with pixel kernels that do nothing or next to nothing.
#include "binning/binner.h"
#include "tiles/chunk_bins.h"

#include <benchmark/benchmark.h>

#include <bit>
#include <cmath>
#include <x86intrin.h>

namespace monolith {

namespace {

constexpr uint32_t kWidth = 1920, kHeight = 1080;

void emptyKernel(const abi::PixelArgs*) {}

/// A grid of triangles with legs of `size` pixels that covers the target, in packets.
struct Grid {
  std::vector<float> data;
  std::vector<uint32_t> indices;
  uint32_t triangles = 0;
  double pixels = 0;

  explicit Grid(double size, uint32_t limit, bool backFacing = false)
  {
    uint32_t count = 0;
    const auto add = [&](double x, double y) {
      if ((count & 7) == 0)
        data.resize(data.size() + 8 * 12);
      float* p = data.data() + size_t(count >> 3) * 8 * 12 + (count & 7);
      p[4 * 8] = std::bit_cast<float>(int32_t(std::lrint(x * 256)));
      p[5 * 8] = std::bit_cast<float>(int32_t(std::lrint(y * 256)));
      p[6 * 8] = 0.5f;
      p[7 * 8] = 1.0f;
      return count++;
    };
    const uint32_t columns = uint32_t(kWidth / size);
    for (double y = 0.3; y + size < kHeight && triangles < limit; y += size) {
      const uint32_t first = count;
      for (uint32_t i = 0; i <= columns; ++i) {
        add(0.2 + i * size, y);
        add(0.2 + i * size, y + size);
      }
      for (uint32_t i = 0; i < columns && triangles < limit; ++i) {
        const uint32_t a = first + i * 2;
        if (backFacing)
          indices.insert(indices.end(), {a, a + 1, a + 2, a + 1, a + 3, a + 2});
        else
          indices.insert(indices.end(), {a, a + 2, a + 1, a + 1, a + 2, a + 3});
        triangles += 2;
      }
    }
    pixels = triangles * size * size / 2;
  }
};

struct Stage {
  tiles::Scene scene;
  tiles::DrawSetup draw;
  std::vector<std::unique_ptr<binning::Binner>> binners;

  Stage()
  {
    scene.targets.width = kWidth;
    scene.targets.height = kHeight;
    scene.tilesX = (kWidth + 63) / 64;
    scene.tilesY = (kHeight + 63) / 64;
    auto routine = std::make_shared<codegen::PixelRoutine>();
    routine->entry = emptyKernel;
    draw.routine = routine;
    draw.context = {};
    draw.scissor = {0, 0, int32_t(kWidth), int32_t(kHeight)};
  }
  /// In chunks of 1024 triangles, as geometry does.
  void bin(const Grid& grid)
  {
    const binning::VertexBatch batch{grid.data.data(), 12 * 32};
    uint32_t chunk = 0;
    for (uint32_t first = 0; first < grid.triangles; first += 1024, ++chunk) {
      if (chunk == binners.size())
        binners.push_back(binning::Binner::create());
      binning::Binner& binner = *binners[chunk];
      binner.begin(scene);
      binner.setDraw(&draw);
      binner.triangles(batch, grid.indices.data() + size_t(first) * 3, std::min(1024u, grid.triangles - first), nullptr, first, nullptr);
    }
    scene.chunks.clear();
    for (uint32_t i = 0; i < chunk; ++i)
      scene.chunks.push_back(binners[i]->bins());
  }
  void render()
  {
    abi::ThreadContext thread;
    for (uint32_t t = 0; t < scene.tilesX * scene.tilesY; ++t)
      tiles::renderTile(scene, t, thread);
  }
};

double sizeOf(const benchmark::State& state) { return double(state.range(0)) / 10; }

void report(benchmark::State& state, double items, uint64_t cycles)
{
  state.counters["triangles/s"] = benchmark::Counter(items * double(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["ref_cycles"] = double(cycles) / (items * double(state.iterations()));
}

void BM_Bin(benchmark::State& state)
{
  const Grid grid(sizeOf(state), 64 * 1024);
  Stage stage;
  const uint64_t start = __rdtsc();
  for (auto _ : state)
    stage.bin(grid);
  report(state, grid.triangles, __rdtsc() - start);
}
BENCHMARK(BM_Bin)->Arg(5)->Arg(20)->Arg(60)->Arg(200)->Arg(1000)->Arg(5000);

/// One chunk again and again: vertices and records stay in the caches, as they do when geometry has just shaded them.
void BM_BinChunk(benchmark::State& state)
{
  const Grid grid(sizeOf(state), 1024);
  Stage stage;
  const uint64_t start = __rdtsc();
  for (auto _ : state)
    stage.bin(grid);
  report(state, grid.triangles, __rdtsc() - start);
}
BENCHMARK(BM_BinChunk)->Arg(5)->Arg(20)->Arg(60)->Arg(200);

void BM_BinCulled(benchmark::State& state)
{
  const Grid grid(sizeOf(state), 64 * 1024, true);
  Stage stage;
  const uint64_t start = __rdtsc();
  for (auto _ : state)
    stage.bin(grid);
  report(state, grid.triangles, __rdtsc() - start);
}
BENCHMARK(BM_BinCulled)->Arg(20);

/// Tiles only: cost per triangle, and per covered pixel.
void BM_Tiles(benchmark::State& state)
{
  const Grid grid(sizeOf(state), 64 * 1024);
  Stage stage;
  stage.bin(grid);
  const uint64_t start = __rdtsc();
  for (auto _ : state)
    stage.render();
  const uint64_t cycles = __rdtsc() - start;
  report(state, grid.triangles, cycles);
  state.counters["ref_cycles/pixel"] = double(cycles) / (grid.pixels * double(state.iterations()));
}
BENCHMARK(BM_Tiles)->Arg(5)->Arg(20)->Arg(60)->Arg(200)->Arg(1000)->Arg(5000);

} // namespace

} // namespace monolith

BENCHMARK_MAIN();
