// SPDX-License-Identifier: MIT
/// @file
/// The working state of one translation. Its members are split by subject over declarations.cpp, operands.cpp,
/// arithmetic.cpp, flow.cpp and resources.cpp.
///
/// Registers: each component of r# and o# is an IR variable; x# are IR arrays. Input or output ranges that are indexed
/// by a value are arrays too (inputs are copied in at the start, outputs copied out at the end). Within straight code
/// the translator remembers the last value of each variable, so that most loads never come into being.
///
/// Subroutines are inlined. A function with an early return is wrapped in a Block that ret leaves. switch becomes a
/// Block with one If per group of labels; a group that another falls into has a variable that says so.
#pragma once

#include "dxbc/shader.h"
#include "ir/builder.h"

#include <string>
#include <vector>

namespace monolith::translate {

constexpr uint64_t kMaxRegister = 128; ///< of inputs and outputs, generously

class Translator {
public:
  Translator(const dxbc::Shader& shader, ir::Function& function) : m_shader(shader), m_f(function), m_b(function) {}
  /// One phase of a hull shader.
  Translator(const dxbc::Shader& shader, uint32_t phase, ir::Function& function) : m_shader(shader), m_f(function), m_b(function), m_phase(phase) {}
  /// Translates everything; false with error().
  bool run();
  const std::string& error() const { return m_error; }

private:
  using Op = ir::Op;
  using Value = ir::Value;

  // declarations.cpp
  void declare();
  void declareRegisters();
  bool inPhase(uint32_t phase) const;
  bool storesPatchConstants() const;
  void storePatchConstant(const dxbc::Operand& o, unsigned component, Value v);
  void declareResources();
  void findDynamicRanges();
  void copyInputsToArrays();
  void storeOutputs();
  int32_t rangeOf(const dxbc::Operand& o) const;
  ir::VarId outputVariable(uint32_t reg, unsigned component);

  // operands.cpp
  Value load(const dxbc::Operand& o, unsigned lane, dxbc::ValueType type);
  Value loadDouble(const dxbc::Operand& o, unsigned pair, Value& high);
  Value loadRegister(const dxbc::Operand& o, unsigned component, unsigned depth);
  Value loadInput(const dxbc::Operand& o, unsigned component, unsigned depth);
  Value loadConstantBuffer(const dxbc::Operand& o, unsigned component, unsigned depth);
  Value loadSystem(ir::SystemValue v, unsigned component) { return m_b.emit(Op::LoadSystem, {}, uint32_t(v), component); }
  Value indexValue(const dxbc::OperandIndex& i, uint32_t minus, unsigned depth);
  Value condition(const dxbc::Operand& o);
  void store(const dxbc::Operand& o, unsigned component, Value v);
  void storeSaturated(const dxbc::Operand& o, unsigned component, Value v);
  Value loadVariable(ir::VarId v);
  void storeVariable(ir::VarId v, Value x);
  void newRegion() { m_epoch++; }
  Value zero() { return m_b.constant(0); }

  // arithmetic.cpp
  bool arithmetic();
  bool simple();
  void dot(unsigned components);
  void select();
  void swapConditional();
  void twoResults(Op op);
  void multiply(Op op);
  void integerMad();
  void sincos();
  bool doubles();
  void doubleMove();
  void doubleResult(Op op, unsigned sources, bool wordSource);
  void doubleToWord(Op op, unsigned sources);
  Value saturateDouble(Value low, Value& high);

  // resources.cpp
  bool resources();
  bool sample();
  void fetch();
  void loadMemory();
  void storeMemory();
  void atomic();
  void info();
  void eval();
  ir::Value evaluated(uint32_t reg, unsigned component);
  void storeVector(const dxbc::Operand& dst, const dxbc::Operand* swizzle, const Value* words, bool saturate);
  bool memoryOperand(const dxbc::Operand& o, ir::ResourceAttributes& a, ir::ResourceDim& dim);
  bool resourceOperand(const dxbc::Operand& o, ir::ResourceAttributes& a, ir::ResourceDim& dim);
  bool samplerOperand(const dxbc::Operand& o, ir::ResourceAttributes& a);

  // flow.cpp
  struct SwitchInfo {
    std::vector<uint32_t> labels; ///< instruction numbers of its case and default
    uint32_t end = 0;
  };
  enum class FlowKind : uint8_t { If, Loop, Switch, Frame };
  struct Flow {
    FlowKind kind;
    bool hasBlock = false;   ///< Frame: has a Block for early returns
    bool groupOpen = false;  ///< Switch: the If of a label group is open
    uint32_t switchInfo = 0; ///< Switch: index in m_switches
    Value selector{};        ///< Switch
    std::vector<std::pair<uint32_t, ir::VarId>> falls; ///< Switch: label reached by falling, and its variable
  };
  void scanStructure();
  void function(uint32_t begin, uint32_t end);
  void instruction(uint32_t at);
  bool flow(uint32_t at);
  void beginSwitch(uint32_t at);
  void beginCase(uint32_t at);
  void endSwitch();
  void closeGroup(Flow& s);
  void leaveFrame(Value conditionOrInvalid);
  void breakOut(uint32_t at);
  void continueLoop();
  void call();
  void discard();
  void emitVertex();
  bool isExit(const dxbc::Instruction& i) const;
  bool isLabel(uint32_t at) const;

  void fail(const std::string& text);
  bool failed() const { return !m_error.empty(); }
  const dxbc::Operand& operand(unsigned n);

  struct Range {
    dxbc::IndexRange range;
    bool output = false;
    bool dynamic = false;
    uint32_t array = 0;
  };
  struct Cached {
    Value value;
    uint32_t epoch = 0;
  };
  struct CallTarget {
    uint32_t label, begin, end;
  };
  struct OutputComponent {
    uint32_t reg;
    uint8_t component;
    ir::VarId variable;
    bool written;
  };

  const dxbc::Shader& m_shader;
  ir::Function& m_f;
  ir::Builder m_b;
  uint32_t m_phase = 0; ///< hull shaders: index in Declarations::phases
  std::string m_error;
  const dxbc::Instruction* m_in = nullptr;
  dxbc::Operand m_nothing;

  uint32_t m_temps = 0;          ///< number of r#
  std::vector<uint32_t> m_indexableArrays; ///< IR array of x#, by register; ~0 if none
  std::vector<Range> m_ranges;
  std::vector<OutputComponent> m_outputs;
  ir::VarId m_depth, m_coverage, m_stencilRef;
  std::vector<Cached> m_cache;
  uint32_t m_epoch = 1;

  std::vector<SwitchInfo> m_switches;
  std::vector<std::pair<uint32_t, uint32_t>> m_switchAt; ///< instruction number, index in m_switches; sorted
  std::vector<CallTarget> m_labels;
  std::vector<Flow> m_flow;
  std::vector<uint32_t> m_callStack;
};

} // namespace monolith::translate
