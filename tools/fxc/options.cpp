// SPDX-License-Identifier: MIT
#include "options.h"

#include <d3dcompiler.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>

namespace fxc {

const char kUsage[] =
    "Usage: fxc <options> <file>\n"
    "\n"
    "   /?                 print this help message\n"
    "\n"
    "   /T <profile>       target profile\n"
    "   /E <name>          entrypoint name\n"
    "   /I <include>       additional include path\n"
    "   /Vi                display details about the include process\n"
    "   /Od                disable optimizations\n"
    "   /Op                disable preshaders\n"
    "   /O{0,1,2,3}        optimization level 0..3. 1 is default\n"
    "   /WX                treat warnings as errors\n"
    "   /Vd                disable validation\n"
    "   /Zi                enable debugging information\n"
    "   /Zpr               pack matrices in row-major order\n"
    "   /Zpc               pack matrices in column-major order\n"
    "   /Gpp               force partial precision\n"
    "   /Gfa               avoid flow control constructs\n"
    "   /Gfp               prefer flow control constructs\n"
    "   /Ges               enable strict mode\n"
    "   /Gec               enable backwards compatibility mode\n"
    "   /Gis               force IEEE strictness\n"
    "   /res_may_alias     assume that UAVs/SRVs may alias\n"
    "   /all_resources_bound\n"
    "   /enable_unbounded_descriptor_tables\n"
    "\n"
    "   /Fo <file>         output object file\n"
    "   /Fc <file>         output assembly code listing file\n"
    "   /Fh <file>         output header file containing object code\n"
    "   /Fe <file>         output warnings and errors to a specific file\n"
    "   /Fd <file>         extract shader PDB and write to given file\n"
    "   /Vn <name>         use <name> as variable name in header file\n"
    "   /Ni                output instruction numbers in assembly listings\n"
    "   /No                output instruction byte offset in assembly listings\n"
    "   /Lx                output hexadecimal literals\n"
    "   /P <file>          preprocess to file (must be used alone)\n"
    "   @<file>            options response file\n"
    "   /dumpbin           load a binary file rather than compiling\n"
    "   /Qstrip_reflect    strip reflection data from shader bytecode\n"
    "   /Qstrip_debug      strip debug information from shader bytecode\n"
    "   /Qstrip_priv       strip private data from shader bytecode\n"
    "   /Qstrip_rootsignature\n"
    "   /setprivate <file> private data to add to compiled shader blob\n"
    "   /getprivate <file> save private data from shader blob\n"
    "   /nologo            suppress copyright message\n"
    "\n"
    "   /D <id>=<text>     define macro\n"
    "\n"
    "Options may also begin with '-'. The file '-' is standard input.\n"
    "Exit code: 0 if the shader was compiled, 1 if not.\n";

namespace {

struct FlagRow {
  const char* name;
  std::function<void(Options&)> apply;
};
struct ValueRow {
  const char* name;
  std::function<void(Options&, const std::string&)> apply;
};

void setLevel(Options& o, uint32_t level) {
  constexpr uint32_t kLevels = D3DCOMPILE_OPTIMIZATION_LEVEL0 | D3DCOMPILE_OPTIMIZATION_LEVEL3;
  o.flags = (o.flags & ~kLevels) | level;
}

const std::vector<FlagRow>& flagRows() {
  auto flag = [](uint32_t f) { return [f](Options& o) { o.flags |= f; }; };
  auto strip = [](uint32_t f) { return [f](Options& o) { o.stripFlags |= f; }; };
  static const std::vector<FlagRow> kRows = {
      {"?", [](Options& o) { o.help = true; }},
      {"help", [](Options& o) { o.help = true; }},
      {"nologo", [](Options& o) { o.logo = false; }},
      {"dumpbin", [](Options& o) { o.dump = true; }},
      {"Vi", [](Options& o) { o.showIncludes = true; }},
      {"Vd", flag(D3DCOMPILE_SKIP_VALIDATION)},
      {"Od", flag(D3DCOMPILE_SKIP_OPTIMIZATION)},
      {"Op", flag(D3DCOMPILE_NO_PRESHADER)},
      {"O0", [](Options& o) { setLevel(o, D3DCOMPILE_OPTIMIZATION_LEVEL0); }},
      {"O1", [](Options& o) { setLevel(o, D3DCOMPILE_OPTIMIZATION_LEVEL1); }},
      {"O2", [](Options& o) { setLevel(o, D3DCOMPILE_OPTIMIZATION_LEVEL2); }},
      {"O3", [](Options& o) { setLevel(o, D3DCOMPILE_OPTIMIZATION_LEVEL3); }},
      {"WX", flag(D3DCOMPILE_WARNINGS_ARE_ERRORS)},
      {"Zi", flag(D3DCOMPILE_DEBUG)},
      {"Zss", flag(D3DCOMPILE_DEBUG_NAME_FOR_SOURCE)},
      {"Zsb", flag(D3DCOMPILE_DEBUG_NAME_FOR_BINARY)},
      {"Zpr", flag(D3DCOMPILE_PACK_MATRIX_ROW_MAJOR)},
      {"Zpc", flag(D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR)},
      {"Gpp", flag(D3DCOMPILE_PARTIAL_PRECISION)},
      {"Gfa", flag(D3DCOMPILE_AVOID_FLOW_CONTROL)},
      {"Gfp", flag(D3DCOMPILE_PREFER_FLOW_CONTROL)},
      {"Ges", flag(D3DCOMPILE_ENABLE_STRICTNESS)},
      {"Gec", flag(D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY)},
      {"Gis", flag(D3DCOMPILE_IEEE_STRICTNESS)},
      {"res_may_alias", flag(D3DCOMPILE_RESOURCES_MAY_ALIAS)},
      {"all_resources_bound", flag(D3DCOMPILE_ALL_RESOURCES_BOUND)},
      {"enable_unbounded_descriptor_tables", flag(D3DCOMPILE_ENABLE_UNBOUNDED_DESCRIPTOR_TABLES)},
      {"Qstrip_reflect", strip(D3DCOMPILER_STRIP_REFLECTION_DATA)},
      {"Qstrip_debug", strip(D3DCOMPILER_STRIP_DEBUG_INFO)},
      {"Qstrip_priv", strip(D3DCOMPILER_STRIP_PRIVATE_DATA)},
      {"Qstrip_rootsignature", strip(D3DCOMPILER_STRIP_ROOT_SIGNATURE)},
      {"Ni", [](Options& o) { o.instructionNumbers = true; }},
      {"No", [](Options& o) { o.byteOffsets = true; }},
      {"Lx", [](Options& o) { o.hexLiterals = true; }},
      {"Cc", [](Options&) {}},
  };
  return kRows;
}

const std::vector<ValueRow>& valueRows() {
  auto text = [](std::string Options::*member) {
    return [member](Options& o, const std::string& v) { o.*member = v; };
  };
  static const std::vector<ValueRow> kRows = {
      {"setprivate", text(&Options::setPrivateFile)},
      {"getprivate", text(&Options::getPrivateFile)},
      {"Fo", text(&Options::objectFile)},
      {"Fc", text(&Options::listingFile)},
      {"Fh", text(&Options::headerFile)},
      {"Fe", text(&Options::errorFile)},
      {"Fd", text(&Options::debugFile)},
      {"Vn", text(&Options::variableName)},
      {"T", text(&Options::target)},
      {"E", text(&Options::entry)},
      {"P", text(&Options::preprocessFile)},
      {"I", [](Options& o, const std::string& v) { o.includeFolders.push_back(v); }},
      {"D",
       [](Options& o, const std::string& v) {
         size_t equal = v.find('=');
         if (equal == std::string::npos)
           o.defines.emplace_back(v, "1");
         else
           o.defines.emplace_back(v.substr(0, equal), v.substr(equal + 1));
       }},
  };
  return kRows;
}

/// Splits a response file at white space; double quotes hold words together.
bool readResponseFile(const std::string& path, std::vector<std::string>& out) {
  FILE* f = std::fopen(path.c_str(), "rb");
  if (!f) return false;
  std::string word;
  bool quoted = false, inWord = false;
  for (int c; (c = std::fgetc(f)) != EOF;) {
    if (c == '"') {
      quoted = !quoted;
      inWord = true;
    } else if (!quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
      if (inWord) out.push_back(word);
      word.clear();
      inWord = false;
    } else {
      word += char(c);
      inWord = true;
    }
  }
  if (inWord) out.push_back(word);
  std::fclose(f);
  return true;
}

/// True if a file of that name exists: on this system a path may begin like an option.
bool isFile(const std::string& path) {
  FILE* f = std::fopen(path.c_str(), "rb");
  if (f) std::fclose(f);
  return f != nullptr;
}

/// An identifier, perhaps with parameters.
bool isMacroName(const std::string& name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || !letter(name[0])) return false;
  size_t i = 0;
  while (i < name.size() && (letter(name[i]) || (name[i] >= '0' && name[i] <= '9'))) i++;
  return i == name.size() || (name[i] == '(' && name.back() == ')');
}

class OptionParser {
public:
  OptionParser(Options& options, std::vector<std::string> arguments)
      : m_options(options), m_arguments(std::move(arguments)) {}

  std::string run() {
    for (m_at = 0; m_at < m_arguments.size(); m_at++) {
      std::string error = argument(m_arguments[m_at]);
      if (!error.empty()) return error;
    }
    return {};
  }

private:
  std::string argument(const std::string& a) {
    if (a.size() > 1 && a[0] == '@') {
      std::vector<std::string> more;
      if (m_responseFiles++ > 16 || !readResponseFile(a.substr(1), more)) return "failed to open response file: " + a.substr(1);
      m_arguments.insert(m_arguments.begin() + ptrdiff_t(m_at) + 1, more.begin(), more.end());
      return {};
    }
    bool option = a.size() > 1 && (a[0] == '/' || a[0] == '-');
    if (option) {
      std::string name = a.substr(1);
      if (a.compare(0, 2, "--") == 0) name = a.substr(2);
      for (const FlagRow& r : flagRows())
        if (name == r.name) {
          r.apply(m_options);
          return {};
        }
      // A path such as /Data/shader.hlsl is no option, even if it begins like one.
      if (a[0] == '/' && a.find('/', 1) != std::string::npos && isFile(a)) return inputFile(a);
      for (const ValueRow& r : valueRows()) {
        if (name.compare(0, std::string_view(r.name).size(), r.name) != 0) continue;
        return value(r, name.substr(std::string_view(r.name).size()));
      }
      if (a[0] == '/' && (a.find('/', 1) != std::string::npos || isFile(a))) return inputFile(a);
      return "Unknown or invalid option " + a;
    }
    return inputFile(a);
  }

  std::string inputFile(const std::string& a) {
    if (!m_options.input.empty()) return "Multiple input files: " + m_options.input + " and " + a;
    m_options.input = a;
    return {};
  }

  std::string value(const ValueRow& row, std::string v) {
    if (!v.empty() && v[0] == ':') v.erase(0, 1);
    if (v.empty()) {
      if (m_at + 1 >= m_arguments.size() || m_arguments[m_at + 1].empty())
        return std::string("Argument expected for option ") + row.name;
      v = m_arguments[++m_at];
    }
    if (!std::strcmp(row.name, "D") && !isMacroName(v.substr(0, v.find('=')))) return "Invalid macro for option D: " + v;
    row.apply(m_options, v);
    return {};
  }

  Options& m_options;
  std::vector<std::string> m_arguments;
  size_t m_at = 0;
  int m_responseFiles = 0;
};

} // namespace

std::string parseOptions(const std::vector<std::string>& arguments, Options& options) {
  return OptionParser(options, arguments).run();
}

} // namespace fxc
