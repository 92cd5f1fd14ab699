// SPDX-License-Identifier: MIT
/// @file
/// D3DCompile and its relatives: arguments to CompileRequest, results to blobs.
#include "compiler/api/blob.h"
#include "compiler/api/exports.h"
#include "compiler/api/files.h"
#include "compiler/target.h"

#include "dxbc/container.h"
#include "dxbc/rdef.h"

using namespace monolith::compiler;

namespace {

void clear(ID3DBlob** blob) {
  if (blob) *blob = nullptr;
}

void fillDefines(std::vector<MacroDefinition>& out, const D3D_SHADER_MACRO* defines) {
  for (; defines && defines->Name; defines++)
    out.push_back({defines->Name, defines->Definition ? defines->Definition : ""});
}

/// Contradicting flags are refused before anything is compiled.
bool flagsContradict(UINT flags) {
  auto both = [flags](UINT a, UINT b) { return (flags & a) && (flags & b); };
  return both(D3DCOMPILE_PACK_MATRIX_ROW_MAJOR, D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR) ||
         both(D3DCOMPILE_AVOID_FLOW_CONTROL, D3DCOMPILE_PREFER_FLOW_CONTROL) ||
         both(D3DCOMPILE_ENABLE_STRICTNESS, D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY);
}

void handMessages(const std::string& messages, ID3DBlob** blob) {
  if (blob && !messages.empty()) *blob = makeTextBlob(messages);
}

/// The slots for unordered access of a compiled shader; false if it is none.
bool readTemplate(const void* data, SIZE_T size, std::vector<TemplateSlot>& slots) {
  using namespace monolith;
  dxbc::Result<dxbc::Container> container = dxbc::parseContainer({static_cast<const uint8_t*>(data), size}, false);
  const dxbc::Chunk* chunk = container ? container->find(dxbc::kTagRdef) : nullptr;
  if (!chunk) return false;
  dxbc::Result<dxbc::Rdef> rdef = dxbc::parseRdef(chunk->data);
  if (!rdef) return false;
  for (const dxbc::RdefBinding& b : rdef->bindings) {
    const bool uav = b.type == D3D_SIT_UAV_RWTYPED || b.type == D3D_SIT_UAV_RWSTRUCTURED || (b.type >= D3D_SIT_UAV_RWBYTEADDRESS && b.type <= D3D_SIT_UAV_RWSTRUCTURED_WITH_COUNTER);
    if (!uav) continue;
    // Elements of an array are listed one by one.
    const std::string name = b.name.substr(0, b.name.find('['));
    TemplateSlot* last = slots.empty() ? nullptr : &slots.back();
    if (last && last->name == name && name != b.name && last->slot + last->count == b.bindPoint)
      last->count += b.bindCount;
    else
      slots.push_back({name, b.bindPoint, b.bindCount});
  }
  return true;
}

HRESULT compileSource(std::string_view source, const char* name, const D3D_SHADER_MACRO* defines, ID3DInclude* include,
                      const char* entry, const char* target, UINT flags, ID3DBlob** code, ID3DBlob** messages,
                      CompileRequest request = {}) {
  if (!target || flagsContradict(flags)) return E_INVALIDARG;
  // Sizes that count a string's terminator are common.
  while (!source.empty() && source.back() == 0) source.remove_suffix(1);
  request.source = source;
  if (name) request.sourceName = name;
  fillDefines(request.defines, defines);
  std::unique_ptr<IncludeHandler> handler = makeInclude(include, request.sourceName);
  request.include = handler.get();
  if (entry || isLibraryTarget(target)) request.entry = entry ? entry : "";
  request.target = target;
  request.flags = flags;
  CompileResult result = compile(request);
  handMessages(result.messages, messages);
  if (!result.ok) return E_FAIL;
  if (code) *code = makeBlob(std::move(result.container));
  return S_OK;
}

} // namespace

HRESULT WINAPI D3DCompile2(const void* data, SIZE_T size, const char* name, const D3D_SHADER_MACRO* defines,
                           ID3DInclude* include, const char* entry, const char* target, UINT flags1, UINT flags2,
                           UINT secondaryFlags, const void* secondaryData, SIZE_T secondarySize, ID3DBlob** code,
                           ID3DBlob** messages) {
  clear(code);
  clear(messages);
  if (!data) return E_INVALIDARG;
  if (!secondaryData && (secondaryFlags || secondarySize)) return E_INVALIDARG;
  constexpr UINT kKnown = D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS | D3DCOMPILE_SECDATA_PRESERVE_TEMPLATE_SLOTS | D3DCOMPILE_SECDATA_REQUIRE_TEMPLATE_MATCH;
  if (secondaryFlags & ~kKnown) return E_INVALIDARG;
  (void)flags2; // flags of effects only
  return guarded([&] {
    CompileRequest request;
    if (secondaryData && !readTemplate(secondaryData, secondarySize, request.templateSlots)) return E_INVALIDARG;
    request.templateFlags = secondaryFlags;
    if (secondaryData && !secondaryFlags) request.templateFlags = kPreserveTemplateSlots;
    return compileSource({static_cast<const char*>(data), size}, name, defines, include, entry, target, flags1, code,
                         messages, std::move(request));
  });
}

HRESULT WINAPI D3DCompile(const void* data, SIZE_T size, const char* name, const D3D_SHADER_MACRO* defines,
                          ID3DInclude* include, const char* entry, const char* target, UINT flags1, UINT flags2,
                          ID3DBlob** code, ID3DBlob** messages) {
  return D3DCompile2(data, size, name, defines, include, entry, target, flags1, flags2, 0, nullptr, 0, code, messages);
}

HRESULT WINAPI D3DCompileFromFile(const WCHAR* fileName, const D3D_SHADER_MACRO* defines, ID3DInclude* include,
                                  const char* entry, const char* target, UINT flags1, UINT flags2, ID3DBlob** code,
                                  ID3DBlob** messages) {
  clear(code);
  clear(messages);
  if (!fileName) return E_INVALIDARG;
  (void)flags2;
  return guarded([&] {
    std::string path = narrow(fileName);
    std::vector<uint8_t> bytes;
    if (HRESULT hr = readFile(path, bytes); FAILED(hr)) return hr;
    std::string_view source(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return compileSource(source, path.c_str(), defines, include, entry, target, flags1, code, messages);
  });
}

HRESULT WINAPI D3DPreprocess(const void* data, SIZE_T size, const char* name, const D3D_SHADER_MACRO* defines,
                             ID3DInclude* include, ID3DBlob** text, ID3DBlob** messages) {
  clear(text);
  clear(messages);
  if (!data || !text) return E_INVALIDARG;
  return guarded([&] {
    CompileRequest request;
    request.source = {static_cast<const char*>(data), size};
    if (name) request.sourceName = name;
    fillDefines(request.defines, defines);
    std::unique_ptr<IncludeHandler> handler = makeInclude(include, request.sourceName);
    request.include = handler.get();
    PreprocessResult result = preprocess(request);
    handMessages(result.messages, messages);
    if (!result.ok) return E_FAIL;
    *text = makeTextBlob(result.text);
    return S_OK;
  });
}
