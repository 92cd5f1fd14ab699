// SPDX-License-Identifier: MIT
// Signatures from the entry function, packed as fxc packs them: each element goes to the first register that has room
// behind what is there and holds the same kind (interpolation; positions alone; clip and cull distances together).
#include "compiler/lower/module.h"

#include <algorithm>

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
    walk(type, name, index, modifiers, 0, at, 0);
  }

  void pack(std::vector<IoElement>& list, bool output);

private:
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
          walk(f.type, name, index, mods, slot + f.slot, at, depth + 1);
        } else {
          std::string n = split(f.semantic, own);
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
    for (uint32_t r = 0; r < type->rows; r++)
      element(type, name, index++, modifiers, slot + r * type->cols, at);
  }

  void element(const Type* type, std::string name, uint32_t index, uint32_t modifiers, uint32_t slot, const Location& at) {
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
    for (const SemanticRow& r : kSemantics)
      if (r.name == up && r.stage == stage && r.output == m_output)
        row = &r;
    e.semantic = name;
    e.index = index;
    e.param = m_param;
    e.slot = slot;
    e.loc = at;
    e.count = type->cols;
    e.base = type->base;
    e.componentType = isFloatBase(type->base) ? dxbc::ComponentType::Float : isUnsignedBase(type->base) || type->base == Base::Bool ? dxbc::ComponentType::Uint : dxbc::ComponentType::Sint;
    e.registerType = m_output ? dxbc::RegisterType::Output : dxbc::RegisterType::Input;
    e.isBool = type->base == Base::Bool;
    const std::string full = name + (index ? std::to_string(index) : std::string());
    if (row) {
      e.systemValue = row->value;
      e.generated = row->flags.find('g') != std::string_view::npos;
      if (row->place != dxbc::RegisterType::Input)
        e.registerType = row->place;
      if (row->flags.find('n') != std::string_view::npos)
        e.reg = ~0u;
      if (row->flags.find('u') != std::string_view::npos)
        e.componentType = dxbc::ComponentType::Uint;
      if (row->value == dxbc::SignatureSystemValue::Target) {
        if (index > 7)
          m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + " output semantic '" + full + "'");
        e.reg = index;
      }
      bool newer = row->value == dxbc::SignatureSystemValue::DepthGreaterEqual || row->value == dxbc::SignatureSystemValue::DepthLessEqual || (row->value == dxbc::SignatureSystemValue::Coverage && !m_output);
      bool middle = row->value == dxbc::SignatureSystemValue::SampleIndex || row->value == dxbc::SignatureSystemValue::Coverage;
      if ((newer && m_module.target.model < 50) || (middle && m_module.target.model < 41))
        m_diagnostics.error(at, m_output ? 4502 : 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
    } else if (stage == Stage::Pixel && m_output) {
      m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + " output semantic '" + full + "'");
    } else if (up.substr(0, 3) == "SV_" && !(stage == Stage::Vertex && !m_output)) {
      m_diagnostics.error(at, 4502, "invalid " + m_module.target.name + (m_output ? " output" : " input") + " semantic '" + full + "'");
    }
    e.interpolation = interpolation(type->base, modifiers, e.systemValue);
    auto& list = m_output ? m_module.outputs : m_module.inputs;
    for (const IoElement& o : list)
      if (upper(o.semantic) == up && o.index == index)
        m_diagnostics.error(at, m_output ? 3523 : 3523, "overlapping " + std::string(m_output ? "output" : "input") + " semantic '" + full + "'");
    list.push_back(e);
    if (list.size() > 128)
      m_diagnostics.fatal(at, 4571, std::string("too many ") + (m_output ? "outputs" : "inputs"));
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
  const VarDecl* m_param = nullptr;
  std::string m_what;
};

void Layout::pack(std::vector<IoElement>& list, bool output) {
  const Stage stage = m_module.target.stage;
  const bool packed = stage == Stage::Vertex ? output : !output;
  struct Register {
    int kind;
    uint32_t used;
  };
  std::vector<Register> registers;
  for (IoElement& e : list) {
    if (e.reg == ~0u || (stage == Stage::Pixel && output))
      continue;
    using V = dxbc::SignatureSystemValue;
    int kind = e.systemValue == V::Position ? -1 : e.systemValue == V::ClipDistance || e.systemValue == V::CullDistance ? -2 - 16 * int(e.interpolation) : int(e.interpolation);
    bool done = false;
    if (packed && kind != -1)
      for (uint32_t r = 0; r < registers.size() && !done; r++)
        if (registers[r].kind == kind && registers[r].used + e.count <= 4) {
          e.reg = r;
          e.firstComponent = uint8_t(registers[r].used);
          registers[r].used += e.count;
          done = true;
        }
    if (!done) {
      e.reg = uint32_t(registers.size());
      registers.push_back({kind, e.count});
    }
    if (e.reg >= 32) {
      m_diagnostics.fatal(e.loc, 4571, std::string(stage == Stage::Vertex ? "vs" : "ps") + (output ? " output" : " input") + " limit (32) exceeded, shader uses " + std::to_string(registers.size()) + (output ? " outputs" : " inputs"));
      return;
    }
  }
}

} // namespace

bool layoutSignatures(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics, bool legacySemantics) {
  size_t before = diagnostics.errorCount();
  Layout layout(module, diagnostics, legacySemantics);
  const std::string quoted = "'" + entry.name + "': ";
  for (const VarDecl* p : entry.params) {
    if (p->modifiers & kModUniform)
      continue;
    if (p->modifiers & kModIn)
      layout.value(p, p->type, p->semantic, p->modifiers, false, p->loc, quoted + "input parameter '" + std::string(p->name) + "'");
  }
  if (!entry.returnType->isVoid())
    layout.value(nullptr, entry.returnType, entry.semantic, entry.modifiers, true, entry.loc, quoted + "function return value");
  for (const VarDecl* p : entry.params)
    if (!(p->modifiers & kModUniform) && (p->modifiers & kModOut))
      layout.value(p, p->type, p->semantic, p->modifiers, true, p->loc, quoted + "output parameter '" + std::string(p->name) + "'");
  layout.pack(module.inputs, false);
  layout.pack(module.outputs, true);
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
      if (f.type->hasObjects)
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

void layoutConstantBuffers(Program& program, Diagnostics& diagnostics) {
  for (ConstantBuffer* cb : program.buffers) {
    uint32_t offset = 0, end = 0;
    for (VarDecl* v : cb->vars) {
      uint32_t size = bufferSize(v->type);
      if (v->hasPackOffset) {
        offset = v->packOffset * 4;
      } else if (cb == program.buffers[0] && v->binding.kind == 'c' && v->binding.explicitIndex) {
        offset = v->binding.index * 16 + v->binding.component * 4;
      } else {
        offset = bufferPlace(offset, v->type);
      }
      v->offset = offset;
      v->size = size;
      offset += size;
      end = std::max(end, offset);
      if (end > 65536) {
        diagnostics.fatal(v->loc, 3059, "constant buffer '" + cb->name + "' is too large");
        return;
      }
    }
    cb->size = (end + 15) & ~15u;
  }
}

} // namespace monolith::compiler
