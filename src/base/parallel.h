// SPDX-License-Identifier: MIT
/// @file
/// Splitting work over whatever threads there are, without knowing them. The timeline implements it.
#pragma once

#include <cstdint>
#include <type_traits>

namespace monolith::base {

class Parallel {
public:
  virtual ~Parallel() = default;
  virtual uint32_t threadCount() const = 0;

  /// Calls body(unit, thread) once for each unit below `units`, in increasing order of start, and returns when all have
  /// returned. `worthWaking`: there is work for far more than the time that waking a thread costs (some 20 us).
  template <class Body> void run(uint32_t units, bool worthWaking, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    runUnits(units, worthWaking, [](void* user, uint32_t unit, uint32_t thread) { (*static_cast<Plain*>(user))(unit, thread); },
             const_cast<void*>(static_cast<const void*>(&body)));
  }

protected:
  using Call = void (*)(void* user, uint32_t unit, uint32_t thread);
  virtual void runUnits(uint32_t units, bool worthWaking, Call call, void* user) = 0;
};

/// Everything on the calling thread, which counts as thread 0.
class Serial final : public Parallel {
public:
  uint32_t threadCount() const override { return 1; }

protected:
  void runUnits(uint32_t units, bool, Call call, void* user) override {
    for (uint32_t u = 0; u < units; ++u)
      call(user, u, 0);
  }
};

} // namespace monolith::base
