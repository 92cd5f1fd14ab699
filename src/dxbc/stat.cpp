// SPDX-License-Identifier: MIT
#include "dxbc/stat.h"

#include "dxbc/bytes.h"

namespace monolith::dxbc {
namespace {

/// The fields in the order of the chunk.
constexpr uint32_t Stat::* kFields[] = {
    &Stat::instructionCount,          &Stat::tempRegisterCount,       &Stat::defCount,
    &Stat::dclCount,                  &Stat::floatInstructionCount,   &Stat::intInstructionCount,
    &Stat::uintInstructionCount,      &Stat::staticFlowControlCount,  &Stat::dynamicFlowControlCount,
    &Stat::macroInstructionCount,     &Stat::tempArrayCount,          &Stat::arrayInstructionCount,
    &Stat::cutInstructionCount,       &Stat::emitInstructionCount,    &Stat::textureNormalInstructions,
    &Stat::textureLoadInstructions,   &Stat::textureCompInstructions, &Stat::textureBiasInstructions,
    &Stat::textureGradientInstructions, &Stat::movInstructionCount,   &Stat::movcInstructionCount,
    &Stat::conversionInstructionCount, &Stat::bitwiseInstructionCount, &Stat::inputPrimitive,
    &Stat::gsOutputTopology,          &Stat::gsMaxOutputVertexCount,  &Stat::unknown26,
    &Stat::unknown27,                 &Stat::sampleFrequency,         &Stat::gsInstanceCount,
    &Stat::controlPoints,             &Stat::hsOutputPrimitive,       &Stat::hsPartitioning,
    &Stat::tessellatorDomain,         &Stat::barrierInstructions,     &Stat::interlockedInstructions,
    &Stat::textureStoreInstructions};
static_assert(std::size(kFields) == kStatWords5);

} // namespace

Result<Stat> parseStat(std::span<const uint8_t> data) {
  if (data.size() < kStatWords4 * 4) return Result<Stat>::failure("error: statistics chunk is too short");
  Stat stat;
  ByteReader in(data);
  for (size_t i = 0; i < std::size(kFields) && (i + 1) * 4 <= data.size(); i++) stat.*kFields[i] = in.u32(i * 4);
  return stat;
}

std::vector<uint8_t> writeStat(const Stat& stat, uint32_t major) {
  ByteWriter out;
  for (size_t i = 0; i < (major >= 5 ? kStatWords5 : kStatWords4); i++) out.u32(stat.*kFields[i]);
  return out.take();
}

} // namespace monolith::dxbc
