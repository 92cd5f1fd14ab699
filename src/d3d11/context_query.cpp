// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "d3d11/context.h"
#include "d3d11/guard.h"

namespace monolith::d3d11 {

namespace {
/// Polls after which GetData lends the timeline this thread: a loop that only polls must end.
constexpr uint32_t kPatience = 32;
} // namespace

void STDMETHODCALLTYPE Context::Begin(ID3D11Asynchronous* async) {
  const ContextLock lock(m_lock);
  QueryState* q = stateOf(async, device());
  if (!q || !q->needsBegin())
    return;
  if (m_predicated && q == &state().predicate->state()) {
    base::logOnce("Begin: the predicate is in use");
    return;
  }
  guarded([&] {
    // A second Begin discards the first.
    if (q->phase == QueryState::Phase::Begun)
      m_recorder.push<commands::EndQuery>()->query = q->exec.get();
    m_recorder.push<commands::BeginQuery>()->query = q->exec.get();
    q->phase = QueryState::Phase::Begun;
    return S_OK;
  });
}

void STDMETHODCALLTYPE Context::End(ID3D11Asynchronous* async) {
  const ContextLock lock(m_lock);
  QueryState* q = stateOf(async, device());
  if (!q)
    return;
  if (m_predicated && q == &state().predicate->state()) {
    base::logOnce("End: the predicate is in use");
    return;
  }
  guarded([&] {
    // End without Begin counts nothing.
    if (q->needsBegin() && q->phase != QueryState::Phase::Begun)
      m_recorder.push<commands::BeginQuery>()->query = q->exec.get();
    m_recorder.push<commands::EndQuery>()->query = q->exec.get();
    q->exec->endSerial = m_timeline.recordingSerial();
    q->phase = QueryState::Phase::Ended;
    q->polls = 0;
    return S_OK;
  });
}

HRESULT STDMETHODCALLTYPE Context::GetData(ID3D11Asynchronous* async, void* data, UINT size, UINT flags) {
  const ContextLock lock(m_lock);
  QueryState* q = stateOf(async, device());
  if (!q || (flags & ~UINT(D3D11_ASYNC_GETDATA_DONOTFLUSH)) || (!data && size) ||
      (size && size != queryDataSize(q->desc.Query)))
    return E_INVALIDARG;
  if (q->desc.MiscFlags & D3D11_QUERY_MISC_PREDICATEHINT)
    return DXGI_ERROR_INVALID_CALL;
  if (q->phase != QueryState::Phase::Ended)
    return DXGI_ERROR_INVALID_CALL;
  const HRESULT removed = device()->GetDeviceRemovedReason();
  if (removed != S_OK)
    return DXGI_ERROR_DEVICE_REMOVED;
  const uint64_t serial = q->exec->endSerial;
  if (m_timeline.completedSerial() < serial) {
    if (flags & D3D11_ASYNC_GETDATA_DONOTFLUSH)
      return S_FALSE;
    if (serial >= m_timeline.recordingSerial())
      m_timeline.flush();
    if (m_timeline.threadCount() <= 1 || ++q->polls > kPatience)
      m_timeline.wait(serial);
    if (m_timeline.completedSerial() < serial)
      return S_FALSE;
  }
  if (size)
    writeQueryData(*q, data);
  return S_OK;
}

void STDMETHODCALLTYPE Context::SetPredication(ID3D11Predicate* predicate, WINBOOL value) {
  const ContextLock lock(m_lock);
  state().predicate.set(ours(static_cast<Predicate*>(predicate)));
  state().predicateValue = value;
  m_predicated = static_cast<bool>(state().predicate);
}

} // namespace monolith::d3d11
