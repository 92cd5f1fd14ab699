// SPDX-License-Identifier: MIT
#include "compiler/api/blob.h"
#include "compiler/api/exports.h"

#include "dxbc/disassemble.h"

using namespace monolith;
using namespace monolith::compiler;

namespace {

/// The caller's comments, each line behind "//", in front of the text.
std::string commentLines(const char* comments) {
  std::string out;
  if (!comments || !*comments) return out;
  std::string_view rest = comments;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    out += "// ";
    out += rest.substr(0, end);
    out += '\n';
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return out;
}

dxbc::DisassembleOptions optionsOf(UINT flags) {
  dxbc::DisassembleOptions o;
  o.instructionNumbers = flags & D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING;
  o.byteOffsets = flags & D3D_DISASM_ENABLE_INSTRUCTION_OFFSET;
  o.hexLiterals = flags & D3D_DISASM_PRINT_HEX_LITERALS;
  if (flags & D3D_DISASM_INSTRUCTION_ONLY) o.header = o.instructionCount = false;
  return o;
}

std::span<const uint8_t> bytesOf(const void* data, SIZE_T size) { return {static_cast<const uint8_t*>(data), size}; }

} // namespace

HRESULT WINAPI D3DDisassemble(const void* data, SIZE_T size, UINT flags, const char* comments, ID3DBlob** text) {
  if (!text) return E_INVALIDARG;
  *text = nullptr;
  if (!data || !size) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<std::string> result = dxbc::disassemble(bytesOf(data, size), optionsOf(flags));
    if (!result) return E_FAIL;
    *text = makeTextBlob(commentLines(comments) + *result);
    return S_OK;
  });
}

HRESULT WINAPI D3DDisassembleRegion(LPCVOID data, SIZE_T size, UINT flags, LPCSTR comments, SIZE_T start, SIZE_T count,
                                    SIZE_T* finish, ID3DBlob** text) {
  if (!text) return E_INVALIDARG;
  *text = nullptr;
  if (!data || !size) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<dxbc::Shader> shader = dxbc::parseShader(bytesOf(data, size), false);
    if (!shader) return E_FAIL;
    dxbc::DisassembleOptions options = optionsOf(flags);
    std::string out = commentLines(comments);
    SIZE_T done = 0, next = start;
    for (size_t n = 0; n < shader->instructions.size(); n++) {
      const dxbc::Instruction& i = shader->instructions[n];
      if (SIZE_T(i.offset) * 4 < start) continue;
      if (done == count) break;
      out += dxbc::disassembleInstruction(i, *shader, options.hexLiterals) + "\n";
      next = n + 1 < shader->instructions.size() ? SIZE_T(shader->instructions[n + 1].offset) * 4 : SIZE_T(-1);
      done++;
    }
    if (finish) *finish = next;
    *text = makeTextBlob(out);
    return S_OK;
  });
}
