// SPDX-License-Identifier: MIT
// Methods of textures and buffers and the older tex* functions. Arguments of a Method node: the sampler (if any), then
// the coordinates and the rest in order; the texel offset is node.b (four offsets: args at the end).
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

namespace {

struct MethodRow {
  MethodId id;
  std::string_view name;
  std::string_view params;
  std::string_view optional;
  int model;
};
constexpr MethodRow kMethods[] = {
#define METHOD(id, name, params, optional, model) {MethodId::id, name, params, optional, model},
#include "compiler/syntax/methods.def"
#undef METHOD
};

struct TextureShape {
  uint8_t coords;   ///< with array index
  uint8_t axes;     ///< without
  uint8_t offsets;  ///< components of an offset; 0: none
  bool sampled;     ///< has Sample and friends
};
TextureShape shapeOf(ObjectKind k) {
  switch (k) {
  case ObjectKind::Texture1D:
    return {1, 1, 1, true};
  case ObjectKind::Texture1DArray:
    return {2, 1, 1, true};
  case ObjectKind::Texture2D:
    return {2, 2, 2, true};
  case ObjectKind::Texture2DArray:
    return {3, 2, 2, true};
  case ObjectKind::Texture3D:
    return {3, 3, 3, true};
  case ObjectKind::TextureCube:
    return {3, 3, 0, true};
  case ObjectKind::TextureCubeArray:
    return {4, 3, 0, true};
  case ObjectKind::Texture2DMS:
    return {2, 2, 2, false};
  case ObjectKind::Texture2DMSArray:
    return {3, 2, 2, false};
  default:
    return {1, 1, 0, false};
  }
}

/// Outputs of GetDimensions: sizes, array elements, then levels or samples.
struct DimensionRow {
  ObjectKind kind;
  uint8_t sizes; ///< width, height, depth, elements
  bool levels;   ///< the long form has a mip argument and a level count
  bool samples;
};
constexpr DimensionRow kDimensions[] = {
    {ObjectKind::Buffer, 1, false, false},          {ObjectKind::Texture1D, 1, true, false},        {ObjectKind::Texture1DArray, 2, true, false},   {ObjectKind::Texture2D, 2, true, false},
    {ObjectKind::Texture2DArray, 3, true, false},   {ObjectKind::Texture2DMS, 2, false, true},      {ObjectKind::Texture2DMSArray, 3, false, true}, {ObjectKind::Texture3D, 3, true, false},
    {ObjectKind::TextureCube, 2, true, false},      {ObjectKind::TextureCubeArray, 3, true, false},
};

} // namespace

Expr* Parser::methodCall(Expr* base, const Token& name) {
  std::vector<Expr*> args = arguments();
  const Location at = span(base->loc, peek().loc);
  expect(")");
  if (failed() || base->type->isError())
    return errorExpr(at);
  for (Expr* a : args)
    if (a->type->isError())
      return errorExpr(at);
  const std::string quoted = "'" + std::string(name.text) + "'";
  if (!base->type->isTexture() || base->type->object == ObjectKind::Texture || !base->type->element) {
    m_diagnostics.error(name.loc, 3018, "invalid subscript " + quoted);
    return errorExpr(at);
  }
  const ObjectKind kind = base->type->object;
  const TextureShape shape = shapeOf(kind);
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Method;
  e->a = base;
  e->loc = at;
  e->type = base->type->element;
  const Base elementBase = base->type->element->base;
  auto mismatch = [&] {
    m_diagnostics.error(at, 3013, quoted + ": no matching " + std::to_string(args.size()) + " parameter intrinsic method");
    m_diagnostics.note(at, 3013, "Possible intrinsic methods are:");
    m_diagnostics.note(at, 3013, "    " + typeName(base->type) + "." + std::string(name.text) + "(...)");
    return errorExpr(at);
  };
  auto intVector = [&](uint32_t n) { return n == 1 ? m_types.scalar(Base::Int) : m_types.vector(Base::Int, n); };
  auto floatVector = [&](uint32_t n) { return n == 1 ? m_types.scalar(Base::Float) : m_types.vector(Base::Float, n); };
  auto take = [&](Expr* a, const Type* to) {
    if (!implicitConversion(a->type, to).possible)
      return false;
    e->args.push_back(convert(a, to, quoted + ": "));
    return true;
  };

  if (name.text == "Load") {
    e->method = MethodId::Load;
    const bool ms = kind == ObjectKind::Texture2DMS || kind == ObjectKind::Texture2DMSArray;
    if (kind == ObjectKind::TextureCube || kind == ObjectKind::TextureCubeArray)
      return mismatch();
    uint32_t n = shape.coords + (ms || kind == ObjectKind::Buffer ? 0u : 1u);
    size_t most = kind == ObjectKind::Buffer ? 1u : ms ? 3u : 2u;
    if (args.empty() || args.size() > most || !take(args[0], intVector(n)))
      return mismatch();
    size_t k = 1;
    if (ms) {
      if (args.size() < 2) // fxc lets the sample index out only when the count says so
        return mismatch();
      if (!take(args[1], m_types.scalar(Base::Int)))
        return mismatch();
      k = 2;
    }
    if (k < args.size()) {
      if (!implicitConversion(args[k]->type, intVector(shape.offsets)).possible)
        return mismatch();
      e->b = convert(args[k], intVector(shape.offsets), quoted + ": ");
    }
    return e;
  }
  if (name.text == "GetDimensions") {
    e->method = MethodId::GetDimensions;
    e->type = m_types.voidType();
    const DimensionRow* row = nullptr;
    for (const DimensionRow& r : kDimensions)
      if (r.kind == kind)
        row = &r;
    if (!row)
      return mismatch();
    bool longForm = row->levels && args.size() == size_t(row->sizes) + 2;
    if (!longForm && args.size() != size_t(row->sizes) + (row->samples ? 1u : 0u))
      return mismatch();
    for (size_t i = 0; i < args.size(); i++) {
      if (longForm && i == 0) {
        e->c = convert(args[0], m_types.scalar(Base::Uint), quoted + ": ");
        continue;
      }
      if (!args[i]->lvalue || !args[i]->type->isNumeric() || args[i]->type->components() != 1)
        return mismatch();
      if (!checkLvalue(args[i], args[i]->loc))
        return errorExpr(at);
      e->args.push_back(args[i]);
    }
    e->prefix = longForm;
    return e;
  }
  if (name.text == "GetSamplePosition" && !shape.sampled && kind != ObjectKind::Buffer) {
    if (m_options.model < 41 || args.size() != 1)
      return mismatch();
    e->method = MethodId::GetSamplePosition;
    e->type = m_types.vector(Base::Float, 2);
    return take(args[0], m_types.scalar(Base::Int)) ? e : mismatch();
  }
  bool known = false;
  if (shape.sampled)
    for (const MethodRow& r : kMethods) {
      if (r.name != name.text || r.model > m_options.model)
        continue;
      known = true;
      std::string params(r.params);
      size_t given = args.size();
      if (params.find('O') != std::string::npos) {
        if (given != 6)
          continue;
        params.pop_back();
      } else if (given < params.size() || given > params.size() + r.optional.size() + (m_options.model >= 50 ? 2u : 0u)) {
        continue;
      }
      e->args.clear();
      e->b = nullptr;
      bool ok = true;
      for (size_t i = 0; i < params.size() && ok; i++) {
        switch (params[i]) {
        case 's':
        case 'q':
          ok = args[i]->type->isSampler() && (params[i] == 's' || args[i]->type->object == ObjectKind::ComparisonSampler);
          e->args.push_back(args[i]);
          break;
        case 'c':
          ok = take(args[i], floatVector(shape.coords));
          break;
        case 'C':
        case 'g':
          ok = take(args[i], floatVector(shape.axes));
          break;
        default:
          ok = take(args[i], m_types.scalar(Base::Float));
          break;
        }
      }
      if (ok && params.size() < r.params.size()) { // four offsets
        for (size_t i = 2; i < 6 && ok; i++)
          ok = take(args[i], intVector(2));
      } else if (ok && given > params.size()) {
        if (!shape.offsets || !implicitConversion(args[params.size()]->type, intVector(shape.offsets)).possible)
          ok = false;
        else
          e->b = convert(args[params.size()], intVector(shape.offsets), quoted + ": ");
      }
      if (!ok)
        continue;
      e->method = r.id;
      if (r.id >= MethodId::Gather && r.id <= MethodId::GatherCmpAlpha)
        e->type = m_types.vector(elementBase, 4);
      else if (r.id == MethodId::SampleCmp || r.id == MethodId::SampleCmpLevelZero || r.id >= MethodId::CalculateLevelOfDetail)
        e->type = m_types.scalar(Base::Float);
      return e;
    }
  if (known)
    return mismatch();
  m_diagnostics.error(name.loc, 3018, "invalid subscript " + quoted);
  return errorExpr(at);
}

Expr* Parser::oldSampleCall(const Token& name, std::vector<Expr*> args, const Location& at) {
  std::string_view rest = name.text.substr(3);
  struct Dim {
    std::string_view word;
    uint8_t dim;
    uint8_t coords;
  };
  static constexpr Dim dims[] = {{"1D", 1, 1}, {"2D", 2, 2}, {"3D", 3, 3}, {"CUBE", 4, 3}};
  for (const Dim& d : dims) {
    if (rest.substr(0, d.word.size()) != d.word)
      continue;
    std::string_view kind = rest.substr(d.word.size());
    const Type* coord = d.coords == 1 ? m_types.scalar(Base::Float) : m_types.vector(Base::Float, d.coords);
    const Type* four = m_types.vector(Base::Float, 4);
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Method;
    e->loc = at;
    e->type = four;
    e->field = d.dim;
    size_t count = 2;
    if (kind.empty() && args.size() == 4)
      kind = "grad";
    if (kind.empty()) {
      e->method = MethodId::OldSample;
    } else if (kind == "bias" || kind == "lod" || kind == "proj") {
      e->method = kind == "bias" ? MethodId::OldSampleBias : kind == "lod" ? MethodId::OldSampleLod : MethodId::OldSampleProj;
      coord = four;
    } else if (kind == "grad") {
      e->method = MethodId::OldSampleGrad;
      count = 4;
    } else {
      break;
    }
    if (args.size() != count || !args[0]->type->isSampler() || args[0]->kind == ExprKind::Method) {
      m_diagnostics.error(at, 3013, "'" + std::string(name.text) + "': no matching " + std::to_string(args.size()) + " parameter intrinsic function");
      return errorExpr(at);
    }
    e->a = args[0];
    for (size_t i = 1; i < args.size(); i++)
      e->args.push_back(convert(args[i], coord, "'" + std::string(name.text) + "': "));
    return e;
  }
  m_diagnostics.error(name.loc, 3004, "undeclared identifier '" + std::string(name.text) + "'");
  return errorExpr(at);
}

} // namespace monolith::compiler
