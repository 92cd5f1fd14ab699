// SPDX-License-Identifier: MIT
#include "compiler/api/files.h"

#include <d3dcompiler.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>

namespace monolith::compiler {
namespace {

HRESULT codeOfErrno(int error) {
  switch (error) {
  case ENOENT: return HRESULT_FROM_WIN32(2);  // ERROR_FILE_NOT_FOUND
  case ENOTDIR: return HRESULT_FROM_WIN32(3); // ERROR_PATH_NOT_FOUND
  case EACCES:
  case EISDIR: return HRESULT_FROM_WIN32(5); // ERROR_ACCESS_DENIED
  case EEXIST: return HRESULT_FROM_WIN32(80); // ERROR_FILE_EXISTS
  case ENOMEM: return E_OUTOFMEMORY;
  default: return E_FAIL;
  }
}

/// Invalid code points become U+FFFD.
void appendUtf8(std::string& out, uint32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xc0 | (c >> 6));
    out += char(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += char(0xe0 | (c >> 12));
    out += char(0x80 | ((c >> 6) & 0x3f));
    out += char(0x80 | (c & 0x3f));
  } else {
    out += char(0xf0 | (c >> 18));
    out += char(0x80 | ((c >> 12) & 0x3f));
    out += char(0x80 | ((c >> 6) & 0x3f));
    out += char(0x80 | (c & 0x3f));
  }
}

} // namespace

std::string narrow(const WCHAR* text) {
  std::string out;
  for (; text && *text; text++) appendUtf8(out, uint32_t(*text));
  return out;
}

HRESULT readFile(const std::string& path, std::vector<uint8_t>& bytes) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return codeOfErrno(errno);
  if (S_ISDIR(info.st_mode)) return codeOfErrno(EISDIR);
  FILE* f = std::fopen(path.c_str(), "rb");
  if (!f) return codeOfErrno(errno);
  bytes.clear();
  uint8_t buffer[16384];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, f)) > 0) bytes.insert(bytes.end(), buffer, buffer + n);
  bool failed = std::ferror(f) != 0;
  std::fclose(f);
  return failed ? E_FAIL : S_OK;
}

HRESULT writeFile(const std::string& path, const void* data, size_t size, bool overwrite) {
  FILE* f = std::fopen(path.c_str(), overwrite ? "wb" : "wbx");
  if (!f) return codeOfErrno(errno);
  bool ok = size == 0 || std::fwrite(data, 1, size, f) == size;
  ok = std::fclose(f) == 0 && ok;
  return ok ? S_OK : E_FAIL;
}

std::string folderOf(const std::string& path) {
  size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

bool FileInclude::open(bool, const char* name, const void* parentData, const void** data, size_t* bytes) {
  std::string file = name ? name : "";
  std::replace(file.begin(), file.end(), '\\', '/');
  std::vector<std::string> folders;
  if (!file.empty() && file[0] == '/') {
    folders = {""};
  } else {
    folders.push_back(m_root);
    if (auto it = m_open.find(parentData); parentData && it != m_open.end()) folders.push_back(it->second->folder);
    folders.push_back("");
  }
  for (const std::string& folder : folders) {
    auto opened = std::make_unique<File>();
    if (readFile(folder + file, opened->bytes) != S_OK) continue;
    opened->folder = folderOf(folder + file);
    opened->bytes.push_back(0); // so that empty files have an address of their own
    *data = opened->bytes.data();
    *bytes = opened->bytes.size() - 1;
    const void* key = *data;
    m_open[key] = std::move(opened);
    return true;
  }
  return false;
}

void FileInclude::close(const void* data) { m_open.erase(data); }

bool ApplicationInclude::open(bool system, const char* name, const void* parentData, const void** data,
                              size_t* bytes) {
  UINT size = 0;
  const void* text = nullptr;
  HRESULT hr = m_include->Open(system ? D3D_INCLUDE_SYSTEM : D3D_INCLUDE_LOCAL, name, parentData, &text, &size);
  if (FAILED(hr) || (!text && size)) return false;
  *data = text;
  *bytes = size;
  return true;
}

void ApplicationInclude::close(const void* data) { m_include->Close(data); }

std::unique_ptr<IncludeHandler> makeInclude(ID3DInclude* include, const std::string& rootFile) {
  if (!include) return nullptr;
  if (include == D3D_COMPILE_STANDARD_FILE_INCLUDE) return std::make_unique<FileInclude>(rootFile);
  return std::make_unique<ApplicationInclude>(include);
}

} // namespace monolith::compiler
