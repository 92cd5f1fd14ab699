// SPDX-License-Identifier: MIT
#include "codegen/pixel_kernel.h"

#include "codegen/color_merger.h"
#include "codegen/pixel_recorder.h"
#include "codegen/shader_analysis.h"

namespace monolith::codegen {

DepthOrder depthOrder(const PixelDescription& d)
{
  if (!d.testsDepthStencil())
    return DepthOrder::None;
  if (!d.program || d.program->forceEarlyDepth)
    return DepthOrder::Early;
  if (d.program->writesDepth || writesStencil(d))
    return DepthOrder::Late;
  const bool kills = killsPixels(*d.program) || d.alphaToCoverage;
  if (!kills)
    return DepthOrder::Early;
  // A dropped pixel must not run the stencil operation of a failed test.
  const bool stencilWrites = d.depthStencil.stencilEnable && d.depthStencil.stencilWriteMask;
  return stencilWrites ? DepthOrder::Late : d.writesDepthStencil() ? DepthOrder::EarlyTestLateStore : DepthOrder::Early;
}

PixelTraits traitsOf(const PixelDescription& d)
{
  PixelTraits t;
  const DepthOrder order = depthOrder(d);
  t.earlyDepth = order == DepthOrder::Early || order == DepthOrder::EarlyTestLateStore;
  t.writesDepth = d.writesDepthStencil();
  t.quads = d.program && analyseShader(*d.program->function).needsQuads;
  t.noEffect = !d.writesColor() && !t.writesDepth && !d.countSamples;
  t.readsInnerCoverage = d.program && analyseShader(*d.program->function).readsInnerCoverage;
  t.opaqueFullCover = d.program && !killsPixels(*d.program) && !d.alphaToCoverage && !d.smoothLines;
  for (uint32_t k = 0; k < d.colorCount; k++) {
    if (d.color[k] == formats::Format::UNKNOWN)
      continue;
    if (readsTarget(d.blend[k], d.color[k]) || hasPartialWriteMask(d.blend[k], d.color[k]))
      t.readsColor = true;
  }
  if (t.readsColor || !d.writesColor())
    t.opaqueFullCover = false;
  return t;
}

simd::Routine recordPixelKernel(const PixelDescription& d)
{
  PixelRecorder recorder(d, depthOrder(d));
  return recorder.record();
}

} // namespace monolith::codegen
