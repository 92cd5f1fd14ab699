// SPDX-License-Identifier: MIT
#include "ir/passes/dce.h"

#include "ir/passes/rewrite.h"

#include <algorithm>

namespace monolith::ir {

namespace {

/// Removes unused results, walking backwards so that one walk is enough. True if a LoadVar went away.
bool removeUnused(Function& f) {
  std::vector<uint32_t> uses = f.countUses();
  bool loads = false, removed = false;
  for (size_t at = f.instructions.size(); at-- > 0;) {
    Instruction& i = f.instructions[at];
    if (!(opInfo(i.op).flags & (kOpPure | kOpReads))) continue;
    bool used = false;
    for (unsigned n = 0; n < i.resultCount; n++) used |= uses[i.firstResult + n] != 0;
    if (used) continue;
    for (unsigned n = 0; n < i.operandCount; n++)
      if (!f.operand(i, n).isConstant()) uses[f.operand(i, n).id]--;
    loads |= i.op == Op::LoadVar;
    removeInstruction(i);
    removed = true;
  }
  if (removed) dropRemoved(f);
  return loads;
}

/// Backward liveness of variables over the structure; removes stores that no load can see.
class StoreRemover {
public:
  explicit StoreRemover(Function& f) : m_f(f), m_words((f.variableCount + 63) / 64) {}
  bool run();

private:
  using Set = std::vector<uint64_t>;
  struct Region {
    Op open;
    uint32_t at;  ///< index of the opening marker
    Set after;    ///< live after the region
    Set other;    ///< If: live at the start of the Else branch; Loop: live at its head
  };
  void add(Set& a, const Set& b) const {
    for (size_t w = 0; w < m_words; w++) a[w] |= b[w];
  }
  bool has(uint32_t v) const { return (m_live[v / 64] >> (v % 64) & 1) != 0; }
  void flow(const Instruction& i, uint32_t at);
  void enter(Op open, uint32_t at, uint32_t end);

  Function& m_f;
  size_t m_words;
  Set m_live;
  std::vector<Region> m_regions;
};

void StoreRemover::enter(Op open, uint32_t at, uint32_t end) {
  Region r{open, at, m_live, m_live};
  if (open == Op::Loop) { // everything loaded in the loop may be live at its head
    for (uint32_t n = at + 1; n < end; n++)
      if (m_f.instructions[n].op == Op::LoadVar) {
        const uint32_t v = m_f.instructions[n].attr;
        r.other[v / 64] |= uint64_t(1) << (v % 64);
      }
    m_live = r.other;
  }
  m_regions.push_back(std::move(r));
}

void StoreRemover::flow(const Instruction& i, uint32_t at) {
  switch (i.op) {
  case Op::EndIf: enter(Op::If, i.attr, at); break;
  case Op::EndLoop: enter(Op::Loop, i.attr, at); break;
  case Op::EndBlock: enter(Op::Block, i.attr, at); break;
  case Op::Else:
    m_regions.back().other = m_live;
    m_live = m_regions.back().after;
    break;
  case Op::If:
    add(m_live, m_regions.back().other);
    m_regions.pop_back();
    break;
  case Op::Loop:
  case Op::Block: m_regions.pop_back(); break;
  default: // Break, Continue
    for (const Region& r : m_regions) {
      if (r.at != i.attr) continue;
      const Set& target = i.op == Op::Break ? r.after : r.other;
      if (i.operandCount) add(m_live, target);
      else m_live = target;
    }
  }
}

bool StoreRemover::run() {
  bool removed = false;
  m_live.assign(m_words, 0);
  for (size_t at = m_f.instructions.size(); at-- > 0;) {
    Instruction& i = m_f.instructions[at];
    if (i.op == Op::StoreVar) {
      if (has(i.attr)) {
        m_live[i.attr / 64] &= ~(uint64_t(1) << (i.attr % 64));
      } else {
        removeInstruction(i);
        removed = true;
      }
    } else if (i.op == Op::LoadVar) {
      m_live[i.attr / 64] |= uint64_t(1) << (i.attr % 64);
    } else if (!isRemoved(i) && (opInfo(i.op).flags & kOpFlow)) {
      flow(i, static_cast<uint32_t>(at));
    }
  }
  if (removed) dropRemoved(m_f);
  return removed;
}

/// Empty If regions, Blocks that nothing leaves, and code after an unconditional exit.
bool simplifyFlow(Function& f) {
  std::vector<Instruction>& code = f.instructions;
  bool removed = false;
  std::vector<uint8_t> left(code.size(), 0);
  for (const Instruction& i : code)
    if (i.op == Op::Break) left[i.attr] = 1;
  std::vector<uint32_t> breakable; // open Loops and Blocks that stay
  for (uint32_t at = 0; at < code.size(); at++) {
    Instruction& i = code[at];
    if (i.op == Op::Loop || (i.op == Op::Block && left[at])) {
      breakable.push_back(at);
    } else if (i.op == Op::Block) {
      removeInstruction(code[i.attr]);
      removeInstruction(i);
      removed = true;
    } else if (i.op == Op::EndLoop || i.op == Op::EndBlock) {
      breakable.pop_back();
    } else if (i.op == Op::Break) { // levels change when Blocks between go
      uint32_t depth = 0;
      while (breakable[breakable.size() - 1 - depth] != i.attr) depth++;
      i.attr2 = depth;
    } else if (i.op == Op::Else && i.attr == at + 1) {
      removeInstruction(i); // empty Else
      removed = true;
    } else if (i.op == Op::If && i.attr == at + 1) {
      const uint32_t end = code[at + 1].op == Op::Else ? code[at + 1].attr : at + 1;
      if (code[at + 1].op == Op::Else && end != at + 2) continue; // only the first way is empty
      for (uint32_t n = at; n <= end; n++) removeInstruction(code[n]);
      removed = true;
      at = end;
    }
  }
  if (removed) dropRemoved(f);
  return removed;
}

/// Code from an unconditional Break or Continue to the end of its region.
void removeUnreachable(Function& f) {
  std::vector<Instruction>& code = f.instructions;
  bool removed = false;
  for (uint32_t at = 0; at < code.size(); at++) {
    if ((code[at].op != Op::Break && code[at].op != Op::Continue) || code[at].operandCount) continue;
    uint32_t n = at + 1;
    for (unsigned depth = 0; n < code.size(); n++) {
      const Op op = code[n].op;
      const bool closes = op == Op::EndIf || op == Op::EndLoop || op == Op::EndBlock;
      if (depth == 0 && (closes || op == Op::Else)) break;
      if (op == Op::If || op == Op::Loop || op == Op::Block) depth++;
      if (closes) depth--;
      removeInstruction(code[n]);
      removed = true;
    }
    at = n - 1;
  }
  if (removed) dropRemoved(f);
}

} // namespace

void removeDead(Function& f) {
  removeUnreachable(f);
  removeUnused(f);
  bool again = true;
  for (unsigned round = 0; again && round < 4; round++) {
    again = StoreRemover(f).run();
    while (simplifyFlow(f))
      again = true;
    again = again && removeUnused(f);
  }
}

} // namespace monolith::ir
