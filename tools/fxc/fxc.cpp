// SPDX-License-Identifier: MIT
// fxc: the command-line compiler for HLSL, with the options, messages and exit codes of the tool of that name.
#include "options.h"
#include "output.h"

#include <d3dcompiler.h>
#include <wrl/client.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

using namespace fxc;
using Microsoft::WRL::ComPtr;

namespace {

std::string textOf(ID3DBlob* blob) {
  if (!blob) return {};
  std::string s(static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize());
  while (!s.empty() && s.back() == 0) s.pop_back();
  return s;
}

std::string_view bytesOf(ID3DBlob* blob) {
  return {static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize()};
}

std::string folderOf(const std::string& path) {
  size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// #include: beside the including file, beside the source, then the folders of /I.
class Includes final : public ID3DInclude {
public:
  Includes(const Options& options) : m_options(options), m_root(folderOf(options.input)) {}

  HRESULT STDMETHODCALLTYPE Open(D3D_INCLUDE_TYPE, const char* name, const void* parent, const void** data,
                                 UINT* bytes) override {
    std::string file = name;
    std::replace(file.begin(), file.end(), '\\', '/');
    std::vector<std::string> folders;
    if (file[0] == '/') {
      folders.push_back("");
    } else {
      if (auto it = m_open.find(parent); it != m_open.end()) folders.push_back(it->second->folder);
      folders.push_back(m_root);
      for (const std::string& f : m_options.includeFolders) folders.push_back(f.empty() ? f : f + "/");
      folders.push_back("");
    }
    for (const std::string& folder : folders) {
      auto opened = std::make_unique<File>();
      if (m_options.showIncludes) std::printf("Opening file [%s%s], stack top [%s]\n", folder.c_str(), file.c_str(), m_root.c_str());
      if (!readFile(folder + file, opened->bytes)) continue;
      opened->folder = folderOf(folder + file);
      *bytes = UINT(opened->bytes.size());
      opened->bytes.push_back(0);
      *data = opened->bytes.data();
      const void* key = *data;
      m_open[key] = std::move(opened);
      return S_OK;
    }
    return E_FAIL;
  }
  HRESULT STDMETHODCALLTYPE Close(const void* data) override {
    m_open.erase(data);
    return S_OK;
  }

private:
  struct File {
    std::string folder;
    std::vector<uint8_t> bytes;
  };
  const Options& m_options;
  std::string m_root;
  std::map<const void*, std::unique_ptr<File>> m_open;
};

int fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 1;
}
int failToOpen(const std::string& file) { return fail("failed to open file: " + file + " (" + std::strerror(errno) + ")"); }
int failToWrite(const std::string& file) { return fail("failed to write file: " + file + " (" + std::strerror(errno) + ")"); }

class Compilation {
public:
  explicit Compilation(const Options& options) : m_options(options), m_includes(options) {}

  int run() {
    std::vector<uint8_t> source;
    if (std::string problem = outputProblem(m_options); !problem.empty()) return fail(problem);
    if (!readFile(m_options.input, source)) return failToOpen(m_options.input);
    if (source.empty()) source.push_back('\n'); // an empty file has no entry point, but is no wrong use
    for (const auto& [name, value] : m_options.defines) m_macros.push_back({name.c_str(), value.c_str()});
    m_macros.push_back({nullptr, nullptr});
    if (!m_options.preprocessFile.empty()) return preprocess(source);
    if (m_options.dump) {
      m_code = nullptr;
      if (FAILED(D3DCreateBlob(source.size(), m_code.GetAddressOf()))) return fail("out of memory");
      std::copy(source.begin(), source.end(), static_cast<uint8_t*>(m_code->GetBufferPointer()));
    } else if (int code = compile(source)) {
      return code;
    }
    if (!m_options.debugFile.empty()) writeDebugFile();
    if (int code = finishBlob()) return code;
    return write();
  }

private:
  /// Warnings and errors: to the file of /Fe, else to stderr.
  void message(const std::string& text) {
    if (text.empty()) return;
    if (m_options.errorFile.empty() || !writeFile(m_options.errorFile, text)) std::fputs(text.c_str(), stderr);
  }

  int preprocess(const std::vector<uint8_t>& source) {
    ComPtr<ID3DBlob> text, messages;
    HRESULT hr = D3DPreprocess(source.data(), source.size(), m_options.input.c_str(), m_macros.data(), &m_includes,
                               text.GetAddressOf(), messages.GetAddressOf());
    message(textOf(messages.Get()));
    if (FAILED(hr)) return fail("\npreprocessing failed; no code produced");
    if (!writeFile(m_options.preprocessFile, textOf(text.Get())))
      return failToWrite(m_options.preprocessFile);
    return 0;
  }

  int compile(const std::vector<uint8_t>& source) {
    if (m_options.target.empty()) return fail("No target profile specified; use /T");
    ComPtr<ID3DBlob> messages;
    HRESULT hr = D3DCompile2(source.data(), source.size(), m_options.input.c_str(), m_macros.data(), &m_includes,
                             m_options.entry.c_str(), m_options.target.c_str(), m_options.flags, 0, 0, nullptr, 0,
                             m_code.GetAddressOf(), messages.GetAddressOf());
    message(textOf(messages.Get()));
    if (hr == E_INVALIDARG && !messages) return fail("invalid combination of options");
    if (FAILED(hr)) return fail("\ncompilation failed; no code produced");
    return 0;
  }

  /// /Fd, before anything is stripped. A shader without debug information is no error: builds ask for it always.
  void writeDebugFile() {
    ComPtr<ID3DBlob> blob;
    for (D3D_BLOB_PART which : {D3D_BLOB_PDB, D3D_BLOB_DEBUG_INFO})
      if (SUCCEEDED(D3DGetBlobPart(m_code->GetBufferPointer(), m_code->GetBufferSize(), which, 0, blob.ReleaseAndGetAddressOf()))) {
        if (!writeFile(m_options.debugFile, bytesOf(blob.Get())))
          failToWrite(m_options.debugFile);
        return;
      }
    std::fprintf(stderr, "warning: no debug information; %s is not written\n", m_options.debugFile.c_str());
  }

  /// Stripping and private data.
  int finishBlob() {
    if (m_options.stripFlags) {
      ComPtr<ID3DBlob> stripped;
      if (FAILED(D3DStripShader(m_code->GetBufferPointer(), m_code->GetBufferSize(), m_options.stripFlags,
                                stripped.GetAddressOf())))
        return fail("failed to strip the shader");
      m_code = stripped;
    }
    if (!m_options.setPrivateFile.empty()) {
      std::vector<uint8_t> data;
      if (!readFile(m_options.setPrivateFile, data)) return failToOpen(m_options.setPrivateFile);
      ComPtr<ID3DBlob> with;
      if (FAILED(D3DSetBlobPart(m_code->GetBufferPointer(), m_code->GetBufferSize(), D3D_BLOB_PRIVATE_DATA, 0,
                                data.data(), data.size(), with.GetAddressOf())))
        return fail("failed to set private data");
      m_code = with;
    }
    return 0;
  }

  bool listing(std::string& text) {
    UINT flags = (m_options.instructionNumbers ? D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING : 0) |
                 (m_options.byteOffsets ? D3D_DISASM_ENABLE_INSTRUCTION_OFFSET : 0) |
                 (m_options.hexLiterals ? D3D_DISASM_PRINT_HEX_LITERALS : 0);
    ComPtr<ID3DBlob> blob;
    if (FAILED(D3DDisassemble(m_code->GetBufferPointer(), m_code->GetBufferSize(), flags, nullptr, blob.GetAddressOf())))
      return false;
    text = textOf(blob.Get());
    return true;
  }

  int part(D3D_BLOB_PART which, const std::string& file, const char* what) {
    ComPtr<ID3DBlob> blob;
    if (FAILED(D3DGetBlobPart(m_code->GetBufferPointer(), m_code->GetBufferSize(), which, 0, blob.GetAddressOf())))
      return fail(std::string("the shader has no ") + what);
    return writeFile(file, bytesOf(blob.Get())) ? 0 : failToWrite(file);
  }

  int write() {
    std::string text;
    bool needsText = !m_options.listingFile.empty() || !m_options.headerFile.empty() ||
                     (m_options.objectFile.empty() && m_options.getPrivateFile.empty() && m_options.debugFile.empty());
    if (needsText && !listing(text)) return fail("failed to disassemble: " + m_options.input);
    if (!m_options.objectFile.empty()) {
      if (!writeFile(m_options.objectFile, bytesOf(m_code.Get())))
        return failToWrite(m_options.objectFile);
      std::printf("compilation object save succeeded; see %s\n", m_options.objectFile.c_str());
    }
    if (!m_options.listingFile.empty()) {
      if (!writeFile(m_options.listingFile, text)) return failToWrite(m_options.listingFile);
      std::printf("compilation code save succeeded; see %s\n", m_options.listingFile.c_str());
    }
    if (!m_options.headerFile.empty()) {
      std::string name = m_options.variableName.empty() ? "g_" + m_options.entry : m_options.variableName;
      std::string header = headerText(text, name, static_cast<const uint8_t*>(m_code->GetBufferPointer()),
                                      m_code->GetBufferSize());
      if (!writeFile(m_options.headerFile, header)) return failToWrite(m_options.headerFile);
      std::printf("compilation header save succeeded; see %s\n", m_options.headerFile.c_str());
    }
    if (!m_options.getPrivateFile.empty())
      if (int code = part(D3D_BLOB_PRIVATE_DATA, m_options.getPrivateFile, "private data")) return code;
    if (needsText && m_options.listingFile.empty() && m_options.headerFile.empty()) std::fputs(text.c_str(), stdout);
    return 0;
  }

  const Options& m_options;
  Includes m_includes;
  std::vector<D3D_SHADER_MACRO> m_macros;
  ComPtr<ID3DBlob> m_code;
};

} // namespace

int main(int argc, char** argv) {
  Options options;
  std::string error = parseOptions(std::vector<std::string>(argv + 1, argv + argc), options);
  if (options.logo) std::fputs("Monolith Direct3D Shader Compiler\n\n", stdout);
  if (!error.empty()) return fail(error + ", use /? to get usage information");
  if (options.help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (options.input.empty()) return fail("No files specified, use /? to get usage information");
  return Compilation(options).run();
}
