// SPDX-License-Identifier: MIT
#include "translate/translator.h"

#include <algorithm>

namespace monolith::translate {

using dxbc::OpCode;
using dxbc::Operand;
using dxbc::RegisterType;
using dxbc::ValueType;
using ir::MemorySpace;
using ir::Op;
using ir::ResourceDim;
using ir::Value;

namespace {

constexpr bool has(uint8_t mask, unsigned component) { return (mask >> component & 1) != 0; }

/// What a sampling instruction is made of, in token order of its operands after the destination(s).
struct SampleRow {
  OpCode from;
  Op to;
  enum Extra : uint8_t { None, Scalar, Gradients, GatherOffset, GatherOffsetScalar } extra;
};

constexpr SampleRow kSampleRows[] = {
    {OpCode::Sample, Op::Sample, SampleRow::None},
    {OpCode::SampleB, Op::SampleB, SampleRow::Scalar},
    {OpCode::SampleL, Op::SampleL, SampleRow::Scalar},
    {OpCode::SampleD, Op::SampleD, SampleRow::Gradients},
    {OpCode::SampleC, Op::SampleC, SampleRow::Scalar},
    {OpCode::SampleClz, Op::SampleCLz, SampleRow::Scalar},
    {OpCode::Lod, Op::Lod, SampleRow::None},
    {OpCode::Gather4, Op::Gather4, SampleRow::None},
    {OpCode::Gather4C, Op::Gather4C, SampleRow::Scalar},
    {OpCode::Gather4Po, Op::Gather4Po, SampleRow::GatherOffset},
    {OpCode::Gather4PoC, Op::Gather4PoC, SampleRow::GatherOffsetScalar},
    {OpCode::Gather4S, Op::Gather4, SampleRow::None},
    {OpCode::Gather4CS, Op::Gather4C, SampleRow::Scalar},
    {OpCode::Gather4PoS, Op::Gather4Po, SampleRow::GatherOffset},
    {OpCode::Gather4PoCS, Op::Gather4PoC, SampleRow::GatherOffsetScalar},
    {OpCode::SampleLS, Op::SampleL, SampleRow::Scalar},
    {OpCode::SampleClzS, Op::SampleCLz, SampleRow::Scalar},
    {OpCode::SampleClampS, Op::Sample, SampleRow::None},
    {OpCode::SampleBClampS, Op::SampleB, SampleRow::Scalar},
    {OpCode::SampleDClampS, Op::SampleD, SampleRow::Gradients},
    {OpCode::SampleCClampS, Op::SampleC, SampleRow::Scalar},
};

template <class Declarations> uint32_t findSlot(const Declarations& all, uint32_t slot) {
  for (size_t i = 0; i < all.size(); i++)
    if (all[i].slot == slot)
      return static_cast<uint32_t>(i);
  return ~0u;
}

bool isMultisampled(ResourceDim d) { return d == ResourceDim::Texture2DMS || d == ResourceDim::Texture2DMSArray; }

} // namespace

bool Translator::resourceOperand(const Operand& o, ir::ResourceAttributes& a, ResourceDim& dim) {
  a.resource = findSlot(m_f.resources, o.reg());
  if (o.type != RegisterType::Resource || o.index[0].isRelative() || a.resource == ~0u) {
    fail("resource is not declared");
    return false;
  }
  dim = m_f.resources[a.resource].dim;
  return true;
}

bool Translator::samplerOperand(const Operand& o, ir::ResourceAttributes& a) {
  a.sampler = findSlot(m_f.samplers, o.reg());
  if (o.type != RegisterType::Sampler || o.index[0].isRelative() || a.sampler == ~0u) {
    fail("sampler is not declared");
    return false;
  }
  return true;
}

/// t#, u# or g#: index and memory space.
bool Translator::memoryOperand(const Operand& o, ir::ResourceAttributes& a, ResourceDim& dim) {
  if (o.type == RegisterType::Uav && !o.index[0].isRelative()) {
    a.resource = findSlot(m_f.uavs, o.reg());
    a.sampler = static_cast<uint32_t>(MemorySpace::Uav);
    if (a.resource != ~0u) {
      dim = m_f.uavs[a.resource].dim;
      return true;
    }
  } else if (o.type == RegisterType::GroupSharedMemory && !o.index[0].isRelative()) {
    a.resource = findSlot(m_f.shared, o.reg());
    a.sampler = static_cast<uint32_t>(MemorySpace::Shared);
    if (a.resource != ~0u) {
      dim = m_f.shared[a.resource].stride ? ResourceDim::StructuredBuffer : ResourceDim::RawBuffer;
      return true;
    }
  } else {
    a.sampler = static_cast<uint32_t>(MemorySpace::Resource);
    return resourceOperand(o, a, dim);
  }
  fail("memory is not declared");
  return false;
}

/// Writes words[swizzle[c]] (words[c] without swizzle operand) to each component of the mask.
void Translator::storeVector(const Operand& dst, const Operand* swizzle, const Value* words, bool saturate) {
  for (unsigned c = 0; c < 4; c++) {
    if (!has(dst.writeMask(), c))
      continue;
    Value v = words[swizzle && swizzle->componentCount == 4 ? swizzle->swizzle[c] & 3 : c];
    if (saturate)
      v = m_b.emit(Op::FSat, {v});
    store(dst, c, v);
  }
}

bool Translator::sample() {
  const SampleRow* row = std::find_if(std::begin(kSampleRows), std::end(kSampleRows),
                                      [&](const SampleRow& r) { return r.from == m_in->op; });
  if (row == std::end(kSampleRows))
    return false;
  const bool feedback = m_in->info().has(dxbc::kFeedback);
  unsigned at = feedback ? 2 : 1;
  const Operand& coordinates = operand(at++);
  const bool gatherOffset = row->extra == SampleRow::GatherOffset || row->extra == SampleRow::GatherOffsetScalar;
  const Operand& offsets = operand(gatherOffset ? at++ : 0);
  const Operand& resource = operand(at++);
  const Operand& sampler = operand(at++);
  ir::ResourceAttributes a;
  ResourceDim dim;
  if (failed() || !resourceOperand(resource, a, dim) || !samplerOperand(sampler, a))
    return true;
  const unsigned count = row->to == Op::Lod ? ir::spatialCount(dim) : ir::coordinateCount(dim);
  if (count == 0 || dim == ResourceDim::Buffer || dim >= ResourceDim::RawBuffer || isMultisampled(dim)) {
    fail("resource dimension cannot be sampled");
    return true;
  }
  if (m_in->info().has(dxbc::kGather) && count < 2) {
    fail("resource dimension cannot be gathered");
    return true;
  }
  Value in[16];
  unsigned n = 0;
  for (unsigned c = 0; c < count; c++)
    in[n++] = load(coordinates, c, ValueType::Float);
  if (gatherOffset)
    for (unsigned c = 0; c < 2; c++)
      in[n++] = load(offsets, c, ValueType::Int);
  if (row->extra == SampleRow::Scalar || row->extra == SampleRow::GatherOffsetScalar)
    in[n++] = load(operand(at++), 0, ValueType::Float);
  if (row->extra == SampleRow::Gradients)
    for (unsigned d = 0; d < 2; d++, at++)
      for (unsigned c = 0; c < ir::spatialCount(dim); c++)
        in[n++] = load(operand(at), c, ValueType::Float);
  if (m_in->info().has(dxbc::kClamp)) {
    in[n++] = load(operand(at++), 0, ValueType::Float);
    a.flags |= ir::kFlagClamp;
  }
  if (failed())
    return true;
  if (feedback)
    a.flags |= ir::kFlagStatus;
  if (m_in->info().has(dxbc::kGather))
    a.component = sampler.componentCount == 4 ? sampler.component(0) & 3 : 0;
  for (unsigned c = 0; c < 3; c++)
    a.offset[c] = m_in->offsets[c];
  const ir::Values r = m_b.emitResource(row->to, in, n, a);
  Value words[4];
  for (unsigned c = 0; c < 4; c++)
    words[c] = row->to == Op::Lod && c > 1 ? zero() : r[c];
  storeVector(operand(0), &resource, words, m_in->saturate);
  if (feedback && !operand(1).isNull())
    storeVector(operand(1), nullptr, std::array<Value, 4>{r[4], r[4], r[4], r[4]}.data(), false);
  return true;
}

/// ld and ldms.
void Translator::fetch() {
  const bool feedback = m_in->info().has(dxbc::kFeedback);
  const bool multisampled = m_in->op == OpCode::LdMs || m_in->op == OpCode::LdMsS;
  unsigned at = feedback ? 2 : 1;
  const Operand& address = operand(at++);
  const Operand& resource = operand(at++);
  ir::ResourceAttributes a;
  ResourceDim dim;
  if (failed() || !resourceOperand(resource, a, dim))
    return;
  const unsigned count = ir::coordinateCount(dim);
  if (count == 0 || dim >= ResourceDim::TextureCube || isMultisampled(dim) != multisampled) {
    fail("resource dimension cannot be loaded");
    return;
  }
  Value in[4];
  unsigned n = 0;
  for (unsigned c = 0; c < count; c++)
    in[n++] = load(address, c, ValueType::Int);
  if (multisampled)
    in[n++] = load(operand(at), 0, ValueType::Int);
  else if (dim != ResourceDim::Buffer)
    in[n++] = load(address, 3, ValueType::Int);
  if (failed())
    return;
  if (feedback)
    a.flags |= ir::kFlagStatus;
  for (unsigned c = 0; c < 3; c++)
    a.offset[c] = m_in->offsets[c];
  const ir::Values r = m_b.emitResource(multisampled ? Op::LdMs : Op::Ld, in, n, a);
  const Value words[4] = {r[0], r[1], r[2], r[3]};
  storeVector(operand(0), &resource, words, false);
  if (feedback && !operand(1).isNull())
    storeVector(operand(1), nullptr, std::array<Value, 4>{r[4], r[4], r[4], r[4]}.data(), false);
}

/// ld_uav_typed, ld_raw, ld_structured.
void Translator::loadMemory() {
  const bool feedback = m_in->info().has(dxbc::kFeedback);
  const bool structured = m_in->op == OpCode::LdStructured || m_in->op == OpCode::LdStructuredS;
  const bool raw = m_in->op == OpCode::LdRaw || m_in->op == OpCode::LdRawS;
  unsigned at = feedback ? 2 : 1;
  const unsigned addressAt = at;
  at += structured ? 2 : 1;
  const Operand& memory = operand(at);
  ir::ResourceAttributes a;
  ResourceDim dim;
  if (failed() || !memoryOperand(memory, a, dim))
    return;
  if (structured != (dim == ResourceDim::StructuredBuffer) || raw != (dim == ResourceDim::RawBuffer)) {
    fail("memory kind does not match");
    return;
  }
  Value in[4];
  unsigned n = 0;
  if (structured || raw) {
    in[n++] = load(operand(addressAt), 0, ValueType::Uint);
    if (structured)
      in[n++] = load(operand(addressAt + 1), 0, ValueType::Uint);
  } else {
    for (unsigned c = 0; c < ir::coordinateCount(dim) && c < 3; c++)
      in[n++] = load(operand(addressAt), c, ValueType::Uint);
    if (n == 0)
      fail("resource dimension cannot be loaded");
  }
  if (failed())
    return;
  if (feedback)
    a.flags |= ir::kFlagStatus;
  const ir::Values r = m_b.emitResource(structured ? Op::LdStructured : raw ? Op::LdRaw : Op::UavLoadTyped, in, n, a);
  const Value words[4] = {r[0], r[1], r[2], r[3]};
  storeVector(operand(0), &memory, words, false);
  if (feedback && !operand(1).isNull())
    storeVector(operand(1), nullptr, std::array<Value, 4>{r[4], r[4], r[4], r[4]}.data(), false);
}

/// store_uav_typed, store_raw, store_structured.
void Translator::storeMemory() {
  const Operand& memory = operand(0);
  ir::ResourceAttributes a;
  ResourceDim dim;
  if (failed() || !memoryOperand(memory, a, dim))
    return;
  const bool structured = m_in->op == OpCode::StoreStructured;
  const bool raw = m_in->op == OpCode::StoreRaw;
  if (a.sampler == static_cast<uint32_t>(MemorySpace::Resource) || structured != (dim == ResourceDim::StructuredBuffer) ||
      raw != (dim == ResourceDim::RawBuffer)) {
    fail("memory kind does not match");
    return;
  }
  Value in[8];
  unsigned n = 0, words = 4;
  if (structured || raw) {
    in[n++] = load(operand(1), 0, ValueType::Uint);
    if (structured)
      in[n++] = load(operand(2), 0, ValueType::Uint);
    for (words = 0; words < 4 && has(memory.writeMask(), words);)
      words++;
    if (words == 0)
      words = memory.componentCount == 4 ? 0 : 1;
    if (words == 0) {
      fail("store mask must start at x");
      return;
    }
  } else {
    for (unsigned c = 0; c < ir::coordinateCount(dim) && c < 3; c++)
      in[n++] = load(operand(1), c, ValueType::Uint);
    if (n == 0)
      fail("resource dimension cannot be stored");
  }
  const Operand& value = operand(structured ? 3 : 2);
  for (unsigned c = 0; c < words; c++)
    in[n++] = load(value, c, ValueType::Any);
  if (!failed())
    m_b.emitResource(structured ? Op::StoreStructured : raw ? Op::StoreRaw : Op::UavStoreTyped, in, n, a);
}

void Translator::atomic() {
  struct Row {
    OpCode plain, immediate;
    Op op;
  };
  static constexpr Row kRows[] = {
      {OpCode::AtomicAnd, OpCode::ImmAtomicAnd, Op::AtomicAnd},
      {OpCode::AtomicOr, OpCode::ImmAtomicOr, Op::AtomicOr},
      {OpCode::AtomicXor, OpCode::ImmAtomicXor, Op::AtomicXor},
      {OpCode::AtomicCmpStore, OpCode::ImmAtomicCmpExch, Op::AtomicCmpExch},
      {OpCode::AtomicIAdd, OpCode::ImmAtomicIAdd, Op::AtomicIAdd},
      {OpCode::AtomicIMax, OpCode::ImmAtomicIMax, Op::AtomicIMax},
      {OpCode::AtomicIMin, OpCode::ImmAtomicIMin, Op::AtomicIMin},
      {OpCode::AtomicUMax, OpCode::ImmAtomicUMax, Op::AtomicUMax},
      {OpCode::AtomicUMin, OpCode::ImmAtomicUMin, Op::AtomicUMin},
      {OpCode::Nop, OpCode::ImmAtomicExch, Op::AtomicExch},
      {OpCode::Nop, OpCode::ImmAtomicAlloc, Op::CounterAlloc},
      {OpCode::Nop, OpCode::ImmAtomicConsume, Op::CounterConsume},
  };
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.plain == m_in->op || r.immediate == m_in->op; });
  if (row == std::end(kRows)) {
    fail("not translated");
    return;
  }
  const bool immediate = row->immediate == m_in->op;
  unsigned at = immediate ? 1 : 0;
  const Operand& memory = operand(at++);
  ir::ResourceAttributes a;
  ResourceDim dim;
  if (failed() || !memoryOperand(memory, a, dim))
    return;
  if (a.sampler == static_cast<uint32_t>(MemorySpace::Resource)) {
    fail("memory kind does not match");
    return;
  }
  Value in[8];
  unsigned n = 0;
  if (row->op != Op::CounterAlloc && row->op != Op::CounterConsume) {
    const unsigned address = dim == ResourceDim::StructuredBuffer ? 2 : dim == ResourceDim::RawBuffer ? 1 : ir::coordinateCount(dim);
    for (unsigned c = 0; c < address && c < 3; c++)
      in[n++] = load(operand(at), c, ValueType::Uint);
    at++;
    in[n++] = load(operand(at++), 0, ValueType::Int);
    if (row->op == Op::AtomicCmpExch)
      in[n++] = load(operand(at++), 0, ValueType::Int);
  }
  if (failed())
    return;
  const Value r = m_b.emitResource(row->op, in, n, a);
  if (immediate)
    storeVector(operand(0), nullptr, std::array<Value, 4>{r, r, r, r}.data(), false);
}

/// resinfo, bufinfo, sampleinfo, samplepos.
void Translator::info() {
  const Operand& dst = operand(0);
  ir::ResourceAttributes a;
  ResourceDim dim = ResourceDim::Unknown;
  switch (m_in->op) {
  case OpCode::ResInfo: {
    if (!memoryOperand(operand(2), a, dim))
      return;
    a.component = static_cast<uint8_t>(m_in->resInfoType);
    const ir::Values r = m_b.emitResource(Op::ResInfo, {load(operand(1), 0, ValueType::Uint)}, a);
    const Value words[4] = {r[0], r[1], r[2], r[3]};
    storeVector(dst, &operand(2), words, false);
    return;
  }
  case OpCode::BufInfo: {
    if (!memoryOperand(operand(1), a, dim))
      return;
    const Value r = m_b.emitResource(Op::BufInfo, {}, a);
    storeVector(dst, nullptr, std::array<Value, 4>{r, r, r, r}.data(), false);
    return;
  }
  default: {
    const bool position = m_in->op == OpCode::SamplePos;
    if (operand(1).type == RegisterType::Rasterizer)
      a.resource = ir::kRasterizer;
    else if (!resourceOperand(operand(1), a, dim))
      return;
    a.component = m_in->uintResult ? 2 : 0;
    Value words[4] = {zero(), zero(), zero(), zero()};
    if (position) {
      const ir::Values r = m_b.emitResource(Op::SamplePos, {load(operand(2), 0, ValueType::Int)}, a);
      words[0] = r[0];
      words[1] = r[1];
    } else {
      words[0] = m_b.emitResource(Op::SampleInfo, {}, a);
    }
    storeVector(dst, &operand(1), words, false);
    return;
  }
  }
}

/// One component of a register at the place that an eval_* instruction names.
Value Translator::evaluated(uint32_t reg, unsigned component) {
  if (!m_f.findInput(reg, component))
    return zero();
  if (m_in->op == OpCode::EvalCentroid)
    return m_b.emit(Op::EvalCentroid, {}, reg, component);
  if (m_in->op == OpCode::EvalSampleIndex)
    return m_b.emit(Op::EvalSample, {load(operand(2), 0, ValueType::Int)}, reg, component);
  return m_b.emit(Op::EvalSnapped, {load(operand(2), 0, ValueType::Int), load(operand(2), 1, ValueType::Int)}, reg, component);
}

/// eval_centroid, eval_sample_index, eval_snapped.
void Translator::eval() {
  const Operand& dst = operand(0);
  const Operand& input = operand(1);
  const bool indexed = input.indexCount == 1 && input.index[0].isRelative();
  const int32_t range = indexed ? rangeOf(input) : -1;
  if (input.type != RegisterType::Input || input.indexCount != 1 || (!indexed && input.index[0].offset >= kMaxRegister) ||
      (indexed && range < 0)) {
    fail("only declared input registers can be evaluated");
    return;
  }
  Value words[4];
  const Value index = indexed ? indexValue(input.index[0], m_ranges[range].range.first, 0) : Value();
  for (unsigned c = 0; c < 4; c++) {
    if (!has(dst.writeMask(), c))
      continue;
    const unsigned component = input.component(c);
    if (!indexed) {
      words[c] = evaluated(input.reg(), component);
    } else { // one of the range's registers, chosen by the index; 0 outside
      const dxbc::IndexRange& r = m_ranges[range].range;
      words[c] = zero();
      for (uint32_t n = 0; n < r.count && r.first + n < kMaxRegister; n++)
        words[c] = m_b.emit(Op::Select, {m_b.emit(Op::IEq, {index, m_b.constant(n)}), evaluated(r.first + n, component), words[c]});
    }
    if (input.absolute) words[c] = m_b.emit(Op::FAbs, {words[c]});
    if (input.negate) words[c] = m_b.emit(Op::FNeg, {words[c]});
  }
  for (unsigned c = 0; c < 4; c++)
    if (has(dst.writeMask(), c))
      storeSaturated(dst, c, words[c]);
}

bool Translator::resources() {
  switch (m_in->info().role) {
  case dxbc::OpRole::Sample: return sample();
  case dxbc::OpRole::Fetch:
    if (m_in->info().operands[m_in->info().has(dxbc::kFeedback) ? 3 : 2].kind == dxbc::OperandKind::Resource)
      fetch();
    else
      loadMemory();
    return true;
  case dxbc::OpRole::Store: storeMemory(); return true;
  case dxbc::OpRole::Atomic: atomic(); return true;
  case dxbc::OpRole::Info: info(); return true;
  case dxbc::OpRole::Eval: eval(); return true;
  case dxbc::OpRole::Sync: m_b.emit(Op::Sync, {}, m_in->syncFlags & 15u); return true;
  default: return false;
  }
}

} // namespace monolith::translate
