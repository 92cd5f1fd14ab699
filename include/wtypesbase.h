/* SPDX-License-Identifier: MIT */
/** @file All types are in windef.h. */
#ifndef MONOLITH_WTYPESBASE_H
#define MONOLITH_WTYPESBASE_H
#include <windef.h>
#endif
