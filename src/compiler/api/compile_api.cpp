// SPDX-License-Identifier: MIT
/// @file
/// D3DCompile and its relatives: arguments to CompileRequest, results to blobs.
#include "compiler/api/blob.h"
#include "compiler/api/exports.h"
#include "compiler/api/files.h"

#include "base/log.h"

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

HRESULT compileSource(std::string_view source, const char* name, const D3D_SHADER_MACRO* defines, ID3DInclude* include,
                      const char* entry, const char* target, UINT flags, ID3DBlob** code, ID3DBlob** messages) {
  if (!target || flagsContradict(flags)) return E_INVALIDARG;
  CompileRequest request;
  // Sizes that count a string's terminator are common.
  while (!source.empty() && source.back() == 0) source.remove_suffix(1);
  request.source = source;
  if (name) request.sourceName = name;
  fillDefines(request.defines, defines);
  std::unique_ptr<IncludeHandler> handler = makeInclude(include, request.sourceName);
  request.include = handler.get();
  if (entry) request.entry = entry;
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
  if (secondaryData) monolith::base::logOnce("D3DCompile2: secondary data is ignored");
  (void)flags2; // flags of effects only
  return guarded([&] {
    return compileSource({static_cast<const char*>(data), size}, name, defines, include, entry, target, flags1, code,
                         messages);
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

HRESULT WINAPI D3DLoadModule(const void*, SIZE_T, ID3D11Module** module) {
  if (module) *module = nullptr;
  monolith::base::logOnce("D3DLoadModule: shader linking is not built yet");
  return E_NOTIMPL;
}
