// SPDX-License-Identifier: MIT
#include "dxbc/debug_info.h"

#include "dxbc/bytes.h"

#include <bit>
#include <map>

namespace monolith::dxbc {
namespace {

// The header: its own size, three names (offsets into the text), flags, seven lists (count and offset behind the header),
// and the offsets of the integers and of the text.
constexpr uint32_t kHeaderBytes = 0x54;
enum HeaderWord : uint32_t { kCompiler = 1, kEntry, kProfile, kFlags, kFirstList, kIntegers = 19, kText = 20 };
enum List : uint32_t { kFiles, kInstructions, kVariables, kInputs, kSymbols, kScopes, kTypes, kLists };
constexpr uint32_t kFileBytes = 16, kInstructionBytes = 396, kSymbolBytes = 20;
// Words of an instruction's record.
enum InstructionWord : uint32_t { kNumber, kOpcode, kResult = 4, kResultMask = 6, kComponents = 10, kSymbol = 93 };
constexpr uint32_t kComponentWords = 9;

/// The text at the end of the chunk.
class TextPool {
public:
  uint32_t add(const std::string& s) {
    auto [it, fresh] = m_known.emplace(s, uint32_t(m_text.size()));
    if (fresh) m_text.append(s.c_str(), s.size() + 1);
    return it->second;
  }
  const std::string& text() const { return m_text; }

private:
  std::map<std::string, uint32_t> m_known;
  std::string m_text;
};

void writeInstruction(ByteWriter& out, const Instruction& i, uint32_t number, uint32_t symbol) {
  uint32_t words[kInstructionBytes / 4] = {};
  words[kNumber] = number;
  words[kOpcode] = uint32_t(i.op);
  const bool writes = !i.operands.empty() && i.info().operandCount && i.info().operands[0].kind == OperandKind::Dst;
  words[kResult] = writes ? i.operands[0].reg() : UINT32_MAX;
  const uint8_t mask = writes ? i.operands[0].writeMask() : 0;
  for (uint32_t c = 0; c < 4; c++) {
    words[kResultMask + c] = mask >> c & 1 ? c : UINT32_MAX;
    uint32_t* component = words + kComponents + c * kComponentWords;
    component[0] = UINT32_MAX; // no variable
    // Bounds of the value, all unknown: 0, -NaN, -0, NaN, and the least and the largest.
    const uint32_t bounds[] = {0, 0xffffffff, 0x80000000, 0x7fffffff, 0xffffffff, 0x7fffffff};
    for (uint32_t k = 0; k < std::size(bounds); k++) component[1 + k] = bounds[k];
  }
  words[kSymbol] = symbol;
  for (uint32_t w : words) out.u32(w);
}

} // namespace

Result<DebugInfo> parseDebugInfo(std::span<const uint8_t> data) {
  using R = Result<DebugInfo>;
  ByteReader in(data);
  auto list = [&](List l, uint32_t& count) {
    count = in.u32(4 * (kFirstList + 2 * l));
    return size_t(in.u32(4 * (kFirstList + 2 * l) + 4)) + kHeaderBytes;
  };
  const size_t text = size_t(in.u32(4 * kText)) + kHeaderBytes;
  if (!in.ok() || in.u32(0) != kHeaderBytes) return R::failure("error: unknown form of debug information");
  DebugInfo info;
  info.compiler = in.string(text + in.u32(4 * kCompiler));
  info.entry = in.string(text + in.u32(4 * kEntry));
  info.profile = in.string(text + in.u32(4 * kProfile));
  info.flags = in.u32(4 * kFlags);
  auto piece = [&](size_t at) {
    std::vector<uint8_t> bytes = in.bytes(text + in.u32(at), in.u32(at + 4));
    return std::string(bytes.begin(), bytes.end());
  };
  uint32_t files, instructions, symbols;
  const size_t firstFile = list(kFiles, files), firstInstruction = list(kInstructions, instructions), firstSymbol = list(kSymbols, symbols);
  if (!in.ok() || !in.fits(firstFile, files, kFileBytes) || !in.fits(firstInstruction, instructions, kInstructionBytes) ||
      !in.fits(firstSymbol, symbols, kSymbolBytes))
    return R::failure("error: debug information is damaged");
  // Sources may overlap in hostile data: what they add up to is limited.
  uint64_t total = 0;
  for (uint32_t i = 0; i < files; i++) {
    const size_t at = firstFile + size_t(i) * kFileBytes;
    total += uint64_t(in.u32(at + 4)) + in.u32(at + 12);
    if (total > uint64_t(data.size()) + 65536) return R::failure("error: debug information is damaged");
    info.files.push_back({piece(at), piece(at + 8)});
  }
  for (uint32_t i = 0; i < instructions; i++) {
    const uint32_t symbol = in.u32(firstInstruction + size_t(i) * kInstructionBytes + 4 * kSymbol);
    DebugLine line;
    if (symbol && symbol < symbols) {
      const size_t at = firstSymbol + size_t(symbol) * kSymbolBytes;
      line = {in.u32(at), in.u32(at + 4), in.u32(at + 8)};
      if (line.file >= files) line = {};
    }
    info.lines.push_back(line);
  }
  if (!in.ok()) return R::failure("error: debug information is damaged");
  return info;
}

std::vector<uint8_t> writeDebugInfo(const DebugInfo& info, std::span<const Instruction> instructions) {
  TextPool pool;
  struct FileWords {
    uint32_t name, nameSize, source, sourceSize;
  };
  std::vector<FileWords> files;
  for (const DebugFile& f : info.files)
    files.push_back({pool.add(f.name), uint32_t(f.name.size()), pool.add(f.source), uint32_t(f.source.size())});
  const uint32_t names[] = {pool.add(info.compiler), pool.add(info.entry), pool.add(info.profile)};

  // A symbol for every place that instructions come from; the first means that there is none.
  std::vector<DebugLine> symbols = {{0, 0, 0}};
  ByteWriter records;
  uint32_t number = 0;
  for (const Instruction& i : instructions) {
    if (!i.isNumbered()) continue;
    uint32_t symbol = 0;
    if (number < info.lines.size() && info.lines[number].file != UINT32_MAX) {
      if (symbols.size() == 1 || !(symbols.back() == info.lines[number])) symbols.push_back(info.lines[number]);
      symbol = uint32_t(symbols.size() - 1);
    }
    writeInstruction(records, i, number++, symbol);
  }

  const uint32_t bytes[kLists] = {uint32_t(files.size()) * kFileBytes, number * kInstructionBytes, 0, 0, uint32_t(symbols.size()) * kSymbolBytes, 0, 0};
  const uint32_t counts[kLists] = {uint32_t(files.size()), number, 0, 0, uint32_t(symbols.size()), 0, 0};
  ByteWriter out;
  out.u32(kHeaderBytes);
  for (uint32_t n : names) out.u32(n);
  out.u32(info.flags);
  uint32_t at = 0;
  for (uint32_t l = 0; l < kLists; l++) {
    out.u32(counts[l]);
    out.u32(at);
    at += bytes[l];
  }
  out.u32(at); // no integers
  out.u32(at);
  for (const FileWords& f : files)
    for (uint32_t w : {f.name, f.nameSize, f.source, f.sourceSize}) out.u32(w);
  const std::vector<uint8_t> instructionBytes = records.take();
  out.bytes(instructionBytes);
  for (const DebugLine& s : symbols)
    for (uint32_t w : {s.file, s.line, s.column, 0u, 0u}) out.u32(w);
  out.bytes({reinterpret_cast<const uint8_t*>(pool.text().data()), pool.text().size()});
  return out.take();
}

} // namespace monolith::dxbc
