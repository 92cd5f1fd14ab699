// SPDX-License-Identifier: MIT
#include "base/log.h"

#include "base/options.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_set>

namespace monolith::base {
namespace {

LogLevel readLevel() {
  static constexpr const char* kNames[] = {"none", "error", "warn", "info", "debug"};
  const char* text = optionText(Option::LOG);
  for (int i = 0; i < 5; i++)
    if (!std::strcmp(text, kNames[i])) return static_cast<LogLevel>(i);
  return LogLevel::Error;
}

} // namespace

bool logEnabled(LogLevel level) {
  static const LogLevel limit = readLevel();
  return level != LogLevel::None && level <= limit;
}

void logLine(LogLevel level, const char* format, ...) {
  if (!logEnabled(level)) return;
  // One write per line, so that lines of several threads do not mix.
  char line[2048];
  int at = std::snprintf(line, sizeof line, "monolith: ");
  va_list args;
  va_start(args, format);
  int more = std::vsnprintf(line + at, sizeof line - at - 1, format, args);
  va_end(args);
  if (more < 0) return;
  size_t end = std::strlen(line);
  line[end] = '\n';
  std::fwrite(line, 1, end + 1, stderr);
}

void logOnce(const char* text) {
  static std::mutex mutex;
  static std::unordered_set<const void*> seen;
  {
    std::lock_guard lock(mutex);
    if (!seen.insert(text).second) return;
  }
  logLine(LogLevel::Warn, "%s", text);
}

} // namespace monolith::base
