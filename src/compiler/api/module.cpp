// SPDX-License-Identifier: MIT
#include "compiler/api/module.h"

#include "dxbc/rdef.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

constexpr uint32_t kMaxBufferBytes = 65536;

/// Slots of each kind.
uint32_t slotCount(char kind) {
  switch (kind) {
  case 'b': return dxbc::kMaxConstantBuffers - 1;
  case 's': return dxbc::kMaxSamplers;
  case 'u': return dxbc::kMaxUavs;
  default: return dxbc::kMaxResources;
  }
}

char kindOfBinding(uint32_t type) {
  switch (type) {
  case D3D_SIT_CBUFFER: return 'b';
  case D3D_SIT_SAMPLER: return 's';
  case D3D_SIT_TEXTURE:
  case D3D_SIT_STRUCTURED:
  case D3D_SIT_BYTEADDRESS: return 't';
  default: return 'u';
  }
}

/// "name[2]" is how reflection lists an element of an array.
void splitElement(ModuleData::Resource& r) {
  const size_t open = r.name.rfind('[');
  if (open == std::string::npos || r.name.back() != ']') return;
  uint32_t number = 0;
  for (size_t i = open + 1; i + 1 < r.name.size() && number < 4096; i++) number = number * 10 + uint32_t(r.name[i] - '0');
  r.element = std::min(number, r.slot);
  r.name.resize(open);
}

bool readFunction(const dxbc::LibraryFunction& f, ModuleData& data) {
  dxbc::Result<dxbc::Container> container = dxbc::parseContainer(f.container, false);
  if (!container) return false;
  const dxbc::Chunk *parameters = container->find(dxbc::kTagLfs0), *reflection = container->find(dxbc::kTagRdef);
  if (!parameters) return false;
  dxbc::Result<std::vector<dxbc::LibraryParameter>> list = dxbc::parseParameters(parameters->data);
  if (!list) return false;
  data.parameters.push_back(std::move(*list));
  if (!reflection) return true;
  dxbc::Result<dxbc::Rdef> rdef = dxbc::parseRdef(reflection->data);
  if (!rdef) return false;
  for (const dxbc::RdefBinding& b : rdef->bindings) {
    ModuleData::Resource r;
    r.name = b.name;
    r.kind = kindOfBinding(b.type);
    r.slot = b.bindPoint;
    splitElement(r);
    if (r.kind == 'b')
      for (const dxbc::RdefConstantBuffer& cb : rdef->constantBuffers)
        if (cb.name == b.name) r.bytes = cb.size;
    data.resources.push_back(std::move(r));
  }
  return true;
}

} // namespace

const std::vector<dxbc::LibraryParameter>* ModuleData::prototype(std::string_view function) const {
  for (size_t i = 0; i < library.functions.size(); i++)
    if (library.functions[i].name == function) return &parameters[i];
  return nullptr;
}

HRESULT Module::CreateInstance(const char* space, ID3D11ModuleInstance** instance) {
  if (!instance) return E_INVALIDARG;
  *instance = nullptr;
  if (space && *space && !isIdentifier(space)) return E_INVALIDARG;
  return guarded([&] {
    *instance = new ModuleInstance(m_data, space ? space : "");
    return S_OK;
  });
}

/// E_FAIL for places that do not exist, S_FALSE if nothing is there to be bound.
HRESULT ModuleInstance::bind(Rebinding r) {
  if (uint64_t(r.target) + r.count > slotCount(r.to) || r.offset % 16) return E_FAIL;
  if (!m_data) return S_FALSE;
  bool found = false;
  for (const ModuleData::Resource& resource : m_data->resources) {
    if (resource.kind != r.from || resource.slot < r.source || resource.slot - r.source >= r.count) continue;
    if (uint64_t(r.offset) + resource.bytes > kMaxBufferBytes) return E_FAIL;
    found = true;
  }
  if (!found) return S_FALSE;
  return guarded([&] {
    m_rebindings.push_back(r);
    return S_OK;
  });
}

HRESULT ModuleInstance::bindByName(const char* name, Rebinding r) {
  if (!name) return E_INVALIDARG;
  uint32_t source = UINT32_MAX;
  if (m_data)
    for (const ModuleData::Resource& resource : m_data->resources)
      if (resource.kind == r.from && resource.name == name) source = std::min(source, resource.slot - resource.element);
  r.source = source; // the last slot is one that nothing has
  return bind(r);
}

HRESULT ModuleInstance::BindConstantBuffer(UINT source, UINT target, UINT offset) { return bind({'b', 'b', source, 1, target, offset}); }
HRESULT ModuleInstance::BindConstantBufferByName(const char* name, UINT target, UINT offset) { return bindByName(name, {'b', 'b', 0, 1, target, offset}); }
HRESULT ModuleInstance::BindResource(UINT source, UINT target, UINT count) { return bind({'t', 't', source, count, target, 0}); }
HRESULT ModuleInstance::BindResourceByName(const char* name, UINT target, UINT count) { return bindByName(name, {'t', 't', 0, count, target, 0}); }
HRESULT ModuleInstance::BindSampler(UINT source, UINT target, UINT count) { return bind({'s', 's', source, count, target, 0}); }
HRESULT ModuleInstance::BindSamplerByName(const char* name, UINT target, UINT count) { return bindByName(name, {'s', 's', 0, count, target, 0}); }
HRESULT ModuleInstance::BindUnorderedAccessView(UINT source, UINT target, UINT count) { return bind({'u', 'u', source, count, target, 0}); }
HRESULT ModuleInstance::BindUnorderedAccessViewByName(const char* name, UINT target, UINT count) { return bindByName(name, {'u', 'u', 0, count, target, 0}); }
HRESULT ModuleInstance::BindResourceAsUnorderedAccessView(UINT source, UINT target, UINT count) { return bind({'t', 'u', source, count, target, 0}); }
HRESULT ModuleInstance::BindResourceAsUnorderedAccessViewByName(const char* name, UINT target, UINT count) { return bindByName(name, {'t', 'u', 0, count, target, 0}); }

} // namespace monolith::compiler

HRESULT WINAPI D3DLoadModule(const void* bytes, SIZE_T size, ID3D11Module** module) {
  using namespace monolith;
  using namespace monolith::compiler;
  if (!module) return E_INVALIDARG;
  *module = nullptr;
  if (!bytes || !size) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<dxbc::Library> library = dxbc::parseLibrary({static_cast<const uint8_t*>(bytes), size});
    if (!library) return E_FAIL;
    auto data = std::make_shared<ModuleData>();
    data->library = std::move(*library);
    for (const dxbc::LibraryFunction& f : data->library.functions)
      if (!readFunction(f, *data)) return E_FAIL;
    *module = new Module(std::move(data));
    return S_OK;
  });
}
