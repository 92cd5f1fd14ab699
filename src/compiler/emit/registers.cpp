// SPDX-License-Identifier: MIT
#include "compiler/emit/registers.h"

#include <algorithm>
#include <map>

namespace monolith::compiler {

// Item p reads at 2p and writes at 2p + 1, so that an instruction may write what it reads last.

void Registers::addRange(ValueId v, uint32_t begin, uint32_t end) {
  m_ranges[v].push_back({begin, std::max(begin + 1, end)});
}

void Registers::define(ValueId v, uint32_t item) {
  if (!m_packer.isTemp(v))
    return;
  m_def[v] = std::min(m_def[v], item * 2 + 1);
  m_last[v] = m_last[v] == ~0u ? item * 2 + 1 : std::max(m_last[v], item * 2 + 1);
}

void Registers::use(ValueId v, uint32_t item) {
  const Inst& i = m_f.insts[v];
  if (hasTrait(i.op, kFoldable)) {
    for (const Src& s : m_f.sources(v))
      use(s.id, item);
    return;
  }
  if (!m_packer.isTemp(v) || m_def[v] == ~0u)
    return;
  uint32_t at = item * 2;
  // A value made before a loop and read inside it lives to the loop's end.
  for (uint32_t l = m_loopAt[item]; l != ~0u; l = m_loopAt[l])
    if (m_def[v] < l * 2 + 1)
      at = std::max(at, m_packer.items[l].match * 2);
  m_last[v] = m_last[v] == ~0u ? at : std::max(m_last[v], at);
  const uint32_t own = m_headerOf[v];
  if (own != ~0u && item < m_packer.items[own].match)
    m_lastInside[v] = std::max(m_lastInside[v], at);
}

void Registers::liveness() {
  const auto& items = m_packer.items;
  const size_t n = m_f.insts.size();
  m_ranges.assign(n, {});
  m_web.resize(n);
  for (size_t i = 0; i < n; i++)
    m_web[i] = uint32_t(i);
  m_def.assign(n, ~0u);
  m_last.assign(n, ~0u);
  m_headerOf.assign(n, ~0u);
  m_lastInside.assign(n, 0);
  m_places.assign(n, {});
  m_loopAt.assign(items.size(), ~0u);
  std::vector<uint32_t> stack;
  // Phis are written by copies at several places; header phis before their loop, merges in the branches. Their first
  // definition is where the construct is, which matters for loops around.
  for (uint32_t p = 0; p < items.size(); p++) {
    const Item& item = items[p];
    if (item.kind == ItemKind::EndLoop)
      stack.pop_back();
    m_loopAt[p] = stack.empty() ? ~0u : stack.back();
    if (item.kind == ItemKind::Loop)
      stack.push_back(p);
    for (ValueId v : item.results) {
      if (item.kind != ItemKind::EndLoop)
        define(v, p);
      if (item.kind == ItemKind::Loop)
        m_headerOf[v] = p;
    }
    for (ValueId v : item.second)
      define(v, p);
  }
  std::vector<std::vector<uint32_t>> phiCopies(n);
  for (uint32_t p = 0; p < items.size(); p++)
    for (const Copy& c : items[p].copies)
      phiCopies[c.dst].push_back(p);
  for (size_t v = 0; v < n; v++) {
    if (phiCopies[v].empty())
      continue;
    if (m_def[v] == ~0u) // a merge: made where its last copy is
      m_def[v] = phiCopies[v].back() * 2 + 1;
    m_last[v] = m_last[v] == ~0u ? m_def[v] : std::max(m_last[v], m_def[v]);
  }
  // Exit phis that no copy reaches, merges with undefined values.
  for (uint32_t p = 0; p < items.size(); p++)
    if (items[p].kind == ItemKind::EndLoop)
      for (ValueId v : items[p].results) {
        m_def[v] = p * 2 + 1;
        m_last[v] = std::max(m_last[v] == ~0u ? 0u : m_last[v], m_def[v]);
      }
  for (uint32_t p = 0; p < items.size(); p++) {
    const Item& item = items[p];
    for (ValueId v : item.lanes)
      for (const Src& s : m_f.sources(v))
        use(s.id, p);
    if (item.condition.id)
      use(item.condition.id, p);
    for (const Copy& c : item.copies)
      use(c.src, p);
  }
  for (size_t v = 0; v < n; v++) {
    if (m_def[v] == ~0u || m_last[v] == ~0u)
      continue;
    uint32_t begin = m_def[v];
    const uint32_t own = m_headerOf[v];
    const bool carried = own != ~0u && m_packer.carried[v];
    if (carried)
      m_last[v] = std::max(m_last[v], items[own].match * 2);
    if (own != ~0u && !carried && m_last[v] > items[own].match * 2) {
      // Used behind its loop: inside, it must last to the last way out only.
      uint32_t inside = m_lastInside[v];
      for (uint32_t p = own; p < items[own].match; p++)
        if (items[p].kind == ItemKind::Break)
          inside = std::max(inside, p * 2 + 1);
      addRange(ValueId(v), begin, inside);
      addRange(ValueId(v), items[own].match * 2, m_last[v]);
    } else {
      addRange(ValueId(v), begin, m_last[v]);
    }
    for (uint32_t p : phiCopies[v]) {
      uint32_t at = p * 2 + 1, end = at + 1;
      if (at < begin) { // up to the construct's own start or end nothing else may take the place on this path
        if (m_f.insts[v].op == Op::Phi && begin == at)
          continue;
        // Initial copy of a header phi: right before its loop.
        if (items[(begin - 1) / 2].kind == ItemKind::Loop)
          end = begin;
      } else {
        // A continue: the value must last to the loop's end if this is the last one.
        for (uint32_t l = m_loopAt[p]; l != ~0u; l = m_loopAt[l])
          if (l * 2 + 1 == begin) {
            bool last = true;
            for (uint32_t q = p + 1; q < items[l].match; q++)
              last = last && (items[q].kind == ItemKind::Copies || items[q].kind == ItemKind::EndIf);
            end = last ? items[l].match * 2 : at + 2;
          }
      }
      addRange(ValueId(v), at, end);
    }
  }
}

bool Registers::overlap(const std::vector<Range>& a, const std::vector<Range>& b) const {
  for (const Range& x : a)
    for (const Range& y : b)
      if (x.begin < y.end && y.begin < x.end)
        return true;
  return false;
}

uint32_t Registers::webOf(ValueId v) {
  while (m_web[v] != v) {
    m_web[v] = m_web[m_web[v]];
    v = m_web[v];
  }
  return v;
}

/// Joins the webs of all pairs at once, if ranges allow and the two bundles together still fit into one register.
bool Registers::tryCoalesce(const std::vector<Copy>& pairs) {
  for (const Copy& c : pairs) // words of doubles have places of their own
    if (m_packer.pairOf[c.dst] || m_packer.pairOf[c.src])
      return false;
  std::map<uint32_t, uint32_t> joined; // web of source -> web of phi
  for (const Copy& c : pairs) {
    uint32_t a = webOf(c.dst), b = webOf(c.src);
    if (a == b)
      continue;
    auto it = joined.find(b);
    if (it != joined.end() && it->second != a)
      return false;
    for (auto& [x, y] : joined)
      if (x != b && y == a)
        return false;
    joined[b] = a;
  }
  if (joined.empty())
    return true;
  std::vector<uint32_t> webs;
  auto addWebs = [&](ValueId v) {
    for (ValueId m : m_packer.bundleMembers(m_packer.bundleOf(v))) {
      uint32_t w = webOf(m);
      auto it = joined.find(w);
      if (it != joined.end())
        w = it->second;
      if (std::find(webs.begin(), webs.end(), w) == webs.end())
        webs.push_back(w);
    }
  };
  for (auto& [b, a] : joined) {
    if (joined.count(a) || overlap(m_ranges[a], m_ranges[b]) || m_f.insts[a].precision != m_f.insts[b].precision)
      return false;
    addWebs(ValueId(a));
    addWebs(ValueId(b));
  }
  if (webs.size() > 4)
    return false;
  // Two webs of one bundle must stay apart.
  for (auto& [b, a] : joined) {
    if (m_packer.bundleOf(a) == m_packer.bundleOf(b)) {
      // sharing a component within a bundle is fine for webs that do not overlap
    }
  }
  for (auto& [b, a] : joined) {
    m_web[b] = a;
    m_ranges[a].insert(m_ranges[a].end(), m_ranges[b].begin(), m_ranges[b].end());
    m_ranges[b].clear();
    m_packer.joinBundles(ValueId(a), ValueId(b));
  }
  return true;
}

/// A value that takes over a component is the same web from there on.
void Registers::joinTakenOver() {
  for (size_t v = 0; v < m_f.insts.size(); v++) {
    const ValueId from = m_packer.takesOver[v];
    if (!from || m_def[v] == ~0u || m_def[from] == ~0u)
      continue;
    const uint32_t a = webOf(from), b = webOf(ValueId(v));
    if (a == b)
      continue;
    m_web[b] = a;
    m_ranges[a].insert(m_ranges[a].end(), m_ranges[b].begin(), m_ranges[b].end());
    m_ranges[b].clear();
  }
}

void Registers::coalesce() {
  for (Item& item : m_packer.items) {
    if (item.copies.empty())
      continue;
    std::map<std::pair<uint32_t, uint32_t>, std::vector<Copy>> groups;
    for (const Copy& c : item.copies)
      if (m_packer.isTemp(c.src) && m_packer.isTemp(c.dst) && m_def[c.src] != ~0u)
        groups[{m_packer.bundleOf(c.dst), m_packer.bundleOf(c.src)}].push_back(c);
    for (auto& [key, pairs] : groups) {
      if (tryCoalesce(pairs))
        continue;
      for (const Copy& c : pairs)
        tryCoalesce({c});
    }
  }
}

void Registers::allocate() {
  struct Bundle {
    uint32_t root;
    uint32_t begin;
    std::vector<uint32_t> webs;
  };
  std::map<uint32_t, Bundle> bundles;
  for (size_t v = 0; v < m_f.insts.size(); v++) {
    if (m_def[v] == ~0u || !m_packer.isTemp(ValueId(v)))
      continue;
    uint32_t w = webOf(ValueId(v)), root = m_packer.bundleOf(ValueId(v));
    Bundle& b = bundles[root];
    b.root = root;
    if (std::find(b.webs.begin(), b.webs.end(), w) == b.webs.end())
      b.webs.push_back(w);
  }
  std::vector<Bundle> order;
  for (auto& [r, b] : bundles) {
    b.begin = ~0u;
    for (uint32_t w : b.webs)
      for (const Range& x : m_ranges[w])
        b.begin = std::min(b.begin, x.begin);
    order.push_back(b);
  }
  std::sort(order.begin(), order.end(), [](const Bundle& a, const Bundle& b) { return a.begin != b.begin ? a.begin < b.begin : a.root < b.root; });
  std::vector<std::array<std::vector<Range>, 4>> registers;
  // A register holds values of one precision at a time.
  std::vector<std::vector<std::pair<dxbc::MinPrecision, std::vector<Range>>>> held;
  std::vector<std::pair<uint32_t, RegisterPlace>> webPlaces;
  std::map<uint32_t, RegisterPlace> placed;
  for (Bundle& b : order) {
    // Components as in the source where possible.
    std::sort(b.webs.begin(), b.webs.end(), [&](uint32_t x, uint32_t y) { return m_f.insts[x].lane != m_f.insts[y].lane ? m_f.insts[x].lane < m_f.insts[y].lane : x < y; });
    for (uint32_t r = 0;; r++) {
      if (r == registers.size()) {
        registers.emplace_back();
        held.emplace_back();
      }
      const dxbc::MinPrecision precision = m_f.insts[b.webs[0]].precision;
      const bool mixes = std::any_of(held[r].begin(), held[r].end(), [&](const auto& h) {
        return h.first != precision && std::any_of(b.webs.begin(), b.webs.end(), [&](uint32_t w) { return overlap(h.second, m_ranges[w]); });
      });
      if (mixes)
        continue;
      bool fits[4][4] = {};
      const size_t n = std::min<size_t>(b.webs.size(), 4);
      for (size_t k = 0; k < n; k++)
        for (int c = 0; c < 4; c++)
          fits[k][c] = !overlap(registers[r][size_t(c)], m_ranges[b.webs[k]]);
      int chosen[4] = {-1, -1, -1, -1};
      // The other word of a double comes behind (or before) in the same half of the register.
      int partner[4] = {-1, -1, -1, -1};
      for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++)
          if (m_packer.pairOf[b.webs[k]] == b.webs[j])
            partner[k] = int(j);
      auto pairAllows = [&](size_t k, int c) {
        if (partner[k] < 0)
          return true;
        const bool high = m_packer.highWord[b.webs[k]];
        const int other = chosen[partner[k]];
        return (c & 1) == int(high) && (size_t(partner[k]) > k || other == (c ^ 1));
      };
      auto assign = [&](auto&& self, size_t k, int used) -> bool {
        if (k == n)
          return true;
        const int want = m_f.insts[b.webs[k]].lane & 3;
        for (int t = 0; t < 4; t++) {
          int c = t == 0 ? want : (t <= want ? t - 1 : t);
          if ((used >> c & 1) || !fits[k][c] || !pairAllows(k, c))
            continue;
          chosen[k] = c;
          if (self(self, k + 1, used | 1 << c))
            return true;
        }
        return false;
      };
      if (!assign(assign, 0, 0))
        continue;
      for (size_t k = 0; k < n; k++) {
        auto& list = registers[r][size_t(chosen[k])];
        list.insert(list.end(), m_ranges[b.webs[k]].begin(), m_ranges[b.webs[k]].end());
        placed[b.webs[k]] = {r, uint8_t(chosen[k])};
        if (m_module.minPrecision)
          held[r].emplace_back(precision, m_ranges[b.webs[k]]);
      }
      break;
    }
  }
  m_count = uint32_t(registers.size());
  for (size_t v = 0; v < m_f.insts.size(); v++)
    if (m_def[v] != ~0u) {
      auto it = placed.find(webOf(ValueId(v)));
      if (it != placed.end())
        m_places[v] = it->second;
    }
}

void Registers::run() {
  liveness();
  joinTakenOver();
  coalesce();
  allocate();
}

} // namespace monolith::compiler
