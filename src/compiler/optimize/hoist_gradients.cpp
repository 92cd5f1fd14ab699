// SPDX-License-Identifier: MIT
// Gradients need all four pixels of a quad: one that stands behind a branch that differs between pixels is computed
// before that branch, with everything it depends on (X4121). What cannot move stays, with a warning or an error.
#include "compiler/optimize/optimize.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

class Hoister {
public:
  Hoister(Module& module, Builder& b, Diagnostics& diagnostics)
      : m_module(module), m_f(module.code), m_b(b), m_diagnostics(diagnostics), m_varying(m_f.insts.size()), m_exits(m_f.controls.size()), m_temps(m_f.indexableTemps.size()) {}

  bool run() {
    do {
      m_changed = false;
      flow(*m_f.root, false);
    } while (m_changed);
    walk(*m_f.root, false);
    return m_moved;
  }

private:
  // ---- what differs between pixels ----

  void set(ValueId id, bool varying) {
    if (varying && !m_varying[id]) {
      m_varying[id] = true;
      m_changed = true;
    }
  }
  bool fromSources(ValueId id) const {
    return std::any_of(m_f.sources(id).begin(), m_f.sources(id).end(), [&](const Src& s) { return m_varying[s.id]; });
  }
  void phis(const std::vector<ValueId>& list, const std::vector<ValueId>& values) {
    for (size_t n = 0; n < list.size() && n < values.size(); n++)
      set(list[n], m_varying[values[n]]);
  }
  void control(ValueId id, bool inside) {
    const Inst& i = m_f.insts[id];
    Control& k = m_f.controls[i.aux[0]];
    if (i.op == Op::Loop) {
      phis(k.headerPhis, k.init);
      for (auto& e : k.continues)
        phis(k.headerPhis, e);
      flow(*k.blocks[0], inside || m_exits[i.aux[0]]);
      for (auto& e : k.breaks)
        phis(k.phis, e);
      for (ValueId p : k.phis)
        set(p, m_exits[i.aux[0]]);
      return;
    }
    const bool condition = fromSources(id);
    each(k, [&](Block& b) {
      flow(b, inside || condition);
      phis(k.phis, b.yield);
    });
    for (ValueId p : k.phis)
      set(p, condition);
  }
  void flow(Block& block, bool inside) {
    for (ValueId id : block.insts) {
      const Inst& i = m_f.insts[id];
      switch (i.op) {
      case Op::If:
      case Op::Loop:
      case Op::Switch:
        control(id, inside);
        continue;
      case Op::Break:
      case Op::Continue:
        if (inside && !m_exits[i.aux[0]])
          m_exits[i.aux[0]] = m_changed = true;
        continue;
      case Op::Input:
      case Op::InputAt:
      case Op::VertexInput:
        set(id, true);
        continue;
      case Op::TempStore:
        if ((inside || fromSources(id)) && !m_temps[i.aux[0]])
          m_temps[i.aux[0]] = m_changed = true;
        continue;
      case Op::TempLoad:
        set(id, m_temps[i.aux[0]] || fromSources(id));
        continue;
      default:
        set(id, hasTrait(i.op, kMemory) || fromSources(id));
      }
    }
  }
  template <typename F> static void each(Control& c, F f) {
    for (Block* b : c.blocks)
      if (b)
        f(*b);
    for (SwitchCase& k : c.cases)
      f(*k.block);
  }

  // ---- moving ----

  struct PhiPlace {
    ValueId control = kNoValue;
    uint32_t index = 0;
  };

  /// `varying`: a branch round this block, inside the loop round it, differs between pixels.
  void walk(Block& block, bool varying) {
    std::vector<ValueId> out;
    for (ValueId id : std::vector<ValueId>(block.insts)) {
      const Inst i = m_f.insts[id];
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& k = m_f.controls[i.aux[0]];
        const bool apart = i.op != Op::Loop && m_varying[m_f.pool[i.first].id];
        if (apart && !varying)
          empty(k, out);
        each(k, [&](Block& b) { walk(b, i.op == Op::Loop ? false : varying || apart); });
      }
      out.push_back(id);
    }
    block.insts = std::move(out);
  }

  /// Takes the gradients out of a branch.
  void empty(Control& k, std::vector<ValueId>& out) {
    m_inside.assign(m_f.insts.size(), false);
    m_phis.clear();
    std::vector<ValueId> gradients;
    each(k, [&](Block& b) { collect(b, false, gradients); });
    if (gradients.empty())
      return;
    m_gone.assign(m_f.insts.size(), false);
    m_known.clear();
    for (ValueId g : gradients) {
      m_fromUav = false;
      if (!canMove(g, 0)) {
        const Location at = place(g);
        if (m_fromUav)
          m_diagnostics.error(at, 3662, "gradient operation uses a value that may not be defined for all pixels (in " + m_module.target.name + ", UAV loads cannot participate in gradient operations)");
        else
          m_diagnostics.warning(at, 3595, "gradient instruction used in a loop with varying iteration; partial derivatives may have undefined value");
        continue;
      }
      move(g, out);
      m_moved = true;
      m_diagnostics.warning(place(g), 4121, "gradient-based operations must be moved out of flow control to prevent divergence. Performance may improve by using a non-gradient operation");
    }
    each(k, [&](Block& b) { sweep(b); });
  }
  void collect(Block& block, bool loop, std::vector<ValueId>& gradients) {
    for (ValueId id : block.insts) {
      const Inst& i = m_f.insts[id];
      m_inside[id] = true;
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& k = m_f.controls[i.aux[0]];
        for (uint32_t n = 0; n < k.phis.size(); n++) {
          m_inside[k.phis[n]] = true;
          m_phis[k.phis[n]] = {id, n};
        }
        for (ValueId p : k.headerPhis)
          m_inside[p] = true;
        each(k, [&](Block& b) { collect(b, loop || i.op == Op::Loop, gradients); });
      } else if (hasTrait(i.op, kGradient) && !loop) {
        gradients.push_back(id);
      }
    }
  }
  bool canMove(ValueId id, int depth) {
    if (id >= m_inside.size() || !m_inside[id] || m_gone[id])
      return true;
    if (auto it = m_known.find(id); it != m_known.end())
      return it->second;
    if (depth > 2000)
      return false;
    const Inst& i = m_f.insts[id];
    bool ok = true;
    if (i.op == Op::Phi) {
      auto it = m_phis.find(id);
      ok = it != m_phis.end() && m_f.insts[it->second.control].op != Op::Loop && canMove(m_f.pool[m_f.insts[it->second.control].first].id, depth + 1);
      if (ok)
        each(m_f.controls[m_f.insts[it->second.control].aux[0]], [&](Block& b) { ok = ok && (it->second.index >= b.yield.size() || canMove(b.yield[it->second.index], depth + 1)); });
    } else if (!hasTrait(i.op, kPure)) {
      m_fromUav = m_fromUav || i.op != Op::TempLoad;
      ok = false;
    } else {
      for (const Src& s : m_f.sources(id))
        ok = ok && canMove(s.id, depth + 1);
    }
    m_known[id] = ok;
    return ok;
  }
  void move(ValueId id, std::vector<ValueId>& out) {
    if (id >= m_inside.size() || !m_inside[id] || m_gone[id])
      return;
    m_gone[id] = true;
    if (m_f.insts[id].op == Op::Phi) {
      select(id, out);
      return;
    }
    for (size_t n = 0; n < m_f.insts[id].count; n++)
      move(m_f.pool[m_f.insts[id].first + n].id, out);
    out.push_back(id);
  }
  /// The values that meet behind a branch become one choice, which needs no branch.
  void select(ValueId phi, std::vector<ValueId>& out) {
    const PhiPlace at = m_phis[phi];
    const Inst branch = m_f.insts[at.control];
    Control& k = m_f.controls[branch.aux[0]];
    const Src selector = m_f.pool[branch.first];
    move(selector.id, out);
    each(k, [&](Block& b) {
      if (at.index < b.yield.size())
        move(b.yield[at.index], out);
    });
    ValueId value = kNoValue;
    auto choose = [&](ValueId condition, ValueId yes) {
      value = value ? make(phi, Op::Movc, {condition, yes, value}, out) : yes;
    };
    if (branch.op == Op::If) {
      for (int side = 1; side >= 0; side--)
        if (at.index < k.blocks[side]->yield.size())
          choose(selector.id, k.blocks[side]->yield[at.index]);
    } else {
      for (const SwitchCase& c : k.cases)
        if (c.isDefault && at.index < c.block->yield.size())
          value = c.block->yield[at.index];
      for (const SwitchCase& c : k.cases)
        if (!c.isDefault && at.index < c.block->yield.size())
          for (uint32_t label : c.labels)
            choose(make(phi, Op::IEq, {selector.id, m_b.constant(label)}, out), c.block->yield[at.index]);
    }
    // The phi itself becomes the last choice.
    Inst& p = m_f.insts[phi];
    p.op = Op::Movc;
    p.count = 3;
    p.first = uint32_t(m_f.pool.size());
    const ValueId yes = m_b.constant(~0u);
    m_f.pool.insert(m_f.pool.end(), {Src{yes, false, false}, Src{value, false, false}, Src{value, false, false}});
    out.push_back(phi);
  }
  ValueId make(ValueId like, Op op, std::initializer_list<ValueId> sources, std::vector<ValueId>& out) {
    Inst inst;
    inst.op = op;
    inst.group = m_f.insts[like].group;
    inst.lane = m_f.insts[like].lane;
    inst.first = uint32_t(m_f.pool.size());
    inst.count = uint16_t(sources.size());
    for (ValueId s : sources)
      m_f.pool.push_back({s, false, false});
    m_f.insts.push_back(inst);
    out.push_back(ValueId(m_f.insts.size() - 1));
    return out.back();
  }
  void sweep(Block& block) {
    std::erase_if(block.insts, [&](ValueId id) { return id < m_gone.size() && m_gone[id]; });
    for (ValueId id : block.insts) {
      const Op op = m_f.insts[id].op;
      if (op != Op::If && op != Op::Loop && op != Op::Switch)
        continue;
      Control& k = m_f.controls[m_f.insts[id].aux[0]];
      for (size_t n = k.phis.size(); n-- > 0;)
        if (m_gone[k.phis[n]]) {
          k.phis.erase(k.phis.begin() + long(n));
          each(k, [&](Block& b) {
            if (n < b.yield.size())
              b.yield.erase(b.yield.begin() + long(n));
          });
        }
      each(k, [&](Block& b) { sweep(b); });
    }
  }
  Location place(ValueId id) const { return m_module.placeOf(id); }

  Module& m_module;
  Function& m_f;
  Builder& m_b;
  Diagnostics& m_diagnostics;
  std::vector<bool> m_varying, m_exits, m_temps; ///< by value, loop, x register
  std::vector<bool> m_inside, m_gone;            ///< of the branch that is being emptied
  std::unordered_map<ValueId, PhiPlace> m_phis;
  std::unordered_map<ValueId, bool> m_known;
  bool m_changed = false, m_moved = false, m_fromUav = false;
};

} // namespace

bool hoistGradients(Module& module, Builder& b, Diagnostics& diagnostics) {
  bool any = false;
  Function& f = module.code;
  if (module.target.stage == Stage::Pixel)
    forEachInst(f, *f.root, [&](ValueId id) { any = any || hasTrait(f.insts[id].op, kGradient); });
  return any && Hoister(module, b, diagnostics).run();
}

} // namespace monolith::compiler
