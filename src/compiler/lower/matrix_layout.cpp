// SPDX-License-Identifier: MIT
// Whether the rows or the columns of a matrix lie together in registers. That decides how to multiply it and how its
// components are grouped.
#include "compiler/lower/lowering.h"

namespace monolith::compiler {

/// Names the register that a value lies in or the vector operation that makes it; 0: anything will do.
uint64_t Lowering::homeOf(ValueId v) const {
  const Function& f = m_module.code;
  v = m_b.resolve(v);
  while (f.insts[v].op == Op::Neg || f.insts[v].op == Op::Abs)
    v = m_b.resolve(f.pool[f.insts[v].first].id);
  const Inst& i = f.insts[v];
  const uint64_t dynamic = i.count ? m_b.resolve(f.pool[i.first].id) : 0;
  switch (i.op) {
  case Op::Const:
  case Op::Undef:
    return 0;
  case Op::Input:
    return 1ull << 60 | i.aux[0];
  case Op::Extract:
    return 2ull << 60 | dynamic;
  case Op::CbLoad:
  case Op::IcbLoad:
  case Op::TempLoad:
    return (3ull + (i.op == Op::IcbLoad) + 2 * (i.op == Op::TempLoad)) << 60 | (dynamic & 0xfffff) << 36 | uint64_t(i.aux[0] & 0xff) << 28 | (i.aux[1] & 0xfffffff);
  default:
    return 6ull << 60 | i.group;
  }
}

bool Lowering::columnsTogether(const Value& m) const {
  if (!m.type || !m.type->isMatrix())
    return false;
  const uint32_t rows = m.type->rows, cols = m.type->cols;
  if (m.v.size() < size_t(rows) * cols)
    return m.columns;
  uint32_t wholeRows = 0, wholeColumns = 0;
  auto together = [&](uint32_t first, uint32_t step, uint32_t n) {
    uint64_t home = 0;
    uint32_t known = 0;
    for (uint32_t k = 0; k < n; k++) {
      const uint64_t h = homeOf(m.v[first + k * step]);
      if (h && home && h != home)
        return false;
      home = h ? h : home;
      known += h != 0;
    }
    return known >= 2;
  };
  for (uint32_t i = 0; i < rows; i++)
    wholeRows += together(i * cols, 1, cols);
  for (uint32_t k = 0; k < cols; k++)
    wholeColumns += together(k, cols, rows);
  return wholeRows == wholeColumns ? m.columns : wholeColumns > wholeRows;
}

bool Lowering::columnsOf(const Value& a, const Value& b) const {
  auto constant = [&](const Value& v) {
    for (ValueId x : v.v)
      if (homeOf(x))
        return false;
    return true;
  };
  if (!a.type || !a.type->isMatrix() || constant(a))
    return columnsTogether(b);
  return columnsTogether(a);
}

} // namespace monolith::compiler
