// SPDX-License-Identifier: MIT
/// @file
/// Temporary registers for the values of a packed program. Live ranges are runs of positions in the item list; phis and
/// their incoming values share a component where their ranges allow (a *web*), so that most edge copies vanish; then
/// bundles are placed, first fit, into registers whose components are free at those positions.
#pragma once

#include "compiler/emit/packer.h"

namespace monolith::compiler {

struct RegisterPlace {
  uint32_t reg = ~0u;
  uint8_t component = 0;
};

class Registers {
public:
  Registers(Module& module, Packer& packer) : m_module(module), m_f(module.code), m_packer(packer) {}
  void run();
  RegisterPlace place(ValueId v) { return m_places[v]; }
  uint32_t count() const { return m_count; }
  /// A register that nothing else uses, for breaking cycles of copies.
  uint32_t scratch() {
    if (m_scratch == ~0u)
      m_scratch = m_count++;
    return m_scratch;
  }

private:
  struct Range {
    uint32_t begin, end;
  };
  void liveness();
  void use(ValueId v, uint32_t item);
  void define(ValueId v, uint32_t item);
  void addRange(ValueId v, uint32_t begin, uint32_t end);
  void joinTakenOver();
  void coalesce();
  bool overlap(const std::vector<Range>& a, const std::vector<Range>& b) const;
  uint32_t webOf(ValueId v);
  void allocate();
  bool tryCoalesce(const std::vector<Copy>& pairs);

  Module& m_module;
  Function& m_f;
  Packer& m_packer;
  std::vector<std::vector<Range>> m_ranges; ///< by web root
  std::vector<uint32_t> m_web;
  std::vector<uint32_t> m_def, m_last;      ///< positions; ~0: none
  std::vector<uint32_t> m_headerOf;         ///< header phis: their loop's item; ~0: no header phi
  std::vector<uint32_t> m_lastInside;       ///< header phis: last use inside the loop
  std::vector<uint32_t> m_loopAt;           ///< item -> innermost loop item around it, ~0 none
  std::vector<RegisterPlace> m_places;
  uint32_t m_count = 0;
  uint32_t m_scratch = ~0u;
};

} // namespace monolith::compiler
