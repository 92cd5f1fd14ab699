// SPDX-License-Identifier: MIT
/// @file
/// Control flow. Uniform branches are jumps. Where lanes diverge, `exec` holds the lanes that run; each region
/// remembers the mask on entry and, if lanes may leave beyond it, which ones left (`gone`), so that the mask behind a
/// region is what entered minus what left. Divergent loops keep the lanes that go on in `live`.
#include "codegen/emitter_state.h"

namespace monolith::codegen {

using namespace simd;
using ir::Instruction;
using ir::Op;

std::vector<uint8_t> findLeaves(const ir::Function& f, const Uniformity& u) {
  std::vector<uint8_t> leaves(f.instructions.size(), 0);
  std::vector<uint32_t> open;
  for (uint32_t at = 0; at < f.instructions.size(); ++at) {
    const Instruction& i = f.instructions[at];
    switch (i.op) {
    case Op::If:
    case Op::Loop:
    case Op::Block: open.push_back(at); break;
    case Op::EndIf:
    case Op::EndLoop:
    case Op::EndBlock: open.pop_back(); break;
    case Op::Break:
    case Op::Continue:
      if (u.divergent[i.attr])
        for (size_t r = open.size(); r-- > 0 && open[r] != i.attr;)
          leaves[open[r]] = 1;
      break;
    default: break;
    }
  }
  return leaves;
}

std::vector<uint32_t> findPrivateVariables(const ir::Function& f) {
  constexpr uint32_t kUnread = ~1u, kNone = ~0u;
  std::vector<uint32_t> owner(f.variableCount, kUnread);
  uint32_t loop = kNone, end = 0; // the outermost loop round the present place
  for (uint32_t at = 0; at < f.instructions.size(); ++at) {
    const Instruction& i = f.instructions[at];
    if (ir::opInfo(i.op).flags & ir::kOpQuad) // neighbours look at lanes that have left
      return std::vector<uint32_t>(f.variableCount, kNone);
    if (i.op == Op::Loop && loop == kNone) {
      loop = at;
      end = i.attr;
    } else if (loop != kNone && at == end) {
      loop = kNone;
    } else if (i.op == Op::LoadVar) {
      owner[i.attr] = owner[i.attr] == kUnread || owner[i.attr] == loop ? loop : kNone;
    }
  }
  for (uint32_t& o : owner)
    o = o == kUnread ? kNone : o;
  return owner;
}

bool storesFreely(const EmitterState& s, uint32_t variable) {
  if (s.regions.empty())
    return false;
  const Region& r = s.regions.back();
  return r.kind == Op::Loop && r.execIsLive && s.privateTo[variable] == r.open;
}

namespace {

/// Instructions whose execution without a lane does no harm and costs little.
bool isCheap(const Instruction& i) {
  if (!(ir::opInfo(i.op).flags & ir::kOpFold) && i.op != Op::StoreVar && i.op != Op::LoadVar)
    return false;
  return i.op != Op::FDiv && i.op != Op::FExp2 && i.op != Op::FLog2 && i.op != Op::FSinCos && i.op != Op::UDiv;
}

/// Few enough simple instructions that skipping them costs more than running them with no lane.
bool shortBody(const EmitterState& s, uint32_t from, uint32_t to) {
  if (to - from > 6)
    return false;
  for (uint32_t at = from; at < to; ++at)
    if (!isCheap(s.function.instructions[at]))
      return false;
  return true;
}

/// What follows in a divergent loop is so little that the test at its end is enough: a test for each exit costs more, over
/// all iterations, than the one that runs to the end with no lane.
bool shortRest(const EmitterState& s, uint32_t at, uint32_t loop) {
  const uint32_t end = s.function.instructions[loop].attr;
  if (end - at > 32)
    return false;
  while (++at < end) {
    const Instruction& i = s.function.instructions[at];
    if (!isCheap(i) && !(i.op == Op::Break && i.attr == loop && i.operandCount))
      return false;
  }
  return true;
}

Region& push(EmitterState& s, const Instruction& i, uint32_t at) {
  Region& r = s.regions.emplace_back();
  r.open = at;
  r.kind = i.op;
  r.divergent = s.uniformity.divergent[at] != 0;
  r.leaves = s.leaves[at] != 0;
  r.saved = s.exec;
  r.savedFull = s.full;
  r.cachedPointers = s.rows.size();
  r.end.emplace();
  if (r.leaves)
    r.gone.emplace(Mask(false));
  return r;
}

/// Where to go on when no lane is left in the rest of this part: where other lanes may wait.
Label nextOf(Region& r) {
  if (r.kind == Op::Loop || (r.kind == Op::If && r.divergent && r.hasElse && !r.inElse))
    return *r.next;
  return *r.end;
}

void pop(EmitterState& s, bool moreFollows) {
  Region& r = s.regions.back();
  bind(*r.end);
  s.exec = r.saved;
  s.full = r.savedFull;
  s.rows.resize(r.cachedPointers);
  if (r.leaves) {
    s.exec = andNot(r.saved, r.gone->get());
    s.full = false;
  }
  const bool leaves = r.leaves;
  s.regions.pop_back();
  if (leaves && moreFollows && !s.regions.empty())
    jumpIf(none(s.exec), nextOf(s.regions.back()));
}

void beginIf(EmitterState& s, const Instruction& i, uint32_t at) {
  const ir::Value v = s.function.operand(i, 0);
  Region& r = push(s, i, at);
  r.hasElse = s.function.instructions[i.attr].op == Op::Else;
  if (r.hasElse)
    r.next.emplace();
  const Mask condition = s.condition(v);
  if (!r.divergent) {
    jumpIf(none(condition), r.hasElse ? *r.next : *r.end);
    return;
  }
  // a constant condition would be uniform, so this is a register
  r.condition = condition;
  s.pin(condition);
  s.exec = r.saved & condition;
  s.full = false;
  if (!shortBody(s, at + 1, i.attr))
    jumpIf(none(s.exec), nextOf(r));
}

void beginElse(EmitterState& s, const Instruction& i, uint32_t at) {
  Region& r = s.regions.back();
  s.rows.resize(r.cachedPointers);
  if (!r.divergent)
    jump(*r.end);
  bind(*r.next);
  r.inElse = true;
  s.exec = r.saved;
  s.full = r.savedFull;
  if (!r.divergent)
    return;
  s.exec = andNot(r.saved, r.condition);
  s.full = false;
  if (!shortBody(s, at + 1, i.attr))
    jumpIf(none(s.exec), *r.end);
}

void beginLoop(EmitterState& s, const Instruction& i, uint32_t at) {
  Region& r = push(s, i, at);
  r.top.emplace();
  r.next.emplace();
  if (r.divergent)
    r.live.emplace(s.exec);
  bind(*r.top);
  if (r.divergent) {
    s.exec = r.live->get();
    s.full = false;
    r.execIsLive = true;
  }
}

void endLoop(EmitterState& s, bool moreFollows) {
  Region& r = s.regions.back();
  bind(*r.next);
  // the budget counts instructions, roughly
  jumpIf(subtractIsNegative(*s.budget, int32_t(s.function.instructions[r.open].attr - r.open)), *r.end);
  if (r.divergent)
    jumpIf(any(r.live->peek()), *r.top);
  else
    jump(*r.top);
  pop(s, moreFollows);
}

void leave(EmitterState& s, const Instruction& i, uint32_t at) {
  Region* target = nullptr;
  for (Region& r : s.regions)
    if (r.open == i.attr)
      target = &r;
  const Label destination = i.op == Op::Continue ? *target->next : *target->end;
  if (!target->divergent) {
    if (i.operandCount)
      jumpIf(any(s.condition(s.function.operand(i, 0))), destination);
    else
      jump(destination);
    return;
  }
  Region& inner = s.regions.back();
  if (i.op == Op::Break && i.operandCount && target == &inner && inner.kind == Op::Loop && inner.execIsLive) {
    // the usual exit of a loop: the lanes that run are those still in it
    s.exec = andNot(s.exec, s.condition(s.function.operand(i, 0)));
    *inner.live = s.exec;
    if (!shortRest(s, at, i.attr))
      jumpIf(none(s.exec), *inner.next);
    s.full = false;
    return;
  }
  if (i.op == Op::Continue)
    target->execIsLive = false;
  const Mask lanes = i.operandCount ? s.exec & s.condition(s.function.operand(i, 0)) : s.exec;
  for (size_t n = s.regions.size(); n-- > 0;) {
    Region& r = s.regions[n];
    const bool last = &r == target;
    if (!last)
      *r.gone = r.gone->peek() | lanes;
    if (r.live && !(last && i.op == Op::Continue))
      *r.live = andNot(r.live->peek(), lanes);
    if (last)
      break;
  }
  if (!i.operandCount) {
    jump(nextOf(s.regions.back()));
    s.exec = Mask(false);
  } else {
    s.exec = andNot(s.exec, lanes);
    if (s.regions.back().kind == Op::Loop) // the usual exit test of a loop
      jumpIf(none(s.exec), nextOf(s.regions.back()));
  }
  s.full = false;
}

void discard(EmitterState& s, const Instruction& i) {
  Mask lanes = s.exec;
  if (i.operandCount)
    lanes = lanes & s.condition(s.function.operand(i, 0));
  *s.discarded = s.discarded->peek() | lanes;
  s.host.discard(lanes);
}

} // namespace

bool emitFlowOp(EmitterState& s, const Instruction& i, uint32_t at) {
  const auto moreFollows = [&] {
    for (uint32_t n = at + 1; n < s.function.instructions.size() && n < at + 4; ++n)
      if (ir::opInfo(s.function.instructions[n].op).flags & ir::kOpFlow)
        return false;
    return true;
  };
  switch (i.op) {
  case Op::If: beginIf(s, i, at); return true;
  case Op::Else: beginElse(s, i, at); return true;
  case Op::EndIf:
    if (s.regions.back().hasElse && !s.regions.back().inElse)
      bind(*s.regions.back().next);
    pop(s, moreFollows());
    return true;
  case Op::Loop: beginLoop(s, i, at); return true;
  case Op::EndLoop: endLoop(s, moreFollows()); return true;
  case Op::Block: push(s, i, at); return true;
  case Op::EndBlock: pop(s, moreFollows()); return true;
  case Op::Break:
  case Op::Continue: leave(s, i, at); return true;
  case Op::Discard: discard(s, i); return true;
  default: return false;
  }
}

} // namespace monolith::codegen
