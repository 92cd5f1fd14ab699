// SPDX-License-Identifier: MIT
/// @file
/// The timeline: recorder, threads and executor put together. Publishing is a store to the chunk and a count; the count
/// tells threads whether a look is worth while. The executing role is one flag.
#include "commands/timeline.h"

#include "base/options.h"
#include "commands/executor.h"
#include "commands/threads.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace monolith::commands {
namespace {

constexpr uint32_t kChunksPerSerial = 64; ///< 1 MiB of commands, some 10,000 draws.

class TimelineImpl final : public Timeline, public Server, public StreamRecorder::Owner, public Executor::Owner {
public:
  TimelineImpl(const TimelineOptions& options, Parts&& parts, uint32_t threads)
      : m_parts(std::move(parts)), m_options(options), m_recorder(*this, options.memoryBudget), m_threads(*this, threads) {}

  ~TimelineImpl() override {
    if (m_executor) {
      wait(flush());
      m_threads.stop();
    }
    m_retired.clear();
  }

  bool init() {
    if (!m_recorder.init())
      return false;
    m_executor = std::make_unique<Executor>(*this, m_threads, m_parts, m_options, m_recorder);
    return m_threads.start();
  }

  Recorder& recorder() override { return m_recorder; }

  uint64_t flush() override {
    auto* c = m_recorder.push<EndSerial>();
    const uint64_t serial = m_recording.load(std::memory_order_relaxed);
    c->serial = serial;
    m_recording.store(serial + 1, std::memory_order_relaxed);
    m_recorder.publish();
    m_published.fetch_add(1, std::memory_order_seq_cst);
    if (m_threads.threadCount() > 1)
      m_threads.notify();
    m_woken = false;
    m_chunksSinceFlush = 0;
    return serial;
  }

  uint64_t recordingSerial() const override { return m_recording.load(std::memory_order_relaxed); }
  uint64_t completedSerial() const override { return m_completed.load(std::memory_order_acquire); }

  void wait(uint64_t serial) override {
    if (completedSerial() >= serial)
      return;
    if (serial >= recordingSerial())
      serial = flush();
    m_threads.serveUntil([&] { return m_completed.load(std::memory_order_seq_cst) >= serial; });
  }

  void retire(std::shared_ptr<void> object) override {
    const std::lock_guard lock(m_retireLock);
    m_retired.push_back({recordingSerial(), std::move(object)});
  }

  bool hung() const override { return m_executor->hung(); }
  uint32_t threadCount() const override { return m_threads.threadCount(); }
  codegen::Routines* routines() override { return m_parts.routines.get(); }

private:
  struct Retired {
    uint64_t serial;
    std::shared_ptr<void> object;
  };

  // Server
  bool hasWork() const override {
    return m_published.load(std::memory_order_seq_cst) != m_consumed.load(std::memory_order_seq_cst) &&
           !m_executing.test(std::memory_order_seq_cst);
  }
  bool work(uint32_t thread) override {
    // Looked at again after giving up the role: whoever was woken by work published meanwhile may have found the role
    // taken and gone back to sleep, and this thread may be one that only waits and now leaves.
    bool worked = false;
    while (m_published.load(std::memory_order_seq_cst) != m_consumed.load(std::memory_order_seq_cst)) {
      if (m_executing.test(std::memory_order_relaxed) || m_executing.test_and_set(std::memory_order_seq_cst))
        break;
      m_threads.setExecutor(thread);
      for (;;) {
        const uint64_t published = m_published.load(std::memory_order_seq_cst);
        if (published == m_consumed.load(std::memory_order_relaxed))
          break;
        m_executor->run();
        m_consumed.store(published, std::memory_order_seq_cst);
      }
      m_executing.clear(std::memory_order_seq_cst);
      worked = true;
    }
    return worked;
  }

  // StreamRecorder::Owner
  void chunkPublished() override {
    // Serials that never end would keep renamed buffers and uploads from being used again.
    if (++m_chunksSinceFlush >= kChunksPerSerial) {
      flush();
      return;
    }
    m_published.fetch_add(1, std::memory_order_seq_cst);
    if (!m_woken && m_threads.threadCount() > 1 && m_threads.anySleeper()) {
      m_woken = true;
      m_threads.notify();
    }
  }
  void drain() override { wait(flush()); }

  // Executor::Owner
  void completed(uint64_t serial) override {
    m_completed.store(serial, std::memory_order_seq_cst);
    m_threads.notify();
    std::deque<std::shared_ptr<void>> dead;
    {
      const std::lock_guard lock(m_retireLock);
      while (!m_retired.empty() && m_retired.front().serial <= serial) {
        dead.push_back(std::move(m_retired.front().object));
        m_retired.pop_front();
      }
    }
  }

  Parts m_parts;
  const TimelineOptions m_options;
  StreamRecorder m_recorder;
  std::atomic<uint64_t> m_recording{1};
  bool m_woken = false; ///< Since the last flush.
  uint32_t m_chunksSinceFlush = 0;
  std::mutex m_retireLock;
  std::deque<Retired> m_retired;
  alignas(64) std::atomic<uint64_t> m_published{0};
  alignas(64) std::atomic<uint64_t> m_consumed{0};
  std::atomic<uint64_t> m_completed{0};
  std::atomic_flag m_executing;
  Threads m_threads;
  std::unique_ptr<Executor> m_executor;
};

} // namespace

std::unique_ptr<Timeline> createTimeline(const TimelineOptions& options, Parts&& parts) {
  uint32_t threads = options.threads;
  if (threads == 0)
    threads = uint32_t(std::clamp<int64_t>(base::optionNumber(base::Option::THREADS), 0, 256));
  if (threads == 0)
    threads = availableProcessors();
  try {
    auto timeline = std::make_unique<TimelineImpl>(options, std::move(parts), threads);
    if (!timeline->init())
      return nullptr;
    return timeline;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

} // namespace monolith::commands
