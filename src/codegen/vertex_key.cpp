// SPDX-License-Identifier: MIT
#include "codegen/vertex_key.h"

#include "codegen/code_cache.h"
#include "ir/function.h"

#include <utility>

namespace monolith::codegen {

VertexDescription describe(const VertexState& state) {
  VertexDescription d;
  d.program = state.program;
  d.outputs = state.outputs;
  d.viewportTransform = state.viewportTransform;
  uint64_t read = 0;
  for (const ir::Instruction& i : state.program->function->instructions)
    if (i.op == ir::Op::LoadInput && i.attr < 64)
      read |= uint64_t(1) << i.attr;
  for (const state::InputElement& e : state.elements)
    if (e.inputRegister < 64 && (read >> e.inputRegister & 1))
      d.elements.push_back(e);
  for (uint32_t k = 0; k < d.program->resourceCount; ++k)
    d.views.push_back(k < state.resources.size() ? viewKey(state.resources[k]) : ViewKey());
  for (uint32_t k = 0; k < d.program->samplerCount; ++k)
    d.samplers.push_back(k < state.samplers.size() && state.samplers[k] ? *state.samplers[k] : state::SamplerState());
  return d;
}

std::vector<uint8_t> keyOf(const VertexDescription& d) {
  KeyWriter key;
  key.add(d.program->id);
  key.add(d.viewportTransform);
  key.add(uint8_t(d.elements.size()));
  for (const state::InputElement& e : d.elements) {
    key.add(e.inputRegister);
    key.add(e.slot);
    key.add(e.format);
    key.add(e.perInstance);
    key.add(e.offset);
    key.add(e.stepRate);
  }
  for (const ViewKey& v : d.views) {
    key.add(uint8_t(v.format));
    key.add(v.dimension);
  }
  for (const state::SamplerState& s : d.samplers) {
    static_assert(sizeof s == 10, "every member goes into the key");
    key.add(s.min), key.add(s.mag), key.add(s.mip), key.add(s.anisotropic), key.add(s.reduction);
    key.add(s.u), key.add(s.v), key.add(s.w), key.add(s.func), key.add(s.maxAnisotropy);
  }
  return std::move(key.bytes);
}

} // namespace monolith::codegen
