// SPDX-License-Identifier: MIT
#include "codegen/routines.h"

#include "base/cpu.h"
#include "base/log.h"
#include "codegen/interpreted_routines.h"
#include "codegen/pixel_routines.h"
#include "codegen/vertex_routines.h"

namespace monolith::codegen {

namespace {

class CachedRoutines final : public Routines {
public:
  /// Pixel kernels are larger and more numerous, so they get three quarters.
  explicit CachedRoutines(uint64_t maxCodeBytes) : m_vertex(maxCodeBytes / 4), m_pixel(maxCodeBytes - maxCodeBytes / 4) {}
  std::shared_ptr<const VertexRoutine> vertex(const VertexState& state) override { return m_vertex.get(state); }
  std::shared_ptr<const PixelRoutine> pixel(const PixelState& state) override { return m_pixel.get(state); }

private:
  VertexRoutines m_vertex;
  PixelRoutines m_pixel;
};

} // namespace

std::unique_ptr<Routines> Routines::create(uint64_t maxCodeBytes, bool interpret) {
  if (!base::hasAvx2()) {
    base::logOnce("shaders are interpreted: no generated code on this processor");
    interpret = true;
  }
  if (interpret)
    return std::make_unique<InterpretedRoutines>(maxCodeBytes);
  return std::make_unique<CachedRoutines>(maxCodeBytes);
}

} // namespace monolith::codegen
