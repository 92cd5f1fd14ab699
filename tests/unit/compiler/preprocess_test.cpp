// SPDX-License-Identifier: MIT
#include "support.h"

#include <map>

namespace monolith::compiler::test {
namespace {

class Files : public IncludeHandler {
public:
  std::map<std::string, std::string> files;
  int open_ = 0;
  bool open(bool, const char* name, const void*, const void** data, size_t* bytes) override {
    auto it = files.find(name);
    if (it == files.end())
      return false;
    open_++;
    *data = it->second.data();
    *bytes = it->second.size();
    return true;
  }
  void close(const void*) override { open_--; }
};

std::string expand(const std::string& text, Files* files = nullptr) {
  CompileRequest r;
  r.source = text;
  r.sourceName = "a.hlsl";
  r.include = files;
  PreprocessResult p = preprocess(r);
  if (!p.ok)
    return p.messages;
  std::string out;
  bool space = false;
  size_t i = 0;
  while (i < p.text.size()) { // lines of marks away, white space to single blanks
    if ((i == 0 || p.text[i - 1] == '\n') && p.text.compare(i, 5, "#line") == 0) {
      i = p.text.find('\n', i);
      continue;
    }
    char c = p.text[i++];
    if (c == '\n' || c == ' ') {
      space = !out.empty();
      continue;
    }
    if (space)
      out += ' ';
    space = false;
    out += c;
  }
  return out;
}

TEST(Preprocess, macros) {
  EXPECT_EQ(expand("#define A 1\n#define B A + A\nB"), "1 + 1");
  EXPECT_EQ(expand("#define F(x, y) x * y\nF(a, (b, c))"), "a * ( b , c )");
  EXPECT_EQ(expand("#define F(x) x\nF\n(3) F"), "3 F");
  EXPECT_EQ(expand("#define CAT(a, b) a##b\n#define X CAT(foo, 1)\nX"), "foo1");
  EXPECT_EQ(expand("#define STR(x) #x\n#define V 5\nSTR(V + \"s\")"), "\"V + \\\"s\\\"\"");
  EXPECT_EQ(expand("#define X2(x) STR(x)\n#define STR(x) #x\n#define V 5\nX2(V)"), "\"5\"");
  EXPECT_EQ(expand("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"), "2 * 9 * g");
  EXPECT_EQ(expand("#define A A B\n#define B A\nA"), "A A");
  EXPECT_EQ(expand("#define E\n#define F(x) [x]\nF(E) F()"), "[ ] [ ]");
  EXPECT_EQ(expand("#define L a \\\n b\nL __LINE__"), "a b 3");
}

TEST(Preprocess, conditions) {
  EXPECT_EQ(expand("#if 1 + 2 * 3 == 7 && !defined(X)\nyes\n#else\nno\n#endif"), "yes");
  EXPECT_EQ(expand("#define X 2\n#if X == 1\na\n#elif X == 2\nb\n#elif 1\nc\n#else\nd\n#endif"), "b");
  EXPECT_EQ(expand("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
  EXPECT_EQ(expand("#ifdef A\na\n#endif\n#ifndef A\nb\n#endif"), "b");
  EXPECT_EQ(expand("#if (0x10 >> 2 | 3) == 7 ? 1 : 0\nok\n#endif"), "ok");
}

TEST(Preprocess, include) {
  Files f;
  f.files["b.h"] = "#define Q 4\n#include <c.h>\n";
  f.files["c.h"] = "q";
  EXPECT_EQ(expand("#include \"b.h\"\nQ", &f), "q 4");
  EXPECT_EQ(f.open_, 0);
  EXPECT_EQ(expand("#include \"no.h\"", &f), "a.hlsl(1,2-8): error X1507: failed to open source file: 'no.h'\n");
  f.files["self.h"] = "#include \"self.h\"\n";
  EXPECT_NE(expand("#include \"self.h\"", &f).find("error X1506"), std::string::npos);
}

TEST(Preprocess, argumentsAndOperators) {
  // Operands of # and ## are taken as written, all others are expanded first, the result is looked at again.
  const std::string d = "#define N 7\n#define ID(x) x\n#define STR(x) #x\n#define CAT(a, b) a##b\n#define XCAT(a, b) CAT(a, b)\n";
  EXPECT_EQ(expand(d + "STR(ID(N)) ID(STR(N)) XCAT(ID(N), N) CAT(ID, (N))"), "\"ID(N)\" \"N\" 77 7");
  EXPECT_EQ(expand(d + "STR(  a   b /* c */ 'x' \"q\\n\" )"), "\"a b 'x' \\\"q\\\\n\\\"\"");
  EXPECT_EQ(expand(d + "CAT(,) CAT(a,) CAT(,b) CAT(+,=) CAT(1,e5)"), "a b += 1e5");
  EXPECT_EQ(expand(d + "CAT(CAT(1, 2), 3)"), "CAT ( 1 , 2 ) 3"); // a macro is not expanded within itself
  EXPECT_EQ(expand(d + "ID(ID)(N) ID((ID)(N))"), "ID ( 7 ) ( ID ) ( 7 )");
  EXPECT_EQ(expand("#define obj(x) x\n#define call obj\ncall(1) call (2) call"), "1 2 obj");
  EXPECT_EQ(expand("#define EMPTY\n#define LP (\n#define F(x) <x>\nF EMPTY (1) F LP 2 )"), "F ( 1 ) F ( 2 )");
  EXPECT_EQ(expand("#define A B\n#define B C\nA\n#undef B\nA\n#define B D\nA"), "C B D");
  EXPECT_EQ(expand("#define F(a) G(a)\n#define G(a) F(a)\nF(1) G(2)"), "F ( 1 ) G ( 2 )");
  EXPECT_EQ(expand("#define max2(a, b) ((a) > (b) ? (a) : (b))\nmax2(max2(1, 2), 3)"), "( ( ( ( 1 ) > ( 2 ) ? ( 1 ) : ( 2 ) ) ) > ( 3 ) ? ( ( ( 1 ) > ( 2 ) ? ( 1 ) : ( 2 ) ) ) : ( 3 ) )");
  EXPECT_EQ(expand("#define F(x, y) x - y\nF(1,\n// comment\n2)"), "1 - 2");
}

TEST(Preprocess, linesAndPlaces) {
  EXPECT_EQ(expand("__LINE__ __FILE__\n#line 40 \"dir\\\\b.h\"\n__LINE__ __FILE__\n#line 7\n__LINE__"), "1 \"a.hlsl\" 40 \"dir\\b.h\" 7");
  EXPECT_EQ(expand("#define N 9\n#line N\n__LINE__"), "9");
  EXPECT_EQ(expand("#def\\\nine A 1\nA"), "1");
  EXPECT_EQ(expand("#/* a */define /* b\n c */ A /* d */ 2 // e\nA"), "2");
  EXPECT_EQ(expand("int a\\\nb; // x \\\n still\nc"), "int ab ; c");
  EXPECT_EQ(build("#line 100 \"other.hlsl\"\nfloat4 main() : SV_Target { return x; }").messages, "other.hlsl(100,36): error X3004: undeclared identifier 'x'\n");
}

TEST(Preprocess, skippedGroups) {
  EXPECT_EQ(expand("#if 0\ndon't \"open\n#foo\n#error no\n#include \"x\"\n#if garbage ( (\n#else\n#endif\n#define A\n#else\nb\n#endif\n#ifdef A\nc\n#endif"), "b");
  EXPECT_EQ(expand("#if 1\na\n#elif 1 / 0\nb\n#elif (\n#else\nc\n#endif trailing\nd"), "a d");
  EXPECT_EQ(expand("#if 0 && 1 / 0\n#elif 1 || 1 % 0\na\n#endif"), "a");
  EXPECT_EQ(expand("#if 1 ? 2 : 1 / 0\na\n#endif"), "a");
  EXPECT_EQ(expand("#define F(x) x\n#if defined F && defined(F) && F(0) == 0 && !defined G && -1 < 0 && 010 == 8 && 0xFu == 15\na\n#endif"), "a");
  EXPECT_EQ(expand("#if 0\n/*\n#endif\n*/\n#endif\nx"), "x");
  EXPECT_EQ(expand("#pragma foo(\nx"), "#pragma foo ( x");
}

TEST(Preprocess, pragmasStayInTheText) {
  CompileRequest r;
  r.source = "#pragma pack_matrix(row_major)\nfloat4x4 m;\n#pragma pack_matrix(column_major)\n#pragma warning(disable: 3206)\nfloat4x4 n; float4 main(float4 v : V) : SV_Target { float2 a = v; return mul(m, v) + mul(n, v) + a.x; }\n";
  r.sourceName = "a.hlsl";
  PreprocessResult p = preprocess(r);
  ASSERT_TRUE(p.ok);
  EXPECT_EQ(count(p.text, "#pragma"), 3u) << p.text;
  EXPECT_EQ(code(p.text), code(std::string(r.source)));
  EXPECT_EQ(build(p.text).messages, "");
}

TEST(Preprocess, filesAreClosedBehindTheirEnd) {
  struct Log : IncludeHandler {
    std::map<std::string, std::string> files;
    std::string log;
    bool open(bool system, const char* name, const void* parent, const void** data, size_t* bytes) override {
      log += (system ? "<" : "\"") + std::string(name);
      for (auto& [n, text] : files)
        if (text.data() == parent) log += " in " + n;
      log += ";";
      *data = files[name].data();
      *bytes = files[name].size();
      return true;
    }
    void close(const void* data) override {
      for (auto& [n, text] : files)
        if (text.data() == data) log += "/" + n + ";";
    }
  } log;
  log.files = {{"a", "#include <b>\n#include \"c\"\na1"}, {"b", "b1"}, {"c", "#include \"b\"\n"}};
  CompileRequest r;
  r.source = "#include \"a\"\nx\n#include <c>\n";
  r.sourceName = "root";
  r.include = &log;
  EXPECT_TRUE(preprocess(r).ok);
  EXPECT_EQ(log.log, "\"a;<b in a;/b;\"c in a;\"b in c;/b;/c;/a;<c;\"b in c;/b;/c;");
}

TEST(Preprocess, errors) {
  EXPECT_EQ(expand("#define F(a, b) a\nF(1)"), "a.hlsl(2,1): error X1516: not enough actual parameters for macro 'F'\n");
  EXPECT_NE(expand("#if 1\n").find("X1502"), std::string::npos);
  EXPECT_NE(expand("#error no way").find("no way"), std::string::npos);
}

} // namespace
} // namespace monolith::compiler::test
