// SPDX-License-Identifier: MIT
// Double precision: what is refused, and what the container says about it.
#include "support.h"

namespace monolith::compiler::test {
namespace {

struct Case {
  const char* target;
  const char* text;
  const char* message; ///< beginning of the first line
};

TEST(Doubles, refused) {
  const Case cases[] = {
      {"ps_4_0", "double a;\nfloat4 main() : SV_Target {\n  return a * 2; }", "t.hlsl(3,10-14): error X3684: ps_4_0 does not support double-precision floating-point"},
      {"vs_4_1", "float4 main(float4 a : A) : SV_Position {\n  double d = a.x;\n  return d; }", "t.hlsl(2,14-16): error X3684: vs_4_1 does not"},
      {"ps_5_0", "float4 main(double a : A) : SV_Target { return a; }", "t.hlsl(1,20): error X3687: 'main': input parameter 'a'"},
      {"ps_5_0", "double2 main() : SV_Target { return 0; }", "t.hlsl(1,9-12): error X3687: 'main': function return value"},
      {"ps_5_0", "float4 main(float a : A) : SV_Target { return fma(a, a, a); }", "t.hlsl(1,47-58): error X3702: 'fma'"},
      {"ps_5_0", "double d; float4 main() : SV_Target { return d % 2; }", "t.hlsl(1,46-50): error X3684"},
  };
  for (const Case& c : cases) {
    CompileResult r = build(c.text, c.target);
    EXPECT_FALSE(r.ok) << c.text;
    EXPECT_NE(r.messages.find(c.message), std::string::npos) << c.text << "\n" << r.messages;
  }
  CompileResult r = build("double d; float4 main() : SV_Target { float f = d; return f; }");
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(r.messages, "t.hlsl(1,49): warning X3205: conversion from larger type to smaller, possible loss of data\n");
}

TEST(Doubles, features) {
  auto features = [](const char* text) {
    CompileResult r = build(text);
    EXPECT_TRUE(r.ok) << r.messages;
    auto shader = dxbc::loadShader(r.container);
    EXPECT_TRUE(shader) << shader.error();
    EXPECT_EQ(dxbc::validateShader(*shader), "");
    return std::make_pair(shader->featureFlags, shader->decls.globalFlags);
  };
  EXPECT_EQ(features("float a; float4 main() : SV_Target { return a; }"), std::make_pair(uint64_t(0), uint32_t(dxbc::kRefactoringAllowed)));
  EXPECT_EQ(features("double a; float4 main() : SV_Target { return a + 1; }"), std::make_pair(uint64_t(dxbc::kFeatureDoubles), uint32_t(dxbc::kRefactoringAllowed | dxbc::kEnableDoublePrecision)));
  EXPECT_EQ(features("double a; float4 main() : SV_Target { return 1 / a; }"),
            std::make_pair(uint64_t(dxbc::kFeatureDoubles | dxbc::kFeatureDoubleExtensions), uint32_t(dxbc::kRefactoringAllowed | dxbc::kEnableDoublePrecision | dxbc::kEnableDoubleExtensions)));
}

TEST(Doubles, code) {
  EXPECT_EQ(code("double a, b; float4 main() : SV_Target { return a * b; }"), "dmul r0.xy, cb0[0].xyxy, cb0[0].zwzw\ndtof r0.x, r0.xyxy\nmov o0.xyzw, r0.xxxx\nret\n");
  EXPECT_EQ(code("double a; float4 main() : SV_Target { return a > 0.5L; }"), "dlt r0.x, d(0.500000l, 0.500000l), cb0[0].xyxy\nand o0.xyzw, r0.xxxx, l(0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000)\nret\n");
}

} // namespace
} // namespace monolith::compiler::test
