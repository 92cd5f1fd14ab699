// SPDX-License-Identifier: MIT
// Types of expressions: operators, conversions, swizzles, calls.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"
#include "compiler/types/intrinsics.h"

#include <algorithm>

namespace monolith::compiler {

Expr* Parser::errorExpr(const Location& at) {
  Expr* e = m_program.arena.expr();
  e->type = m_types.error();
  e->loc = at;
  return e;
}

Expr* Parser::integerLiteral(uint32_t v, const Location& at) {
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Literal;
  e->type = m_types.scalar(Base::Int);
  e->u = v;
  e->loc = at;
  return e;
}

Expr* Parser::makeCast(Expr* e, const Type* to, bool implicit) {
  if (e->type == to || e->type->isError())
    return e;
  Expr* c = m_program.arena.expr();
  c->kind = ExprKind::Cast;
  c->implicit = implicit;
  c->type = to;
  c->a = e;
  c->loc = e->loc;
  return c;
}

namespace {
/// Bits that a value of the type is sure to have.
int precisionOf(Base base) {
  switch (base) {
  case Base::Double:
    return 64;
  case Base::Min16Float:
  case Base::Min16Int:
  case Base::Min16Uint:
    return 16;
  case Base::Min12Int:
    return 12;
  case Base::Min10Float:
    return 10;
  default:
    return 32;
  }
}
bool isLiteralValue(const Expr* e) {
  while ((e->kind == ExprKind::Cast && e->implicit) || e->kind == ExprKind::Unary || e->kind == ExprKind::Swizzle)
    e = e->a;
  if (e->kind == ExprKind::Binary)
    return isLiteralValue(e->a) && isLiteralValue(e->b);
  return e->kind == ExprKind::Literal;
}
} // namespace

/// An error where `.mips` or `.sample` stands without its two indices.
bool Parser::lacksIndex(const Expr* e) {
  if (e->kind != ExprKind::Member || e->field < ~1u)
    return false;
  m_diagnostics.error(e->loc, 3125, ".mips and .sample can only be used in a two-element indexing expression, such as .mips[mip][element]");
  return true;
}

Expr* Parser::convert(Expr* e, const Type* to, const std::string& what) {
  if (e->type->isError() || to->isError())
    return e->type->isError() ? e : errorExpr(e->loc);
  if (lacksIndex(e))
    return errorExpr(e->loc);
  Conversion c = implicitConversion(e->type, to);
  if (!c.possible) {
    bool couldCast = explicitConversion(e->type, to) || (e->type->isNumeric() && to->isNumeric());
    m_diagnostics.error(e->loc, 3017, what + (couldCast ? "cannot implicitly convert from '" : "cannot convert from '") + typeName(e->type) + "' to '" + typeName(to) + "'");
    return errorExpr(e->loc);
  }
  if (e->type != to && e->type->isStruct() && to->isStruct())
    return upcast(e, to);
  if (e->kind == ExprKind::Comma && e->type->isScalar() && to->isVector())
    m_diagnostics.warning(e->loc, 3081, "comma expression used where a vector constructor may have been intended");
  if (c.truncates)
    m_diagnostics.warning(e->loc, 3206, what + "implicit truncation of vector type");
  if (e->type->isNumeric() && to->isNumeric() && e->type->base != Base::Bool && to->base != Base::Bool && precisionOf(e->type->base) > precisionOf(to->base) && !isLiteralValue(e))
    m_diagnostics.warning(e->loc, 3205, "conversion from larger type to smaller, possible loss of data");
  return makeCast(e, to, true);
}

Expr* Parser::makeUnary(Operator op, Expr* a, const Location& at) {
  if (a->type->isError())
    return a;
  if (!a->type->isNumeric()) {
    m_diagnostics.error(a->loc, 3022, "scalar, vector, or matrix expected");
    return errorExpr(at);
  }
  Base base = a->type->base;
  if (op == Operator::Not)
    base = Base::Bool;
  else if (base == Base::Bool)
    base = Base::Int;
  if (op == Operator::Complement && isFloatBase(base)) {
    m_diagnostics.error(a->loc, 3082, "int or unsigned int type required");
    return errorExpr(at);
  }
  if (op == Operator::Negate && isUnsignedBase(base) && !isLiteralValue(a))
    m_diagnostics.warning(at, 3092, "unary negate of unsigned value is still unsigned");
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Unary;
  e->op = op;
  e->type = m_types.withBase(a->type, base);
  e->a = makeCast(a, e->type, true);
  e->loc = at;
  return e;
}

Expr* Parser::makeBinary(Operator op, Expr* a, Expr* b, const Location& at) {
  if (a->type->isError() || b->type->isError())
    return errorExpr(at);
  const Type *ta = a->type, *tb = b->type;
  if (!ta->isNumeric() || !tb->isNumeric()) {
    Expr* bad = ta->isNumeric() ? b : a;
    m_diagnostics.error(bad->loc, 3022, "scalar, vector, or matrix expected");
    return errorExpr(at);
  }
  Base base = commonBase(ta->base, tb->base);
  // Literals take the precision of what they meet.
  auto adapts = [](const Expr* literal, Base other) {
    const Base own = literal->type->base;
    const bool low = other == Base::Min16Float || other == Base::Min10Float;
    return isLiteralValue(literal) && own != Base::Bool && precisionOf(other) < 32 && (low || isIntegerBase(own));
  };
  if (adapts(a, tb->base))
    base = tb->base;
  else if (adapts(b, ta->base))
    base = ta->base;
  const bool logical = op == Operator::LogicalAnd || op == Operator::LogicalOr;
  const bool compare = op >= Operator::Less && op <= Operator::NotEqual;
  const bool bits = op >= Operator::Shl && op <= Operator::Xor;
  if (logical)
    base = Base::Bool;
  else if (base == Base::Bool && !(compare && (op == Operator::Equal || op == Operator::NotEqual)))
    base = Base::Int;
  if (bits && isFloatBase(base)) {
    m_diagnostics.error(at, 3082, "int or unsigned int type required");
    return errorExpr(at);
  }
  if (op == Operator::Mod && base == Base::Double)
    m_diagnostics.error(at, 3684, "modulo cannot be used with doubles, cast to float first");
  // Shape of the result.
  uint32_t rows = 1, cols = 1;
  bool matrix = false, vector = false;
  auto isScalarLike = [](const Type* t) { return t->components() == 1; };
  if (isScalarLike(ta) || isScalarLike(tb)) {
    const Type* t = isScalarLike(ta) && (!isScalarLike(tb) || ta->isScalar()) ? tb : ta;
    rows = t->rows;
    cols = t->cols;
    matrix = t->isMatrix();
    vector = t->isVector();
  } else if (ta->isMatrix() && tb->isMatrix()) {
    rows = std::min(ta->rows, tb->rows);
    cols = std::min(ta->cols, tb->cols);
    matrix = true;
  } else if (ta->isMatrix() || tb->isMatrix()) {
    const Type* m = ta->isMatrix() ? ta : tb;
    const Type* v = ta->isMatrix() ? tb : ta;
    if (m->components() != v->components() && m->rows != 1 && m->cols != 1) {
      m_diagnostics.error(at, 3020, "type mismatch");
      return errorExpr(at);
    }
    rows = m->rows;
    cols = m->cols;
    matrix = true;
    if (m->components() != v->components()) {
      matrix = false;
      vector = true;
      rows = 1;
      cols = std::min(m->components(), v->components());
    }
  } else {
    cols = std::min(ta->cols, tb->cols);
    vector = true;
  }
  auto shaped = [&](Base x) { return matrix ? m_types.matrix(x, rows, cols) : vector ? m_types.vector(x, cols) : m_types.scalar(x); };
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Binary;
  e->op = op;
  e->loc = at;
  const Type* operand = shaped(base);
  if (op == Operator::Shl || op == Operator::Shr) {
    Base lb = ta->base == Base::Bool ? Base::Int : ta->base;
    e->type = shaped(lb);
    e->a = convert(a, e->type);
    e->b = convert(b, shaped(tb->base == Base::Bool ? Base::Int : tb->base));
    return e;
  }
  if (compare && op != Operator::Equal && op != Operator::NotEqual && isUnsignedBase(base)) {
    const Expr* other = isUnsignedBase(ta->base) ? b : a;
    if (isIntegerBase(other->type->base) && !isUnsignedBase(other->type->base) && !isLiteralValue(other))
      m_diagnostics.warning(at, 3203, "signed/unsigned mismatch, unsigned assumed");
  }
  e->a = convert(a, operand);
  e->b = convert(b, operand);
  e->type = compare || logical ? shaped(Base::Bool) : operand;
  if (e->a->type->isError() || e->b->type->isError())
    return errorExpr(at);
  return e;
}

bool Parser::checkLvalue(Expr* e, const Location& at) {
  if (e->type->isError())
    return false;
  if (!e->lvalue) {
    m_diagnostics.error(at, 3025, "l-value specifies const object");
    return false;
  }
  if (e->constant) {
    Expr* root = e;
    while (root->a && root->kind != ExprKind::Var)
      root = root->a;
    bool global = root->kind == ExprKind::Var && root->var->global && !(root->var->modifiers & (kModConst | kModStatic));
    m_diagnostics.error(at, 3025, global ? "global variables are implicitly constant, enable compatibility mode to allow modification" : "l-value specifies const object");
    return false;
  }
  // A swizzle that names a component twice cannot be written.
  if (e->kind == ExprKind::Swizzle || e->kind == ExprKind::MatrixSwizzle)
    for (int i = 0; i < e->swizzleCount; i++)
      for (int j = 0; j < i; j++)
        if (e->swizzle[size_t(i)] == e->swizzle[size_t(j)]) {
          m_diagnostics.error(at, 3025, "l-value specifies const object");
          return false;
        }
  return true;
}

Expr* Parser::makeIncDec(Expr* a, bool increment, bool prefix, const Location& at) {
  if (!checkLvalue(a, at))
    return errorExpr(at);
  if (!a->type->isNumeric()) {
    m_diagnostics.error(a->loc, 3022, "scalar, vector, or matrix expected");
    return errorExpr(at);
  }
  if (a->type->base == Base::Bool) {
    m_diagnostics.error(a->loc, 3020, "operator cannot be used with a bool lvalue");
    return errorExpr(at);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::IncDec;
  e->op = increment ? Operator::Add : Operator::Sub;
  e->prefix = prefix;
  e->a = a;
  e->type = a->type;
  e->loc = at;
  return e;
}

Expr* Parser::makeAssign(Operator op, Expr* a, Expr* b, const Location& at) {
  if (a->type->isError() || b->type->isError() || !checkLvalue(a, a->loc))
    return errorExpr(at);
  if (op != Operator::None) {
    if (a->type->isNumeric() && a->type->base == Base::Bool && (op < Operator::And || op > Operator::Xor)) {
      m_diagnostics.error(a->loc, 3020, "operator cannot be used with a bool lvalue");
      return errorExpr(at);
    }
    b = makeBinary(op, a, b, at);
    if (b->type->isError())
      return b;
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Assign;
  e->op = op;
  e->a = a;
  e->b = convert(b, a->type); // of a op= b: holds a, too
  e->type = a->type;
  e->loc = at;
  if (e->b->type->isError())
    return errorExpr(at);
  return e;
}

Expr* Parser::makeConditional(Expr* c, Expr* a, Expr* b, const Location& at) {
  if (c->type->isError() || a->type->isError() || b->type->isError())
    return errorExpr(at);
  if (!c->type->isNumeric()) {
    m_diagnostics.error(c->loc, 3022, "scalar, vector, or matrix expected");
    return errorExpr(at);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Conditional;
  e->loc = at;
  if (!a->type->isNumeric() || !b->type->isNumeric()) {
    if (!sameType(a->type, b->type) || c->type->components() != 1) {
      m_diagnostics.error(at, 3020, "type mismatch between conditional values");
      return errorExpr(at);
    }
    e->type = a->type;
    e->a = makeCast(c, m_types.scalar(Base::Bool), true);
    e->b = a;
    e->c = b;
    return e;
  }
  const Type *ta = a->type, *tb = b->type;
  Base base = commonBase(ta->base, tb->base);
  uint32_t rows = 1, cols = 1;
  bool matrix = false, vector = false;
  auto take = [&](const Type* t, bool first) {
    rows = first ? t->rows : std::min<uint32_t>(rows, t->rows);
    cols = first ? t->cols : std::min<uint32_t>(cols, t->cols);
    matrix = matrix || t->isMatrix();
    vector = vector || t->isVector();
  };
  bool sa = ta->components() == 1, sb = tb->components() == 1;
  if (sa && sb) {
    take(ta->isScalar() ? tb : ta, true);
  } else if (sa || sb) {
    take(sa ? tb : ta, true);
  } else {
    take(ta, true);
    take(tb, false);
    if (ta->isMatrix() != tb->isMatrix() && ta->components() != tb->components()) {
      m_diagnostics.error(at, 3020, "type mismatch between conditional values");
      return errorExpr(at);
    }
  }
  if (c->type->components() != 1) {
    uint32_t n = matrix ? rows * cols : cols;
    if (n == 1) {
      rows = c->type->rows;
      cols = c->type->cols;
      matrix = c->type->isMatrix();
      vector = c->type->isVector();
    } else if (c->type->components() < n && c->type->isVector() && vector && !matrix) {
      cols = c->type->cols;
    } else if (c->type->components() != n && !(c->type->components() > n)) {
      m_diagnostics.error(at, 3020, "dimension of conditional does not match value");
      return errorExpr(at);
    }
  }
  auto shaped = [&](Base x) { return matrix ? m_types.matrix(x, rows, cols) : vector ? m_types.vector(x, cols) : m_types.scalar(x); };
  e->type = shaped(base);
  e->a = convert(c, c->type->components() == 1 ? m_types.scalar(Base::Bool) : shaped(Base::Bool));
  e->b = convert(a, e->type);
  e->c = convert(b, e->type);
  if (e->a->type->isError() || e->b->type->isError() || e->c->type->isError())
    return errorExpr(at);
  return e;
}

Expr* Parser::makeIndex(Expr* a, Expr* i, const Location& at) {
  if (a->type->isError() || i->type->isError())
    return errorExpr(at);
  const Type* t = a->type;
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Index;
  e->a = a;
  e->loc = at;
  e->lvalue = a->lvalue;
  e->constant = a->constant;
  if (t->isObject() && (t->isTexture() || t->isUav() || t->object == ObjectKind::StructuredBuffer) && t->element) {
    bool mips = a->kind == ExprKind::Member && a->field == ~0u;
    if (mips) { // tex.mips[level]: the position follows
      e->kind = ExprKind::Member;
      e->field = ~1u;
      e->a = a->a;
      e->b = convert(i, m_types.scalar(Base::Uint));
      e->type = t;
      return e;
    }
    bool level = a->kind == ExprKind::Member && a->field == ~1u;
    const uint32_t n = indexDimensions(t);
    if (n == 0) {
      m_diagnostics.error(at, 3121, "array, matrix, vector, or indexable object type expected in index expression");
      return errorExpr(at);
    }
    if (!i->type->isNumeric() || i->type->isMatrix() || i->type->components() < n) {
      m_diagnostics.error(i->loc, 3120, "invalid type for index - index must be a scalar, or a vector with the correct number of dimensions");
      return errorExpr(at);
    }
    e->kind = ExprKind::Method;
    e->method = MethodId::Load;
    e->prefix = true;
    e->a = level ? a->a : a;
    e->b = nullptr;
    e->c = level ? a->b : nullptr;
    e->args = {convert(i, n == 1 ? m_types.scalar(Base::Uint) : m_types.vector(Base::Uint, n))};
    e->type = t->element;
    e->lvalue = t->isUav();
    e->constant = false;
    return e;
  }
  if (!(t->isArray() || t->isVector() || t->isMatrix() || t->isPatch())) {
    m_diagnostics.error(a->loc, 3121, "array, matrix, vector, or indexable object type expected in index expression");
    return errorExpr(at);
  }
  if (!i->type->isNumeric() || i->type->components() != 1) {
    m_diagnostics.error(i->loc, 3120, "invalid type for index - index must be a scalar, or a vector with the correct number of dimensions");
    return errorExpr(at);
  }
  uint32_t limit = t->isArray() || t->isPatch() ? t->count : t->isMatrix() ? t->rows : t->cols;
  ConstantValue v;
  if (evaluateConstant(i, v)) {
    int64_t k = v.asInt();
    if (k < 0 || k >= int64_t(limit)) {
      m_diagnostics.error(at, 3504, "array index out of bounds");
      return errorExpr(at);
    }
  }
  e->b = isIntegerBase(i->type->base) && i->type->isScalar() ? i : makeCast(i, m_types.scalar(isUnsignedBase(i->type->base) ? Base::Uint : Base::Int), true);
  if (t->isPatch())
    e->lvalue = false;
  e->type = t->isArray() || t->isPatch() ? t->element : t->isMatrix() ? t->rowType : m_types.scalar(t->base);
  return e;
}

Expr* Parser::swizzle(Expr* base, const Token& name) {
  std::string_view s = name.text;
  if (s.empty() || s.size() > 4)
    return nullptr;
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Swizzle;
  bool colour = std::string_view("rgba").find(s[0]) != std::string_view::npos;
  for (size_t i = 0; i < s.size(); i++) {
    size_t k = (colour ? std::string_view("rgba") : std::string_view("xyzw")).find(s[i]);
    if (k == std::string_view::npos || k >= base->type->cols)
      return nullptr;
    e->swizzle[i] = uint8_t(k);
  }
  e->swizzleCount = uint8_t(s.size());
  e->a = base;
  e->type = s.size() == 1 ? m_types.scalar(base->type->base) : m_types.vector(base->type->base, uint32_t(s.size()));
  e->loc = span(base->loc, name.loc);
  e->lvalue = base->lvalue;
  e->constant = base->constant;
  return e;
}

Expr* Parser::matrixSwizzle(Expr* base, const Token& name) {
  std::string_view s = name.text;
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::MatrixSwizzle;
  size_t n = 0;
  bool style = false;
  while (!s.empty()) {
    bool zero = s.size() >= 4 && s[0] == '_' && s[1] == 'm';
    if (n == 0)
      style = zero;
    else if (style != zero)
      return nullptr;
    size_t digits = zero ? 2 : 1;
    if (s[0] != '_' || s.size() < digits + 2 || n == 4)
      return nullptr;
    int r = s[digits] - '0' - (zero ? 0 : 1), c = s[digits + 1] - '0' - (zero ? 0 : 1);
    if (r < 0 || c < 0 || r >= base->type->rows || c >= base->type->cols)
      return nullptr;
    e->swizzle[n++] = uint8_t(r * 4 + c);
    s.remove_prefix(digits + 2);
  }
  if (n == 0)
    return nullptr;
  e->swizzleCount = uint8_t(n);
  e->a = base;
  e->type = n == 1 ? m_types.scalar(base->type->base) : m_types.vector(base->type->base, uint32_t(n));
  e->loc = span(base->loc, name.loc);
  e->lvalue = base->lvalue;
  e->constant = base->constant;
  return e;
}

/// The base part of a structure.
Expr* Parser::upcast(Expr* e, const Type* to) {
  if (e->type == to || e->type->isError())
    return e;
  Expr* u = m_program.arena.expr();
  u->kind = to->isInterface() ? ExprKind::Cast : ExprKind::Upcast;
  u->implicit = true;
  u->a = e;
  u->type = to;
  u->loc = e->loc;
  u->lvalue = e->lvalue;
  u->constant = e->constant;
  return u;
}

/// Picks the overload with the cheapest conversions. `self`: the object of methods that are not static.
Expr* Parser::userCall(const Token& name, const std::vector<FunctionDecl*>& functions, std::vector<Expr*> args, const Location& at, Expr* self) {
  FunctionDecl* best = nullptr;
  uint64_t bestCost = ~0ull;
  bool ambiguous = false;
  size_t fitting = 0;
  FunctionDecl* only = nullptr;
  for (FunctionDecl* f : functions) {
    const size_t skip = f->self ? 1 : 0;
    if (args.size() + skip > f->params.size() || (args.size() + skip < f->params.size() && !f->params[args.size() + skip]->init))
      continue;
    fitting++;
    only = f;
    uint64_t cost = 0;
    bool ok = true;
    for (size_t i = 0; i < args.size() && ok; i++) {
      VarDecl* p = f->params[i + skip];
      if (p->modifiers & kModIn) {
        Conversion c = implicitConversion(args[i]->type, p->type);
        ok = c.possible;
        cost += c.cost;
      }
      if (p->modifiers & kModOut) {
        Conversion c = implicitConversion(p->type, args[i]->type);
        ok = ok && c.possible;
        cost += c.cost;
      }
    }
    if (!ok)
      continue;
    if (cost < bestCost) {
      best = f;
      bestCost = cost;
      ambiguous = false;
    } else if (cost == bestCost) {
      ambiguous = true;
    }
  }
  std::string quoted = "'" + std::string(name.text) + "': ";
  if (!best) {
    if (fitting == 1 && functions.size() == 1)
      for (size_t i = 0; i < args.size(); i++) {
        const VarDecl* p = only->params[i + (only->self ? 1 : 0)];
        if (!implicitConversion(args[i]->type, p->type).possible) {
          m_diagnostics.error(args[i]->loc, 3017, quoted + "cannot convert from '" + typeName(args[i]->type) + "' to '" + typeName(p->type) + "'");
          return errorExpr(at);
        }
      }
    m_diagnostics.error(at, 3013, quoted + "no matching " + std::to_string(args.size()) + " parameter function");
    return errorExpr(at);
  }
  if (ambiguous) {
    m_diagnostics.error(at, 3067, quoted + "ambiguous function call");
    return errorExpr(at);
  }
  if (best->self && !self) {
    m_diagnostics.error(at, 3097, quoted + "static method cannot refer to instance members");
    return errorExpr(at);
  }
  const size_t skip = best->self ? 1 : 0;
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Call;
  e->function = best;
  e->type = best->returnType;
  e->loc = at;
  if (skip)
    e->args.push_back(upcast(self, best->owner));
  for (size_t i = skip; i < best->params.size(); i++) {
    VarDecl* p = best->params[i];
    if (i - skip >= args.size()) {
      e->args.push_back(p->init);
      continue;
    }
    Expr* arg = args[i - skip];
    if (p->modifiers & kModOut) {
      if (!arg->lvalue) {
        m_diagnostics.error(arg->loc, 3025, "out parameters require l-value arguments");
        return errorExpr(at);
      }
      if (!checkLvalue(arg, arg->loc))
        return errorExpr(at);
      e->args.push_back(arg);
    } else {
      e->args.push_back(convert(arg, p->type, quoted));
    }
  }
  if (m_function && std::find(m_function->callees.begin(), m_function->callees.end(), best) == m_function->callees.end())
    m_function->callees.push_back(best);
  return e;
}

Expr* Parser::intrinsicCall(const Token& name, const Intrinsic& intrinsic, std::vector<Expr*> args, const Location& at) {
  std::vector<const Type*> types;
  for (Expr* a : args)
    types.push_back(a->type);
  std::string quoted = "'" + std::string(name.text) + "': ";
  IntrinsicTypes t = resolveIntrinsic(intrinsic, types, m_types);
  if (!t.ok) {
    m_diagnostics.error(at, 3013, quoted + "no matching " + std::to_string(args.size()) + " parameter intrinsic function");
    m_diagnostics.note(at, 3013, "Possible intrinsic functions are:");
    std::string form = "    " + std::string(name.text) + "(";
    uint32_t n = parameterCount(intrinsic);
    for (uint32_t i = 0; i < n; i++)
      form += i ? ", numeric" : "numeric";
    m_diagnostics.note(at, 3013, form + ")");
    return errorExpr(at);
  }
  if (intrinsic.model > m_options.model) {
    // Some say what is missing instead of not being known.
    static constexpr struct {
      IntrinsicId id;
      int number;
      const char* text;
    } missing[] = {{IntrinsicId::EvaluateAtCentroid, 3672, "pull-model attribute evaluation"}, {IntrinsicId::EvaluateAtSample, 3672, "pull-model attribute evaluation"},
                   {IntrinsicId::EvaluateSnapped, 3672, "pull-model attribute evaluation"},    {IntrinsicId::CheckMapped, 3535, "CheckAccessFullyMapped"},
                   {IntrinsicId::F16ToF32, 3704, "16-bit float conversions"},                  {IntrinsicId::F32ToF16, 3704, "16-bit float conversions"}};
    for (auto& m : missing)
      if (m.id == intrinsic.id) {
        m_diagnostics.error(at, m.number, quoted + "the target does not support " + m.text);
        return errorExpr(at);
      }
    m_diagnostics.error(at, 3004, "undeclared identifier '" + std::string(name.text) + "'");
    return errorExpr(at);
  }
  if (intrinsic.id == IntrinsicId::Fma)
    for (Expr* a : args)
      if (a->type->base != Base::Double) {
        m_diagnostics.error(at, 3702, quoted + "fma can only be used with double arguments");
        return errorExpr(at);
      }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::IntrinsicCall;
  e->intrinsic = &intrinsic;
  e->type = t.result;
  e->loc = at;
  for (size_t i = 0; i < args.size(); i++) {
    if (t.out[i]) {
      if (!args[i]->lvalue) {
        m_diagnostics.error(args[i]->loc, 3025, "out parameters require l-value arguments");
        return errorExpr(at);
      }
      if (!checkLvalue(args[i], args[i]->loc))
        return errorExpr(at);
      e->args.push_back(args[i]);
    } else {
      Expr* c = convert(args[i], t.params[i], quoted);
      if (c->type->isError())
        return errorExpr(at);
      e->args.push_back(c);
    }
  }
  if (intrinsic.id == IntrinsicId::Transpose || intrinsic.id == IntrinsicId::Mul) {
    // matrix order is a matter of the operands, the result has none
  }
  return e;
}

} // namespace monolith::compiler
