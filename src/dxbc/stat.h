// SPDX-License-Identifier: MIT
/// @file
/// STAT: counts of instructions by kind; 29 dwords in version 4, 37 in version 5.
#pragma once

#include "dxbc/shader.h"

namespace monolith::dxbc {

/// Fields in the order of the chunk.
struct Stat {
  uint32_t instructionCount = 0;
  uint32_t tempRegisterCount = 0;
  uint32_t defCount = 0;
  uint32_t dclCount = 0;
  uint32_t floatInstructionCount = 0;
  uint32_t intInstructionCount = 0;
  uint32_t uintInstructionCount = 0;
  uint32_t staticFlowControlCount = 0;
  uint32_t dynamicFlowControlCount = 0;
  uint32_t macroInstructionCount = 0;
  uint32_t tempArrayCount = 0;
  uint32_t arrayInstructionCount = 0;
  uint32_t cutInstructionCount = 0;
  uint32_t emitInstructionCount = 0;
  uint32_t textureNormalInstructions = 0;
  uint32_t textureLoadInstructions = 0;
  uint32_t textureCompInstructions = 0;
  uint32_t textureBiasInstructions = 0;
  uint32_t textureGradientInstructions = 0;
  uint32_t movInstructionCount = 0;
  uint32_t movcInstructionCount = 0;
  uint32_t conversionInstructionCount = 0;
  uint32_t bitwiseInstructionCount = 0;
  uint32_t inputPrimitive = 0;
  uint32_t gsOutputTopology = 0;
  uint32_t gsMaxOutputVertexCount = 0;
  uint32_t unknown26 = 0;
  uint32_t unknown27 = 0;
  uint32_t sampleFrequency = 0; ///< 1: the shader runs per sample
  // Version 5
  uint32_t gsInstanceCount = 0;
  uint32_t controlPoints = 0;
  uint32_t hsOutputPrimitive = 0;
  uint32_t hsPartitioning = 0;
  uint32_t tessellatorDomain = 0;
  uint32_t barrierInstructions = 0;
  uint32_t interlockedInstructions = 0;
  uint32_t textureStoreInstructions = 0;
  bool operator==(const Stat&) const = default;
};

inline constexpr uint32_t kStatWords4 = 29, kStatWords5 = 37;

/// Parses chunk data; absent fields are 0.
Result<Stat> parseStat(std::span<const uint8_t> data);
/// Chunk data with 29 (major 4) or 37 (major 5) dwords.
std::vector<uint8_t> writeStat(const Stat& stat, uint32_t major);
/// Counts the instructions of a shader.
Stat computeStat(const Shader& shader);

} // namespace monolith::dxbc
