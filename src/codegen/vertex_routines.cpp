// SPDX-License-Identifier: MIT
#include "codegen/vertex_routines.h"

#include "codegen/vertex_kernel.h"
#include "codegen/vertex_key.h"

namespace monolith::codegen {

std::shared_ptr<const VertexRoutine> VertexRoutines::get(const VertexState& state) {
  const VertexDescription d = describe(state);
  return m_cache.get(keyOf(d), [&]() -> std::shared_ptr<const CompiledVertex> {
    auto made = std::make_shared<CompiledVertex>();
    made->code = recordVertexKernel(d);
    if (!made->code)
      return nullptr;
    made->entry = made->code.as<abi::VertexKernel>();
    return made;
  });
}

} // namespace monolith::codegen
