// SPDX-License-Identifier: MIT
// Limits of group shared memory and structured buffers.
#include "compiler/lower/module.h"

namespace monolith::compiler {

namespace {

/// Shader model 4: one array of as many elements as the group has threads, written at the thread's own index.
void checkSmallTarget(const Module& module, const ResourceUse& shared, Diagnostics& diagnostics) {
  const VarDecl* v = shared.var;
  const uint32_t threads = module.threads[0] * module.threads[1] * module.threads[2];
  if (!v->type->isArray()) {
    diagnostics.error(v->loc, 4591, "group shared data for " + module.target.name + " must be an array of elements");
    return;
  }
  if (v->type->count != threads)
    diagnostics.error(v->loc, 4588, "group shared data for " + module.target.name + " must have a count of elements equal to the number of threads in the thread group");
}

} // namespace

bool checkGroupMemory(const Module& module, Diagnostics& diagnostics) {
  const size_t before = diagnostics.errorCount();
  const bool small = module.target.model < 50;
  uint64_t bytes = 0, limit = small ? 16384 : 32768;
  uint32_t count = 0;
  for (const ResourceUse& r : module.resources) {
    if (!r.shared) {
      const Type* t = r.var ? r.var->type : nullptr;
      while (t && t->isArray())
        t = t->element;
      if (!r.sampler && t && t->isObject() && t->object >= ObjectKind::StructuredBuffer && t->object <= ObjectKind::ConsumeStructuredBuffer && structuredSize(t->element) > 2048)
        diagnostics.error(r.var->loc, 4599, "structured buffer elements cannot be larger than 2048 bytes in " + module.target.name);
      continue;
    }
    count++;
    bytes += structuredSize(r.var->type);
    if (bytes > limit) {
      diagnostics.error(r.var->loc, 4586, "total amount of group shared memory (" + std::to_string(bytes) + " bytes) exceeds the " + module.target.name + " limit of " + std::to_string(limit) + " bytes");
      break;
    }
    if (small && count > 1) {
      diagnostics.error(r.var->loc, 4587, module.target.name + " shaders can only have a single group shared data item");
      break;
    }
    if (small)
      checkSmallTarget(module, r, diagnostics);
  }
  return diagnostics.errorCount() == before;
}

} // namespace monolith::compiler
