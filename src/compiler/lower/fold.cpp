// SPDX-License-Identifier: MIT
// Operations on constants. Denormals count as zero, as in the machine.
#include "compiler/lower/builder.h"

#include <bit>
#include <cmath>

namespace monolith::compiler {

namespace {

float flush(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}
float asF(uint32_t v) {
  return flush(std::bit_cast<float>(v));
}
uint32_t asU(float v) {
  return std::bit_cast<uint32_t>(flush(v));
}
uint32_t mask(bool b) {
  return b ? ~0u : 0u;
}
float minF(float a, float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a < b ? a : b;
}
float maxF(float a, float b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a >= b ? a : b;
}
uint32_t ftoi(float v) {
  if (std::isnan(v))
    return 0;
  if (v >= 2147483648.0f)
    return 0x7fffffffu;
  if (v <= -2147483648.0f)
    return 0x80000000u;
  return uint32_t(int32_t(v));
}
uint32_t ftou(float v) {
  if (std::isnan(v) || v <= 0)
    return 0;
  if (v >= 4294967296.0f)
    return 0xffffffffu;
  return uint32_t(v);
}
float divide(float a, float b) {
  if (b == 0) {
    if (a == 0 || std::isnan(a))
      return NAN;
    return std::signbit(a) != std::signbit(b) ? -INFINITY : INFINITY;
  }
  return a / b;
}

bool foldFloat(Op op, std::span<const uint32_t> in, uint32_t& out) {
  const float a = in.size() > 0 ? asF(in[0]) : 0, b = in.size() > 1 ? asF(in[1]) : 0, c = in.size() > 2 ? asF(in[2]) : 0;
  switch (op) {
  case Op::Neg:
    out = in[0] ^ 0x80000000u;
    return true;
  case Op::Abs:
    out = in[0] & 0x7fffffffu;
    return true;
  case Op::Sat:
    out = asU(minF(maxF(a, 0.0f), 1.0f));
    return true;
  case Op::Mov:
    out = in[0];
    return true;
  case Op::Add:
    out = asU(a + b);
    return true;
  case Op::Mul:
    out = asU(a * b);
    return true;
  case Op::Mad:
    out = asU(flush(a * b) + c);
    return true;
  case Op::Div:
    out = asU(divide(a, b));
    return true;
  case Op::Min:
    out = asU(minF(a, b));
    return true;
  case Op::Max:
    out = asU(maxF(a, b));
    return true;
  case Op::Frc:
    out = asU(a - std::floor(a));
    return true;
  case Op::RoundNe:
    out = asU(std::nearbyint(a));
    return true;
  case Op::RoundNi:
    out = asU(std::floor(a));
    return true;
  case Op::RoundPi:
    out = asU(std::ceil(a));
    return true;
  case Op::RoundZ:
    out = asU(std::trunc(a));
    return true;
  case Op::Sqrt:
    out = asU(std::sqrt(a));
    return true;
  case Op::Rsq:
    out = asU(float(1.0 / std::sqrt(double(a))));
    return a > 0;
  case Op::Rcp:
    out = asU(divide(1.0f, a));
    return true;
  case Op::Exp:
    out = asU(float(std::exp2(double(a))));
    return true;
  case Op::Log:
    out = asU(float(std::log2(double(a))));
    return a > 0;
  case Op::Sin:
    out = asU(float(std::sin(double(a))));
    return true;
  case Op::Cos:
    out = asU(float(std::cos(double(a))));
    return true;
  case Op::FEq:
    out = mask(a == b);
    return true;
  case Op::FNe:
    out = mask(a != b);
    return true;
  case Op::FLt:
    out = mask(a < b);
    return true;
  case Op::FGe:
    out = mask(a >= b);
    return true;
  case Op::FtoI:
    out = ftoi(a);
    return true;
  case Op::FtoU:
    out = ftou(a);
    return true;
  case Op::ItoF:
    out = asU(float(int32_t(in[0])));
    return true;
  case Op::UtoF:
    out = asU(float(in[0]));
    return true;
  default:
    return false;
  }
}

bool foldDot(std::span<const uint32_t> in, uint32_t& out) {
  size_t n = in.size() / 2;
  float sum = flush(asF(in[0]) * asF(in[n]));
  for (size_t i = 1; i < n; i++)
    sum = flush(sum + flush(asF(in[i]) * asF(in[n + i])));
  out = asU(sum);
  return true;
}

} // namespace

bool foldDouble(Op op, std::span<const uint64_t> in, uint64_t& out) {
  auto d = [&](size_t i) { return std::bit_cast<double>(in[i]); };
  auto set = [&](double v) {
    out = std::bit_cast<uint64_t>(v);
    return true;
  };
  switch (op) {
  case Op::DPair:
    out = in[1] << 32 | (in[0] & 0xffffffffu);
    return true;
  case Op::DLow:
    out = in[0] & 0xffffffffu;
    return true;
  case Op::DHigh:
    out = in[0] >> 32;
    return true;
  case Op::DNeg:
    out = in[0] ^ 0x8000000000000000ull;
    return true;
  case Op::DAbs:
    out = in[0] & 0x7fffffffffffffffull;
    return true;
  case Op::DAdd:
    return set(d(0) + d(1));
  case Op::DMul:
    return set(d(0) * d(1));
  case Op::DDiv:
    return d(1) != 0 && set(d(0) / d(1));
  case Op::DMin:
    return set(std::isnan(d(0)) ? d(1) : std::isnan(d(1)) ? d(0) : d(0) < d(1) ? d(0) : d(1));
  case Op::DMax:
    return set(std::isnan(d(0)) ? d(1) : std::isnan(d(1)) ? d(0) : d(0) >= d(1) ? d(0) : d(1));
  case Op::FtoD:
    return set(double(asF(uint32_t(in[0]))));
  case Op::ItoD:
    return set(double(int32_t(uint32_t(in[0]))));
  case Op::UtoD:
    return set(double(uint32_t(in[0])));
  case Op::DtoF:
    out = asU(float(d(0)));
    return !std::isnan(d(0));
  case Op::DEq:
    out = mask(d(0) == d(1));
    return true;
  case Op::DNe:
    out = mask(d(0) != d(1));
    return true;
  case Op::DLt:
    out = mask(d(0) < d(1));
    return true;
  case Op::DGe:
    out = mask(d(0) >= d(1));
    return true;
  default:
    return false;
  }
}

bool foldOp(Op op, std::span<const uint32_t> in, uint32_t& out) {
  if (hasTrait(op, kDot))
    return foldDot(in, out);
  if (foldFloat(op, in, out))
    return true;
  const uint32_t a = in.size() > 0 ? in[0] : 0, b = in.size() > 1 ? in[1] : 0, c = in.size() > 2 ? in[2] : 0;
  const int32_t ia = int32_t(a), ib = int32_t(b);
  switch (op) {
  case Op::IAdd:
    out = a + b;
    return true;
  case Op::IMul:
    out = a * b;
    return true;
  case Op::IMad:
    out = a * b + c;
    return true;
  case Op::IMin:
    out = uint32_t(ia < ib ? ia : ib);
    return true;
  case Op::IMax:
    out = uint32_t(ia > ib ? ia : ib);
    return true;
  case Op::UMin:
    out = a < b ? a : b;
    return true;
  case Op::UMax:
    out = a > b ? a : b;
    return true;
  case Op::INeg:
    out = 0u - a;
    return true;
  case Op::IEq:
    out = mask(a == b);
    return true;
  case Op::INe:
    out = mask(a != b);
    return true;
  case Op::ILt:
    out = mask(ia < ib);
    return true;
  case Op::IGe:
    out = mask(ia >= ib);
    return true;
  case Op::ULt:
    out = mask(a < b);
    return true;
  case Op::UGe:
    out = mask(a >= b);
    return true;
  case Op::UDiv:
    out = b ? a / b : ~0u;
    return true;
  case Op::UMod:
    out = b ? a % b : ~0u;
    return true;
  case Op::Shl:
    out = a << (b & 31);
    return true;
  case Op::IShr:
    out = uint32_t(ia >> (b & 31));
    return true;
  case Op::UShr:
    out = a >> (b & 31);
    return true;
  case Op::And:
    out = a & b;
    return true;
  case Op::Or:
    out = a | b;
    return true;
  case Op::Xor:
    out = a ^ b;
    return true;
  case Op::Not:
    out = ~a;
    return true;
  case Op::CountBits:
    out = uint32_t(std::popcount(a));
    return true;
  case Op::FirstBitLo:
    out = a ? uint32_t(std::countr_zero(a)) : ~0u;
    return true;
  case Op::FirstBitHi:
    out = a ? uint32_t(std::countl_zero(a)) : ~0u;
    return true;
  case Op::BfRev: {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
      r |= ((a >> i) & 1u) << (31 - i);
    out = r;
    return true;
  }
  case Op::Movc:
    out = a ? b : c;
    return true;
  default:
    return false;
  }
}

} // namespace monolith::compiler
