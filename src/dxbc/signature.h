// SPDX-License-Identifier: MIT
/// @file
/// Signature chunks: the elements that a stage reads or writes. Five layouts exist; elements of 24 bytes (ISGN, OSGN,
/// PCSG), 28 bytes with a stream (OSG5) and 32 bytes with stream and minimum precision (ISG1, OSG1, PSG1).
#pragma once

#include "dxbc/result.h"
#include "dxbc/tokens.h"

#include <span>
#include <string>
#include <vector>

namespace monolith::dxbc {

/// One element of a signature.
struct SignatureElement {
  std::string semantic;          ///< as spelled in the source
  uint32_t semanticIndex = 0;
  SignatureSystemValue systemValue = SignatureSystemValue::None;
  ComponentType componentType = ComponentType::Float;
  uint32_t reg = 0;              ///< 0xffffffff: no register (depth, coverage, ...)
  uint8_t mask = 0;              ///< components of the register that belong to the element
  uint8_t rwMask = 0;            ///< inputs: components always read; outputs: components never written
  uint32_t stream = 0;           ///< geometry output stream
  MinPrecision precision = MinPrecision::None;
  bool operator==(const SignatureElement&) const = default;
};

/// A signature. Element order is that of the chunk.
struct Signature {
  uint32_t tag = 0;              ///< chunk tag it came from or shall be written as; 0: absent
  std::vector<SignatureElement> elements;
  /// Element with the semantic (ASCII case is ignored), index and stream; null if there is none.
  const SignatureElement* find(std::string_view semantic, uint32_t semanticIndex, uint32_t stream = 0) const;
};

/// Case-insensitive comparison as semantics need it.
bool semanticEquals(std::string_view a, std::string_view b);

/// System value of an element. Chunks leave pixel shader outputs without one: SV_Target and its like are told by name.
SignatureSystemValue effectiveSystemValue(const SignatureElement& element, ShaderStage stage, bool output);

/// Parses the chunk data (without tag and size). `tag` tells the layout.
Result<Signature> parseSignature(uint32_t tag, std::span<const uint8_t> data);
/// Chunk data of a signature in the layout of signature.tag.
std::vector<uint8_t> writeSignature(const Signature& signature);

} // namespace monolith::dxbc
