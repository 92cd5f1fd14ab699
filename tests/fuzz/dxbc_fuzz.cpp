// SPDX-License-Identifier: MIT
// libFuzzer target: arbitrary bytes as a container through everything that reads, checks, prints and writes.
#include "dxbc/disassemble.h"
#include "dxbc/library.h"
#include "dxbc/rdef.h"
#include "dxbc/stat.h"
#include "dxbc/validate.h"
#include "dxbc/writer.h"

#include <cstdlib>

using namespace monolith::dxbc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const uint8_t> bytes(data, size);
  Result<Container> container = parseContainer(bytes, false);
  if (!container) return 0;
  for (const Chunk& c : container->chunks) {
    if (c.tag == kTagRdef)
      if (Result<Rdef> r = parseRdef(c.data)) writeRdef(*r);
    if (c.tag == kTagStat) parseStat(c.data);
  }
  if (container->find(kTagLibh)) {
    disassemble(bytes);
    if (Result<Library> library = parseLibrary(bytes))
      if (!parseLibrary(writeLibrary(*library))) std::abort();
    return 0;
  }
  Result<Shader> shader = parseShader(bytes, false);
  if (!shader) return 0;
  disassemble(bytes);
  computeStat(*shader);
  if (!validateShader(*shader).empty()) return 0;
  // What is valid must survive the writer.
  if (!loadShader(writeShader(*shader))) std::abort();
  return 0;
}
