// SPDX-License-Identifier: MIT
/// @file
/// Elements of more than one word are loaded vertex by vertex and transposed, which is faster than gathering; the loads
/// may read up to 16 bytes from an element's start, which the streams' contract allows.
#include "codegen/vertex_fetch.h"

#include "abi/vertex_args.h"
#include "simd/simd.h"

namespace monolith::codegen {

using namespace simd;

ElementFetch prepareFetch(const state::InputElement& element, Pointer streams) {
  ElementFetch f;
  f.element = element;
  const Pointer stream = streams + int32_t(element.slot * sizeof(abi::VertexStream));
  f.base = loadPointer(stream + int32_t(offsetof(abi::VertexStream, base)));
  f.stride = loadWord(stream + int32_t(offsetof(abi::VertexStream, stride)));
  const Word size = loadWord(stream + int32_t(offsetof(abi::VertexStream, size)));
  const uint32_t end = element.offset + formats::info(element.format).bytesPerBlock;
  // indices i with i * stride + end <= size; with stride 0 all or none
  Var<Word> count(Word(0));
  If(belowEqualUnsigned(Word(end), size), [&] {
    count = Word(-1);
    If(f.stride != Word(0), [&] { count = divUnsigned(size - Word(end), f.stride) + Word(1); });
  });
  f.count = count.get();
  return f;
}

namespace {

Pointer laneAddress(const ElementFetch& f, Pointer block, int lane) {
  return indexed(f.base, loadLongUnsigned32(block + lane * 4));
}

/// One word of each lane; elements below 32 bits keep their bits only.
void loadOneWord(const ElementFetch& f, Pointer block, uint32_t bytes, TexelWords& words) {
  const auto four = [&](int first) {
    Int4 v = loadLow32(laneAddress(f, block, first));
    for (int lane = 1; lane < 4; ++lane)
      v = insertWord(v, lane, laneAddress(f, block, first + lane));
    return v;
  };
  const Int4 low = four(0);
  const Int all = combine128(low, four(4));
  words.w[0] = bytes >= 4 ? all : all & Int((1u << (8 * bytes)) - 1);
}

void loadTwoWords(const ElementFetch& f, Pointer block, TexelWords& words) {
  const auto pair = [&](int first) {
    return loadHigh64Into(loadLow64(laneAddress(f, block, first)), laneAddress(f, block, first + 1));
  };
  const Int4 p01 = pair(0), p23 = pair(2);
  const Int outer = combine128(p01, pair(4)), inner = combine128(p23, pair(6));
  words.w[0] = shuffle22(outer, inner, 0x88);
  words.w[1] = shuffle22(outer, inner, 0xdd);
}

void loadFourWords(const ElementFetch& f, Pointer block, unsigned count, TexelWords& words) {
  Int row[4]; // vertices n and n + 4
  for (int n = 0; n < 4; ++n)
    row[n] = combine128(loadInt4(laneAddress(f, block, n)), laneAddress(f, block, n + 4));
  const Int low01 = unpackLow32(row[0], row[1]), low23 = unpackLow32(row[2], row[3]);
  words.w[0] = unpackLow64(low01, low23);
  words.w[1] = unpackHigh64(low01, low23);
  const Int high01 = unpackHigh32(row[0], row[1]), high23 = unpackHigh32(row[2], row[3]);
  words.w[2] = unpackLow64(high01, high23);
  if (count > 3)
    words.w[3] = unpackHigh64(high01, high23);
}

} // namespace

Channels fetchElement(const ElementFetch& f, Int index, Pointer block) {
  const formats::Format format = f.element.format;
  const uint32_t bytes = formats::info(format).bytesPerBlock;
  const Mask inside = belowUnsigned(index, broadcast(f.count));
  // lanes outside read the start of the buffer, which is always readable, and drop what they get
  const Int offset = (index * broadcast(f.stride) + Int(f.element.offset)) & inside;
  store(block, offset);
  TexelWords words;
  if (bytes <= 4)
    loadOneWord(f, block, bytes, words);
  else if (bytes <= 8)
    loadTwoWords(f, block, words);
  else
    loadFourWords(f, block, bytes / 4, words);
  Channels channels = unpackTexel(format, words);
  for (Int& c : channels.c)
    c = c & inside;
  return channels;
}

} // namespace monolith::codegen
