// SPDX-License-Identifier: MIT
#include "wsi/sdl2/sdl_surface.h"

#include "base/log.h"

#include <SDL2/SDL.h>
#include <dlfcn.h>

namespace monolith::wsi {
namespace {

/// The entry points we use, by the names of SDL's own declarations, so that types are checked.
#define SDL_ENTRIES(X)                                                                                                 \
  X(SDL_GetWindowID) X(SDL_GetWindowSize) X(SDL_GetWindowFlags) X(SDL_GetWindowSurface) X(SDL_UpdateWindowSurface)     \
  X(SDL_CreateRGBSurfaceWithFormatFrom) X(SDL_FreeSurface) X(SDL_UpperBlit) X(SDL_UpperBlitScaled)                     \
  X(SDL_SetSurfaceBlendMode) X(SDL_SetWindowFullscreen) X(SDL_GetError) X(SDL_WasInit) X(SDL_GetDesktopDisplayMode)

struct Sdl {
#define DECLARE(name) decltype(&::name) name = nullptr;
  SDL_ENTRIES(DECLARE)
#undef DECLARE
  bool loaded = false;

  Sdl() {
    // A program with an SDL window has SDL2 in its process; a second copy would not know the window.
    void* library = dlsym(RTLD_DEFAULT, "SDL_GetWindowID") ? RTLD_DEFAULT : dlopen("libSDL2-2.0.so.0", RTLD_NOW);
    if (!library && library != RTLD_DEFAULT) return;
    loaded = true;
#define LOAD(entry)                                                                                                    \
  entry = reinterpret_cast<decltype(entry)>(dlsym(library, #entry));                                                   \
  loaded = loaded && entry;
    SDL_ENTRIES(LOAD)
#undef LOAD
  }
};

const Sdl& sdl() {
  static const Sdl instance;
  return instance;
}

class SdlSurface final : public Surface {
public:
  explicit SdlSurface(SDL_Window* window) : m_window(window) {}

  bool size(uint32_t& width, uint32_t& height) const override {
    int w = 0, h = 0;
    sdl().SDL_GetWindowSize(m_window, &w, &h);
    width = static_cast<uint32_t>(w > 0 ? w : 0);
    height = static_cast<uint32_t>(h > 0 ? h : 0);
    return true;
  }

  bool show(const Picture& picture) override {
    if (!sdl().SDL_GetWindowID(m_window)) return false;
    SDL_Surface* target = sdl().SDL_GetWindowSurface(m_window);
    if (!target) {
      base::logLine(base::LogLevel::Error, "SDL window surface: %s", sdl().SDL_GetError());
      return false;
    }
    SDL_Surface* source = sdl().SDL_CreateRGBSurfaceWithFormatFrom(
        const_cast<uint8_t*>(picture.pixels), static_cast<int>(picture.width), static_cast<int>(picture.height), 32,
        static_cast<int>(picture.rowPitch), SDL_PIXELFORMAT_RGBA32);
    if (!source) return false;
    sdl().SDL_SetSurfaceBlendMode(source, SDL_BLENDMODE_NONE);
    const bool sameSize = target->w == source->w && target->h == source->h;
    if (sameSize)
      sdl().SDL_UpperBlit(source, nullptr, target, nullptr);
    else
      sdl().SDL_UpperBlitScaled(source, nullptr, target, nullptr);
    sdl().SDL_FreeSurface(source);
    return sdl().SDL_UpdateWindowSurface(m_window) == 0;
  }

  bool occluded() const override {
    return (sdl().SDL_GetWindowFlags(m_window) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
  }

  void setFullscreen(bool fullscreen) override {
    sdl().SDL_SetWindowFullscreen(m_window, fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
  }

  const char* name() const override { return "sdl2"; }

private:
  SDL_Window* m_window;
};

} // namespace

bool sdlWindowIsValid(void* window) {
  // Programs pass made-up handles such as (HWND)1 when they test; SDL would follow them.
  if (reinterpret_cast<uintptr_t>(window) < 65536 || reinterpret_cast<uintptr_t>(window) % alignof(void*) != 0)
    return false;
  return sdl().loaded && sdl().SDL_GetWindowID(static_cast<SDL_Window*>(window)) != 0;
}

std::unique_ptr<Surface> createSdlSurface(void* window) {
  if (!sdlWindowIsValid(window)) return nullptr;
  return std::make_unique<SdlSurface>(static_cast<SDL_Window*>(window));
}

bool sdlPrimaryDisplay(DisplayMode& mode) {
  // Only asks an SDL that the program itself has started; starting one is the program's business.
  if (!dlsym(RTLD_DEFAULT, "SDL_WasInit") || !sdl().loaded || !sdl().SDL_WasInit(SDL_INIT_VIDEO)) return false;
  SDL_DisplayMode desktop = {};
  if (sdl().SDL_GetDesktopDisplayMode(0, &desktop) != 0 || desktop.w <= 0 || desktop.h <= 0) return false;
  mode.width = static_cast<uint32_t>(desktop.w);
  mode.height = static_cast<uint32_t>(desktop.h);
  if (desktop.refresh_rate > 0) mode.refreshHz = static_cast<uint32_t>(desktop.refresh_rate);
  return true;
}

} // namespace monolith::wsi
