/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs IUnknown only. */
#ifndef MONOLITH_OAIDL_H
#define MONOLITH_OAIDL_H
#include <unknwn.h>
#endif
