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

TEST(Quality, bitFields) {
  const auto one = [](const char* expression) { return code(std::string("uint4 main(uint4 v : V) : SV_Target { int4 s = int4(v); return ") + expression + "; }"); };
  EXPECT_EQ(one("uint4((v.x & 0xf0) >> 4, (v.x & 0x7fffff00) >> 8, (v.x & 0xfe) >> 1, (v.x & 0x7fffffff) >> 1)"), "ubfe o0.xyzw, l(4, 23, 7, 30), l(4, 8, 1, 1), v0.xxxx\nret\n");
  EXPECT_EQ(one("(v.x >> 8) & 0xff"), "ubfe o0.xyzw, l(8, 8, 8, 8), l(8, 8, 8, 8), v0.xxxx\nret\n");
  EXPECT_EQ(one("(v.x >> 24) & 0xff"), "ushr o0.xyzw, v0.xxxx, l(24, 24, 24, 24)\nret\n");
  EXPECT_EQ(one("asuint((s.y << 8) >> 20)"), "ibfe o0.xyzw, l(12, 12, 12, 12), l(12, 12, 12, 12), v0.yyyy\nret\n");
  EXPECT_EQ(one("(v.x << 1) & 2"), "bfi o0.xyzw, l(1, 1, 1, 1), l(1, 1, 1, 1), v0.xxxx, l(0, 0, 0, 0)\nret\n");
  EXPECT_EQ(count(one("(v.x & 0xff) | (v.y & 0xff) << 8 | (v.z & 0xff) << 16 | v.w << 24"), "bfi"), 3u);
  EXPECT_EQ(count(one("((v.x << v.y) & (((1u << v.z) - 1) << v.y)) | (v.w & ~(((1u << v.z) - 1) << v.y))"), "\n"), 2u);
  // Not below shader model 5, and a vector changes as a whole or not at all.
  EXPECT_EQ(count(code("uint4 main(nointerpolation uint4 v : V) : SV_Target { return (v.x >> 8) & 0xff; }", "ps_4_0"), "\n"), 3u);
  EXPECT_EQ(count(one("(v >> uint4(8, 8, 0, 4)) & uint4(1, 3, 5, 7)"), "bfe"), 0u);
}

TEST(Quality, discardsTestValues) {
  EXPECT_EQ(code("uint d; float4 main() : SV_Target { if (d) discard; return 1; }"), "discard_nz cb0[0].x\nmov o0.xyzw, l(1.000000,1.000000,1.000000,1.000000)\nret\n");
  EXPECT_EQ(code("uint d; float4 main() : SV_Target { if (!d) discard; return 1; }"), "discard_z cb0[0].x\nmov o0.xyzw, l(1.000000,1.000000,1.000000,1.000000)\nret\n");
  EXPECT_EQ(count(code("uint d, e; float4 main() : SV_Target { if (d > 3) { if (!e) discard; } return 1; }"), "if"), 0u);
}

TEST(Quality, choicesBetweenConstantVectors) {
  EXPECT_EQ(code("float4 main(nointerpolation uint v : V) : SV_Target { return v == 3 ? float4(0, 1, 0, 1) : float4(0, 0, 1, 1); }"),
            "ieq r0.x, v0.x, l(3)\nmovc o0.xyzw, r0.xxxx, l(0,1.000000,0,1.000000), l(0,0,1.000000,1.000000)\nret\n");
  EXPECT_EQ(code("float4 main(nointerpolation uint v : V) : SV_Target { return v == 3 ? float4(0, 1, 0, 1) : 0; }"),
            "ieq r0.x, v0.x, l(3)\nmovc o0.xyzw, r0.xxxx, l(0,1.000000,0,1.000000), l(0,0,0,0)\nret\n");
  EXPECT_EQ(code("float4 main(nointerpolation uint v : V) : SV_Target { return v == 3 ? float4(2, 1, 1, 1) : 0; }"),
            "ieq r0.x, v0.x, l(3)\nand o0.xyzw, r0.xxxx, l(0x40000000, 0x3f800000, 0x3f800000, 0x3f800000)\nret\n");
}

TEST(Quality, sizesAsFloats) {
  EXPECT_EQ(code("float4 main() : SV_Target { return GetRenderTargetSampleCount(); }"), "sampleinfo o0.xyzw, rasterizer.x\nret\n");
  EXPECT_EQ(count(code("Texture2D t; float2 main() : SV_Target { uint w, h; t.GetDimensions(w, h); return float2(w, h); }"), "utof"), 0u);
  EXPECT_EQ(count(code("Texture2D t; float2 main() : SV_Target { uint w, h; t.GetDimensions(w, h); return float2(w, h >> 1); }"), "_uint"), 1u);
}

TEST(Quality, partsOfAnAddressLieTogether) {
  EXPECT_EQ(code("Texture3D t; SamplerState s; float4 main(float4 v : V) : SV_Target { float3 p; p.x = v.x / 640; p.y = v.y / 480; p.z = 0.5; return t.Sample(s, p); }", "ps_4_0"),
            "mul r0.xy, v0.xyxx, l(0.001563, 0.002083, 0.000000, 0.000000)\nmov r0.z, l(0.500000)\nsample o0.xyzw, r0.xyzx, t0.xyzw, s0\nret\n");
  EXPECT_EQ(count(code("float2 main(nointerpolation uint v : V) : SV_Target { return float2((v << 1) & 2, v & 2); }"), "utof"), 1u);
}

TEST(Quality, resultsTakeOverTheComponentsOfTheirSources) {
  EXPECT_EQ(code("Texture2D t; SamplerState s; float4 main(float2 u : U) : SV_Target { float4 c = t.Sample(s, u); c.rgb *= c.a; return round(c * 255); }", "ps_4_0"),
            "sample r0.xyzw, v0.xyxx, t0.xyzw, s0\nmul r0.xyz, r0.xyzx, r0.wwww\nmul r0.xyzw, r0.xyzw, l(255.000000, 255.000000, 255.000000, 255.000000)\nround_ne o0.xyzw, r0.xyzw\nret\n");
  EXPECT_EQ(count(code("Texture2D t; SamplerState s; float4 main(float2 u : U) : SV_Target { return round(t.Sample(s, u) * float4(31, 31, 31, 1)) / float4(31, 31, 31, 1); }", "ps_4_0"), "\n"), 5u);
}

TEST(Quality, deadValuesLeaveTheirComponents) {
  // The quotient's source is read twice before the choice takes its component.
  EXPECT_EQ(count(code("Texture2D t; SamplerState s; float4 main(float2 u : U) : SV_Target { float4 c = t.Sample(s, u); if (c.a > 0) c.rgb /= c.a; return round(c * float4(31, 31, 31, 2)); }", "ps_4_0"), "\n"), 7u);
}

TEST(Quality, operationsWaitForTheirPartners) {
  // Each sum is followed by its product; the products share an instruction.
  const std::string s = code("Texture2D t; SamplerState s; float4 main(float4 v : V) : SV_Target { float2 p; p.x = (v.x + 1) * 0.5; p.y = (1 - v.y) * 0.5; return t.Sample(s, p); }", "ps_4_0");
  EXPECT_EQ(count(s, "mov "), 0u) << s;
  EXPECT_LE(count(s, "\n"), 5u) << s;
}

TEST(Quality, integerDifferencesOfProducts) {
  EXPECT_EQ(code("int4 main(nointerpolation int4 a : A) : SV_Target { return a.w - a * a.z; }", "ps_4_0"), "imad o0.xyzw, -v0.xyzz, v0.zzzw, v0.wwww\nret\n");
  EXPECT_EQ(code("int4 main(nointerpolation int4 a : A) : SV_Target { return a * a.z - a.w; }", "ps_4_0"), "imad o0.xyzw, v0.xyzz, v0.zzzw, -v0.wwww\nret\n");
}

TEST(Quality, neighbouringWordsAreOneAccess) {
  const auto raw = [](const char* body, uint32_t flags = 0) { return code(std::string("RWByteAddressBuffer u, w; [numthreads(1, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { uint r; ") + body + " }", "cs_5_0", "main", flags); };
  EXPECT_EQ(raw("u.Store(4, i.y); u.Store(0, i.x); u.Store(8, i.z);"), "store_raw u0.xyz, l(0), vThreadID.xyzx\nret\n");
  // Another buffer does not matter unless it may be the same.
  const char* two = "w.InterlockedAdd(0, 1, r); u.Store(0, r); w.InterlockedAdd(4, 1, r); u.Store(4, r);";
  EXPECT_EQ(raw(two), "imm_atomic_iadd r0.x, u1, l(0), l(1)\nimm_atomic_iadd r0.y, u1, l(4), l(1)\nstore_raw u0.xy, l(0), r0.xyxx\nret\n");
  EXPECT_EQ(count(raw(two, kResourcesMayAlias), "store_raw"), 2u);
  EXPECT_EQ(count(raw("uint a = i.x * 16; u.Store(a + 4, i.y); u.Store(a, w.Load(a)); u.Store(a + 8, w.Load(a + 8));"), "_raw"), 2u);
  // What is between: a read of the word, an address that is not known, a barrier, a branch.
  EXPECT_EQ(count(raw("u.Store(0, 1); w.Store(0, u.Load(0)); u.Store(4, 2);"), "store_raw u0"), 2u);
  EXPECT_EQ(count(raw("u.Store(0, 1); u.InterlockedAdd(i.x * 4, 2); u.Store(4, 2);"), "store_raw"), 2u);
  EXPECT_EQ(count(raw("u.Store(0, 1); DeviceMemoryBarrier(); u.Store(4, 2);"), "store_raw"), 2u);
  EXPECT_EQ(count(raw("u.Store(0, 1); if (i.x) w.Store(0, 2); u.Store(4, 2);"), "store_raw u0"), 2u);
  EXPECT_EQ(count(raw("u.Store4(0, i.xyzx); u.Store(16, 2);"), "store_raw"), 2u);
  EXPECT_EQ(count(raw("u.Store(0, 1); u.Store(8, 2);"), "store_raw"), 2u);
  EXPECT_EQ(count(raw("u.Store(0, 1); u.Store(4, 2);", kSkipOptimization), "store_raw"), 2u);
  EXPECT_EQ(count(code("struct S { float3 p; float w; float4 q; }; StructuredBuffer<S> s; float4 main(nointerpolation uint i : I) : SV_Target { return float4(s[i].p * s[i].w, s[i].q.x); }"), "ld_structured"), 2u);
}

TEST(Quality, highestBitOfUnsigned) {
  EXPECT_EQ(count(code("uint main(nointerpolation uint v : V) : SV_Target { return firstbithigh(v); }"), "\n"), 4u);
}

TEST(Quality, verticesAreEmittedByLoops) {
  const std::string s = code("struct V { float4 p : SV_Position; }; [maxvertexcount(12)] void main(triangle V i[3], inout TriangleStream<V> o) { for (uint n = 0; n < 4; n++) { for (uint k = 0; k < 3; k++) o.Append(i[k]); o.RestartStrip(); } }", "gs_4_0");
  EXPECT_EQ(count(s, "endloop"), 2u) << s;
  EXPECT_EQ(count(s, "emit"), 1u) << s;
  EXPECT_EQ(count(code("struct V { float4 p : SV_Position; }; [maxvertexcount(12)] void main(triangle V i[3], inout TriangleStream<V> o) { [unroll] for (uint k = 0; k < 3; k++) o.Append(i[k]); }", "gs_4_0"), "emit"), 3u);
}

TEST(Quality, integersAndBackAreARounding) {
  EXPECT_EQ(code("float4 main(float4 v : V) : SV_Target { return int4(v); }", "ps_4_0"), "round_z o0.xyzw, v0.xyzw\nret\n");
  EXPECT_EQ(count(code("float4 main(float4 v : V) : SV_Target { precise float4 r = int4(v); return r; }", "ps_4_0"), "ftoi"), 1u);
}

TEST(Quality, unoptimisedCodeKeepsProductsAndSums) {
  const char* text = "float4 a, b; float4 main(float4 v : V) : SV_Target { float4 x = v * a + b; if (x.x > 1) x = 2; return x; }";
  const std::string plain = code(text, "ps_5_0", "main", kSkipOptimization), fast = code(text);
  EXPECT_EQ(count(plain, "mad"), 0u) << plain;
  EXPECT_EQ(count(plain, "mul") + count(plain, "add"), 2u) << plain;
  EXPECT_EQ(count(plain, "if_nz"), 1u) << plain;
  EXPECT_EQ(count(fast, "mad"), 1u) << fast;
  EXPECT_EQ(count(fast, "if"), 0u) << fast;
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
