// SPDX-License-Identifier: MIT
#include "compiler/preprocess/source.h"

#include <algorithm>

namespace monolith::compiler {

namespace {
constexpr size_t kMaxErrors = 100;
constexpr size_t kMaxWarnings = 400;
} // namespace

Location span(const Location& a, const Location& b) {
  Location r = a;
  if (a.file == b.file && a.line == b.line && b.endCol >= a.endCol)
    r.endCol = b.endCol;
  return r;
}

void Diagnostics::setFileText(uint32_t index, std::string_view text) {
  constexpr std::string_view kRename = "#line 1 \"";
  const size_t quote = text.find('"', kRename.size()), end = text.find('\n');
  if (text.substr(0, kRename.size()) == kRename && quote < end && end != std::string_view::npos) {
    index = fileIndex(std::string(text.substr(kRename.size(), quote - kRename.size())));
    text.remove_prefix(end + 1);
  }
  if (m_texts.size() <= index)
    m_texts.resize(index + 1);
  m_texts[index] = text;
}

uint32_t Diagnostics::fileIndex(const std::string& name) {
  for (uint32_t i = 0; i < m_files.size(); i++)
    if (m_files[i] == name)
      return i;
  m_files.push_back(name);
  return uint32_t(m_files.size() - 1);
}

void Diagnostics::line(const Location& at, const char* level, int number, const std::string& text) {
  if (at.line) {
    m_text += at.file < m_files.size() ? m_files[at.file] : std::string();
    m_text += '(' + std::to_string(at.line) + ',' + std::to_string(at.col);
    if (at.endCol > at.col)
      m_text += '-' + std::to_string(at.endCol);
    m_text += "): ";
  }
  m_text += level;
  m_text += " X" + std::to_string(number) + ": " + text + '\n';
}

void Diagnostics::error(const Location& at, int number, const std::string& text) {
  if (m_fatal)
    return;
  line(at, "error", number, text);
  if (++m_errors >= kMaxErrors)
    m_fatal = true;
}

void Diagnostics::errorNoPlace(int number, const std::string& text) {
  error(Location{}, number, text);
}

void Diagnostics::fatal(const Location& at, int number, const std::string& text) {
  error(at, number, text);
  m_fatal = true;
}

void Diagnostics::warning(const Location& at, int number, const std::string& text) {
  if (m_fatal)
    return;
  const WarningAction action = actionFor(number, at);
  if (action == WarningAction::Disable)
    return;
  // The same place can be lowered many times (inlining, unrolling); one line is enough.
  std::string key = std::to_string(number);
  if (action != WarningAction::Once)
    key += ':' + std::to_string(at.file) + ':' + std::to_string(at.line) + ':' + std::to_string(at.col) + text;
  if (std::find(m_seenWarnings.begin(), m_seenWarnings.end(), key) != m_seenWarnings.end())
    return;
  if (m_warningsAreErrors || action == WarningAction::Error) {
    m_seenWarnings.push_back(key);
    error(at, 3129, text);
    return;
  }
  if (m_warnings++ >= kMaxWarnings)
    return;
  m_seenWarnings.push_back(key);
  line(at, "warning", number, text);
}

void Diagnostics::setWarning(int number, WarningAction action, size_t at) {
  m_marks.push_back({number, action, at});
}

void Diagnostics::addTokenPlace(const Location& at, size_t token) {
  m_tokens.emplace(uint64_t(at.file) << 32 | at.line, token);
}

Diagnostics::WarningAction Diagnostics::actionFor(int number, const Location& at) const {
  const auto place = m_tokens.find(uint64_t(at.file) << 32 | at.line);
  WarningAction action = WarningAction::Default;
  for (const WarningMark& m : m_marks)
    if (m.number == number && (place == m_tokens.end() || m.token <= place->second))
      action = m.action;
  return action;
}

} // namespace monolith::compiler
