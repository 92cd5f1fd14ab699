// SPDX-License-Identifier: MIT
// Sampling, gathering and levels of detail; the older tex* functions.
#include "compiler/lower/map.h"
#include "compiler/lower/remarks.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

/// What a sampling method becomes.
struct SampleRow {
  MethodId id;
  Op op;
  uint8_t scalars;  ///< scalar arguments behind the coordinates
  uint8_t channel;  ///< gathers
  bool gradients;   ///< two gradient arguments
};
constexpr SampleRow kSampleRows[] = {
    {MethodId::Sample, Op::Sample, 0, 0, false},
    {MethodId::SampleBias, Op::SampleB, 1, 0, false},
    {MethodId::SampleLevel, Op::SampleL, 1, 0, false},
    {MethodId::SampleGrad, Op::SampleD, 0, 0, true},
    {MethodId::SampleCmp, Op::SampleC, 1, 0, false},
    {MethodId::SampleCmpLevelZero, Op::SampleClz, 1, 0, false},
    {MethodId::Gather, Op::Gather4, 0, 0, false},
    {MethodId::GatherRed, Op::Gather4, 0, 0, false},
    {MethodId::GatherGreen, Op::Gather4, 0, 1, false},
    {MethodId::GatherBlue, Op::Gather4, 0, 2, false},
    {MethodId::GatherAlpha, Op::Gather4, 0, 3, false},
    {MethodId::GatherCmp, Op::Gather4C, 1, 0, false},
    {MethodId::GatherCmpRed, Op::Gather4C, 1, 0, false},
    {MethodId::GatherCmpGreen, Op::Gather4C, 1, 1, false},
    {MethodId::GatherCmpBlue, Op::Gather4C, 1, 2, false},
    {MethodId::GatherCmpAlpha, Op::Gather4C, 1, 3, false},
    {MethodId::CalculateLevelOfDetail, Op::Lod, 0, 0, false},
    {MethodId::CalculateLevelOfDetailUnclamped, Op::Lod, 0, 1, false},
    {MethodId::OldSample, Op::Sample, 0, 0, false},
    {MethodId::OldSampleBias, Op::SampleB, 0, 0, false},
    {MethodId::OldSampleLod, Op::SampleL, 0, 0, false},
    {MethodId::OldSampleGrad, Op::SampleD, 0, 0, true},
    {MethodId::OldSampleProj, Op::Sample, 0, 0, false},
};

const SampleRow* sampleRow(MethodId id) {
  for (const SampleRow& r : kSampleRows)
    if (r.id == id)
      return &r;
  return nullptr;
}

} // namespace

uint32_t Lowering::fetchIndex(const Fetch& f) {
  auto& list = m_module.code.fetches;
  for (uint32_t i = 0; i < list.size(); i++)
    if (list[i] == f)
      return i;
  list.push_back(f);
  return uint32_t(list.size() - 1);
}

uint32_t Lowering::resourceIndex(const VarDecl* var, uint32_t element, bool sampler, uint8_t oldDim, const Location& at) {
  if (var->sameAs)
    var = var->sameAs;
  uint32_t total = 1;
  for (const Type* t = var->type; t->isArray(); t = t->element)
    total *= t->count;
  if (element >= total) {
    m_diagnostics.error(at, 3504, "array index out of bounds");
    element = 0;
  }
  auto& list = m_module.resources;
  for (uint32_t i = 0; i < list.size(); i++)
    if (list[i].var == var && list[i].element == element && list[i].sampler == sampler)
      return i;
  ResourceUse use;
  use.var = var;
  use.element = element;
  use.sampler = sampler;
  use.old = oldDim != 0;
  use.oldDim = oldDim;
  list.push_back(use);
  return uint32_t(list.size() - 1);
}

Value Lowering::fetchResult(ValueId inst, const Type* type, uint32_t first) {
  Value r;
  r.type = type;
  m_b.beginGroup();
  std::vector<Base> bases;
  leafBases(type, bases);
  for (uint32_t i = 0; i < type->slots; i++) {
    m_b.lane(i);
    ValueId v = m_b.emit(Op::Extract, {inst}, first + i);
    if (i < bases.size() && bases[i] == Base::Bool)
      v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
    r.v.push_back(v);
  }
  return r;
}

/// The status of a fetch, where the call asked for it.
void Lowering::storeStatus(const Expr* e, ValueId inst) {
  if (!e->out)
    return;
  Place p = place(e->out);
  Value v;
  v.type = p.type;
  m_b.beginGroup();
  v.v.push_back(convertScalar(m_b.emit(Op::Extract, {inst}, kStatusComponent), Base::Uint, p.type->base));
  write(p, v);
}

bool Lowering::constantOffset(const Expr* e, Fetch& f) {
  Value v = expr(e);
  bool ok = true;
  for (uint32_t i = 0; i < v.v.size() && i < 3; i++) {
    if (!m_module.code.isConst(v.v[i])) {
      ok = false;
      continue;
    }
    int32_t k = int32_t(m_module.code.bits(v.v[i]));
    if (k < -8 || k > 7)
      ok = false;
    f.offset[i] = int8_t(k);
    f.hasOffset = f.hasOffset || k != 0;
  }
  return ok;
}

/// Gathers take any offset in 5.0: the offset as operand instead of a token.
Value Lowering::gatherWithOffsets(const Expr* e, const Fetch& f, Op op, const std::vector<ValueId>& coordinates, const std::vector<ValueId>& extra, size_t next) {
  Value r;
  r.type = e->type;
  const Op programmable = op == Op::Gather4 ? Op::Gather4Po : Op::Gather4PoC;
  auto gather = [&](const Expr* offset) {
    Value o = expr(offset);
    std::vector<ValueId> s = coordinates;
    s.insert(s.end(), o.v.begin(), o.v.begin() + 2);
    s.insert(s.end(), extra.begin(), extra.end());
    return m_b.emit(programmable, s, fetchIndex(f));
  };
  if (e->b) {
    ValueId i = gather(e->b);
    r = fetchResult(i, e->type);
    storeStatus(e, i);
    return r;
  }
  // Four offsets: one gather each, of which one texel is taken. The order is (0,1) (1,1) (1,0) (0,0); each offset's own
  // texel is the last.
  ValueId status = kNoValue;
  for (size_t k = 0; k < 4; k++) {
    ValueId i = gather(e->args[next + k]);
    r.v.push_back(m_b.emit(Op::Extract, {i}, 3));
    if (e->out) {
      ValueId s = m_b.emit(Op::Extract, {i}, kStatusComponent);
      status = status ? m_b.emit(Op::And, {status, s}) : s;
    }
  }
  if (e->out) {
    Place p = place(e->out);
    Value v;
    v.type = p.type;
    v.v.push_back(convertScalar(status, Base::Uint, p.type->base));
    write(p, v);
  }
  return r;
}

Value Lowering::sampleMethod(const Expr* e, uint32_t resource) {
  Value r;
  r.type = e->type;
  const SampleRow& row = *sampleRow(e->method);
  Op op = row.op;
  Fetch f;
  f.resource = resource;
  const VarDecl* samplerVar = nullptr;
  uint32_t samplerElement = 0;
  size_t next = 0;
  if (!objectOf(e->args[next++], samplerVar, samplerElement)) {
    objectError(e->args[0], true);
    return r;
  }
  f.sampler = resourceIndex(samplerVar, samplerElement, true, 0, e->loc);
  std::vector<ValueId> src = expr(e->args[next++]).v, extra;
  f.addressCount = uint8_t(src.size());
  f.channel = op == Op::Lod ? 0 : row.channel;
  for (uint8_t k = 0; k < row.scalars; k++)
    extra.push_back(scalar(e->args[next++]));
  if (op == Op::SampleB)
    extra[0] = biasInRange(m_quiet ? nullptr : &m_diagnostics, m_b, e->loc, extra[0]);
  if (row.gradients) {
    Value x = expr(e->args[next]), y = expr(e->args[next + 1]);
    next += 2;
    f.gradientCount = uint8_t(x.v.size());
    extra = x.v;
    extra.insert(extra.end(), y.v.begin(), y.v.end());
  }
  const bool gather = op == Op::Gather4 || op == Op::Gather4C;
  if (gather && e->args.size() >= next + 4)
    return gatherWithOffsets(e, f, op, src, extra, next);
  if (e->b) {
    Fetch with = f;
    if (constantOffset(e->b, with))
      f = with;
    else if (gather && m_module.target.model >= 50)
      return gatherWithOffsets(e, f, op, src, extra, next);
    else if (!m_quiet)
      m_diagnostics.error(e->b->loc, 4566, "offset texture instructions must take offset which can resolve to integer literal in the range -8 to 7");
  }
  if (!gather && op != Op::Lod && e->type->isNumeric() && !isFloatBase(e->type->base))
    report(e->loc, 4582, "cannot sample from non-floating point texture formats.");
  if (m_module.target.stage != Stage::Pixel && hasTrait(op, kGradient)) {
    m_diagnostics.error(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return r;
  }
  if (e->clamp) {
    f.hasClamp = true;
    extra.push_back(scalar(e->clamp));
  }
  src.insert(src.end(), extra.begin(), extra.end());
  ValueId i = m_b.emit(op, src, fetchIndex(f));
  if (op == Op::Lod) {
    r.v.push_back(m_b.emit(Op::Extract, {i}, row.channel));
    return r;
  }
  r = fetchResult(i, e->type);
  storeStatus(e, i);
  return r;
}

Value Lowering::oldSample(const Expr* e) {
  Value r;
  r.type = e->type;
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  if (!objectOf(e->a, var, element)) {
    objectError(e->a, true);
    return r;
  }
  Fetch f;
  const uint8_t dim = uint8_t(e->field);
  f.resource = resourceIndex(var, element, false, dim, e->loc);
  f.sampler = resourceIndex(var, element, true, 0, e->loc);
  m_module.resources[f.resource].oldDim = dim;
  const uint32_t axes = dim == 1 ? 1 : dim == 2 ? 2 : 3;
  Value at = expr(e->args[0]);
  std::vector<ValueId> src(at.v.begin(), at.v.begin() + long(std::min<size_t>(axes, at.v.size())));
  f.addressCount = uint8_t(axes);
  const Op op = sampleRow(e->method)->op;
  switch (e->method) {
  case MethodId::OldSampleBias:
    src.push_back(biasInRange(m_quiet ? nullptr : &m_diagnostics, m_b, e->loc, at.v[3]));
    break;
  case MethodId::OldSampleLod:
    src.push_back(at.v[3]);
    break;
  case MethodId::OldSampleProj:
    m_b.beginGroup();
    for (uint32_t i = 0; i < axes; i++) {
      m_b.lane(i);
      src[i] = m_b.emit(Op::Div, {at.v[i], at.v[3]});
    }
    break;
  case MethodId::OldSampleGrad: {
    f.gradientCount = uint8_t(axes);
    Value x = expr(e->args[1]), y = expr(e->args[2]);
    src.insert(src.end(), x.v.begin(), x.v.begin() + long(axes));
    src.insert(src.end(), y.v.begin(), y.v.begin() + long(axes));
    break;
  }
  default:
    break;
  }
  if (m_module.target.stage != Stage::Pixel && hasTrait(op, kGradient)) {
    m_diagnostics.error(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return r;
  }
  ValueId i = m_b.emit(op, src, fetchIndex(f));
  return fetchResult(i, e->type);
}

} // namespace monolith::compiler
