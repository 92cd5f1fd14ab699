// SPDX-License-Identifier: MIT
#include "support.h"

namespace monolith::compiler::test {
namespace {

struct Case {
  const char* text;
  const char* message; ///< beginning of the first line
};

TEST(Errors, numberAndPlace) {
  const Case cases[] = {
      {"float4 main() : SV_Target { return x; }", "t.hlsl(1,36): error X3004: undeclared identifier 'x'"},
      {"float4 main() : SV_Target { return foo(1); }", "t.hlsl(1,36-38): error X3004: undeclared identifier 'foo'"},
      {"float4 main() : SV_Target {\n  float a = 1\n  return a; }", "t.hlsl(3,3-8): error X3000: syntax error: unexpected token 'return'"},
      {"float4 main() : SV_Target { return 1 2; }", "t.hlsl(1,38): error X3000: syntax error: unexpected integer constant"},
      {"foo bar;", "t.hlsl(1,1-3): error X3000: unrecognized identifier 'foo'"},
      {"float4 main() : SV_Target { float a; float a; return 0; }", "t.hlsl(1,44): error X3003: redefinition of 'a'"},
      {"float4 main() : SV_Target { float4 a = float2(1, 2); return a; }", "t.hlsl(1,40-51): error X3017: 'a': cannot implicitly convert from 'float2' to 'float4'"},
      {"float4 main() : SV_Target { return float4(1, 2); }", "t.hlsl(1,36-47): error X3014: incorrect number of arguments to numeric-type constructor"},
      {"float4 main() : SV_Target { float4 a = 0; return a.q; }", "t.hlsl(1,52): error X3018: invalid subscript 'q'"},
      {"float4 c; float4 main() : SV_Target { c = 1; return c; }",
       "t.hlsl(1,39): error X3025: global variables are implicitly constant, enable compatibility mode to allow modification"},
      {"float4 main() : SV_Target { const float a = 1; a = 2; return a; }", "t.hlsl(1,48): error X3025: l-value specifies const object"},
      {"float4 main() : SV_Target { float a[3]; return a[5]; }", "t.hlsl(1,48-51): error X3504: array index out of bounds"},
      {"float f(float a) { return a; } float4 main() : SV_Target { return f(1, 2); }", "t.hlsl(1,67-73): error X3013: 'f': no matching 2 parameter function"},
      {"float f(float x) { return f(x); } float4 main(float x : X) : SV_Target { return f(x); }", "t.hlsl(1,27-30): error X3500: 'f': recursive functions not allowed"},
      {"float4 main() : SV_Target { return 1.0f % 2 & 3; }", "t.hlsl(1,36-47): error X3082: int or unsigned int type required"},
      {"float4 main() : SV_Target { break; return 0; }", "t.hlsl(1,29-34): error X3518"},
      {"vector<float, 5> v; float4 main() : SV_Target { return 0; }", "t.hlsl(1,15): error X3052: vector dimension must be between 1 and 4"},
      {"float4 main() { return 0; }", "t.hlsl(1,8-11): error X3503: 'main': function return value missing semantics"},
      {"float4 main(float a) : SV_Target { return a; }", "t.hlsl(1,19): error X3502: 'main': input parameter 'a' missing semantics"},
      {"float4 f() : SV_Target { return 0; }", "error X3501: 'main': entrypoint not found"},
  };
  for (const Case& c : cases) {
    CompileResult r = build(c.text);
    EXPECT_FALSE(r.ok) << c.text;
    EXPECT_TRUE(r.container.empty());
    EXPECT_EQ(r.messages.substr(0, std::string(c.message).size()), c.message) << c.text;
  }
}

TEST(Errors, warnings) {
  CompileResult r = build("float4 main(float4 a : A) : SV_Target { float2 b = a; return b.xyxy; }");
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(r.messages, "t.hlsl(1,52): warning X3206: 'b': implicit truncation of vector type\n");
  r = build("float4 main(float4 a : A) : SV_Target { return pow(a, a); }");
  EXPECT_NE(r.messages.find("warning X3571"), std::string::npos);
  EXPECT_EQ(build("float4 main(float4 a : A) : SV_Target { return pow(abs(a), a); }").messages, "");
  r = build("#pragma warning(disable : 3206)\nfloat4 main(float4 a : A) : SV_Target { float2 b = a; return b.xyxy; }");
  EXPECT_EQ(r.messages, "");
  r = build("float4 main(float4 a : A) : SV_Target { float2 b = a; return b.xyxy; }", "ps_5_0", "main", kWarningsAreErrors);
  EXPECT_FALSE(r.ok);
  EXPECT_EQ(r.messages, "t.hlsl(1,52): error X3129: 'b': implicit truncation of vector type\n");
}

TEST(Errors, pragmasHoldFromTheirPlaceOn) {
  const std::string truncation = "float2 f%(float4 a) { float2 b = a; return b; }\n";
  auto function = [&](const char* n) { return std::string(truncation).replace(8, 1, n); };
  const std::string end = "float4 main(float4 a : A) : SV_Target { return float4(f1(a), f2(a)) + pow(a, a.x); }";
  CompileResult r = build("#pragma warning(disable : 3206)\n" + function("1") + "#pragma warning(default : 3206 3571)\n" + function("2") + end);
  EXPECT_EQ(count(r.messages, "X3206"), 1u) << r.messages;
  EXPECT_EQ(count(r.messages, "t.hlsl(4,34): warning X3206"), 1u) << r.messages;
  EXPECT_EQ(count(r.messages, "X3571"), 1u);
  // Messages of later stages obey them too.
  r = build(function("1") + function("2") + "#pragma warning(disable : 3571, 3206)\n" + end);
  EXPECT_EQ(count(r.messages, "X3206"), 2u);
  EXPECT_EQ(count(r.messages, "X3571"), 0u);
  r = build("#pragma warning(once : 3206; disable : 3571)\n" + function("1") + function("2") + end);
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(count(r.messages, "X3206"), 1u) << r.messages;
  EXPECT_EQ(count(r.messages, "X3571"), 0u);
  r = build("#pragma warning(error : 3571)\n" + function("1") + function("2") + end);
  EXPECT_FALSE(r.ok);
  EXPECT_EQ(count(r.messages, "error X3129: pow(f, e)"), 1u) << r.messages;
  EXPECT_EQ(count(r.messages, "warning X3206"), 2u);
  r = build(function("1") + function("2") + end, "ps_5_0", "main", kWarningsAreErrors);
  EXPECT_EQ(count(r.messages, "error X3129"), 2u) << "the first stage that fails is the last: " << r.messages;
}

TEST(Errors, hostileSourceEndsWithAnError) {
  auto repeat = [](const std::string& s, int n) {
    std::string r;
    for (int i = 0; i < n; i++)
      r += s;
    return r;
  };
  std::string bomb = "#define A0 x x x x x x x x x x\n";
  for (int i = 1; i < 12; i++) {
    std::string p = "A" + std::to_string(i - 1) + " ";
    bomb += "#define A" + std::to_string(i) + " " + repeat(p, 10) + "\n";
  }
  std::string tree = "float f0(float x) { return x * x + 1; }\n";
  for (int i = 1; i < 40; i++) {
    std::string p = "f" + std::to_string(i - 1), k = std::to_string(i);
    tree += "float f" + k + "(float x) { return " + p + "(x) + " + p + "(x + " + k + "); }\n";
  }
  const std::string sources[] = {
      bomb + "A11",
      tree + "float4 main(float x : X) : SV_Target { return f39(x); }",
      "float4 main() : SV_Target { return " + repeat("(", 50000) + "1; }",
      "float4 main() : SV_Target { return " + repeat("-", 50000) + "1; }",
      "float4 main() : SV_Target { " + repeat("{", 50000),
      "float4 main(float x : X) : SV_Target { return " + repeat("x + ", 50000) + "x; }",
      "float4 main(float x : X) : SV_Target { float s = 0; [unroll] for (int i = 0; i < 1000000; i++) s += x; return s; }",
      "float a[65536][65536]; float4 main() : SV_Target { return 0; }",
      "struct A { A a; }; float4 main() : SV_Target { return 0; }",
      "float4 main(float x : X) : SV_Target { while (true) x += 1; return x; }",
      "/*", "\"", "#if", "#", "", std::string("\0\xff{", 3), "float4 main(", "cbuffer", "struct", "[", "float4 f : register(",
  };
  for (const std::string& s : sources) {
    CompileResult r = build(s);
    EXPECT_FALSE(r.ok) << s.substr(0, 60);
    EXPECT_NE(r.messages.find("error X"), std::string::npos) << s.substr(0, 60);
  }
}

/// Every prefix of a program ends with an error, none in a crash.
TEST(Errors, truncatedPrograms) {
  const std::string text = "#define K(x) (x * 2)\ncbuffer C : register(b1) { float4x4 m : packoffset(c0); float3 v[2] : packoffset(c4); }\nTexture2D<float4> t; SamplerState s { Filter = 1; };\n"
                           "struct S { float4 p : SV_Position; float2 u : TEXCOORD0; };\nfloat g(inout float a, float b = 2) { a += b; return K(a); }\n"
                           "float4 main(S i) : SV_Target { float x = 1; [unroll] for (int k = 0; k < 2; k++) { x += g(x); if (x > 3) break; }\n"
                           "switch (int(x)) { case 1: x = 2; break; default: x = 3; break; } return mul(m, t.Sample(s, i.u)) * x + v[1].xyzz; }";
  for (size_t n = 0; n < text.size(); n += 3)
    EXPECT_FALSE(build(text.substr(0, n)).ok) << n;
  EXPECT_TRUE(build(text).ok) << build(text).messages;
}

} // namespace
} // namespace monolith::compiler::test
