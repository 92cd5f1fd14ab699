// SPDX-License-Identifier: MIT
/// @file
/// Log lines to stderr, off unless asked for. One line a call, prefixed with "monolith:".
/// MONOLITH_LOG = none | error | warn | info | debug (default: error).
#pragma once

namespace monolith::base {

enum class LogLevel { None, Error, Warn, Info, Debug };

/// True if lines of this level are printed. Any thread.
bool logEnabled(LogLevel level);

/// printf-style; adds the newline. Any thread.
void logLine(LogLevel level, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Logs `text` once per process for each distinct pointer (use string literals). Level Warn.
void logOnce(const char* text);

} // namespace monolith::base
