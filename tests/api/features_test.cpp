// SPDX-License-Identifier: MIT
// CheckFeatureSupport, CheckFormatSupport, CheckMultisampleQualityLevels, counters.
#include "fixture.h"

#include <atomic>
#include <thread>

using namespace api;

namespace {
const D3D_FEATURE_LEVEL kLevels[] = {D3D_FEATURE_LEVEL_9_1,  D3D_FEATURE_LEVEL_9_2,  D3D_FEATURE_LEVEL_9_3,
                                     D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_11_0,
                                     D3D_FEATURE_LEVEL_11_1};
template <typename Data> Data query(ID3D11Device* device, D3D11_FEATURE feature) {
  Data d = {};
  EXPECT_EQ(device->CheckFeatureSupport(feature, &d, sizeof d), S_OK) << feature;
  return d;
}
} // namespace

TEST(Features, EachHasItsStructure) {
  // REQ: A0156 A0157 B0345 B0346 D0137
  struct Row {
    D3D11_FEATURE feature;
    UINT size;
  };
  const Row rows[] = {
      {D3D11_FEATURE_THREADING, sizeof(D3D11_FEATURE_DATA_THREADING)},
      {D3D11_FEATURE_DOUBLES, sizeof(D3D11_FEATURE_DATA_DOUBLES)},
      {D3D11_FEATURE_FORMAT_SUPPORT, sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT)},
      {D3D11_FEATURE_FORMAT_SUPPORT2, sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT2)},
      {D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS, sizeof(D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS)},
      {D3D11_FEATURE_D3D11_OPTIONS, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS)},
      {D3D11_FEATURE_ARCHITECTURE_INFO, sizeof(D3D11_FEATURE_DATA_ARCHITECTURE_INFO)},
      {D3D11_FEATURE_D3D9_OPTIONS, sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS)},
      {D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT, sizeof(D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT)},
      {D3D11_FEATURE_D3D9_SHADOW_SUPPORT, sizeof(D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT)},
      {D3D11_FEATURE_D3D11_OPTIONS1, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS1)},
      {D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT, sizeof(D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT)},
      {D3D11_FEATURE_MARKER_SUPPORT, sizeof(D3D11_FEATURE_DATA_MARKER_SUPPORT)},
      {D3D11_FEATURE_D3D9_OPTIONS1, sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS1)},
      {D3D11_FEATURE_D3D11_OPTIONS2, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS2)},
      {D3D11_FEATURE_D3D11_OPTIONS3, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS3)},
      {D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, sizeof(D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT)},
      {D3D11_FEATURE_D3D11_OPTIONS4, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS4)},
      {D3D11_FEATURE_SHADER_CACHE, sizeof(D3D11_FEATURE_DATA_SHADER_CACHE)},
      {D3D11_FEATURE_D3D11_OPTIONS5, sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS5)},
  };
  Created c = createDevice();
  for (const Row& r : rows) {
    UINT data[64] = {DXGI_FORMAT_R8G8B8A8_UNORM};
    EXPECT_EQ(c.device->CheckFeatureSupport(r.feature, data, r.size), S_OK) << r.feature;
    EXPECT_EQ(c.device->CheckFeatureSupport(r.feature, data, r.size + 4), E_INVALIDARG) << r.feature;
    EXPECT_EQ(c.device->CheckFeatureSupport(r.feature, data, r.size - 1), E_INVALIDARG) << r.feature;
    EXPECT_EQ(c.device->CheckFeatureSupport(r.feature, nullptr, r.size), E_INVALIDARG) << r.feature;
  }
  UINT data[64] = {};
  EXPECT_EQ(c.device->CheckFeatureSupport(static_cast<D3D11_FEATURE>(100), data, 4), E_INVALIDARG);
}

TEST(Features, OptionsKeepTheirRelations) {
  for (const D3D_FEATURE_LEVEL level : kLevels) {
    Created c = createDevice(level);
    ASSERT_EQ(c.hr, S_OK);
    const auto o = query<D3D11_FEATURE_DATA_D3D11_OPTIONS>(c.device.Get(), D3D11_FEATURE_D3D11_OPTIONS);
    // REQ: A0410
    EXPECT_EQ(o.DiscardAPIsSeenByDriver, o.FlagsForUpdateAndCopySeenByDriver);
    // REQ: A0411
    EXPECT_TRUE(o.ClearView == o.CopyWithOverlap && o.ClearView == o.ConstantBufferPartialUpdate &&
                o.ClearView == o.ConstantBufferOffsetting && o.ClearView == o.MapNoOverwriteOnDynamicConstantBuffer);
    // REQ: A0412
    EXPECT_EQ(o.MapNoOverwriteOnDynamicBufferSRV, o.MultisampleRTVWithForcedSampleCountOne);
    if (level <= D3D_FEATURE_LEVEL_9_3) {
      // REQ: A0416
      EXPECT_FALSE(o.OutputMergerLogicOp);
      // REQ: A0420 A0421 A0422 A0423 A0424
      EXPECT_TRUE(o.ClearView && o.CopyWithOverlap && o.ConstantBufferPartialUpdate && o.ConstantBufferOffsetting &&
                  o.MapNoOverwriteOnDynamicConstantBuffer);
    }
    if (level == D3D_FEATURE_LEVEL_11_1) {
      // REQ: A0409
      EXPECT_TRUE(o.OutputMergerLogicOp && o.UAVOnlyRenderingForcedSampleCount && o.DiscardAPIsSeenByDriver &&
                  o.FlagsForUpdateAndCopySeenByDriver && o.ClearView && o.CopyWithOverlap &&
                  o.ConstantBufferPartialUpdate && o.ConstantBufferOffsetting && o.MapNoOverwriteOnDynamicConstantBuffer &&
                  o.MapNoOverwriteOnDynamicBufferSRV && o.MultisampleRTVWithForcedSampleCountOne &&
                  o.ExtendedResourceSharing);
    }
    // REQ: A0431 A0432 A0435
    const auto pow2 = query<D3D11_FEATURE_DATA_D3D9_OPTIONS>(c.device.Get(), D3D11_FEATURE_D3D9_OPTIONS);
    const auto shadow = query<D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT>(c.device.Get(), D3D11_FEATURE_D3D9_SHADOW_SUPPORT);
    const auto precision = query<D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT>(
        c.device.Get(), D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT);
    if (level >= D3D_FEATURE_LEVEL_10_0) {
      EXPECT_TRUE(pow2.FullNonPow2TextureSupport);
      EXPECT_TRUE(shadow.SupportsDepthAsTextureWithLessEqualComparisonFilter);
      EXPECT_EQ(precision.PixelShaderMinPrecision, precision.AllOtherShaderStagesMinPrecision);
    }
    // REQ: A0161
    EXPECT_EQ(precision.PixelShaderMinPrecision & ~UINT(D3D11_SHADER_MIN_PRECISION_10_BIT | D3D11_SHADER_MIN_PRECISION_16_BIT), 0u);
    // REQ: A0443
    const auto simple = query<D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT>(
        c.device.Get(), D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT);
    const auto all = query<D3D11_FEATURE_DATA_D3D9_OPTIONS1>(c.device.Get(), D3D11_FEATURE_D3D9_OPTIONS1);
    EXPECT_EQ(all.FullNonPow2TextureSupported, pow2.FullNonPow2TextureSupport);
    EXPECT_EQ(all.DepthAsTextureWithLessEqualComparisonFilterSupported,
              shadow.SupportsDepthAsTextureWithLessEqualComparisonFilter);
    EXPECT_EQ(all.SimpleInstancingSupported, simple.SimpleInstancingSupported);
    // REQ: A0407
    const auto compute = query<D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS>(c.device.Get(), D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS);
    EXPECT_TRUE(compute.ComputeShaders_Plus_RawAndStructuredBuffers_Via_Shader_4_x || level < D3D_FEATURE_LEVEL_11_0);
  }
}

TEST(Features, ResourcesFromSeveralThreads) {
  // REQ: A0240 A0401
  Created c = createDevice();
  ASSERT_TRUE(query<D3D11_FEATURE_DATA_THREADING>(c.device.Get(), D3D11_FEATURE_THREADING).DriverConcurrentCreates);
  const D3D11_TEXTURE2D_DESC desc = {64, 64, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET, 0, 0};
  std::atomic<UINT> made = 0;
  std::atomic<bool> finished = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&] {
      for (UINT i = 0; i < 300; i++) {
        ComPtr<ID3D11Texture2D> texture;
        ComPtr<ID3D11RenderTargetView> view;
        ComPtr<ID3D11RasterizerState> state;
        ComPtr<ID3D11VertexShader> shader;
        CD3D11_RASTERIZER_DESC raster{CD3D11_DEFAULT()};
        raster.DepthBias = INT(i % 7);
        made += c.device->CreateTexture2D(&desc, nullptr, &texture) == S_OK &&
                c.device->CreateRenderTargetView(texture.Get(), nullptr, &view) == S_OK &&
                c.device->CreateRasterizerState(&raster, &state) == S_OK &&
                (i % 50 || c.device->CreateVertexShader(fullscreenVertexShader().data(), fullscreenVertexShader().size(), nullptr,
                                                        &shader) == S_OK);
      }
    });
  std::thread watcher([&] {
    for (auto& t : threads)
      t.join();
    finished = true;
  });
  ComPtr<ID3D11Texture2D> target;
  ComPtr<ID3D11RenderTargetView> view;
  ASSERT_EQ(c.device->CreateTexture2D(&desc, nullptr, &target), S_OK);
  ASSERT_EQ(c.device->CreateRenderTargetView(target.Get(), nullptr, &view), S_OK);
  const float color[4] = {1, 0, 1, 0};
  do {
    c.context->ClearRenderTargetView(view.Get(), color);
    c.context->Flush();
  } while (!finished);
  watcher.join();
  EXPECT_EQ(made, 900u);
}

TEST(Features, SmallAnswers) {
  Created c = createDevice();
  // REQ: A0430
  EXPECT_TRUE(query<D3D11_FEATURE_DATA_ARCHITECTURE_INFO>(c.device.Get(), D3D11_FEATURE_ARCHITECTURE_INFO).TileBasedDeferredRenderer);
  // REQ: A0446
  const auto va = query<D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT>(c.device.Get(), D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT);
  EXPECT_GT(va.MaxGPUVirtualAddressBitsPerResource, 0u);
  EXPECT_GT(va.MaxGPUVirtualAddressBitsPerProcess, 0u);
  // REQ: A0171
  const auto cache = query<D3D11_FEATURE_DATA_SHADER_CACHE>(c.device.Get(), D3D11_FEATURE_SHADER_CACHE);
  EXPECT_EQ(cache.SupportFlags & ~3u, 0u);
  // REQ: A0436 A0170 A0160
  const auto o1 = query<D3D11_FEATURE_DATA_D3D11_OPTIONS1>(c.device.Get(), D3D11_FEATURE_D3D11_OPTIONS1);
  EXPECT_LE(o1.TiledResourcesTier, D3D11_TILED_RESOURCES_TIER_3);
  const auto o2 = query<D3D11_FEATURE_DATA_D3D11_OPTIONS2>(c.device.Get(), D3D11_FEATURE_D3D11_OPTIONS2);
  EXPECT_LE(o2.ConservativeRasterizationTier, D3D11_CONSERVATIVE_RASTERIZATION_TIER_3);
  EXPECT_EQ(o2.TiledResourcesTier, o1.TiledResourcesTier);
  // REQ: A0115 A0437
  D3D11_SAMPLER_DESC s = {};
  s.Filter = D3D11_FILTER_MINIMUM_MIN_MAG_MIP_LINEAR;
  s.AddressU = s.AddressV = s.AddressW = D3D11_TEXTURE_ADDRESS_CLAMP;
  s.MaxLOD = 1;
  ComPtr<ID3D11SamplerState> sampler;
  EXPECT_EQ(c.device->CreateSamplerState(&s, &sampler), o1.MinMaxFiltering ? S_OK : E_INVALIDARG);
}

TEST(Features, FormatSupport) {
  for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_11_0}) {
    Created c = createDevice(level);
    for (UINT f = 0; f < 140; f++) {
      const auto format = static_cast<DXGI_FORMAT>(f);
      UINT mask = 0xdeadbeef;
      const HRESULT hr = c.device->CheckFormatSupport(format, &mask);
      // REQ: B0333
      EXPECT_EQ(hr == S_OK, mask != 0) << f;
      // REQ: A0405 B0347 D0138
      D3D11_FEATURE_DATA_FORMAT_SUPPORT data = {format, 0xdeadbeef};
      EXPECT_EQ(c.device->CheckFeatureSupport(D3D11_FEATURE_FORMAT_SUPPORT, &data, sizeof data), hr) << f;
      EXPECT_EQ(data.OutFormatSupport, mask) << f;
    }
  }
  Created c = createDevice();
  UINT mask;
  // REQ: B0334
  EXPECT_EQ(c.device->CheckFormatSupport(DXGI_FORMAT_R8G8B8A8_UNORM, nullptr), E_INVALIDARG);
  // REQ: B0335
  EXPECT_EQ(c.device->CheckFormatSupport(static_cast<DXGI_FORMAT>(0xFFFF), &mask), E_FAIL);
  // REQ: A0406
  D3D11_FEATURE_DATA_FORMAT_SUPPORT2 data = {DXGI_FORMAT_R32_UINT, 0};
  EXPECT_EQ(c.device->CheckFeatureSupport(D3D11_FEATURE_FORMAT_SUPPORT2, &data, sizeof data), S_OK);
  EXPECT_TRUE(data.OutFormatSupport2 & D3D11_FORMAT_SUPPORT2_UAV_ATOMIC_ADD);
}

TEST(Features, MultisampleQuality) {
  // REQ: B0336 D0128 D0131 D0132 B0338
  Created c = createDevice(D3D_FEATURE_LEVEL_11_0);
  for (UINT f = 1; f < 116; f++) {
    const auto format = static_cast<DXGI_FORMAT>(f);
    UINT mask = 0;
    c.device->CheckFormatSupport(format, &mask);
    if (!(mask & D3D11_FORMAT_SUPPORT_RENDER_TARGET))
      continue;
    UINT levels = 0;
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels(format, 4, &levels), S_OK);
    EXPECT_GT(levels, 0u) << "4x, format " << f;
    const bool wide = f >= DXGI_FORMAT_R32G32B32A32_TYPELESS && f <= DXGI_FORMAT_R32G32B32A32_SINT;
    const bool three = f >= DXGI_FORMAT_R32G32B32_TYPELESS && f <= DXGI_FORMAT_R32G32B32_SINT;
    if (!wide && !three) {
      EXPECT_EQ(c.device->CheckMultisampleQualityLevels(format, 8, &levels), S_OK);
      EXPECT_GT(levels, 0u) << "8x, format " << f;
    }
    // REQ: B0635 D0133
    UINT one = 0;
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels1(format, 8, 0, &one), S_OK);
    c.device->CheckMultisampleQualityLevels(format, 8, &levels);
    EXPECT_EQ(one, levels);
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels1(format, 4, D3D11_CHECK_MULTISAMPLE_QUALITY_LEVELS_TILED_RESOURCE, &one), S_OK);
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels1(format, 4, 2, &one), E_INVALIDARG);
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels1(format, 4, 0, &one), S_OK);
    EXPECT_GT(one, 0u);
  }
  UINT levels = 77;
  EXPECT_EQ(c.device->CheckMultisampleQualityLevels(DXGI_FORMAT_R8G8B8A8_UNORM, 3, &levels), S_OK);
  EXPECT_EQ(levels, 0u);
  // REQ: D0129
  EXPECT_EQ(D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT, 32);
  EXPECT_EQ(c.device->CheckMultisampleQualityLevels(DXGI_FORMAT_R8G8B8A8_UNORM, 33, &levels), E_FAIL);
  EXPECT_EQ(c.device->CheckMultisampleQualityLevels(DXGI_FORMAT_R8G8B8A8_UNORM, 4, nullptr), E_INVALIDARG);
}

TEST(Features, MultisampleQualityAt10_1) {
  // REQ: B0337 D0130
  Created c = createDevice(D3D_FEATURE_LEVEL_10_1);
  for (UINT f = 1; f < 116; f++) {
    const auto format = static_cast<DXGI_FORMAT>(f);
    UINT mask = 0, levels = 0;
    c.device->CheckFormatSupport(format, &mask);
    if (!(mask & D3D11_FORMAT_SUPPORT_RENDER_TARGET) || f <= DXGI_FORMAT_R32G32B32_SINT)
      continue;
    c.device->CheckMultisampleQualityLevels(format, 4, &levels);
    EXPECT_GT(levels, 0u) << f;
    UINT one = 0;
    EXPECT_EQ(c.device->CheckMultisampleQualityLevels1(format, 4, 0, &one), S_OK);
    EXPECT_EQ(one, levels);
  }
}

TEST(Features, Counters) {
  Created c = createDevice();
  // REQ: B0339 A0394 A0395 A0396
  D3D11_COUNTER_INFO info = {static_cast<D3D11_COUNTER>(5), 5, 5};
  c.device->CheckCounterInfo(&info);
  EXPECT_EQ(info.LastDeviceDependentCounter, 0);
  EXPECT_EQ(info.NumSimultaneousCounters, 0u);
  EXPECT_GE(info.NumDetectableParallelUnits, 1u);
  EXPECT_LE(info.NumDetectableParallelUnits, 4u);
  // REQ: B0318 B0320
  ComPtr<ID3D11Counter> counter;
  D3D11_COUNTER_DESC desc = {static_cast<D3D11_COUNTER>(1), 0};
  EXPECT_EQ(c.device->CreateCounter(&desc, &counter), DXGI_ERROR_UNSUPPORTED);
  desc.Counter = D3D11_COUNTER_DEVICE_DEPENDENT_0;
  EXPECT_EQ(c.device->CreateCounter(&desc, &counter), E_INVALIDARG);
  EXPECT_FALSE(counter);
}
