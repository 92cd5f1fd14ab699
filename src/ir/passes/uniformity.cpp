// SPDX-License-Identifier: MIT
#include "ir/passes/uniformity.h"

namespace monolith::ir {

namespace {

class Analyzer {
public:
  explicit Analyzer(const Function& f) : m_f(f), m_variables(f.variableCount, 1), m_arrays(f.arrays.size(), 1), m_split(f.instructions.size(), 0) {
    m_u.values.assign(f.valueCount, 0);
    m_u.instructions.assign(f.instructions.size(), 0);
  }
  Uniformity run();

private:
  bool operandsUniform(const Instruction& i) const {
    for (unsigned n = 0; n < i.operandCount; n++)
      if (!m_u.isUniform(m_f.operand(i, n))) return false;
    return true;
  }
  void makeVarying(std::vector<uint8_t>& set, uint32_t n) {
    m_changed |= set[n] != 0;
    set[n] = 0;
  }
  void split(uint32_t open) {
    m_changed |= m_split[open] == 0;
    m_split[open] = 1;
  }
  bool valueUniform(const Instruction& i) const;
  void walk();
  void flow(const Instruction& i, uint32_t at);

  struct Region {
    uint32_t open;
    bool together; ///< lanes run together at its start
  };
  const Function& m_f;
  Uniformity m_u;
  std::vector<uint8_t> m_variables, m_arrays;
  std::vector<uint8_t> m_split; ///< by index of Loop or Block: some lanes leave or repeat alone
  std::vector<Region> m_regions;
  bool m_together = true;
  bool m_changed = false;
};

bool Analyzer::valueUniform(const Instruction& i) const {
  switch (opInfo(i.op).divergence) {
  case Divergence::Uniform: return true;
  case Divergence::Varying: return false;
  case Divergence::Ops: return operandsUniform(i);
  case Divergence::State:
    return i.op == Op::LoadVar ? m_variables[i.attr] != 0 : operandsUniform(i) && m_arrays[i.attr] != 0;
  }
  return false;
}

void Analyzer::flow(const Instruction& i, uint32_t at) {
  switch (i.op) {
  case Op::If:
    m_regions.push_back({at, m_together});
    m_together = m_together && operandsUniform(i);
    m_u.instructions[at] = m_together;
    break;
  case Op::Else:
    // same as the then branch
    m_together = m_u.instructions[m_regions.back().open] != 0;
    break;
  case Op::Loop:
  case Op::Block:
    m_regions.push_back({at, m_together});
    m_together = m_together && !(i.op == Op::Loop && m_split[at]);
    break;
  case Op::EndIf:
  case Op::EndLoop:
  case Op::EndBlock: {
    const Region r = m_regions.back();
    m_regions.pop_back();
    // Lanes that left an enclosing Block or Loop alone are missing from here to its end.
    m_together = r.together;
    for (const Region& o : m_regions)
      m_together = m_together && !m_split[o.open];
    break;
  }
  default: { // Break, Continue
    const bool same = m_together && operandsUniform(i);
    m_u.instructions[at] = same;
    if (same) break;
    // Every region from here to the target loses some of its lanes on the way.
    for (size_t r = m_regions.size(); r-- > 0;) {
      const uint32_t open = m_regions[r].open;
      if (m_f.instructions[open].op != Op::If) split(open);
      if (open == i.attr) break;
    }
    m_together = false;
  }
  }
}

void Analyzer::walk() {
  m_together = true;
  m_regions.clear();
  for (uint32_t at = 0; at < m_f.instructions.size(); at++) {
    const Instruction& i = m_f.instructions[at];
    m_u.instructions[at] = m_together;
    if (opInfo(i.op).flags & kOpFlow) {
      flow(i, at);
      continue;
    }
    if (i.op == Op::StoreVar && (!m_together || !operandsUniform(i))) makeVarying(m_variables, i.attr);
    if (i.op == Op::StoreArray && (!m_together || !operandsUniform(i))) makeVarying(m_arrays, i.attr);
    const bool uniform = i.resultCount != 0 && valueUniform(i);
    for (unsigned n = 0; n < i.resultCount; n++) m_u.values[i.firstResult + n] = uniform;
  }
}

Uniformity Analyzer::run() {
  do {
    m_changed = false;
    walk();
  } while (m_changed);
  return std::move(m_u);
}

} // namespace

Uniformity analyzeUniformity(const Function& f) { return Analyzer(f).run(); }

} // namespace monolith::ir
