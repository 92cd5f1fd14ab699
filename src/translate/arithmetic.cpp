// SPDX-License-Identifier: MIT
#include "translate/translator.h"

#include <array>

namespace monolith::translate {

using dxbc::OpCode;
using dxbc::Operand;
using dxbc::ValueType;
using ir::Op;
using ir::Value;

namespace {

/// Instructions that do one IR operation per component.
struct SimpleRow {
  Op op = Op::Count;
  uint8_t sources = 0;
};

constexpr auto kSimple = [] {
  std::array<SimpleRow, dxbc::kOpCodeCount> t{};
  auto set = [&](OpCode from, Op to, uint8_t sources) { t[static_cast<unsigned>(from)] = {to, sources}; };
  set(OpCode::Add, Op::FAdd, 2);
  set(OpCode::Mul, Op::FMul, 2);
  set(OpCode::Mad, Op::FMad, 3);
  set(OpCode::Div, Op::FDiv, 2);
  set(OpCode::Rcp, Op::FRcp, 1);
  set(OpCode::Sqrt, Op::FSqrt, 1);
  set(OpCode::Rsq, Op::FRsq, 1);
  set(OpCode::Min, Op::FMin, 2);
  set(OpCode::Max, Op::FMax, 2);
  set(OpCode::Frc, Op::FFrc, 1);
  set(OpCode::RoundNe, Op::FRoundNe, 1);
  set(OpCode::RoundNi, Op::FRoundNi, 1);
  set(OpCode::RoundPi, Op::FRoundPi, 1);
  set(OpCode::RoundZ, Op::FRoundZ, 1);
  set(OpCode::Exp, Op::FExp2, 1);
  set(OpCode::Log, Op::FLog2, 1);
  set(OpCode::Eq, Op::FEq, 2);
  set(OpCode::Ne, Op::FNe, 2);
  set(OpCode::Lt, Op::FLt, 2);
  set(OpCode::Ge, Op::FGe, 2);
  set(OpCode::IAdd, Op::IAdd, 2);
  set(OpCode::INeg, Op::INeg, 1);
  set(OpCode::IMin, Op::IMin, 2);
  set(OpCode::IMax, Op::IMax, 2);
  set(OpCode::UMin, Op::UMin, 2);
  set(OpCode::UMax, Op::UMax, 2);
  set(OpCode::IEq, Op::IEq, 2);
  set(OpCode::INe, Op::INe, 2);
  set(OpCode::ILt, Op::ILt, 2);
  set(OpCode::IGe, Op::IGe, 2);
  set(OpCode::ULt, Op::ULt, 2);
  set(OpCode::UGe, Op::UGe, 2);
  set(OpCode::And, Op::And, 2);
  set(OpCode::Or, Op::Or, 2);
  set(OpCode::Xor, Op::Xor, 2);
  set(OpCode::Not, Op::Not, 1);
  set(OpCode::IShl, Op::Shl, 2);
  set(OpCode::IShr, Op::IShr, 2);
  set(OpCode::UShr, Op::UShr, 2);
  set(OpCode::UBfe, Op::UBfe, 3);
  set(OpCode::IBfe, Op::IBfe, 3);
  set(OpCode::Bfi, Op::Bfi, 4);
  set(OpCode::BfRev, Op::BfRev, 1);
  set(OpCode::CountBits, Op::CountBits, 1);
  set(OpCode::FirstBitLo, Op::FirstBitLo, 1);
  set(OpCode::FirstBitHi, Op::FirstBitHi, 1);
  set(OpCode::FirstBitShi, Op::FirstBitSHi, 1);
  set(OpCode::FtoI, Op::FToI, 1);
  set(OpCode::FtoU, Op::FToU, 1);
  set(OpCode::ItoF, Op::IToF, 1);
  set(OpCode::UtoF, Op::UToF, 1);
  set(OpCode::F32toF16, Op::F32ToF16, 1);
  set(OpCode::F16toF32, Op::F16ToF32, 1);
  set(OpCode::Msad, Op::Msad, 3);
  set(OpCode::DerivRtx, Op::DerivXCoarse, 1);
  set(OpCode::DerivRty, Op::DerivYCoarse, 1);
  set(OpCode::DerivRtxCoarse, Op::DerivXCoarse, 1);
  set(OpCode::DerivRtyCoarse, Op::DerivYCoarse, 1);
  set(OpCode::DerivRtxFine, Op::DerivXFine, 1);
  set(OpCode::DerivRtyFine, Op::DerivYFine, 1);
  return t;
}();

constexpr bool has(uint8_t mask, unsigned component) { return (mask >> component & 1) != 0; }

} // namespace

bool Translator::simple() {
  const SimpleRow row = kSimple[static_cast<unsigned>(m_in->op)];
  if (row.op == Op::Count)
    return false;
  const Operand& dst = operand(0);
  const uint8_t mask = dst.writeMask();
  Value results[4];
  for (unsigned c = 0; c < 4; c++) {
    if (!has(mask, c))
      continue;
    Value in[4];
    for (unsigned s = 0; s < row.sources; s++)
      in[s] = load(operand(1 + s), c, m_in->info().operands[1 + s].type);
    results[c] = m_b.emit(row.op, in, row.sources);
  }
  for (unsigned c = 0; c < 4; c++)
    if (has(mask, c))
      storeSaturated(dst, c, results[c]);
  return true;
}

/// dpN: x is a multiplication, each further component a fused multiply-add onto it, in the order y, z, w.
void Translator::dot(unsigned components) {
  const Operand& dst = operand(0);
  Value sum;
  for (unsigned c = 0; c < components; c++) {
    const Value a = load(operand(1), c, ValueType::Float);
    const Value b = load(operand(2), c, ValueType::Float);
    sum = c == 0 ? static_cast<Value>(m_b.emit(Op::FMul, {a, b})) : static_cast<Value>(m_b.emit(Op::FMad, {a, b, sum}));
  }
  if (m_in->saturate)
    sum = m_b.emit(Op::FSat, {sum});
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      store(dst, c, sum);
}

/// mov and movc.
void Translator::select() {
  const Operand& dst = operand(0);
  Value results[4];
  for (unsigned c = 0; c < 4; c++) {
    if (!has(dst.writeMask(), c))
      continue;
    if (m_in->op == OpCode::Mov) {
      results[c] = load(operand(1), c, ValueType::Any);
      continue;
    }
    const Value condition = load(operand(1), c, ValueType::Uint);
    const Value yes = load(operand(2), c, ValueType::Any);
    const Value no = load(operand(3), c, ValueType::Any);
    results[c] = m_b.emit(Op::Select, {condition, yes, no});
  }
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      storeSaturated(dst, c, results[c]);
}

void Translator::swapConditional() {
  Value results[2][4];
  for (unsigned d = 0; d < 2; d++)
    for (unsigned c = 0; c < 4; c++) {
      if (!has(operand(d).writeMask(), c))
        continue;
      const Value condition = load(operand(2), c, ValueType::Uint);
      const Value a = load(operand(3), c, ValueType::Any);
      const Value b = load(operand(4), c, ValueType::Any);
      results[d][c] = d == 0 ? m_b.emit(Op::Select, {condition, b, a}) : m_b.emit(Op::Select, {condition, a, b});
    }
  for (unsigned d = 0; d < 2; d++)
    for (unsigned c = 0; c < 4; c++)
      if (has(operand(d).writeMask(), c))
        store(operand(d), c, results[d][c]);
}

/// udiv, uaddc, usubb: result 0 to the first destination, result 1 to the second.
void Translator::twoResults(Op op) {
  Value results[2][4];
  const uint8_t mask[2] = {operand(0).writeMask(), operand(1).writeMask()};
  for (unsigned c = 0; c < 4; c++) {
    if (!has(mask[0] | mask[1], c))
      continue;
    const ir::Values r =
        m_b.emit(op, {load(operand(2), c, ValueType::Int), load(operand(3), c, ValueType::Int)});
    results[0][c] = r[0];
    results[1][c] = r[1];
  }
  for (unsigned d = 0; d < 2; d++)
    for (unsigned c = 0; c < 4; c++)
      if (has(mask[d], c))
        store(operand(d), c, results[d][c]);
}

/// imul and umul; only the low word is the common case and one operation of its own.
void Translator::multiply(Op op) {
  if (!operand(0).isNull()) {
    twoResults(op);
    return;
  }
  const Operand& dst = operand(1);
  Value results[4];
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      results[c] = m_b.emit(Op::IMulLo, {load(operand(2), c, ValueType::Int), load(operand(3), c, ValueType::Int)});
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      store(dst, c, results[c]);
}

void Translator::integerMad() {
  const Operand& dst = operand(0);
  Value results[4];
  for (unsigned c = 0; c < 4; c++) {
    if (!has(dst.writeMask(), c))
      continue;
    const Value product =
        m_b.emit(Op::IMulLo, {load(operand(1), c, ValueType::Int), load(operand(2), c, ValueType::Int)});
    results[c] = m_b.emit(Op::IAdd, {product, load(operand(3), c, ValueType::Int)});
  }
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      store(dst, c, results[c]);
}

void Translator::sincos() {
  Value results[2][4];
  const uint8_t mask[2] = {operand(0).writeMask(), operand(1).writeMask()};
  for (unsigned c = 0; c < 4; c++) {
    if (!has(mask[0] | mask[1], c))
      continue;
    const ir::Values r = m_b.emit(Op::FSinCos, {load(operand(2), c, ValueType::Float)});
    results[0][c] = r[0];
    results[1][c] = r[1];
  }
  for (unsigned d = 0; d < 2; d++)
    for (unsigned c = 0; c < 4; c++)
      if (has(mask[d], c))
        storeSaturated(operand(d), c, results[d][c]);
}

bool Translator::arithmetic() {
  if (simple())
    return true;
  switch (m_in->op) {
  case OpCode::Mov:
  case OpCode::Movc: select(); return true;
  case OpCode::Dp2: dot(2); return true;
  case OpCode::Dp3: dot(3); return true;
  case OpCode::Dp4: dot(4); return true;
  case OpCode::Swapc: swapConditional(); return true;
  case OpCode::IMul: multiply(Op::IMul); return true;
  case OpCode::UMul: multiply(Op::UMul); return true;
  case OpCode::IMad:
  case OpCode::UMad: integerMad(); return true;
  case OpCode::UDiv: twoResults(Op::UDiv); return true;
  case OpCode::UAddc: twoResults(Op::UAddC); return true;
  case OpCode::USubb: twoResults(Op::USubB); return true;
  case OpCode::SinCos: sincos(); return true;
  case OpCode::CheckAccessFullyMapped: {
    const Value r = m_b.emit(Op::INe, {load(operand(1), 0, ValueType::Uint), zero()});
    for (unsigned c = 0; c < 4; c++)
      if (has(operand(0).writeMask(), c))
        store(operand(0), c, r);
    return true;
  }
  default: return doubles();
  }
}

/// min(1, max(0, v)) with the rules of dmin and dmax.
Value Translator::saturateDouble(Value low, Value& high) {
  const Value one = m_b.constant(0x3FF00000u);
  const ir::Values a = m_b.emit(Op::DMax, {zero(), zero(), low, high});
  const ir::Values b = m_b.emit(Op::DMin, {zero(), one, a[0], a[1]});
  high = b[1];
  return b[0];
}

void Translator::doubleMove() {
  const Operand& dst = operand(0);
  const bool conditional = m_in->op == OpCode::DMovc;
  Value low[2], high[2];
  for (unsigned p = 0; p < 2; p++) {
    if (!has(dst.writeMask(), 2 * p))
      continue;
    if (!conditional) {
      low[p] = loadDouble(operand(1), p, high[p]);
    } else {
      const Value condition = load(operand(1), p, ValueType::Uint);
      Value yesHigh, noHigh;
      const Value yes = loadDouble(operand(2), p, yesHigh);
      const Value no = loadDouble(operand(3), p, noHigh);
      low[p] = m_b.emit(Op::Select, {condition, yes, no});
      high[p] = m_b.emit(Op::Select, {condition, yesHigh, noHigh});
    }
    if (m_in->saturate)
      low[p] = saturateDouble(low[p], high[p]);
  }
  for (unsigned p = 0; p < 2; p++)
    if (has(dst.writeMask(), 2 * p)) {
      store(dst, 2 * p, low[p]);
      store(dst, 2 * p + 1, high[p]);
    }
}

/// Operations that make doubles: pair p of the destination from pair p (or word p) of the sources.
void Translator::doubleResult(Op op, unsigned sources, bool wordSource) {
  const Operand& dst = operand(0);
  Value low[2], high[2];
  for (unsigned p = 0; p < 2; p++) {
    if (!has(dst.writeMask(), 2 * p))
      continue;
    Value in[6];
    unsigned n = 0;
    for (unsigned s = 0; s < sources; s++) {
      if (wordSource) {
        in[n++] = load(operand(1 + s), p, m_in->info().operands[1 + s].type);
        continue;
      }
      in[n] = loadDouble(operand(1 + s), p, in[n + 1]);
      n += 2;
    }
    const ir::Values r = m_b.emit(op, in, n);
    low[p] = r[0];
    high[p] = r[1];
    if (m_in->saturate)
      low[p] = saturateDouble(low[p], high[p]);
  }
  for (unsigned p = 0; p < 2; p++)
    if (has(dst.writeMask(), 2 * p)) {
      store(dst, 2 * p, low[p]);
      store(dst, 2 * p + 1, high[p]);
    }
}

/// Operations from doubles to words: the first written component gets pair 0, the second pair 1.
void Translator::doubleToWord(Op op, unsigned sources) {
  const Operand& dst = operand(0);
  Value results[2];
  unsigned pairs = 0;
  for (unsigned c = 0; c < 4; c++)
    pairs += has(dst.writeMask(), c) ? 1 : 0;
  for (unsigned p = 0; p < pairs && p < 2; p++) {
    Value in[4];
    for (unsigned s = 0; s < sources; s++)
      in[2 * s] = loadDouble(operand(1 + s), p, in[2 * s + 1]);
    results[p] = m_b.emit(op, in, 2 * sources);
  }
  for (unsigned c = 0, p = 0; c < 4 && p < 2; c++)
    if (has(dst.writeMask(), c))
      storeSaturated(dst, c, results[p++]);
}

bool Translator::doubles() {
  switch (m_in->op) {
  case OpCode::DMov:
  case OpCode::DMovc: doubleMove(); return true;
  case OpCode::DAdd: doubleResult(Op::DAdd, 2, false); return true;
  case OpCode::DMul: doubleResult(Op::DMul, 2, false); return true;
  case OpCode::DDiv: doubleResult(Op::DDiv, 2, false); return true;
  case OpCode::DMin: doubleResult(Op::DMin, 2, false); return true;
  case OpCode::DMax: doubleResult(Op::DMax, 2, false); return true;
  case OpCode::DFma: doubleResult(Op::DFma, 3, false); return true;
  case OpCode::DRcp: doubleResult(Op::DRcp, 1, false); return true;
  case OpCode::FtoD: doubleResult(Op::FToD, 1, true); return true;
  case OpCode::ItoD: doubleResult(Op::IToD, 1, true); return true;
  case OpCode::UtoD: doubleResult(Op::UToD, 1, true); return true;
  case OpCode::DEq: doubleToWord(Op::DEq, 2); return true;
  case OpCode::DNe: doubleToWord(Op::DNe, 2); return true;
  case OpCode::DLt: doubleToWord(Op::DLt, 2); return true;
  case OpCode::DGe: doubleToWord(Op::DGe, 2); return true;
  case OpCode::DtoF: doubleToWord(Op::DToF, 1); return true;
  case OpCode::DtoI: doubleToWord(Op::DToI, 1); return true;
  case OpCode::DtoU: doubleToWord(Op::DToU, 1); return true;
  default: return false;
  }
}

} // namespace monolith::translate
