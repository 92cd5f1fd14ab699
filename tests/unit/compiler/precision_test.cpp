// SPDX-License-Identifier: MIT
// Least precision (min16float and its like) in operands, declarations, signatures and flags.
#include "support.h"

#include "dxbc/container.h"
#include "dxbc/rdef.h"

#include <map>

namespace monolith::compiler::test {
namespace {

dxbc::Shader shaderOf(const std::string& text, const std::string& target = "ps_5_0") {
  CompileResult r = build(text, target);
  EXPECT_TRUE(r.ok) << r.messages;
  auto shader = dxbc::loadShader(r.container);
  EXPECT_TRUE(shader) << shader.error();
  return shader ? *shader : dxbc::Shader{};
}

bool hasChunk(const std::string& text, uint32_t tag, const std::string& target = "ps_5_0") {
  CompileResult r = build(text, target);
  auto c = dxbc::parseContainer(r.container);
  return c && c->find(tag) != nullptr;
}

TEST(Precision, operandsNameIt) {
  EXPECT_EQ(code("min16float4 main(min16float4 a : A, min16float4 b : B) : SV_Target { return a * b + 1; }"),
            "mad o0.xyzw {min16f}, v0.xyzw {min16f}, v1.xyzw {min16f}, l(1.000000, 1.000000, 1.000000, 1.000000) {def32 as min16f}\nret\n");
  EXPECT_EQ(code("min16float4 main(float4 a : A) : SV_Target { min16float4 b = a; return b * b; }"),
            "mul o0.xyzw {min16f}, v0.xyzw {def32 as min16f}, v0.xyzw {def32 as min16f}\nret\n");
  EXPECT_EQ(code("float4 main(min16float4 a : A) : SV_Target { float4 b = a; return b * b; }"),
            "mul o0.xyzw, v0.xyzw {min16f as def32}, v0.xyzw {min16f as def32}\nret\n");
  EXPECT_EQ(code("min10float4 k; min10float4 main(min10float4 a : A) : SV_Target { return a + k; }"), "add o0.xyzw {min2_8f}, v0.xyzw {min2_8f}, cb0[0].xyzw {min2_8f}\nret\n");
  const std::string integers = code("min16uint4 main(min16uint4 a : A, min16int b : B) : SV_Target { return (a << 2) + (b < 3 ? 1 : 2); }");
  EXPECT_EQ(count(integers, "ishl r0.xyzw {min16u}, v0.xyzw {min16u}"), 1u) << integers;
  EXPECT_EQ(count(integers, "v1.x {min16i}"), 1u) << integers;
}

TEST(Precision, signaturesFlagsAndTypes) {
  const std::string text = "cbuffer C { min16float4 a; min10float b; min16int c; min12int d; min16uint e; float f; };"
                           "min16float4 main(min16float2 u : U, float2 v : V, min10float w : W, min16int i : I, min12int j : J, min16uint k : K) : SV_Target"
                           "{ return a * b + c + d + e + f + u.xyxy + v.xyxy + w + i + j + k; }";
  const dxbc::Shader s = shaderOf(text);
  using P = dxbc::MinPrecision;
  ASSERT_EQ(s.inputs.elements.size(), 6u);
  const P want[] = {P::Float16, P::None, P::Float10, P::Sint16, P::Sint16, P::Uint16};
  for (size_t i = 0; i < 6; i++)
    EXPECT_EQ(s.inputs.elements[i].precision, want[i]) << i;
  // Values of different precision share no register.
  EXPECT_NE(s.inputs.elements[0].reg, s.inputs.elements[1].reg);
  EXPECT_EQ(s.inputs.elements[3].reg, s.inputs.elements[4].reg);
  EXPECT_EQ(s.outputs.elements[0].precision, P::Float16);
  EXPECT_TRUE(s.decls.globalFlags & dxbc::kEnableMinimumPrecision);
  EXPECT_TRUE(hasChunk(text, dxbc::kTagIsg1) && hasChunk(text, dxbc::kTagOsg1) && hasChunk(text, dxbc::kTagSfi0));
  const std::string plain = "float4 main(float4 a : A) : SV_Target { return a; }";
  EXPECT_FALSE(hasChunk(plain, dxbc::kTagIsg1) || hasChunk(plain, dxbc::kTagSfi0));
  CompileResult r = build(text);
  auto container = dxbc::parseContainer(r.container);
  ASSERT_TRUE(container);
  auto rdef = dxbc::parseRdef(container->find(dxbc::kTagRdef)->data);
  ASSERT_TRUE(rdef);
  const uint16_t types[] = {54, 53, 56, 55, 57, 3};
  for (size_t i = 0; i < 6; i++)
    EXPECT_EQ(rdef->types[rdef->constantBuffers[0].variables[i].type].type, types[i]) << i;
}

TEST(Precision, oneRegisterHoldsOnePrecision) {
  // Every operand of a register says the same about what is in it as what was written there.
  const std::string text = "float k; min16float4 main(min16float4 a : A, float4 b : B, min16int n : N) : SV_Target {"
                           "min16float4 c = a * a; float4 d = b * b; min16int m = n * 3; [branch] if (k > 0) { c += d.wzyx; d *= c; m ^= 5; }"
                           "[loop] for (min16int i = 0; i < m; i++) { c = sqrt(c) + d.x; d.yz += c.xw * i; }"
                           "return c + min16float4(d.xy, c.z, m) * float4(c.xy, d.zw); }";
  const dxbc::Shader s = shaderOf(text);
  std::map<std::pair<uint32_t, int>, dxbc::MinPrecision> held;
  for (const dxbc::Instruction& i : s.instructions) {
    if (i.isDeclaration())
      continue;
    for (size_t k = i.operands.size(); k-- > 0;) {
      const dxbc::Operand& o = i.operands[k];
      if (o.type != dxbc::RegisterType::Temp)
        continue;
      const bool written = i.info().operands[k].kind == dxbc::OperandKind::Dst;
      for (int c = 0; c < 4; c++) {
        if (written && (o.mask >> c & 1))
          held[{o.reg(), c}] = o.precision;
        if (!written && o.selection == dxbc::SelectionMode::Select1 && held.count({o.reg(), o.swizzle[0]})) {
          EXPECT_EQ((held[{o.reg(), o.swizzle[0]}]), o.precision) << dxbc::disassembleInstruction(i, s);
        }
      }
    }
  }
}

} // namespace
} // namespace monolith::compiler::test
