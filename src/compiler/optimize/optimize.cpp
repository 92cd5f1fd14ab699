// SPDX-License-Identifier: MIT
#include "compiler/optimize/optimize.h"

#include <bit>
#include <set>

namespace monolith::compiler {

std::vector<uint32_t> countUses(const Function& f) {
  std::vector<uint32_t> uses(f.insts.size(), 0);
  auto list = [&](const std::vector<ValueId>& v) {
    for (ValueId id : v)
      uses[id]++;
  };
  forEachInst(const_cast<Function&>(f), *f.root, [&](ValueId id) {
    for (const Src& s : f.sources(id))
      uses[s.id]++;
    const Inst& i = f.insts[id];
    if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
      return;
    const Control& c = f.controls[i.aux[0]];
    list(c.init);
    for (auto& e : c.breaks)
      list(e);
    for (auto& e : c.continues)
      list(e);
    for (const Block* b : c.blocks)
      if (b)
        list(b->yield);
    for (const SwitchCase& k : c.cases)
      list(k.block->yield);
  });
  return uses;
}

// ---- branches ----

namespace {

constexpr size_t kFlattenGroups = 30; ///< vector operations that a branch without texture access may cost

class Flattener {
public:
  Flattener(Function& f, Builder& b, const LoweringOptions& o) : m_f(f), m_b(b), m_options(o) {}
  bool run(Block& block) {
    bool changed = false;
    std::vector<ValueId> out;
    for (ValueId id : std::vector<ValueId>(block.insts)) {
      const Op op = m_f.insts[id].op;
      if (op == Op::If || op == Op::Loop || op == Op::Switch) {
        Control& c = m_f.controls[m_f.insts[id].aux[0]];
        for (Block* b : c.blocks)
          if (b)
            changed = run(*b) || changed;
        for (SwitchCase& k : c.cases)
          changed = run(*k.block) || changed;
        if (op == Op::If && flatten(id, c, out)) {
          changed = true;
          continue;
        }
      }
      out.push_back(id);
    }
    block.insts = std::move(out);
    return changed;
  }

private:
  struct Cost {
    size_t groups = 0, fetches = 0, gradients = 0, discards = 0;
    bool possible = true;
  };
  Cost cost(const Block& block) const {
    Cost c;
    std::set<uint32_t> groups;
    for (ValueId id : block.insts) {
      const Inst& i = m_f.insts[id];
      if (i.op == Op::Discard) {
        c.discards++;
      } else if (!hasTrait(i.op, kPure)) {
        c.possible = false;
      } else if (!hasTrait(i.op, kFoldable) && i.op != Op::Extract && i.op != Op::Neg && i.op != Op::Abs) {
        groups.insert(i.group);
        c.fetches += hasTrait(i.op, kFetch);
        c.gradients += hasTrait(i.op, kGradient);
      }
    }
    c.groups = groups.size();
    c.possible = c.possible && !block.terminated;
    return c;
  }
  bool plainDiscards(const Block& block) const {
    for (ValueId id : block.insts)
      if (const Inst& i = m_f.insts[id]; i.op == Op::Discard && (i.aux[0] || !m_f.isConst(m_f.pool[i.first].id) || m_f.bits(m_f.pool[i.first].id) != ~0u))
        return false;
    return true;
  }
  bool flatten(ValueId id, Control& c, std::vector<ValueId>& out) {
    Cost a = cost(*c.blocks[0]), b = cost(*c.blocks[1]);
    if (!a.possible || !b.possible || ((c.attributes & kAttrBranch) && a.groups + b.groups > 0))
      return false;
    const bool forced = (c.attributes & kAttrFlatten) || m_options.avoidFlowControl;
    const size_t groups = a.groups + b.groups + (c.phis.size() + 3) / 4;
    const bool cheap = groups <= kFlattenGroups && a.fetches + b.fetches == 0 && !m_options.preferFlowControl;
    const bool gradients = a.gradients + b.gradients > 0 && groups <= 60;
    if (!forced && !cheap && !gradients)
      return false;
    Src condition = m_f.sources(id)[0];
    const bool isBool = m_b.isBool(condition.id);
    if (!isBool && (!plainDiscards(*c.blocks[0]) || !plainDiscards(*c.blocks[1])))
      return false;
    ValueId inverse = kNoValue;
    for (int side = 0; side < 2; side++)
      for (ValueId x : c.blocks[side]->insts) {
        if (m_f.insts[x].op != Op::Discard) {
          out.push_back(x);
          continue;
        }
        ValueId k = condition.id;
        Src own = m_f.pool[m_f.insts[x].first];
        const bool always = m_f.isConst(own.id) && m_f.bits(own.id) == ~0u;
        if (side == 1 && always) {
          m_f.insts[x].aux[0] = 1; // discards where the condition is zero
        } else if (side == 1) {
          if (!inverse)
            out.push_back(inverse = make(Op::Not, {condition}));
          k = inverse;
        }
        if (!always) {
          if (m_f.insts[x].aux[0]) {
            m_f.insts[x].aux[0] = 0;
            const ValueId zero = make(Op::IEq, {own, Src{m_b.constant(0u), false, false}});
            out.push_back(zero);
            own = Src{zero, false, false};
          }
          ValueId both = make(Op::And, {own, Src{k, false, false}});
          out.push_back(both);
          k = both;
        }
        m_f.pool[m_f.insts[x].first] = Src{k, false, false};
        out.push_back(x);
      }
    for (size_t i = 0; i < c.phis.size(); i++) {
      Inst& phi = m_f.insts[c.phis[i]];
      phi.op = Op::Movc;
      phi.count = 3;
      phi.first = uint32_t(m_f.pool.size());
      m_f.pool.push_back(condition);
      m_f.pool.push_back({c.blocks[0]->yield[i], false, false});
      m_f.pool.push_back({c.blocks[1]->yield[i], false, false});
      out.push_back(c.phis[i]);
    }
    return true;
  }
  ValueId make(Op op, std::initializer_list<Src> src) {
    Inst inst;
    inst.op = op;
    inst.first = uint32_t(m_f.pool.size());
    inst.count = uint16_t(src.size());
    m_f.pool.insert(m_f.pool.end(), src.begin(), src.end());
    m_f.insts.push_back(inst);
    return ValueId(m_f.insts.size() - 1);
  }
  Function& m_f;
  Builder& m_b;
  LoweringOptions m_options;
};

} // namespace

bool flattenBranches(Function& f, Builder& b, const LoweringOptions& options) {
  return Flattener(f, b, options).run(*f.root);
}

// ---- modifiers ----

void foldModifiers(Function& f, Builder& b) {
  auto fold = [&](Src& s) {
    for (;;) {
      const Inst& d = f.insts[s.id];
      if (d.op != Op::Neg && d.op != Op::Abs)
        break;
      const Src inner = f.pool[d.first];
      if (s.abs)
        s.id = inner.id; // | -x | = | x |
      else if (d.op == Op::Neg)
        s = Src{inner.id, s.neg != !inner.neg, inner.abs};
      else
        s = Src{inner.id, s.neg, true};
    }
    if (f.isConst(s.id) && (s.neg || s.abs)) {
      uint32_t bits = f.bits(s.id);
      if (s.abs)
        bits &= 0x7fffffffu;
      if (s.neg)
        bits ^= 0x80000000u;
      s = Src{b.constant(bits), false, false};
    }
  };
  forEachInst(f, *f.root, [&](ValueId id) {
    const Inst inst = f.insts[id];
    if (hasTrait(inst.op, kFloatSrc)) {
      if (inst.op == Op::Neg || inst.op == Op::Abs)
        return;
      for (size_t k = 0; k < inst.count; k++) {
        Src s = f.pool[inst.first + k];
        fold(s);
        f.pool[inst.first + k] = s;
      }
    } else if (hasTrait(inst.op, kMovcSrc)) {
      for (size_t k = 1; k < 3; k++) {
        Src s = f.pool[inst.first + k];
        fold(s);
        f.pool[inst.first + k] = s;
      }
    } else if (hasTrait(inst.op, kIntNegSrc)) {
      for (size_t k = 0; k < inst.count; k++) {
        Src& s = f.pool[inst.first + k];
        if (f.insts[s.id].op == Op::INeg && !s.neg)
          s = Src{f.pool[f.insts[s.id].first].id, true, false};
      }
    }
  });
  // Saturation of a value that is used only saturated.
  std::vector<uint32_t> uses = countUses(f);
  forEachInst(f, *f.root, [&](ValueId id) {
    Inst& inst = f.insts[id];
    if (inst.op != Op::Sat)
      return;
    const Src s = f.pool[inst.first];
    Inst& d = f.insts[s.id];
    if (!s.neg && !s.abs && uses[s.id] == 1 && hasTrait(d.op, kSatOk) && !d.saturate) {
      d.saturate = true;
      b.forward(id, s.id);
    }
  });
}

void contractMads(Function& f) {
  std::vector<uint32_t> uses = countUses(f);
  std::vector<uint32_t> addUses(f.insts.size(), 0);
  auto each = [&](auto visit) { forEachInst(f, *f.root, visit); };
  each([&](ValueId id) {
    if (f.insts[id].op == Op::Add && !f.insts[id].precise)
      for (const Src& s : f.sources(id))
        addUses[s.id] += !s.abs;
  });
  // Lanes of a product that stay behind would keep its instruction alive.
  std::unordered_map<uint32_t, uint32_t> staying;
  each([&](ValueId id) {
    if (f.insts[id].op == Op::Mul && uses[id] != addUses[id])
      staying[f.insts[id].group]++;
  });
  each([&](ValueId id) {
    Inst& inst = f.insts[id];
    const bool flt = inst.op == Op::Add;
    if ((!flt && inst.op != Op::IAdd) || inst.precise)
      return;
    int best = -1;
    uint32_t bestUses = ~0u;
    for (int k = 0; k < 2; k++) {
      const Src& s = f.pool[inst.first + size_t(k)];
      const Inst& m = f.insts[s.id];
      if (m.op != (flt ? Op::Mul : Op::IMul) || m.saturate || m.precise || m.precision != inst.precision || s.abs)
        continue;
      // Worth it if the product disappears: all its uses become mads.
      if (flt ? (uses[s.id] != addUses[s.id] || uses[s.id] > 4) : uses[s.id] != 1)
        continue;
      const Src& other = f.pool[inst.first + size_t(1 - k)];
      if (other.id == s.id)
        continue;
      const uint32_t cost = uses[s.id] + (staying.count(m.group) ? 100u : 0u);
      if (cost < bestUses) {
        best = k;
        bestUses = cost;
      }
    }
    if (best < 0)
      return;
    const Src product = f.pool[inst.first + size_t(best)], other = f.pool[inst.first + size_t(1 - best)];
    Src a = f.pool[f.insts[product.id].first], b = f.pool[f.insts[product.id].first + 1];
    if (product.neg) {
      // The sign goes to the factor that is no constant.
      Src& t = f.isConst(a.id) ? b : a;
      t.neg = !t.neg;
    }
    inst.op = flt ? Op::Mad : Op::IMad;
    inst.count = 3;
    inst.first = uint32_t(f.pool.size());
    f.pool.push_back(a);
    f.pool.push_back(b);
    f.pool.push_back(other);
  });
}

// ---- dead code ----

namespace {

class DeadCode {
public:
  explicit DeadCode(Function& f) : m_f(f), m_live(f.insts.size(), false), m_phi(f.insts.size()) {}
  void run() {
    index(*m_f.root);
    do {
      m_changed = false;
      visit(*m_f.root);
    } while (m_changed);
    sweep(*m_f.root);
  }

private:
  struct PhiPlace {
    Control* control = nullptr;
    bool header = false;
    uint32_t index = 0;
  };
  void index(Block& block) {
    for (ValueId id : block.insts) {
      const Inst& i = m_f.insts[id];
      if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
        continue;
      Control& c = m_f.controls[i.aux[0]];
      for (uint32_t k = 0; k < c.phis.size(); k++)
        m_phi[c.phis[k]] = {&c, false, k};
      for (uint32_t k = 0; k < c.headerPhis.size(); k++)
        m_phi[c.headerPhis[k]] = {&c, true, k};
      each(c, [&](Block& b) { index(b); });
    }
  }
  template <typename F> static void each(Control& c, F f) {
    for (Block* b : c.blocks)
      if (b)
        f(*b);
    for (SwitchCase& k : c.cases)
      f(*k.block);
  }
  void mark(ValueId first) {
    std::vector<ValueId> work{first};
    while (!work.empty()) {
      ValueId id = work.back();
      work.pop_back();
      if (m_live[id])
        continue;
      m_live[id] = true;
      m_changed = true;
      const Inst& i = m_f.insts[id];
      if (i.op == Op::Phi) {
        PhiPlace& p = m_phi[id];
        if (!p.control)
          continue;
        if (p.header) {
          work.push_back(p.control->init[p.index]);
          for (auto& e : p.control->continues)
            work.push_back(e[p.index]);
        } else {
          for (auto& e : p.control->breaks)
            if (p.index < e.size())
              work.push_back(e[p.index]);
          each(*p.control, [&](Block& b) {
            if (p.index < b.yield.size())
              work.push_back(b.yield[p.index]);
          });
        }
        continue;
      }
      for (const Src& s : m_f.sources(id))
        work.push_back(s.id);
    }
  }
  /// True if something in the block is needed.
  bool visit(Block& block) {
    bool needed = false;
    for (size_t k = block.insts.size(); k-- > 0;) {
      ValueId id = block.insts[k];
      const Inst& i = m_f.insts[id];
      if (i.op == Op::Break || i.op == Op::Continue) {
        needed = true;
        mark(id);
        continue;
      }
      if (hasTrait(i.op, kEffect)) {
        mark(id);
        needed = true;
        continue;
      }
      if (!hasTrait(i.op, kControl)) {
        needed = needed || m_live[id];
        continue;
      }
      Control& c = m_f.controls[i.aux[0]];
      bool inside = false;
      for (ValueId p : c.phis)
        inside = inside || m_live[p];
      for (ValueId p : c.headerPhis)
        inside = inside || m_live[p];
      if (i.op == Op::Loop) {
        // The breaks inside count only if the loop does anything.
        inside = inside || liveInside(*c.blocks[0]);
        if (inside)
          each(c, [&](Block& b) { visit(b); });
      } else {
        each(c, [&](Block& b) { inside = visit(b) || inside; });
      }
      if (inside) {
        mark(id);
        needed = true;
      }
    }
    return needed;
  }
  bool liveInside(Block& block) {
    for (ValueId id : block.insts) {
      const Inst& i = m_f.insts[id];
      if (m_live[id] || hasTrait(i.op, kEffect))
        return true;
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& c = m_f.controls[i.aux[0]];
        bool inside = false;
        each(c, [&](Block& b) { inside = inside || liveInside(b); });
        if (inside)
          return true;
      }
    }
    return false;
  }
  void sweep(Block& block) {
    std::vector<ValueId> out;
    for (ValueId id : block.insts) {
      if (!m_live[id])
        continue;
      const Inst& i = m_f.insts[id];
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& c = m_f.controls[i.aux[0]];
        auto erase = [](std::vector<ValueId>& v, size_t k) {
          if (k < v.size())
            v.erase(v.begin() + long(k));
        };
        for (size_t k = c.phis.size(); k-- > 0;)
          if (!m_live[c.phis[k]]) {
            erase(c.phis, k);
            for (auto& e : c.breaks)
              erase(e, k);
            each(c, [&](Block& b) { erase(b.yield, k); });
          }
        for (size_t k = c.headerPhis.size(); k-- > 0;)
          if (!m_live[c.headerPhis[k]]) {
            erase(c.headerPhis, k);
            erase(c.init, k);
            for (auto& e : c.continues)
              erase(e, k);
          }
        each(c, [&](Block& b) { sweep(b); });
      }
      out.push_back(id);
    }
    block.insts = std::move(out);
  }
  Function& m_f;
  std::vector<bool> m_live;
  std::vector<PhiPlace> m_phi;
  bool m_changed = false;
};

} // namespace

void removeDead(Function& f) {
  DeadCode(f).run();
}

void optimize(Module& module, Builder& b, const LoweringOptions& options, Diagnostics& diagnostics) {
  Function& f = module.code;
  for (int i = 0; i < 4 && b.simplifyAll(); i++) {
  }
  removeDead(f);
  checkUndefined(module, diagnostics);
  if (readInputArrays(module, b)) {
    b.simplifyAll();
    removeDead(f);
  }
  if (!options.skipOptimization)
    for (int i = 0; i < 3 && flattenBranches(f, b, options); i++)
      for (int k = 0; k < 3 && b.simplifyAll(); k++) {
      }
  removeDead(f);
  if (hoistGradients(module, b, diagnostics)) {
    b.simplifyAll();
    removeDead(f);
  }
  if (expandDoubles(f, b)) {
    b.simplifyAll();
    removeDead(f);
  }
  if (!options.skipOptimization && reassociate(f, b)) {
    b.simplifyAll();
    removeDead(f);
  }
  if (!options.skipOptimization) {
    askForFloats(module, b);
    removeDead(f);
    if (module.target.model >= 50)
      for (int i = 0; i < 3 && useBitFields(f, b); i++) {
        b.simplifyAll();
        removeDead(f);
      }
  }
  foldModifiers(f, b);
  b.simplifyAll();
  removeDead(f);
  if (!options.skipOptimization)
    contractMads(f);
  settlePrecision(module);
  foldModifiers(f, b);
  b.simplifyAll();
  removeDead(f);
}

} // namespace monolith::compiler
