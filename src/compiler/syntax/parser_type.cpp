// SPDX-License-Identifier: MIT
// Scopes, type names, structures.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

namespace {

constexpr size_t kMaxDimensions = 32;

struct ModifierWord {
  std::string_view word;
  uint32_t bit;
};
constexpr ModifierWord kModifiers[] = {
    {"static", kModStatic},       {"const", kModConst},
    {"uniform", kModUniform},     {"extern", kModExtern},
    {"precise", kModPrecise},     {"volatile", kModVolatile},
    {"shared", kModShared},       {"groupshared", kModGroupShared},
    {"nointerpolation", kModNoInterpolation}, {"linear", kModLinear},
    {"centroid", kModCentroid},   {"noperspective", kModNoPerspective},
    {"sample", kModSample},       {"row_major", kModRowMajor},
    {"column_major", kModColumnMajor}, {"inline", kModInline},
    {"snorm", kModSnorm},         {"unorm", kModUnorm},
    {"globallycoherent", kModGloballyCoherent}, {"export", kModExport},
};

struct BaseWord {
  std::string_view word;
  Base base;
};
constexpr BaseWord kBases[] = {{"min10float", Base::Min10Float}, {"min16float", Base::Min16Float}, {"min12int", Base::Min12Int}, {"min16int", Base::Min16Int},
                               {"min16uint", Base::Min16Uint},   {"float", Base::Float},           {"int", Base::Int},           {"uint", Base::Uint},
                               {"bool", Base::Bool},             {"half", Base::Half},             {"double", Base::Double},     {"dword", Base::Uint}};

struct ObjectWord {
  std::string_view word;
  ObjectKind kind;
  uint8_t samplerDim;
};
constexpr ObjectWord kObjects[] = {
    {"texture", ObjectKind::Texture, 0},
    {"Texture", ObjectKind::Texture, 0},
    {"Buffer", ObjectKind::Buffer, 0},
    {"texture1D", ObjectKind::Texture, 0},
    {"texture2D", ObjectKind::Texture, 0},
    {"texture3D", ObjectKind::Texture, 0},
    {"textureCUBE", ObjectKind::Texture, 0},
    {"Texture1D", ObjectKind::Texture1D, 0},
    {"Texture1DArray", ObjectKind::Texture1DArray, 0},
    {"Texture2D", ObjectKind::Texture2D, 0},
    {"Texture2DArray", ObjectKind::Texture2DArray, 0},
    {"Texture2DMS", ObjectKind::Texture2DMS, 0},
    {"Texture2DMSArray", ObjectKind::Texture2DMSArray, 0},
    {"Texture3D", ObjectKind::Texture3D, 0},
    {"TextureCube", ObjectKind::TextureCube, 0},
    {"TextureCubeArray", ObjectKind::TextureCubeArray, 0},
    {"RWBuffer", ObjectKind::RwBuffer, 0},
    {"RWTexture1D", ObjectKind::RwTexture1D, 0},
    {"RWTexture1DArray", ObjectKind::RwTexture1DArray, 0},
    {"RWTexture2D", ObjectKind::RwTexture2D, 0},
    {"RWTexture2DArray", ObjectKind::RwTexture2DArray, 0},
    {"RWTexture3D", ObjectKind::RwTexture3D, 0},
    {"StructuredBuffer", ObjectKind::StructuredBuffer, 0},
    {"RWStructuredBuffer", ObjectKind::RwStructuredBuffer, 0},
    {"AppendStructuredBuffer", ObjectKind::AppendStructuredBuffer, 0},
    {"ConsumeStructuredBuffer", ObjectKind::ConsumeStructuredBuffer, 0},
    {"ByteAddressBuffer", ObjectKind::ByteAddressBuffer, 0},
    {"RWByteAddressBuffer", ObjectKind::RwByteAddressBuffer, 0},
    {"RasterizerOrderedBuffer", ObjectKind::RwBuffer, kOrderedObject},
    {"RasterizerOrderedTexture1D", ObjectKind::RwTexture1D, kOrderedObject},
    {"RasterizerOrderedTexture1DArray", ObjectKind::RwTexture1DArray, kOrderedObject},
    {"RasterizerOrderedTexture2D", ObjectKind::RwTexture2D, kOrderedObject},
    {"RasterizerOrderedTexture2DArray", ObjectKind::RwTexture2DArray, kOrderedObject},
    {"RasterizerOrderedTexture3D", ObjectKind::RwTexture3D, kOrderedObject},
    {"RasterizerOrderedStructuredBuffer", ObjectKind::RwStructuredBuffer, kOrderedObject},
    {"RasterizerOrderedByteAddressBuffer", ObjectKind::RwByteAddressBuffer, kOrderedObject},
    {"sampler", ObjectKind::Sampler, 0},
    {"SamplerState", ObjectKind::Sampler, 0},
    {"samplerState", ObjectKind::Sampler, 0},
    {"sampler1D", ObjectKind::Sampler, 1},
    {"sampler2D", ObjectKind::Sampler, 2},
    {"sampler3D", ObjectKind::Sampler, 3},
    {"samplerCUBE", ObjectKind::Sampler, 4},
    {"SamplerComparisonState", ObjectKind::ComparisonSampler, 0},
    {"BlendState", ObjectKind::StateObject, 0},
    {"RasterizerState", ObjectKind::StateObject, 0},
    {"DepthStencilState", ObjectKind::StateObject, 0},
    {"PixelShader", ObjectKind::StateObject, 0},
    {"VertexShader", ObjectKind::StateObject, 0},
    {"GeometryShader", ObjectKind::StateObject, 0},
    {"HullShader", ObjectKind::StateObject, 0},
    {"DomainShader", ObjectKind::StateObject, 0},
    {"ComputeShader", ObjectKind::StateObject, 0},
    {"pixelshader", ObjectKind::StateObject, 0},
    {"vertexshader", ObjectKind::StateObject, 0},
    {"stateblock", ObjectKind::StateObject, 0},
    {"RenderTargetView", ObjectKind::StateObject, 0},
    {"DepthStencilView", ObjectKind::StateObject, 0},
    {"PointStream", ObjectKind::PointStream, 0},
    {"LineStream", ObjectKind::LineStream, 0},
    {"TriangleStream", ObjectKind::TriangleStream, 0},
    {"InputPatch", ObjectKind::InputPatch, 0},
    {"OutputPatch", ObjectKind::OutputPatch, 0},
};

const ObjectWord* findObject(std::string_view name) {
  for (const ObjectWord& o : kObjects)
    if (o.word == name)
      return &o;
  return nullptr;
}

} // namespace

Parser::Symbol* Parser::lookup(std::string_view name) {
  for (size_t i = m_scopes.size(); i-- > 0;) {
    auto it = m_scopes[i].find(name);
    if (it != m_scopes[i].end())
      return &it->second;
  }
  return nullptr;
}

Parser::Symbol& Parser::declareSymbol(std::string_view name) {
  return m_scopes.back()[name];
}

uint32_t Parser::modifierWord(std::string_view word) const {
  for (const ModifierWord& m : kModifiers)
    if (m.word == word)
      return m.bit;
  return 0;
}

uint32_t Parser::modifiers() {
  uint32_t bits = 0;
  while (peek().kind == TokenKind::Identifier) {
    uint32_t bit = modifierWord(peek().text);
    if (!bit)
      break;
    // "sample", "linear" and the like may be names of variables.
    if ((bit & (kModSample | kModLinear | kModCentroid)) && peek(1).kind != TokenKind::Identifier)
      break;
    if (bits & bit)
      m_diagnostics.error(peek().loc, 3048, "duplicate usages specified");
    bits |= bit;
    take();
  }
  if ((bits & kModRowMajor) && (bits & kModColumnMajor))
    m_diagnostics.error(peek().loc, 3048, "matrix types cannot be both column_major and row_major");
  if ((bits & kModNoInterpolation) && (bits & (kModLinear | kModNoPerspective | kModCentroid)))
    m_diagnostics.error(peek().loc, 3048, "constinterp usage cannot be used with linear, noperspective, or centroid usage");
  return bits;
}

const Type* Parser::builtinType(std::string_view name, bool& isName) {
  isName = true;
  if (name == "void")
    return m_types.voidType();
  if (name == "string")
    return m_types.stringType();
  for (const BaseWord& b : kBases) {
    if (name.substr(0, b.word.size()) != b.word)
      continue;
    std::string_view rest = name.substr(b.word.size());
    if (rest.empty())
      return m_types.scalar(b.base);
    if (rest.size() == 1 && rest[0] >= '1' && rest[0] <= '4')
      return m_types.vector(b.base, uint32_t(rest[0] - '0'));
    if (rest.size() == 3 && rest[1] == 'x' && rest[0] >= '1' && rest[0] <= '4' && rest[2] >= '1' && rest[2] <= '4')
      return m_types.matrix(b.base, uint32_t(rest[0] - '0'), uint32_t(rest[2] - '0'));
  }
  isName = false;
  return nullptr;
}

bool Parser::startsType(size_t ahead) {
  const Token& t = peek(ahead);
  if (t.is("::") || (t.kind == TokenKind::Identifier && peek(ahead + 1).is("::"))) {
    size_t length = 0;
    Symbol* s = qualified(ahead, length);
    return s && s->type && !s->var && s->field < 0;
  }
  if (t.kind != TokenKind::Identifier)
    return false;
  if (Symbol* s = lookup(t.text))
    return s->type != nullptr && !s->var && s->field < 0;
  bool isName = false;
  builtinType(t.text, isName);
  return isName || t.text == "vector" || t.text == "matrix" || t.text == "Vector" || t.text == "Matrix" || t.text == "unsigned" || t.text == "struct" || t.text == "class" || t.text == "FLOAT" || t.text == "VECTOR" || t.text == "MATRIX" ||
         findObject(t.text) != nullptr;
}

const Type* Parser::templateVectorOrMatrix(bool matrix) {
  Base base = Base::Float;
  uint32_t n[2] = {4, 4};
  if (accept("<")) {
    uint32_t mods = 0;
    const Location at = peek().loc;
    const Type* t = typeSpecifier(mods);
    if (failed())
      return m_types.error();
    if (!t->isScalar()) {
      m_diagnostics.error(at, matrix ? 3123 : 3122, matrix ? "matrix element type must be a scalar type" : "vector element type must be a scalar type");
      t = m_types.scalar(Base::Float);
    }
    base = t->base;
    for (int i = 0; i < (matrix ? 2 : 1); i++) {
      expect(",");
      const Location where = peek().loc;
      bool saved = m_inTemplate;
      m_inTemplate = true;
      Expr* e = binary(4);
      m_inTemplate = saved;
      ConstantValue v;
      if (failed())
        return m_types.error();
      const bool literal = evaluateConstant(e, v);
      int64_t k = literal ? v.asInt() : 4;
      if (!literal)
        m_diagnostics.error(where, matrix ? 3061 : 3060, matrix ? "matrix dimensions must be literal scalar expressions" : "vector dimension must be a literal scalar expression");
      if (k < 1 || k > 4) {
        m_diagnostics.error(where, matrix ? 3053 : 3052, matrix ? "matrix dimensions must be between 1 and 4" : "vector dimension must be between 1 and 4");
        k = 4;
      }
      n[i] = uint32_t(k);
    }
    expect(">");
  }
  return matrix ? m_types.matrix(base, n[0], n[1]) : m_types.vector(base, n[0]);
}

const Type* Parser::objectType(ObjectKind kind, std::string_view name) {
  const ObjectWord* word = findObject(name);
  const Type* element = nullptr;
  uint32_t samples = 0;
  uint8_t normalized = 0;
  if (kind >= ObjectKind::PointStream && kind <= ObjectKind::OutputPatch)
    return stageObjectType(kind);
  bool typed = kind >= ObjectKind::Buffer && kind < ObjectKind::Sampler && kind != ObjectKind::ByteAddressBuffer && kind != ObjectKind::RwByteAddressBuffer;
  if (typed) {
    if (accept("<")) {
      uint32_t mods = modifiers();
      normalized = mods & kModUnorm ? 1 : mods & kModSnorm ? 2 : 0;
      const Location at = peek().loc;
      element = typeSpecifier(mods);
      if (mods & kModUnorm)
        normalized = 1;
      if (mods & kModSnorm)
        normalized = 2;
      if (failed())
        return m_types.error();
      bool structured = kind >= ObjectKind::StructuredBuffer;
      if (element->isObject())
        m_diagnostics.error(at, 3124, "object element type cannot be an object type");
      else if (!structured && (element->slots > 4 || element->slots == 0 || element->isMatrix() || element->isArray()))
        m_diagnostics.error(at, 3037, "elements of typed buffers and textures must fit in four 32-bit quantities");
      if (accept(",")) {
        const Location where = peek().loc;
        bool saved = m_inTemplate;
        m_inTemplate = true;
        Expr* e = binary(4);
        m_inTemplate = saved;
        ConstantValue v;
        if (failed())
          return m_types.error();
        if (!evaluateConstant(e, v) || v.asInt() < 0 || v.asInt() > 128)
          m_diagnostics.error(where, 3000, "sample count must be a literal");
        else
          samples = uint32_t(v.asInt());
      }
      expect(">");
    } else {
      element = m_types.vector(Base::Float, 4);
    }
  }
  return m_types.object(kind, element, samples, word ? word->samplerDim : uint8_t(0), normalized);
}

/// TriangleStream<T> and its like, InputPatch<T, n>, OutputPatch<T, n>.
const Type* Parser::stageObjectType(ObjectKind kind) {
  const bool patch = kind == ObjectKind::InputPatch || kind == ObjectKind::OutputPatch;
  expect("<");
  uint32_t mods = 0, count = 0;
  const Location at = peek().loc;
  const Type* element = typeSpecifier(mods);
  if (failed())
    return m_types.error();
  if (element->hasObjects || element->isVoid())
    m_diagnostics.error(at, 3124, "object element type cannot be an object type");
  if (patch) {
    expect(",");
    const Location where = peek().loc;
    const bool saved = m_inTemplate;
    m_inTemplate = true;
    Expr* e = binary(4);
    m_inTemplate = saved;
    ConstantValue v;
    if (failed())
      return m_types.error();
    if (!evaluateConstant(e, v) || v.asInt() < 1 || v.asInt() > 64) {
      m_diagnostics.error(where, 3000, "patch size must be between 1 and 64");
      return m_types.error();
    }
    count = uint32_t(v.asInt());
  }
  expect(">");
  return m_types.object(kind, element, count);
}

const Type* Parser::typeSpecifier(uint32_t& mods) {
  DepthGuard guard(*this); // vector<vector<...
  mods |= modifiers();
  const Token t = peek();
  size_t length = 0;
  Symbol* known = t.kind == TokenKind::Identifier || t.is("::") ? qualified(0, length) : nullptr;
  if (t.kind != TokenKind::Identifier && !known) {
    unexpected();
    return m_types.error();
  }
  const Type* type = nullptr;
  if (length > 1 && known && known->type && known->field < 0) {
    while (length--)
      take();
    type = known->type;
  } else if (t.text == "struct" || t.text == "class") {
    take();
    type = structSpecifier(t.text == "class");
  } else if (t.text == "unsigned") {
    take();
    if (acceptWord("int"))
      type = m_types.scalar(Base::Uint);
    else if (peek().kind == TokenKind::Identifier && startsType()) {
      bool isName = false;
      const Type* b = builtinType(take().text, isName);
      if (!b || !b->isNumeric() || (b->base != Base::Int && b->base != Base::Uint))
        m_diagnostics.error(t.loc, 3085, "unsigned can not be used with type");
      type = b && b->isNumeric() ? m_types.withBase(b, Base::Uint) : m_types.scalar(Base::Uint);
    } else {
      type = m_types.scalar(Base::Uint);
    }
  } else if (Symbol* s = lookup(t.text); s && s->type && s->field < 0) {
    take();
    type = s->type;
    if (at("<")) {
      m_diagnostics.fatal(t.loc, 3096, "'" + std::string(t.text) + "': not a template type");
      return m_types.error();
    }
    if (s->ordered && type->isMatrix() && (mods & (type->order == Order::RowMajor ? kModColumnMajor : kModRowMajor)))
      m_diagnostics.error(t.loc, 3048, "matrix types cannot be both column_major and row_major");
  } else if (t.text == "vector" || t.text == "Vector" || t.text == "VECTOR") {
    take();
    type = templateVectorOrMatrix(false);
  } else if (t.text == "matrix" || t.text == "Matrix" || t.text == "MATRIX") {
    take();
    type = templateVectorOrMatrix(true);
  } else if (t.text == "FLOAT") {
    take();
    type = m_types.scalar(Base::Float);
  } else if (const ObjectWord* o = findObject(t.text)) {
    take();
    type = objectType(o->kind, t.text);
  } else {
    bool isName = false;
    type = builtinType(t.text, isName);
    if (!isName) {
      m_diagnostics.fatal(t.loc, 3000, "unrecognized identifier '" + std::string(t.text) + "'");
      return m_types.error();
    }
    take();
  }
  mods |= modifiers(); // "float4 const x"
  if ((mods & (kModSnorm | kModUnorm)) && !(type->isNumeric() && isFloatBase(type->base)))
    m_diagnostics.error(t.loc, 3085, mods & kModSnorm ? "snorm can not be used with type" : "unorm can not be used with type");
  return applyOrder(type, mods);
}

const Type* Parser::applyOrder(const Type* t, uint32_t mods) {
  if (t->isMatrix() && t->order == Order::Unspecified) {
    Order order = mods & kModRowMajor ? Order::RowMajor : mods & kModColumnMajor ? Order::ColumnMajor : rowMajorHere() ? Order::RowMajor : Order::ColumnMajor;
    return m_types.matrix(t->base, t->rows, t->cols, order);
  }
  if (t->isMatrix() && (mods & (kModRowMajor | kModColumnMajor)))
    return m_types.matrix(t->base, t->rows, t->cols, mods & kModRowMajor ? Order::RowMajor : Order::ColumnMajor);
  if (mods & (kModRowMajor | kModColumnMajor)) {
    const Type* e = t;
    while (e->isArray())
      e = e->element;
    if (!e->isMatrix() && !e->isError())
      m_diagnostics.error(peek().loc, 3077, "non-matrix types cannot be declared 'row_major' or 'column_major'");
  }
  return t;
}

bool Parser::constantDimension(uint32_t& n) {
  const Location at = peek().loc;
  Expr* e = conditional();
  if (failed())
    return false;
  ConstantValue v;
  if (e->type->isError()) {
    n = 1;
    return true;
  }
  if (!evaluateConstant(e, v) || isFloatBase(v.base)) {
    m_diagnostics.error(e->loc.line ? e->loc : at, 3058, "array dimensions must be literal scalar expressions");
    n = 1;
    return true;
  }
  if (v.asInt() < 1 || v.asInt() > 65536) {
    m_diagnostics.error(e->loc, 3059, "array dimension must be between 1 and 65536");
    n = 1;
    return true;
  }
  n = uint32_t(v.asInt());
  return true;
}

const Type* Parser::arraySuffix(const Type* element, bool allowUnsized, std::vector<uint32_t>* outDims) {
  std::vector<uint32_t> dims;
  while (at("[") && !failed()) {
    const Location where = take().loc;
    if (accept("]")) {
      if (!dims.empty())
        m_diagnostics.error(where, 3073, "secondary array dimensions must be explicit");
      else if (!allowUnsized)
        m_diagnostics.error(where, 3072, "array dimensions of type must be explicit");
      dims.push_back(allowUnsized && dims.empty() ? 0 : 1);
      continue;
    }
    uint32_t n = 1;
    constantDimension(n);
    dims.push_back(n);
    expect("]");
    if (dims.size() > kMaxDimensions && !failed())
      m_diagnostics.fatal(where, 3059, "too many array dimensions");
  }
  if (failed())
    return m_types.error();
  const Type* t = element;
  for (size_t i = dims.size(); i-- > 0;)
    t = m_types.array(t, dims[i]);
  if (t->slots > (1u << 18) && !failed()) {
    m_diagnostics.fatal(peek().loc, 3059, "array is too large");
    return m_types.error();
  }
  if (outDims)
    *outDims = dims;
  return t;
}

const Type* Parser::structSpecifier(bool isClass) {
  std::string_view name;
  Location at = peek().loc;
  if (peek().kind == TokenKind::Identifier) {
    Token t = take();
    name = t.text;
    at = t.loc;
  }
  if (!at.line)
    return m_types.error();
  if (!this->at("{") && !this->at(":")) { // "struct Foo x"
    Symbol* s = lookup(name);
    if (s && s->type)
      return s->type;
    if (!accept(";"))
      m_diagnostics.fatal(at, 3000, "unrecognized identifier '" + std::string(name) + "'");
    return m_types.error();
  }
  Type* type = m_types.structure(std::string(name));
  type->structure->isClass = isClass;
  if (accept(":"))
    baseList(type);
  if (!name.empty()) {
    auto it = m_scopes.back().find(name);
    if (it != m_scopes.back().end() && (it->second.type || it->second.var))
      m_diagnostics.error(at, 3003, "redefinition of '" + std::string(name) + "'");
    Symbol fresh;
    fresh.type = type;
    m_scopes.back()[name] = fresh;
  }
  expect("{");
  const size_t pending = m_pending.size();
  m_classDepth++;
  while (!this->at("}") && !failed() && peek().kind != TokenKind::End)
    structMember(type);
  m_classDepth--;
  expect("}");
  m_types.finish(type);
  checkInterfaces(type, at);
  parsePendingBodies(pending);
  if (type->slots > (1u << 18)) {
    m_diagnostics.fatal(at, 3059, "structure is too large");
    return m_types.error();
  }
  return type;
}

void Parser::structMember(Type* type) {
  DepthGuard guard(*this);
  if (accept(";"))
    return;
  const Location first = peek().loc;
  uint32_t mods = 0;
  const Type* base = typeSpecifier(mods);
  if (failed())
    return;
  struct {
    uint32_t bit;
    int number;
    const char* word;
  } const bad[] = {{kModExtern, 3006, "extern"}, {kModUniform, 3047, "uniform"}, {kModGroupShared, 3010, "groupshared"}, {kModConst, 3035, "const"}, {kModVolatile, 3008, "volatile"}, {kModShared, 3010, "shared"}};
  for (auto& b : bad)
    if (mods & b.bit) {
      std::string n = peek().kind == TokenKind::Identifier ? std::string(peek().text) : std::string();
      m_diagnostics.error(peek().loc, b.number, "'" + n + "': struct/class members cannot be declared '" + b.word + "'");
    }
  if (accept(";"))
    return;
  do {
    Token name = take();
    if (name.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      return;
    }
    if (at("(")) {
      methodRest(type, base, mods, name);
      return;
    }
    if (mods & kModStatic) {
      Declarator d{name.text, arraySuffix(base, true), name.loc};
      m_scopes.emplace_back();
      VarDecl* v = variable(d.type, mods, d, true, nullptr);
      m_scopes.pop_back();
      type->structure->statics.push_back(v);
      continue;
    }
    Field f;
    f.name = name.text;
    f.loc = name.loc;
    f.modifiers = mods;
    std::vector<uint32_t> dims;
    f.type = arraySuffix(base, true, &dims);
    if (!dims.empty() && dims[0] == 0) {
      m_diagnostics.error(name.loc, 3072, "'" + std::string(name.text) + "': array dimensions of struct/class members must be explicit");
      f.type = base;
    }
    if (f.type->isVoid()) {
      m_diagnostics.error(first, 3038, "'" + std::string(name.text) + "': struct/class members cannot be declared 'void'");
      f.type = m_types.error();
    }
    if (f.type->isInterface())
      m_diagnostics.error(name.loc, 3110, "'" + std::string(name.text) + "': interfaces cannot be members");
    const Type* innermost = f.type;
    while (innermost->isArray())
      innermost = innermost->element;
    if (innermost->isStruct() && !innermost->structure->complete) {
      m_diagnostics.error(name.loc, 3111, "'" + std::string(name.text) + "': types cannot contain members of their own type");
      f.type = m_types.error();
    }
    Binding ignored;
    semanticsAndBindings(f.semantic, nullptr, &ignored);
    for (const Field& other : type->structure->fields)
      if (other.name == f.name)
        m_diagnostics.error(name.loc, 3003, "redefinition of '" + std::string(name.text) + "'");
    type->structure->fields.push_back(f);
    annotations();
  } while (accept(","));
  expect(";");
}

} // namespace monolith::compiler
