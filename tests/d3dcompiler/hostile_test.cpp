// SPDX-License-Identifier: MIT
// Sources that try to make the compiler crash, hang or eat memory. Each must have its answer soon, and with a message.
#include "d3dcompiler/shader_bytes.h"

#include <ctime>

#include <gtest/gtest.h>

using namespace monolith::test;

namespace {

std::string times(const std::string& text, size_t count) {
  std::string s;
  s.reserve(text.size() * count);
  while (count--) s += text;
  return s;
}

const std::string kPlain = "float4 main() : SV_Target { return 1; }\n";
/// A pixel shader with this body.
std::string body(const std::string& text, const std::string& before = "") {
  return before + "float4 main(float4 c : COLOR, uint n : N) : SV_Target { " + text + " }";
}

/// Lines f0..f(count-1); `line` gets the number.
template <typename F> std::string lines(int count, F line) {
  std::string s;
  for (int i = 0; i < count; i++) s += line(std::to_string(i), std::to_string(i - 1), i == 0) + "\n";
  return s;
}

/// CPU time that an answer may take. The promise is a second; sanitizers multiply it, and processors differ.
#if defined(__SANITIZE_THREAD__)
constexpr double kSeconds = 60;
#elif defined(__SANITIZE_ADDRESS__)
constexpr double kSeconds = 15;
#else
constexpr double kSeconds = 2;
#endif

/// The message; empty when the source was compiled.
std::string verdict(const std::string& source) {
  ComPtr<ID3DBlob> code, messages;
  const clock_t start = clock();
  const HRESULT hr = D3DCompile(source.data(), source.size(), "t.hlsl", nullptr, nullptr, "main", "ps_5_0", 0, 0,
                                code.GetAddressOf(), messages.GetAddressOf());
  EXPECT_LT(double(clock() - start) / CLOCKS_PER_SEC, kSeconds) << source.substr(0, 80);
  EXPECT_EQ(FAILED(hr), code == nullptr);
  if (SUCCEEDED(hr)) return {};
  EXPECT_TRUE(messages) << source.substr(0, 80);
  return messages ? static_cast<const char*>(messages->GetBufferPointer()) : "";
}

void refused(const std::string& source, const std::string& part) {
  const std::string text = verdict(source);
  EXPECT_NE(text.find(part), std::string::npos) << source.substr(0, 80) << ": " << text.substr(0, 300);
}

} // namespace

TEST(Hostile, DeepNesting) {
  constexpr size_t n = 100000;
  const std::string deep[] = {
      body("return " + times("(", n) + "c" + times(")", n) + ";"),
      body(times("{", n) + times("}", n) + "return c;"),
      body(times("if (c.x > 0) ", n) + "c.x += 1; return c;"),
      body(times("for (;;) ", n) + "c.x += 1; return c;"),
      body("return " + times("- ", n) + "c;"),
      body("return " + times("(float4)", n) + "c;"),
      body("return " + times("abs(", n) + "c" + times(")", n) + ";"),
      body("return " + times("c.x>0?1:", n) + "2;"),
      body("float x; " + times("x=", n) + "2; return x;"),
      body("return " + times("c[", n) + "0" + times("]", n) + ";"),
      body("return c" + times(".xyzw", n) + ";"),
      body("return c.x" + times("++", n) + ";"),
      "float g" + times("[1]", n) + ";" + kPlain,
      times("vector<", n) + kPlain,
      "Texture2D<" + times("vector<", n) + kPlain,
      times("struct { ", n) + "float x;" + times("} s;", n) + kPlain,
      "#if " + times("(", n) + "1" + times(")", n) + "\n#endif\n" + kPlain,
      "#if " + times("!", n) + "1\n#endif\n" + kPlain,
      times("#if 1\n", n) + times("#endif\n", n) + kPlain,
      "#define A(x) x\n" + body("return " + times("A(", n) + "c" + times(")", n) + ";"),
  };
  for (const std::string& source : deep) refused(source, "error X");
}

TEST(Hostile, Bombs) {
  auto twice = [](const std::string& i, const std::string& last, bool first) {
    return "#define A" + i + (first ? " c+c" : " A" + last + "+A" + last);
  };
  refused(lines(40, twice) + body("return A39;"), "X1500");
  refused(lines(30, [](const std::string& i, const std::string& last, bool first) {
            return "float f" + i + "(float x) { return " + (first ? "x*x" : "f" + last + "(x)+f" + last + "(x+1)") + "; }";
          }) + body("return f29(c.x);"), "X4505");
  refused(lines(40, [](const std::string& i, const std::string& last, bool first) {
            return "struct S" + i + " { " + (first ? "float4 a, b;" : "S" + last + " a, b;") + " };";
          }) + "S39 g; " + kPlain, "X3059");
  refused(body("[unroll] for (int i=0;i<1000;i++) [unroll] for (int j=0;j<1000;j++) [unroll] for (int k=0;k<1000;k++) "
               "c.x = c.x*c.y+1; return c;"), "X4505");
  refused("float4 g[65536][65536]; " + body("return g[0][0];"), "X3059");
  refused(body("float4 g[65536][65536][65536][65536]; return g[0][0][0][0];"), "X3059");
}

TEST(Hostile, ThingsThatContainThemselves) {
  refused("struct S { S s; }; S g;" + kPlain, "cannot contain members of their own type");
  refused("struct S { S s[2]; }; S g;" + kPlain, "cannot contain members of their own type");
  refused("struct S { S s[2][3]; }; S g;" + kPlain, "cannot contain members of their own type");
  refused("struct S { struct T { S s[1]; } t; }; S g;" + kPlain, "cannot contain members of their own type");
  refused("float f(float x) { return f(x); }" + body("return f(c.x);"), "X3500");
  refused("float4 main() : SV_Target { return main(); }", "X3500");
}

TEST(Hostile, Bytes) {
  refused("\xff\xfe" "f\0l\0o\0a\0t\0", "illegal character in shader file (byte 255); UTF-16 text is not read");
  refused(kPlain + "\x1a", "illegal character in shader file (byte 26)");
  refused("float \xc3\xa4;" + kPlain, "illegal character in shader file (byte 195)");
  refused(std::string(4096, '\0'), "X3501");
  EXPECT_EQ(verdict("\xef\xbb\xbf" + kPlain), "");
  EXPECT_EQ(verdict("// \xc3\xa4\n" + kPlain), "");
  std::string noise;
  uint32_t random = 1;
  for (int i = 0; i < 100; i++) {
    noise.clear();
    for (int k = 0; k < 300; k++) {
      random = random * 1664525 + 1013904223;
      noise += char(random >> 24);
    }
    refused(noise, "error X");
  }
}
