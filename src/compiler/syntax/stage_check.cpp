// SPDX-License-Identifier: MIT
// Checks of what only geometry and tessellation stages have: streams and patches.
#include "compiler/syntax/parser.h"
#include "compiler/types/convert.h"

namespace monolith::compiler {

/// stream.Append(vertex) and stream.RestartStrip().
Expr* Parser::streamMethod(Expr* base, const Token& name, std::vector<Expr*> args, const Location& at) {
  const std::string quoted = "'" + std::string(name.text) + "'";
  const bool append = name.text == "Append", restart = name.text == "RestartStrip";
  if (!append && !restart) {
    m_diagnostics.error(name.loc, 3018, "invalid subscript " + quoted);
    return errorExpr(at);
  }
  if (args.size() != (append ? 1u : 0u)) {
    m_diagnostics.error(at, 3013, quoted + ": no matching " + std::to_string(args.size()) + " parameter intrinsic method");
    m_diagnostics.note(at, 3013, "Possible intrinsic methods are:");
    m_diagnostics.note(at, 3013, "    " + typeName(base->type) + "." + std::string(name.text) + (append ? "(<" + typeName(base->type->element) + ">)" : "()"));
    return errorExpr(at);
  }
  Expr* e = m_program.arena.expr();
  e->kind = ExprKind::Method;
  e->method = append ? MethodId::StreamAppend : MethodId::RestartStrip;
  e->a = base;
  e->loc = at;
  e->type = m_types.voidType();
  if (append) {
    e->args.push_back(convert(args[0], base->type->element, quoted + ": "));
    if (e->args[0]->type->isError())
      return errorExpr(at);
  }
  return e;
}

} // namespace monolith::compiler
