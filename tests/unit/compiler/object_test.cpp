// SPDX-License-Identifier: MIT
// Textures and samplers as members, parameters and locals.
#include "support.h"

namespace monolith::compiler::test {
namespace {

const char* const kHead = "Texture2D a : register(t0); Texture2D b : register(t1); SamplerState s : register(s0);\n"
                          "struct Pair { SamplerState smp; Texture2D tex; float k; };\n"
                          "float4 take(Pair p, float2 u) { return p.tex.Sample(p.smp, u) * p.k; }\n";

TEST(Objects, staticStructs) {
  const std::string s = code(std::string(kHead) + "static Pair p = { s, b, 2 }; float4 main(float2 u : U) : SV_Target { return take(p, u); }");
  EXPECT_EQ(s, "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t1.xyzw, s0\nmul o0.xyzw, r0.xyzw, l(2.000000, 2.000000, 2.000000, 2.000000)\nret\n");
}

TEST(Objects, localsAndMembers) {
  const std::string s = code(std::string(kHead) + "float4 main(float2 u : U) : SV_Target { Pair p, q; p.tex = a; p.smp = s; p.k = 1; q = p; q.tex = b; Texture2D t = q.tex; return t.Sample(p.smp, u) + take(p, u); }");
  EXPECT_EQ(count(s, "t1.xyzw"), 1u) << s;
  EXPECT_EQ(count(s, "t0.xyzw"), 1u) << s;
}

TEST(Objects, functionsReturnThemInStructs) {
  const std::string s = code(std::string(kHead) + "Pair make(bool second) { Pair p; p.smp = s; p.k = 1; if (second) p.tex = b; else p.tex = a; return p; }\n"
                                                  "void change(inout Pair p) { p.tex = b; }\n"
                                                  "float4 main(float2 u : U) : SV_Target { Pair p = make(false); float4 r = take(p, u); change(p); return r + take(p, u); }");
  EXPECT_EQ(count(s, "t0.xyzw"), 1u) << s;
  EXPECT_EQ(count(s, "t1.xyzw"), 1u) << s;
}

TEST(Objects, whatIsBoundToNothing) {
  EXPECT_FALSE(build(std::string(kHead) + "float4 main(float2 u : U) : SV_Target { Pair p; p.k = 1; return take(p, u); }").ok);
}

} // namespace
} // namespace monolith::compiler::test
