// SPDX-License-Identifier: MIT
/// @file
/// What passes share: a map from replaced values to what stands for them, and removal of instructions. A removed
/// instruction gets the operation Op::Count; compact() takes them out.
#pragma once

#include "ir/function.h"

namespace monolith::ir {

/// Replaced values. Replacements are followed once, in program order, so chains never arise.
class Replacements {
public:
  explicit Replacements(const Function& f) : m_map(f.valueCount) {}
  Value resolve(Value v) const { return !v.isConstant() && v.id < m_map.size() && m_map[v.id].valid() ? m_map[v.id] : v; }
  void replace(Value from, Value to) { m_map[from.id] = to; }
  /// Rewrites the operands of one instruction.
  void apply(Function& f, const Instruction& i) const {
    for (unsigned n = 0; n < i.operandCount; n++)
      f.operands[i.firstOperand + n] = resolve(f.operands[i.firstOperand + n]);
  }

private:
  std::vector<Value> m_map;
};

inline void removeInstruction(Instruction& i) { i.op = Op::Count; }
inline bool isRemoved(const Instruction& i) { return i.op == Op::Count; }

/// Takes out removed instructions and links. Value ids stay.
void dropRemoved(Function& f);

/// dropRemoved, then renumbers values, operands, constants and variables so that none is unused.
void compact(Function& f);

} // namespace monolith::ir
