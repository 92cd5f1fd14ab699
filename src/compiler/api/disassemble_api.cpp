// SPDX-License-Identifier: MIT
/// @file
/// Assembly as text, whole or in part, and where instructions lie.
#include "compiler/api/blob.h"
#include "compiler/api/exports.h"

#include "base/log.h"
#include "dxbc/disassemble.h"

using namespace monolith;
using namespace monolith::compiler;

namespace {

constexpr UINT kKnownFlags = D3D_DISASM_ENABLE_COLOR_CODE | D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS |
                             D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING | D3D_DISASM_DISABLE_DEBUG_INFO |
                             D3D_DISASM_ENABLE_INSTRUCTION_OFFSET | D3D_DISASM_INSTRUCTION_ONLY | D3D_DISASM_PRINT_HEX_LITERALS;

dxbc::DisassembleOptions optionsOf(UINT flags, const char* comments) {
  dxbc::DisassembleOptions o;
  o.instructionNumbers = flags & D3D_DISASM_ENABLE_INSTRUCTION_NUMBERING;
  o.byteOffsets = flags & D3D_DISASM_ENABLE_INSTRUCTION_OFFSET;
  o.hexLiterals = flags & D3D_DISASM_PRINT_HEX_LITERALS;
  o.defaultValues = flags & D3D_DISASM_ENABLE_DEFAULT_VALUE_PRINTS;
  o.debugInfo = !(flags & (D3D_DISASM_DISABLE_DEBUG_INFO | D3D_DISASM_INSTRUCTION_ONLY));
  o.html = flags & D3D_DISASM_ENABLE_COLOR_CODE;
  if (flags & D3D_DISASM_INSTRUCTION_ONLY) o.header = o.instructionCount = false;
  if (comments) o.comments = comments;
  return o;
}

std::span<const uint8_t> bytesOf(const void* data, SIZE_T size) { return {static_cast<const uint8_t*>(data), size}; }

} // namespace

HRESULT WINAPI D3DDisassemble(const void* data, SIZE_T size, UINT flags, const char* comments, ID3DBlob** text) {
  if (!text) return E_INVALIDARG;
  *text = nullptr;
  // Cycles of instructions were those of one old processor; they cannot be asked for.
  if (!data || !size || (flags & ~kKnownFlags)) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<std::string> result = dxbc::disassemble(bytesOf(data, size), optionsOf(flags, comments));
    if (!result) return E_FAIL;
    *text = makeTextBlob(*result);
    return S_OK;
  });
}

HRESULT WINAPI D3DDisassembleRegion(LPCVOID data, SIZE_T size, UINT flags, LPCSTR comments, SIZE_T start, SIZE_T count,
                                    SIZE_T* finish, ID3DBlob** text) {
  if (finish) *finish = 0;
  if (!text) return E_INVALIDARG;
  *text = nullptr;
  if (!data || !size || (flags & ~kKnownFlags)) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<dxbc::Shader> shader = dxbc::parseShader(bytesOf(data, size), false);
    if (!shader) return E_FAIL;
    dxbc::DisassembleOptions options = optionsOf(flags, comments);
    std::string out = options.comments;
    if (!out.empty() && out.back() != '\n') out += '\n';
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

HRESULT WINAPI D3DDisassemble10Effect(ID3D10Effect*, UINT, ID3DBlob** text) {
  if (text) *text = nullptr;
  base::logOnce("D3DDisassemble10Effect: there are no effects of Direct3D 10 here");
  return E_NOTIMPL;
}

HRESULT WINAPI D3DGetTraceInstructionOffsets(LPCVOID data, SIZE_T size, UINT flags, SIZE_T start, SIZE_T count,
                                             SIZE_T* offsets, SIZE_T* total) {
  if (total) *total = 0;
  if (!data || !size || (flags & ~UINT(D3D_GET_INST_OFFSETS_INCLUDE_NON_EXECUTABLE)) || (count && !offsets)) return E_INVALIDARG;
  return guarded([&] {
    dxbc::Result<dxbc::Shader> shader = dxbc::parseShader(bytesOf(data, size), false);
    if (!shader) return E_FAIL;
    SIZE_T number = 0;
    for (const dxbc::Instruction& i : shader->instructions) {
      if (!i.isNumbered() && !(flags & D3D_GET_INST_OFFSETS_INCLUDE_NON_EXECUTABLE)) continue;
      if (number >= start && number - start < count) offsets[number - start] = SIZE_T(i.offset) * 4;
      number++;
    }
    if (total) *total = number;
    return S_OK;
  });
}
