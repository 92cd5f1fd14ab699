// SPDX-License-Identifier: MIT
// Words of raw and structured buffers and of group memory that lie side by side are read and written by one
// instruction: in straight-line code a store moves down to its neighbour, a load up to its own.
#include "compiler/optimize/optimize.h"

#include <algorithm>
#include <map>

namespace monolith::compiler {

namespace {

constexpr size_t kReach = 64; ///< accesses looked back at
constexpr uint32_t kWords = 4;

/// A byte address as value * factor + offset.
struct Address {
  ValueId value = kNoValue;
  uint32_t factor = 1, offset = 0;
};

struct Access {
  ValueId inst = kNoValue;
  size_t position = 0;
  bool known = false; ///< address and size
  bool writes = false, store = false, load = false;
  bool structured = false;
  uint32_t resource = 0;
  Src index;
  Address address;
  uint32_t words = 0; ///< bit mask from the address up
};

class MemoryMerger {
public:
  explicit MemoryMerger(Module& module) : m_module(module), m_f(module.code) {}
  void run() {
    listExtracts();
    visit(*m_f.root);
  }

private:
  void listExtracts() {
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      if (m_f.insts[id].op == Op::Extract)
        m_extracts[m_f.sources(id)[0].id].push_back(id);
    });
  }

  void visit(Block& block) {
    std::vector<Access> seen;
    std::map<ValueId, size_t> position;
    std::vector<ValueId> gone;
    for (size_t n = 0; n < block.insts.size(); n++) {
      const ValueId id = block.insts[n];
      const Inst& i = m_f.insts[id];
      position[id] = n;
      if (hasTrait(i.op, kControl) || i.op == Op::Sync || i.op == Op::Discard || i.op == Op::EmitVertex || i.op == Op::CutStrip) {
        seen.clear();
        inside(id);
        continue;
      }
      if (i.op < Op::LdRaw || i.op > Op::CounterConsume)
        continue;
      Access access = describe(id);
      access.position = n;
      if (access.store)
        mergeStore(access, seen, gone);
      else if (access.load && mergeLoad(access, seen, position)) {
        gone.push_back(id);
        continue;
      }
      seen.push_back(access);
      if (seen.size() > kReach)
        seen.erase(seen.begin());
    }
    std::erase_if(block.insts, [&](ValueId id) { return std::find(gone.begin(), gone.end(), id) != gone.end(); });
  }

  void inside(ValueId id) {
    const Inst& i = m_f.insts[id];
    if (i.op != Op::If && i.op != Op::Loop && i.op != Op::Switch)
      return;
    Control& c = m_f.controls[i.aux[0]];
    for (Block* b : c.blocks)
      if (b)
        visit(*b);
    for (SwitchCase& k : c.cases)
      visit(*k.block);
  }

  Address split(Src s, int depth = 0) const {
    Address a{s.id, 1, 0};
    const Inst& i = m_f.insts[s.id];
    const std::span<const Src> src = m_f.sources(s.id);
    auto plainConst = [&](size_t k) { return m_f.isConst(src[k].id) && !src[k].neg; };
    if (m_f.isConst(s.id))
      return {kNoValue, 1, m_f.bits(s.id)};
    if (i.op == Op::IAdd && depth < 8 && (plainConst(0) || plainConst(1))) {
      const size_t k = plainConst(1) ? 1 : 0;
      if (src[1 - k].neg)
        return a;
      a = split(src[1 - k], depth + 1);
      a.offset += m_f.bits(src[k].id);
    } else if (i.op == Op::Shl && plainConst(1)) {
      a = {src[0].id, 1u << (m_f.bits(src[1].id) & 31), 0};
    } else if ((i.op == Op::IMul || i.op == Op::IMad) && (plainConst(0) || plainConst(1))) {
      const size_t k = plainConst(1) ? 1 : 0;
      if (src[1 - k].neg || (i.op == Op::IMad && !plainConst(2)))
        return a;
      a = {src[1 - k].id, m_f.bits(src[k].id), i.op == Op::IMad ? m_f.bits(src[2].id) : 0};
    }
    return a;
  }

  Access describe(ValueId id) const {
    const Inst& i = m_f.insts[id];
    const Fetch& f = m_f.fetches[i.aux[0]];
    const std::span<const Src> src = m_f.sources(id);
    Access a;
    a.inst = id;
    a.resource = f.resource;
    a.writes = hasTrait(i.op, kEffect);
    a.structured = i.op == Op::LdStructured || i.op == Op::LdStructuredMem || i.op == Op::StoreStructured;
    a.store = i.op == Op::StoreRaw || i.op == Op::StoreStructured;
    a.load = i.op == Op::LdRaw || i.op == Op::LdRawMem || (a.structured && !a.store);
    a.known = a.store || a.load;
    if (!a.known)
      return a;
    if (a.structured)
      a.index = src[0];
    a.address = split(src[a.structured ? 1 : 0]);
    if (a.store) {
      a.words = (1u << f.valueCount) - 1;
      return a;
    }
    const auto parts = m_extracts.find(id);
    for (ValueId e : parts == m_extracts.end() ? std::vector<ValueId>() : parts->second) {
      if (m_f.insts[e].aux[0] == kStatusComponent)
        a.load = false;
      else
        a.words |= 1u << m_f.insts[e].aux[0];
    }
    return a;
  }

  static bool samePlace(const Access& a, const Access& b) {
    return a.known && b.known && a.structured == b.structured && a.resource == b.resource && a.index == b.index && a.address.value == b.address.value && a.address.factor == b.address.factor;
  }

  /// The words of both, from the lower address up; 0 if they are too far apart or share any.
  static uint32_t together(const Access& a, const Access& b, uint32_t& shiftA, uint32_t& shiftB) {
    const int64_t distance = int64_t(int32_t(b.address.offset - a.address.offset));
    if (distance % 4 || distance < -12 || distance > 12)
      return 0;
    shiftA = distance < 0 ? uint32_t(-distance / 4) : 0;
    shiftB = distance > 0 ? uint32_t(distance / 4) : 0;
    const uint32_t x = a.words << shiftA, y = b.words << shiftB;
    return (x & y) || (x | y) >> kWords ? 0 : x | y;
  }

  /// Whether the two may touch the same words.
  bool conflict(const Access& a, const Access& b) const {
    if (a.resource != b.resource)
      return m_module.mayAlias;
    if (!samePlace(a, b))
      return true;
    const int64_t distance = int64_t(int32_t(b.address.offset - a.address.offset));
    return distance < 16 && distance > -16;
  }
  /// As above, to the word.
  bool overlap(const Access& a, const Access& b) const {
    uint32_t x = 0, y = 0;
    if (!samePlace(a, b) || !a.words || !b.words)
      return conflict(a, b);
    return conflict(a, b) && !together(a, b, x, y);
  }

  void mergeStore(Access& later, std::vector<Access>& seen, std::vector<ValueId>& gone) {
    for (size_t k = seen.size(); k-- > 0;) {
      const Access& first = seen[k];
      if (first.store && samePlace(first, later)) {
        uint32_t shiftFirst = 0, shiftLater = 0;
        const uint32_t words = together(first, later, shiftFirst, shiftLater);
        const bool dense = words && (words & (words + 1)) == 0;
        const bool free = std::none_of(seen.begin(), seen.end(), [&](const Access& a) { return a.position > first.position && overlap(first, a); });
        if (dense && free) {
          join(first, later, shiftFirst > shiftLater);
          gone.push_back(first.inst);
          later.words = words;
          if (shiftLater)
            later.address = first.address;
          seen.erase(seen.begin() + long(k));
          k = seen.size();
        }
      }
    }
  }

  /// The later store writes the words of both.
  void join(const Access& first, const Access& later, bool laterIsLower) {
    Inst& i = m_f.insts[later.inst];
    const size_t addresses = later.structured ? 2 : 1;
    const Access &low = laterIsLower ? later : first, &high = laterIsLower ? first : later;
    std::vector<Src> src(m_f.sources(low.inst).begin(), m_f.sources(low.inst).end());
    src.insert(src.end(), m_f.sources(high.inst).begin() + long(addresses), m_f.sources(high.inst).end());
    Fetch f = m_f.fetches[i.aux[0]];
    f.valueCount = uint8_t(src.size() - addresses);
    i.aux[0] = uint32_t(m_f.fetches.size());
    m_f.fetches.push_back(f);
    i.first = uint32_t(m_f.pool.size());
    i.count = uint16_t(src.size());
    m_f.pool.insert(m_f.pool.end(), src.begin(), src.end());
  }

  /// True if an earlier load reads the words of this one, too, from now on.
  bool mergeLoad(const Access& later, std::vector<Access>& seen, const std::map<ValueId, size_t>& position) {
    for (size_t k = seen.size(); k-- > 0;) {
      Access& first = seen[k];
      uint32_t shiftFirst = 0, shiftLater = 0;
      if (!first.load || !later.words || !samePlace(first, later))
        continue;
      const uint32_t words = together(first, later, shiftFirst, shiftLater);
      const bool free = std::none_of(seen.begin(), seen.end(), [&](const Access& a) { return a.position > first.position && a.writes && overlap(later, a); });
      if (!words || !free)
        continue;
      const size_t at = later.structured ? 1 : 0;
      const Src address = m_f.sources(later.inst)[at];
      if (shiftFirst) { // the address of the later one must be known in time
        const auto made = position.find(address.id);
        if (made != position.end() && made->second > first.position)
          continue;
        m_f.sources(first.inst)[at] = address;
        first.address = later.address;
      }
      moveExtracts(first.inst, first.inst, shiftFirst);
      moveExtracts(later.inst, first.inst, shiftLater);
      first.words = words;
      return true;
    }
    return false;
  }
  void moveExtracts(ValueId from, ValueId to, uint32_t shift) {
    const std::vector<ValueId> list = m_extracts[from];
    for (ValueId e : list) {
      m_f.insts[e].aux[0] += shift;
      m_f.insts[e].lane = uint8_t(m_f.insts[e].aux[0]);
      m_f.sources(e)[0].id = to;
    }
    if (from == to)
      return;
    m_extracts.erase(from);
    m_extracts[to].insert(m_extracts[to].end(), list.begin(), list.end());
  }

  Module& m_module;
  Function& m_f;
  std::map<ValueId, std::vector<ValueId>> m_extracts;
};

} // namespace

void mergeMemory(Module& module) {
  MemoryMerger(module).run();
}

} // namespace monolith::compiler
