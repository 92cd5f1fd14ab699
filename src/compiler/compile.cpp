// SPDX-License-Identifier: MIT
#include "compiler/compile.h"

namespace monolith::compiler {

CompileResult compile(const CompileRequest& request) {
  CompileResult r;
  r.messages = request.sourceName + ": error X3501: '" + request.entry + "': entrypoint not found\n";
  return r;
}

PreprocessResult preprocess(const CompileRequest& request) {
  PreprocessResult r;
  r.text = std::string(request.source);
  r.messages = "error X1000: preprocessing is not built yet\n";
  return r;
}

} // namespace monolith::compiler
