/* SPDX-License-Identifier: MIT */
/** @file Choice between the narrow and the wide name, as d3dcompiler.h needs it. */
#ifndef MONOLITH_MINGW_UNICODE_H
#define MONOLITH_MINGW_UNICODE_H
#include <windef.h>
#ifdef UNICODE
#define __MINGW_NAME_AW(name) name##W
#else
#define __MINGW_NAME_AW(name) name##A
#endif
#endif
