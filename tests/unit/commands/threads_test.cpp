// SPDX-License-Identifier: MIT
// Workers: that they start, wake up, take part, and work alone when nobody waits.
#include "commands/threads.h"
#include "fake_device.h"

#include <bit>
#include <chrono>
#include <sched.h>
#include <thread>

namespace monolith::commands::test {
namespace {

const float kCorners[] = {-1, 1, 0, 1, 3, 1, 0, 1, -1, -3, 0, 1};
const uint32_t kOne[4] = {1, 0, 0, 0};

void drawAll(Device& d, const TargetView* view, uint32_t draws) {
  d.clear(view, 0);
  d.pipeline();
  d.targets(view);
  d.stream(kCorners, sizeof kCorners);
  d.constants(codegen::Stage::Pixel, kOne);
  for (uint32_t i = 0; i < draws; ++i)
    d.draw(3);
}

/// Draws much until somebody besides thread 0 has helped. On a busy machine that may take some frames.
bool workersTakePart(Device& d, const TargetView* view) {
  const auto start = std::chrono::steady_clock::now();
  threadsSeen = 0;
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
    drawAll(d, view, 4);
    d.finish();
    if (std::popcount(threadsSeen.load()) > 1)
      return true;
  }
  return false;
}

} // namespace

TEST(Workers, TakePartInBigScenesOfEveryDevice) {
  Image target(512, 512);
  for (uint32_t device = 0; device < 60; ++device) {
    Device d(2 + device % 3);
    ASSERT_TRUE(d.timeline);
    // Tiny scenes first, with and without time for the workers to go to sleep.
    for (uint32_t i = 0; i < device % 7; ++i) {
      drawAll(d, &target.view, 1);
      d.finish();
      if (device % 2)
        std::this_thread::sleep_for(std::chrono::microseconds(40 * (i % 5)));
    }
    ASSERT_TRUE(workersTakePart(d, &target.view)) << device;
  }
}

/// Nobody waits: pauses around the time for which idle threads spin meet them awake, asleep, and on the way.
TEST(Workers, FinishWhatIsFlushedByThemselves) {
  Image target(64, 64);
  Device d(3);
  ASSERT_TRUE(d.timeline);
  for (uint32_t i = 0; i < 1000; ++i) {
    drawAll(d, &target.view, 1 + i % 3);
    const uint64_t serial = d.timeline->flush();
    if (i % 3) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(i * 7 % 120);
      while (std::chrono::steady_clock::now() < until) {
      }
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    while (d.timeline->completedSerial() < serial) {
      ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << i;
      std::this_thread::yield();
    }
  }
  d.finish();
}

/// A thread bound to one processor makes the device; the workers are free all the same.
TEST(Workers, AreNotBoundToTheProcessorOfTheirMaker) {
  if (availableProcessors() < 2)
    GTEST_SKIP() << "needs two processors";
  bool helped = false;
  uint32_t count = 0;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    count = availableProcessors();
    Device d(2);
    Image target(512, 512);
    helped = workersTakePart(d, &target.view);
  }).join();
  EXPECT_GE(count, 2u);
  EXPECT_TRUE(helped);
}

} // namespace monolith::commands::test
