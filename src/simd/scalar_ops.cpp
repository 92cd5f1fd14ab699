// SPDX-License-Identifier: MIT
#include "simd/scalar_ops.h"
#include "simd/control_flow.h"
#include "simd/internal/recorder.h"
#include <bit>
#include <utility>

namespace monolith::simd {

using asmjit::imm;
using x86::CondCode;

namespace {

template <class Fold> Word binary(InstId op, Word a, Word b, Fold fold) {
  if (a.isImmediate() && b.isImmediate())
    return Word(int32_t(fold(uint32_t(a.immediate), uint32_t(b.immediate))));
  const Id r = newGpd();
  if (a.isImmediate())
    emitter().mov(gpd(r), imm(a.immediate));
  else
    emitter().mov(gpd(r), gpd(a.id));
  if (b.isImmediate())
    emitter().emit(op, gpd(r), imm(b.immediate));
  else
    emitter().emit(op, gpd(r), gpd(b.id));
  return Word::fromId(r);
}

template <class Fold> Long binary(InstId op, Long a, Long b, Fold fold) {
  if (a.isImmediate() && b.isImmediate())
    return Long(int64_t(fold(uint64_t(a.immediate), uint64_t(b.immediate))));
  const Id r = newGpq();
  if (a.isImmediate())
    emitter().mov(gpq(r), imm(a.immediate));
  else
    emitter().mov(gpq(r), gpq(a.id));
  if (b.isImmediate() && b.immediate == int32_t(b.immediate))
    emitter().emit(op, gpq(r), imm(b.immediate));
  else
    emitter().emit(op, gpq(r), gpq(inRegister(b)));
  return Long::fromId(r);
}

Word shifted(InstId op, Word a, int count) {
  const Id r = newGpd();
  emitter().mov(gpd(r), gpd(inRegister(a)));
  emitter().emit(op, gpd(r), imm(count & 31));
  return Word::fromId(r);
}
Word shiftedBy(InstId op, Word a, Word count) {
  const Id r = newGpd(), ra = inRegister(a), rc = inRegister(count);
  emitter().emit(op, gpd(r), gpd(ra), gpd(rc));
  return Word::fromId(r);
}
Word unary(InstId op, Word a) {
  const Id r = newGpd(), ra = inRegister(a);
  emitter().emit(op, gpd(r), gpd(ra));
  return Word::fromId(r);
}

Condition wordCondition(Condition::Kind kind, Word a, Word b, bool negated = false) {
  Condition c;
  c.kind = kind;
  c.a = a;
  c.b = b;
  c.negated = negated;
  return c;
}
Condition longCondition(Condition::Kind kind, Long a, Long b, bool negated = false) {
  Condition c;
  c.kind = kind;
  c.la = a;
  c.lb = b;
  c.negated = negated;
  return c;
}

} // namespace

Word operator+(Word a, Word b) {
  if (b.isImmediate() && b.immediate == 0)
    return a;
  return binary(InstId::kIdAdd, a, b, [](uint32_t x, uint32_t y) { return x + y; });
}
Word operator-(Word a, Word b) {
  return binary(InstId::kIdSub, a, b, [](uint32_t x, uint32_t y) { return x - y; });
}
Word operator*(Word a, Word b) {
  if (a.isImmediate() && !b.isImmediate())
    std::swap(a, b);
  if (b.isImmediate()) {
    const uint32_t m = uint32_t(b.immediate);
    if (m == 1)
      return a;
    if (!a.isImmediate() && std::has_single_bit(m))
      return shl(a, std::countr_zero(m));
    if (!a.isImmediate()) {
      const Id r = newGpd();
      emitter().imul(gpd(r), gpd(a.id), imm(b.immediate));
      return Word::fromId(r);
    }
  }
  return binary(InstId::kIdImul, a, b, [](uint32_t x, uint32_t y) { return x * y; });
}
Word operator&(Word a, Word b) {
  return binary(InstId::kIdAnd, a, b, [](uint32_t x, uint32_t y) { return x & y; });
}
Word operator|(Word a, Word b) {
  return binary(InstId::kIdOr, a, b, [](uint32_t x, uint32_t y) { return x | y; });
}
Word operator^(Word a, Word b) {
  return binary(InstId::kIdXor, a, b, [](uint32_t x, uint32_t y) { return x ^ y; });
}
Word operator~(Word a) { return a ^ Word(-1); }

Word shl(Word a, int count) {
  if (a.isImmediate())
    return Word(uint32_t(a.immediate) << (count & 31));
  return count == 0 ? a : shifted(InstId::kIdShl, a, count);
}
Word shr(Word a, int count) {
  if (a.isImmediate())
    return Word(uint32_t(a.immediate) >> (count & 31));
  return count == 0 ? a : shifted(InstId::kIdShr, a, count);
}
Word sar(Word a, int count) {
  if (a.isImmediate())
    return Word(a.immediate >> (count & 31));
  return count == 0 ? a : shifted(InstId::kIdSar, a, count);
}
Word shl(Word a, Word count) { return count.isImmediate() ? shl(a, count.immediate) : shiftedBy(InstId::kIdShlx, a, count); }
Word shr(Word a, Word count) { return count.isImmediate() ? shr(a, count.immediate) : shiftedBy(InstId::kIdShrx, a, count); }
Word sar(Word a, Word count) { return count.isImmediate() ? sar(a, count.immediate) : shiftedBy(InstId::kIdSarx, a, count); }

Word divUnsigned(Word a, Word b) {
  const Id quotient = newGpd(), remainder = newGpd(), divisor = inRegister(b);
  assignRegister(Word::fromId(quotient), a);
  emitter().xor_(gpd(remainder), gpd(remainder));
  emitter().div(gpd(remainder), gpd(quotient), gpd(divisor));
  return Word::fromId(quotient);
}
Word minUnsigned(Word a, Word b) { return select(belowUnsigned(a, b), a, b); }
Word maxUnsigned(Word a, Word b) { return select(belowUnsigned(b, a), a, b); }
Word minSigned(Word a, Word b) { return select(a < b, a, b); }
Word maxSigned(Word a, Word b) { return select(b < a, a, b); }
Word popcount(Word a) { return unary(InstId::kIdPopcnt, a); }
Word countTrailingZeros(Word a) { return unary(InstId::kIdTzcnt, a); }
Word countLeadingZeros(Word a) { return unary(InstId::kIdLzcnt, a); }
Word clearLowestBit(Word a) { return unary(InstId::kIdBlsr, a); }

Long operator+(Long a, Long b) {
  return binary(InstId::kIdAdd, a, b, [](uint64_t x, uint64_t y) { return x + y; });
}
Long operator-(Long a, Long b) {
  return binary(InstId::kIdSub, a, b, [](uint64_t x, uint64_t y) { return x - y; });
}
Long operator*(Long a, Long b) {
  return binary(InstId::kIdImul, a, b, [](uint64_t x, uint64_t y) { return x * y; });
}
Long operator&(Long a, Long b) {
  return binary(InstId::kIdAnd, a, b, [](uint64_t x, uint64_t y) { return x & y; });
}
Long operator|(Long a, Long b) {
  return binary(InstId::kIdOr, a, b, [](uint64_t x, uint64_t y) { return x | y; });
}
static Long shiftedLong(InstId op, Long a, int count) {
  const Id r = newGpq();
  emitter().mov(gpq(r), gpq(inRegister(a)));
  emitter().emit(op, gpq(r), imm(count & 63));
  return Long::fromId(r);
}
Long shl(Long a, int count) { return shiftedLong(InstId::kIdShl, a, count); }
Long shr(Long a, int count) { return shiftedLong(InstId::kIdShr, a, count); }
Long toLongSigned(Word a) {
  if (a.isImmediate())
    return Long(int64_t(a.immediate));
  const Id r = newGpq();
  emitter().movsxd(gpq(r), gpd(a.id));
  return Long::fromId(r);
}
Long toLongUnsigned(Word a) {
  if (a.isImmediate())
    return Long(int64_t(uint32_t(a.immediate)));
  const Id r = newGpq();
  emitter().mov(gpd(r), gpd(a.id));
  return Long::fromId(r);
}
Word toWord(Long a) {
  if (a.isImmediate())
    return Word(int32_t(a.immediate));
  const Id r = newGpd();
  emitter().mov(gpd(r), gpd(a.id));
  return Word::fromId(r);
}

Condition operator==(Word a, Word b) { return wordCondition(Condition::Kind::WordEqual, a, b); }
Condition operator!=(Word a, Word b) { return wordCondition(Condition::Kind::WordEqual, a, b, true); }
Condition operator<(Word a, Word b) { return wordCondition(Condition::Kind::WordLess, a, b); }
Condition operator<=(Word a, Word b) { return wordCondition(Condition::Kind::WordLessEqual, a, b); }
Condition operator>(Word a, Word b) { return wordCondition(Condition::Kind::WordLessEqual, a, b, true); }
Condition operator>=(Word a, Word b) { return wordCondition(Condition::Kind::WordLess, a, b, true); }
Condition belowUnsigned(Word a, Word b) { return wordCondition(Condition::Kind::WordBelow, a, b); }
Condition belowEqualUnsigned(Word a, Word b) { return wordCondition(Condition::Kind::WordBelowEqual, a, b); }
Condition test(Word a, Word b) { return wordCondition(Condition::Kind::WordTest, a, b); }
Condition operator==(Long a, Long b) { return longCondition(Condition::Kind::LongEqual, a, b); }
Condition operator!=(Long a, Long b) { return longCondition(Condition::Kind::LongEqual, a, b, true); }
Condition operator<(Long a, Long b) { return longCondition(Condition::Kind::LongLess, a, b); }
Condition belowUnsigned(Long a, Long b) { return longCondition(Condition::Kind::LongBelow, a, b); }
Condition belowEqualUnsigned(Long a, Long b) { return longCondition(Condition::Kind::LongBelowEqual, a, b); }
Condition isNull(Pointer p) { return toLong(p) == Long(int64_t(0)); }
Condition operator!(Condition c) {
  c.negated = !c.negated;
  return c;
}

CondCode recordTest(const Condition& c) {
  using Kind = Condition::Kind;
  x86::Compiler& cc = emitter();
  CondCode code = CondCode::kNZ;
  switch (c.kind) {
  case Kind::Constant: { // rare: an impossible or certain condition, made with flags all the same
    const Id r = newGpd();
    cc.mov(gpd(r), imm(c.constant ? 1 : 0));
    cc.test(gpd(r), gpd(r));
    code = CondCode::kNZ;
    break;
  }
  case Kind::WordEqual:
  case Kind::WordLess:
  case Kind::WordLessEqual:
  case Kind::WordBelow:
  case Kind::WordBelowEqual: {
    const Id a = inRegister(c.a);
    if (c.b.isImmediate() && c.b.immediate == 0 && c.kind == Kind::WordEqual)
      cc.test(gpd(a), gpd(a));
    else if (c.b.isImmediate())
      cc.cmp(gpd(a), imm(c.b.immediate));
    else
      cc.cmp(gpd(a), gpd(c.b.id));
    code = c.kind == Kind::WordEqual       ? CondCode::kE
           : c.kind == Kind::WordLess      ? CondCode::kL
           : c.kind == Kind::WordLessEqual ? CondCode::kLE
           : c.kind == Kind::WordBelow     ? CondCode::kB
                                           : CondCode::kBE;
    break;
  }
  case Kind::WordTest: {
    const Id a = inRegister(c.a);
    if (c.b.isImmediate())
      cc.test(gpd(a), imm(c.b.immediate));
    else
      cc.test(gpd(a), gpd(c.b.id));
    code = CondCode::kNZ;
    break;
  }
  case Kind::LongEqual:
  case Kind::LongLess:
  case Kind::LongBelow:
  case Kind::LongBelowEqual: {
    const Id a = inRegister(c.la);
    if (c.lb.isImmediate() && c.lb.immediate == int32_t(c.lb.immediate))
      cc.cmp(gpq(a), imm(c.lb.immediate));
    else
      cc.cmp(gpq(a), gpq(inRegister(c.lb)));
    code = c.kind == Kind::LongEqual   ? CondCode::kE
           : c.kind == Kind::LongLess  ? CondCode::kL
           : c.kind == Kind::LongBelow ? CondCode::kB
                                       : CondCode::kBE;
    break;
  }
  case Kind::Negative: code = CondCode::kS; break;
  case Kind::AnyLane: {
    const Id v = inRegister(c.vector);
    cc.vtestps(ymm(v), ymm(v));
    code = CondCode::kNZ;
    break;
  }
  case Kind::AllLanes: {
    const Id v = inRegister(c.vector);
    cc.emit(InstId::kIdVtestps, ymm(v), source(Mask(true).id));
    code = CondCode::kC;
    break;
  }
  }
  return c.negated ? x86::negateCond(code) : code;
}

Word select(Condition c, Word a, Word b) {
  const Id ra = inRegister(a);
  const Id r = newGpd();
  assignRegister(Word::fromId(r), b);
  const CondCode code = recordTest(c);
  emitter().emit(x86::Inst::cmovccFromCond(code), gpd(r), gpd(ra));
  return Word::fromId(r);
}

Long select(Condition c, Long a, Long b) {
  const Id ra = inRegister(a);
  const Id r = newGpq();
  assignRegister(Long::fromId(r), b);
  const CondCode code = recordTest(c);
  emitter().emit(x86::Inst::cmovccFromCond(code), gpq(r), gpq(ra));
  return Long::fromId(r);
}
Pointer select(Condition c, Pointer a, Pointer b) { return toPointer(select(c, toLong(a), toLong(b))); }

Condition subtractIsNegative(Var<Long>& counter, int32_t amount) {
  emitter().sub(gpq(counter.peek().id), imm(amount));
  Condition c;
  c.kind = Condition::Kind::Negative; // the flags of the subtraction
  return c;
}

Pointer operator+(Pointer p, int32_t bytes) {
  p.offset += bytes;
  return p;
}
Pointer operator+(Pointer p, Long bytes) {
  if (bytes.isImmediate() && bytes.immediate == int32_t(bytes.immediate))
    return p + int32_t(bytes.immediate);
  return indexed(p, bytes, 1);
}
Pointer indexed(Pointer p, Word index, int scale) {
  if (index.isImmediate())
    return p + index.immediate * scale;
  return indexed(p, toLongSigned(index), scale);
}
Pointer indexed(Pointer p, Long index, int scale) {
  if (p.index != kNoId) { // one index is taken: fold it into a new base
    const Pointer base = Pointer::fromId(newGpq());
    const int32_t offset = p.kind == Pointer::Base::Constants ? 0 : p.offset;
    if (p.kind != Pointer::Base::Constants)
      p.offset = 0;
    assignRegister(base, p);
    p = base;
    p.offset = offset;
  }
  p.index = inRegister(index);
  p.shift = scale == 1 ? 0 : scale == 2 ? 1 : scale == 4 ? 2 : 3;
  return p;
}
Long toLong(Pointer p) {
  if (p.kind == Pointer::Base::Register && p.index == kNoId && p.offset == 0)
    return Long::fromId(p.base);
  const Id r = newGpq();
  emitter().lea(gpq(r), memory(p, 0));
  return Long::fromId(r);
}
Pointer constantPointer(const void* address) {
  const Id r = newGpq();
  emitter().mov(gpq(r), imm(reinterpret_cast<uintptr_t>(address)));
  return Pointer::fromId(r);
}

Label::Label() : id(emitter().newLabel().id()) {}
void bind(Label label) { emitter().bind(asmjit::Label(label.id)); }
void jump(Label label) { emitter().jmp(asmjit::Label(label.id)); }
void jumpIf(Condition condition, Label label) {
  if (condition.kind == Condition::Kind::Constant) {
    if (condition.constant != condition.negated)
      jump(label);
    return;
  }
  const CondCode code = recordTest(condition);
  emitter().emit(x86::Inst::jccFromCond(code), asmjit::Label(label.id));
}

} // namespace monolith::simd
