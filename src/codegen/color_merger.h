// SPDX-License-Identifier: MIT
/// @file
/// Recorded colour output of eight pixels: blending, logic operations, write masks, packing. Twin: output_reference.h.
///
/// Targets of 8-bit UNORM channels blend in codes (0 to 255), which saves the divisions of reading and most of the
/// scaling of writing; all others blend shader values.
#pragma once

#include "codegen/texel.h"
#include "state/pipeline_state.h"

namespace monolith::codegen {

/// True if the target's old contents take part in blending or logic operations.
bool readsTarget(const state::TargetBlend& blend, formats::Format format);

/// True if a factor is the blend factor of the context.
bool usesBlendFactor(const state::TargetBlend& blend);

/// True if the write mask leaves some of the format's channels alone.
bool hasPartialWriteMask(const state::TargetBlend& blend, formats::Format format);

class ColorMerger {
public:
  ColorMerger(const state::TargetBlend& blend, formats::Format format);

  /// Everything that does not depend on the target's old contents. `src1` channels may be unset (then 0).
  /// `factor`: blend factor, not clamped; only looked at if usesBlendFactor().
  void prepare(const Channels& src, const Channels& src1, const simd::Float factor[4]);

  /// The words to store. `old` is only looked at if readsTarget() or hasPartialWriteMask().
  TexelWords merge(const TexelWords& old) const;

private:
  simd::Float clampIn(simd::Float v) const;
  simd::Float factorOf(state::Blend b, unsigned k, const simd::Float dest[4]) const;
  simd::Float combine(unsigned k, const simd::Float dest[4]) const;
  void prepareCode(unsigned k);
  simd::Float codeBase(unsigned k, const simd::Float unit[4]) const;
  simd::Int combineCode(unsigned k, const simd::Float codes[4], const simd::Float unit[4]) const;
  TexelWords mergeCodes(const TexelWords& old) const;
  state::BlendOp op(unsigned k) const { return k < 3 ? m_blend.op : m_blend.opAlpha; }
  state::Blend sourceFactor(unsigned k) const { return k < 3 ? m_blend.src : m_blend.srcAlpha; }
  state::Blend destFactor(unsigned k) const { return k < 3 ? m_blend.dest : m_blend.destAlpha; }

  const state::TargetBlend& m_blend;
  formats::Format m_format;
  formats::ChannelType m_range;
  bool m_blends, m_codes, m_reads;
  Channels m_plain;                       ///< source when nothing blends
  simd::Float m_src[4], m_src1[4], m_factor[4];
  simd::Float m_base[4];                  ///< codes: 0.5 plus the weighted source
  simd::Float m_destWeight[4];            ///< destination factor, if it does not depend on the target
  TexelWords m_words;                     ///< packed already, if nothing depends on the target
};

} // namespace monolith::codegen
