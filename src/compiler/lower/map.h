// SPDX-License-Identifier: MIT
/// @file
/// Lowering::map: a numeric value made component by component, with the hints that let emission put the components into
/// one instruction again.
#pragma once

#include "compiler/lower/lowering.h"

namespace monolith::compiler {

template <typename F> Value Lowering::map(const Type* type, bool columns, F f) {
  Value r;
  r.type = type;
  r.columns = columns && type->isMatrix();
  const uint32_t n = type->components(), cols = type->cols, rows = type->rows;
  r.v.resize(n);
  if (r.columns) {
    for (uint32_t k = 0; k < cols; k++) {
      m_b.beginGroup();
      for (uint32_t i = 0; i < rows; i++) {
        m_b.lane(i);
        r.v[i * cols + k] = f(i * cols + k);
      }
    }
    return r;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (i % cols == 0)
      m_b.beginGroup();
    m_b.lane(i % cols);
    r.v[i] = f(i);
  }
  return r;
}

} // namespace monolith::compiler
