// SPDX-License-Identifier: MIT
#include "codegen/program.h"
#include "ir/function.h"

#include <gtest/gtest.h>

namespace monolith::codegen {
namespace {

SignatureElement element(const char* name, uint32_t index, uint8_t reg, uint8_t mask, SystemValue system = SystemValue::None) {
  SignatureElement e;
  e.semantic = name;
  e.semanticIndex = index;
  e.reg = reg;
  e.mask = e.usedMask = mask;
  e.system = system;
  return e;
}

TEST(Linkage, LaysOutInSignatureOrder) {
  Program vs;
  vs.outputs = {element("SV_Position", 0, 0, 15, SystemValue::Position), element("TEXCOORD", 0, 1, 3),
                element("TEXCOORD", 1, 1, 12), element("SV_ClipDistance", 0, 2, 3, SystemValue::ClipDistance),
                element("SV_CullDistance", 0, 2, 4, SystemValue::CullDistance)};
  const VertexOutputs out = layoutOutputs(vs);
  EXPECT_EQ(out.slot[0][0], 0);
  EXPECT_EQ(out.slot[0][3], 3);
  EXPECT_EQ(out.slot[1][0], 8);
  EXPECT_EQ(out.slot[1][3], 11);
  EXPECT_EQ(out.clipDistances, 2);
  EXPECT_EQ(out.clipDistanceSlot[1], 13);
  EXPECT_EQ(out.clipDistanceSlot[2], 255);
  EXPECT_EQ(out.cullDistances, 1);
  EXPECT_EQ(out.cullDistanceSlot[0], 14);
  EXPECT_EQ(out.slotCount, 15);
  EXPECT_EQ(out.slot[3][0], 255);
}

TEST(Linkage, MatchesBySemanticWithoutCase) {
  Program vs, ps;
  vs.outputs = {element("SV_POSITION", 0, 0, 15, SystemValue::Position), element("COLOR", 0, 1, 15), element("uv", 3, 2, 12)};
  ps.inputs = {element("sv_position", 0, 0, 15, SystemValue::Position), element("Uv", 3, 1, 3), element("COLOR", 1, 2, 15),
               element("color", 0, 3, 7)};
  const PixelLinkage l = link(vs, layoutOutputs(vs), ps);
  EXPECT_EQ(l.slot[0][0], 255); // made by the rasterizer
  EXPECT_EQ(l.slot[1][0], 12);
  EXPECT_EQ(l.slot[1][1], 13);
  EXPECT_EQ(l.slot[2][0], 255); // no COLOR1
  EXPECT_EQ(l.slot[3][2], 10);
  EXPECT_EQ(l.slot[3][3], 255);
}

TEST(Linkage, HostileRegistersAreIgnored) {
  Program vs, ps;
  vs.outputs = {element("A", 0, 200, 15)};
  ps.inputs = {element("A", 0, 255, 15)};
  EXPECT_EQ(layoutOutputs(vs).slotCount, 8);
  EXPECT_EQ(link(vs, layoutOutputs(vs), ps).slot[31][0], 255);
}

} // namespace
} // namespace monolith::codegen
