// SPDX-License-Identifier: MIT
/// @file
/// The passes between lowering and emission, in one list (optimize()). Simplification and common subexpressions are the
/// builder's; here is what needs a view of the whole function.
#pragma once

#include "compiler/lower/builder.h"
#include "compiler/lower/lowering.h"

namespace monolith::compiler {

/// Runs all passes.
void optimize(Module& module, Builder& b, const LoweringOptions& options, Diagnostics& diagnostics);

/// Small branches without effects become conditional moves; conditional discards lose their branch.
bool flattenBranches(Function& f, Builder& b, const LoweringOptions& options);
/// Gradients leave branches that differ between pixels (X4121). True if something moved.
bool hoistGradients(Module& module, Builder& b, Diagnostics& diagnostics);
/// Negation, absolute value and saturation move into the instructions around them.
void foldModifiers(Function& f, Builder& b);
/// Chains of products: constants meet, the square of a root goes. True if something changed.
bool reassociate(Function& f, Builder& b);
/// Shifts and masks become bit field instructions (shader model 5). True if something changed.
bool useBitFields(Function& f, Builder& b);
/// Sizes that are only used as floats are asked for as floats.
void askForFloats(Module& module, Builder& b);
/// a * b + c -> mad.
void contractMads(Function& f);
/// Values that meet keep the precision that they share.
void settlePrecision(Module& module);
/// Indexed inputs are read in place. True if something changed.
bool readInputArrays(Module& module, Builder& b);
/// Splits doubles into words; false if there are none.
bool expandDoubles(Function& f, Builder& b);
/// Neighbouring words of buffers and group memory are read and written together.
void mergeMemory(Module& module);
/// Removes everything that no effect depends on.
void removeDead(Function& f);

/// Errors of threads of a group that get in each other's way (barriers, races). False after an error.
bool checkThreads(Module& module, Diagnostics& diagnostics);

/// Warnings and errors about variables that are read before they are set.
void checkUndefined(Module& module, Diagnostics& diagnostics);

/// Errors of shaders for feature level 9. False after an error.
bool checkLevel9(Module& module, Diagnostics& diagnostics);

/// Number of uses of each value (sources, block arguments).
std::vector<uint32_t> countUses(const Function& f);
/// Calls visit(inst id) for each instruction, in order, nested blocks included.
template <typename F> void forEachInst(Function& f, Block& block, F&& visit) {
  for (size_t i = 0; i < block.insts.size(); i++) {
    ValueId id = block.insts[i];
    visit(id);
    if (!hasTrait(f.insts[id].op, kControl) || f.insts[id].op == Op::Break || f.insts[id].op == Op::Continue)
      continue;
    Control& c = f.controls[f.insts[id].aux[0]];
    for (Block* b : c.blocks)
      if (b)
        forEachInst(f, *b, visit);
    for (SwitchCase& k : c.cases)
      forEachInst(f, *k.block, visit);
  }
}

} // namespace monolith::compiler
