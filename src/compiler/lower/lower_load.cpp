// SPDX-License-Identifier: MIT
// Methods of objects that do not sample: loads, sizes, sample positions.
#include "compiler/lower/map.h"

#include <algorithm>

namespace monolith::compiler {

namespace {
bool isMultisampled(ObjectKind k) {
  return k == ObjectKind::Texture2DMS || k == ObjectKind::Texture2DMSArray;
}
} // namespace

/// Sizes go to their variables; the machine gives one kind for all of them, the variables decide which.
void Lowering::getDimensions(const Expr* e, uint32_t resource) {
  const Type* t = e->a->type;
  Fetch f;
  f.resource = resource;
  const ObjectKind kind = t->object;
  std::vector<ValueId> results;
  const bool ms = isMultisampled(kind);
  const bool buffer = kind == ObjectKind::Buffer || kind == ObjectKind::RwBuffer || kind >= ObjectKind::StructuredBuffer;
  const bool floats = !buffer && !e->args.empty() && isFloatBase(e->args[0]->type->base);
  if (buffer) {
    ValueId i = m_b.emit(Op::BufInfo, std::span<const ValueId>(), fetchIndex(f));
    results.push_back(m_b.emit(Op::Extract, {i}, 0));
    if (e->args.size() > 1)
      results.push_back(m_b.constant(structuredSize(t->element)));
  } else {
    f.returnKind = floats ? 0 : 2;
    f.addressCount = 1;
    ValueId level = e->c ? scalar(e->c) : m_b.constant(0u);
    ValueId i = m_b.emit(Op::ResInfo, {level}, fetchIndex(f));
    const uint32_t sizes = uint32_t(e->args.size()) - (e->prefix || ms ? 1 : 0);
    for (uint32_t k = 0; k < sizes; k++)
      results.push_back(m_b.emit(Op::Extract, {i}, k));
    if (ms) {
      f.returnKind = 2; // an integer whatever the sizes are
      ValueId s = m_b.emit(Op::SampleInfo, std::span<const ValueId>(), fetchIndex(f));
      results.push_back(m_b.emit(Op::Extract, {s}, 0));
    } else if (e->prefix) {
      results.push_back(m_b.emit(Op::Extract, {i}, 3));
    }
  }
  for (size_t k = 0; k < e->args.size() && k < results.size(); k++) {
    Place p = place(e->args[k]);
    Value v;
    v.type = p.type;
    // The sample count is an integer whatever the sizes are.
    const bool asFloat = floats && !(ms && k + 1 == e->args.size());
    v.v.push_back(convertScalar(results[k], asFloat ? Base::Float : Base::Uint, p.type->base));
    write(p, v);
  }
}

/// Load and [] of textures and Buffer.
Value Lowering::loadTexel(const Expr* e, uint32_t resource) {
  Fetch f;
  f.resource = resource;
  const ObjectKind kind = e->a->type->object;
  const bool ms = isMultisampled(kind), buffer = kind == ObjectKind::Buffer;
  std::vector<ValueId> src = expr(e->args[0]).v;
  if (e->prefix && !ms && !buffer) // operator[] has no level
    src.push_back(e->c ? scalar(e->c) : m_b.constant(0u));
  ValueId sample = kNoValue;
  if (ms)
    sample = !e->prefix ? scalar(e->args[1]) : e->c ? scalar(e->c) : m_b.constant(0u);
  if (e->b && !constantOffset(e->b, f) && !m_quiet)
    m_diagnostics.error(e->b->loc, 4566, "offset texture instructions must take offset which can resolve to integer literal in the range -8 to 7");
  // The address has a fixed layout: coordinates, array index, then the level in its place (x y z w).
  if (!ms && !buffer) {
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
  Value r = fetchResult(i, e->type);
  storeStatus(e, i);
  return r;
}

Value Lowering::method(const Expr* e) {
  Value r;
  r.type = e->type;
  const VarDecl* var = nullptr;
  uint32_t element = 0;
  if (!objectOf(e->a, var, element)) {
    objectError(e->a, false);
    return r;
  }
  const uint32_t resource = resourceIndex(var, element, false, 0, e->loc);
  switch (e->method) {
  case MethodId::GetDimensions:
    checkUav(e->a->type, e->loc);
    getDimensions(e, resource);
    return r;
  case MethodId::GetSamplePosition: {
    Fetch f;
    f.resource = resource;
    f.addressCount = 1;
    ValueId i = m_b.emit(Op::SamplePos, {scalar(e->args[0])}, fetchIndex(f));
    return fetchResult(i, e->type);
  }
  case MethodId::CalculateLevelOfDetail:
  case MethodId::CalculateLevelOfDetailUnclamped:
    return sampleMethod(e, resource);
  case MethodId::Load:
    return e->a->type->isTexture() ? loadTexel(e, resource) : memoryMethod(e, resource);
  default:
    return e->method < MethodId::Load ? sampleMethod(e, resource) : memoryMethod(e, resource);
  }
}

} // namespace monolith::compiler
