// SPDX-License-Identifier: MIT
/// @file
/// Preprocessing tokens. Text is a view into a source file or into the TokenPool; both outlive the compilation.
#pragma once

#include "compiler/preprocess/source.h"

#include <deque>
#include <string>
#include <string_view>

namespace monolith::compiler {

enum class TokenKind : uint8_t { End, Newline, Identifier, Number, String, Char, Punctuator, Other };

struct Token {
  TokenKind kind = TokenKind::End;
  bool spaceBefore = false;
  bool lineStart = false; ///< first token on its line
  bool noExpand = false;  ///< a macro name met inside its own expansion
  Location loc;
  std::string_view text;

  bool is(std::string_view punctuator) const { return kind == TokenKind::Punctuator && text == punctuator; }
  bool isIdentifier(std::string_view name) const { return kind == TokenKind::Identifier && text == name; }
};

/// Keeps texts that are not in a source file.
class TokenPool {
public:
  std::string_view keep(std::string text) {
    m_texts.push_back(std::move(text));
    return m_texts.back();
  }

private:
  std::deque<std::string> m_texts;
};

} // namespace monolith::compiler
