// SPDX-License-Identifier: MIT
/// @file
/// Listings of libraries: a table of the functions, then each with its parameters and its program.
#include "dxbc/library.h"
#include "dxbc/printer.h"
#include "dxbc/stat.h"

#include <algorithm>

namespace monolith::dxbc {

namespace {

const char* baseText(uint32_t type) {
  static constexpr struct {
    uint32_t type;
    const char* name;
  } kNames[] = {{1, "bool"}, {2, "int"}, {3, "float"}, {19, "uint"}, {39, "double"}, {53, "min10float"}, {54, "min16float"}, {55, "min12int"}, {56, "min16int"}, {57, "min16uint"}};
  for (const auto& n : kNames)
    if (n.type == type)
      return n.name;
  return "unknown";
}

/// "v0    1   xyz ": first register, number of registers, components of each.
std::string registersText(char letter, uint32_t first, uint32_t component, const LibraryParameter& p) {
  if (first == kNoRegister) return std::string(14, ' ');
  constexpr uint32_t kColumnMajor = 3;
  const uint32_t count = p.typeClass == kColumnMajor ? p.columns : p.rows;
  const uint32_t width = std::min(4u, p.typeClass == kColumnMajor ? p.rows : p.columns), from = std::min(component, 4 - width);
  std::string out;
  appendFormat(out, "%-4s%3u   %-4s", (letter + std::to_string(first)).c_str(), count, std::string("xyzw").substr(from, width).c_str());
  return out;
}

void parametersText(std::string& out, const std::vector<LibraryParameter>& list) {
  appendFormat(out, "//\n// Function parameter signature (return: %s, parameters: %zu):\n//\n", list[0].type ? "yes" : "no", list.size() - 1);
  out += "// Name                 SemanticName         In 1st,Num,Mask Out 1st,Num,Mask Type                           \n"
         "// -------------------- -------------------- --------------- ---------------- ------------------------------ \n";
  for (const LibraryParameter& p : list)
    appendFormat(out, "// %-20s %-20s  %s   %s %s\n", p.name.c_str(), p.semantic.c_str(), registersText('v', p.firstIn, p.firstInComponent, p).c_str(),
                 registersText('o', p.firstOut, p.firstOutComponent, p).c_str(), typeText(p).c_str());
  out += "//\n";
}

std::string functionText(const LibraryFunction& f, const DisassembleOptions& options, std::string& error) {
  Result<Container> container = parseContainer(f.container, false);
  Result<Shader> shader = parseLibraryProgram(f.container);
  if (!container || !shader) {
    error = !container ? container.error() : shader.error();
    return {};
  }
  std::string out;
  if (options.header) {
    out += headerText(*container, *shader, {}, options);
    if (const Chunk* chunk = container->find(kTagLfs0))
      if (Result<std::vector<LibraryParameter>> list = parseParameters(chunk->data)) parametersText(out, *list);
  }
  const std::string program = disassembleProgram(*shader, options);
  appendFormat(out, "lib_%u_%u\n", shader->major, shader->minor);
  out += program.substr(std::min(program.find('\n'), program.size() - 1) + 1);
  if (options.instructionCount) {
    const uint32_t count = computeStat(*shader).instructionCount;
    appendFormat(out, "// Approximately %u instruction slot%s used\n", count, count == 1 ? "" : "s");
  }
  return out;
}

} // namespace

std::string typeText(const LibraryParameter& p) {
  if (!p.type) return "void";
  std::string out = std::string(p.flags & 1 ? "in" : "") + (p.flags & 2 ? "out" : "") + (p.flags & 3 ? " " : "");
  const std::string base = baseText(p.type);
  switch (p.typeClass) {
  case 1: return out + base + std::to_string(p.columns);
  case 2: return out + "row_major " + base + std::to_string(p.rows) + "x" + std::to_string(p.columns);
  case 3: return out + base + std::to_string(p.rows) + "x" + std::to_string(p.columns);
  default: return out + base;
  }
}

Result<std::string> disassembleLibrary(std::span<const uint8_t> bytes, const DisassembleOptions& options) {
  using R = Result<std::string>;
  Result<Library> library = parseLibrary(bytes);
  if (!library) return R::failure(library.error());
  std::string out;
  if (options.header) {
    appendFormat(out, "//\n// Library:  flags %u, %zu functions:\n", library->flags, library->functions.size());
    for (size_t i = 0; i < library->functions.size(); i++) appendFormat(out, "//   %zu  %s\n", i, library->functions[i].name.c_str());
    out += "//\n// Created by:  " + library->creator + "\n//\n";
  }
  for (const LibraryFunction& f : library->functions) {
    std::string error;
    out += functionText(f, options, error);
    if (!error.empty()) return R::failure(error);
  }
  return out;
}

} // namespace monolith::dxbc
