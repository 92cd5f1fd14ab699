// SPDX-License-Identifier: MIT
/// @file
/// libd3d11_x.so consists of rooms; this file only adds what the static library of the assembler cannot bring into a
/// shared one: its debug helpers are compiled without -fPIC and refer to stderr. Defined here, they are not taken from it.
#include "base/log.h"

#include <asmjit/core/globals.h>

#include <cstdlib>

ASMJIT_BEGIN_NAMESPACE
namespace DebugUtils {

const char* errorAsString(Error) noexcept { return "assembler error"; }
void debugOutput(const char* text) noexcept { monolith::base::logLine(monolith::base::LogLevel::Debug, "%s", text); }
void assertionFailed(const char* file, int line, const char* text) noexcept {
  monolith::base::logLine(monolith::base::LogLevel::Error, "assembler: %s:%d: %s", file, line, text);
  std::abort();
}

} // namespace DebugUtils
ASMJIT_END_NAMESPACE
