// SPDX-License-Identifier: MIT
/// @file
/// What a shader's generated body needs from the kernel round it. The shader emitter calls these while recording, each
/// at the place in the code where the operation stands.
#pragma once

#include "simd/value.h"

#include <cstdint>

namespace monolith::ir {
class Function;
struct Instruction;
} // namespace monolith::ir

namespace monolith::codegen {

/// Implemented by each kernel (vertex, pixel, compute).
class ShaderHost {
public:
  virtual ~ShaderHost() = default;

  /// Input register component (LoadInput). All 32-bit types as bits.
  virtual simd::Int input(uint32_t reg, uint32_t component) = 0;
  /// System value component (LoadSystem); `value` is an ir::SystemValue.
  virtual simd::Int system(uint32_t value, uint32_t component) = 0;
  /// Output register component, for all lanes, outside divergent control flow.
  virtual void output(uint32_t reg, uint32_t component, simd::Int value) = 0;
  /// The same inside divergent control flow: only lanes of `exec` store.
  virtual void outputMasked(uint32_t reg, uint32_t component, simd::Int value, simd::Mask exec) {
    (void)exec;
    output(reg, component, value);
  }
  virtual void outputDepth(simd::Float value) { (void)value; }
  /// Lanes that are dropped (the execution mask is already applied). May be called inside recorded control flow.
  virtual void discard(simd::Mask lanes) { (void)lanes; }
  /// Address of abi::StageBindings.
  virtual simd::Pointer bindings() = 0;
  /// Address of abi::ThreadContext.
  virtual simd::Pointer thread() = 0;
  /// All Sample*, Gather4*, Lod, Ld*, ResInfo, BufInfo, SampleInfo and SamplePos operations on shader resources.
  /// `operands` in the order of ir/ops.def; `results` gets instruction.resultCount words. `exec`: lanes whose results
  /// count (address computations are safe in all lanes).
  virtual void resource(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands,
                        simd::Int* results, simd::Mask exec) = 0;
  /// Everything else that reaches outside: LoadVertexInput, LoadPatchConstant, LoadOutputPoint, Eval*,
  /// StoreCoverage, StoreStencilRef, StorePatchConstant, EmitVertex, CutStrip, Sync, unordered access, group shared
  /// memory and atomics. Effects only in lanes of `exec`. Unset results become 0.
  virtual void effect(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands,
                      simd::Int* results, simd::Mask exec) {
    (void)function, (void)instruction, (void)operands, (void)results, (void)exec;
  }
};

} // namespace monolith::codegen
