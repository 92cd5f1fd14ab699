// SPDX-License-Identifier: MIT
#include "codegen/compute_kernel.h"

#include "base/cpu.h"
#include "codegen/interpreted_shader.h"
#include "codegen/memory_op.h"
#include "codegen/resource_ops.h"
#include "codegen/shader_emitter.h"
#include "ir/function.h"
#include "simd/simd.h"

#include <algorithm>
#include <cstddef>

namespace monolith::codegen {

namespace {

using namespace simd;

#define ARG(member) (m_args + int32_t(offsetof(abi::ComputeArgs, member)))

/// What generated code hands to runMemoryOp: operands, then results, eight words each.
void callMemoryOp(const MemoryOp* op, const abi::ComputeArgs* args, uint32_t* words, uint32_t mask) {
  const uint32_t* operands[kMaxMemoryOperands];
  uint32_t* results[kMaxMemoryResults];
  for (unsigned k = 0; k < kMaxMemoryOperands; k++)
    operands[k] = words + 8 * k;
  for (unsigned k = 0; k < kMaxMemoryResults; k++)
    results[k] = words + 8 * (kMaxMemoryOperands + k);
  runMemoryOp(*op, *args, operands, results, mask);
}

void callBarrier(const abi::ComputeArgs* args) {
  if (args->barrier)
    args->barrier(args->barrierContext);
}

class ComputeRecorder final : public ShaderHost {
public:
  explicit ComputeRecorder(const ComputeDescription& d)
      : m_d(d), m_f(*d.function), m_function(d.name, {ArgumentKind::Pointer, ArgumentKind::Word}), m_args(m_function.pointerArgument(0)), m_first(m_function.wordArgument(1)) {}

  Routine record() {
    const uint32_t* size = m_f.threadGroup;
    m_bindings = loadPointer(ARG(bindings));
    m_thread = loadPointer(ARG(thread));
    m_words = m_function.stack(32 * (kMaxMemoryOperands + kMaxMemoryResults));
    m_index = broadcast(m_first) + laneIndices();
    const Int row = divUnsigned(m_index, Int(size[0]));
    const Int slice = divUnsigned(row, Int(size[1]));
    m_at[0] = m_index - row * Int(size[0]);
    m_at[1] = row - slice * Int(size[1]);
    m_at[2] = slice;
    emitShader(m_f, *this, Int(size[0] * size[1] * size[2]) > m_index);
    return m_function.finish();
  }

  Int input(uint32_t, uint32_t) override { return Int(0); }
  Int system(uint32_t value, uint32_t component) override {
    const uint32_t c = component < 3 ? component : 2;
    const Pointer group = ARG(group) + int32_t(c * 4);
    switch (ir::SystemValue(value)) {
    case ir::SystemValue::ThreadIdInGroupFlattened:
      return m_index;
    case ir::SystemValue::ThreadIdInGroup:
      return m_at[c];
    case ir::SystemValue::ThreadGroupId:
      return broadcastInt(group);
    case ir::SystemValue::ThreadId:
      return broadcastInt(group) * Int(m_f.threadGroup[c]) + m_at[c];
    default:
      return Int(0);
    }
  }
  void output(uint32_t, uint32_t, Int) override {}
  Pointer bindings() override { return m_bindings; }
  Pointer thread() override { return m_thread; }
  void resource(const ir::Function& function, const ir::Instruction& instruction, const Int* operands, Int* results, Mask exec) override {
    ResourceContext context;
    context.bindings = m_bindings;
    context.views = m_d.views.data();
    context.viewCount = m_d.views.size();
    context.samplers = m_d.samplers.data();
    context.samplerCount = m_d.samplers.size();
    emitResourceOp(context, function, instruction, operands, results, exec);
  }

  void effect(const ir::Function& function, const ir::Instruction& i, const Int* operands, Int* results, Mask exec) override {
    if (i.op == ir::Op::Sync) {
      if (i.attr & ir::kSyncThreadsInGroup)
        simd::call(addressOf(&callBarrier), {m_args});
      return;
    }
    if (ir::opInfo(i.op).attr != ir::AttrKind::Memory)
      return;
    const MemoryOp op = makeMemoryOp(function, i);
    if (op.shared && !op.status && (i.op == ir::Op::LdStructured || i.op == ir::Op::LdRaw)) {
      loadShared(op, operands, results);
      return;
    }
    for (unsigned k = 0; k < op.operandCount && k < kMaxMemoryOperands; k++)
      store(m_words + int32_t(32 * k), operands[k]);
    simd::call(addressOf(&callMemoryOp), {constantTable(&op, sizeof op), m_args, m_words, laneBits(exec)});
    for (unsigned k = 0; k < op.resultCount; k++)
      results[k] = k < kMaxMemoryResults ? loadInt(m_words + int32_t(32 * (kMaxMemoryOperands + k))) : Int(0);
  }

private:
  /// Words of group shared memory, which has a fixed size: gathers.
  void loadShared(const MemoryOp& op, const Int* operands, Int* results) {
    const Pointer base = loadPointer(ARG(shared)) + int32_t(op.offset);
    Int at, room; // byte offset, bytes from there to the end of the element
    Mask inside;
    if (op.stride) {
      const Int offset = operands[1] & Int(~3u);
      inside = belowUnsigned(operands[0], Int(op.bytes / op.stride)) & belowUnsigned(offset, Int(op.stride));
      at = operands[0] * Int(op.stride) + offset;
      room = Int(op.stride) - offset;
    } else {
      at = operands[0] & Int(~3u);
      inside = belowUnsigned(at, Int(op.bytes));
      room = Int(op.bytes) - at;
    }
    for (int k = 0; k < 4; k++)
      results[k] = gather(base + 4 * k, at, 1, k ? inside & (room > Int(4 * k + 3)) : inside, Int(0));
  }

  const ComputeDescription& m_d;
  const ir::Function& m_f;
  Function m_function;
  Pointer m_args, m_bindings, m_thread, m_words;
  Word m_first;
  Int m_index, m_at[3];
};

struct CompiledCompute final : ComputeRoutine {
  simd::Routine code;
};

// ---- the interpreted twin ----

struct InterpretedCompute final : ComputeRoutine {
  InterpretedCompute(const ir::Function& f, std::vector<state::SamplerState> s) : pool(f), samplers(std::move(s)) {}
  mutable InterpreterPool pool;
  std::vector<state::SamplerState> samplers;
};

class ComputeEnvironment final : public BoundEnvironment {
public:
  ComputeEnvironment(const abi::ComputeArgs& args, const InterpretedCompute& r, uint32_t first) : BoundEnvironment(*args.bindings, r.samplers, QuadShape::None), m_args(args), m_routine(r), m_first(first) {}

  void loadSystem(ir::SystemValue value, uint32_t component, ir::LaneWords out) override {
    const uint32_t* size = m_routine.threads;
    const uint32_t c = component < 3 ? component : 2;
    for (uint32_t l = 0; l < ir::kMaxLanes; l++) {
      const uint32_t t = m_first + l;
      const uint32_t at[3] = {t % size[0], t / size[0] % size[1], t / size[0] / size[1]};
      switch (value) {
      case ir::SystemValue::ThreadIdInGroupFlattened:
        out[l] = t;
        break;
      case ir::SystemValue::ThreadIdInGroup:
        out[l] = at[c];
        break;
      case ir::SystemValue::ThreadGroupId:
        out[l] = m_args.group[c];
        break;
      case ir::SystemValue::ThreadId:
        out[l] = m_args.group[c] * size[c] + at[c];
        break;
      default:
        out[l] = 0;
        break;
      }
    }
  }
  void resource(const ir::Function& f, const ir::Instruction& i, ir::ConstLaneWords const* operands, ir::LaneWords const* results, uint8_t mask) override {
    if (ir::opInfo(i.op).attr == ir::AttrKind::Memory && ir::MemorySpace(i.attr2) != ir::MemorySpace::Resource)
      runMemoryOp(makeMemoryOp(f, i), m_args, operands, results, mask);
    else
      BoundEnvironment::resource(f, i, operands, results, mask);
  }
  void sync(uint32_t flags) override {
    if (flags & ir::kSyncThreadsInGroup)
      callBarrier(&m_args);
  }

private:
  const abi::ComputeArgs& m_args;
  const InterpretedCompute& m_routine;
  uint32_t m_first;
};

void interpretWave(const abi::ComputeArgs* args, uint32_t first) {
  const auto& r = *static_cast<const InterpretedCompute*>(static_cast<const ComputeRoutine*>(args->routine));
  ComputeEnvironment environment(*args, r, first);
  const uint32_t left = r.threadCount() - first;
  InterpreterPool::Loan loan(r.pool);
  ir::RunResult result;
  loan.run(environment, uint8_t(left >= 8 ? 0xff : (1u << left) - 1), *args->thread, result);
}

template <class T> std::shared_ptr<const ComputeRoutine> finish(std::shared_ptr<T> r, const ir::Function& f) {
  for (int c = 0; c < 3; c++)
    r->threads[c] = std::max(1u, f.threadGroup[c]);
  r->sharedBytes = sharedBytes(f);
  for (const ir::Instruction& i : f.instructions)
    r->waits = r->waits || (i.op == ir::Op::Sync && (i.attr & ir::kSyncThreadsInGroup));
  return r;
}

} // namespace

std::shared_ptr<const ComputeRoutine> makeComputeRoutine(const ComputeDescription& d, bool interpret) {
  if (interpret || !base::hasAvx2()) {
    auto made = std::make_shared<InterpretedCompute>(*d.function, d.samplers);
    made->entry = &interpretWave;
    return finish(made, *d.function);
  }
  auto made = std::make_shared<CompiledCompute>();
  made->code = ComputeRecorder(d).record();
  if (!made->code)
    return nullptr;
  made->entry = made->code.as<abi::ComputeKernel>();
  return finish(made, *d.function);
}

} // namespace monolith::codegen
