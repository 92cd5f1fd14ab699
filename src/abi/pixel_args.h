// SPDX-License-Identifier: MIT
/// @file
/// Calling contract of a pixel kernel: it takes the covered 8x8 blocks of one primitive through interpolation,
/// early depth, shading, late depth, blending and stores. The caller owns the tile that holds the blocks, so
/// that a kernel may load, blend and store all 64 pixels of a block whatever the mask says (render targets are
/// padded to whole 8x8 blocks in memory).
#pragma once

#include "abi/texture_view.h"
#include "abi/thread_context.h"

namespace monolith::abi {

/// A block of 8x8 pixels with at least one covered pixel. Bit y*8+x of `mask` is pixel (x, y) of the block. Blocks lie
/// within one tile and within the padded target, but may begin anywhere there; for kernels that work on quads at even pixels.
struct Block {
  uint64_t mask;
  uint16_t x, y; ///< Top-left pixel in the render target.
  uint32_t reserved;
};

enum PrimitiveFlags : uint32_t {
  kFrontFacing = 1,
};

/// What a kernel needs to know of one primitive. With px, py = pixel centre minus (x0, y0):
///   l1 = l1dx*px + l1dy*py, l2 = l2dx*px + l2dy*py  are the screen-linear weights of vertices 1 and 2
///   z  = z0 + dzdx*px + dzdy*py (depth bias included; clamp to the viewport's depth range in the kernel)
///   rw = rw0 + l1*(rw1-rw0) + l2*(rw2-rw0)          is 1/w
///   perspective weights p1 = l1*rw1/rw, p2 = l2*rw2/rw; attribute = a0 + p1*(a1-a0) + p2*(a2-a0)
/// Constant interpolation takes `flat`, the leading vertex: vertex 0, except for the edges of a wireframe triangle.
/// Lines have l2 = 0, points l1 = l2 = 0; unused entries of v repeat vertex 0. Alpha-antialiased lines have the distance
/// from the line, in pixels, in l2, and their l1 counts as 0 to 1 beyond the ends.
struct PrimitiveRecord {
  float x0, y0;
  float l1dx, l1dy, l2dx, l2dy;
  float z0, dzdx, dzdy;
  float rw0, rw1, rw2;
  const float* v[3];       ///< Packet slot 0 of the vertex's own lane: slot s is v[i][s * 8].
  const float* flat;       ///< Vertex (as in v) of constant attributes.
  uint32_t flags;          ///< PrimitiveFlags.
  uint32_t primitiveId;    ///< SV_PrimitiveID.
  float minDepth, maxDepth; ///< Viewport's depth range.
};

/// One bound colour or depth-stencil surface: sample s of pixel (x, y) lies at
/// base + s*samplePitch + y*rowPitch + x*bytesPerPixel.
struct Surface {
  uint8_t* base = nullptr;
  uint32_t rowPitch = 0;
  uint32_t samplePitch = 0; ///< 0 for one sample.
};

/// Constant for all primitives of a draw.
struct DrawContext {
  StageBindings pixel;
  Surface color[8];
  Surface depth;            ///< Depth and stencil share one interleaved surface (D24S8, D32S8X24).
  float blendFactor[4];
  uint32_t stencilRef;
  uint32_t sampleMask;
  uint32_t width, height;   ///< Of the render targets.
  uint32_t sampleCount;     ///< Of rasterization: 1, 2, 4, 8, 16 (0 counts as 1). See abi/sample_positions.h.
  uint32_t centredSamples;  ///< 1: D3D11_CENTER_MULTISAMPLE_PATTERN.
};

struct PixelArgs {
  const DrawContext* draw;
  const PrimitiveRecord* primitive;
  const Block* blocks;
  uint32_t blockCount;      ///< > 0
  uint32_t reserved;
  ThreadContext* thread;
  /// sampleCount > 1: bit y*8+x of sampleMasks[i*sampleCount + s] tells whether sample s of that pixel of block i is
  /// covered; a block's `mask` is the union. Depth at a sample: z at the centre + dzdx*sx + dzdy*sy. Null for one sample.
  const uint64_t* sampleMasks;
  /// The codegen::PixelRoutine that is called (kernels that are not generated code find their state there).
  const void* routine;
  /// For shaders that read SV_InnerCoverage: for each block, the pixels that lie wholly inside the primitive.
  const uint64_t* innerMasks;
};

using PixelKernel = void (*)(const PixelArgs*);

} // namespace monolith::abi
