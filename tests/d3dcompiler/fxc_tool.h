// SPDX-License-Identifier: MIT
/// @file
/// Runs the tool fxc in a folder of its own.
#pragma once

#include "d3dcompiler/shader_bytes.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace monolith::test {

struct ToolRun {
  int code;
  std::string text; ///< stdout and stderr
};

inline ToolRun runTool(const std::string& command) {
  FILE* p = popen((command + " 2>&1").c_str(), "r");
  ToolRun r{-1, ""};
  if (!p) return r;
  char buffer[4096];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, p)) > 0) r.text.append(buffer, n);
  int status = pclose(p);
  r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return r;
}
inline ToolRun fxc(const std::string& arguments) { return runTool(std::string(FXC_PATH) + " " + arguments); }

class FxcTest : public testing::Test {
protected:
  void SetUp() override {
    m_folder = std::filesystem::path(testing::TempDir()) / ("monolith_fxc_" + std::to_string(getpid()));
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }
  std::string path(const std::string& name) { return (m_folder / name).string(); }
  void write(const std::string& name, const void* data, size_t size) {
    std::ofstream(path(name), std::ios::binary).write(static_cast<const char*>(data), std::streamsize(size));
  }
  void write(const std::string& name, const std::string& text) { write(name, text.data(), text.size()); }
  std::string read(const std::string& name) {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::filesystem::path m_folder;
};

} // namespace monolith::test
