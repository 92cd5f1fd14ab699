/* SPDX-License-Identifier: MIT */
/** @file Named by the interface headers; only the interface macros matter. */
#ifndef MONOLITH_RPCNDR_H
#define MONOLITH_RPCNDR_H
#define __RPCNDR_H_VERSION__ 500
#include <unknwn.h>
#endif
