// SPDX-License-Identifier: MIT
/// @file
/// The threads that serve a timeline. There is one kind of service in two forms: take the executing role (work()), or
/// help in the parallel job that the executing thread has opened. A thread that finds neither spins for about 50 us,
/// then sleeps; waking costs the waker 10 us, so nobody wakes anybody unless the sleeper count says so.
///
/// Workers run on all processors of the process, whatever the thread that made them was bound to.
/// Thread 0 is whichever outside thread waits; 1.. are workers. The gate of the parallel job is one word: bit 31 says
/// open, the rest counts helpers inside. The opener closes it, then waits for the count to reach 0, so that a helper
/// never looks at a job that is gone: it counts itself in first and looks at the open bit of what it got second.
#pragma once

#include "base/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

namespace monolith::commands {

/// What the threads serve.
class Server {
public:
  virtual ~Server() = default;
  /// Takes the executing role if there is work and the role is free; false when there was nothing to do.
  virtual bool work(uint32_t thread) = 0;
  /// True if work() could do something.
  virtual bool hasWork() const = 0;
};

class Threads final : public base::Parallel {
public:
  Threads(Server& server, uint32_t count) : m_server(server), m_count(count ? count : 1) {}
  ~Threads() override { stop(); }
  /// False if a thread could not be made; those that were go on working.
  bool start();
  void stop();

  /// After publishing work or completing something: wakes sleepers, if there are any.
  void notify();
  bool anySleeper() const { return m_sleepers.load(std::memory_order_seq_cst) != 0; }

  /// Serves until done() holds. Outside threads only.
  template <class Done> void serveUntil(Done&& done) {
    serve(0, [](void* user) { return (*static_cast<std::remove_reference_t<Done>*>(user))(); }, &done);
  }

  uint32_t threadCount() const override { return m_count; }
  /// The thread that holds the executing role says so before it opens jobs.
  void setExecutor(uint32_t thread) { m_executor = thread; }

protected:
  void runUnits(uint32_t units, bool worthWaking, Call call, void* user) override;

private:
  using Predicate = bool (*)(void*);
  static constexpr uint32_t kOpen = 1u << 31;

  void main(uint32_t thread);
  void serve(uint32_t thread, Predicate done, void* user);
  bool help(uint32_t thread);
  void takeUnits(uint32_t thread);

  Server& m_server;
  const uint32_t m_count;
  std::vector<std::thread> m_workers;
  std::atomic<bool> m_stop{false};
  std::atomic_flag m_outsideBusy;
  uint32_t m_executor = 0;

  alignas(64) std::atomic<uint32_t> m_gate{0};
  Call m_call = nullptr;
  void* m_user = nullptr;
  uint32_t m_units = 0;
  alignas(64) std::atomic<uint32_t> m_next{0};
  alignas(64) std::atomic<uint32_t> m_sleepers{0};
  std::atomic<uint32_t> m_wakeWord{0};
};

/// Processors that the process may use, at least 1. The main thread's set counts: the calling thread may have been bound
/// to a processor of its own.
uint32_t availableProcessors();

/// Sets the floating-point mode of shader code (nearest even, denormals flushed) while it lives.
class ShaderFloatMode {
public:
  ShaderFloatMode();
  ~ShaderFloatMode();
  ShaderFloatMode(const ShaderFloatMode&) = delete;
  ShaderFloatMode& operator=(const ShaderFloatMode&) = delete;

private:
  uint32_t m_saved = 0;
};

} // namespace monolith::commands
