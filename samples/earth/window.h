// SPDX-License-Identifier: MIT
/// @file
/// The two ways to run: an interactive SDL window, or pictures without any display.
#pragma once

#include <cstdint>
#include <string>

struct RunOptions {
  bool headless = false;
  uint32_t width = 1280, height = 720;
  uint32_t frames = 0;       ///< 0: headless 60 frames, windows until closed.
  uint32_t interval = 1;     ///< Sync interval of Present in a window.
  std::string out = "out/earth";
};

/// Exit code of the program. Throws std::runtime_error.
int runHeadless(const RunOptions& options);
/// False when no display could be opened (`result` untouched).
bool runWindow(const RunOptions& options, int& result);
