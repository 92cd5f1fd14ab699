// SPDX-License-Identifier: MIT
/// @file
/// A container with all chunks of a compiled shader, made by hand.
#pragma once

#include "unit/dxbc/samples.h"

#include "dxbc/rdef.h"
#include "dxbc/stat.h"

#include <d3dcompiler.h>
#include <wrl/client.h>

#include <string>

namespace monolith::test {

using Microsoft::WRL::ComPtr;

/// A constant buffer "Params" (float4 tint = 1 2 3 4; struct { float3 direction; uint2 size[2]; } light), a texture and
/// a sampler.
inline dxbc::Rdef sampleRdef() {
  dxbc::Rdef r;
  r.major = 5;
  r.program = 0xffff;
  r.flags = D3DCOMPILE_ENABLE_STRICTNESS;
  r.creator = "a compiler";
  dxbc::RdefType vector4, vector3, array, light;
  vector4 = {D3D_SVC_VECTOR, D3D_SVT_FLOAT, 1, 4, 0, {}, "float4", {}, UINT32_MAX, UINT32_MAX};
  vector3 = {D3D_SVC_VECTOR, D3D_SVT_FLOAT, 1, 3, 0, {}, "float3", {}, UINT32_MAX, UINT32_MAX};
  array = {D3D_SVC_VECTOR, D3D_SVT_UINT, 1, 2, 2, {}, "uint2", {}, UINT32_MAX, UINT32_MAX};
  light = {D3D_SVC_STRUCT, D3D_SVT_VOID, 1, 7, 0, {{"direction", 1, 0}, {"size", 2, 16}}, "Light", {}, UINT32_MAX,
           UINT32_MAX};
  r.types = {vector4, vector3, array, light};
  dxbc::RdefVariable tint, lightVariable;
  tint.name = "tint";
  tint.size = 16;
  tint.flags = D3D_SVF_USED;
  tint.type = 0;
  tint.hasDefault = true;
  for (float f : {1.0f, 2.0f, 3.0f, 4.0f}) {
    const uint8_t* p = reinterpret_cast<const uint8_t*>(&f);
    tint.defaultValue.insert(tint.defaultValue.end(), p, p + 4);
  }
  lightVariable.name = "light";
  lightVariable.offset = 16;
  lightVariable.size = 40;
  lightVariable.type = 3;
  r.constantBuffers = {{"Params", 64, 0, D3D_CT_CBUFFER, {tint, lightVariable}}};
  r.bindings = {{"linearSampler", D3D_SIT_SAMPLER, 0, 0, 0, 0, 1, 0, 0, 0},
                {"picture", D3D_SIT_TEXTURE, D3D_RETURN_TYPE_FLOAT, D3D_SRV_DIMENSION_TEXTURE2D, UINT32_MAX, 0, 1,
                 D3D_SIF_TEXTURE_COMPONENTS, 0, 0},
                {"Params", D3D_SIT_CBUFFER, 0, 0, 0, 0, 1, D3D_SIF_USERPACKED, 0, 0}};
  return r;
}

inline std::vector<uint8_t> sampleContainer(bool sampleFrequency = false) {
  dxbc::Shader s = pixelSample();
  if (sampleFrequency)
    for (dxbc::Instruction& i : s.instructions)
      if (i.op == dxbc::OpCode::DclInputPs) i.decl.interpolation = dxbc::InterpolationMode::LinearSample;
  dxbc::summarizeDeclarations(s);
  dxbc::ContainerBuilder b;
  b.add(dxbc::kTagRdef, dxbc::writeRdef(sampleRdef()));
  b.add(dxbc::kTagIsgn, dxbc::writeSignature(s.inputs));
  b.add(dxbc::kTagOsgn, dxbc::writeSignature(s.outputs));
  b.add(dxbc::kTagShex, dxbc::writeProgram(s.stage, s.major, s.minor, s.instructions));
  b.add(dxbc::kTagStat, dxbc::writeStat(dxbc::computeStat(s), 5));
  return b.build();
}

inline std::vector<uint8_t> bytesOf(ID3DBlob* blob) {
  const uint8_t* p = static_cast<const uint8_t*>(blob->GetBufferPointer());
  return {p, p + blob->GetBufferSize()};
}
inline std::string textOf(ID3DBlob* blob) {
  return blob ? std::string(static_cast<const char*>(blob->GetBufferPointer())) : std::string();
}

} // namespace monolith::test
