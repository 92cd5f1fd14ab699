// SPDX-License-Identifier: MIT
// Debug information, packed shaders, slots taken over from a template.
#include "d3dcompiler/shader_bytes.h"

#include "dxbc/debug_info.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

using namespace monolith;
using namespace monolith::test;

namespace {

ComPtr<ID3DBlob> compile(const std::string& source, const char* target, UINT flags = 0) {
  ComPtr<ID3DBlob> code, messages;
  EXPECT_EQ(D3DCompile(source.data(), source.size(), "place.hlsl", nullptr, nullptr, "main", target, flags, 0,
                       code.GetAddressOf(), messages.GetAddressOf()),
            S_OK)
      << textOf(messages.Get());
  return code;
}

std::vector<uint32_t> tagsOf(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> tags;
  auto c = dxbc::parseContainer(bytes);
  EXPECT_TRUE(c);
  if (c)
    for (const auto& chunk : c->chunks) tags.push_back(chunk.tag);
  return tags;
}
bool has(const std::vector<uint8_t>& bytes, uint32_t tag) {
  const auto tags = tagsOf(bytes);
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

constexpr char kLines[] = "float4 k;\n"
                          "float half_(float x)\n"
                          "{\n"
                          "  return x * 0.5;\n"
                          "}\n"
                          "float4 main(float x : X) : SV_Target\n"
                          "{\n"
                          "  float a = half_(x);\n"
                          "  [branch] if (k.y > 2)\n"
                          "    a = sqrt(a) + exp2(k.z);\n"
                          "  return a;\n"
                          "}\n";

} // namespace

TEST(Debug, InstructionsKnowTheirLines) {
  ComPtr<ID3DBlob> code = compile(kLines, "ps_5_0", D3DCOMPILE_DEBUG);
  ComPtr<ID3DBlob> part, same;
  ASSERT_EQ(D3DGetDebugInfo(code->GetBufferPointer(), code->GetBufferSize(), part.GetAddressOf()), S_OK);
  ASSERT_EQ(D3DGetBlobPart(code->GetBufferPointer(), code->GetBufferSize(), D3D_BLOB_DEBUG_INFO, 0, same.GetAddressOf()), S_OK);
  EXPECT_EQ(bytesOf(part.Get()), bytesOf(same.Get()));
  auto info = dxbc::parseDebugInfo(bytesOf(part.Get()));
  ASSERT_TRUE(info) << info.error();
  EXPECT_EQ(info->entry, "main");
  EXPECT_EQ(info->profile, "ps_5_0");
  EXPECT_EQ(info->flags, UINT(D3DCOMPILE_DEBUG));
  ASSERT_EQ(info->files.size(), 1u);
  EXPECT_EQ(info->files[0].name, "place.hlsl");
  EXPECT_EQ(info->files[0].source, kLines);
  // Each opcode of the program stands on a line of its own in the source.
  auto shader = dxbc::parseShader(bytesOf(code.Get()));
  ASSERT_TRUE(shader);
  size_t n = 0;
  uint32_t halves = 0, roots = 0, branches = 0;
  for (const dxbc::Instruction& i : shader->instructions) {
    if (i.isDeclaration()) continue;
    ASSERT_LT(n, info->lines.size());
    const dxbc::DebugLine& line = info->lines[n++];
    if (i.op == dxbc::OpCode::Mul) halves += line.line == 4;
    if (i.op == dxbc::OpCode::Sqrt || i.op == dxbc::OpCode::Exp) roots += line.line == 10;
    if (i.op == dxbc::OpCode::If) branches += line.line == 9;
    if (i.op == dxbc::OpCode::Ret) {
      EXPECT_EQ(line.line, 11u);
    }
  }
  EXPECT_EQ(n, info->lines.size());
  EXPECT_EQ(halves, 1u);
  EXPECT_EQ(roots, 2u);
  EXPECT_EQ(branches, 1u);
}

TEST(Debug, ComesAndGoes) {
  ComPtr<ID3DBlob> plain = compile(kLines, "ps_5_0"), code = compile(kLines, "ps_5_0", D3DCOMPILE_DEBUG), part, stripped;
  EXPECT_EQ(D3DGetDebugInfo(plain->GetBufferPointer(), plain->GetBufferSize(), part.GetAddressOf()), E_FAIL);
  EXPECT_FALSE(has(bytesOf(plain.Get()), dxbc::kTagSdbg));
  EXPECT_TRUE(has(bytesOf(code.Get()), dxbc::kTagSdbg));
  ASSERT_EQ(D3DStripShader(code->GetBufferPointer(), code->GetBufferSize(), D3DCOMPILER_STRIP_DEBUG_INFO, stripped.GetAddressOf()), S_OK);
  EXPECT_FALSE(has(bytesOf(stripped.Get()), dxbc::kTagSdbg));
  // The program is the same with and without.
  auto programOf = [](ID3DBlob* blob) {
    auto bytes = bytesOf(blob);
    auto c = dxbc::parseContainer(bytes);
    const dxbc::Chunk* chunk = c->find(dxbc::kTagShex);
    return std::vector<uint8_t>(chunk->data.begin(), chunk->data.end());
  };
  EXPECT_EQ(programOf(plain.Get()), programOf(code.Get()));
  // The name of the file for it stays in the shader: of the program alone, or of the source, too.
  ComPtr<ID3DBlob> names[4];
  const std::string other = std::string(kLines) + "// a comment\n";
  for (int i = 0; i < 4; i++) {
    ComPtr<ID3DBlob> named = compile(i & 1 ? other : kLines, "ps_5_0", D3DCOMPILE_DEBUG | (i & 2 ? D3DCOMPILE_DEBUG_NAME_FOR_SOURCE : D3DCOMPILE_DEBUG_NAME_FOR_BINARY));
    ASSERT_EQ(D3DStripShader(named->GetBufferPointer(), named->GetBufferSize(), D3DCOMPILER_STRIP_DEBUG_INFO, stripped.ReleaseAndGetAddressOf()), S_OK);
    ASSERT_EQ(D3DGetBlobPart(stripped->GetBufferPointer(), stripped->GetBufferSize(), D3D_BLOB_DEBUG_NAME, 0, names[i].GetAddressOf()), S_OK);
    const std::vector<uint8_t> bytes = bytesOf(names[i].Get());
    ASSERT_EQ(bytes.size(), 4u + 32 + 4 + 4);
    EXPECT_EQ(bytes[2], 36);
    EXPECT_STREQ(reinterpret_cast<const char*>(bytes.data()) + 36, ".pdb");
  }
  EXPECT_EQ(bytesOf(names[0].Get()), bytesOf(names[1].Get()));
  EXPECT_NE(bytesOf(names[2].Get()), bytesOf(names[3].Get()));
  // What is a database for a debugger is not there.
  EXPECT_EQ(D3DGetBlobPart(code->GetBufferPointer(), code->GetBufferSize(), D3D_BLOB_PDB, 0, part.GetAddressOf()), E_FAIL);
}

TEST(Debug, PhasesOfHullShaders) {
  const char* source = "struct P { float3 p : P; };\nstruct C { float e[3] : SV_TessFactor; float i : SV_InsideTessFactor; };\n"
                       "float w;\nC patch()\n{\n  C c;\n  c.e[0] = w;\n  c.e[1] = w * 2;\n  c.e[2] = w * 3;\n  c.i = 1;\n  return c;\n}\n"
                       "[domain(\"tri\")][partitioning(\"integer\")][outputtopology(\"triangle_cw\")][outputcontrolpoints(3)][patchconstantfunc(\"patch\")]\n"
                       "P main(InputPatch<P, 3> v, uint i : SV_OutputControlPointID)\n{\n  P o;\n  o.p = v[i].p * w;\n  return o;\n}\n";
  ComPtr<ID3DBlob> code = compile(source, "hs_5_0", D3DCOMPILE_DEBUG), part;
  ASSERT_EQ(D3DGetDebugInfo(code->GetBufferPointer(), code->GetBufferSize(), part.GetAddressOf()), S_OK);
  auto info = dxbc::parseDebugInfo(bytesOf(part.Get()));
  ASSERT_TRUE(info);
  std::vector<uint32_t> lines;
  for (const dxbc::DebugLine& l : info->lines) lines.push_back(l.line);
  EXPECT_NE(std::find(lines.begin(), lines.end(), 17u), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), 8u), lines.end());
  EXPECT_NE(std::find(lines.begin(), lines.end(), 9u), lines.end());
}

TEST(Pack, ShadersComeBack) {
  std::vector<ComPtr<ID3DBlob>> blobs = {compile(kLines, "ps_5_0", D3DCOMPILE_DEBUG), compile(kLines, "ps_4_0"), compile("float4 main(float4 p : P) : SV_Position { return p; }", "vs_5_0")};
  std::vector<D3D_SHADER_DATA> data;
  size_t total = 0;
  for (auto& b : blobs) {
    data.push_back({b->GetBufferPointer(), b->GetBufferSize()});
    total += b->GetBufferSize();
  }
  ComPtr<ID3DBlob> packed, small;
  ASSERT_EQ(D3DCompressShaders(UINT(data.size()), data.data(), D3D_COMPRESS_SHADER_KEEP_ALL_PARTS, packed.GetAddressOf()), S_OK);
  EXPECT_LT(packed->GetBufferSize(), total / 2);
  ID3DBlob* out[3] = {};
  UINT count = 0;
  ASSERT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 3, 0, nullptr, 0, out, &count), S_OK);
  EXPECT_EQ(count, 3u);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(bytesOf(out[i]), bytesOf(blobs[i].Get()));
    out[i]->Release();
  }
  // One from the middle, and by number.
  ASSERT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 1, 1, nullptr, 0, out, nullptr), S_OK);
  EXPECT_EQ(bytesOf(out[0]), bytesOf(blobs[1].Get()));
  out[0]->Release();
  UINT numbers[] = {2, 0};
  ASSERT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 2, 0, numbers, 0, out, nullptr), S_OK);
  EXPECT_EQ(bytesOf(out[0]), bytesOf(blobs[2].Get()));
  EXPECT_EQ(bytesOf(out[1]), bytesOf(blobs[0].Get()));
  out[0]->Release();
  out[1]->Release();
  // Without the flag only what is needed to run them is kept.
  ASSERT_EQ(D3DCompressShaders(1, data.data(), 0, small.GetAddressOf()), S_OK);
  ASSERT_EQ(D3DDecompressShaders(small->GetBufferPointer(), small->GetBufferSize(), 1, 0, nullptr, 0, out, nullptr), S_OK);
  EXPECT_EQ(tagsOf(bytesOf(out[0])), (std::vector<uint32_t>{dxbc::kTagIsgn, dxbc::kTagOsgn, dxbc::kTagShex}));
  out[0]->Release();
}

TEST(Pack, WrongCallsAndDamage) {
  ComPtr<ID3DBlob> code = compile(kLines, "ps_5_0"), packed;
  D3D_SHADER_DATA data = {code->GetBufferPointer(), code->GetBufferSize()};
  EXPECT_EQ(D3DCompressShaders(0, &data, 0, packed.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(D3DCompressShaders(1, nullptr, 0, packed.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(D3DCompressShaders(1, &data, 2, packed.GetAddressOf()), E_INVALIDARG);
  EXPECT_EQ(D3DCompressShaders(1, &data, 0, nullptr), E_INVALIDARG);
  D3D_SHADER_DATA none = {"no shader", 9};
  EXPECT_EQ(D3DCompressShaders(1, &none, 0, packed.GetAddressOf()), E_INVALIDARG);
  ASSERT_EQ(D3DCompressShaders(1, &data, 0, packed.GetAddressOf()), S_OK);
  ID3DBlob* out = nullptr;
  EXPECT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 1, 1, nullptr, 0, &out, nullptr), E_INVALIDARG);
  EXPECT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 1, 0, nullptr, 1, &out, nullptr), E_INVALIDARG);
  EXPECT_EQ(D3DDecompressShaders(packed->GetBufferPointer(), packed->GetBufferSize(), 1, 0, nullptr, 0, nullptr, nullptr), E_INVALIDARG);
  EXPECT_EQ(D3DDecompressShaders(code->GetBufferPointer(), code->GetBufferSize(), 1, 0, nullptr, 0, &out, nullptr), E_FAIL);
  // Damaged, also where the checksum was made anew.
  const std::vector<uint8_t> good = bytesOf(packed.Get());
  for (size_t n = 32; n < good.size(); n += 3) {
    std::vector<uint8_t> bad = good;
    bad[n] ^= 0x55;
    const dxbc::Checksum sum = dxbc::computeChecksum(bad);
    std::memcpy(bad.data() + 4, sum.data(), sum.size());
    if (SUCCEEDED(D3DDecompressShaders(bad.data(), bad.size(), 1, 0, nullptr, 0, &out, nullptr))) out->Release();
  }
  EXPECT_EQ(D3DDecompressShaders(good.data(), good.size() - 4, 1, 0, nullptr, 0, &out, nullptr), E_FAIL);
}

namespace {

struct Slots {
  HRESULT hr;
  std::string messages;
  std::map<std::string, UINT> of;
};
Slots withTemplate(const std::string& source, ID3DBlob* other, UINT flags) {
  Slots s;
  ComPtr<ID3DBlob> code, messages;
  s.hr = D3DCompile2(source.data(), source.size(), "b.hlsl", nullptr, nullptr, "main", "cs_5_0", 0, 0, flags, other ? other->GetBufferPointer() : nullptr,
                     other ? other->GetBufferSize() : 0, code.GetAddressOf(), messages.GetAddressOf());
  s.messages = textOf(messages.Get());
  if (FAILED(s.hr)) return s;
  ComPtr<ID3D11ShaderReflection> r;
  EXPECT_EQ(D3DReflect(code->GetBufferPointer(), code->GetBufferSize(), IID_ID3D11ShaderReflection, reinterpret_cast<void**>(r.GetAddressOf())), S_OK);
  D3D11_SHADER_DESC desc;
  r->GetDesc(&desc);
  for (UINT i = 0; i < desc.BoundResources; i++) {
    D3D11_SHADER_INPUT_BIND_DESC b;
    r->GetResourceBindingDesc(i, &b);
    s.of[b.Name] = b.BindPoint;
  }
  return s;
}

} // namespace

TEST(Template, SlotsAreTakenOver) {
  ComPtr<ID3DBlob> a = compile("RWBuffer<uint> one : register(u2); RWBuffer<uint> two : register(u5);\n[numthreads(1,1,1)] void main() { one[0] = 1; two[0] = 2; }", "cs_5_0");
  const std::string b = "RWBuffer<uint> extra; RWBuffer<uint> two; RWBuffer<uint> fresh; RWBuffer<uint> fresh2;\n"
                        "[numthreads(1,1,1)] void main() { extra[0] = 1; two[0] = 2; fresh[0] = 3; fresh2[0] = 4; }";
  Slots s = withTemplate(b, nullptr, 0);
  EXPECT_EQ(s.of, (std::map<std::string, UINT>{{"extra", 0}, {"two", 1}, {"fresh", 2}, {"fresh2", 3}}));
  for (UINT flags : {D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS, D3DCOMPILE_SECDATA_PRESERVE_TEMPLATE_SLOTS}) {
    s = withTemplate(b, a.Get(), flags);
    EXPECT_EQ(s.of, (std::map<std::string, UINT>{{"extra", 0}, {"two", 5}, {"fresh", 1}, {"fresh2", 3}}));
  }
  s = withTemplate(b, a.Get(), D3DCOMPILE_SECDATA_REQUIRE_TEMPLATE_MATCH);
  EXPECT_EQ(s.hr, E_FAIL);
  EXPECT_NE(s.messages.find("b.hlsl(1,16-20): error X3700:"), std::string::npos) << s.messages;
  EXPECT_EQ(withTemplate("RWBuffer<uint> two;\n[numthreads(1,1,1)] void main() { two[0] = 2; }", a.Get(), D3DCOMPILE_SECDATA_REQUIRE_TEMPLATE_MATCH).of,
            (std::map<std::string, UINT>{{"two", 5}}));
  // Flags without data, unknown flags, data that is no shader.
  EXPECT_EQ(withTemplate(b, nullptr, D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS).hr, E_INVALIDARG);
  EXPECT_EQ(withTemplate(b, a.Get(), 8).hr, E_INVALIDARG);
  ComPtr<ID3DBlob> none;
  ASSERT_EQ(D3DCreateBlob(64, none.GetAddressOf()), S_OK);
  EXPECT_EQ(withTemplate(b, none.Get(), D3DCOMPILE_SECDATA_MERGE_UAV_SLOTS).hr, E_INVALIDARG);
}
