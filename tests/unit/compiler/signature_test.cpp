// SPDX-License-Identifier: MIT
// Where inputs, outputs and unordered access views lie.
#include "support.h"

namespace monolith::compiler::test {
namespace {

/// Declarations, one a line; the messages if it does not compile or validate.
std::string declarations(const std::string& text, const std::string& target) {
  const CompileResult r = build(text, target);
  if (!r.ok)
    return r.messages;
  const auto shader = dxbc::loadShader(r.container);
  if (!shader)
    return shader.error();
  std::string out;
  for (const dxbc::Instruction& i : shader->instructions)
    if (i.isDeclaration() && i.op != dxbc::OpCode::DclGlobalFlags && i.op != dxbc::OpCode::DclTemps)
      out += dxbc::disassembleInstruction(i, *shader) + "\n";
  return out;
}

/// The elements of the output signature, or of the input signature: name, index, register, mask.
std::string elements(const std::string& text, const std::string& target, bool output) {
  const CompileResult r = build(text, target);
  if (!r.ok)
    return r.messages;
  const auto shader = dxbc::loadShader(r.container);
  std::string out;
  for (const dxbc::SignatureElement& e : (output ? shader->outputs : shader->inputs).elements) {
    out += e.semantic + std::to_string(e.semanticIndex) + " " + std::to_string(e.reg) + ".";
    for (unsigned c = 0; c < 4; c++)
      if (e.mask >> c & 1)
        out += "xyzw"[c];
    out += "\n";
  }
  return out;
}

TEST(Signature, matricesAreTheirColumns) {
  const char* text = "void main(float4 p : P, out float4 o : SV_Position, out float3x2 m : M, ORDER float3x2 n : N) { o = p; m = n = float3x2(p.xy, p.zw, 1, 2); }";
  const std::string column = std::string("#define ORDER out\n") + text, row = std::string("#define ORDER out row_major\n") + text;
  EXPECT_EQ(elements(column, "vs_4_0", true), "SV_Position0 0.xyzw\nM0 1.xyz\nM1 2.xyz\nN0 3.xyz\nN1 4.xyz\n");
  EXPECT_EQ(elements(row, "vs_4_0", true), "SV_Position0 0.xyzw\nM0 1.xyz\nM1 2.xyz\nN0 3.xy\nN1 4.xy\nN2 5.xy\n");
  EXPECT_EQ(elements("float4 main(float4x4 m : M, float2x3 n : N) : SV_Position { return mul(m, float4(n[0], n[1].x)); }", "vs_4_0", false),
            "M0 0.xyzw\nM1 1.xyzw\nM2 2.xyzw\nM3 3.xyzw\nN0 4.xy\nN1 5.xy\nN2 6.xy\n");
  // A column of the input is one register: the row vector times the matrix is four dot products.
  EXPECT_EQ(count(code("float4 main(float4x4 m : M, float4 v : V) : SV_Position { return mul(v, m); }", "vs_4_0"), "dp4"), 4u);
  EXPECT_EQ(count(code("float4 main(row_major float4x4 m : M, float4 v : V) : SV_Position { return mul(m, v); }", "vs_4_0"), "dp4"), 4u);
}

TEST(Signature, rowsOfOneValueLieBelowEachOther) {
  // Two-component elements could share a register, those of an array or matrix do not; what follows may lie beside them.
  EXPECT_EQ(elements("void main(float4 p : P, out float2 a[2] : A, out float2x2 m : M, out float2 b : B, out float2 c : C, out float4 o : SV_Position) { o = p; a[0] = a[1] = b = c = p.xy; m = float2x2(p); }", "vs_4_0", true),
            "A0 0.xy\nM0 0.zw\nA1 1.xy\nM1 1.zw\nB0 2.xy\nC0 2.zw\nSV_Position0 3.xyzw\n");
}

TEST(Signature, theLatestRegisterWithRoomIsTaken) {
  EXPECT_EQ(elements("void main(float4 p : P, out float4 o : SV_Position, out float3 a : A, out float2 b : B, out float c : C, out float d : D, out float e : E) { o = p; a = p.xyz; b = p.xy; c = d = e = 1; }", "vs_4_0", true),
            "SV_Position0 0.xyzw\nA0 1.xyz\nE0 1.w\nB0 2.xy\nC0 2.z\nD0 2.w\n");
  // An earlier register of the same interpolation where the latest has another; listed and declared by register.
  const char* pixel = "float4 main(float2 a : A, nointerpolation float b : B, uint c : C, float d : D) : SV_Target { return a.x + b + c + d; }";
  EXPECT_EQ(elements(pixel, "ps_4_0", false), "A0 0.xy\nD0 0.z\nB0 1.x\nC0 1.y\n");
  EXPECT_EQ(declarations(pixel, "ps_4_0"), "dcl_input_ps linear v0.x\ndcl_input_ps linear v0.z\ndcl_input_ps constant v1.x\ndcl_input_ps constant v1.y\ndcl_output o0.xyzw\n");
  // What one stage writes lies where the next reads it.
  const std::string io = "struct V { float3 a : A; float2 b : B; float c : C; float4 p : SV_Position; float d : D; };";
  EXPECT_EQ(elements(io + "V main(float4 p : P) { V v; v.p = p; v.a = p.xyz; v.b = p.xy; v.c = v.d = p.x; return v; }", "vs_4_0", true),
            elements(io + "float4 main(V v) : SV_Target { return v.a.x + v.b.x + v.c + v.d; }", "ps_4_0", false));
}

TEST(Signature, clipAndCullDistancesCountFromZero) {
  const char* text = "void main(float4 p : P, out float4 o : SV_Position, out float3 a : SV_ClipDistance1, out float3 b : SV_CullDistance1, out float c : SV_ClipDistance2, out float d : SV_CullDistance2) { o = p; a = b = p.xyz; c = d = p.w; }";
  EXPECT_EQ(elements(text, "vs_4_0", true), "SV_Position0 0.xyzw\nSV_ClipDistance0 1.xyz\nSV_ClipDistance1 1.w\nSV_CullDistance0 2.xyz\nSV_CullDistance1 2.w\n");
  EXPECT_EQ(declarations(text, "vs_4_0"), "dcl_input v0.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xyz, clip_distance\ndcl_output_siv o1.w, clip_distance\n"
                                          "dcl_output_siv o2.xyz, cull_distance\ndcl_output_siv o2.w, cull_distance\n");
}

TEST(Signature, targetsComeInTheirOrder) {
  EXPECT_EQ(declarations("void main(out float4 b : SV_Target1, out float d : SV_Depth, out float4 a : SV_Target0) { a = b = 1; d = 0; }", "ps_4_0"),
            "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output oDepth\n");
}

TEST(Signature, unorderedAccessViewsComeBehindTargets) {
  EXPECT_EQ(count(declarations("RWTexture2D<float> u; float main(float4 p : SV_Position) : SV_Target { return u[p.xy]; }", "ps_5_0"), "dcl_uav_typed_texture2d (float,float,float,float) u1"), 1u);
  EXPECT_EQ(count(declarations("RWByteAddressBuffer u, v; void main(float4 p : SV_Position, out float4 c : SV_Target2) { c = p; u.Store(0, 1); v.Store(0, 1); }", "ps_5_0"), "dcl_uav_raw u3\ndcl_uav_raw u4\n"), 1u);
  EXPECT_EQ(count(declarations("RWByteAddressBuffer u; void main(float4 p : SV_Position) { u.Store(0, 1); }", "ps_5_0"), "dcl_uav_raw u0\n"), 1u);
  EXPECT_EQ(count(declarations("RWByteAddressBuffer u : register(u1); float4 main() : SV_Target { u.Store(0, 1); return 0; }", "ps_5_0"), "dcl_uav_raw u1\n"), 1u);
  EXPECT_EQ(count(declarations("RWByteAddressBuffer u : register(u0); float4 main() : SV_Target { u.Store(0, 1); return 0; }", "ps_5_0"),
                  "(1,21): error X4509: UAV registers live in the same name space as outputs, so they must be bound to at least u1, manual bind to slot u0 failed"), 1u);
}

TEST(Signature, countersKeepOrderOnlyWhereTheyAreNumbers) {
  EXPECT_EQ(count(declarations("AppendStructuredBuffer<uint> a; ConsumeStructuredBuffer<uint> b; [numthreads(1,1,1)] void main() { a.Append(b.Consume()); }", "cs_5_0"), "dcl_uav_structured u"), 2u);
  EXPECT_EQ(count(declarations("RWStructuredBuffer<uint> a; [numthreads(1,1,1)] void main() { a[a.IncrementCounter()] = 1; }", "cs_5_0"), "dcl_uav_structured_opc u0, 4"), 1u);
}

TEST(Signature, positionsOfTexelsAreUnsigned) {
  EXPECT_EQ(count(code("RWTexture2D<float> u; Texture2D t; float4 main(float2 p : P) : SV_Target { return u[p] + t[p]; }"), "ftou"), 1u);
  EXPECT_EQ(count(code("Texture2D t; float4 main(float3 p : P) : SV_Target { return t.Load(p); }"), "ftoi"), 1u);
}

TEST(Signature, indexedInputsAreReadInPlace) {
  const char* text = "uint n; void main(float4 p : P, float4 c[4] : C, out float4 o : SV_Position, out float4 r : R) { o = p; r = c[n]; }";
  EXPECT_EQ(code(text, "vs_4_0"), "mov r0.x, cb0[0].x\nmov o0.xyzw, v0.xyzw\nmov o1.xyzw, v[r0.x + 1].xyzw\nret\n");
  EXPECT_EQ(count(declarations(text, "vs_4_0"), "dcl_indexrange v1.xyzw 4\n"), 1u);
  EXPECT_EQ(count(declarations("uint n; float4 main(float2 c[4] : C, float4 d : D) : SV_Target { return d + c[n].x + c[n + 1].y; }", "ps_4_0"), "dcl_indexrange v0.xy 4\n"), 1u);
  // Not where something is written, or where elements are of several kinds.
  EXPECT_EQ(count(code("uint n; float4 main(float4 c[4] : C) : SV_Target { c[n] = 1; return c[n + 1]; }", "ps_4_0"), "x0["), 6u);
  EXPECT_EQ(count(declarations("struct S { float4 a : A; float2 b : B; }; uint n; float4 main(float4 c[2] : C, float2 d[2] : D) : SV_Target { return c[n] + d[n].xyxy; }", "ps_4_0"), "dcl_indexrange"), 2u);
}

TEST(Signature, samplePositionsAreReadAndWrittenWithTheirPadding) {
  const CompileResult r = build("Texture2DMS<float4> t; float2 main() : SV_Target { return t.GetSamplePosition(2); }");
  ASSERT_TRUE(r.ok) << r.messages;
  const auto container = dxbc::parseContainer(r.container);
  const dxbc::Chunk* program = container->find(dxbc::kTagShex);
  ASSERT_NE(program, nullptr);
  bool found = false;
  for (size_t n = 8; n + 3 < program->data.size(); n += 4) {
    const uint32_t token = program->data[n] | uint32_t(program->data[n + 3]) << 24;
    found = found || token == (110u | 8u << 24); // the instruction and its length in words
  }
  EXPECT_TRUE(found);
  EXPECT_TRUE(dxbc::loadShader(r.container));
}

} // namespace
} // namespace monolith::compiler::test
