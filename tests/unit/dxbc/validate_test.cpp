// SPDX-License-Identifier: MIT
// Each way to break a valid shader is reported with the instruction and the reason.
#include "unit/dxbc/samples.h"

#include "dxbc/validate.h"

#include <functional>

#include <gtest/gtest.h>

using namespace monolith;
using namespace monolith::test;

namespace {

std::string verdict(Shader s) {
  summarizeDeclarations(s);
  // Positions that a reader would fill: declarations keep ids beside their operands.
  Result<Shader> again = parseShader(writeShader(s));
  return again ? validateShader(*again) : again.error();
}

struct Case {
  const char* expected;
  Shader (*base)();
  std::function<void(Shader&)> damage;
};

/// The n-th instruction with an opcode.
Instruction& find(Shader& s, OpCode code) {
  for (Instruction& i : s.instructions)
    if (i.op == code) return i;
  ADD_FAILURE() << "no such instruction";
  return s.instructions[0];
}
void insertBefore(Shader& s, OpCode code, Instruction i) {
  for (size_t n = 0; n < s.instructions.size(); n++)
    if (s.instructions[n].op == code) {
      s.instructions.insert(s.instructions.begin() + ptrdiff_t(n), std::move(i));
      return;
    }
}
void erase(Shader& s, OpCode code) {
  for (size_t n = 0; n < s.instructions.size(); n++)
    if (s.instructions[n].op == code) {
      s.instructions.erase(s.instructions.begin() + ptrdiff_t(n));
      return;
    }
}

} // namespace

TEST(Validate, NamesTheFault) {
  const Case kCases[] = {
      {"error: instruction 7: sample: operand 0: temporary is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Sample).operands[0] = tempDst(1); }},
      {"error: instruction 8: mul: operand 2: index exceeds the declared size", pixelSample,
       [](Shader& s) { find(s, OpCode::Mul).operands[2] = constantOperand(0, 2); }},
      {"error: instruction 8: mul: operand 2: constant buffer is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Mul).operands[2] = constantOperand(1, 0); }},
      {"error: instruction 7: sample: operand 1: input is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Sample).operands[1] = input(2); }},
      {"error: instruction 7: sample: operand 2: register is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Sample).operands[2] = srcOperand(RegisterType::Resource, 3); }},
      {"error: instruction 7: sample: operand 3: register is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Sample).operands[3] = plainOperand(RegisterType::Sampler, 3); }},
      {"error: instruction 7: sample: operand 3: not a sampler", pixelSample,
       [](Shader& s) { find(s, OpCode::Sample).operands[3] = temp(0); }},
      {"error: instruction 8: mul: operand 0: component mask is empty", pixelSample,
       [](Shader& s) { find(s, OpCode::Mul).operands[0].mask = 0; }},
      {"error: instruction 8: mul: operand 0: output is not declared", pixelSample,
       [](Shader& s) { find(s, OpCode::Mul).operands[0] = outDst(1); }},
      {"error: instruction 8: mul: operand 0: not a destination", pixelSample,
       [](Shader& s) { find(s, OpCode::Mul).operands[0] = dstOperand(RegisterType::Input, 1); }},
      {"error: instruction 7: sample: resource dimension differs from the declaration", pixelSample,
       [](Shader& s) { find(s, OpCode::DclResource).decl.dimension = ResourceDimension::Texture3D; }},
      {"error: instruction 7: sample: resource does not fit the instruction", pixelSample,
       [](Shader& s) {
         find(s, OpCode::DclResource).decl.dimension = ResourceDimension::Buffer;
         find(s, OpCode::Sample).resourceDim = ResourceDimension::Buffer;
       }},
      {"error: program does not end with ret", pixelSample, [](Shader& s) { s.instructions.pop_back(); }},
      {"error: instruction 6: dcl_temps: too many temporaries", pixelSample,
       [](Shader& s) { find(s, OpCode::DclTemps).decl.count = 4097; }},
      {"error: instruction 2: dcl_sampler: register number is too high", pixelSample,
       [](Shader& s) { find(s, OpCode::DclSampler).operands[0] = plainOperand(RegisterType::Sampler, 16); }},
      {"error: instruction 5: endloop: no open loop", vertexFlow,
       [](Shader& s) { find(s, OpCode::Loop).op = OpCode::EndLoop; }},
      {"error: a block is not closed", vertexFlow, [](Shader& s) { erase(s, OpCode::EndIf); }},
      {"error: instruction 16: default: the code before falls through", vertexFlow,
       [](Shader& s) {
         s.major = 5; // model 4 permits it
         s.minor = 0;
         find(s, OpCode::Break).op = OpCode::Nop;
       }},
      {"error: instruction 12: case: not directly inside a switch", vertexFlow,
       [](Shader& s) { erase(s, OpCode::Switch); insertBefore(s, OpCode::Case, op(OpCode::Loop)); }},
      {"error: instruction 12: nop: a switch must begin with a case", vertexFlow,
       [](Shader& s) { insertBefore(s, OpCode::Case, op(OpCode::Nop)); }},
      {"error: instruction 13: case: value occurs twice in a switch", vertexFlow,
       [](Shader& s) { insertBefore(s, OpCode::Case, op(OpCode::Case, {immOperand(0u)})); }},
      {"error: instruction 4: break: not inside a loop or switch", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mov) = op(OpCode::Break); }},
      {"error: instruction 4: continue: not inside a loop", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mov) = op(OpCode::Continue); }},
      {"error: instruction 4: discard is not allowed in this stage", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mov) = op(OpCode::Discard, {scalarOperand(RegisterType::Temp, 0, 0)}); }},
      {"error: instruction 4: rcp needs a higher shader model", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mov) = op(OpCode::Rcp, {tempDst(0), temp(0)}); }},
      {"error: instruction 8: mad: operand 2: temporary is not declared", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mad).relatives[0] = scalarOperand(RegisterType::Temp, 9, 0); }},
      {"error: instruction 8: mad: operand 2: relative index has no single component", vertexFlow,
       [](Shader& s) { find(s, OpCode::Mad).relatives[0] = temp(0); }},
      {"error: label l0 does not exist", vertexFlow,
       [](Shader& s) { find(s, OpCode::Nop) = op(OpCode::Call, {plainOperand(RegisterType::Label, 0)}); }},
      {"error: subroutines recurse or nest too deeply", vertexFlow,
       [](Shader& s) {
         find(s, OpCode::Nop) = op(OpCode::Call, {plainOperand(RegisterType::Label, 0)});
         s.instructions.push_back(op(OpCode::Label, {plainOperand(RegisterType::Label, 0)}));
         s.instructions.push_back(op(OpCode::Call, {plainOperand(RegisterType::Label, 0)}));
         s.instructions.push_back(op(OpCode::Ret));
       }},
      {"error: thread group size is not declared", computeMemory, [](Shader& s) { erase(s, OpCode::DclThreadGroup); }},
      {"error: instruction 4: dcl_tgsm_structured: too much group shared memory", computeMemory,
       [](Shader& s) { find(s, OpCode::DclThreadGroupSharedMemoryStructured).decl.count = 8193; }},
      {"error: instruction 5: dcl_thread_group: number of threads is not possible", computeMemory,
       [](Shader& s) { find(s, OpCode::DclThreadGroup).decl.threads = {1024, 2, 1}; }},
      {"error: instruction 7: store_structured: operand 0: component mask is not possible", computeMemory,
       [](Shader& s) { find(s, OpCode::StoreStructured).operands[0].mask = 5; }},
      {"error: instruction 8: sync: no kind of synchronisation", computeMemory,
       [](Shader& s) { find(s, OpCode::Sync).syncFlags = 0; }},
      {"error: instruction 6: mov: operand 1: immediate constant buffer is not declared", computeMemory,
       [](Shader& s) { s.instructions[0] = op(OpCode::DclGlobalFlags); }},
      {"error: hull shader does not begin with hs_decls", hullPhases, [](Shader& s) { erase(s, OpCode::HsDecls); }},
  };
  for (const Case& c : kCases) {
    Shader s = c.base();
    c.damage(s);
    EXPECT_EQ(verdict(std::move(s)), c.expected);
  }
}

TEST(Validate, RelativeOutputNeedsARange) {
  Shader s = hullPhases();
  find(s, OpCode::DclIndexRange) = op(OpCode::DclGlobalFlags);
  EXPECT_EQ(verdict(std::move(s)), "error: instruction 22: mov: operand 0: relative index without a declared range");
}

TEST(Validate, CallsAreCountedAfterExpansion) {
  // Each of 30 subroutines calls the next one twice: a billion instructions when put in place.
  Shader s = vertexFlow();
  find(s, OpCode::Nop) = op(OpCode::Call, {plainOperand(RegisterType::Label, 0)});
  for (uint32_t n = 0; n < 30; n++) {
    s.instructions.push_back(op(OpCode::Label, {plainOperand(RegisterType::Label, n)}));
    for (int k = 0; k < 2 && n + 1 < 30; k++)
      s.instructions.push_back(op(OpCode::Call, {plainOperand(RegisterType::Label, n + 1)}));
    s.instructions.push_back(op(OpCode::Ret));
  }
  EXPECT_EQ(verdict(std::move(s)), "error: program is too long");
}
