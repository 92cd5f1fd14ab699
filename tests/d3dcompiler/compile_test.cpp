// SPDX-License-Identifier: MIT
// D3DCompile and its relatives: arguments, blobs, messages, #include.
#include "d3dcompiler/shader_bytes.h"

#include "dxbc/validate.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

#include <gtest/gtest.h>

using namespace monolith;
using namespace monolith::test;

namespace {

constexpr char kPixel[] = "cbuffer Params : register(b2) { float4 tint; };\n"
                          "Texture2D picture : register(t1);\nSamplerState linearSampler;\n"
                          "float4 main(float4 p : SV_Position, float2 uv : TEXCOORD) : SV_Target {\n"
                          "  return picture.Sample(linearSampler, uv) * tint;\n}\n";

struct Compiled {
  HRESULT hr;
  ComPtr<ID3DBlob> code, messages;
};

Compiled compile(const std::string& source, const char* target = "ps_5_0", UINT flags = 0,
                 const D3D_SHADER_MACRO* defines = nullptr, ID3DInclude* include = nullptr, const char* entry = "main") {
  Compiled c;
  c.hr = D3DCompile(source.data(), source.size(), "test.hlsl", defines, include, entry, target, flags, 0,
                    c.code.GetAddressOf(), c.messages.GetAddressOf());
  return c;
}

/// Files in memory; checks that each is closed and who includes whom.
class MemoryInclude final : public ID3DInclude {
public:
  std::map<std::string, std::string> files;
  int opened = 0, closed = 0;
  const void* lastParent = nullptr;
  D3D_INCLUDE_TYPE lastType = D3D_INCLUDE_LOCAL;

  HRESULT STDMETHODCALLTYPE Open(D3D_INCLUDE_TYPE type, const char* name, const void* parent, const void** data,
                                 UINT* bytes) override {
    auto it = files.find(name);
    if (it == files.end()) return E_FAIL;
    opened++;
    lastParent = parent;
    lastType = type;
    *data = it->second.data();
    *bytes = UINT(it->second.size());
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE Close(const void*) override {
    closed++;
    return S_OK;
  }
};

} // namespace

TEST(Compile, GivesAShaderThatReflectionKnows) {
  Compiled c = compile(kPixel);
  ASSERT_EQ(c.hr, S_OK) << textOf(c.messages.Get());
  EXPECT_EQ(c.messages.Get(), nullptr);
  std::vector<uint8_t> bytes = bytesOf(c.code.Get());
  dxbc::Result<dxbc::Shader> shader = dxbc::loadShader(bytes);
  ASSERT_TRUE(shader) << shader.error();
  EXPECT_EQ(shader->stage, dxbc::ShaderStage::Pixel);
  ComPtr<ID3D11ShaderReflection> r;
  ASSERT_EQ(D3DReflect(bytes.data(), bytes.size(), IID_PPV_ARGS(r.GetAddressOf())), S_OK);
  // REQ: A0618
  D3D11_SHADER_INPUT_BIND_DESC bind;
  ASSERT_EQ(r->GetResourceBindingDescByName("Params", &bind), S_OK);
  EXPECT_EQ(bind.BindPoint, 2u);
  ASSERT_EQ(r->GetResourceBindingDescByName("picture", &bind), S_OK);
  EXPECT_EQ(bind.BindPoint, 1u);
  // REQ: A0619
  D3D11_SHADER_BUFFER_DESC b;
  ASSERT_EQ(r->GetConstantBufferByName("Params")->GetDesc(&b), S_OK);
  EXPECT_EQ(b.Size, 16u);
  D3D11_SHADER_DESC d;
  ASSERT_EQ(r->GetDesc(&d), S_OK);
  EXPECT_EQ(d.InstructionCount, 3u);
}

TEST(Compile, ErrorsAreText) {
  Compiled c = compile("float4 main() : SV_Target {\n  return nothing;\n}\n");
  EXPECT_EQ(c.hr, E_FAIL);
  EXPECT_EQ(c.code.Get(), nullptr);
  ASSERT_NE(c.messages.Get(), nullptr);
  std::string text = textOf(c.messages.Get());
  EXPECT_EQ(text.size() + 1, c.messages->GetBufferSize());
  EXPECT_EQ(text.compare(0, 11, "test.hlsl(2"), 0) << text;
  EXPECT_NE(text.find("error X3004: undeclared identifier 'nothing'"), std::string::npos) << text;
  // Without a place for messages or code, the result is the same.
  EXPECT_EQ(D3DCompile("x", 1, nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, nullptr, nullptr), E_FAIL);
  EXPECT_EQ(D3DCompile(kPixel, sizeof kPixel, nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, nullptr, nullptr), S_OK);
}

TEST(Compile, WrongArguments) {
  EXPECT_EQ(D3DCompile(nullptr, 0, nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, nullptr, nullptr), E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, nullptr).hr, E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_PACK_MATRIX_ROW_MAJOR | D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR).hr, E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_AVOID_FLOW_CONTROL | D3DCOMPILE_PREFER_FLOW_CONTROL).hr, E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_ENABLE_STRICTNESS | D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY).hr, E_INVALIDARG);
  EXPECT_TRUE(FAILED(compile(kPixel, "nonsense").hr));
  Compiled c = compile(kPixel, "ps_5_0", 0, nullptr, nullptr, "other");
  EXPECT_EQ(c.hr, E_FAIL);
  EXPECT_NE(textOf(c.messages.Get()).find("X3501: 'other': entrypoint not found"), std::string::npos);
}

namespace {
std::string listing(const Compiled& c) {
  ComPtr<ID3DBlob> text;
  if (c.hr != S_OK || D3DDisassemble(c.code->GetBufferPointer(), c.code->GetBufferSize(), D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS, nullptr, text.GetAddressOf()) != S_OK)
    return c.messages ? textOf(c.messages.Get()) : std::string();
  return textOf(text.Get());
}
bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }
} // namespace

TEST(Compile, FlagsThatContradictEachOther) {
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_AVOID_FLOW_CONTROL | D3DCOMPILE_PREFER_FLOW_CONTROL).hr, E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_PACK_MATRIX_ROW_MAJOR | D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR).hr, E_INVALIDARG);
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_ENABLE_STRICTNESS | D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY).hr, E_INVALIDARG);
}

TEST(Compile, FlagsThatSteerTheFlow) {
  const std::string branch = "float4 main(float4 p : P) : SV_Target { float4 r = 0; if (p.x > 0) r = p * p; return r; }";
  EXPECT_FALSE(has(listing(compile(branch)), "if_nz"));
  EXPECT_TRUE(has(listing(compile(branch, "ps_5_0", D3DCOMPILE_PREFER_FLOW_CONTROL)), "if_nz"));
  EXPECT_FALSE(has(listing(compile(branch, "ps_5_0", D3DCOMPILE_AVOID_FLOW_CONTROL)), "if_nz"));
  const std::string loop = "float4 main(float4 p : P) : SV_Target { for (int i = 0; i < 4; i++) p = p * p + i; return p; }";
  EXPECT_FALSE(has(listing(compile(loop)), "loop"));
  EXPECT_TRUE(has(listing(compile(loop, "ps_5_0", D3DCOMPILE_PREFER_FLOW_CONTROL)), "loop"));
}

TEST(Compile, FlagsOfMatricesAndStrictness) {
  const std::string matrix = "float4x4 m; float3x2 n; float4 main(float4 p : P) : SV_Target { return mul(m, p) + mul(p.xyz, n).xyxy; }";
  EXPECT_FALSE(has(listing(compile(matrix)), "row_major"));
  EXPECT_TRUE(has(listing(compile(matrix, "ps_5_0", D3DCOMPILE_PACK_MATRIX_ROW_MAJOR)), "row_major float4x4 m"));
  EXPECT_FALSE(has(listing(compile(matrix, "ps_5_0", D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR)), "row_major"));
  EXPECT_TRUE(has(listing(compile(matrix, "ps_5_0", D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR)), "float4x4 m"));
  // The pragma is stronger than the flag.
  EXPECT_FALSE(has(listing(compile("#pragma pack_matrix(column_major)\n" + matrix, "ps_5_0", D3DCOMPILE_PACK_MATRIX_ROW_MAJOR)), "row_major"));
  const std::string global = "float g; float4 main() : SV_Target { g = 2; return g; }";
  EXPECT_EQ(compile(global).hr, E_FAIL);
  EXPECT_EQ(compile(global, "ps_4_0", D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY).hr, S_OK);
  EXPECT_TRUE(has(listing(compile("float4 main(float4 p : P) : SV_Target { return p * 0 + p / 3; }", "ps_5_0", D3DCOMPILE_IEEE_STRICTNESS)), "div"));
  EXPECT_FALSE(has(listing(compile("float4 main(float4 p : P) : SV_Target { return p * 0 + p / 3; }")), "div"));
}

TEST(Compile, StrictnessRefusesOldIntrinsics) {
  const std::string old = "sampler2D s; float4 main(float2 u : U) : SV_Target { return tex2D(s, u); }";
  EXPECT_EQ(compile(old, "ps_4_0").hr, S_OK);
  EXPECT_EQ(compile(old, "ps_4_0", D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY).hr, S_OK);
  EXPECT_TRUE(has(listing(compile(old, "ps_4_0", D3DCOMPILE_ENABLE_STRICTNESS)), "(1,61-71): error X3523"));
}

TEST(Compile, FlagsThatChangeNothingElse) {
  const UINT silent[] = {D3DCOMPILE_SKIP_VALIDATION,   D3DCOMPILE_NO_PRESHADER,        D3DCOMPILE_FORCE_VS_SOFTWARE_NO_OPT, D3DCOMPILE_FORCE_PS_SOFTWARE_NO_OPT,
                         D3DCOMPILE_PARTIAL_PRECISION, D3DCOMPILE_ALL_RESOURCES_BOUND, D3DCOMPILE_ENABLE_STRICTNESS,        D3DCOMPILE_OPTIMIZATION_LEVEL0,
                         D3DCOMPILE_OPTIMIZATION_LEVEL1, D3DCOMPILE_OPTIMIZATION_LEVEL2, D3DCOMPILE_OPTIMIZATION_LEVEL3};
  for (UINT flag : silent) {
    const Compiled c = compile(kPixel, "ps_5_0", flag);
    EXPECT_EQ(c.hr, S_OK) << flag << textOf(c.messages.Get());
    EXPECT_TRUE(dxbc::loadShader(bytesOf(c.code.Get()))) << flag;
  }
}

TEST(Compile, IncludeWithoutAHandler) {
  const Compiled c = compile("\n#include \"a.h\"\nfloat4 main() : SV_Target { return 0; }");
  EXPECT_EQ(c.hr, E_FAIL);
  EXPECT_FALSE(c.code);
  EXPECT_TRUE(has(textOf(c.messages.Get()), "test.hlsl(2,")); // the columns of Microsoft's compiler are not known
  EXPECT_TRUE(has(textOf(c.messages.Get()), "): error X1505: No include handler specified"));
}

TEST(Compile, WarningsBecomeErrors) {
  const std::string source = "float4 main(float4 a : A) : SV_Target { float2 b = a; return b.xyxy; }";
  const Compiled c = compile(source, "ps_5_0"), e = compile(source, "ps_5_0", D3DCOMPILE_WARNINGS_ARE_ERRORS);
  EXPECT_EQ(c.hr, S_OK);
  EXPECT_TRUE(has(textOf(c.messages.Get()), "warning X3206"));
  EXPECT_EQ(e.hr, E_FAIL);
  EXPECT_FALSE(e.code);
  EXPECT_TRUE(has(textOf(e.messages.Get()), "error X3129"));
  EXPECT_EQ(compile(kPixel, "ps_5_0", D3DCOMPILE_WARNINGS_ARE_ERRORS).hr, S_OK);
}

TEST(Compile, WithoutOptimization) {
  const Compiled c = compile(kPixel, "ps_5_0", D3DCOMPILE_SKIP_OPTIMIZATION);
  EXPECT_EQ(c.hr, S_OK);
  EXPECT_TRUE(has(listing(c), "skipOptimization"));
  EXPECT_FALSE(has(listing(compile(kPixel, "ps_5_0")), "skipOptimization"));
}

TEST(Compile, FlagsOfEffectsLeaveShadersAlone) {
  const Compiled plain = compile(kPixel, "ps_5_0");
  for (UINT flags : {UINT(D3DCOMPILE_EFFECT_CHILD_EFFECT), UINT(D3DCOMPILE_EFFECT_ALLOW_SLOW_OPS)}) {
    ComPtr<ID3DBlob> code;
    ASSERT_EQ(D3DCompile(kPixel, std::strlen(kPixel), "test.hlsl", nullptr, nullptr, "main", "ps_5_0", 0, flags, code.GetAddressOf(), nullptr), S_OK);
    EXPECT_EQ(bytesOf(code.Get()), bytesOf(plain.code.Get()));
  }
  const Compiled effect = compile("technique11 T { pass P { } }", "fx_5_0");
  EXPECT_EQ(effect.hr, E_FAIL);
  EXPECT_TRUE(has(textOf(effect.messages.Get()), "error X3506: effect targets are not supported: 'fx_5_0'"));
}

TEST(Compile, ViewsThatMayAlias) {
  const std::string source = "StructuredBuffer<float> a; RWStructuredBuffer<float> b : register(u0); [numthreads(1, 1, 1)] void main() { float x = a[0]; b[0] = x + 1; b[1] = a[0]; }";
  auto loads = [](const std::string& s) {
    size_t n = 0;
    for (size_t at = s.find("\nld_structured"); at != std::string::npos; at = s.find("\nld_structured", at + 1)) n++;
    return n;
  };
  EXPECT_EQ(loads(listing(compile(source, "cs_5_0"))), 1u);
  EXPECT_EQ(loads(listing(compile(source, "cs_5_0", D3DCOMPILE_RESOURCES_MAY_ALIAS))), 2u);
  EXPECT_TRUE(has(listing(compile(kPixel, "ps_5_0", D3DCOMPILE_RESOURCES_MAY_ALIAS)), "error X3719"));
  EXPECT_TRUE(has(listing(compile(source, "cs_4_0", D3DCOMPILE_RESOURCES_MAY_ALIAS)), "error X3719"));
}

TEST(Compile, DefinesAndPreprocess) {
  const D3D_SHADER_MACRO defines[] = {{"COLOR", "float4(1, 0, 0, 1)"}, {"ON", nullptr}, {nullptr, nullptr}};
  std::string source = "#ifdef ON\nfloat4 main() : SV_Target { return COLOR; }\n#endif\n";
  EXPECT_EQ(compile(source, "ps_4_0", 0, defines).hr, S_OK);
  EXPECT_EQ(compile(source, "ps_4_0").hr, E_FAIL);
  ComPtr<ID3DBlob> text, messages;
  ASSERT_EQ(D3DPreprocess(source.data(), source.size(), "a.hlsl", defines, nullptr, text.GetAddressOf(), messages.GetAddressOf()), S_OK);
  EXPECT_NE(textOf(text.Get()).find("float4"), std::string::npos);
  EXPECT_EQ(textOf(text.Get()).find("COLOR"), std::string::npos);
  EXPECT_EQ(D3DPreprocess("#error no\n", 10, "a.hlsl", nullptr, nullptr, text.ReleaseAndGetAddressOf(), messages.ReleaseAndGetAddressOf()), E_FAIL);
  EXPECT_NE(messages.Get(), nullptr);
  EXPECT_EQ(D3DPreprocess("x", 1, nullptr, nullptr, nullptr, nullptr, nullptr), E_INVALIDARG);
}

TEST(Compile, IncludeInterface) {
  MemoryInclude include;
  include.files["outer.h"] = "#include <inner.h>\nfloat4 twice(float4 v) { return inner(v) + inner(v); }\n";
  include.files["inner.h"] = "float4 inner(float4 v) { return v.wzyx; }\n";
  std::string source = "#include \"outer.h\"\nfloat4 main(float4 p : P) : SV_Target { return twice(p); }\n";
  Compiled c = compile(source, "ps_5_0", 0, nullptr, &include);
  EXPECT_EQ(c.hr, S_OK) << textOf(c.messages.Get());
  EXPECT_EQ(include.opened, 2);
  EXPECT_EQ(include.closed, 2);
  EXPECT_EQ(include.lastType, D3D_INCLUDE_SYSTEM);
  EXPECT_EQ(include.lastParent, include.files["outer.h"].data());
  include.files.erase("inner.h");
  c = compile(source, "ps_5_0", 0, nullptr, &include);
  EXPECT_EQ(c.hr, E_FAIL);
  EXPECT_EQ(include.opened, include.closed);
  // Without a handler there are no files.
  EXPECT_EQ(compile(source).hr, E_FAIL);
}

TEST(Compile, FilesAndTheStandardInclude) {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(testing::TempDir()) / ("monolith_compile_" + std::to_string(getpid()));
  fs::create_directories(folder / "lib");
  std::ofstream(folder / "main.hlsl") << "#include \"lib/a.h\"\nfloat4 main(float4 p : P) : SV_Target { return f(p); }\n";
  std::ofstream(folder / "lib/a.h") << "#include \"b.h\"\n"; // beside the including file
  std::ofstream(folder / "lib/b.h") << "float4 f(float4 v) { return v * 2; }\n";
  ComPtr<ID3DBlob> code, messages;
  std::wstring path = (folder / "main.hlsl").wstring();
  EXPECT_EQ(D3DCompileFromFile(path.c_str(), nullptr, D3D_COMPILE_STANDARD_FILE_INCLUDE, "main", "ps_5_0", 0, 0,
                               code.GetAddressOf(), messages.GetAddressOf()),
            S_OK)
      << textOf(messages.Get());
  EXPECT_EQ(D3DCompileFromFile((path + L"x").c_str(), nullptr, nullptr, "main", "ps_5_0", 0, 0, code.ReleaseAndGetAddressOf(), nullptr),
            HRESULT_FROM_WIN32(2));
  EXPECT_EQ(code.Get(), nullptr);
  // The folder of the first file comes before that of the including one.
  std::ofstream(folder / "b.h") << "float4 f(float4 v) { return v; }\n";
  std::ofstream(folder / "lib/b.h") << "wrong\n";
  EXPECT_EQ(D3DCompileFromFile(path.c_str(), nullptr, D3D_COMPILE_STANDARD_FILE_INCLUDE, "main", "ps_5_0", 0, 0, code.ReleaseAndGetAddressOf(), nullptr), S_OK);
  fs::remove_all(folder);
}

TEST(Compile, IsTheSameEveryTime) {
  Compiled a = compile(kPixel), b = compile(kPixel);
  ASSERT_EQ(a.hr, S_OK);
  ASSERT_EQ(b.hr, S_OK);
  EXPECT_EQ(bytesOf(a.code.Get()), bytesOf(b.code.Get()));
}
