// SPDX-License-Identifier: MIT
/// @file
/// The pixel half of Routines: kernels by key, recorded when first needed, the least recently used dropped when the code
/// passes its limit.
#pragma once

#include "codegen/routines.h"

#include <memory>

namespace monolith::codegen {

/// Thread-safe.
class PixelRoutines {
public:
  explicit PixelRoutines(uint64_t maxCodeBytes);
  ~PixelRoutines();
  /// Null if no code could be made.
  std::shared_ptr<const PixelRoutine> get(const PixelState& state);

private:
  struct Cache;
  std::unique_ptr<Cache> m_cache;
};

} // namespace monolith::codegen
