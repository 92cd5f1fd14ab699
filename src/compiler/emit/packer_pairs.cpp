// SPDX-License-Identifier: MIT
// Pairs of words that an operation on doubles reads or makes: the low word in x or z, the high word beside it. Values
// made as pairs stay together; anything else is copied into a pair first.
#include "compiler/emit/packer.h"

#include <algorithm>

namespace monolith::compiler {

void Packer::notePair(ValueId low, ValueId high) {
  pairOf[low] = high;
  pairOf[high] = low;
  highWord[high] = true;
  const ValueId both[] = {low, high};
  mergeBundles(both);
}

/// Both words of every result exist, also where only one is read.
void Packer::gatherPairs(Block& block) {
  std::vector<ValueId> out;
  const std::vector<ValueId> old = block.insts;
  for (ValueId id : old) {
    out.push_back(id);
    const Inst inst = m_f.insts[id];
    if (inst.op == Op::If || inst.op == Op::Loop || inst.op == Op::Switch) {
      Control& c = m_f.controls[inst.aux[0]];
      for (Block* b : c.blocks)
        if (b)
          gatherPairs(*b);
      for (SwitchCase& k : c.cases)
        gatherPairs(*k.block);
      continue;
    }
    if (!hasTrait(inst.op, kDoubleResult))
      continue;
    ValueId words[2] = {kNoValue, kNoValue};
    for (ValueId e : m_extracts[id])
      words[m_f.insts[e].aux[0] & 1] = e;
    for (uint32_t k = 0; k < 2; k++)
      if (!words[k]) {
        Inst e;
        e.op = Op::Extract;
        e.aux[0] = k;
        e.lane = uint8_t(k);
        e.group = inst.group;
        e.count = 1;
        e.first = uint32_t(m_f.pool.size());
        m_f.pool.push_back({id, false, false});
        m_f.insts.push_back(e);
        grow();
        words[k] = ValueId(m_f.insts.size() - 1);
        out.push_back(words[k]);
      }
    m_extracts[id] = {words[0], words[1]};
    notePair(words[0], words[1]);
  }
  block.insts = std::move(out);
}

/// True if the operand forms can name the two words as they lie.
bool Packer::pairFits(Src low, Src high) const {
  const Inst &a = m_f.insts[low.id], &b = m_f.insts[high.id];
  if (low.neg || low.abs || high.neg || high.abs)
    return false;
  if (isTemp(low.id) || isTemp(high.id))
    return pairOf[low.id] == high.id && highWord[high.id];
  if (a.op == Op::Undef && b.op == Op::Undef)
    return true;
  if (a.op != b.op)
    return false;
  if (a.op == Op::Const)
    return true;
  const uint32_t component = a.op == Op::Input ? 1 : 2;
  return sameSource(low, high) && (a.aux[component] & 1) == 0 && b.aux[component] == a.aux[component] + 1;
}

void Packer::fixPair(size_t first, std::vector<ValueId>& before) {
  const Src low = m_f.pool[first], high = m_f.pool[first + 1];
  if (pairFits(low, high))
    return;
  const std::vector<Src> wanted{low, high};
  for (auto& [from, to] : m_copiedPairs)
    if (from == wanted) {
      std::copy(to.begin(), to.end(), m_f.pool.begin() + long(first));
      return;
    }
  m_copyGroup = 0x7f000000u + uint32_t(m_f.insts.size());
  m_copyPrecision = dxbc::MinPrecision::None;
  const ValueId a = makeCopy(low, 0), b = makeCopy(high, 1);
  before.push_back(a);
  before.push_back(b);
  notePair(a, b);
  m_f.pool[first] = Src{a, false, false};
  m_f.pool[first + 1] = Src{b, false, false};
  m_copiedPairs.emplace_back(wanted, std::vector<Src>{m_f.pool[first], m_f.pool[first + 1]});
}

} // namespace monolith::compiler
