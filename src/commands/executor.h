// SPDX-License-Identifier: MIT
/// @file
/// Executes the stream: keeps the current state as pointers into it, resolves draws into a scene, runs scenes. One
/// thread at a time (the timeline's executing role); parallel parts go through base::Parallel.
///
/// Stream memory is given back only between scenes, because draws of a scene refer to tables in it. State that is still
/// current then moves into the executor's own storage (`evacuate`), which no open scene can refer to at that moment.
#pragma once

#include "base/parallel.h"
#include "binning/binner.h"
#include "codegen/routines.h"
#include "commands/arena.h"
#include "commands/command_types.h"
#include "commands/read_ranges.h"
#include "commands/stream.h"
#include "commands/timeline.h"
#include "geometry/process.h"
#include "queries/tracker.h"

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <unordered_map>

namespace monolith::commands {

/// What a timeline is put together from; tests bring their own.
struct Parts {
  std::unique_ptr<codegen::Routines> routines;
  std::unique_ptr<binning::Binner> (*makeBinner)() = nullptr;
  void (*renderTile)(const tiles::Scene&, uint32_t, abi::ThreadContext&) = nullptr;
  bool (*tileEmpty)(const tiles::Scene&, uint32_t) = nullptr;
};
std::unique_ptr<Timeline> createTimeline(const TimelineOptions& options, Parts&& parts);

/// Prints one command as a line of text.
using PrintFunction = void (*)(const Header*, std::string& out);
/// Name and printer of a command type; null beyond the table.
const char* commandName(uint16_t type);
std::string printCommand(const Header* command);

class Executor {
public:
  class Owner {
  public:
    virtual ~Owner() = default;
    virtual void completed(uint64_t serial) = 0;
  };
  Executor(Owner& owner, base::Parallel& parallel, Parts& parts, const TimelineOptions& options, StreamRecorder& stream);
  ~Executor();

  /// Executes everything that is published; ends the scene if a serial waits for it.
  void run();
  bool hung() const { return m_hung.load(std::memory_order_relaxed); }

private:
  enum Group : uint32_t { kPipeline, kTargets, kViewports, kScissors, kStreams, kIndex, kConstants, kResources = kConstants + 2,
                          kSamplers = kResources + 2, kGroups = kSamplers + 2 };
  static constexpr uint32_t bit(uint32_t group) { return 1u << group; }
  static constexpr uint32_t kQueries = 1u << 30;
  static constexpr uint32_t kAll = ~0u;

  struct VertexVariant {
    codegen::VertexOutputs outputs;
    std::shared_ptr<const codegen::VertexRoutine> routine;
    uint64_t heldByScene = 0;
  };
  struct PixelVariant {
    std::shared_ptr<const codegen::PixelRoutine> routine;
    geometry::SlotClasses classes;
    uint64_t heldByScene = 0;
  };
  /// Key bytes of a variant, gathered on the stack.
  struct Key {
    std::array<char, 4096> bytes;
    size_t size = 0;
    template <class T> void add(const T& v) {
      if (size + sizeof v <= bytes.size()) {
        std::memcpy(bytes.data() + size, &v, sizeof v);
        size += sizeof v;
      }
    }
    std::string_view view() const { return {bytes.data(), size}; }
  };
  struct KeyHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  template <class V> using Cache = std::unordered_map<std::string, V, KeyHash, std::equal_to<>>;

  struct PerThread {
    abi::ThreadContext context;
    std::unique_ptr<geometry::Workspace> workspace;
    std::vector<geometry::Statistics> statistics;
    resources::Memory scratch;
  };

  // executor.cpp: dispatch
  void dispatch(const Header* command);
#define COMMAND(name) void execute(const name& command);
#include "commands/commands.def"
#undef COMMAND
  template <class T> static void executeAs(Executor& self, const Header* h) { self.execute(*reinterpret_cast<const T*>(h)); }
  void set(uint32_t group, const Header* header) {
    m_state[group] = header;
    m_dirty |= bit(group);
  }
  template <class T> const T* state(uint32_t group) const { return reinterpret_cast<const T*>(m_state[group]); }
  void beforeWrite(resources::Texture* texture);
  void beforeRead(resources::Texture* texture);
  void beforeBufferWrite(const uint8_t* dest, uint64_t size);
  void beforeBufferRead();
  void giveBackChunks();
  void evacuate();
  void finishSerials();

  // resolve.cpp: state to setups
  bool prepareDraw();
  bool resolveAll();
  bool openScene();
  void loadBufferTargets();
  void storeBufferTargets();
  bool resolveHazards(uint32_t stage, uint32_t count);
  bool resolveVertexRoutine();
  bool resolvePixelRoutine();
  void resolveTables(uint32_t stage);
  void resolveConstants(uint32_t stage);
  void resolveVertexSetup();
  void resolveDrawSetup();
  const tiles::ArraySetup* resolveArrays();
  void addViewKey(Key& key, uint32_t stage, const codegen::Program& program) const;
  uint32_t viewCount(uint32_t stage, const codegen::Program* program) const;
  const resources::ShaderView* const* views(uint32_t stage, uint32_t& count) const;
  const SamplerObject* const* samplers(uint32_t stage, uint32_t& count) const;
  void append(uint32_t elements, uint32_t instances, uint32_t firstElement, int32_t baseVertex, uint32_t startInstance,
              const geometry::IndexStream& index);

  // scene_run.cpp
  void runDraws();
  bool runRound(uint32_t& cursor);
  void runTiles();
  void endScene();
  PerThread& threadState(uint32_t thread);
  void startBudget(abi::ThreadContext& context) const;
  void startWatch();
  void stopWatch();
  void checkWatch();

  Owner& m_owner;
  base::Parallel& m_parallel;
  Parts& m_parts;
  const TimelineOptions m_options;
  StreamRecorder& m_stream;

  // The stream.
  Chunk* m_chunk;
  uint32_t m_at = 0;
  Chunk* m_held = nullptr;
  uint32_t m_heldCount = 0;
  uint64_t m_lastSerial = 0, m_completedSerial = 0;

  // Current state.
  const Header* m_state[kGroups] = {};
  std::vector<uint64_t> m_own[kGroups];
  uint32_t m_dirty = kAll;
  bool m_drawable = false;

  // The scene.
  bool m_sceneOpen = false;
  uint64_t m_sceneId = 0;
  tiles::Scene m_scene;
  Arena m_arena;
  geometry::DrawList m_draws;
  std::vector<std::shared_ptr<const void>> m_routinesInUse;
  std::vector<std::unique_ptr<binning::Binner>> m_binners;
  std::vector<std::unique_ptr<PerThread>> m_threads;
  std::vector<queries::SlotCounts> m_counts;
  queries::Tracker m_queries;
  int64_t m_drawsInScene = 0;
  ReadRanges m_reads;
  bool m_bufferTarget = false; ///< A buffer is among the targets: its readers end the scene.
  /// Buffers that are targets, as eight rows of which the first counts, since kernels touch whole blocks.
  struct BufferRows {
    resources::Memory memory;
    uint32_t pitch = 0;
  };
  BufferRows m_bufferRows[8];

  // Resolved state.
  geometry::DrawRange m_range{};
  VertexVariant* m_vertex = nullptr;
  PixelVariant* m_pixel = nullptr;
  abi::StageBindings m_bindings[2] = {};
  tiles::DrawSetup* m_setup = nullptr;
  abi::ViewportTransform m_viewport{};
  Cache<VertexVariant> m_vertexVariants;
  Cache<PixelVariant> m_pixelVariants;

  std::atomic<bool> m_hung{false};
  double m_watchSeconds = 0, m_watchStart = 0, m_watchProcessorStart = 0;
  double m_watchUsed = 0, m_watchProcessorUsed = 0;
  std::thread::id m_watchThread;
  bool m_dump = false;
};

} // namespace monolith::commands
