// SPDX-License-Identifier: MIT
/// @file
/// The objects under a reflection: types, variables, constant buffers. Private to the folder. None is reference
/// counted; all live as long as their reflection.
#pragma once

#include "dxbc/rdef.h"
#include "dxbc/shader.h"

#include <windows.h>

#include <d3d11shader.h>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace monolith::compiler {

class ReflectedData;

/// A type at an offset inside its structure; an index of UINT32_MAX is the type that does not exist.
class ReflectedType final : public ID3D11ShaderReflectionType {
public:
  ReflectedType(ReflectedData& data, uint32_t index, uint32_t offset);
  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_SHADER_TYPE_DESC* desc) override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetMemberTypeByIndex(UINT index) override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetMemberTypeByName(const char* name) override;
  const char* STDMETHODCALLTYPE GetMemberTypeName(UINT index) override;
  HRESULT STDMETHODCALLTYPE IsEqual(ID3D11ShaderReflectionType* type) override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetSubType() override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetBaseClass() override;
  UINT STDMETHODCALLTYPE GetNumInterfaces() override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetInterfaceByIndex(UINT index) override;
  HRESULT STDMETHODCALLTYPE IsOfType(ID3D11ShaderReflectionType* type) override;
  HRESULT STDMETHODCALLTYPE ImplementsInterface(ID3D11ShaderReflectionType* base) override;
  uint32_t index() const { return m_index; }
  const ReflectedData& data() const { return m_data; }

private:
  const dxbc::RdefType* type() const;
  ReflectedData& m_data;
  uint32_t m_index, m_offset;
  std::string m_name;
};

class ReflectedVariable final : public ID3D11ShaderReflectionVariable {
public:
  ReflectedVariable(ReflectedData& data, const dxbc::RdefVariable* variable,
                    ID3D11ShaderReflectionConstantBuffer* buffer)
      : m_data(data), m_variable(variable), m_buffer(buffer) {}
  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_SHADER_VARIABLE_DESC* desc) override;
  ID3D11ShaderReflectionType* STDMETHODCALLTYPE GetType() override;
  ID3D11ShaderReflectionConstantBuffer* STDMETHODCALLTYPE GetBuffer() override { return m_buffer; }
  UINT STDMETHODCALLTYPE GetInterfaceSlot(UINT index) override;
  const dxbc::RdefVariable* variable() const { return m_variable; }

private:
  ReflectedData& m_data;
  const dxbc::RdefVariable* m_variable; ///< null: does not exist
  ID3D11ShaderReflectionConstantBuffer* m_buffer;
};

class ReflectedBuffer final : public ID3D11ShaderReflectionConstantBuffer {
public:
  ReflectedBuffer(ReflectedData& data, const dxbc::RdefConstantBuffer* buffer);
  HRESULT STDMETHODCALLTYPE GetDesc(D3D11_SHADER_BUFFER_DESC* desc) override;
  ID3D11ShaderReflectionVariable* STDMETHODCALLTYPE GetVariableByIndex(UINT index) override;
  ID3D11ShaderReflectionVariable* STDMETHODCALLTYPE GetVariableByName(const char* name) override;
  /// Null if there is none of that name.
  ReflectedVariable* findVariable(const char* name);
  const dxbc::RdefConstantBuffer* buffer() const { return m_buffer; }

private:
  ReflectedData& m_data;
  const dxbc::RdefConstantBuffer* m_buffer; ///< null: does not exist
  std::vector<std::unique_ptr<ReflectedVariable>> m_variables;
};

/// Everything that RDEF gives, with the objects that do not exist.
class ReflectedData {
public:
  explicit ReflectedData(dxbc::Rdef rdef);
  const dxbc::Rdef& rdef() const { return m_rdef; }
  /// A type object; made when first asked for, because types of members are shared without bound. Any thread.
  ReflectedType* type(uint32_t index, uint32_t offset);
  // What does not exist is the same object in all reflections.
  static ReflectedType* noType() { return &nothing().m_noType; }
  static ReflectedVariable* noVariable() { return &nothing().m_noVariable; }
  static ReflectedBuffer* noBuffer() { return &nothing().m_noBuffer; }
  // By number or name; what does not exist if there is none.
  ReflectedBuffer* buffer(UINT index) { return index < m_buffers.size() ? m_buffers[index].get() : noBuffer(); }
  ReflectedBuffer* buffer(const char* name);
  ReflectedVariable* variable(const char* name);
  /// Null if there is none of that name.
  const dxbc::RdefBinding* findBinding(const char* name) const;
  /// With `spaces` the description is one of Direct3D 12, which is longer.
  void describe(D3D11_SHADER_INPUT_BIND_DESC& desc, const dxbc::RdefBinding& binding, bool spaces) const;

private:
  static ReflectedData& nothing();
  dxbc::Rdef m_rdef;
  std::mutex m_lock; ///< guards m_types
  std::map<std::pair<uint32_t, uint32_t>, std::unique_ptr<ReflectedType>> m_types;
  ReflectedType m_noType;
  ReflectedBuffer m_noBuffer;
  ReflectedVariable m_noVariable;
  std::vector<std::unique_ptr<ReflectedBuffer>> m_buffers;
};

/// D3D_SHADER_REQUIRES_* of a program.
UINT64 requiredFlags(const dxbc::Shader& shader);

} // namespace monolith::compiler
