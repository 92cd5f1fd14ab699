// SPDX-License-Identifier: MIT
/// @file
/// Queries and predicates: one implementation under two interface chains.
#pragma once

#include "d3d11/device_child.h"
#include "queries/query.h"

namespace monolith::d3d11 {

/// What the context needs of any asynchronous object.
struct QueryState {
  D3D11_QUERY_DESC1 desc{};
  std::shared_ptr<queries::Query> exec;
  enum class Phase : uint8_t { Fresh, Begun, Ended } phase = Phase::Fresh;
  uint32_t polls = 0; ///< GetData calls since End that found nothing.
  bool needsBegin() const {
    return desc.Query != D3D11_QUERY_EVENT && desc.Query != D3D11_QUERY_TIMESTAMP;
  }
};

/// Bytes of a query type's data; 0 for types that are not built.
UINT queryDataSize(D3D11_QUERY type);
/// The executor's kind. False for types that are not built.
bool queryKind(D3D11_QUERY type, queries::QueryKind& kind);
/// Writes queryDataSize bytes.
void writeQueryData(const QueryState& query, void* data);

template <typename List> class QueryObject : public DeviceChild<List> {
public:
  QueryObject(Device* device, const D3D11_QUERY_DESC1& desc, queries::QueryKind kind) : DeviceChild<List>(device) {
    m_state.desc = desc;
    m_state.exec = std::make_shared<queries::Query>();
    m_state.exec->kind = kind;
  }
  ~QueryObject() override { retire(this->device(), std::move(m_state.exec)); }
  UINT STDMETHODCALLTYPE GetDataSize() final { return queryDataSize(m_state.desc.Query); }
  void STDMETHODCALLTYPE GetDesc(D3D11_QUERY_DESC* desc) final { *desc = {m_state.desc.Query, m_state.desc.MiscFlags}; }
  QueryState& state() { return m_state; }

protected:
  QueryState m_state;
};

class Query final : public QueryObject<com::Interfaces<ID3D11Query1, ID3D11Query, ID3D11Asynchronous, ID3D11DeviceChild>> {
public:
  using QueryObject::QueryObject;
  void STDMETHODCALLTYPE GetDesc1(D3D11_QUERY_DESC1* desc) override { *desc = m_state.desc; }

protected:
  const char* className() const override { return "ID3D11Query"; }
};

class Predicate final
    : public QueryObject<com::Interfaces<ID3D11Predicate, ID3D11Query, ID3D11Asynchronous, ID3D11DeviceChild>> {
public:
  using QueryObject::QueryObject;

protected:
  const char* className() const override { return "ID3D11Predicate"; }
};

/// The state behind an asynchronous object of this device; null if it is another's.
QueryState* stateOf(ID3D11Asynchronous* async, const Device* device);

} // namespace monolith::d3d11
