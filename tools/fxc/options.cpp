// SPDX-License-Identifier: MIT
#include "options.h"

#include <d3dcompiler.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>

namespace fxc {

const char kUsage[] =
    "Usage: fxc <options> <files>\n"
    "\n"
    "   /?, /help           print this text\n"
    "\n"
    "   /T <profile>        target profile\n"
    "   /E <name>           name of the entry function, main if there is none\n"
    "   /I <include>        one more folder for #include\n"
    "   /D <id>=<text>      define a macro\n"
    "   /Vi                 show which files #include opens\n"
    "\n"
    "   /Od                 no optimizations\n"
    "   /Op                 no preshaders\n"
    "   /O{0,1,2,3}         level of optimization; 1 is the default\n"
    "   /WX                 warnings are errors\n"
    "   /Vd                 no validation\n"
    "   /Zi                 debug information\n"
    "   /Zss                name of the debug information from the source\n"
    "   /Zsb                name of the debug information from the program alone\n"
    "   /Zpr                matrices lie in rows\n"
    "   /Zpc                matrices lie in columns\n"
    "   /Gpp                partial precision\n"
    "   /Gfa                avoid flow control\n"
    "   /Gfp                prefer flow control\n"
    "   /Gdp                effects may use slow operations (effects only)\n"
    "   /Ges                strict mode\n"
    "   /Gec                mode that is compatible with older HLSL\n"
    "   /Gis                strict IEEE arithmetic\n"
    "   /Gch                child effect (effects only)\n"
    "   /res_may_alias      views and unordered access may be the same memory\n"
    "   /all_resources_bound\n"
    "   /enable_unbounded_descriptor_tables\n"
    "\n"
    "   /Fo <file>          write the object code\n"
    "   /Fl <file>          write a library\n"
    "   /Fc <file>          write the assembly\n"
    "   /Fx <file>          write the assembly with the words of every instruction\n"
    "   /Fh <file>          write a C header with the object code\n"
    "   /Fe <file>          write warnings and errors to a file\n"
    "   /Fd <file>          write the debug information to a file of its own\n"
    "   /Vn <name>          name of the variable in the header\n"
    "   /Cc                 assembly in colours (HTML)\n"
    "   /Ni                 assembly with instruction numbers\n"
    "   /No                 assembly with byte offsets\n"
    "   /Lx                 assembly with hexadecimal literals\n"
    "\n"
    "   /P <file>           only preprocess, to the file\n"
    "   @<file>             more options are in the file\n"
    "   /dumpbin            the input is a compiled shader\n"
    "   /Qstrip_reflect     leave out reflection\n"
    "   /Qstrip_debug       leave out debug information\n"
    "   /Qstrip_priv        leave out private data\n"
    "   /Qstrip_rootsignature leave out the root signature\n"
    "   /setprivate <file>  private data to put into the shader\n"
    "   /getprivate <file>  write the private data of the shader\n"
    "   /compress           pack compiled shaders (all inputs) into the file of /Fo\n"
    "   /decompress         unpack the first file into the files behind it\n"
    "\n"
    "   /shtemplate <file>  compiled shader whose slots for unordered access are taken over\n"
    "   /mergeUAVs          new slots do not meet those of the template\n"
    "   /matchUAVs          equal names get the slots of the template\n"
    "\n"
    "   /setrootsignature <file>     put a root signature into the shader\n"
    "   /extractrootsignature <file> write the root signature of the shader\n"
    "   /verifyrootsignature <file>  not supported (Direct3D 12)\n"
    "   /force_rootsig_ver <profile> rootsig_1_0 or rootsig_1_1\n"
    "\n"
    "   /nologo             do not print the name of this program\n"
    "\n"
    "Profiles: vs gs ps with _4_0 _4_1 _5_0, cs with _4_0 _4_1 _5_0, hs ds with _5_0,\n"
    "vs ps with _4_0_level_9_1 and _4_0_level_9_3.\n"
    "Options may also begin with '-'. The file '-' is standard input.\n"
    "Exit code: 0 if all went well, 1 if not.\n";

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
      {"Cc", [](Options& o) { o.colours = true; }},
      {"Gch", [](Options& o) { o.effectFlags |= D3DCOMPILE_EFFECT_CHILD_EFFECT; }},
      {"Gdp", [](Options& o) { o.effectFlags |= D3DCOMPILE_EFFECT_ALLOW_SLOW_OPS; }},
      {"compress", [](Options& o) { o.compress = true; }},
      {"decompress", [](Options& o) { o.decompress = true; }},
      {"mergeUAVs", [](Options& o) { o.templateFlags |= D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS; }},
      {"matchUAVs", [](Options& o) { o.templateFlags |= D3DCOMPILE_SECDATA_PRESERVE_TEMPLATE_SLOTS; }},
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
      {"setrootsignature", text(&Options::setRootSignatureFile)},
      {"extractrootsignature", text(&Options::extractRootSignatureFile)},
      {"verifyrootsignature", text(&Options::verifyRootSignatureFile)},
      {"force_rootsig_ver", text(&Options::rootSignatureVersion)},
      {"shtemplate", text(&Options::templateFile)},
      {"Fl", text(&Options::libraryFile)},
      {"Fx", text(&Options::hexFile)},
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
    if (a.size() < 2 || (a[0] != '/' && a[0] != '-')) return inputFile(a);
    const std::string name = a.compare(0, 2, "--") == 0 ? a.substr(2) : a.substr(1);
    // A path such as /Data/shader.hlsl is no option, even if it begins like one.
    const bool path = a[0] == '/' && a.find('/', 1) != std::string::npos;
    if (const FlagRow* r = findFlag(name, path)) {
      r->apply(m_options);
      return {};
    }
    if (path && isFile(a)) return inputFile(a);
    if (const ValueRow* r = findValue(name, path)) return value(*r, name.substr(std::string_view(r->name).size()));
    if (path || (a[0] == '/' && isFile(a))) return inputFile(a);
    return "Unknown or invalid option " + a;
  }

  // Names as they are listed come first, then, unless it may be a path, those that differ in case.

  static const FlagRow* findFlag(const std::string& name, bool path) {
    for (bool exact : {true, path})
      for (const FlagRow& r : flagRows())
        if (name.size() == std::strlen(r.name) && startsWith(name, r.name, exact)) return &r;
    return nullptr;
  }
  static const ValueRow* findValue(const std::string& name, bool path) {
    for (bool exact : {true, path})
      for (const ValueRow& r : valueRows())
        if (startsWith(name, r.name, exact)) return &r;
    return nullptr;
  }
  static bool startsWith(const std::string& name, const char* start, bool exact) {
    for (size_t i = 0; start[i]; i++)
      if (i >= name.size() || (name[i] != start[i] && (exact || (name[i] ^ start[i]) != 0x20))) return false;
    return true;
  }

  std::string inputFile(const std::string& a) {
    m_options.files.push_back(a);
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
