// SPDX-License-Identifier: MIT
/// @file
/// A whole shader: version, instructions, signatures and a summary of its declarations. parseShader() decodes
/// (bounds-safe, but trusts nothing else); validateShader() in validate.h makes it safe to translate.
#pragma once

#include "dxbc/container.h"
#include "dxbc/instruction.h"
#include "dxbc/signature.h"

namespace monolith::dxbc {

struct IndexableTemp {
  uint32_t reg = 0, count = 0, components = 4;
  uint32_t phase = 0; ///< hull shaders: index into Declarations::phases; else 0
};
/// An input, output or patch-constant register as declared. Several may name one register with disjoint masks.
struct IoRegister {
  RegisterType type = RegisterType::Input;
  uint32_t reg = 0;
  uint32_t vertexCount = 0; ///< two-dimensional inputs: number of vertices; 0 if one-dimensional
  uint8_t mask = 0;         ///< 0 for registers without components, 1 for scalars
  SystemValue systemValue = SystemValue::None;
  bool generated = false;   ///< declared _sgv
  InterpolationMode interpolation = InterpolationMode::Undefined;
  MinPrecision precision = MinPrecision::None;
  uint32_t stream = 0;      ///< geometry outputs
  uint32_t phase = 0;
};
struct ConstantBufferDecl {
  uint32_t id = 0;          ///< number used by operands
  uint32_t lower = 0, upper = 0, space = 0; ///< bound slots; lower == upper == id below 5.1
  uint32_t size = 0;        ///< vec4s; 0 means up to 4096
  bool dynamicIndexed = false;
};
struct SamplerDecl {
  uint32_t id = 0, lower = 0, upper = 0, space = 0;
  SamplerMode mode = SamplerMode::Default;
};
/// t# or u#.
struct ResourceDecl {
  uint32_t id = 0, lower = 0, upper = 0, space = 0;
  ResourceDimension dimension = ResourceDimension::Unknown; ///< RawBuffer and StructuredBuffer for those kinds
  uint32_t sampleCount = 0;
  uint32_t stride = 0;      ///< structured: bytes
  uint32_t uavFlags = 0;    ///< UavFlag set, UAVs only
  std::array<ReturnType, 4> returnTypes{};
};
struct GroupMemoryDecl {
  uint32_t id = 0;
  bool structured = false;
  uint32_t stride = 0, count = 0; ///< structured
  uint32_t bytes = 0;             ///< total
};
struct IndexRange {
  RegisterType type = RegisterType::Input;
  uint32_t first = 0, count = 0;
  uint8_t mask = 0;
  uint32_t phase = 0;
};
enum class PhaseKind : uint8_t { Main, Declarations, ControlPoint, Fork, Join };
/// A part of the program: the whole of it, or a phase of a hull shader. [begin, end) are instruction numbers.
struct Phase {
  PhaseKind kind = PhaseKind::Main;
  uint32_t begin = 0, end = 0;
  uint32_t temps = 0;
  uint32_t instances = 1; ///< fork and join phases
};

/// Everything that declarations say.
struct Declarations {
  uint32_t globalFlags = 0;
  uint32_t temps = 0;                    ///< most of all phases
  std::vector<Phase> phases;             ///< at least one
  std::vector<IndexableTemp> indexableTemps;
  std::vector<IoRegister> inputs;        ///< all kinds of input registers, including thread ids and the like
  std::vector<IoRegister> outputs;       ///< all kinds of output registers, including depth and the like
  std::vector<ConstantBufferDecl> constantBuffers;
  std::vector<SamplerDecl> samplers;
  std::vector<ResourceDecl> resources;
  std::vector<ResourceDecl> uavs;
  std::vector<GroupMemoryDecl> groupMemory;
  std::vector<IndexRange> indexRanges;
  std::vector<uint32_t> immediateConstants; ///< four per register
  std::array<uint32_t, 3> threadGroup{};
  // Geometry
  Primitive inputPrimitive = Primitive::Undefined;
  PrimitiveTopology outputTopology = PrimitiveTopology::Undefined; ///< of stream 0
  std::array<PrimitiveTopology, 4> streamTopology{};
  uint32_t maxVertices = 0;
  uint32_t gsInstances = 1;
  uint32_t streamMask = 0;               ///< declared streams (bit 0 if none is declared)
  // Tessellation
  uint32_t inputControlPoints = 0, outputControlPoints = 0;
  TessDomain domain = TessDomain::Undefined;
  TessPartitioning partitioning = TessPartitioning::Undefined;
  TessOutputPrimitive tessOutput = TessOutputPrimitive::Undefined;
  float maxTessFactor = 64.0f;
  // Class linkage
  bool usesInterfaces = false;

  const ResourceDecl* findResource(uint32_t id) const;
  const ResourceDecl* findUav(uint32_t id) const;
  const ConstantBufferDecl* findConstantBuffer(uint32_t id) const;
  const SamplerDecl* findSampler(uint32_t id) const;
  const GroupMemoryDecl* findGroupMemory(uint32_t id) const;
  const IndexableTemp* findIndexableTemp(uint32_t reg, uint32_t phase) const;
};

/// A decoded shader. Owns its data.
struct Shader {
  ShaderStage stage = ShaderStage::Pixel;
  uint8_t major = 4, minor = 0;
  Checksum checksum{};                   ///< of the container; identifies the shader
  std::vector<Instruction> instructions; ///< declarations included, in order
  Declarations decls;
  Signature inputs, outputs, patchConstants;
  bool hasFeatures = false;
  uint64_t featureFlags = 0;             ///< SFI0
  uint32_t programTag = 0;               ///< SHDR or SHEX
  bool level9 = false;                   ///< also has a 9_x program (Aon9)
  /// 40, 41, 50, 51.
  uint32_t model() const { return major * 10u + minor; }
};

/// Decodes a container. Errors read "error: ...".
Result<Shader> parseShader(std::span<const uint8_t> bytes, bool verifyChecksum = true);
/// Decodes only a SHDR/SHEX token stream (version token first) into shader.stage, version, instructions, decls.
Result<Shader> parseProgram(std::span<const uint8_t> tokens);
/// Recomputes shader.decls from shader.instructions.
void summarizeDeclarations(Shader& shader);

} // namespace monolith::dxbc
