// SPDX-License-Identifier: MIT
// The order of the whole compilation.
#include "compiler/compile.h"

#include "compiler/generate.h"
#include "compiler/library/compile_library.h"
#include "compiler/preprocess/preprocessor.h"
#include "compiler/syntax/parser.h"
#include "compiler/target.h"

namespace monolith::compiler {

CompileResult compile(const CompileRequest& request) {
  CompileResult result;
  Diagnostics diagnostics;
  diagnostics.setWarningsAreErrors(request.flags & kWarningsAreErrors);
  TokenPool pool;
  Program program;
  PreprocessorOutput tokens;
  Target target;
  const bool known = parseTarget(request.target, target);
  Preprocessor preprocessor(request, pool, diagnostics);
  if (!known) {
    const bool effect = request.target.compare(0, 3, "fx_") == 0;
    if (effect)
      diagnostics.warning(Location{}, 4717, "Effects deprecated for D3DCompiler_47");
    diagnostics.errorNoPlace(3506, (effect ? "effect targets are not supported: '" : "unrecognized compiler target '") + request.target + "'");
  } else if ((request.flags & kResourcesMayAlias) && (target.stage != Stage::Compute || target.model < 50)) {
    diagnostics.errorNoPlace(3719, "the 'resources_may_alias' option is only valid for cs_5_0+ targets");
  } else if (target.library && !request.entry.empty()) {
    diagnostics.errorNoPlace(3713, "entry point must not be specified for libraries. Mark entry points of the library with the 'export' keyword");
  } else if (preprocessor.run(tokens)) {
    ParserOptions options;
    options.rowMajor = request.flags & kPackMatrixRowMajor;
    options.compatibility = request.flags & kEnableBackwardsCompatibility;
    options.strict = request.flags & kEnableStrictness;
    options.model = target.model;
    Parser parser(tokens, diagnostics, program, options);
    parser.run();
    FunctionDecl* entry = nullptr;
    for (FunctionDecl* f : program.functions)
      if (f->name == request.entry && f->body && f->global)
        entry = f;
    if (!diagnostics.hasErrors() && target.library) {
      layoutConstantBuffers(program, diagnostics);
      if (!diagnostics.hasErrors())
        result.ok = compileLibrary(program, target, request, printTokens(tokens, diagnostics, true), diagnostics, result);
    } else if (!diagnostics.hasErrors()) {
      if (!entry) {
        diagnostics.errorNoPlace(3501, "'" + request.entry + "': entrypoint not found");
      } else {
        layoutConstantBuffers(program, diagnostics);
        if (!diagnostics.hasErrors())
          result.ok = generate(program, *entry, target, request, diagnostics, result);
      }
    }
  }
  if (diagnostics.hasErrors() || !result.ok) {
    result.ok = false;
    result.container.clear();
    if (!diagnostics.hasErrors())
      diagnostics.errorNoPlace(4505, "internal error: code generation failed");
  }
  result.messages = diagnostics.text();
  return result;
}

PreprocessResult preprocess(const CompileRequest& request) {
  PreprocessResult result;
  Diagnostics diagnostics;
  TokenPool pool;
  PreprocessorOutput tokens;
  Preprocessor preprocessor(request, pool, diagnostics);
  result.ok = preprocessor.run(tokens);
  if (result.ok)
    result.text = printTokens(tokens, diagnostics);
  result.messages = diagnostics.text();
  return result;
}

} // namespace monolith::compiler
