// SPDX-License-Identifier: MIT
/// @file
/// Adds instructions to a Function. Each is simplified and looked up among those already made (in this block or one
/// around it) before it is added, so that lowering may write whatever is simplest.
#pragma once

#include "compiler/lower/ir.h"

#include <initializer_list>
#include <utility>

namespace monolith::compiler {

class Builder {
public:
  explicit Builder(Function& f) : m_f(f) { m_block = f.root; }

  Function& function() { return m_f; }
  Block* block() { return m_block; }

  /// Enters a nested block; what is known there is forgotten at leave.
  void enter(Block* b);
  void leave(Block* outer);

  ValueId constant(uint32_t bits);
  ValueId constant(float v);
  ValueId constantDouble(double v);
  ValueId undef();
  ValueId freshUndef(); ///< one that is like no other
  /// A pure or effectful instruction; sources are value ids.
  ValueId emit(Op op, std::initializer_list<ValueId> sources, uint32_t a0 = 0, uint32_t a1 = 0, uint32_t a2 = 0);
  ValueId emit(Op op, std::span<const ValueId> sources, uint32_t a0 = 0, uint32_t a1 = 0, uint32_t a2 = 0);
  ValueId phi();
  ValueId control(Op op, ValueId source, uint32_t index, uint32_t edge = 0);

  /// Instructions emitted now belong to a new vector operation; lane(n) sets the component.
  void beginGroup() {
    m_group++;
    m_step = 0;
  }
  void lane(uint32_t n) {
    m_lane = uint8_t(n);
    m_step = 0;
  }
  /// Doubles are split into words from now on.
  void setExpanded() { m_expanded = true; }
  void setPrecise(bool on) { m_precise = on; }
  bool precise() const { return m_precise; }
  /// Whether products and sums will become mads.
  void setContracts(bool on) { m_contracts = on; }
  /// What constants were products of counts no longer: a statement begins.
  void forgetProducts() { m_products.clear(); }
  /// Operations made now need no more than this precision, if it is of their kind (float or integer).
  dxbc::MinPrecision setPrecision(dxbc::MinPrecision p) { return std::exchange(m_precision, p); }

  ValueId resolve(ValueId id) const;
  /// Uses of `id` mean `to` from now on.
  void forward(ValueId id, ValueId to) {
    if (id != to)
      m_forward[id] = to;
  }

  /// One more pass of simplification over everything; returns true if something changed.
  bool simplifyAll();

  struct Checkpoint {
    size_t blockSize, undoSize, scopeCount;
    Block* block;
  };
  Checkpoint checkpoint() const { return {m_block->insts.size(), m_undo.size(), m_scopes.size(), m_block}; }
  /// Drops what was emitted since.
  void rollback(const Checkpoint& c);

  // Shorthands
  ValueId add(ValueId a, ValueId b) { return emit(Op::Add, {a, b}); }
  ValueId sub(ValueId a, ValueId b) { return emit(Op::Add, {a, neg(b)}); }
  ValueId mul(ValueId a, ValueId b) { return emit(Op::Mul, {a, b}); }
  ValueId mad(ValueId a, ValueId b, ValueId c) { return add(mul(a, b), c); }
  ValueId neg(ValueId a) { return emit(Op::Neg, {a}); }
  bool isBool(ValueId id, int depth = 0) const;
  size_t emitted() const { return m_f.insts.size(); }

private:
  bool simplify(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool foldConstant(const Inst& inst, std::span<const Src> src, ValueId& replacement);
  void noteProduct(const Inst& inst, std::span<const Src> src, ValueId result);
  void foldContracted(std::span<const Src> src, uint32_t& out);
  bool simplifyDouble(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool simplifyFloat(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool foldsWithGroup(const Inst& inst) const;
  static constexpr uint8_t kSelectsSame = 1, kSelectsAnd = 2;
  bool selectsWithGroup(const Inst& inst, std::span<const Src> src, uint8_t kind) const;
  void noteSelect(const Inst& inst);
  void findFoldingGroups(const Block& block);
  bool simplifyProduct(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool simplifyDot(Inst& inst, std::span<Src> src, ValueId& replacement);
  ValueId add(Inst inst, std::span<const ValueId> sources);
  /// An instruction that a rule puts before another one.
  ValueId emitBeside(const Inst& like, Op op, std::initializer_list<ValueId> sources);
  bool simplifyInteger(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool simplifyCompare(Inst& inst, std::span<Src> src, ValueId& replacement);
  bool simplifySelect(Inst& inst, std::span<Src> src, ValueId& replacement);
  uint64_t hash(const Inst& inst, std::span<const Src> src) const;
  ValueId find(uint64_t h, const Inst& inst, std::span<const Src> src);
  bool idleOperand(Op op, const Src& s) const;
  void remember(uint64_t h, ValueId id);
  void popScope(size_t undoSize);
  bool simplifyBlock(Block& block);
  void resolveList(std::vector<ValueId>& list);
  bool simplifyControl(ValueId id, std::vector<ValueId>& out, bool& spliced);
  bool simplifyPhis(Control& c, Op op);

  Function& m_f;
  Block* m_block;
  std::unordered_map<uint32_t, ValueId> m_constants;
  std::unordered_map<uint64_t, ValueId> m_doubles;
  struct Product {
    ValueId a = kNoValue, b = kNoValue;
    uint64_t order = 0;
  };
  std::unordered_map<ValueId, Product> m_products; ///< constants that are products of two others
  uint64_t m_productCount = 0;
  std::unordered_map<ValueId, ValueId> m_forward;
  std::unordered_multimap<uint64_t, ValueId> m_known;
  std::vector<std::pair<uint64_t, ValueId>> m_undo;
  std::vector<size_t> m_scopes;
  ValueId m_undef = kNoValue;
  uint32_t m_group = 0;
  uint32_t m_step = 0; ///< operation within the lane: the n-th operations of all lanes belong together
  uint8_t m_lane = 0;
  bool m_precise = false;
  dxbc::MinPrecision m_precision = dxbc::MinPrecision::None;
  bool m_expanded = false;
  bool m_contracts = true;
  bool m_lowering = true;                         ///< until the first simplifyAll
  std::unordered_map<uint32_t, uint32_t> m_groupFolds; ///< operand of which every lane of a vector operation does nothing; ~0: some lane works
  std::unordered_map<uint32_t, uint8_t> m_groupSelects; ///< what all lanes of a choice between constants can become
  std::unordered_map<uint32_t, uint32_t> m_groupAlias; ///< vector operation -> the equal one whose lanes it shares
};

/// Result of an operation on constants, as the machine computes it; false if it is not known here.
bool foldOp(Op op, std::span<const uint32_t> in, uint32_t& out);
/// The same for operations on doubles; sources and result as 64 bits, words in the low half.
bool foldDouble(Op op, std::span<const uint64_t> in, uint64_t& out);

} // namespace monolith::compiler
