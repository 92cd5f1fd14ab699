// SPDX-License-Identifier: MIT
// #if expressions: C's operators on 64-bit integers, all names that are left count as 0.
#include "compiler/preprocess/preprocessor.h"

namespace monolith::compiler {

namespace {

struct BinaryOperator {
  const char* text;
  int precedence;
};
constexpr BinaryOperator kBinary[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
                                      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

class Evaluator {
public:
  explicit Evaluator(const std::vector<Token>& tokens) : m_tokens(tokens) {}
  bool byZero = false;
  int64_t run(bool& ok) {
    int64_t v = conditional();
    ok = m_ok && m_pos == m_tokens.size();
    return v;
  }

private:
  const Token* peek() const { return m_pos < m_tokens.size() ? &m_tokens[m_pos] : nullptr; }
  bool take(std::string_view p) {
    if (peek() && peek()->is(p)) {
      m_pos++;
      return true;
    }
    return false;
  }
  int64_t conditional() {
    if (++m_depth > 200) {
      m_ok = false;
      return 0;
    }
    int64_t c = binary(1);
    if (take("?")) {
      m_skip += c == 0;
      int64_t a = conditional();
      m_skip += c == 0 ? -1 : 1;
      if (!take(":"))
        m_ok = false;
      int64_t b = conditional();
      m_skip -= c != 0;
      c = c ? a : b;
    }
    m_depth--;
    return c;
  }
  static int64_t apply(std::string_view op, int64_t a, int64_t b, bool& ok) {
    auto ua = uint64_t(a), ub = uint64_t(b);
    if (op == "||")
      return a || b;
    if (op == "&&")
      return a && b;
    if (op == "|")
      return a | b;
    if (op == "^")
      return a ^ b;
    if (op == "&")
      return a & b;
    if (op == "==")
      return a == b;
    if (op == "!=")
      return a != b;
    if (op == "<")
      return a < b;
    if (op == ">")
      return a > b;
    if (op == "<=")
      return a <= b;
    if (op == ">=")
      return a >= b;
    if (op == "<<")
      return int64_t(ua << (ub & 63));
    if (op == ">>")
      return a >> (ub & 63);
    if (op == "+")
      return int64_t(ua + ub);
    if (op == "-")
      return int64_t(ua - ub);
    if (op == "*")
      return int64_t(ua * ub);
    if (b == 0 || (b == -1 && a == INT64_MIN)) {
      ok = ok && b != 0;
      return 0;
    }
    return op == "/" ? a / b : a % b;
  }
  int64_t binary(int minimum) {
    int64_t a = unary();
    while (m_ok && peek() && peek()->kind == TokenKind::Punctuator) {
      const BinaryOperator* found = nullptr;
      for (const BinaryOperator& o : kBinary)
        if (peek()->text == o.text && o.precedence >= minimum)
          found = &o;
      if (!found)
        break;
      m_pos++;
      // The right side of && and || may not matter: what is wrong with its values is no error then.
      const std::string_view op = found->text;
      const bool idle = (op == "&&" && !a) || (op == "||" && a);
      m_skip += idle;
      int64_t b = binary(found->precedence + 1);
      m_skip -= idle;
      bool fine = true;
      a = apply(op, a, b, fine);
      if (!fine && !m_skip)
        m_ok = false, byZero = true;
    }
    return a;
  }
  int64_t unary() {
    if (++m_depth > 200) {
      m_ok = false;
      return 0;
    }
    int64_t r = 0;
    if (take("!"))
      r = !unary();
    else if (take("-"))
      r = int64_t(0 - uint64_t(unary()));
    else if (take("+"))
      r = unary();
    else if (take("~"))
      r = ~unary();
    else
      r = primary();
    m_depth--;
    return r;
  }
  int64_t primary() {
    const Token* t = peek();
    if (!t) {
      m_ok = false;
      return 0;
    }
    m_pos++;
    if (t->is("(")) {
      int64_t v = conditional();
      if (!take(")"))
        m_ok = false;
      return v;
    }
    if (t->kind == TokenKind::Identifier)
      return t->text == "true" ? 1 : 0;
    if (t->kind == TokenKind::Number) {
      std::string s(t->text);
      size_t used = 0;
      uint64_t v = 0;
      unsigned base = 10;
      if (s.size() > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        used = 2;
      } else if (s[0] == '0') {
        base = 8;
      }
      for (; used < s.size(); used++) {
        char c = s[used];
        unsigned d = c >= '0' && c <= '9' ? unsigned(c - '0') : c >= 'a' && c <= 'f' ? unsigned(c - 'a' + 10) : c >= 'A' && c <= 'F' ? unsigned(c - 'A' + 10) : 99;
        if (d >= base)
          break;
        v = v * base + d;
      }
      for (; used < s.size(); used++)
        if (std::string_view("uUlL").find(s[used]) == std::string_view::npos)
          m_ok = false;
      return int64_t(v);
    }
    if (t->kind == TokenKind::Char && t->text.size() >= 3)
      return t->text[1];
    m_ok = false;
    return 0;
  }
  const std::vector<Token>& m_tokens;
  size_t m_pos = 0;
  int m_depth = 0;
  bool m_ok = true;
  int m_skip = 0;
};

} // namespace

int64_t evaluateCondition(const std::vector<Token>& tokens, bool& ok, bool& byZero) {
  Evaluator e(tokens);
  const int64_t v = e.run(ok);
  byZero = e.byZero;
  return v;
}

} // namespace monolith::compiler
