// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <gtest/gtest.h>

TEST(Log, ErrorsAreOnByDefaultAndNoneIsNever) {
  EXPECT_TRUE(monolith::base::logEnabled(monolith::base::LogLevel::Error));
  EXPECT_FALSE(monolith::base::logEnabled(monolith::base::LogLevel::None));
}
