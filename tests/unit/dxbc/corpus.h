// SPDX-License-Identifier: MIT
/// @file
/// The collection of real containers, if the build was given its folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace monolith::test {

inline std::vector<uint8_t> readFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All containers, sorted by name; empty without the folder.
inline std::vector<std::filesystem::path> corpusFiles() {
  std::vector<std::filesystem::path> files;
  std::filesystem::path folder = std::filesystem::path(MONOLITH_SHARED_DIR) / "data/dxbc";
  if (std::string_view(MONOLITH_SHARED_DIR).empty() || !std::filesystem::is_directory(folder)) return files;
  for (const auto& e : std::filesystem::directory_iterator(folder))
    if (e.path().extension() == ".dxbc") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  return files;
}

#define SKIP_WITHOUT_CORPUS(files)                                                                                     \
  if ((files).empty()) GTEST_SKIP() << "needs the container collection (MONOLITH_SHARED_DIR)"

} // namespace monolith::test
