// SPDX-License-Identifier: MIT
/// @file
/// SDBG: which line of which source file every instruction comes from. The chunk has room for much more (variables,
/// scopes, types); those lists are written empty and skipped when read.
#pragma once

#include "dxbc/shader.h"

#include <string>
#include <vector>

namespace monolith::dxbc {

struct DebugFile {
  std::string name;
  std::string source; ///< empty if it is not kept
  bool operator==(const DebugFile&) const = default;
};
/// Origin of one instruction; declarations have none.
struct DebugLine {
  uint32_t file = UINT32_MAX; ///< index into DebugInfo::files; UINT32_MAX: unknown
  uint32_t line = 0, column = 0;
  bool operator==(const DebugLine&) const = default;
};
struct DebugInfo {
  std::string compiler, entry, profile;
  uint32_t flags = 0; ///< D3DCOMPILE_*
  std::vector<DebugFile> files;
  std::vector<DebugLine> lines; ///< by instruction; Instruction::isNumbered() tells which count
};

/// Parses chunk data.
Result<DebugInfo> parseDebugInfo(std::span<const uint8_t> data);
/// Chunk data; `instructions` are those of the program, declarations included.
std::vector<uint8_t> writeDebugInfo(const DebugInfo& info, std::span<const Instruction> instructions);

} // namespace monolith::dxbc
