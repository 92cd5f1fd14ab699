// SPDX-License-Identifier: MIT
/// @file
/// The executor's door to run-time generated code: states in, machine code out. Keys are made inside
/// (codegen/vertex_key.h, pixel_key.h), looked up, compiled on the spot when first needed, LRU-bounded by code size.
#pragma once

#include "abi/pixel_args.h"
#include "abi/vertex_args.h"
#include "codegen/program.h"
#include "state/pipeline_state.h"

#include <memory>
#include <span>

namespace monolith::codegen {

struct VertexState {
  const Program* program;
  const VertexOutputs* outputs;
  std::span<const state::InputElement> elements;
  bool viewportTransform = true; ///< False when no rasterization follows (slots 4-7 stay undefined).
  std::span<const abi::TextureView* const> resources; ///< By slot; formats and dimensions go into the key.
  std::span<const state::SamplerState* const> samplers;
};

struct PixelState {
  const Program* program;               ///< Null: no pixel shader (depth and stencil only).
  PixelLinkage linkage;
  const state::BlendState* blend;
  const state::DepthStencilState* depthStencil;
  formats::Format color[8];             ///< Unknown = slot unbound.
  uint32_t colorCount = 0;
  formats::Format depth{};              ///< Unknown = none bound.
  bool readOnlyDepth = false, readOnlyStencil = false;
  std::span<const abi::TextureView* const> resources; ///< By slot; formats and dimensions go into the key.
  std::span<const state::SamplerState* const> samplers;
  bool countSamples = false;            ///< An occlusion query is active.
  uint8_t sampleCount = 1;              ///< Samples of the bound targets.
  uint8_t forcedSampleCount = 0;        ///< Of the rasterizer state (3.5.6); 0: not forced.
  bool smoothLines = false;             ///< Primitives are alpha-antialiased lines: their coverage scales o0.a (3.4.4).
};

/// Machine code for one key, or a stand-in that interprets the shader. Valid as long as the caller holds the Ref. Callers
/// put the routine's address into the `routine` member of the kernel's arguments.
struct VertexRoutine {
  virtual ~VertexRoutine() = default;
  abi::VertexKernel entry = nullptr;
};
struct PixelRoutine {
  virtual ~PixelRoutine() = default;
  abi::PixelKernel entry = nullptr;
  bool earlyDepth = false;   ///< Depth and stencil are tested before the shader.
  bool writesDepth = false;  ///< Depth-stencil memory may change.
  bool readsColor = false;   ///< Old colour values matter (blending, partial masks).
  bool opaqueFullCover = false; ///< A fully covered pixel that passes has all its colour bytes replaced.
  bool quads = false;        ///< Works on 2x2 quads: blocks must begin at even pixels.
  bool noEffect = false;     ///< Nothing can be written or counted: the draw may be skipped.
  bool readsInnerCoverage = false; ///< PixelArgs::innerMasks is looked at.
};

/// One per device. Thread-safe. Failure to generate (out of memory) gives null; the caller skips the draw and logs.
class Routines {
public:
  /// `interpret`: shaders run in the interpreter of ir/ and everything round them in the scalar twins; so they do, too,
  /// where generated code cannot run (base::hasAvx2()).
  static std::unique_ptr<Routines> create(uint64_t maxCodeBytes, bool interpret = false);
  virtual ~Routines() = default;
  virtual std::shared_ptr<const VertexRoutine> vertex(const VertexState& state) = 0;
  virtual std::shared_ptr<const PixelRoutine> pixel(const PixelState& state) = 0;
};

} // namespace monolith::codegen
