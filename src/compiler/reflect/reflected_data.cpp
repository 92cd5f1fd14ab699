// SPDX-License-Identifier: MIT
#include "compiler/reflect/reflected_data.h"

#include <d3d12shader.h>

#include <cstddef>
#include <cstring>

namespace monolith::compiler {
namespace {

/// Names of types that a version 4 chunk leaves out.
std::string builtInName(const dxbc::RdefType& t) {
  std::string base;
  switch (t.type) {
  case D3D_SVT_BOOL: base = "bool"; break;
  case D3D_SVT_INT: base = "int"; break;
  case D3D_SVT_FLOAT: base = "float"; break;
  case D3D_SVT_UINT: base = "uint"; break;
  case D3D_SVT_DOUBLE: base = "double"; break;
  default: return {};
  }
  switch (t.typeClass) {
  case D3D_SVC_SCALAR: return base;
  case D3D_SVC_VECTOR: return base + std::to_string(t.columns);
  case D3D_SVC_MATRIX_ROWS:
  case D3D_SVC_MATRIX_COLUMNS: return base + std::to_string(t.rows) + "x" + std::to_string(t.columns);
  default: return {};
  }
}

} // namespace

// ---- types ----

ReflectedType::ReflectedType(ReflectedData& data, uint32_t index, uint32_t offset)
    : m_data(data), m_index(index), m_offset(offset) {
  if (index == UINT32_MAX) return;
  const dxbc::RdefType& t = data.rdef().types[index];
  m_name = t.name.empty() ? builtInName(t) : t.name;
}

const dxbc::RdefType* ReflectedType::type() const {
  return m_index == UINT32_MAX ? nullptr : &m_data.rdef().types[m_index];
}

HRESULT ReflectedType::GetDesc(D3D11_SHADER_TYPE_DESC* desc) {
  const dxbc::RdefType* t = type();
  if (!t || !desc) return E_FAIL;
  desc->Class = D3D_SHADER_VARIABLE_CLASS(t->typeClass);
  desc->Type = D3D_SHADER_VARIABLE_TYPE(t->type);
  desc->Rows = t->rows;
  desc->Columns = t->columns;
  desc->Elements = t->elements;
  desc->Members = UINT(t->members.size());
  desc->Offset = m_offset;
  desc->Name = m_name.empty() ? nullptr : m_name.c_str();
  return S_OK;
}

ID3D11ShaderReflectionType* ReflectedType::GetMemberTypeByIndex(UINT index) {
  const dxbc::RdefType* t = type();
  if (!t || index >= t->members.size()) return m_data.noType();
  return m_data.type(t->members[index].type, t->members[index].offset);
}

ID3D11ShaderReflectionType* ReflectedType::GetMemberTypeByName(const char* name) {
  const dxbc::RdefType* t = type();
  if (t && name)
    for (const dxbc::RdefMember& m : t->members)
      if (m.name == name) return m_data.type(m.type, m.offset);
  return m_data.noType();
}

const char* ReflectedType::GetMemberTypeName(UINT index) {
  const dxbc::RdefType* t = type();
  if (!t) return "$Invalid";
  return index < t->members.size() ? t->members[index].name.c_str() : nullptr;
}

HRESULT ReflectedType::IsEqual(ID3D11ShaderReflectionType* type) {
  if (!this->type() || !type) return E_FAIL;
  auto* other = static_cast<ReflectedType*>(type);
  if (!other->type()) return S_FALSE;
  // The records of one chunk are unique, so that within it the index decides.
  if (&other->data() == &m_data) return other->index() == m_index ? S_OK : S_FALSE;
  return *other->type() == *this->type() ? S_OK : S_FALSE;
}

ID3D11ShaderReflectionType* ReflectedType::GetSubType() {
  const dxbc::RdefType* t = type();
  return t && t->subType != UINT32_MAX ? m_data.type(t->subType, 0) : m_data.noType();
}
ID3D11ShaderReflectionType* ReflectedType::GetBaseClass() {
  const dxbc::RdefType* t = type();
  return t && t->baseClass != UINT32_MAX ? m_data.type(t->baseClass, 0) : m_data.noType();
}
UINT ReflectedType::GetNumInterfaces() {
  const dxbc::RdefType* t = type();
  return t ? UINT(t->interfaces.size()) : 0;
}
ID3D11ShaderReflectionType* ReflectedType::GetInterfaceByIndex(UINT index) {
  const dxbc::RdefType* t = type();
  return t && index < t->interfaces.size() ? m_data.type(t->interfaces[index], 0) : m_data.noType();
}

HRESULT ReflectedType::IsOfType(ID3D11ShaderReflectionType* type) {
  if (!this->type() || !type) return E_FAIL;
  auto* wanted = static_cast<ReflectedType*>(type);
  if (&wanted->data() != &m_data) return S_FALSE;
  uint32_t index = m_index;
  for (uint32_t depth = 0; index != UINT32_MAX && depth < 64; depth++) {
    if (index == wanted->index()) return S_OK;
    index = m_data.rdef().types[index].baseClass;
  }
  return S_FALSE;
}

HRESULT ReflectedType::ImplementsInterface(ID3D11ShaderReflectionType* base) {
  if (!type() || !base) return E_FAIL;
  auto* wanted = static_cast<ReflectedType*>(base);
  if (&wanted->data() != &m_data) return S_FALSE;
  for (uint32_t i : type()->interfaces)
    if (i == wanted->index()) return S_OK;
  return S_FALSE;
}

// ---- variables ----

HRESULT ReflectedVariable::GetDesc(D3D11_SHADER_VARIABLE_DESC* desc) {
  if (!m_variable || !desc) return E_FAIL;
  desc->Name = m_variable->name.c_str();
  desc->StartOffset = m_variable->offset;
  desc->Size = m_variable->size;
  desc->uFlags = m_variable->flags;
  desc->DefaultValue = m_variable->hasDefault ? const_cast<uint8_t*>(m_variable->defaultValue.data()) : nullptr;
  desc->StartTexture = m_variable->startTexture;
  desc->TextureSize = m_variable->textureSize;
  desc->StartSampler = m_variable->startSampler;
  desc->SamplerSize = m_variable->samplerSize;
  return S_OK;
}

ID3D11ShaderReflectionType* ReflectedVariable::GetType() {
  return m_variable ? m_data.type(m_variable->type, 0) : m_data.noType();
}

UINT ReflectedVariable::GetInterfaceSlot(UINT index) {
  if (!m_variable || m_variable->type >= m_data.rdef().types.size()) return UINT_MAX;
  const dxbc::RdefType& t = m_data.rdef().types[m_variable->type];
  if (t.typeClass != D3D_SVC_INTERFACE_POINTER || index >= (t.elements ? t.elements : 1u)) return UINT_MAX;
  return m_variable->offset + index;
}

// ---- constant buffers ----

ReflectedBuffer::ReflectedBuffer(ReflectedData& data, const dxbc::RdefConstantBuffer* buffer)
    : m_data(data), m_buffer(buffer) {
  if (!buffer) return;
  for (const dxbc::RdefVariable& v : buffer->variables)
    m_variables.push_back(std::make_unique<ReflectedVariable>(data, &v, this));
}

HRESULT ReflectedBuffer::GetDesc(D3D11_SHADER_BUFFER_DESC* desc) {
  if (!m_buffer || !desc) return E_FAIL;
  desc->Name = m_buffer->name.c_str();
  desc->Type = D3D_CBUFFER_TYPE(m_buffer->type);
  desc->Variables = UINT(m_buffer->variables.size());
  desc->Size = m_buffer->size;
  desc->uFlags = m_buffer->flags;
  return S_OK;
}

ID3D11ShaderReflectionVariable* ReflectedBuffer::GetVariableByIndex(UINT index) {
  return index < m_variables.size() ? m_variables[index].get() : m_data.noVariable();
}

ReflectedVariable* ReflectedBuffer::findVariable(const char* name) {
  if (name)
    for (auto& v : m_variables)
      if (v->variable()->name == name) return v.get();
  return nullptr;
}

ID3D11ShaderReflectionVariable* ReflectedBuffer::GetVariableByName(const char* name) {
  ReflectedVariable* v = findVariable(name);
  return v ? v : m_data.noVariable();
}

// ---- all of it ----

ReflectedData::ReflectedData(dxbc::Rdef rdef)
    : m_rdef(std::move(rdef)), m_noType(*this, UINT32_MAX, 0), m_noBuffer(*this, nullptr),
      m_noVariable(*this, nullptr, &m_noBuffer) {
  for (const dxbc::RdefConstantBuffer& cb : m_rdef.constantBuffers)
    m_buffers.push_back(std::make_unique<ReflectedBuffer>(*this, &cb));
}

ReflectedData& ReflectedData::nothing() {
  static ReflectedData* const kNothing = new ReflectedData({}); // handed out; lives as long as the library
  return *kNothing;
}

ReflectedType* ReflectedData::type(uint32_t index, uint32_t offset) {
  if (index >= m_rdef.types.size()) return noType();
  std::lock_guard lock(m_lock);
  auto& slot = m_types[{index, offset}];
  if (!slot) slot = std::make_unique<ReflectedType>(*this, index, offset);
  return slot.get();
}

ReflectedBuffer* ReflectedData::buffer(const char* name) {
  if (name)
    for (auto& b : m_buffers)
      if (b->buffer()->name == name) return b.get();
  return noBuffer();
}

ReflectedVariable* ReflectedData::variable(const char* name) {
  for (auto& b : m_buffers)
    if (ReflectedVariable* v = b->findVariable(name)) return v;
  return noVariable();
}

const dxbc::RdefBinding* ReflectedData::findBinding(const char* name) const {
  for (const dxbc::RdefBinding& b : m_rdef.bindings)
    if (b.name == name) return &b;
  return nullptr;
}

void ReflectedData::describe(D3D11_SHADER_INPUT_BIND_DESC& desc, const dxbc::RdefBinding& b, bool spaces) const {
  desc.Name = b.name.c_str();
  desc.Type = D3D_SHADER_INPUT_TYPE(b.type);
  desc.BindPoint = b.bindPoint;
  desc.BindCount = b.bindCount;
  desc.uFlags = b.flags;
  desc.ReturnType = D3D_RESOURCE_RETURN_TYPE(b.returnType);
  desc.Dimension = D3D_SRV_DIMENSION(b.dimension);
  desc.NumSamples = b.sampleCount;
  // What D3D12_SHADER_INPUT_BIND_DESC has behind the rest. The space fits into padding of the shorter description and is
  // always there, as Microsoft's library has it.
  static_assert(offsetof(D3D12_SHADER_INPUT_BIND_DESC, Space) + sizeof(UINT) <= sizeof(D3D11_SHADER_INPUT_BIND_DESC));
  const UINT space = b.space, id = m_rdef.major == 5 && m_rdef.minor >= 1 ? b.id : b.bindPoint;
  auto* bytes = reinterpret_cast<char*>(&desc);
  std::memcpy(bytes + offsetof(D3D12_SHADER_INPUT_BIND_DESC, Space), &space, sizeof space);
  if (spaces) std::memcpy(bytes + offsetof(D3D12_SHADER_INPUT_BIND_DESC, uID), &id, sizeof id);
}

UINT64 requiredFlags(const dxbc::Shader& shader) {
  // Bit 1 of the feature chunk means raw and structured buffers of 4.x; the answer's bit 1 is early depth.
  UINT64 flags = shader.featureFlags & ~UINT64(D3D_SHADER_REQUIRES_EARLY_DEPTH_STENCIL);
  if (shader.decls.globalFlags & dxbc::kForceEarlyDepthStencil) flags |= D3D_SHADER_REQUIRES_EARLY_DEPTH_STENCIL;
  if (shader.decls.globalFlags & dxbc::kEnableDoublePrecision) flags |= D3D_SHADER_REQUIRES_DOUBLES;
  if (shader.decls.globalFlags & dxbc::kEnableMinimumPrecision) flags |= D3D_SHADER_REQUIRES_MINIMUM_PRECISION;
  return flags;
}

} // namespace monolith::compiler
