// SPDX-License-Identifier: MIT
// Generated machine code as backend. Its inputs, outputs and resource operations call back into the test environment.
#include "backend.h"

#include "ir/interpreter.h"
#include "machine/machine_shader.h"
#include "simd/cpu.h"

namespace monolith::test {

namespace {

class MachineBackend : public Backend {
public:
  const char* name() const override { return "machine code"; }
  std::string run(const ir::Function& f, ShaderState& state, uint8_t mask, ShaderOutputs& out) override {
    if (!simd::cpuSupportsGeneratedCode())
      return "skip: this processor does not run generated code";
    if (!f.uavs.empty())
      return "skip: unordered access is not generated yet";
    MachineShader shader(f);
    if (!shader.error().empty())
      return shader.error();
    const auto env = makeTestEnvironment(f, state, out);
    const MachineShader::Result r = shader.run(*env, mask);
    out.discarded = r.discarded;
    return r.hung ? "out of budget" : "";
  }
};

const bool kRegistered = [] {
  backends().push_back(std::make_unique<MachineBackend>());
  return true;
}();

} // namespace

} // namespace monolith::test
