// SPDX-License-Identifier: MIT
// Signatures from the entry function, packed as fxc packs them: each element goes to the latest register that has room
// behind what is there (the first one: clip and cull distances, patch constants) and holds the same kind (interpolation;
// positions alone; clip and cull distances together).
#include "compiler/lower/module.h"

#include <algorithm>
#include <tuple>

namespace monolith::compiler {

namespace {

struct SemanticRow {
  std::string_view name;
  Stage stage;
  bool output;
  dxbc::SignatureSystemValue value;
  dxbc::RegisterType place;
  std::string_view flags;
};
constexpr SemanticRow kSemantics[] = {
#define SEMANTIC(name, stage, output, value, place, flags) {name, Stage::stage, output, dxbc::SignatureSystemValue::value, dxbc::RegisterType::place, flags},
#include "compiler/lower/semantics.def"
#undef SEMANTIC
};

std::string upper(std::string_view s) {
  std::string r(s);
  for (char& c : r)
    if (c >= 'a' && c <= 'z')
      c = char(c - 'a' + 'A');
  return r;
}

class Layout {
public:
  Layout(Module& module, Diagnostics& diagnostics, bool legacy) : m_module(module), m_diagnostics(diagnostics), m_legacy(legacy) {}

  void value(const VarDecl* param, const Type* type, const std::string& semantic, uint32_t modifiers, bool output, const Location& at, const std::string& what) {
    m_output = output;
    m_param = param;
    m_what = what;
    uint32_t index = 0;
    std::string name = split(semantic, index);
    m_group++;
    walk(type, name, index, modifiers, 0, at, 0);
  }

  /// What the values laid out from now on are: registers of `type`, with a vertex dimension, of an output stream.
  void place(dxbc::RegisterType type, uint32_t vertices = 0, uint32_t stream = 0) {
    m_type = type;
    m_vertices = vertices;
    m_stream = stream;
  }

  void pack(std::vector<IoElement>& list, bool output);

private:
  void packGroup(const std::vector<IoElement*>& list, bool output);
  bool isPatchConstant() const { return m_type == dxbc::RegisterType::PatchConstant; }
  bool tessellationFactor(IoElement& e, const std::string& up) const;
  /// A semantic that was there before: inputs may name one twice if they agree.
  void duplicate(const std::vector<IoElement>& list, const IoElement& before, IoElement& e, const std::string& full) {
    if (!m_output && e.systemValue != dxbc::SignatureSystemValue::None)
      m_diagnostics.error(e.loc, 4574, "duplicate system value semantic definition: input semantic '" + full + "' and input semantic '" + full + "'");
    else if (m_output)
      m_diagnostics.error(e.loc, 4504, "overlapping output semantic '" + full + "'");
    else if (before.count != e.count || before.base != e.base || before.vertices != e.vertices)
      m_diagnostics.error(e.loc, 3536, "duplicated input semantics cannot change type, size, or layout ('" + full + "')");
    else
      e.duplicateOf = int(&before - list.data());
  }
  static bool isDepth(dxbc::SignatureSystemValue v) {
    using V = dxbc::SignatureSystemValue;
    return v == V::Depth || v == V::DepthGreaterEqual || v == V::DepthLessEqual;
  }
  static std::string split(const std::string& semantic, uint32_t& index) {
    size_t n = semantic.size();
    while (n > 0 && semantic[n - 1] >= '0' && semantic[n - 1] <= '9')
      n--;
    index = 0;
    for (size_t i = n; i < semantic.size() && index < 1000000; i++)
      index = index * 10 + uint32_t(semantic[i] - '0');
    return semantic.substr(0, n);
  }

  void walk(const Type* type, const std::string& name, uint32_t& index, uint32_t modifiers, uint32_t slot, const Location& at, int depth) {
    if (depth > 32 || type->isError())
      return;
    if (type->isStruct()) {
      for (const Field& f : type->structure->fields) {
        uint32_t own = 0;
        uint32_t mods = f.modifiers | (modifiers & kModInterpolationMask);
        if (!name.empty()) {
          if (!f.semantic.empty())
            m_diagnostics.warning(at, 3576, "semantics in type overridden by variable/function or enclosing type");
          m_group++;
          walk(f.type, name, index, mods, slot + f.slot, at, depth + 1);
        } else {
          std::string n = split(f.semantic, own);
          m_group++;
          walk(f.type, n, own, mods, slot + f.slot, f.loc, depth + 1);
        }
      }
      return;
    }
    if (type->isArray()) {
      for (uint32_t i = 0; i < type->count && !m_diagnostics.isFatal(); i++)
        walk(type->element, name, index, modifiers, slot + i * type->element->slots, at, depth + 1);
      return;
    }
    if (!type->isNumeric()) {
      m_diagnostics.error(at, 3502, m_what + " cannot be of type '" + typeName(type) + "'");
      return;
    }
    if (name.empty()) {
      if (m_output)
        m_diagnostics.error(at, 3503, m_what + " missing semantics");
      else
        m_diagnostics.error(at, 3502, m_what + " missing semantics");
      return;
    }
    // A matrix is its rows or its columns, as it would lie in a constant buffer.
    const bool columns = type->isMatrix() && type->order != Order::RowMajor;
    for (uint32_t r = 0; r < (columns ? type->cols : type->rows) && !m_diagnostics.isFatal(); r++)
      element(type, name, index++, modifiers, slot + (columns ? r : r * type->cols), columns, at);
  }

  void element(const Type* type, std::string name, uint32_t index, uint32_t modifiers, uint32_t slot, bool column, const Location& at) {
    IoElement e;
    std::string up = upper(name);
    const Stage stage = m_module.target.stage;
    if (m_legacy) {
      if (stage == Stage::Pixel && m_output && up == "COLOR")
        up = "SV_TARGET", name = "SV_Target";
      else if (stage == Stage::Pixel && m_output && up == "DEPTH")
        up = "SV_DEPTH", name = "SV_Depth";
      else if ((stage == Stage::Vertex && m_output && up == "POSITION") || (stage == Stage::Pixel && !m_output && up == "VPOS"))
        up = "SV_POSITION", name = "SV_Position";
    }
    if (type->base == Base::Double)
      m_diagnostics.error(at, 3687, m_what + ": double types cannot be used as shader inputs or outputs, pass two uints and use asuint and asdouble");
    const SemanticRow* row = nullptr;
    if (!isPatchConstant())
      for (const SemanticRow& r : kSemantics)
        if (r.name == up && r.stage == stage && r.output == m_output)
          row = &r;
    e.semantic = name;
    e.index = index;
    e.param = m_param;
    e.slot = slot;
    e.stride = column ? type->cols : 1;
    e.group = m_group;
    e.loc = at;
    e.count = column ? type->rows : type->cols;
    e.base = type->base;
    e.precision = precisionOf(type->base);
    e.componentType = isFloatBase(type->base) ? dxbc::ComponentType::Float : isUnsignedBase(type->base) || type->base == Base::Bool ? dxbc::ComponentType::Uint : dxbc::ComponentType::Sint;
    e.registerType = m_output ? dxbc::RegisterType::Output : m_type;
    e.vertices = m_vertices;
    e.stream = m_stream;
    e.isBool = type->base == Base::Bool;
    const std::string full = name + (index ? std::to_string(index) : std::string());
    if (row) {
      e.systemValue = row->value;
      e.generated = row->flags.find('g') != std::string_view::npos;
      if (row->place != dxbc::RegisterType::Input)
        e.registerType = row->place;
      if (row->flags.find('n') != std::string_view::npos) {
        e.reg = ~0u;
        if (m_vertices && stage == Stage::Geometry) {
          m_diagnostics.error(at, 3514, name + " is an invalid input semantic for geometry shader primitives, it must be its own parameter.");
          return;
        }
        e.vertices = 0;
      }
      e.hidden = row->flags.find('h') != std::string_view::npos;
      if (row->flags.find('u') != std::string_view::npos)
        e.componentType = dxbc::ComponentType::Uint;
      using V = dxbc::SignatureSystemValue;
      const char* must = isDepth(row->value) ? "float" : nullptr;
      for (V v : {V::VertexId, V::InstanceId, V::PrimitiveId, V::SampleIndex, V::Coverage, V::RenderTargetArrayIndex, V::ViewportArrayIndex})
        must = row->value == v ? "uint" : must;
      if (must && (e.count != 1 || isFloatBase(type->base) != (*must == 'f')))
        m_diagnostics.error(at, 4555, "invalid type used for '" + full + "' " + (m_output ? "output" : "input") + " semantics, must be " + must);
      if (row->value == V::Position && m_output && stage != Stage::Hull && e.count < 4)
        m_diagnostics.error(at, 4577, "Not all elements of SV_Position were written");
      if (row->value == V::ClipDistance || row->value == V::CullDistance) {
        uint32_t used = e.count;
        for (const IoElement& o : m_output ? m_module.outputs : m_module.inputs)
          used += (o.systemValue == V::ClipDistance || o.systemValue == V::CullDistance) && o.stream == m_stream ? o.count : 0;
        if (used > 8)
          m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
      }
      if (row->value == dxbc::SignatureSystemValue::Target) {
        if (index > 7)
          m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + " output semantic '" + full + "'");
        e.reg = index;
      }
      bool newer = row->value == dxbc::SignatureSystemValue::DepthGreaterEqual || row->value == dxbc::SignatureSystemValue::DepthLessEqual || (row->value == dxbc::SignatureSystemValue::Coverage && !m_output);
      bool middle = row->value == dxbc::SignatureSystemValue::SampleIndex || row->value == dxbc::SignatureSystemValue::Coverage;
      if ((newer && m_module.target.model < 50) || (middle && m_module.target.model < 41))
        m_diagnostics.error(at, m_output ? 4502 : 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
    } else if (isPatchConstant() && tessellationFactor(e, up)) {
    } else if (stage == Stage::Compute) {
      m_diagnostics.error(at, m_output ? 4503 : 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
    } else if (stage == Stage::Pixel && m_output) {
      m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + " output semantic '" + full + "'");
    } else if (up.substr(0, 3) == "SV_" && !(stage == Stage::Vertex && !m_output)) {
      m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
    }
    e.interpolation = isPatchConstant() ? dxbc::InterpolationMode::Undefined : interpolation(type->base, modifiers, e.systemValue);
    auto& list = m_output ? m_module.outputs : m_module.inputs;
    if (name.size() > 64)
      m_diagnostics.error(at, 4573, "semantic length too long, limited to 64 characters");
    if (row && m_output && isDepth(row->value))
      for (const IoElement& o : list)
        if (isDepth(o.systemValue) && o.systemValue != row->value)
          m_diagnostics.error(at, 3677, m_module.target.name + " only allows one depth output");
    for (const IoElement& o : list)
      if (upper(o.semantic) == up && o.index == index && o.registerType == e.registerType && o.stream == e.stream)
        duplicate(list, o, e, full);
    list.push_back(e);
    if (list.size() > 128)
      m_diagnostics.fatal(at, m_output ? 4571 : 4506, std::string("too many ") + (m_output ? "outputs" : "inputs"));
  }

  static dxbc::InterpolationMode interpolation(Base base, uint32_t mods, dxbc::SignatureSystemValue value) {
    using M = dxbc::InterpolationMode;
    if (value == dxbc::SignatureSystemValue::Position) {
      if (mods & kModSample)
        return M::LinearNoPerspectiveSample;
      return mods & kModCentroid ? M::LinearNoPerspectiveCentroid : M::LinearNoPerspective;
    }
    if ((mods & kModNoInterpolation) || !isFloatBase(base))
      return M::Constant;
    const bool flat = mods & kModNoPerspective;
    if (mods & kModSample)
      return flat ? M::LinearNoPerspectiveSample : M::LinearSample;
    if (mods & kModCentroid)
      return flat ? M::LinearNoPerspectiveCentroid : M::LinearCentroid;
    return flat ? M::LinearNoPerspective : M::Linear;
  }

  Module& m_module;
  Diagnostics& m_diagnostics;
  bool m_legacy;
  bool m_output = false;
  dxbc::RegisterType m_type = dxbc::RegisterType::Input; ///< of inputs; PatchConstant also for outputs of patch constant functions
  uint32_t m_vertices = 0, m_stream = 0, m_group = 0;
  const VarDecl* m_param = nullptr;
  std::string m_what;
};

/// SV_TessFactor and SV_InsideTessFactor among patch constants.
bool Layout::tessellationFactor(IoElement& e, const std::string& up) const {
  using V = dxbc::SignatureSystemValue;
  using T = dxbc::TessDomain;
  const bool edge = up == "SV_TESSFACTOR", inside = up == "SV_INSIDETESSFACTOR";
  const T domain = m_module.tessellation.domain;
  if (!edge && !inside)
    return false;
  const uint32_t most = domain == T::Quad ? (edge ? 4u : 2u) : domain == T::Triangle ? (edge ? 3u : 1u) : edge ? 2u : 0u;
  if (e.index >= most) {
    m_diagnostics.error(e.loc, 3685, "invalid tessfactor semantic '" + e.semantic + std::to_string(e.index) + "' for the domain");
    return true;
  }
  uint32_t first = 0;
  if (domain == T::Quad) {
    e.systemValue = edge ? V::QuadEdgeTessFactor : V::QuadInsideTessFactor;
    first = edge ? 11 : 15;
  } else if (domain == T::Triangle) {
    e.systemValue = edge ? V::TriEdgeTessFactor : V::TriInsideTessFactor;
    first = edge ? 17 : 20;
  } else { // the first is the density, the second the detail
    e.systemValue = e.index == 0 ? V::LineDensityTessFactor : V::LineDetailTessFactor;
    e.tokenValue = e.index == 0 ? dxbc::SystemValue::LineDensityTessFactor : dxbc::SystemValue::LineDetailTessFactor;
    return true;
  }
  e.tokenValue = dxbc::SystemValue(first + e.index);
  return true;
}

void Layout::pack(std::vector<IoElement>& list, bool output) {
  // Registers of each type and stream are numbered for themselves.
  std::vector<std::pair<std::pair<dxbc::RegisterType, uint32_t>, std::vector<IoElement*>>> groups;
  for (IoElement& e : list) {
    if (e.duplicateOf >= 0)
      continue;
    const std::pair<dxbc::RegisterType, uint32_t> key{e.registerType, e.stream};
    auto it = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == key; });
    if (it == groups.end())
      it = groups.insert(groups.end(), {key, {}});
    it->second.push_back(&e);
  }
  for (auto& [key, elements] : groups)
    packGroup(elements, output);
  for (IoElement& e : list)
    if (e.duplicateOf >= 0) {
      e.reg = list[size_t(e.duplicateOf)].reg;
      e.firstComponent = list[size_t(e.duplicateOf)].firstComponent;
      e.hidden = true;
    }
}

namespace {
struct PackedRegister {
  int kind;
  dxbc::MinPrecision precision;
  uint32_t used;
};
constexpr int kAloneInRegister = -1;

/// Elements of different kinds do not share a register.
int packingKind(const IoElement& e) {
  using V = dxbc::SignatureSystemValue;
  if (e.systemValue == V::Position)
    return kAloneInRegister;
  return e.systemValue == V::ClipDistance || e.systemValue == V::CullDistance ? -2 - 16 * int(e.interpolation) : int(e.interpolation);
}

/// Whether `rows` elements like `e` have room at the same component of the registers from `first` on.
bool fits(const std::vector<PackedRegister>& registers, uint32_t first, uint32_t rows, int kind, const IoElement& e) {
  if (first + rows > registers.size())
    return false;
  for (uint32_t r = first; r < first + rows; r++)
    if (registers[r].kind != kind || registers[r].precision != e.precision || registers[r].used + e.count > 4 || registers[r].used != registers[first].used)
      return false;
  return true;
}

/// Clip and cull distances are numbered from 0 on, whatever the source says, in the order of their indices.
void numberDistances(std::vector<IoElement>& list, dxbc::SignatureSystemValue value) {
  std::vector<std::pair<uint32_t, uint32_t>> indices; // stream and index
  for (const IoElement& e : list)
    if (e.systemValue == value)
      indices.push_back({e.stream, e.index});
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  for (IoElement& e : list)
    if (e.systemValue == value) {
      const auto firstOfStream = std::lower_bound(indices.begin(), indices.end(), std::pair<uint32_t, uint32_t>{e.stream, 0});
      e.index = uint32_t(std::lower_bound(indices.begin(), indices.end(), std::pair{e.stream, e.index}) - firstOfStream);
    }
}
} // namespace

void Layout::packGroup(const std::vector<IoElement*>& list, bool output) {
  const Stage stage = m_module.target.stage;
  const bool packed = stage == Stage::Vertex ? output : stage == Stage::Pixel ? !output : true;
  std::vector<PackedRegister> registers;
  auto pass = [&](bool factors) {
    for (size_t i = 0; i < list.size();) {
      IoElement& e = *list[i];
      const bool factor = e.tokenValue != dxbc::SystemValue::None;
      if (factor != factors || e.reg == ~0u || (stage == Stage::Pixel && output)) {
        i++;
        continue;
      }
      // The elements of an array or matrix lie below each other.
      size_t end = i + 1;
      while (end < list.size() && list[end]->group == e.group && list[end]->tokenValue == e.tokenValue && list[end]->count == e.count)
        end++;
      const uint32_t rows = uint32_t(end - i);
      const int kind = packingKind(e);
      const bool lowest = kind < kAloneInRegister || (m_module.part == Part::PatchConstants && output) || e.registerType == dxbc::RegisterType::PatchConstant;
      uint32_t first = uint32_t(registers.size());
      if (packed && kind != kAloneInRegister && !factor)
        for (uint32_t r = first; r-- > 0 && (lowest || first == registers.size());)
          if (fits(registers, r, rows, kind, e))
            first = r;
      const uint8_t component = first < registers.size() ? uint8_t(registers[first].used) : 0;
      for (uint32_t r = first; i < end; i++, r++) {
        list[i]->reg = r;
        list[i]->firstComponent = component;
        if (r < registers.size())
          registers[r].used += e.count;
        else
          registers.push_back({kind, e.precision, e.count});
      }
      if (registers.size() > 32) {
        m_diagnostics.fatal(e.loc, output ? 4571 : 4506, m_module.target.name + (output ? " output" : " input") + " limit (32) exceeded, shader uses " + std::to_string(registers.size()) + (output ? " outputs." : " inputs."));
        return;
      }
    }
  };
  pass(true); // tessellation factors have registers of their own, one after the other
  if (!m_diagnostics.isFatal())
    pass(false);
}

} // namespace

namespace {

/// A parameter with one value per vertex or control point, or a stream. False if it is none.
bool layoutStageParameter(Module& module, Layout& layout, const VarDecl* p, const std::string& quoted, Diagnostics& diagnostics) {
  using R = dxbc::RegisterType;
  const Stage stage = module.target.stage;
  const std::string what = quoted + "input parameter '" + std::string(p->name) + "'";
  if (p->type->isStream()) {
    for (uint32_t n = 0; n < module.geometry.streams.size(); n++)
      if (module.geometry.streams[n] == p) {
        layout.place(R::Input, 0, n);
        layout.value(p, p->type->element, p->semantic, p->modifiers, true, p->loc, quoted + "output parameter '" + std::string(p->name) + "'");
        layout.place(R::Input);
      }
    return true;
  }
  const bool vertices = stage == Stage::Geometry && p->type->isArray() && (p->modifiers & kModPrimitiveMask);
  if (!p->type->isPatch() && !vertices)
    return false;
  const bool outputPoints = p->type->isPatch() && p->type->object == ObjectKind::OutputPatch && module.part == Part::PatchConstants;
  layout.place(outputPoints ? R::OutputControlPoint : stage == Stage::Domain || module.part == Part::PatchConstants ? R::InputControlPoint : R::Input, p->type->count);
  layout.value(p, p->type->element, p->semantic, p->modifiers, false, p->loc, what);
  layout.place(R::Input);
  (void)diagnostics;
  return true;
}

bool isPatchConstantParameter(const Module& module, const VarDecl* p) {
  if (module.target.stage != Stage::Domain)
    return false;
  const std::string up = upper(p->semantic);
  return up != "SV_DOMAINLOCATION" && up != "SV_PRIMITIVEID";
}

} // namespace

/// Textures, samplers and buffers (and arrays of them) as parameters of an entry point are resources like global ones.
bool boundParameter(const Type* t) {
  while (t->isArray())
    t = t->element;
  return t->isObject() && t->object < ObjectKind::StateObject;
}

bool layoutSignatures(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics, bool legacySemantics) {
  using R = dxbc::RegisterType;
  if (module.target.library)
    return layoutFunction(module, entry);
  size_t before = diagnostics.errorCount();
  Layout layout(module, diagnostics, legacySemantics);
  const std::string quoted = "'" + entry.name + "': ";
  for (const VarDecl* p : entry.params) {
    if ((p->modifiers & kModUniform) || boundParameter(p->type) || layoutStageParameter(module, layout, p, quoted, diagnostics) || !(p->modifiers & kModIn))
      continue;
    layout.place(isPatchConstantParameter(module, p) ? R::PatchConstant : R::Input);
    layout.value(p, p->type, p->semantic, p->modifiers, false, p->loc, quoted + "input parameter '" + std::string(p->name) + "'");
  }
  layout.place(module.part == Part::PatchConstants ? R::PatchConstant : R::Input);
  if (!entry.returnType->isVoid())
    layout.value(nullptr, entry.returnType, entry.semantic, entry.modifiers, true, entry.loc, quoted + "function return value");
  for (const VarDecl* p : entry.params)
    if (!(p->modifiers & kModUniform) && (p->modifiers & kModOut) && !p->type->isStream())
      layout.value(p, p->type, p->semantic, p->modifiers, true, p->loc, quoted + "output parameter '" + std::string(p->name) + "'");
  layout.pack(module.inputs, false);
  layout.pack(module.outputs, true);
  for (auto* list : {&module.inputs, &module.outputs})
    for (const auto value : {dxbc::SignatureSystemValue::ClipDistance, dxbc::SignatureSystemValue::CullDistance})
      numberDistances(*list, value);
  // Outputs are declared and written in the order of their places.
  std::stable_sort(module.outputs.begin(), module.outputs.end(), [](const IoElement& a, const IoElement& b) {
    return std::tuple(a.stream, a.reg, a.firstComponent) < std::tuple(b.stream, b.reg, b.firstComponent);
  });
  return diagnostics.errorCount() == before;
}

// ---- constant buffers ----

bool startsRegister(const Type* t) {
  return t->isArray() || t->isStruct() || (t->isMatrix() && (t->order == Order::RowMajor ? t->rows : t->cols) > 1);
}

uint32_t scalarBytes(Base b) {
  return b == Base::Double ? 8 : 4;
}

uint32_t matrixStride(const Type* t) {
  const uint32_t length = (t->order == Order::RowMajor ? t->cols : t->rows) * scalarBytes(t->base);
  return (length + 15) & ~15u;
}

uint32_t bufferPlace(uint32_t offset, const Type* t) {
  if (t->hasObjects && !t->slots) // takes no place
    return offset;
  const uint32_t size = bufferSize(t);
  const Type* e = t;
  while (e->isArray())
    e = e->element;
  if (startsRegister(t) || (offset & 15) + size > 16)
    return (offset + 15) & ~15u;
  return e->isNumeric() && e->base == Base::Double ? (offset + 7) & ~7u : offset;
}

uint32_t bufferSize(const Type* t) {
  if (t->isScalar() || t->isVector())
    return t->cols * scalarBytes(t->base);
  if (t->isMatrix()) {
    const bool row = t->order == Order::RowMajor;
    return ((row ? t->rows : t->cols) - 1u) * matrixStride(t) + (row ? t->cols : t->rows) * scalarBytes(t->base);
  }
  if (t->isArray())
    return t->count ? (t->count - 1) * ((bufferSize(t->element) + 15) & ~15u) + bufferSize(t->element) : 0;
  if (t->isStruct()) {
    uint32_t offset = 0;
    for (const Field& f : t->structure->fields) {
      if (f.type->hasObjects && !f.type->slots)
        continue;
      offset = bufferPlace(offset, f.type) + bufferSize(f.type);
    }
    return offset;
  }
  return 0;
}

namespace {
uint32_t structuredAlign(const Type* t) {
  if (t->isArray())
    return structuredAlign(t->element);
  if (!t->isStruct())
    return t->base == Base::Double ? 8 : 4;
  uint32_t align = 4;
  for (const Field& f : t->structure->fields)
    align = std::max(align, structuredAlign(f.type));
  return align;
}
} // namespace

uint32_t structuredOffset(const Type* t, uint32_t field) {
  uint32_t offset = 0;
  for (uint32_t i = 0; i <= field && i < t->structure->fields.size(); i++) {
    const Type* f = t->structure->fields[i].type;
    const uint32_t align = structuredAlign(f);
    offset = (offset + align - 1) & ~(align - 1);
    if (i < field)
      offset += structuredSize(f);
  }
  return offset;
}

uint32_t structuredSize(const Type* t) {
  if (t->isNumeric())
    return t->components() * (t->base == Base::Double ? 8u : 4u);
  if (t->isArray())
    return t->count * structuredSize(t->element);
  if (!t->isStruct() || t->structure->fields.empty())
    return 0;
  const uint32_t last = uint32_t(t->structure->fields.size() - 1), align = structuredAlign(t);
  return (structuredOffset(t, last) + structuredSize(t->structure->fields[last].type) + align - 1) & ~(align - 1);
}

namespace {
/// Variables with places of their own may not lie on each other.
void checkOverlaps(const ConstantBuffer& cb, bool globals, Diagnostics& diagnostics) {
  auto placed = [&](const VarDecl* v) { return v->size && (v->hasPackOffset || (globals && v->binding.kind == 'c' && v->binding.explicitIndex)); };
  std::vector<const VarDecl*> order;
  for (const VarDecl* v : cb.vars)
    if (placed(v))
      order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [](const VarDecl* a, const VarDecl* b) { return a->offset < b->offset; });
  for (size_t i = 1; i < order.size(); i++)
    if (order[i]->offset < order[i - 1]->offset + order[i - 1]->size)
      diagnostics.error(order[i]->loc, cb.textureBuffer ? 4020 : 4019, "multiple variables found with the same user-specified location ('" + std::string(order[i - 1]->name) + "' and '" + std::string(order[i]->name) + "')");
}
} // namespace

void layoutConstantBuffers(Program& program, Diagnostics& diagnostics) {
  for (ConstantBuffer* cb : program.buffers) {
    uint32_t offset = 0, end = 0;
    for (VarDecl* v : cb->vars) {
      uint32_t size = bufferSize(v->type);
      if (v->hasPackOffset) {
        offset = v->packOffset * 4;
      } else if (cb->globals && v->binding.kind == 'c' && v->binding.explicitIndex) {
        offset = v->binding.index * 16 + v->binding.component * 4;
      } else {
        offset = bufferPlace(offset, v->type);
      }
      if (v->hasPackOffset && bufferPlace(offset, v->type) != offset)
        diagnostics.error(v->loc, 3530, "register or offset bind c" + std::to_string(v->packOffset / 4) + (v->packOffset % 4 ? std::string(".") + "xyzw"[v->packOffset % 4] : std::string()) + " not valid");
      v->offset = offset;
      v->size = size;
      offset += size;
      end = std::max(end, offset);
      if (end > 65536) {
        diagnostics.fatal(v->loc, 4601, "size of constant buffer '" + cb->name + "' is " + std::to_string((end + 15) / 16) + " 16-byte entries, which exceeds maximum allowed size of 4096 entries");
        return;
      }
    }
    if (!cb->overlapping)
      checkOverlaps(*cb, cb->globals, diagnostics);
    cb->size = (end + 15) & ~15u;
  }
}

} // namespace monolith::compiler
