// SPDX-License-Identifier: MIT
/// @file
/// The vertex half of Routines.
#pragma once

#include "codegen/code_cache.h"
#include "codegen/routines.h"
#include "simd/function.h"

namespace monolith::codegen {

/// A vertex routine with its code.
struct CompiledVertex final : VertexRoutine {
  simd::Routine code;
  size_t codeBytes() const { return code.size(); }
};

/// Thread-safe.
class VertexRoutines {
public:
  explicit VertexRoutines(uint64_t maxCodeBytes) : m_cache(maxCodeBytes) {}
  /// Null if no code could be made.
  std::shared_ptr<const VertexRoutine> get(const VertexState& state);
  CacheCounters counters() const { return m_cache.counters(); }

private:
  CodeCache<CompiledVertex> m_cache;
};

} // namespace monolith::codegen
