// SPDX-License-Identifier: MIT
#include "wsi/png.h"
#include "wsi/surface.h"
#include "wsi/vblank_clock.h"

#include <atomic>
#include <cstdio>
#include <gtest/gtest.h>
#include <thread>

using namespace monolith::wsi;

TEST(Surface, NullWindowIsHeadlessAndMadeUpHandlesAreRejected) {
  EXPECT_TRUE(windowIsValid(nullptr));
  EXPECT_FALSE(windowIsValid(reinterpret_cast<void*>(uintptr_t(1))));
  EXPECT_FALSE(windowIsValid(reinterpret_cast<void*>(uintptr_t(0x10001))));
  auto surface = createSurface(nullptr);
  ASSERT_TRUE(surface);
  uint32_t width = 0, height = 0;
  EXPECT_FALSE(surface->size(width, height));
  EXPECT_STREQ(surface->name(), "headless");
}

TEST(Png, WrittenPixelsAreReadBack) {
  std::vector<uint8_t> pixels(5 * 3 * 4);
  for (size_t i = 0; i < pixels.size(); i++) pixels[i] = static_cast<uint8_t>(i * 7);
  const std::string path = std::string(MONOLITH_BINARY_DIR) + "/wsi_test.png";
  ASSERT_TRUE(writePng(path, {pixels.data(), 5, 3, 20}, true));
  std::vector<uint8_t> back;
  uint32_t width = 0, height = 0;
  ASSERT_TRUE(readPng(path, back, width, height));
  EXPECT_EQ(width, 5u);
  EXPECT_EQ(height, 3u);
  EXPECT_EQ(back, pixels);
  ASSERT_TRUE(writePng(path, {pixels.data(), 5, 3, 20}));
  ASSERT_TRUE(readPng(path, back, width, height));
  EXPECT_EQ(back[3], 255) << "a screen shows no alpha";
  EXPECT_EQ(back[4], pixels[4]);
  std::remove(path.c_str());
}

TEST(Png, FolderThatIsNotThereFails) {
  uint8_t pixel[4] = {};
  EXPECT_FALSE(writePng("/nowhere/at/all.png", {pixel, 1, 1, 4}));
}

TEST(VblankClock, SteppedClockWaitsForSteps) {
  VblankClock clock(60, true);
  EXPECT_EQ(clock.count(), 0u);
  std::atomic<bool> done = false;
  std::thread waiter([&] {
    clock.waitFor(3);
    done = true;
  });
  clock.step(2);
  EXPECT_EQ(clock.count(), 2u);
  EXPECT_FALSE(done);
  clock.step(1);
  waiter.join();
  EXPECT_TRUE(done);
  EXPECT_EQ(clock.timeOf(3), 3 * clock.periodNs());
}

TEST(VblankClock, RealClockCountsPeriods) {
  VblankClock clock(500);
  const uint64_t first = clock.count();
  clock.waitFor(first + 3);
  EXPECT_GE(clock.count(), first + 3);
}
