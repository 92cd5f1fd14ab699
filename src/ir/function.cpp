// SPDX-License-Identifier: MIT
#include "ir/function.h"

#include "ir/builder.h"

namespace monolith::ir {

namespace {
uint32_t hashWord(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
} // namespace

void Function::growConstantHash() {
  size_t size = 64;
  while (size <= constants.size() * 2)
    size *= 2;
  m_constantHash.assign(size, 0);
  for (uint32_t i = 0; i < constants.size(); i++) {
    size_t h = hashWord(constants[i]) & (size - 1);
    while (m_constantHash[h])
      h = (h + 1) & (size - 1);
    m_constantHash[h] = i + 1;
  }
}

void Function::resetConstants(std::vector<uint32_t> words) {
  constants = std::move(words);
  m_constantHash.clear();
}

Value Function::constantValue(uint32_t bits) {
  if (constants.size() * 2 >= m_constantHash.size())
    growConstantHash();
  const size_t mask = m_constantHash.size() - 1;
  size_t h = hashWord(bits) & mask;
  while (m_constantHash[h]) {
    if (constants[m_constantHash[h] - 1] == bits)
      return Value{0x80000000u | (m_constantHash[h] - 1)};
    h = (h + 1) & mask;
  }
  constants.push_back(bits);
  m_constantHash[h] = static_cast<uint32_t>(constants.size());
  return Value{0x80000000u | static_cast<uint32_t>(constants.size() - 1)};
}

bool Function::link() {
  struct Region {
    uint32_t open; ///< index of If, Loop or Block
    uint32_t last; ///< If or its Else
  };
  std::vector<Region> regions;
  auto closes = [&](Op open) { return !regions.empty() && instructions[regions.back().open].op == open; };
  for (uint32_t i = 0; i < instructions.size(); i++) {
    Instruction& in = instructions[i];
    if (!(opInfo(in.op).flags & kOpFlow))
      continue;
    if (in.op == Op::If || in.op == Op::Loop || in.op == Op::Block) {
      regions.push_back({i, i});
    } else if (in.op == Op::Else) {
      if (!closes(Op::If) || instructions[regions.back().last].op == Op::Else)
        return false;
      instructions[regions.back().last].attr = i;
      regions.back().last = i;
    } else if (in.op == Op::EndIf || in.op == Op::EndLoop || in.op == Op::EndBlock) {
      const Op open = in.op == Op::EndIf ? Op::If : in.op == Op::EndLoop ? Op::Loop : Op::Block;
      if (!closes(open))
        return false;
      instructions[regions.back().last].attr = i;
      in.attr = regions.back().open;
      regions.pop_back();
    } else { // Break, Continue
      uint32_t depth = in.op == Op::Break ? in.attr2 : 0;
      bool found = false;
      for (size_t r = regions.size(); r-- > 0 && !found;) {
        const Op op = instructions[regions[r].open].op;
        if (op == Op::If || (in.op == Op::Continue && op == Op::Block))
          continue;
        if (depth-- == 0) {
          in.attr = regions[r].open;
          found = true;
        }
      }
      if (!found)
        return false;
    }
  }
  return regions.empty();
}

std::vector<uint32_t> Function::countUses() const {
  std::vector<uint32_t> uses(valueCount, 0);
  for (const Instruction& i : instructions)
    for (unsigned n = 0; n < i.operandCount; n++) {
      const Value v = operand(i, n);
      if (v.valid() && !v.isConstant())
        uses[v.id]++;
    }
  return uses;
}

std::vector<uint32_t> Function::definitions() const {
  std::vector<uint32_t> at(valueCount, 0xFFFFFFFFu);
  for (uint32_t i = 0; i < instructions.size(); i++)
    for (unsigned n = 0; n < instructions[i].resultCount; n++)
      at[instructions[i].firstResult + n] = i;
  return at;
}

const InputDecl* Function::findInput(uint32_t reg, uint32_t component) const {
  for (const InputDecl& d : inputs)
    if (d.reg == reg && (d.mask >> component & 1))
      return &d;
  return nullptr;
}

const OutputDecl* Function::findOutput(uint32_t reg, uint32_t component) const {
  for (const OutputDecl& d : outputs)
    if (d.reg == reg && (d.mask >> component & 1))
      return &d;
  return nullptr;
}

unsigned spatialCount(ResourceDim dim) {
  switch (dim) {
  case ResourceDim::Unknown: return 0;
  case ResourceDim::Buffer:
  case ResourceDim::Texture1D:
  case ResourceDim::Texture1DArray:
  case ResourceDim::RawBuffer: return 1;
  case ResourceDim::Texture2D:
  case ResourceDim::Texture2DArray:
  case ResourceDim::Texture2DMS:
  case ResourceDim::Texture2DMSArray:
  case ResourceDim::StructuredBuffer: return 2;
  case ResourceDim::Texture3D:
  case ResourceDim::TextureCube:
  case ResourceDim::TextureCubeArray: return 3;
  }
  return 0;
}

bool isArray(ResourceDim dim) {
  return dim == ResourceDim::Texture1DArray || dim == ResourceDim::Texture2DArray ||
         dim == ResourceDim::Texture2DMSArray || dim == ResourceDim::TextureCubeArray;
}

unsigned coordinateCount(ResourceDim dim) { return spatialCount(dim) + (isArray(dim) ? 1u : 0u); }

// Names as they stand in the text form; one row per enumerator, in order.
namespace {
const char* const kStageNames[] = {"pixel", "vertex", "geometry", "hull", "domain", "compute"};
const char* const kDimNames[] = {"unknown",   "buffer",    "1d",   "1darray",   "2d",  "2darray",   "2dms",
                                 "2dmsarray", "3d",        "cube", "cubearray", "raw", "structured"};
const char* const kTypeNames[] = {"unknown", "unorm", "snorm", "sint", "uint", "float", "mixed", "double"};
const char* const kInterpolationNames[] = {"undefined",     "constant",
                                           "linear",        "linear_centroid",
                                           "noperspective", "noperspective_centroid",
                                           "linear_sample", "noperspective_sample"};
const char* const kSystemNames[] = {"none",         "position",        "clip_distance",    "cull_distance",
                                    "rt_index",     "viewport_index",  "vertex_id",        "primitive_id",
                                    "instance_id",  "is_front_face",   "sample_index",     "tess_edge",
                                    "tess_inside",  "coverage",        "inner_coverage",   "domain",
                                    "output_point", "fork_instance",   "join_instance",    "gs_instance",
                                    "thread_id",    "thread_group_id", "thread_in_group",  "thread_flattened",
                                    "cycle_counter"};
static_assert(sizeof(kSystemNames) / sizeof(*kSystemNames) == static_cast<size_t>(SystemValue::Count));
const char* const kSamplerNames[] = {"default", "comparison", "mono"};
const char* const kDepthNames[] = {"none", "any", "greater_equal", "less_equal"};
} // namespace

const char* name(Stage s) { return kStageNames[static_cast<unsigned>(s)]; }
const char* name(ResourceDim d) { return kDimNames[static_cast<unsigned>(d)]; }
const char* name(ReturnType t) { return kTypeNames[static_cast<unsigned>(t)]; }
const char* name(Interpolation i) { return kInterpolationNames[static_cast<unsigned>(i)]; }
const char* name(SystemValue s) { return kSystemNames[static_cast<unsigned>(s)]; }
const char* name(SamplerMode m) { return kSamplerNames[static_cast<unsigned>(m)]; }
const char* name(DepthMode m) { return kDepthNames[static_cast<unsigned>(m)]; }

Values Builder::emit(Op op, const Value* operands, unsigned count, uint32_t attr, uint32_t attr2, uint8_t flags) {
  Instruction i;
  i.op = op;
  i.operandCount = static_cast<uint8_t>(count);
  i.resultCount = static_cast<uint8_t>(opInfo(op).results + (flags & kFlagStatus ? 1 : 0));
  i.flags = flags;
  i.firstOperand = static_cast<uint32_t>(m_f.operands.size());
  i.firstResult = m_f.valueCount;
  i.attr = attr;
  i.attr2 = attr2;
  m_f.operands.insert(m_f.operands.end(), operands, operands + count);
  m_f.valueCount += i.resultCount;
  m_f.instructions.push_back(i);
  return Values{i.firstResult, i.resultCount};
}

Values Builder::emitResource(Op op, const Value* operands, unsigned count, const ResourceAttributes& a) {
  const Values v = emit(op, operands, count, a.resource, a.sampler, a.flags);
  Instruction& i = m_f.instructions.back();
  for (unsigned n = 0; n < 3; n++)
    i.offset[n] = a.offset[n];
  i.component = a.component;
  return v;
}

} // namespace monolith::ir
