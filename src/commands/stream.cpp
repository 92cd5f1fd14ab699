// SPDX-License-Identifier: MIT
#include "commands/stream.h"

#include <algorithm>

namespace monolith::commands {
namespace {
constexpr uint64_t kUploadBlock = 256 * 1024;
constexpr uint64_t kKeptUploads = 32u << 20; ///< Free upload memory beyond this goes back to the system.
constexpr uint32_t kEndBytes = sizeof(Header);
} // namespace

StreamRecorder::~StreamRecorder() = default;

bool StreamRecorder::init() {
  try {
    m_chunk = m_first = takeChunk();
  } catch (const std::bad_alloc&) {
    return false;
  }
  m_at = m_chunk->data;
  m_end = m_chunk->data + kChunkBytes - kEndBytes;
  return true;
}

void StreamRecorder::publish() {
  m_chunk->published.store(uint32_t(m_at - m_chunk->data), std::memory_order_release);
}

Chunk* StreamRecorder::takeChunk() {
  if (!m_free)
    m_free = m_returned.exchange(nullptr, std::memory_order_acquire);
  if (!m_free) {
    m_all.push_back(std::make_unique<Chunk>());
    m_chunkBytes += sizeof(Chunk);
    return m_all.back().get();
  }
  Chunk* chunk = m_free;
  m_free = chunk->link;
  chunk->link = nullptr;
  chunk->next.store(nullptr, std::memory_order_relaxed);
  chunk->published.store(0, std::memory_order_relaxed);
  return chunk;
}

void StreamRecorder::nextChunk(uint32_t) {
  const bool tooMuch = m_chunkBytes > m_budget / 4 && !m_free && !m_returned.load(std::memory_order_relaxed);
  Chunk* next = takeChunk();
  next->number = m_chunk->number + 1;
  // The end marker's place lies behind m_end.
  *reinterpret_cast<Header*>(m_at) = {uint16_t(CommandType::EndOfChunk), kEndBytes / 8, 0};
  m_at += kEndBytes;
  m_chunk->next.store(next, std::memory_order_relaxed);
  publish();
  m_chunk = next;
  m_at = next->data;
  m_end = next->data + kChunkBytes - kEndBytes;
  m_owner.chunkPublished();
  if (tooMuch)
    m_owner.drain();
}

void StreamRecorder::giveBack(Chunk* chunk) {
  chunk->link = m_returned.load(std::memory_order_relaxed);
  while (!m_returned.compare_exchange_weak(chunk->link, chunk, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void StreamRecorder::reclaimUploads() {
  const uint64_t done = m_owner.completedSerial();
  while (m_uploads.size() > 1 && m_uploads.front().lastSerial <= done) {
    m_freeUploads.push_back(std::move(m_uploads.front().memory));
    m_uploads.pop_front();
  }
  uint64_t kept = 0;
  for (const auto& m : m_freeUploads)
    kept += m.size();
  while (kept > kKeptUploads) { // the oldest first
    kept -= m_freeUploads.front().size();
    m_uploadBytes -= m_freeUploads.front().size();
    m_freeUploads.erase(m_freeUploads.begin());
  }
}

resources::Memory StreamRecorder::uploadBlock(uint64_t bytes) {
  for (size_t i = m_freeUploads.size(); i-- > 0;) {
    const uint64_t size = m_freeUploads[i].size();
    if (size < bytes || size > std::max(bytes * 2, kUploadBlock))
      continue;
    resources::Memory memory = std::move(m_freeUploads[i]);
    m_freeUploads.erase(m_freeUploads.begin() + ptrdiff_t(i));
    return memory;
  }
  resources::Memory memory = resources::Memory::allocate(bytes);
  if (!memory)
    throw std::bad_alloc();
  m_uploadBytes += memory.size();
  return memory;
}

uint8_t* StreamRecorder::allocateUpload(uint64_t bytes) {
  const uint64_t rounded = (std::max<uint64_t>(bytes, 1) + 63) & ~uint64_t(63);
  if (rounded < bytes)
    throw std::bad_alloc();
  // "The next command" may come after a flush: memory is tied to the serial after the present one.
  const uint64_t lastSerial = m_owner.recordingSerial() + 1;
  if (rounded <= uint64_t(m_uploadEnd - m_uploadAt)) [[likely]] {
    m_uploads.back().lastSerial = lastSerial;
    uint8_t* p = m_uploadAt;
    m_uploadAt += rounded;
    return p;
  }
  reclaimUploads();
  if (m_uploadBytes + rounded > m_budget && m_uploads.size() > 1) {
    m_owner.drain();
    reclaimUploads();
  }
  const bool big = rounded > kUploadBlock / 4;
  resources::Memory memory = uploadBlock(big ? rounded : kUploadBlock);
  uint8_t* p = memory.data();
  Upload upload = {std::move(memory), m_owner.recordingSerial() + 1};
  if (big && !m_uploads.empty()) { // the block being filled stays last
    m_uploads.insert(m_uploads.end() - 1, std::move(upload));
  } else {
    m_uploads.push_back(std::move(upload));
    m_uploadAt = p + rounded;
    m_uploadEnd = p + m_uploads.back().memory.size() / 64 * 64;
  }
  return p;
}

uint8_t* StreamRecorder::allocateMapped(uint64_t bytes) {
  reclaimUploads();
  m_mapped.push_back(uploadBlock((std::max<uint64_t>(bytes, 1) + 63) & ~uint64_t(63)));
  return m_mapped.back().data();
}

void StreamRecorder::releaseMapped(uint8_t* data) {
  for (size_t i = 0; i < m_mapped.size(); ++i) {
    if (m_mapped[i].data() != data)
      continue;
    m_uploads.push_front({std::move(m_mapped[i]), m_owner.recordingSerial()});
    m_mapped.erase(m_mapped.begin() + ptrdiff_t(i));
    return;
  }
}

} // namespace monolith::commands
