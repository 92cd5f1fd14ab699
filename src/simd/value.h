// SPDX-License-Identifier: MIT
/// @file
/// Values of the embedded SIMD language. A value is a small handle (a register number or a constant) of the
/// function being recorded on this thread; copying a handle records nothing. Operations on values, declared
/// in the *_ops.h headers, record instructions. Values are immutable: what changes inside recorded control
/// flow is a Var<T>. Two times must be told apart: plain C++ `if` and `for` run while recording, `If` and
/// `While` (control_flow.h) are recorded.
#pragma once

#include "simd/lanes.h"
#include <array>
#include <cstdint>

namespace monolith::simd {

/// Number of a register of the function being recorded, or of a pooled constant.
using Id = uint32_t;
inline constexpr Id kNoId = ~0u;
inline constexpr Id kConstantBit = 0x80000000u;

/// Common part of the values that live in vector registers.
struct VectorValue {
  Id id = kNoId;
  bool valid() const { return id != kNoId; }
  /// True if this is a pooled constant (used directly as a memory operand).
  bool isConstant() const { return valid() && (id & kConstantBit); }
};

struct Int;
struct Mask;

/// kLanes 32-bit floats.
struct Float : VectorValue {
  Float() = default;
  /// A constant, the same in all lanes.
  Float(float splat);
  explicit Float(const std::array<float, kLanes>& lanes);
  static Float fromId(Id id) { Float r; r.id = id; return r; }
};

/// kLanes 32-bit integers (signed or unsigned by operation), also raw 256 bits for packed 8- and 16-bit work.
struct Int : VectorValue {
  Int() = default;
  Int(int32_t splat);
  Int(uint32_t splat) : Int(int32_t(splat)) {}
  explicit Int(const std::array<int32_t, kLanes>& lanes);
  static Int fromId(Id id) { Int r; r.id = id; return r; }
};

/// kLanes words that are all ones (true) or all zero (false).
struct Mask : VectorValue {
  Mask() = default;
  explicit Mask(bool splat);
  explicit Mask(const std::array<bool, kLanes>& lanes);
  static Mask fromId(Id id) { Mask r; r.id = id; return r; }
};

/// Raw 128 bits: the narrow side of format conversions (8 halves, 8 shorts, 16 bytes, 4 words).
struct Int4 : VectorValue {
  Int4() = default;
  static Int4 fromId(Id id) { Int4 r; r.id = id; return r; }
};

/// kLanes doubles in two registers. The order inside is private (see double_ops.h).
struct Double {
  Id low = kNoId, high = kNoId;
  Double() = default;
  Double(double splat);
};

/// A 32-bit scalar in a general register, or an immediate (operations on immediates fold while recording).
struct Word {
  Id id = kNoId;
  int32_t immediate = 0;
  Word() = default;
  Word(int32_t value) : immediate(value) {}
  Word(uint32_t value) : immediate(int32_t(value)) {}
  bool isImmediate() const { return id == kNoId; }
  static Word fromId(Id id) { Word r; r.id = id; return r; }
};

/// A 64-bit scalar in a general register, or an immediate.
struct Long {
  Id id = kNoId;
  int64_t immediate = 0;
  Long() = default;
  Long(int64_t value) : immediate(value) {}
  bool isImmediate() const { return id == kNoId; }
  static Long fromId(Id id) { Long r; r.id = id; return r; }
};

/// An address: base + index * (1 << shift) + offset. Adding constants records nothing.
struct Pointer {
  enum class Base : uint8_t { Register, Stack, Constants };
  Id base = kNoId;
  Id index = kNoId;
  int32_t offset = 0;
  uint8_t shift = 0;
  Base kind = Base::Register;
  static Pointer fromId(Id id) { Pointer r; r.base = id; return r; }
};

/// A recorded scalar truth, used at once by If, While, jumpIf or select (it lives in the flags).
struct Condition {
  enum class Kind : uint8_t {
    Constant, WordEqual, WordLess, WordLessEqual, WordBelow, WordBelowEqual, WordTest,
    LongEqual, LongLess, LongBelow, LongBelowEqual, AnyLane, AllLanes, Negative,
  };
  Kind kind = Kind::Constant;
  bool constant = false;
  bool negated = false;
  Word a, b;
  Long la, lb;
  Id vector = kNoId;
};

/// Register copies used by Var; other code never needs them.
Float newRegisterLike(Float), copyOf(Float);
Int newRegisterLike(Int), copyOf(Int);
Mask newRegisterLike(Mask), copyOf(Mask);
Int4 newRegisterLike(Int4), copyOf(Int4);
Double newRegisterLike(Double), copyOf(Double);
Word newRegisterLike(Word), copyOf(Word);
Long newRegisterLike(Long), copyOf(Long);
Pointer newRegisterLike(Pointer), copyOf(Pointer);
void assignRegister(Float reg, Float value);
void assignRegister(Int reg, Int value);
void assignRegister(Mask reg, Mask value);
void assignRegister(Int4 reg, Int4 value);
void assignRegister(Double reg, Double value);
void assignRegister(Word reg, Word value);
void assignRegister(Long reg, Long value);
void assignRegister(Pointer reg, Pointer value);

/// A mutable variable: assignable inside recorded control flow.
template <class T> class Var {
public:
  explicit Var(T initial) : m_register(newRegisterLike(T())) { assignRegister(m_register, initial); }
  Var(const Var&) = delete;
  Var& operator=(const Var& other) { assignRegister(m_register, other.m_register); return *this; }
  Var& operator=(T value) { assignRegister(m_register, value); return *this; }
  /// The value now; stays the same when the variable changes later.
  T get() const { return copyOf(m_register); }
  operator T() const { return get(); }
  /// The variable's own register: no copy, but only to be used before the next assignment.
  T peek() const { return m_register; }

private:
  T m_register;
};

} // namespace monolith::simd
