// SPDX-License-Identifier: MIT
// Methods of objects. Arguments of a Method node: the sampler (if any), then the coordinates and the rest in order; the
// texel offset is node.b (four offsets: args at the end), the clamp node.clamp, the status or the old value node.out.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

namespace {

struct MethodRow {
  MethodId id;
  std::string_view name;
  std::string_view objects;
  char result;
  std::string_view params;
  std::string_view optional;
  int model;
};
constexpr MethodRow kMethods[] = {
#define METHOD(id, name, objects, result, params, optional, model) {MethodId::id, name, objects, result, params, optional, model},
#include "compiler/syntax/methods.def"
#undef METHOD
};

/// Coordinates and kinds of an object; sizes are the outputs of GetDimensions before levels or samples.
struct ObjectRow {
  ObjectKind kind;
  std::string_view letters; ///< as in methods.def
  uint8_t coords;           ///< with array index
  uint8_t axes;             ///< without
  uint8_t offsets;          ///< components of an offset; 0: none
  uint8_t sizes;            ///< of GetDimensions; 0: none
  char extra;               ///< l: a long form with mip level and level count, s: samples, t: stride, 0: nothing
};
constexpr ObjectRow kObjects[] = {
    {ObjectKind::Buffer, "B", 1, 1, 0, 1, 0},
    {ObjectKind::Texture1D, "SCL", 1, 1, 1, 1, 'l'},
    {ObjectKind::Texture1DArray, "SCL", 2, 1, 1, 2, 'l'},
    {ObjectKind::Texture2D, "SCGL", 2, 2, 2, 2, 'l'},
    {ObjectKind::Texture2DArray, "SCGL", 3, 2, 2, 3, 'l'},
    {ObjectKind::Texture3D, "SL", 3, 3, 3, 3, 'l'},
    {ObjectKind::TextureCube, "SCG", 3, 3, 0, 2, 'l'},
    {ObjectKind::TextureCubeArray, "SCG", 4, 3, 0, 3, 'l'},
    {ObjectKind::Texture2DMS, "M", 2, 2, 2, 2, 's'},
    {ObjectKind::Texture2DMSArray, "M", 3, 2, 2, 3, 's'},
    {ObjectKind::RwBuffer, "W", 1, 1, 0, 1, 0},
    {ObjectKind::RwTexture1D, "W", 1, 1, 0, 1, 0},
    {ObjectKind::RwTexture1DArray, "W", 2, 1, 0, 2, 0},
    {ObjectKind::RwTexture2D, "W", 2, 2, 0, 2, 0},
    {ObjectKind::RwTexture2DArray, "W", 3, 2, 0, 3, 0},
    {ObjectKind::RwTexture3D, "W", 3, 3, 0, 3, 0},
    {ObjectKind::StructuredBuffer, "R", 1, 1, 0, 1, 't'},
    {ObjectKind::RwStructuredBuffer, "X", 1, 1, 0, 1, 't'},
    {ObjectKind::AppendStructuredBuffer, "A", 1, 1, 0, 1, 't'},
    {ObjectKind::ConsumeStructuredBuffer, "K", 1, 1, 0, 1, 't'},
    {ObjectKind::ByteAddressBuffer, "Y", 1, 1, 0, 1, 0},
    {ObjectKind::RwByteAddressBuffer, "Z", 1, 1, 0, 1, 0},
};

const ObjectRow* objectRow(const Type* t) {
  if (t->isObject())
    for (const ObjectRow& r : kObjects)
      if (r.kind == t->object)
        return &r;
  return nullptr;
}

bool isScalarLvalue(const Expr* e) {
  return e->lvalue && e->type->isNumeric() && e->type->components() == 1;
}

} // namespace

uint32_t indexDimensions(const Type* object) {
  const ObjectRow* r = objectRow(object);
  const bool indexable = r && r->letters.find_first_of("LMBWRX") != std::string_view::npos;
  return indexable ? r->coords : 0;
}

/// Fits arguments to one row of the table; false if they do not.
class MethodArguments {
public:
  MethodArguments(Parser& parser, Expr* node, const ObjectRow& object, const std::vector<Expr*>& args, int model, std::string what)
      : m_parser(parser), m_node(node), m_object(object), m_args(args), m_model(model), m_what(std::move(what)) {}

  bool fit(const MethodRow& row) {
    m_node->args.clear();
    m_node->b = m_node->clamp = m_node->out = nullptr;
    m_next = 0;
    for (size_t i = 0; i < row.params.size(); i++) {
      const bool sized = row.params[i] == 'n';
      if (!one(row.params[i], sized ? uint32_t(row.params[i + 1] - '0') : 0u))
        return false;
      i += sized;
    }
    for (char letter : row.optional) {
      if (m_next == m_args.size())
        break;
      if (letter == 'o' && !m_object.offsets)
        continue;
      if ((letter == 'k' || letter == 'S') && m_model < 50)
        return false;
      if (!one(letter, 0))
        return false;
    }
    return m_next == m_args.size();
  }

private:
  const Type* vector(Base b, uint32_t n) { return n == 1 ? m_parser.m_types.scalar(b) : m_parser.m_types.vector(b, n); }
  Expr* converted(const Type* to) {
    Expr* a = m_args[m_next];
    if (!implicitConversion(a->type, to).possible)
      return nullptr;
    m_next++;
    return m_parser.convert(a, to, m_what);
  }
  bool take(const Type* to) {
    Expr* e = converted(to);
    if (e)
      m_node->args.push_back(e);
    return e != nullptr;
  }
  bool one(char letter, uint32_t size) {
    if (m_next >= m_args.size())
      return false;
    Expr* a = m_args[m_next];
    switch (letter) {
    case 's':
    case 'q':
      if (!a->type->isSampler() || (letter == 'q') != (a->type->object == ObjectKind::ComparisonSampler))
        return false;
      m_next++;
      m_node->args.push_back(a);
      return true;
    case 'c':
      return take(vector(Base::Float, m_object.coords));
    case 'C':
    case 'g':
      return take(vector(Base::Float, m_object.axes));
    case 'l':
      return take(vector(Base::Int, m_object.coords + 1u));
    case 'm':
      return take(vector(Base::Int, m_object.coords));
    case 'i':
      return take(vector(Base::Int, 1));
    case 'u':
      return take(vector(Base::Uint, 1));
    case 'n':
      return take(vector(Base::Uint, size));
    case 'w':
      return take(vector(a->type->isNumeric() && (isUnsignedBase(a->type->base) || a->type->base == Base::Bool) ? Base::Uint : Base::Int, 1));
    case 'E':
      return take(m_node->a->type->element);
    case 'O':
      for (int k = 0; k < 4; k++)
        if (m_next >= m_args.size() || !take(vector(Base::Int, m_object.offsets)))
          return false;
      return m_object.offsets != 0;
    case 'o':
      return (m_node->b = converted(vector(Base::Int, m_object.offsets))) != nullptr;
    case 'k':
      return (m_node->clamp = converted(vector(Base::Float, 1))) != nullptr;
    case 'S':
    case 'r':
      if (!isScalarLvalue(a))
        return false;
      m_next++;
      m_node->out = a;
      return true;
    default:
      return take(vector(Base::Float, 1));
    }
  }

  Parser& m_parser;
  Expr* m_node;
  const ObjectRow& m_object;
  const std::vector<Expr*>& m_args;
  int m_model;
  std::string m_what;
  size_t m_next = 0;
};

const Type* Parser::methodResult(char letter, const Type* object) {
  switch (letter) {
  case 'e':
    return object->element;
  case '4':
    return m_types.vector(object->element->base, 4);
  case 'f':
    return m_types.scalar(Base::Float);
  case 'p':
    return m_types.vector(Base::Float, 2);
  case 'u':
    return m_types.scalar(Base::Uint);
  case '2':
    return m_types.vector(Base::Uint, 2);
  case '3':
    return m_types.vector(Base::Uint, 3);
  case 'x':
    return m_types.vector(Base::Uint, 4);
  default:
    return m_types.voidType();
  }
}

/// "name(...)" did not fit: what would have.
Expr* Parser::methodMismatch(const Expr* base, const Token& name, size_t count, const Location& at) {
  const std::string quoted = "'" + std::string(name.text) + "'";
  m_diagnostics.error(at, 3013, quoted + ": no matching " + std::to_string(count) + " parameter intrinsic method");
  m_diagnostics.note(at, 3013, "Possible intrinsic methods are:");
  m_diagnostics.note(at, 3013, "    " + typeName(base->type) + "." + std::string(name.text) + "(...)");
  return errorExpr(at);
}

Expr* Parser::dimensionsCall(Expr* e, const Token& name, const std::vector<Expr*>& args) {
  const ObjectRow& row = *objectRow(e->a->type);
  const std::string quoted = "'" + std::string(name.text) + "': ";
  e->method = MethodId::GetDimensions;
  e->type = m_types.voidType();
  const bool longForm = row.extra == 'l' && args.size() == size_t(row.sizes) + 2;
  const size_t want = size_t(row.sizes) + (row.extra == 's' || row.extra == 't' ? 1u : 0u);
  if (!row.sizes || (!longForm && args.size() != want))
    return methodMismatch(e->a, name, args.size(), e->loc);
  for (size_t i = 0; i < args.size(); i++) {
    if (longForm && i == 0) {
      e->c = convert(args[0], m_types.scalar(Base::Uint), quoted);
      continue;
    }
    if (!isScalarLvalue(args[i]))
      return methodMismatch(e->a, name, args.size(), e->loc);
    if (!checkLvalue(args[i], args[i]->loc))
      return errorExpr(e->loc);
    e->args.push_back(args[i]);
  }
  e->prefix = longForm;
  return e;
}

Expr* Parser::methodCall(Expr* base, const Token& name) {
  if (base->type->isStruct())
    return structMethodCall(base, name);
  std::vector<Expr*> args = arguments();
  const Location at = span(base->loc, peek().loc);
  expect(")");
  if (failed() || base->type->isError() || lacksIndex(base))
    return errorExpr(at);
  for (Expr* a : args)
    if (a->type->isError())
      return errorExpr(at);
  const std::string quoted = "'" + std::string(name.text) + "'";
  if (base->type->isStream())
    return streamMethod(base, name, std::move(args), at);
  const ObjectRow* object = objectRow(base->type);
  if (!object) {
    m_diagnostics.error(name.loc, 3018, "invalid subscript " + quoted);
    return errorExpr(at);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Method;
  e->a = base;
  e->loc = at;
  if (name.text == "GetDimensions")
    return dimensionsCall(e, name, args);
  bool known = false;
  MethodArguments fitting(*this, e, *object, args, m_options.model, quoted + ": ");
  for (const MethodRow& r : kMethods) {
    if (r.name != name.text || r.model > m_options.model || object->letters.find_first_of(r.objects) == std::string_view::npos)
      continue;
    known = true;
    if (!fitting.fit(r))
      continue;
    if (e->out && !checkLvalue(e->out, e->out->loc))
      return errorExpr(at);
    e->method = r.id;
    e->type = methodResult(r.result, base->type);
    return e;
  }
  if (known)
    return methodMismatch(base, name, args.size(), at);
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
    if (m_options.strict)
      m_diagnostics.error(at, 3523, "DX9-style intrinsics are disabled when not in dx9 compatibility mode.");
    e->a = args[0];
    for (size_t i = 1; i < args.size(); i++)
      e->args.push_back(convert(args[i], coord, "'" + std::string(name.text) + "': "));
    return e;
  }
  m_diagnostics.error(name.loc, 3004, "undeclared identifier '" + std::string(name.text) + "'");
  return errorExpr(at);
}

} // namespace monolith::compiler
