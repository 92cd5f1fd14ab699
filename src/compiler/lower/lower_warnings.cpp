// SPDX-License-Identifier: MIT
// What the compiler remarks about values it knows.
#include "compiler/lower/remarks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

namespace monolith::compiler {

namespace {
/// As %g with three digits of exponent, which is how these messages have always looked.
std::string shortNumber(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", v);
  std::string s = text;
  const size_t e = s.find('e');
  if (e != std::string::npos && s.size() == e + 4)
    s.insert(e + 2, "0");
  return s;
}
} // namespace

/// Constants of which one vanishes in their sum.
void Lowering::checkSum(const Expr* e, ValueId a, ValueId b) {
  const Function& f = m_module.code;
  if (!f.isConst(a) || !f.isConst(b))
    return;
  const double x = std::bit_cast<float>(f.bits(a)), y = std::bit_cast<float>(f.bits(b)) * (e->op == Operator::Sub ? -1.0 : 1.0);
  const double sum = x + y;
  if (!std::isfinite(sum) || (sum - x == y && sum - y == x))
    return;
  m_diagnostics.warning(e->loc, 4122, "sum of " + shortNumber(x) + " and " + shortNumber(y) + " cannot be represented accurately in double precision");
}

namespace {
/// True if computing the expression writes to a variable.
bool writes(const Expr* e) {
  if (!e)
    return false;
  if (e->kind == ExprKind::Assign || e->kind == ExprKind::IncDec)
    return true;
  return writes(e->a) || writes(e->b) || writes(e->c) || std::any_of(e->args.begin(), e->args.end(), writes);
}
} // namespace

void warnOfBothSides(Diagnostics* diagnostics, const char* op, const Expr* left, const Expr* right) {
  if (!diagnostics)
    return;
  for (const Expr* side : {left, right})
    if (writes(side))
      diagnostics->warning(side->loc, 3580, std::string("both sides of ") + op + " operator are always evaluated, side effect on " + (side == left ? "left" : "right") + " side won't be conditional");
}

ValueId biasInRange(Diagnostics* diagnostics, Builder& b, const Location& at, ValueId bias) {
  constexpr float kLeast = -16.0f, kMost = 15.99f;
  const Function& f = b.function();
  if (!f.isConst(bias))
    return bias;
  const float given = std::bit_cast<float>(f.bits(bias)), used = std::clamp(given, kLeast, kMost);
  if (!(given < kLeast || given > kMost))
    return bias;
  char text[160];
  std::snprintf(text, sizeof text, "Sample Bias value is limited to the range [-16.00, 15.99], using %.2f instead of %.2f", double(used), double(given));
  if (diagnostics)
    diagnostics->warning(at, 4713, text);
  return b.constant(used);
}

/// A constant that an integer cannot hold.
void Lowering::checkRange(const Expr* e, ValueId v, Base to) {
  const Function& f = m_module.code;
  if (!f.isConst(v) || m_quiet)
    return;
  const float x = std::bit_cast<float>(f.bits(v));
  const bool u = isUnsignedBase(to);
  if (u ? x < 4294967296.0f && x > -2147483648.0f : x < 2147483648.0f && x >= -2147483648.0f)
    return;
  char text[120];
  std::snprintf(text, sizeof text, "literal floating-point value '%f' out of %srange for conversion", double(x), u ? "unsigned integer " : "integer ");
  m_diagnostics.warning(e->loc, u ? 4115 : 4114, text);
}

/// True if arithmetic cannot make the value anything but a finite number.
bool Lowering::surelyFinite(ValueId v) const {
  const Inst& i = m_module.code.insts[m_b.resolve(v)];
  if (i.op == Op::Const)
    return std::isfinite(std::bit_cast<float>(i.aux[0]));
  return i.op == Op::Sat || i.op == Op::ItoF || i.op == Op::UtoF || i.op == Op::Sin || i.op == Op::Cos || i.op == Op::Frc;
}

void Lowering::checkIntrinsic(IntrinsicId id, const Expr* e, const std::vector<Value>& a) {
  if (m_quiet || m_restart || a.empty() || a[0].v.empty())
    return;
  const Function& f = m_module.code;
  auto any = [&](auto test) {
    for (ValueId v : a[0].v)
      if (f.isConst(m_b.resolve(v)) && test(std::bit_cast<float>(f.bits(m_b.resolve(v)))))
        return true;
    return false;
  };
  auto finite = [&] {
    for (ValueId v : a[0].v)
      if (!surelyFinite(v))
        return false;
    return true;
  };
  switch (id) {
  case IntrinsicId::Sqrt:
  case IntrinsicId::Rsqrt:
    if (any([](float x) { return x < 0; }))
      m_diagnostics.warning(e->loc, 4118, "imaginary square root operation");
    break;
  case IntrinsicId::Log:
  case IntrinsicId::Log2:
  case IntrinsicId::Log10:
    if (any([](float x) { return x < 0; }))
      m_diagnostics.warning(e->loc, 4119, "indefinite logarithm operation");
    break;
  case IntrinsicId::IsNan:
    if (!m_module.precise && finite())
      m_diagnostics.warning(e->loc, 3577, "value cannot be NaN, isnan() may not be necessary.  /Gis may force isnan() to be performed");
    break;
  case IntrinsicId::IsInf:
  case IntrinsicId::IsFinite:
    if (!m_module.precise && finite()) {
      const std::string name = id == IntrinsicId::IsInf ? "isinf()" : "isfinite()";
      m_diagnostics.warning(e->loc, 3577, "value cannot be infinity, " + name + " may not be necessary.  /Gis may force " + name + " to be performed");
    }
    break;
  case IntrinsicId::Abs:
    if (isUnsignedBase(e->type->base))
      m_diagnostics.warning(e->loc, 3581, "abs operation on unsigned values is not meaningful and will be ignored");
    break;
  default:
    break;
  }
}

} // namespace monolith::compiler
