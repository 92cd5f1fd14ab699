// SPDX-License-Identifier: MIT
#include "compiler/preprocess/lexer.h"

namespace monolith::compiler {

namespace {

bool isIdentStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isIdent(char c) {
  return isIdentStart(c) || isDigit(c);
}

const std::string_view kPunctuators[] = {"<<=", ">>=", "...", "##", "::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                         "^=",  "<<",  ">>",  "<=", ">=", "==", "!=", "&&", "||", "->"};

} // namespace

size_t Lexer::spliceLength(size_t i) const {
  if (at(i) != '\\')
    return 0;
  if (at(i + 1) == '\n')
    return 2;
  if (at(i + 1) == '\r' && at(i + 2) == '\n')
    return 3;
  return 0;
}

void Lexer::skipSplices() {
  while (size_t n = spliceLength(m_pos)) {
    m_pos += n;
    m_line++;
    m_lineBegin = m_pos;
  }
}

bool Lexer::skipSpaceAndComments() {
  bool any = false;
  for (;;) {
    skipSplices();
    char c = at(m_pos);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || (c == '\0' && m_pos < m_text.size())) {
      m_pos++;
    } else if (c == '/' && at(m_pos + 1) == '/') {
      while (m_pos < m_text.size() && m_text[m_pos] != '\n') {
        if (spliceLength(m_pos))
          skipSplices();
        else
          m_pos++;
      }
    } else if (c == '/' && at(m_pos + 1) == '*') {
      Location start{m_line, uint32_t(m_pos - m_lineBegin + 1), uint32_t(m_pos - m_lineBegin + 1), m_file};
      m_pos += 2;
      while (m_pos < m_text.size() && !(m_text[m_pos] == '*' && at(m_pos + 1) == '/')) {
        if (m_text[m_pos] == '\n') {
          m_line++;
          m_lineBegin = m_pos + 1;
        }
        m_pos++;
      }
      if (m_pos >= m_text.size()) {
        m_diagnostics.fatal(start, 1001, "comment continues past end of file");
        return any;
      }
      m_pos += 2;
    } else {
      return any;
    }
    any = true;
  }
}

Token Lexer::finish(Token& t, size_t start, size_t length) {
  t.text = m_text.substr(start, length);
  t.loc = {m_line, uint32_t(start - m_lineBegin + 1), uint32_t(start - m_lineBegin + (length ? length : 1)), m_file};
  m_pos = start + length;
  return t;
}

size_t Lexer::scan(Token& t) {
  const size_t s = m_pos;
  size_t p = s;
  char c = m_text[p];
  if (isIdentStart(c)) {
    while (isIdent(at(p)))
      p++;
    t.kind = TokenKind::Identifier;
  } else if (isDigit(c) || (c == '.' && isDigit(at(p + 1)))) {
    bool hex = c == '0' && (at(p + 1) == 'x' || at(p + 1) == 'X');
    while (isIdent(at(p)) || at(p) == '.' ||
           ((at(p) == '+' || at(p) == '-') && !hex && (at(p - 1) == 'e' || at(p - 1) == 'E')))
      p++;
    // 1.#INF, 1.#IND and the like
    if (!hex && at(p) == '#' && at(p - 1) == '.' && (at(p + 1) == 'I' || at(p + 1) == 'Q' || at(p + 1) == 'S')) {
      p++;
      while (isIdent(at(p)))
        p++;
      t.kind = TokenKind::Number;
      return p - s;
    }
    // "1.xxx" is the literal 1. with a swizzle: cut where letters that belong to no suffix begin after a dot.
    size_t dot = m_text.substr(s, p - s).find('.');
    if (!hex && dot != std::string_view::npos) {
      size_t q = s + dot + 1;
      while (isDigit(at(q)))
        q++;
      if ((at(q) == 'e' || at(q) == 'E') && (isDigit(at(q + 1)) || ((at(q + 1) == '+' || at(q + 1) == '-') && isDigit(at(q + 2))))) {
        q += 2;
        while (isDigit(at(q)))
          q++;
      }
      if (q > s + dot + 1 || !(at(q) == 'x' || at(q) == 'r')) {
        while (q < p && (at(q) == 'f' || at(q) == 'F' || at(q) == 'h' || at(q) == 'H' || at(q) == 'l' || at(q) == 'L'))
          q++;
        if (q < p && at(q) == '.')
          p = q;
      } else {
        p = s + dot; // "1.xxx": the dot is the member operator
      }
    }
    t.kind = TokenKind::Number;
  } else if (c == '"' || c == '\'') {
    p++;
    while (at(p) != c && at(p) != '\n' && p < m_text.size())
      p += at(p) == '\\' && p + 1 < m_text.size() ? 2 : 1;
    if (at(p) == c)
      p++;
    t.kind = c == '"' ? TokenKind::String : TokenKind::Char;
  } else {
    t.kind = TokenKind::Punctuator;
    for (std::string_view op : kPunctuators)
      if (m_text.substr(s, op.size()) == op)
        return op.size();
    if (std::string_view("+-*/%=<>!&|^~?:;,.()[]{}#").find(c) == std::string_view::npos)
      t.kind = TokenKind::Other;
    return 1;
  }
  if (p > m_text.size())
    p = m_text.size();
  return p - s;
}

Token Lexer::next() {
  Token t;
  t.lineStart = m_lineStart;
  t.spaceBefore = skipSpaceAndComments();
  if (m_pos >= m_text.size() || m_diagnostics.isFatal()) {
    t.kind = TokenKind::End;
    m_pos = m_text.size();
    return finish(t, m_pos, 0);
  }
  if (m_text[m_pos] == '\n') {
    t.kind = TokenKind::Newline;
    finish(t, m_pos, 1);
    m_line++;
    m_lineBegin = m_pos;
    m_lineStart = true;
    return t;
  }
  m_lineStart = false;
  size_t start = m_pos, length = scan(t);
  // A continued line may cut an identifier or number in two: glue.
  if ((t.kind == TokenKind::Identifier || t.kind == TokenKind::Number) && spliceLength(start + length)) {
    finish(t, start, length);
    std::string glued(t.text);
    while (spliceLength(m_pos)) {
      skipSplices();
      while (isIdent(at(m_pos)))
        glued += m_text[m_pos++];
    }
    t.text = m_pool.keep(std::move(glued));
    return t;
  }
  return finish(t, start, length);
}

bool Lexer::angleName(std::string& name) {
  skipSpaceAndComments();
  if (at(m_pos) != '<')
    return false;
  size_t p = m_pos + 1;
  while (p < m_text.size() && m_text[p] != '>' && m_text[p] != '\n')
    p++;
  if (at(p) != '>')
    return false;
  name = std::string(m_text.substr(m_pos + 1, p - m_pos - 1));
  m_pos = p + 1;
  return true;
}

std::string Lexer::restOfLine() {
  std::string r;
  while (m_pos < m_text.size() && m_text[m_pos] != '\n') {
    if (spliceLength(m_pos)) {
      skipSplices();
      continue;
    }
    r += m_text[m_pos++];
  }
  while (!r.empty() && (r.back() == '\r' || r.back() == ' ' || r.back() == '\t'))
    r.pop_back();
  size_t b = r.find_first_not_of(" \t");
  return b == std::string::npos ? std::string() : r.substr(b);
}

std::vector<Token> lexFragment(std::string_view text, const Location& at, TokenPool& pool, Diagnostics& diagnostics) {
  std::vector<Token> r;
  Lexer lexer(text, at.file, pool, diagnostics);
  for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next()) {
    if (t.kind == TokenKind::Newline)
      continue;
    t.loc = at;
    r.push_back(t);
  }
  return r;
}

} // namespace monolith::compiler
