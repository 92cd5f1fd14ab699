// SPDX-License-Identifier: MIT
// Generated code as backend: inputs, outputs and resources are calls into the test's environment.
#include "backend.h"
#include "machine/machine_shader.h"
#include "simd/cpu.h"
#include "test_environment.h"

namespace monolith::test {

namespace {

class SimdBackend final : public Backend {
public:
  const char* name() const override { return "simd"; }

  std::string run(const ir::Function& f, ShaderState& state, uint8_t mask, ShaderOutputs& out) override {
    if (!simd::cpuSupportsGeneratedCode())
      return "skip: this processor does not run generated code";
    MachineShader shader(f);
    if (!shader.error().empty())
      return shader.error();
    const auto env = makeTestEnvironment(f, state, out);
    const MachineShader::Result r = shader.run(*env, mask);
    out.discarded = r.discarded;
    return r.hung ? "the loop budget ran out" : "";
  }
};

const Registration s_registration(std::make_unique<SimdBackend>());

} // namespace

} // namespace monolith::test
