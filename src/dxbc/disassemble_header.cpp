// SPDX-License-Identifier: MIT
/// @file
/// Comment tables before the program: required features, buffer definitions, resource bindings, signatures.
#include "dxbc/library.h"
#include "dxbc/printer.h"
#include "dxbc/rdef.h"
#include "dxbc/stat.h"

namespace monolith::dxbc {
namespace {

// Numbers of d3dcommon.h that the tables name.
enum : uint32_t { kSitCbuffer = 0, kSitTbuffer, kSitTexture, kSitSampler, kSitUavTyped, kSitStructured,
                  kSitUavStructured, kSitByteAddress, kSitUavByteAddress, kSitAppend, kSitConsume, kSitUavCounter };
enum : uint32_t { kSvfUsed = 2, kSifComparison = 2 };
enum : uint16_t { kSvcScalar = 0, kSvcVector, kSvcMatrixRows, kSvcMatrixColumns, kSvcObject, kSvcStruct,
                  kSvcInterfaceClass, kSvcInterfacePointer };

constexpr const char* kFeatures[] = {"Double-precision floating point",
                                     "Raw and Structured buffers",
                                     "UAVs at every shader stage",
                                     "64 UAV slots",
                                     "Minimum-precision data types",
                                     "Double-precision extensions for 11.1",
                                     "Shader extensions for 11.1",
                                     "Comparison filtering for feature level 9",
                                     "Tiled resources",
                                     "PS Output Stencil Ref",
                                     "PS Inner Coverage",
                                     "Typed UAV Load Additional Formats",
                                     "Raster Ordered UAVs",
                                     "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer"};

const char* scalarName(uint16_t type) {
  switch (type) {
  case 1: return "bool";
  case 2: return "int";
  case 3: return "float";
  case 19: return "uint";
  case 20: return "uint8";
  case 39: return "double";
  case 52: return "min8float";
  case 53: return "min10float";
  case 54: return "min16float";
  case 55: return "min12int";
  case 56: return "min16int";
  case 57: return "min16uint";
  default: return "unknown";
  }
}

/// Buffer definitions.
class BufferTable {
public:
  BufferTable(std::string& out, const Rdef& rdef, bool defaults) : m_out(out), m_rdef(rdef), m_defaults(defaults) {}

  void run() {
    if (m_rdef.constantBuffers.empty()) return;
    m_out += "//\n// Buffer Definitions: \n//\n";
    for (const RdefConstantBuffer& cb : m_rdef.constantBuffers) {
      constexpr const char* kKinds[] = {"cbuffer", "tbuffer", "interfaces", "Resource bind info for"};
      m_out += "// " + std::string(cb.type < 4 ? kKinds[cb.type] : "buffer") + " " + cb.name + "\n// {\n//\n";
      bool first = true;
      for (const RdefVariable& v : cb.variables) {
        if (isStruct(v.type) && !first) m_out += "//   \n";
        first = false;
        std::string tail;
        appendFormat(tail, " Size: %5u", v.size);
        if (cb.type != 3 && cb.type != 2 && !(v.flags & kSvfUsed)) tail += " [unused]";
        declare(v.type, v.name, v.offset, 2, tail, 0);
        defaults(v);
      }
      m_out += "//\n// }\n//\n";
    }
  }

private:
  const RdefType* type(uint32_t index) const { return index < m_rdef.types.size() ? &m_rdef.types[index] : nullptr; }
  bool isStruct(uint32_t index) const {
    const RdefType* t = type(index);
    return t && (t->typeClass == kSvcStruct || t->typeClass == kSvcInterfaceClass);
  }

  static std::string typeText(const RdefType& t) {
    std::string base = scalarName(t.type);
    switch (t.typeClass) {
    case kSvcScalar: return base;
    case kSvcVector: return base + std::to_string(t.columns);
    case kSvcMatrixRows:
    case kSvcMatrixColumns:
      return (t.typeClass == kSvcMatrixRows ? "row_major " : "") + base + std::to_string(t.rows) + "x" +
             std::to_string(t.columns);
    case kSvcInterfacePointer: return "interface " + t.name;
    default: return t.name.empty() ? base : t.name;
    }
  }

  /// One line "type name;  // Offset: n tail", the comment at column 40.
  void line(const std::string& text, uint32_t indent, uint32_t offset, const std::string& tail) {
    std::string s = "//" + std::string(indent + 1, ' ') + text;
    if (s.size() < 40) s.resize(40, ' ');
    appendFormat(s, "// Offset: %4u", offset);
    m_out += s + tail + "\n";
  }

  void declare(uint32_t index, const std::string& name, uint32_t offset, uint32_t indent, const std::string& tail,
               uint32_t depth) {
    const RdefType* t = type(index);
    if (!t || depth > 16) return;
    std::string array = t->elements ? "[" + std::to_string(t->elements) + "]" : "";
    if (!isStruct(index)) return line(typeText(*t) + " " + name + array + ";", indent, offset, tail);
    std::string pad(indent + 1, ' '), inner(indent + 5, ' ');
    m_out += "//" + pad + "struct" + (t->name.empty() ? "" : " " + t->name) + "\n//" + pad + "{\n//" + inner + "\n";
    bool first = true;
    for (const RdefMember& m : t->members) {
      if (isStruct(m.type) && !first) m_out += "//" + inner + "\n";
      first = false;
      declare(m.type, m.name, offset + m.offset, indent + 4, "", depth + 1);
    }
    m_out += "//\n";
    line("} " + name + array + ";", indent, offset, tail);
  }

  void defaults(const RdefVariable& v) {
    if (!m_defaults || !v.hasDefault) return;
    for (size_t k = 0; k + 3 < v.defaultValue.size(); k += 4) {
      uint32_t word = uint32_t(v.defaultValue[k]) | uint32_t(v.defaultValue[k + 1]) << 8 |
                      uint32_t(v.defaultValue[k + 2]) << 16 | uint32_t(v.defaultValue[k + 3]) << 24;
      if (k % 16 == 0) m_out += k ? "\n//        " : "//      = ";
      appendFormat(m_out, "0x%08x ", word);
    }
    m_out += "\n";
  }

  std::string& m_out;
  const Rdef& m_rdef;
  bool m_defaults;
};

/// Resource bindings.
class BindingTable {
public:
  BindingTable(std::string& out, const Rdef& rdef) : m_out(out), m_rdef(rdef) {}

  void run() {
    if (m_rdef.bindings.empty()) return;
    bool ids = m_rdef.major == 5 && m_rdef.minor >= 1;
    m_out += "//\n// Resource Bindings:\n//\n"
             "// Name                                 Type  Format         Dim";
    m_out += ids ? "      ID " : " ";
    m_out += "     HLSL Bind  Count\n// ------------------------------ ---------- ------- -----------";
    m_out += ids ? " -------" : "";
    m_out += " -------------- ------\n";
    for (const RdefBinding& b : m_rdef.bindings) row(b, ids);
    m_out += "//\n";
  }

private:
  static const char* kind(const RdefBinding& b) {
    switch (b.type) {
    case kSitCbuffer: return "cbuffer";
    case kSitTbuffer: return "tbuffer";
    case kSitSampler: return b.flags & kSifComparison ? "sampler_c" : "sampler";
    case kSitTexture:
    case kSitStructured:
    case kSitByteAddress: return "texture";
    default: return "UAV";
    }
  }

  static std::string format(const RdefBinding& b) {
    switch (b.type) {
    case kSitCbuffer:
    case kSitTbuffer:
    case kSitSampler: return "NA";
    case kSitTexture:
    case kSitUavTyped: {
      std::string s = returnTypeName(ReturnType(b.returnType < 10 ? b.returnType : 0));
      uint32_t components = ((b.flags >> 2) & 3) + 1;
      return components > 1 ? s + std::to_string(components) : s;
    }
    case kSitByteAddress:
    case kSitUavByteAddress: return "byte";
    default: return "struct";
    }
  }

  static std::string dimension(const RdefBinding& b) {
    switch (b.type) {
    case kSitCbuffer:
    case kSitTbuffer:
    case kSitSampler: return "NA";
    case kSitStructured:
    case kSitByteAddress: return "r/o";
    case kSitUavStructured:
    case kSitUavByteAddress: return "r/w";
    case kSitAppend: return "append";
    case kSitConsume: return "consume";
    case kSitUavCounter: return "r/w+cnt";
    default: break;
    }
    constexpr const char* kNames[] = {"unknown", "buf",     "1d",   "1darray",    "2d",         "2darray",
                                      "2dMS",    "2dMSarray", "3d", "cube", "cubearray", "buf"};
    std::string s = b.dimension < std::size(kNames) ? kNames[b.dimension] : "unknown";
    if ((b.dimension == 6 || b.dimension == 7) && b.sampleCount && b.sampleCount != UINT32_MAX)
      s.insert(4, std::to_string(b.sampleCount));
    return s;
  }

  static const char* registerLetters(const RdefBinding& b) {
    switch (b.type) {
    case kSitCbuffer: return "cb";
    case kSitSampler: return "s";
    case kSitTbuffer:
    case kSitTexture:
    case kSitStructured:
    case kSitByteAddress: return "t";
    default: return "u";
    }
  }

  void row(const RdefBinding& b, bool ids) {
    std::string bind = registerLetters(b) + std::to_string(b.bindPoint);
    if (b.space) bind += ",space" + std::to_string(b.space);
    std::string count = b.bindCount ? std::to_string(b.bindCount) : "unbounded";
    m_out += "// " + b.name;
    if (b.name.size() < 30) m_out.append(30 - b.name.size(), ' ');
    appendFormat(m_out, " %10s %7s %11s", kind(b), format(b).c_str(), dimension(b).c_str());
    if (ids) {
      std::string id = registerLetters(b) + std::to_string(b.id);
      for (char& c : id) c = char(c >= 'a' && c <= 'z' ? c - 32 : c);
      appendFormat(m_out, " %7s", id.c_str());
    }
    appendFormat(m_out, " %14s %6s \n", bind.c_str(), count.c_str());
  }

  std::string& m_out;
  const Rdef& m_rdef;
};

const char* systemValueColumn(SignatureSystemValue v) {
  switch (v) {
  case SignatureSystemValue::None: return "NONE";
  case SignatureSystemValue::Position: return "POS";
  case SignatureSystemValue::ClipDistance: return "CLIPDST";
  case SignatureSystemValue::CullDistance: return "CULLDST";
  case SignatureSystemValue::RenderTargetArrayIndex: return "RTINDEX";
  case SignatureSystemValue::ViewportArrayIndex: return "VPINDEX";
  case SignatureSystemValue::VertexId: return "VERTID";
  case SignatureSystemValue::PrimitiveId: return "PRIMID";
  case SignatureSystemValue::InstanceId: return "INSTID";
  case SignatureSystemValue::IsFrontFace: return "FFACE";
  case SignatureSystemValue::SampleIndex: return "SAMPLE";
  case SignatureSystemValue::QuadEdgeTessFactor: return "QUADEDGE";
  case SignatureSystemValue::QuadInsideTessFactor: return "QUADINT";
  case SignatureSystemValue::TriEdgeTessFactor: return "TRIEDGE";
  case SignatureSystemValue::TriInsideTessFactor: return "TRIINT";
  case SignatureSystemValue::LineDetailTessFactor: return "LINEDET";
  case SignatureSystemValue::LineDensityTessFactor: return "LINEDEN";
  case SignatureSystemValue::Target: return "TARGET";
  case SignatureSystemValue::Depth: return "DEPTH";
  case SignatureSystemValue::Coverage: return "COVERAGE";
  case SignatureSystemValue::DepthGreaterEqual: return "DEPTHGE";
  case SignatureSystemValue::DepthLessEqual: return "DEPTHLE";
  case SignatureSystemValue::StencilRef: return "STENCILREF";
  case SignatureSystemValue::InnerCoverage: return "INNERCOV";
  case SignatureSystemValue::Barycentrics: return "BARYCEN";
  case SignatureSystemValue::ShadingRate: return "SHDINGRATE";
  case SignatureSystemValue::CullPrimitive: return "CULLPRIM";
  }
  return "NONE";
}

/// What stands in the register column of elements that have no register.
const char* specialRegister(SignatureSystemValue v) {
  switch (v) {
  case SignatureSystemValue::Depth: return "  oDepth";
  case SignatureSystemValue::DepthGreaterEqual: return "oDepthGE";
  case SignatureSystemValue::DepthLessEqual: return "oDepthLE";
  case SignatureSystemValue::Coverage: return "   oMask";
  case SignatureSystemValue::StencilRef: return "   oStencilRef";
  case SignatureSystemValue::PrimitiveId: return "  primID";
  default: return "special";
  }
}

const char* formatColumn(const SignatureElement& e) {
  switch (e.precision) {
  case MinPrecision::None: break;
  default: return minPrecisionName(e.precision);
  }
  switch (e.componentType) {
  case ComponentType::Uint: return "uint";
  case ComponentType::Sint: return "int";
  case ComponentType::Float: return "float";
  default: return "unknown";
  }
}

std::string fixedMask(uint8_t mask) {
  std::string s = "    ";
  for (uint32_t k = 0; k < 4; k++)
    if (mask >> k & 1) s[k] = "xyzw"[k];
  return s;
}

void signatureTable(std::string& out, const Signature& s, const char* title, const char* empty, bool output,
                    ShaderStage stage) {
  out += std::string("//\n// ") + title + " signature:\n//\n"
         "// Name                 Index   Mask Register SysValue  Format   Used\n"
         "// -------------------- ----- ------ -------- -------- ------- ------\n";
  for (const SignatureElement& e : s.elements) {
    SignatureSystemValue value = effectiveSystemValue(e, stage, output);
    uint8_t used = uint8_t(output ? e.mask & ~e.rwMask : e.rwMask);
    std::string name = e.stream ? "m" + std::to_string(e.stream) + ":" + e.semantic : e.semantic;
    out += "// " + name;
    if (name.size() < 20) out.append(20 - name.size(), ' ');
    appendFormat(out, " %5u", e.semanticIndex);
    if (e.reg == UINT32_MAX)
      appendFormat(out, "    N/A %8s", specialRegister(value));
    else
      appendFormat(out, "   %s %8u", fixedMask(e.mask).c_str(), e.reg);
    appendFormat(out, " %8s %7s", systemValueColumn(value), formatColumn(e));
    if (e.reg == UINT32_MAX)
      appendFormat(out, " %6s\n", used || output ? "YES" : "NO");
    else
      appendFormat(out, "   %s\n", fixedMask(used).c_str());
  }
  out += s.elements.empty() ? std::string("// no ") + empty + "\n" : std::string("//\n");
}

void tessellationTables(std::string& out, const Shader& shader) {
  const Declarations& d = shader.decls;
  constexpr const char* kDomains[] = {"undefined", "Isoline", "Triangle", "Quadrilateral"};
  constexpr const char* kOutputs[] = {"undefined", "Point", "Line", "Clockwise Triangles", "Counter-Clockwise Triangles"};
  constexpr const char* kPartitioning[] = {"undefined", "Integer", "Power of Two", "Odd Fractional", "Even Fractional"};
  bool hull = shader.stage == ShaderStage::Hull;
  if (!hull && shader.stage != ShaderStage::Domain) return;
  out += "// Tessellation Domain   # of control points\n// -------------------- --------------------\n";
  appendFormat(out, "// %-20s %20u\n//\n", kDomains[size_t(d.domain) & 3],
               hull ? d.outputControlPoints : d.inputControlPoints);
  if (!hull) return;
  out += "// Tessellation Output Primitive  Partitioning Type \n"
         "// ------------------------------ ------------------\n";
  appendFormat(out, "// %-30s %-18s\n//\n", size_t(d.tessOutput) < 5 ? kOutputs[size_t(d.tessOutput)] : "undefined",
               size_t(d.partitioning) < 5 ? kPartitioning[size_t(d.partitioning)] : "undefined");
}

} // namespace

std::string headerText(const Container& container, const Shader& shader, const std::string& comments, const DisassembleOptions& options) {
  Rdef rdef;
  const Chunk* reflection = container.find(kTagRdef);
  if (reflection)
    if (Result<Rdef> parsed = parseRdef(reflection->data)) rdef = std::move(*parsed);
  // The compiler that made the shader is named if it left its name.
  const std::string title = !rdef.creator.empty() ? rdef.creator : options.title;
  std::string out = "//\n// Generated by " + title + "\n//\n" + comments;
  const bool early = shader.decls.globalFlags & kForceEarlyDepthStencil;
  if (shader.featureFlags || early) {
    out += "//\n// Note: shader requires additional functionality:\n";
    for (size_t k = 0; k < std::size(kFeatures); k++) {
      if (k == 1 && early) out += "//       Early depth-stencil\n";
      if (shader.featureFlags >> k & 1) out += std::string("//       ") + kFeatures[k] + "\n";
    }
    out += "//\n";
  }
  if (reflection) {
    BufferTable(out, rdef, options.defaultValues).run();
    BindingTable(out, rdef).run();
    out += "//\n";
  }
  if (shader.patchConstants.tag)
    signatureTable(out, shader.patchConstants, "Patch Constant", "Patch Constant",
                   shader.stage == ShaderStage::Hull, shader.stage);
  if (!container.find(kTagLfs0)) { // functions of libraries have a table of their own
    signatureTable(out, shader.inputs, "Input", "Input", false, shader.stage);
    signatureTable(out, shader.outputs, "Output", "Output", true, shader.stage);
  }
  tessellationTables(out, shader);
  if (const Chunk* chunk = container.find(kTagStat))
    if (Result<Stat> stat = parseStat(chunk->data); stat && stat->sampleFrequency)
      out += "// Pixel Shader runs at sample frequency\n//\n";
  if (const Chunk* chunk = container.find(kTagAon9)) level9Text(out, chunk->data);
  return out;
}

} // namespace monolith::dxbc
