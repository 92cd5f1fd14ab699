// SPDX-License-Identifier: MIT
// How many components of a register the values of bundles need. A value that is made where another is read for the last
// time, or later, may have that one's component: so `c.rgb *= c.a` leaves all four channels in one register.
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

/// The item at hand holds the instruction.
void Packer::noteItem(ValueId id) {
  const uint32_t at = uint32_t(items.size());
  m_madeAt[id] = at;
  for (const Src& s : m_f.sources(id))
    if (m_uses[s.id] && --m_uses[s.id] == 0)
      m_diedAt[s.id] = at;
}

/// In one block, so that no loop lies between them: `from` has ended where `by` begins.
bool Packer::canTakeOver(ValueId by, ValueId from) const {
  return m_packing && isTemp(by) && isTemp(from) && m_blockOf[by] && m_blockOf[by] == m_blockOf[from] && !pairOf[by] && !pairOf[from] &&
         m_f.insts[by].precision == m_f.insts[from].precision && m_madeAt[from] < m_madeAt[by] && m_madeAt[by] != kNever && m_diedAt[from] <= m_madeAt[by];
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
    for (ValueId from : members) {
      if (!canTakeOver(by, from) || std::find(taken.begin(), taken.end(), from) != taken.end())
        continue;
      taken.push_back(from);
      total--;
      if (shares)
        shares->push_back({by, from});
      break;
    }
  }
  return total;
}

/// The operands that can be read as they are go into one bundle, if copies of the others fit beside them.
void Packer::gatherPlain(std::span<const Src> tuple) {
  std::vector<ValueId> plain;
  std::vector<Src> others;
  for (const Src& s : tuple)
    if (isTemp(s.id) && !s.neg && !s.abs && m_f.insts[s.id].precision == m_copyPrecision)
      plain.push_back(s.id);
    else if (std::find(others.begin(), others.end(), s) == others.end())
      others.push_back(s);
  if (plain.size() > 1 && placesOf(rootsOf(plain)) + others.size() <= 4)
    mergeBundles(plain);
}

/// True if the two results go into one register anyway.
bool Packer::arePartners(ValueId x, ValueId y) {
  if (!mayShare(x, y) || outputs[x].direct != outputs[y].direct)
    return false;
  return outputs[x].direct ? outputs[x].reg == outputs[y].reg : bundleOf(x) == bundleOf(y);
}

/// Moves an operation down to a later one that it could share an instruction with, if nothing between needs its result.
void Packer::sinkToPartners(Block& block) {
  constexpr size_t kReach = 24;
  std::vector<ValueId>& list = block.insts;
  for (size_t n = list.size(); n-- > 0;) {
    const ValueId id = list[n];
    const Op op = m_f.insts[id].op;
    if (!hasTrait(op, kLanes) || !hasTrait(op, kPure) || op == Op::Phi)
      continue;
    size_t to = n;
    for (size_t k = n + 1; k < list.size() && k <= n + kReach; k++) {
      const std::span<const Src> sources = m_f.sources(list[k]);
      if (hasTrait(m_f.insts[list[k]].op, kControl | kEffect) || std::any_of(sources.begin(), sources.end(), [&](const Src& s) { return s.id == id; }))
        break;
      if (arePartners(id, list[k]))
        to = k;
    }
    while (to > n + 1 && arePartners(id, list[to - 1])) // before all that lie together, as in the source
      to--;
    if (to <= n + 1)
      continue;
    list.erase(list.begin() + long(n));
    list.insert(list.begin() + long(to) - 1, id);
  }
}

} // namespace monolith::compiler
