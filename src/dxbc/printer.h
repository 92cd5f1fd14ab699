// SPDX-License-Identifier: MIT
/// @file
/// Parts of the disassembler. Private to the room.
#pragma once

#include "dxbc/disassemble.h"

#include <string>

namespace monolith::dxbc {

/// printf into a string (append).
void appendFormat(std::string& out, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// "xyz" of a mask, letters in order.
std::string maskText(uint8_t mask);

/// Prints operands of one instruction; literals by the type that the opcode gives them.
class OperandPrinter {
public:
  OperandPrinter(const Instruction& instruction, const Shader& shader, bool hexLiterals)
      : m_instruction(instruction), m_shader(shader), m_hex(hexLiterals) {}
  void print(std::string& out, const Operand& o, ValueType type) const;
  /// Register name and indices without modifiers and components; `upper`: CB0, T0, ... as declarations name them.
  void printRegister(std::string& out, const Operand& o, bool upper) const;

private:
  void printIndex(std::string& out, const OperandIndex& index) const;
  void printComponents(std::string& out, const Operand& o) const;
  void printImmediate(std::string& out, const Operand& o, ValueType type) const;

  const Instruction& m_instruction;
  const Shader& m_shader;
  bool m_hex;
};

/// One value as fxc spells it.
std::string literalText(uint32_t bits, ValueType type, bool hex);
/// " {min16f}" and the like.
const char* minPrecisionName(MinPrecision precision);

/// A declaration as text, without newline.
std::string declarationText(const Instruction& instruction, const Shader& shader);

/// The comment tables in front of the program; `comments` are lines of the caller for the head.
std::string headerText(const Container& container, const Shader& shader, const std::string& comments, const DisassembleOptions& options);
/// The listing of a library.
Result<std::string> disassembleLibrary(std::span<const uint8_t> bytes, const DisassembleOptions& options);
/// The program of feature level 9 (data of an Aon9 chunk) with its tables.
void level9Text(std::string& out, std::span<const uint8_t> chunk);

} // namespace monolith::dxbc
