// SPDX-License-Identifier: MIT
// Arrays among the inputs that a value indexes are read where they lie (dcl_indexrange) instead of from a copy in an
// indexable temporary, if nothing else is ever written there.
#include "compiler/optimize/optimize.h"

#include <map>

namespace monolith::compiler {

namespace {

class InputArrays {
public:
  InputArrays(Module& module, Builder& b) : m_module(module), m_f(module.code), m_b(b), m_temps(m_f.indexableTemps.size()) {}
  bool run() {
    if (m_temps.empty() || (m_module.target.stage != Stage::Vertex && m_module.target.stage != Stage::Pixel))
      return false;
    collect();
    bool changed = false;
    for (uint32_t t = 0; t < m_temps.size(); t++)
      changed = (m_temps[t].possible && !m_temps[t].loads.empty() && replace(t)) || changed;
    return changed;
  }

private:
  struct Temp {
    bool possible = true;
    std::map<std::pair<uint32_t, uint32_t>, ValueId> stored; ///< by index and component: the input
    std::vector<ValueId> loads, stores;
  };

  /// Stores must all be inputs at known places, once each, in the outermost block and before the first load.
  void collect() {
    std::vector<bool> outermost(m_f.insts.size(), false);
    for (ValueId id : m_f.root->insts)
      outermost[id] = true;
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      const Inst& i = m_f.insts[id];
      if (i.op == Op::TempLoad)
        m_temps[i.aux[0]].loads.push_back(id);
      if (i.op != Op::TempStore)
        return;
      Temp& t = m_temps[i.aux[0]];
      const Src v = m_f.sources(id)[0];
      const bool plain = i.count == 1 && outermost[id] && t.loads.empty() && !v.neg && !v.abs && m_f.insts[v.id].op == Op::Input && m_f.insts[v.id].aux[2] == 0;
      t.possible = t.possible && plain && t.stored.emplace(std::pair{i.aux[1], i.aux[2]}, v.id).second;
      t.stores.push_back(id);
    });
  }

  const IoElement* elementOf(const Inst& input) const {
    for (const IoElement& e : m_module.inputs)
      if (e.registerType == dxbc::RegisterType::Input && e.registerType == dxbc::RegisterType(input.aux[0] >> 16) && e.reg == (input.aux[0] & 0xffff) &&
          input.aux[1] >= e.firstComponent && input.aux[1] < uint32_t(e.firstComponent) + e.count)
        return &e;
    return nullptr;
  }

  /// Registers that follow each other from `index` on to the end of the temporary, all alike; 0: not so.
  uint32_t range(const Temp& t, uint32_t registers, uint32_t index, uint32_t component) const {
    const auto first = t.stored.find({index, component});
    if (first == t.stored.end())
      return 0;
    const Inst& from = m_f.insts[first->second];
    const IoElement* like = elementOf(from);
    if (!like)
      return 0;
    for (uint32_t k = index; k < registers; k++) {
      const auto at = t.stored.find({k, component});
      const Inst* i = at == t.stored.end() ? nullptr : &m_f.insts[at->second];
      const IoElement* e = i ? elementOf(*i) : nullptr;
      if (!e || i->aux[0] != from.aux[0] + (k - index) || i->aux[1] != from.aux[1] || e->count != like->count || e->firstComponent != like->firstComponent ||
          e->interpolation != like->interpolation || e->systemValue != dxbc::SignatureSystemValue::None || e->componentType != like->componentType || e->precision != like->precision)
        return 0;
    }
    return registers - index;
  }

  bool replace(uint32_t number) {
    Temp& t = m_temps[number];
    const uint32_t registers = m_f.indexableTemps[number].registers;
    std::vector<uint32_t> ranges;
    for (ValueId id : t.loads) {
      const Inst& i = m_f.insts[id];
      const bool there = t.stored.count({i.aux[1], i.aux[2]}) != 0;
      ranges.push_back(!there ? 0 : i.count ? range(t, registers, i.aux[1], i.aux[2]) : 1);
      if (!ranges.back())
        return false;
    }
    for (size_t k = 0; k < t.loads.size(); k++) {
      Inst& i = m_f.insts[t.loads[k]];
      const ValueId input = t.stored[{i.aux[1], i.aux[2]}];
      if (!i.count) {
        m_b.forward(t.loads[k], input);
        i.dead = true;
        continue;
      }
      const Inst& from = m_f.insts[input];
      i.op = Op::InputAt;
      i.aux[0] = from.aux[0];
      i.aux[1] = ranges[k];
      i.aux[2] = from.aux[1];
    }
    std::erase_if(m_f.root->insts, [&](ValueId id) { return m_f.insts[id].op == Op::TempStore && m_f.insts[id].aux[0] == number; });
    m_f.indexableTemps[number].registers = 0;
    return true;
  }

  Module& m_module;
  Function& m_f;
  Builder& m_b;
  std::vector<Temp> m_temps;
};

} // namespace

bool readInputArrays(Module& module, Builder& b) {
  return InputArrays(module, b).run();
}

} // namespace monolith::compiler
