// SPDX-License-Identifier: MIT
/// @file
/// The other direction: instructions to tokens. Uses the same Instruction and table as the reader; what was read is
/// written back bit for bit.
#pragma once

#include "dxbc/shader.h"

namespace monolith::dxbc {

/// Tokens of one instruction, appended. False if it does not fit the format (more than 127 dwords and the like).
bool writeInstruction(std::vector<uint32_t>& tokens, const Instruction& instruction, uint32_t model);
/// Whole SHDR/SHEX data: version token, length, instructions. Empty on failure.
std::vector<uint32_t> writeProgram(ShaderStage stage, uint32_t major, uint32_t minor,
                                   std::span<const Instruction> instructions);
/// Container with ISGN/OSGN/PCSG (as their tags say), program and, if present, SFI0. For tests and simple uses; the
/// compiler adds RDEF and STAT with ContainerBuilder itself.
std::vector<uint8_t> writeShader(const Shader& shader);

} // namespace monolith::dxbc
