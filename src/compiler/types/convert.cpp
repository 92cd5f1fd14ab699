// SPDX-License-Identifier: MIT
#include "compiler/types/convert.h"

#include <cmath>

namespace monolith::compiler {

namespace {

constexpr uint32_t kSplat = 1u << 8;
constexpr uint32_t kReshape = 1u << 9;
constexpr uint32_t kTruncate = 1u << 16;

uint32_t baseCost(Base from, Base to) {
  if (from == to)
    return 0;
  bool ff = isFloatBase(from), tf = isFloatBase(to);
  bool fi = isIntegerBase(from), ti = isIntegerBase(to);
  if (ff && tf)
    return commonBase(from, to) == to ? 1 : 3; // widening before narrowing
  if (fi && ti)
    return 2;
  if (fi && tf)
    return 4;
  if (from == Base::Bool)
    return ti ? 4 : 5;
  if (ff && ti)
    return 6;
  return 7; // anything to bool
}

} // namespace

uint32_t objectCount(const Type* t) {
  if (!t->hasObjects)
    return 0;
  if (t->isArray()) {
    const uint64_t n = uint64_t(objectCount(t->element)) * t->count;
    return n > 0xffffffffu ? 0xffffffffu : uint32_t(n);
  }
  if (!t->isStruct())
    return 1;
  uint64_t n = 0;
  for (const Field& f : t->structure->fields)
    n += objectCount(f.type);
  return n > 0xffffffffu ? 0xffffffffu : uint32_t(n);
}

bool sameType(const Type* a, const Type* b) {
  if (a == b)
    return true;
  if (a->kind != b->kind)
    return false;
  if (a->isNumeric())
    return a->base == b->base && a->rows == b->rows && a->cols == b->cols;
  if (a->isArray())
    return a->count == b->count && sameType(a->element, b->element);
  if (a->isObject())
    return a->object == b->object && (!a->isPatch() || a->count == b->count) && (a->element == b->element || !a->element || !b->element || sameType(a->element, b->element));
  return false;
}

bool derivesFrom(const Type* t, const Type* base) {
  for (int depth = 0; t && t->isStruct() && depth < 64; depth++, t = t->structure->base) {
    if (depth && t == base)
      return true;
    for (const Type* i : t->structure->interfaces)
      if (i == base)
        return true;
  }
  return false;
}

Conversion implicitConversion(const Type* from, const Type* to) {
  Conversion c;
  if (sameType(from, to)) {
    c.possible = true;
    return c;
  }
  if (from->isError() || to->isError()) {
    c.possible = true;
    return c;
  }
  if (from->isStruct() && to->isStruct() && derivesFrom(from, to)) {
    c.possible = true;
    c.cost = 1;
    return c;
  }
  if (!from->isNumeric() || !to->isNumeric())
    return c;
  c.cost = baseCost(from->base, to->base);
  c.possible = true;
  uint32_t nf = from->components(), nt = to->components();
  if (from->isScalar()) {
    if (!to->isScalar())
      c.cost += nt == 1 ? 16 : kSplat;
    return c;
  }
  if (from->isMatrix() && to->isMatrix()) {
    if (from->rows < to->rows || from->cols < to->cols)
      c.possible = false;
    else if (nf != nt)
      c.truncates = true;
  } else if (from->isMatrix()) { // to vector or scalar
    if (nf == nt)
      c.cost += kReshape;
    else if (nt == 1 || (from->rows == 1 || from->cols == 1))
      c.truncates = nf > nt;
    else
      c.possible = false;
    if (nf < nt)
      c.possible = false;
  } else if (to->isMatrix()) { // vector to matrix
    if (nf == nt)
      c.cost += kReshape;
    else if (nf == 1)
      c.cost += kSplat;
    else
      c.possible = false;
  } else {
    if (nf == 1 && nt > 1)
      c.cost += kSplat;
    else if (nf < nt)
      c.possible = false;
    else if (nf > nt)
      c.truncates = true;
    else if (from->kind != to->kind)
      c.cost += 16;
  }
  if (c.truncates)
    c.cost += kTruncate; // however much is lost
  return c;
}

namespace {
/// Numeric leaves only: structures and arrays can be cast slot by slot.
bool isPlainData(const Type* t) {
  if (t->isNumeric())
    return true;
  if (t->isArray())
    return isPlainData(t->element);
  if (t->isStruct()) {
    for (const Field& f : t->structure->fields)
      if (!isPlainData(f.type))
        return false;
    return true;
  }
  return false;
}
} // namespace

bool explicitConversion(const Type* from, const Type* to) {
  if (implicitConversion(from, to).possible)
    return true;
  if (!isPlainData(from) || !isPlainData(to))
    return false;
  if (from->slots == 1)
    return true;
  if (from->isNumeric() && to->isNumeric() && (from->isMatrix() || to->isMatrix()))
    return from->components() == to->components();
  return from->slots >= to->slots && to->slots > 0 && !(from->isNumeric() && to->isNumeric() && from->slots < to->slots);
}

int64_t ConstantValue::asInt() const {
  if (isFloatBase(base)) {
    if (std::isnan(f))
      return 0;
    if (f >= 4294967295.0)
      return 4294967295ll;
    if (f <= -2147483648.0)
      return -2147483648ll;
    return int64_t(f);
  }
  return isUnsignedBase(base) || base == Base::Bool ? int64_t(uint32_t(u)) : int64_t(int32_t(uint32_t(u)));
}

double ConstantValue::asFloat() const {
  return isFloatBase(base) ? f : double(asInt());
}

namespace {

ConstantValue makeConstant(Base base, const ConstantValue& v) {
  ConstantValue r;
  r.base = base;
  if (isFloatBase(base))
    r.f = base == Base::Double ? v.asFloat() : double(float(v.asFloat()));
  else if (base == Base::Bool)
    r.u = v.asBool();
  else
    r.u = uint32_t(uint64_t(v.asInt()));
  return r;
}

bool applyBinary(Operator op, const ConstantValue& a, const ConstantValue& b, Base base, ConstantValue& r) {
  r.base = base;
  const bool flt = isFloatBase(commonBase(a.base, b.base));
  const double fa = a.asFloat(), fb = b.asFloat();
  const int64_t ia = a.asInt(), ib = b.asInt();
  auto setBool = [&](bool v) {
    r.base = Base::Bool;
    r.u = v;
    return true;
  };
  switch (op) {
  case Operator::LogicalAnd:
    return setBool(a.asBool() && b.asBool());
  case Operator::LogicalOr:
    return setBool(a.asBool() || b.asBool());
  case Operator::Less:
    return setBool(flt ? fa < fb : ia < ib);
  case Operator::Greater:
    return setBool(flt ? fa > fb : ia > ib);
  case Operator::LessEqual:
    return setBool(flt ? fa <= fb : ia <= ib);
  case Operator::GreaterEqual:
    return setBool(flt ? fa >= fb : ia >= ib);
  case Operator::Equal:
    return setBool(flt ? fa == fb : ia == ib);
  case Operator::NotEqual:
    return setBool(flt ? fa != fb : ia != ib);
  default:
    break;
  }
  if (flt) {
    double v = 0;
    switch (op) {
    case Operator::Add:
      v = fa + fb;
      break;
    case Operator::Sub:
      v = fa - fb;
      break;
    case Operator::Mul:
      v = fa * fb;
      break;
    case Operator::Div:
      v = fb == 0 ? (fa == 0 || std::isnan(fa) ? NAN : (std::signbit(fa) != std::signbit(fb) ? -INFINITY : INFINITY)) : fa / fb;
      break;
    case Operator::Mod:
      v = std::fmod(fa, fb);
      break;
    default:
      return false;
    }
    r.f = base == Base::Double ? v : double(float(v));
    return true;
  }
  const uint32_t ua = uint32_t(uint64_t(ia)), ub = uint32_t(uint64_t(ib));
  const bool uns = isUnsignedBase(base);
  switch (op) {
  case Operator::Add:
    r.u = ua + ub;
    return true;
  case Operator::Sub:
    r.u = ua - ub;
    return true;
  case Operator::Mul:
    r.u = uint32_t(ua * ub);
    return true;
  case Operator::Div:
  case Operator::Mod:
    if (ub == 0)
      return false;
    if (uns)
      r.u = op == Operator::Div ? ua / ub : ua % ub;
    else
      r.u = uint32_t(uint64_t(op == Operator::Div ? ia / ib : ia % ib));
    return true;
  case Operator::Shl:
    r.u = ua << (ub & 31);
    return true;
  case Operator::Shr:
    r.u = uns ? ua >> (ub & 31) : uint32_t(int32_t(ua) >> (ub & 31));
    return true;
  case Operator::And:
    r.u = ua & ub;
    return true;
  case Operator::Or:
    r.u = ua | ub;
    return true;
  case Operator::Xor:
    r.u = ua ^ ub;
    return true;
  default:
    return false;
  }
}

} // namespace

bool evaluateConstant(const Expr* e, ConstantValue& value, int depth) {
  if (!e || !e->type || depth > 100 || !(e->type->isScalar() || (e->type->isVector() && e->type->cols == 1)))
    return false;
  ConstantValue a, b, c;
  switch (e->kind) {
  case ExprKind::Literal:
    value.base = e->type->base;
    if (isFloatBase(value.base))
      value.f = e->f;
    else
      value.u = e->u;
    return true;
  case ExprKind::Var:
    if (!(e->var->modifiers & kModConst) || e->var->parameter || !e->var->init || (e->var->global && e->var->uniform))
      return false;
    return evaluateConstant(e->var->init, value, depth + 1);
  case ExprKind::Cast:
    if (!evaluateConstant(e->a, a, depth + 1))
      return false;
    value = makeConstant(e->type->base, a);
    return true;
  case ExprKind::Construct:
    return e->args.size() == 1 && evaluateConstant(e->args[0], value, depth + 1);
  case ExprKind::Swizzle:
    return e->swizzleCount == 1 && evaluateConstant(e->a, value, depth + 1);
  case ExprKind::Unary:
    if (!evaluateConstant(e->a, a, depth + 1))
      return false;
    value = makeConstant(e->type->base, a);
    if (e->op == Operator::Negate) {
      if (isFloatBase(value.base))
        value.f = -value.f;
      else
        value.u = uint32_t(0u - uint32_t(value.u));
    } else if (e->op == Operator::Complement) {
      value.u = uint32_t(~uint32_t(value.u));
    } else if (e->op == Operator::Not) {
      value.u = !a.asBool();
    }
    return true;
  case ExprKind::Binary:
    return evaluateConstant(e->a, a, depth + 1) && evaluateConstant(e->b, b, depth + 1) && applyBinary(e->op, a, b, e->type->base, value);
  case ExprKind::Conditional:
    if (!evaluateConstant(e->a, c, depth + 1) || !evaluateConstant(e->b, a, depth + 1) || !evaluateConstant(e->c, b, depth + 1))
      return false;
    value = makeConstant(e->type->base, c.asBool() ? a : b);
    return true;
  default:
    return false;
  }
}

} // namespace monolith::compiler
