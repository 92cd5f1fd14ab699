// SPDX-License-Identifier: MIT
#include "compiler/library/graph_entry.h"

#include "compiler/emit/container.h"
#include "compiler/types/intrinsics.h"
#include "dxbc/signature.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

constexpr size_t kMaxPlanes = 8;

/// Nodes of the tree. None has a place in a source, so that messages about them name no file.
class Tree {
public:
  explicit Tree(Program& program) : m_program(program) {}

  VarDecl* variable(std::string_view name, const Type* type) {
    VarDecl* v = m_program.arena.var();
    v->name = name;
    v->type = type;
    return v;
  }
  Expr* use(VarDecl* v) {
    Expr* e = make(ExprKind::Var, v->type);
    e->var = v;
    e->lvalue = true;
    return e;
  }
  Expr* swizzle(Expr* base, std::string_view components) {
    if (components.empty())
      return base;
    Expr* e = make(ExprKind::Swizzle, components.size() == 1 ? m_program.types.scalar(base->type->base) : m_program.types.vector(base->type->base, uint32_t(components.size())));
    e->a = base;
    e->lvalue = base->lvalue;
    e->swizzleCount = uint8_t(components.size());
    for (size_t i = 0; i < components.size(); i++) {
      const size_t k = std::string_view("xyzwrgba").find(components[i]);
      e->swizzle[i] = uint8_t(k & 3);
    }
    return e;
  }
  Expr* cast(Expr* e, const Type* to) {
    if (e->type == to)
      return e;
    Expr* c = make(ExprKind::Cast, to);
    c->a = e;
    c->implicit = true;
    return c;
  }
  Stmt* assign(Expr* to, Expr* value) {
    Expr* e = make(ExprKind::Assign, to->type);
    e->a = to;
    e->b = cast(value, to->type);
    return statement(e);
  }
  Stmt* declare(VarDecl* v) {
    Stmt* s = m_program.arena.stmt();
    s->kind = StmtKind::Decl;
    s->vars = {v};
    return s;
  }
  Stmt* statement(Expr* e) {
    Stmt* s = m_program.arena.stmt();
    s->kind = StmtKind::Expr;
    s->expr = e;
    return s;
  }
  Expr* make(ExprKind kind, const Type* type) {
    Expr* e = m_program.arena.expr();
    e->kind = kind;
    e->type = type;
    return e;
  }
  FunctionDecl* function(std::string name) {
    FunctionDecl* f = m_program.arena.function();
    f->name = std::move(name);
    f->returnType = m_program.types.voidType();
    f->body = m_program.arena.stmt();
    f->body->kind = StmtKind::Block;
    return f;
  }

private:
  Program& m_program;
};

uint32_t interpolationModifiers(uint32_t mode) {
  static constexpr uint32_t kModes[] = {0, kModNoInterpolation, kModLinear, kModCentroid, kModNoPerspective, kModNoPerspective | kModCentroid, kModSample, kModNoPerspective | kModSample};
  return mode < std::size(kModes) ? kModes[mode] : 0;
}

bool isPosition(const VarDecl* p) {
  return (p->modifiers & kModOut) && (dxbc::semanticEquals(p->semantic, "SV_Position") || dxbc::semanticEquals(p->semantic, "SV_Position0"));
}

} // namespace

const Type* typeOf(TypeTable& types, const dxbc::LibraryParameter& p) {
  if (valueType(p).empty())
    return p.type ? types.error() : types.voidType();
  for (const Base b : {Base::Bool, Base::Int, Base::Uint, Base::Float, Base::Min10Float, Base::Min16Float, Base::Min12Int, Base::Min16Int, Base::Min16Uint}) {
    if (variableType(b) != p.type)
      continue;
    if (p.typeClass >= 2)
      return types.matrix(b, p.rows, p.columns, p.typeClass == 2 ? Order::RowMajor : Order::ColumnMajor);
    return p.typeClass ? types.vector(b, p.columns) : types.scalar(b);
  }
  return types.error();
}

FunctionDecl* graphEntry(Program& program, const Graph& graph, const std::vector<FunctionDecl*>& functions) {
  Tree tree(program);
  FunctionDecl* entry = tree.function("main");
  std::vector<Stmt*>& body = entry->body->body;
  std::vector<std::vector<VarDecl*>> values(graph.nodes().size());
  for (const uint32_t n : graph.order()) {
    const GraphNode& node = graph.nodes()[n];
    FunctionDecl* callee = functions[n];
    const bool call = node.kind == GraphNode::Kind::Call;
    for (uint32_t p = 0; p < node.parameters.size(); p++) {
      const dxbc::LibraryParameter& d = node.parameters[p];
      VarDecl* v = tree.variable(d.name, !call ? typeOf(program.types, d) : p ? callee->params[p - 1]->type : callee->returnType);
      values[n].push_back(v);
      if (call) {
        if (!v->type->isVoid())
          body.push_back(tree.declare(v));
        continue;
      }
      v->parameter = true;
      v->semantic = d.semantic;
      v->modifiers = (node.kind == GraphNode::Kind::Input ? kModIn : kModOut) | interpolationModifiers(d.interpolation);
      entry->params.push_back(v);
    }
    for (const GraphEdge& e : graph.edges())
      if (e.to == n)
        body.push_back(tree.assign(tree.swizzle(tree.use(values[n][e.toParameter]), e.toSwizzle), tree.swizzle(tree.use(values[e.from][e.fromParameter]), e.fromSwizzle)));
    if (!call)
      continue;
    Expr* e = tree.make(ExprKind::Call, callee->returnType);
    e->function = callee;
    for (uint32_t p = 1; p < values[n].size(); p++)
      e->args.push_back(tree.use(values[n][p]));
    body.push_back(callee->returnType->isVoid() ? tree.statement(e) : tree.assign(tree.use(values[n][0]), e));
  }
  program.functions.push_back(entry);
  return entry;
}

std::string addClipPlanes(Program& program, FunctionDecl& entry, const std::vector<ClipPlane>& planes) {
  if (planes.size() > kMaxPlanes)
    return "there are more than 8 clip planes";
  const auto position = std::find_if(entry.params.begin(), entry.params.end(), isPosition);
  if (position == entry.params.end() || (*position)->type != program.types.vector(Base::Float, 4))
    return "clip planes need an output SV_Position of type float4";
  Tree tree(program);
  VarDecl* const at = *position;
  for (size_t first = 0; first < planes.size(); first += 4) {
    const uint32_t count = uint32_t(std::min<size_t>(4, planes.size() - first));
    VarDecl* distances = tree.variable("clip", count == 1 ? program.types.scalar(Base::Float) : program.types.vector(Base::Float, count));
    distances->parameter = true;
    distances->modifiers = kModOut;
    distances->semantic = first ? "SV_ClipDistance1" : "SV_ClipDistance0";
    entry.params.push_back(distances);
    for (uint32_t k = 0; k < count; k++) {
      const ClipPlane& plane = planes[first + k];
      auto buffer = std::find_if(program.buffers.begin(), program.buffers.end(), [&](const ConstantBuffer* b) { return b->binding.explicitIndex && b->binding.index == plane.slot; });
      if (buffer == program.buffers.end()) {
        ConstantBuffer* made = program.arena.buffer();
        made->name = "$ClipPlanes" + std::to_string(plane.slot);
        made->binding = {'b', plane.slot, 0, true};
        buffer = program.buffers.insert(program.buffers.end(), made);
      }
      VarDecl* v = tree.variable("$clipPlane", program.types.vector(Base::Float, 4));
      v->global = v->uniform = v->hasPackOffset = true;
      v->packOffset = plane.entry * 4;
      v->buffer = *buffer;
      (*buffer)->vars.push_back(v);
      (*buffer)->overlapping = true;
      Expr* dot = tree.make(ExprKind::IntrinsicCall, program.types.scalar(Base::Float));
      dot->intrinsic = findIntrinsic("dot");
      dot->args = {tree.use(at), tree.use(v)};
      entry.body->body.push_back(tree.assign(tree.swizzle(tree.use(distances), std::string_view("xyzw").substr(k, 1)), dot));
    }
  }
  program.clipPlanes = true;
  return {};
}

} // namespace monolith::compiler
