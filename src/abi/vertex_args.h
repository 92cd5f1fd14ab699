// SPDX-License-Identifier: MIT
/// @file
/// Calling contract of a vertex kernel. It shades `count` vertices, eight at a time, and writes *packets*:
/// structure-of-arrays records of 8 vertices, float packet[slot][8]. Slots:
///   0-3  clip-space position x y z w
///   4,5  screen position X, Y as int32 16.8 fixed point (see below)    6 viewport depth z    7 1/w
///   8..  the shader's other outputs in the order of codegen::VertexOutputs
/// Screen position: rw = 1/w; X = roundToNearestEven(fma(x * rw, scaleX, offsetX) * 256) clamped to +-2^30,
/// likewise Y; z = fma(z * rw, scaleZ, offsetZ). Clipped vertices are computed by the same formula in C++.
#pragma once

#include "abi/texture_view.h"
#include "abi/thread_context.h"

namespace monolith::abi {

inline constexpr int kPacketLanes = 8;
inline constexpr int kFirstOutputSlot = 8;

struct VertexStream {
  const uint8_t* base; ///< Never null; size 0 when unbound. Readable 64 bytes past the end.
  uint32_t size;       ///< Bytes that may be fetched; elements that end beyond give 0 in all components.
  uint32_t stride;
};

struct ViewportTransform {
  float scaleX, offsetX, scaleY, offsetY, scaleZ, offsetZ; ///< scaleY is negative (y down).
  float guardX, guardY; ///< |x| <= guardX * w keeps X within the rasterizer's range.
};

/// Vertices with a smaller w are clipped, so that 1/w stays finite.
inline constexpr float kMinClipW = 0x1p-100f;

/// Bits of a clip code. A NaN position or w sets kClipReject.
enum ClipBits : uint32_t {
  kClipLeft = 1, kClipRight = 2, kClipBottom = 4, kClipTop = 8, ///< x < -w, x > w, y < -w, y > w
  kClipNear = 16, kClipFar = 32,                                ///< z < 0, z > w
  kClipGuardLeft = 64, kClipGuardRight = 128, kClipGuardBottom = 256, kClipGuardTop = 512,
  kClipW = 1024,                                                ///< w < kMinClipW
  kClipReject = 2048,                                           ///< position or a distance is NaN
  kClipDistance0 = 1 << 16,                                     ///< bits 16-23: clip distance i < 0 or NaN
  kCullDistance0 = 1 << 24                                      ///< bits 24-31: cull distance i < 0 or NaN
};

struct VertexArgs {
  const StageBindings* bindings;
  const VertexStream* streams;      ///< By input slot.
  const uint32_t* vertexIds;        ///< SV_VertexID per vertex; array padded (repeat the last) to 8.
  const uint32_t* instanceIds;      ///< SV_InstanceID per vertex, padded likewise.
  uint32_t count;                   ///< Vertices; > 0.
  int32_t baseVertex;               ///< Added to SV_VertexID for per-vertex fetches only.
  uint32_t startInstance;           ///< Added to (instance / stepRate) for per-instance fetches only.
  uint32_t packetStride;            ///< Bytes between packets: 32 * slot count.
  float* packets;                   ///< 32-byte aligned, ceil(count/8) packets.
  uint32_t* clipCodes;              ///< One per vertex, padded to 8.
  const ViewportTransform* viewport; ///< 16 of them if the shader writes SV_ViewportArrayIndex.
  ThreadContext* thread;
  const void* routine;              ///< The codegen::VertexRoutine that is called.
};

using VertexKernel = void (*)(const VertexArgs*);

} // namespace monolith::abi
