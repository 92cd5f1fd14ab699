// SPDX-License-Identifier: MIT
/// @file
/// One decoded instruction and its operands: what the reader makes and the writer takes. A relative index of an
/// operand refers to a register held in Instruction::relatives, so that an Operand stays a plain struct.
#pragma once

#include "dxbc/tokens.h"

#include <bit>
#include <vector>

namespace monolith::dxbc {

inline constexpr uint16_t kNoRelative = 0xffff;
inline constexpr uint8_t kMaskAll = 0xf;

/// One dimension of a register index: immediate + relative register (either may be absent).
struct OperandIndex {
  uint64_t offset = 0;              ///< immediate part; 0 if there is none
  uint16_t relative = kNoRelative;  ///< position in Instruction::relatives
  IndexType type = IndexType::Imm32;
  bool isRelative() const { return relative != kNoRelative; }
  bool operator==(const OperandIndex&) const = default;
};

/// A register or immediate. Plain data; copies freely (but relative indices belong to their instruction).
struct Operand {
  RegisterType type = RegisterType::Null;
  uint8_t componentCount = 0;                  ///< 0, 1 or 4 as encoded
  SelectionMode selection = SelectionMode::Mask;
  uint8_t mask = 0;                            ///< Mask mode: bit n is component n
  std::array<uint8_t, 4> swizzle{0, 1, 2, 3};  ///< Swizzle mode; Select1 repeats the component
  uint8_t indexCount = 0;                      ///< 0 to 3
  bool negate = false;
  bool absolute = false;
  bool nonUniform = false;
  bool extended = false;                       ///< has an extended token even without modifiers
  MinPrecision precision = MinPrecision::None;
  std::array<OperandIndex, 3> index{};
  std::array<uint32_t, 4> imm{};               ///< Imm32: values (all equal when componentCount is 1); Imm64: lo, hi pairs

  bool isImmediate() const { return type == RegisterType::Imm32 || type == RegisterType::Imm64; }
  bool isNull() const { return type == RegisterType::Null; }
  /// Register number: last index for one-dimensional registers. 0 if there is none.
  uint32_t reg() const { return uint32_t(index[0].offset); }
  float immFloat(uint32_t i) const { return std::bit_cast<float>(imm[i & 3]); }
  uint64_t imm64(uint32_t i) const { return uint64_t(imm[(i & 1) * 2]) | (uint64_t(imm[(i & 1) * 2 + 1]) << 32); }
  /// Components written (a scalar register counts as x).
  uint8_t writeMask() const { return componentCount == 4 ? mask : uint8_t(componentCount == 1 ? 1 : 0); }
  /// Component that lane `i` reads.
  uint8_t component(uint32_t i) const { return componentCount == 4 ? swizzle[i & 3] : uint8_t(0); }
  bool operator==(const Operand&) const = default;
};

/// Payload of declarations; which fields count depends on the opcode (see the comment of each).
struct Declaration {
  uint32_t globalFlags = 0;               ///< dcl_globalFlags: GlobalFlag set
  uint32_t count = 0;                     ///< temps, indexable temp registers, index range, max vertices, instances, control points, interface array length
  uint32_t registerIndex = 0;             ///< indexable temp x#, function body, function table, interface
  uint32_t components = 0;                ///< indexable temp: components of a register
  uint32_t stride = 0;                    ///< structured resources and memory: bytes of a structure
  uint32_t bytes = 0;                     ///< raw group memory: bytes
  uint32_t size = 0;                      ///< constant buffer: vec4s
  uint32_t space = 0;                     ///< register space (5.1)
  uint32_t sampleCount = 0;               ///< multisampled resources; 0 unknown
  uint32_t uavFlags = 0;                  ///< UavFlag set
  uint32_t rangeLower = 0, rangeUpper = 0; ///< first and last bound register (equal below 5.1)
  uint32_t callSites = 0;                 ///< interface: expected length of each function table
  std::array<uint32_t, 3> threads{};      ///< thread group
  float maxTessFactor = 0;
  SystemValue systemValue = SystemValue::None;
  ResourceDimension dimension = ResourceDimension::Unknown;
  InterpolationMode interpolation = InterpolationMode::Undefined;
  SamplerMode samplerMode = SamplerMode::Default;
  PrimitiveTopology topology = PrimitiveTopology::Undefined;
  Primitive primitive = Primitive::Undefined;
  TessDomain tessDomain = TessDomain::Undefined;
  TessPartitioning tessPartitioning = TessPartitioning::Undefined;
  TessOutputPrimitive tessOutput = TessOutputPrimitive::Undefined;
  bool dynamicIndexed = false;            ///< constant buffer, interface
  std::array<ReturnType, 4> returnTypes{}; ///< typed resources and UAVs
};

/// One instruction or declaration.
struct Instruction {
  OpCode op = OpCode::Nop;
  bool saturate = false;
  bool testNonZero = false;               ///< kTest opcodes: true _nz, false _z
  bool uintResult = false;                ///< sampleinfo
  ResInfoType resInfoType = ResInfoType::Float;
  uint8_t preciseMask = 0;                ///< components that must be computed precisely
  uint8_t syncFlags = 0;                  ///< SyncFlag set
  bool hasOffsets = false;                ///< immediate texel offsets present
  bool hasResourceDim = false;            ///< extended token with the resource dimension present (_indexable)
  bool hasReturnType = false;             ///< extended token with return types present
  std::array<int8_t, 3> offsets{};        ///< texels, -8 to 7
  ResourceDimension resourceDim = ResourceDimension::Unknown;
  uint32_t resourceStride = 0;            ///< from the extended token, structured buffers
  std::array<ReturnType, 4> returnTypes{}; ///< from the extended token
  uint32_t offset = 0;                    ///< first token, in dwords from the start of the token stream
  uint32_t place = UINT32_MAX;            ///< number of a place in the source; means something to who made it, not written
  CustomDataClass customClass = CustomDataClass::Comment; ///< CustomData
  uint32_t functionIndex = 0;             ///< fcall: call site
  std::vector<Operand> operands;          ///< in token order
  std::vector<Operand> relatives;         ///< registers of relative indices
  Declaration decl;                       ///< declarations only
  std::vector<uint32_t> data;             ///< CustomData: payload; function table and interface: ids

  const OpcodeInfo& info() const { return opcodeInfo(op); }
  bool isDeclaration() const { return info().role == OpRole::Declaration || op == OpCode::CustomData; }
  /// True for what listings number and debug information knows: no declarations, starts of phases and labels.
  bool isNumbered() const { return !isDeclaration() && info().role != OpRole::Phase && info().role != OpRole::Label; }
};

// ---- Constructors of operands, for programs made by code (the compiler, tests) ----

/// Destination register with a write mask.
Operand dstOperand(RegisterType type, uint32_t reg, uint8_t mask = kMaskAll);
/// Source register with a swizzle (x=0 .. w=3).
Operand srcOperand(RegisterType type, uint32_t reg, std::array<uint8_t, 4> swizzle = {0, 1, 2, 3});
/// Source that reads a single component (select1).
Operand scalarOperand(RegisterType type, uint32_t reg, uint8_t component);
/// cb#[offset] with a swizzle.
Operand constantOperand(uint32_t slot, uint32_t offset, std::array<uint8_t, 4> swizzle = {0, 1, 2, 3});
/// l(v) and l(x, y, z, w).
Operand immOperand(uint32_t value);
Operand immOperand(float value);
Operand immOperand(uint32_t x, uint32_t y, uint32_t z, uint32_t w);
Operand immOperand(float x, float y, float z, float w);
/// d(a, b): two doubles.
Operand imm64Operand(double a, double b);
/// t#, s# and the like without components: for declarations and samplers.
Operand plainOperand(RegisterType type, uint32_t reg);
/// Registers without an index and components, such as null.
Operand nullOperand();
/// Makes index dimension `dim` of `operand` relative to `relative` (added to instruction.relatives).
void addRelative(Instruction& instruction, Operand& operand, uint32_t dim, const Operand& relative);

} // namespace monolith::dxbc
