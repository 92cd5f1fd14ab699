// SPDX-License-Identifier: MIT
// Statements.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

#include <set>
#include <utility>

namespace monolith::compiler {

Stmt* Parser::block(bool ownScope) {
  DepthGuard guard(*this);
  Stmt* s = m_program.arena.stmt();
  s->kind = StmtKind::Block;
  s->loc = peek().loc;
  expect("{");
  if (ownScope)
    m_scopes.emplace_back();
  while (!at("}") && peek().kind != TokenKind::End && !failed())
    s->body.push_back(statement());
  if (ownScope)
    m_scopes.pop_back();
  expect("}");
  return s;
}

Stmt* Parser::declarationStatement() {
  Stmt* s = m_program.arena.stmt();
  s->kind = StmtKind::Decl;
  s->loc = peek().loc;
  uint32_t mods = 0;
  const Type* base = typeSpecifier(mods);
  if (failed() || accept(";"))
    return s;
  do {
    Token name = take();
    if (failed())
      return s;
    if (name.kind != TokenKind::Identifier) {
      m_pos--;
      unexpected();
      return s;
    }
    Declarator d{name.text, arraySuffix(base, true), name.loc};
    s->vars.push_back(variable(d.type, mods, d, false, nullptr));
  } while (accept(","));
  expect(";");
  return s;
}

void Parser::applyAttributes(Stmt* s, const std::vector<Attribute>& list) {
  const bool loop = s->kind == StmtKind::For || s->kind == StmtKind::While || s->kind == StmtKind::DoWhile;
  struct Known {
    std::string_view name;
    uint32_t bit;
    int where; ///< 1 loop, 2 if, 4 switch
  };
  static constexpr Known known[] = {{"unroll", kAttrUnroll, 1},     {"loop", kAttrLoop, 1},           {"fastopt", kAttrFastOpt, 1}, {"allow_uav_condition", kAttrAllowUav, 1},
                                    {"branch", kAttrBranch, 6},     {"flatten", kAttrFlatten, 6},     {"forcecase", kAttrForceCase, 4}, {"call", kAttrCall, 4},
                                    {"earlydepthstencil", 0, 0}};
  const int where = loop ? 1 : s->kind == StmtKind::If ? 2 : s->kind == StmtKind::Switch ? 4 : 0;
  for (const Attribute& a : list) {
    const Known* k = nullptr;
    std::string lower = a.name;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z')
        c = char(c - 'A' + 'a');
    for (const Known& c : known)
      if (c.name == lower && (c.where & where))
        k = &c;
    if (!k) {
      std::string text = "unknown attribute " + a.name + ", or attribute invalid for this statement";
      if (loop)
        text += ", valid attributes are: loop, fastopt, unroll, allow_uav_condition";
      else if (s->kind == StmtKind::If)
        text += ", valid attributes are: branch, flatten";
      else if (s->kind == StmtKind::Switch)
        text += ", valid attributes are: branch, call, flatten, forcecase";
      s->attributeWarnings.emplace_back(a.loc, text);
      continue;
    }
    s->attributes |= k->bit;
    if (k->bit == kAttrUnroll && !a.args.empty()) {
      ConstantValue v;
      if (!a.args[0]->type->isError() && a.args[0]->type->isNumeric() && isFloatBase(a.args[0]->type->base)) {
        s->attributes &= ~uint32_t(kAttrUnroll);
        s->attributeWarnings.emplace_back(a.loc, "cannot match attribute unroll, parameter 1 is expected to be of type int");
        s->attributeWarnings.emplace_back(a.loc, "unknown attribute unroll, or attribute invalid for this statement, valid attributes are: loop, fastopt, unroll, allow_uav_condition");
        continue;
      }
      if (!evaluateConstant(a.args[0], v) || isFloatBase(v.base) || v.asInt() < 0)
        m_diagnostics.error(a.loc, 3084, "cannot match attribute unroll, non-uint parameters found");
      else
        s->unrollCount = uint32_t(v.asInt());
    }
  }
  if ((s->attributes & kAttrBranch) && (s->attributes & kAttrFlatten))
    m_diagnostics.error(s->loc, 3524, "can't use branch and flatten attributes together");
  if ((s->attributes & kAttrUnroll) && (s->attributes & kAttrLoop))
    m_diagnostics.error(s->loc, 3524, "can't use loop and unroll attributes together");
  if ((s->attributes & kAttrUnroll) && (s->attributes & kAttrFastOpt))
    m_diagnostics.error(s->loc, 3524, "can't use fastopt and unroll attributes together");
}

Expr* Parser::conditionExpr(Expr* e) {
  if (e->type->isError())
    return e;
  if (e->type->isNumeric() && e->type->components() == 1)
    return makeCast(e, m_types.scalar(Base::Bool), true);
  m_diagnostics.error(e->loc, 3019, "if statement conditional expressions must evaluate to a scalar");
  return errorExpr(e->loc);
}

Stmt* Parser::ifStatement() {
  Stmt* s = m_program.arena.stmt();
  s->kind = StmtKind::If;
  s->loc = take().loc;
  expect("(");
  s->expr = conditionExpr(expression());
  expect(")");
  m_scopes.emplace_back();
  s->then = statement();
  m_scopes.pop_back();
  if (acceptWord("else")) {
    m_scopes.emplace_back();
    s->otherwise = statement();
    m_scopes.pop_back();
  }
  return s;
}

Stmt* Parser::loopStatement() {
  Stmt* s = m_program.arena.stmt();
  Token word = take();
  s->loc = word.loc;
  m_scopes.emplace_back();
  const int switches = std::exchange(m_switchDepth, 0);
  // A loop variable stays visible behind the loop, as in old C++; fxc warns when two of them meet (X3078). Here each
  // loop has a scope, and the variable is copied out of it below.
  if (word.text == "for") {
    s->kind = StmtKind::For;
    expect("(");
    if (!accept(";")) {
      if (startsType() && !peek(1).is("(")) {
        s->init = declarationStatement();
        for (const VarDecl* v : s->init->vars)
          for (size_t k = m_scopes.size() - 1; k-- > 1;)
            if (auto it = m_scopes[k].find(v->name); it != m_scopes[k].end() && it->second.var) {
              m_diagnostics.warning(v->loc, 3078, "'" + std::string(v->name) + "': loop control variable conflicts with a previous declaration in the outer scope; most recent declaration will be used");
              break;
            }
      } else {
        s->init = m_program.arena.stmt();
        s->init->kind = StmtKind::Expr;
        s->init->expr = expression();
        expect(";");
      }
    }
    if (!at(";"))
      s->expr = conditionExpr(expression());
    expect(";");
    if (!at(")"))
      s->step = expression();
    s->loc = span(s->loc, peek().loc);
    expect(")");
    m_loopDepth++;
    m_scopes.emplace_back();
    s->then = statement();
    m_scopes.pop_back();
    m_loopDepth--;
  } else if (word.text == "while") {
    s->kind = StmtKind::While;
    expect("(");
    s->expr = conditionExpr(expression());
    s->loc = span(s->loc, peek().loc);
    expect(")");
    m_loopDepth++;
    s->then = statement();
    m_loopDepth--;
  } else {
    s->kind = StmtKind::DoWhile;
    m_loopDepth++;
    s->then = statement();
    m_loopDepth--;
    if (!acceptWord("while"))
      unexpected();
    expect("(");
    if (!failed())
      s->expr = conditionExpr(expression());
    expect(")");
    expect(";");
  }
  m_scopes.pop_back();
  m_switchDepth = switches;
  if (s->init && s->init->kind == StmtKind::Decl)
    for (VarDecl* v : s->init->vars) {
      auto it = m_scopes.back().find(v->name);
      if (it == m_scopes.back().end()) {
        Symbol symbol;
        symbol.var = v;
        symbol.leaked = true;
        // Only a fall-back: a later declaration of the same name is no redefinition.
        if (!lookup(v->name))
          m_scopes.back()[v->name] = symbol;
      }
    }
  return s;
}

Stmt* Parser::switchStatement() {
  Stmt* s = m_program.arena.stmt();
  s->kind = StmtKind::Switch;
  s->loc = take().loc;
  expect("(");
  Expr* e = expression();
  expect(")");
  if (failed())
    return s;
  if (!e->type->isError()) {
    if (!e->type->isNumeric() || e->type->components() != 1)
      m_diagnostics.error(e->loc, 3082, "int or unsigned int type required");
    else if (!isIntegerBase(e->type->base))
      e = makeCast(e, m_types.scalar(Base::Int), true);
    else if (!e->type->isScalar())
      e = makeCast(e, m_types.scalar(e->type->base), true);
  }
  s->expr = e;
  expect("{");
  m_scopes.emplace_back();
  m_switchDepth++;
  std::set<int64_t> labels;
  int defaults = 0;
  while (!at("}") && peek().kind != TokenKind::End && !failed()) {
    if (atWord("case") || atWord("default")) {
      Stmt* label = m_program.arena.stmt();
      Token word = take();
      label->loc = word.loc;
      label->kind = word.text == "case" ? StmtKind::Case : StmtKind::Default;
      if (label->kind == StmtKind::Case) {
        label->expr = conditional();
        ConstantValue v;
        if (!failed() && !label->expr->type->isError() && !evaluateConstant(label->expr, v))
          m_diagnostics.error(label->expr->loc, 3020, "case expressions must be literal scalar values");
        else if (!failed() && !labels.insert(v.asInt()).second)
          m_diagnostics.error(label->loc, 3532, "duplicate case " + std::to_string(v.asInt()) + " in switch statement");
      } else if (defaults++) {
        m_diagnostics.error(label->loc, 3532, "duplicate default in switch statement");
      }
      expect(":");
      s->body.push_back(label);
      continue;
    }
    if (s->body.empty()) { // nothing comes before the first label
      unexpected();
      return s;
    }
    s->body.push_back(statement());
  }
  m_switchDepth--;
  m_scopes.pop_back();
  expect("}");
  return s;
}

Stmt* Parser::returnStatement() {
  Stmt* s = m_program.arena.stmt();
  s->kind = StmtKind::Return;
  s->loc = take().loc;
  const Type* want = m_function ? m_function->returnType : m_types.voidType();
  if (accept(";")) {
    if (!want->isVoid() && !want->isError())
      m_diagnostics.error(s->loc, 3080, "'" + m_function->name + "': function must return a value");
    return s;
  }
  Expr* e = expression();
  expect(";");
  if (failed())
    return s;
  if (want->isVoid()) {
    if (!e->type->isVoid() && !e->type->isError())
      m_diagnostics.error(s->loc, 3079, "'" + m_function->name + "': void functions cannot return a value");
    s->expr = e;
    return s;
  }
  s->expr = convert(e, want, "'" + (m_function ? m_function->name : std::string()) + "': ");
  return s;
}

Stmt* Parser::statement() {
  DepthGuard guard(*this);
  if (failed())
    return m_program.arena.stmt();
  std::vector<Attribute> attributes;
  if (at("["))
    attributes = attributeList();
  const Token& t = peek();
  Stmt* s = nullptr;
  if (t.is("{")) {
    s = block(true);
  } else if (t.is(";")) {
    s = m_program.arena.stmt();
    s->loc = take().loc;
    return s;
  } else if (t.kind == TokenKind::Identifier && t.text == "if") {
    s = ifStatement();
  } else if (t.kind == TokenKind::Identifier && (t.text == "for" || t.text == "while" || t.text == "do")) {
    s = loopStatement();
  } else if (t.kind == TokenKind::Identifier && t.text == "switch") {
    s = switchStatement();
  } else if (t.kind == TokenKind::Identifier && t.text == "return") {
    s = returnStatement();
  } else if (t.kind == TokenKind::Identifier && (t.text == "break" || t.text == "continue")) {
    s = m_program.arena.stmt();
    s->kind = t.text == "break" ? StmtKind::Break : StmtKind::Continue;
    s->loc = take().loc;
    s->loc = span(s->loc, peek().loc);
    if (!expect(";"))
      return s;
    if (s->kind == StmtKind::Break && !m_loopDepth && !m_switchDepth)
      m_diagnostics.error(s->loc, 3518, "break must be inside loop or switch");
    if (s->kind == StmtKind::Continue && !m_loopDepth)
      m_diagnostics.error(s->loc, 3519, "continue must be inside loop");
    else if (s->kind == StmtKind::Continue && m_switchDepth)
      m_diagnostics.error(s->loc, 3708, "continue cannot be used in a switch");
    return s;
  } else if (t.kind == TokenKind::Identifier && (t.text == "else" || t.text == "case" || t.text == "default")) {
    unexpected();
    return m_program.arena.stmt();
  } else if (t.kind == TokenKind::Identifier && t.text == "discard") {
    s = m_program.arena.stmt();
    s->kind = StmtKind::Discard;
    s->loc = take().loc;
    expect(";");
    return s;
  } else if (t.kind == TokenKind::Identifier && t.text == "typedef") {
    take();
    typedefDeclaration();
    return m_program.arena.stmt();
  } else if (t.kind == TokenKind::Identifier &&
             ((modifierWord(t.text) && !lookup(t.text)) || (startsType() && !peek(1).is("(") && !peek(1).is(".")))) {
    return declarationStatement();
  } else if (t.kind == TokenKind::Identifier && peek(1).kind == TokenKind::Identifier && !lookup(t.text) && !startsType()) {
    m_diagnostics.fatal(t.loc, 3000, "unrecognized identifier '" + std::string(t.text) + "'");
    return m_program.arena.stmt();
  } else {
    s = m_program.arena.stmt();
    s->kind = StmtKind::Expr;
    s->loc = t.loc;
    s->expr = expression();
    expect(";");
    return s;
  }
  if (!attributes.empty() && !failed())
    applyAttributes(s, attributes);
  return s;
}

} // namespace monolith::compiler
