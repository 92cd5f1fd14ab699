// SPDX-License-Identifier: MIT
// Registers of the parameters of library functions. Nothing is packed: callers find each parameter by its first register.
#include "compiler/lower/module.h"

namespace monolith::compiler {

namespace {

/// One register for each row of a value, or for each column where that is how the matrix is stored.
void place(std::vector<IoElement>& list, const VarDecl* param, const Type* type, const std::string& semantic, bool output) {
  const bool columns = type->isMatrix() && type->order != Order::RowMajor;
  for (uint32_t r = 0; r < (columns ? type->cols : type->rows); r++) {
    IoElement e;
    e.semantic = semantic;
    e.index = r;
    e.param = param;
    e.reg = uint32_t(list.size());
    e.count = columns ? type->rows : type->cols;
    e.slot = columns ? r : r * type->cols;
    e.stride = columns ? type->cols : 1;
    e.base = type->base;
    e.isBool = type->base == Base::Bool;
    e.precision = precisionOf(type->base);
    e.componentType = isFloatBase(type->base) ? dxbc::ComponentType::Float : isUnsignedBase(type->base) || e.isBool ? dxbc::ComponentType::Uint : dxbc::ComponentType::Sint;
    e.registerType = output ? dxbc::RegisterType::Output : dxbc::RegisterType::Input;
    list.push_back(e);
  }
}

} // namespace

bool layoutFunction(Module& module, const FunctionDecl& function) {
  if (!function.returnType->isVoid())
    place(module.outputs, nullptr, function.returnType, function.semantic, true);
  for (const VarDecl* p : function.params) {
    if (p->modifiers & kModIn)
      place(module.inputs, p, p->type, p->semantic, false);
    if (p->modifiers & kModOut)
      place(module.outputs, p, p->type, p->semantic, true);
  }
  return true;
}

} // namespace monolith::compiler
