// SPDX-License-Identifier: MIT
// Token handling and the top level.
#include "compiler/syntax/parser.h"

namespace monolith::compiler {

namespace {
constexpr int kMaxDepth = 192;
const Token kEnd{};

bool printable(char c) { return c > 0x20 && c < 0x7f; }

/// Bytes that no token begins with are not shown as they are: they may belong to anything.
std::string illegalCharacter(const Token& t) {
  const auto byte = static_cast<unsigned char>(t.text[0]);
  std::string text = "illegal character in shader file (byte ";
  text += std::to_string(byte) + ")";
  if (t.loc.line == 1 && t.loc.col == 1 && (byte == 0xff || byte == 0xfe))
    text += "; UTF-16 text is not read, save the file as ASCII or UTF-8";
  return text;
}
} // namespace

Parser::DepthGuard::DepthGuard(Parser& p) : m_parser(p) {
  if (++p.m_depth > kMaxDepth)
    p.m_diagnostics.fatal(p.peek().loc, 3000, "syntax error: nesting is too deep");
}

Parser::Parser(const PreprocessorOutput& input, Diagnostics& diagnostics, Program& program, const ParserOptions& options)
    : m_input(input), m_diagnostics(diagnostics), m_program(program), m_options(options), m_types(program.types) {
  m_scopes.emplace_back();
  m_globals = program.arena.buffer();
  m_globals->name = "$Globals";
  m_globals->globals = true;
  m_firstGlobal = program.globals.size();
  program.buffers.push_back(m_globals);
}

const Token& Parser::peek(size_t ahead) const {
  if (m_diagnostics.isFatal())
    return kEnd;
  size_t i = m_pos + ahead;
  return i < m_input.tokens.size() ? m_input.tokens[i] : m_input.tokens.back();
}

Token Parser::take() {
  Token t = peek();
  if (m_pos + 1 < m_input.tokens.size())
    m_pos++;
  return t;
}

bool Parser::accept(std::string_view punctuator) {
  if (!peek().is(punctuator))
    return false;
  take();
  return true;
}

bool Parser::acceptWord(std::string_view word) {
  if (!peek().isIdentifier(word))
    return false;
  take();
  return true;
}

void Parser::unexpected() {
  const Token& t = peek();
  std::string text;
  if (t.kind == TokenKind::End)
    text = "syntax error: unexpected end of file";
  else if (t.kind == TokenKind::Number)
    text = t.text.find_first_of(".eE") != std::string_view::npos && t.text.substr(0, 2) != "0x" ? "syntax error: unexpected float constant"
                                                                                                : "syntax error: unexpected integer constant";
  else if (t.kind == TokenKind::String)
    text = "syntax error: unexpected string constant";
  else if (!t.text.empty() && !printable(t.text[0]))
    text = illegalCharacter(t);
  else
    text = "syntax error: unexpected token '" + std::string(t.text) + "'";
  m_diagnostics.fatal(t.loc, 3000, text);
}

bool Parser::expect(std::string_view punctuator) {
  if (accept(punctuator))
    return true;
  unexpected();
  return false;
}

void Parser::skipBraces(std::string_view open, std::string_view close) {
  int depth = 0;
  do {
    if (at(open))
      depth++;
    else if (at(close))
      depth--;
    if (peek().kind == TokenKind::End) {
      unexpected();
      return;
    }
    take();
  } while (depth > 0);
}

bool Parser::rowMajorHere() const {
  bool row = m_options.rowMajor;
  for (const PackMatrixMark& m : m_input.packMatrix)
    if (m.tokenIndex <= m_pos)
      row = m.rowMajor;
  return row;
}

void Parser::run() {
  while (peek().kind != TokenKind::End && !failed())
    topLevel();
}

void Parser::topLevel() {
  if (accept(";"))
    return;
  const Token& t = peek();
  if (t.kind == TokenKind::Identifier) {
    if (t.text == "cbuffer" || t.text == "tbuffer") {
      take();
      bufferDeclaration(t.text == "tbuffer");
      return;
    }
    if (t.text == "ConstantBuffer" && peek(1).is("<")) {
      m_diagnostics.fatal(t.loc, 3000, "syntax error: unexpected token 'ConstantBuffer'");
      return;
    }
    if (t.text == "typedef") {
      take();
      typedefDeclaration();
      return;
    }
    if (atTechnique() || t.text == "fxgroup") {
      skipEffect();
      return;
    }
    if (t.text == "namespace" && peek(1).kind == TokenKind::Identifier) {
      namespaceDeclaration();
      return;
    }
    if (t.text == "interface" && peek(1).kind == TokenKind::Identifier) {
      interfaceDeclaration();
      return;
    }
  }
  globalOrFunction();
}

bool Parser::atTechnique() {
  const std::string_view text = peek().text;
  return peek().kind == TokenKind::Identifier && (text == "technique10" || text == "technique11" || text == "technique" || text == "Technique" || text == "TECHNIQUE");
}

/// Techniques and groups of them: their form is checked down to the passes, whose states are left aside.
void Parser::skipEffect() {
  const bool group = atWord("fxgroup");
  take();
  if (peek().kind == TokenKind::Identifier)
    take();
  if (at("<"))
    annotations();
  if (failed() || !expect("{"))
    return;
  while (!at("}") && !failed()) {
    if (group && atTechnique()) {
      skipEffect();
    } else if (!group && (acceptWord("pass") || acceptWord("Pass"))) {
      if (peek().kind == TokenKind::Identifier)
        take();
      if (at("<"))
        annotations();
      if (!failed() && !at("{"))
        unexpected();
      if (!failed())
        skipBraces("{", "}");
    } else {
      unexpected();
    }
  }
  if (!failed())
    take();
}

} // namespace monolith::compiler
