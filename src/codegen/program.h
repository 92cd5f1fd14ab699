// SPDX-License-Identifier: MIT
/// @file
/// A shader as the executor holds it: IR plus what linking needs. Immutable, shared by all devices' caches.
#pragma once

#include "resources/resource.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace monolith::ir {
class Function;
}

namespace monolith::codegen {

enum class Stage : uint8_t { Pixel = 0, Vertex = 1 };

/// System values that fixed function reads or writes (numbers as in dxbc/tokens.h Sysval).
enum class SystemValue : uint8_t { None = 0, Position = 1, ClipDistance = 2, CullDistance = 3, RenderTargetIndex = 4,
  ViewportIndex = 5, VertexId = 6, PrimitiveId = 7, InstanceId = 8, IsFrontFace = 9, SampleIndex = 10,
  Target = 64, Depth = 65, Coverage = 66, DepthGreaterEqual = 67, DepthLessEqual = 68, StencilRef = 69 };

enum class Interpolation : uint8_t { Undefined = 0, Constant, Linear, LinearCentroid, LinearNoPerspective,
  LinearNoPerspectiveCentroid, LinearSample, LinearNoPerspectiveSample };

struct SignatureElement {
  std::string semantic;      ///< Upper-case compare.
  uint32_t semanticIndex = 0;
  uint8_t reg = 0, mask = 0; ///< Register and component mask (bits xyzw = 1 2 4 8).
  uint8_t usedMask = 0;      ///< Inputs: components read. Outputs: components possibly written.
  SystemValue system = SystemValue::None;
  Interpolation interpolation = Interpolation::Undefined; ///< Pixel inputs.
  uint8_t componentType = 3; ///< 1 uint, 2 sint, 3 float
};

class Program : public resources::Retirable {
public:
  uint64_t id = 0;                         ///< Unique per process; part of cache keys.
  Stage stage = Stage::Vertex;
  std::unique_ptr<ir::Function> function;
  std::vector<SignatureElement> inputs, outputs;
  uint32_t constantBufferCount = 0;        ///< Highest used slot + 1.
  uint32_t resourceCount = 0, samplerCount = 0;
  bool usesDiscard = false, writesDepth = false, forceEarlyDepth = false;
  ~Program() override;
};

/// Packet slots of a vertex shader's outputs (abi/vertex_args.h): slot of register r component c, 255 = not written.
struct VertexOutputs {
  uint8_t slot[32][4];
  uint8_t clipDistanceSlot[8], cullDistanceSlot[8]; ///< In order; 255 = none.
  uint8_t clipDistances = 0, cullDistances = 0;
  uint8_t slotCount = 8;
  uint8_t targetIndexSlot = 255, viewportIndexSlot = 255; ///< SV_RenderTargetArrayIndex, SV_ViewportArrayIndex.
};
/// In signature order, components x to w of each element's mask.
VertexOutputs layoutOutputs(const Program& vertex);

/// For each pixel shader input register component the packet slot, 255 = not provided (reads give 0).
/// Matches by semantic name (case-insensitive) and index as the runtime does.
struct PixelLinkage {
  uint8_t slot[32][4];
};
PixelLinkage link(const Program& vertex, const VertexOutputs& outputs, const Program& pixel);

} // namespace monolith::codegen
