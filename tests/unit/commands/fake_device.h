// SPDX-License-Identifier: MIT
/// @file
/// A timeline with plain C++ functions in place of generated code, and helpers that record as d3d11/ would.
#pragma once

#include "commands/executor.h"
#include "commands/recorder.h"
#include "geometry/clip.h"
#include "ir/function.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>

namespace monolith::commands::test {

using formats::Format;
using resources::TargetView;
using resources::Texture;
using resources::TextureKind;

/// float4 position from stream 0 by vertex id, moved by constant buffer 0's first float4; slot 8 = vertex id.
inline void vertexKernel(const abi::VertexArgs* a) {
  float move[4] = {};
  if (a->bindings->constantBuffers[0].size)
    std::memcpy(move, a->bindings->constantBuffers[0].data, 16);
  for (uint32_t i = 0; i < (a->count + 7) / 8 * 8; ++i) {
    float* packet = a->packets + size_t(i / 8) * (a->packetStride / 4) + i % 8;
    const uint64_t at = uint64_t(a->vertexIds[i] + uint32_t(a->baseVertex)) * a->streams[0].stride;
    geometry::ClipVertex v{};
    v.v[3] = 1;
    if (at + 16 <= a->streams[0].size)
      std::memcpy(v.v, a->streams[0].base + at, 16);
    for (int k = 0; k < 4; ++k)
      v.v[k] += move[k];
    v.v[0] += float(a->instanceIds[i]) * 0.25f;
    geometry::project(v, *a->viewport);
    v.v[8] = float(a->vertexIds[i]);
    for (uint32_t s = 0; s < a->packetStride / 32; ++s)
      packet[s * 8] = v.v[s];
    const float x = v.v[0], y = v.v[1], z = v.v[2], w = v.v[3];
    a->clipCodes[i] = (x < -w ? 1u : 0u) | (x > w ? 2u : 0u) | (y < -w ? 4u : 0u) | (y > w ? 8u : 0u) | (z < 0 ? 16u : 0u) | (z > w ? 32u : 0u);
  }
}

/// Threads that have run pixel kernels, one bit each.
inline std::atomic<uint32_t> threadsSeen{0};

/// dest = dest * 5 + colour, so that order shows; the colour is constant buffer 0's first word, plus resource 0's first
/// word when one is bound.
inline void pixelKernel(const abi::PixelArgs* a) {
  const abi::DrawContext& d = *a->draw;
  uint32_t color = 0;
  if (d.pixel.constantBuffers[0].size)
    std::memcpy(&color, d.pixel.constantBuffers[0].data, 4);
  if (d.pixel.resources && d.pixel.resources[0]->width) {
    uint32_t texel;
    std::memcpy(&texel, d.pixel.resources[0]->base + d.pixel.resources[0]->mipOffset[0], 4);
    color += texel;
  }
  if (color == 0xdead0000u) {
    a->thread->hung = 1;
    return;
  }
  threadsSeen.fetch_or(1u << a->thread->threadIndex, std::memory_order_relaxed);
  for (uint32_t b = 0; b < a->blockCount; ++b) {
    const abi::Block& block = a->blocks[b];
    for (uint32_t i = 0; i < 64; ++i) {
      if (!(block.mask >> i & 1))
        continue;
      if (a->thread->occlusion)
        ++*a->thread->occlusion;
      if (!d.color[0].base)
        continue;
      uint8_t* at = d.color[0].base + size_t(block.y + i / 8) * d.color[0].rowPitch + size_t(block.x + i % 8) * 4;
      uint32_t v;
      std::memcpy(&v, at, 4);
      v = v * 5 + color;
      std::memcpy(at, &v, 4);
    }
  }
}

struct FakeRoutines : codegen::Routines {
  std::shared_ptr<const codegen::VertexRoutine> vertex(const codegen::VertexState&) override {
    ++vertexCalls;
    auto r = std::make_shared<codegen::VertexRoutine>();
    r->entry = vertexKernel;
    return r;
  }
  std::shared_ptr<const codegen::PixelRoutine> pixel(const codegen::PixelState& s) override {
    ++pixelCalls;
    auto r = std::make_shared<codegen::PixelRoutine>();
    r->entry = pixelKernel;
    r->readsColor = true;
    r->noEffect = s.colorCount == 0 && !s.countSamples;
    return r;
  }
  int vertexCalls = 0, pixelCalls = 0;
};

struct Device {
  FakeRoutines* routines;
  std::unique_ptr<Timeline> timeline;
  codegen::Program vs, ps, psTexture;
  BlendObject blend;
  DepthStencilObject depthStencil;
  RasterizerObject rasterizer;
  InputLayout layout;

  explicit Device(uint32_t threads, uint64_t budget = 64u << 20) {
    TimelineOptions options;
    options.threads = threads;
    options.memoryBudget = budget;
    Parts parts;
    auto fake = std::make_unique<FakeRoutines>();
    routines = fake.get();
    parts.routines = std::move(fake);
    parts.makeBinner = &binning::Binner::create;
    parts.renderTile = &tiles::renderTile;
    parts.tileEmpty = &tiles::tileEmpty;
    timeline = createTimeline(options, std::move(parts));
    vs.id = 1;
    vs.constantBufferCount = 1;
    codegen::SignatureElement position, id;
    position.semantic = "SV_Position", position.mask = 15, position.system = codegen::SystemValue::Position;
    id.semantic = "ID", id.mask = 1, id.reg = 1;
    vs.outputs = {position, id};
    ps.id = 2;
    ps.stage = codegen::Stage::Pixel;
    ps.constantBufferCount = 1;
    psTexture.id = 3;
    psTexture.stage = codegen::Stage::Pixel;
    psTexture.constantBufferCount = 1;
    psTexture.resourceCount = 1;
    blend.id = 4, depthStencil.id = 5, rasterizer.id = 6, layout.id = 7;
    rasterizer.desc.cull = state::CullMode::None;
    depthStencil.desc.depthEnable = 0;
  }
  Recorder& r() { return timeline->recorder(); }
  void finish() { timeline->wait(timeline->flush()); }

  void pipeline(const codegen::Program* pixel = nullptr, state::Topology topology = state::Topology::TriangleList) {
    auto* c = r().push<SetPipeline>();
    c->vertex = &vs;
    c->pixel = pixel ? pixel : &ps;
    c->layout = &layout;
    c->blend = &blend;
    c->depthStencil = &depthStencil;
    c->rasterizer = &rasterizer;
    c->topology = topology;
    c->stencilRef = 0;
    c->sampleMask = 0xffffffff;
    for (float& f : c->blendFactor)
      f = 1;
  }
  void targets(const TargetView* color, const TargetView* depth = nullptr) {
    auto* c = r().push<SetTargets>();
    std::memset(static_cast<void*>(c->color), 0, sizeof c->color);
    c->colorCount = color ? 1 : 0;
    c->color[0] = color;
    c->depth = depth;
    auto* v = r().push<SetViewports>(sizeof(state::Viewport));
    v->count = 1;
    const TargetView* any = color ? color : depth;
    *Recorder::tail<SetViewports, state::Viewport>(v) = {0, 0, float(any->width), float(any->height), 0, 1};
  }
  void stream(const void* data, size_t bytes) {
    auto* c = r().push<SetVertexStreams>(sizeof(abi::VertexStream));
    c->count = 1;
    *Recorder::tail<SetVertexStreams, abi::VertexStream>(c) = {static_cast<const uint8_t*>(data), uint32_t(bytes), 16};
  }
  void indices(const void* data, size_t bytes, uint32_t indexBytes) {
    auto* c = r().push<SetIndexStream>();
    c->base = static_cast<const uint8_t*>(data);
    c->size = bytes;
    c->indexBytes = indexBytes;
  }
  void constants(codegen::Stage stage, const void* data) {
    auto* c = r().push<SetConstantBuffers>(sizeof(abi::ConstantBuffer));
    c->stage = uint8_t(stage);
    c->count = 1;
    *Recorder::tail<SetConstantBuffers, abi::ConstantBuffer>(c) = {static_cast<const uint8_t*>(data), 1, 0};
  }
  void resource(const resources::ShaderView* view) {
    auto* c = r().push<SetResources>(sizeof(void*));
    c->stage = uint8_t(codegen::Stage::Pixel);
    c->count = 1;
    *Recorder::tail<SetResources, const resources::ShaderView*>(c) = view;
  }
  void draw(uint32_t vertices, uint32_t start = 0, uint32_t instances = 1) {
    auto* c = r().push<Draw>();
    c->vertexCount = vertices;
    c->startVertex = start;
    c->instanceCount = instances;
    c->startInstance = 0;
  }
  void drawIndexed(uint32_t count, uint32_t start = 0) {
    auto* c = r().push<DrawIndexed>();
    c->indexCount = count;
    c->startIndex = start;
    c->baseVertex = 0;
    c->instanceCount = 1;
    c->startInstance = 0;
  }
  void clear(const TargetView* view, float red) {
    auto* c = r().push<ClearColor>();
    c->view = view;
    c->rectCount = 0;
    c->color[0] = red;
    c->color[1] = c->color[2] = c->color[3] = 0;
  }
  void copy(Texture* dest, Texture* source) {
    auto* c = r().push<CopyTexture>();
    c->dest = dest;
    c->source = source;
    c->destRegion = c->sourceRegion = {0, 0, 0, 0, 0, source->desc().width, source->desc().height, 1};
  }
  void query(queries::Query& q, bool begin) {
    if (begin)
      r().push<BeginQuery>()->query = &q;
    else
      r().push<EndQuery>()->query = &q;
  }
};

struct Image {
  std::shared_ptr<Texture> texture;
  TargetView view;
  Image(uint32_t width, uint32_t height, Format format = Format::R32_UINT) {
    texture = Texture::create({TextureKind::Texture2D, format, width, height, 1, 1, 1, 1});
    EXPECT_TRUE(makeTargetView(texture, format, 0, 0, 1, view));
  }
  uint32_t at(uint32_t x, uint32_t y) const {
    uint32_t v;
    std::memcpy(&v, texture->address(0, 0) + y * texture->layout().rowPitch[0] + x * 4, 4);
    return v;
  }
  uint64_t hash() const {
    uint64_t h = 1469598103934665603ull;
    for (uint32_t y = 0; y < texture->desc().height; ++y)
      for (uint32_t x = 0; x < texture->desc().width; ++x)
        h = (h ^ at(x, y)) * 1099511628211ull;
    return h;
  }
};

} // namespace monolith::commands::test
