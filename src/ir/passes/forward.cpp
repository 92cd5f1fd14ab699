// SPDX-License-Identifier: MIT
#include "ir/passes/forward.h"

#include "ir/passes/rewrite.h"

namespace monolith::ir {

namespace {

class Forwarder {
public:
  explicit Forwarder(Function& f) : m_f(f), m_map(f), m_current(f.variableCount, f.constantValue(0)) {}
  void run();

private:
  struct Region {
    size_t undo;   ///< size of m_undo at its start
    size_t stored; ///< size of m_stored at its start
  };
  struct Undo {
    uint32_t variable;
    Value value;
  };
  void set(uint32_t variable, Value v) {
    m_undo.push_back({variable, m_current[variable]});
    m_current[variable] = v;
  }
  void restore(size_t size) {
    while (m_undo.size() > size) {
      m_current[m_undo.back().variable] = m_undo.back().value;
      m_undo.pop_back();
    }
  }
  void begin() { m_regions.push_back({m_undo.size(), m_stored.size()}); }
  void end();
  void flow(uint32_t at);

  Function& m_f;
  Replacements m_map;
  std::vector<Value> m_current; ///< known value by variable; invalid: depends on control flow
  std::vector<Undo> m_undo;
  std::vector<uint32_t> m_stored; ///< variables stored in the open regions
  std::vector<Region> m_regions;
};

/// The end of a region: what it stored is unknown, the rest is as before it.
void Forwarder::end() {
  const Region r = m_regions.back();
  m_regions.pop_back();
  restore(r.undo);
  for (size_t i = r.stored; i < m_stored.size(); i++)
    set(m_stored[i], {}); // belongs to the enclosing region, whose m_stored keeps it
  if (m_regions.empty())
    m_stored.clear();
}

void Forwarder::flow(uint32_t at) {
  const Instruction& i = m_f.instructions[at];
  switch (i.op) {
  case Op::If:
  case Op::Block: begin(); break;
  case Op::Else: restore(m_regions.back().undo); break;
  case Op::Loop:
    begin();
    for (uint32_t n = at + 1; n < i.attr; n++)
      if (m_f.instructions[n].op == Op::StoreVar)
        set(m_f.instructions[n].attr, {});
    break;
  case Op::EndIf:
  case Op::EndLoop:
  case Op::EndBlock: end(); break;
  default: break;
  }
}

void Forwarder::run() {
  bool removed = false;
  for (uint32_t at = 0; at < m_f.instructions.size(); at++) {
    Instruction& i = m_f.instructions[at];
    m_map.apply(m_f, i);
    if (i.op == Op::StoreVar) {
      set(i.attr, m_f.operand(i, 0));
      if (!m_regions.empty())
        m_stored.push_back(i.attr);
    } else if (i.op == Op::LoadVar) {
      if (m_current[i.attr].valid()) {
        m_map.replace(Function::result(i), m_current[i.attr]);
        removeInstruction(i);
        removed = true;
      } else {
        set(i.attr, Function::result(i));
      }
    } else if (i.op < Op::Count && (opInfo(i.op).flags & kOpFlow)) {
      flow(at);
    }
  }
  if (removed)
    dropRemoved(m_f);
}

} // namespace

void forwardVariables(Function& f) {
  if (f.variableCount)
    Forwarder(f).run();
}

} // namespace monolith::ir
