// SPDX-License-Identifier: MIT
// Variables, buffers, functions, semantics and bindings.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

void Parser::annotations() {
  if (!at("<"))
    return;
  skipBraces("<", ">");
}

/// What effects give to objects: everything up to the end of the declarator.
void Parser::skipInitializer() {
  int depth = 0;
  while (peek().kind != TokenKind::End && !failed()) {
    if (depth == 0 && (at(";") || at(",")))
      return;
    if (at("(") || at("{") || at("["))
      depth++;
    else if (at(")") || at("}") || at("]"))
      depth--;
    take();
  }
}

void Parser::stateBlock() {
  skipBraces("{", "}");
}

void Parser::typedefDeclaration() {
  uint32_t mods = 0;
  const Type* base = typeSpecifier(mods);
  do {
    Token name = take();
    if (failed())
      return;
    if (name.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      return;
    }
    const Type* t = arraySuffix(base, false);
    Symbol s;
    s.type = t;
    s.ordered = mods & (kModRowMajor | kModColumnMajor);
    m_scopes.back()[name.text] = s;
  } while (accept(","));
  expect(";");
}

void Parser::registerBinding(Binding& binding) {
  take(); // register
  expect("(");
  Token t = take();
  // register(ps, s0) / register(ps_5_0, s[0]): the profile is accepted and ignored.
  if (at(",") && t.kind == TokenKind::Identifier && t.text.size() >= 2 && (t.text[1] == 's')) {
    take();
    t = take();
  }
  if (failed())
    return;
  if (t.kind != TokenKind::Identifier) {
    m_pos--;
    unexpected();
    return;
  }
  Binding b;
  char c = t.text[0];
  b.kind = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  uint32_t n = 0;
  bool digits = t.text.size() > 1;
  for (char d : t.text.substr(1)) {
    if (d < '0' || d > '9') {
      m_diagnostics.error(t.loc, 3591, "incorrect bind semantic");
      digits = false;
      break;
    }
    if (n < 100000)
      n = n * 10 + uint32_t(d - '0');
  }
  b.index = n;
  b.explicitIndex = digits;
  if (accept("[")) {
    Expr* e = conditional();
    ConstantValue v;
    if (!failed() && evaluateConstant(e, v))
      b.index += uint32_t(v.asInt());
    b.explicitIndex = true;
    expect("]");
  }
  if (accept(".")) {
    Token comp = take();
    static const std::string_view letters = "xyzw";
    size_t k = comp.text.empty() ? std::string_view::npos : letters.find(comp.text[0]);
    b.component = k == std::string_view::npos ? 0 : uint32_t(k);
  }
  while (accept(","))
    take(); // space
  expect(")");
  if (binding.kind == b.kind && binding.explicitIndex && b.explicitIndex && binding.index != b.index)
    m_diagnostics.error(t.loc, 3115,
                        "Conflicting register semantics: '" + std::string(1, binding.kind) + std::to_string(binding.index) + "' and '" + std::string(1, b.kind) + std::to_string(b.index) + "'");
  binding = b;
}

void Parser::packOffset(VarDecl* var) {
  const Location at = take().loc;
  expect("(");
  Token t = take();
  if (failed())
    return;
  uint32_t n = 0, comp = 0;
  bool ok = t.kind == TokenKind::Identifier && t.text.size() > 1 && (t.text[0] == 'c' || t.text[0] == 'C');
  for (char d : t.text.substr(ok ? 1 : 0))
    if (d >= '0' && d <= '9' && n < 100000)
      n = n * 10 + uint32_t(d - '0');
    else
      ok = false;
  if (accept(".")) {
    Token c = take();
    size_t k = c.text.empty() ? std::string_view::npos : std::string_view("xyzwrgba").find(c.text[0]);
    if (k == std::string_view::npos)
      ok = false;
    else
      comp = uint32_t(k & 3);
  }
  expect(")");
  if (!ok)
    m_diagnostics.error(t.loc, 3541, "invalid packoffset location '" + std::string(t.text) + "'");
  if (var && var->binding.kind && var->buffer)
    m_diagnostics.error(at, 3542, "'" + std::string(var->name) + "': packoffset variables cannot have a target qualifier");
  if (!var || !var->buffer || var->buffer == m_globals) {
    m_diagnostics.error(at, 3091, "packoffset is only allowed in a constant buffer");
    return;
  }
  var->hasPackOffset = true;
  var->packOffset = n * 4 + comp;
}

bool Parser::semanticsAndBindings(std::string& semantic, VarDecl* var, Binding* binding, Location* where) {
  bool any = false;
  while (at(":") && !failed()) {
    take();
    any = true;
    if (atWord("register")) {
      Binding local;
      const Location at = peek().loc;
      registerBinding(binding ? *binding : local);
      if (var && var->hasPackOffset)
        m_diagnostics.error(at, 3542, "'" + std::string(var->name) + "': packoffset variables cannot have a target qualifier");
    } else if (atWord("packoffset")) {
      packOffset(var);
    } else if (peek().kind == TokenKind::Identifier) {
      if (where)
        *where = peek().loc;
      semantic = std::string(take().text);
    } else {
      unexpected();
    }
  }
  return any;
}

void Parser::bufferDeclaration(bool textureBuffer) {
  ConstantBuffer* cb = m_program.arena.buffer();
  cb->textureBuffer = textureBuffer;
  cb->loc = peek().loc;
  if (peek().kind == TokenKind::Identifier)
    cb->name = std::string(take().text);
  std::string semantic;
  Location at{};
  semanticsAndBindings(semantic, nullptr, &cb->binding, &at);
  if (!semantic.empty())
    m_diagnostics.warning(at, 3202, "usage semantics do not apply to cbuffers");
  if (cb->binding.kind && cb->binding.kind != (textureBuffer ? 't' : 'b') )
    m_diagnostics.error(cb->loc, 3530, std::string("buffer requires a '") + (textureBuffer ? 't' : 'b') + "' register");
  annotations();
  m_program.buffers.push_back(cb);
  expect("{");
  while (!this->at("}") && peek().kind != TokenKind::End && !failed()) {
    if (accept(";"))
      continue;
    uint32_t mods = 0;
    const Type* base = typeSpecifier(mods);
    if (failed())
      return;
    if (this->at(";")) {
      take();
      continue;
    }
    do {
      Token name = take();
      if (name.kind != TokenKind::Identifier) {
        m_pos--;
        unexpected();
        return;
      }
      if (this->at("(")) {
        functionRest(base, mods, name, {});
        goto next;
      }
      Declarator d{name.text, arraySuffix(base, true), name.loc};
      variable(d.type, mods, d, true, (mods & kModStatic) || (base->hasObjects && !base->slots) ? nullptr : cb);
    } while (accept(","));
    expect(";");
  next:;
  }
  expect("}");
  accept(";");
  bool packed = false;
  for (const VarDecl* v : cb->vars)
    packed = packed || v->hasPackOffset;
  for (const VarDecl* v : cb->vars)
    if (packed && !v->hasPackOffset)
      m_diagnostics.error(v->loc, 3530, "cannot mix packoffset elements with nonpackoffset elements in a cbuffer");
}

const Type* Parser::sizeFromInit(const Type* type, Expr* init) {
  if (!type->isArray() || type->count != 0)
    return type;
  uint64_t slots = 0;
  std::vector<Expr*> stack{init};
  while (!stack.empty()) {
    Expr* e = stack.back();
    stack.pop_back();
    if (e->kind == ExprKind::InitList && !e->type)
      for (Expr* a : e->args)
        stack.push_back(a);
    else
      slots += e->type->slots;
  }
  uint32_t element = type->element->slots ? type->element->slots : 1;
  if (slots % element || slots == 0)
    return type;
  return m_types.array(type->element, uint32_t(slots / element));
}

Expr* Parser::initListToType(Expr* list, const Type* type, const std::string& name) {
  std::vector<Expr*> flat;
  std::vector<Expr*> stack{list};
  uint64_t slots = 0, objects = 0;
  while (!stack.empty()) {
    Expr* e = stack.back();
    stack.pop_back();
    if (e->kind == ExprKind::InitList && !e->type) {
      for (size_t i = e->args.size(); i-- > 0;)
        stack.push_back(e->args[i]);
    } else {
      if (e->type->isError())
        return errorExpr(list->loc);
      flat.push_back(e);
      slots += e->type->slots;
      objects += objectCount(e->type);
    }
  }
  if (type->isObject() || objects != objectCount(type) || slots != type->slots) {
    if (!type->isError())
      m_diagnostics.error(list->loc, 3037, "'" + name + "': initializer does not match type");
    return errorExpr(list->loc);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::InitList;
  e->type = type;
  e->loc = list->loc;
  e->args = std::move(flat);
  return e;
}

Expr* Parser::initializer(const Type* type, const Location& at, const std::string& name) {
  if (this->at("{")) {
    struct Open {
      Expr* list;
    };
    DepthGuard guard(*this);
    // Nested lists are read with a stack of our own: tables can be deep but not recursive code.
    std::vector<Expr*> open;
    Expr* root = nullptr;
    do {
      if (this->at("{")) {
        Expr* l = m_program.arena.expr();
        l->kind = ExprKind::InitList;
        l->loc = take().loc;
        if (!open.empty())
          open.back()->args.push_back(l);
        else
          root = l;
        open.push_back(l);
        if (!this->at("}"))
          continue;
      } else if (!this->at("}")) {
        open.back()->args.push_back(assignment());
      }
      while (!open.empty() && !failed()) {
        if (this->at("}")) {
          take();
          open.pop_back();
          continue;
        }
        expect(",");
        if (this->at("}"))
          continue;
        break;
      }
    } while (!open.empty() && !failed());
    if (failed())
      return errorExpr(at);
    root->loc = at;
    return root;
  }
  (void)type;
  (void)name;
  return assignment();
}

/// The type with unordered access in place of a view.
const Type* Parser::unorderedForm(const Type* t) {
  static constexpr std::pair<ObjectKind, ObjectKind> kForms[] = {
      {ObjectKind::Buffer, ObjectKind::RwBuffer},           {ObjectKind::Texture1D, ObjectKind::RwTexture1D},
      {ObjectKind::Texture1DArray, ObjectKind::RwTexture1DArray}, {ObjectKind::Texture2D, ObjectKind::RwTexture2D},
      {ObjectKind::Texture2DArray, ObjectKind::RwTexture2DArray}, {ObjectKind::Texture3D, ObjectKind::RwTexture3D},
      {ObjectKind::StructuredBuffer, ObjectKind::RwStructuredBuffer}, {ObjectKind::ByteAddressBuffer, ObjectKind::RwByteAddressBuffer}};
  if (t->isArray())
    return m_types.array(unorderedForm(t->element), t->count);
  if (t->isObject())
    for (const auto& [view, unordered] : kForms)
      if (t->object == view)
        return m_types.object(unordered, t->element, 0, 0, t->normalized ? uint8_t(t->snorm ? 2 : 1) : uint8_t(0));
  return t;
}

void Parser::checkGlobalModifiers(VarDecl* v) {
  std::string name = "'" + std::string(v->name) + "': ";
  if (v->modifiers & kModInline)
    m_diagnostics.error(v->loc, 3055, name + "global variables cannot be declared 'inline'");
  if (v->modifiers & kModExport)
    m_diagnostics.error(v->loc, 3006, name + "only functions can be declared 'export'");
  bool isStatic = v->modifiers & kModStatic;
  if (isStatic && (v->modifiers & kModUniform))
    m_diagnostics.error(v->loc, 3007, name + "uniform global variables cannot be declared 'static'");
  if (isStatic && (v->modifiers & kModExtern))
    m_diagnostics.error(v->loc, 3007, name + "extern global variables cannot be declared 'static'");
  const Type* e = v->type;
  while (e->isArray())
    e = e->element;
  const bool counted = e->isObject() && (e->object == ObjectKind::AppendStructuredBuffer || e->object == ObjectKind::ConsumeStructuredBuffer);
  if ((v->modifiers & kModGloballyCoherent) && (!e->isUav() || counted))
    m_diagnostics.error(v->loc, 3679, name + "globallycoherent can only be used with Unordered Access View buffers, and not with append/consume buffers");
  if ((v->modifiers & kModGroupShared) && v->type->hasObjects)
    m_diagnostics.error(v->loc, 3682, name + "groupshared variables cannot contain resources");
  if (e->isObject() && (e->object == ObjectKind::StructuredBuffer || e->object == ObjectKind::ByteAddressBuffer) && v->binding.kind && v->binding.kind != 't')
    m_diagnostics.error(v->loc, 3530, "buffer requires a 't' register");
  if (v->type->isObject() && v->binding.kind) {
    char k = v->binding.kind;
    if (v->type->isSampler() && k != 's' && k != 't')
      m_diagnostics.error(v->loc, 3530, "sampler requires an 's' or 't' register");
    if (v->type->isTexture() && k != 't' && k != 's')
      m_diagnostics.error(v->loc, 3530, "texture requires a 't' or 's' register");
    if (v->type->isUav() && k != 'u')
      m_diagnostics.error(v->loc, 3530, "UAV requires a 'u' register");
  }
}

namespace {
/// True if an expression needs a variable that exists in a function only.
bool readsLocals(const Expr* e, int depth = 0) {
  if (!e || depth > 200)
    return false;
  if (e->kind == ExprKind::Var && e->var && !e->var->global && !(e->var->modifiers & kModStatic) && !((e->var->modifiers & kModConst) && e->var->init && e->var->init->kind == ExprKind::Literal))
    return true;
  for (const Expr* a : e->args)
    if (readsLocals(a, depth + 1))
      return true;
  return readsLocals(e->a, depth + 1) || readsLocals(e->b, depth + 1) || readsLocals(e->c, depth + 1);
}
} // namespace

/// A constant with a value that is known is a literal from now on.
void Parser::foldInitializer(VarDecl* v) {
  ConstantValue value;
  if ((v->modifiers & kModConst) && v->init->kind != ExprKind::Literal && v->type->isScalar() && evaluateConstant(v->init, value)) {
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Literal;
    e->type = v->type;
    e->loc = v->init->loc;
    if (isFloatBase(v->type->base))
      e->f = value.asFloat();
    else
      e->u = value.base == Base::Bool || v->type->base == Base::Bool ? value.asBool() : uint32_t(uint64_t(value.asInt()));
    v->init = e;
  }
}

VarDecl* Parser::variable(const Type* type, uint32_t mods, const Declarator& d, bool global, ConstantBuffer* buffer) {
  VarDecl* v = m_program.arena.var();
  v->name = d.name;
  v->type = type;
  v->modifiers = mods;
  v->loc = d.loc;
  v->global = global;
  v->buffer = buffer;
  std::string name(d.name);
  if (!global && !(mods & kModStatic) && (mods & (kModUniform | kModExtern | kModGroupShared | kModShared))) {
    const char* word = mods & kModUniform ? "uniform" : mods & kModExtern ? "extern" : mods & kModGroupShared ? "groupshared" : "shared";
    m_diagnostics.error(d.loc, mods & kModUniform ? 3047 : mods & kModExtern ? 3006 : mods & kModGroupShared ? 3010 : 3054, "'" + name + "': local variables cannot be declared '" + word + "'");
  }
  if (type->isVoid()) {
    m_diagnostics.error(d.loc, 3038, "'" + name + "': variables cannot be declared 'void'");
    v->type = m_types.error();
  }
  if (type->isStruct() && !type->structure->complete) {
    m_diagnostics.error(d.loc, 3000, "'" + name + "': incomplete type");
    v->type = m_types.error();
  }
  Location semanticAt = d.loc;
  bool hasColon = semanticsAndBindings(v->semantic, v, &v->binding, &semanticAt);
  if (global && m_options.unordered.count(m_program.globals.size() - m_firstGlobal)) {
    v->type = unorderedForm(v->type);
    v->binding = {};
  }
  if (!global && hasColon && !v->semantic.empty())
    m_diagnostics.error(semanticAt, 3043, "'" + name + "': local variables cannot have semantics");
  if (!global && at("<"))
    m_diagnostics.error(d.loc, 3040, "'" + name + "': local variables cannot have annotations");
  annotations();

  // Visible from here on, also in its own initial value.
  auto it = m_scopes.back().find(d.name);
  if (it != m_scopes.back().end() && it->second.var && !it->second.leaked)
    m_diagnostics.error(d.loc, 3003, "redefinition of '" + name + "'");
  if (global && it != m_scopes.back().end() && !it->second.var && !it->second.functions.empty())
    m_diagnostics.error(d.loc, 3003, "redefinition of '" + name + "'");
  auto declare = [&] {
    Symbol s;
    s.var = v;
    auto old = m_scopes.back().find(d.name);
    if (old != m_scopes.back().end())
      s.functions = old->second.functions;
    m_scopes.back()[d.name] = s;
  };

  const Type* leaf = v->type;
  while (leaf->isArray())
    leaf = leaf->element;
  if (global && leaf->isInterface() && buffer && buffer != m_globals)
    m_diagnostics.error(d.loc, 3132, "'" + name + "': interfaces cannot be declared in buffers");
  if (global && leaf->isInterface() && v->type->isArray() && v->type->element->isArray())
    m_diagnostics.error(d.loc, 3119, "'" + name + "': interface arrays cannot be multi-dimensional");
  if (global && (!v->type->hasObjects || (leaf->isStruct() && leaf->slots)) && !(mods & (kModStatic | kModGroupShared)) && !leaf->isInterface() && leaf->kind != TypeKind::String) {
    if (!m_openNamespaces.empty()) {
      m_ownedNames.push_back(std::make_unique<std::string>(inNamespace(d.name)));
      v->name = *m_ownedNames.back();
    }
    v->uniform = true;
    if (!v->buffer)
      v->buffer = m_globals;
    v->buffer->vars.push_back(v);
  }
  if (global && leaf->isStruct() && leaf->hasObjects && !(mods & kModStatic) && objectCount(v->type) <= kMaxMemberObjects)
    memberObjects(v, v->type, std::string(v->name));
  if (at("=")) {
    const Location where = take().loc;
    declare();
    if (atWord("sampler_state") || atWord("stateblock_state")) {
      if (!v->global)
        m_diagnostics.error(peek().loc, 3064, "object literal expressions are not allowed inside functions");
      take();
      stateBlock();
    } else if (v->type->hasObjects && !v->type->isStruct() && at("{")) {
      skipBraces("{", "}");
    } else if (v->type->hasObjects && v->global && !(mods & kModStatic)) {
      skipInitializer();
    } else {
      Expr* init = initializer(v->type, d.loc, name);
      (void)where;
      if (failed())
        return v;
      if (init->kind == ExprKind::InitList && !init->type) {
        v->type = sizeFromInit(v->type, init);
        v->init = initListToType(init, v->type, name);
      } else {
        if (v->type->isArray() && v->type->count == 0 && init->type->isArray())
          v->type = init->type;
        v->init = convert(init, v->type, "'" + name + "': ");
      }
      foldInitializer(v);
      if (!global && (mods & kModStatic) && v->init && readsLocals(v->init))
        m_diagnostics.error(v->init->loc, 3691, "invalid variable reference in static variable initializer. Locals cannot be used to initialize static variables");
      if (global && (mods & kModConst) && v->uniform && !buffer)
        m_diagnostics.warning(d.loc, 3207, "Initializer used on a global 'const' variable. This requires setting an external constant. If a literal is desired, use 'static const' instead.");
    }
  } else {
    declare();
    if (at("{"))
      stateBlock();
  }
  if ((mods & kModPrecise) && leaf->isNumeric() && isMinPrecision(leaf->base))
    m_diagnostics.error(d.loc, 4028, "'" + name + "': minimum precision types cannot be marked precise");
  if (v->type->isArray() && v->type->count == 0) {
    m_diagnostics.error(d.loc, 3074, "'" + name + "': implicit array missing initial value");
    v->type = m_types.error();
  }
  if (global && m_classDepth == 0 && v->modifiers & kModStatic && v->modifiers & kModConst && !v->init && !v->type->isError() && !v->type->hasObjects)
    m_diagnostics.error(d.loc, 3012, "'" + name + "': missing initial value");
  if (!global && (mods & kModConst) && !v->init && !v->type->isError() && !v->type->hasObjects)
    m_diagnostics.error(d.loc, 3012, "'" + name + "': missing initial value");
  if (global) {
    checkGlobalModifiers(v);
    m_program.globals.push_back(v);
  }
  return v;
}

/// The objects in a global structure are bound one by one, named as they are reached.
void Parser::memberObjects(VarDecl* owner, const Type* type, const std::string& name) {
  const Type* leaf = type;
  while (leaf->isArray())
    leaf = leaf->element;
  if (!type->hasObjects)
    return;
  if (type->isStruct()) {
    for (const Field& f : type->structure->fields)
      memberObjects(owner, f.type, name + "." + std::string(f.name));
    return;
  }
  if (leaf->isStruct()) {
    for (uint32_t i = 0; i < type->count; i++)
      memberObjects(owner, type->element, name + "[" + std::to_string(i) + "]");
    return;
  }
  VarDecl* v = m_program.arena.var();
  m_ownedNames.push_back(std::make_unique<std::string>(name));
  v->name = *m_ownedNames.back();
  v->type = type;
  v->modifiers = owner->modifiers;
  v->loc = owner->loc;
  v->global = true;
  const char kind = leaf->isSampler() ? 's' : leaf->isUav() ? 'u' : 't';
  if (owner->binding.explicitIndex && owner->binding.kind == kind) {
    v->binding = owner->binding;
    for (const auto& [before, element] : owner->objects)
      v->binding.index += before->binding.explicitIndex;
  }
  m_program.globals.push_back(v);
  const uint32_t count = objectCount(type);
  for (uint32_t k = 0; k < count; k++)
    owner->objects.emplace_back(v, k);
}

void Parser::globalOrFunction() {
  std::vector<Attribute> attributes;
  if (at("["))
    attributes = attributeList();
  if (peek().kind != TokenKind::Identifier && !at("::")) {
    unexpected();
    return;
  }
  uint32_t mods = 0;
  const Type* base = typeSpecifier(mods);
  if (failed())
    return;
  if (at(";") && base->isStruct() && base->structure->name.empty()) { // a structure that nobody can name
    unexpected();
    return;
  }
  if (accept(";"))
    return;
  do {
    Token name = take();
    if (failed())
      return;
    if (name.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      return;
    }
    if (at("(")) {
      functionRest(base, mods, name, std::move(attributes));
      return;
    }
    if (at("::")) {
      outOfClass(base, mods, name, std::move(attributes));
      return;
    }
    Declarator d{name.text, arraySuffix(base, true), name.loc};
    variable(d.type, mods, d, true, nullptr);
  } while (accept(","));
  expect(";");
}

VarDecl* Parser::parameter() {
  VarDecl* v = m_program.arena.var();
  v->parameter = true;
  uint32_t mods = 0;
  auto usage = [&](uint32_t bits) {
    if (mods & bits)
      m_diagnostics.error(peek().loc, 3048, "duplicate usages specified");
    mods |= bits;
  };
  for (;;) {
    if (atWord("in"))
      usage(kModIn);
    else if (atWord("out"))
      usage(kModOut);
    else if (atWord("inout"))
      usage(kModIn | kModOut);
    else if (peek().kind == TokenKind::Identifier && peek(1).kind == TokenKind::Identifier && (peek().text == "point" || peek().text == "line" || peek().text == "triangle" || peek().text == "lineadj" || peek().text == "triangleadj"))
      mods |= peek().text == "point" ? kModPoint : peek().text == "line" ? kModLine : peek().text == "triangle" ? kModTriangle : peek().text == "lineadj" ? kModLineAdj : kModTriangleAdj;
    else {
      size_t before = m_pos;
      mods |= modifiers();
      if (m_pos == before)
        break;
      continue;
    }
    take();
  }
  uint32_t typeMods = 0;
  const Type* base = typeSpecifier(typeMods);
  mods |= typeMods;
  if (atWord("in") || atWord("out") || atWord("inout")) { // "float4 out x" is not HLSL
    unexpected();
    return v;
  }
  v->type = applyOrder(base, mods);
  v->loc = peek().loc;
  if (peek().kind == TokenKind::Identifier)
    v->name = take().text;
  v->type = arraySuffix(v->type, false);
  if (!(mods & (kModIn | kModOut)))
    mods |= kModIn;
  v->modifiers = mods;
  const std::string quotedName = "'" + std::string(v->name) + "': ";
  if ((mods & kModOut) && (mods & kModConst))
    m_diagnostics.error(v->loc, 3046, quotedName + "output parameters cannot be declared 'const'");
  if ((mods & kModOut) && (mods & kModUniform))
    m_diagnostics.error(v->loc, 3062, quotedName + "parameters cannot be declared 'uniform out'");
  const Type* element = v->type;
  while (element->isArray())
    element = element->element;
  if ((mods & kModOut) && element->isInterface())
    m_diagnostics.error(v->loc, 3118, quotedName + "interfaces can only be inputs");
  if (v->type->isVoid()) {
    m_diagnostics.error(v->loc, 3038, "'" + std::string(v->name) + "': parameters cannot be declared 'void'");
    v->type = m_types.error();
  }
  semanticsAndBindings(v->semantic, nullptr, &v->binding);
  annotations();
  if (accept("=")) {
    if ((mods & kModOut) && !(mods & kModIn))
      m_diagnostics.error(v->loc, 3045, quotedName + "output only parameters cannot be initialized");
    Expr* e = initializer(v->type, v->loc, std::string(v->name));
    if (!failed()) {
      if (e->kind == ExprKind::InitList && !e->type)
        v->init = initListToType(e, v->type, std::string(v->name));
      else
        v->init = convert(e, v->type, "'" + std::string(v->name) + "': ");
    }
  }
  return v;
}

FunctionDecl* Parser::findPrototype(Symbol& symbol, FunctionDecl* f) {
  for (FunctionDecl* other : symbol.functions) {
    if (other->params.size() != f->params.size())
      continue;
    bool same = true;
    for (size_t i = 0; i < f->params.size(); i++) {
      constexpr uint32_t io = kModIn | kModOut;
      same = same && sameType(other->params[i]->type, f->params[i]->type) && (other->params[i]->modifiers & io) == (f->params[i]->modifiers & io);
    }
    if (same)
      return other;
  }
  return nullptr;
}

/// Name and parameters of a function; leaves the scope of the parameters open.
FunctionDecl* Parser::functionHead(const Type* returnType, uint32_t mods, const Token& name, const Type* owner, bool isStatic) {
  FunctionDecl* f = m_program.arena.function();
  f->name = std::string(name.text);
  f->returnType = returnType;
  f->modifiers = mods;
  f->loc = name.loc;
  f->owner = owner;
  f->global = !owner && m_openNamespaces.empty();
  std::string quoted = "'" + f->name + "': ";
  struct {
    uint32_t bit;
    int number;
    const char* word;
  } const bad[] = {{kModUniform, 3047, "uniform"}, {kModExtern, 3006, "extern"}, {kModGroupShared, 3006, "groupshared"}, {kModShared, 3006, "shared"}, {kModVolatile, 3006, "volatile"}, {kModConst, 3047, "const"}};
  for (auto& b : bad)
    if ((mods & b.bit) && b.bit != kModConst)
      m_diagnostics.error(name.loc, b.number, quoted + "functions cannot be declared '" + b.word + "'");
  if (returnType->isObject() )
    m_diagnostics.error(name.loc, 3038, quoted + "function return value cannot contain Effects objects");
  expect("(");
  m_scopes.emplace_back();
  if (owner && !isStatic) {
    f->self = m_program.arena.var();
    f->self->parameter = true;
    f->self->name = "this";
    f->self->type = owner;
    f->self->modifiers = kModIn | kModOut;
    f->self->loc = name.loc;
    f->params.push_back(f->self);
  }
  if (!(atWord("void") && peek(1).is(")")))
    while (!at(")") && !failed()) {
      VarDecl* p = parameter();
      if (!f->params.empty() && f->params.back()->init && !p->init && !(p->modifiers & kModOut))
        m_diagnostics.error(p->loc, 3044, quoted + "missing default value for parameter '" + std::string(p->name) + "'");
      f->params.push_back(p);
      if (!p->name.empty()) {
        Symbol& s = m_scopes.back()[p->name];
        if (s.var)
          m_diagnostics.error(p->loc, 3036, "redefinition of formal parameter '" + std::string(p->name) + "'");
        s.var = p;
      }
      if (!accept(","))
        break;
      if (at(")"))
        unexpected();
    }
  else
    take();
  expect(")");
  Binding ignored;
  semanticsAndBindings(f->semantic, nullptr, &ignored);
  if (returnType->isVoid() && !f->semantic.empty())
    m_diagnostics.error(name.loc, 3076, quoted + "void function cannot have a semantic");
  annotations();
  return f;
}

void Parser::functionRest(const Type* returnType, uint32_t mods, Token name, std::vector<Attribute> attributes) {
  FunctionDecl* f = functionHead(returnType, mods, name, nullptr, false);
  f->attributes = std::move(attributes);
  if (failed()) {
    m_scopes.pop_back();
    return;
  }

  Symbol& symbol = m_scopes[m_scopes.size() - 2][name.text];
  if ((symbol.type && !symbol.var && symbol.functions.empty() && m_scopes.size() == 2) || (symbol.var && symbol.functions.empty() && symbol.var->global))
    m_diagnostics.error(name.loc, 3003, "redefinition of '" + f->name + "'");
  FunctionDecl* known = findPrototype(symbol, f);
  bool define = at("{");
  if (known) {
    if (!sameType(known->returnType, f->returnType))
      m_diagnostics.error(name.loc, 3068, "'" + f->name + "': function return value differs from prototype");
    if (known->body && define) {
      m_diagnostics.error(name.loc, 3003, "redefinition of '" + f->name + "'");
    } else if (define) {
      // The prototype's object stays, calls refer to it; it takes over names and defaults of the definition.
      for (size_t i = 0; i < f->params.size(); i++)
        if (f->params[i]->init && known->params[i]->init)
          m_diagnostics.error(f->params[i]->loc, 3113, "'" + f->name + "': default parameters can only be provided in the first prototype");
      for (size_t i = 0; i < f->params.size(); i++)
        if (!f->params[i]->init)
          f->params[i]->init = known->params[i]->init;
      known->params = f->params;
      known->attributes = f->attributes;
      known->semantic = f->semantic;
      known->modifiers = f->modifiers | (known->modifiers & kModExport);
      known->loc = f->loc;
      known->returnType = f->returnType;
      f = known;
    } else {
      f = known;
    }
  } else {
    symbol.functions.push_back(f);
    m_program.functions.push_back(f);
  }
  if (define) {
    m_function = f;
    m_loopDepth = m_switchDepth = 0;
    Stmt* body = block(false);
    if (!f->body)
      f->body = body;
    m_function = nullptr;
  } else {
    expect(";");
  }
  m_scopes.pop_back();
}

std::vector<Attribute> Parser::attributeList() {
  std::vector<Attribute> list;
  while (at("[") && !failed()) {
    take();
    Attribute a;
    Token t = take();
    if (t.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      return list;
    }
    a.name = std::string(t.text);
    a.loc = t.loc;
    if (accept("(")) {
      if (at(")"))
        unexpected();
      while (!at(")") && !failed()) {
        if (peek().kind == TokenKind::String) {
          std::string_view s = take().text;
          a.strings.emplace_back(s.substr(1, s.size() - 2));
        } else {
          a.args.push_back(assignment());
        }
        if (!accept(","))
          break;
      }
      expect(")");
    }
    expect("]");
    list.push_back(std::move(a));
  }
  return list;
}

} // namespace monolith::compiler
