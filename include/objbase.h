/* SPDX-License-Identifier: MIT */
/** @file The few functions of COM itself that Direct3D programs call. There are no apartments here. */
#ifndef MONOLITH_OBJBASE_H
#define MONOLITH_OBJBASE_H

#include <stdlib.h>
#include <unknwn.h>

typedef enum tagCOINIT {
  COINIT_MULTITHREADED = 0x0,
  COINIT_APARTMENTTHREADED = 0x2,
  COINIT_DISABLE_OLE1DDE = 0x4,
  COINIT_SPEED_OVER_MEMORY = 0x8
} COINIT;

static FORCEINLINE HRESULT CoInitialize(LPVOID reserved) {
  (void)reserved;
  return S_OK;
}
static FORCEINLINE HRESULT CoInitializeEx(LPVOID reserved, DWORD flags) {
  (void)reserved;
  (void)flags;
  return S_OK;
}
static FORCEINLINE void CoUninitialize(void) {}
static FORCEINLINE LPVOID CoTaskMemAlloc(SIZE_T size) { return malloc(size); }
static FORCEINLINE void CoTaskMemFree(LPVOID memory) { free(memory); }

#endif
