// SPDX-License-Identifier: MIT
/// @file
/// Runs a Function on up to eight lanes in plain C++. It defines what a shader means: the oracle of the tests, the
/// REFERENCE driver type and the executor on machines without AVX2.
///
/// Execution mask: every lane is in exactly one place. `exec` are the running lanes; each open region keeps the lanes
/// that wait: an If those of the other branch, a Block or Loop those that broke out of it, a Loop also those that
/// continued. A Break or Continue moves lanes from exec into its region; the end of a region moves them back. Pure
/// operations are computed for all lanes; only stores, effects and branches look at the mask.
#pragma once

#include "ir/function.h"
#include <vector>

namespace monolith::ir {

constexpr unsigned kMaxLanes = 8;

/// Words of all lanes.
using LaneWords = uint32_t*;
using ConstLaneWords = const uint32_t*;

/// What a shader reads and writes outside itself. Words are arrays of kMaxLanes. Results must be given for all lanes
/// (derivatives look at lanes that do not run); effects only for the lanes of `mask`. Calls happen in
/// FloatMode::Single. All defaults give zeros or do nothing.
class Environment {
public:
  virtual ~Environment() = default;
  /// LoadInput.
  virtual void loadInput(uint32_t reg, uint32_t component, LaneWords out);
  /// LoadVertexInput, LoadPatchConstant (index null: none), LoadOutputPoint.
  virtual void loadIndexedInput(Op op, uint32_t reg, uint32_t component, ConstLaneWords index, LaneWords out);
  virtual void loadSystem(SystemValue value, uint32_t component, LaneWords out);
  /// EvalCentroid, EvalSample (a), EvalSnapped (a, b).
  virtual void evalInput(Op op, uint32_t reg, uint32_t component, ConstLaneWords a, ConstLaneWords b, LaneWords out);
  /// LoadConstant: word of vec4 `index`; out of range is 0.
  virtual uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component);
  /// StoreOutput, StoreDepth, StoreCoverage, StoreStencilRef, StorePatchConstant (index may be null).
  virtual void storeOutput(Op op, uint32_t reg, uint32_t component, ConstLaneWords value, ConstLaneWords index,
                           uint8_t mask);
  /// EmitVertex, CutStrip.
  virtual void emitVertex(Op op, uint32_t stream, uint8_t mask);
  /// All operations whose attribute is Sample, Resource or Memory. Quads are lanes 0-3 and 4-7; coordinates of all
  /// lanes are valid words. Effects only for lanes in mask.
  virtual void resource(const Function& f, const Instruction& i, ConstLaneWords const* operands,
                        LaneWords const* results, uint8_t mask);
  virtual void sync(uint32_t flags);
};

enum class RunStatus : uint8_t { Done, OutOfBudget };

struct RunResult {
  RunStatus status = RunStatus::Done;
  uint8_t discarded = 0;     ///< lanes that ran Discard
  uint64_t instructions = 0; ///< executed
};

/// Executor of one function. Keeps its buffers between runs; not for use by two threads at once. The function must be
/// linked and verified and stay alive and unchanged.
class Interpreter {
public:
  explicit Interpreter(const Function& f);

  /// Instructions after which a run is stopped.
  void setBudget(uint64_t instructions) { m_budget = instructions; }
  /// Runs from the start with the lanes of `mask` (a subset of the low `lanes` bits; lanes is 4 or 8 when
  /// derivatives matter).
  RunResult run(Environment& env, unsigned lanes, uint8_t mask);

private:
  struct Region {
    uint32_t open;
    uint8_t waiting;   ///< If: lanes of the other branch; Block, Loop: lanes that broke out
    uint8_t continued; ///< Loop
  };

  LaneWords value(Value v) { return v.isConstant() ? &m_constants[v.constantIndex() * kMaxLanes] : &m_values[v.id * kMaxLanes]; }
  void executeState(const Instruction& i);
  void executeEnvironment(const Instruction& i, Environment& env);
  void executeDerivative(const Instruction& i);
  void leave(const Instruction& i);
  uint32_t executeFlow(const Instruction& i, uint32_t at);
  uint8_t conditionMask(Value v);

  const Function& m_f;
  std::vector<uint32_t> m_constants, m_values, m_variables, m_arrays;
  std::vector<uint32_t> m_arrayOffset;
  std::vector<Region> m_regions;
  uint64_t m_budget = 1u << 24;
  unsigned m_lanes = kMaxLanes;
  uint8_t m_exec = 0;
  uint8_t m_discarded = 0;
};

} // namespace monolith::ir
