// SPDX-License-Identifier: MIT
/// @file
/// The library that tests of linking share: the worked example of shader linking, with functions for two stages.
#pragma once

#include "d3dcompiler/shader_bytes.h"

#include <gtest/gtest.h>

namespace monolith::test {

inline constexpr char kLibrarySource[] = R"(
cbuffer Camera : register(b0)
{
  float4x4 model;
  float4x4 view;
};
cbuffer Light : register(b2)
{
  float3 direction;
  float ambient;
};
Texture2D<float4> picture : register(t0);
SamplerState samplerOfPicture : register(s0);

float4 helper(float4 v) { return v * 2; }

export float4 Homogenize(float3 v) { return float4(v, 1); }
export float3 Identity(float3 v) { return v; }
export void Transform(inout float4 position, inout float2 texcoord, inout float4 normal)
{
  position = mul(mul(position, model), view);
  normal = mul(normal, model);
}
export float4 Shade(float2 texcoord : TEXCOORD0, noperspective float3 normal : NORMAL)
{
  return picture.Sample(samplerOfPicture, texcoord) * (saturate(dot(normal, direction)) + ambient);
}
)";

/// Compiles a library; empty after an error, whose text goes to `messages`.
inline ComPtr<ID3DBlob> compileLibrary(const std::string& source, const char* target = "lib_5_0", std::string* messages = nullptr, UINT flags = 0,
                                       const char* entry = nullptr) {
  ComPtr<ID3DBlob> code, text;
  const HRESULT hr = D3DCompile(source.data(), source.size(), "library.hlsl", nullptr, nullptr, entry, target, flags, 0, code.GetAddressOf(), text.GetAddressOf());
  EXPECT_EQ(SUCCEEDED(hr), code != nullptr);
  if (messages)
    *messages = textOf(text.Get());
  else {
    EXPECT_EQ(hr, S_OK) << textOf(text.Get());
  }
  return code;
}

} // namespace monolith::test
