// SPDX-License-Identifier: MIT
#include "support.h"

#include "dxbc/rdef.h"

namespace monolith::compiler::test {
namespace {

TEST(Codegen, vectorsStayTogether) {
  EXPECT_EQ(code("float4 main(float4 a : A, float4 b : B, float4 c : C) : SV_Target { return a * b + c; }"), "mad o0.xyzw, v0.xyzw, v1.xyzw, v2.xyzw\nret\n");
  EXPECT_EQ(code("float4 main(float4 a : A) : SV_Target { return saturate(-abs(a)); }"), "mov_sat o0.xyzw, -|v0.xyzw|\nret\n");
  EXPECT_EQ(code("float4 main(float4 a : A) : SV_Target { float4 r; r.x = a.x * 2; r.y = a.y * 2; r.z = a.z * 2; r.w = a.w * 2; return r; }"),
            "mul o0.xyzw, v0.xyzw, l(2.000000, 2.000000, 2.000000, 2.000000)\nret\n");
}

TEST(Codegen, constantsAreFolded) {
  EXPECT_EQ(code("static const float k[3] = { 1, 2, 3 }; float4 main() : SV_Target { float s = 0; for (int i = 0; i < 3; i++) s += k[i] * i; return s + sqrt(4.0) + (7 % 4); }"),
            "mov o0.xyzw, l(13.000000,13.000000,13.000000,13.000000)\nret\n");
  EXPECT_EQ(code("float4 main(float4 a : A) : SV_Target { if (2 > 1) return a * 1 + 0; return a * 7; }"), "mov o0.xyzw, v0.xyzw\nret\n");
}

TEST(Codegen, smallBranchesAreFlattened) {
  std::string s = code("float4 main(float4 a : A) : SV_Target { float4 r = a; if (a.x > 0.5) r = a * 2; return r; }");
  EXPECT_EQ(count(s, "if_"), 0u) << s;
  EXPECT_EQ(count(s, "movc"), 1u) << s;
  s = code("float4 main(float4 a : A) : SV_Target { float4 r = a; [branch] if (a.x > 0.5) r = a * 2; return r; }");
  EXPECT_EQ(count(s, "if_nz"), 1u) << s;
}

TEST(Codegen, loops) {
  std::string s = code("int n; float4 main(float4 a : A) : SV_Target { float4 r = 0; for (int i = 0; i < n; i++) r += a * i; return r; }");
  EXPECT_EQ(count(s, "loop\n"), 2u) << s; // loop and endloop
  EXPECT_EQ(count(s, "breakc"), 1u) << s;
  EXPECT_EQ(count(s, "mov r0"), 1u) << s; // the sum stays where it is
  s = code("float4 main(float4 a : A) : SV_Target { float4 r = 0; [unroll] for (int i = 0; i < 4; i++) { if (a.x > i) break; r += a; } return r; }");
  EXPECT_EQ(count(s, "loop"), 0u) << s;
}

TEST(Codegen, signaturesOfTwoStagesMeet) {
  const std::string text = "struct V { float4 p : SV_Position; float3 n : NORMAL; float2 u : TEXCOORD0; float f : FOG; nointerpolation uint id : ID; float w : W; };\n"
                           "V vs(float4 p : POSITION) { V v = (V)0; v.p = p; return v; }\n float4 ps(V v) : SV_Target { return v.f + v.id + v.u.x + v.n.x + v.w; }";
  CompileResult a = build(text, "vs_5_0", "vs"), b = build(text, "ps_5_0", "ps");
  ASSERT_TRUE(a.ok && b.ok) << a.messages << b.messages;
  auto va = dxbc::loadShader(a.container), pb = dxbc::loadShader(b.container);
  ASSERT_TRUE(va.ok() && pb.ok()) << va.error() << pb.error();
  ASSERT_EQ(va->outputs.elements.size(), 6u);
  for (const dxbc::SignatureElement& e : pb->inputs.elements) {
    const dxbc::SignatureElement* o = va->outputs.find(e.semantic, e.semanticIndex);
    ASSERT_NE(o, nullptr) << e.semantic;
    EXPECT_EQ(o->reg, e.reg) << e.semantic;
    EXPECT_EQ(o->mask, e.mask) << e.semantic;
  }
  EXPECT_EQ(va->outputs.find("FOG", 0)->reg, va->outputs.find("TEXCOORD", 0)->reg);
  EXPECT_EQ(va->outputs.find("FOG", 0)->mask, 4);
}

TEST(Codegen, nestedStructuresWithoutName) {
  CompileResult r = build("struct S { float a; struct { float b; struct { float c; } d[2]; } e; }; struct { S s; float f; } g; float4 main() : SV_Target { return g.s.e.d[1].c; }");
  ASSERT_TRUE(r.ok) << r.messages;
  auto container = dxbc::parseContainer(r.container);
  ASSERT_TRUE(container.ok());
  auto rdef = dxbc::parseRdef(container->find(dxbc::kTagRdef)->data);
  ASSERT_TRUE(rdef.ok()) << rdef.error();
  std::string names;
  for (const dxbc::RdefType& t : rdef->types)
    if (!t.members.empty())
      names += t.name + " ";
  EXPECT_EQ(names, "<unnamed> S S::<unnamed> S::<unnamed>::<unnamed> ");
}

TEST(Codegen, textureBuffersHoldAnyType) {
  EXPECT_EQ(code("tbuffer T { float a; int b; }; float4 main() : SV_Target { return b; }"), "ld_indexable(buffer)(mixed,mixed,mixed,mixed) r0.x, l(0, 0, 0, 0), t0.yyyy\nitof o0.xyzw, r0.xxxx\nret\n");
}

TEST(Codegen, reflection) {
  CompileResult r = build("cbuffer A : register(b2) { float a; float3 b; float2 c = float2(3, 4); float4x4 m; float d[2]; int e; }\nTexture2D<float3> t : register(t5); SamplerState s;\n"
                          "float4 main(float2 u : U) : SV_Target { return float4(t.Sample(s, u) * a, c.y) + e; }");
  ASSERT_TRUE(r.ok) << r.messages;
  auto container = dxbc::parseContainer(r.container);
  ASSERT_TRUE(container.ok());
  auto rdef = dxbc::parseRdef(container->find(dxbc::kTagRdef)->data);
  ASSERT_TRUE(rdef.ok()) << rdef.error();
  EXPECT_EQ(rdef->flags, uint32_t(kNoPreshader)); // preshaders are of effects
  ASSERT_EQ(rdef->constantBuffers.size(), 1u);
  const auto& v = rdef->constantBuffers[0].variables;
  ASSERT_EQ(v.size(), 6u);
  const uint32_t offsets[] = {0, 4, 16, 32, 96, 116};
  const uint32_t sizes[] = {4, 12, 8, 64, 20, 4};
  for (size_t i = 0; i < 6; i++) {
    EXPECT_EQ(v[i].offset, offsets[i]) << v[i].name;
    EXPECT_EQ(v[i].size, sizes[i]) << v[i].name;
  }
  EXPECT_EQ(v[0].flags, 2u);
  EXPECT_EQ(v[1].flags, 0u);
  EXPECT_TRUE(v[2].hasDefault);
  ASSERT_EQ(rdef->bindings.size(), 3u);
  EXPECT_EQ(rdef->bindings[0].name, "s");
  EXPECT_EQ(rdef->bindings[1].bindPoint, 5u);
  EXPECT_EQ(rdef->bindings[2].bindPoint, 2u);
  EXPECT_EQ(rdef->constantBuffers[0].size, 128u);
}

TEST(Codegen, allTargets) {
  const std::string text = "float4 main(float4 a : POSITION) : SV_Position { return a.wzyx; }";
  for (const char* t : {"vs_4_0", "vs_4_1", "vs_5_0", "vs_4_0_level_9_1", "vs_4_0_level_9_3"}) {
    CompileResult r = build(text, t);
    ASSERT_TRUE(r.ok) << t << r.messages;
    EXPECT_TRUE(dxbc::loadShader(r.container).ok()) << t;
  }
  EXPECT_EQ(build(text, "xs_9_9").messages, "error X3506: unrecognized compiler target 'xs_9_9'\n");
}

} // namespace
} // namespace monolith::compiler::test
