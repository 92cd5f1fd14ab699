/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The types of the Windows API that Direct3D uses, with their Windows sizes: LONG, ULONG, DWORD and
 * HRESULT have 32 bits. WCHAR is wchar_t (4 bytes here). Handles are opaque pointers.
 */
#ifndef MONOLITH_WINDEF_H
#define MONOLITH_WINDEF_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>
#include <sal.h>
#include <winerror.h>

/* Calling conventions and declaration specifiers mean nothing to this ABI. */
#ifndef __stdcall
#define __stdcall
#endif
#ifndef __cdecl
#define __cdecl
#endif
#ifndef __fastcall
#define __fastcall
#endif
#ifndef __vectorcall
#define __vectorcall
#endif
#define WINAPI
#define APIENTRY
#define CALLBACK
#define WINAPIV
#define PASCAL
#define FAR
#define NEAR
#define CONST const
#ifndef __declspec
#define __declspec(x) MONOLITH_DECLSPEC_##x
#define MONOLITH_DECLSPEC_align(n) __attribute__((aligned(n)))
#define MONOLITH_DECLSPEC_dllexport __attribute__((visibility("default")))
#define MONOLITH_DECLSPEC_dllimport
#define MONOLITH_DECLSPEC_novtable
#define MONOLITH_DECLSPEC_noinline __attribute__((noinline))
#define MONOLITH_DECLSPEC_noreturn __attribute__((noreturn))
#define MONOLITH_DECLSPEC_nothrow __attribute__((nothrow))
#define MONOLITH_DECLSPEC_selectany __attribute__((weak))
#define MONOLITH_DECLSPEC_thread __thread
#define MONOLITH_DECLSPEC_uuid(x)
#define MONOLITH_DECLSPEC_deprecated __attribute__((deprecated))
#endif
#define DECLSPEC_ALIGN(n) __attribute__((aligned(n)))
#define DECLSPEC_NOVTABLE
#define DECLSPEC_UUID(x)
#define DECLSPEC_SELECTANY __attribute__((weak))
#ifndef __forceinline
#define __forceinline inline __attribute__((always_inline))
#endif
#define FORCEINLINE inline __attribute__((always_inline))
#define UNREFERENCED_PARAMETER(p) ((void)(p))

/* Names of the mingw headers for unnamed members. */
#ifndef __C89_NAMELESS
#define __C89_NAMELESS __extension__
#define __C89_NAMELESSUNIONNAME
#define __C89_NAMELESSUNIONNAME1
#define __C89_NAMELESSUNIONNAME2
#define __C89_NAMELESSSTRUCTNAME
#endif
#ifndef __MSABI_LONG
#define __MSABI_LONG(x) x
#endif

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#define MAX_PATH 260

typedef void VOID;
typedef char CHAR;
typedef signed char INT8;
typedef unsigned char UINT8;
typedef unsigned char UCHAR;
typedef unsigned char BYTE;
typedef uint8_t BOOLEAN;
typedef int16_t SHORT, INT16;
typedef uint16_t USHORT, UINT16, WORD;
typedef int32_t INT, LONG, INT32, LONG32, BOOL, WINBOOL;
typedef uint32_t UINT, ULONG, UINT32, ULONG32, DWORD, DWORD32;
typedef int64_t INT64, LONG64, LONGLONG;
typedef uint64_t UINT64, ULONG64, ULONGLONG, DWORD64, DWORDLONG;
typedef float FLOAT;
typedef double DOUBLE;
typedef wchar_t WCHAR;
typedef intptr_t INT_PTR, LONG_PTR;
typedef uintptr_t UINT_PTR, ULONG_PTR, DWORD_PTR;
typedef size_t SIZE_T;
typedef ptrdiff_t SSIZE_T;
typedef void *PVOID, *LPVOID, *HANDLE;
typedef const void* LPCVOID;
typedef char *PCHAR, *PSTR, *LPSTR, *NPSTR;
typedef const char *PCSTR, *LPCSTR;
typedef wchar_t *PWCHAR, *PWSTR, *LPWSTR;
typedef const wchar_t *PCWSTR, *LPCWSTR;
typedef BYTE *PBYTE, *LPBYTE;
typedef BOOL *PBOOL, *LPBOOL;
typedef WORD *PWORD, *LPWORD;
typedef INT *PINT, *LPINT;
typedef UINT* PUINT;
typedef LONG *PLONG, *LPLONG;
typedef ULONG* PULONG;
typedef FLOAT* PFLOAT;
typedef DWORD *PDWORD, *LPDWORD;
typedef HANDLE *PHANDLE, *LPHANDLE;
typedef WORD ATOM;
typedef DWORD COLORREF, LCID;
typedef UINT_PTR WPARAM;
typedef LONG_PTR LPARAM, LRESULT;
typedef intptr_t (*FARPROC)(void);

#ifdef UNICODE
typedef WCHAR TCHAR;
#define __TEXT(quote) L##quote
#else
typedef char TCHAR;
#define __TEXT(quote) quote
#endif
typedef TCHAR *PTSTR, *LPTSTR;
typedef const TCHAR *PCTSTR, *LPCTSTR;
#define TEXT(quote) __TEXT(quote)

#define DECLARE_HANDLE(name)                                                                                           \
  struct name##__ {                                                                                                    \
    int unused;                                                                                                        \
  };                                                                                                                   \
  typedef struct name##__* name
DECLARE_HANDLE(HWND);
DECLARE_HANDLE(HDC);
DECLARE_HANDLE(HINSTANCE);
DECLARE_HANDLE(HMONITOR);
DECLARE_HANDLE(HICON);
DECLARE_HANDLE(HMENU);
DECLARE_HANDLE(HBRUSH);
DECLARE_HANDLE(HBITMAP);
DECLARE_HANDLE(HRSRC);
DECLARE_HANDLE(HGLOBAL);
typedef HINSTANCE HMODULE;
typedef HICON HCURSOR;
#define INVALID_HANDLE_VALUE ((HANDLE)(LONG_PTR)-1)

typedef struct tagRECT {
  LONG left;
  LONG top;
  LONG right;
  LONG bottom;
} RECT, *PRECT, *LPRECT;
typedef const RECT* LPCRECT;
typedef struct tagPOINT {
  LONG x;
  LONG y;
} POINT, *PPOINT, *LPPOINT;
typedef struct tagSIZE {
  LONG cx;
  LONG cy;
} SIZE, *PSIZE, *LPSIZE;
typedef struct _FILETIME {
  DWORD dwLowDateTime;
  DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;
typedef struct _LUID {
  DWORD LowPart;
  LONG HighPart;
} LUID, *PLUID;
typedef union _LARGE_INTEGER {
  __extension__ struct {
    DWORD LowPart;
    LONG HighPart;
  };
  struct {
    DWORD LowPart;
    LONG HighPart;
  } u;
  LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;
typedef union _ULARGE_INTEGER {
  __extension__ struct {
    DWORD LowPart;
    DWORD HighPart;
  };
  struct {
    DWORD LowPart;
    DWORD HighPart;
  } u;
  ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;
typedef struct _SECURITY_ATTRIBUTES {
  DWORD nLength;
  LPVOID lpSecurityDescriptor;
  BOOL bInheritHandle;
} SECURITY_ATTRIBUTES, *PSECURITY_ATTRIBUTES, *LPSECURITY_ATTRIBUTES;
typedef struct tagPALETTEENTRY {
  BYTE peRed;
  BYTE peGreen;
  BYTE peBlue;
  BYTE peFlags;
} PALETTEENTRY;

#define LOWORD(l) ((WORD)(((DWORD_PTR)(l)) & 0xffff))
#define HIWORD(l) ((WORD)((((DWORD_PTR)(l)) >> 16) & 0xffff))
#define LOBYTE(w) ((BYTE)(((DWORD_PTR)(w)) & 0xff))
#define HIBYTE(w) ((BYTE)((((DWORD_PTR)(w)) >> 8) & 0xff))
#define MAKELONG(a, b) ((LONG)(((WORD)(a)) | ((DWORD)((WORD)(b))) << 16))
#if !defined(NOMINMAX) && !defined(__cplusplus)
#ifndef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#endif
#endif
#ifndef _countof
#define _countof(a) (sizeof(a) / sizeof((a)[0]))
#endif
#define ARRAYSIZE(a) (sizeof(a) / sizeof((a)[0]))

#define GENERIC_READ 0x80000000u
#define GENERIC_WRITE 0x40000000u
#define GENERIC_ALL 0x10000000u
#define INFINITE 0xFFFFFFFFu
#define WAIT_OBJECT_0 0u
#define WAIT_TIMEOUT 258u
#define WAIT_FAILED 0xFFFFFFFFu

/* Bitwise operators for an enumeration of flags. */
#ifdef __cplusplus
#define DEFINE_ENUM_FLAG_OPERATORS(T)                                                                                  \
  extern "C++" {                                                                                                       \
  inline constexpr T operator|(T a, T b) { return static_cast<T>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); } \
  inline constexpr T operator&(T a, T b) { return static_cast<T>(static_cast<unsigned>(a) & static_cast<unsigned>(b)); } \
  inline constexpr T operator^(T a, T b) { return static_cast<T>(static_cast<unsigned>(a) ^ static_cast<unsigned>(b)); } \
  inline constexpr T operator~(T a) { return static_cast<T>(~static_cast<unsigned>(a)); }                              \
  inline T& operator|=(T& a, T b) { return a = a | b; }                                                                \
  inline T& operator&=(T& a, T b) { return a = a & b; }                                                                \
  inline T& operator^=(T& a, T b) { return a = a ^ b; }                                                                \
  }
#else
#define DEFINE_ENUM_FLAG_OPERATORS(T)
#endif

#endif
