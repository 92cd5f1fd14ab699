// SPDX-License-Identifier: MIT
/// @file
/// Running a scene: its draws in rounds of chunks (as many as memory allows), each round followed by the tiles.
#include "abi/thread_context.h"
#include "base/log.h"
#include "commands/executor.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace monolith::commands {
namespace {

constexpr uint32_t kMaxRoundChunks = 512;
constexpr uint32_t kWakePrimitives = 2048;
constexpr uint32_t kWakeTiles = 24;
/// Generated loops count down instructions; this many pass in a second at worst.
constexpr double kInstructionsPerSecond = 4e9;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Processor time of the calling thread: other load of the machine must not remove a device.
double threadSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

} // namespace

/// The calling thread's own state, made when first needed. Throws std::bad_alloc.
Executor::PerThread& Executor::threadState(uint32_t thread) {
  auto& slot = m_threads[thread];
  if (!slot) {
    auto fresh = std::make_unique<PerThread>();
    fresh->workspace = std::make_unique<geometry::Workspace>();
    fresh->scratch = resources::Memory::allocate(abi::kScratchBytes);
    fresh->context.threadIndex = thread;
    fresh->context.scratch = fresh->scratch.data();
    fresh->context.scratchSize = uint32_t(fresh->scratch.size());
    slot = std::move(fresh);
  }
  return *slot;
}

void Executor::startBudget(abi::ThreadContext& context) const {
  context.loopBudget = m_options.hangSeconds > 0 ? int64_t(m_options.hangSeconds * kInstructionsPerSecond) : INT64_MAX;
}

void Executor::startWatch() {
  if (m_options.hangSeconds <= 0)
    return;
  m_watchSeconds = m_options.hangSeconds * double(std::max<int64_t>(m_drawsInScene, 1));
  m_watchStart = seconds() - m_watchUsed;
  m_watchProcessorStart = threadSeconds() - m_watchProcessorUsed;
  m_watchThread = std::this_thread::get_id();
}

/// A scene's time adds up over the pieces in which a huge draw runs.
void Executor::stopWatch() {
  if (m_options.hangSeconds <= 0)
    return;
  m_watchUsed = seconds() - m_watchStart;
  m_watchProcessorUsed = threadSeconds() - m_watchProcessorStart;
}

/// After a unit of work: has the executing thread (which takes units like all others) used up the scene's time?
void Executor::checkWatch() {
  if (m_options.hangSeconds <= 0 || std::this_thread::get_id() != m_watchThread || seconds() - m_watchStart < m_watchSeconds)
    return;
  if (threadSeconds() - m_watchProcessorStart > m_watchSeconds && !hung()) {
    base::logLine(base::LogLevel::Error, "device hung: %lld draws took more than %g s", static_cast<long long>(m_drawsInScene), m_watchSeconds);
    m_hung.store(true, std::memory_order_relaxed);
  }
}

/// One round of the geometry phase from chunk `cursor` on. Chunks are taken by ticket, and no ticket is given out any
/// more once the budget is used up, so that what has been processed is always an unbroken run. False if nothing could be processed.
bool Executor::runRound(uint32_t& cursor) {
  const auto total = uint32_t(m_draws.chunks.size());
  const uint32_t count = std::min(total - cursor, kMaxRoundChunks);
  while (m_binners.size() < count)
    m_binners.push_back(m_parts.makeBinner());
  std::atomic<uint32_t> ticket{0};
  std::atomic<uint64_t> memory{0};
  std::atomic<bool> failed{false};
  const bool countStatistics = m_queries.countsStatistics() || m_queries.anything();
  const uint32_t slots = m_queries.slotCount();
  const bool worthWaking = m_draws.primitives > kWakePrimitives;
  m_parallel.run(count, worthWaking, [&](uint32_t, uint32_t thread) {
    if (memory.load(std::memory_order_relaxed) > m_options.memoryBudget || hung())
      return;
    const uint32_t unit = ticket.fetch_add(1, std::memory_order_relaxed);
    binning::Binner& binner = *m_binners[unit];
    try {
      PerThread& self = threadState(thread);
      if (countStatistics && self.statistics.size() < slots)
        self.statistics.resize(slots);
      const geometry::ChunkSpan& chunk = m_draws.chunks[cursor + unit];
      startBudget(self.context);
      binner.begin(m_scene);
      geometry::processChunk({m_draws.ranges.data() + chunk.firstRange, chunk.rangeCount}, binner, *self.workspace, self.context,
                             countStatistics ? self.statistics.data() : nullptr);
      if (self.context.hung)
        m_hung.store(true, std::memory_order_relaxed);
      if (!binner.ok())
        failed.store(true, std::memory_order_relaxed);
    } catch (const std::bad_alloc&) {
      failed.store(true, std::memory_order_relaxed);
    }
    memory.fetch_add(binner.memoryUsed(), std::memory_order_relaxed);
    checkWatch();
  });
  if (failed.load())
    base::logOnce("draws were dropped: out of memory for binning");
  const uint32_t done = ticket.load();
  m_scene.chunks.clear();
  for (uint32_t i = 0; i < done; ++i)
    m_scene.chunks.push_back(m_binners[i]->bins());
  cursor += done;
  return done != 0;
}

void Executor::runTiles() {
  const uint32_t tiles = m_scene.tilesX * m_scene.tilesY;
  const uint32_t threads = m_parallel.threadCount();
  const uint32_t run = std::clamp(tiles / (threads * 8), 4u, 16u);
  m_parallel.run((tiles + run - 1) / run, tiles >= kWakeTiles, [&](uint32_t unit, uint32_t thread) {
    PerThread* self = nullptr;
    const uint32_t end = std::min(tiles, (unit + 1) * run);
    for (uint32_t tile = unit * run; tile < end; ++tile) {
      if (m_parts.tileEmpty(m_scene, tile) || hung())
        continue;
      try {
        if (!self) {
          self = &threadState(thread);
          startBudget(self->context);
        }
        m_parts.renderTile(m_scene, tile, self->context);
      } catch (const std::bad_alloc&) {
        base::logOnce("a tile was dropped: out of memory");
        return;
      }
      if (self->context.hung)
        m_hung.store(true, std::memory_order_relaxed);
    }
    if (self)
      checkWatch();
  });
}

/// Executes the draws gathered so far; the scene stays open.
void Executor::runDraws() {
  if (!m_draws.chunks.empty() && !hung()) {
    startWatch();
    const uint32_t threads = m_parallel.threadCount();
    m_scene.threadCount = threads;
    m_scene.occlusion.resize(threads);
    for (auto& slots : m_scene.occlusion)
      slots.resize(m_queries.slotCount());
    m_scene.invocations.resize(threads);
    for (auto& slots : m_scene.invocations)
      slots.resize(m_queries.slotCount());
    uint32_t cursor = 0;
    while (cursor < m_draws.chunks.size() && !hung() && runRound(cursor))
      runTiles();
    m_scene.chunks.clear();
    stopWatch();
  }
  m_draws.clear();
}

void Executor::endScene() {
  if (!m_sceneOpen)
    return;
  runDraws();
  if (m_bufferTarget)
    storeBufferTargets();
  if (m_queries.anything()) {
    m_counts.assign(m_queries.slotCount(), {});
    for (const auto& slots : m_scene.occlusion)
      for (size_t s = 0; s < std::min(slots.size(), m_counts.size()); ++s)
        m_counts[s].samples += slots[s];
    for (auto& slots : m_scene.invocations) {
      for (size_t s = 0; s < std::min(slots.size(), m_counts.size()); ++s)
        m_counts[s].statistics[7] += slots[s];
      std::fill(slots.begin(), slots.end(), 0);
    }
    for (const auto& thread : m_threads) {
      for (size_t s = 0; thread && s < std::min(thread->statistics.size(), m_counts.size()); ++s) {
        const geometry::Statistics& from = thread->statistics[s];
        uint64_t* to = m_counts[s].statistics; // D3D11_QUERY_DATA_PIPELINE_STATISTICS
        to[0] += from.iaVertices;
        to[1] += from.iaPrimitives;
        to[2] += from.vsInvocations;
        to[5] += from.clipperInvocations;
        to[6] += from.clipperPrimitives;
      }
      if (thread)
        thread->statistics.clear();
    }
    m_queries.sceneDone(m_counts);
    for (auto& slots : m_scene.occlusion)
      std::fill(slots.begin(), slots.end(), 0);
  }
  m_sceneOpen = false;
  m_drawsInScene = 0;
  m_watchUsed = m_watchProcessorUsed = 0;
  m_arena.clear();
  m_routinesInUse.clear();
  m_setup = nullptr;
  m_dirty = kAll;
  giveBackChunks();
  finishSerials();
}

} // namespace monolith::commands
