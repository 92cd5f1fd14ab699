// SPDX-License-Identifier: MIT
// Structured and raw buffers, unordered access, group shared memory: elements as places, loads and stores, atomic
// operations, counters, barriers. A place there keeps a byte offset (or a component of a texel) for each of its scalars,
// so that writing a part of an element writes that part only.
#include "compiler/lower/map.h"

#include <algorithm>
#include <map>

namespace monolith::compiler {

namespace {

/// Byte offset of every scalar of a value, packed as structured buffers are.
void scalarOffsets(const Type* t, uint32_t at, std::vector<uint32_t>& out) {
  if (t->isNumeric()) {
    const uint32_t bytes = scalarBytes(t->base);
    const bool columns = t->isMatrix() && t->order != Order::RowMajor;
    for (uint32_t r = 0; r < t->rows; r++)
      for (uint32_t c = 0; c < t->cols; c++)
        out.push_back(at + (columns ? c * t->rows + r : r * t->cols + c) * bytes);
  } else if (t->isArray()) {
    for (uint32_t i = 0; i < t->count; i++)
      scalarOffsets(t->element, at + i * structuredSize(t->element), out);
  } else if (t->isStruct()) {
    for (uint32_t i = 0; i < t->structure->fields.size(); i++)
      scalarOffsets(t->structure->fields[i].type, at + structuredOffset(t, i), out);
  }
}

bool isStructured(ObjectKind k) {
  return k >= ObjectKind::StructuredBuffer && k <= ObjectKind::ConsumeStructuredBuffer;
}

struct AtomicRow {
  IntrinsicId intrinsic, withOut;
  MethodId method;
  Op op;
  Op unsignedOp;
};
constexpr AtomicRow kAtomics[] = {
    {IntrinsicId::InterlockedAdd, IntrinsicId::InterlockedAddOut, MethodId::InterlockedAdd, Op::AtomicIAdd, Op::AtomicIAdd},
    {IntrinsicId::InterlockedMin, IntrinsicId::InterlockedMinOut, MethodId::InterlockedMin, Op::AtomicIMin, Op::AtomicUMin},
    {IntrinsicId::InterlockedMax, IntrinsicId::InterlockedMaxOut, MethodId::InterlockedMax, Op::AtomicIMax, Op::AtomicUMax},
    {IntrinsicId::InterlockedAnd, IntrinsicId::InterlockedAndOut, MethodId::InterlockedAnd, Op::AtomicAnd, Op::AtomicAnd},
    {IntrinsicId::InterlockedOr, IntrinsicId::InterlockedOrOut, MethodId::InterlockedOr, Op::AtomicOr, Op::AtomicOr},
    {IntrinsicId::InterlockedXor, IntrinsicId::InterlockedXorOut, MethodId::InterlockedXor, Op::AtomicXor, Op::AtomicXor},
    {IntrinsicId::InterlockedExchange, IntrinsicId::InterlockedExchange, MethodId::InterlockedExchange, Op::AtomicExch, Op::AtomicExch},
    {IntrinsicId::InterlockedCompareStore, IntrinsicId::InterlockedCompareStore, MethodId::InterlockedCompareStore, Op::AtomicCmpExch, Op::AtomicCmpExch},
    {IntrinsicId::InterlockedCompareExchange, IntrinsicId::InterlockedCompareExchange, MethodId::InterlockedCompareExchange, Op::AtomicCmpExch, Op::AtomicCmpExch},
};

struct BarrierRow {
  IntrinsicId id;
  uint32_t flags;
};
constexpr BarrierRow kBarriers[] = {
    {IntrinsicId::GroupMemoryBarrier, dxbc::kSyncGroupSharedMemory},
    {IntrinsicId::GroupMemoryBarrierWithGroupSync, dxbc::kSyncGroupSharedMemory | dxbc::kSyncThreadsInGroup},
    {IntrinsicId::DeviceMemoryBarrier, dxbc::kSyncUavMemoryGlobal},
    {IntrinsicId::DeviceMemoryBarrierWithGroupSync, dxbc::kSyncUavMemoryGlobal | dxbc::kSyncThreadsInGroup},
    {IntrinsicId::AllMemoryBarrier, dxbc::kSyncUavMemoryGlobal | dxbc::kSyncGroupSharedMemory},
    {IntrinsicId::AllMemoryBarrierWithGroupSync, dxbc::kSyncUavMemoryGlobal | dxbc::kSyncGroupSharedMemory | dxbc::kSyncThreadsInGroup},
};

} // namespace

uint32_t Lowering::locationIndex(const Location& at) {
  auto& list = m_module.locations;
  if (!list.empty() && list.back().line == at.line && list.back().col == at.col && list.back().file == at.file)
    return uint32_t(list.size() - 1);
  list.push_back(at);
  return uint32_t(list.size() - 1);
}

void Lowering::report(const Location& at, int number, const std::string& text) {
  if (!m_quiet)
    m_diagnostics.error(at, number, text);
}

/// Group shared memory belongs to compute shaders; elsewhere the word is ignored.
bool Lowering::isShared(const VarDecl* var) const {
  return (var->modifiers & kModGroupShared) && m_module.target.stage == Stage::Compute;
}

/// What the target lets an object with unordered access do.
void Lowering::checkUav(const Type* t, const Location& at) {
  const Target& target = m_module.target;
  if (!t->isUav() || target.model >= 50)
    return;
  const ObjectKind k = t->object;
  if (target.stage != Stage::Compute)
    report(at, 3667, target.name + " does not support UAVs");
  else if (k == ObjectKind::AppendStructuredBuffer || k == ObjectKind::ConsumeStructuredBuffer)
    report(at, 3665, target.name + " does not support Append/Consume buffers");
  else if (k != ObjectKind::RwStructuredBuffer && k != ObjectKind::RwByteAddressBuffer)
    report(at, 3666, target.name + " does not support typed UAVs");
}

Fetch Lowering::memoryFetch(uint32_t resource) const {
  Fetch f;
  f.resource = resource;
  const ResourceUse& r = m_module.resources[resource];
  f.space = r.shared ? MemorySpace::Shared : MemorySpace::View;
  if (!r.shared) {
    const Type* t = r.var->type;
    while (t->isArray())
      t = t->element;
    f.space = t->isUav() ? MemorySpace::Uav : MemorySpace::View;
  }
  f.addressCount = 1;
  return f;
}

Place Lowering::placeOfShared(const VarDecl* var, const Type* type) {
  Place p;
  p.kind = Place::Kind::Buffer;
  p.type = p.baseType = type;
  p.var = var;
  p.loc = var->loc;
  auto& list = m_module.resources;
  for (p.memory = 0; p.memory < list.size(); p.memory++)
    if (list[p.memory].var == var && list[p.memory].shared)
      break;
  if (p.memory == list.size()) {
    ResourceUse use;
    use.var = var;
    use.shared = true;
    list.push_back(use);
  }
  p.pending = var->type->isArray();
  p.index = p.pending ? kNoValue : m_b.constant(0u);
  scalarOffsets(type, 0, p.slots);
  return p;
}

/// object[index] and object.Load(index) of structured buffers and typed unordered access.
Place Lowering::placeOfElement(const Expr* e) {
  Place p;
  p.type = p.baseType = e->type;
  p.loc = e->loc;
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  if (!objectOf(e->a, var, element)) {
    objectError(e->a, false);
    p.slots.assign(e->type->slots, m_b.undef());
    return p;
  }
  checkUav(e->a->type, e->loc);
  p.memory = resourceIndex(var, element, false, 0, e->loc);
  p.var = var;
  Value index = expr(e->args[0]);
  if (isStructured(e->a->type->object)) {
    p.kind = Place::Kind::Buffer;
    p.index = index.v[0];
    scalarOffsets(e->type, 0, p.slots);
    return p;
  }
  p.kind = Place::Kind::Texel;
  p.address = index.v;
  for (uint32_t i = 0; i < e->type->slots; i++)
    p.slots.push_back(i);
  return p;
}

/// A run of words at byte offset `first` of the place's element.
std::pair<ValueId, ValueId> Lowering::bufferAddress(const Place& p, uint32_t first) {
  ValueId index = p.index;
  if (p.pending) { // the whole array: its elements one by one
    const uint32_t stride = structuredSize(p.var->type->element);
    index = m_b.constant(first / stride);
    first %= stride;
  }
  ValueId offset = m_b.constant(first);
  if (p.dynamic)
    offset = m_b.emit(Op::IAdd, {p.dynamic, offset});
  return {index, offset};
}

std::vector<ValueId> Lowering::loadBuffer(const Place& p, ValueId* status) {
  const Fetch f = [&] {
    Fetch x = memoryFetch(p.memory);
    x.scalars = 1;
    return x;
  }();
  std::vector<Base> bases;
  leafBases(p.baseType, bases);
  std::map<uint32_t, ValueId> words;
  for (size_t i = 0; i < p.slots.size(); i++)
    for (uint32_t k = 0; k < scalarBytes(bases[i]); k += 4)
      words[p.slots[i] + k] = kNoValue;
  const uint32_t stride = p.pending ? structuredSize(p.var->type->element) : 0;
  for (auto it = words.begin(); it != words.end();) {
    const uint32_t first = it->first;
    auto [index, offset] = bufferAddress(p, first);
    m_b.beginGroup();
    ValueId load = m_b.emit(f.space == MemorySpace::View && !m_module.mayAlias ? Op::LdStructured : Op::LdStructuredMem, {index, offset}, fetchIndex(f));
    if (status && !*status)
      *status = load;
    for (uint32_t n = 0; n < 4 && it != words.end() && it->first == first + 4 * n && (n == 0 || !stride || it->first % stride); n++, ++it) {
      m_b.lane(n);
      it->second = m_b.emit(Op::Extract, {load}, n);
    }
  }
  std::vector<ValueId> out;
  for (size_t i = 0; i < p.slots.size(); i++) {
    ValueId v = words[p.slots[i]];
    if (bases[i] == Base::Double)
      v = m_b.emit(Op::DPair, {v, words[p.slots[i] + 4]});
    else if (bases[i] == Base::Bool)
      v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
    out.push_back(v);
  }
  return out;
}

void Lowering::storeBuffer(const Place& p, const std::vector<ValueId>& v) {
  Fetch f = memoryFetch(p.memory);
  f.scalars = 1;
  if (f.space == MemorySpace::View)
    return;
  std::vector<Base> bases;
  leafBases(p.baseType, bases);
  std::map<uint32_t, ValueId> words;
  for (size_t i = 0; i < p.slots.size() && i < v.size(); i++) {
    if (bases[i] == Base::Double) {
      words[p.slots[i]] = m_b.emit(Op::DLow, {v[i]});
      words[p.slots[i] + 4] = m_b.emit(Op::DHigh, {v[i]});
    } else {
      words[p.slots[i]] = bases[i] == Base::Bool ? m_b.emit(Op::And, {v[i], m_b.constant(1u)}) : v[i];
    }
  }
  const uint32_t stride = p.pending ? structuredSize(p.var->type->element) : 0;
  for (auto it = words.begin(); it != words.end();) {
    const uint32_t first = it->first;
    auto [index, offset] = bufferAddress(p, first);
    std::vector<ValueId> src{index, offset};
    for (uint32_t n = 0; n < 4 && it != words.end() && it->first == first + 4 * n && (n == 0 || !stride || it->first % stride); n++, ++it)
      src.push_back(it->second);
    f.valueCount = uint8_t(src.size() - 2);
    m_b.emit(Op::StoreStructured, src, fetchIndex(f), locationIndex(p.loc));
  }
}

std::vector<ValueId> Lowering::loadElementTexel(const Place& p, ValueId* status) {
  std::vector<ValueId> out;
  const Type* object = p.var->type;
  while (object->isArray())
    object = object->element;
  if (object->element->slots != 1 || object->normalized) // devices say whether they can
    m_module.typedUavLoads = true;
  Fetch f = memoryFetch(p.memory);
  f.addressCount = uint8_t(p.address.size());
  ValueId load = m_b.emit(Op::LdUavTyped, p.address, fetchIndex(f));
  if (status)
    *status = load;
  for (uint32_t k : p.slots)
    out.push_back(convertScalar(m_b.emit(Op::Extract, {load}, k), object->element->base == Base::Bool ? Base::Int : object->element->base, object->element->base));
  return out;
}

void Lowering::storeTexel(const Place& p, const std::vector<ValueId>& v) {
  const Type* object = p.var->type;
  while (object->isArray())
    object = object->element;
  std::vector<ValueId> values(object->element->slots, kNoValue);
  for (size_t i = 0; i < p.slots.size() && i < v.size(); i++)
    values[p.slots[i]] = object->element->base == Base::Bool ? m_b.emit(Op::And, {v[i], m_b.constant(1u)}) : v[i];
  if (std::find(values.begin(), values.end(), kNoValue) != values.end()) {
    report(p.loc, 4596, "typed UAV stores must write all declared components.");
    return;
  }
  Fetch f = memoryFetch(p.memory);
  f.addressCount = uint8_t(p.address.size());
  f.valueCount = uint8_t(values.size());
  std::vector<ValueId> src = p.address;
  src.insert(src.end(), values.begin(), values.end());
  m_b.emit(Op::StoreUavTyped, src, fetchIndex(f), locationIndex(p.loc));
}

/// Element `index` of a place in memory, if its scalars lie at regular distances; false if not.
bool Lowering::indexMemory(Place& p, ValueId index, uint32_t count, uint32_t each) {
  if (p.pending) {
    p.pending = false;
    p.index = index;
    p.slots.resize(each);
    return true;
  }
  if (p.kind != Place::Kind::Buffer || p.slots.size() < size_t(count) * each)
    return false;
  const uint32_t stride = count > 1 ? p.slots[each] - p.slots[0] : 4;
  for (uint32_t g = 1; g < count; g++)
    for (uint32_t i = 0; i < each; i++)
      if (p.slots[size_t(g) * each + i] != p.slots[i] + g * stride)
        return false;
  p.dynamic = dynamicIndex(index, stride, p.dynamic);
  p.slots.resize(each);
  return true;
}

Value Lowering::rawLoad(const Expr* e, uint32_t resource) {
  Value r;
  r.type = e->type;
  const Fetch f = memoryFetch(resource);
  ValueId load = m_b.emit(f.space == MemorySpace::View && !m_module.mayAlias ? Op::LdRaw : Op::LdRawMem, {scalar(e->args[0])}, fetchIndex(f));
  r = fetchResult(load, e->type);
  storeStatus(e, load);
  return r;
}

void Lowering::rawStore(const Expr* e, uint32_t resource) {
  Fetch f = memoryFetch(resource);
  std::vector<ValueId> src{scalar(e->args[0])};
  Value v = expr(e->args[1]);
  src.insert(src.end(), v.v.begin(), v.v.end());
  f.valueCount = uint8_t(v.v.size());
  m_b.emit(Op::StoreRaw, src, fetchIndex(f), locationIndex(e->loc));
}

/// Atomic operation on an address that is ready; the old value goes to `out`, if given.
void Lowering::atomic(Op op, uint32_t resource, const std::vector<ValueId>& address, const std::vector<ValueId>& values, const Expr* out, Base base) {
  Fetch f = memoryFetch(resource);
  f.addressCount = uint8_t(address.size());
  std::vector<ValueId> src = address;
  src.insert(src.end(), values.begin(), values.end());
  m_b.beginGroup();
  ValueId i = m_b.emit(op, src, fetchIndex(f));
  if (!out)
    return;
  ValueId old = m_b.emit(Op::Extract, {i}, 0);
  Place p = place(out);
  Value v;
  v.type = p.type;
  v.v.push_back(convertScalar(old, base, p.type->base));
  write(p, v);
}

bool Lowering::interlocked(IntrinsicId id, const Expr* e) {
  const AtomicRow* row = nullptr;
  for (const AtomicRow& r : kAtomics)
    if (r.intrinsic == id || r.withOut == id)
      row = &r;
  if (!row)
    return false;
  const bool returns = id == IntrinsicId::InterlockedExchange || id == IntrinsicId::InterlockedCompareExchange;
  const size_t values = id == IntrinsicId::InterlockedCompareStore || id == IntrinsicId::InterlockedCompareExchange ? 2 : 1;
  const bool hasOut = returns || e->args.size() > values + 1;
  if (m_module.target.model < 50) {
    report(e->loc, 3660, m_module.target.name + " does not support interlocked operations");
    return true;
  }
  const Type* t = e->args[0]->type;
  Place p = place(e->args[0]);
  const bool memory = (p.kind == Place::Kind::Buffer && memoryFetch(p.memory).space != MemorySpace::View) || p.kind == Place::Kind::Texel;
  if (!memory || !p.steps.empty() || p.slots.size() != 1 || p.pending) {
    report(e->args[0]->loc, 3549, "interlocked targets must be groupshared or UAV elements");
    return true;
  }
  if (!isIntegerBase(t->base) || !t->isScalar()) {
    report(e->args[0]->loc, 3681, m_module.target.name + " only supports interlocked operations on scalar int or uint data");
    return true;
  }
  std::vector<ValueId> v;
  for (size_t k = 1; k <= values; k++)
    v.push_back(scalar(e->args[k]));
  std::vector<ValueId> address = p.address;
  if (p.kind == Place::Kind::Buffer) {
    auto [index, offset] = bufferAddress(p, p.slots[0]);
    address = {index, offset};
  }
  atomic(isUnsignedBase(t->base) ? row->unsignedOp : row->op, p.memory, address, v, hasOut ? e->args[values + 1] : nullptr, t->base);
  return true;
}

bool Lowering::barrier(IntrinsicId id, const Expr* e) {
  for (const BarrierRow& r : kBarriers) {
    if (r.id != id)
      continue;
    const bool device = r.flags == dxbc::kSyncUavMemoryGlobal;
    const Stage stage = m_module.target.stage;
    if (stage != Stage::Compute && !(stage == Stage::Pixel && device && m_module.target.model >= 50))
      report(e->loc, 3664, m_module.target.name + " does not support synchronization operations");
    else
      m_b.emit(Op::Sync, std::span<const ValueId>(), r.flags, locationIndex(e->loc));
    return true;
  }
  return false;
}

/// Next or last number of a buffer's hidden counter.
ValueId Lowering::counter(uint32_t resource, bool consume, const Location& at) {
  ResourceUse& r = m_module.resources[resource];
  r.counter |= consume ? 2 : 1;
  if (r.counter == 3)
    report(at, 4595, "RWStructuredBuffer objects can increment or decrement their counters, but not both");
  Fetch f = memoryFetch(resource);
  f.addressCount = 0;
  m_b.beginGroup();
  ValueId i = m_b.emit(consume ? Op::CounterConsume : Op::CounterAlloc, std::span<const ValueId>(), fetchIndex(f));
  return m_b.emit(Op::Extract, {i}, 0);
}

/// Methods of buffers and of objects with unordered access.
Value Lowering::memoryMethod(const Expr* e, uint32_t resource) {
  Value r;
  r.type = e->type;
  checkUav(e->a->type, e->loc);
  switch (e->method) {
  case MethodId::Load:
    if (e->a->type->object == ObjectKind::ByteAddressBuffer || e->a->type->object == ObjectKind::RwByteAddressBuffer)
      return rawLoad(e, resource);
    {
      Place p = placeOfElement(e);
      ValueId load = kNoValue;
      r.v = p.kind == Place::Kind::Texel ? loadElementTexel(p, &load) : loadBuffer(p, &load);
      if (load)
        storeStatus(e, load);
      return r;
    }
  case MethodId::Load2:
  case MethodId::Load3:
  case MethodId::Load4:
    return rawLoad(e, resource);
  case MethodId::Store:
  case MethodId::Store2:
  case MethodId::Store3:
  case MethodId::Store4:
    rawStore(e, resource);
    return r;
  case MethodId::IncrementCounter:
    r.v.push_back(counter(resource, false, e->loc));
    return r;
  case MethodId::DecrementCounter:
    r.v.push_back(counter(resource, true, e->loc));
    return r;
  case MethodId::Append:
  case MethodId::Consume: {
    Place p;
    p.kind = Place::Kind::Buffer;
    p.type = p.baseType = e->a->type->element;
    p.loc = e->loc;
    p.memory = resource;
    scalarOffsets(p.type, 0, p.slots);
    Value v;
    if (e->method == MethodId::Append)
      v = expr(e->args[0]);
    p.index = counter(resource, e->method == MethodId::Consume, e->loc);
    if (e->method == MethodId::Append)
      storeBuffer(p, v.v);
    else
      r.v = loadBuffer(p);
    return r;
  }
  default:
    break;
  }
  for (const AtomicRow& row : kAtomics)
    if (row.method == e->method) {
      if (m_module.target.model < 50) {
        report(e->loc, 3660, m_module.target.name + " does not support interlocked operations");
        return r;
      }
      const Base base = e->args[1]->type->base;
      std::vector<ValueId> values;
      for (size_t k = 1; k < e->args.size(); k++)
        values.push_back(scalar(e->args[k]));
      atomic(isUnsignedBase(base) ? row.unsignedOp : row.op, resource, {scalar(e->args[0])}, values, e->out, base);
    }
  return r;
}

} // namespace monolith::compiler
