// SPDX-License-Identifier: MIT
#include "ir/passes/cse.h"

#include "ir/passes/rewrite.h"

#include <cstring>

namespace monolith::ir {

namespace {

class Eliminator {
public:
  explicit Eliminator(Function& f) : m_f(f), m_map(f) {
    size_t size = 64;
    while (size < f.instructions.size() * 2) size *= 2;
    m_heads.assign(size, ~0u);
    m_next.assign(f.instructions.size(), ~0u);
  }
  void run();

private:
  uint32_t hash(const Instruction& i) const;
  bool same(const Instruction& a, const Instruction& b) const;
  void normalize(const Instruction& i);
  void closeScope(size_t size) {
    while (m_entered.size() > size) { // newest first, so it is the head of its chain
      m_heads[m_entered.back()] = m_next[m_heads[m_entered.back()]];
      m_entered.pop_back();
    }
  }

  Function& m_f;
  Replacements m_map;
  std::vector<uint32_t> m_heads;   ///< newest instruction by hash
  std::vector<uint32_t> m_next;    ///< older instruction of the same hash
  std::vector<uint32_t> m_entered; ///< hash slots in order of entry
  std::vector<size_t> m_scopes;
};

uint32_t Eliminator::hash(const Instruction& i) const {
  uint32_t h = static_cast<uint32_t>(i.op) * 0x9E3779B1u;
  const auto mix = [&](uint32_t w) { h = (h ^ w) * 0x85EBCA6Bu, h ^= h >> 13; };
  mix(i.attr);
  mix(i.attr2 | static_cast<uint32_t>(i.flags) << 16 | static_cast<uint32_t>(i.component) << 24);
  for (unsigned n = 0; n < i.operandCount; n++)
    mix(m_f.operand(i, n).id);
  return h & static_cast<uint32_t>(m_heads.size() - 1);
}

bool Eliminator::same(const Instruction& a, const Instruction& b) const {
  if (a.op != b.op || a.operandCount != b.operandCount || a.resultCount != b.resultCount || a.flags != b.flags ||
      a.attr != b.attr || a.attr2 != b.attr2 || a.component != b.component ||
      std::memcmp(a.offset, b.offset, sizeof a.offset) != 0)
    return false;
  for (unsigned n = 0; n < a.operandCount; n++)
    if (!(m_f.operand(a, n) == m_f.operand(b, n))) return false;
  return true;
}

/// Operands of commutative operations in order of their ids.
void Eliminator::normalize(const Instruction& i) {
  if ((opInfo(i.op).flags & kOpCommutes) && m_f.operand(i, 0).id > m_f.operand(i, 1).id)
    std::swap(m_f.operands[i.firstOperand], m_f.operands[i.firstOperand + 1]);
}

void Eliminator::run() {
  bool removed = false;
  for (uint32_t at = 0; at < m_f.instructions.size(); at++) {
    Instruction& i = m_f.instructions[at];
    m_map.apply(m_f, i);
    switch (i.op) {
    case Op::If:
    case Op::Loop:
    case Op::Block: m_scopes.push_back(m_entered.size()); continue;
    case Op::Else: closeScope(m_scopes.back()); continue;
    case Op::EndIf:
    case Op::EndLoop:
    case Op::EndBlock:
      closeScope(m_scopes.back());
      m_scopes.pop_back();
      continue;
    default: break;
    }
    if (!(opInfo(i.op).flags & kOpPure)) continue;
    normalize(i);
    const uint32_t h = hash(i);
    uint32_t other = m_heads[h];
    while (other != ~0u && !same(m_f.instructions[other], i)) other = m_next[other];
    if (other == ~0u) {
      m_next[at] = m_heads[h];
      m_heads[h] = at;
      m_entered.push_back(h);
      continue;
    }
    for (unsigned n = 0; n < i.resultCount; n++)
      m_map.replace(Function::result(i, n), Function::result(m_f.instructions[other], n));
    removeInstruction(i);
    removed = true;
  }
  if (removed) dropRemoved(m_f);
}

} // namespace

void eliminateCommon(Function& f) { Eliminator(f).run(); }

} // namespace monolith::ir
