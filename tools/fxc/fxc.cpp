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
#include <functional>
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
  Includes(const Options& options) : m_options(options), m_root(folderOf(options.input())) {}

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
      nameFirst(wholePath(folder + file), opened->bytes);
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
  /// Has the text begin with its file's name, so that messages say where it was found.
  static void nameFirst(const std::string& path, std::vector<uint8_t>& text) {
    if (path.find_first_of("\"\\\n") != std::string::npos) return;
    const std::string line = "#line 1 \"" + path + "\"\n";
    const bool mark = text.size() >= 3 && text[0] == 0xef && text[1] == 0xbb && text[2] == 0xbf; // of UTF-8
    text.insert(text.begin() + (mark ? 3 : 0), line.begin(), line.end());
  }
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
  explicit Compilation(const Options& options) : m_options(options), m_input(options.input()), m_includes(options) {}

  int run() {
    if (std::string problem = outputProblem(m_options); !problem.empty()) return fail(problem);
    if (m_options.compress) return compress();
    if (m_options.decompress) return decompress();
    if (m_options.files.size() > 1) return fail("Multiple input files: " + m_options.files[0] + " and " + m_options.files[1]);
    std::vector<uint8_t> source;
    if (!readFile(m_input, source)) return failToOpen(m_input);
    if (source.empty()) source.push_back('\n'); // an empty file has no entry point, but is no wrong use
    for (const auto& [name, value] : m_options.defines) m_macros.push_back({name.c_str(), value.c_str()});
    m_macros.push_back({nullptr, nullptr});
    if (!m_options.preprocessFile.empty()) return preprocess(source);
    if (m_options.dump)
      m_code = blobOf(source);
    else if (int code = compile(source))
      return code;
    if (!m_options.debugFile.empty())
      if (int code = writeDebugFile()) return code;
    if (int code = finishBlob()) return code;
    return write();
  }

private:
  static ComPtr<ID3DBlob> blobOf(const std::vector<uint8_t>& bytes) {
    ComPtr<ID3DBlob> blob;
    if (SUCCEEDED(D3DCreateBlob(bytes.size(), blob.GetAddressOf())))
      std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(blob->GetBufferPointer()));
    return blob;
  }

  /// Warnings and errors: to the file of /Fe, else to stderr.
  void message(const std::string& text) {
    if (text.empty()) return;
    if (m_options.errorFile.empty() || !writeFile(m_options.errorFile, text)) std::fputs(text.c_str(), stderr);
  }

  int preprocess(const std::vector<uint8_t>& source) {
    ComPtr<ID3DBlob> text, messages;
    HRESULT hr = D3DPreprocess(source.data(), source.size(), wholePath(m_input).c_str(), m_macros.data(), &m_includes,
                               text.GetAddressOf(), messages.GetAddressOf());
    message(textOf(messages.Get()));
    if (FAILED(hr)) return fail("\npreprocessing failed; no code produced");
    if (!writeFile(m_options.preprocessFile, textOf(text.Get())))
      return failToWrite(m_options.preprocessFile);
    return 0;
  }

  int compile(const std::vector<uint8_t>& source) {
    if (m_options.target.empty()) return fail("No target profile specified; use /T");
    std::vector<uint8_t> shaderTemplate;
    if (!m_options.templateFile.empty() && !readFile(m_options.templateFile, shaderTemplate)) return failToOpen(m_options.templateFile);
    if (m_options.templateFlags && shaderTemplate.empty()) return fail("/mergeUAVs and /matchUAVs need a template; use /shtemplate");
    const std::string& entry = m_options.entry;
    ComPtr<ID3DBlob> messages;
    HRESULT hr = D3DCompile2(source.data(), source.size(), wholePath(m_input).c_str(), m_macros.data(), &m_includes,
                             entry.empty() ? nullptr : entry.c_str(), m_options.target.c_str(), m_options.flags, m_options.effectFlags,
                             m_options.templateFlags, shaderTemplate.empty() ? nullptr : shaderTemplate.data(),
                             shaderTemplate.size(), m_code.GetAddressOf(), messages.GetAddressOf());
    message(textOf(messages.Get()));
    if (hr == E_INVALIDARG && !messages) return fail("invalid combination of options");
    if (FAILED(hr)) return fail("\ncompilation failed; no code produced");
    return 0;
  }

  /// /compress: all inputs into one file.
  int compress() {
    if (m_options.objectFile.empty()) return fail("/compress needs an output file; use /Fo");
    std::vector<std::vector<uint8_t>> files;
    for (const std::string& name : m_options.files)
      if (!readFile(name, files.emplace_back())) return failToOpen(name);
    std::vector<D3D_SHADER_DATA> shaders;
    for (const auto& f : files) shaders.push_back({f.data(), f.size()});
    if (FAILED(D3DCompressShaders(UINT(shaders.size()), shaders.data(), D3D_COMPRESS_SHADER_KEEP_ALL_PARTS, m_code.GetAddressOf())))
      return fail("failed to compress: not all inputs are compiled shaders");
    return save(m_options.objectFile, bytesOf(m_code.Get()), "object");
  }

  /// /decompress: the first file into those behind it.
  int decompress() {
    std::vector<uint8_t> packed;
    if (!readFile(m_input, packed)) return failToOpen(m_input);
    UINT total = 0;
    if (packed.empty() || FAILED(D3DDecompressShaders(packed.data(), packed.size(), 0, 0, nullptr, 0, nullptr, &total)))
      return fail("failed to decompress: " + m_input);
    const size_t outputs = m_options.files.size() - 1;
    if (outputs != total)
      return fail(m_input + " holds " + std::to_string(total) + " shaders, but " + std::to_string(outputs) + " output files are named");
    for (UINT i = 0; i < total; i++) {
      ComPtr<ID3DBlob> shader;
      if (FAILED(D3DDecompressShaders(packed.data(), packed.size(), 1, i, nullptr, 0, shader.GetAddressOf(), nullptr)))
        return fail("failed to decompress: " + m_input);
      if (int code = save(m_options.files[i + 1], bytesOf(shader.Get()), "object")) return code;
    }
    return 0;
  }

  bool getPart(D3D_BLOB_PART which, ComPtr<ID3DBlob>& blob) {
    return SUCCEEDED(D3DGetBlobPart(m_code->GetBufferPointer(), m_code->GetBufferSize(), which, 0, blob.ReleaseAndGetAddressOf()));
  }
  bool setPart(D3D_BLOB_PART which, const std::vector<uint8_t>& data) {
    ComPtr<ID3DBlob> with;
    if (FAILED(D3DSetBlobPart(m_code->GetBufferPointer(), m_code->GetBufferSize(), which, 0, data.data(), data.size(), with.GetAddressOf())))
      return false;
    m_code = with;
    return true;
  }

  /// /Fd, before anything is stripped. A shader without debug information is no error: builds ask for it always.
  int writeDebugFile() {
    ComPtr<ID3DBlob> blob;
    for (D3D_BLOB_PART which : {D3D_BLOB_PDB, D3D_BLOB_DEBUG_INFO})
      if (getPart(which, blob)) return save(m_options.debugFile, bytesOf(blob.Get()), "debug information");
    std::fprintf(stderr, "warning: no debug information; %s is not written\n", m_options.debugFile.c_str());
    return 0;
  }

  /// Stripping, private data and root signature.
  int finishBlob() {
    if (m_options.stripFlags) {
      ComPtr<ID3DBlob> stripped;
      if (FAILED(D3DStripShader(m_code->GetBufferPointer(), m_code->GetBufferSize(), m_options.stripFlags,
                                stripped.GetAddressOf())))
        return fail("failed to strip the shader");
      m_code = stripped;
    }
    std::vector<uint8_t> data;
    if (!m_options.setPrivateFile.empty()) {
      if (!readFile(m_options.setPrivateFile, data)) return failToOpen(m_options.setPrivateFile);
      if (!setPart(D3D_BLOB_PRIVATE_DATA, data)) return fail("failed to set private data");
    }
    if (!m_options.setRootSignatureFile.empty()) {
      data.clear();
      if (!readFile(m_options.setRootSignatureFile, data)) return failToOpen(m_options.setRootSignatureFile);
      if (data.empty() || !setPart(D3D_BLOB_ROOT_SIGNATURE, data)) return fail("failed to set the root signature: " + m_options.setRootSignatureFile + " holds none");
    }
    return 0;
  }

  bool listing(std::string& text) {
    UINT flags = D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS |
                 (m_options.instructionNumbers ? D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING : 0) |
                 (m_options.byteOffsets ? D3D_DISASM_ENABLE_INSTRUCTION_OFFSET : 0) |
                 (m_options.hexLiterals ? D3D_DISASM_PRINT_HEX_LITERALS : 0) |
                 (m_options.colours ? D3D_DISASM_ENABLE_COLOR_CODE : 0);
    ComPtr<ID3DBlob> blob;
    if (FAILED(D3DDisassemble(m_code->GetBufferPointer(), m_code->GetBufferSize(), flags, nullptr, blob.GetAddressOf())))
      return false;
    text = textOf(blob.Get());
    return true;
  }

  int save(const std::string& file, std::string_view bytes, const char* what) {
    if (!writeFile(file, bytes)) return failToWrite(file);
    std::printf("compilation %s save succeeded; see %s\n", what, file.c_str());
    return 0;
  }

  int part(D3D_BLOB_PART which, const std::string& file, const char* what) {
    ComPtr<ID3DBlob> blob;
    if (!getPart(which, blob)) return fail(std::string("the shader has no ") + what);
    return writeFile(file, bytesOf(blob.Get())) ? 0 : failToWrite(file);
  }

  int write() {
    const Options& o = m_options;
    const bool needsText = !o.listingFile.empty() || !o.headerFile.empty() || !o.hexFile.empty();
    const bool prints = !needsText && o.objectFile.empty() && o.libraryFile.empty() && o.getPrivateFile.empty() &&
                        o.extractRootSignatureFile.empty() && o.debugFile.empty();
    std::string text;
    if ((needsText || prints) && !listing(text)) return fail("failed to disassemble: " + m_input);
    const std::string_view code = bytesOf(m_code.Get());
    const auto* bytes = static_cast<const uint8_t*>(m_code->GetBufferPointer());
    const std::string name = o.variableName.empty() ? "g_" + (o.entry.empty() ? "main" : o.entry) : o.variableName;
    struct Output {
      const std::string& file;
      const char* what;
      std::function<std::string()> make;
    };
    const Output outputs[] = {{o.objectFile, "object", [&] { return std::string(code); }},
                              {o.libraryFile, "library", [&] { return std::string(code); }},
                              {o.listingFile, "code", [&] { return text; }},
                              {o.hexFile, "code and hex", [&] { return text + hexText(bytes, code.size()); }},
                              {o.headerFile, "header", [&] { return headerText(text, name, bytes, code.size()); }}};
    for (const Output& out : outputs)
      if (!out.file.empty())
        if (int result = save(out.file, out.make(), out.what)) return result;
    if (!o.getPrivateFile.empty())
      if (int result = part(D3D_BLOB_PRIVATE_DATA, o.getPrivateFile, "private data")) return result;
    if (!o.extractRootSignatureFile.empty())
      if (int result = part(D3D_BLOB_ROOT_SIGNATURE, o.extractRootSignatureFile, "root signature")) return result;
    if (prints) std::fputs(text.c_str(), stdout);
    return 0;
  }

  const Options& m_options;
  const std::string m_input;
  Includes m_includes;
  std::vector<D3D_SHADER_MACRO> m_macros;
  ComPtr<ID3DBlob> m_code;
};

/// What is asked for but cannot be had here; empty if nothing.
std::string refusal(const Options& o) {
  if (!o.verifyRootSignatureFile.empty()) return "/verifyrootsignature is for Direct3D 12 only and is not supported";
  if (!o.rootSignatureVersion.empty() && o.rootSignatureVersion != "rootsig_1_0" && o.rootSignatureVersion != "rootsig_1_1")
    return "Unknown root signature version " + o.rootSignatureVersion;
  if (o.target.compare(0, 7, "rootsig") == 0) return "root signature targets are for Direct3D 12 only and are not supported";
  return {};
}

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
  if (options.files.empty()) return fail("No files specified, use /? to get usage information");
  if (std::string text = refusal(options); !text.empty()) return fail(text);
  return Compilation(options).run();
}
