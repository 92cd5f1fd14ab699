// SPDX-License-Identifier: MIT
/// @file
/// Enumerations of the API may hold any number when an application passes them. Reading one that its type does not
/// name is undefined in C++, so checks look at the bits first.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace monolith::base {

template <typename E> uint32_t raw(const E& e) {
  static_assert(std::is_enum_v<E> && sizeof(E) == 4);
  uint32_t bits;
  std::memcpy(&bits, &e, sizeof bits);
  return bits;
}

} // namespace monolith::base
