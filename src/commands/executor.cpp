// SPDX-License-Identifier: MIT
#include "commands/executor.h"

#include "base/log.h"
#include "base/options.h"
#include "transfer/transfer.h"

#include <chrono>
#include <cstdio>

namespace monolith::commands {
namespace {

constexpr uint32_t kMaxHeldChunks = 512; ///< Stream memory that one scene may pin: 8 MiB.

template <class Command> std::span<const state::Rect> rectsOf(const Command& c) {
  return {reinterpret_cast<const state::Rect*>(&c + 1), c.rectCount};
}

transfer::Region toRegion(const TextureRegion& r) { return {r.mip, r.layer, r.x, r.y, r.z, r.width, r.height, r.depth}; }

} // namespace

Executor::Executor(Owner& owner, base::Parallel& parallel, Parts& parts, const TimelineOptions& options, StreamRecorder& stream)
    : m_owner(owner), m_parallel(parallel), m_parts(parts), m_options(options), m_stream(stream), m_chunk(stream.first()),
      m_threads(parallel.threadCount()), m_dump(base::optionNumber(base::Option::DUMP_STREAM) != 0) {}

Executor::~Executor() = default;

void Executor::dispatch(const Header* command) {
  using Function = void (*)(Executor&, const Header*);
  static constexpr Function kTable[] = {
#define COMMAND(name) &executeAs<name>,
#include "commands/commands.def"
#undef COMMAND
  };
  if (m_dump) [[unlikely]]
    std::fprintf(stderr, "%s\n", printCommand(command).c_str());
  kTable[command->type](*this, command);
}

void Executor::run() {
  for (;;) {
    const uint32_t end = m_chunk->published.load(std::memory_order_acquire);
    if (m_at == end)
      break;
    while (m_at < end) {
      const auto* header = reinterpret_cast<const Header*>(m_chunk->data + m_at);
      if (header->type == uint16_t(CommandType::EndOfChunk)) {
        Chunk* next = m_chunk->next.load(std::memory_order_acquire);
        m_chunk->link = m_held;
        m_held = m_chunk;
        ++m_heldCount;
        m_chunk = next;
        m_at = 0;
        if (m_heldCount >= kMaxHeldChunks)
          endScene();
        if (!m_sceneOpen)
          giveBackChunks();
        break;
      }
      try {
        dispatch(header);
      } catch (const std::bad_alloc&) {
        base::logOnce("a command was dropped: out of memory");
        m_dirty = kAll;
      }
      m_at += header->words * 8u;
    }
  }
  if (m_lastSerial != m_completedSerial)
    endScene();
  finishSerials();
}

/// Serials complete as soon as no scene is open that holds their work.
void Executor::finishSerials() {
  if (m_sceneOpen || m_lastSerial == m_completedSerial)
    return;
  m_completedSerial = m_lastSerial;
  m_owner.completed(m_completedSerial);
}

void Executor::evacuate() {
  const uint8_t* from = m_chunk->data;
  const uint8_t* to = from + sizeof m_chunk->data;
  for (uint32_t g = 0; g < kGroups; ++g) {
    const Header* h = m_state[g];
    const auto* at = reinterpret_cast<const uint8_t*>(h);
    if (!h || h == reinterpret_cast<const Header*>(m_own[g].data()) || (at >= from && at < to))
      continue;
    m_own[g].assign(reinterpret_cast<const uint64_t*>(h), reinterpret_cast<const uint64_t*>(h) + h->words);
    m_state[g] = reinterpret_cast<const Header*>(m_own[g].data());
  }
}

void Executor::giveBackChunks() {
  if (!m_held)
    return;
  evacuate();
  while (m_held) {
    Chunk* next = m_held->link;
    m_stream.giveBack(m_held);
    m_held = next;
  }
  m_heldCount = 0;
}

/// Draws of the open scene come before whatever changes a texture that they read or write.
void Executor::beforeWrite(resources::Texture* texture) {
  if (m_sceneOpen && texture && (texture->readScene == m_sceneId || texture->writtenScene == m_sceneId))
    endScene();
}

void Executor::beforeRead(resources::Texture* texture) {
  if (m_sceneOpen && texture && texture->writtenScene == m_sceneId)
    endScene();
}

void Executor::beforeBufferWrite(const uint8_t* dest, uint64_t size) {
  if (m_sceneOpen && (m_bufferTarget || m_reads.overlaps(dest, size)))
    endScene();
}

void Executor::beforeBufferRead() {
  if (m_sceneOpen && m_bufferTarget)
    endScene();
}

// ---- state --------------------------------------------------------------------------------------------------------

void Executor::execute(const SetPipeline& c) { set(kPipeline, &c.header); }
void Executor::execute(const SetTargets& c) { set(kTargets, &c.header); }
void Executor::execute(const SetViewports& c) { set(kViewports, &c.header); }
void Executor::execute(const SetScissors& c) { set(kScissors, &c.header); }
void Executor::execute(const SetVertexStreams& c) { set(kStreams, &c.header); }
void Executor::execute(const SetIndexStream& c) { set(kIndex, &c.header); }
void Executor::execute(const SetConstantBuffers& c) { set(kConstants + (c.stage & 1), &c.header); }
void Executor::execute(const SetResources& c) { set(kResources + (c.stage & 1), &c.header); }
void Executor::execute(const SetSamplers& c) { set(kSamplers + (c.stage & 1), &c.header); }

// ---- draws --------------------------------------------------------------------------------------------------------

void Executor::execute(const Draw& c) { append(c.vertexCount, c.instanceCount, 0, int32_t(c.startVertex), c.startInstance, {}); }

void Executor::execute(const DrawIndexed& c) {
  geometry::IndexStream index;
  index.indexBytes = 2;
  if (const auto* s = state<SetIndexStream>(kIndex)) {
    index.base = s->base;
    index.size = s->base ? s->size : 0;
    index.indexBytes = s->indexBytes == 4 ? 4 : 2;
  }
  append(c.indexCount, c.instanceCount, c.startIndex, c.baseVertex, c.startInstance, index);
}

void Executor::append(uint32_t elements, uint32_t instances, uint32_t firstElement, int32_t baseVertex, uint32_t startInstance,
                      const geometry::IndexStream& index) {
  if (elements == 0 || instances == 0 || m_options.executeNothing || hung())
    return;
  if (!prepareDraw())
    return;
  m_range.index = index;
  m_range.firstElement = firstElement;
  m_range.elementCount = elements;
  m_range.baseVertex = baseVertex;
  m_range.startInstance = startInstance;
  m_range.instanceCount = instances;
  ++m_drawsInScene;
  if (!geometry::appendWhole(m_draws, m_range)) {
    constexpr uint32_t kRanges = 4096;
    geometry::DrawCutter cutter(m_range);
    while (cutter.cut(m_draws, kRanges)) {
      runDraws();
      if (hung())
        return;
    }
  }
  constexpr size_t kMaxPieces = 1024, kMaxRanges = 65536;
  if (m_draws.chunks.size() > kMaxPieces || m_draws.ranges.size() > kMaxRanges || m_arena.used() > m_options.memoryBudget / 4)
    endScene();
}

void Executor::execute(const DrawIndirect& c) {
  if (!c.arguments)
    return;
  beforeBufferRead();
  uint32_t a[5];
  std::memcpy(a, c.arguments, c.indexed ? 20 : 16);
  if (c.indexed)
    execute(DrawIndexed{{}, a[0], a[2], int32_t(a[3]), a[1], a[4], 0});
  else
    execute(Draw{{}, a[0], a[2], a[1], a[3]});
}

// ---- transfers ----------------------------------------------------------------------------------------------------

void Executor::execute(const ClearColor& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.view->texture.get());
  if (!c.view->texture)
    beforeBufferWrite(c.view->base, uint64_t(c.view->width) * formats::info(c.view->format).bytesPerBlock);
  transfer::clearColor(*c.view, c.color, rectsOf(c), m_parallel);
}

void Executor::execute(const ClearDepthStencil& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.view->texture.get());
  transfer::clearDepthStencil(*c.view, c.flags, c.depth, c.stencil, rectsOf(c), m_parallel);
}

void Executor::execute(const CopyBuffer& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeBufferWrite(c.dest, c.size);
  beforeBufferRead();
  transfer::copyBuffer(c.dest, c.source, c.size, m_parallel);
}

void Executor::execute(const UpdateBuffer& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeBufferWrite(c.dest, c.size);
  transfer::copyBuffer(c.dest, c.source, c.size, m_parallel);
}

void Executor::execute(const CopyTexture& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.dest);
  beforeRead(c.source);
  transfer::copyTexture(*c.dest, toRegion(c.destRegion), *c.source, toRegion(c.sourceRegion), m_parallel);
}

void Executor::execute(const UpdateTexture& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.dest);
  transfer::updateTexture(*c.dest, toRegion(c.region), c.source, c.rowPitch, c.slicePitch, m_parallel);
}

void Executor::execute(const ResolveTexture& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.dest);
  beforeRead(c.source);
  transfer::resolveTexture(*c.dest, c.destMip, c.destLayer, *c.source, c.sourceLayer, c.format, m_parallel);
}

void Executor::execute(const GenerateMips& c) {
  if (m_options.executeNothing || hung())
    return;
  beforeWrite(c.view->texture.get());
  transfer::generateMips(*c.view, m_parallel);
}

void Executor::execute(const Materialize& c) {
  if (m_options.executeNothing)
    return;
  beforeRead(c.texture);
  c.texture->materializeAll();
}

// ---- queries and the rest -----------------------------------------------------------------------------------------

void Executor::execute(const BeginQuery& c) {
  m_queries.begin(*c.query, m_sceneOpen);
  m_dirty |= kQueries;
}

void Executor::execute(const EndQuery& c) {
  if (c.query->kind == queries::QueryKind::Timestamp) {
    endScene();
    c.query->result = uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
    return;
  }
  m_queries.end(*c.query, m_sceneOpen);
  m_dirty |= kQueries;
}

void Executor::execute(const Callback& c) {
  endScene();
  c.call(c.user);
}

void Executor::execute(const EndSerial& c) {
  m_lastSerial = c.serial;
  finishSerials();
}

} // namespace monolith::commands
