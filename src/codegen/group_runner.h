// SPDX-License-Identifier: MIT
/// @file
/// Runs whole thread groups of a compute kernel on the calling thread. Where threads wait for each other, every wave has a
/// stack of its own: a barrier switches to the next wave until all have come to it.
#pragma once

#include "codegen/compute_kernel.h"

#include <memory>
#include <vector>

namespace monolith::codegen {

/// One per worker. Keeps stacks and group shared memory between groups.
class GroupRunner {
public:
  GroupRunner();
  ~GroupRunner();
  GroupRunner(const GroupRunner&) = delete;
  GroupRunner& operator=(const GroupRunner&) = delete;

  /// One group; args.group, bindings, uavs and thread are set. Sets the other members. Group shared memory starts with
  /// zeros.
  void run(const ComputeRoutine& routine, abi::ComputeArgs& args);

private:
  struct Wave;
  struct Waves;
  std::unique_ptr<Waves> m_waves;
  std::vector<uint8_t> m_shared;
};

} // namespace monolith::codegen
