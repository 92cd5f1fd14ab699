// SPDX-License-Identifier: MIT
#include "ir/document.h"

#include "ir/op.h"

namespace monolith::ir {

namespace {

constexpr const char kIntroduction[] = R"(# The shader IR

This file is made from `src/ir/ops.def` (by the test `Ops.DocumentIsCurrent` with `MONOLITH_UPDATE_DOCS=1`).

One function is one shader stage. Everything is a scalar 32-bit word per lane; the operation says how words are read.
Values are defined once and may be used in the region of their definition and in regions nested in it, after the
definition. What must live longer is in *variables* (scalar, per lane, 0 at the start) or *arrays* (per lane, with
bounds). Comparisons give 0 or ~0; a condition holds if any bit is set. Doubles are two words, low word first.

## Execution

All lanes run together under a mask. Each lane is in exactly one place:

- `If c`: lanes without `c` wait for `Else` or `EndIf`.
- `Block`, `Loop`: `Break` (with level `attr2`; 0 is the innermost `Loop` or `Block`) moves lanes out; they wait at the
  end of that region. `Continue` moves lanes to the end of the innermost `Loop`, where they join for the next round.
  `EndLoop` goes back as long as a lane is left.
- There is no return. An early return is a `Break` out of a `Block` round the whole body, so the `StoreOutput`s at the
  end run for all lanes.
- `Discard` marks a pixel as dropped; the lane goes on (others need it for derivatives), but its stores to memory have
  no effect.

Pure operations may be computed for waiting lanes too; only variables, arrays, memory, outputs and branches look at the
mask. A function must be stopped from outside if it does not end (the interpreter and generated code count).

## Arithmetic

Exact meaning: `src/ir/scalar_ops.h`; exp2, log2, sine and cosine: `src/ir/math_kernels.h`, one source for the
interpreter and for generated code. Float operations treat denormal inputs as zero of the same sign and flush denormal
results; moves (`Select`, variables, loads, stores, `FNeg`, `FAbs`) keep all bits. NaN payloads are not specified, all
else is the same in every bit in every executor. Dot products are `FMul` of x, then `FMad` for y, z, w in this order.

## Operations

Flags: P pure, S effect, R reads memory or variables, F folded when constant, C the first two operands commute,
M the result is a mask, Q needs the quad. Divergence: *ops* uniform if all operands are.
)";

std::string flagsOf(const OpInfo& o) {
  const std::pair<uint16_t, char> letters[] = {{kOpPure, 'P'}, {kOpSide, 'S'},     {kOpReads, 'R'}, {kOpFold, 'F'},
                                               {kOpCommutes, 'C'}, {kOpMask, 'M'}, {kOpQuad, 'Q'}};
  std::string s;
  for (const auto& l : letters)
    if (o.flags & l.first) s += l.second;
  return s;
}

const char* attributeOf(AttrKind k) {
  switch (k) {
  case AttrKind::None: return "";
  case AttrKind::Variable: return "$variable";
  case AttrKind::Array: return "x#.c";
  case AttrKind::Icb: return "icb.c";
  case AttrKind::CBuffer: return "cb#.c";
  case AttrKind::Register: return "#register.c";
  case AttrKind::System: return "system.c";
  case AttrKind::Stream: return "stream#";
  case AttrKind::Sample: return "t#, s#, offset, component";
  case AttrKind::Resource: return "t#, offset, component";
  case AttrKind::Memory: return "t#, u# or g#";
  case AttrKind::Sync: return "flags";
  case AttrKind::Marker: return "";
  }
  return "";
}

} // namespace

std::string documentOperations() {
  static const char* const kDivergence[] = {"ops", "varying", "uniform", "state"};
  std::string s = kIntroduction;
  s += "\n| Operation | Operands | Results | Attributes | Flags | Divergence | Meaning |\n|---|---|---|---|---|---|---|\n";
  for (const OpInfo& o : kOpInfo) {
    s += std::string("| ") + o.name + " | " + std::to_string(o.minOperands);
    if (o.maxOperands != o.minOperands) s += "-" + std::to_string(o.maxOperands);
    s += " | " + std::to_string(o.results) + " | " + attributeOf(o.attr) + " | " + flagsOf(o) + " | ";
    s += kDivergence[static_cast<unsigned>(o.divergence)];
    std::string text = o.text;
    for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    s += " | " + text + " |\n";
  }
  return s;
}

} // namespace monolith::ir
