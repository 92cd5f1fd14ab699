// SPDX-License-Identifier: MIT
/// @file
/// The device: creates everything, owns the timeline and the immediate context. It is a container: DXGI faces and the
/// multithread interface are members that forward IUnknown to it.
#pragma once

#include "com/dxgi_bridge.h"
#include "com/object.h"
#include "com/private_data.h"
#include "commands/timeline.h"
#include "d3d11/resource_desc.h"
#include "d3d11/state_objects.h"

#include <d3d11_4.h>

#include <mutex>

namespace monolith::d3d11 {

class Context;

/// Highest feature level that a device can have. Grows with the stages that are built.
inline constexpr D3D_FEATURE_LEVEL kHighestLevel = D3D_FEATURE_LEVEL_11_1;

struct DeviceParams {
  D3D_DRIVER_TYPE driverType = D3D_DRIVER_TYPE_HARDWARE;
  UINT flags = 0;
  D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
  IDXGIAdapter* adapter = nullptr; ///< A reference is taken.
};

/// The lock around everything when multithread protection is on.
struct MultithreadLock {
  std::recursive_mutex mutex;
  bool enabled = false;
};

/// ID3D11Multithread: a face of the device, and another of its context, over one lock.
class Multithread final : public ID3D11Multithread {
public:
  Multithread(IUnknown* outer, MultithreadLock& lock) : m_outer(outer), m_lock(lock) {}
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override { return m_outer->QueryInterface(riid, object); }
  ULONG STDMETHODCALLTYPE AddRef() override { return m_outer->AddRef(); }
  ULONG STDMETHODCALLTYPE Release() override { return m_outer->Release(); }
  void STDMETHODCALLTYPE Enter() override {
    if (m_lock.enabled)
      m_lock.mutex.lock();
  }
  void STDMETHODCALLTYPE Leave() override {
    if (m_lock.enabled)
      m_lock.mutex.unlock();
  }
  WINBOOL STDMETHODCALLTYPE SetMultithreadProtected(WINBOOL enable) override {
    const BOOL before = m_lock.enabled;
    m_lock.enabled = enable != FALSE;
    return before;
  }
  WINBOOL STDMETHODCALLTYPE GetMultithreadProtected() override { return m_lock.enabled; }

private:
  IUnknown* m_outer;
  MultithreadLock& m_lock;
};

/// Holds the multithread lock if protection is on.
class ContextLock {
public:
  explicit ContextLock(MultithreadLock& m) : m_mutex(m.enabled ? &m.mutex : nullptr) {
    if (m_mutex) [[unlikely]]
      m_mutex->lock();
  }
  ~ContextLock() {
    if (m_mutex) [[unlikely]]
      m_mutex->unlock();
  }
  ContextLock(const ContextLock&) = delete;
  ContextLock& operator=(const ContextLock&) = delete;

private:
  std::recursive_mutex* m_mutex;
};

class Device final : public com::Object<com::Interfaces<ID3D11Device5, ID3D11Device4, ID3D11Device3, ID3D11Device2,
                                                        ID3D11Device1, ID3D11Device>>,
                     public com::DeviceServices {
public:
  /// Null with `hr` set on failure. The device comes with one public reference.
  static Device* create(const DeviceParams& params, HRESULT& hr);
  ~Device() override;

  // ID3D11Device
  HRESULT STDMETHODCALLTYPE CreateBuffer(const D3D11_BUFFER_DESC *pDesc, const D3D11_SUBRESOURCE_DATA *pInitialData, ID3D11Buffer **ppBuffer) override;
  HRESULT STDMETHODCALLTYPE CreateTexture1D(const D3D11_TEXTURE1D_DESC *pDesc, const D3D11_SUBRESOURCE_DATA *pInitialData, ID3D11Texture1D **ppTexture1D) override;
  HRESULT STDMETHODCALLTYPE CreateTexture2D(const D3D11_TEXTURE2D_DESC *pDesc, const D3D11_SUBRESOURCE_DATA *pInitialData, ID3D11Texture2D **ppTexture2D) override;
  HRESULT STDMETHODCALLTYPE CreateTexture3D(const D3D11_TEXTURE3D_DESC *pDesc, const D3D11_SUBRESOURCE_DATA *pInitialData, ID3D11Texture3D **ppTexture3D) override;
  HRESULT STDMETHODCALLTYPE CreateShaderResourceView(ID3D11Resource *pResource, const D3D11_SHADER_RESOURCE_VIEW_DESC *pDesc, ID3D11ShaderResourceView **ppSRView) override;
  HRESULT STDMETHODCALLTYPE CreateUnorderedAccessView(ID3D11Resource *pResource, const D3D11_UNORDERED_ACCESS_VIEW_DESC *pDesc, ID3D11UnorderedAccessView **ppUAView) override;
  HRESULT STDMETHODCALLTYPE CreateRenderTargetView(ID3D11Resource *pResource, const D3D11_RENDER_TARGET_VIEW_DESC *pDesc, ID3D11RenderTargetView **ppRTView) override;
  HRESULT STDMETHODCALLTYPE CreateDepthStencilView(ID3D11Resource *pResource, const D3D11_DEPTH_STENCIL_VIEW_DESC *pDesc, ID3D11DepthStencilView **ppDepthStencilView) override;
  HRESULT STDMETHODCALLTYPE CreateInputLayout(const D3D11_INPUT_ELEMENT_DESC *pInputElementDescs, UINT NumElements, const void *pShaderBytecodeWithInputSignature, SIZE_T BytecodeLength, ID3D11InputLayout **ppInputLayout) override;
  HRESULT STDMETHODCALLTYPE CreateVertexShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11VertexShader **ppVertexShader) override;
  HRESULT STDMETHODCALLTYPE CreateGeometryShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11GeometryShader **ppGeometryShader) override;
  HRESULT STDMETHODCALLTYPE CreateGeometryShaderWithStreamOutput(const void *pShaderBytecode, SIZE_T BytecodeLength, const D3D11_SO_DECLARATION_ENTRY *pSODeclaration, UINT NumEntries, const UINT *pBufferStrides, UINT NumStrides, UINT RasterizedStream, ID3D11ClassLinkage *pClassLinkage, ID3D11GeometryShader **ppGeometryShader) override;
  HRESULT STDMETHODCALLTYPE CreatePixelShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11PixelShader **ppPixelShader) override;
  HRESULT STDMETHODCALLTYPE CreateHullShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11HullShader **ppHullShader) override;
  HRESULT STDMETHODCALLTYPE CreateDomainShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11DomainShader **ppDomainShader) override;
  HRESULT STDMETHODCALLTYPE CreateComputeShader(const void *pShaderBytecode, SIZE_T BytecodeLength, ID3D11ClassLinkage *pClassLinkage, ID3D11ComputeShader **ppComputeShader) override;
  HRESULT STDMETHODCALLTYPE CreateClassLinkage(ID3D11ClassLinkage **ppLinkage) override;
  HRESULT STDMETHODCALLTYPE CreateBlendState(const D3D11_BLEND_DESC *pBlendStateDesc, ID3D11BlendState **ppBlendState) override;
  HRESULT STDMETHODCALLTYPE CreateDepthStencilState(const D3D11_DEPTH_STENCIL_DESC *pDepthStencilDesc, ID3D11DepthStencilState **ppDepthStencilState) override;
  HRESULT STDMETHODCALLTYPE CreateRasterizerState(const D3D11_RASTERIZER_DESC *pRasterizerDesc, ID3D11RasterizerState **ppRasterizerState) override;
  HRESULT STDMETHODCALLTYPE CreateSamplerState(const D3D11_SAMPLER_DESC *pSamplerDesc, ID3D11SamplerState **ppSamplerState) override;
  HRESULT STDMETHODCALLTYPE CreateQuery(const D3D11_QUERY_DESC *pQueryDesc, ID3D11Query **ppQuery) override;
  HRESULT STDMETHODCALLTYPE CreatePredicate(const D3D11_QUERY_DESC *pPredicateDesc, ID3D11Predicate **ppPredicate) override;
  HRESULT STDMETHODCALLTYPE CreateCounter(const D3D11_COUNTER_DESC *pCounterDesc, ID3D11Counter **ppCounter) override;
  HRESULT STDMETHODCALLTYPE CreateDeferredContext(UINT ContextFlags, ID3D11DeviceContext **ppDeferredContext) override;
  HRESULT STDMETHODCALLTYPE OpenSharedResource(HANDLE hResource, REFIID ReturnedInterface, void **ppResource) override;
  HRESULT STDMETHODCALLTYPE CheckFormatSupport(DXGI_FORMAT Format, UINT *pFormatSupport) override;
  HRESULT STDMETHODCALLTYPE CheckMultisampleQualityLevels(DXGI_FORMAT Format, UINT SampleCount, UINT *pNumQualityLevels) override;
  void STDMETHODCALLTYPE CheckCounterInfo(D3D11_COUNTER_INFO *pCounterInfo) override;
  HRESULT STDMETHODCALLTYPE CheckCounter(const D3D11_COUNTER_DESC *pDesc, D3D11_COUNTER_TYPE *pType, UINT *pActiveCounters, LPSTR szName, UINT *pNameLength, LPSTR szUnits, UINT *pUnitsLength, LPSTR szDescription, UINT *pDescriptionLength) override;
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(D3D11_FEATURE Feature, void *pFeatureSupportData, UINT FeatureSupportDataSize) override;
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT *pDataSize, void *pData) override;
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT DataSize, const void *pData) override;
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown *pData) override;
  D3D_FEATURE_LEVEL STDMETHODCALLTYPE GetFeatureLevel() override;
  UINT STDMETHODCALLTYPE GetCreationFlags() override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override;
  void STDMETHODCALLTYPE GetImmediateContext(ID3D11DeviceContext **ppImmediateContext) override;
  HRESULT STDMETHODCALLTYPE SetExceptionMode(UINT RaiseFlags) override;
  UINT STDMETHODCALLTYPE GetExceptionMode() override;
  // ID3D11Device1
  void STDMETHODCALLTYPE GetImmediateContext1(ID3D11DeviceContext1 **ppImmediateContext) override;
  HRESULT STDMETHODCALLTYPE CreateDeferredContext1(UINT ContextFlags, ID3D11DeviceContext1 **ppDeferredContext) override;
  HRESULT STDMETHODCALLTYPE CreateBlendState1(const D3D11_BLEND_DESC1 *pBlendStateDesc, ID3D11BlendState1 **ppBlendState) override;
  HRESULT STDMETHODCALLTYPE CreateRasterizerState1(const D3D11_RASTERIZER_DESC1 *pRasterizerDesc, ID3D11RasterizerState1 **ppRasterizerState) override;
  HRESULT STDMETHODCALLTYPE CreateDeviceContextState(UINT Flags, const D3D_FEATURE_LEVEL *pFeatureLevels, UINT FeatureLevels, UINT SDKVersion, REFIID EmulatedInterface, D3D_FEATURE_LEVEL *pChosenFeatureLevel, ID3DDeviceContextState **ppContextState) override;
  HRESULT STDMETHODCALLTYPE OpenSharedResource1(HANDLE hResource, REFIID returnedInterface, void **ppResource) override;
  HRESULT STDMETHODCALLTYPE OpenSharedResourceByName(LPCWSTR lpName, DWORD dwDesiredAccess, REFIID returnedInterface, void **ppResource) override;
  // ID3D11Device2
  void STDMETHODCALLTYPE GetImmediateContext2(ID3D11DeviceContext2 **context) override;
  HRESULT STDMETHODCALLTYPE CreateDeferredContext2(UINT flags, ID3D11DeviceContext2 **context) override;
  void STDMETHODCALLTYPE GetResourceTiling(ID3D11Resource *resource, UINT *tile_count, D3D11_PACKED_MIP_DESC *mip_desc, D3D11_TILE_SHAPE *tile_shape, UINT *subresource_tiling_count, UINT first_subresource_tiling, D3D11_SUBRESOURCE_TILING *subresource_tiling) override;
  HRESULT STDMETHODCALLTYPE CheckMultisampleQualityLevels1(DXGI_FORMAT format, UINT sample_count, UINT flags, UINT *quality_level_count) override;
  // ID3D11Device3
  HRESULT STDMETHODCALLTYPE CreateTexture2D1(const D3D11_TEXTURE2D_DESC1 *desc, const D3D11_SUBRESOURCE_DATA *initial_data, ID3D11Texture2D1 **texture) override;
  HRESULT STDMETHODCALLTYPE CreateTexture3D1(const D3D11_TEXTURE3D_DESC1 *desc, const D3D11_SUBRESOURCE_DATA *initial_data, ID3D11Texture3D1 **texture) override;
  HRESULT STDMETHODCALLTYPE CreateRasterizerState2(const D3D11_RASTERIZER_DESC2 *desc, ID3D11RasterizerState2 **state) override;
  HRESULT STDMETHODCALLTYPE CreateShaderResourceView1(ID3D11Resource *resource, const D3D11_SHADER_RESOURCE_VIEW_DESC1 *desc, ID3D11ShaderResourceView1 **view) override;
  HRESULT STDMETHODCALLTYPE CreateUnorderedAccessView1(ID3D11Resource *resource, const D3D11_UNORDERED_ACCESS_VIEW_DESC1 *desc, ID3D11UnorderedAccessView1 **view) override;
  HRESULT STDMETHODCALLTYPE CreateRenderTargetView1(ID3D11Resource *resource, const D3D11_RENDER_TARGET_VIEW_DESC1 *desc, ID3D11RenderTargetView1 **view) override;
  HRESULT STDMETHODCALLTYPE CreateQuery1(const D3D11_QUERY_DESC1 *desc, ID3D11Query1 **query) override;
  void STDMETHODCALLTYPE GetImmediateContext3(ID3D11DeviceContext3 **context) override;
  HRESULT STDMETHODCALLTYPE CreateDeferredContext3(UINT flags, ID3D11DeviceContext3 **context) override;
  void STDMETHODCALLTYPE WriteToSubresource(ID3D11Resource *dst_resource, UINT dst_subresource, const D3D11_BOX *dst_box, const void *src_data, UINT src_row_pitch, UINT src_depth_pitch) override;
  void STDMETHODCALLTYPE ReadFromSubresource(void *dst_data, UINT dst_row_pitch, UINT dst_depth_pitch, ID3D11Resource *src_resource, UINT src_subresource, const D3D11_BOX *src_box) override;
  // ID3D11Device4
  HRESULT STDMETHODCALLTYPE RegisterDeviceRemovedEvent(HANDLE event, DWORD *cookie) override;
  void STDMETHODCALLTYPE UnregisterDeviceRemoved(DWORD cookie) override;
  // ID3D11Device5
  HRESULT STDMETHODCALLTYPE OpenSharedFence(HANDLE handle, REFIID iid, void **fence) override;
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64 initial_value, D3D11_FENCE_FLAG flags, REFIID iid, void **fence) override;

  // com::DeviceServices
  ID3D11Device* device() override { return this; }
  commands::Timeline& timeline() override { return *m_timeline; }
  void enter() override { m_lock.mutex.lock(); }
  void leave() override { m_lock.mutex.unlock(); }
  std::shared_ptr<resources::Texture> textureOf(ID3D11Resource* resource) override;
  HRESULT replaceTexture(ID3D11Resource* resource, std::shared_ptr<resources::Texture> texture) override;
  HRESULT createBackBuffer(const D3D11_TEXTURE2D_DESC& desc, ID3D11Texture2D** texture) override;
  bool referenced(ID3D11Resource* resource) override;
  void unbindTargets(ID3D11Resource* resource) override;
  IDXGIAdapter* adapter() override { return m_params.adapter; }
  HRESULT removedReason() override { return GetDeviceRemovedReason(); }

  D3D_FEATURE_LEVEL level() const { return m_params.level; }
  /// Hardware of the levels 9_x blends the codes of sRGB targets, everything else linear values.
  bool blendsEncoded() const { return level() <= D3D_FEATURE_LEVEL_9_3 && m_params.driverType == D3D_DRIVER_TYPE_HARDWARE; }
  StateCaches& caches() { return m_caches; }
  const DefaultStates& defaults() const { return m_defaults; }
  MultithreadLock& lock() { return m_lock; }
  Context& context() { return *m_context; }
  /// Marks the device removed (first reason wins).
  void remove(HRESULT reason);
  bool singleThreaded() const { return (m_params.flags & D3D11_CREATE_DEVICE_SINGLETHREADED) != 0; }

protected:
  IUnknown* queryFace(REFIID riid) override;
  const char* className() const override { return "ID3D11Device"; }

private:
  explicit Device(const DeviceParams& params);
  HRESULT createTexture(const TextureRequest& request, const D3D11_SUBRESOURCE_DATA* data, bool wanted, bool viewCast,
                        ResourceInfo& info);
  template <typename Object, typename Interface>
  HRESULT createTextureAs(const TextureRequest& request, const D3D11_SUBRESOURCE_DATA* data, bool viewCast, Interface** out);
  template <typename Shader, typename Interface>
  HRESULT createShader(const void* bytecode, SIZE_T length, ID3D11ClassLinkage* linkage, int stage, Interface** out);
  template <typename Interface>
  HRESULT createSrv(ID3D11Resource* resource, const D3D11_SHADER_RESOURCE_VIEW_DESC1* desc, Interface** out);
  template <typename Interface>
  HRESULT createRtv(ID3D11Resource* resource, const D3D11_RENDER_TARGET_VIEW_DESC1* desc, Interface** out);
  template <typename Interface>
  HRESULT createUav(ID3D11Resource* resource, const D3D11_UNORDERED_ACCESS_VIEW_DESC1* desc, Interface** out);
  template <typename Interface> HRESULT blendState(const D3D11_BLEND_DESC1& desc, Interface** out);
  template <typename Interface> HRESULT rasterizerState(const D3D11_RASTERIZER_DESC2& desc, Interface** out);
  template <typename Interface> HRESULT createQuery(const D3D11_QUERY_DESC1& desc, Interface** out);

  DeviceParams m_params;
  com::PrivateData m_privateData;
  MultithreadLock m_lock;
  Multithread m_multithread{static_cast<ID3D11Device5*>(this), m_lock};
  StateCaches m_caches;
  DefaultStates m_defaults;
  std::unique_ptr<commands::Timeline> m_timeline;
  Context* m_context = nullptr;
  std::mutex m_faceMutex;
  std::unique_ptr<com::Face> m_dxgiFace;
  std::atomic<HRESULT> m_removed{S_OK};
  UINT m_exceptionMode = 0;
};

} // namespace monolith::d3d11
