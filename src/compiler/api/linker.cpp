// SPDX-License-Identifier: MIT
/// @file
/// ID3D11Linker: collects instances, hands them to link().
#include "compiler/api/blob.h"
#include "compiler/api/module.h"

#include <wrl/client.h>

#include <algorithm>

namespace monolith::compiler {
namespace {

using Microsoft::WRL::ComPtr;

constexpr UINT kMaxEntries = 4096; ///< registers of a constant buffer

class LinkerObject final : public Unknown<LinkerObject, ID3D11Linker> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x03}};

  HRESULT STDMETHODCALLTYPE Link(ID3D11ModuleInstance* entry, LPCSTR entryName, LPCSTR target, UINT flags, ID3DBlob** shader, ID3DBlob** errors) override {
    if (shader) *shader = nullptr;
    if (errors) *errors = nullptr;
    (void)flags; // reserved
    ModuleInstance* instance = ModuleInstance::from(entry);
    if (!instance || !entryName || !target || !shader) return E_INVALIDARG;
    return guarded([&] { return link(*instance, entryName, target, shader, errors); });
  }

  HRESULT STDMETHODCALLTYPE UseLibrary(ID3D11ModuleInstance* library) override {
    ModuleInstance* instance = ModuleInstance::from(library);
    if (!instance || instance->graph()) return E_INVALIDARG;
    return guarded([&] {
      if (std::none_of(m_libraries.begin(), m_libraries.end(), [instance](const ComPtr<ModuleInstance>& l) { return l.Get() == instance; }))
        m_libraries.push_back(instance);
      return S_OK;
    });
  }

  HRESULT STDMETHODCALLTYPE AddClipPlaneFromCBuffer(UINT slot, UINT entry) override {
    if (slot >= dxbc::kMaxConstantBuffers - 1 || entry >= kMaxEntries) return E_INVALIDARG;
    return guarded([&] {
      m_planes.push_back({slot, entry});
      return S_OK;
    });
  }

private:
  HRESULT link(const ModuleInstance& entry, const char* name, const char* target, ID3DBlob** shader, ID3DBlob** errors) {
    LinkRequest request;
    request.target = target;
    request.entry = name;
    request.graph = entry.graph();
    request.clipPlanes = m_planes;
    if (!request.graph) request.libraries.push_back(entry.linked());
    for (const ComPtr<ModuleInstance>& l : m_libraries)
      if (l.Get() != &entry) request.libraries.push_back(l->linked());
    CompileResult result;
    if (request.graph && request.entry != "main")
      result.messages = "error X3501: '" + request.entry + "': entrypoint not found\n";
    else
      result = compiler::link(request);
    if (errors && !result.messages.empty()) *errors = makeTextBlob(result.messages);
    if (!result.ok) return E_FAIL;
    *shader = makeBlob(std::move(result.container));
    return S_OK;
  }

  std::vector<ComPtr<ModuleInstance>> m_libraries;
  std::vector<ClipPlane> m_planes;
};

} // namespace
} // namespace monolith::compiler

HRESULT WINAPI D3DCreateLinker(ID3D11Linker** linker) {
  using namespace monolith::compiler;
  if (!linker) return E_INVALIDARG;
  *linker = nullptr;
  return guarded([&] {
    *linker = new LinkerObject;
    return S_OK;
  });
}
