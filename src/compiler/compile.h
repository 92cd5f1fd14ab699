// SPDX-License-Identifier: MIT
/// @file
/// The compiler as plain functions: HLSL text in, the bytes of a DXBC container and message text out. No COM
/// types, so that the exported API, the fxc tool and the tests stand on the same entry. Nothing here throws
/// except bad_alloc; hostile source ends in an error message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace monolith::compiler {

/// Flags of a compilation; the values are those of D3DCOMPILE_*.
enum CompileFlag : uint32_t {
  kDebugInfo = 1u << 0,
  kSkipValidation = 1u << 1,
  kSkipOptimization = 1u << 2,
  kPackMatrixRowMajor = 1u << 3,
  kPackMatrixColumnMajor = 1u << 4,
  kPartialPrecision = 1u << 5,
  kForceVsSoftwareNoOpt = 1u << 6,
  kForcePsSoftwareNoOpt = 1u << 7,
  kNoPreshader = 1u << 8,
  kAvoidFlowControl = 1u << 9,
  kPreferFlowControl = 1u << 10,
  kEnableStrictness = 1u << 11,
  kEnableBackwardsCompatibility = 1u << 12,
  kIeeeStrictness = 1u << 13,
  kOptimizationLevel0 = 1u << 14,
  kOptimizationLevel3 = 1u << 15,
  kWarningsAreErrors = 1u << 18,
  kResourcesMayAlias = 1u << 19,
  kEnableUnboundedDescriptorTables = 1u << 20,
  kAllResourcesBound = 1u << 21,
  kDebugNameForSource = 1u << 22,
  kDebugNameForBinary = 1u << 23,
};

/// What shaders say about who made them.
inline constexpr char kCompilerName[] = "Monolith HLSL Shader Compiler";

struct MacroDefinition {
  std::string name;
  std::string value;
};

/// Finds the text of #include files. The callee owns the bytes between open and close.
class IncludeHandler {
public:
  virtual ~IncludeHandler() = default;
  /// `system` is true for <name>. `parentData` is what open gave for the including file, null for the root.
  /// Returns false if there is no such file.
  virtual bool open(bool system, const char* name, const void* parentData, const void** data, size_t* bytes) = 0;
  virtual void close(const void* data) = 0;
};

/// A slot for unordered access of the shader that others are to agree with.
struct TemplateSlot {
  std::string name;
  uint32_t slot = 0, count = 1;
};
/// Values are those of D3DCOMPILE_SECDATA_*.
enum TemplateFlag : uint32_t { kMergeUavSlots = 1u << 0, kPreserveTemplateSlots = 1u << 1, kRequireTemplateMatch = 1u << 2 };

struct CompileRequest {
  std::string_view source;
  std::string sourceName; ///< as in messages and __FILE__; empty: messages name the working folder's "Shader@0x..." form
  std::vector<MacroDefinition> defines;
  IncludeHandler* include = nullptr; ///< null: every #include is an error
  std::string entry = "main"; ///< empty for libraries
  std::string target; ///< "vs_5_0", ...
  uint32_t flags = 0; ///< CompileFlag
  std::vector<TemplateSlot> templateSlots;
  uint32_t templateFlags = 0; ///< TemplateFlag
};

struct CompileResult {
  bool ok = false;
  std::vector<uint8_t> container; ///< empty unless ok
  std::string messages;           ///< errors and warnings, one a line, each ends with '\n'; may be non-empty when ok
};

struct PreprocessResult {
  bool ok = false;
  std::string text;
  std::string messages;
};

/// Compiles one entry point. Any thread; no state is kept between calls.
CompileResult compile(const CompileRequest& request);

/// Runs the preprocessor only (entry, target are ignored).
PreprocessResult preprocess(const CompileRequest& request);

} // namespace monolith::compiler
