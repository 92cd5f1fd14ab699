// SPDX-License-Identifier: MIT
#include "ir/passes/pipeline.h"

namespace monolith::ir {

void optimize(Function& f) { f.link(); }

} // namespace monolith::ir
