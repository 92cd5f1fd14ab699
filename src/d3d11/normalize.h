// SPDX-License-Identifier: MIT
/// @file
/// Checks the descriptions of state objects and brings them into canonical form: what has no effect gets its default,
/// booleans become 0 or 1, padding becomes 0. Equal behaviour thus means equal bytes. Then converts to state/.
#pragma once

#include "abi/texture_view.h"
#include "state/pipeline_state.h"

#include <d3d11_3.h>

namespace monolith::d3d11 {

/// Bits of what a device of some feature level may use.
struct StateLimits {
  D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
};

/// Each writes `out` and returns true, or returns false for an invalid description (E_INVALIDARG).
bool normalize(const D3D11_BLEND_DESC1& in, const StateLimits& limits, D3D11_BLEND_DESC1& out);
bool normalize(const D3D11_DEPTH_STENCIL_DESC& in, D3D11_DEPTH_STENCIL_DESC& out);
bool normalize(const D3D11_RASTERIZER_DESC2& in, const StateLimits& limits, D3D11_RASTERIZER_DESC2& out);
bool normalize(const D3D11_SAMPLER_DESC& in, const StateLimits& limits, D3D11_SAMPLER_DESC& out);

/// Widening and narrowing between versions of one description.
D3D11_BLEND_DESC1 widen(const D3D11_BLEND_DESC& in);
D3D11_BLEND_DESC narrow(const D3D11_BLEND_DESC1& in);
D3D11_RASTERIZER_DESC2 widen(const D3D11_RASTERIZER_DESC& in);
D3D11_RASTERIZER_DESC2 widen(const D3D11_RASTERIZER_DESC1& in);
D3D11_RASTERIZER_DESC narrow(const D3D11_RASTERIZER_DESC2& in);
D3D11_RASTERIZER_DESC1 narrow1(const D3D11_RASTERIZER_DESC2& in);

/// Defaults as documented: what a NULL state object means.
D3D11_BLEND_DESC1 defaultBlendDesc();
D3D11_DEPTH_STENCIL_DESC defaultDepthStencilDesc();
D3D11_RASTERIZER_DESC2 defaultRasterizerDesc();
D3D11_SAMPLER_DESC defaultSamplerDesc();

/// From canonical descriptions.
state::BlendState toState(const D3D11_BLEND_DESC1& desc);
state::DepthStencilState toState(const D3D11_DEPTH_STENCIL_DESC& desc);
state::RasterizerState toState(const D3D11_RASTERIZER_DESC2& desc);
state::SamplerState toState(const D3D11_SAMPLER_DESC& desc);
abi::Sampler toDynamic(const D3D11_SAMPLER_DESC& desc);

} // namespace monolith::d3d11
