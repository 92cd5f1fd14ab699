// SPDX-License-Identifier: MIT
#include "codegen/group_runner.h"

#include <cstdlib>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define MONOLITH_FAST_SWITCH 1
#endif

namespace monolith::codegen {

namespace {
constexpr size_t kStackBytes = size_t(256) << 10;
constexpr uint32_t kWaveThreads = 8;
} // namespace

#ifdef MONOLITH_FAST_SWITCH
/// Saves the registers that calls preserve, then goes on where `to` was saved.
extern "C" void monolithSwitchStack(void** saved, void* to);
/// First code on a wave's stack: r12 holds the wave, r13 the function to call.
extern "C" void monolithWaveStart();
asm(R"(
.text
.p2align 4
.type monolithSwitchStack, @function
monolithSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size monolithSwitchStack, .-monolithSwitchStack
.p2align 4
.type monolithWaveStart, @function
monolithWaveStart:
  movq %r12, %rdi
  callq *%r13
  ud2
.size monolithWaveStart, .-monolithWaveStart
)");
#endif

struct GroupRunner::Wave {
  std::unique_ptr<uint8_t[]> stack{new uint8_t[kStackBytes]};
  Waves* owner = nullptr;
  abi::ComputeArgs args;
  uint32_t first = 0;
  bool done = false;
#ifdef MONOLITH_FAST_SWITCH
  void* sp = nullptr;
#else
  ucontext_t context{};
  void* fake = nullptr;
#endif
};

struct GroupRunner::Waves {
  std::vector<std::unique_ptr<Wave>> list;
  const ComputeRoutine* routine = nullptr;
#ifdef MONOLITH_FAST_SWITCH
  void* sp = nullptr;
#else
  ucontext_t context{};
  void* fake = nullptr;
  const void* bottom = nullptr;
  size_t size = 0;
#endif

  static void main(Wave& w) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &w.owner->bottom, &w.owner->size);
#endif
    w.owner->routine->entry(&w.args, w.first);
    w.done = true;
    leave(w);
    abort(); // a finished wave is not entered again
  }

#ifdef MONOLITH_FAST_SWITCH
  static void prepare(Wave& w) {
    // What monolithSwitchStack pops: r15 r14 r13 r12 rbx rbp, then the place to go to; the stack as at a function's start.
    uintptr_t top = (reinterpret_cast<uintptr_t>(w.stack.get()) + kStackBytes) & ~uintptr_t(63);
    auto* p = reinterpret_cast<uintptr_t*>(top - 16);
    *--p = reinterpret_cast<uintptr_t>(&monolithWaveStart);
    *--p = 0;                                  // rbp
    *--p = 0;                                  // rbx
    *--p = reinterpret_cast<uintptr_t>(&w);    // r12
    *--p = reinterpret_cast<uintptr_t>(&main); // r13
    *--p = 0;                                  // r14
    *--p = 0;                                  // r15
    w.sp = p;
  }
  static void enter(Wave& w) { monolithSwitchStack(&w.owner->sp, w.sp); }
  static void leave(Wave& w) { monolithSwitchStack(&w.sp, w.owner->sp); }
#else
  static void startContext(unsigned high, unsigned low) { main(*reinterpret_cast<Wave*>(uint64_t(high) << 32 | low)); }
  static void prepare(Wave& w) {
    getcontext(&w.context);
    w.context.uc_stack.ss_sp = w.stack.get();
    w.context.uc_stack.ss_size = kStackBytes;
    w.context.uc_link = nullptr;
    const uint64_t self = reinterpret_cast<uint64_t>(&w);
    makecontext(&w.context, reinterpret_cast<void (*)()>(&startContext), 2, unsigned(self >> 32), unsigned(self));
  }
  static void enter(Wave& w) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&w.owner->fake, w.stack.get(), kStackBytes);
#endif
    swapcontext(&w.owner->context, &w.context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(w.owner->fake, nullptr, nullptr);
#endif
  }
  static void leave(Wave& w) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(w.done ? nullptr : &w.fake, w.owner->bottom, w.owner->size);
#endif
    swapcontext(&w.context, &w.owner->context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(w.fake, nullptr, nullptr);
#endif
  }
#endif
  static void barrier(void* wave) { leave(*static_cast<Wave*>(wave)); }
};

GroupRunner::GroupRunner() : m_waves(std::make_unique<Waves>()) {}
GroupRunner::~GroupRunner() = default;

void GroupRunner::run(const ComputeRoutine& routine, abi::ComputeArgs& args) {
  m_shared.assign(routine.sharedBytes, 0);
  args.shared = m_shared.data();
  args.routine = &routine;
  args.barrier = nullptr;
  const uint32_t threads = routine.threadCount();
  if (!routine.waits || threads <= kWaveThreads) {
    for (uint32_t first = 0; first < threads; first += kWaveThreads)
      routine.entry(&args, first);
    return;
  }
  const size_t count = (threads + kWaveThreads - 1) / kWaveThreads;
  Waves& waves = *m_waves;
  waves.routine = &routine;
  while (waves.list.size() < count)
    waves.list.push_back(std::make_unique<Wave>());
  for (size_t k = 0; k < count; k++) {
    Wave& w = *waves.list[k];
    w.owner = &waves;
    w.args = args;
    w.args.barrier = &Waves::barrier;
    w.args.barrierContext = &w;
    w.first = uint32_t(k) * kWaveThreads;
    w.done = false;
    Waves::prepare(w);
  }
  for (bool running = true; running;) {
    running = false;
    for (size_t k = 0; k < count; k++) {
      Wave& w = *waves.list[k];
      if (w.done)
        continue;
      Waves::enter(w);
      running = running || !w.done;
    }
  }
}

} // namespace monolith::codegen
