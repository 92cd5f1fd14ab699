// SPDX-License-Identifier: MIT
#include "dxbc/spdb.h"

#include "dxbc/bytes.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace monolith::dxbc {
namespace {

constexpr char kMagic[] = "Microsoft C/C++ MSF 7.00\r\n\x1a" "DS\0\0";
constexpr size_t kMagicSize = 32;
constexpr uint32_t kNamesStream = 1, kModulesStream = 3;
constexpr uint32_t kLines = 0xf2, kChecksums = 0xf4; ///< kinds of sections of a module
constexpr uint32_t kNoStream = 0xffff;
constexpr size_t kMaxModules = 64, kMaxLines = 1u << 20;

/// The file system inside: pages of one size, streams as lists of pages.
class Pages {
public:
  explicit Pages(std::span<const uint8_t> data) : m_data(data) {}

  bool open() {
    ByteReader in(m_data);
    if (m_data.size() < kMagicSize + 24 || std::memcmp(m_data.data(), kMagic, sizeof kMagic) != 0) return false;
    m_page = in.u32(32);
    const uint32_t bytes = in.u32(44), map = in.u32(52);
    if (m_page < 64 || m_page > 65536 || bytes > m_data.size()) return false;
    std::vector<uint32_t> pages(pagesOf(bytes));
    for (size_t i = 0; i < pages.size(); i++) pages[i] = in.u32(size_t(map) * m_page + 4 * i);
    return in.ok() && gather(pages, bytes, m_directory);
  }

  std::vector<uint8_t> stream(uint32_t number) const {
    ByteReader in(m_directory);
    const uint32_t count = in.u32(0);
    if (number >= count || !in.fits(4, count, 4)) return {};
    size_t at = 4 + 4 * size_t(count);
    auto sizeOf = [&](uint32_t n) { return in.u32(4 + 4 * size_t(n)) == UINT32_MAX ? 0u : in.u32(4 + 4 * size_t(n)); };
    for (uint32_t n = 0; n < number; n++) at += 4 * pagesOf(sizeOf(n));
    const uint32_t size = sizeOf(number);
    std::vector<uint8_t> out;
    if (size > m_data.size() || !in.fits(at, pagesOf(size), 4)) return {};
    std::vector<uint32_t> pages(pagesOf(size));
    for (size_t i = 0; i < pages.size(); i++) pages[i] = in.u32(at + 4 * i);
    return gather(pages, size, out) ? out : std::vector<uint8_t>();
  }

private:
  size_t pagesOf(uint32_t bytes) const { return (size_t(bytes) + m_page - 1) / m_page; }
  bool gather(const std::vector<uint32_t>& pages, uint32_t bytes, std::vector<uint8_t>& out) const {
    out.clear();
    for (uint32_t p : pages) {
      const uint64_t at = uint64_t(p) * m_page;
      const size_t n = std::min<size_t>(m_page, bytes - out.size());
      if (at > m_data.size() || n > m_data.size() - at) return false;
      out.insert(out.end(), m_data.begin() + ptrdiff_t(at), m_data.begin() + ptrdiff_t(at + n));
    }
    return true;
  }

  std::span<const uint8_t> m_data;
  uint32_t m_page = 0;
  std::vector<uint8_t> m_directory;
};

/// Number of the stream called "/names", from the table of named streams; kNoStream if there is none.
uint32_t namesOf(std::span<const uint8_t> header) {
  ByteReader in(header);
  const size_t text = 32;
  size_t at = text + in.u32(28);
  const uint32_t count = in.u32(at);
  at += 8;
  for (int set = 0; set < 2; set++) at += 4 + 4 * size_t(in.u32(at)); // places taken and left in the table
  if (!in.ok() || !in.fits(at, count, 8)) return kNoStream;
  for (uint32_t i = 0; i < count; i++)
    if (in.string(text + in.u32(at + 8 * size_t(i))) == "/names") return in.u32(at + 8 * size_t(i) + 4);
  return kNoStream;
}

class Module {
public:
  Module(std::span<const uint8_t> bytes, std::span<const uint8_t> names, DebugInfo& info, std::map<uint32_t, DebugLine>& lines)
      : m_in(bytes), m_names(names), m_info(info), m_lines(lines) {}

  /// The sections from `begin` to `end`.
  void run(size_t begin, size_t end) {
    sections(begin, end, kChecksums, [&](size_t at, size_t last) { files(at, last); });
    sections(begin, end, kLines, [&](size_t at, size_t last) { lines(at, last); });
  }

private:
  template <typename F>
  void sections(size_t at, size_t end, uint32_t kind, F&& each) {
    while (m_in.ok() && at + 8 <= end) {
      const uint32_t size = m_in.u32(at + 4);
      if (size > end - at - 8 || !m_in.fits(at + 8, size, 1)) return;
      if (m_in.u32(at) == kind) each(at + 8, at + 8 + size);
      at += 8 + (size_t(size) + 3) / 4 * 4;
    }
  }

  void files(size_t at, size_t end) {
    const size_t first = at;
    while (m_in.ok() && at + 6 <= end) {
      ByteReader names(m_names);
      const std::string name = names.string(12 + size_t(m_in.u32(at)));
      auto known = std::find_if(m_info.files.begin(), m_info.files.end(), [&](const DebugFile& f) { return f.name == name; });
      m_files[uint32_t(at - first)] = uint32_t(known - m_info.files.begin());
      if (known == m_info.files.end()) m_info.files.push_back({name, {}});
      at += (6 + size_t(m_in.u8(at + 4)) + 3) / 4 * 4;
    }
  }

  void lines(size_t at, size_t end) {
    if (end - at < 12) return;
    const uint32_t start = m_in.u32(at);
    at += 12;
    while (m_in.ok() && at + 12 <= end) {
      const auto file = m_files.find(m_in.u32(at));
      const uint32_t count = m_in.u32(at + 4), size = m_in.u32(at + 8);
      if (size < 12 || size > end - at || count > (size - 12) / 8 || m_lines.size() + count > kMaxLines) return;
      for (uint32_t i = 0; i < count && file != m_files.end(); i++) {
        const size_t p = at + 12 + 8 * size_t(i);
        m_lines.emplace(start + m_in.u32(p), DebugLine{file->second, m_in.u32(p + 4) & 0xffffff, 0});
      }
      at += size;
    }
  }

  ByteReader m_in;
  std::span<const uint8_t> m_names;
  DebugInfo& m_info;
  std::map<uint32_t, DebugLine>& m_lines; ///< by byte offset in the program
  std::map<uint32_t, uint32_t> m_files;   ///< offset in the list of checksums -> DebugInfo::files
};

} // namespace

Result<DebugInfo> parseSpdb(std::span<const uint8_t> data, const Shader& shader) {
  using R = Result<DebugInfo>;
  Pages pages(data);
  if (!pages.open()) return R::failure("error: not a program database");
  const std::vector<uint8_t> header = pages.stream(kNamesStream), modules = pages.stream(kModulesStream);
  const std::vector<uint8_t> names = pages.stream(namesOf(header));
  DebugInfo info;
  std::map<uint32_t, DebugLine> lines;
  ByteReader in(modules);
  constexpr size_t kHeader = 64;
  const size_t end = std::min(modules.size(), kHeader + size_t(in.u32(24)));
  size_t at = kHeader;
  for (size_t n = 0; n < kMaxModules && in.ok() && at + kHeader <= end; n++) {
    const uint32_t number = in.u16(at + 34), symbols = in.u32(at + 36), old = in.u32(at + 40), current = in.u32(at + 44);
    if (number != kNoStream) {
      const std::vector<uint8_t> module = pages.stream(number);
      const size_t begin = size_t(symbols) + old;
      if (begin <= module.size() && current <= module.size() - begin) Module(module, names, info, lines).run(begin, begin + current);
    }
    at += kHeader;
    for (int k = 0; k < 2; k++) at += in.string(at).size() + 1; // the module's name and that of its object file
    at = (at + 3) / 4 * 4;
  }
  for (const Instruction& i : shader.instructions) {
    if (!i.isNumbered()) continue;
    auto line = lines.upper_bound(i.offset * 4);
    info.lines.push_back(line == lines.begin() ? DebugLine{} : std::prev(line)->second);
  }
  if (lines.empty()) return R::failure("error: the program database has no lines");
  return info;
}

} // namespace monolith::dxbc
