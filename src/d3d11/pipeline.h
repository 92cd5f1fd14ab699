// SPDX-License-Identifier: MIT
/// @file
/// Everything that is bound to a context, as one struct: what ClearState resets and SwapDeviceContextState swaps.
/// Bindings hold private references.
#pragma once

#include "com/object.h"
#include "d3d11/input_layout.h"
#include "d3d11/query.h"
#include "d3d11/shader.h"
#include "d3d11/state_objects.h"
#include "d3d11/views.h"

#include <array>
#include <cfloat>

namespace monolith::d3d11 {

/// Numbers as in dxbc::ShaderStage.
enum Stage : int { kPixel = 0, kVertex = 1, kGeometry = 2, kHull = 3, kDomain = 4, kCompute = 5, kStageCount = 6 };

inline constexpr UINT kConstantSlots = D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT;
inline constexpr UINT kResourceSlots = D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT;
inline constexpr UINT kSamplerSlots = D3D11_COMMONSHADER_SAMPLER_SLOT_COUNT;
inline constexpr UINT kStreamSlots = D3D11_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT;
inline constexpr UINT kTargetSlots = D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT;
inline constexpr UINT kUavSlots = D3D11_1_UAV_SLOT_COUNT;
inline constexpr UINT kMaxConstants = D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT;

struct ConstantBinding {
  com::PrivateRef<Buffer> buffer;
  UINT first = 0, count = kMaxConstants; ///< In vec4, as given.
};

struct StageBindings {
  std::array<ConstantBinding, kConstantSlots> constants;
  std::array<com::PrivateRef<ShaderResourceView>, kResourceSlots> resources;
  std::array<com::PrivateRef<SamplerState>, kSamplerSlots> samplers;
  // Highest bound slot + 1, so that scans are short.
  uint8_t constantCount = 0, resourceCount = 0, samplerCount = 0;
};

struct VertexBinding {
  com::PrivateRef<Buffer> buffer;
  UINT stride = 0, offset = 0;
};

struct Pipeline {
  std::array<StageBindings, kStageCount> stages;
  com::PrivateRef<PixelShader> pixelShader;
  com::PrivateRef<VertexShader> vertexShader;
  com::PrivateRef<GeometryShader> geometryShader;
  com::PrivateRef<HullShader> hullShader;
  com::PrivateRef<DomainShader> domainShader;
  com::PrivateRef<ComputeShader> computeShader;

  com::PrivateRef<InputLayout> inputLayout;
  D3D11_PRIMITIVE_TOPOLOGY topology = D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED;
  std::array<VertexBinding, kStreamSlots> streams;
  uint8_t streamCount = 0;
  com::PrivateRef<Buffer> indexBuffer;
  DXGI_FORMAT indexFormat = DXGI_FORMAT_UNKNOWN;
  UINT indexOffset = 0;

  com::PrivateRef<RasterizerState> rasterizer;
  UINT viewportCount = 0, scissorCount = 0;
  std::array<D3D11_VIEWPORT, D3D11_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE> viewports{};
  std::array<D3D11_RECT, D3D11_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE> scissors{};

  com::PrivateRef<BlendState> blend;
  float blendFactor[4] = {1, 1, 1, 1};
  UINT sampleMask = D3D11_DEFAULT_SAMPLE_MASK;
  com::PrivateRef<DepthStencilState> depthStencil;
  UINT stencilRef = 0;
  std::array<com::PrivateRef<RenderTargetView>, kTargetSlots> targets;
  UINT targetCount = 0; ///< Highest bound slot + 1.
  com::PrivateRef<DepthStencilView> depthView;
  std::array<com::PrivateRef<UnorderedAccessView>, kUavSlots> outputUavs, computeUavs;
  UINT outputUavCount = 0, computeUavCount = 0;

  std::array<com::PrivateRef<Buffer>, D3D11_SO_BUFFER_SLOT_COUNT> streamOut;

  com::PrivateRef<Predicate> predicate;
  BOOL predicateValue = FALSE;
};

} // namespace monolith::d3d11
