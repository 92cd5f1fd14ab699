// SPDX-License-Identifier: MIT
// Intrinsic functions.
#include "compiler/lower/map.h"

#include <bit>

namespace monolith::compiler {

ValueId Lowering::dot(std::span<const ValueId> a, std::span<const ValueId> b, Base base) {
  const size_t n = std::min(a.size(), b.size());
  if (n == 0)
    return m_b.undef();
  if (!isFloatBase(base) || base == Base::Double) {
    ValueId r = binaryScalar(Operator::Mul, a[0], b[0], base);
    for (size_t i = 1; i < n; i++)
      r = binaryScalar(Operator::Add, r, binaryScalar(Operator::Mul, a[i], b[i], base), base);
    return r;
  }
  if (n == 1)
    return m_b.mul(a[0], b[0]);
  std::vector<ValueId> src(a.begin(), a.begin() + long(n));
  src.insert(src.end(), b.begin(), b.begin() + long(n));
  return m_b.emit(n == 2 ? Op::Dp2 : n == 3 ? Op::Dp3 : Op::Dp4, src);
}

Value Lowering::multiply(const Expr* e, const Value& a, const Value& b) {
  const Type *ta = a.type, *tb = b.type, *tr = e->type;
  const Base base = tr->base;
  auto times = [&](ValueId x, ValueId y) { return binaryScalar(Operator::Mul, x, y, base); };
  auto plus = [&](ValueId x, ValueId y) { return binaryScalar(Operator::Add, x, y, base); };
  if (ta->isScalar() || tb->isScalar())
    return map(tr, columnsOf(a, b), [&](uint32_t i) { return times(ta->isScalar() ? a.v[0] : a.v[i], tb->isScalar() ? b.v[0] : b.v[i]); });
  if (ta->isVector() && tb->isVector()) {
    Value r;
    r.type = tr;
    r.v.push_back(dot(a.v, b.v, base));
    return r;
  }
  const uint32_t inner = tb->isVector() ? tb->cols : ta->cols;
  const uint32_t rows = ta->isVector() ? 1 : ta->rows, cols = tb->isVector() ? 1 : tb->cols;
  auto A = [&](uint32_t i, uint32_t k) { return ta->isVector() ? a.v[k] : a.v[i * ta->cols + k]; };
  auto B = [&](uint32_t k, uint32_t j) { return tb->isVector() ? b.v[k] : b.v[k * tb->cols + j]; };
  Value r;
  r.type = tr;
  r.v.assign(size_t(rows) * cols, kNoValue);
  // Rows of a and columns of b are at hand: dot products. Otherwise sums of scaled rows of b or columns of a.
  const bool rowsOfA = ta->isVector() || !columnsTogether(a);
  const bool columnsOfB = tb->isVector() || columnsTogether(b);
  if (rowsOfA && columnsOfB && inner > 1) {
    for (uint32_t i = 0; i < rows; i++) {
      m_b.beginGroup();
      for (uint32_t j = 0; j < cols; j++) {
        m_b.lane(cols == 1 ? i : j);
        std::vector<ValueId> x, y;
        for (uint32_t k = 0; k < inner; k++) {
          x.push_back(A(i, k));
          y.push_back(B(k, j));
        }
        r.v[i * cols + j] = dot(x, y, base);
      }
    }
    return r;
  }
  static constexpr uint32_t order[4][4] = {{0}, {1, 0}, {1, 0, 2}, {1, 0, 2, 3}};
  const bool byColumns = columnsOfB; // then a is in columns
  r.columns = byColumns && tr->isMatrix();
  const uint32_t outer = byColumns ? cols : rows, width = byColumns ? rows : cols;
  for (uint32_t o = 0; o < outer; o++)
    for (uint32_t s = 0; s < inner; s++) {
      const uint32_t k = order[inner - 1][s];
      std::vector<ValueId> products(width);
      m_b.beginGroup();
      for (uint32_t w = 0; w < width; w++) {
        m_b.lane(w);
        const uint32_t i = byColumns ? w : o, j = byColumns ? o : w;
        products[w] = times(A(i, k), B(k, j));
      }
      if (s)
        m_b.beginGroup();
      for (uint32_t w = 0; w < width; w++) {
        m_b.lane(w);
        ValueId& sum = r.v[(byColumns ? w : o) * cols + (byColumns ? o : w)];
        sum = sum ? plus(products[w], sum) : products[w];
      }
    }
  return r;
}

Value Lowering::transpose(const Value& m, const Type* type) {
  Value r;
  r.type = type;
  const uint32_t rows = m.type->rows, cols = m.type->cols;
  r.columns = !columnsTogether(m);
  r.v.resize(size_t(rows) * cols);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < cols; j++)
      r.v[j * rows + i] = m.v[i * cols + j];
  return r;
}

Value Lowering::intrinsicVector(IntrinsicId id, const Expr* e, const std::vector<Value>& a) {
  Value r;
  r.type = e->type;
  auto one = [&](ValueId v) {
    r.v.push_back(v);
    return r;
  };
  auto group = [&](uint32_t n, auto f) {
    std::vector<ValueId> v(n);
    m_b.beginGroup();
    for (uint32_t i = 0; i < n; i++) {
      m_b.lane(i);
      v[i] = f(i);
    }
    return v;
  };
  const uint32_t n = a.empty() ? 0 : uint32_t(a[0].v.size());
  switch (id) {
  case IntrinsicId::Dot:
    m_b.beginGroup();
    return one(dot(a[0].v, a[1].v, a[0].type->base));
  case IntrinsicId::Length:
  case IntrinsicId::Distance: {
    std::vector<ValueId> d = a[0].v;
    if (id == IntrinsicId::Distance)
      d = group(n, [&](uint32_t i) { return m_b.sub(a[0].v[i], a[1].v[i]); });
    m_b.beginGroup();
    if (n == 1)
      return one(m_b.emit(Op::Abs, {d[0]}));
    return one(m_b.emit(Op::Sqrt, {dot(d, d, Base::Float)}));
  }
  case IntrinsicId::Normalize: {
    m_b.beginGroup();
    m_b.lane(3);
    ValueId s = m_b.emit(Op::Rsq, {dot(a[0].v, a[0].v, Base::Float)});
    r.v = group(n, [&](uint32_t i) { return m_b.mul(s, a[0].v[i]); });
    return r;
  }
  case IntrinsicId::Cross: {
    static constexpr uint32_t y[3] = {1, 2, 0}, z[3] = {2, 0, 1};
    std::vector<ValueId> p = group(3, [&](uint32_t i) { return m_b.mul(a[0].v[z[i]], a[1].v[y[i]]); });
    std::vector<ValueId> q = group(3, [&](uint32_t i) { return m_b.mul(a[0].v[y[i]], a[1].v[z[i]]); });
    r.v = group(3, [&](uint32_t i) { return m_b.sub(q[i], p[i]); });
    return r;
  }
  case IntrinsicId::Reflect: { // i - 2 * dot(i, n) * n
    m_b.beginGroup();
    m_b.lane(3);
    ValueId d = dot(a[0].v, a[1].v, Base::Float);
    d = m_b.add(d, d);
    std::vector<ValueId> p = group(n, [&](uint32_t i) { return m_b.mul(a[1].v[i], m_b.neg(d)); });
    r.v = group(n, [&](uint32_t i) { return m_b.add(p[i], a[0].v[i]); });
    return r;
  }
  case IntrinsicId::Refract: { // k = 1 - eta^2 (1 - (n.i)^2); k < 0 ? 0 : eta i - (eta n.i + sqrt k) n
    m_b.beginGroup();
    m_b.lane(0);
    ValueId eta = a[2].v[0], d = dot(a[1].v, a[0].v, Base::Float);
    ValueId k = m_b.sub(c(1.0f), m_b.mul(m_b.mul(eta, eta), m_b.sub(c(1.0f), m_b.mul(d, d))));
    ValueId ok = m_b.emit(Op::FGe, {k, c(0.0f)});
    ValueId s = m_b.add(m_b.mul(eta, d), m_b.emit(Op::Sqrt, {k}));
    std::vector<ValueId> p = group(n, [&](uint32_t i) { return m_b.mul(eta, a[0].v[i]); });
    std::vector<ValueId> q = group(n, [&](uint32_t i) { return m_b.sub(p[i], m_b.mul(s, a[1].v[i])); });
    r.v = group(n, [&](uint32_t i) { return m_b.emit(Op::Movc, {ok, q[i], c(0.0f)}); });
    return r;
  }
  case IntrinsicId::FaceForward: { // -n * sign(dot(i, ng))
    m_b.beginGroup();
    ValueId d = dot(a[1].v, a[2].v, Base::Float);
    ValueId front = m_b.emit(Op::FLt, {d, c(0.0f)});
    r.v = group(n, [&](uint32_t i) { return m_b.emit(Op::Movc, {front, a[0].v[i], m_b.neg(a[0].v[i])}); });
    return r;
  }
  case IntrinsicId::Dst:
    r.v = {c(1.0f), m_b.mul(a[0].v[1], a[1].v[1]), a[0].v[2], a[1].v[3]};
    return r;
  case IntrinsicId::Lit: {
    ValueId l = a[0].v[0], h = a[1].v[0], m = a[2].v[0];
    ValueId p = m_b.emit(Op::Exp, {m_b.mul(m_b.emit(Op::Log, {h}), m)});
    ValueId bad = m_b.emit(Op::FLt, {m_b.emit(Op::Min, {l, h}), c(0.0f)});
    r.v = {c(1.0f), m_b.emit(Op::Max, {l, c(0.0f)}), m_b.emit(Op::Movc, {bad, c(0.0f), p}), c(1.0f)};
    return r;
  }
  case IntrinsicId::Determinant:
    return one(determinant(a[0].v, a[0].type->rows));
  case IntrinsicId::Transpose:
    return transpose(a[0], e->type);
  case IntrinsicId::Any:
  case IntrinsicId::All: {
    const Base base = a[0].type->base;
    std::vector<ValueId> t = group(n, [&](uint32_t i) { return convertScalar(a[0].v[i], base, Base::Bool); });
    // In pairs, so that the last step is not a chain.
    const Op op = id == IntrinsicId::Any ? Op::Or : Op::And;
    while (t.size() > 1) {
      std::vector<ValueId> half;
      size_t m = (t.size() + 1) / 2;
      m_b.beginGroup();
      for (size_t i = 0; i < m; i++) {
        m_b.lane(uint32_t(i & 3));
        half.push_back(i + m < t.size() ? m_b.emit(op, {t[i], t[i + m]}) : t[i]);
      }
      t = std::move(half);
    }
    return one(t[0]);
  }
  case IntrinsicId::ColorToUbyte4: {
    static constexpr uint32_t order[4] = {2, 1, 0, 3};
    std::vector<ValueId> p = group(4, [&](uint32_t i) { return m_b.mul(a[0].v[order[i]], c(255.001953f)); });
    r.v = group(4, [&](uint32_t i) { return m_b.emit(Op::FtoI, {p[i]}); });
    return r;
  }
  default:
    return r;
  }
}

Value Lowering::intrinsicBits(IntrinsicId id, const Expr* e, const std::vector<Value>& a) {
  const Base base = a.empty() ? Base::Float : a[0].type->base;
  const bool flt = isFloatBase(base), uns = isUnsignedBase(base);
  return map(e->type, false, [&](uint32_t i) -> ValueId {
    ValueId x = a[0].v[i];
    switch (id) {
    case IntrinsicId::AsFloat:
    case IntrinsicId::AsInt:
    case IntrinsicId::AsUint:
      return base == Base::Bool ? convertScalar(x, Base::Bool, Base::Int) : x;
    case IntrinsicId::CountBits:
      return m_b.emit(Op::CountBits, {x});
    case IntrinsicId::ReverseBits:
      return m_b.emit(Op::BfRev, {x});
    case IntrinsicId::FirstBitLow:
      return m_b.emit(Op::FirstBitLo, {x});
    case IntrinsicId::FirstBitHigh: { // the machine counts from the top
      ValueId f = m_b.emit(uns ? Op::FirstBitHi : Op::FirstBitShi, {x});
      const ValueId fromBelow = m_b.emit(Op::IAdd, {m_b.constant(31u), m_b.emit(Op::INeg, {f})});
      if (uns)
        return m_b.emit(Op::Movc, {x, fromBelow, m_b.constant(~0u)});
      return m_b.emit(Op::Movc, {m_b.emit(Op::IEq, {f, m_b.constant(~0u)}), f, fromBelow});
    }
    case IntrinsicId::F16ToF32:
      return m_b.emit(Op::F16toF32, {x});
    case IntrinsicId::F32ToF16:
      return m_b.emit(Op::F32toF16, {x});
    case IntrinsicId::IsNan:
      return m_b.emit(Op::FNe, {x, x});
    case IntrinsicId::IsInf:
      return m_b.emit(Op::IEq, {m_b.emit(Op::And, {x, m_b.constant(0x7fffffffu)}), m_b.constant(0x7f800000u)});
    case IntrinsicId::IsFinite:
      return m_b.emit(Op::INe, {m_b.emit(Op::And, {x, m_b.constant(0x7f800000u)}), m_b.constant(0x7f800000u)});
    case IntrinsicId::Sign: {
      ValueId zero = m_b.constant(0u);
      ValueId up = m_b.emit(flt ? Op::FLt : Op::ILt, {zero, x}), down = m_b.emit(flt ? Op::FLt : Op::ILt, {x, zero});
      if (uns)
        return m_b.emit(Op::UMin, {x, m_b.constant(1u)});
      return m_b.emit(Op::IAdd, {down, m_b.emit(Op::INeg, {up})});
    }
    default:
      return x;
    }
  });
}

void Lowering::intrinsicOut(IntrinsicId id, const Expr* e, const std::vector<Value>& a, Value& r) {
  const Type* t = a[0].type;
  auto store = [&](size_t k, Value v) {
    Place p = place(e->args[k]);
    write(p, cast(v, p.type));
  };
  if (id == IntrinsicId::SinCos) {
    store(1, map(t, false, [&](uint32_t i) { return m_b.emit(Op::Sin, {a[0].v[i]}); }));
    store(2, map(t, false, [&](uint32_t i) { return m_b.emit(Op::Cos, {a[0].v[i]}); }));
    return;
  }
  if (id == IntrinsicId::Modf) {
    Value whole = map(t, false, [&](uint32_t i) { return m_b.emit(Op::RoundZ, {a[0].v[i]}); });
    r = map(t, false, [&](uint32_t i) { return m_b.sub(a[0].v[i], whole.v[i]); });
    store(1, whole);
    return;
  }
  // frexp: mantissa in [0.5, 1) with the sign, exponent as a float
  Value exponent = map(t, false, [&](uint32_t i) {
    ValueId bits = m_b.emit(Op::And, {a[0].v[i], m_b.constant(0x7f800000u)});
    ValueId ex = m_b.emit(Op::ItoF, {m_b.emit(Op::IAdd, {m_b.emit(Op::UShr, {bits, m_b.constant(23u)}), m_b.constant(uint32_t(-126))})});
    return m_b.emit(Op::Movc, {bits, ex, m_b.constant(0u)});
  });
  r = map(t, false, [&](uint32_t i) {
    ValueId bits = m_b.emit(Op::And, {a[0].v[i], m_b.constant(0x7f800000u)});
    ValueId m = m_b.emit(Op::Or, {m_b.emit(Op::And, {a[0].v[i], m_b.constant(0x807fffffu)}), m_b.constant(0x3f000000u)});
    return m_b.emit(Op::Movc, {bits, m, m_b.constant(0u)});
  });
  store(1, exponent);
}

Value Lowering::intrinsic(const Expr* e) {
  const IntrinsicId id = e->intrinsic->id;
  std::vector<Value> a;
  Value r;
  r.type = e->type;
  if (interlocked(id, e) || barrier(id, e))
    return r;
  const bool out = id == IntrinsicId::AsUintDouble || id == IntrinsicId::SinCos || id == IntrinsicId::Modf || id == IntrinsicId::Frexp;
  for (size_t i = 0; i < e->args.size(); i++)
    if (!out || i == 0)
      a.push_back(expr(e->args[i]));
  checkIntrinsic(id, e, a);
  if (intrinsicDouble(id, e, a, r))
    return r;
  switch (id) {
  case IntrinsicId::SinCos:
  case IntrinsicId::Modf:
  case IntrinsicId::Frexp:
    intrinsicOut(id, e, a, r);
    return r;
  case IntrinsicId::Mul:
    return multiply(e, a[0], a[1]);
  case IntrinsicId::Clip: {
    m_b.beginGroup();
    ValueId any = m_b.constant(0u);
    std::vector<ValueId> t;
    for (uint32_t i = 0; i < a[0].v.size(); i++) {
      m_b.lane(i & 3);
      t.push_back(m_b.emit(Op::FLt, {a[0].v[i], c(0.0f)}));
    }
    for (ValueId v : t)
      any = m_b.emit(Op::Or, {any, v});
    discard(any, e->loc);
    return r;
  }
  case IntrinsicId::Msad4: { // one sum for each place of the reference within eight bytes
    const ValueId x = a[1].v[0], y = a[1].v[1];
    std::vector<ValueId> window{x};
    for (uint32_t k = 1; k < 4; k++)
      window.push_back(m_b.emit(Op::Or, {m_b.emit(Op::UShr, {x, m_b.constant(8 * k)}), m_b.emit(Op::Shl, {y, m_b.constant(32 - 8 * k)})}));
    return map(e->type, false, [&](uint32_t i) { return m_b.emit(Op::Msad, {a[0].v[0], window[i], a[2].v[i]}); });
  }
  case IntrinsicId::CheckMapped:
    m_b.beginGroup();
    r.v.push_back(m_b.emit(Op::CheckMapped, {a[0].v[0]}));
    return r;
  case IntrinsicId::RenderTargetSampleCount: {
    Fetch f;
    f.resource = ~0u;
    f.returnKind = 2;
    ValueId i = m_b.emit(Op::SampleInfo, std::span<const ValueId>(), fetchIndex(f));
    r.v.push_back(m_b.emit(Op::Extract, {i}, 0));
    return r;
  }
  case IntrinsicId::RenderTargetSamplePosition: {
    Fetch f;
    f.resource = ~0u;
    f.addressCount = 1;
    ValueId i = m_b.emit(Op::SamplePos, {a[0].v[0]}, fetchIndex(f));
    r.v = {m_b.emit(Op::Extract, {i}, 0), m_b.emit(Op::Extract, {i}, 1)};
    return r;
  }
  case IntrinsicId::AsFloat:
  case IntrinsicId::AsInt:
  case IntrinsicId::AsUint:
  case IntrinsicId::CountBits:
  case IntrinsicId::ReverseBits:
  case IntrinsicId::FirstBitLow:
  case IntrinsicId::FirstBitHigh:
  case IntrinsicId::F16ToF32:
  case IntrinsicId::F32ToF16:
  case IntrinsicId::IsNan:
  case IntrinsicId::IsInf:
  case IntrinsicId::IsFinite:
  case IntrinsicId::Sign:
    return intrinsicBits(id, e, a);
  case IntrinsicId::Dot:
  case IntrinsicId::Length:
  case IntrinsicId::Distance:
  case IntrinsicId::Normalize:
  case IntrinsicId::Cross:
  case IntrinsicId::Reflect:
  case IntrinsicId::Refract:
  case IntrinsicId::FaceForward:
  case IntrinsicId::Dst:
  case IntrinsicId::Lit:
  case IntrinsicId::Determinant:
  case IntrinsicId::Transpose:
  case IntrinsicId::Any:
  case IntrinsicId::All:
  case IntrinsicId::ColorToUbyte4:
    return intrinsicVector(id, e, a);
  default:
    return intrinsicFloat(id, e, a);
  }
}

} // namespace monolith::compiler
