// SPDX-License-Identifier: MIT
/// @file
/// D3DReflectLibrary: the functions of a library, each reflected from its own container.
#include "compiler/api/unknown.h"
#include "compiler/reflect/reflected_data.h"

#include "dxbc/library.h"
#include "dxbc/stat.h"

#include <memory>

namespace monolith::compiler {
namespace {

class ReflectedParameter final : public ID3D11FunctionParameterReflection {
public:
  /// Null: does not exist.
  explicit ReflectedParameter(const dxbc::LibraryParameter* parameter) : m_parameter(parameter) {}
  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_PARAMETER_DESC* desc) override {
    if (!m_parameter || !desc) return E_FAIL;
    const dxbc::LibraryParameter& p = *m_parameter;
    *desc = {p.name.c_str(), p.semantic.c_str(), D3D_SHADER_VARIABLE_TYPE(p.type), D3D_SHADER_VARIABLE_CLASS(p.typeClass),
             p.rows, p.columns, D3D_INTERPOLATION_MODE(p.interpolation), D3D_PARAMETER_FLAGS(p.flags),
             p.firstIn, p.firstInComponent, p.firstOut, p.firstOutComponent};
    return S_OK;
  }

private:
  const dxbc::LibraryParameter* m_parameter;
};

/// What is read out of the container of a function.
struct FunctionData {
  std::string name;
  uint32_t level9 = 0;
  dxbc::Shader shader;
  dxbc::Rdef rdef;
  dxbc::Stat stat;
  std::vector<dxbc::LibraryParameter> parameters; ///< the return value first
};

class ReflectedFunction final : public ID3D11FunctionReflection {
public:
  ReflectedFunction(FunctionData data, bool exists, D3D_FEATURE_LEVEL level)
      : m_f(std::move(data)), m_exists(exists), m_level(level), m_data(m_f.rdef), m_noParameter(nullptr) {
    for (const dxbc::LibraryParameter& p : m_f.parameters) m_parameters.emplace_back(&p);
  }
  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_FUNCTION_DESC* desc) override;
  ID3D11ShaderReflectionConstantBuffer* STDMETHODCALLTYPE GetConstantBufferByIndex(UINT index) override { return m_data.buffer(index); }
  ID3D11ShaderReflectionConstantBuffer* STDMETHODCALLTYPE GetConstantBufferByName(const char* name) override { return m_data.buffer(name); }
  HRESULT STDMETHODCALLTYPE GetResourceBindingDesc(UINT index, D3D11_SHADER_INPUT_BIND_DESC* desc) override {
    if (!desc || index >= m_f.rdef.bindings.size()) return E_INVALIDARG;
    m_data.describe(*desc, m_data.rdef().bindings[index], false);
    return S_OK;
  }
  ID3D11ShaderReflectionVariable* STDMETHODCALLTYPE GetVariableByName(const char* name) override { return m_data.variable(name); }
  HRESULT STDMETHODCALLTYPE GetResourceBindingDescByName(const char* name, D3D11_SHADER_INPUT_BIND_DESC* desc) override {
    const dxbc::RdefBinding* binding = name && desc ? m_data.findBinding(name) : nullptr;
    if (!binding) return E_INVALIDARG;
    m_data.describe(*desc, *binding, false);
    return S_OK;
  }
  ID3D11FunctionParameterReflection* STDMETHODCALLTYPE GetFunctionParameter(INT index) override {
    const int64_t number = int64_t(index) - D3D_RETURN_PARAMETER_INDEX;
    return number >= 0 && number < int64_t(m_parameters.size()) ? &m_parameters[size_t(number)] : &m_noParameter;
  }

private:
  const FunctionData m_f;
  const bool m_exists;
  const D3D_FEATURE_LEVEL m_level;
  ReflectedData m_data;
  ReflectedParameter m_noParameter;
  std::vector<ReflectedParameter> m_parameters;
};

HRESULT ReflectedFunction::GetDesc(D3D11_FUNCTION_DESC* desc) {
  if (!m_exists || !desc) return E_FAIL;
  const dxbc::Stat& s = m_f.stat;
  *desc = {};
  desc->Version = dxbc::kLibraryProgram << 16 | UINT(m_f.shader.major) << 4 | m_f.shader.minor;
  desc->Creator = m_data.rdef().creator.c_str();
  desc->Flags = m_data.rdef().flags;
  desc->ConstantBuffers = UINT(m_data.rdef().constantBuffers.size());
  desc->BoundResources = UINT(m_data.rdef().bindings.size());
  desc->InstructionCount = s.instructionCount;
  desc->TempRegisterCount = s.tempRegisterCount;
  desc->TempArrayCount = s.tempArrayCount;
  desc->DefCount = s.defCount;
  desc->DclCount = s.dclCount;
  desc->TextureNormalInstructions = s.textureNormalInstructions;
  desc->TextureLoadInstructions = s.textureLoadInstructions;
  desc->TextureCompInstructions = s.textureCompInstructions;
  desc->TextureBiasInstructions = s.textureBiasInstructions;
  desc->TextureGradientInstructions = s.textureGradientInstructions;
  desc->FloatInstructionCount = s.floatInstructionCount;
  desc->IntInstructionCount = s.intInstructionCount;
  desc->UintInstructionCount = s.uintInstructionCount;
  desc->StaticFlowControlCount = s.staticFlowControlCount;
  desc->DynamicFlowControlCount = s.dynamicFlowControlCount;
  desc->MacroInstructionCount = s.macroInstructionCount;
  desc->ArrayInstructionCount = s.arrayInstructionCount;
  desc->MovInstructionCount = s.movInstructionCount;
  desc->MovcInstructionCount = s.movcInstructionCount;
  desc->ConversionInstructionCount = s.conversionInstructionCount;
  desc->BitwiseInstructionCount = s.bitwiseInstructionCount;
  desc->MinFeatureLevel = m_level;
  desc->RequiredFeatureFlags = requiredFlags(m_f.shader);
  desc->Name = m_f.name.c_str();
  desc->FunctionParameterCount = INT(m_f.parameters.size()) - 1;
  desc->HasReturn = m_f.parameters[0].type != D3D_SVT_VOID;
  desc->Has10Level9VertexShader = (m_f.level9 & dxbc::kLevel9Vertex) != 0;
  desc->Has10Level9PixelShader = (m_f.level9 & dxbc::kLevel9Pixel) != 0;
  return S_OK;
}

class LibraryReflection final : public Unknown<LibraryReflection, ID3D11LibraryReflection> {
public:
  static constexpr GUID kSelf = {0x3b6c1d52, 0x8f04, 0x4c9e, {0xa5, 0x1b, 0x27, 0x90, 0x6d, 0x4e, 0x11, 0x06}};
  LibraryReflection(std::string creator, UINT flags) : m_creator(std::move(creator)), m_flags(flags) {}
  void add(FunctionData data, D3D_FEATURE_LEVEL level) { m_functions.push_back(std::make_unique<ReflectedFunction>(std::move(data), true, level)); }

  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_LIBRARY_DESC* desc) override {
    if (!desc) return E_FAIL;
    *desc = {m_creator.c_str(), m_flags, UINT(m_functions.size())};
    return S_OK;
  }
  ID3D11FunctionReflection* STDMETHODCALLTYPE GetFunctionByIndex(INT index) override {
    return index >= 0 && size_t(index) < m_functions.size() ? m_functions[size_t(index)].get() : noFunction();
  }

private:
  static ReflectedFunction* noFunction() {
    static auto* const kNone = new ReflectedFunction({}, false, D3D_FEATURE_LEVEL_9_1); // handed out; lives as long as the library
    return kNone;
  }
  std::string m_creator;
  UINT m_flags;
  std::vector<std::unique_ptr<ReflectedFunction>> m_functions;
};

bool readFunction(const dxbc::LibraryFunction& f, FunctionData& out) {
  out.name = f.name;
  out.level9 = f.level9;
  dxbc::Result<dxbc::Container> container = dxbc::parseContainer(f.container, false);
  dxbc::Result<dxbc::Shader> shader = dxbc::parseLibraryProgram(f.container);
  const dxbc::Chunk* parameters = container ? container->find(dxbc::kTagLfs0) : nullptr;
  if (!shader || !parameters) return false;
  dxbc::Result<std::vector<dxbc::LibraryParameter>> list = dxbc::parseParameters(parameters->data);
  if (!list) return false;
  out.shader = std::move(*shader);
  out.parameters = std::move(*list);
  if (const dxbc::Chunk* chunk = container->find(dxbc::kTagRdef)) {
    dxbc::Result<dxbc::Rdef> rdef = dxbc::parseRdef(chunk->data);
    if (!rdef) return false;
    out.rdef = std::move(*rdef);
  }
  if (const dxbc::Chunk* chunk = container->find(dxbc::kTagStat)) {
    dxbc::Result<dxbc::Stat> stat = dxbc::parseStat(chunk->data);
    if (!stat) return false;
    out.stat = *stat;
  }
  return true;
}

D3D_FEATURE_LEVEL leastLevel(const dxbc::Library& library, const FunctionData& f) {
  if (f.level9) return library.source.profile.find("9_3") != std::string::npos ? D3D_FEATURE_LEVEL_9_3 : D3D_FEATURE_LEVEL_9_1;
  return f.shader.major >= 5 ? D3D_FEATURE_LEVEL_11_0 : f.shader.minor ? D3D_FEATURE_LEVEL_10_1 : D3D_FEATURE_LEVEL_10_0;
}

HRESULT reflectLibrary(std::span<const uint8_t> bytes, ID3D11LibraryReflection** reflection) {
  if (!dxbc::parseContainer(bytes, false)) return kInvalidCall;
  dxbc::Result<dxbc::Library> library = dxbc::parseLibrary(bytes);
  if (!library) return E_FAIL;
  auto made = std::make_unique<LibraryReflection>(library->creator, library->flags);
  for (const dxbc::LibraryFunction& f : library->functions) {
    FunctionData data;
    if (!readFunction(f, data)) return E_FAIL;
    const D3D_FEATURE_LEVEL level = leastLevel(*library, data);
    made->add(std::move(data), level);
  }
  *reflection = made.release();
  return S_OK;
}

} // namespace
} // namespace monolith::compiler

HRESULT WINAPI D3DReflectLibrary(LPCVOID data, SIZE_T size, REFIID riid, void** reflector) {
  using namespace monolith::compiler;
  if (!reflector) return E_POINTER;
  *reflector = nullptr;
  if (!data || size < 32) return kInvalidCall;
  if (riid != __uuidof(IUnknown) && riid != IID_ID3D11LibraryReflection) return E_INVALIDARG;
  return guarded([&] {
    ID3D11LibraryReflection* reflection = nullptr;
    const HRESULT hr = reflectLibrary({static_cast<const uint8_t*>(data), size}, &reflection);
    if (SUCCEEDED(hr)) *reflector = reflection;
    return hr;
  });
}
