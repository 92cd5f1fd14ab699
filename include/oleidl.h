/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs IUnknown only. */
#ifndef MONOLITH_OLEIDL_H
#define MONOLITH_OLEIDL_H
#include <unknwn.h>
#endif
