// SPDX-License-Identifier: MIT
/// @file
/// RDEF: what reflection knows: constant buffers with variables and types, and resource bindings. Version 4 programs use
/// the short layouts, version 5 programs an extra header marked "RD11" with longer records; 5.1 adds spaces and ids to
/// bindings.
#pragma once

#include "dxbc/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace monolith::dxbc {

/// Numbers are those of d3dcommon.h: D3D_SHADER_VARIABLE_CLASS, _TYPE, D3D_CBUFFER_TYPE, D3D_SHADER_INPUT_TYPE,
/// D3D_RESOURCE_RETURN_TYPE, D3D_SRV_DIMENSION.
struct RdefMember {
  std::string name;
  uint32_t type = 0;   ///< index into Rdef::types
  uint32_t offset = 0; ///< bytes from the start of the structure
  bool operator==(const RdefMember&) const = default;
};
struct RdefType {
  uint16_t typeClass = 0; ///< D3D_SVC_*
  uint16_t type = 0;      ///< D3D_SVT_*
  uint16_t rows = 0, columns = 0, elements = 0;
  std::vector<RdefMember> members;
  std::string name;       ///< version 5 only
  std::vector<uint32_t> interfaces; ///< version 5: type indices of implemented interfaces
  uint32_t baseClass = UINT32_MAX;  ///< version 5: type index or UINT32_MAX
  uint32_t subType = UINT32_MAX;    ///< version 5: type index or UINT32_MAX
  bool operator==(const RdefType&) const = default;
};
struct RdefVariable {
  std::string name;
  uint32_t offset = 0, size = 0; ///< bytes
  uint32_t flags = 0;            ///< D3D_SVF_*
  uint32_t type = 0;             ///< index into Rdef::types
  bool hasDefault = false;
  std::vector<uint8_t> defaultValue;
  uint32_t startTexture = UINT32_MAX, textureSize = 0, startSampler = UINT32_MAX, samplerSize = 0; ///< version 5
  bool operator==(const RdefVariable&) const = default;
};
struct RdefConstantBuffer {
  std::string name;
  uint32_t size = 0;  ///< bytes
  uint32_t flags = 0; ///< D3D_CBF_*
  uint32_t type = 0;  ///< D3D_CT_*
  std::vector<RdefVariable> variables;
  bool operator==(const RdefConstantBuffer&) const = default;
};
struct RdefBinding {
  std::string name;
  uint32_t type = 0;       ///< D3D_SIT_*
  uint32_t returnType = 0; ///< D3D_RETURN_TYPE_* or 0
  uint32_t dimension = 0;  ///< D3D_SRV_DIMENSION_*
  uint32_t sampleCount = 0; ///< textures: samples or 0xffffffff; structured: stride
  uint32_t bindPoint = 0, bindCount = 1;
  uint32_t flags = 0;      ///< D3D_SIF_*
  uint32_t space = 0, id = 0; ///< 5.1
  bool operator==(const RdefBinding&) const = default;
};
/// The chunk.
struct Rdef {
  uint8_t major = 4, minor = 0;
  uint16_t program = 0xffff; ///< 0xffff pixel, 0xfffe vertex, 0x4753 GS, 0x4853 HS, 0x4453 DS, 0x4353 CS
  uint32_t flags = 0;        ///< compile flags (D3DCOMPILE_*)
  std::string creator;
  std::vector<RdefConstantBuffer> constantBuffers;
  std::vector<RdefBinding> bindings;
  std::vector<RdefType> types; ///< shared by variables
  uint32_t interfaceSlots = 0; ///< version 5
  bool operator==(const Rdef&) const = default;
};

/// Parses chunk data.
Result<Rdef> parseRdef(std::span<const uint8_t> data);
/// Chunk data; layout by `major` and `minor`.
std::vector<uint8_t> writeRdef(const Rdef& rdef);

} // namespace monolith::dxbc
