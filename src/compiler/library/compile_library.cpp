// SPDX-License-Identifier: MIT
#include "compiler/library/compile_library.h"

#include "dxbc/signature.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

/// Says what is wrong, unless only the answer is wanted.
class Check {
public:
  Check(const FunctionDecl& function, Diagnostics* diagnostics) : m_function(function), m_diagnostics(diagnostics) {}
  bool ok() const { return m_ok; }
  void fail(const Location& at, int number, const std::string& text) {
    m_ok = false;
    if (m_diagnostics)
      m_diagnostics->error(at, number, "'" + m_function.name + "': " + text);
  }
  void type(const Type* t, const Location& at, const std::string& what) {
    if (t->isError())
      m_ok = false;
    else if (t->isStruct() && (t->structure->isInterface || t->structure->isClass))
      fail(at, 3716, "classes and interfaces are not supported in libraries");
    else if (!t->isNumeric())
      fail(at, 3710, what + " of type '" + typeName(t) + "' is not supported by library functions");
    else if (t->base == Base::Double)
      fail(at, 3717, what + ": double types cannot be used as inputs or outputs of library functions, pass two uints and use asuint and asdouble");
  }

private:
  const FunctionDecl& m_function;
  Diagnostics* m_diagnostics;
  bool m_ok = true;
};

void semanticsDiffer(const FunctionDecl& f, Check& check) {
  for (const uint32_t direction : {kModIn, kModOut}) {
    std::vector<std::string> seen;
    auto add = [&](const std::string& semantic, const Location& at) {
      if (semantic.empty())
        return;
      if (std::any_of(seen.begin(), seen.end(), [&](const std::string& s) { return dxbc::semanticEquals(s, semantic); }))
        check.fail(at, 3711, "parameters and return values of library functions cannot have the same semantic '" + semantic + "'");
      seen.push_back(semantic);
    };
    if (direction == kModOut)
      add(f.semantic, f.loc);
    for (const VarDecl* p : f.params)
      if (p->modifiers & direction)
        add(p->semantic, p->loc);
  }
}

bool checkGlobals(const Program& program, Diagnostics& diagnostics) {
  const size_t before = diagnostics.errorCount();
  for (const ConstantBuffer* b : program.buffers)
    if (b->textureBuffer)
      diagnostics.error(b->loc, 3715, "'" + b->name + "': tbuffers are not supported in libraries");
  for (const VarDecl* v : program.globals)
    if (v->type->isInterface())
      diagnostics.error(v->loc, 3716, "'" + std::string(v->name) + "': classes and interfaces are not supported in libraries");
  return diagnostics.errorCount() == before;
}

} // namespace

bool exportable(const Program& program, FunctionDecl& f, Diagnostics* diagnostics) {
  Check check(f, diagnostics);
  for (const FunctionDecl* other : program.functions)
    if (other != &f && other->body && other->global && other->name == f.name)
      check.fail(f.loc, 3718, "library functions cannot be overloaded");
  if (!f.returnType->isVoid())
    check.type(f.returnType, f.loc, "return value");
  for (VarDecl* p : f.params) {
    check.type(p->type, p->loc, "parameter '" + std::string(p->name) + "'");
    if (check.ok())
      p->modifiers &= ~uint32_t(kModUniform); // a value like any other: the caller gives it
  }
  semanticsDiffer(f, check);
  return check.ok();
}

std::vector<FunctionDecl*> exportedFunctions(const Program& program, Diagnostics& diagnostics) {
  std::vector<FunctionDecl*> all, list;
  for (FunctionDecl* f : program.functions)
    if (f->body && f->global)
      all.push_back(f);
  const bool marked = std::any_of(all.begin(), all.end(), [](const FunctionDecl* f) { return f->modifiers & kModExport; });
  for (FunctionDecl* f : all)
    if (marked ? (f->modifiers & kModExport) && exportable(program, *f, &diagnostics) : !(f->modifiers & kModStatic) && exportable(program, *f, nullptr))
      list.push_back(f);
  return list;
}

bool compileLibrary(Program& program, const Target& target, const CompileRequest& request, std::string text, Diagnostics& diagnostics, CompileResult& result) {
  if (!checkGlobals(program, diagnostics))
    return false;
  const std::vector<FunctionDecl*> functions = exportedFunctions(program, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  dxbc::Library library;
  library.creator = kCompilerName;
  library.hasSource = true;
  library.source.profile = target.name;
  library.source.name = request.sourceName;
  library.source.flags = request.flags;
  library.source.text = std::move(text);
  if (!generateLibrary(program, functions, target, request, diagnostics, library))
    return false;
  result.container = dxbc::writeLibrary(library);
  return true;
}

} // namespace monolith::compiler
