// SPDX-License-Identifier: MIT
/// @file
/// What generated code sees of the thread that runs it. One per worker; never shared.
#pragma once

#include <cstdint>

namespace monolith::abi {

/// Bytes behind ThreadContext::scratch. Shaders that need more are not compiled.
inline constexpr uint32_t kScratchBytes = 1u << 20;

struct ThreadContext {
  uint64_t* occlusion = nullptr; ///< Samples that passed are added here (kernels with `countSamples`).
  int64_t loopBudget = 0;        ///< Instructions in loops left for the current draw; generated loops count down.
  uint32_t hung = 0;             ///< Set to 1 by generated code when the budget ran out.
  uint32_t threadIndex = 0;
  uint8_t* scratch = nullptr;    ///< Space for indexable temps that do not fit on the stack.
  uint32_t scratchSize = 0;
  uint32_t reserved = 0;
};

} // namespace monolith::abi
