// SPDX-License-Identifier: MIT
/// @file
/// One device, one timeline: commands recorded on the API thread execute in order, by whoever has time: a worker
/// or the waiting API thread. Serial n is complete when everything published by the n-th flush has executed.
#pragma once

#include "codegen/routines.h"
#include "commands/commands.h"

#include <memory>

namespace monolith::commands {

struct TimelineOptions {
  uint32_t threads = 0;               ///< 0 = MONOLITH_THREADS or the number of CPUs; 1 = all on the waiting thread.
  uint64_t memoryBudget = 64u << 20;  ///< Chunks, arenas, bins; a scene that would exceed it runs early.
  uint64_t codeBudget = 32u << 20;
  bool executeNothing = false;        ///< NULL driver type: draws, clears and copies are skipped.
  bool interpretShaders = false;      ///< REFERENCE driver type.
  double hangSeconds = 2.0;           ///< Per draw; 0 = never.
};

class Recorder; // recorder.h

class Timeline {
public:
  static std::unique_ptr<Timeline> create(const TimelineOptions& options); ///< Null when out of memory.
  virtual ~Timeline() = default;                                          ///< Waits for everything, destroys retirees.

  /// The stream of the immediate context. API thread (or under the context lock).
  virtual Recorder& recorder() = 0;
  /// Publishes everything recorded so far; returns its serial. Wakes a worker at most once; never waits.
  virtual uint64_t flush() = 0;
  /// The serial that a flush now would return. Recording may flush by itself, so ask after the command in question.
  virtual uint64_t recordingSerial() const = 0;
  virtual uint64_t completedSerial() const = 0;
  /// Returns when `serial` is complete; executes commands meanwhile. Publishes first if it is not yet published.
  virtual void wait(uint64_t serial) = 0;
  /// Destroys `object` once everything recorded so far has executed. Any thread.
  virtual void retire(std::shared_ptr<void> object) = 0;
  /// True after a shader exceeded its time: the device is removed (DXGI_ERROR_DEVICE_HUNG).
  virtual bool hung() const = 0;
  virtual uint32_t threadCount() const = 0;
  virtual codegen::Routines* routines() = 0;
};

} // namespace monolith::commands
