// SPDX-License-Identifier: MIT
#include "compiler/emit/packer.h"
#include "compiler/optimize/optimize.h"

#include <algorithm>
#include <map>

namespace monolith::compiler {

namespace {
constexpr size_t kWindow = 160;
}

Packer::Packer(Module& module) : m_module(module), m_f(module.code) {
  grow();
}

void Packer::grow() {
  const size_t n = m_f.insts.size();
  for (size_t i = m_parent.size(); i < n; i++) {
    m_parent.push_back(uint32_t(i));
    m_members.push_back({ValueId(i)});
  }
  outputs.resize(n);
  m_done.resize(n, false);
  carried.resize(n, false);
  pairOf.resize(n, kNoValue);
  highWord.resize(n, false);
  takesOver.resize(n, kNoValue);
}

uint32_t Packer::bundleOf(ValueId v) {
  while (m_parent[v] != v) {
    m_parent[v] = m_parent[m_parent[v]];
    v = m_parent[v];
  }
  return v;
}

bool Packer::isTemp(ValueId v) const {
  const Op op = m_f.insts[v].op;
  return !hasTrait(op, kFoldable) && !outputs[v].direct;
}

bool Packer::mergeBundles(std::span<const ValueId> values) {
  const std::vector<uint32_t> roots = rootsOf(values);
  std::vector<std::pair<ValueId, ValueId>> shares;
  if (placesOf(roots, &shares) > 4 || !samePrecision(values))
    return false;
  for (const auto& [by, from] : shares)
    takesOver[by] = from;
  for (size_t i = 1; i < roots.size(); i++) {
    m_parent[roots[i]] = roots[0];
    auto& into = m_members[roots[0]];
    into.insert(into.end(), m_members[roots[i]].begin(), m_members[roots[i]].end());
    m_members[roots[i]].clear();
  }
  return true;
}

/// A register holds values of one precision.
bool Packer::samePrecision(std::span<const ValueId> values) const {
  return std::all_of(values.begin(), values.end(), [&](ValueId v) { return m_f.insts[v].precision == m_f.insts[values[0]].precision; });
}

void Packer::joinBundles(ValueId a, ValueId b) {
  uint32_t x = bundleOf(a), y = bundleOf(b);
  if (x == y)
    return;
  m_parent[y] = x;
  m_members[x].insert(m_members[x].end(), m_members[y].begin(), m_members[y].end());
  m_members[y].clear();
}

/// A value that ends in an output register and nowhere else is made there.
void Packer::findDirectOutputs() {
  std::vector<bool> inRoot(m_f.insts.size(), false);
  std::map<uint32_t, std::vector<ValueId>> groups;
  for (ValueId id : m_f.root->insts)
    inRoot[id] = true;
  std::vector<ValueId> stores;
  std::vector<bool> sinceEmit(m_f.insts.size(), false); // made after the last vertex was emitted
  std::map<std::pair<ValueId, uint32_t>, uint32_t> storeCount;
  for (ValueId id : m_f.root->insts)
    if (m_f.insts[id].op == Op::Store) {
      const Src v = m_f.sources(id)[0];
      storeCount[{v.id, m_f.insts[id].aux[0]}] += v.neg || v.abs ? 100 : 1;
    }
  auto storesTo = [&](ValueId v, uint32_t reg) { return storeCount[{v, reg}]; };
  for (ValueId id : m_f.root->insts) {
    const Inst& s = m_f.insts[id];
    if (m_emits && hasTrait(s.op, kControl | kEffect) && s.op != Op::Store)
      sinceEmit.assign(m_f.insts.size(), false);
    sinceEmit[id] = true;
    if (s.op != Op::Store || (m_emits && !sinceEmit[m_f.sources(id)[0].id]))
      continue;
    const Src v = m_f.sources(id)[0];
    const Inst& d = m_f.insts[v.id];
    if (outputs[v.id].direct && outputs[v.id].reg == s.aux[0]) {
      outputs[v.id].also |= uint8_t(1u << s.aux[1]);
      continue;
    }
    if (v.neg || v.abs || m_uses[v.id] != storesTo(v.id, s.aux[0]) || !inRoot[v.id])
      continue;
    const bool maker = hasTrait(d.op, kLanes | kDot) || (d.op == Op::Extract && d.aux[0] != kStatusComponent && !hasTrait(m_f.insts[m_f.sources(v.id)[0].id].op, kDouble));
    if (!maker || d.op == Op::Phi || (d.op != Op::Extract && d.precision != outputPrecision(m_module, s.aux[0], s.aux[1])))
      continue;
    outputs[v.id] = {true, s.aux[0], uint8_t(s.aux[1])};
    stores.push_back(id);
    groups[d.op == Op::Extract ? m_f.sources(v.id)[0].id | 0x80000000u : d.group].push_back(v.id);
  }
  // All values of one vector operation go to one register, or none is direct.
  std::map<uint32_t, size_t> sizes;
  forEachInst(m_f, *m_f.root, [&](ValueId id) {
    const Inst& d = m_f.insts[id];
    if (d.op == Op::Extract)
      sizes[m_f.sources(id)[0].id | 0x80000000u]++;
    else if (hasTrait(d.op, kLanes))
      sizes[d.group]++;
  });
  for (auto& [group, values] : groups) {
    bool fits = true;
    const bool fetch = group & 0x80000000u;
    for (ValueId v : values)
      fits = fits && outputs[v].reg == outputs[values[0]].reg;
    if (!hasTrait(m_f.insts[values[0]].op, kDot))
      fits = fits && (fetch ? values.size() == sizes[group] : values.size() >= sizes[group]);
    if (!fits)
      for (ValueId v : values)
        outputs[v].direct = false;
  }
  std::vector<ValueId> kept;
  for (ValueId id : m_f.root->insts)
    if (m_f.insts[id].op != Op::Store || !outputs[m_f.sources(id)[0].id].direct || m_f.sources(id)[0].neg || m_f.sources(id)[0].abs)
      kept.push_back(id);
  m_f.root->insts = std::move(kept);
}

/// Values that one source vector operation makes belong together.
void Packer::gatherResults(Block& block) {
  std::map<uint32_t, std::vector<ValueId>> groups;
  auto phis = [&](const std::vector<ValueId>& list) {
    std::map<uint32_t, std::vector<ValueId>> g;
    for (ValueId p : list)
      g[m_f.insts[p].group].push_back(p);
    for (auto& [k, v] : g)
      mergeBundles(v);
  };
  for (ValueId id : block.insts) {
    const Inst& i = m_f.insts[id];
    if ((hasTrait(i.op, kLanes) || i.op == Op::TempLoad) && !outputs[id].direct)
      groups[i.group * 2 + (i.op == Op::TempLoad)].push_back(id);
    else if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
      Control& c = m_f.controls[i.aux[0]];
      phis(c.headerPhis);
      phis(c.phis);
      for (Block* b : c.blocks)
        if (b)
          gatherResults(*b);
      for (SwitchCase& k : c.cases)
        gatherResults(*k.block);
    }
  }
  // Only what can be one instruction: lanes that read different constant registers never are.
  for (auto& [k, v] : groups) {
    if (v.size() > 4)
      continue;
    std::vector<std::vector<ValueId>> parts;
    for (ValueId id : v) {
      size_t at = 0;
      while (at < parts.size() && !mayShare(parts[at][0], id))
        at++;
      if (at == parts.size())
        parts.emplace_back();
      parts[at].push_back(id);
    }
    for (auto& part : parts)
      mergeBundles(part);
  }
}

/// False if two operations can never be lanes of one instruction because of operands that are not temporary.
bool Packer::mayShare(ValueId x, ValueId y) const {
  const Inst &a = m_f.insts[x], &b = m_f.insts[y];
  if (a.op != b.op || a.count != b.count || a.saturate != b.saturate || a.precision != b.precision)
    return false;
  if (a.op == Op::TempLoad)
    return true;
  for (size_t k = 0; k < a.count; k++) {
    const Src &s = m_f.pool[a.first + k], &t = m_f.pool[b.first + k];
    if (m_f.insts[s.id].op == Op::Undef || m_f.insts[t.id].op == Op::Undef)
      continue;
    if (s.neg != t.neg || s.abs != t.abs || isTemp(s.id) != isTemp(t.id) || (!isTemp(s.id) && !sameSource(s, t)))
      return false;
  }
  return true;
}

bool Packer::sameSource(const Src& a, const Src& b) const {
  if (a.neg != b.neg || a.abs != b.abs)
    return false;
  const Inst &x = m_f.insts[a.id], &y = m_f.insts[b.id];
  if (x.op == Op::Undef || y.op == Op::Undef)
    return true;
  if (!hasTrait(x.op, kFoldable) || !hasTrait(y.op, kFoldable))
    return false;
  if (x.op != y.op)
    return false;
  if (x.op == Op::Const)
    return true;
  if (x.op == Op::Input)
    return x.aux[0] == y.aux[0];
  if (x.aux[0] != y.aux[0] || x.aux[1] != y.aux[1] || x.count != y.count || x.precision != y.precision)
    return false;
  return x.count == 0 || m_f.pool[x.first] == m_f.pool[y.first];
}

/// True if the sources can be read from one register; collects bundles that would have to be merged for that.
bool Packer::laneCompatible(std::span<const Src> tuple, bool allowMerge, std::vector<ValueId>& merge) {
  const Src* first = nullptr;
  for (const Src& s : tuple) {
    if (m_f.insts[s.id].op == Op::Undef)
      continue;
    if (!first) {
      first = &s;
      if (isTemp(s.id))
        merge.push_back(s.id);
      continue;
    }
    if (isTemp(s.id) != isTemp(first->id) || s.neg != first->neg || s.abs != first->abs)
      return false;
    if (!isTemp(s.id)) {
      if (!sameSource(*first, s))
        return false;
      continue;
    }
    if (m_f.insts[s.id].precision != m_f.insts[first->id].precision)
      return false;
    if (!allowMerge && bundleOf(s.id) != bundleOf(first->id))
      return false;
    merge.push_back(s.id);
  }
  return true;
}

bool Packer::tupleFits(std::span<const Src> tuple) {
  std::vector<ValueId> merge;
  if (!laneCompatible(tuple, true, merge))
    return false;
  return merge.empty() || mergeBundles(merge);
}

ValueId Packer::makeCopy(Src s, uint32_t lane) {
  Inst inst;
  inst.op = Op::Mov;
  inst.lane = uint8_t(lane);
  inst.group = m_copyGroup;
  inst.precision = m_copyPrecision;
  inst.count = 1;
  inst.first = uint32_t(m_f.pool.size());
  m_f.pool.push_back(s);
  m_f.insts.push_back(inst);
  grow();
  return ValueId(m_f.insts.size() - 1);
}

/// Precision that copies of the values need: theirs if they agree, the full one if not.
dxbc::MinPrecision Packer::commonPrecision(std::span<const Src> tuple) const {
  bool any = false;
  dxbc::MinPrecision common = dxbc::MinPrecision::None;
  for (const Src& s : tuple) {
    const Op op = m_f.insts[s.id].op;
    if (op == Op::Const || op == Op::Undef)
      continue;
    const dxbc::MinPrecision p = precisionOf(m_module, s.id);
    if (any && p != common)
      return dxbc::MinPrecision::None;
    common = p;
    any = true;
  }
  return common;
}

/// Makes pool[first, first + count) readable from one register, with copies if need be.
void Packer::fixTuple(size_t first, size_t count, std::vector<ValueId>& before) {
  std::span<const Src> tuple(m_f.pool.data() + first, count);
  if (count < 2 || tupleFits(tuple))
    return;
  const std::vector<Src> wanted(tuple.begin(), tuple.end());
  for (auto& [from, to] : m_copied)
    if (from == wanted) {
      std::copy(to.begin(), to.end(), m_f.pool.begin() + long(first));
      return;
    }
  if (recompute(first, count, before)) {
    m_copied.emplace_back(wanted, std::vector<Src>(m_f.pool.begin() + long(first), m_f.pool.begin() + long(first + count)));
    return;
  }
  m_copyGroup = 0x7f000000u + uint32_t(m_f.insts.size());
  m_copyPrecision = commonPrecision(tuple);
  gatherPlain(tuple);
  // Keep the largest part that is in one bundle already and copy the others beside it, if there is room.
  size_t bestCount = 0;
  uint32_t best = 0;
  for (const Src& s : tuple)
    if (isTemp(s.id) && !s.neg && !s.abs && m_f.insts[s.id].precision == m_copyPrecision) {
      size_t n = 0;
      for (const Src& t : tuple)
        n += isTemp(t.id) && !t.neg && !t.abs && bundleOf(t.id) == bundleOf(s.id);
      if (n > bestCount) {
        bestCount = n;
        best = bundleOf(s.id);
      }
    }
  std::map<std::pair<ValueId, int>, ValueId> made;
  std::vector<ValueId> fresh;
  for (size_t k = 0; k < count; k++) {
    const Src s = m_f.pool[first + k];
    if (isTemp(s.id) && !s.neg && !s.abs && bestCount && bundleOf(s.id) == best)
      continue;
    made[{s.id, s.neg * 2 + s.abs}] = 0;
  }
  // What lies alone elsewhere may lie in the same register instead of being copied there.
  for (size_t k = 0; k < count && bestCount; k++) {
    const Src s = m_f.pool[first + k];
    if (!isTemp(s.id) || s.neg || s.abs || bundleOf(s.id) == bundleOf(best) || m_f.insts[s.id].precision != m_copyPrecision)
      continue;
    size_t copies = 0;
    for (const auto& entry : made)
      copies += entry.first.second || !isTemp(entry.first.first) || bundleOf(entry.first.first) != bundleOf(s.id);
    if (m_members[bundleOf(best)].size() + m_members[bundleOf(s.id)].size() + copies > 4)
      continue;
    const ValueId both[] = {ValueId(bundleOf(best)), s.id};
    if (!mergeBundles(both))
      continue;
    best = bundleOf(best);
    std::erase_if(made, [&](const auto& entry) { return !entry.first.second && isTemp(entry.first.first) && bundleOf(entry.first.first) == best; });
  }
  const bool beside = bestCount && m_members[best].size() + made.size() <= 4;
  for (size_t k = 0; k < count; k++) {
    const Src s = m_f.pool[first + k];
    if (beside && isTemp(s.id) && !s.neg && !s.abs && bundleOf(s.id) == best)
      continue;
    ValueId& copy = made[{s.id, s.neg * 2 + s.abs}];
    if (!copy) {
      copy = makeCopy(s, uint32_t(k));
      before.push_back(copy);
      fresh.push_back(copy);
    }
    m_f.pool[first + k] = Src{copy, false, false};
  }
  if (beside)
    fresh.push_back(best);
  mergeBundles(fresh);
  m_copied.emplace_back(wanted, std::vector<Src>(m_f.pool.begin() + long(first), m_f.pool.begin() + long(first + count)));
}

void Packer::gatherSources(Block& block) {
  m_copied.clear();
  m_copiedPairs.clear();
  std::vector<ValueId> out;
  const std::vector<ValueId> old = block.insts;
  for (ValueId id : old) {
    const Inst i = m_f.insts[id];
    if (hasTrait(i.op, kDot)) {
      fixTuple(i.first, i.count / 2u, out);
      fixTuple(i.first + i.count / 2u, i.count / 2u, out);
    } else if (hasTrait(i.op, kDoubleSrc)) {
      for (size_t k = 0; k + 1 < i.count; k += 2)
        fixPair(i.first + k, out);
    } else if (hasTrait(i.op, kFetch) && i.count) {
      const Fetch f = m_f.fetches[i.aux[0]];
      fixTuple(i.first, f.addressCount, out);
      size_t at = i.first + f.addressCount;
      if (f.gradientCount) {
        fixTuple(at, f.gradientCount, out);
        fixTuple(at + f.gradientCount, f.gradientCount, out);
      } else if (i.op == Op::Gather4Po || i.op == Op::Gather4PoC) {
        fixTuple(at, 2, out);
      }
      if (f.valueCount)
        fixTuple(at + f.scalars, f.valueCount, out);
    } else if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
      Control& c = m_f.controls[i.aux[0]];
      for (Block* b : c.blocks)
        if (b)
          gatherSources(*b);
      for (SwitchCase& k : c.cases)
        gatherSources(*k.block);
      m_copied.clear();
      m_copiedPairs.clear();
    }
    out.push_back(id);
  }
  block.insts = std::move(out);
}

/// Relative indices must be in temporary registers.
void Packer::materializeIndices(Block& block) {
  std::vector<ValueId> out;
  const size_t copies = m_indexCopies.size();
  const std::vector<ValueId> old = block.insts;
  for (ValueId id : old) {
    const Inst i = m_f.insts[id];
    const bool dynamic = (i.op == Op::CbLoad || i.op == Op::IcbLoad || i.op == Op::InputAt || i.op == Op::VertexInput || i.op == Op::TempLoad) && i.count == 1;
    const bool store = i.op == Op::TempStore && i.count == 2;
    if (dynamic || store) {
      const Src s = m_f.pool[i.first + (store ? 1 : 0)];
      if (hasTrait(m_f.insts[s.id].op, kFoldable)) {
        auto known = std::find_if(m_indexCopies.begin(), m_indexCopies.end(), [&](const auto& c) { return c.first == s; });
        if (known == m_indexCopies.end()) {
          m_copyGroup = 0x7f000000u + uint32_t(m_f.insts.size());
          m_copyPrecision = precisionOf(m_module, s.id);
          const ValueId copy = makeCopy(s, 0);
          out.push_back(copy);
          known = m_indexCopies.insert(m_indexCopies.end(), {s, copy});
        }
        m_f.pool[i.first + (store ? 1 : 0)] = Src{known->second, false, false};
      }
    } else if (i.op == Op::If || i.op == Op::Loop || i.op == Op::Switch) {
      Control& c = m_f.controls[i.aux[0]];
      for (Block* b : c.blocks)
        if (b)
          materializeIndices(*b);
      for (SwitchCase& k : c.cases)
        materializeIndices(*k.block);
    }
    out.push_back(id);
  }
  m_indexCopies.resize(copies); // what this block made is unknown outside
  block.insts = std::move(out);
}

// ---- the linear list ----

bool Packer::ready(ValueId id) const {
  for (const Src& s : m_f.sources(id)) {
    if (!m_done[s.id] && !hasTrait(m_f.insts[s.id].op, kFoldable))
      return false;
    // A folded operand with a dynamic index needs the index.
    if (hasTrait(m_f.insts[s.id].op, kFoldable))
      for (const Src& t : m_f.sources(s.id))
        if (!m_done[t.id])
          return false;
  }
  return true;
}

void Packer::addLane(Item& item, ValueId id) {
  item.lanes.push_back(id);
  if (item.kind == ItemKind::Alu)
    item.results.push_back(id);
  m_done[id] = true;
  noteItem(id);
}

bool Packer::joins(const Item& item, ValueId id) {
  const Inst& a = m_f.insts[item.lanes[0]];
  const Inst& b = m_f.insts[id];
  if (a.op != b.op || a.saturate != b.saturate || a.count != b.count || a.precision != b.precision || !ready(id))
    return false;
  const bool sameGroup = a.group == b.group;
  if (a.op == Op::TempLoad || a.op == Op::TempStore) {
    if (a.aux[0] != b.aux[0] || a.aux[1] != b.aux[1] || !sameGroup)
      return false;
    const size_t k = a.op == Op::TempStore ? 1 : 0;
    if (a.count > k && !(m_f.pool[a.first + k] == m_f.pool[b.first + k]))
      return false;
  }
  if (a.op == Op::Store && a.aux[0] != b.aux[0])
    return false;
  if (item.kind == ItemKind::Alu) {
    const OutputPlace &x = outputs[item.lanes[0]], &y = outputs[id];
    if (x.direct != y.direct || (x.direct && x.reg != y.reg))
      return false;
    for (ValueId l : item.lanes)
      if (x.direct && ((1u << outputs[l].component | outputs[l].also) & (1u << y.component | y.also)))
        return false;
  }
  const size_t laneSources = a.op == Op::TempLoad ? 0 : a.op == Op::TempStore ? 1 : hasTrait(a.op, kUniformTail) ? 1 : a.count;
  // What goes into one register may make its sources do so.
  const bool together = sameGroup || (item.kind == ItemKind::Alu && arePartners(item.lanes[0], id));
  std::vector<std::vector<ValueId>> merges;
  for (size_t k = 0; k < a.count; k++) {
    std::vector<Src> tuple;
    for (ValueId l : item.lanes)
      tuple.push_back(m_f.pool[m_f.insts[l].first + k]);
    tuple.push_back(m_f.pool[b.first + k]);
    if (k >= laneSources) {
      if (!(tuple.front() == tuple.back()))
        return false;
      continue;
    }
    std::vector<ValueId> merge;
    if (!laneCompatible(tuple, together, merge))
      return false;
    if (merge.size() > 1)
      merges.push_back(std::move(merge));
  }
  // Try all merges on a count first, so that nothing is half done.
  std::vector<ValueId> results;
  if (item.kind == ItemKind::Alu && !outputs[id].direct) {
    results = item.lanes;
    results.push_back(id);
    const std::vector<uint32_t> roots = rootsOf(results);
    const size_t total = placesOf(roots);
    // Strangers join if no other member of their bundles is left over.
    if (total > 4 || (!sameGroup && roots.size() > 1 && total > 3 && total != results.size()))
      return false;
  }
  for (auto& m : merges)
    if (placesOf(rootsOf(m)) > 4)
      return false;
  for (auto& m : merges)
    if (!mergeBundles(m))
      return false;
  if (!results.empty() && !mergeBundles(results))
    return false;
  return true;
}

/// sin and cos, quotient and remainder of the same operands are one instruction.
void Packer::pairSecond(Item& item, const std::vector<ValueId>& insts, size_t from) {
  const Inst& a = m_f.insts[item.lanes[0]];
  const Op other = a.op == Op::Sin ? Op::Cos : a.op == Op::Cos ? Op::Sin : a.op == Op::UDiv ? Op::UMod : a.op == Op::UMod ? Op::UDiv : Op::None;
  if (other == Op::None || item.lanes.size() != 1)
    return;
  for (size_t k = from; k < insts.size() && k < from + kWindow; k++) {
    const Inst& b = m_f.insts[insts[k]];
    if (m_done[insts[k]] || b.op != other || b.saturate != a.saturate || b.count != a.count || b.precision != a.precision || outputs[insts[k]].direct)
      continue;
    bool same = true;
    for (size_t s = 0; s < a.count && same; s++)
      same = m_f.pool[a.first + s] == m_f.pool[b.first + s];
    if (!same)
      continue;
    item.second.push_back(insts[k]);
    m_done[insts[k]] = true;
    return;
  }
}

void Packer::edgeCopies(const std::vector<ValueId>& phis, const std::vector<ValueId>& values) {
  Item item;
  item.kind = ItemKind::Copies;
  for (size_t i = 0; i < phis.size() && i < values.size(); i++)
    if (m_f.insts[values[i]].op != Op::Undef && phis[i] != values[i])
      item.copies.push_back({phis[i], values[i]});
  if (!item.copies.empty())
    items.push_back(std::move(item));
}

void Packer::packControl(ValueId id) {
  const Inst inst = m_f.insts[id];
  Control& c = m_f.controls[inst.aux[0]];
  if (inst.op == Op::Break || inst.op == Op::Continue) {
    const auto& edge = inst.op == Op::Break ? c.breaks[inst.aux[1]] : c.continues[inst.aux[1]];
    edgeCopies(inst.op == Op::Break ? c.phis : c.headerPhis, edge);
    if (inst.op == Op::Continue)
      for (size_t i = 0; i < c.headerPhis.size(); i++)
        if (edge[i] == c.headerPhis[i])
          carried[edge[i]] = true;
    Item item;
    item.kind = inst.op == Op::Break ? ItemKind::Break : ItemKind::Continue;
    items.push_back(std::move(item));
    return;
  }
  auto done = [&](const std::vector<ValueId>& list) {
    for (ValueId p : list)
      m_done[p] = true;
  };
  if (inst.op == Op::If) {
    Item open;
    open.kind = ItemKind::If;
    open.condition = m_f.pool[inst.first];
    const size_t at = items.size();
    items.push_back(open);
    pack(*c.blocks[0]);
    edgeCopies(c.phis, c.blocks[0]->yield);
    const bool thenEmpty = items.size() == at + 1;
    const size_t elseAt = items.size();
    Item middle;
    middle.kind = ItemKind::Else;
    items.push_back(middle);
    pack(*c.blocks[1]);
    edgeCopies(c.phis, c.blocks[1]->yield);
    const bool elseEmpty = items.size() == elseAt + 1;
    done(c.phis);
    if (elseEmpty)
      items.pop_back();
    if (thenEmpty && elseEmpty) {
      items.resize(at);
      return;
    }
    if (thenEmpty) {
      items.erase(items.begin() + long(elseAt));
      items[at].nonZero = false;
    }
    // if (c) break; -> breakc
    if (items.size() == at + 2 && (items.back().kind == ItemKind::Break || items.back().kind == ItemKind::Continue) && !items.back().conditional) {
      Item jump = items.back();
      jump.conditional = true;
      jump.condition = items[at].condition;
      jump.nonZero = items[at].nonZero;
      items.resize(at);
      items.push_back(jump);
      return;
    }
    Item close;
    close.kind = ItemKind::EndIf;
    items.push_back(close);
    return;
  }
  if (inst.op == Op::Loop) {
    edgeCopies(c.headerPhis, c.init);
    done(c.headerPhis);
    const size_t at = items.size();
    Item open;
    open.kind = ItemKind::Loop;
    open.results = c.headerPhis;
    items.push_back(open);
    pack(*c.blocks[0]);
    // The last continue of the body is the end of the loop itself.
    if (items.back().kind == ItemKind::Continue && !items.back().conditional)
      items.pop_back();
    Item close;
    close.kind = ItemKind::EndLoop;
    close.match = uint32_t(at);
    close.results = c.phis;
    items[at].match = uint32_t(items.size());
    items.push_back(close);
    done(c.phis);
    return;
  }
  Item open;
  open.kind = ItemKind::Switch;
  open.condition = m_f.pool[inst.first];
  items.push_back(open);
  for (SwitchCase& k : c.cases) {
    Item label;
    label.kind = ItemKind::Case;
    label.labels = k.labels;
    label.isDefault = k.isDefault;
    items.push_back(label);
    pack(*k.block);
    edgeCopies(c.phis, k.block->yield);
    if (!k.block->terminated) {
      Item jump;
      jump.kind = ItemKind::Break;
      items.push_back(jump);
    }
  }
  Item close;
  close.kind = ItemKind::EndSwitch;
  items.push_back(close);
  done(c.phis);
}

void Packer::pack(Block& block) {
  sinkToPartners(block);
  const std::vector<ValueId> insts = block.insts;
  for (size_t n = 0; n < insts.size(); n++) {
    const ValueId id = insts[n];
    if (m_done[id])
      continue;
    const Inst& i = m_f.insts[id];
    if (hasTrait(i.op, kFoldable) || i.op == Op::Extract) {
      m_done[id] = true;
      continue;
    }
    if (hasTrait(i.op, kControl)) {
      packControl(id);
      m_done[id] = true;
      continue;
    }
    Item item;
    item.op = i.op;
    if (i.op == Op::Discard) {
      item.kind = ItemKind::Discard;
      item.condition = m_f.pool[i.first];
      item.nonZero = !i.aux[0];
      m_done[id] = true;
    } else if (i.op == Op::EmitVertex || i.op == Op::CutStrip) {
      item.kind = ItemKind::Emit;
      item.lanes = {id};
      m_done[id] = true;
    } else if (i.op == Op::Sync) {
      item.kind = ItemKind::Sync;
      item.lanes = {id};
      m_done[id] = true;
    } else if (hasTrait(i.op, kDouble)) {
      item.kind = ItemKind::Pair;
      item.lanes = {id};
      item.results = hasTrait(i.op, kDoubleResult) ? m_extracts[id] : std::vector<ValueId>{id};
      m_done[id] = true;
      for (ValueId e : item.results)
        m_done[e] = true;
    } else if (hasTrait(i.op, kDot)) {
      item.kind = ItemKind::Dot;
      item.lanes = {id};
      item.results = {id};
      m_done[id] = true;
      noteItem(id);
    } else if (hasTrait(i.op, kFetch)) {
      item.kind = ItemKind::Fetch;
      item.lanes = {id};
      m_done[id] = true;
      noteItem(id);
      for (ValueId e : m_extracts[id]) {
        (m_f.insts[e].aux[0] == kStatusComponent ? item.second : item.results).push_back(e);
        m_done[e] = true;
        m_madeAt[e] = uint32_t(items.size());
      }
    } else {
      item.kind = i.op == Op::Store ? ItemKind::Store : i.op == Op::TempStore ? ItemKind::TempStore : ItemKind::Alu;
      addLane(item, id);
      const bool memory = i.op == Op::TempStore || i.op == Op::TempLoad;
      const size_t end = std::min(insts.size(), n + kWindow);
      for (int pass = 0; pass < (memory ? 1 : 2); pass++)
        for (size_t k = n + 1; k < end && item.lanes.size() < 4; k++) {
          if (memory && (m_f.insts[insts[k]].op != i.op))
            break;
          if (m_emits && (i.op == Op::Store || outputs[id].direct) && hasTrait(m_f.insts[insts[k]].op, kControl | kEffect) && m_f.insts[insts[k]].op != Op::Store)
            break; // outputs belong to the next vertex from here on
          if (m_done[insts[k]] || (pass == 0 && m_f.insts[insts[k]].group != i.group))
            continue;
          if (joins(item, insts[k]))
            addLane(item, insts[k]);
        }
      if (item.kind == ItemKind::Alu)
        pairSecond(item, insts, n + 1);
    }
    items.push_back(std::move(item));
  }
}

void Packer::run() {
  m_uses = countUses(m_f);
  m_emits = m_module.target.stage == Stage::Geometry;
  listExtracts();
  findDirectOutputs();
  gatherPairs(*m_f.root);
  for (auto& [fetch, values] : m_extracts) {
    if (hasTrait(m_f.insts[fetch].op, kDouble))
      continue;
    std::vector<ValueId> temps;
    for (ValueId v : values)
      if (!outputs[v].direct && m_f.insts[v].aux[0] != kStatusComponent)
        temps.push_back(v);
    mergeBundles(temps);
  }
  gatherResults(*m_f.root);
  materializeIndices(*m_f.root);
  gatherSources(*m_f.root);
  dropUnused();
  m_uses = countUses(m_f);
  m_blockOf.assign(m_f.insts.size(), nullptr);
  m_madeAt.assign(m_f.insts.size(), kNever);
  m_diedAt.assign(m_f.insts.size(), kNever);
  noteBlocks(*m_f.root);
  m_packing = true;
  pack(*m_f.root);
}

} // namespace monolith::compiler
