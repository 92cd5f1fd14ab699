// SPDX-License-Identifier: MIT
#include "machine/machine_shader.h"
#include "abi/texture_view.h"
#include "abi/thread_context.h"
#include "codegen/shader_emitter.h"
#include "simd/cpu.h"
#include "simd/simd.h"
#include <cstring>
#include <vector>

namespace monolith::test {

namespace {

using namespace simd;

constexpr unsigned kOperandSlots = 16, kResultSlots = 8;
/// Interpreter lane of each generated lane, and the reverse.
constexpr unsigned kLane[8] = {0, 1, 4, 5, 2, 3, 6, 7};

struct Context {
  const abi::StageBindings* bindings;
  abi::ThreadContext* thread;
  ir::Environment* env;
  const ir::Function* function;
  uint32_t discarded;
};

uint8_t permuteMask(uint32_t mask) {
  uint8_t m = 0;
  for (unsigned l = 0; l < 8; ++l)
    m = uint8_t(m | ((mask >> l & 1) << kLane[l]));
  return m;
}

void dispatch(Context& c, const ir::Instruction& i, const uint32_t* const* in, uint32_t* const* out, uint8_t mask) {
  using ir::Op;
  const uint32_t* a = i.operandCount > 0 ? in[0] : nullptr;
  const uint32_t* b = i.operandCount > 1 ? in[1] : nullptr;
  switch (i.op) {
  case Op::LoadInput: c.env->loadInput(i.attr, i.attr2, out[0]); return;
  case Op::LoadVertexInput:
  case Op::LoadOutputPoint:
  case Op::LoadPatchConstant: c.env->loadIndexedInput(i.op, i.attr, i.attr2, a, out[0]); return;
  case Op::LoadSystem: c.env->loadSystem(ir::SystemValue(i.attr), i.attr2, out[0]); return;
  case Op::EvalCentroid:
  case Op::EvalSample:
  case Op::EvalSnapped: c.env->evalInput(i.op, i.attr, i.attr2, a, b, out[0]); return;
  case Op::StoreOutput:
  case Op::StoreDepth:
  case Op::StoreCoverage:
  case Op::StoreStencilRef:
  case Op::StorePatchConstant: c.env->storeOutput(i.op, i.attr, i.attr2, a, b, mask); return;
  case Op::EmitVertex:
  case Op::CutStrip: c.env->emitVertex(i.op, i.attr, mask); return;
  case Op::Sync: c.env->sync(i.attr); return;
  default: c.env->resource(*c.function, i, in, out, mask); return;
  }
}

/// Called from generated code: block holds the operands, then room for the results, eight words each.
void callEnvironment(Context* c, const ir::Instruction* i, uint32_t* block, uint32_t mask) {
  uint32_t words[kOperandSlots + kResultSlots][8];
  const uint32_t* in[kOperandSlots];
  uint32_t* out[kResultSlots];
  for (unsigned n = 0; n < i->operandCount; ++n) {
    for (unsigned l = 0; l < 8; ++l)
      words[n][kLane[l]] = block[n * 8 + l];
    in[n] = words[n];
  }
  for (unsigned n = 0; n < i->resultCount; ++n)
    out[n] = words[kOperandSlots + n];
  dispatch(*c, *i, in, out, permuteMask(mask));
  for (unsigned n = 0; n < i->resultCount; ++n)
    for (unsigned l = 0; l < 8; ++l)
      block[(kOperandSlots + n) * 8 + l] = words[kOperandSlots + n][kLane[l]];
}

/// Every operation becomes a call.
class CallingHost : public codegen::ShaderHost {
public:
  CallingHost(Pointer context, Mask active)
      : m_context(context), m_active(active), m_block(Function::currentStack((kOperandSlots + kResultSlots) * 32)) {}

  Int input(uint32_t reg, uint32_t component) override {
    return result(make(ir::Op::LoadInput, reg, component, 0, 1));
  }
  Int system(uint32_t value, uint32_t component) override {
    return result(make(ir::Op::LoadSystem, value, component, 0, 1));
  }
  void output(uint32_t reg, uint32_t component, Int value) override { outputMasked(reg, component, value, m_active); }
  void outputMasked(uint32_t reg, uint32_t component, Int value, Mask exec) override {
    Int unused;
    call(make(ir::Op::StoreOutput, reg, component, 1, 0), &value, &unused, exec);
  }
  void outputDepth(Float value) override {
    Int unused;
    const Int v = asInt(value);
    call(make(ir::Op::StoreDepth, 0, 0, 1, 0), &v, &unused, m_active);
  }
  void discard(Mask lanes) override {
    const Pointer p = m_context + int32_t(offsetof(Context, discarded));
    store(p, loadWord(p) | laneBits(lanes));
  }
  Pointer bindings() override { return loadPointer(m_context + int32_t(offsetof(Context, bindings))); }
  Pointer thread() override { return loadPointer(m_context + int32_t(offsetof(Context, thread))); }
  void resource(const ir::Function&, const ir::Instruction& i, const Int* operands, Int* results, Mask exec) override {
    call(&i, operands, results, exec);
  }
  void effect(const ir::Function&, const ir::Instruction& i, const Int* operands, Int* results, Mask exec) override {
    call(&i, operands, results, exec);
  }

  std::vector<std::unique_ptr<ir::Instruction>> made;

private:
  const ir::Instruction* make(ir::Op op, uint32_t attr, uint32_t attr2, uint8_t operands, uint8_t results) {
    auto i = std::make_unique<ir::Instruction>();
    i->op = op;
    i->attr = attr;
    i->attr2 = attr2;
    i->operandCount = operands;
    i->resultCount = results;
    made.push_back(std::move(i));
    return made.back().get();
  }
  Int result(const ir::Instruction* i) {
    Int r;
    call(i, nullptr, &r, m_active);
    return r;
  }
  void call(const ir::Instruction* i, const Int* operands, Int* results, Mask exec) {
    for (unsigned n = 0; n < i->operandCount; ++n)
      store(m_block + int32_t(n * 32), operands[n]);
    simd::call(addressOf(&callEnvironment), {Argument(m_context), Argument(static_cast<const void*>(i)),
                                             Argument(m_block), Argument(laneBits(exec))});
    for (unsigned n = 0; n < i->resultCount; ++n)
      results[n] = loadInt(m_block + int32_t((kOperandSlots + n) * 32));
  }

  Pointer m_context;
  Mask m_active;
  Pointer m_block;
};

} // namespace

MachineShader::MachineShader(const ir::Function& f) : m_function(f) {
  Function function("machine shader", {ArgumentKind::Pointer, ArgumentKind::Word});
  const Mask active = maskFromBits(function.wordArgument(1));
  CallingHost host(function.pointerArgument(0), active);
  codegen::emitShader(f, host, active);
  m_routine = function.finish();
  m_error = function.error();
  m_instructions = std::move(host.made);
}

MachineShader::Result MachineShader::run(ir::Environment& env, uint8_t mask, int64_t loopBudget) {
  constexpr unsigned kSlots = 32;
  abi::ConstantBuffer buffers[kSlots];
  static const uint8_t zeros[16] = {};
  std::vector<std::vector<uint32_t>> storage;
  for (abi::ConstantBuffer& b : buffers)
    b = {zeros, 0, 0};
  for (const ir::ConstantBufferDecl& d : m_function.constantBuffers) {
    std::vector<uint32_t>& words = storage.emplace_back(size_t(d.size) * 4 + 4);
    for (uint32_t w = 0; w < d.size * 4; ++w)
      words[w] = env.loadConstant(d.slot, w / 4, w % 4);
    if (d.slot < kSlots)
      buffers[d.slot] = {reinterpret_cast<const uint8_t*>(words.data()), d.size, 0};
  }
  const abi::StageBindings bindings{buffers, nullptr, nullptr};
  std::vector<uint8_t> scratch(codegen::shaderScratchBytes(m_function));
  abi::ThreadContext thread;
  thread.loopBudget = loopBudget;
  thread.scratch = scratch.data();
  thread.scratchSize = uint32_t(scratch.size());
  Context context{&bindings, &thread, &env, &m_function, 0};
  {
    const FloatEnvironment environment;
    m_routine.as<void (*)(Context*, uint32_t)>()(&context, permuteMask(mask));
  }
  return {thread.hung != 0, permuteMask(context.discarded)};
}

} // namespace monolith::test
