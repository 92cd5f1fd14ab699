/* SPDX-License-Identifier: MIT */
/* A C program that uses the interfaces through COBJMACROS. */
#define COBJMACROS
#include <stddef.h>
#include <windows.h>
#include <d3d11.h>
#include <d3d11_4.h>
#include <d3d10_1.h>
#include <dxgi1_6.h>
#include <dxgidebug.h>
#include <d3dcompiler.h>
#include <d3d11_x.h>

_Static_assert(sizeof(LONG) == 4 && sizeof(ULONG) == 4 && sizeof(DWORD) == 4 && sizeof(HRESULT) == 4, "32 bits");
_Static_assert(sizeof(BOOL) == 4 && sizeof(GUID) == 16 && sizeof(LUID) == 8 && sizeof(RECT) == 16, "sizes");
_Static_assert(sizeof(LARGE_INTEGER) == 8 && sizeof(WCHAR) == sizeof(wchar_t), "sizes");
_Static_assert(sizeof(DXGI_ADAPTER_DESC) == 128 * sizeof(WCHAR) + 4 * 4 + 3 * sizeof(SIZE_T) + 8, "adapter");
_Static_assert(sizeof(D3D11_PARAMETER_DESC) == 56 && sizeof(D3D11_LIBRARY_DESC) == 16, "linking");
_Static_assert(offsetof(D3D11_FUNCTION_DESC, RequiredFeatureFlags) == 120 && sizeof(D3D11_FUNCTION_DESC) == 152, "function");
#if defined(IN) || defined(OUT) || defined(OPTIONAL)
#error "These words belong to the program."
#endif

HRESULT linkShader(ID3D11ModuleInstance* instance, ID3DBlob** shader);
HRESULT linkShader(ID3D11ModuleInstance* instance, ID3DBlob** shader) {
  ID3D11Linker* linker = NULL;
  HRESULT hr = D3DCreateLinker(&linker);
  if (FAILED(hr)) return hr;
  hr = linker->lpVtbl->Link(linker, instance, "main", "ps_5_0", 0, shader, NULL);
  linker->lpVtbl->Release(linker);
  return hr;
}

HRESULT use(void);
HRESULT use(void) {
  ID3D11Device* device = NULL;
  ID3D11Device1* device1 = NULL;
  ID3D11DeviceContext* context = NULL;
  ID3D11Texture2D* texture = NULL;
  D3D11_TEXTURE2D_DESC desc = {0};
  D3D_FEATURE_LEVEL level;
  LARGE_INTEGER t;
  HRESULT hr = D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &device, &level,
                                 &context);
  if (FAILED(hr)) return hr;
  t.QuadPart = 1;
  desc.Width = desc.Height = t.LowPart;
  hr = ID3D11Device_CreateTexture2D(device, &desc, NULL, &texture);
  if (hr == E_INVALIDARG || hr == DXGI_ERROR_DEVICE_REMOVED || hr == D3D11_ERROR_FILE_NOT_FOUND) return hr;
  hr = ID3D11Device_QueryInterface(device, &IID_ID3D11Device1, (void**)&device1);
  ID3D11Texture2D_SetPrivateData(texture, &WKPDID_D3DDebugObjectName, 4, "name");
  ID3D11DeviceContext_Draw(context, 3, 0);
  ID3D11DeviceContext_Release(context);
  IUnknown_Release((IUnknown*)texture);
  if (IsEqualGUID(&IID_IUnknown, &IID_ID3D11Device)) ID3D11Device1_Release(device1);
  ID3D11Device_Release(device);
  return hr;
}
