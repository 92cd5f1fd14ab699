// SPDX-License-Identifier: MIT
/// @file
/// The immediate context: checks, shadows the pipeline state and records. State goes into the stream in groups: a
/// setter marks its group dirty, and a draw records the dirty groups. A draw with unchanged state is one test and one
/// command. The source is split by subject: context_bind, _get, _draw, _copy, _map, _query, _misc.
#pragma once

#include "base/log.h"
#include "commands/recorder.h"
#include "d3d11/device.h"
#include "d3d11/pipeline.h"

#include <memory>

namespace monolith::d3d11 {

/// Dirty groups. Bits of constants, resources and samplers are shifted by the stage (pixel 0, vertex 1).
enum Group : uint32_t {
  kGroupPipeline = 1, kGroupTargets = 2, kGroupViewports = 4, kGroupScissors = 8, kGroupStreams = 16, kGroupIndex = 32,
  kGroupConstants = 64, kGroupResources = 256, kGroupSamplers = 1024,
  kGroupAll = 4095
};

/// ID3DUserDefinedAnnotation: nobody listens yet, so events are only counted.
class Annotation final : public ID3DUserDefinedAnnotation {
public:
  explicit Annotation(IUnknown* outer) : m_outer(outer) {}
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** object) override { return m_outer->QueryInterface(riid, object); }
  ULONG STDMETHODCALLTYPE AddRef() override { return m_outer->AddRef(); }
  ULONG STDMETHODCALLTYPE Release() override { return m_outer->Release(); }
  INT STDMETHODCALLTYPE BeginEvent(LPCWSTR) override { return m_depth++; }
  INT STDMETHODCALLTYPE EndEvent() override { return m_depth > 0 ? --m_depth : -1; }
  void STDMETHODCALLTYPE SetMarker(LPCWSTR) override {}
  WINBOOL STDMETHODCALLTYPE GetStatus() override { return FALSE; }

private:
  IUnknown* m_outer;
  INT m_depth = 0;
};

class Context final
    : public DeviceChild<com::Interfaces<ID3D11DeviceContext4, ID3D11DeviceContext3, ID3D11DeviceContext2,
                                         ID3D11DeviceContext1, ID3D11DeviceContext, ID3D11DeviceChild>> {
public:
  explicit Context(Device* device);
  ~Context() override;

  // ID3D11DeviceContext
  void STDMETHODCALLTYPE VSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE PSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE PSSetShader(ID3D11PixelShader *pPixelShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE PSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE VSSetShader(ID3D11VertexShader *pVertexShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE DrawIndexed(UINT IndexCount, UINT StartIndexLocation, INT BaseVertexLocation) override;
  void STDMETHODCALLTYPE Draw(UINT VertexCount, UINT StartVertexLocation) override;
  HRESULT STDMETHODCALLTYPE Map(ID3D11Resource *pResource, UINT Subresource, D3D11_MAP MapType, UINT MapFlags, D3D11_MAPPED_SUBRESOURCE *pMappedResource) override;
  void STDMETHODCALLTYPE Unmap(ID3D11Resource *pResource, UINT Subresource) override;
  void STDMETHODCALLTYPE PSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE IASetInputLayout(ID3D11InputLayout *pInputLayout) override;
  void STDMETHODCALLTYPE IASetVertexBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppVertexBuffers, const UINT *pStrides, const UINT *pOffsets) override;
  void STDMETHODCALLTYPE IASetIndexBuffer(ID3D11Buffer *pIndexBuffer, DXGI_FORMAT Format, UINT Offset) override;
  void STDMETHODCALLTYPE DrawIndexedInstanced(UINT IndexCountPerInstance, UINT InstanceCount, UINT StartIndexLocation, INT BaseVertexLocation, UINT StartInstanceLocation) override;
  void STDMETHODCALLTYPE DrawInstanced(UINT VertexCountPerInstance, UINT InstanceCount, UINT StartVertexLocation, UINT StartInstanceLocation) override;
  void STDMETHODCALLTYPE GSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE GSSetShader(ID3D11GeometryShader *pShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY Topology) override;
  void STDMETHODCALLTYPE VSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE VSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE Begin(ID3D11Asynchronous *pAsync) override;
  void STDMETHODCALLTYPE End(ID3D11Asynchronous *pAsync) override;
  HRESULT STDMETHODCALLTYPE GetData(ID3D11Asynchronous *pAsync, void *pData, UINT DataSize, UINT GetDataFlags) override;
  void STDMETHODCALLTYPE SetPredication(ID3D11Predicate *pPredicate, WINBOOL PredicateValue) override;
  void STDMETHODCALLTYPE GSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE GSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE OMSetRenderTargets(UINT NumViews, ID3D11RenderTargetView *const *ppRenderTargetViews, ID3D11DepthStencilView *pDepthStencilView) override;
  void STDMETHODCALLTYPE OMSetRenderTargetsAndUnorderedAccessViews(UINT NumRTVs, ID3D11RenderTargetView *const *ppRenderTargetViews, ID3D11DepthStencilView *pDepthStencilView, UINT UAVStartSlot, UINT NumUAVs, ID3D11UnorderedAccessView *const *ppUnorderedAccessViews, const UINT *pUAVInitialCounts) override;
  void STDMETHODCALLTYPE OMSetBlendState(ID3D11BlendState *pBlendState, const FLOAT BlendFactor[4], UINT SampleMask) override;
  void STDMETHODCALLTYPE OMSetDepthStencilState(ID3D11DepthStencilState *pDepthStencilState, UINT StencilRef) override;
  void STDMETHODCALLTYPE SOSetTargets(UINT NumBuffers, ID3D11Buffer *const *ppSOTargets, const UINT *pOffsets) override;
  void STDMETHODCALLTYPE DrawAuto() override;
  void STDMETHODCALLTYPE DrawIndexedInstancedIndirect(ID3D11Buffer *pBufferForArgs, UINT AlignedByteOffsetForArgs) override;
  void STDMETHODCALLTYPE DrawInstancedIndirect(ID3D11Buffer *pBufferForArgs, UINT AlignedByteOffsetForArgs) override;
  void STDMETHODCALLTYPE Dispatch(UINT ThreadGroupCountX, UINT ThreadGroupCountY, UINT ThreadGroupCountZ) override;
  void STDMETHODCALLTYPE DispatchIndirect(ID3D11Buffer *pBufferForArgs, UINT AlignedByteOffsetForArgs) override;
  void STDMETHODCALLTYPE RSSetState(ID3D11RasterizerState *pRasterizerState) override;
  void STDMETHODCALLTYPE RSSetViewports(UINT NumViewports, const D3D11_VIEWPORT *pViewports) override;
  void STDMETHODCALLTYPE RSSetScissorRects(UINT NumRects, const D3D11_RECT *pRects) override;
  void STDMETHODCALLTYPE CopySubresourceRegion(ID3D11Resource *pDstResource, UINT DstSubresource, UINT DstX, UINT DstY, UINT DstZ, ID3D11Resource *pSrcResource, UINT SrcSubresource, const D3D11_BOX *pSrcBox) override;
  void STDMETHODCALLTYPE CopyResource(ID3D11Resource *pDstResource, ID3D11Resource *pSrcResource) override;
  void STDMETHODCALLTYPE UpdateSubresource(ID3D11Resource *pDstResource, UINT DstSubresource, const D3D11_BOX *pDstBox, const void *pSrcData, UINT SrcRowPitch, UINT SrcDepthPitch) override;
  void STDMETHODCALLTYPE CopyStructureCount(ID3D11Buffer *pDstBuffer, UINT DstAlignedByteOffset, ID3D11UnorderedAccessView *pSrcView) override;
  void STDMETHODCALLTYPE ClearRenderTargetView(ID3D11RenderTargetView *pRenderTargetView, const FLOAT ColorRGBA[4]) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewUint(ID3D11UnorderedAccessView *pUnorderedAccessView, const UINT Values[4]) override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewFloat(ID3D11UnorderedAccessView *pUnorderedAccessView, const FLOAT Values[4]) override;
  void STDMETHODCALLTYPE ClearDepthStencilView(ID3D11DepthStencilView *pDepthStencilView, UINT ClearFlags, FLOAT Depth, UINT8 Stencil) override;
  void STDMETHODCALLTYPE GenerateMips(ID3D11ShaderResourceView *pShaderResourceView) override;
  void STDMETHODCALLTYPE SetResourceMinLOD(ID3D11Resource *pResource, FLOAT MinLOD) override;
  FLOAT STDMETHODCALLTYPE GetResourceMinLOD(ID3D11Resource *pResource) override;
  void STDMETHODCALLTYPE ResolveSubresource(ID3D11Resource *pDstResource, UINT DstSubresource, ID3D11Resource *pSrcResource, UINT SrcSubresource, DXGI_FORMAT Format) override;
  void STDMETHODCALLTYPE ExecuteCommandList(ID3D11CommandList *pCommandList, WINBOOL RestoreContextState) override;
  void STDMETHODCALLTYPE HSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE HSSetShader(ID3D11HullShader *pHullShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE HSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE HSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE DSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE DSSetShader(ID3D11DomainShader *pDomainShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE DSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE DSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE CSSetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView *const *ppShaderResourceViews) override;
  void STDMETHODCALLTYPE CSSetUnorderedAccessViews(UINT StartSlot, UINT NumUAVs, ID3D11UnorderedAccessView *const *ppUnorderedAccessViews, const UINT *pUAVInitialCounts) override;
  void STDMETHODCALLTYPE CSSetShader(ID3D11ComputeShader *pComputeShader, ID3D11ClassInstance *const *ppClassInstances, UINT NumClassInstances) override;
  void STDMETHODCALLTYPE CSSetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState *const *ppSamplers) override;
  void STDMETHODCALLTYPE CSSetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers) override;
  void STDMETHODCALLTYPE VSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE PSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE PSGetShader(ID3D11PixelShader **ppPixelShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE PSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE VSGetShader(ID3D11VertexShader **ppVertexShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE PSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE IAGetInputLayout(ID3D11InputLayout **ppInputLayout) override;
  void STDMETHODCALLTYPE IAGetVertexBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppVertexBuffers, UINT *pStrides, UINT *pOffsets) override;
  void STDMETHODCALLTYPE IAGetIndexBuffer(ID3D11Buffer **pIndexBuffer, DXGI_FORMAT *Format, UINT *Offset) override;
  void STDMETHODCALLTYPE GSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE GSGetShader(ID3D11GeometryShader **ppGeometryShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE IAGetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY *pTopology) override;
  void STDMETHODCALLTYPE VSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE VSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE GetPredication(ID3D11Predicate **ppPredicate, WINBOOL *pPredicateValue) override;
  void STDMETHODCALLTYPE GSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE GSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE OMGetRenderTargets(UINT NumViews, ID3D11RenderTargetView **ppRenderTargetViews, ID3D11DepthStencilView **ppDepthStencilView) override;
  void STDMETHODCALLTYPE OMGetRenderTargetsAndUnorderedAccessViews(UINT NumRTVs, ID3D11RenderTargetView **ppRenderTargetViews, ID3D11DepthStencilView **ppDepthStencilView, UINT UAVStartSlot, UINT NumUAVs, ID3D11UnorderedAccessView **ppUnorderedAccessViews) override;
  void STDMETHODCALLTYPE OMGetBlendState(ID3D11BlendState **ppBlendState, FLOAT BlendFactor[4], UINT *pSampleMask) override;
  void STDMETHODCALLTYPE OMGetDepthStencilState(ID3D11DepthStencilState **ppDepthStencilState, UINT *pStencilRef) override;
  void STDMETHODCALLTYPE SOGetTargets(UINT NumBuffers, ID3D11Buffer **ppSOTargets) override;
  void STDMETHODCALLTYPE RSGetState(ID3D11RasterizerState **ppRasterizerState) override;
  void STDMETHODCALLTYPE RSGetViewports(UINT *pNumViewports, D3D11_VIEWPORT *pViewports) override;
  void STDMETHODCALLTYPE RSGetScissorRects(UINT *pNumRects, D3D11_RECT *pRects) override;
  void STDMETHODCALLTYPE HSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE HSGetShader(ID3D11HullShader **ppHullShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE HSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE HSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE DSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE DSGetShader(ID3D11DomainShader **ppDomainShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE DSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE DSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE CSGetShaderResources(UINT StartSlot, UINT NumViews, ID3D11ShaderResourceView **ppShaderResourceViews) override;
  void STDMETHODCALLTYPE CSGetUnorderedAccessViews(UINT StartSlot, UINT NumUAVs, ID3D11UnorderedAccessView **ppUnorderedAccessViews) override;
  void STDMETHODCALLTYPE CSGetShader(ID3D11ComputeShader **ppComputeShader, ID3D11ClassInstance **ppClassInstances, UINT *pNumClassInstances) override;
  void STDMETHODCALLTYPE CSGetSamplers(UINT StartSlot, UINT NumSamplers, ID3D11SamplerState **ppSamplers) override;
  void STDMETHODCALLTYPE CSGetConstantBuffers(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers) override;
  void STDMETHODCALLTYPE ClearState() override;
  void STDMETHODCALLTYPE Flush() override;
  D3D11_DEVICE_CONTEXT_TYPE STDMETHODCALLTYPE GetType() override;
  UINT STDMETHODCALLTYPE GetContextFlags() override;
  HRESULT STDMETHODCALLTYPE FinishCommandList(WINBOOL RestoreDeferredContextState, ID3D11CommandList **ppCommandList) override;
  // ID3D11DeviceContext1
  void STDMETHODCALLTYPE CopySubresourceRegion1(ID3D11Resource *pDstResource, UINT DstSubresource, UINT DstX, UINT DstY, UINT DstZ, ID3D11Resource *pSrcResource, UINT SrcSubresource, const D3D11_BOX *pSrcBox, UINT CopyFlags) override;
  void STDMETHODCALLTYPE UpdateSubresource1(ID3D11Resource *pDstResource, UINT DstSubresource, const D3D11_BOX *pDstBox, const void *pSrcData, UINT SrcRowPitch, UINT SrcDepthPitch, UINT CopyFlags) override;
  void STDMETHODCALLTYPE DiscardResource(ID3D11Resource *pResource) override;
  void STDMETHODCALLTYPE DiscardView(ID3D11View *pResourceView) override;
  void STDMETHODCALLTYPE VSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE HSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE DSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE GSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE PSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE CSSetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer *const *ppConstantBuffers, const UINT *pFirstConstant, const UINT *pNumConstants) override;
  void STDMETHODCALLTYPE VSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE HSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE DSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE GSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE PSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE CSGetConstantBuffers1(UINT StartSlot, UINT NumBuffers, ID3D11Buffer **ppConstantBuffers, UINT *pFirstConstant, UINT *pNumConstants) override;
  void STDMETHODCALLTYPE SwapDeviceContextState(ID3DDeviceContextState *pState, ID3DDeviceContextState **ppPreviousState) override;
  void STDMETHODCALLTYPE ClearView(ID3D11View *pView, const FLOAT Color[4], const D3D11_RECT *pRect, UINT NumRects) override;
  void STDMETHODCALLTYPE DiscardView1(ID3D11View *pResourceView, const D3D11_RECT *pRects, UINT NumRects) override;
  // ID3D11DeviceContext2
  HRESULT STDMETHODCALLTYPE UpdateTileMappings(ID3D11Resource *resource, UINT region_count, const D3D11_TILED_RESOURCE_COORDINATE *region_start_coordinates, const D3D11_TILE_REGION_SIZE *region_sizes, ID3D11Buffer *pool, UINT range_count, const UINT *range_flags, const UINT *pool_start_offsets, const UINT *range_tile_counts, UINT flags) override;
  HRESULT STDMETHODCALLTYPE CopyTileMappings(ID3D11Resource *dst_resource, const D3D11_TILED_RESOURCE_COORDINATE *dst_start_coordinate, ID3D11Resource *src_resource, const D3D11_TILED_RESOURCE_COORDINATE *src_start_coordinate, const D3D11_TILE_REGION_SIZE *region_size, UINT flags) override;
  void STDMETHODCALLTYPE CopyTiles(ID3D11Resource *resource, const D3D11_TILED_RESOURCE_COORDINATE *start_coordinate, const D3D11_TILE_REGION_SIZE *size, ID3D11Buffer *buffer, UINT64 start_offset, UINT flags) override;
  void STDMETHODCALLTYPE UpdateTiles(ID3D11Resource *dst_resource, const D3D11_TILED_RESOURCE_COORDINATE *dst_start_coordinate, const D3D11_TILE_REGION_SIZE *dst_region_size, const void *src_data, UINT flags) override;
  HRESULT STDMETHODCALLTYPE ResizeTilePool(ID3D11Buffer *pool, UINT64 size) override;
  void STDMETHODCALLTYPE TiledResourceBarrier(ID3D11DeviceChild *before_barrier, ID3D11DeviceChild *after_barrier) override;
  WINBOOL STDMETHODCALLTYPE IsAnnotationEnabled() override;
  void STDMETHODCALLTYPE SetMarkerInt(const WCHAR *label, int data) override;
  void STDMETHODCALLTYPE BeginEventInt(const WCHAR *label, int data) override;
  void STDMETHODCALLTYPE EndEvent() override;
  // ID3D11DeviceContext3
  void STDMETHODCALLTYPE Flush1(D3D11_CONTEXT_TYPE type, HANDLE event) override;
  void STDMETHODCALLTYPE SetHardwareProtectionState(WINBOOL enable) override;
  void STDMETHODCALLTYPE GetHardwareProtectionState(WINBOOL *enable) override;
  // ID3D11DeviceContext4
  HRESULT STDMETHODCALLTYPE Signal(ID3D11Fence *fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE Wait(ID3D11Fence *fence, UINT64 value) override;

  // For the device.
  /// The memory behind a bound resource was replaced.
  void memoryChanged(const ResourceInfo& resource);
  void unbindTargets(const ResourceInfo& resource);

protected:
  IUnknown* queryFace(REFIID riid) override;
  const char* className() const override { return "ID3D11DeviceContext"; }

private:
  /// The object, or null when it belongs to another device, which may go while this one's commands point at it.
  template <typename T> T* ours(T* object) const {
    if (!object || object->device() == device()) [[likely]]
      return object;
    base::logOnce("an object of another device is ignored");
    return nullptr;
  }
  // context_bind.cpp
  void bindConstants(Stage stage, UINT start, UINT count, ID3D11Buffer* const* buffers, const UINT* first, const UINT* counts);
  void bindResources(Stage stage, UINT start, UINT count, ID3D11ShaderResourceView* const* views);
  void bindSamplers(Stage stage, UINT start, UINT count, ID3D11SamplerState* const* samplers);
  template <typename Shader, typename Interface> void bindShader(com::PrivateRef<Shader>& slot, Interface* shader);
  bool readConflict(const ShaderResourceView& view) const;
  bool streamOutConflict(const Buffer& buffer) const;
  bool writtenElsewhere(const ResourceInfo& resource) const;
  void unbindReaders(const ResourceInfo& resource, const ViewRange& range, const DepthStencilView* depth);
  void unbindUavs(const ResourceInfo& resource, const ViewRange& range);
  void unbindWrittenBuffer(const ResourceInfo& resource);
  void unbindStreamOut(const ResourceInfo& resource);
  bool setTargets(UINT count, ID3D11RenderTargetView* const* views, ID3D11DepthStencilView* depth);
  void setOutputUavs(UINT start, UINT count, ID3D11UnorderedAccessView* const* views);
  void trim(StageBindings& stage);
  void trimTargets();
  // context_get.cpp
  void getConstants(Stage stage, UINT start, UINT count, ID3D11Buffer** buffers, UINT* first, UINT* counts);
  void getResources(Stage stage, UINT start, UINT count, ID3D11ShaderResourceView** views);
  void getSamplers(Stage stage, UINT start, UINT count, ID3D11SamplerState** samplers);
  template <typename Shader, typename Interface>
  void getShader(const com::PrivateRef<Shader>& slot, Interface** shader, UINT* instances);
  // context_draw.cpp
  bool prepareDraw();
  void drawIndirect(ID3D11Buffer* buffer, UINT offset, bool indexed);
  void recordState();
  void recordPipeline();
  void recordTargets();
  void recordStreams();
  void recordIndex();
  void recordConstants(Stage stage);
  void recordResources(Stage stage);
  void recordSamplers(Stage stage);
  /// True if the current predicate says: skip.
  bool suppressed();
  void clearColor(const RenderTargetView& view, const float color[4], const D3D11_RECT* rects, UINT count);
  void clearDepth(const DepthStencilView& view, UINT flags, float depth, uint8_t stencil, const D3D11_RECT* rects, UINT count);
  // context_copy.cpp
  void copyRegion(ResourceInfo& dest, UINT destSub, UINT x, UINT y, UINT z, ResourceInfo& source, UINT sourceSub,
                  const D3D11_BOX* box, bool overlapAllowed);
  void copyBuffer(ResourceInfo& dest, uint64_t destOffset, ResourceInfo& source, uint64_t sourceOffset, uint64_t size);
  void copyTexture(ResourceInfo& dest, const commands::TextureRegion& destRegion, ResourceInfo& source,
                   const commands::TextureRegion& sourceRegion);
  void update(ResourceInfo& dest, UINT subresource, const D3D11_BOX* box, const void* data, UINT rowPitch, UINT slicePitch,
              bool partialConstants, UINT flags);
  void updateBuffer(ResourceInfo& dest, uint64_t offset, uint64_t size, const void* data);
  void updateTexture(ResourceInfo& dest, const commands::TextureRegion& region, const uint8_t* data, uint64_t rowPitch,
                     uint64_t slicePitch);
  void touch(ResourceInfo& resource, bool writes) {
    if (!resource.maps.empty()) {
      const uint64_t serial = m_timeline.recordingSerial();
      resource.lastUse = serial;
      if (writes)
        resource.lastWrite = serial;
    }
  }
  // context_map.cpp
  HRESULT mapBuffer(ResourceInfo& r, D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE* out);
  HRESULT mapTexture(ResourceInfo& r, UINT subresource, D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE* out);
  HRESULT mapDynamicTexture(ResourceInfo& r, UINT subresource, D3D11_MAPPED_SUBRESOURCE* out);
  /// Makes sure that commands up to `serial` have run; DXGI_ERROR_WAS_STILL_DRAWING if that may not be waited for.
  HRESULT waitFor(uint64_t serial, UINT mapFlags);

  Pipeline& state() { return *m_state; }

  commands::Timeline& m_timeline;
  commands::Recorder& m_recorder;
  MultithreadLock& m_lock;
  uint32_t m_dirty = kGroupAll;
  bool m_blocked = false; ///< A stage is bound that is not built, or nothing could be drawn.
  bool m_predicated = false;
  std::unique_ptr<Pipeline> m_state;
  com::PrivateRef<class ContextState> m_contextState;
  Annotation m_annotation{this};
  Multithread m_multithread{this, m_lock};
};

/// ID3DDeviceContextState: a pipeline waiting to be swapped in.
class ContextState final : public DeviceChild<com::Interfaces<ID3DDeviceContextState, ID3D11DeviceChild>> {
public:
  ContextState(Device* device, std::unique_ptr<Pipeline> pipeline) : DeviceChild(device), m_pipeline(std::move(pipeline)) {}
  std::unique_ptr<Pipeline>& pipeline() { return m_pipeline; }

protected:
  const char* className() const override { return "ID3DDeviceContextState"; }

private:
  std::unique_ptr<Pipeline> m_pipeline; ///< Null while it is the active one.
};

} // namespace monolith::d3d11
