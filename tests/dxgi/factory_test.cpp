// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <dlfcn.h>
#include <vector>

TEST_F(Dxgi, FactoryAnswersEveryVersionWithOneIdentity) {
  ComPtr<IUnknown> identity;
  ASSERT_EQ(factory.As(&identity), S_OK);
  for (const GUID& id : {__uuidof(IDXGIFactory), __uuidof(IDXGIFactory1), __uuidof(IDXGIFactory2), __uuidof(IDXGIFactory3),
                         __uuidof(IDXGIFactory4), __uuidof(IDXGIFactory5), __uuidof(IDXGIFactory6), __uuidof(IDXGIObject)}) {
    ComPtr<IUnknown> face, back;
    ASSERT_EQ(factory->QueryInterface(id, reinterpret_cast<void**>(face.GetAddressOf())), S_OK);
    ASSERT_EQ(face.As(&back), S_OK);
    EXPECT_EQ(back.Get(), identity.Get());
  }
  void* none = &none;
  EXPECT_EQ(factory->QueryInterface(__uuidof(ID3D11Device), &none), E_NOINTERFACE);
  EXPECT_EQ(none, nullptr);
}

TEST_F(Dxgi, OneAdapterThenNotFound) {
  ComPtr<IDXGIAdapter1> adapter;
  ASSERT_EQ(factory->EnumAdapters1(0, &adapter), S_OK);
  IDXGIAdapter1* none = adapter.Get();
  EXPECT_EQ(factory->EnumAdapters1(1, &none), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(factory->EnumAdapters1(0, nullptr), DXGI_ERROR_INVALID_CALL);
  DXGI_ADAPTER_DESC1 desc;
  ASSERT_EQ(adapter->GetDesc1(&desc), S_OK);
  EXPECT_GT(desc.DedicatedVideoMemory, SIZE_T(64) << 20);
  EXPECT_EQ(desc.Flags, UINT(DXGI_ADAPTER_FLAG_NONE));
  ComPtr<IDXGIAdapter> again;
  ASSERT_EQ(factory->EnumAdapterByLuid(desc.AdapterLuid, IID_PPV_ARGS(&again)), S_OK);
  ComPtr<IDXGIFactory> parent;
  ASSERT_EQ(again->GetParent(IID_PPV_ARGS(&parent)), S_OK);
  EXPECT_EQ(parent.Get(), static_cast<IDXGIFactory*>(factory.Get()));
}

TEST_F(Dxgi, WarpAdapterIsSoftware) {
  ComPtr<IDXGIAdapter1> adapter;
  ASSERT_EQ(factory->EnumWarpAdapter(IID_PPV_ARGS(&adapter)), S_OK);
  DXGI_ADAPTER_DESC1 desc;
  ASSERT_EQ(adapter->GetDesc1(&desc), S_OK);
  EXPECT_TRUE(desc.Flags & DXGI_ADAPTER_FLAG_SOFTWARE);
}

// REQ: M0082
TEST_F(Dxgi, AdapterHasOneOutputWithModes) {
  ComPtr<IDXGIAdapter> adapter;
  ComPtr<IDXGIOutput> output;
  ASSERT_EQ(factory->EnumAdapters(0, &adapter), S_OK);
  ASSERT_EQ(adapter->EnumOutputs(0, &output), S_OK);
  ComPtr<IDXGIOutput> none;
  EXPECT_EQ(adapter->EnumOutputs(1, &none), DXGI_ERROR_NOT_FOUND);
  UINT count = 0;
  ASSERT_EQ(output->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, nullptr), S_OK);
  ASSERT_GT(count, 3u);
  std::vector<DXGI_MODE_DESC> modes(count);
  UINT fewer = count - 1;
  EXPECT_EQ(output->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &fewer, modes.data()), DXGI_ERROR_MORE_DATA);
  ASSERT_EQ(output->GetDisplayModeList(DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, modes.data()), S_OK);
  for (const auto& mode : modes) EXPECT_GT(mode.RefreshRate.Numerator, 0u);
  ASSERT_EQ(output->GetDisplayModeList(DXGI_FORMAT_BC1_UNORM, 0, &count, nullptr), S_OK);
  EXPECT_EQ(count, 0u);
  DXGI_MODE_DESC wanted = {}, closest = {};
  wanted.Width = 1270;
  wanted.Height = 700;
  wanted.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  ASSERT_EQ(output->FindClosestMatchingMode(&wanted, &closest, nullptr), S_OK);
  EXPECT_EQ(closest.Width, 1280u);
  EXPECT_EQ(closest.Height, 720u);
}

// REQ: M0078 M0080
TEST_F(Dxgi, GammaRampRoundTrips) {
  ComPtr<IDXGIAdapter> adapter;
  ComPtr<IDXGIOutput> output;
  ASSERT_EQ(factory->EnumAdapters(0, &adapter), S_OK);
  ASSERT_EQ(adapter->EnumOutputs(0, &output), S_OK);
  DXGI_GAMMA_CONTROL_CAPABILITIES caps;
  ASSERT_EQ(output->GetGammaControlCapabilities(&caps), S_OK);
  EXPECT_GE(caps.NumGammaControlPoints, 2u);
  EXPECT_LT(caps.MinConvertedValue, caps.MaxConvertedValue);
  DXGI_GAMMA_CONTROL before, set, got;
  ASSERT_EQ(output->GetGammaControl(&before), S_OK);
  set = before;
  set.GammaCurve[7].Green = 0.75f;
  ASSERT_EQ(output->SetGammaControl(&set), S_OK);
  ASSERT_EQ(output->GetGammaControl(&got), S_OK);
  EXPECT_EQ(got.GammaCurve[7].Green, 0.75f);
  ASSERT_EQ(output->SetGammaControl(&before), S_OK);
}

TEST_F(Dxgi, DeviceLeadsToItsAdapterAndFactory) {
  ComPtr<IDXGIDevice1> dxgi;
  ASSERT_EQ(device.As(&dxgi), S_OK);
  ComPtr<ID3D11Device> back;
  ASSERT_EQ(dxgi.As(&back), S_OK);
  EXPECT_EQ(back.Get(), device.Get());
  ComPtr<IUnknown> a, b;
  device.As(&a);
  dxgi.As(&b);
  EXPECT_EQ(a.Get(), b.Get()) << "one identity";
  ComPtr<IDXGIAdapter> adapter;
  ASSERT_EQ(dxgi->GetAdapter(&adapter), S_OK);
  ComPtr<IDXGIFactory2> parent;
  ASSERT_EQ(adapter->GetParent(IID_PPV_ARGS(&parent)), S_OK);
  UINT latency = 0;
  ASSERT_EQ(dxgi->GetMaximumFrameLatency(&latency), S_OK);
  EXPECT_EQ(latency, 3u);
  EXPECT_EQ(dxgi->SetMaximumFrameLatency(17), DXGI_ERROR_INVALID_CALL);
  ASSERT_EQ(dxgi->SetMaximumFrameLatency(1), S_OK);
}

// REQ: B0377
TEST(Exports, EntryPointsResolveDynamically) {
  for (const char* name : {"D3D11CreateDevice", "D3D11CreateDeviceAndSwapChain", "CreateDXGIFactory", "CreateDXGIFactory1",
                           "CreateDXGIFactory2", "DXGIGetDebugInterface1", "DXGIDeclareAdapterRemovalSupport"})
    EXPECT_TRUE(dlsym(RTLD_DEFAULT, name)) << name;
  auto create = reinterpret_cast<PFN_D3D11_CREATE_DEVICE_AND_SWAP_CHAIN>(dlsym(RTLD_DEFAULT, "D3D11CreateDeviceAndSwapChain"));
  ASSERT_TRUE(create);
  DXGI_SWAP_CHAIN_DESC desc = {};
  desc.BufferDesc.Width = desc.BufferDesc.Height = 16;
  desc.BufferDesc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = 1;
  desc.Windowed = TRUE;
  ComPtr<IDXGISwapChain> chain;
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  ASSERT_EQ(create(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &desc, &chain, &device,
                   nullptr, &context),
            S_OK);
  EXPECT_TRUE(chain && device && context);
}
