// SPDX-License-Identifier: MIT
/// @file
/// Constant buffers, the immediate constant buffer, variables and indexable arrays.
///
/// Constant buffers: rows that are named by constants need no bounds check. Before the body, a buffer that is shorter
/// than the rows the shader names is copied to the stack with zeros behind its end, so that each load is one broadcast.
///
/// Arrays: word (element, component) of all lanes is one vector in memory; one element more than declared takes what
/// is stored outside.
#include "abi/texture_view.h"
#include "abi/thread_context.h"
#include "codegen/emitter_state.h"
#include <algorithm>
#include <cstring>

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

namespace {

constexpr uint32_t kRowBytes = 16;
constexpr uint32_t kMaxPaddedRows = 256;       ///< of one buffer
constexpr uint32_t kMaxPaddedRowsInAll = 1024; ///< of all buffers (16 KiB of stack)
constexpr uint32_t kMaxStackArrayBytes = 16384;

/// Called from generated code, rarely: a bound buffer that is too short.
void padConstants(uint8_t* rows, const abi::ConstantBuffer* buffer, uint32_t count) {
  const uint32_t present = std::min(buffer->size, count);
  memcpy(rows, buffer->data, size_t(present) * kRowBytes);
  memset(rows + size_t(present) * kRowBytes, 0, size_t(count - present) * kRowBytes);
}

uint32_t arrayBytes(const ir::ArrayDecl& a) { return (a.size + 1) * a.components * kVectorBytes; }

Pointer zeroRow() {
  static const uint32_t zeros[4] = {};
  return constantTable(zeros, sizeof zeros);
}

/// A row indexed by a value: one lookup serves the four components.
const CachedRow& findRow(EmitterState& s, uint32_t slot, ir::Value index) {
  for (const CachedRow& r : s.rows)
    if (r.slot == slot && r.index == index.id)
      return r;
  const EmitterState::ConstantSlot& c = s.constantSlots[slot];
  CachedRow r;
  r.slot = slot;
  r.index = index.id;
  r.uniform = s.uniformity.isUniform(index);
  const Int i = s.value(index);
  if (r.uniform) {
    const Word w = index.isConstant() ? Word(s.function.constant(index)) : extract(i, 0);
    const Pointer row = indexed(c.data, shl(toLongUnsigned(w), 4));
    r.row = select(belowUnsigned(w, c.size), row, zeroRow());
  } else {
    r.inside = belowUnsigned(i, broadcast(c.size));
    r.offset = shl(i, 4);
  }
  s.rows.push_back(r);
  return s.rows.back();
}

void loadConstant(EmitterState& s, const Instruction& i) {
  const EmitterState::ConstantSlot& c = s.constantSlots[i.attr];
  const int32_t component = int32_t(i.attr2 * 4);
  uint32_t row;
  if (s.operandConstant(i, 0, row) && row < c.checked) {
    s.set(i, broadcastInt(c.padded + (int32_t(row * kRowBytes) + component)));
    return;
  }
  const CachedRow& r = findRow(s, i.attr, s.function.operand(i, 0));
  if (r.uniform)
    s.set(i, broadcastInt(r.row + component));
  else
    s.set(i, gather(c.data + component, r.offset, 1, r.inside, Int(0)));
}

void loadIcb(EmitterState& s, const Instruction& i) {
  const std::vector<uint32_t>& icb = s.function.icb;
  const uint32_t count = uint32_t(icb.size() / 4);
  uint32_t row;
  if (s.operandConstant(i, 0, row)) {
    s.set(i, Int(row < count ? icb[row * 4 + i.attr2] : 0u));
    return;
  }
  if (count == 0) {
    s.set(i, Int(0));
    return;
  }
  const Int index = s.operand(i, 0);
  const Pointer table = constantTable(icb.data(), icb.size() * 4) + int32_t(i.attr2 * 4);
  s.set(i, gather(table, shl(index, 4), 1, belowUnsigned(index, Int(count)), Int(0)));
}

/// Byte offsets of (index, component) of each lane; lanes outside go to the spare element.
Int arrayOffsets(const ir::ArrayDecl& a, uint32_t component, Int index) {
  std::array<int32_t, kLanes> lanes;
  for (size_t l = 0; l < kLanes; ++l)
    lanes[l] = int32_t(component * kVectorBytes + l * 4);
  const Int inside = minUnsigned(index, Int(a.size));
  return inside * Int(a.components * kVectorBytes) + Int(lanes);
}

void loadArray(EmitterState& s, const Instruction& i) {
  const ir::ArrayDecl& a = s.function.arrays[i.attr];
  const Pointer base = s.arrays[i.attr];
  uint32_t element;
  if (i.attr2 >= a.components) {
    s.set(i, Int(0));
  } else if (s.operandConstant(i, 0, element)) {
    const uint32_t at = (element * a.components + i.attr2) * kVectorBytes;
    s.set(i, element < a.size ? loadInt(base + int32_t(at)) : Int(0));
  } else {
    const Int index = s.operand(i, 0);
    s.set(i, gather(base, arrayOffsets(a, i.attr2, index), 1, belowUnsigned(index, Int(a.size)), Int(0)));
  }
}

void storeArray(EmitterState& s, const Instruction& i) {
  const ir::ArrayDecl& a = s.function.arrays[i.attr];
  const Pointer base = s.arrays[i.attr];
  const Int value = s.operand(i, 1);
  uint32_t element;
  if (i.attr2 >= a.components)
    return;
  if (s.operandConstant(i, 0, element)) {
    if (element >= a.size)
      return;
    const Pointer at = base + int32_t((element * a.components + i.attr2) * kVectorBytes);
    store(at, s.full ? value : select(s.exec, value, loadInt(at)));
    return;
  }
  Int index = s.operand(i, 0);
  if (!s.full)
    index = index | (asInt(s.exec) ^ Int(-1)); // lanes that do not run store to the spare element
  const Int offsets = arrayOffsets(a, i.attr2, index);
  for (int lane = 0; lane < kLanes; ++lane)
    store(indexed(base, toLongUnsigned(extract(offsets, lane))), extract(value, lane));
}

} // namespace

uint32_t shaderScratchBytes(const ir::Function& function) {
  uint32_t bytes = 0;
  for (const ir::ArrayDecl& a : function.arrays)
    bytes += arrayBytes(a);
  return bytes > kMaxStackArrayBytes ? bytes : 0;
}

void prepareArrays(EmitterState& s) {
  uint32_t bytes = 0;
  for (const ir::ArrayDecl& a : s.function.arrays)
    bytes += arrayBytes(a);
  if (bytes == 0)
    return;
  if (bytes > abi::kScratchBytes)
    Function::failCurrent("the shader's indexable arrays are too large");
  const Pointer base = bytes > kMaxStackArrayBytes
                           ? loadPointer(s.host.thread() + int32_t(offsetof(abi::ThreadContext, scratch)))
                           : Function::currentStack(bytes);
  uint32_t offset = 0;
  for (const ir::ArrayDecl& a : s.function.arrays) {
    s.arrays.push_back(base + int32_t(offset));
    offset += arrayBytes(a);
  }
  if (bytes <= 1024) {
    for (uint32_t at = 0; at < bytes; at += kVectorBytes)
      store(base + int32_t(at), Int(0));
  } else {
    For(Word(0), Word(bytes), kVectorBytes, [&](Word at) { store(indexed(base, at), Int(0)); });
  }
}

void prepareConstantBuffers(EmitterState& s) {
  std::vector<uint32_t> rows; // named by constants, by slot
  std::vector<uint8_t> dynamic;
  for (const Instruction& i : s.function.instructions) {
    if (i.op != Op::LoadConstant)
      continue;
    if (i.attr >= rows.size()) {
      rows.resize(i.attr + 1);
      dynamic.resize(i.attr + 1);
    }
    uint32_t row;
    if (s.operandConstant(i, 0, row) && row < kMaxPaddedRows)
      rows[i.attr] = std::max(rows[i.attr], row + 1);
    else
      dynamic[i.attr] = 1;
  }
  s.constantSlots.resize(rows.size());
  if (rows.empty())
    return;
  const Pointer table = loadPointer(s.host.bindings() + int32_t(offsetof(abi::StageBindings, constantBuffers)));
  uint32_t total = 0;
  for (size_t slot = 0; slot < rows.size(); ++slot) {
    EmitterState::ConstantSlot& c = s.constantSlots[slot];
    const Pointer entry = table + int32_t(slot * sizeof(abi::ConstantBuffer));
    const Pointer size = entry + int32_t(offsetof(abi::ConstantBuffer, size));
    if (rows[slot] && total + rows[slot] > kMaxPaddedRowsInAll) {
      rows[slot] = 0;
      dynamic[slot] = 1;
    }
    if (!rows[slot] && !dynamic[slot])
      continue;
    c.data = loadPointer(entry + int32_t(offsetof(abi::ConstantBuffer, data)));
    if (dynamic[slot])
      c.size = loadWord(size);
    if (!rows[slot])
      continue;
    total += rows[slot];
    c.checked = rows[slot];
    Var<Pointer> padded(c.data);
    const Pointer copy = Function::currentStack(rows[slot] * kRowBytes);
    If(belowUnsigned(loadWord(size), Word(rows[slot])), [&] {
      call(addressOf(&padConstants), {Argument(copy), Argument(entry), Argument(Word(rows[slot]))});
      padded = copy;
    });
    c.padded = padded.peek();
  }
}

bool emitMemoryOp(EmitterState& s, const Instruction& i, uint32_t at) {
  switch (i.op) {
  case Op::LoadVar: {
    const Int reg = s.variables[i.attr];
    s.set(i, s.borrow[at] ? reg : copyOf(reg));
    return true;
  }
  case Op::StoreVar: {
    const Int reg = s.variables[i.attr], value = s.operand(i, 0);
    if (s.full || storesFreely(s, i.attr))
      assignRegister(reg, value);
    else
      assignMasked(reg, s.exec, value);
    return true;
  }
  case Op::LoadArray: loadArray(s, i); return true;
  case Op::StoreArray: storeArray(s, i); return true;
  case Op::LoadIcb: loadIcb(s, i); return true;
  case Op::LoadConstant: loadConstant(s, i); return true;
  default: return false;
  }
}

} // namespace monolith::codegen
