// SPDX-License-Identifier: MIT
/// @file
/// The rules of views: fills in what a description leaves open (NULL, UNKNOWN, -1), checks it against the resource, and
/// reduces it to a range.
#pragma once

#include "abi/texture_view.h"
#include "d3d11/resource.h"

namespace monolith::d3d11 {

/// What a view covers. Textures: mips and layers (3D targets: layers count depth slices); buffers: elements.
struct ViewRange {
  formats::Format format{};
  abi::ViewDimension dimension = abi::ViewDimension::None;
  uint32_t firstMip = 0, mips = 1;
  uint32_t firstLayer = 0, layers = 1;
  uint32_t firstElement = 0, elements = 0, elementStride = 0; ///< Buffers.

  /// True if both touch a common subresource of one resource.
  bool overlaps(const ViewRange& o) const {
    return firstMip < o.firstMip + o.mips && o.firstMip < firstMip + mips && firstLayer < o.firstLayer + o.layers &&
           o.firstLayer < firstLayer + layers;
  }
};

/// Each completes `desc` in place and returns S_OK, or E_INVALIDARG and logs why. `given` false: desc is all default.
HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_SHADER_RESOURCE_VIEW_DESC1& desc,
                    ViewRange& range);
HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_RENDER_TARGET_VIEW_DESC1& desc,
                    ViewRange& range);
HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_DEPTH_STENCIL_VIEW_DESC& desc,
                    ViewRange& range);
HRESULT resolveView(const ResourceInfo& r, D3D_FEATURE_LEVEL level, bool given, D3D11_UNORDERED_ACCESS_VIEW_DESC1& desc,
                    ViewRange& range);

/// Older description into newer, zero elsewhere; and back.
template <typename New, typename Old> New widenView(const Old& in) {
  static_assert(sizeof(New) >= sizeof(Old));
  New out;
  memset(static_cast<void*>(&out), 0, sizeof out);
  memcpy(static_cast<void*>(&out), &in, sizeof in);
  return out;
}
template <typename Old, typename New> Old narrowView(const New& in) {
  Old out;
  memcpy(static_cast<void*>(&out), &in, sizeof out);
  return out;
}

} // namespace monolith::d3d11
