// SPDX-License-Identifier: MIT
// Every container of the collection parses and is written back bit for bit.
#include "unit/dxbc/corpus.h"

#include "dxbc/validate.h"
#include "dxbc/writer.h"

#include <cstring>

using namespace monolith;
using namespace monolith::dxbc;

TEST(Corpus, ParsesAndWritesIdenticalPrograms) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  EXPECT_GE(files.size(), 600u);
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Shader> shader = parseShader(bytes);
    ASSERT_TRUE(shader) << f << ": " << shader.error();
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container);
    const Chunk* chunk = container->find(shader->programTag);
    ASSERT_NE(chunk, nullptr);
    std::vector<uint32_t> words = writeProgram(shader->stage, shader->major, shader->minor, shader->instructions);
    ASSERT_EQ(words.size() * 4, chunk->data.size()) << f;
    EXPECT_EQ(std::memcmp(words.data(), chunk->data.data(), chunk->data.size()), 0) << f;
  }
}

TEST(Corpus, ContainersAreRebuiltBitForBit) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container) << f << ": " << container.error();
    ContainerBuilder builder;
    for (const Chunk& c : container->chunks) builder.add(c.tag, std::vector<uint8_t>(c.data.begin(), c.data.end()));
    std::vector<uint8_t> again = builder.build();
    EXPECT_TRUE(again.size() == container->bytes.size() &&
                std::memcmp(again.data(), bytes.data(), again.size()) == 0)
        << f;
  }
}

TEST(Corpus, SignaturesRoundTrip) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container);
    for (const Chunk& c : container->chunks) {
      if (c.tag != kTagIsgn && c.tag != kTagOsgn && c.tag != kTagIsg1 && c.tag != kTagOsg1) continue;
      Result<Signature> s = parseSignature(c.tag, c.data);
      ASSERT_TRUE(s) << f << ": " << s.error();
      std::vector<uint8_t> again = writeSignature(*s);
      EXPECT_TRUE(again.size() == c.data.size() && std::memcmp(again.data(), c.data.data(), again.size()) == 0) << f;
    }
  }
}

TEST(Corpus, IsValid) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  for (const auto& f : files) {
    Result<Shader> shader = loadShader(test::readFile(f));
    EXPECT_TRUE(shader) << f.filename() << ": " << shader.error();
  }
}
