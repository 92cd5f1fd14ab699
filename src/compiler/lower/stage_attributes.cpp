// SPDX-License-Identifier: MIT
// What geometry, hull and domain shaders say in attributes and in the kinds of their parameters.
#include "compiler/lower/module.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

namespace {

constexpr uint32_t kMaxVertices = 1024;
constexpr uint32_t kMaxInstances = 32;
constexpr uint32_t kMaxControlPoints = 32;

std::string lower(std::string_view s) {
  std::string r(s);
  for (char& c : r)
    if (c >= 'A' && c <= 'Z')
      c = char(c - 'A' + 'a');
  return r;
}

class Attributes {
public:
  Attributes(const FunctionDecl& f, Diagnostics& d) : m_function(f), m_diagnostics(d) {}
  const Attribute* find(std::string_view name) const {
    for (const Attribute& a : m_function.attributes)
      if (lower(a.name) == name)
        return &a;
    return nullptr;
  }
  /// First argument as an unsigned number; false if the attribute is not there or does not fit.
  bool number(std::string_view name, uint32_t& n) const {
    const Attribute* a = find(name);
    if (!a)
      return false;
    ConstantValue v;
    if (a->args.empty() || (!a->args[0]->type->isError() && isFloatBase(a->args[0]->type->base))) {
      m_diagnostics.warning(a->loc, 3554, "cannot match attribute " + a->name + ", parameter 1 is expected to be of type int");
      m_diagnostics.warning(a->loc, 3554, "unknown attribute " + a->name + ", or attribute invalid for this statement");
      return false;
    }
    if (!evaluateConstant(a->args[0], v)) {
      m_diagnostics.error(a->loc, 3084, "non-literal parameter(s) found for attribute " + a->name);
      return false;
    }
    if (v.asInt() < 0) {
      m_diagnostics.error(a->loc, 3084, "cannot match attribute " + a->name + ", non-uint parameters found");
      return false;
    }
    n = uint32_t(v.asInt());
    return true;
  }
  bool word(std::string_view name, std::string& s) const {
    const Attribute* a = find(name);
    if (!a || a->strings.empty())
      return false;
    s = a->strings[0];
    return true;
  }

private:
  const FunctionDecl& m_function;
  Diagnostics& m_diagnostics;
};

struct PrimitiveRow {
  uint32_t modifier;
  const char* word;
  uint32_t vertices;
  dxbc::Primitive primitive;
};
constexpr PrimitiveRow kPrimitives[] = {
    {kModPoint, "point", 1, dxbc::Primitive::Point},
    {kModLine, "line", 2, dxbc::Primitive::Line},
    {kModTriangle, "triangle", 3, dxbc::Primitive::Triangle},
    {kModLineAdj, "lineadj", 4, dxbc::Primitive::LineAdj},
    {kModTriangleAdj, "triangleadj", 6, dxbc::Primitive::TriangleAdj},
};

bool geometry(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  const std::string quoted = "'" + entry.name + "': ";
  GeometryState& g = module.geometry;
  const Attributes attributes(entry, diagnostics);
  auto fail = [&](const Location& at, const std::string& text) {
    diagnostics.error(at, 3514, quoted + text);
    return false;
  };
  for (const VarDecl* p : entry.params) {
    const std::string name = "'" + std::string(p->name) + "'";
    if (p->type->isStream()) {
      if ((p->modifiers & (kModIn | kModOut)) != (kModIn | kModOut))
        return fail(p->loc, "stream output parameter " + name + " must be an inout parameter");
      g.streams.push_back(p);
      const uint32_t most = module.target.model >= 50 ? 4u : 1u;
      if (g.streams.size() > most) {
        diagnostics.error(p->loc, 4570, module.target.name + " can only emit to " + std::to_string(most) + " stream" + (most > 1 ? "s" : ""));
        return false;
      }
      if (g.streams.size() > 1 && (p->type->object != ObjectKind::PointStream || g.streams[0]->type->object != ObjectKind::PointStream)) {
        diagnostics.error(p->loc, 4592, "when multiple geometry shader output streams are used they must be pointlists");
        return false;
      }
      continue;
    }
    dxbc::Primitive primitive = dxbc::Primitive::Undefined;
    if (p->type->isPatch() && p->type->object == ObjectKind::InputPatch) {
      if (module.target.model < 50)
        return fail(p->loc, "input parameter " + name + " patches need shader model 5");
      if (p->type->count > kMaxControlPoints)
        return fail(p->loc, "input parameter " + name + " must have at most 32 control points");
      primitive = dxbc::Primitive(uint32_t(dxbc::Primitive::Patch1) + p->type->count - 1);
    } else if (p->modifiers & kModPrimitiveMask) {
      for (const PrimitiveRow& r : kPrimitives)
        if (p->modifiers & r.modifier) {
          if (primitive != dxbc::Primitive::Undefined) {
            diagnostics.error(p->loc, 3083, "conflicting geometry types");
            return false;
          }
          if (!p->type->isArray() || p->type->count != r.vertices)
            return fail(p->loc, "input parameter " + name + " of primitive type '" + r.word + "' must be an array of " + std::to_string(r.vertices) + " elements");
          primitive = r.primitive;
        }
    } else if (!(p->modifiers & kModUniform)) {
      const std::string semantic = lower(p->semantic);
      if (semantic != "sv_primitiveid" && semantic != "sv_gsinstanceid")
        return fail(p->loc, "input parameter " + name + " must have a geometry specifier");
      continue;
    }
    if (primitive == dxbc::Primitive::Undefined)
      continue;
    if (g.primitive != dxbc::Primitive::Undefined && g.primitive != primitive) {
      diagnostics.error(p->loc, 3083, "conflicting geometry types");
      return false;
    }
    g.primitive = primitive;
  }
  if (g.primitive == dxbc::Primitive::Undefined)
    return fail(entry.loc, "no input primitive specified, if your shader doesn't require inputs, then define an empty struct and give it the proper primitive type.");
  if (g.streams.empty())
    return fail(entry.loc, "must have an output stream");
  if (!entry.returnType->isVoid())
    return fail(entry.loc, "geometry shaders cannot return a value");
  if (!attributes.number("maxvertexcount", g.maxVertices))
    return fail(entry.loc, "must have a max vertex count");
  if (g.maxVertices == 0 || g.maxVertices > kMaxVertices)
    return fail(entry.loc, "max vertex count must be between 1 and 1024");
  uint32_t instances = 0;
  if (attributes.number("instance", instances)) {
    if (module.target.model < 50 || instances == 0 || instances > kMaxInstances)
      return fail(entry.loc, "instance count must be between 1 and 32 and needs shader model 5");
    g.instances = instances;
  }
  return true;
}

bool domainOf(const Attributes& attributes, TessellationState& t) {
  std::string word;
  if (!attributes.word("domain", word))
    return false;
  t.domain = word == "tri" ? dxbc::TessDomain::Triangle : word == "quad" ? dxbc::TessDomain::Quad : word == "isoline" ? dxbc::TessDomain::Isoline : dxbc::TessDomain::Undefined;
  return t.domain != dxbc::TessDomain::Undefined;
}

struct OutputRow {
  const char* word;
  dxbc::TessOutputPrimitive value;
};
constexpr OutputRow kOutputs[] = {{"point", dxbc::TessOutputPrimitive::Point},
                                  {"line", dxbc::TessOutputPrimitive::Line},
                                  {"triangle_cw", dxbc::TessOutputPrimitive::TriangleCw},
                                  {"triangle_ccw", dxbc::TessOutputPrimitive::TriangleCcw}};
struct PartitioningRow {
  const char* word;
  dxbc::TessPartitioning value;
};
constexpr PartitioningRow kPartitionings[] = {{"integer", dxbc::TessPartitioning::Integer},
                                              {"pow2", dxbc::TessPartitioning::Pow2},
                                              {"fractional_odd", dxbc::TessPartitioning::FractionalOdd},
                                              {"fractional_even", dxbc::TessPartitioning::FractionalEven}};

bool hull(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  const std::string quoted = "'" + entry.name + "': ";
  TessellationState& t = module.tessellation;
  const Attributes attributes(entry, diagnostics);
  auto missing = [&](const char* name) {
    const Attribute* a = attributes.find(name);
    diagnostics.error(a ? a->loc : entry.loc, 3657, quoted + (a ? "value of hull shader attribute '" : "hull shaders must have the attribute '") + name + (a ? "' is not possible" : "'"));
    return false;
  };
  if (!domainOf(attributes, t))
    return missing("domain");
  std::string word;
  if (attributes.word("outputtopology", word))
    for (const OutputRow& r : kOutputs)
      if (word == r.word)
        t.output = r.value;
  const bool isoline = t.domain == dxbc::TessDomain::Isoline, lines = t.output == dxbc::TessOutputPrimitive::Line;
  if (t.output == dxbc::TessOutputPrimitive::Undefined || (isoline != lines && t.output != dxbc::TessOutputPrimitive::Point))
    return missing("outputtopology");
  if (attributes.word("partitioning", word))
    for (const PartitioningRow& r : kPartitionings)
      if (word == r.word)
        t.partitioning = r.value;
  if (t.partitioning == dxbc::TessPartitioning::Undefined)
    return missing("partitioning");
  if (!attributes.number("outputcontrolpoints", t.outputPoints) || t.outputPoints > kMaxControlPoints)
    return missing("outputcontrolpoints");
  if (const Attribute* a = attributes.find("maxtessfactor")) {
    ConstantValue v;
    if (a->args.empty() || !evaluateConstant(a->args[0], v) || !(v.asFloat() >= 1 && v.asFloat() <= 64))
      return missing("maxtessfactor");
    t.maxFactor = float(v.asFloat());
  }
  for (const VarDecl* p : entry.params)
    if (p->type->isPatch())
      t.inputPoints = p->type->count;
  if (!attributes.word("patchconstantfunc", word))
    return missing("patchconstantfunc");
  for (FunctionDecl* f : module.program->functions)
    if (f->name == word && f->body && f->global)
      t.patchFunction = f;
  if (!t.patchFunction)
    return missing("patchconstantfunc");
  if (!t.inputPoints)
    for (const VarDecl* p : t.patchFunction->params)
      if (p->type->isPatch() && p->type->object == ObjectKind::InputPatch)
        t.inputPoints = p->type->count;
  if (!t.inputPoints)
    t.inputPoints = t.outputPoints ? t.outputPoints : 1;
  if (t.inputPoints > kMaxControlPoints) {
    diagnostics.error(entry.loc, 3514, quoted + "at most 32 input control points are possible");
    return false;
  }
  return true;
}

bool domain(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  TessellationState& t = module.tessellation;
  const Attributes attributes(entry, diagnostics);
  if (!domainOf(attributes, t)) {
    diagnostics.error(entry.loc, 3657, "'" + entry.name + "': domain shaders must have the attribute 'domain'");
    return false;
  }
  for (const VarDecl* p : entry.params)
    if (p->type->isPatch()) {
      t.inputPoints = p->type->count;
      if (p->type->object != ObjectKind::OutputPatch || p->type->count > kMaxControlPoints) {
        diagnostics.error(p->loc, 3658, "'" + entry.name + "': InputPatch inputs can only be used in hull and geometry (5_0+) shaders");
        return false;
      }
    }
  return true;
}

/// [numthreads(x, y, z)]
bool compute(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  const Attribute* a = Attributes(entry, diagnostics).find("numthreads");
  const bool small = module.target.model < 50;
  if (!a) {
    diagnostics.error(entry.loc, 3656, "'" + entry.name + "': " + module.target.name + " entry points must have the numthreads attribute");
    return false;
  }
  if (a->args.size() != 3) {
    diagnostics.error(a->loc, 3084, "cannot match attribute numthreads, expected 3 parameters");
    return false;
  }
  uint64_t total = 1;
  const uint32_t limits[3] = {small ? 768u : 1024u, small ? 768u : 1024u, small ? 1u : 64u};
  static constexpr const char* names[3] = {"x", "y", "z"};
  for (size_t k = 0; k < 3; k++) {
    ConstantValue v;
    if (a->args[k]->type->isError())
      return false;
    if (!evaluateConstant(a->args[k], v)) {
      diagnostics.error(a->loc, 3084, "non-literal parameter(s) found for attribute numthreads");
      return false;
    }
    if (isFloatBase(v.base) || v.asInt() < 0) {
      diagnostics.error(a->loc, 3084, "cannot match attribute numthreads, non-uint parameters found");
      return false;
    }
    if (v.asInt() < 1 || v.asInt() > int64_t(limits[k])) {
      diagnostics.error(a->loc, 3655, std::string("the ") + names[k] + " dimension of the thread group must be between 1 and " + std::to_string(limits[k]));
      return false;
    }
    module.threads[k] = uint32_t(v.asInt());
    total *= module.threads[k];
  }
  if (total > limits[0]) {
    diagnostics.error(a->loc, 3655, "the product of the thread group dimensions must not exceed " + std::to_string(limits[0]));
    return false;
  }
  return true;
}

} // namespace

/// Patches belong to some stages only, and there may be one of a kind.
static bool checkPatches(const Module& module, const FunctionDecl& f, bool patchFunction, Diagnostics& diagnostics) {
  int inputs = 0, outputs = 0;
  for (const VarDecl* p : f.params) {
    if (!p->type->isPatch())
      continue;
    const bool in = p->type->object == ObjectKind::InputPatch;
    const Stage stage = module.target.stage;
    const bool allowed = in ? stage == Stage::Hull || (stage == Stage::Geometry && module.target.model >= 50) : stage == Stage::Domain || (stage == Stage::Hull && patchFunction);
    if (!allowed) {
      diagnostics.error(p->loc, 3658, in ? "InputPatch inputs can only be used in hull and geometry (5_0+) shaders" : "OutputPatch inputs can only be used in domain shaders and a hull shader's patch constant function");
      return false;
    }
    if ((in ? ++inputs : ++outputs) > 1) {
      diagnostics.error(p->loc, 3658, std::string("only one ") + (in ? "InputPatch" : "OutputPatch") + " parameter is allowed");
      return false;
    }
  }
  return true;
}

/// The patch constant function sees the control points that the control point function has.
static bool checkPatchFunction(const Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  const TessellationState& t = module.tessellation;
  const FunctionDecl& f = *t.patchFunction;
  if (!checkPatches(module, f, true, diagnostics))
    return false;
  const Type* points = nullptr;
  for (const VarDecl* p : entry.params)
    if (p->type->isPatch())
      points = p->type;
  for (const VarDecl* p : f.params) {
    if (!p->type->isPatch())
      continue;
    const bool in = p->type->object == ObjectKind::InputPatch;
    const Type* wanted = in ? (points ? points->element : nullptr) : entry.returnType->isVoid() ? nullptr : entry.returnType;
    if (wanted && !sameType(p->type->element, wanted)) {
      diagnostics.error(p->loc, 3659, in ? "patch constant function must use the same input control point type declared in the control point phase" : "patch constant function must use the same output control point type returned from the control point phase");
      return false;
    }
    const uint32_t count = in ? (points ? points->count : p->type->count) : t.outputPoints;
    if (p->type->count != count) {
      diagnostics.error(p->loc, 3659, std::string("patch constant function's ") + (in ? "input" : "output") + " patch input should have " + std::to_string(count) + " elements, but has " + std::to_string(p->type->count));
      return false;
    }
  }
  return true;
}

bool readStageAttributes(Module& module, const FunctionDecl& entry, Diagnostics& diagnostics) {
  if (!checkPatches(module, entry, false, diagnostics))
    return false;
  switch (module.target.stage) {
  case Stage::Geometry:
    return geometry(module, entry, diagnostics);
  case Stage::Hull:
    return hull(module, entry, diagnostics) && checkPatchFunction(module, entry, diagnostics);
  case Stage::Domain:
    return domain(module, entry, diagnostics);
  case Stage::Compute:
    return compute(module, entry, diagnostics);
  default:
    return true;
  }
}

} // namespace monolith::compiler
