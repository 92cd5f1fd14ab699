// SPDX-License-Identifier: MIT
#include "translate/translator.h"

#include <algorithm>

namespace monolith::translate {

using dxbc::Instruction;
using dxbc::OpCode;
using dxbc::OpRole;
using ir::Op;
using ir::Value;

namespace {
constexpr size_t kMaxCallDepth = 32;
constexpr size_t kMaxNesting = 1024;
} // namespace

bool Translator::isLabel(uint32_t at) const {
  const OpRole r = m_shader.instructions[at].info().role;
  return r == OpRole::Case || r == OpRole::Default;
}

/// An instruction after which no lane goes on.
bool Translator::isExit(const Instruction& i) const {
  return i.op == OpCode::Break || i.op == OpCode::Continue || i.op == OpCode::Ret;
}

/// Finds the bodies of subroutines and the labels of each switch.
void Translator::scanStructure() {
  const std::vector<Instruction>& code = m_shader.instructions;
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < code.size(); i++) {
    m_in = &code[i];
    switch (code[i].info().role) {
    case OpRole::Label:
      if (!m_labels.empty())
        m_labels.back().end = i;
      if (!open.empty()) {
        fail("label inside a switch");
        return;
      }
      m_labels.push_back({operand(0).reg(), i + 1, static_cast<uint32_t>(code.size())});
      break;
    case OpRole::Switch:
      open.push_back(static_cast<uint32_t>(m_switches.size()));
      m_switchAt.push_back({i, open.back()});
      m_switches.emplace_back();
      break;
    case OpRole::Case:
    case OpRole::Default:
    case OpRole::EndSwitch:
      if (open.empty()) {
        fail("outside of a switch");
        return;
      }
      if (code[i].info().role != OpRole::EndSwitch) {
        m_switches[open.back()].labels.push_back(i);
        break;
      }
      m_switches[open.back()].end = i;
      open.pop_back();
      break;
    default: break;
    }
  }
  if (!open.empty())
    fail("switch without end");
  m_in = nullptr;
}

/// Translates instructions [begin, end) as one function (main or an inlined call).
void Translator::function(uint32_t begin, uint32_t end) {
  Flow frame{FlowKind::Frame, false, false, 0, {}, {}};
  for (uint32_t i = begin; i + 1 < end && !frame.hasBlock; i++)
    frame.hasBlock = m_shader.instructions[i].info().role == OpRole::Ret;
  if (begin < end && m_shader.instructions[end - 1].op == OpCode::Retc)
    frame.hasBlock = true;
  if (frame.hasBlock) {
    m_b.beginBlock();
    newRegion();
  }
  const size_t level = m_flow.size();
  m_flow.push_back(frame);
  for (uint32_t i = begin; i < end && !failed(); i++)
    instruction(i);
  if (failed())
    return;
  if (m_flow.size() != level + 1) {
    fail("control flow is not closed");
    return;
  }
  m_flow.pop_back();
  if (frame.hasBlock) {
    m_b.endBlock();
    newRegion();
  }
}

/// ret: leaves the innermost frame.
void Translator::leaveFrame(Value condition) {
  uint32_t depth = 0;
  for (size_t i = m_flow.size(); i-- > 0;) {
    if (m_flow[i].kind == FlowKind::If)
      continue;
    if (m_flow[i].kind != FlowKind::Frame) {
      depth++;
      continue;
    }
    if (!m_flow[i].hasBlock)
      return; // the last instruction
    if (condition.valid())
      m_b.breakIf(condition, depth);
    else
      m_b.breakOut(depth);
    return;
  }
}

void Translator::breakOut(uint32_t at) {
  size_t i = m_flow.size();
  while (i-- > 0 && m_flow[i].kind == FlowKind::If) {}
  if (i == size_t(-1) || m_flow[i].kind == FlowKind::Frame) {
    fail("outside of a loop or switch");
    return;
  }
  if (m_in->op == OpCode::Breakc) {
    m_b.breakIf(condition(operand(0)));
    return;
  }
  // The last break of a label group: its lanes satisfy no other group, so the end of the group's If is enough.
  const bool lastOfGroup = i + 1 == m_flow.size() && m_flow[i].kind == FlowKind::Switch &&
                           at + 1 < m_shader.instructions.size() &&
                           (isLabel(at + 1) || m_shader.instructions[at + 1].info().role == OpRole::EndSwitch);
  if (!lastOfGroup)
    m_b.breakOut();
}

void Translator::continueLoop() {
  size_t i = m_flow.size();
  while (i-- > 0 && m_flow[i].kind != FlowKind::Loop && m_flow[i].kind != FlowKind::Frame) {}
  if (i == size_t(-1) || m_flow[i].kind != FlowKind::Loop)
    fail("outside of a loop");
  else if (m_in->op == OpCode::Continuec)
    m_b.continueIf(condition(operand(0)));
  else
    m_b.continueLoop();
}

void Translator::call() {
  if (m_in->op == OpCode::InterfaceCall) {
    fail("interface calls are not translated yet");
    return;
  }
  const bool conditional = m_in->op == OpCode::Callc;
  const uint32_t label = operand(conditional ? 1 : 0).reg();
  const auto target = std::find_if(m_labels.begin(), m_labels.end(), [&](const CallTarget& t) { return t.label == label; });
  if (target == m_labels.end()) {
    fail("label is not defined");
    return;
  }
  if (m_callStack.size() >= kMaxCallDepth ||
      std::find(m_callStack.begin(), m_callStack.end(), label) != m_callStack.end()) {
    fail("recursive or too deep calls");
    return;
  }
  if (conditional) {
    m_b.beginIf(condition(operand(0)));
    newRegion();
    m_flow.push_back({FlowKind::If, false, false, 0, {}, {}});
  }
  m_callStack.push_back(label);
  function(target->begin, target->end);
  m_callStack.pop_back();
  if (conditional && !failed()) {
    m_flow.pop_back();
    m_b.endIf();
    newRegion();
  }
}

void Translator::beginSwitch(uint32_t at) {
  const auto it = std::lower_bound(m_switchAt.begin(), m_switchAt.end(), std::pair<uint32_t, uint32_t>(at, 0));
  Flow s{FlowKind::Switch, true, false, it->second, load(operand(0), 0, dxbc::ValueType::Uint), {}};
  for (uint32_t label : m_switches[s.switchInfo].labels)
    if (label != at + 1 && !isLabel(label - 1) && !isExit(m_shader.instructions[label - 1]))
      s.falls.push_back({label, m_b.newVariable()});
  m_b.beginBlock();
  newRegion();
  for (const auto& f : s.falls)
    storeVariable(f.second, zero());
  m_flow.push_back(std::move(s));
}

void Translator::closeGroup(Flow& s) {
  if (!s.groupOpen)
    return;
  s.groupOpen = false;
  m_b.endIf();
  newRegion();
}

/// First label of a group: opens the If of the lanes that select it or fall into it.
void Translator::beginCase(uint32_t at) {
  Flow& s = m_flow.back();
  if (isLabel(at - 1))
    return; // further label of the group
  const SwitchInfo& info = m_switches[s.switchInfo];
  Value fallen;
  for (const auto& f : s.falls)
    if (f.first == at) {
      storeVariable(f.second, m_b.constant(~0u));
      closeGroup(s);
      fallen = loadVariable(f.second);
    }
  closeGroup(s);

  uint32_t end = at;
  bool hasDefault = false;
  while (end < info.end && isLabel(end))
    hasDefault |= m_shader.instructions[end++].info().role == OpRole::Default;
  Value chosen; // lanes whose selector is one of the labels (default: one of the labels of other groups)
  for (uint32_t label : info.labels) {
    const bool own = label >= at && label < end;
    const Instruction& in = m_shader.instructions[label];
    if (own == hasDefault || in.info().role == OpRole::Default)
      continue;
    if (in.operands.empty()) {
      fail("case without value");
      return;
    }
    const Value equal = m_b.emit(Op::IEq, {s.selector, m_b.constant(in.operands[0].imm[0])});
    chosen = chosen.valid() ? static_cast<Value>(m_b.emit(Op::Or, {chosen, equal})) : equal;
  }
  if (hasDefault)
    chosen = chosen.valid() ? static_cast<Value>(m_b.emit(Op::Not, {chosen})) : m_b.constant(~0u);
  if (fallen.valid())
    chosen = m_b.emit(Op::Or, {chosen, fallen});
  m_b.beginIf(chosen);
  newRegion();
  s.groupOpen = true;
}

void Translator::endSwitch() {
  closeGroup(m_flow.back());
  m_flow.pop_back();
  m_b.endBlock();
  newRegion();
}

void Translator::discard() {
  if (m_f.stage != ir::Stage::Pixel) {
    fail("needs a pixel shader");
    return;
  }
  m_f.usesDiscard = true;
  m_b.discardIf(condition(operand(0)));
}

void Translator::emitVertex() {
  const uint32_t stream = m_in->operands.empty() ? 0 : operand(0).reg();
  if (stream > 3 || m_f.stage != ir::Stage::Geometry) {
    fail("stream out of range");
    return;
  }
  const bool cutOnly = m_in->op == OpCode::Cut || m_in->op == OpCode::CutStream;
  const bool cut = cutOnly || m_in->op == OpCode::EmitThenCut || m_in->op == OpCode::EmitThenCutStream;
  if (!cutOnly) {
    storeOutputs();
    m_b.emit(Op::EmitVertex, {}, stream);
  }
  if (cut)
    m_b.emit(Op::CutStrip, {}, stream);
}

/// Structure instructions; false if it is none.
bool Translator::flow(uint32_t at) {
  const OpRole role = m_in->info().role;
  const bool inSwitch = m_flow.back().kind == FlowKind::Switch;
  if (inSwitch && !m_flow.back().groupOpen && role != OpRole::Case && role != OpRole::Default && role != OpRole::EndSwitch) {
    fail("instruction before the first case");
    return true;
  }
  if (m_flow.size() > kMaxNesting) {
    fail("nested too deeply");
    return true;
  }
  switch (role) {
  case OpRole::If:
    m_b.beginIf(condition(operand(0)));
    m_flow.push_back({FlowKind::If, false, false, 0, {}, {}});
    newRegion();
    return true;
  case OpRole::Else:
  case OpRole::EndIf:
    if (m_flow.back().kind != FlowKind::If) {
      fail("without if");
      return true;
    }
    if (role == OpRole::Else) {
      m_b.beginElse();
    } else {
      m_b.endIf();
      m_flow.pop_back();
    }
    newRegion();
    return true;
  case OpRole::Loop:
    m_b.beginLoop();
    m_flow.push_back({FlowKind::Loop, true, false, 0, {}, {}});
    newRegion();
    return true;
  case OpRole::EndLoop:
    if (m_flow.back().kind != FlowKind::Loop) {
      fail("without loop");
      return true;
    }
    m_b.endLoop();
    m_flow.pop_back();
    newRegion();
    return true;
  case OpRole::Switch: beginSwitch(at); return true;
  case OpRole::Case:
  case OpRole::Default:
  case OpRole::EndSwitch:
    if (!inSwitch || (role == OpRole::EndSwitch && m_switches[m_flow.back().switchInfo].end != at))
      fail("without switch");
    else if (role == OpRole::EndSwitch)
      endSwitch();
    else
      beginCase(at);
    return true;
  case OpRole::Break: breakOut(at); return true;
  case OpRole::Continue: continueLoop(); return true;
  case OpRole::Ret: leaveFrame(m_in->op == OpCode::Retc ? condition(operand(0)) : Value{}); return true;
  case OpRole::Call: call(); return true;
  case OpRole::Label: fail("unexpected label"); return true;
  case OpRole::Discard: discard(); return true;
  case OpRole::Emit: emitVertex(); return true;
  default: return false;
  }
}

} // namespace monolith::translate
