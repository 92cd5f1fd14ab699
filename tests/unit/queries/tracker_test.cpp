// SPDX-License-Identifier: MIT
#include "queries/tracker.h"

#include <gtest/gtest.h>

namespace monolith::queries {
namespace {

struct Occlusion : Query {
  Occlusion() { kind = QueryKind::Occlusion; }
};

TEST(Tracker, OverlappingQueriesOverScenes) {
  Tracker t;
  Occlusion a, b;
  t.sceneOpened();
  t.begin(a, true);
  EXPECT_TRUE(t.countsSamples());
  const uint32_t s1 = t.slot();
  t.begin(b, true);
  const uint32_t s2 = t.slot();
  EXPECT_TRUE(t.end(a, true));
  const uint32_t s3 = t.slot();
  std::vector<SlotCounts> counts(t.slotCount());
  counts[s1].samples = 1;
  counts[s2].samples = 10;
  counts[s3].samples = 100;
  t.sceneDone(counts);
  EXPECT_EQ(a.result, 11u);
  EXPECT_EQ(b.result, 110u);
  t.sceneOpened();
  counts.assign(t.slotCount(), {});
  counts[t.slot()].samples = 1000;
  t.sceneDone(counts);
  EXPECT_FALSE(t.end(b, false));
  EXPECT_EQ(b.result, 1110u);
  EXPECT_FALSE(t.countsSamples());
  EXPECT_FALSE(t.anything());
}

TEST(Tracker, BeginAgainRestarts) {
  Tracker t;
  Occlusion a;
  t.begin(a, true);
  std::vector<SlotCounts> counts(t.slotCount());
  counts[t.slot()].samples = 5;
  t.begin(a, true);
  counts.resize(t.slotCount());
  counts[t.slot()].samples = 7;
  t.end(a, true);
  t.sceneDone(counts);
  EXPECT_EQ(a.result, 7u);
}

TEST(Tracker, Statistics) {
  Tracker t;
  Query q;
  q.kind = QueryKind::PipelineStatistics;
  t.begin(q, false);
  EXPECT_TRUE(t.countsStatistics());
  EXPECT_FALSE(t.countsSamples());
  t.sceneOpened();
  std::vector<SlotCounts> counts(t.slotCount());
  counts[1].statistics[2] = 42;
  t.sceneDone(counts);
  t.end(q, false);
  EXPECT_EQ(q.statistics[2], 42u);
}

TEST(Tracker, EndWithoutBegin) {
  Tracker t;
  Occlusion a;
  EXPECT_FALSE(t.end(a, true));
  EXPECT_EQ(a.result, 0u);
}

} // namespace
} // namespace monolith::queries
