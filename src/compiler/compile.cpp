// SPDX-License-Identifier: MIT
// The order of the whole compilation.
#include "compiler/compile.h"

#include "compiler/generate.h"
#include "compiler/preprocess/preprocessor.h"
#include "compiler/syntax/parser.h"

namespace monolith::compiler {

namespace {

bool parseTarget(const std::string& name, Target& t) {
  t.name = name;
  if (name.size() < 6 || name[2] != '_')
    return false;
  static constexpr struct {
    const char* prefix;
    Stage stage;
  } stages[] = {{"ps", Stage::Pixel}, {"vs", Stage::Vertex}, {"gs", Stage::Geometry}, {"hs", Stage::Hull}, {"ds", Stage::Domain}, {"cs", Stage::Compute}};
  bool found = false;
  for (auto& s : stages)
    if (name.compare(0, 2, s.prefix) == 0) {
      t.stage = s.stage;
      found = true;
    }
  std::string model = name.substr(3);
  if (model == "4_0")
    t.model = 40;
  else if (model == "4_1")
    t.model = 41;
  else if (model == "5_0")
    t.model = 50;
  else if (model.compare(0, 12, "4_0_level_9_") == 0 && (model.substr(12) == "1" || model.substr(12) == "3" || model.substr(12) == "0")) {
    t.model = 40;
    t.level9 = true;
  } else {
    return false;
  }
  const bool tessellation = t.stage == Stage::Hull || t.stage == Stage::Domain;
  if ((tessellation && t.model < 50) || (t.level9 && t.stage != Stage::Pixel && t.stage != Stage::Vertex))
    return false;
  return found;
}

} // namespace

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
    diagnostics.errorNoPlace(3506, (effect ? "effect targets are not supported: '" : "unrecognized compiler target '") + request.target + "'");
  } else if ((request.flags & kResourcesMayAlias) && (target.stage != Stage::Compute || target.model < 50)) {
    diagnostics.errorNoPlace(3719, "the 'resources_may_alias' option is only valid for cs_5_0+ targets");
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
    if (!diagnostics.hasErrors()) {
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
