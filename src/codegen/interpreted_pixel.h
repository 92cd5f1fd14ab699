// SPDX-License-Identifier: MIT
/// @file
/// A pixel kernel without generated code: contract in abi/pixel_args.h, same bits as codegen/pixel_kernel.h. The shader
/// runs in the interpreter, depth, stencil and colours go through the scalar twins, pixel by pixel.
#pragma once

#include "codegen/attribute_source.h"
#include "codegen/interpreted_shader.h"
#include "codegen/pixel_kernel.h"

#include <optional>

namespace monolith::codegen {

class InterpretedPixel final : public PixelRoutine {
public:
  explicit InterpretedPixel(const PixelDescription& description);
  size_t codeBytes() const;

private:
  friend class PixelBlocks;
  static void enter(const abi::PixelArgs* args);
  void run(const abi::PixelArgs& args) const;

  PixelDescription m_d;
  DepthOrder m_order;
  bool m_needsQuads = false, m_perSample = false;
  Place m_position = Place::Centre;
  AttributeSource m_sources[32][4];
  mutable std::optional<InterpreterPool> m_pool; ///< Empty without a shader.
};

} // namespace monolith::codegen
