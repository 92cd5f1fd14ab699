// SPDX-License-Identifier: MIT
// How many instructions typical pieces of shader code take.
#include "support.h"

namespace monolith::compiler::test {
namespace {

TEST(Quality, matrixColumnsThroughFunctions) {
  // A matrix keeps its columns together on the way through parameters, sums and transposition.
  std::string s = code("float4x4 m; float4 f(float4x4 k, float4 v) { return mul(k, v); } float4 main(float4 v : V) : SV_Target { return f(m, v); }");
  EXPECT_EQ(count(s, "\n"), 5u) << s;
  s = code("float3 f(float3x3 t, float3 v) { return mul(v, t); } float4 main(float3 v : V, float3 a : A, float3 b : B, float3 c : C) : SV_Target { return float4(f(transpose(float3x3(a, b, c)), v), 1); }");
  EXPECT_EQ(count(s, "dp3"), 3u) << s;
  s = code("float4x3 bones[8]; float4 main(float4 v : V, nointerpolation uint2 i : I, float2 w : W) : SV_Target { float4x3 m = 0; for (int k = 0; k < 2; k++) m += bones[i[k]] * w[k]; return float4(mul(v, m), 1); }");
  EXPECT_EQ(count(s, "\n"), 12u) << s;
}

TEST(Quality, valuesAreComputedAgainRatherThanCopied) {
  const std::string s = code("Texture2D t; SamplerState p; float4 main(float2 u : U, float k : K) : SV_Target { float4 r = 0; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) r += t.Sample(p, u + float2(x, y) * k); return r; }");
  EXPECT_EQ(count(s, "mov "), 0u) << s;
}

TEST(Quality, rules) {
  EXPECT_EQ(code("float4 main(float3 a : A, float3 b : B) : SV_Target { return saturate(max(dot(a, b), 0)); }"), "dp3_sat o0.xyzw, v0.xyzx, v1.xyzx\nret\n");
  EXPECT_EQ(code("float4 main(float3 a : A) : SV_Target { return dot(a, float3(0, 2, 0)); }"), "mul o0.xyzw, v0.yyyy, l(2.000000, 2.000000, 2.000000, 2.000000)\nret\n");
  std::string s = code("float4 main(float3 a : A) : SV_Target { float z = length(a); return 0.5 * z * z * 3; }");
  EXPECT_EQ(count(s, "sqrt"), 0u) << s;
  s = code("float4 main(float3 a : A) : SV_Target { return float(a.x > 0) * 0.25; }");
  EXPECT_EQ(count(s, "mul"), 0u) << s;
  s = code("float4 main(float3 a : A) : SV_Target { return pow(a.x, -2); }");
  EXPECT_EQ(count(s, "exp") + count(s, "log"), 0u) << s;
}

TEST(Quality, strictArithmeticStaysAsWritten) {
  const char* text = "float4 main(float4 a : A) : SV_Target { return a * 3 * 5 / 7 + a * 0; }";
  const std::string fast = code(text), strict = code(text, "ps_5_0", "main", kIeeeStrictness);
  EXPECT_EQ(count(fast, "mul") + count(fast, "div"), 1u) << fast;
  EXPECT_EQ(count(strict, "mul") + count(strict, "mad"), 3u) << strict;
  EXPECT_EQ(count(strict, "div"), 1u) << strict;
  EXPECT_EQ(count(strict, "precise"), 0u) << "the global flag says it: " << strict;
}

} // namespace
} // namespace monolith::compiler::test
