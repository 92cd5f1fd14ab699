// SPDX-License-Identifier: MIT
/// @file
/// The preprocessor: source text to the token list that the parser reads. Macro expansion follows the C standard:
/// arguments are expanded before they are put in, operands of # and ## are not, the result is scanned again, and a
/// name met inside its own expansion is left alone for ever. Pragmas that concern later stages come out as marks.
#pragma once

#include "compiler/compile.h"
#include "compiler/preprocess/lexer.h"

#include <memory>
#include <unordered_map>

namespace monolith::compiler {

struct Macro {
  bool functionLike = false;
  bool active = false; ///< being expanded
  int builtin = 0;     ///< 1 __FILE__, 2 __LINE__
  std::vector<std::string_view> params;
  std::vector<Token> body;
};

/// #pragma pack_matrix takes effect at a token index.
struct PackMatrixMark {
  size_t tokenIndex;
  bool rowMajor;
};

/// A #pragma that must stay in preprocessed text, in front of a token.
struct PragmaLine {
  size_t tokenIndex;
  std::string text;
  Location loc;
};

struct PreprocessorOutput {
  std::vector<Token> tokens; ///< without Newline, ends with End
  std::vector<PackMatrixMark> packMatrix;
  std::vector<PragmaLine> pragmas;
};

class Preprocessor {
public:
  Preprocessor(const CompileRequest& request, TokenPool& pool, Diagnostics& diagnostics);
  ~Preprocessor();
  bool run(PreprocessorOutput& output);

private:
  struct Condition {
    bool taken;   ///< some branch was already taken
    bool active;  ///< tokens of the present branch count
    bool parent;  ///< the enclosing group is active
    bool sawElse;
    Location loc;
  };
  struct Included {
    const void* data;
  };

  void file(std::string_view text, uint32_t fileId, const void* data, int depth);
  void directive(Lexer& lexer, const Location& hash, const void* data, int depth);
  std::vector<Token> lineTokens(Lexer& lexer);
  void define(std::vector<Token> tokens, const Location& at);
  void defineText(const std::string& name, const std::string& value);
  void include(Lexer& lexer, const Location& at, const void* data, int depth);
  void pragma(const std::vector<Token>& tokens, const Location& at);
  void lineDirective(Lexer& lexer, const std::vector<Token>& tokens, const Location& at);
  bool evaluate(const std::vector<Token>& tokens, const Location& at);
  /// A directive that cannot be read: what stands at `index` instead.
  void unexpected(const std::vector<Token>& tokens, size_t index, const Location& at);
  bool live() const { return m_conditions.empty() || m_conditions.back().active; }
  Macro* find(std::string_view name);

  // expansion
  struct Frame {
    std::vector<Token> tokens;
    size_t pos = 0;
    Macro* macro = nullptr;
  };
  class Source;
  void expandAll(Source& source, std::vector<Token>& out);
  bool collectArguments(Source& source, const Token& name, const Macro& macro, std::vector<std::vector<Token>>& args);
  std::vector<Token> substitute(const Token& name, const Macro& macro, const std::vector<std::vector<Token>>& args);
  std::vector<Token> expandList(const std::vector<Token>& tokens);
  Token stringize(const std::vector<Token>& tokens, const Token& at);
  bool budget(const Location& at, size_t n);

  const CompileRequest& m_request;
  TokenPool& m_pool;
  Diagnostics& m_diagnostics;
  std::unordered_map<std::string_view, std::unique_ptr<Macro>> m_macros;
  std::vector<std::unique_ptr<Macro>> m_removed; ///< kept because a running expansion may point at them
  std::vector<Condition> m_conditions;
  std::vector<const void*> m_opened;
  std::vector<std::string_view> m_once;
  PreprocessorOutput* m_output = nullptr;
  size_t m_expanded = 0;
  int m_expandDepth = 0;
};

/// Value of an #if expression of expanded tokens. `ok` is false when it is not one, `byZero` true if it divides by zero.
int64_t evaluateCondition(const std::vector<Token>& tokens, bool& ok, bool& byZero);

/// Tokens as text with #line marks, as D3DPreprocess gives it.
/// With `columns` tokens also stay in their columns as far as possible.
std::string printTokens(const PreprocessorOutput& output, const Diagnostics& diagnostics, bool columns = false);

} // namespace monolith::compiler
