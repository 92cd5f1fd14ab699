// SPDX-License-Identifier: MIT
/// @file
/// The recording of a pixel kernel, step by step. Internal to codegen/.
#pragma once

#include "codegen/color_merger.h"
#include "codegen/interpolation.h"
#include "codegen/output_merger.h"
#include "codegen/pixel_kernel.h"
#include "codegen/pixel_key.h"
#include "codegen/shader_emitter.h"
#include "codegen/shader_host.h"
#include "simd/simd.h"

#include <memory>
#include <optional>

namespace monolith::codegen {

/// The pixels of a surface that the current step works on; moves with the steps.
class SurfaceCursor {
public:
  SurfaceCursor(simd::Pointer surface, simd::Word x, simd::Word y, unsigned bytesPerPixel);
  PixelAddress address(LaneOrder order) const;
  void nextRows(unsigned rows, unsigned pixelsBack);
  void nextPixels(unsigned pixels);
  /// Address of row `row` of the block without moving.
  PixelAddress row(unsigned row) const;

private:
  unsigned m_bytes;
  simd::Long m_pitch;
  simd::Var<simd::Pointer> m_at;
};

class PixelRecorder final : public ShaderHost {
public:
  PixelRecorder(const PixelDescription& description, DepthOrder order);
  simd::Routine record();

  simd::Int input(uint32_t reg, uint32_t component) override;
  simd::Int system(uint32_t value, uint32_t component) override;
  void output(uint32_t reg, uint32_t component, simd::Int value) override;
  void outputMasked(uint32_t reg, uint32_t component, simd::Int value, simd::Mask exec) override;
  void outputDepth(simd::Float value) override;
  void discard(simd::Mask lanes) override;
  simd::Pointer bindings() override;
  simd::Pointer thread() override { return m_thread; }
  void resource(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands,
                simd::Int* results, simd::Mask exec) override;
  void effect(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands, simd::Int* results,
              simd::Mask exec) override;

private:
  /// The lanes of a step. `full`: known while recording that all are covered.
  struct Cover {
    simd::Mask mask;
    bool full = false;
  };

  void recordBlocks();
  void recordBlock();
  void recordUnrolledRows();
  void recordRolledRows();
  void recordQuads();
  void recordCovered(const Cover& cover, const PixelAddress* at);
  void recordStep(const Cover& cover, const PixelAddress* at);
  void stepAddresses(PixelAddress* out) const;
  void runShader(simd::Mask active);
  void storeDepth(const DepthTest& test, const Cover& cover, const simd::Mask& live, bool liveIsFull, const PixelAddress& at);
  DepthTest testDepth(simd::Float z, const TexelWords& old);
  void prepareColors();
  void storeColors(const simd::Mask& live, bool liveIsFull, const PixelAddress* at);
  simd::Float pixelDepth();
  simd::Float clampedDepth(simd::Float z);
  simd::Float blendFactor(unsigned channel);
  simd::Mask alphaCovers(simd::Float threshold);
  simd::Float alphaThreshold(simd::Word sample);
  // Multisampling (pixel_samples.cpp).
  bool multisampled() const { return m_d.sampleCount > 1; }
  /// The rasterizer gives sample masks.
  bool rasterSampled() const { return m_d.rasterSamples > 1; }
  void beginSamples();
  void recordSampleStep(const Cover& cover, const PixelAddress* at);
  void recordSampleFrequency(const PixelAddress* at);
  simd::Mask rasterLanes(simd::Word sample);
  simd::Mask sampleLanes(simd::Word sample);
  simd::Word sampleEnabled(simd::Word sample);
  void storeHelperCentroid();
  void placeCentroid();
  void evaluate(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands, simd::Int* results);
  Interpolator::Weights evaluationPlace(const ir::Function& function, const ir::Instruction& instruction, const simd::Int* operands);
  void countCovered(const simd::Mask& lanes);
  void sampleAddresses(simd::Word sample, const PixelAddress* at, PixelAddress* out);
  simd::Float sampleDepth(simd::Float centre, simd::Word sample);
  simd::Int inputCoverage();
  simd::Word stepBits(simd::Pointer masks) const;
  simd::Int innerCoverage();
  bool countsSteps() const { return rasterSampled() || m_readsInner; }
  void countLive(const simd::Mask& live, bool full);
  unsigned bytesOf(unsigned surface) const;
  bool isUsed(unsigned surface) const;

  static constexpr unsigned kDepthSurface = 8;

  const PixelDescription& m_d;
  DepthOrder m_order;
  LaneOrder m_lanes = LaneOrder::Row;
  bool m_kills = false;   ///< The shader may drop pixels.
  bool m_outputsInFlow = false;
  bool m_readsInner = false;
  bool m_uniform = false; ///< The shader's outputs are the same for all pixels of a primitive.

  simd::Pointer m_args, m_draw, m_primitive, m_thread;
  std::unique_ptr<Interpolator> m_interpolation;
  std::unique_ptr<ShaderEmitter> m_shader;
  std::unique_ptr<SurfaceCursor> m_cursor[9];
  std::optional<simd::Var<simd::Pointer>> m_block;
  std::optional<simd::Var<simd::Word>> m_count;
  simd::Long m_blockMask;
  simd::Word m_blockX, m_blockY;

  // Multisampling: where the block's sample masks are, and which part of them the step is.
  simd::Pointer m_depthDeltas, m_liveMasks, m_helperCentroid;
  std::optional<simd::Var<simd::Pointer>> m_sampleMasks, m_innerMasks;
  std::optional<simd::Var<simd::Word>> m_stepByte, m_stepShift;
  std::optional<simd::Var<simd::Int>> m_coverageOutput;
  simd::Word m_sampleIndex{0};
  bool m_perSample = false;
  simd::Mask m_covered; ///< lanes of the present step with any sample
  /// The last evaluation at a place that the shader names; the operations behind it in the same stretch of code share it.
  const ir::Instruction* m_evaluated = nullptr;
  Interpolator::Weights m_evaluatedAt;

  // The step that is being recorded.
  simd::Float m_depthOffset;
  simd::Float m_z;
  std::optional<simd::Var<simd::Mask>> m_killed;
  Channels m_outputs[8];
  simd::Float m_depthOutput;
  /// Set if outputs are stored inside control flow.
  std::optional<simd::Var<simd::Int>> m_outputVars[8][4];
  std::optional<simd::Var<simd::Float>> m_depthVar;
  std::optional<simd::Var<simd::Int>> m_stencilRef; ///< Set if the shader writes it.
  std::optional<ColorMerger> m_merger[8];
};

} // namespace monolith::codegen
