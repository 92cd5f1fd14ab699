// SPDX-License-Identifier: MIT
#include "compiler/preprocess/preprocessor.h"

#include <algorithm>
#include <cstring>

namespace monolith::compiler {

namespace {
constexpr int kMaxIncludeDepth = 64;
constexpr size_t kMaxConditions = 4096;
constexpr size_t kMaxOutputTokens = 1u << 20;
constexpr size_t kMaxPadding = 256; ///< spaces that keep a token in its column

/// Words that the language keeps for itself and does not use.
bool isReserved(std::string_view word) {
  static constexpr std::string_view words[] = {"auto",    "catch",   "char",     "const_cast", "delete",    "dynamic_cast", "enum",        "explicit", "friend", "goto",     "long",
                                               "mutable", "new",     "operator", "private",    "protected", "public",       "reinterpret_cast", "short", "sizeof", "static_cast", "template",
                                               "throw",   "try",     "typename", "union",      "using",     "virtual"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
} // namespace

Preprocessor::Preprocessor(const CompileRequest& request, TokenPool& pool, Diagnostics& diagnostics)
    : m_request(request), m_pool(pool), m_diagnostics(diagnostics) {
  for (int i = 1; i <= 2; i++) {
    auto m = std::make_unique<Macro>();
    m->builtin = i;
    m_macros[i == 1 ? "__FILE__" : "__LINE__"] = std::move(m);
  }
}

Preprocessor::~Preprocessor() {
  for (const void* p : m_opened)
    m_request.include->close(p);
}

Macro* Preprocessor::find(std::string_view name) {
  auto it = m_macros.find(name);
  return it == m_macros.end() ? nullptr : it->second.get();
}

void Preprocessor::defineText(const std::string& name, const std::string& value) {
  Location at{0, 0, 0, 0};
  std::string_view text = m_pool.keep(name + " " + value);
  define(lexFragment(text, at, m_pool, m_diagnostics), at);
}

bool Preprocessor::run(PreprocessorOutput& output) {
  m_output = &output;
  for (const MacroDefinition& d : m_request.defines)
    if (!d.name.empty())
      defineText(d.name, d.value);
  std::string name = m_request.sourceName.empty() ? std::string("Shader@0x00000000") : m_request.sourceName;
  std::string_view text = m_request.source;
  if (text.substr(0, 3) == "\xEF\xBB\xBF")
    text.remove_prefix(3);
  file(text, m_diagnostics.fileIndex(name), nullptr, 0);
  if (!m_conditions.empty())
    m_diagnostics.fatal(m_conditions.back().loc, 1502, "unexpected end of file: #if without #endif");
  Token end;
  if (!output.tokens.empty())
    end.loc = output.tokens.back().loc;
  else
    end.loc = {1, 1, 1, 0};
  output.tokens.push_back(end);
  for (Token& t : output.tokens)
    if (t.kind == TokenKind::Identifier && isReserved(t.text))
      t.kind = TokenKind::Other;
  if (m_diagnostics.hasWarningMarks())
    for (size_t i = 0; i < output.tokens.size(); i++)
      m_diagnostics.addTokenPlace(output.tokens[i].loc, i);
  return !m_diagnostics.hasErrors();
}

void Preprocessor::unexpected(const std::vector<Token>& tokens, size_t index, const Location& at) {
  if (index >= tokens.size())
    m_diagnostics.fatal(at, 1500, "syntax error: unexpected end of line");
  else
    m_diagnostics.fatal(tokens[index].loc, 1500, "syntax error: unexpected token '" + std::string(tokens[index].text) + "'");
}

void Preprocessor::define(std::vector<Token> tokens, const Location& at) {
  if (tokens.empty() || tokens[0].kind != TokenKind::Identifier || tokens[0].text == "defined") {
    unexpected(tokens, 0, at);
    return;
  }
  auto macro = std::make_unique<Macro>();
  size_t i = 1;
  if (i < tokens.size() && tokens[i].is("(") && !tokens[i].spaceBefore) {
    macro->functionLike = true;
    i++;
    bool more = i < tokens.size() && !tokens[i].is(")");
    while (more) {
      if (i >= tokens.size() || tokens[i].kind != TokenKind::Identifier) { // "..." too: there are no variadic macros
        unexpected(tokens, i, at);
        return;
      }
      if (std::find(macro->params.begin(), macro->params.end(), tokens[i].text) != macro->params.end()) {
        m_diagnostics.fatal(tokens[i].loc, 1511, "duplicate macro parameter '" + std::string(tokens[i].text) + "'");
        return;
      }
      macro->params.push_back(tokens[i++].text);
      more = i < tokens.size() && tokens[i].is(",");
      i += more;
    }
    if (i >= tokens.size() || !tokens[i].is(")")) {
      unexpected(tokens, i, at);
      return;
    }
    i++;
  }
  macro->body.assign(tokens.begin() + long(i), tokens.end());
  auto it = m_macros.find(tokens[0].text);
  if (it != m_macros.end()) {
    const Macro& old = *it->second;
    bool same = old.functionLike == macro->functionLike && old.params == macro->params && old.body.size() == macro->body.size();
    for (size_t k = 0; same && k < old.body.size(); k++)
      same = old.body[k].text == macro->body[k].text;
    if (!same)
      m_diagnostics.warning(tokens[0].loc, 1519, "'" + std::string(tokens[0].text) + "': macro redefinition");
    m_removed.push_back(std::move(it->second));
    m_macros.erase(it);
  }
  m_macros[tokens[0].text] = std::move(macro);
}

std::vector<Token> Preprocessor::lineTokens(Lexer& lexer) {
  std::vector<Token> r;
  for (Token t = lexer.next(); t.kind != TokenKind::Newline && t.kind != TokenKind::End; t = lexer.next())
    r.push_back(t);
  return r;
}

bool Preprocessor::evaluate(const std::vector<Token>& tokens, const Location& at) {
  std::vector<Token> replaced;
  for (size_t i = 0; i < tokens.size(); i++) {
    if (!tokens[i].isIdentifier("defined")) {
      replaced.push_back(tokens[i]);
      continue;
    }
    bool paren = i + 1 < tokens.size() && tokens[i + 1].is("(");
    size_t n = i + (paren ? 2 : 1);
    if (n >= tokens.size() || tokens[n].kind != TokenKind::Identifier || (paren && (n + 1 >= tokens.size() || !tokens[n + 1].is(")")))) {
      m_diagnostics.fatal(at, 1500, "syntax error: invalid use of 'defined'");
      return false;
    }
    Token t = tokens[i];
    t.kind = TokenKind::Number;
    t.text = find(tokens[n].text) ? "1" : "0";
    replaced.push_back(t);
    i = n + (paren ? 1 : 0);
  }
  std::vector<Token> expanded = expandList(replaced);
  if (m_diagnostics.isFatal())
    return false;
  bool ok = true;
  bool byZero = false;
  int64_t v = evaluateCondition(expanded, ok, byZero);
  if (tokens.empty())
    unexpected(tokens, 0, at);
  else if (!ok && byZero)
    m_diagnostics.fatal(at, 1503, "division by zero in preprocessor expression");
  else if (!ok)
    m_diagnostics.fatal(at, 1518, "invalid or unsupported integer constant expression");
  return ok && v != 0;
}

void Preprocessor::lineDirective(Lexer& lexer, const std::vector<Token>& raw, const Location& at) {
  std::vector<Token> tokens = expandList(raw);
  if (tokens.empty() || tokens[0].kind != TokenKind::Number) {
    unexpected(tokens, 0, at);
    return;
  }
  uint64_t n = 0;
  for (char c : tokens[0].text)
    if (c >= '0' && c <= '9' && n < 0x10000000)
      n = n * 10 + uint64_t(c - '0');
  lexer.setLine(uint32_t(n));
  if (tokens.size() > 1 && tokens[1].kind == TokenKind::String && tokens[1].text.size() >= 2) {
    std::string name;
    for (size_t i = 1; i + 1 < tokens[1].text.size(); i++) {
      if (tokens[1].text[i] == '\\' && i + 2 < tokens[1].text.size() && tokens[1].text[i + 1] == '\\')
        i++;
      name += tokens[1].text[i];
    }
    lexer.setFile(m_diagnostics.fileIndex(name));
  }
}

void Preprocessor::include(Lexer& lexer, const Location& at, const void* data, int depth) {
  std::string name;
  bool system = lexer.angleName(name);
  if (!system) {
    std::vector<Token> tokens = lineTokens(lexer); // macros are not expanded here
    if (tokens.empty() || tokens[0].kind != TokenKind::String || tokens[0].text.size() < 2 || tokens[0].text.back() != '"') {
      unexpected(tokens, 0, at);
      return;
    }
    name = std::string(tokens[0].text.substr(1, tokens[0].text.size() - 2));
  } else {
    lineTokens(lexer);
  }
  if (!m_request.include) {
    m_diagnostics.fatal(at, 1505, "No include handler specified, can't perform a #include. Use D3DX APIs or provide your own include handler.");
    return;
  }
  if (depth >= kMaxIncludeDepth) {
    m_diagnostics.fatal(at, 1506, "too many nested #includes");
    return;
  }
  const void* bytes = nullptr;
  size_t size = 0;
  if (!m_request.include->open(system, name.c_str(), data, &bytes, &size)) {
    m_diagnostics.fatal(at, 1507, "failed to open source file: '" + name + "'");
    return;
  }
  m_opened.push_back(bytes);
  // Tokens point into the text for as long as the compilation lasts; the file is closed right behind its end.
  std::string_view text = m_pool.keep(std::string(bytes ? static_cast<const char*>(bytes) : "", bytes ? size : 0));
  if (text.substr(0, 3) == "\xEF\xBB\xBF")
    text.remove_prefix(3);
  if (std::find(m_once.begin(), m_once.end(), text) == m_once.end()) {
    const uint32_t index = m_diagnostics.fileIndex(name);
    m_diagnostics.setFileText(index, text);
    file(text, index, bytes, depth + 1);
  }
  m_opened.pop_back();
  m_request.include->close(bytes);
}

void Preprocessor::pragma(const std::vector<Token>& tokens, const Location& at) {
  if (tokens.empty())
    return;
  PragmaLine line{m_output->tokens.size(), {}, at};
  for (const Token& t : tokens)
    line.text += ' ' + std::string(t.text);
  m_output->pragmas.push_back(std::move(line));
  if (tokens[0].isIdentifier("pack_matrix")) {
    std::vector<Token> t = expandList(tokens);
    if (t.size() >= 4 && t[1].is("(") && t[3].is(")")) {
      if (t[2].isIdentifier("row_major") || t[2].isIdentifier("column_major"))
        m_output->packMatrix.push_back({m_output->tokens.size(), t[2].isIdentifier("row_major")});
    }
    return;
  }
  if (tokens[0].isIdentifier("warning")) {
    for (size_t i = 1; i + 1 < tokens.size(); i++) {
      if (tokens[i].kind != TokenKind::Identifier || !tokens[i + 1].is(":"))
        continue;
      Diagnostics::WarningAction action = Diagnostics::WarningAction::Default;
      if (tokens[i].text == "disable")
        action = Diagnostics::WarningAction::Disable;
      else if (tokens[i].text == "once")
        action = Diagnostics::WarningAction::Once;
      else if (tokens[i].text == "error")
        action = Diagnostics::WarningAction::Error;
      for (size_t k = i + 2; k < tokens.size() && (tokens[k].kind == TokenKind::Number || tokens[k].is(",")); k++)
        m_diagnostics.setWarning(atoi(std::string(tokens[k].text).c_str()), action, m_output->tokens.size());
    }
    return;
  }
  if (tokens[0].isIdentifier("def") && !(m_request.flags & kEnableBackwardsCompatibility)) {
    m_diagnostics.error(at, 3589, "'#pragma def' is no longer supported on DirectX 10+ and 10_level_9 targets. Use compatibility mode to allow compilation");
    return;
  }
  static const std::string_view known[] = {"def", "message", "ruledisable", "once", "pack_matrix"};
  for (std::string_view k : known)
    if (tokens[0].text == k)
      return;
  m_diagnostics.warning(at, 3568, "'" + std::string(tokens[0].text) + "' : unknown pragma ignored");
}

void Preprocessor::directive(Lexer& lexer, const Location& hash, const void* data, int depth) {
  Token name = lexer.next();
  if (name.kind == TokenKind::Newline || name.kind == TokenKind::End) {
    if (live())
      m_diagnostics.fatal(hash, 1500, "syntax error: unexpected end of line");
    return;
  }
  const Location at = name.loc;
  std::string_view d = name.text;
  if (d == "if" || d == "ifdef" || d == "ifndef") {
    std::vector<Token> tokens = lineTokens(lexer);
    if (m_conditions.size() >= kMaxConditions) {
      m_diagnostics.fatal(at, 1500, "conditions nested too deeply");
      return;
    }
    bool parent = live(), value = false;
    if (parent) {
      if (d == "if")
        value = evaluate(tokens, at);
      else if (tokens.empty() || tokens[0].kind != TokenKind::Identifier)
        unexpected(tokens, 0, at);
      else
        value = (find(tokens[0].text) != nullptr) == (d == "ifdef");
    }
    m_conditions.push_back({value, parent && value, parent, false, at});
    return;
  }
  if (d == "elif" || d == "else" || d == "endif") {
    std::vector<Token> tokens = lineTokens(lexer);
    if (m_conditions.empty() || (d != "endif" && m_conditions.back().sawElse)) {
      const int number = d == "endif" ? 1510 : d == "else" ? (m_conditions.empty() ? 1509 : 1514) : m_conditions.empty() ? 1508 : 1513;
      m_diagnostics.fatal(at, number, "unexpected #" + std::string(d) + " directive" + (m_conditions.empty() ? "" : " following #else"));
      return;
    }
    Condition& c = m_conditions.back();
    if (d == "endif") {
      m_conditions.pop_back();
    } else if (d == "else") {
      c.active = c.parent && !c.taken;
      c.taken = c.sawElse = true;
    } else {
      c.active = c.parent && !c.taken && evaluate(tokens, at);
      c.taken = c.taken || c.active;
    }
    return;
  }
  if (!live()) {
    lineTokens(lexer);
    return;
  }
  if (d == "include") {
    include(lexer, at, data, depth);
  } else if (d == "error") {
    m_diagnostics.fatal(at, 1509, "#error: " + lexer.restOfLine());
  } else if (d == "define") {
    define(lineTokens(lexer), at);
  } else if (d == "undef") {
    std::vector<Token> tokens = lineTokens(lexer);
    if (tokens.empty() || tokens[0].kind != TokenKind::Identifier) {
      unexpected(tokens, 0, at);
    } else if (auto it = m_macros.find(tokens[0].text); it != m_macros.end()) {
      m_removed.push_back(std::move(it->second));
      m_macros.erase(it);
    }
  } else if (d == "line") {
    lineDirective(lexer, lineTokens(lexer), at);
  } else if (d == "pragma") {
    std::vector<Token> tokens = lineTokens(lexer);
    if (!tokens.empty() && tokens[0].isIdentifier("once") && data)
      m_once.push_back(std::string_view()); // filled by file()
    pragma(tokens, at);
  } else {
    lineTokens(lexer);
    m_diagnostics.fatal(at, 1504, "invalid preprocessor command '" + std::string(d) + "'");
  }
}

/// Tokens for the expansion: a stack of replaced lists over the file's lexer (or over nothing).
class Preprocessor::Source {
public:
  explicit Source(Lexer* lexer) : m_lexer(lexer) {}
  void push(std::vector<Token> tokens, Macro* macro) {
    if (macro)
      macro->active = true;
    m_stack.push_back({std::move(tokens), 0, macro});
  }
  /// `keepMacros`: look without leaving a macro's expansion.
  Token next() {
    while (!m_stack.empty()) {
      Frame& f = m_stack.back();
      if (f.pos < f.tokens.size())
        return f.tokens[f.pos++];
      if (f.macro)
        f.macro->active = false;
      m_stack.pop_back();
    }
    if (hasPeeked) {
      hasPeeked = false;
      return peeked;
    }
    if (m_lexer)
      return m_lexer->next();
    return Token{};
  }
  /// True if the next token (over line ends) is '('; nothing is consumed but Newlines, which are counted.
  bool parenFollows() {
    for (size_t i = m_stack.size(); i-- > 0;) {
      const Frame& f = m_stack[i];
      if (f.pos < f.tokens.size())
        return f.tokens[f.pos].is("(");
    }
    if (!m_lexer)
      return false;
    if (!hasPeeked) {
      peeked = m_lexer->next();
      hasPeeked = true;
    }
    while (peeked.kind == TokenKind::Newline) {
      Token t = m_lexer->next();
      if (t.is("#") && t.lineStart) { // a directive: stop here, the file loop must see it
        pendingDirective = true;
        peeked = t;
        return false;
      }
      bool start = true;
      peeked = t;
      peeked.lineStart = start;
    }
    return peeked.is("(");
  }
  size_t depth() const { return m_stack.size(); }
  Token peeked;
  bool hasPeeked = false;
  bool pendingDirective = false;

private:
  Lexer* m_lexer;
  std::vector<Frame> m_stack;
};

bool Preprocessor::budget(const Location& at, size_t n) {
  m_expanded += n;
  if (m_expanded > kMaxOutputTokens) {
    m_diagnostics.fatal(at, 1500, "macro expansion is too large");
    return false;
  }
  return !m_diagnostics.isFatal();
}

bool Preprocessor::collectArguments(Source& source, const Token& name, const Macro& macro, std::vector<std::vector<Token>>& args) {
  source.next(); // '('
  int depth = 0;
  std::vector<Token> current;
  for (;;) {
    Token t = source.next();
    if (t.kind == TokenKind::End) {
      m_diagnostics.fatal(name.loc, 1515, "unexpected end of file in macro expansion of '" + std::string(name.text) + "'");
      return false;
    }
    if (!budget(t.loc, 1))
      return false;
    if (t.kind == TokenKind::Newline) {
      continue;
    }
    if (depth == 0 && t.is(")"))
      break;
    if (depth == 0 && t.is(",")) {
      args.push_back(std::move(current));
      current.clear();
      continue;
    }
    if (t.is("("))
      depth++;
    else if (t.is(")"))
      depth--;
    if (t.lineStart)
      t.spaceBefore = true;
    current.push_back(t);
  }
  if (!(args.empty() && current.empty() && macro.params.empty()))
    args.push_back(std::move(current));
  if (args.size() < macro.params.size()) {
    m_diagnostics.fatal(name.loc, 1516, "not enough actual parameters for macro '" + std::string(name.text) + "'");
    return false;
  }
  if (args.size() > macro.params.size()) {
    m_diagnostics.fatal(name.loc, 1516, "too many actual parameters for macro '" + std::string(name.text) + "'");
    return false;
  }
  args.resize(macro.params.size());
  return true;
}

Token Preprocessor::stringize(const std::vector<Token>& tokens, const Token& at) {
  std::string s = "\"";
  for (size_t i = 0; i < tokens.size(); i++) {
    if (i && tokens[i].spaceBefore)
      s += ' ';
    bool literal = tokens[i].kind == TokenKind::String || tokens[i].kind == TokenKind::Char;
    for (char c : tokens[i].text) {
      if (literal && (c == '"' || c == '\\'))
        s += '\\';
      s += c;
    }
  }
  Token t = at;
  t.kind = TokenKind::String;
  t.text = m_pool.keep(s + "\"");
  return t;
}

std::vector<Token> Preprocessor::substitute(const Token& name, const Macro& macro, const std::vector<std::vector<Token>>& args) {
  auto paramIndex = [&](const Token& t) -> int {
    if (t.kind == TokenKind::Identifier)
      for (size_t i = 0; i < macro.params.size(); i++)
        if (macro.params[i] == t.text)
          return int(i);
    return -1;
  };
  std::vector<std::vector<Token>> expandedArgs(args.size());
  std::vector<bool> haveExpanded(args.size(), false);
  std::vector<Token> out;
  const std::vector<Token>& body = macro.body;
  auto append = [&](const std::vector<Token>& list, const Token& place) {
    size_t first = out.size();
    for (const Token& t : list)
      out.push_back(t);
    if (out.size() > first)
      out[first].spaceBefore = place.spaceBefore;
  };
  bool paste = false; // the next piece is glued to the last token
  for (size_t i = 0; i < body.size(); i++) {
    if (!budget(name.loc, 1))
      return {};
    const Token& t = body[i];
    if (t.is("##") && i > 0 && i + 1 < body.size()) {
      paste = true;
      continue;
    }
    std::vector<Token> piece;
    int p = paramIndex(t);
    bool pasteNext = i + 1 < body.size() && body[i + 1].is("##");
    if (macro.functionLike && t.is("#") && i + 1 < body.size() && paramIndex(body[i + 1]) >= 0) {
      piece.push_back(stringize(args[size_t(paramIndex(body[++i]))], t));
    } else if (p >= 0 && (paste || pasteNext)) {
      piece = args[size_t(p)];
    } else if (p >= 0) {
      if (!haveExpanded[size_t(p)]) {
        expandedArgs[size_t(p)] = expandList(args[size_t(p)]);
        haveExpanded[size_t(p)] = true;
      }
      piece = expandedArgs[size_t(p)];
    } else {
      piece.push_back(t);
    }
    if (!budget(name.loc, piece.size()))
      return {};
    if (paste) {
      paste = false;
      if (piece.empty()) {
        // nothing to glue
      } else if (out.empty() || out.back().kind == TokenKind::End) {
        if (!out.empty())
          out.pop_back();
        append(piece, t);
      } else {
        std::string glued = std::string(out.back().text) + std::string(piece[0].text);
        std::vector<Token> list = lexFragment(m_pool.keep(glued), name.loc, m_pool, m_diagnostics);
        if (!list.empty())
          list[0].spaceBefore = out.back().spaceBefore;
        out.pop_back();
        out.insert(out.end(), list.begin(), list.end());
        out.insert(out.end(), piece.begin() + 1, piece.end());
      }
    } else if (piece.empty() && pasteNext) {
      out.push_back(Token{}); // placemarker
    } else {
      append(piece, t);
    }
  }
  std::vector<Token> result;
  for (Token& t : out) {
    if (t.kind == TokenKind::End)
      continue;
    t.loc = name.loc;
    result.push_back(t);
  }
  if (!result.empty())
    result[0].spaceBefore = name.spaceBefore;
  return result;
}

std::vector<Token> Preprocessor::expandList(const std::vector<Token>& tokens) {
  std::vector<Token> out;
  if (++m_expandDepth > 200) {
    if (!tokens.empty())
      m_diagnostics.fatal(tokens[0].loc, 1500, "macro expansion is too deep");
    m_expandDepth--;
    return out;
  }
  Source source(nullptr);
  source.push(tokens, nullptr);
  expandAll(source, out);
  m_expandDepth--;
  return out;
}

void Preprocessor::expandAll(Source& source, std::vector<Token>& out) {
  for (;;) {
    Token t = source.next();
    if (t.kind == TokenKind::End || m_diagnostics.isFatal())
      return;
    if (t.kind == TokenKind::Newline) {
      if (source.depth() == 0)
        return;
      continue;
    }
    if (!budget(t.loc, source.depth() ? 1 : 0))
      return;
    if ((t.kind == TokenKind::String || t.kind == TokenKind::Char) && (t.text.size() < 2 || t.text.back() != t.text[0])) {
      m_diagnostics.fatal(t.loc, t.kind == TokenKind::String ? 1005 : 1007, t.kind == TokenKind::String ? "string continues past end of line" : "character continues past end of line");
      return;
    }
    Macro* m = t.kind == TokenKind::Identifier && !t.noExpand ? find(t.text) : nullptr;
    if (!m) {
      out.push_back(t);
      continue;
    }
    if (m->active) {
      t.noExpand = true;
      out.push_back(t);
      continue;
    }
    if (m->builtin) {
      t.kind = m->builtin == 1 ? TokenKind::String : TokenKind::Number;
      t.text = m_pool.keep(m->builtin == 1 ? "\"" + m_diagnostics.fileName(t.loc.file) + "\"" : std::to_string(t.loc.line));
      out.push_back(t);
      continue;
    }
    if (m->functionLike) {
      if (!source.parenFollows()) {
        out.push_back(t);
        if (source.pendingDirective)
          return;
        continue;
      }
      std::vector<std::vector<Token>> args;
      if (!collectArguments(source, t, *m, args))
        return;
      source.push(substitute(t, *m, args), m);
    } else {
      source.push(substitute(t, *m, {}), m);
    }
    if (source.depth() > 2000) {
      m_diagnostics.fatal(t.loc, 1500, "macro expansion is too deep");
      return;
    }
  }
}

void Preprocessor::file(std::string_view text, uint32_t fileId, const void* data, int depth) {
  Lexer lexer(text, fileId, m_pool, m_diagnostics);
  size_t conditionBase = m_conditions.size();
  Source source(&lexer);
  for (;;) {
    if (m_diagnostics.isFatal())
      return;
    Token t;
    if (source.pendingDirective) {
      source.pendingDirective = false;
      source.hasPeeked = false;
      t = source.peeked;
    } else if (source.hasPeeked) {
      source.hasPeeked = false;
      t = source.peeked;
    } else {
      t = lexer.next();
    }
    if (t.kind == TokenKind::End)
      break;
    if (t.kind == TokenKind::Newline)
      continue;
    if (t.is("#") && t.lineStart) {
      size_t onceBefore = m_once.size();
      directive(lexer, t.loc, data, depth);
      if (m_once.size() > onceBefore)
        for (size_t i = onceBefore; i < m_once.size(); i++)
          if (m_once[i].empty())
            m_once[i] = text;
      continue;
    }
    if (!live()) {
      // Skipped lines are still split into tokens, which keeps comments and strings right.
      while (t.kind != TokenKind::Newline && t.kind != TokenKind::End)
        t = lexer.next();
      if (t.kind == TokenKind::End)
        break;
      continue;
    }
    std::vector<Token> line{t};
    source.push(line, nullptr);
    expandAll(source, m_output->tokens);
    if (m_output->tokens.size() > 2 * kMaxOutputTokens)
      m_diagnostics.fatal(t.loc, 1500, "source is too large");
  }
  if (m_conditions.size() > conditionBase && !m_diagnostics.isFatal() && depth > 0)
    m_diagnostics.fatal(m_conditions.back().loc, 1502, "unexpected end of file: #if without #endif");
}

namespace {
/// True if the two read the same without a space between them.
bool canTouch(const Token& a, const Token& b) {
  constexpr std::string_view kSingle = "()[]{};,";
  auto single = [kSingle](const Token& t) { return t.text.size() == 1 && kSingle.find(t.text[0]) != std::string_view::npos; };
  auto isName = [](const Token& t) { return t.kind == TokenKind::Identifier; };
  auto isMark = [](const Token& t) { return t.kind == TokenKind::Punctuator; };
  return single(a) || single(b) || (isName(a) && isMark(b)) || (isMark(a) && isName(b));
}
} // namespace

std::string printTokens(const PreprocessorOutput& output, const Diagnostics& diagnostics, bool columns) {
  std::string r;
  size_t lineStart = 0; // columns are counted from here
  uint32_t line = 0, file = ~0u;
  size_t pragma = 0;
  for (size_t i = 0; i < output.tokens.size(); i++) {
    const Token& t = output.tokens[i];
    for (; pragma < output.pragmas.size() && output.pragmas[pragma].tokenIndex <= i; pragma++) {
      r += (r.empty() ? "#pragma" : "\n#pragma") + output.pragmas[pragma].text;
      file = ~0u; // a #line follows
    }
    if (t.kind == TokenKind::End)
      break;
    if (t.loc.file != file || t.loc.line < line || t.loc.line > line + 8) {
      if (!r.empty())
        r += '\n';
      r += "#line " + std::to_string(t.loc.line) + " \"" + diagnostics.fileName(t.loc.file) + "\"\n";
      lineStart = r.size();
      file = t.loc.file;
      line = t.loc.line;
    } else {
      bool moved = line < t.loc.line;
      while (line < t.loc.line) {
        r += '\n';
        lineStart = r.size();
        line++;
      }
      if (!moved && !(columns && canTouch(output.tokens[i - 1], t)))
        r += ' ';
    }
    const size_t column = r.size() - lineStart + 1;
    if (columns && t.loc.col > column)
      r.append(std::min<size_t>(t.loc.col - column, kMaxPadding), ' ');
    r += t.text;
  }
  if (!r.empty())
    r += '\n';
  return r;
}

} // namespace monolith::compiler
