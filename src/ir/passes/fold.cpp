// SPDX-License-Identifier: MIT
#include "ir/passes/fold.h"

#include "ir/evaluate.h"
#include "ir/passes/rewrite.h"

namespace monolith::ir {

namespace {

/// Comparison with the opposite result for all inputs; Op::Count if there is none (float < with NaN).
Op inverse(Op op) {
  switch (op) {
  case Op::FEq: return Op::FNe;
  case Op::FNe: return Op::FEq;
  case Op::IEq: return Op::INe;
  case Op::INe: return Op::IEq;
  case Op::ILt: return Op::IGe;
  case Op::IGe: return Op::ILt;
  case Op::ULt: return Op::UGe;
  case Op::UGe: return Op::ULt;
  case Op::DEq: return Op::DNe;
  case Op::DNe: return Op::DEq;
  default: return Op::Count;
  }
}

class Folder {
public:
  explicit Folder(Function& f) : m_f(f), m_map(f), m_definition(f.valueCount, ~0u) {}
  void run();

private:
  bool allConstant(const Instruction& i) const {
    for (unsigned n = 0; n < i.operandCount; n++)
      if (!m_f.operand(i, n).isConstant()) return false;
    return true;
  }
  bool isWord(Value v, uint32_t word) const { return v.isConstant() && m_f.constant(v) == word; }
  const Instruction* definition(Value v) const {
    return v.isConstant() || m_definition[v.id] == ~0u ? nullptr : &m_f.instructions[m_definition[v.id]];
  }
  bool isMask(Value v) const {
    if (v.isConstant()) return m_f.constant(v) == 0 || m_f.constant(v) == ~0u;
    const Instruction* d = definition(v);
    return d && ((opInfo(d->op).flags & kOpMask) || m_mask[v.id]);
  }
  void evaluateAll(Instruction& i);
  Value identity(const Instruction& i);
  Value bitIdentity(const Instruction& i, Value a, Value b);
  Value unaryIdentity(const Instruction& i, Value a);
  bool maskTest(Instruction& i);

  Function& m_f;
  Replacements m_map;
  std::vector<uint32_t> m_definition;
  std::vector<uint8_t> m_mask; ///< values known to be 0 or ~0 beside those of mask operations
};

void Folder::evaluateAll(Instruction& i) {
  uint32_t in[8], out[4];
  for (unsigned n = 0; n < i.operandCount; n++)
    in[n] = m_f.constant(m_f.operand(i, n));
  evaluate(i.op, in, out);
  for (unsigned n = 0; n < i.resultCount; n++)
    m_map.replace(Function::result(i, n), m_f.constantValue(out[n]));
  removeInstruction(i);
}

Value Folder::unaryIdentity(const Instruction& i, Value a) {
  const Instruction* d = definition(a);
  if (!d) return {};
  if (i.op == Op::FAbs && d->op == Op::FAbs) return a;                                   // ||x|| -> |x|
  if (i.op == d->op && (i.op == Op::FNeg || i.op == Op::Not || i.op == Op::INeg || i.op == Op::BfRev))
    return m_f.operand(*d, 0);                                                           // --x -> x
  return {};
}

Value Folder::bitIdentity(const Instruction& i, Value a, Value b) {
  switch (i.op) {
  case Op::IAdd:
  case Op::Xor: // x + 0, x ^ 0 -> x
    return isWord(b, 0) ? a : isWord(a, 0) ? b : Value{};
  case Op::ISub: return isWord(b, 0) ? a : Value{};
  case Op::Or: // x | 0 -> x, x | ~0 -> ~0, x | x -> x
    if (isWord(b, 0) || isWord(a, ~0u) || a == b) return a;
    return isWord(a, 0) || isWord(b, ~0u) ? b : Value{};
  case Op::And: // x & ~0 -> x, x & 0 -> 0, x & x -> x
    if (isWord(b, ~0u) || isWord(a, 0) || a == b) return a;
    return isWord(a, ~0u) || isWord(b, 0) ? b : Value{};
  case Op::IMulLo: // x * 1 -> x, x * 0 -> 0
    if (isWord(b, 1) || isWord(a, 0)) return a;
    return isWord(a, 1) || isWord(b, 0) ? b : Value{};
  case Op::Shl:
  case Op::IShr:
  case Op::UShr: // shift by 0
    return b.isConstant() && (m_f.constant(b) & 31) == 0 ? a : Value{};
  case Op::IMin:
  case Op::IMax:
  case Op::UMin:
  case Op::UMax: return a == b ? a : Value{};
  default: return {};
  }
}

/// The value that the instruction equals, if it is simpler.
Value Folder::identity(const Instruction& i) {
  if (i.resultCount != 1 || i.operandCount == 0) return {};
  const Value a = m_f.operand(i, 0);
  if (i.operandCount == 1) return unaryIdentity(i, a);
  const Value b = m_f.operand(i, 1);
  if (i.operandCount == 2) return bitIdentity(i, a, b);
  if (i.op == Op::Select) {
    const Value c = m_f.operand(i, 2);
    if (a.isConstant()) return m_f.constant(a) ? b : c;
    if (b == c) return b;
    if (isWord(b, ~0u) && isWord(c, 0) && isMask(a)) return a; // mask ? ~0 : 0
  }
  return {};
}

/// mask != 0 -> mask; mask == 0 -> inverse comparison or complement. True if the instruction was replaced.
bool Folder::maskTest(Instruction& i) {
  if (i.op != Op::INe && i.op != Op::IEq) return false;
  const Value a = m_f.operand(i, 0), b = m_f.operand(i, 1);
  if (!isWord(b, 0) || !isMask(a) || a.isConstant()) return false;
  if (i.op == Op::INe) {
    m_map.replace(Function::result(i), a);
    removeInstruction(i);
    return true;
  }
  const Instruction* d = definition(a);
  const Op op = d->op == Op::Not ? Op::Count : inverse(d->op);
  if (op != Op::Count) {
    i.op = op;
    i.operandCount = d->operandCount;
    i.firstOperand = d->firstOperand;
  } else {
    i.op = Op::Not;
    i.operandCount = 1;
    m_mask[i.firstResult] = 1;
  }
  return false;
}

void Folder::run() {
  m_mask.assign(m_f.valueCount, 0);
  bool removed = false;
  for (uint32_t at = 0; at < m_f.instructions.size(); at++) {
    Instruction& i = m_f.instructions[at];
    m_map.apply(m_f, i);
    for (unsigned n = 0; n < i.resultCount; n++)
      m_definition[i.firstResult + n] = at;
    if (!(opInfo(i.op).flags & kOpFold)) continue;
    if (allConstant(i)) {
      evaluateAll(i);
      removed = true;
      continue;
    }
    if (maskTest(i)) {
      removed = true;
      continue;
    }
    const Value v = identity(i);
    if (v.valid()) {
      m_map.replace(Function::result(i), v);
      removeInstruction(i);
      removed = true;
      continue;
    }
    if ((i.op == Op::And || i.op == Op::Or || i.op == Op::Xor) && isMask(m_f.operand(i, 0)) && isMask(m_f.operand(i, 1)))
      m_mask[i.firstResult] = 1;
    if (i.op == Op::Not && isMask(m_f.operand(i, 0)))
      m_mask[i.firstResult] = 1;
  }
  if (removed) dropRemoved(m_f);
}

} // namespace

void foldConstants(Function& f) { Folder(f).run(); }

} // namespace monolith::ir
