// SPDX-License-Identifier: MIT
/// @file
/// The part of a shader resource view that generated code is specialised for.
#pragma once

#include "abi/texture_view.h"
#include "formats/format.h"

namespace monolith::codegen {

/// UNKNOWN format: nothing is known while recording; the code asks the view itself.
struct ViewKey {
  formats::Format format{};
  abi::ViewDimension dimension = abi::ViewDimension::None;
  bool operator==(const ViewKey&) const = default;
};

inline ViewKey viewKey(const abi::TextureView* view)
{
  ViewKey key;
  if (view) {
    key.format = formats::Format(view->format);
    key.dimension = view->dimension;
  }
  return key;
}

} // namespace monolith::codegen
