// SPDX-License-Identifier: MIT
// Library targets and D3DReflectLibrary.
#include "d3dcompiler/library_source.h"

#include "dxbc/library.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace monolith;
using namespace monolith::test;

namespace {

ComPtr<ID3D11LibraryReflection> reflect(ID3DBlob* code) {
  ComPtr<ID3D11LibraryReflection> r;
  EXPECT_EQ(D3DReflectLibrary(code->GetBufferPointer(), code->GetBufferSize(), IID_PPV_ARGS(r.GetAddressOf())), S_OK);
  return r;
}

D3D11_FUNCTION_DESC describe(ID3D11LibraryReflection* library, const char* name) {
  D3D11_LIBRARY_DESC l{};
  D3D11_FUNCTION_DESC d{};
  library->GetDesc(&l);
  for (UINT i = 0; i < l.FunctionCount; i++)
    if (library->GetFunctionByIndex(INT(i))->GetDesc(&d) == S_OK && std::strcmp(d.Name, name) == 0) return d;
  ADD_FAILURE() << name << " is not in the library";
  return {};
}

std::string messagesOf(const std::string& source, const char* target = "lib_5_0", const char* entry = nullptr) {
  std::string text;
  EXPECT_FALSE(compileLibrary(source, target, &text, 0, entry)) << source;
  return text;
}

} // namespace

TEST(LibraryReflect, LibraryAndFunctions) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  ASSERT_TRUE(r);
  D3D11_LIBRARY_DESC l;
  ASSERT_EQ(r->GetDesc(&l), S_OK);
  EXPECT_EQ(l.FunctionCount, 4u); // helper is not exported
  EXPECT_STREQ(l.Creator, "Monolith HLSL Shader Compiler");
  EXPECT_EQ(l.Flags, 0u);
  const char* const names[] = {"Homogenize", "Identity", "Transform", "Shade"};
  for (INT i = 0; i < 4; i++) {
    D3D11_FUNCTION_DESC d;
    ASSERT_EQ(r->GetFunctionByIndex(i)->GetDesc(&d), S_OK);
    EXPECT_STREQ(d.Name, names[i]);
    EXPECT_EQ(D3D11_SHVER_GET_TYPE(d.Version), UINT(D3D11_SHVER_RESERVED0));
    EXPECT_EQ(D3D11_SHVER_GET_MAJOR(d.Version), 5u);
    EXPECT_EQ(d.MinFeatureLevel, D3D_FEATURE_LEVEL_11_0);
    EXPECT_FALSE(d.Has10Level9PixelShader);
  }
  const D3D11_FUNCTION_DESC homogenize = describe(r.Get(), "Homogenize"), transform = describe(r.Get(), "Transform"), shade = describe(r.Get(), "Shade");
  EXPECT_EQ(homogenize.FunctionParameterCount, 1);
  EXPECT_TRUE(homogenize.HasReturn);
  EXPECT_EQ(homogenize.InstructionCount, 3u); // two moves and the return
  EXPECT_EQ(homogenize.ConstantBuffers, 0u);
  EXPECT_EQ(transform.FunctionParameterCount, 3);
  EXPECT_FALSE(transform.HasReturn);
  EXPECT_EQ(transform.FloatInstructionCount, 12u); // three products of a vector and a matrix
  EXPECT_EQ(transform.ConstantBuffers, 1u);
  EXPECT_EQ(shade.BoundResources, 3u);
  EXPECT_EQ(shade.TextureNormalInstructions, 1u);
  EXPECT_EQ(r->GetDesc(nullptr), E_FAIL);
}

TEST(LibraryReflect, Parameters) {
  ComPtr<ID3DBlob> code = compileLibrary("export float4x4 f(in uint a, out row_major float2x3 b, inout float c : COLOR3, nointerpolation min16float2 d, bool3 e)"
                                         "{ b = 1; c += a + d.x + e.y; return c; }");
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  struct {
    INT index;
    D3D11_PARAMETER_DESC desc;
  } const expected[] = {
      {D3D_RETURN_PARAMETER_INDEX, {"f", "", D3D_SVT_FLOAT, D3D_SVC_MATRIX_COLUMNS, 4, 4, D3D_INTERPOLATION_UNDEFINED, D3D_PF_OUT, UINT_MAX, UINT_MAX, 0, 0}},
      {0, {"a", "", D3D_SVT_UINT, D3D_SVC_SCALAR, 1, 1, D3D_INTERPOLATION_UNDEFINED, D3D_PF_IN, 0, 0, UINT_MAX, UINT_MAX}},
      {1, {"b", "", D3D_SVT_FLOAT, D3D_SVC_MATRIX_ROWS, 2, 3, D3D_INTERPOLATION_UNDEFINED, D3D_PF_OUT, UINT_MAX, UINT_MAX, 4, 0}},
      {2, {"c", "COLOR3", D3D_SVT_FLOAT, D3D_SVC_SCALAR, 1, 1, D3D_INTERPOLATION_UNDEFINED, D3D_PARAMETER_FLAGS(D3D_PF_IN | D3D_PF_OUT), 1, 0, 6, 0}},
      {3, {"d", "", D3D_SVT_MIN16FLOAT, D3D_SVC_VECTOR, 1, 2, D3D_INTERPOLATION_CONSTANT, D3D_PF_IN, 2, 0, UINT_MAX, UINT_MAX}},
      {4, {"e", "", D3D_SVT_BOOL, D3D_SVC_VECTOR, 1, 3, D3D_INTERPOLATION_UNDEFINED, D3D_PF_IN, 3, 0, UINT_MAX, UINT_MAX}},
  };
  for (const auto& e : expected) {
    D3D11_PARAMETER_DESC d;
    ASSERT_EQ(r->GetFunctionByIndex(0)->GetFunctionParameter(e.index)->GetDesc(&d), S_OK) << e.index;
    EXPECT_STREQ(d.Name, e.desc.Name);
    EXPECT_STREQ(d.SemanticName, e.desc.SemanticName) << d.Name;
    EXPECT_EQ(d.Type, e.desc.Type) << d.Name;
    EXPECT_EQ(d.Class, e.desc.Class) << d.Name;
    EXPECT_EQ(d.Rows, e.desc.Rows) << d.Name;
    EXPECT_EQ(d.Columns, e.desc.Columns) << d.Name;
    EXPECT_EQ(d.InterpolationMode, e.desc.InterpolationMode) << d.Name;
    EXPECT_EQ(d.Flags, e.desc.Flags) << d.Name;
    EXPECT_EQ(d.FirstInRegister, e.desc.FirstInRegister) << d.Name;
    EXPECT_EQ(d.FirstInComponent, e.desc.FirstInComponent) << d.Name;
    EXPECT_EQ(d.FirstOutRegister, e.desc.FirstOutRegister) << d.Name;
    EXPECT_EQ(d.FirstOutComponent, e.desc.FirstOutComponent) << d.Name;
  }
}

TEST(LibraryReflect, VoidReturnAndInterpolation) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  D3D11_PARAMETER_DESC d;
  ASSERT_EQ(r->GetFunctionByIndex(2)->GetFunctionParameter(D3D_RETURN_PARAMETER_INDEX)->GetDesc(&d), S_OK);
  EXPECT_EQ(d.Type, D3D_SVT_VOID);
  EXPECT_EQ(d.Flags, D3D_PF_NONE);
  ASSERT_EQ(r->GetFunctionByIndex(3)->GetFunctionParameter(1)->GetDesc(&d), S_OK);
  EXPECT_EQ(d.InterpolationMode, D3D_INTERPOLATION_LINEAR_NOPERSPECTIVE);
}

TEST(LibraryReflect, BuffersVariablesAndBindings) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  ID3D11FunctionReflection* shade = r->GetFunctionByIndex(3);
  ID3D11ShaderReflectionConstantBuffer* cb = shade->GetConstantBufferByName("Light");
  EXPECT_EQ(cb, shade->GetConstantBufferByIndex(0));
  D3D11_SHADER_BUFFER_DESC b;
  ASSERT_EQ(cb->GetDesc(&b), S_OK);
  EXPECT_EQ(b.Size, 16u);
  EXPECT_EQ(b.Variables, 2u);
  D3D11_SHADER_VARIABLE_DESC v;
  ASSERT_EQ(shade->GetVariableByName("ambient")->GetDesc(&v), S_OK);
  EXPECT_EQ(v.StartOffset, 12u);
  EXPECT_EQ(shade->GetVariableByName("model")->GetDesc(&v), E_FAIL); // of the other function
  D3D11_SHADER_INPUT_BIND_DESC bind;
  ASSERT_EQ(shade->GetResourceBindingDescByName("Light", &bind), S_OK);
  EXPECT_EQ(bind.BindPoint, 2u);
  ASSERT_EQ(shade->GetResourceBindingDesc(0, &bind), S_OK);
  EXPECT_STREQ(bind.Name, "samplerOfPicture");
  EXPECT_EQ(shade->GetResourceBindingDesc(3, &bind), E_INVALIDARG);
  EXPECT_EQ(shade->GetResourceBindingDescByName("Camera", &bind), E_INVALIDARG);
}

TEST(LibraryReflect, SlotsAreThoseOfTheWholeLibrary) {
  ComPtr<ID3DBlob> code = compileLibrary("Texture2D<float4> a, b; export float4 f(int3 p) { return a.Load(p); } export float4 g(int3 p) { return b.Load(p); }");
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  D3D11_SHADER_INPUT_BIND_DESC bind;
  ASSERT_EQ(r->GetFunctionByIndex(0)->GetResourceBindingDesc(0, &bind), S_OK);
  EXPECT_EQ(bind.BindPoint, 0u);
  ASSERT_EQ(r->GetFunctionByIndex(1)->GetResourceBindingDesc(0, &bind), S_OK);
  EXPECT_STREQ(bind.Name, "b");
  EXPECT_EQ(bind.BindPoint, 1u);
}

TEST(LibraryReflect, WhatDoesNotExist) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  auto r = reflect(code.Get());
  D3D11_FUNCTION_DESC f;
  D3D11_PARAMETER_DESC p;
  D3D11_SHADER_BUFFER_DESC b;
  for (INT i : {-1, 4, INT_MAX, INT_MIN}) {
    ASSERT_NE(r->GetFunctionByIndex(i), nullptr);
    EXPECT_EQ(r->GetFunctionByIndex(i)->GetDesc(&f), E_FAIL);
    EXPECT_EQ(r->GetFunctionByIndex(i)->GetFunctionParameter(0)->GetDesc(&p), E_FAIL);
    EXPECT_EQ(r->GetFunctionByIndex(i)->GetConstantBufferByIndex(0)->GetDesc(&b), E_FAIL);
  }
  for (INT i : {-2, 3, INT_MAX, INT_MIN}) EXPECT_EQ(r->GetFunctionByIndex(2)->GetFunctionParameter(i)->GetDesc(&p), E_FAIL) << i;
  EXPECT_EQ(r->GetFunctionByIndex(0)->GetDesc(nullptr), E_FAIL);
  EXPECT_EQ(r->GetFunctionByIndex(0)->GetFunctionParameter(0)->GetDesc(nullptr), E_FAIL);
  ComPtr<IUnknown> unknown;
  EXPECT_EQ(r->QueryInterface(IID_PPV_ARGS(unknown.GetAddressOf())), S_OK);
  EXPECT_EQ(r->QueryInterface(IID_ID3D11ShaderReflection, reinterpret_cast<void**>(unknown.ReleaseAndGetAddressOf())), E_NOINTERFACE);
}

TEST(LibraryReflect, Refusals) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  ComPtr<IUnknown> out;
  void** to = reinterpret_cast<void**>(out.GetAddressOf());
  const std::vector<uint8_t> shader = sampleContainer();
  EXPECT_EQ(D3DReflectLibrary(shader.data(), shader.size(), IID_ID3D11LibraryReflection, to), E_FAIL);
  EXPECT_EQ(D3DReflectLibrary(code->GetBufferPointer(), code->GetBufferSize(), IID_ID3D11ShaderReflection, to), E_INVALIDARG);
  EXPECT_EQ(D3DReflectLibrary(code->GetBufferPointer(), code->GetBufferSize(), IID_ID3D11LibraryReflection, nullptr), E_POINTER);
  EXPECT_EQ(D3DReflectLibrary(code->GetBufferPointer(), 40, IID_ID3D11LibraryReflection, to), HRESULT(0x8876086c));
  EXPECT_EQ(D3DReflectLibrary(nullptr, 40, IID_ID3D11LibraryReflection, to), HRESULT(0x8876086c));
  EXPECT_FALSE(out);
  // A library is no shader.
  EXPECT_EQ(D3DReflect(code->GetBufferPointer(), code->GetBufferSize(), IID_ID3D11ShaderReflection, to), E_FAIL);
}

TEST(LibraryTarget, Profiles) {
  const std::string source = "export float4 f(float4 a) { return a * 2; }";
  struct {
    const char* target;
    UINT major, minor;
    D3D_FEATURE_LEVEL level;
    BOOL vertex, pixel;
  } const profiles[] = {{"lib_4_0", 4, 0, D3D_FEATURE_LEVEL_10_0, FALSE, FALSE},
                        {"lib_4_1", 4, 1, D3D_FEATURE_LEVEL_10_1, FALSE, FALSE},
                        {"lib_5_0", 5, 0, D3D_FEATURE_LEVEL_11_0, FALSE, FALSE},
                        {"lib_4_0_level_9_1", 4, 0, D3D_FEATURE_LEVEL_9_1, TRUE, TRUE},
                        {"lib_4_0_level_9_1_vs_only", 4, 0, D3D_FEATURE_LEVEL_9_1, TRUE, FALSE},
                        {"lib_4_0_level_9_1_ps_only", 4, 0, D3D_FEATURE_LEVEL_9_1, FALSE, TRUE},
                        {"lib_4_0_level_9_3", 4, 0, D3D_FEATURE_LEVEL_9_3, TRUE, TRUE},
                        {"lib_4_0_level_9_3_vs_only", 4, 0, D3D_FEATURE_LEVEL_9_3, TRUE, FALSE},
                        {"lib_4_0_level_9_3_ps_only", 4, 0, D3D_FEATURE_LEVEL_9_3, FALSE, TRUE}};
  for (const auto& p : profiles) {
    ComPtr<ID3DBlob> code = compileLibrary(source, p.target);
    ASSERT_TRUE(code) << p.target;
    const D3D11_FUNCTION_DESC d = describe(reflect(code.Get()).Get(), "f");
    EXPECT_EQ(D3D11_SHVER_GET_MAJOR(d.Version), p.major) << p.target;
    EXPECT_EQ(D3D11_SHVER_GET_MINOR(d.Version), p.minor) << p.target;
    EXPECT_EQ(d.MinFeatureLevel, p.level) << p.target;
    EXPECT_EQ(d.Has10Level9VertexShader, p.vertex) << p.target;
    EXPECT_EQ(d.Has10Level9PixelShader, p.pixel) << p.target;
  }
  for (const char* target : {"lib_", "lib_3_0", "lib_5_1", "lib_5_0_vs_only", "lib_4_0_level_9_0", "lib_4_0_level_9_2_ps_only"})
    EXPECT_NE(messagesOf(source, target).find("error X3506: unrecognized compiler target"), std::string::npos) << target;
}

TEST(LibraryTarget, WithoutExportAllFunctionsThatCanBe) {
  ComPtr<ID3DBlob> code = compileLibrary("float f(float a) { return a; } static float g(float a) { return a; } float h(Texture2D t, int3 p) { return t.Load(p).x; } "
                                         "float k(int a) { return a; } float k(uint2 a) { return a.x; } void last(out float x) { x = 1; }");
  ASSERT_TRUE(code);
  dxbc::Result<dxbc::Library> library = dxbc::parseLibrary(bytesOf(code.Get()));
  ASSERT_TRUE(library);
  ASSERT_EQ(library->functions.size(), 2u);
  EXPECT_EQ(library->functions[0].name, "f");
  EXPECT_EQ(library->functions[1].name, "last");
}

TEST(LibraryTarget, ExportIsAllowedElsewhere) {
  std::string text;
  EXPECT_TRUE(compileLibrary("export float4 main() : SV_Target { return 1; }", "ps_5_0", &text, 0, "main"));
  EXPECT_EQ(text, "");
}

TEST(LibraryTarget, Messages) {
  const std::string at = "library.hlsl(1,";
  EXPECT_EQ(messagesOf("export float f(float a) { return a; }", "lib_5_0", "f"),
            "error X3713: entry point must not be specified for libraries. Mark entry points of the library with the 'export' keyword\n");
  struct {
    const char* source;
    const char* message;
  } const cases[] = {
      {"export float f(Texture2D t) { return 1; }", "26): error X3710: 'f': parameter 't' of type 'Texture2D<float4>' is not supported by library functions\n"},
      {"struct S { float a; }; export S f(S s) { return s; }", "error X3710: 'f': return value of type 'struct S' is not supported by library functions\n"},
      {"export float f(float a[2]) { return a[0]; }", "error X3710: 'f': parameter 'a' of type 'float[2]' is not supported by library functions\n"},
      {"export float f(float a : X, float b : x) { return a + b; }", "error X3711: 'f': parameters and return values of library functions cannot have the same semantic 'x'\n"},
      {"tbuffer T { float x; }; export float f() { return x; }", "error X3715: 'T': tbuffers are not supported in libraries\n"},
      {"interface I { float m(); }; I i; export float f() { return 1; }", "error X3716: 'i': classes and interfaces are not supported in libraries\n"},
      {"class C { float a; }; export float f(C c) { return c.a; }", "error X3716: 'f': classes and interfaces are not supported in libraries\n"},
      {"export double f() { return 1; }", "error X3717: 'f': return value: double types cannot be used as inputs or outputs of library functions, pass two uints and use asuint and asdouble\n"},
      {"export float f(int a) { return a; } export float f(float2 a) { return a.x; }", "error X3718: 'f': library functions cannot be overloaded\n"},
      {"export float x;", "error X3006: 'x': only functions can be declared 'export'\n"},
      {"export float f(float a) { return b; }", "error X3004: undeclared identifier 'b'\n"},
      {"export float f(float a) { float b; b.x = a; }", "error X3507: 'f': Not all control paths return a value\n"},
  };
  for (const auto& c : cases) {
    const std::string text = messagesOf(c.source);
    EXPECT_EQ(text.compare(0, at.size(), at), 0) << text;
    EXPECT_NE(text.find(c.message), std::string::npos) << text;
  }
  // Gradients are for pixel shaders only, and such a library is for vertex shaders only.
  EXPECT_NE(messagesOf("export float f(float a) { return ddx(a); }", "lib_4_0_level_9_3_vs_only").find("error X"), std::string::npos);
}

// The layout is that of Microsoft's compiler, version 10.1.
TEST(LibraryTarget, Listing) {
  ComPtr<ID3DBlob> code = compileLibrary("export float3 first(float3 a, inout float2x3 b, out uint c, row_major float3x4 d) : SV_TARGET { c = 5; return a + d[0].xyz; }\n"
                                         "export void second(inout float4 position, inout float2 texcoord) { }"),
                   text;
  ASSERT_TRUE(code);
  ASSERT_EQ(D3DDisassemble(code->GetBufferPointer(), code->GetBufferSize(), 0, nullptr, text.GetAddressOf()), S_OK);
  EXPECT_EQ(textOf(text.Get()), R"(//
// Library:  flags 0, 2 functions:
//   0  first
//   1  second
//
// Created by:  Monolith HLSL Shader Compiler
//
//
// Generated by Monolith HLSL Shader Compiler
//
//
//
// Function parameter signature (return: yes, parameters: 4):
//
// Name                 SemanticName         In 1st,Num,Mask Out 1st,Num,Mask Type                           
// -------------------- -------------------- --------------- ---------------- ------------------------------ 
// first                SV_TARGET                              o0    1   xyz  out float3
// a                                          v0    1   xyz                   in float3
// b                                          v1    3   xy     o1    3   xy   inout float2x3
// c                                                           o4    1   x    out uint
// d                                          v4    3   xyzw                  in row_major float3x4
//
lib_5_0
dcl_globalFlags refactoringAllowed
dcl_input v0.xyz
dcl_input v1.xy
dcl_input v2.xy
dcl_input v3.xy
dcl_input v4.xyz
dcl_output o0.xyz
dcl_output o1.xy
dcl_output o2.xy
dcl_output o3.xy
dcl_output o4.x
add o0.xyz, v0.xyzx, v4.xyzx
mov o1.xy, v1.xyxx
mov o2.xy, v2.xyxx
mov o3.xy, v3.xyxx
mov o4.x, l(5)
ret 
// Approximately 6 instruction slots used
//
// Generated by Monolith HLSL Shader Compiler
//
//
//
// Function parameter signature (return: no, parameters: 2):
//
// Name                 SemanticName         In 1st,Num,Mask Out 1st,Num,Mask Type                           
// -------------------- -------------------- --------------- ---------------- ------------------------------ 
// second                                                                     void
// position                                   v0    1   xyzw   o0    1   xyzw inout float4
// texcoord                                   v1    1   xy     o1    1   xy   inout float2
//
lib_5_0
dcl_globalFlags refactoringAllowed
dcl_input v0.xyzw
dcl_input v1.xy
dcl_output o0.xyzw
dcl_output o1.xy
mov o0.xyzw, v0.xyzw
mov o1.xy, v1.xyxx
ret 
// Approximately 3 instruction slots used
)");
}

// Changed bytes end in an error or in a reflection whose methods answer; nothing is read out of bounds.
TEST(LibraryHostile, ChangedBytes) {
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(code);
  const std::vector<uint8_t> good = bytesOf(code.Get());
  uint32_t random = 1, read = 0;
  auto next = [&random] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 20000; i++) {
    std::vector<uint8_t> bytes = good;
    if (i % 4 == 0) bytes.resize(32 + next() % (bytes.size() - 32));
    for (uint32_t k = next() % 4; k-- > 0;) bytes[next() % bytes.size()] = uint8_t(next());
    ComPtr<ID3D11LibraryReflection> r;
    ComPtr<ID3DBlob> text;
    D3DDisassemble(bytes.data(), bytes.size(), 0, nullptr, text.GetAddressOf());
    if (FAILED(D3DReflectLibrary(bytes.data(), bytes.size(), IID_PPV_ARGS(r.GetAddressOf())))) continue;
    read++;
    D3D11_LIBRARY_DESC l;
    ASSERT_EQ(r->GetDesc(&l), S_OK);
    for (UINT f = 0; f < l.FunctionCount; f++) {
      D3D11_FUNCTION_DESC d;
      D3D11_PARAMETER_DESC p;
      ASSERT_EQ(r->GetFunctionByIndex(INT(f))->GetDesc(&d), S_OK);
      for (INT k = -1; k < d.FunctionParameterCount; k++) ASSERT_EQ(r->GetFunctionByIndex(INT(f))->GetFunctionParameter(k)->GetDesc(&p), S_OK);
    }
  }
  EXPECT_GT(read, 1000u);
}
