// SPDX-License-Identifier: MIT
#include "ir/passes/pipeline.h"

#include "ir/passes/cse.h"
#include "ir/passes/dce.h"
#include "ir/passes/fold.h"
#include "ir/passes/forward.h"
#include "ir/passes/hoist.h"
#include "ir/passes/rewrite.h"

namespace monolith::ir {

const Pass kPasses[] = {
    {"forward", forwardVariables},
    {"fold", foldConstants},
    {"hoist", hoistReads},
    {"cse", eliminateCommon},
    {"dce", removeDead},
    {"compact", compact},
};
const unsigned kPassCount = sizeof(kPasses) / sizeof(*kPasses);

void optimize(Function& f) {
  f.link();
  for (const Pass& p : kPasses)
    p.run(f);
}

} // namespace monolith::ir
