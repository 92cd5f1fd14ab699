// SPDX-License-Identifier: MIT
/// @file
/// A scene: draws with the same render targets, binned chunk by chunk, then rendered tile by tile.
///
/// Life: geometry/ opens a scene for a set of targets, splits draws into *chunks* (a run of primitives of one or
/// more draws), processes chunks in parallel (each into its own ChunkBins through binning::Binner, one thread a
/// chunk), then all tiles are rendered (renderTile), any thread any tile, each exactly once. Within a tile, chunks are
/// taken in chunk order and primitives in bin order, so results do not depend on threads. A scene is immutable
/// once binned. Bin storage and arenas live in the ChunkBins and are recycled.
#pragma once

#include "abi/pixel_args.h"
#include "codegen/routines.h"
#include "resources/resource.h"
#include "state/pipeline_state.h"

#include <memory>
#include <vector>

namespace monolith::tiles {

class ChunkBins; // tiles/chunk_bins.h; filled and recycled by binning/

struct TargetSet {
  const resources::TargetView* color[8] = {};
  uint32_t colorCount = 0;
  const resources::TargetView* depth = nullptr;
  uint32_t width = 0, height = 0; ///< Smallest of the bound views.
  bool operator==(const TargetSet&) const = default;
};

/// What primitives of a draw choose from by SV_ViewportArrayIndex and SV_RenderTargetArrayIndex.
struct ArraySetup {
  struct Window {
    state::Rect scissor; ///< As in DrawSetup.
    float minDepth, maxDepth;
  };
  abi::ViewportTransform transform[state::kMaxViewports];
  Window window[state::kMaxViewports];
  uint32_t layers;                     ///< Slices that all bound views have; others count as 0.
  uint64_t colorPitch[8], depthPitch;  ///< Bytes between slices.
};

/// What a run of primitives shares at tile time. Lives as long as the scene.
struct DrawSetup {
  abi::DrawContext context;
  std::shared_ptr<const codegen::PixelRoutine> routine;
  state::RasterizerState raster;
  state::Rect scissor;            ///< Already intersected with the viewport and target; empty = skip.
  abi::ViewportTransform viewport;
  float minDepth = 0, maxDepth = 1;
  formats::Format depthFormat{};  ///< For depth bias units.
  uint32_t occlusionSlot = 0;     ///< Counter that passed samples go to (0 = none).
  bool countSamples = false;
  bool smoothLines = false;       ///< Lines are alpha-antialiased; the routine expects their records.
  uint32_t statisticsSlot = 0;    ///< Counter that covered pixels go to (0 = none).
  const ArraySetup* arrays = nullptr; ///< Null unless primitives choose; scissor, viewport and surfaces are those of 0.
};

struct Scene {
  TargetSet targets;
  uint32_t tilesX = 0, tilesY = 0;
  std::vector<ChunkBins*> chunks;            ///< In order.
  uint32_t threadCount = 1;
  mutable std::vector<std::vector<uint64_t>> occlusion; ///< [thread][slot]; the sum over threads is the answer.
  mutable std::vector<std::vector<uint64_t>> invocations; ///< [thread][slot]: pixels handed to pixel kernels.
};

/// Renders one tile: fills pending clears that the tile's surfaces hold, then runs all primitives binned to it.
/// Concurrent calls for different tiles are safe. tile = y * tilesX + x.
void renderTile(const Scene& scene, uint32_t tile, abi::ThreadContext& thread);
/// True when nothing is binned to the tile (pending clears may stay pending).
bool tileEmpty(const Scene& scene, uint32_t tile);

} // namespace monolith::tiles
