// SPDX-License-Identifier: MIT
#include "commands/executor.h"

namespace monolith::commands {

std::unique_ptr<Timeline> Timeline::create(const TimelineOptions& options) {
  Parts parts;
  parts.routines = codegen::Routines::create(options.codeBudget);
  if (!parts.routines)
    return nullptr;
  parts.makeBinner = &binning::Binner::create;
  parts.renderTile = &tiles::renderTile;
  parts.tileEmpty = &tiles::tileEmpty;
  return createTimeline(options, std::move(parts));
}

} // namespace monolith::commands
