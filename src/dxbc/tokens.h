// SPDX-License-Identifier: MIT
/// @file
/// The numbers of the token format: enumerations as they are encoded, and the opcode table.
/// Opcodes are in opcodes.def, which is the only list of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace monolith::dxbc {

/// Shader stage as encoded in the version token.
enum class ShaderStage : uint8_t { Pixel = 0, Vertex = 1, Geometry = 2, Hull = 3, Domain = 4, Compute = 5 };

enum class OpCode : uint16_t {
#define DXBC_OPCODE(name, number, mnemonic, operands, model, role, stages, flags) name = number,
#include "dxbc/opcodes.def"
  Count
};
inline constexpr uint32_t kOpCodeCount = uint32_t(OpCode::Count);

/// What an instruction is for someone who follows the structure of a program.
enum class OpRole : uint8_t {
  Alu, Sample, Fetch, Store, Atomic, Info, Eval, Emit, Discard, Sync, Nop,
  If, Else, EndIf, Loop, EndLoop, Switch, Case, Default, EndSwitch, Break, Continue, Ret, Call, Label, Phase,
  Declaration, CustomData, Reserved
};

/// Properties of an opcode, a bit set.
enum OpFlag : uint32_t {
  kSat = 1,             ///< may saturate its result
  kTest = 2,            ///< has a zero / non-zero test in its token
  kOffsets = 4,         ///< may carry immediate texel offsets
  kDerivative = 8,      ///< uses implicit derivatives
  kCompare = 16,        ///< compares against a reference value (comparison sampler)
  kGather = 32,         ///< gathers one component of four texels
  kFeedback = 64,       ///< second operand receives residency feedback
  kClamp = 128,         ///< last operand is a level-of-detail clamp
  kResInfoType = 256,   ///< has the return type of resinfo in its token
  kUintFlag = 512,      ///< has the uint return flag of sampleinfo in its token
  kFloatModifiers = 1024 ///< type is free, but negate/absolute mean float
};

/// Kind of an operand in the opcode table (first letter of a spec).
enum class OperandKind : uint8_t {
  None, Dst, NullableDst, Src, Resource, Uav, Sampler, WriteMemory, ReadMemory, EvalInput, ResourceOrRasterizer,
  Stream, Label, Interface
};
/// Type of an operand in the opcode table (second letter of a spec).
enum class ValueType : uint8_t { None, Float, Int, Uint, Double, Any, Resource };

struct OperandSpec {
  OperandKind kind = OperandKind::None;
  ValueType type = ValueType::None;
};

inline constexpr uint32_t kMaxOperands = 8;

/// One row of the opcode table.
struct OpcodeInfo {
  const char* name;      ///< enumerator
  const char* mnemonic;  ///< assembler spelling, without suffixes
  uint8_t operandCount;
  uint8_t minModel;      ///< 40, 41, 50, 51; 255 for reserved numbers
  OpRole role;
  uint8_t stages;        ///< bit n set: allowed in stage n
  uint32_t flags;        ///< OpFlag set
  std::array<OperandSpec, kMaxOperands> operands;
  bool has(OpFlag f) const { return (flags & f) != 0; }
  bool allowedIn(ShaderStage s) const { return (stages >> uint8_t(s)) & 1; }
};

/// Row of an opcode. `op` must be below OpCode::Count.
const OpcodeInfo& opcodeInfo(OpCode op);
/// Finds an opcode by its assembler spelling; OpCode::Count if there is none.
OpCode findOpcode(std::string_view mnemonic);

enum class RegisterType : uint8_t {
  Temp = 0, Input = 1, Output = 2, IndexableTemp = 3, Imm32 = 4, Imm64 = 5, Sampler = 6, Resource = 7, ConstantBuffer = 8,
  ImmediateConstantBuffer = 9, Label = 10, PrimitiveId = 11, OutputDepth = 12, Null = 13, Rasterizer = 14,
  OutputCoverage = 15, Stream = 16, FunctionBody = 17, FunctionTable = 18, Interface = 19, FunctionInput = 20,
  FunctionOutput = 21, OutputControlPointId = 22, ForkInstanceId = 23, JoinInstanceId = 24, InputControlPoint = 25,
  OutputControlPoint = 26, PatchConstant = 27, DomainPoint = 28, This = 29, Uav = 30, GroupSharedMemory = 31,
  ThreadId = 32, ThreadGroupId = 33, ThreadIdInGroup = 34, InputCoverage = 35, ThreadIndexInGroup = 36,
  GsInstanceId = 37, OutputDepthGreaterEqual = 38, OutputDepthLessEqual = 39, CycleCounter = 40, OutputStencilRef = 41,
  InnerCoverage = 42, Count
};

/// System values in the token stream (dcl_*_siv, dcl_*_sgv).
enum class SystemValue : uint32_t {
  None = 0, Position = 1, ClipDistance = 2, CullDistance = 3, RenderTargetArrayIndex = 4, ViewportArrayIndex = 5,
  VertexId = 6, PrimitiveId = 7, InstanceId = 8, IsFrontFace = 9, SampleIndex = 10,
  QuadU0EdgeTessFactor = 11, QuadV0EdgeTessFactor = 12, QuadU1EdgeTessFactor = 13, QuadV1EdgeTessFactor = 14,
  QuadUInsideTessFactor = 15, QuadVInsideTessFactor = 16, TriUEdgeTessFactor = 17, TriVEdgeTessFactor = 18,
  TriWEdgeTessFactor = 19, TriInsideTessFactor = 20, LineDetailTessFactor = 21, LineDensityTessFactor = 22, Count
};

/// System values in signature chunks (D3D_NAME).
enum class SignatureSystemValue : uint32_t {
  None = 0, Position = 1, ClipDistance = 2, CullDistance = 3, RenderTargetArrayIndex = 4, ViewportArrayIndex = 5,
  VertexId = 6, PrimitiveId = 7, InstanceId = 8, IsFrontFace = 9, SampleIndex = 10, QuadEdgeTessFactor = 11,
  QuadInsideTessFactor = 12, TriEdgeTessFactor = 13, TriInsideTessFactor = 14, LineDetailTessFactor = 15,
  LineDensityTessFactor = 16, Barycentrics = 23, ShadingRate = 24, CullPrimitive = 25, Target = 64, Depth = 65,
  Coverage = 66, DepthGreaterEqual = 67, DepthLessEqual = 68, StencilRef = 69, InnerCoverage = 70
};

enum class ComponentType : uint32_t { Unknown = 0, Uint = 1, Sint = 2, Float = 3 };
enum class MinPrecision : uint8_t { None = 0, Float16 = 1, Float10 = 2, Sint16 = 4, Uint16 = 5 };
enum class ResInfoType : uint8_t { Float = 0, RcpFloat = 1, Uint = 2 };
/// Per-component type of what a resource returns. A double takes two components: Double, Continued.
enum class ReturnType : uint8_t { None = 0, Unorm = 1, Snorm = 2, Sint = 3, Uint = 4, Float = 5, Mixed = 6, Double = 7,
                               Continued = 8, Unused = 9 };
enum class ResourceDimension : uint8_t {
  Unknown = 0, Buffer = 1, Texture1D = 2, Texture2D = 3, Texture2DMS = 4, Texture3D = 5, TextureCube = 6,
  Texture1DArray = 7, Texture2DArray = 8, Texture2DMSArray = 9, TextureCubeArray = 10, RawBuffer = 11,
  StructuredBuffer = 12, Count
};
enum class InterpolationMode : uint8_t {
  Undefined = 0, Constant = 1, Linear = 2, LinearCentroid = 3, LinearNoPerspective = 4,
  LinearNoPerspectiveCentroid = 5, LinearSample = 6, LinearNoPerspectiveSample = 7
};
enum class PrimitiveTopology : uint8_t {
  Undefined = 0, PointList = 1, LineList = 2, LineStrip = 3, TriangleList = 4, TriangleStrip = 5, LineListAdj = 10,
  LineStripAdj = 11, TriangleListAdj = 12, TriangleStripAdj = 13
};
/// Input primitive of a geometry shader; Patch1 + n - 1 is a patch of n control points.
enum class Primitive : uint8_t {
  Undefined = 0, Point = 1, Line = 2, Triangle = 3, LineAdj = 6, TriangleAdj = 7, Patch1 = 8, Patch32 = 39
};
enum class TessDomain : uint8_t { Undefined = 0, Isoline = 1, Triangle = 2, Quad = 3 };
enum class TessPartitioning : uint8_t { Undefined = 0, Integer = 1, Pow2 = 2, FractionalOdd = 3, FractionalEven = 4 };
enum class TessOutputPrimitive : uint8_t { Undefined = 0, Point = 1, Line = 2, TriangleCw = 3, TriangleCcw = 4 };
enum class SamplerMode : uint8_t { Default = 0, Comparison = 1, Mono = 2 };
enum class ExtendedOpcode : uint8_t { Empty = 0, SampleControls = 1, ResourceDim = 2, ResourceReturnType = 3 };
enum class CustomDataClass : uint32_t {
  Comment = 0, DebugInfo = 1, Opaque = 2, ImmediateConstantBuffer = 3, ShaderMessage = 4, ClipPlaneMap = 5
};
enum class IndexType : uint8_t { Imm32 = 0, Imm64 = 1, Relative = 2, Imm32PlusRelative = 3, Imm64PlusRelative = 4 };
enum class SelectionMode : uint8_t { Mask = 0, Swizzle = 1, Select1 = 2 };

/// Bits of dcl_globalFlags, shifted down to bit 0.
enum GlobalFlag : uint32_t {
  kRefactoringAllowed = 1, kEnableDoublePrecision = 2, kForceEarlyDepthStencil = 4, kEnableRawAndStructured = 8,
  kSkipOptimization = 16, kEnableMinimumPrecision = 32, kEnableDoubleExtensions = 64, kEnableShaderExtensions = 128,
  kAllResourcesBound = 256
};
/// Bits of the SFI0 chunk.
enum FeatureFlag : uint32_t {
  kFeatureDoubles = 1, kFeatureRawAndStructuredBuffers4 = 2, kFeatureUavsAtEveryStage = 4, kFeature64Uavs = 8,
  kFeatureMinimumPrecision = 16, kFeatureDoubleExtensions = 32, kFeatureShaderExtensions = 64,
  kFeatureLevel9Comparison = 128, kFeatureTiledResources = 256, kFeatureStencilRef = 512, kFeatureInnerCoverage = 1024,
  kFeatureTypedUavLoads = 2048, kFeatureRasterizerOrderedViews = 4096, kFeatureArrayIndexAnyStage = 8192
};
/// Bits of sync, shifted down to bit 0.
enum SyncFlag : uint32_t {
  kSyncThreadsInGroup = 1, kSyncGroupSharedMemory = 2, kSyncUavMemoryGroup = 4, kSyncUavMemoryGlobal = 8
};
/// Bits of dcl_uav_*, shifted down to bit 0 of the opcode-specific field at bit 16.
enum UavFlag : uint32_t { kUavGloballyCoherent = 1, kUavRasterizerOrdered = 2, kUavHasCounter = 128 };

/// Register numbers of several limits (functional specification, chapter 21).
inline constexpr uint32_t kMaxTemps = 4096;
inline constexpr uint32_t kMaxImmediateConstants = 4096;
inline constexpr uint32_t kMaxConstantBufferSize = 4096;
inline constexpr uint32_t kMaxConstantBuffers = 15; ///< 14 API slots and the immediate one
inline constexpr uint32_t kMaxSamplers = 16;
inline constexpr uint32_t kMaxResources = 128;
inline constexpr uint32_t kMaxUavs = 64;
inline constexpr uint32_t kMaxIoRegisters = 32;
inline constexpr uint32_t kMaxGroupSharedBytes = 32768;

/// Assembler spellings, for printers and messages.
const char* stagePrefix(ShaderStage stage);            ///< "ps", "vs", ...
const char* dimensionName(ResourceDimension dimension); ///< "texture2d", ...
const char* returnTypeName(ReturnType type);            ///< "float", ...
const char* systemValueName(SystemValue value);         ///< "position", ...
const char* interpolationName(InterpolationMode mode);  ///< "linear", ...
/// Number of address components without array index: 1, 2, 3; 0 for unknown.
uint32_t dimensionAxes(ResourceDimension dimension);
bool isArrayDimension(ResourceDimension dimension);
bool isMultisampled(ResourceDimension dimension);

} // namespace monolith::dxbc
