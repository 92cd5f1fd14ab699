// SPDX-License-Identifier: MIT
#include "queries/tracker.h"

#include <algorithm>

namespace monolith::queries {

Query::~Query() {
  if (tracker)
    tracker->forget(*this);
}

Tracker::~Tracker() {
  for (const auto* list : {&m_active, &m_ended})
    for (const Interval& i : *list)
      i.query->tracker = nullptr;
}

void Tracker::forget(Query& query) {
  end(query, false);
  std::erase_if(m_ended, [&](const Interval& i) { return i.query == &query; });
  query.tracker = nullptr;
}

void Tracker::begin(Query& query, bool sceneOpen) {
  end(query, sceneOpen); // a second Begin restarts
  std::erase_if(m_ended, [&](const Interval& i) { return i.query == &query; });
  query.result = 0;
  std::fill(std::begin(query.statistics), std::end(query.statistics), 0);
  if (isSamples(query))
    ++m_sampleQueries;
  else if (query.kind == QueryKind::PipelineStatistics)
    ++m_statisticsQueries;
  else
    return;
  if (sceneOpen)
    ++m_slot;
  m_active.push_back({&query, m_slot, m_slot});
  query.tracker = this;
}

bool Tracker::end(Query& query, bool sceneOpen) {
  const auto it = std::find_if(m_active.begin(), m_active.end(), [&](const Interval& i) { return i.query == &query; });
  if (it == m_active.end())
    return false;
  if (isSamples(query))
    --m_sampleQueries;
  else
    --m_statisticsQueries;
  if (sceneOpen) {
    m_ended.push_back({&query, it->first, m_slot});
    ++m_slot;
  }
  m_active.erase(it);
  return sceneOpen;
}

void Tracker::add(const Interval& interval, std::span<const SlotCounts> counts) {
  for (uint32_t s = interval.first; s <= interval.last && s < counts.size(); ++s) {
    if (isSamples(*interval.query))
      interval.query->result += counts[s].samples;
    else
      for (size_t i = 0; i < std::size(interval.query->statistics); ++i)
        interval.query->statistics[i] += counts[s].statistics[i];
  }
}

void Tracker::sceneDone(std::span<const SlotCounts> counts) {
  for (const Interval& i : m_ended)
    add(i, counts);
  m_ended.clear();
  for (Interval& i : m_active) {
    add({i.query, i.first, m_slot}, counts);
    i.first = 1;
  }
  m_slot = 1;
}

} // namespace monolith::queries
