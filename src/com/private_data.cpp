// SPDX-License-Identifier: MIT
#include "com/private_data.h"

#include <d3dcommon.h>

#include <cstring>

namespace monolith::com {

// {4CCA5FD8-921F-42C8-8566-70CAF2A9B741}
DEFINE_GUID(kDebugObjectNameW, 0x4cca5fd8, 0x921f, 0x42c8, 0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41);

PrivateData::~PrivateData() {
  for (Entry& e : m_entries)
    if (e.object)
      e.object->Release();
}

PrivateData::Entry* PrivateData::find(REFGUID guid) {
  for (Entry& e : m_entries)
    if (e.guid == guid)
      return &e;
  return nullptr;
}

/// Releases the stored interface outside the lock: its destructor may call back.
HRESULT PrivateData::remove(std::unique_lock<std::mutex>& lock, REFGUID guid) {
  Entry* e = find(guid);
  if (!e)
    return S_FALSE;
  IUnknown* object = e->object;
  m_entries.erase(m_entries.begin() + (e - m_entries.data()));
  lock.unlock();
  if (object)
    object->Release();
  return S_OK;
}

HRESULT PrivateData::set(REFGUID guid, UINT size, const void* data) {
  std::unique_lock lock(m_mutex);
  if (!data)
    return remove(lock, guid);
  const auto* bytes = static_cast<const uint8_t*>(data);
  std::vector<uint8_t> copy(bytes, bytes + size);
  IUnknown* old = nullptr;
  if (Entry* e = find(guid)) {
    old = e->object;
    e->object = nullptr;
    e->bytes.swap(copy);
  } else {
    m_entries.push_back({guid, nullptr, std::move(copy)});
  }
  lock.unlock();
  if (old)
    old->Release();
  return S_OK;
}

HRESULT PrivateData::setInterface(REFGUID guid, const IUnknown* object) {
  auto* mine = const_cast<IUnknown*>(object);
  std::unique_lock lock(m_mutex);
  if (!mine)
    return remove(lock, guid);
  IUnknown* old = nullptr;
  if (Entry* e = find(guid)) {
    old = e->object;
    e->object = mine;
    e->bytes.clear();
  } else {
    m_entries.push_back({guid, mine, {}});
  }
  mine->AddRef();
  lock.unlock();
  if (old)
    old->Release();
  return S_OK;
}

HRESULT PrivateData::get(REFGUID guid, UINT* size, void* data) const {
  if (!size)
    return E_INVALIDARG;
  const std::lock_guard lock(m_mutex);
  const Entry* e = const_cast<PrivateData*>(this)->find(guid);
  if (!e) {
    *size = 0;
    return DXGI_ERROR_NOT_FOUND;
  }
  const UINT capacity = *size;
  *size = e->object ? UINT(sizeof(IUnknown*)) : UINT(e->bytes.size());
  if (!data)
    return S_OK;
  if (capacity < *size)
    return DXGI_ERROR_MORE_DATA;
  if (e->object) {
    e->object->AddRef();
    std::memcpy(data, &e->object, sizeof(IUnknown*));
  } else if (!e->bytes.empty()) {
    std::memcpy(data, e->bytes.data(), e->bytes.size());
  }
  return S_OK;
}

std::string PrivateData::debugName() const {
  const std::lock_guard lock(m_mutex);
  auto* self = const_cast<PrivateData*>(this);
  if (const Entry* e = self->find(WKPDID_D3DDebugObjectName)) {
    std::string name(e->bytes.begin(), e->bytes.end());
    return name.substr(0, name.find('\0'));
  }
  std::string name;
  if (const Entry* e = self->find(kDebugObjectNameW)) {
    for (size_t i = 0; i + sizeof(WCHAR) <= e->bytes.size(); i += sizeof(WCHAR)) {
      WCHAR c;
      std::memcpy(&c, &e->bytes[i], sizeof c);
      const auto u = static_cast<uint32_t>(c);
      if (u == 0)
        break;
      if (u < 0x80) {
        name += static_cast<char>(u);
      } else if (u < 0x800) {
        name += static_cast<char>(0xc0 | u >> 6);
        name += static_cast<char>(0x80 | (u & 63));
      } else if (u < 0x10000) {
        name += static_cast<char>(0xe0 | u >> 12);
        name += static_cast<char>(0x80 | (u >> 6 & 63));
        name += static_cast<char>(0x80 | (u & 63));
      } else if (u < 0x110000) {
        name += static_cast<char>(0xf0 | u >> 18);
        name += static_cast<char>(0x80 | (u >> 12 & 63));
        name += static_cast<char>(0x80 | (u >> 6 & 63));
        name += static_cast<char>(0x80 | (u & 63));
      }
    }
  }
  return name;
}

} // namespace monolith::com
