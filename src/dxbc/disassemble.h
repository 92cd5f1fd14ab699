// SPDX-License-Identifier: MIT
/// @file
/// Text form of shaders, in the style of D3DDisassemble.
#pragma once

#include "dxbc/shader.h"

#include <string>

namespace monolith::dxbc {

struct DebugInfo;

/// What the text shows (subset of D3D_DISASM_*).
struct DisassembleOptions {
  bool header = true;             ///< comment tables: buffers, bindings, signatures
  bool instructionNumbers = false; ///< D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING
  bool byteOffsets = false;        ///< D3D_DISASM_ENABLE_INSTRUCTION_OFFSET
  bool hexLiterals = false;        ///< D3D_DISASM_PRINT_HEX_LITERALS
  bool instructionCount = true;    ///< "// Approximately N instruction slots used"
  bool defaultValues = true;       ///< D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS
  bool debugInfo = true;           ///< source lines, if the container has them; not D3D_DISASM_DISABLE_DEBUG_INFO
  bool html = false;               ///< D3D_DISASM_ENABLE_COLOR_CODE
  std::string comments;            ///< the caller's lines for the head
  std::string title = "Monolith D3D Shader Disassembler"; ///< named at the top if the shader does not name its compiler
};

/// Whole container as text.
Result<std::string> disassemble(std::span<const uint8_t> bytes, const DisassembleOptions& options = {});
/// Only the program; with `lines` the source lines between instructions.
std::string disassembleProgram(const Shader& shader, const DisassembleOptions& options = {}, const DebugInfo* lines = nullptr);
/// One instruction, without indentation and newline.
std::string disassembleInstruction(const Instruction& instruction, const Shader& shader, bool hexLiterals = false);

} // namespace monolith::dxbc
