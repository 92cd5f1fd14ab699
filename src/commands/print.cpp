// SPDX-License-Identifier: MIT
/// @file
/// Commands as text, one line each, for MONOLITH_DUMP_STREAM.
#include "commands/executor.h"

#include <cstdarg>
#include <cstdio>

namespace monolith::commands {
namespace {

__attribute__((format(printf, 2, 3))) void add(std::string& out, const char* format, ...) {
  char line[512];
  va_list list;
  va_start(list, format);
  std::vsnprintf(line, sizeof line, format, list);
  va_end(list);
  out += line;
}

template <class T, class Command> const T* tableOf(const Command& c) { return reinterpret_cast<const T*>(&c + 1); }

void addTarget(std::string& out, const char* name, const resources::TargetView* v) {
  if (v)
    add(out, " %s=%p %s %ux%u mip %u layers %u+%u", name, static_cast<const void*>(v), formats::info(v->format).name, v->width, v->height,
        v->mip, v->firstLayer, v->layers);
}

void addRegion(std::string& out, const char* name, const TextureRegion& r) {
  add(out, " %s mip %u layer %u (%u,%u,%u) %ux%ux%u", name, r.mip, r.layer, r.x, r.y, r.z, r.width, r.height, r.depth);
}

void addRects(std::string& out, const state::Rect* rects, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    add(out, " [%d,%d %d,%d]", rects[i].left, rects[i].top, rects[i].right, rects[i].bottom);
}

unsigned long long idOf(const codegen::Program* p) { return p ? p->id : 0; }

void print(const SetPipeline& c, std::string& out) {
  add(out, " vs %llu ps %llu layout %llu blend %llu depth %llu raster %llu topology %u stencil %u mask %#x factor %g %g %g %g", idOf(c.vertex),
      idOf(c.pixel), c.layout ? static_cast<unsigned long long>(c.layout->id) : 0ull, static_cast<unsigned long long>(c.blend->id),
      static_cast<unsigned long long>(c.depthStencil->id), static_cast<unsigned long long>(c.rasterizer->id), unsigned(c.topology), c.stencilRef,
      c.sampleMask, double(c.blendFactor[0]), double(c.blendFactor[1]), double(c.blendFactor[2]), double(c.blendFactor[3]));
}
void print(const SetTargets& c, std::string& out) {
  for (uint32_t i = 0; i < c.colorCount && i < 8; ++i)
    addTarget(out, ("rt" + std::to_string(i)).c_str(), c.color[i]);
  addTarget(out, "depth", c.depth);
}
void print(const SetViewports& c, std::string& out) {
  for (uint32_t i = 0; i < c.count; ++i) {
    const auto& v = tableOf<state::Viewport>(c)[i];
    add(out, " [%g,%g %gx%g %g..%g]", double(v.x), double(v.y), double(v.width), double(v.height), double(v.minDepth), double(v.maxDepth));
  }
}
void print(const SetScissors& c, std::string& out) { addRects(out, tableOf<state::Rect>(c), c.count); }
void print(const SetVertexStreams& c, std::string& out) {
  for (uint32_t i = 0; i < c.count; ++i) {
    const auto& s = tableOf<abi::VertexStream>(c)[i];
    add(out, " %u:%p size %u stride %u", i, static_cast<const void*>(s.base), s.size, s.stride);
  }
}
void print(const SetIndexStream& c, std::string& out) {
  add(out, " %p size %llu bytes %u", static_cast<const void*>(c.base), static_cast<unsigned long long>(c.size), c.indexBytes);
}
void print(const SetConstantBuffers& c, std::string& out) {
  add(out, " stage %u", c.stage);
  for (uint32_t i = 0; i < c.count; ++i) {
    const auto& b = tableOf<abi::ConstantBuffer>(c)[i];
    add(out, " %u:%p[%u]", i, static_cast<const void*>(b.data), b.size);
  }
}
void print(const SetResources& c, std::string& out) {
  add(out, " stage %u", c.stage);
  for (uint32_t i = 0; i < c.count; ++i)
    if (const auto* v = tableOf<const resources::ShaderView*>(c)[i])
      add(out, " %u:%s %ux%u", i, formats::info(formats::Format(v->view.format)).name, v->view.width, v->view.height);
}
void print(const SetSamplers& c, std::string& out) {
  add(out, " stage %u", c.stage);
  for (uint32_t i = 0; i < c.count; ++i)
    if (const auto* s = tableOf<const SamplerObject*>(c)[i])
      add(out, " %u:%llu", i, static_cast<unsigned long long>(s->id));
}
void print(const Draw& c, std::string& out) {
  add(out, " vertices %u+%u instances %u+%u", c.startVertex, c.vertexCount, c.startInstance, c.instanceCount);
}
void print(const DrawIndexed& c, std::string& out) {
  add(out, " indices %u+%u base %d instances %u+%u", c.startIndex, c.indexCount, c.baseVertex, c.startInstance, c.instanceCount);
}
void print(const DrawIndirect& c, std::string& out) { add(out, " %s %p", c.indexed ? "indexed" : "", static_cast<const void*>(c.arguments)); }
void print(const ClearColor& c, std::string& out) {
  addTarget(out, "view", c.view);
  add(out, " %g %g %g %g", double(c.color[0]), double(c.color[1]), double(c.color[2]), double(c.color[3]));
  addRects(out, tableOf<state::Rect>(c), c.rectCount);
}
void print(const ClearDepthStencil& c, std::string& out) {
  addTarget(out, "view", c.view);
  add(out, " flags %u depth %g stencil %u", c.flags, double(c.depth), c.stencil);
  addRects(out, tableOf<state::Rect>(c), c.rectCount);
}
void print(const CopyBuffer& c, std::string& out) { add(out, " %llu bytes", static_cast<unsigned long long>(c.size)); }
void print(const UpdateBuffer& c, std::string& out) { add(out, " %llu bytes", static_cast<unsigned long long>(c.size)); }
void print(const CopyTexture& c, std::string& out) {
  addRegion(out, "to", c.destRegion);
  addRegion(out, "from", c.sourceRegion);
}
void print(const UpdateTexture& c, std::string& out) { addRegion(out, "to", c.region); }
void print(const ResolveTexture& c, std::string& out) {
  add(out, " %s to mip %u layer %u from layer %u", formats::info(c.format).name, c.destMip, c.destLayer, c.sourceLayer);
}
void print(const GenerateMips& c, std::string& out) { add(out, " mips %u from %u", c.view->view.mips, c.view->firstMip); }
void print(const Materialize& c, std::string& out) { add(out, " %p", static_cast<const void*>(c.texture)); }
void print(const BeginQuery& c, std::string& out) { add(out, " kind %u", unsigned(c.query->kind)); }
void print(const EndQuery& c, std::string& out) { add(out, " kind %u", unsigned(c.query->kind)); }
void print(const Callback&, std::string&) {}
void print(const EndSerial& c, std::string& out) { add(out, " %llu", static_cast<unsigned long long>(c.serial)); }

template <class T> void printAs(const Header* h, std::string& out) { print(*reinterpret_cast<const T*>(h), out); }

constexpr struct {
  const char* name;
  PrintFunction print;
} kTable[] = {
#define COMMAND(name) {#name, &printAs<name>},
#include "commands/commands.def"
#undef COMMAND
};

} // namespace

const char* commandName(uint16_t type) { return type < std::size(kTable) ? kTable[type].name : nullptr; }

std::string printCommand(const Header* command) {
  std::string out;
  if (const char* name = commandName(command->type)) {
    out = name;
    kTable[command->type].print(command, out);
  }
  return out;
}

} // namespace monolith::commands
