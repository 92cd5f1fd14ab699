// SPDX-License-Identifier: MIT
// libFuzzer target: arbitrary text through the compiler. The first byte chooses the target, the second the flags, the rest
// is the source, so that inputs stay readable.
#include "compiler/library/link.h"
#include "dxbc/disassemble.h"
#include "dxbc/validate.h"

#include <cstdio>
#include <cstdlib>

using namespace monolith;

namespace {

constexpr const char* kTargets[] = {"ps_5_0", "vs_5_0", "cs_5_0", "gs_5_0", "hs_5_0", "ds_5_0", "ps_4_0", "vs_4_1", "ps_4_0_level_9_1", "lib_5_0"};
constexpr uint32_t kFlags[] = {0,
                               compiler::kSkipOptimization,
                               compiler::kOptimizationLevel3,
                               compiler::kEnableBackwardsCompatibility,
                               compiler::kAvoidFlowControl,
                               compiler::kPreferFlowControl,
                               compiler::kEnableStrictness | compiler::kIeeeStrictness,
                               compiler::kDebugInfo | compiler::kPackMatrixRowMajor};

void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

/// Every function of a library, as an entry of its own and called by a graph.
void linkAll(const std::vector<uint8_t>& container) {
  const auto library = dxbc::parseLibrary(container);
  if (!library) fail("the library cannot be read", library.error());
  if (const auto text = dxbc::disassemble(container); !text) fail("the library cannot be listed", text.error());
  for (const dxbc::LibraryFunction& f : library->functions)
    for (const char* target : {"ps_5_0", "vs_5_0"}) {
      compiler::LinkRequest request;
      request.target = target;
      request.libraries.push_back({&*library, "", {}});
      request.entry = f.name;
      if (target[0] == 'v') request.clipPlanes = {{3, 1}}; // has a graph made
      const compiler::CompileResult result = compiler::link(request);
      if (!result.ok && result.messages.empty()) fail("not linked, without a message", f.name);
      if (!result.ok) continue;
      if (const auto shader = dxbc::loadShader(result.container); !shader) fail("the linked shader is not valid", shader.error());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  compiler::CompileRequest request;
  request.target = kTargets[data[0] % std::size(kTargets)];
  request.flags = kFlags[data[1] % std::size(kFlags)];
  request.source = {reinterpret_cast<const char*>(data) + 2, size - 2};
  request.sourceName = "fuzz.hlsl";
  if (request.target.starts_with("lib")) request.entry.clear();
  const compiler::CompileResult result = compiler::compile(request);
  if (!result.ok && result.messages.empty()) fail("refused without a message", request.target);
  if (!result.ok) return 0;
  if (request.target.starts_with("lib")) {
    linkAll(result.container);
    return 0;
  }
  // What was made must be good for whoever reads it.
  if (const auto shader = dxbc::loadShader(result.container); !shader) fail("the result is not valid", shader.error());
  dxbc::disassemble(result.container);
  return 0;
}
