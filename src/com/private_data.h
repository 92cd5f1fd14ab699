// SPDX-License-Identifier: MIT
/// @file
/// Application data attached to an object by GUID, and with it the debug name. Safe for concurrent use.
#pragma once

#include <unknwn.h>

#include <mutex>
#include <string>
#include <vector>

namespace monolith::com {

class PrivateData {
public:
  PrivateData() = default;
  ~PrivateData();
  PrivateData(const PrivateData&) = delete;
  PrivateData& operator=(const PrivateData&) = delete;

  /// `data` null removes the entry (S_FALSE if there was none).
  HRESULT set(REFGUID guid, UINT size, const void* data);
  /// Holds a reference until replaced, removed (null) or destroyed.
  HRESULT setInterface(REFGUID guid, const IUnknown* object);
  /// In: buffer size, out: bytes of the entry. A null buffer asks for the size. DXGI_ERROR_MORE_DATA leaves the
  /// buffer alone, DXGI_ERROR_NOT_FOUND sets the size to 0. A stored interface is returned with a reference.
  HRESULT get(REFGUID guid, UINT* size, void* data) const;

  /// WKPDID_D3DDebugObjectName or ...NameW as UTF-8; empty if unset.
  std::string debugName() const;

private:
  struct Entry {
    GUID guid;
    IUnknown* object;
    std::vector<uint8_t> bytes;
  };
  Entry* find(REFGUID guid);
  HRESULT remove(std::unique_lock<std::mutex>& lock, REFGUID guid);

  mutable std::mutex m_mutex;
  std::vector<Entry> m_entries;
};

} // namespace monolith::com
