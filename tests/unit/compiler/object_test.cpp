// SPDX-License-Identifier: MIT
// Textures and samplers as members, parameters and locals.
#include "support.h"

#include "dxbc/container.h"
#include "dxbc/rdef.h"

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

TEST(Objects, globalStructsAreBoundByMember) {
  const std::string text = "struct In { Texture2D t[2]; float z; }; struct M { float3 a; Texture2D b; SamplerState s; float k; In n; RWByteAddressBuffer u; };\n"
                           "M m[2]; float after; cbuffer C { struct { Texture2D q; float w; } x; };\n"
                           "float f(M p, float2 u) { return p.b.Sample(p.s, u).x * p.k + p.n.t[1].Sample(p.s, u).y * p.n.z; }\n"
                           "float4 main(float2 u : U) : SV_Target { m[1].u.Store(0, 1); return f(m[0], u) + f(m[1], u) * x.q.Sample(m[0].s, u) * x.w + after; }";
  const CompileResult r = build(text);
  ASSERT_TRUE(r.ok) << r.messages;
  auto container = dxbc::parseContainer(r.container);
  ASSERT_TRUE(container.ok());
  auto rdef = dxbc::parseRdef(container->find(dxbc::kTagRdef)->data);
  ASSERT_TRUE(rdef);
  std::string bindings, variables;
  for (const dxbc::RdefBinding& b : rdef->bindings)
    bindings += b.name + " " + std::to_string(b.bindPoint) + ", ";
  for (const dxbc::RdefConstantBuffer& c : rdef->constantBuffers)
    for (const dxbc::RdefVariable& v : c.variables)
      variables += v.name + " " + std::to_string(v.offset) + "+" + std::to_string(v.size) + ", ";
  EXPECT_EQ(bindings, "m[0].s 0, m[1].s 1, m[0].b 0, m[0].n.t[1] 2, m[1].b 3, m[1].n.t[1] 5, x.q 6, m[1].u 1, $Globals 0, C 1, ");
  EXPECT_EQ(variables, "m 0+52, after 52+4, x 0+4, ");
  const std::string s = code("struct M { Texture2D a, b; SamplerState s; float4 k; }; M m : register(t3); float4 main(float2 u : U) : SV_Target { M l = m; return l.b.Sample(m.s, u) * l.k; }");
  EXPECT_EQ(s, "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t4.xyzw, s0\nmul o0.xyzw, cb0[0].xyzw, r0.xyzw\nret\n");
}

TEST(Objects, whatIsBoundToNothing) {
  EXPECT_FALSE(build(std::string(kHead) + "float4 main(float2 u : U) : SV_Target { Pair p; p.k = 1; return take(p, u); }").ok);
}

} // namespace
} // namespace monolith::compiler::test
