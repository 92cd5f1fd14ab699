// SPDX-License-Identifier: MIT
// Mistakes and their messages as data: every errors/*.txt. "--- target [ok]", source, "===", messages without file name.
#include "d3dcompiler/shader_bytes.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

using namespace monolith::test;

namespace {

struct Case {
  std::string target, source, messages;
  bool ok = false;
  unsigned line = 0;
};

std::vector<Case> readCases(const std::filesystem::path& path) {
  std::vector<Case> cases;
  std::ifstream in(path);
  bool expected = false;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    number++;
    if (line.compare(0, 4, "--- ") == 0) {
      std::istringstream head(line.substr(4));
      std::string word;
      cases.emplace_back();
      head >> cases.back().target >> word;
      cases.back().ok = word == "ok";
      cases.back().line = number;
      expected = false;
    } else if (line == "===") {
      expected = true;
    } else if (!cases.empty()) {
      (expected ? cases.back().messages : cases.back().source) += line + "\n";
    }
  }
  return cases;
}

/// Message lines without the file name (and without lines that are no messages of the compiler's).
std::string plain(const std::string& text) {
  const std::string name = "t.hlsl(";
  std::string out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (const size_t at = line.find(name); at != std::string::npos) line = line.substr(at + name.size() - 1);
    if (line.find("error X") != std::string::npos || line.find("warning X") != std::string::npos) out += line + "\n";
  }
  return out;
}

TEST(ErrorFiles, numbersPlacesAndTexts) {
  size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(ERROR_FILES)) {
    for (const Case& c : readCases(file.path())) {
      count++;
      ComPtr<ID3DBlob> code, messages;
      const HRESULT hr = D3DCompile(c.source.data(), c.source.size(), "t.hlsl", nullptr, D3D_COMPILE_STANDARD_FILE_INCLUDE, "main", c.target.c_str(), 0, 0,
                                    code.GetAddressOf(), messages.GetAddressOf());
      const std::string text = messages ? std::string(static_cast<const char*>(messages->GetBufferPointer())) : std::string();
      EXPECT_EQ(SUCCEEDED(hr), c.ok) << file.path().filename() << ":" << c.line << "\n" << c.source << text;
      EXPECT_EQ(plain(text), c.messages) << file.path().filename() << ":" << c.line << "\n" << c.source;
    }
  }
  EXPECT_GT(count, 200u);
}

} // namespace
