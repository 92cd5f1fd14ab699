/* SPDX-License-Identifier: MIT */
/** @file The packaged d3d10shader.h, which compiles only from within d3d10.h, made to stand alone. */
#ifndef __d3d10_h__
#include <d3d10.h>
#else
#include <mingw_d3d10shader.h>
#endif
