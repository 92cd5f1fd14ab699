// SPDX-License-Identifier: MIT
#include "compiler/emit/container.h"

#include "compiler/compile.h"

#include "dxbc/container.h"
#include "dxbc/rdef.h"
#include "dxbc/shader.h"
#include "dxbc/stat.h"
#include "dxbc/writer.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace monolith::compiler {

// ---- slots ----

uint32_t elementCount(const VarDecl* v) {
  uint32_t n = 1;
  for (const Type* t = v->type; t->isArray(); t = t->element)
    n *= t->count;
  return n;
}

namespace {

class SlotAllocator {
public:
  explicit SlotAllocator(uint32_t limit) : m_used(limit, false) {}
  bool reserve(uint32_t first, uint32_t count) {
    if (uint64_t(first) + count > m_used.size())
      return false;
    for (uint32_t i = 0; i < count; i++)
      m_used[first + i] = true;
    return true;
  }
  bool take(uint32_t count, uint32_t& first) {
    for (uint32_t s = 0; s + count <= m_used.size(); s++) {
      bool free = true;
      for (uint32_t i = 0; i < count && free; i++)
        free = !m_used[s + i];
      if (free) {
        first = s;
        return reserve(s, count);
      }
    }
    return false;
  }

private:
  std::vector<bool> m_used;
};

} // namespace

namespace {
/// Two things that are used may not share a register.
bool slotsApart(const Module& module, const std::vector<bool>& bufferUsed, const std::vector<bool>& resourceUsed, Diagnostics& diagnostics) {
  std::set<std::pair<int, uint32_t>> taken;
  bool ok = true;
  for (size_t i = 0; i < module.program->buffers.size(); i++) {
    const ConstantBuffer* cb = module.program->buffers[i];
    if (bufferUsed[i] && !cb->textureBuffer && !taken.insert({-1, cb->slot}).second) {
      diagnostics.error(cb->loc, 4578, "cbuffer register b" + std::to_string(cb->slot) + " used more than once");
      ok = false;
    }
  }
  for (size_t i = 0; i < module.resources.size(); i++) {
    const ResourceUse& r = module.resources[i];
    if (i >= resourceUsed.size() || !resourceUsed[i] || r.shared)
      continue;
    const int kind = resourceOrder(r);
    if (!taken.insert({kind, r.slot}).second) {
      diagnostics.error(r.buffer ? r.buffer->loc : r.var->loc, 4500, std::string("overlapping register semantics not yet implemented '") + "stu"[kind] + std::to_string(r.slot) + "'");
      ok = false;
    }
  }
  return ok;
}
} // namespace

namespace {
/// Marks what the code of the parts reads and writes.
void findUses(std::span<const CodePart> parts, std::vector<bool>& bufferUsed, std::vector<bool>& resourceUsed) {
  for (const CodePart& part : parts) {
    Function& f = part.module->code;
    auto touch = [&](ValueId v) {
      if (f.insts[v].op == Op::CbLoad)
        bufferUsed[f.insts[v].aux[0]] = true;
    };
    for (const Item& item : part.packer->items) {
      for (ValueId v : item.lanes)
        for (const Src& s : f.sources(v))
          touch(s.id);
      if (item.condition.id)
        touch(item.condition.id);
      for (const Copy& c : item.copies)
        touch(c.src);
      if (item.kind == ItemKind::Fetch && (hasTrait(item.op, kEffect) || !(item.results.empty() && item.second.empty()))) {
        const Fetch& t = f.fetches[f.insts[item.lanes[0]].aux[0]];
        if (t.resource != ~0u)
          resourceUsed[t.resource] = true;
        if (t.sampler != ~0u)
          resourceUsed[t.sampler] = true;
      }
    }
  }
}
} // namespace

bool assignSlots(std::span<const CodePart> parts, const CompileRequest& request, Diagnostics& diagnostics) {
  // Parts share their resource lists: each continues that of the part before.
  Module& module = *parts.back().module;
  Program& program = *module.program;
  std::vector<bool> bufferUsed(program.buffers.size(), false), resourceUsed(module.resources.size(), false);
  findUses(parts, bufferUsed, resourceUsed);
  auto tooMany = [&](const Location& at, const std::string& what) {
    const int number = what == "cbuffer" ? 4567 : what == "sampler" ? 4510 : what == "UAV" ? 4585 : 4565;
    diagnostics.error(at, number, "maximum " + what + " register index exceeded");
    return false;
  };
  SlotAllocator buffers(dxbc::kMaxConstantBuffers - 1), textures(dxbc::kMaxResources), samplers(dxbc::kMaxSamplers), uavs(module.target.model >= 50 ? dxbc::kMaxUavs : 1), shared(256);
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < program.buffers.size(); i++) {
      ConstantBuffer* cb = program.buffers[i];
      if (!bufferUsed[i] || cb->textureBuffer || cb->binding.explicitIndex != (pass == 0))
        continue;
      if (pass == 0) {
        cb->slot = cb->binding.index;
        if (!buffers.reserve(cb->slot, 1))
          return tooMany(cb->loc, "cbuffer");
      } else if (!buffers.take(1, cb->slot)) {
        return tooMany(cb->loc, "cbuffer");
      }
    }
  struct Group {
    const VarDecl* var;
    const ConstantBuffer* buffer;
    bool sampler;
    int kind; ///< resourceOrder
    uint32_t count;
    uint32_t order;
    uint32_t slot = 0;
    bool given = false; ///< by the template
  };
  std::vector<Group> groups;
  for (size_t i = 0; i < module.resources.size(); i++) {
    const ResourceUse& r = module.resources[i];
    if (!resourceUsed[i])
      continue;
    auto same = [&](const Group& g) { return g.var == r.var && g.buffer == r.buffer && g.sampler == r.sampler; };
    if (std::none_of(groups.begin(), groups.end(), same))
      groups.push_back({r.var, r.buffer, r.sampler, resourceOrder(r), r.var && !r.shared ? elementCount(r.var) : 1, r.var ? r.var->index : 0});
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.order < b.order; });
  for (Group& g : groups) {
    const auto linked = program.slots.find({g.var, g.sampler ? 's' : g.kind == 2 ? 'u' : 't'});
    if (linked == program.slots.end())
      continue;
    g.slot = linked->second;
    g.given = true;
    if (!(g.sampler ? samplers : g.kind == 2 ? uavs : textures).reserve(g.slot, g.count))
      return tooMany(g.var->loc, g.sampler ? "sampler" : g.kind == 2 ? "UAV" : "texture");
  }
  // Names that the template has get its slots, the others stay away from them.
  for (Group& g : groups) {
    if (g.given || !request.templateFlags || g.kind != 2 || g.var->binding.explicitIndex)
      continue;
    const auto& list = request.templateSlots;
    const auto slot = std::find_if(list.begin(), list.end(), [&](const TemplateSlot& t) { return t.name == g.var->name; });
    if (slot != list.end() && slot->count == g.count) {
      g.slot = slot->slot;
      g.given = true;
    } else if (request.templateFlags & kRequireTemplateMatch) {
      diagnostics.error(g.var->loc, 3700, "resource '" + std::string(g.var->name) + "' is not in the template shader");
      return false;
    }
  }
  // Views for unordered access share their slots with render targets.
  uint32_t targets = 0;
  if (module.target.stage == Stage::Pixel)
    for (const IoElement& e : module.outputs)
      if (e.systemValue == dxbc::SignatureSystemValue::Target)
        targets = std::max(targets, e.reg + 1);
  for (const Group& g : groups) {
    const bool linked = program.slots.count({g.var, 'u'}) != 0, manual = linked || (g.kind == 2 && g.var->binding.explicitIndex && g.var->binding.kind == 'u');
    const uint32_t slot = linked ? g.slot : manual ? g.var->binding.index : 0;
    if (g.kind == 2 && manual && slot < targets) {
      diagnostics.error(g.var->loc, 4509, "UAV registers live in the same name space as outputs, so they must be bound to at least u" + std::to_string(targets) + ", manual bind to slot u" + std::to_string(slot) + " failed");
      return false;
    }
  }
  uavs.reserve(0, targets);
  if (request.templateFlags)
    for (const TemplateSlot& t : request.templateSlots)
      if (!uavs.reserve(t.slot, t.count))
        return tooMany(Location{}, "UAV");
  for (int pass = 0; pass < 2; pass++)
    for (Group& g : groups) {
      const Binding& b = g.buffer ? g.buffer->binding : g.var->binding;
      const Location& at = g.buffer ? g.buffer->loc : g.var->loc;
      // An old sampler bound to s# takes the texture register of the same number.
      const bool fixed = b.explicitIndex && (g.sampler ? b.kind == 's' : g.kind == 2 ? b.kind == 'u' : g.kind == 1 && (b.kind == 't' || b.kind == 's'));
      if (g.given || fixed != (pass == 0))
        continue;
      SlotAllocator& slots = g.sampler ? samplers : g.kind == 2 ? uavs : g.kind == 3 ? shared : textures;
      g.slot = b.index;
      if (pass == 0 ? !slots.reserve(g.slot, g.count) : !slots.take(g.count, g.slot))
        return tooMany(at, g.sampler ? "sampler" : g.kind == 2 ? "UAV" : "texture");
    }
  for (const CodePart& part : parts)
    for (ResourceUse& r : part.module->resources)
      for (const Group& g : groups)
        if (g.var == r.var && g.buffer == r.buffer && g.sampler == r.sampler)
          r.slot = g.slot + r.element;
  return slotsApart(module, bufferUsed, resourceUsed, diagnostics);
}


// ---- reflection ----

uint16_t variableType(Base b) {
  switch (b) {
  case Base::Bool:
    return 1;
  case Base::Int:
    return 2;
  case Base::Uint:
    return 19;
  case Base::Double:
    return 39;
  case Base::Min10Float:
    return 53;
  case Base::Min16Float:
    return 54;
  case Base::Min12Int:
    return 55;
  case Base::Min16Int:
    return 56;
  case Base::Min16Uint:
    return 57;
  default:
    return 3;
  }
}

uint16_t variableClass(const Type* t) {
  return t->isScalar() ? 0 : t->isVector() ? 1 : t->order == Order::RowMajor ? 2 : 3;
}

namespace {

class TypeWriter {
public:
  TypeWriter(dxbc::Rdef& rdef) : m_rdef(rdef) {}
  /// The type as it lies in structured buffers.
  uint32_t element(const Type* t) {
    m_packed = true;
    const uint32_t n = type(t);
    m_packed = false;
    return n;
  }
  uint32_t type(const Type* t) {
    auto it = m_known.find({t, m_packed});
    if (it != m_known.end())
      return it->second;
    dxbc::RdefType r;
    const Type* e = t;
    uint32_t elements = 0;
    while (e->isArray()) {
      elements = (elements ? elements : 1) * e->count;
      e = e->element;
    }
    r.elements = uint16_t(elements);
    if (e->isStruct()) {
      r.typeClass = 5;
      r.rows = 1;
      r.columns = uint16_t(e->slots);
      r.name = !e->structure->name.empty() ? e->structure->name : m_owner.empty() ? "<unnamed>" : m_owner + "::<unnamed>";
      const std::string outside = std::exchange(m_owner, r.name);
      uint32_t at = 0;
      uint32_t number = 0;
      for (const Field& f : e->structure->fields) {
        number++;
        if (f.type->hasObjects && !f.type->slots)
          continue;
        at = m_packed ? structuredOffset(e, number - 1) : bufferPlace(at, f.type);
        r.members.push_back({std::string(f.name), type(f.type), at});
        at += bufferSize(f.type);
      }
      m_owner = outside;
    } else {
      r.typeClass = variableClass(e);
      r.type = variableType(e->base);
      r.rows = e->rows;
      r.columns = e->cols;
      r.name = e->base == Base::Uint && e->isScalar() ? "dword" : typeName(e);
      if (e->base == Base::Half)
        r.name = typeName(e);
    }
    m_rdef.types.push_back(std::move(r));
    return m_known[{t, m_packed}] = uint32_t(m_rdef.types.size() - 1);
  }

private:
  dxbc::Rdef& m_rdef;
  std::map<std::pair<const Type*, bool>, uint32_t> m_known;
  bool m_packed = false;
  std::string m_owner; ///< the structure whose members are written
};

void layoutDefault(const Type* t, const std::vector<uint32_t>& bits, size_t& next, uint32_t offset, std::vector<uint8_t>& out) {
  auto word = [&](uint32_t at) {
    uint32_t v = next < bits.size() ? bits[next] : 0;
    next++;
    for (int i = 0; i < 4; i++)
      if (at + uint32_t(i) < out.size())
        out[at + uint32_t(i)] = uint8_t(v >> (8 * i));
  };
  auto put = [&](uint32_t at) {
    word(at);
    if (t->base == Base::Double)
      word(at + 4);
  };
  if (t->isScalar() || t->isVector()) {
    for (uint32_t i = 0; i < t->cols; i++)
      put(offset + i * scalarBytes(t->base));
  } else if (t->isMatrix()) {
    const uint32_t stride = matrixStride(t), bytes = scalarBytes(t->base);
    for (uint32_t r = 0; r < t->rows; r++)
      for (uint32_t c = 0; c < t->cols; c++)
        put(offset + (t->order == Order::RowMajor ? r * stride + c * bytes : c * stride + r * bytes));
  } else if (t->isArray()) {
    uint32_t stride = (bufferSize(t->element) + 15) & ~15u;
    for (uint32_t i = 0; i < t->count; i++)
      layoutDefault(t->element, bits, next, offset + i * stride, out);
  } else if (t->isStruct()) {
    uint32_t at = 0;
    for (const Field& f : t->structure->fields) {
      at = bufferPlace(at, f.type);
      layoutDefault(f.type, bits, next, offset + at, out);
      at += bufferSize(f.type);
    }
  }
}

uint32_t viewDimension(ObjectKind k) {
  switch (k) {
  case ObjectKind::Buffer:
  case ObjectKind::RwBuffer:
    return 1;
  case ObjectKind::Texture1D:
  case ObjectKind::RwTexture1D:
    return 2;
  case ObjectKind::Texture1DArray:
  case ObjectKind::RwTexture1DArray:
    return 3;
  case ObjectKind::Texture2DArray:
  case ObjectKind::RwTexture2DArray:
    return 5;
  case ObjectKind::Texture2DMS:
    return 6;
  case ObjectKind::Texture2DMSArray:
    return 7;
  case ObjectKind::Texture3D:
  case ObjectKind::RwTexture3D:
    return 8;
  case ObjectKind::TextureCube:
    return 9;
  case ObjectKind::TextureCubeArray:
    return 10;
  default:
    return 4;
  }
}

/// Buffers with structures, raw buffers and everything with unordered access.
void reflectMemory(const ResourceUse& r, const Type* t, dxbc::RdefBinding& b) {
  using K = ObjectKind;
  const bool structured = t->object >= K::StructuredBuffer && t->object <= K::ConsumeStructuredBuffer;
  const bool raw = t->object == K::ByteAddressBuffer || t->object == K::RwByteAddressBuffer;
  b.type = t->object == K::StructuredBuffer         ? 5
           : t->object == K::RwStructuredBuffer     ? (r.counter ? 11 : 6)
           : t->object == K::ByteAddressBuffer      ? 7
           : t->object == K::RwByteAddressBuffer    ? 8
           : t->object == K::AppendStructuredBuffer ? 9
           : t->object == K::ConsumeStructuredBuffer ? 10
                                                     : 4;
  b.returnType = uint32_t(returnTypeOf(r));
  b.dimension = structured || raw ? 1 : viewDimension(t->object);
  b.sampleCount = structured ? structuredSize(t->element) : raw ? 0 : 0xffffffffu;
  if (!structured && !raw)
    b.flags |= (std::min(4u, t->element->slots) - 1) << 2;
}

void reflectResources(const Module& module, const Codegen& codegen, dxbc::Rdef& rdef) {
  std::vector<size_t> order;
  for (size_t i = 0; i < module.resources.size(); i++)
    if (codegen.resourceUsed[i])
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const ResourceUse &x = module.resources[a], &y = module.resources[b];
    const int a1 = resourceOrder(x), b1 = resourceOrder(y);
    return a1 != b1 ? a1 < b1 : x.slot < y.slot;
  });
  for (size_t i : order) {
    const ResourceUse& r = module.resources[i];
    if (r.shared)
      continue;
    dxbc::RdefBinding b;
    if (r.buffer) {
      b.name = r.buffer->name;
      b.type = 1;
      b.returnType = 5;
      b.dimension = 1;
      b.sampleCount = r.buffer->size / 16;
      b.bindPoint = r.slot;
      b.flags = r.buffer->binding.explicitIndex ? 1 : 0;
      rdef.bindings.push_back(b);
      continue;
    }
    b.name = std::string(r.var->name);
    const Type* t = r.var->type;
    if (t->isArray())
      b.name += '[' + std::to_string(r.element) + ']';
    while (t->isArray())
      t = t->element;
    b.bindPoint = r.slot;
    b.flags = r.var->binding.explicitIndex ? 1 : 0;
    if (t->isUav() || t->object == ObjectKind::StructuredBuffer || t->object == ObjectKind::ByteAddressBuffer) {
      reflectMemory(r, t, b);
    } else if (r.sampler) {
      b.type = 3;
      if (t->object == ObjectKind::ComparisonSampler)
        b.flags |= 2;
    } else {
      b.type = 2;
      b.returnType = uint32_t(returnTypeOf(r));
      b.dimension = viewDimension(kindOf(r));
      b.sampleCount = 0xffffffffu;
      if (t->object == ObjectKind::Texture2DMS || t->object == ObjectKind::Texture2DMSArray)
        b.sampleCount = t->count;
      uint32_t comps = r.old || !t->element ? 4 : std::min(4u, t->element->slots);
      b.flags |= (comps - 1) << 2;
    }
    rdef.bindings.push_back(b);
  }
}

/// A structured buffer tells its element in a constant buffer of its name.
void reflectElements(const Module& module, const Codegen& codegen, TypeWriter& types, dxbc::Rdef& rdef) {
  for (size_t i = 0; i < module.resources.size(); i++) {
    const ResourceUse& r = module.resources[i];
    const Type* t = elementTypeOf(r);
    if (!codegen.resourceUsed[i] || r.shared || !t || !t->isObject() || t->object < ObjectKind::StructuredBuffer || t->object > ObjectKind::ConsumeStructuredBuffer)
      continue;
    dxbc::RdefConstantBuffer out;
    out.name = std::string(r.var->name);
    if (r.var->type->isArray())
      out.name += '[' + std::to_string(r.element) + ']';
    out.size = structuredSize(t->element);
    out.type = 3;
    dxbc::RdefVariable var;
    var.name = "$Element";
    var.size = out.size;
    var.flags = 2;
    var.type = types.element(t->element);
    out.variables.push_back(std::move(var));
    rdef.constantBuffers.push_back(std::move(out));
  }
}

dxbc::Rdef reflect(const Module& module, const Codegen& codegen, uint32_t flags) {
  dxbc::Rdef rdef;
  rdef.major = uint8_t(module.target.model / 10);
  rdef.minor = uint8_t(module.target.model % 10);
  static constexpr uint16_t programs[] = {0xffff, 0xfffe, 0x4753, 0x4853, 0x4453, 0x4353};
  rdef.program = module.target.library ? uint16_t(dxbc::kLibraryProgram) : programs[size_t(module.target.stage)];
  rdef.flags = flags;
  rdef.creator = kCompilerName;
  reflectResources(module, codegen, rdef);
  TypeWriter types(rdef);
  std::vector<size_t> order;
  for (size_t i = 0; i < codegen.buffers.size(); i++) {
    const ConstantBuffer* cb = module.program->buffers[i];
    bool used = codegen.buffers[i].used;
    if (cb->textureBuffer)
      for (size_t k = 0; k < module.resources.size(); k++)
        used = used || (module.resources[k].buffer == cb && codegen.resourceUsed[k]);
    if (used)
      order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return module.program->buffers[a]->slot < module.program->buffers[b]->slot; });
  for (size_t i : order) {
    const ConstantBuffer* cb = module.program->buffers[i];
    const BufferUse& use = codegen.buffers[i];
    if (!cb->textureBuffer) {
      dxbc::RdefBinding b;
      b.name = cb->name;
      b.bindPoint = cb->slot;
      b.flags = cb->binding.explicitIndex ? 1 : 0;
      rdef.bindings.push_back(b);
    }
    dxbc::RdefConstantBuffer out;
    out.name = cb->name;
    out.size = cb->size;
    out.type = cb->textureBuffer ? 1 : 0;
    for (const VarDecl* v : cb->vars) {
      dxbc::RdefVariable var;
      var.name = std::string(v->name);
      var.offset = v->offset;
      var.size = v->size;
      bool used = cb->textureBuffer;
      for (auto [a, b] : use.ranges)
        used = used || (a < v->offset + v->size && v->offset < b);
      var.flags = used ? 2 : 0;
      var.type = types.type(v->type);
      auto it = module.defaults.find(v);
      if (it != module.defaults.end()) {
        var.hasDefault = true;
        var.defaultValue.resize(v->size);
        size_t next = 0;
        layoutDefault(v->type, it->second, next, 0, var.defaultValue);
      }
      out.variables.push_back(std::move(var));
    }
    rdef.constantBuffers.push_back(std::move(out));
  }
  reflectElements(module, codegen, types, rdef);
  return rdef;
}

dxbc::Signature signature(const std::vector<IoElement>& list, uint32_t tag, bool output, bool patchConstants = false) {
  dxbc::Signature s;
  s.tag = tag;
  for (const IoElement& e : list) {
    if (e.hidden || (!output && (e.registerType == dxbc::RegisterType::PatchConstant) != patchConstants))
      continue;
    dxbc::SignatureElement x;
    x.stream = e.stream;
    x.semantic = e.semantic;
    x.semanticIndex = e.index;
    x.systemValue = e.systemValue;
    if (output && e.systemValue >= dxbc::SignatureSystemValue::Target)
      x.systemValue = dxbc::SignatureSystemValue::None; // written so in the chunk; the name tells
    x.componentType = e.componentType;
    x.reg = e.reg;
    x.precision = e.precision;
    x.mask = uint8_t(((1u << e.count) - 1) << e.firstComponent);
    x.rwMask = output ? uint8_t(~x.mask & 0xf) : e.usedMask;
    s.elements.push_back(x);
  }
  // In the order of their places; elements without a register come last.
  std::stable_sort(s.elements.begin(), s.elements.end(), [](const dxbc::SignatureElement& a, const dxbc::SignatureElement& b) {
    return std::tuple(a.stream, a.reg, a.mask & -a.mask) < std::tuple(b.stream, b.reg, b.mask & -b.mask);
  });
  return s;
}

} // namespace

namespace {
/// What a device must be able to do for this shader (SFI0).
uint64_t featureFlags(const Module& module, const Codegen& codegen) {
  uint64_t f = 0;
  if (codegen.usesDoubles)
    f |= dxbc::kFeatureDoubles;
  if (codegen.usesDoubleExtensions)
    f |= dxbc::kFeatureDoubleExtensions;
  if (codegen.usesShaderExtensions)
    f |= dxbc::kFeatureShaderExtensions;
  if (module.target.model < 50 && module.target.stage != Stage::Compute && codegen.usesRawAndStructured())
    f |= dxbc::kFeatureRawAndStructuredBuffers4;
  uint32_t highest = 0;
  for (size_t i = 0; i < module.resources.size(); i++) {
    const ResourceUse& r = module.resources[i];
    if (!codegen.resourceUsed[i] || resourceOrder(r) != 2)
      continue;
    highest = std::max(highest, r.slot + 1);
    if (elementTypeOf(r)->ordered)
      f |= dxbc::kFeatureRasterizerOrderedViews;
  }
  if (highest && module.target.stage != Stage::Compute && module.target.stage != Stage::Pixel)
    f |= dxbc::kFeatureUavsAtEveryStage;
  if (highest > 8)
    f |= dxbc::kFeature64Uavs;
  if (module.minPrecision)
    f |= dxbc::kFeatureMinimumPrecision;
  if (module.typedUavLoads)
    f |= dxbc::kFeatureTypedUavLoads;
  if (codegen.usesTiledStatus)
    f |= dxbc::kFeatureTiledResources;
  for (const IoElement& e : module.outputs)
    if (e.systemValue == dxbc::SignatureSystemValue::StencilRef)
      f |= dxbc::kFeatureStencilRef;
    else if ((module.target.stage == Stage::Vertex || module.target.stage == Stage::Domain) && (e.systemValue == dxbc::SignatureSystemValue::RenderTargetArrayIndex || e.systemValue == dxbc::SignatureSystemValue::ViewportArrayIndex))
      f |= dxbc::kFeatureArrayIndexAnyStage;
  for (const IoElement& e : module.inputs)
    if (e.systemValue == dxbc::SignatureSystemValue::InnerCoverage)
      f |= dxbc::kFeatureInnerCoverage;
  return f;
}
} // namespace

/// The debug information and, if it is asked for, the name of the file that it may be taken to.
static void addDebug(dxbc::ContainerBuilder& builder, const std::vector<uint32_t>& program, const CompileRequest& request, std::vector<uint8_t> debug) {
  builder.add(dxbc::kTagSdbg, std::move(debug));
  if (!(request.flags & (kDebugNameForSource | kDebugNameForBinary)))
    return;
  std::vector<uint8_t> hashed(20); // the checksum leaves the first 20 bytes out
  const auto* bytes = reinterpret_cast<const uint8_t*>(program.data());
  hashed.insert(hashed.end(), bytes, bytes + program.size() * 4);
  if (request.flags & kDebugNameForSource)
    hashed.insert(hashed.end(), request.source.begin(), request.source.end());
  std::string name;
  for (uint8_t b : dxbc::computeChecksum(hashed)) {
    name += "0123456789abcdef"[b >> 4];
    name += "0123456789abcdef"[b & 15];
  }
  name += ".pdb";
  // Flags (none), length, name.
  std::vector<uint8_t> data = {0, 0, uint8_t(name.size()), 0};
  data.insert(data.end(), name.begin(), name.end());
  data.resize(data.size() / 4 * 4 + 4);
  builder.add(dxbc::kTagIldn, std::move(data));
}

std::vector<uint8_t> writeContainer(Module& module, Codegen& codegen, std::vector<dxbc::Instruction> instructions, const CompileRequest& request, std::vector<uint8_t> debug) {
  dxbc::Shader shader;
  shader.stage = dxbc::ShaderStage(uint32_t(module.target.stage));
  shader.major = uint8_t(module.target.model / 10);
  shader.minor = uint8_t(module.target.model % 10);
  shader.instructions = std::move(instructions);
  const bool least = module.minPrecision;
  shader.inputs = signature(module.inputs, least ? dxbc::kTagIsg1 : dxbc::kTagIsgn, false);
  shader.outputs = signature(module.outputs, least ? dxbc::kTagOsg1 : module.target.stage == Stage::Geometry && module.target.model >= 50 ? dxbc::kTagOsg5 : dxbc::kTagOsgn, true);
  if (module.target.stage == Stage::Hull)
    shader.patchConstants = signature(module.patchConstants, least ? dxbc::kTagPsg1 : dxbc::kTagPcsg, true);
  else if (module.target.stage == Stage::Domain)
    shader.patchConstants = signature(module.inputs, least ? dxbc::kTagPsg1 : dxbc::kTagPcsg, false, true);
  dxbc::summarizeDeclarations(shader);
  std::vector<uint32_t> program = dxbc::writeProgram(shader.stage, shader.major, shader.minor, shader.instructions);
  if (program.empty())
    return {};
  dxbc::ContainerBuilder builder;
  builder.add(dxbc::kTagRdef, dxbc::writeRdef(reflect(module, codegen, request.flags | kNoPreshader)));
  builder.add(shader.inputs.tag, dxbc::writeSignature(shader.inputs));
  builder.add(shader.outputs.tag, dxbc::writeSignature(shader.outputs));
  if (shader.patchConstants.tag)
    builder.add(shader.patchConstants.tag, dxbc::writeSignature(shader.patchConstants));
  // What model 4 had not from its start makes the later form of the program, too.
  const bool later = shader.major >= 5 || shader.stage == dxbc::ShaderStage::Compute || module.minPrecision || codegen.usesRawAndStructured();
  builder.add(later ? dxbc::kTagShex : dxbc::kTagShdr, program);
  if (const uint64_t features = featureFlags(module, codegen)) {
    const uint32_t words[2] = {uint32_t(features), uint32_t(features >> 32)};
    builder.add(dxbc::kTagSfi0, words);
  }
  if (!debug.empty())
    addDebug(builder, program, request, std::move(debug));
  builder.add(dxbc::kTagStat, dxbc::writeStat(dxbc::computeStat(shader), shader.major));
  return builder.build();
}

std::vector<uint8_t> writeFunctionContainer(Module& module, Codegen& codegen, std::vector<dxbc::Instruction> instructions, const CompileRequest& request,
                                            std::span<const dxbc::LibraryParameter> parameters) {
  dxbc::Shader shader;
  shader.major = uint8_t(module.target.model / 10);
  shader.minor = uint8_t(module.target.model % 10);
  shader.instructions = std::move(instructions);
  dxbc::summarizeDeclarations(shader);
  std::vector<uint32_t> program = dxbc::writeProgram(shader.stage, shader.major, shader.minor, shader.instructions);
  if (program.empty())
    return {};
  program[0] = dxbc::kLibraryProgram << 16 | (program[0] & 0xffff);
  dxbc::ContainerBuilder builder;
  builder.add(dxbc::kTagRdef, dxbc::writeRdef(reflect(module, codegen, request.flags)));
  builder.add(dxbc::kTagLfs0, dxbc::writeParameters(parameters));
  const bool later = shader.major >= 5 || module.minPrecision || codegen.usesRawAndStructured();
  builder.add(later ? dxbc::kTagShex : dxbc::kTagShdr, program);
  if (const uint64_t features = featureFlags(module, codegen)) {
    const uint32_t words[2] = {uint32_t(features), uint32_t(features >> 32)};
    builder.add(dxbc::kTagSfi0, words);
  }
  builder.add(dxbc::kTagStat, dxbc::writeStat(dxbc::computeStat(shader), shader.major));
  return builder.build();
}

} // namespace monolith::compiler
