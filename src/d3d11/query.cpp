// SPDX-License-Identifier: MIT
#include "d3d11/query.h"

#include <cstring>

namespace monolith::d3d11 {

UINT queryDataSize(D3D11_QUERY type) {
  switch (type) {
  case D3D11_QUERY_EVENT:
  case D3D11_QUERY_OCCLUSION_PREDICATE: return sizeof(BOOL);
  case D3D11_QUERY_OCCLUSION:
  case D3D11_QUERY_TIMESTAMP: return sizeof(UINT64);
  case D3D11_QUERY_TIMESTAMP_DISJOINT: return sizeof(D3D11_QUERY_DATA_TIMESTAMP_DISJOINT);
  case D3D11_QUERY_PIPELINE_STATISTICS: return sizeof(D3D11_QUERY_DATA_PIPELINE_STATISTICS);
  default: return 0;
  }
}

bool queryKind(D3D11_QUERY type, queries::QueryKind& kind) {
  switch (type) {
  case D3D11_QUERY_EVENT: kind = queries::QueryKind::Event; return true;
  case D3D11_QUERY_OCCLUSION: kind = queries::QueryKind::Occlusion; return true;
  case D3D11_QUERY_TIMESTAMP: kind = queries::QueryKind::Timestamp; return true;
  case D3D11_QUERY_TIMESTAMP_DISJOINT: kind = queries::QueryKind::TimestampDisjoint; return true;
  case D3D11_QUERY_PIPELINE_STATISTICS: kind = queries::QueryKind::PipelineStatistics; return true;
  case D3D11_QUERY_OCCLUSION_PREDICATE: kind = queries::QueryKind::OcclusionPredicate; return true;
  default: return false;
  }
}

void writeQueryData(const QueryState& query, void* data) {
  const queries::Query& q = *query.exec;
  switch (query.desc.Query) {
  case D3D11_QUERY_EVENT: {
    const BOOL done = TRUE;
    std::memcpy(data, &done, sizeof done);
    break;
  }
  case D3D11_QUERY_OCCLUSION_PREDICATE: {
    const BOOL any = q.result != 0;
    std::memcpy(data, &any, sizeof any);
    break;
  }
  case D3D11_QUERY_TIMESTAMP_DISJOINT: {
    // Timestamps are nanoseconds of one monotonic clock that never jumps.
    D3D11_QUERY_DATA_TIMESTAMP_DISJOINT d;
    std::memset(&d, 0, sizeof d);
    d.Frequency = 1000000000;
    d.Disjoint = FALSE;
    std::memcpy(data, &d, sizeof d);
    break;
  }
  case D3D11_QUERY_PIPELINE_STATISTICS:
    static_assert(sizeof(D3D11_QUERY_DATA_PIPELINE_STATISTICS) == sizeof q.statistics);
    std::memcpy(data, q.statistics, sizeof q.statistics);
    break;
  default: std::memcpy(data, &q.result, sizeof q.result); break;
  }
}

QueryState* stateOf(ID3D11Asynchronous* async, const Device* device) {
  if (!async)
    return nullptr;
  // A query and a predicate are told apart by asking; the objects live longer than this call.
  void* found = nullptr;
  QueryState* state = nullptr;
  if (SUCCEEDED(async->QueryInterface(__uuidof(ID3D11Predicate), &found))) {
    auto* predicate = static_cast<Predicate*>(static_cast<ID3D11Predicate*>(found));
    state = predicate->device() == device ? &predicate->state() : nullptr;
    predicate->Release();
  } else if (SUCCEEDED(async->QueryInterface(__uuidof(ID3D11Query1), &found))) {
    auto* query = static_cast<Query*>(static_cast<ID3D11Query1*>(found));
    state = query->device() == device ? &query->state() : nullptr;
    query->Release();
  }
  return state;
}

} // namespace monolith::d3d11
