/* SPDX-License-Identifier: MIT */
/** @file All types are in windef.h. */
#ifndef MONOLITH_MINWINDEF_H
#define MONOLITH_MINWINDEF_H
#include <windef.h>
#endif
