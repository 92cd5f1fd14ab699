// SPDX-License-Identifier: MIT
#include "commands/threads.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace monolith::commands {
namespace {

constexpr int64_t kSpinNanoseconds = 50'000;

void pauseCpu() {
#if defined(__SSE2__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void futexWait(std::atomic<uint32_t>& word, uint32_t expected) {
  const timespec limit = {0, 100'000'000};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected, &limit, nullptr, 0);
}

void futexWakeAll(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

} // namespace

uint32_t availableProcessors() {
  cpu_set_t set;
  if (sched_getaffinity(getpid(), sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return uint32_t(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

ShaderFloatMode::ShaderFloatMode() {
#if defined(__SSE2__)
  m_saved = _mm_getcsr();
  _mm_setcsr(0x9FC0u);
#endif
}

ShaderFloatMode::~ShaderFloatMode() {
#if defined(__SSE2__)
  _mm_setcsr(m_saved);
#endif
}

bool Threads::start() {
  try {
    for (uint32_t t = 1; t < m_count; ++t)
      m_workers.emplace_back([this, t] { main(t); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Threads::stop() {
  m_stop.store(true, std::memory_order_seq_cst);
  notify();
  for (std::thread& t : m_workers)
    t.join();
  m_workers.clear();
}

void Threads::notify() {
  if (m_sleepers.load(std::memory_order_seq_cst) == 0)
    return;
  m_wakeWord.fetch_add(1, std::memory_order_seq_cst);
  futexWakeAll(m_wakeWord);
}

void Threads::main(uint32_t thread) {
  // A new thread inherits its maker's processors. Bound to one together with it, it would never help.
  cpu_set_t set;
  if (sched_getaffinity(getpid(), sizeof set, &set) == 0)
    sched_setaffinity(0, sizeof set, &set);
  const ShaderFloatMode mode;
  serve(thread, [](void* self) { return static_cast<Threads*>(self)->m_stop.load(std::memory_order_relaxed); }, this);
}

void Threads::serve(uint32_t thread, Predicate done, void* user) {
  // A second outside thread only waits: thread 0's context is taken.
  const bool serving = thread != 0 || !m_outsideBusy.test_and_set(std::memory_order_acquire);
  const ShaderFloatMode mode;
  int64_t idleSince = 0;
  for (uint32_t spins = 0; !done(user);) {
    if (serving && (m_server.work(thread) || help(thread))) {
      idleSince = 0;
      continue;
    }
    pauseCpu();
    if (++spins & 31)
      continue;
    const int64_t t = now();
    if (idleSince == 0)
      idleSince = t;
    if (t - idleSince < kSpinNanoseconds)
      continue;
    // Order matters: count in, then look once more, then sleep unless somebody has woken us since reading the word.
    const uint32_t word = m_wakeWord.load(std::memory_order_seq_cst);
    m_sleepers.fetch_add(1, std::memory_order_seq_cst);
    const bool busy = serving && (m_server.hasWork() || (m_gate.load(std::memory_order_seq_cst) & kOpen));
    if (!busy && !done(user) && !m_stop.load(std::memory_order_seq_cst))
      futexWait(m_wakeWord, word);
    m_sleepers.fetch_sub(1, std::memory_order_seq_cst);
    idleSince = 0;
  }
  if (serving && thread == 0)
    m_outsideBusy.clear(std::memory_order_release);
}

bool Threads::help(uint32_t thread) {
  if (!(m_gate.load(std::memory_order_relaxed) & kOpen))
    return false;
  const bool open = m_gate.fetch_add(1, std::memory_order_acquire) & kOpen;
  if (open)
    takeUnits(thread);
  m_gate.fetch_sub(1, std::memory_order_release);
  return open;
}

void Threads::takeUnits(uint32_t thread) {
  for (;;) {
    if (m_next.load(std::memory_order_relaxed) >= m_units)
      return;
    const uint32_t unit = m_next.fetch_add(1, std::memory_order_relaxed);
    if (unit >= m_units)
      return;
    m_call(m_user, unit, thread);
  }
}

void Threads::runUnits(uint32_t units, bool worthWaking, Call call, void* user) {
  if (m_count == 1 || units <= 1) {
    for (uint32_t u = 0; u < units; ++u)
      call(user, u, m_executor);
    return;
  }
  m_call = call;
  m_user = user;
  m_units = units;
  m_next.store(0, std::memory_order_relaxed);
  m_gate.fetch_or(kOpen, std::memory_order_seq_cst);
  if (worthWaking)
    notify();
  takeUnits(m_executor);
  m_gate.fetch_and(~kOpen, std::memory_order_relaxed);
  for (uint32_t spins = 0; m_gate.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < 2000)
      pauseCpu();
    else
      std::this_thread::yield(); // a helper lost its processor
  }
}

} // namespace monolith::commands
