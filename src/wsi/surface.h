// SPDX-License-Identifier: MIT
/// @file
/// Where a swap chain's pictures go. A surface belongs to one swap chain and is used under that chain's lock.
/// headless/ keeps the last picture's size only; sdl2/ shows it in an SDL window.
#pragma once

#include <cstdint>
#include <memory>

namespace monolith::wsi {

/// A picture in memory: 8-bit R, G, B, A in this byte order, straight from top left.
struct Picture {
  const uint8_t* pixels;
  uint32_t width, height;
  uint32_t rowPitch; ///< Bytes.
};

class Surface {
public:
  virtual ~Surface() = default;
  /// Client size in pixels; false when there is no window (headless).
  virtual bool size(uint32_t& width, uint32_t& height) const = 0;
  /// Shows the picture, scaled to the window. False when the window is gone.
  virtual bool show(const Picture& picture) = 0;
  /// True while the window is minimised or hidden.
  virtual bool occluded() const = 0;
  virtual void setFullscreen(bool fullscreen) = 0;
  virtual const char* name() const = 0;
};

/// True if `window` (an SDL_Window*) can be shown on; headless is always possible with null.
bool windowIsValid(void* window);
/// A surface for an SDL window, or a headless one for null, MONOLITH_WSI=headless, or when SDL2 is not there.
std::unique_ptr<Surface> createSurface(void* window);

/// Pixel size of the primary display; 1920x1080 at MONOLITH_VSYNC_HZ without one.
struct DisplayMode {
  uint32_t width = 1920, height = 1080;
  uint32_t refreshHz = 60;
};
DisplayMode primaryDisplay();

} // namespace monolith::wsi
