// SPDX-License-Identifier: MIT
// Damaged containers give an error or a valid shader, never a crash; what validates can be written, read and printed.
#include "unit/dxbc/corpus.h"
#include "unit/dxbc/samples.h"

#include "dxbc/disassemble.h"
#include "dxbc/rdef.h"
#include "dxbc/stat.h"
#include "dxbc/validate.h"

#include <cstring>
#include <random>

using namespace monolith;
using namespace monolith::test;

namespace {

/// Everything that can be done with untrusted bytes.
void exercise(const std::vector<uint8_t>& bytes) {
  Result<Container> c = parseContainer(bytes, false);
  if (!c) {
    EXPECT_FALSE(c.error().empty());
    return;
  }
  for (const Chunk& chunk : c->chunks) {
    if (chunk.tag == kTagRdef)
      if (Result<Rdef> r = parseRdef(chunk.data)) writeRdef(*r);
    if (chunk.tag == kTagStat) parseStat(chunk.data);
  }
  Result<Shader> s = parseShader(bytes, false);
  if (!s) {
    EXPECT_EQ(s.error().compare(0, 7, "error: "), 0) << s.error();
    return;
  }
  disassemble(bytes);
  std::string error = validateShader(*s);
  if (!error.empty()) {
    EXPECT_EQ(error.compare(0, 7, "error: "), 0) << error;
    return;
  }
  // A valid shader survives the writer.
  Result<Shader> again = loadShader(writeShader(*s));
  EXPECT_TRUE(again) << again.error();
}

std::vector<std::vector<uint8_t>> bases() {
  std::vector<std::vector<uint8_t>> list;
  for (const Shader& s : allSamples()) list.push_back(writeShader(s));
  auto files = corpusFiles();
  for (size_t n = 0; n < files.size(); n += 9) list.push_back(readFile(files[n]));
  return list;
}

} // namespace

TEST(Robustness, TruncatedContainers) {
  std::mt19937 random(1);
  for (const auto& base : bases()) {
    for (int k = 0; k < 40; k++) {
      std::vector<uint8_t> bytes(base.begin(), base.begin() + ptrdiff_t(random() % base.size()));
      EXPECT_FALSE(parseShader(bytes)) << bytes.size();
      // The same with a header that claims the shorter size.
      if (bytes.size() >= 32) {
        uint32_t size = uint32_t(bytes.size());
        std::memcpy(bytes.data() + 24, &size, 4);
      }
      exercise(bytes);
    }
  }
}

TEST(Robustness, BitFlips) {
  std::mt19937 random(2);
  for (const auto& base : bases()) {
    for (int k = 0; k < 100; k++) {
      std::vector<uint8_t> bytes = base;
      for (uint32_t n = 0; n <= random() % 3; n++) bytes[random() % bytes.size()] ^= uint8_t(1u << (random() % 8));
      exercise(bytes);
    }
  }
}

TEST(Robustness, RandomWordsInThePlaceOfTokens) {
  std::mt19937 random(3);
  for (const auto& base : bases()) {
    for (int k = 0; k < 50; k++) {
      std::vector<uint8_t> bytes = base;
      for (int n = 0; n < 4; n++) {
        uint32_t word = random() % 3 ? random() % 64 : random();
        std::memcpy(bytes.data() + (random() % (bytes.size() / 4)) * 4, &word, 4);
      }
      exercise(bytes);
    }
  }
}

TEST(Robustness, ChecksumIsVerified) {
  std::vector<uint8_t> bytes = writeShader(pixelSample());
  bytes.back() ^= 1;
  Result<Shader> s = parseShader(bytes);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error(), "error: checksum does not match");
  EXPECT_TRUE(parseContainer(bytes, false));
}

TEST(Robustness, ContainerErrors) {
  std::vector<uint8_t> bytes = writeShader(pixelSample());
  auto errorOf = [](std::vector<uint8_t> b) { return parseContainer(b, false).error(); };
  EXPECT_EQ(errorOf({}), "error: too short for a DXBC container");
  std::vector<uint8_t> b = bytes;
  b[0] = 'X';
  EXPECT_EQ(errorOf(b), "error: not a DXBC container");
  b = bytes;
  b[20] = 2;
  EXPECT_EQ(errorOf(b), "error: unknown container version 2");
  b = bytes;
  b[28] = 255;
  b[29] = 255;
  EXPECT_EQ(errorOf(b), "error: chunk list exceeds the container");
  b = bytes;
  b[34] = 255;
  EXPECT_EQ(errorOf(b), "error: chunk 0 lies outside the container");
}
