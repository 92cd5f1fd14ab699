// SPDX-License-Identifier: MIT
// Stands in for libFuzzer where there is none: every file of the given folders goes through the target once, and an input
// that takes longer than --seconds fails.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  double limit = 10;
  size_t inputs = 0, slow = 0;
  for (int i = 1; i < argc; i++) {
    if (std::string_view(argv[i]) == "--seconds" && i + 1 < argc) {
      limit = std::strtod(argv[++i], nullptr);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
      std::fprintf(stderr, "%s\n", entry.path().c_str()); // the last line names the input that crashed
      const auto start = std::chrono::steady_clock::now();
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      inputs++;
      if (seconds <= limit) continue;
      slow++;
      std::fprintf(stderr, "  took %.1f s\n", seconds);
    }
  }
  std::printf("%zu inputs, %zu slow\n", inputs, slow);
  return inputs == 0 || slow ? 1 : 0;
}
