// SPDX-License-Identifier: MIT
/// @file
/// From scalars in structured control to a linear list of vector operations. Scalars become one operation when they do
/// the same thing and each of their sources lies in one register; to make that so, values are gathered into *bundles*:
/// values of one bundle get different components of one temporary register. Values that an instruction needs together
/// (addresses, dot products) are put into one bundle first, by copies where nothing else helps.
#pragma once

#include "compiler/lower/module.h"

namespace monolith::compiler {

enum class ItemKind : uint8_t { Alu, Dot, Pair, Fetch, Store, TempStore, Discard, Copies, If, Else, EndIf, Loop, EndLoop, Switch, Case, EndSwitch, Break, Continue, Emit, Sync };

struct Copy {
  ValueId dst = kNoValue, src = kNoValue;
};

struct Item {
  ItemKind kind = ItemKind::Alu;
  Op op = Op::None;
  bool nonZero = true;          ///< If, Break, Continue: test
  std::vector<ValueId> lanes;   ///< instructions packed together; Fetch: the instruction itself
  std::vector<ValueId> results; ///< values made (Fetch: the Extracts)
  std::vector<ValueId> second;  ///< SinCos and UDiv: values of the second destination
  Src condition;                ///< If, Switch, Discard; Break and Continue if conditional
  bool conditional = false;
  std::vector<Copy> copies;
  std::vector<uint32_t> labels; ///< Case
  bool isDefault = false;
  uint32_t match = 0;           ///< Loop: its EndLoop
};

/// A place in an output register that a value is made in directly.
struct OutputPlace {
  bool direct = false;
  uint32_t reg = 0; ///< type << 16 | number
  uint8_t component = 0;
  uint8_t also = 0; ///< mask of further components that get the same value
};

class Packer {
public:
  explicit Packer(Module& module);
  void run();

  std::vector<Item> items;
  std::vector<OutputPlace> outputs; ///< by value
  std::vector<bool> carried;        ///< header phis that some edge hands on unchanged: they last through the loop
  std::vector<ValueId> pairOf;      ///< by value: the other word of a double in neighbouring components; 0: none
  std::vector<bool> highWord;       ///< by value: the second of its pair
  std::vector<ValueId> takesOver;   ///< by value: the value whose component it gets, which is not read behind it; 0: none
  /// Root of the bundle of a value.
  uint32_t bundleOf(ValueId v);
  const std::vector<ValueId>& bundleMembers(uint32_t root) { return m_members[root]; }
  bool isTemp(ValueId v) const;
  /// Merges if the result fits into one register.
  bool mergeBundles(std::span<const ValueId> values);
  /// Merges two bundles whatever their size (some of their values share a component).
  void joinBundles(ValueId a, ValueId b);
  size_t valueCount() const { return m_parent.size(); }

private:
  void findDirectOutputs();
  void gatherResults(Block& block);
  void gatherSources(Block& block);
  void materializeIndices(Block& block);
  bool tupleFits(std::span<const Src> tuple);
  bool mayShare(ValueId x, ValueId y) const;
  bool recompute(size_t first, size_t count, std::vector<ValueId>& before);
  void dropUnused();
  void listExtracts();
  void fixTuple(size_t first, size_t count, std::vector<ValueId>& before);
  void notePair(ValueId low, ValueId high);
  void gatherPairs(Block& block);
  bool pairFits(Src low, Src high) const;
  void fixPair(size_t first, std::vector<ValueId>& before);
  ValueId makeCopy(Src s, uint32_t lane);
  bool samePrecision(std::span<const ValueId> values) const;
  dxbc::MinPrecision commonPrecision(std::span<const Src> tuple) const;
  void grow();
  void pack(Block& block);
  void packControl(ValueId id);
  bool ready(ValueId id) const;
  bool joins(const Item& item, ValueId id);
  bool laneCompatible(std::span<const Src> tuple, bool allowMerge, std::vector<ValueId>& merge);
  void addLane(Item& item, ValueId id);
  void edgeCopies(const std::vector<ValueId>& phis, const std::vector<ValueId>& values);
  bool sameSource(const Src& a, const Src& b) const;
  bool fitsOneRegister(std::span<const ValueId> values);
  std::vector<uint32_t> rootsOf(std::span<const ValueId> values);
  size_t placesOf(std::span<const uint32_t> roots, std::vector<std::pair<ValueId, ValueId>>* shares = nullptr);
  bool canTakeOver(ValueId by, ValueId from) const;
  void noteBlocks(const Block& block);
  void noteItem(ValueId id);
  void gatherPlain(std::span<const Src> tuple);
  bool arePartners(ValueId x, ValueId y);
  void sinkToPartners(Block& block);
  void pairSecond(Item& item, const std::vector<ValueId>& insts, size_t from);

  Module& m_module;
  Function& m_f;
  std::vector<uint32_t> m_parent;
  std::vector<std::vector<ValueId>> m_members;
  std::vector<uint32_t> m_uses;
  std::vector<bool> m_done;
  std::unordered_map<ValueId, std::vector<ValueId>> m_extracts; ///< of each fetch
  uint32_t m_copyGroup = 0;
  dxbc::MinPrecision m_copyPrecision = dxbc::MinPrecision::None;
  std::vector<std::pair<Src, ValueId>> m_indexCopies; ///< by materializeIndices, of the blocks around
  bool m_emits = false; ///< outputs are written more than once
  bool m_packing = false; ///< uses and blocks are final: components may be taken over
  std::vector<const Block*> m_blockOf;
  static constexpr uint32_t kNever = ~0u;
  std::vector<uint32_t> m_madeAt, m_diedAt; ///< items that make a value and read it last
  /// Copies made in the block at hand, by the tuple they stand for.
  std::vector<std::pair<std::vector<Src>, std::vector<Src>>> m_copied, m_copiedPairs;
};

} // namespace monolith::compiler
