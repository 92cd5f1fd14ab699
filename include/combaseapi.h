/* SPDX-License-Identifier: MIT */
/** @file All of it is in objbase.h. */
#ifndef MONOLITH_COMBASEAPI_H
#define MONOLITH_COMBASEAPI_H
#include <objbase.h>
#endif
