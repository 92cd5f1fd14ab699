/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs IUnknown only. */
#ifndef MONOLITH_OCIDL_H
#define MONOLITH_OCIDL_H
#include <unknwn.h>
#endif
