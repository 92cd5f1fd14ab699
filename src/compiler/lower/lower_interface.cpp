// SPDX-License-Identifier: MIT
// Variables of interface types: each is bound to an object that is known when the call is lowered.
#include "compiler/lower/lowering.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

bool Lowering::bindingOf(const Expr* e, InterfaceBinding& out) {
  while (e->kind == ExprKind::Cast && e->implicit && e->type->isInterface())
    e = e->a;
  if (e->kind == ExprKind::Comma)
    return bindingOf(e->b, out);
  if (!e->type->isInterface()) {
    out.type = e->type;
    out.place = place(e);
    return true;
  }
  if (e->kind != ExprKind::Var)
    return false;
  auto it = m_interfaces.find(e->var);
  if (it == m_interfaces.end())
    return false;
  out = it->second;
  return true;
}

/// Makes an interface variable stand for an object.
void Lowering::bindInterface(const VarDecl* var, const Expr* value, const Location& at) {
  InterfaceBinding b;
  if (!bindingOf(value, b)) {
    m_diagnostics.error(at, 3544, "abstract interface references must resolve to specific instances");
    return;
  }
  b.block = m_b.block();
  auto it = m_interfaces.find(var);
  if (it != m_interfaces.end() && it->second.block != b.block && it->second.type != b.type) {
    m_diagnostics.error(at, 3572, "interface references must resolve to non-varying objects");
    return;
  }
  m_interfaces[var] = b;
}

/// The method that a call through an interface reaches; null after an error. The object becomes `self`.
FunctionDecl* Lowering::resolveMethod(const Expr* call, Place& self) {
  const FunctionDecl* wanted = call->function;
  InterfaceBinding b;
  if (!bindingOf(call->args[0], b)) {
    m_diagnostics.error(call->loc, 3544, "abstract interfaces not supported on " + m_module.target.name + ", interface references must resolve to specific instances");
    return nullptr;
  }
  for (const Type* t = b.type; t; t = t->structure->base)
    for (FunctionDecl* f : t->structure->methods) {
      if (f->name != wanted->name || f->params.size() != wanted->params.size() || !f->self)
        continue;
      bool same = true;
      for (size_t k = 1; k < f->params.size(); k++)
        same = same && sameType(f->params[k]->type, wanted->params[k]->type);
      if (!same)
        continue;
      self = b.place;
      if (t != b.type) { // a method of the base works on the base's part
        std::vector<uint32_t> scalars(t->slots);
        for (uint32_t i = 0; i < t->slots; i++)
          scalars[i] = i;
        if (self.steps.empty() && (self.kind == Place::Kind::Uniform || self.kind == Place::Kind::Memory))
          self.type = self.baseType = t;
        else
          self = narrow(std::move(self), t, scalars);
      }
      return f;
    }
  m_diagnostics.error(call->loc, 3545, "no classes implement the method '" + wanted->name + "'");
  return nullptr;
}

} // namespace monolith::compiler
