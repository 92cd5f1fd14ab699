// SPDX-License-Identifier: MIT
/// @file
/// Primitive setup and binning of one chunk: screen-space culling, edge equations, PrimitiveRecords, tile lists.
/// Input are clipped primitives as references into vertex packets (abi/vertex_args.h); all of a triangle's vertices
/// have valid screen positions within the guard band. SIMD setup takes 8 triangles at a time.
#pragma once

#include "tiles/scene.h"

#include <cstdint>

namespace monolith::binning {

/// Vertices of one batch: vertex i is lane i & 7 of packet i >> 3. Must stay valid until the scene has been rendered.
struct VertexBatch {
  const float* packets;
  uint32_t packetStride; ///< Bytes.
};

/// Bins of one chunk, with the arena that holds primitive records and lists.
class Binner {
public:
  /// `scene` gives the tile grid. One thread at a time.
  static std::unique_ptr<Binner> create();
  virtual ~Binner() = default;

  /// Empties the bins and starts a chunk.
  virtual void begin(const tiles::Scene& scene) = 0;
  /// Following primitives belong to this draw (kept by pointer until the scene has been rendered).
  virtual void setDraw(const tiles::DrawSetup* draw) = 0;
  /// Triangle i has vertices indices[3*i ..+2], the leading vertex first, winding as the API defines it, and
  /// SV_PrimitiveID primitiveIds[i] (null: firstPrimitiveId + i). Culls, handles FillMode::Wireframe by edges
  /// (edgeFlags: 3 bits a triangle, bit k = edge from vertex k to k+1 is drawn; null = all).
  virtual void triangles(const VertexBatch& batch, const uint32_t* indices, uint32_t count, const uint32_t* primitiveIds,
                         uint32_t firstPrimitiveId, const uint8_t* edgeFlags) = 0;
  virtual void lines(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId) = 0;
  virtual void points(const VertexBatch& batch, const uint32_t* indices, uint32_t count, uint32_t firstPrimitiveId) = 0;
  /// Bytes of arena in use: geometry/ ends the scene early when the sum passes its budget.
  virtual uint64_t memoryUsed() const = 0;
  /// False after an allocation failed: the chunk is incomplete, the draw is dropped and logged.
  virtual bool ok() const = 0;
  /// Space for vertex packets and the like, freed with the chunk. 64-byte aligned; null when out of memory.
  virtual void* allocate(uint64_t bytes) = 0;
  /// Arena allocations beyond this many bytes fail (ok() turns false). Unlimited unless set.
  virtual void setMemoryLimit(uint64_t bytes) = 0;
  virtual tiles::ChunkBins* bins() = 0;
};

} // namespace monolith::binning
