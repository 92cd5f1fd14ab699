// SPDX-License-Identifier: MIT
// The order of the whole compilation.
#include "compiler/compile.h"

#include "compiler/emit/container.h"
#include "compiler/lower/lowering.h"
#include "compiler/optimize/optimize.h"
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
  } stages[] = {{"ps", Stage::Pixel}, {"vs", Stage::Vertex}};
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
  return found;
}

bool generate(Program& program, FunctionDecl& entry, const Target& target, const CompileRequest& request, Diagnostics& diagnostics, CompileResult& result) {
  LoweringOptions options;
  options.preferFlowControl = request.flags & kPreferFlowControl;
  options.avoidFlowControl = request.flags & kAvoidFlowControl;
  options.skipOptimization = request.flags & kSkipOptimization;
  std::set<const VarDecl*> memoryVars;
  for (int attempt = 0; attempt < 16; attempt++) {
    auto module = std::make_unique<Module>();
    module->target = target;
    module->program = &program;
    module->entry = entry.name;
    module->precise = request.flags & kIeeeStrictness;
    for (const Attribute& a : entry.attributes)
      module->earlyDepthStencil = module->earlyDepthStencil || (a.name == "earlydepthstencil" && target.stage == Stage::Pixel);
    if (!layoutSignatures(*module, entry, diagnostics, target.level9 || (request.flags & kEnableBackwardsCompatibility)))
      return false;
    Lowering lowering(*module, diagnostics, options, memoryVars);
    bool ok = lowering.run(entry);
    if (!ok && lowering.needsRestart() && !diagnostics.hasErrors()) {
      memoryVars = lowering.memoryVars();
      continue;
    }
    if (!ok)
      return false;
    optimize(module->code, lowering.builder(), options);
    Packer packer(*module);
    packer.run();
    if (!assignSlots(*module, packer, diagnostics))
      return false;
    Registers registers(*module, packer);
    registers.run();
    Codegen codegen(*module, packer, registers);
    std::vector<dxbc::Instruction> code = codegen.run();
    if (!codegen.error.empty()) {
      diagnostics.errorNoPlace(4505, codegen.error);
      return false;
    }
    result.container = writeContainer(*module, codegen, std::move(code), request.flags);
    return !result.container.empty();
  }
  return false;
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
    diagnostics.errorNoPlace(3506, "unrecognized compiler target '" + request.target + "'");
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
      if (f->name == request.entry && f->body)
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
