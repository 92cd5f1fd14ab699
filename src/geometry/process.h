// SPDX-License-Identifier: MIT
/// @file
/// The geometry phase for one chunk: assemble, shade, reject or clip, hand to the binner. Any thread, one chunk a thread.
#pragma once

#include "binning/binner.h"
#include "geometry/assembly.h"
#include "geometry/clip.h"

#include <memory>
#include <span>

namespace monolith::geometry {

/// Working space of one thread; about half a megabyte, made once.
struct Workspace {
  Assembly assembly;
  ClipSpace clip;
  alignas(64) uint32_t codes[kMaxRangeElements + 8];
  uint32_t indices[kMaxRangePrimitives * 3 + 8];
  uint32_t primitiveIds[kMaxRangePrimitives + 8];
  uint64_t order[kMaxRangePrimitives + 8]; ///< Slice and primitive.
};

/// Processes ranges in order into a binner on which begin() has been called. `statistics` (by slot) may be null.
/// Stops early when the binner or the thread's budget fails.
void processChunk(std::span<const DrawRange> ranges, binning::Binner& binner, Workspace& workspace, abi::ThreadContext& thread,
                  Statistics* statistics);

} // namespace monolith::geometry
