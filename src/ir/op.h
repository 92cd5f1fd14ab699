// SPDX-License-Identifier: MIT
/// @file
/// The operations of the shader IR and what is known about each, generated from ops.def.
#pragma once

#include <cstdint>

namespace monolith::ir {

/// Operation of an instruction; the rows of ops.def in order.
enum class Op : uint8_t {
#define IR_OP(name, minOps, maxOps, results, attr, flags, divergence, text) name,
#include "ir/ops.def"
#undef IR_OP
  Count
};

constexpr unsigned kOpCount = static_cast<unsigned>(Op::Count);

/// What the attribute fields of an Instruction mean.
enum class AttrKind : uint8_t {
  None,
  Variable, ///< attr: VarId
  Array,    ///< attr: index in Function::arrays, attr2: component
  Icb,      ///< attr2: component
  CBuffer,  ///< attr: slot, attr2: component
  Register, ///< attr: register, attr2: component
  System,   ///< attr: SystemValue, attr2: component
  Stream,   ///< attr: stream number
  Sample,   ///< attr: index in Function::resources, attr2: index in Function::samplers, offset[3], component, flags
  Resource, ///< attr: index in Function::resources or kRasterizer, offset[3], component, flags
  Memory,   ///< attr: index in Function::resources, uavs or shared, chosen by attr2: MemorySpace;
            ///< component: what ResInfo returns
  Sync,     ///< attr: SyncFlags
  Marker,   ///< see the row
};

enum class Divergence : uint8_t { Ops, Varying, Uniform, State };

/// Bits of OpInfo::flags.
enum OpFlags : uint16_t {
  kOpPure = 1,
  kOpSide = 2,
  kOpQuad = 4,
  kOpMask = 8,
  kOpCommutes = 16,
  kOpFold = 32,
  kOpFlow = 64,
  kOpReads = 128,
};

/// A row of ops.def.
struct OpInfo {
  const char* name;
  const char* text;
  uint8_t minOperands;
  uint8_t maxOperands;
  uint8_t results;
  AttrKind attr;
  uint16_t flags;
  Divergence divergence;
};

extern const OpInfo kOpInfo[kOpCount];

/// The row of `op`.
inline const OpInfo& opInfo(Op op) { return kOpInfo[static_cast<unsigned>(op)]; }

/// Operation by its name; Op::Count if there is none.
Op opByName(const char* name, unsigned length);

} // namespace monolith::ir
