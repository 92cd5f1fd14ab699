// SPDX-License-Identifier: MIT
#include "compiler/reflect/reflection.h"

#include "compiler/api/exports.h"
#include "compiler/reflect/reflected_data.h"

#include "dxbc/shader.h"
#include "dxbc/stat.h"

#include <d3d12shader.h>

#include <atomic>

namespace monolith::compiler {
namespace {

/// Id of the interface in version 43 of the library; the methods up to GetThreadGroupSize are the same.
constexpr GUID kReflection43 = {0x0a233719, 0x3960, 0x4578, {0x9d, 0x7c, 0x20, 0x3b, 0x8b, 0x1d, 0x9c, 0xc1}};

/// Direct3D 12's interface has the same methods; only its descriptions of bindings are longer.
constexpr GUID kReflection12 = {0x5a58797d, 0xa72c, 0x478d, {0x8b, 0xa2, 0xef, 0xc6, 0xb0, 0xef, 0xe8, 0x8e}};

bool isReflectionId(REFIID riid) { return riid == IID_ID3D11ShaderReflection || riid == kReflection43 || riid == kReflection12; }

class Reflection final : public ID3D11ShaderReflection {
public:
  Reflection(dxbc::Shader shader, dxbc::Rdef rdef, const dxbc::Stat& stat, uint32_t level9Minor)
      : m_shader(std::move(shader)), m_data(std::move(rdef)), m_stat(stat), m_level9Minor(level9Minor) {}
  /// From now on descriptions of bindings are those of Direct3D 12.
  void describeSpaces() { m_spaces = true; }
  virtual ~Reflection() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override {
    if (!object) return E_POINTER;
    *object = nullptr;
    if (riid != __uuidof(IUnknown) && !isReflectionId(riid)) return E_NOINTERFACE;
    *object = static_cast<ID3D11ShaderReflection*>(this);
    AddRef();
    return S_OK;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return m_refs.fetch_add(1, std::memory_order_relaxed) + 1; }
  ULONG STDMETHODCALLTYPE Release() override {
    ULONG n = m_refs.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (n == 0) delete this;
    return n;
  }

  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_SHADER_DESC* desc) override;
  ID3D11ShaderReflectionConstantBuffer* STDMETHODCALLTYPE GetConstantBufferByIndex(UINT index) override {
    return m_data.buffer(index);
  }
  ID3D11ShaderReflectionConstantBuffer* STDMETHODCALLTYPE GetConstantBufferByName(const char* name) override {
    return m_data.buffer(name);
  }
  HRESULT STDMETHODCALLTYPE GetResourceBindingDesc(UINT index, D3D11_SHADER_INPUT_BIND_DESC* desc) override {
    if (!desc || index >= m_data.rdef().bindings.size()) return E_INVALIDARG;
    m_data.describe(*desc, m_data.rdef().bindings[index], m_spaces);
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetResourceBindingDescByName(const char* name,
                                                         D3D11_SHADER_INPUT_BIND_DESC* desc) override {
    if (!desc || !name) return E_INVALIDARG;
    const dxbc::RdefBinding* binding = m_data.findBinding(name);
    if (!binding) return E_INVALIDARG;
    m_data.describe(*desc, *binding, m_spaces);
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetInputParameterDesc(UINT index, D3D11_SIGNATURE_PARAMETER_DESC* desc) override {
    return parameter(m_shader.inputs, index, desc, false);
  }
  HRESULT STDMETHODCALLTYPE GetOutputParameterDesc(UINT index, D3D11_SIGNATURE_PARAMETER_DESC* desc) override {
    return parameter(m_shader.outputs, index, desc, true);
  }
  HRESULT STDMETHODCALLTYPE GetPatchConstantParameterDesc(UINT index, D3D11_SIGNATURE_PARAMETER_DESC* desc) override {
    return parameter(m_shader.patchConstants, index, desc, m_shader.stage == dxbc::ShaderStage::Hull);
  }
  ID3D11ShaderReflectionVariable* STDMETHODCALLTYPE GetVariableByName(const char* name) override { return m_data.variable(name); }
  UINT STDMETHODCALLTYPE GetMovInstructionCount() override { return m_stat.movInstructionCount; }
  UINT STDMETHODCALLTYPE GetMovcInstructionCount() override { return m_stat.movcInstructionCount; }
  UINT STDMETHODCALLTYPE GetConversionInstructionCount() override { return m_stat.conversionInstructionCount; }
  UINT STDMETHODCALLTYPE GetBitwiseInstructionCount() override { return m_stat.bitwiseInstructionCount; }
  D3D_PRIMITIVE STDMETHODCALLTYPE GetGSInputPrimitive() override { return D3D_PRIMITIVE(m_stat.inputPrimitive); }
  WINBOOL STDMETHODCALLTYPE IsSampleFrequencyShader() override { return m_stat.sampleFrequency != 0; }
  UINT STDMETHODCALLTYPE GetNumInterfaceSlots() override { return m_data.rdef().interfaceSlots; }
  HRESULT STDMETHODCALLTYPE GetMinFeatureLevel(D3D_FEATURE_LEVEL* level) override;
  UINT STDMETHODCALLTYPE GetThreadGroupSize(UINT* x, UINT* y, UINT* z) override;
  UINT64 STDMETHODCALLTYPE GetRequiresFlags() override;

private:
  HRESULT parameter(const dxbc::Signature& signature, UINT index, D3D11_SIGNATURE_PARAMETER_DESC* desc, bool output) {
    if (!desc || index >= signature.elements.size()) return E_INVALIDARG;
    const dxbc::SignatureElement& e = signature.elements[index];
    desc->SemanticName = e.semantic.c_str();
    desc->SemanticIndex = e.semanticIndex;
    desc->Register = e.reg;
    desc->SystemValueType = D3D_NAME(dxbc::effectiveSystemValue(e, m_shader.stage, output));
    desc->ComponentType = D3D_REGISTER_COMPONENT_TYPE(e.componentType);
    desc->Mask = e.mask;
    desc->ReadWriteMask = e.rwMask;
    desc->Stream = e.stream;
    desc->MinPrecision = D3D_MIN_PRECISION(e.precision);
    return S_OK;
  }

  std::atomic<ULONG> m_refs{1};
  dxbc::Shader m_shader;
  ReflectedData m_data;
  dxbc::Stat m_stat;
  uint32_t m_level9Minor; ///< minor version of the 9_x program
  bool m_spaces = false;
};

HRESULT Reflection::GetDesc(D3D11_SHADER_DESC* desc) {
  if (!desc) return E_FAIL;
  const dxbc::Rdef& rdef = m_data.rdef();
  *desc = {};
  desc->Version = UINT(m_shader.stage) << 16 | UINT(m_shader.major) << 4 | m_shader.minor;
  desc->Creator = rdef.creator.c_str();
  desc->Flags = rdef.flags;
  desc->ConstantBuffers = UINT(rdef.constantBuffers.size());
  desc->BoundResources = UINT(rdef.bindings.size());
  desc->InputParameters = UINT(m_shader.inputs.elements.size());
  desc->OutputParameters = UINT(m_shader.outputs.elements.size());
  desc->PatchConstantParameters = UINT(m_shader.patchConstants.elements.size());
  desc->InstructionCount = m_stat.instructionCount;
  desc->TempRegisterCount = m_stat.tempRegisterCount;
  desc->TempArrayCount = m_stat.tempArrayCount;
  desc->DefCount = m_stat.defCount;
  desc->DclCount = m_stat.dclCount;
  desc->TextureNormalInstructions = m_stat.textureNormalInstructions;
  desc->TextureLoadInstructions = m_stat.textureLoadInstructions;
  desc->TextureCompInstructions = m_stat.textureCompInstructions;
  desc->TextureBiasInstructions = m_stat.textureBiasInstructions;
  desc->TextureGradientInstructions = m_stat.textureGradientInstructions;
  desc->FloatInstructionCount = m_stat.floatInstructionCount;
  desc->IntInstructionCount = m_stat.intInstructionCount;
  desc->UintInstructionCount = m_stat.uintInstructionCount;
  desc->StaticFlowControlCount = m_stat.staticFlowControlCount;
  desc->DynamicFlowControlCount = m_stat.dynamicFlowControlCount;
  desc->MacroInstructionCount = m_stat.macroInstructionCount;
  desc->ArrayInstructionCount = m_stat.arrayInstructionCount;
  desc->CutInstructionCount = m_stat.cutInstructionCount;
  desc->EmitInstructionCount = m_stat.emitInstructionCount;
  desc->GSOutputTopology = D3D_PRIMITIVE_TOPOLOGY(m_stat.gsOutputTopology);
  desc->GSMaxOutputVertexCount = m_stat.gsMaxOutputVertexCount;
  desc->InputPrimitive = D3D_PRIMITIVE(m_stat.inputPrimitive);
  desc->cGSInstanceCount = m_stat.gsInstanceCount;
  desc->cControlPoints = m_stat.controlPoints;
  desc->HSOutputPrimitive = D3D_TESSELLATOR_OUTPUT_PRIMITIVE(m_stat.hsOutputPrimitive);
  desc->HSPartitioning = D3D_TESSELLATOR_PARTITIONING(m_stat.hsPartitioning);
  desc->TessellatorDomain = D3D_TESSELLATOR_DOMAIN(m_stat.tessellatorDomain);
  desc->cBarrierInstructions = m_stat.barrierInstructions;
  desc->cInterlockedInstructions = m_stat.interlockedInstructions;
  desc->cTextureStoreInstructions = m_stat.textureStoreInstructions;
  return S_OK;
}

HRESULT Reflection::GetMinFeatureLevel(D3D_FEATURE_LEVEL* level) {
  if (!level) return E_INVALIDARG;
  // Features of 11.1 are flags beside the shader model.
  constexpr uint64_t kNeeds11_1 = 0x4 | 0x8 | 0x20 | 0x40;
  if (m_shader.level9)
    *level = m_level9Minor ? D3D_FEATURE_LEVEL_9_3 : D3D_FEATURE_LEVEL_9_1;
  else if (m_shader.model() >= 51)
    *level = D3D_FEATURE_LEVEL_11_0;
  else if (m_shader.featureFlags & kNeeds11_1)
    *level = D3D_FEATURE_LEVEL_11_1;
  else if (m_shader.major >= 5)
    *level = D3D_FEATURE_LEVEL_11_0;
  else
    *level = m_shader.minor ? D3D_FEATURE_LEVEL_10_1 : D3D_FEATURE_LEVEL_10_0;
  return S_OK;
}

UINT Reflection::GetThreadGroupSize(UINT* x, UINT* y, UINT* z) {
  const auto& t = m_shader.decls.threadGroup;
  if (x) *x = t[0];
  if (y) *y = t[1];
  if (z) *z = t[2];
  return t[0] * t[1] * t[2];
}

UINT64 Reflection::GetRequiresFlags() { return requiredFlags(m_shader); }

} // namespace

HRESULT makeReflection(std::span<const std::byte> bytes, ID3D11ShaderReflection** reflection, bool spaces) {
  std::span<const uint8_t> data(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  dxbc::Result<dxbc::Container> container = dxbc::parseContainer(data, false);
  dxbc::Result<dxbc::Shader> shader = dxbc::parseShader(data, false);
  if (!container) return kInvalidCall;
  if (!shader) return E_FAIL;
  dxbc::Rdef rdef;
  if (const dxbc::Chunk* chunk = container->find(dxbc::kTagRdef)) {
    dxbc::Result<dxbc::Rdef> parsed = dxbc::parseRdef(chunk->data);
    if (!parsed) return E_FAIL;
    rdef = std::move(*parsed);
  }
  dxbc::Stat stat;
  if (const dxbc::Chunk* chunk = container->find(dxbc::kTagStat)) {
    dxbc::Result<dxbc::Stat> parsed = dxbc::parseStat(chunk->data);
    if (!parsed) return E_FAIL;
    stat = *parsed;
  } else {
    stat = dxbc::computeStat(*shader);
  }
  uint32_t level9Minor = 0;
  if (const dxbc::Chunk* chunk = container->find(dxbc::kTagAon9); chunk && chunk->data.size() >= 8)
    level9Minor = chunk->data[4]; // low byte of the version token
  auto* made = new Reflection(std::move(*shader), std::move(rdef), stat, level9Minor);
  if (spaces) made->describeSpaces();
  *reflection = made;
  return S_OK;
}

} // namespace monolith::compiler

HRESULT WINAPI D3DReflect(const void* data, SIZE_T size, REFIID riid, void** reflector) {
  using namespace monolith::compiler;
  if (!reflector) return E_POINTER;
  *reflector = nullptr;
  if (!data || size < 32) return kInvalidCall;
  return guarded([&] {
    ID3D11ShaderReflection* reflection = nullptr;
    HRESULT hr = makeReflection({static_cast<const std::byte*>(data), size}, &reflection, riid == kReflection12);
    if (FAILED(hr)) return hr;
    if (riid != __uuidof(IUnknown) && !isReflectionId(riid)) {
      reflection->Release();
      return E_INVALIDARG;
    }
    hr = reflection->QueryInterface(riid, reflector);
    reflection->Release();
    return hr;
  });
}
