// SPDX-License-Identifier: MIT
#include "codegen/emitter_state.h"

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

namespace {

/// Shifts count modulo 32; a constant count becomes an immediate.
template <class ByConstant, class ByLanes>
Int shifted(const EmitterState& s, const Instruction& i, ByConstant byConstant, ByLanes byLanes) {
  uint32_t count;
  const Int a = s.operand(i, 0);
  if (s.operandConstant(i, 1, count))
    return byConstant(a, int(count & 31));
  return byLanes(a, s.operand(i, 1) & Int(31));
}

/// Only "greater" is one instruction; a constant operand makes it of "greater or equal", too.
Mask greaterEqual(const EmitterState& s, const Instruction& i) {
  uint32_t w;
  const Int a = s.operand(i, 0), b = s.operand(i, 1);
  if (s.operandConstant(i, 1, w) && w != 0x80000000u)
    return a > Int(w - 1);
  if (s.operandConstant(i, 0, w) && w != 0x7fffffffu)
    return Int(w + 1) > b;
  return a >= b;
}

Int unsignedField(const EmitterState& s, const Instruction& i) {
  uint32_t width, offset;
  const Int x = s.operand(i, 2);
  if (s.operandConstant(i, 0, width) && s.operandConstant(i, 1, offset)) {
    const uint32_t mask = (1u << (width & 31)) - 1;
    return shr(x, int(offset & 31)) & Int(mask);
  }
  const Int w = s.operand(i, 0) & Int(31), o = s.operand(i, 1) & Int(31);
  return shr(x, o) & (shl(Int(1), w) - Int(1));
}

Int signedField(const EmitterState& s, const Instruction& i) {
  uint32_t width, offset;
  const Int x = s.operand(i, 2);
  if (s.operandConstant(i, 0, width) && s.operandConstant(i, 1, offset)) {
    width &= 31, offset &= 31;
    if (width == 0)
      return Int(0);
    if (width + offset < 32)
      return sar(shl(x, int(32 - width - offset)), int(32 - width));
    return sar(x, int(offset));
  }
  const Int w = s.operand(i, 0) & Int(31), o = s.operand(i, 1) & Int(31);
  const Int above = maxSigned(Int(32) - w - o, Int(0));
  const Int field = sar(shl(x, above), maxSigned(Int(32) - w, o));
  return andNot(field, asInt(w == Int(0)));
}

Int insertField(const EmitterState& s, const Instruction& i) {
  uint32_t width, offset;
  const Int x = s.operand(i, 2), base = s.operand(i, 3);
  if (s.operandConstant(i, 0, width) && s.operandConstant(i, 1, offset)) {
    const uint32_t mask = ((1u << (width & 31)) - 1) << (offset & 31);
    return (shl(x, int(offset & 31)) & Int(mask)) | (base & Int(~mask));
  }
  const Int w = s.operand(i, 0) & Int(31), o = s.operand(i, 1) & Int(31);
  const Int mask = shl(shl(Int(1), w) - Int(1), o);
  return (shl(x, o) & mask) | andNot(base, mask);
}

/// Sum of absolute byte differences where the reference byte is not zero, added with saturation.
Int maskedSum(const EmitterState& s, const Instruction& i) {
  const Int reference = s.operand(i, 0), source = s.operand(i, 1), start = s.operand(i, 2);
  const Int difference = subSaturateUnsigned8(reference, source) | subSaturateUnsigned8(source, reference);
  const Int counted = andNot(difference, equal8(reference, Int(0)));
  const Int sum = mulAddPairs16(mulAddPairsUnsigned8(counted, Int(0x01010101)), Int(0x00010001));
  const Int total = sum + start;
  return total | asInt(belowUnsigned(total, start));
}

bool emitArithmetic(EmitterState& s, const Instruction& i) {
  const auto v = [&](unsigned n) { return s.operand(i, n); };
  switch (i.op) {
  case Op::IAdd: s.set(i, v(0) + v(1)); return true;
  case Op::ISub: s.set(i, v(0) - v(1)); return true;
  case Op::INeg: s.set(i, -v(0)); return true;
  case Op::IMulLo: s.set(i, v(0) * v(1)); return true;
  case Op::IMul:
  case Op::UMul:
    s.set(i, Int(0), 0);
    s.set(i, Int(0), 1);
    if (s.used(i, 0))
      s.set(i, i.op == Op::IMul ? mulHighSigned(v(0), v(1)) : mulHighUnsigned(v(0), v(1)), 0);
    if (s.used(i, 1))
      s.set(i, v(0) * v(1), 1);
    return true;
  case Op::UDiv: {
    const Int quotient = divUnsigned(v(0), v(1));
    s.set(i, quotient, 0);
    s.set(i, s.used(i, 1) ? (v(0) - quotient * v(1)) | asInt(v(1) == Int(0)) : Int(0), 1);
    return true;
  }
  case Op::UAddC: {
    const Int sum = v(0) + v(1);
    s.set(i, sum, 0);
    s.set(i, s.used(i, 1) ? shr(asInt(belowUnsigned(sum, v(0))), 31) : Int(0), 1);
    return true;
  }
  case Op::USubB:
    s.set(i, v(0) - v(1), 0);
    s.set(i, s.used(i, 1) ? shr(asInt(belowUnsigned(v(0), v(1))), 31) : Int(0), 1);
    return true;
  case Op::IMin: s.set(i, minSigned(v(0), v(1))); return true;
  case Op::IMax: s.set(i, maxSigned(v(0), v(1))); return true;
  case Op::UMin: s.set(i, minUnsigned(v(0), v(1))); return true;
  case Op::UMax: s.set(i, maxUnsigned(v(0), v(1))); return true;
  case Op::Msad: s.set(i, maskedSum(s, i)); return true;
  default: return false;
  }
}

bool emitCompare(EmitterState& s, const Instruction& i) {
  const auto v = [&](unsigned n) { return s.operand(i, n); };
  switch (i.op) {
  case Op::IEq: s.setMask(i, v(0) == v(1)); return true;
  case Op::INe: s.setMask(i, v(0) != v(1)); return true;
  case Op::ILt: s.setMask(i, v(0) < v(1)); return true;
  case Op::IGe: s.setMask(i, greaterEqual(s, i)); return true;
  case Op::ULt: s.setMask(i, belowUnsigned(v(0), v(1))); return true;
  case Op::UGe: s.setMask(i, belowEqualUnsigned(v(1), v(0))); return true;
  default: return false;
  }
}

/// Bitwise operations of masks are masks.
void setBits(EmitterState& s, const Instruction& i, Int value) {
  s.set(i, value);
  bool masks = true;
  for (unsigned n = 0; n < i.operandCount; ++n)
    masks &= s.valueIsMask(s.function.operand(i, n));
  s.isMask[i.firstResult] = masks;
}

} // namespace

bool emitIntegerOp(EmitterState& s, const Instruction& i) {
  const auto v = [&](unsigned n) { return s.operand(i, n); };
  const auto orIfZero = [](Int result, Int x) { return result | asInt(x == Int(0)); };
  switch (i.op) {
  case Op::And: setBits(s, i, v(0) & v(1)); return true;
  case Op::Or: setBits(s, i, v(0) | v(1)); return true;
  case Op::Xor: setBits(s, i, v(0) ^ v(1)); return true;
  case Op::Not: setBits(s, i, ~v(0)); return true;
  case Op::Shl:
    s.set(i, shifted(s, i, [](Int a, int n) { return shl(a, n); }, [](Int a, Int n) { return shl(a, n); }));
    return true;
  case Op::IShr:
    s.set(i, shifted(s, i, [](Int a, int n) { return sar(a, n); }, [](Int a, Int n) { return sar(a, n); }));
    return true;
  case Op::UShr:
    s.set(i, shifted(s, i, [](Int a, int n) { return shr(a, n); }, [](Int a, Int n) { return shr(a, n); }));
    return true;
  case Op::UBfe: s.set(i, unsignedField(s, i)); return true;
  case Op::IBfe: s.set(i, signedField(s, i)); return true;
  case Op::Bfi: s.set(i, insertField(s, i)); return true;
  case Op::BfRev: s.set(i, reverseBits(v(0))); return true;
  case Op::CountBits: s.set(i, countBits(v(0))); return true;
  case Op::FirstBitLo: s.set(i, firstBitLow(v(0))); return true;
  case Op::FirstBitHi: s.set(i, orIfZero(leadingZeros(v(0)), v(0))); return true;
  case Op::FirstBitSHi: {
    const Int x = v(0) ^ sar(v(0), 31);
    s.set(i, orIfZero(leadingZeros(x), x));
    return true;
  }
  case Op::Select: {
    const ir::Value a = s.function.operand(i, 1), b = s.function.operand(i, 2);
    s.set(i, select(s.condition(s.function.operand(i, 0)), v(1), v(2)));
    s.isMask[i.firstResult] = s.valueIsMask(a) && s.valueIsMask(b);
    s.isFlushed[i.firstResult] = !a.isConstant() && !b.isConstant() && s.isFlushed[a.id] && s.isFlushed[b.id];
    return true;
  }
  default: return emitArithmetic(s, i) || emitCompare(s, i);
  }
}

} // namespace monolith::codegen
