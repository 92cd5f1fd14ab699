// SPDX-License-Identifier: MIT
/// @file
/// A vertex kernel without generated code: contract in abi/vertex_args.h, same bits as codegen/vertex_kernel.h.
#pragma once

#include "codegen/interpreted_shader.h"
#include "codegen/vertex_key.h"

namespace monolith::codegen {

class InterpretedVertex final : public VertexRoutine {
public:
  explicit InterpretedVertex(const VertexDescription& description);
  size_t codeBytes() const;

private:
  static void enter(const abi::VertexArgs* args);
  void run(const abi::VertexArgs& args) const;

  VertexOutputs m_outputs;
  bool m_viewportTransform;
  std::vector<state::InputElement> m_elements;
  std::vector<state::SamplerState> m_samplers;
  mutable InterpreterPool m_pool;
};

} // namespace monolith::codegen
