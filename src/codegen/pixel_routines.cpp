// SPDX-License-Identifier: MIT
#include "codegen/pixel_routines.h"

#include "codegen/pixel_kernel.h"

#include <list>
#include <mutex>
#include <unordered_map>

namespace monolith::codegen {

namespace {

struct Compiled final : PixelRoutine {
  simd::Routine code;
};

struct KeyHash {
  size_t operator()(const std::vector<uint8_t>& key) const { return hashBytes(key.data(), key.size()); }
};

} // namespace

struct PixelRoutines::Cache {
  struct Entry {
    const std::vector<uint8_t>* key;
    std::shared_ptr<const Compiled> routine;
  };
  std::mutex mutex;
  uint64_t limit = 0, bytes = 0;
  std::list<Entry> recent; // front: used last
  std::unordered_map<std::vector<uint8_t>, std::list<Entry>::iterator, KeyHash> byKey;

  void trim()
  {
    while (bytes > limit && recent.size() > 1) {
      const Entry& last = recent.back();
      bytes -= last.routine->code.size();
      byKey.erase(byKey.find(*last.key));
      recent.pop_back();
    }
  }
};

PixelRoutines::PixelRoutines(uint64_t maxCodeBytes) : m_cache(std::make_unique<Cache>()) { m_cache->limit = maxCodeBytes; }
PixelRoutines::~PixelRoutines() = default;

std::shared_ptr<const PixelRoutine> PixelRoutines::get(const PixelState& state)
{
  const PixelDescription d = describe(state);
  std::vector<uint8_t> key;
  key.reserve(256);
  appendKey(d, key);
  Cache& c = *m_cache;
  std::lock_guard lock(c.mutex);
  if (const auto found = c.byKey.find(key); found != c.byKey.end()) {
    c.recent.splice(c.recent.begin(), c.recent, found->second);
    return found->second->routine;
  }
  auto made = std::make_shared<Compiled>();
  const PixelTraits t = traitsOf(d);
  made->earlyDepth = t.earlyDepth;
  made->writesDepth = t.writesDepth;
  made->readsColor = t.readsColor;
  made->opaqueFullCover = t.opaqueFullCover;
  made->quads = t.quads;
  made->noEffect = t.noEffect;
  made->readsInnerCoverage = t.readsInnerCoverage;
  if (!t.noEffect) {
    made->code = recordPixelKernel(d);
    if (!made->code)
      return nullptr;
    made->entry = made->code.as<abi::PixelKernel>();
  }
  const auto at = c.byKey.emplace(std::move(key), c.recent.end()).first;
  c.recent.push_front({&at->first, made});
  at->second = c.recent.begin();
  c.bytes += made->code.size();
  c.trim();
  return made;
}

} // namespace monolith::codegen
