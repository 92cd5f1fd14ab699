// SPDX-License-Identifier: MIT
#include "codegen/vertex_key.h"

#include "codegen/code_cache.h"
#include "ir/function.h"

namespace monolith::codegen {

std::vector<state::InputElement> usedElements(const VertexState& state) {
  uint64_t read = 0;
  for (const ir::Instruction& i : state.program->function->instructions)
    if (i.op == ir::Op::LoadInput && i.attr < 64)
      read |= uint64_t(1) << i.attr;
  std::vector<state::InputElement> elements;
  for (const state::InputElement& e : state.elements)
    if (e.inputRegister < 64 && (read >> e.inputRegister & 1))
      elements.push_back(e);
  return elements;
}

std::vector<uint8_t> vertexKey(const VertexState& state) {
  KeyWriter key;
  key.add(state.program->id);
  key.add(state.viewportTransform);
  for (const state::InputElement& e : usedElements(state)) {
    key.add(e.inputRegister);
    key.add(e.slot);
    key.add(e.format);
    key.add(e.perInstance);
    key.add(e.offset);
    key.add(e.stepRate);
  }
  return std::move(key.bytes);
}

} // namespace monolith::codegen
