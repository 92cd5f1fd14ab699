// SPDX-License-Identifier: MIT
/// @file
/// Short ways to compile a text and to look at the result.
#pragma once

#include "compiler/compile.h"
#include "dxbc/disassemble.h"
#include "dxbc/validate.h"

#include <gtest/gtest.h>

namespace monolith::compiler::test {

inline CompileResult build(const std::string& text, const std::string& target = "ps_5_0", const std::string& entry = "main", uint32_t flags = 0) {
  CompileRequest r;
  r.source = text;
  r.sourceName = "t.hlsl";
  r.target = target;
  r.entry = entry;
  r.flags = flags;
  return compile(r);
}

/// The instructions without declarations, one a line; the messages if it does not compile or validate.
inline std::string code(const std::string& text, const std::string& target = "ps_5_0", const std::string& entry = "main", uint32_t flags = 0) {
  CompileResult r = build(text, target, entry, flags);
  if (!r.ok)
    return r.messages;
  auto shader = dxbc::loadShader(r.container);
  if (!shader)
    return shader.error();
  std::string out;
  for (const dxbc::Instruction& i : shader->instructions)
    if (!i.isDeclaration())
      out += dxbc::disassembleInstruction(i, *shader) + "\n";
  while (out.find(" \n") != std::string::npos)
    out.erase(out.find(" \n"), 1);
  return out;
}

inline size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t p = text.find(word); p != std::string::npos; p = text.find(word, p + 1))
    n++;
  return n;
}

} // namespace monolith::compiler::test
