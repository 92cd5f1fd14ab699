// SPDX-License-Identifier: MIT
/// @file
/// A shader that the interpreter of ir/ runs instead of generated code: executors for several threads, and the part of the
/// shader's surroundings that all stages share (constants, resources).
#pragma once

#include "abi/texture_view.h"
#include "abi/thread_context.h"
#include "codegen/resource_op.h"
#include "ir/interpreter.h"
#include "state/pipeline_state.h"

#include <memory>
#include <mutex>
#include <vector>

namespace monolith::codegen {

/// Interpreters of one function, lent to one thread at a time.
class InterpreterPool {
public:
  /// `function` must outlive every loan.
  explicit InterpreterPool(const ir::Function& function) : m_function(function) {}

  class Loan {
  public:
    explicit Loan(InterpreterPool& pool) : m_pool(pool), m_interpreter(pool.take()) {}
    ~Loan() { m_pool.give(std::move(m_interpreter)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    /// Runs the lanes of `mask`; takes what was executed off the thread's budget. False if that is used up.
    bool run(ir::Environment& environment, uint8_t mask, abi::ThreadContext& thread, ir::RunResult& result);

  private:
    InterpreterPool& m_pool;
    std::unique_ptr<ir::Interpreter> m_interpreter;
  };

  const ir::Function& function() const { return m_function; }

private:
  std::unique_ptr<ir::Interpreter> take();
  void give(std::unique_ptr<ir::Interpreter> interpreter);

  const ir::Function& m_function;
  std::mutex m_mutex;
  std::vector<std::unique_ptr<ir::Interpreter>> m_free;
};

/// Constants and shader resources by the bindings of abi/texture_view.h; stages add inputs and outputs.
class BoundEnvironment : public ir::Environment {
public:
  /// `samplers` by slot.
  BoundEnvironment(const abi::StageBindings& bindings, const std::vector<state::SamplerState>& samplers, QuadShape shape,
                   unsigned targetSamples = 1)
      : m_bindings(bindings), m_samplers(samplers), m_shape(shape), m_targetSamples(uint8_t(targetSamples))
  {
  }

  uint32_t loadConstant(uint32_t slot, uint32_t index, uint32_t component) override;
  void resource(const ir::Function& f, const ir::Instruction& i, ir::ConstLaneWords const* operands,
                ir::LaneWords const* results, uint8_t mask) override;

private:
  const abi::StageBindings& m_bindings;
  const std::vector<state::SamplerState>& m_samplers;
  QuadShape m_shape;
  uint8_t m_targetSamples;
};

} // namespace monolith::codegen
