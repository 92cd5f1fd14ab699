// SPDX-License-Identifier: MIT
// Values that an instruction wants in one register but that lie in several: where they are results of one cheap
// operation, computing them again side by side is one instruction, copies would be one or more.
#include "compiler/emit/packer.h"
#include "compiler/optimize/optimize.h"

#include <algorithm>

namespace monolith::compiler {

namespace {
bool cheap(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Mul:
  case Op::Mad:
  case Op::Min:
  case Op::Max:
  case Op::IAdd:
  case Op::And:
  case Op::Or:
  case Op::Neg:
  case Op::Abs:
    return true;
  default:
    return false;
  }
}
/// The second operand that leaves the first as it is.
bool neutral(Op op, uint32_t& bits) {
  switch (op) {
  case Op::Add:
    bits = 0x80000000u; // x + -0 is x for both zeros
    return true;
  case Op::Mul:
    bits = 0x3f800000u;
    return true;
  case Op::IAdd:
    bits = 0;
    return true;
  default:
    return false;
  }
}
} // namespace

bool Packer::recompute(size_t first, size_t count, std::vector<ValueId>& before) {
  const std::vector<Src> wanted(m_f.pool.begin() + long(first), m_f.pool.begin() + long(first + count));
  ValueId pattern = kNoValue;
  for (const Src& s : wanted) {
    if (s.neg != wanted[0].neg || s.abs != wanted[0].abs)
      return false;
    if (!pattern && isTemp(s.id) && cheap(m_f.insts[s.id].op))
      pattern = s.id;
  }
  if (!pattern)
    return false;
  const Inst model = m_f.insts[pattern];
  // The sources of each lane.
  uint32_t identity = 0;
  const bool pads = neutral(model.op, identity);
  std::vector<std::vector<Src>> sources(model.count, std::vector<Src>(count));
  bool padded = false;
  for (size_t k = 0; k < count; k++) {
    const ValueId id = wanted[k].id;
    const Inst& i = m_f.insts[id];
    if (isTemp(id) && i.op == model.op && i.count == model.count && i.saturate == model.saturate && i.precision == model.precision) {
      for (size_t j = 0; j < model.count; j++)
        sources[j][k] = m_f.pool[i.first + j];
      continue;
    }
    if (!pads || model.saturate || m_f.insts[id].op == Op::Const || precisionOf(m_module, id) != model.precision)
      return false;
    sources[0][k] = Src{id, false, false};
    sources[1][k] = Src{kNoValue, false, false};
    padded = true;
  }
  if (padded)
    for (size_t k = 0; k < count; k++)
      if (sources[1][k].id && (!m_f.isConst(sources[1][k].id) || sources[1][k].neg || sources[1][k].abs))
        return false;
  for (size_t j = 0; j < model.count; j++) {
    if (j == 1 && padded)
      continue;
    std::vector<ValueId> merge;
    if (!laneCompatible(sources[j], true, merge) || !fitsOneRegister(merge))
      return false;
  }
  ValueId neutralId = kNoValue;
  if (padded) {
    Inst c;
    c.op = Op::Const;
    c.aux[0] = identity;
    m_f.insts.push_back(c);
    grow();
    neutralId = ValueId(m_f.insts.size() - 1);
  }
  const uint32_t group = 0x7f000000u + uint32_t(m_f.insts.size());
  std::vector<ValueId> fresh;
  for (size_t k = 0; k < count; k++) {
    ValueId made = kNoValue;
    for (size_t e = 0; e < k && !made; e++)
      if (wanted[e].id == wanted[k].id)
        made = fresh[e];
    if (!made) {
      Inst i = model;
      i.lane = uint8_t(k);
      i.group = group;
      i.first = uint32_t(m_f.pool.size());
      i.precise = m_f.insts[wanted[k].id].precise;
      for (size_t j = 0; j < model.count; j++) {
        Src s = sources[j][k];
        if (!s.id)
          s.id = neutralId;
        m_f.pool.push_back(s);
      }
      m_f.insts.push_back(i);
      grow();
      made = ValueId(m_f.insts.size() - 1);
      before.push_back(made);
    }
    fresh.push_back(made);
    m_f.pool[first + k].id = made;
  }
  mergeBundles(fresh);
  for (size_t j = 0; j < model.count; j++) {
    std::vector<ValueId> merge;
    if ((j != 1 || !padded) && laneCompatible(sources[j], true, merge))
      mergeBundles(merge);
  }
  return true;
}

void Packer::listExtracts() {
  m_extracts.clear();
  forEachInst(m_f, *m_f.root, [&](ValueId id) {
    if (m_f.insts[id].op == Op::Extract)
      m_extracts[m_f.sources(id)[0].id].push_back(id);
  });
}

/// What was computed again is not needed where it was.
void Packer::dropUnused() {
  std::vector<uint32_t> uses = countUses(m_f);
  auto sweep = [&](auto&& self, Block& block) -> void {
    for (size_t k = block.insts.size(); k-- > 0;) {
      const ValueId id = block.insts[k];
      const Inst& i = m_f.insts[id];
      if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
        Control& c = m_f.controls[i.aux[0]];
        for (size_t n = c.cases.size(); n-- > 0;)
          self(self, *c.cases[n].block);
        for (size_t n = 2; n-- > 0;)
          if (c.blocks[n])
            self(self, *c.blocks[n]);
        continue;
      }
      if (!hasTrait(i.op, kPure) || uses[id] || outputs[id].direct)
        continue;
      for (const Src& s : m_f.sources(id))
        uses[s.id]--;
      block.insts.erase(block.insts.begin() + long(k));
    }
  };
  sweep(sweep, *m_f.root);
  // A value that is gone leaves its place in the bundle.
  std::vector<bool> present(m_f.insts.size(), false);
  forEachInst(m_f, *m_f.root, [&](ValueId id) {
    present[id] = true;
    const Inst& i = m_f.insts[id];
    if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
      return;
    Control& c = m_f.controls[i.aux[0]];
    for (ValueId p : c.phis)
      present[p] = true;
    for (ValueId p : c.headerPhis)
      present[p] = true;
  });
  for (auto& members : m_members)
    std::erase_if(members, [&](ValueId v) { return !present[v] && hasTrait(m_f.insts[v].op, kLanes | kDot) && members.size() > 1; });
  listExtracts();
}

} // namespace monolith::compiler
