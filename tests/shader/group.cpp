// SPDX-License-Identifier: MIT
#include "group.h"

#include <algorithm>
#include <ucontext.h>

namespace monolith::test {

namespace {

constexpr size_t kStackBytes = size_t(512) << 10;

struct Wave {
  ucontext_t context{};
  ucontext_t* back = nullptr;
  std::vector<char> stack;
  ShaderState state;
  uint8_t mask = 0;
  bool done = false;
  std::string error;
  const ir::Function* function = nullptr;
  Backend* backend = nullptr;
};

void entry(unsigned high, unsigned low) {
  Wave& w = *reinterpret_cast<Wave*>(uint64_t(high) << 32 | low);
  ShaderOutputs out;
  w.error = w.backend->run(*w.function, w.state, w.mask, out);
  w.done = true;
  swapcontext(&w.context, w.back);
}

/// The first switch to the wave's context begins entry() on the wave's own stack.
void prepareStack(Wave& w) {
  w.stack.resize(kStackBytes);
  getcontext(&w.context);
  w.context.uc_stack.ss_sp = w.stack.data();
  w.context.uc_stack.ss_size = w.stack.size();
  const uint64_t self = reinterpret_cast<uint64_t>(&w);
  makecontext(&w.context, reinterpret_cast<void (*)()>(&entry), 2, unsigned(self >> 32), unsigned(self));
}

void setSystem(ShaderState& s, ir::SystemValue v, unsigned component, unsigned lane, uint32_t value) {
  s.system[static_cast<uint32_t>(v) * 4 + component][lane] = value;
}

std::string runGroup(const ir::Function& f, Backend& backend, ShaderState& state, const std::array<uint32_t, 3>& group) {
  const uint32_t* size = f.threadGroup;
  const uint32_t threads = size[0] * size[1] * size[2];
  std::map<uint32_t, TestResource> shared;
  for (const ir::SharedDecl& d : f.shared) {
    TestResource& r = shared[d.slot];
    r.dim = d.stride ? ir::ResourceDim::StructuredBuffer : ir::ResourceDim::RawBuffer;
    r.stride = d.stride;
    r.words.assign((d.stride ? size_t(d.size) * d.stride : d.size) / 4, 0xCDCDCDCDu);
  }
  std::vector<std::unique_ptr<Wave>> waves;
  ucontext_t here{};
  for (uint32_t first = 0; first < threads; first += kLanes) {
    Wave& w = *waves.emplace_back(std::make_unique<Wave>());
    w.state = state;
    w.state.uavMemory = &state.uavs;
    w.state.sharedMemory = &shared;
    w.function = &f;
    w.backend = &backend;
    w.back = &here;
    w.mask = static_cast<uint8_t>((1u << std::min<uint32_t>(kLanes, threads - first)) - 1);
    for (unsigned l = 0; l < kLanes; l++) {
      const uint32_t t = std::min(first + l, threads - 1);
      const uint32_t at[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
      setSystem(w.state, ir::SystemValue::ThreadIdInGroupFlattened, 0, l, t);
      for (unsigned c = 0; c < 3; c++) {
        setSystem(w.state, ir::SystemValue::ThreadIdInGroup, c, l, at[c]);
        setSystem(w.state, ir::SystemValue::ThreadGroupId, c, l, group[c]);
        setSystem(w.state, ir::SystemValue::ThreadId, c, l, group[c] * size[c] + at[c]);
      }
    }
    w.state.barrier = [&w](uint32_t flags) {
      if (flags & ir::kSyncThreadsInGroup) swapcontext(&w.context, w.back);
    };
    prepareStack(w);
  }
  for (bool running = true; running;) {
    running = false;
    for (auto& w : waves) {
      if (w->done) continue;
      swapcontext(&here, &w->context);
      running = running || !w->done;
      if (w->done && !w->error.empty()) return w->error;
    }
  }
  return {};
}

} // namespace

std::string runGroups(const ir::Function& f, Backend& backend, ShaderState& state, const std::array<uint32_t, 3>& groups) {
  if (f.threadGroup[0] * f.threadGroup[1] * f.threadGroup[2] == 0) return "the shader has no thread group";
  for (uint32_t z = 0; z < groups[2]; z++)
    for (uint32_t y = 0; y < groups[1]; y++)
      for (uint32_t x = 0; x < groups[0]; x++) {
        const std::string error = runGroup(f, backend, state, {x, y, z});
        if (!error.empty()) return error;
      }
  return {};
}

} // namespace monolith::test
