/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What programs written for Direct3D on Windows expect of <windows.h>: types, result codes, COM,
 * and a handful of functions that have an exact counterpart here. Windows, messages and files
 * are not emulated.
 */
#ifndef MONOLITH_WINDOWS_H
#define MONOLITH_WINDOWS_H

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <windef.h>
#include <objbase.h>

#define ZeroMemory(p, n) memset((p), 0, (n))
#define FillMemory(p, n, v) memset((p), (v), (n))
#define CopyMemory(d, s, n) memcpy((d), (s), (n))
#define MoveMemory(d, s, n) memmove((d), (s), (n))
#define RtlZeroMemory(p, n) memset((p), 0, (n))

/** Debug text goes to stderr. */
static FORCEINLINE void OutputDebugStringA(LPCSTR text) { fputs(text ? text : "", stderr); }
static FORCEINLINE void OutputDebugStringW(LPCWSTR text) { fprintf(stderr, "%ls", text ? text : L""); }
#ifdef UNICODE
#define OutputDebugString OutputDebugStringW
#else
#define OutputDebugString OutputDebugStringA
#endif
static FORCEINLINE BOOL IsDebuggerPresent(void) { return FALSE; }

/* Time. The functions need the POSIX clocks, which a strict C mode without POSIX hides. */
#if defined(CLOCK_MONOTONIC)
static FORCEINLINE BOOL QueryPerformanceFrequency(LARGE_INTEGER* frequency) {
  frequency->QuadPart = 1000000000;
  return TRUE;
}
static FORCEINLINE BOOL QueryPerformanceCounter(LARGE_INTEGER* count) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  count->QuadPart = (LONGLONG)t.tv_sec * 1000000000 + t.tv_nsec;
  return TRUE;
}
static FORCEINLINE ULONGLONG GetTickCount64(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (ULONGLONG)t.tv_sec * 1000 + (ULONGLONG)t.tv_nsec / 1000000;
}
static FORCEINLINE DWORD GetTickCount(void) { return (DWORD)GetTickCount64(); }
static FORCEINLINE void Sleep(DWORD milliseconds) {
  struct timespec t;
  t.tv_sec = (time_t)(milliseconds / 1000);
  t.tv_nsec = (long)(milliseconds % 1000) * 1000000;
  nanosleep(&t, NULL);
}
#endif

static FORCEINLINE LONG InterlockedIncrement(volatile LONG* p) { return __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST); }
static FORCEINLINE LONG InterlockedDecrement(volatile LONG* p) { return __atomic_sub_fetch(p, 1, __ATOMIC_SEQ_CST); }
static FORCEINLINE LONG InterlockedExchange(volatile LONG* p, LONG v) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); }
static FORCEINLINE LONG InterlockedExchangeAdd(volatile LONG* p, LONG v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
static FORCEINLINE LONG InterlockedCompareExchange(volatile LONG* p, LONG v, LONG expected) {
  __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

static FORCEINLINE BOOL SetRect(LPRECT r, int left, int top, int right, int bottom) {
  r->left = left;
  r->top = top;
  r->right = right;
  r->bottom = bottom;
  return TRUE;
}

#endif
