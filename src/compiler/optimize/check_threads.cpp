// SPDX-License-Identifier: MIT
// What threads of a group may not do: meet at a barrier that some of them do not reach, write one place with different
// values, leave a loop by what another thread may be writing. A value is varying if it may differ between the threads
// of a group; it is unsettled if it was read from memory that threads share and no barrier has passed since.
#include "compiler/optimize/optimize.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

using dxbc::RegisterType;

struct Facts {
  bool varying = false;
  bool atomic = false; ///< what atomic operations returned: threads agree by themselves who writes it where
  bool fromUav = false;
  uint32_t read = 0; ///< place in the program of the last shared load it depends on; 0: none
  bool join(const Facts& o) {
    const Facts before = *this;
    varying = varying || o.varying;
    atomic = atomic || o.atomic;
    fromUav = fromUav || o.fromUav;
    read = std::max(read, o.read);
    return varying != before.varying || atomic != before.atomic || fromUav != before.fromUav || read != before.read;
  }
};

class Checker {
public:
  Checker(Module& module, Diagnostics& diagnostics) : m_module(module), m_f(module.code), m_diagnostics(diagnostics), m_facts(m_f.insts.size()), m_loops(m_f.controls.size()), m_temps(m_f.indexableTemps.size()) {}

  void run() {
    m_group = m_module.threads[0] * m_module.threads[1] * m_module.threads[2];
    m_compute = m_module.target.stage == Stage::Compute;
    do {
      m_changed = false;
      m_order = 0;
      m_syncs.clear();
      block(*m_f.root, {}, false);
    } while (m_changed);
    m_order = 0;
    block(*m_f.root, {}, true);
  }

private:
  struct Context {
    bool varying = false, unsettled = false, uavInLoop = false;
  };
  struct LoopFacts {
    Context exits;
    bool uav = false;
  };

  void join(ValueId id, const Facts& f) { m_changed = m_facts[id].join(f) || m_changed; }
  Facts sources(ValueId id) const {
    Facts f;
    for (const Src& s : m_f.sources(id))
      f.join(m_facts[s.id]);
    return f;
  }
  bool settledSince(uint32_t read) const {
    return std::any_of(m_syncs.begin(), m_syncs.end(), [&](uint32_t s) { return s > read && s < m_order; });
  }
  Facts input(const Inst& i) const {
    Facts f;
    if (!m_compute) {
      f.varying = true;
      return f;
    }
    const auto type = RegisterType(i.aux[0] >> 16);
    if (type == RegisterType::ThreadId || type == RegisterType::ThreadIdInGroup)
      f.varying = m_module.threads[i.aux[1] % 3] > 1;
    else if (type == RegisterType::ThreadIndexInGroup)
      f.varying = m_group > 1;
    return f;
  }
  Location place(uint32_t index) const { return index < m_module.locations.size() ? m_module.locations[index] : Location{}; }

  void barrier(const Inst& i, const Context& c, bool report) {
    if (!(i.aux[0] & dxbc::kSyncThreadsInGroup))
      return;
    if (!report) {
      m_syncs.push_back(m_order);
      return;
    }
    if (c.varying)
      m_diagnostics.error(place(i.aux[1]), 3663, "thread sync operation found in varying flow control, consider reformulating your algorithm so all threads will hit the sync simultaneously");
    else if (c.unsettled)
      m_diagnostics.error(place(i.aux[1]), 4026,
                          "thread sync operation must be in non-varying flow control, due to a potential race condition this sync is illegal, consider adding a sync after reading any values controlling "
                          "shader execution at this point");
  }

  /// A store that every thread of the group does to the same place.
  void store(ValueId id, const Context& c) {
    const Inst& i = m_f.insts[id];
    if (m_compute && m_module.target.model < 50 && m_f.fetches[i.aux[0]].space == MemorySpace::Shared) {
      const Inst& index = m_f.insts[m_f.sources(id)[0].id];
      if (index.op != Op::Input || RegisterType(index.aux[0] >> 16) != RegisterType::ThreadIndexInGroup) {
        m_diagnostics.error(place(i.aux[1]), 3668, "stores to group shared memory in " + m_module.target.name + " must be indexed by SV_GroupIndex only");
        return;
      }
    }
    if (!m_compute || m_group < 2 || c.varying || c.unsettled)
      return;
    const Fetch& f = m_f.fetches[i.aux[0]];
    const auto src = m_f.sources(id);
    const size_t first = size_t(f.addressCount) + f.scalars;
    Facts address, value;
    for (size_t k = 0; k < src.size(); k++)
      (k < first ? address : value).join(m_facts[src[k].id]);
    if (address.varying || address.read || value.atomic)
      return;
    const bool shared = f.space == MemorySpace::Shared;
    const char* what = shared ? "shared memory" : "shared resource";
    if (value.varying)
      m_diagnostics.error(place(i.aux[1]), shared ? 3695 : 3694, std::string("race condition writing to ") + what + " detected, consider making this write conditional.");
    else
      m_diagnostics.warning(place(i.aux[1]), shared ? 3584 : 3583,
                            std::string("race condition writing to ") + what + " detected, note that threads will be writing the same value, but performance may be diminished due to contention.");
  }

  void control(ValueId id, const Context& c, bool report) {
    const Inst& i = m_f.insts[id];
    Control& k = m_f.controls[i.aux[0]];
    auto phis = [&](const std::vector<ValueId>& list, const std::vector<ValueId>& values) {
      for (size_t n = 0; n < list.size() && n < values.size(); n++)
        join(list[n], m_facts[values[n]]);
    };
    if (i.op == Op::Loop) {
      LoopFacts& loop = m_loops[i.aux[0]];
      phis(k.headerPhis, k.init);
      for (auto& e : k.continues)
        phis(k.headerPhis, e);
      Context inside = c;
      inside.varying = inside.varying || loop.exits.varying;
      inside.unsettled = inside.unsettled || loop.exits.unsettled;
      inside.uavInLoop = false;
      block(*k.blocks[0], inside, report);
      for (auto& e : k.breaks)
        phis(k.phis, e);
      Facts exit;
      exit.varying = loop.exits.varying && !c.varying;
      for (ValueId p : k.phis)
        join(p, exit);
      if (report && loop.uav && !(k.attributes & kAttrAllowUav))
        m_diagnostics.error(place(k.location), 3671, "loop termination conditions in varying flow control cannot depend on data read from a UAV");
      return;
    }
    Facts condition = sources(id);
    Context inside = c;
    inside.varying = inside.varying || condition.varying;
    inside.unsettled = inside.unsettled || (condition.read && !settledSince(condition.read));
    inside.uavInLoop = inside.uavInLoop || condition.fromUav;
    std::vector<Block*> blocks;
    for (Block* b : k.blocks)
      if (b)
        blocks.push_back(b);
    for (SwitchCase& s : k.cases)
      blocks.push_back(s.block);
    for (Block* b : blocks) {
      block(*b, inside, report);
      phis(k.phis, b->yield);
    }
    for (ValueId p : k.phis)
      join(p, condition);
  }

  void block(Block& b, const Context& c, bool report) {
    for (ValueId id : b.insts) {
      const Inst& i = m_f.insts[id];
      m_order++;
      Facts f = sources(id);
      switch (i.op) {
      case Op::If:
      case Op::Loop:
      case Op::Switch:
        control(id, c, report);
        continue;
      case Op::Break:
      case Op::Continue: {
        LoopFacts& loop = m_loops[i.aux[0]];
        const LoopFacts before = loop;
        loop.exits.varying = loop.exits.varying || c.varying;
        loop.exits.unsettled = loop.exits.unsettled || c.unsettled;
        loop.uav = loop.uav || (i.op == Op::Break && c.uavInLoop);
        m_changed = m_changed || before.exits.varying != loop.exits.varying || before.exits.unsettled != loop.exits.unsettled || before.uav != loop.uav;
        continue;
      }
      case Op::Sync:
        barrier(i, c, report);
        continue;
      case Op::Input:
      case Op::VertexInput:
        f.join(input(i));
        break;
      case Op::LdRawMem:
      case Op::LdStructuredMem:
      case Op::LdUavTyped:
        if (m_f.fetches[i.aux[0]].space == MemorySpace::View)
          break;
        f.read = m_order;
        f.fromUav = f.fromUav || m_f.fetches[i.aux[0]].space == MemorySpace::Uav;
        break;
      case Op::TempStore:
        m_changed = m_temps[i.aux[0]].join(f) || m_changed;
        break;
      case Op::TempLoad:
        f.join(m_temps[i.aux[0]]);
        break;
      case Op::StoreRaw:
      case Op::StoreStructured:
      case Op::StoreUavTyped:
        if (report)
          store(id, c);
        break;
      default:
        if (hasTrait(i.op, kMemory)) // atomic operations and counters
          f.varying = f.atomic = true;
        break;
      }
      join(id, f);
    }
  }

  Module& m_module;
  Function& m_f;
  Diagnostics& m_diagnostics;
  std::vector<Facts> m_facts;
  std::vector<LoopFacts> m_loops;
  std::vector<Facts> m_temps;
  std::vector<uint32_t> m_syncs;
  uint32_t m_order = 0, m_group = 1;
  bool m_compute = false, m_changed = false;
};

} // namespace

bool checkThreads(Module& module, Diagnostics& diagnostics) {
  bool memory = false;
  forEachInst(module.code, *module.code.root, [&](ValueId id) { memory = memory || (hasTrait(module.code.insts[id].op, kMemory) && module.code.insts[id].op != Op::TempLoad && module.code.insts[id].op != Op::TempStore); });
  const size_t before = diagnostics.errorCount();
  if (memory)
    Checker(module, diagnostics).run();
  return diagnostics.errorCount() == before;
}

} // namespace monolith::compiler
