// SPDX-License-Identifier: MIT
#include "dxbc/instruction.h"

namespace monolith::dxbc {
namespace {

Operand indexed(RegisterType type, uint32_t reg) {
  Operand o;
  o.type = type;
  o.indexCount = 1;
  o.index[0].offset = reg;
  return o;
}

} // namespace

Operand dstOperand(RegisterType type, uint32_t reg, uint8_t mask) {
  Operand o = indexed(type, reg);
  o.componentCount = 4;
  o.mask = mask;
  return o;
}

Operand srcOperand(RegisterType type, uint32_t reg, std::array<uint8_t, 4> swizzle) {
  Operand o = indexed(type, reg);
  o.componentCount = 4;
  o.selection = SelectionMode::Swizzle;
  o.swizzle = swizzle;
  return o;
}

Operand scalarOperand(RegisterType type, uint32_t reg, uint8_t component) {
  Operand o = indexed(type, reg);
  o.componentCount = 4;
  o.selection = SelectionMode::Select1;
  o.swizzle.fill(component);
  return o;
}

Operand constantOperand(uint32_t slot, uint32_t offset, std::array<uint8_t, 4> swizzle) {
  Operand o = srcOperand(RegisterType::ConstantBuffer, slot, swizzle);
  o.indexCount = 2;
  o.index[1].offset = offset;
  return o;
}

Operand immOperand(uint32_t value) {
  Operand o;
  o.type = RegisterType::Imm32;
  o.componentCount = 1;
  o.imm.fill(value);
  return o;
}
Operand immOperand(float value) { return immOperand(std::bit_cast<uint32_t>(value)); }

Operand immOperand(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
  Operand o;
  o.type = RegisterType::Imm32;
  o.componentCount = 4;
  o.imm = {x, y, z, w};
  return o;
}
Operand immOperand(float x, float y, float z, float w) {
  return immOperand(std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
                    std::bit_cast<uint32_t>(w));
}

Operand imm64Operand(double a, double b) {
  uint64_t x = std::bit_cast<uint64_t>(a), y = std::bit_cast<uint64_t>(b);
  Operand o = immOperand(uint32_t(x), uint32_t(x >> 32), uint32_t(y), uint32_t(y >> 32));
  o.type = RegisterType::Imm64;
  return o;
}

Operand plainOperand(RegisterType type, uint32_t reg) { return indexed(type, reg); }
Operand nullOperand() { return {}; }

void addRelative(Instruction& instruction, Operand& operand, uint32_t dim, const Operand& relative) {
  OperandIndex& index = operand.index[dim];
  index.type = index.offset ? IndexType::Imm32PlusRelative : IndexType::Relative;
  index.relative = uint16_t(instruction.relatives.size());
  instruction.relatives.push_back(relative);
}

} // namespace monolith::dxbc
