// SPDX-License-Identifier: MIT
// Expressions: operators, conversions, constructors, calls.
#include "compiler/lower/map.h"
#include "compiler/lower/remarks.h"
#include "compiler/types/convert.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace monolith::compiler {

namespace {
constexpr int kMaxExprDepth = 600;
constexpr size_t kMaxInsts = 250000;
/// Expressions that are looked at, unrolled and inlined ones each time: calls that call twice double the work at
/// each level even when they emit nothing new.
constexpr uint32_t kMaxWork = 3000000;
} // namespace

bool Lowering::overBudget(const Location& at) {
  if (m_b.emitted() < kMaxInsts && ++m_work < kMaxWork)
    return m_diagnostics.isFatal();
  if (!m_budgetReported)
    m_diagnostics.fatal(at, 4505, "maximum number of instructions exceeded");
  m_budgetReported = true;
  return true;
}

void Lowering::leafBases(const Type* t, std::vector<Base>& out) const {
  if (t->isNumeric())
    out.insert(out.end(), t->components(), t->base);
  else if (t->isArray())
    for (uint32_t i = 0; i < t->count; i++)
      leafBases(t->element, out);
  else if (t->isStruct())
    for (const Field& f : t->structure->fields)
      leafBases(f.type, out);
}

ValueId Lowering::convertScalar(ValueId v, Base from, Base to) {
  const bool ff = isFloatBase(from), tf = isFloatBase(to);
  if (from != to && (from == Base::Double || to == Base::Double))
    return convertDouble(v, from, to);
  if (from == to || (ff && tf) || (isIntegerBase(from) && isIntegerBase(to)))
    return v;
  if (to == Base::Bool)
    return ff ? m_b.emit(Op::FNe, {v, m_b.constant(0u)}) : m_b.emit(Op::INe, {v, m_b.constant(0u)});
  if (from == Base::Bool)
    return m_b.emit(Op::And, {v, tf ? c(1.0f) : m_b.constant(1u)});
  if (ff)
    return m_b.emit(isUnsignedBase(to) ? Op::FtoU : Op::FtoI, {v});
  return m_b.emit(isUnsignedBase(from) ? Op::UtoF : Op::ItoF, {v});
}

Value Lowering::cast(const Value& v, const Type* to) {
  const Type* from = v.type;
  if (from == to)
    return v;
  if (to->isNumeric() && from->isNumeric()) {
    const bool splat = from->components() == 1;
    const bool block = from->isMatrix() && to->isMatrix() && !splat;
    return map(to, columnsTogether(v), [&](uint32_t i) {
      uint32_t k = splat ? 0 : block ? i / to->cols * from->cols + i % to->cols : i;
      return convertScalar(k < v.v.size() ? v.v[k] : m_b.undef(), from->base, to->base);
    });
  }
  std::vector<Base> fromBases, toBases;
  leafBases(from, fromBases);
  leafBases(to, toBases);
  Value r;
  r.type = to;
  for (size_t i = 0; i < toBases.size(); i++) {
    size_t k = fromBases.size() == 1 ? 0 : i;
    if (k >= v.v.size() || k >= fromBases.size())
      break;
    r.v.push_back(convertScalar(v.v[k], fromBases[k], toBases[i]));
  }
  r.v.resize(to->slots, m_b.undef());
  return r;
}

ValueId Lowering::scalar(const Expr* e) {
  Value v = expr(e);
  return v.v.empty() ? m_b.undef() : v.v[0];
}

/// Whether evaluating e twice differs from evaluating it once.
static bool changesSomething(const Expr* e) {
  if (!e)
    return false;
  switch (e->kind) {
  case ExprKind::IncDec:
  case ExprKind::Assign:
  case ExprKind::Call:
  case ExprKind::IntrinsicCall:
  case ExprKind::Method:
    return true;
  default:
    break;
  }
  for (const Expr* a : e->args)
    if (changesSomething(a))
      return true;
  return changesSomething(e->a) || changesSomething(e->b) || changesSomething(e->c);
}

Value Lowering::expr(const Expr* e) {
  if (e == m_given.e)
    return m_given.value;
  if (++m_depth > kMaxExprDepth || overBudget(e->loc)) {
    m_depth--;
    if (!m_diagnostics.isFatal())
      m_diagnostics.fatal(e->loc, 3000, "expression is too deep");
    Value v;
    v.type = e->type;
    v.v.assign(e->type->slots, m_b.undef());
    return v;
  }
  if (e->type->isNumeric() && e->type->base == Base::Double)
    doubleSupported(e->loc);
  const size_t before = m_b.emitted();
  const dxbc::MinPrecision outer = m_b.setPrecision(precisionOf(e->type->isNumeric() ? e->type->base : Base::Float));
  Value v = exprGuarded(e);
  m_b.setPrecision(outer);
  m_depth--;
  notePlaces(e, before);
  if (v.v.size() < e->type->slots)
    v.v.resize(e->type->slots, m_b.undef());
  v.type = e->type;
  return v;
}

Value Lowering::exprGuarded(const Expr* e) {
  Value r;
  r.type = e->type;
  switch (e->kind) {
  case ExprKind::Error:
  case ExprKind::String:
    return r;
  case ExprKind::Literal:
    if (e->type->base == Base::Double)
      r.v.push_back(m_b.constantDouble(e->f));
    else if (isFloatBase(e->type->base))
      r.v.push_back(m_b.constant(float(e->f)));
    else if (e->type->base == Base::Bool)
      r.v.push_back(m_b.constant(e->u ? ~0u : 0u));
    else
      r.v.push_back(m_b.constant(uint32_t(e->u)));
    return r;
  case ExprKind::Var:
  case ExprKind::Member:
  case ExprKind::Swizzle:
  case ExprKind::MatrixSwizzle:
  case ExprKind::Upcast:
  case ExprKind::Index: {
    if (e->type->hasObjects && e->type->slots == 0)
      return r;
    r = read(place(e));
    return r;
  }
  case ExprKind::Unary: {
    Value a = expr(e->a);
    const Base base = e->type->base;
    return map(e->type, columnsTogether(a), [&](uint32_t i) {
      if (e->op == Operator::Not)
        return m_b.emit(Op::Not, {a.v[i]});
      if (e->op == Operator::Complement)
        return m_b.emit(Op::Not, {a.v[i]});
      return m_b.emit(base == Base::Double ? Op::DNeg : isFloatBase(base) ? Op::Neg : Op::INeg, {a.v[i]});
    });
  }
  case ExprKind::IncDec:
    return incDec(e);
  case ExprKind::Binary:
    return binary(e);
  case ExprKind::Assign: {
    if (e->type->isInterface()) {
      if (e->a->kind == ExprKind::Var)
        bindInterface(e->a->var, e->b, e->loc);
      return r;
    }
    bool precise = m_b.precise();
    const Expr* root = e->a;
    while (root->a && root->kind != ExprKind::Var)
      root = root->a;
    if (root->kind == ExprKind::Var && (root->var->modifiers & kModPrecise))
      m_b.setPrecise(true);
    if (e->op != Operator::None && changesSomething(e->a)) { // a[i++] += x: i grows once
      Place target = place(e->a);
      const Given outer = std::exchange(m_given, Given{e->a, read(target)});
      Value v = expr(e->b);
      m_given = outer;
      m_b.setPrecise(precise);
      write(target, v);
      return v;
    }
    Value v = expr(e->b);
    m_b.setPrecise(precise);
    if (e->type->hasObjects) {
      std::vector<ObjectRef> refs;
      if (objectsOf(e->b, refs))
        assignObjects(e->a, refs);
      if (e->type->slots == 0)
        return v;
    }
    Place p = place(e->a);
    write(p, v);
    return v;
  }
  case ExprKind::Conditional:
    return conditional(e);
  case ExprKind::Comma:
    expr(e->a);
    return expr(e->b);
  case ExprKind::Cast: {
    const Value from = expr(e->a);
    if (e->type->isNumeric() && e->a->type->isNumeric() && isIntegerBase(e->type->base) && isFloatBase(e->a->type->base) && e->a->type->base != Base::Double)
      for (ValueId v : from.v)
        checkRange(e, v, e->type->base);
    return cast(from, e->type);
  }
  case ExprKind::Construct:
  case ExprKind::InitList:
    return construct(e);
  case ExprKind::Call:
    return call(e);
  case ExprKind::IntrinsicCall:
    return intrinsic(e);
  case ExprKind::Method:
    if (e->method == MethodId::StreamAppend || e->method == MethodId::RestartStrip)
      return streamMethod(e);
    return e->method >= MethodId::OldSample ? oldSample(e) : method(e);
  }
  return r;
}

ValueId Lowering::divideInt(ValueId a, ValueId b, bool remainder) {
  // Signed division by way of the unsigned one, as there is no other.
  ValueId absA = m_b.emit(Op::IMax, {a, m_b.emit(Op::INeg, {a})});
  ValueId absB = m_b.emit(Op::IMax, {b, m_b.emit(Op::INeg, {b})});
  ValueId q = m_b.emit(remainder ? Op::UMod : Op::UDiv, {absA, absB});
  ValueId sign = m_b.emit(Op::And, {remainder ? a : m_b.emit(Op::Xor, {a, b}), m_b.constant(0x80000000u)});
  return m_b.emit(Op::Movc, {sign, m_b.emit(Op::INeg, {q}), q});
}

ValueId Lowering::floatMod(ValueId a, ValueId b) {
  ValueId q = m_b.emit(Op::Div, {a, b});
  ValueId positive = m_b.emit(Op::FGe, {q, m_b.neg(q)});
  ValueId f = m_b.emit(Op::Frc, {m_b.emit(Op::Abs, {q})});
  return m_b.mul(m_b.emit(Op::Movc, {positive, f, m_b.neg(f)}), b);
}

ValueId Lowering::binaryScalar(Operator op, ValueId a, ValueId b, Base base) {
  const bool flt = isFloatBase(base), uns = isUnsignedBase(base);
  if (base == Base::Double)
    return doubleScalar(op, a, b);
  switch (op) {
  case Operator::Add:
    return m_b.emit(flt ? Op::Add : Op::IAdd, {a, b});
  case Operator::Sub:
    return flt ? m_b.sub(a, b) : m_b.emit(Op::IAdd, {a, m_b.emit(Op::INeg, {b})});
  case Operator::Mul:
    return m_b.emit(flt ? Op::Mul : Op::IMul, {a, b});
  case Operator::Div:
    if (flt)
      return m_b.emit(Op::Div, {a, b});
    return uns ? m_b.emit(Op::UDiv, {a, b}) : divideInt(a, b, false);
  case Operator::Mod:
    if (flt)
      return floatMod(a, b);
    return uns ? m_b.emit(Op::UMod, {a, b}) : divideInt(a, b, true);
  case Operator::Shl:
    return m_b.emit(Op::Shl, {a, b});
  case Operator::Shr:
    return m_b.emit(uns ? Op::UShr : Op::IShr, {a, b});
  case Operator::And:
  case Operator::LogicalAnd:
    return m_b.emit(Op::And, {a, b});
  case Operator::Or:
  case Operator::LogicalOr:
    return m_b.emit(Op::Or, {a, b});
  case Operator::Xor:
    return m_b.emit(Op::Xor, {a, b});
  case Operator::Less:
    return m_b.emit(flt ? Op::FLt : uns ? Op::ULt : Op::ILt, {a, b});
  case Operator::Greater:
    return m_b.emit(flt ? Op::FLt : uns ? Op::ULt : Op::ILt, {b, a});
  case Operator::LessEqual:
    return m_b.emit(flt ? Op::FGe : uns ? Op::UGe : Op::IGe, {b, a});
  case Operator::GreaterEqual:
    return m_b.emit(flt ? Op::FGe : uns ? Op::UGe : Op::IGe, {a, b});
  case Operator::Equal:
    return m_b.emit(flt ? Op::FEq : Op::IEq, {a, b});
  case Operator::NotEqual:
    return m_b.emit(flt ? Op::FNe : Op::INe, {a, b});
  default:
    return a;
  }
}

Value Lowering::binary(const Expr* e) {
  if (e->op == Operator::LogicalAnd || e->op == Operator::LogicalOr)
    warnOfBothSides(m_quiet ? nullptr : &m_diagnostics, e->op == Operator::LogicalAnd ? "&&" : "||", nullptr, e->b);
  Value a = expr(e->a);
  Value b = expr(e->b);
  const Base base = e->a->type->base;
  if (m_module.target.level9 && e->op >= Operator::Shl && e->op <= Operator::Xor && !std::all_of(b.v.begin(), b.v.end(), [&](ValueId v) { return m_module.code.isConst(v) && m_module.code.isConst(a.v[0]); }))
    report(e->loc, 3535, "Bitwise operations not supported on target " + m_module.target.name);
  if ((e->op == Operator::Div || e->op == Operator::Mod) && isIntegerBase(base) && !m_quiet && !isUnsignedBase(base)) {
    bool known = true;
    for (ValueId v : b.v)
      known = known && m_module.code.isConst(v);
    if (!known)
      m_diagnostics.warning(e->loc, 3556, e->op == Operator::Div ? "integer divides may be much slower, try using uints if possible." : "integer modulus may be much slower, try using uints if possible.");
  }
  if ((e->op == Operator::Div || e->op == Operator::Mod) && (base == Base::Min12Int || base == Base::Min16Int))
    report(e->loc, 3706, "signed integer division is not supported on minimum-precision types. Cast to int to use 32-bit division");
  // Lowering that starts again has zeros in place of elements that it could not find.
  if ((e->op == Operator::Div || e->op == Operator::Mod) && isIntegerBase(base) && !m_restart)
    for (ValueId v : b.v)
      if (m_module.code.isConst(v) && m_module.code.bits(v) == 0) {
        m_diagnostics.error(e->loc, 4010, "Unsigned integer divide by zero"); // signed ones too: all go by way of udiv
        break;
      }
  if (e->op == Operator::Div && isFloatBase(base) && !m_quiet && !m_restart)
    for (ValueId v : b.v)
      if (m_module.code.isConst(v) && (m_module.code.bits(v) & 0x7fffffffu) == 0) {
        m_diagnostics.warning(e->loc, 4008, "floating point division by zero");
        break;
      }
  if ((e->op == Operator::Add || e->op == Operator::Sub) && isFloatBase(base) && base != Base::Double && !m_quiet)
    for (size_t i = 0; i < a.v.size() && i < b.v.size(); i++)
      checkSum(e, a.v[i], b.v[i]);
  return map(e->type, columnsOf(a, b), [&](uint32_t i) { return binaryScalar(e->op, a.v[i], b.v[i], base); });
}

Value Lowering::construct(const Expr* e) {
  Value r;
  r.type = e->type;
  if (!e->type->slots)
    return r;
  std::vector<Base> want;
  leafBases(e->type, want);
  std::vector<ValueId> parts;
  std::vector<Base> have;
  for (const Expr* a : e->args) {
    Value v = expr(a);
    parts.insert(parts.end(), v.v.begin(), v.v.end());
    leafBases(a->type, have);
    have.resize(parts.size(), Base::Float);
  }
  // Arguments of one type are converted together.
  const uint32_t cols = std::max<uint32_t>(1, e->type->cols);
  for (size_t i = 0; i < parts.size() && i < want.size(); i++) {
    if (i % cols == 0)
      m_b.beginGroup();
    m_b.lane(uint32_t(i % cols));
    r.v.push_back(convertScalar(parts[i], have[i], want[i]));
  }
  return r;
}

Value Lowering::conditional(const Expr* e) {
  warnOfBothSides(m_quiet ? nullptr : &m_diagnostics, "?:", e->b, e->c);
  Value k = expr(e->a);
  Value a = expr(e->b);
  Value b = expr(e->c);
  if (e->type->isNumeric())
    return map(e->type, columnsOf(a, b), [&](uint32_t i) { return m_b.emit(Op::Movc, {k.v.size() == 1 ? k.v[0] : k.v[i], a.v[i], b.v[i]}); });
  Value r;
  r.type = e->type;
  for (size_t i = 0; i < a.v.size() && i < b.v.size(); i++) {
    if ((i & 3) == 0)
      m_b.beginGroup();
    m_b.lane(uint32_t(i & 3));
    r.v.push_back(m_b.emit(Op::Movc, {k.v[0], a.v[i], b.v[i]}));
  }
  return r;
}

Value Lowering::incDec(const Expr* e) {
  Place p = place(e->a);
  Value old = read(p);
  const Base base = e->type->base;
  const bool up = e->op == Operator::Add;
  Value now = map(e->type, columnsTogether(old), [&](uint32_t i) {
    if (base == Base::Double)
      return m_b.emit(Op::DAdd, {old.v[i], m_b.constantDouble(up ? 1 : -1)});
    if (isFloatBase(base))
      return m_b.add(old.v[i], c(up ? 1.0f : -1.0f));
    return m_b.emit(Op::IAdd, {old.v[i], m_b.constant(up ? 1u : ~0u)});
  });
  write(p, now);
  return e->prefix ? now : old;
}

/// Without any return: an error of the function that was called.
void Lowering::checkReturn(const FunctionDecl& f, uint32_t returnedSlot) {
  if (f.returnType->isVoid() || !f.returnType->slots || m_diagnostics.hasErrors() || m_restart || m_b.block()->terminated)
    return;
  const ValueId flag = m_b.resolve(m_env[returnedSlot]);
  if (m_module.code.isConst(flag) && !m_module.code.bits(flag))
    m_diagnostics.error(f.loc, 3507, "'" + f.name + "': Not all control paths return a value");
  else if (!m_module.code.isConst(flag) && !m_quiet)
    m_diagnostics.warning(f.loc, 4000, "use of potentially uninitialized variable (" + f.name + ")");
}

/// An output parameter of which some part was never set.
void Lowering::checkOutput(const FunctionDecl& f, const VarDecl& p, const Value& v) {
  if (m_restart || m_b.block()->terminated || m_diagnostics.hasErrors())
    return;
  for (ValueId x : v.v)
    if (m_module.code.insts[m_b.resolve(x)].op == Op::Undef) {
      m_diagnostics.error(p.loc, 3508, "'" + f.name + "': output parameter '" + std::string(p.name) + "' not completely initialized");
      return;
    }
}

Value Lowering::call(const Expr* e) {
  Value r;
  r.type = e->type;
  FunctionDecl* f = e->function;
  Place self;
  const bool throughInterface = f->owner && f->owner->isInterface();
  if (throughInterface && !(f = resolveMethod(e, self)))
    return r;
  if (f->active) {
    m_diagnostics.fatal(e->loc, 3500, "'" + f->name + "': recursive functions not allowed");
    return r;
  }
  if (!f->body) {
    m_diagnostics.error(e->loc, 3510, "'" + f->name + "': function missing implementation");
    return r;
  }
  if (m_frames.size() > 100) {
    m_diagnostics.fatal(e->loc, 3000, "calls are nested too deeply");
    return r;
  }
  // Arguments are evaluated in the caller, before any parameter is set.
  std::vector<Value> in(f->params.size());
  std::vector<Place> out(f->params.size());
  for (size_t i = 0; i < f->params.size(); i++) {
    const VarDecl* p = f->params[i];
    const Expr* arg = e->args[i];
    if (p->type->isInterface())
      continue;
    if (i == 0 && throughInterface) {
      out[0] = self;
      in[0] = cast(read(self), p->type);
      continue;
    }
    if (p->type->hasObjects) {
      if (p->type->slots == 0)
        continue;
    }
    if (p->modifiers & kModOut) {
      out[i] = place(arg);
      if (p->modifiers & kModIn)
        in[i] = cast(read(out[i]), p->type);
    } else {
      in[i] = expr(arg);
    }
  }
  for (size_t i = 0; i < f->params.size(); i++) {
    const VarDecl* p = f->params[i];
    if (p->type->isInterface()) {
      m_interfaces.erase(p);
      bindInterface(p, e->args[i], e->args[i]->loc);
      continue;
    }
    if (p->type->hasObjects && p->type->slots == 0) {
      bindArgument(p, e->args[i]);
      continue;
    }
    Instance& inst = declare(p);
    if (p->type->hasObjects && (p->modifiers & kModIn))
      bindArgument(p, e->args[i]);
    if (!(p->modifiers & kModIn) && p->modifiers & kModOut)
      continue;
    Place to;
    to.type = to.baseType = p->type;
    to.kind = inst.memory ? Place::Kind::Memory : Place::Kind::Slots;
    to.memory = inst.base;
    if (!inst.memory)
      for (uint32_t k = 0; k < p->type->slots; k++)
        to.slots.push_back(inst.base + k);
    write(to, in[i]);
  }
  f->active = true;
  auto frame = std::make_unique<Frame>();
  frame->function = f;
  frame->returnedSlot = newSlots(1, m_b.constant(0u));
  frame->returnBase = newSlots(f->returnType->slots, m_b.undef());
  m_frames.push_back(std::move(frame));
  statement(f->body);
  const uint32_t base = m_frames.back()->returnBase;
  checkReturn(*f, m_frames.back()->returnedSlot);
  for (uint32_t k = 0; k < f->returnType->slots; k++)
    r.v.push_back(m_b.resolve(m_env[base + k]));
  if (f->returnType->hasObjects)
    m_callObjects[e] = std::move(m_frames.back()->returnObjects);
  m_frames.pop_back();
  f->active = false;
  for (size_t i = 0; i < f->params.size(); i++) {
    const VarDecl* p = f->params[i];
    if (!(p->modifiers & kModOut) || p->type->isInterface())
      continue;
    if (p->type->hasObjects)
      assignObjects(e->args[i], instance(p).objects);
    if (p->type->slots == 0)
      continue;
    if (out[i].kind == Place::Kind::Uniform || out[i].kind == Place::Kind::Value || out[i].kind == Place::Kind::Vertex || out[i].kind == Place::Kind::Icb)
      continue; // the object of a method need not be writable
    Expr var;
    var.kind = ExprKind::Var;
    var.var = f->params[i];
    var.type = p->type;
    const Value result = read(placeOfVar(&var));
    if (!(p->modifiers & kModIn))
      checkOutput(*f, *p, result);
    write(out[i], cast(result, out[i].type));
  }
  return r;
}


} // namespace monolith::compiler
