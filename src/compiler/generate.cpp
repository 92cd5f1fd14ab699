// SPDX-License-Identifier: MIT
#include "compiler/generate.h"

#include "compiler/emit/container.h"
#include "compiler/lower/lowering.h"
#include "compiler/optimize/optimize.h"
#include "dxbc/debug_info.h"
#include "dxbc/signature.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

constexpr int kMaxAttempts = 16;

/// One phase of a hull shader, or a whole shader.
struct Piece {
  std::unique_ptr<Module> module;
  std::unique_ptr<Packer> packer;
  std::unique_ptr<Registers> registers;
  std::unique_ptr<Codegen> codegen;
  std::vector<dxbc::Instruction> code;
};

class Generator {
public:
  Generator(Program& program, const Target& target, const CompileRequest& request, Diagnostics& diagnostics)
      : m_program(program), m_target(target), m_request(request), m_diagnostics(diagnostics) {
    m_options.preferFlowControl = request.flags & kPreferFlowControl;
    m_options.avoidFlowControl = request.flags & kAvoidFlowControl;
    m_options.skipOptimization = request.flags & kSkipOptimization;
  }
  bool whole(FunctionDecl& entry, CompileResult& result);
  bool hull(FunctionDecl& entry, CompileResult& result);
  bool library(std::span<FunctionDecl* const> functions, dxbc::Library& library);

private:
  /// Which outputs of the patch constant function a fork phase makes.
  enum class Share : uint8_t { All, Edges, Insides, Others };
  static bool belongs(const IoElement& e, Share share);
  std::unique_ptr<Module> newModule(FunctionDecl& function, Part part, const TessellationState* tessellation);
  bool lower(Piece& piece, FunctionDecl& function, Part part, const TessellationState* tessellation, Share share, Diagnostics& diagnostics);
  bool checkGeometry(Module& module, const FunctionDecl& function, Diagnostics& diagnostics);
  bool assign(std::vector<Piece>& pieces);
  bool emit(Piece& piece);
  static bool passesThrough(Module& module);
  static bool sameForAll(Module& module);
  void phase(Piece& piece, dxbc::OpCode op, std::vector<dxbc::Instruction>& out);
  void hullDeclarations(const TessellationState& t, std::vector<dxbc::Instruction>& out) const;
  bool forks(std::vector<Piece>& pieces, const TessellationState& t);
  void keepBindings(const std::vector<Piece>& pieces, std::vector<dxbc::LibraryBinding>& out) const;
  void finishHull(std::vector<Piece>& pieces, Module& controlPoint, bool through);
  void keepPlaces(Piece& piece);
  std::vector<uint8_t> debugChunk(std::span<const dxbc::Instruction> instructions) const;

  Program& m_program;
  const Target& m_target;
  const CompileRequest& m_request;
  Diagnostics& m_diagnostics;
  LoweringOptions m_options;
  // What a part takes over from the part before it.
  std::vector<ResourceUse> m_resources;
  std::vector<uint32_t> m_icb;
  std::unordered_map<const VarDecl*, std::vector<uint32_t>> m_defaults;
  std::vector<IoElement> m_patchConstants;
  std::vector<Location> m_places; ///< what dxbc::Instruction::place counts, of all pieces
};

std::unique_ptr<Module> Generator::newModule(FunctionDecl& function, Part part, const TessellationState* tessellation) {
  auto module = std::make_unique<Module>();
  module->target = m_target;
  module->part = part;
  module->program = &m_program;
  module->entry = function.name;
  module->entryPlace = function.loc;
  module->compatibility = m_target.level9 || (m_request.flags & kEnableBackwardsCompatibility);
  module->precise = m_request.flags & kIeeeStrictness;
  module->skipOptimization = m_request.flags & kSkipOptimization;
  module->mayAlias = m_request.flags & kResourcesMayAlias;
  module->resources = m_resources;
  module->code.icb = m_icb;
  for (const Attribute& a : function.attributes)
    module->earlyDepthStencil = module->earlyDepthStencil || ((a.name == "earlydepthstencil" || a.name == "EarlyDepthStencil") && m_target.stage == Stage::Pixel);
  if (tessellation)
    module->tessellation = *tessellation;
  return module;
}

bool Generator::belongs(const IoElement& e, Share share) {
  using V = dxbc::SignatureSystemValue;
  if (share == Share::All)
    return true;
  const bool inside = e.systemValue == V::QuadInsideTessFactor || e.systemValue == V::TriInsideTessFactor;
  const bool factor = e.tokenValue != dxbc::SystemValue::None;
  return share == Share::Insides ? inside : share == Share::Edges ? factor && !inside : !factor;
}

bool Generator::lower(Piece& piece, FunctionDecl& function, Part part, const TessellationState* tessellation, Share share, Diagnostics& diagnostics) {
  const bool legacy = m_target.level9 || (m_request.flags & kEnableBackwardsCompatibility);
  std::set<const VarDecl*> memoryVars;
  for (int attempt = 0; attempt < kMaxAttempts; attempt++) {
    piece.module = newModule(function, part, tessellation);
    Module& module = *piece.module;
    if (part != Part::PatchConstants && !readStageAttributes(module, function, diagnostics))
      return false;
    if (!layoutSignatures(module, function, diagnostics, legacy))
      return false;
    if (part == Part::PatchConstants) {
      m_patchConstants = module.outputs;
      std::erase_if(module.outputs, [&](const IoElement& e) { return !belongs(e, share); });
    }
    Lowering lowering(module, diagnostics, m_options, memoryVars);
    const bool ok = lowering.run(function);
    if (!ok && lowering.needsRestart() && !diagnostics.hasErrors()) {
      memoryVars = lowering.memoryVars();
      continue;
    }
    if (!ok)
      return false;
    optimize(module, lowering.builder(), m_options, diagnostics);
    if (diagnostics.hasErrors())
      return false;
    if (m_target.level9 && !checkLevel9(module, diagnostics))
      return false;
    if (m_target.stage == Stage::Geometry && !checkGeometry(module, function, diagnostics))
      return false;
    if (!checkGroupMemory(module, diagnostics) || !checkThreads(module, diagnostics))
      return false;
    if (!m_options.skipOptimization)
      mergeMemory(module);
    m_resources = module.resources;
    m_icb = module.code.icb;
    m_defaults.insert(module.defaults.begin(), module.defaults.end());
    return true;
  }
  return false;
}

/// Something must be emitted, and no more than the stage can hold.
bool Generator::checkGeometry(Module& module, const FunctionDecl& function, Diagnostics& diagnostics) {
  constexpr uint32_t kMaxOutputs = 1024;
  bool emits = false;
  forEachInst(module.code, *module.code.root, [&](ValueId id) { emits = emits || module.code.insts[id].op == Op::EmitVertex; });
  if (!emits) {
    diagnostics.error(function.loc, 4572, "geometry shader didn't emit anything");
    return false;
  }
  uint32_t components[4] = {0, 0, 0, 0};
  for (const IoElement& e : module.outputs)
    components[e.stream & 3] += e.count;
  const uint32_t most = *std::max_element(components, components + 4), used = most * module.geometry.maxVertices;
  if (used > kMaxOutputs) {
    diagnostics.error(function.loc, 4571, m_target.name + " output limit (1024) exceeded, shader uses " + std::to_string(used) + " outputs.");
    return false;
  }
  return true;
}

bool Generator::assign(std::vector<Piece>& pieces) {
  std::vector<CodePart> parts;
  const bool least = std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.module->minPrecision; });
  for (Piece& p : pieces) {
    p.module->minPrecision = least;
    p.packer = std::make_unique<Packer>(*p.module);
    p.packer->run();
    parts.push_back({p.module.get(), p.packer.get()});
  }
  return assignSlots(parts, m_request, m_diagnostics);
}

bool Generator::emit(Piece& piece) {
  piece.registers = std::make_unique<Registers>(*piece.module, *piece.packer);
  piece.registers->run();
  piece.codegen = std::make_unique<Codegen>(*piece.module, *piece.packer, *piece.registers);
  piece.code = piece.codegen->body();
  keepPlaces(piece);
  const Module& module = *piece.module;
  uint64_t temps = piece.registers->count();
  for (const IndexableTempInfo& t : module.code.indexableTemps)
    temps += t.registers;
  const uint64_t threads = uint64_t(module.threads[0]) * module.threads[1] * module.threads[2];
  if (module.target.stage == Stage::Compute && temps * threads > 16384)
    m_diagnostics.warning(Location{}, 4714, "sum of temp registers and indexable temp registers times " + std::to_string(threads) + " threads exceeds the recommended total 16384.  Performance may be reduced");
  if (piece.codegen->error.empty())
    return true;
  m_diagnostics.errorNoPlace(4505, piece.codegen->error);
  return false;
}

// ---- debug information ----

/// Numbers the places of a piece's instructions across all pieces.
void Generator::keepPlaces(Piece& piece) {
  const std::vector<Location>& places = piece.codegen->places;
  const uint32_t base = uint32_t(m_places.size());
  m_places.insert(m_places.end(), places.begin(), places.end());
  for (dxbc::Instruction& i : piece.code)
    i.place = i.place < places.size() ? base + i.place : ~0u;
}

std::vector<uint8_t> Generator::debugChunk(std::span<const dxbc::Instruction> instructions) const {
  if (!(m_request.flags & kDebugInfo))
    return {};
  dxbc::DebugInfo info;
  info.compiler = kCompilerName;
  info.entry = m_request.entry;
  info.profile = m_target.name;
  info.flags = m_request.flags;
  std::vector<uint32_t> files; // Location::file of each
  auto fileOf = [&](uint32_t file) {
    const auto it = std::find(files.begin(), files.end(), file);
    if (it != files.end())
      return uint32_t(it - files.begin());
    files.push_back(file);
    info.files.push_back({m_diagnostics.fileName(file), std::string(m_diagnostics.fileText(file))});
    return uint32_t(files.size() - 1);
  };
  fileOf(0);
  info.files[0].source = std::string(m_request.source);
  for (const dxbc::Instruction& i : instructions) {
    if (!i.isNumbered())
      continue;
    dxbc::DebugLine line;
    if (i.place < m_places.size())
      line = {fileOf(m_places[i.place].file), m_places[i.place].line, m_places[i.place].col};
    info.lines.push_back(line);
  }
  return dxbc::writeDebugInfo(info, instructions);
}

bool Generator::whole(FunctionDecl& entry, CompileResult& result) {
  std::vector<Piece> pieces(1);
  Piece& piece = pieces[0];
  if (!lower(piece, entry, Part::Whole, nullptr, Share::All, m_diagnostics) || !assign(pieces) || !emit(piece))
    return false;
  std::vector<dxbc::Instruction> all;
  piece.codegen->globalDeclarations(all);
  piece.codegen->phaseDeclarations(all);
  all.insert(all.end(), piece.code.begin(), piece.code.end());
  std::vector<uint8_t> debug = debugChunk(all);
  result.container = writeContainer(*piece.module, *piece.codegen, std::move(all), m_request, std::move(debug));
  return !result.container.empty();
}

// ---- hull shaders ----

/// A control point phase that copies its input point to the output may be left out.
bool Generator::passesThrough(Module& module) {
  const Function& f = module.code;
  std::vector<const IoElement*> in;
  for (const IoElement& e : module.inputs)
    if (e.vertices)
      in.push_back(&e);
  if (in.size() != module.outputs.size() || module.tessellation.inputPoints != module.tessellation.outputPoints)
    return false;
  for (const IoElement& o : module.outputs)
    if (std::none_of(in.begin(), in.end(), [&](const IoElement* i) {
          return dxbc::semanticEquals(i->semantic, o.semantic) && i->index == o.index && i->reg == o.reg && i->firstComponent == o.firstComponent && i->count == o.count && i->base == o.base;
        }))
      return false;
  size_t stores = 0, components = 0;
  for (const IoElement& o : module.outputs)
    components += o.count;
  for (ValueId id : f.root->insts) {
    const Inst& s = f.insts[id];
    if (hasTrait(s.op, kFoldable))
      continue;
    if (s.op != Op::Store)
      return false;
    const Src v = f.sources(id)[0];
    const Inst& from = f.insts[v.id];
    if (v.neg || v.abs || from.op != Op::VertexInput || from.count != 1 || from.aux[1] != 0 || from.aux[2] != s.aux[1] || (from.aux[0] & 0xffff) != (s.aux[0] & 0xffff))
      return false;
    const Inst& index = f.insts[f.sources(v.id)[0].id];
    if (index.op != Op::Input || dxbc::RegisterType(index.aux[0] >> 16) != dxbc::RegisterType::OutputControlPointId)
      return false;
    stores++;
  }
  return stores == components;
}

/// True if a fork phase gives the same value to all its outputs and does nothing else: then it can run once for each.
bool Generator::sameForAll(Module& module) {
  const Function& f = module.code;
  if (module.outputs.size() < 2)
    return false;
  for (size_t i = 0; i < module.outputs.size(); i++)
    if (module.outputs[i].reg != module.outputs[0].reg + i || module.outputs[i].firstComponent || module.outputs[i].count != 1)
      return false;
  const Src* value = nullptr;
  size_t stores = 0;
  for (ValueId id : f.root->insts) {
    if (f.insts[id].op != Op::Store)
      continue;
    const Src& v = f.pool[f.insts[id].first];
    if (value && !(v == *value))
      return false;
    value = &v;
    stores++;
  }
  return stores == module.outputs.size();
}

void Generator::hullDeclarations(const TessellationState& t, std::vector<dxbc::Instruction>& out) const {
  using dxbc::OpCode;
  auto add = [&](OpCode op, auto&& set) {
    dxbc::Instruction in;
    in.op = op;
    set(in.decl);
    out.push_back(std::move(in));
  };
  add(OpCode::HsDecls, [](dxbc::Declaration&) {});
  add(OpCode::DclInputControlPointCount, [&](dxbc::Declaration& d) { d.count = t.inputPoints; });
  add(OpCode::DclOutputControlPointCount, [&](dxbc::Declaration& d) { d.count = t.outputPoints; });
  add(OpCode::DclTessDomain, [&](dxbc::Declaration& d) { d.tessDomain = t.domain; });
  add(OpCode::DclTessPartitioning, [&](dxbc::Declaration& d) { d.tessPartitioning = t.partitioning; });
  add(OpCode::DclTessOutputPrimitive, [&](dxbc::Declaration& d) { d.tessOutput = t.output; });
  if (t.maxFactor > 0)
    add(OpCode::DclHsMaxTessFactor, [&](dxbc::Declaration& d) { d.maxTessFactor = t.maxFactor; });
}

void Generator::phase(Piece& piece, dxbc::OpCode op, std::vector<dxbc::Instruction>& out) {
  using dxbc::OpCode;
  using dxbc::RegisterType;
  dxbc::Instruction in;
  in.op = op;
  out.push_back(in);
  Module& module = *piece.module;
  const bool instances = op == OpCode::HsForkPhase && sameForAll(module);
  if (!instances) {
    piece.codegen->phaseDeclarations(out);
    out.insert(out.end(), piece.code.begin(), piece.code.end());
    return;
  }
  // One instance per output: the stores become one, indexed by the instance.
  const uint32_t count = uint32_t(module.outputs.size()), first = module.outputs[0].reg, temp = piece.registers->scratch();
  in = {};
  in.op = OpCode::DclHsForkPhaseInstanceCount;
  in.decl.count = count;
  out.push_back(in);
  in = {};
  in.op = OpCode::DclInput;
  dxbc::Operand id;
  id.type = RegisterType::ForkInstanceId;
  id.componentCount = 1;
  in.operands = {id};
  out.push_back(in);
  piece.codegen->phaseDeclarations(out);
  in = {};
  in.op = OpCode::DclIndexRange;
  in.operands = {dxbc::dstOperand(RegisterType::Output, first, 1)};
  in.decl.count = count;
  out.push_back(in);
  bool moved = false;
  for (dxbc::Instruction& i : piece.code) {
    const bool store = !i.operands.empty() && i.operands[0].type == RegisterType::Output;
    if (!store) {
      out.push_back(std::move(i));
      continue;
    }
    if (moved)
      continue;
    moved = true;
    in = {};
    in.op = OpCode::Mov;
    in.operands = {dxbc::dstOperand(RegisterType::Temp, temp, 1), id};
    out.push_back(in);
    dxbc::addRelative(i, i.operands[0], 0, dxbc::scalarOperand(RegisterType::Temp, temp, 0));
    i.operands[0].index[0].offset = first;
    out.push_back(std::move(i));
  }
}

/// The patch constant function, once for the edge factors, once for the inside factors, once for the rest.
bool Generator::forks(std::vector<Piece>& pieces, const TessellationState& t) {
  FunctionDecl& function = *t.patchFunction;
  bool first = true;
  std::vector<IoElement> all;
  for (Share share : {Share::Edges, Share::Insides, Share::Others}) {
    Piece piece;
    Diagnostics again = m_diagnostics; // what there is to say was said the first time
    if (!lower(piece, function, Part::PatchConstants, &t, share, first ? m_diagnostics : again))
      return false;
    if (first)
      all = m_patchConstants;
    first = false;
    if (!piece.module->outputs.empty())
      pieces.push_back(std::move(piece));
  }
  m_patchConstants = all;
  return true;
}

/// The last part stands for the shader in reflection and signatures.
void Generator::finishHull(std::vector<Piece>& pieces, Module& controlPoint, bool through) {
  Piece& last = pieces.back();
  for (Piece& p : pieces) {
    if (&p != &last)
      last.codegen->mergeUses(*p.codegen);
    for (const IoElement& e : p.module->inputs)
      for (IoElement& i : controlPoint.inputs)
        if (e.registerType == dxbc::RegisterType::InputControlPoint && i.vertices && e.reg == i.reg && e.firstComponent == i.firstComponent)
          i.usedMask |= e.usedMask;
  }
  if (through)
    for (IoElement& i : controlPoint.inputs)
      if (i.vertices)
        i.usedMask = uint8_t(((1u << i.count) - 1) << i.firstComponent);
}

bool Generator::hull(FunctionDecl& entry, CompileResult& result) {
  std::vector<Piece> pieces(1);
  if (!lower(pieces[0], entry, Part::ControlPoint, nullptr, Share::All, m_diagnostics))
    return false;
  const TessellationState t = pieces[0].module->tessellation;
  const bool through = passesThrough(*pieces[0].module);
  if (!forks(pieces, t) || !assign(pieces))
    return false;
  for (Piece& p : pieces)
    if (!emit(p))
      return false;
  std::vector<dxbc::Instruction> phases;
  for (Piece& p : pieces)
    if (&p != &pieces[0] || !through)
      phase(p, &p == &pieces[0] ? dxbc::OpCode::HsControlPointPhase : dxbc::OpCode::HsForkPhase, phases);
  Module controlPoint;
  controlPoint.inputs = pieces[0].module->inputs;
  controlPoint.outputs = pieces[0].module->outputs;
  finishHull(pieces, controlPoint, through);
  Piece& last = pieces.back();
  last.module->defaults = m_defaults;
  last.module->code.icb = m_icb;
  std::vector<dxbc::Instruction> all;
  hullDeclarations(t, all);
  last.codegen->globalDeclarations(all);
  all.insert(all.end(), phases.begin(), phases.end());
  last.module->inputs = controlPoint.inputs;
  last.module->outputs = controlPoint.outputs;
  last.module->patchConstants = m_patchConstants;
  std::vector<uint8_t> debug = debugChunk(all);
  result.container = writeContainer(*last.module, *last.codegen, std::move(all), m_request, std::move(debug));
  return !result.container.empty();
}

// ---- libraries ----

namespace {

dxbc::LibraryParameter describe(const std::string& name, const std::string& semantic, const Type* type, uint32_t modifiers, const VarDecl* param, const Module& module) {
  dxbc::LibraryParameter p;
  p.name = name;
  p.semantic = semantic;
  if (type->isVoid())
    return p;
  p.type = variableType(type->base);
  p.typeClass = variableClass(type);
  p.rows = type->rows;
  p.columns = type->cols;
  p.flags = (modifiers & kModIn ? 1u : 0u) | (modifiers & kModOut ? 2u : 0u);
  const bool flat = modifiers & kModNoPerspective;
  using M = dxbc::InterpolationMode;
  const M mode = modifiers & kModNoInterpolation ? M::Constant
                 : modifiers & kModSample        ? (flat ? M::LinearNoPerspectiveSample : M::LinearSample)
                 : modifiers & kModCentroid      ? (flat ? M::LinearNoPerspectiveCentroid : M::LinearCentroid)
                 : flat                          ? M::LinearNoPerspective
                 : modifiers & kModLinear        ? M::Linear
                                                 : M::Undefined;
  p.interpolation = uint32_t(mode);
  auto first = [param](const std::vector<IoElement>& list, uint32_t& reg, uint32_t& component) {
    const auto e = std::find_if(list.begin(), list.end(), [param](const IoElement& i) { return i.param == param; });
    if (e == list.end())
      return;
    reg = e->reg;
    component = e->firstComponent;
  };
  if (param)
    first(module.inputs, p.firstIn, p.firstInComponent);
  first(module.outputs, p.firstOut, p.firstOutComponent);
  return p;
}

} // namespace

/// Where the globals went, so that a linked shader starts from the same slots.
void Generator::keepBindings(const std::vector<Piece>& pieces, std::vector<dxbc::LibraryBinding>& out) const {
  for (uint32_t i = 0; i < m_program.buffers.size(); i++)
    if (std::any_of(pieces.begin(), pieces.end(), [i](const Piece& p) { return i < p.codegen->buffers.size() && p.codegen->buffers[i].used; }))
      out.push_back({'b', i, m_program.buffers[i]->slot, 1});
  const std::vector<ResourceUse>& resources = pieces.back().module->resources;
  for (size_t i = 0; i < resources.size(); i++) {
    const ResourceUse& r = resources[i];
    if (!r.var || r.shared || std::none_of(pieces.begin(), pieces.end(), [i](const Piece& p) { return i < p.codegen->resourceUsed.size() && p.codegen->resourceUsed[i]; }))
      continue;
    const auto at = std::find(m_program.globals.begin(), m_program.globals.end(), r.var);
    const dxbc::LibraryBinding b{r.sampler ? 's' : resourceOrder(r) == 2 ? 'u' : 't', uint32_t(at - m_program.globals.begin()), r.slot - r.element, elementCount(r.var)};
    if (at != m_program.globals.end() && std::find(out.begin(), out.end(), b) == out.end())
      out.push_back(b);
  }
}

bool Generator::library(std::span<FunctionDecl* const> functions, dxbc::Library& library) {
  std::vector<Piece> pieces(functions.size());
  for (size_t i = 0; i < functions.size(); i++) {
    m_icb.clear();
    if (!lower(pieces[i], *functions[i], Part::Whole, nullptr, Share::All, m_diagnostics))
      return false;
  }
  if (pieces.empty())
    return true;
  if (!assign(pieces))
    return false;
  for (size_t i = 0; i < functions.size(); i++) {
    Piece& piece = pieces[i];
    const FunctionDecl& f = *functions[i];
    if (!emit(piece))
      return false;
    std::vector<dxbc::Instruction> all;
    piece.codegen->globalDeclarations(all);
    piece.codegen->phaseDeclarations(all);
    all.insert(all.end(), piece.code.begin(), piece.code.end());
    std::vector<dxbc::LibraryParameter> parameters{describe(f.name, f.semantic, f.returnType, f.modifiers | kModOut, nullptr, *piece.module)};
    for (const VarDecl* p : f.params)
      parameters.push_back(describe(std::string(p->name), p->semantic, p->type, p->modifiers, p, *piece.module));
    dxbc::LibraryFunction out{f.name, m_target.level9Use, writeFunctionContainer(*piece.module, *piece.codegen, std::move(all), m_request, parameters)};
    if (out.container.empty())
      return false;
    library.functions.push_back(std::move(out));
  }
  keepBindings(pieces, library.source.bindings);
  return true;
}

} // namespace

bool generateLibrary(Program& program, std::span<FunctionDecl* const> functions, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, dxbc::Library& library) {
  return Generator(program, target, request, diagnostics).library(functions, library);
}

bool generate(Program& program, FunctionDecl& entry, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, CompileResult& result) {
  Generator generator(program, target, request, diagnostics);
  return target.stage == Stage::Hull ? generator.hull(entry, result) : generator.whole(entry, result);
}

} // namespace monolith::compiler
