// SPDX-License-Identifier: MIT
// Random structured programs (branches, loops, early exits, variables, arrays) on generated code and the interpreter.
#include "ir/builder.h"
#include "ir/passes/pipeline.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "machine/machine_shader.h"
#include "unit/translate/random_environment.h"

#include <gtest/gtest.h>

using namespace monolith;

namespace {

/// Writes one program. Values that are in scope are kept in a stack that is cut back at the end of regions.
class Generator {
public:
  Generator(ir::Function& f, uint32_t seed) : m_f(f), m_b(f), m_state(seed * 2654435761u + 1) {}

  void program() {
    m_f.stage = ir::Stage::Pixel;
    m_f.arrays.push_back({7, 2});
    m_f.constantBuffers.push_back({0, 9, 9, true});
    for (uint32_t n = 0; n < 4; ++n)
      m_values.push_back(m_b.loadInput(n, 0));
    for (uint32_t n = 0; n < 5; ++n)
      m_variables.push_back(m_b.newVariable());
    for (uint32_t n = 0; n < 3; ++n) // uniform to begin with
      m_b.storeVar(m_variables[n], n == 2 ? pick() : m_b.constant(below(5)));
    m_b.beginBlock();
    m_regions.push_back(false);
    body(0);
    m_regions.pop_back();
    m_b.endBlock();
    uint32_t out = 0;
    for (ir::VarId v : m_variables)
      m_b.storeOutput(out++, 0, m_b.loadVar(v));
    for (uint32_t e = 0; e < 7; ++e)
      m_b.storeOutput(out++, 0, m_b.loadArray(0, e & 1, m_b.constant(e)));
    ASSERT_TRUE(m_b.finish());
  }

private:
  uint32_t random() {
    m_state = m_state * 1664525 + 1013904223;
    return m_state >> 8;
  }
  uint32_t below(uint32_t n) { return random() % n; }
  ir::Value pick() { return below(6) == 0 ? m_b.constant(below(9)) : m_values[below(uint32_t(m_values.size()))]; }
  ir::Value pickUniform() { return m_b.constant(below(6)); }

  ir::Value condition() {
    static const ir::Op ops[] = {ir::Op::ILt, ir::Op::IEq, ir::Op::ULt, ir::Op::INe, ir::Op::And};
    const ir::Value a = below(3) ? pick() : ir::Value(m_b.loadVar(m_variables[below(2)]));
    return m_b.emit(ops[below(5)], {m_b.emit(ir::Op::And, {a, m_b.constant(7)}), below(2) ? pickUniform() : pick()});
  }

  void compute() {
    static const ir::Op ops[] = {ir::Op::IAdd, ir::Op::ISub, ir::Op::Xor, ir::Op::IMulLo, ir::Op::UMin, ir::Op::UShr};
    m_values.push_back(m_b.emit(ops[below(6)], {pick(), pick()}));
  }

  void statement(uint32_t depth) {
    switch (below(14)) {
    case 0:
    case 1:
    case 2: compute(); return;
    case 3: m_values.push_back(m_b.loadVar(m_variables[below(5)])); return;
    case 4:
    case 5: m_b.storeVar(m_variables[2 + below(3)], pick()); return;
    case 6: m_b.storeVar(m_variables[below(5)], m_b.emit(ir::Op::IAdd, {m_b.loadVar(m_variables[below(2)]), m_b.constant(1)})); return;
    case 7: m_b.storeArray(0, below(2), below(2) ? pick() : pickUniform(), pick()); return;
    case 8: m_values.push_back(m_b.loadArray(0, below(2), m_b.emit(ir::Op::And, {pick(), m_b.constant(7)}))); return;
    case 9: m_values.push_back(m_b.loadConstant(0, m_b.emit(ir::Op::And, {below(2) ? pick() : ir::Value(m_b.loadVar(m_variables[0])), m_b.constant(15)}), below(4))); return;
    case 10:
      if (depth < 5)
        branch(depth);
      return;
    case 11:
      if (depth < 4)
        region(depth);
      return;
    case 12: leave(); return;
    default:
      if (below(4) == 0)
        m_b.discardIf(condition());
      return;
    }
  }

  void body(uint32_t depth) {
    const size_t scope = m_values.size();
    const uint32_t count = 3 + below(8);
    for (uint32_t n = 0; n < count; ++n)
      statement(depth + 1);
    m_values.resize(scope);
  }

  void branch(uint32_t depth) {
    m_b.beginIf(condition());
    body(depth);
    if (below(3) == 0)
      end();
    if (below(2)) {
      m_b.beginElse();
      body(depth);
      if (below(4) == 0)
        end();
    }
    m_b.endIf();
  }

  void region(uint32_t depth) {
    const bool loop = below(3) != 0;
    if (!loop) {
      m_b.beginBlock();
      m_regions.push_back(false);
      body(depth);
      m_regions.pop_back();
      m_b.endBlock();
      return;
    }
    const ir::VarId counter = m_b.newVariable();
    m_b.storeVar(counter, m_b.constant(0));
    m_b.beginLoop();
    m_regions.push_back(true);
    const ir::Value count = m_b.loadVar(counter);
    m_b.storeVar(counter, m_b.emit(ir::Op::IAdd, {count, m_b.constant(1)}));
    // ends after a number of rounds that is the same for all lanes or not
    const ir::Value rounds = below(2) ? pickUniform() : ir::Value(m_b.emit(ir::Op::And, {pick(), m_b.constant(7)}));
    m_b.breakIf(m_b.emit(ir::Op::UGe, {count, rounds}));
    m_values.push_back(count);
    body(depth);
    m_values.pop_back();
    m_regions.pop_back();
    m_b.endLoop();
  }

  uint32_t target() { return below(uint32_t(m_regions.size())); }

  /// Break or Continue on a condition.
  void leave() {
    if (m_regions.back() && below(2))
      m_b.continueIf(condition());
    else
      m_b.breakIf(condition(), target());
  }
  /// The same without condition, at the end of a branch.
  void end() {
    if (m_regions.back() && below(2))
      m_b.continueLoop();
    else
      m_b.breakOut(target());
  }

  ir::Function& m_f;
  ir::Builder m_b;
  uint32_t m_state;
  std::vector<ir::Value> m_values;
  std::vector<ir::VarId> m_variables;
  std::vector<bool> m_regions; ///< true: loop
};

class FlowEnvironment : public test::RandomEnvironment {
public:
  using RandomEnvironment::RandomEnvironment;
  uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component) override {
    return index < 9 ? RandomEnvironment::loadConstant(slot, index, component) : 0;
  }
  void loadInput(uint32_t reg, uint32_t component, uint32_t* out) override {
    RandomEnvironment::loadInput(reg, component, out);
    for (int l = 0; l < 8; ++l)
      out[l] = (out[l] ^ out[l] >> 7) & 15;
  }
};

TEST(MachineFlow, RandomProgramsEqualTheInterpreter) {
  unsigned compared = 0, markers = 0, hung = 0;
  for (uint32_t seed = 1; seed <= 1000; ++seed) {
    ir::Function f;
    Generator(f, seed).program();
    ASSERT_FALSE(HasFatalFailure());
    if (seed % 2)
      ir::optimize(f);
    ASSERT_EQ(ir::verify(f), "") << ir::print(f);
    for (const ir::Instruction& i : f.instructions)
      markers += i.op == ir::Op::If || i.op == ir::Op::Loop;
    ir::Interpreter interpreter(f);
    interpreter.setBudget(400000);
    test::MachineShader machine(f);
    ASSERT_EQ(machine.error(), "") << ir::print(f);
    for (uint32_t run = 0; run < 3; ++run) {
      const uint8_t mask = run == 0 ? 0xff : run == 1 ? 0x35 : 0x80;
      FlowEnvironment want(seed * 3 + run), got(seed * 3 + run);
      const ir::RunResult r = interpreter.run(want, 8, mask);
      const auto m = machine.run(got, mask, 2000000);
      if (r.status != ir::RunStatus::Done) {
        ++hung;
        continue;
      }
      ++compared;
      // lanes that were never active hold whatever they hold
      for (auto& o : want.outputs) {
        if (!(mask >> std::get<3>(o.first) & 1))
          continue;
        ASSERT_EQ(got.outputs[o.first], o.second) << "seed " << seed << " mask " << int(mask) << " output "
                                                    << std::get<1>(o.first) << " lane " << std::get<3>(o.first) << "\n" << ir::print(f);
      }
      ASSERT_EQ(m.discarded & mask, r.discarded & mask) << "seed " << seed << "\n" << ir::print(f);
      ASSERT_FALSE(m.hung) << seed;
    }
  }
  printf("%u runs equal, %u ran out of budget, %u branches and loops\n", compared, hung, markers);
  EXPECT_GT(compared, 2500u);
}

TEST(MachineFlow, EndlessLoopsStop) {
  for (int divergent = 0; divergent < 2; ++divergent) {
    ir::Function f;
    ir::Builder b(f);
    const ir::VarId v = b.newVariable();
    b.storeVar(v, b.constant(1));
    b.beginLoop();
    b.beginLoop();
    if (divergent)
      b.breakIf(b.emit(ir::Op::IEq, {b.loadInput(0, 0), b.constant(77)}));
    b.storeVar(v, b.emit(ir::Op::IAdd, {b.loadVar(v), b.constant(1)}));
    b.endLoop();
    b.endLoop();
    b.storeOutput(0, 0, b.loadVar(v));
    ASSERT_TRUE(b.finish());
    test::MachineShader machine(f);
    ASSERT_EQ(machine.error(), "");
    FlowEnvironment env(1);
    EXPECT_TRUE(machine.run(env, 0xff, 100000).hung);
    EXPECT_FALSE(env.outputs.empty());
  }
}

TEST(MachineFlow, LargeArraysUseScratch) {
  ir::Function f;
  f.arrays.push_back({4096, 4});
  ir::Builder b(f);
  const ir::Value x = b.loadInput(0, 0);
  b.storeArray(0, 3, b.constant(4095), x);
  b.storeArray(0, 1, b.emit(ir::Op::IMulLo, {x, b.constant(200)}), x);
  b.storeOutput(0, 0, b.loadArray(0, 3, b.constant(4095)));
  b.storeOutput(1, 0, b.loadArray(0, 1, b.emit(ir::Op::IMulLo, {x, b.constant(200)})));
  b.storeOutput(2, 0, b.loadArray(0, 1, b.constant(4096)));
  ASSERT_TRUE(b.finish());
  test::MachineShader machine(f);
  ASSERT_EQ(machine.error(), "");
  FlowEnvironment want(4), got(4);
  ir::Interpreter(f).run(want, 8, 0xff);
  machine.run(got, 0xff);
  EXPECT_EQ(want.outputs, got.outputs);
}

TEST(MachineFlow, ArraysBeyondScratchAreRefused) {
  ir::Function f;
  for (uint32_t n = 0; n < 4200; ++n) // each has a spare element besides its one
    f.arrays.push_back({1, 4});
  ir::Builder b(f);
  b.storeArray(4199, 0, b.constant(0), b.loadInput(0, 0));
  b.storeOutput(0, 0, b.loadArray(4199, 0, b.constant(0)));
  ASSERT_TRUE(b.finish());
  EXPECT_NE(test::MachineShader(f).error(), "");
}

} // namespace
