// SPDX-License-Identifier: MIT
/// @file
/// Writes commands into 16 KiB chunks. The hot path is inline: one bounds test and a bump. API thread only.
#pragma once

#include "commands/command_types.h"
#include "commands/commands.h"

#include <cstring>
#include <new>

namespace monolith::commands {

class Recorder {
public:
  static constexpr uint32_t kChunkBytes = 16 * 1024;
  static constexpr uint32_t kMaxCommandBytes = kChunkBytes - 64;

  virtual ~Recorder() = default;

  /// Places a command with `trailing` bytes behind it (8-byte aligned); the caller fills all members but header.
  /// Throws std::bad_alloc when no chunk can be had (the API boundary turns it into E_OUTOFMEMORY).
  template <class Command> Command* push(uint32_t trailing = 0) {
    const uint32_t bytes = (sizeof(Command) + trailing + 7u) & ~7u;
    if (static_cast<uint32_t>(m_end - m_at) < bytes) [[unlikely]]
      nextChunk(bytes);
    auto* command = reinterpret_cast<Command*>(m_at);
    m_at += bytes;
    command->header = {static_cast<uint16_t>(commandType<Command>), static_cast<uint16_t>(bytes / 8), 0};
    return command;
  }
  template <class Command, class T> static T* tail(Command* command) { return reinterpret_cast<T*>(command + 1); }

  /// CPU memory that lives until everything recorded so far plus the next command has executed (upload data). 64-byte aligned.
  virtual uint8_t* allocateUpload(uint64_t bytes) = 0;
  /// CPU memory for the time between Map and Unmap: lives until releaseMapped and everything recorded up to then has
  /// executed. 64-byte aligned, contents undefined.
  virtual uint8_t* allocateMapped(uint64_t bytes) = 0;
  virtual void releaseMapped(uint8_t* data) = 0;

protected:
  virtual void nextChunk(uint32_t bytes) = 0;
  uint8_t* m_at = nullptr;
  uint8_t* m_end = nullptr;
};

} // namespace monolith::commands
