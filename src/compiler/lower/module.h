// SPDX-License-Identifier: MIT
/// @file
/// A shader between lowering and emission: its code, what it is bound to and what it exchanges with other stages.
#pragma once

#include "compiler/lower/ir.h"
#include "compiler/syntax/ast.h"

namespace monolith::compiler {

enum class Stage : uint8_t { Pixel, Vertex, Geometry, Hull, Domain, Compute };

struct Target {
  Stage stage = Stage::Pixel;
  int model = 50;      ///< 40, 41, 50
  bool level9 = false; ///< "vs_4_0_level_9_x"
  bool library = false;  ///< functions, not shaders; `stage` is then one that can do all that they may do
  uint32_t level9Use = 0; ///< libraries: dxbc::Level9Use
  std::string name;
};

/// One register row of a signature.
struct IoElement {
  std::string semantic;
  uint32_t index = 0;
  dxbc::SignatureSystemValue systemValue = dxbc::SignatureSystemValue::None;
  dxbc::ComponentType componentType = dxbc::ComponentType::Float;
  dxbc::RegisterType registerType = dxbc::RegisterType::Input;
  dxbc::InterpolationMode interpolation = dxbc::InterpolationMode::Undefined;
  uint32_t reg = 0;         ///< ~0u: not an input or output register of the array (depth, coverage)
  uint8_t firstComponent = 0;
  uint8_t count = 4;
  bool generated = false;   ///< declared _sgv
  bool isBool = false;
  uint8_t usedMask = 0;     ///< inputs: components read; outputs: components written
  uint32_t vertices = 0;    ///< inputs with a vertex dimension: its size
  uint32_t stream = 0;      ///< geometry shader outputs
  bool hidden = false;      ///< in no signature chunk
  int duplicateOf = -1;     ///< inputs: the element with the same semantic whose register this one reads
  dxbc::MinPrecision precision = dxbc::MinPrecision::None;
  dxbc::SystemValue tokenValue = dxbc::SystemValue::None; ///< tessellation factors: as declarations name them
  const VarDecl* param = nullptr; ///< null: the return value
  uint32_t slot = 0;        ///< first scalar slot within the parameter
  uint32_t stride = 1;      ///< slots from one component to the next (columns of a matrix: its width)
  uint32_t group = 0;       ///< elements of one array or matrix share a number; their registers follow each other
  Location loc;
  Base base = Base::Float;

  uint32_t slotOf(uint32_t component) const { return slot + component * stride; }
  /// The component that holds a slot of the parameter; `count` if none does.
  uint32_t componentAt(uint32_t scalar) const {
    const uint32_t n = scalar < slot || (scalar - slot) % stride ? count : (scalar - slot) / stride;
    return n < count ? n : count;
  }
};

struct ResourceUse {
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  bool sampler = false;
  bool old = false;          ///< texture half of a D3D9 sampler
  uint8_t oldDim = 0;
  const ConstantBuffer* buffer = nullptr; ///< tbuffer
  bool shared = false;       ///< a groupshared variable
  uint8_t counter = 0;       ///< hidden counter: 1 counts up, 2 counts down
  uint32_t slot = 0;
};

/// What a geometry shader declares.
struct GeometryState {
  dxbc::Primitive primitive = dxbc::Primitive::Undefined;
  uint32_t maxVertices = 0;
  uint32_t instances = 0; ///< 0: not given
  std::vector<const VarDecl*> streams;
};

/// What hull and domain shaders declare.
struct TessellationState {
  dxbc::TessDomain domain = dxbc::TessDomain::Undefined;
  dxbc::TessPartitioning partitioning = dxbc::TessPartitioning::Undefined;
  dxbc::TessOutputPrimitive output = dxbc::TessOutputPrimitive::Undefined;
  uint32_t inputPoints = 0, outputPoints = 0;
  float maxFactor = 0; ///< 0: not given
  FunctionDecl* patchFunction = nullptr;
};

/// Which part of a shader a module is: hull shaders are made of several.
enum class Part : uint8_t { Whole, ControlPoint, PatchConstants };

struct Module {
  Part part = Part::Whole;
  GeometryState geometry;
  TessellationState tessellation;
  Target target;
  Function code;
  std::vector<IoElement> inputs, outputs;
  std::vector<IoElement> patchConstants; ///< hull shaders: what the patch constant function makes
  std::vector<ResourceUse> resources;
  Program* program = nullptr;
  std::string entry;
  Location entryPlace;
  bool precise = false; ///< /Gis
  bool minPrecision = false; ///< something is less than 32 bits
  bool typedUavLoads = false; ///< of more than one component of 32 bits
  bool mayAlias = false; ///< views may show what unordered access writes
  bool earlyDepthStencil = false;
  bool compatibility = false; ///< /Gec
  bool skipOptimization = false; ///< /Od
  std::array<uint32_t, 3> threads{1, 1, 1}; ///< compute shaders: size of a group
  std::vector<Location> locations;          ///< of memory operations
  std::vector<Location> places;             ///< of instructions, as far as known, by value id
  std::unordered_map<ValueId, const VarDecl*> unset; ///< what variables hold before they are set
  Location returnPlace;                     ///< of the last return statement of the entry function
  Location placeOf(ValueId id) const { return id < places.size() ? places[id] : Location{}; }
  std::unordered_map<const VarDecl*, std::vector<uint32_t>> defaults; ///< initial values of uniforms, scalar by scalar
};

/// Fills inputs and outputs from the entry function. False after an error.
bool layoutSignatures(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics, bool legacySemantics);

/// The same from the parameters of a library function: each has registers of its own, whatever its semantic.
bool layoutFunction(Module& module, const FunctionDecl& function);

/// Precision of operands of that type.
dxbc::MinPrecision precisionOf(Base base);
/// Precision that a value is kept at; inputs have that of their declaration.
dxbc::MinPrecision precisionOf(const Module& module, ValueId id);
/// Precision of a component of an output register (type << 16 | number).
dxbc::MinPrecision outputPrecision(const Module& module, uint32_t reg, uint32_t component);

/// True for a parameter of an entry point that is a resource.
bool boundParameter(const Type* type);

/// Reads the attributes of the entry function that geometry, hull and domain shaders need. False after an error.
bool readStageAttributes(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics);

/// Limits of group shared memory and structured elements. False after an error.
bool checkGroupMemory(const Module& module, Diagnostics& diagnostics);

/// Offsets of the variables of constant buffers.
void layoutConstantBuffers(Program& program, Diagnostics& diagnostics);
/// Bytes of a value in a constant buffer, without padding behind it.
uint32_t bufferSize(const Type* type);
/// Where a value of the type goes if `offset` is the next free byte.
uint32_t bufferPlace(uint32_t offset, const Type* type);
uint32_t scalarBytes(Base base);
/// Bytes from one row (or column, as the matrix is stored) to the next.
uint32_t matrixStride(const Type* matrix);
/// Bytes of a value in a structured buffer or group shared memory: packed, doubles at multiples of 8.
uint32_t structuredSize(const Type* type);
/// Bytes from the start of a structure to one of its fields, there.
uint32_t structuredOffset(const Type* structure, uint32_t field);
/// True if values of the type begin at a register boundary.
bool startsRegister(const Type* type);

} // namespace monolith::compiler
