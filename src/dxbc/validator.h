// SPDX-License-Identifier: MIT
/// @file
/// The parts of the validator. Each returns the first error found, empty if there is none; errors of instructions
/// have no prefix yet. Private to the room.
#pragma once

#include "dxbc/shader.h"

#include <string>

namespace monolith::dxbc {

/// An error and the instruction it belongs to (UINT32_MAX: the whole shader).
struct Finding {
  std::string text;
  uint32_t instruction = UINT32_MAX;
  explicit operator bool() const { return !text.empty(); }
};

/// Declarations: register numbers, sizes, stages, what a stage must declare, signatures.
Finding checkDeclarations(const Shader& shader);
/// Nesting, case placement, labels and calls, phases, ends of programs.
Finding checkStructure(const Shader& shader);
/// Operands of every executable instruction.
Finding checkOperands(const Shader& shader);

/// "r3", "x0", "cb2" and so on without indices, for messages and for the disassembler.
const char* registerPrefix(RegisterType type);
/// True if the register stands alone: no index in its name.
bool isInputRegister(RegisterType type);
bool isOutputRegister(RegisterType type);

} // namespace monolith::dxbc
