// SPDX-License-Identifier: MIT
/// @file
/// Costs of the stream and of its execution with real kernels. Figures of one thread are processor time of the process, so
/// that they mean something on a busy machine.
#include "commands/recorder.h"
#include "commands/timeline.h"
#include "ir/builder.h"
#include "ir/function.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <random>

namespace monolith::commands {
namespace {

using formats::Format;
using resources::TargetView;
using resources::Texture;
using resources::TextureKind;

codegen::SignatureElement element(const char* semantic, uint8_t reg, uint8_t mask, codegen::SystemValue system = codegen::SystemValue::None) {
  codegen::SignatureElement e;
  e.semantic = semantic;
  e.reg = reg;
  e.mask = e.usedMask = mask;
  e.system = system;
  e.interpolation = codegen::Interpolation::Linear;
  return e;
}

/// o0 = mul(v0, cb0[0..3]), o1 = v1.
void makeVertexShader(codegen::Program& p) {
  p.id = 1;
  p.function = std::make_unique<ir::Function>();
  p.function->stage = ir::Stage::Vertex;
  ir::ConstantBufferDecl cb;
  cb.size = 5;
  p.function->constantBuffers.push_back(cb);
  ir::Builder b(*p.function);
  ir::Value in[4];
  for (uint32_t c = 0; c < 4; ++c)
    in[c] = b.loadInput(0, c);
  for (uint32_t c = 0; c < 4; ++c) {
    ir::Value sum = b.emit(ir::Op::FMul, {in[0], b.loadConstant(0, b.constant(0), c)});
    for (uint32_t k = 1; k < 4; ++k)
      sum = b.emit(ir::Op::FMad, {in[k], b.loadConstant(0, b.constant(k), c), sum});
    b.storeOutput(0, c, sum);
  }
  for (uint32_t c = 0; c < 3; ++c)
    b.storeOutput(1, c, b.loadInput(1, c));
  b.finish();
  p.constantBufferCount = 1;
  p.inputs = {element("POSITION", 0, 15), element("NORMAL", 1, 7)};
  p.outputs = {element("SV_POSITION", 0, 15, codegen::SystemValue::Position), element("NORMAL", 1, 7)};
}

/// Lambert with a fixed light.
void makePixelShader(codegen::Program& p) {
  p.id = 2;
  p.stage = codegen::Stage::Pixel;
  p.function = std::make_unique<ir::Function>();
  ir::Function& f = *p.function;
  f.stage = ir::Stage::Pixel;
  ir::InputDecl in;
  in.reg = 1;
  in.mask = 7;
  in.interpolation = ir::Interpolation::Linear;
  f.inputs.push_back(in);
  ir::OutputDecl out;
  out.mask = 15;
  f.outputs.push_back(out);
  ir::Builder b(f);
  ir::Value sum = b.emit(ir::Op::FMul, {b.loadInput(1, 0), b.constantFloat(0.5f)});
  sum = b.emit(ir::Op::FMad, {b.loadInput(1, 1), b.constantFloat(0.6f), sum});
  sum = b.emit(ir::Op::FMad, {b.loadInput(1, 2), b.constantFloat(0.62f), sum});
  for (uint32_t c = 0; c < 3; ++c)
    b.storeOutput(0, c, sum);
  b.storeOutput(0, 3, b.constantFloat(1));
  b.finish();
  p.inputs = {element("NORMAL", 1, 7)};
  p.outputs = {element("SV_TARGET", 0, 15, codegen::SystemValue::Target)};
}

struct Device {
  std::unique_ptr<Timeline> timeline;
  codegen::Program vs, ps;
  BlendObject blend;
  DepthStencilObject depthStencil;
  RasterizerObject rasterizer;
  InputLayout layout;
  std::shared_ptr<Texture> colorTexture, depthTexture;
  TargetView color, depth;

  explicit Device(uint32_t threads, uint32_t width = 1280, uint32_t height = 720) {
    TimelineOptions options;
    options.threads = threads;
    timeline = Timeline::create(options);
    makeVertexShader(vs);
    makePixelShader(ps);
    blend.id = 3, depthStencil.id = 4, rasterizer.id = 5, layout.id = 6;
    layout.elements = {{0, 0, Format::R32G32B32_FLOAT, 0, 0, 0}, {1, 0, Format::R32G32B32_FLOAT, 0, 12, 0}};
    colorTexture = Texture::create({TextureKind::Texture2D, Format::R8G8B8A8_UNORM, width, height, 1, 1, 1, 1});
    depthTexture = Texture::create({TextureKind::Texture2D, Format::D32_FLOAT, width, height, 1, 1, 1, 1});
    makeTargetView(colorTexture, Format::R8G8B8A8_UNORM, 0, 0, 1, color);
    makeTargetView(depthTexture, Format::D32_FLOAT, 0, 0, 1, depth);
  }
  Recorder& r() { return timeline->recorder(); }
  void begin() {
    auto* c = r().push<ClearColor>();
    c->view = &color;
    c->rectCount = 0;
    std::fill_n(c->color, 4, 0.25f);
    auto* z = r().push<ClearDepthStencil>();
    z->view = &depth;
    z->flags = 1;
    z->depth = 1;
    z->rectCount = 0;
    auto* p = r().push<SetPipeline>();
    p->vertex = &vs;
    p->pixel = &ps;
    p->layout = &layout;
    p->blend = &blend;
    p->depthStencil = &depthStencil;
    p->rasterizer = &rasterizer;
    p->topology = state::Topology::TriangleList;
    p->stencilRef = 0;
    p->sampleMask = 0xffffffffu;
    std::fill_n(p->blendFactor, 4, 1.0f);
    auto* t = r().push<SetTargets>();
    std::memset(static_cast<void*>(t->color), 0, sizeof t->color);
    t->colorCount = 1;
    t->color[0] = &color;
    t->depth = &depth;
    auto* v = r().push<SetViewports>(sizeof(state::Viewport));
    v->count = 1;
    *Recorder::tail<SetViewports, state::Viewport>(v) = {0, 0, float(color.width), float(color.height), 0, 1};
  }
  void geometry(const std::vector<float>& vertices, const void* indices, size_t bytes, uint32_t indexBytes) {
    auto* s = r().push<SetVertexStreams>(sizeof(abi::VertexStream));
    s->count = 1;
    *Recorder::tail<SetVertexStreams, abi::VertexStream>(s) = {reinterpret_cast<const uint8_t*>(vertices.data()), uint32_t(vertices.size() * 4), 24};
    auto* i = r().push<SetIndexStream>();
    i->base = static_cast<const uint8_t*>(indices);
    i->size = bytes;
    i->indexBytes = indexBytes;
  }
  void constants(const uint8_t* data) {
    auto* c = r().push<SetConstantBuffers>(sizeof(abi::ConstantBuffer));
    c->stage = uint8_t(codegen::Stage::Vertex);
    c->count = 1;
    *Recorder::tail<SetConstantBuffers, abi::ConstantBuffer>(c) = {data, 5, 0};
  }
  void drawIndexed(uint32_t count) {
    auto* c = r().push<DrawIndexed>();
    c->indexCount = count;
    c->startIndex = 0;
    c->baseVertex = 0;
    c->instanceCount = 1;
    c->startInstance = 0;
  }
  void finish() { timeline->wait(timeline->flush()); }
};

/// A cube with four vertices a side.
void makeCube(std::vector<float>& vertices, std::vector<uint16_t>& indices) {
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float sign = side & 1 ? 1.0f : -1.0f;
    const auto first = uint16_t(vertices.size() / 6);
    for (int k = 0; k < 4; ++k) {
      float p[6] = {};
      p[axis] = sign;
      p[u] = k & 1 ? sign : -sign;
      p[v] = k & 2 ? 1.0f : -1.0f;
      p[3 + axis] = sign;
      vertices.insert(vertices.end(), p, p + 6);
    }
    for (int i : {0, 2, 1, 1, 2, 3})
      indices.push_back(uint16_t(first + i));
  }
}

void matrix(float* m, float scale, float x, float y, float z) {
  const float r = scale * 0.6f, s = scale * 0.8f;
  const float rows[16] = {r * 0.5625f, s, 0, 0, -s * 0.5625f, r, 0, 0, 0.1f * scale, 0.2f * scale, 0.01f, 0, x, y, z, 1};
  std::memcpy(m, rows, sizeof rows);
}

void smallDraws(benchmark::State& state) {
  Device d(uint32_t(state.range(0)));
  std::vector<float> vertices;
  std::vector<uint16_t> indices;
  makeCube(vertices, indices);
  auto buffer = resources::Buffer::create(80, true);
  constexpr int kDraws = 10000;
  for (auto _ : state) {
    d.begin();
    d.geometry(vertices, indices.data(), indices.size() * 2, 2);
    const uint64_t completed = d.timeline->completedSerial(), recording = d.timeline->recordingSerial();
    for (int i = 0; i < kDraws; ++i) {
      uint8_t* data = buffer->rename(completed, recording);
      matrix(reinterpret_cast<float*>(data), 0.008f, float(i % 100) / 50 - 0.99f, float(i / 100) / 50 - 0.99f, 0.5f);
      d.constants(data);
      d.drawIndexed(36);
    }
    d.finish();
  }
  state.counters["ns/draw"] = benchmark::Counter(double(state.iterations()) * kDraws / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(smallDraws)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void mesh(benchmark::State& state) {
  Device d(uint32_t(state.range(0)));
  constexpr uint32_t kN = 708;
  std::vector<float> vertices;
  std::vector<uint32_t> indices;
  for (uint32_t y = 0; y <= kN; ++y)
    for (uint32_t x = 0; x <= kN; ++x)
      vertices.insert(vertices.end(), {float(x) / kN * 2 - 1, float(y) / kN * 2 - 1, float((x * 7 + y * 3) % 11) / 20, 0.3f, 0.5f, 0.8f});
  for (uint32_t y = 0; y < kN; ++y)
    for (uint32_t x = 0; x < kN; ++x) {
      const uint32_t a = y * (kN + 1) + x, b = a + kN + 1;
      indices.insert(indices.end(), {a, b, a + 1, a + 1, b, b + 1});
    }
  float constants[20] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  for (auto _ : state) {
    d.begin();
    d.geometry(vertices, indices.data(), indices.size() * 4, 4);
    d.constants(reinterpret_cast<const uint8_t*>(constants));
    d.drawIndexed(uint32_t(indices.size()));
    d.finish();
  }
  state.counters["tri/s"] = benchmark::Counter(double(state.iterations()) * double(indices.size() / 3), benchmark::Counter::kIsRate);
}
BENCHMARK(mesh)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

void recordDraw(benchmark::State& state) {
  Device d(1);
  std::vector<float> vertices;
  std::vector<uint16_t> indices;
  makeCube(vertices, indices);
  auto buffer = resources::Buffer::create(80, true);
  const bool constants = state.range(0) != 0;
  uint64_t n = 0;
  for (auto _ : state) {
    if (n++ % 4096 == 0) {
      state.PauseTiming();
      d.finish();
      state.ResumeTiming();
    }
    if (constants) {
      uint8_t* data = buffer->rename(d.timeline->completedSerial(), d.timeline->recordingSerial());
      std::memset(data, 0, 80);
      d.constants(data);
    }
    d.drawIndexed(36);
  }
  d.finish();
}
BENCHMARK(recordDraw)->Arg(0)->Arg(1);

void clearTarget(benchmark::State& state) {
  Device d(uint32_t(state.range(0)), 1920, 1080);
  for (auto _ : state) {
    d.begin();
    d.r().push<Materialize>()->texture = d.colorTexture.get();
    d.finish();
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * 1920 * 1080 * 4);
}
BENCHMARK(clearTarget)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

void copyTarget(benchmark::State& state) {
  Device d(uint32_t(state.range(0)), 1920, 1080);
  auto staging = Texture::create(d.colorTexture->desc());
  for (auto _ : state) {
    auto* c = d.r().push<CopyTexture>();
    c->dest = staging.get();
    c->source = d.colorTexture.get();
    c->destRegion = c->sourceRegion = {0, 0, 0, 0, 0, 1920, 1080, 1};
    d.finish();
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * 1920 * 1080 * 4);
}
BENCHMARK(copyTarget)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

void plainCopy(benchmark::State& state) {
  std::vector<uint8_t> a(1920 * 1080 * 4, 1), b(1920 * 1080 * 4, 2);
  for (auto _ : state) {
    std::memcpy(a.data(), b.data(), a.size());
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * int64_t(a.size()));
}
BENCHMARK(plainCopy)->Unit(benchmark::kMicrosecond)->UseRealTime();

} // namespace
} // namespace monolith::commands

BENCHMARK_MAIN();
