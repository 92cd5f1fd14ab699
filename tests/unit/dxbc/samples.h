// SPDX-License-Identifier: MIT
/// @file
/// Small shaders made with the writer, so that the room is tested without the container collection.
#pragma once

#include "dxbc/writer.h"

namespace monolith::test {

using namespace monolith::dxbc;

inline Instruction op(OpCode code, std::vector<Operand> operands = {}) {
  Instruction i;
  i.op = code;
  i.operands = std::move(operands);
  return i;
}
inline Instruction dclTemps(uint32_t n) {
  Instruction i = op(OpCode::DclTemps);
  i.decl.count = n;
  return i;
}
inline Instruction dclIo(OpCode code, RegisterType type, uint32_t reg, uint8_t mask,
                         InterpolationMode mode = InterpolationMode::Undefined,
                         SystemValue value = SystemValue::None) {
  Instruction i = op(code, {dstOperand(type, reg, mask)});
  i.decl.interpolation = mode;
  i.decl.systemValue = value;
  return i;
}
inline Instruction dclConstantBuffer(uint32_t slot, uint32_t size, bool dynamic = false) {
  Instruction i = op(OpCode::DclConstantBuffer, {constantOperand(slot, size)});
  i.decl.dynamicIndexed = dynamic;
  return i;
}
inline Instruction dclSampler(uint32_t slot, SamplerMode mode = SamplerMode::Default) {
  Instruction i = op(OpCode::DclSampler, {plainOperand(RegisterType::Sampler, slot)});
  i.decl.samplerMode = mode;
  return i;
}
inline Instruction dclTexture(uint32_t slot, ResourceDimension dimension, ReturnType type = ReturnType::Float) {
  Instruction i = op(OpCode::DclResource, {plainOperand(RegisterType::Resource, slot)});
  i.decl.dimension = dimension;
  i.decl.returnTypes.fill(type);
  return i;
}

inline Operand temp(uint32_t reg, std::array<uint8_t, 4> swizzle = {0, 1, 2, 3}) {
  return srcOperand(RegisterType::Temp, reg, swizzle);
}
inline Operand tempDst(uint32_t reg, uint8_t mask = kMaskAll) { return dstOperand(RegisterType::Temp, reg, mask); }
inline Operand outDst(uint32_t reg, uint8_t mask = kMaskAll) { return dstOperand(RegisterType::Output, reg, mask); }
inline Operand input(uint32_t reg) { return srcOperand(RegisterType::Input, reg); }

inline SignatureElement element(const char* name, uint32_t index, uint32_t reg, uint8_t mask,
                                SignatureSystemValue value = SignatureSystemValue::None) {
  SignatureElement e;
  e.semantic = name;
  e.semanticIndex = index;
  e.reg = reg;
  e.mask = mask;
  e.systemValue = value;
  return e;
}

/// Samples a texture and scales it: declarations of all common kinds, _indexable and an immediate offset.
inline Shader pixelSample() {
  Shader s;
  s.stage = ShaderStage::Pixel;
  s.major = 5;
  s.inputs = {kTagIsgn, {element("SV_Position", 0, 0, 0xf, SignatureSystemValue::Position), element("TEXCOORD", 0, 1, 3)}};
  s.inputs.elements[1].rwMask = 3;
  s.outputs = {kTagOsgn, {element("SV_Target", 0, 0, 0xf)}};
  Instruction flags = op(OpCode::DclGlobalFlags);
  flags.decl.globalFlags = kRefactoringAllowed;
  Instruction sample = op(OpCode::Sample, {tempDst(0), srcOperand(RegisterType::Input, 1, {0, 1, 0, 0}),
                                           srcOperand(RegisterType::Resource, 0), plainOperand(RegisterType::Sampler, 0)});
  sample.hasOffsets = true;
  sample.offsets = {1, -2, 0};
  sample.hasResourceDim = true;
  sample.resourceDim = ResourceDimension::Texture2D;
  sample.hasReturnType = true;
  sample.returnTypes.fill(ReturnType::Float);
  Instruction scale = op(OpCode::Mul, {outDst(0), temp(0), constantOperand(0, 1)});
  scale.saturate = true;
  s.instructions = {flags,
                    dclConstantBuffer(0, 2),
                    dclSampler(0),
                    dclTexture(0, ResourceDimension::Texture2D),
                    dclIo(OpCode::DclInputPs, RegisterType::Input, 1, 3, InterpolationMode::Linear),
                    dclIo(OpCode::DclOutput, RegisterType::Output, 0, 0xf),
                    dclTemps(1),
                    sample,
                    scale,
                    op(OpCode::Ret)};
  return s;
}

/// A loop with a relative constant index, a switch and an if.
inline Shader vertexFlow() {
  Shader s;
  s.stage = ShaderStage::Vertex;
  s.major = 4;
  s.inputs = {kTagIsgn, {element("POSITION", 0, 0, 0xf)}};
  s.outputs = {kTagOsgn, {element("SV_Position", 0, 0, 0xf, SignatureSystemValue::Position)}};
  Instruction relative = op(OpCode::Mad, {tempDst(1), input(0), constantOperand(2, 3), temp(1)});
  addRelative(relative, relative.operands[2], 1, scalarOperand(RegisterType::Temp, 0, 0));
  Instruction breakc = op(OpCode::Breakc, {scalarOperand(RegisterType::Temp, 0, 1)});
  breakc.testNonZero = true;
  Instruction negated = op(OpCode::Add, {tempDst(1), temp(1), temp(0)});
  negated.operands[1].negate = true;
  negated.operands[2].absolute = true;
  Instruction ifz = op(OpCode::If, {scalarOperand(RegisterType::Temp, 0, 2)});
  s.instructions = {dclConstantBuffer(2, 16, true),
                    dclIo(OpCode::DclInput, RegisterType::Input, 0, 0xf),
                    dclIo(OpCode::DclOutputSiv, RegisterType::Output, 0, 0xf, InterpolationMode::Undefined,
                          SystemValue::Position),
                    dclTemps(2),
                    op(OpCode::Mov, {tempDst(0), immOperand(0u, 0u, 0u, 0u)}),
                    op(OpCode::Loop),
                    op(OpCode::IGe, {tempDst(0, 2), scalarOperand(RegisterType::Temp, 0, 0), immOperand(8u)}),
                    breakc,
                    relative,
                    op(OpCode::IAdd, {tempDst(0, 1), scalarOperand(RegisterType::Temp, 0, 0), immOperand(1u)}),
                    op(OpCode::EndLoop),
                    op(OpCode::Switch, {scalarOperand(RegisterType::Temp, 0, 3)}),
                    op(OpCode::Case, {immOperand(0u)}),
                    op(OpCode::Case, {immOperand(4u)}),
                    negated,
                    op(OpCode::Break),
                    op(OpCode::Default),
                    op(OpCode::Break),
                    op(OpCode::EndSwitch),
                    ifz,
                    op(OpCode::Mul, {tempDst(1), temp(1), immOperand(0.5f, 0.5f, 0.5f, 1.0f)}),
                    op(OpCode::Else),
                    op(OpCode::Nop),
                    op(OpCode::EndIf),
                    op(OpCode::Mov, {outDst(0), temp(1)}),
                    op(OpCode::Ret)};
  return s;
}

/// Structured buffer, group memory, barrier, atomics, immediate constants.
inline Shader computeMemory() {
  Shader s;
  s.stage = ShaderStage::Compute;
  s.major = 5;
  s.inputs.tag = kTagIsgn;
  s.outputs.tag = kTagOsgn;
  Instruction icb = op(OpCode::CustomData);
  icb.customClass = CustomDataClass::ImmediateConstantBuffer;
  icb.data = {0x3f800000, 0, 1, 0xffffffff, 0x40000000, 7, 8, 9};
  Instruction uav = op(OpCode::DclUavStructured, {plainOperand(RegisterType::Uav, 1)});
  uav.decl.stride = 16;
  Instruction tgsm = op(OpCode::DclThreadGroupSharedMemoryStructured, {plainOperand(RegisterType::GroupSharedMemory, 0)});
  tgsm.decl.stride = 4;
  tgsm.decl.count = 64;
  Instruction threads = op(OpCode::DclThreadGroup);
  threads.decl.threads = {64, 1, 1};
  Instruction sync = op(OpCode::Sync);
  sync.syncFlags = kSyncThreadsInGroup | kSyncGroupSharedMemory;
  Instruction constants = op(OpCode::Mov, {tempDst(0), srcOperand(RegisterType::ImmediateConstantBuffer, 0)});
  addRelative(constants, constants.operands[1], 0, scalarOperand(RegisterType::ThreadId, 0, 0));
  constants.relatives[0].indexCount = 0;
  Operand threadId = scalarOperand(RegisterType::ThreadId, 0, 0);
  threadId.indexCount = 0;
  Operand threadDecl = dstOperand(RegisterType::ThreadId, 0, 1);
  threadDecl.indexCount = 0;
  s.instructions = {icb,
                    uav,
                    op(OpCode::DclInput, {threadDecl}),
                    dclTemps(1),
                    tgsm,
                    threads,
                    constants,
                    op(OpCode::StoreStructured, {dstOperand(RegisterType::GroupSharedMemory, 0, 1), threadId, immOperand(0u),
                                                 temp(0, {0, 0, 0, 0})}),
                    sync,
                    op(OpCode::AtomicIAdd, {plainOperand(RegisterType::GroupSharedMemory, 0), immOperand(0u, 0u, 0u, 0u),
                                            immOperand(1u)}),
                    op(OpCode::StoreStructured, {dstOperand(RegisterType::Uav, 1, 0xf), threadId, immOperand(0u), temp(0)}),
                    op(OpCode::Ret)};
  return s;
}

/// Hull shader with a control point phase and a fork phase.
inline Shader hullPhases() {
  Shader s;
  s.stage = ShaderStage::Hull;
  s.major = 5;
  s.inputs = {kTagIsgn, {element("POSITION", 0, 0, 7)}};
  s.outputs = {kTagOsgn, {element("POSITION", 0, 0, 7)}};
  s.patchConstants = {kTagPcsg, {}};
  for (uint32_t i = 0; i < 3; i++)
    s.patchConstants.elements.push_back(element("SV_TessFactor", i, i, 1, SignatureSystemValue::TriEdgeTessFactor));
  auto state = [](OpCode code, auto set) {
    Instruction i = op(code);
    set(i.decl);
    return i;
  };
  Operand points = dstOperand(RegisterType::Input, 3, 7);
  points.indexCount = 2;
  Operand pointSource = srcOperand(RegisterType::Input, 0, {0, 1, 2, 0});
  pointSource.indexCount = 2;
  Operand pointId = plainOperand(RegisterType::OutputControlPointId, 0);
  pointId.indexCount = 0;
  pointId.componentCount = 1;
  Operand forkId = plainOperand(RegisterType::ForkInstanceId, 0);
  forkId.indexCount = 0;
  forkId.componentCount = 1;
  Instruction move = op(OpCode::Mov, {outDst(0, 7), pointSource});
  addRelative(move, move.operands[1], 0, pointId);
  Instruction range = op(OpCode::DclIndexRange, {outDst(0, 1)});
  range.decl.count = 3;
  Instruction factor = op(OpCode::Mov, {outDst(0, 1), immOperand(4.0f)});
  addRelative(factor, factor.operands[0], 0, scalarOperand(RegisterType::Temp, 0, 0));
  s.instructions = {op(OpCode::HsDecls),
                    state(OpCode::DclInputControlPointCount, [](Declaration& d) { d.count = 3; }),
                    state(OpCode::DclOutputControlPointCount, [](Declaration& d) { d.count = 3; }),
                    state(OpCode::DclTessDomain, [](Declaration& d) { d.tessDomain = TessDomain::Triangle; }),
                    state(OpCode::DclTessPartitioning, [](Declaration& d) { d.tessPartitioning = TessPartitioning::Integer; }),
                    state(OpCode::DclTessOutputPrimitive, [](Declaration& d) { d.tessOutput = TessOutputPrimitive::TriangleCw; }),
                    state(OpCode::DclHsMaxTessFactor, [](Declaration& d) { d.maxTessFactor = 16.0f; }),
                    op(OpCode::HsControlPointPhase),
                    op(OpCode::DclInput, {pointId}),
                    op(OpCode::DclInput, {points}),
                    dclIo(OpCode::DclOutput, RegisterType::Output, 0, 7),
                    move,
                    op(OpCode::Ret),
                    op(OpCode::HsForkPhase),
                    state(OpCode::DclHsForkPhaseInstanceCount, [](Declaration& d) { d.count = 3; }),
                    op(OpCode::DclInput, {forkId}),
                    dclIo(OpCode::DclOutputSiv, RegisterType::Output, 0, 1, InterpolationMode::Undefined, SystemValue::TriUEdgeTessFactor),
                    dclIo(OpCode::DclOutputSiv, RegisterType::Output, 1, 1, InterpolationMode::Undefined, SystemValue::TriVEdgeTessFactor),
                    dclIo(OpCode::DclOutputSiv, RegisterType::Output, 2, 1, InterpolationMode::Undefined, SystemValue::TriWEdgeTessFactor),
                    dclTemps(1),
                    range,
                    op(OpCode::Mov, {tempDst(0, 1), forkId}),
                    factor,
                    op(OpCode::Ret)};
  return s;
}

inline std::vector<Shader> allSamples() { return {pixelSample(), vertexFlow(), computeMemory(), hullPhases()}; }

} // namespace monolith::test
