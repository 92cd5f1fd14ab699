// SPDX-License-Identifier: MIT
// dxdis: prints the assembly of shader containers, their chunks, or the verdict of the validator.
// Exit codes: 0 fine, 1 a file is not a valid shader, 2 wrong use or a file that cannot be read.
#include "dxbc/disassemble.h"
#include "dxbc/validate.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace monolith::dxbc;

namespace {

constexpr char kUsage[] =
    "usage: dxdis [options] file.dxbc...\n"
    "Prints the assembly of compiled shaders (DXBC containers of shader models 4.0 to 5.1).\n"
    "  --validate    check the shader and print the verdict instead of assembly\n"
    "  --chunks      list the chunks of the container instead of assembly\n"
    "  --no-header   leave out the comment tables\n"
    "  --numbers     number the instructions\n"
    "  --offsets     print the byte offset of each instruction\n"
    "  --hex         print literals in hexadecimal\n"
    "  --no-checksum accept containers whose checksum does not match\n"
    "  --help        this text\n"
    "A file named - is standard input. Exit code: 0 fine, 1 not a valid shader, 2 wrong use or unreadable file.\n";

struct Options {
  bool validate = false, chunks = false, checksum = true;
  DisassembleOptions text;
  std::vector<std::string> files;
};

/// 0: go on; else the exit code plus one.
int parseArguments(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; i++) {
    std::string a = argv[i];
    if (a == "--validate") o.validate = true;
    else if (a == "--chunks") o.chunks = true;
    else if (a == "--no-header") o.text.header = false;
    else if (a == "--numbers") o.text.instructionNumbers = true;
    else if (a == "--offsets") o.text.byteOffsets = true;
    else if (a == "--hex") o.text.hexLiterals = true;
    else if (a == "--no-checksum") o.checksum = false;
    else if (a == "--help" || a == "-h") {
      std::fputs(kUsage, stdout);
      return 1;
    } else if (a.size() > 1 && a[0] == '-') {
      std::fprintf(stderr, "dxdis: unknown option %s\n%s", a.c_str(), kUsage);
      return 3;
    } else {
      o.files.push_back(a);
    }
  }
  if (!o.files.empty()) return 0;
  std::fputs(kUsage, stderr);
  return 3;
}

bool readAll(const std::string& name, std::vector<uint8_t>& bytes) {
  FILE* f = name == "-" ? stdin : std::fopen(name.c_str(), "rb");
  if (!f) return false;
  uint8_t buffer[65536];
  size_t n;
  while ((n = std::fread(buffer, 1, sizeof buffer, f)) > 0) bytes.insert(bytes.end(), buffer, buffer + n);
  bool ok = !std::ferror(f);
  if (f != stdin) std::fclose(f);
  return ok;
}

int report(const std::string& file, const std::string& error) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), error.c_str());
  return 1;
}

int listChunks(const std::string& file, const std::vector<uint8_t>& bytes, bool verify) {
  Result<Container> c = parseContainer(bytes, verify);
  if (!c) return report(file, c.error());
  std::printf("%s: %zu bytes, %zu chunks, checksum ", file.c_str(), c->bytes.size(), c->chunks.size());
  for (uint8_t b : c->checksum) std::printf("%02x", b);
  std::printf("%s\n", computeChecksum(c->bytes) == c->checksum ? "" : " (does not match)");
  for (const Chunk& chunk : c->chunks) {
    char tag[5] = {};
    std::memcpy(tag, &chunk.tag, 4);
    for (int i = 0; i < 4; i++)
      if (tag[i] < 0x20 || tag[i] > 0x7e) tag[i] = '?';
    std::printf("  %s %8zu bytes at %zu\n", tag, chunk.data.size(), size_t(chunk.data.data() - c->bytes.data()));
  }
  return 0;
}

int handle(const std::string& file, const Options& o) {
  std::vector<uint8_t> bytes;
  if (!readAll(file, bytes)) {
    std::fprintf(stderr, "dxdis: cannot read %s\n", file.c_str());
    return 2;
  }
  if (o.chunks) return listChunks(file, bytes, o.checksum);
  if (o.validate) {
    Result<Shader> s = loadShader(bytes, o.checksum);
    if (!s) return report(file, s.error());
    std::printf("%s: valid %s_%u_%u, %zu instructions\n", file.c_str(), stagePrefix(s->stage), s->major, s->minor,
                s->instructions.size());
    return 0;
  }
  if (Result<Container> c = parseContainer(bytes, o.checksum); !c) return report(file, c.error());
  Result<std::string> text = disassemble(bytes, o.text);
  if (!text) return report(file, text.error());
  std::fwrite(text->data(), 1, text->size(), stdout);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  if (int code = parseArguments(argc, argv, options)) return code - 1;
  int result = 0;
  for (const std::string& f : options.files) result = std::max(result, handle(f, options));
  return result;
}
