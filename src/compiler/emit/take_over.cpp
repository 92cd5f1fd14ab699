// SPDX-License-Identifier: MIT
// How many components of a register the values of bundles need. An operation that is the last to read a value may have
// that value's component: so `c.rgb *= c.a` leaves all four channels in one register.
#include "compiler/emit/packer.h"

#include <algorithm>

namespace monolith::compiler {

std::vector<uint32_t> Packer::rootsOf(std::span<const ValueId> values) {
  std::vector<uint32_t> roots;
  for (ValueId v : values)
    if (const uint32_t r = bundleOf(v); std::find(roots.begin(), roots.end(), r) == roots.end())
      roots.push_back(r);
  return roots;
}

bool Packer::fitsOneRegister(std::span<const ValueId> values) {
  return placesOf(rootsOf(values)) <= 4;
}

void Packer::noteBlocks(const Block& block) {
  for (ValueId id : block.insts) {
    m_blockOf[id] = &block;
    const Inst& i = m_f.insts[id];
    if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
      continue;
    const Control& c = m_f.controls[i.aux[0]];
    for (const Block* b : c.blocks)
      if (b)
        noteBlocks(*b);
    for (const SwitchCase& k : c.cases)
      noteBlocks(*k.block);
  }
}

/// In one block, so that no loop lies between them: `from` ends where `by` begins.
bool Packer::canTakeOver(ValueId by, ValueId from) const {
  const Inst& i = m_f.insts[by];
  return m_packing && hasTrait(i.op, kLanes) && !outputs[by].direct && isTemp(from) && m_uses[from] == 1 && m_blockOf[by] && m_blockOf[by] == m_blockOf[from] &&
         !pairOf[by] && !pairOf[from] && m_f.insts[from].op != Op::Phi && i.precision == m_f.insts[from].precision;
}

/// Components that all members of the bundles take; `shares` gets the values that take over another's to make it four.
size_t Packer::placesOf(std::span<const uint32_t> roots, std::vector<std::pair<ValueId, ValueId>>* shares) {
  size_t total = 0;
  std::vector<ValueId> members, taken;
  for (uint32_t r : roots)
    for (ValueId v : m_members[r]) {
      members.push_back(v);
      if (takesOver[v])
        taken.push_back(takesOver[v]);
      else
        total++;
    }
  if (total <= 4 || !m_packing)
    return total;
  for (ValueId by : members) {
    if (takesOver[by])
      continue;
    for (const Src& s : m_f.sources(by)) {
      const bool there = std::find(members.begin(), members.end(), s.id) != members.end();
      if (!there || !canTakeOver(by, s.id) || std::find(taken.begin(), taken.end(), s.id) != taken.end())
        continue;
      taken.push_back(s.id);
      total--;
      if (shares)
        shares->push_back({by, s.id});
      break;
    }
  }
  return total;
}

} // namespace monolith::compiler
