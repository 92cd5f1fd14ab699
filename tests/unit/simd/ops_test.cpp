// SPDX-License-Identifier: MIT
#include "simd_test_util.h"
#include <cmath>

namespace monolith::simd::unit {
namespace {

float f(uint32_t w) { return std::bit_cast<float>(w); }
uint32_t w(float v) { return std::bit_cast<uint32_t>(v); }
uint32_t m(bool b) { return b ? ~0u : 0u; }
/// Operands and results of float operations: denormals count as zero.
uint32_t flush(uint32_t v) { return (v & 0x7f800000) == 0 ? v & 0x80000000 : v; }
float ff(uint32_t v) { return f(flush(v)); }
uint32_t wf(float v) { return flush(w(v)); }

struct Case {
  const char* name;
  std::function<Int(Int, Int, Int)> recorded;
  std::function<uint32_t(uint32_t, uint32_t, uint32_t)> scalar;
};

void check(const std::vector<Case>& cases) {
  Words a, b, c;
  operandTable(a, b, c);
  for (const Case& k : cases) {
    const Words got = runLanes(k.recorded, a, b, c);
    int shown = 0;
    for (size_t i = 0; i < a.size() && shown < 3; ++i) {
      const uint32_t want = k.scalar(a[i], b[i], c[i]);
      if (got[i] == want || bothNan(got[i], want))
        continue;
      ++shown;
      ADD_FAILURE() << k.name << std::hex << "(" << a[i] << ", " << b[i] << ", " << c[i] << ") = " << got[i]
                    << ", expected " << want;
    }
  }
}

Float F(Int a) { return asFloat(a); }
Int I(Float a) { return asInt(a); }
Int I(Mask a) { return asInt(a); }

TEST(SimdOps, Float) {
  check({
      {"add", [](Int a, Int b, Int) { return I(F(a) + F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(ff(a) + ff(b)); }},
      {"sub", [](Int a, Int b, Int) { return I(F(a) - F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(ff(a) - ff(b)); }},
      {"mul", [](Int a, Int b, Int) { return I(F(a) * F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(ff(a) * ff(b)); }},
      {"div", [](Int a, Int b, Int) { return I(F(a) / F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(ff(a) / ff(b)); }},
      {"const div", [](Int a, Int, Int) { return I(Float(1.0f) / F(a)); }, [](uint32_t a, uint32_t, uint32_t) { return wf(1.0f / ff(a)); }},
      {"sqrt", [](Int a, Int, Int) { return I(sqrt(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return wf(std::sqrt(ff(a))); }},
      {"fma", [](Int a, Int b, Int c) { return I(fma(F(a), F(b), F(c))); }, [](uint32_t a, uint32_t b, uint32_t c) { return wf(std::fma(ff(a), ff(b), ff(c))); }},
      {"fma const a", [](Int, Int b, Int c) { return I(fma(Float(3.0f), F(b), F(c))); }, [](uint32_t, uint32_t b, uint32_t c) { return wf(std::fma(3.0f, ff(b), ff(c))); }},
      {"fma const b", [](Int a, Int, Int c) { return I(fma(F(a), Float(3.0f), F(c))); }, [](uint32_t a, uint32_t, uint32_t c) { return wf(std::fma(ff(a), 3.0f, ff(c))); }},
      {"fma const c", [](Int a, Int b, Int) { return I(fma(F(a), F(b), Float(3.0f))); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(std::fma(ff(a), ff(b), 3.0f)); }},
      {"fma consts", [](Int, Int, Int c) { return I(fma(Float(2.0f), Float(3.0f), F(c))); }, [](uint32_t, uint32_t, uint32_t c) { return wf(std::fma(2.0f, 3.0f, ff(c))); }},
      {"fnma", [](Int a, Int b, Int c) { return I(fnma(F(a), F(b), F(c))); }, [](uint32_t a, uint32_t b, uint32_t c) { return wf(std::fma(-ff(a), ff(b), ff(c))); }},
      {"fms", [](Int a, Int b, Int c) { return I(fms(F(a), F(b), F(c))); }, [](uint32_t a, uint32_t b, uint32_t c) { return wf(std::fma(ff(a), ff(b), -ff(c))); }},
      {"min second", [](Int a, Int b, Int) { return I(minSecond(F(a), F(b))); }, [](uint32_t a, uint32_t b, uint32_t) { return ff(a) < ff(b) ? flush(a) : flush(b); }},
      {"max second", [](Int a, Int b, Int) { return I(maxSecond(F(a), F(b))); }, [](uint32_t a, uint32_t b, uint32_t) { return ff(a) > ff(b) ? flush(a) : flush(b); }},
      {"min number", [](Int a, Int b, Int) { return I(minNumber(F(a), F(b))); },
       [](uint32_t a, uint32_t b, uint32_t) { return std::isnan(f(b)) ? a : ff(a) < ff(b) ? flush(a) : flush(b); }},
      {"max number", [](Int a, Int b, Int) { return I(maxNumber(F(a), F(b))); },
       [](uint32_t a, uint32_t b, uint32_t) { return std::isnan(f(b)) ? a : ff(a) > ff(b) ? flush(a) : flush(b); }},
      {"saturate", [](Int a, Int, Int) { return I(saturate(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return ff(a) > 0 ? wf(ff(a) < 1 ? ff(a) : 1.0f) : 0u; }},
      {"neg", [](Int a, Int, Int) { return I(-F(a)); }, [](uint32_t a, uint32_t, uint32_t) { return a ^ 0x80000000; }},
      {"abs", [](Int a, Int, Int) { return I(abs(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return a & 0x7fffffff; }},
      {"floor", [](Int a, Int, Int) { return I(floor(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return w(std::floor(ff(a))); }},
      {"ceil", [](Int a, Int, Int) { return I(ceil(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return w(std::ceil(ff(a))); }},
      {"trunc", [](Int a, Int, Int) { return I(trunc(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return w(std::trunc(ff(a))); }},
      {"roundEven", [](Int a, Int, Int) { return I(roundEven(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return w(std::nearbyint(ff(a))); }},
  });
}

TEST(SimdOps, FloatCompare) {
  check({
      {"eq", [](Int a, Int b, Int) { return I(F(a) == F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) == ff(b)); }},
      {"ne", [](Int a, Int b, Int) { return I(F(a) != F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) != ff(b)); }},
      {"lt", [](Int a, Int b, Int) { return I(F(a) < F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) < ff(b)); }},
      {"le", [](Int a, Int b, Int) { return I(F(a) <= F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) <= ff(b)); }},
      {"gt", [](Int a, Int b, Int) { return I(F(a) > F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) > ff(b)); }},
      {"ge", [](Int a, Int b, Int) { return I(F(a) >= F(b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(ff(a) >= ff(b)); }},
      {"isNan", [](Int a, Int, Int) { return I(isNan(F(a))); }, [](uint32_t a, uint32_t, uint32_t) { return m(std::isnan(f(a))); }},
      {"ordered", [](Int a, Int b, Int) { return I(ordered(F(a), F(b))); }, [](uint32_t a, uint32_t b, uint32_t) { return m(!std::isnan(f(a)) && !std::isnan(f(b))); }},
      {"select", [](Int a, Int b, Int c) { return select(F(a) < F(b), a, c); }, [](uint32_t a, uint32_t b, uint32_t c) { return ff(a) < ff(b) ? a : c; }},
      {"andNot", [](Int a, Int b, Int c) { return I(andNot(F(a) < F(b), F(b) < F(c))); },
       [](uint32_t a, uint32_t b, uint32_t c) { return m(ff(a) < ff(b) && !(ff(b) < ff(c))); }},
      {"not", [](Int a, Int b, Int) { return I(~(F(a) < F(b))); }, [](uint32_t a, uint32_t b, uint32_t) { return m(!(ff(a) < ff(b))); }},
  });
}

TEST(SimdOps, Convert) {
  const auto toInt = [](uint32_t a, uint32_t, uint32_t) -> uint32_t {
    const float v = f(a);
    return std::isnan(v) ? 0 : v >= 2147483648.0f ? 0x7fffffff : v <= -2147483648.0f ? 0x80000000 : uint32_t(int32_t(v));
  };
  const auto toUint = [](uint32_t a, uint32_t, uint32_t) -> uint32_t {
    const float v = f(a);
    return !(v > 0) ? 0 : v >= 4294967296.0f ? ~0u : uint32_t(v);
  };
  check({
      {"toIntSaturate", [](Int a, Int, Int) { return toIntSaturate(F(a)); }, toInt},
      {"toUintSaturate", [](Int a, Int, Int) { return toUintSaturate(F(a)); }, toUint},
      {"toIntRound", [](Int a, Int, Int) { return toIntRound(F(a)); },
       [](uint32_t a, uint32_t, uint32_t) {
         const double v = std::nearbyint(double(ff(a)));
         return v >= -2147483648.0 && v < 2147483648.0 ? uint32_t(int32_t(v)) : 0x80000000u;
       }},
      {"toFloat", [](Int a, Int, Int) { return I(toFloat(a)); }, [](uint32_t a, uint32_t, uint32_t) { return w(float(int32_t(a))); }},
      {"toFloatUnsigned", [](Int a, Int, Int) { return I(toFloatUnsigned(a)); }, [](uint32_t a, uint32_t, uint32_t) { return w(float(a)); }},
      {"half", [](Int a, Int, Int) { return I(halfToFloat(a)); },
       [](uint32_t a, uint32_t, uint32_t) {
         const uint32_t s = (a & 0x8000) << 16, e = (a >> 10) & 31, x = a & 0x3ff;
         if (e == 31)
           return s | 0x7f800000 | (x ? 0x400000 | x << 13 : 0);
         return s | w(std::ldexp(float(e ? x + 1024 : x), int(e ? e : 1) - 25));
       }},
      {"half round trip", [](Int a, Int, Int) { return floatToHalf(halfToFloat(a)); },
       [](uint32_t a, uint32_t, uint32_t) { return (a & 0x7c00) == 0x7c00 && (a & 0x3ff) ? (a & 0xffff) | 0x200 : a & 0xffff; }},
      {"half of 65520", [](Int, Int, Int) { return floatToHalf(Float(65520.0f)); }, [](uint32_t, uint32_t, uint32_t) { return 0x7c00u; }},
  });
}

TEST(SimdOps, Int) {
  check({
      {"add", [](Int a, Int b, Int) { return a + b; }, [](uint32_t a, uint32_t b, uint32_t) { return a + b; }},
      {"sub", [](Int a, Int b, Int) { return a - b; }, [](uint32_t a, uint32_t b, uint32_t) { return a - b; }},
      {"const sub", [](Int a, Int, Int) { return Int(7) - a; }, [](uint32_t a, uint32_t, uint32_t) { return 7 - a; }},
      {"mul", [](Int a, Int b, Int) { return a * b; }, [](uint32_t a, uint32_t b, uint32_t) { return a * b; }},
      {"mulHighSigned", [](Int a, Int b, Int) { return mulHighSigned(a, b); },
       [](uint32_t a, uint32_t b, uint32_t) { return uint32_t(uint64_t(int64_t(int32_t(a)) * int32_t(b)) >> 32); }},
      {"mulHighUnsigned", [](Int a, Int b, Int) { return mulHighUnsigned(a, b); },
       [](uint32_t a, uint32_t b, uint32_t) { return uint32_t(uint64_t(a) * b >> 32); }},
      {"divUnsigned", [](Int a, Int b, Int) { return divUnsigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return b ? a / b : ~0u; }},
      {"modUnsigned", [](Int a, Int b, Int) { return modUnsigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return b ? a % b : ~0u; }},
      {"and", [](Int a, Int b, Int) { return a & b; }, [](uint32_t a, uint32_t b, uint32_t) { return a & b; }},
      {"or", [](Int a, Int b, Int) { return a | b; }, [](uint32_t a, uint32_t b, uint32_t) { return a | b; }},
      {"xor", [](Int a, Int b, Int) { return a ^ b; }, [](uint32_t a, uint32_t b, uint32_t) { return a ^ b; }},
      {"not", [](Int a, Int, Int) { return ~a; }, [](uint32_t a, uint32_t, uint32_t) { return ~a; }},
      {"andNot", [](Int a, Int b, Int) { return andNot(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return a & ~b; }},
      {"shl 5", [](Int a, Int, Int) { return shl(a, 5); }, [](uint32_t a, uint32_t, uint32_t) { return a << 5; }},
      {"shr 5", [](Int a, Int, Int) { return shr(a, 5); }, [](uint32_t a, uint32_t, uint32_t) { return a >> 5; }},
      {"sar 40", [](Int a, Int, Int) { return sar(a, 40); }, [](uint32_t a, uint32_t, uint32_t) { return uint32_t(int32_t(a) >> 31); }},
      {"shl v", [](Int a, Int b, Int) { return shl(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return b > 31 ? 0 : a << b; }},
      {"shr v", [](Int a, Int b, Int) { return shr(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return b > 31 ? 0 : a >> b; }},
      {"sar v", [](Int a, Int b, Int) { return sar(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return uint32_t(int32_t(a) >> (b > 31 ? 31 : b)); }},
      {"min s", [](Int a, Int b, Int) { return minSigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return uint32_t(std::min(int32_t(a), int32_t(b))); }},
      {"max s", [](Int a, Int b, Int) { return maxSigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return uint32_t(std::max(int32_t(a), int32_t(b))); }},
      {"min u", [](Int a, Int b, Int) { return minUnsigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return std::min(a, b); }},
      {"max u", [](Int a, Int b, Int) { return maxUnsigned(a, b); }, [](uint32_t a, uint32_t b, uint32_t) { return std::max(a, b); }},
      {"abs", [](Int a, Int, Int) { return abs(a); }, [](uint32_t a, uint32_t, uint32_t) { return a >> 31 ? 0 - a : a; }},
      {"eq", [](Int a, Int b, Int) { return I(a == b); }, [](uint32_t a, uint32_t b, uint32_t) { return m(a == b); }},
      {"ne", [](Int a, Int b, Int) { return I(a != b); }, [](uint32_t a, uint32_t b, uint32_t) { return m(a != b); }},
      {"lt", [](Int a, Int b, Int) { return I(a < b); }, [](uint32_t a, uint32_t b, uint32_t) { return m(int32_t(a) < int32_t(b)); }},
      {"ge", [](Int a, Int b, Int) { return I(a >= b); }, [](uint32_t a, uint32_t b, uint32_t) { return m(int32_t(a) >= int32_t(b)); }},
      {"le", [](Int a, Int b, Int) { return I(a <= b); }, [](uint32_t a, uint32_t b, uint32_t) { return m(int32_t(a) <= int32_t(b)); }},
      {"below", [](Int a, Int b, Int) { return I(belowUnsigned(a, b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(a < b); }},
      {"belowEqual", [](Int a, Int b, Int) { return I(belowEqualUnsigned(a, b)); }, [](uint32_t a, uint32_t b, uint32_t) { return m(a <= b); }},
      {"countBits", [](Int a, Int, Int) { return countBits(a); }, [](uint32_t a, uint32_t, uint32_t) { return uint32_t(std::popcount(a)); }},
      {"leadingZeros", [](Int a, Int, Int) { return leadingZeros(a); }, [](uint32_t a, uint32_t, uint32_t) { return uint32_t(std::countl_zero(a)); }},
      {"firstBitLow", [](Int a, Int, Int) { return firstBitLow(a); }, [](uint32_t a, uint32_t, uint32_t) { return a ? uint32_t(std::countr_zero(a)) : ~0u; }},
      {"reverseBits", [](Int a, Int, Int) { return reverseBits(a); },
       [](uint32_t a, uint32_t, uint32_t) {
         uint32_t r = 0;
         for (int i = 0; i < 32; ++i)
           r |= ((a >> i) & 1) << (31 - i);
         return r;
       }},
  });
}

/// Combines two words of a double case: low word a, high word b; the second operand is (c, a).
double d(uint32_t low, uint32_t high) { return std::bit_cast<double>(uint64_t(high) << 32 | low); }
uint32_t hi(double v) { return uint32_t(std::bit_cast<uint64_t>(v) >> 32); }
uint32_t lo(double v) { return uint32_t(std::bit_cast<uint64_t>(v)); }

TEST(SimdOps, Double) {
  const auto two = [](auto op) {
    return [op](Int a, Int b, Int c) {
      setFlushDenormals(false);
      const Double r = op(makeDouble(a, b), makeDouble(c, a));
      setFlushDenormals(true);
      return highWords(r) ^ lowWords(r);
    };
  };
  const auto fold = [](double v) { return std::isnan(v) ? 0x7fffffffu : hi(v) ^ lo(v); };
  const auto nanSafe = [&](auto op, auto scalar) {
    return std::pair([op](Int a, Int b, Int c) {
      setFlushDenormals(false);
      const Double r = op(makeDouble(a, b), makeDouble(c, a));
      const Mask nan = isNan(r);
      setFlushDenormals(true);
      return select(nan, Int(0x7fffffff), highWords(r) ^ lowWords(r));
    }, [scalar, fold](uint32_t a, uint32_t b, uint32_t c) { return fold(scalar(d(a, b), d(c, a))); });
  };
  (void)two;
  const auto add = nanSafe([](Double a, Double b) { return a + b; }, [](double a, double b) { return a + b; });
  const auto mul = nanSafe([](Double a, Double b) { return a * b; }, [](double a, double b) { return a * b; });
  const auto div = nanSafe([](Double a, Double b) { return a / b; }, [](double a, double b) { return a / b; });
  const auto fmaCase = nanSafe([](Double a, Double b) { return fma(a, b, a); }, [](double a, double b) { return std::fma(a, b, a); });
  const auto minCase = nanSafe([](Double a, Double b) { return minNumber(a, b); }, [](double a, double b) { return std::isnan(b) ? a : a < b ? a : b; });
  const auto negCase = nanSafe([](Double a, Double) { return -a; }, [](double a, double) { return -a; });
  check({
      {"dadd", add.first, add.second},
      {"dmul", mul.first, mul.second},
      {"ddiv", div.first, div.second},
      {"dfma", fmaCase.first, fmaCase.second},
      {"dmin", minCase.first, minCase.second},
      {"dneg", negCase.first, negCase.second},
      {"low", [](Int a, Int b, Int) { return lowWords(makeDouble(a, b)); }, [](uint32_t a, uint32_t, uint32_t) { return a; }},
      {"high", [](Int a, Int b, Int) { return highWords(makeDouble(a, b)); }, [](uint32_t, uint32_t b, uint32_t) { return b; }},
      {"dlt", [](Int a, Int b, Int c) { return I(makeDouble(a, b) < makeDouble(a, c)); }, [](uint32_t a, uint32_t b, uint32_t c) {
         const auto z = [](double v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0, v) : v; };
         return m(z(d(a, b)) < z(d(a, c)));
       }},
      {"select", [](Int a, Int b, Int c) { return lowWords(select(a < b, makeDouble(c, a), makeDouble(b, c))); },
       [](uint32_t a, uint32_t b, uint32_t c) { return int32_t(a) < int32_t(b) ? c : b; }},
      {"from float", [](Int a, Int, Int) { return highWords(toDouble(F(a))); },
       [](uint32_t a, uint32_t, uint32_t) { return std::isnan(f(a)) ? hi(f(a)) | 0x80000 : hi(ff(a)); }},
      {"to float", [](Int a, Int b, Int) { return I(toFloat(makeDouble(a, b))); }, [](uint32_t a, uint32_t b, uint32_t) { return wf(float(d(a, b))); }},
      {"from int", [](Int a, Int, Int) { return highWords(toDouble(a)); }, [](uint32_t a, uint32_t, uint32_t) { return hi(int32_t(a)); }},
      {"from uint", [](Int a, Int, Int) { return lowWords(toDoubleUnsigned(a)); }, [](uint32_t a, uint32_t, uint32_t) { return lo(a); }},
      {"int of uint", [](Int a, Int, Int) { return toUintSaturate(toDoubleUnsigned(a)); }, [](uint32_t a, uint32_t, uint32_t) { return a; }},
      {"to int", [](Int a, Int, Int) { return toIntSaturate(toDouble(F(a))); },
       [](uint32_t a, uint32_t, uint32_t) -> uint32_t {
         const float v = f(a);
         return std::isnan(v) ? 0 : v >= 2147483648.0f ? 0x7fffffff : v <= -2147483648.0f ? 0x80000000 : uint32_t(int32_t(v));
       }},
      {"to uint", [](Int a, Int, Int) { return toUintSaturate(toDouble(F(a))); },
       [](uint32_t a, uint32_t, uint32_t) -> uint32_t {
         const float v = f(a);
         return !(v > 0) ? 0 : v >= 4294967296.0f ? ~0u : uint32_t(v);
       }},
  });
}

} // namespace
} // namespace monolith::simd::unit
