// SPDX-License-Identifier: MIT
/// @file
/// Which conversions exist and how the overload choice ranks them.
#pragma once

#include "compiler/syntax/ast.h"

namespace monolith::compiler {

struct Conversion {
  bool possible = false;
  bool truncates = false; ///< drops components: warning X3206
  uint32_t cost = 0;      ///< 0: same type
};

Conversion implicitConversion(const Type* from, const Type* to);
/// What a cast in the source may do.
bool explicitConversion(const Type* from, const Type* to);
/// Textures, samplers and buffers in a type, all members and elements counted.
uint32_t objectCount(const Type* type);
bool sameType(const Type* a, const Type* b); ///< equal but for matrix order
/// True if `base` is a base of `t` or an interface that it has.
bool derivesFrom(const Type* t, const Type* base);

/// A scalar value known at parse time.
struct ConstantValue {
  Base base = Base::Int;
  uint64_t u = 0; ///< two's complement for int; 0 or 1 for bool
  double f = 0;   ///< for floating-point bases
  int64_t asInt() const;
  double asFloat() const;
  bool asBool() const { return isFloatBase(base) ? f != 0 : u != 0; }
};
/// Value of a scalar constant expression (literals, static const variables, operators).
bool evaluateConstant(const Expr* e, ConstantValue& value, int depth = 0);

} // namespace monolith::compiler
