// SPDX-License-Identifier: MIT
#include "output.h"

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace fxc {

bool readFile(const std::string& path, std::vector<uint8_t>& bytes) {
  FILE* f = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!f) return false;
  uint8_t buffer[16384];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, f)) > 0) bytes.insert(bytes.end(), buffer, buffer + n);
  const bool ok = !std::ferror(f);
  const int error = errno;
  if (f != stdin) std::fclose(f);
  errno = error;
  return ok;
}

bool writeFile(const std::string& path, std::string_view bytes) {
  FILE* f = std::fopen(path.c_str(), "wb");
  if (!f) return false;
  bool ok = std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
  return std::fclose(f) == 0 && ok;
}

std::string wholePath(const std::string& path) {
  char folder[4096];
  if (path == "-" || path.empty() || path[0] == '/' || !getcwd(folder, sizeof folder)) return path;
  return std::string(folder) + "/" + (path.compare(0, 2, "./") == 0 ? path.substr(2) : path);
}

namespace {
bool sameFile(const std::string& a, const std::string& b) {
  if (a == b) return true;
  struct stat x, y;
  return !stat(a.c_str(), &x) && !stat(b.c_str(), &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
} // namespace

std::string outputProblem(const Options& o) {
  std::vector<std::string> outputs = {o.objectFile, o.libraryFile, o.listingFile, o.hexFile, o.headerFile, o.errorFile,
                                      o.debugFile, o.preprocessFile, o.getPrivateFile, o.extractRootSignatureFile};
  std::vector<std::string> inputs = {o.setPrivateFile, o.setRootSignatureFile, o.templateFile};
  // What /decompress unpacks goes to the files behind the first.
  for (size_t i = 0; i < o.files.size(); i++) (o.decompress && i > 0 ? outputs : inputs).push_back(o.files[i]);
  for (size_t i = 0; i < outputs.size(); i++) {
    if (outputs[i].empty()) continue;
    for (const std::string& in : inputs)
      if (!in.empty() && sameFile(outputs[i], in)) return "the output would overwrite the input file: " + in;
    for (size_t k = 0; k < i; k++)
      if (outputs[i] != "/dev/null" && sameFile(outputs[i], outputs[k]))
        return "two outputs go to the same file: " + outputs[i];
  }
  return {};
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

std::string hexText(const uint8_t* bytes, size_t size) {
  std::string out;
  for (size_t i = 0; i < size; i++) {
    char text[24];
    if (i % 16 == 0) {
      std::snprintf(text, sizeof text, "// %08zx:", i);
      out += text;
    }
    std::snprintf(text, sizeof text, "%s%02x", i % 4 ? "" : " ", bytes[i]);
    out += text;
    if (i % 16 == 15 || i + 1 == size) out += '\n';
  }
  return out;
}

} // namespace fxc
