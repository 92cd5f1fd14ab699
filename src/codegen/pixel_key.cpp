// SPDX-License-Identifier: MIT
#include "codegen/pixel_key.h"

#include "abi/sample_positions.h"
#include "codegen/output_merger.h"
#include "codegen/output_reference.h"
#include "codegen/shader_analysis.h"
#include "codegen/texel.h"
#include "ir/function.h"

#include <cstring>

namespace monolith::codegen {

using formats::Format;
using state::Comparison;

namespace {

state::DepthStencilState normalise(state::DepthStencilState s, Format format, bool readOnlyDepth, bool readOnlyStencil)
{
  const formats::FormatInfo& f = formats::info(format);
  if (!f.hasDepth())
    s.depthEnable = 0;
  if (!f.hasStencil())
    s.stencilEnable = 0;
  if (readOnlyDepth)
    s.depthWrite = 0;
  if (!s.depthEnable || (s.depthFunc == Comparison::Always && !s.depthWrite) || s.depthFunc == Comparison::None) {
    s.depthEnable = s.depthWrite = 0;
    s.depthFunc = Comparison::Always;
  }
  s.depthWrite = s.depthWrite ? 1 : 0;
  s.depthEnable = s.depthEnable ? 1 : 0;
  if (readOnlyStencil)
    s.stencilWriteMask = 0;
  if (!s.stencilEnable) {
    s.stencilReadMask = s.stencilWriteMask = 0;
    s.front = s.back = state::StencilFace();
  } else {
    s.stencilEnable = 1;
    if (!s.stencilWriteMask)
      for (state::StencilFace* face : {&s.front, &s.back})
        face->fail = face->depthFail = face->pass = state::StencilOp::Keep;
  }
  return s;
}

state::TargetBlend normalise(state::TargetBlend b, Format format)
{
  b.writeMask = uint8_t(b.writeMask & presentChannels(format));
  if (!blendsWith(b, format)) {
    b.enable = 0;
    b.src = b.srcAlpha = state::Blend::One;
    b.dest = b.destAlpha = state::Blend::Zero;
    b.op = b.opAlpha = state::BlendOp::Add;
  } else {
    b.enable = 1;
  }
  if (!b.enable || !formats::info(format).isSrgb())
    b.encoded = 0;
  if (!logicWith(b, format)) {
    b.logicEnable = 0;
    b.logicOp = state::LogicOp::Noop;
  }
  return b;
}

} // namespace

bool writesStencil(const PixelDescription& d)
{
  return d.program && d.program->function && d.program->function->writesStencilRef && d.depthStencil.stencilEnable &&
         d.depth != Format::UNKNOWN;
}

bool PixelDescription::writesColor() const
{
  for (uint32_t k = 0; k < colorCount; k++)
    if (color[k] != Format::UNKNOWN)
      return true;
  return false;
}

bool PixelDescription::testsDepthStencil() const { return depth != Format::UNKNOWN; }

bool PixelDescription::writesDepthStencil() const
{
  if (!testsDepthStencil())
    return false;
  if (depthStencil.depthEnable && depthStencil.depthWrite)
    return true;
  return depthStencil.stencilEnable && depthStencil.stencilWriteMask;
}

PixelDescription describe(const PixelState& s)
{
  PixelDescription d;
  d.program = s.program;
  d.linkage = s.linkage;
  d.countSamples = s.countSamples;
  d.sampleCount = abi::samplePositions(s.sampleCount) ? s.sampleCount : 1;
  d.forcedSamples = s.forcedSampleCount != 0 && abi::samplePositions(s.forcedSampleCount);
  d.rasterSamples = d.forcedSamples ? s.forcedSampleCount : d.sampleCount;
  static const state::BlendState kDefaultBlend;
  static const state::DepthStencilState kDefaultDepth;
  const state::BlendState& blend = s.blend ? *s.blend : kDefaultBlend;
  d.depthStencil = normalise(s.depthStencil ? *s.depthStencil : kDefaultDepth, s.depth, s.readOnlyDepth, s.readOnlyStencil);
  if (d.depthStencil.depthEnable || d.depthStencil.stencilEnable)
    d.depth = s.depth;
  bool written[9] = {};
  if (s.program)
    for (const SignatureElement& e : s.program->outputs)
      if (e.system == SystemValue::Target && e.reg < 8)
        written[e.reg] = true;
  for (uint32_t k = 0; k < s.colorCount && k < 8; k++) {
    if (!written[k] || s.color[k] == Format::UNKNOWN || !canPack(s.color[k]))
      continue;
    const state::TargetBlend b = normalise(blend.targets[k], s.color[k]);
    if (!b.writeMask || (b.logicEnable && b.logicOp == state::LogicOp::Noop))
      continue;
    // Behind the encoding of the source an sRGB target is like any other of its codes.
    d.color[k] = b.encoded ? formats::toLinear(s.color[k]) : s.color[k];
    d.blend[k] = b;
    d.colorCount = k + 1;
  }
  // A coverage output turns alpha-to-coverage off (16.9.4).
  d.alphaToCoverage = blend.alphaToCoverage && written[0] && !(s.program && s.program->function && s.program->function->writesCoverage);
  // A shader whose results nobody sees need not run.
  if (s.program && !d.writesColor() && !killsPixels(*s.program) && !s.program->writesDepth && !d.alphaToCoverage &&
      !writesStencil(d))
    d.program = nullptr;
  d.smoothLines = s.smoothLines && d.program && written[0];
  if (!d.program) {
    std::memset(static_cast<void*>(&d.linkage), 255, sizeof d.linkage);
    return d;
  }
  for (uint32_t k = 0; k < d.program->resourceCount; k++)
    d.views.push_back(k < s.resources.size() ? viewKey(s.resources[k]) : ViewKey());
  for (uint32_t k = 0; k < d.program->samplerCount; k++)
    d.samplers.push_back(k < s.samplers.size() && s.samplers[k] ? *s.samplers[k] : state::SamplerState());
  return d;
}

void appendKey(const PixelDescription& d, std::vector<uint8_t>& out)
{
  const auto bytes = [&](const void* p, size_t n) {
    out.insert(out.end(), static_cast<const uint8_t*>(p), static_cast<const uint8_t*>(p) + n);
  };
  static_assert(sizeof(state::TargetBlend) == 11 && sizeof(state::DepthStencilState) == 14 && sizeof(state::SamplerState) == 10,
                "structs of bytes have no padding");
  const uint64_t id = d.program ? d.program->id : 0;
  bytes(&id, sizeof id);
  const uint8_t flags[5] = {uint8_t(d.colorCount), uint8_t(d.depth),
                            uint8_t((d.alphaToCoverage ? 1 : 0) | (d.countSamples ? 2 : 0) | (d.forcedSamples ? 4 : 0) | (d.smoothLines ? 8 : 0)), d.sampleCount,
                            d.rasterSamples};
  bytes(flags, sizeof flags);
  bytes(&d.depthStencil, sizeof d.depthStencil);
  for (uint32_t k = 0; k < d.colorCount; k++) {
    const uint8_t format = uint8_t(d.color[k]);
    bytes(&format, 1);
    bytes(&d.blend[k], sizeof d.blend[k]);
  }
  if (!d.program)
    return;
  for (const SignatureElement& e : d.program->inputs)
    if (e.reg < 32)
      bytes(d.linkage.slot[e.reg], 4);
  for (const ViewKey& v : d.views) {
    const uint8_t pair[2] = {uint8_t(v.format), uint8_t(v.dimension)};
    bytes(pair, 2);
  }
  for (const state::SamplerState& s : d.samplers)
    bytes(&s, sizeof s);
}

uint64_t hashBytes(const uint8_t* data, size_t size)
{
  // Multiply and fold 16 bytes at a time.
  const auto mix = [](uint64_t a, uint64_t b) {
    const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
    return uint64_t(p) ^ uint64_t(p >> 64);
  };
  uint64_t h = 0x9e3779b97f4a7c15ull ^ size;
  while (size) {
    uint64_t w[2] = {};
    const size_t n = size < 16 ? size : 16;
    std::memcpy(w, data, n);
    h = mix(h ^ w[0] ^ 0xa0761d6478bd642full, w[1] ^ 0xe7037ed1a0b428dbull);
    data += n;
    size -= n;
  }
  return mix(h, 0x8ebc6af09c88c6e3ull);
}

} // namespace monolith::codegen
