// SPDX-License-Identifier: MIT
// Compute shaders and memory: what is refused and where, declarations, reflection, feature flags.
#include "dxbc/container.h"
#include "dxbc/rdef.h"
#include "support.h"

namespace monolith::compiler::test {
namespace {

struct Case {
  const char* target;
  const char* text;
  const char* message; ///< contained in the messages
};

void refuse(std::span<const Case> cases) {
  for (const Case& c : cases) {
    CompileResult r = build(c.text, c.target);
    EXPECT_FALSE(r.ok) << c.text;
    EXPECT_NE(r.messages.find(c.message), std::string::npos) << c.text << "\n" << r.messages;
  }
}

TEST(Compute, threadGroups) {
  const Case cases[] = {
      {"cs_5_0", "void main() {}", "t.hlsl(1,6-9): error X3656"},
      {"cs_5_0", "[numthreads(0, 1, 1)] void main() {}", "t.hlsl(1,2-11): error X3655"},
      {"cs_5_0", "[numthreads(1025, 1, 1)] void main() {}", "t.hlsl(1,2-11): error X3655"},
      {"cs_5_0", "[numthreads(1, 1, 65)] void main() {}", "t.hlsl(1,2-11): error X3655"},
      {"cs_5_0", "[numthreads(32, 33, 1)] void main() {}", "t.hlsl(1,2-11): error X3655"},
      {"cs_4_0", "[numthreads(769, 1, 1)] void main() {}", "error X3655"},
      {"cs_4_0", "[numthreads(1, 1, 2)] void main() {}", "error X3655"},
      {"cs_5_0", "[numthreads(1, 1)] void main() {}", "error X3084"},
      {"cs_5_0", "uint n; [numthreads(n, 1, 1)] void main() {}", "error X3084"},
      {"cs_5_0", "[numthreads(1, 1, 1)] void main(uint3 i : TEXCOORD) {}", "error X4502"},
      {"cs_5_0", "[numthreads(1, 1, 1)] float main() : SV_Target { return 0; }", "error X4503"},
      {"cs_6_0", "[numthreads(1, 1, 1)] void main() {}", "error X3506"},
  };
  refuse(cases);
  EXPECT_TRUE(build("[numthreads(32, 32, 1)] void main() {}", "cs_5_0").ok);
  EXPECT_TRUE(build("[numthreads(16, 1, 64)] void main() {}", "cs_5_0").ok);
  EXPECT_TRUE(build("[numthreads(768, 1, 1)] void main() {}", "cs_4_1").ok);
}

TEST(Compute, barriers) {
  const std::string head = "RWBuffer<uint> o; groupshared uint s[64]; groupshared uint k; uint c;\n[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex, uint3 g : SV_GroupID) {\ns[i] = i;\n";
  struct Barrier {
    const char* body;
    int error; ///< 0: accepted
  };
  const Barrier cases[] = {
      {"GroupMemoryBarrierWithGroupSync(); o[i] = s[63 - i]; }", 0},
      {"if (i < 3) GroupMemoryBarrierWithGroupSync(); o[i] = s[i]; }", 3663},
      {"if (i < 3) return;\nAllMemoryBarrierWithGroupSync(); o[i] = s[i]; }", 3663},
      {"if (i < 3) GroupMemoryBarrier(); o[i] = s[i]; }", 0},
      {"if (c) DeviceMemoryBarrierWithGroupSync(); o[i] = s[i]; }", 0},
      {"if (g.x > c) GroupMemoryBarrierWithGroupSync(); o[i] = s[i]; }", 0},
      {"[loop] for (uint n = 0; n < c; n++) { GroupMemoryBarrierWithGroupSync(); s[i] += s[63 - i]; } o[i] = s[i]; }", 0},
      {"[loop] for (uint n = 0; n < i; n++) { GroupMemoryBarrierWithGroupSync(); s[i] += s[63 - i]; } o[i] = s[i]; }", 3663},
      {"[loop] for (uint n = 0; n < c; n++) { GroupMemoryBarrierWithGroupSync(); if (s[i] > 9) break; s[i] += s[63 - i]; } o[i] = s[i]; }", 3663},
      {"if (i == 0) k = c; GroupMemoryBarrierWithGroupSync(); if (k) { GroupMemoryBarrierWithGroupSync(); s[i] = 1; } o[i] = s[i]; }", 4026},
      {"if (i == 0) k = c; GroupMemoryBarrierWithGroupSync(); uint q = k; GroupMemoryBarrierWithGroupSync(); if (q) { GroupMemoryBarrierWithGroupSync(); s[i] = 1; } o[i] = s[i]; }", 0},
      {"k = i; o[i] = k; }", 3695},
      {"if (i == 0) k = i + c; GroupMemoryBarrierWithGroupSync(); o[i] = k; }", 0},
      {"o[3] = i; }", 3694},
      {"o[g.x] = s[i] * 2; }", 3694},
  };
  for (const Barrier& b : cases) {
    CompileResult r = build(head + b.body, "cs_5_0");
    EXPECT_EQ(r.ok, b.error == 0) << b.body << "\n" << r.messages;
    if (b.error) {
      EXPECT_NE(r.messages.find("error X" + std::to_string(b.error)), std::string::npos) << b.body << "\n" << r.messages;
    }
  }
  EXPECT_NE(build(head + "if (i < 3) return;\n  GroupMemoryBarrierWithGroupSync(); o[i] = s[i]; }", "cs_5_0").messages.find("t.hlsl(5,3-35): error X3663"), std::string::npos);
  // The same value from every thread is only slow.
  CompileResult r = build(head + "k = c; GroupMemoryBarrierWithGroupSync(); o[i] = k; }", "cs_5_0");
  EXPECT_TRUE(r.ok);
  EXPECT_NE(r.messages.find("warning X3584"), std::string::npos);
  EXPECT_NE(build("float4 main() : SV_Target { GroupMemoryBarrier(); return 0; }").messages.find("error X3664"), std::string::npos);
  EXPECT_NE(build("float4 main() : SV_Position { AllMemoryBarrier(); return 0; }", "vs_5_0").messages.find("error X3664"), std::string::npos);
}

TEST(Compute, loopsThatDependOnUnorderedAccess) {
  const std::string head = "RWBuffer<uint> next; RWBuffer<uint> o; [numthreads(64, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { uint n = i.x;\n";
  EXPECT_NE(build(head + "while (n != 0) n = next[n]; o[i.x] = n; }", "cs_5_0").messages.find("t.hlsl(2,1-14): error X3671"), std::string::npos);
  EXPECT_TRUE(build(head + "[allow_uav_condition] while (n != 0) n = next[n]; o[i.x] = n; }", "cs_5_0").ok);
}

TEST(Compute, typedLoadsOfSeveralComponents) {
  auto features = [](const std::string& element) -> uint64_t {
    CompileResult r = build("RWTexture2D<" + element + "> t; RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = t[uint2(1, 2)]; }", "cs_5_0");
    EXPECT_TRUE(r.ok) << r.messages;
    auto container = dxbc::parseContainer(r.container);
    const dxbc::Chunk* chunk = container ? container->find(dxbc::kTagSfi0) : nullptr;
    return chunk ? chunk->data[0] | uint64_t(chunk->data[1]) << 8 : 0;
  };
  EXPECT_EQ(features("float"), 0u);
  EXPECT_EQ(features("uint"), 0u);
  EXPECT_EQ(features("float4"), uint64_t(dxbc::kFeatureTypedUavLoads));
  EXPECT_EQ(features("unorm float"), uint64_t(dxbc::kFeatureTypedUavLoads));
}

TEST(Compute, objects) {
  const Case cases[] = {
      {"cs_5_0", "RWTexture2D<float4> t; [numthreads(1, 1, 1)] void main() { t[uint2(0, 0)].xy = 1; }", "error X4596"},
      {"cs_5_0", "RWStructuredBuffer<float> t; [numthreads(1, 1, 1)] void main() { InterlockedAdd(t[0], 1); }", "error X3681"},
      {"cs_5_0", "[numthreads(1, 1, 1)] void main() { uint k = 0; InterlockedAdd(k, 1); }", "t.hlsl(1,64): error X3549"},
      {"cs_5_0", "RWStructuredBuffer<int> b; RWBuffer<int> o; [numthreads(1, 1, 1)] void main() { b.IncrementCounter(); o[b.DecrementCounter()] = 1; }", "error X4595"},
      {"cs_5_0", "StructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { b[0] = 1; }", "error X3025"},
      {"cs_5_0", "struct S { float4 a[129]; }; StructuredBuffer<S> b; RWBuffer<float> o; [numthreads(1, 1, 1)] void main() { o[0] = b[0].a[3].x; }", "error X4599"},
      {"cs_5_0", "groupshared float4 g[2049]; RWBuffer<float> o; [numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { g[i] = i; o[i] = g[8 - i].x; }", "t.hlsl(1,20): error X4586"},
      {"cs_5_0", "globallycoherent StructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { }", "error X3679"},
      {"cs_5_0", "globallycoherent AppendStructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { }", "error X3679"},
      {"cs_5_0", "groupshared Texture2D t; [numthreads(1, 1, 1)] void main() { }", "error X3682"},
      {"cs_5_0", "RWBuffer<int> b : register(t0); [numthreads(1, 1, 1)] void main() { b[0] = 1; }", "error X3530"},
      {"cs_5_0", "RWBuffer<int> b : register(u64); [numthreads(1, 1, 1)] void main() { b[0] = 1; }", "error X4585"},
      {"cs_4_0", "RWBuffer<int> b; [numthreads(1, 1, 1)] void main() { b[0] = 1; }", "error X3666"},
      {"cs_4_0", "AppendStructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { b.Append(1); }", "error X3"},
      {"cs_4_0", "RWStructuredBuffer<int> b; [numthreads(1, 1, 1)] void main() { InterlockedAdd(b[0], 1); }", "error X3660"},
      {"ps_4_0", "RWByteAddressBuffer b; float4 main() : SV_Target { b.Store(0, 1); return 0; }", "error X3667"},
      {"cs_4_0", "groupshared int g[4]; RWByteAddressBuffer o; [numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { g[i & 3] = i; o.Store(i * 4, g[0]); }", "error X4588"},
      {"cs_4_0", "groupshared int g; RWByteAddressBuffer o; [numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { if (i == 0) g = i; o.Store(i * 4, g); }", "error X4591"},
      {"ps_5_0", "Texture2D t; SamplerState s; int k; float4 main(float2 u : U) : SV_Target { return t.Sample(s, u, int2(9, 0)); }", "error X4566"},
  };
  refuse(cases);
}

TEST(Objects, typesAndTargets) {
  const Case cases[] = {
      {"ps_5_0", "half h; float4 main() : SV_Target { return h; }", "t.hlsl(1,44): error X3650"},
      {"ps_4_1", "float4 main(float4 a : A) : SV_Target { return EvaluateAttributeAtCentroid(a); }", "error X3672"},
      {"ps_5_0", "float4 main(float4 a : A) : SV_Target { return EvaluateAttributeAtCentroid(a * 2); }", "error X3674"},
      {"ps_5_0", "float4 main(float4 a : SV_Position) : SV_Target { return EvaluateAttributeAtSample(a, 1); }", "error X3673"},
      {"ps_4_0", "uint4 main(float4 a : A) : SV_Target { return f32tof16(a); }", "error X3704"},
      {"ps_4_0", "float4 main(uint a : A) : SV_Target { return CheckAccessFullyMapped(a); }", "error X3535"},
      {"ps_5_0", "float4 main(nointerpolation int a : A) : SV_Target { min16int b = a; return b / min16int(3); }", "error X3706"},
      {"ps_5_0", "float4 main(float a : A) : SV_Target { precise min16float b = a; return b; }", "error X4028"},
      {"cs_4_0", "groupshared int g[8]; RWByteAddressBuffer o; [numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex) { g[7 - i] = i; o.Store(i * 4, g[0]); }", "error X3668"},
  };
  refuse(cases);
  // Objects that are parameters of the entry point are resources like any other.
  EXPECT_EQ(code("float4 main(uniform Texture2D t, uniform SamplerState s, float2 u : U) : SV_Target { return t.Sample(s, u); }"),
            "sample_indexable(texture2d)(float,float,float,float) o0.xyzw, v0.xyxx, t0.xyzw, s0\nret\n");
  EXPECT_TRUE(build("half h; float4 main() : SV_Target { return h; }", "ps_5_0", "main", kEnableBackwardsCompatibility).ok);
}

TEST(Compute, unorderedAccessElsewhere) {
  auto flags = [](const char* text, const char* target) {
    CompileResult r = build(text, target);
    EXPECT_TRUE(r.ok) << r.messages;
    auto shader = dxbc::loadShader(r.container);
    EXPECT_TRUE(shader) << shader.error();
    EXPECT_EQ(dxbc::validateShader(*shader), "");
    return shader->featureFlags;
  };
  EXPECT_EQ(flags("RWBuffer<uint> b : register(u1); float4 main(float4 p : SV_Position) : SV_Target { b[uint(p.x)] = 1; return 0; }", "ps_5_0"), 0u);
  EXPECT_EQ(flags("RWBuffer<uint> b : register(u9); float4 main(float4 p : SV_Position) : SV_Target { b[uint(p.x)] = 1; return 0; }", "ps_5_0"), uint64_t(dxbc::kFeature64Uavs));
  EXPECT_EQ(flags("RWBuffer<uint> b; float4 main(uint i : SV_VertexID) : SV_Position { b[i] = 1; return 0; }", "vs_5_0"), uint64_t(dxbc::kFeatureUavsAtEveryStage));
  EXPECT_EQ(flags("RasterizerOrderedTexture2D<uint> b; float4 main(float4 p : SV_Position) : SV_Target { b[uint2(p.xy)] += 1; return 0; }", "ps_5_0"), uint64_t(dxbc::kFeatureRasterizerOrderedViews));
  EXPECT_EQ(flags("RWStructuredBuffer<uint> b; [numthreads(4, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { b[i.x] = 1; }", "cs_4_0"), 0u);
  EXPECT_EQ(flags("StructuredBuffer<float4> b; float4 main(uint i : I) : SV_Target { return b[i]; }", "ps_4_0"), uint64_t(dxbc::kFeatureRawAndStructuredBuffers4));
  EXPECT_EQ(flags("uint main(uint i : I, out float4 p : SV_Position) : SV_RenderTargetArrayIndex { p = 0; return i; }", "vs_5_0"), uint64_t(dxbc::kFeatureArrayIndexAnyStage));
  EXPECT_EQ(flags("Texture2D t; SamplerState s; float4 main(float2 u : U) : SV_Target { uint k; float4 c = t.Sample(s, u, int2(0, 0), 1.0, k); return CheckAccessFullyMapped(k) ? c : 0; }", "ps_5_0"), uint64_t(dxbc::kFeatureTiledResources));
}

TEST(Compute, code) {
  const char* text = "struct S { float3 a; uint b; }; globallycoherent RWStructuredBuffer<S> s : register(u2); ByteAddressBuffer r; groupshared float g[16];\n"
                     "[numthreads(16, 1, 1)] void main(uint i : SV_GroupIndex) { g[i] = s[i].a.y; GroupMemoryBarrierWithGroupSync(); s[i].b = asuint(g[15 - i]) + r.Load(4); }";
  EXPECT_EQ(code(text, "cs_5_0"), "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, vThreadIDInGroupFlattened.x, l(4), u2.xxxx\n"
                                  "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x\nsync_g_t\niadd r0.x, -vThreadIDInGroupFlattened.x, l(15)\n"
                                  "ld_structured r0.x, r0.x, l(0), g0.xxxx\nld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, l(4), t0.xxxx\niadd r0.x, r0.x, r0.y\n"
                                  "store_structured u2.x, vThreadIDInGroupFlattened.x, l(12), r0.x\nret\n");
  CompileResult r = build(text, "cs_5_0");
  auto shader = dxbc::loadShader(r.container);
  ASSERT_TRUE(shader);
  EXPECT_EQ(dxbc::validateShader(*shader), "");
  EXPECT_EQ(shader->decls.threadGroup, (std::array<uint32_t, 3>{16, 1, 1}));
  ASSERT_EQ(shader->decls.uavs.size(), 1u);
  ASSERT_EQ(shader->decls.groupMemory.size(), 1u);
  auto container = dxbc::parseContainer(r.container);
  ASSERT_TRUE(container);
  const dxbc::Chunk* chunk = container->find(dxbc::kTagRdef);
  ASSERT_NE(chunk, nullptr);
  auto rdef = dxbc::parseRdef(chunk->data);
  ASSERT_TRUE(rdef);
  ASSERT_EQ(rdef->constantBuffers.size(), 1u);
  EXPECT_EQ(rdef->constantBuffers[0].name, "s");
  EXPECT_EQ(rdef->constantBuffers[0].type, 3u);
  EXPECT_EQ(rdef->constantBuffers[0].size, 16u);
  EXPECT_EQ(rdef->constantBuffers[0].variables[0].name, "$Element");
  ASSERT_EQ(rdef->bindings.size(), 2u);
  EXPECT_EQ(rdef->bindings[0].type, 7u);
  EXPECT_EQ(rdef->bindings[1].type, 6u);
  EXPECT_EQ(rdef->bindings[1].sampleCount, 16u);
  EXPECT_EQ(rdef->bindings[1].bindPoint, 2u);
}

TEST(Compute, oldValuesThatNobodyReadsHaveAPlace) {
  const std::string s = code("RWByteAddressBuffer u; RWStructuredBuffer<uint> c; groupshared uint g; [numthreads(1, 1, 1)] void main(uint3 i : SV_DispatchThreadID) {\n"
                             "uint o; u.InterlockedExchange(0, i.x, o); InterlockedExchange(g, i.y, o); c.IncrementCounter(); c[0] = 1; }",
                             "cs_5_0");
  EXPECT_EQ(s, "imm_atomic_exch r0.x, u0, l(0), vThreadID.x\nimm_atomic_exch r0.x, g0, l(0, 0, 0, 0), vThreadID.y\nimm_atomic_alloc r0.x, u1\nstore_structured u1.x, l(0), l(0), l(1)\nret\n");
}

} // namespace
// Which chunk the program is in, and which flags it begins with, as Microsoft's compiler has it.
TEST(Compute, formOfTheProgram) {
  auto form = [](const char* text, const char* target, uint32_t flags = 0) {
    CompileRequest request;
    request.source = text;
    request.target = target;
    request.flags = flags;
    CompileResult r = compile(request);
    EXPECT_TRUE(r.ok) << r.messages;
    auto shader = dxbc::loadShader(r.container);
    EXPECT_TRUE(shader) << shader.error();
    return std::pair(shader->programTag, shader->decls.globalFlags);
  };
  using Form = std::pair<uint32_t, uint32_t>;
  const char* pixel = "float4 main(float4 p : P) : SV_Target { return p; }";
  EXPECT_EQ(form(pixel, "ps_4_0"), Form(dxbc::kTagShdr, 0));
  EXPECT_EQ(form(pixel, "ps_4_1"), Form(dxbc::kTagShdr, dxbc::kRefactoringAllowed));
  EXPECT_EQ(form(pixel, "ps_5_0"), Form(dxbc::kTagShex, dxbc::kRefactoringAllowed));
  EXPECT_EQ(form(pixel, "ps_5_0", kSkipOptimization), Form(dxbc::kTagShex, dxbc::kRefactoringAllowed | dxbc::kSkipOptimization));
  EXPECT_EQ(form("RWByteAddressBuffer b; [numthreads(1, 1, 1)] void main() { b.Store(0, 1); }", "cs_4_0"), Form(dxbc::kTagShex, dxbc::kRefactoringAllowed));
  EXPECT_EQ(form("ByteAddressBuffer b; float4 main() : SV_Target { return b.Load(0); }", "ps_4_0"), Form(dxbc::kTagShex, dxbc::kEnableRawAndStructured));
}

} // namespace monolith::compiler::test
