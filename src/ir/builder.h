// SPDX-License-Identifier: MIT
/// @file
/// The only way to append to a Function. Each call appends one instruction and gives its first result.
#pragma once

#include "ir/function.h"
#include <bit>
#include <initializer_list>

namespace monolith::ir {

/// Results of a multi-result instruction: r[0], r[1], ...
struct Values {
  uint32_t first = 0xFFFFFFFFu;
  uint32_t count = 0;
  Value operator[](unsigned i) const { return Value{first + i}; }
  operator Value() const { return Value{first}; }
};

/// Attributes of sampling, load and memory instructions.
struct ResourceAttributes {
  uint32_t resource = 0; ///< index in Function::resources (or uavs, shared)
  uint32_t sampler = 0;  ///< index in Function::samplers; MemorySpace for memory instructions
  int8_t offset[3] = {0, 0, 0};
  uint8_t component = 0;
  uint8_t flags = 0;
};

class Builder {
public:
  explicit Builder(Function& f) : m_f(f) {}
  Function& function() { return m_f; }

  Value constant(uint32_t bits) { return m_f.constantValue(bits); }
  Value constantFloat(float f) { return m_f.constantValue(std::bit_cast<uint32_t>(f)); }
  VarId newVariable() { return VarId{m_f.variableCount++}; }

  /// Any instruction; results as ops.def says (one more with kFlagStatus).
  Values emit(Op op, const Value* operands, unsigned count, uint32_t attr = 0, uint32_t attr2 = 0, uint8_t flags = 0);
  Values emit(Op op, std::initializer_list<Value> operands, uint32_t attr = 0, uint32_t attr2 = 0, uint8_t flags = 0) {
    return emit(op, operands.begin(), static_cast<unsigned>(operands.size()), attr, attr2, flags);
  }
  Values emitResource(Op op, const Value* operands, unsigned count, const ResourceAttributes& a);
  Values emitResource(Op op, std::initializer_list<Value> operands, const ResourceAttributes& a) {
    return emitResource(op, operands.begin(), static_cast<unsigned>(operands.size()), a);
  }

  Value loadVar(VarId v) { return emit(Op::LoadVar, {}, v.id); }
  void storeVar(VarId v, Value x) { emit(Op::StoreVar, {x}, v.id); }
  Value loadArray(uint32_t array, uint32_t component, Value index) { return emit(Op::LoadArray, {index}, array, component); }
  void storeArray(uint32_t array, uint32_t component, Value index, Value x) {
    emit(Op::StoreArray, {index, x}, array, component);
  }
  Value loadConstant(uint32_t slot, Value index, uint32_t component) {
    return emit(Op::LoadConstant, {index}, slot, component);
  }
  Value loadInput(uint32_t reg, uint32_t component) { return emit(Op::LoadInput, {}, reg, component); }
  void storeOutput(uint32_t reg, uint32_t component, Value x) { emit(Op::StoreOutput, {x}, reg, component); }

  void beginIf(Value condition) { emit(Op::If, {condition}); }
  void beginElse() { emit(Op::Else, {}); }
  void endIf() { emit(Op::EndIf, {}); }
  void beginLoop() { emit(Op::Loop, {}); }
  void endLoop() { emit(Op::EndLoop, {}); }
  void beginBlock() { emit(Op::Block, {}); }
  void endBlock() { emit(Op::EndBlock, {}); }
  void breakOut(uint32_t depth = 0) { emit(Op::Break, {}, 0, depth); }
  void breakIf(Value condition, uint32_t depth = 0) { emit(Op::Break, {condition}, 0, depth); }
  void continueLoop() { emit(Op::Continue, {}); }
  void continueIf(Value condition) { emit(Op::Continue, {condition}); }
  void discard() { emit(Op::Discard, {}); }
  void discardIf(Value condition) { emit(Op::Discard, {condition}); }

  /// Ends building: links the markers. False if regions do not nest.
  bool finish() { return m_f.link(); }

private:
  Function& m_f;
};

} // namespace monolith::ir
