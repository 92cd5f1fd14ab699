// SPDX-License-Identifier: MIT
/// @file
/// Routines without generated code: the REFERENCE driver type, and processors on which generated code does not run.
#pragma once

#include "codegen/code_cache.h"
#include "codegen/interpreted_pixel.h"
#include "codegen/interpreted_vertex.h"

namespace monolith::codegen {

class InterpretedRoutines final : public Routines {
public:
  explicit InterpretedRoutines(uint64_t maxBytes) : m_vertex(maxBytes / 4), m_pixel(maxBytes - maxBytes / 4) {}
  std::shared_ptr<const VertexRoutine> vertex(const VertexState& state) override;
  std::shared_ptr<const PixelRoutine> pixel(const PixelState& state) override;

private:
  CodeCache<InterpretedVertex> m_vertex;
  CodeCache<InterpretedPixel> m_pixel;
};

} // namespace monolith::codegen
