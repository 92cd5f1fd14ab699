// SPDX-License-Identifier: MIT
// Products of several factors, in any order: constants are multiplied at once and a root that occurs twice gives its
// argument. Never for precise values.
#include "compiler/optimize/optimize.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

class Products {
public:
  Products(Function& f, Builder& b) : m_f(f), m_b(b), m_uses(countUses(f)) {}
  bool run(Block& block) {
    bool changed = false;
    std::vector<ValueId> out;
    for (ValueId id : std::vector<ValueId>(block.insts)) {
      const Inst& i = m_f.insts[id];
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& c = m_f.controls[i.aux[0]];
        for (Block* b : c.blocks)
          if (b)
            changed = run(*b) || changed;
        for (SwitchCase& k : c.cases)
          changed = run(*k.block) || changed;
      } else if (i.op == Op::Mul && !i.precise && !i.saturate) {
        changed = rebuild(id, out) || changed;
      }
      out.push_back(id);
    }
    block.insts = std::move(out);
    return changed;
  }

private:
  static constexpr size_t kMaxFactors = 12;
  bool plain(const Src& s) const { return !s.neg && !s.abs; }
  /// Factors from left to right; products inside are taken apart if nobody else needs them.
  void collect(ValueId id, std::vector<ValueId>& factors, bool root) {
    const Inst& i = m_f.insts[id];
    const bool inner = i.op == Op::Mul && !i.precise && !i.saturate && (root || m_uses[id] == 1) && factors.size() < kMaxFactors && plain(m_f.pool[i.first]) && plain(m_f.pool[i.first + 1]);
    if (!inner) {
      factors.push_back(id);
      return;
    }
    const ValueId a = m_f.pool[i.first].id, b = m_f.pool[i.first + 1].id;
    collect(a, factors, false);
    collect(b, factors, false);
  }
  bool rebuild(ValueId id, std::vector<ValueId>& out) {
    std::vector<ValueId> factors;
    collect(id, factors, true);
    if (factors.size() < 3)
      return false;
    bool better = std::count_if(factors.begin(), factors.end(), [&](ValueId v) { return m_f.isConst(v); }) > 1;
    for (size_t k = 0; k < factors.size(); k++) {
      if (m_f.insts[factors[k]].op != Op::Sqrt || m_f.insts[factors[k]].saturate)
        continue;
      const Src root = m_f.pool[m_f.insts[factors[k]].first];
      for (size_t j = k + 1; j < factors.size() && plain(root); j++)
        if (factors[j] == factors[k]) {
          factors[k] = root.id;
          factors.erase(factors.begin() + long(j));
          better = true;
          break;
        }
    }
    if (!better)
      return false;
    uint32_t product = 0x3f800000u;
    std::vector<ValueId> rest;
    for (ValueId v : factors) {
      if (!m_f.isConst(v)) {
        rest.push_back(v);
        continue;
      }
      const uint32_t in[2] = {product, m_f.bits(v)};
      foldOp(Op::Mul, in, product);
    }
    if (product != 0x3f800000u)
      rest.push_back(m_b.constant(product));
    if (rest.empty())
      rest.push_back(m_b.constant(product));
    if (rest.size() == 1)
      rest.push_back(m_b.constant(0x3f800000u));
    ValueId sum = rest[0];
    for (size_t k = 1; k + 1 < rest.size(); k++) {
      Inst i = m_f.insts[id];
      i.group = (i.group & 0xffffffu) | 0x60000000u | uint32_t(k & 15) << 24;
      i.first = uint32_t(m_f.pool.size());
      m_f.pool.push_back({sum, false, false});
      m_f.pool.push_back({rest[k], false, false});
      m_f.insts.push_back(i);
      sum = ValueId(m_f.insts.size() - 1);
      m_uses.resize(m_f.insts.size(), 1);
      out.push_back(sum);
    }
    Inst& i = m_f.insts[id];
    m_f.pool[i.first] = {sum, false, false};
    m_f.pool[i.first + 1] = {rest.back(), false, false};
    return true;
  }
  Function& m_f;
  Builder& m_b;
  std::vector<uint32_t> m_uses;
};

} // namespace

bool reassociate(Function& f, Builder& b) {
  return Products(f, b).run(*f.root);
}

} // namespace monolith::compiler
