// SPDX-License-Identifier: MIT
#include "codegen/emitter_state.h"

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

namespace {

Double operandDouble(const EmitterState& s, const Instruction& i, unsigned n) {
  return makeDouble(s.operand(i, 2 * n), s.operand(i, 2 * n + 1));
}

void setDouble(EmitterState& s, const Instruction& i, Double v) {
  s.set(i, lowWords(v), 0);
  s.set(i, highWords(v), 1);
}

/// Arithmetic, in the mode that keeps denormals.
bool emitArithmetic(EmitterState& s, const Instruction& i) {
  const auto d = [&](unsigned n) { return operandDouble(s, i, n); };
  switch (i.op) {
  case Op::DAdd: setDouble(s, i, d(0) + d(1)); return true;
  case Op::DMul: setDouble(s, i, d(0) * d(1)); return true;
  case Op::DFma: setDouble(s, i, fma(d(0), d(1), d(2))); return true;
  case Op::DDiv: setDouble(s, i, d(0) / d(1)); return true;
  case Op::DRcp: setDouble(s, i, Double(1.0) / d(0)); return true;
  case Op::DMin: setDouble(s, i, minNumber(d(0), d(1))); return true;
  case Op::DMax: { // equal operands give the first
    const Double a = d(0), b = d(1);
    setDouble(s, i, select(isNan(a), b, maxSecond(b, a)));
    return true;
  }
  case Op::DEq: s.setMask(i, d(0) == d(1)); return true;
  case Op::DNe: s.setMask(i, d(0) != d(1)); return true;
  case Op::DLt: s.setMask(i, d(0) < d(1)); return true;
  case Op::DGe: s.setMask(i, d(0) >= d(1)); return true;
  case Op::DToI: s.set(i, toIntSaturate(d(0))); return true;
  case Op::DToU: s.set(i, toUintSaturate(d(0))); return true;
  case Op::IToD: setDouble(s, i, toDouble(s.operand(i, 0))); return true;
  case Op::UToD: setDouble(s, i, toDoubleUnsigned(s.operand(i, 0))); return true;
  default: return false;
  }
}

} // namespace

bool emitDoubleOp(EmitterState& s, const Instruction& i) {
  if (i.op == Op::FToD) { // flushes the float
    s.setDoubleMode(false);
    setDouble(s, i, toDouble(s.operandFloat(i, 0)));
    return true;
  }
  if (i.op == Op::DToF) { // rounds with denormals kept, then flushes
    s.setDoubleMode(true);
    const Float rounded = toFloat(operandDouble(s, i, 0));
    s.setDoubleMode(false);
    s.setFloat(i, rounded * Float(1.0f));
    return true;
  }
  if (i.op < Op::DAdd || i.op > Op::UToD)
    return false;
  s.setDoubleMode(true);
  return emitArithmetic(s, i);
}

} // namespace monolith::codegen
