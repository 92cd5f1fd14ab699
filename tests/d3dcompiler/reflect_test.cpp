// SPDX-License-Identifier: MIT
#include "d3dcompiler/shader_bytes.h"
#include "unit/dxbc/corpus.h"

#include <cstddef>
#include <cstring>
#include <random>

using namespace monolith;
using namespace monolith::test;

namespace {

ComPtr<ID3D11ShaderReflection> reflect(const std::vector<uint8_t>& bytes) {
  ComPtr<ID3D11ShaderReflection> r;
  EXPECT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_PPV_ARGS(r.GetAddressOf())), S_OK);
  return r;
}

} // namespace

TEST(Reflect, ShaderDescription) {
  auto r = reflect(sampleContainer());
  ASSERT_TRUE(r);
  D3D11_SHADER_DESC d;
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(D3D11_SHVER_GET_TYPE(d.Version), UINT(D3D11_SHVER_PIXEL_SHADER));
  EXPECT_EQ(D3D11_SHVER_GET_MAJOR(d.Version), 5u);
  EXPECT_STREQ(d.Creator, "a compiler");
  EXPECT_EQ(d.Flags, UINT(D3DCOMPILE_ENABLE_STRICTNESS));
  EXPECT_EQ(d.ConstantBuffers, 1u);
  EXPECT_EQ(d.BoundResources, 3u);
  EXPECT_EQ(d.InputParameters, 2u);
  EXPECT_EQ(d.OutputParameters, 1u);
  EXPECT_EQ(d.InstructionCount, 3u);
  EXPECT_EQ(d.TempRegisterCount, 1u);
  EXPECT_EQ(d.TextureNormalInstructions, 1u);
  EXPECT_EQ(d.FloatInstructionCount, 1u);
  D3D_FEATURE_LEVEL level;
  EXPECT_EQ(r->GetMinFeatureLevel(&level), S_OK);
  EXPECT_EQ(level, D3D_FEATURE_LEVEL_11_0);
  EXPECT_EQ(r->GetRequiresFlags(), 0u);
  EXPECT_EQ(r->GetNumInterfaceSlots(), 0u);
  EXPECT_EQ(r->GetDesc(nullptr), E_FAIL);
}

TEST(Reflect, ConstantBuffersByNameAndSlot) {
  auto r = reflect(sampleContainer());
  ASSERT_TRUE(r);
  // REQ: A0619
  ID3D11ShaderReflectionConstantBuffer* cb = r->GetConstantBufferByName("Params");
  ASSERT_NE(cb, nullptr);
  D3D11_SHADER_BUFFER_DESC b;
  ASSERT_EQ(cb->GetDesc(&b), S_OK);
  EXPECT_STREQ(b.Name, "Params");
  EXPECT_EQ(b.Size, 64u);
  EXPECT_EQ(b.Variables, 2u);
  EXPECT_EQ(b.Type, D3D_CT_CBUFFER);
  EXPECT_EQ(r->GetConstantBufferByIndex(0), cb);
  // REQ: A0618
  D3D11_SHADER_INPUT_BIND_DESC bind;
  ASSERT_EQ(r->GetResourceBindingDescByName("Params", &bind), S_OK);
  EXPECT_EQ(bind.Type, D3D_SIT_CBUFFER);
  EXPECT_EQ(bind.BindPoint, 0u);
  ASSERT_EQ(r->GetResourceBindingDesc(1, &bind), S_OK);
  EXPECT_STREQ(bind.Name, "picture");
  EXPECT_EQ(bind.Dimension, D3D_SRV_DIMENSION_TEXTURE2D);
  EXPECT_EQ(bind.ReturnType, D3D_RETURN_TYPE_FLOAT);
  EXPECT_EQ(r->GetResourceBindingDesc(3, &bind), E_INVALIDARG);
  EXPECT_EQ(r->GetResourceBindingDescByName("none", &bind), E_INVALIDARG);
}

TEST(Reflect, VariablesAndTypes) {
  auto r = reflect(sampleContainer());
  ASSERT_TRUE(r);
  ID3D11ShaderReflectionConstantBuffer* cb = r->GetConstantBufferByIndex(0);
  ID3D11ShaderReflectionVariable* tint = cb->GetVariableByIndex(0);
  D3D11_SHADER_VARIABLE_DESC v;
  ASSERT_EQ(tint->GetDesc(&v), S_OK);
  EXPECT_STREQ(v.Name, "tint");
  EXPECT_EQ(v.Size, 16u);
  EXPECT_EQ(v.uFlags, UINT(D3D_SVF_USED));
  ASSERT_NE(v.DefaultValue, nullptr);
  EXPECT_EQ(static_cast<const float*>(v.DefaultValue)[3], 4.0f);
  EXPECT_EQ(tint->GetBuffer(), cb);
  EXPECT_EQ(r->GetVariableByName("tint"), tint);

  ID3D11ShaderReflectionType* light = r->GetVariableByName("light")->GetType();
  D3D11_SHADER_TYPE_DESC t;
  ASSERT_EQ(light->GetDesc(&t), S_OK);
  EXPECT_EQ(t.Class, D3D_SVC_STRUCT);
  EXPECT_EQ(t.Members, 2u);
  EXPECT_STREQ(t.Name, "Light");
  EXPECT_STREQ(light->GetMemberTypeName(1), "size");
  EXPECT_EQ(light->GetMemberTypeName(2), nullptr);
  ID3D11ShaderReflectionType* size = light->GetMemberTypeByName("size");
  EXPECT_EQ(size, light->GetMemberTypeByIndex(1));
  ASSERT_EQ(size->GetDesc(&t), S_OK);
  EXPECT_EQ(t.Type, D3D_SVT_UINT);
  EXPECT_EQ(t.Columns, 2u);
  EXPECT_EQ(t.Elements, 2u);
  EXPECT_EQ(t.Offset, 16u);
  EXPECT_EQ(size->IsEqual(size), S_OK);
  EXPECT_EQ(size->IsEqual(light), S_FALSE);
  EXPECT_EQ(light->IsOfType(light), S_OK);
  EXPECT_EQ(light->GetNumInterfaces(), 0u);
}

TEST(Reflect, WhatDoesNotExistIsAnObjectThatFails) {
  auto r = reflect(sampleContainer());
  ASSERT_TRUE(r);
  D3D11_SHADER_BUFFER_DESC b;
  D3D11_SHADER_VARIABLE_DESC v;
  D3D11_SHADER_TYPE_DESC t;
  for (ID3D11ShaderReflectionConstantBuffer* cb :
       {r->GetConstantBufferByIndex(9), r->GetConstantBufferByName("none"), r->GetConstantBufferByName(nullptr)}) {
    ASSERT_NE(cb, nullptr);
    EXPECT_EQ(cb->GetDesc(&b), E_FAIL);
    ID3D11ShaderReflectionVariable* variable = cb->GetVariableByIndex(0);
    ASSERT_NE(variable, nullptr);
    EXPECT_EQ(variable->GetDesc(&v), E_FAIL);
    ID3D11ShaderReflectionType* type = variable->GetType();
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(type->GetDesc(&t), E_FAIL);
    EXPECT_EQ(type->GetMemberTypeByIndex(0)->GetDesc(&t), E_FAIL);
    EXPECT_STREQ(type->GetMemberTypeName(0), "$Invalid");
    EXPECT_EQ(type->IsEqual(type), E_FAIL);
  }
}

TEST(Reflect, Parameters) {
  auto r = reflect(sampleContainer());
  ASSERT_TRUE(r);
  D3D11_SIGNATURE_PARAMETER_DESC p;
  ASSERT_EQ(r->GetInputParameterDesc(1, &p), S_OK);
  EXPECT_STREQ(p.SemanticName, "TEXCOORD");
  EXPECT_EQ(p.Register, 1u);
  EXPECT_EQ(p.Mask, 3);
  EXPECT_EQ(p.ComponentType, D3D_REGISTER_COMPONENT_FLOAT32);
  ASSERT_EQ(r->GetOutputParameterDesc(0, &p), S_OK);
  EXPECT_EQ(p.SystemValueType, D3D_NAME_TARGET);
  EXPECT_EQ(r->GetOutputParameterDesc(1, &p), E_INVALIDARG);
  EXPECT_EQ(r->GetPatchConstantParameterDesc(0, &p), E_INVALIDARG);
}

TEST(Reflect, SampleFrequency) {
  // REQ: B0401
  EXPECT_FALSE(reflect(sampleContainer(false))->IsSampleFrequencyShader());
  EXPECT_TRUE(reflect(sampleContainer(true))->IsSampleFrequencyShader());
}

TEST(Reflect, ThreadGroupAndStrippedShaders) {
  auto r = reflect(dxbc::writeShader(computeMemory()));
  ASSERT_TRUE(r);
  UINT x, y, z;
  EXPECT_EQ(r->GetThreadGroupSize(&x, &y, &z), 64u);
  EXPECT_EQ(x, 64u);
  EXPECT_EQ(y * z, 1u);
  D3D11_SHADER_DESC d;
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(d.ConstantBuffers, 0u);
  EXPECT_EQ(d.cBarrierInstructions, 1u);
}

TEST(Reflect, WrongCalls) {
  std::vector<uint8_t> bytes = sampleContainer();
  void* out = &bytes;
  EXPECT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_ID3D10Blob, &out), E_INVALIDARG);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(D3DReflect(nullptr, 0, IID_ID3D11ShaderReflection, &out), HRESULT(0x8876086c));
  EXPECT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_ID3D11ShaderReflection, nullptr), E_POINTER);
  EXPECT_EQ(D3DReflect(bytes.data(), 60, IID_ID3D11ShaderReflection, &out), HRESULT(0x8876086c));
}

TEST(Reflect, CollectionAndDamage) {
  auto files = corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  std::mt19937 random(5);
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = readFile(f);
    ComPtr<ID3D11ShaderReflection> r = reflect(bytes);
    ASSERT_TRUE(r) << f;
    D3D11_SHADER_DESC d;
    ASSERT_EQ(r->GetDesc(&d), S_OK);
    for (UINT n = 0; n < d.ConstantBuffers; n++) {
      D3D11_SHADER_BUFFER_DESC b;
      ASSERT_EQ(r->GetConstantBufferByIndex(n)->GetDesc(&b), S_OK);
      for (UINT k = 0; k < b.Variables; k++) {
        D3D11_SHADER_TYPE_DESC t;
        EXPECT_EQ(r->GetConstantBufferByIndex(n)->GetVariableByIndex(k)->GetType()->GetDesc(&t), S_OK);
        EXPECT_NE(t.Name, nullptr) << f;
      }
    }
    bytes[32 + random() % (bytes.size() - 32)] ^= uint8_t(1 + random() % 255);
    ComPtr<ID3D11ShaderReflection> damaged;
    D3DReflect(bytes.data(), bytes.size(), IID_PPV_ARGS(damaged.GetAddressOf()));
  }
}

// Objects that do not exist, and interfaces of other versions, as Microsoft's library has them.
TEST(Reflect, NothingIsOneObject) {
  const std::vector<uint8_t> bytes = sampleContainer();
  ComPtr<ID3D11ShaderReflection> a, b;
  ASSERT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_ID3D11ShaderReflection, reinterpret_cast<void**>(a.GetAddressOf())), S_OK);
  ASSERT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_ID3D11ShaderReflection, reinterpret_cast<void**>(b.GetAddressOf())), S_OK);
  auto* buffer = a->GetConstantBufferByIndex(99);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(buffer, b->GetConstantBufferByName("nobody"));
  EXPECT_EQ(buffer, a->GetConstantBufferByName(nullptr));
  auto* variable = buffer->GetVariableByIndex(0);
  ASSERT_NE(variable, nullptr);
  EXPECT_EQ(variable, a->GetVariableByName("nobody"));
  EXPECT_EQ(variable, b->GetVariableByName(nullptr));
  EXPECT_EQ(variable->GetBuffer(), buffer);
  auto* type = variable->GetType();
  ASSERT_NE(type, nullptr);
  auto* real = a->GetVariableByName("tint")->GetType();
  EXPECT_EQ(type, real->GetMemberTypeByIndex(0));
  EXPECT_EQ(type, real->GetMemberTypeByName("x"));
  EXPECT_STREQ(type->GetMemberTypeName(0), "$Invalid");
  EXPECT_EQ(real->IsEqual(type), S_FALSE);
  EXPECT_EQ(type->IsEqual(type), E_FAIL);
  EXPECT_EQ(type->IsEqual(real), E_FAIL);
  D3D11_SHADER_BUFFER_DESC bufferDesc;
  D3D11_SHADER_VARIABLE_DESC variableDesc;
  D3D11_SHADER_TYPE_DESC typeDesc;
  EXPECT_EQ(buffer->GetDesc(&bufferDesc), E_FAIL);
  EXPECT_EQ(variable->GetDesc(&variableDesc), E_FAIL);
  EXPECT_EQ(type->GetDesc(&typeDesc), E_FAIL);
}

TEST(Reflect, OtherVersions) {
  const std::vector<uint8_t> bytes = sampleContainer();
  constexpr GUID k10 = {0xd40e20b6, 0xf8f7, 0x42ad, {0xab, 0x20, 0x4b, 0xaf, 0x8f, 0x15, 0xdf, 0xaa}};
  constexpr GUID k10_1 = {0xc3457783, 0xa846, 0x47ce, {0x95, 0x20, 0xce, 0xa6, 0xf6, 0x6e, 0x74, 0x47}};
  constexpr GUID k12 = {0x5a58797d, 0xa72c, 0x478d, {0x8b, 0xa2, 0xef, 0xc6, 0xb0, 0xef, 0xe8, 0x8e}};
  void* out = nullptr;
  EXPECT_EQ(D3DReflect(bytes.data(), bytes.size(), k10, &out), E_INVALIDARG);
  EXPECT_EQ(D3DReflect(bytes.data(), bytes.size(), k10_1, &out), E_INVALIDARG);
  ComPtr<ID3D11ShaderReflection> r;
  ASSERT_EQ(D3DReflect(bytes.data(), bytes.size(), k12, reinterpret_cast<void**>(r.GetAddressOf())), S_OK);
  EXPECT_EQ(r->QueryInterface(k10, &out), E_NOINTERFACE);
  struct {
    D3D11_SHADER_INPUT_BIND_DESC desc;
    UINT more[4];
  } room;
  std::memset(&room, 0xee, sizeof room);
  ASSERT_EQ(r->GetResourceBindingDesc(1, &room.desc), S_OK); // its space and number stand behind the rest
  UINT space, id, behind;
  const char* raw = reinterpret_cast<const char*>(&room) + offsetof(D3D11_SHADER_INPUT_BIND_DESC, NumSamples);
  std::memcpy(&space, raw + 4, 4);
  std::memcpy(&id, raw + 8, 4);
  std::memcpy(&behind, raw + 12, 4);
  EXPECT_EQ(space, 0u);
  EXPECT_EQ(id, 0u);
  EXPECT_EQ(behind, 0xeeeeeeeeu);
  std::memset(&room, 0xee, sizeof room);
  r.Reset();
  ASSERT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_ID3D11ShaderReflection, reinterpret_cast<void**>(r.GetAddressOf())), S_OK);
  ASSERT_EQ(r->GetResourceBindingDesc(1, &room.desc), S_OK);
  std::memcpy(&id, raw + 8, 4);
  EXPECT_EQ(id, 0xeeeeeeeeu);
}

namespace {
ComPtr<ID3D11ShaderReflection> compiled(const std::string& source, const char* target) {
  ComPtr<ID3DBlob> code, messages;
  EXPECT_EQ(D3DCompile(source.data(), source.size(), nullptr, nullptr, nullptr, "main", target, 0, 0, code.GetAddressOf(), messages.GetAddressOf()), S_OK)
      << textOf(messages.Get());
  return code ? reflect(bytesOf(code.Get())) : nullptr;
}
} // namespace

TEST(Reflect, CountsByStage) {
  D3D11_SHADER_DESC d;
  // Shifts count by what is shifted, comparisons by what is compared.
  auto r = compiled("int4 main(int4 a : A, uint4 b : B, float4 c : C) : O { return (a << 3) + (int4)(b >> 2) + (c < 1 ? a : 0); }", "vs_5_0");
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(d.UintInstructionCount, 2u) << "ushr, and";
  EXPECT_EQ(d.IntInstructionCount, 3u) << "ishl, iadd, iadd";
  EXPECT_EQ(d.FloatInstructionCount, 1u) << "lt";
  // Hull shaders: only the declarations in front and the control point phase, but the instructions of all phases.
  r = compiled("struct P { float3 p : P; };\nstruct C { float e[4] : SV_TessFactor; float i[2] : SV_InsideTessFactor; };\nfloat w;\n"
               "C patch() { C c; for (int k = 0; k < 4; k++) c.e[k] = w * k; c.i[0] = c.i[1] = 1; return c; }\n"
               "[domain(\"quad\")][partitioning(\"integer\")][outputtopology(\"triangle_cw\")][outputcontrolpoints(8)][patchconstantfunc(\"patch\")]\n"
               "P main(InputPatch<P, 8> v, uint i : SV_OutputControlPointID) { return v[i]; }\n",
               "hs_5_0");
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(d.InputPrimitive, D3D_PRIMITIVE_8_CONTROL_POINT_PATCH);
  EXPECT_EQ(d.cControlPoints, 8u);
  EXPECT_EQ(d.TessellatorDomain, D3D_TESSELLATOR_DOMAIN_QUAD);
  EXPECT_EQ(d.HSPartitioning, D3D_TESSELLATOR_PARTITIONING_INTEGER);
  EXPECT_EQ(d.HSOutputPrimitive, D3D_TESSELLATOR_OUTPUT_TRIANGLE_CW);
  EXPECT_EQ(d.DclCount, 5u);
  EXPECT_EQ(d.StaticFlowControlCount, 0u);
  EXPECT_GT(d.InstructionCount, 5u);
  EXPECT_EQ(d.PatchConstantParameters, 6u);
  EXPECT_EQ(r->GetMovInstructionCount(), 0u);
  r = compiled("struct V { float4 p : SV_Position; };\n[maxvertexcount(4)][instance(3)] void main(lineadj V v[4], inout LineStream<V> s) {\n"
               "s.Append(v[0]); s.Append(v[1]); s.RestartStrip(); s.Append(v[2]); }",
               "gs_5_0");
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(r->GetGSInputPrimitive(), D3D_PRIMITIVE_LINE_ADJ);
  EXPECT_EQ(d.GSOutputTopology, D3D_PRIMITIVE_TOPOLOGY_LINESTRIP);
  EXPECT_EQ(d.GSMaxOutputVertexCount, 4u);
  EXPECT_EQ(d.cGSInstanceCount, 3u);
  EXPECT_EQ(d.EmitInstructionCount, 3u);
  EXPECT_EQ(d.CutInstructionCount, 1u);
  r = compiled("RWBuffer<uint> b; groupshared uint g[64];\n[numthreads(4, 8, 2)] void main(uint i : SV_GroupIndex) {\n"
               "g[i] = i; GroupMemoryBarrierWithGroupSync(); InterlockedAdd(b[0], g[63 - i]); b[1] = 7; }",
               "cs_5_0");
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(d.cBarrierInstructions, 1u);
  EXPECT_EQ(d.cInterlockedInstructions, 1u);
  EXPECT_EQ(d.cTextureStoreInstructions, 2u);
  UINT x, y, z;
  EXPECT_EQ(r->GetThreadGroupSize(&x, &y, &z), 64u);
  EXPECT_EQ(x * 100 + y * 10 + z, 482u);
}
