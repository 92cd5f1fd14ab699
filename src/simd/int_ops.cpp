// SPDX-License-Identifier: MIT
#include "simd/int_ops.h"
#include "simd/float_ops.h"
#include "simd/internal/recorder.h"
#include "simd/scalar_ops.h"

namespace monolith::simd {

using asmjit::imm;

namespace {

Int binary(InstId op, Int a, Int b) { return Int::fromId(emit2(op, a.id, b.id)); }
Int commuting(InstId op, Int a, Int b) { return Int::fromId(emitCommuting(op, a.id, b.id)); }
Int shifted(InstId op, Int a, int count) { return Int::fromId(emitImmediate(op, a.id, count)); }

} // namespace

Int operator+(Int a, Int b) { return commuting(InstId::kIdVpaddd, a, b); }
Int operator-(Int a, Int b) { return binary(InstId::kIdVpsubd, a, b); }
Int operator-(Int a) { return Int(0) - a; }
Int operator*(Int a, Int b) { return commuting(InstId::kIdVpmulld, a, b); }
Int operator&(Int a, Int b) { return commuting(InstId::kIdVpand, a, b); }
Int operator|(Int a, Int b) { return commuting(InstId::kIdVpor, a, b); }
Int operator^(Int a, Int b) { return commuting(InstId::kIdVpxor, a, b); }
Int operator~(Int a) { return a ^ Int(-1); }
Int andNot(Int a, Int b) { return binary(InstId::kIdVpandn, b, a); }

Int shl(Int a, int count) { return count == 0 ? a : shifted(InstId::kIdVpslld, a, count > 31 ? 32 : count); }
Int shr(Int a, int count) { return count == 0 ? a : shifted(InstId::kIdVpsrld, a, count > 31 ? 32 : count); }
Int sar(Int a, int count) { return count == 0 ? a : shifted(InstId::kIdVpsrad, a, count > 31 ? 31 : count); }
Int shl(Int a, Int counts) { return binary(InstId::kIdVpsllvd, a, counts); }
Int shr(Int a, Int counts) { return binary(InstId::kIdVpsrlvd, a, counts); }
Int sar(Int a, Int counts) { return binary(InstId::kIdVpsravd, a, counts); }

Int minSigned(Int a, Int b) { return commuting(InstId::kIdVpminsd, a, b); }
Int maxSigned(Int a, Int b) { return commuting(InstId::kIdVpmaxsd, a, b); }
Int minUnsigned(Int a, Int b) { return commuting(InstId::kIdVpminud, a, b); }
Int maxUnsigned(Int a, Int b) { return commuting(InstId::kIdVpmaxud, a, b); }
Int abs(Int a) { return Int::fromId(emit1(InstId::kIdVpabsd, a.id)); }

static Int mulHigh(InstId op, Int a, Int b) {
  const Int ra = Int::fromId(inRegister(a.id)), rb = Int::fromId(inRegister(b.id));
  const Int even = binary(op, ra, rb);
  const Int odd = binary(op, shifted(InstId::kIdVpsrlq, ra, 32), shifted(InstId::kIdVpsrlq, rb, 32));
  return blend(0xaa, odd, shifted(InstId::kIdVpsrlq, even, 32));
}
Int mulHighSigned(Int a, Int b) { return mulHigh(InstId::kIdVpmuldq, a, b); }
Int mulHighUnsigned(Int a, Int b) { return mulHigh(InstId::kIdVpmuludq, a, b); }

/// Quotient of four unsigned numbers in the halves `a` and `b`, through doubles: a 53-bit quotient of 32-bit
/// numbers never rounds up to the next integer.
static Int4 divideHalf(Int4 a, Int4 b, Id two31) {
  x86::Compiler& cc = emitter();
  const Id da = newYmm(), db = newYmm(), r = newXmm();
  cc.vcvtdq2pd(ymm(da), xmm(a.id));
  cc.vcvtdq2pd(ymm(db), xmm(b.id));
  cc.emit(InstId::kIdVaddpd, ymm(da), ymm(da), source(two31));
  cc.emit(InstId::kIdVaddpd, ymm(db), ymm(db), source(two31));
  cc.vdivpd(ymm(da), ymm(da), ymm(db));
  cc.vroundpd(ymm(da), ymm(da), imm(11));
  cc.emit(InstId::kIdVsubpd, ymm(da), ymm(da), source(two31));
  cc.vcvttpd2dq(xmm(r), ymm(da));
  return Int4::fromId(r);
}

Int divUnsigned(Int a, Int b) {
  const Id two31 = Double(2147483648.0).low;
  const Int sign(int32_t(0x80000000u));
  const Int ba = a ^ sign, bb = b ^ sign;
  const Int q = combine128(divideHalf(low128(ba), low128(bb), two31), divideHalf(high128(ba), high128(bb), two31));
  return (q ^ sign) | asInt(b == Int(0));
}
Int modUnsigned(Int a, Int b) { return (a - divUnsigned(a, b) * b) | asInt(b == Int(0)); }

Mask operator==(Int a, Int b) { return Mask::fromId(emitCommuting(InstId::kIdVpcmpeqd, a.id, b.id)); }
Mask operator!=(Int a, Int b) { return ~(a == b); }
Mask operator>(Int a, Int b) { return Mask::fromId(emit2(InstId::kIdVpcmpgtd, a.id, b.id)); }
Mask operator<(Int a, Int b) { return b > a; }
Mask operator<=(Int a, Int b) { return ~(a > b); }
Mask operator>=(Int a, Int b) { return ~(b > a); }
Mask belowEqualUnsigned(Int a, Int b) { return minUnsigned(a, b) == a; }
Mask belowUnsigned(Int a, Int b) { return ~belowEqualUnsigned(b, a); }
Mask nonZero(Int a) { return a != Int(0); }

Int countBits(Int a) {
  const std::array<uint8_t, 16> counts = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  std::array<int32_t, kLanes> words{};
  for (int i = 0; i < kLanes; ++i)
    for (int b = 0; b < 4; ++b)
      words[size_t(i)] |= counts[size_t((i % 4) * 4 + b)] << (8 * b);
  const Int table(words), low(0x0f0f0f0f);
  const Int x = binary(InstId::kIdVpshufb, table, a & low);
  const Int y = binary(InstId::kIdVpshufb, table, shr(a, 4) & low);
  const Int bytes = add8(x, y);
  return mulAddPairs16(mulAddPairsUnsigned8(bytes, Int(0x01010101)), Int(0x00010001));
}

Int leadingZeros(Int a) {
  // With the bit below each one cleared the conversion cannot round up to the next power of two.
  const Int exponent = shr(asInt(toFloat(andNot(a, shr(a, 1)))), 23);
  return andNot(minUnsigned(Int(158) - exponent, Int(32)), sar(a, 31));
}

Int firstBitLow(Int a) {
  const Int lowest = a & -a;
  const Int position = (shr(asInt(toFloat(lowest)), 23) & Int(0xff)) - Int(127);
  return position | asInt(a == Int(0));
}

Int reverseBits(Int a) {
  std::array<int32_t, kLanes> words{};
  for (int i = 0; i < kLanes; ++i)
    for (int b = 0; b < 4; ++b) {
      const int n = (i % 4) * 4 + b;
      const int reversed = ((n & 1) << 3) | ((n & 2) << 1) | ((n & 4) >> 1) | ((n & 8) >> 3);
      words[size_t(i)] |= reversed << (8 * b);
    }
  const Int table(words), low(0x0f0f0f0f);
  const Int bytes = shuffleBytes(a, {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12});
  const Int highPart = shl(binary(InstId::kIdVpshufb, table, bytes & low), 4);
  const Int lowPart = binary(InstId::kIdVpshufb, table, shr(bytes, 4) & low);
  return highPart | lowPart;
}

Int laneIndices() {
  std::array<int32_t, kLanes> lanes;
  for (int i = 0; i < kLanes; ++i)
    lanes[size_t(i)] = i;
  return Int(lanes);
}

Word extract(Int a, int lane) { return extract4(lane < 4 ? low128(a) : high128(a), lane & 3); }

Int insert(Int a, int lane, Word value) {
  return blend(1u << lane, broadcast(value), a);
}

Int broadcast(Word a) {
  if (a.isImmediate())
    return Int(a.immediate);
  const Id r = newYmm();
  emitter().vmovd(xmm(r), gpd(a.id));
  const Id out = newYmm();
  emitter().vpbroadcastd(ymm(out), xmm(r));
  return Int::fromId(out);
}
Float broadcastFloat(Word bits) { return asFloat(broadcast(bits)); }

Int broadcastLane(Int a, int lane) {
  std::array<int, kLanes> order;
  order.fill(lane);
  return permute(a, order);
}

} // namespace monolith::simd
