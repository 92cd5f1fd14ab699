// SPDX-License-Identifier: MIT
/// @file
/// ID3D11FunctionLinkingGraph: arguments to Graph, its messages to GetLastError.
#include "compiler/api/blob.h"
#include "compiler/api/module.h"

namespace monolith::compiler {
namespace {

class Node final : public Unknown<Node, ID3D11LinkingNode> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x04}};
  Node(std::shared_ptr<const Graph> graph, uint32_t index) : m_graph(std::move(graph)), m_index(index) {}
  const Graph* graph() const { return m_graph.get(); }
  uint32_t index() const { return m_index; }

private:
  std::shared_ptr<const Graph> m_graph; ///< tells to which one the node belongs
  uint32_t m_index;
};

class GraphObject final : public Unknown<GraphObject, ID3D11FunctionLinkingGraph> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x05}};

  HRESULT STDMETHODCALLTYPE CreateModuleInstance(ID3D11ModuleInstance** instance, ID3DBlob** errors) override {
    if (errors) *errors = nullptr;
    if (!instance) return E_INVALIDARG;
    *instance = nullptr;
    return guarded([&] {
      if (HRESULT hr = done(m_graph->check()); FAILED(hr)) {
        if (errors) *errors = makeTextBlob(m_error);
        return hr;
      }
      *instance = new ModuleInstance(std::make_shared<const Graph>(*m_graph));
      return S_OK;
    });
  }
  HRESULT STDMETHODCALLTYPE SetInputSignature(const D3D11_PARAMETER_DESC* parameters, UINT count, ID3D11LinkingNode** node) override {
    return setSignature(true, parameters, count, node);
  }
  HRESULT STDMETHODCALLTYPE SetOutputSignature(const D3D11_PARAMETER_DESC* parameters, UINT count, ID3D11LinkingNode** node) override {
    return setSignature(false, parameters, count, node);
  }

  HRESULT STDMETHODCALLTYPE CallFunction(LPCSTR space, ID3D11Module* module, LPCSTR function, ID3D11LinkingNode** node) override {
    if (node) *node = nullptr;
    Module* from = Module::from(module);
    if (!node || !from || !function || (space && *space && !isIdentifier(space))) return done("invalid argument of CallFunction", E_INVALIDARG);
    return guarded([&] {
      const std::vector<dxbc::LibraryParameter>* prototype = from->data().prototype(function);
      if (!prototype) return done("the module has no function '" + std::string(function) + "'");
      uint32_t index = 0;
      const HRESULT hr = done(m_graph->call(space ? space : "", function, *prototype, index));
      if (SUCCEEDED(hr)) *node = new Node(m_graph, index);
      return hr;
    });
  }

  HRESULT STDMETHODCALLTYPE PassValue(ID3D11LinkingNode* source, INT sourceParameter, ID3D11LinkingNode* target, INT targetParameter) override {
    return pass(source, sourceParameter, "", target, targetParameter, "");
  }
  HRESULT STDMETHODCALLTYPE PassValueWithSwizzle(ID3D11LinkingNode* source, INT sourceParameter, LPCSTR sourceSwizzle, ID3D11LinkingNode* target,
                                                 INT targetParameter, LPCSTR targetSwizzle) override {
    if (!sourceSwizzle || !targetSwizzle || !*sourceSwizzle || !*targetSwizzle) return done("a swizzle is missing", E_INVALIDARG);
    return pass(source, sourceParameter, sourceSwizzle, target, targetParameter, targetSwizzle);
  }

  HRESULT STDMETHODCALLTYPE GetLastError(ID3DBlob** errors) override {
    if (!errors) return E_INVALIDARG;
    *errors = nullptr;
    return guarded([&] {
      if (!m_error.empty()) *errors = makeTextBlob(m_error);
      return S_OK;
    });
  }

  HRESULT STDMETHODCALLTYPE GenerateHlsl(UINT flags, ID3DBlob** text) override {
    if (!text) return E_INVALIDARG;
    *text = nullptr;
    if (flags) return done("the flags of GenerateHlsl are reserved", E_INVALIDARG);
    return guarded([&] {
      const HRESULT hr = done(m_graph->check());
      if (SUCCEEDED(hr)) *text = makeTextBlob(m_graph->hlsl());
      return hr;
    });
  }

private:
  /// Keeps the message of a call for GetLastError.
  HRESULT done(const std::string& message, HRESULT failure = E_FAIL) {
    return guarded([&] {
      m_error = message.empty() ? message : "error X9001: " + message + "\n";
      return message.empty() ? S_OK : failure;
    });
  }

  HRESULT setSignature(bool inputs, const D3D11_PARAMETER_DESC* parameters, UINT count, ID3D11LinkingNode** node) {
    constexpr UINT kMost = 1024; // far above the registers of any stage
    if (node) *node = nullptr;
    if (!node || (count && !parameters) || count > kMost) return done("invalid argument of a signature", E_INVALIDARG);
    return guarded([&] {
      std::vector<dxbc::LibraryParameter> list;
      for (UINT i = 0; i < count; i++) {
        const D3D11_PARAMETER_DESC& d = parameters[i];
        dxbc::LibraryParameter p;
        p.name = d.Name ? d.Name : "";
        p.semantic = d.SemanticName ? d.SemanticName : "";
        p.type = uint32_t(d.Type);
        p.typeClass = uint32_t(d.Class);
        p.rows = d.Rows;
        p.columns = d.Columns;
        p.interpolation = uint32_t(d.InterpolationMode);
        list.push_back(std::move(p));
      }
      uint32_t index = 0;
      const HRESULT hr = done(m_graph->setSignature(inputs, std::move(list), index));
      if (SUCCEEDED(hr)) *node = new Node(m_graph, index);
      return hr;
    });
  }

  HRESULT pass(ID3D11LinkingNode* source, INT sourceParameter, const char* sourceSwizzle, ID3D11LinkingNode* target, INT targetParameter, const char* targetSwizzle) {
    const Node *from = Node::from(source), *to = Node::from(target);
    if (!from || !to || from->graph() != m_graph.get() || to->graph() != m_graph.get()) return done("a node does not belong to this graph", E_INVALIDARG);
    return guarded([&] { return done(m_graph->pass({from->index(), to->index(), 0, 0, sourceSwizzle, targetSwizzle}, sourceParameter, targetParameter)); });
  }

  std::shared_ptr<Graph> m_graph = std::make_shared<Graph>();
  std::string m_error;
};

} // namespace
} // namespace monolith::compiler

HRESULT WINAPI D3DCreateFunctionLinkingGraph(UINT flags, ID3D11FunctionLinkingGraph** graph) {
  using namespace monolith::compiler;
  if (!graph) return E_INVALIDARG;
  *graph = nullptr;
  if (flags) return E_INVALIDARG;
  return guarded([&] {
    *graph = new GraphObject;
    return S_OK;
  });
}
