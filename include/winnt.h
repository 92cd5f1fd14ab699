/* SPDX-License-Identifier: MIT */
/** @file All types are in windef.h. */
#ifndef MONOLITH_WINNT_H
#define MONOLITH_WINNT_H
#include <windef.h>
#endif
