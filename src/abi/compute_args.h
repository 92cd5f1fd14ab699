// SPDX-License-Identifier: MIT
/// @file
/// The contract between the executor and a compute kernel. One call runs a wave: eight threads of one group. A group is
/// run by codegen/group_runner.h, which also makes barriers hold.
#pragma once

#include "abi/texture_view.h"
#include "abi/thread_context.h"

namespace monolith::abi {

/// One unordered access view. Texel (x, y, z) in array layer l lies at base + l * layerPitch + z * slicePitch + y * rowPitch
/// + x * bytesPerTexel of the view's mip. Writes outside are dropped, reads outside give 0. A null view has width 0.
struct UavView {
  uint8_t* base = nullptr;
  uint32_t width = 0, height = 1, depth = 1; ///< Texels; typed and structured buffers: elements; raw: bytes.
  uint32_t layers = 1;
  uint32_t rowPitch = 0, slicePitch = 0, layerPitch = 0;
  uint32_t elementStride = 0;                ///< Structured buffers: bytes.
  uint32_t* counter = nullptr;               ///< Hidden counter; null: none.
  uint8_t format = 0;                        ///< formats::Format of typed views.
  ViewDimension dimension = ViewDimension::None;
};

struct ComputeArgs {
  const StageBindings* bindings = nullptr;
  const UavView* const* uavs = nullptr; ///< By slot, as many as the shader names; never null entries.
  uint8_t* shared = nullptr;            ///< Group shared memory, ComputeRoutine::sharedBytes of it.
  ThreadContext* thread = nullptr;
  void (*barrier)(void* context) = nullptr; ///< Returns when all threads of the group have come to the barrier.
  void* barrierContext = nullptr;
  const void* routine = nullptr;        ///< The codegen::ComputeRoutine whose entry is called.
  uint32_t group[3] = {0, 0, 0};
  uint32_t reserved = 0;
};

/// `firstThread`: flattened number within the group of the wave's first thread.
using ComputeKernel = void (*)(const ComputeArgs* args, uint32_t firstThread);

} // namespace monolith::abi
