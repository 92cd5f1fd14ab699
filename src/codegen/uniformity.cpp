// SPDX-License-Identifier: MIT
#include "codegen/uniformity.h"

namespace monolith::codegen {

namespace {

using ir::Op;

class Analysis {
public:
  Analysis(const ir::Function& function, Uniformity& result) : m_function(function), m_result(result) {
    m_arrays.assign(function.arrays.size(), 1);
  }

  /// One walk; true if something became divergent.
  bool walk() {
    m_changed = false;
    m_open.clear();
    const uint32_t count = uint32_t(m_function.instructions.size());
    for (uint32_t at = 0; at < count; ++at)
      visit(at, m_function.instructions[at]);
    return m_changed;
  }

private:
  bool operandsUniform(const ir::Instruction& i) const {
    for (unsigned n = 0; n < i.operandCount; ++n)
      if (!m_result.isUniform(m_function.operand(i, n)))
        return false;
    return true;
  }

  /// True if not all lanes run here together.
  bool divergentHere() const {
    for (uint32_t marker : m_open)
      if (m_result.divergent[marker])
        return true;
    return false;
  }

  void clear(uint8_t& flag) {
    if (flag) {
      flag = 0;
      m_changed = true;
    }
  }
  void set(uint8_t& flag) {
    if (!flag) {
      flag = 1;
      m_changed = true;
    }
  }
  void setResults(const ir::Instruction& i, bool uniform) {
    if (!uniform)
      for (unsigned n = 0; n < i.resultCount; ++n)
        clear(m_result.values[i.firstResult + n]);
  }

  /// Break or Continue: if some lanes go and others stay, every region from here to the target runs divided.
  void leave(const ir::Instruction& i) {
    bool divided = !operandsUniform(i);
    for (size_t r = m_open.size(); r-- > 0;) {
      divided |= m_result.divergent[m_open[r]] != 0;
      if (m_open[r] == i.attr)
        break;
    }
    if (!divided)
      return;
    for (size_t r = m_open.size(); r-- > 0;) {
      const Op op = m_function.instructions[m_open[r]].op;
      if (op != Op::If)
        set(m_result.divergent[m_open[r]]);
      if (m_open[r] == i.attr)
        break;
    }
  }

  void visit(uint32_t at, const ir::Instruction& i) {
    switch (i.op) {
    case Op::If:
      if (!operandsUniform(i))
        set(m_result.divergent[at]);
      m_open.push_back(at);
      return;
    case Op::Loop:
    case Op::Block: m_open.push_back(at); return;
    case Op::EndIf:
    case Op::EndLoop:
    case Op::EndBlock: m_open.pop_back(); return;
    case Op::Break:
    case Op::Continue: leave(i); return;
    case Op::LoadVar: setResults(i, m_result.variables[i.attr] != 0); return;
    case Op::StoreVar:
      if (divergentHere() || !operandsUniform(i))
        clear(m_result.variables[i.attr]);
      return;
    case Op::LoadArray: setResults(i, m_arrays[i.attr] && operandsUniform(i)); return;
    case Op::StoreArray:
      if (divergentHere() || !operandsUniform(i))
        clear(m_arrays[i.attr]);
      return;
    default: break;
    }
    const ir::OpInfo& info = ir::opInfo(i.op);
    switch (info.divergence) {
    case ir::Divergence::Ops:
      // memory that other lanes may write is not followed; derivatives and sampling of uniform values are uniform
      setResults(i, operandsUniform(i) && !(info.flags & (ir::kOpReads | ir::kOpSide)));
      return;
    case ir::Divergence::Uniform: return;
    case ir::Divergence::Varying:
    case ir::Divergence::State: setResults(i, false); return;
    }
  }

  const ir::Function& m_function;
  Uniformity& m_result;
  std::vector<uint8_t> m_arrays;
  std::vector<uint32_t> m_open;
  bool m_changed = false;
};

} // namespace

Uniformity analyzeUniformity(const ir::Function& function) {
  Uniformity u;
  u.values.assign(function.valueCount, 1);
  u.variables.assign(function.variableCount, 1);
  u.divergent.assign(function.instructions.size(), 0);
  Analysis analysis(function, u);
  while (analysis.walk()) {
  }
  return u;
}

} // namespace monolith::codegen
