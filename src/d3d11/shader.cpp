// SPDX-License-Identifier: MIT
#include "d3d11/shader.h"

#include "base/log.h"
#include "dxbc/validate.h"
#include "ir/function.h"
#include "translate/translate.h"

#include <algorithm>

namespace monolith::d3d11 {

namespace {

using dxbc::Shader;
using dxbc::ShaderStage;

/// Highest shader model (major * 10 + minor) of a feature level.
uint32_t highestModel(D3D_FEATURE_LEVEL level) {
  if (level >= D3D_FEATURE_LEVEL_11_0)
    return 50;
  return level >= D3D_FEATURE_LEVEL_10_1 ? 41 : 40;
}

/// Components of an input register that instructions declare as read.
uint8_t declaredMask(const Shader& shader, uint32_t reg) {
  uint8_t mask = 0;
  for (const dxbc::IoRegister& io : shader.decls.inputs)
    if (io.type == dxbc::RegisterType::Input && io.reg == reg)
      mask = static_cast<uint8_t>(mask | io.mask);
  return mask;
}

void fillInputs(const Shader& shader, codegen::Program& program) {
  for (const dxbc::SignatureElement& e : shader.inputs.elements) {
    codegen::SignatureElement out;
    out.semantic = e.semantic;
    out.semanticIndex = e.semanticIndex;
    out.reg = static_cast<uint8_t>(std::min<uint32_t>(e.reg, 255));
    out.mask = e.mask;
    out.usedMask = static_cast<uint8_t>(e.reg < 255 ? e.mask & declaredMask(shader, e.reg) : 0);
    out.system = static_cast<codegen::SystemValue>(dxbc::effectiveSystemValue(e, shader.stage, false));
    out.componentType = static_cast<uint8_t>(e.componentType);
    for (const dxbc::IoRegister& io : shader.decls.inputs)
      if (io.type == dxbc::RegisterType::Input && io.reg == e.reg && (io.mask & e.mask))
        out.interpolation = static_cast<codegen::Interpolation>(io.interpolation);
    program.inputs.push_back(std::move(out));
  }
}

void fillOutputs(const Shader& shader, codegen::Program& program) {
  for (const dxbc::SignatureElement& e : shader.outputs.elements) {
    codegen::SignatureElement out;
    out.semantic = e.semantic;
    out.semanticIndex = e.semanticIndex;
    out.reg = static_cast<uint8_t>(std::min<uint32_t>(e.reg, 255));
    out.mask = e.mask;
    out.usedMask = static_cast<uint8_t>(e.mask & ~e.rwMask & 15);
    out.system = static_cast<codegen::SystemValue>(dxbc::effectiveSystemValue(e, shader.stage, true));
    out.componentType = static_cast<uint8_t>(e.componentType);
    program.outputs.push_back(std::move(out));
  }
}

std::shared_ptr<codegen::Program> makeProgram(const Shader& shader) {
  auto program = std::make_shared<codegen::Program>();
  program->id = nextObjectId();
  program->stage = shader.stage == ShaderStage::Pixel ? codegen::Stage::Pixel : codegen::Stage::Vertex;
  fillInputs(shader, *program);
  fillOutputs(shader, *program);
  for (const auto& cb : shader.decls.constantBuffers)
    program->constantBufferCount = std::max(program->constantBufferCount, cb.upper + 1);
  for (const auto& r : shader.decls.resources)
    program->resourceCount = std::max(program->resourceCount, r.upper + 1);
  for (const auto& s : shader.decls.samplers)
    program->samplerCount = std::max(program->samplerCount, s.upper + 1);
  for (const dxbc::Instruction& i : shader.instructions)
    program->usesDiscard = program->usesDiscard || i.op == dxbc::OpCode::Discard;
  for (const dxbc::IoRegister& io : shader.decls.outputs)
    program->writesDepth = program->writesDepth || io.type == dxbc::RegisterType::OutputDepth ||
                           io.type == dxbc::RegisterType::OutputDepthGreaterEqual ||
                           io.type == dxbc::RegisterType::OutputDepthLessEqual;
  program->forceEarlyDepth = (shader.decls.globalFlags & dxbc::kForceEarlyDepthStencil) != 0;
  return program;
}

} // namespace

HRESULT compileShader(std::span<const uint8_t> bytecode, ShaderStage stage, D3D_FEATURE_LEVEL level,
                      CompiledShader& out) {
  auto loaded = dxbc::loadShader(bytecode);
  if (!loaded) {
    base::logLine(base::LogLevel::Error, "shader: %s", loaded.error().c_str());
    return E_INVALIDARG;
  }
  const Shader& shader = *loaded;
  if (shader.stage != stage) {
    base::logLine(base::LogLevel::Error, "shader: bytecode of another stage");
    return E_INVALIDARG;
  }
  if (shader.model() > highestModel(level)) {
    base::logLine(base::LogLevel::Error, "shader: model %u.%u is too high for the feature level", shader.major,
                  shader.minor);
    return E_INVALIDARG;
  }
  out.usesInterfaces = shader.decls.usesInterfaces;
  if (stage != ShaderStage::Vertex && stage != ShaderStage::Pixel)
    return S_OK;
  auto program = makeProgram(shader);
  translate::Result result = translate::translate(shader);
  if (!result) {
    base::logLine(base::LogLevel::Error, "shader: %s", result.error.c_str());
    return E_NOTIMPL;
  }
  program->function = std::move(result.function);
  out.program = std::move(program);
  return S_OK;
}

} // namespace monolith::d3d11
