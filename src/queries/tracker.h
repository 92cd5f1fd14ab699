// SPDX-License-Identifier: MIT
/// @file
/// Counters of queries over scenes. Draws of a scene are executed long after their queries begin and end in the stream, so
/// each stretch of the scene between two begins or ends gets a *slot*, draws count into their slot, and a query's
/// answer is the sum over the slots from its begin to its end.
#pragma once

#include "queries/query.h"

#include <span>
#include <vector>

namespace monolith::queries {

/// Sums of one slot over all threads.
struct SlotCounts {
  uint64_t samples = 0;
  uint64_t statistics[11] = {};
};

class Tracker {
public:
  Tracker() = default;
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;
  ~Tracker();

  void begin(Query& query, bool sceneOpen);
  /// True if the answer must wait for the scene's end; otherwise it stands.
  bool end(Query& query, bool sceneOpen);
  /// The query is about to go, begun or not.
  void forget(Query& query);
  void sceneOpened() { m_slot = 1; }
  /// counts[slot] of the scene that ends.
  void sceneDone(std::span<const SlotCounts> counts);

  uint32_t slot() const { return m_slot; }
  uint32_t slotCount() const { return m_slot + 1; }
  bool countsSamples() const { return m_sampleQueries != 0; }
  bool countsStatistics() const { return m_statisticsQueries != 0; }
  /// Something has counted in the present scene.
  bool anything() const { return !m_active.empty() || !m_ended.empty(); }

private:
  struct Interval {
    Query* query;
    uint32_t first, last;
  };
  static bool isSamples(const Query& q) { return q.kind == QueryKind::Occlusion || q.kind == QueryKind::OcclusionPredicate; }
  static void add(const Interval& interval, std::span<const SlotCounts> counts);

  std::vector<Interval> m_active, m_ended;
  uint32_t m_slot = 1; ///< Slot 0 is for draws that nobody counts.
  uint32_t m_sampleQueries = 0, m_statisticsQueries = 0;
};

} // namespace monolith::queries
