// SPDX-License-Identifier: MIT
/// @file
/// Helpers of the tests of linking: modules, graphs, and shaders that are run on the interpreter.
#pragma once

#include "backend.h"
#include "d3dcompiler/library_source.h"

#include "dxbc/validate.h"
#include "translate/translate.h"

#include <bit>

namespace monolith::test {

inline ComPtr<ID3D11Module> loadModule(const std::string& source, const char* target = "lib_5_0") {
  ComPtr<ID3D11Module> module;
  ComPtr<ID3DBlob> code = compileLibrary(source, target);
  if (code) {
    EXPECT_EQ(D3DLoadModule(code->GetBufferPointer(), code->GetBufferSize(), module.GetAddressOf()), S_OK);
  }
  return module;
}

inline ComPtr<ID3D11ModuleInstance> instanceOf(const ComPtr<ID3D11Module>& module, const char* space = "") {
  ComPtr<ID3D11ModuleInstance> instance;
  EXPECT_EQ(module->CreateInstance(space, instance.GetAddressOf()), S_OK);
  return instance;
}

/// A parameter of a signature: a vector of floats.
inline D3D11_PARAMETER_DESC floats(const char* name, const char* semantic, UINT columns, D3D_PARAMETER_FLAGS flags = D3D_PF_IN,
                                   D3D_INTERPOLATION_MODE mode = D3D_INTERPOLATION_UNDEFINED) {
  return {name, semantic, D3D_SVT_FLOAT, columns == 1 ? D3D_SVC_SCALAR : D3D_SVC_VECTOR, 1, columns, mode, flags, 0, 0, 0, 0};
}

/// A graph whose calls must succeed.
class GraphBuilder {
public:
  using Node = ComPtr<ID3D11LinkingNode>;
  GraphBuilder() { EXPECT_EQ(D3DCreateFunctionLinkingGraph(0, m_graph.GetAddressOf()), S_OK); }
  ID3D11FunctionLinkingGraph* get() const { return m_graph.Get(); }
  std::string lastError() const {
    ComPtr<ID3DBlob> text;
    EXPECT_EQ(m_graph->GetLastError(text.GetAddressOf()), S_OK);
    return textOf(text.Get());
  }
  Node inputs(std::vector<D3D11_PARAMETER_DESC> list) {
    Node node;
    check(m_graph->SetInputSignature(list.data(), UINT(list.size()), node.GetAddressOf()));
    return node;
  }
  Node outputs(std::vector<D3D11_PARAMETER_DESC> list) {
    Node node;
    check(m_graph->SetOutputSignature(list.data(), UINT(list.size()), node.GetAddressOf()));
    return node;
  }
  Node call(const ComPtr<ID3D11Module>& module, const char* function, const char* space = "") {
    Node node;
    check(m_graph->CallFunction(space, module.Get(), function, node.GetAddressOf()));
    return node;
  }
  void pass(const Node& from, INT fromParameter, const Node& to, INT toParameter) { check(m_graph->PassValue(from.Get(), fromParameter, to.Get(), toParameter)); }
  void pass(const Node& from, INT fromParameter, const char* fromSwizzle, const Node& to, INT toParameter, const char* toSwizzle) {
    check(m_graph->PassValueWithSwizzle(from.Get(), fromParameter, fromSwizzle, to.Get(), toParameter, toSwizzle));
  }
  ComPtr<ID3D11ModuleInstance> finish() {
    ComPtr<ID3D11ModuleInstance> instance;
    ComPtr<ID3DBlob> errors;
    EXPECT_EQ(m_graph->CreateModuleInstance(instance.GetAddressOf(), errors.GetAddressOf()), S_OK) << textOf(errors.Get());
    return instance;
  }

private:
  void check(HRESULT hr) { EXPECT_EQ(hr, S_OK) << lastError(); }
  ComPtr<ID3D11FunctionLinkingGraph> m_graph;
};

/// Links; `error` gets the messages, which otherwise must not be there.
inline ComPtr<ID3DBlob> linkShader(const ComPtr<ID3D11ModuleInstance>& entry, const std::vector<ComPtr<ID3D11ModuleInstance>>& libraries, const char* target,
                                   std::string* error = nullptr, const char* name = "main") {
  ComPtr<ID3D11Linker> linker;
  EXPECT_EQ(D3DCreateLinker(linker.GetAddressOf()), S_OK);
  for (const auto& l : libraries) EXPECT_EQ(linker->UseLibrary(l.Get()), S_OK);
  ComPtr<ID3DBlob> shader, messages;
  const HRESULT hr = linker->Link(entry.Get(), name, target, 0, shader.GetAddressOf(), messages.GetAddressOf());
  EXPECT_EQ(SUCCEEDED(hr), shader != nullptr);
  if (error) {
    EXPECT_EQ(hr, E_FAIL);
    *error = textOf(messages.Get());
  } else {
    EXPECT_EQ(hr, S_OK) << textOf(messages.Get());
  }
  return shader;
}

/// A pixel shader graph that calls one function: input V of `columns` floats, output SV_Target.
inline ComPtr<ID3D11ModuleInstance> callOf(const ComPtr<ID3D11Module>& module, const char* function, UINT columns) {
  GraphBuilder g;
  auto in = g.inputs({floats("v", "V", columns)});
  auto call = g.call(module, function);
  g.pass(in, 0, call, 0);
  auto out = g.outputs({floats("o", "SV_Target0", 4, D3D_PF_OUT)});
  g.pass(call, D3D_RETURN_PARAMETER_INDEX, out, 0);
  return g.finish();
}

/// The instructions of a shader, without declarations of unimportant order and comments.
inline std::string listingOf(ID3DBlob* code) {
  ComPtr<ID3DBlob> text;
  EXPECT_EQ(D3DDisassemble(code->GetBufferPointer(), code->GetBufferSize(), D3D_DISASM_INSTRUCTION_ONLY, nullptr, text.GetAddressOf()), S_OK);
  return textOf(text.Get());
}

inline ComPtr<ID3D11ShaderReflection> reflectShader(ID3DBlob* code) {
  ComPtr<ID3D11ShaderReflection> r;
  EXPECT_EQ(D3DReflect(code->GetBufferPointer(), code->GetBufferSize(), IID_PPV_ARGS(r.GetAddressOf())), S_OK);
  return r;
}

/// Runs a linked shader in one lane.
class ShaderRun {
public:
  explicit ShaderRun(ID3DBlob* code) {
    dxbc::Result<dxbc::Shader> shader = dxbc::loadShader(bytesOf(code));
    EXPECT_TRUE(shader) << shader.error();
    if (!shader) return;
    m_shader = std::move(*shader);
    translate::Result r = translate::translate(m_shader);
    EXPECT_TRUE(r) << r.error;
    m_function = std::move(r.function);
  }
  void input(const char* semantic, uint32_t index, std::vector<float> values) {
    const dxbc::SignatureElement* e = m_shader.inputs.find(semantic, index);
    ASSERT_NE(e, nullptr) << semantic;
    for (size_t i = 0; i < values.size(); i++) m_state.inputs[e->reg * 4 + uint32_t(std::countr_zero(e->mask)) + uint32_t(i)].fill(std::bit_cast<uint32_t>(values[i]));
  }
  void constants(uint32_t slot, const std::vector<float>& values) {
    std::vector<Vec4>& rows = m_state.constants[slot];
    rows.resize((values.size() + 3) / 4);
    for (size_t i = 0; i < values.size(); i++) rows[i / 4][i % 4] = std::bit_cast<uint32_t>(values[i]);
  }
  /// A texture of one texel.
  void texture(uint32_t slot, std::array<float, 4> texel) {
    TestResource& r = m_state.resources[slot];
    r.dim = ir::ResourceDim::Texture2D;
    r.texels = {{std::bit_cast<uint32_t>(texel[0]), std::bit_cast<uint32_t>(texel[1]), std::bit_cast<uint32_t>(texel[2]), std::bit_cast<uint32_t>(texel[3])}};
  }
  ShaderState& state() { return m_state; }
  void run() {
    ASSERT_TRUE(m_function);
    EXPECT_EQ(backends()[0]->run(*m_function, m_state, 1, m_out), "");
  }
  std::vector<float> output(const char* semantic, uint32_t index = 0) const {
    const dxbc::SignatureElement* e = m_shader.outputs.find(semantic, index);
    EXPECT_NE(e, nullptr) << semantic;
    std::vector<float> values;
    for (uint32_t c = 0; e && c < 4; c++)
      if (e->mask >> c & 1) {
        const auto it = m_out.outputs.find(e->reg * 4 + c);
        values.push_back(it == m_out.outputs.end() ? -12345.f : std::bit_cast<float>(it->second[0]));
      }
    return values;
  }

private:
  dxbc::Shader m_shader;
  std::unique_ptr<ir::Function> m_function;
  ShaderState m_state;
  ShaderOutputs m_out;
};

using Values = std::vector<float>;

} // namespace monolith::test
