// SPDX-License-Identifier: MIT
/// @file
/// A shader described as calls of library functions that pass values to each other. A graph holds only what was checked:
/// names are identifiers, types are numeric, values go from earlier nodes to later ones (the outputs come last).
#pragma once

#include "dxbc/library.h"

#include <string>
#include <vector>

namespace monolith::compiler {

struct GraphNode {
  enum class Kind : uint8_t { Input, Output, Call };
  Kind kind = Kind::Input;
  std::string space, function; ///< calls
  /// Parameters by their number; of calls the return value comes first (its number is -1).
  std::vector<dxbc::LibraryParameter> parameters;

  uint32_t shift() const { return kind == Kind::Call ? 1 : 0; }
  /// Null if there is none of that number.
  const dxbc::LibraryParameter* parameter(int number) const;
};

struct GraphEdge {
  uint32_t from = 0, to = 0; ///< nodes
  uint32_t fromParameter = 0, toParameter = 0; ///< indices into GraphNode::parameters
  std::string fromSwizzle, toSwizzle; ///< of xyzw, of one length; empty: the whole value
};

/// All functions that can fail return the message, without its end of line; empty if all is well.
class Graph {
public:
  std::string setSignature(bool inputs, std::vector<dxbc::LibraryParameter> parameters, uint32_t& node);
  std::string call(std::string space, std::string function, std::vector<dxbc::LibraryParameter> prototype, uint32_t& node);
  std::string pass(GraphEdge edge, int fromNumber, int toNumber);
  /// Whether every input of every node has a value.
  std::string check() const;
  /// The graph as source; functions are declared, not defined.
  std::string hlsl() const;

  const std::vector<GraphNode>& nodes() const { return m_nodes; }
  const std::vector<GraphEdge>& edges() const { return m_edges; }
  /// Nodes in the order in which they get their values.
  std::vector<uint32_t> order() const;

private:
  bool has(GraphNode::Kind kind) const;
  std::vector<GraphNode> m_nodes;
  std::vector<GraphEdge> m_edges;
};

bool isIdentifier(std::string_view name);
/// "float4", "row_major float2x3"; empty if the type is none that a value can have.
std::string valueType(const dxbc::LibraryParameter& parameter);

} // namespace monolith::compiler
