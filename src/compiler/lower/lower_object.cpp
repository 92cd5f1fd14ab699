// SPDX-License-Identifier: MIT
// Textures, samplers and buffers as values: nothing is computed for them; each variable, parameter or member that holds
// one is bound to the global object it stands for, while the program is lowered.
#include "compiler/lower/lowering.h"
#include "compiler/types/convert.h"

#include <algorithm>

namespace monolith::compiler {

bool Lowering::objectsOf(const Expr* e, std::vector<ObjectRef>& out) {
  const uint32_t count = objectCount(e->type);
  switch (e->kind) {
  case ExprKind::Var: {
    const Instance& i = instance(e->var);
    if (!i.objects.empty()) {
      out.insert(out.end(), i.objects.begin(), i.objects.end());
      return true;
    }
    for (const auto& [var, element] : e->var->objects)
      out.push_back({var, element});
    if (!e->var->objects.empty())
      return true;
    if (!e->var->global || !e->var->type->hasObjects || (e->var->modifiers & kModStatic) || count > 4096)
      return false;
    for (uint32_t k = 0; k < count; k++)
      out.push_back({e->var, k});
    return true;
  }
  case ExprKind::Member:
  case ExprKind::Index: {
    std::vector<ObjectRef> all;
    uint32_t first = 0;
    if (!objectsOf(e->a, all) || !objectOffset(e, first))
      return false;
    for (uint32_t k = 0; k < count; k++)
      out.push_back(first + k < all.size() ? all[first + k] : ObjectRef{all.empty() ? nullptr : all[0].var, first + k});
    return true;
  }
  case ExprKind::InitList:
  case ExprKind::Construct:
    for (const Expr* a : e->args)
      if (a->type->hasObjects && !objectsOf(a, out))
        return false;
    return true;
  case ExprKind::Cast:
    return objectsOf(e->a, out);
  case ExprKind::Assign:
  case ExprKind::Comma:
    return objectsOf(e->b, out);
  case ExprKind::Conditional: {
    ValueId k = m_b.resolve(scalar(e->a));
    if (!m_module.code.isConst(k))
      return false;
    return objectsOf(m_module.code.bits(k) ? e->b : e->c, out);
  }
  case ExprKind::Call: {
    auto it = m_callObjects.find(e);
    if (it == m_callObjects.end())
      return false;
    out.insert(out.end(), it->second.begin(), it->second.end());
    return true;
  }
  default:
    return false;
  }
}

/// Where the objects of a member or an element begin among those of the whole.
bool Lowering::objectOffset(const Expr* e, uint32_t& first) {
  first = 0;
  if (e->kind == ExprKind::Member) {
    if (!e->a->type->isStruct())
      return false;
    for (uint32_t i = 0; i < e->field; i++)
      first += objectCount(e->a->type->structure->fields[i].type);
    return true;
  }
  ValueId index = m_b.resolve(scalar(e->b));
  if (!m_module.code.isConst(index)) {
    if (m_quiet)
      m_abandon = true;
    if (m_quiet || forceUnroll(e->loc, "sampler array index must be a literal expression"))
      return false;
    m_diagnostics.error(e->loc, 3512, "sampler array index must be a literal expression");
    return true;
  }
  first = m_module.code.bits(index) * objectCount(e->type);
  return true;
}

/// Why an expression stands for no object that is known.
void Lowering::objectError(const Expr* e, bool sampler) {
  if (m_quiet || m_restart || m_diagnostics.hasErrors())
    return;
  const Expr* root = e;
  while (root->a && (root->kind == ExprKind::Member || root->kind == ExprKind::Index))
    root = root->a;
  if (root->kind == ExprKind::Var && instance(root->var).objects.empty())
    m_diagnostics.error(e->loc, 3690, "resource being indexed is uninitialized");
  else if (sampler)
    m_diagnostics.error(e->loc, 3538, "sampler parameter must come from a literal expression");
  else
    m_diagnostics.error(e->loc, 3669, "resources being indexed cannot come from conditional expressions, they must come from literal expressions");
}

bool Lowering::objectOf(const Expr* e, const VarDecl*& var, uint32_t& element) {
  std::vector<ObjectRef> refs;
  if (!objectsOf(e, refs) || refs.empty() || !refs[0].var)
    return false;
  var = refs[0].var;
  element = refs[0].element;
  return true;
}

void Lowering::bindObjects(const VarDecl* var, std::vector<ObjectRef> refs) {
  instance(var).objects = std::move(refs);
  if (var->type->slots == 0)
    instance(var).live = true;
}

void Lowering::bindArgument(const VarDecl* param, const Expr* arg) {
  std::vector<ObjectRef> refs;
  if (!objectsOf(arg, refs)) {
    if (!m_quiet)
      m_diagnostics.error(arg->loc, 3000, "object parameters must be bound to global objects");
    return;
  }
  bindObjects(param, std::move(refs));
}

/// What variables held at `mark`, and what they hold now instead.
std::map<const VarDecl*, std::vector<Lowering::ObjectRef>> Lowering::takeBackObjects(size_t mark) {
  std::map<const VarDecl*, std::vector<ObjectRef>> now;
  while (m_objectLog.size() > mark) {
    auto& [var, before] = m_objectLog.back();
    std::vector<ObjectRef>& held = instance(var).objects;
    now.try_emplace(var, held);
    held = std::move(before);
    m_objectLog.pop_back();
  }
  return now;
}

/// Behind a branch: where its sides disagree about an object, nobody knows it any more.
void Lowering::meetObjects(std::map<const VarDecl*, std::vector<ObjectRef>> a, std::map<const VarDecl*, std::vector<ObjectRef>> b) {
  for (auto* side : {&a, &b})
    for (auto& [var, unused] : *side) {
      std::vector<ObjectRef>& held = instance(var).objects;
      const std::vector<ObjectRef> x = a.count(var) ? a[var] : held, y = b.count(var) ? b[var] : held;
      std::vector<ObjectRef> met = x.size() >= y.size() ? x : y;
      for (size_t k = 0; k < met.size(); k++) {
        const bool same = k < x.size() && k < y.size() && x[k].var == y[k].var && x[k].element == y[k].element;
        // Not set on one side: what the other side says holds, as for numbers.
        if (!same && k < x.size() && k < y.size() && x[k].var && y[k].var)
          met[k] = ObjectRef{nullptr, ~0u};
      }
      if (met.size() != held.size() || !std::equal(met.begin(), met.end(), held.begin(), [](const ObjectRef& p, const ObjectRef& q) { return p.var == q.var && p.element == q.element; }))
        m_objectLog.emplace_back(var, held);
      held = std::move(met);
    }
}

/// a = b for the objects in them; the numeric members are written elsewhere.
void Lowering::assignObjects(const Expr* to, const std::vector<ObjectRef>& refs) {
  uint32_t first = 0;
  const Expr* root = to;
  for (; root->kind == ExprKind::Member || root->kind == ExprKind::Index; root = root->a) {
    uint32_t at = 0;
    if (!objectOffset(root, at))
      return;
    first += at;
  }
  if (root->kind != ExprKind::Var)
    return;
  const uint32_t total = objectCount(root->var->type);
  std::vector<ObjectRef>& all = instance(root->var).objects;
  if (total > 4096)
    return;
  m_objectLog.emplace_back(root->var, all);
  all.resize(total);
  for (size_t k = 0; k < refs.size() && first + k < total; k++)
    all[first + k] = refs[k];
  if (root->var->type->slots == 0)
    instance(root->var).live = true;
}

} // namespace monolith::compiler
