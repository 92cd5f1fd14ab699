// SPDX-License-Identifier: MIT
/// @file
/// Control flow. One walk keeps a stack of open blocks and whether the current place can be reached, because a case may
/// fall through into the next only if it is empty.
#include "dxbc/validator.h"

#include <algorithm>
#include <map>
#include <set>

namespace monolith::dxbc {
namespace {

constexpr size_t kMaxNesting = 64;
constexpr uint32_t kMaxCallDepth = 32;
constexpr uint64_t kMaxExpanded = 1u << 18; ///< instructions after all calls are put in place

struct Block {
  OpRole kind;             ///< If, Else, Loop or Switch
  bool reachedBefore;      ///< the block's first instruction can be reached
  bool thenFallsOut = false; ///< If with Else: end of the first part can be reached
  bool broken = false;     ///< Loop, Switch: a reachable break leaves it
  bool hasDefault = false;
  std::set<uint32_t> cases;
};

/// A main program or subroutine: where it begins and whom it calls.
struct Routine {
  uint64_t size = 0;
  std::vector<uint32_t> calls; ///< labels, one entry a call
};

class Structure {
public:
  explicit Structure(const Shader& shader) : m_shader(shader) {}

  Finding run() {
    const auto& list = m_shader.instructions;
    if (Finding f = checkPhases()) return f;
    m_routines.emplace_back();
    for (m_at = 0; m_at < list.size(); m_at++) {
      const char* error = step(list[m_at]);
      if (error) return {std::string(list[m_at].info().mnemonic) + ": " + error, m_at};
      if (!list[m_at].isDeclaration()) m_lastOp = list[m_at].op;
    }
    if (const char* error = endRoutine()) return {error};
    return checkCalls();
  }

private:
  const char* step(const Instruction& i) {
    if (i.isDeclaration()) {
      if (!m_stack.empty() && i.info().role == OpRole::Declaration) return "declaration inside a block";
      return nullptr;
    }
    m_routines.back().size++;
    if (i.info().role == OpRole::Phase) return beginPhase();
    if (i.info().role == OpRole::Label) return beginRoutine(i);
    if (!m_stack.empty() && m_stack.back().kind == OpRole::Switch && m_lastOp == OpCode::Switch &&
        i.info().role != OpRole::Case && i.info().role != OpRole::Default && i.info().role != OpRole::EndSwitch)
      return "a switch must begin with a case";
    return flow(i);
  }

  const char* flow(const Instruction& i) {
    switch (i.info().role) {
    case OpRole::If: return open(OpRole::If);
    case OpRole::Loop: return open(OpRole::Loop);
    case OpRole::Switch: return open(OpRole::Switch);
    case OpRole::Else: return elseBranch();
    case OpRole::EndIf: return endIf();
    case OpRole::EndLoop: return endLoop();
    case OpRole::EndSwitch: return endSwitch();
    case OpRole::Case:
    case OpRole::Default: return caseLabel(i);
    case OpRole::Break: return breakOut(i);
    case OpRole::Continue: return continueLoop(i);
    case OpRole::Ret:
      m_ended = i.op == OpCode::Ret && m_stack.empty();
      if (i.op == OpCode::Ret) m_reachable = false;
      return nullptr;
    case OpRole::Call: return call(i);
    default: m_ended = false; return nullptr;
    }
  }

  const char* open(OpRole kind) {
    if (m_stack.size() >= kMaxNesting) return "blocks are nested too deeply";
    Block b{};
    b.kind = kind;
    b.reachedBefore = m_reachable;
    m_stack.push_back(std::move(b));
    m_ended = false;
    return nullptr;
  }

  const char* elseBranch() {
    if (m_stack.empty() || m_stack.back().kind != OpRole::If) return "no open if";
    Block& b = m_stack.back();
    b.kind = OpRole::Else;
    b.thenFallsOut = m_reachable;
    m_reachable = b.reachedBefore;
    return nullptr;
  }

  const char* endIf() {
    if (m_stack.empty() || (m_stack.back().kind != OpRole::If && m_stack.back().kind != OpRole::Else))
      return "no open if";
    Block& b = m_stack.back();
    m_reachable = b.kind == OpRole::If ? b.reachedBefore : m_reachable || b.thenFallsOut;
    m_stack.pop_back();
    return nullptr;
  }

  const char* endLoop() {
    if (m_stack.empty() || m_stack.back().kind != OpRole::Loop) return "no open loop";
    m_reachable = m_stack.back().broken;
    m_stack.pop_back();
    return nullptr;
  }

  const char* caseLabel(const Instruction& i) {
    if (m_stack.empty() || m_stack.back().kind != OpRole::Switch) return "not directly inside a switch";
    bool afterLabel = m_lastOp == OpCode::Switch || m_lastOp == OpCode::Case || m_lastOp == OpCode::Default;
    // Direct3D 10 permits code that falls through, Direct3D 11 does not.
    if (!afterLabel && m_reachable && m_shader.model() >= 50) return "the code before falls through";
    Block& b = m_stack.back();
    if (i.op == OpCode::Default) {
      if (b.hasDefault) return "second default in a switch";
      b.hasDefault = true;
    } else {
      if (i.operands.empty() || i.operands[0].type != RegisterType::Imm32) return "value is not an immediate";
      if (!b.cases.insert(i.operands[0].imm[0]).second) return "value occurs twice in a switch";
    }
    m_reachable = b.reachedBefore;
    return nullptr;
  }

  const char* endSwitch() {
    if (m_stack.empty() || m_stack.back().kind != OpRole::Switch) return "no open switch";
    Block& b = m_stack.back();
    m_reachable = m_reachable || b.broken || (!b.hasDefault && b.reachedBefore);
    m_stack.pop_back();
    return nullptr;
  }

  const char* breakOut(const Instruction& i) {
    for (size_t n = m_stack.size(); n-- > 0;) {
      Block& b = m_stack[n];
      if (b.kind != OpRole::Loop && b.kind != OpRole::Switch) continue;
      b.broken |= m_reachable;
      if (i.op == OpCode::Break) m_reachable = false;
      return nullptr;
    }
    return "not inside a loop or switch";
  }

  const char* continueLoop(const Instruction& i) {
    for (const Block& b : m_stack)
      if (b.kind == OpRole::Loop) {
        if (i.op == OpCode::Continue) m_reachable = false;
        return nullptr;
      }
    return "not inside a loop";
  }

  const char* call(const Instruction& i) {
    m_ended = false;
    if (i.op == OpCode::InterfaceCall) return nullptr;
    if (m_shader.stage == ShaderStage::Hull) return "subroutines are not allowed in hull shaders";
    const Operand& o = i.operands.back();
    if (o.type != RegisterType::Label || o.indexCount != 1 || o.index[0].isRelative()) return "operand is no label";
    m_routines.back().calls.push_back(o.reg());
    return nullptr;
  }

  const char* endRoutine() {
    if (!m_stack.empty()) return "a block is not closed";
    if (m_lastOp != OpCode::Ret || !m_ended) return "program does not end with ret";
    return nullptr;
  }

  const char* beginRoutine(const Instruction& i) {
    if (m_shader.stage == ShaderStage::Hull) return "subroutines are not allowed in hull shaders";
    if (const char* error = endRoutine()) return error;
    const Operand& o = i.operands[0];
    bool body = o.type == RegisterType::FunctionBody;
    if ((!body && o.type != RegisterType::Label) || o.indexCount != 1 || o.index[0].isRelative())
      return "operand is no label";
    if (body) return beginBody();
    if (!m_labels.emplace(o.reg(), uint32_t(m_routines.size())).second) return "label occurs twice";
    return beginBody();
  }

  const char* beginBody() {
    m_routines.emplace_back();
    m_reachable = true;
    m_ended = false;
    return nullptr;
  }

  const char* beginPhase() {
    if (!m_stack.empty()) return "a block is not closed";
    if (m_executed && !m_ended) return "phase before does not end with ret";
    m_executed = m_shader.instructions[m_at].op != OpCode::HsDecls;
    m_reachable = true;
    // A phase without instructions of its own still needs its ret; the declaration phase has none.
    m_ended = !m_executed;
    return nullptr;
  }

  /// Hull shaders: hs_decls, then at most one control point phase, fork phases, join phases. Other stages: no phases.
  Finding checkPhases() {
    if (m_shader.stage != ShaderStage::Hull) return {};
    const auto& list = m_shader.instructions;
    if (list.empty() || list[0].op != OpCode::HsDecls) return {"hull shader does not begin with hs_decls"};
    OpCode last = OpCode::HsDecls;
    bool declarationsOnly = true;
    for (uint32_t n = 1; n < list.size(); n++) {
      if (list[n].info().role == OpRole::Phase) {
        bool order = list[n].op >= last && list[n].op != OpCode::HsDecls &&
                     !(list[n].op == OpCode::HsControlPointPhase && last == OpCode::HsControlPointPhase);
        if (!order) return {"phases are out of order", n};
        last = list[n].op;
        declarationsOnly = false;
      } else if (declarationsOnly && !list[n].isDeclaration()) {
        return {"instruction before the first phase", n};
      }
    }
    if (declarationsOnly) return {"hull shader has no phase"};
    return {};
  }

  /// Size of a routine with its calls put in place; 0 if it recurses or nests too deeply.
  uint64_t expandedSize(uint32_t routine, uint32_t depth, std::map<uint32_t, uint64_t>& known) {
    if (depth > kMaxCallDepth) return 0;
    if (auto it = known.find(routine); it != known.end()) return it->second;
    uint64_t size = m_routines[routine].size;
    for (uint32_t label : m_routines[routine].calls) {
      uint64_t callee = expandedSize(m_labels.at(label), depth + 1, known);
      if (!callee) return 0;
      size = std::min(size + callee, kMaxExpanded + 1);
    }
    known[routine] = size;
    return size;
  }

  Finding checkCalls() {
    for (const Routine& r : m_routines)
      for (uint32_t label : r.calls)
        if (!m_labels.count(label)) return {"label l" + std::to_string(label) + " does not exist"};
    std::map<uint32_t, uint64_t> known;
    for (uint32_t r = 0; r < m_routines.size(); r++) {
      uint64_t size = expandedSize(r, 0, known);
      if (!size) return {"subroutines recurse or nest too deeply"};
      if (size > kMaxExpanded) return {"program is too long"};
    }
    return {};
  }

  const Shader& m_shader;
  uint32_t m_at = 0;
  std::vector<Block> m_stack;
  std::vector<Routine> m_routines;
  std::map<uint32_t, uint32_t> m_labels; ///< label -> routine
  OpCode m_lastOp = OpCode::Nop;
  bool m_reachable = true;
  bool m_ended = false;    ///< the last instruction was a ret outside of blocks
  bool m_executed = false; ///< inside a phase that has instructions
};

} // namespace

Finding checkStructure(const Shader& shader) { return Structure(shader).run(); }

} // namespace monolith::dxbc
