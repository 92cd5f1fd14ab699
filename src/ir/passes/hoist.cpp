// SPDX-License-Identifier: MIT
#include "ir/passes/hoist.h"

namespace monolith::ir {

namespace {

/// Reads that give the same wherever they stand, have no effect and cannot fail.
bool movable(const Function& f, const Instruction& i) {
  switch (i.op) {
  case Op::LoadInput:
  case Op::LoadConstant: break;
  case Op::LoadSystem:
    if (static_cast<SystemValue>(i.attr) == SystemValue::CycleCounter) return false;
    break;
  default: return false;
  }
  for (unsigned n = 0; n < i.operandCount; n++)
    if (!f.operand(i, n).isConstant()) return false;
  return true;
}

} // namespace

void hoistReads(Function& f) {
  std::vector<Instruction> out;
  bool moved = false;
  for (size_t at = 0; at < f.instructions.size(); at++) {
    const Instruction& i = f.instructions[at];
    if (i.op != Op::Loop) {
      if (moved) out.push_back(i);
      continue;
    }
    // An outermost loop: inner ones lie within and are skipped with it.
    const size_t end = i.attr;
    bool any = false;
    for (size_t k = at; k <= end; k++) any |= movable(f, f.instructions[k]);
    if (any && !moved) {
      out.reserve(f.instructions.size());
      out.assign(f.instructions.begin(), f.instructions.begin() + static_cast<ptrdiff_t>(at));
      moved = true;
    }
    for (int rest = 0; rest < 2 && moved; rest++)
      for (size_t k = at; k <= end; k++)
        if (movable(f, f.instructions[k]) == (rest == 0)) out.push_back(f.instructions[k]);
    at = end;
  }
  if (!moved) return;
  f.instructions = std::move(out);
  f.link();
}

} // namespace monolith::ir
