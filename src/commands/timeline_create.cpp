// SPDX-License-Identifier: MIT
#include "base/cpu.h"
#include "commands/executor.h"

namespace monolith::commands {

namespace {
/// A draw is given so many times the time when shaders are interpreted.
constexpr double kInterpreterSlowness = 50;
} // namespace

std::unique_ptr<Timeline> Timeline::create(const TimelineOptions& options) {
  TimelineOptions adjusted = options;
  if (options.interpretShaders || !base::hasAvx2())
    adjusted.hangSeconds *= kInterpreterSlowness;
  Parts parts;
  parts.routines = codegen::Routines::create(options.codeBudget, options.interpretShaders);
  if (!parts.routines)
    return nullptr;
  parts.makeBinner = &binning::Binner::create;
  parts.renderTile = &tiles::renderTile;
  parts.tileEmpty = &tiles::tileEmpty;
  return createTimeline(adjusted, std::move(parts));
}

} // namespace monolith::commands
