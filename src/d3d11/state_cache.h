// SPDX-License-Identifier: MIT
/// @file
/// One object per equal description: the set behind CreateBlendState and its like. The set holds no references; an
/// object takes itself out when it dies. A lookup may meet an object whose last reference is just being dropped; then
/// tryAddPrivate fails and the entry is replaced, and the dying object finds that the entry is no longer its own.
#pragma once

#include <windows.h>

#include <cstring>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace monolith::d3d11 {

inline constexpr size_t kMaxUniqueStates = 4096;

/// Desc is a plain struct whose padding is zero (see normalize.h).
template <typename Object, typename Desc> class StateCache {
public:
  /// Finds or makes the object for `desc` and hands it out with a public reference.
  template <typename Interface, typename Make> HRESULT get(const Desc& desc, Interface** out, Make make) {
    const std::lock_guard lock(m_mutex);
    auto it = m_objects.find(Key{desc});
    if (it != m_objects.end() && it->second->refs().tryAddPrivate()) {
      Object* found = it->second;
      found->AddRef();
      *out = found;
      // The private reference taken above is covered by the public one now.
      found->releasePrivate();
      return S_OK;
    }
    if (it == m_objects.end() && m_objects.size() >= kMaxUniqueStates)
      return D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS;
    // The entry comes first: an object that is deleted here would wait for the mutex.
    const auto slot = m_objects.try_emplace(Key{desc}, nullptr).first;
    Object* made;
    try {
      made = make();
    } catch (...) {
      if (!slot->second)
        m_objects.erase(slot);
      throw;
    }
    slot->second = made;
    made->AddRef();
    *out = made;
    return S_OK;
  }

  void remove(const Desc& desc, const Object* object) {
    const std::lock_guard lock(m_mutex);
    auto it = m_objects.find(Key{desc});
    if (it != m_objects.end() && it->second == object)
      m_objects.erase(it);
  }

private:
  struct Key {
    Desc desc;
    bool operator==(const Key& other) const { return std::memcmp(&desc, &other.desc, sizeof(Desc)) == 0; }
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(std::string_view(reinterpret_cast<const char*>(&key.desc), sizeof(Desc)));
    }
  };
  std::mutex m_mutex;
  std::unordered_map<Key, Object*, Hash> m_objects;
};

} // namespace monolith::d3d11
