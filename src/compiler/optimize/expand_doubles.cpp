// SPDX-License-Identifier: MIT
// Doubles are one value each until here, which suits lowering and folding. The machine keeps them in two components:
// this pass splits every such value into its low and its high word. Operations on doubles get both words of each source
// and give both words of their result by Extract; emission keeps the two words of a pair in neighbouring components.
#include "compiler/optimize/optimize.h"

namespace monolith::compiler {

namespace {

class Expander {
public:
  Expander(Function& f, Builder& b) : m_f(f), m_b(b) {}

  bool needed() {
    bool any = false;
    forEachInst(m_f, *m_f.root, [&](ValueId id) { any = any || hasTrait(m_f.insts[id].op, kDouble); });
    return any;
  }
  void run() {
    m_wide.assign(m_f.insts.size(), false);
    m_changed = true;
    while (m_changed) {
      m_changed = false;
      infer(*m_f.root);
    }
    m_words.resize(m_f.insts.size());
    block(*m_f.root);
  }

private:
  struct Words {
    ValueId low = kNoValue, high = kNoValue;
  };

  void mark(ValueId id, bool wide) {
    if (wide && !m_wide[id]) {
      m_wide[id] = true;
      m_changed = true;
    }
  }
  bool wide(ValueId id) const { return id < m_wide.size() && (m_wide[id] || m_f.insts[id].op == Op::DConst); }
  void phis(const std::vector<ValueId>& list, const std::vector<ValueId>& values) {
    for (size_t i = 0; i < list.size() && i < values.size(); i++)
      mark(list[i], wide(values[i]));
  }
  template <typename F> static void each(Control& c, F f) {
    for (Block* b : c.blocks)
      if (b)
        f(*b);
    for (SwitchCase& k : c.cases)
      f(*k.block);
  }
  void infer(Block& b) {
    for (ValueId id : b.insts) {
      const Inst& i = m_f.insts[id];
      mark(id, hasTrait(i.op, kDoubleResult));
      if (i.op == Op::Movc)
        mark(id, wide(m_f.pool[i.first + 1].id) || wide(m_f.pool[i.first + 2].id));
      if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
        continue;
      Control& c = m_f.controls[i.aux[0]];
      phis(c.headerPhis, c.init);
      for (auto& e : c.continues)
        phis(c.headerPhis, e);
      each(c, [&](Block& x) { infer(x); });
      for (auto& e : c.breaks)
        phis(c.phis, e);
      if (i.op != Op::Loop)
        each(c, [&](Block& x) { phis(c.phis, x.yield); });
    }
  }

  ValueId make(Op op, const Inst& like, uint32_t lane, std::initializer_list<Src> src, uint32_t aux = 0) {
    Inst inst;
    inst.op = op;
    inst.group = like.group;
    inst.lane = uint8_t((like.lane * 2u + lane) & 3u);
    inst.precise = like.precise;
    inst.aux[0] = aux;
    inst.first = uint32_t(m_f.pool.size());
    inst.count = uint16_t(src.size());
    m_f.pool.insert(m_f.pool.end(), src.begin(), src.end());
    m_f.insts.push_back(inst);
    return ValueId(m_f.insts.size() - 1);
  }
  Words words(ValueId id) {
    const Inst& i = m_f.insts[id];
    if (i.op == Op::DConst)
      return {m_b.constant(i.aux[0]), m_b.constant(i.aux[1])};
    if (i.op == Op::Undef || id >= m_words.size())
      return {m_b.undef(), m_b.undef()};
    if (!m_words[id].low)
      return {m_b.undef(), m_b.undef()};
    return m_words[id];
  }
  /// Phis that are doubles become two each.
  void splitPhis(std::vector<ValueId>& list) {
    std::vector<ValueId> out;
    for (ValueId p : list) {
      if (!wide(p)) {
        out.push_back(p);
        continue;
      }
      const Inst like = m_f.insts[p];
      m_words[p] = {make(Op::Phi, like, 0, {}), make(Op::Phi, like, 1, {})};
      out.push_back(m_words[p].low);
      out.push_back(m_words[p].high);
    }
    list = std::move(out);
  }
  void splitValues(const std::vector<ValueId>& phis, std::vector<ValueId>& values) {
    std::vector<ValueId> out;
    for (size_t i = 0; i < values.size(); i++) {
      if (i >= phis.size() || !wide(phis[i])) {
        out.push_back(values[i]);
        continue;
      }
      Words w = words(values[i]);
      out.push_back(w.low);
      out.push_back(w.high);
    }
    values = std::move(out);
  }
  void control(ValueId id) {
    Control& c = m_f.controls[m_f.insts[id].aux[0]];
    const bool loop = m_f.insts[id].op == Op::Loop;
    const std::vector<ValueId> header = c.headerPhis, exits = c.phis;
    splitValues(header, c.init);
    splitPhis(c.headerPhis);
    each(c, [&](Block& x) { block(x); });
    for (auto& e : c.continues)
      splitValues(header, e);
    for (auto& e : c.breaks)
      splitValues(exits, e);
    if (!loop)
      each(c, [&](Block& x) { splitValues(exits, x.yield); });
    splitPhis(c.phis);
  }
  void block(Block& b) {
    std::vector<ValueId> out;
    for (ValueId id : std::vector<ValueId>(b.insts)) {
      const Inst inst = m_f.insts[id];
      const bool isWide = wide(id);
      auto src = [&](size_t k) { return m_f.pool[inst.first + k]; };
      auto add = [&](ValueId v) {
        out.push_back(v);
        return v;
      };
      switch (inst.op) {
      case Op::If:
      case Op::Loop:
      case Op::Switch:
        control(id);
        out.push_back(id);
        continue;
      case Op::DConst:
        continue;
      case Op::DPair:
        m_words[id] = {src(0).id, src(1).id};
        continue;
      case Op::DLow:
      case Op::DHigh: {
        Words w = words(src(0).id);
        m_b.forward(id, inst.op == Op::DLow ? w.low : w.high);
        continue;
      }
      case Op::DNeg:
      case Op::DAbs: {
        Words w = words(src(0).id);
        const bool neg = inst.op == Op::DNeg;
        w.high = add(make(neg ? Op::Xor : Op::And, inst, 1, {Src{w.high, false, false}, Src{m_b.constant(neg ? 0x80000000u : 0x7fffffffu), false, false}}));
        m_words[id] = w;
        continue;
      }
      case Op::Movc:
        if (isWide) {
          Words x = words(src(1).id), y = words(src(2).id);
          ValueId low = add(make(Op::Movc, inst, 0, {src(0), Src{x.low, false, false}, Src{y.low, false, false}}));
          ValueId high = add(make(Op::Movc, inst, 1, {src(0), Src{x.high, false, false}, Src{y.high, false, false}}));
          m_words[id] = {low, high};
          continue;
        }
        break;
      default:
        break;
      }
      if (hasTrait(inst.op, kDouble)) {
        std::vector<Src> both;
        for (size_t k = 0; k < inst.count; k++) {
          if (hasTrait(inst.op, kDoubleSrc)) {
            Words w = words(src(k).id);
            both.push_back({w.low, false, false});
            both.push_back({w.high, false, false});
          } else {
            both.push_back(src(k));
          }
        }
        m_f.insts[id].first = uint32_t(m_f.pool.size());
        m_f.insts[id].count = uint16_t(both.size());
        m_f.pool.insert(m_f.pool.end(), both.begin(), both.end());
        out.push_back(id);
        if (isWide) {
          ValueId low = add(make(Op::Extract, inst, 0, {Src{id, false, false}}, 0));
          ValueId high = add(make(Op::Extract, inst, 1, {Src{id, false, false}}, 1));
          m_words[id] = {low, high};
        }
        continue;
      }
      out.push_back(id);
    }
    b.insts = std::move(out);
  }

  Function& m_f;
  Builder& m_b;
  std::vector<bool> m_wide;
  std::vector<Words> m_words;
  bool m_changed = false;
};

} // namespace

bool expandDoubles(Function& f, Builder& b) {
  Expander e(f, b);
  if (!e.needed())
    return false;
  e.run();
  b.setExpanded();
  return true;
}

} // namespace monolith::compiler
