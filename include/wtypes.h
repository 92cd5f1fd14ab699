/* SPDX-License-Identifier: MIT */
/** @file All types are in windef.h. */
#ifndef MONOLITH_WTYPES_H
#define MONOLITH_WTYPES_H
#include <windef.h>
#endif
