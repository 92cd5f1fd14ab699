// SPDX-License-Identifier: MIT
#include "dxbc/printer.h"
#include "dxbc/validator.h"

namespace monolith::dxbc {
namespace {

struct FlagName {
  uint32_t flag;
  const char* name;
};
constexpr FlagName kGlobalFlags[] = {{kRefactoringAllowed, "refactoringAllowed"},
                                     {kEnableDoublePrecision, "enableDoublePrecisionFloatOps"},
                                     {kForceEarlyDepthStencil, "forceEarlyDepthStencil"},
                                     {kEnableRawAndStructured, "enableRawAndStructuredBuffers"},
                                     {kSkipOptimization, "skipOptimization"},
                                     {kEnableMinimumPrecision, "enableMinimumPrecision"},
                                     {kEnableDoubleExtensions, "enable11_1DoubleExtensions"},
                                     {kEnableShaderExtensions, "enable11_1ShaderExtensions"},
                                     {kAllResourcesBound, "allResourcesBound"}};

const char* topologyName(PrimitiveTopology t) {
  switch (t) {
  case PrimitiveTopology::Undefined: return "undefined";
  case PrimitiveTopology::PointList: return "pointlist";
  case PrimitiveTopology::LineList: return "linelist";
  case PrimitiveTopology::LineStrip: return "linestrip";
  case PrimitiveTopology::TriangleList: return "trianglelist";
  case PrimitiveTopology::TriangleStrip: return "trianglestrip";
  case PrimitiveTopology::LineListAdj: return "linelistadj";
  case PrimitiveTopology::LineStripAdj: return "linestripadj";
  case PrimitiveTopology::TriangleListAdj: return "trianglelistadj";
  case PrimitiveTopology::TriangleStripAdj: return "trianglestripadj";
  }
  return "unknown";
}

std::string primitiveName(Primitive p) {
  uint32_t n = uint32_t(p);
  if (n >= uint32_t(Primitive::Patch1) && n <= uint32_t(Primitive::Patch32))
    return "control_point_patch_" + std::to_string(n - 7);
  switch (p) {
  case Primitive::Point: return "point";
  case Primitive::Line: return "line";
  case Primitive::Triangle: return "triangle";
  case Primitive::LineAdj: return "lineadj";
  case Primitive::TriangleAdj: return "triangleadj";
  default: return "undefined";
  }
}

constexpr const char* kDomains[] = {"undefined", "domain_isoline", "domain_tri", "domain_quad"};
constexpr const char* kPartitioning[] = {"partitioning_undefined", "partitioning_integer", "partitioning_pow2",
                                         "partitioning_fractional_odd", "partitioning_fractional_even"};
constexpr const char* kTessOutput[] = {"output_undefined", "output_point", "output_line", "output_triangle_cw",
                                       "output_triangle_ccw"};
constexpr const char* kSamplerModes[] = {"mode_default", "mode_comparison", "mode_mono"};

template <typename T, size_t N>
const char* nameOf(const char* const (&names)[N], T value) {
  return size_t(value) < N ? names[size_t(value)] : "unknown";
}

class DeclarationPrinter {
public:
  DeclarationPrinter(const Instruction& i, const Shader& shader)
      : m_i(i), m_d(i.decl), m_shader(shader), m_printer(i, shader, false), m_out(i.info().mnemonic) {}

  std::string run() {
    if (m_i.op == OpCode::CustomData) return customData();
    if (!binding() && !io()) state();
    return std::move(m_out);
  }

private:
  std::string customData() {
    if (m_i.customClass != CustomDataClass::ImmediateConstantBuffer) return {};
    std::string out = "dcl_immediateConstantBuffer { ";
    for (size_t k = 0; k + 3 < m_i.data.size(); k += 4) {
      if (k) out += ",\n                              ";
      out += "{ ";
      for (size_t c = 0; c < 4; c++) {
        if (c) out += ", ";
        out += literalText(m_i.data[k + c], ValueType::Any, false);
      }
      out += '}';
    }
    return out + " }";
  }

  /// The first operand; false (nothing printed) if it is missing.
  bool operand(ValueType type = ValueType::Any) {
    if (m_i.operands.empty()) return false;
    m_out += ' ';
    m_printer.print(m_out, m_i.operands[0], type);
    return true;
  }

  /// t0, or in model 5.1 T0[lower:upper]; the space follows at the end.
  void range() {
    if (m_i.operands.empty()) return;
    const Operand& o = m_i.operands[0];
    m_out += ' ';
    if (m_shader.model() < 51 || o.indexCount < 3) {
      m_printer.printRegister(m_out, o, o.type == RegisterType::ConstantBuffer);
      return;
    }
    std::string name = registerPrefix(o.type);
    for (char& c : name) c = char(c >= 'a' && c <= 'z' ? c - 32 : c);
    appendFormat(m_out, "%s%u[%u:", name.c_str(), o.reg(), m_d.rangeLower);
    if (m_d.rangeUpper == UINT32_MAX)
      m_out += "*]";
    else
      appendFormat(m_out, "%u]", m_d.rangeUpper);
  }
  void space() {
    if (m_shader.model() >= 51) appendFormat(m_out, ", space=%u", m_d.space);
  }
  void returnTypes() {
    m_out += " (";
    for (uint32_t k = 0; k < 4; k++) appendFormat(m_out, "%s%s", k ? "," : "", returnTypeName(m_d.returnTypes[k]));
    m_out += ')';
  }
  void uavFlags() {
    if (m_d.uavFlags & kUavGloballyCoherent) m_out += "_glc";
    if (m_d.uavFlags & kUavRasterizerOrdered) m_out += "_rov";
    if (m_d.uavFlags & kUavHasCounter) m_out += "_opc";
  }

  bool binding() {
    switch (m_i.op) {
    case OpCode::DclResource:
      appendFormat(m_out, "_%s", dimensionName(m_d.dimension));
      if (isMultisampled(m_d.dimension)) appendFormat(m_out, "(%u)", m_d.sampleCount);
      returnTypes();
      range();
      break;
    case OpCode::DclUavTyped:
      appendFormat(m_out, "_%s", dimensionName(m_d.dimension));
      uavFlags();
      returnTypes();
      range();
      break;
    case OpCode::DclResourceRaw: range(); break;
    case OpCode::DclUavRaw:
      uavFlags();
      range();
      break;
    case OpCode::DclResourceStructured:
      range();
      appendFormat(m_out, ", %u", m_d.stride);
      break;
    case OpCode::DclUavStructured:
      uavFlags();
      range();
      appendFormat(m_out, ", %u", m_d.stride);
      break;
    case OpCode::DclConstantBuffer:
      if (m_shader.model() >= 51) {
        range();
        appendFormat(m_out, "[%u]", m_d.size);
      } else {
        appendFormat(m_out, " CB%u[%u]", m_d.registerIndex, m_d.size);
      }
      m_out += m_d.dynamicIndexed ? ", dynamicIndexed" : ", immediateIndexed";
      break;
    case OpCode::DclSampler:
      range();
      appendFormat(m_out, ", %s", nameOf(kSamplerModes, m_d.samplerMode));
      break;
    case OpCode::DclThreadGroupSharedMemoryRaw:
      operand();
      appendFormat(m_out, ", %u", m_d.bytes);
      return true;
    case OpCode::DclThreadGroupSharedMemoryStructured:
      operand();
      appendFormat(m_out, ", %u, %u", m_d.stride, m_d.count);
      return true;
    default: return false;
    }
    space();
    return true;
  }

  bool io() {
    switch (m_i.op) {
    case OpCode::DclInputPs:
    case OpCode::DclInputPsSgv:
    case OpCode::DclInputPsSiv:
      if (m_d.interpolation != InterpolationMode::Undefined)
        appendFormat(m_out, " %s", interpolationName(m_d.interpolation));
      break;
    case OpCode::DclInput:
    case OpCode::DclInputSgv:
    case OpCode::DclInputSiv:
    case OpCode::DclOutput:
    case OpCode::DclOutputSgv:
    case OpCode::DclOutputSiv:
    case OpCode::DclStream:
    case OpCode::DclIndexRange: break;
    default: return false;
    }
    if (operand() && m_i.operands[0].precision != MinPrecision::None)
      appendFormat(m_out, " {%s}", minPrecisionName(m_i.operands[0].precision));
    switch (m_i.op) {
    case OpCode::DclInputSgv:
    case OpCode::DclInputSiv:
    case OpCode::DclInputPsSgv:
    case OpCode::DclInputPsSiv:
    case OpCode::DclOutputSgv:
    case OpCode::DclOutputSiv: appendFormat(m_out, ", %s", systemValueName(m_d.systemValue)); break;
    case OpCode::DclIndexRange: appendFormat(m_out, " %u", m_d.count); break;
    default: break;
    }
    return true;
  }

  void list(const char* prefix) {
    m_out += " = {";
    for (size_t k = 0; k < m_i.data.size(); k++) appendFormat(m_out, "%s%s%u", k ? ", " : "", prefix, m_i.data[k]);
    m_out += '}';
  }

  void state() {
    switch (m_i.op) {
    case OpCode::DclGlobalFlags: {
      const char* separator = " ";
      for (const FlagName& f : kGlobalFlags) {
        if (!(m_d.globalFlags & f.flag)) continue;
        m_out += separator;
        m_out += f.name;
        separator = " | ";
      }
      break;
    }
    case OpCode::DclIndexableTemp:
      appendFormat(m_out, " x%u[%u], %u", m_d.registerIndex, m_d.count, m_d.components);
      break;
    case OpCode::DclGsOutputPrimitiveTopology: appendFormat(m_out, " %s ", topologyName(m_d.topology)); break;
    case OpCode::DclGsInputPrimitive: m_out += " " + primitiveName(m_d.primitive) + " "; break;
    case OpCode::DclTessDomain: appendFormat(m_out, " %s", nameOf(kDomains, m_d.tessDomain)); break;
    case OpCode::DclTessPartitioning: appendFormat(m_out, " %s", nameOf(kPartitioning, m_d.tessPartitioning)); break;
    case OpCode::DclTessOutputPrimitive: appendFormat(m_out, " %s", nameOf(kTessOutput, m_d.tessOutput)); break;
    case OpCode::DclHsMaxTessFactor: appendFormat(m_out, " l(%f)", double(m_d.maxTessFactor)); break;
    case OpCode::DclThreadGroup:
      appendFormat(m_out, " %u, %u, %u", m_d.threads[0], m_d.threads[1], m_d.threads[2]);
      break;
    case OpCode::DclFunctionBody: appendFormat(m_out, " fb%u", m_d.registerIndex); break;
    case OpCode::DclFunctionTable:
      appendFormat(m_out, " ft%u", m_d.registerIndex);
      list("fb");
      break;
    case OpCode::DclInterface:
      if (m_d.dynamicIndexed) m_out += "_dynamicindexed";
      appendFormat(m_out, " fp%u[%u][%u]", m_d.registerIndex, m_d.count, m_d.callSites);
      list("ft");
      break;
    default: appendFormat(m_out, " %u", m_d.count); break;
    }
  }

  const Instruction& m_i;
  const Declaration& m_d;
  const Shader& m_shader;
  OperandPrinter m_printer;
  std::string m_out;
};

} // namespace

std::string declarationText(const Instruction& instruction, const Shader& shader) {
  return DeclarationPrinter(instruction, shader).run();
}

} // namespace monolith::dxbc
