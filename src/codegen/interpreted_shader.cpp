// SPDX-License-Identifier: MIT
#include "codegen/interpreted_shader.h"

#include "base/log.h"

#include <algorithm>
#include <cstring>

namespace monolith::codegen {

namespace {
/// One interpreted instruction counts as so many of generated code.
constexpr int64_t kInstructionCost = 500;
} // namespace

std::unique_ptr<ir::Interpreter> InterpreterPool::take()
{
  {
    const std::lock_guard lock(m_mutex);
    if (!m_free.empty()) {
      std::unique_ptr<ir::Interpreter> last = std::move(m_free.back());
      m_free.pop_back();
      return last;
    }
  }
  return std::make_unique<ir::Interpreter>(m_function);
}

void InterpreterPool::give(std::unique_ptr<ir::Interpreter> interpreter)
{
  const std::lock_guard lock(m_mutex);
  m_free.push_back(std::move(interpreter));
}

bool InterpreterPool::Loan::run(ir::Environment& environment, uint8_t mask, abi::ThreadContext& thread, ir::RunResult& result)
{
  // As in generated code, only loops can run out.
  const size_t straight = m_pool.function().instructions.size();
  m_interpreter->setBudget(uint64_t(std::max<int64_t>(thread.loopBudget / kInstructionCost, 0)) + straight);
  result = m_interpreter->run(environment, ir::kMaxLanes, mask);
  if (result.instructions > straight)
    thread.loopBudget -= int64_t(result.instructions - straight) * kInstructionCost;
  if (result.status == ir::RunStatus::Done)
    return true;
  thread.hung = 1;
  return false;
}

uint32_t BoundEnvironment::loadConstant(uint32_t slot, uint32_t index, uint32_t component)
{
  if (!m_bindings.constantBuffers)
    return 0;
  const abi::ConstantBuffer& b = m_bindings.constantBuffers[slot];
  if (index >= b.size)
    return 0;
  uint32_t word;
  std::memcpy(&word, b.data + size_t(index) * 16 + component * 4, sizeof word);
  return word;
}

void BoundEnvironment::resource(const ir::Function& f, const ir::Instruction& i, ir::ConstLaneWords const* operands,
                                ir::LaneWords const* results, uint8_t mask)
{
  const ir::OpInfo& info = ir::opInfo(i.op);
  const bool ours = info.attr == ir::AttrKind::Sample || info.attr == ir::AttrKind::Resource ||
                    (info.attr == ir::AttrKind::Memory && ir::MemorySpace(i.attr2) == ir::MemorySpace::Resource);
  if (!ours) {
    base::logOnce("interpreter: unordered access is not built yet");
    ir::Environment::resource(f, i, operands, results, mask);
    return;
  }
  ResourceOp op = makeResourceOp(f, i);
  op.quadShape = uint8_t(m_shape);
  if (op.rasterizer)
    op.rasterizer = m_targetSamples;
  if (op.hasSampler && op.samplerSlot < m_samplers.size())
    op.sampler = m_samplers[op.samplerSlot];
  runResourceOp(op, m_bindings, operands, results);
}

} // namespace monolith::codegen
