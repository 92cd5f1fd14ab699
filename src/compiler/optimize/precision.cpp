// SPDX-License-Identifier: MIT
// Least precision of values (min16float and its like): where it is told, and what values that meet behind branches keep.
#include "compiler/optimize/optimize.h"

namespace monolith::compiler {

using dxbc::MinPrecision;

MinPrecision precisionOf(Base base) {
  switch (base) {
  case Base::Min16Float:
    return MinPrecision::Float16;
  case Base::Min10Float:
    return MinPrecision::Float10;
  case Base::Min12Int:
  case Base::Min16Int:
    return MinPrecision::Sint16;
  case Base::Min16Uint:
    return MinPrecision::Uint16;
  default:
    return MinPrecision::None;
  }
}

MinPrecision precisionOf(const Module& module, ValueId id) {
  const Inst& i = module.code.insts[id];
  if (i.op != Op::Input && i.op != Op::VertexInput)
    return i.op == Op::Const ? MinPrecision::None : i.precision;
  const auto type = dxbc::RegisterType(i.aux[0] >> 16);
  const uint32_t reg = i.aux[0] & 0xffff, component = i.aux[i.op == Op::VertexInput ? 2 : 1];
  for (const IoElement& e : module.inputs)
    if (e.registerType == type && (e.reg == reg || e.reg == ~0u) && component >= e.firstComponent && component < uint32_t(e.firstComponent) + e.count)
      return e.precision;
  return MinPrecision::None;
}

MinPrecision outputPrecision(const Module& module, uint32_t reg, uint32_t component) {
  for (const IoElement& e : module.outputs)
    if (uint32_t(e.registerType) == reg >> 16 && (e.reg == (reg & 0xffff) || e.reg == ~0u) && component >= e.firstComponent && component < uint32_t(e.firstComponent) + e.count)
      return e.precision;
  return MinPrecision::None;
}

namespace {

/// Phis, and choices that were phis, have the precision that all that comes in has.
class Settler {
public:
  explicit Settler(Module& module) : m_module(module), m_f(module.code) {}
  void run() {
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      const Inst& i = m_f.insts[id];
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        const Control& c = m_f.controls[i.aux[0]];
        take(c.headerPhis, c.init);
        for (const auto& e : c.continues)
          take(c.headerPhis, e);
        for (const auto& e : c.breaks)
          take(c.phis, e);
        for (const Block* b : c.blocks)
          if (b)
            take(c.phis, b->yield);
        for (const SwitchCase& k : c.cases)
          take(c.phis, k.block->yield);
      } else if (i.op == Op::Movc && i.precision == MinPrecision::None) {
        for (size_t k = 1; k < 3; k++)
          m_incoming[id].push_back(m_f.pool[i.first + k].id);
      }
    });
    // Hopeful first: what comes round a loop does not count until it turns out to be otherwise.
    for (bool first = true, changed = true; changed; first = false) {
      changed = false;
      for (auto& [id, values] : m_incoming)
        changed = settle(id, values, first) || changed;
      changed = changed || first;
    }
    for (auto& [id, state] : m_state)
      m_f.insts[id].precision = state.known ? state.precision : MinPrecision::None;
  }

private:
  struct State {
    bool known = false;
    MinPrecision precision = MinPrecision::None;
  };
  void take(const std::vector<ValueId>& phis, const std::vector<ValueId>& values) {
    for (size_t k = 0; k < phis.size() && k < values.size(); k++)
      m_incoming[phis[k]].push_back(values[k]);
  }
  bool settle(ValueId id, const std::vector<ValueId>& values, bool first) {
    State now;
    for (ValueId v : values) {
      const Op op = m_f.insts[v].op;
      if (v == id || op == Op::Const || op == Op::Undef)
        continue;
      State in{true, precisionOf(m_module, v)};
      if (auto it = m_incoming.find(v); it != m_incoming.end()) {
        auto known = m_state.find(v);
        if (known == m_state.end() || !known->second.known)
          continue;
        in = known->second;
      }
      if (!now.known)
        now = in;
      else if (now.precision != in.precision)
        now.precision = MinPrecision::None;
    }
    State& state = m_state[id];
    // Once at full precision, always so: this ends.
    if (!first && state.known && state.precision == MinPrecision::None)
      return false;
    const bool changed = now.known != state.known || now.precision != state.precision;
    state = now;
    return changed;
  }

  Module& m_module;
  Function& m_f;
  std::unordered_map<ValueId, std::vector<ValueId>> m_incoming;
  std::unordered_map<ValueId, State> m_state;
};

} // namespace

void settlePrecision(Module& module) {
  Function& f = module.code;
  bool any = false;
  for (const IoElement& e : module.inputs)
    any = any || e.precision != MinPrecision::None;
  for (const IoElement& e : module.outputs)
    any = any || e.precision != MinPrecision::None;
  forEachInst(f, *f.root, [&](ValueId id) {
    any = any || f.insts[id].precision != MinPrecision::None;
    for (const Src& s : f.sources(id))
      any = any || f.insts[s.id].precision != MinPrecision::None;
  });
  module.minPrecision = any;
  if (any)
    Settler(module).run();
}

} // namespace monolith::compiler
