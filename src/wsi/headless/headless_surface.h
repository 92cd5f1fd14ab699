// SPDX-License-Identifier: MIT
/// @file
/// The surface of a swap chain without a window: pictures are taken and dropped (capture sees them before).
#pragma once

#include "wsi/surface.h"

namespace monolith::wsi {

class HeadlessSurface final : public Surface {
public:
  bool size(uint32_t&, uint32_t&) const override { return false; }
  bool show(const Picture&) override { return true; }
  bool occluded() const override { return false; }
  void setFullscreen(bool) override {}
  const char* name() const override { return "headless"; }
};

} // namespace monolith::wsi
