// SPDX-License-Identifier: MIT
/// @file
/// Random well-typed HLSL: integers, floats (all precise, so that no setting may round differently), vectors, arrays,
/// structures, functions with out and inout parameters, loops, branches, switches. Indices stay inside their arrays,
/// loops end, nothing is read before it is set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace monolith::test {

/// What stands before loops and branches of a program.
struct Attributes {
  const char* loop = "";   ///< loops with a constant number of rounds
  const char* varying = ""; ///< loops whose rounds depend on inputs
  const char* branch = "";
  const char* select = ""; ///< switch
};

class RandomProgram {
public:
  explicit RandomProgram(uint64_t seed);
  /// A pixel shader `main` with inputs int4 I, uint4 U, float4 F and a buffer of 16 vectors; results in SV_Target0..3.
  std::string text(const Attributes& attributes) const;

private:
  enum class Type : uint8_t { Int, Uint, Float, Bool };
  struct Variable {
    std::string name;
    Type type;
    unsigned components = 1;
    unsigned elements = 0; ///< of an array; 0: none
    bool writable = true;
  };
  struct Function {
    std::string name;
    Type result;
    std::vector<Variable> parameters; ///< writable: inout
  };

  uint32_t random(uint32_t limit);
  bool chance(uint32_t percent) { return random(100) < percent; }
  std::string typeName(Type t, unsigned components) const;
  std::string literal(Type t);
  std::string expression(Type t, unsigned components, int depth);
  std::string scalar(Type t, int depth);
  std::string floatScalar(int depth);
  std::string integerScalar(Type t, int depth);
  std::string boolScalar(int depth);
  std::string variable(Type t, bool& found);
  std::string index(unsigned elements, int depth);
  std::string call(Type t, int depth);
  void line(const std::string& s) { m_body += std::string(m_indent * 2, ' ') + s + "\n"; }
  void statement(int depth);
  void block(int depth, unsigned count);
  void declare();
  void assign(int depth);
  void loop(int depth);
  void branch(int depth);
  void choose(int depth);
  void function();
  void results();

  uint64_t m_state;
  std::string m_body;
  unsigned m_indent = 1;
  unsigned m_names = 0, m_loops = 0;
  std::vector<Variable> m_variables;
  std::vector<Function> m_functions;
  bool m_inFunction = false;
};

} // namespace monolith::test
