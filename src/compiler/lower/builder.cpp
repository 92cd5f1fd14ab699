// SPDX-License-Identifier: MIT
#include "compiler/lower/builder.h"

#include <bit>
#include <utility>

namespace monolith::compiler {

namespace {
const OpInfo kOps[] = {
#define OP(name, code, sources, flags) {#name, dxbc::OpCode::code, sources, flags},
#include "compiler/lower/ops.def"
#undef OP
};
constexpr uint32_t kOne = 0x3f800000u, kMinusOne = 0xbf800000u, kMinusZero = 0x80000000u;
} // namespace

const OpInfo& opInfo(Op op) {
  return kOps[size_t(op)];
}

Function::Function() {
  insts.emplace_back();
  root = newBlock();
}

void Builder::enter(Block* b) {
  m_scopes.push_back(m_undo.size());
  m_block = b;
}

void Builder::popScope(size_t undoSize) {
  while (m_undo.size() > undoSize) {
    auto [h, id] = m_undo.back();
    m_undo.pop_back();
    auto range = m_known.equal_range(h);
    for (auto it = range.first; it != range.second; ++it)
      if (it->second == id) {
        m_known.erase(it);
        break;
      }
  }
}

void Builder::leave(Block* outer) {
  popScope(m_scopes.back());
  m_scopes.pop_back();
  m_block = outer;
}

void Builder::rollback(const Checkpoint& c) {
  popScope(c.undoSize);
  m_scopes.resize(c.scopeCount);
  m_block = c.block;
  for (size_t i = c.blockSize; i < m_block->insts.size(); i++)
    m_f.insts[m_block->insts[i]].dead = true;
  m_block->insts.resize(c.blockSize);
}

ValueId Builder::constant(uint32_t bits) {
  ValueId& id = m_constants[bits];
  if (!id) {
    Inst inst;
    inst.op = Op::Const;
    inst.aux[0] = bits;
    m_f.insts.push_back(inst);
    id = ValueId(m_f.insts.size() - 1);
  }
  return id;
}

ValueId Builder::constant(float v) {
  return constant(std::bit_cast<uint32_t>(v));
}

ValueId Builder::constantDouble(double v) {
  const uint64_t bits = std::bit_cast<uint64_t>(v);
  ValueId& id = m_doubles[bits];
  if (!id) {
    Inst inst;
    inst.op = Op::DConst;
    inst.aux[0] = uint32_t(bits);
    inst.aux[1] = uint32_t(bits >> 32);
    m_f.insts.push_back(inst);
    id = ValueId(m_f.insts.size() - 1);
  }
  return id;
}

ValueId Builder::undef() {
  if (!m_undef) {
    Inst inst;
    inst.op = Op::Undef;
    m_f.insts.push_back(inst);
    m_undef = ValueId(m_f.insts.size() - 1);
  }
  return m_undef;
}

ValueId Builder::freshUndef() {
  Inst inst;
  inst.op = Op::Undef;
  m_f.insts.push_back(inst);
  return ValueId(m_f.insts.size() - 1);
}

ValueId Builder::resolve(ValueId id) const {
  for (auto it = m_forward.find(id); it != m_forward.end(); it = m_forward.find(id))
    id = it->second;
  return id;
}

ValueId Builder::phi() {
  Inst inst;
  inst.op = Op::Phi;
  inst.group = m_group * 64;
  inst.lane = m_lane;
  m_f.insts.push_back(inst);
  return ValueId(m_f.insts.size() - 1);
}

ValueId Builder::control(Op op, ValueId source, uint32_t index, uint32_t edge) {
  Inst inst;
  inst.op = op;
  inst.aux[0] = index;
  inst.aux[1] = edge;
  inst.first = uint32_t(m_f.pool.size());
  if (source) {
    inst.count = 1;
    m_f.pool.push_back({resolve(source), false, false});
  }
  m_f.insts.push_back(inst);
  ValueId id = ValueId(m_f.insts.size() - 1);
  m_block->insts.push_back(id);
  return id;
}

namespace {
/// The precision if the operation makes values of that kind.
dxbc::MinPrecision fitting(Op op, dxbc::MinPrecision p) {
  if (p == dxbc::MinPrecision::None || (!hasTrait(op, kLanes) && !hasTrait(op, kDot)) || hasTrait(op, kBoolResult))
    return dxbc::MinPrecision::None;
  const bool either = op == Op::Movc || op == Op::Neg || op == Op::Abs;
  const bool floats = hasTrait(op, kSatOk) || op == Op::ItoF || op == Op::UtoF;
  const bool half = op == Op::F32toF16 || op == Op::F16toF32;
  const bool floatKind = p == dxbc::MinPrecision::Float16 || p == dxbc::MinPrecision::Float10;
  return !half && (either || floats == floatKind) ? p : dxbc::MinPrecision::None;
}
} // namespace

ValueId Builder::emit(Op op, std::initializer_list<ValueId> sources, uint32_t a0, uint32_t a1, uint32_t a2) {
  return emit(op, std::span<const ValueId>(sources.begin(), sources.size()), a0, a1, a2);
}

ValueId Builder::emitBeside(const Inst& like, Op op, std::initializer_list<ValueId> sources) {
  Inst inst;
  inst.op = op;
  inst.lane = like.lane;
  inst.group = (like.group & 0xffffffu) | 0x40000000u | (uint32_t(op) & 0x1fu) << 24;
  inst.precise = like.precise;
  inst.precision = fitting(op, like.precision);
  inst.count = uint16_t(sources.size());
  return add(inst, std::span<const ValueId>(sources.begin(), sources.size()));
}

ValueId Builder::emit(Op op, std::span<const ValueId> sources, uint32_t a0, uint32_t a1, uint32_t a2) {
  Inst inst;
  inst.op = op;
  inst.lane = m_lane;
  inst.group = m_group * 64 + (m_step < 63 ? m_step++ : 63);
  inst.precise = m_precise;
  inst.precision = fitting(op, m_precision);
  inst.aux[0] = a0;
  inst.aux[1] = a1;
  inst.aux[2] = a2;
  inst.count = uint16_t(sources.size());
  return add(inst, sources);
}

ValueId Builder::add(Inst inst, std::span<const ValueId> sources) {
  Src local[24];
  size_t n = 0;
  for (ValueId s : sources)
    if (n < 24)
      local[n++] = {resolve(s), false, false};
  std::span<Src> src(local, n);
  ValueId replacement = kNoValue;
  while (simplify(inst, src.first(inst.count), replacement))
    if (replacement)
      return replacement;
  src = src.first(inst.count);
  const bool share = hasTrait(inst.op, kPure) && inst.op != Op::Undef;
  uint64_t h = 0;
  if (share) {
    h = hash(inst, src);
    if (ValueId known = find(h, inst, src))
      return known;
  }
  inst.first = uint32_t(m_f.pool.size());
  m_f.pool.insert(m_f.pool.end(), src.begin(), src.end());
  m_f.insts.push_back(inst);
  ValueId id = ValueId(m_f.insts.size() - 1);
  m_block->insts.push_back(id);
  if (share)
    remember(h, id);
  return id;
}

uint64_t Builder::hash(const Inst& inst, std::span<const Src> src) const {
  uint64_t h = uint64_t(inst.op) * 0x9e3779b97f4a7c15ull;
  auto mix = [&](uint64_t v) { h = (h ^ v) * 0xff51afd7ed558ccdull, h ^= h >> 29; };
  for (uint32_t a : inst.aux)
    mix(a);
  for (const Src& s : src)
    mix(uint64_t(s.id) * 4 + s.neg * 2 + s.abs);
  mix(inst.saturate + 2u * uint32_t(inst.precision));
  return h;
}

ValueId Builder::find(uint64_t h, const Inst& inst, std::span<const Src> src) {
  // Lanes that do nothing are shared only where the other lanes of their vector are shared, too.
  const bool idle = (inst.op == Op::Add || inst.op == Op::Mul || inst.op == Op::Mad) && idleOperand(inst.op, src[1]);
  auto range = m_known.equal_range(h);
  for (auto it = range.first; it != range.second; ++it) {
    const Inst& k = m_f.insts[it->second];
    if (idle && k.group != inst.group) {
      auto alias = m_groupAlias.find(inst.group);
      if (alias == m_groupAlias.end() || alias->second != k.group)
        continue;
    }
    if (k.op != inst.op || k.count != src.size() || k.saturate != inst.saturate || k.precision != inst.precision || k.aux[0] != inst.aux[0] || k.aux[1] != inst.aux[1] || k.aux[2] != inst.aux[2] || k.dead)
      continue;
    bool same = true;
    for (size_t i = 0; i < src.size() && same; i++)
      same = m_f.pool[k.first + i] == src[i];
    if (same) {
      if (!idle && hasTrait(inst.op, kLanes))
        m_groupAlias[inst.group] = k.group;
      return it->second;
    }
  }
  return kNoValue;
}

bool Builder::idleOperand(Op op, const Src& s) const {
  if (!m_f.isConst(s.id) || s.neg || s.abs)
    return false;
  const uint32_t bits = m_f.bits(s.id);
  return (bits & 0x7fffffffu) == 0 || (op != Op::Add && (bits & 0x7fffffffu) == kOne);
}

void Builder::remember(uint64_t h, ValueId id) {
  m_known.emplace(h, id);
  m_undo.emplace_back(h, id);
}

bool Builder::isBool(ValueId id, int depth) const {
  const Inst& i = m_f.insts[id];
  if (hasTrait(i.op, kBoolResult))
    return true;
  if (i.op == Op::Const)
    return i.aux[0] == 0 || i.aux[0] == ~0u;
  if (depth > 4)
    return false;
  auto s = [&](size_t k) { return m_f.pool[i.first + k].id; };
  if (i.op == Op::And || i.op == Op::Or || i.op == Op::Xor)
    return isBool(s(0), depth + 1) && isBool(s(1), depth + 1);
  if (i.op == Op::Not)
    return isBool(s(0), depth + 1);
  if (i.op == Op::Movc)
    return isBool(s(1), depth + 1) && isBool(s(2), depth + 1);
  if (i.op == Op::Input)
    return (i.aux[2] & 1) != 0; // declared boolean (front face)
  return false;
}

bool Builder::foldConstant(const Inst& inst, std::span<const Src> src, ValueId& replacement) {
  if (src.empty() || src.size() > 8 || !hasTrait(inst.op, kPure) || hasTrait(inst.op, kFetch | kGradient | kFoldable))
    return false;
  uint32_t in[8];
  for (size_t i = 0; i < src.size(); i++) {
    if (!m_f.isConst(src[i].id) || src[i].neg || src[i].abs)
      return false;
    in[i] = m_f.bits(src[i].id);
  }
  uint32_t out = 0;
  if (!foldOp(inst.op, std::span<const uint32_t>(in, src.size()), out))
    return false;
  if (m_lowering && m_contracts && !inst.precise && inst.op == Op::Add)
    foldContracted(src, out);
  replacement = constant(out);
  if (m_lowering)
    noteProduct(inst, src, replacement);
  return true;
}

/// Constants, and words taken out of what was just put together.
bool Builder::simplifyDouble(Inst& inst, std::span<Src> src, ValueId& replacement) {
  uint64_t in[3] = {};
  bool known = src.size() <= 3;
  for (size_t i = 0; i < src.size() && known; i++) {
    const Inst& d = m_f.insts[src[i].id];
    known = d.op == Op::DConst || (d.op == Op::Const && !hasTrait(inst.op, kDoubleSrc));
    in[i] = uint64_t(d.op == Op::DConst ? d.aux[1] : 0u) << 32 | d.aux[0];
  }
  uint64_t out = 0;
  if (known && foldDouble(inst.op, std::span<const uint64_t>(in, src.size()), out)) {
    replacement = hasTrait(inst.op, kDoubleResult) ? constantDouble(std::bit_cast<double>(out)) : constant(uint32_t(out));
    return true;
  }
  const Inst& a = m_f.insts[src[0].id];
  auto part = [&](const Inst& i, size_t k) { return m_f.pool[i.first + k].id; };
  if ((inst.op == Op::DLow || inst.op == Op::DHigh) && a.op == Op::DPair) {
    replacement = part(a, inst.op == Op::DLow ? 0 : 1);
    return true;
  }
  if (inst.op == Op::DPair && a.op == Op::DLow && m_f.insts[src[1].id].op == Op::DHigh && part(a, 0) == part(m_f.insts[src[1].id], 0)) {
    replacement = part(a, 0);
    return true;
  }
  if (inst.op == Op::DNeg && a.op == Op::DNeg) {
    replacement = part(a, 0);
    return true;
  }
  return false;
}

bool Builder::simplifyProduct(Inst& inst, std::span<Src> src, ValueId& replacement) {
  auto isBits = [&](size_t i, uint32_t bits) { return m_f.isConst(src[i].id) && m_f.bits(src[i].id) == bits; };
  auto zero = [&](size_t i) { return isBits(i, 0) || isBits(i, kMinusZero); };
  auto to = [&](ValueId id) {
    replacement = id;
    return true;
  };
  auto become = [&](Op op, size_t n) {
    inst.op = op;
    inst.count = uint16_t(n);
    return true;
  };
  if (isBits(1, kOne) || isBits(1, kMinusOne) || (zero(1) && !inst.precise)) {
    if (!foldsWithGroup(inst))
      return false;
    if (isBits(1, kOne)) // x * 1 -> x
      return to(src[0].id);
    if (zero(1)) // x * 0 -> 0
      return to(constant(0u));
    return become(Op::Neg, 1); // x * -1 -> -x
  }
  const Inst& a = m_f.insts[src[0].id];
  const Inst& b = m_f.insts[src[1].id];
  if (a.op == Op::Neg && b.op == Op::Neg) { // -a * -b -> a * b
    src[0].id = m_f.pool[a.first].id;
    src[1].id = m_f.pool[b.first].id;
    return true;
  }
  if (a.op == Op::Neg && m_f.isConst(src[1].id)) { // -a * k -> a * -k
    uint32_t bits = m_f.bits(src[1].id) ^ kMinusZero;
    src[0].id = m_f.pool[a.first].id;
    src[1].id = constant(bits);
    return true;
  }
  if (a.op == Op::And && m_f.isConst(src[1].id) && m_f.bits(m_f.pool[a.first + 1].id) == kOne && m_f.isConst(m_f.pool[a.first + 1].id) && isBool(m_f.pool[a.first].id)) { // float(b) * k
    const uint32_t k = m_f.bits(src[1].id);
    const float value = std::bit_cast<float>(k);
    if (value - value == 0) {
      src[0].id = m_f.pool[a.first].id;
      if (!(k & kMinusZero))
        return become(Op::And, 2);
      return to(emitBeside(inst, Op::Movc, {src[0].id, src[1].id, constant(kMinusZero)}));
    }
  }
  if (a.op == Op::Mul && m_f.isConst(src[1].id) && m_f.isConst(m_f.pool[a.first + 1].id) && !inst.precise && !a.precise) { // (x * k) * l -> x * (k * l)
    uint32_t in[2] = {m_f.bits(m_f.pool[a.first + 1].id), m_f.bits(src[1].id)}, out = 0;
    ValueId x = m_f.pool[a.first].id;
    foldOp(Op::Mul, in, out);
    src[0].id = x;
    src[1].id = constant(out);
    return true;
  }
  return false;
}

bool Builder::simplifyFloat(Inst& inst, std::span<Src> src, ValueId& replacement) {
  auto isBits = [&](size_t i, uint32_t bits) { return m_f.isConst(src[i].id) && m_f.bits(src[i].id) == bits; };
  auto zero = [&](size_t i) { return isBits(i, 0) || isBits(i, kMinusZero); };
  auto to = [&](ValueId id) {
    replacement = id;
    return true;
  };
  auto become = [&](Op op, size_t n) {
    inst.op = op;
    inst.count = uint16_t(n);
    return true;
  };
  switch (inst.op) {
  case Op::Neg: {
    const Inst& d = m_f.insts[src[0].id];
    if (d.op == Op::Neg)
      return to(m_f.pool[d.first].id); // --x -> x
    return false;
  }
  case Op::Abs: {
    const Inst& d = m_f.insts[src[0].id];
    if (d.op == Op::Abs || d.op == Op::Sat)
      return to(src[0].id);
    if (d.op == Op::Neg) {
      src[0].id = m_f.pool[d.first].id; // |-x| -> |x|
      return true;
    }
    return false;
  }
  case Op::Sat: {
    const Inst& d = m_f.insts[src[0].id];
    if (d.op == Op::Sat)
      return to(src[0].id);
    if (d.op == Op::Max && m_f.isConst(m_f.pool[d.first + 1].id) && std::bit_cast<float>(m_f.bits(m_f.pool[d.first + 1].id)) <= 0) { // saturate(max(x, 0)) -> saturate(x)
      src[0].id = m_f.pool[d.first].id;
      return true;
    }
    return false;
  }
  case Op::Add: {
    if (zero(1)) // x + 0 -> x
      return foldsWithGroup(inst) ? to(src[0].id) : false;
    const Inst& a = m_f.insts[src[0].id];
    if (a.op == Op::Add && m_f.isConst(src[1].id) && m_f.isConst(m_f.pool[a.first + 1].id) && !inst.precise && !a.precise) { // (x + k) + l -> x + (k + l)
      uint32_t in[2] = {m_f.bits(m_f.pool[a.first + 1].id), m_f.bits(src[1].id)}, out = 0;
      foldOp(Op::Add, in, out);
      src[0].id = m_f.pool[a.first].id;
      src[1].id = constant(out);
      return true;
    }
    return false;
  }
  case Op::Mul:
    return simplifyProduct(inst, src, replacement);
  case Op::Mad:
    if (zero(2))
      return become(Op::Mul, 2);
    if (!foldsWithGroup(inst))
      return false;
    if ((zero(0) || zero(1)) && !inst.precise)
      return to(src[2].id);
    if (isBits(1, kOne) || isBits(0, kOne)) { // x * 1 + c -> x + c
      if (isBits(0, kOne))
        std::swap(src[0], src[1]);
      src[1] = src[2];
      return become(Op::Add, 2);
    }
    return false;
  case Op::Dp2:
  case Op::Dp3:
  case Op::Dp4:
    return simplifyDot(inst, src, replacement);
  case Op::Div:
    if (isBits(1, kOne) && inst.precise)
      return to(src[0].id); // others become products, whose lanes stay together
    if (m_f.isConst(src[1].id) && !inst.precise) { // x / k -> x * (1 / k)
      float k = std::bit_cast<float>(m_f.bits(src[1].id));
      if (k != 0 && k - k == 0 && std::bit_cast<uint32_t>(1.0f / k) << 1 >= 0x01000000u) {
        src[1].id = constant(1.0f / k);
        return become(Op::Mul, 2);
      }
    }
    return false;
  case Op::Min:
  case Op::Max:
    return src[0].id == src[1].id ? to(src[0].id) : false;
  case Op::Mov:
    return src[0].neg || src[0].abs || inst.saturate ? false : to(src[0].id);
  case Op::ItoF: // x to int and back
    if (m_f.insts[src[0].id].op == Op::FtoI && !inst.precise) {
      src[0].id = m_f.pool[m_f.insts[src[0].id].first].id;
      return become(Op::RoundZ, 1);
    }
    return false;
  case Op::FtoI:
  case Op::FtoU:
    if (m_f.insts[src[0].id].op == Op::RoundZ) {
      src[0].id = m_f.pool[m_f.insts[src[0].id].first].id;
      return true;
    }
    return false;
  default:
    return false;
  }
}

/// Products with a constant zero fall out of a dot product.
bool Builder::simplifyDot(Inst& inst, std::span<Src> src, ValueId& replacement) {
  if (inst.precise)
    return false;
  auto zero = [&](const Src& s) { return m_f.isConst(s.id) && (m_f.bits(s.id) & 0x7fffffffu) == 0; };
  const size_t n = src.size() / 2;
  size_t kept = 0;
  Src a[4], b[4];
  for (size_t k = 0; k < n; k++)
    if (!zero(src[k]) && !zero(src[n + k])) {
      a[kept] = src[k];
      b[kept++] = src[n + k];
    }
  if (kept == n)
    return false;
  if (!kept) {
    replacement = constant(0u);
    return true;
  }
  for (size_t k = 0; k < kept; k++) {
    src[k] = a[k];
    src[kept + k] = b[k];
  }
  inst.op = kept == 1 ? Op::Mul : kept == 2 ? Op::Dp2 : Op::Dp3;
  inst.count = uint16_t(kept * 2);
  return true;
}

bool Builder::simplifyInteger(Inst& inst, std::span<Src> src, ValueId& replacement) {
  auto isBits = [&](size_t i, uint32_t bits) { return m_f.isConst(src[i].id) && m_f.bits(src[i].id) == bits; };
  auto to = [&](ValueId id) {
    replacement = id;
    return true;
  };
  auto become = [&](Op op, size_t n) {
    inst.op = op;
    inst.count = uint16_t(n);
    return true;
  };
  auto powerOfTwo = [&](size_t i) {
    return m_f.isConst(src[i].id) && std::has_single_bit(m_f.bits(src[i].id));
  };
  switch (inst.op) {
  case Op::IAdd: {
    if (isBits(1, 0))
      return to(src[0].id);
    const Inst& a = m_f.insts[src[0].id];
    if (a.op == Op::IAdd && m_f.isConst(src[1].id) && m_f.isConst(m_f.pool[a.first + 1].id)) { // (x + k) + l -> x + (k + l)
      uint32_t sum = m_f.bits(src[1].id) + m_f.bits(m_f.pool[a.first + 1].id);
      src[0].id = m_f.pool[a.first].id;
      src[1].id = constant(sum);
      return true;
    }
    return false;
  }
  case Op::IMul:
    if (isBits(1, 0))
      return to(src[1].id);
    if (isBits(1, 1))
      return to(src[0].id);
    if (powerOfTwo(1)) {
      src[1].id = constant(uint32_t(std::countr_zero(m_f.bits(src[1].id))));
      return become(Op::Shl, 2);
    }
    return false;
  case Op::UDiv:
    if (isBits(1, 1))
      return to(src[0].id);
    if (powerOfTwo(1)) {
      src[1].id = constant(uint32_t(std::countr_zero(m_f.bits(src[1].id))));
      return become(Op::UShr, 2);
    }
    return false;
  case Op::UMod:
    if (powerOfTwo(1)) {
      src[1].id = constant(m_f.bits(src[1].id) - 1);
      return become(Op::And, 2);
    }
    return false;
  case Op::INeg: {
    const Inst& d = m_f.insts[src[0].id];
    return d.op == Op::INeg ? to(m_f.pool[d.first].id) : false;
  }
  case Op::Shl:
  case Op::IShr:
  case Op::UShr:
    if (isBits(1, 0) || isBits(0, 0))
      return to(src[0].id);
    if (inst.op == Op::Shl && m_f.isConst(src[1].id)) { // (x << k) << l -> x << (k + l)
      const Inst& a = m_f.insts[src[0].id];
      if (a.op == Op::Shl && m_f.isConst(m_f.pool[a.first + 1].id)) {
        uint32_t sum = (m_f.bits(src[1].id) & 31) + (m_f.bits(m_f.pool[a.first + 1].id) & 31);
        if (sum > 31)
          return to(constant(0u));
        src[0].id = m_f.pool[a.first].id;
        src[1].id = constant(sum);
        return true;
      }
    }
    return false;
  case Op::And:
    if (isBits(1, 0))
      return to(src[1].id);
    if (isBits(1, ~0u) || src[0].id == src[1].id)
      return to(src[0].id);
    return false;
  case Op::Or:
    if (isBits(1, 0) || src[0].id == src[1].id)
      return to(src[0].id);
    return isBits(1, ~0u) ? to(src[1].id) : false;
  case Op::Xor:
    if (isBits(1, 0))
      return to(src[0].id);
    if (src[0].id == src[1].id)
      return to(constant(0u));
    return false;
  default:
    return simplifyCompare(inst, src, replacement);
  }
}

bool Builder::simplifyCompare(Inst& inst, std::span<Src> src, ValueId& replacement) {
  auto isBits = [&](size_t i, uint32_t bits) { return m_f.isConst(src[i].id) && m_f.bits(src[i].id) == bits; };
  auto to = [&](ValueId id) {
    replacement = id;
    return true;
  };
  auto become = [&](Op op, size_t n) {
    inst.op = op;
    inst.count = uint16_t(n);
    return true;
  };
  switch (inst.op) {
  case Op::IEq:
  case Op::INe:
    if (src[0].id == src[1].id)
      return to(constant(inst.op == Op::IEq ? ~0u : 0u));
    if (isBits(1, 0) && isBool(src[0].id)) { // b != 0 -> b, b == 0 -> ~b
      if (inst.op == Op::INe)
        return to(src[0].id);
      return become(Op::Not, 1);
    }
    if (isBits(1, 0)) { // (b & k) != 0 for a boolean b and k != 0 -> b
      const Inst& d = m_f.insts[src[0].id];
      if (d.op == Op::And && m_f.isConst(m_f.pool[d.first + 1].id) && m_f.bits(m_f.pool[d.first + 1].id) && isBool(m_f.pool[d.first].id)) {
        ValueId b = m_f.pool[d.first].id;
        if (inst.op == Op::INe)
          return to(b);
        src[0].id = b;
        return become(Op::Not, 1);
      }
    }
    return false;
  case Op::FNe:
  case Op::FEq:
    if (isBits(1, 0)) { // the same for float(b)
      const Inst& d = m_f.insts[src[0].id];
      if (d.op == Op::And && isBool(m_f.pool[d.first].id) && m_f.isConst(m_f.pool[d.first + 1].id) && m_f.bits(m_f.pool[d.first + 1].id) == kOne) {
        ValueId b = m_f.pool[d.first].id;
        if (inst.op == Op::FNe)
          return to(b);
        src[0].id = b;
        return become(Op::Not, 1);
      }
    }
    return false;
  case Op::Not: {
    const Inst& d = m_f.insts[src[0].id];
    // The complement of a comparison, where NaN does not matter.
    static constexpr std::pair<Op, Op> pairs[] = {{Op::IEq, Op::INe}, {Op::INe, Op::IEq}, {Op::ILt, Op::IGe}, {Op::IGe, Op::ILt}, {Op::ULt, Op::UGe}, {Op::UGe, Op::ULt}, {Op::FEq, Op::FNe}, {Op::FNe, Op::FEq}};
    if (d.op == Op::Not)
      return to(m_f.pool[d.first].id);
    for (auto [from, into] : pairs)
      if (d.op == from) {
        return false; // done in place by the caller of simplifyNot (needs two sources)
      }
    return false;
  }
  default:
    return false;
  }
}

bool Builder::simplifySelect(Inst& inst, std::span<Src> src, ValueId& replacement) {
  if (inst.op != Op::Movc)
    return false;
  auto isBits = [&](size_t i, uint32_t bits) { return m_f.isConst(src[i].id) && m_f.bits(src[i].id) == bits; };
  if (m_f.isConst(src[0].id)) {
    if (src[1].neg || src[1].abs || src[2].neg || src[2].abs)
      return false;
    replacement = m_f.bits(src[0].id) ? src[1].id : src[2].id;
    return true;
  }
  if (src[1] == src[2] && !src[1].neg && !src[1].abs && selectsWithGroup(inst, src, kSelectsSame)) {
    replacement = src[1].id;
    return true;
  }
  // An undefined arm may be anything.
  for (size_t k = 1; k < 3; k++)
    if (m_f.insts[src[k].id].op == Op::Undef && !src[3 - k].neg && !src[3 - k].abs) {
      replacement = src[3 - k].id;
      return true;
    }
  if (isBits(1, ~0u) && isBits(2, 0) && isBool(src[0].id)) {
    replacement = src[0].id;
    return true;
  }
  if (isBits(2, 0) && m_f.insts[src[1].id].op != Op::Neg && m_f.insts[src[1].id].op != Op::Abs && isBool(src[0].id) && selectsWithGroup(inst, src, kSelectsAnd)) { // b ? x : 0 -> b & x
    inst.op = Op::And;
    inst.count = 2;
    return true;
  }
  if (isBits(1, 0) && isBits(2, ~0u) && isBool(src[0].id)) {
    inst.op = Op::Not;
    inst.count = 1;
    return true;
  }
  const Inst& d = m_f.insts[src[0].id];
  if (d.op == Op::Not && isBool(m_f.pool[d.first].id)) { // ~b ? x : y -> b ? y : x
    src[0].id = m_f.pool[d.first].id;
    std::swap(src[1], src[2]);
    return true;
  }
  if (d.op == Op::INe && m_f.isConst(m_f.pool[d.first + 1].id) && m_f.bits(m_f.pool[d.first + 1].id) == 0) {
    src[0].id = m_f.pool[d.first].id; // movc tests for non-zero itself
    return true;
  }
  return false;
}

bool Builder::simplify(Inst& inst, std::span<Src> src, ValueId& replacement) {
  replacement = kNoValue;
  if (!hasTrait(inst.op, kPure) || src.empty())
    return false;
  for (const Src& s : src) // late, when modifiers are folded: the rules below do not look at them
    if (s.neg || s.abs)
      return false;
  if (inst.saturate)
    return false;
  if (hasTrait(inst.op, kDouble))
    return !m_expanded && simplifyDouble(inst, src, replacement);
  if (foldConstant(inst, src, replacement))
    return true;
  // The same for the operations that the rules look through: saturate(x * k) * l is not saturate-free x * (k * l).
  for (const Src& s : src) {
    const Inst& d = m_f.insts[s.id];
    if (d.saturate)
      return false;
    for (uint32_t k = 0; d.op != Op::Const && k < d.count; k++)
      if (m_f.pool[d.first + k].neg || m_f.pool[d.first + k].abs)
        return false;
  }
  if (hasTrait(inst.op, kCommute)) {
    // Constants to the right; otherwise older values to the left, so that equal operations look equal.
    bool c0 = m_f.isConst(src[0].id), c1 = m_f.isConst(src[1].id);
    // Of two zeros of different sign min and max give a certain one.
    const bool ordered = inst.op == Op::Min || inst.op == Op::Max;
    if ((c0 && !c1) || (c0 == c1 && !ordered && src[0].id > src[1].id))
      std::swap(src[0], src[1]);
  }
  if (inst.op == Op::Extract)
    return false;
  return simplifyFloat(inst, src, replacement) || simplifyInteger(inst, src, replacement) || simplifySelect(inst, src, replacement);
}

void Builder::resolveList(std::vector<ValueId>& list) {
  for (ValueId& v : list)
    v = resolve(v);
}

/// Removes phis whose incoming values are all the same.
bool Builder::simplifyPhis(Control& c, Op op) {
  bool changed = false;
  auto erase = [](std::vector<ValueId>& v, size_t i) { v.erase(v.begin() + long(i)); };
  auto same = [&](ValueId phi, std::initializer_list<const std::vector<std::vector<ValueId>>*> edges, size_t i, ValueId first) {
    ValueId v = first;
    for (auto* list : edges)
      for (auto& e : *list) {
        ValueId x = resolve(e[i]);
        if (x == phi)
          continue;
        if (v && v != x)
          return kNoValue;
        v = x;
      }
    return v;
  };
  if (op == Op::Loop) {
    for (size_t i = c.headerPhis.size(); i-- > 0;) {
      ValueId v = same(c.headerPhis[i], {&c.continues}, i, resolve(c.init[i]));
      if (!v)
        continue;
      forward(c.headerPhis[i], v);
      erase(c.headerPhis, i);
      erase(c.init, i);
      for (auto& e : c.continues)
        erase(e, i);
      changed = true;
    }
    for (size_t i = c.phis.size(); i-- > 0;) {
      ValueId v = same(c.phis[i], {&c.breaks}, i, kNoValue);
      if (!v)
        continue;
      forward(c.phis[i], v);
      erase(c.phis, i);
      for (auto& e : c.breaks)
        erase(e, i);
      changed = true;
    }
    return changed;
  }
  std::vector<Block*> edges;
  if (op == Op::If) {
    for (Block* b : c.blocks)
      if (b && !b->terminated)
        edges.push_back(b);
  } else {
    for (SwitchCase& k : c.cases)
      if (!k.block->terminated)
        edges.push_back(k.block);
  }
  for (size_t i = c.phis.size(); i-- > 0;) {
    ValueId v = kNoValue;
    bool all = !edges.empty();
    for (Block* b : edges) {
      ValueId x = resolve(b->yield[i]);
      all = all && (!v || v == x);
      v = x;
    }
    if (!all)
      continue;
    forward(c.phis[i], v);
    erase(c.phis, i);
    for (Block* b : edges)
      erase(b->yield, i);
    changed = true;
  }
  return changed;
}

bool Builder::simplifyControl(ValueId id, std::vector<ValueId>& out, bool& spliced) {
  const Op op = m_f.insts[id].op;
  Control& c = m_f.controls[m_f.insts[id].aux[0]];
  bool changed = false;
  spliced = false;
  if (op == Op::If) {
    Src& cond = m_f.pool[m_f.insts[id].first];
    const Inst& d = m_f.insts[cond.id];
    if (d.op == Op::INe && m_f.isConst(m_f.pool[d.first + 1].id) && m_f.bits(m_f.pool[d.first + 1].id) == 0) {
      cond.id = m_f.pool[d.first].id; // if_nz tests for non-zero itself
      changed = true;
    } else if ((d.op == Op::Not && isBool(m_f.pool[d.first].id)) || (d.op == Op::IEq && m_f.isConst(m_f.pool[d.first + 1].id) && m_f.bits(m_f.pool[d.first + 1].id) == 0)) {
      cond.id = m_f.pool[d.first].id;
      std::swap(c.blocks[0], c.blocks[1]);
      changed = true;
    }
    if (m_f.isConst(cond.id)) {
      Block* b = c.blocks[m_f.bits(cond.id) ? 0 : 1];
      changed = simplifyBlock(*b) || changed;
      if (!b->terminated || c.phis.empty()) {
        for (size_t i = 0; i < c.phis.size(); i++)
          forward(c.phis[i], resolve(b->yield[i]));
        out.insert(out.end(), b->insts.begin(), b->insts.end());
        spliced = true;
        return true;
      }
    }
  }
  if (op == Op::Loop)
    changed = simplifyPhis(c, op) || changed; // header phis first: their uses are in the body
  auto nested = [&](Block* b) {
    Block* outer = m_block;
    enter(b);
    changed = simplifyBlock(*b) || changed;
    leave(outer);
    resolveList(b->yield);
  };
  for (Block* b : c.blocks)
    if (b)
      nested(b);
  for (SwitchCase& k : c.cases)
    nested(k.block);
  resolveList(c.init);
  for (auto& e : c.breaks)
    resolveList(e);
  for (auto& e : c.continues)
    resolveList(e);
  changed = simplifyPhis(c, op) || changed;
  return changed;
}

bool Builder::simplifyBlock(Block& block) {
  bool changed = false;
  std::vector<ValueId> old;
  old.swap(block.insts);
  std::vector<ValueId> out;
  out.reserve(old.size());
  for (ValueId id : old) {
    for (Src& s : m_f.sources(id))
      s.id = resolve(s.id);
    if (hasTrait(m_f.insts[id].op, kControl)) {
      bool spliced = false;
      changed = simplifyControl(id, out, spliced) || changed;
      if (!spliced)
        out.push_back(id);
      continue;
    }
    ValueId replacement = kNoValue;
    Inst inst = m_f.insts[id];
    std::vector<Src> src(m_f.sources(id).begin(), m_f.sources(id).end());
    bool mutated = false;
    // ~(a op b) -> a inverse-op b
    if (inst.op == Op::Not) {
      const Inst& d = m_f.insts[src[0].id];
      static constexpr std::pair<Op, Op> pairs[] = {{Op::IEq, Op::INe}, {Op::INe, Op::IEq}, {Op::ILt, Op::IGe}, {Op::IGe, Op::ILt}, {Op::ULt, Op::UGe}, {Op::UGe, Op::ULt}, {Op::FEq, Op::FNe}, {Op::FNe, Op::FEq}};
      for (auto [from, into] : pairs)
        if (d.op == from) {
          inst.op = into;
          inst.count = 2;
          src = {m_f.pool[d.first], m_f.pool[d.first + 1]};
          inst.first = uint32_t(m_f.pool.size());
          m_f.pool.insert(m_f.pool.end(), src.begin(), src.end());
          mutated = true;
          break;
        }
    }
    while (!replacement && simplify(inst, std::span<Src>(src).first(inst.count), replacement))
      mutated = true;
    if (replacement) {
      out.insert(out.end(), block.insts.begin(), block.insts.end());
      block.insts.clear();
      forward(id, replacement);
      m_f.insts[id].dead = true;
      changed = true;
      continue;
    }
    out.insert(out.end(), block.insts.begin(), block.insts.end()); // what a rule has added
    block.insts.clear();
    src.resize(inst.count);
    for (size_t i = 0; i < src.size(); i++)
      m_f.pool[inst.first + i] = src[i];
    changed = changed || mutated;
    m_f.insts[id] = inst;
    if (hasTrait(inst.op, kPure)) {
      uint64_t h = hash(inst, src);
      if (ValueId known = find(h, inst, src)) {
        forward(id, known);
        m_f.insts[id].dead = true;
        changed = true;
        continue;
      }
      remember(h, id);
    }
    out.push_back(id);
  }
  block.insts = std::move(out);
  return changed;
}

bool Builder::simplifyAll() {
  popScope(0);
  m_scopes.clear();
  m_known.clear();
  m_lowering = false;
  m_groupFolds.clear();
  m_groupSelects.clear();
  findFoldingGroups(*m_f.root);
  m_block = m_f.root;
  bool changed = simplifyBlock(*m_f.root);
  popScope(0);
  return changed;
}

} // namespace monolith::compiler
