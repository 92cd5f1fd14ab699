// SPDX-License-Identifier: MIT
#include "compiler/library/link.h"

#include "compiler/emit/container.h"
#include "compiler/generate.h"
#include "compiler/library/graph_entry.h"
#include "compiler/preprocess/preprocessor.h"
#include "compiler/syntax/parser.h"
#include "compiler/target.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

/// Numbers of the linker's own messages; those of Microsoft's are not public.
constexpr int kLinkError = 9001;

/// A library while its source is read.
struct Unit {
  const LinkedLibrary* linked = nullptr;
  CompileRequest request;
  PreprocessorOutput tokens;
  std::unique_ptr<Preprocessor> preprocessor;
  std::unique_ptr<Parser> parser;
  size_t firstFunction = 0, endFunction = 0, firstGlobal = 0, endGlobal = 0, firstBuffer = 0, endBuffer = 0;
};

class Linker {
public:
  Linker(const LinkRequest& request, CompileResult& result) : m_request(request), m_result(result) {}
  bool run();
  std::string messages() const { return m_diagnostics.text(); }
  bool hasErrors() const { return m_diagnostics.hasErrors(); }

private:
  bool fail(const std::string& text) {
    m_diagnostics.errorNoPlace(kLinkError, text);
    return false;
  }
  bool checkTarget();
  bool checkProfile(const LinkedLibrary& linked);
  bool parse(const LinkedLibrary& linked);
  const Rebinding* rebindingOf(const LinkedLibrary& linked, const dxbc::LibraryBinding& b) const;
  bool place(const Unit& unit);
  bool placeBuffer(ConstantBuffer* buffer, uint32_t slot, uint32_t offset);
  bool placeResource(VarDecl* var, char kind, uint32_t slot);
  FunctionDecl* find(const Unit& unit, const std::string& name) const;
  FunctionDecl* functionOf(const GraphNode& node);
  bool agrees(const FunctionDecl& f, const GraphNode& node) const;
  FunctionDecl* entry();
  bool wrap(const Unit& unit, Graph& graph);

  const LinkRequest& m_request;
  CompileResult& m_result;
  Diagnostics m_diagnostics;
  TokenPool m_pool;
  Program m_program;
  Target m_target;
  std::vector<std::unique_ptr<Unit>> m_units;
  std::map<uint32_t, ConstantBuffer*> m_buffers; ///< by slot
  std::map<std::pair<char, uint32_t>, const VarDecl*> m_resources;
  Graph m_wrapper;
};

bool Linker::checkTarget() {
  if (!parseTarget(m_request.target, m_target) || m_target.library) {
    m_diagnostics.errorNoPlace(3506, "unrecognized compiler target '" + m_request.target + "'");
    return false;
  }
  if (m_target.stage != Stage::Vertex && m_target.stage != Stage::Pixel) {
    m_diagnostics.errorNoPlace(3712, "library functions are supported only for pixel and vertex shaders");
    return false;
  }
  return true;
}

/// A shader can use libraries that were made for the same or a lower target.
bool Linker::checkProfile(const LinkedLibrary& linked) {
  if (!linked.library->hasSource)
    return fail("the library was made by another compiler; it cannot be linked");
  Target made;
  const std::string& profile = linked.library->source.profile;
  if (!parseTarget(profile, made) || !made.library)
    return fail("the library's target '" + profile + "' is unknown");
  const uint32_t use = m_target.stage == Stage::Vertex ? dxbc::kLevel9Vertex : dxbc::kLevel9Pixel;
  const bool lower9 = made.level9 && made.name.find("_9_3") != std::string::npos && m_target.name.find("_9_3") == std::string::npos;
  if (made.model > m_target.model || (m_target.level9 && (!(made.level9Use & use) || lower9)))
    return fail("a library for '" + profile + "' cannot be linked into a shader for '" + m_target.name + "'");
  return true;
}

bool Linker::parse(const LinkedLibrary& linked) {
  if (!checkProfile(linked))
    return false;
  m_units.push_back(std::make_unique<Unit>());
  Unit& unit = *m_units.back();
  const dxbc::LibrarySource& source = linked.library->source;
  unit.linked = &linked;
  unit.request.source = source.text;
  unit.request.sourceName = source.name;
  unit.firstFunction = m_program.functions.size();
  unit.firstGlobal = m_program.globals.size();
  unit.firstBuffer = m_program.buffers.size();
  unit.preprocessor = std::make_unique<Preprocessor>(unit.request, m_pool, m_diagnostics);
  if (!unit.preprocessor->run(unit.tokens))
    return false;
  ParserOptions options;
  options.rowMajor = source.flags & kPackMatrixRowMajor;
  options.compatibility = source.flags & kEnableBackwardsCompatibility;
  options.strict = source.flags & kEnableStrictness;
  options.model = m_target.model;
  for (const dxbc::LibraryBinding& b : source.bindings)
    if (const Rebinding* r = rebindingOf(linked, b); r && b.kind == 't' && r->to == 'u')
      options.unordered.insert(b.index);
  unit.parser = std::make_unique<Parser>(unit.tokens, m_diagnostics, m_program, options);
  unit.parser->run();
  unit.endFunction = m_program.functions.size();
  unit.endGlobal = m_program.globals.size();
  unit.endBuffer = m_program.buffers.size();
  return !m_diagnostics.hasErrors();
}

const Rebinding* Linker::rebindingOf(const LinkedLibrary& linked, const dxbc::LibraryBinding& b) const {
  for (size_t i = linked.rebindings.size(); i-- > 0;) {
    const Rebinding& r = linked.rebindings[i];
    const uint64_t end = uint64_t(r.source) + r.count, ownEnd = uint64_t(b.slot) + b.count;
    if (r.from == b.kind && b.slot < end && r.source < ownEnd) // arrays move as a whole
      return &r;
  }
  return nullptr;
}

/// Gives everything that the library's functions use its slot.
bool Linker::place(const Unit& unit) {
  for (const dxbc::LibraryBinding& b : unit.linked->library->source.bindings) {
    const Rebinding* r = rebindingOf(*unit.linked, b);
    const int64_t slot = r ? int64_t(r->target) + b.slot - r->source : int64_t(b.slot);
    const char kind = r ? r->to : b.kind;
    const bool buffer = b.kind == 'b';
    const size_t index = (buffer ? unit.firstBuffer : unit.firstGlobal) + size_t(b.index);
    if (slot < 0 || slot > 127 || index >= (buffer ? unit.endBuffer : unit.endGlobal))
      return fail("the bindings of a library are damaged or go beyond the last slot");
    // Unordered access without a place of its own goes behind the render targets, which only the shader knows.
    if (!r && kind == 'u' && m_target.stage == Stage::Pixel && !m_program.globals[index]->binding.explicitIndex)
      continue;
    if (!(buffer ? placeBuffer(m_program.buffers[index], uint32_t(slot), r ? r->offset : 0) : placeResource(m_program.globals[index], kind, uint32_t(slot))))
      return false;
  }
  return true;
}

/// A buffer that shares its slot with another, or does not begin it, becomes a part of the one buffer there.
bool Linker::placeBuffer(ConstantBuffer* buffer, uint32_t slot, uint32_t offset) {
  if (buffer->textureBuffer || uint64_t(offset) + buffer->size > 65536)
    return fail("constant buffer '" + buffer->name + "' does not fit where it is bound");
  ConstantBuffer*& host = m_buffers[slot];
  const bool first = !host;
  if (first)
    host = buffer;
  host->binding = {'b', slot, 0, true};
  if (first && !offset)
    return true;
  host->overlapping = true;
  for (VarDecl* v : buffer->vars) {
    v->hasPackOffset = true;
    v->packOffset = (v->offset + offset) / 4;
    v->buffer = host;
  }
  if (first)
    return true;
  // What both libraries have, from a common header, is one variable to those who reflect the shader.
  for (VarDecl* v : buffer->vars) {
    const auto same = std::find_if(host->vars.begin(), host->vars.end(), [&](const VarDecl* o) {
      return o->name == v->name && o->type == v->type && (o->hasPackOffset ? o->packOffset * 4 : o->offset) == v->packOffset * 4;
    });
    v->offset = v->packOffset * 4;
    v->size = bufferSize(v->type);
    if (same == host->vars.end())
      host->vars.push_back(v);
  }
  buffer->vars.clear();
  return true;
}

bool Linker::placeResource(VarDecl* var, char kind, uint32_t slot) {
  const Type* t = var->type;
  while (t->isArray())
    t = t->element;
  const bool fits = t->isObject() && (kind == 's' ? t->isSampler() : kind == 'u' ? t->isUav() : !t->isUav());
  if (!fits)
    return fail("'" + std::string(var->name) + "' cannot be bound to " + kind + std::to_string(slot));
  m_program.slots[{var, kind}] = slot;
  const VarDecl*& there = m_resources[{kind, slot}];
  if (!there) {
    there = var;
    return true;
  }
  if (there->type != var->type)
    return fail("'" + std::string(there->name) + "' and '" + std::string(var->name) + "' are bound to " + kind + std::to_string(slot) + ", but have different types");
  if (there != var && !t->samplerDim)
    var->sameAs = there;
  return true;
}

FunctionDecl* Linker::find(const Unit& unit, const std::string& name) const {
  const auto& exported = unit.linked->library->functions;
  if (std::none_of(exported.begin(), exported.end(), [&](const dxbc::LibraryFunction& f) { return f.name == name; }))
    return nullptr;
  for (size_t i = unit.firstFunction; i < unit.endFunction; i++) {
    FunctionDecl* f = m_program.functions[i];
    if (f->name == name && f->body && f->global)
      return f;
  }
  return nullptr;
}

/// Whether the function is the one that the graph was made for.
bool Linker::agrees(const FunctionDecl& f, const GraphNode& node) const {
  auto same = [](const Type* t, const dxbc::LibraryParameter& p) {
    if (t->isVoid())
      return p.type == 0;
    return t->isNumeric() && variableType(t->base) == p.type && t->rows == p.rows && t->cols == p.columns;
  };
  if (f.params.size() + 1 != node.parameters.size() || !same(f.returnType, node.parameters[0]))
    return false;
  for (size_t i = 0; i < f.params.size(); i++) {
    const uint32_t flags = (f.params[i]->modifiers & kModIn ? 1u : 0u) | (f.params[i]->modifiers & kModOut ? 2u : 0u);
    if (!same(f.params[i]->type, node.parameters[i + 1]) || flags != node.parameters[i + 1].flags)
      return false;
  }
  return true;
}

FunctionDecl* Linker::functionOf(const GraphNode& node) {
  FunctionDecl* found = nullptr;
  const std::string name = (node.space.empty() ? "" : node.space + "::") + node.function;
  for (const auto& unit : m_units) {
    FunctionDecl* f = unit->linked->space == node.space ? find(*unit, node.function) : nullptr;
    if (f && found) {
      fail("'" + name + "' is in several libraries of one namespace");
      return nullptr;
    }
    found = f ? f : found;
  }
  if (!found) {
    fail("'" + name + "' is in none of the libraries");
    return nullptr;
  }
  if (!agrees(*found, node)) {
    fail("'" + name + "' has other parameters than the function that the graph calls");
    return nullptr;
  }
  for (VarDecl* p : found->params)
    p->modifiers &= ~uint32_t(kModUniform);
  return found;
}

/// A graph that only calls the entry function: for what is done to graphs only.
bool Linker::wrap(const Unit& unit, Graph& graph) {
  for (const dxbc::LibraryFunction& f : unit.linked->library->functions) {
    if (f.name != m_request.entry)
      continue;
    dxbc::Result<dxbc::Container> container = dxbc::parseContainer(f.container, false);
    const dxbc::Chunk* chunk = container ? container->find(dxbc::kTagLfs0) : nullptr;
    dxbc::Result<std::vector<dxbc::LibraryParameter>> list = dxbc::parseParameters(chunk ? chunk->data : std::span<const uint8_t>());
    if (!list)
      return fail(list.error());
    std::vector<dxbc::LibraryParameter> in, out;
    std::vector<std::pair<int, int>> passIn, passOut;
    for (int i = 0; i < int(list->size()); i++) {
      const dxbc::LibraryParameter& p = (*list)[size_t(i)];
      if (i && (p.flags & 1)) {
        passIn.push_back({int(in.size()), i - 1});
        in.push_back(p);
      }
      if (p.type && (p.flags & 2)) {
        passOut.push_back({i - 1, int(out.size())});
        out.push_back(p);
      }
    }
    uint32_t inputs = 0, call = 0, outputs = 0;
    std::string error = graph.setSignature(true, std::move(in), inputs);
    if (error.empty())
      error = graph.call(unit.linked->space, f.name, *list, call);
    if (error.empty())
      error = graph.setSignature(false, std::move(out), outputs);
    for (const auto& [from, to] : passIn)
      if (error.empty())
        error = graph.pass({inputs, call, 0, 0, {}, {}}, from, to);
    for (const auto& [from, to] : passOut)
      if (error.empty())
        error = graph.pass({call, outputs, 0, 0, {}, {}}, from, to);
    return error.empty() || fail("'" + f.name + "': " + error);
  }
  m_diagnostics.errorNoPlace(3501, "'" + m_request.entry + "': entrypoint not found");
  return false;
}

FunctionDecl* Linker::entry() {
  const Graph* graph = m_request.graph;
  if (!graph && !m_request.clipPlanes.empty()) {
    if (!wrap(*m_units[0], m_wrapper))
      return nullptr;
    graph = &m_wrapper;
  }
  if (!graph) {
    FunctionDecl* f = find(*m_units[0], m_request.entry);
    if (!f)
      m_diagnostics.errorNoPlace(3501, "'" + m_request.entry + "': entrypoint not found");
    return f;
  }
  std::vector<FunctionDecl*> functions;
  for (const GraphNode& node : graph->nodes()) {
    FunctionDecl* f = node.kind == GraphNode::Kind::Call ? functionOf(node) : nullptr;
    if (m_diagnostics.hasErrors())
      return nullptr;
    functions.push_back(f);
  }
  FunctionDecl* f = graphEntry(m_program, *graph, functions);
  if (m_request.clipPlanes.empty())
    return f;
  if (m_target.stage != Stage::Vertex) {
    fail("clip planes are for vertex shaders");
    return nullptr;
  }
  const std::string error = addClipPlanes(m_program, *f, m_request.clipPlanes);
  if (!error.empty())
    fail(error);
  return f;
}

bool Linker::run() {
  if (!checkTarget())
    return false;
  for (const LinkedLibrary& linked : m_request.libraries)
    if (!parse(linked))
      return false;
  layoutConstantBuffers(m_program, m_diagnostics);
  if (m_diagnostics.hasErrors())
    return false;
  for (const auto& unit : m_units)
    if (!place(*unit))
      return false;
  FunctionDecl* f = entry();
  layoutConstantBuffers(m_program, m_diagnostics);
  if (!f || m_diagnostics.hasErrors())
    return false;
  CompileRequest request;
  request.target = m_request.target;
  request.entry = f->name;
  for (const auto& unit : m_units)
    request.flags |= unit->linked->library->source.flags & (kIeeeStrictness | kSkipOptimization);
  return generate(m_program, *f, m_target, request, m_diagnostics, m_result);
}

} // namespace

CompileResult link(const LinkRequest& request) {
  CompileResult result;
  Linker linker(request, result);
  result.ok = linker.run() && !linker.hasErrors();
  result.messages = linker.messages();
  if (!result.ok) {
    result.container.clear();
    if (!linker.hasErrors())
      result.messages += "error X4505: internal error: code generation failed\n";
  }
  return result;
}

} // namespace monolith::compiler
