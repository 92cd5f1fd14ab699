// SPDX-License-Identifier: MIT
#include "hull.h"

#include "compiler/compile.h"
#include "dxbc/validate.h"
#include "ir/verifier.h"

#include <algorithm>

namespace monolith::test {

HullProgram makeHull(const Shader& s, bool optimize, std::string& error) {
  HullProgram p;
  compiler::CompileRequest request;
  request.source = s.text;
  request.target = "hs_5_0";
  const compiler::CompileResult compiled = compiler::compile(request);
  if (!compiled.ok) {
    error = compiled.messages;
    return p;
  }
  const dxbc::Result<dxbc::Shader> shader = dxbc::loadShader(compiled.container);
  if (!shader) {
    error = shader.error();
    return p;
  }
  p.inputPoints = shader->decls.inputControlPoints;
  p.outputPoints = shader->decls.outputControlPoints;
  p.hull = translate::translateHull(*shader, {optimize});
  error = p.hull.error;
  if (error.empty() && p.hull.controlPoint) error = ir::verify(*p.hull.controlPoint);
  for (const translate::HullPhase& f : p.hull.phases)
    if (error.empty()) error = ir::verify(*f.function);
  return p;
}

namespace {
/// Runs `count` lanes of one phase, at most kLanes at a time, each with its number in a system value.
std::string runPhase(const ir::Function& f, Backend& backend, ir::SystemValue number, uint32_t count, const ShaderState& base,
                     const auto& take) {
  for (uint32_t first = 0; first < count; first += kLanes) {
    const uint32_t n = std::min(kLanes, count - first);
    ShaderState state = base;
    LaneArray& ids = state.system[static_cast<uint32_t>(number) * 4];
    for (uint32_t l = 0; l < kLanes; l++) ids[l] = first + l;
    ShaderOutputs out;
    const std::string error = backend.run(f, state, static_cast<uint8_t>((1u << n) - 1), out);
    if (!error.empty()) return error;
    for (uint32_t l = 0; l < n; l++) take(out, first + l, l);
  }
  return {};
}
} // namespace

std::string runHull(const HullProgram& program, Backend& backend, const ShaderState& input, ShaderOutputs& out) {
  ShaderState state = input;
  if (program.hull.controlPoint) {
    const std::string error = runPhase(*program.hull.controlPoint, backend, ir::SystemValue::OutputControlPointId, program.outputPoints, state,
                                       [&](const ShaderOutputs& o, uint32_t point, uint32_t lane) {
                                         for (const auto& [key, words] : o.outputs)
                                           out.points[vertexKey(point, key / 4, key & 3)].fill(words[lane]);
                                       });
    if (!error.empty()) return error;
  } else {
    out.points = state.vertexInputs;
  }
  state.outputPoints = out.points;
  for (const translate::HullPhase& f : program.hull.phases) {
    const auto number = f.join ? ir::SystemValue::JoinInstanceId : ir::SystemValue::ForkInstanceId;
    const std::string error = runPhase(*f.function, backend, number, f.instances, state, [&](const ShaderOutputs& o, uint32_t, uint32_t lane) {
      // A lane wrote what its instance writes; words of other instances are not there or zero.
      for (const auto& [key, words] : o.patchConstants)
        if (o.patchConstantMask.at(key) >> lane & 1) out.patchConstants[key].fill(words[lane]);
    });
    if (!error.empty()) return error;
    state.patchConstants = out.patchConstants;
  }
  return {};
}

} // namespace monolith::test
