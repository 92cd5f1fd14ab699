// SPDX-License-Identifier: MIT
#include "wsi/surface.h"

#include "base/options.h"
#include "wsi/headless/headless_surface.h"
#include "wsi/sdl2/sdl_surface.h"

#include <algorithm>
#include <cstring>

namespace monolith::wsi {
namespace {
bool headlessWanted() { return !std::strcmp(base::optionText(base::Option::WSI), "headless"); }
} // namespace

bool windowIsValid(void* window) { return !window || headlessWanted() || sdlWindowIsValid(window); }

std::unique_ptr<Surface> createSurface(void* window) {
  if (window && !headlessWanted())
    if (auto surface = createSdlSurface(window)) return surface;
  return std::make_unique<HeadlessSurface>();
}

DisplayMode primaryDisplay() {
  DisplayMode mode;
  mode.refreshHz = static_cast<uint32_t>(std::clamp<int64_t>(base::optionNumber(base::Option::VSYNC_HZ), 1, 1000));
  if (!headlessWanted()) sdlPrimaryDisplay(mode);
  return mode;
}

} // namespace monolith::wsi
