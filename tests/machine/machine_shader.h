// SPDX-License-Identifier: MIT
/// @file
/// A shader as machine code that runs against an interpreter Environment: every input, output and resource operation
/// calls back into it. So whatever runs on the interpreter runs on generated code, and the two can be compared.
///
/// Lanes are the interpreter's (quads 0-3 and 4-7); inside they are reordered to those of generated pixel code.
#pragma once

#include "ir/interpreter.h"
#include "simd/function.h"
#include <memory>
#include <string>
#include <vector>

namespace monolith::test {

class MachineShader {
public:
  explicit MachineShader(const ir::Function& f);

  /// "" if there is code.
  const std::string& error() const { return m_error; }
  size_t codeBytes() const { return m_routine.size(); }

  struct Result {
    bool hung = false;
    uint8_t discarded = 0;
  };
  /// Constant buffers are read from the environment up to their declared size.
  Result run(ir::Environment& env, uint8_t mask, int64_t loopBudget = 1 << 24);

private:
  const ir::Function& m_function;
  std::vector<std::unique_ptr<ir::Instruction>> m_instructions; ///< that the code refers to
  simd::Routine m_routine;
  std::string m_error;
};

} // namespace monolith::test
