// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/raw_enum.h"
#include "d3d11/device.h"
#include "d3d11/guard.h"
#include "d3d11/input_layout.h"
#include "d3d11/query.h"
#include "d3d11/shader.h"

namespace monolith::d3d11 {

/// Most elements of an input layout.
static constexpr UINT kStructureElements = 32;

template <typename Shader, typename Interface>
HRESULT Device::createShader(const void* bytecode, SIZE_T length, ID3D11ClassLinkage* linkage, int stage,
                             Interface** out) {
  if (out)
    *out = nullptr;
  if (!bytecode || !length)
    return E_INVALIDARG;
  if (linkage)
    base::logOnce("class linkage is not built: shaders with interfaces do not run");
  return guarded([&]() -> HRESULT {
    CompiledShader compiled;
    const HRESULT hr = compileShader({static_cast<const uint8_t*>(bytecode), length},
                                     static_cast<dxbc::ShaderStage>(stage), level(), compiled);
    if (FAILED(hr))
      return hr;
    if (!out)
      return S_FALSE;
    com::handOut(new Shader(this, std::move(compiled)), out);
    return S_OK;
  });
}

HRESULT STDMETHODCALLTYPE Device::CreateVertexShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                     ID3D11VertexShader** out) {
  return createShader<VertexShader>(code, length, linkage, int(dxbc::ShaderStage::Vertex), out);
}
HRESULT STDMETHODCALLTYPE Device::CreatePixelShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                    ID3D11PixelShader** out) {
  return createShader<PixelShader>(code, length, linkage, int(dxbc::ShaderStage::Pixel), out);
}
HRESULT STDMETHODCALLTYPE Device::CreateGeometryShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                       ID3D11GeometryShader** out) {
  return createShader<GeometryShader>(code, length, linkage, int(dxbc::ShaderStage::Geometry), out);
}
HRESULT STDMETHODCALLTYPE Device::CreateHullShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                   ID3D11HullShader** out) {
  return createShader<HullShader>(code, length, linkage, int(dxbc::ShaderStage::Hull), out);
}
HRESULT STDMETHODCALLTYPE Device::CreateDomainShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                     ID3D11DomainShader** out) {
  return createShader<DomainShader>(code, length, linkage, int(dxbc::ShaderStage::Domain), out);
}
HRESULT STDMETHODCALLTYPE Device::CreateComputeShader(const void* code, SIZE_T length, ID3D11ClassLinkage* linkage,
                                                      ID3D11ComputeShader** out) {
  return createShader<ComputeShader>(code, length, linkage, int(dxbc::ShaderStage::Compute), out);
}
HRESULT STDMETHODCALLTYPE Device::CreateGeometryShaderWithStreamOutput(const void*, SIZE_T,
                                                                       const D3D11_SO_DECLARATION_ENTRY*, UINT,
                                                                       const UINT*, UINT, UINT, ID3D11ClassLinkage*,
                                                                       ID3D11GeometryShader** out) {
  if (out)
    *out = nullptr;
  base::logOnce("stream output is not built");
  return E_NOTIMPL;
}

HRESULT STDMETHODCALLTYPE Device::CreateInputLayout(const D3D11_INPUT_ELEMENT_DESC* elements, UINT count,
                                                    const void* bytecode, SIZE_T length, ID3D11InputLayout** out) {
  if (out)
    *out = nullptr;
  if ((!elements && count) || !bytecode || !length || count > kStructureElements)
    return E_INVALIDARG;
  return guarded([&]() -> HRESULT {
    std::vector<state::InputElement> matched;
    const HRESULT hr = matchInputLayout({elements, count}, {static_cast<const uint8_t*>(bytecode), length}, level(), matched);
    if (FAILED(hr))
      return hr;
    if (!out)
      return S_FALSE;
    com::handOut(new InputLayout(this, std::move(matched)), out);
    return S_OK;
  });
}

/// Before anything reads the enumeration.
static bool knownQuery(const D3D11_QUERY& query) { return base::raw(query) <= D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM3; }

template <typename Interface> HRESULT Device::createQuery(const D3D11_QUERY_DESC1& desc, Interface** out) {
  if (desc.MiscFlags & ~UINT(D3D11_QUERY_MISC_PREDICATEHINT))
    return E_INVALIDARG;
  if ((desc.MiscFlags & D3D11_QUERY_MISC_PREDICATEHINT) && desc.Query != D3D11_QUERY_OCCLUSION_PREDICATE)
    return E_INVALIDARG;
  queries::QueryKind kind;
  if (!queryKind(desc.Query, kind)) {
    base::logOnce("stream-output queries are not built");
    return E_NOTIMPL;
  }
  if (!out)
    return S_FALSE;
  return guarded([&] {
    com::handOut(new Query(this, desc, kind), out);
    return S_OK;
  });
}

HRESULT STDMETHODCALLTYPE Device::CreateQuery(const D3D11_QUERY_DESC* desc, ID3D11Query** out) {
  if (out)
    *out = nullptr;
  if (!desc || !knownQuery(desc->Query))
    return E_INVALIDARG;
  if (desc->Query == D3D11_QUERY_OCCLUSION_PREDICATE && out) {
    // Such a query is a predicate, too.
    ID3D11Predicate* predicate = nullptr;
    const HRESULT hr = CreatePredicate(desc, &predicate);
    *out = predicate;
    return hr;
  }
  return createQuery({desc->Query, desc->MiscFlags, D3D11_CONTEXT_TYPE_ALL}, out);
}
HRESULT STDMETHODCALLTYPE Device::CreateQuery1(const D3D11_QUERY_DESC1* desc, ID3D11Query1** out) {
  if (out)
    *out = nullptr;
  if (!desc || !knownQuery(desc->Query) || base::raw(desc->ContextType) > D3D11_CONTEXT_TYPE_VIDEO)
    return E_INVALIDARG;
  return createQuery(*desc, out);
}
HRESULT STDMETHODCALLTYPE Device::CreatePredicate(const D3D11_QUERY_DESC* desc, ID3D11Predicate** out) {
  if (out)
    *out = nullptr;
  if (!desc || !knownQuery(desc->Query) || (desc->MiscFlags & ~UINT(D3D11_QUERY_MISC_PREDICATEHINT)))
    return E_INVALIDARG;
  switch (desc->Query) {
  case D3D11_QUERY_OCCLUSION_PREDICATE: break;
  case D3D11_QUERY_SO_OVERFLOW_PREDICATE:
  case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM0:
  case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM1:
  case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM2:
  case D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM3:
    base::logOnce("stream-output queries are not built");
    return E_NOTIMPL;
  default: return E_INVALIDARG;
  }
  if (!out)
    return S_FALSE;
  return guarded([&] {
    com::handOut(new Predicate(this, {desc->Query, desc->MiscFlags, D3D11_CONTEXT_TYPE_ALL},
                               queries::QueryKind::OcclusionPredicate),
                 out);
    return S_OK;
  });
}

} // namespace monolith::d3d11
