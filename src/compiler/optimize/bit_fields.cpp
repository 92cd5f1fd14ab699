// SPDX-License-Identifier: MIT
// Shifts and masks of shader model 5 that are one instruction: ubfe, ibfe, bfi. Runs late, so that everything before
// sees plain shifts and masks.
#include "compiler/optimize/optimize.h"

#include <bit>
#include <map>
#include <optional>

namespace monolith::compiler {

namespace {

class BitFields {
public:
  BitFields(Function& f, Builder& b) : m_f(f), m_b(b) {}
  bool run() {
    // A vector operation becomes another one as a whole or not at all.
    std::map<std::pair<uint32_t, Op>, std::pair<uint32_t, uint32_t>> lanes; // all and those that can
    std::map<ValueId, Inst> found;
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      const Inst& i = m_f.insts[id];
      if (!hasTrait(i.op, kLanes) || i.precision != dxbc::MinPrecision::None)
        return;
      auto& count = lanes[{i.group, i.op}];
      count.first++;
      if (const std::optional<Inst> better = match(id)) {
        count.second++;
        found.emplace(id, *better);
      }
    });
    bool changed = false;
    for (auto& [id, better] : found) {
      Inst& i = m_f.insts[id];
      const auto& count = lanes[{i.group, i.op}];
      if (count.first != count.second)
        continue;
      i.op = better.op;
      i.first = better.first;
      i.count = better.count;
      changed = true;
    }
    return changed;
  }

private:
  static constexpr Src plain(ValueId id) { return {id, false, false}; }
  const Src& source(ValueId id, size_t k) const { return m_f.pool[m_f.insts[id].first + k]; }
  bool is(ValueId id, Op op) const { return m_f.insts[id].op == op && !m_f.insts[id].saturate; }
  bool bits(const Src& s, uint32_t& out) const {
    if (s.neg || s.abs || !m_f.isConst(s.id))
      return false;
    out = m_f.bits(s.id);
    return true;
  }
  /// x and k of `op(x, k)` with a constant k.
  bool withConstant(ValueId id, Op op, Src& x, uint32_t& k) const {
    if (!is(id, op) || !bits(source(id, 1), k))
      return false;
    x = source(id, 0);
    return !x.neg && !x.abs;
  }
  /// Number of ones from bit 0 on if there are no others; 0: not so.
  static uint32_t width(uint32_t mask) { return mask && (mask & (mask + 1)) == 0 && mask != ~0u ? uint32_t(std::countr_one(mask)) : 0; }

  Inst make(Op op, std::initializer_list<Src> sources) {
    Inst i;
    i.op = op;
    i.count = uint16_t(sources.size());
    i.first = uint32_t(m_f.pool.size());
    m_f.pool.insert(m_f.pool.end(), sources);
    return i;
  }
  Inst extract(Op op, uint32_t w, uint32_t at, Src x) { return make(op, {plain(m_b.constant(w)), plain(m_b.constant(at)), x}); }
  Inst insert(uint32_t w, uint32_t at, Src x, Src base) { return make(Op::Bfi, {plain(m_b.constant(w)), plain(m_b.constant(at)), x, base}); }

  /// Bits that may be set.
  uint32_t possible(ValueId id, int depth = 0) const {
    Src x;
    uint32_t k, w;
    if (m_f.isConst(id))
      return m_f.bits(id);
    if (depth > 6)
      return ~0u;
    if (withConstant(id, Op::And, x, k))
      return k & possible(x.id, depth + 1);
    if (withConstant(id, Op::Shl, x, k))
      return possible(x.id, depth + 1) << (k & 31);
    if (withConstant(id, Op::UShr, x, k))
      return possible(x.id, depth + 1) >> (k & 31);
    if (is(id, Op::Or) && !source(id, 0).neg && !source(id, 1).neg)
      return possible(source(id, 0).id, depth + 1) | possible(source(id, 1).id, depth + 1);
    if (is(id, Op::Ubfe) && bits(source(id, 0), w))
      return (1u << (w & 31)) - 1;
    if (is(id, Op::Bfi) && bits(source(id, 0), w) && bits(source(id, 1), k))
      return ((1u << (w & 31)) - 1) << (k & 31) | possible(source(id, 3).id, depth + 1);
    return ~0u;
  }

  /// A value that is `x` moved to `at` and cut to `w` bits, everything else zero; `open`: a shift without mask is one.
  bool field(ValueId id, uint32_t& w, uint32_t& at, Src& x, bool open = false) const {
    Src inner;
    uint32_t k, mask;
    if (withConstant(id, Op::And, inner, mask)) {
      if (withConstant(inner.id, Op::Shl, x, k) && k < 32 && k > 0) { // (x << k) & mask
        w = width(mask >> k);
        at = k;
        if (w == 0 && (mask >> k) == (~0u >> k))
          w = 32 - k;
        return w != 0 && (mask & ((1u << k) - 1)) == 0;
      }
      x = inner;
      at = 0;
      w = width(mask);
      return w != 0;
    }
    if (!withConstant(id, Op::Shl, inner, at) || at == 0 || at > 31)
      return false;
    if (withConstant(inner.id, Op::And, x, mask) && width(mask) && width(mask) + at <= 32) { // (x & mask) << at
      w = width(mask);
      return true;
    }
    x = inner;
    w = 32 - at;
    return open;
  }

  std::optional<Inst> match(ValueId id) {
    const Inst& i = m_f.insts[id];
    Src x, y;
    uint32_t k, l;
    switch (i.op) {
    case Op::UShr:
      if (!withConstant(id, Op::UShr, x, k) || k == 0 || k > 31)
        return {};
      if (withConstant(x.id, Op::And, y, l) && width(l >> k)) // (y & l) >> k
        return extract(Op::Ubfe, width(l >> k), k, y);
      if (withConstant(x.id, Op::Shl, y, l) && l > 0 && l <= k) // (y << l) >> k
        return extract(Op::Ubfe, 32 - k, k - l, y);
      return {};
    case Op::IShr:
      if (withConstant(id, Op::IShr, x, k) && k > 0 && k < 32 && withConstant(x.id, Op::Shl, y, l) && l > 0 && l <= k)
        return extract(Op::Ibfe, 32 - k, k - l, y);
      return {};
    case Op::And:
      if (withConstant(id, Op::And, x, k) && !(possible(x.id) & ~k)) // nothing to mask off
        return make(Op::Or, {x, plain(m_b.constant(0u))});
      if (withConstant(id, Op::And, x, k) && width(k) && withConstant(x.id, Op::UShr, y, l) && l > 0 && l + width(k) < 32) // (y >> l) & k
        return extract(Op::Ubfe, width(k), l, y);
      if (field(id, k, l, x) && l > 0)
        return insert(k, l, x, plain(m_b.constant(0u)));
      return {};
    case Op::Shl:
      if (field(id, k, l, x))
        return insert(k, l, x, plain(m_b.constant(0u)));
      return {};
    case Op::Or:
      return matchOr(id);
    default:
      return {};
    }
  }

  std::optional<Inst> matchOr(ValueId id) {
    for (size_t side = 0; side < 2; side++) {
      const Src a = source(id, side), b = source(id, 1 - side);
      if (a.neg || a.abs || b.neg || b.abs)
        return {};
      uint32_t w, at, mask;
      Src x, base;
      if (field(a.id, w, at, x, true)) {
        const uint32_t covered = ((1u << w) - 1) << at;
        if (withConstant(b.id, Op::And, base, mask) && mask == ~covered)
          return insert(w, at, x, base);
        if (at > 0 && !(possible(b.id) & covered))
          return insert(w, at, x, b);
      }
      if (const auto variable = matchVariableMask(a.id, b.id))
        return variable;
    }
    return {};
  }

  /// (x << at) & m | base & ~m with m = (1 << bits) - 1 << at.
  std::optional<Inst> matchVariableMask(ValueId a, ValueId b) {
    if (!is(a, Op::And) || !is(b, Op::And))
      return {};
    for (size_t k = 0; k < 4; k++) {
      const Src moved = source(a, k & 1), mask = source(a, 1 - (k & 1)), base = source(b, k >> 1), inverse = source(b, 1 - (k >> 1));
      if (!is(moved.id, Op::Shl) || !is(mask.id, Op::Shl) || !is(inverse.id, Op::Not) || source(inverse.id, 0).id != mask.id)
        continue;
      const Src at = source(moved.id, 1), ones = source(mask.id, 0);
      uint32_t minusOne, one;
      Src power;
      if (!(source(mask.id, 1) == at) || !withConstant(ones.id, Op::IAdd, power, minusOne) || minusOne != ~0u || !is(power.id, Op::Shl) ||
          !bits(source(power.id, 0), one) || one != 1)
        continue;
      return make(Op::Bfi, {source(power.id, 1), at, source(moved.id, 0), base});
    }
    return {};
  }

  Function& m_f;
  Builder& m_b;
};

} // namespace

bool useBitFields(Function& f, Builder& b) {
  return BitFields(f, b).run();
}

} // namespace monolith::compiler
