// SPDX-License-Identifier: MIT
// Component-wise mathematics.
#include "compiler/lower/map.h"

#include <algorithm>
#include <bit>

namespace monolith::compiler {

bool Lowering::nonNegative(ValueId v, int depth) const {
  const Function& f = m_module.code;
  const Inst& i = f.insts[v];
  auto s = [&](size_t k) { return f.pool[i.first + k].id; };
  if (depth > 6)
    return false;
  switch (i.op) {
  case Op::Const:
    return std::bit_cast<float>(i.aux[0]) >= 0;
  case Op::Abs:
  case Op::Sat:
  case Op::Sqrt:
  case Op::Rsq:
  case Op::Exp:
  case Op::Frc:
  case Op::UtoF:
    return true;
  case Op::Max:
    return nonNegative(s(0), depth + 1) || nonNegative(s(1), depth + 1);
  case Op::Mul:
    return s(0) == s(1) || (nonNegative(s(0), depth + 1) && nonNegative(s(1), depth + 1));
  case Op::Add:
  case Op::Min:
  case Op::Div:
    return nonNegative(s(0), depth + 1) && nonNegative(s(1), depth + 1);
  case Op::Movc:
    return nonNegative(s(1), depth + 1) && nonNegative(s(2), depth + 1);
  case Op::And:
    return f.isConst(s(1)) && std::bit_cast<float>(f.bits(s(1))) >= 0 && m_b.isBool(s(0));
  case Op::Dp2:
  case Op::Dp3:
  case Op::Dp4: {
    size_t n = i.count / 2u;
    for (size_t k = 0; k < n; k++)
      if (s(k) != s(n + k))
        return false;
    return true;
  }
  default:
    return false;
  }
}

ValueId Lowering::power(ValueId x, ValueId y, const Expr* e) {
  const Function& f = m_module.code;
  if (f.isConst(y)) {
    const float k = std::bit_cast<float>(f.bits(y));
    if (k == 0.5f)
      return m_b.emit(Op::Sqrt, {x});
    if (k == 1.0f)
      return x;
    if (k < 0.0f && k >= -8.0f && k == float(int(k)))
      return m_b.emit(Op::Div, {c(1.0f), power(x, c(-k), e)});
    if (k > 1.0f && k <= 8.0f && k == float(int(k))) {
      ValueId r = kNoValue, square = x;
      for (uint32_t n = uint32_t(k); n; n >>= 1) {
        if (n & 1)
          r = r ? m_b.mul(r, square) : square;
        if (n > 1)
          square = m_b.mul(square, square);
      }
      return r;
    }
  }
  if (!m_quiet && !nonNegative(x))
    m_diagnostics.warning(e->loc, 3571, "pow(f, e) will not work for negative f, use abs(f) or conditionally handle negative values if you expect them");
  return m_b.emit(Op::Exp, {m_b.mul(m_b.emit(Op::Log, {x}), y)});
}

/// atan on [0, 1] by a polynomial of degree 9 in x, larger arguments by pi / 2 - atan(1 / x).
ValueId Lowering::arcTangent(ValueId x) {
  ValueId ax = m_b.emit(Op::Abs, {x});
  ValueId low = m_b.emit(Op::Min, {ax, c(1.0f)}), high = m_b.emit(Op::Max, {ax, c(1.0f)});
  ValueId t = m_b.emit(Op::Div, {low, high});
  ValueId s = m_b.mul(t, t);
  ValueId p = m_b.mad(s, c(0.0208350997f), c(-0.0851330012f));
  p = m_b.mad(s, p, c(0.180141002f));
  p = m_b.mad(s, p, c(-0.330299497f));
  p = m_b.mad(s, p, c(0.999866009f));
  ValueId r = m_b.mul(p, t);
  ValueId big = m_b.emit(Op::FLt, {c(1.0f), ax});
  ValueId other = m_b.mad(r, c(-2.0f), c(1.57079637f));
  m_b.forgetProducts(); // r has two uses and stays a product of its own
  r = m_b.add(r, m_b.emit(Op::Movc, {big, other, c(0.0f)}));
  ValueId negative = m_b.emit(Op::FLt, {x, c(0.0f)});
  return m_b.emit(Op::Movc, {negative, m_b.neg(r), r});
}

ValueId Lowering::arcTangent2(ValueId y, ValueId x) {
  ValueId ax = m_b.emit(Op::Abs, {x}), ay = m_b.emit(Op::Abs, {y});
  ValueId t = m_b.emit(Op::Div, {m_b.emit(Op::Min, {ax, ay}), m_b.emit(Op::Max, {ax, ay})});
  ValueId s = m_b.mul(t, t);
  ValueId p = m_b.mad(s, c(0.0208350997f), c(-0.0851330012f));
  p = m_b.mad(s, p, c(0.180141002f));
  p = m_b.mad(s, p, c(-0.330299497f));
  p = m_b.mad(s, p, c(0.999866009f));
  ValueId r = m_b.mul(p, t);
  ValueId steep = m_b.emit(Op::FLt, {ax, ay});
  const ValueId other = m_b.mad(r, c(-2.0f), c(1.57079637f));
  m_b.forgetProducts(); // r has two uses and stays a product of its own
  r = m_b.add(r, m_b.emit(Op::Movc, {steep, other, c(0.0f)}));
  ValueId left = m_b.emit(Op::FLt, {x, m_b.neg(x)});
  r = m_b.add(r, m_b.emit(Op::And, {left, c(-3.14159274f)}));
  ValueId low = m_b.emit(Op::Min, {x, y}), high = m_b.emit(Op::Max, {x, y});
  ValueId flip = m_b.emit(Op::And, {m_b.emit(Op::FLt, {low, m_b.neg(low)}), m_b.emit(Op::FGe, {high, m_b.neg(high)})});
  return m_b.emit(Op::Movc, {flip, m_b.neg(r), r});
}

/// acos and asin by sqrt(1 - |x|) times a polynomial of degree 3.
ValueId Lowering::arcCosine(ValueId x) {
  ValueId ax = m_b.emit(Op::Abs, {x});
  ValueId p = m_b.mad(ax, c(-0.0187292993f), c(0.0742610022f));
  p = m_b.mad(p, ax, c(-0.212114394f));
  p = m_b.mad(p, ax, c(1.57072878f));
  ValueId s = m_b.emit(Op::Sqrt, {m_b.sub(c(1.0f), ax)});
  ValueId r = m_b.mul(s, p);
  ValueId negative = m_b.emit(Op::FLt, {x, m_b.neg(x)});
  ValueId fix = m_b.emit(Op::And, {negative, m_b.mad(r, c(-2.0f), c(3.14159274f))});
  m_b.forgetProducts(); // r has two uses and stays a product of its own
  return m_b.add(r, fix);
}

ValueId Lowering::arcSine(ValueId x) {
  return m_b.sub(c(1.57079637f), arcCosine(x)); // asin x = pi / 2 - acos x
}

ValueId Lowering::determinant(const std::vector<ValueId>& m, uint32_t n) {
  m_b.beginGroup();
  if (n == 1)
    return m[0];
  if (n == 2)
    return m_b.sub(m_b.mul(m[0], m[3]), m_b.mul(m[1], m[2]));
  ValueId sum = kNoValue;
  for (uint32_t k = 0; k < n; k++) {
    std::vector<ValueId> minor;
    for (uint32_t i = 1; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        if (j != k)
          minor.push_back(m[i * n + j]);
    ValueId t = m_b.mul(m[k], determinant(minor, n - 1));
    if (k & 1)
      t = m_b.neg(t);
    sum = sum ? m_b.add(sum, t) : t;
  }
  return sum;
}

ValueId Lowering::unaryMath(IntrinsicId id, ValueId x) {
  switch (id) {
  case IntrinsicId::Acos:
    return arcCosine(x);
  case IntrinsicId::Asin:
    return arcSine(x);
  case IntrinsicId::Atan:
    return arcTangent(x);
  case IntrinsicId::Ceil:
    return m_b.emit(Op::RoundPi, {x});
  case IntrinsicId::Floor:
    return m_b.emit(Op::RoundNi, {x});
  case IntrinsicId::Round:
    return m_b.emit(Op::RoundNe, {x});
  case IntrinsicId::Trunc:
    return m_b.emit(Op::RoundZ, {x});
  case IntrinsicId::Frac:
    return m_b.emit(Op::Frc, {x});
  case IntrinsicId::Cos:
    return m_b.emit(Op::Cos, {x});
  case IntrinsicId::Sin:
    return m_b.emit(Op::Sin, {x});
  case IntrinsicId::Tan:
    return m_b.emit(Op::Div, {m_b.emit(Op::Sin, {x}), m_b.emit(Op::Cos, {x})});
  case IntrinsicId::Cosh:
  case IntrinsicId::Sinh: {
    ValueId k = m_b.mul(x, c(1.44269502f));
    ValueId up = m_b.emit(Op::Exp, {k}), down = m_b.emit(Op::Exp, {m_b.neg(k)});
    return m_b.mul(id == IntrinsicId::Cosh ? m_b.add(up, down) : m_b.sub(up, down), c(0.5f));
  }
  case IntrinsicId::Tanh: {
    ValueId k = m_b.mul(x, c(1.44269502f));
    ValueId up = m_b.emit(Op::Exp, {k}), down = m_b.emit(Op::Exp, {m_b.neg(k)});
    return m_b.emit(Op::Div, {m_b.sub(up, down), m_b.add(up, down)});
  }
  case IntrinsicId::Exp:
    return m_b.emit(Op::Exp, {m_b.mul(x, c(1.44269502f))});
  case IntrinsicId::Exp2:
    return m_b.emit(Op::Exp, {x});
  case IntrinsicId::Log:
    return m_b.mul(m_b.emit(Op::Log, {x}), c(0.693147182f));
  case IntrinsicId::Log10:
    return m_b.mul(m_b.emit(Op::Log, {x}), c(0.30103001f));
  case IntrinsicId::Log2:
    return m_b.emit(Op::Log, {x});
  case IntrinsicId::Degrees:
    return m_b.mul(x, c(57.2957802f));
  case IntrinsicId::Radians:
    return m_b.mul(x, c(0.0174532924f));
  case IntrinsicId::Rcp:
    return m_b.emit(Op::Rcp, {x});
  case IntrinsicId::Rsqrt:
    return m_b.emit(Op::Rsq, {x});
  case IntrinsicId::Sqrt:
    return m_b.emit(Op::Sqrt, {x});
  case IntrinsicId::Saturate:
    return m_b.emit(Op::Sat, {x});
  case IntrinsicId::Ddx:
    return m_b.emit(m_module.target.model >= 50 ? Op::DerivXCoarse : Op::DerivX, {x});
  case IntrinsicId::Ddy:
    return m_b.emit(m_module.target.model >= 50 ? Op::DerivYCoarse : Op::DerivY, {x});
  case IntrinsicId::DdxCoarse:
    return m_b.emit(Op::DerivXCoarse, {x});
  case IntrinsicId::DdxFine:
    return m_b.emit(Op::DerivXFine, {x});
  case IntrinsicId::DdyCoarse:
    return m_b.emit(Op::DerivYCoarse, {x});
  case IntrinsicId::DdyFine:
    return m_b.emit(Op::DerivYFine, {x});
  default:
    return x;
  }
}

Value Lowering::intrinsicFloat(IntrinsicId id, const Expr* e, const std::vector<Value>& a) {
  const Type* t = e->type;
  const Base base = t->base;
  const bool flt = isFloatBase(base), uns = isUnsignedBase(base);
  auto arg = [&](size_t k, uint32_t i) { return i < a[k].v.size() ? a[k].v[i] : a[k].v[0]; };
  auto each = [&](auto f) { return map(t, false, f); };
  auto values = [&](auto f) { return map(t, false, f).v; };
  if (id == IntrinsicId::EvaluateAtCentroid || id == IntrinsicId::EvaluateAtSample || id == IntrinsicId::EvaluateSnapped)
    for (ValueId v : a[0].v) {
      const Inst& in = m_module.code.insts[v];
      if (in.op != Op::Input) {
        report(e->loc, 3674, "attribute evaluation can only be done on values taken directly from inputs");
        break;
      }
      bool position = false;
      for (const IoElement& x : m_module.inputs)
        position = position || (x.systemValue == dxbc::SignatureSystemValue::Position && x.registerType == dxbc::RegisterType(in.aux[0] >> 16) && x.reg == (in.aux[0] & 0xffff));
      if (position) {
        report(e->loc, 3673, m_module.target.name + " does not support pull-model evaluation of position");
        break;
      }
    }
  switch (id) {
  case IntrinsicId::Abs:
    return each([&](uint32_t i) {
      ValueId x = arg(0, i);
      return flt ? m_b.emit(Op::Abs, {x}) : uns ? x : m_b.emit(Op::IMax, {x, m_b.emit(Op::INeg, {x})});
    });
  case IntrinsicId::Min:
    return each([&](uint32_t i) { return m_b.emit(flt ? Op::Min : uns ? Op::UMin : Op::IMin, {arg(0, i), arg(1, i)}); });
  case IntrinsicId::Max:
    return each([&](uint32_t i) { return m_b.emit(flt ? Op::Max : uns ? Op::UMax : Op::IMax, {arg(0, i), arg(1, i)}); });
  case IntrinsicId::Clamp: {
    std::vector<ValueId> low = values([&](uint32_t i) {
      const Function& f = m_module.code;
      if (flt && f.isConst(arg(1, i)) && f.isConst(arg(2, i)) && f.bits(arg(1, i)) == 0 && f.bits(arg(2, i)) == 0x3f800000u)
        return m_b.emit(Op::Sat, {arg(0, i)});
      return m_b.emit(flt ? Op::Max : uns ? Op::UMax : Op::IMax, {arg(0, i), arg(1, i)});
    });
    return each([&](uint32_t i) {
      if (m_module.code.insts[low[i]].op == Op::Sat && m_module.code.isConst(arg(1, i)))
        return low[i];
      return m_b.emit(flt ? Op::Min : uns ? Op::UMin : Op::IMin, {low[i], arg(2, i)});
    });
  }
  case IntrinsicId::Mad: {
    std::vector<ValueId> p = values([&](uint32_t i) { return flt ? m_b.mul(arg(0, i), arg(1, i)) : m_b.emit(Op::IMul, {arg(0, i), arg(1, i)}); });
    return each([&](uint32_t i) { return flt ? m_b.add(p[i], arg(2, i)) : m_b.emit(Op::IAdd, {p[i], arg(2, i)}); });
  }
  case IntrinsicId::Lerp: { // x + s * (y - x)
    std::vector<ValueId> d = values([&](uint32_t i) { return m_b.sub(arg(1, i), arg(0, i)); });
    std::vector<ValueId> p = values([&](uint32_t i) { return m_b.mul(arg(2, i), d[i]); });
    return each([&](uint32_t i) { return m_b.add(p[i], arg(0, i)); });
  }
  case IntrinsicId::Step:
    return each([&](uint32_t i) { return m_b.emit(Op::And, {m_b.emit(Op::FGe, {arg(1, i), arg(0, i)}), c(1.0f)}); });
  case IntrinsicId::SmoothStep: {
    std::vector<ValueId> width = values([&](uint32_t i) { return m_b.sub(arg(1, i), arg(0, i)); });
    std::vector<ValueId> from = values([&](uint32_t i) { return m_b.sub(arg(2, i), arg(0, i)); });
    std::vector<ValueId> over = values([&](uint32_t i) { return m_b.emit(Op::Div, {c(1.0f), width[i]}); });
    std::vector<ValueId> s = values([&](uint32_t i) { return m_b.emit(Op::Sat, {m_b.mul(over[i], from[i])}); });
    std::vector<ValueId> k = values([&](uint32_t i) { return m_b.mad(s[i], c(-2.0f), c(3.0f)); });
    std::vector<ValueId> q = values([&](uint32_t i) { return m_b.mul(s[i], s[i]); });
    return each([&](uint32_t i) { return m_b.mul(q[i], k[i]); });
  }
  case IntrinsicId::Pow: {
    const Function& f = m_module.code;
    bool same = true;
    for (uint32_t i = 0; i < t->components(); i++)
      same = same && !f.isConst(arg(1, i));
    if (same) { // step by step, so that each step stays one instruction
      for (uint32_t i = 0; i < t->components() && !m_quiet; i++)
        if (!nonNegative(arg(0, i))) {
          m_diagnostics.warning(e->loc, 3571, "pow(f, e) will not work for negative f, use abs(f) or conditionally handle negative values if you expect them");
          break;
        }
      std::vector<ValueId> l = values([&](uint32_t i) { return m_b.emit(Op::Log, {arg(0, i)}); });
      std::vector<ValueId> p = values([&](uint32_t i) { return m_b.mul(l[i], arg(1, i)); });
      return each([&](uint32_t i) { return m_b.emit(Op::Exp, {p[i]}); });
    }
    return each([&](uint32_t i) { return power(arg(0, i), arg(1, i), e); });
  }
  case IntrinsicId::Fmod:
    return each([&](uint32_t i) { return floatMod(arg(0, i), arg(1, i)); });
  case IntrinsicId::Atan2:
    return each([&](uint32_t i) { return arcTangent2(arg(0, i), arg(1, i)); });
  case IntrinsicId::Ldexp: {
    std::vector<ValueId> p = values([&](uint32_t i) { return m_b.emit(Op::Exp, {arg(1, i)}); });
    return each([&](uint32_t i) { return m_b.mul(p[i], arg(0, i)); });
  }
  case IntrinsicId::Fwidth: {
    std::vector<ValueId> x = values([&](uint32_t i) { return unaryMath(IntrinsicId::Ddx, arg(0, i)); });
    std::vector<ValueId> y = values([&](uint32_t i) { return unaryMath(IntrinsicId::Ddy, arg(0, i)); });
    return each([&](uint32_t i) { return m_b.add(m_b.emit(Op::Abs, {x[i]}), m_b.emit(Op::Abs, {y[i]})); });
  }
  case IntrinsicId::EvaluateAtCentroid:
    return each([&](uint32_t i) { return m_b.emit(Op::EvalCentroid, {arg(0, i)}); });
  case IntrinsicId::EvaluateAtSample:
    return each([&](uint32_t i) { return m_b.emit(Op::EvalSample, {arg(0, i), a[1].v[0]}); });
  case IntrinsicId::EvaluateSnapped:
    for (ValueId v : a[1].v)
      if (m_module.code.isConst(v) && int32_t(m_module.code.bits(v)) != std::clamp(int32_t(m_module.code.bits(v)), -8, 7)) {
        report(e->loc, 4593, "EvaluateAttributeSnapped: snap offset must be in the range -8 to 7");
        break;
      }
    return each([&](uint32_t i) { return m_b.emit(Op::EvalSnapped, {arg(0, i), a[1].v[0], a[1].v[1]}); });
  default:
    return each([&](uint32_t i) { return unaryMath(id, arg(0, i)); });
  }
}

} // namespace monolith::compiler
