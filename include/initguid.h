/* SPDX-License-Identifier: MIT */
/** @file Ids are constants of each translation unit here, so there is nothing to instantiate. */
#ifndef MONOLITH_INITGUID_H
#define MONOLITH_INITGUID_H
#include <guiddef.h>
#endif
