// SPDX-License-Identifier: MIT
/// @file
/// From current state to what a draw needs: scene, routines, tables, setups. Each step runs only when a group that it
/// depends on has changed, so that a new constant buffer costs one small structure and a repeated draw nothing.
#include "base/log.h"
#include "commands/executor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

namespace monolith::commands {
namespace {

using codegen::Stage;
constexpr uint32_t kPixelStage = uint32_t(Stage::Pixel), kVertexStage = uint32_t(Stage::Vertex);
constexpr size_t kMaxVariants = 4096;
constexpr uint32_t kMaxTargetExtent = 16384; ///< Buffers may have more elements; nothing can be drawn to them.
constexpr float kGuardPixels = 32760.0f; ///< Screen positions stay inside 16.8 with some room for rounding.

template <class T, class Command> const T* tableOf(const Command* c) { return reinterpret_cast<const T*>(c + 1); }

bool overlaps(const resources::ShaderView& view, const resources::TargetView& target) {
  if (view.texture != target.texture || !view.texture)
    return false;
  const bool volume = view.texture->desc().kind == resources::TextureKind::Texture3D;
  const bool mips = target.mip >= view.firstMip && target.mip < view.firstMip + view.view.mips;
  const bool layers = volume || (target.firstLayer < view.firstLayer + view.view.layers && view.firstLayer < target.firstLayer + target.layers);
  return mips && layers;
}

int32_t floorClamped(float v) { return int32_t(std::floor(std::clamp(v, -65536.0f, 65536.0f))); }

abi::ViewportTransform transformOf(const state::Viewport& vp) {
  abi::ViewportTransform t;
  t.scaleX = vp.width * 0.5f;
  t.offsetX = vp.x + t.scaleX;
  t.scaleY = vp.height * -0.5f;
  t.offsetY = vp.y + vp.height * 0.5f;
  t.scaleZ = vp.maxDepth - vp.minDepth;
  t.offsetZ = vp.minDepth;
  const auto guard = [](float scale, float offset) {
    return scale > 0 ? std::max(1.0f, (kGuardPixels - std::fabs(offset)) / scale) : 1.0f;
  };
  t.guardX = guard(t.scaleX, t.offsetX);
  t.guardY = guard(-t.scaleY, t.offsetY);
  return t;
}

/// Pixels that a viewport and, if given, a scissor rectangle leave.
state::Rect windowOf(const state::Viewport& vp, const tiles::TargetSet& targets, const state::Rect* scissor) {
  // The implicit scissor of the viewport rounds down all edges (15.7).
  state::Rect r = {std::max(0, floorClamped(vp.x)), std::max(0, floorClamped(vp.y)),
                   std::min(int32_t(targets.width), floorClamped(vp.x + vp.width)),
                   std::min(int32_t(targets.height), floorClamped(vp.y + vp.height))};
  if (scissor)
    r = {std::max(r.left, scissor->left), std::max(r.top, scissor->top), std::min(r.right, scissor->right),
         std::min(r.bottom, scissor->bottom)};
  return r;
}

/// Whether primitives are alpha-antialiased lines (15.14.1).
bool drawsSmoothLines(const SetPipeline& p) {
  const state::RasterizerState& r = p.rasterizer->desc;
  if (!r.antialiasedLine || r.multisample)
    return false;
  const uint32_t vertices = geometry::topologyShape(p.topology).vertices;
  return vertices == 2 || (vertices == 3 && r.fill == state::FillMode::Wireframe);
}

uint64_t layerPitch(const resources::TargetView& v) {
  if (!v.texture)
    return 0;
  const bool volume = v.texture->desc().kind == resources::TextureKind::Texture3D;
  return volume ? v.texture->layout().slicePitch[v.mip] : v.texture->layout().layerPitch;
}

/// Slots of packets by the way in which the pixel shader interpolates them.
geometry::SlotClasses classify(const codegen::Program* pixel, const codegen::PixelLinkage& linkage) {
  geometry::SlotClasses classes;
  if (!pixel)
    return classes;
  for (const codegen::SignatureElement& e : pixel->inputs) {
    for (uint32_t c = 0; c < 4 && e.reg < 32; ++c) {
      const uint32_t slot = linkage.slot[e.reg][c];
      if (!(e.mask >> c & 1) || slot < uint32_t(abi::kFirstOutputSlot) || slot >= geometry::kMaxSlots)
        continue;
      uint64_t bit = uint64_t(1) << (slot & 63);
      switch (e.interpolation) {
      case codegen::Interpolation::Constant: classes.constant[slot >> 6] |= bit; break;
      case codegen::Interpolation::LinearNoPerspective:
      case codegen::Interpolation::LinearNoPerspectiveCentroid:
      case codegen::Interpolation::LinearNoPerspectiveSample: classes.screenLinear[slot >> 6] |= bit; break;
      case codegen::Interpolation::Undefined:
      case codegen::Interpolation::Linear:
      case codegen::Interpolation::LinearCentroid:
      case codegen::Interpolation::LinearSample: break;
      }
    }
  }
  return classes;
}

} // namespace

const resources::ShaderView* const* Executor::views(uint32_t stage, uint32_t& count) const {
  const auto* s = state<SetResources>(kResources + stage);
  count = s ? s->count : 0;
  return s ? tableOf<const resources::ShaderView*>(s) : nullptr;
}

const SamplerObject* const* Executor::samplers(uint32_t stage, uint32_t& count) const {
  const auto* s = state<SetSamplers>(kSamplers + stage);
  count = s ? s->count : 0;
  return s ? tableOf<const SamplerObject*>(s) : nullptr;
}

bool Executor::prepareDraw() {
  if (m_dirty == 0) [[likely]]
    return m_drawable;
  if (m_sceneOpen && (m_dirty & ~(bit(kConstants + kVertexStage) | bit(kConstants + kPixelStage) | bit(kIndex))) == 0) {
    if (m_drawable) {
      if (m_dirty & bit(kIndex))
        if (const auto* i = state<SetIndexStream>(kIndex))
          m_reads.add(i->base, i->base ? i->size : 0);
      if (m_dirty & bit(kConstants + kVertexStage)) {
        resolveConstants(kVertexStage);
        m_range.bindings = m_bindings[kVertexStage];
      }
      if ((m_dirty & bit(kConstants + kPixelStage)) && state<SetPipeline>(kPipeline)->pixel) {
        resolveConstants(kPixelStage);
        auto* setup = static_cast<tiles::DrawSetup*>(m_arena.allocate(sizeof(tiles::DrawSetup)));
        new (setup) tiles::DrawSetup(*m_setup);
        setup->context.pixel = m_bindings[kPixelStage];
        m_setup = setup;
        m_range.draw = setup;
      }
      m_dirty = 0;
    }
    return m_drawable;
  }
  m_drawable = resolveAll();
  return m_drawable;
}

bool Executor::resolveAll() {
  const auto* p = state<SetPipeline>(kPipeline);
  if (!p || !p->vertex || geometry::topologyShape(p->topology).vertices == 0)
    return false;
  const auto* viewports = state<SetViewports>(kViewports);
  if (!viewports || viewports->count == 0)
    return false;
  if (!openScene())
    return false;
  if (m_dirty & (bit(kPipeline) | bit(kResources) | bit(kResources + 1))) {
    // Scenes may end here; then everything is dirty and a second look finds the new scene empty.
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (!openScene())
        return false;
      const bool kept = resolveHazards(kVertexStage, viewCount(kVertexStage, p->vertex)) &&
                        resolveHazards(kPixelStage, viewCount(kPixelStage, p->pixel));
      if (kept)
        break;
    }
    if (!openScene())
      return false;
  }
  if (m_dirty & bit(kIndex))
    if (const auto* i = state<SetIndexStream>(kIndex))
      m_reads.add(i->base, i->base ? i->size : 0);
  const uint32_t dirty = m_dirty;
  const auto changed = [&](uint32_t bits) { return (dirty & bits) != 0; };
  const uint32_t vertexTables = bit(kResources + kVertexStage) | bit(kSamplers + kVertexStage);
  const uint32_t pixelTables = bit(kResources + kPixelStage) | bit(kSamplers + kPixelStage);
  if (changed(bit(kPipeline) | vertexTables) && !resolveVertexRoutine())
    return false;
  if (changed(bit(kPipeline) | bit(kTargets) | pixelTables | kQueries) && !resolvePixelRoutine())
    return false;
  if (changed(bit(kPipeline) | vertexTables))
    resolveTables(kVertexStage);
  if (changed(bit(kPipeline) | pixelTables))
    resolveTables(kPixelStage);
  if (changed(bit(kPipeline) | bit(kConstants + kVertexStage)))
    resolveConstants(kVertexStage);
  if (changed(bit(kPipeline) | bit(kConstants + kPixelStage)))
    resolveConstants(kPixelStage);
  if (changed(bit(kPipeline) | bit(kStreams) | vertexTables | bit(kTargets) | pixelTables | kQueries))
    resolveVertexSetup();
  resolveDrawSetup();
  m_range.bindings = m_bindings[kVertexStage];
  m_dirty = 0;
  const bool counts = m_queries.countsStatistics();
  if (!m_setup->arrays &&
      (m_setup->scissor.left >= m_setup->scissor.right || m_setup->scissor.top >= m_setup->scissor.bottom))
    return counts;
  return counts || !m_pixel->routine->noEffect;
}

/// Opens a scene for the current targets, ending one for others.
bool Executor::openScene() {
  if (m_sceneOpen && !(m_dirty & bit(kTargets)))
    return true;
  const auto* t = state<SetTargets>(kTargets);
  tiles::TargetSet set;
  uint32_t width = UINT32_MAX, height = UINT32_MAX;
  const auto add = [&](const resources::TargetView* v) {
    width = std::min({width, v->width, kMaxTargetExtent});
    height = std::min(height, v->height);
  };
  for (uint32_t i = 0; t && i < std::min(t->colorCount, 8u); ++i) {
    if (!t->color[i])
      continue;
    set.color[i] = t->color[i];
    set.colorCount = i + 1;
    add(t->color[i]);
  }
  if (t && t->depth) {
    set.depth = t->depth;
    add(t->depth);
  }
  if (width == UINT32_MAX)
    return false;
  set.width = width;
  set.height = height;
  if (m_sceneOpen) {
    if (set == m_scene.targets)
      return true;
    endScene();
  }
  m_scene.targets = set;
  m_bufferTarget = set.depth && !set.depth->texture;
  for (const resources::TargetView* v : set.color)
    m_bufferTarget |= v && !v->texture;
  if (m_bufferTarget)
    loadBufferTargets(); // may throw: no scene is open yet
  m_scene.tilesX = (width + resources::kTileSize - 1) / resources::kTileSize;
  m_scene.tilesY = (height + resources::kTileSize - 1) / resources::kTileSize;
  m_sceneOpen = true;
  ++m_sceneId;
  m_reads.clear();
  m_queries.sceneOpened();
  m_dirty = kAll;
  for (const resources::TargetView* v : set.color)
    if (v && v->texture)
      v->texture->writtenScene = m_sceneId;
  if (set.depth && set.depth->texture)
    set.depth->texture->writtenScene = m_sceneId;
  return true;
}

void Executor::loadBufferTargets() {
  for (uint32_t i = 0; i < 8; ++i) {
    const resources::TargetView* v = m_scene.targets.color[i];
    if (!v || v->texture)
      continue;
    BufferRows& rows = m_bufferRows[i];
    const uint32_t bytes = formats::info(v->format).bytesPerBlock;
    rows.pitch = (((m_scene.targets.width + 7) & ~7u) * bytes + 63) & ~63u;
    if (rows.memory.size() < uint64_t(rows.pitch) * 8)
      rows.memory = resources::Memory::allocate(uint64_t(rows.pitch) * 8);
    if (!rows.memory)
      throw std::bad_alloc();
    std::memcpy(rows.memory.data(), v->base, uint64_t(m_scene.targets.width) * bytes);
  }
}

void Executor::storeBufferTargets() {
  for (uint32_t i = 0; i < 8; ++i)
    if (const resources::TargetView* v = m_scene.targets.color[i]; v && !v->texture && m_bufferRows[i].memory)
      std::memcpy(v->base, m_bufferRows[i].memory.data(), uint64_t(m_scene.targets.width) * formats::info(v->format).bytesPerBlock);
}

uint32_t Executor::viewCount(uint32_t stage, const codegen::Program* program) const {
  uint32_t bound;
  views(stage, bound);
  return program ? std::min(bound, program->resourceCount) : 0;
}

/// Makes memory of textures that the draw reads true. False if the scene had to end.
bool Executor::resolveHazards(uint32_t stage, uint32_t count) {
  uint32_t bound;
  const auto* table = views(stage, bound);
  for (uint32_t i = 0; i < count; ++i) {
    if (!table[i])
      continue;
    if (!table[i]->texture) {
      m_reads.add(table[i]->view.base, uint64_t(table[i]->view.width) * table[i]->view.elementStride);
      continue;
    }
    resources::Texture& t = *table[i]->texture;
    if (t.writtenScene == m_sceneId && m_drawsInScene != 0) {
      bool hit = false;
      for (const resources::TargetView* v : m_scene.targets.color)
        hit |= v && overlaps(*table[i], *v);
      const resources::TargetView* depth = m_scene.targets.depth;
      if (depth && overlaps(*table[i], *depth)) {
        const bool stencilView = formats::info(formats::Format(table[i]->view.format)).has(formats::Flag::StencilView);
        hit |= stencilView ? !depth->readOnlyStencil : !depth->readOnlyDepth;
      }
      if (hit) {
        endScene();
        return false;
      }
    }
    t.readScene = m_sceneId;
    if (!t.anyPending())
      continue;
    const bool volume = t.desc().kind == resources::TextureKind::Texture3D;
    const resources::ShaderView& v = *table[i];
    const uint32_t firstLayer = volume ? 0 : v.firstLayer, layers = volume ? 1 : v.view.layers;
    for (uint32_t l = firstLayer; l < std::min(firstLayer + layers, t.desc().layers); ++l)
      for (uint32_t m = v.firstMip; m < std::min(v.firstMip + v.view.mips, t.desc().mips); ++m)
        t.materialize(m + l * t.desc().mips);
  }
  return true;
}

void Executor::addViewKey(Key& key, uint32_t stage, const codegen::Program& program) const {
  uint32_t count;
  const auto* table = views(stage, count);
  for (uint32_t i = 0; i < program.resourceCount; ++i) {
    const abi::TextureView& v = i < count && table[i] ? table[i]->view : resources::nullView();
    key.add(uint32_t(v.format) | uint32_t(v.dimension) << 8 | uint32_t(v.samples) << 16);
  }
  uint32_t samplerCount;
  const auto* s = samplers(stage, samplerCount);
  for (uint32_t i = 0; i < program.samplerCount; ++i)
    key.add(i < samplerCount && s[i] ? s[i]->id : uint64_t(0));
}

namespace {

/// Per-slot tables for Routines, padded with null objects.
struct RoutineTables {
  std::vector<const abi::TextureView*> views;
  std::vector<const state::SamplerState*> samplers;
  RoutineTables(const codegen::Program* program, const resources::ShaderView* const* v, uint32_t viewCount, const SamplerObject* const* s,
                uint32_t samplerCount) {
    static const state::SamplerState kDefault;
    for (uint32_t i = 0; program && i < program->resourceCount; ++i)
      views.push_back(i < viewCount && v[i] ? &v[i]->view : &resources::nullView());
    for (uint32_t i = 0; program && i < program->samplerCount; ++i)
      samplers.push_back(i < samplerCount && s[i] ? &s[i]->desc : &kDefault);
  }
};

} // namespace

bool Executor::resolveVertexRoutine() {
  const auto* p = state<SetPipeline>(kPipeline);
  Key key;
  key.add(p->vertex->id);
  key.add(p->layout ? p->layout->id : uint64_t(0));
  addViewKey(key, kVertexStage, *p->vertex);
  auto it = m_vertexVariants.find(key.view());
  if (it == m_vertexVariants.end()) {
    uint32_t viewCount, samplerCount;
    const auto* v = views(kVertexStage, viewCount);
    const auto* s = samplers(kVertexStage, samplerCount);
    const RoutineTables tables(p->vertex, v, viewCount, s, samplerCount);
    if (m_vertexVariants.size() >= kMaxVariants)
      m_vertexVariants.clear();
    VertexVariant variant;
    variant.outputs = codegen::layoutOutputs(*p->vertex);
    codegen::VertexState vs{};
    vs.program = p->vertex;
    vs.outputs = &variant.outputs;
    if (p->layout)
      vs.elements = p->layout->elements;
    vs.resources = tables.views;
    vs.samplers = tables.samplers;
    variant.routine = m_parts.routines->vertex(vs);
    it = m_vertexVariants.emplace(std::string(key.view()), std::move(variant)).first;
  }
  m_vertex = &it->second;
  if (!m_vertex->routine || !m_vertex->routine->entry) {
    base::logOnce("draws are skipped: a vertex shader could not be compiled");
    return false;
  }
  if (m_vertex->heldByScene != m_sceneId) {
    m_vertex->heldByScene = m_sceneId;
    m_routinesInUse.push_back(m_vertex->routine);
  }
  return true;
}

bool Executor::resolvePixelRoutine() {
  const auto* p = state<SetPipeline>(kPipeline);
  const tiles::TargetSet& targets = m_scene.targets;
  const bool countSamples = m_queries.countsSamples(), smoothLines = drawsSmoothLines(*p);
  Key key;
  key.add(p->vertex->id);
  key.add(p->pixel ? p->pixel->id : uint64_t(0));
  key.add(p->blend->id);
  key.add(p->depthStencil->id);
  for (uint32_t i = 0; i < targets.colorCount; ++i)
    key.add(targets.color[i] ? uint8_t(targets.color[i]->format) : uint8_t(0));
  const resources::TargetView* depth = targets.depth;
  uint32_t samples = depth && depth->texture ? depth->texture->desc().samples : 1;
  for (uint32_t i = 0; i < targets.colorCount; ++i)
    if (targets.color[i] && targets.color[i]->texture)
      samples = targets.color[i]->texture->desc().samples;
  key.add(uint32_t(depth ? uint32_t(depth->format) : 0) | (depth && depth->readOnlyDepth ? 0x100u : 0u) |
          (depth && depth->readOnlyStencil ? 0x200u : 0u) | (countSamples ? 0x400u : 0u) | (smoothLines ? 0x800u : 0u) | targets.colorCount << 12 |
          samples << 16);
  key.add(p->rasterizer->desc.forcedSampleCount);
  if (p->pixel)
    addViewKey(key, kPixelStage, *p->pixel);
  auto it = m_pixelVariants.find(key.view());
  if (it == m_pixelVariants.end()) {
    if (m_pixelVariants.size() >= kMaxVariants)
      m_pixelVariants.clear();
    uint32_t viewCount, samplerCount;
    const auto* v = views(kPixelStage, viewCount);
    const auto* s = samplers(kPixelStage, samplerCount);
    const RoutineTables tables(p->pixel, v, viewCount, s, samplerCount);
    codegen::PixelState ps{};
    ps.program = p->pixel;
    if (p->pixel)
      ps.linkage = codegen::link(*p->vertex, m_vertex->outputs, *p->pixel);
    ps.blend = &p->blend->desc;
    ps.depthStencil = &p->depthStencil->desc;
    for (uint32_t i = 0; i < targets.colorCount; ++i)
      ps.color[i] = targets.color[i] ? targets.color[i]->format : formats::Format::UNKNOWN;
    ps.colorCount = targets.colorCount;
    if (depth) {
      ps.depth = depth->format;
      ps.readOnlyDepth = depth->readOnlyDepth;
      ps.readOnlyStencil = depth->readOnlyStencil;
    }
    ps.resources = tables.views;
    ps.samplers = tables.samplers;
    ps.countSamples = countSamples;
    ps.sampleCount = uint8_t(samples);
    ps.forcedSampleCount = p->rasterizer->desc.forcedSampleCount;
    ps.smoothLines = smoothLines;
    PixelVariant variant;
    variant.routine = m_parts.routines->pixel(ps);
    variant.classes = classify(p->pixel, ps.linkage);
    it = m_pixelVariants.emplace(std::string(key.view()), std::move(variant)).first;
  }
  m_pixel = &it->second;
  if (!m_pixel->routine) {
    base::logOnce("draws are skipped: a pixel shader could not be compiled");
    return false;
  }
  if (m_pixel->heldByScene != m_sceneId) {
    m_pixel->heldByScene = m_sceneId;
    m_routinesInUse.push_back(m_pixel->routine);
  }
  return true;
}

/// Views and samplers of a stage, padded to what its shader declares.
void Executor::resolveTables(uint32_t stage) {
  const auto* p = state<SetPipeline>(kPipeline);
  const codegen::Program* program = stage == kPixelStage ? p->pixel : p->vertex;
  abi::StageBindings& b = m_bindings[stage];
  b.resources = nullptr;
  b.samplers = nullptr;
  if (!program)
    return;
  if (program->resourceCount) {
    uint32_t count;
    const auto* from = views(stage, count);
    auto* to = m_arena.array<const abi::TextureView*>(program->resourceCount);
    for (uint32_t i = 0; i < program->resourceCount; ++i)
      to[i] = i < count && from[i] ? &from[i]->view : &resources::nullView();
    b.resources = to;
  }
  if (program->samplerCount) {
    uint32_t count;
    const auto* from = samplers(stage, count);
    auto* to = m_arena.array<const abi::Sampler*>(program->samplerCount);
    for (uint32_t i = 0; i < program->samplerCount; ++i)
      to[i] = i < count && from[i] ? &from[i]->dynamic : &resources::defaultSampler();
    b.samplers = to;
  }
}

void Executor::resolveConstants(uint32_t stage) {
  const auto* p = state<SetPipeline>(kPipeline);
  const codegen::Program* program = stage == kPixelStage ? p->pixel : p->vertex;
  const auto* s = state<SetConstantBuffers>(kConstants + stage);
  const uint32_t count = s ? s->count : 0, needed = program ? program->constantBufferCount : 0;
  for (uint32_t i = 0; i < std::min(count, needed); ++i)
    m_reads.add(tableOf<abi::ConstantBuffer>(s)[i].data, uint64_t(tableOf<abi::ConstantBuffer>(s)[i].size) * 16);
  if (count >= needed) {
    m_bindings[stage].constantBuffers = s ? tableOf<abi::ConstantBuffer>(s) : &resources::nullConstantBuffer();
    return;
  }
  auto* table = m_arena.array<abi::ConstantBuffer>(needed);
  for (uint32_t i = 0; i < needed; ++i)
    table[i] = i < count ? tableOf<abi::ConstantBuffer>(s)[i] : resources::nullConstantBuffer();
  m_bindings[stage].constantBuffers = table;
}

void Executor::resolveVertexSetup() {
  const auto* p = state<SetPipeline>(kPipeline);
  const auto* s = state<SetVertexStreams>(kStreams);
  const uint32_t count = s ? s->count : 0;
  uint32_t needed = 1;
  if (p->layout)
    for (const state::InputElement& e : p->layout->elements)
      needed = std::max(needed, uint32_t(e.slot) + 1);
  for (uint32_t i = 0; i < std::min(count, needed); ++i)
    m_reads.add(tableOf<abi::VertexStream>(s)[i].base, tableOf<abi::VertexStream>(s)[i].size);
  auto* setup = m_arena.make<geometry::VertexSetup>();
  setup->kernel = m_vertex->routine->entry;
  setup->routine = m_vertex->routine.get();
  if (count >= needed) {
    setup->streams = tableOf<abi::VertexStream>(s);
  } else {
    auto* table = m_arena.array<abi::VertexStream>(needed);
    for (uint32_t i = 0; i < needed; ++i)
      table[i] = i < count ? tableOf<abi::VertexStream>(s)[i] : resources::nullVertexStream();
    setup->streams = table;
  }
  setup->classes = m_pixel->classes;
  setup->slotCount = std::min<uint32_t>(m_vertex->outputs.slotCount, geometry::kMaxSlots);
  setup->topology = p->topology;
  setup->depthClip = p->rasterizer->desc.depthClip;
  setup->clipDistances = m_vertex->outputs.clipDistances;
  std::copy_n(m_vertex->outputs.clipDistanceSlot, 8, setup->clipDistanceSlot);
  setup->targetIndexSlot = m_vertex->outputs.targetIndexSlot;
  setup->viewportIndexSlot = m_vertex->outputs.viewportIndexSlot;
  m_range.vertex = setup;
}

/// Everything that primitives may choose from. Viewports and scissors that are not set are empty.
const tiles::ArraySetup* Executor::resolveArrays() {
  const auto* viewports = state<SetViewports>(kViewports);
  const auto* scissors = state<SetScissors>(kScissors);
  const bool scissored = state<SetPipeline>(kPipeline)->rasterizer->desc.scissor;
  const tiles::TargetSet& targets = m_scene.targets;
  auto* a = m_arena.make<tiles::ArraySetup>();
  for (uint32_t i = 0; i < uint32_t(state::kMaxViewports); ++i) {
    const state::Viewport vp = i < viewports->count ? tableOf<state::Viewport>(viewports)[i] : state::Viewport{0, 0, 0, 0, 0, 0};
    const state::Rect scissor = scissors && i < scissors->count ? tableOf<state::Rect>(scissors)[i] : state::Rect{};
    a->transform[i] = transformOf(vp);
    a->window[i] = {windowOf(vp, targets, scissored ? &scissor : nullptr), vp.minDepth, vp.maxDepth};
  }
  a->layers = UINT32_MAX;
  for (uint32_t i = 0; i < 8; ++i) {
    const resources::TargetView* v = targets.color[i];
    a->colorPitch[i] = v ? layerPitch(*v) : 0;
    a->layers = v ? std::min(a->layers, v->layers) : a->layers;
  }
  a->depthPitch = targets.depth ? layerPitch(*targets.depth) : 0;
  a->layers = targets.depth ? std::min(a->layers, targets.depth->layers) : a->layers;
  return a;
}

void Executor::resolveDrawSetup() {
  const auto* p = state<SetPipeline>(kPipeline);
  const auto& vp = *tableOf<state::Viewport>(state<SetViewports>(kViewports));
  auto* d = m_arena.make<tiles::DrawSetup>();
  const tiles::TargetSet& targets = m_scene.targets;
  d->context = {};
  d->context.pixel = m_bindings[kPixelStage];
  uint32_t samples = 1;
  const auto surface = [&](const resources::TargetView& v) {
    const bool multisampled = v.texture && v.texture->desc().samples > 1;
    if (multisampled)
      samples = v.texture->desc().samples;
    return abi::Surface{v.base, v.rowPitch, multisampled ? v.texture->layout().slicePitch[v.mip] : 0};
  };
  for (uint32_t i = 0; i < targets.colorCount; ++i)
    if (const resources::TargetView* v = targets.color[i])
      d->context.color[i] = v->texture ? surface(*v) : abi::Surface{m_bufferRows[i].memory.data(), m_bufferRows[i].pitch, 0};
  if (const resources::TargetView* v = targets.depth) {
    d->context.depth = surface(*v);
    d->depthFormat = v->format;
  }
  d->context.sampleCount = p->rasterizer->desc.forcedSampleCount ? p->rasterizer->desc.forcedSampleCount : samples;
  std::copy_n(p->blendFactor, 4, d->context.blendFactor);
  d->context.stencilRef = p->stencilRef;
  d->context.sampleMask = p->sampleMask;
  d->context.width = targets.width;
  d->context.height = targets.height;
  // The scene holds the routine (m_routinesInUse); a setup needs no count of its own, nor a destructor.
  d->routine = std::shared_ptr<const codegen::PixelRoutine>(std::shared_ptr<void>(), m_pixel->routine.get());
  d->raster = p->rasterizer->desc;
  d->smoothLines = drawsSmoothLines(*p);
  d->minDepth = vp.minDepth;
  d->maxDepth = vp.maxDepth;
  d->viewport = transformOf(vp);
  const auto* scissors = state<SetScissors>(kScissors);
  const state::Rect scissor = scissors && scissors->count ? *tableOf<state::Rect>(scissors) : state::Rect{};
  d->scissor = windowOf(vp, targets, p->rasterizer->desc.scissor ? &scissor : nullptr);
  if (m_vertex->outputs.targetIndexSlot != 255 || m_vertex->outputs.viewportIndexSlot != 255)
    d->arrays = resolveArrays();
  d->countSamples = m_queries.countsSamples();
  d->occlusionSlot = d->countSamples ? m_queries.slot() : 0;
  m_setup = d;
  m_range.draw = d;
  d->statisticsSlot = m_queries.countsStatistics() ? m_queries.slot() : 0;
  m_range.statisticsSlot = m_queries.countsStatistics() ? m_queries.slot() : 0;
}

} // namespace monolith::commands
