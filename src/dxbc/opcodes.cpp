// SPDX-License-Identifier: MIT
#include "dxbc/tokens.h"

namespace monolith::dxbc {
namespace {

constexpr OperandKind kindOf(char c) {
  switch (c) {
  case 'd': return OperandKind::Dst;
  case 'n': return OperandKind::NullableDst;
  case 's': return OperandKind::Src;
  case 't': return OperandKind::Resource;
  case 'u': return OperandKind::Uav;
  case 'p': return OperandKind::Sampler;
  case 'g': return OperandKind::WriteMemory;
  case 'm': return OperandKind::ReadMemory;
  case 'v': return OperandKind::EvalInput;
  case 'r': return OperandKind::ResourceOrRasterizer;
  case 'c': return OperandKind::Stream;
  case 'l': return OperandKind::Label;
  case 'f': return OperandKind::Interface;
  default: return OperandKind::None;
  }
}

constexpr ValueType typeOf(char c) {
  switch (c) {
  case 'f': return ValueType::Float;
  case 'i': return ValueType::Int;
  case 'u': return ValueType::Uint;
  case 'd': return ValueType::Double;
  case 'a': return ValueType::Any;
  case 'r': return ValueType::Resource;
  default: return ValueType::None;
  }
}

constexpr uint8_t stagesOf(std::string_view s) {
  constexpr std::string_view kLetters = "PVGHDC";
  if (s == "A") return 0x3f;
  uint8_t bits = 0;
  for (char c : s) bits |= uint8_t(1u << kLetters.find(c));
  return bits;
}

constexpr OpcodeInfo makeInfo(const char* name, const char* mnemonic, std::string_view operands, uint8_t model,
                              OpRole role, std::string_view stages, uint32_t flags) {
  OpcodeInfo info{name, mnemonic, 0, model, role, stagesOf(stages), flags, {}};
  for (size_t i = 0; i + 1 < operands.size(); i += 3)
    info.operands[info.operandCount++] = {kindOf(operands[i]), typeOf(operands[i + 1])};
  return info;
}

constexpr OpcodeInfo kOpcodes[] = {
#define DXBC_OPCODE(name, number, mnemonic, operands, model, role, stages, flags)                                       \
  makeInfo(#name, mnemonic, operands, model, OpRole::role, stages, flags),
#include "dxbc/opcodes.def"
};
static_assert(std::size(kOpcodes) == kOpCodeCount);

constexpr bool rowsInOrder() {
  constexpr uint32_t kNumbers[] = {
#define DXBC_OPCODE(name, number, mnemonic, operands, model, role, stages, flags) number,
#include "dxbc/opcodes.def"
  };
  for (uint32_t i = 0; i < kOpCodeCount; i++)
    if (kNumbers[i] != i) return false;
  return true;
}
static_assert(rowsInOrder(), "row i of opcodes.def must be opcode i");

constexpr const char* kStagePrefix[] = {"ps", "vs", "gs", "hs", "ds", "cs"};

struct DimensionRow {
  const char* name;
  uint8_t axes;
  bool array, multisampled;
};
constexpr DimensionRow kDimensions[] = {
    {"unknown", 0, false, false},         {"buffer", 1, false, false},        {"texture1d", 1, false, false},
    {"texture2d", 2, false, false},       {"texture2dms", 2, false, true},    {"texture3d", 3, false, false},
    {"texturecube", 3, false, false},     {"texture1darray", 1, true, false}, {"texture2darray", 2, true, false},
    {"texture2dmsarray", 2, true, true},  {"texturecubearray", 3, true, false}, {"raw_buffer", 1, false, false},
    {"structured_buffer", 1, false, false}};
static_assert(std::size(kDimensions) == size_t(ResourceDimension::Count));

constexpr const char* kReturnTypes[] = {"none", "unorm", "snorm", "sint", "uint", "float", "mixed", "double",
                                        "<continued>", "<unused>"};

constexpr const char* kSystemValues[] = {
    "undefined", "position", "clip_distance", "cull_distance", "rendertarget_array_index", "viewport_array_index",
    "vertex_id", "primitive_id", "instance_id", "is_front_face", "sampleIndex", "finalQuadUeq0EdgeTessFactor",
    "finalQuadVeq0EdgeTessFactor", "finalQuadUeq1EdgeTessFactor", "finalQuadVeq1EdgeTessFactor",
    "finalQuadUInsideTessFactor", "finalQuadVInsideTessFactor", "finalTriUeq0EdgeTessFactor",
    "finalTriVeq0EdgeTessFactor", "finalTriWeq0EdgeTessFactor", "finalTriInsideTessFactor", "finalLineDetailTessFactor",
    "finalLineDensityTessFactor"};
static_assert(std::size(kSystemValues) == size_t(SystemValue::Count));

constexpr const char* kInterpolation[] = {"",
                                          "constant",
                                          "linear",
                                          "linear centroid",
                                          "linear noperspective",
                                          "linear noperspective centroid",
                                          "linear sample",
                                          "linear noperspective sample"};

} // namespace

const OpcodeInfo& opcodeInfo(OpCode op) { return kOpcodes[uint32_t(op) < kOpCodeCount ? uint32_t(op) : 107]; }

OpCode findOpcode(std::string_view mnemonic) {
  for (uint32_t i = 0; i < kOpCodeCount; i++)
    if (kOpcodes[i].mnemonic == mnemonic) return OpCode(i);
  return OpCode::Count;
}

const char* stagePrefix(ShaderStage stage) { return uint8_t(stage) < 6 ? kStagePrefix[uint8_t(stage)] : "unknown"; }

static const DimensionRow& dimensionRow(ResourceDimension d) {
  return kDimensions[d < ResourceDimension::Count ? size_t(d) : 0];
}
const char* dimensionName(ResourceDimension dimension) { return dimensionRow(dimension).name; }
uint32_t dimensionAxes(ResourceDimension dimension) { return dimensionRow(dimension).axes; }
bool isArrayDimension(ResourceDimension dimension) { return dimensionRow(dimension).array; }
bool isMultisampled(ResourceDimension dimension) { return dimensionRow(dimension).multisampled; }

const char* returnTypeName(ReturnType type) {
  return size_t(type) < std::size(kReturnTypes) ? kReturnTypes[size_t(type)] : "unknown";
}
const char* systemValueName(SystemValue value) {
  return value < SystemValue::Count ? kSystemValues[size_t(value)] : "unknown";
}
const char* interpolationName(InterpolationMode mode) {
  return size_t(mode) < std::size(kInterpolation) ? kInterpolation[size_t(mode)] : "unknown";
}

} // namespace monolith::dxbc
