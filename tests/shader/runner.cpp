// SPDX-License-Identifier: MIT
// Runs every *.shader_test below this folder: one gtest case a file.
#include "assembler.h"
#include "backend.h"
#include "compiler/compile.h"
#include "dxbc/validate.h"
#include "hull.h"
#include "group.h"
#include "kernel_groups.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "test_file.h"
#include "translate/translate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace monolith::test {

namespace {

/// One instruction on scalar inputs (doubles: pairs), as [alu NAME] asks for.
std::string aluText(const std::string& mnemonic) {
  std::string name = mnemonic;
  dxbc::OpCode op = dxbc::findOpcode(name);
  if (op == dxbc::OpCode::Count && name.size() > 4 && name.substr(name.size() - 4) == "_sat")
    op = dxbc::findOpcode(name.substr(0, name.size() - 4));
  if (op == dxbc::OpCode::Count) return mnemonic; // the assembler reports it
  const dxbc::OpcodeInfo& info = dxbc::opcodeInfo(op);
  std::string text = mnemonic;
  unsigned destinations = 0, sources = 0;
  for (unsigned n = 0; n < info.operandCount; n++) {
    const bool pair = info.operands[n].type == dxbc::ValueType::Double;
    const bool destination = info.operands[n].kind != dxbc::OperandKind::Src;
    text += n ? ", " : " ";
    text += destination ? "o" + std::to_string(destinations++) : "v" + std::to_string(sources++);
    text += pair ? (destination ? ".xy" : ".xyxy") : ".x";
  }
  return text + "\n";
}

/// The function to test; null with an error text.
std::unique_ptr<ir::Function> makeFunction(const Shader& s, bool optimize, std::string& error) {
  if (s.kind == Shader::Kind::Ir) {
    ir::ReadResult r = ir::read(s.text);
    error = r.error;
    if (r) error = ir::verify(*r.function);
    return error.empty() ? std::move(r.function) : nullptr;
  }
  dxbc::Result<dxbc::Shader> shader = dxbc::Result<dxbc::Shader>::failure("no shader");
  if (s.kind == Shader::Kind::Hlsl) {
    compiler::CompileRequest request;
    request.source = s.text;
    request.target = std::string(1, s.stage) + "s_5_0";
    const compiler::CompileResult compiled = compiler::compile(request);
    if (!compiled.ok) {
      error = compiled.messages;
      return nullptr;
    }
    shader = dxbc::loadShader(compiled.container);
  } else {
    const dxbc::ShaderStage stage = s.pixel ? dxbc::ShaderStage::Pixel : dxbc::ShaderStage::Vertex;
    shader = assemble(s.kind == Shader::Kind::Alu ? aluText(s.text) : s.text, stage, s.model);
    if (shader) {
      const std::string invalid = dxbc::validateShader(*shader);
      if (!invalid.empty()) shader = dxbc::Result<dxbc::Shader>::failure(invalid);
    }
  }
  if (!shader) {
    error = shader.error();
    return nullptr;
  }
  translate::Result r = translate::translate(*shader, {optimize});
  error = r.error;
  if (r) error = ir::verify(*r.function);
  return error.empty() ? std::move(r.function) : nullptr;
}

bool isNan(uint32_t w) { return (w & 0x7FFFFFFFu) > 0x7F800000u; }

/// Distance in representable floats.
uint64_t ulps(uint32_t a, uint32_t b) {
  const auto order = [](uint32_t w) { return w & 0x80000000u ? -int64_t(w & 0x7FFFFFFFu) : int64_t(w); };
  return static_cast<uint64_t>(std::llabs(order(a) - order(b)));
}

bool accepts(const Table& t, uint32_t expected, uint32_t actual) {
  if (expected == actual || (isNan(expected) && isNan(actual))) return true;
  if (isNan(expected) || isNan(actual)) return false;
  if (t.ulp && ulps(expected, actual) <= t.ulp) return true;
  return t.absolute > 0 && std::fabs(std::bit_cast<float>(expected) - std::bit_cast<float>(actual)) <= t.absolute;
}

std::map<uint32_t, LaneArray>& inputMap(ShaderState& s, Column::Kind kind) {
  switch (kind) {
  case Column::Kind::System: return s.system;
  case Column::Kind::VertexInput: return s.vertexInputs;
  case Column::Kind::PatchInput: return s.patchConstants;
  default: return s.inputs;
  }
}

uint32_t outputWord(const ShaderOutputs& o, const Column& c, unsigned lane) {
  const auto find = [](const auto& map, uint32_t key) {
    const auto it = map.find(key);
    return it == map.end() ? nullptr : &it->second;
  };
  switch (c.kind) {
  case Column::Kind::Emits: return static_cast<uint32_t>(o.vertices[lane].size());
  case Column::Kind::Cuts: {
    uint32_t bits = 0;
    for (uint32_t n : o.cuts[lane]) bits |= 1u << (n & 31);
    return bits;
  }
  case Column::Kind::EmittedStream: return c.index < o.vertices[lane].size() ? o.vertices[lane][c.index].stream : 0xDEADBEEFu;
  case Column::Kind::Emitted: {
    const uint32_t* w = c.index < o.vertices[lane].size() ? find(o.vertices[lane][c.index].outputs, c.key) : nullptr;
    return w ? *w : 0xDEADBEEFu;
  }
  case Column::Kind::Point: {
    const LaneArray* a = find(o.points, vertexKey(c.index, c.key / 4, c.key & 3));
    return a ? (*a)[lane] : 0xDEADBEEFu;
  }
  case Column::Kind::PatchOutput: {
    const LaneArray* a = find(o.patchConstants, c.key);
    return a ? (*a)[lane] : 0xDEADBEEFu;
  }
  case Column::Kind::Depth: return o.depth[lane];
  case Column::Kind::Coverage: return o.coverage[lane];
  case Column::Kind::StencilRef: return o.stencilRef[lane];
  case Column::Kind::Discard: return o.discarded >> lane & 1;
  default: {
    const auto it = o.outputs.find(c.key);
    return it == o.outputs.end() ? 0xDEADBEEFu : it->second[lane];
  }
  }
}

std::string hex(uint32_t w) {
  char text[64];
  snprintf(text, sizeof text, "0x%08x (%.9g)", w, double(std::bit_cast<float>(w)));
  return text;
}

class FileTest : public testing::Test {
public:
  explicit FileTest(std::string path) : m_path(std::move(path)) {}
  void TestBody() override;

private:
  std::string at(unsigned line) const { return m_path + ":" + std::to_string(line); }
  void runTable(const TestFile& file, const Table& t);
  void runHullTable(const Shader& s, const Table& t);
  void runDispatch(const Shader& s, const Table& t);
  /// False if the backend skips.
  bool runBatch(const Table& t, size_t first, Backend& b, const ir::Function& f, const std::string& label,
                ShaderState& state, ShaderOutputs* record, const ShaderOutputs* reference);
  void checkMemory(const Table& t, const ShaderState& state, const std::string& label);
  std::string m_path;
};

bool FileTest::runBatch(const Table& t, size_t first, Backend& b, const ir::Function& f, const std::string& label,
                        ShaderState& state, ShaderOutputs* record, const ShaderOutputs* reference) {
  const size_t count = std::min<size_t>(kLanes, t.rows.size() - first);
  for (size_t c = 0; c < t.inputs.size(); c++) {
    auto& map = inputMap(state, t.inputs[c].kind);
    LaneArray& lanes = map[t.inputs[c].key];
    for (size_t l = 0; l < kLanes; l++) lanes[l] = t.rows[first + std::min(l, count - 1)].inputs[c].bits;
  }
  ShaderOutputs out;
  const std::string error = b.run(f, state, static_cast<uint8_t>((1u << count) - 1), out);
  if (error.substr(0, 4) == "skip") return false;
  EXPECT_EQ(error, "") << at(t.line) << " on " << label;
  for (size_t l = 0; l < count; l++)
    for (size_t c = 0; c < t.outputs.size(); c++) {
      const Row& row = t.rows[first + l];
      const uint32_t actual = outputWord(out, t.outputs[c], static_cast<unsigned>(l));
      if (!row.outputs[c].any && !accepts(t, row.outputs[c].bits, actual))
        ADD_FAILURE() << at(row.line) << " on " << label << ": output " << c << " is " << hex(actual) << ", expected "
                      << hex(row.outputs[c].bits);
      if (!reference) continue;
      const uint32_t same = outputWord(*reference, t.outputs[c], static_cast<unsigned>(l));
      if (same != actual && !(isNan(same) && isNan(actual)))
        ADD_FAILURE() << at(row.line) << " on " << label << ": output " << c << " is " << hex(actual)
                      << ", the interpreter says " << hex(same);
    }
  if (record) *record = out;
  return true;
}

void FileTest::checkMemory(const Table& t, const ShaderState& state, const std::string& label) {
  for (const Expectation& e : t.memory) {
    const auto it = state.uavs.find(e.slot);
    ASSERT_NE(it, state.uavs.end()) << at(e.line);
    std::vector<uint32_t> actual = it->second.words;
    for (const Vec4& v : it->second.texels) actual.insert(actual.end(), v.begin(), v.end());
    ASSERT_EQ(actual.size(), e.words.size()) << at(e.line) << " on " << label;
    for (size_t n = 0; n < actual.size(); n++)
      if (!e.words[n].any && e.words[n].bits != actual[n])
        ADD_FAILURE() << at(e.line) << " on " << label << ": word " << n << " is " << hex(actual[n]) << ", expected "
                      << hex(e.words[n].bits);
  }
}

void FileTest::runTable(const TestFile& file, const Table& t) {
  const Shader& s = file.shaders[t.shader];
  std::string error;
  if (s.stage == 'h') {
    runHullTable(s, t);
    return;
  }
  if (t.dispatch[0]) {
    runDispatch(s, t);
    return;
  }
  const auto plain = makeFunction(s, false, error);
  ASSERT_TRUE(plain) << at(s.line) << ": " << error;
  const auto optimized = makeFunction(s, true, error);
  ASSERT_TRUE(optimized) << at(s.line) << ": " << error;
  ASSERT_FALSE(t.rows.empty()) << at(t.line) << ": no rows";
  for (size_t b = 0; b < backends().size(); b++) {
    ShaderState states[2] = {t.state, t.state};
    bool ran = true;
    for (size_t first = 0; first < t.rows.size(); first += kLanes) {
      // The reference of every backend is the interpreter on the same (optimized) function.
      ShaderState copy = t.state;
      ShaderOutputs reference;
      if (b == 0) runBatch(t, first, *backends()[0], *plain, "interpreter (before passes)", states[0], nullptr, nullptr);
      else if (t.memory.empty()) runBatch(t, first, *backends()[0], *optimized, "interpreter", copy, &reference, nullptr);
      ran = runBatch(t, first, *backends()[b], *optimized, backends()[b]->name(), states[1], nullptr,
               b && t.memory.empty() ? &reference : nullptr);
      if (HasFatalFailure()) return;
    }
    if (b == 0) checkMemory(t, states[0], "interpreter (before passes)");
    if (ran) checkMemory(t, states[1], backends()[b]->name());
  }
}

/// Each row is a patch; every backend runs all phases, once before the passes (the interpreter) and once behind them.
void FileTest::runHullTable(const Shader& s, const Table& t) {
  for (size_t b = 0; b <= backends().size(); b++) {
    std::string error;
    const HullProgram program = makeHull(s, b != 0, error);
    ASSERT_EQ(error, "") << at(s.line);
    Backend& backend = *backends()[b ? b - 1 : 0];
    for (const Row& row : t.rows) {
      ShaderState state = t.state;
      for (size_t c = 0; c < t.inputs.size(); c++) inputMap(state, t.inputs[c].kind)[t.inputs[c].key].fill(row.inputs[c].bits);
      ShaderOutputs out;
      error = runHull(program, backend, state, out);
      if (error.substr(0, 4) == "skip") break;
      ASSERT_EQ(error, "") << at(row.line) << " on " << backend.name();
      for (size_t c = 0; c < t.outputs.size(); c++) {
        const uint32_t actual = outputWord(out, t.outputs[c], 0);
        if (!row.outputs[c].any && !accepts(t, row.outputs[c].bits, actual))
          ADD_FAILURE() << at(row.line) << " on " << backend.name() << ": output " << c << " is " << hex(actual) << ", expected " << hex(row.outputs[c].bits);
      }
    }
  }
}

/// Groups of a compute shader; what counts is the memory behind them.
void FileTest::runDispatch(const Shader& s, const Table& t) {
  ASSERT_FALSE(t.memory.empty()) << at(t.line) << ": nothing is expected";
  for (size_t b = 0; b <= backends().size(); b++) {
    std::string error;
    const auto f = makeFunction(s, b != 0, error);
    ASSERT_TRUE(f) << at(s.line) << ": " << error;
    Backend& backend = *backends()[b ? b - 1 : 0];
    ShaderState state = t.state;
    error = runGroups(*f, backend, state, t.dispatch);
    if (error.substr(0, 4) == "skip") continue;
    ASSERT_EQ(error, "") << at(t.line) << " on " << backend.name();
    checkMemory(t, state, b ? backend.name() : "interpreter (before passes)");
  }
  std::string error;
  const auto f = makeFunction(s, true, error);
  for (bool interpret : {false, true}) {
    ShaderState state = t.state;
    error = runKernelGroups(*f, state, t.dispatch, interpret);
    if (error.substr(0, 4) == "skip") continue;
    ASSERT_EQ(error, "") << at(t.line) << (interpret ? " on the interpreted kernel" : " on the kernel");
    checkMemory(t, state, interpret ? "interpreted kernel" : "kernel");
  }
}

void FileTest::TestBody() {
  std::ifstream in(m_path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const TestFile file = parseTestFile(text);
  ASSERT_EQ(file.error, "") << m_path;
  ASSERT_FALSE(file.tables.empty()) << m_path << ": nothing is tested";
  for (const Table& t : file.tables) {
    runTable(file, t);
    if (HasFatalFailure()) return;
  }
}

} // namespace

} // namespace monolith::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::filesystem::path root = MONOLITH_SHADER_TESTS;
  std::vector<std::filesystem::path> files;
  for (const auto& e : std::filesystem::recursive_directory_iterator(root))
    if (e.path().extension() == ".shader_test") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::string name = std::filesystem::relative(path, root).replace_extension().string();
    std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    testing::RegisterTest("Shader", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [p = path.string()]() -> testing::Test* { return new monolith::test::FileTest(p); });
  }
  return RUN_ALL_TESTS();
}
