// SPDX-License-Identifier: MIT
/// @file
/// The Earth, drawn by an ordinary Direct3D 11 program.
#include "window.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

const char* const kHelp = "usage: earth [--headless] [--size WxH] [--frames N] [--interval N] [--out DIR]\n"
                          "  --headless   no window: pictures in DIR (default out/earth); also without a display\n"
                          "  --size WxH   pixels, default 1280x720\n"
                          "  --frames N   stop after N frames (headless default 60)\n"
                          "  --interval N sync interval in a window, default 1; 0 = as fast as it goes\n"
                          "In the window: drag turns, wheel zooms, Escape ends.\n";

/// Digits only, 1 to `most`.
bool parseNumber(const char* text, unsigned long most, uint32_t& out, char end = 0) {
  char* rest = nullptr;
  const unsigned long value = std::strtoul(text, &rest, 10);
  if (rest == text || *rest != end || *text == '-' || value > most) return false;
  out = static_cast<uint32_t>(value);
  return true;
}

bool parse(int count, char** arguments, RunOptions& options) {
  for (int i = 1; i < count; i++) {
    const char* name = arguments[i];
    if (!std::strcmp(name, "--headless")) {
      options.headless = true;
      continue;
    }
    if (i + 1 == count) return false;
    const char* value = arguments[++i];
    if (!std::strcmp(name, "--size")) {
      const char* cross = std::strchr(value, 'x');
      if (!cross || !parseNumber(value, 8192, options.width, 'x') || !parseNumber(cross + 1, 8192, options.height) ||
          !options.width || !options.height)
        return false;
    } else if (!std::strcmp(name, "--frames")) {
      if (!parseNumber(value, 1000000, options.frames)) return false;
    } else if (!std::strcmp(name, "--interval")) {
      if (!parseNumber(value, 4, options.interval)) return false;
    } else if (!std::strcmp(name, "--out")) {
      options.out = value;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

int main(int count, char** arguments) {
  RunOptions options;
  if (count == 2 && !std::strcmp(arguments[1], "--help")) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (!parse(count, arguments, options)) {
    std::fputs(kHelp, stderr);
    return 2;
  }
  try {
    int result = 0;
    if (!options.headless && runWindow(options, result)) return result;
    return runHeadless(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "earth: %s\n", error.what());
    return 1;
  }
}
