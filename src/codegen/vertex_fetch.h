// SPDX-License-Identifier: MIT
/// @file
/// Fetch of one input element for eight vertices: addresses from indices, bounds check, load and conversion.
#pragma once

#include "codegen/texel.h"
#include "state/pipeline_state.h"

namespace monolith::codegen {

/// The part that is the same for all vertices of a call; recorded before the vertex loop.
struct ElementFetch {
  state::InputElement element;
  simd::Pointer base;
  simd::Word stride;
  simd::Word count; ///< indices below it lie inside the buffer
};

/// `streams`: address of the abi::VertexStream table.
ElementFetch prepareFetch(const state::InputElement& element, simd::Pointer streams);

/// The element of each lane's index; a vertex outside the buffer has 0 in all components. `block`: 32 bytes of stack.
Channels fetchElement(const ElementFetch& fetch, simd::Int index, simd::Pointer block);

} // namespace monolith::codegen
