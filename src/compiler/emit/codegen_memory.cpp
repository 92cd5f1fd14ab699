// SPDX-License-Identifier: MIT
// Instructions on raw and structured buffers, unordered access and group shared memory; barriers.
#include "compiler/emit/codegen.h"

namespace monolith::compiler {

using dxbc::OpCode;
using dxbc::RegisterType;

namespace {

/// Atomic operations have a form that gives the old value.
OpCode returningOp(Op op) {
  static constexpr std::pair<Op, OpCode> rows[] = {
      {Op::AtomicIAdd, OpCode::ImmAtomicIAdd}, {Op::AtomicIMin, OpCode::ImmAtomicIMin}, {Op::AtomicIMax, OpCode::ImmAtomicIMax},
      {Op::AtomicUMin, OpCode::ImmAtomicUMin}, {Op::AtomicUMax, OpCode::ImmAtomicUMax}, {Op::AtomicAnd, OpCode::ImmAtomicAnd},
      {Op::AtomicOr, OpCode::ImmAtomicOr},     {Op::AtomicXor, OpCode::ImmAtomicXor},   {Op::AtomicExch, OpCode::ImmAtomicExch},
      {Op::AtomicCmpExch, OpCode::ImmAtomicCmpExch},
  };
  for (auto [from, to] : rows)
    if (from == op)
      return to;
  return OpCode::Nop;
}

OpCode statusOp(Op op) {
  switch (op) {
  case Op::LdRaw:
  case Op::LdRawMem:
    return OpCode::LdRawS;
  case Op::LdStructured:
  case Op::LdStructuredMem:
    return OpCode::LdStructuredS;
  case Op::LdUavTyped:
    return OpCode::LdUavTypedS;
  default:
    return opInfo(op).code;
  }
}

} // namespace

bool isMemoryOp(Op op) {
  return op >= Op::LdRaw && op <= Op::CounterConsume;
}

/// The memory operand; in 5.0 loads from views carry the kind of the resource.
dxbc::Operand Codegen::memoryOperand(dxbc::Instruction& in, const Fetch& f, bool describe) {
  const ResourceUse& r = m_module.resources[f.resource];
  resourceUsed[f.resource] = true;
  const RegisterType type = f.space == MemorySpace::Shared ? RegisterType::GroupSharedMemory : f.space == MemorySpace::Uav ? RegisterType::Uav : RegisterType::Resource;
  if (describe && f.space != MemorySpace::Shared && m_module.target.model >= 50) {
    const ObjectKind kind = kindOf(r);
    in.hasResourceDim = in.hasReturnType = true;
    in.resourceDim = resourceDimension(kind);
    in.returnTypes.fill(returnTypeOf(r));
    if (in.resourceDim == dxbc::ResourceDimension::StructuredBuffer)
      in.resourceStride = structuredSize(elementTypeOf(r)->element);
  }
  return dxbc::srcOperand(type, r.slot);
}

void Codegen::memory(const Item& item) {
  const Inst& inst = m_f.insts[item.lanes[0]];
  const bool effect = hasTrait(inst.op, kEffect);
  if (!effect && item.results.empty() && item.second.empty())
    return;
  const Fetch& f = m_f.fetches[inst.aux[0]];
  dxbc::Instruction in = make(inst.op, inst);
  std::span<const Src> src(m_f.pool.data() + inst.first, inst.count);
  auto vector = [&](size_t first, size_t count) {
    std::vector<int> order;
    for (size_t k = 0; k < count; k++)
      order.push_back(int(k));
    return count == 1 ? scalarSource(in, src[first]) : source(in, src.subspan(first, count), order, false);
  };
  std::vector<int> positions, unused;
  const bool store = inst.op == Op::StoreRaw || inst.op == Op::StoreStructured || inst.op == Op::StoreUavTyped;
  const bool load = !effect;
  // Exchanges and counters must say where the old value goes.
  auto unread = [&] { return dxbc::dstOperand(RegisterType::Temp, m_registers.scratch(), 1); };
  const bool counter = inst.op == Op::CounterAlloc || inst.op == Op::CounterConsume;
  if (load) {
    in.operands.push_back(item.results.empty() ? dxbc::nullOperand() : dst(item.results, positions));
    if (!item.second.empty()) {
      in.op = statusOp(inst.op);
      usesTiledStatus = true;
      in.operands.push_back(dst(item.second, unused));
    }
    // A texel address is a whole vector, as is everything about typed views.
    in.operands.push_back(f.addressCount == 1 && inst.op == Op::LdUavTyped ? source(in, src.first(1), {0}, false) : vector(0, f.addressCount));
    for (size_t k = 0; k < f.scalars; k++)
      in.operands.push_back(scalarSource(in, src[f.addressCount + k]));
    dxbc::Operand o = memoryOperand(in, f, true);
    if (!item.results.empty()) {
      o.swizzle.fill(uint8_t(m_f.insts[item.results[0]].aux[0]));
      for (size_t k = 0; k < item.results.size(); k++)
        o.swizzle[size_t(positions[k])] = uint8_t(m_f.insts[item.results[k]].aux[0]);
      bool identity = true;
      for (size_t k = 0; k < item.results.size(); k++)
        identity = identity && int(m_f.insts[item.results[k]].aux[0]) == positions[k];
      if (identity && inst.op == Op::LdUavTyped)
        o.swizzle = {0, 1, 2, 3};
    }
    in.operands.push_back(o);
  } else if (counter) {
    in.operands.push_back(item.results.empty() ? unread() : dst(item.results, positions));
    in.operands.push_back(dxbc::plainOperand(RegisterType::Uav, m_module.resources[f.resource].slot));
    resourceUsed[f.resource] = true;
  } else if (store) {
    dxbc::Operand o = memoryOperand(in, f, false);
    o.selection = dxbc::SelectionMode::Mask;
    o.swizzle = {0, 1, 2, 3};
    const bool typed = inst.op == Op::StoreUavTyped;
    o.mask = typed ? dxbc::kMaskAll : uint8_t((1u << f.valueCount) - 1);
    in.operands.push_back(o);
    in.operands.push_back(typed && f.addressCount == 1 ? source(in, src.first(1), {0}, false) : vector(0, f.addressCount));
    for (size_t k = 0; k < f.scalars; k++)
      in.operands.push_back(scalarSource(in, src[f.addressCount + k]));
    const size_t first = f.addressCount + f.scalars;
    if (typed && f.valueCount < 4) { // components that the view does not have repeat the first
      std::vector<Src> lanes(src.begin() + long(first), src.begin() + long(first) + f.valueCount);
      lanes.resize(4, lanes[0]);
      in.operands.push_back(source(in, lanes, {0, 1, 2, 3}, false));
    } else {
      in.operands.push_back(vector(first, f.valueCount));
    }
  } else {
    dxbc::Operand o = dxbc::plainOperand(f.space == MemorySpace::Shared ? RegisterType::GroupSharedMemory : RegisterType::Uav, m_module.resources[f.resource].slot);
    resourceUsed[f.resource] = true;
    const bool returns = !item.results.empty() || inst.op == Op::AtomicExch;
    if (returns) {
      in.op = returningOp(inst.op);
      in.operands.push_back(item.results.empty() ? unread() : dst(item.results, positions));
    }
    in.operands.push_back(o);
    in.operands.push_back(vector(0, f.addressCount));
    for (size_t k = f.addressCount; k < src.size(); k++)
      in.operands.push_back(scalarSource(in, src[k]));
  }
  m_out.push_back(std::move(in));
}

bool Codegen::usesRawAndStructured() const {
  for (size_t i = 0; i < m_module.resources.size(); i++) {
    const Type* t = elementTypeOf(m_module.resources[i]);
    if (resourceUsed[i] && t && t->isObject() && t->object >= ObjectKind::StructuredBuffer && t->object <= ObjectKind::RwByteAddressBuffer)
      return true;
  }
  return false;
}

void Codegen::sync(const Item& item) {
  dxbc::Instruction in;
  in.op = OpCode::Sync;
  in.syncFlags = uint8_t(m_f.insts[item.lanes[0]].aux[0]);
  m_out.push_back(std::move(in));
}

/// t# and u# of buffers, u# of textures, g#.
bool Codegen::declareMemory(const ResourceUse& r, dxbc::Instruction& in) {
  if (r.shared) {
    const Type* t = r.var->type;
    in.op = OpCode::DclThreadGroupSharedMemoryStructured;
    in.decl.stride = structuredSize(t->isArray() ? t->element : t);
    in.decl.count = t->isArray() ? t->count : 1;
    in.operands.push_back(dxbc::plainOperand(RegisterType::GroupSharedMemory, r.slot));
    return true;
  }
  const Type* t = elementTypeOf(r);
  if (r.sampler || r.buffer || r.old || !t || (t->isTexture() && !t->isUav()))
    return false;
  const bool uav = t->isUav();
  in.operands.push_back(dxbc::plainOperand(uav ? RegisterType::Uav : RegisterType::Resource, r.slot));
  switch (t->object) {
  case ObjectKind::StructuredBuffer:
  case ObjectKind::RwStructuredBuffer:
  case ObjectKind::AppendStructuredBuffer:
  case ObjectKind::ConsumeStructuredBuffer:
    in.op = uav ? OpCode::DclUavStructured : OpCode::DclResourceStructured;
    in.decl.stride = structuredSize(t->element);
    break;
  case ObjectKind::ByteAddressBuffer:
  case ObjectKind::RwByteAddressBuffer:
    in.op = uav ? OpCode::DclUavRaw : OpCode::DclResourceRaw;
    break;
  default:
    in.op = OpCode::DclUavTyped;
    in.decl.dimension = resourceDimension(kindOf(r));
    in.decl.returnTypes.fill(returnTypeOf(r));
    break;
  }
  if (uav) {
    in.decl.uavFlags = (r.var->modifiers & kModGloballyCoherent ? uint32_t(dxbc::kUavGloballyCoherent) : 0u) | (t->ordered ? uint32_t(dxbc::kUavRasterizerOrdered) : 0u) |
                       (r.counter && t->object == ObjectKind::RwStructuredBuffer ? uint32_t(dxbc::kUavHasCounter) : 0u); // append buffers keep no order
  }
  return true;
}

void Codegen::declareGroup(std::vector<dxbc::Instruction>& out) {
  if (m_module.target.stage != Stage::Compute)
    return;
  dxbc::Instruction in;
  in.op = OpCode::DclThreadGroup;
  in.decl.threads = m_module.threads;
  out.push_back(std::move(in));
}

} // namespace monolith::compiler
