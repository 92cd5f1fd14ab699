// SPDX-License-Identifier: MIT
#include "com/interfaces.h"

#include "base/log.h"

#include <cstring>
#include <mutex>
#include <vector>

namespace monolith::com {

void logUnknownInterface(const char* className, REFIID id) {
  if (!base::logEnabled(base::LogLevel::Info))
    return;
  struct Pair {
    const char* name;
    GUID id;
  };
  static std::mutex mutex;
  static std::vector<Pair> seen;
  const std::lock_guard lock(mutex);
  for (const Pair& p : seen)
    if (std::strcmp(p.name, className) == 0 && p.id == id)
      return;
  seen.push_back({className, id});
  base::logLine(base::LogLevel::Info, "%s: no interface %08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", className,
                id.Data1, id.Data2, id.Data3, id.Data4[0], id.Data4[1], id.Data4[2], id.Data4[3], id.Data4[4], id.Data4[5],
                id.Data4[6], id.Data4[7]);
}

} // namespace monolith::com
