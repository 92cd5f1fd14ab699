// SPDX-License-Identifier: MIT
// Each operation of ops.def that computes: generated code against the interpreter on special and random words.
#include "ir/builder.h"
#include "machine/machine_shader.h"
#include "unit/translate/random_environment.h"

#include <gtest/gtest.h>

using namespace monolith;

namespace {

const uint32_t kWords[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000,
                           0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x4f000000,
                           0xcf000000, 0x4effffff, 0x4f7fffff, 0x3f000000, 0x3effffff, 0xbf000000, 0x3fc00000, 0x40200000,
                           0x4b000001, 0xffffffff, 0x7fffffff, 2,          3,          31,         32,         33,
                           255,        0x8000,     0x7fff,     0x12345678, 0xdeadbeef, 0x3a83126f, 0x42c80000, 0xc2c80000,
                           0x33800000, 0x387fc000, 0x477fe000, 0x33000000, 0xb3800000, 0x80800000, 0x7ff00000, 0x41200000};

/// Inputs from a table that moves on with each run; outputs are kept.
class TableEnvironment : public ir::Environment {
public:
  uint32_t round = 0;
  std::vector<uint32_t> outputs;

  void loadInput(uint32_t reg, uint32_t, uint32_t* out) override {
    for (uint32_t l = 0; l < 8; ++l) {
      // every pair of special words comes up in registers 0 and 1; later rounds are random
      const uint32_t n = std::size(kWords), at = round * 8 + l;
      uint32_t h = at * 0x9E3779B1u + reg * 0x85EBCA6Bu;
      h = (h ^ h >> 15) * 0x2C1B3C6Du;
      h = (h ^ h >> 13) * 0x297A2D39u;
      h ^= h >> 16;
      if (at >= n * n)
        out[l] = h;
      else
        out[l] = kWords[reg == 0 ? at % n : reg == 1 ? at / n : h % n];
    }
  }
  void storeOutput(ir::Op, uint32_t, uint32_t, const uint32_t* value, const uint32_t*, uint8_t) override {
    for (int l = 0; l < 8; ++l)
      outputs.push_back(value[l]);
  }
};

/// All NaN are one value.
void canonical(ir::Op op, std::vector<uint32_t>& words) {
  const bool doubles = op >= ir::Op::DAdd && op <= ir::Op::UToD && ir::opInfo(op).results == 2;
  if (!doubles) {
    for (uint32_t& w : words)
      w = test::RandomEnvironment::canonical(w);
    return;
  }
  for (size_t at = 0; at + 16 <= words.size(); at += 16)
    for (size_t l = 0; l < 8; ++l)
      if ((words[at + 8 + l] & 0x7fffffff) >= 0x7ff00000 && (words[at + l] || (words[at + 8 + l] & 0xfffff)))
        words[at + l] = 0, words[at + 8 + l] = 0x7ff80000;
}

class Operation : public testing::TestWithParam<unsigned> {};

/// Operand sources: all inputs, or with one operand a constant.
void compare(ir::Op op, int constantOperand, uint32_t constant) {
  ir::Function f;
  ir::Builder b(f);
  const ir::OpInfo& info = ir::opInfo(op);
  std::vector<ir::Value> operands;
  for (unsigned n = 0; n < info.maxOperands; ++n)
    operands.push_back(int(n) == constantOperand ? b.constant(constant) : b.loadInput(n, 0));
  const ir::Values r = b.emit(op, operands.data(), unsigned(operands.size()));
  for (unsigned n = 0; n < info.results; ++n)
    b.storeOutput(n, 0, r[n]);
  ASSERT_TRUE(b.finish());
  ir::Interpreter interpreter(f);
  test::MachineShader machine(f);
  ASSERT_EQ(machine.error(), "");
  TableEnvironment want, got;
  for (uint32_t round = 0; round < (constantOperand < 0 ? 600u : 300u); ++round) {
    want.round = got.round = round;
    want.outputs.clear();
    got.outputs.clear();
    interpreter.run(want, 8, 0xff);
    machine.run(got, 0xff);
    canonical(op, want.outputs);
    canonical(op, got.outputs);
    if (want.outputs == got.outputs)
      continue;
    for (size_t at = 0; at < want.outputs.size(); ++at)
      if (want.outputs[at] != got.outputs[at]) {
        uint32_t words[6][8];
        for (uint32_t n = 0; n < 6; ++n)
          want.loadInput(n, 0, words[n]);
        std::string text;
        for (unsigned n = 0; n < operands.size(); ++n) {
          char buffer[16];
          snprintf(buffer, sizeof buffer, " %08x", int(n) == constantOperand ? constant : words[n][at % 8]);
          text += buffer;
        }
        ADD_FAILURE() << info.name << " constant operand " << constantOperand << text << std::hex << ": result " << at / 8
                      << " is " << got.outputs[at] << ", the interpreter says " << want.outputs[at];
        return;
      }
  }
}

TEST_P(Operation, EqualsTheInterpreter) {
  const ir::Op op = ir::Op(GetParam());
  compare(op, -1, 0);
  for (unsigned n = 0; n < ir::opInfo(op).maxOperands; ++n)
    for (uint32_t c : {0u, 5u, 37u, 0x3f000000u, 0x80000000u, 0x00000011u, 0x7fc00000u, ~0u})
      compare(op, int(n), c);
}

std::vector<unsigned> computingOps() {
  std::vector<unsigned> ops;
  for (unsigned op = 0; op < ir::kOpCount; ++op)
    if ((ir::opInfo(ir::Op(op)).flags & ir::kOpFold) || (op >= unsigned(ir::Op::DerivXCoarse) && op <= unsigned(ir::Op::DerivYFine)))
      ops.push_back(op);
  return ops;
}

INSTANTIATE_TEST_SUITE_P(All, Operation, testing::ValuesIn(computingOps()),
                         [](const testing::TestParamInfo<unsigned>& p) { return std::string(ir::opInfo(ir::Op(p.param)).name); });

} // namespace
