/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs IUnknown only. */
#ifndef MONOLITH_SERVPROV_H
#define MONOLITH_SERVPROV_H
#include <unknwn.h>
#endif
