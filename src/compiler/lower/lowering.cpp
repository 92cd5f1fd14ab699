// SPDX-License-Identifier: MIT
// The frame around the entry function: globals, inputs, outputs.
#include "compiler/lower/lowering.h"
#include "compiler/types/convert.h"

#include <algorithm>

namespace monolith::compiler {

Lowering::Lowering(Module& module, Diagnostics& diagnostics, const LoweringOptions& options, const std::set<const VarDecl*>& memoryVars)
    : m_module(module), m_diagnostics(diagnostics), m_options(options), m_program(*module.program), m_types(module.program->types), m_b(module.code), m_memoryVars(memoryVars) {
  m_b.setPrecise(module.precise);
  m_b.setContracts(!options.skipOptimization);
}

void Lowering::globals() {
  for (const VarDecl* v : m_program.globals) {
    if (v->type->isError() || isShared(v))
      continue;
    if (v->type->hasObjects && (v->modifiers & kModStatic) && v->init)
      bindArgument(v, v->init);
    if (v->type->slots == 0 || (v->type->hasObjects && !(v->modifiers & kModStatic)))
      continue;
    // Globals that may be written (or are no uniforms at all) start with their initial value or, for uniforms in
    // compatibility mode, stay where they are until written.
    if (v->uniform) {
      if (v->init) {
        Value init = expr(v->init);
        if (!v->type->hasObjects && std::any_of(init.v.begin(), init.v.end(), [&](ValueId x) { return m_module.code.insts[x].op != Op::Const && m_module.code.insts[x].op != Op::DConst; })) {
          m_diagnostics.error(v->loc, 3011, "'" + std::string(v->name) + "': initial value must be a literal expression");
          continue;
        }
        std::vector<uint32_t> bits;
        std::vector<Base> bases;
        leafBases(v->type, bases);
        for (size_t k = 0; k < init.v.size() && k < bases.size(); k++)
          appendBits(init.v[k], bases[k], bits);
        m_module.defaults[v] = std::move(bits);
      }
      continue;
    }
    Instance& i = declare(v);
    Place p;
    p.type = p.baseType = v->type;
    p.kind = i.memory ? Place::Kind::Memory : Place::Kind::Slots;
    p.memory = i.base;
    if (!i.memory)
      for (uint32_t k = 0; k < v->type->slots; k++)
        p.slots.push_back(i.base + k);
    if (v->init) {
      write(p, expr(v->init));
    } else {
      Value zero;
      zero.type = v->type;
      std::vector<Base> bases;
      leafBases(v->type, bases);
      for (Base b : bases)
        zero.v.push_back(zeroOf(b));
      if (!i.memory || v->type->slots <= 64)
        write(p, zero);
    }
  }
}

void Lowering::entryInputs(FunctionDecl& entry) {
  for (const VarDecl* p : entry.params) {
    if (p->type->isError() || vertexParameter(entry, p))
      continue;
    if (p->type->hasObjects && boundParameter(p->type)) {
      Instance& i = instance(p);
      for (uint32_t k = 0, count = std::min(objectCount(p->type), 4096u); k < count; k++)
        i.objects.push_back({p, k});
      i.live = true;
      continue;
    }
    if (p->type->hasObjects) {
      m_diagnostics.error(p->loc, 3530, "'" + std::string(p->name) + "': objects as parameters of an entry point are not supported");
      continue;
    }
    if (p->modifiers & kModUniform) {
      VarDecl* v = const_cast<VarDecl*>(p);
      if (!v->uniform) { // uniform parameters live in $Params
        v->uniform = true;
        ConstantBuffer* params = nullptr;
        for (ConstantBuffer* b : m_program.buffers)
          if (b->name == "$Params")
            params = b;
        if (!params) {
          params = m_program.arena.buffer();
          params->name = "$Params";
          m_program.buffers.push_back(params);
        }
        v->buffer = params;
        params->vars.push_back(v);
        layoutConstantBuffers(m_program, m_diagnostics);
      }
      Expr var;
      var.kind = ExprKind::Var;
      var.var = v;
      var.type = p->type;
      Value value = read(placeOfVar(&var));
      declare(p);
      write(placeOfVar(&var), value);
      continue;
    }
    declare(p);
    Value value;
    value.type = p->type;
    value.v.assign(p->type->slots, m_b.undef());
    if (p->modifiers & kModIn)
      for (uint32_t k = 0; k < m_module.inputs.size(); k++) {
        const IoElement& e = m_module.inputs[k];
        if (e.param != p)
          continue;
        m_b.beginGroup();
        for (uint32_t i = 0; i < e.count; i++) {
          m_b.lane(i);
          const bool front = e.systemValue == dxbc::SignatureSystemValue::IsFrontFace;
          const uint32_t reg = e.reg == ~0u ? 0 : e.reg;
          ValueId v = m_b.emit(Op::Input, std::span<const ValueId>(), uint32_t(e.registerType) << 16 | reg, e.firstComponent + i, front ? 1 : 0);
          if (e.isBool && !front)
            v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
          else if (front && !e.isBool && isFloatBase(e.base))
            v = m_b.emit(Op::And, {v, c(1.0f)});
          value.v[e.slotOf(i)] = v;
        }
      }
    Expr var;
    var.kind = ExprKind::Var;
    var.var = const_cast<VarDecl*>(p);
    var.type = p->type;
    write(placeOfVar(&var), value);
  }
}

void Lowering::storeOutputs(FunctionDecl& entry, uint32_t returnBase) {
  if (m_module.target.stage == Stage::Geometry)
    return; // vertices were written where they were appended
  for (const IoElement& e : m_module.outputs) {
    std::vector<ValueId> values;
    if (e.param) {
      Expr var;
      var.kind = ExprKind::Var;
      var.var = const_cast<VarDecl*>(e.param);
      var.type = e.param->type;
      Value v = read(placeOfVar(&var));
      for (uint32_t i = 0; i < e.count; i++)
        values.push_back(v.v[e.slotOf(i)]);
    } else {
      for (uint32_t i = 0; i < e.count; i++)
        values.push_back(m_b.resolve(m_env[returnBase + e.slotOf(i)]));
    }
    m_b.beginGroup();
    const uint32_t reg = e.reg == ~0u ? 0 : e.reg;
    bool undefined = true, partial = false;
    for (uint32_t i = 0; i < e.count; i++) {
      m_b.lane(i);
      ValueId v = values[i];
      if (m_module.code.insts[v].op == Op::Undef) {
        v = m_b.constant(0u);
        partial = true;
      } else {
        undefined = false;
      }
      if (e.isBool)
        v = m_b.emit(Op::And, {v, m_b.constant(1u)});
      m_b.emit(Op::Store, {v}, uint32_t(e.registerType) << 16 | reg, e.firstComponent + i);
    }
    if (undefined && e.param && !m_restart)
      m_diagnostics.error(e.param->loc, 3508, "'" + entry.name + "': output parameter '" + std::string(e.param->name) + "' not completely initialized");
    else if (partial && !m_restart && !m_diagnostics.hasErrors())
      m_diagnostics.warning(e.param ? e.param->loc : entry.loc, 3578, "Output value '" + (e.param ? std::string(e.param->name) : entry.name) + "' is not completely initialized");
  }
}

bool Lowering::run(FunctionDecl& entry) {
  const size_t before = m_diagnostics.errorCount();
  auto outer = std::make_unique<Frame>();
  outer->function = &entry;
  outer->returnedSlot = newSlots(1, m_b.constant(0u));
  m_frames.push_back(std::move(outer));
  globals();
  entryInputs(entry);
  Frame& f = *m_frames.back();
  f.returnBase = newSlots(entry.returnType->slots, m_b.undef());
  entry.active = true;
  statement(entry.body);
  entry.active = false;
  bool returns = entry.returnType->isVoid() || entry.returnType->slots == 0;
  if (!returns && !m_diagnostics.hasErrors() && !m_restart) {
    ValueId flag = m_b.resolve(m_env[f.returnedSlot]);
    if (m_module.code.isConst(flag) && !m_module.code.bits(flag) && !m_b.block()->terminated)
      m_diagnostics.error(entry.loc, 3507, "'" + entry.name + "': Not all control paths return a value");
    else if (!m_module.code.isConst(flag) && !m_b.block()->terminated)
      m_diagnostics.warning(entry.loc, 4000, "use of potentially uninitialized variable (" + entry.name + ")");
  }
  m_module.places.resize(m_b.emitted());
  if (!m_diagnostics.isFatal() && !m_b.block()->terminated)
    storeOutputs(entry, f.returnBase);
  m_module.places.resize(m_b.emitted(), m_module.returnPlace);
  for (FunctionDecl* x : m_program.functions)
    x->active = false;
  return m_diagnostics.errorCount() == before && !m_restart;
}

} // namespace monolith::compiler
