// SPDX-License-Identifier: MIT
/// @file
/// Reuse of registers while recording. Optional: without it each result has a register of its own, which is right but
/// makes register allocation of long functions slow (its time grows with the number of registers).
#pragma once

#include "simd/value.h"
#include <cstddef>

namespace monolith::simd {

/// While it lives, vector registers handed out are remembered; when it ends, all but the kept ones may be handed out
/// again. So no other value made inside may be used afterwards. Do not keep copies in caches.
class Temporaries {
public:
  Temporaries();
  ~Temporaries();
  Temporaries(const Temporaries&) = delete;
  Temporaries& operator=(const Temporaries&) = delete;
  /// The value stays valid behind the scope. False if it was not made inside (and stays valid anyway).
  bool keep(VectorValue value);

private:
  size_t m_first;
};

/// The register of a kept value may be handed out again: the value is not used any more, on no path.
void giveBack(VectorValue value);

} // namespace monolith::simd
