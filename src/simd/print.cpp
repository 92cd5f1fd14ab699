// SPDX-License-Identifier: MIT
#include "simd/print.h"
#include "simd/function.h"
#include "simd/memory_ops.h"
#include <cstdio>

namespace monolith::simd {

namespace {

void printFloats(const char* text, const float* lanes) {
  fprintf(stderr, "%s:", text);
  for (int i = 0; i < kLanes; ++i)
    fprintf(stderr, " %.9g", double(lanes[i]));
  fputc('\n', stderr);
}
void printInts(const char* text, const int32_t* lanes) {
  fprintf(stderr, "%s:", text);
  for (int i = 0; i < kLanes; ++i)
    fprintf(stderr, " %d(%08x)", lanes[i], unsigned(lanes[i]));
  fputc('\n', stderr);
}
void printWord(const char* text, int32_t value) { fprintf(stderr, "%s: %d (%08x)\n", text, value, unsigned(value)); }

} // namespace

void print(const char* text, Float value) {
  const Pointer p = Function::currentStack(kVectorBytes);
  store(p, value);
  call(addressOf(&printFloats), {Argument(static_cast<const void*>(text)), Argument(p)});
}
void print(const char* text, Int value) {
  const Pointer p = Function::currentStack(kVectorBytes);
  store(p, value);
  call(addressOf(&printInts), {Argument(static_cast<const void*>(text)), Argument(p)});
}
void print(const char* text, Mask value) { print(text, Int::fromId(value.id)); }
void print(const char* text, Word value) {
  call(addressOf(&printWord), {Argument(static_cast<const void*>(text)), Argument(value)});
}

} // namespace monolith::simd
