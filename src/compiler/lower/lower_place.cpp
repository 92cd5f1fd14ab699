// SPDX-License-Identifier: MIT
// Variables, parts of them, and where they live.
#include "compiler/lower/lowering.h"
#include "compiler/types/convert.h"

#include <bit>
#include <numeric>

namespace monolith::compiler {

void Lowering::memoryLayout(const Type* t, uint32_t& reg, std::vector<std::pair<uint32_t, uint32_t>>& out) const {
  if (t->isNumeric()) {
    // A double takes two components, of which the first is noted.
    const uint32_t words = t->base == Base::Double ? 2 : 1;
    for (uint32_t r = 0; r < t->rows; r++, reg += vectorRegisters(t))
      for (uint32_t i = 0; i < t->cols; i++)
        out.emplace_back(reg + i * words / 4, i * words & 3);
  } else if (t->isArray()) {
    for (uint32_t i = 0; i < t->count; i++)
      memoryLayout(t->element, reg, out);
  } else if (t->isStruct()) {
    for (const Field& f : t->structure->fields)
      memoryLayout(f.type, reg, out);
  }
}

uint32_t Lowering::vectorRegisters(const Type* t) {
  return t->base == Base::Double ? (t->cols + 1u) / 2 : 1;
}

uint32_t Lowering::memoryRegisters(const Type* t) const {
  if (t->isMatrix())
    return t->rows * vectorRegisters(t);
  if (t->isArray())
    return t->count * memoryRegisters(t->element);
  if (t->isStruct()) {
    uint32_t n = 0;
    for (const Field& f : t->structure->fields)
      n += memoryRegisters(f.type);
    return n;
  }
  return t->isNumeric() ? vectorRegisters(t) : 0;
}

uint32_t Lowering::newSlots(uint32_t n, ValueId initial) {
  uint32_t base = m_nextSlot;
  m_nextSlot += n;
  m_env.resize(m_nextSlot, m_b.undef());
  for (uint32_t i = 0; i < n; i++)
    m_env[base + i] = initial;
  return base;
}

/// Takes up a saved environment; slots that are newer have no value in it.
void Lowering::setEnv(std::vector<ValueId> env) {
  m_env = std::move(env);
  m_env.resize(m_nextSlot, m_b.undef());
}

Lowering::Instance& Lowering::instance(const VarDecl* var) {
  if (var->index >= m_instances.size())
    m_instances.resize(var->index + 64);
  return m_instances[var->index];
}

Lowering::Instance& Lowering::declare(const VarDecl* var) {
  Instance& i = instance(var);
  if (i.live) { // declared again in a loop or a second inlined call: the same storage serves
    if (!i.memory)
      for (uint32_t k = 0; k < var->type->slots; k++)
        m_env[i.base + k] = unsetValue(var);
    return i;
  }
  i.live = true;
  if (m_memoryVars.count(var)) {
    i.memory = true;
    i.base = uint32_t(m_module.code.indexableTemps.size());
    std::vector<std::pair<uint32_t, uint32_t>> layout;
    uint32_t regs = 0;
    memoryLayout(var->type, regs, layout);
    uint32_t components = 1;
    std::vector<Base> bases;
    leafBases(var->type, bases);
    for (size_t k = 0; k < layout.size(); k++)
      components = std::max(components, layout[k].second + scalarBytes(bases[k]) / 4);
    m_module.code.indexableTemps.push_back({regs, components});
    return i;
  }
  i.memory = false;
  i.base = newSlots(var->type->slots, unsetValue(var));
  return i;
}

/// What the variable holds before it is set.
ValueId Lowering::unsetValue(const VarDecl* var) {
  ValueId& id = m_unset[var];
  if (!id) {
    id = m_b.freshUndef();
    m_module.unset[id] = var;
  }
  return id;
}

ValueId Lowering::loadUniformScalar(const VarDecl* var, uint32_t byte, ValueId dynamic, Base base) {
  uint32_t buffer = 0;
  while (buffer < m_program.buffers.size() && m_program.buffers[buffer] != var->buffer)
    buffer++;
  if (base == Base::Double) {
    ValueId low = loadUniformScalar(var, byte, dynamic, Base::Uint);
    return m_b.emit(Op::DPair, {low, loadUniformScalar(var, byte + 4, dynamic, Base::Uint)});
  }
  uint32_t at = byte / 4;
  ValueId v;
  if (var->buffer->textureBuffer) {
    Fetch f;
    f.resource = ~0u;
    for (uint32_t i = 0; i < m_module.resources.size(); i++)
      if (m_module.resources[i].buffer == var->buffer)
        f.resource = i;
    if (f.resource == ~0u) {
      f.resource = uint32_t(m_module.resources.size());
      ResourceUse use;
      use.buffer = var->buffer;
      m_module.resources.push_back(use);
    }
    f.addressCount = 1;
    ValueId address = m_b.constant(at / 4);
    if (dynamic)
      address = m_b.emit(Op::IAdd, {dynamic, address});
    ValueId inst = m_b.emit(Op::Ld, {address}, fetchIndex(f));
    v = m_b.emit(Op::Extract, {inst}, at & 3);
  } else if (dynamic) {
    v = m_b.emit(Op::CbLoad, {dynamic}, buffer, at / 4, at & 3);
  } else {
    v = m_b.emit(Op::CbLoad, std::span<const ValueId>(), buffer, at / 4, at & 3);
  }
  if (!var->buffer->textureBuffer)
    m_module.code.insts[v].precision = precisionOf(base);
  if (base == Base::Bool)
    v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
  return v;
}

void Lowering::loadUniform(const VarDecl* var, uint32_t offset, ValueId dynamic, const Type* t, std::vector<ValueId>& out) {
  if (t->isScalar() || t->isVector()) {
    m_b.beginGroup();
    for (uint32_t i = 0; i < t->cols; i++) {
      m_b.lane(i);
      out.push_back(loadUniformScalar(var, offset + i * scalarBytes(t->base), dynamic, t->base));
    }
  } else if (t->isMatrix()) {
    const bool row = t->order == Order::RowMajor;
    const uint32_t stride = matrixStride(t), bytes = scalarBytes(t->base);
    m_b.beginGroup();
    for (uint32_t r = 0; r < t->rows; r++)
      for (uint32_t k = 0; k < t->cols; k++) {
        m_b.lane(row ? k : r);
        out.push_back(loadUniformScalar(var, offset + (row ? r * stride + k * bytes : k * stride + r * bytes), dynamic, t->base));
      }
  } else if (t->isArray()) {
    uint32_t stride = (bufferSize(t->element) + 15) & ~15u;
    for (uint32_t i = 0; i < t->count; i++)
      loadUniform(var, offset + i * stride, dynamic, t->element, out);
  } else if (t->isStruct()) {
    uint32_t at = 0;
    for (const Field& f : t->structure->fields) {
      at = bufferPlace(at, f.type);
      loadUniform(var, offset + at, dynamic, f.type, out);
      at += bufferSize(f.type);
    }
  }
}

std::vector<ValueId> Lowering::readBase(const Place& p) {
  std::vector<ValueId> out;
  switch (p.kind) {
  case Place::Kind::Slots:
    for (uint32_t s : p.slots)
      out.push_back(m_b.resolve(m_env[s]));
    break;
  case Place::Kind::Value:
    out.assign(p.slots.begin(), p.slots.end());
    break;
  case Place::Kind::Buffer:
    return loadBuffer(p);
  case Place::Kind::Texel:
    return loadElementTexel(p);
  case Place::Kind::Uniform:
    loadUniform(p.var, p.offset, p.dynamic, p.baseType, out);
    break;
  case Place::Kind::Memory: {
    std::vector<std::pair<uint32_t, uint32_t>> layout;
    uint32_t reg = 0;
    memoryLayout(p.baseType, reg, layout);
    std::vector<Base> bases;
    leafBases(p.baseType, bases);
    uint32_t last = ~0u;
    auto load = [&](uint32_t r, uint32_t k) {
      m_b.lane(k);
      if (p.dynamic)
        return m_b.emit(Op::TempLoad, {p.dynamic}, p.memory, p.offset + r, k);
      return m_b.emit(Op::TempLoad, std::span<const ValueId>(), p.memory, p.offset + r, k);
    };
    for (size_t i = 0; i < layout.size(); i++) {
      auto [r, k] = layout[i];
      if (r != last)
        m_b.beginGroup();
      last = r;
      ValueId v = load(r, k);
      if (bases[i] == Base::Double)
        v = m_b.emit(Op::DPair, {v, load(r, k + 1)});
      out.push_back(v);
    }
    break;
  }
  case Place::Kind::Vertex:
    readVertices(p, out);
    break;
  case Place::Kind::Icb: {
    std::vector<std::pair<uint32_t, uint32_t>> layout;
    uint32_t reg = 0;
    memoryLayout(p.baseType, reg, layout);
    std::vector<Base> bases;
    leafBases(p.baseType, bases);
    auto load = [&](uint32_t r, uint32_t k) {
      if (p.dynamic)
        return m_b.emit(Op::IcbLoad, {p.dynamic}, 0, p.offset + r, k);
      return m_b.constant(m_module.code.icb[size_t(p.offset + r) * 4 + k]);
    };
    for (size_t i = 0; i < layout.size(); i++) {
      auto [r, k] = layout[i];
      ValueId v = load(r, k);
      if (bases[i] == Base::Double)
        v = m_b.emit(Op::DPair, {v, load(r, k + 1)});
      out.push_back(v);
    }
    break;
  }
  }
  return out;
}

void Lowering::writeBase(const Place& p, const std::vector<ValueId>& v) {
  if (p.kind == Place::Kind::Slots) {
    for (size_t i = 0; i < p.slots.size() && i < v.size(); i++)
      m_env[p.slots[i]] = v[i];
    return;
  }
  if (p.kind == Place::Kind::Buffer)
    storeBuffer(p, v);
  if (p.kind == Place::Kind::Texel)
    storeTexel(p, v);
  if (p.kind != Place::Kind::Memory)
    return;
  std::vector<std::pair<uint32_t, uint32_t>> layout;
  uint32_t reg = 0;
  memoryLayout(p.baseType, reg, layout);
  std::vector<Base> bases;
  leafBases(p.baseType, bases);
  uint32_t last = ~0u;
  auto store = [&](ValueId x, uint32_t r, uint32_t k) {
    m_b.lane(k);
    if (p.dynamic)
      m_b.emit(Op::TempStore, {x, p.dynamic}, p.memory, p.offset + r, k);
    else
      m_b.emit(Op::TempStore, {x}, p.memory, p.offset + r, k);
  };
  for (size_t i = 0; i < layout.size() && i < v.size(); i++) {
    auto [r, k] = layout[i];
    if (r != last)
      m_b.beginGroup();
    last = r;
    if (bases[i] == Base::Double) {
      store(m_b.emit(Op::DLow, {v[i]}), r, k);
      store(m_b.emit(Op::DHigh, {v[i]}), r, k + 1);
    } else {
      store(v[i], r, k);
    }
  }
}

std::vector<ValueId> Lowering::applySteps(const Place& p, std::vector<ValueId> v, size_t from) {
  for (size_t k = from; k < p.steps.size(); k++) {
    const Place::Step& s = p.steps[k];
    std::vector<ValueId> next;
    if (s.index == kNoValue) {
      for (uint32_t i : s.pick)
        next.push_back(i < v.size() ? v[i] : m_b.undef());
    } else {
      std::vector<ValueId> isIndex(s.count);
      for (uint32_t g = 0; g + 1 < s.count; g++)
        isIndex[g] = m_b.emit(Op::IEq, {s.index, m_b.constant(g)});
      m_b.beginGroup();
      for (uint32_t i = 0; i < s.each; i++) {
        m_b.lane(i & 3);
        ValueId r = v[size_t(s.count - 1) * s.each + i];
        for (uint32_t g = s.count - 1; g-- > 0;)
          r = m_b.emit(Op::Movc, {isIndex[g], v[size_t(g) * s.each + i], r});
        next.push_back(r);
      }
    }
    v = std::move(next);
  }
  return v;
}

std::vector<ValueId> Lowering::updateSteps(const Place& p, const std::vector<ValueId>& full, const std::vector<ValueId>& part, size_t step) {
  if (step == p.steps.size())
    return part;
  const Place::Step& s = p.steps[step];
  std::vector<ValueId> result = full;
  Place one = p;
  one.steps = {s};
  std::vector<ValueId> sub = updateSteps(p, applySteps(one, full, 0), part, step + 1);
  if (s.index == kNoValue) {
    for (size_t i = 0; i < s.pick.size() && i < sub.size(); i++)
      result[s.pick[i]] = sub[i];
    return result;
  }
  m_b.beginGroup();
  for (uint32_t g = 0; g < s.count; g++) {
    ValueId is = m_b.emit(Op::IEq, {s.index, m_b.constant(g)});
    for (uint32_t i = 0; i < s.each; i++) {
      m_b.lane((s.each == 1 ? g : i) & 3);
      ValueId& r = result[size_t(g) * s.each + i];
      r = m_b.emit(Op::Movc, {is, sub[i], r});
    }
  }
  return result;
}

Value Lowering::read(const Place& p) {
  Value v;
  v.type = p.type;
  v.columns = p.columns;
  if (p.kind == Place::Kind::Uniform && p.type->isMatrix() && p.steps.empty())
    v.columns = p.type->order != Order::RowMajor;
  v.v = applySteps(p, readBase(p), 0);
  return v;
}

void Lowering::write(const Place& p, const Value& v) {
  if (p.steps.empty()) {
    writeBase(p, v.v);
    return;
  }
  if (p.kind == Place::Kind::Slots && !m_restart)
    for (const Place::Step& s : p.steps)
      if (s.index && !m_module.code.isConst(m_b.resolve(s.index)) && forceUnroll(p.loc, "array reference cannot be used as an l-value; not natively addressable"))
        return;
  writeBase(p, updateSteps(p, readBase(p), v.v, 0));
}

Place Lowering::narrow(Place p, const Type* type, const std::vector<uint32_t>& scalars) {
  p.type = type;
  p.columns = false;
  if (p.steps.empty() && (p.kind == Place::Kind::Slots || p.kind == Place::Kind::Value || p.kind == Place::Kind::Vertex || p.kind == Place::Kind::Buffer || p.kind == Place::Kind::Texel)) {
    std::vector<uint32_t> slots;
    for (uint32_t i : scalars)
      slots.push_back(i < p.slots.size() ? p.slots[i] : p.slots.empty() ? 0 : p.slots[0]);
    p.slots = std::move(slots);
    p.baseType = type;
    return p;
  }
  Place::Step s;
  s.pick = scalars;
  p.steps.push_back(std::move(s));
  return p;
}

Place Lowering::placeOfVar(const Expr* e) {
  const VarDecl* var = e->var;
  Place p;
  p.type = p.baseType = e->type;
  p.var = var;
  if (isVertexVar(var))
    return placeOfVertices(var);
  if ((var->modifiers & kModGroupShared) && !isShared(var) && !m_quiet)
    m_diagnostics.warning(var->loc, 3579, "'" + std::string(var->name) + "': groupshared is not supported in " + m_module.target.name + ", groupshared ignored");
  if (isShared(var))
    return placeOfShared(var, e->type);
  Instance& i = instance(var);
  if (!i.live && var->uniform) {
    const Type* leaf = var->type;
    while (leaf->isArray())
      leaf = leaf->element;
    if (leaf->isNumeric() && leaf->base == Base::Half && !m_module.compatibility)
      report(e->loc, 3650, "global variables cannot use the 'half' type in " + m_module.target.name + ". To treat this variable as a float, use the backwards compatibility flag.");
    p.kind = Place::Kind::Uniform;
    p.offset = var->offset;
    return p;
  }
  if (!i.live)
    declare(var);
  const Instance& j = instance(var);
  if (j.memory) {
    p.kind = Place::Kind::Memory;
    p.memory = j.base;
    return p;
  }
  p.kind = Place::Kind::Slots;
  p.slots.resize(var->type->slots);
  std::iota(p.slots.begin(), p.slots.end(), j.base);
  return p;
}

ValueId Lowering::dynamicIndex(ValueId index, uint32_t stride, ValueId before) {
  const dxbc::MinPrecision precision = m_b.setPrecision(dxbc::MinPrecision::None);
  m_b.beginGroup();
  m_b.lane(0);
  ValueId v = stride == 1 ? index : m_b.emit(Op::IMul, {index, m_b.constant(stride)});
  if (before)
    v = m_b.emit(Op::IAdd, {before, v});
  m_b.setPrecision(precision);
  return v;
}

bool Lowering::icbFor(const VarDecl* var, uint32_t& base) {
  for (auto& [v, b] : m_icb)
    if (v == var) {
      base = b;
      return true;
    }
  const Instance& i = instance(var);
  if (!(var->modifiers & kModConst) || i.memory)
    return false;
  std::vector<Base> bases;
  leafBases(var->type, bases);
  for (uint32_t k = 0; k < var->type->slots; k++) {
    const Op op = m_module.code.insts[m_b.resolve(m_env[i.base + k])].op;
    if (op != Op::Const && op != Op::DConst)
      return false;
  }
  std::vector<std::pair<uint32_t, uint32_t>> layout;
  uint32_t regs = 0;
  memoryLayout(var->type, regs, layout);
  std::vector<uint32_t>& icb = m_module.code.icb;
  base = uint32_t(icb.size() / 4);
  if (base + regs > 4096) {
    report(var->loc, 4600, "shader uses too many indexable literal values, consider using less constant arrays");
    return false;
  }
  icb.resize(icb.size() + size_t(regs) * 4);
  for (uint32_t k = 0; k < layout.size(); k++) {
    std::vector<uint32_t> bits;
    appendBits(m_b.resolve(m_env[i.base + k]), bases[k], bits);
    std::copy(bits.begin(), bits.end(), icb.begin() + long(size_t(base + layout[k].first) * 4 + layout[k].second));
  }
  m_icb.emplace_back(var, base);
  return true;
}

Place Lowering::placeOfIndex(const Expr* e) {
  const Type* t = e->a->type;
  Place p;
  if (t->isPatch()) {
    const VarDecl* var = nullptr;
    uint32_t element = 0;
    if (objectOf(e->a, var, element))
      p = placeOfVertices(var);
  } else {
    p = place(e->a);
  }
  ValueId index = scalar(e->b);
  const uint32_t count = t->isArray() || t->isPatch() ? t->count : t->isMatrix() ? t->rows : t->cols;
  const uint32_t each = t->isArray() || t->isPatch() ? t->element->slots : t->isMatrix() ? t->cols : 1;
  const bool known = m_module.code.isConst(index);
  uint32_t k = known ? m_module.code.bits(index) : 0;
  if (known && k >= count) {
    if (!m_quiet)
      m_diagnostics.error(e->loc, 3504, "array index out of bounds");
    else
      m_outOfBounds.push_back(e->loc);
    k = count - 1;
  }
  if (!known && p.kind == Place::Kind::Vertex && p.steps.empty() && p.dynamic == kNoValue && (t->isPatch() || t == p.var->type))
    return placeOfVertex(std::move(p), e, index, each);
  if (p.steps.empty() && (p.pending || !known) && (p.kind == Place::Kind::Buffer || p.kind == Place::Kind::Texel) && indexMemory(p, index, count, each)) {
    p.type = p.baseType = e->type;
    p.loc = e->loc;
    return p;
  }
  if (p.kind == Place::Kind::Slots && t->isArray())
    m_arrayAccesses++;
  if (p.steps.empty() && t->isArray()) {
    if (p.kind == Place::Kind::Uniform) {
      uint32_t stride = (bufferSize(t->element) + 15) & ~15u;
      if (known)
        p.offset += k * stride;
      else
        p.dynamic = dynamicIndex(index, stride / 16, p.dynamic);
      p.type = p.baseType = e->type;
      return p;
    }
    if (p.kind == Place::Kind::Memory || p.kind == Place::Kind::Icb) {
      uint32_t stride = memoryRegisters(t->element);
      if (known)
        p.offset += k * stride;
      else
        p.dynamic = dynamicIndex(index, stride, p.dynamic);
      p.type = p.baseType = e->type;
      return p;
    }
    if (!known && p.kind == Place::Kind::Slots && count > 1) {
      uint32_t base = 0;
      const Instance& i = instance(p.var);
      if (icbFor(p.var, base)) {
        // The first scalar tells where in the variable this array lies.
        std::vector<std::pair<uint32_t, uint32_t>> layout;
        uint32_t regs = 0;
        memoryLayout(p.var->type, regs, layout);
        p.kind = Place::Kind::Icb;
        p.offset = base + layout[p.slots[0] - i.base].first;
        p.dynamic = dynamicIndex(index, memoryRegisters(t->element), kNoValue);
        p.type = p.baseType = e->type;
        return p;
      }
      const Type* root = p.var->type;
      if (!root->hasObjects) {
        m_memoryVars.insert(p.var);
        m_restart = true;
      }
    }
  }
  if (p.steps.empty() && t->isMatrix() && p.kind == Place::Kind::Uniform && t->order == Order::RowMajor) {
    const uint32_t stride = matrixStride(t);
    if (known)
      p.offset += k * stride;
    else
      p.dynamic = dynamicIndex(index, stride / 16, p.dynamic);
    p.type = p.baseType = e->type;
    return p;
  }
  if (p.steps.empty() && t->isMatrix() && p.kind == Place::Kind::Memory) {
    if (known)
      p.offset += k * vectorRegisters(t);
    else
      p.dynamic = dynamicIndex(index, vectorRegisters(t), p.dynamic);
    p.type = p.baseType = e->type;
    return p;
  }
  if (known) {
    std::vector<uint32_t> scalars(each);
    std::iota(scalars.begin(), scalars.end(), k * each);
    return narrow(std::move(p), e->type, scalars);
  }
  p.type = e->type;
  p.columns = false;
  Place::Step s;
  s.index = index;
  s.count = m_restart && t->isArray() ? 1 : count;
  s.each = each;
  p.loc = e->loc;
  p.steps.push_back(std::move(s));
  return p;
}

Place Lowering::place(const Expr* e) {
  switch (e->kind) {
  case ExprKind::Var:
    return placeOfVar(e);
  case ExprKind::Index:
    return placeOfIndex(e);
  case ExprKind::Method:
    if (e->method == MethodId::Load && !e->out && !e->a->type->isTexture() && e->a->type->element)
      return placeOfElement(e);
    break;
  case ExprKind::Member: {
    Place p = place(e->a);
    const Field& f = e->a->type->structure->fields[e->field];
    if (p.steps.empty() && p.kind == Place::Kind::Uniform) {
      uint32_t at = 0;
      for (uint32_t i = 0; i <= e->field; i++) {
        const Type* t = e->a->type->structure->fields[i].type;
        at = bufferPlace(at, t);
        if (i == e->field)
          p.offset += at;
        at += bufferSize(t);
      }
      p.type = p.baseType = e->type;
      return p;
    }
    if (p.steps.empty() && (p.kind == Place::Kind::Memory || p.kind == Place::Kind::Icb)) {
      for (uint32_t i = 0; i < e->field; i++)
        p.offset += memoryRegisters(e->a->type->structure->fields[i].type);
      p.type = p.baseType = e->type;
      return p;
    }
    std::vector<uint32_t> scalars(f.type->slots);
    std::iota(scalars.begin(), scalars.end(), f.slot);
    return narrow(std::move(p), e->type, scalars);
  }
  case ExprKind::Upcast: {
    Place p = place(e->a);
    if (p.steps.empty() && (p.kind == Place::Kind::Uniform || p.kind == Place::Kind::Memory || p.kind == Place::Kind::Icb)) {
      p.type = p.baseType = e->type; // the base comes first
      return p;
    }
    std::vector<uint32_t> scalars(e->type->slots);
    std::iota(scalars.begin(), scalars.end(), 0u);
    return narrow(std::move(p), e->type, scalars);
  }
  case ExprKind::Swizzle: {
    Place p = place(e->a);
    std::vector<uint32_t> scalars;
    for (int i = 0; i < e->swizzleCount; i++)
      scalars.push_back(e->swizzle[size_t(i)]);
    return narrow(std::move(p), e->type, scalars);
  }
  case ExprKind::MatrixSwizzle: {
    Place p = place(e->a);
    std::vector<uint32_t> scalars;
    for (int i = 0; i < e->swizzleCount; i++)
      scalars.push_back((e->swizzle[size_t(i)] >> 2) * e->a->type->cols + (e->swizzle[size_t(i)] & 3));
    return narrow(std::move(p), e->type, scalars);
  }
  default:
    break;
  }
  Value v = expr(e);
  Place p;
  p.kind = Place::Kind::Value;
  p.type = p.baseType = e->type;
  p.slots.assign(v.v.begin(), v.v.end());
  p.slots.resize(e->type->slots, m_b.undef());
  p.columns = v.columns;
  return p;
}

} // namespace monolith::compiler
