// SPDX-License-Identifier: MIT
#include "base/options.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace monolith::base;

namespace {
// Values are read once per process, so the variables are set before any test runs.
const bool prepared = [] {
  setenv("MONOLITH_THREADS", "3", 1);
  setenv("MONOLITH_VSYNC_HZ", "often", 1);
  unsetenv("MONOLITH_CAPTURE");
  return true;
}();
} // namespace

TEST(Options, UnsetVariableGivesTheTablesDefault) {
  ASSERT_TRUE(prepared);
  EXPECT_STREQ(optionText(Option::CAPTURE), "");
  EXPECT_EQ(optionNumber(Option::THREADS), 3);
  EXPECT_EQ(optionNumber(Option::VSYNC_HZ), 60) << "a value that is no number counts as unset";
}

TEST(Options, EveryOptionHasANameAndAText) {
  for (int i = 0; i < static_cast<int>(Option::Count); i++) {
    const OptionInfo& info = optionInfo(static_cast<Option>(i));
    EXPECT_GT(std::strlen(info.name), 1u);
    EXPECT_GT(std::strlen(info.text), 10u) << info.name;
  }
}
