// SPDX-License-Identifier: MIT
#include "codegen/interpreted_routines.h"

namespace monolith::codegen {

std::shared_ptr<const VertexRoutine> InterpretedRoutines::vertex(const VertexState& state)
{
  const VertexDescription d = describe(state);
  return m_vertex.get(keyOf(d), [&] { return std::make_shared<const InterpretedVertex>(d); });
}

std::shared_ptr<const PixelRoutine> InterpretedRoutines::pixel(const PixelState& state)
{
  const PixelDescription d = describe(state);
  std::vector<uint8_t> key;
  appendKey(d, key);
  return m_pixel.get(key, [&] { return std::make_shared<const InterpretedPixel>(d); });
}

} // namespace monolith::codegen
