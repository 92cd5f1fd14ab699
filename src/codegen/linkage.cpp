// SPDX-License-Identifier: MIT
#include "codegen/program.h"

#include "ir/function.h"

#include <cstring>

namespace monolith::codegen {
namespace {

constexpr uint8_t kNoSlot = 255;
constexpr uint32_t kRegisters = 32;

char upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; }

bool sameSemantic(const SignatureElement& a, const SignatureElement& b) {
  if (a.semanticIndex != b.semanticIndex || a.semantic.size() != b.semantic.size())
    return false;
  for (size_t i = 0; i < a.semantic.size(); ++i)
    if (upper(a.semantic[i]) != upper(b.semantic[i]))
      return false;
  return true;
}

/// Pixel inputs that the rasterizer makes; they never come from a vertex.
bool rasterizerMakes(SystemValue v) {
  return v == SystemValue::Position || v == SystemValue::IsFrontFace || v == SystemValue::PrimitiveId ||
         v == SystemValue::SampleIndex || v == SystemValue::Coverage;
}

} // namespace

Program::~Program() = default;

VertexOutputs layoutOutputs(const Program& vertex) {
  VertexOutputs out;
  std::memset(static_cast<void*>(&out), kNoSlot, sizeof out);
  out.clipDistances = out.cullDistances = 0;
  uint32_t next = 8;
  for (const SignatureElement& e : vertex.outputs) {
    if (e.reg >= kRegisters)
      continue;
    for (uint32_t c = 0; c < 4; ++c) {
      if (!(e.mask >> c & 1))
        continue;
      if (e.system == SystemValue::Position) {
        out.slot[e.reg][c] = uint8_t(c);
        continue;
      }
      uint8_t& slot = out.slot[e.reg][c];
      if (slot == kNoSlot)
        slot = uint8_t(next++); // at most 8 + 32 * 4
      if (e.system == SystemValue::ClipDistance && out.clipDistances < 8)
        out.clipDistanceSlot[out.clipDistances++] = slot;
      if (e.system == SystemValue::CullDistance && out.cullDistances < 8)
        out.cullDistanceSlot[out.cullDistances++] = slot;
      if (e.system == SystemValue::RenderTargetIndex)
        out.targetIndexSlot = slot;
      if (e.system == SystemValue::ViewportIndex)
        out.viewportIndexSlot = slot;
    }
  }
  out.slotCount = uint8_t(next);
  return out;
}

PixelLinkage link(const Program& vertex, const VertexOutputs& outputs, const Program& pixel) {
  PixelLinkage linkage;
  std::memset(&linkage, kNoSlot, sizeof linkage);
  for (const SignatureElement& in : pixel.inputs) {
    if (in.reg >= kRegisters || rasterizerMakes(in.system))
      continue;
    for (const SignatureElement& out : vertex.outputs) {
      if (out.reg >= kRegisters || !sameSemantic(in, out))
        continue;
      // The n-th component of the input is the n-th of the output, wherever packing put them.
      uint32_t from = 0;
      for (uint32_t c = 0; c < 4; ++c) {
        if (!(in.mask >> c & 1))
          continue;
        while (from < 4 && !(out.mask >> from & 1))
          ++from;
        if (from == 4)
          break;
        linkage.slot[in.reg][c] = outputs.slot[out.reg][from++];
      }
      break;
    }
  }
  return linkage;
}

} // namespace monolith::codegen
