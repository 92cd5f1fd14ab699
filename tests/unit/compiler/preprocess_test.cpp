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

TEST(Preprocess, errors) {
  EXPECT_EQ(expand("#define F(a, b) a\nF(1)"), "a.hlsl(2,1): error X1516: not enough actual parameters for macro 'F'\n");
  EXPECT_NE(expand("#if 1\n").find("X1511"), std::string::npos);
  EXPECT_NE(expand("#error no way").find("no way"), std::string::npos);
}

} // namespace
} // namespace monolith::compiler::test
