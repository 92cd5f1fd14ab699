// SPDX-License-Identifier: MIT
#include "d3d11/normalize.h"

#include "base/raw_enum.h"

#include <cfloat>
#include <cstddef>
#include <cmath>
#include <cstring>

namespace monolith::d3d11 {

namespace {

template <typename T> T zeroed() {
  T t;
  std::memset(static_cast<void*>(&t), 0, sizeof t);
  return t;
}

BOOL flag(BOOL b) { return b ? TRUE : FALSE; }

bool validBlend(const D3D11_BLEND& factor) {
  const uint32_t b = base::raw(factor);
  return (b >= D3D11_BLEND_ZERO && b <= D3D11_BLEND_SRC_ALPHA_SAT) ||
         (b >= D3D11_BLEND_BLEND_FACTOR && b <= D3D11_BLEND_INV_SRC1_ALPHA);
}
/// Colour factors have no meaning for alpha.
bool validAlphaBlend(const D3D11_BLEND& b) {
  if (!validBlend(b))
    return false;
  switch (b) {
  case D3D11_BLEND_SRC_COLOR:
  case D3D11_BLEND_INV_SRC_COLOR:
  case D3D11_BLEND_DEST_COLOR:
  case D3D11_BLEND_INV_DEST_COLOR:
  case D3D11_BLEND_SRC1_COLOR:
  case D3D11_BLEND_INV_SRC1_COLOR: return false;
  default: return true;
  }
}
bool within(uint32_t value, uint32_t low, uint32_t high) { return value >= low && value <= high; }
bool validOp(const D3D11_BLEND_OP& op) { return within(base::raw(op), D3D11_BLEND_OP_ADD, D3D11_BLEND_OP_MAX); }
bool validComparison(const D3D11_COMPARISON_FUNC& f) {
  return within(base::raw(f), D3D11_COMPARISON_NEVER, D3D11_COMPARISON_ALWAYS);
}
bool validStencilOp(const D3D11_STENCIL_OP& op) { return within(base::raw(op), D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_DECR); }
bool validFace(const D3D11_DEPTH_STENCILOP_DESC& f) {
  return validStencilOp(f.StencilFailOp) && validStencilOp(f.StencilDepthFailOp) && validStencilOp(f.StencilPassOp) &&
         validComparison(f.StencilFunc);
}
bool validAddress(const D3D11_TEXTURE_ADDRESS_MODE& m) {
  return within(base::raw(m), D3D11_TEXTURE_ADDRESS_WRAP, D3D11_TEXTURE_ADDRESS_MIRROR_ONCE);
}

constexpr UINT kAnisotropicBit = 0x40;
constexpr UINT kReductionShift = 7;

bool validFilter(UINT f) {
  const UINT base = f & 0x7f;
  if (f >> (kReductionShift + 2))
    return false;
  if (base & kAnisotropicBit)
    return base == 0x55;
  return (base & ~0x15u) == 0;
}

} // namespace

D3D11_BLEND_DESC1 widen(const D3D11_BLEND_DESC& in) {
  auto out = zeroed<D3D11_BLEND_DESC1>();
  out.AlphaToCoverageEnable = in.AlphaToCoverageEnable;
  out.IndependentBlendEnable = in.IndependentBlendEnable;
  for (int i = 0; i < 8; i++) {
    const auto& s = in.RenderTarget[i];
    auto& d = out.RenderTarget[i];
    d.BlendEnable = s.BlendEnable;
    // Six factors and operations in the same order, unchecked so far.
    static_assert(offsetof(D3D11_RENDER_TARGET_BLEND_DESC, RenderTargetWriteMask) == 28);
    std::memcpy(static_cast<void*>(&d.SrcBlend), &s.SrcBlend, 24);
    d.LogicOp = D3D11_LOGIC_OP_NOOP;
    d.RenderTargetWriteMask = s.RenderTargetWriteMask;
  }
  return out;
}

D3D11_BLEND_DESC narrow(const D3D11_BLEND_DESC1& in) {
  auto out = zeroed<D3D11_BLEND_DESC>();
  out.AlphaToCoverageEnable = in.AlphaToCoverageEnable;
  out.IndependentBlendEnable = in.IndependentBlendEnable;
  for (int i = 0; i < 8; i++) {
    const auto& s = in.RenderTarget[i];
    auto& d = out.RenderTarget[i];
    d.BlendEnable = s.BlendEnable;
    d.SrcBlend = s.SrcBlend;
    d.DestBlend = s.DestBlend;
    d.BlendOp = s.BlendOp;
    d.SrcBlendAlpha = s.SrcBlendAlpha;
    d.DestBlendAlpha = s.DestBlendAlpha;
    d.BlendOpAlpha = s.BlendOpAlpha;
    d.RenderTargetWriteMask = s.RenderTargetWriteMask;
  }
  return out;
}

bool normalize(const D3D11_BLEND_DESC1& in, const StateLimits& limits, D3D11_BLEND_DESC1& out) {
  out = zeroed<D3D11_BLEND_DESC1>();
  // 2 is alpha to coverage without dithering; other values mean TRUE.
  out.AlphaToCoverageEnable = in.AlphaToCoverageEnable == 2 ? 2 : flag(in.AlphaToCoverageEnable);
  out.IndependentBlendEnable = flag(in.IndependentBlendEnable);
  for (int i = 0; i < 8; i++) {
    const auto& s = in.RenderTarget[in.IndependentBlendEnable ? i : 0];
    auto& d = out.RenderTarget[i];
    d = zeroed<D3D11_RENDER_TARGET_BLEND_DESC1>();
    d.BlendEnable = flag(s.BlendEnable);
    d.LogicOpEnable = flag(s.LogicOpEnable);
    d.SrcBlend = d.SrcBlendAlpha = D3D11_BLEND_ONE;
    d.DestBlend = d.DestBlendAlpha = D3D11_BLEND_ZERO;
    d.BlendOp = d.BlendOpAlpha = D3D11_BLEND_OP_ADD;
    d.LogicOp = D3D11_LOGIC_OP_NOOP;
    if (s.RenderTargetWriteMask & ~D3D11_COLOR_WRITE_ENABLE_ALL)
      return false;
    d.RenderTargetWriteMask = s.RenderTargetWriteMask;
    if (s.BlendEnable) {
      if (!validBlend(s.SrcBlend) || !validBlend(s.DestBlend) || !validOp(s.BlendOp) ||
          !validAlphaBlend(s.SrcBlendAlpha) || !validAlphaBlend(s.DestBlendAlpha) || !validOp(s.BlendOpAlpha))
        return false;
      d.SrcBlend = s.SrcBlend;
      d.DestBlend = s.DestBlend;
      d.BlendOp = s.BlendOp;
      d.SrcBlendAlpha = s.SrcBlendAlpha;
      d.DestBlendAlpha = s.DestBlendAlpha;
      d.BlendOpAlpha = s.BlendOpAlpha;
    }
    if (s.LogicOpEnable) {
      if (s.BlendEnable || in.IndependentBlendEnable || limits.level < D3D_FEATURE_LEVEL_11_0 ||
          base::raw(s.LogicOp) > D3D11_LOGIC_OP_OR_INVERTED)
        return false;
      d.LogicOp = s.LogicOp;
    }
  }
  return true;
}

bool normalize(const D3D11_DEPTH_STENCIL_DESC& in, D3D11_DEPTH_STENCIL_DESC& out) {
  out = zeroed<D3D11_DEPTH_STENCIL_DESC>();
  out.DepthEnable = flag(in.DepthEnable);
  out.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ZERO;
  out.DepthFunc = D3D11_COMPARISON_LESS;
  if (in.DepthEnable) {
    if (base::raw(in.DepthWriteMask) > D3D11_DEPTH_WRITE_MASK_ALL || !validComparison(in.DepthFunc))
      return false;
    out.DepthWriteMask = in.DepthWriteMask;
    out.DepthFunc = in.DepthFunc;
  }
  out.StencilEnable = flag(in.StencilEnable);
  out.StencilReadMask = D3D11_DEFAULT_STENCIL_READ_MASK;
  out.StencilWriteMask = D3D11_DEFAULT_STENCIL_WRITE_MASK;
  out.FrontFace = out.BackFace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
                                  D3D11_COMPARISON_ALWAYS};
  if (in.StencilEnable) {
    if (!validFace(in.FrontFace) || !validFace(in.BackFace))
      return false;
    out.StencilReadMask = in.StencilReadMask;
    out.StencilWriteMask = in.StencilWriteMask;
    out.FrontFace = in.FrontFace;
    out.BackFace = in.BackFace;
  }
  return true;
}

D3D11_RASTERIZER_DESC2 widen(const D3D11_RASTERIZER_DESC& in) {
  auto out = zeroed<D3D11_RASTERIZER_DESC2>();
  std::memcpy(static_cast<void*>(&out), &in, sizeof in); // the older description is a prefix of the newer
  return out;
}
D3D11_RASTERIZER_DESC2 widen(const D3D11_RASTERIZER_DESC1& in) {
  auto out = zeroed<D3D11_RASTERIZER_DESC2>();
  std::memcpy(static_cast<void*>(&out), &in, sizeof in);
  return out;
}
D3D11_RASTERIZER_DESC narrow(const D3D11_RASTERIZER_DESC2& in) {
  D3D11_RASTERIZER_DESC out;
  std::memcpy(static_cast<void*>(&out), &in, sizeof out);
  return out;
}
D3D11_RASTERIZER_DESC1 narrow1(const D3D11_RASTERIZER_DESC2& in) {
  D3D11_RASTERIZER_DESC1 out;
  std::memcpy(static_cast<void*>(&out), &in, sizeof out);
  return out;
}

bool normalize(const D3D11_RASTERIZER_DESC2& in, const StateLimits& limits, D3D11_RASTERIZER_DESC2& out) {
  out = zeroed<D3D11_RASTERIZER_DESC2>();
  if (!within(base::raw(in.FillMode), D3D11_FILL_WIREFRAME, D3D11_FILL_SOLID))
    return false;
  if (!within(base::raw(in.CullMode), D3D11_CULL_NONE, D3D11_CULL_BACK))
    return false;
  const UINT n = in.ForcedSampleCount;
  if (n > 16 || (n & (n - 1)) != 0)
    return false;
  if (base::raw(in.ConservativeRaster) > D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON)
    return false;
  if (in.ConservativeRaster == D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON &&
      (in.FillMode != D3D11_FILL_SOLID || limits.level < D3D_FEATURE_LEVEL_11_0))
    return false;
  if (limits.level <= D3D_FEATURE_LEVEL_9_3 && !in.DepthClipEnable)
    return false;
  if (std::isnan(in.DepthBiasClamp) || std::isnan(in.SlopeScaledDepthBias))
    return false;
  out.FillMode = in.FillMode;
  out.CullMode = in.CullMode;
  out.FrontCounterClockwise = flag(in.FrontCounterClockwise);
  out.DepthBias = in.DepthBias;
  out.DepthBiasClamp = in.DepthBiasClamp;
  out.SlopeScaledDepthBias = in.SlopeScaledDepthBias;
  out.DepthClipEnable = flag(in.DepthClipEnable);
  out.ScissorEnable = flag(in.ScissorEnable);
  out.MultisampleEnable = flag(in.MultisampleEnable);
  out.AntialiasedLineEnable = flag(in.AntialiasedLineEnable);
  out.ForcedSampleCount = n;
  out.ConservativeRaster = in.ConservativeRaster;
  return true;
}

bool normalize(const D3D11_SAMPLER_DESC& in, const StateLimits& limits, D3D11_SAMPLER_DESC& out) {
  out = zeroed<D3D11_SAMPLER_DESC>();
  if (!validFilter(base::raw(in.Filter)) || !validAddress(in.AddressU) || !validAddress(in.AddressV) || !validAddress(in.AddressW))
    return false;
  const UINT f = base::raw(in.Filter);
  const bool anisotropic = (f & kAnisotropicBit) != 0;
  const auto reduction = static_cast<state::Reduction>(f >> kReductionShift & 3);
  if (reduction >= state::Reduction::Minimum && limits.level < D3D_FEATURE_LEVEL_11_0)
    return false;
  if (anisotropic && (in.MaxAnisotropy < 1 || in.MaxAnisotropy > 16))
    return false;
  if (reduction == state::Reduction::Comparison && !validComparison(in.ComparisonFunc))
    return false;
  // Not a range check: NaN must fail too.
  if (!(in.MinLOD <= in.MaxLOD) || std::isnan(in.MipLODBias))
    return false;
  out.Filter = in.Filter;
  out.AddressU = in.AddressU;
  out.AddressV = in.AddressV;
  out.AddressW = in.AddressW;
  out.MipLODBias = in.MipLODBias;
  out.MaxAnisotropy = anisotropic ? in.MaxAnisotropy : 0;
  out.ComparisonFunc = reduction == state::Reduction::Comparison ? in.ComparisonFunc : D3D11_COMPARISON_NEVER;
  if (in.AddressU == D3D11_TEXTURE_ADDRESS_BORDER || in.AddressV == D3D11_TEXTURE_ADDRESS_BORDER ||
      in.AddressW == D3D11_TEXTURE_ADDRESS_BORDER)
    std::memcpy(out.BorderColor, in.BorderColor, sizeof out.BorderColor);
  out.MinLOD = in.MinLOD;
  out.MaxLOD = in.MaxLOD;
  return true;
}

D3D11_BLEND_DESC1 defaultBlendDesc() {
  auto in = zeroed<D3D11_BLEND_DESC1>();
  in.RenderTarget[0].RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL;
  D3D11_BLEND_DESC1 out;
  normalize(in, {}, out);
  return out;
}
D3D11_DEPTH_STENCIL_DESC defaultDepthStencilDesc() {
  auto in = zeroed<D3D11_DEPTH_STENCIL_DESC>();
  in.DepthEnable = TRUE;
  in.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL;
  in.DepthFunc = D3D11_COMPARISON_LESS;
  D3D11_DEPTH_STENCIL_DESC out;
  normalize(in, out);
  return out;
}
D3D11_RASTERIZER_DESC2 defaultRasterizerDesc() {
  auto out = zeroed<D3D11_RASTERIZER_DESC2>();
  out.FillMode = D3D11_FILL_SOLID;
  out.CullMode = D3D11_CULL_BACK;
  out.DepthClipEnable = TRUE;
  return out;
}
D3D11_SAMPLER_DESC defaultSamplerDesc() {
  auto out = zeroed<D3D11_SAMPLER_DESC>();
  out.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR;
  out.AddressU = out.AddressV = out.AddressW = D3D11_TEXTURE_ADDRESS_CLAMP;
  out.MaxAnisotropy = 1;
  out.ComparisonFunc = D3D11_COMPARISON_NEVER;
  for (float& c : out.BorderColor)
    c = 1.0f;
  out.MinLOD = -FLT_MAX;
  out.MaxLOD = FLT_MAX;
  return out;
}

state::BlendState toState(const D3D11_BLEND_DESC1& desc) {
  state::BlendState s;
  s.alphaToCoverage = static_cast<uint8_t>(desc.AlphaToCoverageEnable);
  for (int i = 0; i < 8; i++) {
    const auto& d = desc.RenderTarget[i];
    auto& t = s.targets[i];
    t.enable = d.BlendEnable != 0;
    t.logicEnable = d.LogicOpEnable != 0;
    t.src = static_cast<state::Blend>(d.SrcBlend);
    t.dest = static_cast<state::Blend>(d.DestBlend);
    t.op = static_cast<state::BlendOp>(d.BlendOp);
    t.srcAlpha = static_cast<state::Blend>(d.SrcBlendAlpha);
    t.destAlpha = static_cast<state::Blend>(d.DestBlendAlpha);
    t.opAlpha = static_cast<state::BlendOp>(d.BlendOpAlpha);
    t.logicOp = static_cast<state::LogicOp>(d.LogicOp);
    t.writeMask = d.RenderTargetWriteMask;
  }
  return s;
}

state::DepthStencilState toState(const D3D11_DEPTH_STENCIL_DESC& desc) {
  auto face = [](const D3D11_DEPTH_STENCILOP_DESC& d) {
    state::StencilFace f;
    f.fail = static_cast<state::StencilOp>(d.StencilFailOp);
    f.depthFail = static_cast<state::StencilOp>(d.StencilDepthFailOp);
    f.pass = static_cast<state::StencilOp>(d.StencilPassOp);
    f.func = static_cast<state::Comparison>(d.StencilFunc);
    return f;
  };
  state::DepthStencilState s;
  s.depthEnable = desc.DepthEnable != 0;
  s.depthWrite = desc.DepthEnable && desc.DepthWriteMask == D3D11_DEPTH_WRITE_MASK_ALL;
  s.depthFunc = static_cast<state::Comparison>(desc.DepthFunc);
  s.stencilEnable = desc.StencilEnable != 0;
  s.stencilReadMask = desc.StencilReadMask;
  s.stencilWriteMask = desc.StencilWriteMask;
  s.front = face(desc.FrontFace);
  s.back = face(desc.BackFace);
  return s;
}

state::RasterizerState toState(const D3D11_RASTERIZER_DESC2& desc) {
  state::RasterizerState s;
  s.fill = static_cast<state::FillMode>(desc.FillMode);
  s.cull = static_cast<state::CullMode>(desc.CullMode);
  s.frontCounterClockwise = desc.FrontCounterClockwise != 0;
  s.depthClip = desc.DepthClipEnable != 0;
  s.scissor = desc.ScissorEnable != 0;
  s.multisample = desc.MultisampleEnable != 0;
  s.antialiasedLine = desc.AntialiasedLineEnable != 0;
  s.forcedSampleCount = static_cast<uint8_t>(desc.ForcedSampleCount);
  s.conservative = desc.ConservativeRaster == D3D11_CONSERVATIVE_RASTERIZATION_MODE_ON;
  s.depthBias = desc.DepthBias;
  s.depthBiasClamp = desc.DepthBiasClamp;
  s.slopeScaledDepthBias = desc.SlopeScaledDepthBias;
  return s;
}

state::SamplerState toState(const D3D11_SAMPLER_DESC& desc) {
  const auto f = static_cast<UINT>(desc.Filter);
  state::SamplerState s;
  s.min = static_cast<state::FilterMode>(f >> 4 & 1);
  s.mag = static_cast<state::FilterMode>(f >> 2 & 1);
  s.mip = static_cast<state::FilterMode>(f & 1);
  s.anisotropic = (f & kAnisotropicBit) != 0;
  s.reduction = static_cast<state::Reduction>(f >> kReductionShift & 3);
  s.u = static_cast<state::AddressMode>(desc.AddressU);
  s.v = static_cast<state::AddressMode>(desc.AddressV);
  s.w = static_cast<state::AddressMode>(desc.AddressW);
  s.func = static_cast<state::Comparison>(desc.ComparisonFunc);
  s.maxAnisotropy = static_cast<uint8_t>(s.anisotropic ? desc.MaxAnisotropy : 1);
  return s;
}

abi::Sampler toDynamic(const D3D11_SAMPLER_DESC& desc) {
  abi::Sampler s;
  s.lodBias = desc.MipLODBias;
  s.minLod = desc.MinLOD;
  s.maxLod = desc.MaxLOD;
  s.maxAnisotropy = desc.MaxAnisotropy ? desc.MaxAnisotropy : 1;
  std::memcpy(s.border, desc.BorderColor, sizeof s.border);
  return s;
}

} // namespace monolith::d3d11
