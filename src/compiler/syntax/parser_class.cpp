// SPDX-License-Identifier: MIT
// Methods, base types, interfaces and namespaces. A method's body is read when its structure is complete: it may use
// members that stand behind it. Inside, members are symbols of a scope around the parameters.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

#include <algorithm>

namespace monolith::compiler {

// ---- names ----

/// What a symbol that is a namespace or a structure has under a name.
Parser::Symbol* Parser::member(Symbol& space, std::string_view name) {
  if (space.space) {
    Scope& scope = space.space->openAt >= 0 ? m_scopes[size_t(space.space->openAt)] : space.space->symbols;
    auto it = scope.find(name);
    return it == scope.end() ? nullptr : &it->second;
  }
  if (!space.type || !space.type->isStruct() || space.field >= 0)
    return nullptr;
  // Methods and static members: a symbol made on the spot.
  m_qualified.push_back(std::make_unique<Symbol>());
  Symbol& s = *m_qualified.back();
  collectMethods(space.type, name, s.functions);
  for (const Type* t = space.type; t && !s.var; t = t->structure->base)
    for (VarDecl* v : t->structure->statics)
      if (v->name == name)
        s.var = v;
  return s.var || !s.functions.empty() ? &s : nullptr;
}

/// The symbol of a name that may have `A::` in front, starting at token `ahead`; `length` becomes its number of tokens.
Parser::Symbol* Parser::qualified(size_t ahead, size_t& length) {
  length = 0;
  Symbol* s = nullptr;
  bool global = false;
  if (peek(ahead).is("::")) {
    global = true;
    length = 1;
  }
  if (peek(ahead + length).kind != TokenKind::Identifier)
    return nullptr;
  const std::string_view first = peek(ahead + length).text;
  if (global) {
    auto it = m_scopes[0].find(first);
    s = it == m_scopes[0].end() ? nullptr : &it->second;
  } else {
    s = lookup(first);
  }
  length++;
  while (peek(ahead + length).is("::") && peek(ahead + length + 1).kind == TokenKind::Identifier) {
    s = s ? member(*s, peek(ahead + length + 1).text) : nullptr;
    length += 2;
  }
  return s;
}

std::string Parser::inNamespace(std::string_view name) const {
  return m_openNamespaces.empty() ? std::string(name) : m_openNamespaces.back()->name + "::" + std::string(name);
}

void Parser::namespaceDeclaration() {
  DepthGuard guard(*this);
  take();
  const Token name = take();
  if (!expect("{"))
    return;
  Symbol& symbol = m_scopes.back()[name.text];
  if (symbol.var || symbol.type || !symbol.functions.empty())
    m_diagnostics.error(name.loc, 3003, "redefinition of '" + std::string(name.text) + "'");
  if (!symbol.space) {
    m_namespaces.push_back(std::make_unique<Namespace>());
    m_namespaces.back()->name = inNamespace(name.text);
    symbol.space = m_namespaces.back().get();
  }
  Namespace* space = symbol.space;
  m_scopes.push_back(std::move(space->symbols));
  space->symbols.clear();
  space->openAt = int(m_scopes.size()) - 1;
  m_openNamespaces.push_back(space);
  while (!at("}") && peek().kind != TokenKind::End && !failed())
    topLevel();
  m_openNamespaces.pop_back();
  space->openAt = -1;
  space->symbols = std::move(m_scopes.back());
  m_scopes.pop_back();
  expect("}");
  accept(";");
}

// ---- structures ----

void Parser::collectMethods(const Type* type, std::string_view name, std::vector<FunctionDecl*>& out) const {
  for (int depth = 0; type && type->isStruct() && depth < 64; depth++, type = type->structure->base) {
    for (FunctionDecl* f : type->structure->methods)
      if (f->name == name)
        out.push_back(f);
    if (!out.empty())
      return; // those of the base are hidden
  }
}

void Parser::baseList(Type* type) {
  do {
    size_t length = 0;
    Symbol* s = qualified(0, length);
    const Location at = peek().loc;
    const std::string_view name = peek(length ? length - 1 : 0).text;
    for (size_t i = 0; i < std::max<size_t>(1, length); i++)
      take();
    if (failed())
      return;
    bool builtin = false;
    if (!s)
      builtinType(name, builtin);
    if (!s && !builtin) {
      m_diagnostics.error(at, 3000, "unrecognized identifier '" + std::string(name) + "'");
      continue;
    }
    if (!s || !s->type || s->field >= 0 || !s->type->isStruct()) {
      m_diagnostics.error(at, 3094, "base type is not a struct, class or interface");
      continue;
    }
    if (s->type->isInterface()) {
      type->structure->interfaces.push_back(s->type);
      continue;
    }
    if (type->structure->base) {
      m_diagnostics.error(at, 3095, "multiple concrete base types specified");
      continue;
    }
    if (!s->type->structure->complete) {
      m_diagnostics.error(at, 3111, "'" + std::string(name) + "': types cannot contain members of their own type");
      continue;
    }
    type->structure->base = s->type;
    type->structure->fields = s->type->structure->fields;
  } while (accept(","));
}

void Parser::interfaceDeclaration() {
  take();
  const Token name = take();
  Type* type = m_types.structure(std::string(name.text));
  type->structure->isInterface = true;
  Symbol& symbol = m_scopes.back()[name.text];
  if (symbol.type || symbol.var)
    m_diagnostics.error(name.loc, 3003, "redefinition of '" + std::string(name.text) + "'");
  symbol.type = type;
  if (at(":")) {
    m_diagnostics.error(peek().loc, 3107, "'" + std::string(name.text) + "': interfaces cannot inherit from other types");
    while (!at("{") && peek().kind != TokenKind::End)
      take();
  }
  expect("{");
  m_classDepth++;
  while (!at("}") && peek().kind != TokenKind::End && !failed()) {
    if (accept(";"))
      continue;
    uint32_t mods = 0;
    const Type* result = typeSpecifier(mods);
    const Token member = take();
    if (failed())
      break;
    if (member.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      break;
    }
    if (mods & kModStatic)
      m_diagnostics.error(member.loc, 3105, "'" + std::string(member.text) + "': interface methods cannot be static");
    if (!at("(")) {
      m_diagnostics.error(member.loc, 3104, "'" + std::string(member.text) + "': interfaces cannot contain data");
      while (!at(";") && peek().kind != TokenKind::End)
        take();
      continue;
    }
    methodRest(type, result, mods & ~uint32_t(kModStatic), member);
  }
  m_classDepth--;
  expect("}");
  accept(";");
  m_types.finish(type);
}

/// A method in its structure, from the parameters on.
void Parser::methodRest(Type* owner, const Type* returnType, uint32_t mods, const Token& name) {
  FunctionDecl* f = functionHead(returnType, mods, name, owner, mods & kModStatic);
  m_scopes.pop_back();
  if (failed())
    return;
  for (FunctionDecl* other : owner->structure->methods) {
    Symbol one;
    one.functions = {other};
    if (other->name == f->name && findPrototype(one, f))
      m_diagnostics.error(name.loc, 3003, "redefinition of '" + f->name + "'");
  }
  owner->structure->methods.push_back(f);
  if (!at("{")) {
    expect(";");
    return;
  }
  if (owner->isInterface()) {
    m_diagnostics.error(name.loc, 3106, "'" + f->name + "': interface methods cannot have bodies");
    skipBraces("{", "}");
    return;
  }
  m_pending.push_back({f, m_pos});
  skipBraces("{", "}");
  accept(";");
}

void Parser::parsePendingBodies(size_t from) {
  if (m_classDepth > 0)
    return; // an enclosing structure is not complete yet
  const size_t after = m_pos;
  while (m_pending.size() > from && !failed()) {
    const PendingBody p = m_pending[from];
    m_pending.erase(m_pending.begin() + long(from));
    m_pos = p.position;
    methodBody(p.function);
  }
  if (!failed())
    m_pos = after;
}

void Parser::pushClassScope(const Type* type) {
  m_scopes.emplace_back();
  Scope& scope = m_scopes.back();
  const StructType& s = *type->structure;
  for (size_t i = 0; i < s.fields.size(); i++) {
    Symbol symbol;
    symbol.field = int(i);
    symbol.type = type;
    scope[s.fields[i].name] = symbol;
  }
  for (const Type* t = type; t; t = t->structure->base) {
    for (VarDecl* v : t->structure->statics)
      if (!scope.count(v->name))
        scope[v->name].var = v;
    for (FunctionDecl* f : t->structure->methods) {
      Symbol& symbol = scope[f->name];
      if (symbol.functions.empty())
        collectMethods(t, f->name, symbol.functions);
    }
  }
}

void Parser::methodBody(FunctionDecl* f) {
  FunctionDecl* outer = m_function;
  const int loops = m_loopDepth, switches = m_switchDepth;
  pushClassScope(f->owner);
  m_scopes.emplace_back();
  for (VarDecl* p : f->params)
    if (!p->name.empty() && p != f->self)
      m_scopes.back()[p->name].var = p;
  m_function = f;
  m_loopDepth = m_switchDepth = 0;
  Stmt* body = block(false);
  if (!f->body)
    f->body = body;
  m_function = outer;
  m_loopDepth = loops;
  m_switchDepth = switches;
  m_scopes.pop_back();
  m_scopes.pop_back();
}

/// "T Class::method(...) {...}" and "T Class::member = ...;"; the first name is taken.
void Parser::outOfClass(const Type* returnType, uint32_t mods, const Token& first, std::vector<Attribute> attributes) {
  Symbol* s = lookup(first.text);
  Token name = first;
  while (accept("::")) {
    name = take();
    if (failed())
      return;
    if (at("::"))
      s = s ? member(*s, name.text) : nullptr;
  }
  const Type* owner = s && s->type && s->field < 0 && s->type->isStruct() ? s->type : nullptr;
  const std::string quoted = "'" + std::string(name.text) + "': ";
  if (!owner) {
    m_diagnostics.fatal(first.loc, 3000, "unrecognized identifier '" + std::string(first.text) + "'");
    return;
  }
  if (!at("(")) {
    VarDecl* known = nullptr;
    for (VarDecl* v : owner->structure->statics)
      if (v->name == name.text)
        known = v;
    if (!known)
      m_diagnostics.error(name.loc, 3100, quoted + "static member not found in class");
    Declarator d{name.text, arraySuffix(returnType, true), name.loc};
    m_scopes.emplace_back();
    VarDecl* v = variable(d.type, mods | kModStatic, d, true, nullptr);
    m_scopes.pop_back();
    if (known && !sameType(known->type, v->type))
      m_diagnostics.error(name.loc, 3101, quoted + "declaration type differs from definition type");
    else if (known)
      known->init = v->init;
    expect(";");
    return;
  }
  std::vector<FunctionDecl*> candidates;
  for (FunctionDecl* f : owner->structure->methods)
    if (f->name == name.text)
      candidates.push_back(f);
  const bool isStatic = !candidates.empty() && !candidates[0]->self;
  FunctionDecl* f = functionHead(returnType, mods & ~uint32_t(kModStatic), name, owner, isStatic);
  m_scopes.pop_back();
  if (failed())
    return;
  if (candidates.empty()) {
    m_diagnostics.error(name.loc, 3098, quoted + "method not found in class");
  } else {
    Symbol all;
    all.functions = candidates;
    FunctionDecl* known = findPrototype(all, f);
    if (!known) {
      m_diagnostics.error(name.loc, 3126, quoted + "method did not match any prototype in class");
    } else {
      if (known->body && at("{"))
        m_diagnostics.error(name.loc, 3069, quoted + "function already has a body");
      for (size_t i = 0; i < f->params.size(); i++)
        if (!f->params[i]->init)
          f->params[i]->init = known->params[i]->init;
      known->params = f->params;
      known->self = f->self;
      known->attributes = std::move(attributes);
      known->loc = f->loc;
      f = known;
    }
  }
  if (at("{"))
    methodBody(f);
  else if (accept(";"))
    m_diagnostics.error(name.loc, 3127, quoted + "methods cannot be redeclared");
  else
    unexpected();
}

/// Every method of the interfaces must be there.
void Parser::checkInterfaces(const Type* type, const Location& at) {
  for (const Type* i : type->structure->interfaces)
    for (FunctionDecl* wanted : i->structure->methods) {
      bool found = false;
      for (const Type* t = type; t && !found; t = t->structure->base)
        for (FunctionDecl* f : t->structure->methods) {
          if (f->name != wanted->name || f->params.size() != wanted->params.size() || !f->self)
            continue;
          bool same = true;
          for (size_t k = 1; k < f->params.size(); k++)
            same = same && sameType(f->params[k]->type, wanted->params[k]->type);
          if (!same)
            continue;
          found = true;
          if (!sameType(f->returnType, wanted->returnType))
            m_diagnostics.error(f->loc, 3109, "'" + f->name + "': return type does not match overridden method");
        }
      if (!found)
        m_diagnostics.error(at, 3108, "'" + type->structure->name + "': class does not implement method '" + wanted->name + "' of interface '" + i->structure->name + "'");
    }
}

// ---- expressions ----

Expr* Parser::thisExpr(const Location& at) {
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Var;
  e->var = m_function->self;
  e->type = m_function->self->type;
  e->loc = at;
  e->lvalue = true;
  return e;
}

Expr* Parser::fieldOfThis(const Symbol& s, const Location& at) {
  if (!m_function || !m_function->self) {
    m_diagnostics.error(at, 3097, "static method cannot refer to instance members");
    return errorExpr(at);
  }
  const Field& f = s.type->structure->fields[size_t(s.field)];
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Member;
  e->a = thisExpr(at);
  e->field = uint32_t(s.field);
  e->type = f.type;
  e->loc = at;
  e->lvalue = true;
  return e;
}

Expr* Parser::structMethodCall(Expr* base, const Token& first) {
  Token name = first;
  const Type* scope = base->type;
  std::vector<FunctionDecl*> candidates;
  collectMethods(scope, name.text, candidates);
  std::vector<Expr*> args = arguments();
  const Location at = span(base->loc, peek().loc);
  expect(")");
  if (failed())
    return errorExpr(at);
  for (Expr* a : args)
    if (a->type->isError())
      return errorExpr(at);
  const std::string quoted = "'" + std::string(name.text) + "'";
  if (candidates.empty()) {
    bool any = false;
    for (const Type* t = scope; t; t = t->structure->base)
      any = any || !t->structure->methods.empty();
    if (any)
      m_diagnostics.error(name.loc, 3088, quoted + ": object does not have method");
    else
      m_diagnostics.error(name.loc, 3087, "object does not have methods");
    return errorExpr(at);
  }
  if (!candidates[0]->self) {
    m_diagnostics.error(name.loc, 3099, quoted + ": static methods cannot be called on objects");
    return errorExpr(at);
  }
  return userCall(name, candidates, std::move(args), at, base);
}

} // namespace monolith::compiler
