// SPDX-License-Identifier: MIT
// What shaders for feature level 9 may not do: the hardware they are for has shader model 2.
#include "compiler/optimize/optimize.h"

#include <set>

namespace monolith::compiler {

namespace {

constexpr uint32_t kMaxPixelArithmetic91 = 64, kMaxPixelTextures91 = 32, kMaxPixel93 = 512, kMaxVertex = 256;
constexpr uint32_t kMaxTargets93 = 4;

class Checker {
public:
  Checker(Module& module, Diagnostics& diagnostics) : m_module(module), m_f(module.code), m_diagnostics(diagnostics), m_name(module.target.name), m_pixel(module.target.stage == Stage::Pixel) {
    m_low = m_name.find("_9_3") == std::string::npos;
  }
  void run() {
    forEachInst(m_f, *m_f.root, [&](ValueId id) {
      for (const Src& s : m_f.sources(id))
        if (m_f.insts[s.id].op == Op::Input)
          m_read.insert(m_f.insts[s.id].aux[0]);
    });
    if (!m_module.target.library) { // parameters of functions are no inputs and outputs of the stage
      for (const IoElement& e : m_module.inputs)
        element(e, false);
      for (const IoElement& e : m_module.outputs)
        element(e, true);
    }
    for (const ResourceUse& r : m_module.resources)
      resource(r);
    forEachInst(m_f, *m_f.root, [&](ValueId id) { instruction(id); });
    counts();
  }

private:
  void element(const IoElement& e, bool output) {
    using V = dxbc::SignatureSystemValue;
    const std::string name = e.semantic + (e.index ? std::to_string(e.index) : std::string());
    switch (e.systemValue) {
    case V::None:
      break;
    case V::VertexId:
    case V::InstanceId:
      m_diagnostics.error(e.loc, 4016, "the " + name + " semantic cannot be used with 10_level_9 targets");
      return;
    case V::Target:
      if (e.index >= (m_low ? 1u : kMaxTargets93))
        m_diagnostics.error(e.loc, 4583, name + " is not supported on 10_level_9 target " + m_name);
      return;
    case V::ClipDistance:
      if (m_module.program->clipPlanes)
        return;
      [[fallthrough]];
    default:
      if ((e.systemValue == V::Position && !m_pixel && output) || (e.systemValue == V::Depth && m_pixel && output) || (e.systemValue == V::IsFrontFace && !m_low))
        return;
      if (e.systemValue == V::Position && !m_read.count(uint32_t(e.registerType) << 16 | e.reg)) // declared to match the vertex shader
        return;
      m_diagnostics.error(e.loc, 4583, name + " is not supported on 10_level_9 target " + m_name);
      return;
    }
    if (output)
      return;
    if (m_pixel && !isFloatBase(e.base)) // vertex data is converted on its way in
      m_diagnostics.error(e.loc, 4568, m_name + " does not support integer inputs");
    else if (m_pixel && e.interpolation != dxbc::InterpolationMode::Linear && e.interpolation != dxbc::InterpolationMode::LinearCentroid)
      m_diagnostics.error(e.loc, 4568, m_name + " does not support the interpolation of input '" + name + "'");
  }
  void resource(const ResourceUse& r) {
    if (r.sampler || !r.var || r.old)
      return;
    const Type* t = r.var->type;
    while (t->isArray())
      t = t->element;
    if (!t->isObject())
      return;
    switch (t->object) {
    case ObjectKind::Texture2D:
    case ObjectKind::Texture3D:
    case ObjectKind::TextureCube:
      return;
    case ObjectKind::Texture1D:
    case ObjectKind::Texture1DArray:
      m_diagnostics.error(r.var->loc, 4597, "Texture1D types are unsupported on " + m_name);
      return;
    default:
      m_diagnostics.error(r.var->loc, 4545, "unsupported texture type for " + m_name);
    }
  }
  void instruction(ValueId id) {
    const Inst& i = m_f.insts[id];
    for (const Src& s : m_f.sources(id))
      if (m_pixel && m_f.insts[s.id].op == Op::CbLoad && m_f.insts[s.id].count)
        once(m_module.placeOf(id), 4511, m_name + " does not support relative addressing");
    switch (i.op) {
    case Op::Sample:
    case Op::SampleB:
      if (m_f.fetches[i.aux[0]].hasOffset)
        unsupported(id);
      m_textures++;
      return;
    case Op::SampleD:
    case Op::DerivX:
    case Op::DerivY:
      if (m_low || !m_pixel)
        unsupported(id);
      (i.op == Op::SampleD ? m_textures : m_arithmetic)++;
      return;
    case Op::TempLoad:
    case Op::TempStore:
      once(m_module.placeOf(id), 4511, m_name + " does not support relative addressing");
      return;
    case Op::If:
    case Op::Switch:
    case Op::Loop:
    case Op::Phi:
    case Op::Extract:
    case Op::Input:
    case Op::Store:
      return;
    default:
      break;
    }
    if (hasTrait(i.op, kFetch) || i.op == Op::F16toF32 || i.op == Op::F32toF16)
      unsupported(id);
    else if (hasTrait(i.op, kLanes | kDot) && !hasTrait(i.op, kFoldable) && i.op != Op::Neg && i.op != Op::Abs)
      m_arithmetic++;
  }
  void unsupported(ValueId id) { once(m_module.placeOf(id), 4532, "cannot map expression to " + m_name + " instruction set"); }
  void once(const Location& at, int number, const std::string& text) {
    if (m_said)
      return;
    m_said = true;
    m_diagnostics.error(at, number, text);
  }
  /// Operations are counted as scalars here; four of them may be one instruction.
  void counts() {
    const std::string model = !m_pixel ? (m_low ? "vs_2_0" : "vs_2_x") : m_low ? "ps_2_0" : "ps_2_x";
    const uint32_t least = (m_arithmetic + 3) / 4;
    if (m_pixel && m_low && least > kMaxPixelArithmetic91)
      tooMany(5608, "arithmetic ", least, model, kMaxPixelArithmetic91);
    else if (m_pixel && m_low && m_textures > kMaxPixelTextures91)
      tooMany(5608, "texture ", m_textures, model, kMaxPixelTextures91);
    else if (least + m_textures > (m_pixel ? kMaxPixel93 : kMaxVertex))
      tooMany(5609, "", least + m_textures, model, m_pixel ? kMaxPixel93 : kMaxVertex);
  }
  void tooMany(int number, const std::string& kind, uint32_t count, const std::string& model, uint32_t limit) {
    m_diagnostics.errorNoPlace(number, "Compiled shader code uses too many " + kind + "instruction slots (" + std::to_string(count) + "). Max. allowed by the target (" + model + ") is " + std::to_string(limit) + ".");
  }

  Module& m_module;
  Function& m_f;
  Diagnostics& m_diagnostics;
  const std::string& m_name;
  const bool m_pixel;
  std::set<uint32_t> m_read; ///< registers
  bool m_low = true, m_said = false; ///< 9_1
  uint32_t m_arithmetic = 0, m_textures = 0;
};

} // namespace

bool checkLevel9(Module& module, Diagnostics& diagnostics) {
  const size_t before = diagnostics.errorCount();
  Checker(module, diagnostics).run();
  return diagnostics.errorCount() == before;
}

} // namespace monolith::compiler
