// SPDX-License-Identifier: MIT
#include "ir/op.h"

#include <cstring>
#include <string_view>
#include <unordered_map>

namespace monolith::ir {

const OpInfo kOpInfo[kOpCount] = {
#define IR_OP(name, minOps, maxOps, results, attr, flags, divergence, text)                                            \
  {#name, text, minOps, maxOps, results, AttrKind::attr, static_cast<uint16_t>(flags), Divergence::divergence},
#include "ir/ops.def"
#undef IR_OP
};

Op opByName(const char* name, unsigned length) {
  static const std::unordered_map<std::string_view, Op> map = [] {
    std::unordered_map<std::string_view, Op> m;
    for (unsigned i = 0; i < kOpCount; i++)
      m.emplace(kOpInfo[i].name, static_cast<Op>(i));
    return m;
  }();
  auto it = map.find(std::string_view(name, length));
  return it == map.end() ? Op::Count : it->second;
}

} // namespace monolith::ir
