// SPDX-License-Identifier: MIT
#include "compiler/library/graph.h"

#include "dxbc/signature.h"

#include <algorithm>

namespace monolith::compiler {

namespace {

constexpr size_t kMaxNodes = 4096, kMaxEdges = 65536, kMaxName = 256;
constexpr uint32_t kIn = 1, kOut = 2;
constexpr std::string_view kComponents = "xyzw", kColours = "rgba";

std::string quoted(const std::string& name) {
  return "'" + name + "'";
}

/// What a node takes, and what can be taken from it.
bool takes(const GraphNode& node, uint32_t parameter) {
  return node.kind == GraphNode::Kind::Output || (node.kind == GraphNode::Kind::Call && parameter > 0 && (node.parameters[parameter].flags & kIn));
}
bool gives(const GraphNode& node, uint32_t parameter) {
  return node.kind == GraphNode::Kind::Input ||
         (node.kind == GraphNode::Kind::Call && (parameter == 0 ? node.parameters[0].type != 0 : (node.parameters[parameter].flags & kOut) != 0));
}

/// Components that a swizzle names, as bits; 0 if it is none for the type.
uint32_t componentsOf(const std::string& swizzle, const dxbc::LibraryParameter& p, bool unique) {
  const std::string_view letters = !swizzle.empty() && kColours.find(swizzle[0]) != std::string_view::npos ? kColours : kComponents;
  if (swizzle.empty() || swizzle.size() > 4 || p.typeClass > 1)
    return 0;
  uint32_t bits = 0;
  for (const char c : swizzle) {
    const size_t k = letters.find(c);
    if (k >= p.columns || (unique && (bits >> k & 1)))
      return 0;
    bits |= 1u << k;
  }
  return bits;
}

std::string nameOf(const GraphNode& node, uint32_t parameter) {
  const std::string& name = node.parameters[parameter].name;
  return node.kind == GraphNode::Kind::Call ? quoted(node.function) + (parameter ? ", parameter " + quoted(name) : ", return value") : quoted(name);
}

std::string temporary(uint32_t node, uint32_t parameter) {
  return "value" + std::to_string(node) + "_" + std::to_string(parameter);
}

const char* interpolationWords(uint32_t mode) {
  static constexpr const char* kWords[] = {"", "nointerpolation ", "linear ", "centroid ", "noperspective ", "noperspective centroid ", "sample ", "noperspective sample "};
  return mode < std::size(kWords) ? kWords[mode] : "";
}

const char* directionWord(uint32_t flags) {
  return (flags & 3) == 3 ? "inout " : flags & kOut ? "out " : "in ";
}

} // namespace

bool isIdentifier(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && name.size() <= kMaxName && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string valueType(const dxbc::LibraryParameter& p) {
  const bool shape = p.typeClass <= 3 && p.rows >= 1 && p.rows <= 4 && p.columns >= 1 && p.columns <= 4 && (p.typeClass >= 2 || p.rows == 1) && (p.typeClass || p.columns == 1);
  dxbc::LibraryParameter plain = p;
  plain.flags = 0;
  const std::string text = shape && p.type != 39 ? typeText(plain) : std::string();
  return text.find("unknown") == std::string::npos && text != "void" ? text : std::string();
}

const dxbc::LibraryParameter* GraphNode::parameter(int number) const {
  const int64_t index = int64_t(number) + shift();
  return index >= 0 && index < int64_t(parameters.size()) ? &parameters[size_t(index)] : nullptr;
}

bool Graph::has(GraphNode::Kind kind) const {
  return std::any_of(m_nodes.begin(), m_nodes.end(), [kind](const GraphNode& n) { return n.kind == kind; });
}

std::string Graph::setSignature(bool inputs, std::vector<dxbc::LibraryParameter> parameters, uint32_t& node) {
  const GraphNode::Kind kind = inputs ? GraphNode::Kind::Input : GraphNode::Kind::Output;
  const std::string what = inputs ? "input signature" : "output signature";
  if (has(kind))
    return "the " + what + " is set already";
  if (inputs && has(GraphNode::Kind::Call))
    return "the input signature must be set before functions are called";
  for (size_t i = 0; i < parameters.size(); i++) {
    dxbc::LibraryParameter& p = parameters[i];
    if (!isIdentifier(p.name))
      return "the name of parameter " + std::to_string(i) + " of the " + what + " is no identifier";
    if (!isIdentifier(p.semantic))
      return what + ", parameter " + quoted(p.name) + ": invalid semantic";
    if (valueType(p).empty())
      return what + ", parameter " + quoted(p.name) + ": invalid type";
    if (p.interpolation > 7)
      return what + ", parameter " + quoted(p.name) + ": invalid interpolation mode";
    for (size_t k = 0; k < i; k++)
      if (parameters[k].name == p.name || dxbc::semanticEquals(parameters[k].semantic, p.semantic))
        return what + ", parameter " + quoted(p.name) + ": name or semantic is there already";
    p.flags = inputs ? kIn : kOut;
  }
  node = uint32_t(m_nodes.size());
  m_nodes.push_back({kind, {}, {}, std::move(parameters)});
  return {};
}

std::string Graph::call(std::string space, std::string function, std::vector<dxbc::LibraryParameter> prototype, uint32_t& node) {
  if (m_nodes.size() >= kMaxNodes)
    return "there are too many calls";
  for (const dxbc::LibraryParameter& p : prototype)
    if (valueType(p).empty() && (&p != prototype.data() || p.type))
      return quoted(function) + ": invalid type of parameter " + quoted(p.name);
  node = uint32_t(m_nodes.size());
  m_nodes.push_back({GraphNode::Kind::Call, std::move(space), std::move(function), std::move(prototype)});
  return {};
}

std::string Graph::pass(GraphEdge e, int fromNumber, int toNumber) {
  const GraphNode &from = m_nodes[e.from], &to = m_nodes[e.to];
  if (m_edges.size() >= kMaxEdges)
    return "there are too many values to pass";
  if (!from.parameter(fromNumber))
    return "the source node has no parameter " + std::to_string(fromNumber);
  if (!to.parameter(toNumber))
    return "the destination node has no parameter " + std::to_string(toNumber);
  e.fromParameter = uint32_t(fromNumber + int(from.shift()));
  e.toParameter = uint32_t(toNumber + int(to.shift()));
  const dxbc::LibraryParameter &source = from.parameters[e.fromParameter], &target = to.parameters[e.toParameter];
  if (!gives(from, e.fromParameter))
    return nameOf(from, e.fromParameter) + " is no output";
  if (!takes(to, e.toParameter))
    return nameOf(to, e.toParameter) + " is no input";
  if (to.kind == GraphNode::Kind::Call && e.from >= e.to)
    return nameOf(to, e.toParameter) + ": the value comes from a later call";
  const bool whole = e.fromSwizzle.empty() && e.toSwizzle.empty();
  const std::string names = "cannot pass " + nameOf(from, e.fromParameter) + " to " + nameOf(to, e.toParameter);
  if (whole && (source.type != target.type || source.rows != target.rows || source.columns != target.columns || (source.typeClass < 2) != (target.typeClass < 2)))
    return names + ": the types '" + valueType(source) + "' and '" + valueType(target) + "' differ";
  if (!whole) {
    if (!componentsOf(e.fromSwizzle, source, false))
      return names + ": invalid source swizzle " + quoted(e.fromSwizzle);
    if (!componentsOf(e.toSwizzle, target, true))
      return names + ": invalid destination swizzle " + quoted(e.toSwizzle);
    if (e.fromSwizzle.size() != e.toSwizzle.size() || source.type != target.type)
      return names + ": the swizzled types differ";
  }
  m_edges.push_back(std::move(e));
  return {};
}

std::vector<uint32_t> Graph::order() const {
  std::vector<uint32_t> list(m_nodes.size());
  for (uint32_t i = 0; i < list.size(); i++)
    list[i] = i;
  std::stable_partition(list.begin(), list.end(), [this](uint32_t n) { return m_nodes[n].kind != GraphNode::Kind::Output; });
  return list;
}

std::string Graph::check() const {
  if (!has(GraphNode::Kind::Input))
    return "the input signature is not set";
  if (!has(GraphNode::Kind::Output))
    return "the output signature is not set";
  for (uint32_t n = 0; n < m_nodes.size(); n++)
    for (uint32_t p = 0; p < m_nodes[n].parameters.size(); p++) {
      const dxbc::LibraryParameter& target = m_nodes[n].parameters[p];
      if (!takes(m_nodes[n], p))
        continue;
      const uint32_t all = target.typeClass > 1 ? 1u : (1u << target.columns) - 1;
      uint32_t have = 0;
      for (const GraphEdge& e : m_edges)
        if (e.to == n && e.toParameter == p)
          have |= e.toSwizzle.empty() ? all : componentsOf(e.toSwizzle, target, true);
      if (have != all)
        return nameOf(m_nodes[n], p) + (have ? " gets only a part of its value" : " gets no value");
    }
  return {};
}

std::string Graph::hlsl() const {
  std::string out, body, signature;
  std::vector<std::string> declared;
  auto text = [&](uint32_t node, uint32_t parameter) {
    return m_nodes[node].kind == GraphNode::Kind::Call ? temporary(node, parameter) : std::string(m_nodes[node].kind == GraphNode::Kind::Input ? "in_" : "out_") + m_nodes[node].parameters[parameter].name;
  };
  for (const uint32_t n : order()) {
    const GraphNode& node = m_nodes[n];
    for (uint32_t p = 0; p < node.parameters.size(); p++) {
      const dxbc::LibraryParameter& d = node.parameters[p];
      if (node.kind != GraphNode::Kind::Call)
        signature += (signature.empty() ? "  " : ",\n  ") + std::string(directionWord(d.flags)) + interpolationWords(d.interpolation) + valueType(d) + " " + text(n, p) + " : " + d.semantic;
      else if (d.type)
        body += "  " + valueType(d) + " " + text(n, p) + ";\n";
    }
    for (const GraphEdge& e : m_edges)
      if (e.to == n)
        body += "  " + text(n, e.toParameter) + (e.toSwizzle.empty() ? "" : "." + e.toSwizzle) + " = " + text(e.from, e.fromParameter) + (e.fromSwizzle.empty() ? "" : "." + e.fromSwizzle) + ";\n";
    if (node.kind != GraphNode::Kind::Call)
      continue;
    std::string arguments, parameters;
    for (uint32_t p = 1; p < node.parameters.size(); p++) {
      arguments += (p > 1 ? ", " : "") + text(n, p);
      parameters += (p > 1 ? ", " : "") + std::string(directionWord(node.parameters[p].flags)) + valueType(node.parameters[p]);
    }
    const std::string prototype = (node.parameters[0].type ? valueType(node.parameters[0]) : "void") + " " + node.function + "(" + parameters + ");";
    const std::string whole = node.space.empty() ? prototype : "namespace " + node.space + " { " + prototype + " }";
    if (std::find(declared.begin(), declared.end(), whole) == declared.end()) {
      declared.push_back(whole);
      out += whole + "\n";
    }
    body += "  " + (node.parameters[0].type ? text(n, 0) + " = " : std::string()) + (node.space.empty() ? "" : node.space + "::") + node.function + "(" + arguments + ");\n";
  }
  return out + "\nvoid main(\n" + signature + ")\n{\n" + body + "}\n";
}

} // namespace monolith::compiler
