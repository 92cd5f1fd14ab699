// SPDX-License-Identifier: MIT
// The grammar of expressions.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"
#include "compiler/types/intrinsics.h"

#include <cmath>
#include <cstdlib>

#include <limits>

namespace monolith::compiler {

namespace {

struct BinaryRow {
  std::string_view text;
  int precedence;
  Operator op;
};
constexpr BinaryRow kBinary[] = {
    {"||", 1, Operator::LogicalOr}, {"&&", 2, Operator::LogicalAnd}, {"|", 3, Operator::Or},   {"^", 4, Operator::Xor},       {"&", 5, Operator::And},           {"==", 6, Operator::Equal},
    {"!=", 6, Operator::NotEqual},  {"<", 7, Operator::Less},        {">", 7, Operator::Greater}, {"<=", 7, Operator::LessEqual}, {">=", 7, Operator::GreaterEqual}, {"<<", 8, Operator::Shl},
    {">>", 8, Operator::Shr},       {"+", 9, Operator::Add},         {"-", 9, Operator::Sub},  {"*", 10, Operator::Mul},      {"/", 10, Operator::Div},          {"%", 10, Operator::Mod}};

struct AssignRow {
  std::string_view text;
  Operator op;
};
constexpr AssignRow kAssign[] = {{"=", Operator::None}, {"+=", Operator::Add}, {"-=", Operator::Sub}, {"*=", Operator::Mul},  {"/=", Operator::Div}, {"%=", Operator::Mod},
                                 {"&=", Operator::And}, {"|=", Operator::Or},  {"^=", Operator::Xor}, {"<<=", Operator::Shl}, {">>=", Operator::Shr}};

constexpr size_t kMaxNodes = 400000;
constexpr int kMaxPostfix = 500; ///< a.x.x.x[0][0]...

/// Words that begin or end statements and are never names.
bool isReserved(std::string_view word) {
  static constexpr std::string_view words[] = {"if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "discard", "struct", "class", "interface",
                                               "namespace", "typedef", "cbuffer", "tbuffer", "register", "packoffset", "void", "in", "out", "inout", "static", "const", "uniform"};
  for (std::string_view w : words)
    if (w == word)
      return true;
  return false;
}

} // namespace

Expr* Parser::expression() {
  Expr* e = assignment();
  if (!at(","))
    return e;
  while (accept(",") && !failed()) {
    Expr* c = m_program.arena.expr();
    c->kind = ExprKind::Comma;
    c->a = e;
    c->b = assignment();
    c->type = c->b->type;
    c->loc = span(e->loc, c->b->loc);
    e = c;
  }
  return e;
}

Expr* Parser::assignment() {
  DepthGuard guard(*this);
  if (failed())
    return errorExpr({});
  if (++m_nodeBudget > kMaxNodes)
    m_diagnostics.fatal(peek().loc, 3000, "the program is too large");
  Expr* a = conditional();
  if (peek().kind != TokenKind::Punctuator)
    return a;
  for (const AssignRow& r : kAssign)
    if (at(r.text)) {
      take();
      Expr* b = at("{") ? initializer(a->type, a->loc, {}) : assignment();
      if (failed())
        return errorExpr(a->loc);
      if (b->kind == ExprKind::InitList && !b->type)
        b = initListToType(b, a->type, {});
      return makeAssign(r.op, a, b, span(a->loc, b->loc));
    }
  return a;
}

Expr* Parser::conditional() {
  DepthGuard guard(*this);
  Expr* c = binary(1);
  if (!at("?"))
    return c;
  take();
  Expr* a = assignment();
  expect(":");
  Expr* b = assignment();
  if (failed())
    return errorExpr(c->loc);
  return makeConditional(c, a, b, span(c->loc, b->loc));
}

Expr* Parser::binary(int minimum) {
  Expr* a = unary();
  while (peek().kind == TokenKind::Punctuator && !failed()) {
    const BinaryRow* row = nullptr;
    for (const BinaryRow& r : kBinary)
      if (r.precedence >= minimum && at(r.text))
        row = &r;
    if (!row || (m_inTemplate && row->text[0] == '>'))
      break;
    take();
    if (++m_nodeBudget > kMaxNodes)
      m_diagnostics.fatal(peek().loc, 3000, "the program is too large");
    Expr* b = binary(row->precedence + 1);
    if (failed())
      return errorExpr(a->loc);
    a = makeBinary(row->op, a, b, span(a->loc, b->loc));
  }
  return a;
}

bool Parser::startsCast() {
  if (!at("(") || !(startsType(1) || (peek(1).kind == TokenKind::Identifier && modifierWord(peek(1).text) && !lookup(peek(1).text))))
    return false;
  // "(float3(...))" is an expression, "(float3)x" and "(float[2])x" are casts.
  if (peek(2).is("(") || peek(2).is("."))
    return false;
  return true;
}

Expr* Parser::unary() {
  DepthGuard guard(*this);
  if (failed())
    return errorExpr({});
  const Token t = peek();
  if (t.kind == TokenKind::Punctuator) {
    if (t.text == "++" || t.text == "--") {
      take();
      Expr* a = unary();
      return makeIncDec(a, t.text == "++", true, span(t.loc, a->loc));
    }
    Operator op = t.text == "-" ? Operator::Negate : t.text == "!" ? Operator::Not : t.text == "~" ? Operator::Complement : Operator::None;
    if (op != Operator::None || t.text == "+") {
      take();
      Expr* a = unary();
      return op == Operator::None ? a : makeUnary(op, a, span(t.loc, a->loc));
    }
    if (startsCast()) {
      take();
      uint32_t mods = 0;
      const Type* type = typeSpecifier(mods);
      type = arraySuffix(type, false);
      expect(")");
      Expr* a = unary();
      if (failed() || a->type->isError() || type->isError())
        return errorExpr(t.loc);
      if (!explicitConversion(a->type, type)) {
        m_diagnostics.error(span(t.loc, a->loc), 3017, "cannot convert from '" + typeName(a->type) + "' to '" + typeName(type) + "'");
        return errorExpr(t.loc);
      }
      Expr* e = makeCast(a, type, false);
      e->loc = span(t.loc, a->loc);
      return e;
    }
  }
  return postfix();
}

Expr* Parser::postfix() {
  Expr* e = primary();
  for (int links = 0; !failed(); links++) {
    const Token t = peek();
    if (links > kMaxPostfix) {
      m_diagnostics.fatal(t.loc, 3000, "syntax error: nesting is too deep");
    } else if (t.is("[")) {
      take();
      bool saved = m_inTemplate;
      m_inTemplate = false;
      Expr* i = expression();
      m_inTemplate = saved;
      const Location end = peek().loc;
      expect("]");
      if (failed())
        break;
      e = makeIndex(e, i, span(e->loc, end));
    } else if (t.is(".")) {
      take();
      Token name = take();
      if (name.kind != TokenKind::Identifier) {
        m_pos--;
        unexpected();
        break;
      }
      e = at("(") ? methodCall(e, name) : member(e, name);
    } else if (t.is("++") || t.is("--")) {
      take();
      e = makeIncDec(e, t.text == "++", false, span(e->loc, t.loc));
    } else {
      break;
    }
  }
  return e;
}

Expr* Parser::literal(const Token& t) {
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Literal;
  e->loc = t.loc;
  std::string s(t.text);
  bool hex = s.size() > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  bool isFloat = !hex && (s.find('.') != std::string::npos || s.find_first_of("eE") != std::string::npos || s.find_first_of("fFhH") != std::string::npos);
  if (isFloat) {
    char* end = nullptr;
    double v = strtod(s.c_str(), &end);
    std::string suffix = end;
    if (suffix[0] == '#') { // 1.#INF, 1.#IND, 1.#QNAN
      v = suffix.compare(0, 4, "#INF") == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      suffix.clear();
    }
    Base base = Base::Float;
    bool bad = suffix.size() > 1;
    if (!suffix.empty()) {
      char c = suffix[0];
      if (c == 'h' || c == 'H')
        base = Base::Half;
      else if (c == 'l' || c == 'L')
        base = Base::Double;
      else if (c != 'f' && c != 'F')
        bad = true;
    }
    if (bad)
      m_diagnostics.fatal(t.loc, 3000, "syntax error: unexpected token '" + suffix + "'");
    e->type = m_types.scalar(base);
    e->f = base == Base::Double ? v : double(float(v));
    return e;
  }
  size_t p = hex ? 2 : 0;
  unsigned radix = hex ? 16 : s.size() > 1 && s[0] == '0' ? 8 : 10;
  uint64_t v = 0;
  bool truncated = false;
  for (; p < s.size(); p++) {
    char c = s[p];
    unsigned d = c >= '0' && c <= '9' ? unsigned(c - '0') : c >= 'a' && c <= 'f' ? unsigned(c - 'a' + 10) : c >= 'A' && c <= 'F' ? unsigned(c - 'A' + 10) : 99;
    if (d >= radix)
      break;
    v = v * radix + d;
    truncated = truncated || v > 0xffffffffull;
    v &= 0xffffffffull;
  }
  if (truncated)
    m_diagnostics.error(t.loc, radix == 16 ? 1002 : radix == 8 ? 1003 : 1004, std::string(radix == 16 ? "hex" : radix == 8 ? "octal" : "decimal") + " value truncated to 32 bits");
  bool uns = false, bad = hex && s.size() == 2;
  for (; p < s.size(); p++) {
    if (s[p] == 'u' || s[p] == 'U')
      uns = true;
    else if (s[p] != 'l' && s[p] != 'L')
      bad = true;
  }
  if (bad)
    m_diagnostics.fatal(t.loc, 3000, "syntax error: unexpected token '" + s + "'");
  e->type = m_types.scalar(uns || v > 0x7fffffffull ? Base::Uint : Base::Int);
  e->u = v;
  return e;
}

Expr* Parser::primary() {
  if (failed())
    return errorExpr({});
  const Token t = peek();
  if (t.is("(")) {
    take();
    bool saved = m_inTemplate;
    m_inTemplate = false;
    Expr* e = expression();
    m_inTemplate = saved;
    expect(")");
    return e;
  }
  if (t.kind == TokenKind::Number) {
    take();
    return literal(t);
  }
  if (t.kind == TokenKind::String) {
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::String;
    e->type = m_types.stringType();
    e->loc = t.loc;
    while (peek().kind == TokenKind::String)
      take();
    return e;
  }
  if (t.kind == TokenKind::Identifier || (t.is("::") && peek(1).kind == TokenKind::Identifier))
    return identifier(t);
  unexpected();
  return errorExpr(t.loc);
}

Expr* Parser::identifier(const Token& first) {
  size_t length = 0;
  Symbol* s = qualified(0, length);
  if (length > 1 && !(s && s->type && s->field < 0)) {
    while (--length)
      take(); // what is left is the name itself
    if (!s) {
      m_diagnostics.error(peek().loc, 3004, "undeclared identifier '" + std::string(peek().text) + "'");
      take();
      if (at("(")) {
        arguments();
        expect(")");
      }
      return errorExpr(first.loc);
    }
  }
  const Token t = peek();
  if (!s && isReserved(t.text)) {
    unexpected();
    return errorExpr(t.loc);
  }
  if (!s && t.text == "this" && m_function && m_function->self)
    return thisExpr(take().loc);
  if (!s && (t.text == "true" || t.text == "false" || t.text == "NULL")) {
    take();
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Literal;
    e->type = m_types.scalar(Base::Bool);
    e->u = t.text == "true";
    e->loc = t.loc;
    return e;
  }
  if (s && s->field >= 0) {
    take();
    return fieldOfThis(*s, t.loc);
  }
  if (peek(1).is("(") && s && !s->functions.empty())
    return call(take(), s);
  if (peek(1).is("(") && !(s && s->type)) {
    bool isName = false;
    if (!s)
      builtinType(t.text, isName);
    if (s || (!isName && t.text != "vector" && t.text != "matrix"))
      return call(take(), s);
  }
  if (startsType() || (!s && t.text == "unsigned")) {
    uint32_t mods = 0;
    const Type* type = typeSpecifier(mods);
    if (failed())
      return errorExpr(t.loc);
    if (!at("(")) {
      unexpected();
      return errorExpr(t.loc);
    }
    return construct(type, t.loc);
  }
  take();
  if (s && s->var) {
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Var;
    e->var = s->var;
    e->type = s->var->type;
    e->loc = t.loc;
    e->lvalue = true;
    s->var->used = true;
    bool uniform = s->var->global && !(s->var->modifiers & (kModStatic | kModGroupShared));
    e->constant = (s->var->modifiers & kModConst) || (uniform && !m_options.compatibility);
    return e;
  }
  if (s && !s->functions.empty())
    m_diagnostics.error(t.loc, 3005, "identifier '" + std::string(t.text) + "' is a function and cannot be used as a value");
  else
    m_diagnostics.error(t.loc, 3004, "undeclared identifier '" + std::string(t.text) + "'");
  return errorExpr(t.loc);
}

std::vector<Expr*> Parser::arguments() {
  std::vector<Expr*> args;
  expect("(");
  bool saved = m_inTemplate;
  m_inTemplate = false;
  while (!at(")") && !failed()) {
    args.push_back(assignment());
    if (!accept(","))
      break;
  }
  m_inTemplate = saved;
  return args; // ')' is left for the caller, who wants its place
}

Expr* Parser::construct(const Type* type, const Location& start) {
  std::vector<Expr*> args = arguments();
  const Location at = span(start, peek().loc);
  expect(")");
  if (failed())
    return errorExpr(at);
  for (Expr* a : args)
    if (a->type->isError())
      return errorExpr(at);
  if (!type->isNumeric()) {
    m_diagnostics.error(at, 3037, "constructors only defined for numeric base types");
    return errorExpr(at);
  }
  uint64_t n = 0;
  for (Expr* a : args) {
    if (!a->type->isNumeric() && !(a->type->slots && !a->type->hasObjects)) {
      m_diagnostics.error(a->loc, 3017, "cannot convert from '" + typeName(a->type) + "' to '" + typeName(type) + "'");
      return errorExpr(at);
    }
    n += a->type->slots;
  }
  if (args.size() == 1 && type->components() != n && explicitConversion(args[0]->type, type) && (n == 1 || type->isScalar()|| args[0]->type->isNumeric()))
    return makeCast(args[0], type, false);
  if (n != type->components()) {
    m_diagnostics.error(at, 3014, "incorrect number of arguments to numeric-type constructor");
    return errorExpr(at);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Construct;
  e->type = type;
  e->loc = at;
  e->args = std::move(args);
  return e;
}

Expr* Parser::call(const Token& name, Symbol* s) {
  std::vector<Expr*> args = arguments();
  const Location at = span(name.loc, peek().loc);
  expect(")");
  if (failed())
    return errorExpr(at);
  for (Expr* a : args)
    if (a->type->isError())
      return errorExpr(at);
  if (s && !s->functions.empty()) {
    const bool method = s->functions[0]->owner != nullptr;
    return userCall(name, std::vector<FunctionDecl*>(s->functions), std::move(args), at, method && m_function && m_function->self ? thisExpr(name.loc) : nullptr);
  }
  if (const Intrinsic* i = findIntrinsic(name.text, args.size()))
    return intrinsicCall(name, *i, std::move(args), at);
  if (name.text.substr(0, 3) == "tex" && name.text.size() >= 5)
    return oldSampleCall(name, std::move(args), at);
  if (name.text == "abort" || name.text == "errorf" || name.text == "printf") {
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Construct;
    e->type = m_types.voidType();
    e->loc = at;
    return e;
  }
  m_diagnostics.error(name.loc, 3004, "undeclared identifier '" + std::string(name.text) + "'");
  return errorExpr(at);
}

Expr* Parser::member(Expr* base, const Token& name) {
  const Type* t = base->type;
  if (t->isError())
    return base;
  const Location at = span(base->loc, name.loc);
  if (lacksIndex(base))
    return errorExpr(at);
  if (t->isStruct()) {
    const auto& fields = t->structure->fields;
    for (uint32_t i = 0; i < fields.size(); i++)
      if (fields[i].name == name.text) {
        Expr* e = m_program.arena.expr();
        e->kind = ExprKind::Member;
        e->a = base;
        e->field = i;
        e->type = fields[i].type;
        e->loc = at;
        e->lvalue = base->lvalue;
        e->constant = base->constant;
        return e;
      }
  } else if (t->isMatrix()) {
    if (Expr* e = matrixSwizzle(base, name))
      return e;
  } else if (t->isNumeric()) {
    if (Expr* e = swizzle(base, name))
      return e;
  } else if (t->isPatch() && name.text == "Length") {
    return integerLiteral(t->count, at);
  } else if (t->isTexture() && (name.text == "mips" || name.text == "sample")) {
    Expr* e = m_program.arena.expr();
    e->kind = ExprKind::Member;
    e->a = base;
    e->field = ~0u;
    e->type = t;
    e->loc = at;
    return e;
  }
  m_diagnostics.error(name.loc, 3018, "invalid subscript '" + std::string(name.text) + "'");
  return errorExpr(at);
}

} // namespace monolith::compiler
