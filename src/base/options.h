// SPDX-License-Identifier: MIT
/// @file
/// The MONOLITH_* environment variables, from the table options.def. Read once, on first use; any thread.
#pragma once

#include <cstdint>

namespace monolith::base {

enum class Option : uint8_t {
#define OPTION(name, fallback, text) name,
#include "base/options.def"
#undef OPTION
  Count
};

struct OptionInfo {
  const char* name;     ///< Without the prefix MONOLITH_.
  const char* fallback;
  const char* text;
};

const OptionInfo& optionInfo(Option option);
/// The value, or the default when the variable is unset. Never null; lives as long as the process.
const char* optionText(Option option);
/// The value as a number; the default's number when the text is none.
int64_t optionNumber(Option option);

} // namespace monolith::base
