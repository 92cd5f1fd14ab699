// SPDX-License-Identifier: MIT
// D3DLoadModule, ID3D11ModuleInstance and ID3D11Linker.
#include "d3dcompiler/linked_shader.h"

#include <cmath>

using namespace monolith;
using namespace monolith::test;

namespace {

/// The worked example's graph for the vertex shader: both vectors made homogeneous, transformed, passed on.
ComPtr<ID3D11ModuleInstance> vertexGraph(const ComPtr<ID3D11Module>& module, const char* space = "") {
  GraphBuilder g;
  auto in = g.inputs({floats("inputPos", "POSITION0", 3), floats("inputTex", "TEXCOORD0", 2), floats("inputNorm", "NORMAL0", 3)});
  auto position = g.call(module, "Homogenize", space), normal = g.call(module, "Homogenize", space), transform = g.call(module, "Transform", space);
  g.pass(in, 0, position, 0);
  g.pass(in, 2, normal, 0);
  g.pass(position, D3D_RETURN_PARAMETER_INDEX, transform, 0);
  g.pass(in, 1, transform, 1);
  g.pass(normal, D3D_RETURN_PARAMETER_INDEX, transform, 2);
  auto out = g.outputs({floats("outputTex", "TEXCOORD0", 2, D3D_PF_OUT), floats("outputNorm", "NORMAL0", 4, D3D_PF_OUT), floats("outputPos", "SV_POSITION", 4, D3D_PF_OUT)});
  g.pass(transform, 0, out, 2);
  g.pass(transform, 1, out, 0);
  g.pass(transform, 2, out, 1);
  return g.finish();
}

ComPtr<ID3D11ModuleInstance> pixelGraph(const ComPtr<ID3D11Module>& module) {
  GraphBuilder g;
  auto in = g.inputs({floats("inputTex", "TEXCOORD0", 2), floats("inputNorm", "NORMAL0", 3), floats("inputPos", "SV_POSITION", 4)});
  auto shade = g.call(module, "Shade");
  g.pass(in, 0, shade, 0);
  g.pass(in, 1, shade, 1);
  auto out = g.outputs({floats("outputColor", "SV_TARGET", 4, D3D_PF_OUT)});
  g.pass(shade, D3D_RETURN_PARAMETER_INDEX, out, 0);
  return g.finish();
}

/// Where a resource of a linked shader is; UINT_MAX if it has none of that name.
UINT slotOf(ID3DBlob* code, const char* name, D3D_SHADER_INPUT_TYPE* type = nullptr) {
  D3D11_SHADER_INPUT_BIND_DESC d;
  if (FAILED(reflectShader(code)->GetResourceBindingDescByName(name, &d))) return UINT_MAX;
  if (type) *type = d.Type;
  return d.BindPoint;
}

// model: (x, y, z, w) -> (y, x, z, w + 2x), view: twice everything. Matrices lie in columns.
const Values kCamera = {0, 1, 0, 0, /**/ 1, 0, 0, 0, /**/ 0, 0, 1, 0, /**/ 2, 0, 0, 1, /**/
                        2, 0, 0, 0, /**/ 0, 2, 0, 0, /**/ 0, 0, 2, 0, /**/ 0, 0, 0, 2};

} // namespace

TEST(Link, VertexShaderOfTheWorkedExample) {
  for (const auto& [library, target] : {std::pair{"lib_5_0", "vs_5_0"}, {"lib_4_0", "vs_4_0"}, {"lib_4_0_level_9_1", "vs_4_0_level_9_1"}, {"lib_4_0_level_9_3_vs_only", "vs_4_0_level_9_3"}}) {
    std::string source = kLibrarySource;
    if (std::string(library).find("vs_only") != std::string::npos) source = source.substr(0, source.find("export float4 Shade"));
    auto module = loadModule(source, library);
    ASSERT_TRUE(module);
    auto instance = instanceOf(module);
    EXPECT_EQ(instance->BindConstantBuffer(0, 0, 0), S_OK);
    auto shader = linkShader(vertexGraph(module), {instance}, target);
    ASSERT_TRUE(shader) << target;
    ShaderRun r(shader.Get());
    r.input("POSITION", 0, {1, 2, 3});
    r.input("TEXCOORD", 0, {0.25f, 0.5f});
    r.input("NORMAL", 0, {0, 1, 0});
    r.constants(0, kCamera);
    r.run();
    EXPECT_EQ(r.output("SV_POSITION"), (Values{4, 2, 6, 6})) << target; // 2 * (2, 1, 3, 1 + 2)
    EXPECT_EQ(r.output("TEXCOORD"), (Values{0.25f, 0.5f}));
    EXPECT_EQ(r.output("NORMAL"), (Values{1, 0, 0, 1}));
  }
}

TEST(Link, PixelShaderOfTheWorkedExample) {
  auto module = loadModule(kLibrarySource, "lib_4_0_level_9_1");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  for (const char* target : {"ps_4_0_level_9_1", "ps_4_0", "ps_5_0"}) {
    auto shader = linkShader(pixelGraph(module), {instance}, target);
    ASSERT_TRUE(shader) << target;
    ShaderRun r(shader.Get());
    r.input("TEXCOORD", 0, {0.5f, 0.5f});
    r.input("NORMAL", 0, {0, 0.5f, 0});
    r.constants(2, {0, 1, 0, 0.25f});
    r.texture(0, {1, 2, 4, 8});
    r.run();
    EXPECT_EQ(r.output("SV_TARGET"), (Values{0.75f, 1.5f, 3, 6})) << target; // times 0.5 + 0.25
  }
}

TEST(Link, SameInstructionsAsWrittenByHand) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto shader = linkShader(vertexGraph(module), {instanceOf(module)}, "vs_5_0");
  ASSERT_TRUE(shader);
  std::string source = kLibrarySource;
  source += R"(
void main(float3 p : POSITION0, float2 t : TEXCOORD0, float3 n : NORMAL0,
          out float2 ot : TEXCOORD0, out float4 on : NORMAL0, out float4 op : SV_POSITION)
{
  op = Homogenize(p);
  on = Homogenize(n);
  ot = t;
  Transform(op, ot, on);
})";
  ComPtr<ID3DBlob> byHand = compileLibrary(source, "vs_5_0", nullptr, 0, "main");
  ASSERT_TRUE(byHand);
  EXPECT_EQ(listingOf(shader.Get()), listingOf(byHand.Get()));
}

TEST(Link, BindingsMoveResources) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  auto shader = linkShader(pixelGraph(module), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "Light"), 2u); // as the library has it
  EXPECT_EQ(instance->BindConstantBuffer(2, 5, 32), S_OK);
  EXPECT_EQ(instance->BindResource(0, 7, 1), S_OK);
  EXPECT_EQ(instance->BindSampler(0, 3, 1), S_OK);
  shader = linkShader(pixelGraph(module), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "Light"), 5u);
  EXPECT_EQ(slotOf(shader.Get(), "picture"), 7u);
  EXPECT_EQ(slotOf(shader.Get(), "samplerOfPicture"), 3u);
  D3D11_SHADER_VARIABLE_DESC v;
  ASSERT_EQ(reflectShader(shader.Get())->GetVariableByName("ambient")->GetDesc(&v), S_OK);
  EXPECT_EQ(v.StartOffset, 32u + 12u);
  ShaderRun r(shader.Get());
  r.input("TEXCOORD", 0, {0, 0});
  r.input("NORMAL", 0, {0, 0, 1});
  r.constants(5, {9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 1, 1});
  r.texture(7, {1, 2, 3, 4});
  r.run();
  EXPECT_EQ(r.output("SV_TARGET"), (Values{2, 4, 6, 8}));
}

TEST(Link, BindingsByName) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindConstantBufferByName("Light", 0, 16), S_OK);
  EXPECT_EQ(instance->BindResourceByName("picture", 1, 1), S_OK);
  EXPECT_EQ(instance->BindSamplerByName("samplerOfPicture", 2, 1), S_OK);
  auto shader = linkShader(pixelGraph(module), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "picture"), 1u);
  EXPECT_EQ(slotOf(shader.Get(), "samplerOfPicture"), 2u);
}

TEST(Link, BindingResults) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto i = instanceOf(module);
  EXPECT_EQ(i->BindConstantBuffer(1, 0, 0), S_FALSE); // the library uses b0 and b2
  EXPECT_EQ(i->BindConstantBuffer(0, 14, 0), E_FAIL);
  EXPECT_EQ(i->BindConstantBuffer(0, 0, 8), E_FAIL);
  EXPECT_EQ(i->BindConstantBuffer(0, 0, 65536 - 128), S_OK);
  EXPECT_EQ(i->BindConstantBuffer(0, 0, 65536 - 112), E_FAIL);
  EXPECT_EQ(i->BindConstantBuffer(0, 0, UINT_MAX - 15), E_FAIL);
  EXPECT_EQ(i->BindResource(0, 127, 1), S_OK);
  EXPECT_EQ(i->BindResource(0, 127, 2), E_FAIL);
  EXPECT_EQ(i->BindResource(0, UINT_MAX, 2), E_FAIL);
  EXPECT_EQ(i->BindResource(5, 0, 1), S_FALSE);
  EXPECT_EQ(i->BindResource(0, 0, 0), S_FALSE);
  EXPECT_EQ(i->BindSampler(0, 15, 1), S_OK);
  EXPECT_EQ(i->BindSampler(0, 16, 1), E_FAIL);
  EXPECT_EQ(i->BindUnorderedAccessView(0, 0, 1), S_FALSE);
  EXPECT_EQ(i->BindUnorderedAccessView(0, 64, 1), E_FAIL);
  EXPECT_EQ(i->BindResourceAsUnorderedAccessView(0, 64, 1), E_FAIL);
  EXPECT_EQ(i->BindConstantBufferByName("none", 0, 0), S_FALSE);
  EXPECT_EQ(i->BindConstantBufferByName(nullptr, 0, 0), E_INVALIDARG);
  EXPECT_EQ(i->BindResourceByName("Light", 0, 1), S_FALSE);
  EXPECT_EQ(i->BindResourceByName(nullptr, 0, 1), E_INVALIDARG);
  EXPECT_EQ(i->BindSamplerByName("picture", 0, 1), S_FALSE);
  EXPECT_EQ(i->BindUnorderedAccessViewByName("picture", 0, 1), S_FALSE);
  EXPECT_EQ(i->BindResourceAsUnorderedAccessViewByName("none", 0, 1), S_FALSE);
}

TEST(Link, TwoLibrariesInOneConstantBuffer) {
  auto first = loadModule("cbuffer A { float4 a; }; export float4 f(float4 x) { return x * a; }");
  auto second = loadModule("cbuffer B { float4 b; float c; }; export float4 f(float4 x) { return x + b * c; }");
  ASSERT_TRUE(first && second);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4)});
  auto times = g.call(first, "f", "one"), plus = g.call(second, "f", "two");
  g.pass(in, 0, times, 0);
  g.pass(times, D3D_RETURN_PARAMETER_INDEX, plus, 0);
  auto out = g.outputs({floats("o", "SV_Position", 4, D3D_PF_OUT)});
  g.pass(plus, D3D_RETURN_PARAMETER_INDEX, out, 0);
  auto one = instanceOf(first, "one"), two = instanceOf(second, "two");
  EXPECT_EQ(one->BindConstantBuffer(0, 1, 0), S_OK);
  EXPECT_EQ(two->BindConstantBuffer(0, 1, 16), S_OK);
  auto shader = linkShader(g.finish(), {one, two}, "vs_5_0");
  ASSERT_TRUE(shader);
  auto reflection = reflectShader(shader.Get());
  D3D11_SHADER_DESC d;
  ASSERT_EQ(reflection->GetDesc(&d), S_OK);
  EXPECT_EQ(d.ConstantBuffers, 1u);
  D3D11_SHADER_BUFFER_DESC b;
  ASSERT_EQ(reflection->GetConstantBufferByIndex(0)->GetDesc(&b), S_OK);
  EXPECT_EQ(b.Variables, 3u);
  EXPECT_EQ(b.Size, 48u);
  D3D11_SHADER_VARIABLE_DESC v;
  ASSERT_EQ(reflection->GetVariableByName("c")->GetDesc(&v), S_OK);
  EXPECT_EQ(v.StartOffset, 32u);
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.constants(1, {2, 2, 2, 2, /**/ 1, 2, 3, 4, /**/ 10});
  r.run();
  EXPECT_EQ(r.output("SV_Position"), (Values{12, 24, 36, 48}));
}

TEST(Link, OneModuleTwice) {
  auto module = loadModule("cbuffer A { float4 a; }; Texture2D<float4> t; export float4 f(float4 x) { return x * a + t.Load(int3(0, 0, 0)); }");
  ASSERT_TRUE(module);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4)});
  auto f = g.call(module, "f", "one"), h = g.call(module, "f", "two");
  g.pass(in, 0, f, 0);
  g.pass(f, D3D_RETURN_PARAMETER_INDEX, h, 0);
  auto out = g.outputs({floats("o", "SV_Target0", 4, D3D_PF_OUT)});
  g.pass(h, D3D_RETURN_PARAMETER_INDEX, out, 0);
  auto one = instanceOf(module, "one"), two = instanceOf(module, "two");
  EXPECT_EQ(two->BindConstantBuffer(0, 3, 0), S_OK);
  EXPECT_EQ(two->BindResource(0, 4, 1), S_OK);
  const auto graph = g.finish();
  for (const bool sameTexture : {false, true}) {
    EXPECT_EQ(two->BindResource(0, sameTexture ? 0 : 4, 1), S_OK);
    auto shader = linkShader(graph, {one, two}, "ps_5_0");
    ASSERT_TRUE(shader);
    ShaderRun r(shader.Get());
    r.input("V", 0, {1, 1, 1, 1});
    r.constants(0, {2, 3, 4, 5});
    r.constants(3, {10, 10, 10, 10});
    r.texture(0, {1, 1, 1, 1});
    r.texture(4, {0.5f, 0.5f, 0.5f, 0.5f});
    r.run();
    EXPECT_EQ(r.output("SV_Target"), sameTexture ? (Values{31, 41, 51, 61}) : (Values{30.5f, 40.5f, 50.5f, 60.5f}));
  }
}

TEST(Link, ViewsAsUnorderedAccess) {
  auto module = loadModule("StructuredBuffer<float4> s; ByteAddressBuffer r; export float4 f(float4 x) { return x * s[1] + asfloat(r.Load(4)); }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindResourceAsUnorderedAccessView(0, 2, 1), S_OK);
  EXPECT_EQ(instance->BindResourceAsUnorderedAccessViewByName("r", 5, 1), S_OK);
  auto shader = linkShader(callOf(module, "f", 4), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  D3D_SHADER_INPUT_TYPE type = D3D_SIT_CBUFFER;
  EXPECT_EQ(slotOf(shader.Get(), "s", &type), 2u);
  EXPECT_EQ(type, D3D_SIT_UAV_RWSTRUCTURED);
  EXPECT_EQ(slotOf(shader.Get(), "r", &type), 5u);
  EXPECT_EQ(type, D3D_SIT_UAV_RWBYTEADDRESS);
}

TEST(Link, FunctionOfALibraryAsEntry) {
  auto module = loadModule("cbuffer A : register(b1) { float4 a; }; export void main(float4 p : POSITION, out float4 o : SV_Position, out float2 t : T) { o = p * a; t = p.xy; }"
                           "export float4 color(float4 t : T) : SV_Target { return t.yxwz; }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  auto vertex = linkShader(instance, {}, "vs_5_0");
  ASSERT_TRUE(vertex);
  ShaderRun v(vertex.Get());
  v.input("POSITION", 0, {1, 2, 3, 4});
  v.constants(1, {2, 3, 4, 5});
  v.run();
  EXPECT_EQ(v.output("SV_Position"), (Values{2, 6, 12, 20}));
  auto pixel = linkShader(instance, {}, "ps_5_0", nullptr, "color");
  ASSERT_TRUE(pixel);
  ShaderRun p(pixel.Get());
  p.input("T", 0, {1, 2, 3, 4});
  p.run();
  EXPECT_EQ(p.output("SV_Target"), (Values{2, 1, 4, 3}));
}

TEST(Link, ClipPlanes) {
  auto module = loadModule(kLibrarySource, "lib_4_0_level_9_1");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  ComPtr<ID3D11Linker> linker;
  ASSERT_EQ(D3DCreateLinker(linker.GetAddressOf()), S_OK);
  ASSERT_EQ(linker->UseLibrary(instance.Get()), S_OK);
  EXPECT_EQ(linker->AddClipPlaneFromCBuffer(0, 2), S_OK); // inside the library's buffer
  EXPECT_EQ(linker->AddClipPlaneFromCBuffer(4, 1), S_OK); // in one of its own
  EXPECT_EQ(linker->AddClipPlaneFromCBuffer(14, 0), E_INVALIDARG);
  EXPECT_EQ(linker->AddClipPlaneFromCBuffer(0, 4096), E_INVALIDARG);
  ComPtr<ID3DBlob> shader, messages;
  ASSERT_EQ(linker->Link(vertexGraph(module).Get(), "main", "vs_4_0_level_9_1", 0, shader.GetAddressOf(), messages.GetAddressOf()), S_OK) << textOf(messages.Get());
  ShaderRun r(shader.Get());
  r.input("POSITION", 0, {1, 2, 3});
  r.input("TEXCOORD", 0, {0, 0});
  r.input("NORMAL", 0, {0, 1, 0});
  r.constants(0, kCamera);
  r.constants(4, {0, 0, 0, 0, 1, 10, 100, -1});
  r.run();
  EXPECT_EQ(r.output("SV_Position"), (Values{4, 2, 6, 6}));
  EXPECT_EQ(r.output("SV_ClipDistance"), (Values{6, 4 + 20 + 600 - 6})); // with (0, 0, 1, 0), row 2 of the camera, and the plane
  // A pixel shader has no clip planes.
  EXPECT_EQ(linker->Link(pixelGraph(module).Get(), "main", "ps_4_0", 0, shader.ReleaseAndGetAddressOf(), messages.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(textOf(messages.Get()), "error X9001: clip planes are for vertex shaders\n");
}

TEST(Link, Errors) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto graph = pixelGraph(module);
  auto instance = instanceOf(module), other = instanceOf(module, "other");
  std::string text;
  struct {
    std::vector<ComPtr<ID3D11ModuleInstance>> libraries;
    const char* target;
    const char* name;
    const char* message;
  } const cases[] = {
      {{}, "ps_5_0", "main", "error X9001: 'Shade' is in none of the libraries\n"},
      {{other}, "ps_5_0", "main", "error X9001: 'Shade' is in none of the libraries\n"},
      {{instance, instanceOf(module)}, "ps_5_0", "main", "error X9001: 'Shade' is in several libraries of one namespace\n"},
      {{instance}, "ps_6_0", "main", "error X3506: unrecognized compiler target 'ps_6_0'\n"},
      {{instance}, "lib_5_0", "main", "error X3506: unrecognized compiler target 'lib_5_0'\n"},
      {{instance}, "cs_5_0", "main", "error X3712: library functions are supported only for pixel and vertex shaders\n"},
      {{instance}, "ps_4_0", "main", "error X9001: a library for 'lib_5_0' cannot be linked into a shader for 'ps_4_0'\n"},
      {{instance}, "ps_5_0", "other", "error X3501: 'other': entrypoint not found\n"},
      {{instanceOf(loadModule("export float4 Shade(float2 a, float2 b) { return a.xyxy; }"))}, "ps_5_0", "main", "error X9001: 'Shade' has other parameters than the function that the graph calls\n"},
  };
  for (const auto& c : cases) {
    linkShader(graph, c.libraries, c.target, &text, c.name);
    EXPECT_EQ(text, c.message);
  }
  linkShader(instance, {}, "ps_5_0", &text, "none");
  EXPECT_EQ(text, "error X3501: 'none': entrypoint not found\n");
  // What a stage cannot do is found when its shader is linked.
  linkShader(graph, {instance}, "vs_5_0", &text);
  EXPECT_NE(text.find("error X"), std::string::npos) << text;
  linkShader(instanceOf(loadModule("export float4 main(float4 a) : SV_Target { return a; }")), {}, "ps_5_0", &text);
  EXPECT_NE(text.find("library.hlsl(1,"), std::string::npos) << text;
  EXPECT_NE(text.find("error X3502"), std::string::npos) << text;
}

TEST(Link, DifferentResourcesInOneSlot) {
  auto module = loadModule("Texture2D<float4> a; TextureCube<float4> b; SamplerState s; export float4 f(float3 p) { return a.Sample(s, p.xy) + b.Sample(s, p); }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindResourceByName("b", 0, 1), S_OK);
  std::string text;
  linkShader(callOf(module, "f", 3), {instance}, "ps_5_0", &text);
  EXPECT_EQ(text, "error X9001: 'a' and 'b' are bound to t0, but have different types\n");
}

TEST(Link, OldSamplersArraysAndMembers) {
  auto module = loadModule("sampler2D old : register(s1); Texture2D<float4> list[3]; struct M { float4 c; Texture2D<float4> t; }; M m; namespace n { Texture2D<float4> inside; }"
                           "export float4 f(float4 v) { return tex2D(old, v.xy) + list[2].Load(int3(0, 0, 0)) * 10 + m.t.Load(int3(0, 0, 0)) * m.c + n::inside.Load(int3(0, 0, 0)) * 1000; }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindSampler(1, 4, 1), S_OK);
  EXPECT_EQ(instance->BindResourceByName("old", 20, 1), S_OK);
  EXPECT_EQ(instance->BindResourceByName("list", 30, 3), S_OK);
  EXPECT_EQ(instance->BindResourceByName("m.t", 40, 1), S_OK);
  EXPECT_EQ(instance->BindResourceByName("inside", 50, 1), S_OK);
  auto shader = linkShader(callOf(module, "f", 4), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "list[2]"), 32u);
  EXPECT_EQ(slotOf(shader.Get(), "m.t"), 40u);
  EXPECT_NE(listingOf(shader.Get()).find("t20.xyzw, s4\n"), std::string::npos) << listingOf(shader.Get());
  ShaderRun r(shader.Get());
  r.input("V", 0, {0, 0, 0, 0});
  r.constants(0, {100, 100, 100, 100});
  r.texture(20, {1, 2, 3, 4});
  r.texture(32, {1, 1, 1, 1});
  r.texture(40, {1, 2, 1, 2});
  r.texture(50, {1, 1, 2, 2});
  r.run();
  EXPECT_EQ(r.output("SV_Target"), (Values{1111, 1212, 2113, 2214}));
}

TEST(Link, TypedBuffersAsUnorderedAccess) {
  auto module = loadModule("Buffer<float> b : register(t3); Texture2D<uint> t; export float4 f(float4 v) { return b[2] + t[uint2(1, 0)] + v; }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindResourceAsUnorderedAccessView(3, 6, 1), S_OK);
  EXPECT_EQ(instance->BindResourceAsUnorderedAccessViewByName("t", 7, 1), S_OK);
  auto shader = linkShader(callOf(module, "f", 4), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  D3D_SHADER_INPUT_TYPE type = D3D_SIT_CBUFFER;
  EXPECT_EQ(slotOf(shader.Get(), "b", &type), 6u);
  EXPECT_EQ(type, D3D_SIT_UAV_RWTYPED);
  EXPECT_EQ(slotOf(shader.Get(), "t", &type), 7u);
  EXPECT_EQ(type, D3D_SIT_UAV_RWTYPED);
  // What views have and unordered access has not is an error where the library says it.
  std::string text;
  auto sampled = loadModule("Texture2D t; SamplerState s; export float4 f(float4 v) { return t.Sample(s, v.xy); }");
  auto wrong = instanceOf(sampled);
  EXPECT_EQ(wrong->BindResourceAsUnorderedAccessView(0, 1, 1), S_OK);
  linkShader(callOf(sampled, "f", 4), {wrong}, "ps_5_0", &text);
  EXPECT_EQ(text.compare(0, 15, "library.hlsl(1,"), 0) << text;
}

TEST(Link, UnorderedAccessAndStaticVariables) {
  auto module = loadModule("RWBuffer<float> u : register(u1); static float4 last = 5; export float4 f(float4 v) { last = last + v; u[0] = last.x; return last; }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  EXPECT_EQ(instance->BindUnorderedAccessView(1, 3, 1), S_OK);
  EXPECT_EQ(instance->BindUnorderedAccessViewByName("u", 4, 1), S_OK);
  auto shader = linkShader(callOf(module, "f", 4), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "u"), 4u);
  // Two calls of one library share its variables.
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4)});
  auto first = g.call(module, "f"), second = g.call(module, "f");
  g.pass(in, 0, first, 0);
  g.pass(in, 0, second, 0);
  auto out = g.outputs({floats("o", "SV_Target0", 4, D3D_PF_OUT)});
  g.pass(second, D3D_RETURN_PARAMETER_INDEX, out, 0);
  shader = linkShader(g.finish(), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.state().uavs[4].dim = ir::ResourceDim::Buffer;
  r.state().uavs[4].texels.resize(1);
  r.run();
  EXPECT_EQ(r.output("SV_Target"), (Values{7, 9, 11, 13}));
}

TEST(Link, UnorderedAccessBehindRenderTargets) {
  auto module = loadModule("RWBuffer<float> u; export float4 f(float4 v) { u[0] = v.x; return v; }");
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  auto shader = linkShader(callOf(module, "f", 4), {instance}, "ps_5_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(slotOf(shader.Get(), "u"), 1u); // u0 in the library, but the shader writes a render target
  EXPECT_EQ(instance->BindUnorderedAccessView(0, 0, 1), S_OK);
  std::string text;
  linkShader(callOf(module, "f", 4), {instance}, "ps_5_0", &text);
  EXPECT_EQ(text, "library.hlsl(1,17): error X4509: UAV registers live in the same name space as outputs, so they must be bound to at least u1, manual bind to slot u0 failed\n");
}

// Libraries keep preprocessed text; what macros put side by side stays apart in it.
TEST(Link, TokensOfMacrosStayApart) {
  auto module = loadModule("#define M -\n#define P +\n#define ONE 1\n#define L <\nexport float4 f(float4 v) { float4 r = v M-v P+v; r.y = (v.x L+2) ? ONE P+ONE : 9; return r; }");
  ASSERT_TRUE(module);
  auto shader = linkShader(callOf(module, "f", 4), {instanceOf(module)}, "ps_5_0");
  ASSERT_TRUE(shader);
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.run();
  EXPECT_EQ(r.output("SV_Target"), (Values{3, 2, 9, 12}));
}

TEST(Link, EqualBuffersOfACommonHeader) {
  const std::string common = "cbuffer Frame : register(b0) { float4 tint; float scale; };";
  auto first = loadModule(common + "export float4 f(float4 v) { return v * tint; }"), second = loadModule(common + "export float4 h(float4 v) { return v * scale; }");
  ASSERT_TRUE(first && second);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4)});
  auto a = g.call(first, "f"), b = g.call(second, "h");
  g.pass(in, 0, a, 0);
  g.pass(a, D3D_RETURN_PARAMETER_INDEX, b, 0);
  auto out = g.outputs({floats("o", "SV_Target0", 4, D3D_PF_OUT)});
  g.pass(b, D3D_RETURN_PARAMETER_INDEX, out, 0);
  auto shader = linkShader(g.finish(), {instanceOf(first), instanceOf(second)}, "ps_5_0");
  ASSERT_TRUE(shader);
  auto reflection = reflectShader(shader.Get());
  D3D11_SHADER_BUFFER_DESC d;
  ASSERT_EQ(reflection->GetConstantBufferByName("Frame")->GetDesc(&d), S_OK);
  EXPECT_EQ(d.Variables, 2u);
  EXPECT_EQ(d.Size, 32u);
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.constants(0, {1, 2, 3, 4, 10});
  r.run();
  EXPECT_EQ(r.output("SV_Target"), (Values{10, 40, 90, 160}));
}

TEST(Link, LibraryAsPrivateDataOfAShader) {
  ComPtr<ID3DBlob> library = compileLibrary("export float4 f(float4 v) { return v; }", "lib_4_0_level_9_3_ps_only"), shader = compileLibrary("float4 main(float4 v : V) : SV_Target { return v; }", "ps_4_0", nullptr, 0, "main");
  ASSERT_TRUE(library && shader);
  ComPtr<ID3DBlob> both, back;
  ASSERT_EQ(D3DSetBlobPart(shader->GetBufferPointer(), shader->GetBufferSize(), D3D_BLOB_PRIVATE_DATA, 0, library->GetBufferPointer(), library->GetBufferSize(), both.GetAddressOf()), S_OK);
  ASSERT_EQ(D3DGetBlobPart(both->GetBufferPointer(), both->GetBufferSize(), D3D_BLOB_PRIVATE_DATA, 0, back.GetAddressOf()), S_OK);
  ComPtr<ID3D11Module> module;
  ASSERT_EQ(D3DLoadModule(back->GetBufferPointer(), back->GetBufferSize(), module.GetAddressOf()), S_OK);
  EXPECT_TRUE(linkShader(callOf(module, "f", 4), {instanceOf(module)}, "ps_4_0_level_9_3"));
  std::string text;
  linkShader(callOf(module, "f", 4), {instanceOf(module)}, "ps_4_0_level_9_1", &text);
  EXPECT_EQ(text, "error X9001: a library for 'lib_4_0_level_9_3_ps_only' cannot be linked into a shader for 'ps_4_0_level_9_1'\n");
}

TEST(Link, MessagesNameTheSource) {
  auto module = loadModule("\n#line 7 \"other.hlsli\"\nexport float4 f(float4 v) { return ddx(v); }");
  ASSERT_TRUE(module);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4)});
  auto f = g.call(module, "f");
  g.pass(in, 0, f, 0);
  auto out = g.outputs({floats("o", "SV_Position", 4, D3D_PF_OUT)});
  g.pass(f, D3D_RETURN_PARAMETER_INDEX, out, 0);
  std::string text;
  linkShader(g.finish(), {instanceOf(module)}, "vs_5_0", &text);
  EXPECT_EQ(text.compare(0, 14, "other.hlsli(7,"), 0) << text;
}

TEST(Link, WrongArguments) {
  auto module = loadModule(kLibrarySource);
  ASSERT_TRUE(module);
  auto instance = instanceOf(module);
  auto graph = pixelGraph(module);
  ComPtr<ID3D11Linker> linker;
  ComPtr<ID3DBlob> shader;
  EXPECT_EQ(D3DCreateLinker(nullptr), E_INVALIDARG);
  ASSERT_EQ(D3DCreateLinker(linker.GetAddressOf()), S_OK);
  EXPECT_EQ(linker->UseLibrary(nullptr), E_INVALIDARG);
  EXPECT_EQ(linker->UseLibrary(graph.Get()), E_INVALIDARG);
  EXPECT_EQ(linker->Link(nullptr, "main", "ps_5_0", 0, shader.GetAddressOf(), nullptr), E_INVALIDARG);
  EXPECT_EQ(linker->Link(graph.Get(), nullptr, "ps_5_0", 0, shader.GetAddressOf(), nullptr), E_INVALIDARG);
  EXPECT_EQ(linker->Link(graph.Get(), "main", nullptr, 0, shader.GetAddressOf(), nullptr), E_INVALIDARG);
  EXPECT_EQ(linker->Link(graph.Get(), "main", "ps_5_0", 0, nullptr, nullptr), E_INVALIDARG);
  ComPtr<ID3D11ModuleInstance> none;
  EXPECT_EQ(module->CreateInstance("", nullptr), E_INVALIDARG);
  for (const char* space : {"a b", "1", "a::b", "a;"}) EXPECT_EQ(module->CreateInstance(space, none.GetAddressOf()), E_INVALIDARG) << space;
  EXPECT_EQ(module->CreateInstance(nullptr, none.GetAddressOf()), S_OK);
  ComPtr<ID3D11Module> m;
  const std::vector<uint8_t> bytes = sampleContainer();
  EXPECT_EQ(D3DLoadModule(nullptr, 10, m.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(D3DLoadModule(bytes.data(), 0, m.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(D3DLoadModule(bytes.data(), bytes.size(), nullptr), E_INVALIDARG);
  EXPECT_EQ(D3DLoadModule(bytes.data(), bytes.size(), m.GetAddressOf()), E_FAIL); // a shader
  EXPECT_EQ(m, nullptr);
  ComPtr<IUnknown> unknown;
  EXPECT_EQ(module->QueryInterface(IID_ID3D11Linker, reinterpret_cast<void**>(unknown.GetAddressOf())), E_NOINTERFACE);
  EXPECT_EQ(module->QueryInterface(IID_ID3D11Module, nullptr), E_POINTER);
  EXPECT_EQ(module.As(&unknown), S_OK);
}

// Changed bytes: not loaded, not linked, or linked to something; never a crash.
TEST(LinkHostile, ChangedBytes) {
  auto module = loadModule(kLibrarySource);
  ComPtr<ID3DBlob> code = compileLibrary(kLibrarySource);
  ASSERT_TRUE(module && code);
  const auto graph = pixelGraph(module);
  const std::vector<uint8_t> good = bytesOf(code.Get());
  const std::string text(good.begin(), good.end());
  const size_t source = text.rfind("LSRC");
  ASSERT_NE(source, std::string::npos);
  uint32_t random = 7, loaded = 0, linked = 0;
  auto next = [&random] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (int i = 0; i < 3000; i++) {
    std::vector<uint8_t> bytes = good;
    for (uint32_t k = 1 + next() % 4; k-- > 0;) bytes[i % 2 ? source + next() % (bytes.size() - source) : next() % bytes.size()] = uint8_t(next());
    ComPtr<ID3D11Module> m;
    if (FAILED(D3DLoadModule(bytes.data(), bytes.size(), m.GetAddressOf()))) continue;
    loaded++;
    ComPtr<ID3D11Linker> linker;
    ASSERT_EQ(D3DCreateLinker(linker.GetAddressOf()), S_OK);
    ASSERT_EQ(linker->UseLibrary(instanceOf(m).Get()), S_OK);
    ComPtr<ID3DBlob> shader, messages;
    const HRESULT hr = linker->Link(graph.Get(), "main", "ps_5_0", 0, shader.GetAddressOf(), messages.GetAddressOf());
    EXPECT_EQ(SUCCEEDED(hr), shader != nullptr);
    EXPECT_TRUE(SUCCEEDED(hr) || messages);
    linked += SUCCEEDED(hr);
  }
  EXPECT_GT(loaded, 1000u);
  EXPECT_GT(linked, 100u);
}
