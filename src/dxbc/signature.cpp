// SPDX-License-Identifier: MIT
#include "dxbc/signature.h"

#include "dxbc/bytes.h"
#include "dxbc/container.h"

#include <map>

namespace monolith::dxbc {
namespace {

struct Layout {
  uint32_t tag;
  uint32_t elementSize;
  bool stream;    ///< stream number before the rest
  bool precision; ///< minimum precision after the rest
};
constexpr Layout kLayouts[] = {{kTagIsgn, 24, false, false}, {kTagOsgn, 24, false, false}, {kTagPcsg, 24, false, false},
                               {kTagOsg5, 28, true, false},  {kTagIsg1, 32, true, true},   {kTagOsg1, 32, true, true},
                               {kTagPsg1, 32, true, true}};

const Layout* layoutOf(uint32_t tag) {
  for (const Layout& l : kLayouts)
    if (l.tag == tag) return &l;
  return nullptr;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }

} // namespace

bool semanticEquals(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

const SignatureElement* Signature::find(std::string_view semantic, uint32_t semanticIndex, uint32_t stream) const {
  for (const SignatureElement& e : elements)
    if (e.semanticIndex == semanticIndex && e.stream == stream && semanticEquals(e.semantic, semantic)) return &e;
  return nullptr;
}

SignatureSystemValue effectiveSystemValue(const SignatureElement& element, ShaderStage stage, bool output) {
  if (!output || stage != ShaderStage::Pixel || element.systemValue != SignatureSystemValue::None)
    return element.systemValue;
  struct Row {
    std::string_view name;
    SignatureSystemValue value;
  };
  constexpr Row kRows[] = {{"SV_Target", SignatureSystemValue::Target},
                           {"SV_Depth", SignatureSystemValue::Depth},
                           {"SV_Coverage", SignatureSystemValue::Coverage},
                           {"SV_DepthGreaterEqual", SignatureSystemValue::DepthGreaterEqual},
                           {"SV_DepthLessEqual", SignatureSystemValue::DepthLessEqual},
                           {"SV_StencilRef", SignatureSystemValue::StencilRef}};
  for (const Row& r : kRows)
    if (semanticEquals(element.semantic, r.name)) return r.value;
  return element.systemValue;
}

Result<Signature> parseSignature(uint32_t tag, std::span<const uint8_t> data) {
  using R = Result<Signature>;
  const Layout* layout = layoutOf(tag);
  if (!layout) return R::failure("error: unknown kind of signature");
  ByteReader in(data);
  uint32_t count = in.u32(0), first = in.u32(4);
  if (!in.ok() || !in.fits(first, count, layout->elementSize)) return R::failure("error: signature exceeds its chunk");
  Signature s;
  s.tag = tag;
  s.elements.reserve(count);
  for (uint32_t i = 0; i < count; i++) {
    size_t at = first + size_t(i) * layout->elementSize;
    SignatureElement e;
    if (layout->stream) {
      e.stream = in.u32(at);
      at += 4;
    }
    e.semantic = in.string(in.u32(at));
    e.semanticIndex = in.u32(at + 4);
    e.systemValue = SignatureSystemValue(in.u32(at + 8));
    e.componentType = ComponentType(in.u32(at + 12));
    e.reg = in.u32(at + 16);
    e.mask = in.u8(at + 20);
    e.rwMask = in.u8(at + 21);
    if (layout->precision) e.precision = MinPrecision(in.u32(at + 24));
    if (!in.ok()) return R::failure("error: name of signature element " + std::to_string(i) + " exceeds its chunk");
    s.elements.push_back(std::move(e));
  }
  return s;
}

std::vector<uint8_t> writeSignature(const Signature& signature) {
  const Layout* layout = layoutOf(signature.tag);
  if (!layout) layout = &kLayouts[0];
  ByteWriter out;
  out.u32(uint32_t(signature.elements.size()));
  out.u32(8);
  std::map<std::string_view, uint32_t> names;
  uint32_t namesAt = uint32_t(8 + signature.elements.size() * layout->elementSize);
  std::vector<std::string_view> order;
  for (const SignatureElement& e : signature.elements) {
    auto [it, added] = names.try_emplace(e.semantic, namesAt);
    if (added) {
      order.push_back(e.semantic);
      namesAt += uint32_t(e.semantic.size() + 1);
    }
    if (layout->stream) out.u32(e.stream);
    out.u32(it->second);
    out.u32(e.semanticIndex);
    out.u32(uint32_t(e.systemValue));
    out.u32(uint32_t(e.componentType));
    out.u32(e.reg);
    out.u8(e.mask);
    out.u8(e.rwMask);
    out.u16(0);
    if (layout->precision) out.u32(uint32_t(e.precision));
  }
  for (std::string_view n : order) out.string(n);
  out.align();
  return out.take();
}

} // namespace monolith::dxbc
