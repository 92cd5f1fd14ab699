// SPDX-License-Identifier: MIT
// Generated shaders: time to compile, throughput of typical loops, vertex kernels.
#include "abi/vertex_args.h"
#include "codegen/routines.h"
#include "codegen/shader_emitter.h"
#include "codegen/vertex_kernel.h"
#include "ir/builder.h"
#include "ir/passes/pipeline.h"
#include "simd/cpu.h"
#include "simd/simd.h"

#include <benchmark/benchmark.h>
#include <cstdlib>

using namespace monolith;

namespace {

/// Inputs and outputs as arrays of vectors; one constant buffer.
class ArrayHost final : public codegen::ShaderHost {
public:
  ArrayHost(simd::Pointer inputs, simd::Pointer outputs, simd::Pointer bindings, simd::Pointer thread)
      : m_inputs(inputs), m_outputs(outputs), m_bindings(bindings), m_thread(thread) {}
  simd::Int input(uint32_t reg, uint32_t component) override { return loadInt(m_inputs + int32_t((reg * 4 + component) * 32)); }
  simd::Int system(uint32_t, uint32_t) override { return simd::Int(0); }
  void output(uint32_t reg, uint32_t component, simd::Int value) override {
    store(m_outputs + int32_t((reg * 4 + component) * 32), value);
  }
  simd::Pointer bindings() override { return m_bindings; }
  simd::Pointer thread() override { return m_thread; }
  void resource(const ir::Function&, const ir::Instruction&, const simd::Int*, simd::Int*, simd::Mask) override {}

private:
  simd::Pointer m_inputs, m_outputs, m_bindings, m_thread;
};

simd::Routine compile(const ir::Function& f) {
  using simd::ArgumentKind;
  simd::Function function("bench", {ArgumentKind::Pointer, ArgumentKind::Pointer, ArgumentKind::Pointer, ArgumentKind::Pointer});
  ArrayHost host(function.pointerArgument(0), function.pointerArgument(1), function.pointerArgument(2), function.pointerArgument(3));
  codegen::emitShader(f, host, simd::Mask(true));
  return function.finish();
}

/// A lighting-like stream: mads, multiplies, minima, now and then a division or square root, constants from a buffer.
void lightingShader(ir::Function& f, unsigned operations) {
  ir::Builder b(f);
  f.stage = ir::Stage::Pixel;
  f.constantBuffers.push_back({0, 16, 16, false});
  std::vector<ir::Value> v;
  for (uint32_t n = 0; n < 8; ++n)
    v.push_back(b.loadInput(n / 4, n % 4));
  uint32_t state = 7;
  const auto pick = [&] {
    state = state * 1664525 + 1013904223;
    return v[v.size() - 1 - (state >> 8) % 8];
  };
  for (unsigned n = 0; n < operations; ++n) {
    switch (n % 10) {
    case 3: v.push_back(b.emit(ir::Op::FMul, {pick(), b.loadConstant(0, b.constant(n / 4 % 16), n % 4)})); break;
    case 6: v.push_back(b.emit(ir::Op::FAdd, {pick(), pick()})); break;
    case 8: v.push_back(b.emit(ir::Op::FMax, {pick(), b.constantFloat(0.0f)})); break;
    case 9: v.push_back(n % 50 == 49 ? b.emit(ir::Op::FRsq, {pick()}) : b.emit(ir::Op::FSat, {pick()})); break;
    default: v.push_back(b.emit(ir::Op::FMad, {pick(), pick(), pick()})); break;
    }
  }
  for (uint32_t c = 0; c < 4; ++c)
    b.storeOutput(0, c, v[v.size() - 1 - c]);
  b.finish();
}

void compileShader(benchmark::State& s) {
  ir::Function f;
  lightingShader(f, unsigned(s.range(0)));
  size_t bytes = 0;
  for (auto _ : s)
    bytes = compile(f).size();
  s.counters["code_bytes"] = double(bytes);
}
BENCHMARK(compileShader)->Arg(50)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

struct Memory {
  alignas(32) float inputs[256] = {}, outputs[256] = {}, constants[256] = {};
  abi::ConstantBuffer buffers[1] = {{reinterpret_cast<const uint8_t*>(constants), 64, 0}};
  abi::StageBindings bindings{buffers, nullptr, nullptr};
  abi::ThreadContext thread;
  void run(const simd::Routine& r) {
    thread.loopBudget = int64_t(1) << 60;
    r.as<void (*)(const float*, float*, const abi::StageBindings*, abi::ThreadContext*)>()(inputs, outputs, &bindings, &thread);
  }
};

void runLighting(benchmark::State& s) {
  ir::Function f;
  lightingShader(f, 200);
  const simd::Routine r = compile(f);
  auto m = std::make_unique<Memory>();
  const simd::FloatEnvironment environment;
  for (auto _ : s)
    m->run(r);
  s.counters["ops_per_second"] = benchmark::Counter(200.0 * 8 * double(s.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(runLighting);

/// for (i = 0; i < 1000; ++i) eight independent chains of a = a * b + c.
void runMadLoop(benchmark::State& s) {
  ir::Function f;
  ir::Builder b(f);
  f.stage = ir::Stage::Pixel;
  f.constantBuffers.push_back({0, 1, 1, false});
  std::vector<ir::VarId> chains;
  for (uint32_t n = 0; n < 8; ++n) {
    chains.push_back(b.newVariable());
    b.storeVar(chains.back(), b.loadInput(n / 4, n % 4));
  }
  const ir::VarId i = b.newVariable();
  b.storeVar(i, b.constant(0));
  b.beginLoop();
  b.breakIf(b.emit(ir::Op::IGe, {b.loadVar(i), b.constant(1000)}));
  const ir::Value x = b.loadConstant(0, b.constant(0), 0), y = b.loadConstant(0, b.constant(0), 1);
  for (const ir::VarId c : chains)
    b.storeVar(c, b.emit(ir::Op::FMad, {b.loadVar(c), x, y}));
  b.storeVar(i, b.emit(ir::Op::IAdd, {b.loadVar(i), b.constant(1)}));
  b.endLoop();
  for (uint32_t n = 0; n < 8; ++n)
    b.storeOutput(n / 4, n % 4, b.loadVar(chains[n]));
  b.finish();
  ir::optimize(f);
  const simd::Routine r = compile(f);
  auto m = std::make_unique<Memory>();
  m->constants[0] = 0.999f;
  m->constants[1] = 0.25f;
  const simd::FloatEnvironment environment;
  for (auto _ : s)
    m->run(r);
  s.counters["mads_per_second"] = benchmark::Counter(8000.0 * 8 * double(s.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(runMadLoop);

/// Divergent loop: z = z * z + c until it escapes or 256 rounds are over.
void runMandelbrot(benchmark::State& s) {
  ir::Function f;
  ir::Builder b(f);
  f.stage = ir::Stage::Pixel;
  const ir::Value cx = b.loadInput(0, 0), cy = b.loadInput(0, 1);
  const ir::VarId x = b.newVariable(), y = b.newVariable(), i = b.newVariable();
  b.storeVar(x, b.constant(0));
  b.storeVar(y, b.constant(0));
  b.storeVar(i, b.constant(0));
  b.beginLoop();
  b.breakIf(b.emit(ir::Op::IGe, {b.loadVar(i), b.constant(256)}));
  const ir::Value zx = b.loadVar(x), zy = b.loadVar(y);
  const ir::Value xx = b.emit(ir::Op::FMul, {zx, zx}), yy = b.emit(ir::Op::FMul, {zy, zy});
  b.breakIf(b.emit(ir::Op::FLt, {b.constantFloat(4.0f), b.emit(ir::Op::FAdd, {xx, yy})}));
  const ir::Value xy = b.emit(ir::Op::FMul, {zx, zy});
  b.storeVar(x, b.emit(ir::Op::FAdd, {b.emit(ir::Op::FAdd, {xx, b.emit(ir::Op::FNeg, {yy})}), cx}));
  b.storeVar(y, b.emit(ir::Op::FMad, {xy, b.constantFloat(2.0f), cy}));
  b.storeVar(i, b.emit(ir::Op::IAdd, {b.loadVar(i), b.constant(1)}));
  b.endLoop();
  b.storeOutput(0, 0, b.loadVar(i));
  b.finish();
  ir::optimize(f);
  const simd::Routine r = compile(f);
  auto m = std::make_unique<Memory>();
  for (int l = 0; l < 8; ++l) {
    m->inputs[l] = -0.7f + 0.001f * float(l);
    m->inputs[8 + l] = 0.1f;
  }
  const simd::FloatEnvironment environment;
  for (auto _ : s)
    m->run(r);
  s.counters["rounds_per_second"] = benchmark::Counter(256.0 * 8 * double(s.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(runMandelbrot);

/// Position by a matrix from a constant buffer, normal and texture coordinates passed through.
std::unique_ptr<codegen::Program> transformProgram() {
  auto p = std::make_unique<codegen::Program>();
  p->id = 1;
  p->function = std::make_unique<ir::Function>();
  ir::Function& f = *p->function;
  f.stage = ir::Stage::Vertex;
  f.constantBuffers.push_back({0, 4, 4, false});
  ir::Builder b(f);
  ir::Value in[3];
  for (uint32_t c = 0; c < 3; ++c)
    in[c] = b.loadInput(0, c);
  for (uint32_t r = 0; r < 4; ++r) {
    ir::Value sum = b.loadConstant(0, b.constant(r), 3);
    for (uint32_t c = 0; c < 3; ++c)
      sum = b.emit(ir::Op::FMad, {in[c], b.loadConstant(0, b.constant(r), c), sum});
    b.storeOutput(0, r, sum);
  }
  for (uint32_t c = 0; c < 3; ++c)
    b.storeOutput(1, c, b.loadInput(1, c));
  for (uint32_t c = 0; c < 2; ++c)
    b.storeOutput(2, c, b.loadInput(2, c));
  b.finish();
  const auto add = [](std::vector<codegen::SignatureElement>& list, const char* name, uint8_t reg, uint8_t mask,
                      codegen::SystemValue system) {
    codegen::SignatureElement e;
    e.semantic = name, e.reg = reg, e.mask = e.usedMask = mask, e.system = system;
    list.push_back(e);
  };
  add(p->outputs, "SV_POSITION", 0, 15, codegen::SystemValue::Position);
  add(p->outputs, "NORMAL", 1, 7, codegen::SystemValue::None);
  add(p->outputs, "TEXCOORD", 2, 3, codegen::SystemValue::None);
  return p;
}

void vertexKernel(benchmark::State& s) {
  const auto program = transformProgram();
  const auto outputs = codegen::layoutOutputs(*program);
  using formats::Format;
  const state::InputElement elements[] = {{0, 0, Format::R32G32B32_FLOAT, 0, 0, 0},
                                          {1, 0, Format::R32G32B32_FLOAT, 0, 12, 0},
                                          {2, 0, Format::R32G32_FLOAT, 0, 24, 0}};
  const auto routines = codegen::Routines::create(1 << 20);
  const auto routine = routines->vertex({program.get(), &outputs, elements, true, {}, {}});
  constexpr uint32_t kVertices = 256;
  std::vector<uint8_t> data(kVertices * 32 + 64);
  const abi::VertexStream stream{data.data(), kVertices * 32, 32};
  uint32_t ids[kVertices], instances[kVertices] = {}, codes[kVertices];
  for (uint32_t n = 0; n < kVertices; ++n)
    ids[n] = n;
  const uint32_t stride = outputs.slotCount * 32u;
  void* packets = std::aligned_alloc(32, kVertices / 8 * stride);
  auto m = std::make_unique<Memory>();
  const abi::ViewportTransform viewport = {1, 0, 1, 0, 1, 0, 2, 2};
  const abi::VertexArgs args{&m->bindings, &stream, ids, instances, kVertices, 0, 0, stride,
                             static_cast<float*>(packets), codes, &viewport, &m->thread, routine.get()};
  const simd::FloatEnvironment environment;
  for (auto _ : s)
    routine->entry(&args);
  std::free(packets);
  s.counters["vertices_per_second"] = benchmark::Counter(double(kVertices) * double(s.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(vertexKernel);

void compileVertexKernel(benchmark::State& s) {
  const auto program = transformProgram();
  const auto outputs = codegen::layoutOutputs(*program);
  using formats::Format;
  const state::InputElement elements[] = {{0, 0, Format::R32G32B32_FLOAT, 0, 0, 0},
                                          {1, 0, Format::R32G32B32_FLOAT, 0, 12, 0},
                                          {2, 0, Format::R32G32_FLOAT, 0, 24, 0}};
  const codegen::VertexState state{program.get(), &outputs, elements, true, {}, {}};
  for (auto _ : s)
    benchmark::DoNotOptimize(codegen::recordVertexKernel(codegen::describe(state)));
}
BENCHMARK(compileVertexKernel)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
