/* SPDX-License-Identifier: MIT */
/** @file Direct3D needs COM's base only. */
#ifndef MONOLITH_OLE2_H
#define MONOLITH_OLE2_H
#include <objbase.h>
#endif
