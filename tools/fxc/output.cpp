// SPDX-License-Identifier: MIT
#include "output.h"

#include <cstdio>

namespace fxc {

bool readFile(const std::string& path, std::vector<uint8_t>& bytes) {
  FILE* f = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!f) return false;
  uint8_t buffer[16384];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, f)) > 0) bytes.insert(bytes.end(), buffer, buffer + n);
  bool ok = !std::ferror(f);
  if (f != stdin) std::fclose(f);
  return ok;
}

bool writeFile(const std::string& path, std::string_view bytes) {
  FILE* f = std::fopen(path.c_str(), "wb");
  if (!f) return false;
  bool ok = std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
  return std::fclose(f) == 0 && ok;
}

std::string headerText(const std::string& listing, const std::string& variable, const uint8_t* bytes, size_t size) {
  constexpr size_t kPerLine = 6;
  std::string out = "#if 0\n" + listing + "#endif\n\nconst BYTE " + variable + "[] =\n{\n";
  for (size_t i = 0; i < size; i++) {
    if (i % kPerLine == 0) out += "    ";
    char number[16];
    std::snprintf(number, sizeof number, "%3u", bytes[i]);
    out += number;
    if (i + 1 < size) out += ", ";
    if (i % kPerLine == kPerLine - 1 || i + 1 == size) out += '\n';
  }
  return out + "};\n";
}

} // namespace fxc
