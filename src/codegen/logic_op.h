// SPDX-License-Identifier: MIT
/// @file
/// The sixteen logic operations (17.1), for numbers and for recorded values alike.
#pragma once

#include "state/pipeline_state.h"

namespace monolith::codegen {

/// s: pixel shader output, d: target's contents. T needs ~ & | ^ and construction from 0.
template <class T> T logicBits(state::LogicOp op, T s, T d)
{
  using state::LogicOp;
  switch (op) {
  case LogicOp::Clear: return T(0u);
  case LogicOp::Set: return ~T(0u);
  case LogicOp::Copy: return s;
  case LogicOp::CopyInverted: return ~s;
  case LogicOp::Noop: return d;
  case LogicOp::Invert: return ~d;
  case LogicOp::And: return s & d;
  case LogicOp::Nand: return ~(s & d);
  case LogicOp::Or: return s | d;
  case LogicOp::Nor: return ~(s | d);
  case LogicOp::Xor: return s ^ d;
  case LogicOp::Equiv: return ~(s ^ d);
  case LogicOp::AndReverse: return s & ~d;
  case LogicOp::AndInverted: return ~s & d;
  case LogicOp::OrReverse: return s | ~d;
  case LogicOp::OrInverted: return ~s | d;
  }
  return d;
}

} // namespace monolith::codegen
