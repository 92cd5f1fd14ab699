// SPDX-License-Identifier: MIT
// Variables that are read before they are set. What is computed from a value that nothing ever set is an error; what
// is computed from one that only some paths set is a warning. Only code that matters counts: dead code is gone by now.
#include "compiler/optimize/optimize.h"

#include <algorithm>
#include <set>

namespace monolith::compiler {

namespace {

class Checker {
public:
  Checker(Module& module, Diagnostics& diagnostics) : m_module(module), m_f(module.code), m_diagnostics(diagnostics) {}

  void run() {
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      const Inst& i = m_f.insts[id];
      if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
        return;
      const Control& c = m_f.controls[i.aux[0]];
      auto take = [&](const std::vector<ValueId>& phis, const std::vector<ValueId>& values) {
        for (size_t k = 0; k < phis.size() && k < values.size(); k++)
          m_outgoing[values[k]].push_back(phis[k]);
      };
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
    });
    spread();
    forEachInst(m_f, *m_f.root, [&](ValueId id) { use(id); });
  }

private:
  /// The variable whose unset value a value may be; null if it surely was set.
  const VarDecl* unset(ValueId id) const {
    if (auto it = m_module.unset.find(id); it != m_module.unset.end())
      return it->second;
    const auto it = m_maybe.find(id);
    return it == m_maybe.end() ? nullptr : it->second;
  }
  /// Phis that unset values reach.
  void spread() {
    std::vector<std::pair<ValueId, const VarDecl*>> work;
    for (const auto& [from, phis] : m_outgoing)
      if (auto it = m_module.unset.find(from); it != m_module.unset.end())
        work.emplace_back(from, it->second);
    std::sort(work.begin(), work.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t k = 0; k < work.size(); k++) {
      const auto [from, var] = work[k];
      auto it = m_outgoing.find(from);
      if (it == m_outgoing.end())
        continue;
      for (ValueId phi : it->second)
        if (m_maybe.emplace(phi, var).second)
          work.emplace_back(phi, var);
    }
  }
  void use(ValueId id) {
    const Inst& i = m_f.insts[id];
    if (i.op == Op::Phi || i.op == Op::Extract || i.op == Op::TempStore || (hasTrait(i.op, kFetch) && hasTrait(i.op, kEffect)))
      return;
    for (const Src& s : m_f.sources(id)) {
      const Op from = m_f.insts[s.id].op;
      if (from != Op::Undef && from != Op::Phi)
        continue;
      const VarDecl* var = unset(s.id);
      if (!var)
        continue;
      const Location at = place(id);
      if (!at.line)
        continue;
      if (from == Op::Phi)
        m_diagnostics.warning(at, 4000, "use of potentially uninitialized variable (" + std::string(var->name) + ")");
      else if (i.op != Op::Store && i.op != Op::Movc && m_reported.insert(var).second)
        m_diagnostics.error(at, 4000, "variable '" + std::string(var->name) + "' used without having been completely initialized");
    }
  }
  Location place(ValueId id) const {
    const Inst& i = m_f.insts[id];
    if (i.op != Op::Store)
      return m_module.placeOf(id);
    for (const IoElement& e : m_module.outputs)
      if ((uint32_t(e.registerType) << 16 | (e.reg == ~0u ? 0 : e.reg)) == i.aux[0] && i.aux[1] >= e.firstComponent && i.aux[1] < uint32_t(e.firstComponent) + e.count)
        return e.param ? e.param->loc : m_module.entryPlace;
    return {};
  }

  Module& m_module;
  Function& m_f;
  Diagnostics& m_diagnostics;
  std::unordered_map<ValueId, std::vector<ValueId>> m_outgoing; ///< phis that a value comes into
  std::unordered_map<ValueId, const VarDecl*> m_maybe;
  std::set<const VarDecl*> m_reported;
};

} // namespace

void checkUndefined(Module& module, Diagnostics& diagnostics) {
  if (!module.unset.empty())
    Checker(module, diagnostics).run();
}

} // namespace monolith::compiler
