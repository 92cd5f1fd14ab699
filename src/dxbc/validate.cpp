// SPDX-License-Identifier: MIT
#include "dxbc/validate.h"

#include "dxbc/validator.h"

namespace monolith::dxbc {
namespace {

Finding checkOpcodes(const Shader& s) {
  for (uint32_t n = 0; n < s.instructions.size(); n++) {
    const OpcodeInfo& info = s.instructions[n].info();
    if (!info.allowedIn(s.stage)) return {std::string(info.mnemonic) + " is not allowed in this stage", n};
    if (info.minModel > s.model()) return {std::string(info.mnemonic) + " needs a higher shader model", n};
  }
  return {};
}

Finding checkSignature(const Signature& signature, const char* name) {
  for (const SignatureElement& e : signature.elements) {
    if (e.reg >= kMaxIoRegisters && e.reg != UINT32_MAX)
      return {std::string(name) + " signature: register " + std::to_string(e.reg) + " does not exist"};
    if (e.mask > kMaskAll) return {std::string(name) + " signature: component mask is not possible"};
    if (e.stream > 3) return {std::string(name) + " signature: stream " + std::to_string(e.stream) + " does not exist"};
  }
  return {};
}

} // namespace

std::string validateShader(const Shader& shader) {
  using Check = Finding (*)(const Shader&);
  constexpr Check kChecks[] = {
      checkOpcodes,
      [](const Shader& s) { return checkSignature(s.inputs, "input"); },
      [](const Shader& s) { return checkSignature(s.outputs, "output"); },
      [](const Shader& s) { return checkSignature(s.patchConstants, "patch constant"); },
      checkDeclarations,
      checkStructure,
      checkOperands,
  };
  for (Check check : kChecks) {
    Finding f = check(shader);
    if (!f) continue;
    if (f.instruction == UINT32_MAX) return "error: " + f.text;
    return "error: instruction " + std::to_string(f.instruction) + ": " + f.text;
  }
  return {};
}

Result<Shader> loadShader(std::span<const uint8_t> bytes, bool verifyChecksum) {
  Result<Shader> shader = parseShader(bytes, verifyChecksum);
  if (!shader) return shader;
  std::string error = validateShader(*shader);
  if (!error.empty()) return Result<Shader>::failure(std::move(error));
  return shader;
}

} // namespace monolith::dxbc
