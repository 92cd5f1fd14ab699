// SPDX-License-Identifier: MIT
/// @file
/// The one place that knows asmjit: what a Function records into. Private to simd/.
#pragma once

#include "simd/value.h"
#include <asmjit/x86.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace monolith::simd {

struct Condition;

/// State of one function being recorded. Lives on its thread only.
struct Recorder : asmjit::ErrorHandler {
  asmjit::CodeHolder code;
  asmjit::x86::Compiler compiler;
  asmjit::StringLogger logger;
  asmjit::FuncNode* function = nullptr;
  asmjit::Label pool;
  std::vector<uint32_t> poolWords;                      ///< constants, 8 words each
  std::unordered_map<uint32_t, uint32_t> splatSlots;    ///< word -> slot of 8 equal words
  std::vector<Id> arguments;
  std::string name, error;
  Recorder* outer = nullptr;
  std::vector<Id> freeVectors;    ///< registers that hold nothing any more
  std::vector<Id> scopeVectors;   ///< handed out since the outermost open Temporaries began
  int openScopes = 0;
  bool dump = false;
  bool returnsWord = false;

  /// Back to the state of a new one, keeping memory.
  void clear();
  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter* origin) override;

  /// The function being recorded on this thread; it is an error of ours if there is none.
  static Recorder& current();
  static Recorder*& currentSlot();

  Id splat(uint32_t word);
  Id constant8(const uint32_t* words);
  uint32_t addToPool(const void* data, size_t bytes);
};

namespace x86 = asmjit::x86;
using InstId = x86::Inst::Id;

inline x86::Compiler& emitter() { return Recorder::current().compiler; }

inline x86::Ymm ymm(Id id) { return x86::Ymm(id); }
inline x86::Xmm xmm(Id id) { return x86::Xmm(id); }
inline x86::Gp gpd(Id id) { return x86::gpd(id); }
inline x86::Gp gpq(Id id) { return x86::gpq(id); }

/// A vector register: one that a Temporaries scope gave back, or a new one.
Id newYmm();
inline Id newXmm() { return emitter().newXmm().id(); }
inline Id newGpd() { return emitter().newGpd().id(); }
inline Id newGpq() { return emitter().newGpq().id(); }

/// Memory operand of a pooled constant.
x86::Mem constantOperand(Id id, uint32_t size = 32);
/// A pointer as memory operand.
x86::Mem memory(const Pointer& p, uint32_t size);
/// The value in a register (loads a pooled constant).
Id inRegister(Id vector);
/// Register or memory operand: for the last source of an instruction.
asmjit::Operand source(Id vector);
/// dst = op(a, b); dst is new.
Id emit2(InstId op, Id a, Id b);
/// The same when op commutes: a constant may be either operand.
Id emitCommuting(InstId op, Id a, Id b);
Id emit1(InstId op, Id a);
/// dst = op(a, immediate).
Id emitImmediate(InstId op, Id a, int immediate);
Id emit2Immediate(InstId op, Id a, Id b, int immediate);
/// A word or long in a register.
Id inRegister(const Word& w);
Id inRegister(const Long& l);
/// Records the comparison of a condition and returns the condition code that is true.
x86::CondCode recordTest(const Condition& c);

} // namespace monolith::simd
