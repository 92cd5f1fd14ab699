// SPDX-License-Identifier: MIT
/// @file
/// The chunks that commands are written into, their way round, and memory for uploads.
///
/// The API thread takes a chunk from its own list of free ones (or swaps in the whole list of returned ones, so there
/// is no ABA), writes, and publishes bytes by storing `published`; the executing thread follows `next`. A chunk is returned
/// once nothing that was recorded in it or before it can be looked at any more.
#pragma once

#include "commands/recorder.h"
#include "resources/resource.h"

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

namespace monolith::commands {

struct alignas(64) Chunk {
  std::atomic<Chunk*> next{nullptr};
  std::atomic<uint32_t> published{0}; ///< Bytes that may be read.
  uint64_t number = 0;                ///< Counts chunks of the stream.
  Chunk* link = nullptr;              ///< Of the free or held list.
  alignas(64) uint8_t data[Recorder::kChunkBytes];
};

/// The immediate context's recorder. API thread, except where noted.
class StreamRecorder : public Recorder {
public:
  /// What the recorder needs from its timeline.
  class Owner {
  public:
    virtual ~Owner() = default;
    /// A chunk has been filled and published: somebody may start on it.
    virtual void chunkPublished() = 0;
    /// Too much memory is in flight: returns when everything recorded has run.
    virtual void drain() = 0;
    virtual uint64_t recordingSerial() const = 0;
    virtual uint64_t completedSerial() const = 0;
  };

  StreamRecorder(Owner& owner, uint64_t budget) : m_owner(owner), m_budget(budget) {}
  ~StreamRecorder() override;
  bool init(); ///< False when out of memory.

  uint8_t* allocateUpload(uint64_t bytes) override;
  uint8_t* allocateMapped(uint64_t bytes) override;
  void releaseMapped(uint8_t* data) override;
  void publish(); ///< Makes everything recorded so far visible to the executing thread.
  Chunk* first() const { return m_first; }

  /// Executing thread: gives back a chunk that nobody looks at any more.
  void giveBack(Chunk* chunk);

private:
  struct Upload {
    resources::Memory memory;
    uint64_t lastSerial; ///< Free when complete.
  };
  void nextChunk(uint32_t bytes) override;
  Chunk* takeChunk();
  void reclaimUploads();
  resources::Memory uploadBlock(uint64_t bytes);

  Owner& m_owner;
  const uint64_t m_budget;
  Chunk* m_first = nullptr;
  Chunk* m_chunk = nullptr;
  Chunk* m_free = nullptr;
  uint64_t m_chunkBytes = 0, m_uploadBytes = 0;
  std::atomic<Chunk*> m_returned{nullptr};
  std::vector<std::unique_ptr<Chunk>> m_all;
  std::deque<Upload> m_uploads; ///< In use, oldest first; the last is the block being filled.
  std::vector<resources::Memory> m_mapped; ///< Handed out by allocateMapped.
  std::vector<resources::Memory> m_freeUploads;
  uint8_t* m_uploadAt = nullptr;
  uint8_t* m_uploadEnd = nullptr;
};

} // namespace monolith::commands
