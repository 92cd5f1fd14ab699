// SPDX-License-Identifier: MIT
// Device creation: driver types, flags, feature levels, what is handed out.
#include "fixture.h"

#include <unistd.h>
#include <cstdio>
#include <d3d10.h>
#include <dlfcn.h>

#include <thread>

using namespace api;

namespace {

HRESULT create(D3D_DRIVER_TYPE type, UINT flags = 0, HMODULE software = nullptr, IDXGIAdapter* adapter = nullptr,
               UINT sdk = D3D11_SDK_VERSION) {
  ComPtr<ID3D11Device> device;
  return D3D11CreateDevice(adapter, type, software, flags, nullptr, 0, sdk, &device, nullptr, nullptr);
}
const HMODULE kModule = reinterpret_cast<HMODULE>(1);

} // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Resident memory of the process in bytes.
static size_t residentBytes() {
  size_t pages = 0, resident = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu %zu", &pages, &resident) != 2)
      resident = 0;
    std::fclose(f);
  }
  return resident * size_t(sysconf(_SC_PAGESIZE));
}

TEST(Create, DevicesTakeLittleMemory) {
  const size_t before = residentBytes();
  std::vector<Created> devices;
  for (int i = 0; i < 4; ++i) {
    devices.push_back(createDevice());
    ASSERT_EQ(devices.back().hr, S_OK);
    const size_t now = residentBytes(), grown = now > before ? now - before : 0;
    RecordProperty("device" + std::to_string(i), std::to_string(grown));
    EXPECT_LT(grown, size_t(20 << 20) + size_t(i) * (4 << 20));
  }
}
#endif

TEST(Create, DriverTypes) {
  // REQ: D0052
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_WARP), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_REFERENCE), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_NULL), S_OK);
  // REQ: B0363
  EXPECT_EQ(create(D3D_DRIVER_TYPE_UNKNOWN), E_INVALIDARG);
  // REQ: B0364
  EXPECT_EQ(create(D3D_DRIVER_TYPE_SOFTWARE), E_INVALIDARG);
  for (const D3D_DRIVER_TYPE t : {D3D_DRIVER_TYPE_HARDWARE, D3D_DRIVER_TYPE_WARP, D3D_DRIVER_TYPE_REFERENCE})
    EXPECT_EQ(create(t, 0, kModule), E_INVALIDARG);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_NULL, 0, kModule), E_INVALIDARG);
  EXPECT_EQ(create(static_cast<D3D_DRIVER_TYPE>(6)), E_INVALIDARG);
  // REQ: B0373
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE, 0, nullptr, nullptr, D3D11_SDK_VERSION + 1), E_INVALIDARG);
}

TEST(Create, AdapterNeedsUnknownDriverType) {
  // REQ: B0362 B0365
  ComPtr<IDXGIFactory1> factory;
  ASSERT_EQ(CreateDXGIFactory1(IID_PPV_ARGS(&factory)), S_OK);
  ComPtr<IDXGIAdapter> adapter;
  ASSERT_EQ(factory->EnumAdapters(0, &adapter), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_UNKNOWN, 0, nullptr, adapter.Get()), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE, 0, nullptr, adapter.Get()), E_INVALIDARG);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_UNKNOWN, 0, kModule, adapter.Get()), E_INVALIDARG);
  DXGI_ADAPTER_DESC first, used;
  adapter->GetDesc(&first);
  Created c = createDevice();
  ComPtr<IDXGIDevice> dxgi;
  ASSERT_EQ(c.device.As(&dxgi), S_OK);
  ComPtr<IDXGIAdapter> own;
  ASSERT_EQ(dxgi->GetAdapter(&own), S_OK);
  own->GetDesc(&used);
  EXPECT_EQ(memcmp(&first.AdapterLuid, &used.AdapterLuid, sizeof(LUID)), 0);
}

TEST(Create, FeatureLevels) {
  struct Row {
    std::vector<D3D_FEATURE_LEVEL> levels;
    HRESULT hr;
    D3D_FEATURE_LEVEL chosen;
  };
  const auto none = static_cast<D3D_FEATURE_LEVEL>(0);
  const Row rows[] = {
      // REQ: B0371 B0372
      {{D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0}, S_OK, D3D_FEATURE_LEVEL_11_1},
      {{D3D_FEATURE_LEVEL_10_0, D3D_FEATURE_LEVEL_11_0}, S_OK, D3D_FEATURE_LEVEL_10_0},
      {{D3D_FEATURE_LEVEL_9_1}, S_OK, D3D_FEATURE_LEVEL_9_1},
      {{D3D_FEATURE_LEVEL_9_3, D3D_FEATURE_LEVEL_9_2}, S_OK, D3D_FEATURE_LEVEL_9_3},
      {{D3D_FEATURE_LEVEL_10_1}, S_OK, D3D_FEATURE_LEVEL_10_1},
      {{static_cast<D3D_FEATURE_LEVEL>(0x1234)}, E_INVALIDARG, none},
  };
  for (const Row& r : rows) {
    ComPtr<ID3D11Device> device;
    auto level = static_cast<D3D_FEATURE_LEVEL>(0xffff);
    EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, r.levels.data(), UINT(r.levels.size()),
                                D3D11_SDK_VERSION, &device, &level, nullptr),
              r.hr);
    EXPECT_EQ(level, r.chosen);
    if (device) {
      // REQ: B0353 D0055
      EXPECT_EQ(device->GetFeatureLevel(), r.chosen);
    }
  }
  // REQ: B0370 B0361
  D3D_FEATURE_LEVEL level;
  EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, nullptr, &level,
                              nullptr),
            S_FALSE);
  EXPECT_EQ(level, D3D_FEATURE_LEVEL_11_0);
}

TEST(Create, Outputs) {
  // REQ: B0374
  EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, nullptr,
                              nullptr, nullptr),
            S_FALSE);
  ComPtr<ID3D11Device> device;
  EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &device,
                              nullptr, nullptr),
            S_OK);
  ComPtr<ID3D11DeviceContext> context;
  EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, nullptr,
                              nullptr, &context),
            S_OK);
  ComPtr<ID3D11Device> of;
  context->GetDevice(&of);
  EXPECT_TRUE(of);
  // REQ: G0190 B0359
  const D3D_FEATURE_LEVEL one = D3D_FEATURE_LEVEL_11_0;
  EXPECT_EQ(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, &one, 1, D3D11_SDK_VERSION, &device, nullptr,
                              context.ReleaseAndGetAddressOf()),
            S_OK);
  ASSERT_TRUE(device && context);
  context->GetDevice(of.ReleaseAndGetAddressOf());
  EXPECT_TRUE(same(of.Get(), device.Get()));
}

TEST(Create, Flags) {
  // REQ: A0241 B0369 B0354
  for (const UINT flags : {UINT(D3D11_CREATE_DEVICE_SINGLETHREADED), UINT(D3D11_CREATE_DEVICE_BGRA_SUPPORT),
                           UINT(D3D11_CREATE_DEVICE_DISABLE_GPU_TIMEOUT),
                           UINT(D3D11_CREATE_DEVICE_SINGLETHREADED | D3D11_CREATE_DEVICE_BGRA_SUPPORT |
                                D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS)}) {
    Created c = createDevice(D3D_FEATURE_LEVEL_11_0, flags);
    ASSERT_EQ(c.hr, S_OK);
    EXPECT_EQ(c.device->GetCreationFlags(), flags);
    ComPtr<ID3D11Device> device;
    EXPECT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, flags, nullptr, 0,
                                            D3D11_SDK_VERSION, nullptr, nullptr, &device, nullptr, nullptr),
              S_OK);
    EXPECT_EQ(device->GetCreationFlags(), flags);
  }
  // REQ: A0243
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE, D3D11_CREATE_DEVICE_SWITCH_TO_REF), E_INVALIDARG);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE, 0x80000000u), E_INVALIDARG);
  // REQ: A0251
  for (const D3D_DRIVER_TYPE t : {D3D_DRIVER_TYPE_NULL, D3D_DRIVER_TYPE_REFERENCE, D3D_DRIVER_TYPE_SOFTWARE})
    for (const D3D_FEATURE_LEVEL level : {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_9_2, D3D_FEATURE_LEVEL_9_3, D3D_FEATURE_LEVEL_10_0,
                                          D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_11_1})
      EXPECT_TRUE(FAILED(createDevice(level, D3D11_CREATE_DEVICE_VIDEO_SUPPORT, t).hr));
  // REQ: A0252 A0250
  EXPECT_EQ(create(D3D_DRIVER_TYPE_WARP, D3D11_CREATE_DEVICE_VIDEO_SUPPORT), S_OK);
  EXPECT_EQ(create(D3D_DRIVER_TYPE_HARDWARE, D3D11_CREATE_DEVICE_VIDEO_SUPPORT), S_OK);
}

TEST(Create, BgraFormats) {
  // REQ: A0245
  Created c = createDevice(D3D_FEATURE_LEVEL_11_0, D3D11_CREATE_DEVICE_BGRA_SUPPORT);
  for (const DXGI_FORMAT f : {DXGI_FORMAT_B8G8R8A8_UNORM, DXGI_FORMAT_B8G8R8A8_UNORM_SRGB}) {
    UINT support = 0;
    EXPECT_EQ(c.device->CheckFormatSupport(f, &support), S_OK);
    EXPECT_TRUE(support & D3D11_FORMAT_SUPPORT_RENDER_TARGET);
    EXPECT_TRUE(support & D3D11_FORMAT_SUPPORT_TEXTURE2D);
  }
}

TEST(Create, Dynamically) {
  // REQ: B0366 D0054
  void* self = dlopen(nullptr, RTLD_NOW);
  auto entry = reinterpret_cast<PFN_D3D11_CREATE_DEVICE>(dlsym(self, "D3D11CreateDevice"));
  ASSERT_TRUE(entry);
  ComPtr<ID3D11Device> device;
  EXPECT_EQ(entry(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &device, nullptr, nullptr),
            S_OK);
  EXPECT_TRUE(dlsym(self, "D3D11CreateDeviceAndSwapChain"));
  dlclose(self);
}

TEST(Create, SwapChainToo) {
  // REQ: B0375
  DXGI_SWAP_CHAIN_DESC desc = {};
  desc.BufferDesc.Width = desc.BufferDesc.Height = 16;
  desc.BufferDesc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = 2;
  desc.Windowed = TRUE;
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  ComPtr<IDXGISwapChain> chain;
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  ASSERT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION,
                                          &desc, &chain, &device, nullptr, &context),
            S_OK);
  ComPtr<ID3D11Device> of;
  EXPECT_EQ(chain->GetDevice(IID_PPV_ARGS(&of)), S_OK);
  EXPECT_TRUE(same(of.Get(), device.Get()));
  ComPtr<ID3D11Texture2D> back;
  EXPECT_EQ(chain->GetBuffer(0, IID_PPV_ARGS(&back)), S_OK);
  EXPECT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION,
                                          nullptr, &chain, &device, nullptr, &context),
            E_INVALIDARG);
  // The rules of D3D11CreateDevice.
  EXPECT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_UNKNOWN, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION, &desc,
                                          &chain, &device, nullptr, &context),
            E_INVALIDARG);
  EXPECT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, kModule, 0, nullptr, 0, D3D11_SDK_VERSION, &desc,
                                          &chain, &device, nullptr, &context),
            E_INVALIDARG);
  EXPECT_EQ(D3D11CreateDeviceAndSwapChain(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, nullptr, 0, D3D11_SDK_VERSION + 1, &desc,
                                          &chain, &device, nullptr, &context),
            E_INVALIDARG);
}

TEST(Create, InternalThreadsCanBePrevented) {
  // REQ: A0244
  auto threads = [] {
    UINT n = 0;
    char line[256];
    FILE* f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
      sscanf(line, "Threads: %u", &n);
    if (f)
      fclose(f);
    return n;
  };
  const UINT before = threads();
  Created c = createDevice(D3D_FEATURE_LEVEL_11_0, D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS,
                           D3D_DRIVER_TYPE_WARP);
  ASSERT_EQ(c.hr, S_OK);
  const D3D11_TEXTURE2D_DESC desc = {64, 64, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT,
                                     D3D11_BIND_RENDER_TARGET, 0, 0};
  ComPtr<ID3D11Texture2D> t;
  ComPtr<ID3D11RenderTargetView> v;
  ASSERT_EQ(c.device->CreateTexture2D(&desc, nullptr, &t), S_OK);
  ASSERT_EQ(c.device->CreateRenderTargetView(t.Get(), nullptr, &v), S_OK);
  const float color[4] = {};
  c.context->ClearRenderTargetView(v.Get(), color);
  ComPtr<ID3D11VertexShader> vs;
  ComPtr<ID3D11PixelShader> ps;
  ASSERT_EQ(c.device->CreateVertexShader(fullscreenVertexShader().data(), fullscreenVertexShader().size(), nullptr, &vs), S_OK);
  ASSERT_EQ(c.device->CreatePixelShader(constantPixelShader().data(), constantPixelShader().size(), nullptr, &ps), S_OK);
  const float white[4] = {1, 1, 1, 1};
  const D3D11_BUFFER_DESC cbDesc = {16, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0};
  const D3D11_SUBRESOURCE_DATA init = {white, 0, 0};
  ComPtr<ID3D11Buffer> cb;
  ASSERT_EQ(c.device->CreateBuffer(&cbDesc, &init, &cb), S_OK);
  const D3D11_VIEWPORT viewport = {0, 0, 64, 64, 0, 1};
  c.context->OMSetRenderTargets(1, v.GetAddressOf(), nullptr);
  c.context->RSSetViewports(1, &viewport);
  c.context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  c.context->VSSetShader(vs.Get(), nullptr, 0);
  c.context->PSSetShader(ps.Get(), nullptr, 0);
  c.context->PSSetConstantBuffers(0, 1, cb.GetAddressOf());
  c.context->Draw(3, 0);
  c.context->Flush();
  EXPECT_EQ(threads(), before);
  D3D11_TEXTURE2D_DESC staging = desc;
  staging.Usage = D3D11_USAGE_STAGING;
  staging.BindFlags = 0;
  staging.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
  ComPtr<ID3D11Texture2D> s;
  ASSERT_EQ(c.device->CreateTexture2D(&staging, nullptr, &s), S_OK);
  c.context->CopyResource(s.Get(), t.Get());
  D3D11_MAPPED_SUBRESOURCE m = {};
  ASSERT_EQ(c.context->Map(s.Get(), 0, D3D11_MAP_READ, 0, &m), S_OK);
  EXPECT_EQ(static_cast<BYTE*>(m.pData)[40 * m.RowPitch + 100], 255) << "drawn, by this thread: there is no other";
  c.context->Unmap(s.Get(), 0);
  EXPECT_EQ(threads(), before);
}

TEST(Device, InterfaceChain) {
  // REQ: B0360 B0505 B0626 B0681 B0706
  Created c = createDevice();
  ASSERT_EQ(c.hr, S_OK);
  for (const GUID& id : {__uuidof(ID3D11Device), __uuidof(ID3D11Device1), __uuidof(ID3D11Device2), __uuidof(ID3D11Device3),
                         __uuidof(ID3D11Device4), __uuidof(ID3D11Device5), __uuidof(IDXGIDevice), __uuidof(IDXGIDevice1)}) {
    ComPtr<IUnknown> face;
    EXPECT_EQ(c.device->QueryInterface(id, reinterpret_cast<void**>(face.GetAddressOf())), S_OK);
    EXPECT_TRUE(same(face.Get(), c.device.Get())) << "one identity";
  }
  // REQ: B0418 B0567 B0675 B0680 B0707
  for (const GUID& id : {__uuidof(ID3D11DeviceContext), __uuidof(ID3D11DeviceContext1), __uuidof(ID3D11DeviceContext2),
                         __uuidof(ID3D11DeviceContext3), __uuidof(ID3D11DeviceContext4), __uuidof(ID3D11DeviceChild),
                         __uuidof(ID3D11Multithread)}) {
    ComPtr<IUnknown> face;
    EXPECT_EQ(c.context->QueryInterface(id, reinterpret_cast<void**>(face.GetAddressOf())), S_OK);
    EXPECT_TRUE(same(face.Get(), c.context.Get()));
  }
  ComPtr<ID3D11Multithread> multithread;
  EXPECT_EQ(c.device.As(&multithread), S_OK);
}

TEST(Device, ImmediateContext) {
  // REQ: D0057 B0506 D0058 B0627 D0059 B0691 D0060
  Created c = createDevice();
  const ULONG before = refs(c.context);
  ComPtr<ID3D11DeviceContext> a, b;
  c.device->GetImmediateContext(&a);
  EXPECT_EQ(refs(c.context), before + 1);
  c.device->GetImmediateContext(&b);
  EXPECT_EQ(a.Get(), b.Get());
  ComPtr<ID3D11DeviceContext1> a1;
  ComPtr<ID3D11DeviceContext2> a2;
  ComPtr<ID3D11DeviceContext3> a3;
  c.device->GetImmediateContext1(&a1);
  c.device->GetImmediateContext2(&a2);
  c.device->GetImmediateContext3(&a3);
  EXPECT_TRUE(same(a.Get(), a1.Get()) && same(a.Get(), a2.Get()) && same(a.Get(), a3.Get()));
  EXPECT_EQ(refs(c.context), before + 5);
  EXPECT_EQ(a->GetType(), D3D11_DEVICE_CONTEXT_IMMEDIATE);
  EXPECT_EQ(a->GetContextFlags(), 0u);
}

TEST(Device, ContextKeepsDeviceAlive) {
  Created c = createDevice();
  ComPtr<ID3D11DeviceContext> context = c.context;
  c.context.Reset();
  c.device.Reset();
  ComPtr<ID3D11Device> device;
  context->GetDevice(&device);
  EXPECT_EQ(device->GetFeatureLevel(), D3D_FEATURE_LEVEL_11_0);
}

TEST(Device, LivesAndDiesAlone) {
  Created c = createDevice();
  c.context.Reset();
  ID3D11Device* raw = c.device.Detach();
  EXPECT_EQ(raw->Release(), 0u);
}

TEST(Device, ExceptionMode) {
  // REQ: B0358
  Created c = createDevice();
  EXPECT_EQ(c.device->GetExceptionMode(), 0u);
  EXPECT_EQ(c.device->SetExceptionMode(D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR), S_OK);
  EXPECT_EQ(c.device->GetExceptionMode(), UINT(D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR));
  EXPECT_EQ(c.device->SetExceptionMode(0), S_OK);
  EXPECT_EQ(c.device->SetExceptionMode(0x80), E_INVALIDARG);
}

TEST(Device, Healthy) {
  Created c = createDevice();
  EXPECT_EQ(c.device->GetDeviceRemovedReason(), S_OK);
}

TEST(Device, Multithread) {
  // REQ: B0708 B0711 B0712
  Created c = createDevice();
  ComPtr<ID3D11Multithread> m;
  ASSERT_EQ(c.context.As(&m), S_OK);
  EXPECT_FALSE(m->GetMultithreadProtected());
  EXPECT_FALSE(m->SetMultithreadProtected(TRUE));
  EXPECT_TRUE(m->SetMultithreadProtected(TRUE));
  EXPECT_TRUE(m->GetMultithreadProtected());
  m->Enter();
  m->Enter();
  c.context->Flush();
  m->Leave();
  m->Leave();
  EXPECT_TRUE(m->SetMultithreadProtected(FALSE));
  // Several threads share the context, each writes its own quarter.
  m->SetMultithreadProtected(TRUE);
  const D3D11_BUFFER_DESC desc = {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  const D3D11_BUFFER_DESC read = {64, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, 0, 0};
  ComPtr<ID3D11Buffer> b, staging;
  ASSERT_EQ(c.device->CreateBuffer(&desc, nullptr, &b), S_OK);
  ASSERT_EQ(c.device->CreateBuffer(&read, nullptr, &staging), S_OK);
  std::vector<std::thread> threads;
  for (UINT t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      const D3D11_BOX box = {t * 16, 0, 0, t * 16 + 16, 1, 1};
      for (UINT i = 0; i < 500; i++) {
        const std::vector<BYTE> data(16, BYTE(t * 50 + i % 50));
        c.context->UpdateSubresource(b.Get(), 0, &box, data.data(), 0, 0);
        if (i % 100 == t)
          c.context->Flush();
      }
    });
  for (auto& t : threads)
    t.join();
  c.context->CopyResource(staging.Get(), b.Get());
  D3D11_MAPPED_SUBRESOURCE mapped = {};
  ASSERT_EQ(c.context->Map(staging.Get(), 0, D3D11_MAP_READ, 0, &mapped), S_OK);
  for (UINT i = 0; i < 64; i++)
    EXPECT_EQ(static_cast<BYTE*>(mapped.pData)[i], i / 16 * 50 + 49);
  c.context->Unmap(staging.Get(), 0);
}

namespace {
struct Counter : IUnknown {
  ULONG count = 1;
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void**) override { return E_NOINTERFACE; }
  ULONG STDMETHODCALLTYPE AddRef() override { return ++count; }
  ULONG STDMETHODCALLTYPE Release() override { return --count; }
};
template <typename T> void privateData(T* object) {
  const GUID a = {1, 2, 3, {}}, b = {1, 2, 4, {}};
  const char text[10] = "friendly!";
  EXPECT_EQ(object->SetPrivateData(a, 10, text), S_OK);
  char out[16] = {};
  UINT size = 16;
  EXPECT_EQ(object->GetPrivateData(a, &size, out), S_OK);
  EXPECT_EQ(size, 10u);
  EXPECT_STREQ(out, text);
  size = 9;
  out[0] = '#';
  EXPECT_EQ(object->GetPrivateData(a, &size, out), DXGI_ERROR_MORE_DATA);
  EXPECT_EQ(out[0], '#');
  size = 16;
  EXPECT_EQ(object->GetPrivateData(b, &size, out), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(object->SetPrivateData(a, 1, "x"), S_OK) << "overwrites";
  size = 16;
  EXPECT_EQ(object->GetPrivateData(a, &size, out), S_OK);
  EXPECT_EQ(size, 1u);
  EXPECT_EQ(object->SetPrivateData(a, 4, nullptr), E_INVALIDARG);
  EXPECT_EQ(object->SetPrivateData(a, 0, nullptr), S_OK);
  EXPECT_EQ(object->GetPrivateData(a, &size, out), DXGI_ERROR_NOT_FOUND);
}
} // namespace

TEST(Device, PrivateData) {
  // REQ: B0348 B0349 B0351 D0139
  Created c = createDevice();
  privateData(c.device.Get());
  // REQ: B0352
  Counter counter;
  const GUID id = {9, 9, 9, {}};
  EXPECT_EQ(c.device->SetPrivateDataInterface(id, &counter), S_OK);
  EXPECT_EQ(counter.count, 2u);
  IUnknown* out = nullptr;
  UINT size = sizeof out;
  EXPECT_EQ(c.device->GetPrivateData(id, &size, &out), S_OK);
  EXPECT_EQ(out, &counter);
  EXPECT_EQ(counter.count, 3u);
  out->Release();
  c.context.Reset();
  c.device.Reset();
  EXPECT_EQ(counter.count, 1u);
}

TEST(DeviceChild, PrivateDataAndDevice) {
  Created c = createDevice();
  const D3D11_BUFFER_DESC desc = {16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  ComPtr<ID3D11Buffer> b;
  ASSERT_EQ(c.device->CreateBuffer(&desc, nullptr, &b), S_OK);
  // REQ: A0519 A0520 A0521 A0522 D0143
  privateData(b.Get());
  // REQ: A0518 D0146
  const ULONG before = refs(c.device);
  ComPtr<ID3D11Device> of;
  b->GetDevice(&of);
  EXPECT_TRUE(same(of.Get(), c.device.Get()));
  EXPECT_EQ(refs(c.device), before + 1);
  // REQ: A0525 A0526 D0144
  Counter counter;
  const GUID id = {9, 9, 9, {}};
  EXPECT_EQ(b->SetPrivateDataInterface(id, &counter), S_OK);
  EXPECT_EQ(counter.count, 2u);
  b.Reset();
  EXPECT_EQ(counter.count, 1u);
}

TEST(DeviceChild, HoldsTheDevice) {
  Created c = createDevice();
  const ULONG before = refs(c.device);
  const D3D11_BUFFER_DESC desc = {16, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0};
  ComPtr<ID3D11Buffer> b;
  ASSERT_EQ(c.device->CreateBuffer(&desc, nullptr, &b), S_OK);
  EXPECT_EQ(refs(c.device), before + 1);
  const UINT stride = 4, offset = 0;
  c.context->IASetVertexBuffers(0, 1, b.GetAddressOf(), &stride, &offset);
  b.Reset();
  EXPECT_EQ(refs(c.device), before) << "a bound object does not hold the device";
  ComPtr<ID3D11Buffer> back;
  c.context->IAGetVertexBuffers(0, 1, &back, nullptr, nullptr);
  EXPECT_TRUE(back);
  EXPECT_EQ(refs(c.device), before + 1);
}
