// SPDX-License-Identifier: MIT
// Arithmetic and conversions of double precision.
#include "compiler/lower/lowering.h"

#include <bit>

namespace monolith::compiler {

ValueId Lowering::doubleScalar(Operator op, ValueId a, ValueId b) {
  auto emit = [&](Op o, ValueId x, ValueId y) { return m_b.emit(o, {x, y}); };
  switch (op) {
  case Operator::Add:
    return emit(Op::DAdd, a, b);
  case Operator::Sub:
    return emit(Op::DAdd, a, m_b.emit(Op::DNeg, {b}));
  case Operator::Mul:
    return emit(Op::DMul, a, b);
  case Operator::Div:
    return emit(Op::DDiv, a, b);
  case Operator::Less:
    return emit(Op::DLt, a, b);
  case Operator::Greater:
    return emit(Op::DLt, b, a);
  case Operator::LessEqual:
    return emit(Op::DGe, b, a);
  case Operator::GreaterEqual:
    return emit(Op::DGe, a, b);
  case Operator::Equal:
    return emit(Op::DEq, a, b);
  case Operator::NotEqual:
    return emit(Op::DNe, a, b);
  default:
    return a;
  }
}

/// One of the two is Double.
ValueId Lowering::convertDouble(ValueId v, Base from, Base to) {
  if (to == Base::Double) {
    if (from == Base::Bool)
      return m_b.emit(Op::Movc, {v, m_b.constantDouble(1), m_b.constantDouble(0)});
    return m_b.emit(isFloatBase(from) ? Op::FtoD : isUnsignedBase(from) ? Op::UtoD : Op::ItoD, {v});
  }
  if (to == Base::Bool)
    return m_b.emit(Op::DNe, {v, m_b.constantDouble(0)});
  return m_b.emit(isFloatBase(to) ? Op::DtoF : isUnsignedBase(to) ? Op::DtoU : Op::DtoI, {v});
}

/// Value of zero bits.
ValueId Lowering::zeroOf(Base base) {
  return base == Base::Double ? m_b.constantDouble(0) : m_b.constant(0u);
}

void Lowering::appendBits(ValueId v, Base base, std::vector<uint32_t>& out) const {
  const Inst& i = m_module.code.insts[v];
  const bool known = i.op == Op::Const || i.op == Op::DConst;
  out.push_back(known ? i.aux[0] : 0u);
  if (base == Base::Double)
    out.push_back(known ? i.aux[1] : 0u);
}

/// A value of type double in a shader model without them is an error, once a function and place.
bool Lowering::doubleSupported(const Location& at) {
  if (m_module.target.model >= 50)
    return true;
  if (!m_quiet && !m_doubleReported)
    m_diagnostics.error(at, 3684, m_module.target.name + " does not support double-precision floating-point");
  m_doubleReported = m_doubleReported || !m_quiet;
  return false;
}

bool Lowering::intrinsicDouble(IntrinsicId id, const Expr* e, const std::vector<Value>& a, Value& r) {
  const Type* t = e->type;
  const bool result = t->isNumeric() && t->base == Base::Double;
  const bool source = !a.empty() && a[0].type->isNumeric() && a[0].type->base == Base::Double;
  auto arg = [&](size_t k, uint32_t i) { return i < a[k].v.size() ? a[k].v[i] : a[k].v[0]; };
  auto each = [&](auto f) {
    r.type = t;
    r.v.clear();
    m_b.beginGroup();
    for (uint32_t i = 0; i < t->components(); i++) {
      m_b.lane(i & 1);
      r.v.push_back(f(i));
    }
    return true;
  };
  if (id == IntrinsicId::AsUintDouble) {
    for (size_t k = 1; k < 3; k++) {
      Place p = place(e->args[k]);
      Value v;
      v.type = m_types.withBase(a[0].type, Base::Uint);
      for (ValueId x : a[0].v)
        v.v.push_back(m_b.emit(k == 1 ? Op::DLow : Op::DHigh, {x}));
      write(p, cast(v, p.type));
    }
    return true;
  }
  if (id == IntrinsicId::AsDouble)
    return each([&](uint32_t i) { return m_b.emit(Op::DPair, {arg(0, i), arg(1, i)}); });
  if (id == IntrinsicId::Sign && source)
    return each([&](uint32_t i) {
      ValueId zero = m_b.constantDouble(0), x = arg(0, i);
      return m_b.emit(Op::IAdd, {m_b.emit(Op::DLt, {x, zero}), m_b.emit(Op::INeg, {m_b.emit(Op::DLt, {zero, x})})});
    });
  if (!result)
    return false;
  switch (id) {
  case IntrinsicId::Abs:
    return each([&](uint32_t i) { return m_b.emit(Op::DAbs, {arg(0, i)}); });
  case IntrinsicId::Min:
    return each([&](uint32_t i) { return m_b.emit(Op::DMin, {arg(0, i), arg(1, i)}); });
  case IntrinsicId::Max:
    return each([&](uint32_t i) { return m_b.emit(Op::DMax, {arg(0, i), arg(1, i)}); });
  case IntrinsicId::Clamp:
    return each([&](uint32_t i) { return m_b.emit(Op::DMin, {m_b.emit(Op::DMax, {arg(0, i), arg(1, i)}), arg(2, i)}); });
  case IntrinsicId::Mad:
    return each([&](uint32_t i) { return m_b.emit(Op::DAdd, {m_b.emit(Op::DMul, {arg(0, i), arg(1, i)}), arg(2, i)}); });
  case IntrinsicId::Fma:
    return each([&](uint32_t i) { return m_b.emit(Op::DFma, {arg(0, i), arg(1, i), arg(2, i)}); });
  case IntrinsicId::Rcp:
    return each([&](uint32_t i) { return m_b.emit(Op::DRcp, {arg(0, i)}); });
  default:
    return false;
  }
}

} // namespace monolith::compiler
