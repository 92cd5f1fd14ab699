/* SPDX-License-Identifier: MIT */
/** @file Named by the interface headers; only the types matter. */
#ifndef MONOLITH_RPC_H
#define MONOLITH_RPC_H
#include <windef.h>
#endif
