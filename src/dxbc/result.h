// SPDX-License-Identifier: MIT
/// @file
/// A value or the reason why there is none. Nothing in this room throws on bad input.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace monolith::dxbc {

/// Holds either a value or an error text (never empty on failure).
template <typename T>
class Result {
public:
  Result(T value) : m_value(std::move(value)) {}
  static Result failure(std::string error) {
    Result r;
    r.m_error = error.empty() ? std::string("unknown error") : std::move(error);
    return r;
  }
  explicit operator bool() const { return m_value.has_value(); }
  bool ok() const { return m_value.has_value(); }
  T& value() { return *m_value; }
  const T& value() const { return *m_value; }
  T& operator*() { return *m_value; }
  const T& operator*() const { return *m_value; }
  T* operator->() { return &*m_value; }
  const T* operator->() const { return &*m_value; }
  /// Empty when ok().
  const std::string& error() const { return m_error; }

private:
  Result() = default;
  std::optional<T> m_value;
  std::string m_error;
};

} // namespace monolith::dxbc
