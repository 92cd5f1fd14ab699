// SPDX-License-Identifier: MIT
/// @file
/// Pipeline state without COM: what d3d11/ normalises descriptions into and what keys are made from.
/// Numbers of enums equal those of the D3D11 headers, so that d3d11/ converts by cast after checking.
/// All structs are plain, zero-initialised and compare by value.
#pragma once

#include "formats/format.h"

#include <cstdint>
#include <vector>

namespace monolith::state {

enum class Comparison : uint8_t { None = 0, Never = 1, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };
enum class Blend : uint8_t { // D3D11_BLEND
  Zero = 1, One, SrcColor, InvSrcColor, SrcAlpha, InvSrcAlpha, DestAlpha, InvDestAlpha, DestColor, InvDestColor,
  SrcAlphaSat, BlendFactor = 14, InvBlendFactor, Src1Color, InvSrc1Color, Src1Alpha, InvSrc1Alpha };
enum class BlendOp : uint8_t { Add = 1, Subtract, RevSubtract, Min, Max };
enum class LogicOp : uint8_t { // D3D11_LOGIC_OP
  Clear = 0, Set, Copy, CopyInverted, Noop, Invert, And, Nand, Or, Nor, Xor, Equiv, AndReverse, AndInverted,
  OrReverse, OrInverted };
enum class StencilOp : uint8_t { Keep = 1, Zero, Replace, IncrSat, DecrSat, Invert, Incr, Decr };
enum class FillMode : uint8_t { Wireframe = 2, Solid = 3 };
enum class CullMode : uint8_t { None = 1, Front = 2, Back = 3 };
enum class AddressMode : uint8_t { Wrap = 1, Mirror, Clamp, Border, MirrorOnce };
enum class FilterMode : uint8_t { Point = 0, Linear = 1 };
enum class Reduction : uint8_t { Standard = 0, Comparison, Minimum, Maximum };
enum class Topology : uint8_t { // D3D11_PRIMITIVE_TOPOLOGY
  Undefined = 0, PointList = 1, LineList, LineStrip, TriangleList, TriangleStrip, LineListAdj = 10, LineStripAdj,
  TriangleListAdj, TriangleStripAdj, Patch1 = 33, Patch32 = 64 };

struct TargetBlend {
  uint8_t enable = 0, logicEnable = 0;
  Blend src = Blend::One, dest = Blend::Zero;
  BlendOp op = BlendOp::Add;
  Blend srcAlpha = Blend::One, destAlpha = Blend::Zero;
  BlendOp opAlpha = BlendOp::Add;
  LogicOp logicOp = LogicOp::Noop;
  uint8_t writeMask = 15;
  uint8_t encoded = 0; ///< sRGB targets blend codes, not linear values (feature levels up to 9_3)
  bool operator==(const TargetBlend&) const = default;
};

/// With independent blend off, d3d11/ copies target 0 to all eight.
struct BlendState {
  TargetBlend targets[8];
  uint8_t alphaToCoverage = 0;
  bool operator==(const BlendState&) const = default;
};

struct StencilFace {
  StencilOp fail = StencilOp::Keep, depthFail = StencilOp::Keep, pass = StencilOp::Keep;
  Comparison func = Comparison::Always;
  bool operator==(const StencilFace&) const = default;
};

struct DepthStencilState {
  uint8_t depthEnable = 1, depthWrite = 1;
  Comparison depthFunc = Comparison::Less;
  uint8_t stencilEnable = 0, stencilReadMask = 255, stencilWriteMask = 255;
  StencilFace front, back;
  bool operator==(const DepthStencilState&) const = default;
};

struct RasterizerState {
  FillMode fill = FillMode::Solid;
  CullMode cull = CullMode::Back;
  uint8_t frontCounterClockwise = 0, depthClip = 1, scissor = 0, multisample = 0, antialiasedLine = 0;
  uint8_t forcedSampleCount = 0, conservative = 0;
  int32_t depthBias = 0;
  float depthBiasClamp = 0, slopeScaledDepthBias = 0;
  bool operator==(const RasterizerState&) const = default;
};

/// The static part of a sampler (the dynamic part is abi::Sampler).
struct SamplerState {
  FilterMode min = FilterMode::Linear, mag = FilterMode::Linear, mip = FilterMode::Linear;
  uint8_t anisotropic = 0; ///< 1: anisotropic minification and magnification, maxAnisotropy in abi::Sampler.
  Reduction reduction = Reduction::Standard;
  AddressMode u = AddressMode::Clamp, v = AddressMode::Clamp, w = AddressMode::Clamp;
  Comparison func = Comparison::Never;
  uint8_t maxAnisotropy = 1;
  bool operator==(const SamplerState&) const = default;
};

/// One element of an input layout, already matched to a shader input register.
struct InputElement {
  uint8_t inputRegister = 0; ///< v# of the vertex shader.
  uint8_t slot = 0;
  formats::Format format{};
  uint8_t perInstance = 0;
  uint32_t offset = 0;       ///< Bytes; resolved (no D3D11_APPEND_ALIGNED_ELEMENT).
  uint32_t stepRate = 0;
  bool operator==(const InputElement&) const = default;
};

struct Viewport { float x = 0, y = 0, width = 0, height = 0, minDepth = 0, maxDepth = 1; };
struct Rect { int32_t left = 0, top = 0, right = 0, bottom = 0; };

inline constexpr int kMaxViewports = 16;

} // namespace monolith::state
