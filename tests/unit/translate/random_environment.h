// SPDX-License-Identifier: MIT
/// @file
/// An Environment that answers every read with words made from the question, and records every write.
#pragma once

#include "ir/interpreter.h"
#include <cstring>
#include <map>
#include <tuple>

namespace monolith::test {

class RandomEnvironment : public ir::Environment {
public:
  explicit RandomEnvironment(uint32_t seed) : m_seed(seed) {}

  std::map<std::tuple<unsigned, uint32_t, uint32_t, unsigned>, uint32_t> outputs; ///< op, register, component, lane
  uint64_t effects = 0; ///< hash of what was written to memory

  void loadInput(uint32_t reg, uint32_t component, uint32_t* out) override { fill(1, reg * 4 + component, out); }
  void loadIndexedInput(ir::Op op, uint32_t reg, uint32_t component, const uint32_t* index, uint32_t* out) override {
    for (unsigned l = 0; l < ir::kMaxLanes; l++)
      out[l] = word(2 + unsigned(op), reg * 4 + component, index ? index[l] : 0, l);
  }
  void loadSystem(ir::SystemValue v, uint32_t component, uint32_t* out) override {
    for (unsigned l = 0; l < ir::kMaxLanes; l++)
      out[l] = v == ir::SystemValue::Position ? word(3, component, 0, l) : mix(3, unsigned(v), component, l) & 15;
  }
  void evalInput(ir::Op, uint32_t reg, uint32_t component, const uint32_t*, const uint32_t*, uint32_t* out) override {
    fill(4, reg * 4 + component, out);
  }
  uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component) override {
    return word(5, slot, index * 4 + component, 0);
  }
  void storeOutput(ir::Op op, uint32_t reg, uint32_t component, const uint32_t* value, const uint32_t*,
                   uint8_t mask) override {
    for (unsigned l = 0; l < ir::kMaxLanes; l++)
      if (mask >> l & 1)
        outputs[{unsigned(op), reg, component, l}] = value[l];
  }
  void resource(const ir::Function&, const ir::Instruction& i, const uint32_t* const* in, uint32_t* const* out,
                uint8_t mask) override {
    for (unsigned l = 0; l < ir::kMaxLanes; l++) {
      uint32_t h = mix(6, unsigned(i.op), i.attr, i.component);
      const bool store = (ir::opInfo(i.op).flags & ir::kOpSide) != 0;
      for (unsigned n = 0; n < i.operandCount; n++) h = mix(h, canonical(in[n][l]), n, 0);
      if (store && (mask >> l & 1)) effects = effects * 31 + h;
      for (unsigned n = 0; n < i.resultCount; n++) out[n][l] = word(7, h, n, 0);
    }
  }

  /// All NaN are one: payload bits are not specified.
  static uint32_t canonical(uint32_t w) { return (w & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : w; }

private:
  static uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    uint32_t h = a * 0x9E3779B1u ^ b;
    h = (h ^ h >> 15) * 0x85EBCA6Bu ^ c;
    h = (h ^ h >> 13) * 0xC2B2AE35u ^ d;
    h = (h ^ h >> 16) * 0x27D4EB2Fu;
    return h ^ h >> 15;
  }
  /// Mostly ordinary floats, now and then integers and special values.
  uint32_t word(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
    const uint32_t h = mix(a + m_seed * 77, b, c, d);
    switch (h >> 28) {
    case 0: return h & 7;
    case 1: {
      static const uint32_t special[8] = {0, 0x80000000u, 0x3F800000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 1, 0x7F7FFFFFu};
      return special[h & 7];
    }
    default: return 0x3C000000u + (h & 0x07FFFFFFu) + (h & 0x08000000u) * 16;
    }
  }
  void fill(uint32_t a, uint32_t b, uint32_t* out) const {
    for (unsigned l = 0; l < ir::kMaxLanes; l++) out[l] = word(a, b, 0, l);
  }
  uint32_t m_seed;
};

} // namespace monolith::test
