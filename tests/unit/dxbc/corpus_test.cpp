// SPDX-License-Identifier: MIT
// Every container of the collection parses and is written back bit for bit.
#include "unit/dxbc/corpus.h"

#include "dxbc/disassemble.h"
#include "dxbc/rdef.h"
#include "dxbc/spdb.h"
#include "dxbc/stat.h"
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

TEST(Corpus, ResourceDefinitionsRoundTrip) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  uint32_t seen = 0, identical = 0;
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container);
    const Chunk* chunk = container->find(kTagRdef);
    if (!chunk) continue;
    seen++;
    Result<Rdef> rdef = parseRdef(chunk->data);
    ASSERT_TRUE(rdef) << f << ": " << rdef.error();
    std::vector<uint8_t> again = writeRdef(*rdef);
    Result<Rdef> second = parseRdef(again);
    ASSERT_TRUE(second) << f << ": " << second.error();
    EXPECT_TRUE(*second == *rdef) << f;
    identical += again.size() == chunk->data.size() && std::memcmp(again.data(), chunk->data.data(), again.size()) == 0;
  }
  EXPECT_GE(seen, 200u);
  EXPECT_EQ(identical, seen) << "written as Microsoft's compiler does";
}

TEST(Corpus, StatisticsRoundTrip) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container);
    const Chunk* chunk = container->find(kTagStat);
    if (!chunk) continue;
    Result<Stat> stat = parseStat(chunk->data);
    ASSERT_TRUE(stat) << f;
    std::vector<uint8_t> again = writeStat(*stat, chunk->data.size() > kStatWords4 * 4 ? 5 : 4);
    EXPECT_TRUE(again.size() == chunk->data.size() && std::memcmp(again.data(), chunk->data.data(), again.size()) == 0)
        << f;
  }
}

TEST(Corpus, Disassembles) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  for (const auto& f : files) {
    Result<std::string> text = disassemble(test::readFile(f));
    ASSERT_TRUE(text) << f << ": " << text.error();
    EXPECT_EQ(text->find("unknown"), std::string::npos) << f;
    EXPECT_NE(text->find("\nret \n"), std::string::npos) << f;
  }
}

// Microsoft's program databases give every instruction a line, and lines go up within a function mostly.
TEST(Corpus, ProgramDatabases) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  uint32_t seen = 0;
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    ASSERT_TRUE(container);
    const Chunk* chunk = container->find(kTagSpdb);
    if (!chunk) continue;
    seen++;
    Result<Shader> shader = parseShader(bytes);
    ASSERT_TRUE(shader);
    Result<DebugInfo> info = parseSpdb(chunk->data, *shader);
    ASSERT_TRUE(info) << f << ": " << info.error();
    EXPECT_FALSE(info->files.empty());
    for (const DebugFile& file : info->files) EXPECT_NE(file.name.find("Shader@0x"), std::string::npos) << file.name;
    ASSERT_FALSE(info->lines.empty());
    for (const DebugLine& line : info->lines) {
      ASSERT_LT(line.file, info->files.size()) << f;
      EXPECT_GT(line.line, 0u);
      EXPECT_LT(line.line, 10000u);
    }
    EXPECT_NE(disassemble(bytes)->find("\n#line "), std::string::npos);
    // Damage is refused or read, never more.
    std::vector<uint8_t> bad(chunk->data.begin(), chunk->data.end());
    for (size_t n = 0; n < bad.size(); n += 7) {
      const uint8_t old = bad[n];
      bad[n] ^= 0xff;
      parseSpdb(bad, *shader);
      if (n % 63 == 0) parseSpdb(std::span(bad).first(n), *shader);
      bad[n] = old;
    }
  }
  EXPECT_GE(seen, 10u);
}

// Counts of computeStat() against those of Microsoft's compiler. Versions before 10 counted some copies that are not
// in the program.
TEST(Corpus, StatisticsAreCounted) {
  auto files = test::corpusFiles();
  SKIP_WITHOUT_CORPUS(files);
  struct Column {
    uint32_t Stat::* field;
    const char* name;
    uint32_t allowed;  ///< shaders of old compilers that may differ
    uint32_t seen = 0; ///< those that do
  };
  Column columns[] = {{&Stat::instructionCount, "instructions", 0},
                      {&Stat::tempRegisterCount, "temps", 0},
                      {&Stat::defCount, "defs", 0},
                      {&Stat::dclCount, "dcls", 0},
                      {&Stat::floatInstructionCount, "float", 4},
                      {&Stat::intInstructionCount, "int", 0},
                      {&Stat::uintInstructionCount, "uint", 0},
                      {&Stat::staticFlowControlCount, "static flow", 0},
                      {&Stat::dynamicFlowControlCount, "dynamic flow", 0},
                      {&Stat::tempArrayCount, "temp arrays", 0},
                      {&Stat::arrayInstructionCount, "array", 0},
                      {&Stat::cutInstructionCount, "cut", 0},
                      {&Stat::emitInstructionCount, "emit", 0},
                      {&Stat::textureNormalInstructions, "sample", 0},
                      {&Stat::textureLoadInstructions, "load", 0},
                      {&Stat::textureGradientInstructions, "gradient", 0},
                      {&Stat::movInstructionCount, "mov", 8},
                      {&Stat::movcInstructionCount, "movc", 0},
                      {&Stat::conversionInstructionCount, "conversion", 0},
                      {&Stat::inputPrimitive, "primitive", 0},
                      {&Stat::gsOutputTopology, "topology", 0},
                      {&Stat::gsMaxOutputVertexCount, "vertices", 0},
                      {&Stat::sampleFrequency, "frequency", 0}};
  for (const auto& f : files) {
    std::vector<uint8_t> bytes = test::readFile(f);
    Result<Container> container = parseContainer(bytes);
    Result<Shader> shader = parseShader(bytes);
    ASSERT_TRUE(container && shader);
    const Chunk* chunk = container->find(kTagStat);
    if (!chunk) continue;
    Result<Stat> expected = parseStat(chunk->data);
    ASSERT_TRUE(expected);
    Stat got = computeStat(*shader);
    std::string creator;
    if (const Chunk* reflection = container->find(kTagRdef))
      if (Result<Rdef> rdef = parseRdef(reflection->data)) creator = rdef->creator;
    const bool old = creator.find("Compiler 9.") != std::string::npos;
    for (Column& c : columns) {
      if (!old) {
        EXPECT_EQ(got.*c.field, (*expected).*c.field) << f << ": " << c.name;
      }
      c.seen += got.*c.field != (*expected).*c.field;
    }
  }
  for (const Column& c : columns) EXPECT_LE(c.seen, c.allowed) << c.name;
}
