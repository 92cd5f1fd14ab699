// SPDX-License-Identifier: MIT
// ID3D11FunctionLinkingGraph: what it accepts, its messages, its source.
#include "d3dcompiler/linked_shader.h"

using namespace monolith;
using namespace monolith::test;

namespace {

constexpr INT kReturn = D3D_RETURN_PARAMETER_INDEX;

/// The library of these tests.
ComPtr<ID3D11Module> module() {
  static const char* const kSource = R"(
export float4 Double(float4 v) { return v * 2; }
export float Sum(float2 v) { return v.x + v.y; }
export void Swap(inout float2 a, inout float2 b) { float2 t = a; a = b; b = t; }
export void Split(float4 v, out float2 low, out float2 high) { low = v.xy; high = v.zw; }
export int Round(float v) { return (int)round(v); }
export float3 Rotate(float3x3 m, float3 v) { return mul(m, v); }
export float3x3 Matrix(float4 v) { return float3x3(v.xyz, v.yzx, v.zxy); }
)";
  return loadModule(kSource);
}

std::vector<D3D11_PARAMETER_DESC> oneInput() { return {floats("v", "V", 4)}; }
std::vector<D3D11_PARAMETER_DESC> oneOutput() { return {floats("o", "SV_Target0", 4, D3D_PF_OUT)}; }

/// Runs the graph as a pixel shader whose input V is 1 2 3 4.
Values run(GraphBuilder& g, const ComPtr<ID3D11Module>& library, const char* space = "") {
  auto shader = linkShader(g.finish(), {instanceOf(library, space)}, "ps_5_0");
  if (!shader) return {};
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.run();
  return r.output("SV_Target");
}

} // namespace

TEST(Graph, InputsStraightToOutputs) {
  GraphBuilder g;
  auto in = g.inputs(oneInput());
  auto out = g.outputs(oneOutput());
  g.pass(in, 0, out, 0);
  auto shader = linkShader(g.finish(), {}, "ps_5_0");
  ASSERT_TRUE(shader);
  ShaderRun r(shader.Get());
  r.input("V", 0, {1, 2, 3, 4});
  r.run();
  EXPECT_EQ(r.output("SV_Target"), (Values{1, 2, 3, 4}));
}

TEST(Graph, CallsInOrderAndNamespaces) {
  auto library = module();
  GraphBuilder g;
  auto in = g.inputs(oneInput());
  auto a = g.call(library, "Double", "space"), b = g.call(library, "Double", "space");
  g.pass(in, 0, a, 0);
  g.pass(a, kReturn, b, 0);
  auto out = g.outputs(oneOutput());
  g.pass(b, kReturn, out, 0);
  EXPECT_EQ(run(g, library, "space"), (Values{4, 8, 12, 16}));
}

TEST(Graph, Swizzles) {
  auto library = module();
  GraphBuilder g;
  auto in = g.inputs(oneInput());
  auto sum = g.call(library, "Sum");
  g.pass(in, 0, "wy", sum, 0, "xy");
  auto out = g.outputs(oneOutput());
  g.pass(in, 0, "zx", out, 0, "xw");
  g.pass(sum, kReturn, "x", out, 0, "y");
  g.pass(in, 0, "g", out, 0, "b");
  EXPECT_EQ(run(g, library), (Values{3, 6, 2, 1}));
}

TEST(Graph, OutAndInoutParametersAndMatrices) {
  auto library = module();
  {
    GraphBuilder g;
    auto in = g.inputs(oneInput());
    auto split = g.call(library, "Split"), swap = g.call(library, "Swap");
    g.pass(in, 0, split, 0);
    g.pass(split, 1, swap, 0);
    g.pass(split, 2, swap, 1);
    auto out = g.outputs(oneOutput());
    g.pass(swap, 0, "xy", out, 0, "xy");
    g.pass(swap, 1, "xy", out, 0, "zw");
    EXPECT_EQ(run(g, library), (Values{3, 4, 1, 2}));
  }
  GraphBuilder g;
  auto in = g.inputs(oneInput());
  auto matrix = g.call(library, "Matrix"), rotate = g.call(library, "Rotate");
  g.pass(in, 0, matrix, 0);
  g.pass(matrix, kReturn, rotate, 0);
  g.pass(in, 0, "xyz", rotate, 1, "xyz");
  auto out = g.outputs(oneOutput());
  g.pass(rotate, kReturn, "xyz", out, 0, "xyz");
  g.pass(in, 0, "w", out, 0, "w");
  EXPECT_EQ(run(g, library), (Values{14, 11, 11, 4})); // 1 2 3, 2 3 1, 3 1 2 times 1 2 3
}

TEST(Graph, InterpolationAndTypesOfTheSignature) {
  auto library = module();
  GraphBuilder g;
  auto in = g.inputs({floats("a", "A", 4, D3D_PF_IN, D3D_INTERPOLATION_LINEAR_NOPERSPECTIVE), floats("b", "B2", 4, D3D_PF_IN, D3D_INTERPOLATION_CONSTANT)});
  auto out = g.outputs({floats("o", "SV_Target0", 4, D3D_PF_OUT), {"i", "SV_Target1", D3D_SVT_INT, D3D_SVC_SCALAR, 1, 1, D3D_INTERPOLATION_UNDEFINED, D3D_PF_OUT, 0, 0, 0, 0}});
  auto round = g.call(library, "Round");
  g.pass(in, 0, out, 0);
  g.pass(in, 1, "z", round, 0, "x");
  g.pass(round, kReturn, out, 1);
  auto shader = linkShader(g.finish(), {instanceOf(library)}, "ps_5_0");
  ASSERT_TRUE(shader);
  const std::string listing = listingOf(shader.Get());
  EXPECT_NE(listing.find("dcl_input_ps linear noperspective v0.xyzw\n"), std::string::npos) << listing;
  EXPECT_NE(listing.find("dcl_input_ps constant v1.z\n"), std::string::npos) << listing;
  auto reflection = reflectShader(shader.Get());
  D3D11_SIGNATURE_PARAMETER_DESC d;
  ASSERT_EQ(reflection->GetInputParameterDesc(1, &d), S_OK);
  EXPECT_STREQ(d.SemanticName, "B");
  EXPECT_EQ(d.SemanticIndex, 2u);
  ASSERT_EQ(reflection->GetOutputParameterDesc(1, &d), S_OK);
  EXPECT_EQ(d.ComponentType, D3D_REGISTER_COMPONENT_SINT32);
  EXPECT_EQ(d.Mask, 1);
}

TEST(Graph, SourceGivesTheSameShader) {
  auto library = module();
  ASSERT_TRUE(library);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4, D3D_PF_IN, D3D_INTERPOLATION_LINEAR_CENTROID)});
  auto twice = g.call(library, "Double", "space"), split = g.call(library, "Split", "space");
  g.pass(in, 0, twice, 0);
  g.pass(twice, kReturn, split, 0);
  auto out = g.outputs(oneOutput());
  g.pass(split, 1, "yx", out, 0, "zw");
  g.pass(split, 2, "xy", out, 0, "xy");
  ComPtr<ID3DBlob> text;
  ASSERT_EQ(g.get()->GenerateHlsl(0, text.GetAddressOf()), S_OK) << g.lastError();
  const std::string source = textOf(text.Get());
  EXPECT_NE(source.find("namespace space { float4 Double(in float4); }\n"), std::string::npos) << source;
  EXPECT_NE(source.find("  in centroid float4 in_v : V,\n  out float4 out_o : SV_Target0)\n"), std::string::npos) << source;
  const std::string whole = source + "namespace space { float4 Double(float4 v) { return v * 2; } void Split(float4 v, out float2 low, out float2 high) { low = v.xy; high = v.zw; } }";
  ComPtr<ID3DBlob> byText = compileLibrary(whole, "ps_5_0", nullptr, 0, "main");
  auto linked = linkShader(g.finish(), {instanceOf(library, "space")}, "ps_5_0");
  ASSERT_TRUE(byText && linked);
  EXPECT_EQ(listingOf(byText.Get()), listingOf(linked.Get()));
  EXPECT_EQ(g.get()->GenerateHlsl(1, text.ReleaseAndGetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->GenerateHlsl(0, nullptr), E_INVALIDARG);
}

TEST(Graph, WhatCannotBePassed) {
  auto library = module();
  ASSERT_TRUE(library);
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", 4), floats("s", "S", 2)});
  auto twice = g.call(library, "Double"), sum = g.call(library, "Sum"), split = g.call(library, "Split"), round = g.call(library, "Round");
  auto out = g.outputs(oneOutput());
  struct {
    const GraphBuilder::Node& from;
    INT fromParameter;
    const char* fromSwizzle;
    const GraphBuilder::Node& to;
    INT toParameter;
    const char* toSwizzle;
    const char* message;
  } const cases[] = {
      {in, 2, nullptr, twice, 0, nullptr, "the source node has no parameter 2"},
      {in, -1, nullptr, twice, 0, nullptr, "the source node has no parameter -1"},
      {in, INT_MAX, nullptr, twice, 0, nullptr, "the source node has no parameter 2147483647"},
      {in, 0, nullptr, twice, 1, nullptr, "the destination node has no parameter 1"},
      {in, 0, nullptr, twice, -1, nullptr, "'Double', return value is no input"},
      {in, 0, nullptr, split, 1, nullptr, "'Split', parameter 'low' is no input"},
      {twice, 0, nullptr, out, 0, nullptr, "'Double', parameter 'v' is no output"},
      {split, -1, nullptr, out, 0, nullptr, "'Split', return value is no output"},
      {out, 0, nullptr, twice, 0, nullptr, "'o' is no output"},
      {in, 0, nullptr, in, 1, nullptr, "'s' is no input"},
      {sum, -1, nullptr, twice, 0, nullptr, "'Double', parameter 'v': the value comes from a later call"},
      {twice, -1, nullptr, twice, 0, nullptr, "'Double', parameter 'v': the value comes from a later call"},
      {in, 1, nullptr, twice, 0, nullptr, "cannot pass 's' to 'Double', parameter 'v': the types 'float2' and 'float4' differ"},
      {round, -1, nullptr, out, 0, nullptr, "cannot pass 'Round', return value to 'o': the types 'int' and 'float4' differ"},
      {round, -1, "x", out, 0, "x", "cannot pass 'Round', return value to 'o': the swizzled types differ"},
      {in, 1, "xyz", twice, 0, "xyz", "cannot pass 's' to 'Double', parameter 'v': invalid source swizzle 'xyz'"},
      {in, 0, "xg", twice, 0, "xy", "cannot pass 'v' to 'Double', parameter 'v': invalid source swizzle 'xg'"},
      {in, 0, "xy", twice, 0, "xx", "cannot pass 'v' to 'Double', parameter 'v': invalid destination swizzle 'xx'"},
      {in, 0, "xy", twice, 0, "xyz", "cannot pass 'v' to 'Double', parameter 'v': the swizzled types differ"},
      {in, 0, "xyzwx", twice, 0, "xyzw", "cannot pass 'v' to 'Double', parameter 'v': invalid source swizzle 'xyzwx'"},
      {in, 0, "; }", twice, 0, "xyz", "cannot pass 'v' to 'Double', parameter 'v': invalid source swizzle '; }'"},
  };
  for (const auto& c : cases) {
    const HRESULT hr = c.fromSwizzle ? g.get()->PassValueWithSwizzle(c.from.Get(), c.fromParameter, c.fromSwizzle, c.to.Get(), c.toParameter, c.toSwizzle)
                                     : g.get()->PassValue(c.from.Get(), c.fromParameter, c.to.Get(), c.toParameter);
    EXPECT_EQ(hr, E_FAIL) << c.message;
    EXPECT_EQ(g.lastError(), std::string("error X9001: ") + c.message + "\n");
  }
  GraphBuilder other;
  auto foreign = other.inputs(oneInput());
  EXPECT_EQ(g.get()->PassValue(foreign.Get(), 0, twice.Get(), 0), E_INVALIDARG);
  EXPECT_EQ(g.get()->PassValue(nullptr, 0, twice.Get(), 0), E_INVALIDARG);
  EXPECT_EQ(g.get()->PassValueWithSwizzle(in.Get(), 0, nullptr, twice.Get(), 0, "x"), E_INVALIDARG);
  EXPECT_EQ(g.get()->PassValueWithSwizzle(in.Get(), 0, "", twice.Get(), 0, "x"), E_INVALIDARG);
  // After a call that works there is no message.
  EXPECT_EQ(g.get()->PassValue(in.Get(), 0, twice.Get(), 0), S_OK);
  EXPECT_EQ(g.lastError(), "");
}

TEST(Graph, Signatures) {
  struct {
    D3D11_PARAMETER_DESC desc;
    const char* message;
  } const cases[] = {
      {floats(nullptr, "V", 4), "the name of parameter 0 of the input signature is no identifier"},
      {floats("a b", "V", 4), "the name of parameter 0 of the input signature is no identifier"},
      {floats("1", "V", 4), "the name of parameter 0 of the input signature is no identifier"},
      {floats("v", nullptr, 4), "input signature, parameter 'v': invalid semantic"},
      {floats("v", "V); x", 4), "input signature, parameter 'v': invalid semantic"},
      {floats("v", "V", 5), "input signature, parameter 'v': invalid type"},
      {floats("v", "V", 0), "input signature, parameter 'v': invalid type"},
      {{"v", "V", D3D_SVT_TEXTURE2D, D3D_SVC_OBJECT, 1, 1, D3D_INTERPOLATION_UNDEFINED, D3D_PF_IN, 0, 0, 0, 0}, "input signature, parameter 'v': invalid type"},
      {{"v", "V", D3D_SVT_DOUBLE, D3D_SVC_SCALAR, 1, 1, D3D_INTERPOLATION_UNDEFINED, D3D_PF_IN, 0, 0, 0, 0}, "input signature, parameter 'v': invalid type"},
      {{"v", "V", D3D_SVT_FLOAT, D3D_SVC_VECTOR, 2, 4, D3D_INTERPOLATION_UNDEFINED, D3D_PF_IN, 0, 0, 0, 0}, "input signature, parameter 'v': invalid type"},
      {floats("v", "V", 4, D3D_PF_IN, D3D_INTERPOLATION_MODE(8)), "input signature, parameter 'v': invalid interpolation mode"},
  };
  for (const auto& c : cases) {
    GraphBuilder g;
    GraphBuilder::Node node;
    EXPECT_EQ(g.get()->SetInputSignature(&c.desc, 1, node.GetAddressOf()), E_FAIL) << c.message;
    EXPECT_EQ(node, nullptr);
    EXPECT_EQ(g.lastError(), std::string("error X9001: ") + c.message + "\n");
  }
  GraphBuilder g;
  GraphBuilder::Node node;
  const D3D11_PARAMETER_DESC twice[] = {floats("a", "V", 4), floats("b", "v", 4)};
  EXPECT_EQ(g.get()->SetInputSignature(twice, 2, node.GetAddressOf()), E_FAIL);
  EXPECT_EQ(g.lastError(), "error X9001: input signature, parameter 'b': name or semantic is there already\n");
  EXPECT_EQ(g.get()->SetInputSignature(nullptr, 1, node.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->SetInputSignature(twice, 1, nullptr), E_INVALIDARG);
  EXPECT_EQ(g.get()->SetInputSignature(twice, UINT_MAX, node.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->SetInputSignature(twice, 1, node.GetAddressOf()), S_OK);
  EXPECT_EQ(g.get()->SetInputSignature(twice, 1, node.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(g.lastError(), "error X9001: the input signature is set already\n");
  EXPECT_EQ(g.get()->SetOutputSignature(twice, 1, node.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(g.get()->SetOutputSignature(twice, 1, node.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(g.lastError(), "error X9001: the output signature is set already\n");
}

TEST(Graph, CallsThatFail) {
  auto library = module();
  ASSERT_TRUE(library);
  GraphBuilder g;
  GraphBuilder::Node node;
  EXPECT_EQ(g.get()->CallFunction("", library.Get(), "None", node.GetAddressOf()), E_FAIL);
  EXPECT_EQ(g.lastError(), "error X9001: the module has no function 'None'\n");
  EXPECT_EQ(g.get()->CallFunction("", nullptr, "Sum", node.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->CallFunction("", library.Get(), nullptr, node.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->CallFunction("", library.Get(), "Sum", nullptr), E_INVALIDARG);
  EXPECT_EQ(g.get()->CallFunction("a b", library.Get(), "Sum", node.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(g.get()->CallFunction(nullptr, library.Get(), "Sum", node.GetAddressOf()), S_OK);
  const D3D11_PARAMETER_DESC late = floats("v", "V", 4);
  EXPECT_EQ(g.get()->SetInputSignature(&late, 1, node.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_EQ(g.lastError(), "error X9001: the input signature must be set before functions are called\n");
}

TEST(Graph, IncompleteGraphs) {
  auto library = module();
  ASSERT_TRUE(library);
  auto refused = [](GraphBuilder& g, const char* message) {
    ComPtr<ID3D11ModuleInstance> instance;
    ComPtr<ID3DBlob> errors;
    EXPECT_EQ(g.get()->CreateModuleInstance(instance.GetAddressOf(), errors.GetAddressOf()), E_FAIL);
    EXPECT_EQ(instance, nullptr);
    EXPECT_EQ(textOf(errors.Get()), std::string("error X9001: ") + message + "\n");
    EXPECT_EQ(g.lastError(), textOf(errors.Get()));
    EXPECT_EQ(g.get()->GenerateHlsl(0, errors.ReleaseAndGetAddressOf()), E_FAIL);
    EXPECT_EQ(g.get()->CreateModuleInstance(nullptr, nullptr), E_INVALIDARG);
  };
  GraphBuilder g;
  refused(g, "the input signature is not set");
  auto in = g.inputs(oneInput());
  refused(g, "the output signature is not set");
  auto out = g.outputs(oneOutput());
  refused(g, "'o' gets no value");
  g.pass(in, 0, "xyz", out, 0, "xyz");
  refused(g, "'o' gets only a part of its value");
  g.pass(in, 0, "w", out, 0, "w");
  auto sum = g.call(library, "Sum");
  refused(g, "'Sum', parameter 'v' gets no value");
  g.pass(in, 0, "xy", sum, 0, "xy");
  EXPECT_TRUE(g.finish());
}

TEST(Graph, InstancesHaveNoResourcesAndOutliveTheGraph) {
  ComPtr<ID3D11ModuleInstance> instance;
  {
    GraphBuilder g;
    auto in = g.inputs(oneInput());
    auto out = g.outputs(oneOutput());
    g.pass(in, 0, out, 0);
    instance = g.finish();
    g.pass(in, 0, "x", out, 0, "y"); // not in the instance any more
  }
  ASSERT_TRUE(instance);
  EXPECT_EQ(instance->BindConstantBuffer(0, 0, 0), S_FALSE);
  EXPECT_EQ(instance->BindResourceByName("x", 0, 1), S_FALSE);
  auto shader = linkShader(instance, {}, "ps_4_0");
  ASSERT_TRUE(shader);
  EXPECT_EQ(listingOf(shader.Get()), "ps_4_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\nret \n");
}

TEST(Graph, Creation) {
  ComPtr<ID3D11FunctionLinkingGraph> g;
  EXPECT_EQ(D3DCreateFunctionLinkingGraph(0, nullptr), E_INVALIDARG);
  EXPECT_EQ(D3DCreateFunctionLinkingGraph(1, g.GetAddressOf()), E_INVALIDARG);
  ASSERT_EQ(D3DCreateFunctionLinkingGraph(0, g.GetAddressOf()), S_OK);
  ComPtr<IUnknown> unknown;
  EXPECT_EQ(g.As(&unknown), S_OK);
  EXPECT_EQ(g->QueryInterface(IID_ID3D11Linker, reinterpret_cast<void**>(unknown.ReleaseAndGetAddressOf())), E_NOINTERFACE);
  EXPECT_EQ(g->GetLastError(nullptr), E_INVALIDARG);
}
