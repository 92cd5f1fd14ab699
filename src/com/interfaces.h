// SPDX-License-Identifier: MIT
/// @file
/// The list of interfaces that a class answers to, as a type. All of one list lie on one inheritance chain, so one
/// pointer serves them all; from the list comes the one QueryInterface.
#pragma once

#include <unknwn.h>

namespace monolith::com {

/// Newest interface first; IUnknown is implied.
template <typename First, typename... Older> struct Interfaces {
  using Primary = First;
  static bool contains(REFIID id) {
    return id == __uuidof(IUnknown) || id == __uuidof(First) || (... || (id == __uuidof(Older)));
  }
};

/// Logs an unknown interface id, once per class name and id. Any thread.
void logUnknownInterface(const char* className, REFIID id);

} // namespace monolith::com
