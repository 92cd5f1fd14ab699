// SPDX-License-Identifier: MIT
/// @file
/// The shader IR in memory: one Function per shader stage.
///
/// Instructions stand in one vector; nesting is expressed by marker instructions (If/Else/EndIf, Loop/EndLoop,
/// Block/EndBlock), so a walk is one loop. Every value is one 32-bit word per lane, defined once. A value may be used
/// only after its definition and inside the region (or regions nested in it) where it was defined; whatever must cross
/// a region border backwards or outwards lives in a variable. There are no phi nodes: generated code keeps variables
/// in registers or on the stack, which is what phis would become.
///
/// "Return" does not exist: an early return is a Break out of a Block round the body, so that the StoreOutput
/// instructions at the end run for every lane.
#pragma once

#include "ir/op.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace monolith::ir {

/// A scalar word: the result of an instruction, or a constant (top bit set: index into Function::constants).
struct Value {
  uint32_t id = 0xFFFFFFFFu;
  constexpr bool valid() const { return id != 0xFFFFFFFFu; }
  constexpr bool isConstant() const { return valid() && (id & 0x80000000u) != 0; }
  constexpr uint32_t constantIndex() const { return id & 0x7FFFFFFFu; }
  friend constexpr bool operator==(Value a, Value b) { return a.id == b.id; }
};

/// A scalar variable (virtual register) of the function.
struct VarId {
  uint32_t id = 0xFFFFFFFFu;
  friend constexpr bool operator==(VarId a, VarId b) { return a.id == b.id; }
};

enum class Stage : uint8_t { Pixel, Vertex, Geometry, Hull, Domain, Compute };

enum class ResourceDim : uint8_t {
  Unknown, Buffer, Texture1D, Texture1DArray, Texture2D, Texture2DArray, Texture2DMS, Texture2DMSArray,
  Texture3D, TextureCube, TextureCubeArray, RawBuffer, StructuredBuffer,
};

/// Component type a typed resource is declared to return.
enum class ReturnType : uint8_t { Unknown, UNorm, SNorm, SInt, UInt, Float, Mixed, Double };

enum class Interpolation : uint8_t {
  Undefined, Constant, Linear, LinearCentroid, LinearNoPerspective, LinearNoPerspectiveCentroid,
  LinearSample, LinearNoPerspectiveSample,
};

enum class SystemValue : uint8_t {
  None, Position, ClipDistance, CullDistance, RenderTargetArrayIndex, ViewportArrayIndex, VertexId, PrimitiveId,
  InstanceId, IsFrontFace, SampleIndex, TessFactorEdge, TessFactorInside, Coverage, InnerCoverage, DomainLocation,
  OutputControlPointId, ForkInstanceId, JoinInstanceId, GsInstanceId, ThreadId, ThreadGroupId, ThreadIdInGroup,
  ThreadIdInGroupFlattened, CycleCounter,
  Count
};

enum class SamplerMode : uint8_t { Default, Comparison, Mono };

/// Where a Memory operation works (Instruction::attr2).
enum class MemorySpace : uint8_t { Resource, Uav, Shared };

enum SyncFlags : uint8_t { kSyncThreadsInGroup = 1, kSyncSharedMemory = 2, kSyncUavGroup = 4, kSyncUavGlobal = 8 };

/// Bits of Instruction::flags.
enum InstructionFlags : uint8_t {
  kFlagStatus = 1,  ///< one more result: ~0 if everything that was read is mapped
  kFlagClamp = 2,   ///< last operand is the minimum-lod clamp
  kFlagPrecise = 4, ///< informative; no pass changes float results in any case
};

/// Instruction::attr of SampleInfo and SamplePos that ask about the render targets.
constexpr uint32_t kRasterizer = 0xFFFFFFFFu;

/// One operation. Operands are `operandCount` entries of Function::operands from `firstOperand`; results are the
/// values firstResult, firstResult + 1, ...
struct Instruction {
  Op op = Op::Count;
  uint8_t operandCount = 0;
  uint8_t resultCount = 0;
  uint8_t flags = 0;
  uint32_t firstOperand = 0;
  uint32_t firstResult = 0;
  uint32_t attr = 0;
  uint32_t attr2 = 0;
  int8_t offset[3] = {0, 0, 0}; ///< immediate texel offsets
  uint8_t component = 0;        ///< gather component, or what ResInfo and SampleInfo return
};

/// An input: components of one register that share a declaration.
struct InputDecl {
  uint32_t reg = 0;
  uint8_t mask = 0;
  Interpolation interpolation = Interpolation::Undefined;
  SystemValue system = SystemValue::None;
  uint32_t vertexCount = 0; ///< size of the vertex dimension (GS, HS, DS); 0 without
};

/// An output: components of one register that share a declaration.
struct OutputDecl {
  uint32_t reg = 0;
  uint8_t mask = 0;
  uint8_t stream = 0;
  SystemValue system = SystemValue::None;
};

struct ConstantBufferDecl {
  uint32_t slot = 0;
  uint32_t size = 0;        ///< declared size in vec4
  uint32_t usedSize = 0;    ///< vec4s that constant indices touch; `size` if indexed dynamically
  bool dynamic = false;     ///< indexed by a value
};

struct ResourceDecl {
  uint32_t slot = 0;
  ResourceDim dim = ResourceDim::Unknown;
  ReturnType type[4] = {};
  uint32_t sampleCount = 0;
  uint32_t stride = 0; ///< structured: bytes of an element
};

struct UavDecl {
  uint32_t slot = 0;
  ResourceDim dim = ResourceDim::Unknown;
  ReturnType type[4] = {};
  uint32_t stride = 0;
  bool globallyCoherent = false;
  bool counter = false;
  bool rasterOrdered = false;
};

/// Group shared memory. stride 0: raw.
struct SharedDecl {
  uint32_t slot = 0;
  uint32_t size = 0; ///< bytes (raw) or elements (structured)
  uint32_t stride = 0;
};

struct SamplerDecl {
  uint32_t slot = 0;
  SamplerMode mode = SamplerMode::Default;
};

/// Per-lane array of `size` vectors of `components` words.
struct ArrayDecl {
  uint32_t size = 0;
  uint32_t components = 4;
};

enum class DepthMode : uint8_t { None, Any, GreaterEqual, LessEqual };

/// A shader. Made with Builder (builder.h); checked by verify() (verifier.h).
class Function {
public:
  Stage stage = Stage::Pixel;

  std::vector<Instruction> instructions;
  std::vector<Value> operands;
  std::vector<uint32_t> constants; ///< words of constant values, without duplicates
  uint32_t valueCount = 0;
  uint32_t variableCount = 0;

  std::vector<InputDecl> inputs;
  std::vector<OutputDecl> outputs;
  std::vector<InputDecl> patchConstants;
  std::vector<ConstantBufferDecl> constantBuffers;
  std::vector<ResourceDecl> resources;
  std::vector<SamplerDecl> samplers;
  std::vector<UavDecl> uavs;
  std::vector<SharedDecl> shared;
  std::vector<ArrayDecl> arrays;
  std::vector<uint32_t> icb; ///< four words each

  uint32_t threadGroup[3] = {0, 0, 0};
  DepthMode depthMode = DepthMode::None;
  bool usesDiscard = false;
  bool forceEarlyDepth = false;
  bool writesCoverage = false;
  bool writesStencilRef = false;
  bool perSample = false; ///< must run per sample (sample index or sample interpolation)

  Value operand(const Instruction& i, unsigned n) const { return operands[i.firstOperand + n]; }
  static Value result(const Instruction& i, unsigned n = 0) { return Value{i.firstResult + n}; }
  uint32_t constant(Value v) const { return constants[v.constantIndex()]; }

  /// Value of a constant word (found or added).
  Value constantValue(uint32_t bits);
  /// Replaces the constant table (passes that renumber operands).
  void resetConstants(std::vector<uint32_t> words);
  /// Sets attr of all markers (matching ends, targets of Break and Continue). False if the nesting is broken.
  bool link();
  /// Uses of each value by id (constants are not counted).
  std::vector<uint32_t> countUses() const;
  /// Index of the defining instruction by value id.
  std::vector<uint32_t> definitions() const;
  /// Declaration of an input component; null if none.
  const InputDecl* findInput(uint32_t reg, uint32_t component) const;
  const OutputDecl* findOutput(uint32_t reg, uint32_t component) const;

private:
  std::vector<uint32_t> m_constantHash; ///< open addressing; 0 is empty, else index + 1
  void growConstantHash();
};

/// Coordinates that a resource of this dimension takes, array index included / without.
unsigned coordinateCount(ResourceDim dim);
unsigned spatialCount(ResourceDim dim);
bool isArray(ResourceDim dim);

const char* name(Stage s);
const char* name(ResourceDim d);
const char* name(ReturnType t);
const char* name(Interpolation i);
const char* name(SystemValue s);
const char* name(SamplerMode m);
const char* name(DepthMode m);

} // namespace monolith::ir
