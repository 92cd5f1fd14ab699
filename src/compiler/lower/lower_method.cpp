// SPDX-License-Identifier: MIT
// Texture and buffer methods.
#include "compiler/lower/map.h"

#include <algorithm>

namespace monolith::compiler {

uint32_t Lowering::fetchIndex(const Fetch& f) {
  auto& list = m_module.code.fetches;
  for (uint32_t i = 0; i < list.size(); i++)
    if (list[i] == f)
      return i;
  list.push_back(f);
  return uint32_t(list.size() - 1);
}

uint32_t Lowering::resourceIndex(const VarDecl* var, uint32_t element, bool sampler, uint8_t oldDim, const Location& at) {
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

Value Lowering::fetchResult(ValueId inst, const Type* type, const Type* element, uint32_t first) {
  Value r;
  r.type = type;
  m_b.beginGroup();
  std::vector<Base> bases;
  leafBases(type, bases);
  (void)element;
  for (uint32_t i = 0; i < type->slots; i++) {
    m_b.lane(i);
    ValueId v = m_b.emit(Op::Extract, {inst}, first + i);
    if (i < bases.size() && bases[i] == Base::Bool)
      v = m_b.emit(Op::INe, {v, m_b.constant(0u)});
    r.v.push_back(v);
  }
  return r;
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

void Lowering::getDimensions(const Expr* e, uint32_t resource) {
  const Type* t = e->a->type;
  Fetch f;
  f.resource = resource;
  const ObjectKind kind = t->object;
  std::vector<ValueId> results;
  const bool ms = kind == ObjectKind::Texture2DMS || kind == ObjectKind::Texture2DMSArray;
  const bool floats = !e->args.empty() && isFloatBase(e->args[0]->type->base);
  if (kind == ObjectKind::Buffer) {
    ValueId i = m_b.emit(Op::BufInfo, std::span<const ValueId>(), fetchIndex(f));
    results.push_back(m_b.emit(Op::Extract, {i}, 0));
  } else {
    f.returnKind = floats ? 0 : 2;
    f.addressCount = 1;
    ValueId level = e->c ? scalar(e->c) : m_b.constant(0u);
    ValueId i = m_b.emit(Op::ResInfo, {level}, fetchIndex(f));
    const uint32_t sizes = uint32_t(e->args.size()) - (e->prefix || ms ? 1 : 0);
    for (uint32_t k = 0; k < sizes; k++)
      results.push_back(m_b.emit(Op::Extract, {i}, k));
    if (ms) {
      ValueId s = m_b.emit(Op::SampleInfo, std::span<const ValueId>(), fetchIndex(f));
      results.push_back(m_b.emit(Op::Extract, {s}, 0));
    } else if (e->prefix) {
      results.push_back(m_b.emit(Op::Extract, {i}, 3));
    }
  }
  const Base have = floats && kind != ObjectKind::Buffer ? Base::Float : Base::Uint;
  for (size_t k = 0; k < e->args.size() && k < results.size(); k++) {
    Place p = place(e->args[k]);
    Value v;
    v.type = p.type;
    // The result of the machine is one kind for all; the variables decide.
    v.v.push_back(convertScalar(results[k], have, p.type->base));
    write(p, v);
  }
}

Value Lowering::method(const Expr* e) {
  Value r;
  r.type = e->type;
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  if (!objectOf(e->a, var, element)) {
    if (!m_quiet)
      m_diagnostics.error(e->loc, 3000, "texture must be a global object");
    return r;
  }
  Fetch f;
  f.resource = resourceIndex(var, element, false, 0, e->loc);
  const ObjectKind kind = e->a->type->object;
  const bool isArray = kind == ObjectKind::Texture1DArray || kind == ObjectKind::Texture2DArray || kind == ObjectKind::TextureCubeArray || kind == ObjectKind::Texture2DMSArray;
  const uint32_t axes = kind == ObjectKind::Texture1D || kind == ObjectKind::Texture1DArray ? 1 : kind == ObjectKind::Texture3D || kind == ObjectKind::TextureCube || kind == ObjectKind::TextureCubeArray ? 3 : 2;
  if (e->method == MethodId::GetDimensions) {
    getDimensions(e, f.resource);
    return r;
  }
  if (e->method == MethodId::GetSamplePosition) {
    f.addressCount = 1;
    ValueId i = m_b.emit(Op::SamplePos, {scalar(e->args[0])}, fetchIndex(f));
    return fetchResult(i, e->type, nullptr);
  }
  std::vector<ValueId> src;
  size_t next = 0;
  if (e->method == MethodId::Load) {
    Value at = expr(e->args[0]);
    src = at.v;
    if (e->prefix) // operator[] has no level
      src.push_back(e->c ? scalar(e->c) : m_b.constant(0u));
    const bool ms = kind == ObjectKind::Texture2DMS || kind == ObjectKind::Texture2DMSArray;
    if (e->prefix && (ms || kind == ObjectKind::Buffer))
      src.pop_back();
    ValueId sample = kNoValue;
    if (ms)
      sample = e->prefix ? (e->c ? scalar(e->c) : m_b.constant(0u)) : scalar(e->args[1]);
    if (e->b && !constantOffset(e->b, f) && !m_quiet)
      m_diagnostics.error(e->b->loc, 4587, "texel offset must be a literal between -8 and 7");
    // The address has a fixed layout: coordinates, array index, then the level in its place (x y z w).
    if (!ms && kind != ObjectKind::Buffer) {
      ValueId level = src.back();
      src.pop_back();
      while (src.size() < 3)
        src.push_back(level);
      src.push_back(level);
    }
    f.addressCount = uint8_t(src.size());
    if (sample)
      src.push_back(sample);
    ValueId i = m_b.emit(ms ? Op::LdMs : Op::Ld, src, fetchIndex(f));
    return fetchResult(i, e->type, nullptr);
  }
  const VarDecl* samplerVar = nullptr;
  uint32_t samplerElement = 0;
  if (!objectOf(e->args[next++], samplerVar, samplerElement)) {
    if (!m_quiet)
      m_diagnostics.error(e->loc, 3000, "sampler must be a global object");
    return r;
  }
  f.sampler = resourceIndex(samplerVar, samplerElement, true, 0, e->loc);
  src = expr(e->args[next++]).v;
  if (isArray && e->method < MethodId::CalculateLevelOfDetail) {
    // Array indices are rounded by the instruction itself.
  }
  f.addressCount = uint8_t(src.size());
  std::vector<ValueId> extra;
  Op op = Op::Sample;
  uint32_t channel = 0;
  auto one = [&] { extra.push_back(scalar(e->args[next++])); };
  switch (e->method) {
  case MethodId::SampleBias:
    op = Op::SampleB;
    one();
    break;
  case MethodId::SampleLevel:
    op = Op::SampleL;
    one();
    break;
  case MethodId::SampleGrad: {
    op = Op::SampleD;
    Value x = expr(e->args[next++]), y = expr(e->args[next++]);
    f.gradientCount = uint8_t(axes);
    extra = x.v;
    extra.insert(extra.end(), y.v.begin(), y.v.end());
    break;
  }
  case MethodId::SampleCmp:
    op = Op::SampleC;
    one();
    break;
  case MethodId::SampleCmpLevelZero:
    op = Op::SampleClz;
    one();
    break;
  case MethodId::GatherAlpha:
  case MethodId::GatherCmpAlpha:
    channel++;
    [[fallthrough]];
  case MethodId::GatherBlue:
  case MethodId::GatherCmpBlue:
    channel++;
    [[fallthrough]];
  case MethodId::GatherGreen:
  case MethodId::GatherCmpGreen:
    channel++;
    [[fallthrough]];
  case MethodId::Gather:
  case MethodId::GatherRed:
  case MethodId::GatherCmp:
  case MethodId::GatherCmpRed:
    op = e->method >= MethodId::GatherCmp ? Op::Gather4C : Op::Gather4;
    if (op == Op::Gather4C)
      one();
    break;
  case MethodId::CalculateLevelOfDetail:
  case MethodId::CalculateLevelOfDetailUnclamped:
    op = Op::Lod;
    break;
  default:
    break;
  }
  f.channel = uint8_t(channel);
  const bool gather = op == Op::Gather4 || op == Op::Gather4C;
  if (gather && e->args.size() >= next + 4) { // four offsets: one gather each, of which one texel is taken
    r.v.resize(4);
    static constexpr uint32_t texel[4] = {0, 1, 2, 3};
    for (uint32_t k = 0; k < 4; k++) {
      Value o = expr(e->args[next + k]);
      std::vector<ValueId> s = src;
      s.insert(s.end(), o.v.begin(), o.v.begin() + 2);
      s.insert(s.end(), extra.begin(), extra.end());
      ValueId i = m_b.emit(op == Op::Gather4 ? Op::Gather4Po : Op::Gather4PoC, s, fetchIndex(f));
      // gather order is (0,1) (1,1) (1,0) (0,0); each offset's own texel is the last
      r.v[texel[k]] = m_b.emit(Op::Extract, {i}, 3);
    }
    return r;
  }
  if (e->b) {
    Fetch with = f;
    if (constantOffset(e->b, with)) {
      f = with;
    } else if (gather && m_module.target.model >= 50) {
      Value o = expr(e->b);
      std::vector<ValueId> s = src;
      s.insert(s.end(), o.v.begin(), o.v.end());
      s.insert(s.end(), extra.begin(), extra.end());
      ValueId i = m_b.emit(op == Op::Gather4 ? Op::Gather4Po : Op::Gather4PoC, s, fetchIndex(f));
      return fetchResult(i, e->type, nullptr);
    } else if (!m_quiet) {
      m_diagnostics.error(e->b->loc, 4587, "texel offset must be a literal between -8 and 7");
    }
  }
  if (m_module.target.stage != Stage::Pixel && (op == Op::Sample || op == Op::SampleB || op == Op::SampleC || op == Op::Lod)) {
    m_diagnostics.error(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return r;
  }
  src.insert(src.end(), extra.begin(), extra.end());
  ValueId i = m_b.emit(op, src, fetchIndex(f));
  if (op == Op::Lod) {
    r.v.push_back(m_b.emit(Op::Extract, {i}, e->method == MethodId::CalculateLevelOfDetail ? 0 : 1));
    return r;
  }
  return fetchResult(i, e->type, nullptr);
}

Value Lowering::oldSample(const Expr* e) {
  Value r;
  r.type = e->type;
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  if (!objectOf(e->a, var, element)) {
    m_diagnostics.error(e->loc, 3000, "sampler must be a global object");
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
  Op op = Op::Sample;
  switch (e->method) {
  case MethodId::OldSampleBias:
    op = Op::SampleB;
    src.push_back(at.v[3]);
    break;
  case MethodId::OldSampleLod:
    op = Op::SampleL;
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
    op = Op::SampleD;
    f.gradientCount = uint8_t(axes);
    Value x = expr(e->args[1]), y = expr(e->args[2]);
    src.insert(src.end(), x.v.begin(), x.v.begin() + long(axes));
    src.insert(src.end(), y.v.begin(), y.v.begin() + long(axes));
    break;
  }
  default:
    break;
  }
  if (m_module.target.stage != Stage::Pixel && (op == Op::Sample || op == Op::SampleB)) {
    m_diagnostics.error(e->loc, 4532, "cannot map expression to " + m_module.target.name + " instruction set");
    return r;
  }
  ValueId i = m_b.emit(op, src, fetchIndex(f));
  return fetchResult(i, e->type, nullptr);
}

} // namespace monolith::compiler
