// SPDX-License-Identifier: MIT
#include "fixture.h"

#include "dxbc/writer.h"
#include "shader/assembler.h"

#include <d3dcompiler.h>

#include <cstring>

namespace api {

using namespace monolith;

std::vector<BYTE> makeShader(Stage stage, const char* text, const std::vector<SignatureItem>& inputs,
                             const std::vector<SignatureItem>& outputs, UINT model) {
  auto shader = test::assemble(text, static_cast<dxbc::ShaderStage>(stage), model);
  if (!shader) {
    ADD_FAILURE() << shader.error();
    return {};
  }
  auto fill = [](dxbc::Signature& signature, uint32_t tag, const std::vector<SignatureItem>& items) {
    signature.tag = tag;
    signature.elements.clear();
    for (const SignatureItem& i : items) {
      dxbc::SignatureElement e;
      e.semantic = i.name;
      e.semanticIndex = i.index;
      e.reg = i.reg;
      e.mask = static_cast<uint8_t>(i.mask);
      e.rwMask = tag == dxbc::kTagIsgn ? static_cast<uint8_t>(i.mask) : 0;
      e.systemValue = static_cast<dxbc::SignatureSystemValue>(i.systemValue);
      e.componentType = static_cast<dxbc::ComponentType>(i.type);
      signature.elements.push_back(e);
    }
  };
  fill(shader->inputs, dxbc::kTagIsgn, inputs);
  fill(shader->outputs, dxbc::kTagOsgn, outputs);
  return dxbc::writeShader(*shader);
}

std::vector<BYTE> compileShader(const char* source, const char* entry, const char* target) {
  ComPtr<ID3DBlob> code, messages;
  const HRESULT hr = D3DCompile(source, std::strlen(source), nullptr, nullptr, nullptr, entry, target, 0, 0, &code, &messages);
  if (hr != S_OK) {
    ADD_FAILURE() << entry << " " << target << ": " << (messages ? static_cast<const char*>(messages->GetBufferPointer()) : "no text");
    return {};
  }
  const auto* bytes = static_cast<const BYTE*>(code->GetBufferPointer());
  return {bytes, bytes + code->GetBufferSize()};
}

const std::vector<BYTE>& colorVertexShader() {
  static const auto code = makeShader(Stage::Vertex,
                                      "dcl_input v0.xyz\ndcl_input v1.xyzw\ndcl_output o0.xyzw position\n"
                                      "dcl_output o1.xyzw\nmov o0.xyz, v0.xyzx\nmov o0.w, l(1.0)\nmov o1.xyzw, v1.xyzw\nret\n",
                                      {{"POSITION", 0, 0, 7, 0}, {"COLOR", 0, 1, 15, 0}},
                                      {{"SV_Position", 0, 0, 15, 1}, {"COLOR", 0, 1, 15, 0}});
  return code;
}

const std::vector<BYTE>& colorPixelShader() {
  static const auto code =
      makeShader(Stage::Pixel, "dcl_input v1.xyzw linear\ndcl_output o0.xyzw\nmov o0.xyzw, v1.xyzw\nret\n",
                 {{"SV_Position", 0, 0, 15, 1}, {"COLOR", 0, 1, 15, 0}}, {{"SV_Target", 0, 0, 15, 0}});
  return code;
}

const std::vector<BYTE>& fullscreenVertexShader() {
  // (id & 2) * 2 - 1, (id & 1) * 4 - 1: clockwise
  static const auto code = makeShader(
      Stage::Vertex,
      "dcl_input v0.x vertex_id\ndcl_output o0.xyzw position\ndcl_temps 1\n"
      "and r0.xy, v0.xxxx, l(2, 1, 0, 0)\nutof r0.xy, r0.xyxx\nmad o0.xy, r0.xyxx, l(2.0, 4.0, 0, 0), l(-1.0, -1.0, 0, 0)\n"
      "mov o0.zw, l(0, 0, 0, 1.0)\nret\n",
      {{"SV_VertexID", 0, 0, 1, 6, 1}}, {{"SV_Position", 0, 0, 15, 1}});
  return code;
}

const std::vector<BYTE>& constantPixelShader() {
  static const auto code =
      makeShader(Stage::Pixel, "dcl_constantbuffer cb0[1]\ndcl_output o0.xyzw\nmov o0.xyzw, cb0[0].xyzw\nret\n",
                 {{"SV_Position", 0, 0, 15, 1}}, {{"SV_Target", 0, 0, 15, 0}});
  return code;
}

const std::vector<BYTE>& computeShader() {
  static const auto code = [] {
    dxbc::Shader shader;
    shader.stage = dxbc::ShaderStage::Compute;
    shader.major = 5;
    dxbc::Instruction group, end;
    group.op = dxbc::OpCode::DclThreadGroup;
    group.decl.threads = {1, 1, 1};
    end.op = dxbc::OpCode::Ret;
    shader.instructions = {group, end};
    shader.inputs.tag = dxbc::kTagIsgn;
    shader.outputs.tag = dxbc::kTagOsgn;
    return dxbc::writeShader(shader);
  }();
  return code;
}

} // namespace api
