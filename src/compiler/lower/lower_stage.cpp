// SPDX-License-Identifier: MIT
// Inputs with a vertex dimension (geometry shaders, patches) and output streams.
#include "compiler/lower/lowering.h"

#include <numeric>

namespace monolith::compiler {

bool Lowering::isVertexVar(const VarDecl* var) const {
  return m_vertexVars.count(var) != 0;
}

/// Sets up a parameter of the entry function that is a stream, a patch or one value per vertex. False if it is none.
bool Lowering::vertexParameter(FunctionDecl& entry, const VarDecl* p) {
  if (p->type->isStream() || p->type->isPatch()) {
    Instance& i = instance(p);
    i.objects = {{p, 0}};
    i.live = true;
    if (p->type->isPatch())
      m_vertexVars.insert(p);
    return true;
  }
  const bool vertices = m_module.target.stage == Stage::Geometry && p->type->isArray() && (p->modifiers & kModPrimitiveMask);
  if (!vertices)
    return false;
  std::set<const VarDecl*> assigned;
  std::set<const FunctionDecl*> seen;
  bool returns = false;
  collectAssigned(entry.body, assigned, seen, returns, 0);
  m_vertexVars.insert(p);
  if (!assigned.count(p))
    return true;
  // It is written: from now on it is an ordinary variable with these values.
  Value all;
  all.type = p->type;
  readVertices(placeOfVertices(p), all.v);
  m_vertexVars.erase(p);
  declare(p);
  Expr var;
  var.kind = ExprKind::Var;
  var.var = const_cast<VarDecl*>(p);
  var.type = p->type;
  write(placeOfVar(&var), all);
  return true;
}

Place Lowering::placeOfVertices(const VarDecl* var) {
  Place p;
  p.kind = Place::Kind::Vertex;
  p.var = var;
  p.type = p.baseType = var->type;
  p.slots.resize(size_t(var->type->element->slots) * var->type->count);
  std::iota(p.slots.begin(), p.slots.end(), 0u);
  return p;
}

/// One vertex of all, chosen by a value.
Place Lowering::placeOfVertex(Place p, const Expr* e, ValueId index, uint32_t each) {
  p.slots.resize(each);
  std::iota(p.slots.begin(), p.slots.end(), 0u);
  p.dynamic = index;
  p.type = p.baseType = e->type;
  return p;
}

void Lowering::readVertices(const Place& p, std::vector<ValueId>& out) {
  const uint32_t each = p.var->type->element->slots;
  const IoElement* last = nullptr;
  for (uint32_t slot : p.slots) {
    const uint32_t vertex = slot / each, scalar = slot % each;
    const IoElement* found = nullptr;
    for (const IoElement& e : m_module.inputs)
      if (e.param == p.var && e.componentAt(scalar) < e.count)
        found = &e;
    if (!found) {
      out.push_back(m_b.undef());
      continue;
    }
    if (found != last)
      m_b.beginGroup();
    last = found;
    const uint32_t lane = found->componentAt(scalar);
    m_b.lane(lane);
    const uint32_t reg = uint32_t(found->registerType) << 16 | found->reg, component = found->firstComponent + lane;
    ValueId v = p.dynamic ? m_b.emit(Op::VertexInput, {p.dynamic}, reg, vertex, component)
                          : m_b.emit(Op::VertexInput, std::span<const ValueId>(), reg, vertex, component);
    if (found->isBool)
      v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
    out.push_back(v);
  }
}

Value Lowering::streamMethod(const Expr* e) {
  Value r;
  r.type = e->type;
  const VarDecl* var = nullptr;
  uint32_t element = 0, stream = ~0u;
  if (objectOf(e->a, var, element))
    for (uint32_t n = 0; n < m_module.geometry.streams.size(); n++)
      if (m_module.geometry.streams[n] == var)
        stream = n;
  if (stream == ~0u) {
    m_diagnostics.error(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return r;
  }
  m_streamCalls++;
  if (e->method == MethodId::RestartStrip) {
    if (var->type->object != ObjectKind::PointStream)
      m_b.emit(Op::CutStrip, std::span<const ValueId>(), stream);
    return r;
  }
  const Value v = expr(e->args[0]);
  for (const IoElement& o : m_module.outputs) {
    if (o.param != var)
      continue;
    m_b.beginGroup();
    for (uint32_t i = 0; i < o.count; i++) {
      m_b.lane(i);
      ValueId x = m_b.resolve(v.v[o.slotOf(i)]);
      if (m_module.code.insts[x].op == Op::Undef)
        x = m_b.constant(0u);
      if (o.isBool)
        x = m_b.emit(Op::And, {x, m_b.constant(1u)});
      m_b.emit(Op::Store, {x}, uint32_t(o.registerType) << 16 | o.reg, o.firstComponent + i);
    }
  }
  m_b.emit(Op::EmitVertex, std::span<const ValueId>(), stream);
  return r;
}

} // namespace monolith::compiler
