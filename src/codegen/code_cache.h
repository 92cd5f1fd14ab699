// SPDX-License-Identifier: MIT
/// @file
/// Routines by key, least recently used first out, bounded by the bytes of their machine code. A key is a string of
/// bytes without padding; all bytes are hashed and compared. Thread-safe: code is made outside of the lock, so two
/// threads may make the same routine at the same time; the first one stays.
#pragma once

#include "codegen/pixel_key.h"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace monolith::codegen {

/// Key under construction: plain values, byte by byte.
class KeyWriter {
public:
  template <class T> void add(T value)
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  {
    for (size_t b = 0; b < sizeof value; ++b)
      bytes.push_back(uint8_t(uint64_t(value) >> (8 * b)));
  }
  std::vector<uint8_t> bytes;
};

/// What a cache did so far.
struct CacheCounters {
  uint64_t hits = 0, misses = 0, dropped = 0, bytes = 0;
};

/// R: a routine with `size_t codeBytes() const`.
template <class R> class CodeCache {
public:
  explicit CodeCache(uint64_t maxBytes) : m_limit(maxBytes) {}

  /// The routine of the key; `make` gives a std::shared_ptr<const R> if there is none yet (null is not kept).
  template <class Make> std::shared_ptr<const R> get(const std::vector<uint8_t>& key, Make&& make) {
    {
      std::lock_guard lock(m_mutex);
      if (const auto found = m_byKey.find(key); found != m_byKey.end()) {
        ++m_counters.hits;
        m_recent.splice(m_recent.begin(), m_recent, found->second);
        return found->second->routine;
      }
      ++m_counters.misses;
    }
    std::shared_ptr<const R> made = make();
    if (!made)
      return nullptr;
    std::lock_guard lock(m_mutex);
    const auto [at, added] = m_byKey.try_emplace(key, m_recent.end());
    if (!added)
      return at->second->routine;
    m_recent.push_front({&at->first, made});
    at->second = m_recent.begin();
    m_counters.bytes += made->codeBytes();
    trim();
    return made;
  }

  CacheCounters counters() const {
    std::lock_guard lock(m_mutex);
    return m_counters;
  }

private:
  struct Entry {
    const std::vector<uint8_t>* key;
    std::shared_ptr<const R> routine;
  };
  struct Hash {
    size_t operator()(const std::vector<uint8_t>& key) const { return hashBytes(key.data(), key.size()); }
  };

  /// Drops the oldest; the newest stays however large it is.
  void trim() {
    while (m_counters.bytes > m_limit && m_recent.size() > 1) {
      const Entry& last = m_recent.back();
      m_counters.bytes -= last.routine->codeBytes();
      ++m_counters.dropped;
      m_byKey.erase(m_byKey.find(*last.key));
      m_recent.pop_back();
    }
  }

  mutable std::mutex m_mutex;
  const uint64_t m_limit;
  CacheCounters m_counters;
  std::list<Entry> m_recent; ///< front: used last
  std::unordered_map<std::vector<uint8_t>, typename std::list<Entry>::iterator, Hash> m_byKey;
};

} // namespace monolith::codegen
