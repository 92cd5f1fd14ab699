// SPDX-License-Identifier: MIT
/// @file
/// Places in the source and the list of messages. Every message goes through Diagnostics so that number, form and
/// the rules "stop after a syntax error" and "warnings as errors" live in one place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace monolith::compiler {

/// A run of characters on one line; columns are 1-based, `endCol` is the last column of the run.
struct Location {
  uint32_t line = 0;
  uint32_t col = 0;
  uint32_t endCol = 0;
  uint32_t file = 0; ///< index into Diagnostics' names
};

/// The run from the start of `a` to the end of `b` (of `a` alone when they are on different lines).
Location span(const Location& a, const Location& b);

class Diagnostics {
public:
  /// Index of a file name, for Location::file.
  uint32_t fileIndex(const std::string& name);
  const std::string& fileName(uint32_t index) const { return m_files[index]; }
  /// Text of a file, for debug information. It must live as long as this; a "#line 1" in front names the file anew.
  void setFileText(uint32_t index, std::string_view text);
  std::string_view fileText(uint32_t index) const { return index < m_texts.size() ? m_texts[index] : std::string_view(); }

  void error(const Location& at, int number, const std::string& text);
  void warning(const Location& at, int number, const std::string& text);
  /// Message without a place ("error X3501: ...").
  void errorNoPlace(int number, const std::string& text);
  /// Adds a line in the form of the last message's number ("file(l,c): error X3013: ...").
  void note(const Location& at, int number, const std::string& text) { error(at, number, text); }

  /// After this, no more messages are taken and everyone unwinds.
  void fatal(const Location& at, int number, const std::string& text);
  bool isFatal() const { return m_fatal; }
  bool hasErrors() const { return m_errors != 0; }
  size_t errorCount() const { return m_errors; }

  void setWarningsAreErrors(bool on) { m_warningsAreErrors = on; }
  enum class WarningAction : uint8_t { Default, Disable, Once, Error };
  /// #pragma warning: holds from token `at` of the output on.
  void setWarning(int number, WarningAction action, size_t at);
  bool hasWarningMarks() const { return !m_marks.empty(); }
  /// Tells where in the source a token is: messages of later stages obey the pragmas before their place.
  void addTokenPlace(const Location& at, size_t token);

  const std::string& text() const { return m_text; }

private:
  struct WarningMark {
    int number;
    WarningAction action;
    size_t token;
  };
  WarningAction actionFor(int number, const Location& at) const;
  void line(const Location& at, const char* level, int number, const std::string& text);
  std::vector<std::string> m_files;
  std::vector<std::string_view> m_texts; ///< by file, as far as known
  std::string m_text;
  std::vector<WarningMark> m_marks;
  std::unordered_map<uint64_t, size_t> m_tokens; ///< first token of a line
  std::vector<std::string> m_seenWarnings;
  size_t m_errors = 0;
  size_t m_warnings = 0;
  bool m_fatal = false;
  bool m_warningsAreErrors = false;
};

} // namespace monolith::compiler
