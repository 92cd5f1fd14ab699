// SPDX-License-Identifier: MIT
// Sizes and sample counts that are only used as floats are asked for as floats: resinfo and sampleinfo give either.
#include "compiler/optimize/optimize.h"

#include <map>

namespace monolith::compiler {

void askForFloats(Module& module, Builder& b) {
  Function& f = module.code;
  std::map<ValueId, std::vector<ValueId>> extracts, conversions; // by query
  std::map<ValueId, uint32_t> converted;
  forEachInst(f, *f.root, [&](ValueId id) {
    const Inst& i = f.insts[id];
    if (i.op != Op::Extract && i.op != Op::UtoF)
      return;
    const Src s = f.sources(id)[0];
    const Inst& from = f.insts[s.id];
    if (i.op == Op::Extract && (from.op == Op::ResInfo || from.op == Op::SampleInfo) && module.code.fetches[from.aux[0]].returnKind == 2)
      extracts[s.id].push_back(id);
    if (i.op != Op::UtoF || i.saturate || s.neg || s.abs || from.op != Op::Extract)
      return;
    const ValueId query = f.sources(s.id)[0].id;
    if (f.insts[query].op == Op::ResInfo || f.insts[query].op == Op::SampleInfo) {
      conversions[query].push_back(id);
      converted[s.id]++;
    }
  });
  const std::vector<uint32_t> uses = countUses(f);
  for (const auto& [query, parts] : extracts) {
    bool all = true;
    for (ValueId part : parts)
      all = all && uses[part] == converted[part];
    if (!all)
      continue;
    Fetch fetch = f.fetches[f.insts[query].aux[0]]; // others may ask the same as integers
    fetch.returnKind = 0;
    f.insts[query].aux[0] = uint32_t(f.fetches.size());
    f.fetches.push_back(fetch);
    for (ValueId id : conversions[query]) {
      b.forward(id, f.sources(id)[0].id);
      f.insts[id].dead = true;
    }
  }
  b.simplifyAll();
}

} // namespace monolith::compiler
