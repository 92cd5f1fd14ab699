// SPDX-License-Identifier: MIT
/// @file
/// What the device can do: CheckFeatureSupport and its kin. What is not built is reported as missing wherever the
/// feature level allows it.
#include "d3d11/device.h"
#include "formats/support.h"

#include <cstring>

namespace monolith::d3d11 {

HRESULT STDMETHODCALLTYPE Device::CheckFormatSupport(DXGI_FORMAT format, UINT* support) {
  if (!support)
    return E_INVALIDARG;
  *support = 0;
  const auto f = static_cast<formats::Format>(format);
  if (static_cast<UINT>(format) >= formats::kFormatCount)
    return E_FAIL;
  *support = formats::supportMask(f, formatLevel(level()));
  return *support ? S_OK : E_FAIL;
}

HRESULT STDMETHODCALLTYPE Device::CheckMultisampleQualityLevels(DXGI_FORMAT format, UINT sampleCount, UINT* levels) {
  return CheckMultisampleQualityLevels1(format, sampleCount, 0, levels);
}

HRESULT STDMETHODCALLTYPE Device::CheckMultisampleQualityLevels1(DXGI_FORMAT format, UINT sampleCount, UINT flags,
                                                                 UINT* levels) {
  if (!levels)
    return E_INVALIDARG;
  *levels = 0;
  if (static_cast<UINT>(format) >= formats::kFormatCount ||
      (flags & ~UINT(D3D11_CHECK_MULTISAMPLE_QUALITY_LEVELS_TILED_RESOURCE)))
    return E_INVALIDARG;
  if (sampleCount == 0 || sampleCount > D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT)
    return E_FAIL;
  if (!(flags & D3D11_CHECK_MULTISAMPLE_QUALITY_LEVELS_TILED_RESOURCE))
    *levels = formats::qualityLevels(static_cast<formats::Format>(format), formatLevel(level()), sampleCount);
  return S_OK;
}

namespace {

/// Copies an answer out if the caller's structure has its size.
template <typename Data> HRESULT answer(const Data& data, void* out, UINT size) {
  if (!out || size != sizeof(Data))
    return E_INVALIDARG;
  std::memcpy(out, &data, sizeof data);
  return S_OK;
}

D3D11_FEATURE_DATA_D3D11_OPTIONS options(D3D_FEATURE_LEVEL level) {
  D3D11_FEATURE_DATA_D3D11_OPTIONS o{};
  const bool nine = level <= D3D_FEATURE_LEVEL_9_3;
  const bool eleven = level >= D3D_FEATURE_LEVEL_11_0;
  o.OutputMergerLogicOp = eleven;
  o.UAVOnlyRenderingForcedSampleCount = level >= D3D_FEATURE_LEVEL_11_1;
  o.DiscardAPIsSeenByDriver = TRUE;
  o.FlagsForUpdateAndCopySeenByDriver = TRUE;
  o.ClearView = TRUE;
  o.CopyWithOverlap = TRUE;
  o.ConstantBufferPartialUpdate = TRUE;
  o.ConstantBufferOffsetting = TRUE;
  o.MapNoOverwriteOnDynamicConstantBuffer = TRUE;
  o.MapNoOverwriteOnDynamicBufferSRV = !nine;
  o.MultisampleRTVWithForcedSampleCountOne = !nine;
  o.ExtendedResourceSharing = level >= D3D_FEATURE_LEVEL_11_1;
  return o;
}

} // namespace

HRESULT STDMETHODCALLTYPE Device::CheckFeatureSupport(D3D11_FEATURE feature, void* data, UINT size) {
  const D3D_FEATURE_LEVEL l = level();
  const bool ten = l >= D3D_FEATURE_LEVEL_10_0, eleven = l >= D3D_FEATURE_LEVEL_11_0;
  switch (feature) {
  case D3D11_FEATURE_THREADING:
    return answer(D3D11_FEATURE_DATA_THREADING{singleThreaded() ? FALSE : TRUE, FALSE}, data, size);
  case D3D11_FEATURE_DOUBLES: return answer(D3D11_FEATURE_DATA_DOUBLES{FALSE}, data, size);
  case D3D11_FEATURE_FORMAT_SUPPORT: {
    if (!data || size != sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT))
      return E_INVALIDARG;
    auto* d = static_cast<D3D11_FEATURE_DATA_FORMAT_SUPPORT*>(data);
    return CheckFormatSupport(d->InFormat, &d->OutFormatSupport);
  }
  case D3D11_FEATURE_FORMAT_SUPPORT2: {
    if (!data || size != sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT2))
      return E_INVALIDARG;
    auto* d = static_cast<D3D11_FEATURE_DATA_FORMAT_SUPPORT2*>(data);
    d->OutFormatSupport2 = 0;
    if (static_cast<UINT>(d->InFormat) >= formats::kFormatCount)
      return E_FAIL;
    d->OutFormatSupport2 = formats::supportMask2(static_cast<formats::Format>(d->InFormat), formatLevel(l));
    return formats::supportMask(static_cast<formats::Format>(d->InFormat), formatLevel(l)) ? S_OK : E_FAIL;
  }
  case D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS:
    return answer(D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS{eleven}, data, size);
  case D3D11_FEATURE_D3D11_OPTIONS: return answer(options(l), data, size);
  case D3D11_FEATURE_ARCHITECTURE_INFO: return answer(D3D11_FEATURE_DATA_ARCHITECTURE_INFO{TRUE}, data, size);
  case D3D11_FEATURE_D3D9_OPTIONS: return answer(D3D11_FEATURE_DATA_D3D9_OPTIONS{TRUE}, data, size);
  case D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT:
    return answer(D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT{0, 0}, data, size);
  case D3D11_FEATURE_D3D9_SHADOW_SUPPORT: return answer(D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT{TRUE}, data, size);
  case D3D11_FEATURE_D3D11_OPTIONS1:
    return answer(D3D11_FEATURE_DATA_D3D11_OPTIONS1{D3D11_TILED_RESOURCES_NOT_SUPPORTED, eleven, TRUE, eleven}, data, size);
  case D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT:
    return answer(D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT{TRUE}, data, size);
  case D3D11_FEATURE_MARKER_SUPPORT: return answer(D3D11_FEATURE_DATA_MARKER_SUPPORT{FALSE}, data, size);
  case D3D11_FEATURE_D3D9_OPTIONS1:
    return answer(D3D11_FEATURE_DATA_D3D9_OPTIONS1{TRUE, TRUE, TRUE, TRUE}, data, size);
  case D3D11_FEATURE_D3D11_OPTIONS2: {
    D3D11_FEATURE_DATA_D3D11_OPTIONS2 o{};
    o.UnifiedMemoryArchitecture = TRUE;
    o.MapOnDefaultTextures = ten;
    o.PSSpecifiedStencilRefSupported = eleven;
    o.ConservativeRasterizationTier =
        eleven ? D3D11_CONSERVATIVE_RASTERIZATION_TIER_3 : D3D11_CONSERVATIVE_RASTERIZATION_NOT_SUPPORTED;
    return answer(o, data, size);
  }
  case D3D11_FEATURE_D3D11_OPTIONS3: return answer(D3D11_FEATURE_DATA_D3D11_OPTIONS3{eleven}, data, size);
  case D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT:
    return answer(D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT{31, 47}, data, size);
  case D3D11_FEATURE_D3D11_OPTIONS4: {
    D3D11_FEATURE_DATA_D3D11_OPTIONS4 o{};
    return answer(o, data, size);
  }
  case D3D11_FEATURE_SHADER_CACHE:
    return answer(D3D11_FEATURE_DATA_SHADER_CACHE{D3D11_SHADER_CACHE_SUPPORT_AUTOMATIC_INPROC_CACHE}, data, size);
  case D3D11_FEATURE_D3D11_OPTIONS5:
    return answer(D3D11_FEATURE_DATA_D3D11_OPTIONS5{D3D11_SHARED_RESOURCE_TIER_0}, data, size);
  }
  return E_INVALIDARG;
}

} // namespace monolith::d3d11
