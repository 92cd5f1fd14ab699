// SPDX-License-Identifier: MIT
// Text of single instructions and declarations, in the spelling of Microsoft's disassembler.
#include "unit/dxbc/samples.h"

#include "dxbc/disassemble.h"

#include <gtest/gtest.h>

using namespace monolith;
using namespace monolith::test;

namespace {

std::string text(const Instruction& i, uint8_t major = 5, uint8_t minor = 0, ShaderStage stage = ShaderStage::Pixel) {
  Shader s;
  s.stage = stage;
  s.major = major;
  s.minor = minor;
  return disassembleInstruction(i, s);
}

Operand precise(Operand o, MinPrecision p) {
  o.precision = p;
  return o;
}
Operand scalar(uint32_t reg, uint8_t c = 0) { return scalarOperand(RegisterType::Temp, reg, c); }
Operand ranged(RegisterType type, uint32_t id, uint32_t lower, uint32_t upper) {
  Operand o = plainOperand(type, id);
  o.indexCount = 3;
  o.index[1].offset = lower;
  o.index[2].offset = upper;
  return o;
}

} // namespace

TEST(Text, Literals) {
  auto withLiteral = [](OpCode code, Operand literal) { return text(op(code, {tempDst(0, 1), scalar(1), literal})); };
  EXPECT_EQ(withLiteral(OpCode::Add, immOperand(0.1f)), "add r0.x, r1.x, l(0.100000)");
  EXPECT_EQ(withLiteral(OpCode::Add, immOperand(-0.0f)), "add r0.x, r1.x, l(-0.000000)");
  EXPECT_EQ(withLiteral(OpCode::Lt, immOperand(0x7f800000u)), "lt r0.x, r1.x, l(1.#INF00)");
  EXPECT_EQ(withLiteral(OpCode::IAdd, immOperand(10000u)), "iadd r0.x, r1.x, l(10000)");
  EXPECT_EQ(withLiteral(OpCode::IAdd, immOperand(10001u)), "iadd r0.x, r1.x, l(0x00002711)");
  EXPECT_EQ(withLiteral(OpCode::IAdd, immOperand(0xffffffffu)), "iadd r0.x, r1.x, l(-1)");
  EXPECT_EQ(withLiteral(OpCode::IAdd, immOperand(0xffffd8f0u)), "iadd r0.x, r1.x, l(-10000)");
  EXPECT_EQ(withLiteral(OpCode::IAdd, immOperand(0xffff8001u)), "iadd r0.x, r1.x, l(0xffff8001)");
  EXPECT_EQ(withLiteral(OpCode::And, immOperand(0x3f800000u)), "and r0.x, r1.x, l(0x3f800000)");
  EXPECT_EQ(withLiteral(OpCode::And, immOperand(0x80000000u)), "and r0.x, r1.x, l(0x80000000)");
  EXPECT_EQ(text(op(OpCode::Mov, {tempDst(0, 0xe), immOperand(1.0f, 0.0f, 0.0f, 1.0f)})), "mov r0.yzw, l(1.000000,0,0,1.000000)");
  EXPECT_EQ(text(op(OpCode::DAdd, {tempDst(0, 0x3), temp(0, {0, 1, 0, 1}), imm64Operand(1.5, 0.0)})),
            "dadd r0.xy, r0.xyxy, d(1.500000l, 0.000000l)");
}

TEST(Text, MinimumPrecision) {
  using enum MinPrecision;
  EXPECT_EQ(text(op(OpCode::Add, {tempDst(2, 1), precise(scalar(0), Float16), precise(scalar(1), Float10)})),
            "add r2.x, r0.x {min16f as def32}, r1.x {min2_8f as def32}");
  EXPECT_EQ(text(op(OpCode::ItoF, {tempDst(2, 2), precise(scalar(3), Sint16)})), "itof r2.y, r3.x {min16i}");
  EXPECT_EQ(text(op(OpCode::Movc, {precise(tempDst(0, 1), Float16), precise(scalar(5), Uint16), immOperand(0u),
                                   precise(scalarOperand(RegisterType::Input, 0, 0), Float16)})),
            "movc r0.x {min16f}, r5.x {min16u}, l(0) {def32 as min16f}, v0.x {min16f}");
  Instruction d = dclIo(OpCode::DclInputPs, RegisterType::Input, 0, 1, InterpolationMode::Linear);
  d.operands[0].precision = Float16;
  EXPECT_EQ(text(d), "dcl_input_ps linear v0.x {min16f}");
}

TEST(Text, Resources) {
  Instruction ld = op(OpCode::LdMsS, {tempDst(2), tempDst(1, 1), temp(2), srcOperand(RegisterType::Resource, 0), scalar(1)});
  ld.hasOffsets = ld.hasResourceDim = ld.hasReturnType = true;
  ld.offsets = {1, 1, 0};
  ld.resourceDim = ResourceDimension::Texture2DMS;
  ld.returnTypes.fill(ReturnType::Float);
  EXPECT_EQ(text(ld), "ldms_s_aoffimmi_indexable(1,1,0)(texture2dms)(float,float,float,float) r2.xyzw, r1.x, r2.xyzw, t0.xyzw, r1.x");
  Instruction info = op(OpCode::ResInfo, {tempDst(3, 3), immOperand(0u), srcOperand(RegisterType::Uav, 1)});
  info.hasResourceDim = info.hasReturnType = true;
  info.resourceDim = ResourceDimension::Texture2D;
  info.returnTypes.fill(ReturnType::Float);
  info.resInfoType = ResInfoType::Uint;
  EXPECT_EQ(text(info), "resinfo_indexable(texture2d)(float,float,float,float)_uint r3.xy, l(0), u1.xyzw");
  Instruction structured = op(OpCode::LdStructured, {tempDst(0, 1), immOperand(2u), immOperand(4u), srcOperand(RegisterType::Resource, 110, {0, 0, 0, 0})});
  structured.hasResourceDim = structured.hasReturnType = true;
  structured.resourceDim = ResourceDimension::StructuredBuffer;
  structured.resourceStride = 84;
  structured.returnTypes.fill(ReturnType::Mixed);
  EXPECT_EQ(text(structured), "ld_structured_indexable(structured_buffer, stride=84)(mixed,mixed,mixed,mixed) r0.x, l(2), l(4), t110.xxxx");
  Instruction gather = op(OpCode::Gather4, {tempDst(1), immOperand(0.5f, 0.25f, 0.0f, 0.0f), srcOperand(RegisterType::Resource, 0),
                                            scalarOperand(RegisterType::Sampler, 0, 0)});
  EXPECT_EQ(text(gather), "gather4 r1.xyzw, l(0.500000, 0.250000, 0.000000, 0.000000), t0.xyzw, s0.x");
  Instruction sync = op(OpCode::Sync);
  sync.syncFlags = kSyncUavMemoryGlobal | kSyncGroupSharedMemory | kSyncThreadsInGroup;
  EXPECT_EQ(text(sync, 5, 0, ShaderStage::Compute), "sync_uglobal_g_t ");
  Instruction doubles = dclTexture(38, ResourceDimension::Texture2D);
  doubles.decl.returnTypes = {ReturnType::Double, ReturnType::Continued, ReturnType::Unused, ReturnType::Unused};
  EXPECT_EQ(text(doubles), "dcl_resource_texture2d (double,<continued>,<unused>,<unused>) t38");
  Instruction multisampled = dclTexture(0, ResourceDimension::Texture2DMS);
  multisampled.decl.sampleCount = 4;
  EXPECT_EQ(text(multisampled), "dcl_resource_texture2dms(4) (float,float,float,float) t0");
}

TEST(Text, Model51) {
  Instruction cb = op(OpCode::DclConstantBuffer, {ranged(RegisterType::ConstantBuffer, 2, 2, UINT32_MAX)});
  cb.decl.registerIndex = 2;
  cb.decl.rangeLower = 2;
  cb.decl.rangeUpper = UINT32_MAX;
  cb.decl.size = 1;
  cb.decl.space = 3;
  cb.decl.dynamicIndexed = true;
  EXPECT_EQ(text(cb, 5, 1), "dcl_constantbuffer CB2[2:*][1], dynamicIndexed, space=3");
  Instruction uav = op(OpCode::DclUavTyped, {ranged(RegisterType::Uav, 4, 3, 7)});
  uav.decl.rangeLower = 3;
  uav.decl.rangeUpper = 7;
  uav.decl.space = 2;
  uav.decl.dimension = ResourceDimension::Texture2D;
  uav.decl.uavFlags = kUavRasterizerOrdered;
  uav.decl.returnTypes.fill(ReturnType::Float);
  EXPECT_EQ(text(uav, 5, 1), "dcl_uav_typed_texture2d_rov (float,float,float,float) U4[3:7], space=2");
  Operand texture = srcOperand(RegisterType::Resource, 0);
  texture.indexCount = 2;
  texture.index[1].offset = 2;
  Operand sampler = plainOperand(RegisterType::Sampler, 1);
  sampler.indexCount = 2;
  Instruction sample = op(OpCode::Sample, {tempDst(2), srcOperand(RegisterType::Input, 1, {0, 1, 0, 0}), texture, sampler});
  addRelative(sample, sample.operands[2], 1, scalar(1));
  addRelative(sample, sample.operands[3], 1, scalar(1));
  EXPECT_EQ(text(sample, 5, 1), "sample r2.xyzw, v1.xyxx, T0[r1.x + 2].xyzw, S1[r1.x + 0]");
}

TEST(Text, Declarations) {
  Instruction flags = op(OpCode::DclGlobalFlags);
  flags.decl.globalFlags = kRefactoringAllowed | kEnableDoublePrecision | kEnableDoubleExtensions;
  EXPECT_EQ(text(flags), "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions");
  EXPECT_EQ(text(dclSampler(1, SamplerMode::Comparison)), "dcl_sampler s1, mode_comparison");
  EXPECT_EQ(text(dclIo(OpCode::DclInputPsSiv, RegisterType::Input, 7, 0xf, InterpolationMode::LinearNoPerspectiveSample,
                       SystemValue::Position)),
            "dcl_input_ps_siv linear noperspective sample v7.xyzw, position");
  Instruction counter = op(OpCode::DclUavStructured, {plainOperand(RegisterType::Uav, 0)});
  counter.decl.stride = 4;
  counter.decl.uavFlags = kUavHasCounter;
  EXPECT_EQ(text(counter), "dcl_uav_structured_opc u0, 4");
  Instruction interface = op(OpCode::DclInterface);
  interface.decl.count = interface.decl.callSites = 1;
  interface.data = {0, 1, 2};
  EXPECT_EQ(text(interface), "dcl_interface fp0[1][1] = {ft0, ft1, ft2}");
  Instruction table = op(OpCode::DclFunctionTable);
  table.decl.registerIndex = 3;
  table.decl.count = 1;
  table.data = {3};
  EXPECT_EQ(text(table), "dcl_function_table ft3 = {fb3}");
  Operand depth = plainOperand(RegisterType::OutputDepthGreaterEqual, 0);
  depth.indexCount = 0;
  depth.componentCount = 1;
  EXPECT_EQ(text(op(OpCode::DclOutput, {depth})), "dcl_output oDepthGE");
  EXPECT_EQ(text(op(OpCode::Mov, {depth, immOperand(1.0f)})), "mov oDepthGE, l(1.000000)");
}
