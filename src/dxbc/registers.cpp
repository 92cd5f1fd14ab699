// SPDX-License-Identifier: MIT
#include "dxbc/validator.h"

namespace monolith::dxbc {
namespace {

enum : uint8_t { kIn = 1, kOut = 2 };
struct RegisterRow {
  RegisterType type;
  const char* prefix;
  uint8_t io; ///< declared with dcl_input and read, declared with dcl_output and written
};
constexpr RegisterRow kRegisters[] = {
    {RegisterType::Temp, "r", 0},
    {RegisterType::Input, "v", kIn},
    {RegisterType::Output, "o", kOut},
    {RegisterType::IndexableTemp, "x", 0},
    {RegisterType::Imm32, "l", 0},
    {RegisterType::Imm64, "d", 0},
    {RegisterType::Sampler, "s", 0},
    {RegisterType::Resource, "t", 0},
    {RegisterType::ConstantBuffer, "cb", 0},
    {RegisterType::ImmediateConstantBuffer, "icb", 0},
    {RegisterType::Label, "l", 0},
    {RegisterType::PrimitiveId, "vPrim", kIn},
    {RegisterType::OutputDepth, "oDepth", kOut},
    {RegisterType::Null, "null", 0},
    {RegisterType::Rasterizer, "rasterizer", 0},
    {RegisterType::OutputCoverage, "oMask", kOut},
    {RegisterType::Stream, "m", 0},
    {RegisterType::FunctionBody, "fb", 0},
    {RegisterType::FunctionTable, "ft", 0},
    {RegisterType::Interface, "fp", 0},
    {RegisterType::FunctionInput, "fi", 0},
    {RegisterType::FunctionOutput, "fo", 0},
    {RegisterType::OutputControlPointId, "vOutputControlPointID", kIn},
    {RegisterType::ForkInstanceId, "vForkInstanceID", kIn},
    {RegisterType::JoinInstanceId, "vJoinInstanceID", kIn},
    {RegisterType::InputControlPoint, "vicp", kIn},
    {RegisterType::OutputControlPoint, "vocp", kIn},
    {RegisterType::PatchConstant, "vpc", kIn},
    {RegisterType::DomainPoint, "vDomain", kIn},
    {RegisterType::This, "this", 0},
    {RegisterType::Uav, "u", 0},
    {RegisterType::GroupSharedMemory, "g", 0},
    {RegisterType::ThreadId, "vThreadID", kIn},
    {RegisterType::ThreadGroupId, "vThreadGroupID", kIn},
    {RegisterType::ThreadIdInGroup, "vThreadIDInGroup", kIn},
    {RegisterType::InputCoverage, "vCoverage", kIn},
    {RegisterType::ThreadIndexInGroup, "vThreadIDInGroupFlattened", kIn},
    {RegisterType::GsInstanceId, "vGSInstanceID", kIn},
    {RegisterType::OutputDepthGreaterEqual, "oDepthGE", kOut},
    {RegisterType::OutputDepthLessEqual, "oDepthLE", kOut},
    {RegisterType::CycleCounter, "vCycleCounter", kIn},
    {RegisterType::OutputStencilRef, "oStencilRef", kOut},
    {RegisterType::InnerCoverage, "vInnerCoverage", kIn},
};
static_assert(std::size(kRegisters) == size_t(RegisterType::Count));
static_assert([] {
  for (size_t i = 0; i < std::size(kRegisters); i++)
    if (size_t(kRegisters[i].type) != i) return false;
  return true;
}());

} // namespace

const char* registerPrefix(RegisterType type) {
  return type < RegisterType::Count ? kRegisters[size_t(type)].prefix : "?";
}
bool isInputRegister(RegisterType type) {
  return type < RegisterType::Count && (kRegisters[size_t(type)].io & kIn);
}
bool isOutputRegister(RegisterType type) {
  return type < RegisterType::Count && (kRegisters[size_t(type)].io & kOut);
}

} // namespace monolith::dxbc
