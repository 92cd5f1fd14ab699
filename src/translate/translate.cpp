// SPDX-License-Identifier: MIT
#include "translate/translate.h"

#include "ir/passes/pipeline.h"
#include "translate/translator.h"

#include <algorithm>

namespace monolith::translate {

namespace {
/// A function this large is an attack (nested calls), not a shader.
constexpr size_t kMaxInstructions = 1u << 20;
} // namespace

void Translator::fail(const std::string& text) {
  if (!m_error.empty())
    return;
  m_error = "error: ";
  if (m_in) {
    m_error += "instruction " + std::to_string(m_in - m_shader.instructions.data());
    m_error += std::string(" (") + m_in->info().mnemonic + "): ";
  }
  m_error += text;
}

const dxbc::Operand& Translator::operand(unsigned n) {
  if (n < m_in->operands.size())
    return m_in->operands[n];
  fail("missing operand");
  return m_nothing;
}

bool Translator::run() {
  using dxbc::ShaderStage;
  const bool hull = m_shader.stage == ShaderStage::Hull;
  if (hull && (m_phase == 0 || m_phase >= m_shader.decls.phases.size())) {
    fail("hull shaders are translated phase by phase");
    return false;
  }
  if (m_shader.model() > 50) {
    fail("shader model 5.1 is not translated");
    return false;
  }
  m_f.stage = static_cast<ir::Stage>(m_shader.stage);
  declare();
  if (failed())
    return false;
  scanStructure();
  if (failed())
    return false;
  m_f.instructions.reserve(m_shader.instructions.size() * 5);
  m_f.operands.reserve(m_shader.instructions.size() * 10);
  copyInputsToArrays();
  const uint32_t count = static_cast<uint32_t>(m_shader.instructions.size());
  if (hull)
    function(m_shader.decls.phases[m_phase].begin, std::min(count, m_shader.decls.phases[m_phase].end));
  else
    function(0, m_labels.empty() ? count : m_labels.front().begin - 1);
  m_in = nullptr;
  if (!failed() && m_f.stage != ir::Stage::Geometry)
    storeOutputs();
  if (!failed() && !m_b.finish())
    fail("control flow does not nest");
  return !failed();
}

void Translator::instruction(uint32_t at) {
  m_in = &m_shader.instructions[at];
  if (m_in->isDeclaration() || m_in->info().role == dxbc::OpRole::Nop || m_in->info().role == dxbc::OpRole::Phase)
    return;
  if (m_f.instructions.size() > kMaxInstructions) {
    fail("too many instructions after inlining");
    return;
  }
  if (m_in->info().has(dxbc::kDerivative) && m_f.stage != ir::Stage::Pixel) {
    fail("needs a pixel shader");
    return;
  }
  if (!flow(at) && !arithmetic() && !resources() && !failed())
    fail("not translated");
}

HullResult translateHull(const dxbc::Shader& shader, const Options& options) {
  HullResult r;
  if (shader.stage != dxbc::ShaderStage::Hull) {
    r.error = "error: not a hull shader";
    return r;
  }
  for (uint32_t n = 1; n < shader.decls.phases.size(); n++) {
    const dxbc::Phase& p = shader.decls.phases[n];
    const bool points = p.kind == dxbc::PhaseKind::ControlPoint;
    if (!points && p.kind != dxbc::PhaseKind::Fork && p.kind != dxbc::PhaseKind::Join)
      continue;
    auto f = std::make_unique<ir::Function>();
    Translator t(shader, n, *f);
    if (!t.run()) {
      r.error = t.error();
      return r;
    }
    if (options.optimize)
      ir::optimize(*f);
    if (points)
      r.controlPoint = std::move(f);
    else
      r.phases.push_back({p.kind == dxbc::PhaseKind::Join, std::max(1u, p.instances), std::move(f)});
  }
  return r;
}

Result translate(const dxbc::Shader& shader, const Options& options) {
  Result r;
  auto f = std::make_unique<ir::Function>();
  Translator t(shader, *f);
  if (!t.run()) {
    r.error = t.error();
    return r;
  }
  if (options.optimize)
    ir::optimize(*f);
  r.function = std::move(f);
  return r;
}

} // namespace monolith::translate
