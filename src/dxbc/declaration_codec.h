// SPDX-License-Identifier: MIT
/// @file
/// The token layout of every declaration, written once for both directions: `Io` either reads tokens into the
/// instruction or writes them from it. Private to the room.
///
/// Io offers: field(shift, bits, value) for a bit field of the opcode token; operand(i) for operand i;
/// word(value) for one token; rest(vector) for all tokens up to the end; model() and reading().
#pragma once

#include "dxbc/instruction.h"

namespace monolith::dxbc {

/// Return types of four components, four bits each.
template <typename Io>
void codeReturnTypes(Io& io, std::array<ReturnType, 4>& types) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; i++) word |= uint32_t(types[i]) << (4 * i);
  io.word(word);
  for (uint32_t i = 0; i < 4; i++) types[i] = ReturnType((word >> (4 * i)) & 0xf);
}

/// Model 5.1 adds a register space to everything that is bound, and a lower and an upper bound to its operand.
template <typename Io>
void codeSpace(Io& io, Declaration& d, const std::vector<Operand>& operands) {
  if (io.model() >= 51) io.word(d.space);
  if (!io.reading() || operands.empty()) return;
  const Operand& o = operands[0];
  bool ranged = io.model() >= 51 && o.indexCount == 3;
  d.registerIndex = o.reg();
  d.rangeLower = uint32_t(o.index[ranged ? 1 : 0].offset);
  d.rangeUpper = uint32_t(o.index[ranged ? 2 : 0].offset);
}

/// Declarations of resources and memory.
template <typename Io>
bool codeBindingDeclaration(Io& io, Instruction& i) {
  Declaration& d = i.decl;
  switch (i.op) {
  case OpCode::DclResource:
    io.field(11, 5, d.dimension);
    io.field(16, 7, d.sampleCount);
    io.operand(0);
    codeReturnTypes(io, d.returnTypes);
    codeSpace(io, d, i.operands);
    return true;
  case OpCode::DclResourceRaw:
    io.operand(0);
    codeSpace(io, d, i.operands);
    if (io.reading()) d.dimension = ResourceDimension::RawBuffer;
    return true;
  case OpCode::DclResourceStructured:
    io.operand(0);
    io.word(d.stride);
    codeSpace(io, d, i.operands);
    if (io.reading()) d.dimension = ResourceDimension::StructuredBuffer;
    return true;
  case OpCode::DclUavTyped:
    io.field(11, 5, d.dimension);
    io.field(16, 8, d.uavFlags);
    io.operand(0);
    codeReturnTypes(io, d.returnTypes);
    codeSpace(io, d, i.operands);
    return true;
  case OpCode::DclUavRaw:
    io.field(16, 8, d.uavFlags);
    io.operand(0);
    codeSpace(io, d, i.operands);
    if (io.reading()) d.dimension = ResourceDimension::RawBuffer;
    return true;
  case OpCode::DclUavStructured:
    io.field(16, 8, d.uavFlags);
    io.operand(0);
    io.word(d.stride);
    codeSpace(io, d, i.operands);
    if (io.reading()) d.dimension = ResourceDimension::StructuredBuffer;
    return true;
  case OpCode::DclConstantBuffer:
    io.field(11, 1, d.dynamicIndexed);
    io.operand(0);
    if (io.model() >= 51)
      io.word(d.size);
    else if (io.reading() && !i.operands.empty())
      d.size = uint32_t(i.operands[0].index[1].offset);
    codeSpace(io, d, i.operands);
    return true;
  case OpCode::DclSampler:
    io.field(11, 4, d.samplerMode);
    io.operand(0);
    codeSpace(io, d, i.operands);
    return true;
  case OpCode::DclThreadGroupSharedMemoryRaw:
    io.operand(0);
    io.word(d.bytes);
    return true;
  case OpCode::DclThreadGroupSharedMemoryStructured:
    io.operand(0);
    io.word(d.stride);
    io.word(d.count);
    return true;
  default: return false;
  }
}

/// Declarations of registers of the stage's interface.
template <typename Io>
bool codeIoDeclaration(Io& io, Instruction& i) {
  Declaration& d = i.decl;
  switch (i.op) {
  case OpCode::DclInput:
  case OpCode::DclOutput: io.operand(0); return true;
  case OpCode::DclInputSgv:
  case OpCode::DclInputSiv:
  case OpCode::DclOutputSgv:
  case OpCode::DclOutputSiv:
    io.operand(0);
    io.word(d.systemValue);
    return true;
  case OpCode::DclInputPs:
    io.field(11, 4, d.interpolation);
    io.operand(0);
    return true;
  case OpCode::DclInputPsSgv:
  case OpCode::DclInputPsSiv:
    io.field(11, 4, d.interpolation);
    io.operand(0);
    io.word(d.systemValue);
    return true;
  case OpCode::DclIndexRange:
    io.operand(0);
    io.word(d.count);
    return true;
  case OpCode::DclStream: io.operand(0); return true;
  default: return false;
  }
}

/// All declarations. False if `i.op` is none.
template <typename Io>
bool codeDeclaration(Io& io, Instruction& i) {
  if (codeBindingDeclaration(io, i) || codeIoDeclaration(io, i)) return true;
  Declaration& d = i.decl;
  switch (i.op) {
  case OpCode::DclGlobalFlags: io.field(11, 13, d.globalFlags); return true;
  case OpCode::DclTemps:
  case OpCode::DclMaxOutputVertexCount:
  case OpCode::DclGsInstanceCount:
  case OpCode::DclHsForkPhaseInstanceCount:
  case OpCode::DclHsJoinPhaseInstanceCount: io.word(d.count); return true;
  case OpCode::DclIndexableTemp:
    io.word(d.registerIndex);
    io.word(d.count);
    io.word(d.components);
    return true;
  case OpCode::DclGsOutputPrimitiveTopology: io.field(11, 7, d.topology); return true;
  case OpCode::DclGsInputPrimitive: io.field(11, 6, d.primitive); return true;
  case OpCode::DclInputControlPointCount:
  case OpCode::DclOutputControlPointCount: io.field(11, 6, d.count); return true;
  case OpCode::DclTessDomain: io.field(11, 2, d.tessDomain); return true;
  case OpCode::DclTessPartitioning: io.field(11, 3, d.tessPartitioning); return true;
  case OpCode::DclTessOutputPrimitive: io.field(11, 3, d.tessOutput); return true;
  case OpCode::DclHsMaxTessFactor: io.word(d.maxTessFactor); return true;
  case OpCode::DclThreadGroup:
    for (uint32_t& t : d.threads) io.word(t);
    return true;
  case OpCode::DclFunctionBody: io.word(d.registerIndex); return true;
  case OpCode::DclFunctionTable:
    io.word(d.registerIndex);
    io.word(d.count);
    io.rest(i.data);
    return true;
  case OpCode::DclInterface: {
    io.field(11, 1, d.dynamicIndexed);
    io.word(d.registerIndex);
    io.word(d.callSites);
    uint32_t sizes = (uint32_t(i.data.size()) & 0xffff) | (d.count << 16);
    io.word(sizes);
    if (io.reading()) d.count = sizes >> 16;
    io.rest(i.data);
    return true;
  }
  default: return false;
  }
}

} // namespace monolith::dxbc
