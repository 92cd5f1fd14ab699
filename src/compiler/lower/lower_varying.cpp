// SPDX-License-Identifier: MIT
// Gradients in loops whose number of rounds differs between pixels: such loops must be unrolled.
#include "compiler/lower/lowering.h"

#include <algorithm>

namespace monolith::compiler {

/// True if a value may differ between the pixels of a draw. Values that meet behind branches and loops count as varying
/// if one of those that come in does; what chose among them is not looked at.
bool Lowering::isVarying(ValueId v, std::set<ValueId>& seen) const {
  std::vector<ValueId> work{v};
  const Function& f = m_module.code;
  while (!work.empty()) {
    const ValueId id = m_b.resolve(work.back());
    work.pop_back();
    if (!seen.insert(id).second)
      continue;
    const Inst& i = f.insts[id];
    if (i.op == Op::Input || i.op == Op::VertexInput)
      return true;
    if (i.op == Op::Phi) {
      for (const Control& c : f.controls) {
        auto take = [&](const std::vector<ValueId>& phis, const std::vector<ValueId>& values) {
          for (size_t k = 0; k < phis.size() && k < values.size(); k++)
            if (phis[k] == id)
              work.push_back(values[k]);
        };
        take(c.headerPhis, c.init);
        for (const auto& e : c.continues)
          take(c.headerPhis, e);
        for (const auto& e : c.breaks)
          take(c.phis, e);
        for (const Block* b : c.blocks)
          if (b)
            take(c.phis, b->yield);
        for (const SwitchCase& k : c.cases)
          take(c.phis, k.block->yield);
      }
      continue;
    }
    for (const Src& s : f.sources(id))
      work.push_back(s.id);
  }
  return false;
}

namespace {
/// Conditions of the branches round the breaks of a loop.
void exitConditions(const Function& f, const Block& block, uint32_t control, std::vector<ValueId>& open, std::vector<ValueId>& out, int depth) {
  if (depth > 200)
    return;
  for (ValueId id : block.insts) {
    const Inst& i = f.insts[id];
    if (i.op == Op::Break && i.aux[0] == control)
      out.insert(out.end(), open.begin(), open.end());
    if (i.op != Op::If && i.op != Op::Switch && i.op != Op::Loop)
      continue;
    const Control& c = f.controls[i.aux[0]];
    if (i.op != Op::Loop)
      open.push_back(f.pool[i.first].id);
    for (const Block* b : c.blocks)
      if (b)
        exitConditions(f, *b, control, open, out, depth + 1);
    for (const SwitchCase& k : c.cases)
      exitConditions(f, *k.block, control, open, out, depth + 1);
    if (i.op != Op::Loop)
      open.pop_back();
  }
}
} // namespace

/// Instructions that an expression has added from `before` on, and no expression in it.
void Lowering::notePlaces(const Expr* e, size_t before) {
  std::vector<Location>& places = m_module.places;
  const size_t first = std::max(before, places.size()), end = m_b.emitted();
  if (first >= end)
    return;
  places.resize(first);
  places.resize(end, e->loc);
  for (size_t i = first; i < end; i++)
    if (hasTrait(m_module.code.insts[i].op, kGradient)) {
      m_gradients.push_back(e->loc);
      if (m_module.target.stage != Stage::Pixel && !m_diagnostics.hasErrors())
        report(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
      break;
    }
}

/// Something works only with an index that is known: the loops round it must be unrolled. False if there are none.
bool Lowering::forceUnroll(const Location& at, const std::string& what) {
  std::vector<const Stmt*> loops;
  for (const auto& f : m_frames)
    for (const LoopFrame& l : f->loops)
      if (l.native)
        loops.push_back(l.stmt);
  if (loops.empty())
    return false;
  if (m_quiet) {
    m_abandon = true;
    return true;
  }
  const Stmt* marked = nullptr;
  for (const Stmt* s : loops) {
    if (s->attributes & kAttrLoop)
      marked = s;
    const_cast<Stmt*>(s)->attributes |= kAttrUnroll;
  }
  m_diagnostics.warning(at, 3550, what + ", forcing loop to unroll");
  if (marked)
    m_diagnostics.error(marked->loc, 3531, "can't unroll loops marked with loop attribute");
  m_restart = true;
  return true;
}

void Lowering::checkGradients(const Stmt* s, const LoopFrame& l, size_t first) {
  if (first >= m_gradients.size() || m_module.target.stage != Stage::Pixel || m_quiet || m_restart || m_diagnostics.hasErrors())
    return;
  std::vector<ValueId> open, conditions = m_conditions;
  exitConditions(m_module.code, *m_module.code.controls[l.control].blocks[0], l.control, open, conditions, 0);
  bool varying = false;
  for (ValueId c : conditions) {
    std::set<ValueId> seen;
    varying = varying || isVarying(c, seen);
  }
  if (!varying)
    return;
  const bool stays = s->attributes & kAttrLoop;
  for (size_t i = first; i < m_gradients.size(); i++)
    if (stays)
      m_diagnostics.warning(m_gradients[i], 3595, "gradient instruction used in a loop with varying iteration; partial derivatives may have undefined value");
    else
      m_diagnostics.warning(m_gradients[i], 3570, "gradient instruction used in a loop with varying iteration, attempting to unroll the loop");
  if (stays)
    return;
  // Once more from the start, with this loop unrolled; that fails with a message if the loop has no end in sight.
  const_cast<Stmt*>(s)->attributes |= kAttrUnroll;
  m_restart = true;
}

} // namespace monolith::compiler
