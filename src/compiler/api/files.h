// SPDX-License-Identifier: MIT
/// @file
/// Files and #include for the entry points.
#pragma once

#include "compiler/compile.h"

#include <d3dcommon.h>
#include <windows.h>

#include <map>
#include <memory>

namespace monolith::compiler {

/// UTF-8 of a wide string (WCHAR is 32 bits here).
std::string narrow(const WCHAR* text);
/// Whole file. S_OK, or the code of ERROR_FILE_NOT_FOUND and the like.
HRESULT readFile(const std::string& path, std::vector<uint8_t>& bytes);
HRESULT writeFile(const std::string& path, const void* data, size_t size, bool overwrite);
/// Folder part with its slash; empty if there is none.
std::string folderOf(const std::string& path);

/// What D3D_COMPILE_STANDARD_FILE_INCLUDE stands for: looks beside the root (as Windows does, wherever the including
/// file is), then beside the including file, then in the current folder.
class FileInclude : public IncludeHandler {
public:
  explicit FileInclude(const std::string& rootFile) : m_root(folderOf(rootFile)) {}
  bool open(bool system, const char* name, const void* parentData, const void** data, size_t* bytes) override;
  void close(const void* data) override;

private:
  struct File {
    std::string folder;
    std::vector<uint8_t> bytes;
  };
  std::string m_root;
  std::map<const void*, std::unique_ptr<File>> m_open;
};

/// An application's ID3DInclude.
class ApplicationInclude : public IncludeHandler {
public:
  explicit ApplicationInclude(ID3DInclude* include) : m_include(include) {}
  bool open(bool system, const char* name, const void* parentData, const void** data, size_t* bytes) override;
  void close(const void* data) override;

private:
  ID3DInclude* m_include;
};

/// The handler that an `include` argument stands for; null for null.
std::unique_ptr<IncludeHandler> makeInclude(ID3DInclude* include, const std::string& rootFile);

} // namespace monolith::compiler
