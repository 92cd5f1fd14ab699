// SPDX-License-Identifier: MIT
// A C++ program in the style of Windows samples: ComPtr, IID_PPV_ARGS, __uuidof, helpers, own interfaces.
#include <Windows.h>
#include <d3d11.h>
#include <d3d11_4.h>
#include <d3d11shader.h>
#include <dxgi1_3.h>
#include <dxgi1_6.h>
#include <d3dcompiler.h>
#include <wrl/client.h>
#include <d3d10_1.h>
#include <d3d11_x.h>
#include <initguid.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;

#if defined(IN) || defined(OUT) || defined(OPTIONAL) || defined(min) || defined(max)
#error "These words belong to the program."
#endif

static_assert(sizeof(LONG) == 4 && sizeof(ULONG) == 4 && sizeof(DWORD) == 4 && sizeof(HRESULT) == 4, "32 bits");
static_assert(E_INVALIDARG == HRESULT(0x80070057) && DXGI_ERROR_WAS_STILL_DRAWING == HRESULT(0x887A000A), "codes");
static_assert(MAKE_D3D11_HRESULT(1) == D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS, "codes");

// {9B7E4E00-342C-4106-A19F-4F2704F689F0}
DEFINE_GUID(IID_IMine, 0x9b7e4e00, 0x342c, 0x4106, 0xa1, 0x9f, 0x4f, 0x27, 0x04, 0xf6, 0x89, 0xf0);
#undef INTERFACE
#define INTERFACE IMine
DECLARE_INTERFACE_(IMine, IUnknown) {
  STDMETHOD(QueryInterface)(THIS_ REFIID riid, void** out) PURE;
  STDMETHOD_(ULONG, AddRef)(THIS) PURE;
  STDMETHOD_(ULONG, Release)(THIS) PURE;
  STDMETHOD(Work)(THIS_ UINT count) PURE;
};
MIDL_INTERFACE("9b7e4e00-342c-4106-a19f-4f2704f689f1")
IOther : public IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Other() = 0;
};
__CRT_UUID_DECL(IOther, 0x9b7e4e00, 0x342c, 0x4106, 0xa1, 0x9f, 0x4f, 0x27, 0x04, 0xf6, 0x89, 0xf1)

class Include : public ID3DInclude {
public:
  STDMETHODIMP Open(D3D_INCLUDE_TYPE, const char*, const void*, const void**, UINT*) { return E_NOTIMPL; }
  STDMETHODIMP Close(const void*) { return S_OK; }
};

struct alignas(16) Constants {
  float m[16];
};
struct __declspec(align(16)) Aligned {
  float v[4];
};
static_assert(alignof(Aligned) == 16, "__declspec(align)");

enum class Bits : unsigned { a = 1, b = 2 };
DEFINE_ENUM_FLAG_OPERATORS(Bits)
static_assert((Bits::a | Bits::b) == static_cast<Bits>(3), "flags");

inline void ThrowIfFailed(HRESULT hr) {
  if (FAILED(hr)) throw hr;
}

template <typename T>
const GUID& idOf(T* p) {
  return __uuidof(*p);
}

HRESULT use(HWND window, IMine* mine);
HRESULT use(HWND window, IMine* mine) {
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0};
  ThrowIfFailed(D3D11CreateDevice(nullptr, D3D_DRIVER_TYPE_HARDWARE, nullptr, 0, levels, ARRAYSIZE(levels),
                                  D3D11_SDK_VERSION, &device, nullptr, &context));
  ComPtr<ID3D11Device1> device1;
  ThrowIfFailed(device.As(&device1));
  ThrowIfFailed(device->QueryInterface(IID_PPV_ARGS(&device1)));
  ThrowIfFailed(device->QueryInterface(IID_PPV_ARGS(device1.ReleaseAndGetAddressOf())));
  ThrowIfFailed(device->QueryInterface(__uuidof(ID3D11Device1), reinterpret_cast<void**>(device1.GetAddressOf())));
  ThrowIfFailed(device->QueryInterface(__uuidof(ID3D11Device1), &device1));
  ID3D11Device1* raw = nullptr;
  ThrowIfFailed(device->QueryInterface(__uuidof(raw), reinterpret_cast<void**>(&raw)));
  ThrowIfFailed(device->QueryInterface(&raw));
  ComPtr<IDXGIDevice3> dxgi;
  ThrowIfFailed(device.As(&dxgi));
  ComPtr<IDXGIAdapter> adapter;
  ThrowIfFailed(dxgi->GetAdapter(&adapter));
  ComPtr<IDXGIFactory2> factory;
  ThrowIfFailed(adapter->GetParent(IID_PPV_ARGS(&factory)));
  DXGI_SWAP_CHAIN_DESC1 scd = {};
  ComPtr<IDXGISwapChain1> chain;
  ThrowIfFailed(factory->CreateSwapChainForHwnd(device.Get(), window, &scd, nullptr, nullptr, &chain));
  ComPtr<ID3D11Texture2D> back;
  ThrowIfFailed(chain->GetBuffer(0, IID_PPV_ARGS(&back)));
  CD3D11_TEXTURE2D_DESC td(DXGI_FORMAT_D24_UNORM_S8_UINT, 16, 16, 1, 1, D3D11_BIND_DEPTH_STENCIL);
  CD3D11_RASTERIZER_DESC rd(D3D11_DEFAULT);
  CD3D11_VIEWPORT viewport(0.f, 0.f, 1.f, 1.f);
  context->RSSetViewports(1, &viewport);
  ComPtr<ID3DBlob> code, errors;
  Include include;
  D3DCompile("", 0, nullptr, nullptr, &include, "main", "vs_5_0", D3DCOMPILE_ENABLE_STRICTNESS, 0, &code, &errors);
  ID3D11ShaderReflection* reflection = nullptr;
  D3DReflect(code->GetBufferPointer(), code->GetBufferSize(), __uuidof(ID3D11ShaderReflection),
             reinterpret_cast<void**>(&reflection));
  D3DReflect(code->GetBufferPointer(), code->GetBufferSize(), IID_PPV_ARGS(&reflection));
  ID3D11ShaderResourceView* const none[1] = {nullptr};
  context->PSSetShaderResources(0, 1, none);
  ID3D11RenderTargetView* views[] = {nullptr};
  context->OMSetRenderTargets(std::max(1u, std::min<UINT>(2, 1)), views, nullptr);
  ComPtr<IUnknown> unknown = back;
  ComPtr<ID3D11Resource> resource(back);
  resource = back;
  resource = std::move(back);
  if (unknown == resource || resource == nullptr || !resource) return E_FAIL;
  std::map<std::string, ComPtr<ID3D11Resource>> named;
  named["a"] = resource;
  std::vector<ComPtr<ID3D11Resource>> all(3, resource);
  resource.Reset();
  LARGE_INTEGER t;
  ZeroMemory(&t, sizeof(t));
  if (idOf(raw) != IID_ID3D11Device1 || !IsEqualGUID(__uuidof(IOther), __uuidof(IOther))) return E_FAIL;
  InterlockedIncrement(&t.HighPart);
  return mine->Work(td.Width + rd.CullMode + t.LowPart);
}
