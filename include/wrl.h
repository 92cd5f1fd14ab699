// SPDX-License-Identifier: MIT
/// @file ComPtr is the part of WRL that is offered.
#ifndef MONOLITH_WRL_H
#define MONOLITH_WRL_H
#include <wrl/client.h>
#endif
