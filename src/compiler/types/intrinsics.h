// SPDX-License-Identifier: MIT
/// @file
/// The table of intrinsic functions and the choice of their types for given arguments.
#pragma once

#include "compiler/types/type.h"

#include <span>

namespace monolith::compiler {

enum class IntrinsicId : uint8_t {
#define INTRINSIC(id, name, result, params, model) id,
#include "compiler/types/intrinsics.def"
#undef INTRINSIC
};

struct Intrinsic {
  IntrinsicId id;
  const char* name;
  const char* result;
  const char* params;
  int model;
};

/// Null if there is no intrinsic of that name.
const Intrinsic* findIntrinsic(std::string_view name);
/// The form that takes `arguments`; the first one if none does.
const Intrinsic* findIntrinsic(std::string_view name, size_t arguments);
/// Whether a call writes its n-th argument (out parameters, targets of atomic operations).
bool writesArgument(const Intrinsic& intrinsic, size_t n);
uint32_t parameterCount(const Intrinsic& intrinsic);

struct IntrinsicTypes {
  bool ok = false;
  const Type* result = nullptr;
  std::vector<const Type*> params;
  std::vector<bool> out;
};
/// Types for a call with arguments of the given types; !ok if they do not fit.
IntrinsicTypes resolveIntrinsic(const Intrinsic& intrinsic, std::span<const Type* const> args, TypeTable& types);

} // namespace monolith::compiler
