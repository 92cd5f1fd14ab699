// SPDX-License-Identifier: MIT
#include "fake_device.h"

#include <random>

namespace monolith::commands::test {
namespace {

constexpr float kFull[] = {-1, -1, 0.5f, 1, -1, 3, 0.5f, 1, 3, -1, 0.5f, 1}; // one triangle over the whole view
constexpr uint32_t kColors[16] = {1};

class Threads : public testing::TestWithParam<uint32_t> {};

TEST_P(Threads, ClearDrawCopy) {
  Device d(GetParam());
  ASSERT_TRUE(d.timeline);
  EXPECT_EQ(d.timeline->threadCount(), GetParam());
  Image target(200, 150), staging(200, 150);
  d.clear(&target.view, 7);
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, kColors);
  d.draw(3);
  d.draw(3);
  d.copy(staging.texture.get(), target.texture.get());
  d.finish();
  EXPECT_EQ(staging.at(0, 0), (7u * 5 + 1) * 5 + 1);
  EXPECT_EQ(staging.at(199, 149), (7u * 5 + 1) * 5 + 1);
}

TEST_P(Threads, ClearsThatAreNeverReadCostNothing) {
  Device d(GetParam());
  Image target(4096, 4096);
  d.clear(&target.view, 7);
  d.finish();
  EXPECT_EQ(target.at(0, 0), 0u);
  d.r().push<Materialize>()->texture = target.texture.get();
  d.finish();
  EXPECT_EQ(target.at(4095, 4095), 7u);
}

/// Thousands of small draws, each with constants of its own, whose order matters at every pixel.
uint64_t smallDraws(uint32_t threads, uint64_t budget, uint32_t flushEvery = 0) {
  Device d(threads, budget);
  Image target(333, 222);
  std::mt19937 random(1);
  std::vector<float> vertices;
  for (int i = 0; i < 36; ++i)
    for (int k = 0; k < 4; ++k)
      vertices.push_back(k == 3 ? 1.0f : k == 2 ? 0.5f : float(random() % 1000) / 1000 - 0.5f);
  struct Constants {
    float move[4];
    uint32_t color[4];
  };
  std::vector<Constants> constants(3000);
  d.clear(&target.view, 1);
  d.pipeline();
  d.targets(&target.view);
  d.stream(vertices.data(), vertices.size() * 4);
  for (size_t i = 0; i < constants.size(); ++i) {
    constants[i] = {{float(random() % 2000) / 1000 - 1, float(random() % 2000) / 1000 - 1, 0, 0}, {uint32_t(random()) | 1, 0, 0, 0}};
    d.constants(codegen::Stage::Vertex, constants[i].move);
    if (i % 3 == 0)
      d.constants(codegen::Stage::Pixel, constants[i].color);
    d.draw(36);
    if (flushEvery && i % flushEvery == 0)
      d.timeline->flush();
  }
  d.r().push<Materialize>()->texture = target.texture.get();
  d.finish();
  EXPECT_EQ(d.routines->vertexCalls, 1);
  EXPECT_EQ(d.routines->pixelCalls, 1);
  return target.hash();
}

TEST_P(Threads, ResultsDoNotDependOnThreadsBudgetOrFlushes) {
  static const uint64_t expected = smallDraws(1, 64u << 20);
  EXPECT_EQ(smallDraws(GetParam(), 64u << 20), expected);
  EXPECT_EQ(smallDraws(GetParam(), 300'000), expected); // runs early, many times
  EXPECT_EQ(smallDraws(GetParam(), 64u << 20, 100), expected);
}

uint64_t bigMesh(uint32_t threads, uint64_t budget) {
  Device d(threads, budget);
  Image target(640, 480);
  constexpr uint32_t kN = 180;
  std::vector<float> vertices;
  for (uint32_t y = 0; y <= kN; ++y)
    for (uint32_t x = 0; x <= kN; ++x)
      vertices.insert(vertices.end(), {float(x) / kN * 2.2f - 1.1f, float(y) / kN * 2.2f - 1.1f, float((x * y) % 7) / 6.5f, 1});
  std::vector<uint32_t> indices;
  for (uint32_t y = 0; y < kN; ++y)
    for (uint32_t x = 0; x < kN; ++x) {
      const uint32_t a = y * (kN + 1) + x, b = a + kN + 1;
      indices.insert(indices.end(), {a, b, a + 1, a + 1, b, b + 1});
    }
  d.clear(&target.view, 1);
  d.pipeline();
  d.targets(&target.view);
  d.stream(vertices.data(), vertices.size() * 4);
  d.indices(indices.data(), indices.size() * 4, 4);
  d.constants(codegen::Stage::Pixel, kColors);
  d.drawIndexed(uint32_t(indices.size()));
  d.r().push<Materialize>()->texture = target.texture.get();
  d.finish();
  return target.hash();
}

TEST_P(Threads, BigDrawsAreSplit) {
  static const uint64_t expected = bigMesh(1, 64u << 20);
  EXPECT_EQ(bigMesh(GetParam(), 64u << 20), expected);
  EXPECT_EQ(bigMesh(GetParam(), 2'000'000), expected);
}

TEST_P(Threads, ReadingWhatASceneWroteEndsIt) {
  Device d(GetParam());
  Image a(64, 64), b(64, 64);
  resources::ShaderView view;
  view.texture = a.texture;
  makeTextureView(*a.texture, abi::ViewDimension::Texture2D, Format::R32_UINT, 0, 1, 0, 1, view.view);
  d.clear(&a.view, 2);
  d.clear(&b.view, 0);
  d.pipeline();
  d.targets(&a.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, kColors);
  d.draw(3); // a = 11
  d.pipeline(&d.psTexture);
  d.targets(&b.view);
  d.resource(&view);
  d.draw(3); // b = 12
  d.clear(&a.view, 100); // after the draw that reads it
  d.draw(3); // b = 12 * 5 + 101, with the view still bound
  d.r().push<Materialize>()->texture = b.texture.get();
  d.finish();
  EXPECT_EQ(b.at(63, 63), 12u * 5 + 101);
}

TEST_P(Threads, UpdatesKeepTheirPlaceInTheStream) { // REQ: D0232
  Device d(GetParam());
  Image target(16, 16), staging(16, 16);
  for (uint32_t i = 0; i < 2000; ++i) {
    uint8_t* data = d.r().allocateUpload(16 * 16 * 4);
    for (uint32_t k = 0; k < 256; ++k)
      std::memcpy(data + k * 4, &i, 4);
    auto* c = d.r().push<UpdateTexture>();
    c->dest = target.texture.get();
    c->source = data;
    c->rowPitch = 64;
    c->slicePitch = 0;
    c->region = {0, 0, 0, 0, 0, 16, 16, 1};
    if (i == 1000)
      d.copy(staging.texture.get(), target.texture.get());
    if (i % 100 == 0)
      d.timeline->flush();
  }
  d.finish();
  EXPECT_EQ(staging.at(15, 15), 1000u);
  EXPECT_EQ(target.at(15, 15), 1999u);
}

TEST_P(Threads, BufferUpdatesBetweenDraws) {
  Device d(GetParam());
  Image target(64, 64);
  std::vector<uint8_t> constants(1024), other(1024);
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, constants.data());
  uint32_t expected = 0;
  for (uint32_t i = 1; i < 50; ++i) {
    for (auto* dest : {&constants, &other}) {
      auto* c = d.r().push<UpdateBuffer>(16);
      c->dest = dest->data();
      c->size = 16;
      c->source = reinterpret_cast<uint8_t*>(c + 1);
      const uint32_t value[4] = {i};
      std::memcpy(c + 1, value, 16);
    }
    d.draw(3);
    expected = expected * 5 + i;
  }
  d.finish();
  EXPECT_EQ(target.at(3, 3), expected);
}

TEST(ReadRanges, FindOverlaps) {
  ReadRanges r;
  std::vector<uint8_t> memory(1 << 20);
  r.add(memory.data(), 16);
  r.add(memory.data() + 300000, 200000);
  EXPECT_TRUE(r.overlaps(memory.data(), 1));
  EXPECT_TRUE(r.overlaps(memory.data() + 499999, 10));
  EXPECT_FALSE(r.overlaps(memory.data() + 500000, 10));
  EXPECT_FALSE(r.overlaps(memory.data() + 100000, 256));
  EXPECT_FALSE(r.overlaps(memory.data(), 0));
  r.clear();
  EXPECT_FALSE(r.overlaps(memory.data(), 1 << 20));
}

TEST_P(Threads, UploadsStayWithinTheBudget) {
  Device d(GetParam(), 4u << 20);
  Image target(512, 512);
  for (uint32_t i = 0; i < 40; ++i) {
    uint8_t* data = i & 1 ? d.r().allocateUpload(1u << 20) : d.r().allocateMapped(1u << 20);
    std::memset(data, int(i), 1u << 20);
    auto* c = d.r().push<UpdateTexture>();
    c->dest = target.texture.get();
    c->source = data;
    c->rowPitch = 2048;
    c->slicePitch = 0;
    c->region = {0, 0, 0, 0, 0, 512, 512, 1};
    if (!(i & 1))
      d.r().releaseMapped(data);
  }
  d.finish();
  EXPECT_EQ(target.at(511, 511), 39u * 0x01010101u);
}

TEST_P(Threads, Occlusion) { // REQ: A0130
  Device d(GetParam());
  Image target(128, 128);
  queries::Query one, two;
  one.kind = queries::QueryKind::Occlusion;
  two.kind = queries::QueryKind::PipelineStatistics;
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, kColors);
  d.draw(3);
  d.query(one, true);
  d.draw(3);
  d.query(two, true);
  d.draw(3, 0, 2);
  d.query(one, false);
  d.draw(3);
  d.query(two, false);
  d.finish();
  EXPECT_EQ(two.statistics[0], 9u);
  EXPECT_EQ(two.statistics[1], 3u);
  EXPECT_EQ(two.statistics[2], 9u);
  EXPECT_EQ(two.statistics[5], 3u);
  EXPECT_EQ(two.statistics[6], 3u);
  EXPECT_EQ(two.statistics[7], 128u * 128 * 2 + 128u * (128 - 16)); // REQ: A0391
  EXPECT_EQ(one.result, 128u * 128 * 2 + 128u * (128 - 16)) << "the second instance is moved by an eighth of the view";
}

TEST_P(Threads, EventsTimestampsAndCallbacks) {
  Device d(GetParam());
  Image target(64, 64);
  queries::Query t0, t1;
  t0.kind = t1.kind = queries::QueryKind::Timestamp;
  d.query(t0, false);
  d.clear(&target.view, 3);
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, kColors);
  d.draw(3);
  struct Seen {
    Image* image;
    uint32_t value;
  } seen = {&target, 0};
  auto* c = d.r().push<Callback>();
  c->call = [](void* user) {
    auto* s = static_cast<Seen*>(user);
    s->value = s->image->at(5, 5);
  };
  c->user = &seen;
  d.query(t1, false);
  d.finish();
  EXPECT_EQ(seen.value, 16u);
  EXPECT_GE(t1.result, t0.result);
  EXPECT_GT(t0.result, 0u);
}

TEST_P(Threads, RetireesLiveUntilTheirWorkIsDone) {
  Device d(GetParam());
  std::atomic<int> alive{0};
  struct Object {
    std::atomic<int>& count;
    explicit Object(std::atomic<int>& c) : count(c) { ++count; }
    ~Object() { --count; }
  };
  for (int i = 0; i < 50; ++i) {
    auto image = std::make_shared<Image>(256, 256);
    d.clear(&image->view, 1);
    d.pipeline();
    d.targets(&image->view);
    d.stream(kFull, sizeof kFull);
    d.constants(codegen::Stage::Pixel, kColors);
    d.draw(3);
    d.timeline->retire(std::move(image));
    d.timeline->retire(std::make_shared<Object>(alive));
    if (i % 7 == 0)
      d.timeline->flush();
  }
  EXPECT_GT(alive.load(), 0);
  d.finish();
  d.finish();
  EXPECT_EQ(alive.load(), 0);
}

TEST_P(Threads, RecordingWithoutFlushReusesVersions) {
  Device d(GetParam());
  Image target(64, 64);
  auto buffer = resources::Buffer::create(16, true);
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 60000; ++i) {
    uint8_t* data = buffer->rename(d.timeline->completedSerial(), d.timeline->recordingSerial());
    const uint32_t color[4] = {i};
    std::memcpy(data, color, 16);
    d.constants(codegen::Stage::Pixel, data);
    if (i % 1000 == 0) {
      d.draw(3);
      expected = expected * 5 + i;
    }
    if (i % 20000 == 19999)
      d.timeline->wait(d.timeline->recordingSerial() - 1);
  }
  d.finish();
  EXPECT_EQ(target.at(1, 1), expected);
  EXPECT_LT(buffer->versionCount(), 60000u);
}

TEST_P(Threads, HungShadersRemoveTheDevice) {
  Device d(GetParam());
  Image target(64, 64);
  const uint32_t deadly[4] = {0xdead0000u};
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, deadly);
  d.draw(3);
  EXPECT_FALSE(d.timeline->hung());
  d.finish();
  EXPECT_TRUE(d.timeline->hung());
  d.clear(&target.view, 9);
  d.draw(0xffffffffu, 0, 0xffffffffu); // dropped, or this would take for ever
  d.finish();
}

TEST_P(Threads, IndirectDrawsReadTheirArgumentsWhenTheyExecute) {
  Device d(GetParam());
  Image target(64, 64);
  uint32_t arguments[5] = {};
  const uint16_t indices[] = {9, 9, 0, 1, 2};
  d.pipeline();
  d.targets(&target.view);
  d.stream(kFull, sizeof kFull);
  d.indices(indices, sizeof indices, 2);
  d.constants(codegen::Stage::Pixel, kColors);
  const auto update = [&](std::initializer_list<uint32_t> values) {
    auto* c = d.r().push<UpdateBuffer>(20);
    c->dest = reinterpret_cast<uint8_t*>(arguments);
    c->size = values.size() * 4;
    c->source = reinterpret_cast<uint8_t*>(c + 1);
    std::copy(values.begin(), values.end(), reinterpret_cast<uint32_t*>(c + 1));
  };
  const auto draw = [&](uint32_t indexed) {
    auto* c = d.r().push<DrawIndirect>();
    c->arguments = reinterpret_cast<uint8_t*>(arguments);
    c->indexed = indexed;
  };
  draw(0); // nothing
  update({3, 1, 0, 0});
  draw(0);
  update({3, 1, 2, 0, 0});
  draw(1);
  d.finish();
  EXPECT_EQ(target.at(5, 5), 6u);
}

TEST_P(Threads, DrawsWithNothingBoundAreSkipped) {
  Device d(GetParam());
  Image target(64, 64);
  d.draw(3);
  d.targets(&target.view);
  d.draw(3);
  d.pipeline();
  d.draw(0);
  d.draw(3); // no vertex stream: all vertices 0, a degenerate triangle
  d.drawIndexed(3);
  d.pipeline(nullptr, state::Topology::Patch1);
  d.draw(3);
  d.finish();
  EXPECT_EQ(target.hash(), Image(64, 64).hash());
}

TEST_P(Threads, ManyFramesReuseChunks) {
  Device d(GetParam());
  Image target(64, 64), staging(64, 64);
  for (uint32_t frame = 0; frame < 60; ++frame) {
    d.clear(&target.view, float(frame));
    d.pipeline();
    d.targets(&target.view);
    d.stream(kFull, sizeof kFull);
    for (int i = 0; i < 300; ++i) {
      d.constants(codegen::Stage::Pixel, kColors);
      if (i == 299)
        d.draw(3);
    }
    d.copy(staging.texture.get(), target.texture.get());
    if (frame & 1) {
      d.finish();
      ASSERT_EQ(staging.at(1, 1), frame * 5 + 1);
    } else {
      d.timeline->flush();
    }
  }
}

/// State that is set once stays current over chunks and scenes.
TEST_P(Threads, StateOutlivesItsChunk) {
  Device d(GetParam());
  Image a(64, 64), b(64, 64);
  d.pipeline();
  d.stream(kFull, sizeof kFull);
  d.constants(codegen::Stage::Pixel, kColors);
  for (int i = 0; i < 2000; ++i) {
    d.targets(i & 1 ? &a.view : &b.view);
    d.draw(3);
  }
  d.finish();
  uint32_t expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected = expected * 5 + 1;
  EXPECT_EQ(a.at(9, 9), expected);
  EXPECT_EQ(b.at(9, 9), expected);
}

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(1u, 2u, 3u, 8u));

TEST(Print, NamesEveryCommand) {
  Device d(1);
  Image target(8, 8);
  auto* c = d.r().push<ClearColor>();
  c->view = &target.view;
  c->rectCount = 0;
  c->color[0] = 0.5f;
  c->color[1] = c->color[2] = c->color[3] = 0;
  EXPECT_NE(printCommand(&c->header).find("ClearColor"), std::string::npos);
  EXPECT_NE(printCommand(&c->header).find("R32_UINT 8x8"), std::string::npos);
  EXPECT_STREQ(commandName(uint16_t(CommandType::EndSerial)), "EndSerial");
  EXPECT_EQ(commandName(uint16_t(CommandType::EndOfChunk)), nullptr);
  d.finish();
}

} // namespace
} // namespace monolith::commands::test
