// SPDX-License-Identifier: MIT
/// @file
/// Loaded libraries and their instances.
#pragma once

#include "compiler/api/unknown.h"
#include "compiler/library/link.h"

#include <memory>

namespace monolith::compiler {

/// A library with what is known of its functions. Shared by all instances; never changes.
struct ModuleData {
  struct Resource {
    std::string name;
    char kind = 0; ///< b, t, s, u
    uint32_t slot = 0;
    uint32_t element = 0; ///< of an array
    uint32_t bytes = 0; ///< constant buffers
  };
  dxbc::Library library;
  std::vector<std::vector<dxbc::LibraryParameter>> parameters; ///< by function
  std::vector<Resource> resources;

  /// Null if there is no such function.
  const std::vector<dxbc::LibraryParameter>* prototype(std::string_view function) const;
};

class Module final : public Unknown<Module, ID3D11Module> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x01}};
  explicit Module(std::shared_ptr<const ModuleData> data) : m_data(std::move(data)) {}
  HRESULT STDMETHODCALLTYPE CreateInstance(const char* space, ID3D11ModuleInstance** instance) override;
  const ModuleData& data() const { return *m_data; }

private:
  std::shared_ptr<const ModuleData> m_data;
};

/// Of a library or of a graph, which has no resources.
class ModuleInstance final : public Unknown<ModuleInstance, ID3D11ModuleInstance> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x02}};
  ModuleInstance(std::shared_ptr<const ModuleData> data, std::string space) : m_data(std::move(data)), m_space(std::move(space)) {}
  explicit ModuleInstance(std::shared_ptr<const Graph> graph) : m_graph(std::move(graph)) {}

  HRESULT STDMETHODCALLTYPE BindConstantBuffer(UINT source, UINT target, UINT offset) override;
  HRESULT STDMETHODCALLTYPE BindConstantBufferByName(const char* name, UINT target, UINT offset) override;
  HRESULT STDMETHODCALLTYPE BindResource(UINT source, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindResourceByName(const char* name, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindSampler(UINT source, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindSamplerByName(const char* name, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindUnorderedAccessView(UINT source, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindUnorderedAccessViewByName(const char* name, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindResourceAsUnorderedAccessView(UINT source, UINT target, UINT count) override;
  HRESULT STDMETHODCALLTYPE BindResourceAsUnorderedAccessViewByName(const char* name, UINT target, UINT count) override;

  /// Null for a library.
  const Graph* graph() const { return m_graph.get(); }
  LinkedLibrary linked() const { return {&m_data->library, m_space, m_rebindings}; }

private:
  HRESULT bind(Rebinding rebinding);
  HRESULT bindByName(const char* name, Rebinding rebinding);

  std::shared_ptr<const ModuleData> m_data;
  std::shared_ptr<const Graph> m_graph;
  std::string m_space;
  std::vector<Rebinding> m_rebindings;
};

} // namespace monolith::compiler
