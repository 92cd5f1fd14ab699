// SPDX-License-Identifier: MIT
/// @file
/// A query as the timeline sees it. d3d11/ owns it; results are valid once `serial` of the last End is complete.
#pragma once

#include "resources/resource.h"

#include <cstdint>

namespace monolith::queries {

enum class QueryKind : uint8_t { Event, Occlusion, Timestamp, TimestampDisjoint, PipelineStatistics, OcclusionPredicate };

class Tracker;

class Query : public resources::Retirable {
public:
  Query() = default;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() override; ///< A query may go while it counts.

  QueryKind kind = QueryKind::Event;
  uint64_t result = 0;      ///< Occlusion: samples; timestamp: ns of the monotonic clock; written by the timeline.
  uint64_t endSerial = 0;   ///< Set by d3d11/ at End: Timeline::recordingSerial() then.
  Tracker* tracker = nullptr; ///< Timeline's own: who counts for it.
  uint64_t statistics[11] = {}; ///< PipelineStatistics in the order of D3D11_QUERY_DATA_PIPELINE_STATISTICS.
};

} // namespace monolith::queries
