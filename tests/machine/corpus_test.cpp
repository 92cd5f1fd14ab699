// SPDX-License-Identifier: MIT
// Every shader of the container collection as machine code, with random inputs, against the interpreter.
#include "dxbc/validate.h"
#include "ir/text.h"
#include "machine/machine_shader.h"
#include "translate/translate.h"
#include "unit/dxbc/corpus.h"
#include "unit/translate/random_environment.h"

#include <chrono>

using namespace monolith;

namespace {

/// Constant buffers end where they are declared to end.
class SizedEnvironment : public test::RandomEnvironment {
public:
  SizedEnvironment(const ir::Function& f, uint32_t seed) : RandomEnvironment(seed), m_function(f) {}
  uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component) override {
    for (const ir::ConstantBufferDecl& d : m_function.constantBuffers)
      if (d.slot == slot)
        return index < d.size ? RandomEnvironment::loadConstant(slot, index, component) : 0;
    return 0;
  }

private:
  const ir::Function& m_function;
};

template <class Map> void makeCanonical(Map& outputs) {
  for (auto& o : outputs)
    o.second = test::RandomEnvironment::canonical(o.second);
}

TEST(MachineCorpus, EqualsTheInterpreter) {
  const auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  unsigned compiled = 0, compared = 0, hung = 0, failures = 0;
  double seconds = 0;
  size_t instructions = 0, bytes = 0;
  for (const auto& file : files) {
    auto shader = dxbc::loadShader(test::readFile(file), false);
    if (!shader.ok())
      continue;
    auto translated = translate::translate(*shader);
    if (!translated)
      continue;
    const ir::Function& f = *translated.function;
    const auto start = std::chrono::steady_clock::now();
    test::MachineShader machine(f);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ASSERT_EQ(machine.error(), "") << file;
    ++compiled;
    instructions += f.instructions.size();
    bytes += machine.codeBytes();
    ir::Interpreter interpreter(f);
    interpreter.setBudget(200000);
    for (uint32_t seed = 1; seed <= 4; ++seed) {
      const uint8_t mask = seed == 3 ? 0x5a : 0xff;
      SizedEnvironment want(f, seed), got(f, seed);
      const ir::RunResult r = interpreter.run(want, 8, mask);
      const auto m = machine.run(got, mask, 1000000);
      if (r.status != ir::RunStatus::Done) {
        ++hung;
        continue;
      }
      ++compared;
      EXPECT_FALSE(m.hung) << file;
      makeCanonical(want.outputs);
      makeCanonical(got.outputs);
      const bool equal = want.outputs == got.outputs && r.discarded == m.discarded;
      if (equal)
        continue;
      ++failures;
      ADD_FAILURE() << file.filename() << " seed " << seed;
      for (const auto& o : want.outputs)
        if (got.outputs[o.first] != o.second) {
          const auto [op, reg, component, lane] = o.first;
          ADD_FAILURE() << "o" << reg << "." << component << " lane " << lane << std::hex << ": " << got.outputs[o.first]
                        << ", expected " << o.second;
          break;
        }
      break;
    }
    ASSERT_LT(failures, 8u);
  }
  RecordProperty("microseconds_per_shader", int(seconds / compiled * 1e6));
  printf("%u shaders, %zu instructions, %zu bytes, %.3f ms each; %u runs equal, %u ran out of budget\n", compiled,
         instructions, bytes, seconds / compiled * 1e3, compared, hung);
  EXPECT_GT(compared, 2000u);
}

} // namespace
