// SPDX-License-Identifier: MIT
/// @file
/// The compiler's representation: scalar SSA values of 32 bits in structured control flow. Vectors of the source are
/// taken apart here, which makes every analysis simple; emission packs scalars that belong together into registers
/// again, led by the `group` and `lane` that each instruction keeps from the source.
///
/// Merges have block arguments: an If has one value per phi at the end of each branch (Block::yield), a Loop has
/// initial values and one list per Continue for its header phis, and one list per Break for its exit phis.
#pragma once

#include "dxbc/tokens.h"

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace monolith::compiler {

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = 0;

enum class Op : uint8_t {
#define OP(name, dxbc, sources, flags) name,
#include "compiler/lower/ops.def"
#undef OP
  Count
};

enum OpTrait : uint32_t {
  kPure = 1u << 0,       ///< may be removed, shared and moved
  kFoldable = 1u << 1,   ///< read in place as an operand
  kLanes = 1u << 2,      ///< lane by lane: may be packed
  kFloatSrc = 1u << 3,   ///< sources take float modifiers
  kIntNegSrc = 1u << 4,  ///< sources take an integer negation
  kSatOk = 1u << 5,      ///< result takes _sat
  kCommute = 1u << 6,
  kGradient = 1u << 7,
  kBoolResult = 1u << 8, ///< 0 or ~0
  kMovcSrc = 1u << 9,    ///< sources 1 and 2 take float modifiers
  kDot = 1u << 10,
  kFetch = 1u << 11,
  kMemory = 1u << 12,
  kEffect = 1u << 13,
  kControl = 1u << 14,
  kUniformTail = 1u << 15, ///< only source 0 is lane by lane
  kDouble = 1u << 16,       ///< works on or makes doubles (optimize/expand_doubles.cpp)
  kDoubleSrc = 1u << 17,    ///< sources are doubles
  kDoubleResult = 1u << 18, ///< the result is a double
};

struct OpInfo {
  const char* name;
  dxbc::OpCode code;
  int sources;
  uint32_t flags;
};
const OpInfo& opInfo(Op op);
inline bool hasTrait(Op op, uint32_t trait) { return (opInfo(op).flags & trait) != 0; }

struct Src {
  ValueId id = kNoValue;
  bool neg = false;
  bool abs = false;
  bool operator==(const Src&) const = default;
};

/// One instruction, which is its first result. Meaning of aux:
///   Const: bits. Input: register type << 16 | register, component. InputAt: register type << 16 | first register, registers
///   that the index can choose, component (source: index). CbLoad: buffer, vec4 index, component (source: dynamic
///   index). IcbLoad: -, vec4 index, component. Extract: component. Fetch: index into Function::fetches.
///   TempLoad/TempStore: x register, index, component. Store: register type << 16 | register, component.
///   VertexInput: register type << 16 | register, vertex, component (source: dynamic vertex). EmitVertex/CutStrip: stream.
///   If/Loop/Switch: index into Function::controls. Break/Continue: loop control, edge number.
struct Inst {
  Op op = Op::None;
  uint8_t lane = 0;
  bool saturate = false;
  bool precise = false;
  bool dead = false;
  dxbc::MinPrecision precision = dxbc::MinPrecision::None; ///< least precision that will do
  uint16_t count = 0;
  uint32_t first = 0; ///< sources in Function::pool
  uint32_t group = 0;
  uint32_t aux[3] = {0, 0, 0};
};

struct Block {
  std::vector<ValueId> insts;
  std::vector<ValueId> yield;
  bool terminated = false; ///< ends with Break or Continue: never falls out
};

struct SwitchCase {
  std::vector<uint32_t> labels;
  bool isDefault = false;
  Block* block = nullptr;
};

struct Control {
  Block* blocks[2] = {nullptr, nullptr}; ///< If: then, else; Loop: body
  std::vector<SwitchCase> cases;
  std::vector<ValueId> phis;              ///< results behind the construct
  std::vector<ValueId> headerPhis;        ///< loops
  std::vector<ValueId> init;              ///< loops: first values of the header phis
  std::vector<std::vector<ValueId>> breaks, continues; ///< loops: values per edge
  uint32_t attributes = 0;                ///< LoopAttribute
  uint32_t location = ~0u;                ///< loops: place in the source (Module::locations)
};

/// Where a memory operation works.
enum class MemorySpace : uint8_t { View, Uav, Shared };

/// What a texture instruction needs beside its sources. Sources: the address first, then the rest in the order of the
/// opcode.
struct Fetch {
  uint32_t resource = 0; ///< index into the module's resource list
  uint32_t sampler = ~0u;
  uint8_t addressCount = 0;
  uint8_t gradientCount = 0;
  uint8_t channel = 0;   ///< gather
  bool hasOffset = false;
  bool hasClamp = false; ///< the last source is the least level
  MemorySpace space = MemorySpace::View;
  uint8_t scalars = 0;    ///< memory: sources of their own between address and values
  uint8_t valueCount = 0; ///< stores: words written
  int8_t offset[3] = {0, 0, 0};
  uint8_t returnKind = 0; ///< resinfo: 0 float, 1 rcp, 2 uint
  bool operator==(const Fetch&) const = default;
};

/// Component of a fetch that is the status of tiled resources.
inline constexpr uint32_t kStatusComponent = 4;

struct IndexableTempInfo {
  uint32_t registers = 0, components = 0;
};

/// A whole shader: everything is inlined.
class Function {
public:
  Function();
  std::vector<Inst> insts; ///< [0] is unused
  std::vector<Src> pool;
  std::deque<Block> blocks;
  std::deque<Control> controls;
  std::vector<Fetch> fetches;
  std::vector<IndexableTempInfo> indexableTemps;
  std::vector<uint32_t> icb; ///< four per register
  Block* root;

  Block* newBlock() { return &blocks.emplace_back(); }
  std::span<Src> sources(ValueId id) { return {pool.data() + insts[id].first, insts[id].count}; }
  std::span<const Src> sources(ValueId id) const { return {pool.data() + insts[id].first, insts[id].count}; }
  bool isConst(ValueId id) const { return insts[id].op == Op::Const; }
  uint32_t bits(ValueId id) const { return insts[id].aux[0]; }
};

} // namespace monolith::compiler
