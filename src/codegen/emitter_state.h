// SPDX-License-Identifier: MIT
/// @file
/// What the parts of the shader emitter share. Private to the emit_*.cpp files and shader_emitter.cpp.
#pragma once

#include "codegen/shader_emitter.h"
#include "codegen/uniformity.h"
#include "ir/function.h"
#include "simd/simd.h"
#include <deque>
#include <optional>
#include <vector>

namespace monolith::codegen {

/// An open If, Loop or Block.
struct Region {
  uint32_t open = 0;          ///< index of the marker
  ir::Op kind{};
  bool divergent = false;     ///< see Uniformity::divergent
  bool leaves = false;        ///< lanes inside may leave beyond this region, dividing its lanes
  bool inElse = false;
  bool hasElse = false;
  bool execIsLive = false;    ///< divergent Loop: no lane waits for the next iteration, so at its level exec equals live
  simd::Mask saved;           ///< execution mask on entry
  bool savedFull = false;
  simd::Mask condition;       ///< divergent If
  std::optional<simd::Label> top, next, end; ///< Loop: top, continue, end. If: else (next), end. Block: end.
  std::optional<simd::Var<simd::Mask>> gone; ///< lanes that left beyond this region (if `leaves`)
  std::optional<simd::Var<simd::Mask>> live; ///< divergent Loop: lanes still in it
  size_t cachedPointers = 0;
};

/// A dynamically indexed constant buffer row, valid inside the region that computed it.
struct CachedRow {
  uint32_t slot = 0, index = 0;
  bool uniform = false;
  simd::Pointer row;   ///< uniform: address of the vec4 (or of zeros)
  simd::Int offset;    ///< divergent: byte offsets
  simd::Mask inside;   ///< divergent
};

struct EmitterState {
  EmitterState(const ir::Function& f, ShaderHost& h) : function(f), host(h) {}

  const ir::Function& function;
  ShaderHost& host;
  Uniformity uniformity;

  std::vector<simd::Int> values;      ///< by value id
  std::vector<uint8_t> isMask;        ///< by value id: 0 or ~0 in every lane
  std::vector<uint8_t> isFlushed;     ///< by value id: never a denormal float
  std::vector<uint32_t> uses;         ///< by value id
  std::vector<uint32_t> lastUse;      ///< by value id: instruction index behind which it is dead
  std::vector<uint32_t> owners;       ///< by register: values that hold it, if the emitter may give it back
  std::vector<uint8_t> borrow;        ///< by instruction: a LoadVar that needs no copy
  std::vector<simd::Int> variables;   ///< registers
  std::vector<uint8_t> leaves;        ///< by instruction index of markers
  std::vector<uint32_t> privateTo;    ///< by variable: the only loop that reads it, if that lies in no other; else ~0

  std::deque<Region> regions; // regions do not move: variables are not copyable
  simd::Mask exec;                    ///< lanes that run here
  simd::Mask active;                  ///< lanes that ran at the start
  bool full = true;                   ///< exec is `active`: stores need no mask
  bool doubleMode = false;
  std::optional<simd::Var<simd::Mask>> discarded;
  std::optional<simd::Var<simd::Long>> budget;

  struct ConstantSlot {
    simd::Pointer padded;             ///< `checked` or more readable vec4s, zeros behind the end
    uint32_t checked = 0;
    simd::Pointer data;
    simd::Word size;
    bool dynamic = false;
  };
  std::vector<ConstantSlot> constantSlots;
  std::vector<CachedRow> rows;
  std::vector<simd::Pointer> arrays;

  simd::Int value(ir::Value v) const {
    return v.isConstant() ? simd::Int(function.constant(v)) : values[v.id];
  }
  simd::Int operand(const ir::Instruction& i, unsigned n) const { return value(function.operand(i, n)); }
  simd::Float operandFloat(const ir::Instruction& i, unsigned n) const { return simd::asFloat(operand(i, n)); }
  /// The operand with denormals made zero, for operations that pass it through unchanged.
  simd::Float operandFlushed(const ir::Instruction& i, unsigned n) const;
  bool operandConstant(const ir::Instruction& i, unsigned n, uint32_t& word) const;
  bool operandUniform(const ir::Instruction& i, unsigned n) const {
    return uniformity.isUniform(function.operand(i, n));
  }
  bool used(const ir::Instruction& i, unsigned n = 0) const { return uses[i.firstResult + n] != 0; }
  /// Operand as truth: any bit set.
  simd::Mask condition(ir::Value v) const;
  bool valueIsMask(ir::Value v) const;

  void set(const ir::Instruction& i, simd::Int v, unsigned n = 0) { values[i.firstResult + n] = v; }
  void setFloat(const ir::Instruction& i, simd::Float v, unsigned n = 0) {
    set(i, simd::asInt(v), n);
    isFlushed[i.firstResult + n] = 1;
  }
  void setMask(const ir::Instruction& i, simd::Mask v, unsigned n = 0) {
    set(i, simd::asInt(v), n);
    isMask[i.firstResult + n] = 1;
  }

  /// The value's register is never given back: something outside of the IR holds it.
  void pin(simd::VectorValue v) {
    if (v.id < owners.size() && owners[v.id])
      owners[v.id] = ~0u;
  }

  /// Lanes whose effects count now.
  simd::Mask effectMask() const;
  /// Switches between float mode (denormals flushed) and double mode.
  void setDoubleMode(bool on);
};

/// The families. Each returns false if the operation is not its own.
bool emitFloatOp(EmitterState& s, const ir::Instruction& i);
bool emitIntegerOp(EmitterState& s, const ir::Instruction& i);
bool emitDoubleOp(EmitterState& s, const ir::Instruction& i);
bool emitMemoryOp(EmitterState& s, const ir::Instruction& i, uint32_t at);
/// Markers, Break, Continue, Discard.
bool emitFlowOp(EmitterState& s, const ir::Instruction& i, uint32_t at);

/// Addresses of constant buffers; arrays with zeros.
void prepareConstantBuffers(EmitterState& s);
void prepareArrays(EmitterState& s);
/// See EmitterState::privateTo.
std::vector<uint32_t> findPrivateVariables(const ir::Function& f);
/// True if a store to the variable here needs no mask: the lanes that do not run have left the only loop that reads it.
bool storesFreely(const EmitterState& s, uint32_t variable);
/// Which markers' regions are left beyond themselves by divided lanes.
std::vector<uint8_t> findLeaves(const ir::Function& f, const Uniformity& u);

} // namespace monolith::codegen
