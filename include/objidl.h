/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs IUnknown only. */
#ifndef MONOLITH_OBJIDL_H
#define MONOLITH_OBJIDL_H
#include <unknwn.h>
#endif
