// SPDX-License-Identifier: MIT
// Rules that hold for all lanes of a vector operation or for none: a vector that stays whole is one instruction.
#include "compiler/lower/builder.h"

namespace monolith::compiler {

namespace {
constexpr uint32_t kOne = 0x3f800000, kMinusOne = 0xbf800000, kMinusZero = 0x80000000;
}

/// x + 0 and x * 1 are nothing, but beside other lanes of a vector operation that do something they are free, and keep
/// the vector in one register. So lanes fold together or not at all.
bool Builder::foldsWithGroup(const Inst& inst) const {
  if (m_lowering)
    return false;
  auto it = m_groupFolds.find(inst.group);
  return it == m_groupFolds.end() || it->second != ~0u;
}

/// Choices between constants: all lanes become a mask, or a plain constant, or the vector stays one movc.
bool Builder::selectsWithGroup(const Inst& inst, std::span<const Src> src, uint8_t kind) const {
  if (!m_f.isConst(src[1].id) || !m_f.isConst(src[2].id))
    return true;
  if (m_lowering)
    return false; // the other lanes are not there yet
  const auto it = m_groupSelects.find(inst.group);
  return it == m_groupSelects.end() || (it->second & kind);
}

void Builder::noteSelect(const Inst& inst) {
  const ValueId a = resolve(m_f.pool[inst.first + 1].id), b = resolve(m_f.pool[inst.first + 2].id);
  uint8_t kinds = 0;
  if (m_f.isConst(a) && m_f.isConst(b))
    kinds = a == b ? kSelectsSame : m_f.bits(b) == 0 ? kSelectsAnd : uint8_t(0);
  auto [it, fresh] = m_groupSelects.emplace(inst.group, kinds);
  it->second &= kinds;
}

void Builder::findFoldingGroups(const Block& block) {
  auto is = [&](ValueId v, uint32_t bits) { return m_f.isConst(v) && m_f.bits(v) == bits; };
  for (ValueId id : block.insts) {
    const Inst& i = m_f.insts[id];
    if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
      const Control& c = m_f.controls[i.aux[0]];
      for (const Block* b : c.blocks)
        if (b)
          findFoldingGroups(*b);
      for (const SwitchCase& k : c.cases)
        findFoldingGroups(*k.block);
    }
    if (i.op == Op::Movc)
      noteSelect(i);
    if (i.op != Op::Add && i.op != Op::Mul && i.op != Op::Mad)
      continue;
    const Src &a = m_f.pool[i.first], &s = m_f.pool[i.first + 1];
    const ValueId b = resolve(s.id);
    bool trivial = !s.neg && !s.abs && !a.neg && !a.abs && (is(b, 0) || is(b, kMinusZero));
    if (i.op != Op::Add)
      trivial = (trivial && !i.precise) || is(b, kOne) || is(b, kMinusOne);
    // All lanes alike: float2(0, 1) * x stays one multiplication.
    const uint32_t kind = trivial ? m_f.bits(b) & (i.op == Op::Add ? 0x7fffffffu : ~0u) : ~0u;
    auto [it, fresh] = m_groupFolds.emplace(i.group, kind);
    if (it->second != kind)
      it->second = ~0u;
  }
}

} // namespace monolith::compiler
