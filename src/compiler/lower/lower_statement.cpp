// SPDX-License-Identifier: MIT
// Statements and control flow.
#include "compiler/optimize/optimize.h"
#include "compiler/types/convert.h"

#include <algorithm>

namespace monolith::compiler {

namespace {
constexpr uint32_t kMaxUnroll = 1024;
constexpr size_t kAutoUnrollInsts = 200;       ///< scalar operations of an unrolled loop that nobody asked to unroll
constexpr size_t kAutoUnrollArrayInsts = 600;  ///< the same if it indexes local arrays
constexpr uint32_t kAutoUnrollIterations = 32;
constexpr int kMaxStatementDepth = 400;
} // namespace

// ---- merging ----

void Lowering::merge(Control& c, ValueId condition, const std::vector<ValueId>& envA, Block* a, const std::vector<ValueId>& envB, Block* b) {
  const bool isBool = m_b.isBool(condition);
  const ValueId yes = m_b.constant(~0u), no = m_b.constant(0u);
  if (a->terminated || b->terminated) {
    setEnv(a->terminated ? envB : envA);
    return;
  }
  size_t n = std::min(envA.size(), envB.size());
  setEnv(envA.size() >= envB.size() ? envA : envB);
  uint32_t group = 0;
  for (size_t i = 0; i < n; i++) {
    ValueId x = m_b.resolve(envA[i]), y = m_b.resolve(envB[i]);
    if (isBool && x == condition) // on this side the condition is known
      x = yes;
    if (isBool && y == condition)
      y = no;
    if (x == y) {
      m_env[i] = x;
      continue;
    }
    if (isBool && x == yes && y == no) {
      m_env[i] = condition;
      continue;
    }
    if (isBool && x == no && y == yes) {
      m_env[i] = m_b.emit(Op::Not, {condition});
      continue;
    }
    if (group++ % 4 == 0)
      m_b.beginGroup();
    m_b.lane((group - 1) & 3);
    ValueId p = m_b.phi();
    c.phis.push_back(p);
    a->yield.push_back(x);
    b->yield.push_back(y);
    m_env[i] = p;
  }
}

template <typename Then, typename Else> void Lowering::branch(ValueId condition, uint32_t attributes, Then then, Else otherwise) {
  Function& f = m_module.code;
  condition = m_b.resolve(condition);
  if (f.isConst(condition)) {
    if (f.bits(condition))
      then();
    else
      otherwise();
    return;
  }
  uint32_t index = uint32_t(f.controls.size());
  Control& c = f.controls.emplace_back();
  c.attributes = attributes;
  c.blocks[0] = f.newBlock();
  c.blocks[1] = f.newBlock();
  Block* outer = m_b.block();
  m_b.control(Op::If, condition, index);
  std::vector<ValueId> before = m_env;
  m_conditions.push_back(condition);
  const size_t objects = m_objectLog.size();
  m_b.enter(c.blocks[0]);
  then();
  m_b.leave(outer);
  auto objectsA = takeBackObjects(objects);
  std::vector<ValueId> envA = std::move(m_env);
  setEnv(before);
  m_b.enter(c.blocks[1]);
  otherwise();
  m_b.leave(outer);
  auto objectsB = takeBackObjects(objects);
  if (c.blocks[0]->terminated)
    objectsA = objectsB;
  else if (c.blocks[1]->terminated)
    objectsB = objectsA;
  meetObjects(std::move(objectsA), std::move(objectsB));
  std::vector<ValueId> envB = std::move(m_env);
  m_conditions.pop_back();
  merge(c, condition, envA, c.blocks[0], envB, c.blocks[1]);
  if (c.blocks[0]->terminated && c.blocks[1]->terminated)
    outer->terminated = true;
}

// ---- escapes ----

ValueId Lowering::escaped() {
  Frame& f = *m_frames.back();
  ValueId flag = m_b.resolve(m_env[f.returnedSlot]);
  for (size_t i = f.loops.size(); i-- > 0;) {
    const LoopFrame& l = f.loops[i];
    if (l.native)
      break;
    flag = m_b.emit(Op::Or, {flag, m_b.resolve(m_env[l.brokenSlot])});
    if (!l.isSwitch)
      flag = m_b.emit(Op::Or, {flag, m_b.resolve(m_env[l.continuedSlot])});
  }
  return flag;
}

void Lowering::clearEscapes() {
  Frame& f = *m_frames.back();
  m_env[f.returnedSlot] = m_b.constant(0u);
  for (size_t i = f.loops.size(); i-- > 0;) {
    const LoopFrame& l = f.loops[i];
    if (l.native)
      break;
    m_env[l.brokenSlot] = m_b.constant(0u);
    if (!l.isSwitch)
      m_env[l.continuedSlot] = m_b.constant(0u);
  }
}

bool Lowering::alwaysEscapes(const Stmt* s, int depth) const {
  if (!s || depth > 64)
    return false;
  switch (s->kind) {
  case StmtKind::Return:
  case StmtKind::Break:
  case StmtKind::Continue:
    return true;
  case StmtKind::Block:
    for (const Stmt* x : s->body)
      if (alwaysEscapes(x, depth + 1))
        return true;
    return false;
  case StmtKind::If:
    return s->otherwise && alwaysEscapes(s->then, depth + 1) && alwaysEscapes(s->otherwise, depth + 1);
  default:
    return false;
  }
}

void Lowering::list(const std::vector<Stmt*>& stmts, size_t first) {
  if (++m_depth > kMaxStatementDepth) {
    if (!m_diagnostics.isFatal())
      m_diagnostics.fatal(stmts.empty() ? Location{} : stmts[0]->loc, 3000, "statements are nested too deeply");
    m_depth--;
    return;
  }
  for (size_t i = first; i < stmts.size() && !m_diagnostics.isFatal(); i++) {
    if (m_b.block()->terminated)
      break;
    const Stmt* s = stmts[i];
    if (s->kind == StmtKind::If && i + 1 < stmts.size() && (alwaysEscapes(s->then) || (s->otherwise && alwaysEscapes(s->otherwise)))) {
      ifStatement(s, &stmts, i + 1);
      break;
    }
    statement(s);
    if (i + 1 == stmts.size() || m_b.block()->terminated)
      continue;
    ValueId flag = escaped();
    if (m_module.code.isConst(flag)) {
      if (m_module.code.bits(flag))
        break;
      continue;
    }
    // What is left runs only if nothing escaped; inside, the flags are known to be clear, and behind it each flag is what
    // it was or what the rest made of it.
    branch(
        flag, 0, [] {},
        [&] {
          clearEscapes();
          list(stmts, i + 1);
        });
    break;
  }
  m_depth--;
}

// ---- statements ----

void Lowering::statement(const Stmt* s) {
  if (!s || m_diagnostics.isFatal() || m_b.block()->terminated || overBudget(s->loc))
    return;
  m_b.forgetProducts();
  for (const auto& [at, text] : s->attributeWarnings)
    if (!m_quiet)
      m_diagnostics.warning(at, 3554, text);
  switch (s->kind) {
  case StmtKind::Empty:
  case StmtKind::Case:
  case StmtKind::Default:
    break;
  case StmtKind::Block:
    list(s->body, 0);
    break;
  case StmtKind::Decl:
    declaration(s);
    break;
  case StmtKind::Expr:
    expr(s->expr);
    break;
  case StmtKind::If:
    ifStatement(s, nullptr, 0);
    break;
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    loop(s);
    break;
  case StmtKind::Switch:
    switchStatement(s);
    break;
  case StmtKind::Return:
    returnStatement(s);
    break;
  case StmtKind::Break:
  case StmtKind::Continue:
    breakOrContinue(s);
    break;
  case StmtKind::Discard:
    discard(m_b.constant(~0u), s->loc);
    break;
  }
}

void Lowering::discard(ValueId condition, const Location& at) {
  if (m_module.target.stage != Stage::Pixel) {
    report(at, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return;
  }
  condition = m_b.resolve(condition);
  if (m_module.code.isConst(condition) && !m_module.code.bits(condition))
    return;
  m_b.emit(Op::Discard, {condition});
}

void Lowering::declaration(const Stmt* s) {
  for (const VarDecl* v : s->vars) {
    if (v->type->isInterface()) {
      m_interfaces.erase(v);
      if (v->init)
        bindInterface(v, v->init, v->loc);
    }
    if (v->type->isError())
      continue;
    if (v->type->slots == 0) {
      if (v->type->hasObjects && v->init) {
        expr(v->init);
        bindArgument(v, v->init);
      }
      continue;
    }
    if (v->modifiers & kModStatic) {
      // A static local keeps its value only within one run of the shader; it is set once, where first met.
      if (instance(v).live)
        continue;
    }
    Value init;
    bool precise = m_b.precise();
    if (v->modifiers & kModPrecise)
      m_b.setPrecise(true);
    if (v->init)
      init = expr(v->init);
    m_b.setPrecise(precise);
    Instance& i = declare(v);
    if (!v->init)
      continue;
    if (v->type->hasObjects)
      bindArgument(v, v->init);
    Place p;
    p.type = p.baseType = v->type;
    p.kind = i.memory ? Place::Kind::Memory : Place::Kind::Slots;
    p.memory = i.base;
    if (!i.memory)
      for (uint32_t k = 0; k < v->type->slots; k++)
        p.slots.push_back(i.base + k);
    write(p, init);
  }
}

void Lowering::ifStatement(const Stmt* s, const std::vector<Stmt*>* rest, size_t restFirst) {
  ValueId condition = scalar(s->expr);
  const bool intoThen = rest && !alwaysEscapes(s->then);
  const bool both = rest && alwaysEscapes(s->then) && s->otherwise && alwaysEscapes(s->otherwise);
  auto side = [&](const Stmt* body, bool takeRest) {
    if (!takeRest) {
      statement(body);
      return;
    }
    // The rest follows on this side only; it still must look at flags that the side itself may set.
    std::vector<Stmt*> all;
    if (body)
      all.push_back(const_cast<Stmt*>(body));
    all.insert(all.end(), rest->begin() + long(restFirst), rest->end());
    list(all, 0);
  };
  const size_t control = m_module.code.controls.size();
  const bool branches = !m_module.code.isConst(m_b.resolve(condition));
  branch(
      condition, s->attributes, [&] { side(s->then, rest && intoThen && !both); }, [&] { side(s->otherwise, rest && !intoThen && !both); });
  if ((s->attributes & kAttrFlatten) && !rest && branches)
    for (Block* b : m_module.code.controls[control].blocks) {
      if (!b) continue; // a known condition leaves one side only, and what is inside may lack blocks
      bool stores = false;
      forEachInst(m_module.code, *b, [&](ValueId id) { stores = stores || (hasTrait(m_module.code.insts[id].op, kMemory) && hasTrait(m_module.code.insts[id].op, kEffect) && m_module.code.insts[id].op != Op::TempStore); });
      if (stores && !m_quiet && !m_diagnostics.hasErrors())
        m_diagnostics.error(s->loc, 3705, "if statements that contain side effects cannot be flattened");
    }
}

void Lowering::returnStatement(const Stmt* s) {
  Frame& f = *m_frames.back();
  if (m_frames.size() == 1)
    m_module.returnPlace = s->loc;
  if (s->expr) {
    Value v = expr(s->expr);
    if (s->expr->type->hasObjects) {
      f.returnObjects.clear();
      objectsOf(s->expr, f.returnObjects);
    }
    for (size_t k = 0; k < v.v.size() && k < f.function->returnType->slots; k++)
      m_env[f.returnBase + k] = v.v[k];
  }
  m_env[f.returnedSlot] = m_b.constant(~0u);
  for (size_t i = f.loops.size(); i-- > 0;)
    if (f.loops[i].native) {
      loopEdge(f.loops[i], true);
      break;
    }
}

void Lowering::breakOrContinue(const Stmt* s) {
  Frame& f = *m_frames.back();
  const bool isBreak = s->kind == StmtKind::Break;
  for (size_t i = f.loops.size(); i-- > 0;) {
    LoopFrame& l = f.loops[i];
    if (l.isSwitch && !isBreak)
      continue;
    if (l.native) {
      if (!isBreak && l.stmt->kind == StmtKind::For && l.stmt->step)
        expr(l.stmt->step);
      if (!isBreak && l.stmt->kind == StmtKind::DoWhile) {
        ValueId again = scalar(l.stmt->expr);
        branch(
            again, 0, [&] { loopEdge(l, false); }, [&] { loopEdge(l, true); });
        return;
      }
      // A switch between here and the loop has flags; leaving the loop makes them irrelevant.
      loopEdge(l, isBreak);
      return;
    }
    m_env[isBreak ? l.brokenSlot : l.continuedSlot] = m_b.constant(~0u);
    return;
  }
}

void Lowering::loopEdge(LoopFrame& l, bool isBreak) {
  if (m_b.block()->terminated)
    return;
  Control& c = m_module.code.controls[l.control];
  auto& edges = isBreak ? c.breaks : c.continues;
  const auto& slots = isBreak ? l.exitSlots : l.slots;
  m_b.control(isBreak ? Op::Break : Op::Continue, kNoValue, l.control, uint32_t(edges.size()));
  std::vector<ValueId> values;
  for (uint32_t s : slots)
    values.push_back(m_b.resolve(m_env[s]));
  edges.push_back(std::move(values));
  m_b.block()->terminated = true;
}

// ---- loops ----

void Lowering::loop(const Stmt* s) {
  if (s->init)
    statement(s->init);
  const bool forced = (s->attributes & kAttrUnroll) || (m_module.target.level9 && m_module.target.stage == Stage::Pixel);
  const bool forbidden = (s->attributes & (kAttrLoop | kAttrFastOpt)) || (m_options.preferFlowControl && !forced);
  if (forced || (!forbidden && s->kind != StmtKind::DoWhile) || !forbidden) {
    if (tryUnroll(s))
      return;
    if (m_quiet) { // a real loop inside: the loop around it, which is being tried, stays one too
      m_abandon = true;
      return;
    }
    if (forced && !m_diagnostics.isFatal() && !m_restart && !m_quiet) {
      m_diagnostics.error(s->loc, 3511, m_unrollFailed ? "forced to unroll loop, but unrolling failed." : "unable to unroll loop, loop does not appear to terminate in a timely manner (" + std::to_string(kMaxUnroll) + " iterations)");
      m_unrollFailed = true;
      return;
    }
  }
  if (m_quiet) {
    m_abandon = true;
    return;
  }
  nativeLoop(s);
}

bool Lowering::tryUnroll(const Stmt* s) {
  const bool forced = (s->attributes & kAttrUnroll) || (m_module.target.level9 && m_module.target.stage == Stage::Pixel);
  const uint32_t limit = forced ? (s->unrollCount ? s->unrollCount : kMaxUnroll) : kAutoUnrollIterations;
  // A quick look first: most loops that cannot be unrolled show it in their first condition.
  Frame& frame = *m_frames.back();
  Attempt saved = beginAttempt();
  const size_t start = m_b.emitted();
  const size_t loops = frame.loops.size();
  const uint64_t accesses = m_arrayAccesses, appended = m_streamCalls;
  Block* outer = m_b.block();
  if (!forced)
    m_quiet++;
  LoopFrame l;
  l.stmt = s;
  l.brokenSlot = newSlots(2, m_b.constant(0u));
  l.continuedSlot = l.brokenSlot + 1;
  frame.loops.push_back(l);
  bool ok = true, finished = false, endedByCondition = false;
  uint32_t n = 0, rounds = 2;
  auto iteration = [&] {
    if (s->kind != StmtKind::DoWhile && s->expr) {
      ValueId k = m_b.resolve(scalar(s->expr));
      if (!m_module.code.isConst(k)) {
        ok = ok && s->unrollCount && forced; // a count given by hand replaces the condition
        if (!ok)
          return;
        branch(
            k, 0, [] {}, [&] { m_env[l.brokenSlot] = m_b.constant(~0u); });
      } else if (!m_module.code.bits(k)) {
        finished = endedByCondition = true;
        return;
      }
    }
    ValueId flag = escaped();
    if (m_module.code.isConst(flag)) {
      if (m_module.code.bits(flag)) {
        finished = true;
        return;
      }
      statement(s->then);
    } else {
      if (!forced) {
        ok = false;
        return;
      }
      branch(
          flag, 0, [] {},
          [&] {
            clearEscapes();
            statement(s->then);
            if (!m_b.block()->terminated)
              m_env[l.continuedSlot] = m_b.constant(0u);
          });
    }
    if (m_b.block()->terminated)
      return;
    m_env[l.continuedSlot] = m_b.constant(0u); // a continue ends the iteration, not the loop
    ValueId after = escaped();
    auto tail = [&] {
      if (s->step)
        expr(s->step);
      if (s->kind == StmtKind::DoWhile) {
        ValueId k = m_b.resolve(scalar(s->expr));
        if (!m_module.code.isConst(k))
          ok = false;
        else if (!m_module.code.bits(k))
          finished = true;
      }
    };
    // The step of a counter of the loop's own may run although the loop was left: nobody sees it.
    const bool own = s->init && s->init->kind == StmtKind::Decl;
    if (m_module.code.isConst(after) && m_module.code.bits(after))
      finished = true;
    else if (m_module.code.isConst(after) || own)
      tail();
    else
      branch(
          after, 0, [] {}, [&] { tail(); });
  };
  while (ok && !finished && n < limit && !m_diagnostics.isFatal()) {
    iteration();
    ok = ok && !m_unrollFailed;
    n++;
    if (endedByCondition)
      rounds = n - 1;
    if (m_abandon && m_quiet)
      ok = false;
    if (m_b.block()->terminated && m_b.block() == outer)
      break;
    if (!forced && m_b.emitted() - start > (m_arrayAccesses != accesses ? kAutoUnrollArrayInsts : kAutoUnrollInsts))
      ok = false;
    if (!forced && n > 1 && m_streamCalls != appended) // vertices are emitted by loops
      ok = false;
    if (overBudget(s->loc))
      break;
    if (!forced && ok && !finished) {
      ValueId flag = escaped();
      if (!m_module.code.isConst(flag))
        ok = false;
    }
  }
  if (!finished && n >= limit && !(forced && s->unrollCount))
    ok = false;
  if (!forced && --m_quiet == 0)
    m_abandon = false;
  frame.loops.resize(loops);
  if (ok && rounds <= 1 && !forced && !m_quiet)
    m_diagnostics.warning(s->loc, 3557, "loop only executes for " + std::to_string(rounds) + " iteration(s), forcing loop to unroll");
  else if (ok && n == 1 && !endedByCondition && !forced && !m_quiet && finished && s->kind != StmtKind::DoWhile)
    m_diagnostics.warning(s->loc, 3557, "loop doesn't seem to do anything, forcing loop to unroll");
  if (ok || m_diagnostics.isFatal()) {
    if (!m_quiet && !m_outOfBounds.empty() && !m_restart)
      m_diagnostics.error(m_outOfBounds[0], 3504, "array index out of bounds");
    return true;
  }
  undo(std::move(saved));
  return false;
}

Lowering::Attempt Lowering::beginAttempt() {
  return {m_b.checkpoint(), m_env, m_instances, m_module.code.indexableTemps.size(), m_module.resources.size(), m_objectLog.size(), m_outOfBounds.size()};
}

/// Everything is as it was when the attempt began.
void Lowering::undo(Attempt saved) {
  m_b.rollback(saved.mark);
  m_b.block()->terminated = false;
  setEnv(std::move(saved.env));
  m_instances = std::move(saved.instances);
  m_module.code.indexableTemps.resize(saved.temps);
  m_module.resources.resize(saved.resources);
  m_objectLog.resize(saved.objects);
  m_outOfBounds.resize(saved.outOfBounds);
}

void Lowering::nativeLoop(const Stmt* s) {
  Function& f = m_module.code;
  Frame& frame = *m_frames.back();
  std::set<const VarDecl*> assigned;
  std::set<const FunctionDecl*> seen;
  bool returns = false;
  collectAssigned(s->then, assigned, seen, returns, 0);
  if (s->expr)
    collectAssigned(s->expr, assigned, seen, 0);
  if (s->step)
    collectAssigned(s->step, assigned, seen, 0);
  eraseDeclared(s->then, assigned, 0);
  LoopFrame l;
  l.native = true;
  l.returns = returns;
  l.stmt = s;
  l.control = uint32_t(f.controls.size());
  std::vector<const VarDecl*> ordered(assigned.begin(), assigned.end());
  std::sort(ordered.begin(), ordered.end(), [](const VarDecl* a, const VarDecl* b) { return a->index < b->index; });
  const uint32_t envSize = uint32_t(m_env.size());
  Control& c = f.controls.emplace_back();
  c.attributes = s->attributes;
  c.location = locationIndex(s->loc);
  c.blocks[0] = f.newBlock();
  Block* outer = m_b.block();
  auto addSlot = [&](uint32_t slot, uint32_t lane) {
    m_b.lane(lane & 3);
    ValueId p = m_b.phi();
    c.headerPhis.push_back(p);
    c.init.push_back(m_b.resolve(m_env[slot]));
    m_env[slot] = p;
    l.slots.push_back(slot);
  };
  for (const VarDecl* v : ordered) {
    const Instance& i = instance(v);
    if (!i.live || i.memory || i.base >= envSize)
      continue;
    for (uint32_t k = 0; k < v->type->slots; k++) {
      if (k % 4 == 0)
        m_b.beginGroup();
      addSlot(i.base + k, k);
    }
  }
  // Outer flagged constructs and the returned flag may be set inside and are read behind the loop.
  if (returns) {
    m_b.beginGroup();
    l.exitSlots.push_back(frame.returnedSlot);
    for (uint32_t k = 0; k < frame.function->returnType->slots; k++)
      l.exitSlots.push_back(frame.returnBase + k);
  }
  l.exitSlots.insert(l.exitSlots.end(), l.slots.begin(), l.slots.end());
  m_b.control(Op::Loop, kNoValue, l.control);
  const size_t gradients = m_gradients.size();
  std::vector<ValueId> before = m_env;
  frame.loops.push_back(l);
  const size_t level = frame.loops.size();
  m_b.enter(c.blocks[0]);
  if (s->kind != StmtKind::DoWhile && s->expr) {
    ValueId k = m_b.resolve(scalar(s->expr));
    branch(
        k, 0, [] {}, [&] { loopEdge(frame.loops[level - 1], true); });
  }
  if (!m_b.block()->terminated)
    statement(s->then);
  if (!m_b.block()->terminated) {
    if (s->step)
      expr(s->step);
    if (s->kind == StmtKind::DoWhile) {
      ValueId k = m_b.resolve(scalar(s->expr));
      branch(
          k, 0, [] {}, [&] { loopEdge(frame.loops[level - 1], true); });
    }
    if (!m_b.block()->terminated)
      loopEdge(frame.loops[level - 1], false);
  }
  m_b.leave(outer);
  frame.loops.resize(level - 1);
  checkGradients(s, l, gradients);
  leaveLoop(s, l, before);
}

/// True if the block stores, discards or emits anything.
bool Lowering::acts(Block& block) {
  bool found = false;
  forEachInst(m_module.code, block, [&](ValueId id) { found = found || hasTrait(m_module.code.insts[id].op, kEffect); });
  return found;
}

/// Behind a loop: what its breaks brought.
void Lowering::leaveLoop(const Stmt* s, const LoopFrame& l, const std::vector<ValueId>& before) {
  Function& f = m_module.code;
  Frame& frame = *m_frames.back();
  const bool returns = l.returns;
  Control& d = f.controls[l.control];
  if (m_env.size() < before.size())
    m_env.resize(before.size());
  for (size_t i = 0; i < before.size(); i++)
    m_env[i] = before[i];
  if (d.breaks.empty()) {
    if (!m_diagnostics.isFatal() && !m_restart && !m_quiet) {
      if (!acts(*d.blocks[0])) {
        m_diagnostics.warning(s->loc, 3557, s->attributes & kAttrLoop ? "loop doesn't seem to do anything, consider removing [loop]" : "loop doesn't seem to do anything, forcing loop to unroll");
        m_diagnostics.warning(s->loc, 3551, "infinite loop detected - loop writes no values");
      }
      m_diagnostics.error(s->expr ? s->expr->loc : s->loc, 3696, "infinite loop detected - loop never exits");
    }
    return;
  }
  m_b.beginGroup();
  for (size_t i = 0; i < l.exitSlots.size(); i++) {
    m_b.lane(uint32_t(i & 3));
    ValueId v = m_b.resolve(d.breaks[0][i]);
    bool same = true;
    for (auto& e : d.breaks)
      same = same && m_b.resolve(e[i]) == v;
    if (d.breaks.size() == 1 || same) {
      m_env[l.exitSlots[i]] = v;
      continue;
    }
    ValueId p = m_b.phi();
    m_env[l.exitSlots[i]] = p;
    d.phis.push_back(p);
  }
  // Keep only the values of slots that got a phi.
  if (d.phis.size() != l.exitSlots.size()) {
    std::vector<size_t> keep;
    size_t k = 0;
    for (size_t i = 0; i < l.exitSlots.size() && k < d.phis.size(); i++)
      if (m_env[l.exitSlots[i]] == d.phis[k]) {
        keep.push_back(i);
        k++;
      }
    for (auto& e : d.breaks) {
      std::vector<ValueId> values;
      for (size_t i : keep)
        values.push_back(e[i]);
      e = std::move(values);
    }
  }
  // A return inside left the loop by a break: leave the next real loop too.
  if (returns) {
    ValueId flag = m_b.resolve(m_env[frame.returnedSlot]);
    for (size_t i = frame.loops.size(); i-- > 0;)
      if (frame.loops[i].native) {
        branch(
            flag, 0, [&] { loopEdge(frame.loops[i], true); }, [] {});
        m_env[frame.returnedSlot] = m_b.constant(0u);
        break;
      }
  }
}

void Lowering::eraseDeclared(const Stmt* s, std::set<const VarDecl*>& out, int depth) const {
  if (!s || depth > 400)
    return;
  for (const VarDecl* v : s->vars)
    if (!(v->modifiers & kModStatic))
      out.erase(v);
  eraseDeclared(s->init, out, depth + 1);
  eraseDeclared(s->then, out, depth + 1);
  eraseDeclared(s->otherwise, out, depth + 1);
  for (const Stmt* x : s->body)
    eraseDeclared(x, out, depth + 1);
}

void Lowering::collectAssigned(const Expr* e, std::set<const VarDecl*>& out, std::set<const FunctionDecl*>& seen, int depth) {
  if (!e || depth > 400)
    return;
  auto root = [&](const Expr* x) {
    while (x && x->kind != ExprKind::Var)
      x = x->a;
    if (x && x->var)
      out.insert(x->var);
  };
  if (e->kind == ExprKind::Assign || e->kind == ExprKind::IncDec)
    root(e->a);
  if (e->kind == ExprKind::Call) {
    for (size_t i = 0; i < e->args.size() && i < e->function->params.size(); i++)
      if (e->function->params[i]->modifiers & kModOut)
        root(e->args[i]);
    if (seen.insert(e->function).second && e->function->body) {
      std::set<const VarDecl*> inside;
      bool returns = false;
      collectAssigned(e->function->body, inside, seen, returns, depth + 1);
      for (const VarDecl* v : inside)
        if (v->global || (v->modifiers & kModStatic))
          out.insert(v);
    }
  }
  if (e->kind == ExprKind::Method && e->out)
    root(e->out);
  if (e->kind == ExprKind::IntrinsicCall || (e->kind == ExprKind::Method && e->method == MethodId::GetDimensions))
    for (size_t i = 0; i < e->args.size(); i++)
      if (const Expr* a = e->args[i]; a && a->lvalue && (e->kind == ExprKind::Method || writesArgument(*e->intrinsic, i)))
        root(a);
  collectAssigned(e->a, out, seen, depth + 1);
  collectAssigned(e->b, out, seen, depth + 1);
  collectAssigned(e->c, out, seen, depth + 1);
  collectAssigned(e->clamp, out, seen, depth + 1);
  for (const Expr* a : e->args)
    collectAssigned(a, out, seen, depth + 1);
}

void Lowering::collectAssigned(const Stmt* s, std::set<const VarDecl*>& out, std::set<const FunctionDecl*>& seen, bool& returns, int depth) {
  if (!s || depth > 400)
    return;
  if (s->kind == StmtKind::Return)
    returns = true;
  if (s->expr)
    collectAssigned(s->expr, out, seen, depth + 1);
  if (s->step)
    collectAssigned(s->step, out, seen, depth + 1);
  collectAssigned(s->init, out, seen, returns, depth + 1);
  collectAssigned(s->then, out, seen, returns, depth + 1);
  collectAssigned(s->otherwise, out, seen, returns, depth + 1);
  for (const Stmt* x : s->body)
    collectAssigned(x, out, seen, returns, depth + 1);
  for (const VarDecl* v : s->vars) {
    collectAssigned(v->init, out, seen, depth + 1);
  }
}

// ---- switch ----

/// The labels of a switch with the statements behind them.
std::vector<Lowering::Case> Lowering::collectCases(const Stmt* s) {
  std::vector<Case> cases;
  bool open = false;
  for (Stmt* x : s->body) {
    if (x->kind == StmtKind::Case || x->kind == StmtKind::Default) {
      if (!open || !cases.back().body.empty())
        cases.emplace_back();
      open = true;
      if (x->kind == StmtKind::Default) {
        cases.back().isDefault = true;
      } else {
        ConstantValue v;
        if (evaluateConstant(x->expr, v))
          cases.back().labels.push_back(uint32_t(uint64_t(v.asInt())));
      }
      continue;
    }
    if (cases.empty())
      continue;
    cases.back().body.push_back(x);
  }
  for (size_t i = 0; i + 1 < cases.size(); i++) {
    if (cases[i].body.empty())
      continue;
    bool escapes = false;
    for (const Stmt* x : cases[i].body)
      escapes = escapes || alwaysEscapes(x) || x->kind == StmtKind::Discard;
    if (!escapes && !m_quiet)
      m_diagnostics.error(cases[i].body[0]->loc, 3533, "non-empty case statements must have break or return");
  }
  return cases;
}

void Lowering::switchStatement(const Stmt* s) {
  ValueId selector = m_b.resolve(scalar(s->expr));
  std::vector<Case> cases = collectCases(s);
  Frame& frame = *m_frames.back();
  auto lowerCase = [&](const Case& k) {
    LoopFrame l;
    l.isSwitch = true;
    l.stmt = s;
    l.brokenSlot = newSlots(1, m_b.constant(0u));
    frame.loops.push_back(l);
    const size_t level = frame.loops.size();
    list(k.body, 0);
    if (!m_b.block()->terminated)
      m_env[l.brokenSlot] = m_b.constant(0u);
    frame.loops.resize(level - 1);
  };
  Function& f = m_module.code;
  if (f.isConst(selector)) {
    const Case* hit = nullptr;
    for (const Case& k : cases) {
      for (uint32_t label : k.labels)
        if (label == f.bits(selector))
          hit = &k;
      if (k.isDefault && !hit)
        hit = &k;
    }
    for (const Case& k : cases)
      for (uint32_t label : k.labels)
        if (label == f.bits(selector))
          hit = &k;
    if (hit)
      lowerCase(*hit);
    return;
  }
  const size_t total = cases.size();
  // In a real switch, break leaves the switch: a return that must leave a loop around it needs the chain.
  bool leavesLoop = false;
  for (const LoopFrame& l : frame.loops)
    if (l.native) {
      std::set<const VarDecl*> unused;
      std::set<const FunctionDecl*> seen;
      collectAssigned(s, unused, seen, leavesLoop, 0);
    }
  const bool asSwitch = ((s->attributes & (kAttrForceCase | kAttrBranch | kAttrCall)) || total > 3) && !leavesLoop;
  if (!asSwitch) {
    // A short one is a chain of ifs, which may end as conditional moves.
    size_t fallback = total;
    for (size_t i = 0; i < total; i++)
      if (cases[i].isDefault)
        fallback = i;
    auto chain = [&](auto&& self, size_t i) -> void {
      if (i == total) {
        if (fallback < total)
          lowerCase(cases[fallback]);
        return;
      }
      if (i == fallback) {
        self(self, i + 1);
        return;
      }
      ValueId is = m_b.constant(0u);
      for (uint32_t label : cases[i].labels)
        is = m_b.emit(Op::Or, {is, m_b.emit(Op::IEq, {selector, m_b.constant(label)})});
      branch(
          is, s->attributes, [&] { lowerCase(cases[i]); }, [&] { self(self, i + 1); });
    };
    chain(chain, 0);
    return;
  }
  if (std::none_of(cases.begin(), cases.end(), [](const Case& k) { return k.isDefault; })) {
    cases.emplace_back();
    cases.back().isDefault = true;
  }
  const uint32_t index = uint32_t(f.controls.size());
  f.controls.emplace_back();
  f.controls[index].attributes = s->attributes;
  m_b.control(Op::Switch, selector, index);
  Block* outer = m_b.block();
  const std::vector<ValueId> before = m_env;
  std::vector<std::vector<ValueId>> envs;
  std::vector<Block*> blocks;
  std::vector<std::map<const VarDecl*, std::vector<ObjectRef>>> sides;
  m_conditions.push_back(selector);
  for (const Case& k : cases) {
    Block* b = f.newBlock();
    f.controls[index].cases.push_back({k.labels, k.isDefault, b});
    setEnv(before);
    const size_t objects = m_objectLog.size();
    m_b.enter(b);
    lowerCase(k);
    m_b.leave(outer);
    auto held = takeBackObjects(objects);
    if (!b->terminated) {
      sides.push_back(std::move(held));
      envs.push_back(m_env);
      blocks.push_back(b);
    }
  }
  m_conditions.pop_back();
  for (size_t i = 1; i < sides.size(); i++) {
    meetObjects(sides[0], sides[i]);
    for (auto& [var, unused] : sides[i])
      sides[0][var] = instance(var).objects;
    for (auto& [var, refs] : sides[0])
      refs = instance(var).objects;
  }
  if (envs.empty()) {
    outer->terminated = true;
    return;
  }
  mergeCases(f.controls[index], before.size(), envs, blocks);
}

/// Values behind a switch: where cases disagree, what the one that ran has brought.
void Lowering::mergeCases(Control& c, size_t slots, const std::vector<std::vector<ValueId>>& envs, const std::vector<Block*>& blocks) {
  setEnv(envs[0]);
  uint32_t group = 0;
  for (size_t i = 0; i < slots; i++) {
    bool same = true;
    for (auto& e : envs)
      same = same && m_b.resolve(e[i]) == m_b.resolve(envs[0][i]);
    if (same)
      continue;
    if (group++ % 4 == 0)
      m_b.beginGroup();
    m_b.lane((group - 1) & 3);
    ValueId p = m_b.phi();
    c.phis.push_back(p);
    for (size_t k = 0; k < envs.size(); k++)
      blocks[k]->yield.push_back(m_b.resolve(envs[k][i]));
    m_env[i] = p;
  }
}

} // namespace monolith::compiler
