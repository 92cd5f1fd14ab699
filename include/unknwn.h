/* SPDX-License-Identifier: MIT */
/** @file IUnknown for C and C++, and the macros that declare COM interfaces. */
#ifndef MONOLITH_UNKNWN_H
#define MONOLITH_UNKNWN_H

#include <windef.h>
#include <guiddef.h>

#define STDMETHODCALLTYPE
#define STDMETHODVCALLTYPE
#define STDAPICALLTYPE
#define STDAPI EXTERN_C HRESULT STDAPICALLTYPE
#define STDAPI_(type) EXTERN_C type STDAPICALLTYPE
#define STDMETHODIMP HRESULT STDMETHODCALLTYPE
#define STDMETHODIMP_(type) type STDMETHODCALLTYPE
#define BEGIN_INTERFACE
#define END_INTERFACE
#ifndef interface
#define interface struct
#endif
#define MIDL_INTERFACE(id) struct
#ifdef CONST_VTABLE
#define CONST_VTBL const
#else
#define CONST_VTBL
#endif

#if defined(__cplusplus) && !defined(CINTERFACE)
#define PURE = 0
#define THIS_
#define THIS void
#define STDMETHOD(method) virtual HRESULT STDMETHODCALLTYPE method
#define STDMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
#define STDMETHODV(method) virtual HRESULT STDMETHODVCALLTYPE method
#define DECLARE_INTERFACE(iface) struct iface
#define DECLARE_INTERFACE_(iface, base) struct iface : public base
#define DECLARE_INTERFACE_IID_(iface, base, id) struct iface : public base
#else
#define PURE
#define THIS_ INTERFACE *This,
#define THIS INTERFACE* This
#define STDMETHOD(method) HRESULT(STDMETHODCALLTYPE* method)
#define STDMETHOD_(type, method) type(STDMETHODCALLTYPE* method)
#define STDMETHODV(method) HRESULT(STDMETHODVCALLTYPE* method)
#define DECLARE_INTERFACE(iface)                                                                                       \
  typedef struct iface {                                                                                               \
    CONST_VTBL struct iface##Vtbl* lpVtbl;                                                                             \
  } iface;                                                                                                             \
  typedef struct iface##Vtbl iface##Vtbl;                                                                              \
  struct iface##Vtbl
#define DECLARE_INTERFACE_(iface, base) DECLARE_INTERFACE(iface)
#define DECLARE_INTERFACE_IID_(iface, base, id) DECLARE_INTERFACE(iface)
#endif

typedef struct IUnknown IUnknown;
typedef IUnknown* LPUNKNOWN;
#define __IUnknown_FWD_DEFINED__
#define __IUnknown_INTERFACE_DEFINED__
DEFINE_GUID(IID_IUnknown, 0x00000000, 0x0000, 0x0000, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46);

#if defined(__cplusplus) && !defined(CINTERFACE)
extern "C++" {
struct IUnknown {
  virtual HRESULT STDMETHODCALLTYPE QueryInterface(REFIID riid, void** ppvObject) = 0;
  virtual ULONG STDMETHODCALLTYPE AddRef() = 0;
  virtual ULONG STDMETHODCALLTYPE Release() = 0;

  template <class Q>
  HRESULT STDMETHODCALLTYPE QueryInterface(Q** pp) {
    return QueryInterface(__uuidof(Q), reinterpret_cast<void**>(pp));
  }
};
}
__CRT_UUID_DECL(IUnknown, 0x00000000, 0x0000, 0x0000, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46)

extern "C++" {
template <typename T>
inline void** IID_PPV_ARGS_Helper(T** pp) {
  (void)sizeof(static_cast<IUnknown*>(*pp)); /* only for COM interfaces */
  return reinterpret_cast<void**>(pp);
}
}
#define IID_PPV_ARGS(ppType) __uuidof(**(ppType)), IID_PPV_ARGS_Helper(ppType)
#else
typedef struct IUnknownVtbl {
  HRESULT(STDMETHODCALLTYPE* QueryInterface)(IUnknown* This, REFIID riid, void** ppvObject);
  ULONG(STDMETHODCALLTYPE* AddRef)(IUnknown* This);
  ULONG(STDMETHODCALLTYPE* Release)(IUnknown* This);
} IUnknownVtbl;
struct IUnknown {
  CONST_VTBL IUnknownVtbl* lpVtbl;
};
#ifdef COBJMACROS
#define IUnknown_QueryInterface(This, riid, ppvObject) (This)->lpVtbl->QueryInterface(This, riid, ppvObject)
#define IUnknown_AddRef(This) (This)->lpVtbl->AddRef(This)
#define IUnknown_Release(This) (This)->lpVtbl->Release(This)
#endif
#endif

#endif
