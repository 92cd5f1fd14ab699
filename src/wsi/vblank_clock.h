// SPDX-License-Identifier: MIT
/// @file
/// The vblank clock of a virtual display: vblank n happens at start + n * period. Real time by default; a stepped
/// clock moves only when told, so that tests of present intervals do not depend on time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace monolith::wsi {

class VblankClock {
public:
  explicit VblankClock(uint32_t hz, bool stepped = false);

  uint64_t periodNs() const { return m_periodNs; }
  /// Vblanks so far; the first happens at creation and is number 0.
  uint64_t count() const;
  /// Time of vblank n in ns of the monotonic clock (stepped clocks: n * period).
  uint64_t timeOf(uint64_t vblank) const;
  /// Returns when vblank n has happened.
  void waitFor(uint64_t vblank);
  /// Stepped clocks: lets n more vblanks happen.
  void step(uint64_t vblanks);

private:
  const uint64_t m_periodNs;
  const bool m_stepped;
  const uint64_t m_startNs;
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  uint64_t m_steps = 0;
};

} // namespace monolith::wsi
