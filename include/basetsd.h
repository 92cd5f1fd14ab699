/* SPDX-License-Identifier: MIT */
/** @file All types are in windef.h. */
#ifndef MONOLITH_BASETSD_H
#define MONOLITH_BASETSD_H
#include <windef.h>
#endif
