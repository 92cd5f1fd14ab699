// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <cstdlib>
#include <string>

namespace monolith::base {
namespace {

constexpr OptionInfo kOptions[] = {
#define OPTION(name, fallback, text) {#name, fallback, text},
#include "base/options.def"
#undef OPTION
};
static_assert(sizeof kOptions / sizeof kOptions[0] == static_cast<size_t>(Option::Count));

struct Values {
  std::string text[static_cast<size_t>(Option::Count)];
  Values() {
    for (size_t i = 0; i < static_cast<size_t>(Option::Count); i++) {
      const char* value = std::getenv((std::string("MONOLITH_") + kOptions[i].name).c_str());
      text[i] = value ? value : kOptions[i].fallback;
    }
  }
};

bool parse(const char* text, int64_t& out) {
  char* end = nullptr;
  out = std::strtoll(text, &end, 10);
  return end != text && *end == 0;
}

} // namespace

const OptionInfo& optionInfo(Option option) { return kOptions[static_cast<size_t>(option)]; }

const char* optionText(Option option) {
  static const Values values;
  return values.text[static_cast<size_t>(option)].c_str();
}

int64_t optionNumber(Option option) {
  int64_t number = 0;
  if (!parse(optionText(option), number)) parse(optionInfo(option).fallback, number);
  return number;
}

} // namespace monolith::base
