// SPDX-License-Identifier: MIT
#include "ir/passes/rewrite.h"

#include <algorithm>

namespace monolith::ir {

void dropRemoved(Function& f) {
  std::erase_if(f.instructions, isRemoved);
  f.link();
}

void compact(Function& f) {
  std::erase_if(f.instructions, isRemoved);
  std::vector<uint32_t> values(f.valueCount, ~0u), variables(f.variableCount, ~0u), constants(f.constants.size(), ~0u);
  std::vector<Value> operands;
  std::vector<uint32_t> words;
  operands.reserve(f.operands.size());
  uint32_t valueCount = 0, variableCount = 0;
  for (Instruction& i : f.instructions) {
    const uint32_t first = static_cast<uint32_t>(operands.size());
    for (unsigned n = 0; n < i.operandCount; n++) {
      Value v = f.operand(i, n);
      if (v.isConstant()) {
        uint32_t& c = constants[v.constantIndex()];
        if (c == ~0u) {
          c = static_cast<uint32_t>(words.size());
          words.push_back(f.constant(v));
        }
        v.id = 0x80000000u | c;
      } else {
        v.id = values[v.id];
      }
      operands.push_back(v);
    }
    i.firstOperand = first;
    for (unsigned n = 0; n < i.resultCount; n++)
      values[i.firstResult + n] = valueCount + n;
    i.firstResult = valueCount;
    valueCount += i.resultCount;
    if (i.op == Op::LoadVar || i.op == Op::StoreVar) {
      uint32_t& v = variables[i.attr];
      if (v == ~0u) v = variableCount++;
      i.attr = v;
    }
  }
  f.operands = std::move(operands);
  f.valueCount = valueCount;
  f.variableCount = variableCount;
  f.resetConstants(std::move(words));
  f.link();
}

} // namespace monolith::ir
