// SPDX-License-Identifier: MIT
/// @file
/// Recording a function and owning its machine code. A Function makes itself the recording target of its
/// thread until it is finished or destroyed (they nest: a routine may be built while another one is being
/// recorded). Arguments follow the C calling convention (System V), so a Routine is called as a C function.
#pragma once

#include "simd/value.h"
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>

namespace monolith::simd {

class CodeMemory;
struct Recorder;

/// Machine code with its lifetime. Movable; frees the code on destruction. The CodeMemory must outlive it.
class Routine {
public:
  Routine() = default;
  Routine(Routine&& other) noexcept { *this = static_cast<Routine&&>(other); }
  Routine& operator=(Routine&& other) noexcept;
  ~Routine();

  explicit operator bool() const { return m_code != nullptr; }
  const void* address() const { return m_code; }
  /// Bytes of machine code and constants.
  size_t size() const { return m_size; }
  /// The code as a C function pointer: routine.as<void(*)(const Args*)>()(args).
  template <class F> F as() const { return reinterpret_cast<F>(m_code); }

private:
  friend class Function;
  CodeMemory* m_memory = nullptr;
  void* m_code = nullptr;
  size_t m_size = 0;
};

/// Executable memory. Thread-safe. Uses two mappings (one writable, one executable) where the system
/// allows it. processCodeMemory() is the usual instance.
class CodeMemory {
public:
  CodeMemory();
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;
  /// Bytes in use by living routines.
  size_t bytesUsed() const;

private:
  friend class Routine;
  friend class Function;
  struct Data;
  std::unique_ptr<Data> m_data;
};
CodeMemory& processCodeMemory();

enum class ArgumentKind : uint8_t { Word, Pointer };

/// One function being recorded.
class Function {
public:
  /// `name` appears in dumps and profiles. `returnsWord`: the function returns a 32-bit value.
  Function(std::string name, std::initializer_list<ArgumentKind> arguments, bool returnsWord = false);
  ~Function();
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  Pointer pointerArgument(int index) const;
  Word wordArgument(int index) const;

  /// Records a return. finish() adds one at the end if needed.
  void ret();
  void ret(Word value);

  /// Bytes on the stack (16 or 32 bytes aligned), living as long as the call.
  Pointer stack(uint32_t bytes, uint32_t alignment = 32);

  /// Assembles. On failure gives an empty routine and error() tells why.
  Routine finish(CodeMemory& memory = processCodeMemory());
  const std::string& error() const { return m_error; }
  /// Number of instructions recorded so far.
  size_t instructionCount() const;

  /// The function being recorded on this thread cannot be made: its finish() gives an empty routine and this error.
  static void failCurrent(const char* error);
  /// True if a function is being recorded on this thread.
  static bool recording();
  /// Bytes on the stack of the function being recorded on this thread.
  static Pointer currentStack(uint32_t bytes, uint32_t alignment = 32);

private:
  std::unique_ptr<Recorder> m_recorder;
  std::string m_error;
};

/// An argument of a recorded call.
struct Argument {
  Argument(Word w) : word(w) {}
  Argument(Long l) : isLong(true), wide(l) {}
  Argument(Pointer p) : isPointer(true), pointer(p) {}
  Argument(const void* p) : isLong(true), wide(int64_t(reinterpret_cast<intptr_t>(p))) {}
  bool isLong = false, isPointer = false;
  Word word;
  Long wide;
  Pointer pointer;
};
/// Records a call of a C function or another routine. Vectors are passed in memory (see stack()).
void call(const void* function, std::initializer_list<Argument> arguments);
void call(Long function, std::initializer_list<Argument> arguments);
/// The same for a function that returns a 32-bit value.
Word callWord(const void* function, std::initializer_list<Argument> arguments);
Word callWord(Long function, std::initializer_list<Argument> arguments);

/// Plain function pointer to address, for call().
template <class R, class... A> const void* addressOf(R (*function)(A...)) {
  return reinterpret_cast<const void*>(function);
}

} // namespace monolith::simd
