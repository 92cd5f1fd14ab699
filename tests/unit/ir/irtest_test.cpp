// SPDX-License-Identifier: MIT
// Runs tests/ir/*.irtest: IR text, names of passes, expected IR text.
//
//   [test] name          one case
//   [passes] a b         run in this order
//   [input]              IR text
//   [expect]             IR text; compared after both are printed, so names of values are free
#include "ir/passes/pipeline.h"
#include "ir/text.h"
#include "ir/verifier.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace monolith;

namespace {

struct Case {
  std::string name, passes, input, expect;
};

std::vector<Case> parse(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Case> cases;
  std::string* section = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("[test]", 0) == 0) {
      cases.push_back({line.substr(6), "", "", ""});
      section = nullptr;
    } else if (cases.empty()) {
      continue;
    } else if (line.rfind("[passes]", 0) == 0) {
      cases.back().passes = line.substr(8);
    } else if (line == "[input]") {
      section = &cases.back().input;
    } else if (line == "[expect]") {
      section = &cases.back().expect;
    } else if (section) {
      *section += line + "\n";
    }
  }
  return cases;
}

void run(const Case& c, const std::string& label) {
  SCOPED_TRACE(label + ":" + c.name);
  auto f = ir::read(c.input);
  ASSERT_TRUE(f) << f.error;
  ASSERT_EQ(ir::verify(*f.function), "");
  std::istringstream names(c.passes);
  unsigned count = 0;
  for (std::string name; names >> name; count++) {
    unsigned p = 0;
    while (p < ir::kPassCount && name != ir::kPasses[p].name) p++;
    ASSERT_LT(p, ir::kPassCount) << "no pass " << name;
    ir::kPasses[p].run(*f.function);
    ASSERT_EQ(ir::verify(*f.function), "") << ir::print(*f.function);
  }
  ASSERT_GT(count, 0u);
  auto expect = ir::read(c.expect);
  ASSERT_TRUE(expect) << expect.error;
  ASSERT_EQ(ir::verify(*expect.function), "");
  EXPECT_EQ(ir::print(*f.function), ir::print(*expect.function));
}

TEST(IrTest, Files) {
  unsigned count = 0;
  for (const auto& e : std::filesystem::directory_iterator(std::string(MONOLITH_SOURCE_DIR) + "/tests/ir")) {
    if (e.path().extension() != ".irtest") continue;
    for (const Case& c : parse(e.path())) {
      run(c, e.path().filename().string());
      count++;
    }
  }
  EXPECT_GE(count, 25u);
}

} // namespace
