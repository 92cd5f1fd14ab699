// SPDX-License-Identifier: MIT
/// @file
/// The rules of CreateBuffer and CreateTexture*: from a description to a ResourceInfo without memory, or an HRESULT
/// and a logged reason.
#pragma once

#include "d3d11/resource.h"

namespace monolith::d3d11 {

/// Every texture description in one form.
struct TextureRequest {
  D3D11_RESOURCE_DIMENSION dimension;
  UINT width, height, depth, mips, layers;
  DXGI_FORMAT format;
  DXGI_SAMPLE_DESC sample;
  UINT usage; ///< D3D11_USAGE, unchecked.
  UINT bindFlags, cpuAccess, miscFlags;
  UINT layout; ///< D3D11_TEXTURE_LAYOUT, unchecked.
};

HRESULT checkBuffer(const D3D11_BUFFER_DESC& desc, D3D_FEATURE_LEVEL level, const D3D11_SUBRESOURCE_DATA* data,
                    ResourceInfo& out);
HRESULT checkTexture(const TextureRequest& desc, D3D_FEATURE_LEVEL level, const D3D11_SUBRESOURCE_DATA* data,
                     ResourceInfo& out);

/// The column of the format tables for a feature level.
formats::Level formatLevel(D3D_FEATURE_LEVEL level);
/// True if the format, or for a typeless format any member of its family, has the use.
bool supportsUse(formats::Format format, D3D_FEATURE_LEVEL level, formats::Use use);

} // namespace monolith::d3d11
