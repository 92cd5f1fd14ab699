// SPDX-License-Identifier: MIT
// The machine rounds a product and the sum that it goes into once (mad, see contractMads). Sums of literals do the same:
// what a constant was the product of is remembered within a statement.
#include "compiler/lower/builder.h"

namespace monolith::compiler {

void Builder::noteProduct(const Inst& inst, std::span<const Src> src, ValueId result) {
  if (inst.op == Op::Mul && !inst.precise) {
    m_products[result] = {src[0].id, src[1].id, ++m_productCount};
    return;
  }
  const auto of = m_products.find(src[0].id);
  if (inst.op != Op::Neg || inst.precise || of == m_products.end()) {
    m_products.erase(result); // the same number, but no product this time
    return;
  }
  const Product p = of->second; // -(a * b) is (-a) * b
  m_products[result] = {constant(m_f.bits(p.a) ^ 0x80000000u), p.b, ++m_productCount};
}

/// The sum of two constants of which one is a product; of two products the older one, as contractMads() chooses.
void Builder::foldContracted(std::span<const Src> src, uint32_t& out) {
  const Product* chosen = nullptr;
  size_t other = 0;
  for (size_t k = 0; k < 2; k++)
    if (const auto p = m_products.find(src[k].id); p != m_products.end() && (!chosen || p->second.order < chosen->order)) {
      chosen = &p->second;
      other = 1 - k;
    }
  if (!chosen || src[0].id == src[1].id)
    return;
  const uint32_t in[3] = {m_f.bits(chosen->a), m_f.bits(chosen->b), m_f.bits(src[other].id)};
  foldOp(Op::Mad, in, out);
}

} // namespace monolith::compiler
