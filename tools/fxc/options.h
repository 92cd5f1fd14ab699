// SPDX-License-Identifier: MIT
/// @file
/// The command line of fxc. Options begin with / or -; values follow directly, behind a colon or as the next argument.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fxc {

struct Options {
  std::vector<std::string> files;   ///< inputs; "-" is standard input. /decompress: the input, then the outputs
  std::string target;
  std::string entry; ///< empty: main, except for libraries, which have none
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> includeFolders;
  std::string objectFile, libraryFile, listingFile, hexFile, headerFile, errorFile, preprocessFile, variableName, debugFile;
  std::string setPrivateFile, getPrivateFile;
  std::string setRootSignatureFile, extractRootSignatureFile, verifyRootSignatureFile, rootSignatureVersion;
  std::string templateFile;         ///< /shtemplate
  uint32_t flags = 0;               ///< D3DCOMPILE_*
  uint32_t effectFlags = 0;         ///< D3DCOMPILE_EFFECT_*
  uint32_t templateFlags = 0;       ///< D3DCOMPILE_SECDATA_*
  uint32_t stripFlags = 0;          ///< D3DCOMPILER_STRIP_*
  bool logo = true;
  bool dump = false;                ///< /dumpbin: the input is a compiled shader
  bool compress = false, decompress = false;
  bool showIncludes = false;        ///< /Vi
  bool instructionNumbers = false;  ///< /Ni
  bool byteOffsets = false;         ///< /No
  bool hexLiterals = false;         ///< /Lx
  bool colours = false;             ///< /Cc
  bool help = false;

  /// The file to compile or to load; empty if there is none.
  std::string input() const { return files.empty() ? std::string() : files[0]; }
};

/// Parses the arguments after the program's name. Empty on success, else what is wrong.
std::string parseOptions(const std::vector<std::string>& arguments, Options& options);

/// Text of /?.
extern const char kUsage[];

} // namespace fxc
