// SPDX-License-Identifier: MIT
/// @file
/// Characters to preprocessing tokens: joins continued lines, drops comments, counts lines and columns.
#pragma once

#include "compiler/preprocess/token.h"

namespace monolith::compiler {

class Lexer {
public:
  Lexer(std::string_view text, uint32_t file, TokenPool& pool, Diagnostics& diagnostics)
      : m_text(text), m_pool(pool), m_diagnostics(diagnostics), m_file(file) {}

  /// The next token; Newline at each end of line, End for ever after the last.
  Token next();
  /// For #include <name>: the characters up to '>' if the next token is '<'. Empty if not.
  bool angleName(std::string& name);
  /// The rest of the line as characters, for #error.
  std::string restOfLine();

  uint32_t line() const { return m_line; }
  void setLine(uint32_t line) { m_line = line; }
  uint32_t file() const { return m_file; }
  void setFile(uint32_t file) { m_file = file; }

private:
  char at(size_t i) const { return i < m_text.size() ? m_text[i] : '\0'; }
  size_t spliceLength(size_t i) const;
  void skipSplices();
  bool skipSpaceAndComments();
  size_t scan(Token& t);
  Token finish(Token& t, size_t start, size_t length);

  std::string_view m_text;
  TokenPool& m_pool;
  Diagnostics& m_diagnostics;
  size_t m_pos = 0;
  size_t m_lineBegin = 0;
  uint32_t m_line = 1;
  uint32_t m_file;
  bool m_lineStart = true;
};

/// Splits a text that came out of ## or a definition given by the caller.
std::vector<Token> lexFragment(std::string_view text, const Location& at, TokenPool& pool, Diagnostics& diagnostics);

} // namespace monolith::compiler
