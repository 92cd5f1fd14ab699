// SPDX-License-Identifier: MIT
#include "wsi/vblank_clock.h"

#include <cerrno>
#include <time.h>

namespace monolith::wsi {
namespace {
constexpr uint64_t kSecond = 1'000'000'000;

uint64_t monotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}
} // namespace

VblankClock::VblankClock(uint32_t hz, bool stepped)
    : m_periodNs(kSecond / (hz ? hz : 60)), m_stepped(stepped), m_startNs(stepped ? 0 : monotonicNs()) {}

uint64_t VblankClock::count() const {
  if (!m_stepped) return (monotonicNs() - m_startNs) / m_periodNs;
  std::lock_guard lock(m_mutex);
  return m_steps;
}

uint64_t VblankClock::timeOf(uint64_t vblank) const { return m_startNs + vblank * m_periodNs; }

void VblankClock::waitFor(uint64_t vblank) {
  if (m_stepped) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_steps >= vblank; });
    return;
  }
  const uint64_t at = timeOf(vblank);
  const timespec until = {static_cast<time_t>(at / kSecond), static_cast<long>(at % kSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

void VblankClock::step(uint64_t vblanks) {
  {
    std::lock_guard lock(m_mutex);
    m_steps += vblanks;
  }
  m_changed.notify_all();
}

} // namespace monolith::wsi
