// SPDX-License-Identifier: MIT
/// @file
/// An SDL window as a surface. SDL2 is found at run time (in the process first, then as libSDL2-2.0.so.0), so that
/// the product runs on machines without it. SDL wants its windows used on the thread that handles events: Present
/// is called there by ordinary programs.
#pragma once

#include "wsi/surface.h"

namespace monolith::wsi {

/// Null when SDL2 cannot be loaded or the pointer is no SDL window.
std::unique_ptr<Surface> createSdlSurface(void* window);
bool sdlWindowIsValid(void* window);
bool sdlPrimaryDisplay(DisplayMode& mode);

} // namespace monolith::wsi
